"""A view keeps the steps that made it, and each alone says the same again."""

from __future__ import annotations

import pickle
from math import prod

import numpy as np
import pytest

import restride as rs
from restride.errors import RestrideError


def view(*shape: int) -> rs.View:
    return rs.view(np.arange(prod(shape)).reshape(shape))


MADE = {
    "index": view(4, 5)[1, ::-2, None],
    "text": view(4, 5)["..., 2:"],
    "masks": view(4, 5).strided_slice([0, 3], [9, 0], [2, -1], 1, 2),
    "named masks": view(4).strided_slice([9], [9], None, 1, 1),
    "flip": view(2, 3, 2).flip((0, -1)),
    "flip all": view(2, 3).flip(),
    "pad": view(3).pad(1, "wrap"),
    "pad on axes": view(2, 3).pad((1, 2), "constant", [7, 8], axes=-1),
    "pad, columns": view(2, 3).pad([[1, 2], [0, 1]], paddings_contiguous=False),
    "array": view(3).pad(np.array([[1, 2]]), "edge"),
    "as_strided": view(3, 3).as_strided((2, 2), (2, 3), offset=1),
    "transpose": view(2, 3, 4).transpose(-1, 0, 1),
    "transpose all": view(2, 3).transpose(),
    "broadcast": view(1, 3).broadcast_to((2, 4, 3)),
    "windows": view(3, 9).windows(3, 2, 2, axis=1),
    "reshape": view(2, 6).reshape(3, -1),
    "chain": view(4, 6)[::-1].pad(2, "reflect").windows((2, 2)).reshape(-1)["3:"],
}
every = pytest.mark.parametrize("made", MADE.values(), ids=MADE)


@every
def test_the_steps_replayed_one_by_one_give_the_same(made):
    x = made.array
    for step in made.steps:
        assert step.shape == x.shape
        x = rs.View(x, step.chain()).copy()
    assert np.array_equal(x, made.copy())


@every
def test_an_equal_call_is_told_the_same_from_memory(made):
    step = made.steps[-1]
    before = view(*step.shape)
    again = getattr(before, step.name)(*step.args, **dict(step.keywords))
    assert again.steps[-1].text() == step.text()
    assert again.steps[-1].operator() == step.operator()


def test_steps_read_as_python_reads_them():
    made = view(4, 6)[1, ::-2].pad([1, 2], mode="edge").as_strided((2,), (1,))
    told = [step.text() for step in made.steps]
    assert told == ["[1, ::-2]", "pad((1, 2), mode='edge')", "as_strided((2,), (1,))"]


def test_a_list_changed_afterwards_does_not_change_what_was_done():
    widths = [1, 2]
    made = view(3).pad(widths, "edge")
    widths[0] = 9
    assert made.steps[0].operator()["params"]["paddings"] == ((1, 2),)


def test_what_is_used_up_by_reading_is_not_kept():
    made = view(3).pad(iter([1, 2]), "edge")["1:"]
    assert made.shape == (5,)
    assert made.steps is None


def test_a_view_of_another_door_has_no_known_steps():
    assert rs.View(np.zeros(3), view(3).chain)[::-1].steps is None


def test_a_refused_step_leaves_nothing():
    before = view(3)
    with pytest.raises(RestrideError):
        before.pad(-2)
    assert before.steps == ()


def test_steps_go_with_a_view_that_is_pickled():
    made = pickle.loads(pickle.dumps(MADE["chain"]))
    assert [s.text() for s in made.steps] == [s.text() for s in MADE["chain"].steps]


def test_t_is_transpose():
    x = np.arange(6).reshape(1, 2, 3)
    v = rs.view(x).T
    assert v.shape == (3, 2, 1)
    assert (v.copy() == x.T).all()
    assert v.chain == rs.view(x).transpose().chain
    assert [step.text() for step in v.steps] == ["transpose()"]
