"""What a user may write at the edges of the language."""

import functools
import operator

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


@pytest.mark.parametrize(
    ("written", "said"),
    [
        (lambda: Spec({"s": Str()}, where=lambda s: s[:2] == "ab"), "slices are not supported"),
        (lambda: Spec({"s": Str(), "t": Str()}, where=lambda s, t: s == f"{t}!"), "t is used as text .* blank 't'"),
        (lambda: Spec({"s": Str(), "x": Int()}, where=lambda s, x: s == str(x)), "x is used as text .* blank 'x'"),
        (lambda: Spec({"x": Int()}, where=lambda x: x**2 == 4), r"write x \* x"),
        (lambda: Spec({"x": Int()}, different=unlike.relation(lambda a, b: a != b)), "compares blanks"),
        (lambda: unlike.relation(lambda a: a.x > 1), "takes a function of two inputs"),
        (lambda: unlike.python_difference(lambda a: a.x > 1), "takes a function of two inputs"),
        (lambda: Spec({"x": Int()}, different=unlike.relation(lambda a, b: a.x + b.x)), r"a.x \+ b.x is an int"),
    ],
)
def test_what_python_would_read_differently_is_refused_with_what_to_write(written, said):
    with pytest.raises(unlike.SpecError, match=said):
        written()


def test_differing_in_all_of_no_ways_is_never():
    assert len(generate(Spec({"x": Int(0, 3)}, different=unlike.all_of(unlike.never, unlike.never)))) == 4


def test_many_conditions_joined_one_by_one_are_one_condition():
    def one_of_many(x, y):
        return functools.reduce(operator.or_, [x + y == i for i in range(0, 600, 2)])

    suite = generate(Spec({"x": Int(0, 3), "y": Int(0, 3)}, where=one_of_many))

    assert len(suite) == 8


@pytest.mark.parametrize("many", [300, 5000])
def test_terms_that_are_too_deep_are_refused_in_one_message(many):
    with pytest.raises(unlike.SpecError, match="inside one another"):
        Spec({"x": Int(0, 3)}, where=lambda x: sum([x] * many) == 0)


def test_a_blank_or_field_may_have_any_name_that_python_allows():
    fields = dict.fromkeys(("node", "value", "length", "present", "each", "is_in", "name"), Int(0, 1))
    spec = Spec(
        {"node": Int(0, 3), "r": unlike.record(**fields)},
        where=lambda r: (r.node == 1) & (r.value + r.length + r.present + r.each + r.is_in + r.name == 6),
        different=unlike.relation(lambda a, b: (a.node - b.node) % 2 == 1),
    )

    values = generate(spec).values

    assert sorted(value["node"] % 2 for value in values) == [0, 1]
    assert all(value["r"] == dict.fromkeys(fields, 1) for value in values)
