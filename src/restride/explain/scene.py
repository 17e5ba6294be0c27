"""What there is to show about a chain, as plain data that JSON can hold.

The scene decides *what* is said, :mod:`restride.explain.text` how it looks.  The
source is ``x``, what a cut materialises ``t1``, ``t2``, ..., and the result ``y``.

>>> from restride.layout import Chain
>>> chain = Chain.identity((3, 4)).transpose((1, 0)).select([(3, -1, 4), (0, 1, 2)])
>>> scene(chain)["maps"][0]["formula"]
'y[i, j] = x[j, 3 - i]'

Cost: the number of pieces; a grid is made only up to `GRID_LIMIT` elements.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import prod
from typing import Any, Protocol

from restride.explain.cells import plain, traced
from restride.explain.formula import formula, index_names, linear
from restride.layout.axis import AxisMap
from restride.layout.chain import Chain
from restride.layout.constant import Constant
from restride.layout.index_map import IndexMap
from restride.plans.bands import bands
from restride.plans.crop import crop_cuts
from restride.plans.move import Band, elements_read

__all__ = ["DType", "is_drawable", "scene"]

GRID_LIMIT = 120
"""Most elements of source or result drawn one by one: what fits on a screen."""

GRID_ROWS = 24
"""Most rows drawn: beyond it the words above would scroll away."""


PIECES_LIMIT = 1000
"""Most pieces of one axis told one by one: far more than is ever shown."""


class DType(Protocol):
    """What a scene asks of a dtype: its name by `str`, and its size in bytes."""

    @property
    def itemsize(self) -> int:
        """Bytes of one element."""


def scene(chain: Chain, dtype: DType | None = None) -> dict[str, Any]:
    """All there is to show about `chain`.

    Parameters
    ----------
    chain : Chain
        The steps so far, as maps and cuts.
    dtype : dtype, optional
        With it, bytes are told beside elements.

    Returns
    -------
    dict
        Keys ``source_shape``, ``shape``, ``dtype``, ``cuts``, ``maps`` (one entry per
        pass), ``elements_read``, ``elements_written``, ``bytes_read``,
        ``bytes_written`` (None without a dtype) and ``grid`` (None when too large).
    """
    size = None if dtype is None else dtype.itemsize
    passes = crop_cuts(chain)
    maps = list(_maps(chain, passes, size))
    read = sum(m["elements_read"] for m in maps)
    written = sum(m["elements_written"] for m in maps)
    return {
        "source_shape": list(chain.source_shape),
        "shape": list(chain.shape),
        "dtype": None if dtype is None else str(dtype),
        "cuts": chain.cuts,
        "maps": maps,
        "elements_read": read,
        "elements_written": written,
        "bytes_read": None if size is None else read * size,
        "bytes_written": None if size is None else written * size,
        "grid": _grid(chain, passes),
    }


def is_drawable(shape: Sequence[int]) -> bool:
    """True when an array of `shape` is shown element by element."""
    return 0 < prod(shape) <= GRID_LIMIT and prod(shape[:-1]) <= GRID_ROWS


def _maps(
    chain: Chain, passes: Sequence[IndexMap], itemsize: int | None
) -> Iterator[dict[str, Any]]:
    """One entry per pass; passes before the last are the cuts."""
    before = chain.source_shape
    split = bands(passes[-2], passes[-1]) if len(passes) > 1 else ()
    for k, m in enumerate(passes):
        source = "x" if k == 0 else f"t{k}"
        last = k == len(passes) - 1
        made = _one_map(m, source, "y" if last else f"t{k + 1}")
        made["read_as"] = list(m.source_shape) if m.source_shape != before else None
        moved = last and m.shape != chain.shape
        made["result_as"] = list(chain.shape) if moved else None
        made["materialises"] = not last
        made["bands"] = []
        if split and k >= len(passes) - 2:
            made |= _banded(split, passes[-2:], last)
        size = made["elements_written"]
        made["bytes"] = None if itemsize is None else size * itemsize
        before = m.shape
        yield made


def _banded(
    split: Sequence[Band], passes: Sequence[IndexMap], last: bool
) -> dict[str, Any]:
    """What changes where the last pass reads most of its result past the cut."""
    scratch = [b.scratch.map for b in split if b.scratch is not None]
    if not last:
        read, written = sum(map(elements_read, scratch)), sum(m.size for m in scratch)
        return {"elements_read": read, "elements_written": written, "partial": True}
    boxes = [
        {
            "box": _box(b.move.target),
            "direct": b.scratch is None,
            "elements": b.move.map.size,
        }
        for b in split
        if b.move.target is not None
    ]
    read = sum(elements_read(b.move.map) for b in split)
    return {"elements_read": read, "bands": boxes}


def _box(target: IndexMap) -> list[list[int]]:
    """The half-open ranges of the result that a band is."""
    return [[a, a + n] for a, n in zip(target.base, target.shape, strict=True)]


def _one_map(m: IndexMap, source: str, result: str) -> dict[str, Any]:
    names = index_names(len(m.axes))
    reads = m.reads()
    return {
        "source": source,
        "result": result,
        "source_shape": list(m.source_shape),
        "shape": list(m.shape),
        "formula": formula(m, source, result),
        "base": list(m.base),
        "axes": [
            {
                "index": names[r],
                "extent": axis.map.extent,
                "source_axis": axis.source,
                "is_affine": axis.map.is_affine,
                "pieces": list(_pieces(axis.map, names[r], m.fills)),
                "piece_count": len(axis.map.pieces),
            }
            for r, axis in enumerate(m.axes)
        ],
        "constants": [plain(fill.value) for fill in m.fills],
        "background": m.background,
        "reads": None if reads is None else [list(r) for r in reads],
        "elements_read": elements_read(m),
        "elements_written": m.size,
    }


def _pieces(
    axis: AxisMap, name: str, fills: tuple[Constant, ...]
) -> Iterator[dict[str, Any]]:
    """Each piece with the result positions it covers and what stands there.

    Of very many those at both ends, as many as `PIECES_LIMIT` in all.
    """
    count = len(axis.pieces)
    half = PIECES_LIMIT // 2
    ends = (*range(half), *range(count - half, count))
    for k in range(count) if count <= PIECES_LIMIT else ends:
        piece = axis.pieces[k]
        first = axis.ends[k] - piece.count
        entry: dict[str, Any] = {"first": first, "count": piece.count}
        if piece.fill is not None:
            entry["fill"] = piece.fill
            entry["constant"] = plain(fills[piece.fill].value)
        else:
            start = piece.begin - piece.step * first
            entry["begin"], entry["step"] = piece.begin, piece.step
            entry["rule"] = linear([(piece.step, name)], start)
        yield entry


def _grid(chain: Chain, passes: Sequence[IndexMap]) -> dict[str, Any] | None:
    """Source and result element by element, where both are small and not empty."""
    if not (is_drawable(chain.source_shape) and is_drawable(chain.shape)):
        return None
    cells: list[Any] = []
    for index in product(*(range(n) for n in chain.shape)):
        found = traced(passes, chain.shape, index)
        if isinstance(found, Constant):
            cells.append({"constant": plain(found.value)})
        else:
            cells.append(found)
    return {"source": list(range(prod(chain.source_shape))), "result": cells}
