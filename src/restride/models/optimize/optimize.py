"""Runs of movement nodes replaced by the fewest equivalent nodes, each proven equal.

>>> import onnx.parser
>>> told = optimize_model(onnx.parser.parse_model('''
...     <ir_version: 8, opset_import: ["" : 18]> g (float[3, 4] x) => (float[3, 4] y) {
...         a = Transpose <perm = [1, 0]> (x)
...         b = Relu (a)
...         c = Transpose <perm = [1, 0]> (b)
...         d = Transpose <perm = [1, 0]> (c)
...         y = Transpose <perm = [1, 0]> (d) }'''))
>>> told.nodes_saved, [node.op_type for node in told.model.graph.node]
(2, ['Transpose', 'Relu', 'Transpose'])
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import count
from typing import Any

from restride.arrays import as_dtype
from restride.checks import as_index
from restride.errors import RestrideError
from restride.export.onnx import LEAST_OPSET, Writer
from restride.export.types import KINDS
from restride.models.errors import ModelError, needed
from restride.models.known import Node
from restride.models.onnx.files import load, save
from restride.models.onnx.protos import copied, graphs_in
from restride.models.onnx.walk import Walk
from restride.models.optimize.graph import Editor, names_read, runs_to
from restride.models.optimize.proof import proven
from restride.models.optimize.report import Fused, Optimized
from restride.models.optimize.runs import Better, Link, better, is_movement
from restride.models.optimize.whole import whole
from restride.models.running.runtime import Runner

__all__ = ["optimize_model"]

MOST_PASSES = 4
"""How often a model is gone through again after something changed."""


def optimize_model(model: Any, output: Any = None, *, seed: int = 0) -> Optimized:
    """Replace chains of movement nodes by the fewest equivalent standard ONNX nodes.

    Each replacement has fewer nodes and moves no more bytes, or moves fewer bytes with
    no more nodes, and gives the same bits on random elements; everything else stays:
    names of inputs and outputs, metadata, functions, opsets, external data.

    Parameters
    ----------
    model : str, path, bytes or onnx.ModelProto
        The model; one given as a proto is not changed.
    output : path, optional
        Where to write the result; where nothing is saved, the model as it was.
    seed : int
        Of the random elements.

    Returns
    -------
    Optimized
        The model, and what was saved where.

    Raises
    ------
    ModelError
        The model cannot be read, or the result not be written.
    UnsupportedError
        The onnx package is not installed.
    """
    onnx = needed("onnx", "onnx", "optimizing a model")
    read, proto = load(model)
    work = _Work(onnx, read, as_index(seed, "seed"))
    made = copied(proto)
    for _ in range(MOST_PASSES):
        if not work.passed(made):
            break
    check = whole(work.runner, proto, made, read, seed) if work.done else None
    if check is not None and check.differs:
        work.refused += [f"the whole model: {check.text}"]
        made, work.done = proto, []
    result = Optimized(
        read.name, made, tuple(work.done), tuple(work.refused), work.by, check
    )
    if output is not None:
        save(made if result.fused else proto, read, output)
    return result


class _Work:
    """Passes over one model: what was done, and what could not be proven."""

    def __init__(self, onnx: Any, read: Any, seed: int) -> None:
        self.onnx, self.read, self.seed = onnx, read, seed
        self.runner = Runner()
        self.done: list[Fused] = []
        self.refused: list[str] = []
        self.by: tuple[str, ...] = ()

    def passed(self, proto: Any) -> bool:
        """One pass over all graphs of `proto`; True where one changed."""
        taken = set(_all_names(proto))
        names = (n for k in count(1) if (n := f"restride_{k}") not in taken)
        changed = False
        for graph, nodes in _graphs(self.read, proto):
            editor = Editor(graph, nodes)
            for place in reversed(range(len(nodes))):
                self._replaced(editor, place, names, proto.ir_version)
            if editor.changed:
                editor.finish()
                changed = True
        self.by = tuple(sorted(self.runner.by))
        return changed

    def _replaced(
        self, editor: Editor, place: int, names: Iterator[str], ir: int
    ) -> None:
        """Put better nodes in the place of the best run that ends at a node."""
        node = editor.nodes[place]
        kind, itemsize = _kind(node)
        if kind is None or place in editor.gone or not is_movement(node):
            return
        if node.opset < LEAST_OPSET:
            return
        found: list[tuple[int, int, Better, list[Link], list[Link]]] = []
        for run, gone in runs_to(editor, place):
            made = better(run, gone, kind, itemsize)
            if made is not None:
                found.append((made.nodes_saved, made.bytes_saved, made, run, gone))
                if len(gone) == len(run):
                    break  # shorter runs save less
        for _, _, made, run, gone in sorted(found, key=lambda f: f[:2], reverse=True):
            if self._try(editor, made, run, gone, names, kind, ir):
                return

    def _try(
        self,
        editor: Editor,
        made: Better,
        run: list[Link],
        gone: list[Link],
        names: Iterator[str],
        kind: str,
        ir: int,
    ) -> bool:
        """Prove the new nodes and put them in; False where they stay out."""
        first, last = run[0].node, run[-1].node
        source = editor.graph.node[run[0].place].input[0]
        result = editor.graph.node[run[-1].place].output[run[-1].output]
        text = kind == "STRING"
        if text and any(m for m in made.choice.nodes if m.op in ("Pad", "Concat")):
            return False
        data = first.input(0)
        dtype = as_dtype("U1" if text or data is None else data.dtype)
        writer = Writer(self.onnx, first.opset, kind, dtype, made.choice)
        where = last.where
        tried = writer.write(first.proto.input[0], last.proto.output[run[-1].output])
        if not proven(
            self.runner, run, tried.nodes, tried.constants, made.names, self.seed
        ):
            self.refused.append(f"{where}: the proof could not be run, or failed.")
            return False
        nothing = not made.choice.nodes
        if nothing and not self._joined(editor, source, result):
            if len(gone) < 2:
                return False  # an Identity stays where a name must
            nothing = False
        protos = writer.write(source, result, names)
        new = [] if nothing else _with_names(self.onnx, protos, ir, last.name)
        if ir >= 4 and not nothing:
            editor.constants += protos.constants
        dead = editor.dead
        editor.replace(gone, new)
        saved = len(gone) - sum(p.op_type != "Constant" for p in new)
        self.done.append(
            Fused(
                where,
                tuple(link.node.op for link in gone),
                tuple(p.op_type for p in new if p.op_type != "Constant"),
                saved + editor.dead - dead,
                made.bytes_saved,
            )
        )
        return True

    def _joined(self, editor: Editor, source: str, result: str) -> bool:
        """Let one name stand for both ends of a run that does nothing."""
        if result not in editor.kept:
            editor.rename(result, source)
            return True
        return editor.remake(source, result)


def _with_names(onnx: Any, protos: Any, ir: int, name: str) -> list[Any]:
    """The new nodes, named after the last old one; before IR 4 constants as nodes."""
    nodes = list(protos.nodes)
    for k, node in enumerate(nodes):
        if name:
            node.name = name if k == len(nodes) - 1 else f"{name}_{node.output[0]}"
    if ir >= 4:
        return nodes
    make = onnx.helper.make_node
    held = [make("Constant", [], [t.name], value=t) for t in protos.constants]
    return [*held, *nodes]


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


def _graphs(read: Any, proto: Any) -> list[tuple[Any, list[Node]]]:
    """Each graph of a model but those of functions, with what is known of its nodes."""
    now = replace(read, proto=proto)  # long data stays where it was
    known = [n for n in Walk(now) if not _in_function(n)]
    rest = iter(known)
    found: list[tuple[Any, list[Node]]] = []
    _pair(proto.graph, rest, found)
    if next(rest, None) is not None:
        raise ModelError(read.name, "its nodes were not walked in order.")
    return found


def _pair(
    graph: Any, rest: Iterator[Node], found: list[tuple[Any, list[Node]]]
) -> None:
    nodes: list[Node] = []
    found.append((graph, nodes))
    for proto in graph.node:
        nodes.append(next(rest))
        for inner in graphs_in(proto):
            _pair(inner, rest, found)


def _in_function(node: Node) -> bool:
    return any(place.endswith("(function)") for place in node.scope)


def _all_names(proto: Any) -> Sequence[str]:
    """Every name in a model."""
    found = list(names_read(proto.graph))
    stack = [proto.graph]
    while stack:
        graph = stack.pop()
        found += [info.name for info in (*graph.input, *graph.initializer)]
        for node in graph.node:
            found += [*node.output, node.name]
            stack += graphs_in(node)
    return found
