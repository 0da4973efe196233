"""All structures of a scope at once: every field of every object as a value with open literals.

What is false of an object that is not in the structure is false altogether: no literal of its fields holds. So a model
is one structure, and no two models differ in what nobody can see. Numbers of objects are tied to the structure, so that
each structure has one model.
"""

from __future__ import annotations

import enum
import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from unlike.errors import with_article
from unlike.indexed import Integers
from unlike.invariants.compile.formula import TRUE, Literal
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
    box_constant,
    is_atom,
    unbox,
)
from unlike.invariants.fields.contents import Content, Kind
from unlike.invariants.fields.domains import (
    DictOf,
    Domain,
    FieldTable,
    Keyed,
    ListOf,
    Maker,
    Mixed,
    Objects,
    SetOf,
    Values,
)
from unlike.invariants.fields.flat_values import list_members, plain_value

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
                    found += [box_constant(value) for value in values if not _is_int(value)]
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
            case Keyed(keys, places):
                entries = {key: (context, self.value(place, context)) for key, place in zip(keys, places, strict=True)}
                made, kind = DictValue(True, entries=entries, log=[(context, key) for key in keys]), "dict"
            case DictOf(value=value):
                members, log = self.keys(part, context)
                kind = "dict" if part.maker is None else part.maker.cls.__name__
                made = DictValue(
                    True, entries={each: (under, self.value(value, under)) for each, under in members.items()}, log=log
                )
        made.kind, made.maker = kind, getattr(part, "maker", None)
        return made

    def keys(self, part: DictOf, context: Literal) -> tuple[dict[Any, Literal], list[tuple[Literal, Any]]]:
        """Return which keys are in a dict, and how they come in: in any order, where the dict has one of its own."""
        members = self.members(part.key, part.most, context)
        if not part.is_ordered:
            return members, [(under, each) for each, under in members.items()]
        if part.value.classes:
            raise UnsupportedError(f"{self.where} has objects in an OrderedDict")
        places = [{each: self.implying(under) for each, under in members.items()} for _ in range(part.most)]
        for each, under in members.items():
            self.formula.add(-under, *(place[each] for place in places))
            for one, other in itertools.combinations(places, 2):
                self.formula.add(-one[each], -other[each])
        for place in places:
            for first, second in itertools.combinations(place.values(), 2):
                self.formula.add(-first, -second)
        for before, place in itertools.pairwise(places):
            for literal in place.values():
                self.formula.add(-literal, *before.values())
        return members, [(literal, each) for place in places for each, literal in place.items()]

    def list_of(self, element: Domain, least: int, most: int, context: Literal) -> ListValue:
        length = self.algebra.fresh_number(least, most)
        for step in length.steps[:1]:
            self.formula.add(-step, context)
        present = [context if place < least else length.at_least(place + 1) for place in range(most)]
        entries = [(under, self.value(element, under)) for under in present]
        return ListValue(True, entries=entries, queue=None, dense=True)

    def members(self, element: Domain, most: int, context: Literal) -> dict[Any, Literal]:
        """Return which values are in a set, or are keys of a dict."""
        if element.classes:
            raise UnsupportedError(f"{self.where} has objects in a set, or as keys: they have no order")
        values = [plain_value(value) for value in list_members(element)]
        if any(_is_named(value) for value in values):
            raise UnsupportedError(f"{self.where} has named tuples in a set, or as keys")
        if any(isinstance(value, bool) or not _is_key(value) for value in values):
            raise UnsupportedError(f"{self.where} has other keys than ints, strings, enum members, None and tuples")
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


def _is_key(value: object) -> bool:
    """Tell whether a value can be a key that is compared as Python does it."""
    if isinstance(value, tuple):
        return all(map(_is_key, value))
    return value is None or isinstance(value, int | float | str | bytes | enum.Enum)


def _is_named(value: object) -> bool:
    return isinstance(value, tuple) and (type(value) is not tuple or any(map(_is_named, value)))


def _key_as_data(key: object) -> object:
    """Return a key as structures have it."""
    return Content("tuple", tuple(map(_key_as_data, key))) if isinstance(key, tuple) else key


# a field, or a place in a container, closed: every value it can have (plain values, Things and Contents), each with the
# literal that says that it has it
Options: TypeAlias = tuple[tuple[Any, Literal], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Contents:
    """A container, closed: its places by index or key, each with the literal under which it is there."""

    kind: Kind
    places: tuple[tuple[Any, Literal, Options | None], ...]  # a member of a set has no place of its own
    maker: Maker | None = None
    order: tuple[tuple[Literal, Any], ...] = ()  # in which the keys stand, where that tells two dicts apart


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
                closed = _close_container(atom, algebra) if isinstance(atom, ContainerValue) else unbox(atom)
                yield closed, literal
            if number is not None:
                yield from _options(number, is_number, algebra)
        case _:
            raise AssertionError(value)


def _close_container(container: ContainerValue, algebra: Algebra) -> Contents:
    """Return a container of the structure, closed."""
    kind: Kind = "dict"
    order: tuple[tuple[Literal, Any], ...] = ()
    match container:
        case SetValue(members=members):
            kind = "frozenset" if container.kind == "frozenset" else "set"
            return Contents(kind, tuple((_key_as_data(key), under, None) for key, under in members.items()))
        case DictValue(entries=entries, log=log):
            items = [(_key_as_data(key), item) for key, item in entries.items()]
            if container.kind == "OrderedDict":
                order = tuple((under, _key_as_data(key)) for under, key in log)
        case _:
            assert isinstance(container, ListValue)
            kind = "tuple" if container.kind == "tuple" else "list"
            items = list(enumerate(container.entries))
    places = [(key, under, close_field(value, under, algebra)) for key, (under, value) in items]
    return Contents(kind, tuple(places), container.maker, order)
