"""PadV3: shape inference, the check before a kernel starts, and the padding itself."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from restride.api import pad
from restride.arrays import as_dtype
from restride.checks import as_ints, as_sequence, as_shape, nearest
from restride.constants import constant_bytes
from restride.dialects.cann.errors import GraphError, graph_errors
from restride.dialects.cann.graph import (
    TENSORS,
    Indices,
    check_product,
    flag,
    indices,
    tensor,
)
from restride.dialects.cann.pads import Pairs
from restride.dialects.cann.scalar import SMALL_FLOATS
from restride.dialects.cann.tensor import AclTensor
from restride.targets import DType, Product, product

__all__ = [
    "MODES",
    "infer_shape_pad_v3",
    "pad_v3",
    "pairs_of",
    "tiling_pad_v3",
    "unbounded",
]

Array = np.ndarray[Any, Any]
Ints = tuple[int, ...]

NAME = "PadV3"
MOST_DIMS = 8
UNKNOWN_DIM, UNKNOWN_RANK = -1, -2

MODES = {
    "constant": "constant",
    "edge": "edge",
    "REFLECT": "reflect",
    "SYMMETRIC": "symmetric",
    "reflect": "reflect",
    "symmetric": "symmetric",
}
"""Spellings of the document's four modes, and the source's lower case of two."""

SOURCE_MODES = {**MODES, "circular": "wrap"}
"""With the mode that only the source has."""


def pad_v3(
    x: Any,
    paddings: Any,
    constant_values: Any = None,
    *,
    mode: Any = "constant",
    paddings_contiguous: Any = True,
    product: str | Product | None = None,
    source_modes: bool = False,
) -> Array | AclTensor:
    """Pad every dim of `x`, dim 0 first; negative paddings crop.

    Parameters
    ----------
    x : ndarray or AclTensor
        Rank 1 to 8.
    paddings : sequence of int, int32 or int64 tensor
        ``[rank, 2]`` with a (left, right) row per dim; ``[2, rank]`` with all lefts,
        then all rights where not `paddings_contiguous`; or 2 * rank values flat.
    constant_values : tensor or number, optional
        One element of x's dtype; None or empty means 0.
    mode : str
        "constant", "edge", "REFLECT", "SYMMETRIC"; also "reflect" and "symmetric",
        and "circular" where the product is the 950 or with `source_modes`.
    paddings_contiguous : bool
        Row-major paddings, or column-major.
    product : str or Product, optional
        Refuse what it does not take; None asks no product.
    source_modes : bool
        Take the modes of the vendor's source, which its document does not list.

    Returns
    -------
    ndarray
        The result; an AclTensor without data where `x` has none.

    Raises
    ------
    GraphError
        Stage "infer_shape": paddings that are no int32 or int64, rank 0, a wrong
        count or form, a negative extent.  Stage "tiling": the dtype on that product,
        mode, rank, the dtype of `constant_values`, paddings wider than the mode
        allows (REFLECT n - 1, SYMMETRIC and circular n), a side below -n.

    Notes
    -----
    CANN PadV3, "参数说明" and "约束说明"; ops-math, conversion/pad_v3/op_host.  The
    document writes paddings ``[2,2]`` for an x of shape (1, 3): read [[0,0],[2,2]].

    Examples
    --------
    >>> import numpy as np
    >>> x = np.array([[0, 1, 2]], np.int32)
    >>> pad_v3(x, [[0, 0], [2, 2]], mode="REFLECT").tolist()
    [[2, 1, 0, 1, 2, 1, 0]]
    """
    held = tensor(x, "x", NAME)
    words: dict[str, Any] = {"paddings_contiguous": paddings_contiguous}
    shape = infer_shape_pad_v3(held, paddings, **words)
    if min(shape, default=0) < 0:
        if held.data is not None:
            raise _unshaped("paddings has no values, and x has data; give both.")
        return AclTensor(shape, held.dtype, held.format)  # tiling waits for the rest
    words |= {"mode": mode, "product": product, "source_modes": source_modes}
    tiling_pad_v3(held, paddings, constant_values, **words)
    if held.array is None:
        return AclTensor(shape, held.dtype, held.format)
    given = indices(paddings, "paddings", NAME)
    pairs = pairs_of(given, held.rank, bool(paddings_contiguous))
    fill = _constant(held, constant_values) if mode == "constant" else None
    with graph_errors(NAME, "run"):
        return pad(held.array, pairs, SOURCE_MODES[mode], fill)


def infer_shape_pad_v3(
    x: Any, paddings: Any, *, paddings_contiguous: Any = True
) -> Ints:
    """Shape of `pad_v3`'s result.

    Parameters
    ----------
    x : shape, ndarray or AclTensor
        A shape may have unknown dims, -1, or be of unknown rank, (-2,).
    paddings
        As in `pad_v3`; None, or a tensor without data, is not known yet: every dim of
        the result is then -1.

    Raises
    ------
    GraphError
        Stage "infer_shape", in the order: paddings' dtype, rank 0, paddings' count
        and form, a negative extent.

    Examples
    --------
    >>> infer_shape_pad_v3((2, -1), [1, 1, 0, 3])
    (4, -1)
    """
    shape = _known_or_not(x)
    contiguous = flag(paddings_contiguous, "paddings_contiguous", NAME)
    if shape == (UNKNOWN_RANK,):
        return shape
    if paddings is None or (isinstance(paddings, AclTensor) and paddings.data is None):
        return (UNKNOWN_DIM,) * len(shape)
    given = indices(paddings, "paddings", NAME)
    if not shape:
        raise _unshaped("x has no dims; at least one is needed.")
    pairs = pairs_of(given, len(shape), contiguous)
    found = []
    for axis, (n, pair) in enumerate(zip(shape, pairs, strict=True)):
        if n != UNKNOWN_DIM and n + sum(pair) < 0:
            raise _unshaped(
                f"paddings {pair} on dim {axis} of extent {n} leave {n + sum(pair)}; "
                "an extent is 0 or more."
            )
        found.append(n if n == UNKNOWN_DIM else n + sum(pair))
    return tuple(found)


def _known_or_not(x: Any) -> Ints:
    """The shape of x, where -1 is an unknown extent and (-2,) an unknown rank."""
    given = x.shape if isinstance(x, TENSORS) else x
    with graph_errors(NAME, "infer_shape"):
        shape = as_ints(as_sequence(given), "x")
        if shape != (UNKNOWN_RANK,):
            as_shape([0 if n == UNKNOWN_DIM else n for n in shape], "x")
    return shape


def pairs_of(
    given: Indices, rank: int, contiguous: bool, operator: str = NAME
) -> Pairs:
    """(left, right) per dim from a table of the right form or a flat list."""
    values = given.values
    form = (rank, 2) if contiguous else (2, rank)
    if len(values) != 2 * rank or given.shape not in (form, (2 * rank,)):
        raise GraphError(
            operator,
            "infer_shape",
            f"paddings has shape {given.shape}; for {rank} dims and "
            f"paddings_contiguous={contiguous} give {list(form)} or {2 * rank} values.",
        )
    if contiguous:
        return tuple(zip(values[0::2], values[1::2], strict=True))
    return tuple(zip(values[:rank], values[rank:], strict=True))


def tiling_pad_v3(
    x: Any,
    paddings: Any,
    constant_values: Any = None,
    *,
    mode: Any = "constant",
    paddings_contiguous: Any = True,
    product: str | Product | None = None,
    source_modes: bool = False,
) -> None:
    """What is checked before a kernel starts; `pad_v3` calls it after shape inference.

    Raises
    ------
    GraphError
        Stage "tiling"; see `pad_v3`.

    Notes
    -----
    CANN ops-math, conversion/pad_v3/op_host/arch35/pad_v3_tiling_arch35.cpp.  The
    source has it for the 950 only; its bounds are the document's on every product.

    Examples
    --------
    >>> import numpy as np
    >>> tiling_pad_v3(np.zeros((2, 3)), [0, 0, 3, 0], mode="SYMMETRIC")
    """
    held = tensor(x, "x", NAME)
    check_product(NAME, held.dtype, product)
    said = _mode(mode, product, flag(source_modes, "source_modes", NAME, "tiling"))
    if held.rank > MOST_DIMS:
        raise _untiled(f"x has {held.rank} dims; at most {MOST_DIMS} are allowed.")
    if min(held.shape, default=0) < 0:
        raise _untiled(f"x has shape {held.shape}; an extent is 0 or more.")
    if said == "constant":
        _constant(held, constant_values)
    given = indices(paddings, "paddings", NAME, "tiling")
    contiguous = flag(paddings_contiguous, "paddings_contiguous", NAME, "tiling")
    pairs = pairs_of(given, held.rank, contiguous)
    if said == "constant" and held.dtype.name in SMALL_FLOATS:
        _check_small(held.dtype, held.shape, pairs)
    _check_bounds(held.shape, pairs, said)


def _mode(mode: Any, on: str | Product | None, source_modes: bool) -> str:
    with graph_errors(NAME, "tiling"):
        newest = on is not None and product(on).key == "950"
    known = SOURCE_MODES if source_modes or newest else MODES
    if isinstance(mode, str) and mode in known:
        return known[mode]
    hint = "" if "circular" in known else " 'circular' needs the 950 or source_modes."
    if near := nearest(mode, known) if isinstance(mode, str) else "":
        hint = f" Is '{near}' meant?"
    raise _untiled(f"mode {mode!r} is not known; use one of {', '.join(known)}.{hint}")


def _constant(x: AclTensor, given: Any) -> Array | None:
    """The constant as one element of x's dtype; None: all-zero bytes."""
    if given is None:
        return None
    if isinstance(given, (list, tuple)):
        if len(given) > 1:
            raise _untiled(f"constant_values has {len(given)} elements; give one.")
        return _constant(x, given[0] if given else None)
    if not isinstance(given, (AclTensor, np.ndarray)):
        return _number(x.dtype, given)
    held = tensor(given, "constant_values", NAME)
    if held.dtype != x.dtype:
        raise _untiled(
            f"constant_values has dtype {held.dtype} and x {x.dtype}; they must be "
            "equal."
        )
    if prod(held.shape) > 1:
        raise _untiled(f"constant_values has {prod(held.shape)} elements; give one.")
    if held.array is None and x.array is not None and not held.is_empty:
        raise _untiled("constant_values has no data, and x has.")
    return None if held.array is None or held.is_empty else held.array.reshape(())


def _number(dtype: DType, given: Any) -> Array | None:
    """A number without a dtype takes x's, exactly where that is an integer type."""
    if dtype.numpy is None:
        if isinstance(given, (int, float)) and given == 0:
            return None
        raise _untiled(
            f"constant_values = {given!r} for {dtype}, which NumPy has not; give 0, or "
            "an AclTensor of that dtype."
        )
    kind = as_dtype(dtype.numpy)
    with graph_errors(NAME, "tiling"):
        raw = constant_bytes(given, kind)
    return np.frombuffer(raw, kind).reshape(())


def _check_small(dtype: DType, shape: Ints, pairs: Pairs) -> None:
    """Rules of float8 and float4; trailing dims without padding count as one."""
    if any(width < 0 for pair in pairs for width in pair):
        raise _untiled(f"paddings has a negative value; {dtype} takes 0 or more.")
    if not dtype.name.startswith("float4"):
        return
    last = max([axis for axis, pair in enumerate(pairs) if any(pair)], default=0)
    inner = prod(shape[last + 1 :])
    left, right = pairs[last]
    if (shape[last] * inner) % 2 or (left * inner) % 2 or (right * inner) % 2:
        raise _untiled(
            f"dim {last} of extent {shape[last]} and its paddings ({left}, {right}); "
            f"two elements of {dtype} share a byte, so all must be even."
        )


def unbounded(n: int, pair: tuple[int, int], mode: str) -> str | None:
    """What of `mode` forbids these paddings on an extent of n; None: nothing.

    Examples
    --------
    >>> unbounded(3, (3, 0), "reflect")
    'at most 2'
    """
    most = {"reflect": n - 1, "symmetric": n, "wrap": n}.get(mode)
    if most is not None and max(pair) > most:
        return f"at most {most}" if most >= 0 else "none, since the dim is empty"
    if mode == "edge" and n == 0 and any(pair):
        return "0, since the dim is empty"
    return None


def _check_bounds(shape: Ints, pairs: Pairs, mode: str) -> None:
    for axis, (n, pair) in enumerate(zip(shape, pairs, strict=True)):
        most = unbounded(n, pair, mode)
        if most is not None:
            raise _untiled(
                f"paddings {pair} on dim {axis} of extent {n}; mode "
                f"{_words(mode)} allows {most}."
            )
        if n + min(*pair, sum(pair)) < 0:
            raise _untiled(
                f"paddings {pair} on dim {axis} of extent {n}; each side, and both "
                f"together, must be {-n} or more."
            )


def _words(mode: str) -> str:
    return "circular" if mode == "wrap" else mode


def _unshaped(why: str) -> GraphError:
    return GraphError(NAME, "infer_shape", why)


def _untiled(why: str) -> GraphError:
    return GraphError(NAME, "tiling", why)
