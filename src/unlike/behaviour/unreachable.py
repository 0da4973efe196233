"""Branches that no candidate took, asked of a solver together with the space: an input that takes one, or a proof.

    if price > 100 and kind == "gift":        where a spec says kind != "gift" or price <= 50: no input (proved)

Conditions are read where they compare blanks with constants or with each other, ask for membership or match a pattern;
blanks hold ints, texts or booleans. A proof needs no more than what `guards_of` says: that what holds before a
condition is looked at cannot hold together with the space. An input that is found is run like any other.
"""

from __future__ import annotations

import ast
import copy
import inspect
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from unlike.behaviour.calls import PassedInput
from unlike.behaviour.pool import CandidatePool
from unlike.behaviour.search import See
from unlike.behaviour.spaces import SpecSpace
from unlike.errors import UnlikeError
from unlike.language import terms
from unlike.language.differences import never
from unlike.language.expressions import Expr, and_, arithmetic, as_expr, compare, not_, or_
from unlike.language.spec import Spec
from unlike.observe.guards import Guard, GuardedFunction, guards_of
from unlike.observe.run import Behaviour, Spot
from unlike.suite import Ending, Suite

OPERATORS: dict[type[ast.cmpop], str] = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
}  # fmt: skip
ARITHMETIC: dict[type[ast.operator], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.FloorDiv: "//", ast.Mod: "%",
}  # fmt: skip
PLAIN: dict[terms.Kind, type] = {terms.INT: int, terms.STR: str, terms.BOOL: bool}


Branch = tuple[int, bool]  # the number of a condition's spot, and what it turns out to be


@dataclass(frozen=True, slots=True)
class AskedBranch:
    """What a solver says of a branch: an input that may take it, or that there is none."""

    spot: int
    holds: bool
    found: dict[str, Any] | None = None  # None: no input of the space takes the branch


def ask_branches(
    spec: Spec,
    function: Callable[..., Any],
    names: Mapping[str, str],  # parameter -> blank
    spots: Sequence[Spot],
    dark: Iterable[Branch],  # that were never taken
    solve: Callable[[Spec], Suite],  # one input
) -> Iterator[AskedBranch]:
    """Yield what is known of branches of the function that nobody took; nothing of those that cannot be asked."""
    guarded = guards_of(function, {each.file for each in spots})
    if guarded is None:
        return
    file = function.__code__.co_filename
    reader = ConditionReader.of(spec, guarded, names)
    for number, holds in dark:
        spot = spots[number]
        known = guarded.tests.get((spot.line, spot.column, spot.kind))
        if known is None or spot.file != file or spot.function != function.__name__:
            continue
        try:
            own = [*reader.split(Guard(known.test, holds=holds))]
            before = [*reader.read_all(known.guards)]
            suite = solve(_with_conditions(spec, [*before, *own]))
        except (NotATermError, UnlikeError):
            continue
        if suite.status.ending is Ending.UNSATISFIABLE:
            yield AskedBranch(number, holds)
        elif len(suite):
            yield AskedBranch(number, holds, suite[0].value)


def ask_in_the_dark(
    pool: CandidatePool, runs: list[Behaviour], spots: Sequence[Spot], passed: Iterable[PassedInput], see: See
) -> frozenset[Branch]:
    """Run inputs that a solver finds for branches that nobody took; return the branches that no legal input takes."""
    space = pool.space
    if not isinstance(space, SpecSpace):
        return frozenset()
    proved: set[Branch] = set()
    for each in passed:
        taken = {key for run in runs for key in run.turns}
        asked_of = [at for at, spot in enumerate(spots) if spot.kind in ("condition", "operand")]
        dark = [(at, holds) for at in asked_of for holds in (True, False) if (at, holds) not in taken]
        found = []
        for asked in ask_branches(space.spec, each.function, parameters_of(each), spots, dark, space.find_one):
            if asked.found is None:
                proved.add((asked.spot, asked.holds))
            else:
                found.append(asked.found)
        fresh = [candidate for candidate in pool.judge(found) if pool.add(candidate)]
        runs += see(fresh)
    return frozenset(proved)


def parameters_of(passed: PassedInput) -> dict[str, str]:
    """Return which blank goes to which parameter."""
    if passed.by_name:
        return {name: name for name in passed.blanks}
    first = next(iter(inspect.signature(passed.function).parameters), None)
    return {first: passed.blanks[0]} if first is not None and passed.blanks else {}


def _with_conditions(spec: Spec, conditions: Sequence[Expr]) -> Spec:
    made = copy.copy(spec)
    made.assertions = (*spec.assertions, and_(*conditions)._node) if conditions else spec.assertions
    made.difference = never
    return made


class NotATermError(Exception):
    """A condition of the source that no term stands for."""


@dataclass(frozen=True, slots=True)
class ConditionReader:
    """Reads conditions of a function as terms over the blanks that it is given."""

    blanks: Mapping[str, Expr]  # by the name of their parameter
    constants: Mapping[str, object]

    @classmethod
    def of(cls, spec: Spec, guarded: GuardedFunction, names: Mapping[str, str]) -> ConditionReader:
        """Return a reader for the parameters that keep their values."""
        blanks = {
            parameter: Expr(terms.Blank(blank, spec.blanks[blank].kind))
            for parameter, blank in names.items()
            if parameter in guarded.steady and _is_spoken_of(spec.blanks[blank].kind)
        }
        shadowed = {*names, *guarded.steady}
        return cls(blanks, {name: value for name, value in guarded.constants.items() if name not in shadowed})

    def read_all(self, guards: Iterable[Guard]) -> Iterator[Expr]:
        """Yield the guards that can be read; the others are left out."""
        for guard in guards:
            for part in _parts(guard):
                try:
                    yield from self.split(part)
                except (NotATermError, UnlikeError):
                    continue

    def split(self, guard: Guard) -> Iterator[Expr]:
        """Yield a guard as a term."""
        said = self.condition(guard.test)
        yield said if guard.holds else not_(said)

    def condition(self, node: ast.expr) -> Expr:
        """Return the term that is true where Python finds the expression true."""
        match node:
            case ast.BoolOp(operator, values):
                join = and_ if isinstance(operator, ast.And) else or_
                return join(*map(self.condition, values))
            case ast.UnaryOp(ast.Not(), operand):
                return not_(self.condition(operand))
            case ast.Compare(left, operators, rights):
                lefts = [left, *rights]
                return and_(*map(self.comparison, lefts, operators, rights))
            case ast.Call(ast.Attribute(of, name), arguments, []) if name in ("startswith", "endswith", "fullmatch"):
                return self.question(of, name, arguments)
        return _truth(self.value(node))

    def comparison(self, left: ast.expr, operator: ast.cmpop, right: ast.expr) -> Expr:
        """Return the term for one comparison."""
        first, second = self.value(left), self.value(right)
        if isinstance(operator, ast.In | ast.NotIn):
            said = _member(first, second)
            return not_(said) if isinstance(operator, ast.NotIn) else said
        written = OPERATORS.get(type(operator))
        if written is None:
            raise NotATermError
        return _compare(written, first, second)

    def question(self, of: ast.expr, name: str, arguments: Sequence[ast.expr]) -> Expr:
        """Return the term for a question about a text: its beginning, its end, a pattern."""
        subject, *given = [self.value(each) for each in (of, *arguments)]
        if name == "fullmatch":
            if subject is re and len(given) == 2 and isinstance(given[0], str):
                subject, given = re.compile(given[0]), given[1:]
            if isinstance(subject, re.Pattern) and isinstance(subject.pattern, str) and len(given) == 1:
                text = _text(given[0])
                matched: Expr = text.matches(subject.pattern, subject.flags & ~re.UNICODE)
                return matched
            raise NotATermError
        if len(given) != 1 or type(given[0]) is not str:
            raise NotATermError
        asked: Expr = getattr(_text(subject), name)(given[0])
        return asked

    def value(self, node: ast.expr) -> object:
        """Return what an expression stands for: a term, or a constant."""
        match node:
            case ast.Constant(value) if type(value) in (int, str, bool):
                return value
            case ast.Name(name) if name in self.blanks:
                return self.blanks[name]
            case ast.Name(name) if name in self.constants:
                return self.constants[name]
            case ast.UnaryOp(ast.USub(), ast.Constant(value)) if type(value) is int:
                return -value
            case ast.Tuple(items) | ast.List(items) | ast.Set(items):
                return tuple(map(self.value, items))
            case ast.Call(ast.Name("len"), [argument], []) if "len" in self.constants:
                return _text(self.value(argument)).length
            case ast.BinOp(left, operator, right) if type(operator) in ARITHMETIC:
                return _calculate(ARITHMETIC[type(operator)], self.value(left), self.value(right))
        raise NotATermError


def _parts(guard: Guard) -> Iterator[Guard]:
    """Yield what holds each by itself if a guard does: of `a and b` both, of an `a or b` that is false neither."""
    match guard.test:
        case ast.UnaryOp(ast.Not(), operand):
            yield from _parts(Guard(operand, not guard.holds))
        case ast.BoolOp(operator, values) if isinstance(operator, ast.And) is guard.holds:
            for each in values:
                yield from _parts(Guard(each, guard.holds))
        case _:
            yield guard


def _is_spoken_of(kind: terms.Kind) -> bool:
    """Tell whether a term of the kind means what Python means by its values."""
    if isinstance(kind, terms.AtomKind):
        return {type(each) for each in kind.members} in ({int}, {str})
    return kind in PLAIN


def _truth(value: object) -> Expr:
    """Return the term for whether a value counts as true."""
    if not isinstance(value, Expr):
        return as_expr(bool(value))
    if value._node.kind == terms.BOOL:
        return value
    if isinstance(value._node.kind, terms.AtomKind):
        return or_(*(compare("==", value, each) for each in value._node.kind.members if each))
    return compare("!=", value, PLAIN[value._node.kind]())


def _compare(operator: str, first: object, second: object) -> Expr:
    """Return the comparison of what are values of one type; Python finds others unequal in ways of its own."""
    left, right = (first, second) if isinstance(first, Expr) else (second, first)
    if not isinstance(left, Expr):
        raise NotATermError
    flipped = left is not first
    kind = left._node.kind
    if isinstance(kind, terms.AtomKind):
        if operator not in ("==", "!=") or isinstance(right, Expr) or type(right) is not type(kind.members[0]):
            raise NotATermError
        said = compare("==", left, right) if right in kind.members else as_expr(False)
        return said if operator == "==" else not_(said)
    if isinstance(right, Expr):
        if right._node.kind != kind:
            raise NotATermError
    elif type(right) is not PLAIN.get(kind):
        raise NotATermError
    return compare(operator, right, left) if flipped else compare(operator, left, right)


def _member(item: object, group: object) -> Expr:
    """Return the term for `item in group`."""
    if isinstance(group, tuple | frozenset) and isinstance(item, Expr):
        return or_(*(_compare("==", item, each) for each in sorted(group, key=repr)))
    if isinstance(group, Expr) and type(item) is str:
        held: Expr = _text(group).contains(item)
        return held
    raise NotATermError


def _text(value: object) -> Any:
    if isinstance(value, Expr) and value._node.kind == terms.STR:
        return value
    raise NotATermError


def _calculate(operator: str, first: object, second: object) -> object:
    """Return a sum, difference or product, or what is left of a division by a number that is not zero."""
    if operator in ("//", "%") and not (type(second) is int and second > 0):
        raise NotATermError
    for each in (first, second):
        if not (type(each) is int or (isinstance(each, Expr) and each._node.kind == terms.INT)):
            raise NotATermError
    if isinstance(first, Expr) or isinstance(second, Expr):
        return arithmetic(operator, first, second)
    raise NotATermError
