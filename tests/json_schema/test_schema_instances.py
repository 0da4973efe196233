"""No instance twice, and none missed where it is said that no more exist: against brute force, and case by case."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import pytest
from tests.json_schema.random_schemas import Chance, Finite, finite_universe, universe

import unlike
from unlike.documents.json_schema.document import JsonSchema, load
from unlike.errors import ScopeError
from unlike.suite import Ending
from unlike.testing.decorators import Asked
from unlike.testing.sources.suites import SuiteSource
from unlike.testing.sources.typed import typed_inputs

SMALL = finite_universe()
VALUES = universe()
DRAFT_7 = "http://json-schema.org/draft-07/schema#"
TUPLE = {
    "type": "array",
    "prefixItems": [{"const": "v"}, {"type": "integer", "minimum": 0, "maximum": 2}],
    "items": {"type": "boolean"},
    "contains": {"const": True},
    "maxContains": 2,
    "maxItems": 5,
}
NAMED = {
    "type": "object",
    "properties": {"host": {"type": "boolean"}, "port": {"enum": [80, 443]}},
    "required": ["host"],
    "propertyNames": {"enum": ["host", "port"]},
}
OVERLAPPING = {"anyOf": [{"enum": ["low", "high"]}, {"enum": ["high", "max"]}]}


def schema_of(contents: Any) -> JsonSchema:
    return load(contents).at()


def text(value: object) -> str:
    """Return JSON in which equal values are written alike: keys in order, whole numbers without a point."""
    match value:
        case dict():
            return f"{{{', '.join(f'{json.dumps(key)}: {text(value[key])}' for key in sorted(value))}}}"
        case list():
            return f"[{', '.join(map(text, value))}]"
        case float() if value.is_integer():
            return str(int(value))
    return json.dumps(value)


def texts(suite: unlike.Suite) -> list[str]:
    return [text(value) for value in suite.values]


@pytest.mark.parametrize("seed", range(20))
def test_all_instances_of_a_finite_schema_are_those_that_brute_force_finds_each_once(seed: int) -> None:
    schema = schema_of(Finite(seed).schema())

    suite = unlike.generate(schema, "all")

    accepts = schema.validator.is_valid
    assert sorted(texts(suite)) == sorted({text(value) for value in SMALL if accepts(value)})
    assert suite.status.ending is (Ending.COMPLETE if len(suite) else Ending.UNSATISFIABLE)


@pytest.mark.parametrize("strength", ["each", "pairs", "all"])
def test_no_instance_comes_twice_whatever_is_covered(strength: str) -> None:
    for seed in range(100, 108):
        found = texts(unlike.generate(schema_of(Finite(seed).schema()), cover=strength))

        assert len(set(found)) == len(found), seed


def test_no_more_exist_is_not_said_where_a_value_of_any_kind_is_missing() -> None:
    said = 0
    for seed in range(2_000, 2_040):
        draft = "2020-12" if seed % 3 else "7"
        schema = load(Chance(seed, draft).schema(seed % 3), dialect=draft).at()
        try:
            suite = unlike.generate(schema, "all")
        except ScopeError:  # too many to list
            continue
        found = texts(suite)
        assert len(set(found)) == len(found), seed
        if suite.status.ending is Ending.COMPLETE:
            said += 1
            accepts = schema.validator.is_valid
            assert {text(value) for value in VALUES if accepts(value)} <= set(found), seed

    assert said > 5


def test_an_instance_that_two_alternatives_allow_is_listed_once_and_shows_both() -> None:
    suite = unlike.generate(schema_of(OVERLAPPING))

    assert suite.values == ["low", "high", "max"]
    assert suite[1].label == "value: enum #2, 'high', enum"
    assert "3 instances, each accepted by the validator, no two equal; 6 of 6 choices shown" in suite.guarantee


def test_objects_are_the_same_in_whatever_order_their_keys_come_and_numbers_with_a_point_or_without() -> None:
    closed = {"type": "object", "additionalProperties": False}
    two = {"anyOf": [closed | {"properties": {"a": {}}}, closed | {"properties": {"b": {}}}]}

    empty = [value for value in unlike.generate(schema_of(two)).values if value == {}]
    numbers = unlike.generate(schema_of({"anyOf": [{"enum": [1, True]}, {"enum": [1.0, 2]}]}), "all").values

    assert empty == [{}]
    assert [repr(each) for each in numbers] == ["1", "True", "2"]


@pytest.mark.parametrize(
    ("contents", "count"),
    [
        (TUPLE, 30),  # where the contained items stand is free
        (
            {
                "type": "array",
                "maxItems": 3,
                "prefixItems": [{"const": "x"}, {"enum": [0, None]}],
                "items": {"const": 0},
            },
            6,
        ),
        (
            {
                "$schema": DRAFT_7,
                "type": "array",
                "items": [{"enum": [1, 2]}, {"type": "boolean"}],
                "additionalItems": False,
            },
            7,
        ),
        (NAMED, 6),
        ({"type": "string", "pattern": "^(a|b)?c{1,2}$"}, 6),
        ({"type": "number", "minimum": 0, "maximum": 1, "multipleOf": 0.25}, 5),
        ({"not": {"not": {"type": ["null", "boolean"]}}}, 3),
        ({"allOf": [{"properties": {"a": {"type": "null"}}}], "type": "object", "unevaluatedProperties": False}, 2),
        ({"type": "array", "items": {"enum": [1, 2, 3, 4, 5]}, "uniqueItems": True, "minItems": 5}, 120),
    ],
)
def test_all_instances_are_listed_where_they_are_few(contents: Any, count: int) -> None:
    contents = contents | ({"maxItems": 5} if "minItems" in contents else {})

    suite = unlike.generate(schema_of(contents), "all")

    assert (len(suite), str(suite.status)) == (count, "no more exist (proved): all inputs there are")
    assert unlike.generate(schema_of(contents), count + 1).status.ending is Ending.COMPLETE
    assert unlike.generate(schema_of(contents), count - 1).status.ending is Ending.FOUND


@pytest.mark.parametrize(
    ("contents", "place"),
    [
        ({}, "value: any value"),
        ({"type": "object", "properties": {"a": {"type": "boolean"}}}, "value: other properties"),
        ({"type": "array", "items": {"type": "boolean"}}, "value: any number of items"),
        (
            {"type": "number", "minimum": 0, "maximum": 1, "multipleOf": 0.1},
            "value: multiples of 0.1, which a computer rounds",
        ),
        ({"type": "object", "properties": {"a": {}}, "additionalProperties": False}, "a: any value"),
        (
            {"type": "object", "properties": {"next": {"$ref": "#"}}, "additionalProperties": False},
            "next: nested any number of times",
        ),
    ],
)
def test_where_one_stands_for_many_it_is_not_said_that_no_more_exist(contents: Any, place: str) -> None:
    everything = unlike.generate(schema_of(contents), "all")
    combined = unlike.generate(schema_of(contents), cover="all")
    some = unlike.generate(schema_of(contents), 1_000)

    words = f"all that the choices give; more may exist, as these are open: {place}"
    assert everything.status == combined.status == unlike.Status(Ending.FOUND, words)
    if place.endswith("any value"):  # these are made
        assert (len(some), some.status) == (1_000, unlike.Status(Ending.FOUND))
    else:
        assert some.status == unlike.Status(Ending.UNKNOWN, words)


def test_combinations_of_choices_are_not_all_instances_where_choices_do_not_make_them_all() -> None:
    suite = unlike.generate(schema_of(TUPLE), cover="all")

    assert str(suite.status).endswith("all that the choices give; there are more, which n='all' (--all) lists")


def test_a_type_with_a_schema_in_it_lists_all_its_instances_and_knows_them_again() -> None:
    annotations = {"one": schema_of(TUPLE), "two": schema_of(OVERLAPPING)}

    source = SuiteSource(typed_inputs(annotations, Asked("all")))
    rows, status = source.generate("all", None)

    assert (len(rows), status.ending) == (30 * 3, Ending.COMPLETE)
    assert source.first_wrong([source.decode(row.input, {}) for row in rows]) is None


def test_a_type_with_an_open_schema_in_it_says_where_more_may_exist() -> None:
    record = dataclasses.make_dataclass("Record", [("data", schema_of({})), ("on", bool)])

    suite = unlike.generate(record, "all")

    assert suite.status.ending is Ending.FOUND
    assert suite.status.detail.endswith("open: data: any value")
