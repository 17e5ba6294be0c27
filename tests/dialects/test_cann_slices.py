"""StridedSlice as a graph operator and through its aclnn function, and its gradient."""

from __future__ import annotations

import random
from functools import partial

import numpy as np
import oracle
import pytest

from restride.dialects import cann
from restride.dialects.cann import AclTensor

MASKS = ("begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask")
SETS = 1500


def settings(seed):
    """Random slices of arrays of rank 0 to 3, right and wrong."""
    rng = random.Random(seed)
    for _ in range(SETS):
        shape = tuple(rng.randint(0, 4) for _ in range(rng.randint(0, 3)))
        m = rng.randint(0, 4)
        lists = [[rng.randint(-6, 6) for _ in range(m)] for _ in range(2)]
        strides = [rng.choice((1, 1, 1, -1, 2, -2, 0)) for _ in range(m)]
        masks = {name: rng.choice((0, 0, rng.randrange(32))) for name in MASKS}
        yield shape, (*lists, strides), masks


def wanted(shape, lists, masks):
    """The oracle's choice, or None where the definition refuses."""
    try:
        return oracle.masked(shape, *lists, **masks)
    except oracle.Wrong:
        return None


def taken(x, chosen):
    cells = x[np.ix_(*[c.positions for c in chosen if c.kind != "new"])]
    return cells.reshape([len(c.positions) for c in chosen if c.kind != "drop"])


@pytest.mark.usefixtures("engine")
def test_the_graph_operator_against_the_definition():
    refused = 0
    for shape, lists, masks in settings(seed=1):
        x = np.arange(np.prod(shape, dtype=int), dtype=np.int16).reshape(shape)
        chosen = wanted(shape, lists, masks)
        if chosen is None:
            refused += 1
            with pytest.raises(cann.GraphError) as caught:
                cann.strided_slice(x, *lists, **masks)
            assert caught.value.stage == "infer_shape"
            continue
        made = cann.strided_slice(x, *lists, **masks)
        assert made.tobytes() == taken(x, chosen).tobytes()
        assert made.shape == taken(x, chosen).shape
    assert 200 < refused < SETS - 200


def test_the_aclnn_function_against_the_definition():
    """What the graph operator refuses is refused; zero strides and bad bits earlier."""
    codes = []
    for shape, lists, masks in settings(seed=2):
        x = np.arange(np.prod(shape, dtype=int), dtype=np.int16).reshape(shape)
        chosen = wanted(shape, lists, masks)
        if x.size == 0 or not lists[0]:
            continue  # decided before the slice is looked at, see below
        result = np.zeros(()) if chosen is None else taken(x, chosen)
        out = np.full(result.shape, -1, np.int16)
        call = partial(cann.aclnn_strided_slice, x, *lists, *masks.values(), out)
        if chosen is None or is_refused_earlier(lists[2], masks):
            with pytest.raises(cann.AclnnError) as caught:
                call()
            codes.append(int(caught.value.code))
            earlier = is_refused_earlier(lists[2], masks)
            assert caught.value.code == (161002 if earlier else 561103)
        else:
            assert call().tobytes() == result.tobytes()
    assert min(codes.count(161002), codes.count(561103)) > 50


def is_refused_earlier(strides, masks):
    """A zero stride, two ellipsis bits or a shrink bit whose stride is not above 0."""
    dots, shrink = masks["ellipsis_mask"], masks["shrink_axis_mask"]
    shrunk = [s for k, s in enumerate(strides) if shrink >> k & 1]
    return 0 in strides or bool(dots & (dots - 1)) or min(shrunk, default=1) <= 0


def test_an_empty_self_succeeds_before_the_slice_is_looked_at():
    out = np.full(7, -1, np.int16)
    x = np.zeros((0, 2), np.int16)
    cann.aclnn_strided_slice(x, [9] * 5, [9] * 5, [1] * 5, 0, 0, 0, 0, 31, out)
    assert out.tolist() == [-1] * 7


def test_without_entries_self_is_copied_whatever_the_masks():
    x, out = np.arange(3, dtype=np.int16), np.zeros(3, np.int16)
    cann.aclnn_strided_slice(x, [], [], [], 1, 1, 1, 1, 1, out)
    assert out.tolist() == [0, 1, 2]


@pytest.mark.parametrize(
    ("index", "lists", "masks", "wanted"),
    [
        ("foo[-2::-1]", ([-2], [0], [-1]), {"end_mask": 1}, [3, 2, 1]),
        ("foo[1:4:2]", ([1], [4], [2]), {}, [2, 4]),
        ("foo[3]", ([3], [4], [1]), {"shrink_axis_mask": 1}, 4),
    ],
)
def test_examples_of_the_document(index, lists, masks, wanted):
    x = np.array([1, 2, 3, 4])
    assert cann.strided_slice(x, *lists, **masks).tolist() == wanted, index


def test_the_documents_worked_example():
    shape = cann.infer_shape_strided_slice(
        (5,) * 6,
        [1, 2, 0, 0, 0, 0],
        [2, 4, 0, 0, -3, 0],
        [1, 1, 1, 1, -1, 1],
        begin_mask=48,
        end_mask=32,
        ellipsis_mask=8,
        new_axis_mask=4,
        shrink_axis_mask=1,
    )
    assert shape == (2, 1, 5, 5, 2, 5)


@pytest.mark.parametrize(
    "lists",
    [
        ([0], [1, 1], [1]),
        ([0], [1], [1, 1]),
        ([0.5], [1], [1]),
        (None, [1], [1]),
        ([[0]], [[1]], [[1]]),
        (np.zeros(1), np.ones(1), np.ones(1)),
        (np.zeros(1, np.int16), [1], [1]),
        ([2**63], [1], [1]),
        ("0", "1", "1"),
    ],
)
def test_lists_that_name_no_slice(lists):
    with pytest.raises(cann.GraphError) as caught:
        cann.strided_slice(np.zeros(4), *lists)
    assert caught.value.stage == "infer_shape"


def test_products_of_the_graph_operator():
    x = np.arange(3, dtype=np.float64)
    assert cann.strided_slice(x, [1], [3], [1], product="A2").tolist() == [1, 2]
    half = AclTensor((3,), "bf16")
    assert cann.strided_slice(half, [1], [3], [1]).shape == (2,)
    with pytest.raises(cann.GraphError) as caught:
        cann.strided_slice(half, [1], [3], [1], product="Atlas 训练系列产品")
    assert caught.value.stage == "tiling"


def test_the_aclnn_function_lives_on_the_950_alone():
    x, out = np.zeros(3, np.float32), np.zeros(2, np.float32)
    given = x, [0], [2], [1], 0, 0, 0, 0, 0, out
    for on in (None, "950"):
        assert cann.aclnn_strided_slice(*given, product=on) is out
    for on in ("A3", "A2", "training", "inference", "200I/500 A2"):
        with pytest.raises(cann.AclnnError) as caught:
            cann.aclnn_strided_slice(*given, product=on)
        assert caught.value.code == 161002


def test_two_one_element_shapes_count_as_equal():
    x, out = np.array([[5.0]], np.float32), np.zeros((1, 1, 1), np.float32)
    cann.aclnn_strided_slice(x, [0], [1], [1], 0, 0, 0, 0, 1, out)
    assert out.tolist() == [[[5.0]]]


def test_a_copy_compares_shapes_when_it_runs():
    first = cann.aclnn_strided_slice_get_workspace_size
    x, out = np.zeros((2, 2), np.float32), np.zeros(3, np.float32)
    _, executor = first(x, [], [], [], 0, 0, 0, 0, 0, out)
    with pytest.raises(cann.AclnnError, match="they must be equal") as caught:
        executor.run()
    assert caught.value.stage == "run"


# ------------------------------------------------------------------------- gradient


def test_the_gradient_against_the_definition():
    ran = 0
    for shape, lists, masks in settings(seed=3):
        chosen = wanted(shape, lists, masks)
        if chosen is None:
            continue
        at = np.arange(np.prod(shape, dtype=int)).reshape(shape)
        cells = taken(at, chosen)
        dy = -1.0 - np.arange(cells.size).reshape(cells.shape)
        made = cann.strided_slice_grad(list(shape), *lists, dy, **masks)
        flat = np.zeros(at.size)
        flat[cells.ravel()] = dy.ravel()
        assert made.tobytes() == flat.tobytes()
        assert made.shape == shape
        ran += 1
    assert ran > 400


def test_the_gradient_keeps_negative_zeros():
    made = cann.strided_slice_grad([2], [0], [1], [1], np.array([-0.0]))
    assert np.signbit(made).tolist() == [True, False]


@pytest.mark.parametrize(
    ("given", "stage"),
    [
        (([4], [0], [2], [1], np.zeros(3)), "tiling"),
        (([4], [0], [2], [0], np.zeros(2)), "tiling"),
        (([4], [0], [2, 2], [1], np.zeros(2)), "tiling"),
        (([[4]], [0], [2], [1], np.zeros(2)), "infer_shape"),
        (([-4], [0], [2], [1], np.zeros(2)), "infer_shape"),
        (([2**62], [0], [2], [1], np.zeros(2)), "run"),
    ],
)
def test_gradients_that_are_refused(given, stage):
    with pytest.raises(cann.GraphError) as caught:
        cann.strided_slice_grad(*given)
    assert caught.value.stage == stage


def test_products_of_the_gradient():
    dy = np.zeros(1, np.int8)
    given = [2], [0], [1], [1], dy
    assert cann.strided_slice_grad(*given, product="A3").tolist() == [0, 0]
    with pytest.raises(cann.GraphError):
        cann.strided_slice_grad(*given, product="inference")
