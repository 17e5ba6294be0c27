"""What a node of TensorFlow or TensorFlow Lite moves, as chains, and run."""

from __future__ import annotations

from typing import Any

import numpy as np

from restride.layout import Chain
from restride.lazy import View
from restride.models.known import Node
from restride.models.movements.movement import Params, Steps
from restride.models.movements.tensorflow import TF_READERS
from restride.models.movements.tf_names import data_of, tf_op
from restride.translate.meaning import applied


def steps_of(node: Node) -> tuple[Steps, ...]:
    """The steps of each output; of what moves nothing, none."""
    reader = TF_READERS.get(tf_op(node))
    return () if reader is None else reader(node, Params(node))


def moved(node: Node) -> list[Chain]:
    """The chain of each output over the data; none where its shape is open."""
    found = steps_of(node)
    shape = data_of(node).extents if found else None
    return [] if shape is None else [_chain(steps, shape) for steps in found]


def _chain(steps: Steps, shape: tuple[int, ...]) -> Chain:
    chain = Chain.identity(shape)
    for step in steps:
        chain = applied(step, chain) or chain
    return chain


def run(node: Node, x: np.ndarray[Any, Any], output: int = 0) -> np.ndarray[Any, Any]:
    """One output for the data `x`."""
    return View(x, moved(node)[output]).copy()
