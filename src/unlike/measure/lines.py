"""Which lines and branches of the measured code a suite runs, as `coverage` counts them."""

from __future__ import annotations

import ast
import importlib
import importlib.util
import json
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from unlike.core import Isolation
from unlike.errors import UnlikeError
from unlike.isolation import Answer, call_in_copy
from unlike.measure.subject import MeasuredCode

NOT_INSTALLED = "lines and branches need coverage: pip install 'unlike[measure]'"


@dataclass(frozen=True, slots=True)
class RunParts:
    """Lines and branches: how many were run, of how many."""

    lines: int
    all_lines: int
    branches: int
    all_branches: int


def can_count() -> bool:
    """Tell whether `coverage` is there."""
    return importlib.util.find_spec("coverage") is not None


def parts_run(
    subject: MeasuredCode, run: Callable[[], object], isolation: Isolation, *, in_scratch: bool
) -> RunParts | None:
    """Return what some work runs of the code that is measured; the module is loaded anew, as it was written."""
    found = call_in_copy(lambda: _count(subject, run), isolation, in_scratch=in_scratch)
    return RunParts(*found.result) if isinstance(found, Answer) else None


def _count(subject: MeasuredCode, run: Callable[[], object]) -> tuple[int, int, int, int]:
    coverage: Any = importlib.import_module("coverage")
    measured = coverage.Coverage(data_file=None, branch=True, include=[subject.file], config_file=False, messages=False)
    measured.start()
    try:
        subject.load_plain()
        run()
    finally:
        measured.stop()
    file, ranges = _report(measured), owned_lines(subject)

    def count(items: Sequence[Any]) -> int:
        return sum(_is_owned(each[0] if isinstance(each, list) else each, ranges) for each in items)

    lines, branches = count(file["executed_lines"]), count(file["executed_branches"])
    return lines, lines + count(file["missing_lines"]), branches, branches + count(file["missing_branches"])


def branches_of(subject: MeasuredCode, runs: Sequence[Callable[[], object]]) -> list[set[tuple[int, int]]]:
    """Return for each piece of work the branches of the measured code that it takes: from which line to which."""
    found = call_in_copy(lambda: _branches(subject, runs), in_scratch=True)
    if not isinstance(found, Answer):
        raise UnlikeError(f"branches could not be counted: {found}")
    return [{(start, end) for start, end in each} for each in found.result]


def _branches(subject: MeasuredCode, runs: Sequence[Callable[[], object]]) -> list[list[tuple[int, int]]]:
    coverage: Any = importlib.import_module("coverage")
    measured = coverage.Coverage(data_file=None, branch=True, include=[subject.file], config_file=False, messages=False)
    measured.set_option("run:core", "ctrace")  # others do not tell pieces of work apart
    measured.start()
    try:
        subject.load_plain()
        for number, run in enumerate(runs):
            measured.switch_context(f"work {number}")
            run()
    finally:
        measured.stop()
    known = {tuple(each) for each in _report(measured)["executed_branches"] if _is_owned(each[0], owned_lines(subject))}
    data = measured.get_data()
    (file,) = data.measured_files()
    found = []
    for number in range(len(runs)):
        data.set_query_contexts([f"^work {number}$"])
        found.append(sorted(known.intersection(data.arcs(file) or ())))
    return found


def _report(measured: Any) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "coverage.json"
        measured.json_report(outfile=str(path))
        (file,) = json.loads(path.read_text())["files"].values()
    return file


def _is_owned(line: int, ranges: Sequence[tuple[int, int]]) -> bool:
    return any(low <= line <= high for low, high in ranges)


def owned_lines(subject: MeasuredCode) -> list[tuple[int, int]]:
    """Return the first and last lines of the definitions that are measured."""
    found = []
    for node in ast.parse(subject.source).body:
        name = getattr(node, "name", None)
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            name = node.targets[0].id
        if subject.owners is None or name in subject.owners:
            first = min([node.lineno, *(each.lineno for each in getattr(node, "decorator_list", ()))])
            found.append((first, node.end_lineno or node.lineno))
    return found
