"""What a newcomer finds with tab and help, and what is loaded for it."""

from __future__ import annotations

import inspect
import subprocess
import sys

import numpy as np
import pytest

import restride as rs
from restride import dialects

ROOMS = ("conform", "dialects", "targets", "translate")


def test_rooms_and_dialects_are_found_by_tab() -> None:
    assert set(ROOMS) <= set(dir(rs))
    assert dir(dialects) == sorted(dialects.__all__)
    for name in dialects.__all__:
        assert getattr(dialects, name).__name__ == f"restride.dialects.{name}"
    with pytest.raises(AttributeError, match="caffe"):
        getattr(dialects, "caffe")  # noqa: B009  (as a caller's typing error)


def test_a_room_is_loaded_when_it_is_asked_for() -> None:
    code = (
        "import sys, restride as rs; rs.dialects; rs.pad;"
        "early = [m for m in sys.modules if m.startswith('restride.dialects.')];"
        "rs.dialects.onnx.pad; rs.targets.product('A2');"
        "print(early, 'restride.dialects.onnx' in sys.modules, 'onnx' in sys.modules)"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert told.stdout.strip() == "[] True False", told


@pytest.mark.parametrize("name", dialects.__all__)
def test_each_dialect_exports_what_it_names(name: str) -> None:
    module = getattr(dialects, name)
    assert module.__all__
    for public in module.__all__:
        value = getattr(module, public)
        if inspect.isroutine(value) or inspect.isclass(value):
            assert inspect.getdoc(value), public


@pytest.mark.parametrize("function", [rs.pad, rs.slice, rs.set_value, rs.as_strided])
def test_help_tells_what_comes_back(function: object) -> None:
    assert inspect.signature(function).return_annotation == "ndarray"  # type: ignore[arg-type]


def test_none_is_no_array() -> None:
    for call in (
        lambda: rs.pad(None, 1),
        lambda: rs.set_value(np.zeros(2), None, [0], [1]),
    ):
        with pytest.raises(rs.DTypeError, match="is None; give an array"):
            call()


@pytest.mark.parametrize(
    ("mode", "meant"), [("circular", "wrap"), ("replicate", "edge"), ("Wrap", "wrap")]
)
def test_another_librarys_word_for_a_mode(mode: str, meant: str) -> None:
    with pytest.raises(rs.ShapeError, match=f"that is '{meant}'"):
        rs.pad(np.zeros(3), 1, mode)
