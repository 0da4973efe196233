"""The meetings of one day, for a calendar that must not book anybody twice.

A day has one to four meetings between 8:00 and 18:00, in steps of a quarter of an hour, in the order in which they
begin. Each ends after it begins, and none begins before the one before it has ended.

Two days differ in how many meetings they have, in the hour of the first one, or in whether the first two follow each
other without a break.

What it guarantees: days without any overlap, and no two alike in all three; meetings back to back are among them.
"""

from datetime import time

from unlike import List, OneOf, Spec, Time, different_lengths, differs_by, implies, record

QUARTER = 15 * 60
MOST = 4

during_the_day = Time(time(8), time(18), step=QUARTER)
meeting = record(
    title=OneOf("Stand-up", "Review", "Interview", "Lunch", "Planning"),
    room=OneOf("Oslo", "Lima", None),
    begin=during_the_day,
    end=during_the_day,
)


def one_after_the_other(meetings):
    """Hold if each meeting begins when the one before it has ended, or later."""
    holds = meetings.length >= 1
    for place in range(MOST - 1):
        holds &= implies(meetings.length > place + 1, meetings[place].end <= meetings[place + 1].begin)
    return holds


meetings = Spec(
    {"meetings": List(meeting, 1, MOST)},
    where=[lambda meetings: meetings.each(lambda m: m.begin < m.end), one_after_the_other],
    different=[
        different_lengths("meetings"),
        differs_by(lambda meetings: meetings[0].begin.hour),
        differs_by(lambda meetings: (meetings.length > 1) & (meetings[0].end == meetings[1].begin)),
    ],
    name="meetings",
    n=20,
)
