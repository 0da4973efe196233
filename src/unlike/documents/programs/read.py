"""A program becomes specs: one for each `generate`, named by its outline.

Statements run in order: `declare` names things, `with` gives an object its fields; what `specify` and
`constrain-solutions` say is read for each outline, in the terms of its blanks.
"""

from __future__ import annotations

from collections.abc import Mapping

from unlike.documents.programs.outline import DeclaredBlank, Entity, Outline, ProgramScope, Statement
from unlike.documents.programs.regexes import REGEX_FORMS, ProgramRegex, Types, as_member, constant, refuse, regex
from unlike.documents.programs.sexpr import Form, Hole, ProgramError, Rx, SexprLiteral, Symbol, Tree, read_trees
from unlike.documents.programs.terms import CONSTANTS, Defined
from unlike.errors import nearest
from unlike.language.differences import Difference
from unlike.language.spec import Spec
from unlike.language.values import OneOf, Str, Value
from unlike.language.where import Predicate

PROGRAMS = ("program", "define-program")
STATEMENTS = ("declare", "specify", "constrain-solutions", "generate", "define")
LARGEST = 500  # fields of an object, with those inside it


def read_program(text: str, file: str = "program", primitives: Mapping[str, object] | None = None) -> list[Spec]:
    """Return a spec for each `generate` of a program; `primitives` are a user's own, by their names in the text."""
    trees = read_trees(text, file, comments=False)
    programs = [tree for tree in trees if isinstance(tree, Form) and tree.head in PROGRAMS]
    if not trees:
        raise ProgramError(f"{file}:1:1: the file is empty; expected (program NAME STATEMENT … (generate NAME N …))")
    specs: list[Spec] = []
    taken: dict[str, Tree] = {}
    if not programs:  # the grammar of the paper knows no brackets around a program
        specs += _Program(primitives or {}, taken).run(tuple(trees))
    for tree in trees if programs else ():
        if tree not in programs:
            raise refuse(tree, "stands outside of the program; expected (program NAME STATEMENT …)")
        assert isinstance(tree, Form)
        match tree.parts:
            case [_, Symbol(), *statements]:
                specs += _Program(primitives or {}, taken).run(tuple(statements), tree)
            case _:
                raise refuse(tree, "expected (program NAME STATEMENT …)")
    return specs


def primitives_of(module: object) -> dict[str, object]:
    """Return what a module offers to programs: functions, values and differences, with - for _ in their names."""
    offered: dict[str, object] = {}
    for name, value in vars(module).items():
        foreign = getattr(value, "__module__", None) not in (None, getattr(module, "__name__", None))
        known = isinstance(value, (Difference, Predicate, Value))
        if not name.startswith("_") and (known or (callable(value) and not foreign)):
            offered[name] = value
            offered[name.replace("_", "-")] = value
    return offered


class _Program:
    """Runs the statements of one program."""

    def __init__(self, primitives: Mapping[str, object], taken: dict[str, Tree]) -> None:
        self.primitives = dict(primitives)
        self.taken = taken  # the names of outlines
        self.order = 0

    def run(self, statements: tuple[Tree, ...], around: Form | None = None) -> list[Spec]:
        """Return the specs of the program's outlines."""
        scope = ProgramScope()
        outlines: list[tuple[Form, ProgramScope]] = []
        for tree in statements:
            self.order += 1
            if isinstance(tree, Form) and tree.head == "generate":
                outlines.append((tree, self.block(tree, scope)))
            else:
                self.statement(tree, scope)
        if not outlines:
            raise refuse(around or statements[-1], "the program generates nothing; expected (generate NAME N …)")
        return [self.spec(form, inner) for form, inner in outlines]

    def block(self, tree: Form, outer: ProgramScope) -> ProgramScope:
        """Run the statements of an outline in a scope of its own."""
        match tree.parts:
            case [_, Symbol() | SexprLiteral(str()), SexprLiteral(int() as n), *statements] if type(n) is int:
                if n < 1:
                    raise refuse(tree.parts[2], "expected a number of inputs of at least 1")
            case [_, Symbol() | SexprLiteral(str()), Symbol("all"), *statements]:
                pass
            case _:
                raise refuse(tree, "expected (generate NAME N STATEMENT …)")
        scope = ProgramScope(outer)
        for each in statements:
            self.order += 1
            if isinstance(each, Form) and each.head == "generate":
                raise refuse(each, "an outline inside another; expected a statement")
            self.statement(each, scope)
        return scope

    def spec(self, form: Form, scope: ProgramScope) -> Spec:
        """Return the spec of an outline."""
        _, name, number, *_ = form.parts
        assert isinstance(name, Symbol | SexprLiteral)
        said = name.name if isinstance(name, Symbol) else str(name.value)
        if said in self.taken:
            line = self.taken[said].place.line
            raise refuse(name, f"an outline is called so already, in line {line}; expected another name")
        self.taken[said] = name
        n = number.value if isinstance(number, SexprLiteral) else None
        assert n is None or isinstance(n, int)
        return Outline(form, scope, self.primitives).spec(said, n)

    # -- statements

    def statement(self, tree: Tree, scope: ProgramScope) -> None:
        """Run one statement."""
        match tree:
            case Form(items=(Symbol("declare"), Symbol() as name, written)):
                scope.declare(name, self.read_declaration(tree, name, written, scope))
            case Form(items=(Symbol("specify"), Symbol() as name, first, *rest)):
                self.specify(tree, self.subject(name, scope), (first, *rest), scope)
            case Form(items=(Symbol("constrain-solutions"), Symbol() as name, said)):
                subject = self.subject(name, scope)
                scope.statements.append(Statement(subject, (said,), tree, scope, self.order, constrains=True))
            case Form(items=(Symbol("define"), Form(items=(Symbol(name), *parameters)), body)):
                if not all(isinstance(each, Symbol) for each in parameters) or len(set(parameters)) < len(parameters):
                    raise refuse(tree, f"expected {_USAGE['define']}")
                self.primitives[name] = Defined(tuple(each.name for each in parameters), body)  # type: ignore[union-attr]
            case Form() if tree.head in STATEMENTS:
                raise refuse(tree, f"expected {_USAGE[str(tree.head)]}")
            case Form() if tree.head:
                raise refuse(tree, f"there is no statement {tree.head!r}; {nearest(tree.head, STATEMENTS)}")
            case _:
                raise refuse(tree, "expected a statement, like (declare …) or (specify …)")

    def subject(self, name: Symbol, scope: ProgramScope) -> DeclaredBlank:
        """Return the blank that a statement is about."""
        found = scope.find(name)
        if not isinstance(found, DeclaredBlank):
            raise refuse(name, "is not a blank; expected the name of one, like (declare x ?Integer)")
        return found

    def specify(self, tree: Form, subject: DeclaredBlank, said: tuple[Tree, ...], scope: ProgramScope) -> None:
        """Add fields to an object, and note what else is said."""
        asserted = []
        for each in said:
            if isinstance(each, Form) and each.head == "with":
                self.with_field(each, subject, scope)
            else:
                asserted.append(each)
        if asserted:
            scope.statements.append(Statement(subject, tuple(asserted), tree, scope, self.order))

    def with_field(self, tree: Form, subject: DeclaredBlank, scope: ProgramScope) -> None:
        """Add a field to an object."""
        match tree.parts:
            case [_, Symbol(name), written]:
                pass
            case _:
                raise refuse(tree, "expected (with NAME VALUE)")
        if subject.value is not None:
            raise refuse(tree, f"{subject.name} is no object; expected (declare {subject.name} ?Object)")
        if name in subject.fields:
            raise refuse(tree, f"{subject.name} has a field {name!r} already")
        if scope.outer is not None and not subject.local:
            raise refuse(tree, f"{subject.name} is global; expected its fields beside its declaration")
        if subject.like:
            raise refuse(tree, f"{subject.name} is a fresh copy; expected its fields at the original")
        entity = self.read_declaration(tree, Symbol(name, tree.place), written, scope)
        if not isinstance(entity, DeclaredBlank):
            value = (
                Str(entity.pattern, flags=entity.flags)
                if isinstance(entity, ProgramRegex)
                else OneOf(as_member(entity))
            )
            entity = DeclaredBlank(name, tree, self.order, value, local=subject.local)
        inside = list(entity.all_inside())
        if subject in inside:
            raise refuse(tree, f"{subject.name} would contain itself")
        subject.fields[name] = entity
        if len(inside) + sum(len(list(each.all_inside())) for each in subject.fields.values()) > LARGEST:
            raise refuse(tree, f"{subject.name} has more than {LARGEST} fields")

    def read_declaration(self, tree: Form, name: Symbol, written: Tree, scope: ProgramScope) -> Entity:
        """Return what a declaration stands for: a blank, a literal, a regex, or something declared before."""
        local = scope.outer is not None
        match written:
            case Hole(Symbol("Object")) if "Object" not in scope.known_names():
                return DeclaredBlank(name.name, tree, self.order, local=local)
            case Hole(Symbol() as inner) if isinstance(found := self.maybe(inner, scope), DeclaredBlank):
                fresh = _fresh(found, name.name, tree, self.order)
                for each in fresh.all_inside():
                    each.local = local
                return fresh
            case Hole(inner):
                value = self.types(scope).read(inner)
                bare = inner == Symbol("String") and "String" not in scope.known_names()
                return DeclaredBlank(name.name, tree, self.order, value, local=local, bare=bare)
            case SexprLiteral(value):
                return value
            case Symbol():
                return scope.find(written)
            case Rx() | Form() if isinstance(written, Rx) or written.head in REGEX_FORMS:
                return regex(written, scope.find)
            case Form() if written.head in CONSTANTS:
                return constant(written)
        raise refuse(written, 'expected a blank like ?Integer, a literal, a regex like #rx"…", or a name')

    def types(self, scope: ProgramScope) -> Types:
        """Return a reader of types that knows the names of a scope."""

        def find_type(symbol: Symbol) -> Value:
            found = self.maybe(symbol, scope)
            if found is None:
                found = self.primitives.get(symbol.name)
            if isinstance(found, ProgramRegex):
                return Str(found.pattern, flags=found.flags)
            if isinstance(found, DeclaredBlank):
                return self.inside(symbol, found, scope)
            if isinstance(found, Value):
                return found
            own = [name for name, each in self.primitives.items() if isinstance(each, Value)]
            known = [*Types.NAMES, *scope.known_names(), *own]
            raise refuse(symbol, f"there is no type or blank {symbol.name!r}; {nearest(symbol.name, known)}")

        return Types(find_type, scope.find)

    def inside(self, symbol: Symbol, found: DeclaredBlank, scope: ProgramScope) -> Value:
        """Return the type of a blank as a part of another type, which takes over nothing else that was said of it."""
        said = [*scope.statements, *(scope.outer.statements if scope.outer else ())]
        if found.value is None or any(each.subject is found and not each.constrains for each in said):
            lost = f"what is said of {symbol.name} would be lost here"
            raise refuse(symbol, f"{lost}; expected a type, or ?{symbol.name} as a blank of its own")
        return found.value

    def maybe(self, symbol: Symbol, scope: ProgramScope) -> Entity | None:
        """Return what a name stands for, or nothing; a built-in type's name is its own unless it was declared."""
        return scope.find(symbol) if symbol.name in scope.known_names() else None


def _fresh(found: DeclaredBlank, name: str, form: Tree, order: int) -> DeclaredBlank:
    """Return a fresh blank like a declared one, with fresh fields; it knows which blanks it stands for."""
    made: dict[DeclaredBlank, DeclaredBlank] = {}

    def copy(old: DeclaredBlank, called: str) -> DeclaredBlank:
        if old not in made:
            new = DeclaredBlank(called, form, order, old.value, bare=old.bare)
            made[old] = new
            new.fields = {field_name: copy(each, field_name) for field_name, each in old.fields.items()}
        return made[old]

    fresh = copy(found, name)
    for old, new in list(made.items()):
        for original, stand_in in old.like.items():
            fresh.like[original] = made.get(stand_in, new)
    fresh.like.update(made)
    return fresh


_USAGE = {
    "declare": "(declare NAME VALUE)",
    "specify": "(specify NAME ASSERTION …)",
    "constrain-solutions": "(constrain-solutions NAME CONSTRAINT)",
    "define": "(define (NAME PARAMETER …) BODY), every parameter once",
    "generate": "(generate NAME N STATEMENT …), not inside another statement",
}
