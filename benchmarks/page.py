"""docs/benchmarks.md and its picture, from the document of a run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from benchmarks.sums import short, slower, wins
from benchmarks.tables import calls, group, growth, left_out, memory
from restride.bench.document import rows_of
from restride.bench.picture import roofline

__all__ = ["page", "write"]

PICTURE = Path("pictures") / "roofline.svg"

INTRODUCTION = """\
# Benchmarks

restride beside NumPy and the frameworks installed here, and beside a plain copy of the
same bytes. Written by `make bench` from one run; no figure is typed by hand.
[performance](performance.md) says how the speed is reached, and what is still slow.
"""

IN_SHORT = """\
## In short

*vs*: how many times as long the fastest peer takes; above 1, restride is faster.
*slower*: cases in which a peer is faster by more than two runs of the same call differ.
*of*: the time of a plain copy over restride's; 1 means that no copy is faster. Means
are geometric.
"""

SHOWN = ("core", "sizes", "vendor")
"""Groups in the picture.  The others vary one thing at one size: their dots would lie
on each other."""

UNDER_PICTURE = """\
![Bytes per second of restride and of its fastest peer, below a plain copy]({picture})

A pair of dots joined by a line is a case of the groups core, vendor and sizes.
"""

VARIANTS = """\
## What is measured

- *fresh*: into a new result, let go before the next call. restride's comes from its
  pool of buffers, the peers' mostly from the system.
- *out*: into the caller's array, where a contender can.
- *no pool*: restride with its pool off, against the peers' *fresh*.
- *kept*: {kept} results in a row, all kept alive, then all let go and the same again.
- *one thread*: the whole process held to one processor, as `taskset -c 0` does, the
  plain copy too.

A region write is in place, so that only *fresh* and *one thread* are asked of it.
"""

CASES = """\
## Every case

*copy* is the plain copy's time, the fastest peer's stands in bold. Below each group the
same cases are repeated: restride's time, and in brackets *vs*.
"""

ABOUTS = {
    "core": "Slices, strides, pads, a region write and a chain, of usual sizes.",
    "small": "Calls on 3x3 arrays, where only the cost of a call shows.",
    "vendor": "Region writes of shapes that vendors publish figures for.",
    "dtypes": "Elements of 1 to 16 bytes, 32 MiB each.",
    "ranks": "Ranks 1 to 8, about 32 MiB of float32 each.",
    "modes": "Every mode of padding, narrow, wide and on one side only.",
    "odd": "Extents that are prime: no row begins where a cache line does.",
    "unaligned": "A source that begins one byte past an aligned address.",
    "sizes": "4 KiB to 4 GiB of float32.",
}

METHOD = """\
## How it was measured

- Every contender gets a contiguous array of its own kind and hands back a finished,
  contiguous result, which is compared with NumPy's, bit for bit, before it is timed.
  One that differs, or is refused, is left out and named.
- A time is that of the fastest call of many within {budget} s, after warm-up, or of the
  fastest mean of a batch where a call takes less than 50 us. Letting go of a result is
  not part of it. At least five calls are made; three in all of a call of more than a
  second, or of a peer that takes more than three times as long as the fastest peer.
- Of such a peer *kept* keeps 8 results where {kept} would take more than a second: its
  figure cannot be the fastest, which alone is shown.
- The plain copy is the fastest of NumPy's, torch's and restride's, in the same process,
  of half as many bytes as the case must touch: the cache lines of the source that it
  reads, and the bytes it writes. It can be beaten where the bytes stay in a cache.
- Before results are kept, as much memory is touched and let go, and the best of two
  rounds or more counts: a virtual machine's host takes free memory back every few
  seconds, and who meets such memory would pay for it.
- A case that needs more than {most:.1f} GB of memory is left out; so are TensorFlow and
  JAX, which hold a copy of the source and results in between, where that is too much.
"""


def write(folder: Path, told: dict[str, Any]) -> None:
    """Write the page and its picture into a folder of documents."""
    (folder / PICTURE).parent.mkdir(parents=True, exist_ok=True)
    title = f"{told['machine']['processor']}, {told['date']}"
    rows = [row for row in rows_of(told) if row.group in SHOWN]
    (folder / PICTURE).write_text(roofline(rows, title), encoding="utf-8")
    (folder / "benchmarks.md").write_text(page(told), encoding="utf-8")


def page(told: dict[str, Any]) -> str:
    """The whole page."""
    rows = rows_of(told)
    words = {
        "budget": told["budget_s"],
        "kept": told["kept_results"],
        "most": told["most_bytes"] / 1e9,
    }
    parts = [INTRODUCTION, *_where(told), IN_SHORT, *short(rows)]
    parts += [UNDER_PICTURE.format(picture=PICTURE), VARIANTS.format(**words)]
    parts += wins(rows) + slower(rows) + [CASES]
    for name in dict.fromkeys(row.group for row in rows):
        parts += group(name, ABOUTS[name], [r for r in rows if r.group == name])
    parts += growth(told.get("growth", {})) + calls(told.get("overhead", {}))
    parts += memory(rows) + left_out(told["left_out"], rows)
    return "\n".join([*parts, METHOD.format(**words)])


def _where(told: dict[str, Any]) -> list[str]:
    """The machine, the libraries and the run."""
    m, minutes = told["machine"], told["minutes"]
    caches = ", ".join(f"{level} {size}" for level, size in m["caches"].items())
    versions = ", ".join(f"{name} {v}" for name, v in told["versions"].items())
    huge = m["huge_pages"].partition("[")[2].partition("]")[0] or "unknown"
    lines = [
        ("date", f"{told['date']}, a run of {minutes:.0f} minutes"),
        ("load", f"{told['load_before']:.2f} when the run began"),
        ("processor", f"{m['processor']}, {m['processors_allowed']} in use; {caches}"),
        ("memory", f"{m['memory_bytes'] / 1e9:.0f} GB; transparent huge pages: {huge}"),
        ("system", m["system"]),
        ("libraries", versions),
    ]
    return ["", "| | |", "|---|---|", *(f"| {a} | {b} |" for a, b in lines), ""]
