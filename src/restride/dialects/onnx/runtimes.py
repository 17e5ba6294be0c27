"""Where a runtime leaves ONNX's text, or decides what the text leaves open.

ONNX Runtime 1.32, CPU: ``core/providers/cpu/tensor/pad.cc`` and
``slice_compute_metadata.h``, seen in its results as well.
"""

from __future__ import annotations

from typing import Any

from restride.dialects.onnx.forms import Form
from restride.lazy import View

__all__ = ["RUNTIMES", "padded_by_onnxruntime", "read_runtime"]

RUNTIMES = ("onnxruntime",)
"""Runtimes whose own rules can be asked for."""

Pairs = tuple[tuple[int, int], ...]


def read_runtime(runtime: Any, form: Form) -> str | None:
    """`runtime`, if it is None or one of :data:`RUNTIMES`."""
    if runtime is None or (isinstance(runtime, str) and runtime in RUNTIMES):
        return runtime
    raise form.error(
        "node", f"runtime = {runtime!r}; known is {', '.join(RUNTIMES)}, or None."
    )


def padded_by_onnxruntime(
    v: View, pairs: Pairs, mode: str, fill: Any, form: Form
) -> View:
    """Crop first, then extend what is left; which order makes no odds to a constant."""
    if not v.shape:
        raise form.error("shape", "data has no axes; ONNX Runtime pads none.")
    if mode == "constant":
        return v.pad(pairs, mode, fill)
    if 0 in v.shape:
        if mode == "wrap":
            raise form.error("pads", "ONNX Runtime wraps no tensor without elements.")
        return v.pad(pairs, mode)
    crops = tuple((min(b, 0), min(a, 0)) for b, a in pairs)
    for axis, (n, crop, pair) in enumerate(zip(v.shape, crops, pairs, strict=True)):
        _check_left(n + sum(crop), max(pair), mode, axis, form)
    widths = tuple((max(b, 0), max(a, 0)) for b, a in pairs)
    return v.pad(crops).pad(widths, mode)


def _check_left(left: int, widest: int, mode: str, axis: int, form: Form) -> None:
    """Refuse an axis that crops leave empty, or too short for its mirror."""
    if left < 1:
        raise form.error(
            "pads",
            f"the negative pads leave nothing of axis {axis}, and ONNX Runtime crops "
            f"before mode '{mode}' looks for a border.",
        )
    if mode == "reflect" and widest > 0 and widest > left - 1:
        raise form.error(
            "pads",
            f"axis {axis} has {left} elements once cropped; ONNX Runtime then "
            f"reflects at most {left - 1}, and {widest} are asked for.",
        )
