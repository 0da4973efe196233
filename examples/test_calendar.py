"""A time at the end of an event's name means the same as a time given: not everywhere, as the test finds out."""

from datetime import datetime, timedelta

import unlike
from examples.services.calendar_service import TIME, Calendar, Location, parse_time
from unlike import Str, cover, differs_by

FLIGHT = datetime(2017, 10, 21, 10, 0, tzinfo=Location.PITTSBURGH.zone)


@unlike.inputs(100, different=[cover.regex("suffix", TIME), differs_by("location")])
def test_a_time_in_a_name_is_the_same_as_a_time_given(location: Location, suffix: Str(TIME)):
    calendar = Calendar(now=FLIGHT)
    calendar.fly(location, FLIGHT)
    calendar.set_current_time(FLIGHT + timedelta(hours=24))
    start = datetime.combine(calendar.today(), parse_time(suffix), location.zone)

    assert calendar.create(f"meeting {suffix}", location) == calendar.create("meeting", location, start)
