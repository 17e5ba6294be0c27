"""The accessor ``.restride`` of Dataset and DataArray."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

from restride.blocks.labelled.framing import as_frames, as_mark, framed
from restride.blocks.labelled.moving import as_xarray, padded, sliced
from restride.blocks.labelled.words import (
    Widths,
    as_widths,
    check_mode,
    check_names,
    of_dims,
    place_of,
)
from restride.errors import DTypeError, UnsupportedError

__all__ = ["DataArrayAccessor", "DatasetAccessor", "register"]

EXTEND, FILL = "extend", "fill"


def register() -> None:
    """Make both accessors known to xarray, once."""
    xarray = as_xarray()
    if getattr(xarray.Dataset, "restride", None) is not DatasetAccessor:
        xarray.register_dataset_accessor("restride")(DatasetAccessor)
        xarray.register_dataarray_accessor("restride")(DataArrayAccessor)


class DatasetAccessor:
    """``dataset.restride``: moves every variable that has the dimensions named."""

    def __init__(self, dataset: Any) -> None:
        self._dataset = dataset

    def pad(
        self,
        pad_width: Mapping[Hashable, Any] | None = None,
        mode: str = "constant",
        constant_values: Any = None,
        coords: Any = EXTEND,
        **widths: Any,
    ) -> Any:
        """Extend dimensions before and after; negative widths crop.

        Parameters
        ----------
        pad_width : mapping of dimension to int or (int, int), optional
            Elements to add before and after; or as keywords, ``time=(3, 0)``.
        mode : str
            "constant", "edge", "reflect", "symmetric" or "wrap", of any width.
        constant_values : scalar, pair, or mapping, optional
            For mode "constant"; a mapping is of variables of a Dataset, or of
            dimensions.  Without it: NaN or NaT, as xarray fills; whole numbers become
            float64 where each is held exactly.
        coords : "extend", "fill", scalar, or mapping of coordinate to one of these
            "extend" pads coordinates as the data, in mode "constant" with NaN or NaT;
            "fill" always fills them with NaN or NaT; anything else is filled in.

        Returns
        -------
        Dataset or DataArray
            Names, attributes and coordinates are kept; Dask arrays stay lazy.

        Raises
        ------
        ShapeError
            There is no such dimension, or nothing in it to repeat.
        DTypeError
            A dtype without a missing value, and no constant is given.
        UnsupportedError
            A MultiIndex along a dimension that is padded; a mode that computes.

        Examples
        --------
        >>> import restride.xarray, xarray as xr
        >>> x = xr.Dataset({"a": ("t", [1, 2, 3])}, coords={"t": [10, 20, 30]})
        >>> y = x.restride.pad(t=(2, -1), mode="reflect", coords=-1)
        >>> y.a.values.tolist(), y.t.values.tolist()
        ([3, 2, 1, 2], [-1, -1, 10, 20])
        """
        found = self._dataset
        wide = as_widths(of_dims("pad", pad_width, widths, found.sizes))
        check_mode(mode)
        _check_indexes(found, wide)
        of_names = _are_of_names(found, constant_values)
        made = {}
        for name, variable in found.data_vars.items():
            fill = constant_values.get(name) if of_names else constant_values
            words = mode, fill, "constant_values"
            made[name] = padded(variable.variable, name, wide, *words)
        return _built(found, made, _padded_coords(found, wide, mode, coords))

    def slice(
        self, indexers: Mapping[Hashable, Any] | None = None, **words: Any
    ) -> Any:
        """Take slices or single places of dimensions, as ``isel`` does.

        Parameters
        ----------
        indexers : mapping of dimension to slice or int, optional
            Or as keywords, ``time=slice(None, None, -2)``.  An int drops the dimension.

        Raises
        ------
        ShapeError, BoundsError
            There is no such dimension or place.
        DTypeError
            Something else than slices and ints.

        Examples
        --------
        >>> import restride.xarray, xarray as xr
        >>> x = xr.DataArray([1, 2, 3], dims="t", coords={"t": [10, 20, 30]})
        >>> y = x.restride.slice(t=slice(None, None, -2))
        >>> y.values.tolist(), y.t.values.tolist()
        ([3, 1], [30, 10])
        """
        found = self._dataset
        taken = of_dims("slice", indexers, words, found.sizes)
        for dim, index in taken.items():
            taken[dim] = place_of(dim, index, found.sizes[dim])
        made = {
            name: sliced(variable.variable, name, taken)
            for name, variable in found.data_vars.items()
        }
        return _built(found, made, _coords_at(found, taken))

    def windows(
        self,
        size: Mapping[Hashable, Any] | None = None,
        names: Any = None,
        step: Any = 1,
        dilation: Any = 1,
        coords: str = "first",
        **sizes: Any,
    ) -> Any:
        """Sliding windows along dimensions; nothing is padded.

        Parameters
        ----------
        size : mapping of dimension to int, optional
            Elements per window; or as keywords, ``time=3``.
        names : mapping of dimension to name, or str, optional
            Of the new dimensions, which come last; without it ``time_window``.
        step, dilation : int or mapping of dimension to int, optional
            Elements between windows, and between elements of one window.
        coords : "first", "middle" or "last"
            Of which element of a window its place has the coordinates.

        Returns
        -------
        Dataset or DataArray
            Along a dimension of n elements ``(n - (size - 1) * dilation - 1) // step
            + 1`` windows.  Names and attributes are kept; Dask arrays stay lazy.

        Raises
        ------
        ShapeError, DTypeError
            There is no such dimension, a window is longer than it, or a name is taken.

        Examples
        --------
        >>> import restride.xarray, xarray as xr
        >>> x = xr.DataArray([1, 2, 3, 4], dims="t", coords={"t": [10, 20, 30, 40]})
        >>> y = x.restride.windows(t=2, step=2, coords="last")
        >>> y.dims, y.values.tolist(), y.t.values.tolist()
        (('t', 't_window'), [[1, 2], [3, 4]], [20, 40])
        """
        found, mark = self._dataset, as_mark(coords)
        asked = of_dims("windows", size, sizes, found.sizes)
        frames = as_frames(found, asked, names, step, dilation)
        made = {
            name: framed(variable.variable, name, frames)
            for name, variable in found.data_vars.items()
        }
        places = {dim: f.taken(found.sizes[dim], mark) for dim, f in frames.items()}
        return _built(found, made, _coords_at(found, places))


class DataArrayAccessor:
    """``array.restride``: the same for one array."""

    def __init__(self, array: Any) -> None:
        self._array = array

    def pad(
        self,
        pad_width: Mapping[Hashable, Any] | None = None,
        mode: str = "constant",
        constant_values: Any = None,
        coords: Any = EXTEND,
        **widths: Any,
    ) -> Any:
        """See :meth:`DatasetAccessor.pad`."""
        words = mode, constant_values, coords
        return self._moved(lambda x: x.pad(pad_width, *words, **widths))

    def slice(
        self, indexers: Mapping[Hashable, Any] | None = None, **words: Any
    ) -> Any:
        """See :meth:`DatasetAccessor.slice`."""
        return self._moved(lambda x: x.slice(indexers, **words))

    def windows(
        self,
        size: Mapping[Hashable, Any] | None = None,
        names: Any = None,
        step: Any = 1,
        dilation: Any = 1,
        coords: str = "first",
        **sizes: Any,
    ) -> Any:
        """See :meth:`DatasetAccessor.windows`."""
        words = names, step, dilation, coords
        return self._moved(lambda x: x.windows(size, *words, **sizes))

    def _moved(self, move: Any) -> Any:
        """The array moved as the one variable of a dataset."""
        array = self._array
        alone = "the array" if array.name is None else array.name
        while alone in array.coords or alone in array.dims:
            alone = f"{alone}'"
        whole = array.rename(None).to_dataset(name=alone)
        return move(DatasetAccessor(whole))[alone].rename(array.name)


def _built(found: Any, made: dict[Hashable, Any], coords: Any) -> Any:
    xarray = as_xarray()
    whole = xarray.Dataset(made, coords=coords, attrs=found.attrs)
    whole.encoding = found.encoding
    return whole


def _coords_at(found: Any, places: Mapping[Hashable, Any]) -> Any:
    """The coordinates at these places; a dimension may well have none."""
    return found.coords.to_dataset().isel(places, missing_dims="ignore").coords


def _padded_coords(found: Any, widths: Widths, mode: str, asked: Any) -> Any:
    """The coordinates, padded as asked; those without an index get none."""
    xarray = as_xarray()
    if isinstance(asked, Mapping):
        check_names(asked, found.coords, "coords: there is no coordinate")
    made, without = {}, []
    for name, coord in found.coords.items():
        how = asked.get(name, EXTEND) if isinstance(asked, Mapping) else asked
        if isinstance(how, str) and how == EXTEND:
            own, fill = mode, None
        elif isinstance(how, str) and how == FILL:
            own, fill = "constant", None
        else:
            own, fill = "constant", _scalar(how, coord, name)
        give = f"coords={{{name!r}: value}}"
        made[name] = padded(coord.variable, name, widths, own, fill, give)
        if name in coord.dims and name not in found.xindexes:
            without.append(name)
    whole = xarray.Dataset(coords=made)
    return whole.drop_indexes(without).coords if without else whole.coords


def _scalar(given: Any, coord: Any, name: Hashable) -> Any:
    """A value to fill in; a word is one only where the coordinate holds words."""
    is_word = isinstance(given, str) and coord.dtype.kind in "biufc"
    if given is None or is_word or isinstance(given, (Mapping, list, tuple)):
        what = repr(given) if is_word else f"a {type(given).__name__}"
        raise DTypeError(
            f"coords of {name!r} is {what}; give 'extend', 'fill', a value of "
            f"{coord.dtype}, or a mapping of coordinates to these."
        )
    return given


def _are_of_names(found: Any, constants: Any) -> bool:
    """True where a mapping has a constant per variable, and not per dimension."""
    if not isinstance(constants, Mapping):
        return False
    known = [*found.data_vars, *found.dims]
    check_names(constants, known, "constant_values: no variable or dimension is named")
    return any(name in found.data_vars for name in constants)


def _check_indexes(found: Any, widths: Widths) -> None:
    """Refuse dimensions whose labels are tuples, which no padding makes."""
    for dim in widths:
        index = found.xindexes.get(dim)
        if isinstance(index, as_xarray().indexes.PandasMultiIndex):
            raise UnsupportedError(
                f"{dim!r} has a MultiIndex, whose labels cannot be padded; call "
                f".reset_index({dim!r}) first."
            )
