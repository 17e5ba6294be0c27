"""Run a case up to a stage and tell where it ended: the door for tables of cases."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from restride.dialects.atb.context import Context
from restride.dialects.atb.errors import AtbError, ErrorType
from restride.dialects.atb.forward import create_operation
from restride.dialects.atb.params import AsStridedParam, Param, SetValueParam
from restride.dialects.atb.tensors import Tensor, TensorDesc, VariantPack
from restride.targets import Product
from restride.targets.names import shown

__all__ = ["PARAMS", "STAGES", "Outcome", "run_to"]

Array = np.ndarray[Any, Any]

STAGES = ("create", "infer_shape", "setup", "execute")
"""In the order in which a call goes through them."""

PARAMS: dict[str, type[Param]] = {
    "AsStridedOperation": AsStridedParam,
    "SetValueOperation": SetValueParam,
}
"""The parameter structure of each operation; a table's values are its keywords."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """Where a case ended."""

    stage: str
    """The last stage that ran: the one that refused, or the one to stop at."""
    code: ErrorType
    """NO_ERROR, or what the stage answered."""
    error: AtbError | None = None
    """What was raised."""
    out_descs: tuple[TensorDesc, ...] = ()
    """What InferShape returned, where it was reached."""
    workspace_size: int = 0
    """What Setup returned, where it was reached."""
    outputs: tuple[Array, ...] = ()
    """What Execute wrote, where it was reached."""


def run_to(
    stage: str,
    operation: str,
    params: dict[str, Any],
    in_descs: Sequence[TensorDesc],
    out_descs: Sequence[TensorDesc] | None = None,
    *,
    data: Sequence[Array | None] | None = None,
    product: str | Product | None = None,
) -> Outcome:
    """Run a case up to and including `stage`.

    Parameters
    ----------
    stage : str
        One of `STAGES`.
    operation : str
        One of `PARAMS`.
    params : dict
        Keywords of the parameter structure, `rsv` among them.
    in_descs, out_descs : sequence of TensorDesc
        Outputs None take what InferShape returns, as the vendor's tables do for cases
        marked as generalization.  Formats are taken as they are: the vendor's test
        tool turns nchw into nd before it calls.
    data : sequence of ndarray, optional
        One per input, for "execute"; SetValueOperation changes the first.
    product : str or Product, optional

    Returns
    -------
    Outcome
        Refusals of the dialect are told in it, not raised.

    Notes
    -----
    Ascend ATB 8.5.0, tests/framework/python/CsvOpsTestTool/atb_csv_ops_test.py.

    Examples
    --------
    >>> x = TensorDesc("float", "nd", (3, 3))
    >>> params = {"size": [3, 3], "stride": [1, 0], "offset": [0]}
    >>> told = run_to("setup", "AsStridedOperation", params, [x])
    >>> told.stage, told.code.name
    ('infer_shape', 'ERROR_INVALID_TENSOR_INI_MATCH')
    """
    texts = isinstance(stage, str) and isinstance(operation, str)
    if not texts or stage not in STAGES or operation not in PARAMS:
        raise AtbError(
            ErrorType.ERROR_INVALID_PARAM,
            "create",
            "case",
            f"stage {shown(stage)} of {shown(operation)}; stages are {STAGES}, "
            f"operations {tuple(PARAMS)}.",
        )
    found: dict[str, Any] = {}
    try:
        _run(stage, operation, params, in_descs, out_descs, data, product, found)
    except AtbError as error:
        return Outcome(error.stage, error.code, error, **found)
    return Outcome(stage, ErrorType.NO_ERROR, **found)


def _run(
    stage: str,
    operation: str,
    params: dict[str, Any],
    in_descs: Sequence[TensorDesc],
    out_descs: Sequence[TensorDesc] | None,
    data: Sequence[Array | None] | None,
    product: str | Product | None,
    found: dict[str, Any],
) -> None:
    reach = STAGES.index(stage)
    op = create_operation(_made(operation, params), product=product)
    if reach < 1:
        return
    found["out_descs"] = tuple(op.infer_shape(list(in_descs)))
    if reach < 2:
        return
    outs = found["out_descs"] if out_descs is None else out_descs
    inputs = [Tensor(desc) for desc in in_descs]
    for tensor, array in zip(inputs, data or (), strict=False):
        tensor.data = array
    pack = VariantPack(inputs, [Tensor(desc) for desc in outs])
    context = Context(product)
    found["workspace_size"] = op.setup(pack, context)
    if reach < 3:
        return
    found["outputs"] = tuple(op.run(pack, context))


def _made(operation: str, params: Any) -> Param:
    kind = PARAMS[operation]
    known = (*kind.lists, "rsv")
    if not isinstance(params, dict) or not set(params) <= set(known):
        raise AtbError(
            ErrorType.ERROR_INVALID_PARAM,
            "create",
            "parameters",
            f"{operation} takes a dict with keys among {', '.join(known)}.",
        )
    return kind(**params)
