"""The sets themselves: the same in every run, and of all the kinds they promise."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import sets

ROOT = Path(__file__).parents[2]


def test_a_set_is_the_same_in_every_run() -> None:
    rng = sets.generator("torch", "pad", 17)
    of = sets.shape(rng)
    assert (of, sets.pads(rng, of)) == ((0, 0, 1), [(2, 3), (0, 0), (1, 0)])


def test_sets_differ_by_number_family_and_framework() -> None:
    named = [("torch", "pad", 1), ("torch", "pad", 2), ("torch", "flip", 1)]
    drawn = {sets.generator(*name).random() for name in [*named, ("jax", "pad", 1)]}
    assert len(drawn) == 4


@pytest.mark.parametrize(("full", "count"), [("", 500), ("1", 5000)])
def test_full_means_ten_times_as_many(
    monkeypatch: pytest.MonkeyPatch, full: str, count: int
) -> None:
    monkeypatch.setenv("FULL", full)
    assert sets.sets("jax") == count


def test_a_disagreement_fails_with_its_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sets, "COMPARED", {})
    monkeypatch.delenv("FULL", raising=False)
    with pytest.raises(AssertionError, match="500 disagree:\nset 0: no\n"):
        sets.compare("jax", "nothing", lambda rng: "no")
    sets.compare("jax", "everything", lambda rng: None)
    assert sets.COMPARED == {"jax nothing": 500, "jax everything": 500}


def test_bits_shape_and_dtype_are_compared() -> None:
    zero = np.zeros(1)
    assert sets.different(zero, np.zeros(1)) is None
    assert sets.different(zero, -zero) == "elements [0.], theirs [-0.]"
    assert sets.different(zero, np.zeros((1, 1))) == "shape (1,), theirs (1, 1)"
    assert sets.different(zero, np.zeros(1, int)) == "dtype float64, theirs int64"


def test_slices_of_every_kind_are_drawn() -> None:
    rngs = [sets.generator("torch", "kinds", k) for k in range(500)]
    drawn = [sets.strided_slice(rng, sets.shape(rng)) for rng in rngs]
    assert any(0 in s.strides for s in drawn)
    assert any(s.ellipsis_mask & (s.ellipsis_mask - 1) for s in drawn)
    for mask in ("begin", "end", "ellipsis", "new_axis", "shrink_axis"):
        assert any(getattr(s, f"{mask}_mask") for s in drawn), mask


def test_the_pins_name_every_framework_that_make_installs() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    line = next(t for t in makefile.splitlines() if t.startswith("FRAMEWORKS :="))
    names = line.partition(":=")[2].split()
    assert [name.removesuffix("-cpu") for name in names] == list(sets.FRAMEWORKS)
    pins = (ROOT / "requirements-frameworks.txt").read_text(encoding="utf-8")
    for name in names:
        assert f"\n{name}==" in pins
