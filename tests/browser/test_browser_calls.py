"""The calls that the page writes by itself are those of restride.translate."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from drawn import Case, Draw, as_page_has, sent

import restride as rs
from restride.errors import RestrideError
from restride.translate import Call, translate

SETS = 300
"""Random sets of parameters per operator, each in every dialect."""

DIALECTS = (
    *("restride", "numpy", "tensorflow", "pytorch", "onnx"),
    *("atb", "cann", "aclnn"),
)

FILLS = (7, 0, -3, 0.0, -0.0, 1.5, 1e22, 1e-7, float("inf"), float("nan"), True, None)

RUN = """([dialects, dtype, cases]) => cases.map(([op, params, shape]) => {
  const step = { op, params: restrideExplain.revivedParams(params) };
  const extents = shape.map(BigInt);
  try {
    restrideExplain.applied(step, extents);
  } catch {
    return null;
  }
  const { written } = restrideExplain;
  return dialects.map((dialect) => written(dialect, [step], extents, dtype));
})"""


def filled(draw: Draw, case: Case) -> Case:
    """The same pad with constants of all kinds."""
    op, params, shape = case
    if op != "pad" or params["mode"] != "constant" or draw.chance.random() < 0.3:
        return case
    one = draw.chance.choice(FILLS)
    many = draw.chance.random() < 0.4
    pairs = [
        [draw.chance.choice(FILLS) if many else one for _ in range(2)] for _ in shape
    ]
    return op, params | {"constant_values": pairs}, shape


def held(params: dict[str, Any]) -> dict[str, Any]:
    made = as_page_has(params)
    for pair in made.get("constant_values", []):
        for fill in pair:
            if fill["text"] == "None":
                fill.update(kind="none", text="0")
    return made


def by_restride(case: Case, dialect: str, dtype: str) -> dict[str, Any]:
    op, params, shape = case
    known = None if dtype == "complex64" else dtype
    return told_by_restride([(op, params)], dialect, shape, known)


def told_by_restride(
    steps: list[tuple[str, dict[str, Any]]],
    dialect: str,
    shape: tuple[int, ...],
    dtype: str | None,
) -> dict[str, Any]:
    try:
        calls = [Call("restride", op, _given(params)) for op, params in steps]
        made = translate(calls, dialect, shape, dtype=dtype)
        return {"text": made.text(), "notes": list(made.notes)}
    except RestrideError as error:
        return {"text": None, "notes": [], "refused": str(error)}


CHAIN = """([dialects, steps, shape]) => {
  const made = steps.map(([op, params]) => (
    { op, params: restrideExplain.revivedParams(params) }));
  const { written } = restrideExplain;
  return dialects.map((dialect) => written(dialect, made, shape.map(BigInt), "int32"));
}"""


@pytest.mark.parametrize("dtype", ["float32", "complex64"])
@pytest.mark.parametrize("op", ["strided_slice", "pad", "as_strided"])
def test_the_page_writes_what_restride_writes(op, dtype, show):
    draw = Draw(f"{op} {dtype}")
    cases = [filled(draw, getattr(draw, op)()) for _ in range(SETS)]
    page = show(rs.view(np.arange(3)).html())
    asked = [[o, held(p), sent(s)] for o, p, s in cases]
    told = page.evaluate(RUN, [list(DIALECTS), dtype, asked])
    compared = 0
    for case, answers in zip(cases, told, strict=True):
        for dialect, found in zip(DIALECTS, answers or (), strict=False):
            assert found == by_restride(case, dialect, dtype), (dialect, case)
            compared += 1
    assert compared > SETS * 2, "too few were defined on their shape"


def test_a_chain_is_written_call_after_call(show):
    masks = {f"{m}_mask": 0 for m in ("begin", "end", "ellipsis", "new_axis")}
    lists = {"begin": [5, 1], "end": [0, 4], "strides": [-2, 1]}
    pairs = {"paddings": [[1, 0], [2, 2]], "mode": "symmetric"}
    steps: list[tuple[str, dict[str, Any]]] = [
        ("strided_slice", lists | masks | {"shrink_axis_mask": 0}),
        ("pad", pairs | {"constant_values": []}),
        ("as_strided", {"size": [2, 3], "stride": [7, 1], "offset": 1}),
    ]
    page = show(rs.view(np.arange(3)).html())
    asked = [[op, as_page_has(params)] for op, params in steps]
    told = page.evaluate(CHAIN, [list(DIALECTS), asked, ["6", "5"]])
    for dialect, found in zip(DIALECTS, told, strict=True):
        assert found == told_by_restride(steps, dialect, (6, 5), "int32")


def _given(params: dict[str, Any]) -> dict[str, Any]:
    return {k: v for k, v in params.items() if not (k == "constant_values" and not v)}
