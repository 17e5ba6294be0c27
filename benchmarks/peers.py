"""The contenders that are installed here."""

from __future__ import annotations

import importlib
import warnings
from importlib.util import find_spec

from restride.bench.contender import Contender, NumPy, Restride

PEERS = {
    "torch": ("benchmarks.torch_peer", "Torch"),
    "tensorflow": ("benchmarks.tensorflow_peer", "TensorFlow"),
    "jax": ("benchmarks.jax_peer", "Jax"),
}
"""By the name each is imported by: the file with its calls, and the class in it."""


def contenders() -> tuple[list[Contender], list[str]]:
    """NumPy, the peers that are installed and restride; and the names of the absent."""
    found: list[Contender] = [NumPy()]
    absent = []
    for name, (module, kind) in PEERS.items():
        if find_spec(name) is None:
            absent.append(name)
            continue
        with warnings.catch_warnings():
            # What frameworks warn of while they are loaded is theirs.
            warnings.simplefilter("ignore")
            found.append(getattr(importlib.import_module(module), kind)())
    return [*found, Restride()], absent
