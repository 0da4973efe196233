"""Covering arrays in plain Python: the twin of `native/covering.c`, and what it promises.

Both draw the same numbers in the same order, so that they give the same rows. How rows are made is told in
`native/covering_rows.c`, how they become fewer in `native/covering_fewer.c`.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from unlike.covering.plain_fewer import PlainFewer
from unlike.covering.plain_layers import LANE, NEEDED, OPEN, PlainLayer, PlainPairs
from unlike.covering.plain_pairs import Rows
from unlike.covering.plain_rules import Cells

ALL_OF_LANE = (1 << LANE) - 1
SWEEPS, SIDEWAYS = 12, 4  # over a row, and with moves that gain nothing
SMALL_REPAIR, LARGE_REPAIR = 60, 100_000  # changes that make a row legal again


class _Made:
    """A row that is being made, with what gains are read from."""

    __slots__ = ("bits", "cover", "row", "sums", "taken")

    def __init__(self, cover: PlainCovering) -> None:
        self.cover = cover
        self.row = [-1] * len(cover.levels)
        self.bits = [0] * len(cover.layers)
        self.sums = [0] * len(cover.layers)

    def put(self, p: int, v: int) -> None:
        item, self.row[p] = self.cover.first[p] + v, v
        for number, layer in self.cover.by_param[p]:
            self.bits[number] |= 1 << item
            if isinstance(layer, PlainPairs):
                self.sums[number] += layer.weighted[item]

    def take(self, p: int) -> None:
        item, self.row[p] = self.cover.first[p] + self.row[p], -1
        for number, layer in self.cover.by_param[p]:
            self.bits[number] &= ~(1 << item)
            if isinstance(layer, PlainPairs):
                self.sums[number] -= layer.weighted[item]

    def gains(self, p: int) -> list[int]:
        """Return what each value of a parameter weighs beside the other cells."""
        first, found = self.cover.first[p], list[int]()
        for number, layer in self.cover.by_param[p]:
            if isinstance(layer, PlainPairs):
                lanes = self.sums[number] >> first * LANE & layer.lanes_of[p]
                more = [lanes >> shift & ALL_OF_LANE for shift in layer.shifts[p]]
            else:
                taken, bits = self.cover.items_of(self.row, layer), self.bits[number]
                items = range(first, first + self.cover.levels[p])
                more = [layer.gain(OPEN, item, taken, bits, weighted=True) for item in items]
            found = list(map(int.__add__, found, more)) if found else more
        return found or [0] * self.cover.levels[p]

    def worth(self) -> int:
        """Return what the open tuples of the row weigh."""
        other = _Made(self.cover)
        total = 0
        for p, v in enumerate(self.row):
            total += other.gains(p)[v]
            other.put(p, v)
        return total


class _MadeOfPairs(_Made):
    """The same where pairs of all parameters are all that is asked for."""

    __slots__ = ("layer", "sum")

    def __init__(self, cover: PlainCovering, layer: PlainPairs) -> None:
        super().__init__(cover)
        self.layer, self.sum = layer, 0

    def put(self, p: int, v: int) -> None:
        self.row[p] = v
        self.sum += self.layer.weighted[self.cover.first[p] + v]

    def take(self, p: int) -> None:
        self.sum -= self.layer.weighted[self.cover.first[p] + self.row[p]]
        self.row[p] = -1

    def gains(self, p: int) -> list[int]:
        """Return what each value of a parameter weighs beside the other cells."""
        lanes = self.sum >> self.layer.lane_of[p] & self.layer.lanes_of[p]
        return [lanes >> shift & ALL_OF_LANE for shift in self.layer.shifts[p]]

    def worth(self) -> int:
        """Return what the open tuples of the row weigh."""
        lane_of, first = self.layer.lane_of, self.cover.first
        whole = sum(self.sum >> (first[p] + v) * LANE & ALL_OF_LANE for p, v in enumerate(self.row) if p in lane_of)
        return whole // 2  # each pair was met from both of its items


class PlainCovering(PlainFewer):
    """Rows in which every tuple of values that is needed stands."""

    def forbid(self, tuples: Sequence[Cells]) -> None:
        """Let tuples with these cells not be needed."""
        for cells in tuples:
            for layer in self.layers:
                layer.forbid(cells)

    def count(self) -> list[int]:
        """Return how many tuples each layer needs."""
        return [layer.count_left(NEEDED) for layer in self.layers]

    def count_least(self) -> int:
        """Return how many rows there are at least: no row has two tuples of the same parameters."""
        return self._find_start(NEEDED)[0]

    # -- rows ------------------------------------------------------------------------------------------------------

    def begin(self, rows: Rows) -> int:
        """Begin with these rows; return how many tuples are open."""
        for layer in self.layers:
            layer.reset()
        for row in rows:
            self._show(row)
        return sum(layer.count_left(OPEN) for layer in self.layers)

    def _show(self, row: Sequence[int]) -> int:
        """Let the tuples of a row be open no more; return how many were."""
        news = self._count_news(row)
        for layer in self.layers:
            items = self.items_of(row, layer)
            layer.show(items, sum(1 << item for item in items))
        return news

    def _count_news(self, row: Sequence[int]) -> int:
        news = 0
        for layer in self.layers:
            items, bits = self.items_of(row, layer), 0
            for place, item in enumerate(items):
                news += layer.gain(OPEN, item, items[:place], bits, weighted=False)
                bits |= 1 << item
        return news

    def grow(self, candidates: int, ahead: int) -> tuple[list[int] | None, int, Cells] | None:
        """Return the next row, how many of its tuples are new, and the tuple it started from; None at the end."""
        is_open, layer, members = self._find_start(OPEN)
        for each in self.layers:
            each.weigh(is_open * ahead)
        if not is_open:
            is_open, layer, members = self._find_any()
        if not is_open:
            return None
        best, row, cells = -1, None, Cells()
        for number in range(candidates):
            chosen = self.draw(is_open)
            items = next(itertools.islice(layer.each(OPEN, members), chosen, None))
            cells = tuple((p, x - self.first[p]) for p, x in zip(members, items, strict=True))
            worth, made = self._make_candidate(cells, widest_first=bool(number & 1))
            if worth > best:
                best, row = worth, made
        if row is None:
            return None, 0, cells
        return row, self._show(row), cells

    def _find_start(self, which: int) -> tuple[int, PlainLayer, list[int]]:
        best, found, chosen = 0, self.layers[0], list[int]()
        for layer in self.layers:
            for members in itertools.combinations(layer.widest(), layer.t):
                there = layer.count_in(which, sorted(members))
                if there > best:
                    best, found, chosen = there, layer, sorted(members)
        return best, found, chosen

    def _find_any(self) -> tuple[int, PlainLayer, list[int]]:
        for layer in self.layers:
            for number, members in enumerate(itertools.combinations(layer.params, layer.t)):
                if number < layer.cursor:
                    continue
                layer.cursor = number
                if there := layer.count_in(OPEN, members):
                    return there, layer, list(members)
            layer.cursor += 1
        return 0, self.layers[0], []

    def _shuffle(self, order: list[int]) -> None:
        for i in range(len(order) - 1, 0, -1):
            other = self.draw(i + 1)
            order[i], order[other] = order[other], order[i]

    def _make_candidate(self, cells: Cells, *, widest_first: bool) -> tuple[int, list[int] | None]:
        answer, behind = self.find_legal(cells, LARGE_REPAIR)
        if answer != 1:
            return -1, None
        made, kept = self._begin_row(), [False] * len(behind)
        for p, v in cells:
            made.put(p, v)
            kept[p] = True
        order = [p for p in self.params if not kept[p]]
        self._shuffle(order)
        if widest_first:
            order.sort(key=lambda p: -self.levels[p])
        chosen = list(kept)
        for p in order:
            self._choose_value(p, made, behind, chosen)
        for sweep in range(SWEEPS):
            gained, sideways = False, sweep < SIDEWAYS
            self._shuffle(order)
            for p in order:
                gains = made.gains(p)
                least = gains[made.row[p]]
                if max(gains) > least or (sideways and gains.count(least) > 1):
                    gained |= self._improve(p, made, kept, gains, sideways=sideways)
            if not gained:
                break
        return made.worth(), made.row

    def _begin_row(self) -> _Made:
        layer = self.layers[0]
        whole = len(self.layers) == 1 and len(layer.params) == len(self.params)
        return _MadeOfPairs(self, layer) if whole and isinstance(layer, PlainPairs) else _Made(self)

    def _choose_value(self, p: int, made: _Made, behind: list[int], chosen: list[bool]) -> None:
        """Give a parameter the value of greatest gain that leaves a legal row behind."""
        levels, first, gains = self.levels[p], self.draw(self.levels[p]), made.gains(p)
        cyclic = [*range(first, levels), *range(first)]
        if not self.of_param[p]:
            behind[p] = max(cyclic, key=gains.__getitem__)
        else:
            for best in sorted(cyclic, key=lambda v: -gains[v]):
                old, behind[p] = behind[p], best
                if best == old or self.keeps_rules(p, behind):
                    break
                fixed = list(chosen)
                fixed[p] = True
                if self.repair(behind, fixed, LARGE_REPAIR, (p,)) == 1:
                    break
                behind[p] = old
        made.put(p, behind[p])
        chosen[p] = True

    def _improve(self, p: int, made: _Made, kept: list[bool], gains: list[int], *, sideways: bool) -> bool:
        """Change one value where that gains, others with it if the rules ask for that; tell whether it was gained."""
        now, row = made.row[p], made.row
        least = gains[now]
        if max(gains) > least:
            cyclic = [*range(now + 1, self.levels[p]), *range(now)]
            for best in sorted((v for v in cyclic if gains[v] > least), key=lambda v: -gains[v]):
                row[p] = best
                legal = self.keeps_rules(p, row)
                whole, row[p] = row if legal else list(row), now
                if legal:
                    made.take(p)
                    made.put(p, best)
                    return True
                fixed = list(kept)
                fixed[p] = True
                if self.repair(whole, fixed, SMALL_REPAIR, (p,)) == 1 and self._change_all(made, whole):
                    return True
        if sideways and gains.count(least) > 1:
            equal = gains.index(least, now + 1) if least in gains[now + 1 :] else gains.index(least)
            if self.draw(2):
                row[p] = equal
                legal, row[p] = self.keeps_rules(p, row), now
                if legal:
                    made.take(p)
                    made.put(p, equal)
        return False

    def _change_all(self, made: _Made, row: list[int]) -> bool:
        """Let the row that is made be another one, if that gains."""
        changed = [p for p in self.params if made.row[p] != row[p]]
        old = [made.row[p] for p in changed]
        gained = 0
        for p, v in zip(changed, old, strict=True):
            made.take(p)
            gained -= made.gains(p)[v]
        for p in changed:
            gained += made.gains(p)[row[p]]
            made.put(p, row[p])
        if gained > 0:
            return True
        for p, v in zip(changed, old, strict=True):
            made.take(p)
            made.put(p, v)
        return False

    def arrange(self, rows: Rows, fixed: int) -> list[int]:
        """Return the numbers of the rows in an order in which each shows most that is new."""
        self.begin([])
        most: dict[int, int] = dict.fromkeys(range(fixed, len(rows)), -1)
        order = list(range(fixed))
        for number in order:
            self._show(rows[number])
        while most:
            best, news = -1, -1
            for number, known in most.items():
                if 0 <= known <= news:
                    continue
                most[number] = self._count_news(rows[number])
                if most[number] > news:
                    best, news = number, most[number]
            del most[best]
            order.append(best)
            self._show(rows[best])
        return order

    def missing(self, rows: Rows, most: int) -> tuple[int, list[Cells]]:
        """Return how many needed tuples no row has, and the first of them."""
        left = self.begin(rows)
        found = (
            tuple((p, x - self.first[p]) for p, x in zip(members, items, strict=True))
            for layer in self.layers
            for members in itertools.combinations(layer.params, layer.t)
            for items in layer.each(OPEN, members)
        )
        return left, list(itertools.islice(found, most))
