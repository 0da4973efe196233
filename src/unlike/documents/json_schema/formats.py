"""Formats: how their texts look, who says that one is broken, and by what values.

Drafts let a validator look at formats or not, and validators that look disagree about odd texts. So a format counts as
broken only by what no reading of it takes: a day that does not exist, an address without its host.
"""

from __future__ import annotations

import calendar
import datetime
import ipaddress
import itertools
import re
import uuid
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cache

from unlike.documents.json_schema.patterns import is_pattern, keep_patterns
from unlike.regex.automaton import Automaton, Undecided
from unlike.regex.language import Language
from unlike.regex.near_miss import near_misses
from unlike.regex.tree import parse
from unlike.structure.shapes import CodeLine, Numbers, Shape, Texts
from unlike.types.leaves import EMAIL, LEAVES, WEB

MOST_OTHERS = 40  # texts that are tried where the usual ones break another rule, too
LONGEST = 300  # such a text
OTHERWISE = "another text"
BadValue = tuple[str, object]  # what is wrong with it, in words


class FormatRules:
    """What a validator asks about formats: takes whatever may keep a format; with `none` nothing of a known one."""

    def __init__(self, *, none: bool = False) -> None:
        self.none = none

    def check(self, instance: object, format: object) -> None:  # noqa: A002  (as jsonschema calls it)
        """Raise if the value breaks the format."""
        from jsonschema.exceptions import FormatError

        if (self.none and is_about(format, instance)) or breaks_format(format, instance):
            raise FormatError(f"{instance!r} is no {format}")


def is_about(name: object, value: object) -> bool:
    """Tell whether a format is one that can be broken, and speaks of such values."""
    if size_of(name) is not None:
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, str) and isinstance(name, str) and name in TAKES


def kind_of(name: object) -> str | None:
    """Return the kind of values that a format speaks of; nothing where it is none that can be broken."""
    if size_of(name) is not None:
        return "integer"
    return "string" if isinstance(name, str) and name in TAKES else None


def breaks_format(name: object, value: object) -> bool:
    """Tell whether no reading of a format takes a value."""
    if not is_about(name, value):
        return False
    if (size := size_of(name)) is not None:
        assert isinstance(value, int)
        return not size[0] <= value <= size[1]
    return not TAKES[str(name)](str(value))


def size_of(name: object) -> tuple[int, int] | None:
    """Return the least and the largest number of a format of whole numbers: int32, uint8."""
    found = re.fullmatch(r"(u?)int(8|16|32|64)", name) if isinstance(name, str) else None
    if found is None:
        return None
    bits = int(found[2])
    return (0, 2**bits - 1) if found[1] else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)


# -- how formats look ----------------------------------------------------------------------------------------------
# The pattern of a format gives few, readable texts. Where these contradict a pattern or a length beside them, wider
# ones take its place: up to the whole format, as far as a regular expression tells it.


def _as_json(kind: object, zone: str | None = None) -> Shape:
    shape = LEAVES[kind]
    assert isinstance(shape, Numbers)
    return replace(shape, line=CodeLine(shape.line.kind, zone=zone, written=True))


def _pattern_of(shape: Texts) -> str:
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
    "email": _pattern_of(EMAIL),
    "hostname": r"[a-z]([a-z0-9-]{0,8}[a-z0-9])?(\.[a-z]{2,5})?",
    "uri": _pattern_of(WEB),
    "uri-reference": rf"({_pattern_of(WEB)})|/[a-z]{{1,8}}",
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
    "uri-reference": (*_URIS, rf"{_URI}|(/({_PATH}+(/{_PATH}*)*)?|{_PATH.replace(':', '')}+(/{_PATH}*)*){_MORE}"),
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


# -- what keeps a format, read widely ------------------------------------------------------------------------------


def _takes_date(text: str) -> bool:
    found = re.fullmatch(r"([0-9]{4})-([0-9]{2})-([0-9]{2})", text)
    if found is None:
        return False
    year, month, day = map(int, found.groups())
    return 1 <= month <= 12 and 1 <= day <= calendar.monthrange(year or 2000, month)[1]


def _takes_time(text: str) -> bool:
    found = re.fullmatch(r"([0-9]{2}):([0-9]{2}):([0-9]{2})(\.[0-9]+)?([Zz]|[+-]([0-9]{2}):([0-9]{2}))", text)
    if found is None:
        return False
    hour, minute, second = (int(found[each]) for each in (1, 2, 3))
    # a second may be added at the end of a minute
    return hour < 24 and minute < 60 and second < 61 and int(found[6] or 0) < 24 and int(found[7] or 0) < 60


def _takes_moment(text: str) -> bool:
    return text[10:11] in ("T", "t", " ") and _takes_date(text[:10]) and _takes_time(text[11:])


def _takes_duration(text: str) -> bool:
    many = r"([0-9]+([.,][0-9]+)?"
    day, clock = (f"{''.join(f'{many}{unit})?' for unit in units)}" for units in ("YMWD", "HMS"))
    return re.fullmatch(f"P(?=[0-9T]){day}(T(?=[0-9]){clock})?", text) is not None


def _takes_uuid(text: str) -> bool:
    try:
        uuid.UUID(text)
    except ValueError:
        return False
    return True


def _takes_ipv4(text: str) -> bool:
    return re.fullmatch(r"[0-9]{1,3}(\.[0-9]{1,3}){3}", text) is not None and all(
        int(each) < 256 for each in text.split(".")
    )


def _takes_ipv6(text: str) -> bool:
    try:
        ipaddress.IPv6Address(text)
    except ValueError:
        return False
    return True


def _takes_email(text: str) -> bool:
    found = re.fullmatch(r"""("[^"\r\n]+"|[^\s@"<>()\[\],;:\\]+)@([^\s@<>(),;\\"]+)""", text)
    if found is None:
        return False
    local, host = found[1], found[2]
    dotted = not local.startswith('"') and (local.startswith(".") or local.endswith(".") or ".." in local)
    return not dotted and (host.startswith("[") or _takes_any_host(host))


def _takes_any_host(text: str) -> bool:
    """Tell whether a text may be the name of a host in some script."""
    labels = text.removesuffix(".").split(".")
    return len(text) < 255 and all(
        each and len(each) < 64 and each[0] != "-" and each[-1] != "-" and not re.search(r"[\s/@:?#!]", each)
        for each in labels
    )


def _takes_host(text: str) -> bool:
    return _takes_any_host(text) and re.fullmatch(r"[A-Za-z0-9._-]+", text) is not None


def _takes_reference(text: str) -> bool:
    """Tell whether a text may be an address, or the end of one, in some script."""
    return re.search(r"""[\s<>"{}|\\^`\x00-\x20]|%(?![0-9A-Fa-f]{2})|#.*#""", text) is None


def _takes_address(text: str) -> bool:
    return _takes_reference(text) and re.match(r"[A-Za-z][A-Za-z0-9+.-]*:", text) is not None


def _takes_template(text: str) -> bool:
    return _takes_reference(re.sub(r"\{[^{}\s]+\}", "", text))


def _takes_pointer(text: str) -> bool:
    return re.fullmatch(r"(/([^~/]|~[01])*)*", text) is not None


def _takes_relative_pointer(text: str) -> bool:
    return re.fullmatch(r"(0|[1-9][0-9]*)([+-][0-9]+)?(#|(/([^~/]|~[01])*)*)", text) is not None


def _takes_base64(text: str) -> bool:
    bare = re.sub(r"\s", "", text).rstrip("=")
    return re.fullmatch(r"[A-Za-z0-9+/_-]*", bare) is not None and len(bare) % 4 != 1


def _of_ascii(takes: Callable[[str], bool]) -> Callable[[str], bool]:
    return lambda text: text.isascii() and takes(text)


TAKES: Mapping[str, Callable[[str], bool]] = {
    "date": _takes_date,
    "time": _takes_time,
    "date-time": _takes_moment,
    "duration": _takes_duration,
    "uuid": _takes_uuid,
    "ipv4": _takes_ipv4,
    "ipv6": _takes_ipv6,
    "email": _takes_email,
    "idn-email": _takes_email,
    "hostname": _takes_host,
    "idn-hostname": _takes_any_host,
    "uri": _of_ascii(_takes_address),
    "url": _takes_address,
    "iri": _takes_address,
    "uri-reference": _of_ascii(_takes_reference),
    "iri-reference": _takes_reference,
    "uri-template": _takes_template,
    "json-pointer": _takes_pointer,
    "relative-json-pointer": _takes_relative_pointer,
    "regex": is_pattern,
    "byte": _takes_base64,
}

# -- what breaks one -----------------------------------------------------------------------------------------------
# Near misses that a careless reader lets through; the first is the one that shows most.

BAD: Mapping[str, Mapping[str, str]] = {
    "date": {
        "no such day": "2023-02-29",
        "no such month": "2024-13-01",
        "without zeros": "2024-1-1",
        "the day first": "01-02-2024",
        "no date": "yesterday",
    },
    "time": {"no such hour": "24:30:00Z", "no such minute": "12:60:00Z", "no time": "noon"},
    "date-time": {
        "no such day": "2023-02-29T12:00:00Z",
        "no such hour": "2024-01-01T25:00:00Z",
        "a day alone": "2024-01-01",
        "no moment": "now",
    },
    "duration": {"without its letter": "1D", "nothing of it": "P", "the wrong order": "P1D1Y", "no duration": "1 day"},
    "uuid": {
        "a letter that is no digit": "g0000000-0000-4000-8000-000000000000",
        "one digit short": "00000000-0000-4000-8000-00000000000",
        "no UUID": "1",
    },
    "ipv4": {"beyond 255": "192.0.2.256", "three parts": "192.0.2", "a letter": "192.0.2.x", "no address": "localhost"},
    "ipv6": {
        "two gaps": "2001:db8::1::2",
        "beyond ffff": "2001:db8::10000",
        "seven parts": "1:2:3:4:5:6:7",
        "no address": "localhost",
    },
    "email": {
        "without a host": "a@",
        "without @": "a.example.com",
        "two @": "a@b@example.com",
        "a space": "a b@example.com",
        "two dots": "a@example..com",
    },
    "hostname": {
        "two dots": "example..com",
        "a hyphen first": "-example.com",
        "a space": "exa mple.com",
        "64 letters": f"{'a' * 64}.com",
    },
    "uri": {
        "a space": "https://example.com/a b",
        "without a scheme": "//example.com/a",
        "half an escape": "https://example.com/%zz",
        "a path alone": "example",
    },
    "uri-reference": {"a space": "/a b", "half an escape": "/%zz", "a backslash": "\\a"},
    "uri-template": {"not closed": "/{a", "not opened": "/a}", "a space": "/{a b}"},
    "json-pointer": {"half an escape": "/a~", "without a slash": "a"},
    "relative-json-pointer": {"without a number": "/a", "a zero first": "01/a", "half an escape": "0/a~"},
    "regex": {"not closed": "(a", "nothing to repeat": "*a", "a class that is not closed": "[a"},
    "byte": {"other characters": "%%%=", "one character": "A"},
}


def bad_values(name: str, schema: Mapping[str, object]) -> Iterator[BadValue]:
    """Yield values that break a format, the usual ones first, then some that keep the pattern and length beside it."""
    if (size := size_of(name)) is not None:
        yield from (("above the most", size[1] + 1), ("below the least", size[0] - 1), ("far above", 2**80))
        return
    found = BAD.get(name) or BAD.get(ALIKE.get(name, ""), {})
    yield from found.items()
    texts = itertools.chain(_near_misses(name), _others(name, schema))
    for text in itertools.islice((each for each in texts if breaks_format(name, each)), MOST_OTHERS):
        yield OTHERWISE, text


@cache
def _near_misses(name: str) -> tuple[str, ...]:
    return tuple(each.text for each in near_misses(parse(FORMATS[name])).found) if name in FORMATS else ()


def _others(name: str, schema: Mapping[str, object]) -> Iterator[str]:
    """Yield texts that keep the pattern and the lengths beside a format, and do not look like it."""
    found = _unlike_format(name, schema)
    if found is not None:
        yield from itertools.islice(Language(found.readable(), 0, LONGEST).spread_texts(), MOST_OTHERS)


def is_implied(name: str, schema: Mapping[str, object]) -> bool:
    """Tell whether what keeps the pattern and the lengths, or the bounds, beside a format keeps the format, too."""
    size, low, high = size_of(name), schema.get("minimum"), schema.get("maximum")
    if size is not None and isinstance(low, int | float) and isinstance(high, int | float):
        return size[0] <= low and high <= size[1]
    found = _unlike_format(name, schema) if "pattern" in schema else None
    return found is not None and found.is_empty()


def _unlike_format(name: str, schema: Mapping[str, object]) -> Automaton | None:
    """Return the texts that keep the pattern and the lengths beside a format, without those of its widest look."""
    if name not in FORMATS:
        return None
    pattern, least, most = (schema.get(each) for each in ("pattern", "minLength", "maxLength"))
    try:
        sized = Automaton.of_lengths(
            int(least) if isinstance(least, int | float) else 0, int(most) if isinstance(most, int | float) else None
        )
        kept = keep_patterns(sized, [pattern] if isinstance(pattern, str) else [])
        return kept.difference(Automaton.of(parse((FORMATS[name], *WIDER.get(name, ()))[-1])))
    except Undecided:
        return None
