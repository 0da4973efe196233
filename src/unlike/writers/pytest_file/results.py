"""Inputs that were chosen by code as a test file: each with what the code gave, to be judged by a person.

A result is what the code returned, as a literal or by its `repr`, or what it raised. What has neither, or is another
one in a new process where texts have other hashes and the calls another order, is not asserted but named.
"""

from __future__ import annotations

import asyncio
import inspect
import json
import keyword
import os
import re
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from unlike.behaviour.calls import PassedInput
from unlike.behaviour.result import ChosenCases, words_of
from unlike.core import Deadline, Isolation
from unlike.errors import RecipeError, ScopeError
from unlike.isolation.copy import each_in_copies
from unlike.isolation.verdicts import Answer
from unlike.recipe import Items, Name, Recipe, import_name, name_of
from unlike.suite import Case
from unlike.writers.observations import ADDRESS, is_plain, source_of_value
from unlike.writers.python_source import source_of

LONGEST = 1_000  # characters of a result: nobody judges a longer one
WIDEST = 100  # characters of a comment
SECONDS = 60  # for all calls in a new process, which have been made before
ORDERS = ("1", 1), ("2", -1)  # hash seeds of new processes, and the order in which calls are made there
TAKEN = {"expected", "error", "given", "pytest", "asyncio", "request"}  # names that a test file has, or pytest
Kind = Literal["literal", "repr", "raises"]
HEAD = '''"""What {names} gave for inputs that were chosen by its behaviour: nobody has judged it yet.

Read each row. Where a result is not what it should be, write down what it should be, and mend the code.
"""
'''
PROGRAM = """
import json, sys
imports, rows, order = json.load(sys.stdin)
space, held = {"__name__": "rows"}, []
exec("\\n".join(imports), space)
for call, kind, expected in rows[::order]:
    try:
        exec(call, space)
        found = space["found"] if kind == "literal" else repr(space["found"])
        held.append(kind != "raises" and found == eval(expected))
    except BaseException as error:
        held.append(kind == "raises" and isinstance(error, eval(expected, space)))
sys.__stdout__.write("\\n" + json.dumps(held[::order]))
"""


@dataclass(frozen=True, slots=True)
class ResultRow:
    """An input of a function, and what it gave."""

    cells: tuple[str, ...]  # the input as source: a cell for each blank, or one for all of it
    kind: Kind
    expected: str  # as source
    why: str
    words: str  # the input, for people


@dataclass(slots=True)
class TestedFunction:
    """A function, how a test calls it, and its rows."""

    passed: PassedInput
    name: str  # as the test file calls it
    columns: tuple[str, ...]
    imports: set[str]
    rows: list[ResultRow] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)

    @property
    def finish(self) -> tuple[str, Callable[[Any], object]]:
        """How a result is made of what a call gives: as source, and done."""
        if inspect.isgeneratorfunction(self.passed.function):
            return "list({})", list
        if inspect.iscoroutinefunction(self.passed.function):
            return "asyncio.run({})", asyncio.run
        return "{}", lambda result: result

    def call(self, cells: Sequence[str]) -> str:
        """Return a call as source, given what stands for each column."""
        given = ", ".join(cells)
        if self.passed.parts:
            given = f"**{given}"
        elif self.passed.blanks and self.columns == ("given",):
            given = f"**{given}" if self.passed.by_name else f"{given}[{self.passed.blanks[0]!r}]"
        elif self.passed.blanks and self.passed.by_name:
            given = ", ".join(f"{name}={cell}" for name, cell in zip(self.columns, cells, strict=True))
        return self.finish[0].format(f"{self.name}({given})")


def result_tests(chosen: ChosenCases, names: Mapping[int, Name], isolation: Isolation, deadline: Deadline) -> str:
    """Return a test file of chosen inputs; `names` are known ones of functions, by their id."""
    functions = _name_functions(chosen, names)
    for each in functions:
        _add_rows(each, chosen.cases, isolation, deadline)
    _leave_out_unsteady(functions)
    imports = {line for each in functions if each.rows for line in each.imports}
    standard = ["import asyncio\n"] * ("import asyncio" in imports)
    lines = "".join(f"{line}\n" for line in sorted(imports - {"import asyncio"}))
    head = HEAD.format(names=", ".join(each.name for each in functions))
    bodies = [body for each in functions for body in _bodies(each)]
    left = [f"# Not asserted: {_one_line(words)}\n" for each in functions for words in each.left_out]
    parts = [f"{head}\n{''.join(standard)}import pytest\n{lines}", *bodies, *(["".join(left)] if left else [])]
    return "\n\n".join(parts)


def _name_functions(chosen: ChosenCases, names: Mapping[int, Name]) -> list[TestedFunction]:
    found: list[TestedFunction] = []
    for passed in chosen.passed:
        name = names.get(id(passed.function)) or _own_name(passed.function)
        first, dot, rest = name.qualname.partition(".")
        taken = {each.name.partition(".")[0] for each in found}
        alias = first if first not in taken else f"{first}_{len(found) + 1}"
        line = f"from {name.module} import {first}" + (f" as {alias}" if alias != first else "")
        columns = passed.blanks or ("value",)
        plain = all(each.isidentifier() and not keyword.iskeyword(each) for each in columns)
        split = all(isinstance(case.recipe.result, Items) and _is_flat(case.recipe) for case in chosen.cases)
        if passed.blanks and not (plain and split and TAKEN.isdisjoint(columns) and alias not in columns):
            columns = ("given",)
        columns = ("given",) if passed.parts else columns
        made = TestedFunction(passed, f"{alias}{dot}{rest}", columns, {line})
        made.imports |= {"import asyncio"} if made.finish[0].startswith("asyncio") else set()
        found.append(made)
    return found


def _own_name(function: object) -> Name:
    try:
        name = name_of(function)
        if import_name(name) == function:
            return name
    except RecipeError:
        pass
    raise ScopeError(
        f"{function!r} cannot be imported by name, as a test has to; give it a name at the top of a module"
    )


def _is_flat(recipe: Recipe) -> bool:
    """Tell whether a dict of blanks can be written blank by blank, without lines before it."""
    try:
        return not source_of(recipe).lines
    except RecipeError:
        return True  # it is left out


def _add_rows(function: TestedFunction, cases: Sequence[Case], isolation: Isolation, deadline: Deadline) -> None:
    """Run the code on each input, and put down what came of it."""

    def look(number: int) -> tuple[str, str, str]:
        return _see_result(function, cases[number].recipe)

    for case, verdict in zip(cases, each_in_copies(look, len(cases), isolation, deadline), strict=True):
        words = f"{function.name}: {words_of(case.recipe)}"
        if not isinstance(verdict, Answer):
            function.left_out.append(f"{words}: {verdict}")
            continue
        kind, expected, line = verdict.result
        try:
            cells, needed = _cells(function, case.recipe)
        except RecipeError as error:
            function.left_out.append(f"{words}: {error}")
            continue
        if kind not in ("literal", "repr", "raises"):
            function.left_out.append(f"{words}: {kind}")
            continue
        function.imports |= needed | ({line} if line else set())
        why = case.why if case.legal else f"not legal ({case.label}); {case.why}"
        function.rows.append(ResultRow(cells, kind, expected, why, words))


def _cells(function: TestedFunction, recipe: Recipe) -> tuple[tuple[str, ...], set[str]]:
    """Return an input as source, column by column, and what has to be imported."""
    if function.columns in (("given",), ("value",)) and function.passed.blanks != function.columns:
        source = source_of(function.passed.keywords(recipe) if function.passed.parts else recipe)
        if source.lines:
            raise RecipeError("it is made in several steps")
        return (source.result,), source.imports
    assert isinstance(recipe.result, Items)
    items = dict(zip(recipe.result.items[::2], recipe.result.items[1::2], strict=True))
    sources = [source_of(Recipe(recipe.steps, items[name])) for name in function.columns]
    return tuple(each.result for each in sources), {line for each in sources for line in each.imports}


def _see_result(function: TestedFunction, recipe: Recipe) -> tuple[str, str, str]:
    """Return what a call gives: its kind, its source, and what that needs; or a kind that says why there is none."""
    call = function.passed.call(recipe)
    try:
        result = function.finish[1](call.function(*call.args, **call.kwargs))
    except BaseException as error:  # the code under test may raise anything
        name = raised_name(type(error))
        line = f"from {name.module} import {name.qualname.partition('.')[0]}" if name.module != "builtins" else ""
        return "raises", name.qualname, line
    text = source_of_value(result) if is_plain(result) else repr(repr(result))
    if len(text) > LONGEST:
        return f"its result is longer than {LONGEST:,} characters", "", ""
    if ADDRESS in text:
        return f"its result, of type {type(result).__name__}, has neither a literal nor a text of its own", "", ""
    return "literal" if is_plain(result) else "repr", text, ""


def raised_name(cls: type[BaseException]) -> Name:
    """Return the name of an exception's class, or of the nearest base that can be imported."""
    for base in cls.__mro__:
        try:
            return _own_name(base)
        except ScopeError:
            continue
    return Name("builtins", "BaseException")


def _leave_out_unsteady(functions: Sequence[TestedFunction]) -> None:
    """Leave out what is not the same in new processes."""
    rows = [(each, row) for each in functions for row in each.rows]
    if not rows:
        return
    imports = sorted({line for each in functions for line in each.imports})
    calls = [[f"found = {each.call(row.cells)}", row.kind, row.expected] for each, row in rows]
    folders = [_folder_of(each.passed.function) for each in functions]
    path = os.pathsep.join(filter(None, [*sys.path, *folders]))
    doubts: list[str] = [""] * len(rows)
    for seed, order in ORDERS:
        given = json.dumps([imports, calls, order])
        env = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": path}
        command = [sys.executable, "-c", PROGRAM]
        try:
            done = subprocess.run(command, input=given, capture_output=True, text=True, env=env, timeout=SECONDS)
            again = json.loads(done.stdout.rpartition("\n")[2])
            found = ["" if same else "it gave something else in a new process" for same in again]
        except subprocess.TimeoutExpired:
            found = [f"a new process did not end within {SECONDS} s"] * len(rows)
        except ValueError:  # code under test that ends its process
            found = ["a new process ended before it had run all"] * len(rows)
        doubts = [one or other for one, other in zip(doubts, found, strict=True)]
    for (function, row), doubt in zip(rows, doubts, strict=True):
        if doubt:
            function.rows.remove(row)
            function.left_out.append(f"{row.words}: {doubt}")


def _folder_of(function: object) -> str:
    """Return where a module lies that was named by its file."""
    file = getattr(sys.modules.get(getattr(function, "__module__", "") or ""), "__file__", None)
    return str(Path(file).absolute().parent) if file else ""


def _bodies(function: TestedFunction) -> list[str]:
    """Return the tests of a function: what it returned, by a literal and by its text, and what it raised."""
    call, title = function.call(function.columns), re.sub(r"\W", "_", function.name)
    bodies = []
    for kind, name, line in (
        ("literal", f"test_{title}", f"assert {call} == expected"),
        ("repr", f"test_text_of_{title}", f"assert repr({call}) == expected"),
        ("raises", f"test_{title}_raises", f"with pytest.raises(error):\n        {call}"),
    ):
        rows = [row for row in function.rows if row.kind == kind]
        columns = (*function.columns, "error" if kind == "raises" else "expected")
        if rows:
            bodies.append(_one_test(name, columns, rows, line))
    return bodies


def _one_test(name: str, columns: Sequence[str], rows: Sequence[ResultRow], line: str) -> str:
    named = ", ".join(f'"{each}"' for each in columns)
    lines = [f"        # {_one_line(row.why)}\n        ({', '.join((*row.cells, row.expected))}),\n" for row in rows]
    head = f"@pytest.mark.parametrize(\n    ({named}),\n    [\n{''.join(lines)}    ],\n)\n"
    return f"{head}def {name}({', '.join(columns)}):\n    {line}\n"


def _one_line(words: str) -> str:
    """Return words as a comment can hold them."""
    line = "".join(each if each.isprintable() else " " for each in " ".join(words.split()))
    return line if len(line) <= WIDEST else f"{line[:WIDEST]}…"
