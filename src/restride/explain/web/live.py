"""What a page's script starts from: the steps and their parameters, as JSON.

Numbers are texts, since JSON's are not exact beyond 2**53, and constants are kind and
text, since JSON knows neither NaN nor -0.0 from 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import isfinite
from typing import Any

from restride.explain.subject import Reading, Writing
from restride.explain.telling import (
    MOST_LABEL,
    MOST_STEPS,
    MOST_TEXT,
    Told,
    stands_on,
    words,
)
from restride.layout.chain import Chain
from restride.layout.index_map import IndexMap

__all__ = ["live"]

MOST_PIECES = 2000
"""Pieces of a map that a page carries; beyond it the picture has no live part."""


def live(steps: Sequence[Told], whole: Reading | None) -> dict[str, Any] | None:
    """What the script starts from; None where it would be too much, or not known."""
    parts = [(step.label, _operator(step)) for step in steps]
    known = [(label, operator) for label, operator in parts if operator is not None]
    if not steps or len(known) < len(steps) or len(steps) > MOST_STEPS:
        if whole is None or not _is_short(whole.chain):
            return None
        known = list(_passes(whole.chain))
    first = whole or steps[0].subject
    return {
        "shape": _texts(stands_on(first)),
        "dtype": None if first.dtype is None else str(first.dtype),
        "steps": [
            {"label": label[:MOST_LABEL], "op": o["op"], "params": _params(o["params"])}
            for label, o in known
        ],
        "told": "" if whole is None else words(whole)[:MOST_TEXT],
    }


def _operator(step: Told) -> Mapping[str, Any] | None:
    """The operator of a step; a region write tells its own."""
    subject = step.subject
    if step.operator is not None or not isinstance(subject, Writing):
        return step.operator
    m = subject.region
    if m.size == 0:
        return None
    starts, steps, counts = list(m.base), [0] * len(m.base), [1] * len(m.base)
    for axis in m.axes:
        if axis.source is not None:
            first = axis.map.pieces[0]
            starts[axis.source] += first.begin
            steps[axis.source], counts[axis.source] = first.step, first.count
    src = subject.source_shape
    params = {"starts": starts, "steps": steps, "counts": counts, "src": src}
    return {"op": "set_value", "params": params}


def _is_short(chain: Chain) -> bool:
    pieces = sum(len(axis.map.pieces) for m in chain.maps for axis in m.axes)
    return pieces <= MOST_PIECES


def _passes(chain: Chain) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """A chain whose steps are not known: its maps, and what it is read as at last."""
    for k, m in enumerate(chain.maps, start=1):
        yield "the whole chain" if len(chain.maps) == 1 else f"pass {k}", _map(m)
    if chain.maps[-1].shape != chain.shape:
        yield "reshape", {"op": "reshape", "params": {"shape": chain.shape}}


def _map(m: IndexMap) -> dict[str, Any]:
    axes = [
        {
            "source": -1 if axis.source is None else axis.source,
            "pieces": [
                (p.count, p.begin, p.step, -1 if p.fill is None else p.fill)
                for p in axis.map.pieces
            ],
        }
        for axis in m.axes
    ]
    params = {
        "source_shape": m.source_shape,
        "shape": m.shape,
        "axes": axes,
        "base": m.base,
        "background": -1 if m.background is None else m.background,
        "fills": [fill.value for fill in m.fills],
    }
    return {"op": "map", "params": params}


def _params(params: Mapping[str, Any]) -> dict[str, Any]:
    """Parameters as JSON: ints as text, constants as kind and text."""
    made: dict[str, Any] = {}
    for name, value in params.items():
        if name == "constant_values":
            made[name] = [[_fill(v) for v in pair] for pair in value]
        elif name == "fills":
            made[name] = [_fill(v) for v in value]
        else:
            made[name] = value if name == "mode" else _texts(value)
    return made


def _texts(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {name: _texts(v) for name, v in value.items()}
    return str(int(value)) if isinstance(value, int) else [_texts(v) for v in value]


def _fill(value: Any) -> dict[str, str]:
    """A constant by its kind and its text."""
    item = getattr(value, "item", None)
    value = item() if item is not None and getattr(value, "size", 1) == 1 else value
    if value is None:
        return {"kind": "none", "text": "0"}
    kind = type(value).__name__
    if kind == "float" and not isfinite(value):
        return {"kind": "float", "text": str(value)}
    known = ("int", "float", "bool", "complex")
    return {"kind": kind if kind in known else "other", "text": _short(value)}


def _short(value: Any) -> str:
    try:
        return repr(value)[:MOST_LABEL]
    except Exception:  # a foreign object, or an int too long to print
        return f"a {type(value).__name__}"
