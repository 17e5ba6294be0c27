"""Old nodes and new ones run on the same random elements: equal in every bit, or not.

By ONNX Runtime where it is installed and has the operators, else by ONNX's own
reference evaluator.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from itertools import product
from math import prod
from threading import Timer
from typing import Any

import numpy as np

from restride.arrays import as_dtype
from restride.models.known import Known, numbers_of
from restride.models.optimize.runs import Link, composed

__all__ = [
    "MOST_BYTES",
    "REFERENCE",
    "RUNTIME",
    "Runner",
    "proven",
    "random_array",
    "same",
    "session",
    "values",
]

Array = np.ndarray[Any, Any]

MOST_BYTES = 1 << 28
"""Largest tensor, in bytes, that a proof runs on; what is larger stays as it is."""

MOST_SECONDS = 60.0
"""Longest run of a model."""

SIZES = (1, 2, 3)
"""What a named extent is, in turn."""

RUNTIME, REFERENCE = "onnxruntime", "onnx.reference"


class Runner:
    """Runs models by ONNX Runtime, or by the reference evaluator where it cannot."""

    def __init__(self, onnx: Any) -> None:
        self.onnx = onnx
        self.by: set[str] = set()
        """Who ran anything."""
        try:
            self.runtime: Any = import_module("onnxruntime")
        except ImportError:
            self.runtime = None

    def run(
        self, model: Any, feeds: dict[str, Array], by_reference: bool = True
    ) -> list[Any]:
        """All outputs of a model; the reference evaluator knows no limit of time.

        Raises
        ------
        Exception
            Neither can run it; the last one's own error.
        """
        if self.runtime is not None:
            try:
                ready = session(self.runtime, model.SerializeToString())
                made = run_within(self.runtime, ready, None, feeds)
            except Exception:  # a type or an operator it lacks
                if not by_reference:
                    raise
            else:
                self.by.add(RUNTIME)
                return list(made)
        evaluator = import_module("onnx.reference").ReferenceEvaluator
        with np.errstate(all="ignore"):
            made = evaluator(model).run(None, feeds)
        self.by.add(REFERENCE)
        return list(made)


def session(runtime: Any, data: Any, entries: Mapping[str, str] | None = None) -> Any:
    """ONNX Runtime's session of a model, on a CPU, as it is written."""
    options = runtime.SessionOptions()
    for key, value in (entries or {}).items():
        options.add_session_config_entry(key, value)
    options.log_severity_level = 4
    level = runtime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.graph_optimization_level = level
    return runtime.InferenceSession(
        data, options, providers=["CPUExecutionProvider"], enable_fallback=0
    )


def run_within(
    runtime: Any, ready: Any, names: list[str] | None, feeds: dict[str, Any]
) -> list[Any]:
    """Run a session, and have it stop after :data:`MOST_SECONDS`."""
    options = runtime.RunOptions()
    options.log_severity_level = 4
    timer = Timer(MOST_SECONDS, setattr, (options, "terminate", True))
    timer.daemon = True
    timer.start()
    try:
        return list(ready.run(names, feeds, options))
    finally:
        timer.cancel()


def proven(
    runner: Runner,
    links: Sequence[Link],
    protos: Sequence[Any],
    constants: Sequence[Any],
    names: Sequence[str],
    seed: int,
) -> bool:
    """True where new nodes give the bits of the old ones, for each size of names."""
    random = np.random.default_rng(seed)
    source = links[0].node.input(0)
    result = links[-1].node.outputs[links[-1].output]
    if source is None or result is None or source.dtype is None:
        return False
    for sizes in product(SIZES, repeat=min(len(names), 2)) if names else [()]:
        known = dict(zip(names, (*sizes, *[2] * len(names)), strict=False))
        shape = _filled(source, known)
        largest = max(map(prod, (shape, *composed(links, known)[1])))
        if largest * as_dtype(_named(source.dtype)).itemsize > MOST_BYTES:
            return False
        feeds = {source.name: random_array(random, source.dtype, shape)}
        try:
            old = _model(runner.onnx, links, _old(links), _given(links), feeds)
            new = _model(runner.onnx, links, protos, constants, feeds)
            before, after = runner.run(old, feeds)[0], runner.run(new, feeds)[0]
        except Exception:  # a value that is not known, or what two runtimes raise
            return False
        if not same(before, after):
            return False
    return True


def _named(dtype: str) -> str:
    """A type of as many bytes as a text's reference."""
    return "uint64" if dtype == "string" else dtype


def _filled(known: Known, names: dict[str, int]) -> tuple[int, ...]:
    """The shape, each name in it a number."""
    found = [names.get(n, 1) if isinstance(n, str) else n for n in known.shape or ()]
    return tuple(n or 0 for n in found)


def same(a: Any, b: Any) -> bool:
    """True for equal type, shape and bits."""
    a, b = np.asarray(a), np.asarray(b)
    if a.dtype != b.dtype or a.shape != b.shape:
        return False
    if a.dtype == object:
        return bool(a.tolist() == b.tolist())
    return bool(a.tobytes() == b.tobytes())


def random_array(
    random: np.random.Generator, dtype: str, shape: Sequence[int]
) -> Array:
    """Elements of any bits that a type has, but for NaN that arithmetic would alter."""
    if dtype == "string":
        made = random.integers(0, 99, shape).astype(str).astype(object)
        return np.asarray(made, object).reshape(shape)
    kind = as_dtype(dtype)
    if kind.kind == "b":
        return random.integers(0, 2, shape).astype(bool)
    if kind.kind in "iu":
        raw = random.bytes(prod(shape) * kind.itemsize)
        return np.frombuffer(raw, kind).reshape(shape)
    if "int" in kind.name:  # of 4 or 2 bits
        low = 0 if kind.name[0] == "u" else -2
        return np.asarray(random.integers(low, 2, shape)).astype(kind)
    return np.asarray(random.standard_normal(shape) * 8).astype(kind)


def _old(links: Sequence[Link]) -> list[Any]:
    return [link.node.proto for link in links]


def _given(links: Sequence[Link]) -> list[Any]:
    """The parameters of the old nodes, as constants of a model of their own."""
    found = {}
    numpy_helper = import_module("onnx.numpy_helper")
    for link in links:
        for known in link.node.inputs[1:]:
            if known is not None and known.name:
                found[known.name] = numpy_helper.from_array(values(known), known.name)
    return list(found.values())


def values(known: Known) -> Array:
    """What the model holds for a name, or what follows from what it says."""
    if known.constant is not None:
        return known.constant.array()
    numbers = numbers_of(known)
    if numbers is None or not numbers.is_whole:
        raise ValueError(f"{known.name} is not known")
    dtype = as_dtype(known.dtype or "int64")
    return np.array(numbers.items, dtype).reshape(numbers.shape)


def _model(
    onnx: Any,
    links: Sequence[Link],
    nodes: Sequence[Any],
    constants: Sequence[Any],
    feeds: dict[str, Array],
) -> Any:
    """A model of a run alone."""
    helper = import_module("onnx.helper")
    first, last = links[0].node, links[-1]
    result = last.node.outputs[last.output]
    assert result is not None
    elements = _element_type(onnx, first)
    ((name, array),) = feeds.items()
    source = helper.make_tensor_value_info(name, elements, array.shape)
    target = helper.make_tensor_value_info(result.name, elements, None)
    graph = helper.make_graph(list(nodes), "run", [source], [target], list(constants))
    opsets = [helper.make_opsetid("", first.opset)]
    model = helper.make_model(graph, opset_imports=opsets)
    model.ir_version = max(helper.find_min_ir_version_for(opsets), 4)
    return model


def _element_type(onnx: Any, node: Any) -> int:
    from restride.models.files.tensors import DTYPES

    return DTYPES.index(node.input(0).dtype)
