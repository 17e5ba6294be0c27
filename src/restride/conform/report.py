"""What a run of tables found: one result a case, counted and told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any, Literal

from restride.targets import product

__all__ = ["CHECKS", "Report", "Result", "Verdict"]

Verdict = Literal["passed", "failed", "skipped"]

CHECKS = {
    "data": "by the table's data",
    "definition": "by data against the definition",
    "shape": "by shapes alone",
    "status": "by status alone",
}
"""How a case that passed was checked, from the strongest to the weakest."""


@dataclass(frozen=True, slots=True)
class Result:
    """What became of one case."""

    table: str
    where: str
    """Its place in the table, e.g. ``line 7``."""
    name: str
    op: str
    verdict: Verdict
    checked: str = ""
    """A key of `CHECKS` where it passed."""
    expected: str = ""
    """Stage and code of the table."""
    got: str = ""
    """Stage and code of the dialect."""
    why: str = ""
    """What differs, or why it was skipped."""
    product: str = ""
    """Key of the product it ran for; empty where the table names none."""

    def __str__(self) -> str:
        told = f"{self.table}, {self.where}: {self.name}: "
        if not self.got:
            return told + self.why
        why = f" ({self.why})" if self.why else ""
        if self.expected == self.got:
            return f"{told}{self.got} as expected, but {self.why}"
        return f"{told}expected {self.expected}, got {self.got}{why}"


@dataclass(frozen=True, slots=True)
class Report:
    """The results of all cases, in the order of the tables.

    Examples
    --------
    >>> one = Result("t.json", "case 1", "a", "PadV3", "passed", "shape")
    >>> two = Result("t.json", "case 2", "b", "Relu", "skipped", why="no such operator")
    >>> print(Report((one, two)).summary())
    1 passed, 0 failed, 1 skipped (no such operator)
    """

    results: tuple[Result, ...]

    @property
    def ok(self) -> bool:
        """True where no case failed."""
        return self.count("failed") == 0

    def count(self, verdict: Verdict) -> int:
        """Number of cases of one verdict."""
        return sum(r.verdict == verdict for r in self.results)

    @property
    def mismatches(self) -> tuple[Result, ...]:
        """The cases that failed."""
        return tuple(r for r in self.results if r.verdict == "failed")

    @property
    def reasons(self) -> dict[str, int]:
        """Why cases were skipped, and how many for each reason; most first."""
        why = Counter(r.why for r in self.results if r.verdict == "skipped")
        return dict(why.most_common())

    @property
    def checked(self) -> dict[str, int]:
        """How the cases that passed were checked, and how many by each way."""
        how = Counter(r.checked for r in self.results if r.verdict == "passed")
        return {check: how[check] for check in CHECKS if how[check]}

    @property
    def products(self) -> dict[str, int]:
        """Products that cases ran for, by key, and how many; "" is none in particular.

        Cases that were skipped or cannot be read ran for none.
        """
        ran = Counter(r.product for r in self.results if r.got)
        return dict(ran.most_common())

    def lines(self) -> Iterator[str]:
        """One line per mismatch."""
        return map(str, self.mismatches)

    def summary(self) -> str:
        """``N passed, M failed, K skipped (reason)``, on one line."""
        text = (
            f"{self.count('passed')} passed, {self.count('failed')} failed, "
            f"{self.count('skipped')} skipped"
        )
        reasons = self.reasons
        if len(reasons) == 1:
            return f"{text} ({next(iter(reasons))})"
        told = "; ".join(f"{count} {why}" for why, count in reasons.items())
        return f"{text} ({told})" if told else text

    def checks(self) -> str:
        """How the cases that passed were checked, on one line."""
        told = [f"{count} {CHECKS[how]}" for how, count in self.checked.items()]
        return f"checked {', '.join(told)}" if told else "nothing was checked"

    def ran(self) -> str:
        """For which products the cases ran, on one line; empty where none ran.

        Examples
        --------
        >>> one = Result("t", "case 1", "a", "PadV3", "passed", got="ok", product="A2")
        >>> Report((one,)).ran()
        'ran for Atlas A2 training products/Atlas A2 inference products (1 case)'
        """
        told = [
            f"{product(key) if key else 'no product in particular'} "
            f"({count} case{'s'[: count != 1]})"
            for key, count in self.products.items()
        ]
        return f"ran for {', '.join(told)}" if told else ""

    def to_json(self) -> dict[str, Any]:
        """The report for machines: counts, reasons, and every case."""
        return {
            "passed": self.count("passed"),
            "failed": self.count("failed"),
            "skipped": self.count("skipped"),
            "skip_reasons": self.reasons,
            "checked": self.checked,
            "products": self.products,
            "cases": [asdict(result) for result in self.results],
        }
