"""A parameter that is the whole query (`in: querystring` of OpenAPI 3.2): written, read back, broken."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import parse_qsl, unquote

import unlike
from unlike.documents.openapi.api import ServiceApi
from unlike.suite import Ending

FORM = {
    "type": "object",
    "required": ["a"],
    "properties": {"a": {"type": "integer", "minimum": 1, "maximum": 3}, "b": {"type": "string", "maxLength": 3}},
    "additionalProperties": False,
}


def searching(media: str, schema: dict[str, Any]) -> ServiceApi:
    said = {"name": "q", "in": "querystring", "required": True, "content": {media: {"schema": schema}}}
    operation = {"operationId": "find", "parameters": [said], "responses": {"200": {"description": "found"}}}
    described = {"openapi": "3.2.0", "info": {"title": "t", "version": "1"}, "paths": {"/a": {"query": operation}}}
    return ServiceApi(described, "api.json")


def test_a_form_is_the_query_and_no_request_is_said_to_be_impossible() -> None:
    suite = unlike.generate(searching("application/x-www-form-urlencoded", FORM)["find"])

    assert suite.status.ending is Ending.SHOWN
    assert {case.request.method for case in suite} == {"QUERY"}
    for case in suite:
        sent = dict(parse_qsl(case.request.query, keep_blank_values=True))
        assert sent == {name: str(each) for name, each in case.value["querystring"]["q"].items()}


def test_a_form_is_broken_by_what_is_sent() -> None:
    suite = unlike.invalid(searching("application/x-www-form-urlencoded", FORM)["find"])

    sent = {case.request.query for case in suite if case.request is not None}
    assert {"a=0", "a=4", "a=1&unexpected=1"} <= sent


def test_json_is_the_query_as_one_text() -> None:
    numbers = {"type": "array", "items": {"type": "integer"}, "maxItems": 2}
    find = searching("application/json", numbers)["find"]

    suite, broken = unlike.generate(find), unlike.invalid(find)

    assert [json.loads(unquote(case.request.query)) for case in suite] == [
        case.value["querystring"]["q"] for case in suite
    ]
    assert [0, 0, 0] in [[0 for _ in case.value["querystring"]["q"]] for case in broken if "maxItems" in case.label]
