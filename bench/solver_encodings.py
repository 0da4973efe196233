"""Tables 1 to 4 of the Iorek paper with every encoding and two solvers, small enough to end in about two minutes.

Every cell asks for n inputs within a few seconds, checks included, and shows processor time; a cell that ran out of
time is not tried with a larger n. What a solver gave up and another answered counts as given up.
"""

from __future__ import annotations

import time

from bench.rows import Row
from unlike import Int, Spec, Status, Str, cover, different_lengths, distance, generate
from unlike.engine.asking.encodings import Encoding
from unlike.errors import SolverError

CAP = 3.0  # seconds for one cell
ENCODED: tuple[Encoding, ...] = ("loop", "distinct", "all-at-once", "forall")
SOLVERS = ("z3", "cvc5")
TABLES = {
    "Table 1, different integers": (Spec({"x": Int()}), (20, 100)),
    "Table 2, distance 10": (Spec({"x": Int()}, different=distance("x", 10)), (20, 50)),
    "Table 3, lengths of lower-case strings": (Spec({"s": Str("[a-z]*")}, different=different_lengths("s")), (5, 20)),
    "Table 4, cover": (
        Spec(
            {"s": Str(max_length=8)},
            different=cover.regex("s", "[_a-zA-Z][_a-zA-Z0-9]{1,2}", heuristic="concatenation"),
        ),
        (5, 20),
    ),
}


def cell(spec: Spec, n: int, encoding: Encoding, solver: str) -> tuple[str, bool]:
    """Return what to show for one way of asking, and whether it found all n."""
    start = time.process_time()  # both solvers work in this process
    try:
        suite = generate(spec, n, encoding=encoding, solver=solver, timeout=CAP)
    except SolverError:
        return "not a key", False
    seconds = time.process_time() - start
    if len(suite) < n:
        return f"timeout at {len(suite)}" if suite.status.cut_short else f"only {len(suite)}", False
    if helped(suite.status, solver):
        return "gave up", False
    return f"{seconds * 1000:.0f} ms", True


def helped(status: Status, solver: str) -> bool:
    """Tell whether another solver than the one asked had to answer."""
    return any(f"{other} (" in status.detail for other in SOLVERS if other != solver)


def run() -> list[Row]:
    """Return a row for each table, n, encoding and solver."""
    rows = []
    for name, (spec, sizes) in TABLES.items():
        lost: set[tuple[Encoding, str]] = set()
        for n in sizes:
            direct, _ = cell(spec, n, "auto", "z3")
            rows.append(Row(f"{name}, n = {n}", f"auto {direct}"))
            for encoding in ENCODED:
                shown = []
                for solver in SOLVERS:
                    said, found = ("—", False) if (encoding, solver) in lost else cell(spec, n, encoding, solver)
                    if not found:
                        lost.add((encoding, solver))
                    shown.append(f"{solver} {said}")
                rows.append(Row(f"    {encoding}", *shown))
    return rows
