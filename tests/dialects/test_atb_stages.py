"""Create, InferShape, Setup and Execute: what each returns, keeps and refuses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from restride.dialects.atb import (
    AsStridedParam,
    AtbError,
    AtbWarning,
    Context,
    ErrorType,
    Operation,
    SetValueParam,
    Tensor,
    TensorDesc,
    VariantPack,
    create_operation,
)
from restride.errors import RestrideError

X = np.arange(1, 10, dtype=np.int64).reshape(3, 3)
PARAM = AsStridedParam([2, 2], [2, 3], [0])


def refused(code: int, stage: str, call: Callable[[], Any]) -> AtbError:
    with pytest.raises(AtbError) as told:
        call()
    error = told.value
    assert (error.code, error.stage) == (code, stage), error
    assert isinstance(error, RestrideError)
    assert isinstance(error, RuntimeError)
    assert ErrorType(code).name in str(error)
    assert error.rule in str(error)
    return error


def pack(x: Any = X, y: Any = None) -> VariantPack:
    y = np.zeros((2, 2), np.int64) if y is None else y
    return VariantPack([Tensor.of(x)], [Tensor.of(y)])


# ------------------------------------------------------------------------------ codes


def test_codes() -> None:
    assert [e.value for e in ErrorType] == list(range(30))
    assert ErrorType.ERROR_INVALID_TENSOR_INI_MATCH == 13
    assert ErrorType(29).name == "ERROR_COPY_HOST_MEMORY_FAIL"


# ----------------------------------------------------------------------------- create


@pytest.mark.parametrize("param", [AsStridedParam, SetValueParam])
def test_create_looks_at_reserved_bytes_only(param: Any) -> None:
    hopeless = param([-1] * 256, [5], [])
    assert create_operation(hopeless).name.startswith(param.__name__[:8])
    for k in range(8):
        bad = param(rsv=[0] * k + [1])
        refused(1, "create", lambda bad=bad: create_operation(bad))
    assert create_operation(param(rsv=[0] * 8)).input_num


def test_create_keeps_a_copy_of_the_parameters() -> None:
    param = AsStridedParam([2], [1], [0])
    op = create_operation(param)
    param.size = [9]
    assert op.infer_shape([TensorDesc("int64", "nd", (3,))])[0].shape == (2,)


@pytest.mark.parametrize("given", [None, {}, "AsStridedParam", AsStridedParam, 3])
def test_create_of_something_else(given: Any) -> None:
    refused(1, "create", lambda: create_operation(given))


# ------------------------------------------------------------------------ infer shape


def test_infer_shape_keeps_dtype_and_says_nd() -> None:
    (y,) = Operation(PARAM).infer_shape([TensorDesc("float16", "nd", (3, 3))])
    assert (y.dtype, y.format, y.shape) == ("float16", "nd", (2, 2))
    dst, src = TensorDesc("float", "nd", (3, 4)), TensorDesc("float", "nd", (3, 2))
    op = Operation(SetValueParam([0, 0], [3, 2], [1, 1]))
    assert op.infer_shape([dst, src]) == []


def test_no_entries_is_a_scalar_until_setup() -> None:
    op = Operation(AsStridedParam([], [], [8]))
    (y,) = op.infer_shape([Tensor.of(X).desc])
    assert y.shape == ()
    call = lambda: op.setup(pack(X, np.zeros((), np.int64)), Context())  # noqa: E731
    assert refused(8, "setup", call).rule == "1 to 8 dims"
    over = Operation(AsStridedParam([], [], [9]))
    refused(1, "infer_shape", lambda: over.infer_shape([Tensor.of(X).desc]))


@pytest.mark.parametrize(
    ("shape", "dtype", "code"),
    [
        ((2**37,), "float16", None),
        ((2**37 + 1,), "float16", 9),
        ((2**20, 2**20), "int64", 9),
        ((2**62, 2**62), "int64", 9),
        ((2**64,), "bool", 9),
        ((2**600,), "float16", 9),
        ((0,), "float16", 9),
        ((3, -1), "float16", 9),
        ((-3, -3), "float16", 9),
        ((3,), "complex32", 9),
        ((3,), "int4", 9),
        ((3,), "float4_e2m1", 9),
        ((3,), "undefined", 13),
        ((3,), "string", 13),
        ((3,), "hifloat8", 13),
        ((), "float16", 8),
        ((1,) * 9, "float16", 8),
    ],
)
def test_sizes_are_counted_and_never_allocated(
    shape: Any, dtype: str, code: int | None
) -> None:
    op = Operation(AsStridedParam([1], [0], [0]))
    desc = TensorDesc(dtype, "nd", shape)
    if code is None:
        assert op.infer_shape([desc])[0].shape == (1,)
    else:
        refused(code, "infer_shape", lambda: op.infer_shape([desc]))


def test_strides_to_the_last_element_of_256_gib() -> None:
    x = TensorDesc("int64", "nd", (2**35,))
    reach = AsStridedParam([2], [2**35 - 1], [0])
    assert Operation(reach).infer_shape([x])[0].shape == (2,)
    beyond = AsStridedParam([2], [2**35 - 1], [1])
    refused(1, "infer_shape", lambda: Operation(beyond).infer_shape([x]))


INT64_MAX = 2**63 - 1


@pytest.mark.parametrize(
    ("size", "stride", "offset", "rule"),
    [
        ([2], [INT64_MAX], [0], "furthest element"),
        ([3], [2**62], [0], "int64"),
        ([2, 2], [INT64_MAX, 1], [0], "int64"),
        ([2], [INT64_MAX], [1], "int64"),
        ([1], [INT64_MAX], [INT64_MAX], "furthest element"),
        ([INT64_MAX], [0], [8], None),
        ([INT64_MAX], [1], [0], "furthest element"),
        ([1] * 9, [0] * 9, [0], "length of size"),
        ([1, -1], [2**63 - 1, 0], [0], "size > 0, stride >= 0"),
        ([2, 2, 0], [INT64_MAX, 1, 1], [0], "int64"),
        ([2, 0, 2], [INT64_MAX, 1, 1], [0], "size > 0, stride >= 0"),
    ],
)
def test_sums_of_64_bits(size: Any, stride: Any, offset: Any, rule: str | None) -> None:
    op = Operation(AsStridedParam(size, stride, offset))
    desc = TensorDesc("int64", "nd", (3, 3))
    if rule is None:
        assert op.infer_shape([desc])[0].shape == tuple(size)
    else:
        error = refused(1, "infer_shape", lambda: op.infer_shape([desc]))
        assert error.rule == rule


@pytest.mark.parametrize(
    ("dst", "src", "starts", "ends", "code", "rule"),
    [
        ((4, 4), (2, 2), [2, 2], [4, 4], 0, ""),
        ((4, 4), (4, 2), [0, 1], [4, 3], 0, ""),
        ((4, 4), (2, 2), [3, 2], [5, 4], 1, "cells within dst, as many as src has"),
        ((4, 4), (2, 2), [2, 3], [4, 5], 1, "cells within dst, as many as src has"),
        ((4, 4), (2, 2), [-2, 0], [0, 2], 1, "cells within dst, as many as src has"),
        ((4, 4), (2, 2), [2, 0], [2, 2], 1, "cells within dst, as many as src has"),
        ((4, 4), (2, 2), [3, 0], [1, 2], 1, "cells within dst, as many as src has"),
        ((4, 4), (2, 2), [0, 0], [3, 2], 1, "cells within dst, as many as src has"),
        ((4, 4), (2, 5), [0, 0], [2, 5], 8, "src within dst"),
        ((4, 4), (4, 4), [0, 0], [4, 4], 8, "one dim after dim 0 differs"),
        ((4, 4), (2, 4), [0, 0], [2, 4], 8, "one dim after dim 0 differs"),
        ((4,), (2,), [0], [2], 8, "one dim after dim 0 differs"),
        ((4, 4, 4), (4, 2, 2), [0, 0, 0], [4, 2, 2], 8, "one dim after dim 0 differs"),
        ((4, 4, 4), (2, 4, 2), [0, 0, 0], [2, 4, 2], 0, ""),
        ((4, 4), (2,), [0], [2], 16, "equal ranks"),
        ((4, 4), (2, 2), [0], [2, 2], 1, "length of starts"),
        ((4, 4), (2, 2), [0, 0], [2], 1, "length of ends"),
    ],
)
def test_rules_of_set_value(
    dst: Any, src: Any, starts: Any, ends: Any, code: int, rule: str
) -> None:
    op = Operation(SetValueParam(starts, ends, [1] * len(dst)))
    descs = [TensorDesc("int32", "nd", dst), TensorDesc("int32", "nd", src)]
    if code == 0:
        assert op.infer_shape(descs) == []
    else:
        error = refused(code, "infer_shape", lambda: op.infer_shape(descs))
        assert error.rule == rule


def test_counts_that_64_bits_do_not_hold_are_0() -> None:
    assert TensorDesc("bool", "nd", (2**32, 2**31)).numel == 2**63
    assert TensorDesc("bool", "nd", (2**32, 2**32)).numel == 0
    assert TensorDesc("int16", "nd", (2**32, 2**31)).byte_size == 0
    assert TensorDesc("bool", "nd", ()).numel == 1
    assert TensorDesc("int4", "nd", (3,)).byte_size == 0


@pytest.mark.parametrize(
    "given", [None, 3, "x", [X], [None], [[3, 3]], {1: 2}, TensorDesc()]
)
def test_what_is_no_list_of_descs(given: Any) -> None:
    op = Operation(PARAM)
    refused(1, "infer_shape", lambda: op.infer_shape(given))


def test_a_message_says_what_was_given_allowed_and_how_to_mend() -> None:
    op = Operation(AsStridedParam([3, 3], [4, 4], [3]))
    call = lambda: op.infer_shape([TensorDesc("float16", "nd", (3, 3))])  # noqa: E731
    assert str(refused(1, "infer_shape", call)) == (
        "infer_shape: ERROR_INVALID_PARAM (1), rule 'furthest element': offset 3 + "
        "sum((size - 1) * stride) 16 reads element 19 of x, which has 9; make size, "
        "stride or offset smaller."
    )
    call = lambda: op.infer_shape([TensorDesc("bf16", "nd", (3, 3))])  # noqa: E731
    assert str(refused(13, "infer_shape", call)) == (
        "infer_shape: ERROR_INVALID_TENSOR_INI_MATCH (13), rule 'table of dtypes and "
        "formats': tensors are bf16/nd; all must be nd and of one dtype of float16, "
        "int64. Pass the same bytes as float16: the operator moves elements unchanged."
    )


# ------------------------------------------------------------------------------ setup


@pytest.mark.parametrize(
    ("asked", "given"), [(0, 0), (1, 512), (512, 512), (513, 1024)]
)
def test_setup_returns_a_workspace_in_multiples_of_512(asked: int, given: int) -> None:
    op = Operation(PARAM)
    assert op.setup(pack(), Context(kernel_workspace=asked)) == given


def test_setup_looks_at_descriptions_only() -> None:
    tensors = pack()
    tensors.in_tensors[0].data = None
    tensors.in_tensors[0].data_size = 1
    tensors.out_tensors[0].data = None
    assert Operation(PARAM).setup(tensors, Context()) == 0


def test_setup_does_not_compare_outputs_dtype_with_infer_shape_but_with_the_table() -> (
    None
):
    wrong = pack(X, np.zeros((2, 2), np.float16))
    refused(13, "setup", lambda: Operation(PARAM).setup(wrong, Context()))


def test_an_output_of_set_value_is_refused_by_its_number() -> None:
    op = Operation(SetValueParam([0, 0], [3, 2], [1, 1]))
    dst, src = np.zeros((3, 4), np.float32), np.ones((3, 2), np.float32)
    tensors = VariantPack([Tensor.of(dst), Tensor.of(src)], [Tensor.of(dst)])
    assert refused(5, "setup", lambda: op.setup(tensors, Context())).rule == (
        "number of outputs"
    )


# --------------------------------------------------------------------------- products


def set_value_of(dtype: Any) -> tuple[Operation, VariantPack]:
    dst, src = np.zeros((2, 3), dtype), np.ones((2, 2), dtype)
    op = Operation(SetValueParam([0, 1], [2, 3], [1, 1]))
    return op, VariantPack([Tensor.of(dst), Tensor.of(src)])


@pytest.mark.parametrize("name", ["Ascend310P3", "Atlas 推理系列产品", "inference"])
def test_bf16_is_refused_where_the_document_excludes_it(name: str) -> None:
    op, tensors = set_value_of(ml_dtypes.bfloat16)
    error = refused(6, "setup", lambda: op.setup(tensors, Context(name)))
    assert "Pass the same bytes as float16" in str(error)
    asked = Operation(SetValueParam([0, 1], [2, 3], [1, 1]), product=name)
    descs = [t.desc for t in tensors.in_tensors]
    refused(6, "infer_shape", lambda: asked.infer_shape(descs))


@pytest.mark.parametrize("name", ["training", "200I/500 A2", "Ascend910B"])
def test_bf16_is_warned_of_where_only_the_source_refuses(name: str) -> None:
    op, tensors = set_value_of(ml_dtypes.bfloat16)
    with pytest.warns(AtbWarning, match="tensor_check"):
        op.setup(tensors, Context(name))
    asked = Operation(SetValueParam([0, 1], [2, 3], [1, 1]), product=name)
    with pytest.warns(AtbWarning, match="tensor_check"):
        assert asked.infer_shape([t.desc for t in tensors.in_tensors]) == []


@pytest.mark.parametrize("name", [None, "A2", "A3", "Ascend910B1"])
def test_bf16_is_taken_elsewhere(name: str | None) -> None:
    op, tensors = set_value_of(ml_dtypes.bfloat16)
    assert op.setup(tensors, Context(name)) == 0


@pytest.mark.parametrize("name", ["training", "inference", "200I/500 A2"])
def test_other_dtypes_give_no_warning(name: str) -> None:
    op, tensors = set_value_of(np.float16)
    assert op.setup(tensors, Context(name)) == 0


def test_a_product_without_the_operator_is_refused_at_setup() -> None:
    op = Operation(PARAM, product="Atlas 350")
    assert op.infer_shape([Tensor.of(X).desc])
    error = refused(1, "setup", lambda: op.setup(pack(), Context("Ascend950")))
    assert "CANN's graph operator AsStrided" in str(error)
    assert refused(1, "setup", lambda: op.forward([X])).rule == "product"


@pytest.mark.parametrize("name", ["Atlas 9000", "", 3, ["A2"]])
def test_an_unknown_product_lists_the_known(name: Any) -> None:
    assert "Atlas A2 training" in str(refused(1, "create", lambda: Context(name)))
    refused(1, "create", lambda: Operation(PARAM, product=name))


# ---------------------------------------------------------------------------- execute


def test_execute_writes_the_output() -> None:
    y = np.zeros((2, 2), np.int64)
    op, context, tensors = Operation(PARAM), Context(), pack(X, y)
    assert op.setup(tensors, context) == 0
    op.execute(tensors, None, 0, context)
    assert y.tolist() == [[1, 4], [3, 6]]


def test_execute_takes_shapes_from_setup_and_data_from_the_pack() -> None:
    op, context = Operation(PARAM), Context()
    op.setup(pack(), context)
    x, y = X.reshape(9) * 10, np.zeros(4, np.int64)
    op.execute(pack(x, y), None, 0, context)
    assert y.tolist() == [10, 40, 30, 60]


def test_a_pack_without_tensors_stands_for_the_one_of_setup() -> None:
    y = np.zeros((2, 2), np.int64)
    op, context = Operation(PARAM), Context()
    op.setup(pack(X, y), context)
    op.execute(VariantPack(), None, 0, context)
    assert y.tolist() == [[1, 4], [3, 6]]
    null = pack()
    null.in_tensors[0].data = None
    op.setup(null, context)
    refused(4, "execute", lambda: op.execute(VariantPack(), None, 0, context))


def test_execute_writes_set_value_in_place_through_any_strides() -> None:
    base = np.zeros((3, 2), np.float32)
    dst, src = base.T, np.array([[1, 2], [3, 4]], np.float32)
    op, context = Operation(SetValueParam([0, 1], [2, 3], [1, 1])), Context()
    tensors = VariantPack([Tensor.of(dst), Tensor.of(src)])
    op.setup(tensors, context)
    op.execute(tensors, None, 0, context)
    assert base.tolist() == [[0, 0], [1, 3], [2, 4]]


def edit(tensor: str, **fields: Any) -> Callable[[dict[str, Any]], None]:
    def change(call: dict[str, Any]) -> None:
        for name, value in fields.items():
            setattr(getattr(call["variant_pack"], tensor)[0], name, value)

    return change


def more(tensor: str) -> Callable[[dict[str, Any]], None]:
    return lambda call: getattr(call["variant_pack"], tensor).append(Tensor.of(X))


FAULTS: list[tuple[str, Callable[[dict[str, Any]], Any]]] = [
    ("context", lambda call: call.update(context=None)),
    ("setup first", lambda call: setattr(call["op"], "_ready", None)),
    ("stream", lambda call: call["setup"].set_execute_stream(None)),
    ("context", lambda call: call.update(context=Context())),
    ("workspace size", lambda call: call.update(workspace_size=1023)),
    ("workspace", lambda call: call.update(workspace=None)),
    ("in_tensors", more("in_tensors")),
    ("data size", edit("in_tensors", data_size=71)),
    ("data", edit("in_tensors", data=None)),
    ("out_tensors", more("out_tensors")),
    ("data size", edit("out_tensors", data_size=0)),
    ("data", edit("out_tensors", data=None)),
]
"""Execute's checks in order; all answer 1 (operation_base.cpp)."""


@pytest.mark.parametrize("i", range(len(FAULTS)))
@pytest.mark.parametrize("j", range(len(FAULTS)))
def test_the_earlier_of_two_faults_at_execute(i: int, j: int) -> None:
    context, op = Context(kernel_workspace=1000), Operation(PARAM)
    tensors = pack()
    size = op.setup(pack(), context)
    call = {"variant_pack": tensors, "workspace": b"", "workspace_size": size}
    call |= {"context": context, "op": op, "setup": context}
    for k in {i, j}:
        FAULTS[k][1](call)
    op, _ = call.pop("op"), call.pop("setup")
    error = refused(1, "execute", lambda: op.execute(**call))
    assert error.rule == FAULTS[min(i, j)][0]
    assert not tensors.out_tensors[0].data_size or (
        tensors.out_tensors[0].data is None or not tensors.out_tensors[0].data.any()
    )


def test_a_setup_that_failed_forgets_the_one_before() -> None:
    op, context = Operation(PARAM), Context()
    op.setup(pack(), context)
    refused(1, "setup", lambda: op.setup(pack(), None))
    refused(1, "execute", lambda: op.execute(pack(), None, 0, context))


@pytest.mark.parametrize(
    "data",
    [
        X.astype(np.float64),
        X.astype(">i8"),
        X[:2],
        X.T.reshape(9)[::-1],
        [1] * 9,
        "x" * 9,
        np.zeros((3, 3), object),
    ],
)
def test_data_that_is_not_what_it_is_described_as(data: Any) -> None:
    op, context = Operation(PARAM), Context()
    tensors = pack()
    op.setup(tensors, context)
    tensors.in_tensors[0].data = data
    error = refused(4, "execute", lambda: op.execute(tensors, None, 0, context))
    assert error.rule == "data"


def test_an_output_that_cannot_be_written() -> None:
    y = np.zeros((2, 2), np.int64)
    y.flags.writeable = False
    op, context = Operation(PARAM), Context()
    tensors = pack(X, y)
    op.setup(tensors, context)
    error = refused(4, "execute", lambda: op.execute(tensors, None, 0, context))
    assert "read-only" in str(error)


@pytest.mark.parametrize("size", [None, "512", 0.5, True, 2**70, -1])
def test_hostile_workspace_sizes(size: Any) -> None:
    op, context = Operation(PARAM), Context(kernel_workspace=1)
    op.setup(pack(), context)
    if size == 2**70:
        op.execute(pack(), b"", size, context)
    else:
        refused(1, "execute", lambda: op.execute(pack(), b"", size, context))


@pytest.mark.parametrize("given", [None, [], (1, 2), "pack"])
def test_what_is_no_pack(given: Any) -> None:
    op, context = Operation(PARAM), Context()
    refused(1, "setup", lambda: op.setup(given, context))
    op.setup(pack(), context)
    refused(1, "execute", lambda: op.execute(given, None, 0, context))
    broken = VariantPack(given, [])
    if given != []:
        refused(1, "setup", lambda: op.setup(broken, context))
