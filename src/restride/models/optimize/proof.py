"""Old nodes and new ones run on the same random elements: is every bit equal?"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from itertools import product
from math import prod
from typing import Any

import numpy as np

from restride.arrays import as_dtype
from restride.export.onnx import model_around
from restride.models.files.tensors import dtype_number
from restride.models.known import Known
from restride.models.optimize.runs import Link, composed
from restride.models.running.arrays import random_array, same, values
from restride.models.running.runtime import Runner

__all__ = ["proven"]

Array = np.ndarray[Any, Any]

MOST_BYTES = 1 << 28
"""Largest tensor, in bytes, that a proof runs on; what is larger stays as it is."""

SIZES = (1, 2, 3)
"""What a named extent is, in turn."""


def proven(
    runner: Runner,
    links: Sequence[Link],
    protos: Sequence[Any],
    constants: Sequence[Any],
    names: Sequence[str],
    seed: int,
) -> bool:
    """True where new nodes give the bits of the old ones, for each size of names."""
    random = np.random.default_rng(seed)
    source = links[0].node.input(0)
    result = links[-1].node.outputs[links[-1].output]
    if source is None or result is None or source.dtype is None:
        return False
    for sizes in product(SIZES, repeat=min(len(names), 2)) if names else [()]:
        known = dict(zip(names, (*sizes, *[2] * len(names)), strict=False))
        shape = _filled(source, known)
        largest = max(map(prod, (shape, *composed(links, known)[1])))
        if largest * as_dtype(_named(source.dtype)).itemsize > MOST_BYTES:
            return False
        feeds = {source.name: random_array(random, source.dtype, shape)}
        if not _alike(runner, links, protos, constants, feeds):
            return False
    return True


def _alike(
    runner: Runner,
    links: Sequence[Link],
    protos: Sequence[Any],
    constants: Sequence[Any],
    feeds: dict[str, Array],
) -> bool:
    """True where both run on these elements and give the same."""
    try:
        old = _model(links, _old(links), _given(links), feeds)
        new = _model(links, protos, constants, feeds)
        return same(runner.run(old, feeds)[0], runner.run(new, feeds)[0])
    except Exception:  # a value that is not known, or what two runtimes raise
        return False


def _named(dtype: str) -> str:
    """A type of as many bytes as a text's reference."""
    return "uint64" if dtype == "string" else dtype


def _filled(known: Known, names: dict[str, int]) -> tuple[int, ...]:
    """The shape, each name in it a number."""
    found = [names.get(n, 1) if isinstance(n, str) else n for n in known.shape or ()]
    return tuple(n or 0 for n in found)


def _old(links: Sequence[Link]) -> list[Any]:
    return [link.node.proto for link in links]


def _given(links: Sequence[Link]) -> list[Any]:
    """The parameters of the old nodes, as constants of a model of their own."""
    found = {}
    numpy_helper = import_module("onnx.numpy_helper")
    for link in links:
        for known in link.node.inputs[1:]:
            if known is not None and known.name:
                found[known.name] = numpy_helper.from_array(values(known), known.name)
    return list(found.values())


def _model(
    links: Sequence[Link],
    nodes: Sequence[Any],
    constants: Sequence[Any],
    feeds: dict[str, Array],
) -> Any:
    """A model of a run alone."""
    helper = import_module("onnx.helper")
    first, last = links[0].node, links[-1]
    result = last.node.outputs[last.output]
    assert result is not None
    data = first.input(0)
    elements = dtype_number(None if data is None else data.dtype)
    ((name, array),) = feeds.items()
    source = helper.make_tensor_value_info(name, elements, array.shape)
    target = helper.make_tensor_value_info(result.name, elements, None)
    graph = helper.make_graph(list(nodes), "run", [source], [target], list(constants))
    return model_around(graph, first.opset)
