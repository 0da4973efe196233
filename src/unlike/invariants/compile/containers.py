"""Lists, sets and dicts of a program that runs on all structures at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

from unlike.errors import with_article
from unlike.invariants.compile.comparing import class_of, defines, describe_value, equal, is_generated
from unlike.invariants.compile.formula import FALSE, TRUE, Literal
from unlike.invariants.compile.program import member_of
from unlike.invariants.compile.recursion import run_waiting_bodies
from unlike.invariants.compile.run import Run, Site
from unlike.invariants.compile.sequences import Entries, known_bounds, new_list, range_items
from unlike.invariants.compile.values import (
    Alternatives,
    ContainerValue,
    DictValue,
    LazyValues,
    ListValue,
    Number,
    RangeValue,
    SetValue,
    Thing,
    Truth,
    TupleValue,
    Unread,
    Value,
    is_constant,
    made_plain,
    unbox,
)

Visit: TypeAlias = Callable[[Literal, Value], Literal]


def keys_of(run: Run, value: Value, site: Site) -> list[tuple[Any, Literal]]:
    """Return every key that the value can be, with its literal; what cannot be a key is an exception."""
    found = []
    for key, literal in run.algebra.keys(value):
        parts = key if isinstance(key, tuple) else (key,)
        if all(_can_be_key(run, part, site.under(run.formula.both(site.guard, literal))) for part in parts):
            found.append((key, literal))
    return found


def _can_be_key(run: Run, part: Any, site: Site) -> bool:
    if isinstance(part, Thing) and defines(part.cls, "__eq__"):
        if is_generated(part.cls, member_of(part.cls, "__eq__")) and getattr(part.cls, "__hash__", None) is None:
            run.reject(site.guard)
            return False
        run.refuse(site, f"objects of {part.cls.__name__}, which defines __eq__, in a set or as keys")
    if isinstance(part, ContainerValue) and class_of(part) is not frozenset:
        if part.kind == "tuple":
            run.refuse(site, "such a tuple in a set or as a key")
        run.reject(site.guard)
        return False
    if isinstance(part, ContainerValue | Unread):
        run.refuse(site, f"{describe_value(part)} in a set or as a key")
    return not isinstance(part, tuple) or all(_can_be_key(run, each, site) for each in part)


def put(run: Run, target: SetValue | ListValue, value: Value, site: Site) -> None:
    """Add a value to a set, or append it to a list."""
    if isinstance(target, SetValue):
        add_member(run, target, value, site)
    else:
        append_entry(run, target, value, site)


# -- sets ------------------------------------------------------------------------------------------------


def add_member(run: Run, target: SetValue, value: Value, site: Site) -> None:
    """Add a value to a set."""
    target.grown += 1
    run.changes(target, site)
    for key, literal in keys_of(run, value, site):
        under = run.formula.both(run.alive(site.guard), literal)
        known = target.members.get(key, FALSE)
        if under == FALSE or (known != FALSE and run.prover.implies(under, known)):
            continue
        target.members[key] = run.canonical(run.formula.either(known, under))


def discard_member(run: Run, target: SetValue, value: Value, site: Site, *, must: bool) -> None:
    """Take a value out of a set; with `must`, one that is not there is an exception."""
    both = run.formula.both
    target.shrunk += 1
    run.changes(target, site)
    for key, literal in keys_of(run, value, site):
        under = both(run.alive(site.guard), literal)
        known = target.members.get(key, FALSE)
        if must:
            run.reject(under, -known, KeyError)
        if known != FALSE:
            target.members[key] = run.prover.possible(both(known, -under))


# -- dicts -----------------------------------------------------------------------------------------------


def store_item(run: Run, target: DictValue, key: Value, value: Value, site: Site) -> None:
    """Store an item of a dict."""
    both, either, merge = run.formula.both, run.formula.either, run.algebra.merge
    target.grown += 1
    run.changes(target, site)
    for each, literal in keys_of(run, key, site):
        under = both(run.alive(site.guard), literal)
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
        missing = run.prover.possible(run.formula.both(site.guard, literal, -present))
        if missing != FALSE and class_of(source).__name__ == "defaultdict":
            run.refuse(site, "an item of a defaultdict that may not be there, which would change it")
        if missing != FALSE and class_of(source).__name__ == "Counter":
            cases.append((run.formula.both(literal, -present), 0))
            literal = run.formula.both(literal, present)
        else:
            run.reject(missing, kind=KeyError)
        if present != FALSE:
            cases.append((literal, value))
    return run.algebra.merge(cases)


def delete_item(run: Run, target: DictValue, key: Value, site: Site, *, must: bool) -> None:
    """Take an item out of a dict; one that is not there is an exception, if it must be."""
    both = run.formula.both
    target.shrunk += 1
    run.changes(target, site)
    for each, literal in keys_of(run, key, site):
        present, value = target.entries.get(each, (FALSE, None))
        under = both(site.guard, literal)
        if must:
            run.reject(under, -present, KeyError)
        gone = both(run.alive(under), present)
        if gone == FALSE:
            continue
        target.entries[each] = (run.prover.possible(both(present, -gone)), value)
        target.log = [(both(under, -gone) if key == each else under, key) for under, key in target.log]


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


def append_entry(run: Run, target: ListValue, value: Value, site: Site) -> None:
    """Append a value to a list."""
    guard = run.prover.possible(run.alive(site.guard))
    if guard == FALSE:
        return
    run.changes(target, site)
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


def pop_entry(run: Run, target: ListValue, site: Site, *, first: bool) -> Value:
    """Take the first or last value out of a list; an empty list is an exception."""
    guard = run.alive(site.guard)
    target.shrunk += 1
    run.changes(target, site)
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
    run.reject(open_, kind=IndexError)
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
    run.reject(open_, kind=IndexError)
    return next(iter(atoms)) if len(atoms) == 1 else run.narrow(Alternatives(atoms), guard, ask=True)


# -- all containers --------------------------------------------------------------------------------------


def contains(run: Run, container: Value, value: Value, site: Site) -> Literal:
    """Return whether a value is in a container, a tuple or a range."""
    both, either = run.formula.both, run.formula.either
    container = made_plain(container)
    match container:
        case SetValue(members=members):
            ways = [both(literal, members[key]) for key, literal in keys_of(run, value, site) if key in members]
        case DictValue(entries=entries):
            ways = [both(literal, entries[key][0]) for key, literal in keys_of(run, value, site) if key in entries]
        case RangeValue(step=1):
            ways = _within_range(run, container, value, site)
        case ListValue(view_of=(DictValue() as source, _), kind="dict_keys"):
            return contains(run, source, value, site)
        case Alternatives(atoms=atoms):
            ways = []
            if container.number is not None:
                run.reject(site.guard, container.is_number)
            for atom, literal in atoms.items():
                under = both(site.guard, literal)
                if run.prover.possible(under) != FALSE:
                    ways.append(both(literal, contains(run, atom, value, site.under(under))))
        case str():
            return _within_text(run, container, value, site)
        case LazyValues():
            found = FALSE

            def look(here: Literal, each: Value) -> Literal:
                nonlocal found
                same = equal(run, value, each, site.under(here))
                found = either(found, both(here, same))
                return run.prover.possible(both(here, -same))

            go_over(run, container, site, look)
            return found
        case _:
            pairs = list(items_of(run, container, site))
            ways = [both(present, equal(run, value, each, site)) for present, each in pairs]
    return either(*ways)


def _within_text(run: Run, text: str, value: Value, site: Site) -> Literal:
    """Return whether a text contains another one."""
    whole = run.algebra.alternatives(value)
    if whole.number is not None:
        run.reject(site.guard, whole.is_number)
    ways = []
    for atom, literal in whole.atoms.items():
        if isinstance(atom, Unread):
            run.refuse(site, "whether a text contains one that is not looked at")
        if is_constant(atom) and isinstance(unbox(atom), str):
            ways.append(literal if unbox(atom) in text else FALSE)
        else:
            run.reject(site.guard, literal)
    return run.formula.either(*ways)


def _within_range(run: Run, span: RangeValue, value: Value, site: Site) -> list[Literal]:
    whole, less = run.algebra.alternatives(value), run.algebra.less
    start, stop = known_bounds(run, span, site.guard)
    numbers = [
        (literal, Number(int(unbox(atom)), int(unbox(atom)), ()))
        for atom, literal in whole.atoms.items()
        if isinstance(unbox(atom), int) or (isinstance(unbox(atom), float) and unbox(atom).is_integer())
    ]
    if whole.number is not None:
        numbers.append((whole.is_number, whole.number))
    return [run.formula.both(under, -less(number, start), less(number, stop)) for under, number in numbers]


def items_of(run: Run, container: Value, site: Site) -> Iterator[tuple[Literal, Value]]:
    """Yield what a loop sees: each value with the literal under which it comes. A list may grow meanwhile."""
    both = run.formula.both
    container = made_plain(container)
    match container:
        case RangeValue():
            yield from range_items(run, container, site.guard)
        case tuple() | frozenset() | list() | range() | set() | str():
            yield from ((TRUE, each) for each in container)
        case TupleValue(parts):
            yield from ((TRUE, each) for each in parts)
        case ListValue():
            yield from _list_items(run, container, site)
        case Alternatives(atoms=atoms):  # one of several containers; what is none raises an exception
            if container.number is not None:
                run.reject(site.guard, container.is_number)
            for atom, literal in atoms.items():
                under = run.prover.possible(both(site.guard, literal))
                if under != FALSE:
                    inner = items_of(run, atom, site.under(under))
                    yield from ((both(literal, present), value) for present, value in inner)
        case SetValue(members=members):
            ordered = sorted(members.items(), key=_set_order)
            yield from _items_while_same(run, container, [(literal, key) for key, literal in ordered], site)
        case DictValue(log=log):
            yield from _items_while_same(run, container, list(log), site)
        case LazyValues():
            yield from as_list(run, container, site).list_entries()
        case type() if hasattr(container, "__members__"):  # an enum
            yield from ((TRUE, each) for each in container)  # type: ignore[attr-defined]
        case None | Number() | Truth() | int() | float():  # a TypeError
            run.reject(site.guard)
        case Thing():
            run.refuse(site, f"a loop over {describe_value(container)}")
        case _ if is_constant(container):
            run.reject(site.guard)
        case _:
            run.refuse(site, f"a loop over {describe_value(container)}")


def go_over(run: Run, source: Value, site: Site, visit: Visit) -> Literal:
    """Hand on each value with the guard under which it comes; return the guard under which all came.

    `visit` returns the guard under which more is asked for.
    """
    both, either, possible = run.formula.both, run.formula.either, run.prover.possible
    source = made_plain(source)
    run_waiting_bodies(run, source, site.node)
    if isinstance(source, LazyValues):
        return _go_on(run, source, site, visit)
    if isinstance(source, Alternatives) and any(isinstance(atom, LazyValues) for atom in source.atoms):
        ends = []
        for atom, literal in source.atoms.items():
            under = possible(both(site.guard, literal))
            if under != FALSE:
                ends.append(go_over(run, atom, site.under(under), visit))
        return either(*ends)
    running = site.guard
    for present, value in items_of(run, source, site):
        here = possible(both(running, present))
        if here == FALSE:
            continue
        after = visit(here, value)
        if after != here:
            running = possible(either(after, both(running, -present)))
        if running == FALSE:
            break
    return running


def _go_on(run: Run, stream: LazyValues, site: Site, visit: Visit) -> Literal:
    """Go over what can be gone over only once."""
    both, either, possible = run.formula.both, run.formula.either, run.prover.possible
    again = possible(both(site.guard, stream.begun))
    if again != FALSE and possible(both(again, -stream.ended)) != FALSE:
        run.refuse(site, "a generator that is gone on with after a loop has left it")
    fresh = possible(both(site.guard, -stream.begun)) if again != FALSE else site.guard
    if fresh == FALSE:
        return again
    stream.begun = either(stream.begun, fresh)
    left = stream.each(fresh, visit)
    stream.ended = either(stream.ended, left)
    return either(left, again)


def as_list(run: Run, source: Value, site: Site) -> ListValue:
    """Return a new list with all that a container or a generator holds."""
    made = ListValue(born=run.steps)

    def take(here: Literal, value: Value) -> Literal:
        append_entry(run, made, value, site.under(here))
        return here

    source = made_plain(source)
    if isinstance(source, ListValue) and source.queue is None:
        return new_list(run, source.list_entries(), dense=source.dense)
    if isinstance(source, tuple):
        return new_list(run, [(TRUE, each) for each in source], dense=True)
    go_over(run, source, site, take)
    return made


def taken_together(run: Run, source: Value, site: Site) -> ListValue:
    """Return all that a source holds, which is taken together with others: it must change and raise nothing."""
    if not isinstance(made_plain(source), LazyValues):
        return as_list(run, source, site)
    outer = run.raised, run.dead, run.watch_since
    run.raised, run.dead, run.watch_since = [], FALSE, run.steps
    try:
        made = as_list(run, source, site)
        if any(run.prover.feasible(each.literal) != FALSE for each in run.raised):
            run.refuse(site, "a generator that may raise an exception while it is taken together with others")
    finally:
        run.raised, run.dead, run.watch_since = outer
    return made


def entries_in_order(run: Run, source: Value, site: Site) -> Entries:
    """Return what a source holds, as entries of a new list."""
    return as_list(run, source, site).list_entries()


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
