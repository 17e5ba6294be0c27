"""Rows of settings in which every two levels of every two factors meet."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import combinations, product
from typing import Any

Pair = tuple[int, int, int, int]
"""Factor, its level, a later factor, its level."""


def rows(factors: Sequence[Sequence[Any]], seed: int = 0) -> list[list[Any]]:
    """Greedy pairwise cover: one list of levels per row, in the order of `factors`."""
    chance = random.Random(seed)
    counts = [len(levels) for levels in factors]
    missing = {
        (a, i, b, j)
        for a, b in combinations(range(len(counts)), 2)
        for i, j in product(range(counts[a]), range(counts[b]))
    }
    waiting = sorted(missing)
    chance.shuffle(waiting)
    made = []
    for pair in waiting:
        if pair in missing:
            row = _row(pair, counts, missing, chance)
            missing -= _pairs(row)
            made.append([factors[f][level] for f, level in enumerate(row)])
    return made


def _row(
    pair: Pair, counts: Sequence[int], missing: set[Pair], chance: random.Random
) -> list[int]:
    """A row that holds `pair` and, factor by factor, most of what is missing."""
    chosen = {pair[0]: pair[1], pair[2]: pair[3]}
    rest = [f for f in range(len(counts)) if f not in chosen]
    chance.shuffle(rest)
    for factor in rest:
        levels = list(range(counts[factor]))
        chance.shuffle(levels)
        chosen[factor] = max(levels, key=lambda v: _gain(factor, v, chosen, missing))
    return [chosen[f] for f in range(len(counts))]


def _gain(factor: int, level: int, chosen: dict[int, int], missing: set[Pair]) -> int:
    return sum(
        ((other, at, factor, level) if other < factor else (factor, level, other, at))
        in missing
        for other, at in chosen.items()
    )


def _pairs(row: Sequence[int]) -> set[Pair]:
    return {(a, row[a], b, row[b]) for a, b in combinations(range(len(row)), 2)}
