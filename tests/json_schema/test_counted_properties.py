"""Objects of which only some sets of properties are legal: at most so many, exactly one, one alternative but no other.

What is legal is found by trying every object of a few names, with the validator alone.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from typing import Any

import pytest

import unlike
from unlike.documents.json_schema.document import JsonSchema, load
from unlike.errors import SpecError
from unlike.structure.shapes import Choice
from unlike.suite import Ending, Suite
from unlike.typed.generate import coverage_of

NAMES = ("a", "b", "c", "x1")


def schema(contents: Any) -> JsonSchema:
    return load(contents).at()


def objects(values: tuple[object, ...]) -> Iterator[dict[str, object]]:
    for size in range(len(NAMES) + 1):
        for chosen in itertools.combinations(NAMES, size):
            for each in itertools.product(values, repeat=size):
                yield dict(zip(chosen, each, strict=True))


def legal(found: JsonSchema, values: tuple[object, ...] = (False, True)) -> list[dict[str, object]]:
    return [each for each in objects(values) if found.accepts(each)]


def settled(found: JsonSchema, cover: str = "each") -> Suite:
    suite = unlike.generate(found, cover=cover)
    assert suite.status.ending in (Ending.SHOWN, Ending.FOUND), suite.status
    assert all(found.accepts(value) for value in suite.values)
    return suite


def random_object(chance: random.Random) -> dict[str, Any]:
    names = chance.sample(NAMES[:3], chance.randint(1, 3))
    found: dict[str, Any] = {"type": "object", "properties": {name: {"type": "boolean"} for name in names}}
    if chance.random() < 0.8:
        found["additionalProperties"] = False
    if chance.random() < 0.3:
        found["required"] = names[:1]
    if chance.random() < 0.3:
        found["patternProperties"] = {"^x": {"type": "boolean"}}
    return found


# -- one alternative and no other ----------------------------------------------------------------------------------


def test_closed_objects_with_optional_properties_exclude_each_other() -> None:
    named, identified = {"name": {"enum": ["x"]}, "on": {"type": "boolean"}}, {"id": {"enum": [1, 2]}}
    ways = [{"type": "object", "properties": each, "additionalProperties": False} for each in (identified, named)]

    suite = settled(schema({"oneOf": ways}))

    assert {"id": 1} in suite.values
    assert {"on": False} in suite.values
    assert {name for value in suite.values for name in value} == {"id", "name", "on"}
    assert {} not in suite.values  # an instance of both


def test_all_instances_of_one_of_two_closed_objects_are_those_that_trying_all_finds() -> None:
    one = {"type": "object", "properties": {"a": {"type": "boolean"}}, "additionalProperties": False}
    two = {"type": "object", "properties": {name: {"type": "boolean"} for name in "bc"}, "additionalProperties": False}
    found = schema({"oneOf": [one, two]})

    suite = unlike.generate(found, "all")

    known = legal(found)
    assert len(suite.values) == len(known)
    assert all(each in suite.values for each in known)


@pytest.mark.parametrize("seed", range(30))
def test_one_of_random_objects_has_instances_exactly_if_trying_all_finds_one(seed: int) -> None:
    chance = random.Random(seed)
    found = schema({"oneOf": [random_object(chance) for _ in range(chance.choice([2, 2, 3]))]})

    suite = unlike.generate(found)

    possible = legal(found, (True, 0))
    assert bool(len(suite)) == bool(possible)
    assert all(found.accepts(value) for value in suite.values)
    if not possible:
        assert suite.status.ending is Ending.UNSATISFIABLE


@pytest.mark.parametrize("seed", range(30))
def test_what_is_not_a_random_object_has_instances_exactly_if_trying_all_finds_one(seed: int) -> None:
    chance = random.Random(seed)
    found = schema({**random_object(chance), "not": random_object(chance)})

    suite = unlike.generate(found)

    possible = legal(found, (True, 0))
    assert not possible or len(suite)
    assert all(found.accepts(value) for value in suite.values)
    if suite.status.ending is Ending.UNSATISFIABLE:
        assert not possible


def test_only_what_is_proved_impossible_is_called_so() -> None:
    # what one more name would have to look like is not worked out, so that there is none is no proof
    closed = {"type": "object", "patternProperties": {"^a": {}}, "additionalProperties": False}
    doubtful = schema({**closed, "propertyNames": {"maxLength": 1}, "not": closed})
    impossible = schema({"type": "integer", "minimum": 2, "maximum": 1})

    with pytest.raises(SpecError, match="no instance is possible"):
        impossible.shape(2)
    with pytest.raises(SpecError, match="neither an instance nor a proof"):
        doubtful.shape(2)


# -- so many properties --------------------------------------------------------------------------------------------

FILTER = {
    "$ref": "#/$defs/filter",
    "$defs": {
        "filter": {
            "type": "object",
            "minProperties": 1,
            "maxProperties": 1,
            "properties": {
                "AND": {"type": "array", "items": {"$ref": "#/$defs/filter"}, "minItems": 1, "maxItems": 2},
                "NOT": {"$ref": "#/$defs/filter"},
                "eq": {"enum": [1, 2]},
                "lt": {"type": "boolean"},
            },
            "additionalProperties": False,
        }
    },
}


@pytest.mark.parametrize("cover", ["each", "pairs"])
def test_a_union_tagged_by_its_only_property_shows_every_tag_on_every_level(cover: str) -> None:
    suite = settled(schema(FILTER), cover)

    coverage = coverage_of(suite)
    assert coverage.shown == coverage.targets
    assert {tag for value in suite.values for tag in value} == {"AND", "NOT", "eq", "lt"}
    assert {tag for value in suite.values for tag in value.get("NOT", ())} == {"AND", "NOT", "eq", "lt"}
    assert {tag for value in suite.values for each in value.get("AND", ()) for tag in each} >= {"NOT", "eq", "lt"}


@pytest.mark.parametrize("cover", ["each", "pairs", "all"])
@pytest.mark.parametrize("seed", range(12))
def test_of_counted_properties_everything_is_shown_that_trying_all_finds(seed: int, cover: str) -> None:
    chance = random.Random(seed)
    least, most = sorted(chance.choices(range(5), k=2))
    names = NAMES[: chance.randint(2, 4)]
    contents: dict[str, Any] = {"type": "object", "additionalProperties": False, "minProperties": least}
    contents["properties"] = {name: {"type": "boolean"} for name in names}
    if chance.random() < 0.7:
        contents["maxProperties"] = most
    if chance.random() < 0.4:
        contents["required"] = list(names[:1])
    found = schema(contents)
    possible = legal(found)

    if not possible:
        assert unlike.generate(found, cover=cover).status.ending is Ending.UNSATISFIABLE
        return
    suite = settled(found, cover)

    width = {"each": 1, "pairs": 2, "all": len(names)}[cover]
    for chosen in itertools.combinations(names, width):
        wanted = {tuple(each.get(name) for name in chosen) for each in possible}
        assert {tuple(value.get(name) for name in chosen) for value in suite.values} == wanted


def test_properties_by_pattern_count_with_the_others() -> None:
    found = schema(
        {
            "type": "object",
            "patternProperties": {"^x-": {"type": "boolean"}},
            "properties": {"debug": {"type": "boolean"}, "level": {"enum": [1, 2]}},
            "additionalProperties": False,
            "minProperties": 1,
            "maxProperties": 2,
        }
    )

    once, pairs = settled(found), settled(found, "pairs")

    sizes = {(sum(name.startswith("x-") for name in each), "debug" in each) for each in pairs.values}
    assert sizes == {(0, False), (0, True), (1, False), (1, True), (2, False)}
    assert {sum(name.startswith("x-") for name in each) for each in once.values} == {0, 1, 2}


def test_beyond_the_depth_of_a_reference_enough_properties_are_left() -> None:
    inner = {"a": {"$ref": "#"}, "b": {"$ref": "#"}, "c": {"type": "null"}, "d": {"type": "null"}}
    two = schema({"type": "object", "properties": inner, "additionalProperties": False, "minProperties": 2})

    suite = settled(two)

    assert {name for value in suite.values for name in value} == set("abcd")


def test_exactly_one_property_is_a_choice_between_them() -> None:
    found = schema({"type": "object", "properties": {"a": {}, "b": {}}, "maxProperties": 1})

    shape = found.read().shape

    assert isinstance(shape, Choice)
    assert [word for word, _ in shape.alternatives] == ["a", "b", "empty"]
