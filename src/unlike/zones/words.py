"""From a zone to words: a name for every value that is free, and what is known of the names.

What is said, together with the range that all values have, says exactly what the zone says:

    a < b < c; d, e any            five values, three of them in order
    a + 2 <= b; b <= 5             a distance of two, and less than the whole range
    a, b, c all different; d != 3
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from unlike.zones.bounds import Bounds, Difference, tighten
from unlike.zones.free import FreeZone, find_free
from unlike.zones.zone import Zone

LETTERS = "abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True, slots=True)
class Words:
    """A term for every slot (`a`, `a + 1`, `5`), and what is known of the names in them."""

    terms: tuple[str, ...]
    known: str

    def __str__(self) -> str:
        return f"({', '.join(self.terms)})" + (f" where {self.known}" if self.known else "")


@dataclass(frozen=True, slots=True)
class Usual:
    """The usual range of a value, which is not mentioned, and how one of its values is written."""

    low: int
    high: int
    text: Callable[[int], str] = str


def describe_zone(zone: Zone, usual: Usual | Sequence[Usual]) -> Words:
    """Return the zone in words, given what is usual for all slots or for each."""
    reduced = find_free(zone.bounds, zone.unequal)
    names = ["0", *itertools.islice(_names(), reduced.free)]
    slots = [usual] * len(reduced.which) if isinstance(usual, Usual) else usual
    terms = tuple(
        _plus(names[v], c) if v else each.text(c)
        for v, c, each in zip(reduced.which, reduced.offset, slots, strict=True)
    )
    each_usual = [Usual(0, 0), *(slots[reduced.which.index(v)] for v in range(1, reduced.free + 1))]
    edges = reduced.edges()
    said = [
        *_orders(edges, names),
        *_ranges(reduced, edges, names, each_usual),
        *_unequal(reduced.unequal, names, each_usual),
    ]
    mentioned = {v for a, b, _ in [*edges, *reduced.unequal] for v in (a, b)} | _bounded(reduced, each_usual)
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


def _bounded(zone: FreeZone, usual: Sequence[Usual]) -> set[int]:
    """Return the names whose range is not the usual one."""
    return {
        v for v in range(1, zone.free + 1) if zone.bounds[v][0] != usual[v].high or -zone.bounds[0][v] != usual[v].low
    }


def _ranges(zone: FreeZone, edges: Sequence[Difference], names: Sequence[str], usual: Sequence[Usual]) -> list[str]:
    """Return the bounds on single names that follow neither from the usual range nor from anything else said."""
    singles = [(i, j, zone.bounds[i][j]) for v in range(1, zone.free + 1) for i, j in ((0, v), (v, 0))]
    for single in list(singles):
        others = [each for each in singles if each is not single]
        i, j, most = single
        if _implied(zone, [*edges, *others], usual)[i][j] <= most:
            singles = others
    said = []
    for v in range(1, zone.free + 1):
        low = next((-most for i, j, most in singles if j == v), None)
        high = next((most for i, j, most in singles if i == v), None)
        text = usual[v].text
        if low is not None and high is not None:
            said.append(f"{text(low)} <= {names[v]} <= {text(high)}")
        elif low is not None:
            said.append(f"{names[v]} >= {text(low)}")
        elif high is not None:
            said.append(f"{names[v]} <= {text(high)}")
    return said


def _implied(zone: FreeZone, said: Sequence[Difference], usual: Sequence[Usual]) -> Bounds:
    """Return the bounds that follow from the usual ranges, widened to hold the zone, and from others."""
    bounds = Zone.box(
        *(
            (min(usual[v].low, -zone.bounds[0][v]), max(usual[v].high, zone.bounds[v][0]))
            for v in range(1, zone.free + 1)
        )
    ).bounds
    for i, j, most in said:
        bounds = tighten(bounds, i, j, most)
    return bounds


# -- what differs -------------------------------------------------------------------------------------


def _unequal(unequal: Iterable[Difference], names: Sequence[str], usual: Sequence[Usual]) -> list[str]:
    """Return what differs; three or more names that all differ from each other in one phrase."""
    left = set(unequal)
    said = []
    while len(group := _all_different(left)) > 2:
        said.append(f"{', '.join(names[v] for v in group)} all different")
        left -= {(a, b, 0) for a in group for b in group}
    for a, b, c in sorted(left, key=lambda each: (each[1], each[0], each[2])):
        said.append(f"{names[a]} != {usual[a].text(c)}" if b == 0 else f"{names[b]} != {_plus(names[a], -c)}")
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
