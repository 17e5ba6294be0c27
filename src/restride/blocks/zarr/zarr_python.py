"""The zarr package, loaded on first use, and its errors as sentences of ours."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from restride.blocks.memory import lacks_memory
from restride.checks import printable
from restride.errors import FileError, RestrideError
from restride.packages import needed

__all__ = ["is_local", "library", "quiet", "short", "told_by_zarr"]

MOST_WORDS = 160
"""Letters of another package's message that are passed on."""


def library() -> Any:
    """The package.

    Raises
    ------
    UnsupportedError
        It is not installed.
    """
    return needed("zarr", "zarr", "A Zarr array")


@contextmanager
def told_by_zarr(what: str, advice: str = "") -> Iterator[None]:
    """Turn whatever the package or the system says into one sentence about `what`.

    Codecs raise errors of any type for damaged bytes, so every one is taken; one that
    tells of too little memory stays a MemoryError, for whoever knows what to lower.
    """
    try:
        yield
    except RestrideError:
        raise
    except OSError as error:
        made = FileError(f"{printable(what)}: {error.strerror or short(error)}.")
        made.errno = error.errno
        raise made from None
    except Exception as error:
        if lacks_memory(error):
            raise MemoryError from None
        raise FileError(f"{printable(what)}: {short(error)}.{advice}") from None


def short(error: BaseException) -> str:
    """The first line of a message, without its full stop."""
    lines = str(error).strip().splitlines() or [type(error).__name__]
    text = lines[0].rstrip(".")
    text = text if len(text) <= MOST_WORDS else f"{text[: MOST_WORDS - 3]}..."
    return text if isinstance(error, OSError) else f"{type(error).__name__}, {text}"


@contextmanager
def quiet() -> Iterator[None]:
    """Without the news that a dtype, or gathered metadata, is not agreed on yet.

    Warnings are kept for all threads, so only before blocks are at work.
    """
    with warnings.catch_warnings():
        unstable = library().errors.UnstableSpecificationWarning
        warnings.filterwarnings("ignore", category=unstable)
        warnings.filterwarnings("ignore", "Consolidated metadata is currently not")
        yield


def is_local(array: Any) -> bool:
    """True where the array lies in a directory of this machine."""
    root = getattr(getattr(array, "store", None), "root", None)
    return isinstance(root, os.PathLike)
