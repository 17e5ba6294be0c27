"""Runs of movement nodes replaced by the fewest equivalent nodes, each proven equal.

>>> import onnx.parser
>>> told = optimize_model(onnx.parser.parse_model('''
...     <ir_version: 8, opset_import: ["" : 18]> g (float[3, 4] x) => (float[3, 4] y) {
...         a = Transpose <perm = [1, 0]> (x)
...         b = Relu (a)
...         c = Transpose <perm = [1, 0]> (b)
...         d = Transpose <perm = [1, 0]> (c)
...         y = Transpose <perm = [1, 0]> (d) }'''))
>>> told.nodes_saved, [node.op_type for node in told.model.graph.node]
(2, ['Transpose', 'Relu', 'Transpose'])
"""

from __future__ import annotations

from typing import Any

from restride.checks import as_index
from restride.models.onnx.files import load, save
from restride.models.onnx.protos import copied
from restride.models.optimize.passes import Passes
from restride.models.optimize.report import Optimized
from restride.models.optimize.whole import whole
from restride.packages import needed

__all__ = ["optimize_model"]

MOST_PASSES = 4
"""How often a model is gone through again after something changed."""


def optimize_model(model: Any, output: Any = None, *, seed: int = 0) -> Optimized:
    """Replace chains of movement nodes by the fewest equivalent standard ONNX nodes.

    Each replacement has fewer nodes and moves no more bytes, or moves fewer bytes with
    no more nodes, and gives the same bits on random elements; everything else stays:
    names of inputs and outputs, metadata, functions, opsets, external data.

    Parameters
    ----------
    model : str, path, bytes or onnx.ModelProto
        The model; one given as a proto is not changed.
    output : path, optional
        Where to write the result; where nothing is saved, the model as it was.
    seed : int
        Of the random elements.

    Returns
    -------
    Optimized
        The model, and what was saved where.

    Raises
    ------
    ModelError
        The model cannot be read, or the result not be written.
    UnsupportedError
        The onnx package is not installed.
    """
    onnx = needed("onnx", "onnx", "optimizing a model")
    read, proto = load(model)
    work = Passes(onnx, read, as_index(seed, "seed"))
    made = copied(proto)
    for _ in range(MOST_PASSES):
        if not work.passed(made):
            break
    check = whole(work.runner, proto, made, read, seed) if work.done else None
    if check is not None and check.differs:
        work.refused += [f"the whole model: {check.text}"]
        made, work.done = proto, []
    result = Optimized(
        read.name, made, tuple(work.done), tuple(work.refused), work.by, check
    )
    if output is not None:
        save(made if result.fused else proto, read, output)
    return result
