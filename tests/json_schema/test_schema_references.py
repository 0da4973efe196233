"""References: inside a document, by name and by address, to other files; never over the network."""

from __future__ import annotations

import json
import socket
from pathlib import Path
from typing import Any

import pytest

import unlike
from unlike.documents.json_schema.document import load
from unlike.errors import SpecError


def values(contents: Any, **how: Any) -> list[Any]:
    schema = load(contents, **how).at()
    found = unlike.generate(schema).values
    assert found
    assert all(schema.accepts(value) for value in found)
    return found


def test_a_pointer_may_lead_through_names_that_need_escapes() -> None:
    found = {"$ref": "#/$defs/a~1b%25~0c", "$defs": {"a/b%~c": {"const": 3}}}

    assert values(found) == [3]


def test_nested_references_are_followed() -> None:
    found = {
        "$ref": "#/$defs/one",
        "$defs": {
            "one": {"$ref": "#/$defs/two"},
            "two": {"type": "array", "items": {"$ref": "#/$defs/three"}},
            "three": {"const": 1},
        },
    }

    assert {tuple(value) for value in values(found)} >= {(), (1,)}


def test_names_and_addresses_inside_a_document_are_found() -> None:
    found = {
        "$id": "http://example.com/root.json",
        "anyOf": [{"$ref": "#here"}, {"$ref": "inner.json"}, {"$ref": "inner.json#/$defs/deep"}],
        "$defs": {
            "a": {"$anchor": "here", "const": "anchor"},
            "b": {"$id": "inner.json", "const": "inner", "$defs": {"deep": {"const": "deep"}}},
        },
    }

    assert set(values(found)) == {"anchor", "inner", "deep"}


def test_up_to_draft_7_nothing_beside_a_reference_counts() -> None:
    found = {"properties": {"a": {"$ref": "#/definitions/a", "const": 2}}, "required": ["a"], "type": "object"}
    found["definitions"] = {"a": {"const": 1}}

    assert values(found, dialect="7") == [{"a": 1}]
    assert unlike.generate(load(found, dialect="2020-12").at()).status.ending is unlike.Ending.UNSATISFIABLE


def test_a_dynamic_reference_leads_to_the_outermost_anchor() -> None:
    tree = {
        "$id": "http://example.com/tree",
        "$dynamicAnchor": "node",
        "type": "object",
        "properties": {"value": True, "children": {"type": "array", "items": {"$dynamicRef": "#node"}}},
    }
    strict = {
        "$id": "http://example.com/strict",
        "$dynamicAnchor": "node",
        "$ref": "tree",
        "required": ["value"],
        "unevaluatedProperties": False,
        "$defs": {"tree": tree},
    }

    def nodes(value: Any) -> list[Any]:
        return [value, *(each for child in value.get("children", ()) for each in nodes(child))]

    found = [node for value in values(strict) for node in nodes(value)]
    assert all("value" in node for node in found)
    assert any(node.get("children") for node in found)


def test_a_recursive_reference_of_2019_09_is_followed() -> None:
    found = {
        "$recursiveAnchor": True,
        "type": "object",
        "additionalProperties": False,
        "properties": {"next": {"$recursiveRef": "#"}},
    }

    assert {} in values(found, dialect="2019-09")
    assert {"next": {}} in values(found, dialect="2019-09")


def test_schemas_that_refer_to_each_other_end() -> None:
    found = {
        "$ref": "#/$defs/a",
        "$defs": {
            "a": {"type": "object", "properties": {"b": {"$ref": "#/$defs/b"}}, "additionalProperties": False},
            "b": {"type": "object", "properties": {"a": {"$ref": "#/$defs/a"}}, "additionalProperties": False},
        },
    }

    assert {"b": {"a": {}}} in values(found)


def test_other_files_are_found_beside_the_document(tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "price.json").write_text(json.dumps({"$ref": "../number.json#/$defs/small"}))
    (tmp_path / "number.json").write_text(json.dumps({"$defs": {"small": {"enum": [1, 2]}}}))
    main = tmp_path / "main.json"
    main.write_text(json.dumps({"type": "array", "items": {"$ref": "parts/price.json"}, "minItems": 1, "maxItems": 1}))

    assert values(main) == [[1], [2]]


def test_an_address_is_a_file_only_if_it_is_said_which(tmp_path: Path) -> None:
    (tmp_path / "pet.json").write_text('{"enum": ["cat", "dog"]}')
    found = {"$ref": "https://example.com/pets/pet.json"}

    with pytest.raises(SpecError, match=r"https://example.com/pets/pet.json.*--resolve"):
        unlike.generate(load(found).at())
    assert values(found, resolve={"https://example.com/pets/pet.json": tmp_path / "pet.json"}) == ["cat", "dog"]
    assert values(found, resolve={"https://example.com/pets": tmp_path}) == ["cat", "dog"]
    assert values(found, resolve={"https://example.com/pets/pet.json": {"const": "fish"}}) == ["fish"]


def test_nothing_is_ever_fetched(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("the network was asked")

    monkeypatch.setattr(socket, "socket", refuse)
    monkeypatch.setattr(socket, "create_connection", refuse)

    for address in ("http://example.com/a.json", "https://example.com/a.json#/b", "ftp://example.com/a"):
        with pytest.raises(SpecError, match="network"):
            unlike.generate(load({"$ref": address}).at())


def test_the_metaschema_of_a_draft_is_known_without_the_network() -> None:
    found = {"properties": {"schema": {"$ref": "http://json-schema.org/draft-07/schema#"}}, "type": "object"}

    assert unlike.generate(load(found, dialect="7").at(), 5).values


@pytest.mark.parametrize(
    ("contents", "said"),
    [
        ({"$ref": "#/$defs/none"}, "none"),
        ({"$ref": "#none"}, "none"),
        ({"$schema": "http://example.com/own"}, "example.com/own"),
        ({"$ref": "missing.json"}, "missing.json"),
    ],
)
def test_a_reference_that_leads_nowhere_is_refused_by_name(contents: Any, said: str, tmp_path: Path) -> None:
    path = tmp_path / "schema.json"
    path.write_text(json.dumps(contents))

    with pytest.raises(SpecError, match=said):
        unlike.generate(load(path).at())


def test_a_metaschema_may_leave_out_validation() -> None:
    own = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "http://example.com/own",
        "$vocabulary": {
            "https://json-schema.org/draft/2020-12/vocab/core": True,
            "https://json-schema.org/draft/2020-12/vocab/applicator": True,
        },
    }
    found = {"$schema": "http://example.com/own", "minimum": 5, "maximum": 3, "properties": {"a": False}}

    schema = load(found, resolve={"http://example.com/own": own}).at()

    assert schema.accepts(4)
    assert not schema.accepts({"a": 1})
    assert unlike.generate(schema).values


def test_a_pointer_that_leads_nowhere_names_the_nearest() -> None:
    with pytest.raises(SpecError, match="did you mean 'Pets'"):
        load({"$defs": {"Pets": {}}}).at("/$defs/Pet")


@pytest.mark.parametrize("draft", ["http://json-schema.org/draft-03/schema#", "http://nope"])
def test_a_draft_that_is_not_supported_is_named_with_those_that_are(draft: str) -> None:
    with pytest.raises(SpecError, match=rf"\$schema '{draft}' is not a draft that is supported; there are: .*2020-12"):
        values({"$schema": draft, "type": "string"})
