"""``aclTensor``: a view of storage by shape, strides and offset."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import prod
from typing import Any

import numpy as np

from restride.arrays import as_dtype, as_source, memory
from restride.checks import as_index, as_ints, as_sequence, as_shape
from restride.dialects.cann.errors import INVALID, AclnnError, aclnn_errors
from restride.targets import DType, dtype_named, format_named

__all__ = ["PRIVATE_FORMATS", "AclTensor", "as_tensor", "int64", "int_array"]

Array = np.ndarray[Any, Any]
Ints = tuple[int, ...]

PRIVATE_FORMATS = frozenset(
    {"nc1hwc0", "fractal_z", "fractal_nz", "ndc1hwc0", "fractal_z_3d"}
)
"""Formats that only the device lays out: opdev/format_utils.h, IsPrivateFormat."""

INT64 = range(-(2**63), 2**63)


@dataclass(frozen=True, eq=False)
class AclTensor:
    """A tensor as ``aclCreateTensor`` makes it, with or without data.

    ``element[i...] = flat(storage)[offset + sum(i * strides)]``

    Raises
    ------
    AclnnError
        Stage "create": a name or number that no tensor can have, data that does not
        fit, or an element outside the storage.

    Notes
    -----
    CANN ``aclCreateTensor``, which checks nothing; an element outside the storage is
    refused here.

    Examples
    --------
    >>> import numpy as np
    >>> t = AclTensor((2, 3), "float", strides=(1, 2), storage_shape=(3, 2),
    ...               data=np.arange(6, dtype="float32").reshape(3, 2))
    >>> t.array.tolist()
    [[0.0, 2.0, 4.0], [1.0, 3.0, 5.0]]
    """

    shape: Any
    """View shape: extents, 0 or more.  A description alone may have unknown extents,
    below 0, which only graph operators take."""
    dtype: Any
    """Name of the element type; see `restride.targets.dtype_named`."""
    format: Any = "nd"
    """View format: "nd", "nchw", "ncl", "undefined", ..."""
    storage_format: Any = None
    """Format of the storage; None: the view's."""
    data: Any = field(default=None, repr=False)
    """The storage as a NumPy array, or None: a description alone.  A dtype without a
    NumPy type is held in any array of the same item size."""
    strides: Any = None
    """Elements between neighbours per axis; None: row-major."""
    offset: Any = 0
    """Element of the storage at index (0, ..., 0)."""
    storage_shape: Any = None
    """Extents of the storage; None: those of `data`, or of the view."""

    def __post_init__(self) -> None:
        with aclnn_errors("aclCreateTensor", INVALID, "create"):
            self._set(shape=self._view_shape(), dtype=dtype_named(self.dtype))
            self._set(format=format_named(self.format))
            given = self.format if self.storage_format is None else self.storage_format
            self._set(storage_format=format_named(given))
            self._set(offset=as_index(self.offset, "offset"))
            self._set(data=self._checked_data())
            self._set(storage_shape=self._storage_shape())
            self._set(strides=self._strides())
        self._check_reach()
        if self.data is not None:
            self._check_size()

    def _set(self, **fields: Any) -> None:
        for name, value in fields.items():
            object.__setattr__(self, name, value)

    def _view_shape(self) -> Ints:
        """Extents below 0 are unknown: no data and no strides can be known then."""
        extents = as_ints(as_sequence(self.shape), "shape")
        given = (self.data, self.strides, self.storage_shape)
        is_known = min(extents, default=0) >= 0 or any(v is not None for v in given)
        return as_shape(extents) if is_known else extents

    def _checked_data(self) -> Array | None:
        if self.data is None:
            return None
        data = as_source(self.data, "data")
        kind: DType = self.dtype
        if kind.numpy is None and data.itemsize == kind.bytes:
            return data
        if kind.numpy is None or data.dtype != as_dtype(kind.numpy):
            wanted = kind.numpy or f"any of {kind.bytes} bytes an element"
            raise _bad(
                f"data has dtype {data.dtype}; a tensor of {kind} holds {wanted}, in "
                "native byte order. Convert it with astype first."
            )
        return data

    def _storage_shape(self) -> Ints:
        if self.storage_shape is not None:
            return as_shape(self.storage_shape, "storage_shape")
        held: Ints = self.shape if self.data is None else self.data.shape
        return held

    def _strides(self) -> Ints | None:
        if self.strides is None:
            return None
        strides = as_ints(self.strides, "strides")
        if len(strides) != len(self.shape):
            raise _bad(
                f"strides has length {len(strides)} for a shape of {len(self.shape)}; "
                "give one per axis."
            )
        return strides

    def _check_reach(self) -> None:
        """Every element of the view must lie in the storage."""
        if self.strides is None and self.offset == 0 and self.data is None:
            return
        if 0 in self.shape:
            return
        held = prod(self.storage_shape)
        steps = self.strides or row_major(self.shape)
        walks = [(n - 1) * s for n, s in zip(self.shape, steps, strict=True)]
        low = self.offset + sum(w for w in walks if w < 0)
        high = self.offset + sum(w for w in walks if w > 0)
        if low < 0 or high >= held:
            raise _bad(
                f"shape {self.shape} with strides {tuple(steps)} and offset "
                f"{self.offset} reads elements {low} to {high} of a storage of {held}; "
                f"all must lie in 0..{held - 1}."
            )

    def _check_size(self) -> None:
        if self.data.size != prod(self.storage_shape):
            raise _bad(
                f"data holds {self.data.size} elements and storage_shape "
                f"{self.storage_shape} {prod(self.storage_shape)}; give as many."
            )
        plain = self.strides is None and self.offset == 0
        is_view = plain and self.data.shape == self.shape
        if not is_view and not self.data.flags.c_contiguous:
            raise _bad(
                "strides, offset and storage_shape speak of row-major storage, and "
                "data is not: give a contiguous array, or data of the view's shape."
            )

    @property
    def array(self) -> Array | None:
        """The elements as a NumPy view of `data`, not copied; None without data."""
        data: Array | None = self.data
        if data is None or (self.strides is None and data.shape == self.shape):
            return data
        steps = self.strides or row_major(self.shape)
        if 0 in self.shape:
            return np.empty(self.shape, data.dtype)
        self._check_size()  # a caller may have given its array other extents since
        sizes = [s * data.itemsize for s in steps]
        return memory(data, self.offset * data.itemsize, self.shape, sizes, data.dtype)

    @property
    def rank(self) -> int:
        """Number of axes."""
        return len(self.shape)

    @property
    def is_empty(self) -> bool:
        """Whether an extent is 0."""
        return 0 in self.shape


def row_major(shape: Ints) -> Ints:
    """Strides of contiguous elements.

    Examples
    --------
    >>> row_major((2, 3, 4))
    (12, 4, 1)
    """
    return tuple([prod(shape[axis + 1 :]) for axis in range(len(shape))])


def as_tensor(given: Any, name: str, operator: str) -> AclTensor | None:
    """`given` as a tensor; None stays a null pointer, an array is its own storage.

    Raises
    ------
    AclnnError
        Anything else.
    """
    if isinstance(given, AclTensor) and min(given.shape, default=0) < 0:
        raise AclnnError(
            operator,
            INVALID,
            f"{name} has shape {given.shape}; an extent is 0 or more.",
        )
    if given is None or isinstance(given, AclTensor):
        return given
    if not isinstance(given, (np.ndarray, np.generic)):
        raise AclnnError(
            operator,
            INVALID,
            f"{name} is a {type(given).__name__}; give an AclTensor, a NumPy array, or "
            "None for a null pointer.",
        )
    with aclnn_errors(operator, INVALID):
        array = as_source(given, name)
        return AclTensor(array.shape, array.dtype, data=array)


def int_array(given: Any, name: str, operator: str) -> Ints | None:
    """`given` as an ``aclIntArray``; None stays a null pointer.

    Raises
    ------
    AclnnError
        No sequence of integers of 64 bits.
    """
    if given is None:
        return None
    with aclnn_errors(operator, INVALID):
        values = as_ints(given, name)
    for k, value in enumerate(values):
        int64(value, f"{name}[{k}]", operator)
    return values


def int64(value: Any, name: str, operator: str) -> int:
    """`value` as an int64, as attributes of aclnn functions are."""
    with aclnn_errors(operator, INVALID):
        number = as_index(value, name)
    if number not in INT64:
        raise AclnnError(
            operator, INVALID, f"{name} = {number} is no int64; it has 64 bits."
        )
    return number


def _bad(why: str) -> AclnnError:
    return AclnnError("aclCreateTensor", INVALID, why, "create")
