"""TensorFlow Lite files written by hand, with the package's own builder functions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import flatbuffers
import numpy as np
import tflite

TYPES = {
    "float32": 0,
    "float16": 1,
    "int32": 2,
    "uint8": 3,
    "int64": 4,
    "bool": 6,
    "int16": 7,
    "int8": 9,
    "float64": 10,
    "complex64": 8,
    "uint64": 12,
    "uint32": 15,
    "uint16": 16,
    "bfloat16": 18,
}
"""schema.fbs, TensorType."""


@dataclass
class Tensor:
    """A tensor; `value` makes it a constant."""

    name: str
    shape: Sequence[int] = ()
    dtype: str = "float32"
    value: Any = None
    signature: Sequence[int] | None = None
    zero_point: int | None = None


@dataclass
class Op:
    """An operator; `options` starts a table and adds its fields."""

    code: int
    inputs: Sequence[int]
    outputs: Sequence[int]
    version: int = 1
    options: tuple[int, Callable[[Any], int]] | None = None


@dataclass
class Subgraph:
    """A list of tensors and of operators over them."""

    tensors: Sequence[Tensor]
    operators: Sequence[Op]
    name: str = "main"
    inputs: Sequence[int] = (0,)
    outputs: Sequence[int] = field(default_factory=lambda: [-1])


def constant(name: str, value: Any, dtype: str = "int32") -> Tensor:
    """A tensor that holds `value`."""
    array = np.asarray(value, dtype)
    return Tensor(name, array.shape, dtype, array)


def strided_slice_options(**fields: int) -> tuple[int, Callable[[Any], int]]:
    """StridedSliceOptions with the given masks."""

    def write(b: Any) -> int:
        tflite.StridedSliceOptionsStart(b)
        for name, value in fields.items():
            getattr(tflite, f"StridedSliceOptionsAdd{name}")(b, value)
        return int(tflite.StridedSliceOptionsEnd(b))

    return tflite.BuiltinOptions.StridedSliceOptions, write


def mirror_options(mode: int) -> tuple[int, Callable[[Any], int]]:
    """MirrorPadOptions of a mode's number."""

    def write(b: Any) -> int:
        tflite.MirrorPadOptionsStart(b)
        tflite.MirrorPadOptionsAddMode(b, mode)
        return int(tflite.MirrorPadOptionsEnd(b))

    return tflite.BuiltinOptions.MirrorPadOptions, write


def model_bytes(*subgraphs: Subgraph, times: int = 1) -> bytes:
    """The file; it lists its subgraphs `times` over, and holds each once."""
    b = flatbuffers.Builder(1024)
    writer = _Writer(b)
    made = [writer.subgraph(s) for s in subgraphs] * times
    codes = [writer.code(code, version) for code, version in writer.codes]
    buffers = [writer.buffer(data) for data in writer.buffers]
    starts = tflite.ModelStartSubgraphsVector
    graphs = _vector(b, made, starts)
    codes_at = _vector(b, codes, tflite.ModelStartOperatorCodesVector)
    buffers_at = _vector(b, buffers, tflite.ModelStartBuffersVector)
    tflite.ModelStart(b)
    tflite.ModelAddVersion(b, 3)
    tflite.ModelAddOperatorCodes(b, codes_at)
    tflite.ModelAddSubgraphs(b, graphs)
    tflite.ModelAddBuffers(b, buffers_at)
    b.Finish(tflite.ModelEnd(b), b"TFL3")
    return bytes(b.Output())


def _vector(b: Any, items: Sequence[int], start: Callable[[Any, int], Any]) -> int:
    start(b, len(items))
    for item in reversed(items):
        b.PrependUOffsetTRelative(item)
    return int(b.EndVector())


def _ints(b: Any, items: Sequence[int], start: Callable[[Any, int], Any]) -> int:
    start(b, len(items))
    for item in reversed(items):
        b.PrependInt32(item)
    return int(b.EndVector())


class _Writer:
    def __init__(self, b: Any) -> None:
        self.b = b
        self.codes: list[tuple[int, int]] = []
        self.buffers: list[bytes] = [b""]

    def buffer(self, data: bytes) -> int:
        at = self.b.CreateByteVector(data) if data else 0
        tflite.BufferStart(self.b)
        if at:
            tflite.BufferAddData(self.b, at)
        return int(tflite.BufferEnd(self.b))

    def code(self, number: int, version: int) -> int:
        tflite.OperatorCodeStart(self.b)
        tflite.OperatorCodeAddDeprecatedBuiltinCode(self.b, min(number, 127))
        tflite.OperatorCodeAddVersion(self.b, version)
        tflite.OperatorCodeAddBuiltinCode(self.b, number)
        return int(tflite.OperatorCodeEnd(self.b))

    def tensor(self, own: Tensor) -> int:
        b, number = self.b, 0
        if own.value is not None:
            number = len(self.buffers)
            self.buffers.append(np.asarray(own.value).tobytes())
        name = b.CreateString(own.name)
        shape = _ints(b, own.shape, tflite.TensorStartShapeVector)
        signature = 0
        if own.signature is not None:
            start = tflite.TensorStartShapeSignatureVector
            signature = _ints(b, own.signature, start)
        quantised = self.quantised(own.zero_point)
        tflite.TensorStart(b)
        tflite.TensorAddShape(b, shape)
        tflite.TensorAddType(b, TYPES[own.dtype])
        tflite.TensorAddBuffer(b, number)
        tflite.TensorAddName(b, name)
        if signature:
            tflite.TensorAddShapeSignature(b, signature)
        if quantised:
            tflite.TensorAddQuantization(b, quantised)
        return int(tflite.TensorEnd(b))

    def quantised(self, zero_point: int | None) -> int:
        b = self.b
        if zero_point is None:
            return 0
        tflite.QuantizationParametersStartScaleVector(b, 1)
        b.PrependFloat32(0.5)
        scale = b.EndVector()
        tflite.QuantizationParametersStartZeroPointVector(b, 1)
        b.PrependInt64(zero_point)
        zeros = b.EndVector()
        tflite.QuantizationParametersStart(b)
        tflite.QuantizationParametersAddScale(b, scale)
        tflite.QuantizationParametersAddZeroPoint(b, zeros)
        return int(tflite.QuantizationParametersEnd(b))

    def operator(self, own: Op) -> int:
        b, key = self.b, (own.code, own.version)
        if key not in self.codes:
            self.codes.append(key)
        inputs = _ints(b, own.inputs, tflite.OperatorStartInputsVector)
        outputs = _ints(b, own.outputs, tflite.OperatorStartOutputsVector)
        kind, table = 0, 0
        if own.options is not None:
            kind, write = own.options
            table = write(b)
        tflite.OperatorStart(b)
        tflite.OperatorAddOpcodeIndex(b, self.codes.index(key))
        tflite.OperatorAddInputs(b, inputs)
        tflite.OperatorAddOutputs(b, outputs)
        if table:
            tflite.OperatorAddBuiltinOptionsType(b, kind)
            tflite.OperatorAddBuiltinOptions(b, table)
        return int(tflite.OperatorEnd(b))

    def subgraph(self, own: Subgraph) -> int:
        b = self.b
        tensors = [self.tensor(t) for t in own.tensors]
        operators = [self.operator(o) for o in own.operators]
        name = b.CreateString(own.name)
        outputs = [k % len(own.tensors) for k in own.outputs]
        tensors_at = _vector(b, tensors, tflite.SubGraphStartTensorsVector)
        operators_at = _vector(b, operators, tflite.SubGraphStartOperatorsVector)
        inputs_at = _ints(b, own.inputs, tflite.SubGraphStartInputsVector)
        outputs_at = _ints(b, outputs, tflite.SubGraphStartOutputsVector)
        tflite.SubGraphStart(b)
        tflite.SubGraphAddTensors(b, tensors_at)
        tflite.SubGraphAddInputs(b, inputs_at)
        tflite.SubGraphAddOutputs(b, outputs_at)
        tflite.SubGraphAddOperators(b, operators_at)
        tflite.SubGraphAddName(b, name)
        return int(tflite.SubGraphEnd(b))
