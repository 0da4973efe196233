"""Plain Korat, the reference: candidate vectors, and the last field read is the first to change.

Every field of every object is a place in a vector, with a list of values. The invariant runs on the objects that the
vector describes, and it is noted which places it reads, in order. Then the last place read takes its next value; when
it has none left it starts again, and the place read before it takes its next one. An object may be referred to only if
all objects of its class with smaller numbers are, so no two candidates differ by the names of objects alone. Whatever
a structure leaves unread is read once it is accepted. Values are plain ints, one after the other.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

from unlike.errors import ScopeError, with_article
from unlike.heap.fields import maker_of
from unlike.indexed import Integers
from unlike.invariants.fields.contents import Content, ObjectAt, content_of, dict_content, in_order, make_container
from unlike.invariants.fields.domains import DictOf, Domain, Keyed, ListOf, Mixed, Objects, Part, SetOf, Values
from unlike.invariants.search.decisions import SET
from unlike.invariants.search.engine import Order
from unlike.invariants.search.fresh import FreshCopies, is_checked
from unlike.invariants.search.guards import (
    ABSENT,
    OURS,
    ClassHooks,
    InvariantNotes,
    OpenField,
    RunClock,
    SearchEndError,
    SlowRunError,
    ask_slowly,
)
from unlike.invariants.search.template import TemplateReader
from unlike.invariants.structure import LabelledStructure, ObjectRecord, Structure, map_leaves
from unlike.isolation.copy import mark
from unlike.progress import report

Pool: TypeAlias = dict[type, list[Any]]
MOST_VALUES = 200_000  # of one field


@dataclass(frozen=True, slots=True)
class Pointer:
    """A value of the vector: the object of this number among those of its class."""

    cls: type
    number: int


class Monitored:
    """A field whose reading is noted; what it holds stands in the vector."""

    __slots__ = ("before", "korat", "name", "places")

    def __init__(self, name: str, korat: Korat, places: dict[int, int], before: OpenField) -> None:
        self.name = name
        self.korat = korat
        self.places = places  # of the objects, by their ids
        self.before = before  # for objects that are not of the search

    def __get__(self, thing: Any, cls: type | None = None) -> Any:
        place = self.places.get(id(thing))
        if place is None:
            return self.before.__get__(thing, cls)
        korat = self.korat
        if not korat.is_read[place]:
            korat.note(place)
        return korat.current[place]


class Korat:
    """One search; `structures` yields what is accepted."""

    def __init__(self, order: Order) -> None:
        table = self.table = order.table
        self.invariant, self.all_labels, self.deadline = order.invariant, order.all_labels, order.deadline
        self.seen, self.backwards = InvariantNotes(), order.backwards
        self.watch = RunClock(self.seen)
        self.pool = {each.cls: [maker_of(each.cls)(each.cls) for _ in range(each.most)] for each in table.classes}
        self.root = self.pool[table.root][0]
        self.domains: list[list[Any]] = []
        self.places: dict[type, dict[str, dict[int, int]]] = {}  # class -> field -> object by id -> place
        known: dict[Domain, list[Any]] = {}
        for each in table.classes:
            fields = self.places[each.cls] = {found.name: {} for found in each.fields}
            for thing in self.pool[each.cls]:
                for found in each.fields:
                    fields[found.name][id(thing)] = len(self.domains)
                    if found.domain not in known:
                        known[found.domain] = self.values(found.domain)
                    self.domains.append(known[found.domain])
        self.fresh = FreshCopies(table, TemplateReader(table, {}))
        self.vector = [0] * len(self.domains)
        self.read: list[int] = []  # places, in the order in which they were read
        self.is_read = [False] * len(self.domains)
        self.current: list[Any] = [self.real(domain[0]) for domain in self.domains]  # as the invariant sees them
        self.whole = [any(type(value) is Content for value in domain) for domain in self.domains]
        self.refers = [any(True for value in domain for _ in pointers(value)) for domain in self.domains]

    def structures(self) -> Iterator[Structure | LabelledStructure]:
        """Yield every structure that the invariant accepts."""
        with self.hooks(), self.watch:
            while True:
                self.seen.runs += 1
                if not self.seen.runs & 255:
                    self.check_time()
                endless = self.seen.endless
                accepted = self.is_accepted()
                if is_checked(self.seen.runs, accepted=accepted) and self.seen.endless == endless:
                    self.check_fresh(accepted)
                if accepted:
                    yield self.structure()
                if not self.advance():
                    break
            if not self.fresh.check_again(self.says):
                raise SearchEndError("unsteady")
            if self.backwards:
                self.seen.asked = self.fresh.list_asked(self.table)

    def hooks(self) -> ClassHooks:
        """Return what makes the fields of the classes monitored ones."""
        ours = {id(thing) for things in self.pool.values() for thing in things}

        def monitor(cls: type, field: OpenField) -> Monitored:
            return Monitored(field.name, self, self.places[cls][field.name], field)

        return ClassHooks(self.table, lambda thing: id(thing) in ours, self.access, monitor)

    def check_time(self) -> None:
        """Say where the search is, and end it where its time is used up."""
        mark(self.seen.runs)
        report("searching", None, self.seen.runs)
        self.deadline.check()

    def access(self, thing: Any, name: str) -> Any:
        """Return what a field holds, and note that it was read."""
        place = self.places.get(type(thing), {}).get(name, {}).get(id(thing))
        if place is None:
            return ABSENT
        if not self.is_read[place]:
            self.note(place)
        return self.current[place]

    def note(self, place: int) -> None:
        """Note that a place was read; a container is made anew for each run."""
        self.is_read[place] = True
        self.read.append(place)
        if self.whole[place]:
            self.current[place] = self.real(self.domains[place][self.vector[place]])

    def is_accepted(self) -> bool:
        """Run the invariant on the candidate."""
        try:
            self.watch.is_running = True
            try:
                accepted = bool(self.invariant(self.root))
            finally:
                self.watch.is_running = False
        except OURS:
            raise
        except SlowRunError:
            accepted = ask_slowly(lambda: self.invariant(self.root), self.seen)
        except BaseException as error:  # the invariant is foreign code and may raise anything
            self.seen.note(error)
            accepted = False
        for place in self.read:
            if self.whole[place]:
                value = self.domains[place][self.vector[place]]
                if self.current[place] != self.real(value):
                    raise SearchEndError("wrote", with_article(value.name))
        return accepted

    def check_fresh(self, accepted: bool) -> None:
        """Run the invariant on fresh objects that hold the same: it must say the same, or it remembers something."""
        for unread in (0, -1):  # the first and the last value where nothing was read
            copies = {cls: [maker_of(cls)(cls) for _ in things] for cls, things in self.pool.items()}
            for cls, things in copies.items():
                for thing, old in zip(things, self.pool[cls], strict=True):
                    for name, places in self.places[cls].items():
                        place = places[id(old)]
                        index = self.vector[place] if self.is_read[place] else unread
                        SET(thing, name, self.real(self.domains[place][index], copies))
            self.fresh.remember(copies[self.table.root][0], accepted=accepted)
            if self.says(copies[self.table.root][0]) is not accepted:
                raise SearchEndError("unsteady")

    def says(self, thing: Any) -> bool:
        """Return what the invariant says of an object that is none of the search."""
        return self.watch.says(self.invariant, thing)

    def advance(self) -> bool:
        """Make the next candidate; False if there is none."""
        read, is_read, vector = self.read, self.is_read, self.vector
        for place in read:
            is_read[place] = False
        while read:
            place = read.pop()
            domain = self.domains[place]
            while vector[place] + 1 < len(domain):
                vector[place] += 1
                if self.all_labels or not self.refers[place] or self.is_in_order(place):
                    self.current[place] = self.real(domain[vector[place]])
                    read.clear()
                    return True
            vector[place] = 0
            self.current[place] = self.real(domain[0])
        return False

    def is_in_order(self, place: int) -> bool:
        """Tell whether the objects that a place now refers to come in order, given the places read before it."""
        value = self.domains[place][self.vector[place]]
        met = dict.fromkeys(self.pool, 0)
        met[self.table.root] = 1
        for before in self.read:
            if self.refers[before]:
                found = self.domains[before][self.vector[before]]
                if type(found) is Pointer:  # the usual case
                    if found.number >= met[found.cls]:
                        met[found.cls] = found.number + 1
                else:
                    for pointer in pointers(found):
                        met[pointer.cls] = max(met[pointer.cls], pointer.number + 1)
        for pointer in pointers(value):
            if pointer.number > met[pointer.cls]:
                return False
            met[pointer.cls] = max(met[pointer.cls], pointer.number + 1)
        return True

    # -- values ----------------------------------------------------------------------------------------------

    def values(self, domain: Domain) -> list[Any]:
        """Return every value of a domain, containers whole."""
        every = (value for part in domain.parts for value in self._part_values(part))
        found = list(itertools.islice(every, MOST_VALUES + 1))
        if len(found) > MOST_VALUES:
            raise ScopeError(
                f"plain Korat lists whole containers, and ({domain}) has more than {MOST_VALUES:,}; "
                "use a smaller scope, or the search engine"
            )
        return found

    def _part_values(self, part: Part) -> Iterator[Any]:
        match part:
            case Integers(low, high):
                yield from range(low, high + 1)
            case Values(values):
                yield from values
            case Objects(classes):
                for cls in classes:
                    yield from (Pointer(cls, number) for number in range(len(self.pool[cls])))
            case ListOf(element, least, most):
                for size in range(least, most + 1):
                    for items in itertools.product(self.values(element), repeat=size):
                        yield content_of(part, items)
            case Mixed(places) | Keyed(_, places):
                for items in itertools.product(*map(self.values, places)):
                    yield content_of(part, items)
            case SetOf(element, most):
                for size in range(most + 1):
                    for items in itertools.combinations(self.members(element), size):
                        yield content_of(part, items)
            case DictOf(key, value, most):
                choose = itertools.permutations if part.is_ordered else itertools.combinations
                for size in range(most + 1):
                    for keys in choose(self.members(key), size):
                        for values in itertools.product(self.values(value), repeat=size):
                            yield dict_content(keys, values, part.maker)

    def members(self, domain: Domain) -> list[Any]:
        """Return what may be in a set, or a key: each value once, in the order that sets have everywhere."""
        return sorted(dict.fromkeys(self.values(domain)), key=self.rank)

    def rank(self, value: Any) -> tuple[Any, ...]:
        """Return where a member of a set stands."""
        match value:
            case Pointer(cls, number):
                return (3, list(self.pool).index(cls), number)
            case Content(_, items):
                return (4, value.name, len(items), *map(self.rank, items))
        return in_order(value)

    def real(self, value: Any, pool: Pool | None = None) -> Any:
        """Return a value of the vector as the invariant may see it, with the objects of the search or others."""
        if type(value) is Pointer:
            return (pool or self.pool)[value.cls][value.number]
        if type(value) is not Content:
            return value
        return make_container(value.kind, [self.real(item, pool) for item in value.items], value.maker)

    def structure(self) -> Structure | LabelledStructure:
        """Return the structure of the candidate; fields that were not read count as read from now on."""
        order = [Pointer(self.table.root, 0)]
        place = {order[0]: 0}

        def number(value: Any) -> Any:
            if type(value) is not Pointer:
                return value
            if value not in place:
                place[value] = len(order)
                order.append(value)
            return ObjectAt(place[value])

        records = []
        for pointer in order:  # grows while we walk
            thing = self.pool[pointer.cls][pointer.number]
            fields = []
            for found in self.table.of(pointer.cls).fields:
                self.access(thing, found.name)
                where = self.places[pointer.cls][found.name][id(thing)]
                fields.append((found.name, map_leaves(self.domains[where][self.vector[where]], number)))
            records.append(ObjectRecord(pointer.cls, tuple(fields)))
        if self.all_labels:
            return LabelledStructure(Structure(tuple(records)), tuple(pointer.number for pointer in order))
        return Structure(tuple(records))


def pointers(value: Any) -> Iterator[Pointer]:
    """Yield the objects that a value refers to, in order."""
    match value:
        case Pointer():
            yield value
        case Content(_, items):
            for item in items:
                yield from pointers(item)
