"""A run of movement nodes as one chain, and better nodes for it.

An extent that is only a name (a batch) stands as a large prime while the run is
composed.  Better nodes are taken only if such an axis passes through them untouched,
which two different primes show: all that may differ is the extent itself, in a Reshape.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import prod
from typing import Any, NamedTuple

from restride.checks import as_index
from restride.errors import RestrideError
from restride.export.choice import Choice, ranked
from restride.export.nodes import MOVES_NOTHING, Dense, Node, Table, every_node
from restride.layout.axis import AxisMap
from restride.layout.chain import Chain
from restride.models.known import Extent, Known, numbers_of
from restride.models.known import Node as ModelNode
from restride.models.movements.of_node import movement_of
from restride.translate.meaning import applied

__all__ = ["Better", "Link", "better", "is_movement", "traffic"]

PRIMES = (
    (2147483629, 2147483587, 2147483579, 2147483563),
    (2147483549, 2147483543, 2147483497, 2147483489),
)
"""Two stand-ins for each of a run's named extents: the largest primes that int32 holds,
so that no bound of a slice falls on one, and "to the end" is beyond it."""

FREE = (*MOVES_NOTHING, "Flatten")
"""Operators that move no bytes."""

MOST_ADDED = 4096
"""Bytes of positions that a replacement may add: one per element moved takes longer
than the Slices and Pads that do without, and the model's file grows by them."""

Shape = tuple[int, ...]
Names = dict[str, int]


class Link(NamedTuple):
    """One node of a run."""

    place: int
    """Its index in its graph."""
    node: ModelNode
    output: int
    """Which of its outputs goes on."""


class Better(NamedTuple):
    """Nodes that do what a run did."""

    choice: Choice
    nodes_saved: int
    bytes_saved: int
    """Bytes read and written less, every named extent being 1."""
    names: tuple[str, ...]
    """Named extents of the source."""


def is_movement(node: ModelNode) -> bool:
    """True for what a run may hold."""
    if node.op == "Identity" and not node.domain:
        return True
    return movement_of(node) is not None


def better(
    links: Sequence[Link], gone: Sequence[Link], kind: str, itemsize: int
) -> Better | None:
    """The best nodes for a run, if they are better than those of `gone`.

    Better is fewer nodes and no more bytes moved, or fewer bytes and no more nodes; and
    in either case few more bytes of positions.
    """
    opset = links[0].node.opset
    source = links[0].node.input(0)
    if source is None or source.shape is None or None in source.shape:
        return None
    names = tuple(dict.fromkeys(n for n in source.shape if isinstance(n, str)))
    if len(names) > len(PRIMES[0]):
        return None
    first, second = (dict(zip(names, p, strict=False)) for p in PRIMES)
    chain, shapes = composed(links, first)
    if chain is None or (names and not _passes(chain, first)):
        return None
    other = composed(links, second)[0] if names else None
    others = ranked(other, kind, opset) if other is not None else []
    spent = _spent(links, gone, shapes, first) * itemsize
    held = sum([_positions(link.node) for link in gone]) + MOST_ADDED
    for choice in ranked(chain, kind, opset):
        if names:
            found = _general(choice, chain.source_shape, others, (first, second))
            if found is None:
                continue
            choice = found
        saved = len(gone) - len(list(every_node(choice.nodes)))
        less = spent - traffic(choice.nodes, itemsize, first)
        if tables(choice.nodes) > held:
            continue
        if saved >= 0 and less >= 0 and saved + less > 0:
            return Better(choice, saved, less, names)
    return None


def composed(links: Sequence[Link], names: Names) -> tuple[Chain | None, list[Shape]]:
    """The run as one chain, and what each node writes; None where one is no step.

    A Split writes all its parts, so as much as it reads.
    """
    source = links[0].node.input(0)
    assert source is not None
    chain = Chain.identity(_filled(source.shape, names))
    shapes = []
    for link in links:
        try:
            after = _after(link, chain, names)
        except RestrideError:
            return None, []
        if after is None:
            return None, []
        shapes.append(chain.shape if link.node.op == "Split" else after.shape)
        chain = after
    return chain, shapes


def _filled(shape: Sequence[Extent] | None, names: Names) -> Shape:
    """A shape whose names have their numbers; RestrideError where one has none."""
    found = [names.get(n, n) if isinstance(n, str) else n for n in shape or ()]
    return tuple(as_index(n, "an extent") for n in found)


def _after(link: Link, chain: Chain, names: Names) -> Chain | None:
    """The chain with one node after it."""
    node = link.node
    if node.op == "Identity":
        return chain
    says = node.input(1) is not None or "axes" in node.attributes
    if node.op == "Squeeze" and names and not says:
        return None  # which axes go depends on the named extents
    data = node.input(0)
    assert data is not None
    seen = replace(data, shape=chain.shape, constant=None, numbers=None)
    result = replace(
        node.outputs[link.output] or Known(""), shape=_result(node, chain.shape, names)
    )
    outputs = [result if k == link.output else o for k, o in enumerate(node.outputs)]
    here = replace(node, inputs=(seen, *node.inputs[1:]), outputs=tuple(outputs))
    movement = movement_of(here)
    if movement is None or movement.outputs is None:
        return None
    if link.output >= len(movement.outputs):
        return None  # an output that the operator has not
    for step in movement.outputs[link.output]:
        made = applied(step, chain)
        if made is None:
            return None
        chain = made
    return chain


def _result(node: ModelNode, shape: Shape, names: Names) -> tuple[Extent, ...] | None:
    """The shape that a Reshape, Flatten or Expand gives to what stands."""
    if node.op == "Flatten":
        axis = int(node.attributes.get("axis", 1))
        at = axis + len(shape) if axis < 0 else axis
        return prod(shape[:at]), prod(shape[at:])
    wanted = _numbers(node)
    if wanted is None or node.op not in ("Reshape", "Expand"):
        out = node.output()
        if out is None or out.shape is None or None in out.shape:
            return None
        return _filled(out.shape, names)
    if node.op == "Expand":
        lead = len(wanted) - len(shape)
        long = (*[1] * lead, *shape)
        full = (*[1] * -lead, *wanted)
        return tuple(b if a == 1 else a for a, b in zip(long, full, strict=True))
    if not node.attributes.get("allowzero", 0):
        wanted = tuple(
            shape[k] if n == 0 and k < len(shape) else n for k, n in enumerate(wanted)
        )
    rest = prod(n for n in wanted if n != -1)
    return tuple((prod(shape) // rest if rest else 0) if n == -1 else n for n in wanted)


def _numbers(node: ModelNode) -> Shape | None:
    """A Reshape's or Expand's shape, where the model says all of it."""
    if "shape" in node.attributes:
        return tuple(node.attributes["shape"])
    given = node.input(1)
    found = None if given is None else numbers_of(given)
    if found is None or not found.is_whole:
        return None
    return tuple(int(n) for n in found.items if n is not None)


# ------------------------------------------------------------------- named extents


def _passes(chain: Chain, names: Names) -> bool:
    """True where each named axis of the source is one axis of the result, untouched."""
    m = chain.maps[0]
    if chain.cuts or m.shape != chain.shape or m.source_shape != chain.source_shape:
        return False
    for source, n in enumerate(chain.source_shape):
        if n in names.values():
            walkers = [axis for axis in m.axes if axis.source == source]
            if [w.map for w in walkers] != [AxisMap.identity(n)] or m.base[source]:
                return False
    return True


def _general(
    choice: Choice, source: Shape, others: Sequence[Choice], both: tuple[Names, Names]
) -> Choice | None:
    """The nodes for any named extents, where those for two of each are alike."""
    swap = {a: both[1][name] for name, a in both[0].items()}
    alike = [_swapped(node, swap) for node in choice.nodes]
    if alike not in [other.nodes for other in others]:
        return None
    nodes, shape = [], source
    for node in choice.nodes:
        made = _freed(node, shape, set(swap))
        if made is None:
            return None
        nodes.append(made)
        shape = node.shape
    return Choice(nodes, choice.detour)


def _swapped(value: Any, swap: dict[int, int]) -> Any:
    """The same plain data with other numbers for named extents."""
    if isinstance(value, Dense):
        return value  # never equal to another
    if isinstance(value, tuple):
        items = [_swapped(item, swap) for item in value]
        return type(value)(*items) if hasattr(value, "_fields") else tuple(items)
    return swap.get(value, value) if type(value) is int else value


def _freed(node: Node, before: Shape, named: set[int]) -> Node | None:
    """The node without any named extent among its numbers; None where one must be."""
    tables = [operand for operand in node.inputs if isinstance(operand, Table)]
    if not any(named & {n for run in t.runs for n in run} for t in tables):
        return node
    if node.op != "Reshape":
        return None
    wanted = list(node.shape)
    where = [k for k, n in enumerate(wanted) if n in named]
    for k in where:
        if k < len(before) and before[k] == wanted[k]:
            wanted[k] = 0  # the same axis goes on
    left = [k for k in where if wanted[k]]
    if len(left) > 1:
        return None
    for k in left:
        wanted[k] = -1
    return node._replace(inputs=(node.inputs[0], Table.of(wanted)))


# ---------------------------------------------------------------------------- bytes


def traffic(nodes: Sequence[Node], itemsize: int, names: Names) -> int:
    """Bytes that nodes write and read, with the tables of a Gather.

    A named extent counts as 1.
    """
    total = 0
    for node in every_node(nodes):
        if node.op not in FREE and node.op != "Add":
            total += 2 * _size(node.shape, names) * itemsize
    return total + tables(nodes)


def tables(nodes: Sequence[Node]) -> int:
    """Bytes of the positions that Gathers read."""
    gathers = [node for node in every_node(nodes) if node.op == "Gather"]
    read = [t for node in gathers for t in node.inputs]
    return sum([t.size_bytes for t in read if isinstance(t, (Table, Dense))])


def _positions(node: ModelNode) -> int:
    """Bytes of the positions that a model's node reads, as int64."""
    at = node.input(1) if node.op.startswith("Gather") else None
    return 8 * at.constant.count if at is not None and at.constant is not None else 0


def _size(shape: Shape, names: Names) -> int:
    named = set(names.values())
    return prod(1 if n in named else n for n in shape)


def _spent(
    links: Sequence[Link], gone: Sequence[Link], shapes: Sequence[Shape], names: Names
) -> int:
    """What the nodes that go away move."""
    wrote = {link.place: shape for link, shape in zip(links, shapes, strict=True)}
    return sum(
        2 * _size(wrote[link.place], names) for link in gone if link.node.op not in FREE
    )
