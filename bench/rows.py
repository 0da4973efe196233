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


def show(title: str, rows: Iterable[Row]) -> None:
    """Print the rows as a table."""
    table = Table("subject", "figure", "baseline", "promise", "", title=title)
    for row in rows:
        kept = "" if row.kept is None else "kept" if row.kept else "BROKEN"
        table.add_row(row.subject, row.figure, row.baseline, row.promise, kept)
    Console(width=150).print(table)
