"""What a run in blocks will cost is told before it: in words, as JSON, in errors."""

from __future__ import annotations

import json
import subprocess
import sys

import numpy as np
import pytest

import restride as rs
from restride.blocks.forecast import forecast
from restride.cli import main
from restride.explain.units import human_bytes


def tool(*words):
    command = [sys.executable, "-m", "restride", "explain", *words]
    told = subprocess.run(command, capture_output=True, text=True, check=False)
    return told.returncode, told.stdout, told.stderr


def test_a_view_tells_its_blocks():
    x = np.broadcast_to(np.float32(0), (6000, 5000))
    told = rs.view(x).transpose().explain(max_bytes=24e6)
    planned = forecast(rs.view(x).transpose().chain, 4, 24_000_000)
    assert told.splitlines()[-3:] == list(planned.lines())
    assert f"{planned.cost.blocks} blocks of {planned.grid.block}" in told
    assert "120.00 MB read, 1.00 times what is needed" in told
    assert planned.peak_bytes <= 24_000_000
    assert "blocks" not in rs.view(x).transpose().explain()


def test_the_tool_tells_blocks_in_words_and_as_json():
    words = ["--shape", "60000,50000", "--max-bytes", "256MB", "transpose", "1,0"]
    code, out, err = tool(*words)
    assert (code, err) == (0, "")
    assert "12.00 GB read, 1.00 times what is needed; 12.00 GB written" in out
    told = json.loads(tool("--json", *words)[1])["blocks"]
    assert told["bytes_read"] == told["bytes_written"] == 12 * 10**9
    assert told["blocks"] == told["grid"][0] * told["grid"][1] == told["tasks"]
    assert told["peak_bytes"] <= told["max_bytes"] == 256 * 10**6


def test_a_flat_reading_tells_how_much_is_read_again():
    x = np.broadcast_to(np.float32(0), (3000, 3000))
    told = rs.view(x).as_strided((2000, 2000), (2000, 2003)).explain(max_bytes=40e6)
    times = float(told.split(" read, ")[-1].split(" times")[0])
    assert times > 1.5


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--shape", "9", "--max-bytes", "ab", "slice", "1:"], "--max-bytes ab"),
        (["--shape", "9", "--max-bytes", "7", "slice", "1:"], "max_bytes = 7 is too"),
        (["--shape", "9", "--max-bytes", "-5GB", "slice", "1:"], "positive"),
        (["--shape", "9", "--max-bytes", "1e400", "slice", "1:"], "--max-bytes 1e400"),
    ],
)
def test_what_cannot_be_planned_is_one_line(words, said):
    code, out, err = tool(*words)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert said in err


@pytest.mark.parametrize("bad", [0, -1, 3.5, float("nan"), "1 apple", True, 2**70])
def test_a_view_refuses_what_is_no_number_of_bytes(bad):
    if bad == 2**70:
        assert "1 block" in rs.view([1, 2]).explain(max_bytes=bad)
        return
    with pytest.raises(rs.RestrideError, match="max_bytes"):
        rs.view([1, 2]).explain(max_bytes=bad)


@pytest.mark.parametrize(
    ("steps", "chunks"),
    [
        (["pad", "8", "--mode", "wrap"], "16,16"),
        (["pad", "8", "--mode", "reflect", "transpose", "1,0"], "16,16"),
        (["pad", "16", "slice", "::-1,::2"], "32,16"),
        (["slice", "8:-8,16:"], "16,48"),
        (["transpose", "1,0"], "16,16"),
    ],
)
def test_chunks_are_told_as_the_store_sees_them(
    tmp_path, monkeypatch, capsys, steps, chunks
):
    """Chunks without a compressor, and extents that are whole chunks: byte for byte."""
    zarr = pytest.importorskip("zarr")
    x = np.arange(96 * 64, dtype="<i4").reshape(96, 64)
    source = tmp_path / "x.zarr"
    zarr.create_array(str(source), data=x, chunks=(16, 16), compressors=None)
    read, written = [], []
    store = zarr.storage.LocalStore
    get, put = store.get, store.set

    async def got(self, key, *words, **more):
        found = await get(self, key, *words, **more)
        if key.startswith("c/"):
            read.append(len(found))
        return found

    async def kept(self, key, value, *words, **more):
        if key.startswith("c/"):
            written.append(len(value))
        await put(self, key, value, *words, **more)

    monkeypatch.setattr(store, "get", got)
    monkeypatch.setattr(store, "set", kept)
    words = ["run", str(source), *steps, "-o", str(tmp_path / "y.zarr")]
    words += ["--chunks", chunks, "--compressor", "none", "--max-bytes", "60000"]
    assert main([*words, "--json"]) == 0
    done = json.loads(capsys.readouterr().out)
    assert (done["bytes_read"], done["bytes_written"]) == (sum(read), sum(written))
    assert main([*words, "--dry-run"]) == 0
    told = capsys.readouterr().out
    assert f"{human_bytes(sum(read))} read" in told
    assert f"{human_bytes(sum(written))} written" in told
