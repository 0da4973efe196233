"""One structure in four makes gives the same inputs, and they show what brute force says they must."""

from __future__ import annotations

import itertools
from collections.abc import Iterable

import pydantic
import pytest
from tests.corpora import few_of
from tests.types.twins import (
    MAKES,
    Structure,
    as_dataclass,
    as_pydantic,
    every_skeleton,
    pairs_in,
    random_structure,
    skeleton_of,
)

import unlike
from unlike.structure.building import data
from unlike.suite import Ending, Suite
from unlike.typed.generate import TypeCases

SEEDS = range(25)


def data_of(suite: Suite) -> list[object]:
    assert isinstance(suite.cases, TypeCases)
    return [data(suite.cases.shape, plain) for plain in suite.cases.plains]


def as_data(structure: Structure, value: object, given: object) -> object:
    """Read an instance back into data, for the fields that were given."""
    assert isinstance(given, dict)
    found = {}
    for part in structure.parts:
        if part.name in given:
            inner = value[part.name] if isinstance(value, dict) else getattr(value, part.name)
            nested = isinstance(part.kind, Structure)
            found[part.name] = as_data(part.kind, inner, given[part.name]) if nested else inner
    return found


@pytest.mark.few(4)
@pytest.mark.parametrize("cover", ["each", "pairs"])
@pytest.mark.parametrize("seed", few_of(SEEDS, 8))
def test_the_four_makes_of_one_structure_give_the_same_inputs(seed: int, cover: str) -> None:
    structure = random_structure(seed)

    suites = [unlike.generate(make(structure), cover=cover) for make in MAKES]

    first, *others = suites
    assert first.status.ending in (Ending.SHOWN, Ending.FOUND)
    for other in others:
        assert data_of(other) == data_of(first)
        assert [case.label for case in other] == [case.label for case in first]
    for suite in suites:
        instances = zip(suite, data_of(suite), strict=True)
        assert all(as_data(structure, case.value, given) == given for case, given in instances)


@pytest.mark.parametrize("seed", SEEDS)
def test_every_instance_passes_the_checks_of_another_library(seed: int) -> None:
    structure = random_structure(seed)
    model = pydantic.TypeAdapter(as_pydantic(structure))

    suite = unlike.generate(as_dataclass(structure), 60, cover="pairs")

    for given in data_of(suite):
        model.validate_python(given)


@pytest.mark.parametrize("seed", SEEDS)
def test_each_shows_every_choice_and_pairs_every_pair_that_any_input_can_have(seed: int) -> None:
    structure = random_structure(seed)
    possible = list(itertools.islice(every_skeleton(structure), 200_000))

    each = shown(structure, unlike.generate(as_dataclass(structure), cover="each"))
    pairs = shown(structure, unlike.generate(as_dataclass(structure), cover="pairs"))

    assert set().union(*each) == set().union(*possible)
    assert pairs_of(pairs) == pairs_of(possible)


@pytest.mark.parametrize(
    "seed", [seed for seed in range(40) if len(list(every_skeleton(random_structure(seed)))) < 500]
)
def test_all_shows_every_combination_once_and_some_more_for_bounds(seed: int) -> None:
    structure = random_structure(seed)

    suite = unlike.generate(as_dataclass(structure), cover="all")

    assert set(shown(structure, suite)) == set(every_skeleton(structure))


@pytest.mark.few(7)
@pytest.mark.parametrize("seed", few_of(SEEDS, 8))
@pytest.mark.parametrize("cover", ["each", "pairs"])
def test_a_larger_number_extends_the_smaller_suite(seed: int, cover: str) -> None:
    made = as_dataclass(random_structure(seed))

    suites = [data_of(unlike.generate(made, n, cover=cover)) for n in (1, 5, 20, 90)]
    whole = data_of(unlike.generate(made, cover=cover))

    assert all(longer[: len(shorter)] == shorter for shorter, longer in itertools.pairwise(suites))
    assert suites[-1][: len(whole)] == whole[: len(suites[-1])]
    assert len({repr(each) for each in suites[-1]}) == len(suites[-1])


def shown(structure: Structure, suite: Suite) -> list[frozenset[tuple[str, str]]]:
    return [skeleton_of(structure, given) for given in data_of(suite) if isinstance(given, dict)]


def pairs_of(skeletons: Iterable[frozenset[tuple[str, str]]]) -> set[frozenset[tuple[str, str]]]:
    return {pair for skeleton in skeletons for pair in pairs_in(skeleton)}
