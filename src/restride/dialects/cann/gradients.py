"""PadV3Grad and StridedSliceGrad: gradients that are graph operators of their own."""

from __future__ import annotations

from typing import Any

import numpy as np

from restride.api import pad
from restride.dialects.cann.errors import GraphError, graph_errors
from restride.dialects.cann.graph import (
    check_product,
    flag,
    indices,
    masks,
    shape_of,
    tensor,
)
from restride.dialects.cann.graph_slice import slice_spec
from restride.dialects.cann.pad_v3 import pairs_of, unbounded
from restride.dialects.cann.pads import add_back
from restride.dialects.cann.tensor import AclTensor
from restride.lazy import view
from restride.targets import Product

__all__ = [
    "infer_shape_pad_v3_grad",
    "infer_shape_strided_slice_grad",
    "pad_v3_grad",
    "strided_slice_grad",
]

Array = np.ndarray[Any, Any]
Ints = tuple[int, ...]

PAD, SLICE = "PadV3Grad", "StridedSliceGrad"
MOST_DIMS, MOST_DIMS_UNLESS_CONSTANT = 8, 5

MODES = {
    "reflect": "reflect",
    "edge": "edge",
    "constant": "constant",
    "symmetric": "symmetric",
    "circular": "wrap",
}
"""Spellings of the source, the only one there is."""


def pad_v3_grad(
    x: Any,
    paddings: Any,
    *,
    mode: Any = "reflect",
    paddings_contiguous: Any = True,
    product: str | Product | None = None,
) -> Array | AclTensor:
    """Gradient of PadV3: each element of `x` added to where it was copied from.

    ``y[s] = sum of x[r] over the r that copy element s``; y.shape = x.shape - paddings.

    Parameters
    ----------
    x : ndarray or AclTensor
        Gradient of the padded tensor; rank 1 to 8, to 5 unless mode is "constant".
    paddings, paddings_contiguous
        As in `pad_v3`.
    mode : {"reflect", "edge", "constant", "symmetric", "circular"}
        "constant" crops.
    product : str or Product, optional
        Refuse what it does not take; None asks no product.

    Raises
    ------
    GraphError
        Stage "infer_shape": as in `pad_v3`.  Stage "tiling": the dtype on that
        product, mode, rank, paddings wider than the mode allows on y.

    Notes
    -----
    CANN ops-math, conversion/pad_v3_grad.  Floats of 16 bits are summed in 32.

    Examples
    --------
    >>> import numpy as np
    >>> pad_v3_grad(np.ones(5, np.float32), [1, 1]).tolist()
    [1.0, 3.0, 1.0]
    """
    held = tensor(x, "x", PAD)
    contiguous = flag(paddings_contiguous, "paddings_contiguous", PAD)
    shape = infer_shape_pad_v3_grad(held, paddings, paddings_contiguous=contiguous)
    check_product(PAD, held.dtype, product)
    if not (isinstance(mode, str) and mode in MODES):
        raise _untiled(f"mode {mode!r} is not known; use one of {', '.join(MODES)}.")
    most = MOST_DIMS if mode == "constant" else MOST_DIMS_UNLESS_CONSTANT
    if held.rank > most:
        raise _untiled(f"x has {held.rank} dims; mode {mode!r} allows at most {most}.")
    pairs = pairs_of(indices(paddings, "paddings", PAD), held.rank, contiguous, PAD)
    _check_bounds(held.shape, shape, pairs, mode)
    if held.array is None:
        return AclTensor(shape, held.dtype, held.format)
    with graph_errors(PAD, "run"):
        return add_back(held.array, shape, pairs, MODES[mode])


def infer_shape_pad_v3_grad(
    x: Any, paddings: Any, *, paddings_contiguous: Any = True
) -> Ints:
    """Shape of `pad_v3_grad`'s result; `x` may be a shape.

    Examples
    --------
    >>> infer_shape_pad_v3_grad((7, 5), [2, 2, 0, 1])
    (3, 4)
    """
    shape = shape_of(x, "x", PAD)
    contiguous = flag(paddings_contiguous, "paddings_contiguous", PAD)
    given = indices(paddings, "paddings", PAD)
    if not shape:
        raise GraphError(PAD, "infer_shape", "x has no dims; at least one is needed.")
    pairs = pairs_of(given, len(shape), contiguous, PAD)
    for axis, (n, pair) in enumerate(zip(shape, pairs, strict=True)):
        if n - sum(pair) < 0:
            raise GraphError(
                PAD,
                "infer_shape",
                f"paddings {pair} on dim {axis} of extent {n} leave {n - sum(pair)}; "
                "an extent is 0 or more.",
            )
    return tuple([n - sum(pair) for n, pair in zip(shape, pairs, strict=True)])


def _check_bounds(x: Ints, y: Ints, pairs: Any, mode: str) -> None:
    """Paddings are bounded by y, which was padded; each side by x."""
    for axis, (n, m, pair) in enumerate(zip(x, y, pairs, strict=True)):
        most = unbounded(m, pair, MODES[mode])
        if most is not None:
            raise _untiled(
                f"paddings {pair} on dim {axis}, whose gradient has extent {m}; mode "
                f"{mode} allows {most}."
            )
        if n < max(pair):
            raise _untiled(
                f"paddings {pair} on dim {axis} of extent {n}; neither side may be "
                "above it."
            )


def strided_slice_grad(
    shape: Any,
    begin: Any,
    end: Any,
    strides: Any,
    dy: Any,
    *,
    begin_mask: Any = 0,
    end_mask: Any = 0,
    ellipsis_mask: Any = 0,
    new_axis_mask: Any = 0,
    shrink_axis_mask: Any = 0,
    product: str | Product | None = None,
) -> Array | AclTensor:
    """Zeros of `shape` with `dy` written into the slice.

    Parameters
    ----------
    shape : sequence of int, int32 or int64 tensor
        Of the tensor that was sliced.
    begin, end, strides, and the masks
        As in `strided_slice`.
    dy : ndarray or AclTensor
        Gradient of the slice, of the slice's shape.
    product : str or Product, optional
        Refuse what it does not take; None asks no product.

    Raises
    ------
    GraphError
        Stage "infer_shape": `shape` is no shape.  Stage "tiling": the dtype on that
        product, a slice that does not exist, another shape of `dy`.

    Notes
    -----
    CANN ops-math, conversion/strided_slice_grad/op_host: shape inference takes
    `shape` and looks at nothing else.

    Examples
    --------
    >>> import numpy as np
    >>> strided_slice_grad([4], [3], [0], [-2], np.array([5, 6])).tolist()
    [0, 6, 0, 5]
    """
    source = infer_shape_strided_slice_grad(shape)
    held = tensor(dy, "dy", SLICE)
    check_product(SLICE, held.dtype, product)
    given = masks(
        SLICE,
        begin_mask=begin_mask,
        end_mask=end_mask,
        ellipsis_mask=ellipsis_mask,
        new_axis_mask=new_axis_mask,
        shrink_axis_mask=shrink_axis_mask,
    )
    spec = slice_spec(SLICE, begin, end, strides, given, "tiling")
    with graph_errors(SLICE, "tiling"):
        wanted = spec.infer_shape(source)
    if held.shape != wanted:
        raise GraphError(
            SLICE, "tiling", f"dy has shape {held.shape}; the slice has {wanted}."
        )
    if held.array is None:
        return AclTensor(source, held.dtype, held.format)
    made = _zeros(source, held.array.dtype)
    # Written, not added: 0.0 + -0.0 would lose the sign.
    cells = view(made).strided_slice(
        spec.begin, spec.end, spec.strides, *given.values()
    )
    cells.as_numpy()[...] = held.array
    return made


def _zeros(shape: Ints, dtype: np.dtype[Any]) -> Array:
    """All-zero bytes, as a pad of nothing: the engine refuses what is too large."""
    if not shape:
        return np.zeros((), dtype)
    with graph_errors(SLICE, "run"):
        return pad(
            np.empty((0,) * len(shape), dtype),
            [(0, n) for n in shape],
            "constant",
            None,
        )


def infer_shape_strided_slice_grad(shape: Any) -> Ints:
    """Shape of `strided_slice_grad`'s result: `shape` itself.

    Examples
    --------
    >>> infer_shape_strided_slice_grad([2, 3])
    (2, 3)
    """
    given = indices(shape, "shape", SLICE)
    if len(given.shape) != 1:
        raise GraphError(
            SLICE,
            "infer_shape",
            f"shape has shape {given.shape}; it must have one dim.",
        )
    return shape_of(given.values, "shape", SLICE)


def _untiled(why: str) -> GraphError:
    return GraphError(PAD, "tiling", why)
