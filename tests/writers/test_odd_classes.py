"""Tests written for values, and for classes that do not do the same each time, pass as pytest runs them."""

from __future__ import annotations

import importlib
import inspect
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.writers.files import object_source, write_tests

from unlike.explore import explore
from unlike.writers.pytest_file.objects import object_tests

HERE = Path(__file__).parent


@pytest.fixture
def subjects(monkeypatch):
    monkeypatch.syspath_prepend(str(HERE))
    sys.modules.pop("odd_subjects", None)
    yield importlib.import_module("odd_subjects")
    sys.modules.pop("odd_subjects", None)


def failing(source: str, module) -> int:
    """Return how many tests fail on a module."""
    sys.modules["odd_subjects"] = module
    space: dict[str, object] = {}
    exec(compile(source, "written", "exec"), space)
    count = 0
    for test in [each for name, each in space.items() if name.startswith("test_")]:
        try:
            test()  # type: ignore[operator]
        except (Exception, pytest.fail.Exception):
            count += 1
    return count


@pytest.mark.corpus
@pytest.mark.parametrize(
    ("name", "line", "broken"),
    [
        ("Spot", "return Spot(self.y, self.x)", "return Spot(self.x, self.y)"),
        ("Version", "return Version(self.major, self.minor + 1)", "return Version(self.major, self.minor)"),
        ("Mod3", "return made_of(self.n + other.n)", "return made_of(self.n + self.n)"),
        ("Mod3", "return made_of(self.n + 1)", "return made_of(self.n)"),
        ("Mod3", "return (made_of(self.n + 1), self.n)", "return (made_of(self.n), self.n)"),
        ("Mod3", "return self\n", "return made_of(self.n)\n"),
        ("Mod3", "return cls(1)", "return cls(0)"),
        ("Mod3", "if n == 2:", "if n == 3:"),
    ],
)
def test_a_broken_method_that_gives_an_object_is_noticed(subjects, name, line, broken):
    result = explore(getattr(subjects, name), scope=3 if name == "Mod3" else 2)
    source = object_source(result)
    text = inspect.getsource(subjects)
    mutant = type(sys)("odd_subjects")
    assert text.count(line) == 1

    sys.modules["odd_subjects"] = mutant
    exec(compile(text.replace(line, broken), "odd_subjects.py", "exec"), mutant.__dict__)

    assert failing(source, mutant)
    assert not failing(source, subjects)


def test_an_object_that_cannot_be_made_twice_has_a_test_all_the_same(subjects):
    result = explore(subjects.Handler, scope=2)

    tests = object_tests(result, list(result.suite))

    assert "x = Handler('a')\n    assert x.name == 'a'" in "".join(tests.pieces)
    assert not tests.skipped


def test_what_makes_a_test_is_silenced_but_not_who_looks_at_it(subjects, capsys):
    result = explore(subjects.Version, scope=2)

    for _ in result.each_in_copies(lambda _: print("from the code"), 2):
        print("seen")

    assert capsys.readouterr().out == "seen\n" * 2


@pytest.mark.corpus
def test_tests_of_classes_with_state_of_their_own_pass_in_a_fresh_process(subjects, tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(HERE), os.environ.get("PYTHONPATH", "")]))
    results = [explore(cls, scope=2) for cls in (subjects.Single, subjects.Hog)]

    for result in results:
        write_tests(result, tmp_path)

    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", str(tmp_path), "."]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout
    assert "memory than it was allowed" in (tmp_path / "test_hog_errors.py").read_text()


def test_an_object_that_dice_made_is_not_asserted(subjects, tmp_path):
    result = explore(subjects.Dice, scope=3)

    tests = object_tests(result, list(result.suite))

    assert all("roll" in label for label in tests.skipped)
    assert ".roll() ==" not in "".join(tests.pieces)
    assert [file.name for file in write_tests(result, tmp_path)] == ["test_dice.py"]


def test_a_property_is_deleted_as_a_person_would(subjects):
    result = explore(subjects.Temperature, scope=2)

    assert "del x.celsius" in object_source(result)
