"""CANN's cases: graph operators, and aclnn functions in their two phases."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from restride.conform.answer import Answer
from restride.conform.case import Case
from restride.conform.errors import NotRunError
from restride.conform.operators import VENDOR
from restride.conform.speakers import aclnn, graph
from restride.dialects import cann
from restride.targets import Product

__all__ = ["speak"]

Array = np.ndarray[Any, Any]


def speak(
    case: Case, inputs: Sequence[Array | None], product: Product | None
) -> Answer:
    """The result, or the stage and status of the refusal."""
    ask = aclnn.ask if case.op.startswith("aclnn") else graph.ask
    try:
        return ask(case, inputs, product)
    except cann.NoDataError as error:
        names = VENDOR[case.op].inputs
        raise NotRunError(
            f"input {names.index(error.tensor)} of {case.op} decides the shape, and "
            "has no data"
        ) from None
    except (cann.GraphError, cann.AclnnError) as error:
        return Answer(error.stage, error.code.name, str(error))
