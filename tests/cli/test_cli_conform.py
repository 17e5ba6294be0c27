"""conform: what is printed, and the exit code."""

from __future__ import annotations

import json
from pathlib import Path

from cli_tool import Tool, assert_refused

X = {"dtype": "int64", "shape": [2], "data": [0, 1]}
PADDINGS = {"dtype": "int64", "shape": [2], "data": [1, 1]}
Y = {"dtype": "int64", "shape": [4], "data": [1, 0, 1, 0]}

GOOD = {
    "op": "PadV3",
    "params": {"mode": "REFLECT"},
    "inputs": [X, PADDINGS],
    "outputs": [Y],
    "expect": {"stage": "ok", "code": "GRAPH_SUCCESS"},
}
BAD = GOOD | {"outputs": [Y | {"data": [1, 0, 1, 9]}]}


def write(name: str, *cases: object) -> str:
    Path(name).write_text(json.dumps({"cases": cases}))
    return name


def test_all_pass(tool: Tool) -> None:
    code, out, err = tool("conform", write("t.json", GOOD, GOOD))
    assert (code, err) == (0, "")
    assert out.splitlines() == [
        "2 passed, 0 failed, 0 skipped",
        "ran for no product in particular (2 cases)",
        "checked 2 by the table's data",
    ]


def test_a_mismatch_is_a_line_and_exit_code_1(tool: Tool) -> None:
    code, out, err = tool("conform", write("t.json", GOOD, BAD))
    assert (code, err) == (1, "")
    assert out.splitlines()[0] == (
        "t.json, case 2: PadV3.2: ok:GRAPH_SUCCESS as expected, but output 0: element "
        "(3,) is 0, not 9; 1 of 4 differ"
    )
    assert out.splitlines()[1] == "1 passed, 1 failed, 0 skipped"


def test_several_files_and_skipped_cases(tool: Tool) -> None:
    other = GOOD | {"op": "Relu"}
    files = write("a.json", GOOD), write("b.json", other, other)
    code, out, _ = tool("conform", *files)
    assert code == 0
    assert out.splitlines()[0] == (
        "1 passed, 0 failed, 2 skipped (operator 'Relu' is in no dialect)"
    )


def test_nothing_was_checked(tool: Tool) -> None:
    _, out, _ = tool("conform", write("a.json", GOOD | {"op": "Relu"}))
    assert out.splitlines()[-1] == "nothing was checked"


def test_json(tool: Tool) -> None:
    code, out, _ = tool("conform", "--json", write("t.json", GOOD, BAD))
    told = json.loads(out)
    assert (code, told["passed"], told["failed"]) == (1, 1, 1)
    assert [c["verdict"] for c in told["cases"]] == ["passed", "failed"]


def test_golden(tool: Tool) -> None:
    code, _, _ = tool("conform", write("t.json", GOOD), "--golden", "g", "--seed", "3")
    assert code == 0
    (made,) = Path("g").rglob("output0.npy")
    assert made.parent.parent == Path("g/t")


def test_names_cannot_break_the_line(tool: Tool) -> None:
    _, out, _ = tool("conform", write("t.json", BAD | {"name": "a\nb\x1b[31m\ud800"}))
    assert len(out.splitlines()) == 4
    assert "\x1b" not in out


def test_unreadable_files_exit_with_2(tool: Tool) -> None:
    Path("cut.json").write_text('[{"op": "PadV3"')
    Path("text").write_text("hello\n")
    Path("binary").write_bytes(bytes(range(256)))
    good = write("good.json", GOOD)
    assert_refused(tool("conform", good, "cut.json"), "cut.json is not JSON")
    assert_refused(tool("conform", "text"), "text has no column OpName")
    assert_refused(tool("conform", "binary"), "binary is not text")
    assert_refused(tool("conform", "none.csv"), "none.csv: No such file")
    refused = tool("conform", ".")
    assert_refused(refused, ". is a directory; give the tables in it.")
    assert "no name of a file" not in refused[2]
    assert_refused(tool("conform"), "Missing argument 'FILE...'")
    assert_refused(tool("conform", good, "--product", "A9"), "product 'A9'")
    assert_refused(tool("conform", good, "--seed", "-1"), "seed = -1 is negative")
    assert_refused(tool("conform", good, "--seed", "x"), "--seed")
    for folder in "text", "text/below":
        refused = tool("conform", good, "--golden", folder)
        assert_refused(refused, f"golden = '{folder}' is no directory")


def test_the_product_is_told(tool: Tool) -> None:
    """As tables write a chip, which is not what the chip calls itself."""
    good = write("t.json", GOOD)
    _, out, _ = tool("conform", good, "--product", "Ascend910B")
    told = "ran for Atlas A2 training products/Atlas A2 inference products (1 case)"
    assert out.splitlines()[1] == told
    _, out, _ = tool("conform", good, "--product", "Ascend910B", "--json")
    assert json.loads(out)["products"] == {"A2": 1}
    _, out, _ = tool("conform", "--help")
    assert "Ascend910B means A2 here" in " ".join(out.split())
