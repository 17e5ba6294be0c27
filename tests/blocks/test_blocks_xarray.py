"""The accessor of labelled arrays: xarray's own answers where it has them."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import restride as rs

xr = pytest.importorskip("xarray")
pd = pytest.importorskip("pandas")
pytest.importorskip("restride.xarray")
import restride.xarray  # noqa: E402

MODES = ["constant", "edge", "reflect", "symmetric", "wrap"]


def sample(shape=(5, 4), dtype="f8"):
    x = np.arange(np.prod(shape), dtype=dtype).reshape(shape)
    return xr.DataArray(
        x,
        dims=("y", "x"),
        name="heat",
        attrs={"unit": "K"},
        coords={
            "y": np.arange(shape[0]) * 10.0,
            "x": ("x", np.arange(shape[1]) * 1.5, {"axis": "X"}),
            "both": (("y", "x"), x * 2.0),
            "label": ("x", np.arange(shape[1]).astype("M8[D]").astype("M8[ns]")),
            "run": 7,
        },
    )


def alike(got, want):
    xr.testing.assert_identical(got, want)
    for name in want.coords:
        assert got[name].dtype == want[name].dtype, name


@settings(max_examples=40, deadline=None)
@given(
    st.sampled_from(MODES),
    st.tuples(*[st.integers(0, 3)] * 2),
    st.tuples(*[st.integers(0, 3)] * 2),
)
def test_pads_are_xarrays_own(mode, y, x):
    a = sample()
    alike(a.restride.pad(y=y, x=x, mode=mode), a.pad(y=y, x=x, mode=mode))
    whole = a.to_dataset().assign(flat=("y", np.arange(5.0)))
    alike(whole.restride.pad({"y": y}, mode=mode), whole.pad({"y": y}, mode=mode))


@settings(max_examples=40, deadline=None)
@given(
    st.slices(5),
    st.slices(4) | st.integers(-4, 3),
)
def test_slices_are_isel(y, x):
    a = sample()
    alike(a.restride.slice(y=y, x=x), a.isel(y=y, x=x))
    alike(a.to_dataset().restride.slice({"x": x}), a.to_dataset().isel({"x": x}))


@pytest.mark.parametrize("dtype", ["i8", "i2", "u4", "f4", "c8", "M8[ns]"])
def test_what_has_no_value_is_missing_as_in_xarray(dtype):
    a = xr.DataArray(np.arange(3).astype(dtype), dims="t", coords={"t": [1, 2, 3]})
    got, want = a.restride.pad(t=(1, 2)), a.pad(t=(1, 2))
    np.testing.assert_array_equal(got, want)
    np.testing.assert_array_equal(got.t, want.t)
    assert got.dtype.kind == want.dtype.kind


def test_whole_numbers_that_floats_do_not_hold_are_refused():
    a = xr.DataArray(np.array([2**60 + 1]), dims="t")
    with pytest.raises(rs.DTypeError, match="constant_values"):
        a.restride.pad(t=1)
    got = a.restride.pad(t=1, constant_values=-1)
    assert got.values.tolist() == [-1, 2**60 + 1, -1]


@pytest.mark.parametrize("mode", MODES[1:])
@pytest.mark.parametrize("chunks", [None, {"y": 2, "x": 3}])
def test_wider_than_the_axis(mode, chunks):
    """Where Dask, and xarray over it, gives wrong shapes."""
    a = sample()
    x = a if chunks is None else a.chunk(chunks)
    got = x.restride.pad(y=(11, 13), mode=mode)
    want = np.pad(a.values, [(11, 13), (0, 0)], mode)
    assert got.shape == want.shape
    np.testing.assert_array_equal(got, want)
    np.testing.assert_array_equal(got.y, np.pad(a.y.values, (11, 13), mode))
    np.testing.assert_array_equal(
        got.both, np.pad(a.both.values, [(11, 13), (0, 0)], mode)
    )


def test_negative_widths_crop():
    a = sample()
    got = a.restride.pad(y=(-1, 2), x=(0, -3), mode="wrap")
    want = a[1:, :1].pad(y=(0, 2), mode="wrap")
    np.testing.assert_array_equal(got.values[:4], want.values[:4])
    rows = [1, 2, 3, 4, 0, 1]
    alike(got, a.isel(y=rows, x=slice(1)))
    alike(a.restride.pad(y=-1), a[1:-1])


def test_dask_stays_lazy():
    import dask

    def refuse(block):
        raise AssertionError("computed")

    a = sample().chunk({"y": 2, "x": 2})
    lazy = a.copy(data=a.data.map_blocks(refuse, dtype=a.dtype, meta=a.data._meta))
    made = lazy.restride.pad(y=2, mode="reflect").restride.slice(
        x=slice(None, None, -1)
    )
    assert dask.is_dask_collection(made.data)
    got = a.restride.pad(y=2, mode="reflect")
    alike(got.compute(), sample().pad(y=2, mode="reflect"))


def test_coordinates_are_filled_as_asked():
    a = sample()
    words = {"x": (1, 1), "mode": "edge"}
    assert a.restride.pad(**words).x.values.tolist() == [0, 0, 1.5, 3, 4.5, 4.5]
    filled = a.restride.pad(**words, coords="fill")
    assert np.isnan(filled.x.values[[0, -1]]).all()
    assert np.isnat(filled.label.values[[0, -1]]).all()
    assert filled.values[:, 0].tolist() == a.values[:, 0].tolist()
    given = a.restride.pad(**words, coords={"x": -1.0, "both": "fill"})
    assert given.x.values.tolist() == [-1, 0, 1.5, 3, 4.5, -1]
    assert np.isnan(given.both.values[:, 0]).all()
    assert given.label.values[0] == given.label.values[1]


def test_constants_by_variable_and_by_dimension():
    whole = xr.Dataset({"a": ("t", [1, 2]), "b": ("t", [1.0, 2.0])})
    got = whole.restride.pad(t=(1, 0), constant_values={"a": 9, "b": 0.5})
    assert (got.a.values.tolist(), got.b.values.tolist()) == ([9, 1, 2], [0.5, 1, 2])
    a = sample(dtype="i8").drop_vars(["both", "label"])
    words = {"y": (1, 2), "x": (2, 1), "constant_values": {"y": -1, "x": (-2, -3)}}
    alike(a.restride.pad(**words), a.pad(**words))


def test_a_dimension_coordinate_without_an_index_gets_none():
    a = sample().drop_indexes("y")
    assert "y" not in a.restride.pad(y=1, mode="edge").xindexes


def test_multi_index():
    index = pd.MultiIndex.from_product([[1, 2], ["a", "b"]], names=["one", "two"])
    coords = xr.Coordinates.from_pandas_multiindex(index, "t")
    a = xr.DataArray(np.arange(4.0), dims="t", coords=coords)
    with pytest.raises(rs.UnsupportedError, match="reset_index"):
        a.restride.pad(t=1)
    alike(a.restride.slice(t=slice(1, 3)), a.isel(t=slice(1, 3)))


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda r: r.pad(z=1), "no dimension 'z'"),
        (lambda r: r.slice(z=1), "no dimension 'z'"),
        (lambda r: r.pad({"x": 1}, y=1), "not both"),
        (lambda r: r.pad(3), "mapping"),
        (lambda r: r.pad(x=1.5), "width of 'x'"),
        (lambda r: r.pad(x=(1, 2, 3)), "pair"),
        (lambda r: r.pad(x=2**70), "2"),
        (lambda r: r.pad(x=-9), "x|axis|negative|extent"),
        (lambda r: r.pad(x=1, mode="mean"), "mean"),
        (lambda r: r.pad(x=1, mode=7), "mode"),
        (lambda r: r.pad(x=1, constant_values={"x": (1, 2, 3)}), "pair"),
        (lambda r: r.pad(x=1, constant_values={"y": 1}), "'x'"),
        (lambda r: r.pad(x=1, coords=[1]), "coords"),
        (lambda r: r.pad(x=1, coords="middle"), "middle"),
        (lambda r: r.slice(x=[0, 1]), "index of 'x'"),
        (lambda r: r.slice(x=9), "9"),
        (lambda r: r.slice(x=slice(None, None, 0)), "step|stride|0"),
    ],
)
def test_refused_in_one_line(call, told):
    with pytest.raises(rs.RestrideError, match=told) as caught:
        call(sample().restride)
    assert "\n" not in str(caught.value)


def test_objects_and_text_are_refused_with_a_way_out():
    a = xr.DataArray([1.0], dims="t", coords={"t": np.array(["a"], object)})
    with pytest.raises(rs.DTypeError, match="'t'"):
        a.restride.pad(t=1)
    b = a.assign_coords(t=("t", np.array(["a"])))
    with pytest.raises(rs.DTypeError, match=r"coords=\{'t': value\}"):
        b.restride.pad(t=1)


def test_without_the_package():
    code = (
        "import sys; sys.modules['xarray'] = None\n"
        "import restride\n"
        "try:\n    restride.xarray\n"
        "except restride.UnsupportedError as error:\n    print(error)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert "restride[xarray]" in done.stdout


HEAT = sample()
MISSPELT = {
    "coords": (lambda: HEAT.restride.pad(x=1, coords={"lable": 0}), "'lable'"),
    "word": (lambda: HEAT.restride.pad(x=1, coords="keep"), "'extend', 'fill'"),
    "variable": (lambda: HEAT.restride.pad(x=1, constant_values={"hot": 1}), "'hot'"),
    "dimension": (
        lambda: HEAT.to_dataset().restride.pad(x=1, constant_values={"z": 1}),
        "heat, ",
    ),
    "computed": (lambda: HEAT.restride.pad(x=1, mode="mean"), "computes"),
    "mode": (lambda: HEAT.restride.pad(mode="edgy"), "Is 'edge' meant?"),
    "list": (lambda: HEAT.restride.slice(x=[1, 2]), "isel"),
    "array": (lambda: HEAT.restride.slice(x=np.arange(3)), "isel"),
    "labelled": (lambda: HEAT.restride.slice(x=HEAT.y.astype(int)), "isel"),
    "text": (lambda: HEAT.restride.slice(x="::2"), "'::2'"),
    "label": (lambda: HEAT.restride.slice(y=10.0), "sel takes labels"),
    "labels": (lambda: HEAT.restride.slice(y=slice("a", None)), "sel takes labels"),
    "place": (lambda: HEAT.restride.slice(y=5), "'y' has 5 places"),
}


@pytest.mark.parametrize("why", MISSPELT)
def test_what_is_not_there_is_said_in_words_of_the_caller(why):
    call, told = MISSPELT[why]
    with pytest.raises(rs.RestrideError) as caught:
        call()
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)


def test_the_array_is_called_by_its_name():
    flags = xr.DataArray([True], dims="x", name="flags")
    with pytest.raises(rs.DTypeError, match="'flags' holds bool"):
        flags.restride.pad(x=1)
    axis = xr.DataArray([1.0, 2.0], dims="x", name="x")
    assert axis.restride.pad(x=1, mode="edge").identical(axis.pad(x=1, mode="edge"))


def test_what_was_read_from_a_store_can_be_written_again(tmp_path):
    """Chunks in the file are of the array as it was, also once it has grown."""
    pytest.importorskip("zarr")
    heat = sample().drop_vars("label").chunk(x=2)
    words = {"mode": "w", "consolidated": False}
    heat.to_zarr(tmp_path / "a.zarr", **words)
    found = xr.open_zarr(tmp_path / "a.zarr", consolidated=False)
    for width, mode in ((2, "edge"), (2, "reflect"), (3, "wrap")):
        made = found.restride.pad(x=width, mode=mode)
        if width % 2:
            made = made.chunk(x=5)
        made.to_zarr(tmp_path / "b.zarr", **words)
        again = xr.open_zarr(tmp_path / "b.zarr", consolidated=False)
        assert again.load().equals(found.load().pad(x=width, mode=mode))


def test_a_part_of_what_is_in_a_store_stays_there(tmp_path):
    pytest.importorskip("zarr")
    heat = sample().drop_vars("label")
    heat.to_zarr(tmp_path / "a.zarr", mode="w", consolidated=False)
    words = {"engine": "zarr", "consolidated": False, "chunks": None}
    found = xr.open_dataset(tmp_path / "a.zarr", **words)
    taken = {"x": slice(None, 1, -2), "y": -2}
    made = found.restride.slice(taken)
    assert not made.heat.variable._in_memory
    assert made.equals(heat.to_dataset().isel(taken))


def test_dimensions_without_coordinates():
    bare = xr.DataArray(np.arange(20.0).reshape(4, 5), dims=("t", "y"))
    back, ends = slice(None, None, -1), {"y": (0, 0), "t": (1, 1)}
    for a in (bare, bare.assign_coords(t=range(4)), bare.assign_coords(run=7)):
        for x in (a, a.to_dataset(name="heat"), a.chunk(2)):
            alike(x.restride.slice(y=back, t=1).compute(), x.isel(y=back, t=1))
            rolled = x.rolling(y=2).construct(y="w").isel(y=slice(1, None))
            alike(x.restride.windows(y=2, names="w").compute(), rolled.compute())
            alike(x.restride.pad(ends).compute(), x.pad(ends).compute())
