"""Several strings, each from a language of its own, any two of which may be tied: found exactly.

One string is chosen after the other. What ties it to those chosen before is regular then, so the last one is found in
an automaton, whatever its language is. Ties that ask for a part narrow the languages of both before anything is
chosen; if one has nothing left, there is no solution.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from unlike.indexed import in_growing_turns
from unlike.regex.automaton import Automaton, TooLarge
from unlike.regex.couple import HOLDS, Lengths, Tie, wholes_of
from unlike.regex.language import Language
from unlike.regex.machine import MAX_STATES, Dfa

POSITIVE: dict[Tie, Tie] = {"different": "equal", "not prefix": "prefix", "not suffix": "suffix", "not part": "part"}
JOINING = 8  # strings that begin solutions before one of them begins a second
TRIES = 64  # texts in a row that a forbidding tie refuses before it becomes part of the automaton
DEAD_ENDS = 2_000  # in a row before the question stays open; each may cost some automata
ROUNDS = 3  # of narrowing; a further one hardly ever leaves less


@dataclass(frozen=True, slots=True)
class Relation:
    """What ties one string to another, both by their places: as "x is a prefix of y", or how much longer y is."""

    first: int
    second: int
    tie: Tie | Lengths


class Solutions:
    """The tuples of strings that stand in all relations, none twice; the end proves that no more exist."""

    def __init__(
        self,
        languages: Sequence[Automaton],
        sizes: Sequence[tuple[int, int]],
        relations: Sequence[Relation],
        *,
        start: int = 0,
        limit: int = DEAD_ENDS,
    ) -> None:
        self.languages = list(languages)
        self.sizes = sizes
        self.relations = relations
        self.start = start  # another number begins elsewhere in every language
        self.limit = limit
        self.missed = 0

    def __iter__(self) -> Iterator[tuple[str, ...]]:
        """Yield the solutions; `TooLarge` after too many dead ends in a row, which proves nothing."""
        self.languages = self._narrow()
        if not all(
            Language(*each).lengths for each in zip(self.languages, *zip(*self.sizes, strict=True), strict=True)
        ):
            return
        for found in self._below(()):
            self.missed = 0
            yield found

    def _narrow(self) -> list[Automaton]:
        """Return the languages without strings that lack a partner for one of their ties."""
        languages = list(self.languages)
        for _ in range(ROUNDS):
            before = list(languages)
            for each in self.relations:
                if isinstance(each.tie, Lengths) or each.tie in POSITIVE:
                    continue
                one, two = before[each.first], before[each.second]
                languages[each.second] = languages[each.second].intersect(wholes_of(one, each.tie))
                languages[each.first] = languages[each.first].intersect(parts_of(two, each.tie))
            if [len(one.moves) for one in languages] == [len(one.moves) for one in before]:
                break
        return languages

    def _below(self, chosen: tuple[str, ...], turn: int = 0) -> Iterator[tuple[str, ...]]:
        texts = self._texts(chosen, turn)
        if len(chosen) + 1 == len(self.languages):
            return ((*chosen, text) for text in texts)
        streams = (self._below((*chosen, text), number) for number, text in enumerate(texts))
        return in_growing_turns(streams, joining=JOINING)

    def _texts(self, chosen: tuple[str, ...], turn: int) -> Iterator[str]:
        """Yield the texts that may stand beside those chosen before."""
        place = len(chosen)
        language, (least, most) = self.languages[place], self.sizes[place]
        forbidding: list[tuple[Tie, str, bool]] = []
        for each in self.relations:
            if max(each.first, each.second) != place:
                continue
            other, is_whole = chosen[min(each.first, each.second)], each.second == place
            if isinstance(each.tie, Lengths):
                least, most = _sizes(each.tie, len(other), (least, most), is_whole=is_whole)
            elif each.tie in POSITIVE:
                forbidding.append((each.tie, other, is_whole))
            else:
                language = language.intersect(beside(each.tie, other, is_whole=is_whole))
        found = False
        if least <= most and not language.is_empty():
            for text in self._skip_forbidden(language, (least, most), forbidding, turn):
                found = True
                yield text
        if not found:
            self._miss()

    def _skip_forbidden(
        self, language: Automaton, sizes: tuple[int, int], forbidding: list[tuple[Tie, str, bool]], turn: int
    ) -> Iterator[str]:
        """Yield the texts that nothing forbids: tried one by one, and from an automaton once too many are refused."""
        tests = [_test(*each) for each in forbidding]
        start = self.start + turn
        seen: set[str] = set()
        refused = 0
        for text in Language(language, *sizes).spread_texts(start):
            if all(test(text) for test in tests):
                refused = 0
                seen.add(text)
                yield text
            elif (refused := refused + 1) >= TRIES:
                break
        else:
            return
        for tie, other, is_whole in forbidding:
            language = language.difference(beside(POSITIVE[tie], other, is_whole=is_whole))
        yield from (text for text in Language(language, *sizes).spread_texts(start) if text not in seen)

    def _miss(self) -> None:
        self.missed += 1
        if self.missed >= self.limit:
            raise TooLarge(f"{self.limit:,} strings in a row have no partner, and there are more")


def _test(tie: Tie, other: str, is_whole: bool) -> Callable[[str], bool]:
    holds = HOLDS[tie]
    return (lambda text: holds(other, text)) if is_whole else (lambda text: holds(text, other))


def _sizes(lengths: Lengths, other: int, sizes: tuple[int, int], *, is_whole: bool) -> tuple[int, int]:
    """Return the lengths of a text beside one of a known length."""
    low, high = (lengths.least, lengths.most) if is_whole else (_minus(lengths.most), _minus(lengths.least))
    return (
        sizes[0] if low is None else max(sizes[0], other + low),
        sizes[1] if high is None else min(sizes[1], other + high),
    )


def _minus(number: int | None) -> int | None:
    return None if number is None else -number


# -- languages beside a text, or beside a language ----------------------------------------------------------------


@functools.lru_cache(maxsize=4096)
def beside(tie: Tie, text: str, *, is_whole: bool) -> Automaton:
    """Return the wholes of which the text is such a part; or, unless they are wholes, such parts of the text."""
    exactly = Automaton.of_text(text)
    return wholes_of(exactly, tie) if is_whole else parts_of(exactly, tie)


@functools.lru_cache(maxsize=256)
def parts_of(language: Automaton, tie: Tie) -> Automaton:
    """Return the texts that stand in the given place of a text of the language."""
    if tie == "equal" or language.is_empty():
        return language
    moves = language.moves
    start = frozenset([0]) if tie == "prefix" else frozenset(range(len(moves)))
    numbers, order, rows = {start: 0}, [start], list[tuple[int, ...]]()
    for states in language.deadline.each(
        order
    ):  # grows while we walk: all places in the whole where the part may have come to
        row: list[int] = []
        for letter in range(len(language.letters)):
            target = frozenset(moves[state][letter] for state in states) - {-1}
            if target and target not in numbers:
                if len(order) >= MAX_STATES:
                    raise TooLarge(f"the parts of a language have more than {MAX_STATES:,} states")
                numbers[target] = len(order)
                order.append(target)
            row.append(numbers[target] if target else -1)
        rows.append(tuple(row))
    ends = [tie != "suffix" or any(language.accepting[state] for state in states) for states in order]
    return Automaton(Dfa(language.letters, tuple(rows), tuple(ends)), language.deadline)
