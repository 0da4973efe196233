"""The picture in the docs shows what an exploration finds."""

from pathlib import Path

from docs.pictures import draw_shapes


def test_the_picture_of_shapes_is_the_one_that_is_drawn_now():
    assert Path(draw_shapes.__file__).with_name("shapes.svg").read_text() == draw_shapes.drawing()
