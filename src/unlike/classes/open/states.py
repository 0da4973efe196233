"""Abstract states: a shape with a zone over its open values, and how it came about; here, or in the compiled module."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from unlike import heap
from unlike.classes.evidence import Failure, Outcome
from unlike.classes.open.templates import filled, open_arguments
from unlike.classes.workbench import ReadyCall
from unlike.zones import Places, Term, Token, Zone
from unlike.zones.paths import TokenQuestion, find_answers

FEW = 4  # states of a shape that are asked whether they cover a zone before the zone is worked out
Roles = tuple[tuple[int, int], ...]
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
class SentStates:
    """All states, as they go from one process to another."""

    shapes: list[tuple[bytes, int]]  # with the number of open values
    states: list[tuple[int, Zone, int, Origin | tuple[int, int]]]  # shape, zone, length; origin, or parent and leaf
    leaves: Leaves


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
        self._shape: list[int] = []
        self._zone: list[Zone] = []
        self._length: list[int] = []
        self._covered: list[bool] = []
        self._inner: list[bool] = []
        self._origin: list[Any] = []
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
        if any(self._zone[each].includes(zone) for each in known):
            return -1
        for each in known:
            if zone.includes(self._zone[each]):
                self._inner[each] = True
                self._covered[each] |= self._length[each] == length
        number = len(self._shape)
        known[:] = [*(each for each in known if not self._covered[each]), number]
        self._shape.append(shape)
        self._zone.append(zone)
        self._length.append(length)
        self._covered.append(False)
        self._inner.append(False)
        self._origin.append(origin)
        return number

    def shapes_from(self, first: int) -> list[int]:
        """Return the shapes of all states from this one on."""
        return self._shape[first:]

    def lengths_from(self, first: int) -> list[int]:
        """Return how many calls each state from this one on needs."""
        return self._length[first:]

    def shape(self, number: int) -> int:
        """Return the shape of a state."""
        return self._shape[number]

    def zone(self, number: int) -> Zone:
        """Return the zone of a state."""
        return self._zone[number]

    def length(self, number: int) -> int:
        """Return how many calls a state needs."""
        return self._length[number]

    def is_covered(self, number: int) -> bool:
        """Tell whether another state of the same length has all points of this one."""
        return self._covered[number]

    def is_inner(self, number: int) -> bool:
        """Tell whether another state has all points of this one."""
        return self._inner[number]

    def origin(self, number: int) -> Origin:
        """Return how a state came about."""
        origin: Origin = self._origin[number]
        return origin

    def __len__(self) -> int:
        return len(self._shape)

    def sent(self) -> SentStates:
        """Return all of it, to be taken by ZoneStates elsewhere that are empty."""
        shapes = [(self.shape_bytes(each), self.shape_slots(each)) for each in range(self.shape_count())]
        rows = [(self.shape(each), self.zone(each), self.length(each), self.made(each)) for each in range(len(self))]
        return SentStates(shapes, rows, {each[1]: self.leaf(each[1]) for *_, each in rows if isinstance(each, tuple)})

    def take(self, sent: SentStates) -> None:
        """Take what was sent; states get the numbers they had."""
        self.leaves = sent.leaves
        for shape, slots in sent.shapes:
            self.shape_number(shape, slots)
        for shape_number, zone, length, made in sent.states:
            self.add(shape_number, zone, length, made)

    def made(self, number: int) -> Origin | tuple[int, int]:
        """Return how a state came about, as it is sent."""
        return self.origin(number)

    def leaf(self, leaf: int) -> tuple[int, tuple[Term, ...], list[Any]]:
        """Return call, terms and path of a leaf that states came from."""
        return self.leaves[leaf]

    def zones(self, shape: int, longest: int | None = None) -> list[Zone]:
        """Return zones that together have all points of a shape, or those that at most so many calls reach."""
        states = self.of_shape(shape)
        if longest is None:
            return [self.zone(each) for each in states if not self.is_inner(each)]
        return [self.zone(each) for each in states if self.length(each) <= longest]

    def covers(self, shape: int, zone: Zone) -> bool:
        """Tell whether one of the first states of the shape has all points of a zone; there may be others that do."""
        return any(self.zone(each).includes(zone) for each in self.of_shape(shape)[:FEW])

    def first_with(self, shape: int, point: Sequence[int]) -> int:
        """Return the state of the shape that has the point and needs the fewest calls."""
        having = [each for each in self.of_shape(shape) if point in self.zone(each)]
        return min(having, key=lambda each: (self.length(each), each))


class CompiledStates(ZoneStates):
    """Abstract states in an Atlas of the compiled module; `quick` are the calls it makes by itself."""

    def __init__(
        self,
        walker: Any,
        places: Places,
        quick: Sequence[ReadyCall],
        *,
        judge: Callable[..., object],
        enter: Callable[..., object],
        check: Callable[[], object],
        invariant: str | None,
    ) -> None:
        self.quick = quick
        calls = tuple((_call(each), _ranges(each)) for each in quick)
        self.atlas = heap.native_module().Atlas(walker, places, calls, judge, enter, check, invariant)
        super().__init__()
        vars(self).update(  # what the atlas answers as it is asked
            shape_number=self.atlas.shape,
            shape_bytes=self.atlas.shape_bytes,
            shape_slots=self.atlas.shape_slots,
            of_shape=self.atlas.shape_states,
        )
        self._origins: dict[int, Origin | tuple[int, int]] = {}  # or parent and leaf, where it came from elsewhere

    def shape_count(self) -> int:
        """Return how many shapes there are."""
        count: int = self.atlas.shape_count
        return count

    def add(self, shape: int, zone: Zone, length: int, origin: Origin | tuple[int, int]) -> int:
        """Return the number of a state that has new points, or -1."""
        number: int = self.atlas.add(shape, zone.bounds, zone.unequal, length)
        if number >= 0:
            self._origins[number] = origin
        return number

    def shapes_from(self, first: int) -> list[int]:
        """Return the shapes of all states from this one on."""
        shapes: list[int] = self.atlas.shapes_of(first, len(self.atlas))
        return shapes

    def lengths_from(self, first: int) -> list[int]:
        """Return how many calls each state from this one on needs."""
        lengths: list[int] = self.atlas.lengths_of(first, len(self.atlas))
        return lengths

    def shape(self, number: int) -> int:
        """Return the shape of a state."""
        shape: int = self.atlas.state(number)[0]
        return shape

    def zone(self, number: int) -> Zone:
        """Return the zone of a state."""
        return Zone(*self.atlas.zone(number))

    def length(self, number: int) -> int:
        """Return how many calls a state needs."""
        length: int = self.atlas.state(number)[1]
        return length

    def is_covered(self, number: int) -> bool:
        """Tell whether another state of the same length has all points of this one."""
        covered: bool = self.atlas.state(number)[2]
        return covered

    def is_inner(self, number: int) -> bool:
        """Tell whether another state has all points of this one."""
        inner: bool = self.atlas.state(number)[3]
        return inner

    def made(self, number: int) -> Origin | tuple[int, int]:
        """Return the origin of a state, or the parent and the leaf that it is worked out from."""
        return self._origins[number] if number in self._origins else self.atlas.state(number)[-2:]

    def leaf(self, leaf: int) -> tuple[int, tuple[Term, ...], list[Any]]:
        """Return call, terms and path of a leaf that states came from."""
        if leaf in self.leaves:
            return self.leaves[leaf]
        call, (_, terms) = self.atlas.leaf(leaf)
        return call, terms, list(self.atlas.path(leaf))

    def origin(self, number: int) -> Origin:
        """Return how a state came about; what the compiled module made is worked out from the answers on its path."""
        made = self.made(number)
        if isinstance(made, Origin):
            return made
        parent, leaf = made
        quick, terms, path = self.leaf(leaf)
        call = self.quick[quick]
        zone = self.zone(parent).extend(*_ranges(call))
        for kind, i, j, c, answer in path:
            zone = dict(find_answers(zone, TokenQuestion(kind, i, j, c)))[answer]
        origin = self._origins[number] = Origin((parent,), call.number, ((0, 0),), zone, terms)
        return origin

    def __len__(self) -> int:
        return len(self.atlas)


def _call(call: ReadyCall) -> heap.WalkerCall:
    """Return the call as the compiled module makes it, with the n-th open argument as the token of slot n."""
    template = filled(call.template, lambda n: Token(n + 1))
    return heap.WalkerCall(template.operation.name, template.args, template.kwargs)


def _ranges(call: ReadyCall) -> tuple[tuple[int, int], ...]:
    return tuple((each.low, each.high) for each in open_arguments(call.template))
