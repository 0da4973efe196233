"""Instances show what a schema offers, as it is written; the validator accepts every one."""

from __future__ import annotations

import datetime
import ipaddress
import itertools
import json
import re
import uuid
from pathlib import Path
from typing import Any

import pytest

import unlike
from unlike.documents.json_schema.document import JsonSchema, load
from unlike.suite import Ending, Suite

CONTACT = Path(__file__).parent.parent.parent / "examples" / "specs" / "contact.json"


def schema(contents: Any, dialect: str = "2020-12") -> JsonSchema:
    return load(contents, dialect=dialect).at()


def covered(contents: Any, cover: str = "each", dialect: str = "2020-12") -> Suite:
    found = schema(contents, dialect)
    suite = unlike.generate(found, cover=cover)
    assert suite.status.ending in (Ending.SHOWN, Ending.FOUND), suite.status
    assert all(found.accepts(value) for value in suite.values)
    return suite


# -- the schema of the pairwise comparison ---------------------------------------------------------------------------

GROUPS = {
    "kind": ["person", "company", "bot"],
    "nick": ["absent", "string", "null"],
    "zip": ["absent", "short", "long"],
    "contact": ["absent", "null", ".com", ".org", "phone"],
    "tags": ["absent", "0", "1", "2", "3"],
}


def alternatives(value: dict[str, Any]) -> dict[str, str]:
    contact = value.get("contact", "absent")
    if isinstance(contact, dict):
        contact = contact["email"][-4:] if "email" in contact else "phone"
    return {
        "kind": value["kind"],
        "nick": "absent" if "nick" not in value else "null" if value["nick"] is None else "string",
        "zip": {0: "absent", 5: "short", 10: "long"}[len(value["address"].get("zip", ""))],
        "contact": "null" if contact is None else contact,
        "tags": "absent" if "tags" not in value else str(len(value["tags"])),
    }


def test_the_142_pairs_of_a_contact_appear_in_25_valid_inputs() -> None:
    suite = unlike.generate(unlike.spec(CONTACT)["#"], cover="pairs")

    shown = {
        frozenset(pair)
        for value in suite.values
        for pair in itertools.combinations(sorted(alternatives(value).items()), 2)  # type: ignore[arg-type]
    }
    wanted = {
        frozenset({(one, first), (two, second)})
        for one, two in itertools.combinations(GROUPS, 2)
        for first in GROUPS[one]
        for second in GROUPS[two]
    }
    assert len(wanted) == 142
    assert shown == wanted
    assert len(suite) == 25  # five ways to contact, five numbers of tags: no fewer can do


def test_all_combinations_of_a_contact_are_675() -> None:
    suite = unlike.generate(unlike.spec(CONTACT)["#"], cover="all")

    assert len({tuple(alternatives(value).items()) for value in suite.values}) == len(suite) == 675  # type: ignore[arg-type]


# -- keyword by keyword: what must appear ------------------------------------------------------------------------------


def test_every_type_of_a_list_of_types_appears_in_the_order_written() -> None:
    suite = covered({"type": ["string", "null", "boolean"], "maxLength": 3})

    assert {type(value) for value in suite.values} == {str, type(None), bool}
    assert suite[0].label.startswith("value: string")
    assert {len(value) for value in suite.values if isinstance(value, str)} == {0, 1, 2, 3}


def test_bounds_and_their_neighbours_appear() -> None:
    assert set(covered({"type": "integer", "minimum": 3, "exclusiveMaximum": 10}).values) == {3, 4, 8, 9}
    assert set(covered({"type": "integer", "minimum": 1, "maximum": 20, "multipleOf": 7}).values) == {7, 14}


def test_bounds_of_draft_4_may_be_exclusive_by_a_flag() -> None:
    found = {"type": "integer", "minimum": 3, "exclusiveMinimum": True, "maximum": 5}

    assert set(covered(found, dialect="4").values) == {4, 5}


def test_numbers_between_narrow_bounds_have_enough_decimal_places() -> None:
    values = covered({"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 0.001}).values

    assert values
    assert all(0 < value < 0.001 for value in values)  # type: ignore[operator]


def test_each_branch_of_a_pattern_appears_and_a_pattern_may_be_found_anywhere() -> None:
    anchored = covered({"type": "string", "pattern": "^(cat|dog)s?$"}, cover="all")
    anywhere = covered({"type": "string", "pattern": "cat|dog"})

    assert set(anchored.values) == {"cat", "dog", "cats", "dogs"}
    assert all(re.search("cat|dog", str(value)) for value in anywhere.values)
    assert any(not re.match("cat|dog", str(value)) for value in anywhere.values)


def test_every_value_of_an_enum_appears_whatever_its_type() -> None:
    listed: list[Any] = ["a", 1, 1.5, None, True, [1, {"x": 2}], {"y": []}]

    assert sorted(map(json.dumps, covered({"enum": listed}).values)) == sorted(map(json.dumps, listed))


def test_values_of_an_enum_that_other_keywords_refuse_do_not_appear() -> None:
    assert covered({"enum": [1, 2, 3, "x"], "minimum": 2, "type": "integer"}).values == [2, 3]
    assert covered({"enum": [1, 2, 3], "not": {"const": 2}}).values == [1, 3]


def test_alternatives_of_one_of_stay_apart_even_if_they_overlap() -> None:
    found = {"type": "integer", "oneOf": [{"multipleOf": 3}, {"multipleOf": 5}], "minimum": 1, "maximum": 30}
    suite = covered(found)

    assert any(value % 3 == 0 for value in suite.values)  # type: ignore[operator]
    assert any(value % 5 == 0 for value in suite.values)  # type: ignore[operator]
    assert all(value % 15 for value in suite.values)  # type: ignore[operator]


def test_objects_that_overlap_in_one_of_are_told_apart() -> None:
    first = {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "integer"}}}
    second = {"type": "object", "properties": {"a": {"type": "string"}, "c": {"type": "boolean"}}}

    suite = covered({"oneOf": [first, second]})

    assert {suite[index].label.split(";")[0] for index in range(len(suite))} >= {
        "value: object with a",
        "value: object with a #2",
    }


def test_then_and_else_both_appear() -> None:
    found = {
        "type": "object",
        "properties": {"kind": {"enum": ["card", "cash"]}, "number": {"type": "string", "pattern": "^[0-9]{4}$"}},
        "required": ["kind"],
        "if": {"properties": {"kind": {"const": "card"}}},
        "then": {"required": ["number"]},
        "else": {"properties": {"number": False}},
    }

    values: list[Any] = covered(found, "pairs").values

    assert {(value["kind"], "number" in value) for value in values} == {("card", True), ("cash", False)}


def test_dependent_properties_appear_with_and_without_what_they_depend_on() -> None:
    properties = {name: {"type": "integer"} for name in ("card", "street")}
    new = {"type": "object", "properties": properties, "dependentRequired": {"card": ["street"]}}
    old = {"type": "object", "properties": properties, "dependencies": {"card": ["street"]}}

    for found, dialect in ((new, "2020-12"), (old, "7")):
        values: list[Any] = covered(found, "pairs", dialect).values
        assert {tuple(value) for value in values} == {(), ("street",), ("card", "street")}


def test_properties_by_pattern_and_all_others_appear_beside_named_ones() -> None:
    found = {
        "type": "object",
        "properties": {"id": {"type": "integer", "minimum": 0, "maximum": 1}},
        "required": ["id"],
        "patternProperties": {"^x-": {"type": "boolean"}},
        "additionalProperties": {"type": "null"},
    }

    values: list[Any] = covered(found, "pairs").values

    extended = [value for value in values if any(name.startswith("x-") for name in value)]
    others = [value for value in values if any(not name.startswith("x-") and name != "id" for name in value)]
    assert extended
    assert others
    assert any(list(value) == ["id"] for value in values)


def test_names_of_properties_keep_their_own_schema() -> None:
    found = {"type": "object", "propertyNames": {"pattern": "^[A-Z]{2}$"}, "additionalProperties": {"const": 1}}

    values: list[Any] = covered(found).values

    assert {len(value) for value in values} >= {0, 1, 2}
    assert all(re.fullmatch("[A-Z]{2}", name) for value in values for name in value)


def test_lengths_of_objects_and_arrays_appear() -> None:
    of_objects = covered(
        {"type": "object", "additionalProperties": {"const": 0}, "minProperties": 1, "maxProperties": 4}
    )
    of_arrays = covered({"type": "array", "items": {"const": 0}, "minItems": 2, "maxItems": 5})

    assert {1, 4} <= {len(value) for value in of_objects.values} <= {1, 2, 3, 4}  # type: ignore[arg-type]
    assert {2, 5} <= {len(value) for value in of_arrays.values} <= {2, 3, 4, 5}  # type: ignore[arg-type]


def test_first_items_have_schemas_of_their_own_and_others_follow() -> None:
    new = {"type": "array", "prefixItems": [{"const": "x"}, {"type": "boolean"}], "items": {"const": 7}}
    old = {"type": "array", "items": new["prefixItems"], "additionalItems": {"const": 7}}

    for found, dialect in ((new, "2020-12"), (old, "7")):
        values: list[Any] = covered(found, dialect=dialect).values
        assert [] in values
        assert any(len(value) > 2 and set(value[2:]) == {7} for value in values)
        assert {value[1] for value in values if len(value) > 1} == {False, True}


def test_contained_items_are_there_and_no_more_than_allowed() -> None:
    found = {"type": "array", "items": {"enum": [1, 2, "x"]}, "contains": {"type": "string"}, "maxContains": 2}

    values: list[Any] = covered(found).values

    assert {value.count("x") for value in values} == {1, 2}
    assert any(set(value) > {"x"} for value in values)


def test_unique_items_are_unique_as_json_means_it() -> None:
    values: list[Any] = covered({"type": "array", "items": {"enum": [1, True, "1"]}, "uniqueItems": True}).values

    assert {len(value) for value in values} == {0, 1, 2, 3}


def test_unevaluated_properties_see_the_branch_that_was_taken() -> None:
    found = {
        "type": "object",
        "required": ["kind"],
        "properties": {"kind": {"enum": ["a", "b"]}},
        "oneOf": [
            {"properties": {"kind": {"const": "a"}, "left": {"type": "integer"}}},
            {"properties": {"kind": {"const": "b"}, "right": {"type": "integer"}}, "required": ["right"]},
        ],
        "unevaluatedProperties": False,
    }

    values: list[Any] = covered(found, "pairs").values

    assert {tuple(value) for value in values} == {("kind",), ("kind", "left"), ("kind", "right")}


def test_unevaluated_items_are_refused_unless_contained() -> None:
    found = {"type": "array", "contains": {"const": 1}, "unevaluatedItems": False}

    assert all(set(value) == {1} for value in covered(found).values)  # type: ignore[call-overload]


def test_null_is_a_type_where_nullable_says_so() -> None:
    assert None in covered({"type": "string", "nullable": True, "maxLength": 2}).values
    assert None in covered({"type": "string", "nullable": True, "enum": ["x"]}).values


@pytest.mark.parametrize(
    ("name", "read"),
    [
        ("date", datetime.date.fromisoformat),
        ("time", datetime.time.fromisoformat),
        ("date-time", datetime.datetime.fromisoformat),
        ("uuid", uuid.UUID),
        ("ipv4", ipaddress.IPv4Address),
        ("ipv6", ipaddress.IPv6Address),
        ("email", re.compile(r"[^@]+@[^@.]+\.[a-z]+").fullmatch),
        ("uri", re.compile(r"https?://[^/]+.*").fullmatch),
        ("json-pointer", re.compile(r"(/[^/]*)*").fullmatch),
        ("regex", re.compile),
    ],
)
@pytest.mark.parametrize("more", [{}, {"maxLength": 60}])
def test_formats_look_as_they_should(name: str, read: Any, more: dict[str, Any]) -> None:
    values = covered({"type": "string", "format": name, **more}).values

    assert values
    assert all(read(value) is not None for value in values)


def test_a_format_gives_way_to_what_contradicts_it() -> None:
    assert covered({"type": "string", "format": "date", "maxLength": 3}).values


def test_recursion_ends_at_the_depth_asked_for() -> None:
    node = {
        "$ref": "#/$defs/node",
        "$defs": {
            "node": {
                "type": "object",
                "required": ["value"],
                "properties": {"value": {"type": "boolean"}, "next": {"$ref": "#/$defs/node"}},
            }
        },
    }

    def length(value: Any) -> int:
        return 1 + length(value["next"]) if "next" in value else 1

    for depth in (0, 1, 3):
        values = unlike.generate(schema(node), cover="pairs", depth=depth).values
        assert {length(value) for value in values} == set(range(1, depth + 2))


def test_the_same_seed_gives_the_same_and_a_larger_number_extends_a_smaller() -> None:
    found = unlike.spec(CONTACT)["#"]

    few, many = (unlike.generate(found, n, cover="pairs").values for n in (10, 60))

    assert many[:10] == few
    assert unlike.generate(found, 60, cover="pairs").values == many
    assert unlike.generate(found, 60, cover="pairs", seed=1).values != many


def test_assertions_speak_about_properties() -> None:
    values: list[Any] = unlike.generate(unlike.spec(CONTACT)["#"], where=lambda kind: kind != "bot").values

    assert values
    assert {value["kind"] for value in values} == {"person", "company"}


def test_what_cannot_be_is_listed_with_the_reason() -> None:
    found = {"type": "object", "properties": {"a": {"type": "string", "enum": [1]}, "b": {"type": "null"}}}

    suite = unlike.generate(schema(found))

    assert any(word == "a: present" for word, _ in unlike.coverage_of(suite).impossible)
