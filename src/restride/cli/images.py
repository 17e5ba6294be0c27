"""Pictures through Pillow: (height, width) or (height, width, channels) arrays."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import numpy as np

from restride.blocks.beside import replace
from restride.cli.sources import Array, Sink, Source, check_memory
from restride.errors import DTypeError, ShapeError, UnsupportedError

__all__ = ["SUFFIXES", "image_sink", "open_image"]

SUFFIXES = (".png", ".jpg", ".jpeg", ".tif", ".tiff", ".bmp", ".gif", ".webp", ".ppm")
"""Suffixes handed to Pillow."""

MODES = {
    "1": (0, "bool"),
    "L": (0, "uint8"),
    "LA": (2, "uint8"),
    "RGB": (3, "uint8"),
    "RGBA": (4, "uint8"),
    "I;16": (0, "uint16"),
    "I": (0, "int32"),
    "F": (0, "float32"),
}
"""Pillow's modes that are arrays as they stand: channels (0: no axis) and dtype."""

LOSSY = (".jpg", ".jpeg")
FORMATS = {".jpg": "JPEG", ".tif": "TIFF"}
"""Formats whose name is not their suffix."""


def open_image(name: str, path: Path) -> Source:
    """The picture in a file; palettes and print colours become RGB(A)."""
    image = _open(name, path)
    mode = _plain_mode(image)
    channels, dtype = MODES[mode]
    shape = (image.height, image.width, *((channels,) if channels else ()))
    image.close()
    check_memory(f"input {name}", image.height * image.width * 4)

    def load() -> Array:
        with _open(name, path) as opened:
            pixels = opened if opened.mode == mode else opened.convert(mode)
            try:
                return np.asarray(pixels)
            except (SyntaxError, ValueError, EOFError) as error:
                raise UnsupportedError(
                    f"input {name} is a damaged picture ({error}); save it again."
                ) from None

    return Source(name, shape, np.dtype(dtype), load)


def image_sink(name: str, path: Path) -> Sink:
    """The picture file `name` as a place for a result."""
    suffix = path.suffix.lower()
    _pillow(name)

    def check(shape: tuple[int, ...], dtype: np.dtype[Any]) -> None:
        _check_picture(name, suffix, shape, dtype)

    def save(x: Array) -> None:
        image = _pillow(name).fromarray(np.ascontiguousarray(x))
        kind = FORMATS.get(suffix, suffix[1:].upper())
        replace(path, lambda stream: image.save(stream, format=kind))

    note = f"{name}: JPEG keeps pixels only nearly; .png keeps them exactly."
    return Sink(name, check, save, note if suffix in LOSSY else "")


def _check_picture(
    name: str, suffix: str, shape: tuple[int, ...], dtype: np.dtype[Any]
) -> None:
    """Refuse arrays that are no picture, before any work is done."""
    alpha = suffix not in (*LOSSY, ".bmp", ".ppm")
    channels = (2, 3, 4) if alpha else (3,)
    flat = len(shape) == 2
    if (not flat and not (len(shape) == 3 and shape[2] in channels)) or 0 in shape:
        raise ShapeError(
            f"output {name}: shape {shape} is not a picture; allowed are (height, "
            f"width) and (height, width, {' or '.join(map(str, channels))}), not "
            "empty. Write .npy, or slice and transpose first."
        )
    deep = flat and suffix in (".png", ".tif", ".tiff")
    if dtype != np.uint8 and not (deep and dtype == np.uint16):
        more = " or uint16" if deep else ""
        raise DTypeError(
            f"output {name}: dtype {dtype} is not a picture's; {suffix} of this shape "
            f"takes uint8{more}. Write .npy."
        )


def _plain_mode(image: Any) -> str:
    if image.mode in MODES:
        return str(image.mode)
    if image.mode.startswith("I;16"):
        return "I;16"
    return "RGBA" if image.has_transparency_data else "RGB"


def _open(name: str, path: Path) -> Any:
    pillow = _pillow(name)
    try:
        return pillow.open(path)
    except pillow.UnidentifiedImageError:
        raise UnsupportedError(
            f"input {name} is not a picture Pillow knows; save it again as .png."
        ) from None
    except pillow.DecompressionBombError:
        raise UnsupportedError(
            f"input {name} says it has more pixels than Pillow decodes safely; "
            "cut it into smaller pictures."
        ) from None


def _pillow(name: str) -> Any:
    try:
        return importlib.import_module("PIL.Image")
    except ImportError:
        raise UnsupportedError(
            f"{name} is a picture and Pillow is not installed; install restride[image]."
        ) from None
