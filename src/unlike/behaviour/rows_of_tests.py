"""From a test file to the rows of its `pytest.mark.parametrize`: the file is imported in a copy of this process.

    @pytest.mark.parametrize(("text", "expected"), [("1.2", 3), ("", None)])   ->   {"text": "1.2", "expected": 3}, …

What crosses are recipes, as JSON: of plain values, and of dataclasses that can be named.
"""

from __future__ import annotations

import importlib
import itertools
import json
import sys
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from unlike.core import Isolation
from unlike.errors import ScopeError, UnlikeError
from unlike.isolation.copy import call_in_copy
from unlike.isolation.verdicts import Answer
from unlike.recipe import Recipe, recipe_of
from unlike.saved import recipe_from_data, recipe_to_data

MOST_ROWS = 10_000  # of one test: more are not read by anybody


@dataclass(frozen=True, slots=True)
class ParametrizedRow:
    """A row of a test: a dict of its columns, without those that cannot cross; and whether the test names the code."""

    columns: Recipe
    names_code: bool


def read_rows(target: str, functions: Collection[str], isolation: Isolation) -> list[ParametrizedRow]:
    """Return the rows of FILE.py, or of FILE.py::test_name; `functions` are names of the code."""
    file, _, name = target.partition("::")
    path = Path(file)
    if not path.is_file():
        raise ScopeError(f"beside={target!r}: there is no file {file!r}")
    verdict = call_in_copy(lambda: json.dumps(_collect(path, name.partition("[")[0], functions)), isolation)
    if not isinstance(verdict, Answer):
        raise ScopeError(f"beside={target!r}: the tests cannot be read: {verdict}; run them with pytest, and mend that")
    found, tests = json.loads(verdict.result)
    if name and not tests:
        raise ScopeError(f"beside={target!r}: {file} has no test {name!r}")
    return [ParametrizedRow(recipe_from_data(data), names_code) for data, names_code in found]


def _collect(path: Path, wanted: str, functions: Collection[str]) -> tuple[list[Any], int]:
    """In the copy: return the rows as JSON data, and how many tests there are."""
    found: list[Any] = []
    tests = 0
    for name, test in _tests_in(_import(path)):
        if wanted and name != wanted:
            continue
        tests += 1
        names_code = not set(functions).isdisjoint(test.__code__.co_names)
        for row in _rows_of(test):
            kept = {column: value for column, value in row.items() if _can_cross(value)}
            found.append((recipe_to_data(recipe_of(kept)), names_code))
    return found, tests


def _can_cross(value: object) -> bool:
    try:
        json.dumps(recipe_to_data(recipe_of(value)))
    except (UnlikeError, TypeError, ValueError, RecursionError):  # what only this process knows
        return False
    return True


def _import(path: Path) -> ModuleType:
    """Import a test module as pytest does: by its name below the first folder that is no package."""
    root, parts = path.absolute().parent, [path.stem]
    while (root / "__init__.py").is_file():
        parts.insert(0, root.name)
        root = root.parent
    sys.path.insert(0, str(root))
    return importlib.import_module(".".join(parts))


def _tests_in(module: ModuleType) -> Iterator[tuple[str, FunctionType]]:
    """Yield the tests of a module, those of classes as Class::test."""
    for name, each in vars(module).items():
        if isinstance(each, type) and name.startswith("Test"):
            for inner, method in vars(each).items():
                if inner.startswith("test") and isinstance(method, FunctionType):
                    yield f"{name}::{inner}", method
        elif name.startswith("test") and isinstance(each, FunctionType):
            yield name, each


def _rows_of(test: FunctionType) -> Iterator[dict[str, object]]:
    """Yield the rows of a test; of several marks every combination."""
    marks = [each for each in getattr(test, "pytestmark", ()) if each.name == "parametrize"]
    tables = [[*_table(*each.args, **each.kwargs)] for each in marks]
    for rows in itertools.islice(itertools.product(*tables) if tables else (), MOST_ROWS):
        yield {column: value for row in rows for column, value in row.items()}


def _table(argnames: str | Sequence[str], argvalues: Any, **others: object) -> Iterator[dict[str, object]]:
    """Yield the rows of one mark."""
    del others
    columns = [each.strip() for each in argnames.split(",")] if isinstance(argnames, str) else [*argnames]
    for row in itertools.islice(argvalues, MOST_ROWS):
        values = getattr(row, "values", row) if type(row).__name__ == "ParameterSet" else row
        is_wrapped = len(columns) == 1 and type(row).__name__ != "ParameterSet" and isinstance(argnames, str)
        yield dict(zip(columns, (values,) if is_wrapped and "," not in argnames else values, strict=True))
