"""What the formats of strings look like: a pattern for each, and for dates and addresses a line of values.

The pattern of a format gives few, readable texts. Where these contradict a pattern or a length beside them, wider ones
take its place: up to the whole format, as far as a regular expression tells it.
"""

from __future__ import annotations

import datetime
import ipaddress
import uuid
from dataclasses import replace

from unlike.structure.shapes import CodeLine, Numbers, Shape, Texts
from unlike.types.leaves import EMAIL, LEAVES, WEB


def _as_json(kind: object, zone: str | None = None) -> Shape:
    shape = LEAVES[kind]
    assert isinstance(shape, Numbers)
    return replace(shape, line=CodeLine(shape.line.kind, zone=zone, written=True))


def _texts(shape: Texts) -> str:
    assert shape.pattern is not None
    return shape.pattern


WRITTEN: dict[str, Shape] = {
    "date": _as_json(datetime.date),
    "time": _as_json(datetime.time, "UTC"),
    "date-time": _as_json(datetime.datetime, "UTC"),
    "uuid": _as_json(uuid.UUID),
    "ipv4": _as_json(ipaddress.IPv4Address),
    "ipv6": _as_json(ipaddress.IPv6Address),
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
    "hostname": r"[a-z]([a-z0-9-]{0,8}[a-z0-9])?(\.[a-z]{2,5})?",
    "uri": _texts(WEB),
    "uri-reference": rf"({_texts(WEB)})|/[a-z]{{1,8}}",
    "uri-template": r"https://example\.(com|org)/\{[a-z]{1,8}\}",
    "json-pointer": r"(/[a-z]{1,5}){0,2}",
    "relative-json-pointer": r"[0-9](#|(/[a-z]{1,5}){0,2})",
    "regex": r"[a-z]{1,3}(\[0-9\]\+)?",
    "byte": r"([A-Za-z0-9+/]{4}){0,2}([A-Za-z0-9+/][AQgw]==)?",
}

_LABEL = r"[A-Za-z0-9]([A-Za-z0-9-]{0,30}[A-Za-z0-9])?"
_WORD = r"[A-Za-z0-9_+-]+"
_EMAILS = (r"[a-z][a-z0-9]{0,7}@[a-z]{1,8}\.[a-z]{2,5}", rf"{_WORD}(\.{_WORD})*@{_LABEL}(\.{_LABEL})+")
_PATH = r"[A-Za-z0-9._~!$&'()*+,;=:@-]"
_MORE = rf"(\?({_PATH}|[/?])*)?(#({_PATH}|[/?])*)?"
_URI = rf"[A-Za-z][A-Za-z0-9+.-]*:(//[A-Za-z0-9.-]+(:[0-9]{{1,5}})?(/{_PATH}*)*|{_PATH}+(/{_PATH}*)*){_MORE}"
_URIS = (r"https?://[a-z]{1,8}(\.[a-z]{2,8}){1,2}(:[0-9]{2,4})?(/[a-z0-9]{1,8}){0,2}", _URI)
_DAY = r"((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8]))"
_DAYS = rf"((000[1-9]|00[1-9][0-9]|0[1-9][0-9]{{2}}|[1-9][0-9]{{3}})-{_DAY}|20(00|04|08|12|16|20|24|28)-02-29)"
_HOURS = r"([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]{1,9})?([Zz]|[+-]([01][0-9]|2[0-3]):[0-5][0-9])"
_SO_MANY = r"(0|[1-9][0-9]*)"
_WITHIN = rf"T({_SO_MANY}H({_SO_MANY}M({_SO_MANY}S)?)?|{_SO_MANY}M({_SO_MANY}S)?|{_SO_MANY}S)"
_SPAN = rf"({_SO_MANY}Y({_SO_MANY}M({_SO_MANY}D)?)?|{_SO_MANY}M({_SO_MANY}D)?|{_SO_MANY}D)"
_FOUR = r"[0-9a-fA-F]{1,4}"
_SHORTENED = "|".join(rf"({_FOUR}:){{1,{left}}}(:{_FOUR}){{1,{7 - left}}}" for left in range(1, 7))
_HEX = "[0-9a-fA-F]"
# from narrow to wide
WIDER: dict[str, tuple[str, ...]] = {
    "date": (_DAYS,),
    "time": (_HOURS,),
    "date-time": (rf"{_DAYS}[Tt]{_HOURS}",),
    "duration": (rf"P({_SPAN}({_WITHIN})?|{_WITHIN}|{_SO_MANY}W)",),
    "uuid": (rf"{_HEX}{{8}}-{_HEX}{{4}}-{_HEX}{{4}}-{_HEX}{{4}}-{_HEX}{{12}}",),
    "ipv6": (
        r"[1-9a-f][0-9a-f]{0,3}::[1-9a-f][0-9a-f]{0,3}|([0-9a-f]{1,4}:){7}[0-9a-f]{1,4}",
        rf"({_FOUR}:){{7}}{_FOUR}|({_FOUR}:){{1,7}}:|{_SHORTENED}|:((:{_FOUR}){{1,7}}|:)",
    ),
    "email": _EMAILS,
    "hostname": (rf"{_LABEL}(\.{_LABEL})*",),
    "uri": _URIS,
    "uri-reference": (*_URIS, rf"{_URI}|(/|{_PATH.replace(':', '')}+/?)({_PATH}+/?)*{_MORE}"),
    "uri-template": (r"[a-z]{1,8}://[a-z]{1,8}(\.[a-z]{2,8}){1,2}(/([a-z0-9]{1,8}|\{[a-z]{1,8}\})){0,3}",),
    "json-pointer": (r"(/([!-.0-}]|~[01])*)*",),
    "relative-json-pointer": (r"(0|[1-9][0-9]*)(#|(/([!-.0-}]|~[01])*)*)",),
    "regex": (r"([A-Za-z0-9 _-]|\[0-9\]\+)*",),
    "byte": (r"([A-Za-z0-9+/]{4})*([A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)?",),
}
# formats that look like others
ALIKE = {"idn-email": "email", "idn-hostname": "hostname", "url": "uri", "iri": "uri", "iri-reference": "uri-reference"}
FORMATS |= {name: FORMATS[other] for name, other in ALIKE.items()}
WIDER |= {name: WIDER[other] for name, other in ALIKE.items()}
