"""Test files as pages: of the objects that an exploration found, of the errors it revealed, of structures."""

from __future__ import annotations

import math
import signal
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from unlike.classes.evidence import DEADLY, ENDED, Revealed
from unlike.classes.result import Result
from unlike.classes.run import SearchSpec
from unlike.classes.verb import EVERYTHING, KnownApis, explore, explore_concrete
from unlike.core import FOREVER, USUAL, Deadline, Isolation
from unlike.errors import UnlikeError
from unlike.scope import compiled_pattern
from unlike.suite import Case
from unlike.writers.envelope import Medium, Page
from unlike.writers.pytest_file.drafts import (
    Draft,
    TestModule,
    building,
    fill,
    fold,
    indent,
    sentence,
    snake,
    test_name,
)
from unlike.writers.pytest_file.objects import object_tests
from unlike.writers.pytest_file.other_order import leave_out_unordered
from unlike.writers.python_source import SourceLines, source_of

if TYPE_CHECKING:
    from unlike.field_exhaustive import FieldSuiteResult
    from unlike.invariants.result import Structures

Accepted: TypeAlias = "Structures | FieldSuiteResult"  # structures that an invariant accepts: all of them, or a few
LEARNED = 300  # objects are explored to learn what the calls of a class do
HALF = 0.5  # of the time; the rest is for writing the tests
TESTS_PER_FILE = 1000  # editors and pytest still open such a file quickly


def object_pages(result: Result, medium: Medium) -> Iterator[Page]:
    """Yield the tests of objects and errors: in a folder files with so many each, else all on one page."""
    cases = list(result.suite)
    calls = _with_observers(result)
    if medium != "folder":
        tests = object_tests(result, cases, calls=calls)
        yield replace(tests, pieces=[*tests.pieces, *(["\n\n", error_source(result)] if result.errors else [])])
        return
    stem = f"test_{snake(result.api.classes[0].__name__)}"
    for name, numbers in _split(stem, len(cases)):
        if result.deadline.is_over():
            break
        some, is_last = cases[numbers.start : numbers.stop], numbers.stop == len(cases)
        tests = object_tests(result, some, calls=calls, first=numbers.start, is_last=is_last)
        yield replace(tests, name=name)
    if result.errors:
        yield Page(f"{stem}_errors.py", [error_source(result)])


def _with_observers(result: Result) -> Result:
    """Return what is known of the calls that tests make: the others, too, where only some were to build objects.

    Of methods that the user left out those are called that change nothing.
    """
    search, states = result.search, result.search.options.states
    if search.policy.names is None and states.methods is None:
        return result
    options = replace(
        search.options,
        states=replace(states, methods=None),
        exploring=replace(search.options.exploring, most_states=LEARNED),
        deadline=result.deadline.part(HALF),
    )
    learned = explore_concrete(
        SearchSpec(result.api.classes, result.scope, options, guesses=result.api.guesses), EVERYTHING, KnownApis()
    )
    learned.deadline = result.deadline
    if states.methods is not None:
        kept = compiled_pattern(states.methods, "methods")
        templates = tuple(
            each
            for each in learned.api.templates
            if each.operation in learned.observers or kept.fullmatch(each.operation.name) or not each.wanted
        )
        learned.api = replace(learned.api, templates=templates)
    return learned


def _split(stem: str, count: int) -> Iterator[tuple[str, range]]:
    """Yield the names of the files for so many tests, and which of the tests each file holds."""
    parts = math.ceil(count / TESTS_PER_FILE)
    for part in range(parts):
        name = f"{stem}.py" if parts == 1 else f"{stem}_{part + 1}.py"
        yield name, range(part * TESTS_PER_FILE, min(count, (part + 1) * TESTS_PER_FILE))


# -- structures ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class WritingLimits:
    """What the tests of structures may take to be written: their calls are tried first."""

    deadline: Deadline = FOREVER
    isolation: Isolation = USUAL


UNLIMITED = WritingLimits()


def structure_pages(result: Accepted, medium: Medium, noun: str, limits: WritingLimits) -> Iterator[Page]:
    """Yield one test per structure, built field by field: in a folder files with so many each, else all on one page."""
    calls = _learn_calls(result, limits)
    if medium != "folder":
        yield _structure_tests(result, range(result.count), calls)
        return
    for name, numbers in _split(test_name(result.cls.__name__, noun), result.count):
        yield replace(_structure_tests(result, numbers, calls), name=name)


def _learn_calls(result: Accepted, limits: WritingLimits) -> Result | str:
    """Explore a few objects of the class, to know its calls and what they do; or say why that cannot be."""
    invariant = result.invariant if hasattr(result.cls, result.invariant) else None
    try:
        return explore(
            result.cls,
            scope=result.table.scope,
            invariant=invariant,
            most_states=LEARNED,
            values="concrete",
            timeout=limits.deadline.part(HALF),
            **limits.isolation.keywords(),
        )
    except UnlikeError as error:
        return str(error)


def _structure_tests(result: Accepted, numbers: range, calls: Result | str) -> Page:
    """Return tests of structures: what can be seen of each, and what follows when it is changed."""
    title = f"Structures that {result.cls.__name__}.{result.invariant} accepts within {result.table.scope}."
    if isinstance(calls, str):
        return Page("", [_only_accepted(result, numbers, f"{title}\n\nNo calls are asserted: {calls}")])
    cases, is_last = [result.suite[number] for number in numbers], numbers.stop == result.count
    return object_tests(calls, cases, calls=calls, first=numbers.start, is_last=is_last, title=title)


def _only_accepted(result: Accepted, numbers: range, title: str) -> str:
    sheet, suite = TestModule(), result.suite
    for number in numbers:
        sheet.tests.append(_test(suite[number], number, sheet, result))
    return sheet.text(title)


def _test(case: Case, number: int, sheet: TestModule, result: Accepted) -> str:
    source = source_of(case.recipe)
    sheet.imports |= source.imports
    lines = [f"def {test_name(result.cls.__name__, number)}() -> None:", f'    """{sentence(case.label)}"""']
    made = building(source)
    check = f"assert x.{result.invariant}()" if hasattr(result.cls, result.invariant) else "assert x is not None"
    return "\n".join(short for line in [*lines, *indent([*made, "", check])] for short in fold(line))


# -- errors --------------------------------------------------------------------------------------------


def error_source(result: Result) -> str:
    """Return the source of a test file that shows every error revealed, by type and place.

    Each sequence is run once more; one that does not show its error again is written as a skipped test. So is one that
    was stopped for the memory it took: without that limit there may be no error.
    """
    sheet, drafts = TestModule(), list[Draft]()
    for number, error in enumerate(result.errors):
        draft = _error_test(error, number, result)
        if _is_of_memory(error):
            draft.skip(f"it took more memory than it was allowed: {error.failure.exception}")
        elif not result.reproduces(error):
            draft.skip("the error was not seen again when the sequence was run once more")
        drafts.append(draft)
    leave_out_unordered(
        [draft for draft, error in zip(drafts, result.errors, strict=True) if not _is_deadly(error)],
        "the error is not seen in every run: it depends on the order of texts in a set",
    )
    for draft, error in zip(drafts, result.errors, strict=True):
        if draft.is_too_long:
            sheet.tests.append(f"# {error.operation}, too long for a test: {sentence(error.failure.exception)}")
        else:
            sheet.tests.append(draft.text)
            sheet.imports |= draft.imports
    return sheet.text(f"Errors revealed in {result.name}. Each test shows one, and fails once it is mended.")


def _is_deadly(error: Revealed) -> bool:
    return error.hung or error.failure.exception.startswith(DEADLY)


def _is_of_memory(error: Revealed) -> bool:
    """Tell whether the error may be due to the limit under which the call was made."""
    kind = error.exception_class
    return (kind is not None and issubclass(kind, MemoryError)) or error.failure.exception == "killed by SIGKILL"


def _error_test(error: Revealed, number: int, result: Result) -> Draft:
    """Return the test that shows an error."""
    source = source_of(error.recipe)
    words = str(error.failure).partition(", at ")[0].splitlines()[0]
    draft = Draft(
        test_name(error.operation, number), [f'    """{sentence(words)}"""'], [], [], imports={*source.imports}
    )
    if _is_deadly(error):
        program = [*sorted(source.imports), *source.lines]
        if error.failure.reason != ENDED and not error.hung:
            program.append(f"{source.result}.{result.invariant}()")
        draft.imports |= {"import os", "import subprocess", "import sys"}
        draft.building = _deadly_lines(program, error.failure.exception, draft.imports, hung=error.hung)
    elif error.exception_class is None:
        draft.building = [*building(source), "", f"assert not x.{result.invariant}()"]
    else:
        draft.building = _raising_lines(error, source, draft.imports, error.exception_class)
    draft.bare = draft.building
    return draft


def _raising_lines(error: Revealed, source: SourceLines, imports: set[str], cls: type[BaseException]) -> list[str]:
    """Return a test of what is raised, and where."""
    name = cls.__qualname__
    if cls.__module__ != "builtins":
        imports.add(f"from {cls.__module__} import {name.partition('.')[0]}")
    imports.add("import pytest")
    *before, last = source.lines or [source.result]
    lines = [*before, f"with pytest.raises({name}) as caught:", f"    {last}"]
    file, _, function = error.failure.place.rpartition(":")[0].rpartition(":")
    if file.startswith("<"):  # a module that is part of Python itself has no path
        return [*lines, "", f"assert caught.traceback[-1].frame.code.name == {function!r}"]
    if function:
        place = "(caught.traceback[-1].path.name, caught.traceback[-1].frame.code.name)"
        return [*lines, "", f"assert {place} == ({Path(file).name!r}, {function!r})"]
    return lines


def _deadly_lines(program: Sequence[str], cause: str, imports: set[str], *, hung: bool) -> list[str]:
    """Return a test that runs the program in a process of its own, and asserts how that ends."""
    run = 'subprocess.run([sys.executable, "-c", "\\n".join(program)], env=env, timeout=5)'
    shown = [short[4:] for line in program for short in fill(f"{line!r},", " " * 8)]  # it is indented once more
    lines = ["program = [", *shown, "]"]
    lines.append('env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}')
    if hung or cause.startswith("took"):
        imports.add("import pytest")
        return [*lines, "", "with pytest.raises(subprocess.TimeoutExpired):", f"    {run}"]
    code = int(cause.rpartition(" ")[2]) if "exit code" in cause else -int(signal.Signals[cause.rpartition(" ")[2]])
    return [*lines, "", f"assert {run}.returncode == {code}"]
