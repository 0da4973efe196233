"""Few rows in which every pair of values of two factors occurs, where one factor may exist only under another.

Factors join one by one, the widest first, optional fields after others. Existing rows take the value that shows most
new pairs; pairs that are left over go into rows with open places, or into new rows. So a factor that joins late leaves
earlier rows as they are, and a field that is added to a type changes few inputs.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from unlike.errors import ScopeError
from unlike.structure.cover.factors import Factor, Tallies, is_above, merged
from unlike.structure.cover.tree import Decisions

MOST_PAIRS = 400_000
MOST_ROWS = 20_000
VARIANTS = 60  # ways to break ties that are tried when a factor joins, where they are quick
WORK = 80_000


@dataclass(slots=True)
class _Row:
    decisions: dict[int, int] = field(default_factory=dict)
    taken: dict[int, int] = field(default_factory=dict)  # factor -> value


def pair_rows(
    factors: list[Factor], forbidden: Sequence[Decisions] = (), tallies: Tallies | None = None
) -> list[dict[int, int]]:
    """Return rows of decisions that show every pair; places no pair asks for stay open.

    No row holds decisions that are forbidden together, or more or fewer counted fields than there may be.
    """
    order = sorted(range(len(factors)), key=lambda index: (-_width(factors[index]), factors[index].optional, index))
    ordered = [factors[index] for index in order if _width(factors[index])]
    _check_size(ordered)
    if not ordered:
        return []
    array = _Array(ordered, Forbidden(forbidden, tallies))
    for index in range(len(ordered)):
        array.add(index)
    return [row.decisions for row in array.needed()]


def _width(factor: Factor) -> int:
    return sum(value.pairs for value in factor.values)


def _check_size(factors: list[Factor]) -> None:
    widths = [_width(factor) for factor in factors]
    pairs = (sum(widths) ** 2 - sum(width**2 for width in widths)) // 2
    if pairs > MOST_PAIRS:
        raise ScopeError(f"about {pairs:,} pairs are more than {MOST_PAIRS:,}; use cover='each', or a part of the type")
    rows = math.prod(sorted(widths)[-2:])
    if rows > MOST_ROWS and len(widths) > 1:
        raise ScopeError(f"pairs take at least {rows:,} inputs, more than {MOST_ROWS:,}; use cover='each'")


class Forbidden:
    """Decisions that cannot stand together, found by any one of them."""

    def __init__(self, forbidden: Iterable[Decisions], tallies: Tallies | None = None) -> None:
        self.tallies = tallies
        self.by_decision: dict[tuple[int, int], list[Decisions]] = {}
        for each in forbidden:
            for decision in each.items():
                self.by_decision.setdefault(decision, []).append(each)

    def allow(self, decisions: Decisions) -> bool:
        """Tell whether nothing forbidden is among the decisions."""
        if self.tallies is not None and self.tallies.broken(decisions):
            return False
        if not self.by_decision:
            return True
        return not any(
            all(decisions.get(number) == option for number, option in each.items())
            for decision in decisions.items()
            for each in self.by_decision.get(decision, ())
        )

    def merged(self, first: Decisions, second: Decisions) -> dict[int, int] | None:
        """Return both decisions together, or nothing if they contradict each other or are forbidden."""
        both = merged(first, second)
        return both if both is not None and self.allow(both) else None


class _Array:
    def __init__(self, factors: list[Factor], forbidden: Forbidden) -> None:
        self.factors = factors
        self.forbidden = forbidden
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
            for other in self.partners[index]
            for theirs in self.values(other)
            for value in self.values(index)
            if self.forbidden.merged(self.wholes[other][theirs], self.wholes[index][value]) is not None
        ]
        width = max(len(factor.values) for factor in self.factors)
        return dict.fromkeys(sorted(found, key=lambda pair: ((pair[0] - pair[2]) % width, pair)))

    def grow(self, index: int, missing: dict[tuple[int, int, int], None], variant: int) -> None:
        """Give every row that can have the factor the value that shows most new pairs; variants break ties."""
        used = dict.fromkeys(self.values(index), 0)
        for place, row in enumerate(self.rows):
            best: tuple[int, int, int] | None = None
            for value in used:
                if self.forbidden.merged(row.decisions, self.wholes[index][value]) is None:
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
            value, other, theirs = next(iter(missing))
            whole = self.forbidden.merged(self.wholes[index][value], self.wholes[other][theirs])
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
        return row.taken.get(index, value) == value and self.forbidden.merged(row.decisions, whole) is not None

    def needed(self) -> list[_Row]:
        """Return the rows without those whose pairs all appear in other rows."""
        for row in self.rows:
            for index in range(len(self.factors)):
                if index not in row.taken:
                    self.imply(row, index)
        shown = [self.shown(row) for row in self.rows]
        times: dict[tuple[int, int, int, int], int] = {}
        for pairs in shown:
            for pair in pairs:
                times[pair] = times.get(pair, 0) + 1
        kept: list[_Row] = []
        for row, pairs in zip(reversed(self.rows), reversed(shown), strict=True):
            if pairs and all(times[pair] > 1 for pair in pairs):
                for pair in pairs:
                    times[pair] -= 1
            else:
                kept.append(row)
        return kept[::-1]

    def shown(self, row: _Row) -> list[tuple[int, int, int, int]]:
        return [
            (index, value, other, row.taken[other])
            for index, value in sorted(row.taken.items())
            for other in self.partners[index]
            if other in row.taken
        ]
