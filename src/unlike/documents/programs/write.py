"""Specs become a program that is read back equal; what a program cannot say is refused by name."""

from __future__ import annotations

import datetime
import decimal
import re
import zoneinfo
from collections.abc import Sequence
from fractions import Fraction

from unlike.documents.programs.outline import speaks_of_patterns
from unlike.documents.programs.sexpr import Form, Hole, Rx, SexprLiteral, Symbol, Tree, laid_out
from unlike.documents.ready_made import LOCATIONS, Location
from unlike.errors import SpecError
from unlike.language import differences as d
from unlike.language.moments import span_ticks
from unlike.language.spec import Spec
from unlike.language.terms import (
    TIMEDELTA,
    Aggregate,
    Blank,
    Const,
    Node,
    Op,
    Opaque,
    Quantified,
    Variable,
    as_written,
    blank_names,
)
from unlike.language.values import (
    Bool,
    Date,
    DateTime,
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
)

_NAME = re.compile(r"[^\s()\[\]\";|'`#?,\d+-][^\s()\[\]\";|]*")
_WRITTEN = {
    "==": "eq",
    "!=": "neq",
    "<": "lt",
    "<=": "lte",
    ">": "gt",
    ">=": "gte",
    "//": "div",
    "%": "mod",
    "concat": "string-append",
    "startswith": "starts-with",
    "endswith": "ends-with",
    "days_between": "days-between",
    "add_days": "add-days",
    "time_between": "time-between",
    "add_time": "add-time",
}
_SIDES = ("one-input", "other-input")
_SAME = {"and", "or", "not", "ite", "+", "-", "*", "neg", "abs", "length", "contains", "at", "present", "value"} | {
    *("year", "month", "day", "weekday", "hour", "minute", "second", "days")
}


def write_program(specs: Sequence[Spec], name: str = "program") -> str:
    """Return the specs as one program with an outline for each; `SpecError` names what it cannot say."""
    outlines = [_outline(spec) for spec in specs]
    return laid_out([_form("program", Symbol(name if _NAME.fullmatch(name) else "program"), *outlines)])


def _form(head: str, *items: Tree) -> Form:
    return Form((Symbol(head), *items))


def _outline(spec: Spec) -> Form:
    name = Symbol(spec.name) if _NAME.fullmatch(spec.name) else SexprLiteral(spec.name)
    said = []
    if spec.typed is not None:
        raise SpecError(f"{spec!r} has types among its blanks, which no program can say; write value_of(…) for them")
    first = next(iter(spec.blanks))
    for node in spec.assertions:
        about = min(blank_names(node), default=first)
        said.append(_form("specify", Symbol(about), _term(node, frozenset())))
    if not isinstance(spec.difference, d.Never):
        said.append(_form("constrain-solutions", Symbol(first), _constraint(spec.difference)))
    # where patterns are spoken of, a bare `?String` may be longer, and `?(String)` may not
    string = _form("String") if any(map(speaks_of_patterns, said)) else _type(Str())
    types = {name: string if value == Str() else _type(value) for name, value in spec.blanks.items()}
    declared = [_form("declare", Symbol(name), Hole(type_)) for name, type_ in types.items()]
    number = Symbol("all") if spec.n is None else SexprLiteral(spec.n)
    return _form("generate", name, number, *declared, *said)


def _refusal(what: str) -> SpecError:
    return SpecError(f"{what} cannot be written in a program; keep this spec in Python")


# -- types and constants -----------------------------------------------------------------------------------


def _type(value: Value) -> Tree:
    match value:
        case Bool():
            return Symbol("Boolean")
        case Int(low, high):
            return Symbol("Integer") if value == Int() else _form("Integer", SexprLiteral(low), SexprLiteral(high))
        case Real(low, high, places):
            if isinstance(low, Fraction) or isinstance(high, Fraction):
                raise _refusal(f"{value!r}, which has bounds that are fractions,")
            written = [Fraction(bound) if isinstance(bound, decimal.Decimal) else bound for bound in (low, high)]
            bounds = [_constant(bound) for bound in written]
            name = type(value).__name__
            return Symbol(name) if _is_plain(value, type(value)()) else _form(name, *bounds, SexprLiteral(places))
        case Str():
            return _string(value)
        case OneOf():
            return _enumeration(value)
        case Option(inner):
            return _form("Option", _type(inner))
        case List(inner, low, high):
            if high is None and low == 0:
                return _form("List", _type(inner))
            if high is None:
                raise _refusal(f"{value!r}, which has a least length without a greatest,")
            return _form("List", _type(inner), SexprLiteral(low), SexprLiteral(high))
        case Record(fields, None):
            return _form("Record", *(_form(_name(name), _type(inner)) for name, inner in fields))
        case Record(_, build):
            raise _refusal(f"a record built by {getattr(build, '__qualname__', build)}")
        case Date(low, high):
            return Symbol("Date") if value == Date() else _form("Date", _constant(low), _constant(high))
        case Time(low, high, step):
            if value == Time():
                return Symbol("Time")
            return _form("Time", _constant(low), _constant(high), SexprLiteral(step))
        case DateTime(low, high, step) | Timedelta(low, high, step):
            name = type(value).__name__
            if value == type(value)():
                return Symbol(name)
            return _form(name, _constant(low), _constant(high), _constant(step))
    raise _refusal(repr(value))


def _is_plain(value: Real, plain: Real) -> bool:
    return value == plain and type(value.low) is type(plain.low) and type(value.high) is type(plain.high)


def _string(value: Str) -> Tree:
    if value.max_length is None and value.min_length:
        raise _refusal(f"{value!r}, which has a least length without a greatest,")
    parts: list[Tree] = [] if value.matching is None else [_regex(value.matching, value.flags)]
    if value.matching is None and value.flags:
        raise _refusal(f"{value!r}, which has flags without a pattern,")
    if value.max_length is not None:
        parts.append(_form("length", SexprLiteral(value.min_length), SexprLiteral(value.max_length)))
    return _form("String", *parts) if parts else Symbol("String")


def _enumeration(value: OneOf) -> Tree:
    if value.members == LOCATIONS:
        return Symbol("Location")
    if all(isinstance(member, Location) and member in LOCATIONS for member in value.members):
        return _form(
            "Location", *(SexprLiteral(member.name) for member in value.members if isinstance(member, Location))
        )
    if all(isinstance(member, zoneinfo.ZoneInfo) for member in value.members):
        return _form("TimeZone", *(SexprLiteral(str(member)) for member in value.members))
    as_given = any(not isinstance(each, float) for each in value.given.values())
    return _form("OneOf", *map(_constant, value.given.values() if as_given else value.members))


def _constant(value: object) -> Tree:
    match value:
        case None:
            return Symbol("none")
        case bool() | int() | str():
            if type(value) in (bool, int, str):
                return SexprLiteral(value)
        case float() if value == float(repr(value)) and "e" not in repr(value) and "n" not in repr(value):
            return SexprLiteral(Fraction(repr(value)))
        case Fraction():
            return SexprLiteral(value)
        case decimal.Decimal() if value.is_finite():
            return _form("decimal", SexprLiteral(format(value, "f")))
        case datetime.datetime() if not value.tzinfo:
            return _form("datetime", SexprLiteral(value.isoformat()))
        case datetime.timedelta():
            seconds = Fraction(span_ticks(value), 10**6)
            return _form("timedelta", SexprLiteral(int(seconds) if seconds.denominator == 1 else seconds))
        case datetime.date() if type(value) is datetime.date:
            return _form("date", SexprLiteral(value.isoformat()))
        case datetime.time() if not value.tzinfo:
            return _form("time", SexprLiteral(value.isoformat()))
        case Location() if value in LOCATIONS:
            return _form("location", SexprLiteral(value.name))
        case zoneinfo.ZoneInfo():
            return _form("time-zone", SexprLiteral(str(value)))
        case list() | tuple():
            return _form("list", *map(_constant, value))
        case dict():
            return _form("record", *(_form(_name(key), _constant(each)) for key, each in value.items()))
    raise _refusal(f"the value {value!r}")


def _regex(pattern: str, flags: int) -> Tree:
    return _form("flags", SexprLiteral(flags), Rx(pattern)) if flags else Rx(pattern)


def _name(name: object) -> str:
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise _refusal(f"the name {name!r}")
    return name


# -- terms -------------------------------------------------------------------------------------------------


def _term(node: Node, bound: frozenset[str]) -> Tree:
    match node:
        case Blank(name, _, 0):
            is_taken = name in bound or name in ("none", "true", "false")
            return _form("blank", Symbol(name)) if is_taken else Symbol(name)
        case Blank(name, _, side):
            return _form("field", Symbol(_SIDES[side - 1]), Symbol(name))
        case Const(value, kind):
            return _constant(as_written(value, kind))
        case Variable(name):
            return Symbol(name)
        case Quantified(every, variable, items, body):
            inner = _term(body, bound | {variable.name})
            function = _form("lambda", Form((Symbol(variable.name),)), inner)
            return _form("each" if every else "some", _term(items, bound), function)
        case Aggregate(name, variable, items, body):
            function = _form("lambda", Form((Symbol(variable.name),)), _term(body, bound | {variable.name}))
            return _form(name, _term(items, bound), function)
        case Op("*", (Op("days_between") as days, _), kind) if kind == TIMEDELTA:  # where days meet a span of time
            return _term(days, bound)
        case Opaque(function):
            raise _refusal(f"plain Python ({getattr(function, '__qualname__', function)})")
        case Op("matches", (inner,), _, (str() as pattern, int() as flags)):
            return _form("matches", _term(inner, bound), _regex(pattern, flags))
        case Op("field" | "attribute", (inner,), _, extra):
            return _form(node.name, _term(inner, bound), Symbol(_name(extra)))
        case Op("some", (inner,)):
            return _term(inner, bound)
        case Op(name, args) if name in _WRITTEN or name in _SAME:
            return _form(_WRITTEN.get(name, name), *(_term(arg, bound) for arg in args))
    raise _refusal(f"the term {node!r}")


# -- differences -------------------------------------------------------------------------------------------


def _constraint(difference: d.Difference) -> Tree:
    match difference:
        case d.Always():
            return Symbol("always")
        case d.Never():
            return Symbol("never")
        case d.DiffersBy(term):
            return _form("differs-by", _about(term))
        case d.Distance(term, least):
            return _form("numeric-distance", _about(term), _constant(least))
        case d.Boundary(term):
            return _form("boundary", _about(term))
        case d.EditDistance(term, least):
            return _form("edit-distance", _about(term), SexprLiteral(least))
        case d.CoverRegex(term, pattern, flags, heuristic):
            parts = [_about(term), _regex(pattern, flags)]
            parts += [] if heuristic == "default" else [_form("heuristic", Symbol(_name(heuristic)))]
            return _form("cover-regexp", *parts)
        case d.RelatedTerm(node):
            sides = Form(tuple(map(Symbol, _SIDES)))
            return _form("relation", _form("lambda", sides, _term(node, frozenset(_SIDES))))
        case d.AllOf(parts_):
            return _form("all-of", *map(_constraint, parts_))
        case d.SomeOf(parts_):
            return _form("some-of", *map(_constraint, parts_))
        case d.NotDifferent(part):
            return _form("not", _constraint(part))
        case d.IfElse(condition, then, otherwise):
            return _form("ite", _about(condition), _constraint(then), _constraint(otherwise))
        case d.Enumerate(assertions, constraints):
            chosen = _form("list", *(_about(each) for each in assertions))
            return _form("enumerate*", chosen, _form("list", *map(_constraint, constraints)))
        case d.PythonDifference(function):
            raise _refusal(f"a difference in plain Python ({getattr(function, '__qualname__', function)})")
    raise _refusal(repr(difference))


def _about(term: Node | d.ByTerm) -> Tree:
    assert not isinstance(term, d.ByTerm), "terms are resolved by their spec"
    return _term(term, frozenset())
