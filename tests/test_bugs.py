"""Public bug reports as calls: `cases/bugs.toml`, form in `cases/PROVENANCE.md`."""

from __future__ import annotations

import math
import tomllib
import tracemalloc
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import restride as rs

Array = np.ndarray[Any, Any]
Bug = dict[str, Any]

TABLE = Path(__file__).parent / "cases" / "bugs.toml"
BUGS: list[Bug] = tomllib.loads(TABLE.read_text(encoding="utf-8"))["bug"]
CHECKED = [bug for bug in BUGS if bug.get("by") == "check"]
CALLED = [bug for bug in BUGS if "by" in bug and bug not in CHECKED]
NEEDS = [bug for bug in BUGS if "needs" in bug]
DIALECTS = "restride.dialects."
REPORTS = 40
"""Reports retold; one may have several entries, as id@variant."""

OF_MODELS = {"id", "source", "lesson", "by", "model", "target", "answer", "says"}
NEEDED = {"id", "source", "lesson", "needs", "module"}
KNOWN = {
    *("id", "source", "lesson", "by", "op", "x", "src", "call", "steps"),
    *("value", "shape", "rows", "error", "budget", "chunks", "most_chunk"),
}


def name_of(bug: Bug) -> str:
    return str(bug["id"])


def make(given: dict[str, Any], folder: Path) -> Array:
    """The array that `x` or `src` describes."""
    shape, dtype = tuple(given["shape"]), np.dtype(given["dtype"])
    if "value" in given:
        return np.array(given["value"], dtype).reshape(shape)
    fill = given["fill"]
    if fill == "memmap":
        path = folder / "volume"
        return np.memmap(path, dtype, "w+", shape=shape)
    if fill == "arange":
        start = given.get("start", 0)
        return np.arange(start, start + math.prod(shape)).astype(dtype).reshape(shape)
    return np.full(shape, {"ones": 1, "zeros": 0, "none": None}[fill], dtype)


def keywords(given: dict[str, Any]) -> dict[str, Any]:
    """`call` with its repeated lists written out."""
    return {
        k: [v["repeat"]] * v["times"] if isinstance(v, dict) else v
        for k, v in given.items()
    }


def home(bug: Bug) -> Any:
    """The module whose words the call is in: plain functions, Dask's, or a dialect."""
    if bug["by"] in ("plain", "dask"):
        return rs if bug["by"] == "plain" else rs.dask
    return import_module(DIALECTS + bug["by"])


def view_of(bug: Bug, x: Array) -> rs.View:
    """The lazy view that a chain describes."""
    seen = rs.view(x)
    for step in bug["steps"]:
        given = keywords(step)
        op = given.pop("op")
        seen = seen[given["index"]] if op == "slice" else getattr(seen, op)(**given)
    return seen


def call_of(bug: Bug, x: Array, folder: Path) -> Callable[[], Array]:
    """The call, ready to be made."""
    if bug["op"] == "chain":
        return lambda: view_of(bug, x).copy()
    function, given = getattr(home(bug), bug["op"]), keywords(bug["call"])
    if bug["op"] in ("set_value", "assign"):
        return lambda: function(x, src=make(bug["src"], folder), **given)
    return lambda: function(x, **given)


# ------------------------------------------------------------------------- the table


def test_the_table_is_whole() -> None:
    ids = [bug["id"] for bug in BUGS]
    assert len(set(ids)) == len(ids)
    assert len({name.split("@")[0] for name in ids}) == REPORTS
    for bug in BUGS:
        assert ("by" in bug) != ("needs" in bug), bug["id"]
        allowed = NEEDED if "needs" in bug else KNOWN | OF_MODELS
        assert not set(bug) - allowed, bug["id"]
        assert {"id", "source", "lesson"} <= set(bug), bug["id"]
        if bug in CHECKED:
            assert set(bug) == OF_MODELS, bug["id"]
        elif "by" in bug:
            ours = bug["by"] in ("plain", "dask")
            assert ours or exists(DIALECTS + bug["by"]), bug["id"]
            assert (bug["by"] == "dask") == ("chunks" in bug), bug["id"]
            assert {"value", "shape", "error"} & set(bug), bug["id"]


@pytest.mark.parametrize("bug", NEEDS, ids=name_of)
def test_marked_entries_still_need_it(bug: Bug) -> None:
    """An entry whose module exists by now must be given its call and unmarked."""
    assert not exists(bug["module"]), f"{bug['id']}: give it a call and unmark it"


def exists(module: str) -> bool:
    """True where the module can be found; its parents are looked for first."""
    parent = module.rpartition(".")[0]
    return (not parent or exists(parent)) and find_spec(module) is not None


# ------------------------------------------------------------------------ of models


@pytest.mark.parametrize("bug", CHECKED, ids=name_of)
def test_a_check_names_the_node_and_what_mends_it(bug: Bug) -> None:
    parser = pytest.importorskip("onnx.parser")
    model = parser.parse_model(
        f'<ir_version: 8, opset_import: ["" : 21]> net {bug["model"]}'
    )
    report = rs.check_model(model, bug["target"])
    (found,) = report.nodes
    assert found.answer.answer == bug["answer"]
    for word in bug["says"]:
        assert word in report.text(), word


# ------------------------------------------------------------------------ the answers


@pytest.mark.parametrize(
    "bug", [b for b in CALLED if b["x"].get("fill") != "plan only"], ids=name_of
)
@pytest.mark.usefixtures("engine")
def test_answer(bug: Bug, tmp_path: Path) -> None:
    x = make(bug["x"], tmp_path)
    call = call_of(bug, x, tmp_path)
    if bug["by"] == "dask":
        call = chunked_call(bug, x, tmp_path)
    if "error" in bug:
        with pytest.raises(getattr(home(bug), bug["error"])):
            call()
        return
    result = call()
    assert result.dtype == x.dtype
    if "value" in bug:
        expected = np.array(bug["value"], x.dtype)
        np.testing.assert_array_equal(result, expected, strict=True)
    if "shape" in bug:
        assert result.shape == tuple(bug["shape"])
    for index, row in bug.get("rows", {}).items():
        assert result[int(index)].tolist() == row
    if bug["op"] == "chain":
        np.testing.assert_array_equal(result, one_by_one(bug, x), strict=True)


def chunked_call(bug: Bug, x: Array, folder: Path) -> Callable[[], Array]:
    """The call over a Dask array; what that declares must be what it computes."""
    da = pytest.importorskip("dask.array")
    chunked = da.from_array(x, chunks=tuple(bug["chunks"]))

    def call() -> Array:
        made = call_of(bug, chunked, folder)()
        if "most_chunk" in bug:
            assert made.chunksize == tuple(bug["most_chunk"])
        result: Array = made.compute()
        assert result.shape == made.shape
        return result

    return call


def one_by_one(bug: Bug, x: Array) -> Array:
    """The steps of a chain, each run alone."""
    for step in bug["steps"]:
        x = view_of({"steps": [step]}, x).copy()
    return x


# ------------------------------------------------------------------------ the budgets


@pytest.mark.parametrize("bug", [b for b in CALLED if "budget" in b], ids=name_of)
def test_budget(bug: Bug, tmp_path: Path) -> None:
    budget = bug["budget"]
    if bug["op"] == "chain":
        chain_budget(bug, budget, tmp_path)
        return
    x = make(bug["x"], tmp_path)
    call = call_of(bug, x, tmp_path)
    assert np.shares_memory(call(), x) == budget["shares_memory"]
    assert peak_of(call) <= budget["peak_bytes"]


def chain_budget(bug: Bug, budget: dict[str, int], folder: Path) -> None:
    """What the plan promises, and what a call of it allocates."""
    only_planned = bug["x"]["fill"] == "plan only"
    x = stand_in(bug["x"]) if only_planned else make(bug["x"], folder)
    plan = rs.plan(view_of(bug, x))
    assert plan.shape == tuple(bug["shape"])
    assert len(plan.moves) == budget["moves"]
    assert plan.bytes_read <= budget["bytes_read"]
    assert plan.bytes_written <= budget["bytes_written"]
    if "peak_bytes" in budget:
        assert peak_of(lambda: plan(x)) <= budget["peak_bytes"]


def stand_in(given: dict[str, Any]) -> Array:
    """An array of that shape and dtype in the memory of one element."""
    return np.broadcast_to(np.zeros((), given["dtype"]), given["shape"])


def peak_of(call: Callable[[], object]) -> int:
    """Most bytes allocated at once by a call made before; results are counted too."""
    call()
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        call()
        return tracemalloc.get_traced_memory()[1] - before
    finally:
        tracemalloc.stop()
