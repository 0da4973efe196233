"""Inputs that are there already, by whatever they are kept: they are run like others, and what they show is not new.

A suite, a list of inputs, a test file (`parametrize`), or a file of inputs that `unlike` or pytest's plugin wrote.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, is_dataclass, replace
from typing import Any

from unlike.behaviour.calls import PassedInput
from unlike.behaviour.rows_of_tests import ParametrizedRow, read_rows
from unlike.behaviour.spaces import InputSpace, TypeSpace
from unlike.behaviour.spoken_parts import parameters_of
from unlike.core import Isolation
from unlike.errors import ScopeError, UnlikeError, how_many
from unlike.file_limits import MOST_SAVED_BYTES, parse_json_within, read_text_within
from unlike.recipe import Call, Items, Recipe, Ref, name_or_given, recipe_of
from unlike.suite import Suite

USUAL_NAMES = ("given", "value", "text", "input", "request", "data")  # of a column that holds an input


@dataclass(frozen=True, slots=True)
class ExistingInputs:
    """Inputs that are there: how each is built, and in words what could not be taken."""

    recipes: tuple[Recipe, ...] = ()
    left_out: tuple[str, ...] = ()


def existing_inputs(
    beside: object, space: InputSpace, passed: Sequence[PassedInput], isolation: Isolation
) -> ExistingInputs:
    """Return the inputs that a user names, each once."""
    recipes: dict[str, Recipe] = {}
    left_out: list[str] = []
    reader = _InputReader(space, passed, isolation, left_out)
    for each in _list_sources(beside):
        for recipe in reader.read(each):
            recipes.setdefault(repr(recipe), recipe)
    return ExistingInputs(tuple(recipes.values()), tuple(left_out))


def _list_sources(beside: object) -> Iterable[object]:
    if isinstance(beside, str | os.PathLike | Suite):
        return [beside]
    if not isinstance(beside, Iterable):
        raise ScopeError(f"beside={beside!r}: give a suite, a list of inputs, or a file of tests or inputs")
    found = [*beside]
    is_of_files = all(isinstance(each, os.PathLike | Suite) or _is_file(each) for each in found)
    return found if is_of_files else [found]


def _is_file(source: object) -> bool:
    return isinstance(source, str) and source.partition("::")[0].endswith((".py", ".json", ".jsonl"))


@dataclass(slots=True)
class _InputReader:
    """Reads inputs as a space would have them."""

    space: InputSpace
    passed: Sequence[PassedInput]
    isolation: Isolation
    left_out: list[str]

    def read(self, source: object) -> Iterator[Recipe]:
        """Yield the inputs of one source."""
        if isinstance(source, Suite):
            yield from (case.recipe for case in source)
        elif isinstance(source, list):
            yield from map(recipe_of, source)
        elif (name := str(source)).partition("::")[0].endswith(".py"):
            yield from self._read_tests(name)
        elif _is_file(name):
            yield from self._read_data(name)
        else:
            raise ScopeError(f"beside={name!r}: give a test file (tests/test_parse.py), or inputs in .json or .jsonl")

    def _read_tests(self, name: str) -> Iterator[Recipe]:
        functions = [str(getattr(each.function, "__name__", "")) for each in self.passed]
        rows = read_rows(name, functions, self.isolation)
        strange = 0
        for row in rows:
            recipe = self._of_row(row)
            strange += recipe is None
            if recipe is not None:
                yield recipe
        if strange:
            wanted = ", ".join(self.space.blanks) or "an input"
            self.left_out.append(f"{name}: {how_many(strange, 'row')} without {wanted}")
        if not rows:
            self.left_out.append(f"{name}: no rows of pytest.mark.parametrize")

    def _of_row(self, row: ParametrizedRow) -> Recipe | None:
        """Return the input in a row: its blanks, or the column that the code's parameter is called by.

        Where no column has such a name, the first is the input if the test names the code.
        """
        recipe = row.columns
        assert isinstance(recipe.result, Items)
        columns = dict(zip(map(str, recipe.result.items[::2]), recipe.result.items[1::2], strict=True))
        blanks = self.space.blanks
        if blanks and set(blanks) <= set(columns):
            return replace(
                recipe, result=Items("dict", tuple(part for name in blanks for part in (name, columns[name])))
            )
        if not columns or (len(blanks) > 1 and "given" not in columns):
            return None
        parameters = [name for each in self.passed for name in parameters_of(each)]
        others = next(iter(columns)) if row.names_code else None
        column = next((name for name in (*parameters, *USUAL_NAMES) if name in columns), others)
        if column is None:
            return None
        is_whole = not blanks or column == "given"
        return replace(recipe, result=columns[column] if is_whole else Items("dict", (blanks[0], columns[column])))

    def _read_data(self, name: str) -> Iterator[Recipe]:
        """Yield the inputs of a file that `unlike generate -o` wrote, or that tests have beside them."""
        try:
            text = read_text_within(name, MOST_SAVED_BYTES)
            rows = text.splitlines() if name.endswith("l") else [text]
            parsed = [parse_json_within(row) for row in rows]
            data = parsed if name.endswith("l") else parsed[0]
        except FileNotFoundError:
            raise ScopeError(f"beside={name!r}: there is no file {name!r}") from None
        except (OSError, ValueError) as error:
            raise ScopeError(f"beside={name!r} cannot be read: {error}") from None
        for value in _values_in(data, name):
            try:
                yield self._of_data(value)
            except UnlikeError as error:
                self.left_out.append(f"{name}: {error}")

    def _of_data(self, value: Any) -> Recipe:
        """Return the input that data of JSON stand for: an object of a class is made of its fields."""
        cls = self.space.annotation if isinstance(self.space, TypeSpace) else None
        if not isinstance(value, dict) or not isinstance(cls, type) or issubclass(cls, dict):
            return recipe_of(value)
        inner = recipe_of(value)
        assert isinstance(inner.result, Items)
        parts = zip(map(str, inner.result.items[::2]), inner.result.items[1::2], strict=True)
        if not is_dataclass(cls) and hasattr(cls, "model_validate"):
            return Recipe(
                (*inner.steps, Call(name_or_given(cls.model_validate), (inner.result,))), Ref(len(inner.steps))
            )
        return Recipe((*inner.steps, Call(name_or_given(cls), (), tuple(parts))), Ref(len(inner.steps)))


def _values_in(data: Any, name: str) -> Iterator[Any]:
    """Yield the inputs of a document: an answer of `unlike generate`, lines of it, or what tests have saved."""
    match data:
        case {"unlike": "answer", "cases": {"inputs": list(rows)}}:
            yield from (row["value"] for row in rows if isinstance(row, dict) and "value" in row)
        case {"unlike": int(), "tests": dict(tests)}:
            for test in tests.values():
                saved = test.get("inputs", ()) if isinstance(test, dict) else ()
                yield from (row["input"] for row in saved if isinstance(row, dict) and "input" in row)
        case list(rows):
            yield from (row["value"] if isinstance(row, dict) and "value" in row else row for row in rows)
        case _:
            raise ScopeError(f"beside={name!r}: neither inputs that unlike wrote nor a list of inputs")
