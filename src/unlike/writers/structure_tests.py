"""From structures to test files that a person can read: one test per structure, built field by field."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from unlike.invariants.fields.domains import FieldTable
from unlike.suite import Case, Suite
from unlike.writers.pytest_file import TESTS_PER_FILE, TestFile
from unlike.writers.pytest_file.test_module import TestModule, building, indented, sentence, snake
from unlike.writers.python_source import source_of


class Accepted(Protocol):
    """Structures that an invariant accepts: all of them, or a few."""

    @property
    def cls(self) -> type:
        """The class."""

    @property
    def invariant(self) -> str:
        """The name of the invariant."""

    @property
    def table(self) -> FieldTable:
        """The scope."""

    @property
    def count(self) -> int:
        """How many there are."""

    @property
    def suite(self) -> Suite:
        """They themselves, as cases."""


def structure_files(result: Accepted, directory: str | Path) -> list[TestFile]:
    """Return the test files of all structures, split where there are many."""
    count, stem = result.count, snake(result.cls.__name__)
    parts = math.ceil(count / TESTS_PER_FILE)
    files = []
    for part in range(parts):
        numbers = range(part * TESTS_PER_FILE, min(count, (part + 1) * TESTS_PER_FILE))
        name = f"test_{stem}_structures.py" if parts == 1 else f"test_{stem}_structures_{part + 1}.py"
        files.append(TestFile(Path(directory) / name, structure_source(result, numbers), len(numbers)))
    return files


def structure_source(result: Accepted, numbers: Sequence[int]) -> str:
    """Return the source of a test file with a test for each of the structures of these numbers."""
    sheet, suite = TestModule(), result.suite
    for number in numbers:
        sheet.tests.append(_test(suite[number], number, sheet, result))
    return sheet.text(f"Structures that {result.cls.__name__}.{result.invariant} accepts within {result.table.scope}.")


def _test(case: Case, number: int, sheet: TestModule, result: Accepted) -> str:
    source = source_of(case.recipe)
    sheet.imports |= source.imports
    lines = [f"def test_{snake(result.cls.__name__)}_{number}() -> None:", f'    """{sentence(case.label)}"""']
    made = building(source, source.lines[-1] if source.lines else "")
    check = f"assert x.{result.invariant}()" if hasattr(result.cls, result.invariant) else "assert x is not None"
    return "\n".join([*lines, *indented([*made, "", check])])
