"""Whatever is given, a CANN function answers or raises one of the dialect's errors."""

from __future__ import annotations

import itertools
import math
import random
from contextlib import suppress

import ml_dtypes
import numpy as np
import pytest

from restride.dialects import cann
from restride.dialects.cann import AclScalar, AclTensor


class Liar:
    """Claims to be what it is not."""

    ndim = 2
    shape = "x"
    dtype = None

    def __index__(self):
        raise TypeError

    def __repr__(self):
        return "Liar()"


ODD = [
    None,
    0,
    -1,
    True,
    2**70,
    -(2**200),
    1.5,
    math.nan,
    math.inf,
    1j,
    "edge",
    b"x",
    [],
    (),
    [1, 1],
    [0, 0, 1, 1],
    [[0, 0], [1, 1]],
    [2**70, 0, 0, 0],
    [1.0, 2.0],
    [None],
    [[[1]]],
    {"a": 1},
    {1, 2},
    range(4),
    range(2**62),
    itertools.repeat(0),
    slice(0, 1),
    object,
    np.float32(1),
    np.int64(-1),
    np.zeros((2, 3), np.float32),
    np.zeros((0, 3), np.int64),
    np.zeros((2, 2), np.int32),
    np.zeros((), np.float64),
    np.zeros(3, object),
    np.zeros(3, "S2"),
    np.zeros(3, ">f4"),
    np.zeros(3, "M8[s]"),
    np.zeros(3, [("a", "i4"), ("b", "f8")]),
    np.ma.masked_array([1, 2], [0, 1]),
    np.zeros((1,) * 9, np.float32),
    np.ones((2, 2), ml_dtypes.bfloat16),
    np.broadcast_to(np.float32(1), (2, 3)),
    np.broadcast_to(np.int64(1), (2**20, 2**30)),
    AclTensor((2, 3), "float"),
    AclTensor((2**40, 2**20), "int8"),
    AclTensor((2, 3), "hifloat8", data=np.zeros((2, 3), np.uint8)),
    AclScalar(1, "int8"),
]

NAMES = sorted(
    name for name in cann.__all__ if name[0].islower() and callable(getattr(cann, name))
)

ARGUMENTS = {
    "pad_v3": 3,
    "tiling_pad_v3": 3,
    "infer_shape_pad_v3": 2,
    "strided_slice": 4,
    "infer_shape_strided_slice": 4,
    "pad_v3_grad": 2,
    "infer_shape_pad_v3_grad": 2,
    "strided_slice_grad": 5,
    "infer_shape_strided_slice_grad": 1,
    "aclnn_constant_pad_nd": 4,
    "aclnn_strided_slice": 10,
}


def count(name):
    base = name.removesuffix("_get_workspace_size")
    return ARGUMENTS.get(base, 4 if base.endswith("backward") else 3)


def attempt(name, given, words):
    try:
        getattr(cann, name)(*given, **words)
    except cann.CannError as error:
        return is_line(error)
    return False


def is_line(error):
    assert "\n" not in str(error)
    return True


@pytest.mark.parametrize("name", NAMES)
def test_odd_arguments(name):
    """Each odd thing at each place beside usual ones, and random handfuls."""
    rng = random.Random(name)
    usual = [
        np.zeros((1, 3), np.float32),
        [0, 0, 1, 1],
        [0, 0],
        np.zeros((1, 5), np.float32),
        0,
    ]
    refused = tried = 0
    for place in range(count(name)):
        for odd in [*ODD, Liar()]:
            given = [rng.choice(usual) for _ in range(count(name))]
            given[place] = odd
            refused += attempt(name, given, {})
            tried += 1
    for _ in range(150):
        given = [rng.choice(ODD) for _ in range(count(name))]
        refused += attempt(name, given, {})
        tried += 1
    assert refused > tried / 2


@pytest.mark.parametrize("odd", [*ODD, Liar()], ids=lambda o: type(o).__name__)
def test_odd_words(odd):
    x, out = np.zeros((1, 3), np.float32), np.zeros((1, 3), np.float32)
    attempt("pad_v3", (x, [0, 0, 0, 0]), {"source_modes": odd})
    for word in ("mode", "paddings_contiguous", "product"):
        attempt("pad_v3", (x, [0, 0, 0, 0]), {word: odd})
        attempt("pad_v3_grad", (x, [0, 0, 0, 0]), {word: odd})
    for word in ("begin_mask", "ellipsis_mask", "product"):
        attempt("strided_slice", (x, [0], [1], [1]), {word: odd})
    attempt("aclnn_constant_pad_nd", (x, [0, 0], 0, out), {"product": odd})


@pytest.mark.parametrize("odd", [*ODD, Liar()], ids=lambda o: type(o).__name__)
def test_odd_tensors_and_scalars(odd):
    for word in (
        "shape", "dtype", "format", "storage_format", "data", "strides", "offset",
        "storage_shape",
    ):  # fmt: skip
        given = {"shape": (2, 3), "dtype": "float", word: odd}
        attempt_make(AclTensor, given)
    attempt_make(AclScalar, {"value": odd})
    attempt_make(AclScalar, {"value": 1, "dtype": odd})


def test_a_list_that_holds_itself():
    endless = []
    endless.append(endless)
    for table in (endless, [[[0, 0]]], [[0, 0], [0]]):
        with pytest.raises(cann.GraphError, match="no table"):
            cann.infer_shape_pad_v3((2, 3), table)


def attempt_make(kind, given):
    with suppress(cann.AclnnError):
        kind(**given)


def test_a_result_too_large_is_refused_before_it_is_made():
    x = np.zeros(1, np.int8)
    for call in (
        lambda: cann.pad_v3(x, [2**62, 0]),
        lambda: cann.pad_v3(x, [0, 2**45]),
        lambda: cann.strided_slice_grad([2**45], [0], [1], [1], x),
    ):
        with pytest.raises(cann.GraphError) as caught:
            call()
        assert caught.value.stage == "run"
