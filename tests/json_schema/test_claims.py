"""What is said of a schema is so: rules that can be broken, instances that exist, what is not looked at."""

from __future__ import annotations

from pathlib import Path

import pytest

import unlike
from unlike.documents.json_schema import reader
from unlike.documents.json_schema.document import load
from unlike.documents.json_schema.keywords import identity
from unlike.documents.openapi.api import ServiceApi
from unlike.errors import ScopeError, SpecError
from unlike.suite import Ending

# a schema, and the keyword that an input has to break
FORBIDDING: list[tuple[dict[str, object], str]] = [
    ({"type": "object", "maxProperties": 0}, "maxProperties"),
    ({"type": "array", "items": False}, "items"),
    ({"properties": {"a": False}}, "properties"),
    ({"patternProperties": {"^a": False}}, "patternProperties"),
    ({"type": "object", "propertyNames": False}, "propertyNames"),
    ({"type": "array", "prefixItems": [{"type": "integer"}], "unevaluatedItems": False}, "unevaluatedItems"),
    ({"type": "array", "prefixItems": [{"type": "integer"}], "items": False}, "items"),
    ({"type": "object", "patternProperties": {"^x-": {}}, "additionalProperties": False}, "additionalProperties"),
    ({"type": "object", "properties": {"a": {}}, "unevaluatedProperties": False}, "unevaluatedProperties"),
    ({"multipleOf": 0.01}, "multipleOf"),
    ({"type": "number", "multipleOf": 0.25, "minimum": 0}, "multipleOf"),
    ({"properties": {"a": {"not": {}}}}, "not"),
    ({"dependentSchemas": {"a": {"properties": {"b": {}}, "additionalProperties": False}}}, "additionalProperties"),
    ({"dependentSchemas": {"a": False}}, "dependentSchemas"),
    ({"if": {"const": 1}, "then": False}, "if"),
    ({"type": "array", "prefixItems": [{"type": "boolean"}] * 2, "items": False, "uniqueItems": True}, "uniqueItems"),
    (False, "false"),
    ({"not": {}}, "not"),
    ({"oneOf": [{}, {}]}, "oneOf"),
    ({"minimum": 0}, "minimum"),
    ({"const": 0}, "const"),
    ({"const": False}, "const"),
]


@pytest.mark.parametrize(("schema", "keyword"), FORBIDDING, ids=[str(row[0]) for row in FORBIDDING])
def test_a_rule_that_forbids_is_broken(schema: dict[str, object], keyword: str) -> None:
    found = load(schema).at()

    suite = unlike.invalid(found)

    assert any(f": {keyword} (" in case.label for case in suite)
    assert not any(found.accepts(value) for value in suite.values)


@pytest.mark.parametrize(
    "schema",
    [
        {"minLength": 0},
        {"required": []},
        {"uniqueItems": False},
        {"minProperties": 0},
        {"contains": {}, "minContains": 0},
    ],
    ids=str,
)
def test_what_rejects_nothing_is_no_rule(schema: dict[str, object]) -> None:
    assert unlike.invalid(load(schema).at()).status.detail == "the schema states no rule that could be broken"


@pytest.mark.parametrize(
    ("schema", "values"),
    [
        ({"type": "string", "pattern": r"^(?<y>[0-9]{4})$", "maxLength": 4}, r"[0-9]{4}"),
        ({"type": "string", "pattern": r"^\p{Lu}{2}$"}, r"[^a-z]{2}"),
        ({"type": "string", "pattern": r"^\s$", "enum": ["\ufeff", "x"]}, "\ufeff"),
    ],
    ids=["named group", "property", "space"],
)
def test_a_pattern_of_ecma_has_instances(schema: dict[str, object], values: str) -> None:
    import re

    suite = unlike.generate(load(schema).at())

    assert len(suite)
    assert all(re.fullmatch(values, text) for text in suite.values)


@pytest.mark.parametrize("pattern", ["^a$", r"^\w\n?$"])
def test_the_end_of_a_text_is_not_before_a_newline(pattern: str) -> None:
    suite = unlike.generate(load({"enum": ["a\n", "b\n"], "pattern": pattern.replace(r"\n?", "")}).at())

    assert suite.status.ending is Ending.UNSATISFIABLE


def test_a_pattern_is_found_by_its_pointer_as_it_is_written() -> None:
    document = load({"patternProperties": {"^a$": {"type": "integer"}}, "$ref": "#/patternProperties/%5Ea$"})

    assert set(map(type, unlike.generate(document.at()).values)) == {int}


def test_what_a_document_says_twice_or_in_another_draft_is_told() -> None:
    schema = {
        "type": "object",
        "required": ["a", "a"],
        "dependencies": {"a": ["b"]},
        "properties": {"a": {"type": "null"}},
    }

    newest, older = (str(unlike.generate(load(schema, dialect=draft).at()).status) for draft in (None, "7"))

    assert "required names 'a' twice" in newest
    assert "dependencies is no keyword of draft 2020-12" in newest
    assert "dependencies" not in older
    assert all("b" in value for value in unlike.generate(load(schema, dialect="7").at()).values)


def test_the_draft_is_chosen_where_the_document_is_silent(tmp_path: Path) -> None:
    file = tmp_path / "schema.json"
    file.write_text('{"type": "array", "minItems": 1, "items": [{"const": 7}]}')

    assert all(value[0] == 7 for value in unlike.generate(unlike.spec(file, dialect="7")["#"]).values)
    with pytest.raises(SpecError, match="no draft '9'; there are: 4, 6, 7"):
        unlike.spec(file, dialect="9")


def test_version_3_2_is_read_and_recursive_references_say_nothing() -> None:
    paths = {
        "/search": {
            "query": {
                "operationId": "search",
                "requestBody": {"content": {"application/json": {"schema": {"type": "null"}}}},
            },
            "additionalOperations": {"COPY": {"operationId": "copy"}},
        }
    }
    tree = {"type": "object", "properties": {"next": {"$recursiveRef": "#"}}, "required": ["next"]}
    api = ServiceApi({"openapi": "3.2.0", "paths": paths, "components": {"schemas": {"Tree": tree}}}, "api.json")

    assert [each.route for each in api.operations.values()] == ["QUERY /search", "COPY /search"]
    assert len(unlike.generate(api.model("Tree")))


def large(*, required: bool) -> dict[str, object]:
    """Return a schema with 12 * 12 + 13 places."""
    inner = {f"q{j}": {"type": "integer"} for j in range(12)}
    parts: dict[str, dict[str, object]] = {
        f"p{i}": {"type": "object", "properties": {name: {**said, "minimum": i} for name, said in inner.items()}}
        for i in range(12)
    }
    whole: dict[str, object] = {"type": "object", "properties": parts}
    if required:
        for each in (whole, *parts.values()):
            each["required"] = list(each["properties"])  # type: ignore[call-overload]
    return whole


@pytest.mark.parametrize("most", [150, 100, 5])
def test_what_is_left_out_of_a_schema_too_large_is_told(monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    monkeypatch.setattr(reader, "MOST_PLACES", most)
    schema = load(large(required=False)).at()

    suite, broken = unlike.generate(schema), unlike.invalid(schema)

    assert len(suite)
    assert all(schema.accepts(value) for value in suite.values)
    assert suite.status.ending is Ending.UNKNOWN
    assert "left out of a schema this large" in suite.status.detail
    assert "20,000 places" in suite.explanation
    assert "impossible" not in suite.explanation
    assert len(broken)
    assert broken.status.ending is Ending.UNKNOWN


def test_a_schema_too_large_is_undecided_where_everything_must_be_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "MOST_PLACES", 100)
    schema = load(large(required=True)).at()

    suite = unlike.generate(schema)

    assert suite.status.ending is Ending.UNKNOWN
    assert "20,000 places" in suite.status.detail


@pytest.mark.parametrize("schema", [{}, True, {"not": {"type": "integer"}}, {"type": "array", "items": {}}], ids=str)
def test_as_many_values_are_made_as_are_asked_for(schema: dict[str, object]) -> None:
    found = load(schema).at()

    many, few = unlike.generate(found, 30), unlike.generate(found, 10)

    assert len(many) == 30
    assert [case.label for case in many[:10]] == [case.label for case in few]
    assert len({identity(value) for value in many.values}) == 30
    assert many.status.ending is Ending.FOUND


def test_an_integer_without_bounds_is_not_counted_by_ours() -> None:
    with pytest.raises(ScopeError, match="there are very many inputs; ask for a number"):
        unlike.generate(load({"type": "integer"}).at(), "all")


@pytest.mark.parametrize("bound", [1e300, 1e23, -1e25])
@pytest.mark.parametrize("kind", ["integer", "number"])
def test_a_bound_beyond_exact_floats_is_the_number_that_a_computer_reads(kind: str, bound: float) -> None:
    schema = load({"type": kind, "minimum": bound, "maximum": bound}).at()

    assert [float(value) for value in unlike.generate(schema).values] == [bound]
