"""Blocks: the same map over data that does not fit, a box of the result at a time."""

from restride.blocks.cost import Cost, cost
from restride.blocks.grid import Grid, grid
from restride.blocks.restrict import Block, Restriction, restrict

__all__ = ["Block", "Cost", "Grid", "Restriction", "cost", "grid", "restrict"]
