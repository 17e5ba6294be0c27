"""Index text to StridedSlice's lists and masks, and back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import restride as rs
from restride.cli.show import emit, emit_json
from restride.cli.values import integers
from restride.cli.values import shape as parse_shape

__all__ = ["decode", "encode"]

LISTS = ("begin", "end", "strides")
MASKS = (
    "begin_mask",
    "end_mask",
    "ellipsis_mask",
    "new_axis_mask",
    "shrink_axis_mask",
)


def encode(index: str, shape: str | None, as_json: bool) -> None:
    """Print the lists and masks of an index text."""
    extents = None if shape is None else parse_shape(shape)
    spec = rs.encode(index, None if extents is None else len(extents))
    _show(spec, extents, as_json)


def decode(
    begin: str,
    end: str,
    strides: str | None,
    shape: str | None,
    as_json: bool,
    **masks: int,
) -> None:
    """Print the index text of lists and masks."""
    steps = None if strides is None else _list(strides, "--strides")
    extents = None if shape is None else parse_shape(shape)
    spec = rs.StridedSlice(_list(begin, "--begin"), _list(end, "--end"), steps, **masks)
    _show(spec, extents, as_json, decoding=True)


def _list(text: str, name: str) -> tuple[int, ...]:
    return integers(text, name) if text.strip() else ()


def _show(
    spec: Any, extents: tuple[int, ...] | None, as_json: bool, decoding: bool = False
) -> None:
    final = None if extents is None else spec.infer_shape(extents)
    if as_json:
        document = {"index": spec.decode()}
        document |= {name: list(getattr(spec, name)) for name in LISTS}
        document |= {name: getattr(spec, name) for name in MASKS}
        document |= {"shape": extents, "final_shape": final}
        emit_json(document)
        return
    told = [spec.decode()] if decoding else list(_rows(spec))
    if final is not None:
        told.append(f"final shape {final}" if decoding else _row("final shape", final))
    emit("\n".join(told))


def _rows(spec: Any) -> Iterator[str]:
    for name in LISTS:
        yield _row(name, ", ".join(map(str, getattr(spec, name))))
    for name in MASKS:
        mask = getattr(spec, name)
        bits = ", ".join(str(k) for k in range(len(spec.begin)) if mask >> k & 1)
        yield _row(name, f"{mask:<4}{'entries ' + bits if bits else ''}".rstrip())


def _row(name: str, value: Any) -> str:
    return f"{name:<17} {value}".rstrip()
