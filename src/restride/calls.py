"""How a plain call runs: in Python the first time, by its bound program after that."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import update_wrapper
from inspect import Signature, signature
from types import MethodType
from typing import Any, NamedTuple, ParamSpec

import numpy as np

from restride.arrays import as_source, as_target, plain
from restride.constants import of_numbers
from restride.engines.known import Answer, Known
from restride.engines.prepared import Prepared
from restride.errors import DTypeError
from restride.layout.chain import Chain
from restride.layout.index_map import IndexMap
from restride.lazy import View, fit, prepare

__all__ = ["Write", "check_same_dtype", "reads", "reads_within", "writes", "written"]

Array = np.ndarray[Any, Any]
Words = ParamSpec("Words")
Guard = Callable[[], AbstractContextManager[None]]
Region = Callable[[tuple[int, ...], tuple[int, ...]], IndexMap]
"""The cells that are written, from the shapes of destination and source."""


class Write(NamedTuple):
    """A region write that is ready to run."""

    prepared: Prepared
    target: Array
    source: Array


class Call(Known):
    """A plain function: the view or write it names is run, and the call remembered.

    Parameters
    ----------
    function : callable
        Gives a View, to be copied into ``out`` where that is given; a Write; or an
        array that is the result.
    second : int
        Where in the arguments the array that is read stands, for a write.
    """

    def __init__(self, function: Callable[..., Any], second: int = 0) -> None:
        self._function = function
        self._second = second
        update_wrapper(self, function)

    def _first(self, *args: Any, **words: Any) -> Answer:
        asked = self._function(*args, **words)
        if isinstance(asked, View):
            if type(asked) is View:
                prepared = prepare(asked.chain, asked.array.dtype)
            else:
                prepared = asked.prepared()
            told = prepared.read(asked.array, words.get("out"))
            if args and args[0] is asked.array:
                return told
            return told[0], None, ()
        if isinstance(asked, Write):
            told = asked.prepared.answer(asked.source, asked.target)
            return told if self._writes(args, asked) else (told[0], None, ())
        return asked, None, ()

    def _writes(self, args: tuple[Any, ...], asked: Write) -> bool:
        """True where the arrays that are moved are the caller's own."""
        if len(args) <= self._second:
            return False
        return args[0] is asked.target and args[self._second] is asked.source

    @property
    def __signature__(self) -> Signature:
        """That of the function, but for what comes back."""
        return signature(self._function).replace(return_annotation="ndarray")

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        """Behave as a function does, in classes and for ``help``."""
        return self if instance is None else MethodType(self, instance)

    def __reduce__(self) -> str:
        return str(self._function.__qualname__)

    def __repr__(self) -> str:
        return f"<function {self._function.__qualname__}>"


class Guarded(Call):
    """The same in a context: `guard` gives it, for the function and for its view."""

    def __init__(self, function: Callable[..., Any], guard: Guard) -> None:
        super().__init__(function)
        self._guard = guard

    def _first(self, *args: Any, **words: Any) -> Answer:
        with self._guard():
            return super()._first(*args, **words)


def reads(function: Callable[Words, View | Array]) -> Callable[Words, Array]:
    """The function that runs the view `function` names."""
    return Call(function)


def reads_within(
    guard: Guard,
) -> Callable[[Callable[Words, View | Array]], Callable[Words, Array]]:
    """The same for a dialect: `guard` tells in its errors what is refused."""
    return lambda function: Guarded(function, guard)


def writes(second: int) -> Callable[[Callable[Words, Write]], Callable[Words, Array]]:
    """The function that runs the write a function names, reading argument `second`."""
    return lambda function: Call(function, second)


def written(dst: Any, src: Any, region: Region, name: str) -> Write:
    """`src` into the cells of `dst` that `region` names, for the function `name`."""
    target = as_target(dst, None, None, "dst")
    told = target if type(target) is np.ndarray else plain(target)
    shape, dtype = told.shape, told.dtype  # what a caller's code changes is met later
    src = of_numbers(src, dtype, "src")
    if not isinstance(src, View):
        array = as_source(src, "src")
        src = View(array, Chain.identity(array.shape))
    source: View = src
    check_same_dtype(source.dtype, dtype, name)
    cells = region(shape, source.shape)
    prepared = prepare(fit(source, cells.shape, name).chain, dtype, cells)
    return Write(prepared, target, source.array)


def check_same_dtype(given: np.dtype[Any], wanted: np.dtype[Any], name: str) -> None:
    """Refuse arrays that would have to be converted on the way."""
    if given != wanted:
        raise DTypeError(
            f"{name}: src has dtype {given} and dst {wanted}; they must be equal, byte "
            "order included. Convert src with astype first."
        )
