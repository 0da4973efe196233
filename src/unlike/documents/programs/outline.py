"""One outline of a program becomes a spec: which blanks an input lists, and what is said of them.

An input lists the blanks declared in its block, and of the global ones those that its statements, or global
constraints, speak of. A blank that occurs twice (by itself and as a field, say) is asserted to be the same in both.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

from unlike.documents.programs.constraints import Constraints
from unlike.documents.programs.regexes import placed, refuse, regex
from unlike.documents.programs.sexpr import Form, Hole, Symbol, Tree, flat
from unlike.documents.programs.terms import Terms
from unlike.language import differences as d
from unlike.language.expressions import Expr, compare
from unlike.language.spec import Spec
from unlike.language.terms import Blank, Node, Op
from unlike.language.values import PATTERN_MOST, OneOf, Option, Record, Str, Value

if TYPE_CHECKING:
    from unlike.documents.programs.read import DeclaredBlank, ProgramScope, Statement

SHOWN = 100  # characters of a statement in a message: a line of a terminal


class _Missing(Exception):  # noqa: N818  (found while reading, and mended)
    """A statement speaks of a blank that is not yet part of the input."""

    def __init__(self, declared: DeclaredBlank) -> None:
        super().__init__(declared.name)
        self.declared = declared


class Outline:
    """Puts one spec together."""

    def __init__(self, file: str, form: Form, scope: ProgramScope, primitives: Mapping[str, object]) -> None:
        self.file, self.form, self.scope, self.primitives = file, form, scope, primitives
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
            raise refuse(self.form, self.file, "has no blanks; expected (declare NAME ?TYPE)")
        nested = {inner for each in found for inner in _below(each)}
        return [each for each in found if each.local or each not in nested]

    def attempt(self, inputs: list[DeclaredBlank], name: str, n: int | None) -> Spec:
        """Return the spec over these blanks, or find that one is missing."""
        self.paths, self.blanks = {}, {}
        places: list[tuple[object, str]] = []
        for declared in inputs:
            called = python_name(declared.name)
            if called in self.blanks:
                raise refuse(declared.form, self.file, f"two blanks of {name} would be called {called!r}; rename one")
            value = self.value(declared)
            self.blanks[called] = value
            self.locate(declared, Blank(called, value.kind))
            places.append((called, self.quoted(declared.form)))
        where: list[Expr] = list(self.equalities())
        for statement, stand_ins in self.asserted():
            reader = self.terms(statement, stand_ins)
            for each in statement.said:
                made = reader.assertion(each)
                where.append(made)
                places.append((made.node, self.quoted(statement.form)))
        different: list[d.Difference] = []
        for statement in self.statements:
            if statement.constrains:
                different.append(self.constraint(statement))
                places.append((different[-1], self.quoted(statement.form)))
        with placed(self.form, self.file):
            return Spec(self.blanks, where=where, different=different, name=name, n=n, places=places)

    def quoted(self, form: Tree) -> str:
        """Return a statement with its line, for a message."""
        shown = flat(form)
        return f"line {form.place.line}: {shown if len(shown) <= SHOWN else shown[: SHOWN - 1] + '…'}"

    # -- blanks

    def value(self, declared: DeclaredBlank) -> Value:
        """Return what a blank may be."""
        if declared.value is None:
            if not declared.fields:
                remedy = f"expected (specify {declared.name} (with NAME VALUE) …)"
                raise refuse(declared.form, self.file, f"the object has no fields; {remedy}")
            return Record(tuple((name, self.value(inner)) for name, inner in declared.fields.items()))
        if declared.bare and any(speaks_of_patterns(each) for s in self.about(declared) for each in s.said):
            return Str(max_length=PATTERN_MOST)
        return declared.value

    def about(self, declared: DeclaredBlank) -> Iterator[Statement]:
        """Yield what is said of a blank, or of one that it stands for."""
        stood_for = {old for each in self.all_declared() for old, new in each.like.items() if new is declared}
        for statement in self.statements:
            if statement.subject is declared or statement.subject in stood_for:
                yield statement

    def all_declared(self) -> list[DeclaredBlank]:
        """Return every blank of the program that this outline can see, with those inside objects."""
        scopes = [self.scope, *([self.scope.outer] if self.scope.outer else [])]
        tops = [each for scope in scopes for each in scope.blanks()]
        return list(dict.fromkeys(inner for top in tops for inner in (top, *_below(top))))

    def locate(self, declared: DeclaredBlank, term: Node) -> None:
        """Note where in the input a blank and its fields are."""
        self.paths.setdefault(declared, []).append(term)
        for name, inner in declared.fields.items():
            value = self.value(inner)
            self.locate(inner, Op("field", (term,), value.kind, name))

    def equalities(self) -> Iterator[Expr]:
        """Yield that a blank is the same wherever it occurs."""
        for declared, (first, *others) in self.paths.items():
            if declared.value is not None:
                for other in others:
                    yield compare("==", Expr(first), Expr(other))

    # -- statements

    def asserted(self) -> Iterator[tuple[Statement, Mapping[DeclaredBlank, DeclaredBlank]]]:
        """Yield the assertions that matter to this input, each with the fresh blanks that it is said of."""
        for statement in self.statements:
            if statement.constrains:
                continue
            if any(each in self.paths for each in self.mentioned(statement)):
                yield statement, {}
            for declared in list(self.paths):
                if declared.like and statement.subject in declared.like and statement.order < declared.order:
                    yield statement, declared.like

    def mentioned(self, statement: Statement) -> set[DeclaredBlank]:
        """Return the blanks that a statement names."""
        from unlike.documents.programs.read import DeclaredBlank

        found = {statement.subject}
        known = set(statement.scope.known())
        for symbol in (symbol for tree in statement.said for symbol in _symbols(tree)):
            if symbol.name in known and isinstance(entity := statement.scope.find(symbol), DeclaredBlank):
                found.add(entity)
        return found

    def terms(self, statement: Statement, stand_ins: Mapping[DeclaredBlank, DeclaredBlank]) -> Terms:
        """Return a reader for what a statement says."""
        find = _Finder(self, statement.scope, stand_ins)
        subject = find.term(stand_ins.get(statement.subject, statement.subject))
        return Terms(self.file, find, statement.scope.known, self.primitives, subject)

    def constraint(self, statement: Statement) -> d.Difference:
        """Return the difference that a statement speaks of."""
        blanks = tuple(Blank(name, value.kind) for name, value in self.blanks.items())
        [said] = statement.said
        made = Constraints(self.terms(statement, {}), blanks, self.pattern_at).read(said)
        with placed(said, self.file):
            Spec(self.blanks, different=made)  # kinds are checked here, while the place is known
        return made

    def pattern_at(self, node: Node) -> str | bool:
        """Return the pattern of the string at a place, True for an enumeration, False for a free string."""
        match self.value_at(node):
            case Str(str() as pattern):
                return pattern
            case OneOf():
                return True
        for declared, paths in self.paths.items():
            if node in paths:
                for statement in self.about(declared):
                    for each in statement.said:
                        if isinstance(each, Form) and each.head == "matches" and len(each.parts) == 2:
                            find: Callable[[Symbol], object] = statement.scope.find
                            return regex(each.parts[1], find, self.file).pattern
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


class _Finder:
    """Looks names up for a statement: blanks become terms of the input at hand."""

    def __init__(self, outline: Outline, scope: ProgramScope, stand_ins: Mapping[DeclaredBlank, DeclaredBlank]) -> None:
        self.outline, self.scope, self.stand_ins = outline, scope, stand_ins

    def __call__(self, symbol: Symbol) -> object:
        from unlike.documents.programs.read import DeclaredBlank

        found = self.scope.find(symbol)
        if isinstance(found, DeclaredBlank):
            return self.term(self.stand_ins.get(found, found))
        return found

    def term(self, declared: DeclaredBlank) -> Expr:
        """Return the term of a blank, wherever it is in the input."""
        if declared not in self.outline.paths:
            raise _Missing(declared)
        return Expr(self.outline.paths[declared][0])


def python_name(name: str) -> str:
    """Return a blank's name as the name of a Python parameter."""
    called = re.sub(r"\W", "_", name)
    if not called.isidentifier() or keyword.iskeyword(called) or called.startswith("__"):
        called = f"x_{called.lstrip('_')}"
    return called if called.isidentifier() else "x_" + "_".join(f"{ord(char):x}" for char in called)


def _below(declared: DeclaredBlank) -> Iterator[DeclaredBlank]:
    for inner in declared.fields.values():
        yield inner
        yield from _below(inner)


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
