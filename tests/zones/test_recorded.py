"""What zones give stays what it was: normal forms, projections, points in order, words, recorded as digests.

Brute force (test_zones, test_points) says which points are right; these digests say that their order, and the form
in which a zone is written down, did not change. Indices of saved samples depend on both.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator

import pytest

from unlike.heap.walkers import native_is_built
from unlike.zones.points import Points
from unlike.zones.shapes import Usual, describe_zone
from unlike.zones.zone import Zone

TWINS = ["python", "auto"] if native_is_built() else ["python"]


def digest(things: Iterator[object]) -> str:
    found = hashlib.sha256()
    for thing in things:
        found.update(repr(thing).encode())
    return found.hexdigest()[:16]


def random_zone(chance: random.Random, slots: int, top: int) -> Zone:
    """Return a box, narrowed in a few ways; one that would leave nothing is skipped."""
    zone = Zone.box(*[(low := chance.randint(-2, 2), low + chance.randint(0, top)) for _ in range(slots)])
    for _ in range(chance.randint(0, 2 * slots)):
        (i, j), c = chance.sample(range(slots + 1), 2), chance.randint(-2, 3)
        match chance.randrange(5):
            case 0 | 1:
                part = zone.at_most(i, j, c)
            case 2:
                part = zone.equal(i, j, c)
            case _:
                part = zone.not_equal(i, j, c)
        zone = part or zone
    return zone


def random_zones(seed: str, count: int, most_slots: int = 6) -> Iterator[tuple[random.Random, Zone]]:
    chance = random.Random(seed)
    for _ in range(count):
        yield chance, random_zone(chance, chance.randint(1, most_slots), chance.choice([1, 3, 6]))


def test_the_normal_form_is_the_one_recorded() -> None:
    assert digest((zone.bounds, zone.unequal) for _, zone in random_zones("forms", 1_000)) == "b1d58402b2fa10e7"


def test_projections_are_those_recorded() -> None:
    def projected() -> Iterator[object]:
        for chance, zone in random_zones("projections", 200, 5):
            slots = [chance.randint(0, zone.slots) for _ in range(chance.randint(0, zone.slots))]
            terms = [(slot, chance.randint(-1, 2)) for slot in slots]
            yield [(part.bounds, part.unequal) for part in [zone.hull(terms), *zone.project(terms)]]

    assert digest(projected()) == "2b7bf709c306cd23"


@pytest.mark.parametrize("twin", TWINS)
def test_the_points_of_overlapping_zones_are_those_recorded_in_that_order(twin) -> None:
    def listed() -> Iterator[object]:
        for chance, zone in random_zones("unions", 150, 4):
            others = [random_zone(chance, zone.slots, 3) for _ in range(chance.choice([0, 0, 1, 2, 5]))]
            found = Points([zone, *others], twin)
            yield found.count(), found.how.value, list(found.stream(0, 60)), found.sample(5, seed=3)

    assert digest(listed()) == "fa931f18c1e0ea23"


def test_words_are_those_recorded() -> None:
    assert (
        digest(str(describe_zone(zone, Usual(-2, 4))) for _, zone in random_zones("words", 300, 5))
        == "a8d97cab64e25c4c"
    )
