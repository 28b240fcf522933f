"""The table of the measurements."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """One measured cost.

    Attributes:
        what: what was done.
        measured: what it took, with its spread.
        against: what it is compared with, and what that took; empty where the limit is absolute.
        value: the number that the limit is about: a ratio, or seconds or bytes.
        limit: the most that `value` may be.
    """

    what: str
    measured: str
    against: str
    value: float
    limit: float

    @property
    def is_met(self) -> bool:
        """True if the measurement is within its limit."""
        return self.value <= self.limit


def markdown(rows: Iterable[Row]) -> str:
    """Return the rows as a Markdown table; a missed limit is in bold."""
    lines = ["| what | measured | against | value | at most | |", "|---|---|---|---|---|---|"]
    lines += [
        f"| {row.what} | {row.measured} | {row.against} | {row.value:.3g} | {row.limit:.3g} | "
        f"{'met' if row.is_met else '**missed**'} |"
        for row in rows
    ]
    return "\n".join(lines)
