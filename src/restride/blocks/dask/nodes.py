"""Dask's tasks, made from what is known already: which keys a task needs.

Dask's own constructor looks through all arguments for them, which is most of what a
task costs to make.  Where its tasks have other slots than the ones known here, as a
later Dask may, its constructor is called.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from dask._task_spec import Alias, Task, TaskRef

__all__ = [
    "Needs",
    "SameChunk",
    "needs_of",
    "same_chunk",
    "task",
    "task_with",
    "uncollected",
]

SLOTS = {
    *("key", "_dependencies", "func", "args", "kwargs"),
    *("_data_producer", "_token", "_is_coro", "_repr"),
}
"""Of ``dask._task_spec.Task``, as in Dask 2026.8.0."""

IS_KNOWN = (
    set(Task.get_all_slots()) == SLOTS
    and set(Alias.get_all_slots()) == {"key", "_dependencies", "target"}
    and TaskRef.__slots__ == ("key",)
)

_blank: Callable[[type[Any]], Any] = object.__new__


class SameChunk(Alias):
    """A chunk that is there, under another key: an alias that is quicker to make.

    What it needs is told when it is asked for, and kept nowhere.

    >>> made = same_chunk(("y", 0), ("x", 0))
    >>> made, made.dependencies
    (Alias(('y', 0)->('x', 0)), frozenset({('x', 0)}))
    """

    __slots__ = ()

    @property
    def dependencies(self) -> frozenset[Any]:
        """The key of the chunk."""
        return frozenset((self.target,))


def same_chunk(key: Any, target: Any) -> Alias:
    """The value of key `target`, under another key."""
    if not IS_KNOWN:
        return Alias(key, target)
    made: Alias = _blank(SameChunk)
    made.key = key
    made.target = target
    return made


def task(key: Any, function: Callable[..., Any], job: Any, needs: Iterable[Any]) -> Any:
    """The task ``function(job, *values)``, whose values are those of the keys `needs`.

    >>> made = task(("y", 0), max, 3, [("x", 0)])
    >>> made, made({("x", 0): 5})
    (<Task ('y', 0) max(...)>, 5)
    """
    needs = tuple(needs)
    return task_with(key, function, (job, *map(TaskRef, needs)), needs)


def task_with(
    key: Any, function: Callable[..., Any], args: tuple[Any, ...], needs: Iterable[Any]
) -> Any:
    """The task ``function(*args)``, whose references among `args` are to `needs`."""
    if not IS_KNOWN:
        return Task(key, function, *args)
    made = _blank(Task)
    made.key = key
    made._dependencies = frozenset(needs)
    made.func = function
    made.args = args
    made.kwargs = {}
    made._data_producer = False
    made._token = made._is_coro = made._repr = None
    return made


class Needs(NamedTuple):
    """Keys that several tasks need, with what each task holds of them."""

    references: tuple[TaskRef, ...]
    keys: frozenset[Any]


def needs_of(keys: Iterable[Any]) -> Needs:
    """The same keys for many tasks: Dask's references to them are made once."""
    keys = tuple(keys)
    return Needs(tuple(map(TaskRef, keys)), frozenset(keys))


@contextmanager
def uncollected() -> Iterator[None]:
    """Without Python's search for cycles: a million new tasks and no garbage.

    Each search would go through all tasks made so far, and take longer than they did.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
