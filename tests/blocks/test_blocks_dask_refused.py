"""What restride does not move over Dask is refused by name, before any task is made."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import dask
import dask.array as da
import numpy as np
import pytest
from chunked import cut

import restride as rs


def doubled(x: Any, **words: Any) -> Any:
    """`x` with a graph that lies about it."""
    return x.map_blocks(lambda block: block, **words)


def test_unknown_chunks_say_what_to_call() -> None:
    x = cut(np.arange(6), ((3, 3),))
    unknown = x[x > 2]
    with pytest.raises(rs.ShapeError, match=r"axis 0.*compute_chunk_sizes"):
        rs.dask.pad(unknown, 1)
    assert rs.dask.pad(unknown.compute_chunk_sizes(), 1).shape == (5,)


@pytest.mark.parametrize("told", [None, "much", "1e400", "nan"])
def test_a_chunk_size_that_is_none(told: Any) -> None:
    x = cut(np.arange(6), ((3, 3),))
    with (
        dask.config.set({"array.chunk-size": told}),
        pytest.raises(rs.ShapeError, match="chunk-size"),
    ):
        rs.dask.pad(x, 1)


def test_chunks_of_other_libraries_are_named() -> None:
    x = cut(np.arange(6), ((3, 3),))
    masked = x.map_blocks(np.ma.masked_array, meta=np.ma.masked_array([], dtype=int))
    with pytest.raises(rs.UnsupportedError, match="MaskedArray"):
        rs.dask.slice(masked, "1:")

    class Device(np.ndarray):
        """Stands for an array of a device."""

    other = cut(np.arange(6), ((3, 3),))
    other._meta = np.empty(0, int).view(Device)
    with pytest.raises(rs.UnsupportedError, match="Device"):
        rs.dask.slice(other, "1:")


def test_objects_and_plain_arrays_are_refused() -> None:
    with pytest.raises(rs.DTypeError, match="object"):
        rs.dask.pad(da.from_array(np.array([None, 1]), chunks=1), 1)
    for other in (np.arange(3), [1, 2], None, 5):
        with pytest.raises(rs.DTypeError, match="not a Dask array"):
            rs.dask.pad(other, 1)
    with pytest.raises(rs.RestrideError):
        rs.dask.view(rs.view(np.arange(3)))


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda x: rs.dask.slice(x, 9), rs.BoundsError),
        (lambda x: rs.dask.slice(x, 2**70), rs.RestrideError),
        (lambda x: rs.dask.pad(x, 2**62), rs.ShapeError),
        (lambda x: rs.dask.pad(x, -9), rs.ShapeError),
        (lambda x: rs.dask.pad(x, (0, 10**8), "wrap"), rs.UnsupportedError),
        (lambda x: rs.dask.pad(x, 1, "mirror"), rs.ShapeError),
        (lambda x: rs.dask.pad(x, 1, constant_values=0.5), rs.DTypeError),
        (lambda x: rs.dask.pad(x, float("nan")), rs.RestrideError),
        (lambda x: rs.dask.as_strided(x, (4,), (2,)), rs.BoundsError),
        (lambda x: rs.dask.windows(x, 7), rs.ShapeError),
        (lambda x: rs.dask.view(x).copy(out=np.empty(6, int)), rs.UnsupportedError),
        (lambda x: rs.dask.view(x).prepared(), rs.UnsupportedError),
        (lambda x: rs.dask.view(x).as_numpy(), rs.UnsupportedError),
        (lambda x: rs.plan(rs.dask.view(x)), rs.UnsupportedError),
        (lambda x: np.asarray(rs.dask.view(x), copy=False), rs.UnsupportedError),
    ],
)
def test_wrong_words_are_refused_at_once(call: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        call(cut(np.arange(6), ((4, 2),)))


def test_a_result_of_too_many_chunks_is_refused() -> None:
    x = da.zeros(10, chunks=1)
    with pytest.raises(rs.ShapeError, match="chunks"):
        rs.dask.pad(x, 10**17)


def test_chunks_that_are_not_as_declared_say_so() -> None:
    x = cut(np.arange(6), ((3, 3),))
    wrong = doubled(x, dtype=float, meta=np.empty(0, float))
    with pytest.raises(rs.DTypeError, match="float64"):
        rs.dask.pad(wrong, 1, "edge").compute()
    short = doubled(x, chunks=((2, 2),), dtype=int)
    with pytest.raises(rs.ShapeError, match=r"\(3,\).*\(2,\)"):
        rs.dask.pad(short, 1, "edge").compute()
    rows = doubled(cut(np.ones((4, 2)), ((2, 2), (2,))), chunks=((3, 1), (2,)))
    with pytest.raises(rs.ShapeError, match=r"\(2, 2\).*\((3|1), 2\)"):
        rs.dask.as_strided(rows, (3,), (3,)).compute()


def without(name: str, code: str) -> str:
    """What `code` prints in a process that cannot import `name`."""
    hidden = f"import sys; sys.modules[{name!r}] = None; "
    told = subprocess.run(
        [sys.executable, "-c", hidden + code], capture_output=True, text=True
    )
    assert told.returncode == 0, told.stderr
    return told.stdout


def test_without_dask_the_error_names_the_extra() -> None:
    code = (
        "import restride as rs\n"
        "try: rs.dask.pad([1], 1)\n"
        "except rs.UnsupportedError as error: print(error)"
    )
    assert "restride[dask]" in without("dask", code)


def test_chunks_are_not_one_memory() -> None:
    assert not rs.dask.view(da.arange(6, chunks=3)).reshape(2, 3).is_affine


def test_the_plain_door_does_not_load_dask() -> None:
    code = (
        "import sys, restride as rs; rs.pad([1], 1); rs.dask.pad;"
        "print('dask' in sys.modules)"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert told.stdout.strip() == "False", told.stderr


def test_query_planning_is_named() -> None:
    code = (
        "import dask; dask.config.set({'array.query-planning': True})\n"
        "import dask.array as da, restride as rs\n"
        "try: rs.dask.pad(da.ones(3), 1)\n"
        "except rs.UnsupportedError as error: print(error)"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "array.query-planning" in told.stdout, told.stderr
