"""Rules that other schemas at the same place state, too: nothing breaks them alone, and that is said."""

from __future__ import annotations

import functools
import json
from typing import Any

import pytest
from tests.corpora import few_of
from tests.json_schema.random_schemas import Chance, universe

import unlike
from unlike.documents.json_schema.document import load
from unlike.documents.json_schema.reader import NoInstanceError
from unlike.documents.json_schema.validator import blame


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        ({"type": "object", "allOf": [{"type": "object", "required": ["a"]}]}, "value type"),
        ({"type": "string", "maxLength": 5, "allOf": [{"maxLength": 3}]}, "value maxLength"),
        ({"type": "object", "required": ["a"], "allOf": [{"required": ["a", "b"]}]}, "value required"),
        ({"type": "array", "items": {"type": ["object", "null"], "allOf": [{"enum": [{}, None]}]}}, "[] type"),
    ],
)
def test_what_others_say_too_is_named_and_the_rest_is_proved(schema: dict[str, Any], said: str) -> None:
    suite = unlike.invalid(load(schema).at())

    assert str(suite.status) == f"every keyword is broken alone, but for what others say, too ({said}) (proved)"


def test_a_bound_of_draft_4_that_is_open_is_not_said_by_one_that_is_closed() -> None:
    schema = {"type": "integer", "minimum": 5, "exclusiveMinimum": True, "allOf": [{"minimum": 5}]}

    suite = unlike.invalid(load(schema, dialect="4").at())

    assert 5 in suite.values


@pytest.mark.parametrize("most", [2_500, 100_000])
def test_a_text_longer_than_a_long_limit_is_made_to_measure(most: int) -> None:
    suite = unlike.invalid(load({"type": "string", "maxLength": most}).at())

    assert {len(each) for each in suite.values if isinstance(each, str)} == {most + 1}
    assert str(suite.status) == "every keyword is broken alone (proved)"


def test_an_array_with_more_items_than_a_large_limit_has_items_that_differ() -> None:
    schema = {"type": "array", "items": {"type": "integer"}, "uniqueItems": True, "minItems": 10, "maxItems": 5_000}

    suite = unlike.invalid(load(schema).at(), timeout=20)

    assert any(isinstance(each, list) and len(set(map(json.dumps, each))) == 5_001 for each in suite.values)
    assert str(suite.status) == "every keyword is broken alone (proved)"


@functools.cache
def small_values() -> list[Any]:
    return universe()[::3]


@pytest.mark.parametrize("seed", few_of(range(400), 6))
def test_nothing_small_breaks_a_rule_alone_that_others_imply(seed: int) -> None:
    made = Chance(seed, "2020-12").schema(3)
    schema = load({"allOf": [made, Chance(seed + 1_000, "2020-12").schema(2)]}).at()
    try:
        implied = {key for key, said in schema.read().implied.items() if said}
    except NoInstanceError:
        return

    alone = [(id(each.schema), each.keyword) for value in small_values() for each in blame(schema.validator, value)]

    assert not implied & set(alone)


def test_what_a_condition_says_is_no_rule() -> None:
    schema = {
        "type": "object",
        "required": ["kind"],
        "properties": {"kind": {"enum": ["service", "job"]}, "restart": {"enum": ["always", "never"]}},
        "if": {"properties": {"kind": {"const": "job", "minLength": 2}}},
        "then": {"properties": {"restart": {"const": "never"}}},
        "else": {"properties": {"tries": False}},
    }
    suite = unlike.invalid(load(schema).at(), timeout=20)

    assert not suite.status.cut_short, suite.status
    rules = {case.label.partition(" (")[0] for case in suite}
    assert {"kind: required", "kind: enum", "restart: enum", "restart: const", "value: type"} <= rules


def test_what_a_condition_shares_with_another_place_is_a_rule_there() -> None:
    shared = {"properties": {"k": {"const": 1}}}
    schema = {"type": "object", "if": shared, "then": {"required": ["m"]}, "properties": {"sub": shared}}
    suite = unlike.invalid(load(schema).at(), timeout=20)

    assert any(case.label.startswith("sub.k: const") for case in suite)
