"""A type under a difference of the user's own: a spec over its fields, and instances of the type as its cases."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from unlike.core import Deadline, Isolation
from unlike.indexed import Indexed
from unlike.language.differences import Difference
from unlike.language.spec import Predicate, Spec, predicate
from unlike.language.values import Record, Value
from unlike.recipe import Argument, Call, Items, Recipe, Ref, name_or_given
from unlike.specs.generate import generate as generate_spec
from unlike.structure.shapes import NamedFields, Shape, every
from unlike.suite import Case, Suite
from unlike.types.choices import ReadType, has_opaque_rules
from unlike.types.terms import value_of_shape

HowMany: TypeAlias = int | Literal["all"] | None  # inputs; nothing: as many as it takes


def by_difference(read: ReadType, n: HowMany, spec: Spec, deadline: Deadline, seed: int, isolation: Isolation) -> Suite:
    """Return instances of a type, any two of which differ as said; the type must fit the term language."""
    suite = generate_spec(spec, n, timeout=deadline, seed=seed, **isolation.of_one_process())
    cases = _Instances(suite.cases, value_of_shape(read.shape))
    return Suite(suite.name, cases, suite.status, suite.guarantee, suite.explanation)


def spec_of(read: ReadType, *, where: object, different: list[Difference]) -> Spec:
    """Return a type as a spec whose blanks are its fields, or refuse it if the term language has no value for it."""
    value = value_of_shape(read.shape)
    blanks: dict[str, Value] = dict(value.fields) if isinstance(value, Record) else {"value": value}
    built = isinstance(value, Record) and value.build is not None and can_refuse(read.shape)
    final = [_acceptance(value)] if isinstance(value, Record) and built else []
    return Spec(blanks, where=[where, *final], different=different, name=read.name)


def can_refuse(shape: Shape) -> bool:
    """Tell whether a constructor in the shape may refuse values that keep the stated rules."""
    return any(_has_validators(each.build.target) for each in every(shape) if isinstance(each, NamedFields))


def _has_validators(cls: object) -> bool:
    if hasattr(cls, "__post_init__") or hasattr(cls, "__attrs_post_init__"):
        return True
    if any(each.validator is not None for each in getattr(cls, "__attrs_attrs__", ())):
        return True
    if isinstance(cls, type) and has_opaque_rules(cls):
        return True
    decorators = getattr(cls, "__pydantic_decorators__", None)
    kinds = ("validators", "field_validators", "root_validators", "model_validators")
    return any(getattr(decorators, kind, None) for kind in kinds)


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
