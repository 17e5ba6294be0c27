"""NumPy's words: `pad`, `as_strided` and `sliding_window_view`, as drop-ins.

>>> from restride.dialects import numpy as rnp
>>> rnp.pad([1, 2, 3], (2, 1), "reflect").tolist()
[3, 2, 1, 2, 3, 2]
"""

from restride.dialects.numpy.errors import (
    NumpyError,
    NumpyIndexError,
    NumpyOverflowError,
    NumpyTypeError,
)
from restride.dialects.numpy.padding import pad
from restride.dialects.numpy.striding import as_strided, sliding_window_view

__all__ = [
    "NumpyError",
    "NumpyIndexError",
    "NumpyOverflowError",
    "NumpyTypeError",
    "as_strided",
    "pad",
    "sliding_window_view",
]
