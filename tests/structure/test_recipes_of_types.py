"""Recipes are read back as values of their type, and data are counted by the rules they break."""

from __future__ import annotations

import dataclasses
from typing import Annotated

import annotated_types
import pytest
from tests.types.twins import MAKES, random_structure

import unlike
from unlike.recipe import Argument, Call, Items, Recipe, Ref, import_name, name_of
from unlike.structure.validity import broken_rules, makes
from unlike.types.choices import shape_of


@pytest.mark.few(2)
@pytest.mark.parametrize("seed", range(12))
def test_every_generated_recipe_makes_its_type_and_no_other(seed: int) -> None:
    structures = random_structure(seed), random_structure(seed + 100)

    for make in MAKES:
        ours, other = make(structures[0]), make(structures[1])
        for case in unlike.generate(ours):
            assert makes(shape_of(ours), case.recipe, import_name)
            called = case.recipe.steps and not isinstance(case.recipe.result, Items)
            assert not (called and makes(shape_of(other), case.recipe, import_name))


@dataclasses.dataclass
class Line:
    name: Annotated[str, annotated_types.Len(1, 3)]
    counts: Annotated[list[Annotated[int, annotated_types.Interval(ge=1, le=9)]], annotated_types.MaxLen(2)]
    note: str | None = None


@dataclasses.dataclass
class Other:
    name: str
    counts: list[int]


def line(cls: type = Line, **parts: Argument) -> Recipe:
    name = name_of(cls)
    return Recipe((Call(name, (), tuple(parts.items())),), Ref(0))


ONE = Items("list", (1,))


@pytest.mark.parametrize(
    ("recipe", "legal"),
    [
        (line(name="ab", counts=ONE), True),
        (line(name="ab", counts=Items("list", ()), note=None), True),
        (line(name="ab", counts=Items("list", (1, 9)), note="x"), True),
        (line(name="", counts=ONE), False),
        (line(name="abcd", counts=ONE), False),
        (line(name=7, counts=ONE), False),
        (line(name="ab", counts=Items("list", (0,))), False),
        (line(name="ab", counts=Items("list", (True,))), False),
        (line(name="ab", counts=Items("list", (1, 1, 1))), False),
        (line(name="ab", counts=Items("tuple", (1,))), False),
        (line(name="ab", counts=ONE, note=3), False),
        (line(Other, name="ab", counts=ONE), False),
        (Recipe((Call(name_of(Line), ("ab", ONE)),), Ref(0)), False),
        (Recipe((), Items("dict", ("name", "ab", "counts", ONE))), False),
        (Recipe((), "ab"), False),
    ],
)
def test_a_recipe_is_read_by_the_rules_of_its_type(recipe: Recipe, legal: bool) -> None:
    assert makes(shape_of(Line), recipe, import_name) is legal


@pytest.mark.few(4)
@pytest.mark.parametrize("seed", range(12))
def test_invalid_data_break_one_rule_and_valid_data_none(seed: int) -> None:
    for make in MAKES:
        cls = make(random_structure(seed))
        shape = shape_of(cls)
        broken = [broken_rules(shape, case.value) for case in unlike.invalid(cls)]

        assert broken == [1] * len(broken)
