"""Abstract states: a shape with a zone over its open values, and how it came about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from unlike.zones import Term, Zone

FEW = 4  # states of a shape that are asked whether they cover a zone before the zone is worked out
Roles = tuple[tuple[int, int], ...]


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
