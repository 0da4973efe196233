"""What a benchmark says: one figure, what it is compared with, and the promise it keeps or breaks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rich.console import Console
from rich.table import Table


@dataclass(frozen=True, slots=True)
class Row:
    """One figure. `kept` is None where nothing was promised."""

    subject: str
    figure: str
    baseline: str = ""
    promise: str = ""
    kept: bool | None = None

    @property
    def verdict(self) -> str:
        """Whether a promise was kept, in a word."""
        return "" if self.kept is None else "kept" if self.kept else "BROKEN"

    def __str__(self) -> str:
        return "; ".join(filter(None, (self.subject, self.figure, self.baseline, self.promise, self.verdict)))


def show(title: str, rows: Iterable[Row]) -> None:
    """Print the rows as a table."""
    table = Table("subject", "figure", "baseline", "promise", "", title=title)
    for row in rows:
        table.add_row(row.subject, row.figure, row.baseline, row.promise, row.verdict)
    Console(width=150).print(table)
