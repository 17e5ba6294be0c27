"""Which nodes of a model move elements, and what each moves.

>>> from restride.models.known import Known
>>> x = Known("x", "float32", (2, 3))
>>> node = Node((), 0, "", "Transpose", "", 18, {"perm": (1, 0)}, (x,), (Known("y"),))
>>> movement_of(node).outputs
((Transpose(order=(1, 0)),),)
"""

from __future__ import annotations

from restride.errors import RestrideError
from restride.models.known import Node
from restride.models.movements.movement import AtRunTimeError, Movement, Params, Reader
from restride.models.movements.onnx import READERS
from restride.models.movements.tensorflow import TF_READERS
from restride.models.movements.tf_names import SOURCES, TF_DOMAINS, tf_op

__all__ = ["movement_of"]


def movement_of(node: Node) -> Movement | None:
    """What a node moves; None of a node that is no movement operator."""
    reader = _reader(node)
    if reader is None:
        return None
    source = SOURCES.get(tf_op(node), 0) if node.domain else 0
    params, data = Params(node), node.input(source)
    try:
        steps = reader(node, params)
    except AtRunTimeError as error:
        return Movement(node, data, params.found, open=str(error))
    except RestrideError as error:
        return Movement(node, data, params.found, wrong=str(error))
    return Movement(node, data, params.found, steps)


def _reader(node: Node) -> Reader | None:
    """What reads a node of ONNX's own domain, of TensorFlow, or of TensorFlow Lite."""
    if node.domain in TF_DOMAINS:
        return TF_READERS.get(tf_op(node))
    return READERS.get(node.op) if not node.domain else None
