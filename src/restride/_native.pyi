from typing import Any

import numpy as np
import numpy.typing as npt

from restride.engines.program import Program
from restride.plans.move import Move

class Known:
    _second: int
    _out: int
    def __call__(self, *args: Any, **keywords: Any) -> Any: ...

def bind(
    move: Move,
    itemsize: int,
    source_strides: tuple[int, ...],
    result_strides: tuple[int, ...] | None,
) -> Program: ...
def copy(
    result: npt.NDArray[Any] | None,
    source: npt.NDArray[Any],
    program: Program,
    shape: tuple[int, ...],
    dtype: np.dtype[Any],
) -> npt.NDArray[Any]: ...
def add(
    source: npt.NDArray[Any],
    result: npt.NDArray[Any],
    program: Program,
    kind: str,
) -> None: ...
def threads(n: int | None = None) -> int: ...
def pool_limit(bytes: int | None = None) -> int: ...
def pool_clear() -> None: ...
def pool_stats() -> dict[str, int]: ...
def remember_calls(on: bool) -> bool: ...
def remembered_calls() -> int: ...
def words_of(args: tuple[Any, ...], keywords: dict[str, Any]) -> bytes | None: ...
