"""What a field may hold, as data: ints in a range, plain values, objects of classes, containers of these.

A Domain is a union of parts, tried in order. A FieldTable has the domain of every field of every class that can be
reached from a root class, and how many objects of each class there may be: all that an engine needs to know of a
scope.
"""

from __future__ import annotations

import collections
import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from unlike.indexed import Integers
from unlike.scope import Scope
from unlike.types.first_values import told_by


@dataclass(frozen=True, slots=True, eq=False)
class Values:
    """One of these plain values: None, bools, strings, enum members, ints that are no range.

    Domains are looked up by what is in them, where 1 and True are two, and whatever an Enum says of its members.
    """

    values: tuple[object, ...]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Values) and self._look() == other._look()

    def __hash__(self) -> int:
        return hash(self._look())

    def _look(self) -> tuple[object, ...]:
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
class Maker:
    """What makes a container of its items: deque, OrderedDict, Counter, defaultdict, or the class of a named tuple."""

    cls: type
    argument: Any = None  # the greatest length of a deque, the default_factory of a defaultdict


@dataclass(frozen=True, slots=True)
class ListOf:
    """A list, tuple or deque of its own, of at least `least` and at most `most` elements."""

    element: Domain
    least: int
    most: int
    kind: Literal["list", "tuple", "deque"] = "list"
    maker: Maker | None = None  # of a deque

    def __str__(self) -> str:
        return f"{self.kind} of {_count(self.least, self.most)} of ({self.element})"


@dataclass(frozen=True, slots=True)
class Mixed:
    """A tuple whose places have a domain each; a named one has a maker."""

    places: tuple[Domain, ...]
    maker: Maker | None = None

    def __str__(self) -> str:
        name = "tuple" if self.maker is None else self.maker.cls.__name__
        return f"{name} of {'; '.join(f'({place})' for place in self.places)}"


@dataclass(frozen=True, slots=True)
class Keyed:
    """A dict with just these keys, each of which has a domain for its value."""

    keys: tuple[str, ...]
    places: tuple[Domain, ...]

    def __str__(self) -> str:
        items = zip(self.keys, self.places, strict=True)
        return f"dict of {'; '.join(f'{key!r}: ({place})' for key, place in items)}"


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
    """A dict of its own, of at most so many items. They stand in the order of the keys' domain, unless it has one."""

    key: Domain
    value: Domain
    most: int
    maker: Maker | None = None  # of an OrderedDict, a Counter, a defaultdict

    @property
    def is_ordered(self) -> bool:
        """Whether two with the same items in another order are two."""
        return self.maker is not None and self.maker.cls is collections.OrderedDict

    def __str__(self) -> str:
        name = "dict" if self.maker is None else self.maker.cls.__name__
        return f"{name} of at most {self.most} of ({self.key}) to ({self.value})"


Part: TypeAlias = Integers | Values | Objects | ListOf | Mixed | Keyed | SetOf | DictOf


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
        return all(isinstance(part, Integers | Values) for part in self.parts)

    @property
    def is_unordered(self) -> bool:
        """Whether a set or the keys of a dict may be objects, which have no order of their own."""
        return any(_is_unordered(part) for part in self.parts)

    @property
    def overlaps(self) -> bool:
        """Whether parts of it, or of its elements, may hold equal containers: list[int] | list[str]."""
        if any(itertools.starmap(_may_share, itertools.combinations(self.parts, 2))):
            return True
        return any(inner.overlaps for part in self.parts for inner in inner_domains(part))

    def plain_values(self) -> Iterator[object]:
        """Yield the members that are neither objects nor containers, in order."""
        for part in self.parts:
            match part:
                case Integers(low, high):
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
    used: frozenset[str] = frozenset()  # the literals of the scope that are values of some field

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
    def named(self) -> list[tuple[str, Domain]]:
        """Each field as "Class.field", with what it may hold."""
        return [(f"{each.cls.__name__}.{field.name}", field.domain) for each in self.classes for field in each.fields]

    @property
    def domains(self) -> list[Domain]:
        """What each field of each class may hold."""
        return [domain for _, domain in self.named]

    @property
    def is_unordered(self) -> bool:
        """Whether some field holds a set of objects."""
        return any(domain.is_unordered for domain in self.domains)

    @property
    def has_containers(self) -> bool:
        """Whether some field holds anything but plain values and objects."""
        return any(not isinstance(part, Integers | Values | Objects) for each in self.domains for part in each.parts)

    @property
    def repeats(self) -> bool:
        """Whether structures have to be compared to be told apart: sets of objects, alternatives that overlap."""
        return self.is_unordered or any(domain.overlaps for domain in self.domains)

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
    if isinstance(part, Objects):
        return part.classes
    return tuple(cls for inner in inner_domains(part) for cls in inner.classes)


def inner_domains(part: Part) -> tuple[Domain, ...]:
    """Return the domains of what is in the containers of a part."""
    match part:
        case ListOf(element) | SetOf(element):
            return (element,)
        case Mixed(places) | Keyed(_, places):
            return places
        case DictOf(key, value):
            return key, value
    return ()


def _may_share(one: Part, other: Part) -> bool:
    """Tell whether some value may be in both parts; plain values and classes of a union are in one part alone."""
    match one, other:
        case ListOf(), ListOf() if one.maker == other.maker:
            least, most = max(one.least, other.least), min(one.most, other.most)
            shared = least == 0 or _domains_share(one.element, other.element)
            return one.kind == other.kind and least <= most and shared
        case (ListOf(element, least, most, "tuple"), Mixed(places)) | (
            Mixed(places),
            ListOf(element, least, most, "tuple"),
        ):
            if any(isinstance(each, Mixed) and each.maker is not None for each in (one, other)):
                return False
            return least <= len(places) <= most and all(_domains_share(element, each) for each in places)
        case Mixed(places), Mixed(others):
            alike = one.maker == other.maker and len(places) == len(others)
            return alike and all(map(_domains_share, places, others))
        case Keyed(keys, places), Keyed(other_keys, others):
            return keys == other_keys and all(map(_domains_share, places, others))
        case (Keyed(), DictOf(maker=None)) | (DictOf(maker=None), Keyed()):
            return True
        case SetOf(), SetOf():
            return one.kind == other.kind
        case DictOf(), DictOf():
            return one.maker == other.maker  # the empty one is in both, as of sets
    return False


def _domains_share(one: Domain, other: Domain) -> bool:
    plain = {told_by(value) for value in one.plain_values()} & {told_by(value) for value in other.plain_values()}
    if plain or {*_objects(one)} & {*_objects(other)}:
        return True
    return any(_may_share(*pair) for pair in itertools.product(one.parts, other.parts))


def _objects(domain: Domain) -> Iterator[type]:
    return (cls for part in domain.parts if isinstance(part, Objects) for cls in part.classes)


def _is_unordered(part: Part) -> bool:
    if isinstance(part, SetOf | DictOf) and inner_domains(part)[0].classes:
        return True
    return any(inner.is_unordered for inner in inner_domains(part))


def _count(least: int, most: int) -> str:
    return str(most) if least == most else f"{least} to {most}"
