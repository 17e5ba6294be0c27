"""Slice and Pad against ONNX Runtime: every bit, and what either side refuses."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import sets
from onnx_nodes import INT_MAX, Drawn, draw_pad, draw_slice

from restride.dialects import onnx

ort = sets.framework("onnxruntime")
ort.set_default_logger_severity(4)
STATE = ort.capi.onnxruntime_pybind11_state
REFUSALS = (
    STATE.Fail,
    STATE.InvalidArgument,
    STATE.InvalidGraph,
    STATE.RuntimeException,
)

Array = np.ndarray[Any, Any]


def theirs(drawn: Drawn) -> Array | str | None:
    """The result, why it is refused, or None where there is no kernel."""
    try:
        session = ort.InferenceSession(
            drawn.model().SerializeToString(), providers=["CPUExecutionProvider"]
        )
        found: Array = session.run(None, drawn.inputs)[0]
        return found
    except STATE.NotImplemented:
        return None
    except REFUSALS as error:
        return str(error)


def ours(drawn: Drawn, runtime: str | None) -> Array | str:
    try:
        return onnx.run_node(
            drawn.node, drawn.inputs, opset=drawn.opset, runtime=runtime
        )
    except onnx.OnnxError as error:
        return str(error)


def any_nan(halves: Array) -> Array:
    """NaNs made one: its Pad has no kernel for float16, goes through float32, and
    which NaN comes back depends on the place."""
    return np.where(np.isnan(halves), np.float16("nan"), halves)


def opinions(drawn: Drawn, runtime: str | None) -> str | None:
    """None where both give the same bits, both refuse, or there is no kernel."""
    found = theirs(drawn)
    if found is None:
        return None
    own = ours(drawn, runtime)
    if isinstance(own, str) and isinstance(found, str):
        return None
    if isinstance(own, str) or isinstance(found, str):
        return f"{drawn}: ours {own!r}, theirs {found!r}"
    if own.dtype.kind == "O":
        same = own.shape == found.shape and own.tolist() == found.tolist()
        return None if same else f"{drawn}: ours {own}, theirs {found}"
    if drawn.node.op_type == "Pad" and own.dtype == np.float16:
        own, found = any_nan(own), any_nan(found)
    said = sets.different(own, found)
    return said and f"{drawn}: {said}"


# ------------------------------------------------- by its own rules: no exclusion but


def takes_what_is_undefined(drawn: Drawn) -> bool:
    """Pad lets a repeated axis pass, which ONNX leaves undefined and we refuse."""
    return drawn.node.op_type == "Pad" and drawn.repeats_an_axis


def test_slice_by_its_rules() -> None:
    def one(rng: random.Random) -> str | None:
        return opinions(draw_slice(rng), "onnxruntime")

    sets.compare("onnxruntime", "slice by its rules", one)


def test_pad_by_its_rules() -> None:
    def one(rng: random.Random) -> str | None:
        drawn = draw_pad(rng)
        if takes_what_is_undefined(drawn):
            return None
        return opinions(drawn, "onnxruntime")

    sets.compare("onnxruntime", "pad by its rules", one)


# ------------------------------------------------------ by the text: known partings


def slices_apart(drawn: Drawn) -> bool:
    """A scalar, which it refuses; INT_MAX as a backward end, which it takes as none."""
    _, ends, steps = drawn.given
    backward = [
        e for e, s in zip(ends, steps or [1] * len(ends), strict=False) if s < 0
    ]
    return not drawn.shape or any(end in INT_MAX for end in backward)


def pads_apart(drawn: Drawn) -> bool:
    """It crops first, bounds reflect, and refuses scalars and wraps of nothing."""
    mode, begins, ends = drawn.given
    if not drawn.shape or takes_what_is_undefined(drawn):
        return True
    if mode == "constant":
        return False
    named = range(len(begins)) if drawn.axes is None else drawn.axes
    rank = len(drawn.shape)
    extents = [drawn.shape[a] if -rank <= a < rank else 0 for a in named]
    wide = any(
        max(p) >= n
        for p, n in zip(zip(begins, ends, strict=True), extents, strict=True)
    )
    return (
        min(begins + ends, default=0) < 0
        or (mode == "reflect" and wide)
        or (mode == "wrap" and 0 in drawn.shape)
    )


def test_slice_by_the_text() -> None:
    def one(rng: random.Random) -> str | None:
        drawn = draw_slice(rng)
        return None if slices_apart(drawn) else opinions(drawn, None)

    sets.compare("onnxruntime", "slice by the text", one)


def test_pad_by_the_text() -> None:
    def one(rng: random.Random) -> str | None:
        drawn = draw_pad(rng)
        return None if pads_apart(drawn) else opinions(drawn, None)

    sets.compare("onnxruntime", "pad by the text", one)


# ------------------------------------------------------------------ what the sets hold


def test_most_sets_are_compared() -> None:
    """The rules and the missing kernels leave enough: results, and refusals too."""
    for draw, apart in ((draw_slice, slices_apart), (draw_pad, pads_apart)):
        drawn = [draw(sets.generator("onnxruntime", "kinds", k)) for k in range(200)]
        found = [theirs(d) for d in drawn]
        assert sum(isinstance(f, np.ndarray) for f in found) > 80
        assert sum(isinstance(f, str) for f in found) > 10
        assert sum(not apart(d) for d in drawn) > 80
