"""Files that were made to do harm, or that nobody would write."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pytest

import restride as rs


def reversed_(v: rs.View) -> rs.View:
    """A step that every array of two axes takes."""
    return v[::-1]


def npy(header: str, version: tuple[int, int] = (1, 0), data: int = 4096) -> bytes:
    """A .npy file of zeros with this header."""
    text = header.encode("utf-8") + b" " * 16 + b"\n"
    kind = "<H" if version[0] == 1 else "<I"
    head = b"\x93NUMPY" + bytes(version) + struct.pack(kind, len(text))
    return head + text + bytes(data)


def told(descr: str = "'<f4'", shape: str = "(3,)") -> str:
    return f"{{'descr': {descr}, 'fortran_order': False, 'shape': {shape}}}"


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (npy(told(shape="(True, 3)")), "shape"),
        (npy(told(shape="(-1, -1)")), "shape"),
        (npy(told(shape="(4611686018427387904,)")), "shape"),
        (npy(told("'|S0'")), "no dtype"),
        (npy(told("'<U0'")), "no dtype"),
        (npy(told("('<f4', (3,))")), "no dtype"),
        (npy(told("[('\u03b1', '<f4')]"), (3, 0)), "rename"),
        (npy(told(), (4, 0)), "version 4.0"),
        (npy(told(), (0, 0)), "version 0.0"),
        (npy("-" * 9000, (2, 0)), "nested"),
        (npy(" " * 60000 + told(), (2, 0)), "large"),
        (b"\x93NUMPY\2\0" + struct.pack("<I", 1 << 31), "2147483648 bytes"),
    ],
)
def test_headers_refused_in_one_line(tmp_path: Path, raw: bytes, said: str) -> None:
    source = tmp_path / "x.npy"
    source.write_bytes(raw)
    with pytest.raises(rs.RestrideError, match=said) as caught:
        rs.run_blocks(reversed_, source, tmp_path / "y.npy")
    assert "\n" not in str(caught.value)
    assert [p.name for p in tmp_path.iterdir()] == ["x.npy"]


def test_a_circle_of_links_is_not_replaced(tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", np.arange(3))
    link, other = tmp_path / "a.npy", tmp_path / "b.npy"
    link.symlink_to(other)
    other.symlink_to(link)
    for source, target in (("x.npy", "a.npy"), ("a.npy", "y.npy")):
        with pytest.raises(rs.FileError, match="symbolic links"):
            rs.run_blocks(reversed_, tmp_path / source, tmp_path / target)
    assert link.is_symlink()
    assert other.is_symlink()


@pytest.mark.parametrize("name", ["a\0b.npy", "x" * 300 + ".npy"])
def test_names_that_no_system_takes(tmp_path: Path, name: str) -> None:
    np.save(tmp_path / "x.npy", np.arange(3))
    for source, target in (("x.npy", name), (name, "y.npy")):
        with pytest.raises(rs.FileError):
            rs.run_blocks(reversed_, tmp_path / source, tmp_path / target)


def test_more_blocks_than_anyone_waits_for() -> None:
    source, target = np.ones(2_000_001, "u1"), np.zeros(2_000_001, "u1")
    with pytest.raises(rs.ShapeError, match=r"makes 2,000,001 blocks.*give more"):
        rs.run_blocks(lambda v: v[::-1], source, target, max_bytes=4)
    assert not target.any()


def test_more_blocks_than_anyone_waits_for_of_as_many_bytes_as_usual() -> None:
    """Boxes as short as the pad: see docs/blocks.md, what it costs."""
    source, target = np.ones((4000, 4000), "u1"), np.zeros(16_000_010, "u1")

    def wrapped(v: rs.View) -> rs.View:
        return v[::-1].reshape(-1).pad(5, "wrap")

    with pytest.raises(rs.ShapeError, match="with a file between"):
        rs.run_blocks(wrapped, source, target, max_bytes=10**7)
    assert not target.any()
