"""Zones in words: what is said must say exactly what the zone says."""

from __future__ import annotations

import itertools
import random
import re

import pytest
from tests.zones.test_points import all_different, brute_force, chain, piece, random_zone

from unlike.heap.walkers import PythonWalker
from unlike.scope import Limits
from unlike.zones.open_values import Token
from unlike.zones.shapes import Usual, Words, describe_shape, describe_zone
from unlike.zones.walking import Places, register_tokens, walk_open
from unlike.zones.zone import Zone


def points_said(said: Words, low: int, high: int) -> set[tuple[int, ...]]:
    """Return the points that the words describe, by reading them as Python."""
    names = sorted(set(re.findall(r"[a-z]\d*", " ".join(said.terms))))
    conditions = []
    for phrase in filter(None, said.known.split("; ")):
        if phrase.endswith(" all different"):
            inside = phrase.removesuffix(" all different")
            conditions.append(f"len({{{inside}}}) == {inside.count(',') + 1}")
        elif not phrase.endswith(" any"):
            conditions.append(phrase)
    found = set()
    for values in itertools.product(range(low, high + 1), repeat=len(names)):
        given = dict(zip(names, values, strict=True))
        if all(eval(each, {}, given) for each in conditions):
            found.add(tuple(eval(term, {}, given) for term in said.terms))
    return found


@pytest.mark.parametrize("seed", range(3))
def test_words_describe_exactly_the_points_of_a_zone(seed):
    chance = random.Random(f"words {seed}")
    for _ in range(80):
        zone = random_zone(chance, chance.randint(1, 3))

        said = describe_zone(zone, Usual(-2, 6))

        assert points_said(said, -2, 6) == brute_force([zone]), said


def test_the_usual_things_are_said_as_people_say_them():
    loose = piece([(0, 9)] * 4, [(1, 2, -1)])
    apart = piece([(0, 9)] * 2, [(1, 2, -3)])
    narrow = piece([(2, 5), (0, 9), (0, 4)])
    tied = piece([(0, 9), (0, 9), (7, 7)], [(1, 2, -2), (2, 1, 2)])

    assert str(describe_zone(chain(3, 10), Usual(0, 9))) == "(a, b, c) where a < b < c"
    assert str(describe_zone(loose, Usual(0, 9))) == "(a, b, c, d) where a < b; c, d any"
    assert describe_zone(apart, Usual(0, 9)).known == "a + 3 <= b"
    assert describe_zone(narrow, Usual(0, 9)).known == "2 <= a <= 5; c <= 4; b any"
    assert str(describe_zone(tied, Usual(0, 9))) == "(a, a + 2, 7) where a <= 7"
    assert describe_zone(piece([(1, 9), (0, 9)], [(1, 2, -1)]), Usual(0, 9)).known == "a < b; a >= 1"
    assert describe_zone(all_different(3, 10), Usual(0, 9)).known == "a, b, c all different"
    assert describe_zone(piece([(0, 9)] * 2, unequal=[(1, 2, 0), (2, 0, 3)]), Usual(0, 9)).known == "b != 3; a != b"


class Node:
    def __init__(self, key: object, after: Node | None = None) -> None:
        self.key = key
        self.after = after


def test_a_shape_is_shown_with_named_unknowns_and_their_order():
    walker = PythonWalker(Limits())
    register_tokens(walker._keys)
    walked = walk_open(walker._keys, Places(), [Node(Token(1), Node(Token(2)))])
    assert isinstance(walked, tuple)
    ordered = Zone.box((0, 9), (0, 9)).at_most(1, 2, -1)
    assert ordered is not None

    text = str(describe_shape(walker._keys, walked[0], ordered, (0, 9)))

    assert text == "Node(key=a, after=Node(key=b)) where a < b"


def test_shared_objects_and_containers_are_shown():
    walker = PythonWalker(Limits())
    register_tokens(walker._keys)
    ring = Node(Token(1))
    ring.after = ring
    walked = walk_open(walker._keys, Places(), [Node([(Token(2),), {"x": 1}, {3}, set(), ring, None])])
    assert isinstance(walked, tuple)

    text = str(describe_shape(walker._keys, walked[0], Zone.box((0, 9), (0, 9)), (0, 9)))

    assert text == "Node(key=[(a,), {'x': 1}, {3}, set(), Node#1(key=b, after=#1), None]) where a, b any"
