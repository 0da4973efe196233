"""How an invariant is written does not decide whether it compiles: twelve kinds of structures in three styles each."""

import importlib
from collections.abc import Callable
from typing import Any

import pytest
from tests.corpora import few_of
from tests.invariants.three_styles import STYLES

from unlike.invariants.compile.compiling import compile_invariant
from unlike.invariants.fields.domains import FieldTable
from unlike.invariants.fields.table import fields_of
from unlike.invariants.search.engine import Order
from unlike.invariants.search_in_copy import find
from unlike.invariants.structure import Structure
from unlike.scope import Scope

EACH = [(place, style) for place, styles in STYLES.items() for style in styles]


def searched(table: FieldTable, invariant: Callable[[Any], object]) -> set[Structure]:
    found = find(Order(table, invariant))
    return {block.at(index) for block in found.blocks for index in range(block.count())}


@pytest.mark.few(5)
@pytest.mark.parametrize("scope", few_of([2, 3], 1))
@pytest.mark.parametrize(("place", "style"), EACH, ids=lambda each: getattr(each, "__name__", ""))
def test_each_style_compiles_to_the_structures_of_the_example(
    place: str, style: Callable[[Any], bool], scope: int
) -> None:
    module, _, name = place.partition(":")
    cls = getattr(importlib.import_module(f"examples.structures.{module}"), name)
    table = fields_of(cls, Scope(objects=scope))

    models = list(compile_invariant(table, style).models())

    assert len(models) == len(set(models)), "a structure comes once"
    assert set(models) == searched(table, cls.rep_ok) == searched(table, style)
