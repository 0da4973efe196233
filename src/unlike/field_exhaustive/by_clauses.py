"""From clauses to a small suite: every pair that can be shown is shown, and every other is refuted.

Algorithm 1 of the paper asks for any structure with any pair not seen yet. Here the pair of the last object is the
target, and the structure found for it is made to show more: the pairs it shows are kept as assumptions, and one more is
asked for, until there is none or a counted budget ends. Pairs that are refuted one by one need no last proof.
"""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from unlike.core import FOREVER, USUAL, CutShort, Deadline, Isolation
from unlike.covering_arrays import drop_needless
from unlike.field_exhaustive.pairs import Pair, open_pairs, pairs_of
from unlike.foreign import silence
from unlike.heap.field_values import ObjectLabel
from unlike.invariants.compile.compiling import Compiled, Numbering, compile_invariant, is_true_in
from unlike.invariants.compile.formula import new_solver, solve_within
from unlike.invariants.fields.domains import FieldTable
from unlike.invariants.search.guards import within_lines
from unlike.invariants.structure import Structure, build_structure
from unlike.progress import report
from unlike.suite import Ending

GROWING = 200  # conflicts for one more pair in a structure
DECIDING = 2_000_000  # conflicts for the question whether a pair can be shown at all
EXCLUDING = 2_000  # conflicts for the question whether two pairs exclude each other
FAILURES = 50  # pairs that turn out to go together with others, before a bound is taken as it is


@dataclass(frozen=True, slots=True)
class Shown:
    """A structure, and the pairs that it shows."""

    structure: Structure
    pairs: frozenset[Pair]


@dataclass(slots=True)
class CoverProgress:
    """What is known when the work ends, or is cut short."""

    shown: list[Shown] = field(default_factory=list)
    covered: set[Pair] = field(default_factory=set)
    refuted: list[Pair] = field(default_factory=list)
    undecided: list[Pair] = field(default_factory=list)
    bound: tuple[Pair, ...] = ()  # pairs of which no structure shows two
    questions: int = 0
    cut: Ending | None = None  # by the clock, or by the user


class Coverer:
    """A solver with the clauses of a compiled invariant, and the pairs to be shown."""

    def __init__(self, compiled: Compiled, pairs: dict[Pair, int], *, deadline: Deadline = FOREVER) -> None:
        self.compiled = compiled
        self.literals = pairs
        self.order = sorted(pairs, key=lambda pair: (-pair.thing.number, pair.field, str(pair.value)))  # latest first
        self.open: dict[Pair, int] = {pair: pairs[pair] for pair in self.order}
        self.deadline = deadline
        self.solver = new_solver("cadical153", compiled.formula.clauses)
        self.solver_variables = compiled.formula.variables
        self.model: list[int] = []
        self.cover = CoverProgress()
        self.budget: tuple[int, int] | None = None  # the first and the last question for a smaller suite

    def close(self) -> None:
        """Free the solver."""
        self.solver.delete()

    # -- a suite -------------------------------------------------------------------------------------

    def run(self) -> CoverProgress:
        """Show or refute every pair."""
        self.solver.set_phases(list(self.open.values()))
        try:
            for target in self.order:
                if target in self.open:
                    self.settle(target)
        except (CutShort, KeyboardInterrupt) as end:
            self.cover.undecided += list(self.open)
            self.cover.cut = end.status.ending if isinstance(end, CutShort) else Ending.INTERRUPTED
        shown = self.cover.shown  # without those whose pairs others show, the earliest first
        self.cover.shown = [shown[place] for place in drop_needless([each.pairs for each in shown])]
        return self.cover

    def settle(self, target: Pair) -> None:
        """Show a pair in a structure with many others, or refute it."""
        answer = self.ask([self.open[target]], DECIDING)
        if answer is None:
            self.cover.undecided.append(target)
        if not answer:
            if answer is False:
                self.solver.add_clause([-self.open[target]])
                self.cover.refuted.append(target)
            del self.open[target]
            return
        self.take(self.grow(self.hits(self.open), self.open))

    def take(self, hits: list[Pair]) -> None:
        """Put the structure of the last model into the suite."""
        self.cover.shown.append(self.show_model())
        self.solver.set_phases([-self.literals[pair] for pair in hits])
        for pair in hits:
            self.cover.covered.add(pair)
            self.open.pop(pair, None)

    def grow(self, hits: list[Pair], wanted: dict[Pair, int]) -> list[Pair]:
        """Ask for more and more pairs in one structure; the last model shows those returned."""
        while True:
            taken = set(hits)
            rest = [literal for pair, literal in wanted.items() if pair not in taken]
            if not rest:
                return hits
            switch = self.switch()
            self.solver.add_clause([-switch, *rest])
            answer = self.ask([switch, *(wanted[pair] for pair in hits)], GROWING)
            self.solver.add_clause([-switch])
            if not answer:
                return hits
            hits = self.hits(wanted)

    # -- a lower bound -------------------------------------------------------------------------------

    def find_bound(self) -> None:
        """Find many pairs of which no structure shows two: so many structures are needed at least.

        The values of one field of one object exclude each other. Those of the last object are the best beginning: what
        a structure without this object shows may exclude them all.
        """
        groups = self._groups()
        if not groups:
            return
        last = groups[0][0].thing.number  # groups come in order, those of the last object first
        first = max((group for group in groups if group[0].thing.number == last), key=len)
        best = max(groups, key=len)
        for candidates in (self.order[::-1], self.order):  # what the root has excludes most; or what comes late does
            clique = list(first)
            with contextlib.suppress(CutShort):
                self._extend(clique, self._masks(), candidates)
            best = max(best, tuple(clique), key=len)
        self.cover.bound = best

    def _extend(self, clique: list[Pair], masks: dict[Pair, int], candidates: Iterable[Pair]) -> None:
        """Add pairs of which it is proved that no structure shows them with one of the clique."""
        seen, failures = 0, 0
        for pair in clique:
            seen |= masks[pair]
        for pair in candidates:
            if pair not in masks or masks[pair] & seen:
                continue
            if self._excludes(pair, clique):
                clique.append(pair)
                seen |= masks[pair]
            elif (failures := failures + 1) == FAILURES:
                return

    def _masks(self) -> dict[Pair, int]:
        """Return for each pair the structures that show it, as bits."""
        masks: dict[Pair, int] = {}
        for place, shown in enumerate(self.cover.shown):
            for pair in shown.pairs:
                masks[pair] = masks.get(pair, 0) | 1 << place
        return masks

    def _groups(self) -> list[tuple[Pair, ...]]:
        """Return the values of one field of one object, without sets: their members do not exclude each other."""
        groups: dict[tuple[str, ObjectLabel], list[Pair]] = {}
        for pair in self.order:
            if pair in self.cover.covered and pair.field not in self.compiled.set_fields:
                groups.setdefault((pair.field, pair.thing), []).append(pair)
        return [tuple(group) for group in groups.values()]

    def _excludes(self, pair: Pair, others: Sequence[Pair]) -> bool:
        switch = self.switch()
        self.solver.add_clause([-switch, *(self.literals[other] for other in others)])
        answer = self.ask([switch, self.literals[pair]], EXCLUDING)
        self.solver.add_clause([-switch])
        return answer is False

    # -- a smaller suite -----------------------------------------------------------------------------

    def shrink(self, questions: int) -> None:
        """Take structures out, others showing their pairs instead, until the bound is met or the budget is over."""
        budget = self.cover.questions + questions
        self.budget = self.cover.questions, budget
        with contextlib.suppress(CutShort):
            while len(self.cover.shown) > len(self.cover.bound) and self.cover.questions < budget:
                if not self._one_less(budget):
                    break

    def _one_less(self, budget: int) -> bool:
        """Take one structure out, if the others can be made to show its pairs."""
        counts = self._counts(self.cover.shown)
        ranked = sorted(self.cover.shown, key=lambda shown: sum(counts[pair] == 1 for pair in shown.pairs))
        for victim in ranked:
            rest = [shown for shown in self.cover.shown if shown is not victim]
            missing = [pair for pair in self.order if pair in victim.pairs and counts[pair] == 1]
            if self._spread_pairs(missing, rest, budget):
                self.cover.shown = rest
                return True
            if self.cover.questions >= budget:
                return False
        return False

    def _spread_pairs(self, missing: list[Pair], rest: list[Shown], budget: int) -> bool:
        """Make the other structures show the missing pairs, each beside the pairs that it alone shows."""
        for pair in missing:
            if any(pair in shown.pairs for shown in rest):
                continue
            if not self._place_pair(pair, rest, budget):
                return False
        return True

    def _place_pair(self, pair: Pair, rest: list[Shown], budget: int) -> bool:
        counts = self._counts(rest)
        for place, shown in enumerate(rest):
            if self.cover.questions >= budget:
                return False
            needed = [each for each in shown.pairs if counts[each] == 1]
            if any(each.field == pair.field and each.thing == pair.thing for each in needed):
                continue  # the field has another value there, which is needed
            needed = sorted(needed, key=self.order.index)
            if self.ask([self.literals[each] for each in (pair, *needed)], GROWING):
                rest[place] = self.show_model()
                return True
        return False

    @staticmethod
    def _counts(shown: Iterable[Shown]) -> dict[Pair, int]:
        return Counter(pair for each in shown for pair in each.pairs)

    # -- the solver ----------------------------------------------------------------------------------

    def ask(self, assumptions: list[int], budget: int) -> bool | None:
        """Ask for a model; None if so many conflicts do not tell. Raise when the time is up."""
        self.cover.questions += 1
        self.report()
        answer = solve_within(self.solver, assumptions, budget, self.deadline)
        if answer:
            self.model = self.solver.get_model()
        return answer

    def report(self) -> None:
        """Say how far it is: pairs that are settled, or questions that may still be asked for a smaller suite."""
        cover = self.cover
        if self.budget is not None:
            first, last = self.budget
            report("looking for a smaller suite", cover.questions - first, len(cover.shown), of=last - first)
            return
        settled = len(self.order) - len(self.open)
        report("covering fields", settled, len(cover.shown), cover.questions, of=len(self.order))

    def is_true(self, literal: int) -> bool:
        """Tell whether the last model makes the literal true."""
        return is_true_in(self.model, literal)

    def show_model(self) -> Shown:
        """Return the structure of the last model, with its pairs."""
        return Shown(self.compiled.structure(self.is_true), frozenset(self.hits(self.literals)))

    def hits(self, wanted: dict[Pair, int]) -> list[Pair]:
        """Return the pairs that the last model shows."""
        return [pair for pair, literal in wanted.items() if self.is_true(literal)]

    def switch(self) -> int:
        """Return a fresh variable that turns a clause on."""
        self.solver_variables += 1
        return self.solver_variables


class MiscompiledError(Exception):
    """The clauses and the invariant disagree: nothing that follows from the clauses can be trusted."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What a suite is to be."""

    table: FieldTable
    invariant: Callable[[Any], object]
    name: str  # of the invariant
    numbering: Numbering
    wanted: Callable[[str], bool]
    smallest: bool = False
    questions: int = 20_000
    deadline: Deadline = FOREVER
    isolation: Isolation = USUAL


def covered_by_clauses(wish: Wish, *, share: float = 1.0) -> tuple[CoverProgress, list[Pair]]:
    """Return the cover of all pairs, and those that were refuted while the invariant was compiled.

    Compiling may take so much of the time; beyond it everything is cut short.
    """
    deadline = wish.deadline.part(share)
    compiled = compile_invariant(wish.table, wish.invariant, numbering=wish.numbering, deadline=deadline)
    pairs, refuted = open_pairs(compiled, wish.wanted)
    with contextlib.closing(Coverer(compiled, pairs, deadline=wish.deadline)) as coverer:
        cover = coverer.run()
        if not cover.undecided:
            coverer.find_bound()
            if wish.smallest:
                coverer.shrink(wish.questions)
    check_shown(cover, wish)
    return cover, refuted


def check_shown(cover: CoverProgress, wish: Wish) -> None:
    """Run the invariant itself on every structure, and read its pairs off it."""
    shown: set[Pair] = set()
    for each in cover.shown:
        if not holds(wish.invariant, build_structure(each.structure)):
            raise MiscompiledError(f"{wish.name} rejects {each.structure}, which the clauses accept")
        pairs = set(pairs_of(each.structure, wish.numbering, wish.wanted))
        if pairs != each.pairs:
            raise MiscompiledError(f"{each.structure} has other pairs than its model")
        shown |= pairs
    if shown != cover.covered and not cover.undecided:
        raise MiscompiledError("the suite does not show the pairs that it claims")


def holds(invariant: Callable[[Any], object], thing: object) -> bool:
    """Tell whether the invariant holds for an object; an exception or an endless run is a no."""
    try:
        with silence():
            return bool(within_lines(lambda: invariant(thing)))
    except KeyboardInterrupt:
        raise
    except BaseException:  # the invariant is foreign code and may raise anything
        return False
