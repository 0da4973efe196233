"""Saved structures on trial: whether each is within the scope, and the invariant accepts it."""

from __future__ import annotations

from collections.abc import Sequence

from unlike.core import Bounds, Isolation, record_of
from unlike.invariants.fields.domains import FieldTable
from unlike.invariants.fields.table import fields_of
from unlike.invariants.structure import Structure, find_outside, structure_of
from unlike.invariants.verbs import INVARIANT, StructuresKeywords, invariant_of
from unlike.recipe import Recipe, Resolve, run


def first_not_accepted(
    recipes: Sequence[Recipe], *, cls: type, options: StructuresKeywords, resolve: Resolve
) -> tuple[int, str] | None:
    """Return the first recipe that no search for structures would hold, and why.

    A recipe that raises is left to its test, which shows how.
    """
    bounds = record_of(Bounds, options)
    table = fields_of(cls, bounds.to_scope(), given=bounds.fields, isolation=record_of(Isolation, options))
    check, name = invariant_of(cls, options.get("invariant", INVARIANT))
    labelled = bool(options.get("all_labels"))
    seen: dict[Structure, int] = {}
    for position, recipe in enumerate(recipes):
        try:
            thing = run(recipe, resolve)
            structure, accepted = structure_of(thing, table), bool(check(thing))
        except Exception:  # the code under test may raise anything; its test will show it
            continue
        wrong = _wrong(thing, structure, table) or ("" if accepted else f"{name} rejects it")
        if wrong:
            return position, wrong
        assert structure is not None
        if structure in seen and not labelled:
            return position, f"it is like input {seen[structure] + 1}: the same structure"
        seen[structure] = position
    return None


def _wrong(thing: object, structure: Structure | None, table: FieldTable) -> str:
    """Say in words why an object is no structure of the table."""
    if type(thing) is not table.root:
        return f"it makes {type(thing).__name__}, not {table.root.__name__}"
    if structure is None:
        return "it lacks a field, or holds an object of another class"
    return find_outside(structure, table)
