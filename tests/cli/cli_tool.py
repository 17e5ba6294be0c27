"""Arrays, damaged files, and what every refusal looks like."""

from __future__ import annotations

import io
import struct
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]
Tool = Callable[..., tuple[int, str, str]]

A = np.arange(12, dtype=np.float32).reshape(3, 4)
S = np.full((2, 2), 9, np.float32)
U = np.arange(60, dtype=np.uint8).reshape(4, 5, 3)


def listing() -> list[str]:
    """Names of all files here, hidden ones too."""
    return sorted(p.name for p in Path().iterdir())


def run_ok(tool: Tool, *args: str, out: str = "o.npy") -> Array:
    code, _, err = tool("run", *args, "-o", out)
    assert code == 0, err
    made: Array = np.load(out)
    return made


def assert_refused(answer: tuple[int, str, str], *parts: str) -> None:
    """Exit code 2, nothing on stdout, one line on stderr that holds `parts`."""
    code, out, err = answer
    assert (code, out) == (2, "")
    assert err.startswith("restride: error: ")
    assert err.count("\n") == 1
    assert err.endswith("\n")
    for part in parts:
        assert part in err


def header(descr: str, shape: Any) -> bytes:
    return raw_header(
        f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}"
    )


def raw_header(text: str) -> bytes:
    body = text.encode() + b" " * (63 - (10 + len(text)) % 64) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(body)) + body


def npy(x: Array) -> bytes:
    stream = io.BytesIO()
    np.save(stream, x, allow_pickle=True)
    return stream.getvalue()


def zipped(name: str, data: bytes) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr(name, data)
    return stream.getvalue()


def start(*args: str, **more: Any) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "restride", *args]
    return subprocess.run(
        command, capture_output=True, text=True, check=False, timeout=60, **more
    )
