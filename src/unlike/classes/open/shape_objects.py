"""One shape and all its objects: the points of its zones, each with the calls that build it; and some chosen of them.

A representative has different values where its zone allows it: two values that are swapped or mixed up then show.
"""

from __future__ import annotations

import bisect
import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from unlike.classes.open.templates import open_arguments
from unlike.classes.open.zone_frontier import ZoneFrontier
from unlike.classes.recipes import sequence_text
from unlike.errors import RecipeError
from unlike.recipe import Recipe, run
from unlike.suite import Case, LazyCase
from unlike.zones.points import Point, Points
from unlike.zones.shapes import ShapeFilling, ShapeWords, describe_shape
from unlike.zones.walking import walk_open
from unlike.zones.zone import Zone

MOST_AHEAD = 4_096  # cases that are replayed at a time
MOST_DESCRIBED = 20  # abstract states in an explanation


@dataclass(frozen=True, slots=True)
class ShapeObjects:
    """One shape and all its objects: the points of its zones."""

    frontier: ZoneFrontier
    number: int
    first: int  # how many objects come before its own
    points: Points

    @property
    def zones(self) -> Sequence[Zone]:
        """The zones that together have the shape's points."""
        return self.frontier.states.zones(self.number)

    def count(self) -> int:
        """Return how many objects have the shape."""
        return self.points.count()

    def at(self, index: int) -> Case:
        """Return the case of the object at the index."""
        return self.case_of(self.points.at(index), self.first + index)

    def case_of(self, point: Point, name: int, stands_for: str = "") -> Case:
        """Return the case of the object with these values: calls with values also for arguments that left it."""
        frontier = self.frontier
        recipe = frontier.recipe(frontier.state_with(self.number, point), point)

        def make() -> tuple[Recipe, str]:
            label = sequence_text(recipe)
            return recipe, f"{label}\n{stands_for}" if stands_for else label

        return LazyCase(recipe, id=f"{self.cls.__name__}-{name}", make=make)

    @property
    def cls(self) -> type:
        """The class of the objects."""
        return self.frontier.classes[self.frontier.states.of_shape(self.number)[0]]

    def replays(self, point: Point) -> bool:
        """Tell whether the calls that build an object, run on their own, give the state it should have."""
        frontier = self.frontier
        state = frontier.state_with(self.number, point)
        expected = frontier.states.shape_bytes(self.number), tuple((0, value) for value in point)
        try:
            frontier.code.fixtures.restore()
            whole = run(frontier.recipe(state, point, of_all=True))
            assert isinstance(whole, list)
            if len(whole) == 1 and frontier.code.walker.walk(*whole) == frontier.bytes_at(self.number, tuple(point)):
                return True  # the usual case, by the compiled walk
            same = walk_open(frontier.table, frontier.places, whole) == expected
            if len(whole) == 1:  # the object by itself is what was walked
                return same
            frontier.code.fixtures.restore()
            alone = frontier.code.walker.walk(run(frontier.recipe(state, point)))
            return same and alone == frontier.code.walker.walk(whole[0])
        except Exception:  # the code under test may do something else this time
            return False
        finally:
            frontier.code.fixtures.restore()

    def describe(self, zone: Zone) -> ShapeWords:
        """Return one of the shape's abstract states in words."""
        frontier = self.frontier
        every = (each for call in frontier.code.calls for each in open_arguments(call.template))
        ranges = [each for each in every if each.scale is None]
        low, high = min((each.low for each in ranges), default=0), max((each.high for each in ranges), default=0)
        return describe_shape(frontier.table, frontier.states.shape_bytes(self.number), zone, (low, high))

    def heading(self) -> str:
        """Return the shape's abstract states in words, and how many objects they have."""
        shown = [self.describe(zone) for zone in self.zones]
        return f"{self.count():,} objects: {shown[0].shape} where {', or '.join(each.known for each in shown)}"

    # -- objects without their calls ----------------------------------------------------------------------

    def states(self, start: int = 0, stop: int | None = None) -> Iterator[bytes]:
        """Yield the canonical bytes of the shape's objects, none of them stored."""
        return self._filling().states(self.points, start, stop)

    def objects(self, start: int = 0, stop: int | None = None) -> Iterator[Any]:
        """Yield the shape's objects, each made afresh from its bytes rather than by its calls."""
        rebuild = self.frontier.code.walker.rebuild
        return (roots[0] for roots in self._filling().objects(self.points, rebuild, start, stop))

    def _filling(self) -> ShapeFilling:
        return ShapeFilling(self.frontier.table, self.frontier.states.shape_bytes(self.number))


class ReplayedCases:
    """The cases of all objects of some shapes, none of them stored; each is replayed when it is asked for.

    `replay` tells which of some objects give the state they should have. Those asked for one after the
    other are replayed some at a time, ahead: that may need a process of its own.
    """

    def __init__(
        self, shapes: Sequence[ShapeObjects], replay: Callable[[Sequence[ChosenPoint]], Sequence[bool]]
    ) -> None:
        self.shapes = shapes
        self._replay = replay
        self._ends = list(itertools.accumulate(shape.count() for shape in shapes))
        self._block = range(0)
        self._good: Sequence[bool] = ()

    def count(self) -> int:
        """Return how many cases there are."""
        return self._ends[-1] if self._ends else 0

    def at(self, index: int) -> Case:
        """Return one case, or refuse it if it gives another state when it is run."""
        if index not in self._block:
            follows = index == self._block.stop and len(self._block) > 0
            size = min(2 * len(self._block), MOST_AHEAD) if follows else 1
            self._block = range(index, min(index + size, self.count()))
            self._good = self._replay([self._choose_at(each) for each in self._block])
        case = self._choose_at(index).case()
        if not self._good[self._block.index(index)]:
            raise RecipeError(
                f"{case.label!r} gave another state when it was run again: the class is not deterministic, "
                "or keeps state outside its objects; use concrete values"
            )
        return case

    def _choose_at(self, index: int) -> ChosenPoint:
        shape = self.shapes[bisect.bisect_right(self._ends, index)]
        return ChosenPoint(shape, shape.points.at(index - shape.first), index)


@dataclass(frozen=True, slots=True)
class ChosenPoint:
    """One object of a shape, by its values; perhaps standing for others."""

    shape: ShapeObjects
    point: Point
    name: int
    zone: Zone | None = None

    def case(self) -> Case:
        """Return its case."""
        stands_for = ""
        if self.zone is not None and (count := Points([self.zone]).count()) > 1:
            stands_for = f"Stands for {count:,} objects: {self.shape.describe(self.zone)}"
        return self.shape.case_of(self.point, self.name, stands_for)

    def replays(self) -> bool:
        """Tell whether its case gives the state it should have."""
        return self.shape.replays(self.point)


def representatives(shapes: Sequence[ShapeObjects], *, boundary: bool) -> list[ChosenPoint]:
    """Return an object for each abstract state, and with `boundary` one for each extreme of each value."""
    found: list[ChosenPoint] = []
    for shape in shapes:
        known: set[Point] = set()
        for zone in shape.zones:
            for point in [representative(zone), *(extremes(zone) if boundary else ())]:
                if point not in known:
                    known.add(point)
                    found.append(ChosenPoint(shape, point, len(found), zone))
    return found


def representative(zone: Zone) -> Point:
    """Return a point of the zone with small values, different from each other as far as possible."""
    values: list[int] = []
    for slot in range(1, zone.slots + 1):
        if zone.low(slot) < zone.high(slot):
            zone = _choose_slot(zone, slot, values)
        values.append(zone.low(slot))
    return tuple(values)


def _choose_slot(zone: Zone, slot: int, before: Sequence[int]) -> Zone:
    """Return the zone with the value of a slot chosen, if possible one that did not occur before."""
    inside = range(zone.low(slot), zone.high(slot) + 1)
    new = (value for value in inside if value not in before)
    parts = (zone.equal(slot, 0, value) for value in itertools.chain(new, inside))
    return next(part for part in parts if part is not None)  # a zone has a point


def extremes(zone: Zone) -> Iterator[Point]:
    """Yield for every slot a point with its smallest value, and one with its largest."""
    for slot in range(1, zone.slots + 1):
        low, high = zone.low(slot), zone.high(slot)
        for values in (range(low, high + 1), range(high, low - 1, -1)):  # the bound itself may be taken
            parts = (zone.equal(slot, 0, value) for value in values)
            yield representative(next(part for part in parts if part is not None))


# -- in words -----------------------------------------------------------------------------------------


def describe_states(shapes: Sequence[ShapeObjects]) -> list[str]:
    """Return lines that show the first abstract states."""
    every = [(shape, zone) for shape in shapes for zone in shape.zones]
    lines = [f"abstract state: {shape.describe(zone)}" for shape, zone in every[:MOST_DESCRIBED]]
    if len(every) > MOST_DESCRIBED:
        lines.append(f"and {len(every) - MOST_DESCRIBED:,} more abstract states")
    return lines
