"""What is told of a suite adds up, and contradicts no input: every target is shown or stands in one list."""

from __future__ import annotations

from typing import Any

import pytest
from tests.json_schema.random_schemas import Chance

import unlike
from unlike.documents.json_schema.document import load
from unlike.suite import Suite
from unlike.typed.generate import coverage_of

TUPLE: dict[str, Any] = {
    "type": "array",
    "prefixItems": [{"const": "v"}, {"type": "integer", "minimum": 0, "maximum": 2}],
    "items": {"type": "boolean"},
    "contains": {"const": True},
    "maxContains": 2,
    "maxItems": 5,
}
NOT_BOTH: dict[str, Any] = {
    "type": "object",
    "properties": {"a": {"enum": [1, 2]}, "b": {"type": "boolean"}},
    "required": ["a"],
    "additionalProperties": False,
    "not": {"properties": {"a": {"const": 2}, "b": {"const": True}}, "required": ["b"]},
}


def generated(contents: Any, cover: str = "each") -> Suite:
    return unlike.generate(load(contents).at(), cover=cover, timeout=30)


def total(suite: Suite) -> int:
    found = coverage_of(suite)
    lists = (found.impossible, found.undecided, found.not_shown, found.left_out)
    return found.shown + sum(len(each) for each in lists)


@pytest.mark.parametrize("cover", ["each", "pairs"])
@pytest.mark.parametrize("contents", [TUPLE, NOT_BOTH], ids=["tuple", "not both"])
def test_what_is_impossible_says_under_which_alternative(contents: Any, cover: str) -> None:
    suite = generated(contents, cover)

    told = [word for word, _ in coverage_of(suite).impossible]
    assert told
    assert total(suite) == coverage_of(suite).targets
    alone = [word for word in told if " with " not in word]
    assert all(", under value: " in word or word.startswith("value: ") for word in alone)
    # where nothing is named, it holds everywhere
    shown = {part for case in suite for part in case.label.split("; ")}
    assert not shown & set(told)


@pytest.mark.parametrize("seed", range(40))
def test_targets_shown_and_not_shown_add_up_for_random_schemas(seed: int) -> None:
    suite = generated(Chance(seed, "2020-12").schema(2), "pairs" if seed % 2 else "each")

    assert total(suite) == coverage_of(suite).targets
    words = [word for word, _ in coverage_of(suite).impossible]
    assert not set(words) & {word for word, _ in coverage_of(suite).undecided}
