"""Rules on the digits of decimals are broken alone, and nothing is that pydantic takes."""

from __future__ import annotations

from decimal import Decimal
from itertools import product

import pytest
from pydantic import BaseModel, Field, ValidationError, create_model

import unlike


def model_of(digits: int | None, places: int | None, least: int | None, most: int | None) -> type[BaseModel]:
    rules = {"max_digits": digits, "decimal_places": places, "ge": least, "le": most}
    stated = {name: rule for name, rule in rules.items() if rule is not None}
    return create_model("Price", price=(Decimal, Field(**stated)))  # type: ignore[call-overload, no-any-return]


@pytest.mark.few(14)
@pytest.mark.parametrize(
    ("digits", "places", "least", "most"),
    [case for case in product((None, 3, 5), (None, 0, 2), (None, 0), (None, 9)) if case[:2] != (None, None)],
)
def test_digits_and_places_are_broken_alone(
    digits: int | None, places: int | None, least: int | None, most: int | None
) -> None:
    model = model_of(digits, places, least, most)

    broken = {case.label.removeprefix("price: "): case.value for case in unlike.invalid(model)}

    for label in ("too many digits", "too many decimal places"):
        if label in broken:
            with pytest.raises(ValidationError) as refused:
                model.model_validate(broken[label])
            assert [each["type"] for each in refused.value.errors()] == [KINDS[label]]
    assert ("too many decimal places" in broken) == (places is not None)
    may_be_long = most is None or least is None or (places is None and digits is not None)
    assert ("too many digits" in broken) == (digits is not None and may_be_long)


KINDS = {"too many digits": "decimal_max_digits", "too many decimal places": "decimal_max_places"}
