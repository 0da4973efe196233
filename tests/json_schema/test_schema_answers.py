"""No wrong answer: random schemas against every small value, and schemas known to have no instance."""

from __future__ import annotations

from typing import Any

import pytest
from tests.json_schema.random_schemas import Chance, universe

import unlike
from unlike.documents.json_schema.document import load
from unlike.errors import SpecError
from unlike.suite import Ending

VALUES = universe()


@pytest.mark.parametrize("seed", range(150))
def test_instances_are_valid_and_no_instance_is_said_only_where_brute_force_finds_none(seed: int) -> None:
    draft = "2020-12" if seed % 3 else "7"
    schema = load(Chance(seed, draft).schema(seed % 3), dialect=draft).at()

    suite = unlike.generate(schema, 5, timeout=30)

    validator = schema.validator
    assert all(validator.is_valid(value) for value in suite.values)
    if suite.status.ending is Ending.UNSATISFIABLE:
        assert not any(validator.is_valid(value) for value in VALUES)
    else:
        assert len(suite) or suite.status.detail


def test_nearly_all_random_schemas_get_a_definite_answer() -> None:
    undecided = []
    for seed in range(1_000, 1_080):
        schema = load(Chance(seed, "2020-12").schema(seed % 3)).at()
        suite = unlike.generate(schema, 1, timeout=30)
        if not len(suite) and suite.status.ending is not Ending.UNSATISFIABLE:
            undecided.append(seed)

    assert len(undecided) <= 2


EMPTY: dict[str, Any] = {
    "false": False,
    "bounds": {"type": "integer", "minimum": 5, "maximum": 3},
    "open bounds": {"type": "number", "exclusiveMinimum": 1, "maximum": 1},
    "no whole number": {"type": "integer", "exclusiveMinimum": 1, "exclusiveMaximum": 2},
    "no multiple": {"type": "number", "minimum": 1, "maximum": 2, "multipleOf": 3},
    "lengths": {"type": "string", "minLength": 3, "maxLength": 2},
    "pattern and length": {"type": "string", "pattern": "^a{4}$", "maxLength": 3},
    "two patterns": {"type": "string", "allOf": [{"pattern": "^a"}, {"pattern": "^b"}]},
    "types": {"type": "string", "allOf": [{"type": ["integer", "null"]}]},
    "enum and type": {"type": "string", "enum": [1, None]},
    "const and enum": {"const": 3, "enum": [1, 2]},
    "required but false": {"type": "object", "required": ["a"], "properties": {"a": False}},
    "required and closed": {"type": "object", "required": ["a"], "additionalProperties": False},
    "required and not evaluated": {"type": "object", "required": ["a"], "unevaluatedProperties": False},
    "name refused": {"type": "object", "required": ["ab"], "propertyNames": {"maxLength": 1}},
    "too many required": {"type": "object", "required": ["a", "b"], "maxProperties": 1},
    "too few possible": {
        "type": "object",
        "properties": {"a": {}},
        "additionalProperties": False,
        "minProperties": 2,
    },
    "items": {"type": "array", "items": False, "minItems": 1},
    "contains": {"type": "array", "items": {"type": "string"}, "contains": {"type": "integer"}},
    "contains in too short": {"type": "array", "contains": {}, "minContains": 3, "maxItems": 2},
    "unique": {"type": "array", "items": {"type": "boolean"}, "uniqueItems": True, "minItems": 3},
    "not everything": {"not": {}},
    "not its own type": {"type": "null", "not": {"type": "null"}},
    "both of oneOf": {"oneOf": [{"type": "integer"}, {"type": "integer"}], "type": "integer"},
    "if and never": {"type": "integer", "if": {"type": "integer"}, "then": False},
    "no end": {
        "$ref": "#/$defs/node",
        "$defs": {"node": {"type": "object", "required": ["next"], "properties": {"next": {"$ref": "#/$defs/node"}}}},
    },
}


@pytest.mark.parametrize("name", EMPTY)
def test_no_instance_exists_is_proved_with_a_reason(name: str) -> None:
    suite = unlike.generate(load(EMPTY[name]).at())

    assert suite.status.ending is Ending.UNSATISFIABLE, suite.status
    assert suite.status.detail
    assert suite.status.exit_code == 1


def test_what_depends_on_other_branches_is_no_proof() -> None:
    # only both branches together evaluate both properties
    found = {
        "type": "object",
        "required": ["a", "b"],
        "anyOf": [{"properties": {"a": {}}}, {"properties": {"b": {}}}],
        "unevaluatedProperties": False,
    }

    suite = unlike.generate(load(found).at())

    assert len(suite)
    assert all(set(value) == {"a", "b"} for value in suite.values)  # type: ignore[call-overload]


def test_a_schema_that_only_refers_to_itself_is_refused() -> None:
    with pytest.raises(SpecError):
        unlike.generate(load({"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/a"}}}).at())
