"""From a zone to words: a name for every value that is free, and what is known of the names.

What is said, together with the range that all values have, says exactly what the zone says:

    a < b < c; d, e any            five values, three of them in order
    a + 2 <= b; b <= 5             a distance of two, and less than the whole range
    a, b, c all different; d != 3
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from unlike.points.normal import Normal, normal
from unlike.points.zone import Difference, Matrix, Zone, tighten

LETTERS = "abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True, slots=True)
class Words:
    """A term for every slot (`a`, `a + 1`, `5`), and what is known of the names in them."""

    terms: tuple[str, ...]
    known: str

    def __str__(self) -> str:
        return f"({', '.join(self.terms)})" + (f" where {self.known}" if self.known else "")


def words(zone: Zone, low: int, high: int) -> Words:
    """Return the zone in words, for values that are usually from low to high; a zone without points says so."""
    reduced = normal(zone)
    if reduced is None:
        return Words(("?",) * (len(zone.bounds) - 1), "no values")
    names = ["0", *itertools.islice(_names(), reduced.free)]
    terms = tuple(_plus(names[v], c) if v else str(c) for v, c in zip(reduced.which, reduced.offset, strict=True))
    edges = reduced.edges()
    said = [
        *_orders(edges, names),
        *_ranges(reduced, edges, names, (low, high)),
        *_unequal(reduced.unequal, names),
    ]
    mentioned = {v for a, b, _ in [*edges, *reduced.unequal] for v in (a, b)} | _bounded(reduced, low, high)
    free = [names[v] for v in range(1, reduced.free + 1) if v not in mentioned]
    return Words(terms, "; ".join([*said, *([f"{', '.join(free)} any"] if free else [])]))


def _names() -> Iterable[str]:
    """Yield a, b, …, z, a2, b2 and so on."""
    yield from LETTERS
    for round_ in itertools.count(2):
        yield from (f"{letter}{round_}" for letter in LETTERS)


def _plus(name: str, offset: int) -> str:
    return name if not offset else f"{name} + {offset}" if offset > 0 else f"{name} - {-offset}"


# -- order --------------------------------------------------------------------------------------------


def _orders(edges: Sequence[Difference], names: Sequence[str]) -> list[str]:
    """Return the bounds between names, those of order joined to chains: a < b <= c."""
    signs = {(a, b): "<" if c else "<=" for a, b, c in edges if c in (-1, 0)}
    said = []
    while signs:
        heads = {a for a, _ in signs} - {b for _, b in signs}
        at = min(heads or {a for a, _ in signs})
        text = names[at]
        while (after := min((b for a, b in signs if a == at), default=None)) is not None:
            text += f" {signs.pop((at, after))} {names[after]}"
            at = after
        said.append(text)
    for a, b, c in edges:
        if c not in (-1, 0):
            said.append(f"{_plus(names[a], max(0, -c))} <= {_plus(names[b], max(0, c))}")
    return said


# -- ranges -------------------------------------------------------------------------------------------


def _bounded(zone: Normal, low: int, high: int) -> set[int]:
    """Return the names whose range is not the usual one."""
    return {v for v in range(1, zone.free + 1) if zone.bounds[v][0] != high or -zone.bounds[0][v] != low}


def _ranges(zone: Normal, edges: Sequence[Difference], names: Sequence[str], usual: tuple[int, int]) -> list[str]:
    """Return the bounds on single names that follow neither from the usual range nor from what was said before."""
    implied = _implied(zone, edges, usual)
    said = []
    for v in range(1, zone.free + 1):
        low, high = -zone.bounds[0][v], zone.bounds[v][0]
        above, below = low > -implied[0][v], high < implied[v][0]
        if above and below:
            said.append(f"{low} <= {names[v]} <= {high}")
        elif above or below:
            said.append(f"{names[v]} >= {low}" if above else f"{names[v]} <= {high}")
        tighten(implied, 0, v, -low)
        tighten(implied, v, 0, high)
    return said


def _implied(zone: Normal, edges: Sequence[Difference], usual: tuple[int, int]) -> Matrix:
    """Return the bounds that follow from the usual range, widened to hold the zone, and from the order."""
    size = range(zone.free + 1)
    low = min([usual[0], *(-zone.bounds[0][v] for v in size[1:])])
    high = max([usual[1], *(zone.bounds[v][0] for v in size[1:])])
    highs, lows = [0] + [high] * zone.free, [0] + [low] * zone.free
    bounds = [[0 if i == j else highs[i] - lows[j] for j in size] for i in size]
    for a, b, c in edges:
        tighten(bounds, a, b, c)
    return bounds


# -- what differs -------------------------------------------------------------------------------------


def _unequal(unequal: Iterable[Difference], names: Sequence[str]) -> list[str]:
    """Return what differs; three or more names that all differ from each other in one phrase."""
    left = set(unequal)
    said = []
    while len(group := _all_different(left)) > 2:
        said.append(f"{', '.join(names[v] for v in group)} all different")
        left -= {(a, b, 0) for a in group for b in group}
    for a, b, c in sorted(left, key=lambda each: (each[1], each[0], each[2])):
        said.append(f"{names[a]} != {c}" if b == 0 else f"{names[b]} != {_plus(names[a], -c)}")
    return said


def _all_different(unequal: set[Difference]) -> list[int]:
    """Return names that all differ from each other, greedily from the first on."""
    best: list[int] = []
    for start in sorted({b for _, b, c in unequal if b and not c}):
        group = [start]
        for v in sorted({a for a, _, c in unequal if not c and a > start}):
            if all((v, other, 0) in unequal for other in group):
                group.append(v)
        best = max(best, group, key=len)
    return best
