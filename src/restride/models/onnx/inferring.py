"""Shapes by ONNX's own inference, run apart, so that no model can take us down.

The inference is the onnx package's, in C++.  It runs in a forked process with bounded
memory and time; where it fails, shapes that the model does not say stay unknown.
"""

from __future__ import annotations

import os
import select
import time
import warnings
from typing import Any

__all__ = ["inferred"]

MOST_SECONDS = 60.0
"""Longest inference waited for."""

MOST_MEMORY = 4 << 30
"""Most bytes it may take, beyond what the process has."""

WORTH = 1 << 30
"""Most bytes of an answer that are read."""


def inferred(proto: Any, seconds: float = MOST_SECONDS) -> tuple[Any, str]:
    """The model with shapes where they follow, and why not where they do not.

    Parameters
    ----------
    proto : onnx.ModelProto
        Its functions call each other in no circle.
    seconds : float
        Longest time to wait.

    Returns
    -------
    tuple
        The model with shapes, or `proto` itself; and what went wrong, or "".
    """
    try:
        given = proto.SerializeToString()
    except Exception:  # of 2 GB and more
        return proto, "it is too large for shape inference"
    answer, why = _apart(given, seconds)
    if not answer:
        return proto, why
    made = type(proto)()
    try:
        made.ParseFromString(answer)
    except Exception:
        return proto, "shape inference gave no model"
    return made, ""


def _infer(given: bytes) -> bytes:
    """What the forked process does."""
    from onnx import shape_inference

    made: bytes = shape_inference.infer_shapes(
        given, check_type=False, strict_mode=False, data_prop=True
    ).SerializeToString()
    return made


def _apart(given: bytes, seconds: float) -> tuple[bytes, str]:
    """The answer of a forked process, or b"" and why there is none."""
    import onnx.shape_inference  # before the fork, so that the child loads nothing

    assert onnx.shape_inference
    if not hasattr(os, "fork"):
        return _here(given)
    reading, writing = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of threads, which the child never uses
        child = os.fork()
    if not child:
        os.close(reading)
        _serve(given, writing)
    os.close(writing)
    try:
        answer, late = _received(reading, time.monotonic() + seconds)
    finally:
        os.close(reading)
    if late:
        os.kill(child, 9)
    _, status = os.waitpid(child, 0)
    if late:
        return b"", "shape inference took too long"
    if status or not answer:
        return b"", "shape inference failed"
    return answer, ""


def _here(given: bytes) -> tuple[bytes, str]:
    try:
        return _infer(given), ""
    except Exception:
        return b"", "shape inference failed"


def _serve(given: bytes, writing: int) -> None:
    """Infer, write the answer and end; never returns."""
    code = 1
    try:
        _bounded()
        answer = memoryview(_infer(given))
        while answer:
            answer = answer[os.write(writing, answer) :]
        code = 0
    finally:
        os._exit(code)


def _bounded() -> None:
    """Limit this process, and let it die quietly."""
    import faulthandler
    import resource

    faulthandler.disable()
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    with open("/proc/self/statm", encoding="ascii") as told:  # noqa: PTH123
        now = int(told.read().split()[0]) * resource.getpagesize()
    for kind, most in (
        (resource.RLIMIT_AS, now + MOST_MEMORY),
        (resource.RLIMIT_CPU, int(MOST_SECONDS)),
        (resource.RLIMIT_CORE, 0),
    ):
        hard = resource.getrlimit(kind)[1]
        least = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(kind, (least, hard))


def _received(reading: int, until: float) -> tuple[bytes, bool]:
    """All that is written, and whether it took too long or was too much."""
    parts: list[bytes] = []
    total = 0
    while True:
        ready, _, _ = select.select([reading], [], [], max(until - time.monotonic(), 0))
        if not ready or total > WORTH:
            return b"", True
        part = os.read(reading, 1 << 20)
        if not part:
            return b"".join(parts), False
        parts.append(part)
        total += len(part)
