"""A request that breaks a rule breaks it on the wire: however what arrives is read, the description refuses it."""

import json
import re
from pathlib import Path

import pytest
from bench.request_judge import read

import unlike
from unlike import invalid
from unlike.documents.openapi.api import ServiceApi, read_api
from unlike.documents.openapi.reading_back import how_many, means, single, values_in
from unlike.request import Request

ROOT = Path(__file__).parent.parent.parent
SHOP = ROOT / "examples" / "specs" / "shop.yaml"
SHARED = ROOT.parent / "shared" / "data" / "openapi"


def operation(schema, where="query", *, said=None, path=None, **more):
    parameter = {"name": "p", "in": where, "schema": schema, "required": True, **more}
    path = path or ("/x/{p}" if where == "path" else "/x")
    item = {"post": {"operationId": "send", "parameters": [parameter], **(said or {})}}
    return ServiceApi({"openapi": "3.1.0", "paths": {path: item}}, "api.json").operation("send")


@pytest.mark.parametrize(
    ("schema", "text", "broken"),
    [
        ({"type": "integer"}, "abc", True),
        ({"type": "integer"}, "1.5", True),
        ({"type": "integer"}, "5.0", False),
        ({"type": "integer"}, "%205", False),  # many readers strip it
        ({"type": "integer", "maximum": 5}, "6", True),
        ({"type": ["integer", "null"]}, "null", False),
        ({"type": "integer"}, "", True),
        ({"type": "boolean"}, "true", False),
        ({"type": "boolean"}, "yes", False),
        ({"type": "boolean"}, "2", True),
        ({"type": "string"}, "5", False),
        ({"type": "string", "maxLength": 2}, "abc", True),
        ({"enum": ["1"]}, "1", False),
        ({"enum": [1]}, "1", False),
        ({"enum": [1]}, "2", True),
        ({"type": "array", "items": {"type": "integer"}}, "5", False),
        ({"type": "array", "items": {"type": "integer"}}, "x", True),
        ({"type": "array", "items": {"type": "integer"}, "minItems": 2}, "5", True),
        ({"anyOf": [{"type": "integer"}, {"const": "x"}]}, "x", False),
    ],
)
def test_a_text_is_broken_only_if_no_reading_of_it_is_legal(schema, text, broken):
    assert operation(schema).is_broken(Request("POST", "/x", f"p={text}")) is broken


def test_what_is_not_there_is_missing_unless_a_server_has_a_default():
    assert operation({"type": "integer"}).is_broken(Request("POST", "/x"))
    assert not operation({"type": "integer", "default": 1}).is_broken(Request("POST", "/x"))
    assert not operation({"type": "integer"}).is_broken(Request("POST", "/elsewhere"))  # of which nothing is said


def test_readings_are_counted_and_listed_alike():
    found = operation({"type": "array"}).written.parameters[0]
    from unlike.documents.openapi.reading_back import read_parameter, take_apart

    arrived = take_apart(Request("POST", "/x", "p=1&p=true"), operation({"type": "array"}).written)
    readings = read_parameter(found, arrived)

    values = list(values_in(readings))
    assert how_many(readings) == len(values)
    assert [1, True] in values
    assert ["1", "true"] in values
    assert means(readings, [1, "true"])
    assert not means(readings, [2, "true"])
    assert single("null") == ["null", None]


@pytest.mark.parametrize("where", ["path", "query", "header", "cookie"])
def test_null_is_never_sent_and_a_number_is_broken_by_a_text(where):
    found = operation({"type": "integer", "minimum": 1}, where)

    suite = invalid(found)

    said = {json.dumps(case.value.get(where, {}).get("p", "absent")) for case in suite}
    assert '"abc"' in said
    assert "0" in said
    assert "null" not in said
    assert all(case.request is not None and found.is_broken(case.request) for case in suite)
    assert not any("null" in case.request.target for case in suite)


def test_no_text_breaks_what_every_text_keeps_and_that_is_said():
    suite = invalid(operation({"type": "string"}, required=False))
    assert not len(suite)
    assert "no text breaks any of its rules: query.p type" in str(suite.status)

    suite = invalid(operation({"type": "string", "minLength": 2}))
    assert suite.status.ending is unlike.Ending.SHOWN
    assert "no text breaks query.p type" in str(suite.status)


def test_bodies_break_by_what_they_are_not():
    body = {"type": "object", "required": ["a"], "properties": {"a": {"type": "integer"}}}
    said = {"requestBody": {"required": True, "content": {"application/json": {"schema": body}}}}
    suite = invalid(operation({"enum": ["x"]}, said=said))

    by_label = {case.label: case.request for case in suite}
    cut = by_label["body: no JSON (cut off)"]
    assert cut.content_type == "application/json"
    with pytest.raises(json.JSONDecodeError):
        json.loads(cut.body)
    unknown = next(request for label, request in by_label.items() if label.startswith("content_type: "))
    assert unknown.content_type == "application/x-unknown"
    assert json.loads(unknown.body)["a"] is not None
    assert any(request.body is None for label, request in by_label.items() if label.startswith("body: required"))


def test_anything_is_taken_where_the_description_takes_anything():
    said = {"requestBody": {"required": True, "content": {"*/*": {"schema": {"type": "integer"}}}}}

    labels = [case.label for case in invalid(operation({"enum": ["x"]}, said=said))]

    assert not any(label.startswith("content_type") for label in labels)


def test_missing_credentials_are_broken_unless_none_will_do():
    api = read_api(SHOP)

    assert "security: missing" in [case.label for case in invalid(api.operation("addArticle"))]
    assert "security: missing" not in [case.label for case in invalid(api.operation("addPicture"))]


def test_a_field_that_nobody_speaks_of_breaks_no_form():
    schema = {"type": "object", "properties": {"a": {"type": "integer"}}, "additionalProperties": False}
    said = {"requestBody": {"content": {"application/x-www-form-urlencoded": {"schema": schema}}}}
    found = operation({"enum": ["x"]}, said=said)

    assert not found.is_refused({"query": {"p": "x"}, "body": {"a": 1, "b": 2}})
    assert found.is_refused({"query": {"p": "x"}, "body": {"a": "b"}})


EMAIL = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+")


def check_refusal(path):
    """Check by openapi-core that every request is refused that breaks a rule."""
    api, number = read_api(path), 0
    for name, each in api.operations.items():
        for case in invalid(api.operation(name)):
            number += 1
            assert case.request is not None
            if each.is_webhook:
                continue
            if "format" in case.label and "email" in case.label:  # for openapi-core any text with an @ in it
                assert not EMAIL.fullmatch(str(case.value["body"]["email"]))
                continue
            assert read(api, case.request).errors, (name, case.label, case.request)
    return number


def test_another_library_refuses_what_is_broken():
    assert check_refusal(SHOP) > 40


@pytest.mark.corpus
@pytest.mark.skipif(not SHARED.is_dir(), reason="the descriptions are not here")
@pytest.mark.parametrize("path", sorted(SHARED.glob("*")), ids=lambda path: path.name)
@pytest.mark.filterwarnings("ignore")
def test_another_library_refuses_what_is_broken_of_real_services(path):
    assert check_refusal(path) > 20
