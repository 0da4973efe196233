"""`--format json` of every verb has one shape, whatever the ending; what is written can be read again."""

import dataclasses
import importlib
import importlib.resources
import json
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal, get_args

import click
import jsonschema
import pytest
from click.testing import CliRunner, Result
from examples.structures.binary_search_tree import BinarySearchTree, Node

import unlike
from unlike.classes.builders import builders as find_builders
from unlike.cli import COMMANDS, cli
from unlike.cli.builders import answer_of as of_builders
from unlike.cli.coverage import answer_of as of_rows
from unlike.cli.deliver import heading
from unlike.cli.diff.answer import JudgedVersions, answer_of as of_versions
from unlike.cli.explore.answer import answer_of as of_exploration
from unlike.cli.generate import answer_of as of_specs
from unlike.cli.invariants.compare import answer_of as of_comparison
from unlike.cli.invariants.fields import answer_of as of_fields, answer_of_coverage
from unlike.cli.invariants.structures import answer_of as of_structures
from unlike.cli.measure.answer import answer_of as of_measurement
from unlike.cli.regex import Strings, answer_of_misses
from unlike.cli.target import load_target
from unlike.cli.types import Covered, answer_of as of_type
from unlike.compare import compare
from unlike.core import FOREVER, Isolation
from unlike.diff.verdict import Verdict
from unlike.errors import ScopeError
from unlike.field_exhaustive import field_coverage, fields as find_fields
from unlike.indexed import Listed
from unlike.invariants.verbs import structures
from unlike.measure.kills import Kills
from unlike.measure.lines import RunParts
from unlike.measure.measurement import MeasuredSuite, Measurement
from unlike.measure.subject import subject_of
from unlike.measure.survivors import UNDECIDED, JudgedMutant
from unlike.recipe import recipe_of
from unlike.regex.cover import Cover
from unlike.regex.near_miss import near_misses
from unlike.regex.order import OrderedTexts
from unlike.regex.tree import parse
from unlike.suite import Case, Ending, Status, Suite
from unlike.typed.combining import combining_of
from unlike.typed.suite_coverage import measure
from unlike.writers.envelope import Envelope, NoticeKind
from unlike.writers.formats import FORMATS, answer, formats_for

TREE = "examples.structures.binary_search_tree:BinarySearchTree"
RED_BLACK = "examples.structures.red_black_tree:RedBlackTree"
ITEMS = "examples.retail:items"
SCHEMA = json.loads(importlib.resources.files("unlike").joinpath("answer.schema.json").read_text(encoding="utf-8"))
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)

SMALL = """
from dataclasses import dataclass
from typing import Literal
from unlike import Int, Spec

@dataclass
class Item:
    kind: Literal["book", "pen"]
    used: bool = False

class Wallet:
    def __init__(self) -> None:
        self.coins = 0
    def put(self) -> None:
        if self.coins == 1:
            print("full")
            raise RuntimeError("no room")
        self.coins += 1
    def read(self, name: "Missing") -> None:
        pass
    def rep_ok(self) -> bool:
        return self.coins in (0, 2)

def trees():
    from examples.structures.binary_search_tree import BinarySearchTree
    return [BinarySearchTree()]

some = Spec({"x": Int(0, 9)}, name="some")
none = Spec({"x": Int(0, 9)}, where=[lambda x: x > 5, lambda x: x < 5], name="none")
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "small_answers.py").write_text(SMALL)
    (tmp_path / "item.json").write_text('{"type": "object", "properties": {"a": {"enum": [1, 2]}}}')
    (tmp_path / "shop.json").write_text(
        '{"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "paths": {"/a": {"get": {"operationId": "getA",'
        '"parameters": [{"name": "n", "in": "query", "schema": {"enum": [1, 2]}}],'
        '"responses": {"200": {"description": "ok"}}}}}}'
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


def run(*words: str) -> Result:
    return CliRunner().invoke(cli, list(words), standalone_mode=False, catch_exceptions=False)


def answered(*words: str) -> dict[str, Any]:
    """Return what a command prints as JSON, checked against the schema and the exit code."""
    result = run(*words, "--format", "json")
    data: dict[str, Any] = json.loads(result.stdout)
    VALIDATOR.validate(data)
    assert data["status"]["exit_code"] == result.return_value
    assert data["verb"] == words[0]
    return data


def in_json(envelope: Envelope) -> dict[str, Any]:
    (page,) = answer(dataclasses.replace(envelope, **{**heading(), "target": ("m:one",)}), "stream")
    data: dict[str, Any] = json.loads("".join(page.pieces))
    VALIDATOR.validate(data)
    return data


# -- every verb ----------------------------------------------------------------------------------------------------


@pytest.mark.few(5)
@pytest.mark.parametrize(
    ("words", "ending", "code"),
    [
        (["generate", ITEMS, "-n", "2"], "found", 0),
        (["generate", "small_answers:some", "--all"], "complete", 0),
        (["generate", "small_answers:none"], "unsatisfiable", 1),
        (["generate", "small_answers:some", "--explain"], "complete", 0),
        (["generate", "small_answers:Item"], "shown", 0),
        (["generate", "small_answers:Item", "-n", "1", "--explain"], "found", 0),
        (["generate", "small_answers:Item", "--invalid"], "shown", 0),
        (["generate", "--schema", "item.json"], "shown", 0),
        (["generate", "--schema", "item.json", "--as-text", "--invalid"], "shown", 0),
        (["generate", "--openapi", "shop.json"], "complete", 0),
        (["generate", "--openapi", "shop.json", "--operation", "getA"], "shown", 0),
        (["strings", "a|[b-c]"], "shown", 0),
        (["strings", "(a|b)(c|d)", "-n", "1", "--check"], "found", 0),
        (["strings", "ab", "--invalid"], "shown", 0),
        (["requests", "shop.json"], "shown", 0),
        (["requests", "shop.json", "--operation", "getA", "--invalid"], "shown", 0),
        (["generate", "--regex", "a|[b-c]"], "shown", 0),
        (["generate", "--regex", "(a|b)(c|d)", "-n", "1", "--check"], "found", 0),
        (["generate", "--regex", r"a\bb"], "unsatisfiable", 1),
        (["generate", "--regex", "((a{1000}){1000}){1000}"], "unknown", 3),
        (["generate", "--regex", "ab", "--invalid"], "shown", 0),
        (["explore", TREE, "--scope", "2"], "complete", 0),
        (["explore", TREE, "--scope", "2", "--explain", "--one-per-shape"], "complete", 0),
        (["explore", TREE, "--scope", "3", "--sample", "2"], "found", 0),
        (["explore", TREE, "--scope", "2", "--fields"], "complete", 0),
        (["explore", TREE, "--list-api"], "complete", 0),
        (["explore", "small_answers:Wallet"], "complete", 1),
        (["structures", TREE, "--scope", "2", "--explain"], "complete", 0),
        (["structures", TREE, "--scope", "2", "-n", "1"], "found", 0),
        (["structures", TREE, "--list-fields"], "complete", 0),
        (["fields", TREE, "--scope", "2", "--explain"], "shown", 0),
        (["fields", "small_answers:some"], "shown", 0),
        (["compare", TREE, "--scope", "2"], "complete", 0),
        (["compare", "small_answers:Wallet", "--scope", "3"], "complete", 1),
        (["diff", TREE, TREE, "--scope", "2"], "shown", 0),
        (["diff", "small_answers:Wallet", TREE, "--scope", "1"], "found", 1),
        (["measure", "small_answers:Wallet", "--suite", "explore:1", "--smallest", "kills"], "found", 0),
        (["builders", TREE, "--scope", "2", "--explain"], "complete", 0),
        (["builders", RED_BLACK, "--scope", "4", "--search", "genetic", "--seed", "1"], "found", 1),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_json_of_every_verb_has_the_one_shape(folder: Path, words: list[str], ending: str, code: int) -> None:
    data = answered(*words)

    assert (data["status"]["ending"], data["status"]["exit_code"]) == (ending, code)


def test_a_timeout_is_3_and_in_the_answer(folder: Path) -> None:
    data = answered("explore", TREE, "--scope", "9", "--timeout", "0.3", "--values", "concrete")

    assert data["status"]["ending"] == "timeout"
    assert data["status"]["exit_code"] == 3
    assert "cut short" in data["guarantee"]


def test_where_1_and_3_both_apply_it_is_3(folder: Path) -> None:
    with click.Context(click.Command("explore"), info_name="explore"):
        result = unlike.explore(importlib.import_module("small_answers").Wallet)
        result.status = Status(Ending.TIMEOUT)
        data = in_json(of_exploration(result))

    assert [each["kind"] for each in data["findings"]].count("error") == 1
    assert data["status"]["exit_code"] == 3


# -- every ending --------------------------------------------------------------------------------------------------

ONE = Suite("one", Listed([Case(recipe_of({"x": 1}), "x: 1", "0")]), Status(Ending.FOUND), "one of them")


def spec(status: Status) -> Envelope:
    return of_specs([dataclasses.replace(ONE, status=status)])


def specs(status: Status) -> Envelope:
    return of_specs([ONE, dataclasses.replace(ONE, name="two", status=status)], explain=True)


def typed(status: Status) -> Envelope:
    return of_type([Covered(dataclasses.replace(ONE, status=status))])


def parted(status: Status) -> Envelope:
    return of_type([Covered(ONE), Covered(dataclasses.replace(ONE, name="two", status=status))])


def strings(status: Status) -> Envelope:
    found = Strings("a|b", Cover(parse("a|b")), 1)
    return dataclasses.replace(found.answer(list(found.each(0))), status=status)


def misses(status: Status) -> Envelope:
    return dataclasses.replace(answer_of_misses(near_misses(parse("ab")), "ab"), status=status)


def exploration(status: Status) -> Envelope:
    result = unlike.explore(BinarySearchTree, scope=2, in_process=True)
    result.status = status
    return of_exploration(result, explain=True)


def accepted(status: Status) -> Envelope:
    return of_structures(dataclasses.replace(structures(BinarySearchTree, 2, in_process=True), status=status))


def few(status: Status) -> Envelope:
    found = find_fields(BinarySearchTree, 2, in_process=True)
    return of_fields(dataclasses.replace(found, status=status, undecided=found.infeasible[:1]))


def coverage(status: Status) -> Envelope:
    measured = field_coverage(BinarySearchTree, [BinarySearchTree()], scope=2)
    return answer_of_coverage(dataclasses.replace(measured, status=status, invalid=1, outside=1))


def comparison(status: Status) -> Envelope:
    found = compare(BinarySearchTree, 2, in_process=True)
    return of_comparison(dataclasses.replace(found, exploration=status, outside=1, notes=("a note",)))


def chosen(status: Status) -> Envelope:
    found = find_builders(BinarySearchTree, scope=2, in_process=True)
    proved = status.ending is Ending.COMPLETE
    found = dataclasses.replace(found, cut_short=status.cut_short, proved=proved, reason="so it is", notes=("a note",))
    return of_builders(found)


def versions(status: Status) -> Envelope:
    found = Verdict("Cart", "class", status, "the same", only_old=("pop",), counts={"pairs": 1})
    return of_versions(JudgedVersions([found], {}, "old", "new", notes=("a note",)))


@dataclasses.dataclass
class Ticket:
    kind: Literal["day", "night"]
    paid: bool


def rows(status: Status) -> Envelope:
    combining = combining_of(2)
    assert combining is not None
    found = measure(
        Ticket, [{"kind": "day", "paid": True}], combining, deadline=FOREVER, isolation=Isolation(in_process=True)
    )
    return of_rows(dataclasses.replace(found, to_add=dataclasses.replace(found.to_add, status=status)))


def measured(status: Status) -> Envelope:
    code = subject_of(lambda: load_target(TREE), (), "examples", lambda _: [])
    row = MeasuredSuite("explore:3", 15, 241, 0.1, 0.1, 1, 1, RunParts(1, 2, 0, 0), 26)
    one, other, *_ = code.mutants
    kills = [Kills(one, {"explore:3": [-1]}, "the module does not import"), Kills(other)]
    verdicts = [JudgedMutant(other, UNDECIDED, "out of time")]
    found = Measurement(code, [row], kills, verdicts, remarks=["a note"], status=status)
    return of_measurement(found, smallest=None, add=None, matrix=False)


MAKERS: dict[str, list[Callable[[Status], Envelope]]] = {
    "generate": [spec, specs, typed, strings, misses],
    "strings": [strings, misses],
    "requests": [typed, parted],
    "explore": [exploration],
    "structures": [accepted],
    "fields": [few, coverage],
    "compare": [comparison],
    "builders": [chosen],
    "diff": [versions],
    "measure": [measured],
    "coverage": [rows],
}


@pytest.mark.few(13)
@pytest.mark.parametrize("ending", Ending)
@pytest.mark.parametrize(("verb", "make"), [(verb, make) for verb, makers in MAKERS.items() for make in makers])
def test_every_ending_of_every_verb_has_the_one_shape(
    verb: str, make: Callable[[Status], Envelope], ending: Ending
) -> None:
    with click.Context(click.Command(verb), info_name=verb):
        envelope = make(Status(ending, "so it is", ("x > 5",) if ending is Ending.UNSATISFIABLE else ()))

        data = in_json(envelope)

    assert data["verb"] == verb
    assert (data["status"]["exit_code"] == 3) == envelope.cut_short
    if make is not chosen:  # builders know only: proved, cut short, or neither
        assert envelope.cut_short == Status(ending).cut_short


def test_every_command_that_has_formats_is_tested_here() -> None:
    loaded = {name: cli.get_command(click.Context(cli), name) for name in COMMANDS}
    with_formats = {
        name for name, each in loaded.items() if each and any("--format" in param.opts for param in each.params)
    }

    assert with_formats == set(MAKERS)


# -- nothing is lost -----------------------------------------------------------------------------------------------


def test_errors_and_what_was_not_called_are_findings(folder: Path) -> None:
    found = answered("explore", "small_answers:Wallet")["findings"]
    text = run("explore", "small_answers:Wallet").stdout

    (error,) = [each for each in found if each["kind"] == "error"]
    assert error["place"] == "Wallet.put"
    assert error["times"] == 1
    assert error["recipe"]["steps"]
    assert all(line.strip() in text for line in error["words"].splitlines())
    assert "printed: full" in error["words"]
    (refused,) = [each for each in found if each["kind"] == "not called"]
    assert refused["place"] == "Wallet.read"


def test_choices_that_are_not_shown_are_findings(folder: Path) -> None:
    data = answered("generate", "small_answers:Item", "-n", "1")

    assert data["counts"]["choices"] == data["counts"]["shown"] + data["counts"]["not_shown"]
    assert [each["kind"] for each in data["findings"]] == ["not shown"] * data["counts"]["not_shown"]


def test_the_question_says_what_was_asked_on_the_command_line_and_in_a_file(folder: Path) -> None:
    (folder / "settings.toml").write_text("scope = 2\nmethods = 'insert'\n")

    data = answered("explore", TREE, "--config", "settings.toml", "--literals", "int=0,1", "--values", "concrete")

    assert data["question"] == {"scope": 2, "methods": "insert", "literals": ["int=0,1"], "values": "concrete"}
    assert data["target"] == [TREE]


@pytest.mark.parametrize("verb", ["structures", "fields", "compare"])
def test_settings_in_a_file_are_part_of_every_verbs_question(folder: Path, verb: str) -> None:
    (folder / "settings.toml").write_text("scope = 1\nmemory = 700\n")

    data = answered(verb, TREE, "--config", "settings.toml")

    assert data["question"] == {"scope": 1, "memory": 700}


# -- formats, files and reading them again -------------------------------------------------------------------------


def test_every_format_has_a_writer_and_the_choices_come_from_the_table() -> None:
    assert all(callable(each.pages) for each in FORMATS)
    assert {"json", "jsonl", "table", "python"} <= set(formats_for("inputs"))
    assert "pytest" not in formats_for("inputs")
    assert {"text", "json"} <= set(formats_for("text"))


@pytest.mark.parametrize("verb", ["explore", "structures", "fields"])
def test_json_lines_are_written_to_a_folder(verb: str, tmp_path: Path) -> None:
    printed = run(verb, TREE, "--scope", "2", "--format", "jsonl").stdout

    kept = run(verb, TREE, "--scope", "2", "--format", "jsonl", "-o", str(tmp_path))

    assert [path.name for path in tmp_path.iterdir()] == ["BinarySearchTree.jsonl"]
    assert (tmp_path / "BinarySearchTree.jsonl").read_text() == printed
    assert "BinarySearchTree within" in kept.stdout or "show" in kept.stdout  # the text


def test_inputs_of_a_spec_that_show_every_field_value_are_written_like_others(tmp_path: Path) -> None:
    printed = run("fields", ITEMS, "--only", "category", "--format", "jsonl").stdout
    run("fields", ITEMS, "--only", "category", "--format", "jsonl", "-o", str(tmp_path))
    run("fields", ITEMS, "--only", "category", "-o", str(tmp_path))

    assert (tmp_path / "items.jsonl").read_text() == printed
    VALIDATOR.validate(json.loads((tmp_path / "items.json").read_text()))
    with pytest.raises(
        ScopeError, match="--format pytest cannot write this answer; there are: text, json, jsonl, table, python"
    ):
        run("fields", ITEMS, "--only", "category", "--format", "pytest")


@pytest.mark.parametrize("verb", ["explore", "structures", "fields"])
def test_with_a_folder_the_answer_says_where_the_cases_are(verb: str, tmp_path: Path) -> None:
    data = answered(verb, TREE, "--scope", "2", "-o", str(tmp_path))

    (file,) = data["cases"]["files"]
    assert json.loads(Path(file).read_text())["format"] == "unlike objects"


@pytest.mark.parametrize(
    "words",
    [
        ["explore", TREE, "--list-api"],
        ["structures", TREE, "--list-fields"],
        ["fields", TREE, "--scope", "2", "--of", "small_answers:trees"],
    ],
    ids=lambda words: words[0],
)
def test_what_holds_no_cases_is_an_answer_in_a_folder_too(folder: Path, words: list[str]) -> None:
    printed = run(*words).stdout

    kept = run(*words, "-o", "out")

    assert kept.stdout == printed
    (file,) = (folder / "out").iterdir()
    data = json.loads(file.read_text())
    VALIDATOR.validate(data)
    assert data["cases"] is None


def test_strings_that_were_found_before_an_interruption_are_delivered(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(order: OrderedTexts) -> Iterator[object]:
        yield order.cover.at(0)
        raise KeyboardInterrupt

    monkeypatch.setattr(OrderedTexts, "of_choices", interrupted)

    data = answered("strings", "a|b")

    assert (data["status"]["ending"], data["status"]["exit_code"]) == ("interrupted", 3)
    assert [each["value"] for each in data["cases"]["inputs"]] == ["a"]


def test_an_answer_is_read_like_the_file_within_it(tmp_path: Path) -> None:
    within, bare = tmp_path / "answer.json", tmp_path / "BinarySearchTree.json"
    within.write_text(run("structures", TREE, "--scope", "3", "--format", "json").stdout)
    run("structures", TREE, "--scope", "3", "--format", "json", "-o", str(tmp_path))

    assert list(unlike.load(within, BinarySearchTree, Node)) == list(unlike.load(bare, BinarySearchTree, Node))
    assert run("fields", TREE, "--scope", "3", "--of", str(within)).stdout.startswith("100.0 %")


def test_builders_are_read_from_an_answer_too(tmp_path: Path) -> None:
    within, bare = tmp_path / "answer.json", tmp_path / "bare.json"
    run("builders", TREE, "--scope", "2", "--format", "json", "-o", str(within))
    run("builders", TREE, "--scope", "2", "-o", str(bare))

    counts = [
        run("explore", TREE, "--scope", "2", "--builders", str(each), "--count").stdout for each in (within, bare)
    ]

    assert json.loads(bare.read_text())["kind"] == "unlike builders"
    assert counts == ["5\n", "5\n"]


def test_the_schema_knows_every_kind_of_finding_and_ending() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))

    assert "answer.schema.json" in project["tool"]["setuptools"]["package-data"]["unlike"]
    assert sorted(SCHEMA["$defs"]["finding"]["properties"]["kind"]["enum"]) == sorted(get_args(NoticeKind))
    assert SCHEMA["$defs"]["status"]["properties"]["ending"]["enum"] == [each.value for each in Ending]


def test_the_documents_show_what_is_printed() -> None:
    page = (Path(__file__).parents[2] / "docs" / "reference" / "answers.md").read_text(encoding="utf-8")
    shown = page[page.index("    {\n") : page.index("    }\n") + 6]

    assert shown.replace("\n    ", "\n").strip() == run("generate", ITEMS, "-n", "2").stdout.strip()
    for kind in get_args(NoticeKind):
        assert f"`{kind}`" in page
