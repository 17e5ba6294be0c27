"""A protobuf message field by field: numbers as numbers, the rest as bytes in place.

>>> list(entries(memoryview(b"\\x08\\x07")))
[(1, 7)]
"""

from __future__ import annotations

from collections.abc import Iterator
from struct import unpack

from restride.models.files.wire import VARINT, WireError, fields, varint

__all__ = ["Entry", "entries", "packed", "signed", "text", "within"]

Entry = int | memoryview
"""A number as it stands, or the bytes of anything else."""

LONGEST_TEXT = 65_536
"""Most bytes of a name; longer ones are no names."""


def entries(message: memoryview) -> Iterator[tuple[int, Entry]]:
    """Number and value of each field, in the order of the file.

    Raises
    ------
    WireError
        The bytes are no message.
    """
    for field in fields(message, 0, len(message)):
        number = field.kind == VARINT
        yield field.number, field.value if number else message[field.value : field.end]


def signed(value: Entry) -> int:
    """An int32, int64, bool or enum: negative numbers are written as 64 bits."""
    if isinstance(value, memoryview):
        raise WireError("a text or message stands where a number is expected.")
    value &= (1 << 64) - 1
    return value - (1 << 64) if value >> 63 else value


def within(value: Entry) -> memoryview:
    """The bytes of a text, a message or a number of fixed length."""
    if isinstance(value, int):
        raise WireError("a number stands where a text or message is expected.")
    return value


def text(value: Entry) -> str:
    """A name; bytes that are no UTF-8 are shown as such."""
    data = within(value)
    if len(data) > LONGEST_TEXT:
        raise WireError(f"a name has {len(data)} bytes; at most {LONGEST_TEXT}.")
    return bytes(data).decode("utf-8", "backslashreplace")


def packed(value: Entry, most: int, kind: str = "int") -> list[int] | list[float]:
    """One entry of a repeated number, or many of them packed into one field.

    `kind` is "int", or "f" or "d" for floats of 32 and 64 bits.

    Raises
    ------
    WireError
        More than `most` of them.
    """
    if isinstance(value, int):
        return [signed(value)]
    if kind != "int":
        width = 4 if kind == "f" else 8
        if len(value) % width or len(value) > most * width:
            raise WireError(f"{len(value)} bytes hold no {most} numbers of {width}.")
        return list(unpack(f"<{len(value) // width}{kind}", value))
    found: list[int] = []
    place = 0
    while place < len(value):
        number, place = varint(value, place, len(value))
        found.append(signed(number))
        if len(found) > most:
            raise WireError(f"a list has more than {most} numbers.")
    return found
