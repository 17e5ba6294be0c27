"""What a node moves: its parameters, and the steps they come to.

A movement operator is one whose result holds elements of its input, and constants, at
places that parameters alone decide.  Its parameters may be in the model, or computed
when it runs; then which ones is told.

>>> Movement(Node((), 0, "", "Slice", "", 18, {}, (), ())).is_known
False
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from restride.errors import DTypeError, RestrideError
from restride.models.known import Known, Node, numbers_of
from restride.translate.meaning import Step

__all__ = [
    "AtRunTimeError",
    "Movement",
    "Params",
    "Reader",
    "Steps",
    "need_rank",
    "need_shape",
    "why",
]

Steps = tuple[Step, ...]


class AtRunTimeError(RestrideError):
    """What decides a movement is not in the model.

    Attributes
    ----------
    names : tuple of str
        The parameters, or the shape, that are not known.
    """

    def __init__(self, message: str, *names: str) -> None:
        super().__init__(message)
        self.names = names


@dataclass(frozen=True)
class Movement:
    """A node that moves elements."""

    node: Node
    """The node."""
    data: Known | None = None
    """The tensor whose elements it moves."""
    params: Mapping[str, Any] = field(default_factory=dict)
    """Its parameters by the model's names; None: computed when the model runs."""
    outputs: tuple[Steps, ...] | None = None
    """For each output the steps from `data` to it; None: not known."""
    open: str = ""
    """Why the steps are not known, in words."""
    wrong: str = ""
    """Why the operator is not defined on what it is given; no target runs it then."""

    @property
    def is_known(self) -> bool:
        """True where all its steps are known."""
        return self.outputs is not None

    @property
    def dynamic(self) -> tuple[str, ...]:
        """Names of the parameters that are computed when the model runs."""
        return tuple([name for name, value in self.params.items() if value is None])


class Params:
    """A node's parameters, each read once: from an attribute or from an input.

    What was read is kept for people in `found`; what is not in the model as None.
    """

    def __init__(self, node: Node) -> None:
        self.node = node
        self.found: dict[str, Any] = {}
        self.late: dict[str, str] = {}
        """Parameters that are not known, and why."""

    def ints(self, name: str, k: int | None) -> tuple[int, ...] | None:
        """A list of integers: the attribute `name`, or the k-th input; None: absent."""
        given = self._given(name, k)
        if given is None:
            return None
        found = self._of_input(name, given) if isinstance(given, Known) else given
        many = found if isinstance(found, tuple) else (found,)
        listed = tuple([v for v in many if type(v) is int])
        if len(listed) != len(many):
            raise self._unusable(name, given, "a list of integers")
        if name not in self.late:
            self.found[name] = listed
        return listed

    def _given(self, name: str, k: int | None) -> Any:
        if name in self.node.attributes:
            return self.node.attributes[name]
        return None if k is None else self.node.input(k)

    def _of_input(self, name: str, known: Known) -> tuple[int | float, ...]:
        """The numbers of an input; () of one that is computed at run time."""
        numbers = numbers_of(known)
        if numbers is None or not numbers.is_whole:
            self.found[name] = None
            self.late[name] = why(name, known)
            return ()
        return tuple([_plain(v) for v in numbers.items if v is not None])

    def _unusable(self, name: str, given: Any, wanted: str) -> DTypeError:
        told = given.text() if isinstance(given, Known) else type(given).__name__
        return DTypeError(f"{self.node.op}: {name} is {told}; it must be {wanted}.")

    def value(self, name: str, k: int | None, default: Any) -> Any:
        """A single number; `default` where it is absent."""
        given = self._given(name, k)
        if given is None:
            return default
        if isinstance(given, Known):
            numbers = self._of_input(name, given)
            if name in self.late:
                return default
            if len(numbers) != 1:
                raise self._unusable(name, given, "one number")
            given = numbers[0]
        if not isinstance(given, (int, float)):
            raise self._unusable(name, given, "one number")
        self.found[name] = given
        return given

    def integer(self, name: str, k: int | None, default: int) -> int:
        """A single integer; a float that is whole counts as one."""
        found = self.value(name, k, default)
        if isinstance(found, float) and not found.is_integer():
            raise self._unusable(name, found, "one integer")
        return int(found)

    def text(self, name: str, default: str) -> str:
        """A word among the attributes."""
        given = self.node.attributes.get(name, default)
        self.found[name] = given if isinstance(given, str) else default
        return str(self.found[name])

    def settle(self) -> None:
        """Refuse to go on where something is computed at run time."""
        if self.late:
            raise AtRunTimeError(f"{'; '.join(self.late.values())}.", *self.late)


def need_shape(known: Known | None, why: str) -> tuple[int, ...]:
    """The data's shape.

    Raises
    ------
    AtRunTimeError
        It is not known; `why` says what it is needed for.
    """
    if known is None or known.extents is None:
        raise AtRunTimeError(f"{why}, and the shape is known when it runs.", "shape")
    return known.extents


def need_rank(known: Known | None, why: str) -> int:
    """The data's rank.

    Raises
    ------
    AtRunTimeError
        It is not known; `why` says what it is needed for.
    """
    if known is None or known.rank is None:
        raise AtRunTimeError(f"{why}, and the rank is known when it runs.", "rank")
    return known.rank


def why(name: str, known: Known) -> str:
    """Why a parameter's numbers are not known."""
    if known.constant is None:
        return f"{name} comes from {known.origin or known.name} when the model runs"
    try:
        known.constant.array()
    except RestrideError as error:
        return f"{name} cannot be read: {str(error).removesuffix('.')}"
    return f"{name} has {known.constant.count} values of type {known.dtype}, not read"


def _plain(value: int | float) -> int | float:
    """A number of a tensor: bools are integers."""
    return int(value) if isinstance(value, int) else value


Reader = Callable[[Node, Params], tuple[Steps, ...]]
"""Reads a node's parameters and gives the steps of each output."""
