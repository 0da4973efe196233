"""Choices with their options, and lists, dicts and sets whose content is chosen when it is looked at.

An open list has its length, an open dict its keys' domain; each element is chosen when it is first read. Whatever is
about the content as a whole (comparing, adding, copying) has it all chosen first. A set is complete from the start,
because compiled code reads sets without asking. Writing is refused: an invariant only looks.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NoReturn

from unlike.errors import with_article
from unlike.indexed import Integers
from unlike.invariants.fields.domains import DictOf, Domain, ListOf, Mixed, Objects, Part, SetOf, Values
from unlike.invariants.search.guards import SearchEndError
from unlike.zones.zone import Zone

if TYPE_CHECKING:
    from unlike.invariants.search.engine import Search

SET, DELETE = object.__setattr__, object.__delattr__
STOP = object()  # a set of objects, or the keys of a dict, end here

FIELD, ELEMENT, MEMBER, SETTLED, PRESENCE, QUESTION = range(6)


class _OpenElement:
    """What stands in the place of an element that is not chosen."""

    def _leak(self, *_: object) -> NoReturn:
        raise SearchEndError("leaked")

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __hash__ = __bool__ = __call__ = _leak
    __len__ = __iter__ = __getitem__ = __contains__ = __index__ = __int__ = __float__ = _leak
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _leak

    def __getattr__(self, name: str) -> NoReturn:
        raise SearchEndError("leaked")

    def __repr__(self) -> str:
        return "OPEN"


OPEN: Any = _OpenElement()


def _settle_first(name: str) -> Any:
    """Return a method about the content as a whole: it is all chosen first, and then a plain container is asked."""

    def ask(self: Any, *others: Any) -> Any:
        plain = [each.settle() if isinstance(each, OpenList | OpenDict) else each for each in others]
        return getattr(self.settle(), name)(*plain)

    return ask


def _refuse(name: str) -> Any:
    def write(self: Any, *_: Any, **__: Any) -> NoReturn:
        kind = type(self).__mro__[1].__name__
        raise SearchEndError("wrote", f"{with_article(kind)} (by {name.strip('_')})")

    return write


class OpenList(list[Any]):
    """A list of known length."""

    __slots__ = ("chooser", "element")

    def __init__(self, length: int, element: Domain, chooser: Search) -> None:
        super().__init__([OPEN] * length)
        self.element = element
        self.chooser = chooser

    def __getitem__(self, index: Any) -> Any:
        value = list.__getitem__(self, index)
        if value is OPEN:
            position = index.__index__()
            return self.chooser.choose_at(
                ELEMENT, self, position if position >= 0 else position + len(self), self.element
            )
        if isinstance(index, slice):
            return [self[position] for position in range(len(self))[index]]
        return value

    def __iter__(self) -> Iterator[Any]:
        return map(self.__getitem__, range(len(self)))

    def __reversed__(self) -> Iterator[Any]:
        return map(self.__getitem__, range(len(self) - 1, -1, -1))

    def __contains__(self, value: object) -> bool:
        return any(each is value or each == value for each in self)

    def settle(self) -> list[Any]:
        """Return the content as a plain list, all of it chosen."""
        return list(iter(self))

    def __eq__(self, other: object) -> bool:
        if isinstance(other, list) and len(other) != len(self):
            return False
        return self.settle() == (other.settle() if isinstance(other, OpenList) else other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __radd__(self, other: Any) -> Any:
        return other + self.settle()

    def __reduce_ex__(self, protocol: Any) -> Any:
        return list, (self.settle(),)


class OpenDict(dict[Any, Any]):
    """A dict whose keys are there or not, each decided when it is asked for; items stand in the order of the keys."""

    __slots__ = ("chooser", "decided", "keys_known", "most", "value")

    def __init__(self, keys: Sequence[Any], value: Domain, most: int, chooser: Search) -> None:
        super().__init__()
        self.keys_known = {key: key for key in keys}
        self.value = value
        self.most = most
        self.decided: dict[Any, bool] = {}
        self.chooser = chooser

    def __contains__(self, key: object) -> bool:
        return key in self.keys_known and self._has(self.keys_known[key])

    def _has(self, key: Any) -> bool:
        there = self.decided.get(key)
        return self.chooser.choose_presence(self, key) if there is None else there

    def __getitem__(self, key: Any) -> Any:
        if key not in self:
            raise KeyError(key)
        key = self.keys_known[key]
        value = dict.get(self, key, OPEN)
        return self.chooser.choose_at(ELEMENT, self, key, self.value) if value is OPEN else value

    def get(self, key: Any, default: Any = None) -> Any:
        """Return the value of a key, or the default."""
        return self[key] if key in self else default  # noqa: SIM401  # this is `get`

    def __iter__(self) -> Iterator[Any]:
        return (key for key in self.keys_known if self._has(key))

    def __reversed__(self) -> Iterator[Any]:
        return iter(list(self)[::-1])

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __bool__(self) -> bool:
        return any(True for _ in self)

    def settle(self) -> dict[Any, Any]:
        """Return the content as a plain dict, all of it chosen."""
        return {key: self[key] for key in self}

    def keys(self) -> Any:
        """Return the keys that are there."""
        return dict.fromkeys(self).keys()

    def __reduce_ex__(self, protocol: Any) -> Any:
        return dict, (self.settle(),)


class ClosedSet(set[Any]):
    """A set that is complete, and cannot be written to."""

    __slots__ = ()


for _name in ("index", "count", "copy", "__lt__", "__le__", "__gt__", "__ge__", "__add__", "__mul__", "__rmul__",
              "__repr__"):  # fmt: skip
    setattr(OpenList, _name, _settle_first(_name))
for _name in ("values", "items", "copy", "__eq__", "__ne__", "__or__", "__ror__", "__repr__"):
    setattr(OpenDict, _name, _settle_first(_name))
for _name in ("append", "extend", "insert", "remove", "pop", "clear", "sort", "reverse",
              "__setitem__", "__delitem__", "__iadd__", "__imul__"):  # fmt: skip
    setattr(OpenList, _name, _refuse(_name))
for _name in ("pop", "popitem", "clear", "update", "setdefault", "__setitem__", "__delitem__", "__ior__"):
    setattr(OpenDict, _name, _refuse(_name))
for _name in ("add", "remove", "discard", "pop", "clear", "update", "intersection_update", "difference_update",
              "symmetric_difference_update", "__ior__", "__iand__", "__isub__", "__ixor__"):  # fmt: skip
    setattr(ClosedSet, _name, _refuse(_name))


# -- choices ---------------------------------------------------------------------------------------------------


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
