"""Tables run case by case: made data in, the dialect's answer out, compared."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from restride.checks import as_index
from restride.conform.answer import Answer
from restride.conform.case import Case
from restride.conform.errors import CaseError, NotRunError
from restride.conform.fields import shown
from restride.conform.golden import GoldenWriter
from restride.conform.judging import Judged, judge
from restride.conform.operators import VENDOR
from restride.conform.report import Report, Result
from restride.conform.selecting import other_product, product_for, product_named
from restride.conform.speakers import speak
from restride.conform.tables import Entry, Unreadable, read_table
from restride.conform.values import can_hold, values_of
from restride.errors import ShapeError
from restride.targets import Product

__all__ = ["run"]

Array = np.ndarray[Any, Any]
Name = str | PathLike[str]

SHAPE_ONLY = "shape_only"
"""Tag of cases whose data is too large to run."""


def run(
    files: Name | Iterable[Name],
    *,
    product: str | Product | None = None,
    golden: Name | None = None,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> Report:
    """Run tables of cases through the dialects and compare what comes out.

    Parameters
    ----------
    files : path or sequence of paths
        JSON tables of ATB, CANN or TensorFlow cases, or ATB's tables with bars.
    product : str or Product, optional
        Run for this product, and leave out cases for others.  By any name that
        `restride.targets` knows, or as the tables write a chip.  None: for the chip
        that a case names; ATB cases that name none run for Atlas A2.
    golden : path, optional
        Folder to write each passing case's inputs and outputs into.
    seed : int
        Of the values that a table leaves open; 0 or more.
    progress : callable, optional
        Called with the number of cases done and of all cases.

    Raises
    ------
    TableError
        A file cannot be read as a table; nothing was run.
    UnknownNameError
        `product` is no product.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> rows = '''OpName|OpParam|InDType|InShape|ExpectedError
    ... AsStridedOperation|{"size":[2],"stride":[3],"offset":[0]}|int64|2,3|NO_ERROR
    ... AsStridedOperation|{"size":[2],"stride":[9],"offset":[0]}|int64|2,3|NO_ERROR'''
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     table = pathlib.Path(folder, "mine.csv")
    ...     _ = table.write_text(rows)
    ...     report = run(table)
    >>> print(report.summary(), report.mismatches[0].got, sep="; ")
    1 passed, 1 failed, 0 skipped; infer_shape:ERROR_INVALID_PARAM
    """
    paths = [files] if isinstance(files, str | PathLike) else list(files)
    asked = None if product is None else product_named(product)
    if as_index(seed, "seed") < 0:
        raise ShapeError(f"seed = {seed} is negative; give 0 or more.")
    if golden is not None and not str(golden):
        raise ShapeError("golden = '' names no directory; give one, . for this one.")
    entries = [entry for path in paths for entry in read_table(Path(path))]
    writer = None if golden is None else GoldenWriter(Path(golden), seed)
    results = []
    for done, entry in enumerate(entries):
        if progress is not None:
            progress(done, len(entries))
        results.append(_result(entry, asked, writer, seed))
    return Report(tuple(results))


def _result(
    entry: Entry, asked: Product | None, writer: GoldenWriter | None, seed: int
) -> Result:
    """One case, whatever happens in it."""
    place = (entry.table, entry.where, entry.name)
    if isinstance(entry, Unreadable):
        why = f"cannot be read: {entry.why}"
        return Result(*place, "", "failed", why=why)
    try:
        target, answer, judged = _run(entry, asked, writer, seed)
    except NotRunError as error:
        return Result(*place, entry.op, "skipped", why=str(error))
    except CaseError as error:
        why = f"cannot be read: {error}"
        return Result(*place, entry.op, "failed", why=why)
    except MemoryError:
        return Result(*place, entry.op, "skipped", why="not enough memory")
    except OSError:
        raise  # the golden folder, which no further case would find in order
    except Exception as error:  # a thousand other cases are still worth running
        why = f"a fault in restride: {type(error).__name__}: {error}"
        return Result(*place, entry.op, "failed", why=why)
    return Result(
        *place,
        entry.op,
        "failed" if judged.why else "passed",
        "" if judged.why else judged.checked,
        str(entry.expect),
        str(answer),
        judged.why,
        "" if target is None else target.key,
    )


def _run(
    case: Case, asked: Product | None, writer: GoldenWriter | None, seed: int
) -> tuple[Product | None, Answer, Judged]:
    if not case.dialect:
        raise NotRunError(f"operator {shown(case.op)} is in no dialect")
    inputs = _inputs(case, seed)
    found = _put(case, inputs, product_for(case, asked))
    other = other_product(case, asked)
    if found[2].why and other is not None:
        again = _put(case, inputs, other)
        found = found if again[2].why else again
    if writer is not None and not found[2].why:
        writer.write(case, inputs, found[1])
    return found


def _put(
    case: Case, inputs: tuple[Array | None, ...], target: Product | None
) -> tuple[Product | None, Answer, Judged]:
    answer = speak(case, inputs, target)
    return target, answer, judge(case, inputs, answer)


def _inputs(case: Case, seed: int) -> tuple[Array | None, ...]:
    """Each input's values; None where it is absent, too large or cannot be held."""
    held = [can_hold(spec) for spec in case.outputs or () if spec is not None]
    fits = SHAPE_ONLY not in case.tags and all(held)
    return tuple(
        values_of(spec, seed, case.name, k)
        if spec is not None and can_hold(spec) and _has_values(case, k, fits)
        else None
        for k, spec in enumerate(case.inputs)
    )


def _has_values(case: Case, k: int, fits: bool) -> bool:
    """Whether the table gives the values, or they may be made.

    Those that decide what the case is are never made up; an empty tensor has all.
    """
    spec = case.inputs[k]
    if spec is None or spec.data is not None:
        return spec is not None
    deciding = VENDOR[case.op].deciding if case.dialect != "tensorflow" else ()
    return fits and (k not in deciding or 0 in spec.shape)
