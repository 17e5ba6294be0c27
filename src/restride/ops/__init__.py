"""The operators: parameters, checks, result shape, and the map they are."""

from restride.ops.as_strided import AsStrided
from restride.ops.pad import Pad
from restride.ops.set_value import SetValue
from restride.ops.strided_slice import StridedSlice

__all__ = ["AsStrided", "Pad", "SetValue", "StridedSlice"]
