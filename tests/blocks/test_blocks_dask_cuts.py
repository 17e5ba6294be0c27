"""Chains that are cut, over Dask arrays: how many tasks, and what is made twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import product
from math import prod
from typing import Any

import chains
import dask
import dask.array as da
import numpy as np
import pytest
from chunked import chunkings, cut, layer_of, own_tasks
from hypothesis import given, settings
from hypothesis import strategies as st
from samples import array

import restride as rs
from restride.blocks import Restriction
from restride.blocks.dask.layer import BlockLayer

Call = Callable[[Any], Any]

CHAINS: dict[str, Call] = {
    "1 cut": lambda v: v.pad(3, "reflect").windows((3, 3)),
    "2 cuts": lambda v: (
        v.pad(1, "edge").windows(3, axis=0).pad(((1, 1), (2, 0), (0, 0)), "wrap")
    ),
    "4 cuts": lambda v: (
        v.pad(1, "reflect")
        .windows(3, axis=0)
        .pad(((1, 1), (1, 1), (0, 0)), "edge")
        .windows(3, axis=1)
        .pad(((1, 1), (0, 0), (0, 0), (0, 0)), "wrap")
    ),
    "reshaped": lambda v: v.pad(1, "wrap").reshape(-1)[:-40].reshape(50, -1).pad(2),
    "flat twice": lambda v: (
        v.pad(1, "edge")
        .as_strided((50, 20), (60, 3), 7)
        .pad(1)
        .as_strided((30, 9), (30, 2))
    ),
    "all by all": lambda v: (
        v.pad(1).reshape(-1).pad(1, "edge").reshape(113, -1).transpose().pad(1, "wrap")
    ),
}


def own_layers(made: Any) -> list[BlockLayer]:
    """The layers of ours, the result's last."""
    layers = made.dask.layers
    ours = [layers[n] for n in made.dask._toposort_layers()]
    return [layer for layer in ours if isinstance(layer, BlockLayer)]


def elements_made(made: Any) -> tuple[int, int]:
    """What stands before cuts inside tasks: by all tasks together, and once."""
    again = once = 0
    for layer in own_layers(made):
        chain = layer.recipe.chain
        restriction = Restriction(chain)
        for index in product(*[range(axis.count) for axis in layer.recipe.axes]):
            block = restriction(layer.recipe.box(index))
            again += sum(m.size for m in block.chain.maps[:-1])
        once += sum(m.size for m in chain.maps[:-1])
    return again, once


@pytest.mark.parametrize("limit", ["128MiB", "2kB"])
@pytest.mark.parametrize("name", CHAINS)
def test_chains_of_any_number_of_cuts(name: str, limit: str) -> None:
    """Three tasks for each chunk at most, and no step before a cut made over twice."""
    x = np.arange(62 * 58, dtype="i4").reshape(62, 58)
    with dask.config.set({"array.chunk-size": limit}):
        made = CHAINS[name](rs.dask.view(da.from_array(x, chunks=10))).copy()
    again, once = elements_made(made)
    assert again <= 2.2 * once
    tasks = sum(map(len, own_layers(made)))
    assert tasks <= 3 * made.npartitions
    if limit == "2kB":
        assert prod(made.chunksize) * 4 <= 2000
    want = CHAINS[name](rs.view(x)).copy()
    got = made.compute(scheduler="sync")
    np.testing.assert_array_equal(got, want, strict=True)


def test_windows_of_a_pad_are_one_task() -> None:
    x = da.zeros((200, 200), chunks=10)
    made = CHAINS["1 cut"](rs.dask.view(x)).copy()
    assert own_tasks(made, x) == made.npartitions == 22 * 22
    assert layer_of(made).recipe.chain.cuts == 1


def test_what_every_chunk_reads_is_made_once() -> None:
    """A transpose of a padded array read flat: a task of its own for the pad."""
    x = da.zeros((100, 100), chunks=10)
    with dask.config.set({"array.chunk-size": "1kB"}):
        v = rs.dask.view(x).pad(1).reshape(-1).pad(1, "edge").reshape(-1, 22)
        made = v.transpose().copy()
    first, *others = own_layers(made)
    assert others
    assert elements_made(made)[0] <= 2 * 102 * 102
    assert len(first) <= 2 * made.npartitions


@settings(max_examples=60)
@given(st.data())
def test_views_are_three_tasks_for_each_chunk_at_most(data: st.DataObject) -> None:
    chain = data.draw(chains.chains(6).filter(lambda c: c.dtype.names is None))
    x = cut(array(chain.shape, chain.dtype), data.draw(chunkings(chain.shape)))
    seen = rs.dask.view(x)
    for step in chain.steps:
        seen = step.apply(seen)
    made = seen.copy()
    assert own_tasks(made, x) <= 3 * made.npartitions
    if made.size:
        again, once = elements_made(made)
        assert again <= max(4 * once, 64)


def test_names_tell_chunks_apart() -> None:
    """The same first layer for two results may be cut in another way for each."""
    x = da.zeros((100, 100), chunks=10)
    with dask.config.set({"array.chunk-size": "1kB"}):
        v = rs.dask.view(x).pad(1).reshape(-1).pad(1, "edge").reshape(-1, 22)
        whole, part = v.transpose().copy(), v.transpose()[:5].pad(1, "wrap").copy()
    names = Counter(layer.name for at in (whole, part) for layer in own_layers(at))
    kept = {layer.name: layer for at in (whole, part) for layer in own_layers(at)}
    for at in (whole, part):
        for layer in own_layers(at):
            assert len(kept[layer.name]) == len(layer)
    assert max(names.values()) == 1


def test_a_cut_chain_makes_a_few_calls_per_chunk() -> None:
    from test_blocks_dask_graph import calls_of, grid

    layers = [
        layer_of(CHAINS["4 cuts"](rs.dask.view(grid(n))).copy()) for n in (20, 60)
    ]
    small, large = (calls_of(layer.recipe.maker().all) for layer in layers)
    assert (large - small) / (len(layers[1]) - len(layers[0])) < 60
