"""What is explained: the reading of a chain, or the writing of a region.

Either one gives its scene as plain data, its lines of text, and the panels that
pictures draw, so that whoever shows it need not ask which it is.

>>> from restride.layout import Chain
>>> print(explain(Chain.identity((3,)).pad(((1, 2),), "reflect")))
(3,) -> (6,)  one pass, no cut
  y[i] = x[a(i)]
    a(i)  0..1  1 - i
          2..3  i - 1
          4..5  5 - i
  reads x[0:3]; elements: 3 read, 6 written
  x      y
  0 1 2  1 0 1 2 1 0
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any

from restride.explain.cost import Limit, cost_of
from restride.explain.panels import ROOM, Room, panels, region_panels
from restride.explain.region import region_lines, region_scene
from restride.explain.scene import DType, scene
from restride.explain.terminal.grids import grid_lines, room_of
from restride.explain.terminal.look import PLAIN, Look
from restride.explain.text import INDENT, indented, lines, painted
from restride.layout.chain import Chain
from restride.layout.index_map import IndexMap

__all__ = ["Reading", "Subject", "Writing", "explain"]


@dataclass(frozen=True)
class Reading:
    """A chain of steps over an array."""

    chain: Chain
    dtype: DType | None = None
    """With it, bytes are told."""

    @property
    def source_shape(self) -> tuple[int, ...]:
        """Extents of what is read."""
        return self.chain.source_shape

    def scene(self) -> dict[str, Any]:
        """All there is to say; see :func:`restride.explain.scene.scene`."""
        return self._scene

    @cached_property
    def _scene(self) -> dict[str, Any]:
        return scene(self.chain, self.dtype)

    def panels(self, room: Room = ROOM) -> list[dict[str, Any]]:
        """Its arrays as grids of cells."""
        return panels(self.chain, room)

    def lines(self, look: Look = PLAIN) -> Iterator[str]:
        """It in words, line by line."""
        return _lines(self, look)


@dataclass(frozen=True)
class Writing:
    """A source written into the cells of a destination."""

    region: IndexMap
    """The map that would read those cells."""
    source_shape: tuple[int, ...]
    dtype: DType | None = None
    """With it, bytes are told."""

    def scene(self) -> dict[str, Any]:
        """All there is to say; see :func:`restride.explain.region.region_scene`."""
        return region_scene(self.region, self.source_shape, self.dtype)

    def panels(self, room: Room = ROOM) -> list[dict[str, Any]]:
        """Its arrays as grids of cells."""
        return region_panels(self.region, self.source_shape, room)

    def lines(self, look: Look = PLAIN) -> Iterator[str]:
        """It in words, line by line."""
        return _lines(self, look)


Subject = Reading | Writing


def _lines(subject: Subject, look: Look) -> Iterator[str]:
    """As plain text; on a terminal the grids are drawn to its width."""
    shown = subject.scene()
    told = region_lines if "writes" in shown else lines
    if look.width is None:
        yield from told(shown)
        return
    yield from painted(told({**shown, "grid": None}), look)
    inner = look.narrower(2)
    cells = subject.panels(room_of(inner, _most_elements(subject)))
    yield from indented(grid_lines(cells, subject.source_shape, inner), 2)


def _most_elements(subject: Subject) -> int:
    """The largest number that stands in a cell."""
    if isinstance(subject, Writing):
        return max(prod(subject.source_shape), prod(subject.region.source_shape))
    return prod(subject.source_shape)


def explain(
    chain: Chain,
    steps: Sequence[tuple[str, Chain]] | None = None,
    dtype: DType | None = None,
    look: Look = PLAIN,
    limit: Limit | None = None,
) -> str:
    """What `chain` does, as text.

    Parameters
    ----------
    chain : Chain
        The whole chain.
    steps : sequence of (str, Chain), optional
        The steps that made it, each with the chain of that step alone; told first.
    dtype : dtype, optional
        With it, bytes are told.
    look : Look
        What the terminal shows; plain text where it is left out.
    limit : callable, optional
        What a plain copy takes, for a time in the cost line.
    """
    told: list[str] = []
    whole = Reading(chain, dtype)
    for number, (label, step) in enumerate(steps or (), start=1):
        told.append(look.bold(f"{number}. {label}"))
        told.extend(indented(Reading(step, dtype).lines(look.narrower(INDENT))))
        told.append("")
    if steps and len(steps) > 1:
        told.append(look.bold("all together"))
        told.extend(indented(whole.lines(look.narrower(INDENT))))
    elif not steps:
        told.extend(whole.lines(look))
    cost = cost_of([whole.scene()])
    if cost is not None:
        told += painted([cost.line(limit)], look)
    return "\n".join(told).rstrip()
