"""Terms as z3 expressions, with the meaning that they have in Python."""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import z3

from unlike.language import terms
from unlike.language.evaluate import compile_term
from unlike.language.moments import DAY, EPOCH, FIRST_TICK, LAST_TICK, SECOND
from unlike.language.values import plain_of
from unlike.regex.tree import parse
from unlike.solvers.base import Untranslatable
from unlike.solvers.z3_symbols import KnownValues, ListSymbol, OptionSymbol, RecordSymbol, Symbol, Symbols, regex

Z3: TypeAlias = Any  # z3 has no types


class Translation:
    """Translates terms; blanks and choices are looked up by side and name."""

    def __init__(self, symbols: Symbols, known: Mapping[Any, Symbol]) -> None:
        self.symbols = symbols
        self.context = symbols.context
        self.known = dict(known)

    def condition(self, node: terms.Node) -> Z3:
        """Return a term that is true or false as a z3 expression."""
        return self.plain(node, terms.BOOL)

    def plain(self, node: terms.Node, kind: terms.Kind | None = None) -> Z3:
        """Return a term of a plain kind as a z3 expression."""
        wanted = kind or node.kind
        symbol = self.symbols.expression(self.symbol(node), node.kind)
        if wanted == terms.REAL and node.kind == terms.INT:
            return z3.ToReal(symbol)
        return symbol

    def symbol(self, node: terms.Node) -> Symbol:
        """Return any term as a symbol."""
        match node:
            case terms.Blank(name, _, side):
                return self.known[side, name]
            case terms.ChosenAssertion(number, side):
                return self.known[side, number]
            case terms.Variable(name):
                return self.known[name]
            case terms.Const(value, kind):
                return self.symbols.constant(value, kind)
            case terms.Quantified():
                return self.quantify(node)
            case terms.Aggregate():
                return self.aggregate(node)
            case terms.Opaque(function):
                raise Untranslatable(
                    f"plain Python ({getattr(function, '__qualname__', function)}) cannot be told to z3"
                )
            case terms.Op(name=name) if name in _LOGIC:
                return _LOGIC[name](*map(self.condition, node.args))
            case terms.Op(name=("==" | "!=") as name, args=(left, right)):
                same = self.same(left, right)
                return same if name == "==" else z3.Not(same)
            case terms.Op(name=("<" | "<=" | ">" | ">=") as name, args=(left, right)):
                return self.compare_order(name, left, right)
            case terms.Op(name=name) if name in _ARITHMETIC or name in ("//", "%", "abs"):
                return self.arithmetic(node)
        return self.part(node)

    def same(self, left: terms.Node, right: terms.Node) -> Z3:
        """Return the condition that both terms have the same value."""
        if {left.kind, right.kind} == {terms.INT, terms.REAL}:
            return self.plain(left, terms.REAL) == self.plain(right, terms.REAL)
        kind = left.kind if not isinstance(left, terms.Const) else right.kind
        return self.symbols.same(self.symbol(left), self.symbol(right), kind)

    def compare_order(self, name: str, left: terms.Node, right: terms.Node) -> Z3:
        """Return the comparison of two numbers, strings, dates or times."""
        if name in (">", ">="):
            name, left, right = {">": "<", ">=": "<="}[name], right, left
        kind = terms.REAL if terms.REAL in (left.kind, right.kind) else left.kind
        first, second = self.plain(left, kind), self.plain(right, kind)
        return first < second if name == "<" else first <= second

    def arithmetic(self, node: terms.Op) -> Z3:
        """Return a number made of numbers."""
        args = [self.plain(arg, node.kind if node.kind == terms.REAL else None) for arg in node.args]
        match node.name, args:
            case "abs", [only]:
                return z3.If(only >= 0, only, -only, self.context)
            case "//", [first, second]:
                return self.floor_division(first, second)
            case "%", [first, second]:
                return first - second * self.floor_division(first, second)
        return _ARITHMETIC[node.name](*args)

    def floor_division(self, first: Z3, second: Z3) -> Z3:
        """Return Python's //: rounded down; zero if divided by zero."""
        if z3.is_int_value(second):
            by = second.as_long()
            if by == 0:
                return z3.IntVal(0, self.context)
            return first / second if by > 0 else -first / z3.IntVal(-by, self.context)
        negative = -first / -second
        quotient = z3.If(second > 0, first / second, negative, self.context)
        return z3.If(second == 0, z3.IntVal(0, self.context), quotient, self.context)

    def quantify(self, node: terms.Quantified) -> Z3:
        """Return a for-all or exists over the elements of a list, written out."""
        cases = [
            z3.Implies(there, holds, self.context) if node.every else z3.And(there, holds)
            for there, holds in self.each_element(node)
        ]
        if not cases:
            return z3.BoolVal(node.every, self.context)
        return z3.And(*cases) if node.every else z3.Or(*cases)

    def each_element(self, node: terms.Quantified | terms.Aggregate) -> list[tuple[Z3, Symbol]]:
        """Return for each element that a list may have whether it is there, and what the body says of it."""
        items = self.symbol(node.items)
        assert isinstance(items, ListSymbol)
        found = []
        shadowed = self.known.get(node.variable.name)
        for position, element in enumerate(items.elements):
            self.known[node.variable.name] = element
            said = self.symbol(node.body)
            plain = isinstance(node.body.kind, terms.Plain)
            found.append((items.length > position, self.symbols.expression(said, node.body.kind) if plain else said))
        if shadowed is not None:
            self.known[node.variable.name] = shadowed
        return found

    def aggregate(self, node: terms.Aggregate) -> Z3:
        """Return a sum, a count, or a condition on pairs of elements of a list, written out."""
        elements, kind = self.each_element(node), node.body.kind
        if node.name in ("sum", "count"):
            nothing = self.symbols.constant(terms.default_of(node.kind), node.kind)
            one = z3.IntVal(1, self.context)
            parts = [
                z3.If(z3.And(there, said), one, nothing, self.context)
                if node.name == "count"
                else z3.If(there, said, nothing, self.context)
                for there, said in elements
            ]
            return z3.Sum(nothing, *parts)
        pairs: list[Z3] = [z3.BoolVal(True, self.context)]
        for one, two in itertools.combinations(range(len(elements)), 2):
            (_, first), (there, second) = elements[one], elements[two]
            if node.name == "distinct":
                pairs.append(z3.Implies(there, z3.Not(self.symbols.same(first, second, kind)), self.context))
            elif two == one + 1:
                in_order = first <= second if node.name == "sorted" else second <= first
                pairs.append(z3.Implies(there, in_order, self.context))
        return z3.And(*pairs)

    def part(self, node: terms.Op) -> Symbol:
        """Return a part or a property of a term."""
        match node.name, node.args:
            case "ite", (condition, then, otherwise) if node.kind == terms.REAL:
                first, second = self.plain(then, terms.REAL), self.plain(otherwise, terms.REAL)
                return z3.If(self.condition(condition), first, second, self.context)
            case "ite", (condition, then, otherwise):
                return self.choose(self.condition(condition), self.symbol(then), self.symbol(otherwise), node.kind)
            case "field", (inner,):
                parts = self.symbol(inner)
                assert isinstance(parts, RecordSymbol)
                return parts.fields[str(node.extra)]
            case "attribute", (inner,):
                table = self.symbol(inner)
                assert isinstance(table, KnownValues)
                found = (plain_of(node.kind, getattr(member, str(node.extra))) for member in table.members)
                return KnownValues(table.index, tuple(found))
            case "some", (inner,):
                return OptionSymbol(z3.BoolVal(True, self.context), self.symbol(inner))
            case "present", (inner,):
                return self.symbol(inner).present
            case "value", (inner,):
                option = self.symbol(inner)
                absent = self.symbols.constant(terms.default_of(node.kind), node.kind)
                return self.choose(option.present, option.inner, absent, node.kind)
            case "length", (inner,) if isinstance(inner.kind, terms.ListKind):
                return self.symbol(inner).length
            case "at", (inner, index) if isinstance(inner.kind, terms.ListKind):
                return self.element(self.symbol(inner), self.plain(index))
        return self.string_part(node)

    def element(self, items: Symbol, index: Z3) -> Symbol:
        """Return the element of a list at an index, the default of its kind beyond the end."""
        assert isinstance(items, ListSymbol)
        result = self.symbols.constant(terms.default_of(items.inner), items.inner)
        for position, element in enumerate(items.elements):
            there = z3.And(index == position, items.length > position)
            result = self.choose(there, element, result, items.inner)
        return result

    def choose(self, condition: Z3, then: Symbol, otherwise: Symbol, kind: terms.Kind) -> Symbol:
        """Return one symbol or the other."""
        match then, otherwise:
            case KnownValues(i, first), KnownValues(j, second):
                shifted = z3.If(condition, i, j + len(first), self.context)
                return KnownValues(shifted, first + second)
            case OptionSymbol(a, x), OptionSymbol(b, y):
                inner = kind.inner if isinstance(kind, terms.OptionKind) else kind
                return OptionSymbol(z3.If(condition, a, b, self.context), self.choose(condition, x, y, inner))
            case ListSymbol(a, xs, inner), ListSymbol(b, ys, _):
                most = max(len(xs), len(ys))
                blank = self.symbols.constant(terms.default_of(inner), inner)
                padded = zip(xs + (blank,) * (most - len(xs)), ys + (blank,) * (most - len(ys)), strict=True)
                elements = tuple(self.choose(condition, x, y, inner) for x, y in padded)
                return ListSymbol(z3.If(condition, a, b, self.context), elements, inner)
            case RecordSymbol(a), RecordSymbol(b):
                kinds = dict(kind.fields)  # type: ignore[union-attr]
                return RecordSymbol({name: self.choose(condition, a[name], b[name], kinds[name]) for name in a})
        first, second = self.symbols.expression(then, kind), self.symbols.expression(otherwise, kind)
        return z3.If(condition, first, second, self.context)

    def string_part(self, node: terms.Op) -> Symbol:
        """Return a part or a property of a string, a date or a time."""
        table = self.symbol(node.args[0])
        if isinstance(table, KnownValues) and len(node.args) == 1:  # of known values it is known
            of = compile_term(terms.Op(node.name, (terms.Blank("it", node.args[0].kind),), node.kind, node.extra))
            return KnownValues(table.index, tuple(of({"it": member}) for member in table.members))
        first = self.symbols.expression(table, node.args[0].kind)
        if node.args[0].kind == terms.DATETIME and node.name in _OF_MOMENTS:
            first = (
                first / DAY + EPOCH_DAY if node.name in ("year", "month", "day", "weekday") else first % DAY / SECOND
            )
        if node.name in _OF_STRINGS:
            return _OF_STRINGS[node.name](first, *map(self.plain, node.args[1:]))
        match node.name:
            case "matches":
                assert isinstance(node.extra, tuple)
                return z3.InRe(first, regex(parse(*node.extra).root, self.context, node.extra[0]))
            case "accepted":
                return z3.InRe(first, regex(node.extra.tree(), self.context))  # type: ignore[attr-defined]
            case "add_days":
                later = first + self.plain(node.args[1])
                return z3.If(later < 1, 1, z3.If(later > LAST_ORDINAL, LAST_ORDINAL, later, self.context), self.context)
            case "add_time":
                later = first + self.plain(node.args[1])
                held = z3.If(later > LAST_TICK, LAST_TICK, later, self.context)
                return z3.If(later < FIRST_TICK, FIRST_TICK, held, self.context)
            case "year" | "month" | "day" | "weekday":
                return self.calendar(node.name, first)
        raise Untranslatable(f"z3 cannot be told {node.name!r}")

    def calendar(self, name: str, ordinal: Z3) -> Z3:
        """Return year, month, day or weekday of a day number, by counting from a 1 March."""
        if name == "weekday":
            return (ordinal + 6) % 7
        days = ordinal + 305  # from 1 March of the year 0: leap days come last in a year
        era, of_era = days / 146097, days % 146097
        year_of_era = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365
        of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100)
        month_from_march = (5 * of_year + 2) / 153
        if name == "day":
            return of_year - (153 * month_from_march + 2) / 5 + 1
        month = z3.If(month_from_march < 10, month_from_march + 3, month_from_march - 9, self.context)
        if name == "month":
            return month
        return year_of_era + era * 400 + z3.If(month <= 2, 1, 0, self.context)


_Table: TypeAlias = dict[str, Callable[..., Z3]]
LAST_ORDINAL = 3652059  # of 9999-12-31, the last day of Python
EPOCH_DAY = EPOCH.toordinal()
_OF_MOMENTS = ("year", "month", "day", "weekday", "hour", "minute", "second")
_LOGIC = {"and": z3.And, "or": z3.Or, "not": z3.Not}
_ARITHMETIC: _Table = {"neg": operator.neg, "+": operator.add, "-": operator.sub, "*": operator.mul}
# a date is the number of its day, a time that of its second, a moment that of its microsecond
_OF_STRINGS: _Table = {
    "length": z3.Length,
    "concat": z3.Concat,
    "contains": z3.Contains,
    "startswith": lambda string, start: z3.PrefixOf(start, string),
    "endswith": lambda string, end: z3.SuffixOf(end, string),
    "at": lambda string, index: z3.SubString(string, index, 1),
    "days_between": operator.sub,
    "time_between": operator.sub,
    "days": lambda ticks: ticks / DAY,
    "hour": lambda seconds: seconds / 3600,
    "minute": lambda seconds: seconds / 60 % 60,
    "second": lambda seconds: seconds % 60,
    "seconds": lambda seconds: seconds,
}
