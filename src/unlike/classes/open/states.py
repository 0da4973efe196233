"""Abstract states: a shape with a zone over its open values, and how it came about; here, or in the compiled module."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from unlike.classes.evidence import Failure, Outcome
from unlike.classes.open.templates import fill_template, open_arguments
from unlike.classes.workbench import ReadyCall, Roles
from unlike.heap.store import WalkerCall
from unlike.heap.walkers import native_module
from unlike.isolation.wire import NonsenseError
from unlike.zones.open_values import Token
from unlike.zones.paths import TokenQuestion, find_answers
from unlike.zones.walking import Places
from unlike.zones.zone import Term, Zone

FEW = 4  # states of a shape that are asked whether they cover a zone before the zone is worked out
SENT_AT_ONCE = 5_000  # states of a message: a process that is told nothing for long is taken for one that hangs
CODES = (Outcome.NEW, Outcome.KNOWN, Outcome.OUTSIDE, Outcome.PRECONDITION, Outcome.ERROR)


@dataclass(frozen=True, slots=True)
class FoundShape:
    """An object in a state of this shape, with these values."""

    shape: int
    terms: tuple[Term, ...]
    roles: Roles
    cls: type
    roots: int


@dataclass(slots=True)
class Leaf:
    """What a call came to along one path."""

    outcome: Outcome = Outcome.KNOWN
    found: list[FoundShape] = field(default_factory=list)
    failures: list[tuple[Failure, type[BaseException] | None]] = field(default_factory=list)
    outside: list[str] = field(default_factory=list)
    type_error: str = ""  # the words of a TypeError: perhaps compiled code did not know what to do with an open value

    @property
    def states(self) -> list[tuple[int, tuple[Term, ...]]]:
        """What the call led to: shapes, with where their values come from."""
        return [(each.shape, each.terms) for each in self.found]


@dataclass(frozen=True, slots=True)
class Origin:
    """The call that led to a state: on which states, in which of their points, and what became of the values.

    `zone` has the slots of the parents, then those of the open arguments; `terms` are the state's own values in them.
    """

    parents: tuple[int, ...]
    call: int
    roles: Roles
    zone: Zone
    terms: tuple[Term, ...]


Leaves = dict[int, tuple[int, tuple[Term, ...], list[Any]]]  # of the compiled module: call, terms, path


@dataclass(frozen=True, slots=True)
class Sent:
    """States as they cross to another process: nothing but bytes and numbers."""

    shapes: list[tuple[bytes, int]]  # with the number of their open values
    rows: list[int]  # of each state its shape, length, zone and origin, one number after the other
    leaves: Leaves


def write_zone(zone: Zone) -> Iterator[int]:
    """Yield a zone as numbers: how many rows, the bounds, how many disequalities, and these."""
    return itertools.chain((len(zone.bounds),), *zone.bounds, (len(zone.unequal),), *zone.unequal)


def read_zone(numbers: Iterator[int], most: int) -> Zone:
    """Return the zone that begins there; there are so many numbers at most, whatever they say."""
    size = _read_count(numbers, most)
    bounds = tuple([tuple(itertools.islice(numbers, size)) for _ in range(size)])
    return Zone(bounds, tuple([_read_three(numbers) for _ in range(_read_count(numbers, most))]))


def _read_count(numbers: Iterator[int], most: int) -> int:
    if not 0 <= (count := next(numbers)) <= most:
        raise NonsenseError(f"{count} numbers of a state, of {most} in all")
    return count


def write_origin(origin: Origin | tuple[int, int]) -> Iterator[int]:
    """Yield how a state came about as numbers: -1, parent and leaf; or how many parents, these, and the rest."""
    if isinstance(origin, tuple):
        return iter((-1, *origin))
    roles, terms = itertools.chain(*origin.roles), itertools.chain(*origin.terms)
    head = (len(origin.parents), *origin.parents, origin.call, len(origin.roles), *roles)
    return itertools.chain(head, write_zone(origin.zone), (len(origin.terms),), terms)


def read_origin(numbers: Iterator[int], most: int) -> Origin | tuple[int, int]:
    """Return the origin that begins there."""
    count = next(numbers)
    if count < 0:
        return next(numbers), next(numbers)
    parents, call = tuple(itertools.islice(numbers, min(count, most))), next(numbers)
    roles = tuple([(next(numbers), next(numbers)) for _ in range(_read_count(numbers, most))])
    zone = read_zone(numbers, most)
    terms = tuple([(next(numbers), next(numbers)) for _ in range(_read_count(numbers, most))])
    return Origin(parents, call, roles, zone, terms)


def _read_three(numbers: Iterator[int]) -> tuple[int, int, int]:
    return next(numbers), next(numbers), next(numbers)


class ZoneStates:
    """All shapes and all abstract states, each numbered in order of arrival.

    A state is dropped if an earlier one has all its points. One that a later state of the same length covers is not
    expanded any more; but a shorter one stays, since its points need fewer calls.
    """

    def __init__(self) -> None:
        self._numbers: dict[bytes, int] = {}
        self._shapes: list[bytes] = []
        self._slots: list[int] = []
        self._of_shape: list[list[int]] = []
        self._rows: list[list[int]] = []  # shape, length, whether it is covered, whether it is inner
        self._zones: list[Zone] = []
        self._origins: dict[int, Origin | tuple[int, int]] = {}  # or parent and leaf, where it came from elsewhere
        self.leaves: Leaves = {}  # that came from elsewhere

    def shape_number(self, shape: bytes, slots: int) -> int:
        """Return the number of a shape, numbering it when it is first met."""
        number = self._numbers.get(shape)
        if number is None:
            number = self._numbers[shape] = len(self._shapes)
            self._shapes.append(shape)
            self._of_shape.append([])
            self._slots.append(slots)
        return number

    def shape_bytes(self, shape: int) -> bytes:
        """Return the bytes of a shape."""
        return self._shapes[shape]

    def shape_slots(self, shape: int) -> int:
        """Return how many open values a shape has."""
        return self._slots[shape]

    def shape_count(self) -> int:
        """Return how many shapes there are."""
        return len(self._shapes)

    def of_shape(self, shape: int) -> list[int]:
        """Return the states of a shape that no other of their length covers, first one first."""
        return self._of_shape[shape]

    def add(self, shape: int, zone: Zone, length: int, origin: Origin | tuple[int, int]) -> int:
        """Return the number of a state that has new points, or -1."""
        known = self._of_shape[shape]
        if any(self._zones[each].includes(zone) for each in known):
            return -1
        for each in known:
            if zone.includes(self._zones[each]):
                row = self._rows[each]
                row[2:] = row[2] or row[1] == length, True
        number = len(self._rows)
        known[:] = [*(each for each in known if not self.is_covered(each)), number]
        self._rows.append([shape, length, False, False])
        self._zones.append(zone)
        self._origins[number] = origin
        return number

    def rows_from(self, first: int) -> list[tuple[int, int]]:
        """Return the shapes of all states from this one on, with how many calls each needs."""
        return [(shape, length) for shape, length, *_ in self._rows[first:]]

    def row(self, number: int) -> Sequence[int]:
        """Return shape and length of a state, whether it is covered, and whether it is inner."""
        return self._rows[number]

    def zone(self, number: int) -> Zone:
        """Return the zone of a state."""
        return self._zones[number]

    def shape(self, number: int) -> int:
        """Return the shape of a state."""
        return self.row(number)[0]

    def length(self, number: int) -> int:
        """Return how many calls a state needs."""
        return self.row(number)[1]

    def is_covered(self, number: int) -> bool:
        """Tell whether another state of the same length has all points of this one."""
        return bool(self.row(number)[2])

    def origin(self, number: int) -> Origin:
        """Return how a state came about."""
        origin = self._origins[number]
        assert isinstance(origin, Origin)
        return origin

    def __len__(self) -> int:
        return len(self._rows)

    def to_send(self) -> Iterator[Sent]:
        """Yield all of it in parts, to be taken one after the other by ZoneStates elsewhere that are empty."""
        shapes = [(self.shape_bytes(each), self.shape_slots(each)) for each in range(self.shape_count())]
        places = list(enumerate(self.rows_from(0)))
        for first in range(0, len(places), SENT_AT_ONCE):
            rows, leaves = list[int](), Leaves()
            for each, (shape, length) in places[first : first + SENT_AT_ONCE]:
                origin = self.origin_to_send(each)
                rows += (shape, length)
                rows += write_zone(self.zone(each))
                rows += write_origin(origin)
                if isinstance(origin, tuple):
                    leaves[origin[1]] = self.leaf(origin[1])
            yield Sent(shapes, rows, leaves)
            shapes = []

    def take(self, sent: Sent) -> None:
        """Take what was sent; states get the numbers they had."""
        if other := {*map(type, sent.rows)} - {int}:
            raise NonsenseError(f"{other.pop().__name__} is no part of a state")
        self.leaves |= sent.leaves
        for shape in sent.shapes:
            self.shape_number(*shape)
        rows, most = iter(sent.rows), len(sent.rows)
        try:
            for shape_number in rows:
                length, zone = next(rows), read_zone(rows, most)
                self.add(shape_number, zone, length, read_origin(rows, most))
        except (StopIteration, IndexError) as error:
            raise NonsenseError(f"a state that is cut off or of no shape: {type(error).__name__}") from None

    def origin_to_send(self, number: int) -> Origin | tuple[int, int]:
        """Return how a state came about, or the parent and the leaf that this is worked out from."""
        return self._origins[number]

    def leaf(self, leaf: int) -> tuple[int, tuple[Term, ...], list[Any]]:
        """Return call, terms and path of a leaf that states came from."""
        return self.leaves[leaf]

    def zones(self, shape: int, longest: int | None = None) -> list[Zone]:
        """Return zones that together have all points of a shape, or those that at most so many calls reach."""
        states = self.of_shape(shape)
        if longest is None:
            return [self.zone(each) for each in states if not self.row(each)[3]]
        return [self.zone(each) for each in states if self.length(each) <= longest]

    def zone_beside(self, numbers: Sequence[int]) -> Zone:
        """Return the zone of several states together, the slots of one after those of the other."""
        return functools.reduce(Zone.beside, map(self.zone, numbers), Zone.box())

    def covers(self, shape: int, zone: Zone) -> bool:
        """Tell whether one of the first states of the shape has all points of a zone; there may be others that do."""
        return any(self.zone(each).includes(zone) for each in self.of_shape(shape)[:FEW])

    def first_with(self, shape: int, point: Sequence[int]) -> int:
        """Return the state of the shape that has the point and needs the fewest calls."""
        having = [each for each in self.of_shape(shape) if point in self.zone(each)]
        return min(having, key=lambda each: (self.length(each), each))


class CompiledStates(ZoneStates):
    """Abstract states in an Atlas of the compiled module; `quick` are the calls it makes by itself."""

    def __init__(self, walker: Any, places: Places, quick: Sequence[ReadyCall], *asked: Any) -> None:
        """Begin with no state; the atlas asks what is `asked` here. The n-th open argument is the token of slot n."""
        super().__init__()
        templates = [fill_template(each.template, lambda n: Token(n + 1)) for each in quick]
        calls = [WalkerCall(each.operation.name, each.args, each.kwargs) for each in templates]
        ranges = map(ranges_of, quick)
        atlas = native_module().Atlas(walker, places, tuple(zip(calls, ranges, strict=True)), *asked)
        self.atlas, self.quick = atlas, quick
        vars(self).update(  # what the atlas answers as it is asked
            shape_number=atlas.shape,
            shape_bytes=atlas.shape_bytes,
            shape_slots=atlas.shape_slots,
            of_shape=atlas.shape_states,
            row=atlas.state,
        )

    def shape_count(self) -> int:
        """Return how many shapes there are."""
        return int(self.atlas.shape_count)

    def add(self, shape: int, zone: Zone, length: int, origin: Origin | tuple[int, int]) -> int:
        """Return the number of a state that has new points, or -1."""
        number: int = self.atlas.add(shape, zone.bounds, zone.unequal, length)
        if number >= 0:
            self._origins[number] = origin
        return number

    def rows_from(self, first: int) -> list[tuple[int, int]]:
        """Return the shapes of all states from this one on, with how many calls each needs."""
        end = len(self)
        return list(zip(self.atlas.shapes_of(first, end), self.atlas.lengths_of(first, end), strict=True))

    def zone(self, number: int) -> Zone:
        """Return the zone of a state."""
        return Zone(*self.atlas.zone(number))

    def origin_to_send(self, number: int) -> Origin | tuple[int, int]:
        """Return how a state came about, or the parent and the leaf that this is worked out from."""
        return self._origins[number] if number in self._origins else self.atlas.state(number)[-2:]

    def leaf(self, leaf: int) -> tuple[int, tuple[Term, ...], list[Any]]:
        """Return call, terms and path of a leaf that states came from."""
        if leaf in self.leaves:
            return self.leaves[leaf]
        call, (_, terms) = self.atlas.leaf(leaf)
        return call, terms, list(self.atlas.path(leaf))

    def origin(self, number: int) -> Origin:
        """Return how a state came about; what the compiled module made is worked out from the answers on its path."""
        origin = self.origin_to_send(number)
        if isinstance(origin, Origin):
            return origin
        parent, leaf = origin
        quick, terms, path = self.leaf(leaf)
        call = self.quick[quick]
        zone = self.zone(parent).extend(*ranges_of(call))
        for kind, i, j, c, answer in path:
            zone = dict(find_answers(zone, TokenQuestion(kind, i, j, c)))[answer]
        origin = self._origins[number] = Origin((parent,), call.number, ((0, 0),), zone, terms)
        return origin

    def __len__(self) -> int:
        return len(self.atlas)


def ranges_of(call: ReadyCall) -> tuple[tuple[int, int], ...]:
    """Return the least and the largest value of each open argument."""
    return tuple((each.low, each.high) for each in open_arguments(call.template))
