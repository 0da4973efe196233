"""Parameters of a class, with constraints, or of a type without terms; and inputs that break one rule each."""

import itertools
import re

import pytest

from unlike import SpecError, differs_by, generate, write_program

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
        (
            "import types\n@unlike.inputs(3)\ndef test_it(x: types.FrameType): pass",
            "x: frame is not a type whose values can be generated",
        ),
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
        "on=False,marks=empty-1~2",
        "on=True,marks=one_item,item=a-2",
        "on=True,marks=one_item,item=a-2~2",
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


TYPES_IN_TESTS = """
import uuid

@dataclasses.dataclass
class Room:
    size: Literal["S", "L"]
    beds: Literal[1, 2, 3]

@dataclasses.dataclass
class Booking(Room):
    id: uuid.UUID
"""


@pytest.mark.parametrize("cls", ["Room", "Booking"])
def test_a_type_is_covered_whether_or_not_it_holds_what_terms_cannot_say(run, cls):
    body = f"""{TYPES_IN_TESTS}
@unlike.inputs()
def test_each(room: {cls}): pass

@unlike.inputs(cover="pairs")
def test_pairs(room: {cls}): pass

@unlike.inputs(where=lambda room: (room.size == "L") & (room.beds > 1))
def test_where(room: {cls}): assert room.size == "L" and room.beds > 1

@unlike.inputs(different=cover.structure("pairs"))
def test_difference(room: {cls}): pass

@unlike.inputs(4, different=differs_by("room.beds"))
def test_beds(room: {cls}): pass

@unlike.inputs(2)
def test_two(room: {cls}): pass
"""
    first = run(body)
    frozen = run(body, "--unlike-frozen")

    found = {name: [] for name in ("each", "pairs", "where", "difference", "beds", "two")}
    for name, id_ in re.findall(r"::test_(\w+)\[(.*)\] PASSED", first.stdout.str()):
        found[name].append(id_)
    # three beds; two sizes times three beds; two and three beds; as pairs; one for each number of beds; as many as said
    assert [len(each) for each in found.values()] == [3, 6, 2, 6, 3, 2], first.stdout.str()
    assert found["each"] == ["size=L,beds=2", "size=S,beds=1", "size=S,beds=3"]
    assert ids(frozen) == ids(first)


def test_several_parameters_that_are_types_are_covered_together_with_blanks(run):
    body = f"""{TYPES_IN_TESTS}
@unlike.inputs(cover="pairs")
def test_it(room: Room, other: Booking | None, number: Int(1, 2)): pass
"""
    result = run(body)

    found = ids(result)
    assert set(result.parseoutcomes()) == {"passed"}
    beds = [re.search(r"(?<!other\.)beds=(.)", each)[1] for each in found]
    pairs = {(number, "-None" in each) for number, each in zip(beds, found, strict=True)}
    assert pairs == set(itertools.product("123", (True, False)))


def test_types_stand_beside_objects_and_all_their_choices_are_shown(run):
    body = f"""{TYPES_IN_TESTS}
class Counter:
    def __init__(self): self.n = 0

@unlike.objects(Counter, scope=1)
def test_it(counter: Counter, room: Booking, on: bool): pass
"""
    first = run(body)
    frozen = run(body, "--unlike-frozen")

    first.assert_outcomes(passed=3)
    assert ids(frozen) == ids(first)


def test_more_inputs_than_a_coverage_needs_extend_it(run):
    body = f"{TYPES_IN_TESTS}\n@unlike.inputs()\ndef test_it(room: Room): pass\n"

    covered, more, again = run(body), run(body, "--unlike-n=5"), run(body)

    covered.assert_outcomes(passed=3)
    more.assert_outcomes(passed=5)
    assert set(ids(covered)) < set(ids(more))
    assert ids(again) == ids(covered)


def test_a_coverage_beside_a_difference_is_refused(run):
    result = run("unlike.inputs(cover='pairs', different=differs_by('x'))")

    assert "cover='pairs' says itself how inputs differ" in result.stdout.str()
    with pytest.raises(SpecError, match="says itself how inputs differ"):
        generate(bool | None, cover="pairs", different=differs_by("value"))


def test_a_spec_with_types_among_its_blanks_is_covered(run):
    body = f"""{TYPES_IN_TESTS}
ROOMS = Spec({{"room": Room, "number": Int(1, 2)}}, where=lambda room, number: room.beds > number, name="rooms")
PAIRS = Spec({{"room": Booking}}, different=cover.structure("pairs"))

@unlike.inputs(spec=ROOMS)
def test_it(room, number): assert room.beds > number

@unlike.inputs(spec=PAIRS)
def test_pairs(room): pass
"""
    run(body).assert_outcomes(passed=2 + 6)  # each choice once under the condition, then two sizes times three beds
    scope = {"__name__": "rooms"}
    exec(HEAD + body, scope)
    suite = generate(scope["ROOMS"])

    assert suite.name == "rooms"
    assert {case.value["room"].beds for case in suite} == {2, 3}
    with pytest.raises(SpecError, match="has types among its blanks"):
        write_program([scope["ROOMS"]])
    with pytest.raises(SpecError, match="a Spec says it itself"):
        generate(scope["ROOMS"], where=lambda room: room.beds > 1)


def test_inputs_of_a_class_in_the_test_file_are_replayed_however_pytest_imports_it(pytester):
    (pytester.mkdir("tests") / "test_it.py").write_text(
        HEAD + TYPES_IN_TESTS + "\n@unlike.inputs()\ndef test_it(room: Room): pass\n"
    )

    pytester.runpytest_inprocess(*QUIET).assert_outcomes(passed=3)
    again = pytester.runpytest_inprocess(*QUIET, "--import-mode=importlib", "--unlike-frozen")

    again.assert_outcomes(passed=3)


def test_a_test_gives_values_to_fields_and_types(run):
    body = f"""{TYPES_IN_TESTS}
@unlike.inputs(literals={{"beds": [7, 8], uuid.UUID: ["a", "b"]}})
def test_it(room: Booking): assert room.beds in (7, 8) and room.id in "ab"
"""
    first = run(body)

    first.assert_outcomes(passed=2)
    assert ids(run(body, "--unlike-frozen")) == ids(first)
