"""Strings of a pattern against the best-tuned z3 loop and against other generators.

Tables 3 and 4 of the Iorek paper are asked of z3 one model at a time, each new model blocked, as fast as z3
was found to do it: one incremental solver, no push and pop, default logic. Other generators are asked for the
name pattern of section 5.2: time, distinct strings, and how many of its 30 branch combinations are among the
first 40.
"""

from __future__ import annotations

import importlib
import itertools
import time
import warnings
from collections.abc import Callable, Iterable

from bench.rows import Row, show
from unlike.regex.automaton import Automaton
from unlike.regex.cover import Cover, named
from unlike.regex.cover.restrict import Combination
from unlike.regex.match import derives
from unlike.regex.tree import parse

TABLE_3 = "[a-z]*"
TABLE_4 = "[_a-zA-Z][_a-zA-Z0-9]+"
NAME = r"((Ms|Mr|Mrs|Dr)\s+)?[A-Z][a-z]+\s+([A-Z][a-z]+\s+)?[A-Z][a-z]+\s+(Jr|Sr)?"
LOOP_SECONDS = 60.0


def timed(work: Callable[[], object]) -> float:
    """Return the shortest of three runs in seconds."""
    best = float("inf")
    for _ in range(3):
        start = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - start)
    return best


# -- tables 3 and 4 ----------------------------------------------------------------------------------


def lengths_directly(n: int) -> list[str]:
    """Return n strings of different lengths, checked."""
    pattern = parse(TABLE_3)
    automaton = Automaton.of(pattern)
    texts = [automaton.at(length, 0) for length in automaton.lengths(n - 1)]
    assert all(pattern.matches(text) for text in texts)
    return texts


def cover_directly(n: int) -> list[str]:
    """Return n strings of different class words with their labels, checked."""
    return [each.text for each in Cover(TABLE_4, named("concatenation")).first(n)]


def lengths_by_z3(n: int) -> tuple[int, float]:
    """Ask z3 for strings of different lengths; return how many came within the time, and the time."""
    import z3

    solver = z3.Solver(ctx=z3.Context())
    text = z3.String("text", solver.ctx)
    solver.add(z3.InRe(text, z3.Star(z3.Range("a", "z", solver.ctx))))
    found, start = 0, time.perf_counter()
    solver.set("timeout", int(LOOP_SECONDS * 1000))
    while found < n and time.perf_counter() - start < LOOP_SECONDS and solver.check() == z3.sat:
        length = solver.model().eval(z3.Length(text), model_completion=True)
        solver.add(z3.Length(text) != length)
        found += 1
    return found, time.perf_counter() - start


def cover_by_z3(n: int) -> tuple[int, float]:
    """Ask z3 for strings of different class words of up to 9 characters, one class word blocked after the other."""
    import z3

    context = z3.Context()
    solver = z3.Solver(ctx=context)
    text = z3.String("text", context)
    letters = [z3.Range("a", "z", context), z3.Range("A", "Z", context), z3.Re(z3.StringVal("_", context))]
    first = z3.Union(*letters)
    rest = z3.Union(*letters, z3.Range("0", "9", context))
    solver.add(z3.InRe(text, z3.Concat(first, z3.Plus(rest))), z3.Length(text) <= 9)
    kinds = {"a": letters[0], "A": letters[1], "_": letters[2], "0": z3.Range("0", "9", context)}
    found, start = 0, time.perf_counter()
    solver.set("timeout", int(LOOP_SECONDS * 1000))
    while found < n and time.perf_counter() - start < LOOP_SECONDS and solver.check() == z3.sat:
        value = solver.model().eval(text, model_completion=True).as_string()
        word = [kinds["a" if c.islower() else "A" if c.isupper() else "0" if c.isdigit() else "_"] for c in value]
        solver.add(z3.Not(z3.InRe(text, z3.Concat(*word))))
        found += 1
    return found, time.perf_counter() - start


def table_rows() -> list[Row]:
    """Compare the tables with the z3 loop."""
    rows = []
    for title, n, directly, by_z3 in (
        ("Table 3, different lengths", 200, lengths_directly, lengths_by_z3),
        ("Table 4, cover", 1000, cover_directly, cover_by_z3),
    ):
        assert len(set(directly(n))) == n
        ours = timed(lambda directly=directly, n=n: directly(n))  # type: ignore[misc]
        found, seconds = by_z3(n)
        ratio = seconds / ours
        reached = f"z3 loop {seconds:.1f} s" + ("" if found >= n else f" for {found} only, so at least this ratio")
        rows.append(
            Row(f"{title}, n = {n}", f"{ours * 1000:.2f} ms, {ratio:,.0f} times", reached, "1,000 times", ratio >= 1000)
        )
    return rows


def speed_rows() -> list[Row]:
    """Measure strings a second and the time of a count."""
    n = 50_000
    seconds = timed(lambda: cover_directly(n))
    rate = n / seconds
    rows = [Row("Table 4's pattern, labels and re check", f"{rate:,.0f} strings/s", "", "100,000", rate >= 100_000)]
    for title, text in (("name", NAME), ("username", "[a-zA-Z0-9_]+"), ("date", r"\d{4}-(0\d|1[0-2])-[0-3]\d")):
        pattern = parse(text)
        took = timed(lambda pattern=pattern: Cover(pattern).count())  # type: ignore[misc]
        rows.append(Row(f"count of the {title} pattern", f"{took * 1000:.2f} ms", "", "1 ms", took < 0.001))
    return rows


# -- other generators --------------------------------------------------------------------------------


def combinations_in(texts: Iterable[str]) -> int:
    """Return how many of the 30 branch combinations of the name pattern are among the texts."""
    cover = Cover(NAME)
    keys = [cover.derivation(choice) for choice in range(30)]
    assert all(isinstance(key, Combination) for key in keys)
    return sum(any(derives(cover.pattern, key, text) for text in texts) for key in keys)


def by_exrex() -> list[str]:
    exrex = importlib.import_module("exrex")
    return [exrex.getone(NAME) for _ in range(40)]


def by_rstr() -> list[str]:
    rstr = importlib.import_module("rstr")
    return [rstr.xeger(NAME) for _ in range(40)]


def by_interegular() -> list[str]:
    interegular = importlib.import_module("interegular")
    machine = interegular.parse_pattern(NAME).to_fsm()
    texts: list[str] = []
    for letters in itertools.islice(machine.strings(), 40):
        chosen = [next((c for c in sorted(map(str, letter)) if len(c) == 1), "?") for letter in letters]
        texts.append("".join(chosen))
    return texts


def by_hypothesis() -> list[str]:
    from hypothesis import HealthCheck, given, seed, settings, strategies

    texts: list[str] = []

    @seed(0)
    @settings(max_examples=40, database=None, suppress_health_check=list(HealthCheck), deadline=None)
    @given(strategies.from_regex(NAME, fullmatch=True))
    def collect(text: str) -> None:
        texts.append(text)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        collect()
    return texts[:40]


def by_us() -> list[str]:
    return [each.text for each in Cover(NAME).first(40)]


def peer_rows() -> list[Row]:
    """Compare the first 40 strings of the name pattern."""
    rows = []
    for name, make in (
        ("unlike", by_us),
        ("exrex", by_exrex),
        ("rstr", by_rstr),
        ("interegular", by_interegular),
        ("Hypothesis", by_hypothesis),
    ):
        try:
            start = time.perf_counter()
            texts = make()
            took = time.perf_counter() - start
        except Exception as error:  # a peer that is not installed, or fails, is said to
            rows.append(Row(f"first 40 names by {name}", f"none: {type(error).__name__}"))
            continue
        figure = f"{took * 1000:.1f} ms, {len(set(texts))} distinct, {combinations_in(texts)} of 30 combinations"
        shortest = min(texts, key=len)
        rows.append(Row(f"first 40 names by {name}", figure, f"shortest {shortest!r}"))
    return rows


def run() -> list[Row]:
    """Return all rows."""
    return [*table_rows(), *speed_rows(), *peer_rows()]


def main() -> None:
    """Print all rows."""
    show("Strings of a pattern", run())


if __name__ == "__main__":
    main()
