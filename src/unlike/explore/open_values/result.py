"""What an exploration with open values found: abstract states, and every object that they stand for.

Objects are counted shape by shape, without listing them; a case is made when somebody asks for it, by its index.
"""

from __future__ import annotations

import collections
import contextlib
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from unlike import heap
from unlike.explore import Result
from unlike.explore.open_values.search import OpenSearch
from unlike.explore.tracing import sequence_text
from unlike.heap import Extensions
from unlike.indexed import Sum
from unlike.points import Points, count_all, points
from unlike.recipe import run
from unlike.suite import Case, Ending, Status, Suite
from unlike.symbolic import Zone, walk_open

MOST_CHECKED = (
    20_000  # cases that are replayed before a suite is handed out; of a larger one, each when it is asked for
)


@dataclass(frozen=True, slots=True)
class Shape:
    """One shape and all its objects: the points of its zones."""

    search: OpenSearch
    number: int
    first: int  # how many objects come before its own
    points: Points

    def count(self) -> int:
        """Return how many objects have the shape."""
        return self.points.count()

    def at(self, index: int) -> Case:
        """Return the case of one object."""
        search = self.search
        point = self.points.at(index)
        state = search.states.first_with(self.number, point)
        recipe = search.recipes.recipe(state, point)
        return Case(recipe, sequence_text(recipe), f"{search.classes[state].__name__}-{self.first + index}")

    def replays(self, index: int) -> bool:
        """Tell whether the recipe of an object, run on its own, gives the state it claims."""
        search, point = self.search, self.points.at(index)
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
        return self.search.states.shapes.bytes_of[self.number], tuple((0, value) for value in point)


@dataclass(slots=True)
class OpenResult(Result):
    """What an exploration found that left values open."""

    _shapes: list[Shape] = field(default_factory=list, repr=False)

    @property
    def _open(self) -> OpenSearch:
        assert isinstance(self._search, OpenSearch)
        return self._search

    @property
    def abstract_states(self) -> int:
        """How many abstract states stand for all objects."""
        return sum(len(self._open.states.shapes.states[shape.number]) for shape in self._shapes)

    @property
    def shapes(self) -> Sequence[Shape]:
        """The shapes of the objects, each with its points."""
        return self._shapes

    @property
    def numbers(self) -> Sequence[int]:
        """The objects, by their numbers."""
        return range(self.states)

    @property
    def by_size(self) -> dict[int, int]:
        """How many states have how many objects in them (containers count as objects)."""
        counts: collections.Counter[int] = collections.Counter()
        for shape in self._shapes:
            counts[self._nodes(shape)] += shape.count()
        return dict(sorted(counts.items()))

    @property
    def by_length(self) -> dict[int, int]:
        """How many states need how many calls."""
        counts: collections.Counter[int] = collections.Counter()
        states = self._open.states
        for shape in self._shapes:
            lengths = sorted({states.length[each] for each in states.shapes.states[shape.number]})
            below = 0
            for length in lengths:
                [within] = count_all([states.zones(shape.number, length)])
                counts[length] += within - below
                below = within
        return {length: count for length, count in sorted(counts.items()) if count}

    def _nodes(self, shape: Shape) -> int:
        state, size, shift = self._open.states.shapes.bytes_of[shape.number], 0, 0
        for byte in state:
            size |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                break
        return size

    def extensions(self) -> Extensions:
        """Return the field extensions: which values each field takes over all states."""
        walker = self._open.walker
        return heap.extensions(walker.heap(walker.capture(*made)) for made in self._objects_showing_every_value())

    def _objects_showing_every_value(self) -> Iterator[list[object]]:
        """Yield, for every shape, objects that together have every value of every slot."""
        for shape in self._shapes:
            shown: dict[tuple[int, ...], None] = {}
            for zone in self._open.states.zones(shape.number):
                shown.update(dict.fromkeys(_every_value(zone)))
            for point in shown:
                yield self._open.objects_at(shape.number, point)

    def _checked_suite(self) -> Suite:
        cases = Sum[Case](self._shapes)
        status = self.status
        if self.states <= MOST_CHECKED and (lost := self._lost()):
            status = Status(
                Ending.FAILED,
                f"{len(lost)} of {self.states} sequences gave another state when run again, such as {lost[0].label}; "
                "the class is not deterministic, or keeps state outside its objects",
            )
        return Suite(self.name, cases, status, self.guarantee, self.explanation)

    def _lost(self) -> list[Case]:
        with contextlib.redirect_stdout(io.StringIO()):
            return [
                shape.at(index) for shape in self._shapes for index in range(shape.count()) if not shape.replays(index)
            ]

    def all_states(self) -> list[object]:
        """Return a value per state that equals another exactly for equal states."""
        walker = self._open.walker
        return [
            walker.heap(walker.capture(*self._open.objects_at(shape.number, point)))
            for shape in self._shapes
            for point in shape.points.stream()
        ]

    def lengths(self) -> dict[object, int]:
        """Return for every state, as in `all_states`, how many calls it needs."""
        states = self._open.states
        every = ((shape, point) for shape in self._shapes for point in shape.points.stream())
        needed = [states.length[states.first_with(shape.number, point)] for shape, point in every]
        return dict(zip(self.all_states(), needed, strict=True))


def _every_value(zone: Zone) -> Iterator[tuple[int, ...]]:
    """Yield points that together have every value that any slot takes in the zone."""
    missing = {
        (slot, value) for slot in range(1, zone.slots + 1) for value in range(zone.low(slot), zone.high(slot) + 1)
    }
    if not zone.slots:
        yield ()
    for slot, value in sorted(missing):
        if (slot, value) not in missing:
            continue
        part = zone.equal(slot, 0, value)
        if part is not None:
            point = points([part]).at(0)
            missing.difference_update(enumerate(point, start=1))
            yield point


def open_result(search: OpenSearch) -> OpenResult:
    """Return what the search found, counted."""
    from unlike.explore import result_fields

    shapes, others, first = [], collections.Counter[str](), 0
    known = search.states.shapes
    for number, states in enumerate(known.states):
        if not states:
            continue
        cls, union = search.classes[states[0]], points(search.states.zones(number))
        if not issubclass(cls, search.api.classes):
            others[cls.__name__] += union.count()
        elif search.roots[states[0]] == 1:
            shapes.append(Shape(search, number, first, union))
            first += union.count()
    return OpenResult(**result_fields(search, first, others), _numbers=(), _shapes=shapes)
