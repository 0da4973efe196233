"""Bounds leave what they leave: floats and decimals of any number of places, against lists made without any of our code."""

import itertools
import math
import random
from decimal import Decimal
from typing import Annotated

import pytest
from annotated_types import Ge, Gt, Le, Lt, MultipleOf
from pydantic import Field, TypeAdapter, ValidationError
from tests.corpora import few_of

from unlike import SpecError, generate
from unlike.suite import Ending

MANY = 40  # inputs asked for, where there may be fewer


def _floats_between(low: float, high: float, *, open_low: bool, open_high: bool) -> list[float]:
    """Return the first floats between two bounds, walked one by one."""
    found = []
    value = math.nextafter(low, math.inf) if open_low else low
    while len(found) <= MANY and (value < high if open_high else value <= high):
        found.append(value)
        value = math.nextafter(value, math.inf)
    return found


def _is_between(value: float | Decimal, low: object, high: object, *, open_low: bool, open_high: bool) -> bool:
    return (value > low if open_low else value >= low) and (value < high if open_high else value <= high)  # type: ignore[operator]


def _bounds(low: object, high: object, *, open_low: bool, open_high: bool) -> tuple[object, object]:
    return (Gt if open_low else Ge)(low), (Lt if open_high else Le)(high)  # type: ignore[arg-type]


def _random_float(pick: random.Random) -> float:
    kind = pick.randrange(5)
    if kind == 0:
        return pick.choice([0.0, 0.99, 1.0, 0.001, 1e6, 5e-324, 2.0**53, 1e300, -1.0, 0.1])
    if kind == 1:
        return round(pick.uniform(-2, 2), pick.randrange(6))
    return pick.choice([-1, 1]) * pick.random() * 10.0 ** pick.randrange(-320, 300)


@pytest.mark.parametrize("seed", few_of(range(200), 50))
def test_floats_between_bounds_are_found_whenever_there_is_one(seed: int) -> None:
    pick = random.Random(seed)
    low = high = _random_float(pick)
    if seed % 2:  # a few floats further
        for _ in range(pick.randrange(6)):
            high = math.nextafter(high, math.inf)
    else:
        low, high = sorted((low, _random_float(pick)))
    kept = {"open_low": pick.random() < 0.5, "open_high": pick.random() < 0.5}
    there = _floats_between(low, high, **kept)

    annotation = Annotated[float, *_bounds(low, high, **kept)]  # type: ignore[valid-type]
    if not there:
        with pytest.raises(SpecError, match="leave no value"):
            generate(annotation, MANY)
        return
    suite = generate(annotation, MANY)
    values = [case.value for case in suite]
    assert all(_is_between(each, low, high, **kept) for each in values)
    if len(there) <= MANY:
        assert sorted(values) == there
        assert suite.status.ending is (Ending.COMPLETE if len(there) < MANY else Ending.FOUND)
    else:
        assert len(set(values)) == MANY


@pytest.mark.parametrize("seed", few_of(range(100), 30))
def test_decimals_between_bounds_are_found_whenever_there_is_one(seed: int) -> None:
    pick = random.Random(seed)
    places = pick.choice([0, 1, 2, 3, 5, 30, 500])
    low = Decimal(pick.randrange(-50, 50)).scaleb(-places)
    high = low + Decimal(pick.randrange(3)).scaleb(-places)
    kept = {"open_low": pick.random() < 0.5, "open_high": pick.random() < 0.5}

    annotation = Annotated[Decimal, *_bounds(low, high, **kept)]  # type: ignore[valid-type]
    if low == high and (kept["open_low"] or kept["open_high"]):
        with pytest.raises(SpecError, match="leave no value"):
            generate(annotation, MANY)
        return
    values = [case.value for case in generate(annotation, MANY)]
    assert all(_is_between(each, low, high, **kept) for each in values)
    assert len(set(values)) == (1 if low == high else MANY)  # decimals are dense


@pytest.mark.few(18)
@pytest.mark.parametrize("seed", few_of(range(150), 40))
def test_decimals_of_few_digits_are_those_that_pydantic_takes(seed: int) -> None:
    pick = random.Random(seed)
    digits, places = pick.choice([(1, None), (2, None), (2, 1), (2, 0), (1, 1), (None, 1), (3, 2), (2, 2)])
    low = Decimal(pick.randrange(-1300, 1300)).scaleb(-pick.randrange(4))
    high = low + Decimal(pick.randrange(40)).scaleb(-pick.randrange(3))
    rules = {"gt" if pick.random() < 0.5 else "ge": low, "lt" if pick.random() < 0.5 else "le": high}
    if pick.random() < 0.3:
        rules["multiple_of"] = pick.choice([Decimal("0.05"), Decimal("0.015"), Decimal("0.3"), Decimal(2)])
    annotation = Annotated[Decimal, Field(max_digits=digits, decimal_places=places, **rules)]  # type: ignore[arg-type]
    takes = TypeAdapter(annotation).validate_python
    there = set()
    for code in range(math.floor(low * 1000), math.ceil(high * 1000) + 1):
        try:
            there.add(takes(Decimal(code).scaleb(-3)))
        except ValidationError:
            continue

    try:
        suite = generate(annotation, len(there) + 1)
    except SpecError:
        assert not there
        return
    assert {case.value for case in suite} == there
    assert suite.status.ending is Ending.COMPLETE


@pytest.mark.corpus
def test_multiples_between_bounds_are_all_found() -> None:
    for step, (low, high) in itertools.product((0.001, 0.25, 0.3, 7.0), ((0.99, 1.0), (0.0, 0.001), (-3.0, 3.0))):
        there = [k * Decimal(str(step)) for k in range(-4000, 4000)]
        there = [each for each in there if Decimal(str(low)) < each < Decimal(str(high))]
        annotation = Annotated[float, Gt(low), Lt(high), MultipleOf(step)]
        if not there:
            with pytest.raises(SpecError, match="leave no value"):
                generate(annotation)
            continue
        values = {case.value for case in generate(annotation, len(there) + 1)}
        assert values == {float(each) for each in there}


def test_a_bound_beyond_all_floats_leaves_none() -> None:
    with pytest.raises(SpecError, match="leave no value"):
        generate(Annotated[float, Gt(1.7976931348623157e308)])
    with pytest.raises(SpecError, match="leave no value"):
        generate(Annotated[float, Ge(10**400)])
