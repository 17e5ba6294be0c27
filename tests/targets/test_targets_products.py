"""Names of products, dtypes, formats and operators."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

from restride.arrays import as_dtype
from restride.errors import RestrideError
from restride.targets import (
    UnknownNameError,
    dtype_named,
    dtypes,
    format_named,
    operator_named,
    product,
    products,
)

KEYS = ["950", "A3", "A2", "training", "inference", "200I/500 A2"]


def test_keys_and_groups() -> None:
    assert [p.key for p in products()] == KEYS
    assert [p.group for p in products()] == [
        "950",
        "910B",
        "910B",
        "910A",
        "310P",
        "310B",
    ]


def test_every_name_of_a_product_leads_back_to_it() -> None:
    for p in products():
        for name in (p.key, *p.names):
            assert product(name) is p
        assert product(p) is p


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("Atlas A2 training", "A2"),
        ("atlas  a2 Training series products", "A2"),
        ("Atlas A2 训练系列产品", "A2"),
        ("Atlas A2 推理系列产品", "A2"),
        ("Atlas A3 推理系列产品 / Atlas A3 训练系列产品", "A3"),
        ("Atlas A3 推理系列产品、Atlas A3 训练系列产品", "A3"),
        ("Atlas A3 inference products/Atlas A3 training products", "A3"),
        ("Atlas 训练系列产品", "training"),
        ("Atlas training products", "training"),
        ("Atlas 推理系列产品", "inference"),
        ("Atlas 200I/500 A2 推理产品", "200I/500 A2"),
        ("Atlas 200I/500 A2 inference products", "200I/500 A2"),
        ("Atlas 350 加速卡", "950"),
        ("Atlas 350 accelerator cards", "950"),
        ("Ascend 950PR/Ascend 950DT", "950"),
        ("Ascend950", "950"),
        ("Ascend950PR_9589", "950"),
        ("Ascend910_9391", "A3"),
        ("Ascend910B1", "A2"),
        ("Ascend910B4-1", "A2"),
        ("ascend910b2", "A2"),
        ("Ascend910A", "training"),
        ("Ascend910ProB", "training"),
        ("Ascend910PremiumA", "training"),
        ("Ascend310P3", "inference"),
        ("Ascend310B1", "200I/500 A2"),
        ("310P", "inference"),
    ],
)
def test_what_a_name_means(name: str, key: str) -> None:
    assert product(name).key == key


def test_ascend910b_of_ten_characters_is_the_old_910() -> None:
    assert product("Ascend910B").key == "training"
    assert product(" Ascend910B ").key == "training"
    assert product("Ascend910B1").key == "A2"


@pytest.mark.parametrize("name", ["ascend910b", "910B", "ASCEND910B"])
def test_a_name_of_two_products_is_refused_with_both(name: str) -> None:
    with pytest.raises(UnknownNameError, match=r"two products.*A2, A3 or training"):
        product(name)


@pytest.mark.parametrize(
    "name", ["", "Atlas", "A4", "Ascend", None, 3, object(), b"A2", "A2" * 500]
)
def test_unknown_products_list_the_known_ones(name: Any) -> None:
    with pytest.raises(RestrideError) as told:
        product(name)
    assert isinstance(told.value, UnknownNameError)
    assert told.value.what == "product"
    assert "Atlas A2 训练系列产品" in str(told.value)
    assert len(str(told.value)) < 900


def test_dtypes_agree_with_numpy_about_their_size() -> None:
    for d in dtypes():
        if d.numpy is not None and d.bytes is not None:
            assert as_dtype(d.numpy).itemsize == d.bytes, d
        assert dtype_named(d.name) is d


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ("float", "float"),
        ("float32", "float"),
        (np.float32, "float"),
        (np.dtype("float64"), "double"),
        (np.dtype(">f2"), "float16"),
        ("BF16", "bf16"),
        (np.dtype(ml_dtypes.bfloat16), "bf16"),
        (ml_dtypes.float8_e4m3fn, "float8_e4m3fn"),
        ("ACL_FLOAT16", "float16"),
        ("torch.half", "float16"),
        (np.dtype(bool), "bool"),
        (np.bool_, "bool"),
        ("DT_HIFLOAT8", "hifloat8"),
    ],
)
def test_what_a_dtype_is_called(given: Any, name: str) -> None:
    assert dtype_named(given).name == name


@pytest.mark.parametrize("given", [float, int, bool, "f", None, 1, object(), "void16"])
def test_unknown_dtypes_are_refused(given: Any) -> None:
    with pytest.raises(UnknownNameError, match="known are float16, bf16"):
        dtype_named(given)


def test_formats() -> None:
    assert format_named("ND") == "nd"
    assert format_named("ACL_FORMAT_NCHW") == "nchw"
    with pytest.raises(UnknownNameError, match="format 'nhw' is not known"):
        format_named("nhw")


def test_operators_without_regard_to_case_and_underscores() -> None:
    assert operator_named("strided_slice").name == "StridedSlice"
    assert operator_named("PADV3").name == "PadV3"
    assert operator_named("as_strided").name == "AsStridedOperation"
    with pytest.raises(UnknownNameError, match="operator 'Conv' is not known"):
        operator_named("Conv")
