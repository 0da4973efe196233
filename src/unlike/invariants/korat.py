"""Plain Korat, the reference: candidate vectors, and the last field read is the first to change.

Every field of every object is a place in a vector, with a list of values. The invariant runs on the objects that the
vector describes, and it is noted which places it reads, in order. Then the last place read takes its next value; when
it has none left it starts again, and the place read before it takes its next one. An object may be referred to only if
all objects of its class with smaller numbers are, so no two candidates differ by the names of objects alone. Whatever
a structure leaves unread is read once it is accepted. Values are plain ints, one after the other.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from unlike.errors import ScopeError
from unlike.heap.fields import maker_of
from unlike.invariants.fields import DictOf, Domain, FieldTable, Ints, ListOf, Mixed, Objects, Part, SetOf, Values
from unlike.invariants.search.engine import TimeIsUpError, Watched
from unlike.invariants.search.guards import Watch
from unlike.invariants.search.hooks import ABSENT, Hooks, WroteError
from unlike.invariants.structure import Content, Labelled, ObjectAt, Record, Structure

MOST_VALUES = 200_000  # of one field


@dataclass(frozen=True, slots=True)
class Pointer:
    """A value of the vector: the object of this number among those of its class."""

    cls: type
    number: int


class Korat:
    """One search; `structures` yields what is accepted."""

    def __init__(
        self,
        table: FieldTable,
        invariant: Callable[[Any], object],
        *,
        all_labels: bool = False,
        timeout: float | None = None,
    ) -> None:
        self.table = table
        self.invariant = invariant
        self.all_labels = all_labels
        self.ends = None if timeout is None else time.monotonic() + timeout
        self.seen = Watched()
        self.pool = {each.cls: [maker_of(each.cls)(each.cls) for _ in range(each.most)] for each in table.classes}
        self.root = self.pool[table.root][0]
        self.domains: list[list[Any]] = []
        self.places: dict[int, dict[str, int]] = {}  # of each object by id: its fields' places
        known: dict[Domain, list[Any]] = {}
        for each in table.classes:
            for thing in self.pool[each.cls]:
                self.places[id(thing)] = {}
                for found in each.fields:
                    self.places[id(thing)][found.name] = len(self.domains)
                    if found.domain not in known:
                        known[found.domain] = self.values(found.domain)
                    self.domains.append(known[found.domain])
        self.vector = [0] * len(self.domains)
        self.read: list[int] = []  # places, in the order in which they were read
        self.is_read = [False] * len(self.domains)
        self.current: list[Any] = [None] * len(self.domains)  # the values as the invariant sees them

    def structures(self) -> Iterator[Structure | Labelled]:
        """Yield every structure that the invariant accepts."""
        fields = [(each.cls, [f.name for f in each.fields]) for each in self.table.classes]
        hooks = Hooks(fields, lambda thing: id(thing) in self.places, self.access)
        with hooks, Watch(self.seen):
            while True:
                self.seen.runs += 1
                if self.ends is not None and not self.seen.runs & 255 and time.monotonic() > self.ends:
                    raise TimeIsUpError
                if self.is_accepted():
                    yield self.structure()
                if not self.advance():
                    return

    def access(self, thing: Any, name: str) -> Any:
        """Return what a field holds, and note that it was read."""
        places = self.places.get(id(thing))
        if places is None:
            return ABSENT
        place = places[name]
        if not self.is_read[place]:
            self.is_read[place] = True
            self.read.append(place)
            self.current[place] = self.real(self.domains[place][self.vector[place]])
        return self.current[place]

    def is_accepted(self) -> bool:
        """Run the invariant on the candidate."""
        try:
            accepted = bool(self.invariant(self.root))
        except (WroteError, KeyboardInterrupt):
            raise
        except BaseException as error:  # the invariant is foreign code and may raise anything
            self.seen.note(error)
            accepted = False
        for place in self.read:
            value = self.domains[place][self.vector[place]]
            if type(value) is Content and self.current[place] != self.real(value):
                raise WroteError(f"a {value.kind}")
        return accepted

    def advance(self) -> bool:
        """Make the next candidate; False if there is none."""
        for place in self.read:
            self.is_read[place] = False
        read = self.read
        while read:
            place = read.pop()
            while self.vector[place] + 1 < len(self.domains[place]):
                self.vector[place] += 1
                if self.all_labels or self.is_in_order(place):
                    self.read = []
                    return True
            self.vector[place] = 0
        return False

    def is_in_order(self, place: int) -> bool:
        """Tell whether the objects that a place now refers to come in order, given the places read before it."""
        value = self.domains[place][self.vector[place]]
        found = list(pointers(value))
        if not found:
            return True
        met = dict.fromkeys(self.pool, 0)
        met[self.table.root] = 1
        for before in self.read:
            for pointer in pointers(self.domains[before][self.vector[before]]):
                met[pointer.cls] = max(met[pointer.cls], pointer.number + 1)
        for pointer in found:
            if pointer.number > met[pointer.cls]:
                return False
            met[pointer.cls] = max(met[pointer.cls], pointer.number + 1)
        return True

    # -- values ----------------------------------------------------------------------------------------------

    def values(self, domain: Domain) -> list[Any]:
        """Return every value of a domain, containers whole."""
        found = list(itertools.islice(self._values(domain), MOST_VALUES + 1))
        if len(found) > MOST_VALUES:
            raise ScopeError(
                f"plain Korat lists whole containers, and ({domain}) has more than {MOST_VALUES:,}; "
                "use a smaller scope, or the search engine"
            )
        return found

    def _values(self, domain: Domain) -> Iterator[Any]:
        for part in domain.parts:
            yield from self._part(part)

    def _part(self, part: Part) -> Iterator[Any]:
        match part:
            case Ints(low, high):
                yield from range(low, high + 1)
            case Values(values):
                yield from values
            case Objects(classes):
                for cls in classes:
                    yield from (Pointer(cls, number) for number in range(len(self.pool[cls])))
            case ListOf(element, least, most, kind):
                for size in range(least, most + 1):
                    for items in itertools.product(self.values(element), repeat=size):
                        yield Content(kind, items)
            case Mixed(places):
                for items in itertools.product(*map(self.values, places)):
                    yield Content("tuple", items)
            case SetOf(element, most, kind):
                for size in range(most + 1):
                    for items in itertools.combinations(self.values(element), size):
                        yield Content(kind, items)
            case DictOf(key, value, most):
                for size in range(most + 1):
                    for keys in itertools.combinations(self.values(key), size):
                        for values in itertools.product(self.values(value), repeat=size):
                            yield Content("dict", tuple(x for pair in zip(keys, values, strict=True) for x in pair))

    def real(self, value: Any) -> Any:
        """Return a value of the vector as the invariant may see it."""
        match value:
            case Pointer(cls, number):
                return self.pool[cls][number]
            case Content("dict", items):
                real = [self.real(item) for item in items]
                return dict(zip(real[::2], real[1::2], strict=True))
            case Content(kind, items):
                make: Callable[[list[Any]], Any] = {
                    "list": list, "tuple": tuple, "set": set, "frozenset": frozenset,
                }[kind]  # fmt: skip
                return make([self.real(item) for item in items])
        return value

    def structure(self) -> Structure | Labelled:
        """Return the structure of the candidate; fields that were not read count as read from now on."""
        order = [Pointer(self.table.root, 0)]
        place = {order[0]: 0}

        def seen(value: Any) -> Any:
            match value:
                case Pointer():
                    if value not in place:
                        place[value] = len(order)
                        order.append(value)
                    return ObjectAt(place[value])
                case Content(kind, items):
                    return Content(kind, tuple(map(seen, items)))
            return value

        records = []
        for pointer in order:  # grows while we walk
            thing = self.pool[pointer.cls][pointer.number]
            fields = []
            for found in self.table.of(pointer.cls).fields:
                self.access(thing, found.name)
                where = self.places[id(thing)][found.name]
                fields.append((found.name, seen(self.domains[where][self.vector[where]])))
            records.append(Record(pointer.cls, tuple(fields)))
        if self.all_labels:
            return Labelled(Structure(tuple(records)), tuple(pointer.number for pointer in order))
        return Structure(tuple(records))


def pointers(value: Any) -> Iterator[Pointer]:
    """Yield the objects that a value refers to, in order."""
    match value:
        case Pointer():
            yield value
        case Content(_, items):
            for item in items:
                yield from pointers(item)
