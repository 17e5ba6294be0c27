"""Any chain as a model: two runtimes give the definition's bits."""

from __future__ import annotations

import chains
import numpy as np
import pytest
from chains import Chain
from exported import by_onnxruntime, by_reference, checked
from hypothesis import given, settings
from samples import cells, different, fresh

WHOLE = tuple(map(np.dtype, ("u1", "i8", "?", "i4", "u8")))
"""Types that the reference evaluator keeps: its Expand multiplies, which alters NaN."""

NUMBERS = (*WHOLE, *map(np.dtype, ("f4", "f8")))
"""Types that ONNX Runtime keeps: it pads float16 as float32, which alters NaN."""


@settings(max_examples=40)
@given(chain=chains.chains(dtypes=WHOLE))
def test_the_reference_evaluator_gives_the_definition(chain: Chain) -> None:
    x = fresh(chain.shape, chain.dtype, "rows")
    model = checked(chain.view(x).to_onnx())
    assert different(by_reference(model, x), chain.define(cells(x))) is None


@settings(max_examples=60)
@given(chain=chains.chains(dtypes=NUMBERS))
def test_onnxruntime_gives_the_definition(chain: Chain) -> None:
    pytest.importorskip("onnxruntime")
    x = fresh(chain.shape, chain.dtype, "rows")
    model = checked(chain.view(x).to_onnx())
    assert different(by_onnxruntime(model, x), chain.define(cells(x))) is None
