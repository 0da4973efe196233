"""The types of the inputs of the functions over structured data, as their users would write them."""

from __future__ import annotations

import datetime
import enum
from dataclasses import dataclass, field
from typing import Annotated, Literal, NotRequired, TypedDict

from annotated_types import Interval, MaxLen, MinLen
from pydantic import BaseModel


@dataclass
class Span:
    """A timespan, and how it is to be said."""

    days: Annotated[int, Interval(ge=-4000, le=4000)]
    seconds: Annotated[int, Interval(ge=0, le=86_399)]
    microseconds: Annotated[int, Interval(ge=0, le=999_999)] = 0
    months: bool = True
    minimum_unit: Literal["seconds", "milliseconds", "microseconds"] = "seconds"


@dataclass
class Ends:
    """An interval of whole numbers; None is infinity."""

    lower: int | None
    upper: int | None
    lower_closed: bool = True
    upper_closed: bool = True


@dataclass
class TwoIntervals:
    """Two intervals and a number."""

    first: Ends
    second: Ends
    number: int = 0


@dataclass
class Item:
    """One line of an order; the price is in cents."""

    kind: Literal["book", "food", "other"]
    price: Annotated[int, Interval(ge=0, le=100_000)]
    quantity: Annotated[int, Interval(ge=1, le=50)] = 1


@dataclass
class Order:
    """What a customer of a shop sends."""

    items: Annotated[list[Item], MaxLen(6)]
    country: Literal["DE", "FR", "CH", "US"]
    express: bool = False
    coupon: Literal["TEN", "SHIP", "HALF"] | None = None
    member_years: Annotated[int, Interval(ge=0, le=40)] = 0


class Meeting(TypedDict):
    """Minutes since midnight."""

    room: Literal["A", "B"]
    start: Annotated[int, Interval(ge=0, le=1439)]
    minutes: Annotated[int, Interval(ge=5, le=480)]
    optional: NotRequired[bool]


class Day(TypedDict):
    """The meetings of one day."""

    opens: Annotated[int, Interval(ge=0, le=720)]
    closes: Annotated[int, Interval(ge=600, le=1439)]
    meetings: Annotated[list[Meeting], MaxLen(5)]


@dataclass
class Move:
    """A date and where it is moved to."""

    start: datetime.date
    end: datetime.date
    years: Annotated[int, Interval(ge=-100, le=100)] = 0
    months: Annotated[int, Interval(ge=-30, le=30)] = 0
    days: Annotated[int, Interval(ge=-400, le=400)] = 0
    day: Annotated[int, Interval(ge=1, le=31)] | None = None
    weekday: Literal[0, 1, 2, 3, 4, 5, 6] | None = None
    week: Literal[-2, -1, 1, 2] = 1
    leap_days: Literal[-1, 0, 1] = 0


class Settings(TypedDict):
    """A small document."""

    name: str
    tags: list[Literal["a", "b", "c"]]
    sizes: dict[Literal["x", "y"], int]
    ratio: float
    limit: NotRequired[int | None]


class TwoSettings(TypedDict):
    """A document before and after a change."""

    before: Settings
    after: Settings
    expand: bool


class Category(enum.Enum):
    """What an employee is."""

    WORKER = "worker"
    CLERK = "clerk"
    TRAINEE = "trainee"


class Employee(BaseModel):
    """A month of an employee; money is in cents."""

    gross: Annotated[int, Interval(ge=0, le=2_000_000)]
    category: Category
    hours: Annotated[float, Interval(ge=0, le=300)]
    children: Annotated[int, Interval(ge=0, le=10)] = 0
    married: bool = False
    bonuses: Annotated[list[Annotated[int, Interval(ge=0, le=500_000)]], MaxLen(3)] = []
    church: Literal["none", "north", "south"] = "none"


@dataclass
class User:
    """Who asks."""

    role: Literal["guest", "member", "editor", "admin"]
    groups: set[Literal["staff", "press", "beta"]] = field(default_factory=set)
    age: Annotated[int, Interval(ge=0, le=120)] = 30
    suspended: bool = False


@dataclass
class Page:
    """What is asked for."""

    visibility: Literal["public", "internal", "private"]
    owned: bool = False
    locked: bool = False
    rating: Literal["all", "teen", "adult"] = "all"
    title: Annotated[str, MinLen(0), MaxLen(20)] = "page"


@dataclass
class Request:
    """Who asks for what, and when."""

    user: User
    page: Page
    action: Literal["read", "comment", "edit", "delete"]
    hour: Annotated[int, Interval(ge=0, le=23)] = 12
