"""Many items, done a piece of them at a time by whoever takes pieces; what became of them comes in their order."""

from __future__ import annotations

import collections
import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, wait
from typing import Any, TypeVar

T = TypeVar("T")
Sizes = int | Iterable[int]  # of the pieces: all alike, or one after the other
PAUSE = 0.05  # seconds between two looks at the clock


def piece_sizes(total: int, hands: int, *, most: int = 64, few: int = 8) -> Iterator[int]:
    """Yield sizes of pieces: large at first, small towards the end, where nobody is to wait long for the others.

    A piece of less than a `few` items costs more to hand out than it saves, unless there is no more for each hand.
    """
    while total > 0:
        size = min(most, max(total // (2 * hands), min(few, math.ceil(total / hands))))
        yield size
        total -= size


def group_items(items: Iterable[T], sizes: Sizes) -> Iterator[Sequence[T]]:
    """Yield the items in pieces of these sizes."""
    remaining = iter(items)
    for size in itertools.repeat(sizes) if isinstance(sizes, int) else sizes:
        piece = tuple(itertools.islice(remaining, size))
        if not piece:
            return
        yield piece


def hand_out(
    pieces: Iterable[Sequence[T]],
    submit: Callable[[Sequence[T]], Future[Any]],
    *,
    ahead: int,
    tick: Callable[[], object] | None = None,
) -> Iterator[tuple[Sequence[T], Future[Any]]]:
    """Yield each piece with what is done of it, in their order; so many are under way at once.

    `tick` is called now and then while a piece is waited for; it may end all by raising.
    """
    under_way: collections.deque[tuple[Sequence[T], Future[Any]]] = collections.deque()
    remaining = iter(pieces)
    try:
        while True:
            for piece in itertools.islice(remaining, ahead - len(under_way)):
                under_way.append((piece, submit(piece)))
            if not under_way:
                return
            while not wait([under_way[0][1]], PAUSE).done:
                if tick is not None:
                    tick()
            yield under_way.popleft()
    finally:
        for _, future in under_way:
            future.cancel()
