"""Input specifications with named patterns become annotations."""

import datetime
import json
import re
import typing

import pytest
from examples.calendar_events import TWELVE_HOURS, TWENTY_FOUR_HOURS

import unlike
from unlike.documents.input_specs import is_input_spec, parts, read_input_spec
from unlike.documents.spec_files import spec
from unlike.errors import SpecError

CALENDAR = {
    "12h": {"type": "Regex", "pat": TWELVE_HOURS},
    "24h": {"type": "Regex", "pat": TWENTY_FOUR_HOURS},
    "time": {"type": "Regex", "pat": "$12h|$24h"},
    "timeSuff": {"type": "Str", "pat": "$time?"},
    "title": {"words": {"type": "Str"}, "timeSuff": "timeSuff"},
    "Event": {
        "title": "title",
        "place": {"type": "Location"},
        "start": {"type": "Date", "req": "false"},
        "minutes": {"type": "Integer", "minimum": 0},
    },
}


def read(**definitions):
    return read_input_spec(definitions, "a.json")


def test_a_pattern_takes_another_as_a_group():
    found = read_input_spec(CALENDAR, "a.json")

    twelve, day, time = found["12h"].matching, found["24h"].matching, found["time"].matching
    assert time == f"(?:{twelve})|(?:{day})"
    assert found["timeSuff"].matching == f"(?:{time})?"
    assert re.fullmatch(found["timeSuff"].matching, "")  # ? is about the whole time
    assert re.fullmatch(found["timeSuff"].matching, "11:30 PM")
    assert not re.fullmatch(found["timeSuff"].matching, "1")


def test_a_definition_is_covered_by_generate_and_fits_a_spec():
    suffix, time = (read_input_spec(CALENDAR, "a.json")[name] for name in ("timeSuff", "time"))

    assert "" in unlike.generate(suffix).values
    branches = unlike.generate(unlike.Spec({"s": suffix}, different=unlike.cover.regex("s", time.matching)), "all")
    assert len(branches) == 11  # 2 hours × 2 blanks × 2 halves of the day, and 3 hours of 24


def test_an_object_has_its_fields_and_may_lack_those_that_are_not_required():
    suite = unlike.generate(read_input_spec(CALENDAR, "a.json")["Event"])

    for event in suite.values:
        assert set(event) | {"start"} == {"title", "place", "start", "minutes"}
        assert set(event["title"]) == {"words", "timeSuff"}
        assert isinstance(event["place"], unlike.Location)
        assert event["minutes"] >= 0
    assert {type(event.get("start")) for event in suite.values} == {datetime.date, type(None)}
    assert {event["title"]["timeSuff"] == "" for event in suite.values} == {True, False}


def test_only_what_is_stated_is_broken():
    broken = {case.label: case.value for case in unlike.invalid(read_input_spec(CALENDAR, "a.json")["Event"])}

    assert broken["minutes: below the least"]["minutes"] == -1
    assert "minutes: above the most" not in broken
    assert "title.words: longer than the longest" not in broken
    assert "start: missing" not in broken
    assert "minutes: missing" in broken


@pytest.mark.parametrize(
    ("leaf", "annotation"),
    [
        ({"type": "Str"}, str),
        ({"type": "Boolean"}, bool),
        ({"type": "Integer"}, int),
        ({"type": "Real"}, float),
        ({"type": "Date"}, datetime.date),
        ({"type": "Time"}, datetime.time),
        ({"type": "Location"}, unlike.Place()),
        ({"type": "TimeZone"}, unlike.TimeZone()),
        ({"type": "Str", "pat": "a|b"}, unlike.Str("a|b")),
    ],
)
def test_every_kind_is_an_annotation(leaf, annotation):
    assert read(a=leaf)["a"] == annotation
    assert len(unlike.generate(annotation)) >= 2


def test_bounds_are_kept():
    found = read(a={"type": "Integer", "minimum": 3, "maximum": 5}, b={"type": "Real", "maximum": 0.5})

    assert set(unlike.generate(found["a"], "all").values) == {3, 4, 5}
    assert max(unlike.generate(found["b"]).values) == 0.5


def test_a_type_may_be_a_name_and_not_required():
    found = read(code={"type": "Str", "pat": "x|y"}, thing={"code": {"type": "code", "req": False}})

    assert unlike.generate(found["thing"], "all").values == [{}, {"code": "x"}, {"code": "y"}]
    assert typing.is_typeddict(found["thing"])


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ("$a|b$", ["a"]),
        (r"\$a", []),
        ("[$a]", []),
        ("[]$a]$b", ["b"]),
        ("[^]$a]$b", ["b"]),
        (r"[\]$a]$b", ["b"]),
        ("${a}b", ["a"]),
        ("$a?$b*", ["a", "b"]),
        ("^($|$a)$", ["a"]),
        ("$$a", ["a"]),
        (r"\\$a", ["a"]),
    ],
)
def test_a_dollar_is_a_reference_only_before_a_name_outside_brackets(pattern, found):
    read_parts = list(parts(pattern))

    assert [name for _, name in read_parts if name] == found
    text = "".join(part if name is None else f"${{{name}}}" for part, name in read_parts)
    assert text.replace("{", "").replace("}", "") == pattern.replace("{", "").replace("}", "")


@pytest.mark.parametrize(
    ("definitions", "said"),
    [
        ({"a": "b"}, r"^'a\.json', a: 'b' is not defined; there are"),
        ({"a": {"f": "tme"}, "time": {"type": "Time"}}, r"a\.f: 'tme' is not defined; did you mean 'time'"),
        ({"a": {"type": "Sting"}}, r"a: 'Sting' is not defined"),
        (
            {"a": {"type": "Str", "pat": "$b"}, "b": {"type": "Str", "pat": "$a"}},
            r"b: a → b → a leads round in a circle",
        ),
        ({"a": {"x": "a"}}, r"a\.x: a → a leads round in a circle"),
        ({"a": {"type": "Str", "pat": "$b"}, "b": {"type": "Date"}}, r"a: \$b has no pattern"),
        ({"a": {"type": "Str", "pat": "("}}, r"a: the pattern '\(' is none: missing \)"),
        ({"a": {"type": "Str", "pat": 5}}, r"a: the pattern 5 is no string"),
        ({"a": {"type": "Str", "pattern": "x"}}, r"a: 'pattern' is not known beside a type; did you mean 'pat'"),
        ({"a": {"type": "Date", "minimum": 1}}, r"a: 'minimum' says nothing of Date"),
        ({"a": {"type": "Integer", "pat": "x"}}, r"a: 'pat' says nothing of a number; pat goes with Str and Regex"),
        ({"a": {"type": "Str", "minimum": 1}}, r"a: 'minimum' says nothing of a text"),
        ({"a": {"type": "Integer", "minimum": 1.5}}, r"a: 'minimum' is 1\.5; write a number of type Integer"),
        ({"a": {"type": "Integer", "minimum": True}}, r"a: 'minimum' is True"),
        ({"a": {"type": "Integer", "minimum": 3, "maximum": 2}}, r"a: nothing is from 3 to 2"),
        ({"a": {"f": {"type": "Str", "req": "maybe"}}}, r"a\.f: 'req' is 'maybe'; write true or false"),
        ({"a": 5}, r"a: 5 defines nothing"),
        ({"a": {}}, r"a: \{\} defines nothing"),
        ({"a": {"f": None}}, r"a\.f: None defines nothing"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(definitions, said):
    with pytest.raises(SpecError, match=said):
        read_input_spec(definitions, "a.json")


@pytest.mark.parametrize(
    ("contents", "answer"),
    [
        (CALENDAR, True),
        ({"a": {"f": {"type": "Date"}}}, True),
        ({"a": {"pat": "x"}}, True),
        ({"type": "object", "properties": {"type": {"type": "string"}}}, False),
        ({"$defs": {"a": {"type": "Str"}}}, False),
        ({"properties": {"a": {"type": "string", "pattern": "x"}}}, False),
        ([], False),
        ({}, False),
    ],
)
def test_the_format_is_told_from_a_schema(contents, answer):
    assert is_input_spec(contents) is answer


def test_a_file_gives_its_definitions_by_name(tmp_path):
    path = tmp_path / "calendar.json"
    path.write_text(json.dumps(CALENDAR))

    found = spec(path)

    assert list(found) == list(CALENDAR)
    with pytest.raises(SpecError, match=r"has no 'timeSuf'; did you mean 'timeSuff'"):
        found["timeSuf"]
