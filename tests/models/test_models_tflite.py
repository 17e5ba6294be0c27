"""TensorFlow Lite files: every operator, what it moves, and files that are none."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("tflite")

from tf_moved import moved, run, steps_of
from tflite_files import (
    Op,
    Subgraph,
    Tensor,
    constant,
    mirror_options,
    model_bytes,
    strided_slice_options,
)

from restride.errors import RestrideError
from restride.models.errors import ModelError
from restride.models.known import Node
from restride.models.movements.movement import AtRunTimeError
from restride.models.movements.tf_names import LITE_NAMES
from restride.models.tflite.walk import walk_tflite

CASES = Path(__file__).parent.parent / "cases" / "models"
STRIDED_SLICE, PAD, MIRROR_PAD, PADV2, RESHAPE, TILE = 45, 34, 100, 60, 22, 69


def nodes(data: bytes) -> list[Node]:
    return list(walk_tflite(data, "m.tflite"))


def one(tensors: list[Tensor], op: Op) -> Node:
    [found] = nodes(model_bytes(Subgraph(tensors, [op])))
    return found


def ramp(*shape: int) -> np.ndarray[Any, Any]:
    return np.arange(np.prod(shape), dtype=np.float32).reshape(shape)


def test_a_strided_slice_with_every_mask() -> None:
    lists = ([9, 1, 0, 3], [0, 3, 0, 4], [1, 1, 1, 1])
    tensors = [
        Tensor("x", (4, 5, 6)),
        *(constant(f"c{k}", values) for k, values in enumerate(lists)),
        Tensor("y", (1, 2, 5)),
    ]
    options = strided_slice_options(
        BeginMask=4, EllipsisMask=4, NewAxisMask=1, ShrinkAxisMask=8, EndMask=0
    )
    node = one(tensors, Op(STRIDED_SLICE, [0, 1, 2, 3], [4], 8, options))
    x = ramp(4, 5, 6)
    assert np.array_equal(run(node, x), x[None, 1:3, ..., 3])
    assert node.opset == 8
    assert node.attributes["ellipsis_mask"] == 4


def test_an_offset_counts_the_end_from_the_begin() -> None:
    tensors = [
        Tensor("x", (8,)),
        *(constant(f"c{k}", [v]) for k, v in enumerate((3, 4, 2))),
        Tensor("y", (2,)),
    ]
    options = strided_slice_options(Offset=1)
    node = one(tensors, Op(STRIDED_SLICE, [0, 1, 2, 3], [4], 8, options))
    assert run(node, ramp(8)).tolist() == [3, 5]


def test_a_quantised_pad_writes_its_zero_point() -> None:
    """kernels/pad.cc: what stands for 0 in the result's own quantisation."""
    tensors = [
        Tensor("x", (2, 2), "int8", zero_point=3),
        constant("p", [[0, 1], [1, 0]]),
        Tensor("y", (3, 3), "int8", zero_point=3),
    ]
    node = one(tensors, Op(PAD, [0, 1], [2], 2))
    x = np.array([[1, 2], [4, 5]], np.int8)
    assert run(node, x).tolist() == [[3, 1, 2], [3, 4, 5], [3, 3, 3]]


def test_a_pad_v2_writes_its_constant() -> None:
    tensors = [
        Tensor("x", (2,), "int64"),
        constant("p", [[1, 2]]),
        constant("v", -7, "int64"),
        Tensor("y", (5,), "int64"),
    ]
    node = one(tensors, Op(PADV2, [0, 1, 2], [3], 2))
    assert run(node, np.array([1, 2])).tolist() == [-7, 1, 2, -7, -7]


@pytest.mark.parametrize(("mode", "numpy"), [(0, "reflect"), (1, "symmetric")])
def test_a_mirror_pad_of_either_mode(mode: int, numpy: Any) -> None:
    tensors = [
        Tensor("x", (3, 4)),
        constant("p", [[2, 0], [1, 3]]),
        Tensor("y", (5, 8)),
    ]
    node = one(tensors, Op(MIRROR_PAD, [0, 1], [2], 1, mirror_options(mode)))
    x = ramp(3, 4)
    assert np.array_equal(run(node, x), np.pad(x, [(2, 0), (1, 3)], numpy))


def test_a_mirror_wider_than_its_axis_is_refused() -> None:
    tensors = [Tensor("x", (3,)), constant("p", [[3, 0]]), Tensor("y", (6,))]
    node = one(tensors, Op(MIRROR_PAD, [0, 1], [2], 1, mirror_options(0)))
    with pytest.raises(RestrideError, match="REFLECT allows 2"):
        steps_of(node)


def test_free_extents_stay_free() -> None:
    tensors = [
        Tensor("x", (1, 4), signature=(-1, 4)),
        constant("p", [[0, 0], [1, 1]]),
        Tensor("y", (1, 6), signature=(-1, 6)),
    ]
    node = one(tensors, Op(PAD, [0, 1], [2]))
    assert node.inputs[0] is not None
    assert node.inputs[0].shape == (None, 4)
    ((pad,),) = steps_of(node)
    assert pad.pairs == ((0, 0), (1, 1))


def test_a_tile_of_free_extents_is_known_when_it_runs() -> None:
    tensors = [
        Tensor("x", (1, 4), signature=(-1, 4)),
        constant("m", [2, 3]),
        Tensor("y", (2, 12), signature=(-1, 12)),
    ]
    node = one(tensors, Op(TILE, [0, 1], [2]))
    with pytest.raises(AtRunTimeError, match="the shape is known when it runs"):
        steps_of(node)


def test_parameters_computed_at_run_time_are_not_known() -> None:
    tensors = [Tensor("x", (4,)), Tensor("p", (1, 2), "int32"), Tensor("y", (6,))]
    node = one(tensors, Op(PAD, [0, 1], [2]))
    with pytest.raises(AtRunTimeError, match="paddings comes from"):
        steps_of(node)


def test_every_subgraph_is_walked() -> None:
    inner = Subgraph(
        [Tensor("a", (2, 2)), constant("p", [[1, 1], [0, 0]]), Tensor("b", (4, 2))],
        [Op(PAD, [0, 1], [2])],
        "body",
    )
    outer = Subgraph([Tensor("x", (4,)), Tensor("y", (2, 2))], [Op(RESHAPE, [0], [1])])
    found = nodes(model_bytes(outer, inner))
    assert [(n.scope, n.op) for n in found] == [((), "RESHAPE"), (("body",), "PAD")]


def test_what_the_converter_wrote_moves_as_its_shapes_say() -> None:
    found = nodes((CASES / "movements.tflite").read_bytes())
    assert {n.op for n in found} == set(LITE_NAMES) - {
        *("DYNAMIC_UPDATE_SLICE", "EXPAND_DIMS", "SQUEEZE")
    }
    for node in found:
        shapes = [None if o is None else o.shape for o in node.outputs]
        assert [chain.shape for chain in moved(node)] == shapes, node.where


def test_branches_are_subgraphs() -> None:
    found = nodes((CASES / "branches.tflite").read_bytes())
    inside = [n for n in found if n.scope]
    assert {n.op for n in inside} == {"STRIDED_SLICE", "MIRROR_PAD"}
    assert all("cond" in n.scope[0] for n in inside)


# ----------------------------------------------------------------- hostile files


def test_a_file_cut_off_anywhere_is_one_error_or_a_sound_part() -> None:
    data = (CASES / "movements.tflite").read_bytes()
    told = []
    for end in range(0, len(data), 97):
        try:
            nodes(data[:end])
        except ModelError as error:
            told.append(str(error))
    assert len(told) > 60
    assert not any("\n" in line or "unpack" in line for line in told)


def test_damaged_files_raise_nothing_but_our_error() -> None:
    data = (CASES / "branches.tflite").read_bytes()
    rng = np.random.default_rng(5)
    for _ in range(150):
        bad = bytearray(data)
        for at in rng.integers(0, len(bad), 3):
            bad[at] = rng.integers(0, 256)
        with contextlib.suppress(ModelError):
            for node in nodes(bytes(bad)):
                with contextlib.suppress(RestrideError):
                    moved(node)


def test_parts_used_over_and_over_are_refused() -> None:
    """A small file can name one part any number of times; a sound one never does."""
    operators = [Op(RESHAPE, [0], [1])] * 500
    graph = Subgraph([Tensor("x", (4,)), Tensor("y", (2, 2))], operators)
    data = model_bytes(graph, times=4000)
    with pytest.raises(ModelError, match="more than it has bytes for"):
        nodes(data)
