"""Numbers and strings: the bounds, multiples, lengths, patterns and formats that hold together, as one leaf."""

from __future__ import annotations

import contextlib
import functools
import math
import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from unlike.core import FOREVER, Deadline
from unlike.documents.json_schema.demands import Demands
from unlike.documents.json_schema.formats import FORMATS, WIDER, WRITTEN
from unlike.documents.json_schema.keywords import bound_of
from unlike.documents.json_schema.located import MISSING, ContradictionError, SchemaInForce
from unlike.documents.json_schema.patterns import keep_patterns, python_pattern
from unlike.language.values import exact
from unlike.regex.automaton import Automaton, Undecided
from unlike.regex.cover import Cover
from unlike.regex.tree import parse
from unlike.structure.shapes import Check, Checked, CodeLine, Constants, Numbers, Path, Shape, shown_path
from unlike.types.leaves import LEAVES, REAL
from unlike.types.narrowing import MOST_PLACES, search_pattern
from unlike.types.rules import BoundRule, LengthRule, MultipleRule, PatternRule, Rule, under

LARGEST = 10**300  # beyond, numbers are written without a point
MOST_WITNESSES = 50  # texts that are tried, before automata tell whether patterns go together
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
            yield BoundRule(side, bound_of(value), node.located.get(exclusive) is True)
        for _, value in get_each(place, exclusive):
            if value is not True and value is not False:
                yield BoundRule(side, bound_of(value), True)


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


def text_shape(place: Demands, path: Path, given_way: list[tuple[str, str]], deadline: Deadline = FOREVER) -> Shape:
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
    if patterns and not _has_witness(patterns, least, most) and _leaves_none(None, patterns, least, most, deadline):
        raise ContradictionError(f"no text has all of {', '.join(map(repr, patterns))} and a length within the bounds")
    constraints: list[Rule] = [PatternRule(python_pattern(each, few=True), search=True) for each in patterns]
    if formats:
        # the narrowest pattern of the format that leaves a text; it is only a hint, and gives way if it leaves none
        looks = (FORMATS[formats[0]], *WIDER.get(formats[0], ()))
        kept = next((each for each in looks if _leaves_none(each, patterns, least, most, deadline) is False), None)
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


def _has_witness(patterns: list[str], least: int, most: int | None) -> bool:
    """Tell whether a plain text of one of the patterns has all of them and a length within the bounds."""
    for pattern in patterns:
        with contextlib.suppress(Undecided):
            for each in Cover(search_pattern(python_pattern(pattern, few=True))).plainest(MOST_WITNESSES):
                fits = least <= len(each) and (most is None or len(each) <= most)
                if fits and all(re.search(python_pattern(other), each) for other in patterns):
                    return True
    return False


def _leaves_none(
    look: str | None, patterns: list[str], least: int, most: int | None, deadline: Deadline
) -> bool | None:
    """Tell whether no text has this look, all patterns and a length within the bounds; nothing if nobody can."""
    try:
        sized = Automaton.of_lengths(least, most)
        found = sized if look is None else Automaton.of(parse(look)).intersect(sized)
        return keep_patterns(found, patterns, deadline).is_empty()
    except Undecided:
        return None
