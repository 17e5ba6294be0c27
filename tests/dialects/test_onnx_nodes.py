"""Nodes: attributes and inputs by version, in a stand-in for ONNX's own classes."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from restride.dialects import onnx

X = np.arange(5.0)
KINDS = {float: (1, "f"), int: (2, "i"), str: (3, "s"), list: (7, "ints")}
"""Type numbers and fields of AttributeProto."""


def attribute(name: str, value: Any) -> Any:
    number, field = KINDS[type(value)]
    held = {"f": 0.0, "i": 0, "s": b"", "ints": []}
    held[field] = value.encode() if isinstance(value, str) else value
    return SimpleNamespace(name=name, type=number, ref_attr_name="", **held)


def node(operator: str, inputs: str, **attributes: Any) -> Any:
    """A node; "-" among the inputs is one left out."""
    given = [attribute(name, value) for name, value in attributes.items()]
    names = ["" if name == "-" else name for name in inputs.split()]
    return SimpleNamespace(op_type=operator, domain="", input=names, attribute=given)


def values(**given: Any) -> dict[str, Any]:
    return {"x": X} | {name: np.asarray(value) for name, value in given.items()}


def test_slice_of_every_version() -> None:
    old = node("Slice", "x", starts=[1], ends=[-1], axes=[0])
    for opset in (1, 9):
        assert onnx.run_node(old, values(), opset=opset).tolist() == [1, 2, 3]
    new = node("Slice", "x s e - t")
    given = values(s=[-1], e=[-9], t=[-2])
    for opset in (10, 11, 13, onnx.NEWEST_OPSET):
        assert onnx.run_node(new, given, opset=opset).tolist() == [4, 2, 0]


def test_pad_of_every_version() -> None:
    first = node("Pad", "x", paddings=[1, 0], value=2.5, mode="constant")
    assert onnx.run_node(first, values(), opset=1).tolist() == [2.5, 0, 1, 2, 3, 4]
    second = node("Pad", "x", pads=[1, -3], mode="reflect")
    assert onnx.run_node(second, values(), opset=10).tolist() == [1, 0, 1]
    later = node("Pad", "x p c", mode="constant")
    given = values(p=[0, 1], c=7.0)
    assert onnx.run_node(later, given, opset=11).tolist() == [0, 1, 2, 3, 4, 7]
    newest = node("Pad", "x p - a", mode="wrap")
    given = values(p=[1, 1], a=[-1])
    assert onnx.run_node(newest, given, opset=25).tolist() == [4, 0, 1, 2, 3, 4, 0]


def test_inputs_may_come_in_order() -> None:
    sliced = onnx.run_node(node("Slice", "x s e"), [X, np.array([3]), np.array([9])])
    assert sliced.tolist() == [3, 4]
    padded = node("Pad", "x p c")
    assert onnx.run_node(padded, [X[:1], np.array([0, 1]), None]).tolist() == [0, 0]


def test_the_runtime_is_handed_on() -> None:
    sliced = node("Slice", "x s e a t")
    given = values(s=[-1], e=[2**63 - 1], a=[0], t=[-1])
    assert onnx.run_node(sliced, given).size == 0
    assert onnx.run_node(sliced, given, runtime="onnxruntime").size == 5


@pytest.mark.parametrize(
    ("made", "given", "opset", "says"),
    [
        (node("Gather", "x"), {}, 13, "Gather is no node for this dialect"),
        (node("Slice", "x"), values(), 13, "ends, starts missing"),
        (node("Slice", "x s e"), values(s=[0]), 13, "inputs has no e"),
        (node("Slice", "x s e"), values(s=[0], e=[1]), 9, "the node has 3 inputs"),
        (node("Slice", "x", starts=[0]), values(), 9, "ends missing"),
        (node("Slice", "- s e"), values(s=[0], e=[1]), 13, "data missing"),
        (node("Pad", "x", pads=[0, 1]), values(), 1, "attribute 'pads' unknown; known"),
        (
            node("Pad", "x", paddings=[0, 1]),
            values(),
            2,
            "attribute 'paddings' unknown",
        ),
        (node("Pad", "x", pads=[0, 1]), values(), 11, "'pads' unknown; it is an input"),
        (node("Pad", "x p - a"), values(p=[0, 1], a=[0]), 17, "the node has 4 inputs"),
        (node("Pad", "x p", mode=1), values(p=[0, 1]), 13, "has type 2, not 3"),
        (node("Pad", "x p"), [X], 13, "a list of 2 in the node's order"),
        (node("Pad", "x p"), None, 13, "a list of 2 in the node's order"),
        (None, {}, 13, "NoneType is no node"),
    ],
)
def test_malformed_nodes(made: Any, given: Any, opset: int, says: str) -> None:
    with pytest.raises(onnx.OnnxError, match=says) as caught:
        onnx.run_node(made, given, opset=opset)
    assert caught.value.kind == "node"


def test_other_malformed_nodes() -> None:
    def refused(made: Any) -> None:
        with pytest.raises(onnx.OnnxError) as caught:
            onnx.run_node(made, values(p=[0, 1]))
        assert caught.value.kind == "node"

    foreign = node("Pad", "x p")
    foreign.domain = "com.microsoft"
    twice = node("Pad", "x p", mode="edge")
    twice.attribute *= 2
    inside = node("Pad", "x p", mode="edge")
    inside.attribute[0].ref_attr_name = "mode"
    bare = node("Pad", "x p")
    bare.attribute = [SimpleNamespace(name="mode")]
    for made in (foreign, twice, inside, bare, SimpleNamespace(op_type="Pad")):
        refused(made)
    named = node("Pad", "x p", mode="edge")
    named.domain = "ai.onnx"
    assert onnx.run_node(named, values(p=[0, 1])).size == 6


def test_an_old_node_without_its_opset_says_what_is_missing() -> None:
    old = node("Pad", "x", pads=[1, 1])
    with pytest.raises(onnx.OnnxError, match="give opset=, which the model's"):
        onnx.run_node(old, [np.zeros(2)])
    assert onnx.run_node(old, [np.zeros(2, "f4")], opset=2).shape == (4,)


@pytest.mark.parametrize("runtime", [None, "onnxruntime"])
def test_a_result_that_no_memory_holds_has_its_kind(runtime: str | None) -> None:
    x = np.zeros((2, 4), np.float32)
    with pytest.raises(onnx.OnnxError) as told:
        onnx.pad(x, [0, 2**37, 0, 0], runtime=runtime)
    assert told.value.kind == "size"
