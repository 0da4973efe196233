"""A type that cannot be read is refused with the path to the field, the reason and the remedy."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from types import CodeType
from typing import Annotated, Any

import annotated_types
import pydantic
import pytest

import unlike
from unlike.errors import ScopeError, SpecError, UnlikeError


@dataclasses.dataclass
class Handler:
    call: Callable[[int], CodeType]


@dataclasses.dataclass
class Deep:
    handlers: tuple[Handler, int]


@dataclasses.dataclass
class Endless:
    other: Endless


@dataclasses.dataclass
class EndlessItems:
    others: Annotated[list[EndlessItems], annotated_types.MinLen(1)]


@dataclasses.dataclass
class Narrow:
    age: Annotated[int, annotated_types.Ge(9), annotated_types.Le(3)]


@dataclasses.dataclass
class Wrong:
    name: Annotated[str, annotated_types.Ge(3)]


@dataclasses.dataclass
class Unknown:
    other: Missing  # type: ignore[name-defined]  # noqa: F821


class Aliased(pydantic.BaseModel):
    name: str = pydantic.Field(validation_alias=pydantic.AliasPath("names", 0))


class Plain:
    pass


BAD = [
    (Callable[[int], CodeType], r"code is not a type whose values can be generated"),
    (Deep, r"Deep: handlers\.0\.call: code is not a type whose values can be generated; use a dataclass"),
    (Plain, r"Plain is not a type whose values can be generated; use a dataclass"),
    (Endless, r"other: Endless contains itself without a way to end; make the field optional"),
    (EndlessItems, r"others\[\]: EndlessItems contains itself without a way to end"),
    (Narrow, r"Narrow: age: '>= 9' and '<= 3' leave no value; change one of them"),
    (Wrong, r"Wrong: name: '>= 3' does not apply to a str; remove it"),
    (Unknown, r"Unknown: .*: Missing is a name that could not be resolved; define it at the top of"),
    (Aliased, r"Aliased\.name: the alias AliasPath.*add validate_by_name=True"),
    (Annotated[str, annotated_types.Len(5, 2)], r"leave no length; change one of them"),
    (Annotated[int, annotated_types.MultipleOf(0)], r"give a number above 0"),
    ("Nowhere", r"Nowhere is a name that could not be resolved"),
    (3, r"3 is not a type"),
]


@pytest.mark.parametrize(("annotation", "message"), BAD, ids=lambda each: str(getattr(each, "__name__", each))[:30])
def test_a_bad_type_is_refused_with_path_reason_and_remedy(annotation: object, message: str) -> None:
    with pytest.raises(SpecError, match=message):
        unlike.generate(annotation)


def test_bad_arguments_show_the_value_and_the_remedy() -> None:
    with pytest.raises(SpecError, match=r"cover='triples' is not a strength; write 'each', 'pairs' or 'all'"):
        unlike.generate(int, cover="triples")
    with pytest.raises(ScopeError, match="n=0 must be an int of at least 1"):
        unlike.generate(int, 0)
    with pytest.raises(ScopeError, match=r"there are about .* inputs; ask for a number"):
        unlike.generate(int, "all")
    with pytest.raises(SpecError, match=r"there is no field 'prise'; did you mean 'price'\?"):
        unlike.generate(dataclasses.make_dataclass("Item", [("price", int)]), where=lambda prise: prise > 3)
    with pytest.raises(SpecError, match="not an assertion"):
        unlike.generate(int, where=3)


def test_a_constructor_that_always_refuses_is_an_answer_and_not_an_error() -> None:
    @dataclasses.dataclass
    class Never:
        on: bool

        def __post_init__(self) -> None:
            raise RuntimeError("never")

    suite = unlike.generate(Never)

    assert suite.status.ending is unlike.Ending.UNSATISFIABLE
    assert "Never refuses: RuntimeError: never" in str(suite.status)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"engine": "foo"}, "engine='foo' must be one of auto, solver"),
        ({"where": "x > 3"}, r"where='x > 3' is for types; a Spec says it itself: Spec\(…, where=…\)"),
    ],
)
def test_a_setting_that_a_spec_does_not_know_is_refused(given: dict[str, Any], said: str) -> None:
    with pytest.raises(UnlikeError, match=said):
        unlike.generate(unlike.Spec({"x": unlike.Int(0, 9)}), **given)


@pytest.mark.parametrize(
    "given", [{"engine": "solver"}, {"encoding": "loop"}, {"solver": "cvc5"}, {"effort": 2}], ids=str
)
def test_settings_of_solvers_are_refused_for_types(given: dict[str, Any]) -> None:
    with pytest.raises(ScopeError, match="says how a solver is asked about a Spec"):
        unlike.generate(bool, **given)


def test_a_number_of_very_many_digits_is_told_as_a_power_of_ten() -> None:
    with pytest.raises(ScopeError, match=r"there are about 10\^\d+ inputs; ask"):
        unlike.generate(list[list[str]], "all")


def test_what_is_no_file_is_refused_as_one() -> None:
    with pytest.raises(SpecError, match=r"spec\(3\): name a file"):
        unlike.spec(3)  # type: ignore[arg-type]
