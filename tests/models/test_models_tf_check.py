"""The model check on TensorFlow Lite files and TensorFlow graphs."""

from __future__ import annotations

from pathlib import Path

import pytest

import restride as rs
from restride.models.errors import ModelError
from restride.models.limits.rules import limits_of

CASES = Path(__file__).parent.parent / "cases" / "models"


@pytest.mark.parametrize(
    "name", ["movements.tflite", "movements.pb", "movements.pbtxt"]
)
@pytest.mark.parametrize(
    "target", ["A2", "onnxruntime", "tensorrt", "tflite", "coreml"]
)
def test_every_movement_gets_an_answer(name: str, target: str) -> None:
    if name.endswith("tflite"):
        pytest.importorskip("tflite")
    told = rs.check_model(CASES / name, target)
    assert len(told.nodes) >= 20
    for found in told.nodes:
        assert found.answer.answer in ("fast", "slow path", "refused", "cannot tell")
        assert found.answer.rule


def test_the_converters_own_file_runs_fast() -> None:
    pytest.importorskip("tflite")
    told = rs.check_model(CASES / "movements.tflite", "tflite")
    assert {found.answer.answer for found in told.nodes} == {"fast"}


def test_the_nodes_of_a_branch_name_it() -> None:
    pytest.importorskip("tflite")
    told = rs.check_model(CASES / "branches.tflite", "tflite")
    scopes = {found.node.op: found.node.scope for found in told.nodes}
    assert set(scopes) == {"STRIDED_SLICE", "MIRROR_PAD"}
    assert all(scope and scope[0].startswith("cond") for scope in scopes.values())


def test_a_saved_models_functions_are_checked() -> None:
    told = rs.check_model(CASES / "saved_model.pb", "A2")
    answers = {found.node.op: found.answer.answer for found in told.nodes}
    assert answers == dict.fromkeys(("StridedSlice", "MirrorPad", "Pad"), "fast")


def test_text_is_told_apart() -> None:
    """A comment may stand first; other text is no graph."""
    text = (CASES / "movements.pbtxt").read_bytes()
    assert len(rs.check_model(b"# a graph\n" + text, "A2").nodes) >= 20
    with pytest.raises(ModelError, match="it is text and no model"):
        rs.check_model(b"nodes of a garden: { roses }", "A2")


def test_a_rule_of_onnx_is_none_of_tensorflow() -> None:
    """Pad, Slice and others are called the same in both, and are not the same."""
    assert limits_of("onnxruntime").knows("Pad")
    told = rs.check_model(CASES / "movements.pb", "onnxruntime")
    pads = [found.answer for found in told.nodes if found.node.op == "Pad"]
    assert [answer.answer for answer in pads] == ["cannot tell"]
