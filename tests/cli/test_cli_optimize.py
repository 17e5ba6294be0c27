"""The commands optimize, and check with --run."""

from __future__ import annotations

import json
import os
from pathlib import Path

import numpy as np
import pytest
from cli_tool import Tool, assert_refused, listing

onnx = pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")

TEXT = """<ir_version: 8, opset_import: ["" : 18]>
    net (float[3, 4] x, int64[4] p) => (float[N, M] y) {
        a = Transpose <perm = [1, 0]> (x)
        b = Transpose <perm = [1, 0]> (a)
        y = Pad (b, p) }"""


@pytest.fixture
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    onnx.save(onnx.parser.parse_model(TEXT), "m.onnx")
    return "m.onnx"


def test_optimize(tool: Tool, model: str) -> None:
    code, out, err = tool("optimize", model, "-o", "o.onnx")
    assert (code, err) == (0, "")
    assert "2 nodes and 192 bytes saved" in out
    assert out.endswith("Written to o.onnx.\n")
    assert [n.op_type for n in onnx.load("o.onnx").graph.node] == ["Pad"]
    assert len(onnx.load(model).graph.node) == 3


def test_optimize_says_it_as_json_and_writes_nothing(tool: Tool, model: str) -> None:
    before = listing()
    code, out, _ = tool("optimize", model, "--json")
    told = json.loads(out)
    assert (code, told["nodes_saved"], told["bytes_saved"]) == (0, 2, 192)
    assert listing() == before


def test_what_has_nothing_to_save_is_written_as_it_was(tool: Tool, model: str) -> None:
    tool("optimize", model, "-o", "o.onnx")
    code, out, _ = tool("optimize", "o.onnx", "-o", "again.onnx")
    assert code == 0
    assert "no movement nodes to save" in out
    assert onnx.load("again.onnx") == onnx.load("o.onnx")


def test_in_place(tool: Tool, model: str) -> None:
    assert tool("optimize", model, "-o", model)[0] == 0
    assert len(onnx.load(model).graph.node) == 1


def test_refused(tool: Tool, model: str) -> None:
    assert_refused(tool("optimize", "absent.onnx"), "absent.onnx")
    assert_refused(tool("optimize", model, "-o", "no/such/o.onnx"), "no/such")
    assert_refused(tool("optimize", model, "-o", "."), ".onnx")
    Path("folder.onnx").mkdir()
    assert_refused(tool("optimize", model, "-o", "folder.onnx"), "not a file")
    Path("broken.onnx").write_bytes(Path(model).read_bytes()[:-7])
    assert_refused(tool("optimize", "broken.onnx", "-o", "o.onnx"), "broken.onnx")
    assert not Path("o.onnx").exists()


def check(tool: Tool, *args: str) -> tuple[int, str, str]:
    return tool("check", "m.onnx", "--target", "onnxruntime", *args)


def test_check_run(tool: Tool, model: str) -> None:
    np.savez("i.npz", x=np.ones((3, 4), "f4"), p=np.array([1, 0, 0, 2]))
    code, out, _ = check(tool, "--run", "--inputs", "i.npz")
    assert code == 0
    assert "bit for bit: 3 equal, 0 differs, 0 not run" in out
    code, out, _ = check(tool, "--run", "--json")
    assert json.loads(out)["run"]["counts"]["differs"] == 0
    assert "run" not in json.loads(check(tool, "--json")[1])


def test_check_run_refused(tool: Tool, model: str) -> None:
    Path("t.txt").write_text("x")
    assert_refused(check(tool, "--inputs", "t.txt"), "--run")
    assert_refused(check(tool, "--run", "--inputs", "t.txt"), "t.txt", ".npz")
    assert_refused(check(tool, "--run", "--inputs", "absent"), "absent: No such file")
    np.save("a.npy", np.ones(3))
    assert_refused(check(tool, "--run", "--inputs", "a.npy"), "a.npy")
    os.mkfifo("pipe.npz")
    assert_refused(check(tool, "--run", "--inputs", "pipe.npz"), "is not a file")
