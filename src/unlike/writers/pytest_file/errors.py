"""Tests that show the errors an exploration revealed."""

from __future__ import annotations

import signal
from collections.abc import Sequence
from pathlib import Path

from unlike.classes.evidence import DEADLY, ENDED, Revealed
from unlike.classes.result import Result
from unlike.classes.workbench import HangError
from unlike.writers.pytest_file.test_module import TestModule, building, indented, sentence, snake
from unlike.writers.python_source import source_of


def error_source(result: Result) -> str:
    """Return the source of a test file that shows every error revealed, by type and place.

    Each sequence is run once more; one that does not show its error again is written as a skipped test. So is one that
    was stopped for the memory it took: without that limit there may be no error.
    """
    sheet = TestModule()
    for number, error in enumerate(result.errors):
        test = _error_test(error, number, sheet.imports, result)
        if _is_of_memory(error):
            test = _skipped(f"it took more memory than it was allowed: {error.failure.exception}", test, sheet)
        elif not result.reproduces(error):
            test = _skipped("the error was not seen again when the sequence was run once more", test, sheet)
        sheet.tests.append(test)
    return sheet.text(f"Errors revealed in {result.name}. Each test shows one, and fails once it is mended.")


def _is_of_memory(error: Revealed) -> bool:
    """Tell whether the error may be due to the limit under which the call was made."""
    kind = error.exception_class
    return (kind is not None and issubclass(kind, MemoryError)) or error.failure.exception == "killed by SIGKILL"


def _skipped(reason: str, test: str, sheet: TestModule) -> str:
    sheet.imports.add("import pytest")
    return f"@pytest.mark.skip(reason={reason!r})\n{test}"


def _error_test(error: Revealed, number: int, imports: set[str], result: Result) -> str:
    source = source_of(error.recipe)
    imports |= source.imports
    title = snake(error.operation.replace(".", "_"))
    words = str(error.failure).partition(", at ")[0].splitlines()[0]
    lines = [f"def test_{title}_{number}() -> None:", f'    """{sentence(words)}"""']
    hung = error.exception_class is not None and issubclass(error.exception_class, HangError)
    if hung or error.failure.exception.startswith(DEADLY):
        program = [*sorted(source.imports), *source.lines]
        if error.failure.reason != ENDED and not hung:
            program.append(f"{source.result}.{result.invariant}()")
        imports |= {"import os", "import subprocess", "import sys"}
        return "\n".join([*lines, *indented(_deadly_lines(program, error.failure.exception, imports, hung=hung))])
    if error.exception_class is None:
        made = building(source, source.lines[-1] if source.lines else "")
        return "\n".join([*lines, *indented([*made, "", f"assert not x.{result.invariant}()"])])
    name = error.exception_class.__qualname__
    if error.exception_class.__module__ != "builtins":
        imports.add(f"from {error.exception_class.__module__} import {name.partition('.')[0]}")
    imports.add("import pytest")
    *before, last = source.lines or [source.result]
    lines += indented([*before, f"with pytest.raises({name}) as caught:", f"    {last}"])
    file, _, function = error.failure.place.rpartition(":")[0].rpartition(":")
    if function:
        place = "(caught.traceback[-1].path.name, caught.traceback[-1].frame.code.name)"
        lines += ["", f"    assert {place} == ({Path(file).name!r}, {function!r})"]
    return "\n".join(lines)


def _deadly_lines(program: Sequence[str], cause: str, imports: set[str], *, hung: bool) -> list[str]:
    """Return a test that runs the program in a process of its own, and asserts how that ends."""
    run = 'subprocess.run([sys.executable, "-c", "\\n".join(program)], env=env, timeout=5)'
    lines = ["program = [", *indented([f"{line!r}," for line in program]), "]"]
    lines.append('env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}')
    if hung or cause.startswith("took"):
        imports.add("import pytest")
        return [*lines, "", "with pytest.raises(subprocess.TimeoutExpired):", f"    {run}"]
    code = int(cause.rpartition(" ")[2]) if "exit code" in cause else -int(signal.Signals[cause.rpartition(" ")[2]])
    return [*lines, "", f"assert {run}.returncode == {code}"]
