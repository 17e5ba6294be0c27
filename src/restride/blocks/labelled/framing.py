"""Windows along named dimensions: how long, how far apart, and what they are called."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from restride.api import windows as windows_array
from restride.blocks.labelled.moving import as_xarray, held, is_dask, of_dask
from restride.blocks.labelled.words import of_dims
from restride.checks import as_index
from restride.errors import DTypeError, ShapeError

__all__ = ["Frame", "as_frames", "as_mark", "framed"]

MARKS = ("first", "middle", "last")


class Frame(NamedTuple):
    """Windows along one dimension, in elements."""

    name: Hashable
    """Of the new dimension, inside a window."""
    size: int
    step: int
    dilation: int

    def taken(self, extent: int, mark: str) -> slice:
        """Places of the windows' first, middle or last elements along the dimension."""
        reach = (self.size - 1) * self.dilation
        at = {"first": 0, "middle": self.size // 2 * self.dilation, "last": reach}[mark]
        return slice(at, at + extent - reach, self.step)


def as_frames(
    found: Any, sizes: Mapping[Hashable, Any], names: Any, step: Any, dilation: Any
) -> dict[Hashable, Frame]:
    """Per dimension of the dataset `found` its windows, all words checked.

    Raises
    ------
    ShapeError, DTypeError
        A window longer than its dimension, a number below 1, or a name that is taken.
    """
    steps = _per_dim("step", step, sizes)
    dilations = _per_dim("dilation", dilation, sizes)
    called = _names(found, names, list(sizes))
    made = {}
    for dim, size in sizes.items():
        words = _positive(size, f"the size of {dim!r}"), steps[dim], dilations[dim]
        frame = Frame(called[dim], *words)
        reach = (frame.size - 1) * frame.dilation + 1
        if reach > found.sizes[dim]:
            raise ShapeError(
                f"windows: {reach} elements of {dim!r} make one window, and there are "
                f"{found.sizes[dim]}; give a smaller size or dilation."
            )
        made[dim] = frame
    return made


def as_mark(given: Any) -> str:
    """The word for whose coordinate a window has."""
    if not isinstance(given, str) or given not in MARKS:
        raise ShapeError(
            f"windows: coords is {given!r}; give 'first', 'middle' or 'last', for the "
            "element of a window whose coordinate it has."
        )
    return given


def framed(variable: Any, name: Hashable, frames: Mapping[Hashable, Frame]) -> Any:
    """The variable with a new last dimension for each of its own that `frames` has."""
    dims = [dim for dim in frames if dim in variable.dims]
    if not dims:
        return variable
    x = held(variable, name)
    own = [frames[dim] for dim in dims]
    words = [[f.size for f in own], [f.step for f in own], [f.dilation for f in own]]
    move = of_dask("windows") if is_dask(x) else windows_array
    made = move(x, *words, axis=[variable.dims.index(dim) for dim in dims])
    data = made if is_dask(made) else np.asarray(made.copy())
    along = [*variable.dims, *[frame.name for frame in own]]
    return as_xarray().Variable(along, data, variable.attrs)


def _per_dim(what: str, given: Any, sizes: Mapping[Hashable, Any]) -> dict[Any, int]:
    """A number for each dimension; one is for all, and 1 where a mapping has none."""
    if isinstance(given, Mapping):
        given = of_dims(f"windows: {what}", given, {}, sizes)
        return {
            dim: _positive(given.get(dim, 1), f"the {what} of {dim!r}") for dim in sizes
        }
    return dict.fromkeys(sizes, _positive(given, what))


def _positive(given: Any, what: str) -> int:
    found = as_index(given, what)
    if found < 1:
        raise ShapeError(f"windows: {what} is {found}; give at least 1.")
    return found


def _names(found: Any, given: Any, dims: Sequence[Hashable]) -> dict[Any, Hashable]:
    """What the new dimensions are called: as said, else after their own."""
    if given is None:
        given = {}
    elif isinstance(given, str) and len(dims) == 1:
        given = {dims[0]: given}
    elif not isinstance(given, Mapping):
        raise DTypeError(
            "windows: names is a mapping of dimensions to new names, as "
            f"{{'x': 'x_window'}}, not a {type(given).__name__}."
        )
    given = of_dims("windows: names", given, {}, dict.fromkeys(dims))
    called = {dim: given.get(dim, f"{dim}_window") for dim in dims}
    taken = {*found.dims, *found.variables}
    for dim, name in called.items():
        if name in taken:
            raise ShapeError(
                f"windows: the name {name!r} for windows of {dim!r} is taken; give "
                f"another, as names={{{dim!r}: 'inside'}}."
            )
        taken.add(name)
    return called
