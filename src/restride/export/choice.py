"""The type in which elements move: their own, or one that more operators take."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from math import prod
from typing import NamedTuple

from restride.export.chain import Abilities, ways, written
from restride.export.nodes import FLOW, Node, cost
from restride.export.types import DETOURS, LACKS, Detour, allowed
from restride.layout.chain import Chain

__all__ = ["Choice", "chosen", "ranked"]

WRAP = 19
"""Pad-19 brought the mode wrap."""

STEPS = 10
"""Slice-10 brought steps."""


class Choice(NamedTuple):
    """Nodes, and the detour that they take."""

    nodes: list[Node]
    detour: Detour | None


def chosen(chain: Chain, kind: str, opset: int) -> Choice | None:
    """The fewest nodes for `chain` over elements of `kind`, or None.

    Operators that ONNX Runtime lacks for the type come last.

    Examples
    --------
    >>> c = Chain.identity((9000,)).pad([(1, 0)], "constant", [(7, 7)])
    >>> [node.op for node in chosen(c, "INT16", 13).nodes]
    ['Cast', 'Pad', 'Cast']
    """
    return next(iter(ranked(chain, kind, opset)), None)


def ranked(chain: Chain, kind: str, opset: int) -> list[Choice]:
    """Several ways to write `chain`, the fewest nodes first."""
    found = sorted(_ways(chain, kind, opset), key=lambda way: way[0])
    return [choice for _, choice in found]


def _ways(
    chain: Chain, kind: str, opset: int
) -> Iterator[tuple[tuple[int, ...], Choice]]:
    for k, nodes in enumerate(ways(chain, _abilities(kind, opset))):
        yield (*cost(nodes, partial(_lacks, kind)), k), Choice(nodes, None)
    detour = DETOURS.get(kind)
    if detour is None or not allowed(detour.op, kind, opset):
        return
    moved = written(chain, _abilities(detour.kind, opset))
    if moved:
        there = Node(detour.op, (FLOW,), (("to", detour.kind),), chain.source_shape)
        back = Node(detour.op, (FLOW,), (("to", kind),), chain.shape)
        missing, count, *spent = cost(moved, partial(_lacks, detour.kind))
        missing += 2 * (kind in LACKS[detour.op])
        yield (missing, count + 2, *spent, 9), Choice([there, *moved, back], detour)


def _abilities(kind: str, opset: int) -> Abilities:
    return Abilities(
        allows=lambda op: allowed(op, kind, opset),
        lacks=partial(_lacks, kind),
        has_wrap=opset >= WRAP,
        has_steps=opset >= STEPS,
    )


def _lacks(kind: str, node: Node) -> bool:
    """True where ONNX Runtime has no kernel for it, or one that is wrong."""
    return kind in LACKS.get(node.op, ()) or (kind == "STRING" and _garbles(node))


def _garbles(node: Node) -> bool:
    """True of a Gather of slices: ONNX Runtime copies one string of each (1.32.0)."""
    if node.op != "Gather":
        return False
    axis, table = dict(node.attributes)["axis"], node.inputs[1]
    return table is None or prod(node.shape[axis + len(table.shape) :]) > 1
