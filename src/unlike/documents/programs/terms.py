"""Forms that speak of one input: terms and assertions, under the paper's names.

A primitive takes all of its arguments, or all but the first: then it speaks of what the statement is about, as
`(specify duration (gte 0))` does of the duration.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from operator import attrgetter
from typing import TypeAlias

from unlike.documents.programs.regexes import ProgramRegex, constant, refuse, refuse_at, regex
from unlike.documents.programs.sexpr import Form, Hole, Rx, SexprLiteral, Symbol, Tree
from unlike.errors import SpecError, nearest, with_article
from unlike.language import expressions as e
from unlike.language.expressions import Expr, as_condition, as_expr
from unlike.language.reading import PlainPython, as_filter, give_terms, name_of
from unlike.language.terms import Blank, ListKind, Op, Opaque, Quantified, RecordKind, Variable
from unlike.language.where import Predicate

Build: TypeAlias = Callable[..., object]
USES = 1_000  # of definitions in one statement, with those inside definitions


def _call_method(name: str) -> Build:
    return lambda expr, other: getattr(expr, name)(other)


ARITHMETIC = {"+": "+", "*": "*", "div": "//", "mod": "%", "string-append": "+", "add-days": "+", "days-between": "-"}
ARITHMETIC |= {"add-time": "+", "time-between": "-"}
# name -> how many arguments it takes, and what it makes of them
PRIMITIVES: Mapping[str, tuple[int, Build]] = {
    **{
        name: (2, partial(e.compare, operator))
        for operator, names in {
            "==": ("eq", "=", "equal"),
            "!=": ("neq", "≠", "!="),
            "<": ("lt", "<"),
            "<=": ("lte", "<=", "≤"),
            ">": ("gt", ">"),
            ">=": ("gte", ">=", "≥"),
        }.items()
        for name in names
    },
    **{name: (2, partial(e.arithmetic, operator)) for name, operator in ARITHMETIC.items()},
    "neg": (1, lambda only: -as_expr(only)),
    "abs": (1, lambda only: abs(as_expr(only))),
    **{
        name: (1, attrgetter(name))
        for name in (
            "length",
            "present",
            "value",
            "year",
            "month",
            "day",
            "weekday",
            "hour",
            "minute",
            "second",
            "days",
        )
    },
    "string-length": (1, attrgetter("length")),
    "absent": (1, lambda only: e.not_(only.present)),
    "contains": (2, _call_method("contains")),
    "starts-with": (2, _call_method("startswith")),
    "ends-with": (2, _call_method("endswith")),
    "one-of": (2, _call_method("is_in")),
    "at": (2, lambda expr, index: expr[index]),
}
# forms whose parts are not simply terms
AGGREGATES = ("sum", "count", "distinct", "sorted", "descending")
SPECIAL = (
    *("and", "or", "not", "implies", "ite", "-", "matches", "field", "attribute", "blank", "with"),
    *("each", "some", *AGGREGATES),
)
CONSTANTS = ("date", "time", "datetime", "timedelta", "decimal", "location", "time-zone", "list", "record")


@dataclass(frozen=True, slots=True)
class Defined:
    """A primitive that the program itself defines: (define (name parameter …) body)."""

    parameters: tuple[str, ...]
    body: Tree


@dataclass(frozen=True)
class Terms:
    """Reads terms and assertions within a scope."""

    find: Callable[[Symbol], object]  # a declared thing: an Expr for a blank, a Pattern, a literal
    known: Callable[[], list[str]]
    primitives: Mapping[str, object] = field(default_factory=dict)
    subject: Expr | None = None
    bound: Mapping[str, Expr] = field(default_factory=dict)
    uses: Iterator[int] = field(default_factory=lambda: iter(range(USES)))  # left of definitions; shared inside them

    def assertion(self, tree: Tree) -> Expr:
        """Return what a form asserts."""
        made = self.term(tree)
        try:
            return as_condition(made)
        except SpecError as error:
            raise refuse(tree, f"{error}; expected an assertion, like (gte 0)") from None

    def term(self, tree: Tree) -> Expr:
        """Return what a form stands for."""
        with refuse_at(tree):
            return self._term(tree)

    def _term(self, tree: Tree) -> Expr:
        match tree:
            case SexprLiteral(value):
                return as_expr(value)
            case Symbol("none"):
                return as_expr(None)
            case Symbol(name) if name in self.bound:
                if isinstance(self.bound[name], InputSide):
                    raise refuse(tree, f"is an input as a whole; expected (field {name} BLANK)")
                return self.bound[name]
            case Symbol(name):
                if self.subject is not None and PRIMITIVES.get(name, (0,))[0] == 1 and name not in self.known():
                    return as_expr(PRIMITIVES[name][1](self.subject))
                found = self.find(tree)
                if isinstance(found, ProgramRegex):
                    raise refuse(tree, f"is a regex, not a term; expected (matches {name})")
                return as_expr(found)
            case Hole():
                raise refuse(tree, "a blank is declared first: (declare x ?Integer), then x")
            case Rx():
                raise refuse(tree, "a regex is no term; expected (matches regex)")
            case Form() if tree.head in CONSTANTS:
                return as_expr(constant(tree))
            case Form() if tree.head in SPECIAL:
                return self.special(tree)
            case Form() if tree.head is not None:
                return self.apply_primitive(tree)
        raise refuse(tree, "expected a term: a name, a literal, or a form like (length x)")

    def given_term(self, tree: Tree) -> Expr:
        """Return what is given to a form that takes inputs as a whole, too: one of them, or a term."""
        found = self.bound.get(tree.name) if isinstance(tree, Symbol) else None
        return found if isinstance(found, InputSide) else self.term(tree)

    # -- primitives

    def apply_primitive(self, tree: Form) -> Expr:
        """Return a primitive applied to its arguments."""
        name, written = str(tree.head), tree.parts[1:]
        if name in self.primitives:
            return self.user_defined(tree, name, written)
        if name not in PRIMITIVES:
            known = [*PRIMITIVES, *SPECIAL, *CONSTANTS, *self.primitives]
            raise refuse(tree, f"there is no assertion or term {name!r}; {nearest(name, known)}")
        arity, build = PRIMITIVES[name]
        implied = [self.subject] if len(written) == arity - 1 and self.subject is not None else []
        if len(implied) + len(written) != arity:
            raise refuse(tree, f"takes {arity} arguments, or {arity - 1} about the subject; not {len(written)}")
        if name == "one-of":
            members = constant(written[-1])
            if not isinstance(members, list):
                raise refuse(tree, "expected (one-of (list VALUE …))")
            return as_expr(build(*implied, *map(self.term, written[:-1]), members))
        return as_expr(build(*implied, *map(self.term, written)))

    def user_defined(self, tree: Form, name: str, written: tuple[Tree, ...]) -> Expr:
        """Return what a function of the user's module makes of the terms."""
        primitive = self.primitives[name]
        if isinstance(primitive, Defined):
            terms, body = self.inside(tree, primitive, written)
            return terms.term(body)
        made = call_user(tree, primitive, map(self.argument, written), self.subject, condition=True)
        if not isinstance(made, Expr | bool):
            raise refuse(tree, f"{name} returned {made!r}, which is no assertion or term")
        return as_expr(made)

    def inside(self, tree: Tree, defined: Defined, written: tuple[Tree, ...]) -> tuple[Terms, Tree]:
        """Return the body of a definition and the reader in which its parameters have values."""
        if next(self.uses, None) is None:
            raise refuse(tree, f"one statement uses definitions more than {USES} times")
        given = [self.given_term(each) for each in written]
        if len(given) == len(defined.parameters) - 1 and self.subject is not None:
            given = [self.subject, *given]
        if len(given) != len(defined.parameters):
            raise refuse(tree, f"takes {len(defined.parameters)} arguments, not {len(given)}")
        bound = dict(zip(defined.parameters, given, strict=True))
        subject = given[0] if given and not isinstance(given[0], InputSide) else None
        return replace(self, bound=bound, subject=subject), defined.body

    def argument(self, tree: Tree) -> object:
        """Return what is passed to a user's function: a term, and literals and regexes as plain Python."""
        match tree:
            case SexprLiteral(value):
                return value
            case Rx(pattern):
                return pattern
            case Symbol(name) if name != "none" and name not in self.bound:
                found = self.find(tree)
                return found.pattern if isinstance(found, ProgramRegex) else found
        return self.given_term(tree)

    # -- forms of their own

    def special(self, tree: Form) -> Expr:
        """Return what a form with parts of its own stands for."""
        written = tree.parts[1:]
        match tree.head, written:
            case "and", [_, *_]:
                return e.and_(*map(self.assertion, written))
            case "or", [_, *_]:
                return e.or_(*map(self.assertion, written))
            case "not", [inner]:
                return e.not_(self.assertion(inner))
            case "implies", [condition, consequence]:
                return e.implies(self.assertion(condition), self.assertion(consequence))
            case "ite", [condition, then, otherwise]:
                return e.ite_term(self.assertion(condition), self.term(then), self.term(otherwise))
            case "-", [only]:
                return -self.term(only)
            case "-", [left, right]:
                return e.arithmetic("-", self.term(left), self.term(right))
            case "matches", [*about, pattern] if len(about) < 2:
                return self.matching(self.subject_of(tree, about), pattern)
            case (("field" | "attribute"), [*about, Symbol(name)]) if len(about) < 2:
                return self.part(tree, self.subject_of(tree, about), name)
            case "blank", [Symbol() as name]:
                return as_expr(self.find(name))
            case (("each" | "some"), [*about, function]) if len(about) < 2:
                return self.quantify(tree, self.subject_of(tree, about), function)
            case name, [*about, Form() as function] if name in AGGREGATES and function.head in ("lambda", "λ"):
                return self.quantify(tree, self.subject_of(tree, about), function)
            case name, [] | [_] if name in AGGREGATES:
                return self.quantify(tree, self.subject_of(tree, list(written)), ITSELF)
        raise refuse(tree, f"expected {USAGE[str(tree.head)]}")

    def subject_of(self, tree: Form, about: list[Tree]) -> Expr:
        """Return what a form is about: what it says first, or else what the whole statement is about."""
        if about:
            return self.given_term(about[0]) if tree.head in ("field", "attribute") else self.term(about[0])
        if self.subject is None:
            raise refuse(tree, "says nothing of what it is about; give one more argument")
        return self.subject

    def matching(self, expr: Expr, pattern: Tree) -> Expr:
        """Return the assertion that a string matches."""
        made = regex(pattern, self.find)
        matches = expr.matches
        assert callable(matches)
        return matches(made.pattern, made.flags)

    def part(self, tree: Form, expr: Expr, name: str) -> Expr:
        """Return a field of a record or an attribute of an enumerated object."""
        if isinstance(expr, InputSide):
            return expr[name]
        if tree.head == "field" and not isinstance(expr.node.kind, RecordKind):
            raise refuse(tree, f"{expr!r} is {with_article(expr.node.kind)} and has no fields")
        found = getattr(expr, name) if tree.head == "attribute" else expr[name]
        if not isinstance(found, Expr):
            raise refuse(tree, f"{name!r} is not a part of {expr!r}")
        return found

    def quantify(self, tree: Form, items: Expr, function: Tree) -> Expr:
        """Return a for-all or exists over the elements of a list, or what they come to."""
        kind = items.node.kind
        if not isinstance(kind, ListKind):
            raise refuse(tree, f"{items!r} is {with_article(kind)}, not a list")
        match function:
            case Form(items=(Symbol("lambda" | "λ"), Form(items=(Symbol(name),)), body)):
                variable = Variable(name, kind.inner)
                inner = replace(self, bound={**self.bound, name: Expr(variable)})
                if tree.head in AGGREGATES:
                    return e.aggregate_term(str(tree.head), variable, items.node, inner.term(body))
                return Expr(Quantified(tree.head == "each", variable, items.node, inner.assertion(body).node))
        raise refuse(tree, f"expected {USAGE[str(tree.head)]}")


ITSELF = Form((Symbol("lambda"), Form((Symbol("item"),)), Symbol("item")))  # of each element the element


class InputSide(Expr):
    """One of two inputs that a relation compares: its fields are blanks."""

    __slots__ = ()

    def __getitem__(self, index: object) -> Expr:
        assert isinstance(self.node, Op)
        parts = {part.name: part for part in self.node.args if isinstance(part, Blank)}
        if index not in parts:
            raise SpecError(f"{index!r} is not a blank of this spec; {nearest(str(index), parts)}")
        return Expr(parts[str(index)])


USAGE = {
    "and": "(and ASSERTION …)",
    "or": "(or ASSERTION …)",
    "not": "(not ASSERTION)",
    "implies": "(implies ASSERTION ASSERTION)",
    "ite": "(ite ASSERTION THEN ELSE)",
    "-": "(- TERM) or (- TERM TERM)",
    "matches": "(matches REGEX) or (matches TERM REGEX)",
    "field": "(field TERM NAME)",
    "attribute": "(attribute TERM NAME)",
    "blank": "(blank NAME)",
    "with": "(with NAME TERM) directly inside (specify OBJECT …)",
    "each": "(each LIST (lambda (ITEM) ASSERTION))",
    "some": "(some LIST (lambda (ITEM) ASSERTION))",
    **{name: f"({name} LIST) or ({name} LIST (lambda (ITEM) TERM))" for name in AGGREGATES},
}


def call_user(
    tree: Tree, function: object, passed: Iterable[object], subject: Expr | None, *, condition: bool = False
) -> object:
    """Return what a user's primitive makes of its arguments, with the subject first where one is missing.

    Of a condition that only Python can decide, the term that runs it on finished values.
    """
    arguments = list(passed)
    if isinstance(function, Predicate):
        return _opaque(tree, function.function, arguments or [subject])
    assert callable(function)
    if subject is not None and _lacks_subject(function, arguments):
        arguments = [subject, *arguments]
    try:
        made = give_terms(function, arguments) if condition else function(*arguments)
    except SpecError:
        raise
    except (Exception, SystemExit) as error:
        name = getattr(function, "__name__", function)
        raise refuse(tree, f"{name} raised {type(error).__name__}: {error}") from None
    if not isinstance(made, PlainPython):
        return made
    if not any(isinstance(each, Expr) for each in arguments):
        raise refuse(tree, f"{name_of(function)}: {made.why}")
    return _opaque(tree, as_filter(function), arguments)


def _lacks_subject(function: object, arguments: list[object]) -> bool:
    """Tell whether a call leaves out what it is about: too few arguments, or room for one and no term in the first."""
    code = getattr(function, "__code__", None)
    if code is None:
        return not arguments
    needed = code.co_argcount - len(getattr(function, "__defaults__", None) or ())
    if len(arguments) < needed:
        return True
    return len(arguments) < int(code.co_argcount) and not (arguments and isinstance(arguments[0], Expr))


def _opaque(tree: Tree, function: Callable[..., object], arguments: list[object]) -> Expr:
    """Return the term that runs plain Python on finished values: of whole blanks, beside what is written down."""
    names = []
    for each in arguments:
        if isinstance(each, Expr):
            if not isinstance(each.node, Blank):
                raise refuse(tree, "plain Python is given whole blanks; expected names of blanks")
            names.append(each.node.name)

    def with_constants(*values: object) -> object:
        finished = iter(values)
        return function(*(next(finished) if isinstance(each, Expr) else each for each in arguments))

    with_constants.__qualname__ = name_of(function)
    whole = len(names) == len(arguments)
    return Expr(Opaque(function if whole else with_constants, tuple(names)))
