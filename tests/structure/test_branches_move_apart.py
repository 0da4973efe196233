"""Fields of the same name in several branches of a choice are places of their own: they do not move together."""

from __future__ import annotations

from dataclasses import dataclass

import unlike

N = 60


@dataclass
class Cat:
    name: str
    age: int
    kind: bool


@dataclass
class Dog:
    name: str
    age: int
    kind: bool


@dataclass
class Owner:
    pet: Cat | Dog


def test_records_of_a_union_differ_in_more_than_the_record() -> None:
    pets = [case.value.pet for case in unlike.generate(Owner, N)]
    cats = {(pet.name, pet.age) for pet in pets if isinstance(pet, Cat)}
    dogs = {(pet.name, pet.age) for pet in pets if isinstance(pet, Dog)}
    assert len(cats & dogs) <= 3


def test_the_first_of_each_branch_differ() -> None:
    first, second = (case.value.pet for case in list(unlike.generate(Owner, N))[:2])
    assert type(first) is not type(second)
    assert (first.name, first.age) != (second.name, second.age)
