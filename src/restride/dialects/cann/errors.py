"""What CANN answers when it refuses: status codes by name and number."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from enum import IntEnum
from typing import Literal

from restride.errors import RestrideError

__all__ = [
    "AclnnError",
    "AclnnStatus",
    "CannError",
    "GraphError",
    "GraphStatus",
    "NoDataError",
    "aclnn_errors",
    "graph_errors",
]

AclnnStage = Literal["create", "get_workspace_size", "run"]
GraphStage = Literal["infer_shape", "tiling", "run"]


class AclnnStatus(IntEnum):
    """``aclnnStatus``: the name, and the number a C caller sees.

    Notes
    -----
    CANN ops-math, docs/zh/context/aclnn_return_code.md.

    Examples
    --------
    >>> AclnnStatus(161002).name, int(AclnnStatus.ACLNN_ERR_INNER_NULLPTR)
    ('ACLNN_ERR_PARAM_INVALID', 561103)
    """

    ACLNN_SUCCESS = 0
    ACLNN_ERR_PARAM_NULLPTR = 161001
    ACLNN_ERR_PARAM_INVALID = 161002
    ACLNN_ERR_RUNTIME_ERROR = 361001
    ACLNN_ERR_INNER = 561000
    ACLNN_ERR_INNER_INFERSHAPE_ERROR = 561001
    ACLNN_ERR_INNER_TILING_ERROR = 561002
    ACLNN_ERR_INNER_FIND_KERNEL_ERROR = 561003
    ACLNN_ERR_INNER_CREATE_EXECUTOR = 561101
    ACLNN_ERR_INNER_NOT_TRANS_EXECUTOR = 561102
    ACLNN_ERR_INNER_NULLPTR = 561103
    ACLNN_ERR_INNER_WRONG_ATTR_INFO_SIZE = 561104
    ACLNN_ERR_INNER_KEY_CONFLICT = 561105
    ACLNN_ERR_INNER_INVALID_IMPL_MODE = 561106
    ACLNN_ERR_INNER_OPP_PATH_NOT_FOUND = 561107
    ACLNN_ERR_INNER_LOAD_JSON_FAILED = 561108
    ACLNN_ERR_INNER_JSON_VALUE_NOT_FOUND = 561109
    ACLNN_ERR_INNER_JSON_FORMAT_INVALID = 561110
    ACLNN_ERR_INNER_JSON_DTYPE_INVALID = 561111
    ACLNN_ERR_INNER_OPP_KERNEL_PKG_NOT_FOUND = 561112
    ACLNN_ERR_INNER_OP_FILE_INVALID = 561113
    ACLNN_ERR_INNER_ATTR_NUM_OUT_OF_BOUND = 561114
    ACLNN_ERR_INNER_ATTR_LEN_NOT_ENOUGH = 561115
    ACLNN_ERR_INNER_INPUT_NUM_IN_JSON_TOO_LARGE = 561116
    ACLNN_ERR_INNER_INPUT_JSON_IS_NULL = 561117
    ACLNN_ERR_INNER_STATIC_WORKSPACE_INVALID = 561118
    ACLNN_ERR_INNER_STATIC_BLOCK_DIM_INVALID = 561119


NULLPTR = AclnnStatus.ACLNN_ERR_PARAM_NULLPTR
INVALID = AclnnStatus.ACLNN_ERR_PARAM_INVALID
INNER_NULLPTR = AclnnStatus.ACLNN_ERR_INNER_NULLPTR


class GraphStatus(IntEnum):
    """What infer-shape and tiling of a graph operator return.

    The vendor documents no number for GRAPH_FAILED; -1 stands for "not 0".
    """

    GRAPH_SUCCESS = 0
    GRAPH_FAILED = -1


class CannError(RestrideError):
    """Anything the CANN dialect refuses."""


class GraphError(CannError):
    """A graph operator refuses: GRAPH_FAILED.

    Attributes
    ----------
    code : GraphStatus
    stage : {"infer_shape", "tiling", "run"}
        Who refuses: shape inference, the check before a kernel starts, or this
        library where a result cannot be made.
    operator : str
        "PadV3", "StridedSlice", ...
    why : str
        The message without the names before it.

    Examples
    --------
    >>> error = GraphError("PadV3", "tiling", "mode 'mirror' is not known.")
    >>> error.code.name, str(error)
    ('GRAPH_FAILED', "PadV3 (tiling, GRAPH_FAILED): mode 'mirror' is not known.")
    """

    def __init__(self, operator: str, stage: GraphStage, why: str) -> None:
        self.code = GraphStatus.GRAPH_FAILED
        self.stage: GraphStage = stage
        self.operator = operator
        self.why = why = " ".join(why.split())  # one line, whatever is quoted in it
        super().__init__(f"{operator} ({stage}, {self.code.name}): {why}")


class NoDataError(GraphError):
    """A graph operator would have to know values that a description does not hold.

    Attributes
    ----------
    tensor : str
        The input without data.

    Examples
    --------
    >>> NoDataError("StridedSlice", "infer_shape", "begin").why
    'begin has no data; its values count.'
    """

    def __init__(self, operator: str, stage: GraphStage, tensor: str) -> None:
        self.tensor = tensor
        super().__init__(operator, stage, f"{tensor} has no data; its values count.")


class AclnnError(CannError):
    """An aclnn function refuses.

    Attributes
    ----------
    code : AclnnStatus
        The number; `name` is its name.
    stage : {"create", "get_workspace_size", "run"}
        Making a tensor or scalar, the first call, or the second.
    operator : str
        "aclnnConstantPadNd", ...
    why : str
        The message without the names before it.

    Examples
    --------
    >>> error = AclnnError("aclnnConstantPadNd", 161001, "out is null.")
    >>> error.name, int(error.code), error.stage
    ('ACLNN_ERR_PARAM_NULLPTR', 161001, 'get_workspace_size')
    """

    def __init__(
        self,
        operator: str,
        code: AclnnStatus | int,
        why: str,
        stage: AclnnStage = "get_workspace_size",
    ) -> None:
        self.code = AclnnStatus(code)
        self.name = self.code.name
        self.stage: AclnnStage = stage
        self.operator = operator
        self.why = why = " ".join(why.split())  # one line, whatever is quoted in it
        super().__init__(f"{operator} ({stage}, {self.name} {self.code.value}): {why}")


@contextmanager
def graph_errors(operator: str, stage: GraphStage) -> Iterator[None]:
    """Give what the algebra refuses the graph operator's code and stage."""
    try:
        yield
    except GraphError:
        raise
    except AclnnError as error:
        raise GraphError(operator, stage, error.why) from None
    except (RestrideError, MemoryError) as error:
        raise GraphError(operator, stage, _told(error)) from None


@contextmanager
def aclnn_errors(
    operator: str, code: AclnnStatus, stage: AclnnStage = "get_workspace_size"
) -> Iterator[None]:
    """Give what the algebra, or making a tensor, refuses the function's code."""
    try:
        yield
    except AclnnError as error:
        if error.stage != "create" or stage == "create":
            raise
        raise AclnnError(operator, code, error.why, stage) from None
    except (RestrideError, MemoryError) as error:
        raise AclnnError(operator, code, _told(error), stage) from None


def _told(error: Exception) -> str:
    """Its message; a MemoryError may have none."""
    return str(error) or "there is not enough memory."
