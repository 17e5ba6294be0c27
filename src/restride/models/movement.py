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

from restride.errors import RestrideError
from restride.models.folding import numbers_of
from restride.models.known import Known, Node
from restride.translate.meaning import Step

__all__ = ["AtRunTimeError", "Movement", "Params"]

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
        """Parameters computed at run time, and where they come from."""

    def ints(self, name: str, k: int | None) -> tuple[int, ...] | None:
        """A list of integers: the attribute `name`, or the k-th input; None: absent."""
        given = self._given(name, k)
        if given is None or isinstance(given, tuple):
            found = given
        elif isinstance(given, int):
            found = (given,)
        else:
            found = self._of_input(name, given)
        if found is not None and name not in self.late:
            self.found[name] = found
        return found

    def _given(self, name: str, k: int | None) -> Any:
        if name in self.node.attributes:
            return self.node.attributes[name]
        return None if k is None else self.node.input(k)

    def _of_input(self, name: str, known: Known) -> tuple[int, ...]:
        numbers = numbers_of(known)
        if numbers is None or not numbers.is_whole:
            self.found[name] = None
            self.late[name] = known.origin
            return ()
        return tuple([int(v) for v in numbers.items if v is not None])

    def value(self, name: str, k: int | None, default: Any) -> Any:
        """A single number; `default` where it is absent."""
        given = self._given(name, k)
        if given is None:
            return default
        if isinstance(given, Known):
            numbers = numbers_of(given)
            if numbers is None or not numbers.is_whole or len(numbers.items) != 1:
                self.found[name] = None
                self.late[name] = given.origin
                return default
            given = numbers.items[0]
        self.found[name] = given
        return given

    def text(self, name: str, default: str) -> str:
        """A word among the attributes."""
        given = self.node.attributes.get(name, default)
        self.found[name] = given if isinstance(given, str) else default
        return str(self.found[name])

    def settle(self) -> None:
        """Refuse to go on where something is computed at run time."""
        if self.late:
            told = [f"{name} comes from {o or 'it'}" for name, o in self.late.items()]
            raise AtRunTimeError(f"{', '.join(told)} when the model runs.", *self.late)


Reader = Callable[[Node, Params], tuple[Steps, ...]]
"""Reads a node's parameters and gives the steps of each output."""
