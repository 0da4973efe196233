"""What a reading of types claims is so: nothing is counted twice, lost to rounding, ignored, or raised raw."""

import ast
import collections
import dataclasses
import datetime
import decimal
import enum
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, Literal, NamedTuple, Required

import annotated_types as at
import attrs
import pytest
import typing_extensions
from attrs.validators import (
    and_,
    deep_iterable,
    deep_mapping,
    ge,
    gt,
    in_,
    instance_of,
    le,
    lt,
    matches_re,
    max_len,
    min_len,
    not_,
    optional,
    or_,
)
from tests.types.annotation_reading import Reading, constants, dicts, either, form, ints, lists, sets, tuples, tuples_of

import unlike
from unlike.errors import ScopeError, UnlikeError
from unlike.field_exhaustive.fewest import fewest
from unlike.types.first_values import first_values
from unlike.types.leaves import LEAVES, shape_of_value
from unlike.types.read import read_annotation
from unlike.types.resolve import plain_value

HERE: dict[str, Any] = {"in_process": True, "timeout": 30}
BOOLS = constants(False, True)


def holder(annotation: object) -> type:
    """Return a class with one field, of which every object is fine."""
    globals()["Annotation"] = annotation
    made = dataclasses.make_dataclass("Holder", [("value", "Annotation")], namespace={"rep_ok": lambda self: True})
    return at_the_top(made)


def at_the_top(cls: type) -> type:
    """Return a class that is found in this module, as objects of it are made by name."""
    cls.__module__ = __name__
    globals()[cls.__name__] = cls
    return cls


def held(annotation: object, **options: Any) -> list[Any]:
    found = unlike.structures(holder(annotation), scope=2, **HERE | options)
    assert str(found.status).startswith("no more exist (proved)"), found.status
    return [case.value.value for case in found.suite]


# Alternatives that overlap

OVERLAPPING: list[tuple[object, Reading]] = [
    (list[int] | list[bool], either(lists(ints()), lists(BOOLS))),
    (tuple[int, int] | tuple[int, ...], either(tuples_of(ints(), ints()), tuples(ints()))),
    (tuple[int, bool] | tuple[bool, int], either(tuples_of(ints(), BOOLS), tuples_of(BOOLS, ints()))),
    (set[int] | set[Literal[1, 2]], either(sets(ints()), sets(constants(1, 2)))),
    (frozenset[bool] | frozenset[str], either(sets(BOOLS, make=frozenset), sets(constants("a", "b"), make=frozenset))),
    (dict[int, int] | dict[int, bool], either(dicts(ints(), ints()), dicts(ints(), BOOLS))),
    (list[list[int] | list[bool]], lists(either(lists(ints(), most=2), lists(BOOLS, least=1)))),
    (list[list[bool]] | list[list[None]], either(lists(lists(BOOLS)), lists(lists(constants(None))))),
    (list[Literal[0]] | tuple[Literal[0], ...], either(lists(constants(0)), tuples(constants(0)))),
]


@pytest.mark.parametrize(("annotation", "reading"), OVERLAPPING, ids=[str(each) for each, _ in OVERLAPPING])
@pytest.mark.parametrize("engine", ["auto", "korat"])
def test_what_is_in_two_alternatives_is_one_structure(annotation: object, reading: Reading, engine: str) -> None:
    found = [form(value) for value in held(annotation, engine=engine)]

    assert sorted(found) == sorted(set(map(form, reading(2))))


def test_so_many_structures_are_so_many_different_ones() -> None:
    found = unlike.structures(holder(list[int] | list[bool]), scope=2, n=9, **HERE)

    assert len({form(case.value) for case in found.suite}) == 9
    assert unlike.structures(holder(list[int] | list[bool]), scope=2, count_only=True, **HERE).count == 13


class Sink:
    def __init__(self) -> None:
        self.value: object = None

    def put(self, value: set[Literal["a", "b"]] | set[Literal["b", "a"]] | list[int] | list[bool]) -> None:
        self.value = value


def test_overlapping_arguments_are_passed_once() -> None:
    found = unlike.explore(Sink, scope=2, **HERE)

    # None; four sets; the empty list, two and four of ints, two and four of bools
    assert len(found.suite) == 1 + 4 + 1 + 6 + 6


# Numbers that are hard to reach


@pytest.mark.parametrize("bound", [1e16, 1e17, 1e300, 1.7e308, -1e16 + 2])
def test_large_floats_come_one_after_the_other(bound: float) -> None:
    expected = [bound]
    while len(expected) < 3:
        expected.append(math.nextafter(expected[-1], math.inf if bound > 0 else -math.inf))
    rule = at.Ge(bound) if bound > 0 else at.Le(bound)

    values = first_values(read_annotation(Annotated[float, rule]), 3)

    assert values is not None
    assert list(values.values) == expected
    assert held(Annotated[float, rule]) == expected[:2]
    assert all(abs(each) >= abs(bound) for each in generated(Annotated[float, rule]))


def generated(annotation: object, n: int | Literal["all"] = 5) -> list[Any]:
    return unlike.generate(annotation, n, **HERE).values


MILLI = datetime.timedelta(milliseconds=1)
FINE: list[tuple[object, set[object]]] = [
    (Annotated[float, at.MultipleOf(1e-15), at.Ge(0), at.Le(2e-15)], {0.0, 1e-15, 2e-15}),
    (Annotated[float, at.Gt(0), at.Le(1e-320), at.MultipleOf(1e-320)], {1e-320}),
    (
        Annotated[decimal.Decimal, at.Gt(0), at.Lt(decimal.Decimal("3e-30")), at.MultipleOf(decimal.Decimal("1e-30"))],
        {decimal.Decimal("1e-30"), decimal.Decimal("2e-30")},
    ),
    (Annotated[datetime.timedelta, at.Gt(0 * MILLI), at.Lt(MILLI), at.MultipleOf(MILLI / 2)], {MILLI / 2}),
    (Annotated[datetime.timedelta, at.Ge(MILLI), at.Le(2 * MILLI), at.MultipleOf(MILLI)], {MILLI, 2 * MILLI}),
    (
        Annotated[datetime.time, at.Gt(datetime.time(0, 0, 0)), at.Le(datetime.time(0, 0, 0, 2))],
        {datetime.time(0, 0, 0, 1), datetime.time(0, 0, 0, 2)},
    ),
    (
        Annotated[datetime.datetime, at.Ge(datetime.datetime(2020, 1, 1, 0, 0, 0, 5)), at.Le(datetime.datetime(2020, 1, 1, 0, 0, 0, 6))],
        {datetime.datetime(2020, 1, 1, 0, 0, 0, 5), datetime.datetime(2020, 1, 1, 0, 0, 0, 6)},
    ),
    (Annotated[int, at.MultipleOf(0.5), at.Ge(0), at.Le(1)], {0, 1}),
    (Annotated[int, at.MultipleOf(1.5), at.Ge(0), at.Le(6)], {0, 3, 6}),
]  # fmt: skip


@pytest.mark.parametrize(("annotation", "expected"), FINE, ids=[str(each) for each, _ in FINE])
def test_small_steps_and_parts_of_a_second_are_reached(annotation: object, expected: set[object]) -> None:
    assert set(generated(annotation, "all")) == expected


@pytest.mark.parametrize(
    "annotation",
    [
        Annotated[float, at.Gt(0), at.Lt(5e-324)],
        Annotated[float, at.Gt(1), at.Lt(1.0000000000000002)],
        Annotated[datetime.timedelta, at.Gt(0 * MILLI), at.Lt(MILLI / 1000)],
    ],
)
def test_no_value_is_said_only_where_there_is_none(annotation: object) -> None:
    with pytest.raises(UnlikeError, match="leave no value"):
        generated(annotation)


def test_multiples_that_no_float_can_be_are_not_given() -> None:
    found = generated(Annotated[float, at.MultipleOf(3), at.Ge(1e17)], 8)

    assert all(int(repr(each).partition("e")[0].replace(".", "")) % 3 == 0 for each in found)


# TypedDicts that say what other keys there are

Bit = Annotated[int, at.Ge(0), at.Le(1)]


class Closed(typing_extensions.TypedDict, closed=True):  # type: ignore[call-arg, misc]
    a: Required[Bit]


class DerivedFromClosed(Closed):
    pass


class Extra(typing_extensions.TypedDict, extra_items=Bit):  # type: ignore[call-arg, misc]
    a: Required[Bit]


class DerivedFromExtra(Extra):
    pass


class Open(typing_extensions.TypedDict):
    a: Required[Bit]


class TakesExtra:
    def __init__(self) -> None:
        self.value: object = None

    def put(self, value: Extra) -> None:
        self.value = value


@pytest.mark.parametrize("cls", [Closed, DerivedFromClosed])
def test_a_closed_dict_is_broken_by_another_key(cls: object) -> None:
    assert {"a": 0, "unexpected": 1} in unlike.invalid(cls, **HERE).values
    assert {"a": 0, "unexpected": 1} not in unlike.invalid(Open, **HERE).values
    assert sorted(each["a"] for each in generated(cls, "all")) == [0, 1]


@pytest.mark.parametrize("cls", [Extra, DerivedFromExtra])
def test_other_keys_of_a_dict_hold_what_they_may(cls: object) -> None:
    found = generated(cls, 20)

    assert any(len(each) > 1 for each in found)
    assert any(len(each) == 1 for each in found)
    assert all(value in (0, 1) for each in found for value in each.values())
    assert {"a": 0, "unexpected": None} in unlike.invalid(cls, **HERE).values


def test_other_keys_of_a_dict_are_passed_within_the_scope() -> None:
    found = unlike.explore(TakesExtra, scope=2, **HERE)

    values = [case.value.value for case in found.suite if case.value.value is not None]
    # the field alone, and with one more of two keys, as another may not be called "a"
    assert sorted(map(form, values)) == sorted(
        form({"a": a} | other) for a in (0, 1) for other in ({}, {"b": 0}, {"b": 1})
    )


# What validators of attrs leave of a type


@attrs.define
class Owner:
    name: str = ""


VALIDATED: list[tuple[object, Any, list[object]]] = [
    (int, instance_of(bool), [False, True]),
    (int, instance_of((str, int)), [0, 1]),
    (int | str, instance_of(str), ["a", "b"]),
    (int | None, instance_of(int), [0, 1]),
    (int | None, optional(instance_of(int)), [None, 0, 1]),
    (Literal[1, "x", None], instance_of(str), ["x"]),
    (Any, instance_of(bool), [False, True]),
    (int | None, ge(5), [5, 6]),
    (int | None, optional(ge(5)), [None, 5, 6]),
    (int | None, in_([7, 8]), [7, 8]),
    (int | None, in_([7, None]), [None, 7]),
    (Any, in_([7, "x"]), [7, "x"]),
    (int, and_(gt(2), lt(5)), [3, 4]),
    (int, [gt(2), le(3)], [3]),
    (str | None, min_len(2), ["aa", "ab"]),
    (str, and_(matches_re("x+"), max_len(2)), ["x", "xx"]),
    (list[int], deep_iterable(ge(5), min_len(2)), [[5, 5], [5, 6], [6, 5], [6, 6]]),
    (list[int | str], deep_iterable(instance_of(str), max_len(1)), [[], ["a"], ["b"]]),
    (dict[str, int], and_(deep_mapping(in_(["k"]), ge(5)), max_len(1)), [{}, {"k": 5}, {"k": 6}]),
]


def validated(annotation: object, validator: object) -> type:
    body = {"value": attrs.field(validator=validator), "rep_ok": lambda self: True}
    return at_the_top(attrs.define(type("Validated", (), {**body, "__annotations__": {"value": annotation}})))


@pytest.mark.parametrize(("annotation", "validator", "expected"), VALIDATED, ids=[str(each[:2]) for each in VALIDATED])
def test_validators_of_attrs_narrow_a_field(annotation: object, validator: object, expected: list[object]) -> None:
    cls = validated(annotation, validator)

    found = unlike.structures(cls, scope=2, **HERE)
    assert sorted(form(case.value.value) for case in found.suite) == sorted(map(form, expected))
    assert generated(cls)  # its constructor agrees with each


@pytest.mark.parametrize(
    ("annotation", "validator", "name"),
    [
        (int, instance_of(str), "instance_of(str)"),
        (list[int], instance_of(tuple), "instance_of(tuple)"),
        (None, instance_of(int), "instance_of(int)"),
        (list[int], deep_iterable(instance_of(str)), "instance_of(str)"),
        (Owner, instance_of(datetime.date), "instance_of(date)"),
    ],
)
def test_a_validator_that_leaves_nothing_is_named(annotation: object, validator: object, name: str) -> None:
    cls = validated(annotation, validator)

    for door in (lambda: unlike.structures(cls, scope=2, **HERE), lambda: unlike.generate(cls, **HERE)):
        with pytest.raises(UnlikeError, match=r"its validator takes") as refused:
            door()
        assert name in str(refused.value)


@pytest.mark.parametrize(
    "validator", [or_(lt(0), gt(5)), not_(in_([1])), deep_iterable(not_(in_([1]))), lambda *_: None]
)
def test_a_validator_that_can_only_be_asked_is_refused_by_structures(validator: object) -> None:
    with pytest.raises(UnlikeError, match=r"'validator .*' (restricts|does not apply)"):
        unlike.structures(validated(int, validator), scope=2, **HERE)


# Texts that stand for texts

Alias = "int"
Further = "Alias"
Circle = "Circle"


@dataclass
class Aliased:
    value: "Further"  # type: ignore[valid-type]

    def rep_ok(self) -> bool:
        return True


@dataclass
class Circular:
    value: "Circle"  # type: ignore[valid-type]

    def rep_ok(self) -> bool:
        return True


class TakesAlias:
    def __init__(self) -> None:
        self.value: object = None

    def put(self, value: "Further") -> None:  # type: ignore[valid-type]
        self.value = value


def test_a_text_that_stands_for_a_text_is_read_at_all_doors() -> None:
    assert [case.value.value for case in unlike.structures(Aliased, scope=2, **HERE).suite] == [0, 1]
    assert all(type(each.value) is int for each in generated(Aliased))
    assert len(unlike.explore(TakesAlias, scope=2, **HERE).suite) == 3


def test_a_text_that_stands_for_itself_is_refused_by_name() -> None:
    with pytest.raises(UnlikeError, match="Circle is a name that could not be resolved"):
        unlike.structures(Circular, scope=2, **HERE)


# Named tuples without types

Pair = collections.namedtuple("Pair", "left right")
Short = collections.namedtuple("Short", "only", defaults=[0])


class TakesPairs:
    def __init__(self) -> None:
        self.value: object = None

    def put(self, value: Pair) -> None:
        self.value = value

    def shorten(self, value: Short) -> None:
        self.value = value


def test_named_tuples_without_types_hold_ints_and_that_is_said() -> None:
    found = unlike.explore(TakesPairs, scope=2, **HERE)

    assert "ints for what has no annotation" in str(found.status)
    # None; four pairs; one for each int
    assert len(found.suite) == 1 + 4 + 2
    assert all(type(each) is Pair for each in generated(Pair))


# Classes whose own methods raise


def boom(*_: object) -> Any:
    raise ZeroDivisionError("boom")


def hostile_enum(method: str, *, of_metaclass: bool) -> type:
    """Return an Enum made first, and given a method that raises afterwards."""
    metaclass = type("Meta", (enum.EnumMeta,), {})
    made: Any = metaclass("Mood", (enum.Enum,), _members(metaclass))
    setattr(metaclass if of_metaclass else made, method, property(boom) if method == "__members__" else boom)
    return made  # type: ignore[no-any-return]


def _members(metaclass: Any) -> Any:
    members = metaclass.__prepare__("Mood", (enum.Enum,))
    members["GOOD"], members["BAD"] = 1, 2
    return members


HOSTILE = [
    *((method, True) for method in ("__iter__", "__len__", "__members__", "__eq__", "__hash__", "__repr__")),
    *((method, True) for method in ("__instancecheck__", "__subclasscheck__")),
    *((method, False) for method in ("__eq__", "__hash__", "__repr__")),
]


@pytest.mark.parametrize(("method", "of_metaclass"), HOSTILE)
def test_an_enum_that_raises_when_it_is_looked_at_is_refused_in_one_message(method: str, of_metaclass: bool) -> None:
    cls = hostile_enum(method, of_metaclass=of_metaclass)
    doors: list[Callable[[], object]] = [
        lambda: unlike.generate(cls, **HERE),
        lambda: unlike.invalid(cls, **HERE),
        lambda: unlike.structures(holder(cls), scope=2, **HERE),
        lambda: unlike.fields(holder(cls), 2, **HERE).suite,
    ]

    for door in doors:
        with pytest.raises(UnlikeError, match=r"Mood cannot be looked at: its .* raises ZeroDivisionError: boom"):
            door()


class Coloured(type):
    def __eq__(cls, other: object) -> bool:
        raise ZeroDivisionError("boom")

    __hash__ = type.__hash__


class Paint(metaclass=Coloured):
    def rep_ok(self) -> bool:
        return True


class Painter:
    def __init__(self) -> None:
        self.value: object = None

    def use(self, value: Paint) -> None:
        self.value = value


def test_a_class_that_raises_when_it_is_compared_costs_one_method() -> None:
    found = unlike.explore(Painter, scope=2, **HERE)

    assert "not called: Painter.use" in str(found.status)
    for door in (lambda: unlike.explore(Paint, scope=2, **HERE), lambda: unlike.structures(Paint, scope=2, **HERE)):
        with pytest.raises(UnlikeError, match=r"Paint .*its metaclass's __eq__ raises ZeroDivisionError: boom"):
            door()


class Equal(enum.Enum):
    ONE = 1
    TWO = 2

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 0


def test_members_that_are_equal_to_everything_are_broken_and_told_apart() -> None:
    assert len(generated(Equal, "all")) == 2
    assert unlike.invalid(Equal, **HERE).values
    assert len(held(Equal)) == 2


# Objects that C makes


@pytest.mark.parametrize("cls", [ast.Module, ast.Name, ast.Constant, ast.expr])
def test_nodes_of_ast_are_explored(cls: type) -> None:
    found = unlike.explore(cls, scope=1, **HERE)

    assert type(found.suite[0].value) is cls


class Token(tuple):  # type: ignore[type-arg]
    def __init__(self, *parts: object) -> None:
        self.parent: object = None


STYLES = {Token(): "", Token(("a", "b")): ""}


class Style:
    def __init__(self) -> None:
        self.styles = 0

    def look(self) -> int:
        return len(STYLES)


def test_a_tuple_with_fields_of_its_own_is_seen_in_the_globals() -> None:
    assert len(unlike.explore(Style, scope=1, **HERE).suite) == 1


# Names of fields that inputs have


@pytest.mark.parametrize("name", ["x", "b", "a.b"])
def test_only_a_field_that_some_input_has_can_be_asked_for(name: str) -> None:
    suite = unlike.generate(unlike.Spec({"a": unlike.Int(0, 1), "long": unlike.Bool()}), "all")

    assert fewest(suite, ["a"]).shown == 2
    with pytest.raises(ScopeError, match=f"--only '{name}': no input has such a field; .*a, long"):
        fewest(suite, [name])


# Agreement


class Named(NamedTuple):
    value: int


@pytest.mark.parametrize("cls", [bool, int, float, str, datetime.date, datetime.time])
def test_a_plain_annotation_means_the_same_in_a_spec_and_in_a_type(cls: type) -> None:
    value = plain_value(cls)
    assert value is not None

    shape, leaf = shape_of_value(value), LEAVES[cls]
    # in a type nobody stated the bounds; in a spec the time of day is one of whole minutes
    changed = {} if cls is bool else {"stated": ()}
    coarse = {"step": 1, "high": leaf.high} if cls is datetime.time else {}  # type: ignore[union-attr]
    assert dataclasses.replace(shape, **changed, **coarse) == leaf  # type: ignore[arg-type]
