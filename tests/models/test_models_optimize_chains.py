"""Random chains written step by step as a model: optimised, they give the same."""

from __future__ import annotations

from typing import Any

import chains
import numpy as np
import pytest
from chains import Chain
from hypothesis import given, settings
from samples import cells, different, fresh

import restride as rs

onnx = pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")

from restride.models.optimize.optimize import optimize_model  # noqa: E402
from restride.models.running.runtime import Runner  # noqa: E402

TYPES = tuple(map(np.dtype, ("u1", "f4", "i8", "?")))
RUNNER = Runner()


def step_by_step(chain: Chain, x: np.ndarray) -> Any:
    """A model with the nodes of one step after those of another."""
    nodes, constants = [], []
    v, at = rs.view(x), "x"
    for k, step in enumerate(chain.steps):
        here = step.apply(rs.view(np.zeros(v.shape, v.dtype)))
        last = f"v{k}" if k < len(chain.steps) - 1 else "y"
        part = here.to_onnx(input_name=at, output_name=last, opset=19)
        nodes += part.graph.node
        constants += part.graph.initializer
        v, at = step.apply(v), last
    info = onnx.helper.make_tensor_value_info
    kind = onnx.helper.np_dtype_to_tensor_dtype(x.dtype)
    graph = onnx.helper.make_graph(
        nodes, "g", [info("x", kind, x.shape)], [info("y", kind, v.shape)], constants
    )
    opsets = [onnx.helper.make_opsetid("", 19)]
    return onnx.helper.make_model(graph, opset_imports=opsets, ir_version=9)


@settings(max_examples=40)
@given(chain=chains.chains(dtypes=TYPES))
def test_any_chain(chain: Chain) -> None:
    if not chain.steps:
        return
    x = fresh(chain.shape, chain.dtype, "rows")
    model = step_by_step(chain, x)
    told = optimize_model(model)
    onnx.checker.check_model(told.model, full_check=True)
    made = RUNNER.run(told.model, {"x": x})[0]
    assert different(made, chain.define(cells(x))) is None
    assert not told.refused
    counts = [len(m.graph.node) for m in (model, told.model)]
    assert counts[0] - counts[1] == told.nodes_saved
    assert told.bytes_saved >= 0
