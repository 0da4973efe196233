"""Fewer rows, in plain Python: the twin of `native/covering_fewer.c`, where it is told.

Pairs alone have a search of their own (`plain_pairs`), which makes the same moves faster.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from unlike.covering.plain_layers import NEEDED, ONCE, OPEN, Items, PlainLayer, PlainPairs
from unlike.covering.plain_pairs import FEW_REPAIRS, LUCK, MUCH_WORSE, PairSearch, Rows, search_fewer
from unlike.covering.plain_rules import Cells, PlainRules

NEAR = 12  # rows that need more than one change, looked at for a tuple


class PlainFewer(PlainRules):
    """The search: a row less, again and again, and open tuples put where least is lost."""

    pairs: PairSearch | None = None

    def items_of(self, row: Sequence[int], layer: PlainLayer) -> list[int]:
        """Return the items of a row that are taken, of the parameters of a layer."""
        return [self.first[p] + row[p] for p in layer.params if row[p] >= 0]

    def begin_search(self, rows: Rows, fixed: int) -> None:
        """Begin to look for fewer rows."""
        self.pairs = None
        if len(self.layers) == 1 and isinstance(self.layers[0], PlainPairs):
            self.pairs = PairSearch(self, self.layers[0], rows, fixed)
            return
        self.rows = [list(row) for row in rows]
        self.fewest = [list(row) for row in rows]
        self.tabu = [[0] * len(self.levels) for _ in rows]
        self.fixed, self.step, self.last, self.least_missing = fixed, 0, 0, 0
        self.lacking: list[tuple[int, Items]] = []
        for layer in self.layers:
            layer.begin_search()
        self.row_bits = [[sum(1 << x for x in self.items_of(row, each)) for each in self.layers] for row in rows]
        for row in self.rows:
            self._count_row(row, more=True)

    def _count_row(self, row: list[int], *, more: bool) -> None:
        made = [-1] * len(row) if more else list(row)
        for p, v in enumerate(row):
            made[p] = -1
            self._count_cell(made, p, v, more=more)
            if more:
                made[p] = v

    def _count_cell(self, row: list[int], p: int, v: int, *, more: bool) -> None:
        """Count the tuples of one cell with the rest of a row, in the order of their parameters."""
        item = self.first[p] + v
        for number, layer in self.by_param[p]:
            others = [self.first[q] + row[q] for q in layer.params if row[q] >= 0 and q != p]
            for some in itertools.combinations(others, layer.t - 1):
                self._count_tuple(number, layer, tuple(sorted((item, *some))), more=more)

    def _count_tuple(self, number: int, layer: PlainLayer, items: Items, *, more: bool) -> None:
        if not layer.has(NEEDED, items):
            return
        before = layer.times.get(items, 0)
        layer.times[items] = before + 1 if more else before - 1
        if more and before == 0:
            layer.mark(items, OPEN, on=False)
            layer.mark(items, ONCE, on=True)
            if (number, items) in self.lacking:
                place, last = self.lacking.index((number, items)), self.lacking.pop()
                if place < len(self.lacking):
                    self.lacking[place] = last
        elif more and before == 1:
            layer.mark(items, ONCE, on=False)
        elif not more and before == 1:
            layer.mark(items, ONCE, on=False)
            layer.mark(items, OPEN, on=True)
            self.lacking.append((number, items))
        elif not more and before == 2:
            layer.mark(items, ONCE, on=True)

    def _gain(self, which: int, p: int, v: int, row: list[int], bits: list[int]) -> int:
        item, found = self.first[p] + v, 0
        for number, layer in self.by_param[p]:
            taken = [] if layer.t == 2 else self.items_of(row, layer)
            found += layer.gain(which, item, taken, bits[number], weighted=False)
        return found

    def _put(self, bits: list[int], p: int, v: int) -> None:
        for number, _ in self.by_param[p]:
            bits[number] ^= 1 << (self.first[p] + v)

    def _change_of(self, number: int, changes: list[tuple[int, int]]) -> int:
        """Return how many more tuples are shown when a row changes."""
        row, bits = list(self.rows[number]), list(self.row_bits[number])
        found = 0
        for p, _ in changes:
            v, row[p] = row[p], -1
            self._put(bits, p, v)
            found -= self._gain(ONCE, p, v, row, bits)
        for p, v in changes:
            found += self._gain(OPEN, p, v, row, bits)
            row[p] = v
            self._put(bits, p, v)
        return found

    def _count_own(self, number: int) -> int:
        row, bits, found = list(self.rows[number]), list(self.row_bits[number]), 0
        for p, v in enumerate(self.rows[number]):
            row[p] = -1
            self._put(bits, p, v)
            found += self._gain(ONCE, p, v, row, bits)
        return found

    def drop_row(self) -> None:
        """Leave out the row that shows the least by itself."""
        worst = min(range(self.fixed, len(self.rows)), key=self._count_own)
        self._count_row(self.rows[worst], more=False)
        for each in (self.rows, self.row_bits, self.tabu):
            last = each.pop()
            if worst < len(each):
                each[worst] = last
        self.least_missing, self.last = len(self.lacking), self.step

    def _look_at(self, number: int, cells: Cells, best: list[object], *, far: bool, lucky: int) -> bool:
        """Look at one row for a tuple; keep the best move. `far`: rows with more than one change."""
        row, tabu = self.rows[number], self.tabu[number]
        changes = [(p, v) for p, v in cells if row[p] != v]
        if len(cells) > 2 and (len(changes) == 1) == far:
            return False
        is_tabu = any(tabu[p] > self.step for p, _ in changes)
        if is_tabu and len(self.lacking) > self.least_missing + MUCH_WORSE:
            return True
        whole = list(row)
        for p, v in changes:
            whole[p] = v
        if not all(self.keeps_rules(p, whole) for p, _ in changes):
            fixed = [False] * len(row)
            for p, _ in cells:
                fixed[p] = True
            if self.repair(whole, fixed, FEW_REPAIRS, [p for p, _ in changes]) != 1:
                return True
            changes = [(p, v) for p, v in enumerate(whole) if row[p] != v]
            is_tabu = is_tabu or any(tabu[p] > self.step for p, _ in changes)
        gains = self._change_of(number, changes)
        if is_tabu and len(self.lacking) - gains >= self.least_missing:
            return True
        if number == lucky:
            gains += 1 + self.draw(2)
        rank = (gains, -max(0, *(tabu[p] for p, _ in changes)))
        if not best or rank > best[0]:  # type: ignore[operator]
            best[:] = [rank, number, changes]
        return True

    def make_step(self) -> None:
        """Change a row so that it shows something that is lacking."""
        self.step += 1
        layer_number, items = self.lacking[self.draw(len(self.lacking))]
        owner = self.layers[layer_number].owner
        cells = tuple((owner[x], x - self.first[owner[x]]) for x in items)
        there = len(self.rows) - self.fixed
        if there <= 0:
            return
        start, lucky = self.draw(there), self.fixed + self.draw(LUCK)
        order = [self.fixed + (s + start) % there for s in range(there)]
        best: list[object] = []
        for number in order:
            self._look_at(number, cells, best, far=False, lucky=lucky)
        if len(cells) > 2 and (not best or not self.draw(8)):
            looked = 0
            for number in order:
                looked += self._look_at(number, cells, best, far=True, lucky=lucky)
                if looked == NEAR:
                    break
        if best:
            self._make_move(best[1], best[2])  # type: ignore[arg-type]

    def _make_move(self, number: int, changes: list[tuple[int, int]]) -> None:
        row, tabu = self.rows[number], self.tabu[number]
        for p, _ in changes:
            v, row[p] = row[p], -1
            self._count_cell(row, p, v, more=False)
        for p, v in changes:
            self._count_cell(row, p, v, more=True)
            row[p] = v
            tabu[p] = self.step + 1 + self.draw(4) + (self.step - self.last >> 13) % 3 * 3
        self.row_bits[number] = [sum(1 << x for x in self.items_of(row, each)) for each in self.layers]
        if len(self.lacking) < self.least_missing:
            self.least_missing, self.last = len(self.lacking), self.step

    def search(self, steps: int, low: int) -> tuple[int, int]:
        """Make some steps; return how many rows the best has, and how many steps were made."""
        if self.pairs is not None:
            return self.pairs.search(steps, low)
        return search_fewer(self, steps, low)

    def best(self) -> Rows:
        """Return the fewest rows so far."""
        return [list(row) for row in (self.fewest if self.pairs is None else self.pairs.fewest)]
