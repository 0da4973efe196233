"""Which members to take: one for each key, numbers far apart, one for each choice, or all that are still different."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from unlike.core import CutShort, Deadline
from unlike.language.evaluate import compile_term
from unlike.language.terms import Node, freeze
from unlike.specs import core_difference as cores, members as spaces
from unlike.specs.numbers import number_of
from unlike.specs.problem import Fragment, Problem
from unlike.specs.sources import Source
from unlike.specs.verify import compile_difference
from unlike.suite import Ending, Status


def one_for_each(source: Iterable[Fragment], terms: Sequence[Node]) -> Iterator[Fragment]:
    """Yield the first member for each combination of values of the terms."""
    keys = [compile_term(term) for term in terms]
    seen: set[object] = set()
    for member in source:
        assignment = spaces.assignment_of(member)
        key = tuple(freeze(key(assignment)) for key in keys)
        if key not in seen:
            seen.add(key)
            yield member


def greedily_apart(source: Iterable[Fragment], gap: cores.MinimumDistance) -> Iterator[Fragment]:
    """Yield a largest set of members whose numbers are far enough apart."""
    number = compile_term(gap.term)
    numbered: list[tuple[int | Fraction, int, Fragment]] = []
    cut: CutShort | None = None
    try:
        for i, member in enumerate(source):
            numbered.append((number_of(number(spaces.assignment_of(member))), i, member))
    except CutShort as early:  # what was read before is picked from all the same
        cut = early
    last = None
    for value, _, member in sorted(numbered, key=lambda each: each[:2]):
        if last is None or value - last >= gap.least:
            last = value
            yield member
    if cut is not None:
        raise cut


ALL_TAKEN = "a choice is undecided, as all that it has stand for other choices"


class Greedy:
    """Takes each member that is different from all taken before; what is left out could not be added."""

    def __init__(self, core: cores.Core, problem: Problem, deadline: Deadline, *, free: bool = False) -> None:
        self.core = core
        self.free = free  # other parts of the input may make equal members different
        self.problem = problem
        self.deadline = deadline
        self.blocked = False  # a choice has no member, as all that it has were taken for other choices

    @property
    def ending(self) -> Ending:
        """What it means that all members were tried."""
        return Ending.COMPLETE if cores.is_equivalence(self.core) and not self.blocked else Ending.MAXIMAL

    def stream(self, source: Iterable[Fragment]) -> Iterator[Fragment]:
        """Yield the members taken."""
        if isinstance(self.core, cores.Everything):
            yield from source
            return
        different = compile_difference(self.core, self.problem)
        taken: list[dict[str, object]] = []
        values: set[object] = set()
        equal: list[dict[str, object]] = []  # to one that was taken for another choice
        for member in self.deadline.each(source):
            for fragment in with_choices(member, self.core, self.deadline):
                assignment = spaces.assignment_of(fragment)
                if not all(different(assignment, other) for other in taken):
                    continue
                if (value := freeze(member)) in values:
                    equal.append(assignment)
                    continue
                taken.append(assignment)
                values.add(value)
                yield fragment
        # another member may have shown the same choice later
        self.blocked = any(all(different(each, other) for other in taken) for each in equal)
        if self.blocked and self.free:
            raise CutShort(Status(Ending.UNKNOWN, ALL_TAKEN))


def with_choices(member: Fragment, core: cores.Core, deadline: Deadline) -> Iterator[Fragment]:
    """Yield the member with every combination of choices that it can make."""
    selects = [each for each in cores.parts_of(core) if isinstance(each, cores.Select)]
    if not selects:
        yield member
        return
    holds = compile_term(cores.assert_choices(core))
    for picked in deadline.each(itertools.product(*(range(len(each.parts)) for each in selects))):
        fragment = member | {each.number: choice for each, choice in zip(selects, picked, strict=True)}
        if holds(spaces.assignment_of(fragment)):
            yield fragment


def first_unused(
    number: int, sources: Sequence[Source[Fragment]], missed: list[int], deadline: Deadline
) -> Iterator[Fragment]:
    """Yield the first member of each source that no other source has given."""
    used: set[object] = set()
    for index, source in enumerate(sources):
        fresh = next((member for member in deadline.each(source) if freeze(member) not in used), None)
        if fresh is not None:
            used.add(freeze(fresh))
            yield fresh | {number: index}
        elif source.size(1):
            missed.append(index)  # it has members, but all of them stand for other choices


def match_choices(number: int, sources: Sequence[Source[Fragment]]) -> Iterator[Fragment]:
    """Yield one member of as many sources as possible, none twice: a largest matching, by augmenting paths.

    As many members of each source as there are sources are enough to look at.
    """
    owner: dict[object, int] = {}
    held: dict[int, Fragment] = {}

    def place(index: int, tried: set[object]) -> bool:
        source = sources[index]
        for position in range(len(sources)):
            if source.size(position + 1) <= position:
                return False
            member = source.at(position)
            value = freeze(member)
            if value in tried:
                continue
            tried.add(value)
            if value not in owner or place(owner[value], tried):
                owner[value], held[index] = index, member
                return True
        return False

    for index in range(len(sources)):
        place(index, set())
    for index, member in sorted(held.items()):
        yield member | {number: index}
    if len(held) < len(sources):  # with more members of any of them, another might have found one
        for source in sources:
            if source.cut:
                raise CutShort(source.cut)
