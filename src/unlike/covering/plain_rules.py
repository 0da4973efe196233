"""Legal rows, and which tuples no legal row has, in plain Python; the twin of `native/covering_legal.c`.

A rule is a clause: at least one of its parameters has one of the values that it allows there.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence

from unlike.covering.plain_layers import NEEDED, OPEN, PlainLayer, PlainPairs

Cells = tuple[tuple[int, int], ...]
POOL = 64  # legal rows that others are made of
SAMPLE_BUDGET = 1_000  # changes to make one more legal row
FIRST_BUDGET = 100  # times as many to make the first one


class PlainRules:
    """The parameters, the rules, and legal rows."""

    def __init__(
        self,
        enters: list[bytes],
        rules: list[list[tuple[int, bytes]]],
        layers: list[tuple[int, list[int]]],
        seed: int,
    ) -> None:
        self.levels = [len(each) for each in enters]
        self.first = [0, *itertools.accumulate(self.levels)]
        self.params = range(len(enters))
        self.rules = [
            [(p, sum(1 << v for v, each in enumerate(allowed) if each)) for p, allowed in rule] for rule in rules
        ]
        self.of_param: list[list[int]] = [[] for _ in enters]
        for number, rule in enumerate(self.rules):
            for p in dict.fromkeys(p for p, _ in rule):
                self.of_param[p].append(number)
        self._index_rules()
        self.component = [p if self.of_param[p] else -1 for p in self.params]
        for rule in self.rules:
            for p, _ in rule[1:]:
                one, two = self.component[rule[0][0]], self.component[p]
                self.component = [one if each == two else each for each in self.component]
        made = [PlainPairs if t == 2 else PlainLayer for t, _ in layers]
        self.layers = [cls(enters, self.first, t, params) for cls, (t, params) in zip(made, layers, strict=True)]
        self.by_param = [[(n, each) for n, each in enumerate(self.layers) if p in each.local] for p in self.params]
        self.chance = seed
        self.look: Callable[[], object] = bool  # while rows are decided: what looks at the clock
        self.pool: list[list[int]] = []

    def draw(self, n: int) -> int:
        """Return the next number below n."""
        self.chance = (self.chance * 6364136223846793005 + 1442695040888963407) & 0xFFFFFFFFFFFFFFFF
        return (self.chance >> 33) % n

    # -- legal rows ------------------------------------------------------------------------------------------------

    def _index_rules(self) -> None:
        """Note for each value, as bits, the rules that it does not keep by itself: a few ANDs tell what is broken."""
        every = (1 << len(self.rules)) - 1
        self.broken_by = [[every] * levels for levels in self.levels]
        self.rules_with = [0] * len(self.levels)
        self.near: list[list[int]] = [[] for _ in self.levels]
        for number, rule in enumerate(self.rules):
            for p, allowed in rule:
                self.rules_with[p] |= 1 << number
                for v in range(self.levels[p]):
                    if allowed >> v & 1:
                        self.broken_by[p][v] &= ~(1 << number)
        for p in self.params:
            others = dict.fromkeys(q for number in self.of_param[p] for q, _ in self.rules[number])
            self.near[p] = [p, *(q for q in others if q != p)]

    def keeps_rules(self, p: int, row: Sequence[int]) -> bool:
        """Tell whether all rules that speak of a parameter hold."""
        return not self.rules_with[p] or not self._find_broken(p, row)

    def _find_broken(self, p: int, row: Sequence[int]) -> int:
        """Return the rules that speak of a parameter and do not hold."""
        broken, broken_by = self.rules_with[p], self.broken_by
        for q in self.near[p]:
            broken &= broken_by[q][row[q]]
            if not broken:
                break
        return broken

    def repair(self, row: list[int], fixed: list[bool], budget: int, changed: Sequence[int]) -> int:
        """Make the rules of changed parameters hold: 1, 0 if that cannot be, -1 beyond the budget."""
        self.budget = budget
        broken = 0
        for p in changed:
            broken |= self._find_broken(p, row)
        return self._mend(row, fixed, [self.rules_with[p] for p in changed], broken)

    def _mend(self, row: list[int], fixed: list[bool], waiting: list[int], broken: int) -> int:
        """Mend the first rule that is broken, of each set that waits the least number first."""
        if not broken:
            return 1
        self.budget -= 1
        if self.budget < 0:
            return -1
        self.look()
        at = next(at for at, each in enumerate(waiting) if each & broken)
        first = waiting[at] & broken
        number = (first & -first).bit_length() - 1
        later = [waiting[at] & -(2 << number), *waiting[at + 1 :]]
        rule = self.rules[number]
        turn = self.draw(len(rule))
        for p, allowed in (*rule[turn:], *rule[:turn]):
            if fixed[p]:
                continue
            old, fixed[p] = row[p], True
            first = self.draw(self.levels[p])
            for v in (*range(first, self.levels[p]), *range(first)):
                if not allowed >> v & 1:
                    continue
                row[p] = v
                now = broken & ~self.rules_with[p] | self._find_broken(p, row)
                answer = self._mend(row, fixed, [*later, self.rules_with[p]], now) if now else 1
                if answer == 1:
                    return 1
                if answer < 0:
                    row[p], fixed[p] = old, False
                    return -1
            row[p], fixed[p] = old, False
        return 0

    def find_legal(self, cells: Cells, budget: int) -> tuple[int, list[int]]:
        """Return whether there is a legal row with these cells, and the row."""
        row = list(self.pool[self.draw(len(self.pool))])
        fixed = [False] * len(row)
        for p, v in cells:
            row[p], fixed[p] = v, True
        return self.repair(row, fixed, budget, [p for p, _ in cells]), row

    # -- what cannot be --------------------------------------------------------------------------------------------

    def decide(
        self, samples: int, budget: int, look: Callable[[], object] = bool
    ) -> tuple[int, list[Cells], list[Cells]]:
        """Find out which tuples no legal row has: whether there is a row at all, what is impossible, what undecided.

        `look` is called now and then; what it raises ends the work.
        """
        self.look = look
        self.impossible: list[Cells] = []
        self.undecided: list[Cells] = []
        self.seen = [0] * self.first[-1]
        self.bad = [0] * self.first[-1]
        self.pool = []
        for layer in self.layers:
            layer.reset()
        legal = self._sample(samples, budget)
        if legal == 1 and self.rules:
            self._decide_pairs(budget)
            for layer in self.layers:
                if layer.t > 2:
                    self._decide_layer(layer, budget)
        self.look = bool
        return legal, self.impossible, self.undecided

    def _sample(self, samples: int, budget: int) -> int:
        for number in range(samples):
            row = [self.draw(levels) if self.of_param[p] else 0 for p, levels in enumerate(self.levels)]
            most = SAMPLE_BUDGET if number else budget * FIRST_BUDGET
            answer = self.repair(row, [False] * len(row), most, self.params)
            if answer < 1:
                if not self.pool:
                    return answer
                continue
            if len(self.pool) < POOL:
                self.pool.append(row)
            self._note(row)
            if not self.rules:
                break
        return 1

    def _note(self, row: list[int]) -> None:
        by_component: dict[int, int] = {}
        for p, v in enumerate(row):
            by_component[self.component[p]] = by_component.get(self.component[p], 0) | 1 << (self.first[p] + v)
        for p, v in enumerate(row):
            if self.component[p] >= 0:
                self.seen[self.first[p] + v] |= by_component[self.component[p]]
        for layer in self.layers:
            if layer.t > 2:
                items = [self.first[p] + row[p] for p in layer.params]
                layer.show(items, sum(1 << item for item in items))

    def _decide_one(self, cells: Cells, budget: int) -> None:
        answer, row = self.find_legal(cells, budget)
        if answer == 1:
            self._note(row)
            return
        (self.undecided if answer else self.impossible).append(cells)
        for layer in self.layers:
            layer.forbid(cells)
        if len(cells) <= 2:
            one, two = (self.first[p] + v for p, v in (cells[0], cells[-1]))
            self.bad[one] |= 1 << two
            self.bad[two] |= 1 << one

    def _decide_pairs(self, budget: int) -> None:
        for p in self.params:
            for v in range(self.levels[p]) if self.component[p] >= 0 else ():
                if not self.seen[self.first[p] + v] >> (self.first[p] + v) & 1:
                    self._decide_one(((p, v),), budget)
        for p, q in itertools.combinations(self.params, 2):
            if self.component[p] < 0 or self.component[p] != self.component[q]:
                continue
            for v, w in itertools.product(range(self.levels[p]), range(self.levels[q])):
                x, y = self.first[p] + v, self.first[q] + w
                if not (self.seen[x] >> y & 1 or self.bad[x] >> x & 1 or self.bad[y] >> y & 1):
                    self._decide_one(((p, v), (q, w)), budget)

    def _decide_layer(self, layer: PlainLayer, budget: int) -> None:
        for members in itertools.combinations(layer.params, layer.t):
            found = {self.component[p] for p in members}
            if len(found) > 1 or -1 in found:
                continue
            for items in layer.each(OPEN, members):
                known = any(self.bad[x] >> y & 1 for x in items for y in items)
                if not known and layer.has(NEEDED, items):
                    self._decide_one(tuple((p, x - self.first[p]) for p, x in zip(members, items, strict=True)), budget)
