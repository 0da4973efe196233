"""From a zone over free variables to numbers: how many points, and which is the i-th.

A point is a row of digits, one for each component and one for each variable that was peeled off. The number of choices
of each digit, its radix, does not depend on the other digits, so counting is a product, and an index falls into digits
by division. Inside a component the number of completions is summed up once for each value it depends on.
"""

from __future__ import annotations

import bisect
import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from unlike.errors import ScopeError
from unlike.zones.zone import FreeZone

MOST_LISTED = 1_000_000  # points of one zone: a list of them fits into memory
MOST_WORK = 4_000_000  # sums that counting one component may take; beyond, its points are listed


@dataclass(frozen=True, slots=True)
class VariableChoice:
    """One variable: its own range, and what the values chosen before it leave of it.

    `above`, `below` and `beside` are pairs (variable, c): the value is at most, at least, or not x + c.
    """

    variable: int
    low: int
    high: int
    above: tuple[tuple[int, int], ...] = ()
    below: tuple[tuple[int, int], ...] = ()
    beside: tuple[tuple[int, int], ...] = ()
    excluded: frozenset[int] = frozenset()
    depends: tuple[int, ...] = ()  # variables before it on which it, or anything below it, depends
    children: tuple[VariableChoice, ...] = ()

    @property
    def size(self) -> int:
        """How many values its own range has."""
        return self.high - self.low + 1

    @property
    def alone(self) -> bool:
        """Whether the number of ways to go on depends on this variable's value alone."""
        return all(set(child.depends) <= {self.variable} for child in self.children)


class _Graph:
    """The free variables that are left, and which of them have to do with each other.

    Some variables have the same number of choices whatever the others are: those tied to nothing, and those that must
    only differ from others which differ among themselves. They are peeled off, and count as a factor. What is left
    falls into components. In each, variables are eliminated, the one with the fewest neighbours first; this gives a
    tree in which a variable depends on some of the variables above it, and what hangs below one child has nothing to
    do with what hangs below another.
    """

    def __init__(self, zone: FreeZone) -> None:
        self.zone = zone
        self.edges = zone.edges()
        self.pairs = sorted(each for each in zone.unequal if each[1] > 0)
        self.excluded = [frozenset(c for a, b, c in zone.unequal if (a, b) == (v, 0)) for v in range(zone.free + 1)]
        self.left = set(range(1, zone.free + 1))
        self.near: dict[int, set[int]] = {v: set() for v in self.left}
        for a, b, _ in [*self.edges, *self.pairs]:
            self.near[a].add(b)
            self.near[b].add(a)

    # -- variables with a constant number of choices ------------------------------------------------

    def peel(self) -> list[VariableChoice]:
        """Take out variables that have the same number of choices whatever the others are; the last taken is first."""
        ordered = {v for a, b, _ in self.edges for v in (a, b)}
        peeled = []
        while (found := next((v for v in sorted(self.left - ordered, reverse=True) if self.is_constant(v)), 0)) > 0:
            peeled.append(self.choice(found, set(self.near[found]), ()))
            self.remove(found)
        return peeled[::-1]

    def is_constant(self, v: int) -> bool:
        """Tell whether the values that others take from v lie in its range and are all different."""
        low, high = self.range(v)
        taken = self.beside(v, self.near[v])
        inside = all(
            low <= self.range(u)[0] + c
            and self.range(u)[1] + c <= high
            and not any(self.range(u)[0] <= value - c <= self.range(u)[1] for value in self.excluded[v])
            for u, c in taken
        )
        return inside and all(self.differ(u, w, d - c) for at, (u, c) in enumerate(taken) for w, d in taken[at + 1 :])

    def differ(self, a: int, b: int, c: int) -> bool:
        """Tell whether x_a - x_b is never c."""
        bounds = self.zone.bounds
        if a == b:
            return c != 0
        pair = (a, b, c) if a > b else (b, a, -c)
        return bounds[a][b] < c or bounds[b][a] < -c or pair in self.zone.unequal

    def remove(self, v: int) -> None:
        """Take a variable out of the graph."""
        self.left.remove(v)
        for u in self.near.pop(v):
            self.near[u].discard(v)

    # -- the tree -------------------------------------------------------------------------------------

    def eliminate(self) -> list[int]:
        """Eliminate every variable left, each tying its neighbours together; return the roots, lowest first."""
        self.depends: dict[int, set[int]] = {}
        self.children: dict[int, list[int]] = {v: [] for v in self.left}
        order = []
        while self.left:
            v = min(self.left, key=lambda u: (len(self.near[u]), -u))
            self.depends[v] = set(self.near[v])
            order.append(v)
            self.remove(v)
            for u in self.depends[v]:
                self.near[u] |= self.depends[v] - {u}
        place = {v: position for position, v in enumerate(order)}
        for v in order:
            if self.depends[v]:
                self.children[min(self.depends[v], key=place.__getitem__)].append(v)
        return sorted(v for v in order if not self.depends[v])

    def component(self, root: int) -> _Tree | _List:
        """Return the variables under a root, counted; listed where a tree would take too much work."""
        tree, free = self.tree(root), self.zone.free
        sizes = [high - low + 1 for low, high in map(self.range, range(free + 1))]
        return _List(tree, free) if _work(tree, sizes) > MOST_WORK else _Tree(tree, free)

    def tree(self, v: int) -> VariableChoice:
        """Return the choice of a variable with everything below it."""
        children = tuple(self.tree(u) for u in sorted(self.children[v]))
        return self.choice(v, self.depends[v], children)

    def range(self, v: int) -> tuple[int, int]:
        """Return the smallest and the largest value of a variable."""
        return -self.zone.bounds[0][v], self.zone.bounds[v][0]

    def beside(self, v: int, others: set[int]) -> list[tuple[int, int]]:
        """Return pairs (u, c) such that x_v is not x_u + c."""
        return [
            *((b, c) for a, b, c in self.pairs if a == v and b in others),
            *((a, -c) for a, b, c in self.pairs if b == v and a in others),
        ]

    def choice(self, v: int, others: set[int], children: tuple[VariableChoice, ...]) -> VariableChoice:
        """Return the choice of a variable after the others."""
        low, high = self.range(v)
        return VariableChoice(
            variable=v,
            low=low,
            high=high,
            above=tuple((b, c) for a, b, c in self.edges if a == v and b in others),
            below=tuple((a, -c) for a, b, c in self.edges if b == v and a in others),
            beside=tuple(self.beside(v, others)),
            excluded=self.excluded[v],
            depends=tuple(sorted(others)),
            children=children,
        )


def _work(choice: VariableChoice, sizes: list[int]) -> int:
    """Return how many sums counting a tree may take."""
    below = sum(_work(child, sizes) for child in choice.children)
    if not choice.children:
        return below
    if choice.alone:
        return below + choice.size
    return below + choice.size * math.prod(sizes[u] for u in choice.depends)


class Counted:
    """The points of one zone, counted in Python integers of any size."""

    def __init__(self, zone: FreeZone) -> None:
        self.zone, graph = zone, _Graph(zone)
        self.peeled = graph.peel()
        self.parts = [graph.component(root) for root in graph.eliminate()]
        self.listed = any(isinstance(part, _List) for part in self.parts)
        self.summed = bool(self.parts)  # some slots depend on each other
        peeled = (each.size - len(each.excluded) - len(each.beside) for each in self.peeled)
        self.radices = (*(part.count for part in self.parts), *(max(0, count) for count in peeled))

    def point(self, digits: Sequence[int]) -> tuple[int, ...]:
        """Return the point of the digits."""
        values = [0] * (self.zone.free + 1)
        for part, digit in zip(self.parts, digits, strict=False):
            part.fill(digit, values)
        for choice, digit in zip(self.peeled, digits[len(self.parts) :], strict=True):
            taken = {*choice.excluded, *(values[u] + c for u, c in choice.beside)}
            values[choice.variable] = _skip(choice.low + digit, taken)
        return tuple(values[v] + c for v, c in zip(self.zone.which, self.zone.offset, strict=True))


def _skip(value: int, taken: set[int]) -> int:
    """Return the value, moved up by every taken one that it passes."""
    for each in sorted(taken):
        if each <= value:
            value += 1
    return value


class _Tree:
    """A component counted by dynamic programming over its tree."""

    def __init__(self, root: VariableChoice, free: int) -> None:
        self.root = root
        self.values = [0] * (free + 1)
        self.sums: dict[int, list[int]] = {}  # of variables that alone decide what follows
        self.known: dict[tuple[int, ...], int] = {}
        self.count = self.completions(root)

    def range(self, choice: VariableChoice) -> tuple[int, int]:
        """Return the smallest and the largest value that is left, given the values chosen before."""
        values = self.values
        low = max((values[u] + c for u, c in choice.below), default=choice.low)
        high = min((values[u] + c for u, c in choice.above), default=choice.high)
        return max(low, choice.low), min(high, choice.high)

    def find_taken(self, choice: VariableChoice, low: int, high: int) -> set[int]:
        """Return the values of the range that others have taken."""
        return {x for u, c in choice.beside if low <= (x := self.values[u] + c) <= high}

    def find_lost(self, choice: VariableChoice, low: int, high: int) -> set[int]:
        """Return the values of the range that are excluded, or that others have taken."""
        return {*self.find_taken(choice, low, high), *(x for x in choice.excluded if low <= x <= high)}

    def completions(self, choice: VariableChoice) -> int:
        """Return in how many ways the variable and everything below it can be chosen."""
        low, high = self.range(choice)
        if low > high:
            return 0
        if not choice.children:
            return high - low + 1 - len(self.find_lost(choice, low, high))
        if choice.alone:
            sums = self.sums_of(choice)
            lost = sum(self.weight_alone(choice, x) for x in self.find_taken(choice, low, high))
            return sums[high + 1 - choice.low] - sums[low - choice.low] - lost
        key = (choice.variable, *(self.values[u] for u in choice.depends))
        if key not in self.known:
            self.known[key] = sum(weight for _, weight in self.weights(choice, low, high))
        return self.known[key]

    def sums_of(self, choice: VariableChoice) -> list[int]:
        """Return for every value of the range how many completions all values before it have."""
        if choice.variable not in self.sums:
            kept = self.values[choice.variable]
            weights = (self.weight(choice, x) for x in range(choice.low, choice.high + 1))
            self.sums[choice.variable] = [0, *itertools.accumulate(weights)]
            self.values[choice.variable] = kept
        return self.sums[choice.variable]

    def weight_alone(self, choice: VariableChoice, x: int) -> int:
        """Return the completions of one value, from the sums."""
        sums = self.sums_of(choice)
        return sums[x + 1 - choice.low] - sums[x - choice.low]

    def weight(self, choice: VariableChoice, x: int) -> int:
        """Return the completions of one value, which becomes the value of the variable."""
        self.values[choice.variable] = x
        return 0 if x in choice.excluded else math.prod(self.completions(child) for child in choice.children)

    def weights(self, choice: VariableChoice, low: int, high: int) -> Iterator[tuple[int, int]]:
        """Yield the values that are left, each with its completions."""
        taken = self.find_taken(choice, low, high)
        for x in range(low, high + 1):
            if x not in taken:
                yield x, self.weight(choice, x)

    def fill(self, digit: int, values: list[int]) -> None:
        """Write the values at the digit."""
        self.descend(self.root, digit)
        for choice in _preorder(self.root):
            values[choice.variable] = self.values[choice.variable]

    def descend(self, choice: VariableChoice, digit: int) -> None:
        """Choose the value at the digit, and with the rest of it what lies below."""
        low, high = self.range(choice)
        if not choice.children:
            self.values[choice.variable] = _skip(low + digit, self.find_lost(choice, low, high))
            return
        x, digit = self.find_alone(choice, digit, low, high) if choice.alone else self.find(choice, digit, low, high)
        self.values[choice.variable] = x
        digits = []
        for child in reversed(choice.children):
            digit, rest = divmod(digit, self.completions(child))
            digits.append(rest)
        for child, rest in zip(choice.children, reversed(digits), strict=True):
            self.descend(child, rest)

    def find(self, choice: VariableChoice, digit: int, low: int, high: int) -> tuple[int, int]:
        """Return the value at the digit and what is left of the digit."""
        for x, weight in self.weights(choice, low, high):
            if digit < weight:
                return x, digit
            digit -= weight
        raise IndexError(digit)

    def find_alone(self, choice: VariableChoice, digit: int, low: int, high: int) -> tuple[int, int]:
        """Return the same from the sums."""
        sums = self.sums_of(choice)
        digit += sums[low - choice.low]
        for x in sorted(self.find_taken(choice, low, high)):
            if sums[x - choice.low] <= digit:
                digit += self.weight_alone(choice, x)
        place = bisect.bisect_right(sums, digit) - 1
        return choice.low + place, digit - sums[place]


class _List:
    """A component whose points are listed: nothing better is known."""

    def __init__(self, root: VariableChoice, free: int) -> None:
        self.order = list(_preorder(root))
        self.rows: list[tuple[int, ...]] = []
        for row in _rows(self.order, free):
            self.rows.append(row)
            if len(self.rows) > MOST_LISTED:
                raise ScopeError(
                    f"{len(self.order)} values that depend on each other have more than {MOST_LISTED:,} combinations, "
                    "which would have to be listed; use a smaller scope, or one representative per shape"
                )
        self.count = len(self.rows)

    def fill(self, digit: int, values: list[int]) -> None:
        """Write the values at the digit."""
        for choice, value in zip(self.order, self.rows[digit], strict=True):
            values[choice.variable] = value


def _preorder(choice: VariableChoice) -> Iterator[VariableChoice]:
    yield choice
    for child in choice.children:
        yield from _preorder(child)


def _rows(order: Sequence[VariableChoice], free: int) -> Iterator[tuple[int, ...]]:
    """Yield the values of the variables in order, by trying them."""
    values = [0] * (free + 1)

    def extend(at: int) -> Iterator[tuple[int, ...]]:
        if at == len(order):
            yield tuple(values[choice.variable] for choice in order)
            return
        choice = order[at]
        low = max([choice.low, *(values[u] + c for u, c in choice.below)])
        high = min([choice.high, *(values[u] + c for u, c in choice.above)])
        taken = {*choice.excluded, *(values[u] + c for u, c in choice.beside)}
        for x in range(low, high + 1):
            if x not in taken:
                values[choice.variable] = x
                yield from extend(at + 1)

    return extend(0)
