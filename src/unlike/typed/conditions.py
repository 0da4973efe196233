"""Assertions about the fields of a type, tried on real values or asked of a solver.

A function in `where` names the fields it takes; of a type without fields it takes the value itself, by any name. It
means what it means in a spec (`language.where`): a term, checked on every built instance, and asked of the engine where
a choice was not found, and for further inputs where few are legal; or a filter.
"""

from __future__ import annotations

import datetime
import inspect
import itertools
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

from unlike.core import Deadline
from unlike.errors import SpecError, UnlikeError, nearest
from unlike.language.evaluate import compile_term
from unlike.language.expressions import Expr, and_, as_expr, not_
from unlike.language.spec import Spec
from unlike.language.terms import Blank, Node as TermNode, Op, Opaque, blank_names, disjunction, is_held, negation
from unlike.language.values import List, Option, Record, Value, plain_of
from unlike.language.where import Matches, Predicate, read_where
from unlike.specs.generate import SpecCases, generate as generate_spec
from unlike.structure.cover.columns import FieldRule
from unlike.structure.cover.targets import ANY, Ask, Goal
from unlike.structure.cover.tree import ChoiceNode, FieldsNode, ItemsNode, LeafNode, Node, Tree
from unlike.structure.shapes import (
    Check,
    Checked,
    Choice,
    CodeLine,
    Constants,
    ItemsShape,
    NamedFields,
    Numbers,
    Shape,
    Texts,
    every,
)
from unlike.suite import Ending, Suite
from unlike.types.held import SeenPart, held_parts, held_shapes, hold, looks_at_held
from unlike.types.terms import plain_in_shape, value_of_shape

HowMany: TypeAlias = int | Literal["all"] | None  # inputs; nothing: as many as it takes
WHOLE = "value"  # the blank that stands for a value without fields
WIDE = 10**18  # whole numbers that are asked for where nobody stated a bound: beyond what any program holds apart
MOST_CLAUSES = 64  # that one assertion is taken apart into
WIDE_TEXT, WIDE_ITEMS = 200, 8  # characters and items, as far as an engine answers at once
ASK_SECONDS = 30.0  # one question to the engine; when it is not answered, values are tried instead


@dataclass(slots=True)
class Conditions:
    """The assertions as checks on instances, and as terms over the fields they name where all of them are terms."""

    checks: tuple[Check, ...] = ()
    words: tuple[str, ...] = ()
    filters: tuple[str, ...] = ()  # those that are plain Python, in words
    terms: tuple[Expr, ...] = ()
    blanks: dict[str, Value] = field(default_factory=dict)
    shapes: dict[str, Shape] = field(default_factory=dict)
    fields: bool = True  # whether the assertions name fields, or speak of the whole value

    def refuse_unanswered(self) -> None:
        """Refuse an assertion that raised whatever it was asked: that no input satisfies it would prove nothing."""
        for check in self.checks:
            holds = check.function
            if isinstance(holds, _Holds) and holds.failure and not holds.answered:
                raise SpecError(f"where: {check.name} answers for no input: {holds.failure}")

    def say_filters(self) -> str:
        """Say which assertions are plain Python."""
        return f"; plain Python, run on each: {', '.join(self.filters)}" if self.filters else ""

    def rules(self) -> list[FieldRule]:
        """Return the assertions with the fields that they name."""
        held = [(each.name, each.function) for each in self.checks if self.fields]
        return [rule for words, test in held if isinstance(test, _Holds) for rule in _rules_of(test, words)]

    def ask(self, tree: Tree, deadline: Deadline) -> Ask | None:
        """Return the function that asks the engine for one goal, if the assertions are terms."""
        return _Asker(self, tree, deadline) if self.blanks else None


def conditions_of(where: object, shape: Shape) -> Conditions:
    """Return the assertions about a type whose shape this is."""
    if where in ((), []):
        return Conditions()
    named = fields_of(shape)
    shapes = named or {WHOLE: shape}
    values = {name: _value_or_nothing(each, name) for name, each in shapes.items()}
    blanks = {name: None if value is None else Expr(Blank(name, value.kind)) for name, value in values.items()}
    said = list(read_where(fit_names(where, named), blanks))
    checks = tuple(Check(each.words, _Holds(each.node, values, fields=bool(named))) for each in said)
    filters = tuple(each.words for each in said if isinstance(each.node, Opaque))
    found = Conditions(checks, tuple(each.words for each in said), filters, fields=bool(named))
    spoken = set().union(*(blank_names(each.node) for each in said))
    if not filters:
        found.terms = tuple(Expr(each.node) for each in said)
        found.blanks = {name: value for name, value in values.items() if value is not None and name in spoken}
        found.shapes = {name: shapes[name] for name in found.blanks}
    return found


def _value_or_nothing(shape: Shape, name: str) -> Value | None:
    """Return the value of a field; nothing where no term stands for it, and what speaks of it is plain Python."""
    try:
        value = value_of_shape(shape, (name,), hold)
    except (UnlikeError, TypeError, ValueError):
        return None
    return None if is_held(value.kind) else value


def fit_names(where: object, fields: Mapping[str, Shape]) -> object:
    """Return what is said with every function checked against the fields; of a type without, it takes the value."""
    match where:
        case list() | tuple():
            return [fit_names(each, fields) for each in where]
        case Predicate(function):
            return Predicate(_fit_function(function, fields))
        case Expr() | Matches() | bool():
            return where
    return _fit_function(where, fields) if callable(where) else where


def _fit_function(function: Callable[..., object], fields: Mapping[str, Shape]) -> Callable[..., object]:
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError) as error:
        raise SpecError(f"where: {function!r} cannot be called with fields: {error}") from None
    names = [each.name for each in parameters if each.default is each.empty]
    if any(each.kind in (each.VAR_POSITIONAL, each.VAR_KEYWORD) for each in parameters):
        raise SpecError("where: parameters name the fields they take; *args and **kwargs name none")
    if not fields:
        if len(names) == 1:
            return _with_name(WHOLE, function, names[0])
        raise SpecError(f"where: the type has no fields; write a function of one parameter, not of {names!r}")
    for name in names:
        if name not in fields:
            raise SpecError(f"where: there is no field {name!r}; {nearest(name, fields)}")
    return function


def fields_of(shape: Shape) -> dict[str, Shape]:
    """Return the fields of a type by name; those of a tuple have none."""
    match shape:
        case Checked(inner):
            return fields_of(inner)
        case NamedFields(fields, made) if made.kind not in ("tuple", "array"):  # whose parts have no names
            return {each.name: each.shape for each in fields}
    return {}


class _Holds:  # each is itself: a check is a part of shapes, which are looked up
    """Whether an assertion holds for an instance: its term on the fields, or plain Python on them."""

    __slots__ = ("answered", "failure", "fields", "names", "node", "test", "values")

    def __init__(self, node: TermNode, values: Mapping[str, Value | None], *, fields: bool) -> None:
        self.node, self.values, self.fields = node, values, fields
        self.names = node.names if isinstance(node, Opaque) else tuple(sorted(blank_names(node)))
        self.test = node.function if isinstance(node, Opaque) else compile_term(node)
        self.answered = False
        self.failure = ""  # what it raised, and on which value

    def __call__(self, value: object) -> bool:
        try:
            held = self.ask_test(value)
        except Exception as error:
            self.failure = self.failure or f"{type(error).__name__}: {error} on {value!r}"
            raise
        self.answered = True
        return held

    def ask_test(self, value: object) -> bool:
        return self.holds_for({name: part_of(value, name) if self.fields else value for name in self.names})

    def holds_for(self, parts: Mapping[str, object]) -> bool:
        """Tell whether the assertion holds for values of the fields it names."""
        parts = {name: parts[name] for name in self.names}
        if isinstance(self.node, Opaque):
            return bool(self.test(*parts.values()))
        return bool(self.test({name: as_in_terms(self.values[name], part) for name, part in parts.items()}))


def _rules_of(test: _Holds, words: str) -> list[FieldRule]:
    """Return an assertion as rules that each name few fields: what is joined by "and" apart, by "or" in parts."""
    clauses = None if isinstance(test.node, Opaque) else _alternatives(test.node, wanted=True)
    if clauses is None:
        return [FieldRule(test.names, test.holds_for, words)]
    found = []
    for clause in clauses:
        parts = [_Holds(node, test.values, fields=test.fields) for node in clause]
        whole = parts[0] if len(parts) == 1 else _Holds(disjunction(clause), test.values, fields=test.fields)
        one_each = len(parts) > 1 and all(len(part.names) == 1 for part in parts)
        split = tuple(FieldRule(part.names, part.holds_for, words) for part in parts) if one_each else ()
        found.append(FieldRule(whole.names, whole.holds_for, words, split))
    return found


def _alternatives(node: TermNode, *, wanted: bool) -> list[list[TermNode]] | None:
    """Return a term as "and" of "or"s; nothing where that would be long."""
    match node:
        case Op("not", (inner,)):
            return _alternatives(inner, wanted=not wanted)
        case Op("and" | "or" as name, args):
            inside = [_alternatives(each, wanted=wanted) for each in args]
            known = [each for each in inside if each is not None]
            if len(known) < len(inside):
                return None
            if (name == "and") == wanted:
                return [clause for each in known for clause in each]
            if math.prod(map(len, known)) > MOST_CLAUSES:
                return None
            return [[part for clause in some for part in clause] for some in itertools.product(*known)]
    return [[node if wanted else negation(node)]]


def as_in_terms(value: Value | None, made: object) -> object:
    """Return a finished value as terms keep it."""
    match value:
        case Option(inner):
            return None if made is None else as_in_terms(inner, made)
        case List(inner):
            return tuple(as_in_terms(inner, each) for each in made)  # type: ignore[attr-defined]
        case Record(build=SeenPart() as seen):
            return {"number": seen.number_of(made)}
        case Record(fields):
            return {name: as_in_terms(inner, part_of(made, name)) for name, inner in fields}
    return made if value is None else plain_of(value.kind, made)


def part_of(value: object, name: str) -> object:
    """Return a field of an instance; a key that is absent counts as None."""
    return value.get(name) if isinstance(value, dict) else getattr(value, name, None)


class _Asker:
    def __init__(self, conditions: Conditions, tree: Tree, deadline: Deadline) -> None:
        self.conditions = conditions
        self.deadline = deadline
        self.tree = tree
        root = replace(tree.root, checked=False)  # what is asked holds beside the checks of the whole
        self.nodes = dict(root.children) if isinstance(root, FieldsNode) and conditions.fields else {WHOLE: root}

    def __call__(self, goal: Goal) -> tuple[Literal["found"], object] | tuple[Literal["impossible"], str] | None:
        """Return an input that shows the goal, a proof that there is none, or nothing if neither can be told."""
        said: list[Callable[..., object]] = []
        for name in self.conditions.blanks:
            terms = _terms_of(self.nodes[name], goal, lambda field: field)
            if terms is None:
                return None
            said += [_with_name(name, term) for term in terms]
        suite = self.ask_engine(self.conditions.blanks, said)
        within = ""
        if suite is not None and suite.status.ending is Ending.UNSATISFIABLE and (wide := self.widen()) is not None:
            suite, within = self.ask_engine(wide, said), f" for numbers up to {WIDE:,}"
        # no term speaks of parts of which only some values are asked, so that a proof holds for all of them
        if suite is not None and suite.status.ending is Ending.UNSATISFIABLE and not self.is_open(goal):
            return "impossible", f"proved{within}: {'; '.join(self.conditions.words)}"
        if suite is None or not len(suite):
            return None
        assert isinstance(suite.cases, SpecCases)
        return "found", self.plain(suite.cases.inputs[0])

    def ask_engine(self, blanks: dict[str, Value], said: list[Callable[..., object]]) -> Suite | None:
        """Return one input under the conditions and what is said beside them; nothing if that cannot be asked."""
        try:
            spec = Spec(blanks, where=[*self.conditions.terms, *said])
            return generate_spec(spec, 1, timeout=self.deadline.within(ASK_SECONDS))
        except UnlikeError:
            return None

    def widen(self) -> dict[str, Value] | None:
        """Return the blanks without the usual bounds, as far as can be asked; nothing if all bounds are stated."""
        shapes = {name: widen_shape(shape) for name, shape in self.conditions.shapes.items()}
        if shapes == self.conditions.shapes:
            return None
        try:
            return {name: value_of_shape(shape, (name,), hold) for name, shape in shapes.items()}
        except UnlikeError:
            return None

    def is_open(self, goal: Goal) -> bool:
        """Tell whether there are values that the engine was not asked for: longer lists, other texts, other places."""
        return self.has_more(goal) or any(not _is_asked_whole(each) for each in self.parts_asked(goal))

    def parts_asked(self, goal: Goal) -> list[Shape]:
        """Return the parts of the fields that a goal leaves open, without those that are held if no term sees them."""
        fixed = {self.tree.paths[number] for number in goal.samples}
        unseen: set[int] = set()
        if not any(looks_at_held(each._node) for each in self.conditions.terms):
            held = (shape for value in self.conditions.blanks.values() for shape in held_shapes(value))
            unseen = {id(part) for shape in held for part in every(shape)}
        open_ones = (shape for name, shape in self.conditions.shapes.items() if (name,) not in fixed)
        return [part for shape in open_ones for part in every(shape) if id(part) not in unseen]

    def further(self, most: int) -> tuple[Iterator[object], bool]:
        """Return inputs that the engine finds, and whether they are all there are."""
        try:
            spec = Spec(self.conditions.blanks, where=self.conditions.terms)
            suite = generate_spec(spec, most, timeout=self.deadline.within(ASK_SECONDS))
        except UnlikeError:
            return iter(()), False
        assert isinstance(suite.cases, SpecCases)
        found = map(self.plain, suite.cases.inputs)
        whole = suite.status.ending in (Ending.COMPLETE, Ending.UNSATISFIABLE) and self.nodes.keys() == set(spec.blanks)
        return found, whole and not self.holds_parts() and not self.has_more(ANY) and not self.may_lack()

    def holds_parts(self) -> bool:
        """Tell whether the fields have parts of which only some values are asked."""
        return any(True for name, value in self.conditions.blanks.items() for _ in held_parts(value, name))

    def may_lack(self) -> bool:
        """Tell whether a field may be absent, which no term says."""
        choices = [node for node in self.nodes.values() if isinstance(node, ChoiceNode)]
        return any(way.node is None for node in choices for way in node.ways)

    def has_more(self, goal: Goal) -> bool:
        """Tell whether the fields have values that the terms do not: floats of more decimal places."""
        return any(isinstance(each, Numbers) and not each.is_listed for each in self.parts_asked(goal))

    def plain(self, values: Mapping[str, object]) -> object:
        """Return the fields with the values found, or the whole value of a type without fields."""
        asked = self.conditions
        parts = {name: plain_in_shape(asked.shapes[name], value, values[name]) for name, value in asked.blanks.items()}
        return parts if asked.fields else parts[WHOLE]


def widen_shape(shape: Shape) -> Shape:
    """Return a shape without the usual bounds: with those that are far away where nobody stated any.

    >>> widen_shape(Texts(None, 0, 20)).most
    200
    """
    match shape:
        case Numbers(line=CodeLine("int" | "date" as kind)):
            ends = (-WIDE, WIDE) if kind == "int" else (1, datetime.date.max.toordinal())
            low = shape.low if "least" in shape.stated else -(-ends[0] // shape.step) * shape.step
            high = shape.high if "most" in shape.stated else ends[1] // shape.step * shape.step
            return replace(shape, low=low, high=high)
        case Texts() if "longest" not in shape.stated:
            return replace(shape, most=max(shape.most, WIDE_TEXT))
        case ItemsShape(item) if "most items" not in shape.stated:
            return replace(shape, item=widen_shape(item), most=max(shape.most, WIDE_ITEMS))
        case ItemsShape(inner) | Checked(inner):
            changed = widen_shape(inner)
            return replace(shape, item=changed) if isinstance(shape, ItemsShape) else replace(shape, inner=changed)
        case Choice(alternatives):
            return replace(shape, alternatives=tuple((word, widen_shape(inner)) for word, inner in alternatives))
        case NamedFields(fields):
            return replace(shape, fields=tuple(replace(each, shape=widen_shape(each.shape)) for each in fields))
    return shape


def _is_asked_whole(shape: Shape) -> bool:
    """Tell whether the engine is asked for every value of a shape, but for what is in it, or no term speaks of it."""
    match shape:
        case Numbers(line=CodeLine("int" | "date")):
            return True
        case Numbers():
            return {"least", "most"} <= set(shape.stated)
        case Texts(made="str"):
            return shape.pattern is not None and "longest" in shape.stated
        case ItemsShape(kind="list"):
            return "most items" in shape.stated
    return True


Term = Callable[[Expr], Expr]


def _terms_of(node: Node, goal: Goal, part: Term) -> list[Term] | None:
    """Return the goal's decisions about a part of a field as terms over the field, or nothing if none says them."""
    if node.checked:
        return None
    match node:
        case LeafNode(number):
            return _terms_of_leaf(node, goal, part) if number in goal.decisions else []
        case ChoiceNode(number):
            return _terms_of_choice(node, goal, part) if number in goal.decisions else []
        case ItemsNode(number):
            if _is_within(node.item, goal):
                return _terms_of_item(node, goal, part)
            if number not in goal.decisions:
                return []
            size = node.sizes[goal.decisions[number]]
            return [
                lambda field: _of(part(field), "length") >= size.least,
                lambda field: _of(part(field), "length") <= size.most,
            ]
        case FieldsNode(children=children):
            inside = [_terms_of(child, goal, _field_term(part, name)) for name, child in children]
            known = [terms for terms in inside if terms is not None]
            return [term for terms in known for term in terms] if len(known) == len(inside) else None


def _field_term(part: Term, name: str) -> Term:
    return lambda field: part(field)[name]


def _terms_of_choice(node: ChoiceNode, goal: Goal, part: Term) -> list[Term] | None:
    way = node.ways[goal.decisions[node.number]]
    if way.node is None:
        return None  # an absent field has no term
    if not any(_is_none(each.node) for each in node.ways):
        return _terms_of(way.node, goal, part)
    if _is_none(way.node):
        return [lambda field: not_(_of(part(field), "present"))]
    inner = _terms_of(way.node, goal, lambda field: _of(part(field), "value"))
    return None if inner is None else [lambda field: _of(part(field), "present"), *inner]


def _terms_of_item(node: ItemsNode, goal: Goal, part: Term) -> list[Term] | None:
    """Return that some item of a list shows the goal."""
    inner = _terms_of(node.item, goal, lambda item: item)
    if not inner or node.shape.kind != "list":
        return None
    return [lambda field: _of_items(part(field), lambda item: and_(*(term(item) for term in inner)))]


def _of_items(items: Expr, holds: Term) -> Expr:
    return as_expr(items.some(holds))  # type: ignore[operator]


def _is_within(node: Node, goal: Goal) -> bool:
    """Tell whether a goal decides something within a node."""
    match node:
        case FieldsNode(children=children):
            return any(_is_within(child, goal) for _, child in children)
        case ChoiceNode(ways=ways):
            inside = [way.node for way in ways if way.node is not None]
            return node.number in goal.decisions or any(_is_within(each, goal) for each in inside)
        case ItemsNode():
            return node.number in goal.decisions or _is_within(node.item, goal)
    return node.number in goal.decisions


def _terms_of_leaf(node: LeafNode, goal: Goal, part: Term) -> list[Term] | None:
    option = node.options[goal.decisions[node.number]]
    sample = goal.samples.get(node.number)
    if sample is None and len(node.options) == 1:
        return []
    if sample is None and option.count > 1:
        return None  # a branch of a pattern: no term for it
    shown = option.samples[sample or 0]
    if shown.count_values() == 1:
        return [lambda field: part(field) == shown.value]
    if len(node.options) > 1 or shown.length is None:
        return [] if shown.holds is not None and shown.length is None else None
    return [lambda field: _of(part(field), "length") == shown.length]


def _of(term: Expr, name: str) -> Expr:
    return as_expr(getattr(term, name))


def _is_none(node: Node | None) -> bool:
    return isinstance(node, LeafNode) and isinstance(node.shape, Constants) and node.shape.values == (None,)


def _with_name(name: str, function: Callable[..., object], parameter: str = "") -> Callable[..., object]:
    """Return the function with its parameter called after the field."""

    def call_with_field(**fields: object) -> object:
        return function(fields[name])

    own = getattr(function, "__name__", "<lambda>")
    call_with_field.__name__ = f"where({parameter})" if own == "<lambda>" else own  # for messages
    call_with_field.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD)]
    )
    return call_with_field
