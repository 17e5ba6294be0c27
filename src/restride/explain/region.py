"""A region write told in words: which cells of ``y`` take elements of ``src``.

>>> from restride.ops import SetValue
>>> region = SetValue((1, 2), (4, 4)).region((5, 5))
>>> told = region_lines(region_scene(region, (3, 2)))
>>> print(next(told), next(told), sep="\\n")
(5, 5) -> (5, 5)  writes (3, 2) in place
  y[i + 1, j + 2] = src[i, j]
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import prod
from typing import Any

from restride.explain.cells import ravel, taken
from restride.explain.formula import formula
from restride.explain.scene import DType, is_drawable
from restride.explain.text import side_by_side
from restride.layout.index_map import IndexMap

__all__ = ["region_lines", "region_scene"]


def region_scene(
    region: IndexMap, source_shape: Sequence[int], dtype: DType | None = None
) -> dict[str, Any]:
    """All there is to show about writing `source_shape` into `region`.

    `region` is the map that would read the cells written; the source broadcasts to
    its shape.
    """
    written = None if dtype is None else region.size * dtype.itemsize
    return {
        "writes": True,
        "source_shape": list(source_shape),
        "shape": list(region.source_shape),
        "region_shape": list(region.shape),
        "formula": _assignment(region),
        "elements_read": prod(source_shape),
        "elements_written": region.size,
        "bytes_read": None if dtype is None else prod(source_shape) * dtype.itemsize,
        "bytes_written": written,
        "grid": _cells(region, source_shape),
    }


def region_lines(shown: dict[str, Any]) -> Iterator[str]:
    """One region write, line by line, as plain text."""
    shape, region = tuple(shown["shape"]), tuple(shown["region_shape"])
    yield f"{shape} -> {shape}  writes {region} in place"
    yield f"  {shown['formula']}"
    if tuple(shown["source_shape"]) != region:
        yield f"  src {tuple(shown['source_shape'])} is broadcast to {region}"
    read, written = shown["elements_read"], shown["elements_written"]
    yield f"  elements: {read} read, {written} written"
    if shown["grid"] is not None:
        total = list(range(prod(shape)))
        yield from side_by_side(total, shape, shown["grid"], shape)


def _assignment(region: IndexMap) -> str:
    """``y[i + 1] = src[i]``: the formula that reads the cells, turned round."""
    if region.size == 0:
        return "writes nothing"
    index, position = formula(region, "y", "src").split(" = ")
    return f"{position} = {index}"


def _cells(region: IndexMap, source_shape: Sequence[int]) -> list[Any] | None:
    """Cells of y: their own number, or ``s`` and the number of the src element."""
    if not is_drawable(region.source_shape):
        return None
    cells: list[Any] = list(range(prod(region.source_shape)))
    for index in product(*(range(n) for n in region.shape)):
        place = region.at(index)
        if isinstance(place, tuple):
            cells[ravel(place, region.source_shape)] = f"s{taken(index, source_shape)}"
    return cells
