"""What a user may write at the edges of the language."""

import pytest

import unlike
from unlike import Int, List, Spec, Str, generate


def pairs(where):
    lists = {"x": List(Int(0, 2), min_length=1, max_length=1), "y": List(Int(0, 2), min_length=1, max_length=1)}
    return sorted((value["x"][0], value["y"][0]) for value in generate(Spec(lists, where=where)).values)


@pytest.mark.parametrize(
    "where",
    [
        lambda x, y: x.each(lambda i: y.some(lambda j: i == j)),
        lambda x, y: x.each(lambda i: y.contains(i)),
        lambda x, y: x.some(lambda i: y.each(lambda j: x.some(lambda k: (k == j) & (i == k)))),
    ],
)
def test_an_inner_element_is_not_the_outer_one(where):
    assert pairs(where) == [(0, 0), (1, 1), (2, 2)]


def test_blanks_named_like_the_languages_own_words_are_blanks():
    spec = Spec({"length": Int(0, 3), "width": Str("a?")}, different=unlike.differs_by(("length", "width")))

    assert len(generate(spec)) == 8
