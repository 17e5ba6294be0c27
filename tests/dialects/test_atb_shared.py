"""One operation in many hands: threads, and callers who change what they gave."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

from restride.dialects.atb import (
    AsStridedParam,
    AtbError,
    Context,
    Operation,
    SetValueParam,
    Tensor,
    TensorDesc,
    VariantPack,
    create_operation,
)

X = np.arange(9).reshape(3, 3)
PARAM = AsStridedParam([2, 2], [2, 3], [0])
Y = [[0, 3], [2, 5]]
THREADS = 8


@pytest.fixture
def restless() -> Iterator[None]:
    """Threads change places as often as they can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


@pytest.mark.usefixtures("restless")
def test_threads_share_an_operation() -> None:
    read = Operation(PARAM)
    write = Operation(SetValueParam([0, 0], [2, 2], [1, 1]))

    def work(thread: int) -> int:
        right = 0
        for k in range(100):
            x = X + 1000 * thread + k
            (y,) = read.forward([x])
            write.forward([x, np.full((2, 2), -1)])
            right += y.tolist() == (np.array(Y) + 1000 * thread + k).tolist()
            right += (x == -1).sum() == 4
        return right

    with ThreadPoolExecutor(THREADS) as pool:
        assert list(pool.map(work, range(THREADS))) == [200] * THREADS


def test_forward_leaves_a_setup_as_it_is() -> None:
    op, context, out = create_operation(PARAM), Context(), np.zeros((2, 2), int)
    pack = VariantPack([Tensor.of(X)], [Tensor.of(out)])
    op.setup(pack, context)
    op.forward([X])
    op.execute(pack, None, 0, context)
    assert out.tolist() == Y


def test_tensors_changed_after_setup_reach_nothing_noted() -> None:
    op, context, out = create_operation(PARAM), Context(), np.zeros((2, 2), int)
    pack = VariantPack([Tensor.of(X)], [Tensor.of(out)])
    op.setup(pack, context)
    pack.in_tensors[0].desc = TensorDesc("int64", "nd", (9,))
    pack.in_tensors[0].data = None
    op.execute(VariantPack(), None, 0, context)
    assert out.tolist() == Y


@pytest.mark.parametrize(
    ("name", "value", "rule"),
    [
        ("desc", 5, "arguments"),
        ("data_size", "72", "data size"),
        ("data_size", np.array([72, 72]), "data size"),
        ("data", "x", "data"),
    ],
)
def test_a_tensor_made_odd(name: str, value: Any, rule: str) -> None:
    op, context = create_operation(PARAM), Context()
    pack = VariantPack([Tensor.of(X)], [Tensor.of(np.zeros((2, 2), int))])
    op.setup(pack, context)
    setattr(pack.in_tensors[0], name, value)
    with pytest.raises(AtbError) as told:
        op.execute(pack, None, 0, context)
    assert (told.value.stage, told.value.rule) == ("execute", rule)
