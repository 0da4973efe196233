"""Points put into the bytes of a shape: the states and objects that the shape stands for."""

from __future__ import annotations

import random

import pytest
from tests.zones.test_points import TWINS, both, piece

from unlike.heap.walkers import PythonWalker, native_is_built
from unlike.scope import Limits
from unlike.zones.open_values import Token
from unlike.zones.points import Points
from unlike.zones.shapes import ShapeFilling, fill_shape, find_positions
from unlike.zones.walking import Places, register_tokens, walk_open


class Pair:
    def __init__(self, left: object, right: object) -> None:
        self.left = left
        self.right = right


def shape_of(walker: PythonWalker, root: object) -> bytes:
    register_tokens(walker._keys)
    walked = walk_open(walker._keys, Places(), [root])
    assert isinstance(walked, tuple)
    return walked[0]


class Fixed:
    def __init__(self) -> None:
        self.small, self.wide, self.wider, self.text = 4, 1028, 4 << 40, "x"  # with 4 as a byte of something else


def specimen(a: object, b: object, c: object) -> Pair:
    return Pair([a, Fixed()], Pair((b, "y"), {4: c}))


@both
def test_states_are_those_of_objects_with_the_values(twin):
    walker = PythonWalker(Limits())
    filling = ShapeFilling(walker._keys, shape_of(walker, specimen(Token(1), Token(2), Token(3))))
    zone = piece([(-20, 90), (-20, 90), (70, 90)], [(1, 2, -1)])
    found = Points([zone], twin)
    chance = random.Random(2)

    for start in [chance.randrange(found.count()) for _ in range(20)]:
        states = list(filling.states(found, start, start + 3))

        expected = [walker.walk(specimen(*point)) for point in found.stream(start, start + 3)]
        assert states == expected


@both
def test_objects_are_fresh_and_have_the_values(twin):
    walker = PythonWalker(Limits())
    filling = ShapeFilling(walker._keys, shape_of(walker, Pair(Token(1), Token(2))))
    found = Points([piece([(0, 3), (0, 3)], [(1, 2, -1)])], twin)

    made = [roots[0] for roots in filling.objects(found, walker.rebuild)]

    assert [(each.left, each.right) for each in made] == list(found)
    assert len({id(each) for each in made}) == found.count() == 6


def test_a_shape_without_open_values_is_one_state():
    walker = PythonWalker(Limits())
    shape = shape_of(walker, Pair(1, 2))

    assert find_positions(walker._keys, shape) == ()
    assert fill_shape(shape, (), ()) == shape == walker.walk(Pair(1, 2))
    assert list(ShapeFilling(walker._keys, shape).states(Points([piece([])]))) == [shape]


@pytest.mark.skipif(len(TWINS) == 1, reason="no compiled module")
def test_positions_that_are_not_there_are_refused():
    from unlike import _native

    [digits] = _native.digits([piece([(0, 3)])])

    with pytest.raises(ValueError, match="position"):
        digits.states([0], 1, b"abc", ())
    with pytest.raises(ValueError, match="position"):
        digits.states([0], 1, b"abc", (3,))
    with pytest.raises(ValueError, match="position"):
        digits.states([0], 1, b"abc", (0, 1))
    assert native_is_built()
