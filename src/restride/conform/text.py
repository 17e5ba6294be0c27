"""A table's bytes as text, whatever wrote them."""

from __future__ import annotations

import codecs
from pathlib import Path

from restride.conform.errors import TableError

__all__ = ["read_text"]

MOST_BYTES = 64 << 20
"""Largest table read: vendors' whole suites are a few MB; beyond is a wrong file."""

MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
"""First bytes of a file and the encoding they name; UTF-32's begins like UTF-16's."""

GUESSES = ("utf-8", "gb18030")
"""Tried in order where no mark is: spreadsheets in China save GB 18030."""


def read_text(path: Path) -> str:
    """The text of the file `path`.

    Raises
    ------
    TableError
        It is no file, larger than 64 MiB, or not text.
    """
    try:
        with path.open("rb") as stream:
            found = stream.read(MOST_BYTES + 1)
    except IsADirectoryError:
        raise TableError(f"{path} is a directory; give the tables in it.") from None
    except OSError as error:
        raise TableError(f"{path}: {error.strerror or error}.") from None
    except ValueError as error:  # a NUL in the name
        raise TableError(f"{str(path)!r} is no name of a file: {error}.") from None
    if len(found) > MOST_BYTES:
        raise TableError(
            f"{path} is larger than {MOST_BYTES >> 20} MiB, the most that is read as "
            "a table; split it."
        )
    return _decode(path, found)


def _decode(path: Path, found: bytes) -> str:
    marked = [name for mark, name in MARKS if found.startswith(mark)]
    for encoding in marked[:1] or GUESSES:
        try:
            text = found.decode(encoding)
        except UnicodeDecodeError:
            continue
        if "\0" not in text:
            return text
    raise TableError(f"{path} is not text in UTF-8, UTF-16, UTF-32 or GB 18030.")
