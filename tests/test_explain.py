"""What is said about a chain is what the chain does."""

from __future__ import annotations

import ast
import json
from itertools import product
from math import prod
from typing import Any

import numpy as np
import pytest

import restride as rs
from restride.explain.cells import traced
from restride.explain.formula import formula, index_names, linear
from restride.explain.region import region_lines, region_scene
from restride.explain.scene import scene
from restride.explain.subject import explain
from restride.explain.units import human_bytes
from restride.layout import Chain
from restride.layout.constant import Constant
from restride.layout.index_map import IndexMap
from restride.plans.crop import crop_cuts


def view(*shape: int) -> rs.View:
    return rs.view(np.arange(prod(shape), dtype=np.int32).reshape(shape))


CHAINS: dict[str, rs.View] = {
    "identity": view(3, 4),
    "0-d": view(),
    "empty": view(0, 3).pad([[0, 0], [1, 1]]),
    "slice": view(5, 6)["::2, ::-1"],
    "drop": view(3, 4)["1, None, ..."],
    "reflect": view(4, 3).pad(5, "reflect"),
    "wrap crop": view(7).pad((-2, 9), "wrap"),
    "constants": view(2, 3).pad([[1, 1], [2, 0]], "constant", [[7, 8], [9, 10]]),
    "twice": view(2, 2).pad(1, "constant", 5).pad(1, "constant", 6),
    "transpose": view(2, 3, 2).transpose(2, 0, 1),
    "broadcast": view(1, 3).broadcast_to((2, 4, 3)),
    "windows": view(9).windows(3, 2, 2),
    "as_strided": view(3, 3).as_strided((2, 2), (2, 3), 2),
    "cut": view(8).pad(2, "reflect").windows(3),
    "cut, kept": view(40).pad(1, "edge").windows(3, 2),
    "cut twice": view(6).pad(1, "wrap").windows(2).pad(1, "edge").windows(2, axis=0),
    "flat": view(3, 4).pad(1, "edge").as_strided((4, 4), (1, 7), 1),
    "reshape": view(2, 6).pad(1, "symmetric").reshape(16, 2),
    "fill": view(3).pad((4, 0), "constant", 5)["1:3"],
}
every = pytest.mark.parametrize("seen", CHAINS.values(), ids=CHAINS)


def by_scene(m: dict[str, Any], index: tuple[int, ...]) -> Any:
    """The value a formula and its pieces speak of, worked out from the scene alone."""
    found = {-1 if m["background"] is None else m["background"]}
    names: dict[str, Any] = {}
    for r, (axis, k) in enumerate(zip(m["axes"], index, strict=True)):
        names[axis["index"]] = k
        here = next(p for p in axis["pieces"] if 0 <= k - p["first"] < p["count"])
        if "fill" in here:
            found.add(here["fill"])
        names[f"{chr(ord('a') + r)}"] = here
    if max(found) >= 0:
        return {"constant": m["constants"][max(found)]}
    right = m["formula"].partition(" = ")[2]
    inside = right[right.index("[") + 1 : -1]
    return tuple(number(part, names) for part in inside.split(", ") if part)


def number(text: str, names: dict[str, Any]) -> int:
    """Arithmetic on indices: +, -, * and calls of pieces."""

    def of(node: ast.expr) -> int:
        if isinstance(node, ast.Constant) and isinstance(node.value, int):
            return node.value
        if isinstance(node, ast.Name):
            return int(names[node.id])
        if isinstance(node, ast.UnaryOp):
            return -of(node.operand)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            return number(names[node.func.id]["rule"], names)
        assert isinstance(node, ast.BinOp)
        left, right = of(node.left), of(node.right)
        if isinstance(node.op, ast.Mult):
            return left * right
        return left + right if isinstance(node.op, ast.Add) else left - right

    return of(ast.parse(text, mode="eval").body)


@every
def test_formula_and_pieces_are_the_map(seen: rs.View) -> None:
    for m, shown in zip(
        seen.chain.maps,
        [
            scene(Chain(m.source_shape, (m,), m.shape))["maps"][0]
            for m in seen.chain.maps
        ],
        strict=True,
    ):
        for index in product(*(range(n) for n in m.shape)):
            want = m.at(index)
            got = by_scene(shown, index)
            if isinstance(want, Constant):
                assert got == {"constant": want.value}
            else:
                assert got == want


@every
def test_grid_and_trace_are_what_a_copy_holds(seen: rs.View) -> None:
    result = seen.copy()
    cells = []
    for index in product(*(range(n) for n in seen.shape)):
        found = traced(crop_cuts(seen.chain), seen.shape, index)
        value = found.value if isinstance(found, Constant) else found
        assert value == result[index]
        cells.append(value)
    grid = scene(seen.chain)["grid"]
    if grid is not None:
        flat = [c["constant"] if isinstance(c, dict) else c for c in grid["result"]]
        assert flat == cells == result.reshape(-1).tolist()


@every
def test_scene_is_json_and_counts_what_the_plan_counts(seen: rs.View) -> None:
    shown = scene(seen.chain, seen.dtype)
    json.dumps(shown, allow_nan=False)
    plan = rs.plan(seen)
    assert shown["cuts"] == plan.cuts == seen.cuts
    assert shown["bytes_read"] == plan.bytes_read
    assert shown["bytes_written"] == plan.bytes_written
    assert tuple(shown["shape"]) == seen.shape


@every
def test_text_tells_every_cut_and_is_plain(seen: rs.View) -> None:
    told = seen.explain()
    assert told == explain(seen.chain, dtype=seen.dtype)
    assert told.count("CUT: ") == seen.cuts
    assert told.isascii()
    assert all(line == line.rstrip() for line in told.splitlines())


def test_whole_text_of_a_pad() -> None:
    chain = Chain.identity((2, 2)).pad(((0, 1), (1, 1)), "constant", ((7, 7), (8, 9)))
    assert explain(chain).splitlines() == [
        "(2, 2) -> (3, 4)  one pass, no cut",
        "  y[i, j] = x[a(i), b(j)]",
        "    a(i)  0..1  i",
        "          2..2  constant 7  (#0)",
        "    b(j)  0..0  constant 8  (#1)",
        "          1..2  j - 1",
        "          3..3  constant 9  (#2)",
        "    where two constants meet, the higher # stands",
        "  reads x[0:2, 0:2]; elements: 4 read, 12 written",
        "  x    y",
        "  0 1  [8]   0   1 [9]",
        "  2 3  [8]   2   3 [9]",
        "       [8] [7] [7] [9]",
    ]


def test_steps_are_told_one_by_one() -> None:
    start = Chain.identity((4,))
    flip, pad = start.select([(3, -1, 4)]), start.pad(((1, 1),), "edge")
    whole = flip.pad(((1, 1),), "edge")
    told = explain(whole, [("flip", flip), ("pad", pad)])
    assert "1. flip" in told
    assert "2. pad" in told
    assert "all together" in told
    assert told.count("y[i] = x[") == 3


def test_many_pieces_are_counted_not_listed() -> None:
    told = view(2).pad(100, "reflect").explain()
    assert len(told.splitlines()) < 20
    assert "more pieces" in told


@pytest.mark.parametrize(
    ("terms", "constant", "text"),
    [
        ([], 3, "3"),
        ([(0, "i")], 0, "0"),
        ([(1, "i")], 0, "i"),
        ([(-1, "i")], 4, "4 - i"),
        ([(2, "i"), (-3, "j")], -1, "2*i - 3*j - 1"),
        ([(-1, "i")], -1, "-i - 1"),
    ],
)
def test_linear(terms: list[tuple[int, str]], constant: int, text: str) -> None:
    assert linear(terms, constant) == text


def test_formula_of_nothing_and_of_constants_only() -> None:
    empty = IndexMap.identity((0,))
    assert formula(empty, "x", "y") == "y[i] holds no element"
    fills = view(3).pad((4, 0), "constant", 5)["1:3"].chain.maps[0]
    assert formula(fills, "x", "y") == "y[i] = constants only; x is not read"
    assert index_names(9)[8] == "i8"


@pytest.mark.parametrize(
    ("value", "plain"),
    [(None, 0), (float("nan"), "nan"), (1j, "1j"), (np.float32(2), 2.0), (True, True)],
)
def test_constants_as_json_has_them(value: Any, plain: Any) -> None:
    chain = Chain.identity((1,)).pad(((1, 0),), "constant", ((value, value),))
    assert scene(chain)["maps"][0]["constants"] == [plain]


def test_region_write() -> None:
    region = rs.SetValue((3, 0), (-1, 4), (-2, 3)).region((4, 4))
    shown = region_scene(region, (2,), np.dtype("u1"))
    json.dumps(shown)
    assert (shown["bytes_read"], shown["bytes_written"]) == (2, 4)
    dst = np.arange(16)
    rs.set_value(dst.reshape(4, 4), np.array([100, 101]), (3, 0), (-1, 4), (-2, 3))
    cells = [int(c[1:]) + 100 if isinstance(c, str) else c for c in shown["grid"]]
    assert cells == dst.tolist()
    assert list(region_lines(shown))[:4] == [
        "(4, 4) -> (4, 4)  writes (2, 2) in place",
        "  y[3 - 2*i, 3*j] = src[i, j]",
        "  src (2,) is broadcast to (2, 2)",
        "  elements: 2 read, 4 written",
    ]


def test_region_write_of_nothing() -> None:
    region = rs.SetValue((1,), (1,)).region((4,))
    assert list(region_lines(region_scene(region, (0,))))[1] == "  writes nothing"


def test_units() -> None:
    assert [human_bytes(n) for n in (0, 999, 1000, 2_500_000)] == [
        "0 B",
        "999 B",
        "1.00 kB",
        "2.50 MB",
    ]
