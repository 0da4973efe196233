"""The choices a pattern offers, as counted spaces.

Every node of the tree becomes a space of its choices. A member is a key (what was chosen), a plain text that
shows it, and a label in words. Unions and optionals add, concatenations multiply.
"""

from __future__ import annotations

import bisect
import functools
import itertools
import math
from collections.abc import Hashable, Sequence
from typing import TypeAlias

from unlike.covering_arrays import pair_columns
from unlike.errors import ScopeError
from unlike.regex import chars
from unlike.regex.chars import Ranges
from unlike.regex.machine import TooLarge
from unlike.regex.texts.labels import show_spaces, write_node
from unlike.regex.tree import Chars, Node, Repeat

Key: TypeAlias = Hashable
REMEMBERED = 4_096  # texts in one table, which is emptied then: memory stays within some megabytes
RUN = 64  # combinations of parts in a row that are kept as one text: more are seldom asked for again
MOST_BITS = 100_000  # of a number of choices: it has 30,000 digits
TABLE = 256  # texts of a few rounds in a row are kept in tables of this size


# A text that shows a choice, and the choice in words. A plain tuple: millions of them are made.
Shown: TypeAlias = tuple[str, str]
NOTHING: Shown = ("", "")


def power(count: int, rounds: int) -> int:
    """Return how many choices so many rounds have, if their number can be worked with."""
    if count > 1 and rounds * math.log2(count) > MOST_BITS:
        raise TooLarge(f"{count:,} choices in each of {rounds:,} rounds are too many to count")
    return int(count**rounds)


class Choices:
    """The choices of one node: `count` of them, each with a key, and shown by a text."""

    __slots__ = ("_name", "count", "node", "parts")

    def __init__(self, node: Node, count: int, parts: Sequence[Choices] = ()) -> None:
        self.node = node
        self.count = count
        self.parts = parts  # the spaces this one is made of
        self._name: str | None = None

    @property
    def name(self) -> str:
        """The node in words; written out only when a label asks for it."""
        if self._name is None:
            self._name = write_node(self.node)
        return self._name

    def call(self, name: str) -> None:
        """Have labels say a name, that of a group, for what is written in it."""
        self._name = name

    def key(self, index: int) -> Key:
        """Return what is chosen at the index: which piece, which character, or nothing but 0."""
        return index

    def show(self, index: int, salt: int = 0) -> Shown:
        """Return a text for the choice at the index; the salt varies the text, not the choice."""
        raise NotImplementedError

    def texts(self) -> list[str]:
        """Return the texts of all choices, without their labels."""
        return [self.show(index)[0] for index in range(self.count)]


class WrittenText(Choices):
    """A character that is written out, or a word; no text for a place, a lookaround, a back-reference."""

    __slots__ = ("shown",)

    def __init__(self, node: Node, literal: str) -> None:
        super().__init__(node, 1)
        self.shown = (literal, "")

    def show(self, index: int, salt: int = 0) -> Shown:
        """Return the character, or the word."""
        del index, salt
        return self.shown


class Class(Choices):
    """A class of which each piece is a choice."""

    __slots__ = ("labels", "ordinal", "ranges", "rows", "samples")

    def __init__(self, node: Chars, sets: Sequence[tuple[str, Ranges]], ordinal: int, *, unicode: bool = False) -> None:
        super().__init__(node, len(sets))
        self.labels = [show_spaces(label) if len(sets) > 1 else "" for label, _ in sets]
        self.ranges = [ranges for _, ranges in sets]
        self.samples = [chars.samples(ranges, unicode=unicode) for ranges in self.ranges]
        self.ordinal = ordinal
        self.rows: dict[int, list[Shown]] = {}

    def show(self, index: int, salt: int = 0) -> Shown:
        """Return a character of the piece."""
        row = self.rows.get(salt)
        if row is None:
            if len(self.rows) > REMEMBERED:
                self.rows.clear()
            row = self.rows[salt] = [
                (samples[(self.ordinal + salt) % len(samples)], label)
                for samples, label in zip(self.samples, self.labels, strict=True)
            ]
        return row[index]


class Characters(Choices):
    """A class of which each character is a choice."""

    __slots__ = ("ranges",)

    def __init__(self, node: Chars) -> None:
        super().__init__(node, chars.size(node.ranges))
        self.ranges = node.ranges

    def show(self, index: int, salt: int = 0) -> Shown:
        """Return the character at the index, readable ones first."""
        del salt
        char = chars.nth(self.ranges, index)
        return (char, show_spaces(chars.shown_character(char)) if self.count > 1 else "")


class Either(Choices):
    """One of several branches."""

    __slots__ = ("ends",)

    def __init__(self, node: Node, branches: Sequence[Choices]) -> None:
        super().__init__(node, sum(branch.count for branch in branches), branches)
        self.ends = list(itertools.accumulate(branch.count for branch in branches))

    def texts(self) -> list[str]:
        """Return the texts of all branches."""
        return [text for branch in self.parts for text in branch.texts()]

    def key(self, index: int) -> Key:
        """Return which branch is chosen, and what within it."""
        which = bisect.bisect_right(self.ends, index)
        before = self.ends[which - 1] if which else 0
        return which, self.parts[which].key(index - before)

    def show(self, index: int, salt: int = 0) -> Shown:
        """Return a text of one branch."""
        which = bisect.bisect_right(self.ends, index)
        before = self.ends[which - 1] if which else 0
        text, label = self.parts[which].show(index - before, salt)
        name = self.parts[which].name or "nothing"
        return (text, f"{name} with {label}" if label else name)


class All(Choices):
    """One choice of each part, all combinations; the last part varies fastest."""

    __slots__ = ("chunks", "counts", "known", "takers")

    def __init__(self, node: Node, parts: Sequence[Choices]) -> None:
        super().__init__(node, math.prod(part.count for part in parts), parts)
        self.counts = [part.count for part in parts]
        self.chunks = _chunks(parts)
        self.known: dict[tuple[int, int, int, int], Shown] = {}
        self.takers = [
            (count, chunk[0].show if len(chunk) == 1 else functools.partial(self.remember, number))
            for number, (count, chunk) in enumerate(self.chunks)
        ]

    def digits(self, index: int) -> list[int]:
        """Return which choice each part makes."""
        found = list[int]()
        for count in reversed(self.counts):
            index, digit = divmod(index, count)
            found.append(digit)
        found.reverse()
        return found

    def key(self, index: int) -> Key:
        """Return what is chosen in each part."""
        return tuple([part.key(digit) for part, digit in zip(self.parts, self.digits(index), strict=True)])

    def show(self, index: int, salt: int = 0) -> Shown:
        """Return the texts of the parts in a row."""
        text = labels = ""
        for count, show in self.takers:
            index, digit = divmod(index, count)
            part, label = show(digit, salt)
            text = part + text
            if label:
                labels = f"{label}, {labels}" if labels else label
        return text, labels

    def texts(self) -> list[str]:
        """Return the texts of all combinations."""
        return ["".join(each) for each in itertools.product(*(part.texts() for part in self.parts))]

    def remember(self, number: int, index: int, salt: int) -> Shown:
        """Return the texts of a few parts in a row, which are few enough to keep."""
        if len(self.known) > REMEMBERED:
            self.known.clear()
        return self.start(number, len(self.chunks[number][1]), index, salt)

    def start(self, number: int, size: int, index: int, salt: int) -> Shown:
        """Return the texts of the first parts of a chunk; beginnings are shared."""
        if size == 0:
            return NOTHING
        key = (number, size, index, salt)
        known = self.known.get(key)
        if known is None:
            part = self.chunks[number][1][size - 1]
            left, digit = divmod(index, part.count)
            before, labels = self.start(number, size - 1, left, salt)
            text, label = part.show(digit, salt)
            known = self.known[key] = (before + text, f"{labels}, {label}" if labels and label else labels or label)
        return known


def _chunks(parts: Sequence[Choices]) -> list[tuple[int, list[Choices]]]:
    """Return the parts from last to first, in runs that have few enough choices together to be kept."""
    chunks: list[tuple[int, list[Choices]]] = []
    for part in reversed(_words(parts)):
        if chunks and chunks[-1][0] * part.count <= RUN and len(chunks[-1][1]) < RUN:
            chunks[-1] = (chunks[-1][0] * part.count, [part, *chunks[-1][1]])
        else:
            chunks.append((part.count, [part]))
    return chunks


def _words(parts: Sequence[Choices]) -> list[Choices]:
    """Return the parts with characters that are written out one after the other as one word."""
    words: list[Choices] = []
    for is_word, run in itertools.groupby(parts, lambda part: isinstance(part, WrittenText)):
        if is_word:
            literals = [each for each in run if isinstance(each, WrittenText)]
            words.append(WrittenText(literals[0].node, "".join(each.shown[0] for each in literals)))
        else:
            words += run
    return words


class Rows(All):
    """Chosen combinations of the parts: each choice at least once, or each pair of choices."""

    __slots__ = ("table",)

    def __init__(self, node: Node, parts: Sequence[Choices], *, pairs: bool) -> None:
        super().__init__(node, parts)
        self.table: list[list[int]] | None = None
        if not all(self.counts):
            self.count = 0
        elif pairs:
            try:
                self.table = pair_columns(self.counts)
            except ScopeError as error:
                raise TooLarge(str(error)) from None
            self.count = len(self.table)
        else:
            self.count = max(self.counts, default=1)

    def digits(self, index: int) -> list[int]:
        """Return which choice each part makes."""
        return [index % count for count in self.counts] if self.table is None else self.table[index]

    def texts(self) -> list[str]:
        """Return the texts of the chosen combinations."""
        return [self.show(index)[0] for index in range(self.count)]

    def show(self, index: int, salt: int = 0) -> Shown:
        """Return the texts of the parts in a row."""
        shown = [part.show(digit, salt) for part, digit in zip(self.parts, self.digits(index), strict=True)]
        return "".join([text for text, _ in shown]), ", ".join([label for _, label in shown if label])


class Optional(Choices):
    """Absent, or any choice of the body."""

    __slots__ = ("body", "wrap")

    def __init__(self, node: Repeat, body: Choices) -> None:
        super().__init__(node, 1 + body.count, (body,))
        self.body = body
        # a union says by its own label which branch is there
        self.wrap = not isinstance(body, Either)

    def key(self, index: int) -> Key:
        """Return nothing for absence, else what is chosen in the body."""
        return (self.body.key(index - 1),) if index else ()

    def texts(self) -> list[str]:
        """Return absence first, then the texts of the body."""
        return ["", *self.body.texts()]

    def show(self, index: int, salt: int = 0) -> Shown:
        """Return absence first, then the texts of the body."""
        if index == 0:
            return ("", f"no {self.body.name}")
        text, label = self.body.show(index - 1, salt)
        return (text, f"{self.body.name} with {label}" if label and self.wrap else label or self.body.name)


class Repeated(Choices):
    """A repetition at its shortest length; the choices are those of its rounds."""

    __slots__ = ("body", "low", "plans", "run", "tables", "vary")

    def __init__(self, node: Repeat, body: Choices, *, vary: bool) -> None:
        super().__init__(node, power(body.count, node.low if vary else min(node.low, 1)), (body,))
        self.body = body
        self.low = node.low
        self.vary = vary
        self.run = max(1, int(math.log(TABLE, max(2, body.count)) + 1e-9))
        self.tables: dict[tuple[int, int], dict[int, Shown]] = {}
        self.plans: dict[tuple[int, int], list[tuple[int, dict[int, Shown], int, int]]] = {}

    def key(self, index: int) -> Key:
        """Return what is chosen in the rounds at the shortest length."""
        return self.key_of_rounds(index, self.low)

    def key_of_rounds(self, index: int, rounds: int) -> Key:
        """Return what is chosen in so many rounds."""
        if rounds == 0:
            return ()
        if not self.vary:
            return (self.body.key(index),)
        if self.body.count == 1:
            return (self.body.key(0),) * rounds
        keys = list[Key]()
        for _ in range(rounds):
            index, digit = divmod(index, self.body.count)
            keys.append(self.body.key(digit))
        return tuple(reversed(keys))

    def show(self, index: int, salt: int = 0) -> Shown:
        """Return the text at the shortest length."""
        return self.show_rounds(index, self.low, salt)

    def show_rounds(self, index: int, rounds: int, salt: int = 0) -> Shown:
        """Return the text of so many rounds."""
        if rounds == 0:
            return NOTHING
        if self.vary:
            return self.show_varied(index, rounds, salt)
        text, label = self.body.show(index, salt)
        # a first round of nothing shows most where nothing follows: the empty text is the one to try
        return (text + self.filling(index, rounds, salt) if text else "", label)

    def show_varied(self, index: int, rounds: int, salt: int) -> Shown:
        """Return the text where every round varies; short runs of rounds come from tables."""
        if isinstance(self.body, WrittenText):
            return self.body.shown[0] * rounds, ""
        plan = self.plans.get((rounds, salt))
        if plan is None:
            plan = self.plan(rounds, salt)
        text = labels = ""
        for step, table, place, width in plan:
            index, digit = divmod(index, step)
            part, label = table.get(digit) or self.run_of(table, place, width, digit)
            text = part + text
            if label:
                labels = f"{label} {labels}" if labels else label
        return text, labels

    def plan(self, rounds: int, salt: int) -> list[tuple[int, dict[int, Shown], int, int]]:
        """Return the runs of so many rounds, the last first: their choices, table, salt and width."""
        if len(self.plans) > REMEMBERED:
            self.plans.clear()
            self.tables.clear()
        plan, place = [], rounds
        while place > 0:
            width = min(self.run, place)
            place -= width
            plan.append((self.body.count**width, self.table(salt + place, width), salt + place, width))
        self.plans[rounds, salt] = plan
        return plan

    def table(self, salt: int, width: int) -> dict[int, Shown]:
        """Return the table of a run."""
        return self.tables.setdefault((salt, width), {})

    def run_of(self, table: dict[int, Shown], salt: int, width: int, digit: int) -> Shown:
        """Return the text of a few rounds in a row, and keep it."""
        if len(table) > REMEMBERED:
            table.clear()
        high, low = divmod(digit, self.body.count)
        text, label = NOTHING
        if width > 1:
            shorter = self.table(salt, width - 1)
            text, label = shorter.get(high) or self.run_of(shorter, salt, width - 1, high)
        last, name = self.body.show(low, salt + width - 1)
        found = table[digit] = (text + last, f"{label} {name}" if label and name else label or name)
        return found

    def filling(self, first: int, rounds: int, salt: int = 0) -> str:
        """Return the text of the rounds after the first, which are free: they go through the choices of the body."""
        if rounds <= 1:
            return ""
        body = self.body
        period = max(26, min(body.count, 64))
        some = [body.show((first + place) % body.count, salt + place)[0] for place in range(1, min(rounds, period))]
        text = "".join(some)
        if rounds > period:
            many = [body.show((first + place) % body.count, salt + place)[0] for place in range(period)]
            whole, rest = divmod(rounds - period, period)
            text += "".join(many) * whole + "".join(many[:rest])
        return text


class CountedRepeat(Repeated):
    """A repetition of which every number of rounds is a choice, and each round varies."""

    __slots__ = ("ends", "lows")

    def __init__(self, node: Repeat, body: Choices, most: int) -> None:
        super().__init__(node, body, vary=True)
        most = max(node.low, most) if node.high is None else min(node.high, max(node.low, most))
        self.lows = list(range(node.low, most + 1))
        self.ends = list(itertools.accumulate(power(body.count, rounds) for rounds in self.lows))
        self.count = self.ends[-1]

    def key(self, index: int) -> Key:
        """Return how many rounds there are, and what is chosen in each."""
        which = bisect.bisect_right(self.ends, index)
        before = self.ends[which - 1] if which else 0
        return self.lows[which], self.key_of_rounds(index - before, self.lows[which])

    def show(self, index: int, salt: int = 0) -> Shown:
        """Return fewer rounds first."""
        which = bisect.bisect_right(self.ends, index)
        rounds = self.lows[which]
        if which:
            index -= self.ends[which - 1]
        shown = self.show_varied(index, rounds, salt) if rounds else NOTHING
        return shown if shown[1] else (shown[0], f"{self.name} ×{rounds}")
