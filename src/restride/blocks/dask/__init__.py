"""The operators over Dask arrays: chunks in, chunks out, nothing gathered.

>>> import dask.array as da, restride as rs
>>> x = da.arange(12, chunks=5).reshape(3, 4)
>>> rs.dask.pad(x, 1, "wrap")[:2].compute().tolist()
[[11, 8, 9, 10, 11, 8], [3, 0, 1, 2, 3, 0]]
"""

from restride.blocks.dask.functions import (
    as_strided,
    pad,
    slice,
    strided_slice,
    windows,
)
from restride.blocks.dask.view import DaskView, view
from restride.blocks.dask.writing import assign, set_value

__all__ = [
    "DaskView",
    "as_strided",
    "assign",
    "pad",
    "set_value",
    "slice",
    "strided_slice",
    "view",
    "windows",
]
