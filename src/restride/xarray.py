"""Registers the accessor ``.restride`` of xarray's Dataset and DataArray.

>>> import restride.xarray, xarray as xr
>>> x = xr.DataArray([1.0, 2.0, 3.0], dims="t", coords={"t": [10, 20, 30]})
>>> y = x.restride.pad(t=(1, 0), mode="wrap")
>>> y.values.tolist(), y.t.values.tolist()
([3.0, 1.0, 2.0, 3.0], [30, 10, 20, 30])
"""

from restride.blocks.labelled import DataArrayAccessor, DatasetAccessor, register

__all__ = ["DataArrayAccessor", "DatasetAccessor"]

register()
