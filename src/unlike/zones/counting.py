"""From a plan to numbers: how many points, and which is the i-th.

A point is a row of digits, one for each component and one for each variable that was peeled off. The number of choices
of each digit, its radix, does not depend on the other digits, so counting is a product, and an index falls into digits
by division. Inside a component the number of completions is summed up once for each value it depends on.
"""

from __future__ import annotations

import bisect
import itertools
import math
from collections.abc import Iterator, Sequence

from unlike.errors import ScopeError
from unlike.zones.free import FreeZone
from unlike.zones.plan import Plan, VariableChoice, VariableTree, make_plan

MOST_LISTED = 1_000_000


class Counted:
    """The points of one zone, counted in Python integers of any size."""

    def __init__(self, zone: FreeZone) -> None:
        self.zone = zone
        self.plan: Plan = make_plan(zone)
        self.parts: list[_Tree | _List] = [_part(each, zone.free) for each in self.plan.components]
        peeled = (each.size - len(each.excluded) - len(each.beside) for each in self.plan.peeled)
        self.radices = (*(part.count for part in self.parts), *(max(0, count) for count in peeled))

    @property
    def listed(self) -> bool:
        """Whether some component had to be listed."""
        return any(component.listed for component in self.plan.components)

    @property
    def summed(self) -> bool:
        """Whether some slots depend on each other."""
        return bool(self.plan.components)

    def point(self, digits: Sequence[int]) -> tuple[int, ...]:
        """Return the point of the digits."""
        values = [0] * (self.zone.free + 1)
        for part, digit in zip(self.parts, digits, strict=False):
            part.fill(digit, values)
        for choice, digit in zip(self.plan.peeled, digits[len(self.parts) :], strict=True):
            taken = {*choice.excluded, *(values[u] + c for u, c in choice.beside)}
            values[choice.variable] = _skip(choice.low + digit, taken)
        return tuple(values[v] + c for v, c in zip(self.zone.which, self.zone.offset, strict=True))


def _skip(value: int, taken: set[int]) -> int:
    """Return the value, moved up by every taken one that it passes."""
    for each in sorted(taken):
        if each <= value:
            value += 1
    return value


def _part(component: VariableTree, free: int) -> _Tree | _List:
    return _List(component.root, free) if component.listed else _Tree(component.root, free)


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

    def taken(self, choice: VariableChoice, low: int, high: int) -> set[int]:
        """Return the values of the range that others have taken."""
        return {x for u, c in choice.beside if low <= (x := self.values[u] + c) <= high}

    def lost(self, choice: VariableChoice, low: int, high: int) -> set[int]:
        """Return the values of the range that are excluded, or that others have taken."""
        return {*self.taken(choice, low, high), *(x for x in choice.excluded if low <= x <= high)}

    def completions(self, choice: VariableChoice) -> int:
        """Return in how many ways the variable and everything below it can be chosen."""
        low, high = self.range(choice)
        if low > high:
            return 0
        if not choice.children:
            return high - low + 1 - len(self.lost(choice, low, high))
        if choice.alone:
            sums = self.sums_of(choice)
            lost = sum(self.weight_alone(choice, x) for x in self.taken(choice, low, high))
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
        taken = self.taken(choice, low, high)
        for x in range(low, high + 1):
            if x not in taken:
                yield x, self.weight(choice, x)

    def fill(self, digit: int, values: list[int]) -> None:
        """Write the values at the digit."""
        self.descend(self.root, digit)
        self.write(self.root, values)

    def write(self, choice: VariableChoice, values: list[int]) -> None:
        """Copy the values of a tree."""
        values[choice.variable] = self.values[choice.variable]
        for child in choice.children:
            self.write(child, values)

    def descend(self, choice: VariableChoice, digit: int) -> None:
        """Choose the value at the digit, and with the rest of it what lies below."""
        low, high = self.range(choice)
        if not choice.children:
            self.values[choice.variable] = _skip(low + digit, self.lost(choice, low, high))
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
        for x in sorted(self.taken(choice, low, high)):
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
