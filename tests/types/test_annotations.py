"""Every kind of type gives real instances within its bounds, checked by another library."""

from __future__ import annotations

import collections.abc
import dataclasses
import datetime
import decimal
import enum
import ipaddress
import pathlib
import sys
import typing
import uuid
from typing import Annotated, Generic, Literal, NamedTuple, NewType, NotRequired, Optional, TypeVar, Union

import annotated_types
import attrs
import pydantic
import pytest
from typing_extensions import TypedDict  # pydantic takes no other one before 3.12

import unlike
from unlike.saved import recipe_from_data, recipe_to_data
from unlike.suite import Ending
from unlike.writers.python_source import source_of

T = TypeVar("T")
Bounded = TypeVar("Bounded", bound=int)
UserId = NewType("UserId", int)


class Color(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Right(enum.Flag):
    READ = enum.auto()
    WRITE = enum.auto()


class Point(NamedTuple):
    x: int
    y: bool = False


class Options(TypedDict, total=False):
    name: typing.Required[str]
    color: Color
    depth: int | None


@dataclasses.dataclass
class Box(Generic[T]):
    content: T


@dataclasses.dataclass
class Counted(Generic[Bounded]):
    content: Bounded


@dataclasses.dataclass
class Tree:
    value: bool
    left: Tree | None = None
    right: Tree | None = None
    mark: typing.ClassVar[int] = 3
    cache: int = dataclasses.field(default=0, init=False)


@attrs.define
class Account:
    _number: int = attrs.field(validator=[attrs.validators.ge(10), attrs.validators.lt(20)])
    owner: str = attrs.field(default="ab", validator=attrs.validators.matches_re(r"[a-c]{2}|x"))
    code: str = attrs.field(
        kw_only=True, validator=attrs.validators.and_(attrs.validators.min_len(2), attrs.validators.max_len(4))
    )
    level: int = attrs.field(kw_only=True, validator=attrs.validators.in_([1, 2, 3]))


class Cat(pydantic.BaseModel):
    kind: Literal["cat"]
    lives: int = pydantic.Field(ge=1, le=9)


class Dog(pydantic.BaseModel):
    kind: Literal["dog"]
    tricks: Annotated[list[str], pydantic.Field(max_length=2)]


class Owner(pydantic.BaseModel, extra="forbid"):
    pet: Cat | Dog = pydantic.Field(discriminator="kind")
    age: Annotated[int, pydantic.Field(gt=17, multiple_of=3)]
    price: decimal.Decimal = pydantic.Field(max_digits=5, decimal_places=2, ge=0)
    first_name: str = pydantic.Field(alias="first-name", pattern="^[A-Z][a-z]+$")
    nick: str = pydantic.Field(default="x", validation_alias=pydantic.AliasChoices("nickname", "nick"))

    @pydantic.field_validator("age")
    @classmethod
    def check_age(cls, age: int) -> int:
        if age > 120:
            raise ValueError("nobody is older than 120")
        return age


@pydantic.dataclasses.dataclass
class Checked:
    number: Annotated[int, annotated_types.Interval(gt=0, le=3)]


PLAIN = [
    int,
    float,
    bool,
    str,
    bytes,
    None,
    Optional[int],  # noqa: UP045  (the old spelling is read, too)
    Union[int, str],  # noqa: UP007
    int | str | None,
    Literal["a", 3, None, True],
    Color,
    Right,
    list[int],
    set[Color],
    frozenset[bool],
    dict[Color, list[int]],
    tuple[int, str],
    tuple[int, ...],
    tuple[()],
    collections.abc.Sequence[bool],
    collections.abc.Mapping[str, bool],
    decimal.Decimal,
    datetime.date,
    datetime.time,
    datetime.datetime,
    datetime.timedelta,
    uuid.UUID,
    pathlib.Path,
    ipaddress.IPv4Address,
    ipaddress.IPv6Address,
    UserId,
    Point,
    Options,
    Box[int],
    Box[list[Color]],
    Counted[bool],
    Counted,
    Tree,
    Account,
    Cat,
    Owner,
    Checked,
    Annotated[int, annotated_types.Ge(3), annotated_types.Lt(9)],
    Annotated[int, annotated_types.Ge(10**12)],
    Annotated[float, annotated_types.Interval(gt=0, le=0.125)],
    Annotated[int, annotated_types.MultipleOf(7), annotated_types.Interval(ge=1, le=50)],
    Annotated[str, annotated_types.Len(2, 4)],
    Annotated[str, annotated_types.Predicate(str.islower), annotated_types.MinLen(1)],
    Annotated[list[Annotated[int, annotated_types.Ge(0)]], annotated_types.Len(1, 5)],
    Annotated[set[int], annotated_types.MinLen(4)],
    Annotated[datetime.datetime, annotated_types.Timezone("Europe/Paris")],
    Annotated[datetime.datetime, annotated_types.Timezone(...)],
    Annotated[datetime.time, annotated_types.Timezone("Asia/Tokyo")],
    Annotated[datetime.date, annotated_types.Ge(datetime.date(2024, 1, 1))],
    Annotated[datetime.timedelta, annotated_types.Le(datetime.timedelta(hours=1))],
    Annotated[int | None, annotated_types.Ge(5)],
    Annotated[bytes, annotated_types.MaxLen(3)],
    Annotated[str, unlike.Matching("(ab|cd)+[0-9]?")],
    annotated_types.LowerCase[str],
    pydantic.PositiveInt,
    Annotated[str, pydantic.StringConstraints(pattern="b+", max_length=5)],
]


def shown(annotation: object) -> str:
    return str(getattr(annotation, "__name__", annotation))


@pytest.mark.few(55)
@pytest.mark.parametrize("cover", ["each", "pairs"])
@pytest.mark.parametrize("annotation", PLAIN, ids=shown)
def test_every_kind_of_type_gives_instances_that_another_library_accepts(annotation: object, cover: str) -> None:
    suite = unlike.generate(annotation, 12, cover=cover)
    arbitrary = pydantic.ConfigDict(arbitrary_types_allowed=True)
    wrapped = pydantic.create_model("Wrapped", __config__=arbitrary, value=(annotation, ...))

    assert len(suite)
    assert suite.status.ending in (Ending.FOUND, Ending.COMPLETE)
    for case in suite:
        value = case.value
        wrapped.__pydantic_validator__.validate_python({"value": value}, strict=not isinstance(value, dict))


@pytest.mark.parametrize("annotation", PLAIN, ids=shown)
def test_every_input_can_be_saved_read_back_and_written_as_python(annotation: object) -> None:
    for case in unlike.generate(annotation, 6, cover="pairs"):
        value = case.value

        again = unlike.Case(recipe_from_data(recipe_to_data(case.recipe))).value
        source = source_of(case.recipe)
        names: dict[str, object] = {}
        exec("\n".join([*sorted(source.imports), *source.lines, f"result = {source.result}"]), names)

        assert again == value
        assert names["result"] == value


def test_recursion_ends_after_the_depth() -> None:
    def depth(tree: Tree | None) -> int:
        return 0 if tree is None else 1 + max(depth(tree.left), depth(tree.right))

    by_depth = {wanted: unlike.generate(Tree, depth=wanted).values for wanted in (0, 1, 2)}

    for wanted, trees in by_depth.items():
        assert max(depth(tree) for tree in trees if isinstance(tree, Tree)) == wanted + 1


def test_discriminated_unions_aliases_and_validators_are_respected() -> None:
    suite = unlike.generate(Owner, 40, cover="pairs")

    owners = [each for each in suite.values if isinstance(each, Owner)]
    assert {owner.pet.kind for owner in owners} == {"cat", "dog"}
    assert all(owner.age % 3 == 0 and 17 < owner.age <= 120 for owner in owners)
    assert decimal.Decimal("999.99") in {owner.price for owner in owners}


def test_flags_come_single_together_and_not_at_all() -> None:
    assert unlike.generate(Right).values == [Right(0), Right.READ, Right.WRITE, Right.READ | Right.WRITE]


def test_a_bound_with_its_neighbour_inside_appears() -> None:
    ages = unlike.generate(Annotated[int, annotated_types.Interval(ge=18, le=120)]).values

    assert sorted(ages) == [18, 19, 119, 120]  # type: ignore[type-var]


def test_unbounded_types_keep_within_the_stated_default_bounds() -> None:
    ints = unlike.generate(int, 50).values
    texts = unlike.generate(str, 50).values

    assert {min(ints), max(ints)} == {-(2**31), 2**31 - 1}  # type: ignore[type-var]
    assert max(len(str(text)) for text in texts) == 20
    assert max(len(each) for each in unlike.generate(list[int], 50).values) == 3  # type: ignore[arg-type]


@pytest.mark.skipif(sys.version_info < (3, 12), reason="type statements are new in 3.12")
def test_a_recursive_type_statement_is_read() -> None:
    names: dict[str, object] = {}
    exec("type Json = bool | list[Json] | dict[str, Json]", names)

    suite = unlike.generate(names["Json"], 30)

    assert any(isinstance(value, dict) and value for value in suite.values)


def test_fields_that_are_not_given_to_the_constructor_are_left_alone() -> None:
    assert all(tree.cache == 0 for tree in unlike.generate(Tree).values if isinstance(tree, Tree))


class Inner(TypedDict):
    size: NotRequired[int]


def test_a_field_can_be_absent_on_every_level() -> None:
    class Outer(TypedDict):
        inner: NotRequired[Inner]

    values = unlike.generate(Outer, cover="pairs").values

    assert {} in values
    assert {"inner": {}} in values
    assert any(isinstance(value, dict) and value.get("inner", {}).get("size") == 0 for value in values)
