"""A chain as one web page that needs nothing else: no server, no network.

Without its script the page is a static picture; with it, cells answer the pointer and
the keyboard, parameters can be changed, and calls copied.

>>> from restride.layout import Chain
>>> chain = Chain.identity((3,)).pad(((1, 1),), "edge")
>>> page([], chain).count("<script>")
1
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from secrets import token_hex
from string import Template
from typing import Any

from restride.explain.panels import Room
from restride.explain.scene import DType
from restride.explain.subject import Reading
from restride.explain.telling import (
    MOST_LABEL,
    MOST_STEPS,
    MOST_TEXT,
    Told,
    stands_on,
    words,
)
from restride.explain.web.assets import (
    embedded_json,
    policy,
    read,
    script,
    style,
    table_style,
)
from restride.explain.web.live import live
from restride.explain.web.tables import cell_count, numbers_in, tables
from restride.layout.chain import Chain

__all__ = ["Told", "assets", "fragment", "notebook", "page"]

MOST_CELLS = 600
"""Cells written as plain HTML in one picture: what keeps a long chain's page small."""

SMALL = Room(rows=8, columns=12, planes=2)
"""What a notebook shows of each array."""


def page(
    steps: Sequence[Told],
    chain: Chain | None = None,
    dtype: DType | None = None,
    title: str | None = None,
) -> str:
    """A whole web page about `steps`, or about `chain` where no step is known.

    Parameters
    ----------
    steps : sequence of Told
        In the order they run; each reads the result of the one before.
    chain : Chain, optional
        All steps as one, where that is one chain.
    dtype : dtype, optional
        With it, bytes are told.
    title : str, optional
        Of the page; by default the shapes.
    """
    said = title or f"restride: {_shapes(steps, chain)}"
    return Template(read("page.html")).substitute(
        policy=escape(policy(), quote=True),
        title=escape(said[:MOST_LABEL], quote=True),
        style=style(),
        script=script(),
        picture=fragment(steps, chain, dtype),
    )


def fragment(
    steps: Sequence[Told],
    chain: Chain | None = None,
    dtype: DType | None = None,
) -> str:
    """One picture to be put into a page that holds :func:`assets` once.

    Parameters
    ----------
    steps, chain, dtype
        As of :func:`page`.
    """
    whole = None if chain is None else Reading(chain, dtype)
    parts = "".join(_static(steps, whole))
    data = live(steps, whole)
    mark, held = "", ""
    if data is not None:
        mark = " data-restride-picture"
        held = f'<script type="application/json">{embedded_json(data)}</script>'
    still = f'<div class="rs-static">{parts}</div>'
    return f'<section class="restride"{mark}>{still}{held}</section>'


def assets() -> str:
    """The style and the script that all pictures of a page share."""
    return f"<style>{style()}</style>\n<script>{script()}</script>"


def notebook(chain: Chain, dtype: DType | None = None, heading: str = "") -> str:
    """A small picture without a script: cells light their kin by style alone."""
    name = f"restride-{token_hex(6)}"
    whole = Reading(chain, dtype)
    drawn = whole.panels(SMALL)
    said = escape(words(whole), quote=True)
    head = f"<p><code>{escape(heading, quote=True)}</code></p>" if heading else ""
    return (
        f'<div class="restride" id="{name}"><style>{_small_style(name, drawn)}</style>'
        f"{head}{tables(drawn, chain.source_shape, keyed=True)}"
        f"<details><summary>{_summary(chain)}</summary>"
        f"<pre>{said}</pre></details></div>"
    )


def _small_style(name: str, drawn: Sequence[dict[str, Any]]) -> str:
    """The style of tables, and for each source element a rule that lights its kin."""
    rules = [
        f"#{name}:has(.k{key}:hover) .k{key}{{outline:3px solid}}"
        for key in numbers_in(drawn)
    ]
    return "\n".join([table_style(), *rules])


def _summary(chain: Chain) -> str:
    cuts = f"{chain.cuts} cut{'' if chain.cuts == 1 else 's'}"
    return f"{chain.source_shape} to {chain.shape}, {cuts}"


# ---------------------------------------------------------------- what stands still


def _static(steps: Sequence[Told], whole: Reading | None) -> Iterator[str]:
    """Each step, then all together, in words and tables while there is room."""
    left, room = MOST_CELLS, MOST_TEXT
    parts = list(steps[:MOST_STEPS])
    if whole is not None and len(steps) != 1:
        parts.append(Told("all together" if steps else "", whole, None))
    for number, step in enumerate(parts, start=1):
        panels = step.subject.panels()
        drawn, said = "", words(step.subject)[: max(room, 0)]
        if cell_count(panels) <= left:
            left -= cell_count(panels)
            drawn = tables(panels, step.subject.source_shape)
        room -= len(said)
        heading = step.label if number > len(steps) else f"{number}. {step.label}"
        yield _section(heading[:MOST_LABEL], step.note, drawn, said)
    if len(steps) > MOST_STEPS:
        yield f"<p>{len(steps)} steps in all; the first {MOST_STEPS} are shown.</p>"


def _section(heading: str, note: str, drawn: str, words: str) -> str:
    head = f"<h2>{escape(heading, quote=True)}</h2>" if heading else ""
    said = f"<p>{escape(note[:MOST_LABEL], quote=True)}</p>" if note else ""
    return f"{head}{said}{drawn}<pre>{escape(words, quote=True)}</pre>"


def _shapes(steps: Sequence[Told], chain: Chain | None) -> str:
    if chain is not None:
        return f"{chain.source_shape} to {chain.shape}"
    first, last = steps[0].subject, steps[-1].subject
    return f"{stands_on(first)} to {tuple(last.scene()['shape'])}"
