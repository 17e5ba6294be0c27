"""What the PyTorch dialect takes, without PyTorch in the process."""

from __future__ import annotations

import pickle
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from restride.dialects import pytorch as rt


def test_pytorch_is_not_imported() -> None:
    code = (
        "import sys, numpy as np\n"
        "from restride.dialects import pytorch as rt\n"
        "rt.pad(np.zeros((1, 2)), (1, 1), 'reflect')\n"
        "print('torch' in sys.modules)"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert told.stdout.strip() == "False", told.stderr


@pytest.mark.parametrize("given", [[1, 2], 5, None, "ab", np.float32(1), object()])
def test_only_tensors_and_arrays(given: Any) -> None:
    with pytest.raises(rt.TorchTypeError, match="'input' must be") as caught:
        rt.narrow(given, 0, 0, 1)
    assert caught.value.kind == "input"


@pytest.mark.parametrize("dtype", [">f4", "U3", "M8[s]", "V2", "O", "i4,i4", "g"])
def test_dtypes_that_pytorch_lacks(dtype: str) -> None:
    with pytest.raises(rt.TorchError) as caught:
        rt.flip(np.zeros(2, dtype), (0,))
    assert caught.value.kind == "dtype"


def test_masked_arrays_are_refused() -> None:
    with pytest.raises(rt.TorchError, match="mask"):
        rt.flip(np.ma.array([1, 2], mask=[0, 1]), (0,))


def test_errors_travel_between_processes() -> None:
    error = pickle.loads(pickle.dumps(rt.TorchIndexError("dim", "text")))
    assert (type(error), error.kind, str(error)) == (rt.TorchIndexError, "dim", "text")
