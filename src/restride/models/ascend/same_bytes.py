"""The same bytes under another type: what AsStridedOperation takes of any movement.

It moves elements of 2 and of 8 bytes unchanged.  Elements of 4 bytes are two of 2, with
one more axis; whether that is taken is asked of the dialect, and said only then.
"""

from __future__ import annotations

from collections.abc import Sequence

from restride.errors import RestrideError
from restride.models.ascend.calls import accept
from restride.targets import Product, UnknownNameError, dtype_named
from restride.translate.spec import Call
from restride.translate.texts import text_of
from restride.translate.translation import NEWEST

__all__ = ["same_bytes"]

ALIKE = {2: "float16", 8: "int64"}
"""The type that the operator takes, by the bytes of an element."""


def same_bytes(
    calls: Sequence[Call], shape: tuple[int, ...], dtype: str, product: Product
) -> tuple[str, str] | None:
    """What to do and the call, where the product takes the same bytes; else None.

    Examples
    --------
    >>> from restride.targets import product
    >>> words = {"size": (3, 2), "stride": (1, 3), "offset": (0,)}
    >>> call = Call("atb", "AsStridedParam", words)
    >>> print(same_bytes([call], (2, 3), "float32", product("A2"))[0])
    Give each element as two of float16: see the call, whose result has one more axis.
    >>> same_bytes([call], (2, 3), "int8", product("A2")) is None
    True
    """
    if len(calls) != 1 or calls[0].op != "AsStridedParam":
        return None
    try:
        size = dtype_named(dtype).bytes
        if size == 4:
            made, given, alike = _halves(calls[0]), (*shape, 2), "float16"
            told = "Give each element as two of float16: see the call, whose result "
            told += "has one more axis."
        else:
            made, given, alike = calls[0], shape, ALIKE[size or 0]
            told = f"Pass the same bytes as {alike}: the operator moves them unchanged."
        accept(made, given, alike, product)
    except (RestrideError, UnknownNameError, KeyError):
        return None
    return told, text_of((made,), NEWEST, None)


def _halves(call: Call) -> Call:
    """The call over elements of half the size."""
    words = {
        "size": (*call.params["size"], 2),
        "stride": (*[2 * s for s in call.params["stride"]], 1),
        "offset": tuple([2 * v for v in call.params["offset"]]),
    }
    return Call(call.dialect, call.op, words)
