"""The vocabulary of invariants, against the same said in full."""

from __future__ import annotations

import itertools

from invariant_specimens import Link, Spoken

import unlike
from unlike.invariants import acyclic, all_of, ordered, reachable, tree


class Place:
    def __init__(self, *doors: Place | None) -> None:
        self.doors = list(doors)
        self.back: Place | None = None
        self.named: dict[str, Place] = {}


def chain(length: int, back_to: int | None = None) -> Link | None:
    links = [Link(number, None) for number in range(length)]
    for one, other in itertools.pairwise(links):
        one.after = other
    if back_to is not None:
        links[-1].after = links[back_to]
    return links[0] if links else None


def test_reachable_objects_come_nearest_first_and_once() -> None:
    far = Place()
    near, other = Place(far), Place(far, None)
    start = Place(near, other)
    far.back = start

    assert reachable(start, "doors") == [start, near, other, far]
    assert reachable(start, "doors", "back") == [start, near, other, far]
    assert reachable(far, "back", "doors") == [far, start, near, other]
    assert reachable(None, "doors") == []


def test_reachable_follows_the_values_of_dicts() -> None:
    start, inner = Place(), Place()
    start.named["x"] = inner

    assert reachable(start, "named") == [start, inner]


def test_a_chain_is_acyclic_unless_it_leads_back() -> None:
    assert acyclic(chain(4), "after")
    assert acyclic(None, "after")
    assert not any(acyclic(chain(4, back), "after") for back in range(4))


def test_sharing_is_acyclic_but_no_tree() -> None:
    shared = Place()
    start = Place(Place(shared), Place(shared))

    assert acyclic(start, "doors")
    assert not tree(start, "doors")
    assert tree(Place(Place(), Place()), "doors")
    assert tree(None, "doors")


def test_order_may_be_strict() -> None:
    assert ordered([])
    assert ordered([1, 1, 2])
    assert not ordered([1, 1, 2], strictly=True)
    assert ordered(iter([1, 2, 3]), strictly=True)
    assert not ordered([2, 1])


def test_all_of_asks_for_every_one() -> None:
    assert all_of([1, 2], lambda value: value > 0)
    assert not all_of([1, 0], lambda value: value > 0)
    assert all_of([], lambda _: False)


def test_an_invariant_in_these_words_can_be_searched() -> None:
    found = unlike.structures(Spoken, 4)

    # sorted lists of at most four values out of 1, 2, 3
    expected = [each for n in range(5) for each in itertools.combinations_with_replacement((1, 2, 3), n)]
    values = [tuple(link.value for link in reachable(each.first, "after")) for each in found.suite.values]  # type: ignore[attr-defined]
    assert sorted(values) == sorted(expected)
