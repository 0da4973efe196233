"""Specs: what is refused, in which words, and what is kept."""

import datetime
import random

import pytest

import unlike
from unlike import (
    Bool,
    Date,
    Int,
    List,
    OneOf,
    Option,
    Real,
    Spec,
    SpecError,
    Str,
    Time,
    differs_by,
    generate,
    predicate,
)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: Spec({}), "at least one"),
        (lambda: Spec({"x": 3}), "blank 'x': 3 is not a value"),
        (lambda: Spec({"x": Int}), r"write Int\(\)"),
        (lambda: Spec({"a b": Int()}), "cannot be the name of a blank"),
        (lambda: Spec({"if": Int()}), "cannot be the name of a blank"),
        (lambda: Spec({"price": Int()}, where=lambda prise: prise > 3), "'prise' is not a blank.*did you mean 'price'"),
        (lambda: Spec({"x": Int()}, where=lambda **x: x), "name none"),
        (lambda: Spec({"x": Int()}, where=lambda x: x + 1), "not a condition"),
        (lambda: Spec({"x": Int()}, where=lambda x: None), "instead of a condition"),
        (lambda: Spec({"x": Int()}, where=3), "is not an assertion"),
        (lambda: Spec({"x": Int()}, different=3), "is not a difference"),
        (lambda: Spec({"x": Int()}, different="x"), "is not a difference"),
        (lambda: Spec({"x": Int()}, different=differs_by("y")), "'y' is not a blank"),
        (lambda: Spec({"x": Int()}, different=unlike.distance("x", 0)), "above 0"),
        (lambda: Spec({"x": Int()}, different=unlike.distance("x", 1.5)), "is an int"),
        (lambda: Spec({"x": Str()}, different=unlike.distance("x", 1)), "takes an int or real"),
        (lambda: Spec({"x": Int()}, different=unlike.edit_distance("x", 1)), "takes a str"),
        (lambda: Spec({"x": Int()}, different=unlike.different_lengths("x")), "have a length"),
        (lambda: unlike.edit_distance("x", 0), "at least 1"),
        (lambda: unlike.some_of(3), "not a difference"),
        (lambda: unlike.enumerate_([]), "nothing to choose from"),
        (lambda: unlike.enumerate_([True], []), "1 assertions but 0 constraints"),
        (lambda: unlike.relation(3), "takes a function"),
        (lambda: unlike.python_difference(3), "takes a function"),
        (lambda: predicate(3), "takes a function"),
        (lambda: Spec({"x": Int()}, where=predicate(lambda y: True)), "'y' is not a blank"),
        (lambda: Spec({"x": Int()}, different=unlike.relation(lambda a, b: a.y)), "'y' is not a blank"),
        (lambda: Spec({"x": Int()}, different=unlike.relation(lambda a, b: a.x)), "not a condition"),
        (lambda: Spec({"x": Int()}, n=0), "at least 1"),
        (lambda: Int(3, 2), r"Int\(3, 2\) is empty"),
        (lambda: Int(0.5, 2), "a bound is an int"),
        (lambda: Real(1, 0), "is empty"),
        (lambda: Real(0, 1, places=-1), "from 0 to 12"),
        (lambda: Real("a", 1), "a bound is a number"),
        (lambda: Str(min_length=3, max_length=2), "is empty"),
        (lambda: Str(max_length=-1), "at least 0"),
        (lambda: Str(3), "a pattern is a string"),
        (lambda: OneOf(), "no values"),
        (lambda: OneOf([1, 2]), r"OneOf\(\[1, 2\]\) would choose from one value.*write OneOf\(\*values\)"),
        (lambda: OneOf(range(3)), r"write OneOf\(\*values\)"),
        (lambda: OneOf(each for each in "ab"), r"write OneOf\(\*values\)"),
        (lambda: List(Int(), min_length=2, max_length=1), "is empty"),
        (lambda: Option(3), "is not a value"),
        (lambda: unlike.record(), "no fields"),
        (lambda: unlike.record(3, x=Int()), "builds the object"),
        (lambda: Date(datetime.date(2024, 1, 2), datetime.date(2024, 1, 1)), "is empty"),
        (lambda: Date("2024"), "a bound is a datetime.date"),
        (lambda: Time(step=0), "number of seconds"),
        (lambda: Time(datetime.time(1, tzinfo=datetime.UTC)), "without zone"),
        (lambda: unlike.Place("Atlantis"), "not a known place"),
        (lambda: unlike.TimeZone("Mars/Base"), "no such time zone"),
        (lambda: unlike.account_number(0), "at least 1"),
        (lambda: unlike.ip_address(5), "4 or 6"),
        (lambda: unlike.generate(3), "3 is not a type"),
    ],
)
def test_bad_input_gets_one_message_with_the_value_and_the_remedy(make, said):
    with pytest.raises(SpecError, match=said):
        make()


@pytest.mark.parametrize(
    "bad", [{"n": 0}, {"n": -1}, {"n": 1.5}, {"n": True}, {"timeout": 0}, {"timeout": "x"}, {"seed": -1}]
)
def test_numbers_that_make_no_sense_are_refused_with_their_value(bad):
    with pytest.raises(unlike.ScopeError, match=f"{next(iter(bad))}="):
        unlike.generate(Spec({"x": Bool()}), **bad)


def test_an_invalid_pattern_gets_pythons_own_message_with_the_position():
    with pytest.raises(SpecError, match=r"(?s)unterminated.*\^"):
        unlike.generate(Spec({"s": Str("a(b")}), 1)


def test_a_field_of_a_blank_can_be_named_by_its_path():
    spec = Spec({"item": unlike.record(price=Int(0, 3), name=Str())}, different=differs_by("item.price"))

    prices = [value["item"]["price"] for value in unlike.generate(spec).values]

    assert sorted(prices) == [0, 1, 2, 3]


def test_equal_specs_are_equal_data():
    def make(high):
        return Spec({"x": Int(0, high)}, where=lambda x: x > 1, different=unlike.distance("x", 2))

    assert make(9) == make(9)
    assert make(9) != make(8)


def test_members_that_occur_twice_count_once_and_true_is_not_one():
    assert OneOf(1, 1, 2).members == (1, 2)
    assert OneOf(True, 1).members == (True, 1)


def test_matching_says_of_a_blank_or_any_term_what_matches_says():
    written = Spec({"name": Str()}, where=lambda name: name.matches("[a-z]+"))

    assert Spec({"name": Str()}, where=unlike.matching("name", "[a-z]+")) == written
    assert Spec({"name": Str()}, where=lambda name: unlike.matching(name, "[a-z]+")) == written
    with pytest.raises(SpecError, match="a pattern is a string"):
        unlike.matching("name", 3)
    with pytest.raises(SpecError, match="'nane' is not a blank"):
        Spec({"name": Str()}, where=unlike.matching("nane", "a"))


class Loose:
    """Equal to every other of its kind, and not to be hashed."""

    def __eq__(self, other):
        return isinstance(other, Loose)


@pytest.mark.parametrize("seed", range(30))
def test_members_are_told_apart_by_type_and_equality_one_by_one_and_at_once(seed):
    pool = [0, 1, True, False, 1.0, 0.0, float("nan"), "1", b"1", None, (1,), (True,), [1], Loose(), Loose(), 2, "a"]
    members = random.Random(seed).choices(pool, k=12)

    def same(one, two):
        return one is two or (type(one) is type(two) and one == two)

    one_by_one = []
    for each in members:
        if not any(same(each, other) for other in one_by_one):
            one_by_one.append(each)
    value = OneOf(*members, "beside")

    assert list(map(id, value.members[:-1])) == list(map(id, one_by_one))
    for each in pool:
        assert (each in value) == any(same(each, other) for other in one_by_one)


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("pattern", "lengths"),
    [(".{500,600}", range(500, 601)), ("a{70}", [70]), ("(ab){40,}", range(80, 145)), ("a*", range(65))],
)
def test_a_pattern_for_long_texts_wins_over_a_length_that_nobody_stated(pattern, lengths):
    suite = generate(Spec({"s": Str(pattern)}, different=unlike.different_lengths("s")), "all")

    assert {len(value["s"]) for value in suite.values} <= set(lengths)
    assert suite.status.ending is unlike.Ending.COMPLETE
    assert min(len(value["s"]) for value in suite.values) == lengths[0]
    assert len(generate(Spec({"s": Str("a{70}", max_length=69)}))) == 0, "a length that is stated holds"
