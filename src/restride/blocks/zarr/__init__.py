"""Zarr arrays as sources and targets of blocks.

>>> import numpy as np, restride as rs, tempfile
>>> folder = tempfile.mkdtemp()
>>> target = rs.zarr.target(f"{folder}/x.zarr", chunks=(2, 2), shards=(4, 4))
>>> rs.run_blocks(lambda v: v.pad(1), np.ones((5, 6), "<f4"), target)
>>> source = rs.zarr.source(f"{folder}/x.zarr")
>>> source.shape, source.chunks
((7, 8), (2, 2))
"""
