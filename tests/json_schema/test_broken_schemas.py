"""Data that break one keyword: rejected, and accepted once that keyword is dropped from a copy of the schema."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

import pytest
from tests.json_schema.random_schemas import Chance

import unlike
from unlike.documents.json_schema.document import load
from unlike.suite import Ending

SHOP: dict[str, Any] = {
    "type": "object",
    "required": ["id", "kind"],
    "additionalProperties": False,
    "dependentRequired": {"card": ["kind"]},
    "minProperties": 2,
    "properties": {
        "id": {"type": "integer", "minimum": 1, "maximum": 99, "multipleOf": 3},
        "kind": {"enum": ["book", "game"]},
        "card": {"type": "string", "pattern": "^[0-9]{4}(-[0-9]{2})?$"},
        "name": {"type": ["string", "null"], "minLength": 2, "maxLength": 4, "not": {"const": "xxx"}},
        "tags": {"type": "array", "items": {"type": "string"}, "uniqueItems": True, "minItems": 1, "maxItems": 3},
        "marks": {"type": "array", "contains": {"const": 1}, "items": {"type": "integer"}},
        "way": {"oneOf": [{"$ref": "#/$defs/mail"}, {"type": "integer", "exclusiveMinimum": 0}]},
        "more": {"type": "object", "propertyNames": {"maxLength": 2}, "additionalProperties": {"const": 0}},
    },
    "$defs": {"mail": {"type": "object", "required": ["to"], "properties": {"to": {"type": "string"}}}},
}


def without(schema: Any, keyword: str) -> Iterator[Any]:
    """Yield every copy of a schema from which the keyword is dropped in one place."""
    places = list(_places(schema, keyword, ()))
    for place in places:
        copied = copy.deepcopy(schema)
        inner = copied
        for step in place:
            inner = inner[step]
        del inner[keyword]
        yield copied


def _places(part: Any, keyword: str, path: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    if isinstance(part, dict):
        if keyword in part:
            yield path
        for key, value in part.items():
            yield from _places(value, keyword, (*path, key))
    elif isinstance(part, list):
        for index, value in enumerate(part):
            yield from _places(value, keyword, (*path, index))


def check(contents: Any, draft: str = "2020-12") -> list[str]:
    schema = load(contents, dialect=draft).at()
    before = copy.deepcopy(contents)
    labels = []
    suite = unlike.invalid(schema, timeout=30)
    nothing_exists = suite.status.detail.startswith("no instance exists")
    for case in suite:
        keyword = case.label.rpartition(": ")[2] if "(" not in case.label else case.label.split(" (")[0].split(": ")[-1]
        assert not schema.accepts(case.value), case.label
        dropped = (load(each, dialect=draft).at() for each in without(contents, keyword))
        # where nothing is accepted, more than one rule may stand in the way
        assert nothing_exists or any(each.accepts(case.value) for each in dropped), (case.label, case.value)
        labels.append(case.label)
    assert contents == before  # what was dropped is back
    assert nothing_exists or len(set(labels)) == len(labels)
    return labels


@pytest.mark.corpus
def test_every_keyword_of_a_schema_is_broken_alone() -> None:
    labels = check(SHOP)

    broken = {label.split(" (")[0] for label in labels}
    assert broken >= {
        "value: type",
        "value: additionalProperties",
        "id: type",
        "id: minimum",
        "id: maximum",
        "id: multipleOf",
        "id: required",
        "kind: enum",
        "card: pattern",
        "name: maxLength",
        "name: minLength",
        "tags: uniqueItems",
        "tags: maxItems",
        "tags: minItems",
        "marks: contains",
        "way.to: required",
        "way: exclusiveMinimum",
        "more[].key: maxLength",
        "name: not",
    }


def test_what_no_input_breaks_alone_is_said() -> None:
    suite = unlike.invalid(load({"type": "string", "pattern": "^a{2}$", "minLength": 1}).at())

    assert suite.status.ending is Ending.UNKNOWN
    assert "minLength" in suite.status.detail


def test_all_rules_broken_is_a_complete_answer_and_a_number_cuts_it() -> None:
    schema = load({"type": "integer", "minimum": 0, "maximum": 9}).at()

    assert unlike.invalid(schema).status.ending is Ending.SHOWN
    assert [case.label.split(" (")[0] for case in unlike.invalid(schema, 2)] == ["value: minimum", "value: maximum"]
    assert unlike.invalid(schema, 2).status.ending is Ending.FOUND


def test_a_schema_without_rules_has_nothing_to_break() -> None:
    assert unlike.invalid(load({}).at()).status.ending is Ending.UNSATISFIABLE


@pytest.mark.parametrize("seed", range(0, 120, 3))
def test_whatever_breaks_a_random_schema_is_accepted_without_its_keyword(seed: int) -> None:
    contents = Chance(seed, "2020-12").schema(seed % 2)
    if isinstance(contents, dict):
        check(contents)


def test_a_label_names_a_keyword_of_the_place_that_was_changed() -> None:
    tagged = [
        {"required": ["method", "pan"], "properties": {"method": {"const": "card"}, "pan": {"pattern": "^[0-9]{4}$"}}},
        {"required": ["method"], "properties": {"method": {"const": "cash"}, "tip": {"minimum": 0, "type": "integer"}}},
    ]
    items = {"type": "array", "items": {"type": "object", "properties": {"value": {"type": "integer"}}}}
    paid = {"type": "object", "properties": {"pay": {"type": "object", "oneOf": tagged}, "lines": items}}

    labels = check(paid)

    # without the const of the other alternative any pan would do, too; but that is no rule about pan
    assert all(label.startswith("pay.pan: pattern (") for label in labels if "not matching the pattern" in label)
    assert "pay.method: required (missing)" in labels
    assert "lines[].value: type (wrong type (None))" in labels
    # a keyword of another place stands at its own
    assert not [label for label in labels if label.startswith("pay.pan: const")]


@pytest.mark.parametrize("schema", [{}, SHOP], ids=["anything", "shop"])
def test_when_the_time_is_over_at_once_an_instance_is_broken_still(schema: dict[str, Any]) -> None:
    suite = unlike.invalid(load(schema).at(), timeout=1e-6)

    assert suite.status.ending is Ending.TIMEOUT
    assert bool(suite.values) == bool(schema)
