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
from restride.models.movement import AtRunTimeError, Movement, Params
from restride.models.onnx_moves import READERS

__all__ = ["movement_of"]


def movement_of(node: Node) -> Movement | None:
    """What a node moves; None of a node that is no movement operator."""
    reader = READERS.get(node.op) if not node.domain else None
    if reader is None:
        return None
    params, data = Params(node), node.input(0)
    try:
        steps = reader(node, params)
    except AtRunTimeError as error:
        return Movement(node, data, params.found, open=str(error))
    except RestrideError as error:
        return Movement(node, data, params.found, wrong=str(error))
    return Movement(node, data, params.found, steps)
