"""Rules: suites are measured by the mutants they kill; what survives has a verdict; bad input is one message."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from measured_code import CART

from unlike.cli.measure.command import command
from unlike.errors import UnlikeError

TESTS = """import pytest
from shop import Cart, price


@pytest.fixture
def cart():
    return Cart()


def test_price():
    assert price(1) == 3
    assert price(9) == 6


def test_cart(cart):
    assert cart.add(1) == 1
    cart.clear()
    assert cart.first() is None


def test_that_fails(cart):
    assert cart.add(1) == 2
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "shop.py").write_text(CART)
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_shop.py").write_text(TESTS)
    return tmp_path


def measure(*words: str) -> Any:
    return CliRunner().invoke(command, [*words, "--seconds-per-call", "2"], standalone_mode=False)


def data_of(*words: str) -> Any:
    return json.loads(measure(*words, "--format", "json").stdout)["cases"]


def test_a_class_is_measured_by_what_exploring_kills_and_survivors_have_verdicts(here: Path) -> None:
    data = data_of("shop:Cart", "--suite", "explore:2", "--smallest", "kills")

    (row,) = data["suites"]
    assert row["lines"][0] == row["lines"][1]
    assert row["inputs"] == 7  # nothing, [0], [1], and four of two
    assert row["killed"] == row["alone"] == sum(each["verdict"] == "killed" for each in data["mutants"])
    survivors = {each["change"]: each["verdict"] for each in data["mutants"] if not each["killed_by"]}
    # an empty list is sorted, so that what comes after the `or` changes nothing
    assert survivors == {"not self._items dropped": "equivalent within the scope (proved)"}
    (few,) = data["fewest"]
    assert len(few["cases"]) == few["at_least"] < few["of"]
    assert few["exact"] is True


def test_the_fewest_cases_that_show_the_same_branches_are_told(here: Path) -> None:
    data = data_of("shop:Cart", "--suite", "explore:2", "--smallest", "branches", "--no-verdicts")

    (few,) = data["fewest"]
    assert 1 <= len(few["cases"]) == few["at_least"] < few["of"]
    assert few["exact"] is True
    assert any("add(" in each for each in few["cases"])  # a loop over nothing shows one of its branches alone


@pytest.mark.corpus
def test_tests_of_pytest_run_in_the_same_copies_and_what_they_miss_is_written(here: Path) -> None:
    answer = measure("shop.py", "--suite", "tests", "--suite", "pairs", "--add", "test_new.py")

    assert answer.return_value == 1
    assert "tests/test_shop.py::test_that_fails" in answer.stderr
    rows = {line.split()[0]: line.split() for line in answer.stdout.splitlines()[2:4]}
    assert set(rows) == {"tests", "pairs"}
    assert rows["tests"][1] == "2"
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_new.py"],
        check=False, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout


@pytest.mark.corpus
def test_every_test_that_is_added_kills_its_mutant(here: Path) -> None:
    before = data_of("shop:Cart", "--suite", "tests")
    missed = [each for each in before["mutants"] if each["verdict"] == "killed by a larger scope"]
    measure("shop:Cart", "--suite", "tests", "--add", "tests/test_new.py")
    after = data_of("shop:Cart", "--suite", "tests", "--no-verdicts")

    killed = {each["number"] for each in after["mutants"] if each["killed_by"]}
    assert missed
    assert {each["number"] for each in missed} <= killed


@pytest.mark.corpus
def test_every_input_that_kills_is_named_with_matrix(here: Path) -> None:
    first = data_of("shop:Cart", "--suite", "explore:2", "--no-verdicts")
    every = data_of("shop:Cart", "--suite", "explore:2", "--no-verdicts", "--matrix")

    for one, all_of_them in zip(first["mutants"], every["mutants"], strict=True):
        assert one["killed_by"].keys() == all_of_them["killed_by"].keys()
        assert one["killed_by"].get("explore:2", []) == all_of_them["killed_by"].get("explore:2", [])[:1]
    assert any(len(each["killed_by"].get("explore:2", [])) > 1 for each in every["mutants"])


SPEC = """
from shop import price
from unlike import Int, Spec

some = Spec({"count": Int(-1, 4), "each": Int(0, 2)})
"""


@pytest.mark.corpus
@pytest.mark.parametrize(
    ("target", "suite"),
    [
        ("shop:Cart", "one-per-shape:2"), ("shop:Cart", "boundary:2"), ("shop:Cart", "random:50"),
        ("shop:Cart", "hypothesis:30"), ("shop:price", "hypothesis:30"), ("shop:price", "random:30"),
        ("shop:price", "pairs"), ("shop:price", "spec:specs:some"), ("shop:Cart", "saved.json"),
        ("examples.structures.binary_search_tree:BinarySearchTree", "fields:3"),
        ("examples.structures.binary_search_tree:BinarySearchTree", "structures:2"),
    ],
)  # fmt: skip
def test_every_kind_of_suite_kills_something_and_the_same_each_time(here: Path, target: str, suite: str) -> None:
    (here / "specs.py").write_text(SPEC)
    if suite == "saved.json":
        words = ["explore", "shop:Cart", "--scope", "2", "--format", "json", "-o", "saved"]
        subprocess.run([sys.executable, "-m", "unlike", *words], check=True, capture_output=True)
        suite = str(next((here / "saved").glob("*.json")))
    answers = [data_of(target, "--suite", suite, "--no-verdicts") for _ in range(2)]

    (row,) = answers[0]["suites"]
    assert row["killed"] > 3
    assert row["inputs"] > 1
    assert answers[0]["mutants"] == answers[1]["mutants"]
    assert (row["field_values"] is None) == target.endswith("price")


BAD = {
    "broken:Cart": ((), "module 'broken' cannot be imported"),
    "missing:Cart": ((), "there is no module 'missing'"),
    "shop:Nope": ((), "'shop' has no 'Nope'"),
    "fractions:Fraction": ((), "not of this project"),
    "empty.py": ((), "no public class or function"),
    "shop:Cart": (("--suite", "nope:3"), "--suite 'nope:3' is none; there are explore:N"),
    "shop.py:Cart": (("--suite", "explore:x"), "'x' is no whole number"),
    "shop:Cart.add": (("--suite", "other.json"), "other.json"),
}


@pytest.mark.few(1)
@pytest.mark.parametrize("target", BAD)
def test_bad_input_is_one_message(here: Path, target: str) -> None:
    (here / "broken.py").write_text("import nothing_of_this_name\n")
    (here / "empty.py").write_text("x = 1\n")
    words, expected = BAD[target]

    error = measure(target, *words).exception

    assert isinstance(error, UnlikeError)
    assert expected in str(error)


@pytest.mark.corpus
def test_a_suite_of_another_class_is_refused(here: Path) -> None:
    (here / "other.py").write_text(CART.replace("Cart", "Other"))
    words = ["explore", "other:Other", "--scope", "2", "--format", "json", "-o", "saved"]
    subprocess.run([sys.executable, "-m", "unlike", *words], check=True, capture_output=True)

    error = measure("shop:Cart", "--suite", str(next((here / "saved").glob("*.json")))).exception

    assert isinstance(error, UnlikeError)
    assert "Other" in str(error)


ENDLESS = """
class Endless:
    def __init__(self) -> None:
        self.n = 0

    def up(self) -> int:
        while self.n < 3:
            self.n += 1
        return self.n
"""


def test_mutants_that_never_end_are_killed_by_counting_rounds(here: Path) -> None:
    (here / "endless.py").write_text(ENDLESS)

    data = data_of("endless:Endless", "--suite", "explore:1", "--no-verdicts")

    # without the step, and with one that goes the other way, the loop has no end
    changes = {each["change"]: each["verdict"] for each in data["mutants"]}
    assert changes["self.n += 1 deleted"] == changes["+ becomes -"] == "killed"


def test_a_module_that_does_not_import_any_more_is_killed(here: Path) -> None:
    (here / "table.py").write_text("NAMES = {1: 'a'}\nFIRST = NAMES[1]\n\n\ndef first() -> str:\n    return FIRST\n")

    data = data_of("table.py", "--suite", "pairs", "--no-verdicts")

    why = {each["change"]: (each["verdict"], each["why"]) for each in data["mutants"]}
    assert why["FIRST = NAMES[1] deleted"][0] == "killed"
    assert why["1 becomes 2"] == ("killed", "the module does not import")
