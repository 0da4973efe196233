"""Fewer rows where pairs alone are asked for: the moves of `plain_fewer`, from sets of bits.

Of each item a set says which rows have it: two items stand together in the rows that both sets have. So a cell that
changes is counted against the rest of its row by one AND for each, and only what begins or ceases to be open, or to
stand in one row only, is written down.
"""

from __future__ import annotations

from collections.abc import Sized
from typing import TYPE_CHECKING, Protocol

from unlike.covering.plain_layers import NEEDED, PlainPairs

if TYPE_CHECKING:
    from unlike.covering.plain_rules import PlainRules

FEW_REPAIRS = 40  # changes that make a row legal again
MUCH_WORSE = 40  # open tuples more than the least so far
LUCK = 300  # one in so many moves looks better than it is
Rows = list[list[int]]
Pair = tuple[int, int]
Move = tuple[int, int, int, list[Pair]]  # what it gains, how long ago (as a number that falls), the row, the changes


class RowSearch(Protocol):
    """Rows that are repaired step by step, of which one is dropped whenever nothing is lacking."""

    rows: Rows
    fewest: Rows
    fixed: int  # the first rows, which stay

    @property
    def lacking(self) -> Sized:
        """What no row shows."""

    def drop_row(self) -> None:
        """Leave a row out."""

    def make_step(self) -> None:
        """Change a row."""


def search_fewer(search: RowSearch, steps: int, low: int) -> tuple[int, int]:
    """Make some steps; return how many rows the best has, and how many steps were made."""
    made = 0
    while True:
        if not search.lacking:
            search.fewest = [list(row) for row in search.rows]
            if len(search.rows) <= low or len(search.rows) <= search.fixed:
                break
            search.drop_row()
            continue
        if made == steps:
            break
        search.make_step()
        made += 1
    return len(search.fewest), made


class PairSearch:
    """Rows with what pairs they show."""

    def __init__(self, rules: PlainRules, layer: PlainPairs, rows: Rows, fixed: int) -> None:
        self.rules, self.fixed = rules, fixed
        self.first, self.owner = rules.first, layer.owner
        self.params = layer.params
        items = range(rules.first[-1])
        self.needed = [layer.of[NEEDED].get((item,), 0) for item in items]
        self.open, self.once = list(self.needed), [0 for _ in items]
        self.rows_with = [0 for _ in items]
        self.rows = [list(row) for row in rows]
        self.fewest = [list(row) for row in rows]
        self.tabu = [[0] * len(rules.levels) for _ in rows]
        self.step, self.last, self.least_missing = 0, 0, 0
        self.lacking: list[Pair] = []
        self.place_of: dict[Pair, int] = {}
        for number, row in enumerate(self.rows):
            taken: list[int] = []
            for p in self.params:
                self._add(number, self.first[p] + row[p], taken)
                taken.append(self.first[p] + row[p])
        self.bits = [self._bits_of(row) for row in self.rows]

    def _bits_of(self, row: list[int]) -> int:
        return sum(1 << self.first[p] + row[p] for p in self.params)

    # -- counting --------------------------------------------------------------------------------------------------

    def _add(self, number: int, item: int, others: list[int]) -> None:
        """Put an item into a row beside others, which rise."""
        there, needed, rows_with = self.rows_with[item], self.needed[item], self.rows_with
        for other in others:
            both = there & rows_with[other]
            if both & (both - 1) or not needed >> other & 1:
                continue  # in two rows or more already
            if both:
                self.once[item] &= ~(1 << other)
                self.once[other] &= ~(1 << item)
                continue
            self.open[item] &= ~(1 << other)
            self.open[other] &= ~(1 << item)
            self.once[item] |= 1 << other
            self.once[other] |= 1 << item
            self._forget((item, other) if item < other else (other, item))
        self.rows_with[item] = there | 1 << number

    def _forget(self, pair: Pair) -> None:
        place = self.place_of.pop(pair, None)
        if place is None:
            return
        last = self.lacking.pop()
        if place < len(self.lacking):
            self.lacking[place] = last
            self.place_of[last] = place

    def _remove(self, number: int, item: int, others: list[int]) -> None:
        """Take an item out of a row."""
        there = self.rows_with[item] & ~(1 << number)
        self.rows_with[item] = there
        needed, rows_with = self.needed[item], self.rows_with
        for other in others:
            both = there & rows_with[other]  # without this row
            if both & (both - 1) or not needed >> other & 1:
                continue
            if both:
                self.once[item] |= 1 << other
                self.once[other] |= 1 << item
                continue
            self.once[item] &= ~(1 << other)
            self.once[other] &= ~(1 << item)
            self.open[item] |= 1 << other
            self.open[other] |= 1 << item
            pair = (item, other) if item < other else (other, item)
            self.place_of[pair] = len(self.lacking)
            self.lacking.append(pair)

    # -- a row less ------------------------------------------------------------------------------------------------

    def _count_own(self, number: int) -> int:
        row, bits, found = self.rows[number], self.bits[number], 0
        for p in self.params:
            found += (self.once[self.first[p] + row[p]] & bits).bit_count()
        return found  # each twice

    def drop_row(self) -> None:
        """Leave out the row that shows the least by itself."""
        worst = min(range(self.fixed, len(self.rows)), key=self._count_own)
        items = [self.first[p] + self.rows[worst][p] for p in self.params]
        for place, item in enumerate(items):
            self._remove(worst, item, items[place + 1 :])
        moved = len(self.rows) - 1
        row, bits, tabu = self.rows.pop(), self.bits.pop(), self.tabu.pop()
        if worst < moved:
            self.rows[worst], self.bits[worst], self.tabu[worst] = row, bits, tabu
            for p in self.params:
                self.rows_with[self.first[p] + row[p]] ^= 1 << worst | 1 << moved
        self.least_missing, self.last = len(self.lacking), self.step

    # -- moves -----------------------------------------------------------------------------------------------------

    def make_step(self) -> None:
        """Change a row so that it shows something that is lacking."""
        self.step += 1
        draw = self.rules.draw
        one, two = self.lacking[draw(len(self.lacking))]
        there = len(self.rows) - self.fixed
        if there <= 0:
            return
        start, lucky = draw(there), self.fixed + draw(LUCK)
        if move := self._find_move(one, two, start, lucky):
            self._make_move(move[2], move[3])

    def _find_move(self, one: int, two: int, start: int, lucky: int) -> Move | None:
        """Return the best way to put a pair into a row, from one row on."""
        p, q = self.owner[one], self.owner[two]
        v, w = one - self.first[p], two - self.first[q]
        first_p, first_q, step = self.first[p], self.first[q], self.step
        open_one, open_two, once = self.open[one], self.open[two], self.once
        ruled = bool(self.rules.rules_with[p] or self.rules.rules_with[q])
        worse = len(self.lacking) > self.least_missing + MUCH_WORSE
        spare = len(self.lacking) - self.least_missing
        best: Move | None = None
        most, oldest = -(1 << 60), 0
        for number in (*range(self.fixed + start, len(self.rows)), *range(self.fixed, self.fixed + start)):
            row, tabu, bits = self.rows[number], self.tabu[number], self.bits[number]
            old, other = row[p], row[q]
            age_p, age_q = tabu[p] if old != v else 0, tabu[q] if other != w else 0
            age = age_p if age_p > age_q else age_q
            if age > step and worse:
                continue
            changes: list[Pair] | None = None
            if ruled:
                changes = self._legal_changes(number, p, v, q, w)
                if changes is None:
                    continue
            if changes:
                age = max(0, *(tabu[each] for each, _ in changes))
                gains = self._change_of(number, changes)
            elif old == v:
                gains = (open_two & bits).bit_count() - (once[first_q + other] & bits).bit_count()
            elif other == w:
                gains = (open_one & bits).bit_count() - (once[first_p + old] & bits).bit_count()
            else:
                left = bits ^ (1 << first_p + old | 1 << first_q + other)
                gains = (open_one & left).bit_count() + (open_two & left).bit_count() + 1
                gains -= (once[first_p + old] & bits).bit_count() + (once[first_q + other] & left).bit_count()
            if age > step and gains <= spare:
                continue
            if number == lucky:
                gains += 1 + self.rules.draw(2)
            if gains > most or (gains == most and age < oldest):
                most, oldest = gains, age
                best = (gains, age, number, changes or [])
        if best is None or best[3]:
            return best
        row = self.rows[best[2]]
        return (*best[:3], [(each, value) for each, value in ((p, v), (q, w)) if row[each] != value])

    def _legal_changes(self, number: int, p: int, v: int, q: int, w: int) -> list[Pair] | None:
        """Return the changes that make two values legal; none where they are alone, nothing where none were found."""
        row, rules = self.rows[number], self.rules
        old, other = row[p], row[q]
        row[p], row[q] = v, w
        legal = (old == v or rules.keeps_rules(p, row)) and (other == w or rules.keeps_rules(q, row))
        whole = row if legal else list(row)
        row[p], row[q] = old, other
        if legal:
            return []
        fixed = [False] * len(row)
        fixed[p] = fixed[q] = True
        changed = [each for each in (p, q) if row[each] != whole[each]]
        if rules.repair(whole, fixed, FEW_REPAIRS, changed) != 1:
            return None
        return [(each, value) for each, value in enumerate(whole) if row[each] != value]

    def _change_of(self, number: int, changes: list[Pair]) -> int:
        """Return how many more pairs are shown when a row changes."""
        row, bits, found = self.rows[number], self.bits[number], 0
        for p, _ in changes:
            item = self.first[p] + row[p]
            bits &= ~(1 << item)
            found -= (self.once[item] & bits).bit_count()
        for p, v in changes:
            item = self.first[p] + v
            found += (self.open[item] & bits).bit_count()
            bits |= 1 << item
        return found

    def _make_move(self, number: int, changes: list[Pair]) -> None:
        row, tabu, first = self.rows[number], self.tabu[number], self.first
        gone = {p for p, _ in changes}
        taken = {p: first[p] + row[p] for p in self.params}
        for p, _ in changes:
            item = taken.pop(p)
            self._remove(number, item, list(taken.values()))
        kept = [p for p in self.params if p not in gone]
        for p, v in changes:
            self._add(number, first[p] + v, [first[each] + row[each] for each in kept])
            row[p] = v
            kept = sorted((*kept, p))
            tabu[p] = self.step + 1 + self.rules.draw(4) + (self.step - self.last >> 13) % 3 * 3
        self.bits[number] = self._bits_of(row)
        if len(self.lacking) < self.least_missing:
            self.least_missing, self.last = len(self.lacking), self.step

    def search(self, steps: int, low: int) -> tuple[int, int]:
        """Make some steps; return how many rows the best has, and how many steps were made."""
        return search_fewer(self, steps, low)
