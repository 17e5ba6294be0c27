"""A callable that remembers its calls, from the extension where it is built.

A subclass gives ``_first``, which checks, runs, and says by which program.  An equal
call (types and values of the arguments, layout of the arrays) is then answered by that
program in C, without a step in Python.
"""

from __future__ import annotations

from typing import Any

from restride.engines.program import Program

__all__ = ["Answer", "Known", "remember_calls", "remembered_calls", "words_of"]

Answer = tuple[Any, Program | None, tuple[int, ...]]
"""A result; the program that makes it, if one does; the shape of a fresh one."""

try:
    from restride._native import Known, remember_calls, remembered_calls, words_of
except ImportError:

    class Known:  # type: ignore[no-redef]
        """The same without a memory: every call goes to ``_first``."""

        _second = _out = 0

        def __call__(self, *args: Any, **words: Any) -> Any:
            return self._first(*args, **words)[0]  # type: ignore[attr-defined]

    def remember_calls(on: bool) -> bool:
        """Nothing is remembered."""
        return False

    def remembered_calls() -> int:
        """Calls answered from memory."""
        return 0

    def words_of(args: tuple[Any, ...], keywords: dict[str, Any]) -> bytes | None:
        """Nothing has words."""
        return None
