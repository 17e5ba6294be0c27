"""A chain as the fewest ONNX nodes: every way to write it is tried, the least kept.

>>> from restride.layout import Chain
>>> c = Chain.identity((4, 6)).select([(3, -1, 4), (1, 2, 2)]).transpose((1, 0))
>>> [node.op for node in written(c, Abilities())]
['Slice', 'Transpose']
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import NamedTuple

from restride.export.draft import Draft, joined
from restride.export.flat import flattened
from restride.export.lower import STYLES, lowered
from restride.export.nodes import Cost, Held, Node, cost, every_node
from restride.layout.chain import Chain
from restride.layout.index_map import IndexMap
from restride.plans.crop import crop_cuts

__all__ = ["Abilities", "ways", "written"]

MOST_TABLE = 1 << 24
"""Most elements of a result that may be gathered one by one."""


def _always(op: str) -> bool:
    return True


def _never(node: Node) -> bool:
    return False


class Abilities(NamedTuple):
    """What an opset says of the data's type, and what a runtime lacks of it."""

    allows: Callable[[str], bool] = _always
    """True where the operator takes the type at all."""
    lacks: Callable[[Node], bool] = _never
    """True where a runtime has no kernel for it: other operators come first."""
    has_wrap: bool = True
    """Pad knows the mode wrap, as from opset 19 on."""
    has_steps: bool = True
    """Slice takes steps, as from opset 10 on."""

    def cost(self, nodes: Sequence[Node]) -> Cost:
        """What is to be least of nodes."""
        return cost(nodes, self.lacks)


def written(chain: Chain, can: Abilities) -> list[Node] | None:
    """The fewest nodes for `chain`; none for what changes nothing.

    None where no operators of the data's type say it.
    """
    return min(ways(chain, can), key=can.cost, default=None)


def ways(chain: Chain, can: Abilities) -> list[list[Node]]:
    """Map after map, and all as one Gather: each where it can be."""
    if 0 in chain.shape:
        nothing = Held(chain.shape, ())
        node = Node("Constant", (), (("value", nothing),), chain.shape)
        return [[node]] if can.allows(node.op) else []
    tried = [_by_maps(chain, can), _by_table(chain, can)]
    return [way for way in tried if way is not None]


def _by_maps(chain: Chain, can: Abilities) -> list[Node] | None:
    """Map after map, each in its cheapest style."""
    nodes: list[Node] = []
    shape = chain.source_shape
    for m in crop_cuts(chain):
        styles = [
            s._replace(has_wrap=can.has_wrap, has_steps=can.has_steps) for s in STYLES
        ]
        tried = [lowered(m, shape, style) for style in styles]
        usable = [way for way in tried if _allowed(way, can)]
        if not usable:
            return None
        best = min(usable, key=can.cost)
        nodes += best
        shape = m.shape
    if shape != chain.shape:
        end = Draft(shape)
        end.reshape(chain.shape)
        nodes += end.nodes
    nodes = joined(nodes, chain.source_shape)
    return nodes if _allowed(nodes, can) else None


def _by_table(chain: Chain, can: Abilities) -> list[Node] | None:
    """The whole chain as one Gather, where that is small enough."""
    maps: Sequence[IndexMap] = crop_cuts(chain)
    if max([m.size for m in maps] + [prod(chain.source_shape)]) > MOST_TABLE:
        return None
    nodes = flattened(maps, chain.source_shape, chain.shape)
    return nodes if _allowed(nodes, can) else None


def _allowed(nodes: Sequence[Node], can: Abilities) -> bool:
    return all(
        can.allows(node.op) and (can.has_steps or not _steps(node))
        for node in every_node(nodes)
        if node.op != "Add"  # of positions, never of data
    )


def _steps(node: Node) -> bool:
    """True for a Slice with steps."""
    return node.op == "Slice" and len(node.inputs) > 4
