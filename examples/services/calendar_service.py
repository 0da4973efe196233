"""A calendar that reads an event's time from the end of its name and follows its owner around the world.

`"meeting 7:00 PM"` is an event called `meeting` at seven in the evening, in the zone where the owner is on that day:
at home before a flight takes off, at the destination from then on. Times are written in 12-hour form (`7:00 PM`,
`12:30AM`) or in 24-hour form (`19:00`, `7:00`).

The planted bug: the calendar keeps the offset of the place where its owner is in whole hours. A time read from a name
is half an hour or a quarter of an hour wrong in India, Nepal, Newfoundland and wherever else clocks are not set to the
hour.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta, timezone, tzinfo
from enum import Enum
from zoneinfo import ZoneInfo

TWELVE_HOUR = r"(1[0-2]|[1-9]):[0-5]\d(\s)?(AM|PM)"
TWENTY_FOUR_HOUR = r"(([0-1]?\d)|2[0-3]):[0-5]\d"
TIME = rf"{TWELVE_HOUR}|{TWENTY_FOUR_HOUR}"

_SUFFIX = re.compile(rf"(?:^|\s)(?P<time>{TIME})$", re.ASCII)


class Location(Enum):
    """A city that Alice may fly to, and the zone its clocks follow."""

    ADELAIDE = "Australia/Adelaide"
    AMSTERDAM = "Europe/Amsterdam"
    ANCHORAGE = "America/Anchorage"
    AUCKLAND = "Pacific/Auckland"
    BANGKOK = "Asia/Bangkok"
    BUENOS_AIRES = "America/Argentina/Buenos_Aires"
    CAIRO = "Africa/Cairo"
    CHICAGO = "America/Chicago"
    DELHI = "Asia/Kolkata"
    DENVER = "America/Denver"
    DUBAI = "Asia/Dubai"
    HONOLULU = "Pacific/Honolulu"
    KABUL = "Asia/Kabul"
    KARACHI = "Asia/Karachi"
    KATHMANDU = "Asia/Kathmandu"
    LISBON = "Europe/Lisbon"
    NAIROBI = "Africa/Nairobi"
    PITTSBURGH = "America/New_York"
    REYKJAVIK = "Atlantic/Reykjavik"
    SHANGHAI = "Asia/Shanghai"
    ST_JOHNS = "America/St_Johns"
    SYDNEY = "Australia/Sydney"
    TEHRAN = "Asia/Tehran"
    TOKYO = "Asia/Tokyo"
    VANCOUVER = "America/Vancouver"
    YANGON = "Asia/Yangon"

    @property
    def zone(self) -> ZoneInfo:
        return ZoneInfo(self.value)


@dataclass(frozen=True, slots=True)
class Event:
    """Something in the calendar; two events at the same moment are equal whatever zone the moment is written in."""

    name: str
    location: Location
    start: datetime | None
    minutes: int


@dataclass(frozen=True, slots=True)
class Flight:
    """From its departure on, the calendar shows times of the destination."""

    destination: Location
    departure: datetime


class Calendar:
    """The calendar of one person."""

    def __init__(self, home: Location = Location.PITTSBURGH, *, now: datetime) -> None:
        self.home = home
        self.events: list[Event] = []
        self.flights: list[Flight] = []
        self.set_current_time(now)

    def set_current_time(self, now: datetime) -> None:
        if now.tzinfo is None:
            raise ValueError(f"{now!r} has no time zone")
        self.now = now

    def fly(self, destination: Location, departure: datetime) -> Flight:
        """Import a flight."""
        if departure.tzinfo is None:
            raise ValueError(f"{departure!r} has no time zone")
        flight = Flight(destination, departure)
        self.flights.append(flight)
        return flight

    def create(self, name: str, location: Location, start: datetime | None = None, *, minutes: int = 60) -> Event:
        """Add an event; without a start, the name may end in the time of an event of today."""
        if minutes < 0:
            raise ValueError(f"minutes {minutes!r} is below 0")
        if start is None:
            name, start = self._read_time(name)
        event = Event(name, location, start, minutes)
        self.events.append(event)
        return event

    def show(self, event: Event) -> str:
        """Return the event in a line, in the time of the place where the owner is then."""
        if event.start is None:
            return event.name
        local = event.start.astimezone(self.whereabouts(event.start).zone)
        return f"{local:%Y-%m-%d %H:%M} {event.name}"

    def whereabouts(self, moment: datetime) -> Location:
        """Return where the owner is, or is on the way to."""
        taken = [flight for flight in self.flights if flight.departure <= moment]
        return max(taken, key=lambda flight: flight.departure).destination if taken else self.home

    def today(self) -> date:
        return self.now.astimezone(self.whereabouts(self.now).zone).date()

    def _read_time(self, name: str) -> tuple[str, datetime | None]:
        match = _SUFFIX.search(name)
        if match is None:
            return name, None
        start = datetime.combine(self.today(), parse_time(match["time"]), self._local_zone())
        return name[: match.start()].rstrip(), start

    def _local_zone(self) -> tzinfo:
        offset = self.now.astimezone(self.whereabouts(self.now).zone).utcoffset()
        assert offset is not None
        return timezone(timedelta(hours=offset // timedelta(hours=1)))


def parse_time(text: str) -> time:
    """Read a time in 12-hour or 24-hour form."""
    if re.fullmatch(TIME, text, re.ASCII) is None:
        raise ValueError(f"{text!r} is not a time such as 7:00 PM or 19:00")
    hours, minutes = int(text.split(":")[0]), int(text.split(":")[1][:2])
    if text.endswith("AM"):
        hours %= 12
    elif text.endswith("PM"):
        hours = hours % 12 + 12
    return time(hours, minutes)
