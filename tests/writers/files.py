"""Test files of an exploration, written as `unlike explore -o DIR` writes them."""

from __future__ import annotations

from pathlib import Path

from unlike.classes.result import Result
from unlike.writers.pytest_file.files import object_pages
from unlike.writers.pytest_file.objects import object_tests


def write_tests(result: Result, folder: Path) -> list[Path]:
    """Write the test files and return their paths."""
    paths = []
    for page in object_pages(result, "folder"):
        paths.append(folder / page.name)
        paths[-1].write_text("".join(page.pieces))
    return paths


def object_source(result: Result) -> str:
    """Return the source of a test file with one test per object."""
    cases = list(result.suite)
    return "".join(object_tests(result, cases).pieces)
