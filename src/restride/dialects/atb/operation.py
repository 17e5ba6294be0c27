"""An operation: create, InferShape, Setup, Execute, each with ATB's checks in order."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import Any

import numpy as np

from restride.dialects.atb.context import Context
from restride.dialects.atb.errors import AtbError, ErrorType, answering
from restride.dialects.atb.framework import (
    check_bf16,
    check_columns,
    check_count,
    check_shapes,
)
from restride.dialects.atb.launch import Ready, arrays_of, check_pack, check_ready
from restride.dialects.atb.params import Param
from restride.dialects.atb.rules import check_product, rules_of
from restride.dialects.atb.tensors import Tensor, TensorDesc, VariantPack
from restride.targets import Product
from restride.targets import product as product_named

__all__ = ["OperationBase"]

Array = np.ndarray[Any, Any]

ALIGN_BYTES = 512
"""Workspaces are multiples of this (src/atb/operation/operation_base.cpp)."""

INVALID = ErrorType.ERROR_INVALID_PARAM


class OperationBase:
    """The stages of an operation.  Made by :func:`create_operation`."""

    def __init__(self, param: Param, product: str | Product | None = None) -> None:
        self._rules = rules_of(param)
        with answering("create", INVALID, "product"):
            self._product = None if product is None else product_named(product)
        self._ready: Ready | None = None

    @property
    def name(self) -> str:
        """The operation's name, such as "SetValueOperation"."""
        return self._rules.name

    @property
    def input_num(self) -> int:
        """Number of inputs."""
        return len(self._rules.inputs)

    @property
    def output_num(self) -> int:
        """Number of outputs; 0 for SetValueOperation, which writes into dst."""
        return len(self._rules.outputs)

    def __repr__(self) -> str:
        return (
            f"op name: {self.name}, input_num: {self.input_num}, "
            f"output_num: {self.output_num}"
        )

    def infer_shape(self, in_tensor_descs: Sequence[TensorDesc]) -> list[TensorDesc]:
        """The descriptions of the outputs.

        Parameters
        ----------
        in_tensor_descs : sequence of TensorDesc
            One per input; for SetValueOperation dst, then src.

        Returns
        -------
        list of TensorDesc
            One per output, so none for SetValueOperation.

        Raises
        ------
        AtbError
            The first rule that is broken, in the vendor's order: number of inputs
            (5); per input, dims (8) and bytes (9); the table of dtypes (13); bf16 by
            product (6); the operation's own.

        Notes
        -----
        Ascend ATB 8.5.0, src/atb/operation/operation_base.cpp, InferShape.

        Examples
        --------
        >>> from restride.dialects.atb import AsStridedParam
        >>> op = OperationBase(AsStridedParam([2, 2], [2, 3], [0]))
        >>> op.infer_shape([TensorDesc("float16", "nd", (3, 3))])
        [TensorDesc(dtype='float16', format='nd', shape=(2, 2))]
        """
        stage, rules = "infer_shape", self._rules
        descs = _listed(stage, in_tensor_descs, TensorDesc)
        check_count(stage, "input", len(descs), self.input_num)
        check_shapes(stage, rules.inputs, descs)
        check_columns(stage, self.name, rules.columns, descs)
        check_bf16(stage, self.name, descs, self._product)
        rules.check(stage, descs)
        return rules.infer(descs)

    def setup(self, variant_pack: VariantPack, context: Context | None) -> int:
        """Check a call and say how much workspace it takes.

        Parameters
        ----------
        variant_pack : VariantPack
            Only the descriptions of its tensors are looked at.
        context : Context

        Returns
        -------
        int
            Bytes of workspace: what the context's kernel asks, in multiples of 512.

        Raises
        ------
        AtbError
            The first rule that is broken, in the vendor's order: no context (1);
            numbers of inputs and outputs (both 5); dims (8) and bytes (9) of inputs,
            then of outputs; the table of dtypes over all (13); bf16 by product (6);
            the operation's own; no Context (1); a product without the operator (1).

        Notes
        -----
        Ascend ATB 8.5.0, src/atb/operation/operation_base.cpp, Setup.
        """
        self._ready = None
        self._ready = ready = self._set_up(variant_pack, context)
        return ready.workspace_size

    def _set_up(self, variant_pack: VariantPack, context: Context | None) -> Ready:
        """All of Setup's checks; nothing is noted in the operation."""
        stage, rules = "setup", self._rules
        if context is None:
            raise AtbError(INVALID, stage, "context", "it is None; give a Context.")
        pack = _packed(stage, variant_pack)
        known = context.product if isinstance(context, Context) else None
        product = known or self._product
        inputs = [tensor.desc for tensor in pack.in_tensors]
        outputs = [tensor.desc for tensor in pack.out_tensors]
        check_count(stage, "input", len(inputs), self.input_num)
        check_count(stage, "output", len(outputs), self.output_num)
        check_shapes(stage, rules.inputs, inputs)
        check_shapes(stage, rules.outputs, outputs)
        check_columns(stage, self.name, rules.columns, inputs, outputs)
        check_bf16(stage, self.name, [*inputs, *outputs], product)
        rules.check_setup(stage, inputs, outputs)
        if not isinstance(context, Context):
            kind = type(context).__name__
            raise AtbError(INVALID, stage, "context", f"it is a {kind}, no Context.")
        check_product(stage, self.name, product)
        blocks = -(-context.kernel_workspace // ALIGN_BYTES)
        return Ready(pack, context, blocks * ALIGN_BYTES)

    def execute(
        self,
        variant_pack: VariantPack,
        workspace: Any,
        workspace_size: int,
        context: Context | None,
    ) -> None:
        """Move the elements.

        Parameters
        ----------
        variant_pack : VariantPack
            Its data, read with the shapes given to Setup; one without tensors stands
            for the one given to Setup.
        workspace : object
            Any but None where Setup asked for a workspace; it is not touched.
        workspace_size : int
            In bytes; at least what Setup returned.
        context : Context
            The one given to Setup.

        Raises
        ------
        AtbError
            The first rule that is broken, in the vendor's order: no context (1); no
            successful Setup (1); no stream (1); another context (1); the workspace's
            size and address (1); per tensor, its size in bytes and its data (1); data
            that does not fit its description or cannot be written (4).

        Notes
        -----
        Ascend ATB 8.5.0, src/atb/operation/operation_base.cpp, Execute.
        """
        before = check_ready(self._ready, workspace, workspace_size, context).pack
        pack = _packed("execute", variant_pack)
        if pack.in_tensors or pack.out_tensors:
            check_pack(pack, before)
        else:
            pack = before
        outputs = arrays_of(pack.out_tensors, before.out_tensors, self._rules.outputs)
        self._launch(pack, before, outputs)

    def run(self, variant_pack: VariantPack, context: Context) -> list[Array]:
        """Setup and Execute in one, with outputs made here; nothing is noted.

        The vendor's Python binding makes its outputs itself, too; here they come from
        restride, which refuses what this machine cannot hold.  Any number of threads
        may run one operation.

        Parameters
        ----------
        variant_pack : VariantPack
            Of the outputs only the descriptions are looked at.
        context : Context

        Raises
        ------
        AtbError
            As `setup` and `execute`.
        """
        ready = self._set_up(variant_pack, context)
        check_ready(ready, b"", ready.workspace_size, context)
        return self._launch(ready.pack, ready.pack, [])

    def _launch(
        self, pack: VariantPack, before: VariantPack, outputs: Sequence[Array]
    ) -> list[Array]:
        inputs = arrays_of(pack.in_tensors, before.in_tensors, self._rules.inputs)
        with answering("execute", ErrorType.ERROR_RT_FAIL, "launch"):
            return self._rules.run(inputs, outputs)


def _listed(stage: str, given: Any, kind: type) -> list[Any]:
    """`given` as a list of copies, all of `kind`."""
    found = list(given) if isinstance(given, (list, tuple)) else None
    if found is None or not all(isinstance(item, kind) for item in found):
        raise AtbError(INVALID, stage, "arguments", f"give a list of {kind.__name__}s.")
    return [copy(item) for item in found]


def _packed(stage: str, given: Any) -> VariantPack:
    """A copy of the pack: later changes to it or its tensors reach nothing noted."""
    if not isinstance(given, VariantPack):
        kind = type(given).__name__
        raise AtbError(INVALID, stage, "arguments", f"a {kind} is no VariantPack.")
    tensors = [
        _listed(stage, side, Tensor) for side in (given.in_tensors, given.out_tensors)
    ]
    if not all(isinstance(t.desc, TensorDesc) for side in tensors for t in side):
        raise AtbError(INVALID, stage, "arguments", "a tensor's desc is no TensorDesc.")
    return VariantPack(*tensors)
