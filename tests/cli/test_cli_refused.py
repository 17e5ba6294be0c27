"""What is refused: one line, exit code 2, files left as they were."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cli_tool import (
    A,
    S,
    Tool,
    assert_refused,
    header,
    listing,
    npy,
    raw_header,
    zipped,
)

import restride as rs
from restride.cli import sources as cli_sources

HOSTILE: dict[str, tuple[str, bytes, str]] = {
    "objects": ("h.npy", npy(np.array([1, None])), "Python objects"),
    "objects in fields": (
        "h.npy",
        npy(np.array([(1, None)], "i4,O")),
        "Python objects",
    ),
    "empty": ("h.npy", b"", "not a .npy file"),
    "junk": ("h.npy", b"hello world", "not a .npy file"),
    "cut in the header": ("h.npy", npy(A)[:40], "not a .npy file"),
    "cut in the data": ("h.npy", npy(A)[:-1], "48 bytes, and 47 follow"),
    "huge": ("h.npy", header("<f4", (1 << 60,)), "and 0 follow"),
    "huge and empty": ("h.npy", header("<f4", (1 << 62, 4, 0)), "shape (46"),
    "negative": ("h.npy", header("<f4", (-3, 4)) + bytes(99), "shape (-3, 4)"),
    "code": ("h.npy", raw_header("__import__('os').mkdir('pwned')"), "not a .npy file"),
    "no dict": ("h.npy", raw_header("[1, 2]"), "not a .npy file"),
    "deep": ("h.npy", raw_header("[" * 9000), "not a .npy file"),
    "bad dtype": ("h.npy", header("<q9", (3,)), "not a .npy file"),
    "many axes": ("h.npy", header("<f4", (1,) * 70) + bytes(4), "shape (1"),
    "no zip": ("h.npz", b"PK\x03\x04junk", "not a .npz file"),
    "zip, objects": ("h.npz", zipped("x.npy", npy(np.array([None]))), "Python objects"),
    "zip, junk": ("h.npz", zipped("x.npy", b"junk"), "not a .npz file"),
    "zip, huge": ("h.npz", zipped("x.npy", header("<f4", (1 << 40,))), "and 0 follow"),
    "zip, empty": ("h.npz", zipped("x.txt", b"")[-22:].replace(b"\1", b"\0"), ".npz"),
    "no picture": ("h.png", b"nope", "not a picture"),
    "cut picture": ("h.png", b"\x89PNG\r\n\x1a\n\0\0", "h.png"),
}


@pytest.mark.parametrize(("name", "data", "part"), HOSTILE.values(), ids=HOSTILE)
def test_hostile_files(tool: Tool, name: str, data: bytes, part: str) -> None:
    Path(name).write_bytes(data)
    Path("o.npy").write_bytes(b"keep")
    assert_refused(tool("run", name, "-o", "o.npy"), part, name)
    assert Path("o.npy").read_bytes() == b"keep"
    assert not Path("pwned").exists()


def test_damaged_zip_data(tool: Tool) -> None:
    data = bytearray(zipped("x.npy", npy(np.arange(1000))))
    data[200:210] = bytes(10)
    Path("h.npz").write_bytes(data)
    assert_refused(tool("run", "h.npz", "-o", "o.npy"), "h.npz is not a .npz file")


WRONG: dict[str, tuple[list[str], list[str]]] = {
    "no input": (["run", "pad", "3"], ["needs INPUT before the operator 'pad'"]),
    "no output": (["run", "a.npy"], ["add -o FILE, or --dry-run"]),
    "output without a name": (["run", "a.npy", "-o"], ["-o needs a value"]),
    "missing file": (["run", "no.npy", "-o", "o.npy"], ["no.npy: No such file"]),
    "directory": (["run", "d.npy", "-o", "o.npy"], ["d.npy: Is a directory"]),
    "unknown input": (["run", "a.txt", "-o", "o.npy"], ["a.txt", ".npy, .npz, .bin"]),
    "unknown output": (["run", "a.npy", "-o", "o.txt"], ["o.txt", ".npy, .npz, .bin"]),
    "no directory": (["run", "a.npy", "-o", "no/o.npy"], ["is not a directory"]),
    "output a directory": (["run", "a.npy", "-o", "d.npy"], ["is not a file"]),
    "raw, nothing told": (["run", "r.bin", "-o", "o.npy"], ["--dtype and --shape"]),
    "raw, wrong size": (
        ["run", "r.bin", "--dtype", "u1", "--shape", "9", "-o", "o.npy"],
        ["12 bytes", "takes 9"],
    ),
    "raw, objects": (
        ["run", "r.bin", "--dtype", "object", "--shape", "9", "-o", "o.npy"],
        ["'object'", "float32"],
    ),
    "raw, huge": (
        ["run", "r.bin", "--dtype", "f8", "--shape", f"{2**62},{2**62}", "-o", "o.npy"],
        ["12 bytes"],
    ),
    "negative shape": (
        ["run", "r.bin", "--dtype", "u1", "--shape", "-3", "-o", "o.npy"],
        ["negative extent"],
    ),
    "wrong dtype": (
        ["run", "a.npy", "--dtype", "f8", "-o", "o.npy"],
        ["leave --dtype"],
    ),
    "wrong shape": (
        ["run", "a.npy", "--shape", "12", "-o", "o.npy"],
        ["leave --shape"],
    ),
    "no such member": (["run", "z.npz:x", "-o", "o.npy"], ["holds p, q"]),
    "no member named": (
        ["run", "z.npz", "-o", "o.npy"],
        ["holds p, q", "file.npz:name"],
    ),
    "unknown operator": (
        ["run", "a.npy", "crop", "-o", "o.npy"],
        ["'crop'", "slice, pad"],
    ),
    "unknown option": (
        ["run", "a.npy", "pad", "3", "--moed", "x", "-o", "o.npy"],
        ["'--moed' after pad", "--mode"],
    ),
    "option before input": (["run", "--frob", "a.npy", "-o", "o.npy"], ["'--frob'"]),
    "argument missing": (["run", "a.npy", "pad", "-o", "o.npy"], ["pad needs WIDTH"]),
    "argument is an operator": (
        ["run", "a.npy", "pad", "slice", "1", "-o", "o.npy"],
        ["pad needs WIDTH before the operator 'slice'"],
    ),
    "option missing": (
        ["run", "a.npy", "as-strided", "--size", "2", "-o", "o.npy"],
        ["'--stride'", "restride run as-strided --help"],
    ),
    "option value missing": (["run", "a.npy", "pad", "1", "--mode"], ["--mode needs"]),
    "no number": (["run", "a.npy", "pad", "wide", "-o", "o.npy"], ["WIDTH 'wide'"]),
    "brackets": (
        ["run", "a.npy", "pad", "[[1,2],[3", "-o", "o.npy"],
        ["[[1,2],[3,4]]"],
    ),
    "deep brackets": (["run", "a.npy", "pad", "[" * 999, "-o", "o.npy"], ["WIDTH"]),
    "no integers": (
        ["run", "a.npy", "flip", "1.5", "-o", "o.npy"],
        ["list of integers"],
    ),
    "bad mode": (
        ["run", "a.npy", "pad", "1", "--mode", "bad", "-o", "o.npy"],
        ["'bad'"],
    ),
    "bad value": (
        ["run", "u.npy", "pad", "1", "--value", "300", "-o", "o.npy"],
        ["300", "uint8"],
    ),
    "value of another mode": (
        ["run", "u.npy", "pad", "1", "--mode", "edge", "--value", "7", "-o", "o.npy"],
        ["--value 7", "--mode constant", "the mode is edge"],
    ),
    "no value": (
        ["run", "a.npy", "pad", "1", "--value", "", "-o", "o.npy"],
        ["--value '' is not a number"],
    ),
    "value of brackets": (
        ["run", "a.npy", "pad", "1", "--value", "[]", "-o", "o.npy"],
        ["--value '[]' is not a number"],
    ),
    "value beyond any float": (
        ["run", "a.npy", "pad", "1", "--value", "-1e400", "-o", "o.npy"],
        ["--value '-1e400' is not a number"],
    ),
    "strict pad": (
        ["run", "a.npy", "pad", "1", "--mode", "wrap", "--strict", "-o", "o.npy"],
        ["not documented for PadV3", "Leave strict out"],
    ),
    "strict as-strided": (
        [
            *["run", "a.npy", "as-strided", "--strict", "--size", "2"],
            *["--stride", "-1", "--offset", "3", "-o", "o.npy"],
        ],
        ["stride[0] = -1", "Leave strict out"],
    ),
    "strict set-value": (
        [
            *["run", "a.npy", "set-value", "s.npy", "--starts", "0,0"],
            *["--ends", "3,2", "--strides", "2,1", "--strict", "-o", "o.npy"],
        ],
        ["strides[0] = 2", "Leave strict out"],
    ),
    "huge pad": (["run", "a.npy", "pad", f"{2**63 - 1}", "-o", "o.npy"], ["2**63 - 1"]),
    "huger pad": (["run", "a.npy", "pad", "9" * 50, "-o", "o.npy"], ["2**63 - 1"]),
    "absurd pad": (
        ["run", "a.npy", "pad", "9" * 5000, "-o", "o.npy"],
        ["WIDTH", "9..."],
    ),
    "too many bytes": (
        ["run", "a.npy", "pad", f"{2**30 - 2}", "-o", "o.npy"],
        ["bytes"],
    ),
    "many pieces": (
        ["run", "a.npy", "pad", f"{2**30 - 2}", "--mode", "reflect", "-o", "o.npy"],
        ["pad"],
    ),
    "index outside": (["run", "a.npy", "slice", "3", "-o", "o.npy"], ["axis 0"]),
    "index text": (["run", "a.npy", "slice", "a", "-o", "o.npy"], ["'a'"]),
    "leaves the source": (
        ["run", "a.npy", "as-strided", "--size", "9", "--stride", "2", "-o", "o.npy"],
        ["[0, 17)", "12"],
    ),
    "axes twice": (["run", "a.npy", "transpose", "0,0", "-o", "o.npy"], ["transpose"]),
    "no such axis": (["run", "a.npy", "flip", "2", "-o", "o.npy"], ["axis 2"]),
    "reshape": (["run", "a.npy", "reshape", "5,-1", "-o", "o.npy"], ["reshape", "12"]),
    "broadcast": (["run", "a.npy", "broadcast", "7,7", "-o", "o.npy"], ["broadcast"]),
    "windows": (["run", "a.npy", "windows", "9,9", "-o", "o.npy"], ["windows"]),
    "set-value outside": (
        [
            "run",
            "a.npy",
            "set-value",
            "s.npy",
            "--starts",
            "2,2",
            "--ends",
            "4,4",
            "-o",
            "o.npy",
        ],
        ["allowed is 0 to 2"],
    ),
    "set-value shape": (
        [
            "run",
            "a.npy",
            "set-value",
            "s.npy",
            "--starts",
            "0,0",
            "--ends",
            "3,3",
            "-o",
            "o.npy",
        ],
        ["(2, 2)", "(3, 3)"],
    ),
    "set-value dtype": (
        [
            "run",
            "u.npy",
            "set-value",
            "s.npy",
            "--starts",
            "0,0,0",
            "--ends",
            "1,1,1",
            "-o",
            "o.npy",
        ],
        ["float32", "uint8"],
    ),
    "set-value file": (
        [
            "run",
            "a.npy",
            "set-value",
            "no.npy",
            "--starts",
            "0,0",
            "--ends",
            "1,1",
            "-o",
            "o.npy",
        ],
        ["no.npy"],
    ),
    "mask is no number": (
        [
            "run",
            "a.npy",
            "strided-slice",
            "--begin",
            "0",
            "--end",
            "1",
            "--begin-mask",
            "x",
            "-o",
            "o.npy",
        ],
        ["--begin-mask"],
    ),
    "not a picture": (["run", "a.npy", "-o", "o.png"], ["float32", "uint8"]),
    "not a picture's shape": (
        ["run", "u.npy", "slice", "0, 0", "-o", "o.png"],
        ["(3,)"],
    ),
    "explain without input": (["explain", "pad", "3"], ["INPUT or --shape"]),
    "explain, mistyped": (
        ["explain", "--shape", "3,4", "slize", "::"],
        ["'::' is no operator", "'slize'", "INPUT"],
    ),
    "check without target": (["check", "m.onnx"], ["onnxruntime", "targets"]),
    "explain too large": (["explain", "--shape", f"{2**62},{2**62}"], ["2**63 - 1"]),
    "encode": (["encode", "foo[1,"], ["'[' is not closed"]),
    "encode, too many": (["encode", "1,2", "--shape", "3"], ["2 of the entries"]),
    "encode, outside": (["encode", "5", "--shape", "3"], ["axis 0"]),
    "decode, lengths": (
        ["decode", "--begin", "1", "--end", "2,3"],
        ["begin has length 1"],
    ),
    "decode, nothing": (["decode", "--end", "1"], ["'--begin'"]),
    "decode, zero step": (
        ["decode", "--begin", "1", "--end", "2", "--strides", "0"],
        ["strides[0] = 0"],
    ),
    "unknown command": (["frobnicate"], ["'frobnicate'"]),
    "unknown flag": (["--frob"], ["'--frob'"]),
    "nul in a name": (["run", "a\0.npy", "-o", "o.npy"], ["null"]),
    "newline in a name": (["run", "a\n\x1b[31m.txt", "-o", "o.npy"], ["\\x1b[31m.txt"]),
}


@pytest.mark.parametrize(("args", "parts"), WRONG.values(), ids=WRONG)
def test_wrong_input(tool: Tool, args: list[str], parts: list[str]) -> None:
    Path("r.bin").write_bytes(bytes(12))
    Path("d.npy").mkdir()
    np.savez("z.npz", p=A, q=S)
    Path("o.npy").write_bytes(b"keep")
    before = listing()
    assert_refused(tool(*args), *parts)
    assert Path("o.npy").read_bytes() == b"keep"
    assert listing() == before


@pytest.mark.parametrize("args", [a for a, _ in WRONG.values()], ids=WRONG)
def test_wrong_input_with_json(tool: Tool, args: list[str]) -> None:
    Path("r.bin").write_bytes(bytes(12))
    Path("d.npy").mkdir()
    np.savez("z.npz", p=A, q=S)
    assert_refused(tool(*args, "--json"))


def test_failed_write_leaves_the_old_file(
    tool: Tool, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("o.npy").write_bytes(b"keep")

    def full(*_: Any, **__: Any) -> None:
        raise OSError(28, "No space left on device")

    before = listing()
    monkeypatch.setattr(os, "fsync", full)
    assert_refused(tool("run", "a.npy", "-o", "o.npy"), "No space left on device")
    assert Path("o.npy").read_bytes() == b"keep"
    assert listing() == before


@pytest.mark.parametrize(
    ("error", "code", "part"),
    [
        (MemoryError(), 2, "not enough memory"),
        (KeyboardInterrupt(), 130, "interrupted"),
    ],
)
def test_trouble_while_running(
    tool: Tool,
    monkeypatch: pytest.MonkeyPatch,
    error: BaseException,
    code: int,
    part: str,
) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise error

    Path("o.npy").write_bytes(b"keep")
    monkeypatch.setattr(rs.View, "copy", fail)
    got, out, err = tool("run", "a.npy", "-o", "o.npy")
    assert (got, out, err.count("\n")) == (code, "", 1)
    assert part in err
    assert Path("o.npy").read_bytes() == b"keep"


def test_memory_is_known_or_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "sysconf")
    cli_sources.check_memory("x", 1 << 80)


@pytest.mark.parametrize(
    ("words", "option", "values"),
    [
        ("run a.npy pad 1 --mode wrap --mode edge -o o.npy", "--mode", "wrap edge"),
        ("run a.npy pad 1 --value=1 --value 2 -o o.npy", "--value", "1 2"),
        ("run a.npy -o o.npy pad 1 --output=b.npy", "--output", "o.npy b.npy"),
        ("run a.npy --max-bytes 1GB --max-bytes 2 -o o.npy", "--max-bytes", "1GB 2"),
        ("explain --shape 3 --shape 4 pad 1", "--shape", "3 4"),
        ("translate numpy x[1] --shape 3 --shape 4", "--shape", "3 4"),
        ("check m.onnx --target A2 --target A3", "--target", "A2 A3"),
        ("optimize m.onnx --seed 1 --seed 2", "--seed", "1 2"),
    ],
)
def test_an_option_given_twice(
    tool: Tool, words: str, option: str, values: str
) -> None:
    first, second = values.split()
    told = f"{option} is given twice, as '{first}' and '{second}'"
    assert_refused(tool(*words.split()), told)
    assert not Path("o.npy").exists()


def test_what_may_be_given_again(tool: Tool) -> None:
    assert tool("explain", "a.npy", "pad", "1", "--json", "--json")[0] == 0
    steps = ["pad", "1", "--mode", "edge", "pad", "1", "--mode", "wrap"]
    assert tool("explain", "a.npy", *steps)[0] == 0
    code, out, _ = tool("bench", "--group", "core", "--group", "small", "--list")
    assert code == 0
    assert {line.split()[0] for line in out.splitlines()} == {"core", "small"}


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        ("run a.npy pad 4 --mode -o p.npy", ["--mode needs a value"]),
        ("run a.npy -o --json pad 4", ["-o needs a value"]),
        ("run a.npy transpose -o o.npy", ["'restride run transpose --help'"]),
        ("run a.npy set-value -o o.npy", ["'restride run set-value --help'"]),
        ("explain a.npy flip", ["'restride explain flip --help'"]),
        ("run a.npy pad 4 --mode egde -o o.npy", ["'egde'", "Is 'edge' meant?"]),
        ("run a.npy pad 4 --mode constnat -o o.npy", ["Is 'constant' meant?"]),
        ("run a.npy transpose 0 -o o.npy", ["1 axis given for an array of 2"]),
    ],
)
def test_help_is_to_the_point(tool: Tool, words: str, parts: list[str]) -> None:
    assert_refused(tool(*words.split()), *parts)


@pytest.mark.parametrize(
    ("words", "ends"),
    [
        ("explain a.npy pad 1 --html e.svg", "--html e.svg"),
        ("check m.onnx --target A2 --html e.txt", "--html e.txt"),
        ("optimize m.onnx -o mo.txt", "-o mo.txt"),
        ("bench --picture b.pdf", "--picture b.pdf"),
    ],
)
def test_a_name_that_promises_something_else(tool: Tool, words: str, ends: str) -> None:
    before = listing()
    assert_refused(tool(*words.split()), ends, "does not end in .")
    assert listing() == before


def test_a_bench_of_nothing(tool: Tool) -> None:
    words = ["bench", "--group", "small"]
    assert_refused(tool(*words, "--most-bytes", "1"), "--most-bytes 1", "every case")
    assert_refused(tool(*words, "--picture", "b.svg"), "--group core")
    assert not Path("b.svg").exists()
