"""The invariant on trial: whether it treats stand-ins like ints, and says the same twice.

An invariant that asks `type(x) is int` sees that a token is none, and nothing can be done about that while it runs. So
a small scope is searched in both ways, with tokens and with ints one by one, and the structures are compared.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from unlike.invariants.fields import FieldTable, Ints
from unlike.invariants.finding import Found, Order, find
from unlike.invariants.structure import Structure

SCOPE = 3
MOST_RUNS = 20_000  # of the search with ints one by one; beyond it a smaller scope is taken
MOST_COMPARED = 3_000  # structures; beyond it only their number is compared

Verdict = Literal["alike", "differs", "random", "not compared"]


def tried(order: Order, smaller: dict[int, FieldTable]) -> Verdict:
    """Compare both ways in the largest of the smaller tables (by scope) that is not too large."""
    if not has_ints(order.table):
        return "alike"
    for scope in sorted(smaller, reverse=True):
        small = replace(order, table=smaller[scope], most_runs=MOST_RUNS, counted=False, enough=None)
        plain = find(replace(small, symbolic=False))
        if plain.ended in ("runs", "time"):
            continue
        if plain.ended != "complete":
            return "alike"  # it writes, or does not end: the search itself will say so
        if _contents(find(small)) == _contents(plain):
            return "alike"
        again = find(replace(small, symbolic=False))
        return "differs" if _contents(again) == _contents(plain) else "random"
    return "not compared"


def has_ints(table: FieldTable) -> bool:
    """Tell whether some field is searched with tokens."""
    domains = [field.domain for each in table.classes for field in each.fields]
    return any(
        (isinstance(part, Ints) and part.low < part.high) or (not isinstance(part, Ints) and _is_container(part))
        for domain in domains
        for part in domain.parts
    )


def _is_container(part: object) -> bool:
    return hasattr(part, "element") or hasattr(part, "key") or hasattr(part, "places")


def _contents(found: Found) -> object:
    """Return what can be compared of a result: the structures, or their number."""
    if found.ended != "complete" or found.count > MOST_COMPARED:
        return found.ended, found.count
    structures: set[Structure] = {block.at(index) for block in found.blocks for index in range(block.count())}
    return structures
