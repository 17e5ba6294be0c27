"""Write the models of this folder again, with TensorFlow: ``python make_models.py``."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import Any

import tensorflow as tf
from google.protobuf import text_format
from tensorflow.python.framework.convert_to_constants import (
    convert_variables_to_constants_v2,
)

HERE = Path(__file__).parent


@tf.function(input_signature=[tf.TensorSpec((2, 6, 8, 4), tf.float32, name="x")])
def movements(x: Any) -> list[Any]:
    """Each operator that moves elements."""
    return [
        x[:, 1:5, ::-2, 1],
        x[..., tf.newaxis, -1:, 0],
        tf.pad(x, [[0, 0], [1, 2], [0, 0], [3, 0]]),
        tf.pad(x, [[0, 0], [1, 2], [0, 0], [3, 0]], constant_values=1.5),
        tf.pad(x, [[0, 0], [1, 2], [7, 0], [0, 0]], "REFLECT"),
        tf.pad(x, [[0, 0], [1, 2], [8, 0], [0, 0]], "SYMMETRIC"),
        tf.transpose(x, [0, 3, 1, 2]),
        tf.tile(x, [1, 2, 1, 3]),
        tf.slice(x, [0, 1, 0, 2], [-1, 2, 8, 1]),
        *tf.split(x, 3, axis=1),
        *tf.split(x, [1, 5, 2], axis=2),
        tf.nn.depth_to_space(x, 2),
        tf.nn.space_to_depth(x, 2),
        tf.reverse(x, [1, -1]),
        tf.reshape(x, [2, -1, 4]),
        tf.broadcast_to(x[:, :, :1, :], [3, 2, 6, 8, 4]),
        tf.expand_dims(x, 1),
        tf.squeeze(x[:1], 0),
        tf.gather(x, [4, 3, 2], axis=2),
        tf.reshape(x, [tf.shape(x)[0], 48 * 4]),
    ]


class Branches(tf.Module):
    """A branch, a pad before a convolution, and a variable."""

    def __init__(self) -> None:
        super().__init__()
        self.weights = tf.Variable(tf.ones((3, 3, 4, 5)))

    @tf.function(
        input_signature=[
            tf.TensorSpec((1, 16, 16, 4), tf.float32, name="x"),
            tf.TensorSpec((), tf.bool, name="flip"),
        ]
    )
    def __call__(self, x: Any, flip: Any) -> Any:
        rows = [[0, 0], [1, 1], [0, 0], [0, 0]]
        y = tf.cond(
            flip,
            lambda: x[:, ::-1],
            lambda: tf.pad(x[:, 1:-1], rows, "REFLECT"),
        )
        y = tf.pad(y, [[0, 0], [1, 1], [1, 1], [0, 0]])
        return tf.nn.conv2d(y, self.weights, 1, "VALID")


def main() -> None:
    """Write every model."""
    concrete = movements.get_concrete_function()
    frozen = convert_variables_to_constants_v2(concrete).graph.as_graph_def()
    (HERE / "movements.pb").write_bytes(frozen.SerializeToString())
    (HERE / "movements.pbtxt").write_text(text_format.MessageToString(frozen))
    converter = tf.lite.TFLiteConverter.from_concrete_functions([concrete])
    (HERE / "movements.tflite").write_bytes(converter.convert())
    branches = Branches()
    with tempfile.TemporaryDirectory() as folder:
        tf.saved_model.save(branches, folder)
        shutil.copy(Path(folder) / "saved_model.pb", HERE)
    call = branches.__call__.get_concrete_function()
    converter = tf.lite.TFLiteConverter.from_concrete_functions([call], branches)
    (HERE / "branches.tflite").write_bytes(converter.convert())


if __name__ == "__main__":
    main()
