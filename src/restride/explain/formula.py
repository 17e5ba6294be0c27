"""One map as one line of arithmetic.

>>> linear([(2, "i"), (-1, "j")], 3)
'2*i - j + 3'
>>> linear([(-1, "i")], 4)
'4 - i'
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from restride.layout.index_map import Axis, IndexMap

__all__ = ["formula", "function_name", "index_names", "linear"]

LETTERS = "ijklmnpq"
"""Index names; o is left out because it reads as 0."""


def index_names(rank: int) -> tuple[str, ...]:
    """Names of the indices of a result of `rank` axes.

    Examples
    --------
    >>> index_names(3)
    ('i', 'j', 'k')
    """
    if rank <= len(LETTERS):
        return tuple(LETTERS[:rank])
    return tuple(f"i{r}" for r in range(rank))


def function_name(axis: int) -> str:
    """Name of the piecewise function of a result axis that bends: a, b, c, ..."""
    return chr(ord("a") + axis) if axis < 8 else f"p{axis}"


def linear(terms: Sequence[tuple[int, str]], constant: int) -> str:
    """``sum of factor * name + constant``, as people write it."""
    live = [(factor, name) for factor, name in terms if factor]
    if not live:
        return str(constant)
    parts = [_term(factor, name) for factor, name in live]
    if constant > 0 and live[0][0] < 0:
        parts.insert(0, str(constant))
    elif constant:
        parts.append(str(constant))
    text = parts[0]
    for part in parts[1:]:
        text += f" - {part[1:]}" if part.startswith("-") else f" + {part}"
    return text


def formula(m: IndexMap, source: str, result: str) -> str:
    """``y[i, j] = x[...]``; an axis that bends is a named function of its index."""
    left = f"{result}[{', '.join(index_names(len(m.axes)))}]"
    if m.size == 0:
        return f"{left} holds no element"
    if m.background is not None:
        return f"{left} = constants only; {source} is not read"
    right = ", ".join(_position(m, s) for s in range(len(m.source_shape)))
    return f"{left} = {source}[{right}]"


def _position(m: IndexMap, source: int) -> str:
    """The source position along one source axis."""
    return linear(list(_terms(m, source)), m.base[source])


def _terms(m: IndexMap, source: int) -> Iterator[tuple[int, str]]:
    names = index_names(len(m.axes))
    for r, axis in enumerate(m.axes):
        if axis.source == source:
            yield _walk(axis, r, names[r])


def _walk(axis: Axis, r: int, name: str) -> tuple[int, str]:
    if axis.map.is_affine:
        return axis.map.step, name
    return 1, f"{function_name(r)}({name})"


def _term(factor: int, name: str) -> str:
    if factor in (1, -1):
        return name if factor == 1 else f"-{name}"
    return f"{factor}*{name}"
