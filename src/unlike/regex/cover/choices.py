"""The choices a pattern offers, as counted spaces.

Every node of the tree becomes a space of its choices. A member is a key (what was chosen), a plain text that
shows it, and a label in words. Unions and optionals add, concatenations multiply.
"""

from __future__ import annotations

import bisect
import itertools
import math
from collections.abc import Hashable, Sequence
from typing import NamedTuple, TypeAlias

from unlike.regex import chars
from unlike.regex.chars import Ranges
from unlike.regex.cover.arrays import pair_rows
from unlike.regex.cover.heuristics import Heuristics
from unlike.regex.cover.written import written
from unlike.regex.tree import (
    Alternation,
    Atomic,
    Chars,
    Concatenation,
    Conditional,
    Group,
    Node,
    Repeat,
)

Key: TypeAlias = Hashable
REMEMBERED = 512
RUN = 300


class Taken(NamedTuple):
    """One member: what was chosen, a text that shows it, and the choice in words."""

    key: Key
    text: str
    label: str


class Choices:
    """The choices of one node: `count` of them, each made by `take`."""

    __slots__ = ("count", "node")

    def __init__(self, node: Node, count: int) -> None:
        self.node = node
        self.count = count

    def take(self, index: int, salt: int = 0) -> Taken:
        """Return the choice at the index; the salt varies the text, not the choice."""
        raise NotImplementedError

    def below(self) -> Sequence[Choices]:
        """Return the spaces this one is made of."""
        return ()


class Fixed(Choices):
    """A node that offers nothing to choose and adds no text: a place, a lookaround, a back-reference."""

    __slots__ = ()

    def __init__(self, node: Node) -> None:
        super().__init__(node, 1)

    def take(self, index: int, salt: int = 0) -> Taken:
        """Return the only choice."""
        del index, salt
        return Taken(0, "", "")


class Literal(Choices):
    """A character that is written out."""

    __slots__ = ("taken",)

    def __init__(self, node: Chars, literal: str) -> None:
        super().__init__(node, 1)
        self.taken = Taken(0, literal, "")

    def take(self, index: int, salt: int = 0) -> Taken:
        """Return the only choice."""
        del index, salt
        return self.taken


class Class(Choices):
    """A class of which each piece is a choice."""

    __slots__ = ("labels", "ordinal", "rows", "samples")

    def __init__(self, node: Chars, sets: Sequence[tuple[str, Ranges]], ordinal: int) -> None:
        super().__init__(node, len(sets))
        self.labels = [label if len(sets) > 1 else "" for label, _ in sets]
        self.samples = [chars.samples(ranges) for _, ranges in sets]
        self.ordinal = ordinal
        self.rows: dict[int, list[Taken]] = {}

    def take(self, index: int, salt: int = 0) -> Taken:
        """Return the piece at the index."""
        row = self.rows.get(salt)
        if row is None:
            if len(self.rows) > REMEMBERED:
                self.rows.clear()
            row = self.rows[salt] = [
                Taken(index, samples[(self.ordinal + salt) % len(samples)], label)
                for index, (samples, label) in enumerate(zip(self.samples, self.labels, strict=True))
            ]
        return row[index]


class Characters(Choices):
    """A class of which each character is a choice."""

    __slots__ = ("ranges",)

    def __init__(self, node: Chars) -> None:
        super().__init__(node, chars.size(node.ranges))
        self.ranges = node.ranges

    def take(self, index: int, salt: int = 0) -> Taken:
        """Return the character at the index, readable ones first."""
        del salt
        char = chars.nth(self.ranges, index)
        return Taken(index, char, chars.shown_character(char) if self.count > 1 else "")


class Either(Choices):
    """One of several branches."""

    __slots__ = ("branches", "ends", "names")

    def __init__(self, node: Node, branches: Sequence[Choices]) -> None:
        super().__init__(node, sum(branch.count for branch in branches))
        self.branches = branches
        self.ends = list(itertools.accumulate(branch.count for branch in branches))
        self.names = [written(branch.node) or "nothing" for branch in branches]

    def below(self) -> Sequence[Choices]:
        """Return the branches."""
        return self.branches

    def take(self, index: int, salt: int = 0) -> Taken:
        """Return a choice of one branch."""
        which = bisect.bisect_right(self.ends, index)
        before = self.ends[which - 1] if which else 0
        key, text, label = self.branches[which].take(index - before, salt)
        name = self.names[which]
        return Taken((which, key), text, f"{name} with {label}" if label else name)


class All(Choices):
    """One choice of each part, all combinations."""

    __slots__ = ("counts", "known", "parts", "turning")

    def __init__(self, node: Node, parts: Sequence[Choices], count: int | None = None) -> None:
        super().__init__(node, math.prod(part.count for part in parts) if count is None else count)
        self.parts = parts
        self.counts = [part.count for part in parts]
        self.turning = [place for place in reversed(range(len(parts))) if parts[place].count > 1]
        self.known: dict[tuple[int, int], Taken] = {}

    def below(self) -> Sequence[Choices]:
        """Return the parts."""
        return self.parts

    def digits(self, index: int) -> list[int]:
        """Return which choice each part makes, the last part varying fastest."""
        found = [0] * len(self.counts)
        for place in self.turning:
            index, found[place] = divmod(index, self.counts[place])
        return found

    def take(self, index: int, salt: int = 0) -> Taken:
        """Return one choice of each part."""
        if self.count > REMEMBERED:
            return self.join(index, salt)
        known = self.known.get((index, salt))
        if known is None:
            if len(self.known) > REMEMBERED:
                self.known.clear()
            known = self.known[index, salt] = self.join(index, salt)
        return known

    def join(self, index: int, salt: int) -> Taken:
        """Put the choices of the parts together."""
        keys, texts, labels = list[Key](), list[str](), list[str]()
        for part, digit in zip(self.parts, self.digits(index), strict=True):
            key, text, label = part.take(digit, salt)
            keys.append(key)
            texts.append(text)
            if label:
                labels.append(label)
        return Taken(tuple(keys), "".join(texts), ", ".join(labels))


class EachOnce(All):
    """Every choice of each part at least once, side by side."""

    __slots__ = ()

    def __init__(self, node: Node, parts: Sequence[Choices]) -> None:
        counts = [part.count for part in parts]
        super().__init__(node, parts, max(counts, default=1) if all(counts) else 0)

    def digits(self, index: int) -> list[int]:
        """Return which choice each part makes."""
        return [index % count for count in self.counts]


class Pairs(All):
    """Every pair of choices of two parts at least once."""

    __slots__ = ("table",)

    def __init__(self, node: Node, parts: Sequence[Choices]) -> None:
        counts = [part.count for part in parts]
        self.table = pair_rows(counts) if all(counts) else []
        super().__init__(node, parts, len(self.table))

    def digits(self, index: int) -> list[int]:
        """Return which choice each part makes."""
        return self.table[index]


class Optional(Choices):
    """Absent, or any choice of the body."""

    __slots__ = ("body", "name", "wrap")

    def __init__(self, node: Repeat, body: Choices) -> None:
        super().__init__(node, 1 + body.count)
        self.body = body
        # a union says by its own label which branch is there
        self.name = written(body.node)
        self.wrap = not isinstance(body, Either)

    def below(self) -> Sequence[Choices]:
        """Return the body."""
        return (self.body,)

    def take(self, index: int, salt: int = 0) -> Taken:
        """Return absence first, then the choices of the body."""
        if index == 0:
            return Taken((), "", f"no {self.name}")
        key, text, label = self.body.take(index - 1, salt)
        return Taken((key,), text, f"{self.name} with {label}" if label and self.wrap else label or self.name)


class Repeated(Choices):
    """A repetition at its shortest length; the choices are those of its rounds."""

    __slots__ = ("body", "name", "run", "step", "tables", "vary")

    def __init__(self, node: Repeat, body: Choices, *, vary: bool) -> None:
        rounds = node.low if vary else min(node.low, 1)
        super().__init__(node, body.count**rounds)
        self.body = body
        self.vary = vary
        self.run = max(1, int(math.log(RUN, max(2, body.count)) + 1e-9))
        self.step = body.count**self.run
        self.tables: dict[tuple[int, int], dict[int, tuple[tuple[Key, ...], str, str]]] = {}
        self.name = written(node)

    def below(self) -> Sequence[Choices]:
        """Return the body."""
        return (self.body,)

    def take(self, index: int, salt: int = 0) -> Taken:
        """Return the choice of the rounds at the shortest length."""
        assert isinstance(self.node, Repeat)
        return self.rounds(index, self.node.low, salt)

    def rounds(self, index: int, rounds: int, salt: int = 0) -> Taken:
        """Return the choice at the index for so many rounds."""
        body = self.body
        if rounds == 0:
            return Taken((), "", "")
        if not self.vary:
            first = body.take(index, salt)
            return Taken((first.key,), first.text + self.filling(index, rounds, salt), first.label)
        return self.varied(index, rounds, salt)

    def varied(self, index: int, rounds: int, salt: int) -> Taken:
        """Return the choice at the index where every round varies; short runs of rounds come from tables."""
        run, step = self.run, self.step
        whole, rest = divmod(rounds, run)
        place = salt + rounds
        parts: list[tuple[tuple[Key, ...], str, str]] = []
        for _ in range(whole):
            place -= run
            index, digit = divmod(index, step)
            table = self.tables.get((place, run))
            parts.append(table[digit] if table and digit in table else self.runs(place, run, digit))
        if rest:
            parts.append(self.runs(salt, rest, index))
        if len(parts) == 1:
            return Taken(*parts[0])
        parts.reverse()
        keys, texts, labels = zip(*parts, strict=True)
        return Taken(tuple(itertools.chain(*keys)), "".join(texts), " ".join(filter(None, labels)))

    def runs(self, salt: int, width: int, digit: int) -> tuple[tuple[Key, ...], str, str]:
        """Return the choice of a few rounds in a row."""
        body = self.body
        if width == 1:
            key, text, label = body.take(digit, salt)
            return (key,), text, label
        table = self.tables.get((salt, width))
        if table is None:
            if len(self.tables) > REMEMBERED:
                self.tables.clear()
            table = self.tables[salt, width] = {}
        found = table.get(digit)
        if found is None:
            high, low = divmod(digit, body.count)
            before, text, label = self.runs(salt, width - 1, high)
            key, last, name = body.take(low, salt + width - 1)
            found = table[digit] = ((*before, key), text + last, f"{label} {name}" if label and name else label or name)
        return found

    def filling(self, first: int, rounds: int, salt: int = 0) -> str:
        """Return the text of the rounds after the first, which are free: they go through the choices of the body."""
        if rounds <= 1:
            return ""
        body = self.body
        period = max(26, min(body.count, 64))
        some = [body.take((first + place) % body.count, salt + place).text for place in range(1, min(rounds, period))]
        text = "".join(some)
        if rounds > period:
            many = [body.take((first + place) % body.count, salt + place).text for place in range(period)]
            whole, rest = divmod(rounds - period, period)
            text += "".join(many) * whole + "".join(many[:rest])
        return text


class Counted(Repeated):
    """A repetition of which every number of rounds is a choice, and each round varies."""

    __slots__ = ("ends", "lows")

    def __init__(self, node: Repeat, body: Choices, most: int) -> None:
        super().__init__(node, body, vary=True)
        most = max(node.low, most) if node.high is None else min(node.high, max(node.low, most))
        self.lows = list(range(node.low, most + 1))
        self.ends = list(itertools.accumulate(body.count**rounds for rounds in self.lows))
        self.count = self.ends[-1]

    def take(self, index: int, salt: int = 0) -> Taken:
        """Return fewer rounds first."""
        which = bisect.bisect_right(self.ends, index)
        before = self.ends[which - 1] if which else 0
        rounds = self.lows[which]
        key, text, label = self.rounds(index - before, rounds, salt)
        return Taken((rounds, key), text, label or f"{self.name} ×{rounds}")


class Builder:
    """Turns a tree into its choices under the heuristics, and remembers the repetitions on the way."""

    def __init__(self, heuristics: Heuristics) -> None:
        self.heuristics = heuristics
        self.repeats: list[Repeated] = []
        self.ordinals: dict[str, int] = {}

    def build(self, node: Node) -> Choices:
        """Return the choices of the node."""
        match node:
            case Chars(_, _, _, literal):
                return self.characters(node) if literal is None else Literal(node, literal)
            case Group(_, _, body) | Atomic(body):
                return self.build(body)
            case Alternation(branches):
                return Either(node, [self.build(branch) for branch in branches])
            case Conditional(_, yes, no):
                return Either(node, [self.build(yes), self.build(no)])
            case Concatenation(parts):
                return self.together(node, [self.build(part) for part in parts])
            case Repeat(body, 0, 1):
                return Optional(node, self.build(body))
            case Repeat(body):
                return self.repeat(node, self.build(body))
            case _:
                return Fixed(node)

    def characters(self, node: Chars) -> Choices:
        """Return the choices of a class."""
        if self.heuristics.classes == "characters":
            return Characters(node)
        sets = [(piece.written, piece.ranges) for piece in node.pieces]
        if self.heuristics.classes == "one":
            sets = [(node.written, node.ranges)] if node.ranges else []
        # every further class of letters shows the next letter, so that a name reads Aa Bb Cc
        kind = chars.samples(sets[0][1])[0] if sets else ""
        ordinal = self.ordinals[kind] = self.ordinals.get(kind, -1) + 1
        return Class(node, sets, ordinal)

    def together(self, node: Node, parts: list[Choices]) -> Choices:
        """Return the choices of parts in a row."""
        match self.heuristics.combine:
            case "all":
                return All(node, parts)
            case "each":
                return EachOnce(node, parts)
            case "pairs":
                return Pairs(node, parts)

    def repeat(self, node: Repeat, body: Choices) -> Choices:
        """Return the choices of a repetition."""
        if self.heuristics.concatenation:
            return Counted(node, body, self.heuristics.most)
        made = Repeated(node, body, vary=self.heuristics.positions == "each")
        self.repeats.append(made)
        return made
