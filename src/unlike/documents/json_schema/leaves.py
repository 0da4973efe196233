"""Numbers and strings: the bounds, multiples, lengths, patterns and formats that hold together, as one leaf."""

from __future__ import annotations

import datetime
import functools
import ipaddress
import math
import uuid
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

from unlike.documents.json_schema.demands import Demands
from unlike.documents.json_schema.located import MISSING, ContradictionError, SchemaInForce
from unlike.documents.json_schema.patterns import keep_patterns, python_pattern
from unlike.language.values import exact
from unlike.regex.automaton import Automaton, Undecided
from unlike.regex.tree import parse
from unlike.structure.shapes import Check, Checked, CodeLine, Constants, Numbers, Path, Shape, Texts, shown_path
from unlike.types.leaves import EMAIL, LEAVES, REAL, WEB
from unlike.types.narrowing import MOST_PLACES
from unlike.types.rules import BoundRule, LengthRule, MultipleRule, PatternRule, Rule, under

LARGEST = 10**300  # beyond, numbers are written without a point
FRACTIONS = 6  # so many numbers stand for all that are no integers


def get_each(place: Demands, keyword: str) -> Iterator[tuple[SchemaInForce, Any]]:
    """Yield what the schemas at a place say under a keyword."""
    for node in place.nodes:
        value = node.located.get(keyword)
        if value is not MISSING:
            yield node, value


# -- numbers -------------------------------------------------------------------------------------------------------


def number_shape(place: Demands, kinds: tuple[str, ...], path: Path) -> Shape:
    """Return the numbers that keep all bounds and multiples."""
    bounds = list(_bounds(place))
    steps = [exact(value) for _, value in get_each(place, "multipleOf")]
    huge = any(abs(each.value) > LARGEST for each in bounds)  # type: ignore[arg-type]
    whole = "fraction" not in kinds or (huge and "integer" in kinds)
    step = functools.reduce(_common, steps, *[Fraction(1)] * whole) if steps or whole else None
    _check_range(bounds, step)
    if whole:
        multiples = [MultipleRule(int(step))] if steps and step is not None else []
        return under(LEAVES[int], [*bounds, *multiples], path)
    shape = _decimal(bounds, step, path)
    checks = [Check(f"multipleOf {value}", _Accepts(node)) for node, value in get_each(place, "multipleOf")]
    if "integer" not in kinds:
        shape = _fractions(shape)
        checks.append(Check("not an integer", _is_fraction))
    return Checked(shape, tuple(checks)) if checks else shape


def _fractions(shape: Shape) -> Shape:
    """Return some numbers of a range that are no integers, near its ends and near zero."""
    assert isinstance(shape, Numbers)
    near = range(-(10**shape.line.places), 10**shape.line.places)
    steps = near[:: max(1, len(near) // 200)]
    codes = [edge + each * shape.step for edge in (shape.low, shape.high, 0) for each in steps]
    inside = (each for each in codes if shape.low <= each <= shape.high and each % shape.step == 0)
    found = dict.fromkeys(value for value in map(shape.line.value, inside) if _is_fraction(value))
    return Constants(tuple(found)[:: max(1, len(found) // FRACTIONS)], "fraction", paired=False) if found else shape


def _bounds(place: Demands) -> Iterator[BoundRule]:
    for keyword, side in (("minimum", "least"), ("maximum", "most")):
        exclusive = f"exclusive{keyword.capitalize()}"
        for node, value in get_each(place, keyword):
            yield BoundRule(side, exact(value), node.located.get(exclusive) is True)
        for _, value in get_each(place, exclusive):
            if value is not True and value is not False:
                yield BoundRule(side, exact(value), True)


def _common(one: Fraction, other: Fraction) -> Fraction:
    """Return the number whose multiples are the common multiples of both."""
    return Fraction(math.lcm(one.numerator, other.numerator), math.gcd(one.denominator, other.denominator))


def _check_range(bounds: list[BoundRule], step: Fraction | None) -> None:
    """Refuse bounds that no number keeps."""
    lows = [(each.value, each.open) for each in bounds if each.side == "least"]
    highs = [(each.value, each.open) for each in bounds if each.side == "most"]
    if not lows or not highs:
        return
    low, high = max(lows), min((value, not closed) for value, closed in highs)
    bottom, top = low[0], high[0]
    assert isinstance(bottom, Fraction)
    assert isinstance(top, Fraction)
    open_top = not high[1]
    if bottom > top or (bottom == top and (low[1] or open_top)):
        raise ContradictionError("the bounds leave no number")
    if step is None:
        return
    first = math.floor(bottom / step) + 1 if low[1] else math.ceil(bottom / step)
    last = math.ceil(top / step) - 1 if open_top else math.floor(top / step)
    if first > last:
        raise ContradictionError(f"no multiple of {step} is within the bounds")


def _decimal(bounds: list[BoundRule], step: Fraction | None, path: Path) -> Shape:
    """Return decimal numbers with as many places as the bounds and the step ask for."""
    shape = LEAVES[float]
    for places in range(2, MOST_PLACES["float"] + 1):
        line = Numbers(CodeLine("float", places), -REAL * 10**places, REAL * 10**places)
        constraints: list[Rule] = list(bounds)
        if step is not None:
            if (step * 10**places).denominator != 1:
                continue
            constraints.append(MultipleRule(step))
        shape = under(line, constraints, path)
        assert isinstance(shape, Numbers)
        if shape.count():
            break
    return shape


def _is_fraction(value: object) -> bool:
    return isinstance(value, float) and not value.is_integer()


class _Accepts:
    def __init__(self, node: SchemaInForce) -> None:
        self.node = node

    def __call__(self, value: object) -> bool:
        return self.node.located.accepts(value)


# -- strings -------------------------------------------------------------------------------------------------------


def text_shape(place: Demands, path: Path, given_way: list[tuple[str, str]]) -> Shape:
    """Return the strings that keep all lengths and patterns, and a format beside them if it can be kept.

    A format that cannot be kept is noted among what has given way, with the reason.
    """
    least = max((int(value) for _, value in get_each(place, "minLength")), default=0)
    most = min((int(value) for _, value in get_each(place, "maxLength")), default=None)
    patterns = list(dict.fromkeys(value for _, value in get_each(place, "pattern")))
    formats = list(dict.fromkeys(value for _, value in get_each(place, "format") if value in FORMATS))
    if most is not None and least > most:
        raise ContradictionError(f"at least {least} and at most {most} characters leave no text")
    if formats and not least and most is None and not patterns and formats[0] in WRITTEN:
        return WRITTEN[formats[0]]
    if patterns and _leaves_none(None, patterns, least, most) is True:
        raise ContradictionError(f"no text has all of {', '.join(map(repr, patterns))} and a length within the bounds")
    constraints: list[Rule] = [PatternRule(python_pattern(each, few=True), search=True) for each in patterns]
    if formats:
        # the narrowest pattern of the format that leaves a text; it is only a hint, and gives way if it leaves none
        looks = (FORMATS[formats[0]], *WIDER.get(formats[0], ()))
        kept = next((each for each in looks if _leaves_none(each, patterns, least, most) is False), None)
        look = [] if kept is None else [PatternRule(kept)]
        # the last pattern is the one whose branches are shown: a wide look is nothing that anybody wrote
        constraints = [*constraints, *look] if kept == FORMATS[formats[0]] else [*look, *constraints]
        if kept is None:
            lengths = [f"{least} to {'any number of' if most is None else most} characters"]
            rules = [*map(repr, patterns), *(lengths if least or most is not None else [])]
            given_way.append((f"{shown_path(path)}: format {formats[0]}", f"gives way to {' and '.join(rules)}"))
    if least:
        constraints.append(LengthRule("least", least))
    if most is not None:
        constraints.append(LengthRule("most", most))
    return under(LEAVES[str], constraints, path)


def _leaves_none(look: str | None, patterns: list[str], least: int, most: int | None) -> bool | None:
    """Tell whether no text has this look, all patterns and a length within the bounds; nothing if nobody can."""
    try:
        sized = Automaton.of_lengths(least, most)
        found = sized if look is None else Automaton.of(parse(look)).intersect(sized)
        return keep_patterns(found, patterns).is_empty()
    except Undecided:
        return None


# -- formats -------------------------------------------------------------------------------------------------------
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
