"""A runtime's answer: from its table of limits, and from its dialect if it has one."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from restride.dialects.onnx.forms import form_of
from restride.dialects.onnx.runtimes import padded_by_onnxruntime
from restride.errors import RestrideError
from restride.lazy import view
from restride.models.answers import ANSWERS, CANNOT_TELL, REFUSED, Answer
from restride.models.limits.facts import facts_of
from restride.models.limits.rules import Facts, Limit, Limits, Rule
from restride.models.movements.movement import Movement
from restride.translate.meaning import Extend

__all__ = ["judged"]

FACTS = {
    "dtype": "its element type",
    "rank": "its number of axes",
    "steps": "its steps",
    "pads": "its pads",
    "axes": "its axes",
    "shape": "its shape",
    "inner": "its shape",
}
"""What conditions look at, for people; others by their own name."""


def judged(m: Movement, table: Limits) -> Answer:
    """What a runtime does with a node: of the rules that hold the hardest decides."""
    found = list(_refused_by_dialect(m, table))
    node = m.node
    name = f"{node.domain}:{node.op}" if node.domain else node.op
    facts = facts_of(m)
    found += [_said(limit, table, facts) for limit in table.apply(name, facts)]
    if not found:
        rule = f"the table of {table.name} has no rule for this {m.node.op}."
        return Answer(CANNOT_TELL, rule, by=table.name)
    return max(found, key=lambda answer: ANSWERS.index(answer.answer))


def _said(limit: Limit, table: Limits, facts: Facts) -> Answer:
    """One rule that holds, or whose condition is open.

    An open rule that would only say "fast" leaves the rest to decide.
    """
    rule = limit.rule
    told = (rule.source, str(rule.seen), rule.rewrite, table.name)
    if limit.holds:
        return Answer(rule.answer, f"{rule.text}{_axes(rule, facts)}", *told)
    names = [FACTS.get(key.split("_")[0], key) for key in limit.missing]
    why = ", ".join(dict.fromkeys(names))
    text = f"{rule.answer} or not depends on {why}, not known here: {rule.text}"
    return Answer(CANNOT_TELL, text, *told)


def _axes(rule: Rule, facts: Facts) -> str:
    """Which axes a rule about the last ones speaks of here."""
    first = rule.when.get("axis_from_last_below")
    if first is None:
        return ""
    pairs = zip(facts["axes"], facts["axes_from_last"], strict=True)
    found = [str(axis) for axis, back in pairs if back < first]
    return f" Here it is {'axis' if len(found) == 1 else 'axes'} {', '.join(found)}."


def _refused_by_dialect(m: Movement, table: Limits) -> Iterator[Answer]:
    """What ONNX Runtime's own rules of Pad refuse, asked of its dialect."""
    steps = [s for steps in m.outputs or () for s in steps]
    pad = steps[0] if steps and isinstance(steps[0], Extend) else None
    shape = None if m.data is None else m.data.extents
    ours = (table.name, m.node.domain, m.node.op) == ("onnxruntime", "", "Pad")
    if not ours or not pad or shape is None:
        return
    nothing = np.broadcast_to(np.zeros((), np.uint8), shape)
    try:
        form = form_of("Pad", m.node.opset)
        padded_by_onnxruntime(view(nothing), pad.pairs, pad.mode, 0, form)
    except (RestrideError, ValueError) as error:
        source = f"ONNX Runtime {table.version}, core/providers/cpu/tensor/pad.cc"
        yield Answer(REFUSED, str(error), source, by=table.name)
