"""A function's body as a model of its own, so that shapes can be inferred in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from restride.models.files.tensors import DTYPES, dtype_number
from restride.models.known import Known, numbers_of

__all__ = ["body_of"]


LISTS = {"int64": "int64_data", "int32": "int32_data", "bool": "int32_data"}
"""Types of parameters, and the list that holds their numbers."""


def body_of(model: Any, function: Any, inputs: Sequence[Known | None]) -> Any:
    """A ModelProto without nodes whose inputs are a call's.

    Its opset imports are the function's own, and it holds all functions of `model`.
    """
    made = type(model)()
    made.ir_version = model.ir_version
    made.opset_import.extend(function.opset_import)
    made.functions.extend(model.functions)
    if hasattr(function, "value_info"):
        made.graph.value_info.extend(function.value_info)
    for k, name in enumerate(function.input):
        known = inputs[k] if k < len(inputs) else None
        if known is not None and _held(made.graph, name, known):
            continue
        info = made.graph.input.add()
        info.name = name
        if known is not None:
            _declare(info.type, known)
    for name in function.output:
        made.graph.output.add().name = name
    return made


def _held(graph: Any, name: Any, known: Known) -> bool:
    """Give numbers that the call knows as an initialiser; False where it does not."""
    numbers = numbers_of(known)
    field = LISTS.get(known.dtype or "")
    if field is None or numbers is None or not numbers.is_whole:
        return False
    number = dtype_number(known.dtype)
    tensor = graph.initializer.add(name=name, data_type=number, dims=numbers.shape)
    getattr(tensor, field).extend(numbers.items)
    return True


def _declare(proto: Any, known: Known) -> None:
    if known.kind != "tensor" or known.dtype not in DTYPES[1:]:
        return
    proto.tensor_type.elem_type = dtype_number(known.dtype)
    if known.shape is None:
        return
    proto.tensor_type.shape.SetInParent()
    for extent in known.shape:
        dim = proto.tensor_type.shape.dim.add()
        if isinstance(extent, int):
            dim.dim_value = extent
        elif extent is not None:
            dim.dim_param = extent
