"""From explored objects to test files that a person can read.

One test per object: it builds the object by its shortest sequence and asserts what the observers returned when the file
was written, and which calls it refuses. Then it makes calls that change the object, each on a fresh one, and asserts
what they returned and what can be seen afterwards. Where there are more calls than a person reads, objects take turns.
A second file shows the errors that were revealed.
"""

from __future__ import annotations

import contextlib
import copy
import functools
import itertools
import math
import re
import signal
import textwrap
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from unlike.errors import ScopeError, UnlikeError
from unlike.explore import Result, Revealed
from unlike.explore.api import Kind, Operation, Template
from unlike.explore.outcomes import DEADLY, ENDED, PRECONDITIONS, Outcome
from unlike.explore.surroundings import HangError
from unlike.recipe import Argument, Items, Method, Recipe, Ref
from unlike.saved import write_whole
from unlike.suite import Case
from unlike.workers import Answer, Death, mark
from unlike.writers.observations import Observation, fields_of, is_plain, line_of, observations_of, written
from unlike.writers.python_source import IN_PLACE, OPERATORS, Source, source_of

T = TypeVar("T")
TESTS_PER_FILE = 1000
MOST_TESTS = 5000
MOST_OBSERVED = 16  # observations in one test
MOST_AFTER = 12  # changing calls in one test
SEEN_AFTER = 6  # observations after each of them
MOST_REFUSED = 3  # calls that the object refuses


@dataclass(frozen=True, slots=True)
class TestFile:
    """One file to write."""

    path: Path
    text: str
    tests: int


TestFile.__test__ = False  # type: ignore[attr-defined]  # pytest: this is no test


@dataclass(slots=True)
class _Sheet:
    """The imports and tests of one file."""

    imports: set[str] = field(default_factory=set)
    tests: list[str] = field(default_factory=list)

    def text(self, title: str) -> str:
        imports = "\n".join(sorted(self.imports, key=lambda line: (line.startswith("from"), line)))
        head = f'"""{title}"""\n' + (f"\n{imports}\n" if imports else "")
        return head + "".join(f"\n\n{test}\n" for test in self.tests)


def write_tests(result: Result, directory: str | Path, *, every: bool = False) -> list[Path]:
    """Write the test files and return their paths."""
    files = files_of(result, directory, every=every)
    Path(directory).mkdir(parents=True, exist_ok=True)
    for file in files:
        write_whole(file.path, file.text)
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
    stem = _snake(result.api.classes[0].__name__)
    parts = math.ceil(len(cases) / TESTS_PER_FILE)
    files = []
    for part in range(parts):
        chunk = cases[part * TESTS_PER_FILE : (part + 1) * TESTS_PER_FILE]
        name = f"test_{stem}.py" if parts == 1 else f"test_{stem}_{part + 1}.py"
        text = object_source(result, chunk, first=part * TESTS_PER_FILE)
        files.append(TestFile(Path(directory) / name, text, len(chunk)))
    if result.errors:
        path = Path(directory) / f"test_{stem}_errors.py"
        files.append(TestFile(path, error_source(result), len(result.errors)))
    return files


# -- objects ---------------------------------------------------------------------------------------


def object_source(result: Result, cases: Sequence[Case], *, first: int = 0) -> str:
    """Return the source of a test file with one test per object."""
    sheet = _Sheet()
    writer = _ObjectWriter(*observations_of(result), _following(result), _refusing(result))
    headings = result.headings()
    verdicts = result.guarded_each(lambda index: writer.test(cases[index], first + index), len(cases))
    for index, verdict in enumerate(verdicts):
        while isinstance(verdict, Death):  # what is asked next did not let its process live: once more, without it
            writer.avoid(verdict, cases[index])
            (verdict,) = result.guarded_each(lambda _, index=index: writer.test(cases[index], first + index), 1)  # type: ignore[misc]
        if not isinstance(verdict, Answer):
            raise UnlikeError(f"the test of {cases[index].label} cannot be written: {verdict.error}")
        test, imports = verdict.result
        sheet.tests.append(_heading(headings.get(first + index, "")) + test)
        sheet.imports |= imports
    if result.selected:
        return sheet.text("\n".join(textwrap.wrap(f"{result.name}: {result.suite.guarantee}.", 117)))
    return sheet.text(f"Every {result.name} within {result.scope}.")


def _following(result: Result) -> list[Template]:
    """Return the calls that change objects; what else they take is another object in the same state."""
    found = [each for each in _on_objects(result) if each.operation not in result.observers]
    return [each for each in found if all(cls in result.api.classes for cls in each.wanted)]


def _refusing(result: Result) -> list[list[Template]]:
    """Return the calls of each operation that some object refused, with nothing but the receiver."""
    refused = [
        operation for operation, outcomes in result.by_operation.items() if outcomes.get(Outcome.PRECONDITION, 0)
    ]
    calls = [each for each in _on_objects(result) if len(each.wanted) == 1]
    groups = [[each for each in calls if each.operation is operation] for operation in refused]
    return [group for group in groups if group]


def _on_objects(result: Result) -> list[Template]:
    """Return the calls on objects, without operations that revealed an error: another call may never return."""
    deadly = {operation for operation, outcomes in result.by_operation.items() if outcomes.get(Outcome.ERROR, 0)}
    found = [each for each in result.api.templates if each.operation.has_receiver and len(each.wanted) <= 2]
    return [each for each in found if each.operation not in deadly]


def _in_turn(things: Sequence[T], number: int, most: int) -> Iterator[T]:
    """Yield all things, beginning where the object before this one stopped after so many of them."""
    for step in range(len(things)):
        yield things[(number * most + step) % len(things)]


@dataclass(slots=True)
class _ObjectWriter:
    simple: Sequence[Observation]
    other: Sequence[Observation]
    following: Sequence[Template]
    refusing: Sequence[Sequence[Template]]
    imports: set[str] = field(default_factory=set)
    deadly: set[tuple[int, int]] = field(default_factory=set)  # tests and questions that no process survives
    number: int = 0  # the test
    asked: int = 0  # questions of this test

    def test(self, case: Case, number: int) -> tuple[str, set[str]]:
        """Return the test of one object, and the imports it needs."""
        self.number, self.asked, self.imports = number, 0, set()
        return self.text(case, number), self.imports

    def avoid(self, death: Death, case: Case) -> None:
        """Ask a question no more that ended its process."""
        number, question = death.at[1:3]
        if not question:
            raise UnlikeError(f"writing the test of {case.label} ended its process: {death.cause}")
        self.deadly.add((number, question))

    def ask(self, question: Callable[[], T]) -> T | None:
        """Return the answer to a question, or nothing to one that no process survives."""
        self.asked += 1
        mark(self.number, self.number, self.asked)
        return None if (self.number, self.asked) in self.deadly else question()

    def text(self, case: Case, number: int) -> str:
        """Return the test of one object."""
        source = source_of(case.recipe, in_place=_stays_in_place(case))
        self.imports |= source.imports
        kind = _snake(case.id.rpartition("-")[0])
        lines = [f"def test_{kind}_{number}() -> None:", *_docstring(case.label)]
        last = self.ask(lambda: _last_line(case, source))
        building = _building(source, last or (source.lines[-1] if source.lines else ""))
        after = list(self.after(case, number))
        if not after:
            return "\n".join([*lines, *_indented([*building, *self.seen(case, number), *self.refused(case, number)])])
        lines += ["", "    def made():", *_indented([*building, "return x"], 8), "", "    x = made()"]
        lines += _indented([*self.seen(case, number), *self.refused(case, number)])
        for call, expected in after:
            lines += _indented(["x = made()", call, expected])
        return "\n".join(lines)

    def seen(self, case: Case, number: int) -> list[str]:
        """Return assertions of what can be seen of the object, of what is the same each time."""
        found: list[str] = []
        attributes = [Observation(f"{{x}}.{name}") for name, _ in fields_of(case.value)]
        for observation in (*self.simple, *attributes, *_in_turn(self.other, number, MOST_OBSERVED)):
            value = self.ask(functools.partial(_seen_twice, observation, case))
            if value is not None:
                found.append(_assertion(observation.on("x"), value))
                self.imports |= observation.imports
            if len(found) == MOST_OBSERVED:
                return found
        return found

    def refused(self, case: Case, number: int) -> list[str]:
        """Return assertions of what the object refuses: a call of each operation, in turn."""
        found: list[str] = []
        for templates in _in_turn(self.refusing, number, MOST_REFUSED):
            for template in _in_turn(templates, number, 1):
                error = self.ask(functools.partial(_raised, template, case))
                if error is None:
                    continue
                with contextlib.suppress(UnlikeError):  # an argument without a literal form cannot be written
                    line, imports = line_of(template)
                    self.imports |= {"import pytest", *imports}
                    found += [f"with pytest.raises({error}):", f"    {line.replace('{x}', 'x')}"]
                    break
            if len(found) == 2 * MOST_REFUSED:
                break
        return found

    def after(self, case: Case, number: int) -> Iterator[tuple[str, str]]:
        """Yield calls that follow on a fresh object, each with what can be seen afterwards."""
        for template in itertools.islice(_in_turn(self.following, number, MOST_AFTER), MOST_AFTER):
            with contextlib.suppress(UnlikeError):
                yield from self.ask(functools.partial(self.one_after, case, template)) or ()

    def one_after(self, case: Case, template: Template) -> list[tuple[str, str]]:
        """Return one call and what can be seen afterwards, if the call is allowed here and something can be seen."""
        thing: Any = case.value
        line, imports = line_of(template)
        try:
            result = _performed(template, case, thing)
        except Exception:  # what the call may not do here is no part of this test
            return []
        if template.operation.name in IN_PLACE and result is not thing:
            return []  # `x += y` would put another object in the place of x
        attributes = [Observation(f"{{x}}.{name}") for name, _ in fields_of(thing)]
        asked = (*attributes[: SEEN_AFTER // 2], *self.simple, *self.other)
        seen = [(each.on("x"), value) for each in asked if (value := each.value(thing)) is not None][:SEEN_AFTER]
        if not seen:
            return []
        self.imports |= imports
        call = line.replace("{x}", "x")
        text = _assertion(call, written(result)) if _shows(template.operation, result) else call
        expressions, values = ", ".join(each for each, _ in seen), ", ".join(value for _, value in seen)
        return [(text, f"assert ({expressions}) == ({values})" if len(seen) > 1 else _assertion(*seen[0]))]


def _stays_in_place(case: Case) -> bool:
    """Tell whether every operator in place gives the object it was called on: only then it can be written as one."""
    steps = case.recipe.steps
    numbers = [n for n, step in enumerate(steps) if isinstance(step, Method) and step.name in IN_PLACE]
    pairs: list[Argument] = [ref for n in numbers for ref in (steps[n].receiver, Ref(n))]  # type: ignore[union-attr]
    made: Any = Case(Recipe(steps, Items("list", tuple(pairs)))).value if pairs else []
    return all(one is other for one, other in zip(made[::2], made[1::2], strict=True))


def _seen_twice(observation: Observation, case: Case) -> str | None:
    """Return what is seen of a fresh object, if it is the same each time."""
    value = observation.value(case.value)
    return value if value is not None and value == observation.value(case.value) else None


def _performed(template: Template, case: Case, thing: object) -> object:
    """Make a call with arguments of its own, and with other objects in the same state where they are wanted."""
    objects = [thing, *(case.value for _ in template.wanted[1:])]
    receiver, args, kwargs = template.filled(objects, copy.deepcopy)
    return template.operation.perform(receiver, args, dict(kwargs))


def _raised(template: Template, case: Case) -> str | None:
    """Return the built-in exception with which the object refuses a call each time; nothing if it does not."""
    names = set()
    for _ in range(2):
        try:
            _performed(template, case, case.value)
        except PRECONDITIONS as error:
            names.add(type(error))
        except Exception:  # an error that was revealed, and stands in the other file
            return None
        else:
            return None
    only = names.pop()
    return only.__name__ if not names and only.__module__ == "builtins" else None


def _shows(operation: Operation, result: object) -> bool:
    """Tell whether what a call returned can be asserted."""
    asked = operation.kind in (Kind.METHOD, Kind.GETTER) and operation.name not in OPERATORS
    return asked and result is not None and is_plain(result)


def _building(source: Source, last: str) -> list[str]:
    """Return the lines that leave the object in `x`."""
    lines = [*source.lines[:-1], last] if source.lines else []
    return lines if source.result == "x" else [*lines, f"x = {source.result}"]


def _last_line(case: Case, source: Source) -> str:
    """Return the last call, with an assertion of what it returned if that is plain."""
    line = source.lines[-1] if source.lines else ""
    last = case.recipe.steps[-1]
    if not isinstance(last, Method) or last.name in OPERATORS or " = " in line.partition("(")[0]:
        return line
    value = Case(Recipe(case.recipe.steps, Ref(len(case.recipe.steps) - 1))).value
    return line if value is None or not is_plain(value) else _assertion(line, written(value))


def _assertion(expression: str, value: str) -> str:
    if value not in ("True", "False", "None"):
        return f"assert {expression} == {value}"
    return f"assert ({expression}) is {value}" if " in " in expression else f"assert {expression} is {value}"


def _indented(lines: Sequence[str], by: int = 4) -> list[str]:
    return [" " * by + line if line else "" for line in lines]


# -- errors ----------------------------------------------------------------------------------------


def error_source(result: Result) -> str:
    """Return the source of a test file that shows every error revealed, by type and place.

    Each sequence is run once more; one that does not show its error again is written as a skipped test.
    """
    sheet = _Sheet()
    for number, error in enumerate(result.errors):
        test = _error_test(error, number, sheet.imports, result)
        if not result.reproduces(error):
            test = _skipped("the error was not seen again when the sequence was run once more", test, sheet)
        sheet.tests.append(test)
    return sheet.text(f"Errors revealed in {result.name}. Each test shows one, and fails once it is mended.")


def _skipped(reason: str, test: str, sheet: _Sheet) -> str:
    sheet.imports.add("import pytest")
    return f"@pytest.mark.skip(reason={reason!r})\n{test}"


def _error_test(error: Revealed, number: int, imports: set[str], result: Result) -> str:
    source = source_of(error.recipe)
    imports |= source.imports
    title = _snake(error.operation.replace(".", "_"))
    words = str(error.failure).partition(", at ")[0].splitlines()[0]
    lines = [f"def test_{title}_{number}() -> None:", f'    """{_sentence(words)}"""']
    hung = error.exception_class is not None and issubclass(error.exception_class, HangError)
    if hung or error.failure.exception.startswith(DEADLY):
        program = [*sorted(source.imports), *source.lines]
        if error.failure.reason != ENDED and not hung:
            program.append(f"{source.result}.{result.invariant}()")
        imports |= {"import os", "import subprocess", "import sys"}
        return "\n".join([*lines, *_indented(_deadly_lines(program, error.failure.exception, imports, hung=hung))])
    if error.exception_class is None:
        building = _building(source, source.lines[-1] if source.lines else "")
        return "\n".join([*lines, *_indented([*building, "", f"assert not x.{result.invariant}()"])])
    name = error.exception_class.__qualname__
    if error.exception_class.__module__ != "builtins":
        imports.add(f"from {error.exception_class.__module__} import {name.partition('.')[0]}")
    imports.add("import pytest")
    *before, last = source.lines or [source.result]
    lines += _indented([*before, f"with pytest.raises({name}) as caught:", f"    {last}"])
    file, _, function = error.failure.place.rpartition(":")[0].rpartition(":")
    if function:
        place = "(caught.traceback[-1].path.name, caught.traceback[-1].frame.code.name)"
        lines += ["", f"    assert {place} == ({Path(file).name!r}, {function!r})"]
    return "\n".join(lines)


def _deadly_lines(program: Sequence[str], cause: str, imports: set[str], *, hung: bool) -> list[str]:
    """Return a test that runs the program in a process of its own, and asserts how that ends."""
    run = 'subprocess.run([sys.executable, "-c", "\\n".join(program)], env=env, timeout=5)'
    lines = ["program = [", *_indented([f"{line!r}," for line in program]), "]"]
    lines.append('env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}')
    if hung or cause.startswith("took"):
        imports.add("import pytest")
        return [*lines, "", "with pytest.raises(subprocess.TimeoutExpired):", f"    {run}"]
    code = int(cause.rpartition(" ")[2]) if "exit code" in cause else -int(signal.Signals[cause.rpartition(" ")[2]])
    return [*lines, "", f"assert {run}.returncode == {code}"]


def _snake(name: str) -> str:
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name)
    return re.sub(r"\W+", "_", words).strip("_").lower()


def _heading(text: str) -> str:
    """Return a comment before a test."""
    return "".join(f"# {line}\n" for line in _wrapped(text, 118))


def _wrapped(text: str, width: int) -> list[str]:
    return textwrap.wrap(text, width, break_long_words=False, break_on_hyphens=False)


def _docstring(label: str) -> list[str]:
    """Return the lines of a docstring: the calls, and for what the object stands if it does so for others."""
    calls, _, stands_for = label.partition("\n")
    if not stands_for:
        return [f'    """{_sentence(calls)}"""']
    shown = stands_for.replace("\\", "\\\\").replace('"""', "'''")
    return [f'    """{_sentence(calls)}', "", *(f"    {line}" for line in _wrapped(f"{shown}.", 112)), '    """']


def _sentence(text: str) -> str:
    shown = text if len(text) <= 90 else text[:87] + "…"
    shown = shown.replace("\\", "\\\\").replace('"""', "'''")
    return shown if shown.endswith((".", "…")) else f"{shown}."
