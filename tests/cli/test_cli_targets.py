"""targets: the tables as people and machines read them."""

from __future__ import annotations

import json

from cli_tool import Tool, assert_refused

from restride.targets import dtypes, operators, products, support


def test_all_products_and_operators(tool: Tool) -> None:
    code, out, err = tool("targets")
    assert (code, err) == (0, "")
    for p in products():
        assert p.key in out
        assert all(name in out for name in p.names)
    assert "Ascend910B..." in out
    assert [o.name for o in operators() if o.name not in out] == []
    assert max(map(len, out.splitlines())) <= 100


def test_one_operator(tool: Tool) -> None:
    code, out, err = tool("targets", "set_value")
    assert (code, err) == (0, "")
    table = out[: out.index("yes: taken")]
    rows = {w[0]: w[1:] for w in map(str.split, table.splitlines()) if w}
    assert out.startswith("SetValueOperation (ATB): ")
    assert rows["float16"] == ["-", "yes", "yes", "yes", "yes", "yes"]
    assert rows["bf16"] == ["-", "yes", "yes", "yes", "*", "-", "yes", "*"]
    assert "  * bf16 on training, 200I/500 A2: The document allows bf16" in out
    assert "Sources:" in out


def test_machines_get_every_cell(tool: Tool) -> None:
    for o in operators():
        code, out, err = tool("targets", o.name, "--json")
        assert (code, err) == (0, "")
        told = json.loads(out)
        for d in dtypes():
            for p in products():
                cell, answer = told["dtypes"][d.name][p.key], support(o, d, p)
                assert cell["ok"] == answer.ok
                assert cell["source"] == answer.source
                assert cell["code"] == answer.code


def test_machines_get_the_overview(tool: Tool) -> None:
    told = json.loads(tool("targets", "--json")[1])
    assert [p["product"] for p in told["products"]] == [p.key for p in products()]
    taken = {o["operator"]: o["products"] for o in told["operators"]}
    assert taken["aclnnStridedSlice"] == {p.key: p.key == "950" for p in products()}


def test_an_unknown_operator_is_refused_with_the_known(tool: Tool) -> None:
    assert_refused(tool("targets", "Conv2D"), "operator 'Conv2D'", "PadV3")
