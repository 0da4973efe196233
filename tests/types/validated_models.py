"""Twenty small models with validators as people write them, each with a second opinion in plain Python.

`is_legal` takes the fields and says whether the model accepts them; it shares nothing with the validator. `space` holds
every value that the annotations alone allow, where these are few enough to try them all. `witnesses` are legal arguments
at an end of what there is (the shortest, the longest, the first, the last): whoever says that a choice is impossible
which one of them shows is wrong.
"""

import calendar
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date, time, timedelta
from decimal import Decimal
from itertools import pairwise, product
from typing import Annotated, Literal, Self

import attrs
from annotated_types import Interval, Len, Predicate
from pydantic import AfterValidator, BaseModel, Field, field_validator, model_validator

from unlike import Matching


def words(letters: str, least: int, most: int) -> list[str]:
    """Return every string over the letters of these lengths."""
    return ["".join(word) for n in range(least, most + 1) for word in product(letters, repeat=n)]


def days(first: date, last: date) -> list[date]:
    return [first + timedelta(n) for n in range((last - first).days + 1)]


class Password(BaseModel):
    text: str = Field(min_length=4, max_length=12)

    @field_validator("text")
    @classmethod
    def wants_a_mark(cls, value: str) -> str:
        if "#" not in value:
            raise ValueError("a password has a # in it")
        return value


class Even(BaseModel):
    n: int = Field(ge=0, le=101)

    @field_validator("n")
    @classmethod
    def is_even(cls, value: int) -> int:
        if value % 2:
            raise ValueError(f"{value} is odd")
        return value


@dataclass(frozen=True)
class Period:
    start: Annotated[date, Interval(ge=date(2024, 2, 1), le=date(2024, 3, 15))]
    end: Annotated[date, Interval(ge=date(2024, 2, 1), le=date(2024, 3, 15))]

    def __post_init__(self) -> None:
        if self.end <= self.start:
            raise ValueError(f"{self.end} is not after {self.start}")


class Budget(BaseModel):
    wages: int = Field(ge=0, le=10)
    rent: int = Field(ge=0, le=10)
    total: int = Field(ge=0, le=25)

    @model_validator(mode="after")
    def adds_up(self) -> Self:
        if self.wages + self.rent != self.total:
            raise ValueError("the parts are not the total")
        return self


class Monday(BaseModel):
    day: date = Field(ge=date(2024, 1, 1), le=date(2024, 12, 31))

    @field_validator("day")
    @classmethod
    def begins_a_week(cls, value: date) -> date:
        if value.weekday():
            raise ValueError(f"{value} is no Monday")
        return value


def has_an_at(_: object, attribute: object, value: str) -> None:
    if "@" not in value[1:-1]:
        raise ValueError(f"no @ within {value!r}")


@attrs.frozen
class Mailbox:
    address: str = attrs.field(validator=[attrs.validators.min_len(3), attrs.validators.max_len(8), has_an_at])


class Code(BaseModel):
    text: Annotated[str, Matching("[a-e]{1,3}"), Predicate(lambda text: text[0] in "ae")]


class Palindrome(BaseModel):
    text: str = Field(pattern="^[ab]{0,5}$")

    @field_validator("text")
    @classmethod
    def reads_both_ways(cls, value: str) -> str:
        assert value == value[::-1], "it reads another way backwards"
        return value


@dataclass(frozen=True)
class Triangle:
    a: Annotated[int, Interval(ge=1, le=9)]
    b: Annotated[int, Interval(ge=1, le=9)]
    c: Annotated[int, Interval(ge=1, le=9)]

    def __post_init__(self) -> None:
        if max(self.a, self.b, self.c) * 2 >= self.a + self.b + self.c:
            raise ValueError("the longest side is too long")


class Bounds(BaseModel):
    low: Annotated[int, Field(ge=0, le=5)] | None = None
    high: Annotated[int, Field(ge=0, le=5)] | None = None

    @model_validator(mode="after")
    def leave_something(self) -> Self:
        if self.low is None and self.high is None:
            raise ValueError("no bound at all")
        if self.low is not None and self.high is not None and self.low > self.high:
            raise ValueError("nothing lies between")
        return self


class Tags(BaseModel):
    tags: list[Literal["new", "old", "used"]] = Field(max_length=4)

    @field_validator("tags")
    @classmethod
    def are_unique(cls, value: list[str]) -> list[str]:
        if len(set(value)) < len(value):
            raise ValueError("a tag twice")
        return value


def is_sorted(_: object, attribute: object, value: list[int]) -> None:
    if value != sorted(value):
        raise ValueError(f"{value} is not sorted")


@attrs.frozen
class Scores:
    scores: Annotated[list[Annotated[int, Interval(ge=0, le=4)]], Len(0, 3)] = attrs.field(validator=is_sorted)


class Discount(BaseModel):
    kind: Literal["percent", "amount"]
    value: int = Field(ge=0, le=200)

    @model_validator(mode="after")
    def is_possible(self) -> Self:
        if self.kind == "percent" and self.value > 100:
            raise ValueError("more than everything")
        if self.kind == "amount" and (self.value % 5 or self.value == 0):
            raise ValueError("no such voucher")
        return self


class Account(BaseModel):
    balance: Decimal = Field(ge=Decimal("-2.0"), le=Decimal("2.0"), decimal_places=1)
    limit: Decimal = Field(ge=Decimal(0), le=Decimal("1.5"), decimal_places=1)

    @model_validator(mode="after")
    def stays_within_its_limit(self) -> Self:
        if self.balance < -self.limit:
            raise ValueError("overdrawn")
        return self


@dataclass(frozen=True)
class OddLength:
    text: Annotated[str, Len(2, 8)]

    def __post_init__(self) -> None:
        if len(self.text) % 2 == 0:
            raise ValueError("an even number of characters")


def shout(value: str) -> str:
    if not value.isupper():
        raise ValueError(f"{value!r} is not loud")
    return value


class Headline(BaseModel):
    text: Annotated[str, Field(min_length=1, max_length=6), AfterValidator(shout)]


class Opening(BaseModel):
    opens: time = Field(ge=time(6), le=time(12))
    closes: time = Field(ge=time(8), le=time(22))

    @model_validator(mode="after")
    def is_worth_it(self) -> Self:
        if (self.closes.hour - self.opens.hour) * 60 + self.closes.minute - self.opens.minute < 120:
            raise ValueError("less than two hours")
        return self


def ends_a_month(_: object, attribute: object, value: date) -> None:
    if (value + timedelta(1)).day != 1:
        raise ValueError(f"{value} does not end a month")


@attrs.frozen
class Closing:
    day: Annotated[date, Interval(ge=date(2023, 12, 15), le=date(2025, 1, 15))] = attrs.field(validator=ends_a_month)


class CardNumber(BaseModel):
    digits: str = Field(pattern="^[0-9]{4}$")

    @field_validator("digits")
    @classmethod
    def checks(cls, value: str) -> str:
        doubled = [sum(divmod(2 * int(digit), 10)) for digit in value[-2::-2]]
        if (sum(doubled) + sum(int(digit) for digit in value[::-2])) % 10:
            raise ValueError("the check digit is wrong")
        return value


class Delivery(BaseModel):
    speed: Literal["slow", "fast", "now"]
    paid: bool
    kilograms: int = Field(ge=1, le=30)
    note: str | None = Field(default=None, max_length=5)

    @model_validator(mode="after")
    def can_be_done(self) -> Self:
        if self.speed == "now" and (not self.paid or self.kilograms > 5):
            raise ValueError("not at once")
        if self.speed == "slow" and self.note is not None and not self.note.strip():
            raise ValueError("an empty note")
        return self


@dataclass(frozen=True)
class Subject:
    """A model and the second opinion; `space` is None where the annotations allow too many values to try."""

    model: type
    is_legal: Callable[..., bool]
    space: dict[str, Sequence[object]] | None = None
    witnesses: tuple[dict[str, object], ...] = field(default=())


def luhn(digits: str) -> bool:
    """Return whether the digits, every second one doubled from the right, with 9 taken off, sum up to tens."""
    total = 0
    for place, digit in enumerate(reversed(digits)):
        value = int(digit) * (1 + place % 2)
        total += value - 9 if value > 9 else value
    return total % 10 == 0


FEBRUARY_AND_A_HALF = days(date(2024, 2, 1), date(2024, 3, 15))
TENTHS = [Decimal(n) / 10 for n in range(-20, 21)]
NUMBER_OR_NONE = [None, *range(6)]
SIDES = list(range(1, 10))

SUBJECTS = [
    Subject(
        Password,
        lambda text: 4 <= len(text) <= 12 and text.count("#") > 0,
        witnesses=({"text": "abc#"}, {"text": "abcd#"}, {"text": "#abcdefghijk"}, {"text": "abcdefghij#"}),
    ),
    Subject(Even, lambda n: n in range(0, 102, 2), {"n": list(range(102))}, ({"n": 0}, {"n": 100})),
    Subject(
        Period,
        lambda start, end: (end - start).days > 0,
        {"start": FEBRUARY_AND_A_HALF, "end": FEBRUARY_AND_A_HALF},
        (
            {"start": date(2024, 2, 1), "end": date(2024, 3, 15)},
            {"start": date(2024, 2, 29), "end": date(2024, 3, 1)},
            {"start": date(2024, 3, 14), "end": date(2024, 3, 15)},
        ),
    ),
    Subject(
        Budget,
        lambda wages, rent, total: total - rent - wages == 0,
        {"wages": list(range(11)), "rent": list(range(11)), "total": list(range(26))},
        ({"wages": 0, "rent": 0, "total": 0}, {"wages": 10, "rent": 10, "total": 20}),
    ),
    Subject(
        Monday,
        lambda day: calendar.day_name[calendar.weekday(day.year, day.month, day.day)] == "Monday",
        {"day": days(date(2024, 1, 1), date(2024, 12, 31))},
        ({"day": date(2024, 1, 1)}, {"day": date(2024, 12, 30)}),
    ),
    Subject(
        Mailbox,
        lambda address: 3 <= len(address) <= 8 and 0 < address.find("@", 1) < len(address) - 1,
        witnesses=({"address": "a@b"}, {"address": "a@bc"}, {"address": "abc@defg"}),
    ),
    Subject(
        Code,
        lambda text: text.startswith(("a", "e")),
        {"text": words("abcde", 1, 3)},
        ({"text": "a"}, {"text": "ea"}, {"text": "abc"}),
    ),
    Subject(
        Palindrome,
        lambda text: all(text[n] == text[-1 - n] for n in range(len(text) // 2)),
        {"text": words("ab", 0, 5)},
        ({"text": ""}, {"text": "b"}, {"text": "abba"}, {"text": "ababa"}),
    ),
    Subject(
        Triangle,
        lambda a, b, c: a + b > c and b + c > a and c + a > b,
        {"a": SIDES, "b": SIDES, "c": SIDES},
        ({"a": 1, "b": 1, "c": 1}, {"a": 9, "b": 9, "c": 9}, {"a": 1, "b": 9, "c": 9}, {"a": 9, "b": 1, "c": 9}),
    ),
    Subject(
        Bounds,
        lambda low=None, high=None: any(
            (low is None or low <= n) and (high is None or n <= high) for n in range(6) if (low, high) != (None, None)
        ),
        {"low": NUMBER_OR_NONE, "high": NUMBER_OR_NONE},
        ({"low": 5}, {"high": 0}, {"low": None, "high": 5}, {"low": 0, "high": None}, {"low": 5, "high": 5}),
    ),
    Subject(
        Tags,
        lambda tags: all(tags.count(tag) == 1 for tag in tags),
        {"tags": [list(tags) for n in range(5) for tags in product(["new", "old", "used"], repeat=n)]},
        ({"tags": []}, {"tags": ["used"]}, {"tags": ["new", "old", "used"]}),
    ),
    Subject(
        Scores,
        lambda scores: all(a <= b for a, b in pairwise(scores)),
        {"scores": [list(scores) for n in range(4) for scores in product(range(5), repeat=n)]},
        ({"scores": []}, {"scores": [4]}, {"scores": [0, 4]}, {"scores": [0, 0, 4]}),
    ),
    Subject(
        Discount,
        lambda kind, value: value in (range(101) if kind == "percent" else range(5, 201, 5)),
        {"kind": ["percent", "amount"], "value": list(range(201))},
        ({"kind": "percent", "value": 0}, {"kind": "amount", "value": 200}, {"kind": "percent", "value": 1}),
    ),
    Subject(
        Account,
        lambda balance, limit: balance + limit >= 0,
        {"balance": TENTHS, "limit": [n for n in TENTHS if 0 <= n <= Decimal("1.5")]},
        ({"balance": Decimal("2.0"), "limit": Decimal(0)}, {"balance": Decimal("-1.5"), "limit": Decimal("1.5")}),
    ),
    Subject(
        OddLength,
        lambda text: len(text) in (3, 5, 7),
        witnesses=({"text": "abc"}, {"text": "abcdefg"}),
    ),
    Subject(
        Headline,
        lambda text: len(text) <= 6 and text == text.upper() != text.lower(),
        witnesses=({"text": "A"}, {"text": "AB"}, {"text": "ABCDE"}, {"text": "ABCDEF"}),
    ),
    Subject(
        Opening,
        lambda opens, closes: (closes.hour * 60 + closes.minute) - (opens.hour * 60 + opens.minute) >= 2 * 60,
        witnesses=(
            {"opens": time(6), "closes": time(8)},
            {"opens": time(12), "closes": time(22)},
            {"opens": time(6), "closes": time(22)},
        ),
    ),
    Subject(
        Closing,
        lambda day: day.day == calendar.monthrange(day.year, day.month)[1],
        {"day": days(date(2023, 12, 15), date(2025, 1, 15))},
        ({"day": date(2023, 12, 31)}, {"day": date(2024, 2, 29)}, {"day": date(2024, 12, 31)}),
    ),
    Subject(
        CardNumber,
        luhn,
        {"digits": words("0123456789", 4, 4)},
        ({"digits": "0000"}, {"digits": "9993"}),
    ),
    Subject(
        Delivery,
        lambda speed, paid, kilograms, note=None: (
            ((paid and kilograms in range(1, 6)) or speed != "now")
            and (speed != "slow" or note is None or not (note == "" or note.isspace()))
        ),
        {"speed": ["slow", "fast", "now"], "paid": [False, True], "kilograms": list(range(1, 31)), "note": [None]},
        (
            {"speed": "now", "paid": True, "kilograms": 1},
            {"speed": "slow", "paid": False, "kilograms": 30, "note": "a"},
            {"speed": "fast", "paid": False, "kilograms": 29, "note": ""},
            {"speed": "now", "paid": True, "kilograms": 5, "note": "abcde"},
        ),
    ),
]
