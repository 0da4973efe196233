"""Tables 1 to 4 of the Iorek paper with every encoding and two solvers.

Every cell asks for n inputs, checks included, in a process of its own, and shows its processor time; a cell that ran
out of time is not tried with a larger n. What a solver gave up and another answered counts as given up. The two solvers
work side by side, each on a core. `make bench` gives each cell 3 seconds; `python -m bench.solver_encodings FILE.md`
gives each 20 seconds and writes the table into the file, between the lines that mark it; `… FILE.md SECONDS` gives each
so many. At most one cell of every table and encoding runs out of time, so 20 seconds make 12 minutes at the very most.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from bench.rows import Row
from unlike import Ending, Int, Spec, Status, Str, cover, different_lengths, distance, generate
from unlike.errors import SolverError
from unlike.saved import write_whole
from unlike.specs.asking.encodings import Encoding

SHORT, FAIR = 3.0, 20.0  # seconds for one cell
EFFORT = 100  # so much that only time ends a cell
STARTING = 15.0  # more until its process is ended: a question of many conditions is long in writing, too
ENCODED: tuple[Encoding, ...] = ("loop", "distinct", "all-at-once", "forall")
SOLVERS = ("z3", "cvc5")
BEGIN, END = "<!-- table: begin -->", "<!-- table: end -->"


def words(rounds: int) -> Spec:
    """Return Table 4's strings: `+` is concatenation, up to so many rounds."""
    pattern = f"[_a-zA-Z][_a-zA-Z0-9]{{1,{rounds}}}"
    return Spec({"s": Str(max_length=8)}, different=cover.regex("s", pattern, heuristic="concatenation"))


TABLES = {
    "1 different integers": {n: Spec({"x": Int()}) for n in (20, 100, 200, 400, 600)},
    "2 integers at distance 10": {n: Spec({"x": Int()}, different=distance("x", 10)) for n in (20, 100, 200, 400)},
    "3 strings of different lengths": {
        n: Spec({"s": Str("[a-z]*", max_length=1000)}, different=different_lengths("s")) for n in (5, 20, 50, 100, 200)
    },
    # 60, 252 and 1,020 branches: the fewest rounds that have so many
    "4 strings covering a regex": {5: words(2), 20: words(2), 200: words(3), 1000: words(4)},
}


def measured(table: str, n: int, encoding: Encoding, *, solver: str, cap: float) -> tuple[str, bool]:
    """Return what to show for one way of asking, and whether it found all n."""
    start = time.process_time()  # both solvers work in this process
    try:
        suite = generate(TABLES[table][n], n, encoding=encoding, solver=solver, timeout=cap, effort=EFFORT)
    except SolverError:
        return "not a key", False
    seconds = time.process_time() - start
    if len(suite) < n:
        why = "timeout" if suite.status.ending is Ending.TIMEOUT else "gave up"
        return f"{why} at {len(suite)}" if len(suite) else why, False
    if helped(suite.status, solver):
        return "gave up", False
    return f"{seconds * 1000:,.0f}", True


def helped(status: Status, solver: str) -> bool:
    """Tell whether another solver than the one asked had to answer."""
    return any(f"{other} (" in status.detail for other in SOLVERS if other != solver)


def cell(table: str, n: int, encoding: Encoding, *, solver: str, cap: float) -> tuple[str, bool]:
    """Return the same, measured in a process of its own that is ended if it overstays."""
    asked = json.dumps([table, n, encoding, solver, cap])
    command = [sys.executable, "-m", "bench.solver_encodings", "--cell", asked]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=cap + STARTING, check=True)
    except subprocess.TimeoutExpired:
        return "timeout", False
    except subprocess.CalledProcessError as error:
        return f"failed ({error.returncode})", False
    shown, found = json.loads(done.stdout)
    return shown, found


def table(cap: float) -> list[list[str]]:
    """Return a line for each table and n: its name, n, auto, and the two solvers in every encoding."""
    lines = []
    with ThreadPoolExecutor(len(SOLVERS)) as pool:  # a thread only waits for the process of its cell
        for name, sizes in TABLES.items():
            lost: dict[tuple[Encoding, str], str] = {}
            for n in sizes:
                line = [name, f"{n}", cell(name, n, "auto", solver="z3", cap=cap)[0]]
                for encoding in ENCODED:
                    shown = list(pool.map(_asked(name, n, encoding, lost=lost, cap=cap), SOLVERS))
                    line.append("not a key" if "not a key" in shown else " / ".join(shown))
                lines.append(line)
                print(" | ".join(line), file=sys.stderr, flush=True)
    return lines


def _asked(
    name: str, n: int, encoding: Encoding, *, lost: dict[tuple[Encoding, str], str], cap: float
) -> Callable[[str], str]:
    """Return what asks one solver, unless it lost this encoding with a smaller n."""

    def ask(solver: str) -> str:
        if (encoding, solver) in lost:
            return lost[encoding, solver]
        said, found = cell(name, n, encoding, solver=solver, cap=cap)
        if not found:
            lost[encoding, solver] = said if said == "not a key" else "–"
        return said

    return ask


def run() -> list[Row]:
    """Return a row for each table, n and encoding."""
    rows = []
    for name, n, auto, *shown in table(SHORT):
        rows.append(Row(f"Table {name}, n = {n}", f"auto {auto}", "ms: z3 / cvc5"))
        rows += [Row(f"    {encoding}", said) for encoding, said in zip(ENCODED, shown, strict=True)]
    return rows


def write(path: Path, cap: float = FAIR) -> None:
    """Measure with a limit for each cell and put the table into a document, between its marks."""
    text = path.read_text(encoding="utf-8")
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        raise SystemExit(f"{path}: no lines {BEGIN} and {END}")
    head = [
        "| | n | auto | " + " | ".join(f"{each} z3 / cvc5" for each in ENCODED) + " |",
        "|---|---|---|---|---|---|---|",
    ]
    last, lines = "", []
    for name, *cells in table(cap):
        lines.append(f"| {name if name != last else ''} | {' | '.join(cells)} |".replace("|  |", "| |"))
        last = name
    write_whole(path, before + begin + "\n" + "\n".join([*head, *lines]) + "\n" + end + after)


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["--cell", asked]:
            *where, solver, cap = json.loads(asked)
            print(json.dumps(measured(*where, solver=solver, cap=cap)))
        case [path]:
            write(Path(path))
        case [path, seconds]:
            write(Path(path), float(seconds))
        case _:
            raise SystemExit("give the document to write the table into, like docs/explanation/encodings.md")
