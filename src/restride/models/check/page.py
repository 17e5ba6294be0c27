"""A report as one HTML page: a table that needs no script, no network and no colour.

Answers are told by words, and by colours that stay apart for the colour-blind; the
table has a caption, heads and a summary, so that it can be listened to.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import TYPE_CHECKING

from restride.models.answers import Answer, Checked

if TYPE_CHECKING:
    from restride.models.check.report import Report

__all__ = ["page"]

STYLE = """
:root { color-scheme: light dark; --line: #8888; --soft: #8881; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 80rem;
  padding: 0 1rem; }
h1 { font-size: 1.4rem; overflow-wrap: anywhere; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem; }
dd { margin: 0; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
caption { text-align: left; padding: .5rem 0; }
th, td { border-top: 1px solid var(--line); padding: .5rem; text-align: left;
  vertical-align: top; overflow-wrap: anywhere; }
td:nth-child(3), td:nth-child(4) { min-width: 9rem; }
th { min-width: 11rem; }
td:last-child { min-width: 18rem; }
th:first-child, td:first-child { min-width: 0; white-space: nowrap; }
thead th { background: var(--soft); }
tbody th { font-weight: 600; }
code, pre { font: 13px/1.4 ui-monospace, monospace; white-space: pre-wrap; }
.mark { border: 2px solid; border-radius: .3rem; padding: .1rem .4rem;
  white-space: nowrap; font-weight: 600; }
.fast { color: #0072b2; } .slow { color: #b35900; } .refused { color: #b0004e; }
.cannot { color: #666; }
@media (prefers-color-scheme: dark) { .fast { color: #56b4e9; }
  .slow { color: #e69f00; } .refused { color: #ff7ab0; } .cannot { color: #bbb; } }
p { margin: .2rem 0; }
.source { font-size: .85rem; }
"""

HEADS = ("Answer", "Node", "Parameters", "Types and shapes", "Rule and source")


def page(report: Report) -> str:
    """The page.

    Examples
    --------
    >>> from restride.models.check.report import Report
    >>> from restride.models.check.targets import target_named
    >>> "<table>" in page(Report("a<b", "onnx", target_named("A2"), (), 0))
    True
    """
    return "".join(_parts(report))


def _parts(report: Report) -> Iterator[str]:
    title = f"{report.model} for {report.target.title}"
    yield '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
    yield f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
    yield f"<main>\n<h1>{escape(title)}</h1>\n<dl>\n"
    yield f"<dt>nodes</dt><dd>{report.total}</dd>\n"
    yield f"<dt>move elements</dt><dd>{len(report.nodes)}</dd>\n"
    for answer, count in report.counts.items():
        yield f"<dt>{_mark(answer)}</dt><dd>{count}</dd>\n"
    yield "</dl>\n"
    if report.note:
        yield f"<p>{escape(report.note)}</p>\n"
    yield '<div class="wide" tabindex="0" role="region" aria-label="Nodes">\n'
    yield "<table>\n<caption>Every node that moves elements, in the model's order"
    yield "</caption>\n<thead><tr>"
    yield "".join(f'<th scope="col">{head}</th>' for head in HEADS)
    yield "</tr></thead>\n<tbody>\n"
    for checked in report.nodes:
        yield from _row(checked)
    yield "</tbody>\n</table>\n</div>\n</main>\n</body>\n</html>\n"


def _row(checked: Checked) -> Iterator[str]:
    from restride.models.check.report import parameters, types

    node = checked.node
    yield f"<tr><td>{_mark(checked.answer.answer)}</td>"
    yield f'<th scope="row">{escape(node.op)}<br><code>{escape(node.where)}</code></th>'
    told = parameters(checked).split("; ")
    yield f"<td>{'<br>'.join(f'<code>{escape(line)}</code>' for line in told)}</td>"
    yield f"<td>{escape(types(checked))}</td><td>{_rule(checked.answer)}"
    for other in checked.answer.others:
        yield f"<details><summary>{escape(other.by)}: {escape(other.answer)}</summary>"
        yield f"{_rule(other)}</details>"
    yield "</td></tr>\n"


def _rule(answer: Answer) -> str:
    by = f"<strong>{escape(answer.by)}</strong> " if answer.by else ""
    parts = [f"<p>{by}{escape(answer.rule)}</p>"]
    if answer.rewrite:
        parts.append(f"<p>Instead: {escape(answer.rewrite)}</p>")
    if answer.words:
        parts.append(f"<pre>{escape(answer.words)}</pre>")
    if answer.source:
        seen = f", seen {escape(answer.seen)}" if answer.seen else ""
        parts.append(f'<p class="source">{escape(answer.source)}{seen}</p>')
    return "".join(parts)


def _mark(answer: str) -> str:
    kind = answer.split()[0]
    return f'<span class="mark {kind}">{escape(answer)}</span>'
