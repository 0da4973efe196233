"""Chance that is the same everywhere: numbers that place, turn and seed decide, each place independent of the others.

A field that is added elsewhere changes nothing here, and no two places move together.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from typing import NamedTuple, TypeVar

from unlike.indexed import spread_indices

WORD = (1 << 64) - 1  # 64 bits
STEP, FIRST, SECOND = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB  # splitmix64, which passes every test
SCATTERED = 4_096  # more indices are looked at by nobody, and to scatter one takes some microseconds
ROUNDS = 4  # of mixing: what two halves need to know nothing of each other

T = TypeVar("T")


class Chance:
    """A stream of numbers that its key decides."""

    __slots__ = ("state",)

    def __init__(self, key: int) -> None:
        self.state = key

    def bits(self) -> int:
        """Return the next 64 bits."""
        self.state = (self.state + STEP) & WORD
        mixed = ((self.state ^ (self.state >> 30)) * FIRST) & WORD
        mixed = ((mixed ^ (mixed >> 27)) * SECOND) & WORD
        return mixed ^ (mixed >> 31)

    def below(self, count: int) -> int:
        """Return a number from 0 to below the count, each as likely as the others."""
        if count < 1 << 32:
            return self.bits() * count >> 64
        return ((self.bits() << 128) + (self.bits() << 64) + self.bits()) * count >> 192  # addresses have 128 bits

    def happens(self, percent: int) -> bool:
        """Tell whether something happens that does in so many of a hundred cases."""
        return self.below(100) < percent

    def one_of(self, options: Sequence[T]) -> T:
        """Return one of the options."""
        return options[self.below(len(options))]


class Turn(NamedTuple):
    """Which filling of open places it is: what for, the how manyth, and of which seed."""

    word: str
    number: int = 0
    seed: int = 0

    def under(self, option: int) -> Turn:
        """Return the turn for what lies below an option: at the same place, and independent of that choice."""
        return self._replace(word=f"{self.word} {option}")


@functools.lru_cache(maxsize=1 << 14)
def key_of(*words: object) -> int:
    """Return the key of a place, or of a place in a turn: 64 bits of a good hash of its words."""
    return int.from_bytes(
        blake2b(" ".join(map(str, words)).encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big"
    )


@functools.lru_cache(maxsize=1 << 12)
def _shuffle_options(key: int, options: int) -> list[int]:
    chance, order = Chance(key), list(range(options))
    for last in range(options - 1, 0, -1):
        other = chance.below(last + 1)
        order[last], order[other] = order[other], order[last]
    return order


def deal(place: int, turn: int, options: int) -> int:
    """Return which option comes at a turn: each once in every round, every round in another order.

    >>> sorted(deal(key_of("age"), turn, 4) for turn in range(4))
    [0, 1, 2, 3]
    """
    if options < 2:
        return 0
    round_number, at = divmod(turn, options)
    return _shuffle_options(Chance(place ^ round_number).bits(), options)[at]


def scatter_indices(count: int) -> Iterator[int]:
    """Yield every index below count once: the first SCATTERED in an order without any pattern, then spread evenly.

    Halves of the index are mixed with each other in rounds (a Feistel network), which is one to one; what falls beyond
    the count is mixed again until it does not.

    >>> sorted(scatter_indices(6))
    [0, 1, 2, 3, 4, 5]
    """
    half = max(1, (max(count - 1, 1).bit_length() + 1) // 2)
    shown = dict.fromkeys(_mix_halves(start, count, half) for start in range(min(count, SCATTERED)))
    yield from shown
    if len(shown) < count:
        yield from (index for index in spread_indices(count) if index not in shown)


def _mix_halves(index: int, count: int, half: int) -> int:
    low = (1 << half) - 1
    while True:
        left, right = index >> half, index & low
        for turn in range(ROUNDS):
            mixed = (right + turn * STEP) * FIRST & WORD
            left, right = right, left ^ ((mixed ^ mixed >> 29) * SECOND >> 20 & low)
        index = left << half | right
        if index < count:
            return index
