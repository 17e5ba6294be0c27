"""Windows of labelled arrays: xarray's rolling windows where no window leaves."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import restride as rs

xr = pytest.importorskip("xarray")
pytest.importorskip("restride.xarray")
import restride.xarray  # noqa: E402


def sample(ny=7, nx=6):
    x = np.arange(ny * nx, dtype="f8").reshape(ny, nx)
    return xr.DataArray(
        x,
        dims=("y", "x"),
        name="heat",
        attrs={"unit": "K"},
        coords={
            "y": np.arange(ny) * 10.0,
            "x": ("x", np.arange(nx) * 1.5, {"axis": "X"}),
            "both": (("y", "x"), x * 2.0),
            "run": 7,
        },
    )


NAMES = {"y": "dy", "x": "dx"}


@settings(max_examples=40, deadline=None)
@given(
    st.tuples(st.integers(1, 5), st.integers(1, 4)),
    st.sampled_from([None, {"y": 3, "x": 2}, {"y": 1, "x": 6}]),
    st.booleans(),
)
def test_rolling_windows_that_stay_inside(sizes, chunks, centred):
    """xarray has a window at every element; those that leave the array are cut off."""
    a = sample()
    x = a if chunks is None else a.chunk(chunks)
    size = dict(zip("yx", sizes, strict=True))
    rolled = a.rolling(size, center=centred).construct(NAMES)
    inside = {}
    for dim, w in size.items():
        low = w // 2 if centred else w - 1
        inside[dim] = slice(low, low + a.sizes[dim] - w + 1)
    mark = "middle" if centred else "last"
    got = x.restride.windows(size, NAMES, coords=mark)
    xr.testing.assert_identical(got.compute(), rolled.isel(inside))
    whole = x.to_dataset().assign(other=("z", [1]))
    made = whole.restride.windows(size, NAMES, coords=mark)
    xr.testing.assert_identical(made.heat.compute(), rolled.isel(inside))
    assert made.other.dims == ("z",)


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 4), st.integers(1, 3), st.integers(1, 2), st.booleans())
def test_steps_and_dilations_by_definition(size, step, dilation, lazy):
    a = sample()
    got = (a.chunk(y=2) if lazy else a).restride.windows(
        y=size, step={"y": step}, dilation=dilation
    )
    reach = (size - 1) * dilation
    starts = list(range(0, 7 - reach, step))
    assert got.dims == ("y", "x", "y_window")
    assert got.shape == (len(starts), 6, size)
    for p, start in enumerate(starts):
        for k in range(size):
            row = a.values[start + k * dilation]
            np.testing.assert_array_equal(got.values[p, :, k], row)
    assert got.y.values.tolist() == [10.0 * s for s in starts]
    np.testing.assert_array_equal(got.both, a.both.values[starts])
    assert (got.name, got.attrs, got.run.item()) == ("heat", {"unit": "K"}, 7)
    assert "y_window" not in got.coords


def test_dask_stays_lazy():
    import dask

    def refuse(block):
        raise AssertionError("computed")

    a = sample().chunk({"y": 2, "x": 2})
    lazy = a.copy(data=a.data.map_blocks(refuse, dtype=a.dtype, meta=a.data._meta))
    assert dask.is_dask_collection(lazy.restride.windows(y=3, x=2).data)


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda r: r.windows(z=1), "no dimension 'z'"),
        (lambda r: r.windows({"x": 1}, y=1), "not both"),
        (lambda r: r.windows(3), "mapping"),
        (lambda r: r.windows(x=0), "size of 'x' is 0"),
        (lambda r: r.windows(x=1.5), "size of 'x'"),
        (lambda r: r.windows(x=7), "7 elements of 'x'"),
        (lambda r: r.windows(x=2**70), "smaller size"),
        (lambda r: r.windows(x=3, dilation=3), "7 elements of 'x'"),
        (lambda r: r.windows(x=2, step=0), "step is 0"),
        (lambda r: r.windows(x=2, step={"y": 2}), "no dimension 'y'"),
        (lambda r: r.windows(x=2, names="y"), "'y' for windows of 'x' is taken"),
        (lambda r: r.windows(x=2, names="both"), "taken"),
        (lambda r: r.windows(x=2, y=2, names={"x": "k", "y": "k"}), "taken"),
        (lambda r: r.windows(x=2, y=2, names="k"), "mapping"),
        (lambda r: r.windows(x=2, names=["k"]), "mapping"),
        (lambda r: r.windows(x=2, names={"z": "k"}), "no dimension 'z'"),
        (lambda r: r.windows(x=2, coords="centre"), "'middle'"),
        (lambda r: r.windows(x=2, coords=1), "'middle'"),
    ],
)
def test_refused_in_one_line(call, told):
    with pytest.raises(rs.RestrideError, match=told) as caught:
        call(sample().restride)
    assert "\n" not in str(caught.value)
