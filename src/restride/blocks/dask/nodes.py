"""Dask's tasks, made from what is known already: which keys a task needs.

Dask's own constructor looks through all arguments for them, which is most of what a
task costs to make.  Where its tasks have other slots than the ones known here, as a
later Dask may, its constructor is called.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from dask._task_spec import Task, TaskRef

__all__ = ["task", "task_of_one"]

SLOTS = {
    *("key", "_dependencies", "func", "args", "kwargs"),
    *("_data_producer", "_token", "_is_coro", "_repr"),
}
"""Of ``dask._task_spec.Task``, as in Dask 2026.8.0."""

IS_KNOWN = set(Task.get_all_slots()) == SLOTS

_blank: Callable[[type[Task]], Task] = object.__new__


def task(key: Any, function: Callable[..., Any], job: Any, needs: Iterable[Any]) -> Any:
    """The task ``function(job, *values)``, whose values are those of the keys `needs`.

    >>> made = task(("y", 0), max, 3, [("x", 0)])
    >>> made, made({("x", 0): 5})
    (<Task ('y', 0) max(...)>, 5)
    """
    needs = tuple(needs)
    args = (job, *[TaskRef(need) for need in needs])
    if not IS_KNOWN:
        return Task(key, function, *args)
    return _filled(key, function, args, frozenset(needs))


def task_of_one(key: Any, function: Callable[..., Any], job: Any, need: Any) -> Any:
    """The same where one key is needed."""
    if not IS_KNOWN:
        return Task(key, function, job, TaskRef(need))
    return _filled(key, function, (job, TaskRef(need)), frozenset((need,)))


def _filled(
    key: Any, function: Callable[..., Any], args: tuple[Any, ...], needs: frozenset[Any]
) -> Task:
    made = _blank(Task)
    made.key = key
    made._dependencies = needs
    made.func = function
    made.args = args
    made.kwargs = {}
    made._data_producer = False
    made._token = made._is_coro = made._repr = None
    return made
