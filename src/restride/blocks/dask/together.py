"""Tasks in one loop, without a call for each: a call takes as long as a task.

What a task holds is what Dask's constructor would give it (`nodes` says of which
slots); where Dask has other slots, its constructor is called.
"""

from __future__ import annotations

from itertools import product
from typing import Any, NamedTuple

from dask._task_spec import Alias, Task, TaskRef

from restride.blocks.dask import nodes
from restride.blocks.dask.cells import Cell
from restride.blocks.dask.kinds import Kind, make_of
from restride.blocks.dask.nodes import SameChunk
from restride.blocks.dask.sides import Streams
from restride.blocks.dask.spots import NOTHING, ONE, WHOLE

__all__ = ["Job", "Node", "together"]

Node = Alias | Task

_blank: Any = object.__new__


class Job(NamedTuple):
    """What some tasks do, and how much of the source they read."""

    reach: int
    """`NOTHING`, `WHOLE`, `ONE` or `SEVERAL`; a `WHOLE` chunk is one of the source."""
    kind: Kind | None = None


def together(streams: Streams[Job], source_name: str) -> dict[Any, Node]:
    """The tasks of some chunks, by key, from what their sides say."""
    if not nodes.IS_KNOWN:
        return _constructed(streams, source_name)
    blank, keys_of = _blank, frozenset
    made: dict[Any, Node] = {}
    for key, (reach, kind), cells, first, chunks in streams:
        if reach == WHOLE:
            node = blank(SameChunk)
            node.key = key
            node.target = first
        elif reach == ONE:
            reference = blank(TaskRef)
            reference.key = first
            node = blank(Task)
            node.key = key
            node._dependencies = keys_of((first,))
            node.func = make_of
            node.args = (kind, cells, reference)
            node.kwargs = {}
            node._data_producer = False
            node._token = node._is_coro = node._repr = None
        else:
            node = _gathered(key, reach, (kind, cells), source_name, chunks)
        made[key] = node
    return made


def _constructed(streams: Streams[Job], source_name: str) -> dict[Any, Node]:
    """The same by Dask's constructors."""
    made: dict[Any, Node] = {}
    for key, (reach, kind), cells, first, chunks in streams:
        if reach == WHOLE:
            made[key] = Alias(key, first)
        elif reach == ONE:
            made[key] = Task(key, make_of, kind, cells, TaskRef(first))
        else:
            made[key] = _gathered(key, reach, (kind, cells), source_name, chunks)
    return made


def _gathered(
    key: Any,
    reach: int,
    told: tuple[Kind | None, tuple[Cell, ...]],
    source_name: str,
    chunks: Any,
) -> Any:
    """The task of a block that reads several chunks, or none."""
    needs: tuple[Any, ...] = ()
    if reach != NOTHING:
        needs = tuple(product((source_name,), *chunks))
    return nodes.task_with(key, make_of, (*told, *map(TaskRef, needs)), needs)
