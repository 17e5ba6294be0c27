"""What is measured: the cases users meet, and the axes along which they vary.

Shapes and operators of the group "core" are those of a common image, audio and
volume pipeline; the other groups vary one thing at a time around them.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import isqrt, prod

import numpy as np

from restride.bench.case import Case
from restride.bench.errors import BenchError
from restride.bench.steps import (
    Frames,
    Index,
    Ints,
    Pad,
    Step,
    Strided,
    Transpose,
    Write,
)

__all__ = ["GROUPS", "USUAL", "cases"]

MIB = 1 << 20
MODES = ("constant", "edge", "reflect", "symmetric", "wrap")
IMAGES = (32, 3, 224, 224)
FLIP = Index(np.s_[::-1, ::-1])
TURN = Transpose((1, 0))


def cases(groups: tuple[str, ...], only: str = "") -> list[Case]:
    """The cases of these groups whose name holds `only`, in the order of the table.

    Raises
    ------
    BenchError
        No case is left.

    Examples
    --------
    >>> [c.name for c in cases(("vendor",), "int64")]
    ['set_value 13x12x1024 into 1751x12x3601 int64']
    """
    made = [case for group in groups for case in GROUPS[group]()]
    found = [case for case in made if only in case.name]
    if not found:
        raise BenchError(
            f"bench: no case of {', '.join(groups)} has {only!r} in its name; --list "
            "shows all names."
        )
    return found


def _core() -> Iterator[Case]:
    yield from _slices()
    yield from _strides()
    yield from _pads()
    src, into = (1300, 12, 2048), (1751, 12, 3601)
    name = "set_value 1300x12x2048 into 1751x12x3601"
    yield Case(name, "core", src, "f4", (Write(into, (0, 0, 100)),))
    crop = Index(np.s_[:, :, 16:-16, 16:-16])
    mirror = Index(np.s_[:, :, :, ::-1])
    framed = Pad(((0, 0), (0, 0), (16, 16), (16, 16)), "reflect")
    steps = (crop, mirror, framed, Transpose((0, 2, 3, 1)))
    yield Case(
        "chain crop, flip, reflect 16, NHWC 32x3x224x224", "core", IMAGES, "f4", steps
    )


def _slices() -> Iterator[Case]:
    for text, index in (
        ("slice [:, 64:4032]", np.s_[:, 64:4032]),
        ("slice [:, ::2]", np.s_[:, ::2]),
        ("slice [::2, :]", np.s_[::2, :]),
        ("flip [::-1, ::-1]", np.s_[::-1, ::-1]),
    ):
        yield Case(text, "core", (8192, 4096), "f4", (Index(index),))


def _strides() -> Iterator[Case]:
    for dtype in ("f4", "u1", "f8"):
        turned = Strided((4096, 4096), (1, 4096), TURN)
        name = f"as_strided transpose 4096x4096 {np.dtype(dtype)}"
        yield Case(name, "core", (4096, 4096), dtype, (turned,))
    last = Transpose((0, 2, 3, 1))
    moved = Strided((32, 224, 224, 3), (150528, 224, 1, 50176), last)
    yield Case("as_strided NCHW->NHWC 32x3x224x224", "core", IMAGES, "f4", (moved,))
    count = (4_000_000 - 400) // 160 + 1
    frames = Strided((count, 400), (160, 1), Frames(400, 160))
    name = "as_strided frames 400 every 160 of 4M"
    yield Case(name, "core", (4_000_000,), "f4", (frames,))
    windows = Strided((8, 16, 126, 126, 3, 3), (262144, 16384, 128, 1, 128, 1))
    name = "as_strided 3x3 windows 8x16x128x128"
    yield Case(name, "core", (8, 16, 128, 128), "f4", (windows,))


def _pads() -> Iterator[Case]:
    threes = ((0, 0), (0, 0), (3, 3), (3, 3))
    for dtype in ("f4", "u1", "f2"):
        for mode in ("constant", "reflect"):
            name = f"pad {mode} 3 32x3x224x224 {np.dtype(dtype)}"
            yield Case(name, "core", IMAGES, dtype, (Pad(threes, mode),))
    eights = ((0, 0), (0, 0), (8, 8), (8, 8), (8, 8))
    cube = (1, 1, 192, 192, 192)
    yield Case("pad edge 8 192^3", "core", cube, "f4", (Pad(eights, "edge"),))
    wide = Pad(((64, 64), (64, 64)), "symmetric")
    name = "pad symmetric 64 4096x4096"
    yield Case(name, "core", (4096, 4096), "f4", (wide,))


def _small() -> Iterator[Case]:
    ones = ((1, 1), (1, 1))
    for name, shape, step in (
        ("small as_strided 2x2", (3, 3), Strided((2, 2), (2, 3))),
        ("small pad constant 1 3x3", (3, 3), Pad(ones, "constant")),
        ("small pad reflect 1 3x3", (3, 3), Pad(ones, "reflect")),
        ("small slice [::2, ::-1]", (3, 3), Index(np.s_[::2, ::-1])),
        ("small set_value 2x2", (2, 2), Write((3, 3), (0, 1))),
    ):
        yield Case(name, "small", shape, "f4", (step,))


def _dtypes() -> Iterator[Case]:
    """Item sizes 1 to 16 bytes over the same 32 MiB."""
    for dtype in ("u1", "f2", "V3", "f4", "f8", "V12", "c16"):
        size = np.dtype(dtype).itemsize
        n = isqrt(32 * MIB // size)
        for word, step in _four(n):
            name = f"{word} {n}x{n} of {size} B"
            yield Case(name, "dtypes", (n, n), dtype, (step,))


def _four(n: int) -> tuple[tuple[str, Step], ...]:
    """The four ways of moving a square that differ most."""
    return (
        ("crop 8", Index(np.s_[8:-8, 8:-8])),
        ("flip", FLIP),
        ("transpose", TURN),
        ("pad reflect 8", Pad(((8, 8), (8, 8)), "reflect")),
    )


def _ranks() -> Iterator[Case]:
    """Ranks 1 to 8 over about the same 32 MiB of float32."""
    for rank in range(1, 9):
        shape = _shape_of_rank(rank, 8 * MIB)
        last = ((0, 0),) * (rank - 1) + ((5, 5),)
        flip = Index((slice(None, None, -1),) * rank)
        yield Case(f"flip all, rank {rank}", "ranks", shape, "f4", (flip,))
        pad = Pad(last, "edge")
        yield Case(f"pad edge 5, rank {rank}", "ranks", shape, "f4", (pad,))
        if rank > 1:
            turn = Transpose((*range(rank - 2), rank - 1, rank - 2))
            name = f"transpose last two, rank {rank}"
            yield Case(name, "ranks", shape, "f4", (turn,))


def _shape_of_rank(rank: int, elements: int) -> Ints:
    """Twos before two (or one) long axes.

    Examples
    --------
    >>> _shape_of_rank(4, 1 << 20)
    (2, 2, 512, 512)
    """
    if rank == 1:
        return (elements,)
    lead = (2,) * (rank - 2)
    n = isqrt(elements // prod(lead))
    return (*lead, n, n)


def _modes() -> Iterator[Case]:
    """Every mode, narrow to wide, even and on one side."""
    n = 2048
    for mode in MODES:
        for text, width in (("1", (1, 1)), ("64", (64, 64)), ("0 and 500", (0, 500))):
            step = Pad((width, width), mode)
            yield Case(f"pad {mode} {text} {n}x{n}", "modes", (n, n), "f4", (step,))


def _odd() -> Iterator[Case]:
    """Extents that are prime, so that no row begins where a cache line does."""
    n, m = 4093, 2039
    for word, step in _four(n):
        yield Case(f"{word} {n}x{m}", "odd", (n, m), "f4", (step,))
    yield Case(f"every third {n}x{m}", "odd", (n, m), "f4", (Index(np.s_[:, ::3]),))


def _unaligned() -> Iterator[Case]:
    """A source that begins one byte after an aligned address."""
    n = 2048
    for word, step in _four(n):
        name = f"{word} {n}x{n}, one byte off"
        yield Case(name, "unaligned", (n, n), "f4", (step,), shift_bytes=1)


def _sizes() -> Iterator[Case]:
    """4 KB to 4 GB of float32."""
    for k in range(6, 17, 2):
        n = 1 << (k - 1)
        kib = n * n * 4 >> 10
        text = f"{kib} KiB" if kib < 1024 else f"{kib >> 10} MiB"
        yield Case(f"flip {text}", "sizes", (n, n), "f4", (FLIP,))
        yield Case(f"transpose {text}", "sizes", (n, n), "f4", (TURN,))
        pad = Pad(((4, 4), (4, 4)), "reflect")
        yield Case(f"pad reflect 4, {text}", "sizes", (n, n), "f4", (pad,))


def _vendor() -> Iterator[Case]:
    """Shapes that vendors of accelerators publish figures for (SetValue)."""
    for source, target, dtype in (
        ((13, 1024), (15, 4030), "i4"),
        ((13, 12, 1024), (14, 12, 1213), "f4"),
        ((13, 12, 1024), (1751, 12, 3601), "i8"),
    ):
        shapes = ["x".join(map(str, s)) for s in (source, target)]
        name = f"set_value {shapes[0]} into {shapes[1]} {np.dtype(dtype)}"
        step = Write(target, (0,) * len(source))
        yield Case(name, "vendor", source, dtype, (step,))


GROUPS = {
    "core": _core,
    "small": _small,
    "vendor": _vendor,
    "dtypes": _dtypes,
    "ranks": _ranks,
    "modes": _modes,
    "odd": _odd,
    "unaligned": _unaligned,
    "sizes": _sizes,
}
"""Every group and what makes its cases."""

USUAL = ("core", "small", "vendor")
"""The groups measured where none is named."""
