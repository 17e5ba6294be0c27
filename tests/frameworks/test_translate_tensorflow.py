"""Translations into TensorFlow's words and out of them, run by TensorFlow."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
import sets
from translated import FAMILIES, by_numpy, compared, pasted

from restride.translate import Call, translate

tf = sets.framework("tensorflow")

Array = np.ndarray[Any, Any]


@pytest.mark.parametrize("family", FAMILIES)
def test_into_tensorflow(family: str) -> None:
    def one(rng: random.Random) -> str | None:
        drawn = FAMILIES[family](rng)
        made = translate(drawn.spec, "tensorflow", drawn.x.shape)
        names = {"np": np, "x": tf.constant(drawn.x)}
        if drawn.src is not None:
            names["src"] = tf.constant(drawn.src)
        said = sets.different(pasted(made, names).numpy(), drawn.wanted)
        return said and f"{drawn.spec} of {drawn.x.shape}: {made.calls}: {said}"

    sets.compare("tensorflow", family, one)


def theirs(function: Any, **words: Any) -> Array | str:
    try:
        made: Array = function(**words).numpy()
        return made
    except (tf.errors.OpError, ValueError) as error:
        return str(error)


def test_slices_out_of_tensorflow() -> None:
    def one(rng: random.Random) -> str | None:
        x = sets.array(rng, sets.shape(rng, (1, 4)), "int64")
        words = sets.strided_slice(rng, x.shape)._asdict()
        call = Call("tensorflow", "StridedSlice", words)
        for name in ("begin", "end", "strides"):
            words[name] = tf.constant(words[name], tf.int64)
        found = theirs(tf.raw_ops.StridedSlice, input=tf.constant(x), **words)
        return compared(call, by_numpy(call, x), found)

    sets.compare("tensorflow", "slices in NumPy's words", one)


def test_pads_out_of_tensorflow() -> None:
    def one(rng: random.Random) -> str | None:
        x = sets.array(rng, sets.shape(rng, (1, 4), (1, 4)), "int64")
        paddings = sets.pads(rng, x.shape, -1 if rng.random() < 0.1 else 0, 4)
        mode = rng.choice(("REFLECT", "SYMMETRIC"))
        words: dict[str, Any] = {"paddings": [list(pair) for pair in paddings]}
        words |= rng.choice(({"mode": mode}, {"constant_values": 7}))
        op = "MirrorPad" if "mode" in words else "PadV2"
        call = Call("tensorflow", op, words)
        given = dict(words)
        if "mode" not in words:
            given["constant_values"] = tf.constant(7, tf.int64)
        found = theirs(getattr(tf.raw_ops, op), input=tf.constant(x), **given)
        return compared(call, by_numpy(call, x), found)

    sets.compare("tensorflow", "pads in NumPy's words", one)
