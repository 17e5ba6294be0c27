"""The model check: every node that moves elements, and what a target does with it.

>>> import onnx.parser
>>> told = check_model(onnx.parser.parse_model('''
...     <ir_version: 8, opset_import: ["" : 18]> g (float[3, 4] x) => (float[N, M] y) {
...         p = Constant <value = int64[4] {0, 1, 0, 1}> ()
...         y = Pad <mode = "reflect"> (x, p) }'''), "A2")
>>> [(found.node.op, found.answer.answer) for found in told.nodes]
[('Pad', 'fast')]
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from restride.models.answers import Checked
from restride.models.check.report import Report
from restride.models.check.targets import Target, target_named
from restride.models.files.reading import Model, read_model
from restride.models.known import Node
from restride.models.movements.of_node import movement_of
from restride.models.onnx.walk import Walk
from restride.models.tensorflow.text import graphdef_of_text
from restride.models.tensorflow.walk import walk_graphdef
from restride.models.tflite.walk import walk_tflite

__all__ = ["check_model"]


def check_model(model: Any, target: Any) -> Report:
    """What `target` does with every node of a model that moves elements.

    Parameters
    ----------
    model : str, path, bytes or onnx.ModelProto
        ONNX with all its subgraphs and functions, TFLite, or a TensorFlow GraphDef;
        a file's kind is told by its content.
    target : str
        An Ascend product by any of its names ("A2", "Ascend310P3"), with one door
        before it if only that is asked ("aclnn:A2"), or a runtime: "onnxruntime" and
        those beside it in ``models/limits``.

    Returns
    -------
    Report
        Every such node with its parameters, types and shapes, and the answer: "fast",
        "slow path", "refused" or "cannot tell", with the rule and its source.

    Raises
    ------
    ModelError
        The model cannot be read, or there is no such target.
    UnsupportedError
        A package that reads this kind of model is not installed.

    Notes
    -----
    Ascend products are asked through :mod:`restride.dialects`, whose checks name their
    sources; runtimes through tables that name document, version and day.

    Examples
    --------
    >>> check_model(b"", "A2")
    Traceback (most recent call last):
    restride.models.errors.ModelError: model: it is empty; ONNX, ...
    """
    asked = target_named(target)
    read = read_model(model)
    walked = _Walked(read)
    found = []
    for node in walked:
        movement = movement_of(node)
        if movement is not None:
            found.append(Checked(movement, asked.judge(movement)))
    note = " ".join(filter(None, (_other_format(asked, read.kind), walked.note)))
    return Report(read.name, read.kind, asked, tuple(found), walked.count, note)


def _other_format(asked: Target, kind: str) -> str:
    """What to do where a runtime's table speaks of another format's models; or ""."""
    if asked.table is None or kind == asked.table.models:
        return ""
    title = {"tflite": "TFLite", "onnx": "ONNX"}[asked.table.models]
    return (
        f"the table of {asked.name} speaks of {title} models only; convert this one "
        f"to {title} and check what comes out."
    )


class _Walked:
    """The nodes of a model of any kind, counted."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.count = 0
        self.note = ""

    def __iter__(self) -> Iterator[Node]:
        walk = WALKS[self.model.kind](self.model)
        for node in walk:
            self.count += 1
            yield node
        why = getattr(walk, "note", "")
        if why:
            self.note = f"{why}; some shapes are not known."


WALKS: dict[str, Callable[[Model], Iterable[Node]]] = {
    "onnx": Walk,
    "tflite": lambda model: walk_tflite(model.data, model.name),
    "graphdef": lambda model: walk_graphdef(model.data, model.name),
    "pbtxt": lambda model: walk_graphdef(
        graphdef_of_text(model.data, model.name), model.name
    ),
    "savedmodel": lambda model: walk_graphdef(model.data, model.name, saved_model=True),
}
"""For each kind of model, the walk over its nodes."""
