"""The lazy view of a Dask array: the steps of `restride.View`, no chunk looked at."""

from __future__ import annotations

from typing import Any

import numpy as np

from restride.blocks.dask.collection import as_dask, collect
from restride.engines.prepared import Prepared
from restride.errors import ShapeError, UnsupportedError
from restride.layout.chain import Chain
from restride.lazy import View

__all__ = ["DaskView", "view"]


class DaskView(View):
    """A Dask array and a chain of maps over it.  Made by :func:`view`.

    Every step of :class:`restride.View` is a step here; ``copy()`` gives the Dask
    array that they make, and computes nothing.
    """

    __slots__ = ()

    def copy(self, out: Any = None) -> Any:
        """The result as a Dask array.

        Raises
        ------
        UnsupportedError
            `out` is given: Dask's arrays are not written in place.
        """
        if out is not None:
            raise UnsupportedError(
                "copy: a Dask array is not written in place; leave out= away and use "
                "what comes back."
            )
        return collect(self.array, self.chain, "view")

    def to_dask_array(self) -> Any:
        """The same as ``copy()``: Dask's functions ask for it by this name."""
        return self.copy()

    def compute(self, **words: Any) -> Any:
        """The result in memory; `words` go to Dask's ``compute``."""
        return self.copy().compute(**words)

    def prepared(self) -> Prepared:
        """Refused: a plan is for one array in memory."""
        raise UnsupportedError(
            "x is a Dask array, whose chunks have a plan each and no single one: call "
            "the function of restride.dask, as rs.dask.pad for rs.pad, or .copy() of a "
            "view; both give a Dask array."
        )

    def as_numpy(self) -> Any:
        """Refused: chunks are not one memory."""
        raise UnsupportedError(
            "a view of a Dask array is no view of one memory; use .compute()."
        )

    @property
    def is_affine(self) -> bool:
        """False: chunks are not one memory."""
        return False

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        if copy is False:
            return self.as_numpy()
        made = np.asarray(self.compute())
        return made if dtype is None else made.astype(dtype, copy=False)


def view(x: Any) -> DaskView:
    """A lazy view of a Dask array: steps are noted, and one layer made by ``copy()``.

    Parameters
    ----------
    x : dask.array.Array
        Of known chunks, which NumPy holds.

    Raises
    ------
    DTypeError, ShapeError, UnsupportedError
        No Dask array; chunks of unknown size; chunks of another library.

    Examples
    --------
    >>> import dask.array as da, restride as rs
    >>> v = rs.dask.view(da.arange(6, chunks=2))[::-1].pad(1, "wrap")
    >>> v, v.compute().tolist()
    (DaskView((6,) -> (8,), int64), [0, 5, 4, 3, 2, 1, 0, 5])
    """
    if isinstance(x, DaskView):
        return x
    if isinstance(x, View):
        raise ShapeError("a view of an array in memory is no Dask array; copy() it.")
    array = as_dask(x)
    return DaskView(array, Chain.identity(array.shape), ())
