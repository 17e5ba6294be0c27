"""``restride translate``: one call in, text or JSON out, one line where it is wrong."""

from __future__ import annotations

import json

import pytest
from cli_tool import Tool, assert_refused

SLICE = '{"begin": [1, 0], "end": [0, 0], "strides": [1, -1], "end_mask": 2}'


def test_an_index_becomes_nodes(tool: Tool) -> None:
    code, out, err = tool(
        "translate", "numpy", "x[1, ::-2, None]", "--to", "onnx", "--shape", "3,5"
    )
    assert (code, err) == (0, "")
    assert "y_1 = Slice (x, y_1_starts, y_1_ends, y_1_axes, y_1_steps)" in out
    assert out.rstrip().endswith("y = Unsqueeze (y_2, y_axes)")
    assert tool("translate", "numpy", "x[1, ::-2, None]")[1] == out


def test_an_index_may_start_with_a_sign(tool: Tool) -> None:
    code, out, _ = tool("translate", "numpy", "-1", "--to", "restride")
    assert (code, out) == (0, 'import restride as rs\n\ny = rs.slice(x, "-1")\n')


def test_params_are_json(tool: Tool) -> None:
    words = ["tensorflow", "strided_slice", "--params", SLICE]
    code, out, _ = tool("translate", *words, "--to", "pytorch")
    assert code == 0
    assert out == "import torch\n\ny = torch.flip(x, (1,))\ny = y[1:0, -1:]\n"
    told = json.loads(tool("translate", *words, "--to", "pytorch", "--json")[1])
    assert [c["op"] for c in told["translation"]["calls"]] == ["flip", "getitem"]
    assert told["translation"]["any_shape"] is True
    assert told["translation"]["text"] == out.rstrip("\n")


def test_notes_follow_the_text(tool: Tool) -> None:
    pad = '{"paddings": [[1, 1]], "mode": "symmetric"}'
    words = ["translate", "restride", "pad", "--params", pad, "--to", "onnx"]
    code, out, _ = tool(*words, "--shape", "3")
    assert code == 0
    assert out.endswith("\n\nnote: the calls hold for inputs of shape (3,) only.\n")
    assert_refused(tool(*words, "--rank", "1"), "needs the input's shape")


def test_agreement(tool: Tool) -> None:
    words = ["translate", "numpy", "x[::-1]", "--agree", "numpy,onnx,pytorch"]
    code, out, _ = tool(*words, "--shape", "3")
    assert code == 0
    assert out.splitlines()[0] == "numpy    gives shape (3,)"
    assert out.splitlines()[-1] == "those that answer agree"
    both = tool(*words, "--shape", "3", "--to", "restride")[1]
    assert both.startswith("import restride as rs")
    assert both.endswith(out)
    told = json.loads(tool(*words, "--shape", "3", "--json")[1])
    assert told["agreement"]["same"] is False
    assert "translation" not in told
    assert_refused(tool(*words), "--agree", "needs --shape")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["fortran", "x[0]"], "'fortran' is not known"),
        (["onnx", "Relu"], "no operator 'Relu'"),
        (["numpy", "x[1"], "'[' is not closed"),
        (["numpy", "pad", "--params", "[1"], "--params is not JSON"),
        (["numpy", "pad", "--params", "3"], "no JSON object"),
        (["numpy", "pad", "--params", '{"pad_width": NaN}', "--rank", "1"], "integer"),
        (["numpy", "pad", "--params", "[" * 100_000], "--params is not JSON"),
        (["numpy", "pad", "--params", '{"a": 1}'], "no parameter 'a'"),
        (["numpy", "x[0]", "--to", "atb"], "needs the input's shape"),
        (["numpy", "x[5]", "--shape", "3"], "outside axis 0 of extent 3"),
        (["numpy", "x[0]", "--opset", "99"], "allowed is 1 to 25"),
        (["numpy", "x[0]", "--rank", "-1"], "allowed is 0 to 64"),
    ],
)
def test_what_is_refused(tool: Tool, words: list[str], told: str) -> None:
    assert_refused(tool("translate", *words), told)


def test_numbers_too_long_for_json_are_refused(tool: Tool) -> None:
    """Python itself refuses to read more than 4300 digits."""
    pad = f'{{"pad_width": {"9" * 5000}}}'
    assert_refused(tool("translate", "numpy", "pad", "--params", pad), "--params")


@pytest.mark.parametrize(
    ("dialect", "call", "parts"),
    [
        (
            "numpy",
            "np.pad(x, 2, 'reflect')",
            ["is written as a call", 'numpy pad --params \'{"pad_width": ..., '],
        ),
        (
            "tensorflow",
            "strided_slice(x,[0],[2])",
            ['tensorflow strided_slice --params \'{"begin": ..., "end": ..., '],
        ),
        ("tf", "tf.raw_ops.StridedSlice(input=x)", ["tf strided_slice --params"]),
        ("torch", "torch.roll(x, 1)", ["no operator 'roll' here; its operators are"]),
        ("numpi", "np.pad(x)", ["dialect 'numpi' is not known"]),
    ],
)
def test_a_call_in_python_is_told_to_be_a_name_and_json(
    tool: Tool, dialect: str, call: str, parts: list[str]
) -> None:
    assert_refused(tool("translate", dialect, call), *parts)


def test_a_dialect_beside_itself(tool: Tool) -> None:
    words = ["translate", "numpy", "x[1]", "--shape", "3", "--agree"]
    assert_refused(tool(*words, "pytorch,torch"), "'pytorch' and 'torch' are both")
    assert tool(*words, "numpy,torch")[0] == 0


def test_an_operator_without_its_parameters(tool: Tool) -> None:
    told = tool("translate", "pytorch", "pad", "--to", "tensorflow")
    assert_refused(told, "pad needs its parameters", "--params", "pad, mode, value")


def test_an_odd_count_is_told_before_a_rank_is_asked_for(tool: Tool) -> None:
    words = ("translate", "pytorch", "pad", "--params", '{"pad": [4, 4, 4]}')
    assert_refused(tool(*words), "3 numbers; give a pair for each axis")
