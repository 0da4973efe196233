"""Tests with blanks, to be prepared."""

from shop import Room

import unlike
from unlike import Int, OneOf, distance


@unlike.inputs(4, different=distance("price", 50))
def test_a_discount_never_makes_a_price_negative(category: OneOf("Music", "Shoes"), price: Int(1, 500)):
    assert price - price // 10 > 0


@unlike.inputs(3)
def test_a_room_has_beds(room: Room):
    assert room.beds
