"""Pads, slices and windows of xarray's labelled arrays: dimensions, coordinates and
attributes stay."""

from restride.blocks.labelled.accessor import (
    DataArrayAccessor,
    DatasetAccessor,
    register,
)

__all__ = ["DataArrayAccessor", "DatasetAccessor", "register"]
