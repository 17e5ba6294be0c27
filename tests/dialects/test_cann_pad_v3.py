"""PadV3: the document's examples and bounds, modes, shape inference, tiling, oracle."""

from __future__ import annotations

from itertools import product

import ml_dtypes
import numpy as np
import oracle
import pytest

from restride.dialects import cann
from restride.dialects.cann import AclTensor

X = np.array([[0, 1, 2]], np.int32)
ORACLE_MODES = {
    "constant": "constant",
    "edge": "edge",
    "REFLECT": "reflect",
    "SYMMETRIC": "symmetric",
    "circular": "wrap",
}


def refused(stage, **words):
    given = {"x": X, "paddings": [[0, 0], [2, 2]], **words}
    with pytest.raises(cann.GraphError) as caught:
        cann.pad_v3(given.pop("x"), given.pop("paddings"), **given)
    assert stage in (caught.value.stage, None)
    assert caught.value.code.name == "GRAPH_FAILED"
    return str(caught.value)


# ------------------------------------------------------------------------- document


@pytest.mark.parametrize(
    ("mode", "wanted"),
    [
        ("REFLECT", [2, 1, 0, 1, 2, 1, 0]),
        ("SYMMETRIC", [1, 0, 0, 1, 2, 2, 1]),
        ("constant", [0, 0, 0, 1, 2, 0, 0]),
        ("edge", [0, 0, 0, 1, 2, 2, 2]),
    ],
)
def test_the_documents_example(mode, wanted):
    """Its paddings ``[2,2]`` are read as [[0,0],[2,2]], so that its shape holds."""
    assert cann.pad_v3(X, [[0, 0], [2, 2]], mode=mode).tolist() == [wanted]


@pytest.mark.parametrize(
    ("contiguous", "paddings"),
    [(True, [[2, 2], [1, 1]]), (False, [[2, 1], [2, 1]]), (False, [2, 1, 2, 1])],
)
def test_the_documents_two_orders_of_paddings(contiguous, paddings):
    made = cann.pad_v3(X, paddings, paddings_contiguous=contiguous)
    assert made.shape == (5, 5)


def test_column_major_paddings_are_all_lefts_then_all_rights():
    """The document's own example is symmetric and shows nothing."""
    made = cann.pad_v3(X, [[0, 1], [2, 3]], paddings_contiguous=False)
    assert made.tolist() == [[0, 0, 1, 2, 0, 0, 0], [0] * 7, [0] * 7]


@pytest.mark.parametrize(("mode", "most"), [("REFLECT", 2), ("SYMMETRIC", 3)])
@pytest.mark.parametrize("side", [0, 1])
def test_the_documents_bounds(mode, most, side):
    pair = [0, 0]
    pair[side] = most
    assert cann.pad_v3(X, [[0, 0], pair], mode=mode).shape == (1, 3 + most)
    pair[side] = most + 1
    assert f"at most {most}" in refused("tiling", mode=mode, paddings=[[0, 0], pair])


def test_constant_and_edge_have_no_upper_bound():
    for mode in ("constant", "edge"):
        assert cann.pad_v3(X, [[0, 0], [50, 0]], mode=mode).shape == (1, 53)


@pytest.mark.parametrize(
    "dtype",
    [
        "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64",
        "float16", "float32", "float64", "bool", ml_dtypes.bfloat16,
    ],
)  # fmt: skip
def test_the_documents_thirteen_dtypes(dtype):
    x = np.ones((1, 2), dtype)
    for on in ("950", "A3", "A2"):
        made = cann.pad_v3(x, [0, 0, 1, 0], np.ones(1, dtype), product=on)
        assert made.tobytes() == np.ones((1, 3), dtype).tobytes()


# ---------------------------------------------------------------------------- modes


def test_two_modes_have_a_lower_case_alias():
    for upper in ("REFLECT", "SYMMETRIC"):
        made = [cann.pad_v3(X, [0, 0, 2, 1], mode=m) for m in (upper, upper.lower())]
        assert made[0].tobytes() == made[1].tobytes()


@pytest.mark.parametrize(
    "mode", ["Reflect", "EDGE", "CONSTANT", "wrap", "circular", "", None, 3, b"edge"]
)
def test_other_spellings_are_refused(mode):
    assert "is not known" in refused("tiling", mode=mode)
    assert "is not known" in refused("tiling", mode=mode, product="A2")


def test_a_mistyped_mode_is_recognised() -> None:
    said = refused("tiling", mode="reflct")
    assert said.endswith("Is 'reflect' meant?")
    assert "circular" in refused("tiling", mode="circular")


@pytest.mark.parametrize(
    "words",
    [{"product": "950"}, {"product": "Ascend 950PR"}, {"source_modes": True}],
)
def test_circular_where_the_source_has_it(words):
    made = cann.pad_v3(X, [0, 0, 2, 1], mode="circular", **words)
    assert made.tolist() == [[1, 2, 0, 1, 2, 0]]
    wide = refused("tiling", mode="circular", paddings=[0, 0, 4, 0], **words)
    assert "mode circular allows at most 3" in wide


@pytest.mark.parametrize(
    ("dtype", "on"),
    [(ml_dtypes.bfloat16, "inference"), (ml_dtypes.float8_e5m2, "A2")],
)
def test_a_product_refuses_a_dtype_it_lacks(dtype, on):
    x = X.astype(dtype)
    assert "does not take" in refused("tiling", x=x, product=on)
    assert cann.pad_v3(x, [0, 0, 1, 1]).shape == (1, 5)


# ------------------------------------------------------------------------ constants


@pytest.mark.parametrize("constant", [7, [7], np.array([7], np.int32)])
def test_constants(constant):
    assert cann.pad_v3(X, [0, 0, 1, 0], constant).tolist() == [[7, 0, 1, 2]]


@pytest.mark.parametrize("constant", [None, [], np.zeros(0, np.int32)])
def test_an_empty_constant_is_zero(constant):
    assert cann.pad_v3(X, [0, 0, 1, 0], constant).tolist() == [[0, 0, 1, 2]]


@pytest.mark.parametrize(
    "constant",
    [
        np.zeros(1),
        np.zeros(2, np.int32),
        [1, 2],
        1.5,
        "x",
        2**40,
        AclTensor((1,), "int32"),
    ],
)
def test_constants_that_x_does_not_take(constant):
    refused("tiling", constant_values=constant)


def test_constants_count_in_constant_mode_only():
    made = cann.pad_v3(X, [0, 0, 1, 0], np.zeros(1), mode="edge")
    assert made.tolist() == [[0, 0, 1, 2]]


def test_a_nan_constant_keeps_its_bits():
    bits = np.array([0xFFC12345], np.uint32)
    made = cann.pad_v3(np.zeros(1, np.float32), [1, 0], bits.view(np.float32))
    assert made.view(np.uint32).tolist() == [0xFFC12345, 0]


# ------------------------------------------------------------------ shape inference


@pytest.mark.parametrize(
    ("paddings", "contiguous"),
    [
        ([2, 2], True),
        ([[2, 2]], True),
        ([[0, 0, 0, 0]], True),
        ([[0], [0], [0], [0]], True),
        ([[0, 0], [0, 0], [0, 0]], True),
        ([0, 0, 0], True),
        ([], True),
        (5, True),
        ([[0, 0], [0]], True),
        (np.zeros((2, 2)), True),
        (np.zeros((2, 2), np.int8), True),
        (np.zeros((2, 2), bool), True),
        ([0, 0, 0, 1.0], True),
        ([0, 0, 0, True], True),
        ([0, 0, 0, 2**63], True),
        ("0000", True),
        (None, True),
        ([[0, 0], [0, 0]], 1),
        ([[0, 0], [0, 0]], None),
        ([0, 0, -2, -2], True),
    ],
)
def test_paddings_that_infer_no_shape(paddings, contiguous):
    refused("infer_shape", paddings=paddings, paddings_contiguous=contiguous)


def test_a_table_must_be_the_right_way_round():
    x = np.zeros((1, 2, 3), np.int32)
    rows, columns = [[0, 0]] * 3, [[0, 0, 0]] * 2
    assert cann.pad_v3(x, rows).shape == x.shape
    assert cann.pad_v3(x, columns, paddings_contiguous=False).shape == x.shape
    refused("infer_shape", x=x, paddings=columns)
    refused("infer_shape", x=x, paddings=rows, paddings_contiguous=False)


def test_rank_0_is_refused():
    refused("infer_shape", x=np.zeros((), np.int32), paddings=[])


@pytest.mark.parametrize(
    ("shape", "paddings", "wanted"),
    [
        ((-2,), [9, 9, 9], (-2,)),
        ((2, 3), None, (-1, -1)),
        ((2, 3), AclTensor((4,), "int32"), (-1, -1)),
        ((-1, 3), [1, 1, 0, -1], (-1, 2)),
        ([2, 3], [[1, 1], [0, -3]], (4, 0)),
        (AclTensor((5,), "hifloat8"), np.array([1, 1], np.int32), (7,)),
    ],
)
def test_shape_inference_alone(shape, paddings, wanted):
    assert cann.infer_shape_pad_v3(shape, paddings) == wanted


def test_unknown_extents_wait_for_tiling():
    x = AclTensor((-1, 3), "float")
    assert cann.pad_v3(x, [1, 1, 1, 1], mode="edge").shape == (-1, 5)
    known = AclTensor((2, 3), "float")
    assert cann.pad_v3(known, AclTensor((4,), "int64")).shape == (-1, -1)
    assert cann.pad_v3(AclTensor((-2,), "float"), [1, 1]).shape == (-2,)
    with pytest.raises(cann.GraphError, match="an extent is 0 or more") as caught:
        cann.tiling_pad_v3(x, [1, 1, 1, 1])
    assert caught.value.stage == "tiling"
    refused("infer_shape", x=AclTensor((-3, 3), "float"))
    refused("infer_shape", paddings=AclTensor((4,), "int64"))


def test_other_operators_need_known_extents():
    x = AclTensor((-1, 3), "float")
    with pytest.raises(cann.GraphError):
        cann.strided_slice(x, [0], [1], [1])
    with pytest.raises(cann.GraphError):
        cann.pad_v3_grad(x, [0, 0, 0, 0])
    with pytest.raises(cann.AclnnError) as caught:
        cann.aclnn_constant_pad_nd(x, [0, 0], 0, x)
    assert caught.value.code == 161002


def test_the_mode_is_not_looked_at_before_tiling():
    assert "infer_shape" in refused("infer_shape", paddings=[0], mode="mirror")


# --------------------------------------------------------------------------- tiling


@pytest.mark.parametrize(
    ("x", "pair", "mode", "passes"),
    [
        ((0,), (0, 0), "edge", True),
        ((0,), (1, 0), "edge", False),
        ((0,), (2, 1), "constant", True),
        ((0,), (0, 0), "REFLECT", False),
        ((0,), (0, 0), "SYMMETRIC", True),
        ((0,), (1, 0), "SYMMETRIC", False),
        ((0,), (0, 0), "circular", True),
        ((3,), (-3, 0), "constant", True),
        ((3,), (-4, 1), "constant", False),
        ((3,), (2, -4), "edge", False),
        ((3,), (-2, -1), "edge", True),
        ((3,), (-4, 4), "edge", False),
        ((1,) * 8, (0, 0), "constant", True),
        ((1,) * 9, (0, 0), "constant", False),
    ],
)
def test_bounds_of_tiling(x, pair, mode, passes):
    array, flat = np.zeros(x, np.float32), [*pair] * len(x)
    if passes:
        made = cann.pad_v3(array, flat, mode=mode, source_modes=True)
        assert made.shape == tuple(n + sum(pair) for n in x)
    else:
        refused("tiling", x=array, paddings=flat, mode=mode, source_modes=True)


@pytest.mark.parametrize(
    ("shape", "paddings", "passes"),
    [
        ((2, 3, 4), [1, 1, 1, 1, 2, 2], True),
        ((2, 3, 5), [2] * 6, False),
        ((2, 3, 4), [2, 2, 1, 2, 2, 1], False),
        ((2, 3, 4), [2, 2, 1, 2, 1, 2], False),
        ((2, 3, 4), [0, 0, 1, 1, 0, 0], True),  # dims 1 and 2 count as one of 12
        ((2, 3, 5), [0, 0, 2, 2, 0, 0], False),
        ((2, 3, 4), [-1, 1, 0, 0, 2, 2], False),
    ],
)
def test_float4_pads_whole_bytes(shape, paddings, passes):
    x = AclTensor(shape, "float4_e2m1")
    if passes:
        made = cann.pad_v3(x, paddings, product="950")
        assert isinstance(made, AclTensor)
        assert made.array is None
    else:
        refused("tiling", x=x, paddings=paddings, product="950")


def test_float8_takes_no_crop():
    x = AclTensor((2,), "hifloat8", data=np.array([1, 2], np.uint8))
    assert cann.pad_v3(x, [1, 0]).tolist() == [0, 1, 2]
    assert cann.pad_v3(x, [-1, 0], mode="edge").tolist() == [2]
    refused("tiling", x=x, paddings=[-1, 0])


def test_tiling_can_be_asked_alone():
    with pytest.raises(cann.GraphError) as caught:
        cann.tiling_pad_v3(X, [0, 0, -3, -3])
    assert caught.value.stage == "tiling"
    assert cann.tiling_pad_v3(X, [0, 0, -3, 0]) is None


# --------------------------------------------------------------------------- oracle


def is_allowed(n, before, after, mode):
    """The bounds of the document, and that no side crops more than there is."""
    widest, cropped = max(before, after), min(before, after, before + after)
    if n + cropped < 0:
        return False
    if mode == "REFLECT":
        return widest < n
    if mode in ("SYMMETRIC", "circular"):
        return widest <= n
    return mode == "constant" or n > 0 or before == after == 0


@pytest.mark.usefixtures("engine")
@pytest.mark.parametrize("mode", ORACLE_MODES)
def test_against_the_definition(mode):
    """Every extent to 3 beside one of 2, and every pair of widths from -3 to 4."""
    ran = 0
    for n, before, after in product(range(4), range(-3, 5), range(-3, 5)):
        x = np.arange(2 * n, dtype=np.int64).reshape(n, 2) + 1
        paddings = [[before, after], [1, 0]]
        if not is_allowed(n, before, after, mode):
            refused(None, x=x, paddings=paddings, mode=mode, source_modes=True)
            continue
        made = cann.pad_v3(x, paddings, 9, mode=mode, source_modes=True)
        cells = oracle.Tensor(x.shape, x.ravel().tolist())
        wanted = oracle.pad(cells, [(before, after), (1, 0)], ORACLE_MODES[mode], 9)
        assert made.shape == wanted.shape
        assert made.ravel().tolist() == wanted.cells
        ran += 1
    assert ran > 40
