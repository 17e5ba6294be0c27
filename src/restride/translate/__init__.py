"""One operator's parameters from any dialect to any other.

>>> from restride.translate import translate
>>> print(translate("x[1, ::-2]", to="pytorch").text())
import torch
<BLANKLINE>
y = torch.flip(x, (1,))
y = y[1, ::2]
"""

from __future__ import annotations

from restride.translate.agreement import Agreement, Answer, Difference
from restride.translate.asking import agree
from restride.translate.errors import RefusedError, SpecError
from restride.translate.spec import Call, as_calls
from restride.translate.translation import Translation, translate

__all__ = [
    "Agreement",
    "Answer",
    "Call",
    "Difference",
    "RefusedError",
    "SpecError",
    "Translation",
    "agree",
    "as_calls",
    "translate",
]
