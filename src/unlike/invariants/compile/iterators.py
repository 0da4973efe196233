"""What gives values one after the other: map, filter, zip, enumerate, and what itertools makes."""

from __future__ import annotations

import ast
import itertools
import math
from collections.abc import Callable
from typing import Any, TypeAlias

from unlike.invariants.compile.comparing import truth_of
from unlike.invariants.compile.containers import Visit, as_list, go_over, taken_together
from unlike.invariants.compile.formula import FALSE, TRUE, Literal
from unlike.invariants.compile.operators import combine
from unlike.invariants.compile.run import Run, Site
from unlike.invariants.compile.sequences import Entries, count_items, dense_entries, new_list
from unlike.invariants.compile.sorting import sorted_list
from unlike.invariants.compile.values import (
    Alternatives,
    LazyValues,
    ListValue,
    Number,
    SetValue,
    Thing,
    Value,
    made_plain,
)

Builtin: TypeAlias = Callable[[Run, list[Value], dict[str, Value], Site], Value]
MOST_COMBINATIONS = 500  # tuples that itertools makes


def _map(run: Run, places: list[Value], _: dict[str, Value], site: Site) -> Value:
    function, *sources = places
    source = sources[0] if len(sources) == 1 else _zip(run, sources, {}, site)

    def each(guard: Literal, visit: Visit) -> Literal:
        def hand_on(here: Literal, value: Value) -> Literal:
            arguments = [value] if len(sources) == 1 else list(value)
            result = run.call_value(function, arguments, site.under(here))
            return visit(run.alive(here), result)

        return go_over(run, source, site.under(guard), hand_on)

    return LazyValues(each)


def _filter(run: Run, places: list[Value], _: dict[str, Value], site: Site) -> Value:
    function, source = places

    def each(guard: Literal, visit: Visit) -> Literal:
        def hand_on(here: Literal, value: Value) -> Literal:
            result = value if function is None else run.call_value(function, [value], site.under(here))
            fits = run.prover.possible(run.formula.both(run.alive(here), truth_of(run, result, site.under(here))))
            if fits == FALSE:
                return here
            after = visit(fits, _without_none(value, function))
            return here if after == fits else run.formula.either(after, run.formula.both(here, -fits))

        return go_over(run, source, site.under(guard), hand_on)

    return LazyValues(each)


def _without_none(value: Value, function: Value) -> Value:
    """Return a value that is known to be true without None."""
    if function is not None or not isinstance(value, Alternatives) or None not in value.atoms:
        return value
    atoms = {atom: literal for atom, literal in value.atoms.items() if atom is not None}
    return made_plain(Alternatives(atoms, value.number, value.is_number))


def _zip(run: Run, places: list[Value], keywords: dict[str, Value], site: Site) -> Value:
    """Return tuples of the first, second … values of several sources."""
    columns = [dense_entries(run, taken_together(run, each, site)) for each in places]
    strict = keywords.get("strict", False)
    if not isinstance(strict, bool):
        run.refuse(site, "zip with an open `strict`")
    if not columns:
        return new_list(run, [], dense=True)
    if strict:
        lengths = [count_items(run, new_list(run, column, dense=True)) for column in columns]
        for length in lengths[1:]:
            run.reject(site.guard, -run.algebra.equal_numbers(lengths[0], length), ValueError)
    rows = zip(*columns, strict=False)
    entries: Entries = [
        (run.formula.both(*(present for present, _ in row)), tuple(value for _, value in row)) for row in rows
    ]
    return _once(run, new_list(run, entries, dense=True), site)


def _once(run: Run, source: ListValue, site: Site) -> LazyValues:
    """Return a list as what can be gone over once."""
    return LazyValues(lambda guard, visit: go_over(run, source, site.under(guard), visit))


def _enumerate(run: Run, places: list[Value], keywords: dict[str, Value], site: Site) -> Value:
    start = places[1] if len(places) == 2 else keywords.get("start", 0)
    source = made_plain(places[0])
    first = run.numeric(start, site.guard)
    dense = isinstance(source, tuple) or (isinstance(source, ListValue) and source.queue is None and source.dense)

    def each(guard: Literal, visit: Visit) -> Literal:
        seen: list[Literal] = []

        def hand_on(here: Literal, value: Value) -> Literal:
            before = Number(len(seen), len(seen), ()) if dense else run.count(seen)
            seen.append(here)
            number = run.algebra.sum_of(first, before)
            return visit(here, (number.low if number.low == number.high else number, value))

        return go_over(run, source, site.under(guard), hand_on)

    return LazyValues(each)


def _reverse_values(run: Run, places: list[Value], _: dict[str, Value], site: Site) -> Value:
    source = made_plain(places[0])
    if isinstance(source, SetValue | LazyValues):
        run.reject(site.guard)
        return new_list(run, [])
    if isinstance(source, Thing | Alternatives):
        return NotImplemented
    return _once(run, new_list(run, as_list(run, source, site).list_entries()[::-1]), site)


def _sort_values(run: Run, places: list[Value], keywords: dict[str, Value], site: Site) -> Value:
    reverse = keywords.get("reverse", False)
    if set(keywords) - {"key", "reverse"} or not isinstance(reverse, bool):
        return NotImplemented
    return sorted_list(run, as_list(run, places[0], site), keywords.get("key"), site, reverse=reverse)


def _iter(run: Run, places: list[Value], _: dict[str, Value], site: Site) -> Value:
    (source,) = places
    if isinstance(made_plain(source), LazyValues):
        return source
    return LazyValues(lambda guard, visit: go_over(run, source, site.under(guard), visit))


def _next(run: Run, places: list[Value], _: dict[str, Value], site: Site) -> Value:
    """Return the first value of an iterator, which is not gone on with."""
    source = made_plain(places[0])
    if not isinstance(source, LazyValues):
        return NotImplemented
    cases: list[tuple[Literal, Value]] = []

    def take(here: Literal, value: Value) -> Literal:
        cases.append((here, value))
        return FALSE

    go_over(run, source, site, take)
    missing = run.formula.both(*(-literal for literal, _ in cases))
    if len(places) == 1:
        run.reject(site.guard, missing, StopIteration)
        return run.algebra.merge(cases)
    return run.algebra.merge([*cases, (missing, places[1])])


def _chain(run: Run, places: list[Value], _: dict[str, Value], site: Site) -> Value:
    return _chain_sources(run, new_list(run, [(TRUE, each) for each in places], dense=True), site)


def _chain_from(run: Run, places: list[Value], _: dict[str, Value], site: Site) -> Value:
    return _chain_sources(run, places[0], site)


def _chain_sources(run: Run, sources: Value, site: Site) -> LazyValues:
    """Return what goes over one source after the other."""

    def each(guard: Literal, visit: Visit) -> Literal:
        return go_over(
            run, sources, site.under(guard), lambda here, source: go_over(run, source, site.under(here), visit)
        )

    return LazyValues(each)


def _pairwise(run: Run, places: list[Value], _: dict[str, Value], site: Site) -> Value:
    entries = dense_entries(run, taken_together(run, places[0], site))
    pairs: Entries = [
        (run.formula.both(here, there), (one, other)) for (here, one), (there, other) in itertools.pairwise(entries)
    ]
    return _once(run, new_list(run, pairs, dense=True), site)


def _combinations(function: Any) -> Builtin:
    def combinations(run: Run, places: list[Value], keywords: dict[str, Value], site: Site) -> Value:
        if len(places) != 2 or type(places[1]) is not int or keywords:
            return NotImplemented
        entries = as_list(run, places[0], site).list_entries()
        rows = list(itertools.islice(function(entries, places[1]), MOST_COMBINATIONS + 1))
        if len(rows) > MOST_COMBINATIONS:
            run.refuse(site, f"{function.__name__} of so many values")
        found: Entries = [
            (run.formula.both(*(present for present, _ in row)), tuple(value for _, value in row)) for row in rows
        ]
        return _once(run, new_list(run, found), site)

    return combinations


def _product(run: Run, places: list[Value], keywords: dict[str, Value], site: Site) -> Value:
    columns = [as_list(run, each, site).list_entries() for each in places]
    if keywords or math.prod(map(len, columns)) > MOST_COMBINATIONS:
        return NotImplemented
    found: Entries = [
        (run.formula.both(*(present for present, _ in row)), tuple(value for _, value in row))
        for row in itertools.product(*columns)
    ]
    return _once(run, new_list(run, found), site)


def _accumulate(run: Run, places: list[Value], keywords: dict[str, Value], site: Site) -> Value:
    function = places[1] if len(places) > 1 else keywords.get("func")
    given = keywords.get("initial")

    def each(guard: Literal, visit: Visit) -> Literal:
        both = run.formula.both
        total, begun, running = given, FALSE if given is None else TRUE, guard
        if given is not None:
            running = visit(guard, given)

        def take(here: Literal, value: Value) -> Literal:
            nonlocal total, begun
            if begun == FALSE:
                total, begun = value, here
                return visit(here, total)
            goes_on = run.prover.possible(both(here, begun))
            cases = [(both(here, -begun), value), (-here, total)]
            if goes_on != FALSE:
                at = site.under(goes_on)
                if function is None:
                    added = combine(run, ast.Add(), total, value, at)
                else:
                    added = run.call_value(function, [total, value], at)
                cases.append((both(here, begun), added))
            total = run.algebra.merge(cases)
            begun = run.formula.either(begun, here)
            return visit(here, total)

        return go_over(run, places[0], site.under(running), take)

    return LazyValues(each)


ITERATORS: dict[Any, Builtin] = {
    map: _map, filter: _filter, zip: _zip, enumerate: _enumerate, reversed: _reverse_values, sorted: _sort_values,
    iter: _iter, next: _next, itertools.chain: _chain, itertools.chain.from_iterable: _chain_from,
    itertools.pairwise: _pairwise, itertools.combinations: _combinations(itertools.combinations),
    itertools.permutations: _combinations(itertools.permutations), itertools.product: _product,
    itertools.accumulate: _accumulate,
}  # fmt: skip
