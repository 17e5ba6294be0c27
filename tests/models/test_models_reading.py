"""Reading: any content, any size; what is no model is told in one line."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest
from models_made import in_wheel, onnx_model, varint

from restride.models.errors import ModelError
from restride.models.files.reading import read_model
from restride.models.files.slim import KEEP, slim
from restride.models.known import numbers_of
from restride.models.onnx.walk import walk

onnx = pytest.importorskip("onnx")


def with_tensor(values, **given):
    """A model that slices x by an initialiser of int64 values."""
    model = onnx_model(
        "g (float[N] x, int64[M] e) => (float[K] y) { y = Slice(x, s, e) }"
    )
    tensor = onnx.numpy_helper.from_array(np.asarray(values, np.int64), "s")
    model.graph.initializer.append(tensor)
    for name, value in given.items():
        setattr(model.graph.initializer[0], name, value)
    return model


def external(location, offset=None, length=None, count=1):
    model = with_tensor([0] * count)
    tensor = model.graph.initializer[0]
    tensor.ClearField("raw_data")
    tensor.data_location = 1
    given = {"location": location, "offset": offset, "length": length}
    for key, value in given.items():
        if value is not None:
            tensor.external_data.add(key=key, value=str(value))
    return model


def starts_of(source):
    (node,) = walk(read_model(source))
    return node.inputs[1].constant.array().tolist()


# -------------------------------------------------------------------- what is no model


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "it is empty"),
        (b"import torch\nprint('hello')\n", "it is text"),
        (b"\x89HDF\r\n\x1a\n" + b"\0" * 99, "HDF5"),
        (b"PK\x03\x04" + b"\0" * 99, "ZIP"),
        (b"\x80\x02}q\x00.", "pickle"),
        (b"\x18\0\0\0ORTM" + b"\0" * 99, "ONNX Runtime's own"),
        (b"\x08\x01\x12\x02\x0a\x00", "it has no graph"),
        (b"\x00" * 4096, "damaged|no model"),
        (b"\xff" * 4096, "no model"),
    ],
)
def test_what_is_no_model_is_told_by_its_content(content, told, tmp_path):
    path = tmp_path / "model.onnx"
    path.write_bytes(content)
    for source in (content, path):
        with pytest.raises(ModelError, match=told):
            read_model(source)


def test_what_is_no_file(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path, tmp_path / "absent", tmp_path / "pipe", "a\0b", "x" * 5000):
        with pytest.raises(ModelError):
            read_model(path)
    with pytest.raises(ModelError, match="give a path"):
        read_model(3)


def reads(content):
    """True where it is read, and all its constants; False where that is refused."""
    try:
        for node in walk(read_model(content), infer=False):
            for known in node.inputs:
                if known is not None and known.constant is not None:
                    known.constant.array()
        return True
    except ModelError as error:
        if "\n" in str(error):
            raise AssertionError(error) from None
        return False


def test_every_truncation_is_refused_or_read():
    whole = with_tensor(range(40)).SerializeToString()
    assert reads(whole)
    read = sum(reads(whole[:end]) for end in range(len(whole)))
    assert read < len(whole) * 0.1


def test_any_byte_may_be_wrong():
    whole = bytearray(with_tensor(range(9)).SerializeToString())
    draw = np.random.default_rng(6)
    for _ in range(3000):
        bad = bytearray(whole)
        for at in draw.integers(0, len(whole), 3):
            bad[at] = draw.integers(0, 256)
        reads(bytes(bad))


# -------------------------------------------------------------------------- large data


@pytest.mark.parametrize("field", ["raw_data", "int64_data"])
def test_long_data_is_left_out_and_still_found(field):
    values = [*range(-500, KEEP)]
    model = with_tensor(values)
    if field == "int64_data":
        model.graph.initializer[0].ClearField("raw_data")
        model.graph.initializer[0].int64_data.extend(values)
    whole = model.SerializeToString()
    small, places = slim(whole)
    assert len(small) < 1000 < len(whole)
    assert [p[0] for p in places] == [{"raw_data": 9, "int64_data": 7}[field]]
    assert starts_of(whole) == values


def test_a_list_that_ends_within_a_number_is_a_model_error():
    model = with_tensor(range(KEEP + 1))
    model.graph.initializer[0].ClearField("raw_data")
    model.graph.initializer[0].int64_data.extend([1] * (KEEP + 1))
    ones = b"\x01" * (KEEP + 1)
    whole = model.SerializeToString()
    assert whole.count(ones) == 1
    read = read_model(whole.replace(ones, ones[:-1] + b"\xff"))
    (node,) = walk(read)
    with pytest.raises(ModelError, match="ends within a number"):
        node.inputs[1].constant.array()
    assert numbers_of(node.inputs[1]) is None


def test_short_data_stays():
    whole = with_tensor(range(9)).SerializeToString()
    assert slim(whole) == (whole, [])


def test_slimming_a_model_keeps_every_node():
    path = in_wheel("silero_vad", "data", "silero_vad.onnx")
    told = [(n.scope, n.op, n.label) for n in walk(read_model(path), infer=False)]
    whole = onnx.load(path)
    assert told == [
        (n.scope, n.op, n.label) for n in walk(read_model(whole), infer=False)
    ]
    assert len(told) == 689


def test_a_file_larger_than_memory_allows_is_read(tmp_path):
    """Three gigabytes of weights, in a hole of the file."""
    model = with_tensor([7])
    path, count = tmp_path / "large.onnx", 3 << 30
    weights = onnx.TensorProto(dims=[count // 4], data_type=1, name="w")
    raw = weights.SerializeToString() + b"\x4a" + varint(count)
    graph = model.graph.SerializeToString() + b"\x2a" + varint(len(raw) + count) + raw
    model.ClearField("graph")
    with path.open("wb") as stream:
        stream.write(model.SerializeToString())
        stream.write(b"\x3a" + varint(len(graph) + count) + graph)
        stream.truncate(stream.tell() + count)
    code = (
        "import sys; from restride.models.files.reading import read_model\n"
        "from restride.models.onnx.walk import walk\n"
        "m = read_model(sys.argv[1])\n"
        "(n,) = walk(m)\n"
        "print(n.op, n.inputs[1].constant.array().tolist(), m.store.places)\n"
        "print(open('/proc/self/status').read().split('VmHWM:')[1].split()[0])"
    )
    told = subprocess.run(
        [sys.executable, "-c", code, str(path)], capture_output=True, text=True
    )
    assert told.returncode == 0, told.stderr
    first, kilobytes = told.stdout.strip().split("\n")
    end = path.stat().st_size
    assert first == f"Slice [7] [(9, {end - count}, {end})]"
    assert int(kilobytes) < 300_000


# ----------------------------------------------------------------------- external data


def test_external_data_is_read_where_it_lies(tmp_path):
    (tmp_path / "sub").mkdir()
    data = np.arange(10, dtype=np.int64)
    data.tofile(tmp_path / "sub" / "w.bin")
    path = tmp_path / "m.onnx"
    path.write_bytes(external("sub/w.bin", 16, 24, 3).SerializeToString())
    assert starts_of(path) == [2, 3, 4]


@pytest.mark.parametrize(
    ("location", "told"),
    [
        ("../secret", "outside"),
        ("sub/../../secret", "outside"),
        ("/etc/passwd", "outside"),
        ("link", "link"),
        ("", "outside"),
        ("a\\b", "outside"),
        ("absent", "No such file"),
        (".", "no file"),
        ("short", "8 bytes"),
        ("x" * 5000, "too long"),
    ],
)
def test_external_data_stays_in_the_folder(location, told, tmp_path):
    folder = tmp_path / "model"
    folder.mkdir()
    (tmp_path / "secret").write_bytes(b"12345678")
    (folder / "link").symlink_to(tmp_path / "secret")
    (folder / "short").write_bytes(b"12345678")
    path = folder / "m.onnx"
    path.write_bytes(
        external(location, 8 if location == "short" else 0, 8).SerializeToString()
    )
    with pytest.raises(ModelError, match=told):
        starts_of(path)


@pytest.mark.parametrize(
    ("offset", "length"), [("x", 8), (-8, 8), (0, 2**70), (2**70, 8), (0, 4)]
)
def test_external_offsets_are_not_believed(offset, length, tmp_path):
    (tmp_path / "w").write_bytes(bytes(64))
    path = tmp_path / "m.onnx"
    path.write_bytes(external("w", offset, length).SerializeToString())
    with pytest.raises(ModelError):
        starts_of(path)


def test_a_model_of_bytes_has_no_folder():
    with pytest.raises(ModelError, match="give the model's path"):
        starts_of(external("w.bin").SerializeToString())


@pytest.mark.parametrize("dims", [[2**40], [-1], [2**62, 4], [5]])
def test_a_constant_of_false_shape_is_never_made(dims):
    model = with_tensor([0])
    del model.graph.initializer[0].dims[:]
    model.graph.initializer[0].dims.extend(dims)
    with pytest.raises(ModelError):
        starts_of(model.SerializeToString())
