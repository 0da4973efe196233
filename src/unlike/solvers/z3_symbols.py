"""Values and patterns as z3 expressions: how a unit is declared, read back from a model, compared with a constant.

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

from unlike.language import terms, values
from unlike.language.moments import moment_of, moment_ticks, seconds_of, time_of
from unlike.regex.texts.labels import write_node
from unlike.regex.tree import Alternation, Atomic, Chars, Concatenation, Empty, Look, Node, Repeat, inner, parse
from unlike.solvers.base import Untranslatable

Z3: TypeAlias = Any  # z3 has no types

HIGHEST = 0x2FFFF  # the last character of z3's alphabet
MANY = 1_000  # so many characters of a class are as good as all of it


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
    inner: terms.Kind


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

    def declare(self, value: values.Value, name: str, constraints: list[Z3], guard: Z3 = None) -> Symbol:
        """Return the symbol of a value, adding what its declaration says; guard says when it is there at all."""

        def constrain(condition: Z3, otherwise: Z3) -> None:
            constraints.append(condition if guard is None else z3.If(guard, condition, otherwise, self.context))

        match value:
            case values.Bool():
                truth = z3.Bool(name, self.context)
                constrain(z3.BoolVal(True, self.context), z3.Not(truth))
                return truth
            case values.Str(matching, low, _, flags):
                string = z3.String(name, self.context)
                condition = z3.And(z3.Length(string) >= low, z3.Length(string) <= value.most)
                pattern = r"[ -~]*" if matching is None else matching
                members = regex(parse(pattern, flags).root, self.context, pattern)
                constrain(z3.And(z3.InRe(string, members), condition), string == text("", self.context))
                return string
            case values.OneOf():
                return KnownValues(self._code(name, 0, len(value.members) - 1, constrain), value.members)
            case values.Option(inner):
                present = z3.Bool(f"{name}?", self.context)
                constrain(z3.BoolVal(True, self.context), z3.Not(present))
                inside = present if guard is None else z3.And(guard, present)
                return OptionSymbol(present, self.declare(inner, f"{name}!", constraints, inside))
            case values.List(inner, low, _):
                return self._list(value, name, constraints, constrain)
            case values.Record(fields):
                parts = {field: self.declare(inner, f"{name}.{field}", constraints, guard) for field, inner in fields}
                return RecordSymbol(parts)
        return self._number(value, name, constrain)

    def _number(
        self,
        value: values.Int | values.Real | values.Date | values.Time | values.DateTime | values.Timedelta,
        name: str,
        constrain: Callable[[Z3, Z3], None],
    ) -> Z3:
        match value:
            case values.Int(low, high):
                return self._code(name, low, high, constrain)
            case values.Real(places=places):
                low, high = value.steps
                code = self._code(name, low, high, constrain)
                return z3.ToReal(code) / z3.RealVal(10**places, self.context)
            case values.Date(first, last):
                default = datetime.date.min.toordinal()
                return self._code(name, first.toordinal(), last.toordinal(), constrain, default)
            case values.Time(step=step):
                first_second, last_second = value.seconds
                return self._code(name, -(-first_second // step), last_second // step, constrain) * step
            case values.DateTime() | values.Timedelta():
                return self._code(name, *value.steps, constrain) * value.ticks

    def _code(self, name: str, low: int, high: int, constrain: Callable[[Z3, Z3], None], default: int = 0) -> Z3:
        code = z3.Int(name, self.context)
        constrain(z3.And(code >= low, code <= high), code == default)
        self.numbers.append((code, min(max(0, low), high)))
        return code

    def _list(
        self, value: values.List, name: str, constraints: list[Z3], constrain: Callable[[Z3, Z3], None]
    ) -> ListSymbol:
        length = z3.Int(f"{name}#", self.context)
        constrain(z3.And(length >= value.min_length, length <= value.most), length == 0)
        elements = tuple(
            self.declare(value.inner, f"{name}[{position}]", constraints, length > position)
            for position in range(value.most)
        )
        return ListSymbol(length, elements, value.inner.kind)

    # -- constants

    def constant(self, plain: object, kind: terms.Kind) -> Symbol:
        """Return a plain value of a kind as a symbol."""
        match kind:
            case terms.AtomKind():
                return KnownValues(z3.IntVal(0, self.context), (plain,))
            case terms.OptionKind(inner):
                content = terms.default_of(inner) if plain is None else plain
                return OptionSymbol(z3.BoolVal(plain is not None, self.context), self.constant(content, inner))
            case terms.ListKind(inner):
                assert isinstance(plain, Sequence)
                elements = tuple(self.constant(each, inner) for each in plain)
                return ListSymbol(z3.IntVal(len(plain), self.context), elements, inner)
            case terms.RecordKind(fields):
                assert isinstance(plain, dict)
                return RecordSymbol({name: self.constant(plain[name], inner) for name, inner in fields})
        return self._plain_constant(plain, kind)

    def _plain_constant(self, plain: object, kind: terms.Kind) -> Z3:
        match plain:
            case bool() if kind == terms.BOOL:
                return z3.BoolVal(plain, self.context)
            case int() if kind == terms.INT:
                return z3.IntVal(plain, self.context)
            case int() | float() | Fraction() if kind == terms.REAL:
                number = values.exact(plain)
                return z3.RealVal(number.numerator, self.context) / z3.RealVal(number.denominator, self.context)
            case str() if kind == terms.STR:
                return text(plain, self.context)
            case int() if kind == terms.TIMEDELTA:
                return z3.IntVal(plain, self.context)
            case datetime.datetime() if kind == terms.DATETIME:
                return z3.IntVal(moment_ticks(plain), self.context)
            case datetime.date() if kind == terms.DATE:
                return z3.IntVal(plain.toordinal(), self.context)
            case datetime.time() if kind == terms.TIME and not plain.microsecond:
                return z3.IntVal(seconds_of(plain), self.context)
        if kind == terms.NOTHING:
            return OptionSymbol(z3.BoolVal(False, self.context), z3.IntVal(0, self.context))
        raise Untranslatable(f"z3 cannot be told the constant {plain!r}")

    def expression(self, symbol: Symbol, kind: terms.Kind) -> Z3:
        """Return the symbol of a plain kind as a z3 expression; a table becomes a chain of ifs."""
        if not isinstance(symbol, KnownValues):
            return symbol
        result = self._plain_constant(symbol.members[-1], kind)
        for position in range(len(symbol.members) - 2, -1, -1):
            this = self._plain_constant(symbol.members[position], kind)
            result = z3.If(symbol.index == position, this, result, self.context)
        return result

    # -- reading a model

    def read(self, symbol: Symbol, kind: terms.Kind, model: Z3) -> object:
        """Return the plain value that a model gives to a symbol."""
        match symbol:
            case KnownValues(index, members):
                return members[_whole(model, index)]
            case OptionSymbol(present, inner):
                assert isinstance(kind, terms.OptionKind)
                there = z3.is_true(model.eval(present, model_completion=True))
                return self.read(inner, kind.inner, model) if there else None
            case ListSymbol(length, elements, inner_kind):
                count = _whole(model, length)
                return tuple(self.read(each, inner_kind, model) for each in elements[:count])
            case RecordSymbol(fields):
                assert isinstance(kind, terms.RecordKind)
                return {name: self.read(fields[name], inner, model) for name, inner in kind.fields}
        return _read_plain(model.eval(symbol, model_completion=True), kind)

    # -- equality

    def same(self, first: Symbol, second: Symbol, kind: terms.Kind) -> Z3:
        """Return the condition that both symbols have the same value."""
        match first, second:
            case KnownValues(), KnownValues():
                return self._same_tables(first, second)
            case KnownValues(), _ if not isinstance(kind, terms.AtomKind):
                return self._same_table(first, second, kind)
            case _, KnownValues() if not isinstance(kind, terms.AtomKind):
                return self._same_table(second, first, kind)
            case OptionSymbol(one, a), OptionSymbol(two, b):
                inner = kind.inner if isinstance(kind, terms.OptionKind) else terms.NOTHING
                if inner == terms.NOTHING:
                    return z3.And(z3.Not(one), z3.Not(two))
                return z3.And(one == two, z3.Implies(one, self.same(a, b, inner), self.context))
            case ListSymbol(one, a, inner), ListSymbol(two, b, _):
                pairs = [
                    z3.Implies(one > i, self.same(x, y, inner), self.context)
                    for i, (x, y) in enumerate(zip(a, b, strict=False))
                ]
                return z3.And(one == two, one <= min(len(a), len(b)), *pairs)
            case RecordSymbol(a), RecordSymbol(b):
                assert isinstance(kind, terms.RecordKind)
                return z3.And(*[self.same(a[name], b[name], inner) for name, inner in kind.fields])
        return first == second

    def _same_tables(self, first: KnownValues, second: KnownValues) -> Z3:
        pairs = [
            z3.And(first.index == i, second.index == j)
            for i, x in enumerate(first.members)
            for j, y in enumerate(second.members)
            if terms.same_member(x, y)
        ]
        return z3.Or(*pairs) if pairs else z3.BoolVal(False, self.context)

    def _same_table(self, table: KnownValues, other: Z3, kind: terms.Kind) -> Z3:
        """Compare a table with a plain expression: by index where the expression is a constant."""
        constant = _read_plain(other, kind) if _is_value(other) else None
        if constant is None:
            return self.expression(table, kind) == other
        written = [values.exact(each) if isinstance(each, float) else each for each in table.members]
        hits = [table.index == i for i, member in enumerate(written) if member == constant]
        return z3.Or(*hits) if hits else z3.BoolVal(False, self.context)


def _is_value(expression: Z3) -> bool:
    return any(test(expression) for test in (z3.is_int_value, z3.is_rational_value, z3.is_string_value))


def _whole(model: Z3, expression: Z3) -> int:
    number: int = model.eval(expression, model_completion=True).as_long()
    return number


def _read_plain(value: Z3, kind: terms.Kind) -> object:
    if kind == terms.BOOL:
        return z3.is_true(value)
    if kind == terms.STR:
        return _ESCAPE.sub(lambda found: chr(int(found[1] or found[2], 16)), value.as_string())
    if kind == terms.REAL:
        simple = z3.simplify(value)
        return Fraction(simple.numerator_as_long(), simple.denominator_as_long())
    number = value.as_long() if z3.is_int_value(value) else z3.simplify(value).as_long()
    if kind == terms.DATE:
        return datetime.date.fromordinal(number)
    if kind == terms.DATETIME:
        return moment_of(number)
    return time_of(number) if kind == terms.TIME else number


_ESCAPE = re.compile(r"\\u\{([0-9a-fA-F]+)\}|\\u([0-9a-fA-F]{4})")


# -- patterns, for the constructs that z3 has ----------------------------------------------------------


def text(string: str, context: Z3) -> Z3:
    """Return a string constant; every character outside plain ASCII, and the backslash, is escaped."""
    if string and ord(max(string)) > HIGHEST:
        raise Untranslatable(f"z3 has no character {max(string)!r}; its alphabet ends at U+{HIGHEST:X}")
    escaped = "".join(char if " " <= char <= "~" and char != "\\" else f"\\u{{{ord(char):x}}}" for char in string)
    return z3.StringVal(escaped, context)


def regex(tree: Node, context: Z3, pattern: str = "of a branch") -> Z3:
    """Return the language of a pattern's tree as a z3 regular expression, or refuse what z3 cannot be told."""
    return _Z3Translation(pattern, context).of(tree)


def _construct(node: Node) -> str:
    match node:
        case Look(ahead):
            return "lookahead" if ahead else "lookbehind"
        case Repeat():
            return "possessive repetition"
    return "atomic group"


class _Z3Translation:
    def __init__(self, pattern: str, context: Z3) -> None:
        self.pattern = pattern
        self.context = context

    def of(self, node: Node) -> Z3:
        """Return one node as a z3 regular expression."""
        match node:
            case Chars(ranges):
                return self.characters(ranges)
            case Empty():
                return z3.Re(text("", self.context))
            case Concatenation(parts):
                translated = [self.of(part) for part in parts]
                return z3.Concat(*translated) if len(translated) > 1 else (translated or [self.of(Empty())])[0]
            case Alternation(branches):
                return self.union([self.of(branch) for branch in branches])
            case Repeat(body, low, high, kind) if kind != "possessive":
                return self.repeat(self.of(body), low, high)
            case Repeat() | Look() | Atomic():
                pass
            case _ if len(bodies := inner(node)) == 1:  # a node around another one means what that means
                return self.of(bodies[0])
        raise Untranslatable(
            f"the {_construct(node)} {write_node(node)} of pattern {self.pattern!r} cannot be used where strings "
            "depend on each other; write the pattern without it"
        )

    def characters(self, ranges: tuple[tuple[int, int], ...]) -> Z3:
        """Return one character out of the ranges.

        Of characters that z3 does not have, many others that it has can take the place; of few they cannot.
        """
        there = sum(max(0, min(high, HIGHEST) - low + 1) for low, high in ranges)
        if ranges and ranges[-1][1] > HIGHEST and there < MANY:
            raise Untranslatable(f"pattern {self.pattern!r} has characters beyond U+{HIGHEST:X}, which z3 has not")
        parts = []
        for low, high in ranges:
            if low <= HIGHEST:
                first, last = text(chr(low), self.context), text(chr(min(high, HIGHEST)), self.context)
                parts.append(z3.Range(first, last) if low != high else z3.Re(first))
        return self.union(parts)

    def union(self, parts: list[Z3]) -> Z3:
        """Return the union of the parts, the empty language if there are none."""
        if not parts:
            return z3.Empty(z3.ReSort(z3.StringSort(self.context)))
        return z3.Union(*parts) if len(parts) > 1 else parts[0]

    def repeat(self, body: Z3, low: int, high: int | None) -> Z3:
        """Return the body low to high times."""
        match low, high:
            case 0, None:
                return z3.Star(body)
            case 1, None:
                return z3.Plus(body)
            case _, None:
                return z3.Concat(z3.Loop(body, low, low), z3.Star(body))
            case 0, 0:
                return z3.Re(text("", self.context))
            case 0, 1:
                return z3.Option(body)
        return z3.Loop(body, low, high)
