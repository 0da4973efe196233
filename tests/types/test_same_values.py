"""No two inputs are the same value, and "all" are all: literals, flags, dicts, unions that share values."""

from __future__ import annotations

import dataclasses
import enum
import itertools
from collections.abc import Callable
from typing import Literal, NamedTuple, TypedDict

import pydantic
import pytest
from typing_extensions import TypeAliasType

import unlike
from unlike.errors import SpecError
from unlike.suite import Ending
from unlike.types.terms import value_of_annotation
from unlike.writers.inputs import as_table, plain


class Access(enum.Flag):
    """Three members: eight values."""

    R = 1
    W = 2
    X = 4


Wide = enum.Flag("Wide", [f"BIT{number}" for number in range(12)])  # type: ignore[misc]


class One(TypedDict):
    a: bool


@dataclasses.dataclass
class Left:
    x: bool


@dataclasses.dataclass
class Right:
    x: bool


class Granted(NamedTuple):
    access: Access
    text: Literal["a: b", "c"]


@pytest.mark.parametrize(
    ("annotation", "number"),
    [
        (dict[bool, bool], 9),  # none, two keys with two values each, and both keys with four
        (Literal[None, 1] | None, 2),
        (Literal[1, 2] | Literal[2, 3], 3),
        (Left | Right, 4),  # the same fields, but not the same type
        (tuple[bool, ...] | tuple[bool, bool], 15),
        (One | dict[Literal["a", "b"], bool], 9),
        (set[bool | Literal[True, 2]], 8),
        (set[Literal[0, False, 2]], 6),  # a set holds one of 0 and False
        (Literal[1, True, "1"], 3),
        (Literal[0, False], 2),
        (Access, 8),
    ],
)
def test_all_inputs_are_given_and_no_two_are_the_same(annotation: object, number: int) -> None:
    suite = unlike.generate(annotation, "all")

    assert suite.status.ending is Ending.COMPLETE
    assert len({told(value) for value in suite.values}) == len(suite) == number


def told(value: object) -> str:
    match value:
        case dict():
            return f"dict {sorted((told(key), told(each)) for key, each in value.items())}"
        case set():
            return f"set {sorted(map(told, value))}"
    return f"{type(value).__name__} {value!r}"


def test_an_input_that_shows_two_choices_is_given_once_and_says_both() -> None:
    suite = unlike.generate(int | Literal[0, 5])

    assert sorted(suite.values) == [-(2**31), 0, 5, 2**31 - 1]
    assert suite.values[0] == 0
    assert suite[0].label == "value: int, any value, Literal[0, 5], 0"
    assert suite.status.ending is Ending.SHOWN


@pytest.mark.parametrize("annotation", [Literal[0, False, 1], Access, bool])
def test_a_type_and_its_value_in_terms_have_the_same_inputs(annotation: object) -> None:
    of_type = unlike.generate(annotation, "all").values
    of_terms = unlike.generate(unlike.Spec({"x": value_of_annotation(annotation, "x")}), "all").values

    assert sorted(map(repr, of_type)) == sorted(repr(each["x"]) for each in of_terms)  # type: ignore[index]


def test_a_flag_shows_none_each_and_all_and_one_further_combination() -> None:
    suite = unlike.generate(Access)

    assert suite.values[:5] == [Access(0), Access.R, Access.W, Access.X, Access.R | Access.W | Access.X]
    assert len(suite) == 6
    assert [case.label for case in suite][::5] == ["value: Access(0)", "value: several members"]


def test_a_flag_of_too_many_members_never_claims_that_all_its_values_are_given() -> None:
    suite = unlike.generate(Wide, "all")

    assert len(suite) == 14  # none, twelve, all
    assert suite.status.ending is Ending.UNKNOWN
    assert f"{2**12 - 14:,} more exist" in str(suite.status)


def test_a_label_names_its_place_and_the_constant_whatever_is_written_in_it() -> None:
    labels = {case.label for case in unlike.generate(Granted, cover="all")}

    assert "access: Access(0); text: 'a: b'" in labels


def test_json_shows_flags_and_secrets() -> None:
    class Login(pydantic.BaseModel):
        name: pydantic.SecretStr
        key: pydantic.SecretBytes

    login = Login(name=pydantic.SecretStr("a"), key=pydantic.SecretBytes(b"b"))

    assert plain(login) == {"name": "a", "key": "b"}
    assert [plain(each) for each in (Access(0), Access.R, Access.R | Access.W)] == [0, "R", "R|W"]


def test_a_table_shows_brackets_as_they_are() -> None:
    texts = ("[red]", "[/red]", "[a-z]", ":smile:", r"\[b]")
    suite = unlike.generate(Literal[texts])  # type: ignore[valid-type]

    table = as_table([suite], width=200)

    assert all(table.count(text) == 3 for text in map(ascii, texts))  # title, value, label


def test_an_alias_made_by_a_type_statement_or_its_backport_is_read() -> None:
    alias = TypeAliasType("Flags", list[Literal["a", "b"]])  # type: ignore[misc]

    assert unlike.generate(alias, "all").values == unlike.generate(list[Literal["a", "b"]], "all").values


# -- assertions about types without fields ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("annotation", "where", "expected"),
    [
        (Literal[1, 2, 3], lambda v: v > 1, [2, 3]),
        (bool, lambda z: z, [True]),
        (tuple[bool, bool], lambda pair: pair[0] != pair[1], [(False, True), (True, False)]),
        (Left | None, lambda x: x is None, [None]),
    ],
)
def test_an_assertion_speaks_of_a_value_without_fields_by_any_name(
    annotation: object, where: Callable[..., object], expected: list[object]
) -> None:
    suite = unlike.generate(annotation, "all", where=where)

    assert suite.values == expected
    assert suite.status.ending is Ending.COMPLETE


def test_terms_about_a_whole_list_are_understood_and_prove_what_is_impossible() -> None:
    suite = unlike.generate(list[bool], "all", where=lambda x: x.length > 1)

    longer = [list(each) for size in (2, 3) for each in itertools.product((False, True), repeat=size)]
    assert sorted(suite.values) == sorted(longer)  # type: ignore[type-var]
    assert suite.status.ending is Ending.COMPLETE
    assert "impossible: value: empty (all inputs tried: where(x))" in suite.explanation


def test_an_assertion_that_never_answers_is_refused_and_proves_nothing() -> None:
    with pytest.raises(SpecError, match=r"where\(x\) answers for no input: AttributeError: 'set' .* on set\(\)"):
        unlike.generate(set[bool], where=lambda x: x.length > 1)
