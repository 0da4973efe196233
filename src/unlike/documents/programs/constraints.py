"""Forms that say what makes two inputs different, under the names of the paper's figures 8 and 12."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction

from unlike.documents.programs.regexes import constant, refuse, refuse_at, regex
from unlike.documents.programs.sexpr import Form, SexprLiteral, Symbol, Tree
from unlike.documents.programs.terms import Defined, InputSide, Terms, call_user
from unlike.documents.ready_made import Location
from unlike.errors import nearest, with_article
from unlike.language import differences as d, terms as t
from unlike.language.expressions import Expr

RELATIONS = ("not-equal", "different-lengths", "different-time-zones", "differs-by", "boundary", "cover-json")
STRENGTHS = ("each", "pairs", "all")
FORMS = (
    *("all-of", "some-of", "not", "ite", "enumerate*", "enumerate-linear", "always", "never", "relation", "coverage"),
    *("numeric-distance", "edit-distance", "cover-regexp"),
)


class Constraints:
    """Reads constraints about a blank."""

    def __init__(self, terms: Terms, blanks: tuple[t.Blank, ...], patterns: Callable[[t.Node], str | bool]) -> None:
        self.terms, self.blanks, self.patterns = terms, blanks, patterns

    def read(self, tree: Tree) -> d.Difference:
        """Return the difference that a form stands for."""
        with refuse_at(tree):
            return self._read(tree)

    def _read(self, tree: Tree) -> d.Difference:
        match tree:
            case Symbol("always"):
                return d.always
            case Symbol("never"):
                return d.never
            case Symbol(name) if name in RELATIONS:
                return self.relate(tree, name, self.subject(tree))
            case Symbol(name):
                return self.user_defined(tree, name, ())
            case Form() if tree.head == "cover-json" and (schema := self.schema(tree)) is not None:
                return schema
            case Form() if tree.head in RELATIONS and len(tree.parts) == 2:
                return self.relate(tree, tree.head, self.terms.term(tree.parts[1]))
            case Form() if tree.head in RELATIONS:
                raise refuse(tree, f"expected {tree.head}, without brackets, or ({tree.head} TERM)")
            case Form() if tree.head in FORMS:
                return self.form(tree, list(tree.parts[1:]))
            case Form() if tree.head:
                return self.user_defined(tree, tree.head, tree.parts[1:])
        raise refuse(tree, "expected a constraint, like not-equal or (numeric-distance 50)")

    def subject(self, tree: Tree) -> Expr:
        """Return what the statement is about."""
        if self.terms.subject is None:
            raise refuse(tree, "says nothing of what it is about; expected (relation TERM …)")
        return self.terms.subject

    def relate(self, tree: Tree, name: str, about: Expr) -> d.Difference:
        """Return a relation between two values of one term."""
        match name:
            case "not-equal" | "differs-by":
                return d.differs_by(about)
            case "different-lengths":
                return d.different_lengths(about)
            case "boundary":
                return d.boundary(about)
            case "cover-json":
                return self.cover_json(tree, about)
        return d.differs_by(self.zone(tree, about))

    def zone(self, tree: Tree, about: Expr) -> Expr:
        """Return the IANA name of the time zone of a place, of a zone, or of an object that has either."""
        match about.node.kind:
            case t.AtomKind(members) if all(isinstance(each, Location) for each in members):
                return about.zone  # type: ignore[return-value]
            case t.AtomKind(members) if all(hasattr(each, "key") for each in members):
                return about.key  # type: ignore[return-value]
            case t.OptionKind():
                return self.zone(tree, about.value)  # type: ignore[arg-type]
            case t.RecordKind(fields):
                places = [name for name, kind in fields if isinstance(kind, t.AtomKind)]
                if len(places) == 1:
                    return self.zone(tree, about[places[0]])
            case kind if kind == t.STR:
                return about
        raise refuse(tree, f"{about!r} is {with_article(about.node.kind)} and has no time zone; expected a Location")

    def form(self, tree: Form, written: list[Tree]) -> d.Difference:
        """Return what a form with parts of its own stands for."""
        match tree.head, written:
            case "all-of", [_, *_]:
                return d.all_of(*map(self.read, written))
            case "some-of", [_, *_]:
                return d.some_of(*map(self.read, written))
            case "not", [inner]:
                return d.not_different(self.read(inner))
            case "ite", [condition, then, otherwise]:
                made = d.ite(self.terms.assertion(condition), self.read(then), self.read(otherwise))
                assert isinstance(made, d.IfElse)
                return made
            case "coverage", [inner]:
                return self.read(inner)
            case "relation", _:
                return self.relation(tree, written)
            case "enumerate*", [Form() as chosen, Form() as nested] if chosen.head == nested.head == "list":
                constraints = [self.read(each) for each in nested.parts[1:]]
                return d.enumerate_(self.assertions(chosen), constraints)
            case "enumerate-linear", [Form() as chosen] if chosen.head == "list":
                return d.enumerate_linear(self.assertions(chosen))
            case (("numeric-distance" | "edit-distance" | "cover-regexp"), [_] | [_, _] | [_, _, _]):
                return self.measure_term(tree, written)
        raise refuse(tree, f"expected {_USAGE[str(tree.head)]}")

    def assertions(self, tree: Form) -> list[Expr]:
        """Return the assertions of a list; `true` asserts nothing."""
        return [self.terms.assertion(each) for each in tree.parts[1:]]

    def measure_term(self, tree: Form, written: list[Tree]) -> d.Difference:
        """Return a distance or a cover: about a term, or about the subject."""
        heuristic = "default"
        match written[-1]:
            case Form(items=(Symbol("heuristic"), Symbol(heuristic))) if tree.head == "cover-regexp":
                written = written[:-1]
        match written:
            case [measure]:
                about = self.subject(tree)
            case [term, measure]:
                about = self.terms.term(term)
            case _:
                raise refuse(tree, f"expected {_USAGE[str(tree.head)]}")
        if tree.head == "cover-regexp":
            made = regex(measure, self.terms.find)
            return d.cover.regex(about, made.pattern, made.flags, heuristic)
        least = self.number(measure)
        return d.distance(about, least) if tree.head == "numeric-distance" else d.edit_distance(about, least)  # type: ignore[arg-type]

    def number(self, tree: Tree) -> object:
        """Return a number that is written or declared, or a span of time."""
        found = constant(tree) if isinstance(tree, Form) and tree.head == "timedelta" else self.literal(tree)
        if isinstance(found, datetime.timedelta):
            return found
        if isinstance(found, bool) or not isinstance(found, int | Fraction):
            raise refuse(tree, "expected a number")
        return found if isinstance(found, int) else float(found)

    # -- relations

    def relation(self, tree: Form, written: list[Tree]) -> d.Difference:
        """Return (relation TERM RELATION), where the relation may be a lambda of two values, or of two inputs."""
        match written:
            case [Form() as function] if function.head in ("lambda", "λ"):
                kind = t.RecordKind(tuple((each.name, each.kind) for each in self.blanks))
                blanks = [tuple(t.on_side(each, side) for each in self.blanks) for side in (1, 2)]
                return self.compare_sides(function, [InputSide(t.Op("input", each, kind)) for each in blanks])
            case [term, Form() as function] if function.head in ("lambda", "λ"):
                node = self.terms.term(term).node
                return self.compare_sides(function, [Expr(t.on_side(node, side)) for side in (1, 2)])
            case [term, inner]:
                terms = replace(self.terms, subject=self.terms.term(term))
                return Constraints(terms, self.blanks, self.patterns).read(inner)
        raise refuse(tree, f"expected {_USAGE['relation']}")

    def compare_sides(self, function: Form, sides: list[Expr] | list[InputSide]) -> d.RelatedTerm:
        """Return the relation that a lambda asserts of two sides, both ways."""
        match function.parts:
            case [_, Form(items=(Symbol(one), Symbol(two))), body] if one != two:
                bound = {**self.terms.bound, one: sides[0], two: sides[1]}
                terms = replace(self.terms, bound=bound, subject=None)
                return d.RelatedTerm(both_ways(self.on_sides(function, terms.assertion(body).node)))
        raise refuse(function, "expected (lambda (A B) ASSERTION)")

    def on_sides(self, tree: Tree, node: t.Node) -> t.Node:
        """Refuse a relation that speaks of a blank without saying of which input, or of an input without a blank."""
        for inner in t.walk(node):
            if isinstance(inner, t.Op) and inner.name == "input":
                raise refuse(tree, "speaks of an input as a whole; write (field A BLANK)")
            if isinstance(inner, t.Blank) and not inner.side:
                raise refuse(tree, f"speaks of {inner.name} of no input in particular; write (field A {inner.name})")
        return node

    # -- coverage of a structure

    def cover_json(self, tree: Tree, about: Expr) -> d.Difference:
        """Return the difference of objects in which some part of the structure takes another branch."""
        parts = list(self.branching(about))
        if not parts:
            raise refuse(
                tree,
                f"nothing in {about!r} has branches: cover-json covers patterns, options, lists, truth values and "
                "enumerations inside an Object; numbers and free strings have none; a JSON schema is written as text: "
                "(cover-json SCHEMA)",
            )
        return parts[0] if len(parts) == 1 else d.some_of(*parts)

    def schema(self, tree: Form) -> d.Difference | None:
        """Return the difference of texts that show other choices of a JSON schema; nothing if none is written."""
        written = list(tree.parts[1:])
        strength = "each"
        if len(written) > 1 and isinstance(written[-1], Symbol) and written[-1].name in STRENGTHS:
            strength = str(written.pop().name)  # type: ignore[union-attr]
        if len(written) not in (1, 2) or not isinstance(text := self.literal(written[-1]), str):
            return None
        about = self.terms.term(written[0]) if len(written) == 2 else self.subject(tree)
        if about.node.kind != t.STR:
            raise refuse(tree, f"a schema as text covers strings of JSON; {about!r} is none")
        from unlike.documents.json_schema.document import covering_texts  # loaded only when used

        return d.enumerate_linear([about == each for each in covering_texts(text, strength)])

    def literal(self, tree: Tree) -> object:
        """Return what is written out, or declared as a literal."""
        match tree:
            case SexprLiteral(value):
                return value
            case Symbol():
                return self.terms.find(tree)
        return None

    def branching(self, about: Expr) -> Iterator[d.Difference]:
        """Yield the differences between the branches of each part of a structure."""
        match about.node.kind:
            case t.RecordKind(fields):
                for name, _ in fields:
                    yield from self.branching(about[name])
            case t.OptionKind():
                content = list(self.branching(about.value))  # type: ignore[arg-type]
                inner = d.some_of(*content) if content else d.never
                yield d.ite(about.present, inner, d.never)  # type: ignore[misc]
            case t.ListKind():
                yield d.different_lengths(about)
            case t.AtomKind():
                yield d.differs_by(about)
            case kind if kind == t.BOOL:
                yield d.differs_by(about)
            case kind if kind == t.STR:
                match self.patterns(about.node):
                    case str() as pattern:
                        yield d.cover.regex(about, pattern)
                    case True:
                        yield d.differs_by(about)

    # -- a user's own

    def user_defined(self, tree: Tree, name: str, written: tuple[Tree, ...]) -> d.Difference:
        """Return the difference that a user's module makes."""
        known = [*RELATIONS, *FORMS, *self.terms.primitives]
        if name not in self.terms.primitives:
            raise refuse(tree, f"there is no constraint {name!r}; {nearest(name, known)}")
        made = self.terms.primitives[name]
        if isinstance(made, Defined):
            terms, body = self.terms.inside(tree, made, written)
            return Constraints(terms, self.blanks, self.patterns).read(body)
        if not isinstance(made, d.Difference):
            made = call_user(tree, made, map(self.terms.argument, written), self.terms.subject)
        if not isinstance(made, d.Difference):
            raise refuse(tree, f"{name} returned {made!r}, which is no difference")
        return made


def both_ways(node: t.Node) -> t.Node:
    """Return a relation that holds in both directions, unchanged if it says so already."""
    backwards = t.other_way(node)
    if backwards == node:
        return node
    if isinstance(node, t.Op) and node.name == "and" and set(map(t.other_way, node.args)) == set(node.args):
        return node
    return t.conjunction([node, backwards])


_USAGE = {
    "all-of": "(all-of CONSTRAINT …)",
    "some-of": "(some-of CONSTRAINT …)",
    "not": "(not CONSTRAINT)",
    "ite": "(ite ASSERTION CONSTRAINT CONSTRAINT)",
    "always": "always, without brackets",
    "never": "never, without brackets",
    "relation": "(relation TERM RELATION) or (relation TERM (lambda (A B) ASSERTION))",
    "coverage": "(coverage COVERAGE)",
    "enumerate*": "(enumerate* (list ASSERTION …) (list CONSTRAINT …))",
    "enumerate-linear": "(enumerate-linear (list ASSERTION …))",
    "numeric-distance": "(numeric-distance LEAST) or (numeric-distance TERM LEAST)",
    "edit-distance": "(edit-distance LEAST) or (edit-distance TERM LEAST)",
    "cover-regexp": "(cover-regexp REGEX) or (cover-regexp TERM REGEX)",
}
