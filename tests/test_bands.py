"""A cut costs little: most of the result is read from before it."""

from __future__ import annotations

import numpy as np
import pytest

import restride as rs
from restride.engines import run

SIGNAL = np.arange(16_000, dtype=np.float32)
IMAGE = np.arange(64 * 48, dtype=np.int16).reshape(64, 48)

CHAINS = {
    "frames": (SIGNAL, lambda v: v.pad(200, "reflect").windows(400, 160)),
    "frames_as_strided": (
        SIGNAL,
        lambda v: v.pad(200, "reflect").as_strided((101, 400), (160, 1)),
    ),
    "windows": (IMAGE, lambda v: v.pad(1, "edge").windows((3, 3))),
    "windows_constant": (IMAGE, lambda v: v.pad(2, "constant", 7).windows((5, 3))),
    "windows_turned": (IMAGE, lambda v: v.pad(1, "wrap").windows((3, 3))[::-1, ::-2]),
}


@pytest.mark.parametrize("name", CHAINS)
def test_bytes_stay_near_one_pass(name):
    x, chain = CHAINS[name]
    plan = rs.plan(chain(rs.view(x)))
    one_pass = x.nbytes + x.itemsize * np.prod(plan.shape)
    assert plan.cuts == 1
    assert plan.bytes_read + plan.bytes_written <= 1.3 * one_pass


@pytest.mark.parametrize("name", CHAINS)
def test_bands_give_the_same_elements(name):
    x, chain = CHAINS[name]
    mode = {"frames": "reflect", "frames_as_strided": "reflect", "windows": "edge"}
    if name.startswith("frames"):
        padded = np.pad(x, 200, mode["frames"])
        wanted = np.lib.stride_tricks.sliding_window_view(padded, 400)[::160]
    elif name == "windows_constant":
        padded = np.pad(x, 2, constant_values=7)
        wanted = np.lib.stride_tricks.sliding_window_view(padded, (5, 3))
    else:
        padded = np.pad(x, 1, mode.get(name, "wrap"))
        wanted = np.lib.stride_tricks.sliding_window_view(padded, (3, 3))
    if name == "windows_turned":
        wanted = wanted[::-1, ::-2]
    before = run.counter()
    np.testing.assert_array_equal(chain(rs.view(x)).copy(), wanted)
    assert run.counter() - before == 2
    spread = np.zeros((*wanted.shape[:-1], 2 * wanted.shape[-1]), x.dtype)[..., ::2]
    np.testing.assert_array_equal(chain(rs.view(x)).copy(out=spread), wanted)


def test_bands_cover_each_cell_once():
    for x, chain in CHAINS.values():
        plan = rs.plan(chain(rs.view(x)))
        hits = np.zeros(plan.moves[-1].shape, int)
        for band in plan.moves[-1].bands:
            cells = rs.view(hits)
            index = tuple(
                slice(b, b + a.map.extent * a.map.step or None, a.map.step)
                if a.source is not None
                else b
                for a, b in zip(
                    band.move.target.axes, band.move.target.base, strict=True
                )
            )
            assert cells[index].shape
            hits[index] += 1
        assert (hits == 1).all()
