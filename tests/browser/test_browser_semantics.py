"""What the page computes by itself is what restride computes, words of refusals too."""

from __future__ import annotations

from math import prod
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from drawn import Case, Draw, as_page_has, sent

import restride as rs
from restride.errors import RestrideError

SETS = 500
"""Random sets of parameters per operator."""

MOST = 4000
"""Most elements of a result that is compared."""

RUN = """cases => cases.map(([op, params, shape]) => {
  const step = { op, params: restrideExplain.revivedParams(params) };
  const extents = shape.map(BigInt);
  try {
    const { shape: made, read } = restrideExplain.applied(step, extents);
    const total = made.reduce((a, b) => a * b, 1n);
    if (total > 4000n) return { shape: made.map(String), cells: null };
    const cells = [];
    for (let flat = 0n; flat < total; flat += 1n) {
      let rest = flat;
      const index = made.map((_, r) => {
        const step = made.slice(r + 1).reduce((a, b) => a * b, 1n);
        const k = rest / step;
        rest %= step;
        return k;
      });
      const found = read(index);
      cells.push(found.constant ? found.constant.text : String(found.flat));
    }
    return { shape: made.map(String), cells };
  } catch (error) {
    if (!(error instanceof restrideExplain.Refusal)) throw error;
    return { kind: error.kind, message: error.message };
  }
})"""


def by_restride(op: str, params: dict[str, Any], shape: tuple[int, ...]) -> Any:
    """The same by restride itself, run over an array that holds its own numbers."""
    x = rs.view(np.arange(prod(shape)).reshape(shape))
    given = dict(params)
    try:
        if op == "pad" and not given["constant_values"]:
            del given["constant_values"]
        first, *rest = given.values()
        by_place = op in ("strided_slice", "transpose", "reshape")
        made = getattr(x, op)(first, *rest) if by_place else getattr(x, op)(**given)
        # Nothing is run for a result without elements: NumPy bounds its other extents.
        found = made.copy().reshape(-1) if 0 < made.size <= MOST else []
        cells = [str(v) for v in found] if made.size <= MOST else None
    except RestrideError as error:
        return {"kind": type(error).__name__, "message": str(error)}
    return {"shape": [str(n) for n in made.shape], "cells": cells}


@pytest.mark.parametrize("op", ["strided_slice", "pad", "as_strided", "other"])
def test_the_page_computes_what_restride_computes(op, show):
    draw = getattr(Draw(op), op)
    cases: list[Case] = [draw() for _ in range(SETS)]
    page = show(rs.view(np.arange(3)).html())
    told = page.evaluate(RUN, [[o, as_page_has(p), sent(s)] for o, p, s in cases])
    refused = 0
    for case, found in zip(cases, told, strict=True):
        expected = by_restride(*case)
        refused += "message" in expected
        assert found == expected, case
    assert SETS // 20 < refused < SETS - SETS // 5, "both answers must occur"


@pytest.mark.parametrize("rank", [1, 2])
def test_a_table_of_other_axes_is_refused_in_the_same_words(rank, show):
    shape = (3, 4)[:rank]
    params = {"paddings": ((1, 1),) * 3, "mode": "edge", "constant_values": ()}
    page = show(rs.view(np.arange(3)).html())
    (told,) = page.evaluate(RUN, [["pad", as_page_has(params), sent(shape)]])
    assert told == by_restride("pad", params, shape)
    assert "rows of 2" in told["message"]


DTYPES = (
    *("bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"),
    *("float16", "float32", "float64", "bfloat16"),
)
FILLS = (
    *(0, 1, -1, 2, 127, 128, -128, -129, 255, 256, 2**15, 2**31, 2**32, -(2**63)),
    *(2**63 - 1, 2**63, 2**64 - 1, 2**64, 10**30, 10**400, 65504, 65519, 65520),
    *(0.0, -0.0, 1.0, 1.5, -2.0, 65519.0, 65520.0, 3.4e38, 3.4028235677973366e38),
    *(3.39e38, 3.4e39, 1e308, float("inf"), float("nan"), True, False, None, 1j, "a"),
)

HOLD = """([dtypes, fills]) => dtypes.map((dtype) => fills.map((fill) => {
  const params = { paddings: [[1n, 0n]], mode: "constant" };
  params.constant_values = [[fill, fill]];
  try {
    restrideExplain.applied({ op: "pad", params }, [1n], dtype);
    return null;
  } catch (error) {
    return error.kind + ": " + error.message;
  }
}))"""


def test_a_constant_is_refused_where_its_dtype_cannot_hold_it(show):
    page = show(rs.view(np.arange(3)).html())
    told = page.evaluate(HOLD, [list(DTYPES), [_as_fill(v) for v in FILLS]])
    for dtype, answers in zip(DTYPES, told, strict=True):
        kind = ml_dtypes.bfloat16 if dtype == "bfloat16" else dtype
        for fill, found in zip(FILLS, answers, strict=True):
            expected = None
            try:
                rs.pad(np.zeros(1, kind), (1, 0), constant_values=fill)
            except RestrideError as error:
                expected = f"{type(error).__name__}: {error}"
            assert found == expected, (dtype, fill)


def _as_fill(value: Any) -> dict[str, str]:
    if value is None:
        return {"kind": "none", "text": "0"}
    kind = type(value).__name__
    return {"kind": "other" if kind == "str" else kind, "text": repr(value)}
