"""A week's shifts of a small team, for the check that the law is kept.

A roster has one to three shifts. A shift is somebody's, on a day of the week, from a full hour on, for 4 to 10 hours;
it may run into the next day. Nobody has two shifts within 11 hours of each other. `is_lawful` is the team's own
function, and it is plain Python.

Two rosters differ in how many shifts they have, in who works, or in whether somebody works past midnight.

What it guarantees: rosters that `is_lawful` accepts: one person and several, by day and by night.
"""

from unlike import Int, List, OneOf, Spec, different_lengths, differs_by, predicate, record

DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
TEAM = ("Ada", "Ben", "Cem")
REST = 11


def is_lawful(shifts):
    """Return whether everybody rests long enough between two shifts."""
    last_end = {}
    for shift in sorted(shifts, key=lambda shift: (DAYS.index(shift["day"]), shift["start"])):
        begin = DAYS.index(shift["day"]) * 24 + shift["start"]
        if begin - last_end.get(shift["who"], -REST) < REST:
            return False
        last_end[shift["who"]] = begin + shift["hours"]
    return True


shift = record(who=OneOf(*TEAM), day=OneOf(*DAYS), start=Int(0, 23), hours=Int(4, 10))

shifts = Spec(
    {"shifts": List(shift, 1, 3)},
    where=predicate(is_lawful),
    different=[
        different_lengths("shifts"),
        differs_by(lambda shifts: tuple(shifts.some(lambda s, name=name: s.who == name) for name in TEAM)),
        differs_by(lambda shifts: shifts.some(lambda s: s.start + s.hours > 24)),
    ],
    name="shifts",
    n=20,
)
