"""Tensors over storage, scalars and their conversion, status codes, the two phases."""

from __future__ import annotations

import ctypes
import math
import struct
from itertools import product

import ml_dtypes
import numpy as np
import pytest

from restride.dialects import cann
from restride.dialects.cann import AclScalar, AclTensor
from restride.errors import RestrideError

C_INTEGERS = {
    "int8": ctypes.c_int8,
    "int16": ctypes.c_int16,
    "int32": ctypes.c_int32,
    "int64": ctypes.c_int64,
    "uint8": ctypes.c_uint8,
    "uint16": ctypes.c_uint16,
    "uint32": ctypes.c_uint32,
    "uint64": ctypes.c_uint64,
}

# --------------------------------------------------------------------------- status


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("ACLNN_SUCCESS", 0),
        ("ACLNN_ERR_PARAM_NULLPTR", 161001),
        ("ACLNN_ERR_PARAM_INVALID", 161002),
        ("ACLNN_ERR_RUNTIME_ERROR", 361001),
        ("ACLNN_ERR_INNER", 561000),
        ("ACLNN_ERR_INNER_INFERSHAPE_ERROR", 561001),
        ("ACLNN_ERR_INNER_TILING_ERROR", 561002),
        ("ACLNN_ERR_INNER_FIND_KERNEL_ERROR", 561003),
        ("ACLNN_ERR_INNER_CREATE_EXECUTOR", 561101),
        ("ACLNN_ERR_INNER_NOT_TRANS_EXECUTOR", 561102),
        ("ACLNN_ERR_INNER_NULLPTR", 561103),
        ("ACLNN_ERR_INNER_STATIC_BLOCK_DIM_INVALID", 561119),
    ],
)
def test_status_by_name_and_number(name, number):
    assert cann.AclnnStatus[name] == number
    assert cann.AclnnStatus(number).name == name


def test_inner_codes_have_no_gap():
    numbers = [int(s) for s in cann.AclnnStatus if s > 561100]
    assert numbers == list(range(561101, 561120))


def test_errors_are_restride_errors():
    assert issubclass(cann.AclnnError, RestrideError)
    assert issubclass(cann.GraphError, RestrideError)


def test_an_error_reads_on_one_line():
    with pytest.raises(cann.AclnnError) as caught:
        cann.aclnn_constant_pad_nd(np.zeros(3), [1], 0, np.zeros(4))
    assert str(caught.value) == (
        "aclnnConstantPadNd (get_workspace_size, ACLNN_ERR_PARAM_INVALID 161002): pad "
        "has length 1; give a begin and an end per dim."
    )


# -------------------------------------------------------------------------- tensors


@pytest.mark.parametrize(
    ("shape", "strides", "offset"),
    [
        ((2, 3), (3, 1), 0),
        ((3, 2), (1, 3), 0),
        ((2, 2), (5, 2), 1),
        ((3,), (-2,), 11),
        ((2, 3), (0, 1), 4),
        ((), (), 7),
        ((1, 1), (99, 99), 3),
        ((0, 3), (1000, 1000), 0),
    ],
)
def test_a_view_of_storage_reads_by_definition(shape, strides, offset):
    storage = np.arange(12, dtype=np.int16).reshape(3, 4)
    t = AclTensor(shape, "int16", data=storage, strides=strides, offset=offset)
    flat = storage.ravel().tolist()
    wanted = [
        flat[offset + sum(k * s for k, s in zip(i, strides, strict=True))]
        for i in product(*map(range, shape))
    ]
    assert t.array.shape == shape
    assert t.array.ravel().tolist() == wanted


@pytest.mark.parametrize(
    "words",
    [
        {"strides": (4, 2), "shape": (3, 3)},
        {"offset": 12, "shape": (1,), "strides": (1,)},
        {"offset": -1, "shape": (1,), "strides": (1,)},
        {"shape": (2,), "strides": (-1,)},
        {"shape": (13,)},
        {"shape": (2, 2), "strides": (1,)},
        {"shape": (2, 2), "storage_shape": (5, 5)},
        {"shape": (3, 4), "dtype": "float"},
        {"shape": (3, 4), "dtype": "int32", "format": "nchwx"},
        {"shape": (3, 4), "dtype": "int1000"},
        {"shape": (-1,)},
        {"shape": (-1,), "data": None, "strides": (1,)},
        {"shape": (2**70,)},
        {"shape": (1,) * 65},
        {"shape": "x"},
        {"shape": (2,), "strides": (2**63,)},
        {"shape": (2,), "offset": 1.0},
    ],
)
def test_what_is_no_tensor_is_refused(words):
    given = {"dtype": "int16", "data": np.zeros((3, 4), np.int16), **words}
    with pytest.raises(cann.AclnnError) as caught:
        AclTensor(**given)
    assert caught.value.stage == "create"
    assert caught.value.code == 161002


def test_storage_of_scattered_memory_takes_no_strides():
    scattered = np.zeros((4, 6), np.int16)[:, ::2]
    assert AclTensor((4, 3), "int16", data=scattered).array is scattered
    with pytest.raises(cann.AclnnError, match="row-major storage"):
        AclTensor((4, 3), "int16", data=scattered, strides=(3, 1))


def test_other_byte_orders_are_refused():
    with pytest.raises(cann.AclnnError, match="native byte order"):
        cann.aclnn_constant_pad_nd(np.zeros(3, ">f4"), [1, 1], 0, np.zeros(5, ">f4"))


def test_strided_self_and_out():
    """out's other cells stay, and self is read in its logical order."""
    source = np.arange(24, dtype=np.float32).reshape(4, 6)
    self = AclTensor((3, 4), "float", data=source, strides=(1, 6), offset=2)
    room = np.full((5, 14), -1, np.float32)
    out = AclTensor((5, 6), "float", data=room, strides=(14, 2), offset=1)
    made = cann.aclnn_constant_pad_nd(self, [1, 1, 1, 1], 9, out)
    logical = source.T[2:5, :]
    wanted = np.full((5, 6), 9, np.float32)
    wanted[1:4, 1:5] = logical
    assert made.tolist() == wanted.tolist()
    assert room[:, 1:12:2].tolist() == wanted.tolist()
    assert (room[:, 0::2] == -1).all()
    assert room[:, 13].tolist() == [-1] * 5


def test_an_out_whose_cells_overlap_cannot_be_written():
    room = np.zeros(6, np.float32)
    out = AclTensor((2, 4), "float", data=room, strides=(1, 1))
    with pytest.raises(cann.AclnnError, match="two indices in the same memory") as e:
        cann.aclnn_constant_pad_nd(np.zeros((2, 2), np.float32), [1, 1], 0, out)
    assert e.value.stage == "run"


def test_a_read_only_out_cannot_be_written():
    out = np.zeros(4, np.float32)
    out.flags.writeable = False
    with pytest.raises(cann.AclnnError, match="read-only") as caught:
        cann.aclnn_constant_pad_nd(np.zeros(2, np.float32), [1, 1], 0, out)
    assert caught.value.stage == "run"


def test_out_may_share_memory_with_self():
    x = np.arange(6, dtype=np.int32)
    cann.aclnn_constant_pad_nd(x[:4], [2, 0], 7, x)
    assert x.tolist() == [7, 7, 0, 1, 2, 3]


# ----------------------------------------------------------------------- two phases


def test_the_first_phase_needs_no_data():
    self, out = AclTensor((2**40, 3), "float"), AclTensor((2**40, 5), "float")
    size, executor = cann.aclnn_constant_pad_nd_get_workspace_size(self, [1, 1], 0, out)
    assert size == executor.workspace_size == 0
    with pytest.raises(cann.AclnnError, match="self has no data") as caught:
        executor.run(None)
    assert caught.value.stage == "run"
    assert caught.value.name == "ACLNN_ERR_PARAM_NULLPTR"


def test_nothing_is_written_before_the_second_phase():
    x, out = np.ones((1, 2), np.float32), np.zeros((1, 4), np.float32)
    _, executor = cann.aclnn_replication_pad1d_get_workspace_size(x, [1, 1], out)
    assert not out.any()
    x[0, 0] = 5
    assert executor.run() is out or executor.run().base is out.base
    assert out.tolist() == [[5, 5, 1, 1]]


@pytest.mark.parametrize(
    ("door", "x", "widths", "out"),
    [
        ("aclnn_replication_pad1d", (0, 3, 2), [1, 1], (0, 3, 4)),
        ("aclnn_replication_pad1d", (2, 3, 2), [-1, -1], (2, 3, 0)),
        ("aclnn_reflection_pad2d", (0, 3, 2, 2), [1, 1, 0, 0], (0, 3, 2, 4)),
        ("aclnn_reflection_pad3d", (0, 3, 2, 2, 2), [1, 1] * 3, (0, 3, 4, 4, 4)),
    ],
)
def test_empty_batches_do_nothing(door, x, widths, out):
    first = getattr(cann, f"{door}_get_workspace_size")
    _, executor = first(AclTensor(x, "float"), widths, AclTensor(out, "float"))
    assert executor.does_nothing
    assert executor.run() is None


@pytest.mark.parametrize(
    ("door", "x", "widths", "out"),
    [
        ("aclnn_replication_pad1d", (0, 3), [1, 1], (0, 5)),
        ("aclnn_replication_pad1d", (2, 0, 3), [1, 1], (2, 0, 5)),
        ("aclnn_replication_pad1d", (2, 2), [-1, -1], (2, 0)),
        ("aclnn_replication_pad2d", (1, 3, 0, 3), [0, 0, 0, 0], (1, 3, 0, 3)),
        ("aclnn_replication_pad3d", (0, 2, 2, 2), [0] * 6, (0, 2, 2, 2)),
        ("aclnn_reflection_pad1d", (0, 3), [1, 1], (0, 5)),
        ("aclnn_reflection_pad1d", (2, 0, 3), [1, 1], (2, 0, 5)),
        ("aclnn_reflection_pad2d", (0, 2, 2), [1, 1, 1, 1], (0, 4, 4)),
    ],
)
def test_other_empty_tensors_are_refused(door, x, widths, out):
    first = getattr(cann, f"{door}_get_workspace_size")
    with pytest.raises(cann.AclnnError, match="an empty tensor") as caught:
        first(AclTensor(x, "float"), widths, AclTensor(out, "float"))
    assert caught.value.code == 161002


@pytest.mark.parametrize(
    ("shape", "widths", "out", "passes"),
    [
        ((1, 0, 2), [-2, 4], (1, 0, 4), True),
        ((1, 0, 2), [-2, 4, 0, 0], (1, 0, 4), False),
        ((4, 0), [0, 0, -1, -1], (2, 0), True),
        ((4, 0), [1, 1, 1, 1], (6, 2), True),
        ((4, 0), [0, 0, 1, 1], (6, 0), False),
        ((4, 4), [-2, -2], (4, 0), True),
        ((4, 4), [-5, 5], (4, 4), False),
        ((), [], (), True),
    ],
)
def test_constant_pad_of_empty_tensors(shape, widths, out, passes):
    x, room = np.zeros(shape, np.float32), np.full(out, 5, np.float32)
    if not passes:
        with pytest.raises(cann.AclnnError):
            cann.aclnn_constant_pad_nd(x, widths, 2, room)
        return
    made = cann.aclnn_constant_pad_nd(x, widths, 2, room)
    assert made.tolist() == np.full(out, 2 if x.size == 0 else 0, np.float32).tolist()


# --------------------------------------------------------------------------- scalars


def fill(value, dtype, source_dtype=None):
    """The constant that aclnnConstantPadNd writes for a scalar."""
    scalar = AclScalar(value, source_dtype)
    out = np.zeros(1, dtype)
    return cann.aclnn_constant_pad_nd(np.zeros(0, dtype), [1, 0], scalar, out)[0]


@pytest.mark.parametrize("name", C_INTEGERS)
@pytest.mark.parametrize(
    "value", [0, -1, 127, 128, 300, -129, 2**31, -(2**31) - 1, 2**63 - 1, 2**64 - 1]
)
def test_integers_wrap_as_in_c(name, value):
    assert int(fill(value, name)) == C_INTEGERS[name](value).value


@pytest.mark.parametrize(
    ("value", "name", "wanted"),
    [
        (-2.9, "int8", -2),
        (2.9, "uint8", 2),
        (127.99, "int8", 127),
        (-0.5, "uint64", 0),
        (1e18, "int64", 10**18),
    ],
)
def test_floats_lose_their_fraction(value, name, wanted):
    assert int(fill(value, name)) == wanted


@pytest.mark.parametrize(
    ("value", "name"),
    [
        (128.0, "int8"),
        (-1.0, "uint8"),
        (math.nan, "int32"),
        (math.inf, "int64"),
        (1e300, "uint64"),
        (1 + 2j, "float32"),
        (2j, "int16"),
        (complex(1, 0), "float64"),
    ],
)
def test_what_c_leaves_open_is_an_inner_null_pointer(value, name):
    with pytest.raises(cann.AclnnError) as caught:
        fill(value, name)
    assert caught.value.code == cann.AclnnStatus.ACLNN_ERR_INNER_NULLPTR


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        (2, True),
        (0, False),
        (-(2**31), True),
        (0.5, True),
        (-0.0, False),
        (1e-30, True),
    ],
)
def test_a_bool_takes_anything_but_zero_as_true(value, wanted):
    assert bool(fill(value, bool)) is wanted


def test_floats_are_rounded_through_their_own_dtype():
    third = struct.unpack("f", struct.pack("f", 1 / 3))[0]
    assert float(fill(1 / 3, "float64", "float")) == third
    assert float(fill(1 / 3, "float64")) == 1 / 3
    assert float(fill(1e39, "float32")) == math.inf
    assert float(fill(70000, "float16")) == math.inf
    assert math.isnan(float(fill(math.nan, "float16")))


def test_bf16_is_rounded_from_float():
    """The value lies above the middle of two bf16, and as a float on it."""
    value = 1 + 2**-8 + 2**-40
    assert float(fill(value, ml_dtypes.bfloat16)) == 1.0
    assert float(fill(1 + 2**-8 + 2**-20, ml_dtypes.bfloat16)) == 1 + 2**-7


@pytest.mark.parametrize("name", ["complex64", "complex128"])
def test_complex_takes_reals(name):
    assert complex(fill(-3, name)) == -3
    assert complex(fill(1 + 2j, name)) == 1 + 2j


def float8(value, dtype, product="950"):
    kind = np.dtype(dtype)
    out = np.full(1, 0x5A, np.uint8).view(kind)
    x = np.zeros(0, kind)
    cann.aclnn_constant_pad_nd(x, [1, 0], value, out, product=product)
    return out


@pytest.mark.parametrize(
    "dtype",
    [ml_dtypes.float8_e5m2, ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e8m0fnu],
)
def test_zero_of_a_float8_is_zero_bytes(dtype):
    assert float8(0, dtype).view(np.uint8).tolist() == [0]


def test_float8_takes_what_it_holds_and_refuses_the_rest_as_a_parameter():
    assert float(float8(0.5, ml_dtypes.float8_e5m2)[0]) == 0.5
    for value in (1e9, 1j):
        with pytest.raises(cann.AclnnError) as caught:
            float8(value, ml_dtypes.float8_e4m3fn)
        assert caught.value.code == 161002


def test_hifloat8_takes_zero_alone():
    raw = AclTensor((1,), "hifloat8", data=np.array([7], np.uint8))
    out = AclTensor((2,), "hifloat8", data=np.array([9, 9], np.uint8))
    cann.aclnn_constant_pad_nd(raw, [1, 0], 0, out, product="950")
    assert out.data.tolist() == [0, 7]
    with pytest.raises(cann.AclnnError) as caught:
        cann.aclnn_constant_pad_nd(raw, [1, 0], 1, out, product="950")
    assert caught.value.code == 161002


def test_a_value_that_is_not_used_is_not_converted():
    """A plain copy, and an empty out, never ask what the value is."""
    x, out = np.arange(3, dtype=np.int8), np.zeros(3, np.int8)
    cann.aclnn_constant_pad_nd(x, [0, 0], math.nan, out)
    assert out.tolist() == [0, 1, 2]
    cann.aclnn_constant_pad_nd(x, [-3, 0], math.nan, np.zeros(0, np.int8))
    with pytest.raises(cann.AclnnError):
        cann.aclnn_constant_pad_nd(x, [-1, 0], math.nan, np.zeros(2, np.int8))
