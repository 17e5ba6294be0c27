"""Pad: extend each axis by a constant, its edge, or a mirror or repeat of itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from restride.checks import MOST_ENTRIES, as_flag, as_shape, nearest, shown
from restride.errors import ShapeError
from restride.layout.chain import Chain
from restride.layout.constant import Constant
from restride.layout.extension import MODES
from restride.ops.paddings import (
    NUMBERS,
    Pairs,
    read_constants,
    read_paddings,
    refuse_unordered,
)

__all__ = ["Pad", "padded", "read_mode"]

SPELLED = {mode: mode for mode in MODES} | {
    "REFLECT": "reflect",
    "SYMMETRIC": "symmetric",
}
"""Accepted spelling of a mode: the document's four, and lower case."""


DEEPEST, MOST_OF_ROW = 3, 6
"""How deep constants may be nested, and how many of a row are read: a pair is the
most that is allowed, and messages show six."""

WORDS_ELSEWHERE = {
    "constant": "zero zeros border_constant grid-constant",
    "edge": "replicate replication nearest clamp border_replicate",
    "reflect": "reflection mirror reflect_101 reflect101 border_reflect_101 "
    "border_reflect101 border_default",
    "symmetric": "border_reflect grid-mirror",
    "wrap": "circular periodic grid-wrap border_wrap",
}
"""What other libraries (NumPy, SciPy, OpenCV, PyTorch) call our modes."""

OTHERS_WORDS = {mode: mode for mode in MODES} | {
    word: mode for mode, words in WORDS_ELSEWHERE.items() for word in words.split()
}
"""Our mode for each of these words, and for itself in another case of letters."""

COMPUTED = ("mean", "median", "maximum", "minimum", "linear_ramp", "empty")
"""NumPy's modes whose values are not moved but computed, or left to chance."""


@dataclass(frozen=True, slots=True)
class Pad:
    """``y[k] = x[k - before]`` inside x; outside, what `mode` says.

    Positive sides extend the original axis, negative sides crop afterwards.  Where
    two axes both say "constant", the later axis wins.

    Raises
    ------
    ShapeError
        `mode` is not one of the accepted spellings.

    Notes
    -----
    CANN PadV3, "参数说明" and "约束说明".  Unlike it, widths are not bounded by the
    extent unless strict, and "wrap" exists.

    Examples
    --------
    >>> Pad(((0, 0), (2, 2)), "REFLECT").infer_shape((1, 3))
    (1, 7)
    """

    paddings: Any
    """Elements to add before and after; see `restride.pad` for the forms."""
    mode: str = "constant"
    """"constant", "edge", "reflect" (or "REFLECT"), "symmetric", "wrap"."""
    constant_values: Any = 0
    """One value, one pair, or one of these per axis; None: all-zero bytes."""
    paddings_contiguous: bool = True
    """True: one (before, after) row per axis; False: all befores, then all afters."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "mode", read_mode(self.mode))
        object.__setattr__(self, "paddings", _frozen(self.paddings))
        object.__setattr__(self, "constant_values", _frozen(self.constant_values))
        is_rows = as_flag(self.paddings_contiguous, "pad: paddings_contiguous")
        object.__setattr__(self, "paddings_contiguous", is_rows)

    def pairs(self, rank: int) -> tuple[tuple[int, int], ...]:
        """(before, after) per axis of an array of `rank` axes."""
        return read_paddings(self.paddings, rank, self.paddings_contiguous)

    def fills(self, rank: int) -> tuple[tuple[Any, Any], ...] | None:
        """(before, after) constants per axis; None in the other modes."""
        values = self.constant_values
        return read_constants(values, rank) if self.mode == "constant" else None

    def check(
        self, shape: Sequence[int], dtype: Any = None, strict: bool = False
    ) -> None:
        """Refuse what is not defined on `shape`; strict: or not documented."""
        self.chain(shape)
        if as_flag(strict, "pad: strict"):
            if self.mode == "wrap":
                raise ShapeError(
                    "pad: mode 'wrap' is not documented for PadV3; strict allows "
                    "constant, edge, REFLECT, SYMMETRIC. Leave strict out."
                )
            for axis, pair in enumerate(self.pairs(len(shape))):
                self._check_documented(axis, shape[axis], pair)

    def _check_documented(self, axis: int, n: int, pair: tuple[int, int]) -> None:
        most = {"reflect": n - 1, "symmetric": n}.get(self.mode)
        if most is not None and max(pair) > most:
            raise ShapeError(
                f"pad: paddings[{axis}] = {pair} on axis {axis} of extent {n}; strict "
                f"mode '{self.mode}' allows at most {most}. Leave strict out."
            )
        if min(pair) < -n:
            raise ShapeError(
                f"pad: paddings[{axis}] = {pair} on axis {axis} of extent {n}; strict "
                f"allows no side below {-n}. Leave strict out."
            )

    def infer_shape(self, shape: Sequence[int]) -> tuple[int, ...]:
        """Shape of the result."""
        return self.chain(shape).shape

    def chain(self, shape: Sequence[int]) -> Chain:
        """What it reads, as a map over an array of `shape`."""
        whole = Chain.identity(as_shape(shape))
        pairs = self.pairs(len(whole.shape))
        return padded(whole, pairs, self.mode, self.constant_values)

    def __hash__(self) -> int:
        return hash(self._key())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Pad) and self._key() == other._key()

    def _key(self) -> tuple[Any, ...]:
        values = _keyed(self.constant_values)
        return self.paddings, self.mode, values, self.paddings_contiguous


def padded(chain: Chain, pairs: Pairs, mode: str, constant_values: Any) -> Chain:
    """`chain` extended by `pairs`, with mode and constants as callers spell them."""
    spelled, values = read_mode(mode), constant_values
    if type(values) not in NUMBERS:
        values = _frozen(values)
    fills = read_constants(values, len(pairs)) if spelled == "constant" else None
    return chain.pad(pairs, spelled, fills)


def read_mode(mode: str) -> str:
    """The one name of a mode."""
    if not isinstance(mode, str) or mode not in SPELLED:
        raise ShapeError(
            f"pad: mode {shown(mode)} is not known; use one of {', '.join(SPELLED)}."
            f"{_hint(mode.lower() if isinstance(mode, str) else '')}"
        )
    return SPELLED[mode]


def _hint(word: str) -> str:
    """A sentence to put behind the error, or nothing."""
    if word in OTHERS_WORDS:
        return f" Here that is '{OTHERS_WORDS[word]}'."
    if word in COMPUTED:
        return " restride.dialects.numpy.pad has it."
    near = nearest(word, OTHERS_WORDS)
    return f" Is '{OTHERS_WORDS[near]}' meant?" if near else ""


def _frozen(given: Any, depth: int = 0) -> Any:
    """Lists and arrays as tuples of the same depth, so that a later change is lost."""
    if depth > DEEPEST:  # a list may also hold itself
        raise ShapeError(
            "pad: constant_values hold lists in lists; give one value, one pair, or a "
            "pair per axis."
        )
    if type(given) in NUMBERS:
        return given
    refuse_unordered(given)
    if isinstance(given, (str, bytes)):
        return given
    if getattr(given, "ndim", None) == 0:
        return _element(given)
    if hasattr(given, "__iter__"):
        # One more than allowed is enough to refuse it, and an endless one ends here.
        most = MOST_ENTRIES if depth == 0 else MOST_OF_ROW
        return tuple(_frozen(v, depth + 1) for v in islice(given, most + 1))
    return given


def _element(given: Any) -> Any:
    """The element of a 0-d array, which is not changed by writing to the array."""
    held = given[()] if hasattr(given, "__getitem__") else given
    is_fixed = type(held).__module__ in ("numpy", "ml_dtypes")
    return held if is_fixed or not hasattr(held, "item") else held.item()


def _keyed(given: Any) -> Any:
    if isinstance(given, tuple):
        return tuple(_keyed(v) for v in given)
    return Constant(given)
