"""Abstract states: a shape with a zone over its open values, and how it came about."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from unlike.symbolic import Term, Zone

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


@dataclass(slots=True)
class Shapes:
    """The shapes known, each with the numbers of its abstract states."""

    numbers: dict[bytes, int] = field(default_factory=dict)
    bytes_of: list[bytes] = field(default_factory=list)
    states: list[list[int]] = field(default_factory=list)
    slots: list[int] = field(default_factory=list)

    def number(self, shape: bytes, slots: int) -> int:
        """Return the number of a shape, numbering it when it is first met."""
        number = self.numbers.get(shape)
        if number is None:
            number = self.numbers[shape] = len(self.bytes_of)
            self.bytes_of.append(shape)
            self.states.append([])
            self.slots.append(slots)
        return number


class States:
    """All abstract states, numbered in order of arrival.

    A state is dropped if an earlier one has all its points. One that a later state of the same length covers is not
    expanded any more; but a shorter one stays, since its points need fewer calls.
    """

    def __init__(self) -> None:
        self.shapes = Shapes()
        self.shape: list[int] = []
        self.zone: list[Zone] = []
        self.length: list[int] = []
        self.origin: list[Origin] = []
        self.covered: list[bool] = []

    def add(self, shape: int, zone: Zone, length: int, origin: Origin) -> int:
        """Return the number of a state that has new points, or -1."""
        known = self.shapes.states[shape]
        if any(self.zone[each].includes(zone) for each in known):
            return -1
        for each in known:
            if self.length[each] == length and zone.includes(self.zone[each]):
                self.covered[each] = True
        number = len(self.shape)
        known[:] = [each for each in known if not self.covered[each]]
        known.append(number)
        self.shape.append(shape)
        self.zone.append(zone)
        self.length.append(length)
        self.origin.append(origin)
        self.covered.append(False)
        return number

    def zones(self, shape: int, longest: int | None = None) -> list[Zone]:
        """Return the zones of a shape whose points together are its states, of at most so many calls."""
        return [
            self.zone[each] for each in self.shapes.states[shape] if longest is None or self.length[each] <= longest
        ]

    def first_with(self, shape: int, point: Sequence[int]) -> int:
        """Return the state of the shape that has the point and needs the fewest calls."""
        having = [each for each in self.shapes.states[shape] if point in self.zone[each]]
        return min(having, key=lambda each: (self.length[each], each))

    def live(self) -> Iterator[int]:
        """Yield the states that no other of their length covers."""
        return (number for number, covered in enumerate(self.covered) if not covered)

    def __len__(self) -> int:
        return len(self.shape)
