from typing import Any

import numpy as np
import numpy.typing as npt

def copy(
    result: npt.NDArray[Any] | None,
    source: npt.NDArray[Any],
    program: bytes,
    shape: tuple[int, ...],
    dtype: np.dtype[Any],
) -> npt.NDArray[Any]: ...
def add(
    source: npt.NDArray[Any],
    result: npt.NDArray[Any],
    program: bytes,
    kind: str,
) -> None: ...
def threads(n: int | None = None) -> int: ...
def pool_limit(bytes: int | None = None) -> int: ...
def pool_clear() -> None: ...
def pool_stats() -> dict[str, int]: ...
