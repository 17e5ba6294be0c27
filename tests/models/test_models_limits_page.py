"""docs/model-limits.md says what the tables say."""

from __future__ import annotations

import re
from pathlib import Path

from restride.models.limits.page import limits_page
from restride.models.limits.rules import CONDITIONS, limit_tables, limits_of

PAGE = Path(__file__).parent.parent.parent / "docs" / "model-limits.md"


def test_the_page_is_written_from_the_tables() -> None:
    """Write it again: python -m restride.models.limits.page > docs/model-limits.md"""
    assert PAGE.read_text(encoding="utf-8") == limits_page()


def test_every_rule_is_a_row_with_its_source() -> None:
    text = PAGE.read_text(encoding="utf-8")
    rows = re.findall(r"^\| (?!operators|-)", text, re.MULTILINE)
    rules = [rule for name in limit_tables() for rule in limits_of(name).rules]
    assert len(rows) == len(rules)
    for rule in rules:
        assert rule.source in text
        assert set(rule.when) <= set(CONDITIONS)


def test_the_four_runtimes_have_a_table() -> None:
    assert set(limit_tables()) >= {"coreml", "onnxruntime", "tensorrt", "tflite"}


def test_no_two_rules_of_a_table_say_the_same_of_the_same() -> None:
    for name in limit_tables():
        told = [(rule.op, repr(rule.when)) for rule in limits_of(name).rules]
        assert len(told) == len(set(told)), name
