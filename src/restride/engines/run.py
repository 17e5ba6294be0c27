"""Pick an engine and run the moves of a plan over arrays already checked."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from types import ModuleType
from typing import Any

import numpy as np

from restride.arrays import may_overlap
from restride.engines import numpy as numpy_engine
from restride.engines.known import remember_calls, remembered_calls
from restride.engines.program import Program
from restride.errors import ShapeError, UnsupportedError
from restride.layout.index_map import IndexMap
from restride.plans.move import Move
from restride.plans.plan import Plan

__all__ = ["Programs", "counter", "engine", "move", "name", "run", "use"]

Array = np.ndarray[Any, Any]
Strides = tuple[int, ...] | None
"""Byte strides; None: row-major."""
Ran = tuple[Array, Program | None]
"""A result, and the program that made it, if one alone did."""

_moves = 0


def _load(name: str) -> tuple[str, ModuleType]:
    """The engine asked for; the native one where the extension is built."""
    if name not in ("", "native", "numpy"):
        raise UnsupportedError(
            f"RESTRIDE_ENGINE={name} is not known; use 'native' or 'numpy'."
        )
    if name != "numpy":
        try:
            from restride.engines import native
        except ImportError:
            if name == "native":
                raise
        else:
            return "native", native
    return "numpy", numpy_engine


_name, _engine = _load(os.environ.get("RESTRIDE_ENGINE", ""))
remember_calls(_name == "native")


def name() -> str:
    """The engine in use: "native" or "numpy"."""
    return _name


def engine() -> ModuleType:
    """The module whose copy and add run programs."""
    return _engine


@contextmanager
def use(name: str) -> Iterator[None]:
    """Run with another engine for a while; for tests and comparisons."""
    global _name, _engine
    before = _name, _engine
    _name, _engine = _load(name)
    remember_calls(_name == "native")
    try:
        yield
    finally:
        _name, _engine = before
        remember_calls(_name == "native")


def counter() -> int:
    """Moves run so far in this process."""
    return _moves + remembered_calls()


class Programs(dict[tuple[Any, ...], Program]):
    """The programs of one plan, by the byte strides they were bound to.

    Moves are known by identity: the plan that owns both keeps them alive.
    """

    LIMIT = 64
    """Most programs kept: a plan meets few layouts, and each must be bounded."""

    def of(
        self, move: Move, source: tuple[int, ...], result: Strides, itemsize: int
    ) -> Program:
        """The program of a move between these two layouts."""
        key = _engine, id(move), source, result
        found = self.get(key)
        if found is None:
            found = _engine.bind(move, itemsize, source, result)
            if len(self) >= self.LIMIT:
                self.clear()
            self[key] = found
        return found

    def run(
        self,
        move: Move,
        source: Array,
        cells: Array | None,
        strides: Strides,
        shape: tuple[int, ...],
    ) -> Array:
        """Hand one move to the engine; `cells` of None are made fresh with `shape`."""
        return self.ran(move, source, cells, strides, shape)[0]

    def ran(
        self,
        move: Move,
        source: Array,
        cells: Array | None,
        strides: Strides,
        shape: tuple[int, ...],
    ) -> Ran:
        """The same, and the program; None where it read a copy of `source`."""
        dtype, wanted = source.dtype, move.map.source_shape
        seen = source if source.shape == wanted else _seen_as(source, wanted)
        read = _read_as(source, wanted) if seen is None else seen
        program = self.of(move, read.strides, strides, dtype.itemsize)
        made: Array = _engine.copy(cells, read, program, shape, dtype)
        return made, None if seen is None else program


def run(plan: Plan, programs: Programs, source: Array, result: Array | None) -> Ran:
    """Run `plan` from `source` into `result`, or into a fresh array.

    Both are checked.  Where they share memory the result is made apart first.  The
    program is one that did everything, and may again for arrays laid out alike.
    """
    if result is not None and may_overlap(source, result):
        made = run(plan.apart, programs, source, None)[0]
        return _spread(made, result, plan.moves[-1].target), None
    last = plan.moves[-1]
    if len(plan.moves) == 1:
        return move(last, programs, source, result, plan.shape)
    for step in plan.moves[: -2 if last.bands else -1]:
        source, _ = move(step, programs, source, None, step.shape)
    if last.bands:
        return _banded(last, programs, source, result, plan.shape), None
    return move(last, programs, source, result, plan.shape)[0], None


def move(
    step: Move,
    programs: Programs,
    source: Array,
    result: Array | None,
    shape: tuple[int, ...],
) -> Ran:
    """Run one move; a result of None is made fresh with `shape`."""
    global _moves
    _moves += 1
    dtype = source.dtype
    if result is None:
        check_bytes(shape, dtype)
    if 0 in step.map.shape or dtype.itemsize == 0:
        return np.empty(shape, dtype) if result is None else result, None
    if result is None:
        return programs.ran(step, source, None, None, shape)
    cells, strides = _as_written(step, result, dtype)
    made, program = programs.ran(step, source, cells, strides, shape)
    is_usual = step.target is not None or result.flags.c_contiguous
    return _delivered(made, result, shape), program if is_usual else None


def _banded(
    step: Move,
    programs: Programs,
    source: Array,
    result: Array | None,
    shape: tuple[int, ...],
) -> Array:
    """A cut and the move after it, box by box: one pass of scratch, one of result."""
    global _moves
    _moves += 2
    dtype = source.dtype
    if result is None:
        check_bytes(shape, dtype)
    cells, strides = _as_written(step, result, dtype)
    for band in step.bands:
        read = source
        if band.scratch is not None:
            read = programs.run(band.scratch, source, None, None, band.scratch.shape)
        cells = programs.run(band.move, read, cells, strides, shape)
    made = np.empty(shape, dtype) if cells is None else cells
    return made if result is None else _delivered(made, result, shape)


def _delivered(made: Array, result: Array, shape: tuple[int, ...]) -> Array:
    """What was made, in the caller's array."""
    if made is result or may_overlap(made, result):
        return result
    return _spread(made.reshape(shape), result)


def _seen_as(source: Array, shape: tuple[int, ...]) -> Array | None:
    """`source` with the extents the map speaks of, where memory allows."""
    try:
        return source.reshape(shape, copy=False)
    except ValueError:
        return None


def _read_as(source: Array, shape: tuple[int, ...]) -> Array:
    """A copy of `source` with the extents the map speaks of."""
    return _spread(source, np.empty(source.shape, source.dtype)).reshape(shape)


def _as_written(
    step: Move, result: Array | None, dtype: np.dtype[Any]
) -> tuple[Array | None, Strides]:
    """The array to write and its byte strides, in the extents the map speaks of."""
    if result is None:
        return None, None
    if step.target is not None:
        return result, result.strides
    if result.flags.c_contiguous:
        return result, None
    shape = step.map.shape
    if result.shape == shape:
        return result, result.strides
    try:
        cells = result.reshape(shape, copy=False)
    except ValueError:
        cells = np.empty(shape, dtype)
    return cells, cells.strides


def _spread(source: Array, result: Array, target: IndexMap | None = None) -> Array:
    """The same elements in another layout, or in the cells of a larger array."""
    whole = Move(IndexMap.identity(source.shape), target)
    if whole.map.size and source.itemsize:
        Programs().run(whole, source, result, result.strides, result.shape)
    return result


def check_bytes(shape: tuple[int, ...], dtype: np.dtype[Any]) -> None:
    """Refuse a fresh result that this machine cannot hold, before asking for it.

    Asking would succeed, since memory is handed out on first touch, and the process
    would be killed half way.
    """
    total: int = dtype.itemsize
    for n in shape:
        total *= n or 1  # NumPy counts so too, even where nothing is there
    if total > (2**63 - 1 if 0 in shape else memory_bytes()):
        raise ShapeError(
            f"the result of shape {shape} and dtype {dtype} would have {total} bytes, "
            f"and this machine has {memory_bytes()}; make it smaller, or write into a "
            "memory map where there is an out= for it."
        )


@cache
def memory_bytes() -> int:
    """Bytes of memory of this machine; where it does not say, what a pointer spans."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return 2**63 - 1
