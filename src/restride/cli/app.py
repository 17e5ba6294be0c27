"""The commands: run, explain, encode, decode, targets, conform, check, optimize
and bench.

What a command needs is imported when it runs, so that ``--version`` and ``--help``
load no NumPy.
"""

from __future__ import annotations

from typing import Any

import click

from restride import __version__
from restride.cli.arguments import ChainGroup, OptionalInputGroup, OrderedGroup
from restride.cli.show import emit
from restride.cli.steps import HELP, OPERATORS, Step

__all__ = ["app"]

EXAMPLES = """\b
Examples:
  restride run photo.png slice ::2,::-1 pad 32 --axes 0,1 --mode reflect -o out.png
  restride run a.npy transpose 2,0,1 windows 3,3 --axis 1,2 -o patches.npy
  restride explain --shape 3,4 pad 1,2 --mode reflect slice '::-1'
  restride encode "foo[1, 2:4, None, ..., :-3:-1, :]" --shape 5,5,5,5,5,5

Files: .npy, .npz (write file.npz:name), .zarr (or store.zarr/name), raw .bin (with
--dtype and --shape) and pictures (with Pillow)."""

CHAIN_HELP = """Operators are applied in the order written, as one pass over the data.
'restride {name} OPERATOR --help' tells the options of one."""


def _version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted:
        emit(f"restride {__version__}")
        ctx.exit()


@click.group(
    cls=OrderedGroup,
    context_settings=HELP,
    epilog=EXAMPLES,
    no_args_is_help=False,
    invoke_without_command=True,
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_version,
    help="Show the version and stop.",
)
@click.pass_context
def app(ctx: click.Context) -> None:
    """Move tensor elements exactly, safely and fast: slices, pads, views, writes."""
    if ctx.invoked_subcommand is None:
        emit(ctx.get_help())


RAW_DTYPE = click.option(
    "--dtype", metavar="DTYPE", help="Of raw .bin data, or of .npy data without a name."
)
RAW_SHAPE = click.option(
    "--shape", metavar="INTS", help="Of raw .bin data, e.g. 512,512,3."
)
PICTURE = click.option(
    "--picture", metavar="FILE", help="Also draw it, as .svg or .png."
)
VERBOSE = click.option(
    "--verbose", is_flag=True, expose_value=False, help="Draw under an error, too."
)
JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON for machines.")


@app.group(
    "run",
    short_help="Apply operators to a file and write the result.",
    cls=ChainGroup,
    chain=True,
    invoke_without_command=True,
    context_settings=HELP,
    epilog=CHAIN_HELP.format(name="run"),
)
@click.argument("source", metavar="INPUT")
@click.option("-o", "--output", metavar="OUTPUT", help="File to write.")
@click.option("--dry-run", is_flag=True, help="Show shapes, bytes and plan; no data.")
@RAW_DTYPE
@RAW_SHAPE
@PICTURE
@click.option(
    "--max-bytes",
    metavar="BYTES",
    help="Work in blocks, e.g. 256MB of them in memory at a time.",
)
@click.option(
    "--resume", is_flag=True, help="Go on where an earlier run to a .zarr ended."
)
@click.option(
    "--chunks", metavar="INTS", help="Of a .zarr written, in elements, e.g. 512,512."
)
@click.option(
    "--shards", metavar="INTS", help="Of a .zarr: one file each, multiples of chunks."
)
@click.option(
    "--compressor",
    metavar="NAME[:LEVEL]",
    help="Of a .zarr: none, zstd, gzip or blosc; default as the source.",
)
@VERBOSE
@JSON
def run(**_: Any) -> None:
    """Apply operators to INPUT and write the result to OUTPUT."""


@run.result_callback()
def _run(steps: list[Step], **given: Any) -> None:
    from restride.cli import running

    running.run(steps, **given)


@app.group(
    "explain",
    short_help="Say what operators do; no data moves.",
    cls=OptionalInputGroup,
    chain=True,
    invoke_without_command=True,
    context_settings=HELP,
    epilog=CHAIN_HELP.format(name="explain"),
)
@click.argument("source", metavar="INPUT")
@click.option("--dtype", metavar="DTYPE", help="With --shape; default float32.")
@click.option("--shape", metavar="INTS", help="Instead of INPUT, e.g. 3,4.")
@click.option(
    "--max-bytes",
    metavar="BYTES",
    help="Also what a run in blocks costs, e.g. 256MB of them in memory at a time.",
)
@PICTURE
@click.option("--html", metavar="FILE", help="Also as a web page to try things out on.")
@VERBOSE
@JSON
def explain(**_: Any) -> None:
    """Say what operators do to INPUT, or to an array of --shape, and move nothing."""


@explain.result_callback()
def _explain(steps: list[Step], **given: Any) -> None:
    from restride.cli import running

    running.explain(steps, **given)


for _operator in OPERATORS:
    run.add_command(_operator)
    explain.add_command(_operator)


@app.command(
    "encode",
    short_help="Index text to lists and five masks.",
    context_settings={**HELP, "ignore_unknown_options": True},
)
@click.argument("index", metavar="INDEX")
@click.option("--shape", metavar="INTS", help="Shape of the array, e.g. 5,5,5.")
@JSON
def encode(index: str, shape: str | None, as_json: bool) -> None:
    """Turn INDEX, as in "foo[1, 2:4, None, ...]", into lists and five masks."""
    from restride.cli import encoding

    encoding.encode(index, shape, as_json)


@app.command(
    "decode",
    short_help="Lists and five masks to index text.",
    context_settings=HELP,
)
@click.option("--begin", required=True, metavar="INTS", help="First, per entry.")
@click.option("--end", required=True, metavar="INTS", help="One past the last.")
@click.option("--strides", metavar="INTS", help="Steps; default all 1.")
@click.option("--begin-mask", type=int, default=0, help="Bit i: ignore begin[i].")
@click.option("--end-mask", type=int, default=0, help="Bit i: ignore end[i].")
@click.option("--ellipsis-mask", type=int, default=0, help="Bit i: entry i is '...'.")
@click.option("--new-axis-mask", type=int, default=0, help="Bit i: entry i is None.")
@click.option("--shrink-axis-mask", type=int, default=0, help="Bit i: drop the axis.")
@click.option("--shape", metavar="INTS", help="Shape of the array, e.g. 5,5,5.")
@JSON
def decode(**given: Any) -> None:
    """Turn lists and five masks back into an index text."""
    from restride.cli import encoding

    encoding.decode(**given)


@app.command(
    "translate",
    short_help="An operator's parameters in another dialect's words.",
    context_settings={**HELP, "ignore_unknown_options": True},
)
@click.argument("dialect", metavar="DIALECT")
@click.argument("operator", metavar="OPERATOR|INDEX")
@click.option(
    "--params", metavar="JSON", help="Its parameters, by that dialect's names."
)
@click.option("--to", metavar="DIALECT", help="Whose words to write; default onnx.")
@click.option("--shape", metavar="INTS", help="Of the input, e.g. 3,5.")
@click.option("--rank", type=int, help="Number of axes, where the shape is not known.")
@click.option("--opset", type=int, default=25, help="For ONNX: 1 to 25, the default.")
@click.option("--dtype", metavar="DTYPE", help="For ONNX: of a pad's constant.")
@click.option(
    "--agree", "agree_with", metavar="DIALECTS", help="Compare these, e.g. numpy,onnx."
)
@JSON
def translate(**given: Any) -> None:
    """Say what DIALECT's OPERATOR is in another dialect's words.

    An INDEX, as in numpy "x[1, ::-2, None]", needs no --params. With --agree and
    --shape: whether dialects give the same elements, and where they first differ.
    """
    from restride.cli import translating

    translating.run(**given)


@app.command(
    "targets",
    short_help="Which products and dtypes an operator takes.",
    context_settings=HELP,
)
@click.argument("operator", metavar="[OPERATOR]", required=False)
@JSON
def targets(operator: str | None, as_json: bool) -> None:
    """Say which products and dtypes OPERATOR takes, and who says so.

    Without OPERATOR: the products, their names, and the operators each has.
    """
    from restride.cli import targets as tables

    tables.show(operator, as_json)


@app.command(
    "conform",
    short_help="Run vendors' tables of test cases.",
    context_settings=HELP,
)
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option("--golden", metavar="DIR", help="Write inputs and outputs of each case.")
@click.option(
    "--product",
    metavar="NAME",
    help="Run for this product, e.g. A2. Ascend910B means A2 here, as in tables.",
)
@click.option("--seed", type=int, default=0, help="Of made data; default 0.")
@JSON
def conform(files: tuple[str, ...], **given: Any) -> None:
    """Run the cases of each FILE and print a line per mismatch, then the counts.

    A FILE is a JSON table of ATB, CANN or TensorFlow cases, or one of ATB's own tables
    with bars between the columns. The exit code is 1 where a case fails and 2 where a
    file cannot be read.
    """
    from restride.cli import conform as tables

    tables.run(files, **given)


@app.command(
    "check",
    short_help="What a target does with a model's data movement.",
    context_settings=HELP,
)
@click.argument("model", metavar="MODEL")
@click.option(
    "--target",
    metavar="PRODUCT",
    help="An Ascend product as 'restride targets' lists them (A2, Ascend310P3; aclnn:A2"
    " asks one of its doors), or onnxruntime, tensorrt, tflite or coreml. Required.",
)
@click.option("--html", metavar="FILE", help="Also write the table as a page.")
@click.option(
    "--run",
    "with_run",
    is_flag=True,
    help="Also run each node on the model's own values and compare bit for bit.",
)
@click.option(
    "--inputs", metavar="FILE", help="With --run: the model's inputs, a .npz file."
)
@JSON
def check(**given: Any) -> None:
    """Say what PRODUCT does with every node of MODEL that moves elements.

    Each is fast, on a slow path, refused, or cannot be told, with the rule and its
    source. The exit code is 1 where a node is refused and 2 where MODEL is none.

    With --run, ONNX Runtime runs MODEL, on random inputs unless --inputs gives some,
    and each node's result is compared with restride's; one that differs gives 1 too.
    """
    from restride.cli import checking

    checking.run(**given)


@app.command(
    "optimize",
    short_help="Replace a model's chains of movement by fewer nodes.",
    context_settings=HELP,
)
@click.argument("model", metavar="MODEL")
@click.option("-o", "--output", metavar="OUT", help="File to write.")
@click.option("--seed", type=int, default=0, help="Of random elements; default 0.")
@JSON
def optimize(**given: Any) -> None:
    """Replace chains of movement nodes in an ONNX MODEL by the fewest that do the same.

    A chain is replaced where that saves nodes or bytes moved and costs none of either,
    and where both give the same bits on random elements. All else stays as it is.
    Without -o nothing is written.
    """
    from restride.cli import optimizing

    optimizing.run(**given)


@app.command(
    "bench",
    short_help="Measure restride beside NumPy and beside a plain copy.",
    context_settings=HELP,
)
@click.option(
    "--group",
    "groups",
    multiple=True,
    metavar="NAME",
    help="Cases to measure: core, small, vendor (these three by default), dtypes, "
    "ranks, modes, odd, unaligned, sizes, or all. May be given again.",
)
@click.option("--only", default="", metavar="TEXT", help="Cases with TEXT in the name.")
@click.option(
    "--budget", default=0.2, metavar="SECONDS", help="For each time taken; 0.2."
)
@click.option(
    "--minutes", type=float, metavar="N", help="Begin no case after N minutes."
)
@click.option(
    "--most-bytes",
    metavar="BYTES",
    help="Leave out cases that need more memory, e.g. 12GB; 3/4 of what is free.",
)
@click.option("--list", "list_cases", is_flag=True, help="Name the cases and stop.")
@click.option("--fresh-only", is_flag=True, help="Only into fresh results.")
@click.option("--one-thread", is_flag=True, help="Only held to one processor.")
@click.option("--growth", is_flag=True, help="Also by bytes, rank and threads; calls.")
@click.option("--picture", metavar="FILE", help="Write a roofline picture (SVG).")
@click.option("--guard", metavar="FILE", help="Fail where slower than FILE allows.")
@JSON
def bench(one_thread: bool, **given: Any) -> None:
    """Measure restride beside NumPy, and beside a plain copy of the same bytes.

    Every result is compared with NumPy's, bit for bit, before it is timed.
    """
    if one_thread:  # before NumPy loads and counts the processors
        from restride.bench.pinning import pin

        pin()
    from restride.cli import bench as measuring

    measuring.bench(measuring.Asked(one_thread=one_thread, **given))
