"""Strings of a pattern against the best-tuned z3 loop and against other generators.

Tables 3 and 4 of the Iorek paper are asked of z3 one model at a time, each new model blocked, as fast as z3
was found to do it: one incremental solver, no push and pop, default logic. Other generators are asked for the
name pattern of section 5.2: time, distinct strings, and how many of its 30 branch combinations are among the
first 40. z3 does not always heed its own time limit, so it works in a process that is ended when its time is over;
what it had found by then is said, and a ratio is then one that is at least reached.
"""

from __future__ import annotations

import functools
import importlib
import itertools
import json
import multiprocessing
import random
import signal
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection

from bench.rows import Row, show
from unlike.indexed import spread_indices
from unlike.regex import chars
from unlike.regex.automaton import Automaton, Undecided
from unlike.regex.couple import Tie, pairs
from unlike.regex.cover import Cover, find_heuristics
from unlike.regex.cover.restrict import Combination
from unlike.regex.match import derives
from unlike.regex.tree import parse
from unlike.solvers.z3_symbols import regex

TABLE_3 = "[a-z]*"
TABLE_4 = "[_a-zA-Z][_a-zA-Z0-9]+"
NAME = r"((Ms|Mr|Mrs|Dr)\s+)?[A-Z][a-z]+\s+([A-Z][a-z]+\s+)?[A-Z][a-z]+\s+(Jr|Sr)?"
ENOUGH = 0.3  # seconds in which something short is run again and again
LOOP_SECONDS = 45.0  # for a z3 loop, unless that is less than
LOOP_RATIO = 1_500  # times what we took
COUPLED_SECONDS = 10.0  # for z3 on a coupling
QUESTION_SECONDS = 2.0  # for one question of those
PEER_SECONDS = 40  # of processor time
PATIENCE = 150.0  # by the clock


def timed(work: Callable[[], object]) -> float:
    """Return the shortest of at least three runs in seconds; of more, if they are short: others may use the machine."""
    best, begun = float("inf"), time.perf_counter()
    for run in itertools.count(1):
        start = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - start)
        if run >= 3 and time.perf_counter() - begun > ENOUGH:
            break
    return best


@dataclass(frozen=True, slots=True)
class Reached:
    """How far work came: what it told last, in how many seconds, and whether it ended by itself."""

    found: int
    unknown: int
    seconds: float
    ended: bool


def watched(work: Callable[[], Iterator[tuple[int, int]]], seconds: float) -> Reached:
    """Do the work in a copy of this process, which is ended when its time is over."""
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_tell, args=(work, theirs), daemon=True)
    start = time.perf_counter()
    process.start()
    theirs.close()
    found = unknown = 0
    ended = False
    try:
        while ours.poll(max(0.0, start + seconds - time.perf_counter())):
            found, unknown = ours.recv()
    except EOFError:
        ended = True
    took = time.perf_counter() - start
    process.kill()
    process.join()
    return Reached(found, unknown, took, ended)


def _tell(work: Callable[[], Iterator[tuple[int, int]]], connection: Connection) -> None:
    for each in work():
        connection.send(each)
    connection.close()


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
    return [each.text for each in Cover(TABLE_4, find_heuristics("concatenation")).first(n)]


def lengths_by_z3(n: int) -> Iterator[tuple[int, int]]:
    """Ask z3 for strings of different lengths; yield how many there are so far."""
    import z3

    solver = z3.Solver(ctx=z3.Context())
    text = z3.String("text", solver.ctx)
    solver.add(z3.InRe(text, z3.Star(z3.Range("a", "z", solver.ctx))))
    for found in range(1, n + 1):
        assert solver.check() == z3.sat
        length = solver.model().eval(z3.Length(text), model_completion=True)
        solver.add(z3.Length(text) != length)
        yield found, 0


def cover_by_z3(n: int) -> Iterator[tuple[int, int]]:
    """Ask z3 for strings of different class words of up to 9 characters, one class word blocked after the other.

    One variable per position and one literal per position and class: of the encodings tried, z3's fastest.
    """
    import z3

    context = z3.Context()
    solver = z3.Solver(ctx=context)
    kinds = [
        z3.Range("a", "z", context),
        z3.Range("A", "Z", context),
        z3.Re(z3.StringVal("_", context)),
        z3.Range("0", "9", context),
        z3.Re(z3.StringVal("", context)),
    ]
    places = [z3.String(f"c{place}", context) for place in range(9)]
    taken = [[z3.Bool(f"k{place}_{kind}", context) for kind in range(5)] for place in range(9)]
    for place, (char, literals) in enumerate(zip(places, taken, strict=True)):
        solver.add(z3.PbEq([(each, 1) for each in literals], 1))
        solver.add(*(z3.Implies(each, z3.InRe(char, kind)) for each, kind in zip(literals, kinds, strict=True)))
        if place < 2:
            solver.add(z3.Not(literals[4]))
        else:
            solver.add(z3.Implies(taken[place - 1][4], literals[4]))
    solver.add(z3.Not(taken[0][3]))
    for found in range(1, n + 1):
        assert solver.check() == z3.sat
        model = solver.model()
        assert "".join(model.eval(char, model_completion=True).as_string() for char in places)
        word = [next(each for each in row if z3.is_true(model.eval(each))) for row in taken]
        solver.add(z3.Not(z3.And(*word)))
        yield found, 0


def table_rows() -> list[Row]:
    """Compare the tables with the z3 loop."""
    rows = []
    for title, n, directly, by_z3 in (
        ("Table 3, different lengths", 200, lengths_directly, lengths_by_z3),
        ("Table 4, cover", 1000, cover_directly, cover_by_z3),
    ):
        assert len(set(directly(n))) == n
        ours = timed(lambda directly=directly, n=n: directly(n))  # type: ignore[misc]
        z3 = watched(lambda by_z3=by_z3, n=n: by_z3(n), max(LOOP_SECONDS, LOOP_RATIO * ours))  # type: ignore[misc]
        ratio = z3.seconds / ours
        said = f"z3 loop {z3.seconds:.1f} s" if z3.found >= n else f"z3 loop stopped after {z3.seconds:.0f} s"
        reached = said if z3.found >= n else f"{said}: {z3.found} of {n}, so at least this ratio"
        kept = ratio >= 1000 and (z3.found >= n or not z3.ended)
        rows.append(Row(f"{title}, n = {n}", f"{ours * 1000:.2f} ms, {ratio:,.0f} times", reached, "1,000 times", kept))
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


# -- two strings tied to each other ------------------------------------------------------------------

DIGIT = r"(?=.*\d)"  # a lookahead, which z3 has no word for: it is told otherwise
COUPLINGS: list[tuple[str, str, str, list[Tie], tuple[int, int]]] = [
    ("user and password", "[a-z][a-z0-9_]{2,7}", DIGIT + "[A-Za-z0-9!@#]{6,12}", ["different", "not part"], (0, 12)),
    ("prefix", "[a-z]+(-[a-z]+)?[0-9]?", "[a-z]+(-[a-z0-9]+)*(/[a-z]+|:[0-9]+)?", ["prefix"], (0, 16)),
    ("contains", "[A-Z][a-z]+[0-9]?", r"[\w.]+@[A-Za-z0-9]+(-[a-z]+)?\.(com|org|net)", ["part"], (12, 30)),
]


def coupled(first: Cover, second: Cover, ties: list[Tie], bounds: tuple[int, int], n: int) -> tuple[int, int, int]:
    """Return how many pairs were found, ten for each pair of choices, and how many of these have none or are open."""
    printable = Automaton.everything(chars.PRINTABLE)
    ours = functools.lru_cache(maxsize=None)(first.within)
    theirs = functools.lru_cache(maxsize=None)(lambda choice: second.within(choice).intersect(printable))
    found = proved = unknown = 0
    for index in spread_indices(first.choices * second.choices):
        one, two = divmod(index, second.choices)
        try:
            tied = pairs(ours(one), theirs(two), ties, sizes=bounds, limit=2_000)
            some = list(itertools.islice(tied, min(10, n - found)))
        except Undecided:
            unknown += 1
            continue
        assert all(first.derives(one, x) and second.derives(two, y) for x, y in some)
        found += len(some)
        proved += not some
        if found >= n:
            break
    return found, proved, unknown


def coupled_by_z3(
    first: Cover, second: Cover, ties: list[Tie], bounds: tuple[int, int], *, needs_digit: bool, n: int
) -> Iterator[tuple[int, int]]:
    """Ask z3 for the same, pair of choices by pair of choices; yield how many came and how often it said unknown."""
    import z3

    found = unknown = 0
    for index in spread_indices(first.choices * second.choices):
        one, two = divmod(index, second.choices)
        context = z3.Context()
        solver = z3.Solver(ctx=context)
        solver.set("timeout", int(QUESTION_SECONDS * 1000))
        x, y = z3.String("x", context), z3.String("y", context)
        solver.add(z3.InRe(x, regex(first.tree(one), context)), z3.InRe(y, regex(second.tree(two), context)))
        solver.add(z3.Length(y) >= bounds[0], z3.Length(y) <= bounds[1])
        if needs_digit:
            solver.add(z3.InRe(y, regex(parse(r"[ -~]*\d[ -~]*").root, context)))
        meaning = {"different": x != y, "not part": z3.Not(z3.Contains(y, x))}
        meaning |= {"prefix": z3.PrefixOf(x, y), "part": z3.Contains(y, x)}
        solver.add(*(meaning[tie] for tie in ties))
        for _ in range(10):
            answer = solver.check()
            unknown += answer == z3.unknown
            found += answer == z3.sat
            yield found, unknown
            if found >= n:
                return
            if answer != z3.sat:
                break
            model = solver.model()
            solver.add(z3.Or(*[text != model.eval(text, model_completion=True) for text in (x, y)]))


def coupling_rows() -> list[Row]:
    """Measure the couplings, every pair checked by the independent matcher, beside z3 alone."""
    rows = []
    for title, one, two, ties, bounds in COUPLINGS:
        covers = Cover(one, find_heuristics("each-position")), Cover(two, find_heuristics("each-position"))
        start = time.perf_counter()
        found, proved, unknown = coupled(*covers, ties, bounds, 1000)
        took = time.perf_counter() - start
        figure = f"{found} pairs in {took:.1f} s; {proved} pairs of choices proved to have none, {unknown} undecided"
        ask = functools.partial(
            coupled_by_z3,
            covers[0],
            Cover(two.removeprefix(DIGIT), find_heuristics("each-position")),
            ties,
            bounds,
            needs_digit=two.startswith(DIGIT),
            n=1000,
        )
        z3 = watched(ask, COUPLED_SECONDS)
        baseline = f"z3 alone, {'ended' if z3.ended else 'stopped'} after {z3.seconds:.0f} s: {z3.found} pairs"
        baseline += f", {z3.unknown} times unknown after {QUESTION_SECONDS:.0f} s"
        rows.append(Row(f"coupling: {title}", figure, baseline, "1000 in seconds", found == 1000 and took < 10))
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
    random.seed(0)  # it draws from the generator that all share
    return [exrex.getone(NAME) for _ in range(40)]


def by_rstr() -> list[str]:
    rstr = importlib.import_module("rstr")
    drawn = rstr.Rstr(random.Random(0))
    return [drawn.xeger(NAME) for _ in range(40)]


def by_interegular() -> list[str]:
    """Ask in a process of its own: it takes its time, and more than 3 GB if a space may be of any kind."""
    try:
        done = subprocess.run(
            [sys.executable, "-c", INTEREGULAR, NAME.replace(r"\s", " "), str(PEER_SECONDS)],
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=True,
        )
    except (subprocess.TimeoutExpired, subprocess.CalledProcessError) as error:
        if isinstance(error, subprocess.CalledProcessError) and error.returncode != -signal.SIGXCPU:
            raise
        raise TimeoutError(f"more than {PEER_SECONDS} s") from None
    texts: list[str] = json.loads(done.stdout)
    return texts


INTEREGULAR = """
import interegular, itertools, json, resource, sys

resource.setrlimit(resource.RLIMIT_CPU, (int(sys.argv[2]),) * 2)
machine = interegular.parse_pattern(sys.argv[1]).to_fsm()
texts = []
for letters in itertools.islice(machine.strings(), 40):
    texts.append("".join(next((c for c in sorted(map(str, letter)) if len(c) == 1), "?") for letter in letters))
print(json.dumps(texts))
"""


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
        ("Hypothesis", by_hypothesis),
        ("interegular", by_interegular),
    ):
        try:
            if make is not by_interegular:  # what is loaded or learnt once is not counted
                make()
            start = time.perf_counter()
            texts = make()
            took = time.perf_counter() - start
        except Exception as error:  # a peer that is not installed, or fails, is said to
            rows.append(Row(f"first 40 names by {name}", f"none: {type(error).__name__}: {error}"))
            continue
        figure = f"{took * 1000:.1f} ms, {len(set(texts))} distinct, {combinations_in(texts)} of 30 combinations"
        shortest = f"shortest {min(texts, key=len)[:40]!r}"
        promised = ("all 30", combinations_in(texts) == 30) if make is by_us else ("", None)
        rows.append(Row(f"first {len(texts)} names by {name}", figure, shortest, *promised))
    return rows


def run() -> list[Row]:
    """Return all rows."""
    return [*table_rows(), *speed_rows(), *coupling_rows(), *peer_rows()]


def main() -> None:
    """Print all rows."""
    show("Strings of a pattern", run())


if __name__ == "__main__":
    main()
