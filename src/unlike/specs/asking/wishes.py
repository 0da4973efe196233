"""What the next model of a solver should be, if there is such a one: so that the first models are not all alike.

A solver gives the next model as near to the last one as it can. It is asked for one with a value of each key that no
model had, and with numbers all over the range that must be far apart; what is no longer possible is not wished again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from unlike.indexed import spread_indices
from unlike.language import terms
from unlike.language.evaluate import compile_term
from unlike.language.terms import Const, Node
from unlike.solvers.base import Answer, Sat, Unknown
from unlike.specs import core_difference as cores, members as spaces
from unlike.specs.members import Component
from unlike.specs.numbers import Intervals, far_apart, line_of
from unlike.specs.problem import Fragment, path_of

ASKED = 200  # so many questions are spent on wishes
TARGETS = 64  # numbers far apart that are wished for
STALE = 2  # so many inputs in a row that show nothing new of a key, and it is wished for


class Wishes:
    """Remembers which values of a difference's terms were there, and wishes for others."""

    def __init__(self, part: Component, core: cores.Core, seed: int) -> None:
        self.left = ASKED
        self.granted = False  # whether the last model fulfils one
        self.keys: dict[Node, dict[object, Node]] = {}
        self.targets: list[tuple[Node, list[Const]]] = []
        for each in core.parts if isinstance(core, cores.Some) else (core,):
            match each:
                case cores.Key(term) if not isinstance(term.kind, terms.OptionKind | terms.ListKind | terms.RecordKind):
                    self.keys[term] = {}
                case cores.MinimumDistance(term):
                    self.targets += [(term, found) for found in [list(_far_apart(part, each, seed))] if found]
        self.views = {term: compile_term(term) for term in self.keys}
        self.turn = 0
        self.stale = dict.fromkeys(self.keys, 0)  # inputs since the last that showed a new value of the key

    @property
    def is_due(self) -> bool:
        """Whether inputs that were drawn, not asked for, show the same few values of a key again and again."""
        return self.left > 0 and any(
            self.stale[term] >= STALE and len(values) < TARGETS for term, values in self.keys.items()
        )

    def note(self, fragment: Fragment) -> None:
        """Remember the values of an input."""
        assignment = spaces.assignment_of(fragment)
        for term, values in self.keys.items():
            value = self.views[term](assignment)
            differs = terms.negation(terms.equal(term, Const(value, term.kind)))
            self.stale[term] = 0 if terms.freeze(value) not in values else self.stale[term] + 1
            values.setdefault(terms.freeze(value), differs)

    def ask(self, question: Callable[[Sequence[Node]], Answer]) -> Sat | None:
        """Return a model that fulfils as many wishes as possible, one after the other; nothing if there is none."""
        best: Sat | None = None
        self.granted = False
        taken: list[Node] = []
        for wish, term in self._next():
            if self.left <= 0:
                break
            self.left -= 1
            answer = question([*taken, *wish])
            if isinstance(answer, Sat):
                best, taken, self.granted = answer, [*taken, *wish], True
            elif isinstance(answer, Unknown):
                self.left = 0  # what is hard to say is not worth a wish
            elif term is not None and not taken:
                del self.keys[term]  # all of its values were there
        return best

    def _next(self) -> Iterator[tuple[list[Node], Node | None]]:
        for term, values in list(self.keys.items()):
            if 0 < len(values) < TARGETS:
                yield list(values.values()), term
        for term, numbers in self.targets:
            yield [terms.equal(term, numbers[self.turn % len(numbers)])], None
        self.turn += 1


def _far_apart(part: Component, gap: cores.MinimumDistance, seed: int) -> Iterator[Const]:
    """Yield numbers far enough apart, as many as fit between the bounds of a unit, spread over them."""
    unit = part.units.get(path_of(gap.term) or ())
    line = None if unit is None else line_of(unit.value)
    if line is None:
        return
    ranges = far_apart(Intervals(((line.low, line.high),)), int(-(-gap.least / line.scale // 1)))
    count = sum(each.count() for each in ranges)
    for _, index in zip(range(TARGETS), spread_indices(count, seed), strict=False):
        yield Const(line.plain(ranges[0].at(index)), gap.term.kind)
