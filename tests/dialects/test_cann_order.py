"""The order of checks: of two faults the one that the vendor checks first is told.

Each function has a list of faults in the vendor's order (ops-math, op_api of each
function).  Every fault alone must be told by its own words, and of every pair that can
be made at once the earlier.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Any, NamedTuple

import pytest

from restride.dialects import cann
from restride.dialects.cann import AclTensor

Given = dict[str, Any]
Door = Callable[..., Any]
NULL, INVALID, INNER = 161001, 161002, 561103


class Fault(NamedTuple):
    """One thing wrong: what it changes, and how the refusal reads."""

    name: str
    change: Given
    says: str
    code: int = INVALID

    def touches(self) -> set[str]:
        return set(self.change)


def changed(good: Given, *faults: Fault) -> Given:
    made = dict(good)
    for fault in faults:
        for key, value in fault.change.items():
            made[key] = {**made[key], **value} if isinstance(value, dict) else value
    return made


def call(door: Door, given: Given) -> Any:
    built = {
        k: AclTensor(**v) if isinstance(v, dict) and "shape" in v else v
        for k, v in given.items()
    }
    return door(**built)


def told(door: Door, given: Given) -> cann.AclnnError:
    with pytest.raises(cann.AclnnError) as caught:
        call(door, given)
    assert caught.value.stage == "get_workspace_size"
    return caught.value


def fits(first: Fault, second: Fault) -> bool:
    """A pointer that is null has no other fault; one key changes one way."""
    for key in first.touches() & second.touches():
        a, b = first.change[key], second.change[key]
        if not (isinstance(a, dict) and isinstance(b, dict) and not set(a) & set(b)):
            return False
    return True


def tensor(shape: tuple[int, ...], dtype: str = "float") -> Given:
    return {"shape": shape, "dtype": dtype}


CONSTANT = (
    cann.aclnn_constant_pad_nd_get_workspace_size,
    {
        "self": tensor((3, 4)),
        "pad": [1, 1, 0, 2],
        "value": 0,
        "out": tensor((5, 6)),
        "product": "A2",
    },
    [
        Fault("self null", {"self": None}, "self is null", NULL),
        Fault("pad null", {"pad": None}, "pad is null", NULL),
        Fault("value null", {"value": None}, "value is null", NULL),
        Fault("out null", {"out": None}, "out is null", NULL),
        Fault("product", {"product": "200I/500 A2"}, "is not supported on"),
        Fault("dtypes differ", {"out": {"dtype": "int8"}}, "self has dtype"),
        Fault(
            "dtype",
            {"self": {"dtype": "hifloat8"}, "out": {"dtype": "hifloat8"}},
            "does not take hifloat8",
        ),
        Fault("format", {"self": {"format": "ncl"}}, "storage format ncl"),
        Fault("self rank", {"self": {"shape": (1,) * 9}}, "self has 9 dims"),
        Fault("out rank", {"out": {"shape": (1,) * 9}}, "out has 9 dims"),
        Fault("ranks", {"out": {"shape": (5, 6, 1)}}, "dims and out 3"),
        Fault("odd", {"pad": [1, 1, 0]}, "a begin and an end"),
        Fault("long", {"pad": [1, 1, 0, 2, 0, 0]}, "at most 4"),
        Fault("negative", {"pad": [1, 1, -4, 2]}, "leaves less than nothing"),
        Fault("shape", {"out": {"shape": (4, 6)}}, "out has extent 4 in dim 0"),
    ],
)


def padded(k: int, kind: str) -> tuple[Door, Given, list[Fault]]:
    """The replication and reflection pads of K dims."""
    rank = k + 1
    extents = (5,) * rank
    padding = [1, 2] * k
    out = (5,) + (8,) * k
    dtype = [
        Fault("self dtype", {"self": {"dtype": "uint16"}}, "self: aclnn"),
        Fault("out dtype", {"out": {"dtype": "uint32"}}, "out: aclnn"),
        Fault("dtypes", {"out": {"dtype": "int8"}}, "self has dtype"),
    ]
    form = [Fault("format", {"out": {"format": "nchw"}}, "has format nd")]
    # aclnnReplicationPad2d looks at formats first, the others at dtypes.
    kinds = form + dtype if (k, kind) == (2, "replication") else dtype + form
    mirror = [
        Fault("wide", {"padding": [1, 5, *padding[2:]]}, "must be below the extent")
    ]
    return (
        getattr(cann, f"aclnn_{kind}_pad{k}d_get_workspace_size"),
        {
            "self": tensor(extents),
            "padding": padding,
            "out": tensor(out),
            "product": "A2",
        },
        [
            Fault("self null", {"self": None}, "self is null", NULL),
            Fault("padding null", {"padding": None}, "padding is null", NULL),
            Fault("out null", {"out": None}, "out is null", NULL),
            Fault("product", {"product": "200I/500 A2"}, "is not supported on"),
            *kinds,
            Fault("low", {"self": {"shape": (5,) * k}}, f"self has {k} dims"),
            Fault("high", {"self": {"shape": (5,) * (k + 3)}}, f"self has {k + 3}"),
            Fault("ranks", {"out": {"shape": (*out, 8)}}, "dims and out"),
            Fault("length", {"padding": [*padding, 0]}, f"must have {2 * k}"),
            *(mirror if kind == "reflection" else []),
            Fault("shape", {"out": {"shape": (*out[:-1], 9)}}, "out has extent 9"),
        ],
    )


def backwards(k: int, kind: str) -> tuple[Door, Given, list[Fault]]:
    """The backward of both."""
    extents = (5,) * (k + 1)
    padding = [1, 2] * k
    grown = (5,) + (8,) * k
    mirror = [
        Fault("wide", {"padding": [1, 5, *padding[2:]]}, "must be below the extent")
    ]
    nulls = [
        Fault("grad null", {"grad_output": None}, "gradOutput is null", NULL),
        Fault("self null", {"self": None}, "self is null", NULL),
        Fault("padding null", {"padding": None}, "padding is null", NULL),
        Fault("input null", {"grad_input": None}, "gradInput is null", NULL),
    ]
    return (
        getattr(cann, f"aclnn_{kind}_pad{k}d_backward_get_workspace_size"),
        {
            "grad_output": tensor(grown),
            "self": tensor(extents),
            "padding": padding,
            "grad_input": tensor(extents),
            "product": "A2",
        },
        [
            *nulls,
            Fault("product", {"product": "200I/500 A2"}, "is not supported on"),
            Fault("dtype", {"self": {"dtype": "int8"}}, "does not take int8"),
            Fault("dtypes", {"self": {"dtype": "double"}}, "gradOutput has dtype"),
            Fault(
                "private",
                {"grad_output": {"storage_format": "fractal_nz"}},
                "a private one",
            ),
            Fault("format", {"grad_input": {"format": "nchw"}}, "has format nd"),
            Fault("input", {"grad_input": {"shape": (5, 5, 1)}}, "gradInput has shape"),
            Fault(
                "ranks", {"grad_output": {"shape": (*grown, 8)}}, "they must be equal"
            ),
            Fault("length", {"padding": [*padding, 0]}, f"must have {2 * k}"),
            *(mirror if kind == "reflection" else []),
            Fault("shape", {"grad_output": {"shape": (*grown[:-1], 9)}}, "gives (5, 8"),
        ],
    )


SLICE = (
    cann.aclnn_strided_slice_get_workspace_size,
    {
        "self": tensor((6, 6)),
        "begin": [4, 1],
        "end": [6, 3],
        "strides": [1, 1],
        "begin_mask": 0,
        "end_mask": 0,
        "ellipsis_mask": 0,
        "new_axis_mask": 0,
        "shrink_axis_mask": 0,
        "out": tensor((2, 2)),
        "product": "950",
    },
    [
        Fault("self null", {"self": None}, "self is null", NULL),
        Fault("begin null", {"begin": None}, "begin is null", NULL),
        Fault("end null", {"end": None}, "end is null", NULL),
        Fault("strides null", {"strides": None}, "strides is null", NULL),
        Fault("out null", {"out": None}, "out is null", NULL),
        Fault("product", {"product": "A2"}, "is not supported on"),
        Fault("self dtype", {"self": {"dtype": "double"}}, "self: aclnn"),
        Fault("out dtype", {"out": {"dtype": "double"}}, "out: aclnn"),
        Fault("dtypes", {"out": {"dtype": "int8"}}, "self has dtype"),
        Fault("rank", {"self": {"shape": (6,) * 9}}, "self has 9 dims"),
        Fault("lengths", {"begin": [4]}, "must be as many"),
        Fault("zero", {"strides": [1, 0]}, "strides[1] = 0"),
        Fault("dots", {"ellipsis_mask": 3}, "several bits"),
        Fault(
            "shrink",
            {"strides": [-1, 1], "shrink_axis_mask": 1},
            "strides[0] = -1 where shrink_axis_mask",
        ),
        Fault("outside", {"begin": [9, 1], "shrink_axis_mask": 1}, "outside", INNER),
        Fault("shape", {"out": {"shape": (2, 3)}}, "out has shape (2, 3)"),
    ],
)

DOORS = [
    CONSTANT,
    *(padded(k, kind) for kind in ("replication", "reflection") for k in (1, 2, 3)),
    *(backwards(k, kind) for kind in ("replication", "reflection") for k in (1, 2, 3)),
    SLICE,
]


def name_of(door: Any) -> str:
    return door[0].__name__.removesuffix("_get_workspace_size")


@pytest.mark.parametrize("door", DOORS, ids=name_of)
def test_without_a_fault_it_passes(door):
    function, good, _ = door
    assert call(function, good)[0] == 0


@pytest.mark.parametrize("door", DOORS, ids=name_of)
def test_each_fault_is_told(door):
    function, good, faults = door
    for fault in faults:
        error = told(function, changed(good, fault))
        assert error.code == fault.code, fault.name
        assert fault.says in str(error), (fault.name, str(error))


@pytest.mark.parametrize("door", DOORS, ids=name_of)
def test_of_two_faults_the_earlier_is_told(door):
    function, good, faults = door
    pairs = [pair for pair in combinations(faults, 2) if fits(*pair)]
    assert len(pairs) > 3 * len(faults)
    for first, second in pairs:
        error = told(function, changed(good, first, second))
        assert error.code == first.code, (first.name, second.name)
        assert first.says in str(error), (first.name, second.name, str(error))
