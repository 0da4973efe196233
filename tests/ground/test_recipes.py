"""Recipes: run, written as Python, saved as data and read back."""

import dataclasses
import datetime
import decimal
import enum
import ipaddress
import json
import pathlib
import uuid
import zoneinfo

import pytest

from unlike.errors import RecipeError, SavedFileError
from unlike.recipe import BareInstance, Call, Given, Items, Method, Name, Recipe, Ref, Store, only, recipe_of, run
from unlike.saved import recipe_from_data, recipe_to_data, write_whole
from unlike.suite import Case
from unlike.writers.python_source import source_of


class Color(enum.Enum):
    RED = 1


@dataclasses.dataclass
class Point:
    x: int
    y: int = 0


class Pile:
    def __init__(self) -> None:
        self.items = []

    def push(self, item):
        self.items.append(item)
        return self

    def __setitem__(self, index, item):
        self.items[index] = item

    @classmethod
    def of(cls, *items):
        pile = cls()
        pile.items = list(items)
        return pile


HERE = __name__
PILE = Name(HERE, "Pile")
BUILT = Recipe(
    (
        Call(PILE),
        Method(Ref(0), "push", (1,)),
        Method(Ref(0), "push", (Items("tuple", (2, "x")),)),
        Method(Ref(0), "__setitem__", (0, None)),
    ),
    Ref(0),
)

VALUES = [
    None,
    True,
    -3,
    2.5,
    float("inf"),
    "text\n'\"",
    b"\x00\xff",
    [1, [2]],
    (1,),
    (),
    {"a": 1, 2: [3]},
    {1, 2},
    set(),
    frozenset({1}),
    frozenset(),
    Color.RED,
    datetime.date(2024, 2, 29),
    datetime.time(10, 5),
    datetime.datetime(2024, 2, 29, 10, 5),
    datetime.datetime(2024, 2, 29, 10, 5, tzinfo=zoneinfo.ZoneInfo("Asia/Tokyo")),
    datetime.timedelta(1, 2, 3),
    decimal.Decimal("1.10"),
    uuid.UUID(int=5),
    pathlib.Path("a/b"),
    ipaddress.ip_address("10.0.0.1"),
    zoneinfo.ZoneInfo("Europe/Paris"),
    complex(1, 2),
    Point(1, 2),
]


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_a_plain_value_comes_back_from_its_recipe_its_data_and_its_source(value):
    recipe = recipe_of(value)

    data = json.loads(json.dumps(recipe_to_data(recipe)))
    source = source_of(recipe)
    scope = {}
    exec("\n".join([*sorted(source.imports), *source.lines, f"result = {source.result}"]), scope)

    assert run(recipe) == value
    assert type(run(recipe)) is type(value)
    assert recipe_from_data(data) == recipe
    assert scope["result"] == value


def test_a_recipe_builds_a_fresh_object_each_time():
    case = Case(BUILT)

    first, second = case.value, case.value

    assert first.items == second.items == [None, (2, "x")]
    assert first is not second


def test_a_recipe_reads_as_a_person_would_write_it():
    source = source_of(BUILT)

    assert source.lines == ["x = Pile()", "x.push(1)", "x.push((2, 'x'))", "x[0] = None"]
    assert source.result == "x"
    assert source.imports == {f"from {HERE} import Pile"}


def test_blank_objects_and_stores_make_any_object():
    recipe = Recipe((BareInstance(PILE), Store(Ref(0), "items", Items("list", (7,)))), Ref(0))

    assert run(recipe).items == [7]
    assert recipe_from_data(recipe_to_data(recipe)) == recipe


def test_a_resolver_knows_only_what_it_was_given():
    resolve = only(Pile)

    assert run(Recipe((Call(Name(HERE, "Pile.of"), (1, 2)),), Ref(0)), resolve).items == [1, 2]
    for name in (Name("os", "system"), Name(HERE, "Point"), Name(HERE, "Pile.__init__.__globals__")):
        with pytest.raises(RecipeError, match="may"):
            run(Recipe((Call(name),), Ref(0)), resolve)


def test_an_object_without_a_literal_form_can_be_used_but_not_saved_or_written():
    thing = object()
    recipe = recipe_of([thing])

    assert recipe == Recipe((), Items("list", (Given(thing),)))
    assert run(recipe) == [thing]
    for write in (recipe_to_data, source_of):
        with pytest.raises(RecipeError, match="object"):
            write(recipe)


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        {"steps": []},
        {"steps": [], "result": 1, "more": 2},
        {"steps": [["call", ["name", "os", "system"], []]], "result": None},
        {"steps": [["call", ["name", "os", "sys tem"], [], {}]], "result": None},
        {"steps": [["call", "os.system", [], {}]], "result": None},
        {"steps": [["method", 0, "x", [], {}]], "result": None},
        {"steps": [["method", True, "x", [], {}]], "result": None},
        {"steps": [["eval", "1"]], "result": None},
        {"steps": [], "result": ["ref", 0]},
        {"steps": [], "result": ["ref", -1]},
        {"steps": [], "result": ["dict", [1]]},
        {"steps": [], "result": ["bytes", "?"]},
        {"steps": [], "result": ["float", "1"]},
        {"steps": [], "result": {"a": 1}},
        {"steps": [["store", 0, "x y", 1]], "result": None},
    ],
)
def test_data_that_are_no_recipe_are_refused(data):
    with pytest.raises(SavedFileError):
        recipe_from_data(data)


def test_a_name_that_does_not_exist_is_a_clear_error():
    with pytest.raises(RecipeError, match=r"nowhere:Thing cannot be found"):
        run(Recipe((Call(Name("nowhere", "Thing")),), Ref(0)))


def test_a_file_is_written_whole_or_not_at_all(tmp_path):
    target = tmp_path / "suite.json"
    write_whole(target, "old")

    with pytest.raises(TypeError):
        write_whole(target, 3)

    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_a_file_of_an_earlier_version_names_our_classes_where_they_were():
    data = {"steps": [["call", ["name", "unlike.formats.ready", "Location"], [], {}]], "result": ["ref", 0]}

    recipe = recipe_from_data(data)

    assert recipe.steps[0] == Call(Name("unlike", "Location"))
