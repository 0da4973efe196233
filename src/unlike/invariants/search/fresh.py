"""Whether the invariant says the same of fresh objects that hold what a run of it looked at.

A search asks again and again about the same objects with other fields. An invariant that remembers (a cache, a global)
answers what was true of an earlier structure. What a run read is in the objects, so fresh ones that hold the same must
get the same answer, whatever stands in the fields that were not read; and get it again when the search is over.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from unlike.heap.fields import maker_of
from unlike.indexed import Integers
from unlike.invariants.fields.contents import content_of, make_container, take_apart
from unlike.invariants.fields.domains import DictOf, Domain, FieldTable, Keyed, ListOf, Mixed, Objects, SetOf, Values
from unlike.invariants.search.decisions import OPEN, SET, OpenDict, OpenList
from unlike.invariants.structure import Structure, structure_of
from unlike.zones.open_values import Token

if TYPE_CHECKING:
    from unlike.invariants.search.template import TemplateReader
    from unlike.zones.zone import Zone

ALL_AT_FIRST = 500  # runs, each of which is checked
THEN_EVERY = 64  # of the runs that reject; what is accepted is always checked
REMEMBERED = 200  # objects, about which the invariant is asked again in the end


PLAIN = frozenset({type(None), bool, int, float, str, bytes})  # held as they are


def is_checked(run: int, *, accepted: bool) -> bool:
    """Tell whether the answer of a run is compared with that on fresh objects."""
    return accepted or run < ALL_AT_FIRST or not run % THEN_EVERY


class FreshCopies:
    """Makes fresh objects after those of a search."""

    def __init__(self, table: FieldTable, reader: TemplateReader) -> None:
        self.reader = reader
        self.makers: dict[type, Callable[[type], Any]] = {each.cls: maker_of(each.cls) for each in table.classes}
        self.fields = reader.fields
        self.copies: dict[int, Any] = {}
        self.waiting: list[tuple[Any, Any]] = []
        self.spare: dict[type, Any] = {}
        self.zone: Zone | None = None
        self.place = 0  # of the value that stands where nothing was read: the first one, or the last (-1)
        self.remembered: list[tuple[Any, bool]] = []

    def check(self, ask: Callable[[Any], bool], root: Any, zone: Zone, *, accepted: bool, run: int) -> bool:
        """Tell whether fresh objects get the same answer: with first and with last values where nothing was read."""
        for place in (0, -1) if accepted or run < ALL_AT_FIRST else (-(run // THEN_EVERY & 1),):
            made = self.copy(root, zone, place)
            if ask(made) is not accepted:
                return False
            self.remember(made, accepted=accepted)
        return True

    def remember(self, thing: Any, *, accepted: bool) -> None:
        """Keep one of the first objects, and what was said of it."""
        if len(self.remembered) < REMEMBERED:
            self.remembered.append((thing, accepted))

    def check_again(self, ask: Callable[[Any], bool]) -> bool:
        """Tell whether copies of the objects that were asked about first still get the same answers."""
        return all(ask(self.copy(thing, None)) is accepted for thing, accepted in self.remembered)

    def list_asked(self, table: FieldTable) -> list[tuple[Structure, bool]]:
        """Return the first structures that were asked about, and what was said of them."""
        found = [(structure_of(thing, table), accepted) for thing, accepted in self.remembered]
        return [(structure, accepted) for structure, accepted in found if structure is not None]

    def copy(self, root: Any, zone: Zone | None, place: int = 0) -> Any:
        """Return a fresh root: what is chosen as it is, the least values of tokens, first or last ones elsewhere."""
        self.copies, self.waiting, self.spare, self.zone, self.place = {}, [], {}, zone, place
        made = self.thing(root)
        for old, new in self.waiting:  # grows while we walk
            cls = type(new)
            held = [OPEN] * len(self.fields[cls]) if old is None else self.reader.getters[cls](old)
            for (name, domain), value in zip(self.fields[cls], held, strict=True):
                SET(new, name, value if type(value) in PLAIN else self.value(value, domain))
        return made

    def thing(self, old: Any) -> Any:
        """Return the fresh object for one of the search."""
        new = self.copies.get(id(old))
        if new is None:
            cls = type(old)
            new = self.copies[id(old)] = self.makers[cls](cls)
            self.waiting.append((old, new))
        return new

    def value(self, value: Any, domain: Domain) -> Any:
        """Return what a fresh object holds in the place of a value."""
        cls = type(value)
        if value is OPEN:
            return self.first(domain)
        if cls is Token:
            assert self.zone is not None
            return value.offset - self.zone.bounds[0][value.slot]
        if cls in self.makers:
            return self.thing(value)
        if cls is OpenList:
            items = (list.__getitem__(value, place) for place in range(len(value)))
            return [self.value(each, value.element) for each in items]
        if cls is OpenDict:
            there = [key for key in value.keys_known if value.decided.get(key)]
            return {self.value(key, domain): self.value(dict.get(value, key, OPEN), value.value) for key in there}
        if (taken := take_apart(value)) is not None:
            kind, held, maker = taken
            return make_container(kind, [self.value(each, domain) for each in held], maker)
        return value

    def first(self, domain: Domain) -> Any:
        """Return a value for a place that was not read: the first one, or one of the last."""
        match domain.parts[self.place]:
            case Integers(low, high):
                return high if self.place else low
            case Values(values):
                return values[self.place]
            case ListOf(element, least, most) as part:
                length = min(most, least + 1) if self.place else least
                return self.make_unread(part, [element] * length)
            case Mixed(places) | Keyed(_, places) as part:
                return self.make_unread(part, places)
            case SetOf() | DictOf() as part:
                return self.make_unread(part, ())
            case Objects(classes):
                cls = classes[self.place]
                if cls not in self.spare:
                    self.spare[cls] = self.makers[cls](cls)
                    self.waiting.append((None, self.spare[cls]))
                return self.spare[cls]

    def make_unread(self, part: ListOf | Mixed | Keyed | SetOf | DictOf, places: Sequence[Domain]) -> Any:
        """Return a container with values for places that were not read."""
        content = content_of(part, map(self.first, places))
        return make_container(content.kind, content.items, content.maker)
