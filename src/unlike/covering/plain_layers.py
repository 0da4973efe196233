"""Which tuples of some parameters are needed, open, or shown by one row only: sets of bits, one for each item.

An item is a value of a parameter. Of a tuple all items but one are a key, and the bit of the last one is set.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence

OPEN, ONCE, NEEDED = 0, 1, 2
MOST_CLASSES = 16  # parameters of as many values are a class; the narrowest share the last one
LANE = 40  # bits of a number in a row of numbers: sums of weights of a million parameters stay below
UNIT = 1 << 20  # the weight of a tuple that nothing will show by luck
TOP = 24  # of the widest parameters it is counted what is open
Items = tuple[int, ...]


def weight_of(size: int, rows: int) -> int:
    """Return what a tuple of so many equally likely ones is worth with so many rows to come.

    >>> weight_of(4, 0), weight_of(4, 1), weight_of(4, 1000)
    (1048576, 786432, 1)
    """
    value = UNIT
    for _ in range(rows):
        if value <= 1:
            break
        value = value * (size - 1) // size
    return value or 1


class PlainLayer:
    """Tuples of any strength over some parameters."""

    def __init__(self, enters: Sequence[bytes], first: Sequence[int], t: int, params: Sequence[int]) -> None:
        self.t, self.params, self.first, self.enters = t, list(params), first, enters
        self.levels = [len(each) for each in enters]
        self.local = {p: q for q, p in enumerate(params)}
        self.cursor = 0  # sets of parameters before have nothing open
        self._sort_classes()
        self.all = {p: ((1 << self.levels[p]) - 1) << first[p] for p in params}
        entering = {p: sum(1 << (first[p] + v) for v, each in enumerate(enters[p]) if each) for p in params}
        self.of: list[dict[Items, int]] = [{}, {}, {}]
        for members in itertools.combinations(params, t - 1):
            others = sum(entering[p] for p in params if p not in members)
            for items in itertools.product(*([first[p] + v for v in range(self.levels[p])] for p in members)):
                whole = all(entering[p] >> item & 1 for p, item in zip(members, items, strict=True))
                self.of[NEEDED][items] = others if whole else 0
        self.times: dict[Items, int] = {}
        self.reset()

    def _sort_classes(self) -> None:
        widths = {p: sum(map(bool, self.enters[p])) or 1 for p in self.params}
        self.class_levels: list[int] = []
        self.cls: dict[int, int] = {}
        self.class_bits: list[int] = []
        for p in sorted(self.params, key=lambda each: -widths[each]):
            known = self.class_levels
            if not known or (widths[p] != known[-1] and len(known) < MOST_CLASSES):
                known.append(widths[p])
                self.class_bits.append(0)
            self.cls[p] = len(known) - 1
            self.class_bits[-1] |= ((1 << self.levels[p]) - 1) << self.first[p]
        self.owner = {self.first[p] + v: p for p in self.params for v in range(self.levels[p])}

    def reset(self) -> None:
        """Let all that is needed be open."""
        self.of[OPEN] = dict(self.of[NEEDED])
        self.cursor = 0

    def begin_search(self) -> None:
        """Let nothing be shown."""
        self.reset()
        self.of[ONCE] = dict.fromkeys(self.of[NEEDED], 0)
        self.times = {}

    def weigh(self, ahead: int) -> None:
        """Weigh tuples by how unlikely they are to be shown by luck in so many rows."""
        self.ahead, self.weights = ahead, dict[int, int]()

    def weight(self, size: int) -> int:
        """Return the weight of one of so many tuples."""
        if size not in self.weights:
            self.weights[size] = weight_of(size, self.ahead)
        return self.weights[size]

    def gain(self, which: int, item: int, taken: list[int], bits: int, *, weighted: bool) -> int:
        """Return how many tuples an item makes with those taken, or what they weigh."""
        found, of = 0, self.of[which]
        if self.t == 1:
            hit = of[()] >> item & 1
            return hit * self.weight(self.class_levels[self.cls[self.owner[item]]]) if weighted else hit
        mine = self.owner[item]
        for others in itertools.combinations(taken, self.t - 2):
            if any(self.owner[each] == mine for each in others):
                continue
            met = of[tuple(sorted((item, *others)))] & bits
            if not met:
                continue
            if not weighted:
                found += met.bit_count()
                continue
            size = math.prod(self.class_levels[self.cls[self.owner[each]]] for each in (item, *others))
            for levels, mask in zip(self.class_levels, self.class_bits, strict=True):
                if both := met & mask:
                    found += both.bit_count() * self.weight(size * levels)
        return found // (self.t - 1)  # each was met from all of its other items

    def count_left(self, which: int) -> int:
        """Return how many tuples there are."""
        return sum(each.bit_count() for each in self.of[which].values()) // self.t

    def show(self, items: Sequence[int], bits: int) -> None:
        """Let the tuples of a row be open no more."""
        closed, is_open = ~bits, self.of[OPEN]
        for key in itertools.combinations(items, self.t - 1):
            is_open[key] &= closed

    def has(self, which: int, items: Items) -> bool:
        """Tell whether a tuple is among them."""
        return bool(self.of[which][items[:-1]] >> items[-1] & 1)

    def mark(self, items: Items, which: int, *, on: bool) -> None:
        """Put a tuple among them, or take it away."""
        of = self.of[which]
        for place, item in enumerate(items):
            key = (*items[:place], *items[place + 1 :])
            if on:
                of[key] |= 1 << item
            else:
                of[key] &= ~(1 << item)

    def each(self, which: int, members: Sequence[int]) -> Iterator[Items]:
        """Yield the tuples of these parameters, as they are when their turn comes."""
        for items in itertools.product(*(range(self.first[p], self.first[p] + self.levels[p]) for p in members)):
            if self.has(which, items):
                yield items

    def count_in(self, which: int, members: Sequence[int]) -> int:
        """Return how many tuples these parameters have."""
        *keys, last = members
        of, mask = self.of[which], self.all[last]
        spans = (range(self.first[p], self.first[p] + self.levels[p]) for p in keys)
        return sum((of[key] & mask).bit_count() for key in itertools.product(*spans))

    def forbid(self, cells: Sequence[tuple[int, int]]) -> None:
        """Let tuples with these cells not be needed."""
        if len(cells) > self.t or any(p not in self.local for p, _ in cells):
            return
        given = dict(cells)
        others = [p for p in self.params if p not in given]
        for more in itertools.combinations(others, self.t - len(cells)):
            members = sorted((*given, *more))
            spans = ([given[p]] if p in given else range(self.levels[p]) for p in members)
            for values in itertools.product(*spans):
                self.mark(tuple(self.first[p] + v for p, v in zip(members, values, strict=True)), NEEDED, on=False)

    def widest(self) -> list[int]:
        """Return the parameters of which it is counted what is open."""
        most = TOP if self.t <= 3 else self.t + 4
        return sorted(self.params, key=lambda p: -self.levels[p])[:most]


class PlainPairs(PlainLayer):
    """Tuples of two: what is open with an item is a row of numbers, too: one sum gives the gains of all items."""

    def __init__(self, enters: Sequence[bytes], first: Sequence[int], t: int, params: Sequence[int]) -> None:
        self.lanes: list[int] = []
        self.weighted: list[int] = []
        super().__init__(enters, first, t, params)
        self.lane_of = {p: first[p] * LANE for p in params}
        self.lanes_of = {p: (1 << self.levels[p] * LANE) - 1 for p in params}
        self.shifts = {p: [v * LANE for v in range(self.levels[p])] for p in params}

    def reset(self) -> None:
        """Let all that is needed be open."""
        super().reset()
        self.lanes = []

    def weigh(self, ahead: int) -> None:
        """Weigh what is open with each item."""
        super().weigh(ahead)
        if not self.lanes:
            is_open = self.of[OPEN]
            self.lanes = [_spread_bits(is_open.get((item,), 0)) for item in range(max(self.owner, default=-1) + 1)]
        masks = [_spread_bits(each) * ((1 << LANE) - 1) for each in self.class_bits]
        self.weighted = [0] * len(self.lanes)
        for item, p in self.owner.items():
            levels, lanes = self.class_levels[self.cls[p]], self.lanes[item]
            self.weighted[item] = sum(
                (lanes & mask) * self.weight(levels * other)
                for mask, other in zip(masks, self.class_levels, strict=True)
            )

    def gain(self, which: int, item: int, taken: list[int], bits: int, *, weighted: bool) -> int:
        """Return how many tuples an item makes with those taken."""
        del taken
        assert not weighted  # `weighted` has those
        return (self.of[which][(item,)] & bits).bit_count()

    def show(self, items: Sequence[int], bits: int) -> None:
        """Let the tuples of a row be open no more."""
        closed, is_open = ~bits, self.of[OPEN]
        for item in items:
            is_open[(item,)] &= closed
        if self.lanes:
            numbers = ~(sum(1 << item * LANE for item in items) * ((1 << LANE) - 1))
            for item in items:
                self.lanes[item] &= numbers


def _spread_bits(bits: int) -> int:
    """Return a set of bits as a row of numbers, 1 for each bit that is set.

    >>> _spread_bits(0b101) == 1 + (1 << 2 * LANE)
    True
    """
    found = b"".join((b"\x01" if bit == "1" else b"\x00") + bytes(LANE // 8 - 1) for bit in reversed(f"{bits:b}"))
    return int.from_bytes(found, "little")
