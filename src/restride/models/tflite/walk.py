"""TensorFlow Lite files: every operator of every subgraph, in TensorFlow's words.

The file is a flatbuffer: tables that point at tables.  It is read through the package
``tflite`` where it lies, and never believed: an offset that leaves the file, a list too
long for it, or parts that are used over and over are one error.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from math import prod
from typing import Any

import numpy as np

from restride.models.constant import Constant
from restride.models.errors import ModelError
from restride.models.known import Known, Node
from restride.models.tensorflow.tensor_proto import MOST_ELEMENTS
from restride.models.tflite.options import OPTIONS
from restride.packages import needed

__all__ = ["DOMAIN", "walk_tflite"]

DAMAGE = (
    struct.error,
    AttributeError,
    IndexError,
    OverflowError,
    RuntimeError,
    TypeError,
    ValueError,
)
"""What the flatbuffers package raises where a file's offsets lead astray."""

DTYPES = (
    *("float32", "float16", "int32", "uint8", "int64", "string", "bool", "int16"),
    *("complex64", "int8", "float64", "complex128", "uint64", "resource", "variant"),
    *("uint32", "uint16", "int4", "bfloat16"),
)
"""NumPy's names of the numbers of TensorType (schema.fbs)."""

DOMAIN = "tflite"
"""The domain of its operators, beside ONNX's."""


def walk_tflite(data: Any, name: str) -> Iterator[Node]:
    """Every operator of every subgraph of a file.

    Parameters
    ----------
    data : bytes or buffer
        The file's content.
    name : str
        The file, for messages.

    Raises
    ------
    ModelError
        The file is cut off, damaged or made to be read for ever.
    UnsupportedError
        The package ``tflite`` is not installed.

    Notes
    -----
    tensorflow/lite/schema/schema.fbs, as in the tflite package 2.18.
    """
    needed("tflite", "tflite", "reading a TensorFlow Lite model")
    try:
        yield from _File(data).operators()
    except DAMAGE as error:
        why = f" ({error})" if isinstance(error, _OverrunError) else ""
        told = f"it is cut off or damaged: a part of it lies outside the file{why}."
        raise ModelError(name, told) from None


class _OverrunError(ValueError):
    """More parts than the file has room for."""


class _File:
    """A model's tables; every list read is counted against the file's own size."""

    def __init__(self, data: Any) -> None:
        from tflite.Model import Model  # type: ignore[import-untyped]
        from tflite.utils import BUILTIN_OPCODE2NAME  # type: ignore[import-untyped]

        self.size = len(data)
        # An entry of a list takes 4 bytes, so no sound file has more of them.
        self.room = self.size // 4
        self.model = Model.GetRootAs(data, 0)
        self.names: dict[int, str] = BUILTIN_OPCODE2NAME
        codes = self.listed(self.model.OperatorCodesLength, self.model.OperatorCodes)
        self.codes = [self.code(code) for code in codes]
        self.buffers = self.count(self.model.BuffersLength())

    def count(self, length: int) -> int:
        """The length of a list, taken from what may be read at all."""
        self.room -= length
        if self.room < 0:
            raise _OverrunError("its parts are more than it has bytes for")
        return length

    def listed(self, length: Callable[[], int], get: Callable[[int], Any]) -> list[Any]:
        """The entries of a list."""
        return [get(k) for k in range(self.count(length()))]

    def code(self, code: Any) -> tuple[str, int]:
        """Name and version: small numbers stand in a byte of their own."""
        number = max(code.BuiltinCode(), code.DeprecatedBuiltinCode())
        name = self.names.get(number, f"BUILTIN:{number}")
        if name == "CUSTOM":
            name = f"CUSTOM:{_text(code.CustomCode())}"
        return name, code.Version()

    def operators(self) -> Iterator[Node]:
        for k in range(self.count(self.model.SubgraphsLength())):
            graph = self.model.Subgraphs(k)
            title = _text(graph.Name()) or f"subgraph {k}"
            tensors = self.listed(graph.TensorsLength, graph.Tensors)
            values = [self.value(tensor) for tensor in tensors]
            for index in range(self.count(graph.OperatorsLength())):
                scope = (title,) if k else ()
                yield self.node(scope, index, graph.Operators(index), values, tensors)

    def node(
        self,
        scope: tuple[str, ...],
        index: int,
        own: Any,
        values: list[Known],
        tensors: list[Any],
    ) -> Node:
        op, version = self.codes[own.OpcodeIndex()]
        reads = self.listed(own.InputsLength, own.Inputs)
        writes = self.listed(own.OutputsLength, own.Outputs)
        attributes = self.attributes(op, own)
        if op == "PAD" and writes:
            attributes["pad_value"] = _zero_point(tensors[writes[0]])
        inputs, outputs = (
            tuple(_value(values, k) for k in numbers) for numbers in (reads, writes)
        )
        return Node(scope, index, "", op, DOMAIN, version, attributes, inputs, outputs)

    def attributes(self, op: str, own: Any) -> dict[str, Any]:
        """The options of an operator that moves, under TensorFlow's names."""
        table = own.BuiltinOptions()
        read = OPTIONS.get(op)
        return {} if table is None or read is None else read(table, self.listed)

    def value(self, tensor: Any) -> Known:
        """Type, shape and, of a small constant, elements of a tensor."""
        number = tensor.Type()
        dtype = DTYPES[number] if 0 <= number < len(DTYPES) else None
        shape = self.shape(tensor)
        name = _text(tensor.Name())
        array = None if shape is None else self.array(tensor, dtype, shape)
        if array is None:
            return Known(name, dtype, shape)
        constant = Constant(array.shape, dtype, lambda: array)
        return Known(name, dtype, array.shape, constant)

    def shape(self, tensor: Any) -> tuple[int | None, ...] | None:
        """shape_signature says which extents are free; without either list, rank."""
        fixed = self.listed(tensor.ShapeLength, tensor.Shape)
        free = self.listed(tensor.ShapeSignatureLength, tensor.ShapeSignature)
        given = free or fixed
        if not given and not (tensor.HasRank() or tensor.Buffer()):
            return None
        return tuple(None if n < 0 else n for n in given)

    def array(
        self, tensor: Any, dtype: str | None, shape: tuple[int | None, ...]
    ) -> np.ndarray[Any, Any] | None:
        """The elements of a tensor whose buffer is small and of its size."""
        k = tensor.Buffer()
        if not 0 < k < self.buffers or None in shape:
            return None
        extents = [n for n in shape if n is not None]
        kind = _numpy(dtype)
        if kind is None or prod(extents) > MOST_ELEMENTS:
            return None
        length = prod(extents) * kind.itemsize
        buffer = self.model.Buffers(k)
        if buffer.DataLength() != length or not length:
            return None
        content = buffer.DataAsNumpy()
        self.count(length // 4)
        return np.frombuffer(content.tobytes(), kind).reshape(extents)


def _numpy(dtype: Any) -> np.dtype[Any] | None:
    """NumPy's type of a tensor's elements, or None of those that are not read."""
    if dtype is None or dtype in ("string", "resource", "variant", "int4"):
        return None
    if dtype == "bfloat16":
        import ml_dtypes

        dtype = ml_dtypes.bfloat16
    made: np.dtype[Any] = np.dtype(dtype)
    return made


def _text(raw: bytes | None) -> str:
    """A name in the file, shortened to what a message can show."""
    return (raw or b"")[:1024].decode("utf-8", "backslashreplace")


def _value(values: list[Known], k: int) -> Known | None:
    """A tensor of the subgraph; -1 stands for an input left out."""
    if k == -1:
        return None
    if not 0 <= k < len(values):
        raise _OverrunError(f"tensor {k} of {len(values)}")
    return values[k]


def _zero_point(tensor: Any) -> int:
    """What stands for 0 in a quantised tensor: PAD writes it (kernels/pad.cc)."""
    own = tensor.Quantization()
    if own is None or own.ScaleLength() < 1 or own.ZeroPointLength() < 1:
        return 0
    return int(own.ZeroPoint(0))
