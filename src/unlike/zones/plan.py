"""From a zone over free variables to an order in which they can be chosen one after the other.

Some variables have the same number of choices whatever the others are: those tied to nothing, and those that must only
differ from others which differ among themselves. They are peeled off, and count as a factor. What is left falls into
components. In each, variables are eliminated, the one with the fewest neighbours first; this gives a tree in which a
variable depends on some of the variables above it, and what hangs below one child has nothing to do with what hangs
below another.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from unlike.zones.free import FreeZone

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


@dataclass(frozen=True, slots=True)
class VariableTree:
    """Variables that depend on each other, as a tree, or listed where a tree would take too much work."""

    root: VariableChoice
    listed: bool


@dataclass(frozen=True, slots=True)
class Plan:
    """Components, then the variables that were peeled off: the last is chosen last, and varies fastest."""

    components: tuple[VariableTree, ...]
    peeled: tuple[VariableChoice, ...]


def make_plan(zone: FreeZone) -> Plan:
    """Return the order in which the free variables of the zone are chosen."""
    graph = _Graph(zone)
    peeled = graph.peel()
    return Plan(tuple(graph.component(root) for root in graph.eliminate()), tuple(reversed(peeled)))


class _Graph:
    """The free variables that are left, and which of them have to do with each other."""

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
        """Take out variables that have the same number of choices whatever the others are."""
        ordered = {v for a, b, _ in self.edges for v in (a, b)}
        peeled = []
        while (found := next((v for v in sorted(self.left - ordered, reverse=True) if self.is_constant(v)), 0)) > 0:
            peeled.append(self.choice(found, set(self.near[found]), ()))
            self.remove(found)
        return peeled

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

    def component(self, root: int) -> VariableTree:
        """Return the tree under a root."""
        tree = self.tree(root)
        return VariableTree(tree, _work(tree, self.sizes()) > MOST_WORK)

    def tree(self, v: int) -> VariableChoice:
        """Return the choice of a variable with everything below it."""
        children = tuple(self.tree(u) for u in sorted(self.children[v]))
        return self.choice(v, self.depends[v], children)

    def sizes(self) -> list[int]:
        """Return how many values the range of every variable has."""
        ranges = (self.range(v) for v in range(self.zone.free + 1))
        return [high - low + 1 for low, high in ranges]

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
