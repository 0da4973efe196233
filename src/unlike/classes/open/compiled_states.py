"""Abstract states kept by the compiled module, which follows the paths of most calls by itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from unlike import heap
from unlike.classes.judging import Outcome
from unlike.classes.open.states import Origin, ZoneStates
from unlike.classes.open.templates import filled, open_arguments
from unlike.classes.workbench import ReadyCall
from unlike.zones import Places, Term, Token, Zone
from unlike.zones.paths import TokenQuestion, find_answers

CODES = (Outcome.NEW, Outcome.KNOWN, Outcome.OUTSIDE, Outcome.PRECONDITION, Outcome.ERROR)


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
