"""Every node of a TensorFlow graph, with what is known of it.

>>> node = b"\\x0a\\x01y" + b"\\x12\\x07Reshape" + b"\\x1a\\x01x"
>>> [found] = walk_graphdef(b"\\x0a" + bytes([len(node)]) + node, "g.pb")
>>> found.op, found.inputs[0].text()
('Reshape', 'type unknown (rank unknown)')
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from restride.models.errors import ModelError
from restride.models.files.wire import WireError
from restride.models.known import Node
from restride.models.tensorflow.facts import Facts, known_attributes
from restride.models.tensorflow.graphdef import graphs

__all__ = ["DOMAIN", "walk_graphdef"]

DOMAIN = "tensorflow"
"""The domain of its operators, beside ONNX's."""


def walk_graphdef(data: Any, name: str, saved_model: bool = False) -> Iterator[Node]:
    """Every node of a GraphDef's main graph and of its functions.

    Parameters
    ----------
    data : bytes or buffer
        The file's content.
    name : str
        The file, for messages.
    saved_model : bool
        The file is a SavedModel's ``saved_model.pb``, which holds GraphDefs.

    Raises
    ------
    ModelError
        The file is cut off, damaged or holds more than any model does.
    """
    try:
        for graph in graphs(memoryview(data), saved_model):
            facts = Facts(graph)
            for index, node in enumerate(graph.nodes):
                yield Node(
                    graph.scope,
                    index,
                    node.name,
                    node.op,
                    DOMAIN,
                    graph.producer,
                    known_attributes(node),
                    facts.inputs(node),
                    tuple(facts.outputs.get(node.name, ())),
                )
    except WireError as error:
        raise ModelError(name, str(error)) from None
