"""Values that a user gives for fields, types and classes, as annotations: a spec or a suite is what it holds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from unlike.errors import ScopeError
from unlike.language.spec import Spec
from unlike.language.values import VALUES, OneOf
from unlike.specs.generate import generate as generate_spec
from unlike.suite import Suite
from unlike.types.as_annotated import is_annotation
from unlike.types.given import SourceValues

MOST = 20  # inputs of a spec or a type that stand for a field: enough to show its differences


def annotations_of(literals: Mapping[str | type, object] | None) -> dict[str | type, object]:
    """Return what is given for each key as an annotation: a type as it is, values as one of them."""
    return {key: _annotation_of(key, values) for key, values in (literals or {}).items()}


def samples_of(literals: Mapping[str | type, object] | None) -> dict[str | type, object]:
    """Return what is given for each key as one of several values, also where a type is given."""
    found = {key: each for key, each in annotations_of(literals).items() if not isinstance(each, SourceValues)}
    return {key: each if isinstance(each, OneOf) else OneOf(*_values_of(each)) for key, each in found.items()}


def _values_of(annotation: object) -> list[object]:
    from unlike.typed.generate import generate_type  # which reads what is given by this module

    return generate_type(annotation, MOST).values


def _annotation_of(key: str | type, values: object) -> object:
    name = key if isinstance(key, str) else getattr(key, "__name__", key)
    if not isinstance(key, str | type):
        raise ScopeError(f"literals of {key!r}: give the name of a field, of a type, or a class")
    if isinstance(values, SourceValues):
        return values
    if isinstance(values, Spec):
        found = generate_spec(values, None if values.n else MOST).values
        values = [each[values.names[0]] for each in found] if len(values.names) == 1 else found
    elif isinstance(values, Suite):
        values = values.values
    elif isinstance(values, VALUES) or is_annotation(values):
        return values
    if isinstance(values, str | Mapping) or not isinstance(values, Iterable):
        raise ScopeError(f"literals of {name}: {values!r} is neither a list of values, a spec, a suite nor a type")
    listed = list(values)
    if not listed:
        raise ScopeError(f"literals of {name}: there are no values; give at least one")
    return OneOf(*listed)
