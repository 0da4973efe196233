"""What a type of plain values means unless more is said: the default bounds, stated here and in docs/types.md.

A value of the term language says all its bounds itself: `Int(0, 9)` may stand where an annotation may.
"""

from __future__ import annotations

import dataclasses
import datetime
import decimal
import enum
import functools
import ipaddress
import itertools
import operator
import pathlib
import typing
import uuid
from typing import Literal

from unlike.language.moments import DAY_SECONDS, SECOND
from unlike.language.values import (
    Bool,
    Date,
    DateTime,
    Decimal,
    Int,
    List,
    OneOf,
    Option,
    Real,
    Record,
    Str,
    Time,
    Timedelta,
    Value,
    build,
)
from unlike.structure.shapes import (
    Build,
    Choice,
    CodeLine,
    Constants,
    Field,
    ItemsShape,
    NamedFields,
    Numbers,
    Shape,
    Texts,
)

INT_LOW, INT_HIGH = -(2**31), 2**31 - 1
REAL = 1_000_000  # floats without bounds of their own lie between minus and plus this
STR_MOST, PATTERN_MOST, LIST_MOST = 20, 64, 3
DAY = 86_400  # seconds
BOUNDS = ("least", "most")
MOST_FLAGS = 10  # members of a Flag: with more, not all combinations are listed


def _seconds(moment: datetime.datetime) -> int:
    return int((moment - datetime.datetime(1970, 1, 1)).total_seconds())


LEAVES: dict[object, Shape] = {
    int: Numbers(CodeLine("int"), INT_LOW, INT_HIGH),
    float: Numbers(CodeLine("float", 2), -REAL * 100, REAL * 100),
    decimal.Decimal: Numbers(CodeLine("decimal", 2), -REAL * 100, REAL * 100),
    bool: Constants((False, True), "bool"),
    str: Texts(None, 0, STR_MOST),
    bytes: Texts(None, 0, STR_MOST, made="bytes"),
    type(None): Constants((None,), "None"),
    None: Constants((None,), "None"),
    datetime.date: Numbers(
        CodeLine("date"), datetime.date(2000, 1, 1).toordinal(), datetime.date(2099, 12, 31).toordinal()
    ),
    datetime.time: Numbers(CodeLine("time"), 0, DAY - 1),
    datetime.datetime: Numbers(
        CodeLine("datetime"),
        _seconds(datetime.datetime(2000, 1, 1)),
        _seconds(datetime.datetime(2099, 12, 31, 23, 59, 59)),
    ),
    datetime.timedelta: Numbers(CodeLine("timedelta"), -365 * DAY, 365 * DAY),
    uuid.UUID: Numbers(CodeLine("uuid"), 0, 2**62 - 1),
    ipaddress.IPv4Address: Numbers(
        CodeLine("ipv4"), int(ipaddress.IPv4Address("1.0.0.1")), int(ipaddress.IPv4Address("223.255.255.254"))
    ),
    ipaddress.IPv6Address: Numbers(
        CodeLine("ipv6"), int(ipaddress.IPv6Address("2001:db8::1")), int(ipaddress.IPv6Address("2001:db8::ffff:ffff"))
    ),
    pathlib.Path: Texts(r"/?[a-z]+(/[a-z]+)?(\.txt)?", 1, PATTERN_MOST, made="path"),
    pathlib.PurePath: Texts(r"/?[a-z]+(/[a-z]+)?(\.txt)?", 1, PATTERN_MOST, made="path"),
}
WEB = Texts(r"https?://example\.(com|org)(/[a-z]{1,8})?(\?[a-z]=[0-9])?", 0, PATTERN_MOST)
EMAIL = Texts(r"[a-z][a-z0-9]{0,9}([._+-][a-z0-9]{1,8})?@example\.(com|org)", 0, PATTERN_MOST)
DATETIME = LEAVES[datetime.datetime]
assert isinstance(DATETIME, Numbers)
# Given as what pydantic makes them from; with the keyword by which those are made that are classes with objects. The
# others are plain texts and moments.
PYDANTIC: dict[str, tuple[Shape, str | None]] = {
    "EmailStr": (EMAIL, None),
    "AnyUrl": (WEB, "url"),
    "AnyHttpUrl": (WEB, "url"),
    "HttpUrl": (WEB, "url"),
    "SecretStr": (LEAVES[str], "secret_value"),
    "SecretBytes": (LEAVES[bytes], "secret_value"),
    "NaiveDatetime": (dataclasses.replace(DATETIME, stated=("zone",)), None),
    "AwareDatetime": (dataclasses.replace(DATETIME, line=CodeLine("datetime", zone="UTC"), stated=("zone",)), None),
}
# Further types of pydantic that only objects are made of; the second is whether a call makes them outside its models.
YEARS = {"Past": (2000, 2019), "Future": (2080, 2099)}  # beyond any day on which this runs
HOSTS = r"(localhost|db\.example\.com)"


def _of_years(first: int, last: int, *, whole_days: bool) -> Numbers:
    """Return the dates or moments of some years."""
    begin, end = datetime.datetime(first, 1, 1), datetime.datetime(last, 12, 31)
    low, high = (begin.toordinal(), end.toordinal()) if whole_days else (_seconds(begin), _seconds(end))
    return Numbers(CodeLine("date" if whole_days else "datetime"), low, high)


def _dsn(schemes: str, port: str, path: str = "/[a-z]{1,8}") -> Shape:
    return Texts(f"{schemes}://[a-z]{{1,6}}:[a-z]{{1,6}}@{HOSTS}(:{port})?{path}", 0, PATTERN_MOST)


ADDRESSES = Choice((("IPv4", LEAVES[ipaddress.IPv4Address]), ("IPv6", LEAVES[ipaddress.IPv6Address])))
PYDANTIC_MADE: dict[str, tuple[Shape, bool]] = {
    **{f"{when}Date": (_of_years(*years, whole_days=True), False) for when, years in YEARS.items()},
    **{f"{when}Datetime": (_of_years(*years, whole_days=False), False) for when, years in YEARS.items()},
    "IPvAnyAddress": (ADDRESSES, False),
    "ByteSize": (Numbers(CodeLine("int"), 0, INT_HIGH), True),
    "FileUrl": (Texts(r"file:///[a-z]{1,8}(/[a-z]{1,8})?(\.txt)?", 0, PATTERN_MOST), True),
    "FtpUrl": (Texts(r"ftp://example\.(com|org)(/[a-z]{1,8})?", 0, PATTERN_MOST), True),
    "WebsocketUrl": (Texts(r"wss?://example\.(com|org)(/[a-z]{1,8})?", 0, PATTERN_MOST), True),
    "AnyWebsocketUrl": (Texts(r"wss?://example\.(com|org)(/[a-z]{1,8})?", 0, PATTERN_MOST), True),
    "PostgresDsn": (_dsn(r"postgres(ql)?", "5432"), True),
    "CockroachDsn": (_dsn("cockroachdb", "26257"), True),
    "MySQLDsn": (_dsn("mysql", "3306"), True),
    "MariaDBDsn": (_dsn("mariadb", "3306"), True),
    "ClickHouseDsn": (_dsn("clickhouse", "9000"), True),
    "SnowflakeDsn": (_dsn("snowflake", "443"), True),
    "MongoDsn": (_dsn("mongodb", "27017"), True),
    "RedisDsn": (_dsn("rediss?", "6379", "/[0-9]"), True),
    "AmqpDsn": (_dsn("amqps?", "5672"), True),
    "NatsDsn": (_dsn("nats", "4222", ""), True),
    "KafkaDsn": (_dsn("kafka", "9092", ""), True),
    "PaymentCardNumber": (Constants(("4242424242424242", "5555555555554444", "378282246310005")), True),
    "Color": (Constants(("red", "#0080ff", "rgb(0, 128, 0)", "hsl(270, 60%, 70%)")), True),
}


def has_own_objects(cls: type) -> bool:
    """Tell whether the values of a type are objects of its class: those of pydantic's EmailStr are plain texts."""
    if not cls.__module__.startswith("pydantic"):
        return True
    if cls.__name__ in PYDANTIC:
        return PYDANTIC[cls.__name__][1] is not None
    return cls.__name__ not in PYDANTIC_MADE or PYDANTIC_MADE[cls.__name__][1]


# Texts that break a format, as is seen by asking; the first that is refused, and breaks nothing else, is taken.
_NO_URL = ("http://", "example.com", "://example.com", "", "http:// ", "ftp:/")
MALFORMED: dict[str, tuple[object, ...]] = {
    "EmailStr": ("user.example.com", "user@", "@example.com", "user@@example.com", ""),
    "AnyUrl": _NO_URL,
    "AnyHttpUrl": ("ftp://example.com", *_NO_URL),
    "HttpUrl": ("ftp://example.com", *_NO_URL),
}


def shape_of_value(value: Value) -> Shape:
    """Return the shape of a value; all its bounds count as stated."""
    match value:
        case Bool():
            return Constants((False, True), "bool")
        case OneOf():
            return Constants(tuple(build(value, each) for each in value.members))
        case Int(low, high):
            return Numbers(CodeLine("int"), low, high, stated=BOUNDS)
        case Real(places=places):
            low, high = value.steps
            kind: Literal["float", "decimal"] = "decimal" if isinstance(value, Decimal) else "float"
            return Numbers(CodeLine(kind, places), low, high, stated=(*BOUNDS, "places"))
        case Date():
            return Numbers(CodeLine("date"), value.low.toordinal(), value.high.toordinal(), stated=BOUNDS)
        case Time(step=step):
            first, last = value.seconds
            low, high = -(-first // step) * step, min(last, DAY_SECONDS - 1) // step * step
            return Numbers(CodeLine("time"), low, high, step, (*BOUNDS, "multiple"))
        case DateTime() | Timedelta():
            return _line_of_time(value)
        case Str(pattern, least, _, flags):
            stated = ("shortest", "longest") if pattern is None else ("pattern",)
            return Texts(pattern, least, value.most, flags, stated=stated, unicode=value.unicode)
        case Option(inner):
            return Choice((("value", shape_of_value(inner)), ("None", Constants((None,)))))
        case List(inner, least, _):
            return ItemsShape(shape_of_value(inner), least, value.most, stated=("fewest items", "most items"))
        case Record(fields, made):
            parts = tuple(Field(name, shape_of_value(inner)) for name, inner in fields)
            return NamedFields(parts, Build() if made is None else Build("call", made), closed=True)


def _line_of_time(value: DateTime | Timedelta) -> Numbers:
    """Return the shape of moments or spans of time, in whole seconds where their step is."""
    kind: Literal["datetime", "timedelta"] = "datetime" if isinstance(value, DateTime) else "timedelta"
    places, step = (6, value.ticks) if value.ticks % SECOND else (0, value.ticks // SECOND)
    low, high = value.steps
    return Numbers(CodeLine(kind, places), low * step, high * step, step, (*BOUNDS, "multiple"))


def flag_values(cls: type) -> tuple[list[enum.Flag], list[enum.Flag], int]:
    """Return the values of a Flag that are choices of their own, all other combinations if they are few, or how many.

    A member of several bits is a combination of others, unless nobody else has all of its bits.
    """
    flags = typing.cast("type[enum.Flag]", cls)
    single = functools.reduce(operator.or_, (each.value for each in flags), 0)
    named = [each for name, each in flags.__members__.items() if each.name == name and each.value]
    members = [each for each in named if each in list(flags) or each.value & ~single]
    shown = [flags(0), *members]
    shown += [functools.reduce(operator.or_, members)] if len(members) > 1 else []
    if len(members) > MOST_FLAGS:
        return shown, [], 2 ** len(members) - len(shown)
    sizes = range(2, len(members))
    mixed = [functools.reduce(operator.or_, some) for size in sizes for some in itertools.combinations(members, size)]
    return shown, [each for each in dict.fromkeys(mixed) if each not in shown], 0
