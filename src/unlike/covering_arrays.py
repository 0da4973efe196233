"""A few of many that show everything: rows with every pair of values of two factors, and few of given things.

A factor may exist only under another. Factors join one by one, the widest first, optional fields after others.
Existing rows take the value that shows most new pairs; pairs that are left over go into rows with open places, or into
new rows. So a factor that joins late leaves earlier rows as they are, and a field that is added to a type changes few
inputs.
"""

from __future__ import annotations

import contextlib
import heapq
import math
import zlib
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeAlias, TypeVar

from unlike.core import FOREVER, CutShort, Deadline
from unlike.errors import ScopeError

MOST_PAIRS = 400_000  # more are refused: the work grows with them
MOST_ROWS = 20_000  # of inputs that are built and checked; the rows of columns alone may be more
VARIANTS = 60  # ways to break ties that are tried when a factor joins, where they are quick
MOST_DOMINATED = 4_000  # sets of which each is compared with all others
WORK = 80_000  # pairs times rows, over all variants of one factor: wide tables try fewer of them

T = TypeVar("T", bound=Hashable)
Decisions: TypeAlias = Mapping[int, int]  # number of what is decided on -> which of its options


@dataclass(frozen=True, slots=True)
class FactorValue:
    """One value of a factor: the decisions it stands for, and whether it enters pairs."""

    decisions: Decisions
    pairs: bool = True


@dataclass(frozen=True, slots=True)
class Factor:
    """Values of which an input takes one, whenever it takes the decisions of the condition."""

    condition: Decisions
    values: tuple[FactorValue, ...]
    optional: bool = False

    def whole(self, value: int) -> dict[int, int]:
        """Return all decisions that the value needs."""
        return {**self.condition, **self.values[value].decisions}


def merge_decisions(first: Decisions, second: Decisions) -> dict[int, int] | None:
    """Return both decisions together, or nothing if they contradict each other."""
    if any(first.get(number, option) != option for number, option in second.items()):
        return None
    return {**first, **second}


def is_above(one: Factor, two: Factor) -> bool:
    """Tell whether the second factor is there only under a value of the first."""
    own: Mapping[int, int] = one.values[0].decisions
    (number, *_) = own
    return number in two.condition


@dataclass(slots=True)
class _Row:
    decisions: dict[int, int] = field(default_factory=dict)
    taken: dict[int, int] = field(default_factory=dict)  # factor -> value


def pair_columns(counts: Sequence[int]) -> list[list[int]]:
    """Return rows in which any two columns show every pair of their values; column i has counts[i] values.

    >>> pair_columns([2, 1, 2])
    [[0, 0, 0], [1, 0, 1], [1, 0, 0], [0, 0, 1]]
    """
    factors = [
        Factor({}, tuple(FactorValue({column: value}) for value in range(count)))
        for column, count in enumerate(counts)
        if count > 1
    ]
    rows = pair_rows(factors, most=MOST_PAIRS) or [{}]
    return [[row.get(column, 0) for column in range(len(counts))] for row in rows]


def pair_rows(
    factors: list[Factor], forbidden: Forbidden | None = None, *, most: int = MOST_ROWS, deadline: Deadline = FOREVER
) -> list[dict[int, int]]:
    """Return rows of decisions that show every pair; places no pair asks for stay open.

    No row holds decisions that are forbidden together. Where two factors alone need more than `most` rows, it is
    refused.
    """
    order = sorted(range(len(factors)), key=lambda index: (-_width(factors[index]), factors[index].optional, index))
    ordered = [factors[index] for index in order if _width(factors[index])]
    _check_size(ordered, most)
    if not ordered:
        return []
    array = _PairArray(ordered, forbidden or Forbidden(), deadline)
    for index in range(len(ordered)):
        array.add(index)
    return [row.decisions for row in array.drop_rows()]


def _width(factor: Factor) -> int:
    return sum(value.pairs for value in factor.values)


def _check_size(factors: list[Factor], most: int) -> None:
    widths = [_width(factor) for factor in factors]
    pairs = (sum(widths) ** 2 - sum(width**2 for width in widths)) // 2
    if pairs > MOST_PAIRS:
        raise ScopeError(f"about {pairs:,} pairs are more than {MOST_PAIRS:,}; use cover='each', or a part of the type")
    rows = math.prod(sorted(widths)[-2:])
    if rows > most and len(widths) > 1:
        raise ScopeError(f"pairs take at least {rows:,} inputs, more than {most:,}; use cover='each'")


class Forbidden:
    """Decisions that cannot stand together, found by any one of them; or by a function that says what they break."""

    def __init__(self, forbidden: Iterable[Decisions] = (), broken: Callable[[Decisions], str] | None = None) -> None:
        self.broken = broken
        self.by_decision: dict[tuple[int, int], list[Decisions]] = {}
        for each in forbidden:
            for decision in each.items():
                self.by_decision.setdefault(decision, []).append(each)

    def allow(self, decisions: Decisions) -> bool:
        """Tell whether nothing forbidden is among the decisions."""
        if self.broken is not None and self.broken(decisions):
            return False
        if not self.by_decision:
            return True
        return not any(
            all(decisions.get(number) == option for number, option in each.items())
            for decision in decisions.items()
            for each in self.by_decision.get(decision, ())
        )

    def merge(self, first: Decisions, second: Decisions) -> dict[int, int] | None:
        """Return both decisions together, or nothing if they contradict each other or are forbidden."""
        both = merge_decisions(first, second)
        return both if both is not None and self.allow(both) else None


class _PairArray:
    def __init__(self, factors: list[Factor], forbidden: Forbidden, deadline: Deadline) -> None:
        self.factors = factors
        self.forbidden = forbidden
        self.deadline = deadline
        self.rows: list[_Row] = []
        self.partners: list[list[int]] = []
        self.wholes = [[factor.whole(value) for value in range(len(factor.values))] for factor in factors]
        self.above = [[other for other, each in enumerate(factors) if is_above(each, factor)] for factor in factors]

    def add(self, index: int) -> None:
        """Let one more factor join."""
        factor = self.factors[index]
        if not index:
            self.partners.append([])
            self.rows = [self.row({}, {}, index, value) for value in self.values(index)]
            return
        partners = [
            other
            for other in range(index)
            if not is_above(self.factors[other], factor) and not is_above(factor, self.factors[other])
        ]
        self.partners.append(partners)
        pairs = self.pairs(index)
        before, best = self.rows, list[_Row]()
        for variant in range(max(1, min(VARIANTS, WORK // max(1, len(pairs) * len(before))))):
            self.rows = [_Row(dict(row.decisions), dict(row.taken)) for row in before]
            missing = dict(pairs)
            self.grow(index, missing, variant)
            self.fill(index, missing)
            if not best or len(self.rows) < len(best):
                best = self.rows
            if len(best) == len(before):
                break  # no row was added: it cannot be better
        self.rows = best

    def values(self, index: int) -> list[int]:
        return [value for value, each in enumerate(self.factors[index].values) if each.pairs]

    def row(self, decisions: dict[int, int], taken: dict[int, int], index: int, value: int) -> _Row:
        return _Row({**decisions, **self.wholes[index][value]}, {**taken, index: value})

    def pairs(self, index: int) -> dict[tuple[int, int, int], None]:
        """Return all pairs of the new factor with earlier ones: diagonal first, so that a short prefix shows much."""
        found = [
            (value, other, theirs)
            for other in self.deadline.each(self.partners[index])
            for theirs in self.values(other)
            for value in self.values(index)
            if self.forbidden.merge(self.wholes[other][theirs], self.wholes[index][value]) is not None
        ]
        width = max(len(factor.values) for factor in self.factors)
        return dict.fromkeys(sorted(found, key=lambda pair: ((pair[0] - pair[2]) % width, pair)))

    def grow(self, index: int, missing: dict[tuple[int, int, int], None], variant: int) -> None:
        """Give every row that can have the factor the value that shows most new pairs; variants break ties."""
        used = dict.fromkeys(self.values(index), 0)
        for place, row in enumerate(self.deadline.each(self.rows)):
            best: tuple[int, int, int] | None = None
            for value in used:
                if self.forbidden.merge(row.decisions, self.wholes[index][value]) is None:
                    continue
                gain = sum((value, other, row.taken.get(other, -1)) in missing for other in self.partners[index])
                tie = -used[value] if not variant else zlib.crc32(f"{variant} {place} {value}".encode())
                rank = (gain, tie, -value)
                best = max(best, rank) if best else rank
            if best is None or (not best[0] and not self.is_active(row, index)):
                continue  # it cannot be there, or need not be
            self.take(row, index, -best[2], missing)
            used[-best[2]] += 1

    def is_active(self, row: _Row, index: int) -> bool:
        condition = self.factors[index].condition
        return all(row.decisions.get(number) == option for number, option in condition.items())

    def take(self, row: _Row, index: int, value: int, missing: dict[tuple[int, int, int], None]) -> None:
        row.decisions.update(self.wholes[index][value])
        row.taken[index] = value
        for other in self.above[index]:  # a value taken below a condition implies the condition's value
            if other not in row.taken:
                self.imply(row, other)
        for other in self.partners[index]:
            missing.pop((value, other, row.taken.get(other, -1)), None)

    def imply(self, row: _Row, other: int) -> None:
        for value in self.values(other):
            whole = self.wholes[other][value]
            if all(row.decisions.get(number) == option for number, option in whole.items()):
                row.taken[other] = value
                return

    def fill(self, index: int, missing: dict[tuple[int, int, int], None]) -> None:
        """Put the pairs that are left over into rows with open places, or into new rows."""
        spare = [row for row in self.rows if self.is_open(row, index)]
        while missing:
            self.deadline.check()
            value, other, theirs = next(iter(missing))
            whole = self.forbidden.merge(self.wholes[index][value], self.wholes[other][theirs])
            assert whole is not None
            row = next((row for row in spare if self.fits(row, index, value, whole)), None)
            if row is None:
                row = _Row()
                self.rows.append(row)
                spare.append(row)
            row.decisions.update(whole)
            row.taken.setdefault(other, theirs)
            self.take(row, index, value, missing)
            missing.pop((value, other, theirs), None)
            if not self.is_open(row, index):
                spare.remove(row)

    def is_open(self, row: _Row, index: int) -> bool:
        """Tell whether a factor that has joined could still take a value in the row."""
        return any(other not in row.taken for other in range(index + 1))

    def fits(self, row: _Row, index: int, value: int, whole: dict[int, int]) -> bool:
        return row.taken.get(index, value) == value and self.forbidden.merge(row.decisions, whole) is not None

    def drop_rows(self) -> list[_Row]:
        """Return the rows without those whose pairs all appear in other rows."""
        for row in self.deadline.each(self.rows):
            for index in range(len(self.factors)):
                if index not in row.taken:
                    self.imply(row, index)
        last_first = self.rows[::-1]
        # one factor alone has no pairs
        shown = [self.find_pairs(row) or [(place,)] for place, row in enumerate(self.deadline.each(last_first))]
        return [last_first[place] for place in drop_needless(shown)][::-1]

    def find_pairs(self, row: _Row) -> list[tuple[int, ...]]:
        return [
            (index, value, other, row.taken[other])
            for index, value in sorted(row.taken.items())
            for other in self.partners[index]
            if other in row.taken
        ]


# -- few of given things -----------------------------------------------------------------------------------------


def choose_few(shown: Sequence[Iterable[T]]) -> list[int]:
    """Return the places of a few that together show what all of them show: most news first, then needless ones out.

    >>> choose_few([{1}, {1, 2}, {3}])
    [1, 2]
    """
    sets = [frozenset(each) for each in shown]
    open_ = set[T]().union(*sets)
    waiting = [(-len(each), place) for place, each in enumerate(sets)]
    heapq.heapify(waiting)
    taken: list[int] = []
    while open_:
        news, place = heapq.heappop(waiting)
        now = len(sets[place] & open_)
        if now < -news:  # others have shown some of it meanwhile
            if now:
                heapq.heappush(waiting, (-now, place))
            continue
        taken.append(place)
        open_ -= sets[place]
    return sorted(taken[place] for place in drop_needless([sets[place] for place in taken]))


def drop_needless(shown: Sequence[Collection[T]]) -> list[int]:
    """Return the places of those that are left when each that shows nothing of its own is dropped, the first first."""
    times = Counter(pair for pairs in shown for pair in pairs)
    kept = []
    for place, pairs in enumerate(shown):
        if all(times[pair] > 1 for pair in pairs):
            times.subtract(pairs)
        else:
            kept.append(place)
    return kept


def choose_fewest(shown: Sequence[Iterable[T]], steps: int, deadline: Deadline = FOREVER) -> tuple[list[int], bool]:
    """Return the places of as few as possible that show what all of them show, and whether fewer cannot.

    So many steps are made at most: a step takes one that shows a pair which few show, and looks at what is left.

    >>> choose_fewest([{1, 2, 3}, {1, 2, 4}, {3, 5}, {4, 5, 6}, {6}], 100)
    ([0, 3], True)
    """
    first: dict[frozenset[T], int] = {}
    for place, each in enumerate(deadline.each(shown)):
        first.setdefault(frozenset(each), place)
    sets = list(first)
    if len(sets) <= MOST_DOMINATED:
        sets = [each for each in deadline.each(sets) if not any(each < other for other in sets)]
    search = _FewestSearch(sets, choose_few(sets), steps, deadline)
    with contextlib.suppress(CutShort):
        search.go(frozenset[T]().union(*sets), [])
    return sorted(first[sets[place]] for place in search.best), search.steps > 0 and not deadline.is_over()


class _FewestSearch(Generic[T]):
    """Which of some sets are the fewest that have all members: one branch for each set that has the rarest member."""

    def __init__(self, sets: Sequence[frozenset[T]], known: list[int], steps: int, deadline: Deadline) -> None:
        self.sets, self.best, self.steps, self.deadline = sets, known, steps, deadline
        self.where: dict[T, list[int]] = {}
        for place, each in enumerate(sets):
            for member in each:
                self.where.setdefault(member, []).append(place)

    def go(self, left: frozenset[T], taken: list[int]) -> None:
        """Look for fewer than are known, with those that are taken."""
        self.steps -= 1
        if self.steps <= 0:
            return
        self.deadline.check()
        if not left:
            self.best = taken
            return
        if len(taken) + self.at_least(left) >= len(self.best):
            return
        rarest = min(left, key=lambda member: (len(self.where[member]), self.where[member]))
        for place in sorted(self.where[rarest], key=lambda place: (-len(self.sets[place] & left), place)):
            self.go(left - self.sets[place], [*taken, place])

    def at_least(self, left: frozenset[T]) -> int:
        """Return how many it takes for the rest: members of which no set has two, the rarest first."""
        used: set[int] = set()
        count = 0
        for member in sorted(left, key=lambda member: (len(self.where[member]), self.where[member])):
            if used.isdisjoint(self.where[member]):
                used.update(self.where[member])
                count += 1
        return count


def count_needed(shown: Sequence[Iterable[T]], deadline: Deadline = FOREVER) -> int:
    """Return a number of things of which fewer cannot show all: pairs of which nothing shows two."""
    sets = [frozenset(each) for each in deadline.each(shown)]
    where: dict[T, set[int]] = {}
    for place, each in enumerate(deadline.each(sets)):
        for pair in each:
            where.setdefault(pair, set()).add(place)
    used: set[int] = set()
    count = 0
    for _, _, places in sorted((len(places), min(places), sorted(places)) for places in where.values()):
        if used.isdisjoint(places):
            used.update(places)
            count += 1
    return count
