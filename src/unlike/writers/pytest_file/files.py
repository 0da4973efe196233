"""Which test files there are for what was explored, and what each of them holds."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

from unlike.classes.result import Result
from unlike.errors import ScopeError
from unlike.saved import output_directory, write_output
from unlike.writers.pytest_file.errors import error_source
from unlike.writers.pytest_file.objects import object_tests
from unlike.writers.pytest_file.test_module import snake

TESTS_PER_FILE = 1000
MOST_TESTS = 5000


@dataclass(frozen=True, slots=True)
class TestFile:
    """One file to write."""

    path: Path
    text: str
    tests: int
    skipped: tuple[str, ...] = ()  # tests that are not run, and why


TestFile.__test__ = False  # type: ignore[attr-defined]  # pytest: this is no test


def write_tests(result: Result, directory: str | Path, *, every: bool = False) -> list[Path]:
    """Write the test files and return their paths."""
    files = files_of(result, directory, every=every)
    output_directory(directory)
    for file in files:
        write_output(file.path, file.text)
    return [file.path for file in files]


def files_of(result: Result, directory: str | Path, *, every: bool = False) -> list[TestFile]:
    """Return the test files for the objects and for the errors of an exploration.

    More tests than anybody runs are refused unless every one is asked for; then they are split over files.
    """
    count = result.suite.count()
    if count > MOST_TESTS and not every:
        raise ScopeError(
            f"{count:,} tests are more than anybody runs; use a smaller scope, one object per shape (--one-per-shape), "
            "some at random (--sample), save recipes instead (--format json), or ask for all of them (--all)"
        )
    cases = list(result.suite)
    stem = snake(result.api.classes[0].__name__)
    parts = math.ceil(len(cases) / TESTS_PER_FILE)
    files = []
    for part in range(parts):
        if result.deadline.is_over():
            break
        chunk = cases[part * TESTS_PER_FILE : (part + 1) * TESTS_PER_FILE]
        name = f"test_{stem}.py" if parts == 1 else f"test_{stem}_{part + 1}.py"
        last = part == parts - 1
        tests = object_tests(result, chunk, first=part * TESTS_PER_FILE, every=cases if last else None)
        files.append(TestFile(Path(directory) / name, tests.text, tests.tests, tests.skipped))
    if result.errors:
        path = Path(directory) / f"test_{stem}_errors.py"
        files.append(TestFile(path, error_source(result), len(result.errors)))
    return files
