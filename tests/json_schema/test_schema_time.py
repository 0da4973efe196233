"""Limits of time and memory hold for every reading of a schema, counted in time of the processor."""

from __future__ import annotations

import time
from functools import partial
from typing import Any

import pytest
from bench.schema_claims import LATE, Claims, in_process
from jsonschema.validators import Draft6Validator

import unlike
from unlike.documents.json_schema.document import load
from unlike.suite import Ending

# alternatives of properties with listed values: very many pairs, and rules between them
STEPS = [
    {
        "required": [f"name{number}"],
        "properties": {f"name{number}": {"const": number}, **{f"p{i}": {"enum": [*range(4)]} for i in range(6)}},
        "if": {"properties": {"p0": {"const": 1}}},
        "then": {"required": ["p1"]},
        "maxProperties": 5,
    }
    for number in range(12)
]
LARGE: dict[str, Any] = {
    "draft-06": Draft6Validator.META_SCHEMA,
    "different items": {
        "type": "array",
        "items": {"type": "integer"},
        "uniqueItems": True,
        "minItems": 10,
        "maxItems": 5000,
    },
    "many steps": {"properties": {"steps": {"type": "array", "items": {"type": "object", "oneOf": STEPS}}}},
    "many steps together": {"type": "object", "allOf": [{"anyOf": STEPS[:6]}, {"anyOf": STEPS[6:]}]},
}


def ask(claims: Claims, how: str, contents: Any, limit: float) -> None:
    schema = load(contents).at()
    start = time.process_time()
    if how == "invalid":
        suite = unlike.invalid(schema, timeout=limit)
    else:
        suite = unlike.generate(schema, cover=how, timeout=limit)
    took = time.process_time() - start
    claims.subjects += 1
    claims.instances += len(suite)
    claims.late += [f"{took:.1f} s"] * (took > limit * LATE[0] + LATE[1])


@pytest.mark.corpus
@pytest.mark.parametrize("limit", [1, 3])
@pytest.mark.parametrize("how", ["each", "pairs", "invalid"])
@pytest.mark.parametrize("name", LARGE)
def test_the_time_holds_within_a_tenth_and_a_second(name: str, how: str, limit: float) -> None:
    claims = in_process(name, partial(ask, how=how, contents=LARGE[name], limit=limit))

    assert not claims.late
    assert not claims.large  # 500 MB
    assert claims.instances  # with what there is


def test_something_is_broken_even_if_the_time_was_over_before_anything_was() -> None:
    suite = unlike.invalid(load(Draft6Validator.META_SCHEMA).at(), timeout=0.001)

    assert suite.status.ending is Ending.TIMEOUT
