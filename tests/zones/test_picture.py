"""The page that works one class through by hand says what an exploration finds."""

from __future__ import annotations

import doctest
from pathlib import Path

from docs.pictures import draw_shapes
from examples.structures.binary_search_tree import BinarySearchTree

from unlike.explore import explore

PAGE = Path(draw_shapes.__file__).parent.parent / "symbolic.md"


def test_the_picture_of_shapes_is_the_one_that_is_drawn_now():
    assert Path(draw_shapes.__file__).with_name("shapes.svg").read_text() == draw_shapes.drawing()


def test_the_numbers_of_the_page_come_out():
    bounds = {"scope": 3, "methods": "insert", "literals": {"int": range(5)}}
    opened, chosen = (explore(BinarySearchTree, **bounds, values=v, in_process=True) for v in ("symbolic", "concrete"))
    text = PAGE.read_text().replace("\n", " ")

    assert (opened.abstract_states, opened.states, chosen.states) == (9, 76, 76)
    assert f"The code ran {opened.calls} times instead of the {chosen.calls} calls" in text


def test_the_examples_of_the_page_run():
    parsed = doctest.DocTestParser().get_doctest(PAGE.read_text(), {}, "symbolic.md", str(PAGE), 0)

    assert parsed.examples
    assert doctest.DocTestRunner().run(parsed).failed == 0
