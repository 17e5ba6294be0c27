"""Two faults at once: the one ATB looks for first is the one it tells.

Each fault is one change to a call that is right.  All pairs are tried, in the order of
Ascend ATB 8.5.0: operation_base.cpp, as_strided_operation.cpp, set_value_operation.cpp.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import pytest

from restride.dialects.atb import (
    AsStridedParam,
    AtbError,
    Context,
    Operation,
    SetValueParam,
    Tensor,
    TensorDesc,
    VariantPack,
)


@dataclass
class Call:
    """A call that is right, as lists that a fault may change."""

    lists: dict[str, list[int]]
    inputs: list[list[Any]]
    outputs: list[list[Any]]
    product: str | None = None
    context: Any = "a Context"
    other: dict[str, Any] = field(default_factory=dict)

    def descs(self, which: str) -> list[TensorDesc]:
        return [TensorDesc(*given) for given in getattr(self, which)]


def as_strided() -> Call:
    lists = {"size": [2, 2], "stride": [2, 1], "offset": [0]}
    return Call(lists, [["float16", "nd", [3, 3]]], [["float16", "nd", [2, 2]]])


def set_value() -> Call:
    lists = {"starts": [0, 1, 0], "ends": [2, 3, 5], "strides": [1, 1, 1]}
    kind = ["bf16", "nd"]
    return Call(lists, [[*kind, [3, 4, 5]], [*kind, [2, 2, 5]]], [])


Fault = tuple[str, int, Callable[[Call], Any]]


def more(which: str) -> Callable[[Call], Any]:
    return lambda c: getattr(c, which).append(["float16", "nd", [1]])


def axes(which: str, k: int) -> Callable[[Call], Any]:
    """Nine axes."""
    return lambda c: getattr(c, which)[k][2].extend([1] * 7)


def unsized(which: str, k: int) -> Callable[[Call], Any]:
    """A dtype whose size ATB does not know."""
    return lambda c: getattr(c, which)[k].__setitem__(0, "int4")


def empty(which: str, k: int) -> Callable[[Call], Any]:
    return lambda c: getattr(c, which)[k][2].__setitem__(0, 0)


def format_of(which: str, k: int) -> Callable[[Call], Any]:
    return lambda c: getattr(c, which)[k].__setitem__(1, "nhwc")


def put(name: str, k: int, value: int) -> Callable[[Call], Any]:
    return lambda c: c.lists[name].__setitem__(k, value)


def longer(name: str) -> Callable[[Call], Any]:
    return lambda c: c.lists[name].append(1)


def both(*changes: Callable[[Call], Any]) -> Callable[[Call], Any]:
    return lambda c: [change(c) for change in changes]


def attribute(name: str, value: Any) -> Callable[[Call], Any]:
    return lambda c: setattr(c, name, value)


def none_differs(call: Call) -> None:
    """src is as long as dst on every dim after dim 0."""
    call.inputs[1][2][1] = 4
    call.lists["starts"][1], call.lists["ends"][1] = 0, 4


AS_STRIDED: list[Fault] = [
    ("length of stride", 1, longer("stride")),
    ("length of offset", 1, longer("offset")),
    ("offset >= 0", 1, put("offset", 0, -1)),
    ("size > 0, stride >= 0", 1, put("size", 0, 0)),
    ("int64", 1, both(put("size", 1, 3), put("stride", 1, 2**62))),
    ("furthest element", 1, put("offset", 0, 6)),
]
"""The operation's own rules, which InferShape and Setup share."""

FRAMEWORK: list[Fault] = [
    ("number of inputs", 5, more("inputs")),
    ("1 to 8 dims", 8, axes("inputs", 0)),
    ("1 byte to 256 GiB", 9, unsized("inputs", 0)),
    ("table of dtypes and formats", 13, format_of("inputs", 0)),
]

SETUP: list[Fault] = [
    ("context", 1, attribute("context", None)),
    ("number of inputs", 5, more("inputs")),
    ("number of outputs", 5, more("outputs")),
    ("1 to 8 dims", 8, axes("inputs", 0)),
    ("1 byte to 256 GiB", 9, unsized("inputs", 0)),
    ("1 to 8 dims", 8, axes("outputs", 0)),
    ("1 byte to 256 GiB", 9, unsized("outputs", 0)),
    ("table of dtypes and formats", 13, format_of("outputs", 0)),
    ("rank of y", 9, lambda c: c.outputs[0][2].append(1)),
    ("shape of y", 8, lambda c: c.outputs[0][2].__setitem__(0, 1)),
    *AS_STRIDED[1:3],
    ("furthest element", 1, put("offset", 0, 6)),
    ("context", 1, attribute("context", "no Context")),
    ("product", 1, attribute("product", "Atlas 350")),
]

SET_VALUE: list[Fault] = [
    ("number of inputs", 5, more("inputs")),
    ("1 to 8 dims", 8, axes("inputs", 0)),
    ("1 byte to 256 GiB", 9, empty("inputs", 0)),
    ("1 to 8 dims", 8, axes("inputs", 1)),
    ("1 byte to 256 GiB", 9, empty("inputs", 1)),
    ("table of dtypes and formats", 13, format_of("inputs", 1)),
    ("bf16 by product", 6, attribute("product", "Atlas inference products")),
    ("equal ranks", 16, lambda c: c.inputs[1][2].append(1)),
    ("length of strides", 1, longer("strides")),
    ("length of starts", 1, longer("starts")),
    ("length of ends", 1, longer("ends")),
    ("src within dst", 8, lambda c: c.inputs[1][2].__setitem__(2, 6)),
    ("strides all 1", 1, put("strides", 1, 2)),
    ("cells within dst, as many as src has", 1, put("starts", 0, -1)),
    ("one dim after dim 0 differs", 8, none_differs),
]


def pairs(faults: list[Fault]) -> list[Any]:
    found = [
        pytest.param([one, two], id=f"{i}-{j}")
        for (i, one), (j, two) in combinations(enumerate(faults), 2)
    ]
    return [*(pytest.param([one], id=str(i)) for i, one in enumerate(faults)), *found]


def infer_shape(call: Call, op: Operation) -> None:
    op.infer_shape(call.descs("inputs"))


def setup(call: Call, op: Operation) -> None:
    inputs, outputs = (
        [Tensor(desc) for desc in call.descs(which)] for which in ("inputs", "outputs")
    )
    context = call.context
    if context == "a Context":
        context = Context(call.product)
    op.setup(VariantPack(inputs, outputs), context)


def check(make: Callable[[], Call], faults: list[Fault], stage: Any) -> None:
    call = make()
    # The later fault first, so that the earlier one stands where both write one entry.
    for _, _, change in reversed(faults):
        change(call)
    kind = SetValueParam if "starts" in call.lists else AsStridedParam
    op = Operation(kind(**call.lists), product=call.product)
    with pytest.raises(AtbError) as told:
        stage(call, op)
    error = told.value
    assert error.stage == stage.__name__
    assert (error.rule, error.code) == faults[0][:2], error


@pytest.mark.parametrize("make", [as_strided, set_value])
def test_the_call_without_a_fault_is_right(make: Callable[[], Call]) -> None:
    call = make()
    kind = SetValueParam if "starts" in call.lists else AsStridedParam
    infer_shape(call, Operation(kind(**call.lists)))
    setup(call, Operation(kind(**call.lists)))


@pytest.mark.parametrize("faults", pairs([*FRAMEWORK, *AS_STRIDED]))
def test_infer_shape_of_as_strided(faults: list[Fault]) -> None:
    check(as_strided, faults, infer_shape)


@pytest.mark.parametrize("faults", pairs(SETUP))
def test_setup_of_as_strided(faults: list[Fault]) -> None:
    check(as_strided, faults, setup)


@pytest.mark.parametrize("faults", pairs(SET_VALUE))
def test_infer_shape_of_set_value(faults: list[Fault]) -> None:
    check(set_value, faults, infer_shape)
