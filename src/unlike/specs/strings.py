"""Strings tied to each other, decided by automata: equality, prefix, suffix, part, and how their lengths compare.

A solver is slow on such ties and often gives up. Here each string is an automaton (its pattern, what is asserted of it
alone, the branches that a cover asks for), and solutions are found exactly: the end of a search is a proof.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from unlike.core import CutShort, Deadline
from unlike.indexed import Integers, Product, spread_indices
from unlike.language.terms import Const, Node, Op
from unlike.language.values import Str
from unlike.regex.automaton import Automaton
from unlike.regex.couple import Lengths, Tie
from unlike.regex.language import Language
from unlike.regex.machine import TooLarge, Undecided
from unlike.regex.several import Relation, Solutions
from unlike.specs.branches import cover_for
from unlike.specs.core_difference import Branch, Core, Everything, Key, Some
from unlike.specs.members import Component, automaton_of, regular
from unlike.specs.problem import Fragment, Unit
from unlike.specs.sources import Source
from unlike.suite import Ending, Status

TIES: dict[str, tuple[Tie, Tie]] = {
    "startswith": ("prefix", "not prefix"),
    "endswith": ("suffix", "not suffix"),
    "contains": ("part", "not part"),
}
CONTRARY = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}
EMPTY = 2_000  # combinations in a row that have no solution before the rest stays open


@dataclass(frozen=True, slots=True)
class TiedStrings:
    """Strings, each with its language (of any length), and what ties them."""

    units: tuple[Unit, ...]
    languages: tuple[Automaton, ...]
    relations: tuple[Relation, ...] = ()

    @property
    def sizes(self) -> list[tuple[int, int]]:
        """The least and the greatest length of each string."""
        values = [unit.value for unit in self.units]
        return [(value.min_length, value.most) for value in values if isinstance(value, Str)]

    def place(self, term: Node) -> int | None:
        """Return which of the strings the term is."""
        return next((place for place, unit in enumerate(self.units) if unit.term == term), None)


@dataclass(frozen=True, slots=True)
class Facet:
    """What a difference asks of one string: so many choices, each of which leaves a part of its language."""

    place: int
    count: int
    narrow: Callable[[int], Automaton]
    number: int | None = None  # of the choice among branches, if it is one


def tied_strings(
    core: Core, part: Component, deadline: Deadline, *, free: bool, seed: int = 0
) -> Source[Fragment] | None:
    """Return the members of a component of tied strings, any two different; nothing if it is not of that form.

    `free` says that other parts of the input may make equal members different.
    """
    if len(part.units) < 2 and not isinstance(core, Some):
        return None  # it is one string with one difference, or none
    try:
        tied = _read_ties(part, deadline)
        facets = None if tied is None else _facets(core, tied, deadline)
    except Undecided:
        return None
    if tied is None or facets is None:
        return None
    if not facets:
        return Source(_all(tied, seed), "tied strings, by automata")
    return Source(_one_for_each(tied, facets, free=free, seed=seed), "tied strings for each choice, by automata")


def _facets(core: Core, tied: TiedStrings, deadline: Deadline) -> list[Facet] | None:
    """Return what the difference asks of the strings, one by one; nothing if it asks something else."""
    asked = core.parts if isinstance(core, Some) else () if isinstance(core, Everything) else (core,)
    facets = [_facet(each, tied, deadline) for each in asked]
    found = [each for each in facets if each is not None]
    return found if len(found) == len(facets) else None


def _facet(core: Core, tied: TiedStrings, deadline: Deadline) -> Facet | None:
    match core:
        case Branch(number, term) if (place := tied.place(term)) is not None and cover_for(core).pattern.exact:
            return Facet(place, cover_for(core).choices, functools.partial(_within, core, deadline=deadline), number)
        case Key(Op("length", (term,))) if (place := tied.place(term)) is not None:
            lengths = Language(tied.languages[place], *tied.sizes[place]).lengths
            return Facet(place, len(lengths), lambda choice: Automaton.of_lengths(lengths[choice], lengths[choice]))
        case Key(term) if (place := tied.place(term)) is not None:
            language = Language(tied.languages[place], *tied.sizes[place])
            return Facet(place, language.count(), lambda choice: Automaton.of_text(language.at(choice)))
    return None


# -- reading the assertions -----------------------------------------------------------------------------------


def _read_ties(part: Component, deadline: Deadline) -> TiedStrings | None:
    """Return the component as strings with their ties; nothing if something else is said of them."""
    units = tuple(part.units.values())
    if not all(isinstance(unit.value, Str) for unit in units):
        return None
    tied = TiedStrings(units, tuple(_language(unit, part, deadline) for unit in units))
    for assertion in part.assertions:
        if len(assertion.units) == 1:
            (path,) = assertion.units
            if regular(assertion.node, part.units[path].term, deadline) is None:
                return None
            continue
        relation = _relation(tied, assertion.node)
        if relation is None:
            return None
        tied = replace(tied, relations=(*tied.relations, relation))
    return tied


def _language(unit: Unit, part: Component, deadline: Deadline) -> Automaton:
    assert isinstance(unit.value, Str)
    language = automaton_of(unit.value, deadline)
    for assertion in part.assertions:
        if assertion.units == {unit.path}:
            accepted = regular(assertion.node, unit.term, deadline)
            language = language if accepted is None else language.intersect(accepted)
    return language


def _relation(tied: TiedStrings, node: Node, *, holds: bool = True) -> Relation | None:
    """Return what the node says of two of the strings; nothing if it says something else."""
    match node:
        case Op("not", (inner,)):
            return _relation(tied, inner, holds=not holds)
        case Op(("==" | "!=") as name, (left, right)) if None not in (
            one := tied.place(left),
            two := tied.place(right),
        ):
            return _tie(one, two, ("equal", "different"), holds=holds == (name == "=="))
        case Op(name, (whole, piece)) if name in TIES:
            return _tie(tied.place(piece), tied.place(whole), TIES[name], holds=holds)
        case Op(("==" | "<" | "<=" | ">" | ">=") as name, (left, right)) if holds or name in CONTRARY:
            return _compare_lengths(name if holds else CONTRARY[name], _length(left, tied), _length(right, tied))
    return None


def _tie(first: int | None, second: int | None, ties: tuple[Tie, Tie], *, holds: bool) -> Relation | None:
    if first is None or second is None:
        return None
    return Relation(first, second, ties[0] if holds else ties[1])


def _length(node: Node, tied: TiedStrings) -> dict[int | None, int] | None:
    """Return a sum of lengths and numbers: how often each string's length counts, and under None the number."""
    match node:
        case Const(int(number)):
            return {None: number}
        case Op("length", (inner,)) if (place := tied.place(inner)) is not None:
            return {place: 1}
        case Op(("+" | "-") as name, (left, right)):
            one, two = _length(left, tied), _length(right, tied)
            return None if one is None or two is None else _add(one, two, 1 if name == "+" else -1)
    return None


def _add(one: dict[int | None, int], two: dict[int | None, int], times: int) -> dict[int | None, int]:
    return {key: one.get(key, 0) + times * two.get(key, 0) for key in {**one, **two}}


def _compare_lengths(
    name: str, left: dict[int | None, int] | None, right: dict[int | None, int] | None
) -> Relation | None:
    """Return a bound on how much longer one string is than another; nothing if it says something else."""
    if left is None or right is None:
        return None
    total = _add(left, right, -1)
    bound = -total.pop(None, 0)
    counted = {place: times for place, times in total.items() if times and place is not None}
    if sorted(counted.values()) != [-1, 1]:
        return None
    first, second = sorted(counted, key=lambda place: counted[place])  # second - first compared with the bound
    least = {"==": bound, ">=": bound, ">": bound + 1}.get(name)
    most = {"==": bound, "<=": bound, "<": bound - 1}.get(name)
    return Relation(first, second, Lengths(least, most))


# -- finding strings ----------------------------------------------------------------------------------------------


def _solutions(tied: TiedStrings, languages: Sequence[Automaton], start: int) -> Iterator[tuple[str, ...]]:
    return iter(Solutions(languages, tied.sizes, tied.relations, start=start))


def _fragment(tied: TiedStrings, texts: tuple[str, ...]) -> Fragment:
    return {unit.path: text for unit, text in zip(tied.units, texts, strict=True)}


def _all(tied: TiedStrings, seed: int) -> Iterator[Fragment]:
    try:
        for texts in _solutions(tied, tied.languages, seed):
            yield _fragment(tied, texts)
    except Undecided as reason:
        raise CutShort(Status(Ending.UNKNOWN, str(reason))) from None


def _one_for_each(tied: TiedStrings, facets: Sequence[Facet], *, free: bool, seed: int) -> Iterator[Fragment]:
    """Yield one solution for each combination of choices that has one; none twice, unless others are free to differ."""
    used: set[tuple[str, ...]] = set()
    again: list[Fragment] = []
    undecided: list[str] = []
    empty = 0
    for turn, choices in enumerate(_combinations([facet.count for facet in facets], seed)):
        languages = list(tied.languages)
        try:
            if empty >= EMPTY:
                raise TooLarge(f"{EMPTY:,} of them in a row have no strings, and there are more")
            for facet, choice in zip(facets, choices, strict=True):
                languages[facet.place] = languages[facet.place].intersect(facet.narrow(choice))
            found = _find_unused(tied, languages, used, seed + turn)
        except Undecided as reason:
            undecided.append(str(reason))
            if empty >= EMPTY:
                break
            continue
        empty = empty + 1 if found is None else 0
        if found is None or (found in used and not free):
            continue
        taken = zip(facets, choices, strict=True)
        numbers: Fragment = {facet.number: i for facet, i in taken if facet.number is not None}
        if found in used:
            again.append(_fragment(tied, found) | numbers)
        else:
            used.add(found)
            yield _fragment(tied, found) | numbers
    yield from again
    if undecided:
        raise CutShort(Status(Ending.UNKNOWN, f"{len(undecided)} combinations are undecided, as {undecided[0]}"))


def _combinations(counts: Sequence[int], seed: int) -> Iterator[tuple[int, ...]]:
    """Yield which choice each facet takes: spread over all combinations."""
    space = Product([Integers(0, count - 1) for count in counts])
    return map(space.at, spread_indices(space.count(), seed))


@functools.lru_cache(maxsize=4096)
def _within(branch: Branch, choice: int, *, deadline: Deadline) -> Automaton:
    return cover_for(branch).within(choice, deadline=deadline)


def _find_unused(
    tied: TiedStrings, languages: Sequence[Automaton], used: set[tuple[str, ...]], start: int
) -> tuple[str, ...] | None:
    """Return a solution, one that was not used if possible; nothing if there is proved to be none."""
    found = None
    for found in itertools.islice(_solutions(tied, languages, start), len(used) + 1):
        if found not in used:
            return found
    return found
