"""Draw the pictures of docs/pictures.md: ``python docs/pictures/draw.py``.

A test draws them again and compares, so they show what the library does now.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

import restride as rs
from restride.explain import Writing
from restride.explain.picture import compose

HERE = Path(__file__).parent


def numbered(*shape: int) -> rs.View:
    """A view of an array of this shape; its elements are never looked at."""
    return rs.view(np.broadcast_to(np.int32(0), shape))


def set_value() -> str:
    """The example of SetValue's document."""
    spec = rs.SetValue(starts=(1, 2), ends=(4, 4), strides=(1, 1))
    writing = Writing(spec.region((5, 5)), (3, 2), np.dtype("int32"))
    return compose([writing], ["set_value(starts=(1, 2), ends=(4, 4))"]).svg()


PICTURES: dict[str, Callable[[], str]] = {
    # The example of AsStrided's document, with its offset.
    "as_strided": lambda: numbered(3, 3).as_strided((2, 2), (2, 3), 2).picture(),
    "strided_slice": lambda: numbered(5, 6)["::2, ::-1"].picture(),
    "pad": lambda: numbered(3, 4).pad(((1, 1), (2, 2)), "reflect").picture(),
    "constants": lambda: numbered(2, 3).pad(((0, 1), (1, 1)), "constant", 7).picture(),
    "set_value": set_value,
    "transpose": lambda: numbered(2, 3, 4).transpose(2, 0, 1).picture(),
    "windows": lambda: numbered(1000).windows(40, 16).picture(),
    "cut": lambda: numbered(8).pad(2, "reflect").windows(3).picture(),
}
"""By the name of the file, without its suffix."""


if __name__ == "__main__":
    for name, drawn in PICTURES.items():
        (HERE / f"{name}.svg").write_text(drawn(), encoding="utf-8")
