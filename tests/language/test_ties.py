"""Moments, spans of time and decimals as values; what lists come to; places between bounds."""

import datetime
import decimal
import itertools
from datetime import timedelta

import pytest

import unlike as u
from unlike.language.values import belongs
from unlike.suite import Ending
from unlike.testing.encode import Codec

HOUR = timedelta(hours=1)
YEAR = (datetime.datetime(2024, 1, 1), datetime.datetime(2024, 12, 31, 23, 59))


def first(value, n):
    return [case.value["x"] for case in u.generate(u.Spec({"x": value}), n)]


def test_moments_begin_with_their_ends_a_leap_day_a_month_end_and_where_clocks_change():
    found = first(u.DateTime(*YEAR), 9)

    assert found[:4] == [YEAR[0], YEAR[1], YEAR[0] + timedelta(minutes=1), YEAR[1] - timedelta(minutes=1)]
    assert datetime.datetime(2024, 2, 29) in found
    assert datetime.datetime(2024, 4, 30, 23, 59) in found
    assert {datetime.datetime(2024, 3, 31, 2, 30), datetime.datetime(2024, 10, 27, 2, 30)} <= set(found)


def test_spans_of_time_begin_with_round_ones_and_decimals_with_their_ends():
    assert first(u.Timedelta(-30 * HOUR, 30 * HOUR), 3) == [timedelta(0), timedelta(1), timedelta(-1)]
    assert [str(each) for each in first(u.Decimal(1, 9), 4)] == ["1.00", "9.00", "1.01", "8.99"]


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: u.DateTime(datetime.date(2024, 1, 1)), "a bound is a datetime.datetime"),
        (lambda: u.DateTime(YEAR[0].replace(tzinfo=datetime.UTC)), "without zone"),
        (lambda: u.DateTime(YEAR[1], YEAR[0]), "is empty"),
        (lambda: u.DateTime(step=0), "the step is"),
        (lambda: u.Timedelta(0), "a bound is a datetime.timedelta"),
        (lambda: u.Timedelta(step=-HOUR), "the step is"),
        (lambda: u.Decimal("1.5"), "a bound is a number"),
        (lambda: u.Decimal(0, 1, 99), r"Decimal\(places=99\)"),
        (lambda: u.Spec({"x": u.Decimal}), r"write Decimal\(\)"),
        (lambda: u.Spec({"x": u.Bool()}, different=u.boundary("x")), "a bool has no bounds"),
        (lambda: u.Spec({"x": u.record(y=u.Int())}, different=u.boundary("x")), "a record has no bounds"),
        (lambda: u.Spec({"x": u.Int()}, different=u.boundary(lambda x: x + 1)), "only a blank or a field"),
        (lambda: u.Spec({"x": u.DateTime()}, different=u.distance("x", -1)), "a timedelta above 0, or seconds"),
        (lambda: u.Spec({"x": u.List(u.Str())}, where=lambda x: x.sum() > 1), "takes an int or real or timedelta"),
        (lambda: u.Spec({"x": u.List(u.Bool())}, where=lambda x: x.sorted()), "takes an int or real"),
        (lambda: u.Spec({"x": u.List(u.Int())}, where=lambda x: sum(x) > 1), r"\.sum\(…\)"),
        (lambda: u.Spec({"x": u.Int()}, where=lambda x: x > HOUR), "cannot be compared"),
    ],
)
def test_what_makes_no_sense_is_refused_with_the_reason(make, said):
    with pytest.raises(u.SpecError, match=said):
        make()


def test_what_is_given_is_what_is_delivered():
    rates, spans = (decimal.Decimal("0.10"), decimal.Decimal("0.3")), (HOUR, 2 * HOUR)
    spec = u.Spec(
        {"rate": u.OneOf(*rates), "span": u.OneOf(*spans)}, where=lambda rate, span: (rate > 0.2) | (span > HOUR)
    )

    found = {(str(case.value["rate"]), case.value["span"]) for case in u.generate(spec)}

    assert found == {("0.10", 2 * HOUR), ("0.3", HOUR), ("0.3", 2 * HOUR)}


SAVED = [
    u.DateTime(),
    u.DateTime(*YEAR, step=timedelta(milliseconds=1)),
    u.Timedelta(),
    u.Decimal(),
    u.OneOf(decimal.Decimal("0.1"), decimal.Decimal("0.20")),
    u.OneOf(HOUR, 2 * HOUR),
    u.OneOf(0.5, 1.5),
    u.OneOf(*YEAR),
    u.List(u.Timedelta(), 2),
]


@pytest.mark.parametrize("value", SAVED, ids=repr)
def test_saved_values_are_read_back(value):
    codec = Codec(value, {})
    cases = u.generate(u.Spec({"x": value}), 6).cases

    for plain in (each["x"] for each in cases.inputs):
        assert belongs(value, plain)
        assert codec.decode(codec.encode(plain)) == plain


# -- places between bounds --------------------------------------------------------------------------------------------

BOUNDED = [
    (u.Int(-3, 40), range(-3, 41)),
    (u.Int(0, 3), range(4)),
    (u.Int(5, 5), [5]),
    (u.Decimal(0, 0.2, 1), [decimal.Decimal(tenth) / 10 for tenth in range(3)]),
    (u.Real(0, 1), [cent / 100 for cent in range(101)]),
    (
        u.Date(datetime.date(2024, 2, 1), datetime.date(2024, 3, 1)),
        [datetime.date(2024, 2, 1) + timedelta(d) for d in range(30)],
    ),
    (u.DateTime(YEAR[0], YEAR[0] + 9 * HOUR, 3600), [YEAR[0] + hours * HOUR for hours in range(10)]),
    (u.Timedelta(-HOUR, HOUR, 600), [timedelta(minutes=10 * number) for number in range(-6, 7)]),
    (
        u.Time(datetime.time(9), datetime.time(10), 600),
        [datetime.time(9, 10 * number) for number in range(6)] + [datetime.time(10)],
    ),
    (u.OneOf(1, 9, 4, 7, 30, 25), [1, 4, 7, 9, 25, 30]),
]


def place(value, values):
    above, below = list(values).index(value), len(values) - 1 - list(values).index(value)
    return ("least", above) if above < 2 else ("most", below) if below < 2 else "between"


@pytest.mark.parametrize(("value", "values"), BOUNDED, ids=repr)
@pytest.mark.parametrize("n", [None, 3])
def test_each_place_between_bounds_is_shown_once_and_that_is_proved(value, values, n):
    suite = u.generate(u.Spec({"x": value}, different=u.boundary("x")), n)

    places = [place(case.value["x"], values) for case in suite]
    there_are = {place(each, values) for each in values}
    assert len(set(places)) == len(places) == min(len(there_are), n or 5)
    if n is None:
        assert suite.status.ending is Ending.COMPLETE


@pytest.mark.parametrize(
    ("value", "most"), [(u.Str("[ab]{2,7}"), 5), (u.Str(max_length=3), 3), (u.List(u.Int(0, 1), 1, 9), 8)], ids=repr
)
def test_of_strings_and_lists_the_length_has_bounds(value, most):
    least = 9 - most if isinstance(value, u.List) else 2 if value.matching else 0
    lengths = range(least, {5: 8, 3: 4, 8: 10}[most])
    suite = u.generate(u.Spec({"x": value}, different=u.boundary("x")))

    assert {place(len(case.value["x"]), lengths) for case in suite} == {place(each, lengths) for each in lengths}
    assert suite.status.ending is Ending.COMPLETE


def test_places_that_an_assertion_rules_out_are_proved_to_be_missing_and_none_is_one():
    blanks = {"x": u.Option(u.Int(1, 10_000_000)), "y": u.Int(1, 10_000_000)}
    spec = u.Spec(blanks, where=lambda x, y: u.implies(x.present, x.value + y == 10_000_000), different=u.boundary("x"))

    suite = u.generate(spec)

    # 10,000,000 would need a y of 0
    assert {case.value["x"] for case in suite} >= {None, 1, 2, 9_999_999}
    assert len(suite) == 5
    assert suite.status.ending is Ending.COMPLETE


def test_places_are_combined_with_other_differences():
    blanks = {"x": u.Int(0, 9), "y": u.Int(0, 9), "flag": u.Bool()}

    def count(different):
        suite = u.generate(u.Spec(blanks, different=different))
        assert suite.status.ending is Ending.COMPLETE
        return len(suite)

    assert count([u.boundary("x"), u.boundary("y")]) == 25
    assert count(u.all_of(u.boundary("x"), u.boundary("y"))) == 5
    assert count(u.ite(lambda flag: flag, u.boundary("x"), u.differs_by("y"))) == 15


def test_a_list_of_lists_of_conditions_says_what_plain_python_says():
    lines = [
        [{"q": q, "p": p} for q, p in zip(quantities, prices, strict=True)]
        for size in range(3)
        for quantities in itertools.product((1, 2), repeat=size)
        for prices in itertools.product((0, 1, 2), repeat=size)
    ]
    line = u.record(q=u.Int(1, 2), p=u.Int(0, 2))
    spec = u.Spec(
        {"lines": u.List(line, 0, 2), "total": u.Int(0, 3)},
        where=[
            lambda lines, total: total == lines.sum(lambda each: each.q * each.p),
            lambda lines: lines.distinct(lambda each: each.p) | lines.sorted(lambda each: each.q, descending=True),
            lambda lines: lines.count(lambda each: each.p == 0) < 2,
        ],
    )
    wanted = [
        {"lines": each, "total": total}
        for each in lines
        for total in range(4)
        if total == sum(one["q"] * one["p"] for one in each)
        and (
            len({one["p"] for one in each}) == len(each)
            or [one["q"] for one in each] == sorted((one["q"] for one in each), reverse=True)
        )
        and sum(one["p"] == 0 for one in each) < 2
    ]

    for engine in ("auto", "solver"):
        found = [case.value for case in u.generate(spec, engine=engine)]

        assert sorted(map(repr, found)) == sorted(map(repr, wanted))


def test_a_moment_with_a_zone_is_for_python_to_compare():
    noon = datetime.datetime(2024, 1, 1, 12, tzinfo=datetime.UTC)
    spec = u.Spec({"x": u.OneOf(noon, noon + HOUR)}, where=lambda x: x > noon)

    suite = u.generate(spec)

    assert [case.value["x"] for case in suite] == [noon + HOUR]
    assert "plain Python" in suite.guarantee
