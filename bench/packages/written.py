"""What `unlike explore MODULE:CLASS -o DIR` writes: whether a person would commit it, and it passes in every process.

Each file is read as source, test by test, and run by pytest under three hash seeds. A test that passes under one and
fails under another is worse than none.
"""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

SEEDS = "0", "1", "2"
TALLEST, WIDEST = 60, 120  # lines of a test, characters of a line
SECONDS = 300  # on the clock, for all tests of a class under one seed
OUTCOME = re.compile(r"^(PASSED|FAILED|ERROR|SKIPPED) (?:\[\d+\] )?(\S+)", re.M)


def look_at(folder: Path) -> dict[str, Any]:
    """Return the figures of all test files in a folder: tests, too long ones, and those that pass under each seed."""
    files = sorted(folder.rglob("test_*.py"))
    tests = [each for file in files for each in tests_in(file)]
    figures = {
        "tests": len(tests),
        "skipped": sum(skipped for *_, skipped in tests),
        "tallest": max((lines for _, lines, *_ in tests), default=0),
        "too_tall": sum(lines > TALLEST for _, lines, *_ in tests),
        "widest": max((len(line) for file in files for line in file.read_text().splitlines()), default=0),
    }
    passed = [passing(folder, seed) for seed in SEEDS] if tests else []
    steady = set.intersection(*passed) if passed else set()
    return {**figures, "pass": len(steady), "unsteady": sorted(set().union(*passed) - steady)}


def tests_in(file: Path) -> list[tuple[str, int, bool]]:
    """Return the tests of a file: name, how many lines, whether it is skipped."""
    found = []
    for node in ast.parse(file.read_text()).body:
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
            found.append((node.name, (node.end_lineno or first) - first + 1, bool(node.decorator_list)))
    return found


def passing(folder: Path, seed: str) -> set[str]:
    """Return the tests that pass in a process of this hash seed."""
    command = [sys.executable, "-m", "pytest", "-q", "-rA", "--tb=no", "-p", "no:cacheprovider", "-p", "no:unlike"]
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    try:
        ran = subprocess.run(
            [*command, f"{folder}"], cwd=folder, env=environment, capture_output=True, text=True, timeout=SECONDS
        )
    except subprocess.TimeoutExpired:
        return set()
    return {name for outcome, name in OUTCOME.findall(ran.stdout) if outcome == "PASSED"}


def report(found: dict[str, dict[str, Any]]) -> list[str]:
    """Return the lines of a table, a row for each class."""
    passed, all_of_them = (sum(each[key] for each in found.values()) for key in ("pass", "tests"))
    seeds = f"under the hash seeds {', '.join(SEEDS)}"
    lines = [
        f"Written tests: {passed:,} of {all_of_them:,} pass {seeds}",
        "",
        "| class | tests | pass | skipped | longest test, lines | widest line |",
    ]
    lines.append("|---|---|---|---|---|---|")
    for target, each in found.items():
        numbers = " | ".join(f"{each[key]:,}" for key in ("tests", "pass", "skipped", "tallest", "widest"))
        lines.append(f"| {target} | {numbers} |")
    return lines
