"""Random parameters for the page, and how the page holds them."""

from __future__ import annotations

import random
from math import prod
from typing import Any

Case = tuple[str, dict[str, Any], tuple[int, ...]]
"""Operator, its parameters, the shape it stands on."""

MODES = ("constant", "edge", "reflect", "symmetric", "wrap")
FAR = (2**31, 2**31 - 1, -(2**31), -(2**40), 2**63 - 1, -(2**63), -(2**70), 10**700)


class Draw:
    """One stream of cases, from a seed."""

    def __init__(self, seed: str) -> None:
        self.chance = random.Random(seed)

    def shape(self, most_rank: int = 4) -> tuple[int, ...]:
        extents = [0, 1, 1, 2, 2, 3, 3, 4, 5, 7]
        return tuple(self.chance.choices(extents, k=self.chance.randint(0, most_rank)))

    def number(self, reach: int) -> int:
        if self.chance.random() < 0.06:
            return self.chance.choice(FAR)
        return self.chance.randint(-reach, reach)

    def strided_slice(self) -> Case:
        chance, shape = self.chance, self.shape()
        count = max(0, len(shape) + chance.choice([-1, 0, 0, 0, 1, 2]))
        strides = [chance.choice([-3, -2, -1, 1, 1, 1, 2, 3, 0]) for _ in range(count)]
        if chance.random() < 0.05 and count:
            strides[0] = self.number(3)
        params: dict[str, Any] = {
            "begin": [self.number(6) for _ in range(count)],
            "end": [self.number(6) for _ in range(count)],
            "strides": strides,
        }
        for mask in ("begin", "end"):
            params[f"{mask}_mask"] = chance.choice([0, chance.getrandbits(6), -1])
        params["ellipsis_mask"] = chance.choice([0, 0, 1, 2, 4, 8, 3, 64, -1])
        for mask in ("new_axis", "shrink_axis"):
            bits = chance.choice([0, 0, 1, 2, 5, chance.getrandbits(7)])
            params[f"{mask}_mask"] = bits
        if chance.random() < 0.03:
            params["end"] = [*params["end"], 1]
        return "strided_slice", params, shape

    def pad(self) -> Case:
        chance, shape = self.chance, self.shape(3)
        reach = chance.choice([1, 3, 3, 9])
        pairs = [[self.number(reach), self.number(reach)] for _ in shape]
        mode = chance.choice(MODES)
        fills: list[Any] = [[-1 - 2 * k, -2 - 2 * k] for k in range(len(shape))]
        if chance.random() < 0.5:
            fills = [[-9, -9] for _ in shape]
        params: dict[str, Any] = {"paddings": pairs, "mode": mode}
        params["constant_values"] = fills if mode == "constant" else []
        return "pad", params, shape

    def as_strided(self) -> Case:
        chance, shape = self.chance, self.shape(3)
        rank, total = chance.randint(0, 3), prod(shape)
        params: dict[str, Any] = {
            "size": [chance.choice([0, 1, 2, 2, 3, 4]) for _ in range(rank)],
            "stride": [chance.choice([0, 1, 1, 2, -1, 3, -3]) for _ in range(rank)],
            "offset": chance.randint(-1, max(total, 1)),
        }
        if chance.random() < 0.06 and rank:
            params[chance.choice(["size", "stride"])][0] = self.number(3)
        if chance.random() < 0.05:
            params["offset"] = self.number(3)
        if chance.random() < 0.03:
            params["stride"] = [*params["stride"], 1]
        return "as_strided", params, shape

    def other(self) -> Case:
        """The steps that the page shows but does not edit; some do not fit."""
        chance, shape = self.chance, self.shape(3)
        rank = len(shape)
        if chance.random() < 0.15:
            rank += chance.choice([-1, 1]) if rank else 1
        op = chance.choice(["transpose", "broadcast_to", "reshape", "windows"])
        if op == "transpose":
            return op, {"order": chance.sample(range(rank), rank)}, shape
        if op == "windows":
            axes = chance.sample(range(rank), chance.randint(0, rank))
            lists = {
                name: [chance.randint(1, 3) for _ in axes]
                for name in ("size", "step", "dilation")
            }
            return op, {**lists, "axis": axes}, shape
        if op == "reshape":
            made = chance.choice([(prod(shape),), shape[::-1], (1, *shape), (5,)])
            return op, {"shape": list(made)}, shape
        lead = [chance.randint(0, 3) for _ in range(chance.randint(0, 2))]
        tail = [chance.choice([n, n, 2, 3]) if n == 1 else n for n in shape]
        return op, {"shape": [*lead, *tail]}, shape


def sent(value: Any) -> Any:
    """Numbers as texts."""
    if isinstance(value, (list, tuple)):
        return [sent(v) for v in value]
    return value if isinstance(value, str) else str(value)


def as_page_has(params: dict[str, Any]) -> dict[str, Any]:
    """Parameters as the page's data holds them."""
    made = {name: sent(value) for name, value in params.items()}
    if "constant_values" in params:
        made["constant_values"] = [
            [_fill(v) for v in p] for p in params["constant_values"]
        ]
    return made


def _fill(value: Any) -> dict[str, str]:
    return {"kind": type(value).__name__, "text": str(value)}
