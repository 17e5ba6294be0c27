"""One setting of one operator: what the oracle says, and the call that must agree."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
import oracle
from samples import DTYPES, LAYOUTS, Array, Outcome, array, constant, fresh, known

import restride as rs

Shape = tuple[int, ...]
ABSENT = None


class Setting(NamedTuple):
    """A call in words, the oracle's outcome and the call itself."""

    name: str
    outcome: Outcome
    call: Callable[[], Array]


class Kind(NamedTuple):
    """What the elements are and how they lie in memory."""

    dtype: np.dtype[Any]
    layout: str

    def array(self, shape: Shape) -> Array:
        return array(shape, self.dtype, self.layout)

    def cells(self, shape: Shape) -> oracle.Tensor:
        return known(shape, self.dtype, self.layout)


def kind(number: int) -> Kind:
    """Spreads the dtypes and layouts over the settings of a test."""
    return Kind(DTYPES[number % len(DTYPES)], LAYOUTS[number // 5 % len(LAYOUTS)])


def slice_of(k: Kind, shape: Shape, entries: tuple[Any, ...]) -> Setting:
    """``rs.slice(x, entries)``."""
    return Setting(
        f"slice({shape}, {entries}) {k}",
        Outcome(lambda: oracle.index(k.cells(shape), entries)),
        lambda: rs.slice(k.array(shape), entries),
    )


def masked_of(
    k: Kind,
    shape: Shape,
    lists: Sequence[Sequence[int]],
    masks: dict[str, Any],
) -> Setting:
    """``rs.strided_slice(x, *lists, **masks)``."""
    return Setting(
        f"strided_slice({shape}, {lists}, {masks}) {k}",
        Outcome(lambda: oracle.strided_slice(k.cells(shape), *lists, **masks)),
        lambda: rs.strided_slice(k.array(shape), *lists, **masks),
    )


def as_strided_of(
    k: Kind, shape: Shape, size: Shape, stride: Shape, offset: int
) -> Setting:
    """``rs.as_strided(x, size, stride, offset)``."""
    return Setting(
        f"as_strided({shape}, {size}, {stride}, {offset}) {k}",
        Outcome(lambda: oracle.as_strided(k.cells(shape), size, stride, offset)),
        lambda: rs.as_strided(k.array(shape), size, stride, offset),
    )


def pad_of(
    k: Kind,
    shape: Shape,
    pads: Sequence[tuple[int, int]],
    mode: str,
    constants: str = "one",
    contiguous: bool = True,
) -> Setting:
    """``rs.pad`` with one constant, none, or one for each side of each axis."""
    given, cells = _constants(k, len(shape), constants)
    form = [list(p) for p in pads]
    if not contiguous:
        form = [[p[0] for p in pads], [p[1] for p in pads]]
    return Setting(
        f"pad({shape}, {form}, {mode}, {given}, contiguous={contiguous}) {k}",
        Outcome(lambda: oracle.pad(k.cells(shape), pads, mode, cells)),
        lambda: rs.pad(
            k.array(shape), form, mode, given, paddings_contiguous=contiguous
        ),
    )


def _constants(k: Kind, rank: int, constants: str) -> tuple[Any, Any]:
    if constants == "none":
        return None, bytes(k.dtype.itemsize)
    if constants == "one" or constant(k.dtype)[0] is None:
        return constant(k.dtype, 1)
    pairs = [
        (constant(k.dtype, 2 * axis), constant(k.dtype, 2 * axis + 1))
        for axis in range(rank)
    ]
    return [[a[0], b[0]] for a, b in pairs], [(a[1], b[1]) for a, b in pairs]


def set_value_of(
    k: Kind, shape: Shape, src: Shape, lists: Sequence[Sequence[int]]
) -> Setting:
    """``rs.set_value(dst, src, *lists)`` into a fresh dst."""
    values = Kind(k.dtype, "rows")
    layout = k.layout if k.layout not in ("read-only", "repeated") else "rows"
    start = known(shape, k.dtype, layout)
    given = array(src, k.dtype, k.layout, 1)
    cells = known(src, k.dtype, k.layout, 1)
    return Setting(
        f"set_value({shape}, src {src}, {lists}) {values.dtype} {k.layout}",
        Outcome(lambda: oracle.set_value(start, cells, *lists)),
        lambda: rs.set_value(fresh(shape, k.dtype, layout), given, *lists),
    )


def assign_of(k: Kind, shape: Shape, src: Shape, entries: tuple[Any, ...]) -> Setting:
    """``rs.assign(dst, entries, src)`` into a fresh dst."""
    layout = k.layout if k.layout not in ("read-only", "repeated") else "rows"
    start = known(shape, k.dtype, layout)
    given = array(src, k.dtype, k.layout, 1)
    cells = known(src, k.dtype, k.layout, 1)
    return Setting(
        f"assign({shape}, {entries}, src {src}) {k}",
        Outcome(lambda: oracle.assign(start, entries, cells)),
        lambda: rs.assign(fresh(shape, k.dtype, layout), entries, given),
    )


def windows_of(
    k: Kind,
    shape: Shape,
    size: Sequence[int],
    step: Sequence[int],
    dilation: Sequence[int],
    axes: Sequence[int],
) -> Setting:
    """``rs.windows(x, size, step, dilation, axis=axes)``."""
    return Setting(
        f"windows({shape}, {size}, {step}, {dilation}, axis={axes}) {k}",
        Outcome(lambda: oracle.windows(k.cells(shape), size, step, dilation, axes)),
        lambda: rs.windows(k.array(shape), size, step, dilation, axis=axes),
    )


def disagreements(settings: Iterable[Setting], most: int = 8) -> tuple[int, list[str]]:
    """How many settings were compared, and the first that disagree."""
    count, found = 0, list[str]()
    for setting in settings:
        count += 1
        said = setting.outcome.same(setting.call)
        if said is not None and len(found) < most:
            found.append(f"{setting.name}: {said}")
    return count, found
