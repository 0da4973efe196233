"""Branches that no candidate took, asked of a solver together with the space: an input that takes one, or a proof.

    if price > 100 and kind == "gift":        where a spec says kind != "gift" or price <= 50: no input (proved)

Conditions are read where they compare blanks with constants or with each other, ask for membership or match a pattern;
blanks hold ints, texts or booleans. A proof needs no more than what `guards_of` says: that what holds before a
condition is looked at cannot hold together with the space. An input that is found is run like any other.
"""

from __future__ import annotations

import ast
import itertools
import operator
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from unlike.behaviour.calls import PassedInput
from unlike.behaviour.hanging import NOT_RUN
from unlike.behaviour.pool import CandidatePool
from unlike.behaviour.search import See
from unlike.behaviour.spaces import InputSpace, SpecSpace
from unlike.behaviour.spoken_parts import SpokenInput, inputs_with, spoken_input, steady_parts
from unlike.core import Deadline
from unlike.errors import UnlikeError
from unlike.language import terms
from unlike.language.differences import never
from unlike.language.expressions import Expr, and_, arithmetic, as_expr, compare, not_, or_
from unlike.language.spec import Spec
from unlike.observe.chains import Chain, chain_of
from unlike.observe.guards import Guard, GuardedFunction, guards_of
from unlike.observe.run import Behaviour, Spot
from unlike.regex.quiet import compile_quietly
from unlike.specs.generate import generate as generate_spec
from unlike.suite import Ending, Suite

OPERATORS: dict[type[ast.cmpop], str] = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
}  # fmt: skip
ARITHMETIC: dict[type[ast.operator], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**",
}  # fmt: skip
CALCULATED: dict[str, Callable[[int, int], int]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "//": operator.floordiv, "%": operator.mod,
    "**": operator.pow,
}  # fmt: skip
LARGEST_POWER = 1_000  # of constants that are written as one: 2**64
PLAIN: dict[terms.Kind, type] = {terms.INT: int, terms.STR: str, terms.BOOL: bool}


Branch = tuple[int, bool]  # the number of a condition's spot, and what it turns out to be


MOST_ASKED = 60  # branches of one function: each may take a solver some seconds
EFFORT = 0.1  # of what a question of a type or a pattern may cost: there are many, and most have quick answers


@dataclass(frozen=True, slots=True)
class AskedBranch:
    """What a solver says of a branch: an input that may take it, or that there is none."""

    spot: int
    holds: bool
    found: dict[str, Any] | None = None  # None: no input of the space takes the branch
    is_usual: bool = False  # it was asked within bounds that nobody stated


def ask_branches(
    spoken: SpokenInput,
    function: Callable[..., Any],
    spots: Sequence[Spot],
    dark: Iterable[Branch],  # that were never taken
    solve: Callable[[Spec], Suite],  # one input
) -> Iterator[AskedBranch]:
    """Yield what is known of branches of the function that nobody took; nothing of those that cannot be asked."""
    guarded = guards_of(function, {each.file for each in spots}) if spoken.parts else None
    if guarded is None:
        return
    file = function.__code__.co_filename
    reader = ConditionReader.of(spoken, guarded)
    mine = ((number, holds) for number, holds in dark if _is_in(spots[number], file, function.__name__))
    for number, holds in itertools.islice(mine, MOST_ASKED):
        spot = spots[number]
        known = guarded.tests.get((spot.line, spot.column, spot.kind))
        if known is None:
            continue
        try:
            own = [*reader.split(Guard(known.test, holds=holds))]
            before = [*reader.read_all(known.guards)]
            asked, is_usual = _with_conditions(spoken, [*before, *own])
            suite = solve(asked)
        except (NotATermError, UnlikeError):
            continue
        if suite.status.ending is Ending.UNSATISFIABLE:
            yield AskedBranch(number, holds, None, is_usual)
        elif len(suite):
            yield AskedBranch(number, holds, suite[0].value)


def _is_in(spot: Spot, file: str, function: str) -> bool:
    return spot.file == file and spot.function == function


def ask_in_the_dark(
    pool: CandidatePool,
    runs: list[Behaviour],
    spots: Sequence[Spot],
    passed: Iterable[PassedInput],
    see: See,
    deadline: Deadline,
) -> dict[Branch, bool]:
    """Run inputs that a solver finds for branches that nobody took; return the branches that no legal input takes.

    Of each it is said whether that holds only within bounds that are usual, not stated.
    """
    space = pool.space
    proved: dict[Branch, bool] = {}
    for each in passed:
        taken = {key for run in runs for key in run.turns}
        asked_of = [at for at, spot in enumerate(spots) if spot.kind in ("condition", "operand")]
        dark = [(at, holds) for at in asked_of for holds in (True, False) if (at, holds) not in taken]
        spoken = spoken_input(space, each)
        found = []
        for asked in ask_branches(spoken, each.function, spots, dark, _solver_of(space, deadline)):
            if asked.found is None:
                proved[asked.spot, asked.holds] = asked.is_usual
            else:
                came = [at for at, run in enumerate(runs) if (asked.spot, not asked.holds) in run.turns]
                bases = [pool.candidates[at].plain for at in came if pool.candidates[at].legal]
                found += inputs_with(space, spoken, asked.found, bases)
        for candidate, run in zip(made := pool.judge(found), see(made), strict=True):
            if run is not NOT_RUN and pool.add(candidate):
                runs.append(run)
    return proved


def _solver_of(space: InputSpace, deadline: Deadline) -> Callable[[Spec], Suite]:
    if isinstance(space, SpecSpace):
        return space.find_one
    return lambda spec: generate_spec(spec, 1, timeout=deadline, effort=EFFORT)


def _with_conditions(spoken: SpokenInput, conditions: Sequence[Expr]) -> tuple[Spec, bool]:
    """Return the spec with conditions, and whether they speak of a part whose bounds are usual."""
    made = spoken.spec
    nodes = [and_(*conditions)._node] if conditions else []
    made.assertions = (*made.assertions, *nodes)
    made.difference = never
    return made, any(terms.blank_names(node) & spoken.usual for node in nodes)


class NotATermError(Exception):
    """A condition of the source that no term stands for."""


@dataclass(frozen=True, slots=True)
class ConditionReader:
    """Reads conditions of a function as terms over the blanks that it is given."""

    parts: Mapping[Chain, Expr]  # by where the function finds them
    constants: Mapping[str, object]
    may_be_floats: bool = False  # products of them may be rounded

    @classmethod
    def of(cls, spoken: SpokenInput, guarded: GuardedFunction) -> ConditionReader:
        """Return a reader for the parts of arguments that keep their values."""
        steady = steady_parts(spoken, guarded.node, guarded.steady)
        parts = {chain: term for chain, term in steady.items() if _is_spoken_of(term._node.kind)}
        shadowed = {*(name for name, _ in spoken.parts), *guarded.steady}
        constants = {name: value for name, value in guarded.constants.items() if name not in shadowed}
        return cls(parts, constants, spoken.may_be_floats)

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
            case ast.BoolOp(by, values):
                join = and_ if isinstance(by, ast.And) else or_
                return join(*map(self.condition, values))
            case ast.UnaryOp(ast.Not(), operand):
                return not_(self.condition(operand))
            case ast.Compare(left, operators, rights):
                lefts = [left, *rights]
                return and_(*map(self.comparison, lefts, operators, rights))
            case ast.Call(ast.Attribute(of, name), arguments, []) if name in ("startswith", "endswith", "fullmatch"):
                return self.question(of, name, arguments)
        return _truth(self.value(node))

    def comparison(self, left: ast.expr, by: ast.cmpop, right: ast.expr) -> Expr:
        """Return the term for one comparison."""
        first, second = self.value(left), self.value(right)
        if isinstance(by, ast.In | ast.NotIn):
            said = _member(first, second)
            return not_(said) if isinstance(by, ast.NotIn) else said
        written = OPERATORS.get(type(by))
        if written is None:
            raise NotATermError
        return _compare(written, first, second)

    def question(self, of: ast.expr, name: str, arguments: Sequence[ast.expr]) -> Expr:
        """Return the term for a question about a text: its beginning, its end, a pattern."""
        subject, *given = [self.value(each) for each in (of, *arguments)]
        if name == "fullmatch":
            if subject is re and len(given) == 2 and isinstance(given[0], str):
                subject, given = compile_quietly(given[0]), given[1:]
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
            case ast.Name() | ast.Attribute() | ast.Subscript() if (chain := chain_of(node)) in self.parts:
                return self.parts[chain]  # type: ignore[index]
            case ast.Name(name) if name in self.constants:
                return self.constants[name]
            case ast.UnaryOp(ast.USub(), ast.Constant(value)) if type(value) is int:
                return -value
            case ast.Tuple(items) | ast.List(items) | ast.Set(items):
                return tuple(map(self.value, items))
            case ast.Call(ast.Name("len"), [argument], []) if "len" in self.constants:
                return _text(self.value(argument)).length
            case ast.BinOp(left, by, right) if type(by) in ARITHMETIC and not self._may_round(by):
                return _calculate(ARITHMETIC[type(by)], self.value(left), self.value(right))
        raise NotATermError

    def _may_round(self, by: ast.operator) -> bool:
        return self.may_be_floats and isinstance(by, ast.Mult | ast.Pow)


def _parts(guard: Guard) -> Iterator[Guard]:
    """Yield what holds each by itself if a guard does: of `a and b` both, of an `a or b` that is false neither."""
    match guard.test:
        case ast.UnaryOp(ast.Not(), operand):
            yield from _parts(Guard(operand, not guard.holds))
        case ast.BoolOp(by, values) if isinstance(by, ast.And) is guard.holds:
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


def _compare(by: str, first: object, second: object) -> Expr:
    """Return the comparison of what are values of one type; Python finds others unequal in ways of its own."""
    left, right = (first, second) if isinstance(first, Expr) else (second, first)
    if not isinstance(left, Expr):
        raise NotATermError
    flipped = left is not first
    kind = left._node.kind
    if isinstance(kind, terms.AtomKind):
        if by not in ("==", "!=") or isinstance(right, Expr) or type(right) is not type(kind.members[0]):
            raise NotATermError
        said = compare("==", left, right) if right in kind.members else as_expr(False)
        return said if by == "==" else not_(said)
    if isinstance(right, Expr):
        if right._node.kind != kind:
            raise NotATermError
    elif type(right) is not PLAIN.get(kind):
        raise NotATermError
    return compare(by, right, left) if flipped else compare(by, left, right)


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


def _calculate(by: str, first: object, second: object) -> object:
    """Return a sum, difference or product, or what is left of a division by a number that is not zero."""
    if by in ("//", "%") and not (type(second) is int and second > 0):
        raise NotATermError
    if type(first) is int and type(second) is int and 0 <= second < LARGEST_POWER:
        return CALCULATED[by](first, second)
    if by == "**":
        raise NotATermError
    for each in (first, second):
        if not (type(each) is int or (isinstance(each, Expr) and each._node.kind == terms.INT)):
            raise NotATermError
    if isinstance(first, Expr) or isinstance(second, Expr):
        return arithmetic(by, first, second)
    raise NotATermError
