"""Both models run whole on random inputs, where they can be."""

from __future__ import annotations

from typing import Any

from restride.models.files.reading import Model
from restride.models.onnx.files import external_files
from restride.models.onnx.protos import graphs_in
from restride.models.optimize.report import Whole
from restride.models.running.arrays import first_run, same
from restride.models.running.runtime import Runner
from restride.models.texts import first_line

__all__ = ["whole"]

MOST_NODES = 1000
"""Most nodes of a graph that the reference evaluator is given."""


def whole(runner: Runner, old: Any, new: Any, read: Model, seed: int) -> Whole:
    """Whether both give the same bits on random inputs."""
    if external_files(old):
        return Whole(None, "not run, since its tensors lie in files.")
    simple = is_simple(old.graph)
    try:
        feeds, first = first_run(
            lambda made: runner.run(old, made, simple), old.graph, seed
        )
        again = runner.run(old, feeds, simple)
    except Exception as error:  # whatever two runtimes may raise
        return Whole(None, f"not run on random inputs ({first_line(error)}).")
    if not all(map(same, first, again)):
        return Whole(None, "gives something else each time it runs.")
    try:
        second = runner.run(new, feeds, simple)
    except Exception as error:
        return Whole(False, f"runs no more: {first_line(error)}")
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
