"""TensorFlow graphs, read without TensorFlow: nodes, shapes, what they move."""

from __future__ import annotations

import contextlib
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tf_moved import moved, run, steps_of

from restride.errors import RestrideError
from restride.models.errors import ModelError
from restride.models.files.wire import WireError
from restride.models.known import Known, Node
from restride.models.movements.movement import AtRunTimeError
from restride.models.movements.tensorflow import TF_READERS
from restride.models.tensorflow import graphdef
from restride.models.tensorflow.tensor_proto import read_tensor
from restride.models.tensorflow.text import graphdef_of_text
from restride.models.tensorflow.walk import walk_graphdef

CASES = Path(__file__).parent.parent / "cases" / "models"


def nodes(data: bytes, saved_model: bool = False) -> dict[str, Node]:
    found = walk_graphdef(data, "g.pb", saved_model)
    return {n.where: n for n in found}


def written(text: str) -> dict[str, Node]:
    return nodes(graphdef_of_text(text.encode(), "g.pbtxt"))


# ------------------------------------------------------------ graphs written here


def ints(name: str, values: list[int]) -> str:
    content = "".join(
        f"\\{byte:03o}" for byte in struct.pack(f"<{len(values)}i", *values)
    )
    dims = f"dim {{ size: {len(values)} }}"
    return f"""
    node {{ name: "{name}" op: "Const"
      attr {{ key: "dtype" value {{ type: DT_INT32 }} }}
      attr {{ key: "value" value {{ tensor {{ dtype: DT_INT32
        tensor_shape {{ {dims} }} tensor_content: "{content}" }} }} }} }}"""


def placeholder(name: str, *shape: int) -> str:
    dims = "".join(f"dim {{ size: {n} }}" for n in shape)
    return f"""
    node {{ name: "{name}" op: "Placeholder"
      attr {{ key: "dtype" value {{ type: DT_FLOAT }} }}
      attr {{ key: "shape" value {{ shape {{ {dims} }} }} }} }}"""


def node(name: str, op: str, *inputs: str, **attributes: str) -> str:
    reads = "".join(f'input: "{i}" ' for i in inputs)
    own = "".join(
        f'attr {{ key: "{k}" value {{ {v} }} }} ' for k, v in attributes.items()
    )
    return f'\nnode {{ name: "{name}" op: "{op}" {reads} {own} }}'


def test_a_slice_of_a_placeholder_in_text_form() -> None:
    text = placeholder("x", 4, 6) + ints("b", [3, 0]) + ints("e", [0, 5])
    text += ints("s", [-1, 2])
    text += node("y", "StridedSlice", "x", "b", "e", "s", end_mask="i: 1")
    found = written(text)["y"]
    assert found.inputs[0] is not None
    assert found.inputs[0].text() == "float32 (4, 6)"
    x = np.arange(24.0).reshape(4, 6)
    assert np.array_equal(run(found, x), x[3::-1, 0:5:2])


def test_control_inputs_and_output_numbers_are_no_tensors_of_their_own() -> None:
    text = placeholder("x", 6, 2) + ints("axis", [0])
    text += node("s", "Split", "axis", "x", "^x", num_split="i: 3")
    text += node("y", "Identity", "s:2", "^s")
    found = written(text)
    assert [o.shape for o in found["s"].outputs if o] == [(2, 2)] * 3
    assert [i.name for i in found["y"].inputs if i] == ["s:2"]


def test_nodes_may_stand_in_any_order_and_in_a_ring() -> None:
    text = node("y", "Identity", "x") + placeholder("x", 3)
    text += node("a", "Merge", "b") + node("b", "NextIteration", "a")
    found = written(text)
    assert found["y"].outputs[0] is not None
    assert found["y"].outputs[0].shape == (3,)
    assert found["a"].inputs[0] is not None
    assert found["a"].inputs[0].shape is None


def test_a_long_chain_needs_no_deep_stack() -> None:
    """Fifteen hundred nodes, the last one first: deeper than Python's own stack."""
    lines = [node(f"n{k}", "Relu", f"n{k - 1}") for k in range(1_500, 0, -1)]
    text = "".join(lines) + placeholder("n0", 2, 2)
    found = written(text)
    assert found["n1500"].outputs[0] is not None
    assert found["n1500"].outputs[0].shape == (2, 2)


def test_shapes_computed_by_the_graph_are_followed() -> None:
    text = placeholder("x", 2, 3, 4) + node("s", "Shape", "x")
    text += ints("b", [0]) + ints("e", [1])
    text += node("n", "StridedSlice", "s", "b", "e", "e", shrink_axis_mask="i: 1")
    text += node("last", "Const", dtype="type: DT_INT32", value=TWELVE)
    text += node("to", "Pack", "n", "last") + node("y", "Reshape", "x", "to")
    assert moved(written(text)["y"])[0].shape == (2, 12)


WRITES = ("DynamicUpdateSlice", "TensorScatterUpdate", "TensorStridedSliceUpdate")

TWELVE = "tensor { dtype: DT_INT32 tensor_shape { } int_val: 12 }"


def test_what_is_left_open_stays_open() -> None:
    text = placeholder("x", -1, 3) + ints("p", [0, 0, 1, 1]) + ints("m", [1, 2])
    text += node("y", "Pad", "x", "p") + node("z", "Tile", "x", "m")
    found = written(text)
    ((pad,),) = steps_of(found["y"])
    assert pad.pairs == ((0, 0), (1, 1))
    with pytest.raises(AtRunTimeError, match="the shape is known when it runs"):
        steps_of(found["z"])


def test_an_open_extent_leaves_the_others_known() -> None:
    """[Shape(x)[1], 12] of an x whose first extent is open."""
    text = placeholder("x", -1, 3, 4) + node("s", "Shape", "x")
    text += ints("b", [1]) + ints("e", [2])
    text += node("n", "StridedSlice", "s", "b", "e", "b", shrink_axis_mask="i: 1")
    text += node("last", "Const", dtype="type: DT_INT32", value=TWELVE)
    text += node("to", "Pack", "n", "last") + node("y", "Reshape", "x", "to")
    assert [s.shape for s in steps_of(written(text)["y"])[0]] == [(3, 12)]


def test_an_old_graphs_empty_shape_says_nothing() -> None:
    old = written("versions { producer: 23 }" + placeholder("x"))["x"]
    new = written("versions { producer: 24 }" + placeholder("x"))["x"]
    shapes = [n.outputs[0].shape for n in (old, new) if n.outputs[0]]
    assert shapes == [None, ()]


def test_noted_output_shapes_are_taken() -> None:
    first, second = "dim { size: 5 } dim { size: -1 }", "unknown_rank: true"
    noted = f"list {{ shape {{ {first} }} shape {{ {second} }} }}"
    found = written(node("y", "Foo", _output_shapes=noted))["y"]
    assert [o.shape for o in found.outputs if o] == [(5, None), None]


def test_a_functions_arguments_have_their_own_shapes() -> None:
    noted = "value { list { shape { dim { size: 7 } } } }"
    text = f"""library {{ function {{
        signature {{ name: "f" input_arg {{ name: "a" type: DT_HALF }} }}
        {node("y", "Identity", "a").replace("node {", "node_def {")}
        arg_attr {{ key: 0 value {{ attr {{ key: "_output_shapes" {noted} }} }} }}
    }} }}"""
    found = written(text)["f / y"]
    assert found.scope == ("f",)
    assert found.inputs[0] is not None
    assert found.inputs[0].text() == "float16 (7,)"


def test_region_writes() -> None:
    text = placeholder("x", 5, 6) + placeholder("u", 2, 3) + ints("b", [1, 0])
    text += ints("e", [3, 6]) + ints("s", [1, 2])
    text += node("y", "TensorStridedSliceUpdate", "x", "b", "e", "s", "u")
    text += node("z", "TensorScatterUpdate", "x", "rows", "u")
    text += rows("rows", [2, 3])
    found = written(text)
    cells = np.arange(30).reshape(5, 6)
    ((write,),) = steps_of(found["y"])
    assert np.array_equal(cells[write.entries], cells[1:3, ::2])
    ((write,),) = steps_of(found["z"])
    assert np.array_equal(cells[write.entries], cells[2:4])


def rows(name: str, values: list[int]) -> str:
    """A column of row numbers, as TensorScatterUpdate takes them."""
    one = f"dim {{ size: {len(values)} }}"
    return ints(name, values).replace(one, f"{one} dim {{ size: 1 }}")


# ------------------------------------------------------------- graphs of TensorFlow


def test_text_and_binary_say_the_same() -> None:
    binary = nodes((CASES / "movements.pb").read_bytes())
    text = (CASES / "movements.pbtxt").read_bytes()
    same = nodes(graphdef_of_text(text, "movements.pbtxt"))
    assert list(binary) == list(same)
    for name, own in binary.items():
        other = same[name]
        assert own.attributes == other.attributes
        assert [o.text() for o in own.outputs if o] == [
            o.text() for o in other.outputs if o
        ]


def test_all_movements_of_a_frozen_graph_are_known() -> None:
    found = nodes((CASES / "movements.pb").read_bytes())
    moving = [n for n in found.values() if n.op in TF_READERS]
    assert {n.op for n in moving} == set(TF_READERS) - {"Gather", *WRITES}
    for own in moving:
        assert [c.shape for c in moved(own)] == [o.shape for o in own.outputs if o]


def test_a_saved_models_functions_are_walked() -> None:
    found = nodes((CASES / "saved_model.pb").read_bytes(), saved_model=True)
    assert {n.scope[0][:10] for n in found.values() if n.scope} >= {
        *("cond_true_", "cond_false", "__inferenc")
    }
    pads = [n for n in found.values() if n.op in ("Pad", "MirrorPad", "StridedSlice")]
    assert len(pads) == 4
    assert all(moved(n)[0].shape == n.outputs[0].shape for n in pads if n.outputs[0])


# -------------------------------------------------------------------- constants


def tensor(dtype: int, shape: list[int], *entries: bytes) -> Any:
    dims = b"".join(b"\x12\x02\x08" + bytes([n]) for n in shape)
    head = b"\x08" + bytes([dtype]) + b"\x12" + bytes([len(dims)]) + dims
    return array_of(read_tensor("c", memoryview(head + b"".join(entries))))


def array_of(known: Known | None) -> Any:
    return None if known is None or known.constant is None else known.constant.array()


def test_one_number_fills_a_constant() -> None:
    assert tensor(3, [2, 3], b"\x38\x07").tolist() == [[7] * 3] * 2
    assert tensor(1, [2]).tolist() == [0.0, 0.0]


def test_the_last_number_fills_what_is_left() -> None:
    assert tensor(3, [4], b"\x3a\x02\x01\x02").tolist() == [1, 2, 2, 2]


def test_halves_are_bits() -> None:
    assert tensor(19, [1], b"\x68\x80\x78").tolist() == [1.0]
    assert float(tensor(14, [1], b"\x68\x80\x7f")[0]) == 1.0


def test_complex_numbers_are_pairs() -> None:
    pair = struct.pack("<2f", 1.0, -2.0)
    assert tensor(8, [1], b"\x4a\x08" + pair).tolist() == [1 - 2j]


@pytest.mark.parametrize(
    ("dtype", "shape", "entry"),
    [
        (3, [2], b"\x22\x03abc"),  # content of another size
        (4, [1], b"\x38\xac\x02"),  # 300 in uint8
        (3, [1], b"\x3a\x03\x01\x02\x03"),  # more than there are
        (8, [1], b"\x4a\x04\x00\x00\x00\x00"),  # half a complex number
        (1, [1], b"\x2a\x03\x00\x00\x00"),  # three bytes of a float
    ],
)
def test_constants_that_contradict_themselves(
    dtype: int, shape: list[int], entry: bytes
) -> None:
    with pytest.raises(WireError):
        tensor(dtype, shape, entry)


# ----------------------------------------------------------------- hostile files


def test_a_file_cut_off_anywhere_is_one_error_or_a_sound_part() -> None:
    data = (CASES / "movements.pb").read_bytes()
    told = []
    for end in range(1, len(data), 53):
        try:
            nodes(data[:end])
        except ModelError as error:
            told.append(str(error))
    assert len(told) > 100
    assert not any("\n" in line for line in told)


@pytest.mark.parametrize("name", ["movements.pb", "saved_model.pb"])
def test_damaged_files_raise_nothing_but_our_error(name: str) -> None:
    data = (CASES / name).read_bytes()
    rng = np.random.default_rng(7)
    for _ in range(60):
        bad = bytearray(data)
        for at in rng.integers(0, len(bad), 3):
            bad[at] = rng.integers(0, 256)
        with contextlib.suppress(ModelError):
            for own in nodes(bytes(bad), name == "saved_model.pb").values():
                with contextlib.suppress(RestrideError):
                    moved(own)


def test_more_nodes_than_any_model_has_are_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(graphdef, "MOST_NODES", 2_000)
    with pytest.raises(ModelError, match="more than 2000 nodes"):
        nodes(b"\x0a\x00" * 2_001)


def test_constants_do_not_grow_on_their_way() -> None:
    """A constant of 60,000 elements, handed through 2,000 nodes: none copies it."""
    big = "tensor { dtype: DT_INT32 tensor_shape { dim { size: 60000 } } int_val: 1 }"
    text = node("n0", "Const", dtype="type: DT_INT32", value=big)
    text += "".join(node(f"n{k}", "Identity", f"n{k - 1}") for k in range(1, 2000))
    found = written(text)
    first, last = (array_of(found[n].outputs[0]) for n in ("n0", "n1999"))
    assert first is not None
    assert np.shares_memory(first, last)
    assert first.strides == (0,)


@pytest.mark.parametrize(
    "text",
    [
        "node {",
        "node { name: 1 }",
        "node { attr { key: 'a' value { i: 1e99999 } } }",
        "node { attr { value { list { " * 3000,
    ],
)
def test_a_text_that_is_none_is_one_line(text: str) -> None:
    with pytest.raises(ModelError, match="no GraphDef in text form") as told:
        graphdef_of_text(text.encode(), "g.pbtxt")
    assert "\n" not in str(told.value)
