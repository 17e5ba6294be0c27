"""One operator's parameters from any dialect to any other.

>>> from restride.translate import translate
>>> print(translate("x[1, ::-2]", to="pytorch").text())
import torch
<BLANKLINE>
y = torch.flip(x, (1,))
y = y[1, ::2]
"""

from __future__ import annotations

from restride.translate.errors import RefusedError, SpecError
from restride.translate.spec import Call, as_calls
from restride.translate.translation import Translation, translate

__all__ = [
    "Call",
    "RefusedError",
    "SpecError",
    "Translation",
    "as_calls",
    "translate",
]
