"""From the values of each parameter to the ways a call is made: all of them, or of very many every pair, or each value.

Of two parameters with two values each there are four ways. A constructor of 30 switches is called in some forty, in
which any two switches stand in all four positions; with two lists of 10,000 values each value once, beside the first
of the other list.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from unlike.covering_arrays import pair_columns

MOST_WAYS = 20_000  # to call one operation
FEWER_WAYS = (MOST_WAYS, 4_000, 1_000, 400, 100)  # to call each, where all operations together have too many
MOST_IN_ALL = 10_000  # ways to call all operations of an exploration: each is tried on every object
MOST_GUESSED = 40  # ways to call an operation for which values are guessed
MOST_RANKED = 10_000  # rows of ranked places that are made and put in order
FEW_OTHERS = 3  # places of a list that stand beside the same places of all others
MOST_PAIRED = 20_000  # pairs of values for which rows are sought: beyond it that takes longer than the calls


@dataclass(frozen=True, slots=True)
class CallWays:
    """CallWays to make a call, a value for each parameter, and in words which were left out."""

    rows: Iterable[tuple[Any, ...]]
    left_out: str = ""


def ways_of(choices: Sequence[Sequence[Any]], most: int = MOST_WAYS, optional: Sequence[bool] = ()) -> CallWays:
    """Return all combinations of the choices; of more than so many, some in which every pair, or every value, stands.

    The first choice of each parameter is the plainest: what is left out, or 0. Where it is told which parameters are
    `optional`, and even the single values are more than so many, those of these lose first.
    """
    counts = [len(each) for each in choices]
    total = math.prod(counts)
    if total <= most:
        return CallWays(itertools.product(*choices))
    single, pairs = _each(counts), _pairs(counts, most)
    both = list(dict.fromkeys((*single, *pairs)))  # an argument that is refused spoils every row of pairs it stands in
    name, chosen = "every pair of arguments", both
    if not pairs or len(both) > most:
        name, chosen = "one argument after the other", _first_of(single, most, optional) if optional else single
    rows = [tuple(each[index] for each, index in zip(choices, row, strict=True)) for row in chosen]
    return CallWays(rows, f"{name} in {len(rows):,} of {total:,} ways" if len(rows) < total else "")


def _pairs(counts: Sequence[int], most: int) -> list[tuple[int, ...]]:
    """Return rows in which any two places show every pair; none where these are too many, or that would take long."""
    pairs = (sum(counts) ** 2 - sum(count**2 for count in counts)) // 2
    fewest = math.prod(sorted(counts)[-2:])  # each pair of the two longest lists has a row of its own
    return sorted(map(tuple, pair_columns(counts))) if pairs <= MOST_PAIRED and fewest <= most else []


def _each(counts: Sequence[int]) -> list[tuple[int, ...]]:
    """Return a row of first values, and rows with another value in one place."""
    first = (0,) * len(counts)
    others = ((*first[:place], index, *first[place + 1 :]) for place, n in enumerate(counts) for index in range(1, n))
    return [first, *others]


def _first_of(rows: Sequence[tuple[int, ...]], most: int, optional: Sequence[bool]) -> list[tuple[int, ...]]:
    """Return so many rows: what is required first, then the first values of all others, then the second ones."""

    def rank(row: tuple[int, ...]) -> tuple[int, int]:
        place = next((place for place, index in enumerate(row) if index), None)
        return (0, 0) if place is None else (int(optional[place]), row[place])

    kept = set(sorted(rows, key=rank)[:most])
    return [row for row in rows if row in kept]


def likeliest_rows(counts: Sequence[int], cost: Callable[[tuple[int, ...]], Any] = sum) -> list[tuple[int, ...]]:
    """Return places in ranked lists, those that cost least first: all combinations, or of very many some.

    Of very many there are those with the same place in each list, then those that have another in one of them.
    """
    if math.prod(counts) <= MOST_RANKED:
        return sorted(itertools.product(*map(range, counts)), key=cost)
    depth = range(max(counts))
    alike = [tuple(min(place, count - 1) for count in counts) for place in depth]
    others = [
        (*row[:at], place, *row[at + 1 :])
        for row in alike
        for at, count in enumerate(counts)
        for place in range(min(count, FEW_OTHERS))
    ]
    return list(dict.fromkeys((*alike, *others)))


def shared_places(
    wanted: Sequence[type], classes: Sequence[type]
) -> Iterator[tuple[tuple[type, ...], tuple[int, ...]]]:
    """Yield the ways in which one object stands in several places: the classes that fit, and which object stands where.

    Of two places for objects of one class: `(cls,), (0, 0)`, as in `x.merge(x)`.
    """
    for places in _groupings(len(wanted)):
        groups: dict[int, list[type]] = {}
        for place, cls in zip(places, wanted, strict=True):
            groups.setdefault(place, []).append(cls)
        for fitting in itertools.product(*(_fitting(group, classes) for group in groups.values())):
            yield fitting, places


def _groupings(count: int) -> Iterator[tuple[int, ...]]:
    """Yield the ways to put things into groups, numbered as they come; not the one where each is alone."""

    def grow(places: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if len(places) == count:
            if len(set(places)) < count:
                yield places
            return
        for place in range(max(places, default=-1) + 2):
            yield from grow((*places, place))

    return grow(())


def _fitting(group: Sequence[type], classes: Sequence[type]) -> list[type]:
    """Return the classes whose objects are of all the classes of the group, without those derived from others."""
    known = [*dict.fromkeys((*group, *classes))]
    fitting = [each for each in known if all(issubclass(each, cls) for cls in group)]
    return [each for each in fitting if not any(other is not each and issubclass(each, other) for other in fitting)]
