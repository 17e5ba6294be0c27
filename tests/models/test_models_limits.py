"""Tables of limits: their form, and how a condition holds, fails or stays open."""

from __future__ import annotations

from datetime import date

import pytest

from restride.models.answers import ANSWERS
from restride.models.errors import ModelError
from restride.models.limits.rules import Limits, Rule, limit_tables, limits_of

FACTS = {
    "dtype": "int16",
    "mode": "reflect",
    "rank": 3,
    "result_rank": 4,
    "opset": 18,
    "steps": (1, -2),
    "pads": (0, 0, 1, -1),
    "fill": 0,
    "axes": (1, 2),
    "axes_from_last": (-2, -1),
    "dynamic": ("pads",),
    "given": ("data", "pads"),
    "shape_known": True,
    "empty": False,
}


@pytest.mark.parametrize(
    ("key", "holding", "failing"),
    [
        ("dtype", ["int16", "int8"], ["float32"]),
        ("dtype_not", ["float32"], ["int16"]),
        ("mode", ["reflect"], ["edge"]),
        ("mode_not", ["edge"], ["reflect"]),
        ("rank", [3], [2, 4]),
        ("rank_above", 2, 3),
        ("rank_below", 4, 3),
        ("result_rank_above", 3, 4),
        ("opset", [18, 20], [1, 17]),
        ("opset_above", 17, 18),
        ("opset_below", 19, 18),
        ("steps", "negative", "above one"),
        ("pads", "negative", "above one"),
        ("fill", "not one", "not zero"),
        ("axes", [0, 1], [0]),
        ("axes_from_last", [-1], [-3]),
        ("axis_from_last_below", -1, -2),
        ("axes_above", 1, 2),
        ("dynamic", ["pads", "axes"], ["axes"]),
        ("fixed", ["axes"], ["pads"]),
        ("given", ["pads"], ["axes"]),
        ("not_given", ["axes"], ["pads"]),
        ("shape_known", True, False),
        ("empty", False, True),
    ],
)
def test_each_condition_holds_fails_or_stays_open(key, holding, failing):
    def told(wanted, facts):
        rule = Rule(("Pad",), {key: wanted}, "refused", "t", "s", "2026-01-01")
        found = Limits("t", "1", "", "onnx", (rule,)).apply("Pad", facts)
        return [(limit.holds, limit.missing) for limit in found]

    assert told(holding, FACTS) == [(True, ())]
    assert told(failing, FACTS) == []
    assert told(holding, {}) == [(None, (key,))]


def test_all_conditions_must_hold():
    rule = Rule(("Pad",), {"rank": [3], "mode": ["edge"]}, "fast", "t", "s", "")
    table = Limits("t", "1", "", "onnx", (rule,))
    assert not table.apply("Pad", {"mode": "reflect"})
    assert table.apply("Pad", {"mode": "edge"})[0].missing == ("rank",)
    assert table.apply("Pad", {"mode": "edge", "rank": 3})[0].holds
    assert not table.apply("Slice", FACTS)
    assert (table.knows("Pad"), table.knows("Slice")) == (True, False)


@pytest.mark.parametrize("name", limit_tables())
def test_every_rule_names_its_source_and_day(name):
    table = limits_of(name)
    assert table.rules
    assert table.version
    date.fromisoformat(str(table.date))
    for rule in table.rules:
        assert rule.answer in ANSWERS
        assert rule.text
        assert len(rule.source) > 10
        date.fromisoformat(str(rule.seen))


def test_a_target_without_a_table_is_told_with_those_that_have_one():
    with pytest.raises(ModelError, match="onnxruntime"):
        limits_of("abacus")
