"""A saved file is data: it gives the inputs that were saved, or is refused with the number of the line."""

import datetime
import enum
import json
import random
import re
import subprocess
import sys
from fractions import Fraction

import pytest

import unlike
from unlike import (
    Bool,
    Date,
    Int,
    List,
    OneOf,
    Option,
    Place,
    Real,
    SavedFileError,
    Spec,
    Str,
    Time,
    cover,
    differs_by,
    distance,
    predicate,
    record,
)
from unlike.language.values import belongs
from unlike.recipe import Call, Method, Name, Recipe, Ref, Store, recipe_of
from unlike.saved import recipe_to_data
from unlike.suite import Case, Ending, Status, Suite
from unlike.testing.decorators import Asked, Provided
from unlike.testing.encode import Codec
from unlike.testing.inputs_file import read, text_of
from unlike.testing.prepare import Policy, forget, prune, ready, record_failures
from unlike.testing.sources.base import digest
from unlike.testing.sources.spec import SpecSource
from unlike.testing.sources.suites import SuiteSource, source_for

MUTATIONS = 1_000


class Color(enum.Enum):
    RED = 1
    GREEN = 2


def pair(left, right):
    return (left, right)


RICH = Spec(
    {
        "count": Int(-5, 999),
        "name": Str(r"[a-z]+(-[0-9]+)?", max_length=8),
        "price": Real(0, 9, 2),
        "day": Date(datetime.date(2024, 1, 1), datetime.date(2024, 12, 31)),
        "at": Time(),
        "color": OneOf(Color),
        "place": Place("Tokyo", "Apia", "Lima"),
        "flags": List(Bool(), max_length=2),
        "maybe": Option(Int(0, 3)),
        "both": record(pair, left=Int(0, 9), right=OneOf("x", None, 3, True)),
    },
    where=[lambda count: count % 2 == 1, predicate(lambda count: count != 7)],
    different=[cover.regex("name", r"[a-z]+(-[0-9]+)?"), distance("count", 10)],
)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "__unlike__" / "test_it.json"


def replayed(path, source, n=12, **policy):
    return ready(path, "test_x", source=source, n=n, policy=Policy(**policy))


def built(answer, source):
    return {one.id: {name: one.input.build(name) for name in source.names} for one in answer.inputs}


# -- encoding ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "plain"),
    [
        (Int(), -7),
        (Str(), 'a "quoted" é'),
        (Bool(), True),
        (Real(0, 9, 3), Fraction(1, 8)),
        (Real(-9, 9, 0), Fraction(-3)),
        (Date(), datetime.date(2024, 2, 29)),
        (Time(), datetime.time(23, 59)),
        (Option(Int()), None),
        (List(Option(Str())), ("a", None)),
        (OneOf(Color), Color.GREEN),
        (OneOf(1, True, "1", None), True),
        (OneOf(datetime.timedelta(3), (1, [2])), (1, [2])),
        (record(a=Int(), b=record(c=Str())), {"a": 1, "b": {"c": "x"}}),
    ],
)
def test_every_value_comes_back_as_it_was(value, plain):
    codec = Codec(value, {})

    data = json.loads(json.dumps(codec.encode(plain)))

    assert codec.decode(data) == plain
    assert type(codec.decode(data)) is type(plain)


class Twin:
    """Equal to itself alone."""


def test_members_that_would_be_saved_as_the_same_are_refused():
    with pytest.raises(unlike.SpecError, match="would be saved as the same"):
        Codec(OneOf(Twin(), Twin()), {Twin: lambda _: ()})


# -- the file ---------------------------------------------------------------------------------------------------------


def test_what_is_replayed_is_what_was_generated(path):
    source = SpecSource(RICH, 0, {})
    suite = unlike.generate(RICH, 12)

    first = replayed(path, source)
    again = replayed(path, source)

    wanted = [case.value for case in suite]
    assert built(first, source) == built(again, source)
    assert sorted(map(repr, built(again, source).values())) == sorted(map(repr, wanted))
    assert [event.kind for event in first.events] == ["prepared"]
    assert again.events == ()


def test_the_file_is_json_sorted_one_input_per_line_and_the_same_bytes_every_time(path, tmp_path):
    source = SpecSource(RICH, 0, {})

    replayed(path, source)
    other = tmp_path / "again" / "test_it.json"
    replayed(other, source)

    assert path.read_bytes() == other.read_bytes()
    whole = json.loads(path.read_text())
    *inputs, end = whole["tests"]["test_x"]["inputs"]
    assert end == "end"
    assert len(inputs) == 12
    assert text_of(read(path)) == path.read_text()
    assert sum(line.startswith('{"id"') for line in path.read_text().splitlines()) == 12


@pytest.mark.corpus
def test_a_file_mutated_at_random_is_refused_or_gives_right_inputs(path):
    source = SpecSource(RICH, 0, {})
    original = built(replayed(path, source), source)
    text = path.read_text()
    dice = random.Random(7)
    refused = kept = 0

    for _ in range(MUTATIONS):
        path.write_bytes(mutated(text, dice))
        try:
            answer = replayed(path, source, frozen=True)
        except SavedFileError as error:
            refused += "test_it.json" in str(error)
            continue
        kept += 1
        right_inputs(answer)

    assert refused + kept == MUTATIONS, "a refusal names the file"
    assert refused > MUTATIONS // 2, "most changes must be noticed"
    path.write_text(text)
    assert built(replayed(path, source, frozen=True), source) == original


def right_inputs(answer):
    """Check every input against the spec by hand, and every pair: nothing here is shared with the check itself."""
    plains = [one.input.assignment for one in answer.inputs]
    assert plains, "an empty answer is no answer"
    for plain in plains:
        assert all(belongs(value, plain[name]) for name, value in RICH.blanks.items())
        assert plain["count"] % 2 == 1
        assert plain["count"] != 7
    for i, one in enumerate(plains):
        for other in plains[:i]:
            far = abs(one["count"] - other["count"]) >= 10
            assert far or ("-" in one["name"]) != ("-" in other["name"]) or one["?0"] != other["?0"]


def mutated(text, dice):
    """Return the file with a few bytes changed, dropped, doubled, or lines moved, dropped or swapped."""
    data = bytearray(text.encode())
    for _ in range(dice.randint(1, 3)):
        at = dice.randrange(len(data))
        match dice.randrange(6):
            case 0:
                data[at] = dice.randrange(256)
            case 1:
                del data[at : at + dice.randint(1, 20)]
            case 2:
                data[at:at] = data[at : at + dice.randint(1, 30)]
            case 3:
                data[at] = ord(dice.choice('0123456789abcdefxyz"[]{},:-_'))
            case 4:
                lines = data.split(b"\n")
                del lines[dice.randrange(len(lines))]
                data = bytearray(b"\n".join(lines))
            case 5:
                lines = data.split(b"\n")
                one, two = dice.randrange(len(lines)), dice.randrange(len(lines))
                lines[one], lines[two] = lines[two], lines[one]
                data = bytearray(b"\n".join(lines))
        if not data:
            return b""
    return bytes(data)


def line_of(path, text):
    return next(i for i, line in enumerate(path.read_text().splitlines(), 1) if text in line)


def edit(path, old, new):
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


SMALL = Spec({"x": Int(0, 9), "color": OneOf(Color)}, different=differs_by("x"), where=lambda x: x < 8)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"input": {"x": 3', '"input": {"x": 9', "it breaks the spec"),
        ('"input": {"x": 3', '"input": {"x": 10', "it breaks the spec"),
        ('"input": {"x": 3', '"input": {"x": 2', "it is like input 3"),
        ('"input": {"x": 3', '"input": {"x": true', "it breaks the spec"),
        ('"input": {"x": 3', '"input": {"x": 3.0', "cannot be a value"),
        ('"input": {"x": 3', '"input": {"y": 3', "it has the parameters"),
        ('"input": {"x": 3', '"input": {"x": ["call", "os.system", "true"]', "cannot be a value"),
        (
            '"input": {"x": 3, "color": ["enum", "Color.GREEN"',
            '"input": {"x": 3, "color": ["enum", "Color.BLUE"',
            "cannot",
        ),
        ('"id": "3-GREEN"', '"id": "2-RED"', "is there twice"),
        ('"id": "3-GREEN"', '"id": "a b"', "is not an input"),
        ('"id": "3-GREEN", "rank": 3', '"id": "3-GREEN", "rank": 4', "is there twice"),
        ('"id": "3-GREEN", "rank": 3', '"id": "3-GREEN", "id": "4"', "a key is there twice"),
        ('"id": "3-GREEN", "rank": 3', '"id": "3-GREEN"', "is not an input"),
        ('{"id": "3-GREEN"', '<<<<<<< ours\n{"id": "3-GREEN"', "is not an input followed by a comma"),
    ],
)
def test_a_bad_line_is_refused_with_its_number(path, old, new, message):
    source = SpecSource(SMALL, 0, {})
    replayed(path, source, n=8)
    number = line_of(path, '"3-GREEN"')
    edit(path, old, new)

    with pytest.raises(SavedFileError, match=message) as caught:
        replayed(path, source, n=8, frozen=True)

    assert f"line {number}" in str(caught.value) or "twice" in message
    assert "restore it from version control, or run pytest --unlike-regenerate" in str(caught.value)


def test_a_damaged_test_spoils_itself_alone_and_stays_until_it_is_regenerated(path):
    source = SpecSource(SMALL, 0, {})
    replayed(path, source, n=8)
    ready(path, "test_y", source=source, n=8, policy=Policy())
    edit(path, '{"id": "3-GREEN"', '{"id" "3-GREEN"')

    assert len(ready(path, "test_y", source=source, n=8, policy=Policy(frozen=True)).inputs) == 8
    ready(path, "test_z", source=source, n=4, policy=Policy())
    with pytest.raises(SavedFileError, match="is not JSON"):
        replayed(path, source, n=8)
    assert len(replayed(path, source, n=8, regenerate=True).inputs) == 8
    assert replayed(path, source, n=8, frozen=True).events == ()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda text: text[: len(text) // 2], "cut off|does not open"),
        (lambda text: text.replace('"unlike": 1', '"unlike": 2'), "version 2 is unknown"),
        (lambda text: json.dumps(json.loads(text), indent=2), "was it reformatted"),
        (lambda _: "", "does not open a file of inputs"),
        (lambda text: text + "more", "there is more after the end"),
        (lambda text: re.sub('"ending": "[a-z]+"', '"ending": "perfect"', text), "does not open the inputs of a test"),
    ],
)
def test_a_file_that_is_not_whole_is_refused_and_can_be_regenerated(path, change, message):
    source = SpecSource(SMALL, 0, {})
    replayed(path, source, n=8)
    path.write_text(change(path.read_text()))

    with pytest.raises(SavedFileError, match=message):
        replayed(path, source, n=8)
    assert len(replayed(path, source, n=8, regenerate=True).inputs) == 8


def test_a_file_that_is_not_text_is_refused(path):
    path.parent.mkdir()
    path.write_bytes(b"\xff\xfe\x00")

    with pytest.raises(SavedFileError, match="cannot be read"):
        replayed(path, SpecSource(SMALL, 0, {}))


# -- recipes of a suite: names resolve only to what the test mentions --------------------------------------------


class Box:
    def __init__(self, size=0):
        self.size = size

    def grow(self):
        self.size += 1


def boxes(_n, _timeout):
    name = Name(__name__, "Box")
    cases = [Case(Recipe((Call(name, (size,)),), Ref(0)), f"size {size}") for size in range(3)]
    return Suite("boxes", unlike.indexed.Listed(cases), Status(Ending.COMPLETE))


PROVIDED = Provided(boxes, ("boxes",), (Box,), "box")


def test_any_suite_of_cases_can_be_the_source_of_items(path):
    source = SuiteSource(PROVIDED)

    first = replayed(path, source, n="all")
    again = replayed(path, source, n="all", frozen=True)

    assert [one.input.build("box").size for one in again.inputs] == [0, 1, 2]
    assert [one.id for one in first.inputs] == [one.id for one in again.inputs]
    assert all(one.id.startswith("size_") for one in again.inputs)


def test_blanks_stand_beside_a_suite(path):
    def test_it(box: Box, x: Int(0, 99)):
        """Only its signature is read."""

    provided = Provided(boxes, ("boxes",), (Box,), None, (Box,))
    source = source_for(test_it, Asked(n="all", provided=provided), open_names=["x", "box"], encoders={})
    answer = replayed(path, source, n="all")

    assert [(one.input.build("box").size, one.input.build("x")) for one in answer.inputs] == [(0, 0), (1, 99), (2, 1)]
    assert len(replayed(path, source, n="all", frozen=True).inputs) == 3


def test_a_suite_of_dicts_fills_several_parameters(path):
    def days(_n, _timeout):
        values = [{"day": datetime.date(2024, 2, day), "note": note} for day, note in [(1, "a"), (29, "b")]]
        cases = [Case(recipe_of(value), f"rule {i}") for i, value in enumerate(values)]
        return Suite("days", unlike.indexed.Listed(cases), Status(Ending.COMPLETE))

    source = SuiteSource(Provided(days, ("days",), (), keys=("day", "note")))
    replayed(path, source, n="all")
    again = replayed(path, source, n="all", frozen=True)

    assert built(again, source) == {
        "rule_0-a": {"day": datetime.date(2024, 2, 1), "note": "a"},
        "rule_1-b": {"day": datetime.date(2024, 2, 29), "note": "b"},
    }


@pytest.mark.parametrize(
    "recipe",
    [
        Recipe((Call(Name("os", "getcwd")),), Ref(0)),
        Recipe((Call(Name("builtins", "eval"), ("1",)),), Ref(0)),
        Recipe((Call(Name(__name__, "Box.__init__")),), Ref(0)),
        Recipe((), Name("os", "sep")),
        Recipe((Call(Name("pathlib", "Path.cwd")),), Ref(0)),
        Recipe((Call(Name("pathlib", "Path"), ("x",)), Method(Ref(0), "unlink")), Ref(0)),
        Recipe((Call(Name(__name__, "Box")), Method(Ref(0), "__init__")), Ref(0)),
        Recipe((Call(Name(__name__, "Box")), Store(Ref(0), "__class__", 1)), Ref(0)),
    ],
)
def test_a_recipe_that_names_anything_else_is_refused_before_it_runs(path, recipe):
    source = SuiteSource(PROVIDED)
    replayed(path, source, n="all")
    data = recipe_to_data(recipe)
    lines = path.read_text().splitlines(keepends=True)
    at = next(i for i, line in enumerate(lines) if line.startswith('{"id"'))
    line = json.loads(lines[at].strip().removesuffix(","))
    line["input"]["box"] = ["recipe", data, digest(data)]
    lines[at] = json.dumps(line) + ",\n"
    path.write_text("".join(lines))

    with pytest.raises(SavedFileError, match=f"line {at + 1}"):
        replayed(path, source, n="all", frozen=True)


# -- failures, forgetting, pruning, numbers -----------------------------------------------------------------------


def test_regressions_are_kept_while_the_spec_moves_until_they_are_forgotten(path):
    wide = SpecSource(Spec({"x": Int(0, 99)}), 0, {})
    narrow = SpecSource(Spec({"x": Int(50, 99)}), 0, {})
    renamed = SpecSource(Spec({"y": Int(0, 99)}), 0, {})
    ids = [one.id for one in replayed(path, wide, n=5).inputs]
    assert record_failures(path, {"test_x": [ids[0]], "test_gone": ["1"]}) == 1
    assert record_failures(path, {"test_x": [ids[0]]}) == 0

    idle = replayed(path, narrow, n=5)
    assert ids[0] not in {one.id for one in idle.inputs}
    assert [event.kind for event in idle.events] == ["regenerated", "idle"]
    replayed(path, renamed, n=5)
    back = replayed(path, wide, n=5)

    assert [line.id for line in read(path)["test_x"].regressions()] == [ids[0]]
    assert ids[0] in {one.id for one in back.inputs}
    assert forget(path, ["nothing"]) == []
    assert forget(path, ["test_x[[]*]"]) == [f"test_x[{ids[0]}]"]
    assert read(path)["test_x"].regressions() == []


def test_a_regression_beyond_a_smaller_n_still_runs(path):
    source = SpecSource(Spec({"x": Int(0, 99)}), 0, {})
    last = max(read_ranks(path, source, 8), key=lambda pair: pair[1])[0]
    record_failures(path, {"test_x": [last]})

    fewer = replayed(path, source, n=4)

    assert last in {one.id for one in fewer.inputs}
    assert len(fewer.inputs) == 5
    assert [one.kept for one in fewer.inputs if one.id == last] == [True]


def read_ranks(path, source, n):
    replayed(path, source, n=n)
    return [(line.id, line.rank) for line in read(path)["test_x"].lines]


def test_a_smaller_n_on_the_command_line_uses_the_first_inputs_and_writes_nothing(path):
    source = SpecSource(Spec({"x": Int(0, 99)}), 0, {})
    ranks = dict(read_ranks(path, source, 8))
    before = path.read_bytes()

    few = ready(path, "test_x", source=source, n=8, policy=Policy(n=3, frozen=True))

    assert {one.id for one in few.inputs} == {id_ for id_, rank in ranks.items() if rank < 3}
    assert path.read_bytes() == before


def test_a_complete_suite_answers_every_larger_n_without_asking_again(path):
    source = SpecSource(Spec({"x": Int(0, 4)}), 0, {})

    replayed(path, source, n=100)

    assert len(replayed(path, source, n=200, frozen=True).inputs) == 5
    assert len(replayed(path, source, n="all", frozen=True).inputs) == 5


def test_orphans_are_dropped_and_an_empty_file_goes(path):
    source = SpecSource(SMALL, 0, {})
    for name in ("test_x", "test_gone"):
        ready(path, name, source=source, n=3, policy=Policy())

    assert prune(path, ["test_x"]) == ["test_gone"]
    assert list(read(path)) == ["test_x"]
    assert prune(path, []) == ["test_x"]
    assert not path.exists()


def test_recipes_of_dates_and_enums_are_plain_python():
    assert recipe_of(Color.RED).result == Name(__name__, "Color.RED")


@pytest.mark.corpus
def test_a_replay_loads_no_solver_and_an_unused_plugin_loads_nothing(project):
    project.write(
        test_it="""
import unlike
from unlike import Int

@unlike.inputs(3, where=lambda x: x % 3 == 1)
def test_x(x: Int(0, 99)): pass
""",
        test_plain="def test_plain(): pass\n",
        conftest="""
import sys

def pytest_unconfigure():
    print("LOADED", sorted(name for name in sys.modules if name.split(".")[0] in ("unlike", "z3")))
""",
    )
    project.run("-q", "test_it.py")

    replay = project.run("-q", "--unlike-frozen", "test_it.py")
    unused = project.run("-q", "test_plain.py")

    assert replay.passed(3), replay.text
    loaded = replay.text.partition("LOADED")[2]
    assert "unlike.testing.prepare" in loaded
    assert "z3" not in loaded
    assert "engine.generate" not in loaded
    assert "LOADED []" in unused.text


def test_importing_the_decorator_loads_no_language():
    code = "import sys, unlike; unlike.inputs; print([name for name in sys.modules if 'language' in name])"

    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_what_two_people_did_to_the_file_merges_without_a_conflict(path, tmp_path):
    sources = {
        "test_a": SpecSource(Spec({"a": Int(0, 9)}), 0, {}),
        "test_m": SpecSource(SMALL, 0, {}),
        "test_z": SpecSource(Spec({"z": Int(0, 9)}), 0, {}),
    }

    def prepared(name, file):
        ready(file, name, source=sources[name], n=8, policy=Policy())

    prepared("test_m", path)
    base, ours, theirs = (tmp_path / name for name in ("base.json", "ours.json", "theirs.json"))
    for each in (base, ours, theirs):
        each.write_bytes(path.read_bytes())

    prepared("test_a", ours)
    record_failures(ours, {"test_m": ["1-GREEN"]})
    prepared("test_z", theirs)
    record_failures(theirs, {"test_m": ["6-GREEN"]})
    merged = subprocess.run(["git", "merge-file", "-p", ours, base, theirs], capture_output=True, text=True, check=True)
    base.write_text(merged.stdout)

    blocks = read(base)
    assert list(blocks) == ["test_a", "test_m", "test_z"]
    assert [line.id for line in blocks["test_m"].regressions()] == ["1-GREEN", "6-GREEN"]
    for name in blocks:
        ready(base, name, source=sources[name], n=8, policy=Policy(frozen=True))
