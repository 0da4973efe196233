"""How long a text may be before Python's matcher might try more ways than one can wait for.

`re` tries one way after the other, and forgets what it has tried. Here the ways are counted, rather too many than too
few. A decision that the next character takes costs nothing: the other ways end there. The others are branches, which
multiply, and parts in a row that can share the text among them in many ways; what stands inside a repetition is there
once a round. Each way may read the whole text, and a lookaround that stands in a loop may do so at every character.
"""

from __future__ import annotations

import functools
import itertools
import math
from typing import NamedTuple

from unlike.regex import chars, tree
from unlike.regex.chars import Ranges

WAYS = 20.0  # two to the power of so many ways take Python a fraction of a second where each of them is short
STEPS = 24.0  # and two to the power of so many characters a tenth of a second at most
EMPTY = 13.0  # of the steps without a character, each of which Python's matcher may remember and take at every place
LENGTHS = (1_000_000, 100_000, 10_000, 2_000, 1_000, 500, 200, 100, 64, 48, 32, 24, 16, 12, 8, 4)  # tried in turn


@functools.lru_cache(maxsize=512)
def harmless(pattern: tree.Pattern) -> int:
    """Return a length up to which no text can take Python's matcher long; below 0 if even the empty one can."""
    if pattern.empty_bits > EMPTY:
        return -1
    ways = Ways(pattern.root, pattern.empty_rounds)
    return next((each for each in LENGTHS if ways.bits(each) <= WAYS and ways.steps(each) <= STEPS), 0)


class _Count(NamedTuple):
    """The binary logarithm of the ways through branches, and how many parts share the text among them."""

    branches: float = 0.0
    shares: float = 0.0


class _Begin(NamedTuple):
    """The characters that a part may begin with, and whether it may be empty."""

    first: Ranges
    nullable: bool


_NOWHERE = _Begin((), True)


class Ways:
    """Counts the ways that texts of one pattern may be tried."""

    def __init__(self, root: tree.Node, empty_rounds: int = 1) -> None:
        self.root = root
        self.empty_rounds = empty_rounds  # of the pattern as written: the tree may have fewer
        self.begins: dict[int, _Begin] = {}
        self.forks: dict[tuple[int, Ranges], int] = {}
        self.readings = 1 + _looks(root)

    def steps(self, length: int) -> float:
        """Return the binary logarithm of the number of characters read by each part, at most."""
        return self.bits(length) + self.readings * math.log2(length + 1) + math.log2(self.empty_rounds)

    def bits(self, length: int) -> float:
        """Return the binary logarithm of the number of ways for a text of the length, at most."""
        found = self.count(self.root, (), length)
        return found.branches + _parting_bits(length, found.shares) + _parting_bits(length, self.empty_rounds - 1)

    def count(self, node: tree.Node, after: Ranges, length: int) -> _Count:
        """Return the ways through a node before characters of the given kind."""
        match node:
            case tree.Alternation(branches):
                each = [self.count(branch, after, length) for branch in branches]
                more = math.log2(self.open_at(node, branches, after))
                return _Count(max(one.branches for one in each) + more, max(one.shares for one in each))
            case tree.Conditional(_, yes, no):
                one, two = self.count(yes, after, length), self.count(no, after, length)
                return _Count(max(one.branches, two.branches), max(one.shares, two.shares))
            case tree.Repeat():
                return self.count_rounds(node, after, length)
            case tree.Look(_, _, body) | tree.Atomic(body):  # nothing is tried again once it has matched
                return self.count(body, (), length)
        ways = shares = 0.0
        for part in reversed(tree.inner(node)):
            found = self.count(part, after, length)
            ways, shares = ways + found.branches, shares + found.shares
            after = self.next_characters(self.begin(part), after)
        return _Count(ways, shares)

    def count_rounds(self, node: tree.Repeat, after: Ranges, length: int) -> _Count:
        """Return the ways through all rounds of a repetition."""
        body, low, high = node.body, node.low, node.high
        rounds = length if high is None else min(length, high)
        again = self.next_characters(self.begin(body), after) if high != 1 else after
        inside = _Count(*(rounds * each for each in self.count(body, again, length)))
        if low == high or node.kind == "possessive" or self.open_at(node, (body, tree.Empty()), after) == 1:
            return inside
        if high == 1:
            return _Count(inside.branches + 1, inside.shares)
        return _Count(inside.branches, inside.shares + 1)

    def open_at(self, node: tree.Node, ways: tuple[tree.Node, ...], after: Ranges) -> int:
        """Return in how many of the ways a character, or none, may lead on; at least one."""
        key = (id(node), after)
        if key not in self.forks:
            begins = [self.begin(way) for way in ways]
            edges = sorted(
                edge
                for begin in begins
                for low, high in self.next_characters(begin, after)
                for edge in ((low, 1), (high + 1, -1))
            )
            inside = itertools.accumulate(step for _, step in edges)
            self.forks[key] = max(1, sum(begin.nullable for begin in begins), *inside)
        return self.forks[key]

    def next_characters(self, begin: _Begin, after: Ranges) -> Ranges:
        """Return the characters that may come next where a part stands before others."""
        return chars.union([begin.first, after]) if begin.nullable else begin.first

    def begin(self, node: tree.Node) -> _Begin:
        """Return how a node begins."""
        match node:
            case tree.Chars(ranges):
                return _Begin(ranges, False)
            case tree.Empty() | tree.Anchor() | tree.Look():
                return _NOWHERE
            case tree.BackReference():
                return _Begin(chars.EVERYTHING, True)
        found = self.begins.get(id(node))
        if found is None:
            found = self.begins[id(node)] = self.begin_of_parts(node)
        return found

    def begin_of_parts(self, node: tree.Node) -> _Begin:
        """Return how a node begins that has others within."""
        match node:
            case tree.Repeat(body, low):
                inside = self.begin(body)
                return _Begin(inside.first, inside.nullable or low == 0)
            case tree.Alternation() | tree.Conditional():
                found = [self.begin(branch) for branch in tree.inner(node)]
                return _Begin(chars.union(each.first for each in found), any(each.nullable for each in found))
        first: list[Ranges] = []
        for part in tree.inner(node):
            one = self.begin(part)
            first.append(one.first)
            if not one.nullable:
                return _Begin(chars.union(first), False)
        return _Begin(chars.union(first), True)


def _parting_bits(length: int, shares: float) -> float:
    """Return the binary logarithm of the ways to part so many characters among so many parts, and a rest."""
    return (math.lgamma(length + shares + 1) - math.lgamma(length + 1) - math.lgamma(shares + 1)) / math.log(2)


def _looks(node: tree.Node, *, looped: bool = False) -> int:
    """Return how deep lookarounds that read on and on stand in loops, one within the other."""
    match node:
        case tree.Look(_, _, body):
            again = looped and any(isinstance(each, tree.Repeat) and each.high != 1 for each in tree.every(body))
            return again + _looks(body)
        case tree.Repeat(body, _, high):
            return _looks(body, looped=looped or high != 1)
    return max((_looks(part, looped=looped) for part in tree.inner(node)), default=0)
