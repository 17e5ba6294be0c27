"""The words that a table may expect: codes, by name or number, and stages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from enum import IntEnum
from functools import cache
from typing import Any

from restride.conform.case import OK
from restride.conform.errors import CaseError
from restride.conform.fields import shown
from restride.conform.operators import ATB

__all__ = ["Words", "near", "tensorflow_kind", "words_of"]

LONGEST_COMPARED = 80
"""Most characters of a name that is compared with others."""

MOST_LISTED = 12
"""Most names that a message lists where none is near."""


STAGES = {
    "atb": ("create", "infer_shape", "setup", "execute", OK),
    "aclnn": ("create", "get_workspace_size", "run", OK),
    "graph": ("infer_shape", "tiling", "run", OK),
}
"""Where each can refuse, and the end."""


@dataclass(frozen=True, slots=True)
class Words:
    """What one vendor can answer."""

    vendor: str
    codes: Mapping[str, int]
    """Names and numbers."""
    stages: tuple[str, ...]
    """Where it can refuse, and ok."""

    def code(self, given: Any) -> str:
        """The name of a code, which a table may give as a number, or one as text.

        Raises
        ------
        CaseError
            The vendor has no such code.

        Examples
        --------
        >>> words_of("aclnnConstantPadNd").code(161002)
        'ACLNN_ERR_PARAM_INVALID'
        """
        told = given.strip() if isinstance(given, str) else given
        if isinstance(told, str) and told in self.codes:
            return told
        for name, number in self.codes.items():
            if type(told) in (int, str) and str(number) == _digits(told):
                return name
        raise CaseError(_no(told, f"code of {self.vendor}", self.codes))

    def stage(self, given: Any) -> str:
        """The name of a stage.

        Raises
        ------
        CaseError
            The vendor has no such stage.
        """
        if isinstance(given, str) and given.strip() in self.stages:
            return given.strip()
        raise CaseError(_no(given, f"stage of {self.vendor}", self.stages))


def _digits(given: int | str) -> str:
    """The number as Python writes it; an integer of any length may stand in JSON."""
    if isinstance(given, str):
        return given
    return str(given) if given.bit_length() <= 64 else ""


@cache
def words_of(op: str) -> Words:
    """The words for an operator of ATB's or CANN's tables.

    Examples
    --------
    >>> words_of("PadV3").stages
    ('infer_shape', 'tiling', 'run', 'ok')
    """
    if op in ATB:
        from restride.dialects.atb import ErrorType

        return Words("ATB", _numbers(ErrorType), STAGES["atb"])
    from restride.dialects.cann import AclnnStatus, GraphStatus

    if op.startswith("aclnn"):
        return Words("aclnn", _numbers(AclnnStatus), STAGES["aclnn"])
    return Words("CANN's graphs", _numbers(GraphStatus), STAGES["graph"])


def _numbers(codes: type[IntEnum]) -> dict[str, int]:
    return {code.name: code.value for code in codes}


def tensorflow_kind(given: str) -> str:
    """A kind of refusal of TensorFlow's.

    Raises
    ------
    CaseError
        There is no such kind.

    Examples
    --------
    >>> tensorflow_kind("rank")
    'rank'
    """
    from restride.dialects.tensorflow import KINDS

    if given in KINDS:
        return given
    raise CaseError(_no(given, "kind of TensorFlow's refusals", KINDS))


def near(given: str, known: Iterable[str], cutoff: float = 0.6) -> list[str]:
    """Up to three names that `given` may be meant for, the nearest first.

    Examples
    --------
    >>> near("opparams", ["opname", "opparam"], 0.75)
    ['opparam']
    """
    return get_close_matches(given[:LONGEST_COMPARED], list(known), 3, cutoff)


def _no(given: Any, what: str, known: Iterable[str]) -> str:
    names = list(known)
    found = near(given, names) if isinstance(given, str) else []
    if found:
        return f"{shown(given)} is no {what}; near: {', '.join(found)}."
    rest = f", and {len(names) - MOST_LISTED} more" if len(names) > MOST_LISTED else ""
    return (
        f"{shown(given)} is no {what}; it has {', '.join(names[:MOST_LISTED])}{rest}."
    )
