"""The layer of a Dask graph: its tasks are made when they are asked for, not before.

>>> import dask.array as da
>>> from restride.dask import pad
>>> x = pad(da.zeros(1_000_000, chunks=10), 1)
>>> layer = x.dask.layers[x.name]
>>> layer, layer.is_materialized()
(<BlockLayer restride-pad-...: 100000 tasks>, False)
"""

from __future__ import annotations

from collections.abc import (
    Callable,
    Collection,
    Hashable,
    Iterator,
    KeysView,
    Mapping,
    Set,
)
from itertools import product
from math import prod
from typing import Any

from dask._task_spec import Alias, Task, TaskRef
from dask.base import clone_key
from dask.highlevelgraph import Layer, MaterializedLayer

from restride.blocks.dask.recipe import Recipe
from restride.blocks.dask.write_tasks import WriteRecipe

__all__ = ["BlockLayer"]

Key = Any


class BlockLayer(Layer):
    """One task per chunk of a result, from a recipe.

    Building it, sending it and asking what it holds costs nothing per task.
    """

    def __init__(self, recipe: Recipe | WriteRecipe, annotations: Any = None) -> None:
        super().__init__(annotations=annotations)
        self.recipe = recipe
        self._tasks: dict[Key, Any] | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_tasks": None}

    @property
    def name(self) -> str:
        """Of the result."""
        return self.recipe.name

    def is_materialized(self) -> bool:
        """True once the tasks were asked for."""
        return self._tasks is not None

    @property
    def tasks(self) -> dict[Key, Any]:
        """All tasks by key, made on first use."""
        if self._tasks is None:
            self._tasks = self.recipe.maker().all()
        return self._tasks

    @property
    def has_legacy_tasks(self) -> bool:
        """False: told without making the tasks."""
        return False

    def __getitem__(self, key: Key) -> Any:
        return (self._tasks or self.tasks)[key]

    def __iter__(self) -> Iterator[Key]:
        if self._tasks is not None:
            return iter(self._tasks)
        return product((self.name,), *[range(axis.count) for axis in self.recipe.axes])

    def __len__(self) -> int:
        return prod([axis.count for axis in self.recipe.axes])

    def __contains__(self, key: object) -> bool:
        axes = self.recipe.axes
        return (
            isinstance(key, tuple)
            and len(key) == len(axes) + 1
            and key[0] == self.name
            and all(
                isinstance(k, int) and 0 <= k < axis.count
                for k, axis in zip(key[1:], axes, strict=True)
            )
        )

    def keys(self) -> KeysView[Key]:
        """The keys; the tasks are made, since ``dict(layer)`` asks for them next.

        The keys alone are those of :meth:`get_output_keys`, or of a loop.
        """
        return self.tasks.keys()

    def get_output_keys(self) -> Set[Key]:
        """The keys, without their tasks: every task is a chunk of the result."""
        return KeysView(self)

    def cull(
        self, keys: set[Key], all_hlg_keys: Collection[Key]
    ) -> tuple[Layer, Mapping[Key, set[Key]]]:
        """Only the tasks of `keys`, and what each needs; no other is made."""
        recipe, name = self.recipe, self.name
        if len(keys) >= len(self) and keys.issuperset(self):
            return self, _needs(self.tasks)
        if len(keys) < len(self):
            asked = [key[1:] for key in keys if key in self]
        else:
            asked = [at for at in recipe.indices() if (name, *at) in keys]
        tasks = recipe.maker().of(asked)
        return MaterializedLayer(tasks, annotations=self.annotations), _needs(tasks)

    def clone(
        self, keys: set[Key], seed: Hashable, bind_to: Key | None = None
    ) -> tuple[Layer, bool]:
        """The layer under another name, over a source that may have another name too.

        Where no source is cloned with it, every task waits for `bind_to`.
        """
        cloned = {key[0] if isinstance(key, tuple) else key for key in keys}
        cloned = (cloned & set(self.recipe.sources)) | {self.name}
        recipe = self.recipe.renamed({name: clone_key(name, seed) for name in cloned})
        if len(cloned) > 1 or bind_to is None:
            return BlockLayer(recipe, self.annotations), False
        tasks = recipe.maker().all()
        bound = {key: _after(bind_to, task) for key, task in tasks.items()}
        return MaterializedLayer(bound, annotations=self.annotations), True

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name}: {len(self)} tasks>"


def _needs(tasks: Mapping[Key, Any]) -> dict[Key, set[Key]]:
    return {key: set(task.dependencies) for key, task in tasks.items()}


def _after(first: Key, task: Any) -> Task:
    """The same task once another is done."""
    if isinstance(task, Alias):
        return Task(task.key, _second, TaskRef(first), TaskRef(task.target))
    return Task(task.key, _call, TaskRef(first), task.func, *task.args)


def _second(done: Any, value: Any) -> Any:
    return value


def _call(done: Any, function: Callable[..., Any], *args: Any) -> Any:
    return function(*args)
