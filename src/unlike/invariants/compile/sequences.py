"""Lists whose entries are each there under a literal: their places, parts, and joined ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from unlike.invariants.compile.formula import FALSE, TRUE, Literal
from unlike.invariants.compile.run import Run, Site
from unlike.invariants.compile.values import (
    ContainerValue,
    DictValue,
    ListValue,
    Number,
    RangeValue,
    SetValue,
    Value,
    list_value,
)

Entries: TypeAlias = list[tuple[Literal, Value]]


def new_list(run: Run, entries: Entries, *, dense: bool = False, kind: str = "") -> ListValue:
    """Return a list of its own with these entries."""
    made = ListValue(entries=entries, queue=None, dense=dense, born=run.steps)
    if kind in ("tuple", "deque"):
        made.kind, made.fixed = kind, kind == "tuple"
    return made


def count_before(run: Run, entries: Entries, position: int, *, dense: bool) -> Number:
    """Return how many entries are there before a position."""
    if dense:
        return Number(position, position, ())
    return run.count([present for present, _ in entries[:position]])


def count_items(run: Run, value: ContainerValue) -> Number:
    """Return how many values a container holds."""
    match value:
        case SetValue(members=members):
            return run.count(list(members.values()))
        case DictValue(entries=entries):
            return run.count([present for present, _ in entries.values()])
        case ListValue(dense=dense):
            presents = [present for present, _ in value.list_entries()]
            if not dense:
                return run.count(presents)
            certain = sum(present in run.formula.units for present in presents)
            return Number(certain, len(presents), presents[certain:])
    raise AssertionError(value)


def dense_entries(run: Run, source: ListValue | Sequence[Value]) -> Entries:
    """Return the entries so that one is there only if all before it are: its place is its position."""
    if not isinstance(source, ListValue):
        source = list_value(source)
    units, algebra = run.formula.units, run.algebra
    entries = [(present, value) for present, value in source.list_entries() if -present not in units]
    if source.dense or all(present in units for present, _ in entries[:-1]):
        return entries
    places: list[Entries] = [[] for _ in entries]
    for position, (present, value) in enumerate(entries):
        rank = count_before(run, entries, position, dense=False)
        for place in range(rank.low, rank.high + 1):
            here = run.formula.both(present, algebra.is_exactly(rank, place))
            if here != FALSE:
                places[place].append((here, value))
    return [(run.formula.either(*(literal for literal, _ in cases)), algebra.merge(cases)) for cases in places if cases]


def entry_at(run: Run, source: ListValue | Sequence[Value], index: Value, guard: Literal) -> Value:
    """Return the entry at an index; one that is not there is an exception."""
    if not isinstance(source, ListValue):
        source = list_value(source)
    cases = [(literal, value) for literal, _, value in _places(run, source, run.numeric(index, guard))]
    found = run.formula.either(*(literal for literal, _ in cases))
    run.reject(guard, -found, IndexError)
    return run.algebra.merge(cases)


def _places(run: Run, source: ListValue, place: Number) -> list[tuple[Literal, int, Value]]:
    """Return for each entry when it is the one at a place, its position, and its value."""
    entries = source.list_entries()
    algebra, both, either = run.algebra, run.formula.both, run.formula.either
    length = count_items(run, source)
    found = []
    for position, (present, value) in enumerate(entries):
        rank = count_before(run, entries, position, dense=source.dense)
        from_end = algebra.sum_of(rank, length.negate()) if place.low < 0 else None
        ways = [algebra.equal_numbers(each, place) for each in (rank, from_end) if each is not None]
        found.append((both(present, either(*ways)), position, value))
    return found


def store_entry(run: Run, target: ListValue, index: Value, value: Value, site: Site) -> None:
    """Store a value at a place of a list; one that is not there is an exception."""
    place = run.numeric(index, site.guard)
    target.leave_queue()
    places = _places(run, target, place)
    run.reject(site.guard, -run.formula.either(*(literal for literal, _, _ in places)), IndexError)
    guard = run.alive(site.guard)
    for literal, position, old in places:
        here = run.formula.both(guard, literal)
        if here != FALSE:
            merged = run.algebra.merge([(here, value), (-here, old)])
            target.entries[position] = (target.entries[position][0], merged)


def delete_entry(run: Run, target: ListValue, index: Value, site: Site) -> None:
    """Take the value at a place out of a list; one that is not there is an exception."""
    place = run.numeric(index, site.guard)
    target.leave_queue()
    target.shrunk += 1
    places = _places(run, target, place)
    run.reject(site.guard, -run.formula.either(*(literal for literal, _, _ in places)), IndexError)
    guard = run.alive(site.guard)
    for literal, position, value in places:
        gone = run.formula.both(guard, literal)
        target.entries[position] = (run.formula.both(target.entries[position][0], -gone), value)
    target.dense = False


def slice_of(run: Run, source: ListValue, bounds: tuple[Value, Value, Value], site: Site) -> ListValue:
    """Return a slice of a list."""
    start, stop, step = bounds
    if step not in (None, 1, -1) or isinstance(step, bool):
        run.refuse(site, "a slice with such a step")
    entries = dense_entries(run, source)
    length = count_items(run, new_list(run, entries, dense=True))
    backwards = step == -1
    if backwards and not (start is None and stop is None):
        run.refuse(site, "a slice that goes backwards between bounds")
    first = Number(0, 0, ()) if start is None else _clip_bound(run, start, length, site)
    last = length if stop is None else _clip_bound(run, stop, length, site)
    both = run.formula.both
    kept = [
        (both(present, -first.at_least(place + 1), last.at_least(place + 1)), value)
        for place, (present, value) in enumerate(entries)
    ]
    known = first.low == first.high  # then what is left is still one after the other
    kept = kept[first.low :] if known else kept
    if backwards:
        return new_list(run, kept[::-1], kind=source.kind, dense=all(each in run.formula.units for each, _ in kept))
    return new_list(run, kept, dense=known, kind=source.kind)


def _clip_bound(run: Run, bound: Value, length: Number, site: Site) -> Number:
    """Return a bound of a slice as a place: negative ones count from the end, and none is beyond the ends."""
    number = run.numeric(bound, site.guard)
    algebra = run.algebra
    if number.low < 0:
        from_end = algebra.sum_of(number, length)
        number = algebra.merge_numbers([(-number.at_least(0), from_end), (number.at_least(0), number)])
        number = algebra.extreme([number, Number(0, 0, ())], largest=True)
    return algebra.extreme([number, length], largest=False)


def join_lists(run: Run, left: ListValue, right: ListValue) -> ListValue:
    """Return one list after the other."""
    first, second = left.list_entries(), right.list_entries()
    whole = left.dense and all(present in run.formula.units for present, _ in first)
    return new_list(run, [*first, *second], dense=(whole and right.dense) or not second, kind=left.kind)


def repeat_list(run: Run, source: ListValue, times: Value, site: Site) -> ListValue:
    """Return a list several times."""
    number = run.numeric(times, site.guard)
    entries = source.list_entries()
    if number.high * len(entries) > MOST_REPEATED:
        run.refuse(site, "a list repeated so often")
    repeated = [
        (run.formula.both(number.at_least(time), present), value)
        for time in range(1, number.high + 1)
        for present, value in entries
    ]
    whole = all(present in run.formula.units for present, _ in entries)
    return new_list(run, repeated, dense=whole, kind=source.kind)


MOST_REPEATED = 1_000  # entries of a list that is made by *


def known_bounds(run: Run, span: RangeValue, guard: Literal) -> tuple[Number, Number]:
    """Return the start and the stop of a range as numbers."""
    return run.numeric(span.start, guard), run.numeric(span.stop, guard)


def range_items(run: Run, span: RangeValue, guard: Literal) -> Entries:
    """Return what a range gives."""
    start, stop = known_bounds(run, span, guard)
    both = run.formula.both
    if span.step == 1:
        return [
            (both(-start.at_least(each + 1), stop.at_least(each + 1)), each) for each in range(start.low, stop.high)
        ]
    found: Entries = []
    for first in range(start.low, start.high + 1):
        here = run.algebra.is_exactly(start, first)
        if here == FALSE:
            continue
        end = stop.high if span.step > 0 else stop.low
        for each in range(first, end, span.step):
            within = stop.at_least(each + 1) if span.step > 0 else -stop.at_least(each)
            found.append((both(here, within), each))
    return found


def is_known(run: Run, entries: Entries) -> bool:
    """Tell whether all entries are there for sure."""
    return all(present in run.formula.units or present == TRUE for present, _ in entries)
