"""Both models run whole on random inputs, where they can be."""

from __future__ import annotations

from typing import Any

import numpy as np

from restride.models.files.reading import Model
from restride.models.onnx.files import external_files
from restride.models.onnx.shapes import of_type
from restride.models.optimize.graph import graphs_in
from restride.models.optimize.proof import Runner, random_array, same
from restride.models.optimize.report import Whole

__all__ = ["MOST_ELEMENTS", "random_inputs", "whole"]

MOST_ELEMENTS = 1 << 24
"""Most elements of an input that is made."""

MOST_NODES = 1000
"""Most nodes of a graph that the reference evaluator is given."""

NAMED = 2
"""What an extent without a number is."""


def whole(runner: Runner, old: Any, new: Any, read: Model, seed: int) -> Whole:
    """Whether both give the same bits on random inputs."""
    if external_files(old):
        return Whole(None, "not run, since its tensors lie in files.")
    simple = is_simple(old.graph)
    try:
        feeds = random_inputs(old.graph, seed)
        first, again = (runner.run(old, feeds, simple) for _ in range(2))
    except Exception as error:  # whatever two runtimes may raise
        why = str(error).splitlines()[0][:120] if str(error) else type(error).__name__
        return Whole(None, f"not run on random inputs ({why}).")
    if not all(map(same, first, again)):
        return Whole(None, "gives something else each time it runs.")
    try:
        second = runner.run(new, feeds, simple)
    except Exception as error:
        return Whole(False, f"runs no more: {str(error)[:120]}")
    names = [info.name for info in old.graph.output]
    for name, a, b in zip(names, first, second, strict=True):
        if not same(a, b):
            return Whole(False, f"output {name!r} differs.")
    count = f"{len(names)} output{'s' if len(names) != 1 else ''}"
    return Whole(True, f"{count} equal bit for bit on random inputs.")


def is_simple(graph: Any) -> bool:
    """True for a graph that runs in bounded time: few nodes, and none in a loop."""
    nodes = list(graph.node)
    return len(nodes) <= MOST_NODES and not any(
        node.op_type in ("Loop", "Scan") or not all(map(is_simple, graphs_in(node)))
        for node in nodes
    )


def random_inputs(graph: Any, seed: int) -> dict[str, Any]:
    """An array for each input that the model does not give itself.

    Raises
    ------
    ValueError
        An input is no tensor of a known type, or too large.
    """
    random = np.random.default_rng(seed)
    given = {tensor.name for tensor in graph.initializer}
    feeds = {}
    for info in graph.input:
        if info.name in given:
            continue
        known = of_type(info.name, info.type)
        if known.dtype is None or known.shape is None or known.kind != "tensor":
            raise ValueError(f"input {info.name} is no tensor of a known type")
        shape = tuple(
            n if isinstance(n, int) and n >= 0 else NAMED for n in known.shape
        )
        if np.prod(shape, dtype=float) > MOST_ELEMENTS:
            raise ValueError(f"input {info.name} has shape {shape}")
        feeds[info.name] = random_array(random, known.dtype, shape)
        if known.dtype in ("int32", "int64"):  # most are small: ids, lengths, rates
            feeds[info.name] = np.abs(feeds[info.name]) % 2
    return feeds
