"""Reading a model file: any size, any content, one clear line where it is no model.

>>> import onnx.parser
>>> text = '<ir_version: 8, opset_import: ["" : 18]> g (float[3] x) => (float[3] y) '
>>> m = read_model(onnx.parser.parse_model(text + "{ y = Identity(x) }"))
>>> m.kind, m.proto.graph.node[0].op_type
('onnx', 'Identity')
"""

from __future__ import annotations

import mmap
import os
import stat
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from restride.models.errors import ModelError
from restride.models.files.slim import slim
from restride.models.files.sniffing import kind_of
from restride.models.files.tensors import Store
from restride.models.files.wire import WireError
from restride.models.texts import shortened
from restride.packages import needed

__all__ = ["Model", "read_bytes", "read_model"]

IN_MEMORY = 1 << 26
"""Largest file, in bytes, that is read as a whole; a larger one is mapped."""


@dataclass(frozen=True)
class Model:
    """A model that was read."""

    name: str
    """Its path, or what it was given as."""
    kind: str
    """One of :data:`restride.models.files.sniffing.KINDS`."""
    data: Any
    """Its bytes, or a map of a large file; None where a proto was given."""
    proto: Any = None
    """Of ONNX: the ModelProto, without long tensor data."""
    store: Store = field(default_factory=lambda: Store("model"))
    """Where its tensors have their values."""
    path: Path | None = None
    """The file, where it is one."""


def read_model(source: Any) -> Model:
    """A model from a path, from bytes, or from an ONNX ModelProto.

    Parameters
    ----------
    source : str, path, bytes or onnx.ModelProto
        A file's kind is told by its content.

    Raises
    ------
    ModelError
        No such file, none that can be read, no model, or a broken or hostile one.
    UnsupportedError
        The onnx package, which reads ONNX's messages, is not installed.
    """
    if isinstance(source, (bytes, bytearray, memoryview)):
        return _of_bytes(bytes(source), "model", None)
    if hasattr(source, "graph") and hasattr(source, "opset_import"):
        return _of_proto(source)
    if not isinstance(source, (str, os.PathLike)):
        raise ModelError(
            f"a {type(source).__name__}", "give a path, bytes or an onnx.ModelProto."
        )
    path = Path(os.fsdecode(source))
    return _of_bytes(read_bytes(path), shortened(str(path)), path)


def read_bytes(path: Path) -> Any:
    """The bytes of a file: read where it is small, mapped where it is not.

    Raises
    ------
    ModelError
        It is no regular file, or cannot be read.
    """
    name = str(path)
    try:
        with open(path, "rb", opener=_opened) as stream:
            state = os.fstat(stream.fileno())
            if not stat.S_ISREG(state.st_mode):
                raise ModelError(name, "it is no regular file; give a model's file.")
            if state.st_size <= IN_MEMORY:
                return stream.read(IN_MEMORY + 1)
            return mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
    except ModelError:
        raise
    except IsADirectoryError:
        saved = path / "saved_model.pb"
        what = str(saved) if saved.is_file() else "a model's file"
        raise ModelError(name, f"it is a directory; give {what}.") from None
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise ModelError(name, f"{why}.") from None


def _opened(name: str, flags: int) -> int:
    """Open without waiting for whoever might write into a pipe."""
    return os.open(name, flags | getattr(os, "O_NONBLOCK", 0))


def _of_bytes(data: Any, name: str, path: Path | None) -> Model:
    kind = kind_of(data, name)
    if kind != "onnx":
        return Model(name, kind, data, None, Store(name), path)
    try:
        small, places = slim(data)
    except WireError as error:
        raise ModelError(name, str(error)) from None
    proto = _parsed(small, name)
    folder = None if path is None else path.parent
    return Model(name, kind, data, proto, Store(name, data, places, folder), path)


def _parsed(small: bytes, name: str) -> Any:
    onnx = needed("onnx", "onnx", "reading an ONNX model")
    proto = onnx.ModelProto()
    try:
        proto.ParseFromString(small)
    except MemoryError:
        raise ModelError(name, "there is not enough memory to read it.") from None
    except Exception as error:  # protobuf's own, which differs between its versions
        why = str(error) or type(error).__name__
        raise ModelError(
            name,
            f"it is no valid ONNX model ({why}); it is damaged, or its graphs are "
            "nested deeper than 30.",
        ) from None
    if not proto.HasField("graph"):
        raise ModelError(name, "it has no graph.")
    return proto


def _of_proto(proto: Any) -> Model:
    """A ModelProto as it is; its external data cannot be found."""
    name = str(proto.graph.name or "model")
    return Model(shortened(name), "onnx", None, proto, Store(shortened(name)))
