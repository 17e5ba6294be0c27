"""Measure restride beside its peers, and write the page of a run.

python -m benchmarks                              measure, print JSON
python -m benchmarks --page docs                  measure, write docs/benchmarks.md
python -m benchmarks --page docs --from run.json  write the page of an earlier run
"""

from __future__ import annotations

import argparse
import gc
import json
import sys
from pathlib import Path
from time import monotonic
from typing import Any


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(
        "python -m benchmarks",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--group", action="append", help="default: all groups")
    parser.add_argument("--only", default="", help="cases with this in the name")
    parser.add_argument("--budget", type=float, default=0.2, help="seconds per time")
    parser.add_argument("--minutes", type=float, help="begin no case after so many")
    parser.add_argument("--most-bytes", type=float, help="memory a case may need")
    parser.add_argument("--page", type=Path, help="folder of benchmarks.md")
    parser.add_argument("--json", type=Path, help="file to keep the figures in")
    parser.add_argument("--from", dest="given", type=Path, help="figures of a run")
    parser.add_argument("--one-thread", action="store_true", help=argparse.SUPPRESS)
    return parser.parse_args()


def main() -> None:
    """Measure, or read what was measured; then print it or write its page."""
    asked = arguments()
    if asked.one_thread:  # before anything that counts processors is loaded
        from restride.bench.pinning import pin

        pin()
    if asked.given is None:
        told = measure(asked)
    else:
        told = json.loads(asked.given.read_text(encoding="utf-8"))
    keep(asked.json, told)
    if asked.page is not None:
        from benchmarks.page import write

        write(asked.page, told)
    if asked.json is None and asked.page is None:
        json.dump(told, sys.stdout, indent=1)


def measure(asked: argparse.Namespace) -> dict[str, Any]:
    """A document of the whole run, or of its part on one processor."""
    from benchmarks.peers import contenders
    from restride.bench.cases import GROUPS, cases
    from restride.bench.document import grown, measured, one_thread_added
    from restride.bench.suite import Options

    begun = monotonic()
    words: dict[str, Any] = {"budget_s": asked.budget}
    if asked.minutes is not None:
        words["deadline_s"] = asked.minutes * 60
    if asked.most_bytes is not None:
        words["most_bytes"] = int(asked.most_bytes)
    if asked.one_thread:
        words["variants"] = ("one thread",)
    options, (there, absent) = Options(**words), contenders()
    # What the libraries made while loading stays: half a million objects, which the
    # collector need not look through again before each time taken.
    gc.freeze()
    say("compared with " + ", ".join(who.name for who in there))
    if absent:
        say("not installed, so left out: " + ", ".join(absent))
    chosen = cases(tuple(asked.group or GROUPS), asked.only)
    told = measured(chosen, there, options, say)
    if asked.one_thread:
        return told
    keep(asked.json, told)
    told = one_thread_added(told, ["benchmarks", "--one-thread", *again_of(asked)], say)
    keep(asked.json, told)
    told |= grown(options, say)
    return {**told, "minutes": round((monotonic() - begun) / 60, 1)}


def keep(path: Path | None, told: dict[str, Any]) -> None:
    """Write what was measured so far: a run takes half an hour."""
    if path is not None:
        path.write_text(json.dumps(told, indent=1), encoding="utf-8")


def again_of(asked: argparse.Namespace) -> list[str]:
    """The options that say which cases, for how long and how large."""
    words = ["--only", asked.only, "--budget", str(asked.budget)]
    words += [word for name in asked.group or () for word in ("--group", name)]
    for name in ("minutes", "most_bytes"):
        value = getattr(asked, name)
        words += [] if value is None else [f"--{name.replace('_', '-')}", str(value)]
    return words


def say(text: str) -> None:
    """Progress, for whoever waits."""
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
