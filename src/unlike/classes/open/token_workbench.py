"""The objects that calls are tried on, with tokens for their open values."""

from __future__ import annotations

import gc
import itertools
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from unlike.classes.open.templates import OpenValue, fill_template
from unlike.classes.workbench import ReadyCall, Workbench
from unlike.errors import UnlikeError
from unlike.heap.store import Snapshot
from unlike.scope import Outside
from unlike.zones.paths import Path
from unlike.zones.tokens import Token
from unlike.zones.walking import CannotStayOpenError, walk_open

if TYPE_CHECKING:
    from unlike.classes.open.path_caller import PathCaller
    from unlike.classes.open.states import Leaf


class OpenWorkbench(Workbench):
    """The objects that calls are tried on, with tokens for their open values."""

    caller: PathCaller

    def __init__(self, caller: PathCaller, shapes: tuple[int, ...]) -> None:
        self.shapes = shapes
        super().__init__(caller, list(range(len(shapes))))

    @classmethod
    def around_roots(cls, caller: PathCaller, shape: int, roots: list[Any], changed: bool) -> OpenWorkbench:
        """Return a bench for objects that are there already, and that somebody else puts back."""
        bench = cls.__new__(cls)
        bench.caller, bench.shapes, bench.numbers = caller, (shape,), [0]
        bench.roots, bench.objects, bench.dirty = [roots], [roots[0]], changed
        bench.snapshot = _KnownChange(changed)
        return bench

    def fill(self) -> None:
        """Make the objects anew and remember what they hold."""
        super().fill()
        self.usual = count_references(self.tokens)

    def make_roots(self) -> list[list[Any]]:
        """Return fresh objects of each of the shapes."""
        self.tokens: list[OpenValue] = []
        return [self.caller.obtain_open(shape, first, self.tokens) for shape, first in self.first_slots()]

    def first_slots(self) -> Iterator[tuple[int, int]]:
        """Yield the shapes, each with the slot of its first value."""
        slots = map(self.caller.states.shape_slots, self.shapes)
        return zip(self.shapes, itertools.accumulate(slots, initial=1), strict=False)

    def shares(self, one: object, other: object) -> bool:
        """Tell whether two objects have a part in common."""
        try:
            return not self.find_reached(one).isdisjoint(self.find_reached(other))
        except UnlikeError:
            return True

    def find_reached(self, root: object) -> set[int]:
        """Return the identities of all objects that one leads to."""
        return {id(thing) for thing in Snapshot(self.caller.table, (root,)).things()}

    def keys(self) -> list[Any]:
        """Return whether the objects are in another state now: their shapes, and the values that moved."""
        shapes = zip(self.first_slots(), self.roots, strict=True)
        return [self._is_same(shape, roots, first) for (shape, first), roots in shapes]

    def keys_before(self) -> list[Any]:
        """Return what `keys` gives for objects in the state they had before the call."""
        return [True] * len(self.shapes)

    def _is_same(self, shape: int, roots: Sequence[object], first: int) -> bool:
        """Tell whether the objects are in the state they had, asking where values have moved."""
        walked = walk_open(self.caller.table, self.caller.places, roots)
        if isinstance(walked, Outside) or walked[0] != self.caller.states.shape_bytes(shape):
            return False
        before = [Token(first + n) for n in range(len(walked[1]))]
        return all(Token(*term) == token for term, token in zip(walked[1], before, strict=True))


def confirm_type_error(caller: PathCaller, path: Path[Leaf], numbers: Sequence[int], call: ReadyCall) -> None:
    """Make a call that raised a TypeError again with chosen values; only if it raises one again, it was its own."""
    point, first = path.zone.first_point(), 0
    objects = []
    for number in numbers:
        after = first + caller.states.zone(number).slots
        objects.append(caller.frontier.objects_at(caller.states.shape(number), point[first:after])[0])
        first = after
    template = fill_template(call.template, lambda n: point[first + n])
    words = path.result.type_error
    caller.marks.begin_call(call.number)
    try:
        ReadyCall(call.number, template, fresh=True).run(objects)
    except TypeError:
        return
    except Exception as error:  # the code under test may raise anything
        words = f"{words}; {type(error).__name__} with chosen values"
    raise CannotStayOpenError(f"compiled code was given an open value: {words}")


def count_references(tokens: Sequence[OpenValue]) -> list[int]:
    """Return how many references there are to each token."""
    return [sys.getrefcount(token) for token in tokens]


def tokens_escaped(tokens: Sequence[OpenValue], usual: list[int]) -> bool:
    """Tell whether somebody holds a token who did not hold it before; what is in cycles is collected first."""
    for generation in (None, 0, 1, 2):  # what the call left in a cycle is young, and to collect everything takes long
        if generation is not None:
            gc.collect(generation)
        if not any(now > before for now, before in zip(count_references(tokens), usual, strict=True)):
            return False
    return True


@dataclass(frozen=True, slots=True)
class _KnownChange:
    """Whether objects have changed, found out by somebody else."""

    answer: bool

    def changed(self) -> bool:
        return self.answer

    def restore(self) -> bool:
        return False
