"""Parameters of a class, with constraints, or of a type without terms; and inputs that break one rule each."""

import re

import pytest

QUIET = ["-p", "no:hypothesispytest", "-p", "no:xdist", "-p", "no:cacheprovider", "-v"]
HEAD = """
import dataclasses, datetime, enum, pytest
from typing import Annotated, Literal
import annotated_types, pydantic
import unlike
from unlike import *

class Level(enum.Enum):
    LOW = 1
    HIGH = 2

@dataclasses.dataclass
class Point:
    x: Annotated[int, annotated_types.Interval(ge=0, le=9)]
    y: int | None
    level: Level

class Order(pydantic.BaseModel):
    number: int = pydantic.Field(ge=1, le=9)
    code: str = pydantic.Field(pattern="^[a-z]{2}$")
"""


@pytest.fixture
def run(pytester):
    def run(body, *arguments):
        pytester.makepyfile(test_it=HEAD + body)
        return pytester.runpytest_inprocess(*QUIET, *arguments)

    return run


def ids(result):
    return re.findall(r"^test_it\.py::\S+\[(.*)\] (?:PASSED|FAILED)", result.stdout.str(), re.MULTILINE)


def test_dataclasses_models_and_constraints_are_blanks_and_terms_speak_of_their_fields(run):
    body = """
@unlike.inputs(6, where=lambda point, least: point.x >= least, different=differs_by("point.x"))
def test_it(point: Point, least: Annotated[int, annotated_types.Interval(ge=3, le=4)]):
    assert isinstance(point, Point) and isinstance(point.level, Level)
    assert 3 <= least <= point.x <= 9

@unlike.inputs(5)
def test_model(order: Order):
    assert 1 <= order.number <= 9 and len(order.code) == 2
"""

    first = run(body)
    again = run(body, "--unlike-frozen")

    first.assert_outcomes(passed=11)
    assert ids(again) == ids(first)


def test_types_that_the_terms_have_no_value_for_are_covered_as_types(run):
    body = """
@unlike.inputs(8)
def test_it(names: set[Literal["a", "b", "c"]], either: int | str, point: Point):
    assert isinstance(names, set) and isinstance(either, int | str) and isinstance(point, Point)
    names.clear()
"""

    first = run(body)
    again = run(body, "--unlike-frozen")

    first.assert_outcomes(passed=8)
    again.assert_outcomes(passed=8)
    assert ids(again) == ids(first)
    assert all(len(each) <= 60 for each in ids(first))


def test_invalid_inputs_break_one_rule_each_and_carry_it_in_the_id(run):
    body = """
def take(number, code):
    if not (type(number) is int and 1 <= number <= 9): raise ValueError(number)
    if not (type(code) is str and len(code) == 2 and code.islower()): raise ValueError(code)

@unlike.inputs("all", invalid=True)
def test_it(number: Int(1, 9), code: Str("[a-z]{2}")):
    with pytest.raises(ValueError):
        take(number, code)

@unlike.inputs(4, invalid=True)
def test_model(data: Order):
    with pytest.raises(pydantic.ValidationError):
        Order.model_validate(data)
"""

    first = run(body)
    again = run(body, "--unlike-frozen")

    outcome = first.parseoutcomes()
    assert set(outcome) == {"passed"}, first.stdout.str()
    assert {"number:_below_the_least-0-ab", "number:_above_the_most-10-ab"} <= set(ids(first))
    assert any(each.startswith("code:_not_matching_the_pattern") for each in ids(first))
    assert not any("missing" in each and each.count(":") == 1 and "data" not in each for each in ids(first))
    assert ids(again) == ids(first)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("@unlike.inputs(3, invalid=True)\ndef test_it(x): pass", "has neither an annotation nor a fixture"),
        ("@unlike.inputs(3, invalid=True, where=lambda x: x > 1)\ndef test_it(x: int): pass", "leave out where"),
        ("@unlike.inputs(3)\ndef test_it(x: type): pass", "no inputs can be made for the annotation"),
    ],
)
def test_what_cannot_be_asked_of_types_is_a_message_on_the_item(run, body, message):
    result = run(body)

    result.assert_outcomes(errors=1)
    assert message in result.stdout.str()


def test_a_replay_of_plain_types_reads_no_types(project):
    project.write(
        test_it="import unlike\n\n@unlike.inputs(3)\ndef test_x(x: int, y: bool): pass\n",
        conftest="import sys\n\ndef pytest_unconfigure(): print('READ', 'unlike.types.read' in sys.modules)\n",
    )
    project.run("-q")

    assert "READ False" in project.run("-q", "--unlike-frozen").text


def test_the_bounds_of_every_value_become_rules_that_are_broken(run):
    body = """
@unlike.inputs("all", invalid=True)
def test_it(a: Int(), b: Real(0, 1), c: Date(datetime.date(2024, 1, 1)), d: Time(), e: Str(min_length=2, max_length=3),
            f: OneOf("x", 1), g: Option(Int(0, 3)), h: List(Int(0, 1), max_length=2), i: record(j=Int(0, 1)), k: Bool()):
    pass
"""

    result = run(body)

    assert set(result.parseoutcomes()) == {"passed"}, result.stdout.str()
    broken = {each.partition(":")[0] for each in ids(result)}
    assert {"b", "c", "e", "f", "g", "h", "i.j"} <= broken


def test_ids_say_which_choices_an_input_shows_or_what_an_object_is_made_of(run):
    result = run(
        """
import uuid

@dataclasses.dataclass
class Key:
    id: uuid.UUID

@dataclasses.dataclass
class Flag:
    key: Key
    on: bool
    marks: set[Literal["a"]]

@unlike.inputs(4)
def test_it(flag: Flag, number: Int(1, 2)):
    assert flag

@unlike.inputs(2)
def test_key(key: Key):
    assert key
"""
    )

    assert ids(result) == [
        "on=False,marks=empty-1",
        "on=False,marks=one_item,item=a-1",
        "on=True,marks=empty-2",
        "on=True,marks=one_item,item=a-2",
        "00000000-0000-4000-8000-000000000000",
        "00000000-0000-4000-b873-c6731682f622",
    ]


def test_ids_that_are_saved_stay_when_more_inputs_are_asked_for(run, pytester):
    body = """
@unlike.inputs({n})
def test_it(text: OneOf("a", "b", "c", "d")):
    pass
"""
    run(body.format(n=2))
    saved = pytester.path / "__unlike__" / "test_it.json"
    saved.write_text(saved.read_text().replace('"id": "a"', '"id": "1cb6a130"'))  # as they were once

    frozen = run(body.format(n=2), "--unlike-frozen")
    more = run(body.format(n=4))

    assert ids(frozen) == ["1cb6a130", "b"]
    assert ids(more) == ["1cb6a130", "b", "c", "d"]
    assert "extended to 4 inputs" in more.stdout.str()
