"""Suites of pytest tests: collected once in a copy of this process, and run for every mutant in a copy of that.

A mutant is killed by a test that passes with the original and fails with the mutant. What stands outside of functions
needs the test modules to be imported again: for such a mutant the tests are collected anew, in its own process.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import mmap
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from unlike.core import Exploration
from unlike.errors import ScopeError
from unlike.isolation import Answer, Death
from unlike.isolation.copy import Copy, mark, send
from unlike.isolation.forks import run_in_fork
from unlike.measure.mutants.switch import Mutant
from unlike.measure.subject import UNLIMITED, MeasuredCode, Rounds
from unlike.measure.trials import FREE_ROUNDS, TIMES, trace_lines

OPTIONS = [
    *("-q", "--capture=no", "--tb=native", "-o", "addopts=", "-W", "ignore::pytest.PytestAssertRewriteWarning"),
    *("-p", "no:cacheprovider", "-p", "no:randomly", "-p", "no:random_order"),
]
SLOWER = 10  # times as long as the longest test may one take with a mutant
NO_TESTS = 5  # the exit code of pytest
CELL = 8  # bytes of a number


@dataclass(slots=True)
class TestedByPytest:
    """What a folder of tests made of the mutants."""

    names: list[str] = field(default_factory=list)  # of the tests that pass with the original
    left_out: list[str] = field(default_factory=list)  # that do not, or not always
    seconds: float = 0.0  # to collect
    seconds_to_run: float = 0.0
    kills: dict[int, list[int]] = field(default_factory=dict)  # by the number of a mutant: tests that kill it
    seconds_for_mutants: float = 0.0


def run_folder(
    subject: MeasuredCode, folder: str, mutants: Sequence[Mutant], question: Exploration, *, matrix: bool
) -> TestedByPytest:
    """Return which mutants the tests of a folder kill."""
    for name in ("importlib.metadata", "pytest"):  # here, where their attributes stay what they are in every copy
        try:
            importlib.import_module(name)
        except ImportError:
            raise ScopeError(f"--suite {folder!r} is a folder of tests, and {name} is not installed") from None
    found = TestedByPytest()
    work = _Session(subject, folder, mutants, question.isolation.seconds_per_call, matrix=matrix)
    with Copy(work.run, replace(question.isolation, seconds_per_call=None)) as copy:
        for word, *rest in copy.listen(question.deadline.check):
            if word == "tests":
                found.names, found.left_out, found.seconds, found.seconds_to_run = (
                    [*rest[0]], [*rest[1]], float(rest[2]), float(rest[3])
                )  # fmt: skip
            else:
                found.kills[rest[0]] = [*rest[1]]
        ending = copy.verdict
        printed = ending.output if ending is not None else ""
    if isinstance(ending, Answer) and not ending.result[0]:
        found.seconds_for_mutants = float(ending.result[1])
        if not found.names:
            words = (
                f"{len(found.left_out)} fail with the original: {found.left_out[0]}"
                if found.left_out
                else "there is none"
            )
            raise ScopeError(f"--suite {folder!r}: no test passes; {words}")
        return found
    said = [line for line in printed.splitlines() if line.strip()]
    cause = ending.cause if isinstance(ending, Death) else said[-1] if said else str(ending)
    raise ScopeError(f"--suite {folder!r}: pytest could not collect the tests: {cause}")


@dataclass(slots=True)
class _Session:
    """A session of pytest in a copy: collects, and then runs the tests for one mutant after the other."""

    subject: MeasuredCode
    folder: str
    mutants: Sequence[Mutant]
    seconds: float | None
    matrix: bool
    began: float = 0.0
    took: float = 0.0

    def run(self) -> tuple[int, float]:
        """Run pytest; return its exit code (0 also where nothing was collected), and the seconds for mutants."""
        pytest: Any = importlib.import_module("pytest")
        self.began = time.monotonic()
        code = int(pytest.main([*OPTIONS, self.folder], plugins=[_Plugin(self.run_all)]))
        return (0 if code == NO_TESTS else code), self.took

    def run_all(self, items: list[Any], failing: Callable[[], bool]) -> None:
        """Run all tests with the original, then with each mutant."""
        collected = time.monotonic() - self.began
        runs = TestRuns(self.subject, items, failing)
        runs.record(self.seconds)
        kept = runs.passing()
        passing = set(kept)
        others = [item.nodeid for number, item in enumerate(items) if number not in passing]
        send(("tests", [items[each].nodeid for each in kept], others, collected, runs.took))
        place = {number: at for at, number in enumerate(kept)}
        limit = None if self.seconds is None else max(self.seconds, SLOWER * runs.longest)
        gc.freeze()  # nothing that is there by now is looked at again in the copies
        gc.disable()
        began = time.monotonic()
        for mutant in self.mutants:
            if mutant.is_outside:
                kills = self.run_anew(mutant, runs, kept, limit)
            else:
                kills = runs.kills_of(mutant, kept, limit, matrix=self.matrix)
            send(("mutant", mutant.number, [place[each] for each in kills]))
        self.took = time.monotonic() - began

    def run_anew(self, mutant: Mutant, runs: TestRuns, kept: Sequence[int], limit: float | None) -> list[int]:
        """Return the tests that kill a mutant outside of functions: collected anew in a process of its own."""
        names = {runs.items[each].nodeid: each for each in kept}
        cells = runs.cells
        cells[:] = bytes(len(cells))

        def work() -> None:
            mark(0)
            try:
                forget_project(self.subject)
                self.subject.execute_again(mutant.number)
            except BaseException:  # whatever its code raises now
                cells[:] = b"\1" * len(cells)
                return
            pytest: Any = importlib.import_module("pytest")
            Rounds.left = FREE_ROUNDS * max(1, len(names)) + TIMES * sum(runs.rounds)
            code = pytest.main([*OPTIONS, self.folder], plugins=[_Plugin(again)])
            if int(code) not in (0, 1):  # they cannot be collected any more
                cells[:] = b"\1" * len(cells)

        def again(items: list[Any], failing: Callable[[], bool]) -> None:
            fresh = {item.nodeid: item for item in items}
            for name, number in names.items():
                mark(number)
                if name not in fresh or _fails(fresh[name], None, failing):
                    cells[number] = 1
                    if not self.matrix:
                        return

        ended = run_in_fork(work, limit)
        found = [each for each in kept if cells[each]]
        return found or ([kept[0]] if ended and kept else [])


def forget_project(subject: MeasuredCode) -> None:
    """Forget all modules of the project, test modules too."""
    for name, module in list(sys.modules.items()):
        if subject.switched.is_own(name, module):
            del sys.modules[name]


class _Plugin:
    """Takes the place of the loop of pytest that runs tests, and hears which of them fail."""

    def __init__(self, run_all: Callable[[list[Any], Callable[[], bool]], None]) -> None:
        self.run_all, self.failed = run_all, False

    def pytest_runtestloop(self, session: Any) -> bool:
        """Run the tests in our way, unless they could not all be collected."""
        if session.testsfailed:
            raise session.Interrupted(f"{session.testsfailed} errors while collecting")
        self.run_all(list(session.items), self.take)
        return True

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Note a failure."""
        self.failed = self.failed or report.failed

    def take(self) -> bool:
        """Tell whether a test has failed since this was asked."""
        failed, self.failed = self.failed, False
        return failed


def _fails(item: Any, following: Any, failing: Callable[[], bool]) -> bool:
    failing()
    item.ihook.pytest_runtest_protocol(item=item, nextitem=following)
    return failing()


@dataclass(slots=True)
class TestRuns:
    """The tests of a session, what the original does with them, and what a mutant does."""

    subject: MeasuredCode
    items: list[Any]
    failing: Callable[[], bool]
    cells: mmap.mmap = field(init=False)  # of each test: 1 if it failed
    rounds: list[int] = field(init=False)
    lines: list[set[int]] = field(init=False)
    passed: list[bool] = field(init=False)
    took: float = 0.0
    longest: float = 0.0

    def __post_init__(self) -> None:
        self.cells = mmap.mmap(-1, max(1, len(self.items)))
        self.rounds, self.passed = [0] * len(self.items), [False] * len(self.items)
        self.lines = [set() for _ in self.items]

    def record(self, seconds: float | None) -> None:
        """Run all tests with the original twice: for the lines they reach, and for the time they take."""
        del seconds  # the tests are the user's own, and may take as long as they do
        count, most = len(self.items), max((each.last_line for each in self.subject_mutants()), default=0) + 1
        numbers = memoryview(mmap.mmap(-1, CELL * (3 * count + 1))).cast("q")  # rounds, microseconds, failures
        reached = mmap.mmap(-1, max(1, count * most))

        def note_lines() -> None:
            for number, item in enumerate(self.items):
                Rounds.left, lines = UNLIMITED, set[int]()
                self.failing()
                sys.settrace(trace_lines(self.subject.file, lines))
                try:
                    failed = _fails(item, self.following(number, range(count)), self.failing)
                finally:
                    sys.settrace(None)
                numbers[number] = UNLIMITED - Rounds.left
                numbers[2 * count + number] += failed
                for line in lines:
                    if line < most:
                        reached[number * most + line] = 1

        def take_times() -> None:
            for number, item in enumerate(self.items):
                began = time.monotonic()
                failed = _fails(item, self.following(number, range(count)), self.failing)
                numbers[count + number] = int(1e6 * (time.monotonic() - began))
                numbers[2 * count + number] += failed
            numbers[3 * count] = 1

        first = run_in_fork(note_lines, None)
        second = run_in_fork(take_times, None)
        for number in range(count):
            self.rounds[number] = numbers[number]
            self.passed[number] = not first and not second and not numbers[2 * count + number]
            self.lines[number] = {line for line in range(most) if reached[number * most + line]}
        times = [numbers[count + number] / 1e6 for number in range(count)]
        self.took, self.longest = sum(times), max(times, default=0.0)

    def subject_mutants(self) -> Iterable[Mutant]:
        """Return the mutants, of which the last line is wanted."""
        return self.subject.mutants

    def passing(self) -> list[int]:
        """Return the tests that pass with the original."""
        return [number for number, passed in enumerate(self.passed) if passed]

    def following(self, number: int, numbers: Sequence[int]) -> Any:
        """Return the test that is run after another, which decides what of the fixtures is kept."""
        return next((self.items[each] for each in numbers if each > number), None)

    def kills_of(self, mutant: Mutant, kept: Sequence[int], limit: float | None, *, matrix: bool) -> list[int]:
        """Return the tests that kill a mutant, the first alone unless all are wanted."""
        lines = set(range(mutant.line, mutant.last_line + 1))
        wanted = [each for each in kept if lines & self.lines[each]]
        found: list[int] = []
        while wanted:
            self.cells[:] = bytes(len(self.cells))
            running = memoryview(mmap.mmap(-1, CELL)).cast("q")

            def work(todo: Sequence[int] = tuple(wanted), running: memoryview = running) -> None:
                self.subject.switch_to(mutant.number)
                for number in todo:
                    mark(number)
                    running[0] = number
                    Rounds.left = FREE_ROUNDS + TIMES * self.rounds[number]
                    if _fails(self.items[number], self.following(number, todo), self.failing):
                        self.cells[number] = 1
                        if not matrix:
                            return

            ended = run_in_fork(work, limit)
            found += [each for each in wanted if self.cells[each]]
            if not ended or (found and not matrix):
                break
            found.append(running[0])  # it ended its process
            if not matrix:
                break
            wanted = [each for each in wanted if each > running[0]]
        return sorted(dict.fromkeys(found))


def run_plainly(folder: str) -> None:
    """Run the tests of a folder as they are, in a copy, for what they run of the code."""
    pytest: Any = importlib.import_module("pytest")
    with contextlib.suppress(SystemExit):
        pytest.main([*OPTIONS, folder])
