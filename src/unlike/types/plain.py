"""Annotations that need no reading of types: values of the language, and built-in types that stand for one."""

from __future__ import annotations

import datetime
import enum
import typing

from unlike.language.values import VALUES, Bool, Date, Int, OneOf, Real, Str, Time, Value

_PLAIN: dict[object, Value] = {
    bool: Bool(),
    int: Int(),
    float: Real(),
    str: Str(),
    datetime.date: Date(),
    datetime.time: Time(),
}


def plain_value(annotation: object) -> Value | None:
    """Return the value that a plain annotation stands for; nothing for one that has to be read as a type."""
    if isinstance(annotation, VALUES):
        return annotation
    if isinstance(annotation, type) and issubclass(annotation, enum.Enum) and not issubclass(annotation, enum.Flag):
        return OneOf(annotation)  # members of a Flag can be combined
    try:
        return _PLAIN.get(annotation)
    except TypeError:  # what cannot be hashed, or holds metadata that cannot
        return None


def is_plain(annotation: object) -> bool:
    """Tell whether the annotation is a value, a built-in type or an Enum: what needs no reading of types."""
    return plain_value(annotation) is not None


def without_arguments(annotation: object) -> object:
    """Return the class of an annotation, without the types it is given as arguments: Box of Box[int]."""
    return typing.get_origin(annotation) or annotation
