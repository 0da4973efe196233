"""Lists, sets and dicts of a program that runs on all structures at once."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from unlike.invariants.clauses.formula import FALSE, TRUE, Literal
from unlike.invariants.clauses.running.machine import Frame, Machine
from unlike.invariants.clauses.values import (
    Choice,
    Container,
    DictValue,
    ListValue,
    Number,
    Range,
    SetValue,
    Thing,
    Truth,
    Value,
    hashed,
)


class Containers:
    """What Python's containers do, under guards."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.formula = machine.formula
        self.prover = machine.prover
        self.algebra = machine.algebra

    def keys(self, value: Value, frame: Frame, node: ast.AST) -> list[tuple[Any, Literal]]:
        """Return every key that the value can be, with its literal."""
        found = self.algebra.keys(value)
        for key, _ in found:
            self.machine.refuse_own_equality(key if isinstance(key, tuple) else (key,), frame, node)
        return found

    # -- sets ----------------------------------------------------------------------------------------

    def add(self, target: SetValue, value: Value, guard: Literal, *, at: tuple[Frame, ast.AST]) -> None:
        """Add a value to a set."""
        both, either = self.formula.both, self.formula.either
        target.grown += 1
        for key, literal in self.keys(value, *at):
            under = both(guard, literal)
            known = target.members.get(key, FALSE)
            if under == FALSE or (known != FALSE and self.prover.implies(under, known)):
                continue
            target.members[key] = self.machine.canonical(either(known, under))

    def discard(self, target: SetValue, value: Value, guard: Literal, *, at: tuple[Frame, ast.AST], must: bool) -> None:
        """Take a value out of a set; with `must`, one that is not there is an exception."""
        both = self.formula.both
        target.shrunk += 1
        for key, literal in self.keys(value, *at):
            under = both(guard, literal)
            known = target.members.get(key, FALSE)
            if must:
                self.machine.reject(under, -known)
            if known != FALSE:
                target.members[key] = self.prover.possible(both(known, -under))

    # -- dicts ---------------------------------------------------------------------------------------

    def store(self, target: DictValue, key: Value, value: Value, *, guard: Literal, at: tuple[Frame, ast.AST]) -> None:
        """Store an item of a dict."""
        both, either, merge = self.formula.both, self.formula.either, self.algebra.merge
        target.grown += 1
        for each, literal in self.keys(key, *at):
            under = both(guard, literal)
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

    def item(self, source: DictValue, key: Value, *, guard: Literal, at: tuple[Frame, ast.AST]) -> Value:
        """Return an item of a dict; a key that is not there is an exception."""
        cases = []
        for each, literal in self.keys(key, *at):
            present, value = source.entries.get(each, (FALSE, None))
            self.machine.reject(self.formula.both(guard, literal), -present)
            if present != FALSE:
                cases.append((literal, value))
        return self.algebra.merge(cases)

    def get(self, source: DictValue, key: Value, usual: Value, *, at: tuple[Frame, ast.AST]) -> Value:
        """Return an item of a dict, or what is usual."""
        both = self.formula.both
        cases: list[tuple[Literal, Value]] = []
        missing: list[Literal] = []
        for each, literal in self.keys(key, *at):
            present, value = source.entries.get(each, (FALSE, None))
            cases.append((both(literal, present), value))
            missing.append(both(literal, -present))
        return self.algebra.merge([*cases, (self.formula.either(*missing), usual)])

    # -- lists ---------------------------------------------------------------------------------------

    def append(self, target: ListValue, value: Value, guard: Literal) -> None:
        """Append a value to a list."""
        guard = self.prover.possible(guard)
        if guard == FALSE:
            return
        target.grown += 1
        value = self.machine.narrowed(value, guard)
        if target.queue is not None and self._queued(target.queue, value, guard):
            return
        entries = target.unqueued()
        target.dense = not entries or (target.dense and self.prover.implies(guard, entries[-1][0]))
        entries.append((guard, value))

    def _queued(self, queue: dict[Thing, Literal], value: Value, guard: Literal) -> bool:
        """Put objects into a queue, if they come after all that are in it."""
        both, feasible = self.formula.both, self.prover.feasible
        things = [(value, TRUE)] if isinstance(value, Thing) else []
        if isinstance(value, Choice) and value.number is None:
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
            queue[thing] = self.machine.canonical(self.formula.either(queue.get(thing, FALSE), under))
        return True

    def pop(self, target: ListValue, guard: Literal, *, first: bool) -> Value:
        """Take the first or last value out of a list; an empty list is an exception."""
        target.shrunk += 1
        target.dense = target.dense and not first
        if target.queue is not None:
            return self._pop_queue(target.queue, guard, first=first)
        both, possible = self.formula.both, self.prover.possible
        cases: list[tuple[Literal, Value]] = []
        kept: list[tuple[Literal, Value]] = []
        open_ = guard
        for present, value in target.entries if first else target.entries[::-1]:
            taken = possible(both(open_, present)) if open_ != FALSE else FALSE
            if taken != FALSE and self.prover.feasible(taken) != FALSE:
                cases.append((taken, value))
                present_still = possible(both(present, -taken))
                open_ = possible(both(open_, -present))
            else:
                present_still = present
            if present_still != FALSE:
                kept.append((present_still, value))
        self.machine.reject(open_)
        target.entries = kept if first else kept[::-1]
        return self.machine.narrowed(self.algebra.merge(cases), guard, ask=True)

    def _pop_queue(self, queue: dict[Thing, Literal], guard: Literal, *, first: bool) -> Value:
        both, possible = self.formula.both, self.prover.possible
        atoms: dict[Any, Literal] = {}
        open_ = guard
        for thing in sorted(queue, key=lambda each: each.number, reverse=not first):
            taken = possible(both(open_, queue[thing]))
            if taken == FALSE:
                continue
            if self.prover.implies(open_, queue[thing]):
                taken = open_
            atoms[thing] = taken
            queue[thing] = possible(both(queue[thing], -taken))
            if queue[thing] == FALSE:
                del queue[thing]
            open_ = possible(both(open_, -taken))
            if open_ == FALSE:
                break
        self.machine.reject(open_)
        if len(atoms) == 1:
            return next(iter(atoms))
        return self.machine.narrowed(Choice(atoms), guard, ask=True)

    def at(self, source: ListValue, index: Value, guard: Literal) -> Value:
        """Return the entry at an index; one that is not there is an exception."""
        entries = source.listed()
        place = self.machine.numeric(index, guard)
        exactly, both = self.algebra.is_exactly, self.formula.both
        length = self.count(source)
        cases: list[tuple[Literal, Value]] = []
        for position, (present, value) in enumerate(entries):
            rank = self.rank(entries, position, dense=source.dense)
            from_end = self.algebra.sum_of(rank, length.negated()) if place.low < 0 else None
            ways = [self.algebra.equal_numbers(rank, place) if place.low != place.high else exactly(rank, place.low)]
            if from_end is not None:
                ways.append(self.algebra.equal_numbers(from_end, place))
            cases.append((both(present, self.formula.either(*ways)), value))
        found = self.formula.either(*(literal for literal, _ in cases)) if cases else FALSE
        self.machine.reject(guard, -found)
        return self.algebra.merge(cases)

    def rank(self, entries: list[tuple[Literal, Value]], position: int, *, dense: bool) -> Number:
        """Return how many entries are there before a position."""
        if dense:
            return Number(position, position, ())
        return self.machine.count([present for present, _ in entries[:position]])

    # -- all containers ------------------------------------------------------------------------------

    def count(self, value: Container) -> Number:
        """Return how many values a container holds."""
        match value:
            case SetValue(members=members):
                return self.machine.count(list(members.values()))
            case DictValue(entries=entries):
                return self.machine.count([present for present, _ in entries.values()])
            case ListValue(dense=True):
                presents = [present for present, _ in value.listed()]
                certain = [present for present in presents if present in self.formula.units]
                return Number(len(certain), len(presents), presents[len(certain) :])
            case ListValue():
                return self.machine.count([present for present, _ in value.listed()])
        raise AssertionError(value)

    def contains(self, container: Value, value: Value, *, guard: Literal, at: tuple[Frame, ast.AST]) -> Literal:
        """Return whether a value is in a container, a tuple or a range."""
        both, either = self.formula.both, self.formula.either
        match container:
            case SetValue(members=members):
                ways = [both(literal, members[key]) for key, literal in self.keys(value, *at) if key in members]
            case DictValue(entries=entries):
                ways = [both(literal, entries[key][0]) for key, literal in self.keys(value, *at) if key in entries]
            case Range():
                whole = self.algebra.choice(value)
                start, stop = self.bounds(container, guard)
                numbers = [(literal, Number(atom, atom, ())) for atom, literal in whole.atoms.items() if atom in (0, 1)]
                if whole.number is not None:
                    numbers.append((whole.is_number, whole.number))
                less = self.algebra.less
                ways = [both(under, -less(number, start), less(number, stop)) for under, number in numbers]
            case Choice(atoms=atoms, number=None):
                ways = []
                for atom, literal in atoms.items():
                    if isinstance(atom, Container):
                        under = both(guard, literal)
                        ways.append(both(literal, self.contains(atom, value, guard=under, at=at)))
                    else:
                        self.machine.reject(guard, literal)
            case frozenset() | set() | dict() | list():
                ways = [literal for key, literal in self.keys(value, *at) if key in map(hashed, container)]
            case _:
                pairs = list(self.items(container, guard, at=at))
                ways = [both(present, self.machine.equal(value, each, *at)) for present, each in pairs]
        return either(*ways) if ways else FALSE

    def bounds(self, span: Range, guard: Literal) -> tuple[Number, Number]:
        """Return the start and the stop of a range as numbers."""
        return self.machine.numeric(span.start, guard), self.machine.numeric(span.stop, guard)

    def items(self, container: Value, guard: Literal, *, at: tuple[Frame, ast.AST]) -> Iterator[tuple[Literal, Value]]:
        """Yield what a loop sees: each value with the literal under which it comes. A list may grow meanwhile."""
        match container:
            case Range():
                start, stop = self.bounds(container, guard)
                for each in range(start.low, stop.high):
                    yield self.formula.both(-start.at_least(each + 1), stop.at_least(each + 1)), each
            case tuple() | frozenset() | list() | range() | set():
                yield from ((TRUE, each) for each in container)
            case ListValue():
                yield from self._list_items(container, at)
            case Choice(atoms=atoms, number=None):  # one of several containers; what is none raises an exception
                for atom, literal in atoms.items():
                    if isinstance(atom, Container):
                        inner = self.items(atom, self.formula.both(guard, literal), at=at)
                        yield from ((self.formula.both(literal, present), value) for present, value in inner)
                    else:
                        self.machine.reject(guard, literal)
            case SetValue(members=members):
                ordered = sorted(members.items(), key=_set_order)
                yield from self._unchanged(container, [(literal, key) for key, literal in ordered], at)
            case DictValue(log=log):
                yield from self._unchanged(container, list(log), at)
            case None | Number() | Truth() | int():  # a TypeError
                self.machine.reject(guard)
            case _:
                self.machine.refuse(at[0], at[1], f"a loop over {_name(container)}")

    def _list_items(self, source: ListValue, at: tuple[Frame, ast.AST]) -> Iterator[tuple[Literal, Value]]:
        shrunk = source.shrunk
        last: Thing | None = None
        position = 0
        while True:
            if source.shrunk != shrunk:
                self.machine.refuse(at[0], at[1], "a list that loses entries while a loop goes over it")
            if source.queue is not None:
                rest = [each for each in source.queue if last is None or each.number > last.number]
                if not rest:
                    return
                last = min(rest, key=lambda each: each.number)
                yield source.queue[last], last
                if not source.is_queue:  # it has become a plain list: go on behind the object seen last
                    position = 1 + next(place for place, (_, value) in enumerate(source.entries) if value is last)
            else:
                if position >= len(source.entries):
                    return
                position += 1
                yield source.entries[position - 1]

    def _unchanged(
        self, source: Container, items: list[tuple[Literal, Value]], at: tuple[Frame, ast.AST]
    ) -> Iterator[tuple[Literal, Value]]:
        before = source.shrunk, source.grown
        for item in items:
            yield item
            if (source.shrunk, source.grown) != before:
                self.machine.refuse(at[0], at[1], f"a {_name(source)} that changes while a loop goes over it")


def _set_order(member: tuple[Any, Literal]) -> tuple[int, str, int]:
    """Order the members of a set: small ints as Python does, objects by number."""
    key = member[0]
    if isinstance(key, Thing):
        return 1, key.cls.__name__, key.number
    if isinstance(key, int):
        return 0, "", key
    return 2, repr(key), 0


def _name(value: Value) -> str:
    names = {SetValue: "set", DictValue: "dict", ListValue: "list", type(None): "None"}
    return names.get(type(value), type(value).__name__)
