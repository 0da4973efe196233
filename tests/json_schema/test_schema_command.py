"""JSON Schema on the command line, as an annotation, and beside the types it describes."""

from __future__ import annotations

import dataclasses
import datetime
import json
import subprocess
from pathlib import Path
from typing import Annotated, Any, Literal

import pydantic
import pytest
from annotated_types import Interval, MaxLen, MultipleOf
from bench.json_schema_corpus import tally_of
from tests import warm
from tests.types import twins

import unlike
from unlike.documents.json_schema.document import load
from unlike.structure.building import data
from unlike.testing.fingerprint import fingerprint
from unlike.typed.generate import TypeCases
from unlike.writers.inputs import plain

ROOT = Path(__file__).parent.parent.parent
PETS = {
    "type": "object",
    "required": ["name"],
    "properties": {"name": {"enum": ["Tom", "Rex"]}, "kind": {"$ref": "http://example.com/kind"}},
    "additionalProperties": False,
    "$defs": {"age": {"type": "integer", "minimum": 0, "maximum": 30}},
}


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return warm.run(["generate", *arguments], folder)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "pets.json").write_text(json.dumps(PETS))
    (tmp_path / "kind.json").write_text('{"enum": ["cat", "dog"]}')
    return tmp_path


RESOLVED = ("--resolve", "http://example.com/kind=kind.json")


def test_every_line_carries_an_instance_and_its_label(folder: Path) -> None:
    done = run(folder, "--schema", "pets.json", "--cover", "pairs", *RESOLVED)

    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0, done.stderr
    assert {(row["value"]["name"], row["value"].get("kind")) for row in rows} == {
        (name, kind) for name in ("Tom", "Rex") for kind in (None, "cat", "dog")
    }
    assert all(set(row) == {"value", "label"} and "name: " in row["label"] for row in rows)
    assert "pets.json" in done.stderr


def test_a_part_of_a_file_a_number_and_all(folder: Path) -> None:
    few = run(folder, "--schema", "pets.json#/$defs/age", "-n", "2")
    everything = run(folder, "--schema", "pets.json#/$defs/age", "--all")

    assert len(few.stdout.splitlines()) == 2
    assert {json.loads(line)["value"] for line in everything.stdout.splitlines()} == set(range(31))


def test_invalid_lines_name_the_keyword(folder: Path) -> None:
    done = run(folder, "--schema", "pets.json", "--invalid", *RESOLVED)

    labels = [json.loads(line)["label"] for line in done.stdout.splitlines()]
    assert done.returncode == 0, done.stderr
    assert {"value: additionalProperties", "name: enum", "kind: enum", "name: required"} <= {
        label.split(" (")[0] for label in labels
    }


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("--schema", "pets.json"), 2, "--resolve http://example.com/kind=FILE"),
        (("--schema", "none.json"), 2, "none.json"),
        (("--schema", "pets.json#/$defs/ages"), 2, "did you mean"),
        (("--schema", "pets.json", "--resolve", "nonsense"), 2, "URL=FILE"),
        (("--schema", "pets.json", "--resolve", "http://a=none.json"), 2, "none.json"),
        (("--schema", "pets.json", "mod:Thing"), 2, "contradict"),
        (("--schema", "pets.json", "--regex", "a"), 2, "--regex"),
        (("--schema", "pets.json#/$defs/age", "--invalid", "--cover", "pairs"), 2, "contradict"),
        (("--schema", "empty.json"), 1, "no instance exists"),
        (("--schema", "broken.json"), 2, "broken.json"),
    ],
)
def test_what_goes_wrong_is_one_message_and_an_exit_code(
    folder: Path, arguments: tuple[str, ...], code: int, said: str
) -> None:
    (folder / "empty.json").write_text('{"type": "integer", "minimum": 2, "maximum": 1}')
    (folder / "broken.json").write_text("{")

    done = run(folder, *arguments)

    assert done.returncode == code
    assert said in done.stderr
    assert "Traceback" not in done.stderr


# -- as annotations ------------------------------------------------------------------------------------------------


def test_a_schema_is_an_annotation_among_types() -> None:
    age = load(PETS).at("/$defs/age")

    pet = dataclasses.make_dataclass("Pet", [("age", age), ("tame", bool)])

    values: list[Any] = unlike.generate(pet, cover="pairs").values

    assert {pet.age for pet in values} >= {0, 1, 29, 30}
    assert {pet.tame for pet in values} == {False, True}


def test_a_test_with_a_schema_as_annotation_gets_an_item_for_each_instance(pytester: pytest.Pytester) -> None:
    pytester.path.joinpath("pets.json").write_text(json.dumps(PETS))
    pytester.makepyfile(
        """
        import unlike

        SPEC = unlike.spec("pets.json", resolve={"http://example.com/kind": {"enum": ["cat", "dog"]}})

        @unlike.inputs(6)
        def test_pet(pet: SPEC["#"]):
            assert set(pet) <= {"name", "kind"}

        @unlike.inputs(3)
        def test_age(age: SPEC["age"]):
            assert 0 <= age <= 30
        """
    )

    first = pytester.runpytest_inprocess("-q", "-p", "no:hypothesispytest")
    again = pytester.runpytest_inprocess("-q", "-p", "no:hypothesispytest")

    first.assert_outcomes(passed=9)
    again.assert_outcomes(passed=9)


def test_where_a_document_lies_changes_no_fingerprint_but_what_is_in_it_does(tmp_path: Path) -> None:
    found = []
    for folder, contents in (("a", PETS), ("b", PETS), ("c", {**PETS, "maxProperties": 1})):
        (tmp_path / folder).mkdir()
        path = tmp_path / folder / "pets.json"
        path.write_text(json.dumps(contents))
        schema = load(path, resolve={"http://example.com/kind": {"const": "cat"}}).at()
        found.append(fingerprint(schema.shape(2)))

    assert found[0] == found[1] != found[2]


def test_saved_instances_with_other_properties_and_broken_ones_are_replayed(pytester: pytest.Pytester) -> None:
    contents = {
        "type": "object",
        "required": ["id"],
        "properties": {"id": {"type": "integer", "minimum": 1, "maximum": 9}},
        "patternProperties": {"^x-": {"type": "array", "prefixItems": [{"const": 1}], "items": {"type": "null"}}},
        "additionalProperties": False,
    }
    pytester.path.joinpath("thing.json").write_text(json.dumps(contents))
    pytester.makepyfile(
        """
        import unlike

        THING = unlike.spec("thing.json")["#"]

        @unlike.inputs(8)
        def test_thing(thing: THING):
            assert THING.accepts(thing)

        @unlike.inputs(3, invalid=True)
        def test_broken(thing: THING):
            assert not THING.accepts(thing)
        """
    )

    first = pytester.runpytest_inprocess("-q", "-p", "no:hypothesispytest")
    again = pytester.runpytest_inprocess("-q", "-p", "no:hypothesispytest")

    first.assert_outcomes(passed=11)
    again.assert_outcomes(passed=11)


# -- a dataclass, a pydantic model and the JSON Schema of the same thing ----------------------------------------------


@dataclasses.dataclass
class Email:
    email: Annotated[str, unlike.Matching(r"[a-z]+@[a-z]+\.(com|org)")]


@dataclasses.dataclass
class Order:
    id: Annotated[int, Interval(ge=1, le=100)]
    kind: Literal["person", "company", "bot"]
    step: Annotated[int, MultipleOf(5), Interval(ge=0, le=50)]
    price: Annotated[float, Interval(gt=0, le=99.5)]
    sent: datetime.date
    contact: Email | None
    nick: Annotated[str, MaxLen(8)] | None = None
    tags: Annotated[list[Literal["a", "b", "c"]], MaxLen(3)] = dataclasses.field(default_factory=list)
    marks: dict[str, bool] = dataclasses.field(default_factory=dict)
    next: Order | None = None


class EmailModel(pydantic.BaseModel):
    email: Annotated[str, pydantic.Field(pattern=r"^[a-z]+@[a-z]+\.(com|org)$")]


class OrderModel(pydantic.BaseModel):
    id: Annotated[int, pydantic.Field(ge=1, le=100)]
    kind: Literal["person", "company", "bot"]
    step: Annotated[int, pydantic.Field(multiple_of=5, ge=0, le=50)]
    price: Annotated[float, pydantic.Field(gt=0, le=99.5)]
    sent: datetime.date
    contact: EmailModel | None
    nick: Annotated[str, pydantic.Field(max_length=8)] | None = None
    tags: Annotated[list[Literal["a", "b", "c"]], pydantic.Field(max_length=3)] = []
    marks: dict[str, bool] = {}
    next: OrderModel | None = None


def data_of(suite: unlike.Suite) -> list[object]:
    assert isinstance(suite.cases, TypeCases)
    return [plain(data(suite.cases.shape, each)) for each in suite.cases.plains]


@pytest.mark.parametrize("cover", ["each", "pairs"])
def test_a_dataclass_a_model_and_the_schema_of_the_same_thing_give_equal_suites(cover: str) -> None:
    schema = load(OrderModel.model_json_schema()).at()

    suites = [unlike.generate(each, cover=cover, depth=1) for each in (Order, OrderModel, schema)]

    assert data_of(suites[0]) == data_of(suites[1]) == data_of(suites[2]) == suites[2].values
    assert all(suite.status.ending is unlike.Ending.SHOWN for suite in suites)


KINDS = [twins.INT, twins.TEXT, twins.FLAG, twins.WORD, twins.MAYBE, twins.LIST, twins.EITHER, twins.DICT]


@pytest.mark.parametrize("seed", range(20))
def test_random_models_and_their_schemas_give_equal_suites(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(twins, "KINDS", KINDS)
    structure = twins.random_structure(seed)
    schema = load(pydantic.TypeAdapter(twins.as_pydantic(structure)).json_schema()).at()

    for cover in ("each", "pairs"):
        models, schemas = (unlike.generate(each, cover=cover) for each in (twins.as_dataclass(structure), schema))
        assert data_of(models) == schemas.values


# -- the command behind the figures ------------------------------------------------------------------------------------


def test_groups_of_schemas_are_answered_and_counted() -> None:
    groups = [
        {"description": "fine", "schema": {"type": "integer"}, "tests": [{"data": 1, "valid": True}]},
        {"description": "empty", "schema": False, "tests": [{"data": 1, "valid": False}]},
        {"description": "elsewhere", "schema": {"$ref": "http://example.com/none"}, "tests": []},
        {"description": "the data err", "schema": {"type": "integer"}, "tests": [{"data": "x", "valid": True}]},
    ]

    tally = tally_of(groups, "2020-12", {})

    assert (tally.groups, tally.valid, tally.empty, len(tally.unknown), len(tally.wrong)) == (4, 2, 1, 1, 1)
