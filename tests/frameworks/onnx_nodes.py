"""Random Slice and Pad nodes of every opset, as models that others can run."""

from __future__ import annotations

import random
from typing import Any, NamedTuple

import numpy as np
import sets

Array = np.ndarray[Any, Any]

helper = sets.framework("onnx").helper

INT_MAX = (2**31 - 1, 2**63 - 1)
SLICE_OPSETS = (1, 5, 9, 10, 11, 12, 13, 18, 25)
PAD_OPSETS = (1, 2, 10, 11, 12, 13, 17, 18, 19, 21, 23, 24, 25)
NUMBERS = ("i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8")
MODES = ("constant", "reflect", "edge", "wrap")


class Drawn(NamedTuple):
    """A node, what is fed to it, and its parameters as plain lists for the rules."""

    node: Any
    inputs: dict[str, Array]
    opset: int
    shape: tuple[int, ...]
    axes: list[int] | None
    given: Any
    """Slice: (starts, ends, steps or None).  Pad: (mode, begins, ends)."""

    def __repr__(self) -> str:
        lists = {k: v.tolist() for k, v in self.inputs.items() if k != "data"}
        attributes = {
            a.name: helper.get_attribute_value(a) for a in self.node.attribute
        }
        kind = self.inputs["data"].dtype
        return (
            f"{self.node.op_type} opset {self.opset} {kind}{self.shape} "
            f"{lists} {attributes}"
        )

    def model(self) -> Any:
        """The node alone in a model."""
        infos = [_info(name, value) for name, value in self.inputs.items()]
        out = _info("y", self.inputs["data"], known=False)
        graph = helper.make_graph([self.node], "one", infos, [out])
        opsets = [helper.make_opsetid("", self.opset)]
        return helper.make_model(graph, opset_imports=opsets, ir_version=10)

    @property
    def repeats_an_axis(self) -> bool:
        """ONNX: "Behavior is undefined if an axis is repeated"."""
        rank = len(self.shape)
        named = [a + rank if a < 0 else a for a in self.axes or ()]
        return len(set(named)) < len(named)


def _info(name: str, value: Array, known: bool = True) -> Any:
    text = value.dtype.kind == "O"
    kind = 8 if text else helper.np_dtype_to_tensor_dtype(value.dtype)
    return helper.make_tensor_value_info(name, kind, value.shape if known else None)


def _data(rng: random.Random, shape: tuple[int, ...], dtype: str) -> Array:
    if dtype != "O":
        return sets.array(rng, shape, dtype)
    words = ["".join(rng.choices("aé_", k=rng.randint(0, 3))) for _ in range(900)]
    return np.array(words, object)[: int(np.prod(shape))].reshape(shape)


def _axes(rng: random.Random, rank: int) -> list[int] | None:
    """Some axes, counted from either end; seldom one too many or one twice."""
    if rng.random() < 0.3:
        return None
    axes = rng.sample(range(rank), rng.randint(0, rank))
    axes = [a - rank if rng.random() < 0.3 else a for a in axes]
    if rng.random() < 0.06:
        axes.append(rng.randint(-rank - 1, rank))
    return axes


def _bound(rng: random.Random, n: int, kind: str) -> int:
    info = np.iinfo(kind)
    far = (info.min, info.max, info.max - 1, 2**31 - 1, -(2**31))
    return rng.choice(far) if rng.random() < 0.2 else rng.randint(-n - 3, n + 3)


def _step(rng: random.Random, kind: str) -> int:
    info = np.iinfo(kind)
    if rng.random() < 0.02:
        return 0
    return rng.choice((1, 1, 2, 3, -1, -1, -2, -3, int(info.min), int(info.max)))


def draw_slice(rng: random.Random) -> Drawn:
    """A Slice; one in ten is not well formed."""
    opset = rng.choice(SLICE_OPSETS)
    shape = sets.shape(rng, (0, 4))
    data = _data(rng, shape, rng.choice((*NUMBERS, "?", "O")))
    kind = rng.choice(("i4", "i8"))
    axes = _axes(rng, len(shape))
    count = rng.randint(0, len(shape)) if axes is None else len(axes)
    named = range(count) if axes is None else axes
    extents = [shape[a] if -len(shape) <= a < len(shape) else 3 for a in named]
    starts, ends = ([_bound(rng, n, kind) for n in extents] for _ in range(2))
    steps = [_step(rng, kind) for _ in extents] if rng.random() < 0.7 else None
    if rng.random() < 0.03:
        ends.append(1)
    lists = {"starts": starts, "ends": ends, "axes": axes, "steps": steps}
    if opset < 10:
        steps = lists.pop("steps") and None
        given = {name: v for name, v in lists.items() if v is not None}
        node = node_of("Slice", ["data"], **given)
        return Drawn(node, {"data": data}, opset, shape, axes, (starts, ends, steps))
    names = ["data", *(name if v is not None else "" for name, v in lists.items())]
    tensors = {k: np.array(v, kind) for k, v in lists.items() if v is not None}
    node = node_of("Slice", _trimmed(names))
    inputs = {"data": data} | tensors
    return Drawn(node, inputs, opset, shape, axes, (starts, ends, steps))


def draw_pad(rng: random.Random) -> Drawn:
    """A Pad; few are not well formed, more than a few are not defined."""
    opset = rng.choice(PAD_OPSETS)
    shape = sets.shape(rng, (0, 4))
    rank = len(shape)
    kinds = ("f4", "f8") if opset < 11 else NUMBERS if opset < 13 else (*NUMBERS, "?")
    data = _data(rng, shape, rng.choice(kinds))
    axes = _axes(rng, rank) if opset >= 18 else None
    count = rank if axes is None else len(axes)
    low = rng.choice((0, 0, -1, -3))
    sides = [rng.randint(low, rng.choice((1, 3, 8))) for _ in range(2 * count)]
    mode = rng.choice(MODES if opset >= 19 else MODES[:3])
    named = {"mode": mode} if mode != "constant" or rng.random() < 0.5 else {}
    drawn = (mode, sides[:count], sides[count:])
    pads = [*sides, 1] if rng.random() < 0.03 else sides
    if opset < 11:
        value = {"value": rng.choice((0.1, -0.0, 3e38, float("inf")))}
        widths = {"paddings" if opset == 1 else "pads": pads}
        given = widths | named | (value if rng.random() < 0.7 else {})
        node = node_of("Pad", ["data"], **given)
        return Drawn(node, {"data": data}, opset, shape, axes, drawn)
    inputs = {"data": data, "pads": np.array(pads, "i8")}
    if rng.random() < 0.6:
        inputs["constant"] = _data(rng, rng.choice(((), (1,))), data.dtype.str)
    if axes is not None:
        inputs["axes"] = np.array(axes, rng.choice(("i4", "i8")))
    names = [n if n in inputs else "" for n in ("data", "pads", "constant", "axes")]
    node = node_of("Pad", _trimmed(names), **named)
    return Drawn(node, inputs, opset, shape, axes, drawn)


def _trimmed(names: list[str]) -> list[str]:
    while not names[-1]:
        names = names[:-1]
    return names


def node_of(operator: str, inputs: list[str], **attributes: Any) -> Any:
    """A real NodeProto; empty lists are lists of integers too."""
    node = helper.make_node(operator, inputs, ["y"])
    for name, value in attributes.items():
        kind = 7 if isinstance(value, list) else None
        node.attribute.append(helper.make_attribute(name, value, attr_type=kind))
    return node
