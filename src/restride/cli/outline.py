"""A chain of operators followed through shapes alone, before any data moves.

A set-value needs the result so far in memory, so it ends one chain and starts the
next; everything between runs as one pass (or as few as the algebra allows).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from math import prod
from typing import Any

import numpy as np

import restride as rs
from restride.cli.io import open_source
from restride.cli.sources import Array, Source
from restride.cli.steps import LazyStep, Step, WriteStep
from restride.errors import DTypeError, ShapeError, UnsupportedError
from restride.explain.cost import Cost, cost_of
from restride.explain.masks import mask_lines, mask_scene
from restride.explain.scene import scene
from restride.explain.subject import Reading, Subject, Writing
from restride.explain.terminal.look import Look
from restride.explain.text import wrapped

__all__ = ["Outline", "Stage", "execute", "outline"]

MOST_BYTES = 2**63 - 1


@dataclass(frozen=True)
class Stage:
    """One operator and what it does."""

    text: str
    shape: tuple[int, ...]
    """Extents of the result so far."""
    cut: str
    """What this operator makes materialise first; empty for nothing."""
    subject: Subject
    """The operator alone, to be explained."""
    masks: dict[str, Any] | None = None
    """What the masks of a strided slice say, entry by entry."""
    operator: dict[str, Any] | None = None
    """The operator and its parameters, where it is a step of a view."""

    @property
    def shown(self) -> dict[str, Any]:
        """The operator alone, as a scene."""
        told = self.subject.scene()
        return told if self.masks is None else told | {"strided_slice": self.masks}

    def lines(self, look: Look) -> Iterator[str]:
        """The operator alone, in words."""
        if self.masks is not None:
            for line in mask_lines(self.masks):
                yield from wrapped(line, look.width)
        yield from self.subject.lines(look)


@dataclass(frozen=True)
class Outline:
    """All operators, and the passes that run them."""

    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    stages: tuple[Stage, ...]
    subjects: tuple[Subject, ...]
    """A chain or a region write each, in the order they run."""

    @cached_property
    def passes(self) -> tuple[dict[str, Any], ...]:
        """A scene per subject."""
        return tuple(subject.scene() for subject in self.subjects)

    @property
    def size_bytes(self) -> int:
        """Bytes of the result."""
        return prod(self.shape) * self.dtype.itemsize

    @property
    def cuts(self) -> int:
        """How often something is materialised on the way."""
        return sum(bool(s.cut) for s in self.stages)

    @cached_property
    def cost(self) -> Cost:
        """Bytes, copies and cuts of all passes."""
        found = cost_of(self.passes, self.cuts)
        assert found is not None, "an outline has a dtype"
        return found


def outline(
    shape: tuple[int, ...], dtype: np.dtype[Any], steps: Sequence[Step]
) -> Outline:
    """Follow `steps` from an array of `shape` and `dtype`; refuse what will fail.

    Raises
    ------
    RestrideError
        An operator does not fit the shape or dtype it meets.
    """
    walk = _Walk(shape, dtype)
    for step in steps:
        if isinstance(step, WriteStep):
            walk.write(step)
        else:
            walk.lazy(step)
    walk.end()
    return Outline(walk.view.shape, dtype, tuple(walk.stages), tuple(walk.subjects))


def execute(x: Array, steps: Sequence[Step]) -> Array:
    """Run `steps` over `x`; `x` itself is never written."""
    view, owned = rs.view(x), None
    for step in steps:
        if isinstance(step, WriteStep):
            owned = view.copy() if owned is None else owned
            src = _source(step, owned.dtype).load()
            where = step.starts, step.ends, step.strides
            rs.set_value(owned, src, *where, strict=step.strict)
            view = rs.view(owned)
        else:
            view, owned = step.apply(view), None
    return view.copy() if owned is None else owned


class _Walk:
    """The chain so far, over an array that has a shape and a dtype only."""

    def __init__(self, shape: tuple[int, ...], dtype: np.dtype[Any]) -> None:
        self.dtype = dtype
        self.view = self._blank(shape)
        self.stages: list[Stage] = []
        self.subjects: list[Subject] = []
        self.pending: str | None = None

    def lazy(self, step: LazyStep) -> None:
        """A step joins the chain, or cuts it."""
        cut = ""
        if self.pending is not None:
            cut = self._cut(
                f"'{step.text}' follows '{self.pending}'", self._bytes(self.view.shape)
            )
        before, self.view = self.view, step.apply(self.view)
        alone = step.apply(self._blank(before.shape))
        self._check_size(step.text)
        if self.view.chain.cuts > before.chain.cuts:
            made = scene(self.view.chain, self.dtype)["maps"][-2]["bytes"]
            cut = self._cut(f"'{step.text}' has no map over what came before", made)
        self.pending = None
        masks = step.masks and mask_scene(step.masks, before.shape)
        reading = Reading(alone.chain, self.dtype)
        self._add(step.text, cut, reading, masks, _operator(step, alone))

    def write(self, step: WriteStep) -> None:
        """A region write: what stands so far is made, then written into."""
        source = _source(step, self.dtype)
        spec = rs.SetValue(step.starts, step.ends, step.strides)
        region = spec.cells(self.view.shape, step.strict, source.shape)
        _check_broadcast(step, source.shape, region.shape)
        writing = Writing(region, source.shape, self.dtype)
        if self.pending is None:
            self._run(self.view)
        self.subjects.append(writing)
        self.view, self.pending = self._blank(self.view.shape), step.text
        self._add(step.text, "", writing)

    def end(self) -> None:
        """The last chain runs; after a region write there is none."""
        if self.pending is None:
            self._run(self.view)

    def _run(self, view: rs.View) -> None:
        rs.plan(view)
        self.subjects.append(Reading(view.chain, self.dtype))

    def _add(
        self,
        text: str,
        cut: str,
        subject: Subject,
        *more: dict[str, Any] | None,
    ) -> None:
        self.stages.append(Stage(text, self.view.shape, cut, subject, *more))

    def _blank(self, shape: tuple[int, ...]) -> rs.View:
        """A view that stands for any array: one element, repeated."""
        if prod(n for n in shape if n) * self.dtype.itemsize > MOST_BYTES:
            raise ShapeError(
                f"shape {shape} of {self.dtype} is more than 2**63 - 1 bytes; "
                "make it smaller."
            )
        return rs.view(np.broadcast_to(np.zeros((), self.dtype), shape))

    def _check_size(self, text: str) -> None:
        needed = self._bytes(self.view.shape)
        if needed > MOST_BYTES:
            raise ShapeError(
                f"{text}: the result of shape {self.view.shape} takes {needed} bytes; "
                "at most 2**63 - 1 can be addressed. Make it smaller."
            )

    def _bytes(self, shape: tuple[int, ...]) -> int:
        return prod(shape) * self.dtype.itemsize

    @staticmethod
    def _cut(why: str, size: int) -> str:
        return f"cut: {why}, so {size:,} bytes are written first."


def _operator(step: LazyStep, alone: rs.View) -> dict[str, Any] | None:
    """The operator that a step is; masks as they were given."""
    if step.masks is not None:
        return {"op": "strided_slice", "params": asdict(step.masks)}
    return alone.steps[-1].operator() if alone.steps else None


def _source(step: WriteStep, dtype: np.dtype[Any]) -> Source:
    """What a region write reads: a file of the right dtype."""
    found = open_source(step.source)
    if found.dtype.kind == "V" and found.dtype != dtype:
        found = open_source(step.source, dtype)
    if found.dtype != dtype:
        raise DTypeError(
            f"set-value: {step.source} holds {found.dtype} and the array is {dtype}; "
            "both must be the same, restride does not convert."
        )
    return found


def _check_broadcast(
    step: WriteStep, source: tuple[int, ...], region: tuple[int, ...]
) -> None:
    """Refuse a source that NumPy's assignment would not broadcast."""
    kept = source
    while len(kept) > len(region) and kept[0] == 1:
        kept = kept[1:]
    try:
        fits = np.broadcast_shapes(kept, region) == region
    except ValueError:
        fits = False
    if not fits:
        raise UnsupportedError(
            f"set-value: {step.source} has shape {source} and the region {region}; "
            "an extent must be equal or 1. Change --starts and --ends, or slice the "
            "file first."
        )
