"""From a zone to its free variables: what is constant or tied to another variable is taken out.

Every slot becomes a free variable plus an offset, or a constant. Of bounds, those remain that no others imply.
"""

from __future__ import annotations

from dataclasses import dataclass

from unlike.zones.bounds import Bounds, Difference, Unequal, find_tied


@dataclass(frozen=True, slots=True)
class FreeZone:
    """A zone over free variables 1 … m; slot i is variable `which[i]` plus `offset[i]`, and variable 0 is 0."""

    which: tuple[int, ...]
    offset: tuple[int, ...]
    bounds: Bounds
    unequal: frozenset[Difference]  # (a, b, c) with a > b: x_a - x_b is not c

    @property
    def free(self) -> int:
        """How many free variables there are."""
        return len(self.bounds) - 1

    def edges(self) -> list[Difference]:
        """Return the bounds between free variables that follow neither from single ranges nor through a third one."""
        bounds, names = self.bounds, range(1, len(self.bounds))
        return [
            (a, b, bounds[a][b])
            for a in names
            for b in names
            if a != b
            and bounds[a][0] + bounds[0][b] > bounds[a][b]
            and all(k in (a, b) or bounds[a][k] + bounds[k][b] > bounds[a][b] for k in names)
        ]


def find_free(bounds: Bounds, unequal: Unequal) -> FreeZone:
    """Return what is free in bounds and disequalities in normal form."""
    slots = range(len(bounds))
    tied = [find_tied(bounds, slot, slots) for slot in slots]
    free = [slot for slot in slots if tied[slot][0] == slot]
    number = {slot: position for position, slot in enumerate(free)}
    return FreeZone(
        which=tuple(number[first] for first, _ in tied[1:]),
        offset=tuple(offset for _, offset in tied[1:]),
        bounds=tuple(tuple(bounds[i][j] for j in free) for i in free),
        unequal=frozenset((number[a], number[b], c) for a, b, c in unequal),
    )
