"""Two strings tied to each other, decided by automata: equality, prefix, suffix, part, and how their lengths compare.

A solver is slow on such ties and often gives up. Here each string is an automaton (its pattern, what is asserted of it
alone, the branches that a cover asks for), and pairs are found exactly: the end of a search is a proof.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from unlike.core import CutShort
from unlike.indexed import Integers, Product, in_growing_turns, spread_indices
from unlike.language.terms import Const, Node, Op
from unlike.language.values import Str
from unlike.regex.automaton import Automaton, Language
from unlike.regex.couple import ANY_LENGTHS, HOLDS, MAX_PAIRS, Lengths, Tie, pairs
from unlike.regex.machine import TooLarge, Undecided
from unlike.specs.branches import cover_for
from unlike.specs.core_difference import Branch, Core, Everything, Some
from unlike.specs.members import Component, automaton_of, regular
from unlike.specs.problem import Fragment, Unit
from unlike.specs.sources import Source
from unlike.suite import Ending, Status

TIES: dict[str, tuple[Tie, Tie]] = {
    "startswith": ("prefix", "not prefix"),
    "endswith": ("suffix", "not suffix"),
    "contains": ("part", "not part"),
}
IN_ORDER = 10_000  # so many combinations of choices are taken one after the other
SAME: tuple[Tie, Tie] = ("equal", "different")


@dataclass(frozen=True, slots=True)
class TiedStrings:
    """Two strings, each with its language (of any length), and what ties the first to the second."""

    first: Unit
    second: Unit
    languages: tuple[Automaton, Automaton]
    ties: tuple[Tie, ...] = ()
    lengths: Lengths = ANY_LENGTHS


def tied_strings(core: Core, part: Component, *, free: bool) -> Source[Fragment] | None:
    """Return the members of a component of two tied strings, any two different; nothing if it is not of that form.

    `free` says that other parts of the input may make equal pairs different.
    """
    branches = _branches(core)
    if branches is None:
        return None
    try:
        pair = _pair(part)
        if pair is None or not all(_about(branch, pair) for branch in branches):
            return None
    except Undecided:
        return None
    if not branches:
        return Source(_all(pair), "pairs of strings, by automata")
    return Source(_one_for_each(pair, branches, free=free), "pairs of strings for each choice of branches, by automata")


def _branches(core: Core) -> list[Branch] | None:
    match core:
        case Everything():
            return []
        case Branch():
            return [core]
        case Some(parts) if all(isinstance(each, Branch) for each in parts) and len(parts) == 2:
            branches = [each for each in parts if isinstance(each, Branch)]
            return branches if branches[0].term != branches[1].term else None
    return None


def _about(branch: Branch, pair: TiedStrings) -> bool:
    return branch.term in (pair.first.term, pair.second.term) and cover_for(branch).pattern.exact


# -- reading the assertions -----------------------------------------------------------------------------------


def _pair(part: Component) -> TiedStrings | None:
    """Return the component as a pair of strings, in the order in which its ties can be said; nothing if in none."""
    units = list(part.units.values())
    if len(units) != 2 or not all(isinstance(unit.value, Str) for unit in units):
        return None
    for first, second in (units, units[::-1]):
        languages = [_language(first, part), _language(second, part)]
        pair = TiedStrings(first, second, (languages[0], languages[1]))
        for assertion in part.assertions:
            if len(assertion.units) == 2:
                added = _add_tie(pair, assertion.node)
                if added is None:
                    break
                pair = added
            elif regular(assertion.node, first.term) is None and regular(assertion.node, second.term) is None:
                return None
        else:
            return pair
    return None


def _language(unit: Unit, part: Component) -> Automaton:
    assert isinstance(unit.value, Str)
    language = automaton_of(unit.value)
    for assertion in part.assertions:
        if assertion.units == {unit.path} and (accepted := regular(assertion.node, unit.term)) is not None:
            language = language.intersect(accepted)
    return language


def _add_tie(pair: TiedStrings, node: Node, *, holds: bool = True) -> TiedStrings | None:
    """Return the pair with one more tie, or nothing if the tie cannot be said in this order."""
    match node:
        case Op("not", (inner,)):
            return _add_tie(pair, inner, holds=not holds)
        case Op(("==" | "!=") as name, (left, right)) if {left, right} == {pair.first.term, pair.second.term}:
            return _with_tie(pair, SAME, holds=holds == (name == "=="))
        case Op(name, (whole, piece)) if name in TIES and (piece, whole) == (pair.first.term, pair.second.term):
            return _with_tie(pair, TIES[name], holds=holds)
        case Op(("==" | "<" | "<=" | ">" | ">=") as name, (left, right)) if holds:
            return _with_lengths(pair, name, _length(left, pair), _length(right, pair))
    return None


def _with_tie(pair: TiedStrings, ties: tuple[Tie, Tie], *, holds: bool) -> TiedStrings:
    return replace(pair, ties=(*pair.ties, ties[0] if holds else ties[1]))


def _length(node: Node, pair: TiedStrings) -> tuple[int, int, int] | None:
    """Return a sum of lengths and numbers as (times the first length, times the second, number)."""
    match node:
        case Const(int(number)):
            return 0, 0, number
        case Op("length", (inner,)):
            return (1, 0, 0) if inner == pair.first.term else (0, 1, 0) if inner == pair.second.term else None
        case Op(("+" | "-") as name, (left, right)):
            one, two = _length(left, pair), _length(right, pair)
            if one is None or two is None:
                return None
            sign = 1 if name == "+" else -1
            return one[0] + sign * two[0], one[1] + sign * two[1], one[2] + sign * two[2]
    return None


def _with_lengths(
    pair: TiedStrings, name: str, left: tuple[int, int, int] | None, right: tuple[int, int, int] | None
) -> TiedStrings | None:
    """Return the pair with a bound on how much longer the second string is; nothing if it says something else."""
    if left is None or right is None:
        return None
    first, second, number = (a - b for a, b in zip(left, right, strict=True))
    if (first, second) == (1, -1):  # first - second + number: turn it round
        second, number, name = 1, -number, {"<": ">", "<=": ">=", ">": "<", ">=": "<="}.get(name, name)
    elif (first, second) != (-1, 1):
        return None
    least, most = pair.lengths.least, pair.lengths.most
    bound = -number  # second - first compared with it
    low = {"==": bound, ">=": bound, ">": bound + 1}.get(name)
    high = {"==": bound, "<=": bound, "<": bound - 1}.get(name)
    least = low if least is None else least if low is None else max(least, low)
    most = high if most is None else most if high is None else min(most, high)
    return replace(pair, lengths=Lengths(least, most))


# -- finding pairs ------------------------------------------------------------------------------------------------


def _find_pairs(pair: TiedStrings, languages: tuple[Automaton, Automaton]) -> Iterator[tuple[str, str]]:
    """Yield all pairs that hold; the end is a proof that there are no more."""
    if not set(pair.ties) & {"equal", "prefix", "suffix", "part"}:
        return _by_length(pair, languages)
    first, second = pair.first.value, pair.second.value
    assert isinstance(first, Str)
    assert isinstance(second, Str)
    most = None if first.most >= second.most else first.most  # no part is longer than the whole
    parts = _bound_lengths(languages[0], first.min_length, most)
    return pairs(parts, languages[1], pair.ties, lengths=pair.lengths, sizes=(second.min_length, second.most))


@functools.lru_cache(maxsize=4096)
def _bound_lengths(language: Automaton, least: int, most: int | None) -> Automaton:
    """Return the strings of least to most characters: the very language, where it has no others."""
    if most is None and (least == 0 or len(language.shortest() or "") >= least):
        return language
    return language.intersect(Automaton.of_lengths(least, most))


def _by_length(pair: TiedStrings, languages: tuple[Automaton, Automaton]) -> Iterator[tuple[str, str]]:
    """Yield the pairs of two strings that no part of the other is asked of: a pair of each two lengths in turn."""
    missed = 0
    for x, y in in_growing_turns(_of_lengths(languages, sizes) for sizes in _sizes(pair, languages)):
        if all(HOLDS[tie](x, y) for tie in pair.ties):
            missed = 0
            yield x, y
        elif (missed := missed + 1) >= MAX_PAIRS:
            raise TooLarge(f"{MAX_PAIRS:,} pairs in a row do not hold, and there are more")


def _sizes(pair: TiedStrings, languages: tuple[Automaton, Automaton]) -> list[tuple[int, int]]:
    """Return the lengths that two strings may have together, short ones first."""
    assert isinstance(pair.first.value, Str)
    assert isinstance(pair.second.value, Str)
    ours, theirs = (
        Language(language, value.min_length, value.most).lengths
        for language, value in zip(languages, (pair.first.value, pair.second.value), strict=True)
    )
    least, most = pair.lengths.least, pair.lengths.most
    both = [
        (x, y)
        for x, y in itertools.product(ours, theirs)
        if (least is None or y - x >= least) and (most is None or y - x <= most)
    ]
    return sorted(both, key=sum)


def _of_lengths(languages: tuple[Automaton, Automaton], sizes: tuple[int, int]) -> Iterator[tuple[str, str]]:
    one, two = (language.count(size) for language, size in zip(languages, sizes, strict=True))
    for index in spread_indices(one * two):
        yield languages[0].at(sizes[0], index % one), languages[1].at(sizes[1], index // one)


def _all(pair: TiedStrings) -> Iterator[Fragment]:
    try:
        for x, y in _find_pairs(pair, pair.languages):
            yield {pair.first.path: x, pair.second.path: y}
    except Undecided as reason:
        raise CutShort(Status(Ending.UNKNOWN, str(reason))) from None


def _one_for_each(pair: TiedStrings, branches: Sequence[Branch], *, free: bool) -> Iterator[Fragment]:
    """Yield one pair for each combination of choices that has one, none twice."""
    used: set[tuple[str, str]] = set()
    undecided: list[str] = []

    @functools.lru_cache(maxsize=4096)  # the same object again is known to what is made of it
    def narrow(which: int, choice: int) -> Automaton:
        return pair.languages[which].intersect(_within(of[which], choice))

    of = {int(branch.term != pair.first.term): branch for branch in branches}
    for choices in _combinations([cover_for(branch).choices for branch in branches]):
        try:
            taken = {int(branch.term != pair.first.term): i for branch, i in zip(branches, choices, strict=True)}
            one, two = (narrow(i, taken[i]) if i in taken else pair.languages[i] for i in (0, 1))
            found = _find_unused(pair, (one, two), used)
        except Undecided as reason:
            undecided.append(str(reason))
            continue
        if found in used and free:
            undecided.append("all of its pairs stand for other choices")
        elif found is not None and found not in used:
            used.add(found)
            fragment: Fragment = {pair.first.path: found[0], pair.second.path: found[1]}
            yield fragment | {branch.number: i for branch, i in zip(branches, choices, strict=True)}
    if undecided:
        raise CutShort(Status(Ending.UNKNOWN, f"{len(undecided)} combinations are undecided, as {undecided[0]}"))


def _combinations(counts: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield which choice each branch takes: in order, or spread where there are too many to see them all."""
    space = Product([Integers(0, count - 1) for count in counts])
    return map(space.at, range(space.count()) if space.count() <= IN_ORDER else spread_indices(space.count()))


@functools.lru_cache(maxsize=4096)
def _within(branch: Branch, choice: int) -> Automaton:
    return cover_for(branch).within(choice)


def _find_unused(
    pair: TiedStrings, languages: tuple[Automaton, Automaton], used: set[tuple[str, str]]
) -> tuple[str, str] | None:
    """Return a pair, one that was not used if possible; nothing if there is proved to be none."""
    found = None
    for found in itertools.islice(_find_pairs(pair, languages), len(used) + 1):
        if found not in used:
            return found
    return found
