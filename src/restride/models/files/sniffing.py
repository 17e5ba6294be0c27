"""What kind of file a model is, told by its first bytes and never by its name.

>>> kind_of(b"\\x08\\x07\\x3a\\x02\\x12\\x00", "m")
'onnx'
"""

from __future__ import annotations

import re

from restride.models.errors import ModelError
from restride.models.files.wire import BYTES, VARINT, Buffer, Field, WireError, fields

__all__ = ["KINDS", "kind_of"]

KINDS = ("onnx", "tflite", "graphdef", "pbtxt", "savedmodel")
"""Kinds of model that are read."""

FLATBUFFER = b"TFL3"
"""What a TFLite file says of itself, at bytes 4 to 8."""

OTHERS = {
    b"PK\x03\x04": "a ZIP archive (a PyTorch, Keras or NumPy file); export it to ONNX",
    b"\x89HDF": "an HDF5 file (Keras); export it to ONNX",
    b"\x80\x02": "a Python pickle, which is never loaded; export it to ONNX",
    b"\x93NUM": "a NumPy array and no model",
    b"\x1f\x8b": "compressed by gzip; unpack it first",
    b"\x89PNG": "a picture and no model",
    b"ORTM": "a file in ONNX Runtime's own format; give the .onnx it was made from",
}
"""First bytes of files that people give instead, and what to do."""

ORT = b"ORTM"
"""What an ONNX Runtime file says of itself, at bytes 4 to 8."""

READ = "ONNX, TFLite and TensorFlow GraphDef and SavedModel files are read."

GRAPH_TEXT = re.compile(rb"(\s|#[^\n]*\n)*(node|library|versions)\s*:?\s*\{")
"""How a GraphDef in text form begins."""

ONNX_ONLY = {7, 8, 14, 20, 25}
"""Fields of ONNX's ModelProto that no GraphDef has: graph, opsets, metadata."""

LOOKED_AT = 64
"""Most fields looked at; a GraphDef may have any number of nodes first."""


def kind_of(data: Buffer | bytes | memoryview, name: str) -> str:
    """One of :data:`KINDS`.

    Raises
    ------
    ModelError
        An empty file, text, or another kind of file: which, and what to give instead.

    Notes
    -----
    ONNX 1.23, onnx/onnx.proto; TensorFlow 2.21, core/framework/graph.proto and
    core/protobuf/saved_model.proto; TFLite's schema.fbs, ``file_identifier``.
    """
    if not len(data):
        raise ModelError(name, f"it is empty; {READ}")
    head = bytes([data[k] for k in range(min(len(data), 256))])
    if head[4:8] == FLATBUFFER:
        return "tflite"
    for magic, what in OTHERS.items():
        if head.startswith(magic) or (magic == ORT and head[4:8] == ORT):
            raise ModelError(name, f"it is {what}; {READ}")
    if _is_text(head):
        if GRAPH_TEXT.match(head):
            return "pbtxt"
        raise ModelError(name, f"it is text and no model; {READ}")
    return _of_fields(data, name)


def _is_text(head: bytes) -> bool:
    """True of printable bytes alone; a message has others among its first."""
    return all(byte >= 32 or byte in b"\t\n\r" for byte in head)


def _of_fields(data: Buffer | bytes | memoryview, name: str) -> str:
    first = None
    try:
        for count, field in enumerate(fields(data, 0, len(data))):
            first = first or field
            if _is_meta_graph(data, field, first):
                return "savedmodel"
            if field.number in ONNX_ONLY and field.kind == BYTES:
                return "onnx"
            if field.number == 1 and field.kind == BYTES:
                return "graphdef"
            if count > LOOKED_AT:
                break
    except WireError as error:
        if first is None:
            raise ModelError(name, f"it is no model; {READ}") from None
        raise ModelError(name, str(error)) from None
    if first is not None and first.number == 1 and first.kind == VARINT:
        raise ModelError(name, "it has no graph.")
    raise ModelError(name, f"it is no model; {READ}")


def _is_meta_graph(
    data: Buffer | bytes | memoryview, field: Field, first: Field
) -> bool:
    """True of a SavedModel's MetaGraphDef, a graph inside; ONNX has a text there."""
    if (first.number, first.kind) != (1, VARINT):
        return False
    if (field.number, field.kind) != (2, BYTES):
        return False
    try:
        return any(
            inner.number == 2 and inner.kind == BYTES
            for inner in fields(data, field.value, field.end)
        )
    except WireError:
        return False
