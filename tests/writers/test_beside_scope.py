"""Written tests call what an exploration leaves out, stay short, and show nothing that differs from run to run."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from tests.writers.files import object_source

from unlike.cli import cli
from unlike.explore import explore

SHELF = """
class Shelf:
    def __init__(self, items=None):
        self._items = dict.fromkeys(items or ())
        self._names = set()

    def put(self, item, place=None):
        self._items[item] = place

    def name(self, name: str) -> None:
        self._names.add(name)

    def named(self) -> list[str]:
        return list(self._names)

    def pairs(self):
        yield from self._items.items()

    def __eq__(self, other):
        return isinstance(other, Shelf) and self._items == other._items
"""


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    (tmp_path / "shelf.py").write_text(SHELF)
    monkeypatch.syspath_prepend(str(tmp_path))
    sys.modules.pop("shelf", None)
    text = object_source(explore(importlib.import_module("shelf").Shelf, scope=2))
    (tmp_path / "test_shelf.py").write_text(text)
    return text


@pytest.mark.corpus
def test_what_an_exploration_leaves_out_is_shown_in_short_tests_that_always_pass(source: str, tmp_path: Path) -> None:
    assert "x.put(0, 1)" in source
    assert "Shelf([1, 0])" in source
    assert "assert list(x.pairs()) == [(" in source
    assert "assert (x == x) is True" in source
    assert "def test_shelf_sequence_0() -> None:" in source
    tests = source.split("\n\n\n")[1:]
    assert max(len(test.splitlines()) for test in tests) <= 60
    assert max(map(len, source.splitlines())) <= 120

    assert "x.named()" in source
    for seed in ("0", "3", "5"):
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tmp_path)],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(tmp_path)}, capture_output=True, text=True,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("words", [["--builders", "auto"], ["--methods", "insert"]])
def test_observers_are_asserted_whoever_builds_the_objects(words: list[str]) -> None:
    target = "examples.structures.binary_search_tree:BinarySearchTree"

    done = CliRunner().invoke(cli, ["explore", target, "--scope", "2", "--format", "pytest", *words])

    assert done.exit_code == 0
    for asked in ("x.minimum()", "x.height()", " in x) is", "len(x)"):
        assert asked in done.output
    assert ("x.remove(" in done.output) is (words[0] == "--builders")
