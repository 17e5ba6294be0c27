"""Where dialects part ways, told by index and element, or by the refusal."""

from __future__ import annotations

from typing import Any

import pytest
from drawn import indices, pads
from hypothesis import given

from restride import Pad, RestrideError, SetValue
from restride.translate import Agreement, Call, SpecError, agree

PAIR = {"paddings": [[0, 0], [-1, 2]]}


def refusals(told: Agreement) -> dict[str, str]:
    return {a.dialect: a.refused for a in told.answers if a.refused is not None}


def test_all_agree() -> None:
    told = agree(
        "x[0:100, 1]",
        ("numpy", "restride", "pytorch", "tensorflow", "onnx", "cann", "aclnn"),
        (2, 3),
    )
    assert told.same
    assert told.first is None
    assert {a.shape for a in told.answers} == {(2,)}
    assert told.text().endswith("all give the same elements")


def test_a_mirror_wider_than_its_axis() -> None:
    pad = Call("numpy", "pad", {"pad_width": [[0, 0], [3, 0]], "mode": "reflect"})
    told = agree(pad, ("numpy", "onnx", "onnxruntime", "pytorch", "cann"), (2, 3))
    assert list(refusals(told)) == ["onnxruntime", "pytorch", "cann"]
    assert "mode reflect allows at most 2" in refusals(told)["cann"]
    assert told.first is not None
    assert told.first.index is None
    assert told.first.said["numpy"] == "gives shape (2, 6)"
    assert told.first.said["pytorch"].startswith("refuses: pad(): Padding size")


def test_cropping_first_or_last() -> None:
    told = agree(
        Call("restride", "pad", PAIR | {"mode": "wrap"}),
        ("restride", "cann", "pytorch", "onnx", "onnxruntime", "numpy"),
        (2, 3),
    )
    assert told.first is not None
    assert told.first.index == (0, 2)
    assert told.first.said["restride"] == told.first.said["cann"] == "x[0, 0]"
    assert told.first.said["onnx"] == "x[0, 0]"
    assert told.first.said["pytorch"] == told.first.said["onnxruntime"] == "x[0, 1]"
    assert told.first.said["numpy"].startswith("refuses: ")


def test_a_mode_that_not_all_have() -> None:
    told = agree(Pad(((2, 2),), "SYMMETRIC"), ("cann", "pytorch", "onnx"), (3,))
    assert "no mode 'symmetric'" in refusals(told)["pytorch"]
    assert "no mode 'symmetric' at opset 25" in refusals(told)["onnx"]
    wrap = Call("numpy", "pad", {"pad_width": [[1, 1]], "mode": "wrap"})
    assert agree(wrap, ("numpy", "onnx"), (3,), opset=19).same
    assert "at opset 18" in refusals(agree(wrap, ("onnx",), (3,), opset=18))["onnx"]


def test_constants_are_told_apart_by_value() -> None:
    words = {"pad_width": [[0, 0], [1, 0]], "constant_values": 1.5}
    told = agree(Call("numpy", "pad", words), ("numpy", "pytorch", "aclnn"), (1, 2))
    assert told.same
    pad = Call("onnx", "Pad", {"pads": [-1, 2], "mode": "constant"})
    assert agree(pad, ("onnx", "onnxruntime", "pytorch", "restride"), (3,)).same
    several = Call("numpy", "pad", {"pad_width": [[1, 1]], "constant_values": [2, 3]})
    told = agree(several, ("numpy", "restride", "cann"), (1,))
    assert list(refusals(told)) == ["cann"]


def test_a_backward_slice_from_before_the_axis() -> None:
    told = agree("x[-9::-1]", ("numpy", "onnx"), (3,))
    assert told.first is not None
    assert told.first.said == {
        "numpy": "gives shape (0,)",
        "onnx": "gives shape (1,)",
    }
    assert told.text().endswith("shapes differ")


def test_an_end_of_int_max_in_a_backward_slice() -> None:
    call = Call("onnx", "Slice", {"starts": [1], "ends": [2**63 - 1], "steps": [-1]})
    told = agree(call, ("onnx", "onnxruntime", "numpy"), (3,))
    assert [a.shape for a in told.answers] == [(0,), (2,), (0,)]


def test_backward_slices_and_single_indices() -> None:
    told = agree("x[::-1]", ("numpy", "pytorch", "atb", "cann"), (2, 3))
    assert list(refusals(told)) == ["pytorch", "atb"]
    assert "steps above 0" in refusals(told)["pytorch"]
    assert "cannot read backwards" in refusals(told)["atb"]
    told = agree("x[5]", ("numpy", "cann", "onnx"), (2, 3))
    assert told.text().endswith("all refuse")
    assert not told.same


def test_narrow_refuses_what_slices_cut() -> None:
    narrow = Call("pytorch", "narrow", {"dim": 1, "start": 1, "length": 5})
    told = agree(narrow, ("pytorch", "numpy"), (2, 3))
    assert "exceeds dimension size (3)" in refusals(told)["pytorch"]
    assert told.answers[1].shape == (2, 2)


def test_strides_over_memory_or_over_elements() -> None:
    call = Call("pytorch", "as_strided", {"size": [2, 2], "stride": [1, 2]})
    dialects = ("pytorch", "atb", "restride", "onnx")
    assert agree(call, dialects, (2, 3)).same
    told = agree(call, dialects, (2, 3), strides=(1, 2))
    assert told.first is not None
    assert told.first.index == (0, 1)
    assert told.first.said["pytorch"] == "x[0, 1]"
    assert told.first.said["atb"] == told.first.said["onnx"] == "x[0, 2]"
    assert [a.translated for a in told.answers] == [False, False, False, True]


def test_memory_between_the_elements() -> None:
    call = Call("pytorch", "as_strided", {"size": [2], "stride": [1]})
    told = agree(call, ("pytorch", "restride"), (2,), strides=(2,))
    assert told.first is not None
    assert told.first.said["pytorch"] == "memory between the elements"


def test_strides_beyond_the_input() -> None:
    words = {"size": [2, 2], "stride": [1, 7], "offset": [0]}
    told = agree(
        Call("atb", "AsStridedParam", words), ("atb", "numpy", "pytorch"), (6,)
    )
    assert "ERROR_INVALID_PARAM (1)" in refusals(told)["atb"]
    assert told.text().endswith("all refuse")


def test_what_atb_asks_of_a_region() -> None:
    dialects = ("atb", "numpy", "restride", "pytorch", "tensorflow", "onnx")
    assert agree(SetValue([0, 1], [2, 3]), dialects, (2, 3)).same
    for starts, ends, strides, rule in (
        ([0, 0], [2, 3], None, "differ"),
        ([0, 0], [2, 3], [1, 2], "strides all 1"),
        ([0, 0], [1, 1], [1, -1], "strides all 1"),
    ):
        spec = SetValue(starts, ends, strides)
        told = agree(spec, ("atb", "numpy"), (2, 3))
        assert list(refusals(told))[:1] == ["atb"], (told.text(), rule)
    told = agree(SetValue([-1, 0], [2, 2]), ("restride", "numpy"), (2, 3))
    assert "Nothing wraps" in refusals(told)["restride"]


def test_src_is_named_in_a_write() -> None:
    """NumPy wraps a negative start, and so writes where others refuse."""
    spec = Call("restride", "assign", {"index": "[0:1]"})
    told = agree(spec, ("restride", "numpy"), (2,))
    assert told.same
    words = {"size": [2, 1], "stride": [3, 1], "storage_offset": 1}
    scatter = Call("pytorch", "as_strided_scatter", words)
    assert agree(scatter, ("pytorch", "numpy"), (2, 3)).same
    told = agree(scatter, ("pytorch", "numpy"), (2, 3), strides=(1, 2))
    assert told.first is not None
    assert told.first.index == (0, 1)
    assert told.first.said == {"pytorch": "x[0, 1]", "numpy": "src[0, 0]"}


@given(indices())
def test_translated_or_not_slices_of_these_agree(drawn: Any) -> None:
    shape, entries = drawn
    assert agree(entries, ("numpy", "restride", "cann"), shape).same


@given(pads())
def test_a_refusal_or_the_same_numbers(drawn: Any) -> None:
    """No pad makes a dialect fail in another way than by its own error."""
    shape, call, _, _, _ = drawn
    told = agree(call, ("restride", "numpy", "cann", "aclnn", "onnx", "atb"), shape)
    answers = [a for a in told.answers if a.elements is not None]
    assert answers[0].dialect == "restride"
    assert all((a.elements == answers[0].elements).all() for a in answers[1:])
    told = agree(call, ("tensorflow", "pytorch", "onnxruntime"), shape)
    assert len(told.answers) == 3


def test_to_dict_holds_plain_values() -> None:
    import json

    told = agree("x[-9::-1]", ("numpy", "onnx", "pytorch"), (3,))
    document = json.loads(json.dumps(told.to_dict()))
    assert document["same"] is False
    assert document["first"]["index"] is None
    assert [a["dialect"] for a in document["answers"]] == ["numpy", "onnx", "pytorch"]


@pytest.mark.parametrize(
    ("dialects", "shape", "words", "told"),
    [
        ([], (3,), {}, "0 dialects"),
        (3, (3,), {}, "give a list of names"),
        (["numpy", "fortran"], (3,), {}, "'fortran' is not known"),
        (["numpy"], (2**40,), {}, "give a smaller shape"),
        (["numpy"], "3", {}, "not a sequence of integers"),
        (["numpy"], (3,), {"strides": (1, 1)}, "give one per axis"),
        (["numpy"], (3,), {"strides": (0,)}, "two elements in one place"),
        (["numpy"], (3,), {"strides": (-1,)}, "0 or more"),
        (["numpy"], (3,), {"strides": (2**70,)}, "reach no further"),
        (["numpy"], (3,), {"opset": 0}, "allowed is 1 to 25"),
    ],
)
def test_what_is_refused(
    dialects: Any, shape: Any, words: dict[str, Any], told: str
) -> None:
    with pytest.raises(RestrideError, match=told):
        agree("x[0]", dialects, shape, **words)


def test_results_too_large_to_compare() -> None:
    pad = Call("numpy", "pad", {"pad_width": [[2**40, 0]]})
    with pytest.raises(RestrideError, match="at most 4194304 are compared"):
        agree(pad, ["numpy"], (3,))
    with pytest.raises(SpecError, match="one operator, and 2"):
        agree([Call("numpy", "getitem", {"index": "0"})] * 2, ["numpy"], (3, 3))
