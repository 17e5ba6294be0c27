"""The support tables: whole, without overlaps, and as the documents have them."""

from __future__ import annotations

from itertools import product as pairs

import pytest

from restride.targets import (
    Operator,
    Support,
    dtypes,
    operators,
    products,
    support,
)

NAMES = {
    "AsStridedOperation",
    "SetValueOperation",
    "PadV3",
    "StridedSlice",
    "aclnnConstantPadNd",
    "aclnnStridedSlice",
    *(f"aclnnReplicationPad{k}d" for k in (1, 2, 3)),
    *(f"aclnnReflectionPad{k}d" for k in (1, 2, 3)),
}
FAR = ["A3", "A2", "training", "inference", "200I/500 A2"]
ALL = ["950", *FAR]
SEED_13 = (
    "int8 uint8 int16 uint16 int32 uint32 int64 uint64 bf16 float16 float double bool"
)
each = pytest.mark.parametrize("operator", operators(), ids=lambda o: o.name)


def test_the_operators() -> None:
    assert {o.name for o in operators()} >= NAMES


@each
def test_every_product_stands_in_one_row(operator: Operator) -> None:
    listed = [key for row in operator.products for key in row.products]
    assert sorted(listed) == sorted(p.key for p in products())


@each
def test_no_cell_is_told_twice(operator: Operator) -> None:
    known = {d.name for d in dtypes()}
    cells = [c for row in operator.dtypes for c in pairs(row.dtypes, row.products)]
    assert len(cells) == len(set(cells))
    assert {name for name, _ in cells} <= known
    taken = {k for row in operator.products if row.ok for k in row.products}
    assert {key for _, key in cells} <= taken


@each
def test_every_cell_has_a_source_and_every_refusal_a_reason(operator: Operator) -> None:
    for d, p in pairs(dtypes(), products()):
        told = support(operator, d, p)
        assert isinstance(told, Support)
        assert told.source
        assert told.basis in ("document", "source")
        if told.ok:
            assert (told.reason, told.instead, told.code) == ("", None, None)
        else:
            assert told.reason
            assert told.code
            assert told.stage


@each
def test_what_is_taken_somewhere_is_taken_without_a_product(operator: Operator) -> None:
    for d in dtypes():
        anywhere = any(support(operator, d, p).ok for p in products())
        assert support(operator, d).ok == anywhere, d


def taken(operator: str) -> dict[str, set[str]]:
    """Products by dtype that takes them."""
    cells = {
        d.name: {p.key for p in products() if support(operator, d, p).ok}
        for d in dtypes()
    }
    return {name: keys for name, keys in cells.items() if keys}


def test_as_strided_as_its_document_has_it() -> None:
    assert taken("AsStridedOperation") == {"float16": set(FAR), "int64": set(FAR)}


def test_set_value_as_its_document_has_it() -> None:
    every = {d: set(FAR) for d in ("float16", "float", "int32", "int64")}
    assert taken("SetValueOperation") == every | {"bf16": set(FAR) - {"inference"}}


def test_bf16_that_only_the_vendors_source_refuses_is_noted() -> None:
    for key in ("training", "200I/500 A2"):
        told = support("SetValueOperation", "bf16", key)
        assert told.ok
        assert "tensor_check.h" in told.note
    assert not support("SetValueOperation", "bf16", "A2").note


def test_pad_v3() -> None:
    found = taken("PadV3")
    assert set(SEED_13.split()) <= set(found)
    assert found["bf16"] == {"950", "A3", "A2"}
    assert found["double"] == set(ALL)
    assert found["float4_e1m2"] == {"950"}
    beyond = {d for d in found if support("PadV3", d, "950").basis == "source"}
    assert beyond == set(found) - set(SEED_13.split())


def test_constant_pad() -> None:
    found = taken("aclnnConstantPadNd")
    assert len(found) == 21
    assert found["complex128"] == set(ALL) - {"200I/500 A2"}
    assert found["bf16"] == {"950", "A3", "A2"}
    assert found["float4_e2m1"] == {"950"}


def test_replication_pads() -> None:
    for k in (1, 2, 3):
        found = taken(f"aclnnReplicationPad{k}d")
        assert found["bf16"] == set(ALL) - {"200I/500 A2"}
        assert found["bool"] == found["uint64"] == found["float8_e8m0"] == {"950"}
        assert "float4_e2m1" not in found


def test_reflection_pads() -> None:
    found = taken("aclnnReflectionPad2d")
    assert found["bool"] == set(ALL) - {"200I/500 A2"}
    assert found["complex64"] == found["bf16"] == {"950", "A3", "A2"}
    assert found["uint32"] == found["hifloat8"] == {"950"}


def test_slices() -> None:
    graph, door = taken("StridedSlice"), taken("aclnnStridedSlice")
    assert len(door) == 17
    assert set(graph) - set(door) == {"double"}
    assert set().union(*door.values()) == {"950"}
    assert graph["bf16"] == {"950", "A3", "A2"}
    assert graph["complex32"] == set(ALL)


def test_a_refusal_says_what_to_do_instead() -> None:
    told = support("AsStridedOperation", "bf16", "A2")
    assert told.reason == (
        "AsStridedOperation does not take bf16 on Atlas A2 training products/Atlas A2 "
        "inference products; it takes float16, int64."
    )
    assert told.instead == (
        "Pass the same bytes as float16: the operator moves elements unchanged."
    )
    assert (told.code, told.stage) == ("ERROR_INVALID_TENSOR_INI_MATCH", "infer_shape")


def test_a_product_that_lacks_the_operator() -> None:
    told = support("AsStridedOperation", "float16", "Atlas 350 加速卡")
    assert not told.ok
    assert "not supported on Ascend 950PR" in told.reason
    assert (told.code, told.stage) == ("ERROR_INVALID_PARAM", "setup")


def test_gradients() -> None:
    slices = taken("StridedSliceGrad")
    assert len(slices) == 14
    assert set().union(*slices.values()) == {"950", "A3", "A2"}
    assert taken("PadV3Grad")["bf16"] == {"950", "A3", "A2"}
    for k in (1, 2, 3):
        for mode in ("Replication", "Reflection"):
            found = taken(f"aclnn{mode}Pad{k}dBackward")
            assert found["complex128"] == set(ALL) - {"200I/500 A2"}
            assert "int32" not in found
            assert support(f"aclnn{mode}Pad{k}dBackward", None, "950").note


def test_what_runs_on_the_ai_cpu_alone_is_slow() -> None:
    slow = {d.name for d in dtypes() if support("StridedSlice", d, "A2").slow}
    assert slow == {"double"}
    told = support("StridedSlice", "double", "A2")
    assert told.ok
    assert "AI CPU only" in told.note
