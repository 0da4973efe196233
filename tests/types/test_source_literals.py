"""`literals={"int": "source"}`: what source mentions becomes extra values, by name and type, after the usual ones."""

from dataclasses import dataclass
from typing import Annotated, Any

import pydantic
import pytest
from annotated_types import Ge, Le
from click.testing import CliRunner

import unlike
from unlike import ScopeError, SpecError, generate
from unlike.cli import cli


@dataclass
class Parcel:
    weight: int
    count: Annotated[int, Ge(0), Le(100)]
    unit: str

    def is_heavy(self) -> bool:
        return self.weight > 5_000 and self.unit == "kg"

    def is_pair(self) -> bool:
        return self.count == 2


class Order(pydantic.BaseModel):
    amount: int

    @pydantic.field_validator("amount")
    @classmethod
    def check(cls, value: int) -> int:
        if value == 4_711:
            raise ValueError("not this one")
        return value


def price(parcel: Parcel) -> int:
    return 1 if parcel.weight == 777 else 2


def weights(suite: unlike.Suite[Any]) -> list[int]:
    return [each.weight for each in suite.values]


def test_values_come_by_name_and_type_after_the_usual_ones() -> None:
    usual, sourced = generate(Parcel), generate(Parcel, literals={"int": "source", "str": "source"})

    assert weights(usual)[0] == weights(sourced)[0] == 0
    assert {5_000, 4_999, 5_001} <= set(weights(sourced))
    assert 5_000 not in weights(usual)
    assert {1, 2, 3} <= {each.count for each in sourced.values}, "what flows into count"
    assert 4_999 not in {each.count for each in sourced.values}
    assert "kg" in {each.unit for each in sourced.values}


def test_a_field_alone_can_be_named() -> None:
    suite = generate(Parcel, literals={"weight": "source"})

    assert 5_000 in weights(suite)
    assert "kg" not in {each.unit for each in suite.values}


@pytest.mark.corpus
def test_the_source_is_that_of_the_code_where_it_is_named() -> None:
    suite = generate(Parcel, 8, code=price, literals={"int": "source"})
    off = generate(Parcel, 8, code=price, literals={"int": "source"}, source=False)

    assert 777 in weights(suite)
    assert 777 in weights(generate(Parcel, 8, code=price)), "on where code is named"
    assert off.values == generate(Parcel, 8, code=price, source=False).values


def test_validators_are_source_and_still_decide() -> None:
    amounts = {each.amount for each in generate(Order, literals={"int": "source"}).values}

    assert {4_710, 4_712} <= amounts
    assert 4_711 not in amounts


def test_the_command_takes_it() -> None:
    target = f"{__name__}:Parcel"
    ran = CliRunner().invoke(cli, ["generate", target, "--literals", "int=source"], standalone_mode=False)

    assert ran.exception is None
    assert "5000" in ran.stdout


def test_what_has_no_source_is_refused_with_the_remedy() -> None:
    with pytest.raises(ScopeError, match="name the code under test"):
        generate(int, literals={"int": "source"})
    with pytest.raises(SpecError, match="there is no such field"):
        generate(Parcel, literals={"wieght": "source"})


class Dial:
    def __init__(self, level: int) -> None:
        self.level = level

    def rep_ok(self) -> bool:
        return self.level == 37 or 0 <= self.level <= 1


def test_structures_have_values_of_their_source_beside_the_usual_ones() -> None:
    found = unlike.structures(Dial, scope=2, literals={"int": "source"})

    assert {each.level for each in found.suite.values} == {0, 1, 37}
