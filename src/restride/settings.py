"""Threads, the pool of result buffers, and which engine runs."""

from __future__ import annotations

from typing import Any

from restride.checks import as_index
from restride.engines import run
from restride.errors import ShapeError

__all__ = ["Pool", "engine", "pool", "threads"]


def engine() -> str:
    """The engine in use: "native", or "numpy" where the extension is absent.

    ``RESTRIDE_ENGINE=numpy`` in the environment chooses at import.
    """
    return run.name()


def threads(n: int | None = None) -> int:
    """Most threads one call may use; `n` sets it.  The NumPy engine has one.

    Raises
    ------
    ShapeError
        `n` is below 1.

    Examples
    --------
    >>> threads() >= 1
    True
    """
    n = None if n is None else as_index(n, "threads: n")
    if n is not None and n < 1:
        raise ShapeError(f"threads: n = {n}; 1 is the least.")
    native = _native()
    if native is None or run.name() != "native":
        return 1
    return int(native.threads(None if n is None else min(n, MOST_THREADS)))


MOST_THREADS = 256
"""More are never started."""


class Pool:
    """Buffers of finished results, kept for the next ones.  Held by ``rs.pool``."""

    def limit(self, bytes: int | None = None) -> int:
        """Most bytes the pool holds on to; `bytes` sets it.

        0 turns it off: results then come from the C library, as NumPy's own do.
        """
        most = None if bytes is None else as_index(bytes, "pool.limit: bytes")
        if most is not None and not 0 <= most < 2**63:
            raise ShapeError(f"pool.limit: bytes = {most}; 0 to 2**63 - 1 is allowed.")
        native = _native()
        return 0 if native is None else int(native.pool_limit(most))

    def clear(self) -> None:
        """Give all held buffers back; results in use stay valid."""
        native = _native()
        if native is not None:
            native.pool_clear()

    def stats(self) -> dict[str, int]:
        """Bytes and buffers held and in use, and how often one was reused."""
        native = _native()
        return {"limit": 0, "held_bytes": 0} if native is None else native.pool_stats()


def _native() -> Any:
    """The extension module, or None where it is not built."""
    try:
        from restride import _native
    except ImportError:
        return None
    return _native


pool = Pool()
