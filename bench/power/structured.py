"""Eight functions over structured data: four of released packages, four in ordinary style; two halves of four."""

from __future__ import annotations

import datetime
from datetime import date
from importlib import import_module as load
from typing import Any

from bench.power import written
from bench.power.shapes import (
    Category,
    Day,
    Employee,
    Ends,
    Item,
    Move,
    Order,
    Page,
    Request,
    Span,
    TwoIntervals,
    TwoSettings,
    User,
)  # fmt: skip
from bench.power.subjects import Structured

OPEN = "humanize", "portion", "order", "calendar"
KEPT = "relativedelta", "dictdiffer", "payslip", "access"  # not looked at before the study of behaviour ends


def span(value: Span) -> Any:
    module = load("humanize.time")
    delta = datetime.timedelta(days=value.days, seconds=value.seconds, microseconds=value.microseconds)
    return (
        module.naturaldelta(delta, months=value.months, minimum_unit=value.minimum_unit),
        module.precisedelta(delta, minimum_unit=value.minimum_unit),
        module.naturaltime(delta, months=value.months, minimum_unit=value.minimum_unit),
    )


def interval(ends: Ends) -> Any:
    const, cls = load("portion.const"), load("portion.interval").Interval
    lower = -const.inf if ends.lower is None else ends.lower
    upper = const.inf if ends.upper is None else ends.upper
    return cls.from_atomic(const.Bound(ends.lower_closed), lower, upper, const.Bound(ends.upper_closed))


def two_intervals(value: TwoIntervals) -> Any:
    first, second = interval(value.first), interval(value.second)
    results = [first & second, first | second, first - second, ~first, first.enclosure]
    tests = [
        first.overlaps(second),
        first.adjacent(second),
        first < second,
        first <= second,
        first > second,
        first >= second,
    ]
    return (
        [str(list(each)) for each in results],
        tests,
        value.number in first,
        second in first,
        first == second,
        first.empty,
    )


def move(value: Move) -> Any:
    cls, weekdays = load("dateutil.relativedelta").relativedelta, load("dateutil.relativedelta").weekdays
    weekday = None if value.weekday is None else weekdays[value.weekday](value.week)
    delta = cls(
        years=value.years,
        months=value.months,
        days=value.days,
        day=value.day,
        weekday=weekday,
        leapdays=value.leap_days,
    )
    between = cls(value.end, value.start)
    parts = between.years, between.months, between.days, between.weeks
    return (
        str(value.start + delta),
        parts,
        str(value.start - between),
        str((delta + between).normalized()),
        delta == between,
    )


def two_settings(value: TwoSettings) -> Any:
    module = load("dictdiffer")
    changes = list(module.diff(value["before"], value["after"], expand=value["expand"]))
    swapped = list(module.swap(changes))
    return changes, swapped, module.patch(changes, value["before"]), module.revert(changes, value["after"])


def intervals_by_hand() -> list[TwoIntervals]:
    return [
        TwoIntervals(Ends(0, 5), Ends(3, 9), 5),
        TwoIntervals(Ends(0, 5), Ends(5, 9), 0),
        TwoIntervals(Ends(0, 5, upper_closed=False), Ends(5, 9), 5),
        TwoIntervals(Ends(0, 5, upper_closed=False), Ends(5, 9, lower_closed=False), 5),
        TwoIntervals(Ends(0, 2), Ends(7, 9), 3),
        TwoIntervals(Ends(7, 9), Ends(0, 2), 7),
        TwoIntervals(Ends(0, 9), Ends(3, 5), 4),
        TwoIntervals(Ends(3, 5), Ends(0, 9), 4),
        TwoIntervals(Ends(1, 1), Ends(1, 1), 1),
        TwoIntervals(Ends(1, 1, lower_closed=False), Ends(0, 4), 1),
        TwoIntervals(Ends(5, 1), Ends(0, 4), 3),
        TwoIntervals(Ends(None, 3), Ends(3, None), 3),
        TwoIntervals(Ends(None, None), Ends(0, 0), -7),
        TwoIntervals(Ends(0, 5, lower_closed=False), Ends(0, 5), 0),
        TwoIntervals(Ends(None, 3, lower_closed=False), Ends(5, None), 9),
    ]


def orders_by_hand() -> list[Order]:
    book, food, other = Item("book", 1200), Item("food", 350, 2), Item("other", 999, 3)
    return [
        Order([], "DE"),
        Order([book], "DE"),
        Order([food], "FR"),
        Order([other], "US"),
        Order([Item("book", 1000, 3)], "DE"),
        Order([Item("other", 1000, 10)], "CH"),
        Order([Item("other", 100_000, 2)], "CH"),
        Order([book, food, other], "DE", express=True),
        Order([Item("food", 1000, 2)], "DE", coupon="TEN"),
        Order([Item("food", 1999)], "DE", coupon="TEN"),
        Order([book], "DE", coupon="SHIP"),
        Order([book], "DE", coupon="SHIP", express=True),
        Order([Item("book", 20_000)], "DE", coupon="HALF", member_years=5),
        Order([Item("book", 2000)], "DE", coupon="HALF", member_years=4),
        Order([Item("book", 5001)], "FR", member_years=11),
        Order([Item("book", 90_000)], "FR", member_years=1),
        Order([Item("other", 10, 21)], "US"),
        Order([Item("other", 10, 20)], "US", member_years=10),
    ]


def days_by_hand() -> list[Day]:
    def day(*meetings: tuple[Any, ...], opens: int = 480, closes: int = 1080) -> Day:
        made: Day = {"opens": opens, "closes": closes, "meetings": []}
        for room, start, minutes, *optional in meetings:
            made["meetings"].append({"room": room, "start": start, "minutes": minutes})
            if optional:
                made["meetings"][-1]["optional"] = optional[0]
        return made

    return [
        day(),
        day(opens=700, closes=600),
        day(opens=600, closes=600),
        day(("A", 480, 60)),
        day(("A", 540, 60), ("A", 570, 60)),
        day(("A", 540, 60), ("A", 600, 60)),
        day(("A", 540, 60), ("B", 540, 60)),
        day(("A", 540, 60, True), ("A", 570, 60, True)),
        day(("A", 540, 60, True), ("A", 570, 60)),
        day(("A", 540, 60), ("A", 570, 60, True)),
        day(("A", 400, 60)),
        day(("A", 1060, 30)),
        day(("A", 495, 570)),
        day(("A", 490, 576)),
        day(("B", 900, 90), ("A", 500, 120), ("B", 500, 30)),
        day(("A", 500, 300), ("A", 510, 20), ("A", 600, 10)),
        day(("A", 480, 480), ("A", 960, 120)),
    ]


def moves_by_hand() -> list[Move]:
    start, end = date(2024, 1, 31), date(2025, 3, 1)
    return [
        Move(start, end),
        Move(start, start),
        Move(end, start),
        Move(start, end, months=1),
        Move(start, end, months=13),
        Move(start, end, months=-14),
        Move(start, end, years=1, months=1),
        Move(date(2024, 2, 29), date(2023, 2, 28), years=1),
        Move(date(2024, 2, 29), date(2028, 2, 29), years=4),
        Move(start, end, days=29),
        Move(start, end, days=-400),
        Move(start, end, day=31, months=1),
        Move(start, end, day=1),
        Move(start, end, weekday=0),
        Move(start, end, weekday=2),
        Move(start, end, weekday=4, week=-1),
        Move(start, end, weekday=6, week=2, day=1),
        Move(start, end, weekday=2, week=-2),
        Move(date(2024, 3, 5), end, leap_days=-1, years=0),
        Move(date(2023, 3, 5), end, leap_days=1, years=1),
        Move(date(1, 1, 1), end, years=-1),
        Move(date(9999, 12, 31), end, days=1),
    ]


def settings_by_hand() -> list[TwoSettings]:
    plain: dict[str, Any] = {"name": "n", "tags": ["a"], "sizes": {"x": 1}, "ratio": 0.5}
    changes: list[dict[str, Any]] = [
        {}, {"name": "m"}, {"tags": []}, {"tags": ["a", "b"]}, {"tags": ["b"]}, {"tags": ["b", "a", "c"]},
        {"sizes": {}}, {"sizes": {"x": 2}}, {"sizes": {"x": 1, "y": 2}}, {"sizes": {"y": 1}}, {"ratio": 0.25},
        {"ratio": 0.5 + 1e-17}, {"ratio": float("nan")}, {"limit": 3}, {"limit": None},
        {"name": "", "tags": ["c", "c"], "sizes": {"x": -1, "y": 0}, "ratio": -1.0, "limit": 0},
    ]  # fmt: skip
    made: list[Any] = [{"before": plain, "after": {**plain, **change}, "expand": False} for change in changes]
    made += [{"before": {**plain, **change}, "after": plain, "expand": True} for change in changes[2:9:2]]
    made.append({"before": {**plain, "limit": 1}, "after": {**plain, "limit": None}, "expand": True})
    return made


def employees_by_hand() -> list[Employee]:
    worker, clerk, trainee = Category.WORKER, Category.CLERK, Category.TRAINEE
    return [
        Employee(gross=0, category=worker, hours=0),
        Employee(gross=100_000, category=worker, hours=160),
        Employee(gross=300_000, category=worker, hours=160),
        Employee(gross=300_000, category=worker, hours=170),
        Employee(gross=300_000, category=worker, hours=200),
        Employee(gross=300_000, category=worker, hours=220.5),
        Employee(gross=300_000, category=clerk, hours=220),
        Employee(gross=90_000, category=trainee, hours=150),
        Employee(gross=99_999, category=trainee, hours=151, children=1),
        Employee(gross=150_000, category=trainee, hours=100),
        Employee(gross=400_000, category=clerk, hours=160, children=1),
        Employee(gross=400_000, category=clerk, hours=160, children=5),
        Employee(gross=400_000, category=clerk, hours=160, married=True, children=2),
        Employee(gross=800_000, category=clerk, hours=160, church="south"),
        Employee(gross=800_000, category=clerk, hours=160, church="north"),
        Employee(gross=200_000, category=clerk, hours=160, bonuses=[50_000, 1]),
        Employee(gross=500_000, category=clerk, hours=160),
        Employee(gross=2_000_000, category=worker, hours=300, children=10, married=True),
    ]


def requests_by_hand() -> list[Request]:
    guest, member, editor = User("guest"), User("member"), User("editor")
    public, internal, private = Page("public"), Page("internal"), Page("private")
    return [
        Request(guest, public, "read"),
        Request(guest, public, "comment"),
        Request(member, public, "comment"),
        Request(member, public, "comment", 5),
        Request(member, public, "comment", 6),
        Request(member, public, "comment", 21),
        Request(member, public, "comment", 22),
        Request(User("member", suspended=True), public, "read"),
        Request(User("member", suspended=True), public, "comment"),
        Request(User("member", suspended=True), internal, "read"),
        Request(User("admin", {"staff"}), private, "delete"),
        Request(User("admin"), private, "read"),
        Request(User("member", {"press"}), internal, "read"),
        Request(member, internal, "read"),
        Request(member, Page("private", owned=True), "edit"),
        Request(User("member", age=17), Page("public", rating="adult"), "read"),
        Request(User("member", age=18), Page("public", rating="adult"), "read"),
        Request(User("member", age=12), Page("public", rating="teen"), "read"),
        Request(User("member", age=13), Page("public", rating="teen"), "read"),
        Request(editor, Page("public", locked=True), "edit"),
        Request(editor, Page("public", title="keep me"), "delete"),
        Request(editor, Page("public", title="keep me"), "edit"),
        Request(User("editor", {"beta"}), public, "delete"),
        Request(member, public, "edit"),
        Request(guest, Page("public", owned=True), "edit"),
    ]


def spans_by_hand() -> list[Span]:
    return [
        Span(0, 0),
        Span(0, 1),
        Span(0, 30),
        Span(0, 60),
        Span(0, 119),
        Span(0, 120),
        Span(0, 3600),
        Span(0, 7200),
        Span(1, 0),
        Span(6, 0),
        Span(30, 0),
        Span(31, 0, months=False),
        Span(45, 0),
        Span(364, 0),
        Span(365, 0),
        Span(400, 0),
        Span(400, 0, months=False),
        Span(800, 3700, 5),
        Span(-1, 0),
        Span(-1, 86_399),
        Span(0, 0, 500, minimum_unit="microseconds"),
        Span(0, 0, 1, minimum_unit="microseconds"),
        Span(0, 0, 2500, minimum_unit="milliseconds"),
        Span(0, 5, 250_000, minimum_unit="milliseconds"),
        Span(0, 0, 999_999),
    ]


def functions() -> list[Structured]:
    """Return the eight functions, the open half first."""
    own, ours = "bench.power.written", "unlike"
    return [
        Structured("humanize", "humanize==4.16.0", ("humanize.time",), span, spans_by_hand(), inputs=Span),
        Structured(
            "portion", "portion==2.6.3", ("portion.interval",), two_intervals, intervals_by_hand(), inputs=TwoIntervals
        ),
        Structured("order", ours, (own,), lambda order: written.price_of(order), orders_by_hand(), inputs=Order),
        Structured("calendar", ours, (own,), lambda day: written.plan_of(day), days_by_hand(), inputs=Day),
        Structured(
            "relativedelta", "python-dateutil==4.0.0", ("dateutil.relativedelta",), move, moves_by_hand(), inputs=Move
        ),
        Structured(
            "dictdiffer", "dictdiffer==0.10.0", ("dictdiffer", "dictdiffer.utils"), two_settings, settings_by_hand(),
            inputs=TwoSettings,
        ),
        Structured("payslip", ours, (own,), lambda one: written.payslip_of(one), employees_by_hand(), inputs=Employee),
        Structured("access", ours, (own,), lambda each: written.decision_of(each), requests_by_hand(), inputs=Request),
    ]  # fmt: skip
