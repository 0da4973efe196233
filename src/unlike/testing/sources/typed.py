"""Blanks as types: inputs that break one rule each, and types that the term language has no value for.

The parameters of a test are the fields of one record, so that a rule is broken in one of them while the others stay
legal, and choices are covered across all of them.
"""

from __future__ import annotations

import dataclasses
import enum
from collections.abc import Iterator, Mapping
from dataclasses import replace

from unlike.errors import SpecError
from unlike.formats.annotations import value_of_annotation
from unlike.formats.python_types.annotations import shape_of
from unlike.indexed import Listed
from unlike.recipe import Items
from unlike.structure.shapes import Shape
from unlike.suite import Ending, Status, Suite
from unlike.testing.decorators import Asked, Number, Provided


def is_typed(annotation: object) -> bool:
    """Tell whether the annotation has a shape, though the term language has no value for it."""
    try:
        value_of_annotation(annotation, "")
    except SpecError:
        try:
            shape_of(annotation)
        except SpecError:
            return False
        return True
    return False


def typed_inputs(annotations: Mapping[str, object], asked: Asked) -> Provided:
    """Return the inputs of a test whose parameters are covered as types."""
    shape = shape_of(annotations)

    def suite(n: Number, timeout: float | None) -> Suite:
        from unlike.typed.generate import generate_type  # a replay never comes here

        return generate_type(
            annotations, n, where=asked.where, different=asked.different, timeout=timeout, seed=asked.seed
        )

    told = ("typed", shape, asked.where, asked.different, asked.seed)
    return Provided(suite, told, _mentioned(shape), keys=tuple(annotations))


def invalid_inputs(annotations: Mapping[str, object], asked: Asked) -> Provided:
    """Return inputs that break one rule of one parameter each; the rule is the label."""
    if asked.where != () or asked.different != ():
        raise SpecError("invalid=True breaks the rules that types and values state; leave out where and different")
    shape = shape_of(annotations)

    def suite(n: Number, timeout: float | None) -> Suite:
        from unlike.typed.invalid import invalid_type  # a replay never comes here

        found = invalid_type(annotations, timeout=timeout)
        # a rule of the record itself (a parameter missing, or too many) cannot be broken by a call
        kept = [case for case in found if _keys(case.recipe.result) == list(annotations)]
        if not kept:
            status = Status(Ending.UNSATISFIABLE, "the blanks state no rule that could be broken")
            return replace(found, cases=Listed(kept), status=status)
        whole = replace(found, cases=Listed(kept))
        return whole if n == "all" else whole.first(n)

    return Provided(suite, ("invalid", shape), _mentioned(shape), keys=tuple(annotations))


def _keys(result: object) -> list[object]:
    return list(result.items[::2]) if isinstance(result, Items) and result.kind == "dict" else []


def _mentioned(shape: Shape) -> tuple[object, ...]:
    """Return the classes and functions that build what the types mention, and the classes of its enum members."""
    found: list[object] = []
    for each in _parts(shape):
        if isinstance(each, enum.Enum):
            found.append(type(each))
        elif isinstance(each, type) or callable(each):
            found.append(each)
    named = [each for each in found if isinstance(getattr(each, "__qualname__", None), str)]
    return tuple(each for i, each in enumerate(named) if each not in named[:i] and "<" not in each.__qualname__)  # type: ignore[attr-defined]


def _parts(thing: object) -> Iterator[object]:
    """Yield everything that a shape is made of."""
    if dataclasses.is_dataclass(thing) and not isinstance(thing, type):
        for field in dataclasses.fields(thing):
            yield from _parts(getattr(thing, field.name))
    elif isinstance(thing, tuple | list):
        for each in thing:
            yield from _parts(each)
    else:
        yield thing
