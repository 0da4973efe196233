"""From the annotation of a parameter to a value of the language.

Our own values stand for themselves, bare or inside `Annotated`; the built-in types stand for the bounded values of
the same name; any other type stands for the value that its fields and constraints make.
"""

from __future__ import annotations

import datetime
import enum
import types
import typing

from unlike.errors import SpecError
from unlike.language.values import Bool, Date, Int, List, OneOf, Option, Real, Record, Str, Time, Value

VALUES = (Bool, Int, Real, Str, OneOf, Option, List, Record, Date, Time)
_PLAIN: dict[object, Value] = {
    bool: Bool(),
    int: Int(),
    float: Real(),
    str: Str(),
    datetime.date: Date(),
    datetime.time: Time(),
}


def value_of_annotation(annotation: object, path: str) -> Value:
    """Return the value that an annotation stands for, or refuse it; `path` says where it is written."""
    if isinstance(annotation, VALUES):
        return annotation
    if _is_enum(annotation):
        return OneOf(annotation)
    if isinstance(annotation, typing.Hashable) and annotation in _PLAIN:
        return _PLAIN[annotation]
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is typing.Annotated:
        ours = [each for each in arguments[1:] if isinstance(each, VALUES)]
        if ours:
            return ours[-1]
    if origin is typing.Literal:
        return OneOf(*arguments)
    if origin is list and len(arguments) == 1:
        return List(value_of_annotation(arguments[0], f"{path}[]"))
    if origin in (typing.Union, types.UnionType) and type(None) in arguments and len(arguments) == 2:
        inner = next(each for each in arguments if each is not type(None))
        return Option(value_of_annotation(inner, path))
    from unlike.formats.python_types.values import value_of  # classes, constraints and the rest

    try:
        return value_of(annotation)
    except SpecError as error:
        raise SpecError(
            f"{path}: no inputs can be made for the annotation {annotation!r}: {error}; annotate it with a value like "
            "Int(0, 9) or Str(), or name it in blanks={…}"
        ) from None


def is_plain(annotation: object) -> bool:
    """Tell whether the annotation is a value, a built-in type or an Enum: what needs no reading of types."""
    if isinstance(annotation, VALUES) or _is_enum(annotation):
        return True
    return isinstance(annotation, typing.Hashable) and annotation in _PLAIN


def _is_enum(annotation: object) -> bool:
    """Tell whether the annotation is an Enum whose members are all its values; those of a Flag can be combined."""
    return isinstance(annotation, type) and issubclass(annotation, enum.Enum) and not issubclass(annotation, enum.Flag)
