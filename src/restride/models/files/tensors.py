"""Where an ONNX model's tensors have their values: in it, in its file, or beside it.

Nothing is read from a file outside the model's folder.
"""

from __future__ import annotations

import os
import stat
from math import prod
from pathlib import Path
from typing import Any

import numpy as np

from restride.models.constant import MOST_VALUES, Constant
from restride.models.errors import ModelError
from restride.models.files.messages import packed
from restride.models.files.slim import HERE
from restride.models.files.wire import WireError
from restride.models.texts import as_text

__all__ = ["DTYPES", "Store", "dtype_name", "dtype_number"]

Array = np.ndarray[Any, Any]

DTYPES = (
    *("", "float32", "uint8", "int8", "uint16", "int16", "int32", "int64", "string"),
    *("bool", "float16", "float64", "uint32", "uint64", "complex64", "complex128"),
    *("bfloat16", "float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2"),
    *("float8_e5m2fnuz", "uint4", "int4", "float4_e2m1fn", "float8_e8m0fnu"),
    *("uint2", "int2"),
)
"""NumPy's names of ONNX's element types, by number: TensorProto.DataType."""

FIELDS = {
    "float32": ("float_data", "float32"),
    "float64": ("double_data", "float64"),
    "int64": ("int64_data", "int64"),
    "uint64": ("uint64_data", "uint64"),
    "uint32": ("uint64_data", "uint32"),
    "bool": ("int32_data", "bool"),
    "float16": ("int32_data", "uint16"),
    "bfloat16": ("int32_data", "uint16"),
    **{n: ("int32_data", n) for n in ("int8", "uint8", "int16", "uint16", "int32")},
}
"""The list that holds a type's numbers where there are no raw bytes, and their type."""


def dtype_name(number: int) -> str | None:
    """NumPy's name of an element type; None of 0 and of a number nobody knows.

    Examples
    --------
    >>> dtype_name(16), dtype_name(0)
    ('bfloat16', None)
    """
    return DTYPES[number] if 0 < number < len(DTYPES) else None


def dtype_number(name: str | None) -> int:
    """The element type of NumPy's name; 0 of None.

    Raises
    ------
    ValueError
        ONNX has no such type.

    Examples
    --------
    >>> dtype_number("bfloat16"), dtype_number(None)
    (16, 0)
    """
    return DTYPES.index(name or "")


class Store:
    """Where the tensors of one model have their values.

    Parameters
    ----------
    name : str
        The model's, for messages.
    data : buffer, optional
        The bytes it was cut from (see :mod:`restride.models.files.slim`).
    places : list
        Where long data lies in them.
    folder : Path, optional
        Where files of external data are; None: the model came as bytes.
    """

    def __init__(
        self,
        name: str,
        data: Any = None,
        places: Any = (),
        folder: Path | None = None,
    ) -> None:
        self.name, self.data, self.places, self.folder = name, data, places, folder

    def constant(self, tensor: Any) -> Constant:
        """An ONNX TensorProto as a constant; nothing is read yet."""
        shape = tuple(int(n) for n in tensor.dims)
        return Constant(shape, dtype_name(tensor.data_type), lambda: self.load(tensor))

    def load(self, tensor: Any) -> Array:
        """The values of a TensorProto; :class:`Constant` looked at their number."""
        shape = tuple(int(n) for n in tensor.dims)
        kind = dtype_name(tensor.data_type)
        if min(shape, default=0) < 0 or kind not in FIELDS:
            raise self.error(f"constant of type {kind} and shape {shape} is not read.")
        listed, held = FIELDS[kind]
        if tensor.data_location == 1:
            flat = self._elsewhere(tensor, listed, held, kind, prod(shape))
        elif tensor.raw_data:
            flat = self._raw(tensor.raw_data, kind)
        else:
            given = list(getattr(tensor, listed))[: prod(shape) + 1]
            flat = np.array(given, np.int64 if held != kind else None)
            flat = _as(flat.astype(held), kind)
        if flat.size != prod(shape):
            raise self.error(f"a constant of shape {shape} holds {flat.size} values.")
        return flat.reshape(shape)

    def error(self, what: str) -> ModelError:
        """An error that names the model."""
        return ModelError(self.name, what)

    def _raw(self, raw: Any, kind: str) -> Array:
        dtype = _dtype(kind)
        whole = len(raw) // dtype.itemsize * dtype.itemsize
        if whole != len(raw):
            raise self.error(f"{len(raw)} bytes of data are no whole number of {kind}.")
        return np.frombuffer(bytes(raw), dtype.newbyteorder("<")).astype(dtype)

    def _elsewhere(
        self, tensor: Any, listed: str, held: str, kind: str, count: int
    ) -> Array:
        """External data: in a file beside the model, or left out of it by us."""
        told = {as_text(e.key): as_text(e.value) for e in tensor.external_data}
        if told.get("location") == HERE:
            field_number, start, end = self._place(told.get("place", ""))
            if field_number == 9:
                return self._raw(memoryview(self.data)[start:end], kind)
            return self._packed(start, end, listed, held, kind)
        size = count * _dtype(kind).itemsize
        return self._raw(self._file(told, size), kind)

    def _place(self, number: str) -> tuple[int, int, int]:
        """Where data lies that was left out; a file may only pretend that some was."""
        if not number.isdecimal() or not int(number[:9]) < len(self.places):
            raise self.error("external data has no location; the model is damaged.")
        found: tuple[int, int, int] = self.places[int(number[:9])]
        return found

    def _packed(self, start: int, end: int, listed: str, held: str, kind: str) -> Array:
        """A list of numbers left out: floats lie as they are, ints are varints."""
        data = memoryview(self.data)[start:end]
        if listed in ("float_data", "double_data"):
            return self._raw(data, kind)
        try:
            found = packed(data, MOST_VALUES)
        except WireError as error:
            raise self.error(str(error)) from None
        wide = np.uint64 if held == "uint64" else np.int64
        return _as(np.array(found, np.int64).view(wide).astype(held), kind)

    def _file(self, told: dict[str, str], size: int) -> bytes:
        location = told.get("location", "")
        if self.folder is None:
            raise self.error(
                f"its data is in a file {location!r}; give the model's path, not bytes."
            )
        path = self._inside(self.folder, location)
        try:
            offset, length = int(told.get("offset", 0)), int(told.get("length", size))
        except ValueError:
            raise self.error("external data has an offset that is no number.") from None
        try:
            return self._read(path, location, offset, length, size)
        except OSError as error:
            raise self.error(f"external data {location!r}: {error.strerror}.") from None

    def _read(
        self, path: Path, location: str, offset: int, length: int, size: int
    ) -> bytes:
        state = path.stat()
        if not stat.S_ISREG(state.st_mode):
            raise self.error(f"external data {location!r} is no file.")
        if offset < 0 or length != size or offset + length > state.st_size:
            raise self.error(
                f"external data {location!r} has {state.st_size} bytes; the tensor's "
                f"{size} bytes are said to be the {length} from {offset} on."
            )
        with path.open("rb") as stream:
            stream.seek(offset)
            return stream.read(length)

    def _inside(self, folder: Path, location: str) -> Path:
        """The file, which lies in the model's folder or below and is no way out."""
        parts = Path(location).parts
        outside = Path(location).is_absolute() or ".." in parts or "\0" in location
        if not location or outside or "\\" in location:
            raise self.error(
                f"external data {location!r} lies outside the model's folder; it is "
                "not read. Move the file beside the model."
            )
        path = Path(os.path.realpath(folder / location))
        if not path.is_relative_to(os.path.realpath(folder)):
            raise self.error(
                f"external data {location!r} is a link that leads out of the model's "
                "folder; it is not read."
            )
        return path


def _dtype(kind: str) -> np.dtype[Any]:
    if kind != "bfloat16":
        return np.dtype(kind)
    import ml_dtypes

    made: np.dtype[Any] = np.dtype(ml_dtypes.bfloat16)
    return made


def _as(flat: Array, kind: str) -> Array:
    """Numbers as they are; 16-bit floats are held as the bits of integers."""
    return flat.view(_dtype(kind)) if flat.dtype != _dtype(kind) else flat
