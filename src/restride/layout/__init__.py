"""The algebra: which source element, or which constant, each result element is."""

from restride.layout.axis import AxisMap, Piece
from restride.layout.chain import Chain
from restride.layout.index_map import Axis, IndexMap

__all__ = ["Axis", "AxisMap", "Chain", "IndexMap", "Piece"]
