"""A case put to the dialect that speaks its operator."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

import numpy as np

from restride.conform.answer import Answer
from restride.conform.case import Case
from restride.conform.errors import CaseError, NotRunError
from restride.errors import RestrideError
from restride.targets import Product

__all__ = ["speak"]

Array = np.ndarray[Any, Any]

OUTSIDE = "outside"
"""Stage of what a dialect raises without one of its own: never what a table expects."""


def speak(
    case: Case, inputs: Sequence[Array | None], product: Product | None
) -> Answer:
    """What the case's dialect answers; a refusal that is not its own is one too."""
    speaker = import_module(f"restride.conform.speakers.{case.dialect}")
    try:
        answer: Answer = speaker.speak(case, inputs, product)
        return answer
    except (CaseError, NotRunError):
        raise
    except RestrideError as error:
        return Answer(OUTSIDE, type(error).__name__, str(error))
