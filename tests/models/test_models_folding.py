"""Parameters that a model computes are followed as its types compute them."""

from __future__ import annotations

import numpy as np
import pytest
from models_made import onnx_model

import restride as rs

onnx = pytest.importorskip("onnx")
runtime = pytest.importorskip("onnxruntime")

ENDS = {
    "ceiling of a float32 product": """s = Shape (x) f = Cast <to = 1> (s)
        c = Constant <value = float[1] {0.1}> () p = Mul (f, c) q = Ceil (p)
        e = Cast <to = 7> (q)""",
    "truncated float32 product": """a = Constant <value = float[1] {0.29}> ()
        b = Constant <value = float[1] {100.0}> () p = Mul (a, b)
        e = Cast <to = 7> (p)""",
    "more digits than float32 has": """a = Constant <value = int64[1] {16777217}> ()
        b = Cast <to = 1> (a) c = Cast <to = 7> (b)
        d = Constant <value = int64[1] {16777214}> () e = Sub (c, d)""",
    "remainder of integers": """a = Constant <value = int64[1] {-7}> ()
        b = Constant <value = int64[1] {4}> () c = Mod <fmod = 1> (a, b)
        e = Neg (c)""",
    "truth": """a = Constant <value = float[1] {2.7}> () b = Cast <to = 9> (a)
        e = Cast <to = 7> (b)""",
}
"""Nodes that compute the end of a slice, and all of it follows."""

BEYOND = {
    "narrowed to a byte": """a = Constant <value = int64[1] {258}> ()
        b = Cast <to = 2> (a) e = Cast <to = 7> (b)""",
    "narrowed to 32 bits": """a = Constant <value = int64[1] {4294967299}> ()
        b = Cast <to = 6> (a) e = Cast <to = 7> (b)""",
    "a sum of 32 bits": """a = Constant <value = int32[1] {2147483647}> ()
        b = Add (a, a) c = Constant <value = int32[1] {7}> () d = Add (b, c)
        e = Cast <to = 7> (d)""",
    "below zero": """a = Constant <value = uint8[1] {1}> () b = Sub (a, a)
        c = Sub (b, a) e = Cast <to = 7> (c)""",
}
"""Nodes whose type cannot hold what they compute, which products answer differently."""


def sliced(nodes):
    """A model that cuts x at the end that `nodes` compute."""
    zero = "z = Constant <value = int64[1] {0}> ()"
    end = "y = Slice (x, z, e)"
    return onnx_model(f"g (float[40] x) => (float[N] y) {{ {zero} {nodes} {end} }}")


def end_of(model):
    """The slice's end, as the check has it."""
    found = rs.check_model(model, "onnxruntime").nodes[-1]
    assert not found.movement.wrong
    return found.params["ends"]


@pytest.mark.parametrize("name", ENDS)
def test_numbers_are_those_of_the_runtime(name):
    model = sliced(ENDS[name])
    if "Shape" in ENDS[name]:
        model.graph.input[0].type.tensor_type.shape.dim[0].dim_value = 10
    size = model.graph.input[0].type.tensor_type.shape.dim[0].dim_value
    session = runtime.InferenceSession(
        model.SerializeToString(), providers=["CPUExecutionProvider"]
    )
    (made,) = session.run(None, {"x": np.zeros(size, np.float32)})
    assert end_of(model) == made.shape


@pytest.mark.parametrize("name", BEYOND)
def test_numbers_beyond_their_type_are_not_known(name):
    assert end_of(sliced(BEYOND[name])) is None
