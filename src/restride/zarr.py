"""``restride.zarr``, also as ``rs.zarr``: Zarr arrays as sources and targets of blocks.

>>> import numpy as np, restride.zarr, tempfile
>>> path = tempfile.mkdtemp() + "/x.zarr"
>>> target = restride.zarr.target(path, chunks=(2, 2))
>>> restride.run_blocks([], np.ones((3, 3), "<f4"), target)
>>> restride.zarr.source(path).chunks
(2, 2)
"""

from restride.blocks.zarr.source import ZarrSource, source
from restride.blocks.zarr.target import ZarrTarget, target

__all__ = ["ZarrSource", "ZarrTarget", "source", "target"]
