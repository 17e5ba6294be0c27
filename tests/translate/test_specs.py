"""The forms in which an operator is given, and what is refused of them."""

from __future__ import annotations

import json
import sys
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import restride as rs
from restride.dialects.atb import AsStridedParam, SetValueParam
from restride.translate import Call, RefusedError, SpecError, agree, as_calls, translate
from restride.translate.readers.table import HOMES, operators_of

FLIP = (Call("numpy", "getitem", {"index": "[::-1]"}),)


@pytest.mark.parametrize(
    "spec", ["foo[::-1]", "::-1", slice(None, None, -1), (slice(None, None, -1),)]
)
def test_an_index_is_numpys(spec: Any) -> None:
    assert as_calls(spec) == FLIP


def test_operators_parameters_and_dicts() -> None:
    (made,) = as_calls(rs.AsStrided((2,), (3,), 1))
    assert made == Call(
        "restride", "as_strided", {"size": (2,), "stride": (3,), "offset": 1}
    )
    (made,) = as_calls(AsStridedParam([2], [3], [1]))
    assert made == Call(
        "atb", "AsStridedParam", {"size": [2], "stride": [3], "offset": [1]}
    )
    (made,) = as_calls(SetValueParam([0], [1], [1]))
    assert made.op == "SetValueParam"
    spec = {"dialect": "numpy", "op": "pad", "params": {"pad_width": [[1, 1]]}}
    assert as_calls(spec) == (Call("numpy", "pad", {"pad_width": [[1, 1]]}),)
    made = translate(rs.encode("1, None"), to="numpy")
    assert made.calls == (Call("numpy", "getitem", {"index": "[1, None]"}),)
    assert as_calls(made) == made.calls
    pad = rs.Pad(((0, 0), (2, 2)), "REFLECT")
    assert translate(pad, to="tensorflow").calls[0].op == "mirror_pad"


def attribute(name: str, **value: Any) -> SimpleNamespace:
    kinds = {"ints": 7, "i": 2, "f": 1, "s": 3, "t": 4}
    (kind,) = [kinds[k] for k in value]
    return SimpleNamespace(name=name, type=kind, **value)


def node(op: str, inputs: list[str], *given: Any, to: str = "y") -> SimpleNamespace:
    return SimpleNamespace(op_type=op, input=inputs, output=[to], attribute=given)


def constant(name: str, values: list[int]) -> SimpleNamespace:
    raw = np.array(values, "<i8").tobytes()
    tensor = SimpleNamespace(data_type=7, dims=[len(values)], raw_data=raw)
    return node("Constant", [], attribute("value", t=tensor), to=name)


def test_nodes_are_read_by_their_fields() -> None:
    old = node(
        "Slice", ["x"], attribute("starts", ints=[1]), attribute("ends", ints=[3])
    )
    assert translate(old, to="numpy").text() == "y = x[1:3]"
    new = [
        constant("s", [-1]),
        constant("e", [-(2**63)]),
        constant("a", [0]),
        constant("t", [-1]),
        node("Slice", ["x", "s", "e", "a", "t"]),
    ]
    assert translate(new, to="numpy").text() == "y = x[-1::-1]"
    pad = node(
        "Pad", ["x"], attribute("mode", s=b"edge"), attribute("pads", ints=[1, 0])
    )
    assert translate(pad, to="numpy").calls[0].params["mode"] == "edge"


@pytest.mark.parametrize(
    ("nodes", "told"),
    [
        ([node("Slice", ["x", "s", "e"])], "no Constant node is given"),
        ([node("Gather", ["x"])], "no operator 'Gather'"),
        ([constant("s", [1])], "only Constant nodes"),
        ([node("Slice", ["x", *"abcdefg"])], "7 inputs|8 inputs"),
        ([node("Relu", ["x"]), node("Slice", ["q"])], "chain of nodes"),
        ([node("Slice", ["x"], attribute("starts", ints=["a"]))], "needs ends|integer"),
        ([constant("s", [1]), 3], "no node"),
    ],
)
def test_nodes_that_are_not_read(nodes: Any, told: str) -> None:
    with pytest.raises(SpecError, match=told):
        translate(nodes, to="numpy", shape=(3,))


BAD = [
    (3.5, "is no operator"),
    (None, "is no operator"),
    (b"x[0]", "is no operator"),
    ({"dialect": "numpy"}, "its keys are"),
    ({"dialect": "numpy", "op": "pad", "parameters": {}}, "its keys are"),
    ([], "0 calls"),
    (Call("fortran", "pad"), "dialect 'fortran' is not known"),
    (Call("numpy", "roll"), "no operator 'roll'"),
    (Call("numpy", "x" * 10_000), "no operator"),
    (Call("numpy", "pad"), "needs pad_width"),
    (Call("numpy", "pad", {"pad_width": 1, "mod": 2}), "no parameter 'mod'"),
    (Call("numpy", "pad", {"pad_width": 1}), "give shape= or rank="),
    (Call("numpy", "pad", {"pad_width": [[1, 1.5], [0, 0]]}), "not an integer"),
    (Call("numpy", "pad", {"pad_width": [[1, -1], [0, 0]]}), "no negative width"),
    (Call("numpy", "pad", {"pad_width": [[1, 1]] * 2, "mode": "mean"}), "computes"),
    (Call("numpy", "pad", {"pad_width": [[1, 1]] * 2, "mode": 7}), "is not a str"),
    (Call("numpy", "as_strided", {"shape": [2], "strides": [8]}), "itemsize or dtype"),
    (
        Call("numpy", "as_strided", {"shape": [2], "strides": [3], "itemsize": 2}),
        "no multiple",
    ),
    (
        Call("numpy", "as_strided", {"shape": [2], "strides": [3], "dtype": "spam"}),
        "no fixed size",
    ),
    (
        Call("tensorflow", "strided_slice", {"begin": [0], "end": [1], "strides": [0]}),
        r"strides\[0\] = 0",
    ),
    (Call("tensorflow", "pad", {"paddings": [1, 1]}), "not a list of lists"),
    (Call("tensorflow", "pad", {"paddings": [[1, 1, 1]]}), "has length 3"),
    (Call("tensorflow", "pad", {"paddings": [[1, -1]]}), "nothing negative"),
    (Call("tensorflow", "mirror_pad", {"paddings": [[1, 1]], "mode": "odd"}), "'odd'"),
    (Call("onnx", "Slice", {"starts": [0, 1], "ends": [1]}), "2 starts, 1 ends"),
    (Call("onnx", "Slice", {"starts": [0], "ends": [1], "steps": [0]}), r"steps\[0\]"),
    (
        Call("onnx", "Slice", {"starts": [0], "ends": [1], "axes": [-1]}),
        "from the last",
    ),
    (Call("onnx", "Slice", {"starts": [0], "ends": [1], "axes": [64]}), "axis 64"),
    (Call("onnx", "Pad", {"pads": [1, 2, 3]}), "length 3"),
    (Call("onnx", "Pad", {"pads": [1, 2], "mode": "symmetric"}), "'symmetric'"),
    (Call("pytorch", "getitem", {"index": "[::-1]"}), "use flip"),
    (Call("pytorch", "pad", {"pad": [1, 1]}), "give shape= or rank="),
    (Call("pytorch", "as_strided", {"size": [2], "stride": [-1]}), "no negative"),
    (Call("pytorch", "flip", {"dims": [0, -1]}), "give shape= or rank="),
    (Call("pytorch", "narrow", {"dim": 0, "start": -1, "length": 3}), "leave the axis"),
    (
        Call("pytorch", "narrow", {"dim": 2**70, "start": 0, "length": 3}),
        "names no axis",
    ),
    (Call("cann", "PadV3", {"paddings": 3}), "two numbers per axis"),
    (Call("cann", "PadV3", {"paddings": [[1, 1]], "mode": "Reflect"}), "'Reflect'"),
    (Call("cann", "aclnnReplicationPad1d", {"padding": [1]}), "give 2"),
    (Call("atb", "AsStridedParam", {"size": [2], "stride": [1]}), "exactly one"),
    (
        Call("atb", "AsStridedParam", {"size": [0], "stride": [1], "offset": [0]}),
        "sizes are above 0",
    ),
    (
        Call("atb", "SetValueParam", {"starts": [0], "ends": [1], "strides": [2]}),
        "strides of 1 only",
    ),
    (
        Call("atb", "SetValueParam", {"starts": [-1], "ends": [1], "strides": [1]}),
        "nothing wraps",
    ),
]


@pytest.mark.parametrize(("spec", "told"), BAD)
def test_what_is_refused_is_said(spec: Any, told: str) -> None:
    with pytest.raises(rs.RestrideError, match=told) as caught:
        translate(spec, to="numpy")
    assert "\n" not in str(caught.value)


class Hostile:
    """An object that breaks whatever touches it."""

    def __repr__(self) -> str:
        raise RuntimeError("no repr")

    def __index__(self) -> int:
        raise RuntimeError("no index")


VALUES = [
    2**70,
    10**400,
    -(2**63),
    float("nan"),
    "text",
    None,
    True,
    {},
    {"a": 1},
    [],
    [[[[[[[[[[1]]]]]]]]]],
    [2**70] * 3,
    object(),
    Hostile(),
    [Hostile()],
    np.arange(4),
    np.array(1.5),
    b"bytes",
    lambda: None,
]


def said_of(spec: dict[str, Any]) -> str:
    """What a translation refuses, or nothing; anything but our errors goes through."""
    told = []
    for ask in (
        lambda: translate(spec, to="onnx", shape=(3, 4)).to_dict(),
        lambda: translate(spec, to="pytorch", shape=(3, 4)).text(),
        lambda: agree(spec, ("numpy", spec["dialect"]), (3, 4)).text(),
    ):
        try:
            ask()
        except rs.RestrideError as error:
            told.append(str(error))
    return "; ".join(told) or "translated"


@pytest.mark.parametrize("value", VALUES, ids=lambda v: type(v).__name__)
def test_no_value_breaks_a_reader(value: Any) -> None:
    """Any value for any parameter gives a translation or one clear refusal."""
    tried = 0
    for dialect in HOMES:
        for op, (names, _) in operators_of(dialect).items():
            for odd in names.split():
                words: dict[str, Any] = {name: [1, 1] for name in names.split()}
                for given in (words | {odd: value}, {odd: value}):
                    spec = {"dialect": dialect, "op": op, "params": given}
                    told = said_of(spec)
                    assert told
                    assert "\n" not in told
                    tried += 1
    assert tried > 300


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ({"to": "fortran"}, "'fortran' is not known"),
        ({"to": 3}, "dialect 3 is not known"),
        ({"opset": 99}, "allowed is 1 to 25"),
        ({"opset": "new"}, "not an integer"),
        ({"rank": -1}, "allowed is 0 to 64"),
        ({"rank": 2**70}, "allowed is 0 to 64"),
        ({"rank": 2, "shape": (3,)}, "contradict"),
        ({"shape": (-1,)}, "0 or more"),
        ({"dtype": "complex999"}, "use one of"),
    ],
)
def test_other_arguments_that_are_refused(words: dict[str, Any], told: str) -> None:
    with pytest.raises(rs.RestrideError, match=told):
        translate("x[0]", **words)


def test_a_call_is_a_small_frozen_value() -> None:
    given = {"paddings": [[1, 2]]}
    call = Call("tensorflow", "pad", given)
    given["paddings"][0][0] = 9
    assert call.params["paddings"] == ((1, 2),)
    assert hash(call) == hash(Call("tensorflow", "pad", {"paddings": ((1, 2),)}))
    with pytest.raises(AttributeError):
        call.op = "other"  # type: ignore[misc]
    for bad in ((1, "pad", {}), ("numpy", None, {}), ("numpy", "pad", [1])):
        with pytest.raises(SpecError):
            Call(*bad)
    with pytest.raises(SpecError, match="holds an integer of 1329 bits"):
        Call("numpy", "pad", {"pad_width": 10**400})


def test_a_refusal_carries_its_parts() -> None:
    with pytest.raises(RefusedError) as caught:
        translate("x[::-1]", to="atb", shape=(3,))
    error = caught.value
    assert error.dialect == "atb"
    assert "cannot read backwards" in error.reason
    assert error.instead.startswith("Use CANN's StridedSlice (dialect cann)")
    assert str(error) == f"atb: {error.reason} {error.instead}"


def test_two_refusals_do_not_send_the_caller_to_each_other() -> None:
    """No slice, so nothing for CANN, and backwards, so nothing for ATB."""
    spec = rs.AsStrided((2, 2), (-1, -1), 3)
    for dialect in ("cann", "aclnn", "atb"):
        with pytest.raises(RefusedError) as caught:
            translate(spec, to=dialect, shape=(9,))
        assert "restride itself" in caught.value.instead


def test_a_source_refuses_its_own_width() -> None:
    pad = Call("tensorflow", "mirror_pad", {"paddings": [[3, 0]], "mode": "REFLECT"})
    with pytest.raises(RefusedError, match="tensorflow: a 'REFLECT' pad"):
        translate(pad, to="numpy", shape=(3,))
    assert translate(pad, to="numpy", shape=(4,)).calls


def test_json_holds_all_of_it() -> None:
    made = translate("x[1:3, ::-1]", to="onnx", shape=(9, 9))
    assert json.loads(json.dumps(made.to_dict()))["calls"][0]["op"] == "Slice"
    made = translate(rs.Pad(((1, 1),), "symmetric"), to="onnx", shape=(3,))
    document = json.loads(json.dumps(made.to_dict()))
    assert document["calls"][0]["params"] == {"indices": [0, 0, 1, 2, 2], "axis": 0}
    assert document["any_shape"] is False
    assert document["notes"] == ["the calls hold for inputs of shape (3,) only."]


def test_a_table_is_not_written_out_beyond_a_million() -> None:
    """What makes it is code of a line; the numbers themselves are refused."""
    pad = rs.Pad(((2**22, 0),), "symmetric")
    made = translate(pad, to="pytorch", shape=(2**22,))
    assert "np.concatenate([np.arange(4194303, -1, -1), " in made.text()
    for told in (made.to_dict, translate(pad, to="onnx", shape=(2**22,)).text):
        with pytest.raises(rs.UnsupportedError, match="at most 1048576"):
            told()
    far = rs.Pad(((2**40, 0),), "symmetric")
    made = translate(far, to="pytorch", shape=(2**40,))
    assert len(made.text()) < 400


def test_nodes_are_for_onnx_and_need_it(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(rs.UnsupportedError, match="calls of pytorch"):
        translate("x[0]", to="pytorch").nodes()
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(rs.UnsupportedError, match=r"pip install 'restride\[onnx\]'"):
        translate("x[0]", to="onnx").nodes()


@pytest.mark.parametrize("to", ["numpy", "pytorch", "tensorflow", "onnx", "cann"])
def test_a_constant_keeps_its_sign_and_kind(to: str) -> None:
    """-0.0 is no default, NaN and infinities have a literal, None is zero."""
    for value, told in (
        (-0.0, "-0.0"),
        (float("nan"), "nan"),
        (float("-inf"), "-inf"),
        (2**62, "4611686018427387904"),
        (np.float32(1.5), "1.5"),
    ):
        pad = rs.Pad(((1, 1), (0, 0)), "constant", value)
        assert told in translate(pad, to=to, rank=2).text(), value
    plain = [rs.Pad(((1, 1), (0, 0)), "constant", v) for v in (0, 0.0, None)]
    texts = {translate(pad, to=to, rank=2).text() for pad in plain}
    assert len(texts) == 1
    assert not any(word in texts.copy().pop() for word in ("value=", "values", "Cast"))


@pytest.mark.parametrize("to", ["numpy", "tensorflow", "onnx", "pytorch", "restride"])
def test_what_does_nothing_holds_for_a_scalar_too(to: str) -> None:
    nothing = [
        (Call("tensorflow", "pad", {"paddings": ()}), ()),
        (Call("pytorch", "flip", {"dims": ()}), None),
    ]
    for call, shape in nothing:
        told = translate(call, to=to, shape=shape)
        assert told.any_shape or shape == ()
        assert translate("x[...]", to=to, shape=()).text() == told.text()


def test_refusals_use_words_that_the_command_line_has_too() -> None:
    pad = Call("restride", "pad", {"paddings": [[1, 1]], "mode": "symmetric"})
    with pytest.raises(RefusedError, match="Give the shape too"):
        translate(pad, "onnx", rank=1)
