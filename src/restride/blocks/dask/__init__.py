"""The operators over Dask arrays: chunks in, chunks out, nothing gathered.

>>> import dask.array as da, restride as rs
>>> x = da.arange(12, chunks=5).reshape(3, 4)
>>> rs.dask.pad(x, 1, "wrap")[:2].compute().tolist()
[[11, 8, 9, 10, 11, 8], [3, 0, 1, 2, 3, 0]]
"""
