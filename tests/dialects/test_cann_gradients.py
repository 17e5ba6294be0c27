"""Backward of the pads: each gradient added where its element was copied from."""

from __future__ import annotations

from itertools import product

import ml_dtypes
import numpy as np
import oracle
import pytest

from restride.dialects import cann
from restride.dialects.cann import AclTensor

BACKWARD_MODES = {"replication": "edge", "reflection": "reflect"}
GRAD_MODES = {
    "reflect": "reflect",
    "edge": "edge",
    "constant": "constant",
    "symmetric": "symmetric",
    "circular": "wrap",
}


def added(gradient, shape, pairs, mode):
    """The sum by definition: one addition per element of the gradient, in order."""
    at = oracle.numbered(shape)
    read = oracle.pad(at, pairs, mode, None).cells
    total = [0] * len(at.cells)
    for source, value in zip(read, gradient.ravel().tolist(), strict=True):
        if source is not None:
            total[source] += value
    return total


def reversed_pairs(padding, rank):
    pairs = [(0, 0)] * rank
    for k in range(len(padding) // 2):
        pairs[rank - 1 - k] = (padding[2 * k], padding[2 * k + 1])
    return pairs


@pytest.mark.parametrize("kind", BACKWARD_MODES)
@pytest.mark.parametrize("k", [1, 2, 3])
@pytest.mark.parametrize("batch", [False, True])
def test_against_the_definition(kind, k, batch):
    shape = (2,) * batch + (1,) + (3, 2, 4)[:k]
    door = getattr(cann, f"aclnn_{kind}_pad{k}d_backward")
    ran = 0
    for padding in product((0, 1, 3), (1, -1), *[(0, 1)] * (2 * k - 2)):
        pairs = reversed_pairs(padding, len(shape))
        grown = [n + sum(p) for n, p in zip(shape, pairs, strict=True)]
        gradient = np.arange(np.prod(grown), dtype=np.float64).reshape(grown) + 1
        made = np.full(shape, -1.0)
        mode = BACKWARD_MODES[kind]
        mirrored = any(max(p) >= n for n, p in zip(shape, pairs, strict=True))
        if mode == "reflect" and mirrored:
            with pytest.raises(cann.AclnnError, match="below the extent"):
                door(gradient, np.zeros(shape), padding, made)
            continue
        door(gradient, np.zeros(shape), padding, made)
        assert made.ravel().tolist() == added(gradient, shape, pairs, mode)
        ran += 1
    assert ran > 1


def test_examples_of_the_documents():
    """gradOutput of ones; padding [1, 1], and [1, 1, 0, 0] in two dims."""
    ones, x = np.ones((1, 5), np.float32), np.array([[0, 1, 2]], np.float32)
    made = cann.aclnn_replication_pad1d_backward(ones, x, [1, 1], x.copy())
    assert made.tolist() == [[2, 1, 2]]
    made = cann.aclnn_reflection_pad1d_backward(ones, x, [1, 1], x.copy())
    assert made.tolist() == [[1, 3, 1]]
    ones, x = np.ones((1, 1, 7), np.float32), np.ones((1, 1, 5), np.float32)
    made = cann.aclnn_replication_pad2d_backward(ones, x, [1, 1, 0, 0], x.copy())
    assert made.tolist() == [[[2, 1, 1, 1, 2]]]
    made = cann.aclnn_reflection_pad2d_backward(ones, x, [1, 1, 0, 0], x.copy())
    assert made.tolist() == [[[1, 2, 1, 2, 1]]]


@pytest.mark.parametrize("dtype", [np.float16, ml_dtypes.bfloat16])
def test_short_floats_are_summed_in_float(dtype):
    """4096 + 1 + 1 ... loses every 1 in 16 bits, and none in 32."""
    gradient = np.ones((1, 4097), dtype)
    gradient[0, 0] = 4096
    x, made = np.zeros((1, 1), dtype), np.zeros((1, 1), dtype)
    cann.aclnn_replication_pad1d_backward(gradient, x, [4096, 0], made)
    assert float(made[0, 0]) == float(np.float32(8192).astype(dtype))


@pytest.mark.parametrize(
    ("padding", "passes"),
    [
        ([7, 7, 7, 7], True),
        ([8, 0, 0, 0], True),
        ([8, 0, 1, 0], False),
        ([0, 0, 8, 0], False),
        ([-1, 0, 0, 0], False),
    ],
)
@pytest.mark.parametrize("kind", BACKWARD_MODES)
def test_bf16_in_two_dims_is_bounded(kind, padding, passes):
    left, right, top, bottom = padding
    grown = (1, 9 + top + bottom, 9 + left + right)
    tensors = AclTensor(grown, "bf16"), AclTensor((1, 9, 9), "bf16")
    first = getattr(cann, f"aclnn_{kind}_pad2d_backward_get_workspace_size")
    if passes:
        assert first(*tensors, padding, tensors[1])[0] == 0
    else:
        with pytest.raises(cann.AclnnError, match="in bf16"):
            first(*tensors, padding, tensors[1])


@pytest.mark.parametrize(
    ("kind", "k", "shape", "passes"),
    [
        ("reflection", 1, (0, 3), True),
        ("replication", 1, (0, 3), False),
        ("reflection", 1, (3, 0), False),
        ("replication", 1, (0, 2, 3), True),
        ("replication", 1, (2, 0, 3), False),
        ("reflection", 2, (0, 3, 3), True),
        ("replication", 2, (0, 3, 3), False),
        ("replication", 2, (0, 1, 3, 3), True),
        ("reflection", 2, (1, 0, 3, 3), False),
        ("reflection", 3, (0, 3, 3, 3), False),
        ("reflection", 3, (0, 1, 3, 3, 3), True),
    ],
)
def test_empty_tensors(kind, k, shape, passes):
    first = getattr(cann, f"aclnn_{kind}_pad{k}d_backward_get_workspace_size")
    t = AclTensor(shape, "float")
    if passes:
        assert first(t, t, [0] * (2 * k), t)[1].does_nothing
        return
    with pytest.raises(cann.AclnnError) as caught:
        first(t, t, [0] * (2 * k), t)
    assert caught.value.code == 161002


def test_strided_gradients():
    gradient = AclTensor(
        (2, 5), "float", data=np.ones((5, 2), np.float32), strides=(1, 2)
    )
    room = np.full((2, 6), -1, np.float32)
    made = AclTensor((2, 3), "float", data=room, strides=(6, 2), offset=1)
    cann.aclnn_reflection_pad1d_backward(
        gradient, AclTensor((2, 3), "float"), [1, 1], made
    )
    assert room.tolist() == [[-1, 1, -1, 3, -1, 1]] * 2


# ------------------------------------------------------------------------- PadV3Grad


def within(n, m, before, after, mode):
    """The bounds of the mode on extents n and m of y, the second padded by (1, 0).

    Neither side may be above the gradient's extent either.
    """
    widest = max(before, after)
    if widest > n + before + after:
        return False
    if mode == "reflect":
        return widest < n
    if mode in ("symmetric", "circular"):
        return widest <= n and m >= 1
    return mode == "constant" or n > 0 or before == after == 0


@pytest.mark.parametrize("mode", GRAD_MODES)
def test_pad_v3_grad_against_the_definition(mode):
    ran = 0
    for n, before, after in product(range(5), range(-2, 4), range(-2, 4)):
        shape, pairs = (n, 2), [(before, after), (1, 0)]
        grown = (n + before + after, 3)
        if min(grown) < 0:
            continue
        gradient = np.arange(np.prod(grown), dtype=np.int64).reshape(grown) + 1
        if not within(n, 2, before, after, mode):
            with pytest.raises(cann.GraphError, match="tiling"):
                cann.pad_v3_grad(gradient, pairs, mode=mode)
            continue
        made = cann.pad_v3_grad(gradient, pairs, mode=mode)
        assert made.shape == shape
        assert made.ravel().tolist() == added(gradient, shape, pairs, GRAD_MODES[mode])
        ran += 1
    assert ran > 20


@pytest.mark.parametrize(
    ("words", "stage"),
    [
        ({"paddings": [3, 3]}, "infer_shape"),
        ({"paddings": [1]}, "infer_shape"),
        ({"x": np.zeros(()), "paddings": []}, "infer_shape"),
        ({"mode": "REFLECT"}, "tiling"),
        ({"mode": "wrap"}, "tiling"),
        ({"x": np.zeros((1,) * 6), "paddings": [0] * 12}, "tiling"),
        ({"x": np.zeros((1,) * 9), "paddings": [0] * 18, "mode": "edge"}, "tiling"),
        ({"paddings": [2, 1]}, "tiling"),
        ({"paddings": [6, -2], "mode": "constant"}, "tiling"),
        ({"product": "A2", "x": np.zeros(5, np.int8)}, "tiling"),
        ({"product": "inference"}, "tiling"),
        ({"x": np.zeros(5, "M8[s]")}, "infer_shape"),
        ({"x": np.zeros(5, ml_dtypes.float8_e5m2)}, "run"),
    ],
)
def test_pad_v3_grad_refuses(words, stage):
    given = {"x": np.zeros(5), "paddings": [1, 1], **words}
    x, paddings = given.pop("x"), given.pop("paddings")
    with pytest.raises(cann.GraphError) as caught:
        cann.pad_v3_grad(x, paddings, **given)
    assert caught.value.stage == stage


def test_constant_mode_has_more_dims():
    assert cann.pad_v3_grad(np.zeros((1,) * 8), [0] * 16, mode="constant").ndim == 8
