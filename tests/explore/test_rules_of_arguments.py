"""What somebody declares for a type is passed as far as the annotation allows it; predicates are code of the user's."""

import os
from typing import Annotated, Any

import annotated_types as at
import pytest

from unlike.classes.api import Api, api_of
from unlike.classes.guessing.guesses import NO_GUESSES
from unlike.classes.guessing.verb import guess_values
from unlike.classes.pools import Pool
from unlike.scope import Scope


def is_even(value: int) -> bool:
    return value % 2 == 0


def ends_the_process(value: int) -> bool:
    os._exit(3)


class Meter:
    def __init__(self) -> None:
        self.value = 0

    def set_bit(self, value: Annotated[int, at.Ge(0), at.Le(1)]) -> None:
        self.value = value

    def set_even(self, value: Annotated[int, at.Predicate(is_even)]) -> None:
        self.value = value

    def set_deadly(self, value: Annotated[int, at.Predicate(ends_the_process)]) -> None:
        self.value = value


def arguments(api: Api, title: str) -> list[object]:
    return [each.args[0] for each in api.templates if each.operation.title == title]


def test_a_pool_declared_for_a_type_is_narrowed_by_the_rules_of_the_parameter() -> None:
    api = api_of([Meter], Scope(objects=2, literals={"int": [0, 1, 5, 6]}))

    assert arguments(api, "Meter.set_bit") == [0, 1]
    assert arguments(api, "Meter.set_even") == [0, 6]


def test_a_pool_of_which_the_rules_leave_nothing_is_refused_by_name() -> None:
    api = api_of([Meter], Scope(objects=2, literals={"int": [5, 7]}))

    reasons = {each.title: each.reason for each in api.refusals}
    assert "none of 5, 7 keeps >= 0 and <= 1" in reasons["Meter.set_bit"]
    assert "none of 5, 7 keeps predicate is_even" in reasons["Meter.set_even"]


def test_a_pool_declared_for_the_parameter_itself_is_the_users_word() -> None:
    api = api_of([Meter], Scope(objects=2, literals={"set_bit.value": [9]}))

    assert arguments(api, "Meter.set_bit") == [9]


def test_a_predicate_that_ends_its_process_ends_no_other_and_is_named() -> None:
    api = api_of([Meter], Scope(objects=2))

    assert arguments(api, "Meter.set_even") == [0, 2]
    (refusal,) = api.refusals
    assert "predicate ends_the_process ended its process on 0" in refusal.reason


def test_a_set_is_listed_in_the_same_order_in_every_run() -> None:
    assert str(Pool(({"b", "a", "c"}, frozenset({"z", "y"})))) == "{'a', 'b', 'c'}, frozenset({'y', 'z'})"


class Labelled:
    def __init__(self) -> None:
        self.number, self.text = 7, "seven"

    def set_number(self, number: int) -> None:
        self.number = number

    def set_text(self, text: str) -> None:
        self.text = text


def test_what_stands_in_the_source_is_passed_after_the_usual_values_where_it_is_of_the_type() -> None:
    usual = api_of([Labelled], Scope(objects=2))
    api = api_of([Labelled], Scope(objects=2, literals={"int": "source", "str": "source"}))

    for title, value in (("Labelled.set_number", 7), ("Labelled.set_text", "seven")):
        assert arguments(api, title) == [*arguments(usual, title), value]


class Account:
    def __init__(self) -> None:
        self.amount, self.role = 0, "guest"

    def pay(self, amount: int, times: int = 1) -> bool:
        if amount > 1000 or times == 12:
            return False
        self.amount += amount * times
        return True

    def become(self, role: str) -> None:
        if role in ("admin", "owner"):
            self.role = role

    def fill(self, amounts: list[int]) -> None:
        for amount in amounts:
            self.pay(amount)


@pytest.mark.parametrize("guess", ["try", "none"])
def test_constants_of_the_source_flow_into_parameters_by_name_and_by_type(guess: str) -> None:
    def passed(title: str, literals: dict[Any, Any]) -> list[Any]:
        scope = Scope(objects=2, literals=literals)
        guesses = guess_values([Account], scope) if guess == "try" else NO_GUESSES
        found = arguments(api_of([Account], scope, guesses=guesses), title)
        return [each for at, each in enumerate(found) if each not in found[:at]]

    # beside what it is compared with; after the usual values; a text flows into no int
    assert passed("Account.pay", {"int": "source"})[:5] == [0, 1, 1000, 999, 1001]
    assert passed("Account.become", {"str": "source"})[-2:] == ["admin", "owner"]
    assert passed("Account.become", {"int": "source"}) == passed("Account.become", {})
    # of one parameter alone, by its name; and within containers
    assert passed("Account.pay", {"amount": "source"})[:5] == [0, 1, 1000, 999, 1001]
    assert passed("Account.pay", {"pay.amount": "source"})[:5] == [0, 1, 1000, 999, 1001]
    assert passed("Account.become", {"amount": "source"}) == passed("Account.become", {})
    assert [1000] in passed("Account.fill", {"amounts": "source"})
