"""Small frameworks made of NumPy: enough of torch, TensorFlow and ONNX to run a text.

They know nothing of restride.  Each refuses what the real one refuses, so that a text
that only works by luck fails: torch's negative steps and wide mirrors, TensorFlow's
lists beyond int32, ONNX's order of inputs.  Pads are the oracle's.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
import oracle

Array = np.ndarray[Any, Any]
INT32 = range(-(2**31), 2**31)


class PretendedError(Exception):
    """What the framework would not do."""


def padded(x: Array, pairs: Sequence[tuple[int, int]], mode: str, fill: Any) -> Array:
    """The oracle's pad of an array."""
    made = oracle.pad(oracle.Tensor(x.shape, x.ravel().tolist()), pairs, mode, fill)
    return np.array(made.cells, x.dtype).reshape(made.shape)


# ----------------------------------------------------------------------------- torch


class Tensor:
    """A torch tensor over an array of its own."""

    device = "cpu"

    def __init__(self, array: Array) -> None:
        self.array = np.ascontiguousarray(array).reshape(np.shape(array))

    @property
    def shape(self) -> tuple[int, ...]:
        return self.array.shape

    def _index(self, index: Any) -> Any:
        for entry in index if isinstance(index, tuple) else (index,):
            if isinstance(entry, slice) and entry.step is not None and entry.step < 1:
                raise PretendedError("step must be greater than zero")
            if isinstance(entry, slice) and (entry.step or 1) > 2**40:
                raise PretendedError("the stride overflows")
        return index

    def __getitem__(self, index: Any) -> Tensor:
        return Tensor(self.array[self._index(index)])

    def __setitem__(self, index: Any, value: Tensor) -> None:
        self.array[self._index(index)] = value.array

    def contiguous(self) -> Tensor:
        return self

    def clone(self) -> Tensor:
        return Tensor(self.array.copy())

    def permute(self, dims: Sequence[int]) -> Tensor:
        return Tensor(self.array.transpose(dims))

    def expand(self, size: Sequence[int]) -> Tensor:
        return Tensor(np.broadcast_to(self.array, size))

    def reshape(self, shape: Sequence[int]) -> Tensor:
        return Tensor(self.array.reshape(shape))


def _flip(x: Tensor, dims: Iterable[int]) -> Tensor:
    return Tensor(np.flip(x.array, tuple(dims)))


def _index_select(x: Tensor, dim: int, index: Tensor) -> Tensor:
    return Tensor(np.take(x.array, index.array, axis=dim))


def _take(x: Tensor, index: Tensor) -> Tensor:
    return Tensor(x.array.ravel()[index.array.astype(np.int64)])


def _as_strided(x: Tensor, size: Any, stride: Any, storage_offset: int) -> Tensor:
    if min(stride, default=0) < 0:
        raise PretendedError("as_strided: Negative strides are not supported")
    given = oracle.Tensor(x.shape, x.array.ravel().tolist())
    made = oracle.as_strided(given, size, stride, storage_offset)
    return Tensor(np.array(made.cells, x.array.dtype).reshape(made.shape))


def _torch_pad(
    x: Tensor, pad: Sequence[int], mode: str = "constant", value: Any = 0
) -> Tensor:
    rank = len(x.shape)
    given = list(zip(pad[::2], pad[1::2], strict=True))[::-1]
    pairs = [(0, 0)] * (rank - len(given)) + given
    if mode == "constant":
        for n, pair in zip(x.shape, pairs, strict=True):
            if n + min(pair[0], 0) + min(pair[1], 0) < 0:
                raise PretendedError("narrow(): length must be non-negative")
        return Tensor(padded(x.array, pairs, "constant", value))
    if len(given) not in (1, 2, 3) or rank - len(given) not in (1, 2):
        raise PretendedError("Only 2D to 5D padding with non-constant padding")
    for n, pair in zip(x.shape, pairs, strict=True):
        if n + sum(pair) < 1:
            raise PretendedError("input is too small. Calculated output")
        most = {"reflect": n - 1, "circular": n}.get(mode)
        if most is not None and max(pair) > max(most, 0):
            raise PretendedError("Padding size should be less than the input dimension")
    words = {"reflect": "reflect", "replicate": "edge", "circular": "wrap"}
    return Tensor(padded(x.array, pairs, words[mode], None))


def _slice_scatter(
    x: Tensor,
    src: Tensor,
    dim: int = 0,
    start: int | None = None,
    end: int | None = None,
    step: int = 1,
) -> Tensor:
    made = np.moveaxis(x.array.copy(), dim, 0)
    place = made[slice(start, end, step)]
    if np.moveaxis(place, 0, dim).shape != src.shape:
        raise PretendedError("expected src to have a size equal to the slice of self")
    place[...] = np.moveaxis(src.array, dim, 0)
    return Tensor(np.moveaxis(made, 0, dim))


def _select_scatter(x: Tensor, src: Tensor, dim: int, index: int) -> Tensor:
    made = x.array.copy()
    place = np.moveaxis(made, dim, 0)[index]
    if place.shape != src.shape:
        raise PretendedError("expected src to have a size equal to the slice of self")
    np.moveaxis(made, dim, 0)[index] = src.array
    return Tensor(made)


TORCH = SimpleNamespace(
    flip=_flip,
    index_select=_index_select,
    take=_take,
    as_strided=_as_strided,
    slice_scatter=_slice_scatter,
    select_scatter=_select_scatter,
    tensor=lambda values, device: Tensor(np.array(values, np.int64)),
    nn=SimpleNamespace(functional=SimpleNamespace(pad=_torch_pad)),
)

# ------------------------------------------------------------------------ TensorFlow


def _indices(values: Any) -> list[int]:
    """A list becomes an int32; what it does not hold would be cut in silence."""
    if isinstance(values, np.ndarray):
        return list(values.tolist())
    if any(v not in INT32 for v in values):
        raise PretendedError("an int32 does not hold this")
    return list(values)


def _strided_slice(x: Array, begin: Any, end: Any, strides: Any, **masks: int) -> Array:
    lists = [_indices(v) for v in (begin, end, strides)]
    for mask in masks.values():
        if mask not in INT32:
            raise PretendedError("a mask out of range for an int32")
    made = oracle.strided_slice(
        oracle.Tensor(x.shape, x.ravel().tolist()), *lists, **masks
    )
    return np.array(made.cells, x.dtype).reshape(made.shape)


def _update(begin: Any, end: Any, strides: Any, value: Array, **words: Any) -> Array:
    x = words.pop("input")
    at = np.arange(x.size).reshape(x.shape)
    places = _strided_slice(at, begin, end, strides, **words)
    made = x.copy().ravel()
    made[places] = value
    return made.reshape(x.shape)


def _tf_pad(
    x: Array, paddings: Any, mode: str = "CONSTANT", constant_values: Any = 0
) -> Array:
    pairs = [tuple(row) for row in paddings]
    if min((side for pair in pairs for side in pair), default=0) < 0:
        raise PretendedError("Paddings must be non-negative")
    if len(pairs) > (8 if mode == "CONSTANT" else 5):
        raise PretendedError("inputs rank not in range")
    for n, pair in zip(x.shape, pairs, strict=True):
        most = {"REFLECT": n - 1, "SYMMETRIC": n}.get(mode)
        if most is not None and max(pair) > max(most, 0):
            raise PretendedError("paddings must be no greater than the dimension size")
    return padded(x, pairs, mode.lower(), constant_values)


def _tf_gather(x: Array, indices: Any, axis: int) -> Array:
    return np.take(x, np.array(indices, np.int64), axis=axis)


TF = SimpleNamespace(
    int64=np.int64,
    constant=lambda values, dtype: np.array(values, dtype),
    strided_slice=_strided_slice,
    pad=_tf_pad,
    gather=_tf_gather,
    transpose=lambda x, perm: x.transpose(perm),
    broadcast_to=np.broadcast_to,
    reshape=lambda x, shape: x.reshape(shape),
    raw_ops=SimpleNamespace(TensorStridedSliceUpdate=_update),
)

# ------------------------------------------------------------------------------ ONNX


def run_onnx(nodes: Iterable[Any], inputs: dict[str, Array], opset: int) -> Array:
    """The value of ``y`` after nodes of (op, inputs, output, attributes, constants)."""
    known = dict(inputs)
    for node in nodes:
        for c in node.constants:
            known[c.name] = np.array(c.values, np.int64).reshape(c.shape)
        if node.op:
            given = [known[name] for name in node.inputs]
            known[node.output] = OPS[node.op](opset, node.attributes, *given)
    return known["y"]


def _numbers(
    opset: int, since: int, names: str, attributes: dict[str, Any], given: Any
) -> dict[str, Any]:
    """Numbers by name: inputs from an opset on, attributes before, never both."""
    if opset < since:
        if given:
            raise PretendedError("these were attributes then")
        return dict(attributes)
    if set(attributes) - {"mode"}:
        raise PretendedError("these are inputs now")
    found = dict(zip(names.split(), given, strict=False))
    return found | attributes


def _onnx_slice(opset: int, attributes: Any, x: Array, *given: Array) -> Array:
    """ONNX Runtime's rules, where the text leaves some open."""
    words = _numbers(opset, 10, "starts ends axes steps", attributes, given)
    count = len(words["starts"])
    steps = words.get("steps", [1] * count)
    index: list[Any] = [np.arange(n) for n in x.shape]
    axes = words.get("axes", range(count))
    if opset < 10 and "steps" in words:
        raise PretendedError("Slice-1 has no steps")
    for axis, start, end, step in zip(
        axes, words["starts"], words["ends"], steps, strict=True
    ):
        start, end, step = int(start), int(end), int(step)
        n = x.shape[axis]
        start, stop = start + n * (start < 0), end + n * (end < 0)
        if step > 0:
            start, stop = min(max(start, 0), n), min(max(stop, 0), n)
        else:
            start, stop = min(max(start, 0), n - 1), min(max(stop, -1), n - 1)
            if end in (2**31 - 1, 2**63 - 1):
                stop = -1
        index[axis] = np.array(range(start, stop, step), np.int64)
    return x[np.ix_(*index)] if index else x


def _squeeze(opset: int, attributes: Any, x: Array, *given: Array) -> Array:
    axes = _numbers(opset, 13, "axes", attributes, given)["axes"]
    try:
        return np.squeeze(x, tuple(int(a) for a in axes))
    except ValueError:
        raise PretendedError("Squeeze of an axis longer than 1") from None


def _unsqueeze(opset: int, attributes: Any, x: Array, *given: Array) -> Array:
    axes = _numbers(opset, 13, "axes", attributes, given)["axes"]
    return np.expand_dims(x, tuple(int(a) for a in axes))


def _onnx_pad(opset: int, attributes: Any, x: Array, *given: Array) -> Array:
    words = _numbers(opset, 11, "pads constant_value axes", attributes, given)
    pads = [int(v) for v in words["paddings" if opset == 1 else "pads"]]
    pairs = list(zip(pads[: x.ndim], pads[x.ndim :], strict=True))
    mode = words.get("mode", "constant")
    fill = words.get("constant_value", words.get("value", 0))
    if mode == "wrap" and opset < 19:
        raise PretendedError("no such mode")
    if mode != "constant" and min(pads, default=0) < 0:
        raise PretendedError("text and runtime differ here")
    for n, pair in zip(x.shape, pairs, strict=True):
        if mode == "reflect" and max(pair) > max(n - 1, 0):
            raise PretendedError("pad exceeds the maximum")
        if min(*pair, sum(pair)) < -n:
            raise PretendedError("a crop of more than there is")
    return padded(x, pairs, mode, int(fill))


def _scatter(opset: int, attributes: Any, x: Array, at: Array, src: Array) -> Array:
    if opset < 11 or src.shape != at.shape[:-1] + x.shape[at.shape[-1] :]:
        raise PretendedError("ScatterND")
    made = x.copy()
    for cell in np.ndindex(at.shape[:-1]):
        made[tuple(at[cell].tolist())] = src[cell]
    return made


OPS = {
    "Slice": _onnx_slice,
    "Squeeze": _squeeze,
    "Unsqueeze": _unsqueeze,
    "Pad": _onnx_pad,
    "ScatterND": _scatter,
    "Gather": lambda _, a, x, at: np.take(x, at, axis=a.get("axis", 0)),
    "Transpose": lambda _, a, x: x.transpose(a["perm"]),
    "Reshape": lambda _, a, x, *s: x.reshape(
        [int(n) for n in (s[0] if s else a["shape"])]
    ),
    "Expand": lambda _, a, x, s: np.broadcast_to(x, [int(n) for n in s]),
    "Identity": lambda _, a, x: x,
    "CastLike": lambda _, a, x, like: x.astype(like.dtype),
}
