"""Tables 1 and 2 of the Iorek paper, retail and calendar: direct enumeration against a tuned z3 loop.

The loop asks z3 for one model at a time, in a fresh context, incrementally, in the logic that serves each table best.
Our time includes planning and the check of every input and every pair.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable

import z3
from examples.calendar_events import calendar
from examples.retail import items

from bench.rows import Row
from unlike import Ending, Int, OneOf, Spec, Str, distance, generate

LOW, HIGH = -(2**31), 2**31 - 1
CAP = 60.0  # seconds for the loop; beyond, its time so far is a lower bound


def timed(work: Callable[[], object], rounds: int = 5) -> float:
    """Return the shortest of some runs in seconds."""
    best = float("inf")
    for _ in range(rounds):
        start = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - start)
    return best


def z3_loop(n: int, least: int, logic: str) -> tuple[float, int]:
    """Return the seconds in which the loop finds n different integers, or as many as it can in the time allowed."""
    start = time.perf_counter()
    context = z3.Context()
    solver = z3.SolverFor(logic, ctx=context)
    x = z3.Int("x", context)
    solver.add(x >= LOW, x <= HIGH)
    for found in range(n):
        if time.perf_counter() - start > CAP:
            return time.perf_counter() - start, found
        assert solver.check() == z3.sat
        value = solver.model()[x].as_long()
        solver.add(z3.Or(x - value >= least, value - x >= least) if least > 1 else x != value)
    return time.perf_counter() - start, n


def table(name: str, spec: Spec, least: int, promises: dict[int, int]) -> list[Row]:
    """Return a row for each n: our time, the loop's, and the ratio promised."""
    rows = []
    for n, promised in promises.items():
        ours = timed(lambda n=n: generate(spec, n))  # type: ignore[misc]
        loop, found = min(z3_loop(n, least, logic) for logic in ("QF_LIA", "QF_IDL"))
        reached = "" if found == n else f", cut at {found}"
        ratio = loop / ours
        rows.append(
            Row(
                f"{name}, n = {n}",
                f"{ours * 1000:.1f} ms",
                f"z3 loop {loop * 1000:.0f} ms{reached}",
                f"{ratio:.0f} times faster (at least {promised})",
                ratio >= promised,
            )
        )
    return rows


LINES = 1_000_000
LOOP = """
import itertools, json, random, sys
seen = set()
while len(seen) < {lines}:
    key = random.randrange(1000), random.randrange(1000), random.randrange(10**6)
    if key not in seen:
        seen.add(key)
        sys.stdout.write(json.dumps(dict(zip("abc", key))) + "\\n")
"""  # what one would write by hand: a million different lines, each once


def lines_of_json() -> list[Row]:
    """Return how a million inputs are written, against a loop that draws and writes as many."""
    command = [sys.executable, "-m", "unlike.cli", "generate", "bench.endless:many", "--format", "jsonl", "-q"]
    ours, memory = _run_apart([*command, "-n", str(LINES)])
    theirs, _ = _run_apart([sys.executable, "-c", LOOP.format(lines=LINES)])
    figure, baseline = f"{ours:.1f} s, {memory:.0f} MB", f"a loop by hand {theirs:.1f} s"
    promise = f"{ours / theirs:.1f} times as long (at most 6), at most 200 MB"
    return [Row("a million inputs as lines of JSON", figure, baseline, promise, ours / theirs <= 6 and memory <= 200)]


def _run_apart(command: list[str]) -> tuple[float, float]:
    """Return the processor seconds and the most megabytes of a command."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, _, used = os.wait4(process.pid, 0)
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def run() -> list[Row]:
    """Return the rows of the language."""
    rows = lines_of_json()
    rows += table("Table 1, different integers", Spec({"x": Int()}), 1, {600: 20, 5000: 50})
    rows += table("Table 2, distance 10", Spec({"x": Int()}, different=distance("x", 10)), 10, {400: 20, 5000: 50})
    for name, spec in (("retail", items), ("calendar", calendar)):
        for n in (100, "all"):
            seconds = timed(lambda spec=spec, n=n: generate(spec, n), rounds=3)  # type: ignore[misc]
            suite = generate(spec, n)
            whole = n != "all" or suite.status.ending is Ending.COMPLETE
            subject = f"{name}, n = {n}: {len(suite)} inputs, {suite.status.ending}"
            rows.append(Row(subject, f"{seconds * 1000:.0f} ms", "", "under a second", seconds < 1 and whole))
    rows += [signup(), wide_enumerations(), import_time()]
    return rows


def signup() -> Row:
    """Return how much processor time 20 accounts take: a password with four lookaheads, confirmed, without the user."""
    password = r"(?=.*[A-Z])(?=.*[a-z])(?=.*\d)(?=.*[^\w\s]).{8,}"
    spec = Spec(
        {"user": Str("[a-z]{3,12}"), "password": Str(password), "confirm": Str(max_length=64)},
        where=lambda user, password, confirm: (confirm == password) & ~password.contains(user),
    )
    start = time.process_time()
    suite = generate(spec, 20)
    seconds = time.process_time() - start
    kept = seconds < 1 and len(suite) == 20
    return Row("signup, n = 20", f"{seconds * 1000:.0f} ms of processor time", "", "under a second", kept)


def wide_enumerations() -> Row:
    """Return how the time grows with the number of inputs where blanks have many members: as the number does."""
    spec = Spec({name: OneOf(*(f"{name}{i}" for i in range(1000))) for name in "ab"})
    few, many = (timed(lambda n=n: generate(spec, n), rounds=3) for n in (10_000, 100_000))  # type: ignore[misc]
    ratio = many / few
    promise = f"10 times as many in {ratio:.0f} times the time (at most 15)"
    return Row("two OneOf of 1,000, n = 100000", f"{many:.2f} s", f"n = 10000 {few:.2f} s", promise, ratio <= 15)


def import_time() -> Row:
    """Return how long `import unlike` takes beyond starting Python."""
    bare = timed(lambda: subprocess.run([sys.executable, "-c", "pass"], check=True))
    ours = timed(lambda: subprocess.run([sys.executable, "-c", "import unlike"], check=True))
    loaded = (ours - bare) * 1000
    return Row("import unlike", f"{loaded:.0f} ms", f"python alone {bare * 1000:.0f} ms", "under 100 ms", loaded < 100)
