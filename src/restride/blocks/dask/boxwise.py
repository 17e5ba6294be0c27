"""Tasks made box by box, where something is read row-major under another shape.

Then what a chunk of the result reads is no product over the axes, and each is asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from dask._task_spec import Task

from restride.blocks.dask.gather import Form, Job, Place, make
from restride.blocks.dask.nodes import Needs, needs_of, task, task_with
from restride.blocks.dask.recipe import Index, Recipe
from restride.blocks.dask.spans import FlatJob, Groups, Touched, corners, make_flat
from restride.blocks.intervals import Intervals
from restride.blocks.restrict import Restriction
from restride.layout.chain import Chain

__all__ = ["Boxes"]


class Boxes:
    """Makes the tasks of a recipe, one box after the other."""

    def __init__(self, recipe: Recipe, restriction: Restriction) -> None:
        self.recipe = recipe
        self._restriction = restriction
        self._touched = Touched(recipe.chain.source_shape, recipe.source_axes)
        self._forms: dict[Chain, Form] = {}
        self._known: dict[Any, Needs] = {}

    def of_all(self) -> Iterator[tuple[Any, Task]]:
        """Every task, and its key."""
        return self.of(self.recipe.indices())

    def of(self, indices: Iterable[Index]) -> Iterator[tuple[Any, Task]]:
        """The tasks of some chunks of the result, and their keys."""
        for index in indices:
            key: Any = (self.recipe.name, *index)
            block = self._restriction(self.recipe.box(index))
            form = self._form(block.chain)
            if () in block.reads:
                yield key, task(key, make, Job(form, ()), ())
            elif block.flat:
                yield key, self._flat(key, form, block.reads[0])
            else:
                yield key, self._placed(key, form, block.reads)

    def _form(self, chain: Chain) -> Form:
        found = self._forms.get(chain)
        if found is None:
            found = self._forms[chain] = Form(chain, self.recipe.dtype, chain.shape)
        return found

    def _flat(self, key: Any, form: Form, spans: Intervals) -> Task:
        told, groups = self._touched(spans)
        return self._task(key, make_flat, FlatJob(form, told), groups)

    def _placed(self, key: Any, form: Form, reads: tuple[Intervals, ...]) -> Task:
        chunks, ranges = self._touched.along(reads)
        places = tuple(map(Place, reads, ranges))
        return self._task(key, make, Job(form, places), (chunks,))

    def _task(self, key: Any, function: Any, job: Any, groups: Groups) -> Task:
        """The task that reads some groups of chunks, as its neighbours often do."""
        needs = self._known.get(groups)
        if needs is None:
            source: Any = (self.recipe.source_name,)
            keys = corners([(source, *group) for group in groups])
            needs = self._known[groups] = needs_of(keys)
        made: Task = task_with(key, function, (job, *needs.references), needs.keys)
        return made
