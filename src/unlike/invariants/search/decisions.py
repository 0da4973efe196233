"""Choices with their options, and lists, dicts and sets whose content is chosen when it is looked at.

An open list has its length, an open dict its keys' domain; each element is chosen when it is first read. Whatever is
about the content as a whole (comparing, adding, copying) has it all chosen first. A set is complete from the start,
because compiled code reads sets without asking. Writing is refused: an invariant only looks.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias

from unlike.indexed import Integers
from unlike.invariants.fields.contents import in_order, in_turn
from unlike.invariants.fields.domains import DictOf, Domain, Keyed, ListOf, Maker, Mixed, Objects, Part, SetOf, Values
from unlike.invariants.fields.flat_values import list_members, plain_value
from unlike.invariants.search.closed import (
    DICT_WRITES,
    LIST_WRITES,
    ClosedSet,
    close_container,
    refuse_writes,
)
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


for _cls in (OpenList, OpenDict):  # as what the invariant asks, and raises, calls them
    _cls.__name__ = _cls.__qualname__ = _cls.__mro__[1].__name__
for _name in ("index", "count", "copy", "__lt__", "__le__", "__gt__", "__ge__", "__add__", "__mul__", "__rmul__",
              "__repr__"):  # fmt: skip
    setattr(OpenList, _name, _settle_first(_name))
for _name in ("values", "items", "copy", "__eq__", "__ne__", "__or__", "__ror__", "__repr__"):
    setattr(OpenDict, _name, _settle_first(_name))
refuse_writes(OpenList, LIST_WRITES)
refuse_writes(OpenDict, DICT_WRITES)


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
        self.fresh: tuple[type, ...] | None = None  # the classes of the objects that this choice made

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

    part: ListOf | SetOf | DictOf | Mixed | Keyed
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
            case Mixed(places) | Keyed(_, places):
                return places[count] if count < len(places) else None
            case SetOf(element) | DictOf(element) if self.takes_member:
                return element
            case DictOf(_, value, maker=Maker()):  # the values of the keys come after them
                keys = sum(isinstance(each, SetMember) for each in self.members)
                return value if len(self.members) - self.members.count(STOP) < 2 * keys else None
        return None

    @property
    def takes_member(self) -> bool:
        """Whether a member of a set, or a key, comes next, or their end."""
        part = self.made.part
        return isinstance(part, SetOf | DictOf) and STOP not in self.members and len(self.members) < part.most

    @property
    def content(self) -> list[Any]:
        """The members, all of them chosen; of a dict with values these stand behind the keys."""
        found = [member for member in self.members if member is not STOP]
        return [member.value if isinstance(member, SetMember) else member for member in found]


def close_draft(draft: ContainerDraft, chooser: Search) -> Any:
    """Return the container of a full draft."""
    content = draft.content
    match draft.made.part:
        case ListOf(element, _, _, "list"):
            found = OpenList(len(content), element, chooser)
            list.__setitem__(found, slice(None), content)
            return found
        case SetOf(_, _, kind):
            return ClosedSet(content) if kind == "set" else frozenset(content)
        case DictOf(_, value, most, None):
            items = OpenDict(content, value, most, chooser)
            items.decided |= dict.fromkeys(content, True)
            return items
        case DictOf(maker=Maker() as maker):
            size = len(content) // 2
            return close_container("dict", in_turn(content[:size], content[size:]), maker)
        case Keyed(keys):
            return close_container("dict", in_turn(keys, content), None)
        case ListOf(kind="deque", maker=maker):
            return close_container("list", content, maker)
        case Mixed(_, maker):
            return close_container("tuple", content, maker)
    return tuple(content)


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
    """Yield the containers of a part: one for each length of a list, one for each set of a few plain values."""
    match part:
        case ListOf(_, least, most):
            yield from (NewContainer(part, length) for length in range(least, most + 1))
        case SetOf(element, most) if element.is_plain:
            values = list_members(element)
            for size in range(min(most, len(values)) + 1):
                yield from (NewContainer(part, size, content) for content in itertools.combinations(values, size))
        case Mixed() | Keyed() | SetOf() | DictOf():
            yield NewContainer(part)


# -- what may be in a set that can hold objects, or containers ---------------------------------------------------

Used: TypeAlias = Mapping[type, int]  # objects that are there, of each class
Rank: TypeAlias = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class SetMember:
    """A value that may be put into a set, or be a key: where it stands among all, and which objects it makes."""

    value: Any
    rank: Rank
    fresh: tuple[type, ...] = ()


@dataclass(frozen=True, slots=True)
class MemberLister:
    """Lists the members of a domain over the objects that are there and the next new ones of each class.

    Within one member, and from one to the next larger one, new objects come in order. No set is lost by that: if the
    smallest of the lists of members that differ by the names of new objects alone had two names out of order,
    exchanging them would make it smaller.
    """

    pool: Mapping[type, Sequence[Any]]

    def list(self, domain: Domain, used: Used, after: Rank = ()) -> list[SetMember]:
        """Return the members that stand after that rank, in order."""
        found = [each for each in self._members(domain, used) if each.rank > after]
        return sorted(found, key=lambda each: each.rank)

    def _members(self, domain: Domain, used: Used) -> Iterator[SetMember]:
        if not domain.classes:
            yield from (SetMember(plain_value(value), in_order(value)) for value in list_members(domain))
            return
        for part in domain.parts:
            match part:
                case Objects(classes):
                    yield from self._objects(classes, used)
                case Mixed(places, maker):
                    yield from self._rows(places, used, maker=maker)
                case ListOf(element, least, most):  # a tuple: a list has no hash
                    for length in range(least, most + 1):
                        yield from self._rows((element,) * length, used)
                case SetOf(element, most):  # a frozenset
                    yield from self._sets(element, most, used)
                case _:
                    yield from self._members(Domain((part,)), used)

    def _objects(self, classes: Sequence[type], used: Used) -> Iterator[SetMember]:
        for cls in classes:
            place = list(self.pool).index(cls)
            for number, thing in enumerate(self.pool[cls][: used[cls] + 1]):
                yield SetMember(thing, (3, place, number), (cls,) if number == used[cls] else ())

    def _rows(
        self, places: Sequence[Domain], used: Used, row: tuple[SetMember, ...] = (), maker: Maker | None = None
    ) -> Iterator[SetMember]:
        """Yield the tuples with these places behind those that are filled."""
        if len(row) == len(places):
            yield _together(close_container("tuple", [each.value for each in row], maker), row)
            return
        for each in self._members(places[len(row)], used):
            yield from self._rows(places, _with(used, each.fresh), (*row, each), maker)

    def _sets(self, element: Domain, most: int, used: Used, row: tuple[SetMember, ...] = ()) -> Iterator[SetMember]:
        """Yield the frozensets of these members, and of those with more."""
        yield _together(frozenset(each.value for each in row), row)
        if len(row) < most:
            for each in self.list(element, used, row[-1].rank if row else ()):
                yield from self._sets(element, most, _with(used, each.fresh), (*row, each))


def _together(value: tuple[Any, ...] | frozenset[Any], row: tuple[SetMember, ...]) -> SetMember:
    rank = (4, type(value).__name__, len(row), *(each.rank for each in row))
    return SetMember(value, rank, tuple(cls for each in row for cls in each.fresh))


def _with(used: Used, fresh: Iterable[type]) -> Used:
    found = dict(used)
    for cls in fresh:
        found[cls] += 1
    return found
