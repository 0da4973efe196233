"""Examples and defaults of a description are inputs, too: where they are legal, each where it belongs."""

from __future__ import annotations

from typing import Any

import pytest

from unlike import Ending, generate, invalid
from unlike.documents.openapi.api import read_api


def described(version: str, *, author: dict[str, Any], note: dict[str, Any]) -> dict[str, Any]:
    return {
        "openapi": version,
        "info": {"title": "notes", "version": "1"},
        "paths": {
            "/notes/{id}": {
                "put": {
                    "operationId": "putNote",
                    "parameters": [
                        {"name": "id", "in": "path", "required": True, "schema": {"type": "integer"}, "example": 4711},
                        {
                            "name": "limit",
                            "in": "query",
                            "schema": {"type": "integer", "minimum": 1, "maximum": 100, "default": 25},
                            "examples": {"big": {"value": 77}, "wrong": {"value": 1000}, "odd": 7},
                        },
                        {"name": "sort", "in": "query", "schema": {"enum": ["up", "down"], "default": "up"}},
                    ],
                    "requestBody": {
                        "content": {
                            "application/json": {
                                "schema": {"$ref": "#/components/schemas/Note"},
                                "examples": {"two": {"$ref": "#/components/examples/Two"}},
                            }
                        }
                    },
                    "responses": {"200": {"description": "done"}},
                }
            }
        },
        "components": {
            "examples": {
                "Two": {"value": {"id": 5, "text": "zwei", "author": {"name": "Eve", "joined": "2020-01-01"}}}
            },
            "schemas": {
                "Note": {
                    "type": "object",
                    "required": ["id", "text"],
                    "properties": {
                        "id": {"type": "integer", "readOnly": True},
                        "text": {"type": "string", "maxLength": 12, **note},
                        "author": {"$ref": "#/components/schemas/Author"},
                    },
                },
                "Author": {
                    "type": "object",
                    "properties": {
                        "name": {"type": "string", **author},
                        "joined": {"type": "string", "format": "date", "readOnly": True},
                    },
                },
            },
        },
    }


OLD = described("3.0.3", author={"example": "Ada"}, note={"example": "a real text", "default": "much too long a text"})
NEW = described("3.1.0", author={"examples": ["Ada"]}, note={"examples": ["a real text", 7]})


@pytest.mark.parametrize("contents", [OLD, NEW])
@pytest.mark.parametrize("cover", ["each", "pairs"])
def test_each_example_that_is_legal_is_an_input(contents: dict[str, Any], cover: str) -> None:
    operation = read_api(contents).operation("putNote")
    suite = generate(operation, cover=cover)

    given = {case.label for case in suite if "example" in case.label or "default" in case.label}
    assert given == {
        "path.id: example 4711",
        "query.limit: example 77",
        "query.limit: default 25",
        "body: example {'text': 'zwei', 'author': {'name': 'Eve'}}",  # without what is only read
        "body.text: example 'a real text'",
        "body.author.name: example 'Ada'",
    }  # the default of sort is an input already, 1000 is no legal one
    assert suite.status.ending is Ending.SHOWN
    assert "6 of them with an example or a default of the description" in suite.guarantee
    assert all(operation.accepts(case.value) and case.request is not None for case in suite)
    assert {"path": {"id": 4711}} in [{"path": case.value["path"]} for case in suite]


@pytest.mark.parametrize("contents", [OLD, NEW])
def test_examples_of_models_keep_what_is_only_read(contents: dict[str, Any]) -> None:
    suite = generate(read_api(contents)["Note"])

    assert {value["text"] for value in suite.values} >= {"a real text"}
    assert not any(value["text"] in ("much too long a text", 7) for value in suite.values)


def test_examples_change_nothing_of_what_is_broken() -> None:
    bare = described("3.1.0", author={}, note={})
    del bare["components"]["examples"]["Two"]["value"]["author"]

    with_them, without = (invalid(read_api(each).operation("putNote")) for each in (NEW, bare))

    rules = [{case.label.partition(" (")[0] for case in suite} for suite in (with_them, without)]
    assert rules[0] == rules[1]
    assert with_them.status.ending is without.status.ending
