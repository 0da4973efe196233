"""Which source a test has: its blanks, the suite that it is provided with, or one beside the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from unlike.errors import SpecError
from unlike.testing.decorators import Asked, Provided, annotation_of, spec_of, written_for
from unlike.testing.encode import Encoders
from unlike.testing.sources.base import RowSource
from unlike.testing.sources.spec import SpecSource
from unlike.testing.sources.suites import SideBySide, SuiteSource
from unlike.types.resolve import plain_value, without_arguments


def source_for(
    function: Callable[..., object], asked: Asked, *, open_names: Sequence[str], encoders: Encoders
) -> RowSource:
    """Return the source of a test: its blanks, the suite it is provided with, or both side by side."""
    known = dict(encoders) | dict(asked.encoders)
    if asked.invalid or _is_typed(function, asked, open_names):
        from unlike.testing.sources.typed import invalid_inputs, typed_source

        annotations = written_for(function, asked, open_names)
        if asked.invalid:
            return SuiteSource(invalid_inputs(annotations, asked))
        return typed_source(annotations, asked, known)
    if asked.provided is None:
        return SpecSource(spec_of(function, asked, open_names=open_names), asked.seed, known)
    filled = _parameter_to_fill(function, asked.provided, open_names)
    provided = SuiteSource(replace(_fitting(function, asked.provided, filled), parameter=filled))
    beside = [name for name in open_names if name != filled]
    if not beside:
        return provided
    return SideBySide(provided, SpecSource(spec_of(function, asked, open_names=beside), asked.seed, known))


def _is_typed(function: Callable[..., object], asked: Asked, names: Sequence[str]) -> bool:
    """Tell whether a parameter is of a type that the term language has no value for."""
    if asked.spec is not None or asked.provided is not None:
        return False
    written = [each for each in written_for(function, asked, names).values() if plain_value(each) is None]
    if not written:
        return False
    from unlike.testing.sources.typed import is_typed  # types are read only for those who use them

    return any(map(is_typed, written))


def _parameter_to_fill(function: Callable[..., object], provided: Provided, open_names: Sequence[str]) -> str:
    """Return the parameter that a suite fills: as said, as annotated, or the first one that is open."""
    if provided.parameter is not None:
        return provided.parameter
    annotated = [name for name in open_names if _class_of(function, name) in provided.classes]
    shown = getattr(function, "__qualname__", function)
    if len(annotated) > 1:
        raise SpecError(
            f"{shown}: objects fill one parameter, and {' and '.join(annotated)} are annotated with their classes; "
            f"give one of them by a fixture, or write a class whose constructor takes both and ask for its objects"
        )
    if not annotated and not open_names:
        raise SpecError(f"{shown} has no parameter to fill; give it one")
    return (annotated or list(open_names))[0]


def _fitting(function: Callable[..., object], provided: Provided, filled: str) -> Provided:
    """Return the objects that a parameter takes: those of the class it is annotated with, where there are several."""
    cls = _class_of(function, filled) if len(provided.classes) > 1 and provided.narrowed is not None else None
    if not isinstance(cls, type) or cls not in provided.classes:
        return provided
    assert provided.narrowed is not None
    return replace(provided.narrowed(cls), classes=provided.classes)


def _class_of(function: Callable[..., object], name: str) -> object:
    """Return the annotation of a parameter without its type arguments."""
    return without_arguments(annotation_of(function, name))
