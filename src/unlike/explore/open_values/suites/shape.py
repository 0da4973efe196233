"""One shape and all its objects: the points of its zones, each with the calls that build it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from unlike.explore.open_values.search import OpenSearch
from unlike.explore.open_values.templates import open_arguments
from unlike.explore.tracing import sequence_text
from unlike.recipe import run
from unlike.suite import Case
from unlike.zones import Point, Points, Zone, walk_open
from unlike.zones.shapes import ShapeFilling, ShapeWords, describe_shape


@dataclass(frozen=True, slots=True)
class Shape:
    """One shape and all its objects: the points of its zones."""

    search: OpenSearch
    number: int
    first: int  # how many objects come before its own
    points: Points

    @property
    def zones(self) -> Sequence[Zone]:
        """The zones that together have the shape's points."""
        return self.search.states.zones(self.number)

    def count(self) -> int:
        """Return how many objects have the shape."""
        return self.points.count()

    def at(self, index: int) -> Case:
        """Return the case of the object at the index."""
        return self.case_of(self.points.at(index), self.first + index)

    def case_of(self, point: Point, name: int, stands_for: str = "") -> Case:
        """Return the case of the object with these values: calls with values also for arguments that left it."""
        search = self.search
        state = search.states.first_with(self.number, point)
        recipe = search.recipes.recipe(state, point)
        label = sequence_text(recipe)
        return Case(recipe, f"{label}\n{stands_for}" if stands_for else label, f"{self.cls.__name__}-{name}")

    @property
    def cls(self) -> type:
        """The class of the objects."""
        return self.search.classes[self.search.states.of_shape(self.number)[0]]

    def replays(self, point: Point) -> bool:
        """Tell whether the calls that build an object, run on their own, give the state it should have."""
        search = self.search
        state = search.states.first_with(self.number, point)
        try:
            search.restore_fixtures()
            whole = run(search.recipes.whole(state, point))
            assert isinstance(whole, list)
            same = walk_open(search.table, search.places, whole) == self._expected(point)
            search.restore_fixtures()
            alone = search.walker.walk(run(search.recipes.recipe(state, point)))
            return same and alone == search.walker.walk(whole[0])
        except Exception:  # the code under test may do something else this time
            return False
        finally:
            search.restore_fixtures()

    def _expected(self, point: Sequence[int]) -> object:
        return self.search.states.shape_bytes(self.number), tuple((0, value) for value in point)

    def shown(self, zone: Zone) -> ShapeWords:
        """Return one of the shape's abstract states in words."""
        search = self.search
        every = (each for prepared in search.prepared for each in open_arguments(prepared.template))
        ranges = [each for each in every if each.scale is None]
        low, high = min((each.low for each in ranges), default=0), max((each.high for each in ranges), default=0)
        return describe_shape(search.table, search.states.shape_bytes(self.number), zone, (low, high))

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
        return ShapeFilling(self.search.table, self.search.states.shape_bytes(self.number))

    def _rebuild(self) -> Callable[[bytes], list[Any]]:
        return self.search.walker.rebuild
