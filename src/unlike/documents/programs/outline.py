"""One outline of a program becomes a spec: which blanks an input lists, and what is said of them.

An input lists the blanks declared in its block, and of the global ones those that its statements, or global
constraints, speak of. A blank that occurs twice (by itself and as a field, say) is asserted to be the same in both.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeAlias

from unlike.documents.programs.constraints import Constraints
from unlike.documents.programs.regexes import ProgramRegex, refuse, refuse_at, regex
from unlike.documents.programs.sexpr import Form, Hole, Symbol, Tree, flat
from unlike.documents.programs.terms import Terms
from unlike.errors import nearest
from unlike.language import differences as d
from unlike.language.expressions import Expr, compare
from unlike.language.spec import Spec
from unlike.language.terms import Blank, Node, Op
from unlike.language.values import OneOf, Option, Record, Str, Value
from unlike.regex.widths import PATTERN_MOST

SHOWN = 100  # characters of a statement in a message: a line of a terminal


@dataclass(eq=False, slots=True)
class DeclaredBlank:
    """A declared blank: of a type, or an object of fields; perhaps a fresh one like others, which it stands for."""

    name: str
    form: Tree
    order: int
    value: Value | None = None
    fields: dict[str, DeclaredBlank] = field(default_factory=dict)
    like: dict[DeclaredBlank, DeclaredBlank] = field(default_factory=dict)
    local: bool = False
    bare: bool = False  # a ?String without more

    def all_inside(self) -> Iterator[DeclaredBlank]:
        """Yield the blank, its fields, their fields, and so on."""
        yield self
        for inner in self.fields.values():
            yield from inner.all_inside()


@dataclass(frozen=True, slots=True)
class Statement:
    """What is said of a blank, still as text; it is read where the blank is used."""

    subject: DeclaredBlank
    said: tuple[Tree, ...]
    form: Form
    scope: ProgramScope
    order: int
    constrains: bool = False


Entity: TypeAlias = DeclaredBlank | ProgramRegex | int | Fraction | str | bool | object


@dataclass(slots=True)
class ProgramScope:
    """Names and statements of a program, or of one outline inside it."""

    outer: ProgramScope | None = None
    names: dict[str, Entity] = field(default_factory=dict)
    places: dict[str, Tree] = field(default_factory=dict)
    statements: list[Statement] = field(default_factory=list)

    def find(self, symbol: Symbol) -> Entity:
        """Return what a name was declared to be."""
        scope: ProgramScope | None = self
        while scope is not None:
            if symbol.name in scope.names:
                return scope.names[symbol.name]
            scope = scope.outer
        raise refuse(symbol, f"nothing is declared under this name; {nearest(symbol.name, self.known_names())}")

    def known_names(self) -> list[str]:
        """Return all names that can be used here."""
        return [*self.names, *(self.outer.known_names() if self.outer else ())]

    def declare(self, symbol: Symbol, entity: Entity) -> None:
        """Give a name to something; once in a scope."""
        if symbol.name in self.names:
            line = self.places[symbol.name].place.line
            raise refuse(symbol, f"is declared already, in line {line}; expected another name")
        self.names[symbol.name] = entity
        self.places[symbol.name] = symbol

    def blanks(self) -> list[DeclaredBlank]:
        """Return the blanks declared in this very scope, in order."""
        return [entity for entity in self.names.values() if isinstance(entity, DeclaredBlank)]


class _Missing(Exception):  # noqa: N818  (found while reading, and mended)
    """A statement speaks of a blank that is not yet part of the input."""

    def __init__(self, declared: DeclaredBlank) -> None:
        super().__init__(declared.name)
        self.declared = declared


class Outline:
    """Puts one spec together."""

    def __init__(self, form: Form, scope: ProgramScope, primitives: Mapping[str, object]) -> None:
        self.form, self.scope, self.primitives = form, scope, primitives
        outer = scope.outer.statements if scope.outer else []
        self.statements: list[Statement] = [*outer, *scope.statements]
        self.paths: dict[DeclaredBlank, list[Node]] = {}
        self.blanks: dict[str, Value] = {}

    def spec(self, name: str, n: int | None) -> Spec:
        """Return the spec of the outline."""
        inputs = self.first_inputs()
        while True:
            try:
                return self.attempt(inputs, name, n)
            except _Missing as missing:
                inputs.append(missing.declared)

    def first_inputs(self) -> list[DeclaredBlank]:
        """Return the blanks that an input lists without looking into what is said of them."""
        found = list(dict.fromkeys(self.scope.blanks()))
        if self.scope.outer is not None:
            spoken = [s.subject for s in self.statements if s.constrains or s.scope is self.scope]
            found += [each for each in dict.fromkeys(spoken) if each not in found]
            if not found:
                found = list(dict.fromkeys(self.scope.outer.blanks()))
        if not found:
            raise refuse(self.form, "has no blanks; expected (declare NAME ?TYPE)")
        nested = {inner for each in found for field in each.fields.values() for inner in field.all_inside()}
        return [each for each in found if each.local or each not in nested]

    def attempt(self, inputs: list[DeclaredBlank], name: str, n: int | None) -> Spec:
        """Return the spec over these blanks, or find that one is missing."""
        self.paths, self.blanks = {}, {}
        places: list[tuple[object, str]] = []
        for declared in inputs:
            called = python_name(declared.name)
            if called in self.blanks:
                raise refuse(declared.form, f"two blanks of {name} would be called {called!r}; rename one")
            value = self.value(declared)
            self.blanks[called] = value
            self.locate(declared, Blank(called, value.kind))
            places.append((called, self.quote_statement(declared.form)))
        where = [  # a blank is the same wherever it occurs
            compare("==", Expr(first), Expr(other))
            for declared, (first, *others) in self.paths.items()
            for other in (others if declared.value is not None else ())
        ]
        for statement, stand_ins in self.assertions():
            reader = self.terms(statement, stand_ins)
            for each in statement.said:
                made = reader.assertion(each)
                where.append(made)
                places.append((made.node, self.quote_statement(statement.form)))
        different: list[d.Difference] = []
        for statement in self.statements:
            if statement.constrains:
                different.append(self.constraint(statement))
                places.append((different[-1], self.quote_statement(statement.form)))
        with refuse_at(self.form):
            return Spec(self.blanks, where=where, different=different, name=name, n=n, places=places)

    def quote_statement(self, form: Tree) -> str:
        """Return a statement with its line, for a message."""
        shown = flat(form)
        return f"line {form.place.line}: {shown if len(shown) <= SHOWN else shown[: SHOWN - 1] + '…'}"

    # -- blanks

    def value(self, declared: DeclaredBlank) -> Value:
        """Return what a blank may be."""
        if declared.value is None:
            if not declared.fields:
                remedy = f"expected (specify {declared.name} (with NAME VALUE) …)"
                raise refuse(declared.form, f"the object has no fields; {remedy}")
            return Record(tuple((name, self.value(inner)) for name, inner in declared.fields.items()))
        if declared.bare and any(speaks_of_patterns(each) for s in self.about(declared) for each in s.said):
            return Str(max_length=PATTERN_MOST)
        return declared.value

    def about(self, declared: DeclaredBlank) -> Iterator[Statement]:
        """Yield what is said of a blank, or of one that it stands for."""
        scopes = [self.scope, *([self.scope.outer] if self.scope.outer else [])]
        every = [inner for scope in scopes for top in scope.blanks() for inner in top.all_inside()]
        stood_for = {old for each in every for old, new in each.like.items() if new is declared}
        for statement in self.statements:
            if statement.subject is declared or statement.subject in stood_for:
                yield statement

    def locate(self, declared: DeclaredBlank, term: Node) -> None:
        """Note where in the input a blank and its fields are."""
        self.paths.setdefault(declared, []).append(term)
        for name, inner in declared.fields.items():
            value = self.value(inner)
            self.locate(inner, Op("field", (term,), value.kind, name))

    # -- statements

    def assertions(self) -> Iterator[tuple[Statement, Mapping[DeclaredBlank, DeclaredBlank]]]:
        """Yield the assertions that matter to this input, each with the fresh blanks that it is said of."""
        for statement in self.statements:
            if statement.constrains:
                continue
            if any(each in self.paths for each in self.blanks_in(statement)):
                yield statement, {}
            for declared in list(self.paths):
                if declared.like and statement.subject in declared.like and statement.order < declared.order:
                    yield statement, declared.like

    def blanks_in(self, statement: Statement) -> set[DeclaredBlank]:
        """Return the blanks that a statement names."""
        found = {statement.subject}
        known = set(statement.scope.known_names())
        for symbol in (symbol for tree in statement.said for symbol in _symbols(tree)):
            if symbol.name in known and isinstance(entity := statement.scope.find(symbol), DeclaredBlank):
                found.add(entity)
        return found

    def terms(self, statement: Statement, stand_ins: Mapping[DeclaredBlank, DeclaredBlank]) -> Terms:
        """Return a reader for what a statement says."""

        def find(symbol: Symbol) -> object:
            found = statement.scope.find(symbol)
            return self.term(stand_ins.get(found, found)) if isinstance(found, DeclaredBlank) else found

        subject = self.term(stand_ins.get(statement.subject, statement.subject))
        return Terms(find, statement.scope.known_names, self.primitives, subject)

    def term(self, declared: DeclaredBlank) -> Expr:
        """Return the term of a blank, wherever it is in the input."""
        if declared not in self.paths:
            raise _Missing(declared)
        return Expr(self.paths[declared][0])

    def constraint(self, statement: Statement) -> d.Difference:
        """Return the difference that a statement speaks of."""
        blanks = tuple(Blank(name, value.kind) for name, value in self.blanks.items())
        [said] = statement.said
        made = Constraints(self.terms(statement, {}), blanks, self.pattern_at).read(said)
        with refuse_at(said):
            Spec(self.blanks, different=made)  # kinds are checked here, while the place is known
        return made

    def pattern_at(self, node: Node) -> str | bool:
        """Return the pattern of the string at a place, True for an enumeration, False for a free string."""
        match self.value_at(node):
            case Str(str() as pattern):
                return pattern
            case OneOf():
                return True
        blanks = [declared for declared, paths in self.paths.items() if node in paths]
        for statement in (statement for declared in blanks for statement in self.about(declared)):
            for each in statement.said:
                if isinstance(each, Form) and each.head == "matches" and len(each.parts) == 2:
                    return regex(each.parts[1], statement.scope.find).pattern
        return False

    def value_at(self, node: Node) -> Value | None:
        """Return the value that a term stands for, if it is a part of a blank."""
        match node:
            case Blank(name):
                return self.blanks[name]
            case Op("field", (inner,), _, name):
                around = self.value_at(inner)
                return dict(around.fields).get(str(name)) if isinstance(around, Record) else None
            case Op("value", (inner,)):
                around = self.value_at(inner)
                return around.inner if isinstance(around, Option) else None
        return None


def python_name(name: str) -> str:
    """Return a blank's name as the name of a Python parameter."""
    called = re.sub(r"\W", "_", name)
    if not called.isidentifier() or keyword.iskeyword(called) or called.startswith("__"):
        called = f"x_{called.lstrip('_')}"
    return called if called.isidentifier() else "x_" + "_".join(f"{ord(char):x}" for char in called)


def _symbols(tree: Tree) -> Iterator[Symbol]:
    match tree:
        case Symbol():
            yield tree
        case Form(items):
            for item in items:
                yield from _symbols(item)
        case Hole(inner):
            yield from _symbols(inner)


def speaks_of_patterns(tree: Tree) -> bool:
    """Tell whether what is said names a pattern that strings match."""
    return any(symbol.name in ("matches", "cover-regexp") for symbol in _symbols(tree))
