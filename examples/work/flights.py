"""Flights, for a search form and the time table behind it.

A flight goes from one city to another. It leaves at some minute of 2024 and arrives, in the time of the same clock,
later on that day or before the end of the next one; no flight takes longer than 18 hours.

Two flights differ in the zone they leave from, in the zone they arrive in, or in whether they arrive on the next day.

What it guarantees: flights that arrive after they leave, from many zones to many others, by day and overnight; no two
with the same zones on the same side of midnight.
"""

from datetime import date

from unlike import Date, Place, Spec, Time, differs_by

LONGEST = 18 * 60


def minutes(day, clock):
    """Return the minutes since the beginning of the year."""
    return (day - date(2024, 1, 1)) * 24 * 60 + clock.hour * 60 + clock.minute


flights = Spec(
    {
        "origin": Place(),
        "destination": Place(),
        "departure_day": Date(date(2024, 1, 1), date(2024, 12, 31)),
        "departure_time": Time(),
        "arrival_day": Date(date(2024, 1, 1), date(2025, 1, 1)),
        "arrival_time": Time(),
    },
    where=[
        lambda origin, destination: origin != destination,
        lambda departure_day, departure_time, arrival_day, arrival_time: (
            minutes(departure_day, departure_time) < minutes(arrival_day, arrival_time)
        ),
        lambda departure_day, departure_time, arrival_day, arrival_time: (
            minutes(arrival_day, arrival_time) - minutes(departure_day, departure_time) <= LONGEST
        ),
    ],
    different=[
        differs_by("origin.zone"),
        differs_by("destination.zone"),
        differs_by(lambda departure_day, arrival_day: departure_day == arrival_day),
    ],
    name="flights",
    n=20,
)
