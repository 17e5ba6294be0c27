"""One graph of a model while runs in it are replaced: who reads what, what is left."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from restride.models.known import Node
from restride.models.onnx.protos import copied, graphs_in
from restride.models.optimize.runs import Link, is_movement

__all__ = ["Editor", "names_read", "runs_to"]

LONGEST = 64
"""Most nodes of a run."""

IMPURE = (
    *("RandomNormal", "RandomUniform", "RandomNormalLike", "RandomUniformLike"),
    *("Multinomial", "Bernoulli", "Dropout", "If", "Loop", "Scan"),
)
"""Operators that stay even where nobody reads them: their results, or what they skip,
are not decided by their inputs."""


def names_read(graph: Any) -> Iterator[str]:
    """Every name that a graph, or one inside it, reads or gives."""
    for node in graph.node:
        yield from node.input
        for inner in graphs_in(node):
            yield from names_read(inner)
    yield from (info.name for info in graph.output)
    for note in graph.quantization_annotation:
        yield note.tensor_name


class Editor:
    """A graph whose nodes may go, and others come in their place.

    Parameters
    ----------
    graph : GraphProto
        Changed by :meth:`finish` only.
    nodes : sequence of Node
        What the walk knows of each of its nodes, in their order.
    """

    def __init__(self, graph: Any, nodes: Sequence[Node]) -> None:
        self.graph, self.nodes = graph, nodes
        self.reads = Counter(names_read(graph))
        """How often each name is read, as the graph now stands."""
        self.outputs = {info.name for info in graph.output}
        self.kept = {info.name for info in (*graph.input, *graph.output)}
        self.maker = {
            name: (k, j)
            for k, proto in enumerate(graph.node)
            for j, name in enumerate(proto.output)
            if name
        }
        self.gone: set[int] = set()
        self.come: dict[int, list[Any]] = {}
        """Nodes to stand where a node of the graph stood."""
        self.constants: list[Any] = []
        self.dead = 0
        """Nodes that went away since nobody reads them any more."""

    @property
    def changed(self) -> bool:
        """True where anything was replaced."""
        return bool(self.gone)

    def replace(self, gone: Sequence[Link], protos: Sequence[Any]) -> None:
        """The last of `gone` becomes `protos`, the rest go away."""
        places = {link.place for link in gone}
        self.gone |= places
        self.come[gone[-1].place] = list(protos)
        for proto in protos:
            self.reads.update(proto.input)
        for place in places:
            self._unread(self.graph.node[place])

    def rename(self, old: str, new: str) -> None:
        """Let all that read `old` read `new`, in the graphs inside too."""
        _rename(self.graph, old, new)
        for protos in self.come.values():
            for proto in protos:
                _renamed(proto.input, old, new)
        self.reads[new] += self.reads.pop(old, 0)

    def remake(self, old: str, new: str) -> bool:
        """Let the node that makes `old` make `new`; False where none here can."""
        place, k = self.maker.get(old, (-1, 0))
        if place < 0 or place in self.gone or old in self.kept:
            return False
        self.graph.node[place].output[k] = new
        self.maker[new] = self.maker.pop(old)
        self.rename(old, new)
        return True

    def _unread(self, proto: Any) -> None:
        """One node reads its inputs no more; what nobody reads now goes too."""
        for name in proto.input:
            self.reads[name] -= 1
            place = self.maker.get(name, (-1, 0))[0]
            if place >= 0 and place not in self.gone and self._is_dead(place):
                self.gone.add(place)
                self.dead += self.graph.node[place].op_type != "Constant"
                self._unread(self.graph.node[place])

    def _is_dead(self, place: int) -> bool:
        proto = self.graph.node[place]
        if proto.op_type in IMPURE or proto.domain not in ("", "ai.onnx"):
            return False
        if any(True for _ in graphs_in(proto)):
            return False
        return not any(self.reads[name] > 0 for name in proto.output if name)

    def finish(self) -> None:
        """Write the nodes that stay and those that come into the graph."""
        made = []
        for place, proto in enumerate(self.graph.node):
            made += self.come.get(place, [])
            if place not in self.gone:
                made.append(proto)
        lost = {n for k in self.gone for n in self.graph.node[k].output}
        copies = [copied(proto) for proto in made]
        lost -= {n for proto in copies for n in proto.output}
        before = {t.name for t in self.graph.initializer}
        del self.graph.node[:]
        self.graph.node.extend(copies)
        self.graph.initializer.extend(self.constants)
        unread = {name for name in before - self.kept if self._was_read(name)}
        _drop(self.graph.initializer, unread)
        _drop(self.graph.value_info, lost | unread)

    def _was_read(self, name: str) -> bool:
        """True for what only nodes that went away had read."""
        return name in self.reads and self.reads[name] <= 0


def _drop(listed: Any, names: set[str]) -> None:
    for k in reversed(range(len(listed))):
        if listed[k].name in names:
            del listed[k]


def _rename(graph: Any, old: str, new: str) -> None:
    for node in graph.node:
        _renamed(node.input, old, new)
        for inner in graphs_in(node):
            if old not in {info.name for info in inner.input}:
                _rename(inner, old, new)
                for info in inner.output:
                    info.name = new if info.name == old else info.name


def _renamed(names: Any, old: str, new: str) -> None:
    for k, name in enumerate(names):
        if name == old:
            names[k] = new


def runs_to(editor: Editor, place: int) -> Iterator[tuple[list[Link], list[Link]]]:
    """Runs that end at a node, the longest first, and of each the nodes that would go.

    A node goes if nobody but the run reads it.
    """
    links = _back(editor, place)
    for start in range(len(links)):
        run = links[start:]
        gone = run[-1:]
        for link in reversed(run[:-1]):
            if not _only_here(editor, link):
                break
            gone.insert(0, link)
        yield run, gone


def _back(editor: Editor, place: int) -> list[Link]:
    """The movement nodes before and at `place`, each reading the one before."""
    at, output = place, 0
    links: list[Link] = []
    while len(links) < LONGEST:
        node = editor.nodes[at]
        if at in editor.gone or not is_movement(node):
            break
        if not all(names[:1] and names[0] for names in _ends(editor, at)):
            break  # a broken node without input or output
        if not links and len([n for n in editor.graph.node[at].output if n]) > 1:
            output = _single(editor, at)
            if output < 0:
                break
        links.insert(0, Link(at, node, output))
        at, output = editor.maker.get(editor.graph.node[at].input[0], (-1, 0))
        if at < 0:
            break
    return links


def _ends(editor: Editor, place: int) -> tuple[list[str], list[str]]:
    """Names that a node reads and gives."""
    proto = editor.graph.node[place]
    return list(proto.input), list(proto.output)


def _single(editor: Editor, place: int) -> int:
    """The one output that is read of a node of several; -1: more are, or none."""
    names = list(editor.graph.node[place].output)
    read = [k for k, name in enumerate(names) if editor.reads[name] > 0]
    return read[0] if len(read) == 1 else -1


def _only_here(editor: Editor, link: Link) -> bool:
    """True where one reader is all that a node has."""
    names = list(editor.graph.node[link.place].output)
    if any(name in editor.outputs for name in names):
        return False
    return sum(editor.reads[name] for name in names if name) == 1
