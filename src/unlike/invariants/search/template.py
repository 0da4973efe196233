"""What an accepted run leaves behind: a structure with slots and open places, counted and reached by index.

One template stands for all structures that the run did not tell apart: every point of its zone, in every filling of
its open places.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from unlike.heap.fields import dict_getter, slot_descriptors
from unlike.indexed import Indexed
from unlike.invariants.fields.domains import Domain, FieldTable
from unlike.invariants.search.decisions import OPEN, OpenDict, OpenList
from unlike.invariants.search.filling import TemplateFilling, resolve
from unlike.invariants.structure import Content, ObjectAt, ObjectRecord, Structure, breadth_first, map_record
from unlike.zones.points import Points
from unlike.zones.tokens import Token
from unlike.zones.zone import Zone

Bounds = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class SlotAt:
    """The value of a slot of the zone, plus an offset."""

    slot: int
    offset: int


@dataclass(frozen=True, slots=True)
class OpenAt:
    """The open place of this number."""

    place: int


@dataclass(frozen=True, slots=True)
class StructureTemplate:
    """Objects in breadth-first order; a field may also hold SlotAt and OpenAt."""

    objects: tuple[ObjectRecord, ...]
    bounds: Bounds
    places: tuple[Domain, ...]


class TemplateStructures:
    """The structures of one template: `count()` of them, each at an index."""

    __slots__ = ("filling", "fillings", "places", "points", "template", "used")

    def __init__(self, template: StructureTemplate, filling: TemplateFilling) -> None:
        self.template = template
        self.filling = filling
        self.places = tuple(map(filling.kind, template.places))
        self.used = tuple(sum(record.cls is each.cls for record in template.objects) for each in filling.table.classes)
        self.points: Indexed[tuple[int, ...]] = Points([Zone(template.bounds)])
        self.fillings = filling.count(self.used, self.places) if self.places else 1

    def count(self) -> int:
        """Return how many structures there are."""
        return self.points.count() * self.fillings

    def at(self, index: int) -> Structure:
        """Return the structure at the index."""
        which, filled = divmod(index, self.fillings)
        values = (0, *self.points.at(which))
        if not self.places:
            return Structure(tuple(_fill_in(record, values, ()) for record in self.template.objects))
        numbers = {each.cls: list[int]() for each in self.filling.table.classes}
        for number, record in enumerate(self.template.objects):
            numbers[record.cls].append(number)
        found = self.filling.fill(self.used, self.places, filled, numbers)
        contents = [resolve(cell) for cell in found.cells]
        objects = [_fill_in(record, values, contents) for record in self.template.objects]
        return breadth_first([*objects, *found.records(self.filling.table)])


def _fill_in(record: ObjectRecord, values: Sequence[int], contents: Sequence[Any]) -> ObjectRecord:
    """Return an object with its slots and open places filled in."""

    def plain(value: Any) -> Any:
        match value:
            case SlotAt(slot, offset):
                return values[slot] + offset
            case OpenAt(place):
                return contents[place]
        return value

    return map_record(record, plain)


class TemplateReader:
    """Reads templates off the objects of a search, past every hook."""

    def __init__(self, table: FieldTable) -> None:
        self.fields = {each.cls: [(f.name, f.domain) for f in each.fields] for each in table.classes}
        self.getters = {cls: _getter(cls, [name for name, _ in fields]) for cls, fields in self.fields.items()}


class TemplateWalk:
    """One walk over the structure that stands now, breadth-first, and what it met."""

    def __init__(self, reader: TemplateReader, root: object) -> None:
        self.reader = reader
        self.order: list[Any] = [root]
        self.numbers = {id(root): 0}
        self.records: list[ObjectRecord] = []
        self.open_places: list[tuple[Any, Any, Domain]] = []  # their holder, and the key in it
        self.dicts: list[OpenDict] = []
        for thing in self.order:  # grows while we walk
            cls = type(thing)
            values = self.reader.getters[cls](thing)
            fields = [
                (name, self.describe(value, thing, name, domain))
                for (name, domain), value in zip(self.reader.fields[cls], values, strict=True)
            ]
            self.records.append(ObjectRecord(cls, tuple(fields)))

    def describe(self, value: Any, holder: Any, key: Any, domain: Domain) -> Any:
        """Return a value as it stands in the template."""
        if value is OPEN:
            self.open_places.append((holder, key, domain))
            return OpenAt(len(self.open_places) - 1)
        cls = type(value)
        if cls is Token:
            return SlotAt(value.slot, value.offset)
        if cls in self.reader.fields:
            return self.number_of(value)
        if cls is OpenList:
            items = [list.__getitem__(value, place) for place in range(len(value))]
            return Content("list", tuple(self.describe(x, value, at, value.element) for at, x in enumerate(items)))
        if cls is OpenDict:
            self.dicts.append(value)
            return Content("dict", tuple(self.items_of(value)))
        if isinstance(value, tuple | set | frozenset):
            kind = next(base for base in (tuple, frozenset, set) if isinstance(value, base)).__name__
            ordered = value if isinstance(value, tuple) else sorted(value, key=self.rank)
            return Content(kind, tuple(self.describe(each, value, None, domain) for each in ordered))  # type: ignore[arg-type]
        return value

    def rank(self, value: Any) -> tuple[int, str, int]:
        """Return where a member of a set stands: sets of objects have no order of their own, but need one here."""
        if type(value) in self.reader.fields:
            return (1, "", self.numbers.get(id(value), len(self.numbers)))
        return (0, repr(value), 0)

    def number_of(self, thing: Any) -> ObjectAt:
        """Return an object by its number, the next one if it is met for the first time."""
        number = self.numbers.get(id(thing))
        if number is None:
            number = self.numbers[id(thing)] = len(self.order)
            self.order.append(thing)
        return ObjectAt(number)

    def items_of(self, value: OpenDict) -> list[Any]:
        """Return the keys that are there, each with its value."""
        found: list[Any] = []
        for key in value.keys_known:
            if value.decided.get(key):
                found += [self.describe(key, value, None, value.value)]
                found += [self.describe(dict.get(value, key, OPEN), value, key, value.value)]
        return found


def _getter(cls: type, names: Sequence[str]) -> Callable[[Any], list[Any]]:
    """Return a function that gives what an object holds in its fields, OPEN where it holds nothing."""
    slots = {slot.__name__: slot.__get__ for slot in slot_descriptors(cls)}
    dictionary = dict_getter(cls)

    def read(thing: Any) -> list[Any]:
        held = {} if dictionary is None else dictionary(thing)
        values = []
        for name in names:
            if name in slots:
                try:
                    values.append(slots[name](thing))
                except AttributeError:
                    values.append(OPEN)
            else:
                values.append(held.get(name, OPEN))
        return values

    return read
