"""Streams of members that grow only as far as they are needed, and how they combine.

A Source remembers what it has yielded. It ends because there is no more (and says in what sense), or because it was
cut short (and says by what). Every combination visits its parts so that the first members vary in every part.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Generic, TypeVar

from unlike.chance import deal, key_of, scatter_indices
from unlike.core import CutShort
from unlike.indexed import Indexed, spread_indices
from unlike.suite import Ending, Status

T = TypeVar("T")
U = TypeVar("U")

AHEAD = 64  # members read at once where that costs little
SMALL = 16  # members around the plainest one that come first
BITS = 1_000_000  # of a count; a larger one is as good as unknown


class Source(Generic[T]):
    """A stream of members, remembered as far as it was read."""

    __slots__ = ("_ending", "_parts", "_seen", "_stream", "_taken", "_watched", "count", "cut", "dear", "words")

    def __init__(
        self,
        stream: Iterable[T],
        words: str,
        *,
        count: int | None = None,
        ending: Ending | Callable[[], Ending] = Ending.COMPLETE,
        parts: Sequence[Source[object]] = (),
        watched: Sequence[Source[object]] = (),
        dear: bool = False,
    ) -> None:
        self._stream: Iterator[T] | None = iter(stream)
        self._seen: list[T] = []
        self._taken = 0  # so many of those seen were taken
        self.count = count  # how many members there are, if that is known without reading them
        self._ending = ending
        self._parts = parts
        self._watched = watched  # where one of these was cut short, so is this one at its end
        self.cut: Status | None = None
        self.words = words
        self.dear: bool = dear or any(part.dear for part in parts)  # a solver is asked: read no more than needed

    @property
    def ending(self) -> Ending:
        """What it means that there are no more members: complete, or only maximal."""
        own = self._ending if isinstance(self._ending, Ending) else self._ending()
        if own is Ending.COMPLETE and any(part.ending is Ending.MAXIMAL for part in self._parts):
            return Ending.MAXIMAL
        return own

    def size(self, most: int) -> int:
        """Return how many members there are, reading no more than `most`."""
        if self.count is not None and self.count <= len(self._seen):
            return min(self.count, most)
        self._read_into(self._seen, most)
        return min(len(self._seen), most)

    def _read_into(self, members: list[T], most: int) -> None:
        """Read on until there are so many members in a list."""
        if self._stream is None or len(members) >= most or self.count == 0:
            return
        try:
            members.extend(itertools.islice(self._stream, most - len(members)))  # what came before an exception stays
            if len(members) < most:
                self._stream = None
                self.cut = next((part.cut for part in (*self._parts, *self._watched) if part.cut), None)
        except CutShort as cut:
            self._stream = None
            self.cut = cut.status

    def take_into(self, members: list[T], most: int) -> None:
        """Put the next members into an empty list, at most so many, and remember none: whoever takes reads alone."""
        members += self._seen[self._taken : self._taken + most]
        self._taken += len(members)
        self._read_into(members, most)

    def once(self) -> Iterator[T]:
        """Yield every member and remember none: whoever takes reads alone."""
        step = 1 if self.dear else AHEAD
        while True:
            members: list[T] = []
            self.take_into(members, step)
            if not members:
                break
            yield from members
        if self.cut:
            raise CutShort(self.cut)

    def at(self, index: int) -> T:
        """Return the member at the index, which `size` must have reached."""
        if index >= len(self._seen):
            self.size(index + 1)
        return self._seen[index]

    def __iter__(self) -> Iterator[T]:
        index, step = 0, 1 if self.dear else AHEAD
        while (there := self.size(index + step)) > index:
            yield from self._seen[index:there]  # a slice goes there at once
            index = there
        if self.cut:
            raise CutShort(self.cut)


def list_source(members: Sequence[T], words: str) -> Source[T]:
    """Return the source of members that are there already."""
    return Source(members, words, count=len(members))


def order_space(
    space: Indexed[T], words: str, *, first: Sequence[int] = (), anchor: int = 0, step: int = 1, seed: int = 0
) -> Source[T]:
    """Return the members of a counted space: those named first (or the plainest, and the ends), then spread over it.

    With a seed they are spread over the space from the beginning, starting elsewhere for each seed; those named first
    are, too.
    """
    count = space.count()
    rest = plain_first(count, anchor, step) if not seed and not first else spread_indices(count, seed)
    begin = seed % len(first) if first else 0
    named = dict.fromkeys([*first[begin:], *first[:begin]])
    indexes = itertools.chain(named, (index for index in rest if index not in named))
    return Source(map(space.at, indexes), words, count=count)


def plain_first(count: int, anchor: int = 0, step: int = 1) -> Iterator[int]:
    """Yield every index below count once: some near the anchor, the two ends, then spread over the rest.

    >>> list(plain_first(7, anchor=3))
    [3, 4, 2, 5, 1, 6, 0]
    """
    if count <= 4 * SMALL:
        yield from _around(anchor, count, 1)
        return
    first = [*_around(anchor, count, step, most=SMALL), 0, count - 1]
    seen = dict.fromkeys(first)
    yield from seen
    for index in spread_indices(count):
        if index not in seen:
            yield index


def _around(anchor: int, count: int, step: int, *, most: int | None = None) -> Iterator[int]:
    reach = max(anchor, count - 1 - anchor) // step if most is None else most // 2
    yield anchor
    for away in range(1, reach + 1):
        for index in (anchor + away * step, anchor - away * step):
            if 0 <= index < count:
                yield index


def product(sources: Sequence[Source[T]], words: str, *, apart: int = 0) -> Source[tuple[T, ...]]:
    """Return one member of each source: at first a new one of each every time, then in growing boxes.

    With `apart` each source is so many members ahead of the one before it at first: a list of items is not one item.
    """
    counts = [source.count for source in sources]
    known = [count for count in counts if count is not None]
    countable = len(known) == len(counts) and sum(each.bit_length() for each in known) <= BITS
    count = 0 if 0 in known else math.prod(known) if countable else None
    return Source(_side_by_side_then_boxes(sources, apart), words, count=count, parts=list(sources))  # type: ignore[arg-type]


def _side_by_side_then_boxes(sources: Sequence[Source[T]], apart: int) -> Iterator[tuple[T, ...]]:
    shown: set[tuple[int, ...]] = set()
    for digits in itertools.chain(_side_by_side(sources, apart), _boxes(sources)):
        if digits in shown:
            continue
        if len(shown) < AHEAD:
            shown.add(digits)
        yield tuple(source.at(digit) for source, digit in zip(sources, digits, strict=True))


def _side_by_side(sources: Sequence[Source[T]], apart: int) -> Iterator[tuple[int, ...]]:
    """Yield places in the sources, the next one of each every time; one that ends begins again, in another order.

    In every round each of its members comes once: next the one that was seen least often with those beside it.
    """
    if len(sources) < 2:
        return
    rounds: list[list[int]] = [[] for _ in sources]  # of each source that has ended: what is left of its round
    beside = Counter[tuple[int, int, int, int]]()  # how often two members of two sources came together
    for turn in range(AHEAD):
        digits: list[int] = []
        for place, source in enumerate(sources):
            wanted = turn + place * apart
            there = source.size(wanted + 1)
            if not there:
                return
            if wanted >= there:
                if not rounds[place]:
                    key, start = key_of("side by side", place), wanted - wanted % there
                    rounds[place] = [deal(key, start + each, there) for each in range(there)]
                often = {
                    member: sum(beside[at, digit, place, member] for at, digit in enumerate(digits))
                    for member in rounds[place]
                }
                wanted = min(often, key=often.__getitem__)
                rounds[place].remove(wanted)
            beside.update((at, digit, place, wanted) for at, digit in enumerate(digits))
            digits.append(wanted)
        yield tuple(digits)


def _boxes(sources: Sequence[Source[T]]) -> Iterator[tuple[int, ...]]:
    """Yield the places of ever larger boxes, scattered over each: no two sources go in step."""
    inner = [0] * len(sources)
    side = SMALL
    while True:
        sizes = [source.size(side) for source in sources]
        if 0 in sizes or (
            sizes == inner and all(s.size(size + 1) == size for s, size in zip(sources, sizes, strict=True))
        ):
            return
        for index in scatter_indices(math.prod(sizes)) if len(sizes) > 1 else range(sizes[0]):
            digits = _digits(index, sizes)
            if any(digit >= before for digit, before in zip(digits, inner, strict=True)):
                yield digits
        inner, side = sizes, side * 4


def _digits(index: int, sizes: Sequence[int]) -> tuple[int, ...]:
    digits = []
    for size in sizes:
        index, digit = divmod(index, size)
        digits.append(digit)
    return tuple(digits)


def zip_sources(sources: Sequence[Source[T]], words: str) -> Source[tuple[T, ...]]:
    """Return the first members together, then the second, …: as many as the shortest source has."""

    def shortest() -> Ending:
        ended = [source for source in sources if source.size(len(members) + 1) <= len(members)]
        return Ending.COMPLETE if any(source.ending is Ending.COMPLETE for source in ended) else Ending.MAXIMAL

    members: list[tuple[T, ...]] = []

    def stream() -> Iterator[tuple[T, ...]]:
        while all(source.size(len(members) + 1) > len(members) for source in sources):
            members.append(tuple(source.at(len(members)) for source in sources))
            yield members[-1]
        for source in sources:
            if source.cut and source.size(len(members) + 1) <= len(members):
                raise CutShort(source.cut)

    counts = [source.count for source in sources if source.count is not None]
    count = min(counts) if len(counts) == len(sources) else None
    dear = any(source.dear for source in sources)
    return Source(stream(), words, count=count, ending=shortest, dear=dear)


def in_turn(sources: Sequence[Source[T]], words: str) -> Source[T]:
    """Return the members of all sources, one of each in turn."""

    def stream() -> Iterator[T]:
        index = 0
        alive = list(sources)
        while alive:
            alive = [source for source in alive if source.size(index + 1) > index]
            yield from (source.at(index) for source in alive)
            index += 1

    counts = [source.count for source in sources if source.count is not None]
    count = sum(counts) if len(counts) == len(sources) else None
    return Source(stream(), words, count=count, parts=list(sources))  # type: ignore[arg-type]


def map_source(source: Source[T], function: Callable[[T], U]) -> Source[U]:
    """Return the source seen through a function that keeps different members different; nobody else may read it."""
    stream = map(function, source.once())
    return Source(stream, source.words, count=source.count, ending=lambda: source.ending, dear=source.dear)
