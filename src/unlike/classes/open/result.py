"""What an exploration with open values found: abstract states, and every object that they stand for.

Objects are counted shape by shape, without listing them; a case is made when somebody asks for it, by its index.
"""

from __future__ import annotations

import collections
import contextlib
import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar

from unlike.classes.api import Operation
from unlike.classes.evidence import Outcome
from unlike.classes.open.path_caller import OpenRun
from unlike.classes.open.shape_objects import ChosenPoint, ReplayedCases, ShapeObjects, describe_states, representatives
from unlike.classes.open.states import Leaf, ranges_of
from unlike.classes.result import AT_ONCE, Result, is_true, result_fields
from unlike.classes.workbench import ReadyCall
from unlike.core import CutShort
from unlike.errors import ScopeError, UnlikeError
from unlike.heap.field_values import Extensions, extensions
from unlike.heap.rebuild import distinguish_values, size_of
from unlike.indexed import Listed, Mapped
from unlike.isolation import Answer, Death
from unlike.isolation.copy import mark
from unlike.recipe import Recipe
from unlike.suite import Ending, Status, Suite
from unlike.zones.points import Points
from unlike.zones.zone import Zone

EACH = "each abstract state"
SHARE = 0.2  # of the time that is left goes to listing objects, the rest to making each of them
MOST_CHECKED = 20_000  # cases replayed before a suite is handed out; of a larger one, each when it is asked for


@dataclass(slots=True)
class OpenResult(Result):
    """What an exploration found that left values open."""

    search: OpenRun = field(repr=False)
    shapes: list[ShapeObjects] = field(default_factory=list, repr=False)  # of the objects, each with its points
    abstract: ClassVar[bool] = True

    @property
    def abstract_states(self) -> int:
        """How many abstract states stand for all objects."""
        return sum(len(self.search.frontier.states.zones(shape.number)) for shape in self.shapes)

    @property
    def numbers(self) -> Sequence[int]:
        """The objects, by their numbers."""
        return range(self.states)

    @property
    def by_size(self) -> dict[int, int]:
        """How many states have how many objects in them (containers count as objects)."""
        counts: collections.Counter[int] = collections.Counter()
        for shape in self.shapes:
            counts[self._nodes(shape)] += shape.count()
        return dict(sorted(counts.items()))

    @property
    def by_length(self) -> dict[int, int]:
        """How many states need how many calls."""
        counts: collections.Counter[int] = collections.Counter()
        states = self.search.frontier.states
        for shape in self.shapes:
            lengths = sorted({states.length(each) for each in states.of_shape(shape.number)})
            below = 0
            for length in lengths:
                within = Points(states.zones(shape.number, length)).count()
                counts[length] += within - below
                below = within
        return {length: count for length, count in sorted(counts.items()) if count}

    def _nodes(self, shape: ShapeObjects) -> int:
        return size_of(self.search.frontier.states.shape_bytes(shape.number))

    def extensions(self, most: float = math.inf) -> Extensions:
        """Return the field extensions: which values each field takes over all states, or in so many objects."""
        walker = self.search.code.walker
        return extensions((walker.heap(walker.capture(*made)) for made in self._objects_showing_every_value()), most)

    def _objects_showing_every_value(self) -> Iterator[list[object]]:
        """Yield, for every shape, objects that together have every value of every slot."""
        for shape in self.shapes:
            shown: dict[tuple[int, ...], None] = {}
            for zone in self.search.frontier.states.zones(shape.number):
                shown.update(dict.fromkeys(_every_value(zone)))
            for point in shown:
                yield self.search.frontier.objects_at(shape.number, point)

    def _checked_suite(self) -> Suite:
        """Return a suite that is counted, indexed and streamed without being stored."""
        if self.states > MOST_CHECKED and self.deadline.ends is None:
            cases = ReplayedCases(self.shapes, self._which_replay)
            return Suite(self.name, cases, self.status, self.guarantee, self.explanation)
        every = (
            ChosenPoint(shape, point, shape.first + index)
            for shape in self.shapes
            for index, point in enumerate(shape.points.stream())
        )
        kept: list[ChosenPoint] = []
        with contextlib.suppress(CutShort):
            kept.extend(self.deadline.part(SHARE).each(every))  # what came before a cut stays
        suite = self._suite_of_points(kept, self.guarantee)
        words = f"{len(suite):,} of {self.states:,} objects were made in time"
        return suite if len(kept) == self.states else replace(suite, status=Status(Ending.TIMEOUT, words))

    def _which_replay(self, chosen: Sequence[ChosenPoint]) -> list[bool]:
        """Tell for each object whether its calls, run on their own, give the state it should have."""
        verdicts = self.each_in_copies(lambda n: chosen[n].replays(), len(chosen), at_once=AT_ONCE)
        return [is_true(verdict) for verdict in verdicts]

    def _suite_of_points(self, chosen: Sequence[ChosenPoint], guarantee: str) -> Suite:
        return self.replay_suite(Mapped(Listed(chosen), ChosenPoint.case), lambda n: chosen[n].replays(), guarantee)

    def first_recipes(self, most: int) -> list[Recipe]:
        """Return the sequence of an object of each of the first shapes."""
        firsts = ((shape, next(iter(shape.points.stream()))) for shape in self.shapes[:most])
        return [ChosenPoint(shape, point, shape.first).case().recipe for shape, point in firsts]

    @property
    def counting(self) -> str:
        """How objects were counted, where that is worth a word."""
        listed = sum(shape.points.listed for shape in self.shapes)
        return f"values of {listed:,} of {len(self.shapes):,} shapes had to be listed to be counted" if listed else ""

    def headings(self) -> dict[int, str]:
        """Return what to say before the object at an index: where another shape begins."""
        return {} if self.selected else {shape.first: shape.heading() for shape in self.shapes if shape.count() > 1}

    def one_per_shape(self, *, boundary: bool = False) -> Suite:
        """Return one object for each abstract state, and with `boundary` those with extreme values, too."""
        chosen = representatives(self.shapes, boundary=boundary)
        which = "each abstract state, and the smallest and largest of each of its values" if boundary else EACH
        guarantee = (
            f"an object for {which}: {self.abstract_states:,} stand for the {self.states:,} objects that "
            f"the operations build within {self.scope}{'; the search was cut short' if self.status.cut_short else ''}"
        )
        return self._suite_of_points(chosen, guarantee)

    @property
    def explanation(self) -> str:
        """What was called, what was not and why, what was noticed, and the abstract states."""
        usual: str = Result.explanation.fget(self)  # type: ignore[attr-defined]
        return "\n".join(filter(None, [usual, *describe_states(self.shapes), self.counting]))

    def calls_by_outcome(self) -> Mapping[Operation, Mapping[Outcome, int]]:
        """Return how many calls with chosen values come to what, for each operation; every path is run once more.

        Whether the state that a call leads to is new depends on the order of the calls: here it is known always.
        """
        (verdict,) = self.each_in_copies(lambda _: calls_by_outcome(self.search), 1)
        if not isinstance(verdict, Answer):
            words = verdict.cause if isinstance(verdict, Death) else verdict.error
            raise UnlikeError(
                f"the calls cannot be counted, since they did something else when they were made again "
                f"({words}): the class is not deterministic, or keeps state outside its objects"
            )
        counts: list[dict[Outcome, int]] = verdict.result
        return dict(zip(self.api.operations, counts, strict=True))

    def all_states(self) -> list[object]:
        """Return a value per state that equals another exactly for equal states."""
        walker, objects_at = self.search.code.walker, self.search.frontier.objects_at
        found: list[object] = []
        try:
            for shape in self.shapes:
                mark()
                found += [
                    distinguish_values(walker.heap(walker.capture(*objects_at(shape.number, point))))
                    for point in shape.points.stream()
                ]
            return found
        finally:  # objects that all states share were written into
            self.search.code.fixtures.restore()

    def lengths(self) -> dict[object, int]:
        """Return for every state, as in `all_states`, how many calls it needs."""
        states, needed = self.search.frontier.states, list[int]()
        for shape in self.shapes:
            zones = sorted([(states.length(each), each) for each in states.of_shape(shape.number)])
            known = [(length, states.zone(each)) for length, each in zones]
            needed += [next(length for length, zone in known if point in zone) for point in shape.points.stream()]
        return dict(zip(self.all_states(), needed, strict=True))

    def most_lookups(self) -> int:
        """Return how many zones `lengths` looks at, at most."""
        of_shape = self.search.frontier.states.of_shape
        return sum(shape.count() * len(of_shape(shape.number)) for shape in self.shapes)


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
            point = Points([part]).at(0)
            missing.difference_update(enumerate(point, start=1))
            yield point


def open_result(search: OpenRun) -> OpenResult:
    """Return what the search found, counted."""
    frontier, states_of = search.frontier, search.frontier.states.of_shape
    shapes, others, first = [], collections.Counter[str](), 0
    left_out: list[str] = []
    for number in range(frontier.states.shape_count()):
        states = states_of(number)
        if not states:
            continue
        cls = frontier.classes[states[0]]
        try:
            union = Points(frontier.states.zones(number))
        except ScopeError as error:  # neither counted nor listed: left out, and said so
            left_out.append(str(error))
            continue
        if not issubclass(cls, search.api.classes):
            others[cls.__name__] += union.count()
        elif frontier.roots[states[0]] == 1:
            shapes.append(ShapeObjects(frontier, number, first, union))
            first += union.count()
    fields = result_fields(search, first, others) | {"api": search.code.given}
    if left_out:
        which = f"{len(left_out)} of {frontier.states.shape_count()} shapes are not counted, and their objects left out"
        detail = f"{which}: {left_out[0]}"
        fields["status"] = Status(Ending.UNKNOWN, detail)
    return OpenResult(**fields, _numbers=(), shapes=shapes)


def calls_by_outcome(search: OpenRun) -> list[dict[Outcome, int]]:
    """Return for each operation how many calls with chosen values come to what.

    A call with chosen values is a point: the values of its objects, then its open arguments. Every path of a call on a
    shape has a zone of them; zones of one path may overlap, since zones of a shape may, and each point counts once.
    """
    counts: dict[Operation, collections.Counter[Outcome]] = {
        each: collections.Counter() for each in search.api.operations
    }
    with search.caller.marks.around(search.caller):  # what the calls print stays inside, here too
        for call in search.code.calls:
            for leaf, zones in _paths(search, call):
                outcome = Outcome.KNOWN if leaf.outcome is Outcome.NEW else leaf.outcome
                counts[call.template.operation][outcome] += Points(zones).count()
    search.code.fixtures.restore()
    return [dict(each) for each in counts.values()]


def _paths(search: OpenRun, call: ReadyCall) -> Iterator[tuple[Leaf, list[Zone]]]:
    """Yield what the call comes to along each path, with the zones of the values that take it."""
    for shapes, groups in _alike(search, call).items():
        leaves: dict[int, tuple[Leaf, list[Zone]]] = {}
        forks = search.caller.forks_of(shapes, call)
        for numbers in groups:
            zone = search.frontier.states.zone_beside(numbers)
            for path in forks.paths(zone.extend(*ranges_of(call))):
                leaves.setdefault(id(path.result), (path.result, []))[1].append(path.zone)
        yield from leaves.values()
        search.caller.forks.clear()


def _alike(search: OpenRun, call: ReadyCall) -> dict[tuple[int, ...], list[tuple[int, ...]]]:
    """Return the states that the call was made on, by their shapes."""
    states = search.frontier.states
    last = {
        each: search.frontier.lengths[each] for shape in range(states.shape_count()) for each in states.of_shape(shape)
    }
    pools = [
        [each for each in sorted(last) if issubclass(search.frontier.classes[each], wanted)]
        for wanted in call.template.wanted
    ]
    found: dict[tuple[int, ...], list[tuple[int, ...]]] = {}
    for numbers in itertools.product(*pools):
        if search.scope.calls is None or sum(last[each] for each in numbers) < search.scope.calls:
            found.setdefault(tuple(map(states.shape, numbers)), []).append(numbers)
    return found
