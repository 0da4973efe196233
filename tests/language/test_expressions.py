"""Python expressions over blanks: what they mean, and where Python would decide too early."""

import datetime

import pytest

from unlike import Date, Int, List, OneOf, Option, Real, SpecError, Str, Time, blank, implies, ite, or_, record
from unlike.language.evaluate import compile_term
from unlike.language.terms import text

price = blank("price", Int(0, 100))
name = blank("name", Str())
tags = blank("tags", List(OneOf("a", "b")))
nick = blank("nick", Option(Str()))
item = blank("item", record(price=Int(0, 9), owner=record(name=Str())))
day = blank("day", Date())
when = blank("when", Time())
ratio = blank("ratio", Real())


def value(expr, **assignment):
    return compile_term(expr.node)(assignment)


@pytest.mark.parametrize(
    ("write", "operator"),
    [
        (lambda: price > 5 and price < 10, "and"),
        (lambda: price < 5 or price > 10, "or"),
        (lambda: not price > 5, "not"),
        (lambda: 1 if price > 5 else 2, "if"),
        (lambda: 1 < price < 10, "a < b < c"),
        (lambda: price in [1, 2], "in"),
    ],
)
def test_an_operator_that_would_decide_too_early_is_named_with_the_blank_and_the_remedy(write, operator):
    with pytest.raises(SpecError) as error:
        write()

    assert str(error.value).startswith(f"'{operator}' decides too early")
    assert "blank 'price'" in str(error.value)
    assert "write " in str(error.value)


def test_a_membership_test_in_a_string_blank_is_refused_with_contains_as_the_remedy():
    with pytest.raises(SpecError, match=r"'x' in name.*blank 'name'.*name\.contains\('x'\)"):
        "x" in name  # noqa: B015


@pytest.mark.parametrize(
    ("write", "said"),
    [
        (lambda: len(name), r"name\.length"),
        (lambda: list(tags), r"tags\.each"),
        (lambda: range(price), "no value yet"),
        (lambda: price / 2, "not supported"),
        (lambda: price + name, "two numbers or two strings"),
        (lambda: name < 3, "cannot be compared"),
        (lambda: tags < tags, "compares numbers"),
        (lambda: price.length, "an int has no 'length'"),
        (lambda: item.prize, "did you mean 'price'"),
        (lambda: nick.length, r"nick\.value\.length"),
        (lambda: price["x"], "only strings, lists and records have items"),
        (lambda: name.is_in("abc"), r"\.contains"),
        (lambda: name.matches(3), "a pattern is a string"),
        (lambda: price & (price > 3), "not a condition"),
        (lambda: setattr(price, "x", 1), "cannot be set"),
        (lambda: ratio // 2, "whole numbers"),
    ],
)
def test_a_term_that_makes_no_sense_is_refused_with_the_reason(write, said):
    with pytest.raises(SpecError, match=said):
        write()


def test_a_constant_that_no_member_equals_is_refused_with_the_nearest_one():
    class Kind:
        def __init__(self, label):
            self.label = label

        def __repr__(self):
            return self.label

    kind = blank("kind", OneOf(Kind("music"), Kind("shoes")))

    with pytest.raises(SpecError, match="not one of the values of kind; did you mean 'music'"):
        kind == "musik"  # noqa: B015


def test_arithmetic_means_what_it_means_in_python():
    assert value((price * 3 - 7) // -2 + price % 4, price=9) == (9 * 3 - 7) // -2 + 9 % 4
    assert value(abs(-price), price=9) == 9
    assert value(10 - price, price=9) == 1
    assert value(price // 0, price=9) == 0
    assert value(price % 0, price=9) == 9


def test_strings_lists_options_and_records_have_their_parts():
    assert value(name[0] + name[9] == "a", name="abc")
    assert value(name.startswith("a") & name.endswith("c") & name.contains("b"), name="abc")
    assert value(name.matches("[a-c]+") & ~name.matches("a"), name="abc")
    assert value(tags.contains("b") & (tags.length == 2) & (tags[1] == "b"), tags=("a", "b"))
    assert value(tags.each(lambda tag: tag != "c") & tags.some(lambda tag: tag == "a"), tags=("a", "b"))
    assert value(~nick.present & (nick.value == ""), nick=None)
    assert value(nick == None, nick=None)  # noqa: E711
    assert value(nick == "x", nick="x")
    assert value((item.price == 3) & (item["owner"]["name"] == "o"), item={"price": 3, "owner": {"name": "o"}})


def test_dates_and_times_have_their_fields():
    leap = datetime.date(2024, 2, 29)

    assert value((day.year == 2024) & (day.month == 2) & (day.day == 29) & (day.weekday == 3), day=leap)
    assert value((day + 1 == datetime.date(2024, 3, 1)) & (day - datetime.date(2024, 2, 1) == 28), day=leap)
    assert value((when.hour == 10) & (when.minute == 5) & (when >= datetime.time(10)), when=datetime.time(10, 5))


def test_a_tenth_is_a_tenth():
    from fractions import Fraction

    assert value(ratio * 3 == 0.3, ratio=Fraction(1, 10))


def test_conditions_combine():
    assert value(implies(price > 5, name == "x"), price=3, name="y")
    assert value(or_(price == 1, price == 2) | (price == 3), price=3)
    assert value(ite(price > 5, "big", "small") == "small", price=3)
    assert value((price == 3) ^ (price == 4), price=3)
    assert value(price.is_in([1, 3]), price=3)


def test_a_term_is_shown_as_it_was_written():
    written = (price + 1 > 5) & ~name.contains("x") | (item.owner.name.length == 3)

    assert text(written.node) == "(((price + 1) > 5) & ~name.contains('x')) | (item.owner.name.length == 3)"
