"""One readable string per choice of a pattern.

A choice is a combination of branches, or one repetition at a further length. Choices are counted and made
by index. Where a pattern asks for more than its pieces put together (places, lookarounds, references), or
where two choices may show the same text, every choice is settled first: found, impossible, or undecided.
"""

from __future__ import annotations

import bisect
import functools
import itertools
import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from unlike.core import FOREVER, Deadline
from unlike.indexed import spread_indices
from unlike.regex import match
from unlike.regex.atomic import loosen
from unlike.regex.automaton import Automaton, NotRegular, TooLarge, Undecided
from unlike.regex.cover.builder import DEFAULT, IN_WORDS, ChoiceBuilder, Heuristics, Length
from unlike.regex.cover.choices import All, Choices, Repeated, power
from unlike.regex.cover.distinct_texts import Representative, Settled, is_deterministic, settle
from unlike.regex.cover.restrict import Combination, Derivation, Longer, lengths_of, repeats_of, restrict_tree
from unlike.regex.rounds import least_steps
from unlike.regex.texts.backtracking_bound import harmless
from unlike.regex.texts.construct import candidates
from unlike.regex.tree import (
    Alternation,
    Chars,
    Conditional,
    Look,
    Node,
    Pattern,
    Repeat,
    contextual,
    every,
    inner,
    parse,
)

MAX_SETTLED = 20_000  # choices whose texts are compared with each other before any is given
MAX_SETTLED_CONTEXTUAL = 2_000  # the same where each text has to be matched, which takes ten times as long
MAX_SETTLED_TEXT = 50_000_000  # characters of all of them: they are kept
SMALL = 256  # choices that are all shown to see whether their texts differ
MAX_TEXT = 2_000_000  # characters of one text
SETTLE_WORK = 200_000  # states of automata for all choices together
MAX_TRIED = 300  # texts of a larger language that are tried for one choice
STATES_PER_CHOICE = 2_000  # of one automaton: there is one for each choice
MOST_PARTS = 100_000  # of a tree that an automaton is made of: one of this size has more states than that in any case
MAX_UNCHECKED = 2  # texts without an answer after which none that might take as long is looked at


@dataclass(frozen=True, slots=True)
class _Item:
    """One repetition at one further length, in plain surroundings."""

    which: int
    space: Repeated
    length: tuple[Length, int, int | None, int]
    before: str
    after: str
    count: int


class Cover:
    """The representatives of a pattern under the heuristics, counted and reached by index."""

    def __init__(
        self, pattern: Pattern | str, heuristics: Heuristics = DEFAULT, *, flags: int = 0, deadline: Deadline = FOREVER
    ) -> None:
        self.deadline = deadline
        self.pattern = parse(pattern, flags) if isinstance(pattern, str) else pattern
        self.heuristics = heuristics
        self.too_long: list[str] = []
        self.unanswered: dict[str, None] = {}  # texts that only the independent matcher accepted: Python said nothing
        self.unchecked: dict[str, None] = {}  # texts of which not even that came to an answer: they count as refused
        self.doubts = 0  # how often a text counted as refused only because there was no answer: nothing is proved then
        least = self.shortest = _shortest(self.pattern.root)
        self.steps = least_steps(self.pattern.root)
        self.longest_steps = least_steps(self.pattern.root, max)
        if least > MAX_TEXT:
            raise TooLarge(f"the shortest text has {least:,} characters; the most that is made is {MAX_TEXT:,}")
        if self.steps > MAX_TEXT:
            raise TooLarge(f"the shortest way has {self.steps:,} rounds; the most that is made is {MAX_TEXT:,}")
        builder = ChoiceBuilder(heuristics, MAX_TEXT)
        self.root = builder.build(self.pattern.root)
        self.too_long += [space.name for space in builder.too_long]
        self.groups = builder.groups
        self._repeats = builder.repeats
        self._items = self._list_longer(builder.repeats) if builder.repeats else []
        self._ends = list(itertools.accumulate([self.root.count, *(item.count for item in self._items)]))
        self._combinations = self._ends[0]
        self.is_contextual = contextual(self.pattern.root)
        self._work = SETTLE_WORK

    # -- choices ---------------------------------------------------------------------------------------

    @property
    def combinations(self) -> int:
        """How many of the choices are of branches; those after them are of repetitions at further lengths."""
        return self._combinations

    @property
    def choices(self) -> int:
        """How many choices the pattern offers, whether or not each has a text of its own."""
        return self._ends[-1]

    @property
    def complete(self) -> bool:
        """Whether every choice is known to have a text or to have none, and no upper bound was left out."""
        return (
            self.is_counted
            and not self.too_long
            and not (self.is_settled and self.settled.cut)
            and not (self.settled.undecided if self.is_settled else self.unchecked)
        )

    def derivation(self, choice: int) -> Derivation:
        """Return what a choice fixes: one branch at every union, or one repetition at a further length."""
        if choice < self._combinations:
            return Combination(self.root.key(choice))
        which = bisect.bisect_right(self._ends, choice) - 1
        item = self._items[which]
        name, low, high, rounds = item.length
        if item.space.vary:  # each round is chosen, so their number is
            low = high = rounds
        return Longer(item.which, name, low, high, item.space.key_of_rounds(choice - self._ends[which], rounds))

    def longer_rounds(self, choice: int) -> tuple[Repeated, tuple[int, int | None], int]:
        """Return the repetition that a choice lengthens, its least and most rounds, and what is chosen in them."""
        which = bisect.bisect_right(self._ends, choice) - 1
        item = self._items[which]
        _, low, high, rounds = item.length
        return item.space, (rounds, rounds) if item.space.vary else (low, high), choice - self._ends[which]

    def represent(self, choice: int) -> Representative:
        """Return the plain text of the choice, not yet checked."""
        if choice < self._combinations:
            text, label = self.root.show(choice)
            return Representative(text, label or "shortest", choice)
        which = bisect.bisect_right(self._ends, choice) - 1
        item = self._items[which]
        text, label = item.space.show_rounds(choice - self._ends[which], item.length[3])
        name = f"{self._names[item.which]} {IN_WORDS[item.length[0]]}"
        return Representative(item.before + text + item.after, f"{name} with {label}" if label else name, choice)

    def _list_longer(self, repeats: list[Repeated]) -> list[_Item]:
        items: list[_Item] = []
        order = repeats_of(self.pattern.root)
        assert len(order) == len(repeats)
        contexts: dict[int, tuple[str, str]] = {}
        _contexts(self.root, "", "", contexts)
        for which, space in enumerate(repeats):
            around = contexts.get(id(space))
            if around is None or not space.body.count:
                continue
            for length in lengths_of(order[which], self.heuristics):
                long = len(around[0]) + len(around[1]) + length[3] * max(1, least_steps(space.body.node))
                if long > (self.heuristics.longest if length[0] == "upper" else MAX_TEXT):
                    self.too_long.append(f"{space.name} {IN_WORDS[length[0]]}")
                    continue
                count = power(space.body.count, length[3] if space.vary else 1)
                items.append(_Item(which, space, length, *around, count))
        return items

    @functools.cached_property
    def _names(self) -> list[str]:
        """The repetitions in words, numbered where several look alike."""
        names = [space.name for space in self._repeats]
        return [
            name if names.count(name) == 1 else f"{name} #{names[: which + 1].count(name)}"
            for which, name in enumerate(names)
        ]

    # -- representatives -------------------------------------------------------------------------------

    @functools.cached_property
    def is_settled(self) -> bool:
        """Whether the choices must be, and can be, settled before they are counted."""
        if self.choices * self.shortest > MAX_SETTLED_TEXT:
            return False
        if self.is_contextual:
            return self.choices <= MAX_SETTLED_CONTEXTUAL
        return self.choices <= MAX_SETTLED and not self.is_plainly_distinct

    @property
    def is_counted(self) -> bool:
        """Whether `count` is the number of representatives; otherwise it is that of choices, an upper bound."""
        return self.is_settled or (not self.is_contextual and self.is_plainly_distinct)

    @functools.cached_property
    def is_plainly_distinct(self) -> bool:
        """Whether no two choices show the same text, as far as can be told without settling."""
        if self.is_contextual:
            return False
        if is_deterministic(self.pattern.root):
            return True
        if self.choices > SMALL:
            return False
        return len(set(self._texts())) == self.choices

    def plainest(self, most: int) -> Iterator[str]:
        """Return the plain texts of the first choices, as they are spelt: whether each matches is not asked."""
        return itertools.islice(self._texts(), most)

    def _texts(self) -> Iterator[str]:
        """Yield the plain text of every choice, without the labels, which take longer."""
        yield from self.root.texts()
        for item in self._items:
            for index in range(item.count):
                yield item.before + item.space.show_rounds(index, item.length[3])[0] + item.after

    @functools.cached_property
    def settled(self) -> Settled:
        """What became of every choice: found, impossible, the same as another, or undecided."""
        return settle(self, contextual=self.is_contextual)

    def count(self) -> int:
        """Return how many representatives there are."""
        if self.is_settled:
            return len(self.settled.found)
        if self.is_contextual and self._whole is not None and self._whole.is_empty():
            return 0
        return self.choices

    def at(self, index: int) -> Representative:
        """Return the representative at the index; every text has passed `re.fullmatch`."""
        if not 0 <= index < self.count():
            raise IndexError(f"representative {index} of {self.count()}")
        if self.is_settled:
            return self.settled.found[index]
        found = self.find(index)
        if found is None:
            raise TooLarge(f"choice {index} of {self.pattern.text!r} has no text, and there are too many to settle all")
        return found

    def find(self, index: int) -> Representative | None:
        """Return a representative of the choice at the index among all choices, or None if none was found."""
        made = self.represent(index)
        if not self.is_contextual:
            return made if self._accepts_quickly(made.text) or self.accepts(made.text) else None
        text, _ = self.search(made.choice, made.text)
        return None if text is None else made._replace(text=text)

    @functools.cached_property
    def _longest_harmless(self) -> int:
        return harmless(self.pattern)

    def _accepts_quickly(self, text: str) -> bool:
        """Say whether the pattern matches a text that Python matches at once; of others nothing is said."""
        return len(text) <= self._longest_harmless and self.pattern.compiled.fullmatch(text) is not None

    def shows(self, choice: int, text: str) -> bool:
        """Say whether a text that was spelt for the choice is one of its own; lookarounds and places may forbid it."""
        return self.good(choice, text) if self.is_contextual else self.accepts(text)

    def first(self, n: int | None = None, *, seed: int = 0) -> Iterator[Representative]:
        """Yield up to n representatives, no text twice: all in order, or n spread over the whole cover.

        The plainest comes first; another seed spreads the others otherwise.
        """
        count = self.count()
        order: Iterable[int] = range(count) if n is None or n >= count else _spread_indices(count, seed)
        if self.is_settled:
            for index in itertools.islice(order, n):
                yield self.settled.found[index]
            return
        if not self.is_contextual and self.is_plainly_distinct:
            for index in self.deadline.each(itertools.islice(order, n)):
                each = self.find(index)
                if each is not None:
                    yield each
            return
        seen: set[str] = set()
        for index in order:
            if n is not None and len(seen) >= n:
                return
            found = self.find(index)
            if found is not None and found.text not in seen:
                seen.add(found.text)
                yield found

    def within(self, choice: int, *, deadline: Deadline = FOREVER) -> Automaton:
        """Return the exact language of one choice: what it fixes is fixed, everything else is free."""
        if not self.pattern.exact:
            raise NotRegular(self.pattern.reason)
        return Automaton.of(self.tree(choice), deadline=deadline.sooner(self.deadline))

    def tree(self, choice: int) -> Node:
        """Return the exact language of one choice as a tree."""
        return restrict_tree(self.pattern.root, self.derivation(choice), self.heuristics)

    def labels_of(self, text: str) -> list[str]:
        """Return the labels of the choices that derive the text, asked of the independent matcher."""
        return [self.represent(choice).label for choice in range(self.choices) if self.derives(choice, text)]

    def accepts(self, text: str) -> bool:
        """Say whether the pattern matches the text, asked of Python (see `match.accepts`)."""
        self.deadline.check()
        try:
            hopeless = text in self.unchecked or (
                len(self.unchecked) >= MAX_UNCHECKED and len(text) > harmless(self.pattern)
            )
            accepted, by_python = (False, False) if hopeless else match.judge(self.pattern, text, self.deadline)
        except Undecided:
            hopeless = True
        if hopeless:
            self.unchecked[text] = None
            self.doubts += 1
            return False
        if accepted and not by_python:
            self.unanswered[text] = None
        return accepted

    def derives(self, choice: int, text: str) -> bool:
        """Say whether the choice derives the text, asked of the independent matcher."""
        derivation = self.derivation(choice)
        return match.derives(self.pattern, derivation, text, heuristics=self.heuristics, deadline=self.deadline)

    def search(self, choice: int, text: str) -> tuple[str | None, str]:
        """Return a text of the choice and "", or None and the reason: proved impossible, or undecided."""
        doubts = self.doubts
        if self.good(choice, text):
            return text, ""
        if self._whole is not None and self._whole.is_empty():
            return None, ""
        tree = self.tree(choice)
        why = self.pattern.reason
        if self.pattern.exact and self._work > 0:
            try:
                language = Automaton.of(tree, max_states=STATES_PER_CHOICE, deadline=self.deadline)
                self._work -= len(language.moves) * len(language.letters) + 300
                shortest = language.shortest()
            except Undecided as error:
                why = str(error)
                self._work -= STATES_PER_CHOICE * 10
            else:
                if shortest is None:
                    return None, ""
                if self.good(choice, shortest):
                    return shortest, ""
                why = f"Python and the automaton disagree on {shortest[:40]!r}"
        elif not self.pattern.exact:
            found, proved = self._larger(choice, tree)
            if found is not None or proved:
                return found, ""
        why = why or "there are too many choices to look at each of them"
        for candidate in candidates(tree, deadline=self.deadline):
            if self.good(choice, candidate):
                return candidate, ""
        return None, why if self.doubts == doubts else "no matcher comes to an answer on one of its texts"

    def _larger(self, choice: int, tree: Node) -> tuple[str | None, bool]:
        """Look for a text in a larger language that automata can decide; say whether all of it was seen and judged."""
        doubts, loose = self.doubts, loosen(tree)
        if sum(1 for _ in itertools.islice(every(loose), MOST_PARTS)) == MOST_PARTS:
            return None, False
        try:
            texts = Automaton.of(loose, max_states=STATES_PER_CHOICE, deadline=self.deadline).texts()
        except Undecided:
            return None, False
        for text in itertools.islice(texts, MAX_TRIED):
            if self.good(choice, text):
                return text, True
        return None, next(texts, None) is None and self.doubts == doubts

    @functools.cached_property
    def _whole(self) -> Automaton | None:
        """The language of the whole pattern, if it can be had at little cost."""
        try:
            return Automaton.of(self.pattern, max_states=STATES_PER_CHOICE, deadline=self.deadline)
        except Undecided:
            return None

    def good(self, choice: int, text: str) -> bool:
        """Say whether both Python and the independent matcher let the choice derive the text."""
        try:
            return self.accepts(text) and self.derives(choice, text)
        except Undecided:  # too many steps to tell the choice
            self.doubts += 1
            return False


def _spread_indices(count: int, seed: int) -> Iterator[int]:
    if seed == 0:
        return spread_indices(count)
    shift = random.Random(seed).randrange(count - 1)
    return itertools.chain([0], (1 + (index + shift) % (count - 1) for index in spread_indices(count - 1)))


def _shortest(node: Node) -> int:
    """Return the length of the shortest text, looking at the pieces alone."""
    match node:
        case Chars():
            return 1
        case Alternation() | Conditional():
            return min(map(_shortest, inner(node)))
        case Repeat(body, low):
            return low * _shortest(body) if low else 0
        case Look():
            return 0
        case _:
            return sum(map(_shortest, inner(node)))


def _contexts(space: Choices, before: str, after: str, found: dict[int, tuple[str, str]]) -> None:
    """Note the plain text before and after every repetition, taking the ways that lead to it."""
    match space:
        case Repeated(node=Repeat(low=low)):
            found[id(space)] = (before, after)
            if space.body.count:
                _contexts(space.body, before, space.filling(0, max(low, 1)) + after, found)
        case All(parts=parts):
            if not all(part.count for part in parts):
                return
            texts = [part.show(0)[0] for part in parts]
            for place, part in enumerate(parts):
                if part.parts:
                    _contexts(part, before + "".join(texts[:place]), "".join(texts[place + 1 :]) + after, found)
        case _:
            for below in space.parts:
                _contexts(below, before, after, found)
