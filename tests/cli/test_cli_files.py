"""Files in and out: kinds, headers, permissions, nothing left behind."""

from __future__ import annotations

import json
import stat
import sys
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest
from cli_tool import (
    A,
    Array,
    S,
    Tool,
    U,
    assert_refused,
    header,
    listing,
    run_ok,
)

import restride as rs


def test_no_trace_is_left(tool: Tool) -> None:
    before = listing()
    run_ok(tool, "a.npy")
    tool("run", "a.npy", "pad", "1", "-o", "x.txt")
    assert listing() == sorted([*before, "o.npy"])


def test_npz_members(tool: Tool) -> None:
    np.savez("z.npz", p=A, q=S)
    np.testing.assert_array_equal(run_ok(tool, "z.npz:q", "flip", "0"), S[::-1])
    assert tool("run", "z.npz:p", "flip", "0", "-o", "z.npz:r")[0] == 0
    with np.load("z.npz") as held:
        assert sorted(held) == ["p", "q", "r"]
        np.testing.assert_array_equal(held["r"], A[::-1])
        np.testing.assert_array_equal(held["q"], S)
    assert tool("run", "z.npz:p", "-o", "z.npz")[0] == 0
    with np.load("z.npz") as held:
        assert list(held) == ["arr_0"]
    np.testing.assert_array_equal(run_ok(tool, "z.npz"), A)


def test_compressed_npz(tool: Tool) -> None:
    np.savez_compressed("z.npz", A)
    np.testing.assert_array_equal(run_ok(tool, "z.npz", "slice", "1:"), A[1:])


def test_raw_data(tool: Tool) -> None:
    A.tofile("a.bin")
    told = tool(
        "run", "a.bin", "--dtype", "<f4", "--shape", "3,4", "flip", "1", "-o", "o.bin"
    )
    assert told[0] == 0
    assert Path("o.bin").read_bytes() == np.ascontiguousarray(A[:, ::-1]).tobytes()


@pytest.mark.parametrize(
    "x",
    [
        np.float64(3),
        np.zeros((0, 3), "i4"),
        np.asfortranarray(np.arange(6).reshape(2, 3)),
        np.arange(3, dtype=">i2"),
        np.array(["ab", "c"]),
        np.array([(1, 2.0)], [("a", "i4"), ("ü", "f8")]),
        np.array(["2020-01-01"], "M8[D]"),
        np.zeros((2, 0)),
    ],
    ids=str,
)
def test_every_kind_of_npy(tool: Tool, x: Array) -> None:
    np.save("x.npy", x)
    made = run_ok(tool, "x.npy")
    assert made.dtype == x.dtype
    assert made.shape == x.shape
    assert made.tobytes() == np.ascontiguousarray(x).tobytes()


def test_bfloat16(tool: Tool) -> None:
    x = np.arange(6).astype(ml_dtypes.bfloat16).reshape(2, 3)
    np.save("b.npy", x)
    code, _, err = tool(
        "run",
        "b.npy",
        "--dtype",
        "bfloat16",
        "pad",
        "1",
        "--value",
        "1.5",
        "-o",
        "o.npy",
    )
    assert code == 0
    assert ".npy has no name for bfloat16" in err
    made = np.load("o.npy").view(ml_dtypes.bfloat16)
    np.testing.assert_array_equal(made, rs.pad(x, 1, "constant", 1.5))
    x.tofile("b.bin")
    assert (
        tool("run", "b.bin", "--dtype", "bfloat16", "--shape", "2,3", "-o", "o.bin")[0]
        == 0
    )


def test_pictures(tool: Tool) -> None:
    image = pytest.importorskip("PIL.Image")
    image.fromarray(U).save("u.png")
    words = ["slice", "..., ::-1", "pad", "[[1,1],[2,2],[0,0]]", "--mode", "edge"]
    assert tool("run", "u.png", *words, "-o", "o.png")[0] == 0
    want = np.pad(U[..., ::-1], [[1, 1], [2, 2], [0, 0]], "edge")
    np.testing.assert_array_equal(np.asarray(image.open("o.png")), want)
    np.testing.assert_array_equal(run_ok(tool, "u.png", "slice", "..., 0"), U[..., 0])
    assert tool("run", "u.npy", "slice", "..., 0", "-o", "grey.tif")[0] == 0
    np.testing.assert_array_equal(np.asarray(image.open("grey.tif")), U[..., 0])
    code, _, err = tool("run", "u.npy", "-o", "o.jpg")
    assert code == 0
    assert "JPEG keeps pixels only nearly" in err


@pytest.mark.parametrize("mode", ["1", "L", "LA", "RGB", "RGBA", "I;16", "P", "CMYK"])
def test_picture_header_is_what_is_loaded(tool: Tool, mode: str) -> None:
    image = pytest.importorskip("PIL.Image")
    image.new(mode, (5, 4)).save("m.tif")
    _, out, _ = tool("run", "m.tif", "--dry-run", "--json")
    told = json.loads(out)["input"]
    made = run_ok(tool, "m.tif")
    assert (list(made.shape), str(made.dtype)) == (told["shape"], told["dtype"])


def test_pictures_need_an_extra(tool: Tool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "PIL.Image", None)
    Path("p.png").write_bytes(b"x")
    assert_refused(tool("run", "p.png", "-o", "o.npy"), "restride[image]")
    assert_refused(tool("run", "u.npy", "-o", "o.png"), "restride[image]")


def test_output_may_be_the_input(tool: Tool) -> None:
    np.testing.assert_array_equal(
        run_ok(tool, "a.npy", "flip", "0", out="a.npy"), A[::-1]
    )


def test_output_keeps_permissions_and_follows_links(tool: Tool) -> None:
    Path("real.npy").write_bytes(b"old")
    Path("real.npy").chmod(0o640)
    Path("link.npy").symlink_to("real.npy")
    assert tool("run", "a.npy", "-o", "link.npy")[0] == 0
    assert Path("link.npy").is_symlink()
    assert stat.S_IMODE(Path("real.npy").stat().st_mode) == 0o640
    np.testing.assert_array_equal(np.load("real.npy"), A)


def test_dry_run_reads_headers_only_and_writes_nothing(tool: Tool) -> None:
    with Path("big.npy").open("wb") as stream:
        stream.write(header("<f4", (1 << 28, 1 << 10)))
        stream.truncate(stream.tell() + (1 << 40))
    code, out, _ = tool("run", "big.npy", "slice", "::2", "--dry-run", "-o", "o.npy")
    assert code == 0
    assert "549.76 GB read, 549.76 GB written" in out
    assert not Path("o.npy").exists()
    assert_refused(
        tool("run", "big.npy", "-o", "o.npz"), "this machine has", "slice it"
    )
    assert_refused(tool("run", "big.npy", "-o", "o.npy"), "o.npy: No space left")
    assert run_ok(tool, "big.npy", "slice", "-1, :2").tolist() == [0, 0]


@pytest.mark.parametrize("member", ["", "../x", "/x", "a//b", "a\\b"])
def test_npz_members_that_are_no_names(tool: Tool, member: str) -> None:
    assert_refused(
        tool("run", "a.npy", "-o", f"z.npz:{member}"), "the name of an array in a .npz"
    )
    assert not Path("z.npz").exists()
