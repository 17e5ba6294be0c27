"""TensorFlow's slices and pads: the names, checks and answers of ``tf.raw_ops``.

>>> from restride.dialects import tensorflow as tf
>>> tf.strided_slice([1, 2, 3, 4], [1], [0], [1], end_mask=1).tolist()
[2, 3, 4]
"""

from restride.dialects.tensorflow.errors import KINDS, TensorFlowError
from restride.dialects.tensorflow.mirror_grad import mirror_pad_grad
from restride.dialects.tensorflow.pads import mirror_pad, pad, pad_v2
from restride.dialects.tensorflow.slices import (
    strided_slice,
    strided_slice_grad,
    tensor_strided_slice_update,
)

__all__ = [
    "KINDS",
    "TensorFlowError",
    "mirror_pad",
    "mirror_pad_grad",
    "pad",
    "pad_v2",
    "strided_slice",
    "strided_slice_grad",
    "tensor_strided_slice_update",
]
