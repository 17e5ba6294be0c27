"""How few nodes a chain takes, and what is refused."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from exported import by_onnxruntime, by_reference, checked, onnx, operators

import restride as rs

X = np.arange(120.0, dtype="f4").reshape(4, 5, 6)

FEW: list[tuple[str, Any, list[str]]] = [
    ("nothing", lambda v: v, ["Identity"]),
    ("there and back", lambda v: v[::-1].transpose().transpose()[::-1], ["Identity"]),
    ("a range and a flip", lambda v: v[1:3, ::-1], ["Slice"]),
    ("one index", lambda v: v[:, 2], ["Gather"]),
    ("an index and a range", lambda v: v[1, 2, 1:5], ["Slice", "Squeeze"]),
    ("an axis kept short", lambda v: v[:, 2:3], ["Slice"]),
    ("a new axis", lambda v: v[:, None], ["Unsqueeze"]),
    ("ones dropped", lambda v: v[:, 2:3].reshape(4, 6), ["Gather"]),
    ("a split", lambda v: v.reshape(2, 2, 5, 6), ["Reshape"]),
    ("reshapes", lambda v: v.reshape(20, 6).reshape(120).reshape(8, 15), ["Reshape"]),
    ("a turn", lambda v: v.transpose(2, 0, 1), ["Transpose"]),
    ("turns", lambda v: v.transpose(2, 0, 1).transpose(1, 0, 2), ["Transpose"]),
    ("a repeat in front", lambda v: v.broadcast_to((3, 4, 5, 6)), ["Expand"]),
    ("zeros", lambda v: v.pad(9), ["Pad"]),
    ("edges", lambda v: v.pad(9, "edge"), ["Pad"]),
    ("mirrors", lambda v: v.pad(3, "reflect"), ["Pad"]),
    ("two pads", lambda v: v.pad(4).pad(5), ["Pad"]),
    ("two constants", lambda v: v.pad(4).pad(5, "constant", 1), ["Pad", "Pad"]),
    ("crop and pad", lambda v: v[1:, :-1].pad(9), ["Slice", "Pad"]),
    ("pad, then less", lambda v: v.pad(9)[3:-3, 3:-3, 3:-3], ["Pad"]),
    ("windows", lambda v: v.windows(3, axis=1), ["Gather", "Transpose"]),
    ("symmetric", lambda v: v.pad([[0, 0], [9, 9], [0, 0]], "symmetric"), ["Gather"]),
    ("tiles", lambda v: v.pad([[8, 0], [5, 5], [6, 0]], "wrap"), ["Tile"]),
    ("constants only", lambda v: v[4:].pad([[7, 0], [0, 0], [0, 0]]), ["Expand"]),
    ("nothing left", lambda v: v[:0], ["Constant"]),
]


@pytest.mark.parametrize(
    ("steps", "expected"), [f[1:] for f in FEW], ids=[f[0] for f in FEW]
)
def test_few_nodes(steps: Any, expected: list[str]) -> None:
    v = steps(rs.view(X))
    model = checked(v.to_onnx())
    assert operators(model) == expected
    assert by_onnxruntime(model, X).tobytes() == v.copy().tobytes()
    assert by_reference(model, X).tobytes() == v.copy().tobytes()


def test_wrap_is_a_pad_where_the_opset_has_it() -> None:
    v = rs.view(X).pad([[1, 2], [1, 0], [0, 0]], "wrap")
    assert operators(v.to_onnx(opset=19)) == ["Pad"]
    assert operators(v.to_onnx(opset=18)) == ["Gather", "Gather"]
    assert by_onnxruntime(v.to_onnx(opset=19), X).tobytes() == v.copy().tobytes()


def test_long_tables_are_sums() -> None:
    x = np.arange(16000.0, dtype="f4")
    v = rs.view(x).windows(400, 160, axis=0)
    model = checked(v.to_onnx())
    assert operators(model) == ["Add", "Gather"]
    assert model.ByteSize() < 5000
    assert by_onnxruntime(model, x).tobytes() == v.copy().tobytes()


def test_long_mirrors_are_pieces_in_a_row() -> None:
    x = np.arange(20000, dtype="f4").reshape(10000, 2)
    v = rs.view(x).pad([[7, 5], [0, 0]], "symmetric").pad(1)
    model = checked(v.to_onnx())
    assert operators(model) == ["Slice", "Slice", "Slice", "Concat", "Pad"]
    assert model.ByteSize() < 1500
    for run in (by_onnxruntime, by_reference):
        assert run(model, x).tobytes() == v.copy().tobytes()


def test_the_model_is_small_whatever_the_data() -> None:
    x = np.broadcast_to(np.zeros(1, "f4"), (1 << 20, 1 << 20))
    v = rs.view(x)[::-1, 5:].transpose().pad(3, "edge").pad(1, "constant", 7)
    assert checked(v.to_onnx()).ByteSize() < 1000


def test_names_and_file(tmp_path: Path) -> None:
    path = tmp_path / "chain.onnx"
    made = rs.view(X)[::-1].to_onnx(path, opset=17, input_name="in", output_name="out")
    assert onnx.load(path) == made
    assert [made.graph.input[0].name, made.graph.output[0].name] == ["in", "out"]
    assert made.opset_import[0].version == 17
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("words", "match"),
    [
        ({"opset": 7}, "opset = 7"),
        ({"opset": 2**70}, "opset = "),
        ({"opset": 13.0}, "not an integer"),
        ({"input_name": ""}, "no name"),
        ({"output_name": 3}, "no name"),
        ({"input_name": "y"}, "both named"),
        ({"path": "/nowhere/at/all.onnx"}, "cannot write"),
        ({"path": 3}, "cannot write"),
    ],
)
def test_refused(words: dict[str, Any], match: str) -> None:
    with pytest.raises(rs.RestrideError, match=match):
        rs.view(X)[::-1].to_onnx(**words)


def test_without_onnx(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(rs.UnsupportedError, match=r"restride\[onnx\]"):
        rs.view(X)[::-1].to_onnx()


def test_a_constant_the_type_cannot_hold() -> None:
    with pytest.raises(rs.DTypeError):
        rs.view(X.astype("u1")).pad(40, "constant", 300).to_onnx()
