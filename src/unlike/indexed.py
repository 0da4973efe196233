"""Finite spaces that are counted and reached by index without being listed.

A space of a billion members is a few of these objects. Everything that can be enumerated directly is
made of them: ranges of numbers, branches of a regex, the members of a product.
"""

from __future__ import annotations

import bisect
import itertools
import math
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar, runtime_checkable

from unlike.errors import ScopeError

GOLDEN = 6180339887498949  # of 10 ** 16: the golden section, whose multiples are spread most evenly
ELSEWHERE = 7548776662466927  # of 10 ** 16: the same for points of a plane; starts of streams that are spread

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
U = TypeVar("U")


class Indexed(Protocol[T_co]):
    """A finite space: `count()` members, each reached by `at(i)` for 0 <= i < count()."""

    def count(self) -> int:
        """Return how many members there are."""

    def at(self, index: int) -> T_co:
        """Return the member at the index."""


@dataclass(frozen=True, slots=True)
class Integers:
    """The integers low, low + step, … up to high: what a field may hold, or numbers at a distance from each other.

    Three kinds of integers are others, on purpose: the codes of a spec's value are a set that is cut and united
    (`specs.numbers.Intervals`), a shape's line says which value a code is (`structure.shapes`), and an open argument
    may be a rank on a scale (`classes.open.templates.Open`).
    """

    low: int
    high: int
    step: int = 1

    def count(self) -> int:
        """Return how many integers there are."""
        return max(0, (self.high - self.low) // self.step + 1)

    def at(self, index: int) -> int:
        """Return the integer at the index."""
        return self.low + index * self.step

    def __str__(self) -> str:
        return str(self.low) if self.low == self.high else f"{self.low}..{self.high}"


@dataclass(frozen=True, slots=True)
class Listed(Generic[T]):
    """The members of a sequence that is there already."""

    members: Sequence[T]

    def count(self) -> int:
        """Return how many members there are."""
        return len(self.members)

    def at(self, index: int) -> T:
        """Return the member at the index."""
        return self.members[index]


@dataclass(frozen=True, slots=True)
class Sliced(Generic[T_co]):
    """The members of a space at some indices."""

    whole: Indexed[T_co]
    indices: range

    def count(self) -> int:
        """Return how many members there are; `len` ends where indices of machines end."""
        start, stop, step = self.indices.start, self.indices.stop, self.indices.step
        return max(0, -((start - stop) // step))

    def at(self, index: int) -> T_co:
        """Return the member at the index."""
        return self.whole.at(self.indices[index])


@runtime_checkable
class Streamed(Protocol[T_co]):
    """A space whose members are found faster one after the other than each by its index."""

    def stream(self) -> Iterator[T_co]:
        """Yield every member in order of index."""


class Sum(Generic[T]):
    """One space after the other."""

    __slots__ = ("_ends", "parts")

    def __init__(self, parts: Sequence[Indexed[T]]) -> None:
        self.parts = parts
        self._ends = list(itertools.accumulate(part.count() for part in parts))

    def count(self) -> int:
        """Return how many members all parts have together."""
        return self._ends[-1] if self._ends else 0

    def at(self, index: int) -> T:
        """Return the member at the index."""
        which = bisect.bisect_right(self._ends, index)
        before = self._ends[which - 1] if which else 0
        return self.parts[which].at(index - before)


class Product(Generic[T]):
    """One member of each space; the last space varies fastest."""

    __slots__ = ("_counts", "parts")

    def __init__(self, parts: Sequence[Indexed[T]]) -> None:
        self.parts = parts
        self._counts = [part.count() for part in parts]

    def count(self) -> int:
        """Return how many combinations there are."""
        return math.prod(self._counts)

    def at(self, index: int) -> tuple[T, ...]:
        """Return the combination at the index."""
        members: list[T] = []
        for part, count in zip(reversed(self.parts), reversed(self._counts), strict=True):
            index, digit = divmod(index, count)
            members.append(part.at(digit))
        return tuple(reversed(members))


@dataclass(frozen=True, slots=True)
class Mapped(Generic[T, U]):
    """A space seen through a function that keeps different members different."""

    space: Indexed[T]
    function: Callable[[T], U]

    def count(self) -> int:
        """Return how many members there are."""
        return self.space.count()

    def at(self, index: int) -> U:
        """Return the image of the member at the index."""
        return self.function(self.space.at(index))


def members(space: Indexed[T]) -> Iterator[T]:
    """Yield every member in order of index; a space that has a `stream` of its own goes through them in one pass."""
    match space:
        case Sum(parts=parts):
            for part in parts:
                yield from members(part)
        case Mapped(inner, function):
            yield from map(function, members(inner))
        case Streamed():
            yield from space.stream()
        case _:
            for index in range(space.count()):
                yield space.at(index)


def draw_indices(count: int, n: int, *, seed: int = 0) -> list[int]:
    """Return n different indices below count, drawn uniformly; the same ones for the same seed.

    >>> draw_indices(10**30, 2, seed=1) == draw_indices(10**30, 2, seed=1)
    True
    """
    if n < 0:
        raise ScopeError(f"n={n!r} must be at least 0")
    chance = random.Random(seed)
    if n >= count:
        return list(range(count))
    swapped: dict[int, int] = {}  # a shuffle that remembers only the places it touched
    drawn = []
    for place in range(n):
        other = chance.randrange(place, count)
        drawn.append(swapped.get(other, other))
        swapped[other] = swapped.get(place, place)
    return drawn


def in_digits(count: int) -> str:
    """Return a count as a person reads it; one of very many digits by its order of magnitude."""
    return str(count) if count.bit_length() <= 256 else f"about 10^{int(count.bit_length() * 0.30103)}"


def spread_indices(count: int, start: int = 0) -> Iterator[int]:
    """Yield every index below count once, each far from the ones before it; another start begins elsewhere.

    The step is the golden section of count, made coprime to it, so that any prefix is spread evenly.

    >>> list(spread_indices(8))
    [0, 5, 2, 7, 4, 1, 6, 3]
    """
    stride = stride_of(count)
    index = start * stride_of(count, ELSEWHERE) % count if start and count else 0
    for _ in range(count):
        yield index
        index += stride
        if index >= count:
            index -= count


def in_growing_turns(streams: Iterable[Iterator[T]], *, joining: int = 1) -> Iterator[T]:
    """Yield a member of each stream so far, then one more stream joins (or several), until all are used up.

    >>> list(in_growing_turns([iter("ab"), iter("12")]))
    ['a', 'b', '1', '2']
    """
    waiting, running = iter(streams), list[Iterator[T]]()
    while True:
        running += itertools.islice(waiting, joining)
        if not running:
            return
        for stream in list(running):
            found = next(stream, None)
            if found is None:
                running.remove(stream)
            else:
                yield found


def stride_of(count: int, section: int = GOLDEN) -> int:
    """Return a step near a section of count, in parts of 10 ** 16, that visits every index once."""
    stride = max(1, count * section // 10**16 + 1)  # integers: exact for counts of any size
    while math.gcd(stride, count) != 1:
        stride += 1
    return stride % count if count > 1 else 1
