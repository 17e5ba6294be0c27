"""What a Dask graph of restride is made of: how many tasks, and what making it costs.

Costs are counted in calls and not in seconds, so that they fail for a reason;
`benchmarks/dask_layers.py` has the seconds.
"""

from __future__ import annotations

import builtins
import pickle
import sys
from collections.abc import Callable
from itertools import product
from typing import Any

import cloudpickle
import dask
import dask.array as da
import numpy as np
import pytest
from chunked import cut, layer_of, own_tasks
from dask._task_spec import Alias, Task, TaskRef
from dask.core import flatten
from dask.graph_manipulation import bind, checkpoint, clone

import restride as rs
from restride.blocks.dask import nodes, together
from restride.blocks.dask.gather import make
from restride.blocks.dask.layer import BlockLayer

Call = Callable[[Any], Any]

CALLS: dict[str, Call] = {
    "slice": lambda x: rs.dask.slice(x, "::-1, 3:"),
    "step": lambda x: rs.dask.slice(x, "::3, 1::7"),
    "constant": lambda x: rs.dask.pad(x, 3),
    "reflect": lambda x: rs.dask.pad(x, 3, "reflect"),
    "wrap": lambda x: rs.dask.pad(x, 25, "wrap"),
    "transpose": lambda x: rs.dask.view(x).transpose().copy(),
    "windows": lambda x: rs.dask.windows(x, (3, 3)),
    "write": lambda x: rs.dask.set_value(x, 1.0, (1, 7), (5, 3), (2, -1)),
    "pad and windows": lambda x: (
        rs.dask.view(x).pad(1, "edge").windows(3, axis=0).copy()
    ),
}


def grid(blocks: int, size: int = 10) -> Any:
    """`blocks` x `blocks` chunks of `size` x `size`."""
    return da.zeros((blocks * size,) * 2, chunks=size)


def calls_of(action: Callable[[], object]) -> int:
    """Python and C functions called on the way."""
    count = 0

    def seen(frame: Any, event: str, arg: Any) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(seen)
    try:
        action()
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize("name", CALLS)
def test_at_most_three_tasks_per_chunk(name: str) -> None:
    x = grid(12)
    made = CALLS[name](x)
    assert own_tasks(made, x) <= 3 * made.npartitions
    if name != "write":
        assert len(layer_of(made)) == made.npartitions


@pytest.mark.parametrize("name", CALLS)
def test_building_makes_no_task(name: str) -> None:
    """Nor does it cost more for a hundred times the chunks along each axis."""
    call = CALLS[name]
    few, many = grid(10), grid(1000)
    call(few), call(many)
    with dask.config.set({"array.chunk-size": "127MiB"}):
        small, large = calls_of(lambda: call(few)), calls_of(lambda: call(many))
    assert large <= small + 50
    made = call(many)
    assert made.npartitions > 40_000
    ours = [at for at in made.dask.layers.values() if isinstance(at, BlockLayer)]
    assert ours
    assert not any(layer.is_materialized() for layer in ours)


def test_an_axis_of_a_million_chunks_is_no_work() -> None:
    x = da.zeros(10**7, chunks=10)
    assert calls_of(lambda: rs.dask.pad(x, 5, "wrap")) < 5000
    assert rs.dask.pad(x, 5, "wrap").npartitions == 10**6 + 2


@pytest.mark.parametrize("call", [CALLS["constant"], CALLS["wrap"]])
def test_the_lengths_of_chunks_are_written_down_once(call: Call) -> None:
    """And not looked through: `max` over a million of them takes 15 ms."""
    x = da.zeros(10**6, chunks=10)
    assert x.chunksize == (10,)
    longest = longest_looked_through(lambda: call(x))
    assert call(x).chunks is not x.chunks
    assert call(x).chunks[0] is call(x).chunks[0]
    assert longest < 100


def longest_looked_through(action: Callable[[], object]) -> int:
    """The longest tuple or list that a call of max, min or sum is given."""
    longest = 0

    def measured(function: Callable[..., Any]) -> Callable[..., Any]:
        def called(*args: Any, **words: Any) -> Any:
            nonlocal longest
            if args and isinstance(args[0], (tuple, list)):
                longest = max_(longest, len(args[0]))
            return function(*args, **words)

        return called

    max_ = max
    with pytest.MonkeyPatch.context() as patch:
        for name in ("max", "min", "sum"):
            patch.setattr(builtins, name, measured(getattr(builtins, name)))
        action()
    return longest


def test_tasks_are_those_of_dasks_constructor() -> None:
    """Slot by slot, so that a Dask with other slots is noticed."""
    assert nodes.IS_KNOWN
    keys = [("x", 0), ("x", 1)]
    for needs in ([], keys[:1], keys):
        made = nodes.task(("y", 0), make, 5, needs)
        want = Task(("y", 0), make, 5, *map(TaskRef, needs))
        assert type(made) is Task
        for slot in Task.get_all_slots():
            assert getattr(made, slot) == getattr(want, slot), slot


def test_a_dask_of_other_slots_has_its_constructor_called(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    x = grid(3)
    calls = {name: layer_of(call(x)) for name, call in CALLS.items()}
    quick = {name: layer.recipe.maker().all() for name, layer in calls.items()}
    monkeypatch.setattr(nodes, "IS_KNOWN", False)
    monkeypatch.setattr(nodes, "_blank", None)
    monkeypatch.setattr(together, "_blank", None)
    for name, layer in calls.items():
        constructed = layer.recipe.maker().all()
        assert constructed == quick[name]
        for key, task in constructed.items():
            made = quick[name][key]
            assert made.dependencies == task.dependencies
            if isinstance(made, Alias):  # of a class of ours, which does not travel
                made = pickle.loads(pickle.dumps(made))
            assert type(task) is type(made)
            for slot in type(task).get_all_slots():
                assert getattr(task, slot) == getattr(made, slot), slot


def test_a_row_read_flat_is_a_few_calls_per_chunk_read() -> None:
    """Of an array cut along its last axis, where each row meets every chunk."""
    y = [
        rs.dask.view(da.zeros((40, n), chunks=(40, 10))).reshape(-1)[::3].copy()
        for n in (1000, 3000)
    ]
    layers = [layer_of(made) for made in y]
    reads = [sum(len(task.dependencies) for task in at.values()) for at in layers]
    calls = [calls_of(at.recipe.maker().all) for at in layers]
    assert (calls[1] - calls[0]) / (reads[1] - reads[0]) < 4


@pytest.mark.parametrize("name", [name for name in CALLS if name != "write"])
def test_materialising_is_a_few_calls_per_chunk(name: str) -> None:
    layers = [CALLS[name](grid(blocks)) for blocks in (20, 60)]
    maps = [layer_of(made) for made in layers]
    small, large = (calls_of(layer.recipe.maker().all) for layer in maps)
    chunks = len(maps[1]) - len(maps[0])
    assert (large - small) / chunks < 60


@pytest.mark.parametrize("name", ["step", "reflect", "wrap", "windows", "write"])
@pytest.mark.parametrize("most", [15, 10**6])
def test_so_it_is_of_chunks_of_random_lengths(name: str, most: int) -> None:
    """Along one axis, where no two chunks need be alike."""
    calls: dict[str, Call] = {
        "step": lambda x: rs.dask.slice(x, "::-7"),
        "reflect": lambda x: rs.dask.pad(x, 3, "reflect"),
        "wrap": lambda x: rs.dask.pad(x, 25, "wrap"),
        "windows": lambda x: rs.dask.windows(x, 3),
        "write": lambda x: rs.dask.assign(x, "::2", 1),
    }
    rng = np.random.default_rng(5)
    lengths = [tuple(rng.integers(7, most, n).tolist()) for n in (1000, 3000)]
    made = [calls[name](da.zeros(sum(n), "i1", chunks=(n,))) for n in lengths]
    small, large = (calls_of(layer_of(y).recipe.maker().all) for y in made)
    assert made[1].npartitions > made[0].npartitions + 1900
    most = 16 if name == "write" else 8
    assert (large - small) / (made[1].npartitions - made[0].npartitions) < most


def test_rows_apart_are_read_as_one_view_of_their_chunk() -> None:
    """Of a file they would be read one by one; a chunk is in memory."""
    (task,) = layer_of(rs.dask.slice(da.zeros((50, 9000)), "::-7")).values()
    kind, cells = task.args[:2]
    assert kind.job(cells).places[0].reads == ((0, 50),)


def test_a_chunk_that_is_the_sources_is_that_chunk() -> None:
    x = grid(5)
    made = rs.dask.pad(x, 10)
    inner = [
        task for key, task in layer_of(made).items() if 0 not in key and 6 not in key
    ]
    assert len(inner) == 25
    values = {key: np.ones((10, 10)) for key in flatten(x.__dask_keys__())}
    assert all(task(values) is values[task.target] for task in inner)


def test_culling_keeps_the_chunks_asked_for_and_what_they_read() -> None:
    x = grid(20)
    made = rs.dask.pad(x, 5, "reflect")
    part = made.blocks[:1, :1]
    culled = part.dask.cull(list(flatten(part.__dask_keys__())))
    keys = set(culled.to_dict())
    assert len([key for key in keys if key[0] == made.name]) == 1
    assert {key for key in keys if key[0] == x.name} == {(x.name, 0, 0)}
    assert not layer_of(made).is_materialized()


def test_culled_and_whole_layers_have_the_same_tasks() -> None:
    for name, call in CALLS.items():
        layer = layer_of(call(grid(6)))
        keys = set(layer)
        assert keys == set(layer.recipe.maker().all())
        asked = {key for key in keys if hash(key[1:]) % 2}
        some, needs = layer.cull(asked, set())
        assert set(some) == asked == set(needs), name
        for key in asked:
            assert some[key].dependencies == layer[key].dependencies == needs[key]
            assert some[key] == layer[key]


def test_a_layer_is_a_mapping_of_its_keys() -> None:
    layer = layer_of(rs.dask.pad(grid(3), 1))
    assert isinstance(layer, BlockLayer)
    assert len(layer) == 9
    assert (
        set(layer)
        == set(layer.get_output_keys())
        == {(layer.name, i, j) for i, j in product(range(3), repeat=2)}
    )
    assert (layer.name, 2, 2) in layer
    for other in ((layer.name, 3, 0), (layer.name, 0), ("x", 0, 0), layer.name, 5):
        assert other not in layer
    assert not layer.is_materialized()
    with pytest.raises(KeyError):
        layer["absent"]
    assert layer.is_materialized()


def test_equal_calls_have_equal_names_and_others_do_not() -> None:
    x = grid(4)
    calls = [
        rs.dask.pad(x, 1),
        rs.dask.pad(x, 2),
        rs.dask.pad(x, 1, constant_values=-0.0),
        rs.dask.pad(x, 1, "edge"),
        rs.dask.pad(x + 1, 1),
        rs.dask.slice(x, "1:"),
    ]
    assert len({made.name for made in calls}) == len(calls)
    assert rs.dask.pad(x, 1).name == calls[0].name
    assert calls[0].name.startswith("restride-pad-")


@pytest.mark.parametrize("pickler", [pickle, cloudpickle], ids=lambda p: p.__name__)
def test_graphs_travel(pickler: Any) -> None:
    x = cut(np.arange(48.0).reshape(6, 8), ((4, 2), (3, 5)))
    for call in CALLS.values():
        made = call(x)
        again = pickler.loads(pickler.dumps(made))
        np.testing.assert_array_equal(again.compute(), made.compute(), strict=True)
        for task in layer_of(made).values():
            assert pickler.loads(pickler.dumps(task)).dependencies == task.dependencies


def test_chunks_of_the_other_byte_order_travel() -> None:
    """NumPy unpickles them in the machine's order; the values are the same."""
    x = cut(np.arange(12).astype(">i4").reshape(3, 4), ((2, 1), (3, 1)))
    for made in (rs.dask.pad(x, 1, "wrap"), rs.dask.as_strided(x, (5,), (2,))):
        again = pickle.loads(pickle.dumps(made)).compute()
        assert again.dtype == made.dtype == np.dtype(">i4")
        np.testing.assert_array_equal(again, made.compute(), strict=True)


@pytest.mark.parametrize("name", CALLS)
def test_what_travels_is_small(name: str) -> None:
    """Also of ten thousand tasks; and a task holds only its own part."""
    layer = layer_of(CALLS[name](grid(100)))
    annotations, layer.collection_annotations = layer.collection_annotations, None
    assert len(pickle.dumps(layer)) < 4000
    corner = (layer.name,) + (0,) * len(annotations["shape"])
    assert len(pickle.dumps(layer[corner])) < 1500


def test_clones_and_bindings_give_the_same() -> None:
    x = cut(np.arange(12), ((5, 5, 2),))
    made = rs.dask.pad(x, 4, "wrap")
    first = checkpoint(x)
    for other in (clone(made), clone(made, omit=x), bind(made, first, omit=x)):
        assert other.name != made.name
        np.testing.assert_array_equal(other.compute(), made.compute(), strict=True)


def test_annotations_are_kept() -> None:
    with dask.annotate(priority=3):
        made = rs.dask.pad(grid(2), 1)
    assert layer_of(made).annotations == {"priority": 3}


def test_results_are_sound_for_dask() -> None:
    from dask.array.utils import assert_eq

    x = cut(np.arange(60.0).reshape(6, 10), ((4, 2), (3, 7)))
    for call in CALLS.values():
        made = call(x)
        made.dask.validate()
        assert_eq(made, made.compute())


@pytest.mark.parametrize("mode", ["constant", "edge", "reflect", "symmetric", "wrap"])
@pytest.mark.parametrize("chunk", [2, 5])
def test_chunks_of_the_source_stay_whole_beside_a_wide_pad(
    mode: str, chunk: int
) -> None:
    """Edges and mirrors share an element with the axis, which is the axis's own."""
    x = da.arange(4 * chunk, chunks=chunk)
    made = rs.dask.pad(x, 2 * chunk, mode)
    (edges,) = [set(np.cumsum((0, *lengths)).tolist()) for lengths in made.chunks]
    assert set(range(2 * chunk, 7 * chunk, chunk)) <= edges
    whole = [node for node in layer_of(made).values() if isinstance(node, Alias)]
    assert len(whole) >= 4
    want = np.pad(np.arange(4 * chunk), 2 * chunk, mode)
    np.testing.assert_array_equal(made.compute(), want)


def test_neighbours_that_read_the_same_chunks_share_the_references() -> None:
    """Rows read flat, each from all chunks: made once, and not once a row."""
    x = da.zeros((40, 3000), chunks=(40, 10))
    with dask.config.set({"array.chunk-size": "24kB"}):
        layer = layer_of(rs.dask.view(x).reshape(-1)[::3].copy())
    wide = [task for task in layer.values() if len(task.dependencies) == 300]
    assert len(wide) > 10
    assert len({id(task.dependencies) for task in wide}) == 1
    assert len({id(task.args[1]) for task in wide}) == 1
