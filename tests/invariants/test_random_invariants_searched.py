"""Random invariants: the search and plain Korat find the same structures, whatever is read in whatever order."""

from __future__ import annotations

import random
from typing import Any

import pytest

from unlike.invariants.fields.domains import FieldTable
from unlike.invariants.fields.table import fields_of
from unlike.invariants.korat import Korat
from unlike.invariants.search.engine import Order, Search
from unlike.invariants.search.template import TemplateFilling, TemplateStructures
from unlike.scope import Scope


class Cell:
    number: int
    flag: bool
    near: Cell | None
    far: Cell | None

    def __init__(self, number: int) -> None:
        self.number = number


class Store:
    first: Cell | None
    count: int
    numbers: list[int]
    names: dict[int, bool]
    cells: list[Cell]

    def __init__(self) -> None:
        self.count = 0


CELLS = ["self.first", "self.first.near", "self.first.far", "self.cells[0]", "self.cells[-1]"]
INTS = ["self.count", "self.first.number", "self.cells[0].number", "len(self.numbers)", "self.numbers[0]", "1",
        "len(self.names)", "len(self.cells)", "sum(self.numbers)", "self.first.near.number + 1", "max(self.numbers)",
        "self.count * 2"]  # fmt: skip
TRUTHS = ["self.first.flag", "self.names[0]", "self.names.get(1)", "1 in self.names", "self.count in self.numbers",
          "all(self.names.values())", "len(set(self.numbers)) == len(self.numbers)", "self.first in self.cells",
          "sorted(self.numbers) == self.numbers", "isinstance(self.count, int)"]  # fmt: skip


def condition(chance: random.Random, depth: int = 2) -> str:
    """Return a condition over the fields, as source."""
    kind = chance.randrange(8 if depth else 5)
    if kind == 0:
        return chance.choice(TRUTHS)
    if kind in (1, 2):
        return f"{chance.choice(INTS)} {chance.choice(['<', '<=', '==', '!=', '>'])} {chance.choice(INTS)}"
    if kind == 3:
        return f"{chance.choice(CELLS)} is {chance.choice(CELLS)}"
    if kind == 4:
        return f"{chance.choice(CELLS)} is None"
    if kind == 5:
        return f"not ({condition(chance, depth - 1)})"
    word = chance.choice(["and", "or"])
    return f"({condition(chance, depth - 1)}) {word} ({condition(chance, depth - 1)})"


@pytest.fixture(scope="module")
def table() -> FieldTable:
    fields = {"Store.numbers": "list[int]", "Store.cells": "list[Cell]", "Store.count": range(3)}
    return fields_of(Store, Scope(objects=1, literals={"int": [0, 1]}, elements=1), given=fields)


@pytest.mark.parametrize("seed", range(30))
def test_search_and_korat_agree_on_random_invariants(seed: int, table: FieldTable) -> None:
    chance = random.Random(seed)
    source = f"({condition(chance)}) and ({condition(chance)})"
    names: dict[str, Any] = {}
    exec(f"def invariant(self):\n    return {source}", names)

    search, filling = Search(Order(table, names["invariant"])), TemplateFilling(table)
    blocks = [TemplateStructures(search.template(), filling) for _ in search.accept()]
    found = [block.at(index) for block in blocks for index in range(block.count())]
    reference = list(Korat(Order(table, names["invariant"])).structures())

    assert len(found) == len(set(found)) == len(reference), source
    assert set(found) == set(reference), source
