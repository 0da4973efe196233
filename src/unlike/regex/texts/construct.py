"""Plain texts for a tree, put together part by part.

A text made here is a candidate: back-references repeat what their group holds, but lookarounds and places
are not obeyed, so whoever asks for it checks it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from unlike.core import FOREVER, Deadline
from unlike.regex import chars
from unlike.regex.tree import Alternation, BackReference, Chars, Conditional, Group, Look, Node, Repeat, inner

TRIES = 60  # texts, ever more varied: the first is mostly enough
LONGEST = 20_000  # characters of one text
MOST_STEPS = 300_000  # of one text: a repetition of nothing costs steps, and no characters
MAX_WORK = 200_000  # characters of all texts that one asks for, or five times as many steps


def candidates(node: Node, tries: int = TRIES, deadline: Deadline = FOREVER) -> Iterator[str]:
    """Yield texts that the tree may match: the plainest first, then ever more varied ones."""
    work = MAX_WORK
    for salt in deadline.each(range(tries)):
        made = _TextMaker(salt)
        try:
            made.make(node)
        except _NoText:
            made.parts.clear()
        else:
            yield "".join(made.parts)
        work -= max(made.length + 10, made.steps // 5)
        if work < 0:
            return


class _NoText(Exception):  # noqa: N818 - a signal within this module
    """The way taken leads to no text."""


class _TextMaker:
    """Puts one text together; salt 0 takes the plain way, others go astray in a repeatable manner."""

    def __init__(self, salt: int) -> None:
        self.random = random.Random(salt) if salt else None
        self.more = 3 + salt // 20
        self.parts: list[str] = []
        self.length = self.steps = 0
        self.held: dict[int, str] = {}
        self.ordinal = 0
        self.kinds: dict[int, tuple[tuple[str, ...], chars.Ranges]] = {}  # by id: a set takes long to hash

    def add(self, text: str) -> None:
        self.parts.append(text)
        self.length += len(text)
        if self.length > LONGEST:
            raise _NoText

    def make(self, node: Node) -> None:
        self.steps += 1
        if self.steps > MOST_STEPS:
            raise _NoText
        match node:
            case Chars(ranges, _, _, literal):
                self.add(self.character(ranges, literal))
            case Alternation(branches):
                self.make(self.random.choice(branches) if self.random else branches[0])
            case Repeat():
                for _ in range(self.rounds(node)):
                    self.make(node.body)
            case Group(index, _, body):
                before = len(self.parts)
                self.make(body)
                self.held[index] = "".join(self.parts[before:])
            case BackReference(index):
                if index not in self.held:
                    raise _NoText
                self.add(self.held[index])
            case Conditional(group, yes, no):
                self.make(yes if group in self.held else no)
            case Look():
                pass
            case _:
                for part in inner(node):
                    self.make(part)

    def character(self, ranges: chars.Ranges, literal: str | None) -> str:
        if not ranges:
            raise _NoText
        if literal is not None and not (self.random and self.random.random() < 0.2):
            return literal
        self.ordinal += 1
        if id(ranges) not in self.kinds:
            self.kinds[id(ranges)] = chars.samples(ranges), chars.readable(ranges)[:3]
        samples, readable = self.kinds[id(ranges)]
        if not self.random:
            return samples[(self.ordinal - 1) % len(samples)]
        low, high = self.random.choice(readable)
        return chr(self.random.randint(low, min(high, low + 200)))

    def rounds(self, node: Repeat) -> int:
        if not self.random:
            return node.low
        most = node.low + self.more if node.high is None else min(node.high, node.low + self.more)
        return self.random.randint(node.low, most)
