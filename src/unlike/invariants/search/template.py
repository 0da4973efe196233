"""What an accepted run leaves behind: a structure with slots and open places, counted and reached by index.

One template stands for all structures that the run did not tell apart: every point of its zone, in every filling of
its open places.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from unlike.heap.fields import dict_getter, slot_descriptors
from unlike.indexed import Indexed, Listed, members
from unlike.invariants.fields.contents import Content, ObjectAt, content_of, dict_content, in_order, take_apart
from unlike.invariants.fields.domains import DictOf, Domain, FieldTable, Keyed, ListOf, Mixed, Objects, Part
from unlike.invariants.fields.flat_values import flat_values, keys_of, list_members
from unlike.invariants.search.closed import CLOSED
from unlike.invariants.search.decisions import OPEN, OpenDict, OpenList
from unlike.invariants.structure import (
    ObjectRecord,
    Structure,
    breadth_first,
    map_leaves,
    map_record,
)
from unlike.zones.open_values import Token
from unlike.zones.points import Points
from unlike.zones.zone import Zone

Bounds = tuple[tuple[int, ...], ...]
Used = tuple[int, ...]  # objects that are there, of each class of the table
Left = tuple[int, ...]  # how many places are left, of each kind


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

    def fill(self, point: Sequence[int], contents: Sequence[Any]) -> Structure:
        """Return the structure with the values of a point, and values of open places that lead to no object."""
        return Structure(tuple(_fill_in(record, (0, *point), contents) for record in self.template.objects))

    def stream(self) -> Iterator[Structure]:
        """Yield the structures in order of index."""
        if self.places:
            yield from (self.at(index) for index in range(self.count()))
            return
        records = self.template.objects
        fillers = [_filler(record) for record in records]
        for point in members(self.points):
            yield Structure(tuple(fill(point) for fill in fillers))


def _filler(record: ObjectRecord) -> Callable[[Sequence[int]], ObjectRecord]:
    """Return a function from a point to an object that has no open places, with its slots filled in."""
    plain = [(place, name, value) for place, (name, value) in enumerate(record.fields) if isinstance(value, SlotAt)]
    if any(isinstance(value, Content) for _, value in record.fields):
        return lambda point: _fill_in(record, (0, *point), ())
    if not plain:
        return lambda _: record
    cls, fixed = record.cls, list(record.fields)

    def fill(point: Sequence[int]) -> ObjectRecord:
        for place, name, slot in plain:
            fixed[place] = (name, (point[slot.slot - 1] if slot.slot else 0) + slot.offset)
        return ObjectRecord(cls, tuple(fixed))

    return fill


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

    def __init__(self, table: FieldTable, places: Mapping[int, int]) -> None:
        self.places = places  # of the objects among those of their class, by id
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
        if isinstance(value, CLOSED) and (taken := take_apart(value)) is not None:
            kind, items, maker = taken
            ordered = sorted(items, key=self.rank) if kind in ("set", "frozenset") else items
            return Content(kind, tuple(self.describe(each, value, None, domain) for each in ordered), maker)
        return value

    def rank(self, value: Any) -> tuple[Any, ...]:
        """Return where a member of a set stands: sets of objects have no order of their own, but need one here."""
        if type(value) in self.reader.fields:
            number, place = self.numbers.get(id(value), len(self.numbers)), self.reader.places[id(value)]
            return (*in_order(ObjectAt(number)), list(self.reader.fields).index(type(value)), place)
        match value:
            case tuple():
                return (4, type(value).__name__, len(value), *map(self.rank, value))
            case frozenset():
                return (4, "frozenset", len(value), *sorted(map(self.rank, value)))
        return in_order(value)

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
    if dictionary is not None and not slots:  # the usual case

        def read_dict(thing: Any) -> list[Any]:
            get = dictionary(thing).get
            return [get(name, OPEN) for name in names]

        return read_dict

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


# -- in how many ways open places can be filled: counted and reached by index, never listed -------------------
#
# A place is filled by a plain value, an object that is there, the next new object (whose own fields are further
# places), or a container (whose elements are). How many ways there are depends only on how many objects are there and
# which places are left, so it is remembered for each such state.


@dataclass(slots=True, eq=False)
class Cell:
    """A place that is filled when its content is known."""

    domain: int
    content: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class FillingWay:
    """One way to fill a place, or `weight` ways that leave the same state."""

    weight: int
    part: Part
    fresh: int | None = None  # the class of the object it makes
    places: tuple[int, ...] = ()  # the domains of the places it opens
    size: int = 0  # of a container


class TemplateFilling:
    """The kinds of places of a table, and what was counted so far."""

    def __init__(self, table: FieldTable) -> None:
        self.table = table
        self.kinds: list[Domain] = []
        self.flat: list[Indexed[Any] | None] = []  # of each kind: its values, if it leads to no object
        self.kind_of: dict[Domain, int] = {}
        self.known: dict[tuple[Used, Left], int] = {}
        self.number = {each.cls: number for number, each in enumerate(table.classes)}
        self.most = [each.most for each in table.classes]
        self.fields = [tuple(self.kind(f.domain) for f in each.fields) for each in table.classes]

    def kind(self, domain: Domain) -> int:
        """Return the number of a domain, numbering it and those inside it when it is first met."""
        found = self.kind_of.get(domain)
        if found is None:
            found = self.kind_of[domain] = len(self.kinds)
            self.kinds.append(domain)
            self.flat.append(None if domain.classes else flat_values(domain))
            for inner in _inside(domain):
                self.kind(inner)
        return found

    def count(self, used: Used, places: Sequence[int]) -> int:
        """Return in how many ways the places can be filled, all together."""
        left = [0] * len(self.kinds)
        for place in places:
            left[place] += 1
        return self._count(used, tuple(left))

    def _count(self, used: Used, left: Left) -> int:
        known = self.known.get((used, left))
        if known is not None:
            return known
        place = next((kind for kind, number in enumerate(left) if number), None)
        if place is None:
            return 1
        flat = self.flat[place]
        if flat is not None:
            rest = (*left[:place], 0, *left[place + 1 :])
            found: int = flat.count() ** left[place] * self._count(used, rest)
        else:
            rest = (*left[:place], left[place] - 1, *left[place + 1 :])
            found = sum(way.weight * self._count(*self.after(used, rest, way)) for way in self.ways(place, used))
        self.known[used, left] = found
        return found

    def after(self, used: Used, left: Left, way: FillingWay) -> tuple[Used, Left]:
        """Return the state after a place was filled."""
        if way.fresh is not None:
            used = (*used[: way.fresh], used[way.fresh] + 1, *used[way.fresh + 1 :])
        if way.places:
            counts = [*left, *([0] * (len(self.kinds) - len(left)))]
            for place in way.places:
                counts[place] += 1
            left = tuple(counts)
        return used, left

    def ways(self, place: int, used: Used) -> Iterator[FillingWay]:
        """Yield the ways to fill a place that may hold objects."""
        for part in self.kinds[place].parts:
            match part:
                case Objects(classes):
                    yield from self._objects(part, classes, used)
                case ListOf(element, least, most):
                    for size in range(least, most + 1):
                        yield FillingWay(1, part, None, (self.kind(element),) * size, size)
                case DictOf(key, value, most):
                    keys = len(list_members(key))
                    for size in range(min(most, keys) + 1):
                        weight = math.perm(keys, size) if part.is_ordered else math.comb(keys, size)
                        yield FillingWay(weight, part, None, (self.kind(value),) * size, size)
                case Mixed(places) | Keyed(_, places):
                    yield FillingWay(1, part, None, tuple(map(self.kind, places)), len(places))
                case _:
                    yield FillingWay(flat_values(Domain((part,))).count(), part)

    def _objects(self, part: Part, classes: Sequence[type], used: Used) -> Iterator[FillingWay]:
        for cls in classes:
            number = self.number[cls]
            if used[number]:
                yield FillingWay(used[number], Objects((cls,)))
            if used[number] < self.most[number]:
                yield FillingWay(1, part, number, self.fields[number])

    def fill(self, used: Used, places: Sequence[int], index: int, numbers: dict[type, list[int]]) -> Filled:
        """Return the filling of that index; `numbers` has the numbers of the objects that are there, by class."""
        filled = Filled([Cell(place) for place in places], {cls: list(each) for cls, each in numbers.items()})
        queue = list(filled.cells)
        left = [0] * len(self.kinds)
        for place in places:
            left[place] += 1
        for cell in queue:  # grows while we walk
            left[cell.domain] -= 1
            used, left_now, index = self._fill(cell, used, tuple(left), index, filled, queue)
            left = list(left_now)
        assert index == 0
        return filled

    def _fill(
        self, cell: Cell, used: Used, left: Left, index: int, filled: Filled, queue: list[Cell]
    ) -> tuple[Used, Left, int]:
        """Fill one cell; return the state after it, and the index among the ways to fill the rest."""
        flat = self.flat[cell.domain]
        if flat is not None:
            index, digit = divmod(index, flat.count())
            cell.content = flat.at(digit)
            return used, left, index
        for way in self.ways(cell.domain, used):
            state = self.after(used, left, way)
            count = self._count(*state)
            if index < way.weight * count:
                digit, rest = divmod(index, count)
                self._enter(cell, way, digit, filled, queue)
                return *state, rest
            index -= way.weight * count
        raise IndexError(index)

    def _enter(self, cell: Cell, way: FillingWay, digit: int, filled: Filled, queue: list[Cell]) -> None:
        """Give a cell its content; cells of the places it opens go to the end of the queue."""
        inner = [Cell(place) for place in way.places]
        match way.part:
            case Objects(classes) if way.fresh is None:
                cell.content = ObjectAt(filled.numbers[classes[0]][digit])
            case Objects():
                assert way.fresh is not None
                cell.content = ObjectAt(filled.add(self.table.classes[way.fresh].cls, inner))
            case ListOf() | Mixed() | Keyed() as part:
                cell.content = content_of(part, inner)
            case DictOf(key) as part:
                keys = keys_of(part, Listed(list_members(key)), way.size).at(digit)
                cell.content = dict_content(keys, inner, part.maker)
            case _:
                cell.content = flat_values(Domain((way.part,))).at(digit)
        queue.extend(inner)


@dataclass(slots=True)
class Filled:
    """The places, filled, and the objects that were made for them."""

    cells: list[Cell]
    numbers: dict[type, list[int]]  # of all objects by class
    made: list[tuple[type, list[Cell]]] = field(default_factory=list)

    def add(self, cls: type, fields: list[Cell]) -> int:
        """Add a new object and return its number."""
        number = sum(map(len, self.numbers.values()))
        self.numbers.setdefault(cls, []).append(number)
        self.made.append((cls, fields))
        return number

    def records(self, table: FieldTable) -> list[ObjectRecord]:
        """Return the objects that were made."""
        return [
            ObjectRecord(
                cls, tuple((f.name, resolve(cell)) for f, cell in zip(table.of(cls).fields, cells, strict=True))
            )
            for cls, cells in self.made
        ]


def resolve(value: Any) -> Any:
    """Return the content of a cell, without cells inside."""
    return map_leaves(value, lambda leaf: resolve(leaf.content) if isinstance(leaf, Cell) else leaf)


def _inside(domain: Domain) -> Iterator[Domain]:
    """Yield the domains of the places that containers of the domain open."""
    for part in domain.parts:
        match part:
            case ListOf(element):
                yield element
            case DictOf(_, value):
                yield value
            case Mixed(places) | Keyed(_, places):
                yield from places
