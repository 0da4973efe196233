"""Annotations that are odd and real: each is read as it is meant, or refused by name, at every door."""

import dataclasses
import datetime
import enum
import sys
import types
from collections.abc import Iterator
from decimal import Decimal
from typing import Annotated, Any, Generic, Literal, NamedTuple, Tuple, TypeVar, TypeVarTuple, Union  # noqa: UP035

import annotated_types as at
import pydantic
import pytest
import typing_extensions

import unlike
from unlike.errors import UnlikeError

TRUST: dict[str, Any] = {"timeout": 20, "in_process": True}
K = TypeVar("K")
Ts = TypeVarTuple("Ts")
Given = typing_extensions.TypeVar("Given", default=bool)
Json = Union[None, list["Json"]]  # noqa: UP007 - a text that names the union it stands in


Growth = typing_extensions.TypeAliasType("Growth", "Growth[list[K]] | None", type_params=(K,))


class Letter(enum.StrEnum):
    A = "a"


class AB(enum.Flag):
    AB = 3
    C = 4


Many = enum.Flag("Many", [f"M{number}" for number in range(12)])  # type: ignore[misc]


class Unhashable(enum.Enum):
    A = 1
    B = 2

    def __eq__(self, other: object) -> bool:
        return self is other


class Alike(enum.Enum):
    A = 1
    B = 2

    def __repr__(self) -> str:
        return "one of them"


@dataclasses.dataclass
class Row(Generic[K, *Ts]):
    key: K
    rest: tuple[*Ts]


@dataclasses.dataclass
class Defaulted(Generic[Given]):
    value: Given


@dataclasses.dataclass
class Growing(Generic[K]):
    value: K
    inner: "Growing[list[K]] | None" = None


@dataclasses.dataclass
class KeywordOnly:
    first: bool
    _: dataclasses.KW_ONLY
    second: bool


@dataclasses.dataclass
class OwnConstructor:
    value: bool

    def __init__(self, given: bool) -> None:
        self.value = given


@pydantic.dataclasses.dataclass
class Checked:
    value: int = pydantic.Field(ge=5, le=6, default=5)


class Settled(NamedTuple):
    value: bool


class Refusing(Settled):
    def __new__(cls, value: bool) -> "Refusing":
        raise ValueError("never")


def refuse_to_say(_: object) -> Any:
    return Unsayable()


class Unsayable:
    def __bool__(self) -> bool:
        raise RuntimeError("neither true nor false")


def leave(_: object) -> bool:
    sys.exit("no answer")


def empty(values: list[bool]) -> bool:
    values.clear()
    return True


@pytest.fixture
def cell_of() -> Iterator[Any]:
    """Return a function from an annotation to a class with it, in a module, as code of users is."""
    module = types.ModuleType("odd_cells")
    sys.modules[module.__name__] = module

    def made(annotation: object) -> Any:
        def put(self: Any, value: Any) -> None:
            self.value = value

        put.__annotations__["value"] = annotation
        members = {"__init__": lambda self: setattr(self, "value", None), "put": put}
        module.Cell = type("Cell", (), {**members, "__module__": module.__name__})  # type: ignore[attr-defined]
        holder = dataclasses.make_dataclass("Holder", [("value", annotation)], namespace={"rep_ok": lambda self: True})
        holder.__module__ = module.__name__
        module.Holder = holder  # type: ignore[attr-defined]
        return module

    yield made
    del sys.modules[module.__name__]


def explored(module: Any) -> tuple[str, list[Any]]:
    result = unlike.explore(module.Cell, scope=2, **TRUST)
    values = [case.value.value for case in result.suite]
    return str(result.status) + result.api.listing(), [value for value in values if value is not None]


def structured(module: Any) -> tuple[str, list[Any]]:
    result = unlike.structures(module.Holder, scope=2, **TRUST)
    return str(result.status), [case.value.value for case in result.suite]


def generated(annotation: object) -> list[Any]:
    suite = unlike.generate(annotation, 50, **TRUST)
    assert suite.status.ending.value == "complete", suite.status
    return suite.values


def told(values: list[Any]) -> list[str]:
    return sorted(f"{type(value).__name__} {value!r}" for value in values)


@pytest.mark.parametrize(
    ("annotation", "expected"),
    [
        (Annotated[int, at.MultipleOf(10**20)], [0, 10**20]),
        (Annotated[int, at.Ge(5), at.MultipleOf(10**20)], [10**20, 2 * 10**20]),
        (Annotated[float, at.Gt(0.1), at.Lt(0.100001)], [0.1000001, 0.1000002]),
        (Annotated[float, at.Gt(1e16), at.Lt(1e16 + 4)], [1e16 + 2]),
        (Literal[0, 10**12], [0, 10**12]),
        (Literal[True] | Annotated[float, at.Ge(1), at.Le(1)], [True, 1.0]),
        (Literal["a"] | str, ["a", "b"]),
        (Literal[0] | int, [0, 1]),
        (
            list[Literal[True] | Literal[1.0]],
            [[], [True], [1.0], [True] * 2, [True, 1.0], [1.0, True], [1.0] * 2],
        ),
        (AB, [AB(0), AB.AB, AB.C, AB.AB | AB.C]),
        (Alike, [Alike.A, Alike.B]),
    ],
    ids=str,
)
def test_scope_leaves_each_value_once(cell_of: Any, annotation: object, expected: list[Any]) -> None:
    module = cell_of(annotation)
    for said, values in (explored(module), structured(module)):
        assert told(values) == told(expected)
        assert said.startswith("no more exist (proved)")


@pytest.mark.parametrize(
    ("annotation", "words"),
    [
        (dict[int], "dict[int] has 1 argument"),  # type: ignore[type-arg]
        (list[int, str], "list[int, str] has 2 arguments"),  # type: ignore[type-arg]
        (Literal[[1]], "has a value that no Literal can have"),  # type: ignore[valid-type]
        (Annotated[str, at.MinLen(1.5)], "a length is a whole number"),  # type: ignore[arg-type]
        (Annotated[list[int], at.MinLen("x")], "a length is a whole number"),  # type: ignore[arg-type]
        (Annotated[str, at.MinLen(10**9)], "1,000,000,000"),
        (Annotated[int, at.Ge("a")], "'>= 'a'' is not a finite number"),  # type: ignore[arg-type]
        (Annotated[str, pydantic.Field(pattern="(")], "'(' cannot be used as a pattern"),
        (pydantic.Base64Str, "'EncodedStr' restricts values"),
    ],
    ids=str,
)
def test_refused_by_name_at_every_door(cell_of: Any, annotation: object, words: str) -> None:
    module = cell_of(annotation)
    said, values = explored(module)
    assert not values
    assert words in " ".join(said.split())
    for door in (unlike.generate, unlike.invalid):
        with pytest.raises(UnlikeError) as refused:
            door(module.Holder, **TRUST)
        assert words in str(refused.value)
    with pytest.raises(UnlikeError) as refused:
        structured(module)
    assert words in str(refused.value)


@pytest.mark.parametrize(
    "annotation", [pydantic.PastDate, pydantic.IPvAnyAddress, typing_extensions.IO[str], pydantic.ImportString], ids=str
)
def test_what_stands_for_other_values_is_no_class_of_objects(cell_of: Any, annotation: object) -> None:
    with pytest.raises(UnlikeError, match="stands for values that are no objects of it"):
        structured(cell_of(annotation))


def test_bare_tuple_is_any_tuple() -> None:
    assert len(unlike.generate(Tuple, 15, **TRUST).values) == 15  # noqa: UP006
    assert unlike.generate(tuple[()], 15, **TRUST).values == [()]


def test_union_that_names_itself_in_a_text(cell_of: Any) -> None:
    module = cell_of(Json)
    module.Json = Json
    said, values = explored(module)
    assert [] in values
    assert [None] in values
    assert "Json refers to itself" in said
    with pytest.raises(UnlikeError, match="Json refers to itself"):
        structured(module)


def test_type_variable_tuple_takes_what_the_others_leave(cell_of: Any) -> None:
    expected = [Row(key=False, rest=(1, 2)), Row(key=True, rest=(1, 2))]
    annotation = Row[bool, Literal[1], Literal[2]]
    assert sorted(generated(annotation), key=repr) == expected
    assert sorted(structured(cell_of(annotation))[1], key=repr) == expected
    assert len(generated(Row[bool])) == 2
    with pytest.raises(UnlikeError, match="open"):
        structured(cell_of(Row))


def test_type_variable_with_a_default(cell_of: Any) -> None:
    assert sorted(generated(Defaulted), key=repr) == [Defaulted(False), Defaulted(True)]
    assert len(structured(cell_of(Defaulted))[1]) == 2


@pytest.mark.corpus
def test_generic_class_inside_itself_with_ever_other_arguments() -> None:
    suite = unlike.generate(Growing[bool], **TRUST)
    assert "always None" in suite.guarantee  # where its arguments have grown too large


def test_fields_of_dataclasses_are_those_that_objects_have(cell_of: Any) -> None:
    assert len(structured(cell_of(KeywordOnly))[1]) == 4
    assert sorted(each.value for each in structured(cell_of(Checked))[1]) == [5, 6]
    assert all(isinstance(each, OwnConstructor) for each in generated(OwnConstructor))  # by what its constructor takes


def test_named_tuple_that_refuses_its_fields(cell_of: Any) -> None:
    said, values = explored(cell_of(Refusing))
    assert not values
    assert "ValueError: never" in said


def test_many_flags_are_said_to_be_left_out(cell_of: Any) -> None:
    module = cell_of(Many)
    assert "passing 14 of 4,096 combinations of Many" in explored(module)[0]
    assert "with 14 of 4,096 combinations of Many" in structured(module)[0]


def test_enum_without_a_hash(cell_of: Any) -> None:
    module = cell_of(Unhashable)
    assert len(explored(module)[1]) == 2
    with pytest.raises(UnlikeError, match="Unhashable has no __hash__"):
        structured(module)


def test_members_that_look_alike_are_two() -> None:
    assert generated(Alike) == [Alike.A, Alike.B]


def test_equal_values_are_one_element_of_a_set(cell_of: Any) -> None:
    equal = set[Literal[0, False]]
    assert told(generated(equal)) == told([set(), {0}, {False}])
    assert told(explored(cell_of(equal))[1]) == told([set(), {0}, {False}])
    assert told(generated(dict[Literal[1, True], bool])) == told(
        [{}, {1: False}, {1: True}, {True: False}, {True: True}]
    )
    said, values = explored(cell_of(Annotated[equal, at.MinLen(2)]))
    assert not values
    assert "not enough elements" in said
    with pytest.raises(UnlikeError, match="0 and False are equal"):
        structured(cell_of(equal))


def test_ints_far_apart_in_field_values(cell_of: Any) -> None:
    found = unlike.fields(cell_of(Literal[0, 10**12]).Holder, scope=2, **TRUST)
    assert sorted(case.value.value for case in found.suite) == [0, 10**12]


def test_numbers_between_close_bounds() -> None:
    between = Annotated[Decimal | None, at.Gt(Decimal("1.00")), at.Lt(Decimal("1.01"))]
    suite = unlike.generate(between, 10, **TRUST)
    values = {case.value for case in suite}
    assert {None, Decimal("1.001"), Decimal("1.002"), Decimal("1.008"), Decimal("1.009")} < values
    assert all(Decimal(1) < each < Decimal("1.01") for each in values - {None})
    assert suite.status.ending.value == "found"  # there are more, of further places


def test_predicate_whose_answer_is_neither_true_nor_false(cell_of: Any) -> None:
    said, values = explored(cell_of(Annotated[int, at.Predicate(refuse_to_say)]))
    assert not values
    assert "keeps predicate refuse_to_say" in said


@pytest.mark.parametrize("in_process", [True, False])
def test_predicate_that_exits_refuses_the_value(cell_of: Any, in_process: bool) -> None:
    module = cell_of(Annotated[bool, at.Predicate(leave)])
    for door in (unlike.generate, unlike.invalid):
        assert not door(module.Holder, timeout=20, in_process=in_process).values
    with pytest.raises(UnlikeError, match="predicate leave"):
        unlike.structures(module.Holder, scope=2, timeout=20, in_process=in_process)


def test_predicate_that_empties_what_it_looks_at(cell_of: Any) -> None:
    module = cell_of(Annotated[list[Literal[True]], at.Predicate(empty)])
    assert explored(module)[1] == [[], [True], [True, True]]
    assert {"value": [None]} in unlike.invalid(module.Holder, **TRUST).values


@pytest.mark.parametrize(
    "annotation",
    [
        Annotated[datetime.date, at.Gt(datetime.date.max)],
        Annotated[datetime.date, at.Lt(datetime.date.min)],
        Annotated[datetime.datetime, at.Gt(datetime.datetime.max)],
        Annotated[datetime.timedelta, at.Gt(datetime.timedelta.max)],
        Annotated[datetime.time, at.Gt(datetime.time(23, 59, 59))],
    ],
    ids=str,
)
def test_nothing_lies_beyond_the_last_date(annotation: object) -> None:
    for door in (unlike.generate, unlike.invalid):
        with pytest.raises(UnlikeError, match="no value"):
            door(annotation, **TRUST)


def test_last_timedeltas_end_with_the_line() -> None:
    last = datetime.timedelta.max - datetime.timedelta(seconds=2)
    assert all(last <= each for each in unlike.generate(Annotated[datetime.timedelta, at.Ge(last)], 5, **TRUST).values)


def test_alias_that_contains_itself_with_ever_other_arguments(cell_of: Any) -> None:
    module = cell_of(Growth[bool])
    assert "Growth" in explored(module)[0]
    with pytest.raises(UnlikeError, match="Growth"):
        structured(module)


def test_text_equals_the_member_of_an_enum(cell_of: Any) -> None:
    with pytest.raises(UnlikeError, match="are equal, and only one of them can be"):
        structured(cell_of(set[Letter | str]))


def test_class_of_generic_aliases_is_refused() -> None:
    with pytest.raises(UnlikeError, match="GenericAlias is not a type"):
        unlike.generate(types.GenericAlias, **TRUST)
