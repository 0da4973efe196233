"""Python expressions over blanks become terms.

`price > 5` on an Expr is a new Expr. Where Python would need True or False at once (`and`, `if`, `in`, `a < b < c`)
there is no value yet, and the error names the blank, the operator and what to write instead.
"""

from __future__ import annotations

import datetime
import sys
from collections.abc import Callable, Iterable
from contextvars import ContextVar
from typing import NoReturn

from unlike.errors import EarlyError, NeedsValueError, SpecError, nearest, with_article
from unlike.language import terms
from unlike.language.fitting import NUMBERS, constant, unify
from unlike.language.spans import as_spans, between_times
from unlike.language.too_early import deciding_operator, too_early
from unlike.language.values import kind_of_members

PARTS: dict[terms.Kind, tuple[str, ...]] = {
    terms.STR: ("length", "contains", "startswith", "endswith", "matches", "is_in"),
    terms.DATE: ("year", "month", "day", "weekday", "is_in"),
    terms.TIME: ("hour", "minute", "second", "is_in"),
    terms.DATETIME: ("year", "month", "day", "weekday", "hour", "minute", "second", "is_in"),
    terms.TIMEDELTA: ("days", "is_in"),
    terms.INT: ("is_in",),
    terms.REAL: ("is_in",),
    terms.BOOL: (),
}
LIST_PARTS = ("length", "contains", "each", "some", "sum", "count", "distinct", "sorted")
MEASURES = (*NUMBERS, terms.TIMEDELTA)
ORDERED = (terms.INT, terms.REAL, terms.STR, terms.DATE, terms.TIME, terms.DATETIME, terms.TIMEDELTA)
FINISHED: dict[terms.Kind, type] = {  # what a value of the kind is once it is made
    terms.STR: str,
    terms.DATE: datetime.date,
    terms.TIME: datetime.time,
    terms.DATETIME: datetime.datetime,
    terms.TIMEDELTA: datetime.timedelta,
    terms.INT: int,
    terms.REAL: float,
    terms.BOOL: bool,
}


class Expr:
    """A term that Python operators build upon."""

    __slots__ = ("_node",)

    def __init__(self, node: terms.Node) -> None:
        object.__setattr__(self, "_node", node)

    _node: terms.Node

    @property
    def node(self) -> terms.Node:
        """The term; of a record that has a field of this name, the field."""
        kind = self._node.kind
        if isinstance(kind, terms.RecordKind) and kind.kind_of("node") is not None:
            return self.__getattr__("node")  # type: ignore[return-value]
        return self._node

    def __repr__(self) -> str:
        return terms.text(self._node)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise SpecError(f"{self!r}.{name} cannot be set: a blank has no value yet; say it with where=")

    # -- comparison

    def __eq__(self, other: object) -> Expr:  # type: ignore[override]
        return compare("==", self, other)

    def __ne__(self, other: object) -> Expr:  # type: ignore[override]
        return compare("!=", self, other)

    def __lt__(self, other: object) -> Expr:
        return compare("<", self, other)

    def __le__(self, other: object) -> Expr:
        return compare("<=", self, other)

    def __gt__(self, other: object) -> Expr:
        return compare(">", self, other)

    def __ge__(self, other: object) -> Expr:
        return compare(">=", self, other)

    # -- arithmetic

    def __add__(self, other: object) -> Expr:
        return arithmetic("+", self, other)

    def __radd__(self, other: object) -> Expr:
        return arithmetic("+", other, self)

    def __sub__(self, other: object) -> Expr:
        return arithmetic("-", self, other)

    def __rsub__(self, other: object) -> Expr:
        return arithmetic("-", other, self)

    def __mul__(self, other: object) -> Expr:
        return arithmetic("*", self, other)

    def __rmul__(self, other: object) -> Expr:
        return arithmetic("*", other, self)

    def __floordiv__(self, other: object) -> Expr:
        return arithmetic("//", self, other)

    def __rfloordiv__(self, other: object) -> Expr:
        return arithmetic("//", other, self)

    def __mod__(self, other: object) -> Expr:
        return arithmetic("%", self, other)

    def __rmod__(self, other: object) -> Expr:
        return arithmetic("%", other, self)

    def __truediv__(self, other: object) -> NoReturn:
        raise SpecError(
            f"{self!r} / {other!r}: '/' is not supported; multiply the other side, or use // for whole numbers"
        )

    __rtruediv__ = __truediv__

    def __neg__(self) -> Expr:
        return Expr(terms.Op("neg", (_check_kind("-", self, MEASURES),), self._node.kind))

    def __abs__(self) -> Expr:
        return Expr(terms.Op("abs", (_check_kind("abs", self, MEASURES),), self._node.kind))

    # -- logic

    def __and__(self, other: object) -> Expr:
        return and_(self, other)

    __rand__ = __and__

    def __or__(self, other: object) -> Expr:
        return or_(self, other)

    __ror__ = __or__

    def __xor__(self, other: object) -> Expr:
        return compare("!=", as_condition(self), as_condition(other))

    __rxor__ = __xor__

    def __invert__(self) -> Expr:
        return not_(self)

    # -- parts

    def __getattr__(self, name: str) -> Expr | Callable[..., Expr]:
        if name.startswith("__"):  # protocols such as copy and pickle ask; an Expr has none of them
            raise AttributeError(name)
        return part_of(self, name)

    def __getitem__(self, index: object) -> Expr:
        match self._node.kind:
            case terms.RecordKind() if isinstance(index, str):
                return _field(self, index)
            case terms.ListKind(inner):
                return Expr(terms.Op("at", (self._node, _position(self, index)), inner))
            case kind if kind == terms.STR:
                return Expr(terms.Op("at", (self._node, _position(self, index)), terms.STR))
        raise SpecError(
            f"{self!r}[{index!r}]: only strings, lists and records have items; "
            f"{self!r} is {with_article(self._node.kind)}"
        )

    # -- where Python would decide too early

    def __bool__(self) -> NoReturn:
        raise EarlyError(too_early(repr(self), _blanks(self), sys._getframe(1)))

    def __hash__(self) -> NoReturn:  # == builds a term, so an Expr cannot be a key
        frame = sys._getframe(1)
        if deciding_operator(frame) == "in":
            raise EarlyError(too_early(repr(self), _blanks(self), frame))
        raise NeedsValueError(f"{self!r} is looked up by Python code, but {_blanks(self)} has no value yet")

    def __contains__(self, item: object) -> NoReturn:
        blanks = _blanks(self)
        raise EarlyError(
            f"{item!r} in {self!r}: 'in' is decided before {blanks} has a value; write {self!r}.contains({item!r})"
        )

    def __len__(self) -> NoReturn:
        raise EarlyError(f"len({self!r}): {_blanks(self)} has no value yet; write {self!r}.length")

    def __iter__(self) -> NoReturn:
        raise EarlyError(
            f"iterating over {self!r}: {_blanks(self)} has no value yet; "
            f"write {self!r}.each(lambda item: …), .some(…), .count(…), .sum(…), .distinct() or .sorted()"
        )

    def __index__(self) -> NoReturn:
        raise NeedsValueError(f"{self!r} is used as a number by Python code, but {_blanks(self)} has no value yet")

    __int__ = __float__ = __index__

    def __str__(self) -> NoReturn:
        raise EarlyError(
            f"{self!r} is used as text by Python code, but {_blanks(self)} has no value yet; "
            "join strings with +, and use repr() to look at a term"
        )

    def __format__(self, form: str) -> str:
        return str(self)

    def __pow__(self, other: object) -> NoReturn:
        raise SpecError(f"{self!r} ** {other!r}: '**' is not supported; write {self!r} * {self!r}")


# -- building terms ----------------------------------------------------------------------------------


def as_expr(value: object) -> Expr:
    """Return the value as a term."""
    if isinstance(value, Expr):
        return value
    return Expr(constant(value))


def as_condition(value: object) -> Expr:
    """Return the value as a term that is true or false."""
    expr = as_expr(value)
    if expr._node.kind != terms.BOOL:
        raise SpecError(f"{expr!r} is {with_article(expr._node.kind)}, not a condition; compare it with something")
    return expr


def and_(*conditions: object) -> Expr:
    """Return the condition that all of the conditions hold."""
    return Expr(terms.conjunction([as_condition(each)._node for each in conditions]))


def or_(*conditions: object) -> Expr:
    """Return the condition that at least one of the conditions holds."""
    return Expr(terms.disjunction([as_condition(each)._node for each in conditions]))


def not_(condition: object) -> Expr:
    """Return the condition that the condition does not hold."""
    return Expr(terms.negation(as_condition(condition)._node))


def implies(condition: object, consequence: object) -> Expr:
    """Return the condition that the consequence holds wherever the condition does."""
    return or_(not_(condition), consequence)


def ite_term(condition: object, then: object, otherwise: object) -> Expr:
    """Return the term that is `then` where the condition holds and `otherwise` elsewhere."""
    first, second = unify(f"ite({condition!r}, {then!r}, {otherwise!r})", as_expr(then)._node, as_expr(otherwise)._node)
    kind = terms.REAL if terms.REAL in (first.kind, second.kind) else first.kind
    return Expr(terms.Op("ite", (as_condition(condition)._node, first, second), kind))


def compare(operator: str, left: object, right: object) -> Expr:
    """Return the comparison of two terms of one kind."""
    written = f"{left!r} {operator} {right!r}"
    nodes = as_expr(left)._node, as_expr(right)._node
    equality = operator in ("==", "!=")
    if any(terms.holds_unspoken(node.kind) for node in nodes):
        raise NeedsValueError(f"{written}: no term stands for a part of it")
    said = f"{written}: {operator!r} compares numbers, strings, dates or times"
    if not equality and any(_has_own_order(node) for node in nodes):
        raise NeedsValueError(f"{said}; whether these objects have an order is for Python to say")
    first, second = unify(written, *as_spans(*nodes))
    if not equality and first.kind not in ORDERED:
        raise SpecError(f"{said}, not {with_article(first.kind)}")
    return Expr(terms.Op(operator, (first, second), terms.BOOL))


def _has_own_order(node: terms.Node) -> bool:
    """Tell whether only Python knows if objects like these can be compared; a float is a number, or refused as none."""
    is_float = isinstance(node, terms.Const) and isinstance(node.value, float)
    return isinstance(node.kind, terms.AtomKind | terms.ListKind) and not is_float


def arithmetic(operator: str, left: object, right: object) -> Expr:
    """Return the sum, difference, product … of two numbers, a concatenation, or a step between dates."""
    written = f"{left!r} {operator} {right!r}"
    first, second = as_expr(left)._node, as_expr(right)._node
    if terms.TIMEDELTA in (first.kind, second.kind):
        first, second = as_spans(first, second)
    made = between_times(operator, first, second)
    if made is not None:
        return Expr(made)
    match operator, first.kind, second.kind:
        case "+", a, b if a == b == terms.STR:
            return Expr(terms.Op("concat", (first, second), terms.STR))
        case _, a, b if a in NUMBERS and b in NUMBERS:
            kind = terms.REAL if terms.REAL in (a, b) and operator != "//" else terms.INT
            if operator in ("//", "%") and terms.REAL in (a, b):
                raise SpecError(f"{written}: {operator!r} takes whole numbers, not reals")
            return Expr(terms.Op(operator, (first, second), kind))
    known = any(isinstance(each.kind, terms.AtomKind) for each in (first, second))  # what the objects do is theirs
    error = NeedsValueError if known else SpecError
    raise error(
        f"{written}: {operator!r} takes two numbers{' or two strings' if operator == '+' else ''}, "
        f"but {terms.text(first)} is {with_article(first.kind)} and {terms.text(second)} {with_article(second.kind)}"
    )


def _check_kind(operator: str, value: object, kinds: tuple[terms.Kind, ...]) -> terms.Node:
    node = as_expr(value)._node
    if node.kind not in kinds:
        names = " or ".join(str(kind) for kind in kinds)
        raise SpecError(f"{operator} takes {with_article(names)}, but {terms.text(node)} is {with_article(node.kind)}")
    return node


def _position(expr: Expr, index: object) -> terms.Node:
    """Return an index as a term; a negative number counts from the end, as in Python."""
    if isinstance(index, slice):
        raise SpecError(f"{expr!r}[{index!r}]: slices are not supported; write .startswith, .endswith or one index")
    match _check_kind("[…]", index, (terms.INT,)):
        case terms.Const(int(number)) if number < 0:
            length = terms.Op("length", (expr._node,), terms.INT)
            return terms.Op("-", (length, terms.Const(-number, terms.INT)), terms.INT)
        case position:
            return position


# -- parts of a term -----------------------------------------------------------------------------------


def part_of(expr: Expr, name: str) -> Expr | Callable[..., Expr]:
    """Return a field, a property or a method of the term, according to its kind."""
    match expr._node.kind:
        case terms.RecordKind():
            return _field(expr, name)
        case terms.OptionKind(inner):
            return _option_part(expr, name, inner)
        case terms.ListKind(inner):
            return _list_part(expr, name, inner)
        case terms.AtomKind(members):
            return _atom_part(expr, name, members)
    known = PARTS.get(expr._node.kind, ())
    if name == "days" and isinstance(expr._node, terms.Op) and expr._node.name == "days_between":
        return expr
    if name not in known:
        error = NeedsValueError if hasattr(FINISHED.get(expr._node.kind), name) else SpecError
        raise error(f"{expr!r}.{name}: {with_article(expr._node.kind)} has no {name!r}; {nearest(name, known)}")
    if name == "is_in":
        return lambda members: _is_in(expr, members)
    if name in ("contains", "startswith", "endswith"):
        return lambda other: Expr(
            terms.Op(name, (expr._node, _check_kind(f"{expr!r}.{name}", other, (terms.STR,))), terms.BOOL)
        )
    if name == "matches":
        return lambda pattern, flags=0: _matches(expr, pattern, flags)
    return Expr(terms.Op(name, (expr._node,), terms.INT))


def _field(expr: Expr, name: str) -> Expr:
    assert isinstance(expr._node.kind, terms.RecordKind)
    kind = expr._node.kind.kind_of(name)
    if terms.is_held(expr._node.kind) or (kind is not None and terms.is_held(kind)):
        raise NeedsValueError(f"{expr!r}.{name}: no term stands for it")
    if kind is None:
        known = [field for field, _ in expr._node.kind.fields]
        error = NeedsValueError if hasattr(expr._node.kind.made or dict, name) else SpecError
        raise error(f"{expr!r}.{name}: the record has no field {name!r}; {nearest(name, known)}")
    return Expr(terms.Op("field", (expr._node,), kind, name))


def _option_part(expr: Expr, name: str, inner: terms.Kind) -> Expr | Callable[..., Expr]:
    if name == "present":
        return Expr(terms.Op("present", (expr._node,), terms.BOOL))
    content = Expr(terms.Op("value", (expr._node,), inner))
    if name == "value":
        return content
    raise SpecError(f"{expr!r}.{name}: {expr!r} may be None; write {expr!r}.value.{name}, and {expr!r}.present to ask")


def _list_part(expr: Expr, name: str, inner: terms.Kind) -> Expr | Callable[..., Expr]:
    match name:
        case "length":
            return Expr(terms.Op("length", (expr._node,), terms.INT))
        case "each" | "some":
            return lambda body: _quantify(expr, inner, body, every=name == "each")
        case "contains":
            return lambda item: _quantify(expr, inner, lambda each: each == item, every=False)
        case "sum" | "distinct":
            return lambda body=None: _aggregate(expr, inner, name, body)
        case "count":
            return lambda asked: _aggregate(expr, inner, name, asked if callable(asked) else lambda each: each == asked)
        case "sorted":
            return lambda body=None, *, descending=False: _aggregate(
                expr, inner, "descending" if descending else "sorted", body
            )
    error = NeedsValueError if hasattr(list, name) else SpecError
    raise error(f"{expr!r}.{name}: a list has no {name!r}; {nearest(name, LIST_PARTS)}")


# How many for-alls and exists are being written around this place. Each names its element after its depth, so that
# an inner one never captures the element of an outer one.
_DEPTH: ContextVar[int] = ContextVar("depth", default=0)


def _quantify(expr: Expr, inner: terms.Kind, body: Callable[[Expr], object], *, every: bool) -> Expr:
    """Return the condition that the body holds for all, or for some, elements of a list."""
    variable, said = _of_each(inner, body)
    return Expr(terms.Quantified(every, variable, expr._node, as_condition(said)._node))


def _of_each(inner: terms.Kind, body: Callable[[Expr], object]) -> tuple[terms.Variable, object]:
    variable = terms.Variable(f"item{_DEPTH.get() or ''}", inner)
    inside = _DEPTH.set(_DEPTH.get() + 1)
    try:
        return variable, body(Expr(variable))
    finally:
        _DEPTH.reset(inside)


def _aggregate(expr: Expr, inner: terms.Kind, name: str, body: Callable[[Expr], object] | None) -> Expr:
    """Return what the elements of a list come to: their sum, how many are so, whether they differ or are in order."""
    variable, said = _of_each(inner, (lambda each: each) if body is None else body)
    return aggregate_term(name, variable, expr._node, as_expr(said))


def aggregate_term(name: str, variable: terms.Variable, items: terms.Node, said: Expr) -> Expr:
    """Return the term for what is said of each element, if its kind can be summed, asked or put in order."""
    written = f"{terms.text(items)}.{name}"
    kind: terms.Kind = terms.INT if name == "count" else terms.BOOL
    match name:
        case "sum":
            kind = _check_kind(written, said, MEASURES).kind
        case "count":
            as_condition(said)
        case "sorted" | "descending":
            _check_kind(written, said, ORDERED)
    return Expr(terms.Aggregate(name, variable, items, said._node, kind))


def _atom_part(expr: Expr, name: str, members: tuple[object, ...]) -> Expr | Callable[..., Expr]:
    if name == "is_in":
        return lambda chosen: _is_in(expr, chosen)
    missing = [member for member in members if not hasattr(member, name)]
    if missing:
        raise SpecError(f"{expr!r}.{name}: {missing[0]!r} has no attribute {name!r}")
    return Expr(
        terms.Op("attribute", (expr._node,), kind_of_members(tuple(getattr(each, name) for each in members)), name)
    )


def _is_in(expr: Expr, members: Iterable[object]) -> Expr:
    if isinstance(members, str | Expr):
        raise SpecError(f"{expr!r}.is_in({members!r}) takes a list of values; for a part of a string write .contains")
    return or_(*(compare("==", expr, member) for member in members))


def _matches(expr: Expr, pattern: object, flags: int) -> Expr:
    if not isinstance(pattern, str):
        raise SpecError(f"{expr!r}.matches({pattern!r}): a pattern is a string")
    return Expr(terms.Op("matches", (expr._node,), terms.BOOL, (pattern, int(flags))))


def _blanks(expr: Expr) -> str:
    names = sorted(terms.blank_names(expr._node))
    return "blank " + ", ".join(map(repr, names)) if names else "the element"
