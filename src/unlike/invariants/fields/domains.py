"""What a field may hold, as data: ints in a range, plain values, objects of classes, containers of these.

A Domain is a union of parts, tried in order. A FieldTable has the domain of every field of every class that can be
reached from a root class, and how many objects of each class there may be: all that an engine needs to know of a
scope.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from unlike.scope import Scope
from unlike.types.within import told_by


@dataclass(frozen=True, slots=True)
class Ints:
    """Every int from low to high, both included."""

    low: int
    high: int

    def __str__(self) -> str:
        return str(self.low) if self.low == self.high else f"{self.low}..{self.high}"


@dataclass(frozen=True, slots=True, eq=False)
class Values:
    """One of these plain values: None, bools, strings, enum members, ints that are no range.

    Domains are looked up by what is in them, where 1 and True are two, and whatever an Enum says of its members.
    """

    values: tuple[object, ...]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Values) and self._told() == other._told()

    def __hash__(self) -> int:
        return hash(self._told())

    def _told(self) -> tuple[object, ...]:
        return tuple(map(told_by, self.values))

    def __str__(self) -> str:
        shown = [repr(value) for value in self.values[:8]]
        return ", ".join([*shown, f"… ({len(self.values)} values)"] if len(self.values) > 8 else shown)


@dataclass(frozen=True, slots=True)
class Objects:
    """An object of one of these classes: one that is there already, or a new one."""

    classes: tuple[type, ...]

    def __str__(self) -> str:
        return ", ".join(cls.__name__ for cls in self.classes)


@dataclass(frozen=True, slots=True)
class ListOf:
    """A list or tuple of its own, of at least `least` and at most `most` elements."""

    element: Domain
    least: int
    most: int
    kind: Literal["list", "tuple"] = "list"

    def __str__(self) -> str:
        return f"{self.kind} of {_count(self.least, self.most)} of ({self.element})"


@dataclass(frozen=True, slots=True)
class Mixed:
    """A tuple whose places have a domain each."""

    places: tuple[Domain, ...]

    def __str__(self) -> str:
        return f"tuple of {'; '.join(f'({place})' for place in self.places)}"


@dataclass(frozen=True, slots=True)
class SetOf:
    """A set or frozenset of its own, of at most so many elements."""

    element: Domain
    most: int
    kind: Literal["set", "frozenset"] = "set"

    def __str__(self) -> str:
        return f"{self.kind} of at most {self.most} of ({self.element})"


@dataclass(frozen=True, slots=True)
class DictOf:
    """A dict of its own, of at most so many items. Its items stand in the order of the keys' domain."""

    key: Domain
    value: Domain
    most: int

    def __str__(self) -> str:
        return f"dict of at most {self.most} of ({self.key}) to ({self.value})"


Part: TypeAlias = Ints | Values | Objects | ListOf | Mixed | SetOf | DictOf


@dataclass(frozen=True, slots=True)
class Domain:
    """Everything that one field, or one element of a container, may hold."""

    parts: tuple[Part, ...]

    def __str__(self) -> str:
        return ", ".join(map(str, self.parts))

    @property
    def classes(self) -> tuple[type, ...]:
        """The classes whose objects it holds, also inside containers, each once."""
        return tuple(dict.fromkeys(cls for part in self.parts for cls in _classes(part)))

    @property
    def is_plain(self) -> bool:
        """Whether it holds neither objects nor containers."""
        return all(isinstance(part, Ints | Values) for part in self.parts)

    @property
    def is_unordered(self) -> bool:
        """Whether a set or the keys of a dict may be objects, which have no order of their own."""
        return any(_is_unordered(part) for part in self.parts)

    def plain_values(self) -> Iterator[object]:
        """Yield the members that are neither objects nor containers, in order."""
        for part in self.parts:
            match part:
                case Ints(low, high):
                    yield from range(low, high + 1)
                case Values(values):
                    yield from values


@dataclass(frozen=True, slots=True)
class FieldDomain:
    """A field of a class: its name, what it may hold, where that was read, and what a proof has to say of it."""

    name: str
    domain: Domain
    source: str
    remarks: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.name}: {self.domain}  ({', '.join((self.source, *self.remarks))})"


@dataclass(frozen=True, slots=True)
class ClassFields:
    """The fields of one class, and how many objects of exactly this class there may be."""

    cls: type
    fields: tuple[FieldDomain, ...]
    most: int

    def domain(self, name: str) -> Domain:
        """Return what the field of that name may hold."""
        return next(field.domain for field in self.fields if field.name == name)


@dataclass(frozen=True, slots=True)
class FieldTable:
    """A scope in full: the root class, and every class its objects lead to, the root class first."""

    root: type
    classes: tuple[ClassFields, ...]
    scope: Scope

    def of(self, cls: type) -> ClassFields:
        """Return the fields of a class."""
        return next(each for each in self.classes if each.cls is cls)

    @property
    def remarks(self) -> str:
        """Which values stand for others, and in which fields: what is proved holds for these."""
        said: dict[str, list[str]] = {}
        for each in self.classes:
            for field in each.fields:
                for remark in field.remarks:
                    said.setdefault(remark, []).append(f"{each.cls.__name__}.{field.name}")
        listed = [f"{remark} ({', '.join(places)})" for remark, places in said.items()]
        return f"with {', '.join(listed)}" if listed else ""

    @property
    def domains(self) -> list[Domain]:
        """What each field of each class may hold."""
        return [field.domain for each in self.classes for field in each.fields]

    @property
    def is_unordered(self) -> bool:
        """Whether some field holds a set of objects: then structures have to be compared to be told apart."""
        return any(domain.is_unordered for domain in self.domains)

    @property
    def has_containers(self) -> bool:
        """Whether some field holds anything but plain values and objects."""
        return any(not isinstance(part, Ints | Values | Objects) for domain in self.domains for part in domain.parts)

    def leads_to_unordered(self, domain: Domain) -> bool:
        """Tell whether a domain holds sets of objects, or objects that do, or objects that lead to those."""
        domains, met = [domain], set[type]()
        for each in domains:  # grows while we walk
            if each.is_unordered:
                return True
            for cls in each.classes:
                if cls not in met:
                    met.add(cls)
                    domains += [field.domain for field in self.of(cls).fields]
        return False

    def listing(self) -> str:
        """Return the table for a reader, one field a line."""
        lines = []
        for each in self.classes:
            lines.append(f"{each.cls.__name__}: at most {each.most} object{'s' if each.most > 1 else ''}")
            lines += [f"  {each.cls.__name__}.{field}" for field in each.fields]
        return "\n".join(lines)


def _classes(part: Part) -> tuple[type, ...]:
    match part:
        case Objects(classes):
            return classes
        case ListOf(element) | SetOf(element):
            return element.classes
        case Mixed(places):
            return tuple(cls for place in places for cls in place.classes)
        case DictOf(key, value):
            return (*key.classes, *value.classes)
    return ()


def _is_unordered(part: Part) -> bool:
    match part:
        case SetOf(element):
            return bool(element.classes)
        case DictOf(key, value):
            return bool(key.classes) or value.is_unordered
        case ListOf(element):
            return element.is_unordered
        case Mixed(places):
            return any(place.is_unordered for place in places)
    return False


def _count(least: int, most: int) -> str:
    return str(most) if least == most else f"{least} to {most}"
