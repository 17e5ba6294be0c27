"""Bind a move to memory: source indices become byte offsets.

This is the definition, and what the NumPy engine runs by; the extension has the same
as `bind_wide` in a fraction of the time.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import mul

from restride.engines.program import Program, ProgramAxis, ProgramPiece
from restride.layout.axis import Piece
from restride.layout.index_map import Axis, IndexMap
from restride.plans.move import Move
from restride.plans.passes import align_runs

__all__ = ["bind", "bind_wide", "row_strides", "widen"]

WIDER_BYTES = (2, 4, 8, 16)
"""Sizes the engines move as fast as single elements."""

PIXEL_BYTES = (3, 6, 12)
"""Sizes the engines are fast at only where rows become columns, turn or skip."""

NEAR_BYTES = 64
"""Elements no farther apart share the lines that a turn reads."""


def bind(
    move: Move,
    itemsize: int,
    source_strides: Sequence[int],
    result_strides: Sequence[int] | None,
) -> Program:
    """The program of `move` between two arrays of these byte strides.

    `source_strides` are those of ``move.map.source_shape``; `result_strides` those of
    the result, or of the destination whose cells ``move.target`` names; None: they
    are row-major.
    """
    m = move.map
    if result_strides is None:
        written = m.shape if move.target is None else move.target.source_shape
        result_strides = row_strides(written, itemsize)
    start, strides = _target(move, result_strides)
    axes = [
        ProgramAxis(stride, _pieces(axis, source_strides))
        for axis, stride in zip(m.axes, strides, strict=True)
    ]
    offset = sum(map(mul, m.base, source_strides))
    background = -1 if m.background is None else m.background
    fills = tuple([f.value for f in m.fills])
    return Program(itemsize, offset, start, background, tuple(axes), fills)


def bind_wide(
    move: Move,
    itemsize: int,
    source_strides: Sequence[int],
    result_strides: Sequence[int] | None,
) -> Program:
    """The same with its elements as wide as they may be: what an engine copies by."""
    return widen(bind(move, itemsize, source_strides, result_strides))


def row_strides(shape: tuple[int, ...], itemsize: int) -> tuple[int, ...]:
    """Byte strides of a row-major array."""
    strides, run = [], itemsize
    for n in reversed(shape):
        strides.append(run)
        run *= n
    return tuple(reversed(strides))


def widen(program: Program) -> Program:
    """A short innermost row, contiguous on both sides, as one wider element.

    A pixel of four bytes is then moved at once, in any order of pixels: turning a
    2048x2048 picture takes 3 ms instead of 24.
    """
    if not program.axes or program.itemsize == 0:
        return program
    last, one = program.axes[-1], program.itemsize
    piece, size = last.pieces[0], one * last.pieces[0].count
    steps = (piece.step, last.result_stride)
    if len(last.pieces) > 1 or piece.fill >= 0 or steps != (one, one):
        return program
    if len(program.axes) == 1:
        return program
    if size not in WIDER_BYTES and not (size in PIXEL_BYTES and _pays(program, size)):
        return program
    return Program(
        size,
        program.source_offset + piece.offset,
        program.result_offset,
        program.background,
        program.axes[:-1],
        tuple([fill * piece.count for fill in program.fills]),
    )


def _pays(program: Program, size: int) -> bool:
    """Whether elements of `size` bytes are moved faster than what they are made of."""
    return _skips(program, size) or _turns(program, size)


def _skips(program: Program, size: int) -> bool:
    """Whether a row goes backwards, stays or takes every second of such elements."""
    *_, along, _ = program.axes
    ahead = along.result_stride
    if abs(ahead) != size:
        return False
    steps = [p.step for p in along.pieces if p.fill < 0 and p.count > 1]
    return any(step in (-ahead, 0, 2 * ahead) for step in steps)


def _turns(program: Program, size: int) -> bool:
    """Whether rows of elements of `size` bytes, or some of each, become columns."""
    *outer, along, _ = program.axes
    far = [abs(p.step) for p in along.pieces if p.fill < 0 and p.count > 1]
    steps = [abs(p.step) for axis in outer for p in axis.pieces]
    near = min([step for step in steps if step >= size], default=NEAR_BYTES + 1)
    return near <= NEAR_BYTES and all(step >= 2 * near for step in far)


def _target(move: Move, strides: Sequence[int]) -> tuple[int, list[int]]:
    """Byte offset and byte strides of the cells written."""
    if move.target is None:
        return 0, list(strides)
    region: IndexMap = move.target
    start = sum(map(mul, region.base, strides))
    steps = [
        0 if a.source is None else a.map.step * strides[a.source] for a in region.axes
    ]
    return start, steps


def _pieces(axis: Axis, strides: Sequence[int]) -> tuple[ProgramPiece, ...]:
    scale = 0 if axis.source is None else strides[axis.source]
    pieces: Sequence[Piece] = axis.map.pieces
    if len(pieces) > 1:
        pieces = align_runs(pieces)
    # A named tuple's own constructor takes twice as long.
    make = tuple.__new__
    return tuple(
        [
            make(ProgramPiece, (count, begin * scale, step * scale, -1))
            if fill is None
            else make(ProgramPiece, (count, 0, 0, fill))
            for count, begin, step, fill in pieces
        ]
    )
