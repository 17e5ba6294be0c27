"""What the tests of pictures share: chains of every kind, and what stands in y."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

import restride as rs


def view(*shape: int) -> rs.View:
    """A view of an array that holds its own row-major numbers."""
    return rs.view(np.arange(prod(shape), dtype=np.int64).reshape(shape))


VIEWS: dict[str, rs.View] = {
    "identity": view(3, 4),
    "0-d": view(),
    "empty": view(0, 3).pad([[0, 0], [1, 1]]),
    "empty result": view(3, 4)["3:"],
    "1-d": view(9)["::-2"],
    "reflect": view(4, 3).pad(5, "reflect"),
    "constants": view(2, 3).pad([[1, 1], [2, 0]], "constant", -1),
    "transpose": view(2, 3, 4).transpose(2, 0, 1),
    "rank 4": view(2, 3, 2, 2)["::-1"],
    "many planes": view(9, 8, 3, 2).flip(0),
    "wide": view(3, 1000).pad(((0, 0), (3, 3)), "edge"),
    "long": view(5000).pad(40, "wrap"),
    "windows": view(300).windows(7, 3),
    "broadcast": view(1, 3).broadcast_to((2, 4, 3)),
    "as_strided": view(3, 3).as_strided((2, 2), (2, 3), 2),
    "carries": view(5, 7).as_strided((4, 6), (3, 5), 0),
    "cut": view(8).pad(2, "reflect").windows(3),
    "cut twice": view(6).pad(1, "wrap").windows(2).pad(1, "edge").windows(2, axis=0),
    "reshape": view(2, 6).pad(1, "symmetric").reshape(16, 2),
    "fill": view(3).pad((4, 0), "constant", -5)["1:3"],
}


def stands(panel: dict[str, Any], plane: dict[str, Any], row: int, column: int) -> Any:
    """The index in the array of a cell of a plane."""
    rank = len(panel["shape"])
    ends = (plane["rows"][row], plane["columns"][column])[2 - min(rank, 2) :]
    return (*plane["at"], *ends)
