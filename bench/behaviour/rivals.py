"""Other tools that look at the code: the inputs of `crosshair cover`, and the tests of Pynguin.

Both are installed in an environment of their own (`unlike[power,rivals]`, `--rivals PYTHON`), because they
want other versions of what the study needs. Either may fail on a subject; then the reason stands in the table.
"""

from __future__ import annotations

import ast
import importlib
import importlib.util
import os
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.power.subjects import Parser, Subject

SECONDS = 120  # that a tool searches for inputs of one subject
LATE = 60  # further seconds after which it is ended
CROSSHAIR, PYNGUIN = "CrossHair cover", "Pynguin"

COVERED = """
from bench.behaviour.study import subject_of

SUBJECT = subject_of({group!r}, {name!r})
Inputs = {inputs}


def run(value: Inputs) -> object:
    return SUBJECT.run(value)
"""


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a tool gave nothing for a subject."""

    reason: str


def crosshair(python: str, group: str, subject: Subject, folder: Path) -> list[Any] | Failure:
    """Return the inputs that CrossHair finds for one more line, branch or path of the code."""
    module = folder / "covered.py"
    inputs = "str" if isinstance(subject, Parser) else "SUBJECT.inputs"
    module.write_text(COVERED.format(group=group, name=subject.name, inputs=inputs))
    options = ["--coverage_type", "path", "--example_output_format", "eval_expression"]
    options += ["--per_condition_timeout", str(SECONDS), "--max_uninteresting_iterations", "50"]
    told = started([python, "-m", "crosshair", "cover", "covered.run", *options], folder)
    if isinstance(told, Failure):
        return told
    found = [value for line in told.splitlines() if (value := value_of(line)) is not None]
    return [each[0] for each in found] or Failure(last_line(told) or "it gives no inputs")


def value_of(line: str) -> tuple[Any] | None:
    """Return the argument of a call as CrossHair writes it; None for a line that is none."""
    try:
        call = ast.parse(line.strip(), mode="eval").body
    except SyntaxError:
        return None
    match call:
        case ast.Call(ast.Name("run") | ast.Attribute(_, "run"), [given], []):
            from bench.power import shapes

            names: dict[str, Any] = {**vars(shapes), "shapes": shapes, "bench": importlib.import_module("bench")}
            try:
                return (eval(ast.unparse(given), names),)  # as CrossHair writes values
            except Exception:  # an object that it cannot write
                return None
    return None


def pynguin(python: str, group: str, subject: Subject, folder: Path) -> list[Callable[[], Any]] | Failure:  # noqa: ARG001
    """Return the tests that Pynguin writes for the first of the subject's modules."""
    source = importlib.util.find_spec(subject.modules[0])
    if source is None or source.origin is None:
        return Failure("the module has no file")
    project = Path(source.origin).parents[subject.modules[0].count(".") + (Path(source.origin).name == "__init__.py")]
    options = ["--project-path", str(project), "--module-name", subject.modules[0], "--output-path", str(folder)]
    options += ["--maximum-search-time", str(SECONDS), "--seed", "0", "--assertion-generation", "SIMPLE"]
    told = started([python, "-m", "pynguin", *options], folder)
    files = sorted(folder.glob("test_*.py"))
    if not files:
        return told if isinstance(told, Failure) else Failure(last_line(told) or "it writes no tests")
    from bench.power.sequences import load_file, tests_of

    try:
        return [*tests_of(load_file(files[0]))] or Failure("it writes no tests")
    except Exception as error:
        return Failure(f"its tests cannot be loaded: {error}")


RIVALS: dict[str, Callable[[str, str, Subject, Path], list[Any] | Failure]] = {CROSSHAIR: crosshair, PYNGUIN: pynguin}


def suites_of_rivals(
    python: str, group: str, subject: Subject, keep: Path
) -> tuple[dict[str, list[Any]], dict[str, str]]:
    """Return what each tool gives, and why some gave nothing; what they print and write stays in a folder."""
    found: dict[str, list[Any]] = {}
    failed: dict[str, str] = {}
    for name, ask in RIVALS.items():
        folder = keep / subject.name / name.split()[0].lower()
        folder.mkdir(parents=True, exist_ok=True)
        given = ask(python, group, subject, folder.absolute())
        if isinstance(given, Failure):
            failed[name] = given.reason
        else:
            found[name] = given
    return found, failed


def started(words: list[str], folder: Path) -> str | Failure:
    """Run a tool within its time, and return what it printed; what ran in this folder before is not run again."""
    printed, failed = folder / "printed.txt", folder / "failed.txt"
    if printed.exists():
        return printed.read_text()
    if failed.exists():
        return Failure(failed.read_text())
    path = os.pathsep.join([str(folder), str(Path.cwd())])
    around = os.environ | {"PYTHONPATH": path, "PYTHONHASHSEED": "0", "PYNGUIN_DANGER_AWARE": "1"}
    try:
        done = subprocess.run(
            words, capture_output=True, text=True, env=around, cwd=folder, timeout=SECONDS + LATE, check=False
        )
    except subprocess.TimeoutExpired:
        why = f"did not end within {SECONDS + LATE} s"
    else:
        if done.returncode == 0 or done.stdout.strip():
            printed.write_text(done.stdout)
            return done.stdout
        why = last_line(done.stderr) or f"exit code {done.returncode}"
    failed.write_text(why)
    return Failure(why)


def last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1][:100] if lines else ""
