"""TensorFlow's calls for the cases."""

from __future__ import annotations

import os
from typing import Any

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import numpy as np
import tensorflow as tf

from restride.bench.case import Case
from restride.bench.contender import Call, Contender, chained
from restride.bench.steps import Frames, Index, Pad, Step, Strided, Transpose

Array = np.ndarray[Any, Any]

MODES = {"constant": "CONSTANT", "reflect": "REFLECT", "symmetric": "SYMMETRIC"}


class TensorFlow(Contender):
    """Eager TensorFlow on the processor; it holds a copy of the source."""

    name = "tensorflow"
    copies = True
    refusals = (
        NotImplementedError,
        TypeError,
        ValueError,
        tf.errors.OpError,
    )

    def hold(self, x: Array) -> Any:
        with tf.device("/CPU:0"):
            held = tf.constant(x)
        if held.dtype.as_numpy_dtype != x.dtype:
            raise TypeError(f"{x.dtype} is not kept")
        return held

    def fresh(self, case: Case, x: Any) -> Call | None:
        if case.write is not None:
            return None  # tensors are not written in place
        steps = [_step(s) for s in case.steps]
        if any(s is None for s in steps):
            return None
        one = steps[0]
        return (lambda: one(x)) if len(steps) == 1 else lambda: chained(steps, x)

    def as_numpy(self, made: Any) -> Array:
        return made.numpy()


def _step(step: Step) -> Any:
    match step:
        case Index(slices):
            return _strided_slice(slices)
        case Transpose(axes):
            return lambda t: tf.transpose(t, axes)
        case Frames(length, every):
            return lambda t: tf.signal.frame(t, length, every)
        case Strided():
            return None if step.same is None else _step(step.same)
        case Pad(widths, mode):
            word = MODES.get(mode)
            return None if word is None else lambda t: tf.pad(t, widths, word)
    return None


def _strided_slice(slices: tuple[slice, ...]) -> Any:
    """The operator itself: Python's indexing would add its own cost."""
    begin = [s.start or 0 for s in slices]
    end = [s.stop or 0 for s in slices]
    steps = [s.step or 1 for s in slices]
    begin_mask = sum(1 << k for k, s in enumerate(slices) if s.start is None)
    end_mask = sum(1 << k for k, s in enumerate(slices) if s.stop is None)
    return lambda t: tf.raw_ops.StridedSlice(
        input=t,
        begin=begin,
        end=end,
        strides=steps,
        begin_mask=begin_mask,
        end_mask=end_mask,
        ellipsis_mask=0,
        new_axis_mask=0,
        shrink_axis_mask=0,
    )
