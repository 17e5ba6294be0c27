"""ATB's own test tables: `cases/atb.json`, form and origin in `cases/PROVENANCE.md`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import oracle
import pytest

from restride.dialects.atb import Outcome, TensorDesc, run_to

Array = np.ndarray[Any, Any]
Case = dict[str, Any]

TABLE = Path(__file__).parent.parent / "cases" / "atb.json"
CASES: list[Case] = json.loads(TABLE.read_text(encoding="utf-8"))
RUN = [case for case in CASES if case["expect"]["stage"] == "ok"]

FAMILY = {"Ascend910B": "A2", None: None}
"""The tables' `soc` names a family of chips; there "Ascend910B" means A2 and A3."""

NUMPY = {"float": "float32", "bf16": ml_dtypes.bfloat16}


def descs(tensors: list[dict[str, Any]]) -> list[TensorDesc]:
    return [TensorDesc(t["dtype"], t["format"], t["shape"]) for t in tensors]


def run(case: Case, stage: str, data: list[Array] | None = None) -> Outcome:
    return run_to(
        stage,
        case["op"],
        case["params"],
        descs(case["inputs"]),
        descs(case["outputs"]),
        data=data,
        product=FAMILY[case["soc"]],
    )


def bits(x: Array) -> bytes:
    return x.tobytes()


def random_arrays(case: Case) -> list[Array]:
    """Arrays of any bits, NaN among them."""
    rng = np.random.default_rng(len(case["name"]))
    made = []
    for t in case["inputs"]:
        dtype = np.dtype(NUMPY.get(t["dtype"], t["dtype"]))
        count = int(np.prod(t["shape"])) * dtype.itemsize
        raw = rng.integers(0, 256, count, np.uint8)
        made.append(raw.view(dtype).reshape(t["shape"]))
    return made


def test_the_table_is_whole() -> None:
    names = [case["name"] for case in CASES]
    assert len(set(names)) == len(names) == 61
    assert {case["op"] for case in CASES} == {"AsStridedOperation", "SetValueOperation"}
    assert len(RUN) == 25


@pytest.mark.parametrize("case", CASES, ids=lambda c: c["name"])
def test_stage_and_code(case: Case) -> None:
    expect = case["expect"]
    stage = "setup" if expect["stage"] == "ok" else expect["stage"]
    told = run(case, stage)
    assert (told.stage, told.code, told.code.name) == (
        stage,
        expect["value"],
        expect["code"],
    ), told.error


@pytest.mark.parametrize("case", RUN, ids=lambda c: c["name"])
def test_elements(case: Case) -> None:
    """Bit for bit what the definition gives, and dst apart from its cells untouched."""
    data = random_arrays(case)
    params = case["params"]
    if case["op"] == "AsStridedOperation":
        numbers = oracle.as_strided(
            oracle.numbered(case["inputs"][0]["shape"]),
            params["size"],
            params["stride"],
            params["offset"][0],
        )
        wanted = data[0].reshape(-1)[np.array(numbers.cells)].reshape(params["size"])
        told = run(case, "execute", data)
        assert bits(told.outputs[0]) == bits(wanted)
        assert told.out_descs == tuple(descs(case["outputs"]))
    else:
        wanted = data[0].copy()
        cells = zip(params["starts"], params["ends"], strict=True)
        wanted[tuple(slice(a, b) for a, b in cells)] = data[1]
        told = run(case, "execute", data)
        assert (told.outputs, told.out_descs) == ((), ())
        assert bits(data[0]) == bits(wanted)
    assert (told.stage, told.code) == ("execute", 0), told.error
