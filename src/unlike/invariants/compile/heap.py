"""All structures of a scope at once: every field of every object as a value with open literals.

What is false of an object that is not in the structure is false altogether: no literal of its fields holds. So a model
is one structure, and no two models differ in what nobody can see. Numbers of objects are tied to the structure, so that
each structure has one model.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from unlike.errors import with_article
from unlike.indexed import Integers
from unlike.invariants.compile.formula import FALSE, TRUE, Formula, Literal
from unlike.invariants.compile.values import (
    Algebra,
    Alternatives,
    ContainerValue,
    DictValue,
    ListValue,
    Number,
    SetValue,
    Thing,
    Truth,
    UnsupportedError,
    Value,
    is_atom,
)
from unlike.invariants.fields.domains import DictOf, Domain, FieldTable, ListOf, Mixed, Objects, SetOf, Values

WIDEST_INTS = 10_000  # between the least and the greatest int of a field: each between them is a literal


@dataclass(frozen=True, slots=True, eq=False)
class Slot:
    """A place of an object that can hold other objects: a field, or a place in a container of it."""

    owner: Thing
    place: int  # among the owner's slots
    holds: Mapping[Thing, Literal]


@dataclass(slots=True)
class OpenHeap:
    """The objects of a scope, their fields, and the places where they hold each other."""

    table: FieldTable
    algebra: Algebra
    root: Thing
    things: dict[type, list[Thing]]
    fields: dict[tuple[Thing, str], Value] = field(default_factory=dict)
    slots: list[Slot] = field(default_factory=list)

    @property
    def all_things(self) -> list[Thing]:
        """Every object, the root first, class by class."""
        return [self.root, *(each for group in self.things.values() for each in group if each is not self.root)]

    def slots_of(self, owner: Thing) -> list[Slot]:
        """Return the places of one object, in order."""
        return [slot for slot in self.slots if slot.owner is owner]


def open_heap(table: FieldTable, algebra: Algebra) -> OpenHeap:
    """Return the heap of a scope with every field open; numbers of objects are not yet tied to the structure."""
    formula = algebra.formula
    things: dict[type, list[Thing]] = {}
    for each in table.classes:
        actives = [TRUE if each.cls is table.root and number == 0 else formula.new() for number in range(each.most)]
        things[each.cls] = [Thing(each.cls, number, active) for number, active in enumerate(actives)]
    heap = OpenHeap(table, algebra, things[table.root][0], things)
    for thing in heap.all_things:
        maker = _FieldMaker(heap, thing)
        for each_field in table.of(thing.cls).fields:
            maker.where = f"{thing.cls.__name__}.{each_field.name}"
            heap.fields[thing, each_field.name] = maker.value(each_field.domain, thing.active)
    return heap


class _FieldMaker:
    """Makes the open values of one object's fields, and notes its slots."""

    def __init__(self, heap: OpenHeap, owner: Thing) -> None:
        self.heap = heap
        self.algebra = heap.algebra
        self.formula = heap.algebra.formula
        self.owner = owner
        self.place = 0
        self.where = ""

    def value(self, domain: Domain, context: Literal) -> Value:
        """Return an open value of the domain; all its literals imply the context."""
        atoms = self.atoms(domain)
        ints = self.ints(domain)
        if not atoms and not ints:
            raise UnsupportedError(f"{self.where} has no value at all")
        if not atoms:
            return self.number(ints, context)
        if not ints and len(atoms) == 2 and set(map(type, atoms)) == {bool}:
            return Truth(self.implying(context))
        literals = self.one_of(len(atoms) + bool(ints), context)
        chosen = dict(zip(atoms, literals, strict=False))
        self.note_slot(chosen)
        chosen = {
            self.container(atom.part, under) if isinstance(atom, _Unmade) else atom: under
            for atom, under in chosen.items()
        }
        if not ints:
            return Alternatives(chosen)
        return Alternatives(chosen, self.number(ints, literals[-1]), literals[-1])

    def atoms(self, domain: Domain) -> list[Any]:
        found: list[Any] = []
        for part in domain.parts:
            match part:
                case Values(values):
                    found += [value for value in values if not _is_int(value)]
                case Objects(classes):
                    found += [thing for cls in classes for thing in self.heap.things[cls]]
                case Integers():
                    pass
                case _:
                    found.append(_Unmade(part))
        for atom in found:
            if not isinstance(atom, _Unmade) and not is_atom(atom):
                raise UnsupportedError(f"{self.where} may be {atom!r}, {with_article(type(atom).__name__)}")
        return list(dict.fromkeys(found))

    def ints(self, domain: Domain) -> list[int]:
        values = [value for value in domain.plain_values() if _is_int(value)]
        return sorted(set(values))  # type: ignore[arg-type]

    def number(self, ints: list[int], context: Literal) -> Number:
        if ints[-1] - ints[0] > WIDEST_INTS:
            raise UnsupportedError(f"{self.where} may be ints from {ints[0]} to {ints[-1]}")
        known = self.algebra.fresh_number(0, len(ints) - 1)  # the place among the ints
        for step in known.steps[:1]:
            self.formula.add(-step, context)
        places = [
            next(place for place, each in enumerate(ints) if each >= bound)
            for bound in range(ints[0] + 1, ints[-1] + 1)
        ]
        return Number(ints[0], ints[-1], [known.at_least(place) for place in places])

    def implying(self, context: Literal) -> Literal:
        literal = self.formula.new()
        self.formula.add(-literal, context)
        return literal

    def one_of(self, count: int, context: Literal) -> list[Literal]:
        """Return so many literals of which exactly one holds in the context, and none outside."""
        if count == 1:
            return [context]
        literals = [self.implying(context) for _ in range(count)]
        self.formula.add(-context, *literals)
        for position, one in enumerate(literals):
            for other in literals[:position]:
                self.formula.add(-one, -other)
        return literals

    def note_slot(self, chosen: Mapping[Any, Literal]) -> None:
        held = {atom: literal for atom, literal in chosen.items() if isinstance(atom, Thing)}
        if held:
            self.heap.slots.append(Slot(self.owner, self.place, held))
            self.place += 1
            for thing, literal in held.items():
                self.formula.add(-literal, thing.active)

    def container(self, part: Any, context: Literal) -> ContainerValue:
        made: ContainerValue
        kind: str
        match part:
            case ListOf(element, least, most, kind):
                made = self.list_of(element, least, most, context)
            case Mixed(places):
                made = ListValue(True, entries=[(context, self.value(each, context)) for each in places], queue=None)
                made.dense, kind = True, "tuple"
            case SetOf(element, most, kind):
                made = SetValue(True, members=self.members(element, most, context))
            case DictOf(key, value, most):
                members, kind = self.members(key, most, context), "dict"
                made = DictValue(
                    True, entries={each: (under, self.value(value, under)) for each, under in members.items()}
                )
                made.log = [(under, each) for each, under in members.items()]
        made.kind = kind
        return made

    def list_of(self, element: Domain, least: int, most: int, context: Literal) -> ListValue:
        length = self.algebra.fresh_number(least, most)
        for step in length.steps[:1]:
            self.formula.add(-step, context)
        present = [context if place < least else length.at_least(place + 1) for place in range(most)]
        entries = [(under, self.value(element, under)) for under in present]
        return ListValue(True, entries=entries, queue=None, dense=True)

    def members(self, element: Domain, most: int, context: Literal) -> dict[Any, Literal]:
        """Return which values are in a set, or are keys of a dict."""
        if not element.is_plain:
            raise UnsupportedError(f"{self.where} has objects in a set, or as keys: they have no order")
        values = list(element.plain_values())
        if any((not _is_int(value) and not is_atom(value)) or isinstance(value, bool) for value in values):
            raise UnsupportedError(f"{self.where} has other keys than ints, strings, enum members and None")
        found = {value: self.implying(context) for value in values}
        if most < len(found):
            count = self.algebra.count(list(found.values()))
            self.formula.add(-count.at_least(most + 1))
        return found


@dataclass(frozen=True, slots=True)
class _Unmade:
    """A container that is made when its literal is known."""

    part: Any


def _is_int(value: object) -> bool:
    return type(value) is int


# a field, or a place in a container, closed: every value it can have (plain values, Things and Contents), each with the
# literal that says that it has it
Options: TypeAlias = tuple[tuple[Any, Literal], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Contents:
    """A container, closed: its places by index or key, each with the literal under which it is there."""

    kind: str
    places: tuple[tuple[Any, Literal, Options | None], ...]  # a member of a set has no place of its own


def close_field(value: Value, context: Literal, algebra: Algebra) -> Options:
    """Return an open value with a literal for each value that it can have in the context."""
    return tuple(_options(value, context, algebra))


def _options(value: Value, context: Literal, algebra: Algebra) -> Iterator[tuple[Any, Literal]]:
    both = algebra.formula.both
    match value:
        case Truth(literal):
            yield False, both(context, -literal)
            yield True, literal
        case Number():
            for each in range(value.low, value.high + 1):
                if value.at_least(each) != value.at_least(each + 1):  # else there is a gap in the domain
                    yield each, both(context, value.at_least(each), -value.at_least(each + 1))
        case Alternatives(atoms, number, is_number):
            for atom, literal in atoms.items():
                closed = _close_container(atom, algebra) if isinstance(atom, ContainerValue) else atom
                yield closed, literal
            if number is not None:
                yield from _options(number, is_number, algebra)
        case _:
            raise AssertionError(value)


def _close_container(container: ContainerValue, algebra: Algebra) -> Contents:
    """Return a container of the structure, closed."""
    match container:
        case SetValue(members=members):
            return Contents(container.kind, tuple((key, under, None) for key, under in members.items()))
        case DictValue(entries=entries):
            items = list(entries.items())
        case _:
            assert isinstance(container, ListValue)
            items = list(enumerate(container.entries))
    places = [(key, under, close_field(value, under, algebra)) for key, (under, value) in items]
    return Contents(container.kind, tuple(places))


# -- which object is the first, which the second ---------------------------------------------------------------
#
# Breadth-first: objects of a class are numbered in the order in which a walk from the root, queue in hand, first meets
# them. Depth-first: the same with a walk that goes into each object as soon as it meets it.


def number_objects(heap: OpenHeap, *, depth_first: bool) -> None:
    """Assert that objects are numbered in the order of a walk, and that those in the structure are those met."""
    groups = [group for group in heap.things.values() if len(group) > 1 or group[0] is not heap.root]
    for group in groups:
        for one, following in itertools.pairwise(group):
            heap.algebra.formula.add(-following.active, one.active)
    if depth_first:
        _Descent(heap).assert_order()
    elif len(groups) == 1:
        _one_class(heap, groups[0])
    elif groups:
        _NumberingWalk(heap, groups).assert_order()


def _one_class(heap: OpenHeap, group: list[Thing]) -> None:
    """With one class of objects the walk takes them in the order of their numbers."""
    formula = heap.algebra.formula
    seen = [TRUE if thing is heap.root else FALSE for thing in group]
    owners = [heap.root, *(thing for thing in group if thing is not heap.root)]
    for owner in owners:
        if owner is not heap.root:
            formula.add(-owner.active, seen[owner.number])
        for slot in heap.slots_of(owner):
            for thing, literal in slot.holds.items():
                if thing is not heap.root and thing.number > 0:
                    formula.add(-literal, seen[thing.number - 1])
            for thing, literal in slot.holds.items():
                if thing in group:
                    seen[thing.number] = formula.either(seen[thing.number], literal)
    for thing in group:
        formula.equate(seen[thing.number], thing.active)


class _NumberingWalk:
    """With several classes the order in which the walk takes objects is part of what is to be found.

    `before` says it for every two objects. Each object has one slot where it was first met; slots are ordered by their
    owners and then by their place; and who was met first is taken first.
    """

    def __init__(self, heap: OpenHeap, groups: list[list[Thing]]) -> None:
        self.heap = heap
        self.formula: Formula = heap.algebra.formula
        self.things = [thing for group in groups for thing in group if thing is not heap.root]
        self.slots = heap.slots
        self.order: dict[tuple[Thing, Thing], Literal] = {}
        self.first: dict[tuple[Thing, Slot], Literal] = {}

    def assert_order(self) -> None:
        for thing in self.things:
            self.meet(thing)
        for one in self.things:
            for other in self.things:
                if one is not other:
                    self.take_in_turn(one, other)
        self.transitive()

    def before(self, one: Thing, other: Thing) -> Literal:
        """Return whether the walk takes one object before the other."""
        if one is other or other is self.heap.root:
            return FALSE
        if one is self.heap.root:
            return TRUE
        if one.cls is other.cls:
            return TRUE if one.number < other.number else FALSE
        if (one, other) not in self.order:
            literal = self.formula.new()
            self.order[one, other], self.order[other, one] = literal, -literal
        return self.order[one, other]

    def earlier(self, one: Slot, other: Slot) -> Literal:
        """Return whether the walk looks into one slot before the other."""
        if one.owner is other.owner:
            return TRUE if one.place < other.place else FALSE
        return self.before(one.owner, other.owner)

    def meet(self, thing: Thing) -> None:
        """Give an object that is there one slot where it is first met, whose owner was there before."""
        slots = [slot for slot in self.slots if thing in slot.holds]
        firsts = [self.formula.new() for _ in slots]
        self.formula.add(-thing.active, *firsts)
        for slot, first in zip(slots, firsts, strict=True):
            self.first[thing, slot] = first
            self.formula.add(-first, slot.holds[thing])
            self.formula.add(-first, self.before(slot.owner, thing))
            for other in slots:
                if other is not slot:
                    self.formula.add(-first, -other.holds[thing], self.earlier(slot, other))

    def take_in_turn(self, one: Thing, other: Thing) -> None:
        """Say that who is taken before the other was met before it."""
        follows = one.cls is other.cls and other.number == one.number + 1
        if one.cls is other.cls and not follows:
            return  # by transitivity
        for slot in self.slots:
            for later in self.slots:
                if one in slot.holds and other in later.holds:
                    firsts = -self.first[one, slot], -self.first[other, later]
                    self.formula.add(*firsts, -self.before(one, other), self.earlier(slot, later))

    def transitive(self) -> None:
        for one in self.things:
            for two in self.things:
                for three in self.things:
                    if len({one, two, three}) == 3 and len({one.cls, two.cls, three.cls}) > 1:
                        self.formula.add(-self.before(one, two), -self.before(two, three), self.before(one, three))


class _Descent:
    """Each object knows how many objects of each class were met before it and when its walk was over."""

    def __init__(self, heap: OpenHeap) -> None:
        self.heap = heap
        self.algebra: Algebra = heap.algebra
        self.formula = heap.algebra.formula
        self.classes = list(heap.things)
        self.start: dict[tuple[Thing, type], Number] = {}
        self.end: dict[tuple[Thing, type], Number] = {}

    def assert_order(self) -> None:
        for thing in self.heap.all_things:
            for cls in self.classes:
                self.start[thing, cls] = self.at_start(thing, cls)
                self.end[thing, cls] = self.algebra.fresh_number(self.start[thing, cls].low, len(self.heap.things[cls]))
        for thing in self.heap.all_things:
            self.descend(thing)
        root = self.heap.root
        for cls, group in self.heap.things.items():
            for thing in group:
                self.formula.equate(thing.active, self.end[root, cls].at_least(thing.number + 1))

    def at_start(self, thing: Thing, cls: type) -> Number:
        """Return how many objects of the class were met when the walk went into the object, itself included."""
        if cls is thing.cls:
            return Number(thing.number + 1, thing.number + 1, ())
        if thing is self.heap.root:
            return Number(0, 0, ())
        least = 1 if cls is self.heap.root.cls else 0
        number = self.algebra.fresh_number(least, len(self.heap.things[cls]))
        for step in number.steps[:1]:
            self.formula.add(-step, thing.active)
        return number

    def descend(self, owner: Thing) -> None:
        met = {cls: self.start[owner, cls] for cls in self.classes}
        for slot in self.heap.slots_of(owner):
            met = self.after(slot, met)
        for cls in self.classes:
            self.algebra.tie_numbers(self.end[owner, cls], met[cls], -owner.active)
            for step in self.end[owner, cls].steps[:1]:
                self.formula.add(-step, owner.active)

    def after(self, slot: Slot, met: dict[type, Number]) -> dict[type, Number]:
        """Return how many objects were met after a slot: as before, or as after the walk into a new object."""
        news: list[tuple[Literal, Thing]] = []
        for thing, literal in slot.holds.items():
            self.formula.add(-literal, met[thing.cls].at_least(thing.number))
            is_new = self.formula.both(literal, self.algebra.is_exactly(met[thing.cls], thing.number))
            if is_new != FALSE:
                news.append((is_new, thing))
        if not news:
            return met
        for is_new, thing in news:
            for cls in self.classes:
                if cls is not thing.cls:
                    self.algebra.tie_numbers(self.start[thing, cls], met[cls], -is_new)
        any_new = self.formula.either(*(is_new for is_new, _ in news))
        return {cls: self.join_counts(met[cls], news, any_new, cls) for cls in self.classes}

    def join_counts(self, before: Number, news: list[tuple[Literal, Thing]], any_new: Literal, cls: type) -> Number:
        if all(self.end[thing, cls].high == before.low for _, thing in news):
            return before
        high = max([before.high, *(self.end[thing, cls].high for _, thing in news)])
        joined = self.algebra.fresh_number(before.low, high)
        self.algebra.tie_numbers(joined, before, any_new)
        for bound in range(before.low + 1, high + 1):
            self.formula.add(-before.at_least(bound), joined.at_least(bound))
        for is_new, thing in news:
            self.algebra.tie_numbers(joined, self.end[thing, cls], -is_new)
        return joined
