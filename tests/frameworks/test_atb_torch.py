"""ATB's forward on torch tensors, against torch's own as_strided and assignment."""

from __future__ import annotations

import random
from typing import Any

import pytest
from sets import compare, framework

from restride.dialects.atb import AsStridedParam, AtbError, Operation, SetValueParam

torch = framework("torch")

FOR_STRIDES = (torch.float16, torch.int64)
FOR_WRITES = (torch.float16, torch.float32, torch.int32, torch.int64, torch.bfloat16)


def numbered(shape: list[int], dtype: Any) -> Any:
    count = torch.tensor(shape).prod().item() if shape else 1
    return torch.arange(count).to(dtype).reshape(shape)


def scattered(rng: random.Random, shape: list[int], dtype: Any) -> Any:
    """A tensor of `shape` that may be a transpose or every other element."""
    if rng.random() < 0.3:
        return numbered(shape[::-1], dtype).permute(*range(len(shape))[::-1])
    if rng.random() < 0.3:
        return numbered([*shape[:-1], 2 * shape[-1]], dtype)[..., ::2]
    return numbered(shape, dtype)


def one_as_strided(rng: random.Random) -> str | None:
    shape = [rng.randint(1, 5) for _ in range(rng.randint(1, 4))]
    size = [rng.randint(1, 4) for _ in range(rng.randint(1, 4))]
    stride = [rng.randint(0, 6) for _ in size]
    offset = rng.randint(0, 8)
    x = scattered(rng, shape, rng.choice(FOR_STRIDES))
    op = Operation(AsStridedParam(size, stride, [offset]))
    # The vendor makes x contiguous first; torch alone would stride over its storage.
    whole = x.contiguous().clone()
    try:
        theirs = whole.as_strided(size, stride, offset)
    except RuntimeError:
        theirs = None
    try:
        (ours,) = op.forward([x])
    except AtbError as error:
        return None if theirs is None else f"{size} {stride} {offset}: {error}"
    if theirs is None:
        return f"{size} {stride} {offset} of {shape}: torch refuses"
    same = ours.dtype == theirs.dtype and torch.equal(ours, theirs)
    return None if same else f"{size} {stride} {offset} of {shape} differ"


def one_set_value(rng: random.Random) -> str | None:
    rank = rng.randint(2, 4)
    dst_shape = [rng.randint(2, 5) for _ in range(rank)]
    short = rng.randrange(1, rank)
    starts, ends = [0] * rank, list(dst_shape)
    for axis in {short, rng.choice((0, short))}:
        width = rng.randint(1, dst_shape[axis] - 1)
        starts[axis] = rng.randint(0, dst_shape[axis] - width)
        ends[axis] = starts[axis] + width
    dtype = rng.choice(FOR_WRITES)
    dst = scattered(rng, dst_shape, dtype)
    src_shape = [b - a for a, b in zip(starts, ends, strict=True)]
    src = -1 - scattered(rng, src_shape, dtype)
    wanted = dst.clone()
    cells = zip(starts, ends, strict=True)
    wanted[tuple(slice(a, b) for a, b in cells)] = src
    made = Operation(SetValueParam(starts, ends, [1] * rank)).forward([dst, src])
    if made == [] and torch.equal(dst, wanted):
        return None
    return f"{starts} {ends} of {dst_shape} {dtype} differ"


def test_as_strided() -> None:
    compare("torch", "atb as_strided", one_as_strided)


def test_set_value() -> None:
    compare("torch", "atb set_value", one_set_value)


def test_the_output_is_a_torch_tensor_of_its_own() -> None:
    x = torch.arange(9)
    (y,) = Operation(AsStridedParam([3], [2], [1])).forward([x])
    assert isinstance(y, torch.Tensor)
    y[0] = -1
    assert x[1] == 1


@pytest.mark.parametrize(
    ("x", "code"),
    [
        (torch.zeros(9, dtype=torch.float64), 13),
        (torch.zeros(9, dtype=torch.bfloat16), 13),
        (torch.zeros(9, dtype=torch.complex64), 13),
        (torch.zeros(9, device="meta"), 1),
        (torch.zeros(9).to_sparse(), 1),
        (torch.zeros((1,) * 9), 8),
        (torch.zeros(0), 9),
    ],
    ids=str,
)
def test_refused(x: Any, code: int) -> None:
    with pytest.raises(AtbError) as told:
        Operation(AsStridedParam([3], [2], [1])).forward([x])
    assert told.value.code == code


def test_a_tensor_that_needs_gradients_is_read_without() -> None:
    x = torch.ones(4, dtype=torch.float16, requires_grad=True)
    (y,) = Operation(AsStridedParam([2], [3], [0])).forward([x])
    assert not y.requires_grad
