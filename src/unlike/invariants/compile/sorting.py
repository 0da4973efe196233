"""The least and the largest value, and values in order."""

from __future__ import annotations

import ast

from unlike.invariants.compile.comparing import is_numeric
from unlike.invariants.compile.formula import FALSE, Literal
from unlike.invariants.compile.ordering import ordered
from unlike.invariants.compile.run import Run, Site
from unlike.invariants.compile.sequences import Entries, new_list
from unlike.invariants.compile.values import ListValue, Number, Value


def best_of(run: Run, entries: Entries, key: Value, site: Site, *, largest: bool) -> Value:
    """Return the least or largest of the values that are there, the first of those that are alike."""
    algebra, both = run.algebra, run.formula.both
    if key is None and all(is_numeric(value) for _, value in entries):
        numbers = [(here, run.numeric(value, here)) for here, value in entries]
        low, high = min(each.low for _, each in numbers), max(each.high for _, each in numbers)
        missing = Number(low, low, ()) if largest else Number(high, high, ())
        merged = [algebra.merge_numbers([(here, each), (-here, missing)]) for here, each in numbers]
        return algebra.extreme(merged, largest=largest)
    best: Value = None
    best_key: Value = None
    begun: Literal = FALSE
    for here, value in entries:
        its = value if key is None else run.call_value(key, [value], site.under(here))
        if begun == FALSE:
            best, best_key, begun = value, its, here
            continue
        first = both(here, -begun)
        shared = run.prover.possible(both(here, begun))
        better: Literal = FALSE
        if shared != FALSE:
            pair = (best_key, its) if largest else (its, best_key)
            better = both(here, begun, ordered(run, ast.Lt, *pair, site.under(shared)))
        taken = run.formula.either(first, better)
        best = algebra.merge([(taken, value), (-taken, best)])
        best_key = algebra.merge([(taken, its), (-taken, best_key)])
        begun = run.formula.either(begun, here)
    return best


def sorted_list(run: Run, source: ListValue, key: Value, site: Site, *, reverse: bool) -> ListValue:
    """Return the values in order; those that are alike stay in the order they had."""
    both = run.formula.both
    entries = source.list_entries()
    keys = [
        value if key is None else run.call_value(key, [value], site.under(both(site.guard, present)))
        for present, value in entries
    ]
    before: list[list[Literal]] = [[] for _ in entries]  # for each entry, which others come before it
    for later, (here, _) in enumerate(entries):
        for earlier, (there, _) in enumerate(entries[:later]):
            shared = both(here, there)
            under = run.prover.possible(both(site.guard, shared))
            if under == FALSE:
                continue
            pair = (keys[later], keys[earlier]) if not reverse else (keys[earlier], keys[later])
            swapped = _surely_ordered(run, *pair, site.under(under))
            before[earlier].append(both(shared, swapped))
            before[later].append(both(shared, -swapped))
    places: list[Entries] = [[] for _ in entries]
    for position, (present, value) in enumerate(entries):
        rank = run.algebra.count(before[position])
        for place in range(rank.low, rank.high + 1):
            literal = both(present, run.algebra.is_exactly(rank, place))
            if literal != FALSE:
                places[place].append((literal, value))
    merged = [
        (run.formula.either(*(literal for literal, _ in cases)), run.algebra.merge(cases)) for cases in places if cases
    ]
    return new_list(run, merged, dense=True)


def _surely_ordered(run: Run, one: Value, other: Value, site: Site) -> Literal:
    """Return whether one comes before the other; refused where that can be an exception.

    Which pairs a sort compares is its own affair, so an exception of one pair need not be one of the sort.
    """
    outer = run.raised, run.dead
    run.raised, run.dead = [], FALSE
    try:
        literal = ordered(run, ast.Lt, one, other, site)
        if any(run.prover.feasible(each.literal) != FALSE for each in run.raised):
            run.refuse(site, "sorting values that may have no order")
    finally:
        run.raised, run.dead = outer
    return literal
