"""The one door from a caller's objects to plain Python ints."""

from __future__ import annotations

import re
import reprlib
from collections.abc import Iterable
from itertools import islice
from operator import index
from typing import Any

from restride.errors import BoundsError, DTypeError, ShapeError

__all__ = [
    "MAX_BYTES",
    "MAX_RANK",
    "MOST_ENTRIES",
    "as_axes",
    "as_bytes",
    "as_flag",
    "as_index",
    "as_ints",
    "as_sequence",
    "as_shape",
    "counted",
    "is_nest",
    "kind_of",
    "printable",
    "shown",
    "spread",
    "usual_ints",
]

MAX_RANK = 64
"""Most axes an array may have: NumPy's own limit."""

MOST_BITS = 1024
"""Longest integer taken: far beyond any array, and short enough for a message."""

MOST_ENTRIES = 512
"""Longest list of extents, steps or widths that is read to its end."""

LEAST, USUAL = -(2**63), 2**63
"""Bounds on ints that need no further look; NumPy's ints are between them too."""

MAX_BYTES = 2**63 - 1
"""Most bytes an array may span: what a pointer difference can hold."""

AMOUNT = re.compile(r"\s*([+-]?[\d.]+(?:e[+-]?\d+)?)\s*([kmgtp]?)(i?)b?\s*", re.I)
"""Bytes as text: the number, the letter of a unit, and an i for powers of two."""

LETTERS = "KMGTP"
"""Units, each a thousand of the one before."""


LEAVES = (str, bytes, bytearray, memoryview, dict)
"""What has items and is no list of them to NumPy."""

AS_ARRAYS = ("__array__", "__array_interface__", "__array_struct__", "__buffer__")
"""What NumPy asks before it takes anything for a list."""


def is_nest(kind: type) -> bool:
    """True for types whose values NumPy reads item by item, as it does lists.

    Examples
    --------
    >>> is_nest(list), is_nest(str), is_nest(range), is_nest(int)
    (True, False, True, False)
    """
    if kind is list or kind is tuple:
        return True
    if kind is int or kind is float or issubclass(kind, LEAVES):
        return False
    if any(hasattr(kind, word) for word in AS_ARRAYS):
        return False
    return hasattr(kind, "__getitem__") and hasattr(kind, "__len__")


class _Showing(reprlib.Repr):
    """Of a list of any class only its class and length: its own text may be endless."""

    def repr_int(self, x: Any, level: int) -> str:
        if x.bit_length() > MOST_BITS:  # Python refuses to write the longest
            return f"<an int of {x.bit_length()} bits>"
        return super().repr_int(x, level)

    def repr_instance(self, x: Any, level: int) -> str:
        if not is_nest(type(x)):
            return super().repr_instance(x, level)
        try:
            return f"<{type(x).__name__} of {len(x)}>"
        except Exception:  # its own code
            return f"<{type(x).__name__}>"


_SHOWING = _Showing()
_SHOWING.maxlevel = 3
_SHOWING.maxstring = _SHOWING.maxother = 60


def counted(count: int, one: str, more: str) -> str:
    """A number and its noun.

    Examples
    --------
    >>> counted(1, "axis", "axes"), counted(2, "axis", "axes")
    ('1 axis', '2 axes')
    """
    return f"{count} {one if count == 1 else more}"


def nearest(word: str, known: Iterable[str], likeness: float = 0.7) -> str:
    """The known word that a mistyped one is most like, or nothing.

    Examples
    --------
    >>> nearest("reflct", ("edge", "reflect")), nearest("x", ("edge", "reflect"))
    ('reflect', '')
    """
    from difflib import get_close_matches  # for an error only

    return next(iter(get_close_matches(word[:LONGEST_WORD], known, 1, likeness)), "")


LONGEST_WORD = 40
"""How much of a mistyped word is looked at."""


def shown(value: Any) -> str:
    """`value` as a message shows it: short, and not to its end where it is deep.

    Examples
    --------
    >>> shown([[[[[1]]]]])
    '[[[[...]]]]'
    """
    text = _SHOWING.repr(value)
    return text if text.isprintable() else printable(" ".join(text.split()))


def printable(text: str) -> str:
    """`text` on one line, as a terminal may show it.

    Examples
    --------
    >>> printable("no\\nfile")
    'no\\\\nfile'
    """
    return "".join([c if c.isprintable() else repr(c)[1:-1] for c in text])


def as_index(value: Any, name: str, any_length: bool = False) -> int:
    """`value` as a plain int.

    Any object with ``__index__`` but bool is taken, so NumPy integers are and
    ``1.0`` and ``True`` are not.

    Examples
    --------
    >>> as_index(3, "offset")
    3
    >>> as_index(True, "offset")
    Traceback (most recent call last):
    restride.errors.DTypeError: offset = True is not an integer; give an int.
    """
    if type(value) is int:
        usual = any_length or LEAST < value < USUAL
        return value if usual else _sized(value, name)
    kind = type(value).__name__
    if kind not in ("bool", "bool_"):
        try:
            return as_index(index(value), name, any_length)
        except TypeError:
            pass
    raise DTypeError(f"{name} = {shown(value)} is not an integer; give an int.")


def as_flag(value: Any, name: str) -> bool:
    """`value` as True or False, where it is either.

    Examples
    --------
    >>> as_flag(1, "strict")
    True
    """
    try:
        return bool(value)
    except (TypeError, ValueError):
        raise DTypeError(
            f"{name} is {kind_of(value)}, neither true nor false; give True or False."
        ) from None


def as_bytes(value: Any, name: str) -> int:
    """A number of bytes: an int, a float without a fraction, or text with a unit.

    Examples
    --------
    >>> [as_bytes(n, "max_bytes") for n in (64, 256e6, "12GB", "1.5 mb", "2MiB")]
    [64, 256000000, 12000000000, 1500000, 2097152]
    """
    count = _count_of(value, name)
    if count < 0:
        raise ShapeError(
            f"{name} {_said(value)}: a number of bytes is positive, as 256MB."
        )
    return count


def _count_of(value: Any, name: str) -> int:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if not isinstance(value, str):
        try:
            return as_index(value, name)
        except DTypeError:
            raise DTypeError(_no_bytes(shown(value), name)) from None
    found = AMOUNT.fullmatch(value)
    try:
        if found is None:
            raise ValueError
        number, letter, binary = found.groups()
        power = LETTERS.find(letter.upper()) + 1 if letter else 0
        return int(float(number) * (1024 if binary else 1000) ** power)
    except (ValueError, OverflowError):
        raise ShapeError(_no_bytes(_said(value), name)) from None


def _said(value: Any) -> str:
    """Text without quotes where it is short and can be printed as it is."""
    usual = isinstance(value, str) and value.isprintable() and 0 < len(value) <= 60
    return str(value) if usual else shown(value)


def _no_bytes(given: str, name: str) -> str:
    return f"{name} {given}: give a number of bytes, as 2000000, 500MB, 12GB or 2GiB."


def _sized(value: int, name: str) -> int:
    """`value`, unless it is too long even to be printed in a message."""
    if value.bit_length() > MOST_BITS:
        raise BoundsError(
            f"{name} is an integer of {value.bit_length()} bits; no array is so large."
        )
    return value


def as_ints(values: Any, name: str, any_length: bool = False) -> tuple[int, ...]:
    """A sequence of integers as a tuple of plain ints.

    `any_length` also takes integers too long to print, for what clamps them.  A list
    too long for any array's axes, maybe without an end, is not read through.

    Examples
    --------
    >>> as_ints([1, 2], "size")
    (1, 2)
    """
    usual = usual_ints(values)
    if usual is not None:
        return usual
    many = isinstance(values, (tuple, list)) or (
        isinstance(values, Iterable)
        and not isinstance(values, (str, bytes))
        and getattr(values, "ndim", None) != 0
    )
    if not many:
        raise DTypeError(
            f"{name} = {shown(values)} is not a sequence of integers; give a list or "
            "tuple."
        )
    given = list(islice(values, MOST_ENTRIES + 1))
    if len(given) > MOST_ENTRIES:  # maybe without an end
        raise ShapeError(
            f"{name} has more than {MOST_ENTRIES} entries; give one per axis."
        )
    return tuple(
        [
            v
            if type(v) is int and LEAST < v < USUAL
            else as_index(v, f"{name}[{i}]", any_length)
            for i, v in enumerate(given)
        ]
    )


def usual_ints(values: Any) -> tuple[int, ...] | None:
    """A list or tuple of ints of usual length as a tuple; None: look more closely.

    Examples
    --------
    >>> usual_ints([1, 2]), usual_ints([1, True])
    ((1, 2), None)
    """
    kind = type(values)
    if (kind is not tuple and kind is not list) or len(values) > MOST_ENTRIES:
        return None
    given: tuple[int, ...] = tuple(values)
    for v in given:
        if type(v) is not int or not LEAST < v < USUAL:
            return None
    return given


def as_sequence(value: Any) -> Any:
    """One int as a list of one; arrays have ``__index__`` too, so ask their rank."""
    if type(value) is tuple or type(value) is list:
        return value
    alone = hasattr(value, "__index__") and not getattr(value, "ndim", 0)
    return [value] if alone else value


def spread(given: tuple[Any, ...]) -> Any:
    """The arguments, or the one sequence given instead of them."""
    return as_sequence(given[0]) if len(given) == 1 else given


def as_shape(values: Any, name: str = "shape") -> tuple[int, ...]:
    """A shape: at most 64 extents, none negative; one int means one axis.

    Examples
    --------
    >>> as_shape((2, 3))
    (2, 3)
    """
    shape = as_ints(as_sequence(values), name)
    if len(shape) > MAX_RANK:
        raise ShapeError(f"{name} has {len(shape)} axes; at most {MAX_RANK} allowed.")
    for axis, extent in enumerate(shape):
        if extent < 0:
            raise ShapeError(f"{name}[{axis}] = {extent}; an extent is 0 or more.")
    return shape


def as_axes(values: Any, rank: int, name: str = "axes") -> tuple[int, ...]:
    """Axes of an array of `rank` axes; negative ones count from the end.

    Examples
    --------
    >>> as_axes((-1, 0), 3)
    (2, 0)
    """
    given = as_ints(as_sequence(values), name)
    for axis in given:
        if not -rank <= axis < rank:
            raise ShapeError(
                f"{name} names axis {axis} of an array of {rank} axes; "
                f"allowed is {-rank} to {rank - 1}."
            )
    axes = tuple([axis % rank for axis in given])
    if len(set(axes)) != len(axes):
        raise ShapeError(f"{name} = {given} names one axis twice; name each once.")
    return axes


def kind_of(x: Any) -> str:
    """What `x` is, for an error: its class, and the package of one that is not usual.

    Examples
    --------
    >>> kind_of([1]), kind_of(re.compile("a"))
    ('a list', 'a Pattern of re')
    """
    kind = type(x)
    article = "an" if kind.__name__[0] in "AEIOUaeiou" else "a"
    home = kind.__module__.partition(".")[0]
    origin = "" if home in ("builtins", "numpy", "restride") else f" of {home}"
    return f"{article} {kind.__name__}{origin}"
