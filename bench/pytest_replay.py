"""Replay of saved inputs against `parametrize` with the same literals: the same items, the same bodies."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from bench.rows import Row, show

INPUTS = 1_000
ROUNDS = 5
MOST = 1.3

SAVED = f"""
import unlike
from unlike import Int, Str

@unlike.inputs({INPUTS})
def test_it(number: Int(0, 99_999), text: Str(r"[a-z]{{1,6}}")):
    assert text
"""
LITERAL = """
import pytest

ROWS = [
{rows}]

@pytest.mark.parametrize("number, text", ROWS)
def test_it(number, text):
    assert text
"""


def run() -> list[Row]:
    with tempfile.TemporaryDirectory() as used, tempfile.TemporaryDirectory() as plain:
        return [replay(Path(used)), unused(Path(plain))]


def replay(directory: Path) -> Row:
    """Compare the processor time of whole pytest processes, the two kinds in turn."""
    (directory / "test_saved.py").write_text(SAVED)
    pytest_seconds(directory, "test_saved.py", "--unlike-prepare")
    lines = (directory / "__unlike__" / "test_saved.json").read_text().splitlines()
    inputs = [json.loads(line[:-1])["input"] for line in lines if line.startswith('{"id"')]
    rows = "".join(f"    ({each['number']!r}, {each['text']!r}),\n" for each in inputs)
    (directory / "test_literal.py").write_text(LITERAL.format(rows=rows))
    times: dict[str, list[float]] = {"test_saved.py": [], "test_literal.py": []}
    for file in times:  # once to fill the caches
        pytest_seconds(directory, file)
    for _ in range(ROUNDS):
        for file, found in times.items():
            found.append(pytest_seconds(directory, file, "--unlike-frozen"))
    saved, literal = (min(found) for found in times.values())  # what else the machine does only adds to it
    ratio = saved / literal
    return Row(
        f"pytest: replay of {INPUTS} saved inputs",
        f"{ratio:.2f} × ({saved:.2f} s CPU)",
        f"parametrize with the same literals ({literal:.2f} s CPU)",
        f"at most {MOST} ×",
        ratio <= MOST,
    )


def unused(directory: Path) -> Row:
    """Compare pytest with the plugin installed but unused to pytest without it."""
    (directory / "test_plain.py").write_text("def test_plain(): pass\n")
    times: dict[str, list[float]] = {"unlike": [], "no:unlike": []}
    for _ in range(ROUNDS):
        for plugin, found in times.items():
            extra = ["-p", plugin] if plugin.startswith("no:") else []
            found.append(pytest_seconds(directory, "test_plain.py", *extra))
    with_it, without = (min(found) for found in times.values())
    return Row(
        "pytest: plugin installed but unused", f"{with_it / without:.2f} × ({with_it:.2f} s CPU)", "-p no:unlike"
    )


def pytest_seconds(directory: Path, *arguments: str) -> float:
    """Return the processor seconds of one pytest process."""
    # Hypothesis and xdist would be loaded into both sides and only blur the difference
    words = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:hypothesispytest",
        "-p",
        "no:xdist",
    ]
    environment = os.environ | {"PYTHONPYCACHEPREFIX": str(directory / "bytecode")}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # users have everything compiled, and so has this
    before = os.times()
    subprocess.run([*words, *arguments], cwd=directory, env=environment, check=True, capture_output=True)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


if __name__ == "__main__":
    show("pytest", run())
