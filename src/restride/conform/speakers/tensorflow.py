"""TensorFlow's cases: one call of a raw operator each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from restride.conform.answer import Answer
from restride.conform.case import OK, Case
from restride.conform.errors import NotRunError
from restride.conform.fields import flat
from restride.conform.tensorflow_form import REFUSED
from restride.conform.values import MOST_ELEMENTS
from restride.dialects import tensorflow
from restride.targets import Product, dtype_named

__all__ = ["speak"]

Array = np.ndarray[Any, Any]

FUNCTIONS = {
    "StridedSlice": "strided_slice",
    "StridedSliceGrad": "strided_slice_grad",
    "TensorStridedSliceUpdate": "tensor_strided_slice_update",
    "Pad": "pad",
    "PadV2": "pad_v2",
    "MirrorPad": "mirror_pad",
    "MirrorPadGrad": "mirror_pad_grad",
}

INPUTS = {
    "StridedSliceGrad": ("dy",),
    "TensorStridedSliceUpdate": ("input", "value"),
}
"""Names of tensors; all others have one, `input`."""


def speak(case: Case, inputs: Sequence[Array | None], _: Product | None) -> Answer:
    """The operator's result, or the kind of its refusal."""
    if any(x is None for x in inputs) or _pads_too_far(case):
        raise NotRunError("its tensors are too large to make here")
    given = dict(case.params)
    given |= dict(zip(INPUTS.get(case.op, ("input",)), inputs, strict=True))
    if case.op != "StridedSliceGrad":
        del given["shape"]
    call = getattr(tensorflow, FUNCTIONS[case.op])
    try:
        result = np.asarray(call(**given))
    except tensorflow.TensorFlowError as error:
        return Answer(REFUSED, error.kind, str(error))
    shapes = ((dtype_named(result.dtype).name, result.shape),)
    return Answer(OK, OK, outputs=(result,), shapes=shapes)


def _pads_too_far(case: Case) -> bool:
    """True where a width alone is more than is made here."""
    widths = flat(case.params.get("paddings"), "paddings")
    return any(type(w) is int and w > MOST_ELEMENTS for w in widths)
