"""The places of a value relative to its bounds: at the least, one beside it, between, one beside the greatest, at it.

A place is a condition on one input. Every value is at exactly one, so that being at the same place is an equivalence.
Of strings and lists the bounds are those of their length; nothing instead of a value is a place of its own.

>>> [terms.text(each) for each in places_of(terms.Blank("x", terms.INT), Int(1, 9))]
['x == 1', 'x == 2', '(x > 2) & (x < 8)', 'x == 8', 'x == 9']
"""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from fractions import Fraction

from unlike.errors import SpecError, with_article
from unlike.language import terms
from unlike.language.moments import moment_of, time_of
from unlike.language.terms import Const, Node, Op
from unlike.language.values import Date, DateTime, Int, List, OneOf, Option, Real, Record, Str, Time, Timedelta, Value
from unlike.regex.widths import widths

BESIDE = 1  # steps away from a bound: off by one is the usual mistake


def declared_value(node: Node, values: Mapping[str, Value]) -> Value | None:
    """Return the declaration of a blank or a part of one; nothing for a term that has none."""
    match node:
        case terms.Blank(name):
            return values.get(name)
        case Op("field", (inner,), _, str(name)):
            whole = declared_value(inner, values)
            return dict(whole.fields).get(name) if isinstance(whole, Record) else None
        case Op("value", (inner,)):
            option = declared_value(inner, values)
            return option.inner if isinstance(option, Option) else None
        case Op("length", (inner,)):  # a string's or a list's bounds are those of its length
            return declared_value(inner, values)
    return None


def places_of(term: Node, value: Value) -> tuple[Node, ...]:
    """Return the places that a value can be at, each as a condition on the term; any two exclude each other."""
    match value:
        case Option(inner):
            present = Op("present", (term,), terms.BOOL)
            content = Op("value", (term,), inner.kind)
            there = [terms.conjunction([present, place]) for place in places_of(content, inner)]
            return (*there, terms.negation(present))
        case Str(matching, least, flags=flags):
            shortest, longest = (0, None) if matching is None else widths(matching, flags)
            most = value.most if longest is None else min(value.most, longest)
            return _between(_length(term), range(max(least, shortest), most + 1))
        case List(_, least):
            return _between(_length(term), range(least, value.most + 1))
        case OneOf() if value.kind in ORDERED:
            return _between(term, sorted(value.members))  # type: ignore[type-var]
        case Int(low, high):
            return _between(term, range(low, high + 1))
        case Real() | Date() | Time() | DateTime() | Timedelta():
            return _between(term, _Steps(value))
    raise SpecError(
        f"boundary({terms.text(term)}): {with_article(term.kind)} has no bounds; name a number, a date, a time, a "
        "string or a list (a field of a record: 'order.price')"
    )


ORDERED = (terms.INT, terms.REAL, terms.DATE, terms.DATETIME, terms.TIMEDELTA)


class _Steps(Sequence[object]):
    """The plain values from one bound to the other, each made when it is asked for."""

    def __init__(self, value: Real | Date | Time | DateTime | Timedelta) -> None:
        self.value = value
        match value:
            case Date(low, high):
                codes = (low.toordinal(), high.toordinal())
            case Time(step=step):
                first, last = value.seconds
                codes = (-(-first // step), last // step)
            case _:
                codes = value.steps
        self.codes = range(codes[0], codes[1] + 1)

    def __len__(self) -> int:
        return len(self.codes)

    def __getitem__(self, index: int) -> object:  # type: ignore[override]
        code = self.codes[index]
        match self.value:
            case Real(places=places):
                return Fraction(code, 10**places)
            case Date():
                return datetime.date.fromordinal(code)
            case Time(step=step):
                return time_of(code * step)
            case DateTime():
                return moment_of(code * self.value.ticks)
            case Timedelta():
                return code * self.value.ticks


def _length(term: Node) -> Node:
    return term if isinstance(term, Op) and term.name == "length" else Op("length", (term,), terms.INT)


def _between(term: Node, line: Sequence[object]) -> tuple[Node, ...]:
    """Return the places on a line of values: its ends, those beside them, and what lies between."""
    count = len(line)
    if not count:
        return (terms.FALSE,)
    start = list(range(min(1 + BESIDE, count)))
    end = list(range(max(len(start), count - 1 - BESIDE), count))

    def at(index: int) -> Node:
        return Op("==", (term, Const(line[index], term.kind)), terms.BOOL)

    inside: list[Node] = []
    if end and end[0] > len(start):
        bounds = ((">", line[start[-1]]), ("<", line[end[0]]))
        inside = [terms.conjunction([Op(name, (term, Const(bound, term.kind)), terms.BOOL) for name, bound in bounds])]
    return (*map(at, start), *inside, *map(at, end))
