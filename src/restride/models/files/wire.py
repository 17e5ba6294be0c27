"""The outermost grammar of a model file: protobuf's fields, one after the other.

A field is a number, a kind, and a value or the place where its bytes lie.  Nothing is
copied, so that a file of any size can be looked through; every length is checked
against what is really there before it is believed.

>>> [(f.number, f.kind, f.value) for f in fields(b"\\x08\\x07\\x12\\x01a", 0, 5)]
[(1, 0, 7), (2, 2, 4)]
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, Protocol

__all__ = ["BYTES", "VARINT", "Buffer", "Field", "WireError", "fields", "varint"]

VARINT, EIGHT, BYTES, FOUR = 0, 1, 2, 5
"""Kinds of value: a number, 8 bytes, bytes with their length before them, 4 bytes."""

LONGEST_VARINT = 10
"""Most bytes of a number of 64 bits, 7 of them a byte."""


class Buffer(Protocol):
    """Anything with bytes at positions: bytes, memoryview, mmap."""

    def __len__(self) -> int:
        """How many bytes."""

    def __getitem__(self, at: int) -> int:
        """The byte at a position."""


class WireError(ValueError):
    """Bytes that are no sequence of fields."""


class Field(NamedTuple):
    """One field of a message."""

    number: int
    kind: int
    value: int
    """The number of a VARINT; for the others the position of their first byte."""
    start: int
    """Position of the field itself."""
    end: int
    """One past its last byte."""


def varint(data: Buffer | bytes | memoryview, at: int, end: int) -> tuple[int, int]:
    """A number and the position after it.

    Raises
    ------
    WireError
        It does not end before `end`, or has more than 10 bytes.
    """
    found = shift = 0
    for k in range(at, min(at + LONGEST_VARINT, end)):
        byte = data[k]
        found |= (byte & 127) << shift
        if byte < 128:
            return found, k + 1
        shift += 7
    if end - at < LONGEST_VARINT:
        raise WireError(f"it ends within a number at byte {at}; is it truncated?")
    raise WireError(f"a number at byte {at} has more than 64 bits.")


def fields(data: Buffer | bytes | memoryview, start: int, end: int) -> Iterator[Field]:
    """The fields between two positions.

    Raises
    ------
    WireError
        A field that reaches beyond `end`, or of a kind that does not exist.
    """
    at = start
    while at < end:
        tag, then = varint(data, at, end)
        number, kind = tag >> 3, tag & 7
        if kind == VARINT:
            value, after = varint(data, then, end)
        elif kind == BYTES:
            length, value = varint(data, then, end)
            after = value + length
        elif kind in (EIGHT, FOUR):
            value, after = then, then + (8 if kind == EIGHT else 4)
        else:
            raise WireError(f"a field of kind {kind} at byte {at}; it is damaged.")
        if not number:
            raise WireError(f"a field without a number at byte {at}; it is damaged.")
        if after > end:
            raise WireError(
                f"a field at byte {at} has {after - value} bytes, and {end - value} "
                "are left; is it truncated?"
            )
        yield Field(number, kind, value, at, after)
        at = after
