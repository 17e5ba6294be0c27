"""A GraphDef written as text (.pbtxt), as the bytes of the same message.

The messages are described to protobuf here, so that no TensorFlow is needed; names and
numbers of their fields are those of graph.proto, node_def.proto, attr_value.proto,
tensor.proto, tensor_shape.proto, types.proto, versions.proto, function.proto and
op_def.proto in tensorflow/core/framework.  Fields that are not described are skipped.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from restride.models.errors import ModelError
from restride.models.tensorflow.tensor_proto import DTYPES
from restride.packages import needed

__all__ = ["MESSAGES", "MOST_CHARACTERS", "graphdef_of_text"]

MOST_CHARACTERS = 1 << 26
"""Longest text, in characters, that is read; text is many times larger than bytes."""

MESSAGES = {
    "GraphDef": "1 *NodeDef node, 2 FunctionDefLibrary library, 4 VersionDef versions",
    "VersionDef": "1 int32 producer",
    "NodeDef": "1 string name, 2 string op, 3 *string input, 4 string device, "
    "5 *NodeAttr attr",
    "NodeAttr": "1 string key, 2 AttrValue value",
    "AttrValue": "1 ListValue list, 2 bytes s, 3 int64 i, 4 float f, 5 bool b, "
    "6 DataType type, 7 TensorShapeProto shape, 8 TensorProto tensor, "
    "9 string placeholder",
    "ListValue": "2 *bytes s, 3 *int64 i, 4 *float f, 5 *bool b, 6 *DataType type, "
    "7 *TensorShapeProto shape",
    "TensorShapeProto": "2 *Dim dim, 3 bool unknown_rank",
    "Dim": "1 int64 size, 2 string name",
    "TensorProto": "1 DataType dtype, 2 TensorShapeProto tensor_shape, "
    "3 int32 version_number, 4 bytes tensor_content, 5 *float float_val, "
    "6 *double double_val, 7 *int32 int_val, 8 *bytes string_val, "
    "9 *float scomplex_val, 10 *int64 int64_val, 11 *bool bool_val, "
    "12 *double dcomplex_val, 13 *int32 half_val, 16 *uint32 uint32_val, "
    "17 *uint64 uint64_val, 18 bytes float8_val",
    "FunctionDefLibrary": "1 *FunctionDef function",
    "FunctionDef": "1 OpDef signature, 3 *NodeDef node_def, 5 *NodeAttr attr, "
    "7 *ArgAttrs arg_attr",
    "ArgAttrs": "1 uint32 key, 2 ArgAttr value",
    "ArgAttr": "1 *NodeAttr attr",
    "OpDef": "1 string name, 2 *ArgDef input_arg, 3 *ArgDef output_arg",
    "ArgDef": "1 string name, 3 DataType type, 4 string type_attr",
}
"""Per message its fields: number, * where repeated, type, name.

A map is written as it stands on the wire, as a repeated message of key and value.
"""

NUMBERS = {
    "double": 1,
    "float": 2,
    "int64": 3,
    "uint64": 4,
    "int32": 5,
    "bool": 8,
    "string": 9,
    "bytes": 12,
    "uint32": 13,
}
"""descriptor.proto, FieldDescriptorProto.Type."""

ENUM, MESSAGE = 14, 11

NAMES = {
    "float32": "FLOAT",
    "float64": "DOUBLE",
    "float16": "HALF",
}
"""TensorFlow's names of types where they are not NumPy's in capitals."""

PACKAGE = "restride.graphdef"


def graphdef_of_text(text: bytes, name: str) -> bytes:
    """The bytes of the GraphDef that a text describes.

    Raises
    ------
    ModelError
        It is no such text, or longer than is read.
    UnsupportedError
        protobuf, which the package onnx brings, is not installed.
    """
    if len(text) > MOST_CHARACTERS:
        raise ModelError(
            name,
            f"a text of more than {MOST_CHARACTERS >> 20} MiB; save it as binary.",
        )
    text_format = _protobuf("text_format")
    message = _messages()()
    try:
        text_format.Parse(
            bytes(text).decode("utf-8"), message, allow_unknown_field=True
        )
    except (text_format.ParseError, ValueError, RecursionError) as error:
        why = str(error) or type(error).__name__
        raise ModelError(name, f"it is no GraphDef in text form ({why}).") from None
    made: bytes = message.SerializeToString()
    return made


def _protobuf(module: str) -> Any:
    what = "reading a GraphDef in text form"
    return needed(f"google.protobuf.{module}", "onnx", what)


@cache
def _messages() -> Any:
    """The class of GraphDef's messages."""
    file = _protobuf("descriptor_pb2").FileDescriptorProto(
        name="restride_graphdef.proto", package=PACKAGE
    )
    enum = file.enum_type.add(name="DataType")
    enum.value.add(name="DT_INVALID", number=0)
    for number, dtype in DTYPES.items():
        title = NAMES.get(dtype, dtype.upper())
        enum.value.add(name=f"DT_{title}", number=number)
        enum.value.add(name=f"DT_{title}_REF", number=number + 100)
    for title, fields in MESSAGES.items():
        message = file.message_type.add(name=title)
        for field in fields.split(", "):
            _describe(message, *field.split())
    pool = _protobuf("descriptor_pool").DescriptorPool()
    pool.Add(file)
    found = pool.FindMessageTypeByName(f"{PACKAGE}.GraphDef")
    return _protobuf("message_factory").GetMessageClass(found)


def _describe(message: Any, number: str, kind: str, name: str) -> None:
    """Add a field to the description of a message."""
    own = message.field.add(name=name, number=int(number))
    own.label = 3 if kind.startswith("*") else 1
    kind = kind.removeprefix("*")
    own.type = NUMBERS.get(kind, ENUM if kind == "DataType" else MESSAGE)
    if kind not in NUMBERS:
        own.type_name = f".{PACKAGE}.{kind}"
