"""The TensorFlow dialect beside TensorFlow: bits of results, kinds of refusals."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import sets

from restride.dialects import tensorflow as dialect

tensorflow = sets.framework("tensorflow")
raw = tensorflow.raw_ops

NAME = "tensorflow"
DTYPES = ("int8", "int64", "uint16", "bool", "float16", "float32", "float64")
TENSORFLOWS = (*DTYPES, "bfloat16", "complex64", "float8_e5m2")
MASKS = ("begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask")

KERNEL_RANK = 8
"""Axes above which TensorFlow's gradient of a slice returns memory it never wrote."""

KINDS = (
    ("must be non-zero", "zero_stride"),
    ("Multiple ellipses", "multiple_ellipsis"),
    ("Attempting to slice scalar", "scalar_input"),
    ("Index out of range using input dim", "too_many_indices"),
    ("out of bounds", "index_out_of_bounds"),
    ("only stride 1 allowed", "shrink_stride"),
    ("to be 1D equal size", "shape_mismatch"),
    ("shape must be 1-D", "shape_mismatch"),
    ("shape of dy was", "shape_mismatch"),
    ("Cannot broadcast input shape", "shape_mismatch"),
    ("must be a matrix with 2 columns", "shape_mismatch"),
    ("constant_values must be a scalar", "shape_mismatch"),
    ("inputs rank not in", "rank"),
    ("Only ranks up to", "rank"),
    ("Unhandled input dimensions", "rank"),
    ("must be the rank of inputs", "rank"),
    ("must be less than", "padding_too_large"),
    ("must be no greater than", "padding_too_large"),
    ("must be non-negative", "other"),
    ("must be >= 0", "other"),
    ("No OpKernel was registered", "other"),
    ("Could not find device for node", "other"),
    ("not in the list of allowed values", "other"),
    ("Unhandled data type", "other"),
)
"""What TensorFlow's messages mean, in the dialect's kinds."""


def kind_of(error: Exception) -> str:
    """The kind of TensorFlow's refusal; a message that is not known is a finding."""
    text = str(error)
    found = [kind for words, kind in KINDS if words in text]
    assert found, f"TensorFlow said something new: {text}"
    return found[0]


def same(ours: Callable[[], Any], theirs: Callable[[], Any]) -> str | None:
    """None where both give the same bits or refuse for the same reason."""
    expected: Any
    try:
        expected = theirs().numpy()
    except tensorflow.errors.OpError as error:
        expected = kind_of(error)
    try:
        result = ours()
    except dialect.TensorFlowError as error:
        if isinstance(expected, str) and error.kind == expected:
            return None
        return f"refused ({error.kind}: {error}), TensorFlow: {expected!r}"
    if isinstance(expected, str):
        return f"gave {result.shape}, TensorFlow refused: {expected}"
    return sets.different(result, expected)


def shape(rng: random.Random) -> tuple[int, ...]:
    """Up to 5 axes, now and then more than a kernel has."""
    if rng.random() < 0.08:
        return sets.shape(rng, (6, 10), (1, 2))
    return sets.shape(rng)


def dtype_of(rng: random.Random, names: tuple[str, ...] = TENSORFLOWS) -> Any:
    return tensorflow.as_dtype(rng.choice(names)).as_numpy_dtype


def index_dtype(rng: random.Random) -> Any:
    return rng.choice((np.int32, np.int64))


def lists(rng: random.Random, s: sets.Slice) -> list[np.ndarray[Any, Any]]:
    """Begin, end and strides, of another length now and then."""
    kind = index_dtype(rng)
    made = [np.array(values, kind) for values in (s.begin, s.end, s.strides)]
    if rng.random() < 0.02:
        which = rng.randrange(3)
        made[which] = made[which][1:] if rng.random() < 0.5 else made[which][None]
    return made


def masks(s: sets.Slice) -> dict[str, int]:
    return {mask: getattr(s, mask) for mask in MASKS}


def tensors(*arrays: Any) -> list[Any]:
    """As TensorFlow's own, since NumPy's it converts on the way in."""
    return [tensorflow.constant(array) for array in arrays]


def told(said: str | None, *given: Any) -> str | None:
    return said and f"{said} for {given}"


# ------------------------------------------------------------------------------ slices


def one_slice(rng: random.Random) -> str | None:
    x = sets.array(rng, shape(rng), dtype_of(rng))
    s = sets.strided_slice(rng, x.shape)
    given = lists(rng, s)
    said = same(
        lambda: dialect.strided_slice(x, *given, **masks(s)),
        lambda: raw.StridedSlice(
            input=x,
            **dict(zip(("begin", "end", "strides"), tensors(*given), strict=True)),
            **masks(s),
        ),
    )
    return told(said, x.shape, s)


def taken(x: Any, s: sets.Slice) -> tuple[int, ...]:
    """The shape TensorFlow's slice has, or any where it has none."""
    named = {"begin": s.begin, "end": s.end, "strides": s.strides}
    ints = {name: tensorflow.constant(v, "int64") for name, v in named.items()}
    try:
        return tuple(raw.StridedSlice(input=x, **ints, **masks(s)).shape)
    except tensorflow.errors.OpError:
        return ()


def one_gradient(rng: random.Random) -> str | None:
    of = shape(rng)
    s = sets.strided_slice(rng, of)
    cells = taken(np.zeros(of, np.int8), s) if rng.random() < 0.95 else shape(rng)
    dy = sets.array(rng, cells, dtype_of(rng))
    given = [np.array(of, np.int64), *(g.astype(np.int64) for g in lists(rng, s))]
    if rng.random() < 0.02:
        given[0] = given[0][None] if rng.random() < 0.5 else given[0] - 1

    def theirs() -> Any:
        names = "shape", "begin", "end", "strides"
        named = dict(zip(names, tensors(*given), strict=True))
        result = raw.StridedSliceGrad(dy=dy, **named, **masks(s))
        if given[0].size > KERNEL_RANK:
            # No kernel runs, and what is returned was never written.
            raise tensorflow.errors.UnimplementedError(
                None, None, "Unhandled input dimensions"
            )
        return result

    said = same(
        lambda: dialect.strided_slice_grad(*given, dy, **masks(s)),
        theirs,
    )
    return told(said, given, dy.shape, s)


def value_shape(rng: random.Random, cells: tuple[int, ...]) -> tuple[int, ...]:
    """A shape that fits the cells: theirs, one that broadcasts, or most often not."""
    if rng.random() < 0.5:
        return cells
    some = tuple(n if rng.random() < 0.7 else 1 for n in cells)
    some = some[rng.randint(0, len(some)) :] if rng.random() < 0.4 else some
    some = (1,) * rng.choice((0, 0, 1, 2)) + some
    return shape(rng) if rng.random() < 0.2 else some


def one_update(rng: random.Random) -> str | None:
    x = sets.array(rng, shape(rng), dtype_of(rng, TENSORFLOWS[:-1]))
    s = sets.strided_slice(rng, x.shape)
    value = sets.array(rng, value_shape(rng, taken(x, s)), x.dtype)
    given = lists(rng, s)
    said = same(
        lambda: dialect.tensor_strided_slice_update(x, *given, value, **masks(s)),
        lambda: raw.TensorStridedSliceUpdate(
            input=x,
            value=value,
            **dict(zip(("begin", "end", "strides"), tensors(*given), strict=True)),
            **masks(s),
        ),
    )
    return told(said, x.shape, value.shape, s)


# -------------------------------------------------------------------------------- pads


def paddings(rng: random.Random, of: tuple[int, ...], most: int) -> Any:
    """One row per axis; now and then negative, too many rows, or no table."""
    low = -1 if rng.random() < 0.05 else 0
    table = np.array(sets.pads(rng, of, low, most), index_dtype(rng)).reshape(-1, 2)
    chance = rng.random()
    if chance < 0.02:
        return table.reshape(-1)
    if chance < 0.04:
        return np.concatenate([table, np.zeros((1, 2), table.dtype)])
    return table


def one_pad(rng: random.Random) -> str | None:
    x = sets.array(rng, shape(rng), dtype_of(rng, TENSORFLOWS[:-1]))
    table = paddings(rng, x.shape, 4 if x.ndim < 6 else 1)
    if rng.random() < 0.5:
        said = same(
            lambda: dialect.pad(x, table),
            lambda: raw.Pad(input=x, paddings=tensors(table)[0]),
        )
        return told(said, x.shape, table)
    constant = sets.array(rng, (1,) if rng.random() < 0.03 else (), x.dtype)
    said = same(
        lambda: dialect.pad_v2(x, table, constant),
        lambda: raw.PadV2(
            input=x, paddings=tensors(table)[0], constant_values=constant
        ),
    )
    return told(said, x.shape, table, constant)


def one_mirror(rng: random.Random) -> str | None:
    x = sets.array(rng, shape(rng), dtype_of(rng, TENSORFLOWS[:-1]))
    table = paddings(rng, x.shape, rng.choice((1, 1, 2, 3)))
    mode = rng.choice(("REFLECT", "SYMMETRIC"))
    said = same(
        lambda: dialect.mirror_pad(x, table, mode),
        lambda: raw.MirrorPad(input=x, paddings=tensors(table)[0], mode=mode),
    )
    return told(said, x.shape, table, mode)


def one_mirror_gradient(rng: random.Random) -> str | None:
    """Numbers only: which of two NaNs stays in a sum is the processor's choice."""
    of = sets.shape(rng, (0, 6), (2, 7)) if rng.random() < 0.9 else shape(rng)
    dtype = np.dtype(dtype_of(rng, (*DTYPES[:3], *DTYPES[4:], "bfloat16")))
    count = int(np.prod(of))
    numbers = np.array([rng.gauss(0, 40) for _ in range(count)])
    x = numbers.astype(dtype if dtype.kind != "u" else np.int64).astype(dtype)
    x = x.reshape(of)
    table = paddings(rng, of, rng.choice((1, 1, 2, 3)))
    mode = rng.choice(("REFLECT", "SYMMETRIC"))
    said = same(
        lambda: dialect.mirror_pad_grad(x, table, mode),
        lambda: raw.MirrorPadGrad(input=x, paddings=tensors(table)[0], mode=mode),
    )
    return told(said, x.shape, x.dtype, table, mode)


FAMILIES = {
    "strided_slice": one_slice,
    "strided_slice_grad": one_gradient,
    "tensor_strided_slice_update": one_update,
    "pad and pad_v2": one_pad,
    "mirror_pad": one_mirror,
    "mirror_pad_grad": one_mirror_gradient,
}


@pytest.mark.parametrize("family", FAMILIES)
def test_the_dialect_answers_as_tensorflow_does(family: str) -> None:
    sets.compare(NAME, family, FAMILIES[family])


def test_every_kind_of_refusal_is_met_in_the_sets(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """So that agreement on refusals is agreement about something."""
    met = set()
    plain = dialect.TensorFlowError.__init__

    def noting(self: Any, op: str, kind: Any, message: str) -> None:
        met.add(kind)
        plain(self, op, kind, message)

    monkeypatch.setattr(dialect.TensorFlowError, "__init__", noting)
    for family, one in FAMILIES.items():
        for number in range(200):
            one(sets.generator(NAME, family, number))
    assert met == set(dialect.KINDS)
