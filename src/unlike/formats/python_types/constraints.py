"""What metadata say about a shape: bounds, multiples, lengths, patterns, zones, predicates.

Metadata are known by what they are called, not by importing who made them: a library that is not loaded cannot
have put any into a type.
"""

from __future__ import annotations

import datetime
import decimal
import math
import re
import sys
import zoneinfo
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TypeAlias

from unlike.errors import SpecError
from unlike.regex.tree import Alternation, parse
from unlike.structure.shapes import (
    Check,
    Checked,
    Choice,
    Constants,
    Fields,
    Items,
    Numbers,
    Path,
    Reference,
    Shape,
    Texts,
    shown_path,
)

MOST_PLACES = 12


@dataclass(frozen=True, slots=True)
class Bound:
    """A lower or upper bound, itself allowed or not."""

    side: str  # "least" or "most"
    value: object
    open: bool

    def __str__(self) -> str:
        sign = {("least", False): ">=", ("least", True): ">", ("most", False): "<=", ("most", True): "<"}
        return f"{sign[self.side, self.open]} {self.value!r}"


@dataclass(frozen=True, slots=True)
class Multiple:
    """A number that divides the value."""

    of: object

    def __str__(self) -> str:
        return f"multiple of {self.of!r}"


@dataclass(frozen=True, slots=True)
class Length:
    """The least or greatest length."""

    side: str
    value: int

    def __str__(self) -> str:
        return f"{'at least' if self.side == 'least' else 'at most'} {self.value} long"


@dataclass(frozen=True, slots=True)
class Pattern:
    """A regex; searched for, or matching as a whole."""

    pattern: str
    flags: int = 0
    search: bool = False

    def __str__(self) -> str:
        return f"matching {self.pattern!r}"


@dataclass(frozen=True, slots=True)
class Zone:
    """A time zone: None for naive values, ... for any zone, or one by name."""

    name: str | None

    def __str__(self) -> str:
        return f"time zone {self.name!r}"


@dataclass(frozen=True, slots=True)
class Digits:
    """At most so many digits in all, so many of them after the point."""

    digits: int | None
    places: int | None

    def __str__(self) -> str:
        return f"at most {self.digits} digits, {self.places} of them decimal places"


Constraint: TypeAlias = Bound | Multiple | Length | Pattern | Zone | Digits | Check


# -- reading metadata ----------------------------------------------------------------------------------------------


def constraints_in(metadata: Iterable[object]) -> Iterator[Constraint]:
    """Yield what metadata ask for; what is not about values is passed over."""
    for each in metadata:
        yield from _constraints(each)


def _constraints(item: object) -> Iterator[Constraint]:
    name, module = type(item).__name__, type(item).__module__
    if name == "Matching" and module.startswith("unlike."):
        yield Pattern(item.pattern, int(item.flags))  # type: ignore[attr-defined]
    elif module.startswith("annotated_types"):
        yield from _annotated_types(item, name)
    elif name == "FieldInfo" and module.startswith("pydantic"):
        yield from constraints_in(item.metadata)  # type: ignore[attr-defined]
    elif module.startswith("pydantic") and hasattr(item, "__dict__") and name.endswith("GeneralMetadata"):
        yield from _general(vars(item))
    elif _is_grouped(item):
        yield from constraints_in(item)  # type: ignore[arg-type]


def _is_grouped(item: object) -> bool:
    library = sys.modules.get("annotated_types")
    return library is not None and not isinstance(item, type) and isinstance(item, library.GroupedMetadata)


def _annotated_types(item: object, name: str) -> Iterator[Constraint]:
    match name:
        case "Ge" | "Gt":
            yield Bound("least", getattr(item, name.lower()), name == "Gt")
        case "Le" | "Lt":
            yield Bound("most", getattr(item, name.lower()), name == "Lt")
        case "MultipleOf":
            yield Multiple(item.multiple_of)  # type: ignore[attr-defined]
        case "MinLen":
            yield Length("least", item.min_length)  # type: ignore[attr-defined]
        case "MaxLen":
            yield Length("most", item.max_length)  # type: ignore[attr-defined]
        case "Timezone":
            yield Zone(_zone_name(item.tz))  # type: ignore[attr-defined]
        case "Predicate":
            yield _predicate(item.func)  # type: ignore[attr-defined]
        case _ if _is_grouped(item):
            yield from constraints_in(item)  # type: ignore[arg-type]


def _predicate(function: Callable[[object], object]) -> Check:
    return Check(f"predicate {_function_name(function)}", function)


def _function_name(function: object) -> str:
    """Return a name that is the same in every run: no addresses."""
    name = getattr(function, "__qualname__", None)
    if isinstance(name, str):
        return name
    inner = getattr(function, "func", None)  # annotated_types.Not, functools.partial
    kind = type(function).__name__
    return kind if inner is None else f"{kind} {_function_name(inner)}"


def _zone_name(zone: object) -> str | None:
    if zone is None:
        return None
    if zone is ... or zone is datetime.UTC:
        return "UTC"
    name = str(zone)
    try:
        zoneinfo.ZoneInfo(name)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError) as error:
        raise SpecError(f"Timezone({zone!r}): no such time zone; give an IANA name like 'Europe/Paris'") from error
    return name


def _general(found: dict[str, object]) -> Iterator[Constraint]:
    pattern = found.get("pattern")
    if pattern is not None:
        text = str(getattr(pattern, "pattern", pattern))
        yield Pattern(text, int(getattr(pattern, "flags", 0)) & ~int(re.UNICODE), search=True)
    digits, places = found.get("max_digits"), found.get("decimal_places")
    if isinstance(digits, int) or isinstance(places, int):
        yield Digits(digits if isinstance(digits, int) else None, places if isinstance(places, int) else None)


# -- applying them -------------------------------------------------------------------------------------------------


def constrained(shape: Shape, constraints: Iterable[Constraint], path: Path) -> Shape:
    """Return the shape under the constraints; one that cannot apply, or that leaves nothing, is refused."""
    ordered = list(constraints)
    shape = under(shape, ordered, path)
    _check_not_empty(shape, ordered, path)
    return shape


def under(shape: Shape, constraints: Iterable[Constraint], path: Path) -> Shape:
    """Return the shape under the constraints, even if they leave nothing."""
    # predicates last: they look at values that keep every other rule
    for each in sorted(constraints, key=lambda each: isinstance(each, Check)):
        found = _applied(shape, each, path)
        if found is None:
            raise SpecError(f"{shown_path(path)}: '{each}' does not apply to {_what(shape)}; remove it")
        shape = found
    return shape


def _applied(shape: Shape, constraint: Constraint, path: Path) -> Shape | None:
    match shape, constraint:
        case Choice(alternatives), _ if not isinstance(constraint, Check):
            found = [(word, _applied(inner, constraint, path)) for word, inner in alternatives]
            if all(inner is None for _, inner in found):
                return None
            old = dict(alternatives)
            return Choice(tuple((word, inner or old[word]) for word, inner in found))
        case Checked(checks=checks), Check():
            return replace(shape, checks=(*checks, constraint))
        case _, Check():
            return Checked(shape, (constraint,))
        case Checked(inner, checks), _:
            below = _applied(inner, constraint, path)
            return None if below is None else Checked(below, checks)
        case Numbers(), Bound():
            return _bounded(shape, constraint, path)
        case Numbers(), Multiple():
            return _stepped(shape, constraint, path)
        case Numbers(), Zone(name) if shape.line.kind in ("datetime", "time"):
            return replace(shape, line=replace(shape.line, zone=name))
        case Numbers(), Digits():
            return _in_digits(shape, constraint)
        case Texts(), Length(side, value):
            if side == "least":
                return replace(
                    shape,
                    least=value,
                    most=max(shape.most, value) if "longest" not in shape.stated else shape.most,
                    stated=(*shape.stated, "shortest"),
                )
            return replace(shape, most=value, stated=(*shape.stated, "longest"))
        case Items(), Length(side, value):
            if side == "least":
                most = shape.most if "most items" in shape.stated else max(shape.most, value)
                return replace(shape, least=value, most=most, stated=(*shape.stated, "fewest items"))
            return replace(shape, most=value, stated=(*shape.stated, "most items"))
        case Texts(), Pattern():
            return _patterned(shape, constraint, path)
        case Constants(values), Bound() if not all(each is None for each in values):
            kept = tuple(each for each in values if _keeps(each, constraint))
            single = None if shape.single is None else sum(_keeps(each, constraint) for each in values[: shape.single])
            return replace(shape, values=kept, single=single)
    return None


def _keeps(value: object, bound: Bound) -> bool:
    try:
        if bound.side == "least":
            return bool(value > bound.value if bound.open else value >= bound.value)  # type: ignore[operator]
        return bool(value < bound.value if bound.open else value <= bound.value)  # type: ignore[operator]
    except TypeError:
        return False


def _bounded(shape: Numbers, bound: Bound, path: Path) -> Numbers:
    code, shape = _code(shape, bound.value, bound, path)
    if bound.side == "least":
        low = math.floor(code) + 1 if bound.open else math.ceil(code)
        low = _up(max(low, shape.low) if "least" in shape.stated else low, shape.step)
        high = shape.high if "most" in shape.stated else max(shape.high, low + _span(shape))
        return replace(shape, low=low, high=high, stated=_stating(shape.stated, "least"))
    high = math.ceil(code) - 1 if bound.open else math.floor(code)
    high = _down(min(high, shape.high) if "most" in shape.stated else high, shape.step)
    low = shape.low if "least" in shape.stated else min(shape.low, high - _span(shape))
    return replace(shape, low=low, high=high, stated=_stating(shape.stated, "most"))


def _span(shape: Numbers) -> int:
    """Return how far an open end lies from a bound beyond the default range: a thousand units."""
    if shape.line.kind in ("uuid", "ipv4", "ipv6", "date", "time"):
        return 0
    return int(1_000 * 10**shape.line.places) // shape.step * shape.step


def _stating(stated: tuple[str, ...], rule: str) -> tuple[str, ...]:
    return stated if rule in stated else (*stated, rule)


def _up(code: int, step: int) -> int:
    return -(-code // step) * step


def _down(code: int, step: int) -> int:
    return code // step * step


def _code(shape: Numbers, value: object, constraint: Constraint, path: Path) -> tuple[Fraction, Numbers]:
    """Return where a bound stands, and the shape with enough decimal places to reach it."""
    kind = shape.line.kind
    if kind in ("int", "float", "decimal"):
        number = _number(value)
        if number is None:
            raise SpecError(f"{shown_path(path)}: '{constraint}' is not a finite number")
        if kind != "int":
            while (number * 10**shape.line.places).denominator != 1 and shape.line.places < MOST_PLACES:
                shape = _finer(shape)
        return number * 10**shape.line.places, shape
    if isinstance(value, datetime.datetime) and value.tzinfo is not None and shape.line.zone is None:
        shape = replace(shape, line=replace(shape.line, zone="UTC"))
    code = shape.line.code(value)
    if code is None:
        raise SpecError(f"{shown_path(path)}: '{constraint}' is not a bound for a {kind}")
    return code, shape


def _number(value: object) -> Fraction | None:
    if isinstance(value, bool) or not isinstance(value, int | float | decimal.Decimal | Fraction):
        return None
    try:
        return Fraction(repr(value)) if isinstance(value, float) else Fraction(value)
    except (ValueError, OverflowError):
        return None


def _finer(shape: Numbers) -> Numbers:
    line = replace(shape.line, places=shape.line.places + 1)
    step = shape.step * 10 if "multiple" in shape.stated else 1
    return replace(shape, line=line, low=shape.low * 10, high=shape.high * 10, step=step)


def _stepped(shape: Numbers, multiple: Multiple, path: Path) -> Numbers | None:
    if shape.line.kind not in ("int", "float", "decimal"):
        return None
    code, shape = _code(shape, multiple.of, multiple, path)
    if code <= 0 or code.denominator != 1:
        raise SpecError(f"{shown_path(path)}: '{multiple}' is not a step that can be taken; give a number above 0")
    step = math.lcm(shape.step, int(code)) if "multiple" in shape.stated else int(code)
    stated = _stating(shape.stated, "multiple")
    return replace(shape, step=step, low=_up(shape.low, step), high=_down(shape.high, step), stated=stated)


def _in_digits(shape: Numbers, digits: Digits) -> Numbers | None:
    if shape.line.kind != "decimal":
        return None
    while digits.places is not None and shape.line.places < digits.places:
        shape = _finer(shape)
    if digits.places is not None and shape.line.places > digits.places:
        coarse = 10 ** (shape.line.places - digits.places)
        line = replace(shape.line, places=digits.places)
        low, high = -(-shape.low // coarse), shape.high // coarse
        shape = replace(shape, line=line, low=low, high=high, step=max(1, shape.step // coarse))
    if digits.digits is None:
        return shape
    most = 10**digits.digits - 1
    return replace(shape, low=_up(max(shape.low, -most), shape.step), high=_down(min(shape.high, most), shape.step))


def _patterned(shape: Texts, pattern: Pattern, path: Path) -> Texts:
    try:
        text = searched(pattern.pattern, pattern.flags) if pattern.search else pattern.pattern
        if shape.pattern is not None and shape.pattern != text and shape.made == "str":
            text = f"(?=(?:{shape.pattern})\\Z)(?:{text})"
        parse(text, pattern.flags)
    except Exception as error:  # the parser's own errors and those of re
        raise SpecError(f"{shown_path(path)}: {pattern.pattern!r} cannot be used as a pattern: {error}") from error
    most = shape.most if "longest" in shape.stated else max(shape.most, 64)
    return replace(
        shape, pattern=text, flags=pattern.flags | shape.flags, most=most, stated=_stating(shape.stated, "pattern")
    )


def searched(pattern: str, flags: int = 0) -> str:
    """Return a pattern that matches as a whole where the given one is found somewhere.

    >>> searched("^[a-z]+$")
    '^[a-z]+$'
    """
    start = next((each for each in ("^", r"\A") if pattern.startswith(each)), "")
    body = pattern[len(start) :]
    end = next((each for each in ("$", r"\Z", r"\z") if body.endswith(each) and not _escaped(body, each)), "")
    inside = body[: len(body) - len(end)]
    if isinstance(parse(inside, flags).root, Alternation):
        start, end, inside = "", "", pattern  # the places belong to one branch each
    if end == r"\z":
        pattern = f"{start}{inside}$"  # the other spelling, which Python learns late
    if start and end:
        return pattern
    return f"{'' if start else '(?s:.*)'}(?:{inside}){'' if end else '(?s:.*)'}"


def _escaped(text: str, end: str) -> bool:
    before = text[: len(text) - len(end)]
    return (len(before) - len(before.rstrip("\\"))) % 2 == 1


def _check_not_empty(shape: Shape, constraints: list[Constraint], path: Path) -> None:
    said = " and ".join(f"'{each}'" for each in constraints if not isinstance(each, Check))
    for inner in _own(shape):
        match inner:
            case Numbers() if not inner.count():
                raise SpecError(f"{shown_path(path)}: {said} leave no value; change one of them")
            case Texts(least=least, most=most) | Items(least=least, most=most) if least > most or least < 0:
                raise SpecError(f"{shown_path(path)}: {said} leave no length; change one of them")
            case Constants(()):
                raise SpecError(f"{shown_path(path)}: {said} leave none of the values; change one of them")


def _own(shape: Shape) -> Iterator[Shape]:
    """Yield the shapes that constraints at this place speak about."""
    match shape:
        case Choice(alternatives):
            for _, inner in alternatives:
                yield from _own(inner)
        case Checked(inner):
            yield from _own(inner)
        case _:
            yield shape


def _what(shape: Shape) -> str:
    match shape:
        case Numbers(line):
            return f"a {line.kind}"
        case Texts(made=made):
            return f"a {made}"
        case Constants(values):
            return f"one of {', '.join(map(repr, values[:4]))}"
        case Items(kind=kind):
            return f"a {kind}"
        case Fields() | Reference():
            return "an object"
        case _:
            return "this type"
