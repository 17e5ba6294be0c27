"""An ONNX file as a whole: read with all its tensors, and written with their files."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from restride.errors import RestrideError
from restride.export.onnx import put, reason
from restride.models.errors import ModelError
from restride.models.files.reading import Model, read_model
from restride.packages import needed

__all__ = ["external_files", "load", "save"]

MOST_BYTES = 2**31 - 1
"""Largest message that protobuf holds; more must be external data."""


def load(source: Any) -> tuple[Model, Any]:
    """A model read safely, and the whole ModelProto, long tensors included.

    Raises
    ------
    ModelError
        It is no ONNX model, or is larger than a message may be.
    """
    read = read_model(source)
    if read.kind != "onnx":
        raise ModelError(read.name, f"its kind is {read.kind}; give an ONNX model.")
    _check_names(read)
    if read.data is None:
        return read, source
    if len(read.data) > MOST_BYTES:
        raise ModelError(read.name, "it is larger than 2 GB; keep tensors in files.")
    proto = needed("onnx", "onnx", "optimizing a model").ModelProto()
    proto.ParseFromString(bytes(read.data))  # read_model has parsed it, less its data
    return read, proto


def _check_names(read: Model) -> None:
    """Refuse names that are no text: protobuf reads them, and does not write them."""
    try:
        good = all(isinstance(name, str) for name in _names(read.proto.graph))
    except UnicodeDecodeError:
        good = False
    if not good:
        raise ModelError(read.name, "a name in it is no UTF-8 text.")


def _names(graph: Any) -> Iterator[Any]:
    for info in (*graph.input, *graph.output, *graph.value_info):
        yield info.name
    for tensor in graph.initializer:
        yield tensor.name
    for node in graph.node:
        yield from (*node.input, *node.output, node.name, node.op_type, node.domain)
        for attribute in node.attribute:
            yield attribute.name
            for inner in (attribute.g, *attribute.graphs):
                yield from _names(inner)


def external_files(proto: Any) -> list[str]:
    """Names of the files that hold tensors of the model."""
    found: dict[str, None] = {}
    for tensor in _tensors(proto.graph):
        if tensor.data_location == 1:
            for entry in tensor.external_data:
                if entry.key == "location":
                    found[entry.value] = None
    return list(found)


def _tensors(graph: Any) -> Iterator[Any]:
    yield from graph.initializer
    for node in graph.node:
        for attribute in node.attribute:
            if attribute.HasField("t"):
                yield attribute.t
            yield from attribute.tensors
            for inner in (attribute.g, *attribute.graphs):
                yield from _tensors(inner)


def save(proto: Any, read: Model, output: Any) -> None:
    """Write a model, beside its place first; its external files come along.

    Raises
    ------
    ModelError
        It cannot be written, or a file of that name with other data is there.
    """
    try:
        target = Path(os.fspath(output))
        home = None if read.path is None else read.path.parent
        _bring(external_files(proto), home, target.parent, read.name)
        put(proto.SerializeToString(), target)
    except RestrideError:
        raise
    except (OSError, TypeError, ValueError) as error:
        told = f"it cannot be written ({reason(error)})."
        raise ModelError(str(output), told) from None


def _bring(names: list[str], home: Path | None, folder: Path, model: str) -> None:
    """Copy external files to the folder of the result, unless they are there."""
    for name in names:
        if home is None:
            raise ModelError(model, "its external data cannot be found from bytes.")
        source, target = home / name, folder / name
        if not _inside(source, home) or not _inside(target, folder):
            raise ModelError(model, f"external data {name!r} lies outside its folder.")
        if not source.is_file():
            raise ModelError(model, f"external data {name!r} is no file.")
        if target.exists():
            if not source.samefile(target):
                raise ModelError(
                    model, f"{target} exists; write the result to another folder."
                )
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        part = target.with_name(f".{target.name}.{os.getpid()}.part")
        try:
            shutil.copyfile(source, part)
            part.replace(target)
        finally:
            part.unlink(missing_ok=True)


def _inside(path: Path, folder: Path) -> bool:
    return path.resolve().is_relative_to(folder.resolve())
