"""From a shape and points to concrete states and objects, one after the other, none of them stored."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from typing import Any

from unlike.heap.canonical import INT64, LEAST_SMALL, MOST_SMALL, SMALL_INT, Table, Walk
from unlike.points import Point, Points
from unlike.symbolic.walking import OPEN, RANKED, _OpenReader

__all__ = ["Filling"]


class Filling:
    """A shape whose open values can be filled in; its bytes are those of one table."""

    def __init__(self, table: Table, shape: bytes) -> None:
        self.table = table
        self.shape = shape
        self.positions = positions_of(table, shape)

    def states(self, points: Points, start: int = 0, stop: int | None = None) -> Iterator[bytes]:
        """Yield the canonical bytes of the shape with the values of every point."""
        if all(self.shape[position] == OPEN for position in self.positions):
            return points.states(self.shape, self.positions, fill, start, stop)
        return map(self.fill_ranked, points.stream(start, stop))

    def fill_ranked(self, point: Point) -> bytes:
        """Return the same where some of the values are ranks."""
        walk, done = Walk(self.table, bounded=False), 0
        for position, value in zip(self.positions, point, strict=True):
            code = self.shape[position]
            walk.out += self.shape[done:position]
            walk.put(value if code == OPEN else self.table.scales[RANKED[code]].of(value))
            done = position + 1
        return bytes(walk.out + self.shape[done:])

    def objects(
        self, points: Points, rebuild: Callable[[bytes], list[Any]], start: int = 0, stop: int | None = None
    ) -> Iterator[list[Any]]:
        """Yield fresh roots of the shape with the values of every point; a walker's `rebuild` makes them."""
        return map(rebuild, self.states(points, start, stop))


def positions_of(table: Table, shape: bytes) -> tuple[int, ...]:
    """Return where the bytes of the open values stand in a shape, in the order of its slots."""
    found: list[int] = []
    reader = _OpenReader(table, shape, lambda _: found.append(reader.position - 1))
    reader.parsed()
    return tuple(found)


def fill(shape: bytes, positions: tuple[int, ...], point: Point) -> bytes:
    """Return the canonical bytes of the shape with the values of a point."""
    state, done = bytearray(), 0
    for position, value in zip(positions, point, strict=True):
        state += shape[done:position]
        done = position + 1
        if LEAST_SMALL <= value <= MOST_SMALL:
            state.append(SMALL_INT + value)
        else:
            state.append(INT64)
            state += struct.pack("<q", value)
    return bytes(state + shape[done:])
