"""What `python -m bench.schema_claims` holds against: it notices false claims, and finds none on schemas of ours."""

from __future__ import annotations

from typing import Any

import pytest
from bench.no_instance import has_no_instance
from bench.schema_claims import Claims, accepts_alone, check_groups, check_schema, has_line_ends, values_near
from tests.corpora import few_of
from tests.json_schema.random_schemas import Chance

import unlike
from unlike.documents.json_schema.document import load

GROUPS: list[dict[str, Any]] = [
    {
        "description": "several multiples",
        "schema": {"allOf": [{"multipleOf": 2}], "anyOf": [{"multipleOf": 3}], "oneOf": [{"multipleOf": 5}]},
        "tests": [{"data": each, "valid": each == 30} for each in (1, 2, 3, 5, 6, 10, 15, 30)],
    },
    {
        "description": "alternatives",
        "schema": {"type": "object", "oneOf": [{"required": ["a", "b"]}, {"required": ["a", "c"]}]},
        "tests": [{"data": {"a": 1, "b": 2, "c": 3}, "valid": False}, {"data": {"b": 2}, "valid": False}],
    },
    {
        "description": "closed beside a pattern",
        "schema": {"patternProperties": {"^x-": {}}, "properties": {"a": {}}, "additionalProperties": False},
        "tests": [{"data": {"b": 1}, "valid": False}, {"data": {"x-b": 1}, "valid": True}],
    },
    {"description": "nothing", "schema": {"not": {}}, "tests": [{"data": 1, "valid": False}]},
]


@pytest.mark.parametrize("draft", ["7", "2020-12"])
def test_data_that_are_invalid_are_matched_by_a_broken_instance(draft: str) -> None:
    claims = Claims()

    check_groups(claims, GROUPS, draft, {})

    assert (claims.wrong, claims.unmatched, claims.undecided, claims.late) == ([], [], [], [])
    assert claims.matched == claims.negatives == 11
    assert claims.is_kept


def test_a_false_claim_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    from unlike.suite import Ending, Status

    real = unlike.generate

    def lying(*words: Any, **keywords: Any) -> Any:
        found = real(*words, **keywords)[:0]
        return found.__class__(found.name, found.cases, Status(Ending.UNSATISFIABLE))

    monkeypatch.setattr("bench.schema_claims.unlike.generate", lying)
    claims = Claims()

    check_schema(claims, "one", {"type": "object", "required": ["a"], "properties": {"a": {"const": 7}}})

    assert claims.wrong == ["one: {'a': 7} is an instance"]
    assert {"a": 7} in values_near({"properties": {"a": {"const": 7}}})


@pytest.mark.parametrize("seed", few_of(range(300), 12))
def test_random_schemas_have_no_false_claim(seed: int) -> None:
    claims = Claims()

    check_schema(claims, str(seed), Chance(seed, "2020-12").schema(3), invalid=seed % 4 == 0)

    assert claims.wrong == []


@pytest.mark.parametrize("seed", few_of(range(2_000), 50))
def test_what_has_no_instance_is_proved_so_by_a_second_way(seed: int) -> None:
    contents = Chance(seed, "2020-12").schema(3)
    suite = unlike.generate(load(contents).at(), 1, timeout=20)

    proved = has_no_instance(contents, accepts_alone)

    if len(suite):
        assert not proved
    elif suite.status.ending is unlike.Ending.UNSATISFIABLE:
        assert proved


@pytest.mark.parametrize(
    "contents",
    [
        {"type": "object", "required": ["a"], "properties": {"a": False}},
        {"type": "array", "minItems": 1, "items": {"type": "string", "minLength": 2, "maxLength": 1}},
        {"type": "object", "required": ["ab"], "propertyNames": {"maxLength": 1}},
        {"type": "number", "minimum": 2, "exclusiveMaximum": 2},
        {"not": {"anyOf": [{"type": "string"}, {"not": {"type": "string"}}]}},
        {"oneOf": [{"type": "string"}, {"minimum": 1}], "type": "string"},
    ],
)
def test_the_second_way_proves_what_anyone_sees(contents: Any) -> None:
    assert has_no_instance(contents, accepts_alone)


def test_line_ends_are_seen_anywhere() -> None:
    assert has_line_ends({"a": [{"\u2028": 1}]})
    assert not has_line_ends({"a": ["\n", 1, None]})
