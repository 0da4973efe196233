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


@pytest.mark.few(1)
@pytest.mark.parametrize("words", [["--builders", "auto"], ["--methods", "insert"]])
def test_observers_are_asserted_whoever_builds_the_objects(words: list[str]) -> None:
    target = "examples.structures.binary_search_tree:BinarySearchTree"

    done = CliRunner().invoke(cli, ["explore", target, "--scope", "2", "--format", "pytest", *words])

    assert done.exit_code == 0
    for asked in ("x.minimum()", "x.height()", " in x) is", "len(x)"):
        assert asked in done.output
    assert ("x.remove(" in done.output) is (words[0] == "--builders")


PILE = """
class Pile:
    def __init__(self) -> None:
        self.items = []

    def put(self, item: int) -> None:
        self.items.append(item)

    def extend(self, items: list[int]) -> None:
        self.items.extend(items)

    def take(self) -> int:
        return self.items.pop()

    def clear(self) -> None:
        self.items.clear()

    def has(self, item: int) -> bool:
        return item in self.items

    def count(self, item: int) -> int:
        return self.items.count(item)
"""


def test_longer_sequences_make_objects_that_are_larger_than_the_scope(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pile_of_ints.py").write_text(PILE)
    monkeypatch.syspath_prepend(str(tmp_path))
    source = object_source(explore(importlib.import_module("pile_of_ints").Pile, scope=2))
    sequences = [each for each in source.split("\n\n\n") if each.startswith("def test_pile_sequence_")]

    # some of them do without what empties the object, so that it grows; in others everything is called
    sizes = [
        max((line.count(",") for line in each.splitlines() if "x.items ==" in line), default=0) for each in sequences
    ]
    assert max(sizes) >= 5
    assert any("x.clear()" not in each for each in sequences)
    assert any(all(f"x.{name}(" in each for name in ("put", "extend", "take", "clear")) for each in sequences)
    # what changes nothing and answers nothing is not repeated
    lines = [line for each in sequences for line in each.splitlines()]
    assert lines.count("    x.clear()") < len(lines) / 8


HIDDEN = """
class Gauge:
    def __init__(self) -> None:
        self._step = 1
        self.total = 0

    def tune(self, step: int) -> None:
        self._step = step

    def go(self) -> None:
        self.total += self._step

    def back(self) -> int:
        self.total -= 1
        return self.total
"""


def test_a_call_that_changes_what_is_not_seen_at_once_is_never_left_out_of_a_sequence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "gauge_with_a_step.py").write_text(HIDDEN)
    monkeypatch.syspath_prepend(str(tmp_path))
    source = object_source(explore(importlib.import_module("gauge_with_a_step").Gauge, scope=2, calls=3))

    names: dict[str, object] = {}
    exec(compile(source, "written", "exec"), names)
    sequences = [test for name, test in names.items() if name.startswith("test_gauge_sequence_")]
    assert len(sequences) >= 5
    for test in sequences:
        test()  # type: ignore[operator]
    assert source.count("x.tune(") > len(sequences)
