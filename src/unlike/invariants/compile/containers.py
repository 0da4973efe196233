"""Lists, sets and dicts of a program that runs on all structures at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from unlike.errors import with_article
from unlike.invariants.compile.formula import FALSE, TRUE, Literal
from unlike.invariants.compile.operators import equal, refuse_own_equality
from unlike.invariants.compile.run import Run, Site
from unlike.invariants.compile.values import (
    Alternatives,
    ContainerValue,
    DictValue,
    ListValue,
    Number,
    RangeValue,
    SetValue,
    Thing,
    Truth,
    Value,
    as_key,
    list_value,
)


def keys_of(run: Run, value: Value, site: Site) -> list[tuple[Any, Literal]]:
    """Return every key that the value can be, with its literal."""
    found = run.algebra.keys(value)
    for key, _ in found:
        refuse_own_equality(run, key if isinstance(key, tuple) else (key,), site)
    return found


def put(run: Run, target: SetValue | ListValue, value: Value, site: Site) -> None:
    """Add a value to a set, or append it to a list."""
    if isinstance(target, SetValue):
        add_member(run, target, value, site)
    else:
        append_entry(run, target, value, site.guard)


# -- sets ------------------------------------------------------------------------------------------------


def add_member(run: Run, target: SetValue, value: Value, site: Site) -> None:
    """Add a value to a set."""
    target.grown += 1
    for key, literal in keys_of(run, value, site):
        under = run.formula.both(site.guard, literal)
        known = target.members.get(key, FALSE)
        if under == FALSE or (known != FALSE and run.prover.implies(under, known)):
            continue
        target.members[key] = run.canonical(run.formula.either(known, under))


def discard_member(run: Run, target: SetValue, value: Value, site: Site, *, must: bool) -> None:
    """Take a value out of a set; with `must`, one that is not there is an exception."""
    both = run.formula.both
    target.shrunk += 1
    for key, literal in keys_of(run, value, site):
        under = both(site.guard, literal)
        known = target.members.get(key, FALSE)
        if must:
            run.reject(under, -known)
        if known != FALSE:
            target.members[key] = run.prover.possible(both(known, -under))


# -- dicts -----------------------------------------------------------------------------------------------


def store_item(run: Run, target: DictValue, key: Value, value: Value, site: Site) -> None:
    """Store an item of a dict."""
    both, either, merge = run.formula.both, run.formula.either, run.algebra.merge
    target.grown += 1
    for each, literal in keys_of(run, key, site):
        under = both(site.guard, literal)
        if under == FALSE:
            continue
        if each not in target.entries:
            target.entries[each] = (under, value)
            target.log.append((under, each))
            continue
        present, old = target.entries[each]
        target.entries[each] = (either(present, under), merge([(under, value), (-under, old)]))
        if (new := both(under, -present)) != FALSE:
            target.log.append((new, each))


def item_of(run: Run, source: DictValue, key: Value, site: Site) -> Value:
    """Return an item of a dict; a key that is not there is an exception."""
    cases = []
    for each, literal in keys_of(run, key, site):
        present, value = source.entries.get(each, (FALSE, None))
        run.reject(run.formula.both(site.guard, literal), -present)
        if present != FALSE:
            cases.append((literal, value))
    return run.algebra.merge(cases)


def item_or_usual(run: Run, source: DictValue, key: Value, usual: Value, site: Site) -> Value:
    """Return an item of a dict, or what is usual."""
    both = run.formula.both
    cases: list[tuple[Literal, Value]] = []
    missing: list[Literal] = []
    for each, literal in keys_of(run, key, site):
        present, value = source.entries.get(each, (FALSE, None))
        cases.append((both(literal, present), value))
        missing.append(both(literal, -present))
    return run.algebra.merge([*cases, (run.formula.either(*missing), usual)])


# -- lists -----------------------------------------------------------------------------------------------


def append_entry(run: Run, target: ListValue, value: Value, guard: Literal) -> None:
    """Append a value to a list."""
    guard = run.prover.possible(guard)
    if guard == FALSE:
        return
    target.grown += 1
    value = run.narrow(value, guard)
    if target.queue is not None and _put_in_queue(run, target.queue, value, guard):
        return
    entries = target.leave_queue()
    target.dense = not entries or (target.dense and run.prover.implies(guard, entries[-1][0]))
    entries.append((guard, value))


def _put_in_queue(run: Run, queue: dict[Thing, Literal], value: Value, guard: Literal) -> bool:
    """Put objects into a queue, if they come after all that are in it."""
    both, feasible = run.formula.both, run.prover.feasible
    things = [(value, TRUE)] if isinstance(value, Thing) else []
    if isinstance(value, Alternatives) and value.number is None:
        things = list(value.atoms.items())
    if not things or not all(isinstance(thing, Thing) for thing, _ in things):
        return False
    if len({thing.cls for thing in (*queue, *(thing for thing, _ in things))}) > 1:
        return False
    news = []
    for thing, literal in things:
        under = both(guard, literal)
        for other, present in list(queue.items()):
            if other.number >= thing.number and feasible(both(under, present)) != FALSE:
                return False
        news.append((thing, under))
    for thing, under in news:
        queue[thing] = run.canonical(run.formula.either(queue.get(thing, FALSE), under))
    return True


def pop_entry(run: Run, target: ListValue, guard: Literal, *, first: bool) -> Value:
    """Take the first or last value out of a list; an empty list is an exception."""
    target.shrunk += 1
    target.dense = target.dense and not first
    if target.queue is not None:
        return _pop_from_queue(run, target.queue, guard, first=first)
    both, possible = run.formula.both, run.prover.possible
    cases: list[tuple[Literal, Value]] = []
    kept: list[tuple[Literal, Value]] = []
    open_ = guard
    for present, value in target.entries if first else target.entries[::-1]:
        taken = possible(both(open_, present)) if open_ != FALSE else FALSE
        if taken != FALSE and run.prover.feasible(taken) != FALSE:
            cases.append((taken, value))
            present_still = possible(both(present, -taken))
            open_ = possible(both(open_, -present))
        else:
            present_still = present
        if present_still != FALSE:
            kept.append((present_still, value))
    run.reject(open_)
    target.entries = kept if first else kept[::-1]
    return run.narrow(run.algebra.merge(cases), guard, ask=True)


def _pop_from_queue(run: Run, queue: dict[Thing, Literal], guard: Literal, *, first: bool) -> Value:
    both, possible = run.formula.both, run.prover.possible
    atoms: dict[Any, Literal] = {}
    open_ = guard
    for thing in sorted(queue, key=lambda each: each.number, reverse=not first):
        taken = possible(both(open_, queue[thing]))
        if taken == FALSE:
            continue
        if run.prover.implies(open_, queue[thing]):
            taken = open_
        atoms[thing] = taken
        queue[thing] = possible(both(queue[thing], -taken))
        if queue[thing] == FALSE:
            del queue[thing]
        open_ = possible(both(open_, -taken))
        if open_ == FALSE:
            break
    run.reject(open_)
    return next(iter(atoms)) if len(atoms) == 1 else run.narrow(Alternatives(atoms), guard, ask=True)


def entry_at(run: Run, source: ListValue | Sequence[Value], index: Value, guard: Literal) -> Value:
    """Return the entry at an index; one that is not there is an exception."""
    if not isinstance(source, ListValue):
        source = list_value(source)
    entries = source.list_entries()
    place = run.numeric(index, guard)
    algebra, both, either = run.algebra, run.formula.both, run.formula.either
    length = count_items(run, source)
    cases: list[tuple[Literal, Value]] = []
    for position, (present, value) in enumerate(entries):
        rank = count_before(run, entries, position, dense=source.dense)
        from_end = algebra.sum_of(rank, length.negate()) if place.low < 0 else None
        ways = [algebra.equal_numbers(each, place) for each in (rank, from_end) if each is not None]
        cases.append((both(present, either(*ways)), value))
    found = either(*(literal for literal, _ in cases))
    run.reject(guard, -found)
    return algebra.merge(cases)


def count_before(run: Run, entries: list[tuple[Literal, Value]], position: int, *, dense: bool) -> Number:
    """Return how many entries are there before a position."""
    if dense:
        return Number(position, position, ())
    return run.count([present for present, _ in entries[:position]])


# -- all containers --------------------------------------------------------------------------------------


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


def contains(run: Run, container: Value, value: Value, site: Site) -> Literal:
    """Return whether a value is in a container, a tuple or a range."""
    both, either = run.formula.both, run.formula.either
    match container:
        case SetValue(members=members):
            ways = [both(literal, members[key]) for key, literal in keys_of(run, value, site) if key in members]
        case DictValue(entries=entries):
            ways = [both(literal, entries[key][0]) for key, literal in keys_of(run, value, site) if key in entries]
        case RangeValue():
            whole, less = run.algebra.alternatives(value), run.algebra.less
            start, stop = range_bounds(run, container, site.guard)
            numbers = [(literal, Number(atom, atom, ())) for atom, literal in whole.atoms.items() if atom in (0, 1)]
            if whole.number is not None:
                numbers.append((whole.is_number, whole.number))
            ways = [both(under, -less(number, start), less(number, stop)) for under, number in numbers]
        case Alternatives(atoms=atoms, number=None):
            ways = []
            for atom, literal in atoms.items():
                if isinstance(atom, ContainerValue):
                    under = both(site.guard, literal)
                    ways.append(both(literal, contains(run, atom, value, site.under(under))))
                else:
                    run.reject(site.guard, literal)
        case frozenset() | set() | dict() | list():
            ways = [literal for key, literal in keys_of(run, value, site) if key in map(as_key, container)]
        case _:
            pairs = list(items_of(run, container, site))
            ways = [both(present, equal(run, value, each, site)) for present, each in pairs]
    return either(*ways)


def range_bounds(run: Run, span: RangeValue, guard: Literal) -> tuple[Number, Number]:
    """Return the start and the stop of a range as numbers."""
    return run.numeric(span.start, guard), run.numeric(span.stop, guard)


def items_of(run: Run, container: Value, site: Site) -> Iterator[tuple[Literal, Value]]:
    """Yield what a loop sees: each value with the literal under which it comes. A list may grow meanwhile."""
    both = run.formula.both
    match container:
        case RangeValue():
            start, stop = range_bounds(run, container, site.guard)
            for each in range(start.low, stop.high):
                yield both(-start.at_least(each + 1), stop.at_least(each + 1)), each
        case tuple() | frozenset() | list() | range() | set():
            yield from ((TRUE, each) for each in container)
        case ListValue():
            yield from _list_items(run, container, site)
        case Alternatives(atoms=atoms, number=None):  # one of several containers; what is none raises an exception
            for atom, literal in atoms.items():
                if isinstance(atom, ContainerValue):
                    inner = items_of(run, atom, site.under(both(site.guard, literal)))
                    yield from ((both(literal, present), value) for present, value in inner)
                else:
                    run.reject(site.guard, literal)
        case SetValue(members=members):
            ordered = sorted(members.items(), key=_set_order)
            yield from _items_while_same(run, container, [(literal, key) for key, literal in ordered], site)
        case DictValue(log=log):
            yield from _items_while_same(run, container, list(log), site)
        case None | Number() | Truth() | int():  # a TypeError
            run.reject(site.guard)
        case _:
            run.refuse(site, f"a loop over {type(container).__name__}")


def _list_items(run: Run, source: ListValue, site: Site) -> Iterator[tuple[Literal, Value]]:
    shrunk = source.shrunk
    last: Thing | None = None
    position = 0
    while True:
        if source.shrunk != shrunk:
            run.refuse(site, "a list that loses entries while a loop goes over it")
        if source.queue is not None:
            rest = [each for each in source.queue if last is None or each.number > last.number]
            if not rest:
                return
            last = min(rest, key=lambda each: each.number)
            yield source.queue[last], last
            if source.entries:  # it has become a plain list meanwhile: go on behind the object seen last
                position = 1 + next(place for place, (_, value) in enumerate(source.entries) if value is last)
        else:
            if position >= len(source.entries):
                return
            position += 1
            yield source.entries[position - 1]


def _items_while_same(
    run: Run, source: SetValue | DictValue, items: list[tuple[Literal, Value]], site: Site
) -> Iterator[tuple[Literal, Value]]:
    before = source.shrunk, source.grown
    for item in items:
        yield item
        if (source.shrunk, source.grown) != before:
            kind = "set" if isinstance(source, SetValue) else "dict"
            run.refuse(site, f"{with_article(kind)} that changes while a loop goes over it")


def _set_order(member: tuple[Any, Literal]) -> tuple[int, str, int]:
    """Order the members of a set: small ints as Python does, objects by number."""
    key = member[0]
    if isinstance(key, Thing):
        return 1, key.cls.__name__, key.number
    return (0, "", key) if isinstance(key, int) else (2, repr(key), 0)
