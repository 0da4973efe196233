"""A text of its own for every choice that has one, and the reason for every other.

Two choices may show the same plain text. Then another text of the choice is looked for, and if all of them
are taken, the choices that hold them are moved, as in any matching of jobs to people. So a choice is given
up only when it is proved that its texts are too few.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from unlike.core import CutShort
from unlike.regex.automaton import TooLarge, Undecided
from unlike.regex.tree import Alternation, Chars, Concatenation, Empty, Group, Node, Repeat
from unlike.suite import Status

if TYPE_CHECKING:
    from unlike.regex.cover.cover import Cover

MAX_ALTERNATIVES = 200  # texts of one choice that are tried for one that no other choice has
MAX_ALTERNATIVES_TEXT = 20_000  # characters of these texts together
MAX_MOVES = 2_000  # changes of who has which text, over the whole cover
MAX_AUTOMATA = 500  # languages of single choices that are made to find further texts
MAX_POSITIONS = 200  # characters of a pattern whose followers are compared pair by pair


class Representative(NamedTuple):
    """A text, the choice it stands for in words, and the choice itself: its number among all choices."""

    text: str
    label: str
    choice: int


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A choice that gives no text of its own, and why."""

    choice: int
    label: str
    reason: str


@dataclass(slots=True)
class Settled:
    """What became of every choice."""

    found: list[Representative] = field(default_factory=list)
    impossible: list[LeftOut] = field(default_factory=list)
    same: list[LeftOut] = field(default_factory=list)
    undecided: list[LeftOut] = field(default_factory=list)
    cut: Status | None = None  # not every choice was looked at


def settle(cover: Cover, *, contextual: bool) -> Settled:
    """Return a text of its own for every choice that has one, in order, and what became of the others."""
    matching = _Matching(cover)
    settled = Settled()
    try:
        _settle_each(cover, matching, settled, contextual=contextual)
    except CutShort as cut:
        settled.cut = cut.status
    settled.found = [matching.held[index] for index in sorted(matching.held)]
    return settled


def _settle_each(cover: Cover, matching: _Matching, settled: Settled, *, contextual: bool) -> None:
    for index in range(cover.choices):
        made = cover.represent(index)
        text: str | None = made.text
        why = ""
        if contextual:
            text, why = cover.search(made.choice, made.text)
        elif not cover.accepts(made.text):
            open_ = made.text in cover.unchecked
            said = "no matcher comes to an answer on" if open_ else "Python does not accept"
            text, why = None, f"{said} {made.text[:40]!r}"
        if text is None:
            left_out = LeftOut(made.choice, made.label, why or "no text is derived by this choice")
            (settled.undecided if why else settled.impossible).append(left_out)
            continue
        outcome = matching.place(index, made, text)
        if outcome is not None:
            proved, reason = outcome
            left_out = LeftOut(made.choice, made.label, reason)
            (settled.same if proved else settled.undecided).append(left_out)


class _Matching:
    """Which choice holds which text."""

    def __init__(self, cover: Cover) -> None:
        self.cover = cover
        self.owner: dict[str, int] = {}
        self.held: dict[int, Representative] = {}
        self.others: dict[int, tuple[list[str], bool]] = {}
        self.moves = MAX_MOVES
        self.automata = MAX_AUTOMATA

    def place(self, index: int, made: Representative, text: str) -> tuple[bool, str] | None:
        """Give the choice a text of its own; or say whether it is proved that there is none, and why."""
        if text not in self.owner:
            self.take(index, made, text)
            return None
        before = self.held[self.owner[text]].label
        try:
            moved = self.move(index, made, {index})
        except Undecided as error:
            return False, f"shows the same text as {before!r}, and no other was found: {error}"
        if moved:
            return None
        return moved is False, f"derives only texts that stand for other choices already, as {before!r}"

    def take(self, index: int, made: Representative, text: str) -> None:
        self.owner[text] = index
        self.held[index] = made._replace(text=text)

    def move(self, index: int, made: Representative, seen: set[int]) -> bool | None:
        """Find a text for the choice, moving others where needed; None means that not all were looked at."""
        texts, complete = self.alternatives(index, made)
        for text in texts:
            if text not in self.owner:
                self.take(index, made, text)
                return True
        sure = complete
        for text in texts:
            other = self.owner[text]
            if other in seen or self.moves <= 0:
                continue
            seen.add(other)
            self.moves -= 1
            moved = self.move(other, self.held[other], seen)
            if moved:
                self.take(index, made, text)
                return True
            sure = sure and moved is False
        return False if sure and self.moves > 0 else None

    def alternatives(self, index: int, made: Representative) -> tuple[list[str], bool]:
        """Return texts of the choice, and whether these are all."""
        known = self.others.get(index)
        if known is not None and (known[1] or any(text not in self.owner for text in known[0])):
            return known
        if not self.automata:
            raise TooLarge("there are too many choices that show the same text")
        self.automata -= 1
        texts: list[str] = []
        complete = True
        doubts = self.cover.doubts
        for number, text in enumerate(self.cover.within(made.choice).texts_readily()):
            if number >= MAX_ALTERNATIVES or number * len(text) > MAX_ALTERNATIVES_TEXT:
                complete = False
                break
            if self.cover.good(made.choice, text):
                texts.append(text)
                if text not in self.owner:
                    complete = False  # there may be more, but this one will do
                    break
        complete = complete and self.cover.doubts == doubts  # a text without a verdict may be one more
        self.others[index] = (texts, complete)
        return texts, complete


# -- patterns of which every text has one derivation ----------------------------------------------------


class _Parts(NamedTuple):
    nullable: bool
    first: tuple[int, ...]
    last: tuple[int, ...]


class _Ambiguous(Exception):  # noqa: N818 - a signal within this module
    """Two derivations may give one text."""


def is_deterministic(root: Node) -> bool:
    """Say whether the next character always tells which way a derivation goes; False may also mean unknown.

    Then no text has two derivations, and a matcher that tries one way after the other is never far astray.
    """
    positions: list[Chars] = []
    follow: list[set[int]] = []
    try:
        parts = _parts(root, positions, follow)
        return not any(_overlap(positions, group) for group in [parts.first, *follow])
    except _Ambiguous:
        return False


def _parts(node: Node, positions: list[Chars], follow: list[set[int]]) -> _Parts:
    match node:
        case Empty():
            return _Parts(True, (), ())
        case Chars():
            positions.append(node)
            follow.append(set())
            if len(positions) > MAX_POSITIONS:
                raise _Ambiguous
            return _Parts(False, (len(positions) - 1,), (len(positions) - 1,))
        case Group(_, _, body):
            return _parts(body, positions, follow)
        case Concatenation(parts):
            whole = _Parts(True, (), ())
            for part in parts:
                each = _parts(part, positions, follow)
                for position in whole.last:
                    follow[position].update(each.first)
                whole = _Parts(
                    whole.nullable and each.nullable,
                    whole.first + each.first if whole.nullable else whole.first,
                    whole.last + each.last if each.nullable else each.last,
                )
            return whole
        case Alternation(branches):
            found = [_parts(branch, positions, follow) for branch in branches]
            if sum(each.nullable for each in found) > 1:
                raise _Ambiguous
            return _Parts(
                any(each.nullable for each in found),
                tuple(position for each in found for position in each.first),
                tuple(position for each in found for position in each.last),
            )
        case Repeat(body, low, high):
            inside = _parts(body, positions, follow)
            if inside.nullable:
                raise _Ambiguous
            if high != 1:
                for position in inside.last:
                    if not follow[position].isdisjoint(inside.first):
                        raise _Ambiguous  # the next round of this loop, or of one within it
                    follow[position].update(inside.first)
            return _Parts(low == 0, inside.first, inside.last)
    raise _Ambiguous


def _overlap(positions: list[Chars], group: Collection[int]) -> bool:
    spans = sorted(span for position in group for span in positions[position].ranges)
    return any(after[0] <= before[1] for before, after in itertools.pairwise(spans))
