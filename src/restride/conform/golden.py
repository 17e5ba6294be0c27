"""Golden data: each case's inputs and expected outputs as files.

``DIR/TABLE/CASE/`` holds ``input0.bin``, ``output0.bin``, ...: raw row-major bytes of
this machine's order; ``.npy`` beside each whose type NumPy has; ``case.json``, which
says what the bytes are.  It is written last: a folder that has one is whole.
"""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Callable, Sequence
from io import BufferedWriter
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np

from restride.conform.answer import Answer
from restride.conform.case import Case, TensorSpec
from restride.errors import ShapeError
from restride.targets import dtype_named

__all__ = ["GoldenWriter", "safe_name"]

Array = np.ndarray[Any, Any]

LONGEST_NAME = 100
"""Most characters of a folder's name; file systems stop at 255 bytes."""


def safe_name(text: str) -> str:
    """`text` as the name of one folder: no separator, no dot first, not too long.

    What had to be changed gets a number made from the whole, so that different names
    stay different.

    Examples
    --------
    >>> safe_name("as_strided.boundary")
    'as_strided.boundary'
    >>> safe_name("../../etc/passwd")
    'etc_passwd-df406b03'
    """
    kept = re.sub(r"[^A-Za-z0-9._-]+", "_", text).lstrip("._-")[:LONGEST_NAME]
    if kept == text:
        return kept
    return f"{kept or 'case'}-{crc32(text.encode('utf-8', 'surrogatepass')):08x}"


class GoldenWriter:
    """Writes the data of cases below one folder."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder = folder
        self.seed = seed
        self.used: set[str] = set()
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except (FileExistsError, NotADirectoryError):
            raise ShapeError(
                f"golden = {str(folder)!r} is no directory, nor can one be made there: "
                "a file is in its place; give another."
            ) from None

    def write(self, case: Case, inputs: Sequence[Array | None], answer: Answer) -> None:
        """Write one case: what went in, and what was answered."""
        outputs = zip(answer.outputs or (), answer.shapes or (), strict=False)
        place = self._folder(case)
        place.mkdir(parents=True, exist_ok=True)
        # An earlier run's: it would vouch for files that are not all its own.
        (place / "case.json").unlink(missing_ok=True)
        told = {
            "name": case.name,
            "table": case.table,
            "where": case.where,
            "op": case.op,
            "params": case.params,
            "expect": {"stage": case.expect.stage, "code": case.expect.code},
            "seed": self.seed,
            "inputs": [
                _write_input(place, k, spec, x)
                for k, (spec, x) in enumerate(zip(case.inputs, inputs, strict=True))
            ],
            "outputs": [
                _write_array(place, f"output{k}", y, dtype)
                for k, (y, (dtype, _)) in enumerate(outputs)
            ],
        }
        lines = [f"  {json.dumps(key)}: {json.dumps(told[key])}" for key in told]
        text = "{\n" + ",\n".join(lines) + "\n}\n"
        _replace(place / "case.json", lambda stream: stream.write(text.encode()))

    def _folder(self, case: Case) -> Path:
        """A folder of the case's own, also where a table names two cases alike."""
        within = f"{safe_name(Path(case.table).stem)}/{safe_name(case.name)}"
        name, times = within, 1
        while name.lower() in self.used:  # some file systems do not tell A from a
            times += 1
            name = f"{within}-{times}"
        self.used.add(name.lower())
        return self.folder / name


def _write_input(
    place: Path, k: int, spec: TensorSpec | None, x: Array | None
) -> dict[str, Any] | None:
    if spec is None:
        return None
    told: dict[str, Any] = {"dtype": spec.dtype, "shape": spec.shape, "files": []}
    if x is not None:
        told = _write_array(place, f"input{k}", x, spec.dtype)
    return told | {"format": spec.format}


def _write_array(place: Path, name: str, x: Array, dtype: str) -> dict[str, Any]:
    """The array as raw bytes, and as .npy where that file would name its type."""
    x = np.ascontiguousarray(x).reshape(x.shape)
    _replace(place / f"{name}.bin", lambda stream: stream.write(x.tobytes()))
    files = [f"{name}.bin"]
    if x.dtype.isbuiltin == 1 and dtype_named(dtype).numpy is not None:
        _replace(place / f"{name}.npy", lambda stream: _save(stream, x))
        files.append(f"{name}.npy")
    return {"dtype": dtype, "shape": list(x.shape), "files": files}


def _save(stream: BufferedWriter, x: Array) -> None:
    np.lib.format.write_array(stream, x, allow_pickle=False)


def _replace(path: Path, write: Callable[[BufferedWriter], Any]) -> None:
    """Fill a new file beside `path` and put it there whole, or change nothing."""
    beside = path.with_name(f".restride-{uuid.uuid4().hex}.tmp")
    try:
        with beside.open("xb") as stream:
            write(stream)
        beside.replace(path)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
