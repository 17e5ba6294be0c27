"""Runs one case of `tests/cases/aclnn_pad.json` through the dialect.

Expected elements come from loops over positions (`padded`) and from `oracle.masked`;
neither knows the package under test.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import ml_dtypes
import numpy as np
import oracle

from restride.dialects import cann

Array = np.ndarray[Any, Any]
Case = dict[str, Any]

TABLE = Path(__file__).parent.parent / "cases" / "aclnn_pad.json"
CASES: list[Case] = json.loads(TABLE.read_text(encoding="utf-8"))

NUMPY = {
    "float": np.float32,
    "double": np.float64,
    "bf16": ml_dtypes.bfloat16,
    "float8_e5m2": ml_dtypes.float8_e5m2,
    "float4_e2m1": ml_dtypes.float4_e2m1fn,
    "complex32": np.uint32,
    "hifloat8": np.uint8,
}
"""NumPy types whose names differ; types that NumPy has not are held as raw bytes."""

SOC = {"Ascend910B": "A2", "Ascend950": "950", None: None}
UNWRITTEN = 0x5A
MASKS = ("begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask")


class Answer(NamedTuple):
    """What the dialect made of a case."""

    stage: str
    code: str
    value: int
    shape: tuple[int, ...] | None
    data: Array | None
    storage: Array | None = None


def numpy_type(name: str) -> np.dtype[Any]:
    return np.dtype(NUMPY.get(name, name))


def is_description(case: Case) -> bool:
    """Whether only shapes are compared, the case being too large to run."""
    return "shape_only" in case.get("tags", ())


def elements(spec: Case, seed: int) -> Array:
    """The case's data, or random bytes that are no NaN of a signalling kind."""
    dtype = numpy_type(spec["dtype"])
    if "data" in spec:
        return np.array(spec["data"]).astype(dtype).reshape(spec["shape"])
    random = np.random.default_rng(seed)
    if dtype.kind == "b":
        return random.integers(0, 2, spec["shape"]).astype(bool)
    raw = random.integers(0, 256, (*spec["shape"], dtype.itemsize), dtype=np.uint8)
    return raw.view(dtype)[..., 0]


def tensor(spec: Case | None, data: Array | None) -> cann.AclTensor | None:
    """The described tensor; `data` is laid into its storage as strides say."""
    if spec is None:
        return None
    layout = {k: spec[k] for k in ("strides", "offset", "storage_shape") if k in spec}
    shape = layout.get("storage_shape", spec["shape"])
    storage = None
    if data is not None:
        storage = np.full((*shape, data.itemsize), UNWRITTEN, np.uint8)
        storage = storage.view(data.dtype)[..., 0]
        if data.dtype.kind == "b":
            storage = np.zeros(shape, bool)
    made = cann.AclTensor(
        spec["shape"], spec["dtype"], spec["format"], data=storage, **layout
    )
    if data is not None and made.array is not None:
        made.array[...] = data
    return made


def inputs_of(case: Case, seed: int) -> list[Array | None]:
    if is_description(case):
        return [
            elements(t, seed)
            if t and "data" in t and k and t["dtype"][:3] == "int"
            else None
            for k, t in enumerate(case["inputs"])
        ]
    return [elements(t, seed + k) if t else None for k, t in enumerate(case["inputs"])]


def run(case: Case, inputs: Sequence[Array | None]) -> Answer:
    """Through the dialect: the stage the case names, or all of them."""
    tensors = [tensor(s, d) for s, d in zip(case["inputs"], inputs, strict=True)]
    try:
        if case["op"] in ("PadV3", "StridedSlice"):
            return _graph(case, tensors)
        return _aclnn(case, tensors, inputs)
    except (cann.GraphError, cann.AclnnError) as error:
        return Answer(error.stage, error.code.name, int(error.code), None, None)


def _graph(case: Case, tensors: list[Any]) -> Answer:
    words = {**case["params"], "product": SOC[case["soc"]]}
    if case["op"] == "StridedSlice":
        made = cann.strided_slice(*tensors, **words)
    elif case["expect"]["stage"] == "tiling":
        # The vendor's tiling tests call it alone, past shape inference.
        cann.tiling_pad_v3(*tensors, **words)
        raise AssertionError("tiling let it through")
    else:
        made = cann.pad_v3(*tensors, **words)
    data = None if isinstance(made, cann.AclTensor) else made
    return Answer("ok", "GRAPH_SUCCESS", 0, tuple(made.shape), data)


def _aclnn(case: Case, tensors: list[Any], inputs: Sequence[Array | None]) -> Answer:
    spec = case["outputs"][0]
    held = None
    if spec is not None and inputs[0] is not None:
        dtype = numpy_type(spec["dtype"])
        held = np.zeros(spec["shape"], dtype)
    out = tensor(spec, held)
    first = getattr(cann, f"{snake(case['op'])}_get_workspace_size")
    size, executor = first(*tensors, *arguments(case), out, product=SOC[case["soc"]])
    assert size == 0
    assert out is not None
    if held is None:
        return Answer("ok", "ACLNN_SUCCESS", 0, out.shape, None)
    executor.run()
    return Answer("ok", "ACLNN_SUCCESS", 0, out.shape, out.array, out.data)


def snake(op: str) -> str:
    """aclnnReplicationPad1d -> aclnn_replication_pad1d."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", op).lower()


def arguments(case: Case) -> list[Any]:
    given = case["params"]
    if case["op"] == "aclnnConstantPadNd":
        value = given["value"]
        return [given["pad"], value and cann.AclScalar(value["value"], value["dtype"])]
    if case["op"] == "aclnnStridedSlice":
        names = ["begin", "end", "strides", *map(camel, MASKS)]
        return [given[name] for name in names]
    return [given["padding"]]


def camel(name: str) -> str:
    head, *tail = name.split("_")
    return head + "".join(word.capitalize() for word in tail)


# ------------------------------------------------------------ what must come back


def expected(case: Case, inputs: Sequence[Array | None]) -> Array:
    """The result by definition, from the input arrays."""
    x, given = inputs[0], case["params"]
    assert x is not None
    op = case["op"]
    if op in ("StridedSlice", "aclnnStridedSlice"):
        graph = op == "StridedSlice"
        lists = [
            v.tolist() if graph else v
            for v in (
                inputs[1:] if graph else [given[k] for k in ("begin", "end", "strides")]
            )
        ]
        masks = {m: given[m if graph else camel(m)] for m in MASKS}
        return sliced(x, oracle.masked(x.shape, *lists, **masks))
    if op == "PadV3":
        flat = inputs[1].ravel().tolist()
        by_row = given.get("paddings_contiguous", True)
        half = len(flat) // 2
        pairs = list(
            zip(
                *((flat[0::2], flat[1::2]) if by_row else (flat[:half], flat[half:])),
                strict=True,
            )
        )
        constant = inputs[2] if len(inputs) > 2 else None
        fill = np.zeros((), x.dtype) if constant is None else constant.reshape(())
        return padded(x, pairs, given["mode"].lower(), fill)
    widths = given.get("pad", given.get("padding"))
    pairs = [(0, 0)] * x.ndim
    for k in range(len(widths) // 2):
        pairs[x.ndim - 1 - k] = (widths[2 * k], widths[2 * k + 1])
    mode = {"aclnnConstantPadNd": "constant"}.get(op, "edge")
    fill = np.zeros((), x.dtype)
    if mode == "constant":
        number = given["value"]["value"]
        fill = np.array(number != 0 if x.dtype == bool else number).astype(x.dtype)
    return padded(x, pairs, mode, fill)


def sliced(x: Array, chosen: list[oracle.Chosen]) -> Array:
    taken = x[np.ix_(*[c.positions for c in chosen if c.kind != "new"])]
    shape = [len(c.positions) for c in chosen if c.kind != "drop"]
    return taken.reshape(shape)


def padded(x: Array, pairs: Sequence[tuple[int, int]], mode: str, fill: Array) -> Array:
    """Pad one axis after the other; position -1 asks for the constant."""
    made = x
    for axis, pair in enumerate(pairs):
        at = list(positions(x.shape[axis], pair, mode))
        inside = [max(k, 0) for k in at]
        if x.shape[axis] == 0:
            shape = list(made.shape)
            shape[axis] = len(at)
            made = np.broadcast_to(fill, shape).copy()
            continue
        made = made.take(inside, axis=axis)
        hole = [slice(None)] * x.ndim
        hole[axis] = [k for k, p in enumerate(at) if p < 0]
        made[tuple(hole)] = fill
    return made


def positions(n: int, pair: tuple[int, int], mode: str) -> Iterator[int]:
    """For each place of the result the place of the axis, found by walking."""
    for k in range(-pair[0], n + pair[1]):
        if mode == "constant":
            yield k if 0 <= k < n else -1
        elif mode == "edge":
            yield min(max(k, 0), n - 1)
        elif mode == "circular":
            while k < 0:
                k += n
            while k >= n:
                k -= n
            yield k
        else:
            yield bounced(n, k, repeat=mode == "symmetric")


def bounced(n: int, k: int, repeat: bool) -> int:
    """Walk |k| steps from the border, turning back at both ends."""
    at, step = (0, 1)
    for _ in range(k if k >= 0 else -k):
        ahead = at + (step if k >= 0 else -step)
        if 0 <= ahead < n:
            at = ahead
        else:
            step = -step
            if not repeat and n > 1:
                at += step if k >= 0 else -step
    return at
