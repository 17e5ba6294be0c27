"""The operators as words on the command line; each becomes a step of the chain."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import click
from click.core import ParameterSource

from restride.cli.once import OnceCommand
from restride.cli.values import constants, integers, numbers
from restride.cli.values import shape as parse_shape

__all__ = ["OPERATORS", "LazyStep", "Step", "WriteStep"]


@dataclass(frozen=True)
class LazyStep:
    """A step that joins the chain: a view in, a view out."""

    text: str
    """As it could be typed again."""
    apply: Callable[[Any], Any]
    masks: Any = None
    """The StridedSlice it was given as, whose masks are worth telling."""


@dataclass(frozen=True)
class WriteStep:
    """A region write: it needs the result so far in memory."""

    text: str
    source: str
    """File that holds what is written."""
    starts: tuple[int, ...]
    ends: tuple[int, ...]
    strides: tuple[int, ...] | None
    strict: bool = False


Step = LazyStep | WriteStep

HELP = {"help_option_names": ["-h", "--help"]}

strict_option = click.option(
    "--strict", is_flag=True, help="Only what the operator's document allows."
)


def _text() -> str:
    """The operator being parsed, as it could be typed again."""
    ctx = click.get_current_context()
    words = [str(ctx.info_name)]
    for p in sorted(ctx.command.params, key=lambda p: isinstance(p, click.Option)):
        if ctx.get_parameter_source(str(p.name)) is not ParameterSource.COMMANDLINE:
            continue
        words += [max(p.opts, key=len)] if isinstance(p, click.Option) else []
        if not (isinstance(p, click.Option) and p.is_flag):
            words.append(str(ctx.params[str(p.name)]))
    return shlex.join(words)


def _lazy(apply: Callable[[Any], Any]) -> Step:
    return LazyStep(_text(), apply)


def _few(text: str | None, name: str, default: Any = None) -> Any:
    """One integer as an int, several as a tuple."""
    if text is None:
        return default
    found = integers(text, name)
    return found[0] if len(found) == 1 and "," not in text else found


def _operator(name: str, short_help: str) -> Callable[..., OnceCommand]:
    """Make a function the command of an operator."""
    return click.command(
        name, cls=OnceCommand, short_help=short_help, context_settings=HELP
    )


@_operator("slice", "A slice, as in '::2, ::-1'.")
@click.argument("index", metavar="INDEX")
def slice_(index: str) -> Step:
    """Take INDEX, e.g. '::2, ::-1' or '..., 0' or '1, None, -3:'."""
    return _lazy(lambda v: v[index])


@_operator("strided-slice", "A slice in TensorFlow's encoding.")
@click.option("--begin", required=True, metavar="INTS", help="First, per entry.")
@click.option("--end", required=True, metavar="INTS", help="One past the last.")
@click.option("--strides", metavar="INTS", help="Steps; default all 1.")
@click.option("--begin-mask", type=int, default=0, help="Bit i: ignore begin[i].")
@click.option("--end-mask", type=int, default=0, help="Bit i: ignore end[i].")
@click.option("--ellipsis-mask", type=int, default=0, help="Bit i: entry i is '...'.")
@click.option("--new-axis-mask", type=int, default=0, help="Bit i: entry i is None.")
@click.option("--shrink-axis-mask", type=int, default=0, help="Bit i: drop the axis.")
def strided_slice(
    begin: str,
    end: str,
    strides: str | None,
    begin_mask: int,
    end_mask: int,
    ellipsis_mask: int,
    new_axis_mask: int,
    shrink_axis_mask: int,
) -> Step:
    """Slice in TensorFlow's encoding: lists and five masks."""
    import restride as rs

    spec = rs.StridedSlice(
        integers(begin, "--begin"),
        integers(end, "--end"),
        None if strides is None else integers(strides, "--strides"),
        begin_mask,
        end_mask,
        ellipsis_mask,
        new_axis_mask,
        shrink_axis_mask,
    )
    return LazyStep(_text(), lambda v: v[spec.decode()], spec)


@_operator("pad", "Extend or crop each axis, in five modes.")
@click.argument("width", metavar="WIDTH")
@click.option(
    "--mode",
    default="constant",
    metavar="MODE",
    help="constant, edge, reflect, symmetric or wrap.",
)
@click.option(
    "--value",
    metavar="VALUE",
    help="Constant: one, a pair, a pair per axis, or for 3 axes or more one per axis; "
    "default 0.",
)
@click.option("--axes", metavar="INTS", help="Axes that WIDTH and VALUE speak of.")
@click.option(
    "--paddings-not-contiguous", is_flag=True, help="WIDTH is [befores, afters]."
)
@strict_option
def pad(
    width: str,
    mode: str,
    value: str | None,
    axes: str | None,
    paddings_not_contiguous: bool,
    strict: bool,
) -> Step:
    """Extend each axis by WIDTH: 32, or 1,2 or [[1,2],[0,0]]; negative crops."""
    if value is not None and mode != "constant":
        raise click.UsageError(
            f"pad: --value {value} is for --mode constant, and the mode is {mode}; "
            "leave out one or the other."
        )
    words = {
        "constant_values": constants("0" if value is None else value, "--value"),
        "axes": _few(axes, "--axes"),
        "paddings_contiguous": not paddings_not_contiguous,
        "strict": strict,
    }
    widths = numbers(width, "WIDTH")
    return _lazy(lambda v: v.pad(widths, mode, **words))


@_operator("as-strided", "Any strides over the row-major elements.")
@click.option("--size", required=True, metavar="INTS", help="Shape of the result.")
@click.option("--stride", required=True, metavar="INTS", help="Elements per step.")
@click.option("--offset", default=0, metavar="INT", help="First element; default 0.")
@strict_option
def as_strided(size: str, stride: str, offset: int, strict: bool) -> Step:
    """Read the row-major elements with any strides, never outside."""
    sizes, strides = integers(size, "--size"), integers(stride, "--stride")
    return _lazy(lambda v: v.as_strided(sizes, strides, offset, strict=strict))


@_operator("set-value", "Write a file's array into a region; a cut unless last.")
@click.argument("source", metavar="SRC")
@click.option("--starts", required=True, metavar="INTS", help="First cell per axis.")
@click.option("--ends", required=True, metavar="INTS", help="One past the last cell.")
@click.option("--strides", metavar="INTS", help="Steps; default all 1.")
@strict_option
def set_value(
    source: str, starts: str, ends: str, strides: str | None, strict: bool
) -> Step:
    """Write the array in file SRC into a region; a cut unless last."""
    return WriteStep(
        _text(),
        source,
        integers(starts, "--starts"),
        integers(ends, "--ends"),
        None if strides is None else integers(strides, "--strides"),
        strict,
    )


@_operator("transpose", "Reorder axes.")
@click.argument("axes", metavar="AXES")
def transpose(axes: str) -> Step:
    """Reorder axes, e.g. 2,0,1."""
    order = integers(axes, "AXES")
    return _lazy(lambda v: v.transpose(order))


@_operator("windows", "Sliding windows; their axes come last.")
@click.argument("size", metavar="SIZE")
@click.option("--step", metavar="INTS", help="Elements between windows; default 1.")
@click.option("--dilation", metavar="INTS", help="Elements apart in a window.")
@click.option("--axis", metavar="INTS", help="Axes that slide; default all.")
def windows(
    size: str, step: str | None, dilation: str | None, axis: str | None
) -> Step:
    """Sliding windows of SIZE, e.g. 3,3; the window axes come last."""
    sizes = _few(size, "SIZE")
    steps, dilations = _few(step, "--step", 1), _few(dilation, "--dilation", 1)
    axes = _few(axis, "--axis")
    return _lazy(lambda v: v.windows(sizes, steps, dilations, axis=axes))


@_operator("flip", "Reverse axes.")
@click.argument("axes", metavar="AXES")
def flip(axes: str) -> Step:
    """Reverse axes, e.g. 0,1."""
    chosen = integers(axes, "AXES")
    return _lazy(lambda v: v.flip(chosen))


@_operator("reshape", "The same elements in other extents.")
@click.argument("extents", metavar="SHAPE")
def reshape(extents: str) -> Step:
    """The same elements in other extents; one may be -1."""
    wanted = integers(extents, "SHAPE")
    return _lazy(lambda v: v.reshape(wanted))


@_operator("broadcast", "Repeat axes of extent 1.")
@click.argument("extents", metavar="SHAPE")
def broadcast(extents: str) -> Step:
    """Repeat axes of extent 1 and add leading axes."""
    wanted = parse_shape(extents, "SHAPE")
    return _lazy(lambda v: v.broadcast_to(wanted))


OPERATORS: tuple[click.Command, ...] = (
    slice_,
    pad,
    as_strided,
    set_value,
    strided_slice,
    transpose,
    flip,
    reshape,
    broadcast,
    windows,
)
"""In the order help lists them."""
