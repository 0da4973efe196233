# ruff: noqa: UP006, UP007, UP035, UP045 (old and new spellings are what is tested)
"""Annotations as people write them, and what each of them means.

Each row is an annotation, a predicate that says which values are legal (exact types: True is no int, 1.0 is no int),
the legal values where they are few, what a parameter may have within a scope (a reading, see annotation_reading), and
the few doors that may, or must, refuse it by name. `test_annotation_doors.py` holds every door to every row.
"""

import collections
import datetime
import decimal
import fractions
import ipaddress
import math
import pathlib
import re
import typing
import uuid
import zoneinfo
from collections import abc
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import (
    Annotated,
    Any,
    AnyStr,
    Dict,
    Final,
    FrozenSet,
    List,
    Literal,
    Never,
    NewType,
    Optional,
    Set,
    Tuple,
    TypeVar,
    Union,
)

import annotated_types as at
import pydantic
import typing_extensions
from tests.types.annotation_classes import (
    AtLeast,
    Below,
    Below3,
    Bits,
    Boxed,
    Checked,
    Child,
    Chosen,
    Coded,
    Color,
    Defaulted,
    Dot,
    Factory,
    Fixed,
    Haunted,
    JustInt,
    Later,
    Level,
    Link,
    Many,
    MaybeSmall,
    Mood,
    Move,
    Nested,
    Odd,
    Options,
    Order,
    Partial,
    Pixel,
    Plain,
    Point,
    Positive,
    Right,
    Shape,
    Sized,
    Slotted,
    Small,
    Speaker,
    Square,
    Untyped,
    check_even,
    is_even,
    is_never,
    is_prime,
    is_sorted,
)
from tests.types.annotation_reading import (
    Reading,
    combinations,
    complexes,
    constants,
    dicts,
    each_as,
    either,
    floats,
    form,
    in_every_order,
    ints,
    lists,
    members,
    objects,
    octets,
    sets,
    texts,
    tuples,
    tuples_of,
)

import unlike

DOORS = ("generate", "invalid", "inputs", "explore", "builders", "structures", "fields", "compare")
MAKE = frozenset({"generate", "invalid", "inputs"})
CALL = frozenset({"explore", "builders"})
HEAP = frozenset({"structures", "fields", "compare"})
SCOPE = CALL | HEAP
EVERY = MAKE | SCOPE
COMPARE = frozenset({"compare"})
INVALID = frozenset({"invalid"})
NO_DEFAULT = object()


@dataclass(frozen=True)
class Row:
    """An annotation and its meaning."""

    name: str
    annotation: object
    legal: Callable[[Any], bool]
    at: Reading | None = None  # what a scope gives; None: any legal values, at least one
    finite: tuple[object, ...] | None = None  # all legal values, where they are few
    # Others where containers are hundreds at scope 4 (or too long at scope 2), or `at` lists what one scope has.
    scopes: tuple[int, ...] = (4, 2)
    names: tuple[str, ...] = ()  # a refusal names one of these; otherwise the name of the row
    must_refuse: frozenset[str] = frozenset()  # doors that refuse it; all others give its values
    skip: frozenset[str] = frozenset()  # doors for which the row means nothing
    open: bool = False  # Any and the like: what is passed instead has to be said
    text: str = "T"  # the annotation as it is written in a class; "" for none
    default: object = NO_DEFAULT
    companions: tuple[type, ...] = ()  # explored beside the class whose method takes the value
    same: Callable[[Any], object] = lambda value: value  # list or tuple for a Sequence: compared as one
    build: Callable[[Any], object] | None = None  # from data to the object, for classes; raises what it refuses
    rules: dict[str, Callable[[Any], bool]] = field(default_factory=dict)  # what breaks each; or it is named
    unclear: tuple[object, ...] = ()  # legal or not: opinions differ
    equal_twins: bool = False  # a field with a default: absent and present may make equal objects
    countable: bool = True  # as many states as values: no sharing, no order of keys
    heap_at: Reading | None = None  # where structures hold more than constructors build

    def as_field(self) -> bool:
        """Return whether the annotation means something only where it is written, not as an object."""
        return self.text != "T" or self.default is not NO_DEFAULT


def is_int(value: object) -> bool:
    return type(value) is int


def is_float(value: object) -> bool:
    return type(value) is float


def is_str(value: object) -> bool:
    return type(value) is str


def is_bool(value: object) -> bool:
    return type(value) is bool


def is_json(value: object) -> bool:
    if type(value) is list:
        return all(map(is_json, value))
    if type(value) is dict:
        return all(is_str(key) and is_json(item) for key, item in value.items())
    return value is None or type(value) in (bool, int, float, str)


def list_of(item: Callable[[Any], bool], least: int = 0, most: float = math.inf) -> Callable[[Any], bool]:
    return lambda v: type(v) is list and least <= len(v) <= most and all(map(item, v))


def within(low: float, high: float) -> Callable[[Any], bool]:
    return lambda v: is_int(v) and low <= v <= high


def below(low: float) -> dict[str, Callable[[Any], bool]]:
    return {f">= {low}": lambda v: is_int(v) and v < low}


def above(high: float) -> dict[str, Callable[[Any], bool]]:
    return {f"<= {high}": lambda v: is_int(v) and v > high}


BOOLS = constants(False, True)
UserId = NewType("UserId", int)
Percent = NewType("Percent", Annotated[int, at.Ge(0), at.Le(2)])  # type: ignore[valid-newtype]
UserName = NewType("UserName", UserId)  # type: ignore[valid-newtype]
Open = TypeVar("Open")
Key = TypeVar("Key")
Bound = TypeVar("Bound", bound=int)
Constrained = TypeVar("Constrained", int, str)
Digit = typing_extensions.TypeAliasType("Digit", Annotated[int, at.Interval(ge=0, le=1)])
Tree = typing_extensions.TypeAliasType("Tree", "list[Tree]")

NUMBERS = [
    Row("int", int, is_int, ints()),
    Row("float", float, is_float, floats()),
    Row("complex", complex, lambda v: type(v) is complex, complexes, names=("complex",), must_refuse=INVALID),
    Row("str", str, is_str, texts()),
    Row("bytes", bytes, lambda v: type(v) is bytes, octets()),
    Row("bool", bool, is_bool, BOOLS, finite=(False, True)),
    Row("None", None, lambda v: v is None, constants(None), finite=(None,)),
    Row("NoneType", type(None), lambda v: v is None, constants(None), finite=(None,)),
    Row(
        "int Ge(0) Le(1)",
        Annotated[int, at.Ge(0), at.Le(1)],
        within(0, 1),
        ints(within(0, 1)),
        finite=(0, 1),
        rules=below(0) | above(1),
    ),
    Row(
        "int Le(1) Ge(0), the other way round",
        Annotated[int, at.Le(1), at.Ge(0)],
        within(0, 1),
        ints(within(0, 1)),
        finite=(0, 1),
    ),
    Row(
        "int Interval(-1, 1)",
        Annotated[int, at.Interval(ge=-1, le=1)],
        within(-1, 1),
        ints(within(-1, 1)),
        finite=(0, 1, -1),
        rules=below(-1) | above(1),
    ),
    Row(
        "int Gt(0) Lt(3)",
        Annotated[int, at.Gt(0), at.Lt(3)],
        within(1, 2),
        ints(within(1, 2)),
        finite=(1, 2),
        rules={"> 0": lambda v: is_int(v) and v <= 0, "< 3": lambda v: is_int(v) and v >= 3},
    ),
    Row("int Interval(gt=-1, lt=1)", Annotated[int, at.Interval(gt=-1, lt=1)], within(0, 0), constants(0), finite=(0,)),
    Row("int Ge(10)", Annotated[int, at.Ge(10)], within(10, math.inf), ints(within(10, math.inf)), rules=below(10)),
    Row("int Le(-5)", Annotated[int, at.Le(-5)], within(-math.inf, -5), ints(within(-math.inf, -5)), rules=above(-5)),
    Row("int Ge(-2)", Annotated[int, at.Ge(-2)], within(-2, math.inf), ints(within(-2, math.inf))),
    Row(
        "int Ge(0.5), a bound that is no int",
        Annotated[int, at.Ge(0.5), at.Le(2.5)],
        within(1, 2),
        ints(within(1, 2)),
        finite=(1, 2),
        names=("0.5", "2.5"),
    ),
    Row(
        "int Ge(3) Le(2), nothing",
        Annotated[int, at.Ge(3), at.Le(2)],
        lambda v: False,
        names=(">= 3", "<= 2", "3", "contradict"),
        must_refuse=EVERY - INVALID | INVALID,
    ),
    Row(
        "int MultipleOf(2)",
        Annotated[int, at.MultipleOf(2)],
        lambda v: is_int(v) and v % 2 == 0,
        ints(is_even),
        rules={"multiple": lambda v: is_int(v) and v % 2 == 1},
    ),
    Row(
        "int MultipleOf(5) Interval(1, 12)",
        Annotated[int, at.MultipleOf(5), at.Interval(ge=1, le=12)],
        lambda v: is_int(v) and v in (5, 10),
        constants(5, 10),
        finite=(5, 10),
    ),
    Row(
        "int Predicate(is_even)",
        Annotated[int, at.Predicate(is_even)],
        lambda v: is_int(v) and v % 2 == 0,
        ints(is_even),
        rules={"is_even": lambda v: is_int(v) and v % 2 == 1},
    ),
    Row(
        "int Predicate(is_prime)",
        Annotated[int, at.Predicate(is_prime)],
        lambda v: is_int(v) and is_prime(v),
        ints(lambda v: v < 50 and is_prime(v)),  # type: ignore[operator, arg-type]
    ),
    Row(
        "int Predicate(lambda)",
        Annotated[int, at.Predicate(lambda n: n in (3, 7)), at.Ge(0), at.Le(9)],
        lambda v: is_int(v) and v in (3, 7),
        constants(3, 7),
        scopes=(2, 4),
        finite=(3, 7),
    ),
    Row(
        "int Predicate(is_never)",
        Annotated[int, at.Predicate(is_never)],
        lambda v: False,
        names=("is_never",),
        must_refuse=SCOPE | {"generate", "inputs"} | INVALID,
    ),
    Row(
        "int Predicate(Not(is_even))",
        Annotated[int, at.Predicate(at.Not(is_even))],
        lambda v: is_int(v) and v % 2 == 1,
        ints(lambda v: v % 2 == 1),  # type: ignore[operator]
    ),
    Row(
        "int nested Annotated",
        Annotated[Annotated[int, at.Ge(0)], at.Le(2)],
        within(0, 2),
        ints(within(0, 2)),
        finite=(0, 1, 2),
        rules=below(0) | above(2),
    ),
    Row("int, twice Ge", Annotated[Annotated[int, at.Ge(0)], at.Ge(2)], within(2, math.inf), ints(within(2, math.inf))),
    Row("int with a remark", Annotated[int, "in metres"], is_int, ints()),
    Row("int with Doc", Annotated[int, typing_extensions.Doc("how many")], is_int, ints()),
    Row("int with Unit", Annotated[int, at.Unit("m")], is_int, ints()),
    Row("int with an object", Annotated[int, object(), {"unit": "m"}], is_int, ints()),
    Row("int Field(description)", Annotated[int, pydantic.Field(description="how many")], is_int, ints()),
    Row(
        "int Field(ge, le)",
        Annotated[int, pydantic.Field(ge=0, le=1)],
        within(0, 1),
        ints(within(0, 1)),
        finite=(0, 1),
        rules=below(0) | above(1),
    ),
    Row(
        "int Field(multiple_of, gt, lt)",
        Annotated[int, pydantic.Field(multiple_of=3, gt=0, lt=10)],
        lambda v: is_int(v) and v in (3, 6, 9),
        ints(lambda v: v in (3, 6, 9)),
        finite=(3, 6, 9),
    ),
    Row("int Strict", Annotated[int, pydantic.Strict()], is_int, ints()),
    Row("conint(ge=0, le=1)", pydantic.conint(ge=0, le=1), within(0, 1), ints(within(0, 1)), finite=(0, 1)),
    Row(
        "PositiveInt",
        pydantic.PositiveInt,
        within(1, math.inf),
        ints(within(1, math.inf)),
        rules={"> 0": lambda v: is_int(v) and v <= 0},
    ),
    Row("NonNegativeInt", pydantic.NonNegativeInt, within(0, math.inf), ints(), rules=below(0)),
    Row("NegativeInt", pydantic.NegativeInt, within(-math.inf, -1), ints(within(-math.inf, -1))),
    Row("NewType int", UserId, is_int, ints()),
    Row("NewType over NewType", UserName, is_int, ints()),
    Row(
        "NewType over Annotated", Percent, within(0, 2), ints(within(0, 2)), finite=(0, 1, 2), rules=below(0) | above(2)
    ),
    Row(
        "Annotated over NewType", Annotated[UserId, at.Ge(1), at.Le(2)], within(1, 2), ints(within(1, 2)), finite=(1, 2)
    ),
    Row("alias of Annotated", Digit, within(0, 1), ints(within(0, 1)), finite=(0, 1)),
    Row(
        "float Ge(0) Le(1)",
        Annotated[float, at.Ge(0), at.Le(1)],
        lambda v: is_float(v) and 0 <= v <= 1,
        floats(lambda v: 0 <= v <= 1),  # type: ignore[operator]
        rules={">= 0": lambda v: is_float(v) and v < 0, "<= 1": lambda v: is_float(v) and v > 1},
    ),
    Row(
        "float Gt(0) Lt(1)",
        Annotated[float, at.Gt(0), at.Lt(1)],
        lambda v: is_float(v) and 0 < v < 1,
        floats(lambda v: 0 < v < 1),  # type: ignore[operator]
    ),
    Row(
        "float between hundredths",
        Annotated[float, at.Ge(0.5), at.Le(0.52)],
        lambda v: is_float(v) and 0.5 <= v <= 0.52,
        floats(lambda v: 0.5 <= v <= 0.52),  # type: ignore[operator]
    ),
    Row(
        "float between thousandths",
        Annotated[float, at.Interval(ge=0.001, le=0.003)],
        lambda v: is_float(v) and 0.001 <= v <= 0.003,
        floats(lambda v: 0.001 <= v <= 0.003, places=3),  # type: ignore[operator]
    ),
    Row("float Lt(0)", Annotated[float, at.Lt(0)], lambda v: is_float(v) and v < 0, floats(lambda v: v < 0)),  # type: ignore[operator]
    Row(
        "float MultipleOf(0.5)",
        Annotated[float, at.MultipleOf(0.5), at.Ge(0), at.Le(1)],
        lambda v: is_float(v) and v in (0.0, 0.5, 1.0),
        floats(lambda v: v in (0.0, 0.5, 1.0)),
        finite=(0.0, 0.5, 1.0),
    ),
    Row("IsFinite float", at.IsFinite[float], lambda v: is_float(v) and math.isfinite(v), floats()),
    Row("IsNotNan float", at.IsNotNan[float], lambda v: is_float(v) and not math.isnan(v), floats()),
    Row(
        "IsNan float",
        at.IsNan[float],
        lambda v: is_float(v) and math.isnan(v),
        names=("isnan", "IsNan", "nan"),
        must_refuse=EVERY,
    ),
    Row("PositiveFloat", pydantic.PositiveFloat, lambda v: is_float(v) and v > 0, floats(lambda v: v > 0)),  # type: ignore[operator]
    Row("unlike.Int in Annotated", Annotated[int, unlike.Int(0, 1)], within(0, 1), ints(within(0, 1)), finite=(0, 1)),
    Row("unlike.Int", unlike.Int(0, 1), within(0, 1), ints(within(0, 1)), finite=(0, 1)),
    Row("unlike.Int(5, 6)", unlike.Int(5, 6), within(5, 6), ints(within(5, 6)), finite=(5, 6)),
    Row("unlike.Bool", unlike.Bool(), is_bool, BOOLS, finite=(False, True)),
    Row("unlike.OneOf", unlike.OneOf("p", "q"), lambda v: v in ("p", "q"), constants("p", "q"), finite=("p", "q")),
    Row(
        "unlike.Option",
        unlike.Option(unlike.Int(0, 1)),
        lambda v: v is None or within(0, 1)(v),
        constants(0, 1, None),
        finite=(None, 0, 1),
    ),
]


def matches(pattern: str) -> Callable[[Any], bool]:
    return lambda v: is_str(v) and re.fullmatch(pattern, v) is not None


AB = matches("[ab]{1,2}")
ABS = ("a", "b", "aa", "ab", "ba", "bb")
LENGTH_1 = {"length": lambda v: is_str(v) and len(v) > 1}

TEXTS = [
    Row(
        "str MinLen(2)", Annotated[str, at.MinLen(2)], lambda v: is_str(v) and len(v) >= 2, texts(lambda v: len(v) >= 2)
    ),  # type: ignore[arg-type]
    Row("str MaxLen(0)", Annotated[str, at.MaxLen(0)], lambda v: v == "", constants(""), finite=("",)),
    Row("str MaxLen(1)", Annotated[str, at.MaxLen(1)], lambda v: is_str(v) and len(v) <= 1, texts(), rules=LENGTH_1),
    Row(
        "str Len(1, 3)",
        Annotated[str, at.Len(1, 3)],
        lambda v: is_str(v) and 1 <= len(v) <= 3,
        texts(lambda v: len(v) >= 1),  # type: ignore[arg-type]
        rules={"length at least": lambda v: v == "", "length at most": lambda v: is_str(v) and len(v) > 3},
    ),
    Row(
        "str Matching([ab]{1,2})",
        Annotated[str, unlike.Matching("[ab]{1,2}")],
        AB,
        texts(AB, "ab"),
        finite=ABS,
        rules={"pattern": lambda v: is_str(v) and not AB(v)},
    ),
    Row("str Field(pattern)", Annotated[str, pydantic.Field(pattern=r"^[ab]{1,2}$")], AB, texts(AB, "ab"), finite=ABS),
    Row(
        "str Field(pattern, max_length)",
        Annotated[str, pydantic.Field(pattern=r"^x+$", max_length=3)],
        matches("x{1,3}"),
        texts(matches("x{1,3}"), "x", 3),
        finite=("x", "xx", "xxx"),
    ),
    Row(
        "str Field(min_length, max_length)",
        Annotated[str, pydantic.Field(min_length=1, max_length=2)],
        lambda v: is_str(v) and 1 <= len(v) <= 2,
        texts(lambda v: len(v) >= 1),  # type: ignore[arg-type]
    ),
    Row(
        "constr(pattern)",
        pydantic.constr(pattern=r"^[A-Z]{2}$"),
        matches("[A-Z]{2}"),
        texts(matches("[A-Z]{2}"), "ABCDEF"),
    ),
    Row(
        "constr(min_length=3)",
        pydantic.constr(min_length=3, max_length=3),
        matches("(?s:...)"),
        texts(matches("..."), "abcd", 3),
    ),
    Row(
        "constr(to_upper)",
        pydantic.constr(to_upper=True, min_length=1),
        lambda v: is_str(v) and bool(v) and v == v.upper(),
        names=("to_upper", "upper"),
        must_refuse=EVERY,
    ),
    Row(
        "LowerCase str",
        at.LowerCase[str],
        lambda v: is_str(v) and v.islower(),
        texts(str.islower),
        rules={"islower": lambda v: is_str(v) and not v.islower()},
    ),  # type: ignore[arg-type]
    Row("UpperCase str", at.UpperCase[str], lambda v: is_str(v) and v.isupper(), texts(str.isupper)),  # type: ignore[arg-type]
    Row("IsDigit str", at.IsDigits[str], lambda v: is_str(v) and v.isdigit(), texts(str.isdigit)),  # type: ignore[arg-type]
    Row(
        "str Predicate, no vowel",
        Annotated[str, at.Predicate(lambda s: s not in ("a", "c"))],
        lambda v: is_str(v) and v not in ("a", "c"),
        texts(lambda v: v not in ("a", "c")),
    ),
    Row(
        "bytes MinLen(1) MaxLen(1)",
        Annotated[bytes, at.Len(1, 1)],
        lambda v: type(v) is bytes and len(v) == 1,
        octets(lambda v: len(v) == 1),
    ),  # type: ignore[arg-type]
    Row(
        "bytes MinLen(2)",
        Annotated[bytes, at.MinLen(2)],
        lambda v: type(v) is bytes and len(v) >= 2,
        octets(lambda v: len(v) >= 2),
    ),  # type: ignore[arg-type]
    Row("str with a remark", Annotated[str, "the name"], is_str, texts()),
    Row("unlike.Str", unlike.Str("[ab]"), lambda v: v in ("a", "b"), constants("a", "b"), finite=("a", "b")),
    Row(
        "EmailStr",
        pydantic.EmailStr,
        lambda v: is_str(v) and "@" in v,
        names=("EmailStr",),
        must_refuse=SCOPE,
    ),
    Row("HttpUrl", pydantic.HttpUrl, lambda v: isinstance(v, pydantic.HttpUrl), names=("HttpUrl",), must_refuse=SCOPE),
    Row(
        "SecretStr",
        pydantic.SecretStr,
        lambda v: isinstance(v, pydantic.SecretStr),
        equal_twins=True,  # their texts do not tell them apart
        names=("SecretStr",),
        must_refuse=SCOPE,
    ),
]

CHOICES = [
    Row("Literal", Literal["x", "y"], lambda v: v in ("x", "y"), constants("x", "y"), finite=("x", "y")),
    Row("Literal of one", Literal[7], lambda v: is_int(v) and v == 7, constants(7), finite=(7,)),
    Row(
        "Literal[1, True]",
        Literal[1, True],
        lambda v: type(v) in (int, bool) and v == 1,
        constants(1, True),
        finite=(1, True),
    ),
    Row(
        "Literal[0, 1, 2, 3, 4, 5]",
        Literal[0, 1, 2, 3, 4, 5],
        within(0, 5),
        constants(*range(6)),
        finite=tuple(range(6)),
    ),
    Row(
        "Literal of kinds",
        Literal[None, b"z", "z", 0, False, Color.RED],
        lambda v: v is None or v is Color.RED or (type(v) in (bytes, str, int, bool) and v in (b"z", "z", 0)),
        constants(None, b"z", "z", 0, False, Color.RED),
        finite=(None, b"z", "z", 0, False, Color.RED),
    ),
    Row(
        "Literal in Literal",
        Literal["p", "q", "p"],
        lambda v: v in ("p", "q"),
        constants("p", "q"),
        finite=("p", "q"),
    ),
    Row("Enum", Color, lambda v: type(v) is Color, members(Color), finite=tuple(Color)),
    Row("Enum of seven", Many, lambda v: type(v) is Many, members(Many), finite=tuple(Many)),
    Row("IntEnum", Level, lambda v: type(v) is Level, members(Level), finite=tuple(Level)),
    Row("StrEnum", Mood, lambda v: type(v) is Mood, members(Mood), finite=tuple(Mood)),
    Row(
        "Flag",
        Right,
        lambda v: type(v) is Right,
        combinations(Right),
        finite=(Right(0), *Right, Right.READ | Right.WRITE),
    ),
    Row(
        "IntFlag",
        Bits,
        lambda v: type(v) is Bits,
        combinations(Bits),
        finite=(Bits(0), *Bits, Bits.X | Bits.Y),
        unclear=tuple(Bits(n) for n in (2, 3, 6, 7)),
    ),
    Row("Optional[int]", Optional[int], lambda v: v is None or is_int(v), either(constants(None), ints())),
    Row(
        "bool | None",
        bool | None,
        lambda v: v is None or is_bool(v),
        constants(None, False, True),
        finite=(None, False, True),
    ),
    Row("int | str", int | str, lambda v: is_int(v) or is_str(v), either(ints(), texts())),
    Row("Union[bool, int]", Union[bool, int], lambda v: is_bool(v) or is_int(v), either(BOOLS, ints())),
    Row(
        "Union of Annotated",
        Union[Annotated[int, at.Ge(5), at.Le(6)], Annotated[str, at.MaxLen(0)]],
        lambda v: v == "" or within(5, 6)(v),
        constants(5, 6, ""),
        finite=(5, 6, ""),
    ),
    Row(
        "int | float under Ge(0) Le(1)",
        Annotated[int | float, at.Ge(0), at.Le(1)],
        lambda v: type(v) in (int, float) and 0 <= v <= 1,
        either(constants(0, 1), floats(lambda v: 0 <= v <= 1)),  # type: ignore[operator]
        scopes=(4,),
    ),
    Row(
        "Optional under Ge(0) Le(1)",
        Annotated[Optional[int], at.Ge(0), at.Le(1)],
        lambda v: within(0, 1)(v),
        ints(within(0, 1)),
        unclear=(None,),
        names=(">= 0", "<= 1", "Ge", "None"),
    ),
    Row(
        "Literal | Enum",
        Literal["x"] | Color,
        lambda v: v == "x" or type(v) is Color,
        constants("x", *Color),
        finite=("x", *Color),
    ),
    Row(
        "Annotated[Literal] with a remark",
        Annotated[Literal["x", "y"], "which"],
        lambda v: v in ("x", "y"),
        constants("x", "y"),
        finite=("x", "y"),
    ),
    Row(
        "Literal under a Predicate",
        Annotated[Literal[1, 2, 3, 4], at.Predicate(is_even)],
        lambda v: is_int(v) and v in (2, 4),
        constants(2, 4),
        finite=(2, 4),
    ),
    Row(
        "Enum under a Predicate",
        Annotated[Color, at.Predicate(lambda c: c is Color.RED)],
        lambda v: v is Color.RED,
        constants(Color.RED),
        finite=(Color.RED,),
    ),
    Row(
        "str | bytes | None",
        str | bytes | None,
        lambda v: v is None or type(v) in (str, bytes),
        either(constants(None), texts(), octets()),
    ),
]


def is_set(
    item: Callable[[Any], bool], kinds: tuple[type, ...] = (set,), least: int = 0, most: float = math.inf
) -> Callable[[Any], bool]:
    return lambda v: type(v) in kinds and least <= len(v) <= most and all(map(item, v))


def is_dict(
    key: Callable[[Any], bool], item: Callable[[Any], bool], least: int = 0, most: float = math.inf
) -> Callable[[Any], bool]:
    return lambda v: type(v) is dict and least <= len(v) <= most and all(key(k) and item(x) for k, x in v.items())


def is_tuple(*items: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda v: (
        type(v) is tuple and len(v) == len(items) and all(item(x) for item, x in zip(items, v, strict=True))
    )


def sequence_of_bools(value: Any) -> bool:
    return type(value) in (list, tuple, set, frozenset) and all(map(is_bool, value))


def as_list(value: Any) -> object:
    return list(value) if isinstance(value, list | tuple) else value


def as_set(value: Any) -> object:
    return set(value) if isinstance(value, frozenset) else value


DIGITS = ints(within(0, 1))
IS_DIGIT = within(0, 1)
Small01 = Annotated[int, at.Ge(0), at.Le(1)]
TWICE = frozenset({"structures", "fields", "compare"})

CONTAINERS = [
    Row("list[int]", list[int], list_of(is_int), lists(ints()), scopes=(3, 2)),
    Row("List[bool]", List[bool], list_of(is_bool), lists(BOOLS)),
    Row("Sequence[bool]", abc.Sequence[bool], sequence_of_bools, lists(BOOLS), same=as_list),
    Row("typing.Sequence[bool]", typing.Sequence[bool], sequence_of_bools, lists(BOOLS), same=as_list),
    Row("Iterable[bool]", abc.Iterable[bool], sequence_of_bools, lists(BOOLS), same=as_list),
    Row("Collection[bool]", abc.Collection[bool], sequence_of_bools, lists(BOOLS), same=as_list),
    Row("MutableSequence[bool]", abc.MutableSequence[bool], list_of(is_bool), lists(BOOLS)),
    Row("set[int]", set[int], is_set(is_int), sets(ints())),
    Row("Set[bool] of typing", Set[bool], is_set(is_bool), sets(BOOLS), finite=(set(), {False}, {True}, {False, True})),
    Row("frozenset[str]", frozenset[str], is_set(is_str, (frozenset,)), sets(texts(), make=frozenset)),
    Row("FrozenSet[bool]", FrozenSet[bool], is_set(is_bool, (frozenset,)), sets(BOOLS, make=frozenset)),
    Row("abstract Set[bool]", abc.Set[bool], is_set(is_bool, (set, frozenset)), sets(BOOLS), same=as_set),
    Row(
        "AbstractSet[Color]",
        typing.AbstractSet[Color],
        is_set(lambda v: type(v) is Color, (set, frozenset)),
        sets(members(Color)),
        same=as_set,
    ),
    Row(
        "dict[str, int]", dict[str, int], is_dict(is_str, is_int), dicts(texts(), ints()), scopes=(2,), countable=False
    ),
    Row("Dict[bool, bool]", Dict[bool, bool], is_dict(is_bool, is_bool), dicts(BOOLS, BOOLS), countable=False),
    Row(
        "Mapping[Color, bool]",
        abc.Mapping[Color, bool],
        is_dict(lambda v: type(v) is Color, is_bool),
        dicts(members(Color), BOOLS),
        countable=False,
    ),
    Row(
        "MutableMapping[str, bool]",
        abc.MutableMapping[str, bool],
        is_dict(is_str, is_bool),
        dicts(texts(), BOOLS),
        scopes=(2,),
        countable=False,
    ),
    Row("tuple[int, bool]", tuple[int, bool], is_tuple(is_int, is_bool), tuples_of(ints(), BOOLS)),
    Row(
        "Tuple[bool, None]",
        Tuple[bool, None],
        is_tuple(is_bool, lambda v: v is None),
        tuples_of(BOOLS, constants(None)),
        finite=((False, None), (True, None)),
    ),
    Row(
        "tuple[int, int, int]",
        tuple[int, int, int],
        is_tuple(is_int, is_int, is_int),
        tuples_of(ints(), ints(), ints()),
        scopes=(4, 3),  # at scope 2 a tuple of three elements is one too many
    ),
    Row("tuple[bool, ...]", tuple[bool, ...], lambda v: type(v) is tuple and all(map(is_bool, v)), tuples(BOOLS)),
    Row("tuple[()]", tuple[()], lambda v: v == () and type(v) is tuple, constants(()), finite=((),)),
    Row(
        "tuple[int, *tuple[str, ...]]",
        tuple[int, *tuple[str, ...]],
        lambda v: type(v) is tuple and len(v) >= 1 and is_int(v[0]) and all(map(is_str, v[1:])),
        tuples(texts(), first=ints()),
        scopes=(2, 3),
        names=("tuple[int, *tuple[str, ...]]", "*tuple", "Unpack"),
        must_refuse=MAKE | HEAP,
    ),
    Row("list", list, lambda v: type(v) is list, lists(ints()), open=True, scopes=(2,)),
    Row("List", List, lambda v: type(v) is list, lists(ints()), open=True, scopes=(2,)),
    Row("dict", dict, lambda v: type(v) is dict, dicts(ints(), ints()), scopes=(2,), open=True, countable=False),
    Row("tuple", tuple, lambda v: type(v) is tuple, tuples(ints()), scopes=(2, 3), open=True),
    Row("set", set, lambda v: type(v) is set, sets(ints()), open=True),
    Row("frozenset", frozenset, lambda v: type(v) is frozenset, sets(ints(), make=frozenset), open=True),
    Row("list[Any]", list[Any], lambda v: type(v) is list, lists(ints()), open=True, scopes=(2, 3)),
    Row(
        "dict[str, Any]",
        dict[str, Any],
        is_dict(is_str, lambda v: True),
        dicts(texts(), ints()),
        open=True,
        scopes=(2,),
        countable=False,
    ),
    Row(
        "set[list[int]]",
        set[list[int]],
        lambda v: False,
        scopes=(2,),
        names=("list[int]", "hash"),
        must_refuse=EVERY,
    ),
    Row(
        "dict[list[int], int]",
        dict[list[int], int],
        lambda v: False,
        scopes=(2,),
        names=("list[int]", "hash"),
        must_refuse=EVERY,
    ),
    Row(
        "set[dict[str, int]]",
        set[dict[str, int]],
        lambda v: False,
        scopes=(1,),
        names=("dict[str, int]", "hash"),
        must_refuse=EVERY,
    ),
    Row(
        "set[tuple[bool, bool]]",
        set[tuple[bool, bool]],
        is_set(is_tuple(is_bool, is_bool)),
        sets(tuples_of(BOOLS, BOOLS)),
        scopes=(2, 4),
    ),
    Row(
        "list MinLen(1) MaxLen(2)",
        Annotated[list[bool], at.MinLen(1), at.MaxLen(2)],
        list_of(is_bool, 1, 2),
        lists(BOOLS, 1, 2),
        finite=([False], [True], [False, False], [False, True], [True, False], [True, True]),
        rules={"length at least": lambda v: v == [], "length at most": lambda v: type(v) is list and len(v) > 2},
    ),
    Row("list Len(2, 2)", Annotated[list[int], at.Len(2, 2)], list_of(is_int, 2, 2), lists(ints(), 2, 2)),
    Row(
        "list Field(min_length=1)",
        Annotated[list[bool], pydantic.Field(min_length=1)],
        list_of(is_bool, 1),
        lists(BOOLS, 1),
    ),
    Row(
        "conlist",
        pydantic.conlist(bool, min_length=1, max_length=1),
        list_of(is_bool, 1, 1),
        lists(BOOLS, 1, 1),
        finite=([False], [True]),
    ),
    Row(
        "list MinLen(3), too long for scope 2",
        Annotated[list[bool], at.MinLen(3)],
        list_of(is_bool, 3),
        lists(BOOLS, 3),
        names=("at least 3", ">= 3", "MinLen", "length 3", "3"),
    ),
    Row(
        "list MaxLen(0)",
        Annotated[list[int], at.MaxLen(0)],
        lambda v: v == [] and type(v) is list,
        constants([]),
        finite=([],),
    ),
    Row(
        "set MinLen(1)",
        Annotated[set[int], at.MinLen(1)],
        is_set(is_int, least=1),
        sets(ints(), 1),
        names=("length", "MinLen", "at least 1", ">= 1"),
        must_refuse=TWICE,
    ),
    Row(
        "set MaxLen(1)",
        Annotated[set[Small01], at.MaxLen(1)],
        is_set(IS_DIGIT, most=1),
        sets(DIGITS, 0, 1),
        finite=(set(), {0}, {1}),
    ),
    Row(
        "frozenset Len(2, 2)",
        Annotated[frozenset[bool], at.Len(2, 2)],
        is_set(is_bool, (frozenset,), 2, 2),
        sets(BOOLS, 2, 2, frozenset),
        finite=(frozenset({False, True}),),
        names=("length", "Len", "at least 2", ">= 2"),
        must_refuse=TWICE,
    ),
    Row(
        "set of two bools with three members",
        Annotated[set[bool], at.MinLen(3)],
        lambda v: False,
        names=("length", "MinLen", "at least 3", ">= 3", "3"),
        must_refuse=EVERY - INVALID | INVALID,
    ),
    Row(
        "dict MinLen(1)",
        Annotated[dict[bool, bool], at.MinLen(1)],
        is_dict(is_bool, is_bool, 1),
        dicts(BOOLS, BOOLS, 1),
        names=("length", "MinLen", "at least 1", ">= 1"),
        must_refuse=TWICE,
        countable=False,
    ),
    Row(
        "dict MaxLen(1)",
        Annotated[dict[str, bool], at.MaxLen(1)],
        is_dict(is_str, is_bool, most=1),
        dicts(texts(), BOOLS, 0, 1),
    ),
    Row(
        "tuple[bool, ...] Len(1, 2)",
        Annotated[tuple[bool, ...], at.Len(1, 2)],
        lambda v: type(v) is tuple and 1 <= len(v) <= 2 and all(map(is_bool, v)),
        tuples(BOOLS, 1, 2),
        scopes=(4, 2),
    ),
    Row(
        "list Predicate(is_sorted)",
        Annotated[list[Small01], at.Predicate(is_sorted)],
        lambda v: list_of(IS_DIGIT)(v) and is_sorted(v),
        lists(DIGITS),
        names=("is_sorted",),
        must_refuse=TWICE,
    ),
    Row(
        "list of bounded",
        list[Small01],
        list_of(IS_DIGIT),
        lists(DIGITS),
        rules={">= 0": lambda v: type(v) is list and any(is_int(x) and x < 0 for x in v)},
    ),
    Row(
        "list of NewType over Annotated", list[Percent], list_of(within(0, 2)), lists(ints(within(0, 2))), scopes=(3, 2)
    ),
    Row(
        "list of even",
        list[Annotated[int, at.Predicate(is_even)]],
        list_of(lambda v: is_int(v) and v % 2 == 0),
        lists(ints(is_even)),
        scopes=(2, 3),
    ),
    Row("list[Literal]", list[Literal["x", "y"]], list_of(lambda v: v in ("x", "y")), lists(constants("x", "y"))),
    Row("list[Color]", list[Color], list_of(lambda v: type(v) is Color), lists(members(Color))),
    Row(
        "list[bool | None]",
        list[bool | None],
        list_of(lambda v: v is None or is_bool(v)),
        lists(constants(None, False, True)),
        scopes=(3, 2),
    ),
    Row(
        "list of Matching",
        list[Annotated[str, unlike.Matching("[ab]{1,2}")]],
        list_of(AB),
        lists(constants("a", "b")),
        scopes=(2,),
    ),
    Row(
        "list[list[bool]]",
        list[list[bool]],
        list_of(list_of(is_bool)),
        lists(lists(BOOLS)),
        scopes=(2,),
        countable=False,
    ),
    Row(
        "tuple[list[bool], bool]",
        tuple[list[bool], bool],
        is_tuple(list_of(is_bool), is_bool),
        tuples_of(lists(BOOLS), BOOLS),
        scopes=(2,),
    ),
    Row(
        "dict of lists",
        dict[bool, list[bool]],
        is_dict(is_bool, list_of(is_bool)),
        dicts(BOOLS, lists(BOOLS)),
        scopes=(2,),
        countable=False,
    ),
    Row(
        "Optional of list",
        Optional[list[Small01]],
        lambda v: v is None or list_of(IS_DIGIT)(v),
        either(constants(None), lists(DIGITS)),
    ),
    Row(
        "list under Optional Len",
        Optional[Annotated[list[bool], at.Len(1, 1)]],
        lambda v: v is None or list_of(is_bool, 1, 1)(v),
        either(constants(None), lists(BOOLS, 1, 1)),
        finite=(None, [False], [True]),
    ),
    Row(
        "tuple with a bound",
        tuple[Small01, Literal["x"]],
        is_tuple(IS_DIGIT, lambda v: v == "x"),
        tuples_of(DIGITS, constants("x")),
        finite=((0, "x"), (1, "x")),
    ),
    Row(
        "dict[Literal, bounded]",
        dict[Literal["x"], Small01],
        is_dict(lambda v: v == "x", IS_DIGIT),
        dicts(constants("x"), DIGITS),
        finite=({}, {"x": 0}, {"x": 1}),
    ),
    Row(
        "unlike.List",
        unlike.List(unlike.Bool(), max_length=1),
        list_of(is_bool, 0, 1),
        lists(BOOLS, 0, 1),
        finite=([], [False], [True]),
    ),
    Row(
        "recursive alias",
        Tree,
        lambda v: type(v) is list and all(map(TREE_LEGAL, v)),
        names=("Tree", "recurs"),
        must_refuse=SCOPE,
        countable=False,
    ),
]


def TREE_LEGAL(value: Any) -> bool:  # noqa: N802
    return type(value) is list and all(map(TREE_LEGAL, value))


def holds(cls: type, **fields: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda v: type(v) is cls and all(legal(getattr(v, name)) for name, legal in fields.items())


def class_row(cls: Any, legal: Callable[[Any], bool], reading: Reading | None, **more: Any) -> Row:
    """Return the row of a class that can be explored beside another; alone it cannot be compared."""
    settings = {
        "name": getattr(cls, "__name__", ""),
        "companions": (cls,),
        "must_refuse": COMPARE,
        "names": (getattr(cls, "__name__", ""),),
        "build": lambda data: cls(**data),
        "countable": False,
        "scopes": (2,),
    }
    return Row(**(settings | {"annotation": cls, "legal": legal, "at": reading} | more))


def links(k: int) -> list[object]:
    """Return chains of at most k links, as constructors build them."""
    chains: list[object] = []
    ends: list[Link | None] = [None]
    for _ in range(k):
        ends = [Link(on, after) for after in ends for on in (False, True)]
        chains += ends
    return chains


def rings(k: int) -> list[object]:
    """Return chains and rings of at most k links: an invariant that says nothing accepts both."""
    found = links(k)
    for length in range(1, k + 1):
        for back in range(length):
            for number in range(2**length):
                chain = [Link(bool(number >> place & 1)) for place in range(length)]
                for link, after in zip(chain, [*chain[1:], chain[back]], strict=True):
                    link.after = after
                found.append(chain[0])
    return found


def is_chain(value: Any) -> bool:
    return type(value) is Link and is_bool(value.on) and (value.after is None or type(value.after) is Link)


IS_PIXEL = holds(Pixel, x=IS_DIGIT, on=is_bool)
PIXELS = objects(Pixel, x=DIGITS, on=BOOLS)
ALL_PIXELS = tuple(Pixel(x, on) for x in (0, 1) for on in (False, True))
READ_ALONE = CALL | COMPARE  # a class that nobody explores beside it: passed, or refused by name


class OwnText(str):
    """Text under a name of its own."""


class OwnDict(dict[Key, Open]):
    """A dict under a name of its own."""


def made_only(annotation: Any) -> Row:
    """Return the row of a class whose objects are made by calls, for verbs that make objects."""
    cls: type = typing.get_origin(annotation) or annotation
    names = (cls.__name__,)
    return Row(str(annotation), annotation, lambda v: isinstance(v, cls), names=names, must_refuse=SCOPE | INVALID)


def held_only(annotation: Any, heap_at: Reading) -> Row:
    """Return the row of a container of `collections`: also a field of a structure, but no argument of a call."""
    return replace(made_only(annotation), must_refuse=CALL | COMPARE | INVALID, heap_at=heap_at)


CLASSES = [
    class_row(Point, holds(Point, x=is_int, on=is_bool), objects(Point, x=ints(), on=BOOLS)),
    class_row(
        Point,
        holds(Point, x=is_int, on=is_bool),
        objects(Point, x=ints(), on=BOOLS),
        name="Point, explored alone",
        companions=(),
        must_refuse=READ_ALONE,
    ),
    class_row(Pixel, IS_PIXEL, PIXELS, finite=ALL_PIXELS),
    class_row(
        Slotted,
        holds(Slotted, x=within(10, 11)),
        objects(Slotted, x=constants(10, 11)),
        finite=(Slotted(10), Slotted(11)),
    ),
    class_row(
        Defaulted,
        lambda v: type(v) is Defaulted and IS_DIGIT(v.x) and (v.note is None or is_str(v.note)),
        objects(Defaulted, x=DIGITS, note=either(constants(None), texts())),
        equal_twins=True,
    ),
    class_row(Factory, holds(Factory, items=list_of(is_bool)), objects(Factory, items=lists(BOOLS)), equal_twins=True),
    class_row(
        Positive,
        lambda v: type(v) is Positive and within(1, math.inf)(v.x),
        None,
        skip=frozenset({"structures", "fields"}),  # what they accept is said by the invariant, not by the constructor
    ),
    class_row(
        Nested,
        lambda v: type(v) is Nested and IS_PIXEL(v.inner) and v.tag in ("a", "b"),
        objects(Nested, inner=PIXELS, tag=constants("a", "b")),
        companions=(Nested, Pixel),
        build=lambda d: Nested(**{**d, "inner": Pixel(**d["inner"])}),
    ),
    class_row(Fixed, holds(Fixed, x=is_bool), objects(Fixed, x=BOOLS), finite=(Fixed(False), Fixed(True))),
    class_row(
        Later,
        lambda v: type(v) is Later and type(v.value) is Below and is_bool(v.value.on),
        objects(Later, value=objects(Below, on=BOOLS)),
        finite=(Later(Below(False)), Later(Below(True))),
        companions=(Later, Below),
        build=lambda d: Later(Below(**d["value"])) if set(d) == {"value"} else Later(**d),
    ),
    # beside a class that can be made it is named in the status: test_a_companion_nobody_can_make_is_named
    class_row(Haunted, lambda v: False, None, names=("Ghost",), must_refuse=EVERY - CALL, skip=CALL),
    class_row(
        Link,
        lambda v: v is not None and is_chain(v),
        links,
        heap_at=rings,
        skip=COMPARE,  # structures hold rings, which no constructor builds: what is missing is the answer there
        scopes=(3, 2),
        equal_twins=True,
        build=None,
    ),
    class_row(
        Boxed[bool],
        lambda v: type(v) in (Boxed, Child) and is_bool(v.item),
        objects(Boxed, item=BOOLS),
        heap_at=either(objects(Boxed, item=BOOLS), objects(Child, item=BOOLS)),
        name="Boxed[bool]",
        names=("Boxed",),
        companions=(),
        must_refuse=READ_ALONE,
        finite=(Boxed(False), Boxed(True)),
        build=lambda d: Boxed(**d),
    ),
    class_row(
        Boxed[Small01],
        lambda v: type(v) is Boxed and IS_DIGIT(v.item),
        objects(Boxed, item=DIGITS),
        name="Boxed[bounded]",
        names=("Boxed",),
        companions=(),
        must_refuse=READ_ALONE,
        finite=(Boxed(0), Boxed(1)),
        build=lambda d: Boxed(**d),
    ),
    class_row(Child, holds(Child, item=is_bool), objects(Child, item=BOOLS), finite=(Child(False), Child(True))),
    class_row(Plain, holds(Plain, on=is_bool), objects(Plain, on=BOOLS), must_refuse=INVALID | COMPARE),
    class_row(
        Shape,
        lambda v: type(v) is Dot or holds(Square, big=is_bool)(v),
        either(constants(Dot()), objects(Square, big=BOOLS)),
        names=("Shape",),
        companions=(Square, Dot),
        must_refuse=INVALID | COMPARE,
        build=lambda d: Square(**d) if "big" in d else Dot(**d),
    ),
    Row("Protocol", Speaker, lambda v: False, names=("Speaker",), must_refuse=SCOPE | MAKE),
    class_row(
        list[Pixel],
        list_of(IS_PIXEL),
        lists(PIXELS),
        name="list[Pixel]",
        must_refuse=CALL | COMPARE,  # containers of objects that are found on the way are not made
        names=("Pixel",),
        companions=(Pixel,),
        scopes=(2,),
        build=lambda d: [Pixel(**x) for x in d],
    ),
    class_row(
        Optional[Pixel],
        lambda v: v is None or IS_PIXEL(v),
        either(constants(None), PIXELS),
        name="Optional[Pixel]",
        skip=COMPARE,  # it builds objects of one class alone, and says which others nobody can supply
        names=("Pixel",),
        companions=(Pixel,),
        finite=(None, *ALL_PIXELS),
        build=lambda d: Pixel(**d),
    ),
    class_row(
        set[Pixel],
        is_set(IS_PIXEL),
        sets(PIXELS),
        name="set[Pixel]",
        names=("Pixel",),
        companions=(Pixel,),
        scopes=(2,),
        must_refuse=HEAP | CALL,
        build=lambda d: {Pixel(**x) for x in d},
    ),
    class_row(
        Pixel | Color,
        lambda v: type(v) is Color or IS_PIXEL(v),
        either(PIXELS, members(Color)),
        name="Pixel | Color",
        skip=COMPARE,  # as above
        names=("Pixel",),
        companions=(Pixel,),
        finite=(*ALL_PIXELS, *Color),
        build=lambda d: Pixel(**d),
    ),
    class_row(
        Annotated[Pixel, "the cursor"],
        IS_PIXEL,
        PIXELS,
        name="Pixel with a remark",
        names=("Pixel",),
        companions=(Pixel,),
        finite=ALL_PIXELS,
        build=lambda d: Pixel(**d),
    ),
    class_row(
        Move,
        lambda v: type(v) is Move and IS_DIGIT(v.x) and is_bool(v.on),
        objects(Move, x=DIGITS, on=BOOLS),
        companions=(),
        must_refuse=frozenset(),
        countable=True,
        finite=tuple(Move(x, on) for x in (0, 1) for on in (False, True)),
        build=lambda d: Move(**d) if isinstance(d, dict) else Move(*d),
    ),
    class_row(
        Options,
        lambda v: type(v) is dict and set(v) <= {"x", "on"} and IS_DIGIT(v.get("x")) and is_bool(v.get("on", False)),
        lambda k: [{"x": x} | on for x in (0, 1) for on in ({}, {"on": False}, {"on": True})],
        companions=(),
        must_refuse=frozenset(),
        countable=True,
        finite=tuple({"x": x} | on for x in (0, 1) for on in ({}, {"on": False}, {"on": True})),
        build=None,
    ),  # type: ignore[operator]
    class_row(
        Partial,
        lambda v: type(v) is dict and set(v) <= {"on"} and is_bool(v.get("on", False)),
        constants({}, {"on": False}, {"on": True}),
        companions=(),
        must_refuse=frozenset(),
        countable=True,
        finite=({}, {"on": False}, {"on": True}),
        build=None,
    ),
    class_row(
        Order,
        lambda v: type(v) is Order and within(1, 2)(v.count) and is_bool(v.rush),
        objects(Order, count=constants(1, 2), rush=BOOLS),
        companions=(),
        must_refuse=SCOPE,
        finite=tuple(Order(count=c, rush=r) for c in (1, 2) for r in (False, True)),
        build=Order.model_validate,
    ),
    class_row(
        Checked,
        lambda v: type(v) is Checked and v.value in (0, 2, 4),
        objects(Checked, value=constants(0, 2, 4)),
        companions=(),
        must_refuse=SCOPE,
        scopes=(4,),
        finite=tuple(Checked(value=n) for n in (0, 2, 4)),
        build=Checked.model_validate,
    ),
    Row(
        "AfterValidator",
        Annotated[int, pydantic.AfterValidator(check_even)],
        lambda v: is_int(v) and v % 2 == 0,
        names=("AfterValidator", "check_even"),
        must_refuse=EVERY,
    ),
    Row(
        "BeforeValidator",
        Annotated[int, pydantic.BeforeValidator(check_even)],
        lambda v: is_int(v) and v % 2 == 0,
        names=("BeforeValidator", "check_even"),
        must_refuse=EVERY,
    ),
    class_row(
        AtLeast,
        holds(AtLeast, x=within(10, math.inf)),
        objects(AtLeast, x=ints(within(10, math.inf))),
        names=(">= 10", "AtLeast"),
    ),
    class_row(
        Below3,
        holds(Below3, x=within(0, 2)),
        objects(Below3, x=ints(within(0, 2))),
        finite=tuple(map(Below3, range(3))),
    ),
    class_row(
        Chosen,
        lambda v: type(v) is Chosen and is_int(v.x) and v.x in (1, 2, 5),
        objects(Chosen, x=constants(1, 2, 5)),
        scopes=(4,),
        finite=tuple(map(Chosen, (1, 2, 5))),
    ),
    class_row(
        Coded, holds(Coded, x=AB), objects(Coded, x=constants("a", "b")), scopes=(2,), finite=tuple(map(Coded, ABS))
    ),
    class_row(Sized, holds(Sized, x=list_of(is_bool, 1, 2)), objects(Sized, x=lists(BOOLS, 1, 2))),
    class_row(
        MaybeSmall,
        lambda v: type(v) is MaybeSmall and (v.x is None or IS_DIGIT(v.x)),
        objects(MaybeSmall, x=constants(None, 0, 1)),
        finite=tuple(map(MaybeSmall, (None, 0, 1))),
    ),
    class_row(JustInt, holds(JustInt, x=is_int), objects(JustInt, x=ints())),
    class_row(
        Odd,
        lambda v: type(v) is Odd and is_int(v.x) and v.x % 2 == 1,
        None,  # a function decides, which the constructor asks: of the ints of the scope some are refused
        names=("_check_odd", "Odd"),
        must_refuse=HEAP,
    ),  # type: ignore[operator]
    class_row(
        Small,
        holds(Small, x=IS_DIGIT),
        objects(Small, x=DIGITS),
        names=("small_only", "Small"),
        must_refuse=HEAP,
    ),
    class_row(
        Untyped,
        lambda v: type(v) is Untyped and v.x in ("p", "q"),
        objects(Untyped, x=constants("p", "q")),
        names=("Untyped",),
        must_refuse=COMPARE,
        finite=(Untyped("p"), Untyped("q")),
    ),
]

OPEN = [
    Row("Any", Any, is_json, ints(), open=True, must_refuse=INVALID),
    Row("object", object, is_json, ints(), open=True, must_refuse=INVALID),
    Row(
        "no annotation",
        None,
        is_json,
        ints(),
        open=True,
        text="",
        skip=frozenset({"generate", "invalid"}),  # they are given an annotation, and here is none
        must_refuse=frozenset({"inputs"}),
        names=("annotation", "annotated"),
    ),
    Row("TypeVar open", Open, is_json, ints(), open=True),
    Row("TypeVar bound=int", Bound, is_int, ints()),
    Row("TypeVar constrained", Constrained, lambda v: is_int(v) or is_str(v), either(ints(), texts())),
    Row("AnyStr", AnyStr, lambda v: is_str(v) or type(v) is bytes, either(texts(), octets())),
    Row("list[TypeVar bound]", list[Bound], list_of(is_int), lists(ints()), scopes=(2,)),  # type: ignore[valid-type]
    Row("Callable", Callable[[int], int], callable, names=("Callable",), must_refuse=SCOPE | INVALID),
    Row("bare Callable", typing.Callable, callable, names=("Callable",), must_refuse=SCOPE | INVALID),
    Row("type[Color]", type[Color], lambda v: v is Color, names=("type[", "Color"), must_refuse=SCOPE | INVALID),
    Row(
        "Never",
        Never,
        lambda v: False,
        names=("Never",),
        must_refuse=EVERY - INVALID | INVALID,
    ),
    Row(
        "NoReturn",
        typing.NoReturn,
        lambda v: False,
        names=("NoReturn", "Never"),
        must_refuse=EVERY - INVALID | INVALID,
    ),
    Row("date", datetime.date, lambda v: type(v) is datetime.date, names=("date",), must_refuse=SCOPE),
    Row("datetime", datetime.datetime, lambda v: type(v) is datetime.datetime, names=("datetime",), must_refuse=SCOPE),
    Row("Decimal", decimal.Decimal, lambda v: type(v) is decimal.Decimal, names=("Decimal",), must_refuse=SCOPE),
    Row(
        "Decimal Ge(1) Le(2)",
        Annotated[decimal.Decimal, at.Ge(1), at.Le(2)],
        lambda v: type(v) is decimal.Decimal and 1 <= v <= 2,
        names=("Decimal", ">= 1"),
        must_refuse=SCOPE,
    ),
    Row("UUID", uuid.UUID, lambda v: type(v) is uuid.UUID, names=("UUID",), must_refuse=SCOPE),
    Row("Path", pathlib.Path, lambda v: isinstance(v, pathlib.Path), names=("Path",), must_refuse=SCOPE),
    Row(
        "Iterator[int]",
        abc.Iterator[int],
        lambda v: isinstance(v, abc.Iterator),
        names=("Iterator",),
        must_refuse=SCOPE | INVALID,
    ),
    made_only(re.Pattern),
    made_only(fractions.Fraction),
    made_only(bytearray),
    made_only(range),
    made_only(zoneinfo.ZoneInfo),
    made_only(ipaddress.IPv4Network),
    held_only(collections.deque[bool], each_as(collections.deque, lists(BOOLS))),
    held_only(collections.Counter[str], each_as(collections.Counter, dicts(texts(), lambda k: list(range(k + 1))))),
    held_only(
        collections.defaultdict[str, bool],
        each_as(lambda items: collections.defaultdict(bool, items), dicts(texts(), BOOLS)),
    ),
    held_only(collections.OrderedDict[str, bool], in_every_order(dicts(texts(), BOOLS))),
    made_only(abc.Awaitable[bool]),
    made_only(Exception),
    made_only(OwnText),
    made_only(OwnDict[str, bool]),
]

WRITTEN = [
    Row("default 0, bounded", Small01, IS_DIGIT, DIGITS, finite=(0, 1), default=0, equal_twins=True),
    Row("default None, not said", bool, is_bool, BOOLS, default=None, unclear=(None,), equal_twins=True),
    Row(
        "default outside of the letters",
        str,
        is_str,
        texts(),
        default="guest",
        unclear=("guest",),
        equal_twins=True,
        scopes=(2,),
    ),
    Row(
        "default in a Literal",
        Literal["x", "y"],
        lambda v: v in ("x", "y"),
        constants("x", "y"),
        default="y",
        equal_twins=True,
        finite=("x", "y"),
    ),
    Row(
        "a name in quotes",
        None,
        IS_PIXEL,
        PIXELS,
        text='"Pixel"',
        companions=(Pixel,),
        finite=ALL_PIXELS,
        must_refuse=COMPARE,
        names=("Pixel",),
        build=lambda d: Pixel(**d),
        countable=False,
    ),
    Row("a bounded type in quotes", None, IS_DIGIT, DIGITS, text='"Annotated[int, at.Ge(0), at.Le(1)]"', finite=(0, 1)),
    Row(
        "quotes inside Optional",
        None,
        lambda v: v is None or is_bool(v),
        constants(None, False, True),
        text='Optional["bool"]',
        finite=(None, False, True),
    ),
    Row(
        "quotes inside list",
        None,
        list_of(IS_DIGIT, 1, 1),
        lists(DIGITS, 1, 1),
        text='Annotated[list["Small01"], at.Len(1, 1)]',
        finite=([0], [1]),
    ),
    Row(
        "a name that only type checkers know",
        None,
        lambda v: False,
        text='"Ghost"',
        names=("Ghost",),
        must_refuse=EVERY,
    ),
    Row(
        "list of what only type checkers know",
        None,
        lambda v: False,
        text='"list[Ghost] | None"',
        names=("Ghost",),
        must_refuse=EVERY,
    ),
    Row(
        "Final[bool]",
        Final[bool],
        is_bool,
        BOOLS,
        finite=(False, True),
        text="Final[bool]",
        names=("Final",),
    ),
]

ROWS = [*NUMBERS, *TEXTS, *CHOICES, *CONTAINERS, *CLASSES, *OPEN, *WRITTEN]
BY_NAME = {row.name: row for row in ROWS}
assert len(BY_NAME) == len(ROWS), "two rows have one name"
__all__ = ["BY_NAME", "DOORS", "NO_DEFAULT", "ROWS", "Row", "form"]
