"""PyTorch's words: views, pads and scatters of tensors and arrays, with its checks.

>>> import numpy as np
>>> from restride.dialects import pytorch as rt
>>> rt.pad(np.array([[1, 2, 3]]), (2, 1), "reflect").tolist()
[[3, 2, 1, 2, 3, 2]]
"""

from restride.dialects.pytorch.errors import (
    TorchError,
    TorchIndexError,
    TorchNotImplementedError,
    TorchOverflowError,
    TorchTypeError,
)
from restride.dialects.pytorch.padding import pad
from restride.dialects.pytorch.scatters import (
    as_strided_scatter,
    select_scatter,
    slice_scatter,
)
from restride.dialects.pytorch.views import as_strided, flip, narrow

__all__ = [
    "TorchError",
    "TorchIndexError",
    "TorchNotImplementedError",
    "TorchOverflowError",
    "TorchTypeError",
    "as_strided",
    "as_strided_scatter",
    "flip",
    "narrow",
    "pad",
    "select_scatter",
    "slice_scatter",
]
