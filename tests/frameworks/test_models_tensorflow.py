"""What is read of a TensorFlow graph against what TensorFlow makes of it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sets

tf = sets.framework("tensorflow")
sys.path.insert(0, str(Path(__file__).parent.parent / "models"))

from tf_moved import run  # noqa: E402

from restride.models.movements.tensorflow import TF_READERS  # noqa: E402
from restride.models.movements.tf_names import data_of  # noqa: E402
from restride.models.tensorflow.tensor_proto import DTYPES  # noqa: E402
from restride.models.tensorflow.text import MESSAGES  # noqa: E402
from restride.models.tensorflow.walk import walk_graphdef  # noqa: E402

CASES = Path(__file__).parent.parent / "cases" / "models"


def test_each_movement_of_a_frozen_graph() -> None:
    """Every node's own data, taken from TensorFlow, and its result."""
    data = (CASES / "movements.pb").read_bytes()
    graph = tf.Graph()
    with graph.as_default():
        tf.import_graph_def(tf.compat.v1.GraphDef.FromString(data), name="")
    x = np.random.default_rng(11).random((2, 6, 8, 4), np.float32)
    with tf.compat.v1.Session(graph=graph) as session:

        def value(name: str) -> Any:
            full = name if ":" in name else f"{name}:0"
            return session.run(full, {"x:0": x})

        compared = 0
        for node in walk_graphdef(data, "movements.pb"):
            if node.op not in TF_READERS:
                continue
            source = value(data_of(node).name)
            for k in range(len(node.outputs)):
                made = run(node, np.asarray(source), k)
                assert np.array_equal(made, value(f"{node.name}:{k}")), node.where
                compared += 1
    sets.COMPARED["tensorflow graph nodes"] = compared
    assert compared >= 25


def test_the_described_messages_are_tensorflows() -> None:
    """Numbers, names, types and repetition of every field that is described."""
    from tensorflow.core.framework import graph_pb2

    todo, seen = {"GraphDef": graph_pb2.GraphDef.DESCRIPTOR}, set()
    while todo:
        title, theirs = todo.popitem()
        seen.add(title)
        for entry in MESSAGES[title].split(", "):
            number, kind, name = entry.split()
            own = theirs.fields_by_name[name]
            assert own.number == int(number), (title, name)
            bare = kind.removeprefix("*")
            assert own.is_repeated == kind.startswith("*"), (title, name)
            if bare in MESSAGES and bare not in seen:
                todo[bare] = own.message_type
    assert seen == set(MESSAGES)


def test_the_numbers_of_types_are_tensorflows() -> None:
    for number, name in DTYPES.items():
        told = tf.dtypes.as_dtype(number)
        assert told.name.replace("half", "float16") == name


@pytest.mark.parametrize("seed", range(20))
def test_random_slices_and_pads_as_graphs(seed: int) -> None:
    rng = np.random.default_rng(seed)
    shape = tuple(int(n) for n in rng.integers(1, 6, rng.integers(1, 5)))
    rank = len(shape)
    begin, end = (rng.integers(-6, 7, rank).tolist() for _ in range(2))
    strides = rng.choice([-3, -2, -1, 1, 2, 3], rank).tolist()
    masks = {f"{m}_mask": int(rng.integers(0, 1 << rank)) for m in ("begin", "end")}
    pads = rng.integers(0, 3, (rank, 2)).tolist()
    mirror = [[min(v, n - 1) for v in row] for row, n in zip(pads, shape, strict=True)]

    @tf.function
    def graph(x: Any) -> Any:
        return (
            tf.raw_ops.StridedSlice(
                input=x, begin=begin, end=end, strides=strides, **masks
            ),
            tf.raw_ops.PadV2(input=x, paddings=pads, constant_values=tf.constant(-7)),
            tf.raw_ops.MirrorPad(input=x, paddings=mirror, mode="REFLECT"),
        )

    x = rng.integers(0, 100, shape).astype(np.int32)
    concrete = graph.get_concrete_function(tf.TensorSpec(shape, tf.int32))
    data = concrete.graph.as_graph_def().SerializeToString()
    found = {n.op: n for n in walk_graphdef(data, "g.pb")}
    ops = ("StridedSlice", "PadV2", "MirrorPad")
    for op, wanted in zip(ops, concrete(tf.constant(x)), strict=True):
        assert np.array_equal(run(found[op], x), wanted.numpy()), op
