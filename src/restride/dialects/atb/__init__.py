"""Ascend ATB: AsStridedOperation and SetValueOperation, with its stages and codes.

>>> import numpy as np
>>> dst = np.zeros((2, 3), np.float16)
>>> op = Operation(SetValueParam(starts=[0, 1], ends=[2, 3], strides=[1, 1]))
>>> op.forward([dst, np.ones((2, 2), np.float16)]), dst.tolist()
([], [[0.0, 1.0, 1.0], [0.0, 1.0, 1.0]])
"""

from restride.dialects.atb.context import Context
from restride.dialects.atb.errors import AtbError, AtbWarning, ErrorType
from restride.dialects.atb.forward import Operation, create_operation
from restride.dialects.atb.params import AsStridedParam, SetValueParam
from restride.dialects.atb.stages import Outcome, run_to
from restride.dialects.atb.tensors import Tensor, TensorDesc, VariantPack

__all__ = [
    "AsStridedParam",
    "AtbError",
    "AtbWarning",
    "Context",
    "ErrorType",
    "Operation",
    "Outcome",
    "SetValueParam",
    "Tensor",
    "TensorDesc",
    "VariantPack",
    "create_operation",
    "run_to",
]
