"""Assertions about the fields of a type, tried on real values or asked of a solver, and differences by its fields.

A function in `where` names the fields it takes; of a type without fields it takes the value itself, by any name. It
always runs on the built instance. If it can also be read as a term, a choice that was not found is asked of the engine:
found after all, or impossible. A difference makes a spec over the fields, whose cases become instances of the type.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

from unlike.core import Deadline, Isolation
from unlike.errors import SpecError, UnlikeError, nearest
from unlike.indexed import Indexed
from unlike.language.differences import Difference
from unlike.language.evaluate import compile_term as compiled_term
from unlike.language.expressions import Expr, as_expr, not_
from unlike.language.spec import Predicate, Spec, predicate
from unlike.language.values import Record, Value, exact
from unlike.recipe import Argument, Call, Items, Recipe, Ref, name_or_given
from unlike.specs.generate import generate as generate_spec
from unlike.structure.cover.execute import Ask
from unlike.structure.cover.plan import fill
from unlike.structure.cover.targets import Goal
from unlike.structure.cover.tree import ChoiceNode, FieldsNode, ItemsNode, LeafNode, Node, Tree, members
from unlike.structure.shapes import Check, Checked, Choice, Constants, NamedFields, Picked, Shape, every
from unlike.suite import Case, Ending, Suite
from unlike.types.choices import ReadType, has_validators
from unlike.types.terms import value_of_shape

HowMany: TypeAlias = int | Literal["all"] | None  # inputs; nothing: as many as it takes
WHOLE = "value"  # the blank that stands for a value without fields
ASK_SECONDS = 30.0  # one question to the engine; when it is not answered, values are tried instead


@dataclass(slots=True)
class Conditions:
    """The assertions as checks on instances, and as a spec over the fields they name where terms can say them."""

    checks: tuple[Check, ...] = ()
    words: tuple[str, ...] = ()
    functions: tuple[Callable[..., object], ...] = ()
    blanks: dict[str, Value] = field(default_factory=dict)
    shapes: dict[str, Shape] = field(default_factory=dict)
    fields: bool = True  # whether the assertions name fields, or speak of the whole value

    def refuse_unanswered(self) -> None:
        """Refuse an assertion that raised whatever it was asked: that no input satisfies it would prove nothing."""
        for check in self.checks:
            holds = check.function
            if isinstance(holds, _Holds) and holds.failure and not holds.answered:
                raise SpecError(f"where: {check.name} answers for no input: {holds.failure}")

    def ask(self, tree: Tree, deadline: Deadline) -> Ask | None:
        """Return the function that asks the engine for one goal, if the assertions can be read as terms."""
        return _Asker(self, tree, deadline) if self.blanks else None


def conditions_of(where: object, shape: Shape) -> Conditions:
    """Return the assertions about a type whose shape this is."""
    functions = list(_functions(where))
    if not functions:
        return Conditions()
    shapes = _fields(shape)
    names = {function: _names(function, shapes) for function, _ in functions}
    checks = tuple(_check(function, names[function], bool(shapes)) for function, _ in functions)
    found = Conditions(checks, tuple(check.name for check in checks), tuple(function for function, _ in functions))
    if not all(readable for _, readable in functions):
        return found
    if shapes:
        wanted = dict.fromkeys(name for each in names.values() for name in each)
        _as_terms(found, {name: shapes[name] for name in wanted})
    else:
        found.fields = False
        found.functions = tuple(_with_name(WHOLE, function) for function in found.functions)
        _as_terms(found, {WHOLE: shape})
    return found


def _functions(where: object) -> list[tuple[Callable[..., object], bool]]:
    match where:
        case list() | tuple():
            return [each for part in where for each in _functions(part)]
        case Predicate(function):
            return [(function, False)]
        case _ if callable(where):
            return [(where, True)]
    raise SpecError(f"where={where!r} is not an assertion; write where=lambda price: price > 5, naming the fields")


def _fields(shape: Shape) -> dict[str, Shape]:
    match shape:
        case Checked(inner):
            return _fields(inner)
        case NamedFields(fields, made) if made.kind not in ("tuple", "array"):  # whose parts have no names
            return {each.name: each.shape for each in fields}
    return {}


def _names(function: Callable[..., object], shapes: Mapping[str, Shape]) -> list[str]:
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError) as error:
        raise SpecError(f"where: {function!r} cannot be called with fields: {error}") from None
    if any(each.kind in (each.VAR_POSITIONAL, each.VAR_KEYWORD) for each in parameters):
        raise SpecError("where: parameters name the fields they take; *args and **kwargs name none")
    names = [each.name for each in parameters]
    if not shapes:
        if len(names) == 1:
            return names
        raise SpecError(f"where: the type has no fields; write a function of one parameter, not of {names!r}")
    for name in names:
        if name not in shapes:
            raise SpecError(f"where: there is no field {name!r}; {nearest(name, shapes)}")
    return names


def _check(function: Callable[..., object], names: list[str], fields: bool) -> Check:
    name = getattr(function, "__name__", "a function")
    shown = f"where({', '.join(names)})" if name == "<lambda>" else name
    return Check(shown, _Holds(function, tuple(names) if fields else (WHOLE,), fields))


@dataclass(slots=True, eq=False)  # each is itself: a check is a part of shapes, which are looked up
class _Holds:
    """Whether an assertion holds for an instance: run on its real fields, or on terms over them."""

    function: Callable[..., object]
    names: tuple[str, ...]
    fields: bool
    term: Callable[..., object] | None = None
    answered: bool = False
    failure: str = ""  # what it raised, and on which value

    def __call__(self, value: object) -> bool:
        try:
            held = self.ask_function(value)
        except Exception as error:
            self.failure = self.failure or f"{type(error).__name__}: {error} on {value!r}"
            raise
        self.answered = True
        return held

    def ask_function(self, value: object) -> bool:
        parts = [_part(value, name) for name in self.names] if self.fields else [value]
        try:
            result = self.function(*parts)
        except (AttributeError, TypeError, UnlikeError):
            if self.term is None:
                raise
            # written for terms (nick.present, tags.length), which real values do not have
            result = self.term({name: _plain(part) for name, part in zip(self.names, parts, strict=True)})
        if isinstance(result, Expr):
            result = compiled_term(result.node)({})
        return bool(result)


def _plain(value: object) -> object:
    """Return a real value as the term language keeps it."""
    match value:
        case float():
            return exact(value)
        case list():
            return tuple(_plain(each) for each in value)
        case dict():
            return {key: _plain(each) for key, each in value.items()}
        case _ if hasattr(value, "__dataclass_fields__"):
            return {name: _plain(getattr(value, name)) for name in value.__dataclass_fields__}
    return value


def _part(value: object, name: str) -> object:
    """Return a field of an instance; a key that is absent counts as None."""
    return value.get(name) if isinstance(value, dict) else getattr(value, name, None)


def _as_terms(found: Conditions, shapes: dict[str, Shape]) -> None:
    try:
        blanks = {name: value_of_shape(shape, (name,)) for name, shape in shapes.items()}
        spec = Spec(blanks, where=list(found.functions))
    except (UnlikeError, TypeError, AttributeError, ValueError):
        return  # no term says this; values are tried instead
    found.blanks = blanks
    found.shapes = shapes
    if len(spec.assertions) == len(found.checks):
        for check, node in zip(found.checks, spec.assertions, strict=True):
            assert isinstance(check.function, _Holds)
            check.function.term = compiled_term(node)


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
        try:
            spec = Spec(self.conditions.blanks, where=[*self.conditions.functions, *said])
            suite = generate_spec(spec, 1, timeout=self.deadline.within(ASK_SECONDS))
        except UnlikeError:
            return None
        if suite.status.ending is Ending.UNSATISFIABLE:
            return "impossible", f"proved: {'; '.join(self.conditions.words)}"
        if not len(suite):
            return None
        values = suite[0].value
        assert isinstance(values, dict)
        return "found", self.plain(goal, values)

    def plain(self, goal: Goal, values: dict[str, object]) -> object:
        """Return the input with the values found, and everything else as the goal and chance have it."""
        if not self.conditions.fields:
            return _wrap(self.conditions.shapes[WHOLE], values[WHOLE])
        found: dict[int, int] = {}
        fill(self.tree.root, goal.decisions, "asked", found)
        whole = next(iter(members(self.tree.root, found, goal.samples)))
        assert isinstance(whole, dict)
        for name, value in values.items():
            whole[name] = _wrap(self.conditions.shapes[name], value)
        return whole


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
            if number not in goal.decisions:
                return []
            size = node.sizes[goal.decisions[number]]
            return [
                lambda field: _of(part(field), "length") >= size.least,
                lambda field: _of(part(field), "length") <= size.most,
            ]
        case FieldsNode():
            return None if any(number in goal.decisions for number in _numbers(node)) else []


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


def _terms_of_leaf(node: LeafNode, goal: Goal, part: Term) -> list[Term] | None:
    option = node.options[goal.decisions[node.number]]
    sample = goal.samples.get(node.number)
    if sample is None and len(node.options) == 1:
        return []
    if sample is None and option.count > 1:
        return None  # a branch of a pattern: no term for it
    value = option.samples[sample or 0].value
    return [lambda field: part(field) == value]


def _of(term: Expr, name: str) -> Expr:
    return as_expr(getattr(term, name))


def _numbers(node: Node) -> list[int]:
    match node:
        case LeafNode(number) | ItemsNode(number):
            return [number]
        case ChoiceNode(number):
            return [number, *(each for way in node.ways if way.node is not None for each in _numbers(way.node))]
        case FieldsNode():
            return [each for _, child in node.children for each in _numbers(child)]


def _is_none(node: Node | None) -> bool:
    return isinstance(node, LeafNode) and isinstance(node.shape, Constants) and node.shape.values == (None,)


def _with_name(name: str, function: Callable[[Expr], object]) -> Callable[..., object]:
    """Return the function with its parameter called after the field."""

    def call_with_field(**fields: object) -> object:
        field = fields[name]
        assert isinstance(field, Expr)
        return function(field)

    call_with_field.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD)]
    )
    return call_with_field


def _wrap(shape: Shape, value: object) -> object:
    """Return a value of the term language as a plain value of the shape."""
    match shape:
        case Checked(inner):
            return _wrap(inner, value)
        case Choice(alternatives):
            for which, (_, inner) in enumerate(alternatives):
                is_none = isinstance(inner, Constants) and inner.values == (None,)
                if is_none == (value is None):
                    return Picked(which, _wrap(inner, value))
        case NamedFields(fields):
            assert isinstance(value, dict)
            return {each.name: _wrap(each.shape, value[each.name]) for each in fields}
    if isinstance(value, list):
        return tuple(_wrap(shape.item, each) for each in value)  # type: ignore[union-attr]
    return value


# -- differences of the user's own ---------------------------------------------------------------------------------


def by_difference(read: ReadType, n: HowMany, spec: Spec, deadline: Deadline, seed: int, isolation: Isolation) -> Suite:
    """Return instances of a type, any two of which differ as said; the type must fit the term language."""
    suite = generate_spec(spec, n, timeout=deadline, seed=seed, **isolation.of_one_process())
    cases = _Instances(suite.cases, value_of_shape(read.shape))
    return Suite(suite.name, cases, suite.status, suite.guarantee, suite.explanation)


def spec_of(read: ReadType, *, where: object, different: list[Difference]) -> Spec:
    """Return a type as a spec whose blanks are its fields, or refuse it if the term language has no value for it."""
    value = value_of_shape(read.shape)
    blanks: dict[str, Value] = dict(value.fields) if isinstance(value, Record) else {WHOLE: value}
    built = isinstance(value, Record) and value.build is not None and can_refuse(read.shape)
    final = [_acceptance(value)] if isinstance(value, Record) and built else []
    return Spec(blanks, where=[where, *final], different=different, name=read.name)


def can_refuse(shape: Shape) -> bool:
    """Tell whether a constructor in the shape may refuse values that keep the stated rules."""
    return any(has_validators(each.build.target) for each in every(shape) if isinstance(each, NamedFields))


def _acceptance(value: Record) -> Predicate:
    """Return the assertion that the constructor accepts the fields, as a predicate that names them."""
    made = value.build
    assert made is not None

    def accepts(fields: dict[str, object]) -> bool:
        try:
            made(**fields)
        except Exception:  # foreign code: a constructor may refuse in any way
            return False
        return True

    names = [name for name, _ in value.fields]
    # a predicate says by its parameters what it takes, so it needs real ones
    pairs = ", ".join(f"{name!r}: {name}" for name in names)
    function: Callable[..., object] = eval(f"lambda {', '.join(names)}: accepts({{{pairs}}})", {"accepts": accepts})
    return predicate(function)


@dataclass(frozen=True, slots=True)
class _Instances:
    """Cases of a spec over the fields of a type, as instances of the type."""

    cases: Indexed[Case]
    value: Value

    def count(self) -> int:
        """Return how many cases there are."""
        return self.cases.count()

    def at(self, index: int) -> Case:
        """Return the case at the index."""
        case = self.cases.at(index)
        assert isinstance(case.recipe.result, Items)
        parts = case.recipe.result.items
        if not isinstance(self.value, Record):
            return Case(Recipe(case.recipe.steps, parts[1]), case.label, case.id)
        if self.value.build is None:
            return case
        pairs = zip(parts[::2], parts[1::2], strict=True)
        by_name: tuple[tuple[str, Argument], ...] = tuple((str(name), part) for name, part in pairs)
        steps = (*case.recipe.steps, Call(name_or_given(self.value.build), (), by_name))
        return Case(Recipe(steps, Ref(len(steps) - 1)), case.label, case.id)
