"""Large, deep and contradictory schemas are handled, or refused with one message."""

from __future__ import annotations

from typing import Any

import pytest
from tests.corpora import few_of

import unlike
from unlike.documents.json_schema.document import load
from unlike.errors import ScopeError, SpecError
from unlike.suite import Ending


def nested(levels: int, wrap: Any) -> Any:
    found: Any = {"type": "integer"}
    for _ in range(levels):
        found = wrap(found)
    return found


MODELS = {
    f"m{i}": {
        "type": "object",
        "properties": {f"p{j}": {"$ref": f"#/$defs/m{(i * 7 + j * 3 + 1) % 60}"} for j in range(8)},
    }
    for i in range(60)
}
HANDLED: dict[str, Any] = {
    "1,000 properties": {"type": "object", "properties": {f"p{i}": {"type": "boolean"} for i in range(1_000)}},
    "1,000 required": {
        "type": "object",
        "required": [f"p{i}" for i in range(1_000)],
        "properties": {f"p{i}": {"type": "null"} for i in range(1_000)},
    },
    "a large enum": {"enum": [f"v{i}" for i in range(3_000)]},
    "60 objects deep": nested(60, lambda inner: {"type": "object", "properties": {"a": inner}, "required": ["a"]}),
    "60 arrays deep": nested(60, lambda inner: {"type": "array", "items": inner}),
    "40 times allOf": nested(40, lambda inner: {"allOf": [inner]}),
    "any JSON": {
        "$ref": "#/$defs/any",
        "$defs": {
            "any": {
                "anyOf": [
                    {"type": ["null", "boolean", "number", "string"]},
                    {"type": "array", "items": {"$ref": "#/$defs/any"}},
                    {"type": "object", "additionalProperties": {"$ref": "#/$defs/any"}},
                ]
            }
        },
    },
    "many models that refer to each other": {"$ref": "#/$defs/m0", "$defs": MODELS},
    "2^30 combinations": {
        "type": "object",
        "allOf": [{"anyOf": [{"required": [f"a{i}"]}, {"required": [f"b{i}"]}]} for i in range(30)],
    },
    "40 that depend on each other": {
        "type": "object",
        "properties": {f"a{i}": {"type": "null"} for i in range(40)},
        "dependentRequired": {f"a{i}": [f"a{(i + 1) % 40}"] for i in range(40)},
    },
    "100 alternatives": {
        "oneOf": [{"type": "object", "required": ["k"], "properties": {"k": {"const": i}}} for i in range(100)]
    },
    "a text without end": {"type": "string", "maxLength": 10**9},
    "a number beyond all floats": {"type": "number", "minimum": 10**400},
    "500 different items": {"type": "array", "uniqueItems": True, "minItems": 500, "items": {"type": "integer"}},
}


LIMITED = {"many models that refer to each other", "2^30 combinations", "40 that depend on each other"}


@pytest.mark.few(1)
@pytest.mark.parametrize("name", few_of(HANDLED, 4))
def test_large_and_deep_schemas_are_handled(name: str) -> None:
    schema = load(HANDLED[name]).at()

    suite = unlike.generate(schema, timeout=60)

    assert len(suite)
    assert suite.status.ending in ([Ending.UNKNOWN] if name in LIMITED else [Ending.SHOWN, Ending.FOUND])
    assert all(schema.accepts(value) for value in suite.values[:20])


REFUSED: dict[str, tuple[Any, str]] = {
    "300 levels": (nested(900, lambda inner: {"type": "object", "properties": {"a": inner}}), "deeply"),
    "a text too long": ({"type": "string", "minLength": 10**9}, "1,000,000,000"),
    "an array too long": ({"type": "array", "minItems": 10**6}, "1,000,000"),
    "no such type": ({"type": "strin"}, "strin"),
    "a bound that is none": ({"minimum": "a"}, "/minimum"),
    "properties in a list": ({"properties": [1]}, "/properties"),
    "nothing to choose from": ({"anyOf": []}, "/anyOf"),
    "a reference that is none": ({"$ref": 5}, "ref"),
    "a pattern that is none": ({"pattern": "("}, r"'\('"),
    "multiples of nothing": ({"multipleOf": 0}, "/multipleOf"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_schema_or_too_large_is_refused_with_the_reason(name: str) -> None:
    contents, said = REFUSED[name]

    with pytest.raises(SpecError, match=said):
        unlike.generate(load(contents).at())


@pytest.mark.parametrize("contents", [[], 3, None])
def test_a_document_that_is_no_object_is_refused(contents: Any) -> None:
    with pytest.raises(SpecError, match="not a schema"):
        load(contents)


def test_a_malformed_schema_elsewhere_is_refused_when_it_is_reached() -> None:
    found = {"$ref": "http://example.com/a"}

    with pytest.raises(SpecError, match="malformed"):
        unlike.generate(load(found, resolve={"http://example.com/a": {"type": "object", "properties": 5}}).at())


def test_more_pairs_than_can_be_shown_are_refused() -> None:
    listed = {name: {"enum": list(range(300))} for name in "abc"}

    with pytest.raises(ScopeError, match="inputs"):
        unlike.generate(load({"type": "object", "properties": listed}).at(), cover="pairs")


def test_what_is_left_out_of_a_large_schema_is_said() -> None:
    suite = unlike.generate(load(HANDLED["many models that refer to each other"]).at())

    assert unlike.coverage_of(suite).left_out
    assert "left out" in suite.status.detail
    assert "left out" in suite.guarantee
