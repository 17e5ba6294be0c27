"""Models for the tests, written in ONNX's text form."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest


def onnx_model(text: str, opset: int = 18, ir: int = 8, more: str = ""):
    """A ModelProto from ``graph { nodes }`` text; `more` holds functions."""
    parser = pytest.importorskip("onnx.parser")
    head = f'<ir_version: {ir}, opset_import: ["" : {opset}, "mine" : 1]>'
    return parser.parse_model(f"{head} {text} {more}")


def in_wheel(package: str, *parts: str) -> Path:
    """A file that an installed package brings; skips by name where it is absent."""
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        pytest.skip(f"{package} is not installed; see requirements-models.txt")
    path = Path(spec.submodule_search_locations[0]).joinpath(*parts)
    if not path.exists():
        pytest.skip(f"{package} has no {'/'.join(parts)}")
    return path


def varint(number: int) -> bytes:
    """A number as protobuf writes it."""
    parts = []
    while number > 127:
        parts.append(number & 127 | 128)
        number >>= 7
    return bytes([*parts, number])


def field(number: int, content: bytes) -> bytes:
    """A field of bytes as protobuf writes it."""
    return varint(number << 3 | 2) + varint(len(content)) + content
