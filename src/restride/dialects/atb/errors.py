"""What ATB answers when it refuses: a status, the stage, and the rule that broke."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from enum import IntEnum

from restride.errors import RestrideError

__all__ = ["AtbError", "AtbWarning", "ErrorType", "answering"]


class ErrorType(IntEnum):
    """ATB's status codes.

    Notes
    -----
    Ascend ATB 8.5.0, include/atb/types.h.
    """

    NO_ERROR = 0
    ERROR_INVALID_PARAM = 1
    ERROR_INVALID_GRAPH = 2
    ERROR_INTERNAL_ERROR = 3
    ERROR_RT_FAIL = 4
    ERROR_INVALID_IN_TENSOR_NUM = 5
    ERROR_INVALID_TENSOR_DTYPE = 6
    ERROR_INVALID_TENSOR_FORMAT = 7
    ERROR_INVALID_TENSOR_DIM = 8
    ERROR_INVALID_TENSOR_SIZE = 9
    ERROR_OPERATION_NULL_RUNNER = 10
    ERROR_GRAPH_INFERSHAPE_FUNC_FAIL = 11
    ERROR_CANN_ERROR = 12
    ERROR_INVALID_TENSOR_INI_MATCH = 13
    ERROR_INVALID_TENSOR_ADDR = 14
    ERROR_INVALID_TENSOR_NUM = 15
    ERROR_INVALID_TENSOR_DIM_NUM = 16
    ERROR_INVALID_SINGLE_OPERATION_PARAM = 17
    ERROR_GRAPH_NODE_RESHAPE_FUNC_FAIL = 18
    ERROR_INVALID_GRAPH_NODE_CHUNK = 19
    ERROR_INVALID_CONTEXT_ADDR = 20
    ERROR_INVALID_STREAM = 21
    ERROR_INVALID_WORKSPACE_SIZE = 22
    ERROR_INVALID_WORKSPACE_ADDR = 23
    ERROR_INVALID_OPERATION_ADDR = 24
    ERROR_HCCL_FAIL = 25
    ERROR_OUT_OF_DEVICE_MEMORY = 26
    ERROR_OUT_OF_HOST_MEMORY = 27
    ERROR_COMM_EMPTY = 28
    ERROR_COPY_HOST_MEMORY_FAIL = 29


class AtbError(RestrideError, RuntimeError):
    """A call that ATB refuses; nothing was written.

    Also a RuntimeError, which is what the vendor's Python binding raises, without the
    code.

    Attributes
    ----------
    code : ErrorType
        The status ATB would return.
    stage : str
        "create", "infer_shape", "setup" or "execute"; what cannot even be made into
        one of ATB's structures is refused at "create".
    rule : str
        A short name of the broken rule, such as "furthest element".
    """

    def __init__(self, code: ErrorType, stage: str, rule: str, message: str):
        told = " ".join(message.split())  # one line, whatever is quoted in it
        super().__init__(f"{stage}: {code.name} ({int(code)}), rule '{rule}': {told}")
        self.code = code
        self.stage = stage
        self.rule = rule


class AtbWarning(UserWarning):
    """Accepted as the document has it, where the vendor's source would refuse."""


@contextmanager
def answering(stage: str, code: ErrorType, rule: str) -> Iterator[None]:
    """What restride or NumPy refuses meanwhile becomes an AtbError."""
    try:
        yield
    except AtbError:
        raise
    except (RestrideError, MemoryError) as error:
        raise AtbError(code, stage, rule, str(error) or type(error).__name__) from error
