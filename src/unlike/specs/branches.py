"""The branches of a regex as choices: each with its text, its exact language, and a test of its own."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from unlike.core import CutShort, Deadline
from unlike.indexed import spread_indices
from unlike.language.terms import BOOL, TRUE, Node, Op, text
from unlike.language.values import Str, is_legal
from unlike.regex.automaton import Automaton
from unlike.regex.cover import Cover, Representative, find_heuristics
from unlike.regex.language import Language
from unlike.regex.machine import Undecided
from unlike.regex.order import OrderedTexts
from unlike.regex.tree import Node as Tree, parse
from unlike.specs.core_difference import Branch, Core, Every, Negated, Nothing, Select, Some
from unlike.suite import Ending, Status

MOST = 2_000  # so many branches are turned into choices of a solver; more must be enumerated directly
FILTERED = 2_000  # texts of one branch that are tried where plain Python must accept them, too
TRIES = 50  # texts of one branch that are tried before it counts as having no text of its own


@dataclass(frozen=True, slots=True)
class OneBranch:
    """One choice of branches: what a string taking it looks like."""

    cover: Cover
    choice: int
    label: str

    def __call__(self, string: str) -> bool:
        """Tell whether the string takes these branches, by a matcher that shares nothing with the automata."""
        return self.cover.derives(self.choice, string)

    def automaton(self, deadline: Deadline) -> Automaton:
        """Return the exact language of the choice."""
        return self.cover.within(self.choice, deadline=deadline)

    def tree(self) -> Tree:
        """Return the exact language of the choice as a pattern's tree."""
        return self.cover.tree(self.choice)


@functools.lru_cache(maxsize=64)
def cover_of(pattern: str, flags: int, heuristic: str, start: int = 0, *, unicode: bool = False) -> Cover:
    """Return the branches of a pattern under a named heuristic, shown by characters that belong to the start."""
    return Cover(parse(pattern, flags), find_heuristics(heuristic, start=start, unicode=unicode))


def cover_for(branch: Branch, start: int = 0) -> Cover:
    """Return the branches that a difference covers."""
    return cover_of(branch.pattern, branch.flags, branch.heuristic, start, unicode=branch.unicode)


def expand_branches(core: Core) -> Core:
    """Return the difference with every cover written out as a choice among its branches."""
    match core:
        case Branch(number, term, pattern):
            cover = cover_for(core)
            count = cover.choices
            if count > MOST:
                said = f"{count} branches of {pattern!r} in {text(term)} are too many to combine with what ties them"
                raise CutShort(Status(Ending.UNKNOWN, said))
            branches = [OneBranch(cover, choice, cover.represent(choice).label) for choice in range(count)]
            taken = tuple(Op("accepted", (term,), BOOL, branch) for branch in branches)
            return Select(number, taken, (Nothing(),) * count)
        case Every(parts):
            return Every(tuple(map(expand_branches, parts)))
        case Some(parts):
            return Some(tuple(map(expand_branches, parts)))
        case Negated(part):
            return Negated(expand_branches(part))
        case Select(number, assertions, parts, exclusive):
            return Select(number, assertions, tuple(map(expand_branches, parts)), exclusive)
    return core


def choices_in_words(core: Core, made: Mapping[object, object]) -> Iterator[str]:
    """Yield in words the choices that were made, from the outermost to the innermost."""
    match core:
        case Branch(number) if number in made:
            yield cover_for(core).represent(_index(made[number])).label
        case Select(number, assertions, parts) if number in made:
            index = _index(made[number])
            if assertions[index] != TRUE:
                yield _in_words(assertions[index])
            yield from choices_in_words(parts[index], made)
        case Every(parts) | Some(parts):
            for part in parts:
                yield from choices_in_words(part, made)
        case Negated(part):
            yield from choices_in_words(part, made)


def _index(choice: object) -> int:
    assert isinstance(choice, int)
    return choice


def _in_words(assertion: Node) -> str:
    if isinstance(assertion, Op) and isinstance(assertion.extra, OneBranch):
        return assertion.extra.label
    return text(assertion)


@dataclass(frozen=True, slots=True)
class Legal:
    """What a string must be beside taking its branches: declared, in a language, and accepted by anything else said."""

    value: Str
    language: Automaton | None
    accepts: Callable[[str], bool] | None = None

    def __call__(self, string: str) -> bool:
        """Tell whether a string is legal."""
        if self.language is not None and not self.language.accepts(string):
            return False
        return is_legal(self.value, string) and (self.accepts is None or self.accepts(string))


def one_string_per_branch(
    branch: Branch, legal: Legal, deadline: Deadline, *, free: bool, seed: int = 0
) -> Iterator[tuple[int, str]]:
    """Yield one legal string for each choice of branches that has one, no string twice where that can be.

    They come in the order of the strings of a pattern: every beginning shows what was shown least.

    Where no proof can be had that a choice has none the stream is cut short at its end. Where other parts of the input
    are free to differ, choices come last that have only strings which stand for others.
    """
    cover = cover_for(branch, seed)
    used: set[str] = set()
    again: list[tuple[int, str]] = []
    undecided: list[str] = []
    order = OrderedTexts(cover, seed)
    for made in deadline.each(_each_choice(order, cover, seed)):
        try:
            string = _fitting(cover, made, legal, used, deadline, seed)
        except Undecided as reason:
            undecided.append(f"{made.label}: {reason}")
            order.routes.refuse_last()
            continue
        if string in used and free:
            assert string is not None
            again.append((made.choice, string))
        elif string is not None and string not in used:
            used.add(string)
            yield made.choice, string
        if string is None:
            order.routes.refuse_last()
    yield from again
    if undecided:
        raise CutShort(Status(Ending.UNKNOWN, f"{len(undecided)} branches are undecided, as {undecided[0]}"))


def _each_choice(order: OrderedTexts, cover: Cover, seed: int) -> Iterator[Representative]:
    """Yield every choice once with a string that may stand for it, the last ones being those that seem to have none."""
    order.speller.is_plain = not cover.heuristics.unicode
    shown = set()
    for made in order.of_choices():
        shown.add(made.choice)
        yield made
    for choice in spread_indices(cover.choices, seed):
        if choice not in shown:
            yield cover.represent(choice)


def _fitting(
    cover: Cover, made: Representative, legal: Legal, used: set[str], deadline: Deadline, seed: int
) -> str | None:
    """Return a string that takes the branches and is legal, an unused one if possible; nothing if there is none.

    Strings of one branch and of another, and those of other seeds, begin elsewhere.
    """
    if made.text not in used and legal(made.text) and cover.shows(made.choice, made.text):
        return made.text
    exact = cover.within(made.choice, deadline=deadline)
    if legal.language is not None:
        exact = exact.intersect(legal.language)
    sized = Language(exact, legal.value.min_length, legal.value.most)
    most = TRIES if legal.accepts is None else FILTERED
    taken = None
    for tried, string in enumerate(sized.spread_texts(seed + made.choice, unicode=legal.value.unicode)):
        if tried >= most:
            raise Undecided(f"its first {most} strings are refused, or stand for other branches")
        if legal.accepts is None or legal.accepts(string):
            if string not in used:
                return string
            taken = string
    return taken
