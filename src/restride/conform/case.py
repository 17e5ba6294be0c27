"""One case of a table: what goes in, and what must come out.

All forms of tables are read into these values, so that whatever runs and reports them
knows one form.  Names stay the vendor's: dtypes, formats, stages and codes are text.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

__all__ = ["OK", "Case", "Expect", "Fill", "TensorSpec"]

OK = "ok"
"""The stage of a case that runs to its end."""


@dataclass(frozen=True, slots=True)
class Fill:
    """How the values of a tensor without data are made."""

    kind: str = "random"
    """random, whole, one or zero; arange, count or negative."""
    low: float = -5.0
    """Least random value; vendor tools draw from -5 to 5 where a table says nothing."""
    high: float = 5.0
    """Greatest random value."""


@dataclass(frozen=True, slots=True)
class TensorSpec:
    """A tensor as a table describes it."""

    dtype: str
    """The vendor's name, e.g. ``bf16``."""
    shape: tuple[int, ...]
    """Extents; a table of errors may hold negative ones."""
    format: str = "nd"
    """The vendor's name of the layout, in lower case."""
    data: tuple[Any, ...] | None = None
    """Values, row-major; None where the table gives none."""
    strides: tuple[int, ...] | None = None
    """In elements over the storage; None is row-major."""
    offset: int = 0
    """Element of the storage that index (0, ..., 0) reads."""
    storage_shape: tuple[int, ...] | None = None
    """Shape of the storage behind the strides."""
    fill: Fill = Fill()
    """How values are made where `data` is None."""


@dataclass(frozen=True, slots=True)
class Expect:
    """What must happen: at which stage, and with which code."""

    stage: str | None
    """ok, or the stage where the case ends; None is any stage."""
    code: str | None
    """Name of the code; None is any refusal."""

    def __str__(self) -> str:
        return f"{self.stage or 'any stage'}:{self.code or 'any error'}"


@dataclass(frozen=True, slots=True)
class Case:
    """A case, whatever the form of its table."""

    table: str
    """The file it came from."""
    where: str
    """Its place in the file, e.g. ``line 7``."""
    name: str
    op: str
    """The vendor's name of the operator."""
    dialect: str
    """atb, cann or tensorflow; empty where no dialect has the operator."""
    expect: Expect
    params: dict[str, Any] = field(default_factory=dict)
    inputs: tuple[TensorSpec | None, ...] = ()
    """None is an absent tensor, or a null pointer."""
    outputs: tuple[TensorSpec | None, ...] | None = ()
    """None as a whole: the table leaves the outputs to shape inference."""
    socs: tuple[str, ...] = ()
    """Chips the case is for; empty is any."""
    tags: frozenset[str] = frozenset()
