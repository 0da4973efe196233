"""Other ways to make objects: calls without an object whose results no sequence needs, and what constructors refuse."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Iterator, Sequence

from unlike.classes.api import Kind, Template
from unlike.classes.beside_scope import beside_scope
from unlike.classes.result import Result
from unlike.errors import UnlikeError
from unlike.isolation import Answer
from unlike.recipe import Call, Recipe, Ref, Step, quote
from unlike.suite import Case
from unlike.writers.observations import AnswerLook
from unlike.writers.pytest_file.drafts import Draft, is_wide, test_name
from unlike.writers.python_source import source_of

MOST_MADE = 8  # calls of one operation
REFUSALS = (ValueError, TypeError, IndexError, KeyError)


def making(result: Result, cases: Sequence[Case], look: AnswerLook) -> list[Draft]:
    """Return the test of calls that need no object, without those that the tests of the objects make."""
    known = {case.recipe.steps for case in cases if len(case.recipe.steps) == 1}
    calls = [each for each in _calls(result) if each.steps not in known]
    lines: list[list[str]] = []
    imports: set[str] = set()
    for recipe, verdict in zip(calls, result.each_in_copies(lambda n: _lines(calls[n], look), len(calls)), strict=True):
        if isinstance(verdict, Answer) and verdict.result:
            lines.append(verdict.result)
            imports |= source_of(recipe).imports
            imports |= {"import pytest"} if "pytest." in verdict.result[0] else set()
    return list(_short_tests(test_name(result.api.classes[0].__name__, "made_in_other_ways"), lines, imports))


def _short_tests(name: str, lines: Sequence[list[str]], imports: set[str]) -> Iterator[Draft]:
    """Yield the assertions in tests that a person would read."""
    docs = ['    """What is made without an object, or refused."""']
    lines, first = [each for each in lines if not is_wide(each)], 0
    for part in itertools.count(1):
        rest = Draft(name if part == 1 else f"{name}_part_{part}", docs, [], [], list(lines[first:]), imports=imports)
        if not rest.parts:
            return
        rest.shorten()
        first += max(1, len(rest.parts))
        yield rest


def find_deadly(result: Result) -> list[str]:
    """Return the operations with a call that ended its process or did not return."""
    return list(dict.fromkeys(each.operation for each in result.errors if each.is_deadly or each.hung))


def _calls(result: Result) -> Iterator[Recipe]:
    """Yield the calls that need no object, a few of each operation."""
    for operation in result.api.makers():
        if operation.title in (*result.unsteady, *find_deadly(result)) or operation.kind is Kind.FUNCTION:
            continue
        templates = [each for each in result.api.templates if each.operation is operation and not each.wanted]
        for template in (*templates[:MOST_MADE], *beside_scope(templates)):
            with contextlib.suppress(UnlikeError):  # an argument without a literal form cannot be written
                yield recipe_of(template)


def recipe_of(template: Template) -> Recipe:
    """Return the recipe of a call that needs no object."""
    steps: list[Step] = []
    _, args, kwargs = template.fill([], lambda value: quote(value, steps))
    steps.append(Call(template.operation.recipe_name, args, kwargs))
    return Recipe(tuple(steps), Ref(len(steps) - 1))


def _lines(recipe: Recipe, look: AnswerLook) -> list[str]:
    """Return assertions of what a call gives, or that it refuses."""
    source = source_of(recipe)
    if source.lines:
        return []  # arguments that need lines of their own
    try:
        answer = Case(recipe).value
    except REFUSALS as error:
        kind = type(error)
        return [f"with pytest.raises({kind.__name__}):", f"    {source.result}"] if kind in REFUSALS else []
    return look.lines(source.result, answer, None)
