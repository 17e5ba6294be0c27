"""Each movement node run by restride on the model's own values, and compared.

ONNX Runtime runs the model once, unoptimised, with the values between as outputs; Ifs
give way to the branch they take.  A node whose values cannot be had so (in a loop, in a
branch not taken, in a function) is run alone on random elements where its shape and
parameters are known, and else said not to have run.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from typing import Any

import numpy as np

from restride.checks import as_index
from restride.errors import RestrideError, ShapeError
from restride.export.onnx import model_around
from restride.models.errors import ModelError
from restride.models.files.reading import Model
from restride.models.files.tensors import dtype_number
from restride.models.known import FUNCTION, Known, Node
from restride.models.movements.of_node import movement_of
from restride.models.onnx.files import load
from restride.models.onnx.protos import copied
from restride.models.onnx.walk import Walk
from restride.models.running.arrays import (
    MOST_ELEMENTS,
    first_run,
    random_array,
    same,
    values,
)
from restride.models.running.inline_ifs import inlined
from restride.models.running.own_result import NotRunError, own_results
from restride.models.running.report import (
    DIFFERS,
    EQUAL,
    NOT_RUN,
    ON_RANDOM,
    ON_VALUES,
    NodeRun,
    RunReport,
)
from restride.models.running.runtime import run_within, session
from restride.models.texts import first_line
from restride.packages import needed

__all__ = ["run_nodes"]

OPEN = 6
"""What an extent without a number is, where a node runs alone."""

Array = np.ndarray[Any, Any]
Held = dict[str, Any]

FOLDER = "session.model_external_initializers_file_folder_path"
"""Where ONNX Runtime looks for external data of a model given as bytes."""


def run_nodes(
    model: Any, inputs: Mapping[str, Any] | None = None, *, seed: int = 0
) -> RunReport:
    """Run every movement node of a model by restride and by ONNX Runtime, and compare.

    Parameters
    ----------
    model : str, path, bytes or onnx.ModelProto
        The model.
    inputs : mapping of str to array, optional
        The model's inputs by name; random ones by default, an extent without a number
        being 2, or 640 where the model does not run so, and integers 0 or 1.
    seed : int
        Of random elements.

    Returns
    -------
    RunReport
        For each node "equal", "differs" or "not run", and on which values.

    Raises
    ------
    ModelError
        The model cannot be read.
    UnsupportedError
        onnx or onnxruntime is not installed.
    ShapeError
        `inputs` has not the names of the model's inputs.

    Examples
    --------
    >>> import onnx.parser
    >>> told = run_nodes(onnx.parser.parse_model('''
    ...     <ir_version: 8, opset_import: ["" : 18]> g (float[3] x) => (float[5] y) {
    ...         p = Constant <value = int64[2] {1, 1}> ()
    ...         y = Pad <mode = "reflect"> (x, p) }'''))
    >>> [(node.op, node.outcome) for node in told.nodes]
    [('Pad', 'equal')]
    """
    runtime = needed("onnxruntime", "onnxruntime", "running a model's nodes")
    read, proto = load(model)
    if inputs is not None:
        _check_inputs(proto.graph, list(inputs))
    found = [n for n in Walk(read) if movement_of(n) is not None]
    bench = _Bench(runtime, read, as_index(seed, "seed"))
    held, why = bench.captured(proto, found, inputs)
    runs = [bench.judged(node, held, why) for node in found]
    return RunReport(read.name, tuple(runs), why)


def _check_inputs(graph: Any, given: Sequence[str]) -> None:
    """All names that the model needs, and none that it has not."""
    names = [info.name for info in graph.input]
    fixed = {tensor.name for tensor in graph.initializer}
    missing = [n for n in names if n not in fixed and n not in given]
    extra = [n for n in given if n not in names]
    if missing or extra:
        lacks = f"; {', '.join(missing)} missing" if missing else ""
        raise ShapeError(
            f"inputs: the model takes {', '.join(names) or 'none'}, and given are "
            f"{', '.join(given) or 'none'}{lacks}."
        )


class _Bench:
    """Runs a model, and nodes alone."""

    def __init__(self, runtime: Any, read: Model, seed: int) -> None:
        self.runtime, self.read, self.seed = runtime, read, seed
        self.onnx = needed("onnx", "onnx", "running a model's nodes")
        self.feeds: Held = {}

    def captured(
        self, proto: Any, found: Sequence[Node], inputs: Mapping[str, Any] | None
    ) -> tuple[Held, str]:
        """The values that movement nodes read and give; why there are none, or ""."""
        try:
            if inputs is not None:
                feeds = {name: np.asarray(a) for name, a in inputs.items()}
                return self._held(proto, found, feeds), ""
            _, held = first_run(
                lambda feeds: self._held(proto, found, feeds), proto.graph, self.seed
            )
        except Exception as error:  # whatever the runtime may raise
            kind = "the given inputs" if inputs is not None else "random inputs"
            return {}, f"the model does not run on {kind} ({first_line(error)})"
        return held, ""

    def _held(self, proto: Any, found: Sequence[Node], feeds: Held) -> Held:
        """What the nodes read and give, running the model once on these inputs."""
        self.feeds = feeds
        flat = inlined(proto, self.values)
        made = {n for node in flat.graph.node for n in node.output if n}
        wanted = dict.fromkeys(
            name
            for node in found
            for name in (*node.proto.input, *node.proto.output)
            if name in made
        )
        return self.values(flat, list(wanted)) | feeds

    def values(self, model: Any, names: list[str]) -> Held:
        """The values of some names, running the model once."""
        asked = copied(model)
        del asked.graph.output[:]
        given = {info.name: info for info in model.graph.input}
        fixed = {t.name for t in model.graph.initializer}
        wanted = [n for n in dict.fromkeys(names) if n not in given and n not in fixed]
        asked.graph.output.extend(self.onnx.ValueInfoProto(name=n) for n in wanted)
        if not wanted:
            return {**self.feeds, **self._fixed(model, names)}
        options = {} if self.read.path is None else {FOLDER: str(self.read.path.parent)}
        ready = session(self.runtime, asked.SerializeToString(), options)
        needs = {i.name for i in ready.get_inputs()}
        feeds = {name: a for name, a in self.feeds.items() if name in needs}
        results = run_within(self.runtime, ready, wanted, feeds)
        made = dict(zip(wanted, results, strict=True))
        return made | self.feeds | self._fixed(model, names)

    def _fixed(self, model: Any, names: list[str]) -> Held:
        """Those that are constants of the model."""
        return {
            t.name: self.read.store.constant(t).array()
            for t in model.graph.initializer
            if t.name in names
        }

    def judged(self, node: Node, held: Held, why: str) -> NodeRun:
        """A node's own result beside the runtime's."""
        names = [n for n in node.proto.output if n]
        own = not node.in_function and all(n in held for n in names)
        try:
            if own:
                arrays = [_array(known, held) for known in node.inputs]
                results = [held[n] for n in names]
                return self._compared(node, arrays, results, ON_VALUES)
            arrays, results = self._alone(node)
            return self._compared(node, arrays, results, ON_RANDOM)
        except NotRunError as error:
            told = str(error) if own else f"{why or _absent(node)}; alone: {error}"
            return NodeRun(node.where, node.op, NOT_RUN, "", told)

    def _compared(
        self, node: Node, arrays: list[Any], results: list[Array], on: str
    ) -> NodeRun:
        shapes = [r.shape for r in results]
        try:
            own = own_results(node, arrays, shapes)
        except RestrideError as error:
            return NodeRun(node.where, node.op, DIFFERS, on, f"restride: {error}")
        kept = [own[k] for k, name in enumerate(node.proto.output) if name]
        wrong = [
            k
            for k, (a, b) in enumerate(zip(kept, results, strict=True))
            if not same(a, b)
        ]
        if wrong:
            told = f"output {wrong[0]} is not the same"
            return NodeRun(node.where, node.op, DIFFERS, on, told)
        moved = sum(r.nbytes for r in results)
        return NodeRun(node.where, node.op, EQUAL, on, "", moved)

    def _alone(self, node: Node) -> tuple[list[Any], list[Array]]:
        """Random data, the node's parameters, and what the runtime makes of them."""
        for out in node.outputs:
            if out is not None and prod(out.extents or ()) > MOST_ELEMENTS:
                raise NotRunError(f"its result is {out.text()}")
        random = np.random.default_rng(self.seed)
        arrays: list[Any] = []
        try:
            for k, known in enumerate(node.inputs):
                if known is None or not known.name:
                    arrays.append(None)
                elif k == 0 or (node.op == "ScatterND" and k == 2):
                    arrays.append(_random(random, known))
                else:
                    arrays.append(values(known))
            feeds = dict(zip(node.proto.input, arrays, strict=True))
            results = self._run_alone(node, {n: a for n, a in feeds.items() if n})
        except (ValueError, ModelError) as error:
            raise NotRunError(first_line(error)) from None
        return arrays, results

    def _run_alone(self, node: Node, feeds: Held) -> list[Array]:
        helper = self.onnx.helper
        infos = []
        for name, known in zip(node.proto.input, node.inputs, strict=True):
            if name and known is not None:
                kind = dtype_number(known.dtype)
                shape = feeds[name].shape
                infos.append(helper.make_tensor_value_info(name, kind, shape))
        unique = {info.name: info for info in infos}
        outputs = [self.onnx.ValueInfoProto(name=n) for n in node.proto.output if n]
        graph = helper.make_graph([node.proto], "one", list(unique.values()), outputs)
        model = model_around(graph, node.opset)
        try:
            ready = session(self.runtime, model.SerializeToString())
            return run_within(self.runtime, ready, None, feeds)
        except Exception as error:  # whatever the runtime may raise
            raise NotRunError(f"ONNX Runtime: {first_line(error)}") from None


def _random(random: np.random.Generator, known: Known) -> Array:
    if known.shape is None or known.dtype is None:
        raise NotRunError("its rank or type is not known")
    shape = [n if isinstance(n, int) else OPEN for n in known.shape]
    if prod(shape) > MOST_ELEMENTS:
        raise NotRunError(f"its shape is {known.text()}")
    return random_array(random, known.dtype, shape)


def _array(known: Known | None, held: Held) -> Any:
    """The value of an input: captured, or what the model holds."""
    if known is None:
        return None
    if known.name in held:
        return held[known.name]
    try:
        return values(known)
    except (ValueError, ModelError) as error:
        raise NotRunError(first_line(error)) from None


def _absent(node: Node) -> str:
    place = node.scope[-1] if node.scope else ""
    if place.endswith(FUNCTION):
        return "it lies in a function"
    if place.startswith("If "):
        return "its branch is not taken"
    if place:
        return "it lies in a loop"
    return "its values were not captured"
