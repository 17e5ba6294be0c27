"""Index notation: what stands between the brackets, as text and as Python objects.

Three ways to say the same, and the grammar of the text (never evaluated)::

    index  = [name] "[" list "]" | list
    list   = entry {"," entry} [","] | "()"
    entry  = number | [number] ":" [number] [":" [number]] | "..." | new
    new    = "None" | "newaxis" | "np.newaxis" | "tf.newaxis"
    number = ["+" | "-"] decimal digits, without a leading zero

>>> parse_index("foo[1, 2:4, None, ...]")
(1, slice(2, 4, None), None, Ellipsis)
>>> format_index((1, slice(2, 4), None, ...))
'[1, 2:4, None, ...]'

Spaces may stand between any two of these.  As in Python, ``()`` is the index of no
entries, which is the whole array; ``[]`` and an empty text are refused.
"""

from __future__ import annotations

import re
from operator import index as index_of
from reprlib import repr as short_repr
from types import EllipsisType
from typing import Any, NoReturn

from restride.checks import MAX_RANK
from restride.checks import shown as shown_value
from restride.errors import DTypeError, ShapeError, UnsupportedError

__all__ = [
    "IndexEntry",
    "as_entries",
    "check_count",
    "format_index",
    "parse_index",
    "shown",
]

IndexEntry = int | slice | None | EllipsisType
"""A position, a range, a new axis, or "all axes not named"."""

MAX_ENTRIES = 2 * MAX_RANK + 1
"""Most entries an index can need: every axis, as many new ones, an ellipsis."""

MAX_DIGITS = 640
"""Longest number in a text: what Python converts under any setting of its limit."""

_TOO_LONG = 10**MAX_DIGITS

NEW_AXIS = ("None", "newaxis", "np.newaxis", "tf.newaxis")
"""The spellings of a new axis of extent 1."""

ALLOWED = (
    "allowed are integers, ranges such as 2:4 or ::-1, None and one ellipsis (...)"
)

_HEAD = re.compile(r"(?:[^\W\d]\w*(?:\.[^\W\d]\w*)*)?\s*\[")
_NUMBER = re.compile(r"([+-]?)\s*(0+|[1-9][0-9]*)")
_DOTTED_NAME = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*")


def parse_index(text: str) -> tuple[IndexEntry, ...]:
    """The entries an index text names.

    Parameters
    ----------
    text : str
        ``foo[1, ::2]``, ``[1, ::2]`` or bare entries ``1, ::2``.

    Raises
    ------
    ShapeError
        Anything outside the grammar, a step of 0, or a second ellipsis.

    Examples
    --------
    >>> parse_index("::2, -1,")
    (slice(None, None, 2), -1)
    >>> parse_index("foo[()]")
    ()
    """
    if not isinstance(text, str):
        raise DTypeError(f"index text is a {type(text).__name__}; give a str.")
    at, body = _body(text)
    if re.fullmatch(r"\(\s*\)", body.strip()):
        return ()
    pieces = body.split(",")
    if len(pieces) > 1 and not pieces[-1].strip():
        pieces.pop()
    check_count(len(pieces), "index")
    entries: list[IndexEntry] = []
    for piece in pieces:
        entry = _read_entry(text, at, piece)
        if entry is Ellipsis and Ellipsis in entries:
            _refuse(text, at + _lead(piece), "a second ellipsis", "Keep one of them.")
        entries.append(entry)
        at += len(piece) + 1
    return tuple(entries)


def _body(text: str) -> tuple[int, str]:
    """Where the entries start in `text`, and the text of them."""
    at, end = _lead(text), len(text.rstrip())
    head = _HEAD.match(text, at)
    if head is not None:
        at, end = head.end(), end - 1
        if text[end] != "]":
            _refuse(text, head.end() - 1, "'[' is not closed", "End with ']'.")
    for k in range(at, end):
        if text[k] in "[]{}":
            mend = "Picking by lists is not supported: write one index, as in [1, 2:4]."
            _refuse(text, k, f"{text[k]!r} is not part of an index", mend)
    return at, text[at:end]


def _read_entry(text: str, at: int, piece: str) -> IndexEntry:
    word, at = piece.strip(), at + _lead(piece)
    if not word:
        _refuse(text, at, "an entry is missing", "Write ... for the whole array.")
    if word == "...":
        return Ellipsis
    if word in NEW_AXIS:
        return None
    if ":" not in word:
        return _read_number(text, at, word)
    return _read_range(text, at, word)


def _read_range(text: str, at: int, word: str) -> slice:
    parts = word.split(":")
    if len(parts) > 3:
        _refuse(text, at, f"{short_repr(word)} has {len(parts) - 1} colons", "Use 1-2.")
    bounds: list[int | None] = []
    for part in parts:
        lead = at + _lead(part)
        bounds.append(_read_number(text, lead, part.strip()) if part.strip() else None)
        if len(bounds) == 3 and bounds[2] == 0:
            _refuse(text, lead, "the step is 0", "Use a step above or below 0.")
        at += len(part) + 1
    return slice(*bounds)


def _read_number(text: str, at: int, word: str) -> int:
    found = _NUMBER.fullmatch(word)
    if found is None:
        _refuse(text, at, *_reason(word))
    sign, digits = found.groups()
    if len(digits) > MAX_DIGITS:
        what = f"a number of {len(digits)} digits"
        _refuse(text, at, what, f"Use at most {MAX_DIGITS} digits.")
    return int(sign + digits)


def _reason(word: str) -> tuple[str, str]:
    """Why `word` is no number, and how to mend it."""
    given = short_repr(word)
    if word in ("True", "False"):
        return f"{given} is a boolean", "Write 1 or 0 for a position."
    if _DOTTED_NAME.fullmatch(word):
        return f"{given} is a name, and names are not looked up", "Write its value."
    if word[0] in "(\"'":
        return f"{given} is nested", "Write the entries side by side."
    return f"{given} is not an integer", "Write whole decimal numbers, as in 2 or -3."


def _lead(text: str) -> int:
    return len(text) - len(text.lstrip())


def _refuse(text: str, at: int, what: str, mend: str) -> NoReturn:
    raise ShapeError(
        f"index {text if len(text) <= 60 else text[:57] + '...'!r}: {what} "
        f"at character {at + 1}; {ALLOWED}. {mend}"
    )


def as_entries(index: Any) -> tuple[IndexEntry, ...]:
    """Any index as a tuple of plain ints, slices of plain ints, None and Ellipsis.

    Parameters
    ----------
    index : int, slice, None, Ellipsis, a tuple of these, or str
        An int is any object with ``__index__`` but a boolean; a str is parsed.

    Raises
    ------
    UnsupportedError
        A list, an array, a boolean or a nested tuple ("fancy" indexing).
    DTypeError
        Any other object that is no integer.
    ShapeError
        A step of 0, a second ellipsis, or a text outside the grammar.

    Examples
    --------
    >>> as_entries((1, slice(None, 4), ...))
    (1, slice(None, 4, None), Ellipsis)
    >>> as_entries(-1)
    (-1,)
    """
    if isinstance(index, str):
        return parse_index(index)
    if isinstance(index, tuple):
        check_count(len(index), "index")
        entries = tuple(
            [
                e if _is_plain(e) else _as_entry(e, f"index[{k}]")
                for k, e in enumerate(index)
            ]
        )
    else:
        entries = (_as_entry(index, "index"),)
    if entries.count(Ellipsis) > 1:
        raise ShapeError(
            f"index has {entries.count(Ellipsis)} ellipses; at most one is allowed. "
            "Write ':' for a single whole axis."
        )
    return entries


def check_count(n: int, name: str) -> None:
    """Refuse more entries than any array can need, before they cost anything."""
    if n > MAX_ENTRIES:
        raise ShapeError(
            f"{name}: {n} entries; at most {MAX_ENTRIES} are allowed, for arrays of "
            f"up to {MAX_RANK} axes. Leave some out."
        )


def _is_plain(entry: Any) -> bool:
    """True of a range of plain bounds, and of an int, which need no closer look."""
    if type(entry) is not slice:
        return type(entry) is int
    start, stop, step = entry.start, entry.stop, entry.step
    return (
        (start is None or type(start) is int)
        and (stop is None or type(stop) is int)
        and (step is None or (type(step) is int and step != 0))
    )


def _as_entry(value: Any, name: str) -> IndexEntry:
    if value is None or value is Ellipsis or type(value) is int:
        return value
    if isinstance(value, slice):
        return _as_range(value, name)
    return _as_number(value, name)


def _as_range(value: slice, name: str) -> slice:
    named = (("start", value.start), ("stop", value.stop), ("step", value.step))
    bounds = [
        v if v is None or type(v) is int else _as_number(v, f"{name}.{n}")
        for n, v in named
    ]
    if bounds[2] == 0:
        raise ShapeError(f"{name} has step 0; any other step is allowed. Use 1 or -1.")
    return slice(*bounds)


def _as_number(value: Any, name: str) -> int:
    if _is_fancy(value):
        raise UnsupportedError(
            f'{name} is a {type(value).__name__}: "fancy" indexing, by lists, arrays, '
            f"booleans or nested tuples, is not supported; {ALLOWED}. "
            "Take the parts one by one."
        )
    try:
        return index_of(value)
    except TypeError:
        raise DTypeError(
            f"{name} = {shown_value(value)} is a {type(value).__name__}; {ALLOWED}. "
            "Convert it to an int."
        ) from None


def _is_fancy(value: Any) -> bool:
    """A list, an array of any library, a tuple, or a boolean of any library."""
    if isinstance(value, (bool, list, tuple)) or getattr(value, "ndim", 0) != 0:
        return True
    return str(getattr(value, "dtype", "")).endswith("bool")


def format_index(entries: Any) -> str:
    """The text of an index, which `parse_index` reads back.

    A step of 1 is left out, the index of no entries is ``[()]``.

    Raises
    ------
    UnsupportedError
        A number has more than 640 digits.

    Examples
    --------
    >>> format_index((slice(None, -3, -1), slice(0, None, 1), None))
    '[:-3:-1, 0:, None]'
    >>> format_index(())
    '[()]'
    """
    words = [_word(entry) for entry in as_entries(entries)]
    return f"[{', '.join(words) or '()'}]"


def _word(entry: IndexEntry) -> str:
    if isinstance(entry, EllipsisType):
        return "..."
    if entry is None:
        return "None"
    if not isinstance(entry, slice):
        return _digits(entry)
    start, stop, step = (
        "" if bound is None else _digits(bound)
        for bound in (entry.start, entry.stop, entry.step)
    )
    return f"{start}:{stop}" + (f":{step}" if step not in ("", "1") else "")


def _digits(number: int) -> str:
    if abs(number) >= _TOO_LONG:
        raise UnsupportedError(
            f"index: {shown(number)} has no text; at most {MAX_DIGITS} digits are "
            "written. Use a smaller number."
        )
    return str(number)


def shown(number: int) -> str:
    """`number` for a message, however large it is.

    Python refuses to print the digits of very large ints, so those are estimated.

    Examples
    --------
    >>> shown(-7), shown(-(10**700))
    ('-7', 'about -2**2325')
    """
    if abs(number) < _TOO_LONG:
        return str(number)
    return f"about {'-' if number < 0 else ''}2**{number.bit_length() - 1}"
