"""The PyTorch dialect's door: whose memory is read, and which tensors are refused."""

from __future__ import annotations

from typing import Any

import pytest
import torch_sets
from torch_sets import torch

from restride.dialects import pytorch as rt


@pytest.mark.parametrize("name", [*torch_sets.MOVED, *torch_sets.RARE])
def test_views_share_the_tensors_memory(name: str) -> None:
    x = torch.zeros(128, dtype=torch.uint8).view(getattr(torch, name))
    seen = rt.as_strided(x[1:], (2,), (2,))
    kept = rt.narrow(x, 0, 1, 2)
    assert seen.dtype == kept.dtype == x.dtype
    assert seen.data_ptr() == kept.data_ptr() == x[1:].data_ptr()
    x.view(torch.uint8)[...] = 1
    assert torch_sets.bits(seen)[2] == torch_sets.bits(x[:2])[2]


def test_results_outlive_the_tensor() -> None:
    assert rt.as_strided(torch.full((100,), 3), (2,), (50,)).tolist() == [3, 3]


def test_nothing_is_copied_on_the_way_in() -> None:
    huge = torch.zeros(1).expand(2**40)
    assert rt.narrow(huge, 0, 2**39, 3).tolist() == [0, 0, 0]
    assert rt.as_strided(huge, (2, 2), (0, 0)).tolist() == [[0, 0], [0, 0]]


REFUSED: list[tuple[str, Any, str]] = [
    ("device", lambda: torch.zeros(3, device="meta"), ".cpu()"),
    ("layout", lambda: torch.eye(3).to_sparse(), "to_dense"),
    ("layout", lambda: torch.eye(3).to_sparse_csr(), "to_dense"),
    ("layout", lambda: torch.zeros(3, dtype=torch.complex64).conj(), "resolve_conj"),
    (
        "layout",
        lambda: torch.zeros(3, dtype=torch.complex64).conj().imag,
        "resolve_neg",
    ),
    ("requires_grad", lambda: torch.zeros(3, requires_grad=True), "detach"),
    ("requires_grad", lambda: torch.nn.Parameter(torch.zeros(3)), "no_grad"),
    ("dtype", lambda: torch.zeros(3, dtype=torch.complex32), "complex32"),
    ("rank", lambda: torch.zeros((1,) * 65), "65 axes"),
]


@pytest.mark.parametrize(("kind", "make", "mend"), REFUSED)
@pytest.mark.filterwarnings("ignore:ComplexHalf support:UserWarning")
@pytest.mark.filterwarnings("ignore:Sparse:UserWarning")
def test_tensors_refused(kind: str, make: Any, mend: str) -> None:
    with pytest.raises(rt.TorchError) as caught:
        rt.pad(make(), (1, 1))
    assert caught.value.kind == kind
    assert mend in str(caught.value)


def test_a_storage_resized_to_less_is_not_read() -> None:
    x = torch.zeros(1000)
    x.untyped_storage().resize_(0)
    for call in (lambda: rt.flip(x, (0,)), lambda: rt.as_strided(x, (2,), (1,))):
        with pytest.raises(rt.TorchError) as caught:
            call()
        assert caught.value.kind == "outside"


def test_without_gradients_to_record_they_are_taken() -> None:
    x = torch.arange(3.0).requires_grad_()
    with torch.no_grad():
        made = rt.pad(x, (1, 0))
    assert (made.tolist(), made.requires_grad) == ([0, 0, 1, 2], False)
    with torch.inference_mode():
        assert rt.flip(torch.arange(3), (0,)).tolist() == [2, 1, 0]
    assert rt.flip(x.detach(), (0,)).tolist() == [2, 1, 0]


def test_a_source_that_requires_grad_is_refused_too() -> None:
    src = torch.zeros(1, requires_grad=True)
    with pytest.raises(rt.TorchError, match="'src'"):
        rt.slice_scatter(torch.zeros(3), src, 0, 0, 1)


def test_arrays_and_tensors_mix_and_the_input_decides() -> None:
    src = torch.ones(1).numpy()
    assert isinstance(rt.slice_scatter(torch.zeros(2), src, 0, 0, 1), torch.Tensor)
    assert not isinstance(rt.slice_scatter(src, torch.zeros(1)), torch.Tensor)


def test_integral_tensors_without_axes_are_ints() -> None:
    x = torch.arange(6)
    at = torch.tensor(2)
    assert rt.narrow(x, 0, at, 1).tolist() == torch.narrow(x, 0, at, 1).tolist()
    assert rt.as_strided(x, (at,), (at,)).tolist() == [0, 2]
    value = torch.tensor(2.5)
    made = rt.pad(x.float(), (1, 0), value=value)
    assert (
        made.tolist()
        == torch.nn.functional.pad(x.float(), (1, 0), value=value).tolist()
    )
    for wrong in (torch.tensor([2]), torch.tensor(2.0), torch.tensor(True)):
        with pytest.raises(rt.TorchTypeError):
            rt.narrow(x, 0, wrong, 1)


def test_wrappers_without_memory_are_refused() -> None:
    def inside(x: Any) -> Any:
        with pytest.raises(rt.TorchError) as caught:
            rt.flip(x, (0,))
        assert caught.value.kind == "layout"
        return x

    torch.vmap(inside)(torch.zeros(2, 3))


def test_other_default_devices_change_nothing() -> None:
    x = torch.arange(3)
    with torch.device("meta"):
        assert rt.flip(x, (0,)).tolist() == [2, 1, 0]
