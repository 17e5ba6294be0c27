"""Blocks: the same map over data that does not fit, a box of the result at a time."""

from restride.blocks.restrict import Block, Restriction, restrict

__all__ = ["Block", "Restriction", "restrict"]
