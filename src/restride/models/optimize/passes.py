"""Passes over a model: in each graph runs give way to better nodes, once proven."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Any, NamedTuple

from restride.arrays import as_dtype
from restride.errors import RestrideError
from restride.export.onnx import LEAST_IR, LEAST_OPSET, Writer
from restride.export.types import KINDS
from restride.models.files.reading import Model
from restride.models.known import Node
from restride.models.optimize.editor import Editor, runs_to
from restride.models.optimize.graphs import all_names, known_graphs
from restride.models.optimize.proof import proven
from restride.models.optimize.report import Fused
from restride.models.optimize.runs import Better, Link, better, is_movement
from restride.models.running.runtime import Runner

__all__ = ["Passes"]


class Found(NamedTuple):
    """A run that better nodes were found for."""

    better: Better
    run: list[Link]
    gone: list[Link]
    """Those of the run that nobody else reads: they go."""


class Passes:
    """Passes over one model: what was done, and what could not be proven.

    Parameters
    ----------
    onnx : module
    read : Model
        The model as it was read, with the places of its long tensors.
    seed : int
        Of the random elements that proofs run on.
    """

    def __init__(self, onnx: Any, read: Model, seed: int) -> None:
        self.onnx, self.read, self.seed = onnx, read, seed
        self.runner = Runner()
        self.done: list[Fused] = []
        self.refused: list[str] = []
        self.by: tuple[str, ...] = ()
        """Who ran the proofs."""
        self.names: Iterator[str] = iter(())
        """New names, none of which is in the model."""
        self.ir = 0
        """The model's version of the format."""

    def passed(self, proto: Any) -> bool:
        """One pass over all graphs of `proto`; True where one changed."""
        taken = set(all_names(proto))
        self.names = (n for k in count(1) if (n := f"restride_{k}") not in taken)
        self.ir = proto.ir_version
        changed = False
        for graph, nodes in known_graphs(self.read, proto):
            editor = Editor(graph, nodes)
            for place in reversed(range(len(nodes))):
                self._replaced(editor, place)
            if editor.changed:
                editor.finish()
                changed = True
        self.by = tuple(sorted(self.runner.by))
        return changed

    def _replaced(self, editor: Editor, place: int) -> None:
        """Put better nodes in the place of the best run that ends at a node."""
        node = editor.nodes[place]
        kind, itemsize = _kind(node)
        if kind is None or place in editor.gone or not is_movement(node):
            return
        if node.opset < LEAST_OPSET:
            return
        for found in _best_first(editor, place, kind, itemsize):
            writer = self._writer(found, kind)
            if writer is None or not self._is_proven(found, writer):
                continue
            if self._put(editor, found, writer):
                return

    def _writer(self, found: Found, kind: str) -> Writer | None:
        """What writes the new nodes; None for text among constants, which has none."""
        choice, first = found.better.choice, found.run[0].node
        is_text = kind == "STRING"
        if is_text and any(node.op in ("Pad", "Concat") for node in choice.nodes):
            return None
        data = first.input(0)
        dtype = as_dtype("U1" if is_text or data is None else data.dtype)
        return Writer(self.onnx, first.opset, kind, dtype, choice)

    def _is_proven(self, found: Found, writer: Writer) -> bool:
        first, last = found.run[0].node, found.run[-1]
        new = writer.write(first.proto.input[0], last.node.proto.output[last.output])
        names = found.better.names
        if proven(self.runner, found.run, new.nodes, new.constants, names, self.seed):
            return True
        where = last.node.where
        self.refused.append(f"{where}: the proof could not be run, or failed.")
        return False

    def _put(self, editor: Editor, found: Found, writer: Writer) -> bool:
        """Put the new nodes in; False where they would save nothing."""
        first, last = found.run[0], found.run[-1]
        source = editor.graph.node[first.place].input[0]
        result = editor.graph.node[last.place].output[last.output]
        nothing = not found.better.choice.nodes
        joined = nothing and _joined(editor, source, result)
        if nothing and not joined and len(found.gone) < 2:
            return False  # an Identity stays where a name must
        new = [] if joined else self._nodes(editor, writer, source, result, last)
        dead = editor.dead
        editor.replace(found.gone, new)
        before = tuple(link.node.op for link in found.gone)
        after = tuple(proto.op_type for proto in new if proto.op_type != "Constant")
        saved = len(before) - len(after) + editor.dead - dead
        self.done.append(
            Fused(last.node.where, before, after, saved, found.better.bytes_saved)
        )
        return True

    def _nodes(
        self, editor: Editor, writer: Writer, source: str, result: str, last: Link
    ) -> list[Any]:
        """The new nodes; their constants go to the graph, or stand before them."""
        protos = writer.write(source, result, self.names)
        _name(protos.nodes, last.node.name)
        if self.ir >= LEAST_IR:
            editor.constants += protos.constants
            return list(protos.nodes)
        make = self.onnx.helper.make_node
        held = [make("Constant", [], [t.name], value=t) for t in protos.constants]
        return [*held, *protos.nodes]


def _best_first(editor: Editor, place: int, kind: str, itemsize: int) -> list[Found]:
    """The runs that end at a node and have better nodes, by what these save."""
    found = []
    for run, gone in runs_to(editor, place):
        made = better(run, gone, kind, itemsize)
        if made is not None:
            found.append(Found(made, run, gone))
            if len(gone) == len(run):
                break  # shorter runs save less
    found.sort(key=lambda f: (f.better.nodes_saved, f.better.bytes_saved), reverse=True)
    return found


def _joined(editor: Editor, source: str, result: str) -> bool:
    """Let one name stand for both ends of a run that does nothing."""
    if result not in editor.kept:
        editor.rename(result, source)
        return True
    return editor.remake(source, result)


def _name(nodes: list[Any], name: str) -> None:
    """Name new nodes after the last old one, where that has a name."""
    for k, node in enumerate(nodes):
        if name:
            node.name = name if k == len(nodes) - 1 else f"{name}_{node.output[0]}"


def _kind(node: Node) -> tuple[str | None, int]:
    """ONNX's name of the type that a node moves, and its bytes."""
    data = node.input(0)
    if data is None or data.dtype is None:
        return None, 0
    if data.dtype == "string":
        return "STRING", 8
    try:
        return KINDS.get(data.dtype), as_dtype(data.dtype).itemsize
    except RestrideError:
        return None, 0
