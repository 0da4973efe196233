"""What a type of plain values means unless more is said: the default bounds, stated here and in docs/types.md."""

from __future__ import annotations

import dataclasses
import datetime
import decimal
import ipaddress
import pathlib
import uuid

from unlike.structure.shapes import CodeLine, Constants, Numbers, Shape, Texts

INT_LOW, INT_HIGH = -(2**31), 2**31 - 1
REAL = 1_000_000
STR_MOST, PATTERN_MOST, LIST_MOST = 20, 64, 3
DAY = 86_400


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
PYDANTIC: dict[str, Shape] = {  # given as what pydantic makes them from
    "EmailStr": EMAIL,
    "AnyUrl": WEB,
    "AnyHttpUrl": WEB,
    "HttpUrl": WEB,
    "SecretStr": LEAVES[str],
    "SecretBytes": LEAVES[bytes],
    "NaiveDatetime": DATETIME,
    "AwareDatetime": dataclasses.replace(DATETIME, line=CodeLine("datetime", zone="UTC")),
}
# The keyword by which those of them are made that are classes with objects; the others are plain texts and moments.
MADE_BY = {
    "AnyUrl": "url",
    "AnyHttpUrl": "url",
    "HttpUrl": "url",
    "SecretStr": "secret_value",
    "SecretBytes": "secret_value",
}
