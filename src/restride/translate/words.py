"""Reading the parameters of a call: names first, then one kind of value at a time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn, TypeVar

from restride.checks import MAX_RANK, as_index, as_ints, as_sequence
from restride.errors import RestrideError
from restride.translate.errors import SpecError
from restride.translate.spec import Call, shown_value

__all__ = ["INEXACT", "Frame", "Words", "saturated"]

T = TypeVar("T")

INEXACT = "give shape= to be exact."
"""End of a note that the calls give other elements on some shapes."""

INT64 = (-(2**63), 2**63 - 1)
"""Least and most of the numbers that dialects with integer tensors can hold."""


class Frame:
    """What is known of the array an operator stands on: its shape, or its rank.

    Examples
    --------
    >>> Frame((3, 5)).rank, Frame(None, 2).shape
    (2, None)
    """

    __slots__ = ("rank", "shape")

    def __init__(self, shape: tuple[int, ...] | None, rank: int | None = None) -> None:
        self.shape = shape
        self.rank = len(shape) if shape is not None else rank

    def need_rank(self, why: str) -> int:
        """The rank, or a refusal that says what it is needed for."""
        if self.rank is None:
            raise SpecError(f"{why}; give shape= or rank= of the input.")
        return self.rank

    def need_shape(self, why: str) -> tuple[int, ...]:
        """The shape, or a refusal that says what it is needed for."""
        if self.shape is None:
            raise SpecError(f"{why}; give shape= of the input.")
        return self.shape


class Words:
    """The parameters of one call, each taken once by name.

    Raises
    ------
    SpecError
        A name the operator does not have, a missing one, a value of another kind.

    Examples
    --------
    >>> w = Words(Call("numpy", "pad", {"pad_width": 1}), "pad_width mode")
    >>> w.value("mode", "constant"), w.value("pad_width")
    ('constant', 1)
    """

    def __init__(self, call: Call, names: str, lenient: bool = False) -> None:
        self.call, self.names, self.lenient = call, names.split(), lenient
        self.notes: list[str] = []
        extra = [name for name in call.params if name not in self.names]
        if extra:
            self.refuse(
                f"has no parameter {shown_value(extra[0])}; its parameters are "
                f"{', '.join(self.names)}."
            )

    def has(self, name: str) -> bool:
        """True where the parameter is given and not None."""
        return self.call.params.get(name) is not None

    def value(self, name: str, *default: Any) -> Any:
        """The parameter as given, or the default; without one it must be given."""
        found = self.call.params.get(name)
        if found is not None:
            return found
        if not default:
            self.refuse(f"needs {name}; its parameters are {', '.join(self.names)}.")
        return default[0]

    def ints(self, name: str, *default: Any) -> tuple[int, ...]:
        """A list of integers; one integer is a list of one."""
        found = self.value(name, *default)
        if found is None:
            return ()
        given = as_sequence(found)
        return self._door(lambda: as_ints(given, self._name(name), any_length=True))

    def integer(self, name: str, *default: int) -> int:
        """One integer."""
        found = self.value(name, *default)
        return self._door(lambda: as_index(found, self._name(name), any_length=True))

    def text(self, name: str, *default: str) -> str:
        """One str."""
        found = self.value(name, *default)
        if not isinstance(found, str):
            self.refuse(f"{name} = {shown_value(found)} is not a str.")
        return found

    def flag(self, name: str, default: bool) -> bool:
        """True or False, or the numbers 1 and 0."""
        found = self.value(name, default)
        if found not in (True, False):
            self.refuse(f"{name} = {shown_value(found)}; give true or false.")
        return bool(found)

    def scalar(self, name: str, default: Any = 0) -> Any:
        """A single constant; a list of one is that one."""
        found = self.value(name, default)
        while isinstance(found, tuple) and len(found) == 1:
            found = found[0]
        if isinstance(found, (tuple, dict, set, str)):
            self.refuse(f"{name} = {shown_value(found)} is not a single value.")
        return found

    def table(self, name: str) -> tuple[tuple[int, ...], ...]:
        """Rows of integers."""
        rows = self.value(name)
        if not isinstance(rows, tuple) or not all(isinstance(r, tuple) for r in rows):
            self.refuse(f"{name} = {shown_value(rows)} is not a list of lists.")
        if len(rows) > MAX_RANK:
            self.refuse(f"{name} has {len(rows)} rows; at most {MAX_RANK}.")
        named = [(row, f"{self._name(name)}[{k}]") for k, row in enumerate(rows)]
        return self._door(lambda: tuple([as_ints(row, at) for row, at in named]))

    def pairs(self, name: str) -> tuple[tuple[int, int], ...]:
        """Rows of two integers."""
        rows = self.table(name)
        for k, row in enumerate(rows):
            if len(row) != 2:
                self.refuse(f"{name}[{k}] has length {len(row)}; give before, after.")
        return tuple([(row[0], row[1]) for row in rows])

    def note(self, text: str) -> None:
        """Something the reader of a translation should know."""
        self.notes.append(text)

    def limit(self, what: str) -> None:
        """Refuse what the dialect does not take, unless only the words are asked for.

        They are when dialects are compared: this one's own operator then refuses.
        """
        if not self.lenient:
            self.refuse(what)

    def refuse(self, what: str) -> NoReturn:
        """Raise a SpecError that names the operator."""
        raise SpecError(f"{self.call.dialect} {self.call.op}: {what}")

    def _name(self, name: str) -> str:
        return f"{self.call.dialect} {self.call.op}: {name}"

    def _door(self, read: Callable[[], T]) -> T:
        """What `read` gives; its errors as this call's."""
        try:
            return read()
        except RestrideError as error:
            raise SpecError(str(error)) from None


def saturated(number: int) -> int:
    """`number` as an int64 that bounds the same range on any axis.

    Examples
    --------
    >>> saturated(2**70) == 2**63 - 1, saturated(-3)
    (True, -3)
    """
    return min(max(number, INT64[0]), INT64[1])
