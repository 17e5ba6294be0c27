"""The table of TensorFlow Lite against its interpreter, and the nodes that are read.

Files are written by hand, one operator each, so that the converter has no say.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest
import sets

tf = sets.framework("tensorflow")
tflite = pytest.importorskip("tflite")
sys.path.insert(0, str(Path(__file__).parent.parent / "models"))

from tf_moved import run  # noqa: E402
from tflite_files import TYPES, Op, Subgraph, Tensor, constant, model_bytes  # noqa: E402

from restride.models.answers import ANSWERS  # noqa: E402
from restride.models.limits.rules import limits_of  # noqa: E402
from restride.models.tflite.walk import walk_tflite  # noqa: E402

TABLE = limits_of("tflite")
CODES = tflite.BuiltinOperator
OPTIONS = tflite.BuiltinOptions


@dataclass(frozen=True)
class Case:
    """One operator over a tensor of extent 4 along each axis."""

    op: str
    lists: list[Any]
    shapes: list[list[int]]
    """Of its results."""
    options: Mapping[str, int] = field(default_factory=dict)
    first: int = 0
    """How many of the lists stand before the data."""
    fill: bool = False
    update: list[int] = field(default_factory=list)
    version: int = 1

    def written(self, dtype: str, rank: int) -> bytes:
        """The file."""
        made = [constant(f"c{k}", v) for k, v in enumerate(self.lists)]
        data = Tensor("x", [4] * rank, dtype)
        more = [Tensor("u", self.update, dtype)] if self.update else []
        if self.fill:
            kind = ml_dtypes.bfloat16 if dtype == "bfloat16" else dtype
            made.append(Tensor("v", (), dtype, np.array(1, kind)))
        tensors = [*made[: self.first], data, *more, *made[self.first :]]
        results = [Tensor(f"y{k}", s, dtype) for k, s in enumerate(self.shapes)]
        at = len(tensors)
        inputs = [tensors.index(t) for t in (data, *more)]
        outputs = list(range(at, at + len(results)))
        op = Op(
            getattr(CODES, self.op),
            list(range(at)),
            outputs,
            self.version,
            _options(self.op, self.options),
        )
        graph = Subgraph([*tensors, *results], [op], "main", inputs, outputs)
        return model_bytes(graph)


def _options(op: str, fields: Mapping[str, int]) -> Any:
    if not fields:
        return None
    title = {
        "SPLIT": "SplitOptions",
        "SPLIT_V": "SplitVOptions",
        "MIRROR_PAD": "MirrorPadOptions",
        "GATHER": "GatherOptions",
        "STRIDED_SLICE": "StridedSliceOptions",
        "DEPTH_TO_SPACE": "DepthToSpaceOptions",
        "SPACE_TO_DEPTH": "SpaceToDepthOptions",
    }[op]

    def write(b: Any) -> int:
        getattr(tflite, f"{title}Start")(b)
        for name, value in fields.items():
            getattr(tflite, f"{title}Add{name}")(b, value)
        return int(getattr(tflite, f"{title}End")(b))

    return getattr(OPTIONS, title), write


def cases(rank: int) -> Iterator[Case]:
    """Every operator of the table over `rank` axes."""
    four, rest = [4] * rank, [4] * (rank - 1)
    ones, threes = [1] * rank, [3] * rank
    yield Case("STRIDED_SLICE", [ones, threes, ones], [[2] * rank])
    yield Case("SLICE", [ones, [2] * rank], [[2] * rank])
    yield Case("PAD", [[[1, 0]] * rank], [[5] * rank])
    yield Case("PADV2", [[[1, 0]] * rank], [[5] * rank], fill=True)
    for mode in (0, 1):
        yield Case("MIRROR_PAD", [[[1, 2]] * rank], [[7] * rank], {"Mode": mode})
    yield Case("TRANSPOSE", [list(range(rank))[::-1]], [four])
    yield Case("TILE", [[2, *ones[1:]]], [[8, *rest]])
    yield Case("BROADCAST_TO", [[2, *four]], [[2, *four]], version=2)
    yield Case("SPLIT", [0], [[2, *rest]] * 2, {"NumSplits": 2}, first=1)
    yield Case("SPLIT_V", [[1, 3], 0], [[1, *rest], [3, *rest]], {"NumSplits": 2})
    yield Case("REVERSE_V2", [[rank - 1]], [four])
    yield Case("RESHAPE", [[-1]], [[4**rank]])
    yield Case("SQUEEZE", [], [four])
    yield Case("EXPAND_DIMS", [0], [[1, *four]])
    yield Case("GATHER", [[3, 1]], [[2, *rest]], {"Axis": 0})
    yield Case("DYNAMIC_UPDATE_SLICE", [ones], [four], update=[2] * rank)
    if rank == 4:
        yield Case("DEPTH_TO_SPACE", [], [[4, 8, 8, 1]], {"BlockSize": 2})
        yield Case("SPACE_TO_DEPTH", [], [[4, 2, 2, 16]], {"BlockSize": 2})


def interpreter(data: bytes) -> Any:
    """An interpreter without delegates, which would take nodes from the kernels."""
    kind = tf.lite.experimental.OpResolverType.BUILTIN_WITHOUT_DEFAULT_DELEGATES
    return tf.lite.Interpreter(model_content=data, experimental_op_resolver_type=kind)


def theirs(data: bytes) -> str:
    try:
        made = interpreter(data)
        made.allocate_tensors()
        made.invoke()
    except (RuntimeError, ValueError):
        return "refused"
    return "fast"


def ours(case: Case, dtype: str, rank: int) -> str:
    """The hardest of the table's rules that hold."""
    facts = {
        "dtype": dtype,
        "rank": rank,
        "result_rank": len(case.shapes[0]),
        "opset": case.version,
    }
    found = TABLE.apply(f"tflite:{case.op}", facts)
    held = [limit.rule.answer for limit in found if limit.holds]
    return max(held, key=ANSWERS.index, default="cannot tell")


@pytest.mark.filterwarnings("ignore")
def test_every_type_and_rank_of_the_table() -> None:
    asked = [(case, dtype, 4) for case in cases(4) for dtype in TYPES]
    asked += [(case, "float32", rank) for rank in range(1, 10) for case in cases(rank)]
    wrong = []
    for case, dtype, rank in asked:
        done, told = theirs(case.written(dtype, rank)), ours(case, dtype, rank)
        if done != told:
            wrong.append(f"{case.op} {dtype} rank {rank}: {told}; it: {done}")
    sets.COMPARED["tensorflow lite limits"] = len(asked)
    assert not wrong, "\n".join(wrong)
    assert tf.__version__ == TABLE.version


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("rank", [1, 2, 3, 4, 5])
def test_what_is_read_moves_as_the_interpreter_moves(rank: int) -> None:
    rng = np.random.default_rng(rank)
    for case in cases(rank):
        if case.update:
            continue
        for dtype in ("float32", "int32"):
            data = case.written(dtype, rank)
            [node] = walk_tflite(data, "m")
            made = interpreter(data)
            made.allocate_tensors()
            x = rng.integers(0, 100, [4] * rank).astype(dtype)
            made.set_tensor(made.get_input_details()[0]["index"], x)
            made.invoke()
            for k, told in enumerate(made.get_output_details()):
                same = np.array_equal(run(node, x, k), made.get_tensor(told["index"]))
                assert same, (case.op, dtype, rank, k)
