"""``restride.dask``, also as ``rs.dask``: the operators over Dask arrays.

>>> import dask.array as da, restride.dask
>>> restride.dask.pad(da.arange(4, chunks=2), 1, "wrap").compute().tolist()
[3, 0, 1, 2, 3, 0]
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
