"""A plan made ready to call, and the same plan read backwards."""

from __future__ import annotations

from typing import Any

import numpy as np

from restride.arrays import as_source, as_target
from restride.engines import run as engine
from restride.engines.bind import bind
from restride.engines.known import Answer, Known
from restride.errors import DTypeError, ShapeError, UnsupportedError
from restride.layout.axis import AxisMap
from restride.layout.index_map import IndexMap
from restride.plans.move import Move
from restride.plans.plan import Plan

__all__ = ["Adjoint", "Prepared"]

Array = np.ndarray[Any, Any]


class Prepared(Known):
    """A callable plan: ``p(x, out=None)``, or ``p(dst, src)`` for a region write.

    Equal maps over equal shapes and dtypes give equal plans.  One plan may be called
    from many threads.

    Raises
    ------
    ShapeError, DTypeError, UnsupportedError
        When called: `x` or `out` is not what the plan was made for.
    """

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self._programs = engine.Programs()
        self._is_write = plan.moves[-1].target is not None
        self._second, self._out = (1, 0) if self._is_write else (0, 1)

    @property
    def moves(self) -> tuple[Move, ...]:
        """The passes made, one and one more per cut."""
        return self.plan.moves

    @property
    def cuts(self) -> int:
        """Intermediate arrays made."""
        return self.plan.cuts

    @property
    def source_shape(self) -> tuple[int, ...]:
        """Extents of the source."""
        return self.plan.source_shape

    @property
    def shape(self) -> tuple[int, ...]:
        """Extents of the result."""
        return self.plan.shape

    @property
    def dtype(self) -> Any:
        """Dtype of source and result."""
        return self.plan.dtype

    @property
    def bytes_read(self) -> int:
        """Bytes read in all moves."""
        return self.plan.bytes_read

    @property
    def bytes_written(self) -> int:
        """Bytes written in all moves."""
        return self.plan.bytes_written

    @property
    def region(self) -> IndexMap | None:
        """The cells of the destination that are written, for a region write."""
        return self.plan.moves[-1].target

    def _first(self, x: Any, out: Any = None) -> Answer:
        """Check and run; and the one program that did, if more calls may use it."""
        if self._is_write:
            return self.answer(*self._write_pair(x, out))
        return self.read(self._matching(as_source(x)), out)

    def read(self, source: Array, out: Any) -> Answer:
        """The same for a source that is checked: of the plan's shape and dtype."""
        if out is not None:
            out = as_target(out, self.plan.shape, self.plan.dtype, "out")
        return self.answer(source, out)

    def answer(self, source: Array, target: Array | None) -> Answer:
        """The same where both arrays are checked.

        Between that check and here a caller's own code may have run, such as the
        ``__index__`` of an index, and may have changed either array.  So both are
        looked at once more, as views that nobody else can change.
        """
        plan = self.plan
        own = np.ndarray.view  # whatever a subclass says of itself
        seen, cells = own(source, np.ndarray), None
        if seen.shape != plan.source_shape or seen.dtype != plan.dtype:
            raise _changed("the source", seen, plan.source_shape, plan.dtype)
        if target is not None:
            cells = own(target, np.ndarray)
            if cells.shape != plan.shape or cells.dtype != plan.dtype:
                raise _changed("the target", cells, plan.shape, plan.dtype)
            if not cells.flags.writeable:
                raise UnsupportedError("the target was made read-only during the call.")
        made, program = engine.run(plan, self._programs, seen, cells)
        if target is not None:
            made = target
        if plan.dtype.names is not None:  # bytes between fields may be another's
            return made, None, ()
        return made, program, plan.shape

    def _write_pair(self, dst: Any, src: Any) -> tuple[Array, Array]:
        plan = self.plan
        target = as_target(dst, plan.shape, plan.dtype, "dst")
        source = as_source(src, "src")
        if source.dtype != plan.dtype:
            raise _mismatch("src", source.dtype, plan.dtype)
        if source.shape != plan.source_shape:
            source = broadcast(source, plan.source_shape)
        return source, target

    def _matching(self, x: Array) -> Array:
        wanted, dtype = self.plan.source_shape, self.plan.dtype
        if x.shape != wanted:
            raise ShapeError(f"x has shape {x.shape}; this plan is for {wanted}.")
        if x.dtype != dtype:
            raise _mismatch("x", x.dtype, dtype)
        return x

    def adjoint(self) -> Adjoint:
        """The same map read backwards: gradients of results to gradients of sources."""
        return Adjoint(self.plan)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Prepared) and self.plan == other.plan

    def __hash__(self) -> int:
        return hash(self.plan)

    def __reduce__(self) -> tuple[Any, ...]:
        return Prepared, (self.plan,)

    def __repr__(self) -> str:
        cuts = f", cuts={self.cuts}" if self.cuts else ""
        return f"Plan({self.source_shape} -> {self.shape}, {self.dtype}{cuts})"


class Adjoint:
    """``source gradient[s] = sum of result gradient[r] over the r read from s``."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self._kind = accumulation(plan.dtype)

    def __call__(self, gradient: Any) -> Any:
        """The source's gradient; for a region write those of dst and src.

        Raises
        ------
        ShapeError, DTypeError
            `gradient` has not the result's shape and dtype.
        """
        given = as_source(gradient, "gradient")
        if given.shape != self.plan.shape:
            raise ShapeError(
                f"gradient has shape {given.shape}; the result has {self.plan.shape}."
            )
        if given.dtype != self.plan.dtype:
            raise _mismatch("gradient", given.dtype, self.plan.dtype)
        region = self.plan.moves[-1].target
        if region is None:
            return self._back(given, given.strides)
        kept = given.copy()
        _zero(kept, region)
        return kept, self._back(given, given.strides)

    def _back(self, given: Array, strides: tuple[int, ...]) -> Array:
        for step in reversed(self.plan.moves):
            if step.target is None:
                given = given.reshape(step.map.shape)
            given = self._one(step, given)
        return given.reshape(self.plan.source_shape).astype(self.plan.dtype, copy=False)

    def _one(self, step: Move, given: Array) -> Array:
        kind, wide = self._kind
        if given.dtype == wide:
            kind = wide.kind + str(wide.itemsize) if wide.kind == "f" else kind
        engine.check_bytes(step.map.source_shape, wide)
        total: Array = np.zeros(step.map.source_shape, wide)
        if step.map.size:
            bound = bind(step, total.itemsize, total.strides, given.strides)
            zeros = (bytes(total.itemsize),) * len(bound.fills)
            program = bound._replace(fills=zeros)  # constants have no gradient
            engine.engine().add(program, total, given, kind)
        return total


def broadcast(source: Array, shape: tuple[int, ...]) -> Array:
    """`source` as a view of `shape`, as NumPy's assignment does it."""
    spare = source.ndim - len(shape)
    if spare > 0 and source.shape[:spare] == (1,) * spare:
        source = source.reshape(source.shape[spare:])
    try:
        return np.broadcast_to(source, shape)
    except ValueError:
        raise ShapeError(
            f"src of shape {source.shape} does not broadcast to the {shape} cells "
            "written; each extent must be equal or 1: slice or reshape src."
        ) from None


def accumulation(dtype: np.dtype[Any]) -> tuple[str, Any]:
    """How gradients of `dtype` are added: the engine's word and the sum's dtype."""
    native = dtype.isnative
    if native and dtype.kind in "iu":
        return f"i{dtype.itemsize}", dtype
    if native and (dtype.kind in "fc" and dtype.itemsize in (4, 8, 16)):
        if dtype.kind == "f" and dtype.itemsize == 16:
            raise _no_gradient(dtype)
        return f"{dtype.kind}{dtype.itemsize}", dtype
    if native and dtype == np.float16:
        return "f2", np.dtype(np.float32)
    if dtype.name == "bfloat16":
        return "bf2", np.dtype(np.float32)
    if dtype.kind == "b":
        return "b1", dtype
    raise _no_gradient(dtype)


def _no_gradient(dtype: np.dtype[Any]) -> UnsupportedError:
    return UnsupportedError(
        f"gradients of dtype {dtype} cannot be added; use integers, float16, bfloat16, "
        "float32, float64, complex64 or complex128 in native byte order."
    )


def _zero(array: Array, region: IndexMap) -> None:
    """Clear the cells that were overwritten: they do not depend on dst."""
    walked = {a.source: a.map for a in region.axes if a.source is not None}
    if region.size:
        array[
            tuple(
                _span(begin, walked[s]) if s in walked else begin
                for s, begin in enumerate(region.base)
            )
        ] = 0


def _span(begin: int, axis: AxisMap) -> slice:
    end = begin + axis.extent * axis.step
    return slice(begin, None if end < 0 else end, axis.step)


def _changed(what: str, x: Array, shape: tuple[int, ...], dtype: Any) -> ShapeError:
    return ShapeError(
        f"{what} was changed during the call: its shape {shape} and dtype {dtype} are "
        f"{x.shape} and {x.dtype} now. Change arrays before a call or after it."
    )


def _mismatch(what: str, given: Any, wanted: Any) -> DTypeError:
    return DTypeError(
        f"{what} has dtype {given}; {wanted} is needed, byte order included. "
        f"Convert it with astype first."
    )
