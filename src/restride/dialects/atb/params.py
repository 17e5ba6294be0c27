"""The parameter structures, with the attributes of the vendor's Python binding."""

from __future__ import annotations

import json
from collections.abc import Iterable
from itertools import islice
from typing import Any, ClassVar

from restride.checks import as_ints
from restride.dialects.atb.errors import AtbError, ErrorType, answering
from restride.errors import RestrideError

__all__ = ["AsStridedParam", "Param", "SetValueParam", "int64s"]

MOST_ELEMENTS = 256
"""Longest SVector; the vendor throws beyond (include/atb/svector.h)."""

INT64 = range(-(2**63), 2**63)
"""What an element of SVector<int64_t> can be."""

RESERVED_BYTES = 8
"""Length of `rsv` (include/atb/infer_op_params.h)."""


def int64s(values: Any, name: str) -> tuple[int, ...]:
    """`values` as what SVector<int64_t> holds: at most 256 integers of 64 bits.

    Raises
    ------
    AtbError
        No sequence of integers, too many, or one too large; at stage "create", since
        no structure of the vendor can hold them.

    Examples
    --------
    >>> int64s([2, 3], "size")
    (2, 3)
    """
    with answering("create", ErrorType.ERROR_INVALID_PARAM, "SVector<int64_t>"):
        alone = isinstance(values, (str, bytes)) or getattr(values, "ndim", 1) == 0
        if isinstance(values, Iterable) and not alone:
            # One more than allowed is enough to know, and an endless one ends here.
            values = list(islice(values, MOST_ELEMENTS + 1))
        found = as_ints(values, name)
        if len(found) > MOST_ELEMENTS:
            raise RestrideError(
                f"{name} has more than {MOST_ELEMENTS} entries, which is the most an "
                "SVector takes."
            )
        for i, value in enumerate(found):
            if value not in INT64:
                raise RestrideError(f"{name}[{i}] = {value} does not fit int64.")
    return found


class Member:
    """A list of a parameter structure, read as a fresh list and replaced as a whole."""

    def __init__(self, about: str) -> None:
        self.__doc__ = about

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, held: Any, owner: type | None = None) -> Any:
        return self if held is None else list(held._lists[self._name])

    def __set__(self, held: Any, values: Any) -> None:
        held._lists[self._name] = int64s(values, self._name)


class Param:
    """What the parameter structures share: lists of int64, and reserved bytes.

    Reading a list gives a fresh one: appending to it changes nothing.  Assigning one
    replaces all of it.  Nothing else is checked, as in the vendor's binding.

    Notes
    -----
    Ascend ATB 8.5.0, src/torch_atb/bindings.cpp.  `rsv` is not there; it is here so
    that the check of CreateOperation can be met.
    """

    lists: ClassVar[tuple[str, ...]] = ()
    """Names of the lists, in the order of the structure."""

    def __init__(self, rsv: Any = (), **lists: Any) -> None:
        self._lists = {name: int64s(lists[name], name) for name in self.lists}
        self.rsv = rsv

    @property
    def rsv(self) -> list[int]:
        """The reserved bytes; CreateOperation refuses any that is not 0."""
        return list(self._rsv)

    @rsv.setter
    def rsv(self, values: Any) -> None:
        given = int64s(values, "rsv")
        if len(given) > RESERVED_BYTES or not set(given) <= set(range(256)):
            raise AtbError(
                ErrorType.ERROR_INVALID_PARAM,
                "create",
                "reserved bytes",
                f"rsv = {list(given)}; it is at most {RESERVED_BYTES} bytes.",
            )
        self._rsv = given + (0,) * (RESERVED_BYTES - len(given))

    def values(self) -> dict[str, tuple[int, ...]]:
        """The lists by name, as tuples."""
        return dict(self._lists)

    def to_json(self) -> str:
        """The lists as the vendor writes them: compact, keys sorted, without `rsv`."""
        return json.dumps(self._lists, sort_keys=True, separators=(",", ":"))

    def __repr__(self) -> str:
        return f"{type(self).__name__}: {self.to_json()}"


class AsStridedParam(Param):
    """Parameters of AsStridedOperation: ``y[i...] = flat(x)[offset + sum(i*stride)]``.

    Parameters
    ----------
    size : sequence of int
        Shape of the result; at most 8 entries, each above 0.
    stride : sequence of int
        Elements between neighbours on each axis, 0 or more; as many as `size`.
    offset : sequence of int
        One entry, 0 or more: the element to start with.
    rsv : sequence of int
        Reserved bytes; must stay 0.

    Raises
    ------
    AtbError
        Not integers of 64 bits, or more than 256.  The rules above are checked by
        InferShape, not here.

    Notes
    -----
    Ascend ATB AsStridedOperation, "Parameters".

    Examples
    --------
    >>> param = AsStridedParam([2, 2], [2, 3], [0])
    >>> param.size.append(9)
    >>> param
    AsStridedParam: {"offset":[0],"size":[2,2],"stride":[2,3]}
    """

    lists = ("size", "stride", "offset")
    size = Member("Shape of the result.")
    stride = Member("Elements between neighbours on each axis.")
    offset = Member("The element to start with, in a list of one.")

    def __init__(
        self, size: Any = (), stride: Any = (), offset: Any = (), *, rsv: Any = ()
    ) -> None:
        super().__init__(rsv, size=size, stride=stride, offset=offset)


class SetValueParam(Param):
    """Parameters of SetValueOperation: ``dst[starts:ends] = src``, in place.

    Parameters
    ----------
    starts : sequence of int
        First cell on each axis of dst; nothing wraps.
    ends : sequence of int
        One past the last cell on each axis.
    strides : sequence of int
        Steps between cells; all 1.
    rsv : sequence of int
        Reserved bytes; must stay 0.

    Raises
    ------
    AtbError
        Not integers of 64 bits, or more than 256.  The rules above are checked by
        InferShape, not here.

    Notes
    -----
    Ascend ATB SetValueOperation, "Members".  The vendor's Python binding has no such
    class; this one takes the form of its neighbours.

    Examples
    --------
    >>> SetValueParam([1, 2], [4, 4], [1, 1])
    SetValueParam: {"ends":[4,4],"starts":[1,2],"strides":[1,1]}
    """

    lists = ("starts", "ends", "strides")
    starts = Member("First cell on each axis.")
    ends = Member("One past the last cell on each axis.")
    strides = Member("Steps between cells.")

    def __init__(
        self, starts: Any = (), ends: Any = (), strides: Any = (), *, rsv: Any = ()
    ) -> None:
        super().__init__(rsv, starts=starts, ends=ends, strides=strides)
