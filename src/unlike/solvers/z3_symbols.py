"""Values as z3 expressions: how a unit is declared, read back from a model, and compared with a constant.

Plain kinds are z3 expressions (a date is its ordinal, a time its seconds). What has parts is a small tree of them.
A part that is not there (the content of an absent option, an element beyond the end) is held at its kind's default,
so that equal values have equal parts.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

import z3

from unlike.language.terms import (
    BOOL,
    DATE,
    INT,
    NOTHING,
    REAL,
    STR,
    TIME,
    AtomKind,
    Kind,
    ListKind,
    OptionKind,
    RecordKind,
    default_of,
    same_member,
)
from unlike.language.values import (
    Bool,
    Date,
    Int,
    List,
    OneOf,
    Option,
    Real,
    Record,
    Str,
    Time,
    Value,
    exact,
    seconds_of,
    time_of,
)
from unlike.solvers.base import Untranslatable
from unlike.solvers.z3_regex import regex, text

Z3: TypeAlias = Any  # z3 has no types


@dataclass(frozen=True, slots=True)
class KnownValues:
    """One of some known values, by index."""

    index: Z3
    members: tuple[object, ...]


@dataclass(frozen=True, slots=True)
class OptionSymbol:
    """A value that may be absent."""

    present: Z3
    inner: Symbol


@dataclass(frozen=True, slots=True)
class ListSymbol:
    """A list of bounded length: as many elements as it may have, and how many there are."""

    length: Z3
    elements: tuple[Symbol, ...]
    inner: Kind


@dataclass(frozen=True, slots=True)
class RecordSymbol:
    """Named parts."""

    fields: dict[str, Symbol]


Symbol: TypeAlias = Any  # a z3 expression, or one of the trees above


class Symbols:
    """Declares values in one z3 context, collecting the constraints that keep them within their bounds."""

    def __init__(self, context: Z3) -> None:
        self.context = context
        self.numbers: list[tuple[Z3, int]] = []  # integer variables with the plainest value of each

    def declare(self, value: Value, name: str, constraints: list[Z3], guard: Z3 = None) -> Symbol:
        """Return the symbol of a value, adding what its declaration says; guard says when it is there at all."""

        def bound(condition: Z3, otherwise: Z3) -> None:
            constraints.append(condition if guard is None else z3.If(guard, condition, otherwise, self.context))

        match value:
            case Bool():
                truth = z3.Bool(name, self.context)
                bound(z3.BoolVal(True, self.context), z3.Not(truth))
                return truth
            case Str(matching, low, _, flags):
                string = z3.String(name, self.context)
                condition = z3.And(z3.Length(string) >= low, z3.Length(string) <= value.most)
                members = regex(r"[ -~]*" if matching is None else matching, flags, self.context)
                bound(z3.And(z3.InRe(string, members), condition), string == text("", self.context))
                return string
            case OneOf():
                return KnownValues(self._code(name, 0, len(value.members) - 1, bound), value.members)
            case Option(inner):
                present = z3.Bool(f"{name}?", self.context)
                bound(z3.BoolVal(True, self.context), z3.Not(present))
                inside = present if guard is None else z3.And(guard, present)
                return OptionSymbol(present, self.declare(inner, f"{name}!", constraints, inside))
            case List(inner, low, _):
                return self._list(value, name, constraints, bound)
            case Record(fields):
                parts = {field: self.declare(inner, f"{name}.{field}", constraints, guard) for field, inner in fields}
                return RecordSymbol(parts)
        return self._number(value, name, bound)

    def _number(self, value: Int | Real | Date | Time, name: str, bound: Callable[[Z3, Z3], None]) -> Z3:
        match value:
            case Int(low, high):
                return self._code(name, low, high, bound)
            case Real(places=places):
                low, high = value.steps
                code = self._code(name, low, high, bound)
                return z3.ToReal(code) / z3.RealVal(10**places, self.context)
            case Date(first, last):
                default = datetime.date.min.toordinal()
                return self._code(name, first.toordinal(), last.toordinal(), bound, default)
            case Time(step=step):
                first_second, last_second = value.seconds
                return self._code(name, -(-first_second // step), last_second // step, bound) * step

    def _code(self, name: str, low: int, high: int, bound: Callable[[Z3, Z3], None], default: int = 0) -> Z3:
        code = z3.Int(name, self.context)
        bound(z3.And(code >= low, code <= high), code == default)
        self.numbers.append((code, min(max(0, low), high)))
        return code

    def _list(self, value: List, name: str, constraints: list[Z3], bound: Callable[[Z3, Z3], None]) -> ListSymbol:
        length = z3.Int(f"{name}#", self.context)
        bound(z3.And(length >= value.min_length, length <= value.most), length == 0)
        elements = tuple(
            self.declare(value.inner, f"{name}[{position}]", constraints, length > position)
            for position in range(value.most)
        )
        return ListSymbol(length, elements, value.inner.kind)

    # -- constants

    def constant(self, plain: object, kind: Kind) -> Symbol:
        """Return a plain value of a kind as a symbol."""
        match kind:
            case AtomKind():
                return KnownValues(z3.IntVal(0, self.context), (plain,))
            case OptionKind(inner):
                content = default_of(inner) if plain is None else plain
                return OptionSymbol(z3.BoolVal(plain is not None, self.context), self.constant(content, inner))
            case ListKind(inner):
                assert isinstance(plain, Sequence)
                elements = tuple(self.constant(each, inner) for each in plain)
                return ListSymbol(z3.IntVal(len(plain), self.context), elements, inner)
            case RecordKind(fields):
                assert isinstance(plain, dict)
                return RecordSymbol({name: self.constant(plain[name], inner) for name, inner in fields})
        return self._plain_constant(plain, kind)

    def _plain_constant(self, plain: object, kind: Kind) -> Z3:
        match plain:
            case bool() if kind == BOOL:
                return z3.BoolVal(plain, self.context)
            case int() if kind == INT:
                return z3.IntVal(plain, self.context)
            case int() | float() | Fraction() if kind == REAL:
                number = exact(plain)
                return z3.RealVal(number.numerator, self.context) / z3.RealVal(number.denominator, self.context)
            case str() if kind == STR:
                return text(plain, self.context)
            case datetime.date() if kind == DATE:
                return z3.IntVal(plain.toordinal(), self.context)
            case datetime.time() if kind == TIME:
                return z3.IntVal(seconds_of(plain), self.context)
        if kind == NOTHING:
            return OptionSymbol(z3.BoolVal(False, self.context), z3.IntVal(0, self.context))
        raise Untranslatable(f"z3 cannot be told the constant {plain!r}")

    def expression(self, symbol: Symbol, kind: Kind) -> Z3:
        """Return the symbol of a plain kind as a z3 expression; a table becomes a chain of ifs."""
        if not isinstance(symbol, KnownValues):
            return symbol
        result = self._plain_constant(symbol.members[-1], kind)
        for position in range(len(symbol.members) - 2, -1, -1):
            this = self._plain_constant(symbol.members[position], kind)
            result = z3.If(symbol.index == position, this, result, self.context)
        return result

    # -- reading a model

    def read(self, symbol: Symbol, kind: Kind, model: Z3) -> object:
        """Return the plain value that a model gives to a symbol."""
        match symbol:
            case KnownValues(index, members):
                return members[_whole(model, index)]
            case OptionSymbol(present, inner):
                assert isinstance(kind, OptionKind)
                there = z3.is_true(model.eval(present, model_completion=True))
                return self.read(inner, kind.inner, model) if there else None
            case ListSymbol(length, elements, inner_kind):
                count = _whole(model, length)
                return tuple(self.read(each, inner_kind, model) for each in elements[:count])
            case RecordSymbol(fields):
                assert isinstance(kind, RecordKind)
                return {name: self.read(fields[name], inner, model) for name, inner in kind.fields}
        return _read_plain(model.eval(symbol, model_completion=True), kind)

    # -- equality

    def same(self, first: Symbol, second: Symbol, kind: Kind) -> Z3:
        """Return the condition that both symbols have the same value."""
        match first, second:
            case KnownValues(), KnownValues():
                return self._same_tables(first, second)
            case KnownValues(), _ if not isinstance(kind, AtomKind):
                return self._same_table(first, second, kind)
            case _, KnownValues() if not isinstance(kind, AtomKind):
                return self._same_table(second, first, kind)
            case OptionSymbol(one, a), OptionSymbol(two, b):
                inner = kind.inner if isinstance(kind, OptionKind) else NOTHING
                if inner == NOTHING:
                    return z3.And(z3.Not(one), z3.Not(two))
                return z3.And(one == two, z3.Implies(one, self.same(a, b, inner), self.context))
            case ListSymbol(one, a, inner), ListSymbol(two, b, _):
                pairs = [
                    z3.Implies(one > i, self.same(x, y, inner), self.context)
                    for i, (x, y) in enumerate(zip(a, b, strict=False))
                ]
                return z3.And(one == two, one <= min(len(a), len(b)), *pairs)
            case RecordSymbol(a), RecordSymbol(b):
                assert isinstance(kind, RecordKind)
                return z3.And(*[self.same(a[name], b[name], inner) for name, inner in kind.fields])
        return first == second

    def _same_tables(self, first: KnownValues, second: KnownValues) -> Z3:
        pairs = [
            z3.And(first.index == i, second.index == j)
            for i, x in enumerate(first.members)
            for j, y in enumerate(second.members)
            if same_member(x, y)
        ]
        return z3.Or(*pairs) if pairs else z3.BoolVal(False, self.context)

    def _same_table(self, table: KnownValues, other: Z3, kind: Kind) -> Z3:
        """Compare a table with a plain expression: by index where the expression is a constant."""
        constant = _read_plain(other, kind) if _is_value(other) else None
        if constant is None:
            return self.expression(table, kind) == other
        written = [exact(each) if isinstance(each, float) else each for each in table.members]
        hits = [table.index == i for i, member in enumerate(written) if member == constant]
        return z3.Or(*hits) if hits else z3.BoolVal(False, self.context)


def _is_value(expression: Z3) -> bool:
    return any(test(expression) for test in (z3.is_int_value, z3.is_rational_value, z3.is_string_value))


def _whole(model: Z3, expression: Z3) -> int:
    number: int = model.eval(expression, model_completion=True).as_long()
    return number


def _read_plain(value: Z3, kind: Kind) -> object:
    if kind == BOOL:
        return z3.is_true(value)
    if kind == STR:
        return _ESCAPE.sub(lambda found: chr(int(found[1] or found[2], 16)), value.as_string())
    if kind == REAL:
        simple = z3.simplify(value)
        return Fraction(simple.numerator_as_long(), simple.denominator_as_long())
    number = value.as_long() if z3.is_int_value(value) else z3.simplify(value).as_long()
    if kind == DATE:
        return datetime.date.fromordinal(number)
    return time_of(number) if kind == TIME else number


_ESCAPE = re.compile(r"\\u\{([0-9a-fA-F]+)\}|\\u([0-9a-fA-F]{4})")
