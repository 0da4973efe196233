"""`literals={"int": "source"}`: what source mentions becomes extra values of what it flows into, by name and by type.

The source is that of the code under test, where it is named, else that of the classes of the type: their validators
and methods. It is never guessed from imports.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from types import FunctionType
from typing import Any

from unlike.errors import ScopeError, SpecError
from unlike.observe.mentions import mentions_of
from unlike.structure.shapes import NamedFields, every
from unlike.types.choices import read_type
from unlike.types.given import SourceValues

SOURCE = "source"
Literals = Mapping[Any, object] | None


def with_source(
    literals: Literals, space: object, code: Sequence[Callable[..., Any]] = (), within: Sequence[str] | None = None
) -> Literals:
    """Return literals in which the word `source` is what it stands for."""
    asked = [key for key, values in (literals or {}).items() if isinstance(values, str) and values == SOURCE]
    if not asked or literals is None:
        return literals
    owners = [*code] or [*_owners_in(space)]
    if not owners:
        raise ScopeError(f"literals of {asked[0]}: {space!r} has no source; name the code under test: code=… (--code)")
    found = SourceValues.of(mentions_of(owners, within, own_only=not code))
    return {**literals, **dict.fromkeys(asked, found)}


def without_source(literals: Literals) -> Literals:
    """Return literals without those that come from the source."""
    return {key: values for key, values in (literals or {}).items() if values != SOURCE} or None


def _owners_in(space: object) -> Iterator[Callable[..., Any]]:
    """Yield the classes that a type is made of, and the functions in them that decorators hide."""
    try:
        shape = read_type(space).shape
    except SpecError:  # whoever makes values says so again
        return
    targets = [each.build.target for each in every(shape) if isinstance(each, NamedFields)]
    for cls in dict.fromkeys(each for each in targets if isinstance(each, type)):
        yield cls
        for each in vars(cls).values():
            inner = getattr(each, "__func__", None)
            if isinstance(inner, FunctionType):
                yield inner
