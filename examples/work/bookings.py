"""Bookings of hotel rooms, for the page that takes them.

A guest arrives and leaves on days of 2024 and stays 1 to 28 nights, and at least two if the first one is a Saturday's.
A single room takes one person, a double two, a suite four. A cot is for a room with two or more people only.

Two bookings differ in the room, in how long they are (a night, up to a week, longer), in the month of arrival, or in
the cot.

What it guarantees: stays that the hotel accepts, in every kind of room, short and long ones, all through the year.
"""

from datetime import date

from unlike import Bool, Date, Int, OneOf, Spec, differs_by, implies, ite

SATURDAY = 5
BEDS = {"single": 1, "double": 2, "suite": 4}

bookings = Spec(
    {
        "room": OneOf(*BEDS),
        "guests": Int(1, 4),
        "cot": Bool(),
        "check_in": Date(date(2024, 1, 1), date(2024, 12, 31)),
        "check_out": Date(date(2024, 1, 1), date(2024, 12, 31)),
    },
    where=[
        lambda check_in, check_out: (check_in < check_out) & (check_out - check_in <= 28),
        lambda check_in, check_out: implies(check_in.weekday == SATURDAY, check_out - check_in >= 2),
        lambda room, guests: guests <= ite(room == "single", 1, ite(room == "double", 2, 4)),
        lambda cot, guests: implies(cot, guests >= 2),
    ],
    different=[
        differs_by("room"),
        differs_by(lambda check_in, check_out: ite(check_out - check_in == 1, 0, ite(check_out - check_in <= 7, 1, 2))),
        differs_by(lambda check_in: check_in.month),
        differs_by("cot"),
    ],
    name="bookings",
    n=20,
)
