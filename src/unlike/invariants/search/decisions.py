"""One choice and its options: values, objects that are there, the next new object, containers."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from unlike.indexed import Integers
from unlike.invariants.fields.domains import DictOf, Domain, ListOf, Mixed, Objects, Part, SetOf, Values
from unlike.invariants.search.containers import OPEN, OpenDict, OpenList
from unlike.zones import Zone

SET, DELETE = object.__setattr__, object.__delattr__
STOP = object()  # a set of objects, or the keys of a dict, end here

FIELD, ELEMENT, MEMBER, SETTLED, PRESENCE, QUESTION = range(6)


class Decision:
    """A decision with its options; the one taken stands at `index`.

    FIELD, ELEMENT and MEMBER choose what stands in a place: a field of an object, an element of an open container, a
    member of a draft. SETTLED makes the container of a full draft. PRESENCE says whether a dict has a key, and
    QUESTION answers what a token asked.
    """

    __slots__ = ("fresh", "index", "key", "kind", "options", "target", "zone")

    def __init__(self, kind: int, target: Any, key: Any, options: Sequence[Any], zone: Zone) -> None:
        self.kind = kind
        self.target = target
        self.key = key
        self.options = options
        self.index = 0
        self.zone = zone  # before the choice
        self.fresh: type | None = None  # the class of the object that this choice made

    def put(self, value: Any) -> None:
        """Store the value in the place."""
        match self.target:
            case OpenList():
                list.__setitem__(self.target, self.key, value)
            case OpenDict():
                dict.__setitem__(self.target, self.key, value)
            case ContainerDraft(members=members):
                members[self.key :] = [value]
            case _:
                SET(self.target, self.key, value)

    def take_back(self) -> None:
        """Make the place open again."""
        match self.target:
            case OpenList():
                list.__setitem__(self.target, self.key, OPEN)
            case OpenDict():
                dict.__delitem__(self.target, self.key)
            case ContainerDraft(members=members):
                del members[self.key :]
            case _:
                DELETE(self.target, self.key)


@dataclass(frozen=True, slots=True)
class NewContainer:
    """An option: a container of this part, with so many elements, or with these."""

    part: ListOf | SetOf | DictOf | Mixed
    length: int = 0
    content: tuple[Any, ...] | None = None


@dataclass(slots=True, eq=False)
class ContainerDraft:
    """A container that has to be complete before it can be read; its members are chosen one after the other."""

    made: NewContainer
    members: list[Any] = field(default_factory=list)

    @property
    def domain(self) -> Domain | None:
        """What the next member may be; nothing if the container is complete."""
        count = len(self.members)
        match self.made.part:
            case ListOf(element):
                return element if count < self.made.length else None
            case Mixed(places):
                return places[count] if count < len(places) else None
            case SetOf(element, most) | DictOf(element, _, most):
                ended = bool(self.members) and self.members[-1] is STOP
                return None if ended or count >= most else element

    @property
    def is_unordered(self) -> bool:
        """Whether the members have no order, so that they are chosen in one order only."""
        return isinstance(self.made.part, SetOf | DictOf)

    @property
    def content(self) -> list[Any]:
        """The members, all of them chosen."""
        return [member for member in self.members if member is not STOP]


def fixed_options(domain: Domain, *, symbolic: bool) -> tuple[list[Any], tuple[type, ...]]:
    """Return the options of a domain that are always there, and the classes whose objects are options, too.

    With `symbolic`, a range of ints is one option: a token.
    """
    fixed: list[Any] = []
    classes: tuple[type, ...] = ()
    for part in domain.parts:
        match part:
            case Objects(found):
                classes = found
            case Values(values):
                fixed += values
            case Integers(low, high):
                fixed += [part] if symbolic and low < high else range(low, high + 1)
            case _:
                fixed += containers(part)
    return fixed, classes


def containers(part: Part) -> Iterator[NewContainer]:
    """Yield the containers of a part: one for each length of a list, one for each set of plain values."""
    match part:
        case ListOf(_, least, most):
            yield from (NewContainer(part, length) for length in range(least, most + 1))
        case SetOf(element, most) if element.is_plain:
            values = list(element.plain_values())
            for size in range(min(most, len(values)) + 1):
                yield from (NewContainer(part, size, content) for content in itertools.combinations(values, size))
        case Mixed() | SetOf() | DictOf():
            yield NewContainer(part)
