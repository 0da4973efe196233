"""Inputs that are there already: what they show is counted, and only what is new is added."""

import json
import re
from dataclasses import dataclass
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from unlike import Int, OneOf, ScopeError, Spec, SpecError, Suite, generate
from unlike.behaviour.result import ChosenCases
from unlike.cli import cli

CODE = """
def read(text):
    if text.startswith("A"):
        return "first"
    if len(text) == 4:
        return "long"
    return "other"


def fee(price, kind="gift"):
    if price > 100 and kind == "gift":
        return 0
    return price
"""
TESTS = """
import pytest
from {module} import fee, read


@pytest.mark.parametrize(("text", "expected"), [("A1", "first"), pytest.param("A22", "first", id="two")])
def test_read(text, expected):
    assert read(text) == expected


@pytest.mark.parametrize("word", ["B111"])
def test_by_another_name(word):
    assert read(word) == "long"


class TestFees:
    @pytest.mark.parametrize("kind", ["gift", "sale"])
    @pytest.mark.parametrize("price", [1, 101])
    def test_fee(self, price, kind):
        assert fee(price, kind) is not None


@pytest.mark.parametrize("anything", [object(), lambda: None])
def test_of_something_else(anything):
    pass
"""
PATTERN = "[A-C][0-9]{1,3}"
pytestmark = pytest.mark.usefixtures("few_candidates")


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> str:
    name = "beside_" + re.sub(r"\W", "_", request.node.name)
    (tmp_path / f"{name}.py").write_text(CODE)
    (tmp_path / f"test_{name}.py").write_text(TESTS.replace("{module}", name))
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    return name


def beside_of(suite: Suite) -> tuple[int, int] | None:
    assert isinstance(suite.cases, ChosenCases)
    return suite.cases.beside


def run(*words: str) -> Result:
    return CliRunner().invoke(cli, list(words), standalone_mode=False, catch_exceptions=False)


def test_rows_of_tests_are_counted_and_only_what_is_new_is_added(module: str) -> None:
    result = run("generate", "--regex", PATTERN, "--code", f"{module}:read", "--beside", f"test_{module}.py")

    values = [json.loads(line)["value"] for line in result.stdout.splitlines()]
    # the tests have both texts that begin with A, and a long one; neither a short one nor a boundary beside four letters
    assert values
    assert all(not each.startswith("A") for each in values)
    assert any(len(each) < 4 for each in values)
    assert "beside 3 inputs that show 3 of 4 branches; 4 of 4 branches reached" in result.stderr
    assert f"note: not taken: test_{module}.py: 6 rows without an input" in result.stderr
    assert result.return_value == 0


def test_rows_of_one_test_alone(module: str) -> None:
    target = f"test_{module}.py::test_read"
    result = run("generate", "--regex", PATTERN, "--code", f"{module}:read", "--beside", target, "-n", "9")

    assert "beside 2 inputs that show 1 of 4 branches" in result.stderr
    assert len(result.stdout.splitlines()) < 9, "no more than show something new"


def test_blanks_come_from_columns_of_several_marks(module: str) -> None:
    fee = __import__(module).fee
    spec = Spec({"price": Int(0, 1_000), "kind": OneOf("gift", "sale")})

    suite = generate(spec, code=fee, beside=f"test_{module}.py::TestFees::test_fee")

    there = beside_of(suite)
    assert there is not None
    assert there == (4, 8)
    assert {each["price"] for each in suite.values} <= {99, 100}, "only boundaries are new"


@pytest.mark.corpus
def test_what_was_written_before_is_read_again_and_nothing_is_new(module: str, tmp_path: Path) -> None:
    words = ["generate", "--regex", PATTERN, "--code", f"{module}:read", "-n", "20"]
    for form in ("json", "jsonl"):
        run(*words, "--format", form, "-o", f"chosen.{form}")
        again = run(*words[:-2], "--beside", f"chosen.{form}")

        assert "0 inputs" in again.stderr, again.stderr
        assert "beside 20 inputs that show 4 of 4 branches" in again.stderr
    alone = generate(re.compile(PATTERN), code=__import__(module).read)
    assert not len(generate(re.compile(PATTERN), code=__import__(module).read, beside=alone))
    assert not len(generate(re.compile(PATTERN), code=__import__(module).read, beside=alone.values))


@dataclass
class Parcel:
    weight: int
    kind: str


def ship(parcel: Parcel) -> str:
    if parcel.weight > 30:
        return "heavy"
    return parcel.kind


def test_objects_are_made_of_what_a_file_says_of_them(tmp_path: Path) -> None:
    (tmp_path / "parcels.jsonl").write_text(
        '{"value": {"weight": 31, "kind": "a"}}\n{"value": {"weight": 3, "kind": ""}}\n'
    )

    suite = generate(Parcel, code=ship, beside=tmp_path / "parcels.jsonl")

    assert beside_of(suite) == (2, 2)
    assert {each.weight for each in suite.values} <= {29, 30}


def test_saved_inputs_of_tests_are_read(tmp_path: Path, module: str) -> None:
    saved = {
        "unlike": 1,
        "tests": {"test_read": {"inputs": [{"id": "a", "input": {"text": "A1"}}, "end"]}, "end": None},
    }
    (tmp_path / "saved.json").write_text(json.dumps(saved))

    suite = generate(Spec({"text": OneOf("A1", "B1", "B111")}), code=__import__(module).read, beside="saved.json")

    assert beside_of(suite) == (1, 1)
    assert sorted(each["text"] for each in suite.values) == ["B1", "B111"]


@pytest.mark.parametrize(
    ("beside", "words"),
    [
        ("nowhere.py", "there is no file 'nowhere.py'"),
        ("nowhere.json", "there is no file 'nowhere.json'"),
        ("nowhere.txt", "give a test file"),
        ("broken.py", "the tests cannot be read: ZeroDivisionError"),
        ("broken.json", "cannot be read"),
        ("other.json", "neither inputs that unlike wrote nor a list"),
        ("test_{module}.py::test_nothing", "has no test 'test_nothing'"),
        (3, "give a suite, a list of inputs"),
    ],
)
def test_what_cannot_be_read_is_refused_with_the_remedy(
    beside: object, words: str, module: str, tmp_path: Path
) -> None:
    (tmp_path / "broken.py").write_text("1 / 0\n")
    (tmp_path / "broken.json").write_text("{")
    (tmp_path / "other.json").write_text('{"a": 1}')
    given = beside.replace("{module}", module) if isinstance(beside, str) else beside

    with pytest.raises(ScopeError, match=re.escape(words)):
        generate(re.compile(PATTERN), 2, code=__import__(module).read, beside=given)


def test_without_code_nothing_can_be_new() -> None:
    with pytest.raises(SpecError, match="give code=…"):
        generate(int, 3, beside=[1])
    with pytest.raises(ScopeError, match=r"--beside a\.py goes with --code"):
        run("generate", "--regex", "a", "--beside", "a.py")
