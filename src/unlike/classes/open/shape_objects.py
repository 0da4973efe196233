"""One shape and all its objects: the points of its zones, each with the calls that build it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from unlike.classes.open.templates import open_arguments
from unlike.classes.open.zone_frontier import ZoneFrontier
from unlike.classes.recipes import sequence_text
from unlike.recipe import run
from unlike.suite import Case
from unlike.zones import Point, Points, Zone, walk_open
from unlike.zones.shapes import ShapeFilling, ShapeWords, describe_shape


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
        state = frontier.states.first_with(self.number, point)
        recipe = frontier.recipes.recipe(state, point)
        label = sequence_text(recipe)
        return Case(recipe, f"{label}\n{stands_for}" if stands_for else label, f"{self.cls.__name__}-{name}")

    @property
    def cls(self) -> type:
        """The class of the objects."""
        return self.frontier.classes[self.frontier.states.of_shape(self.number)[0]]

    def replays(self, point: Point) -> bool:
        """Tell whether the calls that build an object, run on their own, give the state it should have."""
        frontier = self.frontier
        state = frontier.states.first_with(self.number, point)
        try:
            frontier.code.fixtures.restore()
            whole = run(frontier.recipes.recipe_of_all_roots(state, point))
            assert isinstance(whole, list)
            same = walk_open(frontier.table, frontier.places, whole) == self._expected(point)
            frontier.code.fixtures.restore()
            alone = frontier.code.walker.walk(run(frontier.recipes.recipe(state, point)))
            return same and alone == frontier.code.walker.walk(whole[0])
        except Exception:  # the code under test may do something else this time
            return False
        finally:
            frontier.code.fixtures.restore()

    def _expected(self, point: Sequence[int]) -> object:
        return self.frontier.states.shape_bytes(self.number), tuple((0, value) for value in point)

    def shown(self, zone: Zone) -> ShapeWords:
        """Return one of the shape's abstract states in words."""
        frontier = self.frontier
        every = (each for call in frontier.code.calls for each in open_arguments(call.template))
        ranges = [each for each in every if each.scale is None]
        low, high = min((each.low for each in ranges), default=0), max((each.high for each in ranges), default=0)
        return describe_shape(frontier.table, frontier.states.shape_bytes(self.number), zone, (low, high))

    def heading(self) -> str:
        """Return the shape's abstract states in words, and how many objects they have."""
        shown = [self.shown(zone) for zone in self.zones]
        return f"{self.count():,} objects: {shown[0].shape} where {', or '.join(each.known for each in shown)}"

    # -- objects without their calls ----------------------------------------------------------------------

    def states(self, start: int = 0, stop: int | None = None) -> Iterator[bytes]:
        """Yield the canonical bytes of the shape's objects, none of them stored."""
        return self._filling().states(self.points, start, stop)

    def objects(self, start: int = 0, stop: int | None = None) -> Iterator[Any]:
        """Yield the shape's objects, each made afresh from its bytes rather than by its calls."""
        return (roots[0] for roots in self._filling().objects(self.points, self._rebuild(), start, stop))

    def _filling(self) -> ShapeFilling:
        return ShapeFilling(self.frontier.table, self.frontier.states.shape_bytes(self.number))

    def _rebuild(self) -> Callable[[bytes], list[Any]]:
        return self.frontier.code.walker.rebuild
