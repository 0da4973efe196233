"""Abstract states kept by the compiled module, which follows the paths of most calls by itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from unlike import heap
from unlike.explore.bench import Prepared
from unlike.explore.open_values.states import Origin, States
from unlike.explore.open_values.templates import filled, open_arguments
from unlike.explore.outcomes import Outcome
from unlike.zones import Places, Token, Zone
from unlike.zones.paths import AskValue, AtMost, Equal, Question, find_answers

CODES = (Outcome.NEW, Outcome.KNOWN, Outcome.OUTSIDE, Outcome.PRECONDITION, Outcome.ERROR)
QUESTIONS: dict[int, Callable[[int, int, int], Question]] = {
    1: AtMost,
    2: Equal,
    3: lambda i, _j, _c: AskValue(i),
}


class CompiledStates(States):
    """Abstract states in an Atlas of the compiled module; `quick` are the calls it makes by itself."""

    def __init__(
        self,
        walker: Any,
        places: Places,
        quick: Sequence[Prepared],
        *,
        judge: Callable[..., object],
        enter: Callable[..., object],
        check: Callable[[], object],
        invariant: str | None,
    ) -> None:
        self.quick = quick
        calls = tuple((_call(each), _ranges(each)) for each in quick)
        self.atlas = heap.native_module().Atlas(walker, places, calls, judge, enter, check, invariant)
        self._origins: dict[int, Origin] = {}

    def expand(self, numbers: Sequence[int], calls: Sequence[int]) -> int:
        """Follow every path of the calls on the states; return how many states were done before one that cannot be."""
        done: int = self.atlas.expand(numbers, calls)
        return done

    def shape_number(self, shape: bytes, slots: int) -> int:
        """Return the number of a shape, numbering it when it is first met."""
        number: int = self.atlas.shape(shape, slots)
        return number

    def shape_bytes(self, shape: int) -> bytes:
        """Return the bytes of a shape."""
        found: bytes = self.atlas.shape_bytes(shape)
        return found

    def shape_slots(self, shape: int) -> int:
        """Return how many open values a shape has."""
        slots: int = self.atlas.shape_slots(shape)
        return slots

    def shape_count(self) -> int:
        """Return how many shapes there are."""
        count: int = self.atlas.shape_count
        return count

    def of_shape(self, shape: int) -> list[int]:
        """Return the states of a shape that no other of their length covers, first one first."""
        found: list[int] = self.atlas.shape_states(shape)
        return found

    def add(self, shape: int, zone: Zone, length: int, origin: Origin) -> int:
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

    def origin(self, number: int) -> Origin:
        """Return how a state came about; what the compiled module made is worked out from the answers on its path."""
        if number in self._origins:
            return self._origins[number]
        *_, parent, leaf = self.atlas.state(number)
        call, (_, terms) = self.atlas.leaf(leaf)
        prepared = self.quick[call]
        zone = self.zone(parent).extend(*_ranges(prepared))
        for kind, i, j, c, answer in self.atlas.path(leaf):
            zone = dict(find_answers(zone, QUESTIONS[kind](i, j, c)))[answer]
        origin = self._origins[number] = Origin((parent,), prepared.number, ((0, 0),), zone, terms)
        return origin

    def __len__(self) -> int:
        return len(self.atlas)


def _call(prepared: Prepared) -> heap.WalkerCall:
    """Return the call as the compiled module makes it, with the n-th open argument as the token of slot n."""
    template = filled(prepared.template, lambda n: Token(n + 1))
    return heap.WalkerCall(template.operation.name, template.args, template.kwargs)


def _ranges(prepared: Prepared) -> tuple[tuple[int, int], ...]:
    return tuple((each.low, each.high) for each in open_arguments(prepared.template))
