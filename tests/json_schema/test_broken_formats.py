"""Formats that are broken: by values that another validator rejects, too, and that keep every other rule."""

from __future__ import annotations

import itertools
import re
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from tests import warm

import unlike
from unlike.documents.json_schema.document import load
from unlike.documents.json_schema.formats import ALIKE, BAD, FORMATS, TAKES, WIDER, bad_values, breaks_format
from unlike.documents.openapi.api import ServiceApi
from unlike.errors import SpecError
from unlike.regex.language import Language
from unlike.regex.tree import parse
from unlike.suite import Ending

OF_DRAFTS = sorted(set(TAKES) - {"url", "byte"})  # the others are of OpenAPI, and unknown to the second validator


def other_validator(schema: Any) -> Any:
    return jsonschema_rs.validator_for(schema, validate_formats=True)


@pytest.mark.few(8)
@pytest.mark.parametrize("name", OF_DRAFTS)
def test_what_breaks_a_format_is_rejected_by_another_validator(name: str) -> None:
    other = other_validator({"$schema": "https://json-schema.org/draft/2020-12/schema", "format": name})
    said = BAD.get(name) or BAD[ALIKE[name]]

    assert all(breaks_format(name, text) for text in said.values())
    assert [text for _, text in bad_values(name, {}) if other.is_valid(text)] == []


@pytest.mark.parametrize("name", OF_DRAFTS)
def test_what_looks_like_a_format_does_not_break_it(name: str) -> None:
    other = other_validator({"$schema": "https://json-schema.org/draft/2020-12/schema", "format": name})
    texts = [
        text
        for look in (FORMATS[name], *WIDER.get(name, ()))
        for text in itertools.islice(Language(parse(look), 0, 60).spread_texts(), 100)
    ]

    assert texts
    assert [text for text in texts if breaks_format(name, text)] == []
    assert [text for text in texts if not other.is_valid(text)] == []


TRIP: dict[str, Any] = {
    "type": "object",
    "required": ["day"],
    "properties": {
        "day": {"type": "string", "format": "date"},
        "mail": {"type": "string", "format": "email", "maxLength": 20},
        "ids": {"type": "array", "items": {"type": "string", "format": "uuid"}},
        "host": {"type": "string", "format": "ipv4", "pattern": "^[0-9.]+$"},
        "hosts": {"type": "object", "propertyNames": {"format": "hostname"}},
        "seats": {"type": "integer", "format": "int32"},
        "weight": {"type": "number", "format": "double"},
        "january": {"type": "string", "format": "date", "pattern": "^20[0-9]{2}-01-0[1-9]$"},
        "kind": {"enum": ["2024-01-01"], "format": "date"},
    },
}


def test_every_format_is_broken_alone_where_it_is_asked_for() -> None:
    schema = load(TRIP).at()

    suite = unlike.invalid(schema, break_formats=True)

    broken = {case.label.partition(":")[0]: case.value for case in suite if ": format (" in case.label}
    # the patterns of january and kind leave only days; double has no texts
    assert set(broken) == {"day", "mail", "ids[]", "host", "hosts", "seats"}
    assert all(schema.accepts(value) for value in broken.values())
    assert suite.status.ending is Ending.SHOWN
    assert re.fullmatch(r"[0-9.]+", broken["host"]["host"])
    assert abs(broken["seats"]["seats"]) > 2**31 - 1
    assert not any(": format (" in case.label for case in unlike.invalid(schema))


def test_a_broken_format_is_the_only_rule_that_another_validator_complains_about() -> None:
    other, schema = other_validator(TRIP), load(TRIP).at()

    for case in unlike.invalid(schema, break_formats=True):
        if ": format (" in case.label and "seats" not in case.label:  # int32 is of OpenAPI
            complaints = {str(error.schema_path[-1]) for error in other.iter_errors(case.value)}
            assert complaints <= {"format", "propertyNames"}, case
            assert complaints, case


def test_what_a_pattern_leaves_of_a_format_is_sought_by_its_texts() -> None:
    said = {"type": "string", "format": "date", "pattern": "^[12][0-9]{3}-[01][0-9]-[0-3][0-9]$"}
    schema = load(said).at()

    broken = [case.value for case in unlike.invalid(schema, break_formats=True) if "format" in case.label]

    assert broken
    assert all(re.fullmatch(said["pattern"], text) and breaks_format("date", text) for text in broken)


def service() -> ServiceApi:
    when = {"name": "when", "in": "query", "schema": {"type": "string", "format": "date-time"}}
    paths = {"/trips": {"get": {"operationId": "trips", "parameters": [when]}}}
    return ServiceApi({"openapi": "3.1.0", "paths": paths}, "api.json")


def test_requests_break_formats_unless_told_otherwise() -> None:
    trips = service().operation("trips")

    assert any("when: format (" in case.label for case in unlike.invalid(trips))
    assert not any("format" in case.label for case in unlike.invalid(trips, break_formats=False))
    mixed = unlike.generate(trips, 10, mix=0.5)
    assert any("format (" in case.label for case in mixed if not case.legal)


def test_break_formats_is_refused_where_it_would_have_no_effect() -> None:
    with pytest.raises(SpecError, match="is for JSON Schemas and requests"):
        unlike.invalid(int, break_formats=True)


def test_a_schema_whose_formats_are_rules_does_not_accept_what_breaks_them() -> None:
    schema = load(TRIP).at()

    assert schema.accepts({"day": "no date"})
    assert not schema.breaking_formats().accepts({"day": "no date"})


def test_the_flag_breaks_formats(tmp_path: Path) -> None:
    file = tmp_path / "day.json"
    file.write_text('{"type": "string", "format": "date"}')

    def run(*flags: str) -> tuple[str, str]:
        done = warm.run(["generate", "--schema", str(file), *flags], tmp_path)
        return done.stdout, done.stderr

    assert '"2023-02-29", "label": "value: format (no such day)"' in run("--invalid", "--break-formats")[0]
    assert "format" not in run("--invalid")[0] + run("--invalid", "--break-formats", "no")[0]
    assert "goes with --invalid and --mix" in run("--break-formats")[1]
