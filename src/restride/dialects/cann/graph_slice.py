"""StridedSlice as a graph operator."""

from __future__ import annotations

from typing import Any

import numpy as np

from restride import api
from restride.dialects.cann.errors import GraphError, GraphStage, graph_errors
from restride.dialects.cann.graph import (
    check_product,
    indices,
    masks,
    shape_of,
    tensor,
)
from restride.dialects.cann.tensor import AclTensor
from restride.ops.strided_slice import StridedSlice
from restride.targets import Product

__all__ = ["infer_shape_strided_slice", "slice_spec", "strided_slice"]

Array = np.ndarray[Any, Any]
Ints = tuple[int, ...]

NAME = "StridedSlice"


def strided_slice(
    x: Any,
    begin: Any,
    end: Any,
    strides: Any,
    *,
    begin_mask: Any = 0,
    end_mask: Any = 0,
    ellipsis_mask: Any = 0,
    new_axis_mask: Any = 0,
    shrink_axis_mask: Any = 0,
    product: str | Product | None = None,
) -> Array | AclTensor:
    """The slice of `x` that TensorFlow's lists and masks name.

    Parameters
    ----------
    x : ndarray or AclTensor
    begin, end, strides : sequence of int, int32 or int64 tensor
        One entry per index; all of one length.
    begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask : int
        Bit k speaks of entry k; see `restride.strided_slice`.
    product : str or Product, optional
        Refuse what it does not take; None asks no product.

    Returns
    -------
    ndarray
        The result; an AclTensor without data where `x` has none.

    Raises
    ------
    GraphError
        Stage "infer_shape": lengths that differ, several ellipsis bits, too many
        indices, a stride of 0 where it is used, a shrink bit with a stride not above
        0 or an index outside.  Stage "tiling": the dtype on that product.

    Notes
    -----
    TensorFlow StridedSlice; CANN ops-math, conversion/strided_slice/op_host.  The
    source compares the lengths of begin and end only; the document has one length.

    Examples
    --------
    >>> import numpy as np
    >>> strided_slice(np.arange(4), [-2], [0], [-1], end_mask=1).tolist()
    [2, 1, 0]
    """
    held = tensor(x, "x", NAME)
    given = {
        "begin_mask": begin_mask,
        "end_mask": end_mask,
        "ellipsis_mask": ellipsis_mask,
        "new_axis_mask": new_axis_mask,
        "shrink_axis_mask": shrink_axis_mask,
    }
    shape = infer_shape_strided_slice(held, begin, end, strides, **given)
    check_product(NAME, held.dtype, product)
    if held.array is None:
        return AclTensor(shape, held.dtype, held.format)
    spec = slice_spec(NAME, begin, end, strides, masks(NAME, **given))
    with graph_errors(NAME, "run"):
        return api.strided_slice(
            held.array, spec.begin, spec.end, spec.strides, **masks(NAME, **given)
        )


def infer_shape_strided_slice(
    x: Any,
    begin: Any,
    end: Any,
    strides: Any,
    *,
    begin_mask: Any = 0,
    end_mask: Any = 0,
    ellipsis_mask: Any = 0,
    new_axis_mask: Any = 0,
    shrink_axis_mask: Any = 0,
) -> Ints:
    """Shape of `strided_slice`'s result; `x` may be a shape.

    Raises
    ------
    GraphError
        Stage "infer_shape"; see `strided_slice`.

    Examples
    --------
    >>> infer_shape_strided_slice((5, 5), [0, 3], [2, 0], [1, -1], end_mask=2)
    (2, 4)
    """
    shape = shape_of(x, "x", NAME)
    given = masks(
        NAME,
        begin_mask=begin_mask,
        end_mask=end_mask,
        ellipsis_mask=ellipsis_mask,
        new_axis_mask=new_axis_mask,
        shrink_axis_mask=shrink_axis_mask,
    )
    spec = slice_spec(NAME, begin, end, strides, given)
    with graph_errors(NAME, "infer_shape"):
        return spec.infer_shape(shape)


def slice_spec(
    operator: str,
    begin: Any,
    end: Any,
    strides: Any,
    given: dict[str, int],
    stage: GraphStage = "infer_shape",
) -> StridedSlice:
    """The operator of the algebra, from index tensors of one dim."""
    lists = []
    for name, values in (("begin", begin), ("end", end), ("strides", strides)):
        held = indices(values, name, operator, stage)
        if len(held.shape) != 1:
            raise GraphError(
                operator,
                stage,
                f"{name} has shape {held.shape}; it must have one dim.",
            )
        lists.append(held.values)
    with graph_errors(operator, stage):
        return StridedSlice(lists[0], lists[1], lists[2], **given)
