"""A model's bytes without its large tensors, however large the file is.

What moves elements is told by short lists, so weights need not be read.  The file is
looked through in place; each tensor's data of more than :data:`KEEP` bytes is left out
and replaced by where it lies, in ONNX's own words for external data, with
:data:`HERE` as the location.

>>> small, places = slim(b"\\x08\\x07\\x3a\\x00")
>>> small, len(places)
(b'\\x08\\x07:\\x00', 0)
"""

from __future__ import annotations

from collections.abc import Iterator

from restride.models.files.wire import BYTES, Buffer, Field, WireError, fields

__all__ = ["HERE", "KEEP", "MOST_BYTES", "slim"]

KEEP = 4096
"""Longest data, in bytes, that stays in the message: 512 numbers of 64 bits."""

HERE = "restride: in this file"
"""The location of data left out; no file can be called so and be read by us."""

MOST_BYTES = 1 << 27
"""Most bytes of what is left, 128 MiB: graphs of some million nodes."""

MOST_FIELDS = 4_000_000
"""Most fields looked at one by one."""

MOST_DEPTH = 90
"""Deepest nesting of messages; protobuf itself reads at most 100."""

INSIDE: dict[str, dict[int, str]] = {
    "model": {7: "graph", 20: "training", 25: "function"},
    "training": {1: "graph", 2: "graph"},
    "graph": {1: "node", 5: "tensor", 15: "sparse"},
    "node": {5: "attribute"},
    "attribute": {
        5: "tensor",
        6: "graph",
        10: "tensor",
        11: "graph",
        22: "sparse",
        23: "sparse",
    },
    "sparse": {1: "tensor", 2: "tensor"},
    "function": {7: "node", 11: "attribute"},
}
"""Which fields of a message hold messages that may hold tensors."""

DATA = {4: 0, 5: 0, 6: 0, 7: 0, 9: 1, 10: 0, 11: 0}
"""A tensor's fields of data; 9 are raw bytes, the others packed numbers."""

Places = list[tuple[int, int, int]]
"""(field, first byte, one past the last) of each run of data left out."""


def slim(
    data: Buffer | bytes | memoryview, end: int | None = None
) -> tuple[bytes, Places]:
    """The message without long data, and where that lies.

    A tensor's k-th place is named by its external data entry ``k``.

    Raises
    ------
    WireError
        The bytes are no message; deeper, longer or of more fields than is read.
    """
    cutter = _Cutter(data)
    made = cutter.message("model", 0, len(data) if end is None else end, 0)
    return made, cutter.places


class _Cutter:
    """One pass over a message and those inside it."""

    def __init__(self, data: Buffer | bytes | memoryview) -> None:
        self.data = data
        self.places: Places = []
        self.seen = 0
        self.kept = 0

    def message(self, kind: str, start: int, end: int, depth: int) -> bytes:
        """The message between two positions, without long data."""
        if end - start <= KEEP:
            return self.copied(start, end)
        if depth > MOST_DEPTH:
            raise WireError(f"its graphs are nested deeper than {MOST_DEPTH // 3}.")
        if kind == "tensor":
            return self.tensor(start, end)
        inside = INSIDE[kind]
        parts: list[bytes] = []
        for field in self.counted(start, end):
            child = inside.get(field.number) if field.kind == BYTES else None
            if child is None:
                parts.append(self.copied(field.start, field.end))
            else:
                made = self.message(child, field.value, field.end, depth + 1)
                parts.append(_bytes_field(field.number, made))
        return b"".join(parts)

    def tensor(self, start: int, end: int) -> bytes:
        """A tensor, whose data becomes its place where it is long."""
        parts: list[bytes] = []
        for field in self.counted(start, end):
            long = field.end - field.value > KEEP
            if field.kind == BYTES and field.number in DATA and long:
                self.places.append((field.number, field.value, field.end))
                parts.append(_place(len(self.places) - 1))
            else:
                parts.append(self.copied(field.start, field.end))
        return b"".join(parts)

    def counted(self, start: int, end: int) -> Iterator[Field]:
        """The fields, of which there may be only so many in all."""
        for field in fields(self.data, start, end):
            self.seen += 1
            if self.seen > MOST_FIELDS:
                raise WireError(f"it has more than {MOST_FIELDS} fields.")
            yield field

    def copied(self, start: int, end: int) -> bytes:
        """Bytes as they are, of which there may be only so many in all."""
        self.kept += end - start
        if self.kept > MOST_BYTES:
            raise WireError(
                f"without its tensors it still has more than {MOST_BYTES >> 20} MiB."
            )
        return bytes(memoryview(self.data)[start:end])  # type: ignore[arg-type]


def _place(number: int) -> bytes:
    """A tensor's fields data_location = EXTERNAL and its external_data entries."""
    entries = (("location", HERE), ("place", str(number)))
    made = b"".join(
        _bytes_field(13, _bytes_field(1, k.encode()) + _bytes_field(2, v.encode()))
        for k, v in entries
    )
    return made + b"\x70\x01"


def _bytes_field(number: int, content: bytes) -> bytes:
    return _varint(number << 3 | BYTES) + _varint(len(content)) + content


def _varint(number: int) -> bytes:
    parts = bytearray()
    while number > 127:
        parts.append(number & 127 | 128)
        number >>= 7
    parts.append(number)
    return bytes(parts)
