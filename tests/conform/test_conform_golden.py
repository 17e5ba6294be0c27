"""Golden data: what is written, under which names, and that it is whole."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from conform_tables import STRIDED, WRITTEN, csv_table, json_table, pad_case, tensor

from restride.conform import run
from restride.conform.golden import safe_name
from restride.errors import ShapeError


def manifest(folder: Path) -> Any:
    return json.loads((folder / "case.json").read_text())


def test_inputs_and_outputs_as_bytes_and_as_arrays(tmp_path: Path) -> None:
    table = csv_table(tmp_path / "mine.csv", STRIDED, WRITTEN)
    report = run(table, golden=tmp_path / "gold", seed=5)
    assert report.ok
    strided = tmp_path / "gold" / "mine" / "strided"
    told = manifest(strided)
    assert told["inputs"] == [
        {
            "dtype": "float16",
            "shape": [2, 3],
            "files": ["input0.bin", "input0.npy"],
            "format": "nd",
        }
    ]
    assert (told["op"], told["seed"]) == ("AsStridedOperation", 5)
    assert told["expect"] == {"stage": "ok", "code": "NO_ERROR"}
    x, y = np.load(strided / "input0.npy"), np.load(strided / "output0.npy")
    assert y.tolist() == x.reshape(-1)[[1, 2, 4, 5]].reshape(2, 2).tolist()
    assert (strided / "input0.bin").read_bytes() == x.tobytes()
    assert (strided / "output0.bin").read_bytes() == y.tobytes()
    written = tmp_path / "gold" / "mine" / "written"
    dst, src, out = (
        np.load(written / f"{n}.npy") for n in ("input0", "input1", "output0")
    )
    dst[0:2, 1:3] = src
    assert out.tolist() == dst.tolist()
    assert src.min() >= -20
    assert src.max() <= 20


def test_the_seed_decides_the_data(tmp_path: Path) -> None:
    table = csv_table(tmp_path / "t.csv", STRIDED)
    found = []
    for k, seed in enumerate((1, 1, 2)):
        run(table, golden=tmp_path / str(k), seed=seed)
        path = tmp_path / str(k) / "t" / "strided" / "input0.bin"
        found.append(path.read_bytes())
    assert found[0] == found[1] != found[2]


def test_types_that_npy_cannot_name_are_bytes_and_a_manifest(tmp_path: Path) -> None:
    row = WRITTEN | {"InDType": "bf16;bf16"}
    run(csv_table(tmp_path / "t.csv", row), golden=tmp_path)
    folder = tmp_path / "t" / "written"
    assert sorted(p.name for p in folder.iterdir()) == [
        "case.json",
        "input0.bin",
        "input1.bin",
        "output0.bin",
    ]
    told = manifest(folder)["outputs"][0]
    assert told == {"dtype": "bf16", "shape": [3, 4], "files": ["output0.bin"]}
    y = np.frombuffer((folder / "output0.bin").read_bytes(), ml_dtypes.bfloat16)
    assert y.size == 12


def test_a_refusal_has_a_manifest_and_inputs(tmp_path: Path) -> None:
    row = STRIDED | {"InDType": "int8"}
    row |= {"ExpectedError": "I:ERROR_INVALID_TENSOR_INI_MATCH"}
    run(csv_table(tmp_path / "t.csv", row), golden=tmp_path)
    told = manifest(tmp_path / "t" / "strided")
    assert told["expect"]["stage"] == "infer_shape"
    assert told["outputs"] == []
    assert told["inputs"][0]["files"] == ["input0.bin", "input0.npy"]


def test_absent_and_too_large_tensors(tmp_path: Path) -> None:
    inputs = [tensor("int8", [2**40]), tensor("int32", [2], [0, 1]), None]
    large = pad_case(inputs=inputs, outputs=[tensor("int8", [2**40 + 1])])
    run(json_table(tmp_path / "t.json", large), golden=tmp_path)
    told = manifest(tmp_path / "t" / "edge")
    assert [t and t["files"] for t in told["inputs"]] == [
        [],
        ["input1.bin", "input1.npy"],
        None,
    ]
    assert told["outputs"] == []


def test_a_failing_case_gives_no_golden_data(tmp_path: Path) -> None:
    wrong = pad_case(outputs=[tensor("int32", [1, 4])])
    assert not run(json_table(tmp_path / "t.json", wrong), golden=tmp_path / "g").ok
    assert list((tmp_path / "g").rglob("*")) == []


PATHS = ["../../up", "/etc/passwd", "a/b\\c", "..", ".", "", ".hidden", "-rf", "~"]
ODD = ["nul\0", "\ud800", "x" * 999, "a:b", "con\n", "步长"]


@pytest.mark.parametrize("name", [*PATHS, *ODD])
def test_names_of_cases_stay_below_the_folder(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "g"
    assert run(json_table(tmp_path / "t.json", pad_case(name=name)), golden=folder).ok
    (made,) = folder.rglob("case.json")
    assert made.resolve().is_relative_to(folder.resolve())
    assert made.parent.parent == folder / "t"
    assert len(made.parent.name) <= 120
    assert {p.name for p in tmp_path.iterdir()} == {"t.json", "g"}


def test_cases_of_one_name_get_folders_of_their_own(tmp_path: Path) -> None:
    cases = [pad_case(name=n) for n in ("a", "a", "A", "a/b", "a\\b")]
    run(json_table(tmp_path / "t.json", *cases), golden=tmp_path / "g")
    names = sorted(p.name for p in (tmp_path / "g" / "t").iterdir())
    assert len({n.lower() for n in names}) == 5
    assert names[:3] == ["A-3", "a", "a-2"]
    assert safe_name("a/b") != safe_name("a\\b")


def test_a_file_is_replaced_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = csv_table(tmp_path / "t.csv", STRIDED)
    run(table, golden=tmp_path / "g", seed=1)
    folder = tmp_path / "g" / "t" / "strided"
    before = {p.name: p.read_bytes() for p in folder.iterdir()}

    def full(*_: Any, **__: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(np.lib.format, "write_array", full)
    with pytest.raises(OSError, match="No space left"):
        run(table, golden=tmp_path / "g", seed=1)
    # Without its manifest: what a run left half way is not taken for whole.
    del before["case.json"]
    assert {p.name: p.read_bytes() for p in folder.iterdir()} == before


def test_a_link_in_the_way_is_replaced_not_followed(tmp_path: Path) -> None:
    table = csv_table(tmp_path / "t.csv", STRIDED)
    folder = tmp_path / "g" / "t" / "strided"
    folder.mkdir(parents=True)
    precious = tmp_path / "precious"
    precious.write_text("kept")
    (folder / "case.json").symlink_to(precious)
    run(table, golden=tmp_path / "g")
    assert precious.read_text() == "kept"
    assert manifest(folder)["name"] == "strided"


def test_a_golden_folder_without_a_name_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ShapeError, match="names no directory"):
        run(tmp_path / "any.json", golden="")
