"""What the formats of strings look like: a pattern for each, and for dates and addresses a line of values."""

from __future__ import annotations

import datetime
import ipaddress
import uuid
from dataclasses import replace

from unlike.formats.python_types.annotations import EMAIL, LEAVES, WEB
from unlike.structure.shapes import Line, Numbers, Shape, Texts


def _written(kind: object, zone: str | None = None) -> Shape:
    shape = LEAVES[kind]
    assert isinstance(shape, Numbers)
    return replace(shape, line=Line(shape.line.kind, zone=zone, written=True))


def _texts(shape: Texts) -> str:
    assert shape.pattern is not None
    return shape.pattern


WRITTEN: dict[str, Shape] = {
    "date": _written(datetime.date),
    "time": _written(datetime.time, "UTC"),
    "date-time": _written(datetime.datetime, "UTC"),
    "uuid": _written(uuid.UUID),
    "ipv4": _written(ipaddress.IPv4Address),
    "ipv6": _written(ipaddress.IPv6Address),
}
_DATE = r"20[0-9]{2}-(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])"
_CLOCK = r"([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]{1,3})?"
_TIME = rf"{_CLOCK}(Z|[+-](0[0-9]|1[0-2]):00)"
FORMATS: dict[str, str] = {
    "date": _DATE,
    "time": _TIME,
    "date-time": rf"{_DATE}T{_TIME}",
    "duration": r"P([1-9][0-9]?D(T[1-9][0-9]?H)?|T[1-9][0-9]?[HMS]|[1-9]W|[1-9][YM])",
    "uuid": r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}",
    "ipv4": r"((25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])\.){3}(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])",
    "ipv6": r"2001:db8:(:[1-9a-f][0-9a-f]{0,3}|([0-9a-f]{1,4}:){5}[0-9a-f]{1,4})",
    "email": _texts(EMAIL),
    "idn-email": _texts(EMAIL),
    "hostname": r"[a-z]([a-z0-9-]{0,8}[a-z0-9])?(\.[a-z]{2,5})?",
    "idn-hostname": r"[a-z]([a-z0-9-]{0,8}[a-z0-9])?(\.[a-z]{2,5})?",
    "uri": _texts(WEB),
    "url": _texts(WEB),
    "iri": _texts(WEB),
    "uri-reference": rf"({_texts(WEB)})|/[a-z]{{1,8}}",
    "iri-reference": rf"({_texts(WEB)})|/[a-z]{{1,8}}",
    "uri-template": r"https://example\.(com|org)/\{[a-z]{1,8}\}",
    "json-pointer": r"(/[a-z]{1,5}){0,2}",
    "relative-json-pointer": r"[0-9](#|(/[a-z]{1,5}){0,2})",
    "regex": r"[a-z]{1,3}(\[0-9\]\+)?",
    "byte": r"([A-Za-z0-9+/]{4}){0,2}([A-Za-z0-9+/][AQgw]==)?",
}
