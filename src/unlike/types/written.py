"""What an annotation is, as it was written: a type or a value, an alias, a word around a type, its name."""

from __future__ import annotations

import dataclasses
import re
import types
import typing

from unlike.structure.shapes import Described
from unlike.types.classes import class_name

WRAPPERS = {"Required", "NotRequired", "Final", "ClassVar", "ReadOnly"}


def is_annotation(thing: object) -> bool:
    """Tell whether something stands for a type: a class, list[int], a NewType; and not a value."""
    named = isinstance(thing, type | typing.NewType | typing.TypeVar) or is_alias(thing)
    return named or typing.get_origin(thing) is not None or thing is typing.Any


def is_alias(annotation: object) -> bool:
    """Tell whether an annotation is a `type` statement, or its twin from typing_extensions, which is another class."""
    return type(annotation).__name__ == "TypeAliasType" and hasattr(annotation, "__type_params__")


def wrapper_of(annotation: object) -> str | None:
    """Return the word around a type that says something of its place, not of its values, like Required or Final."""
    name = getattr(typing.get_origin(annotation), "_name", None)  # from typing, or from typing_extensions
    return name if name in WRAPPERS else None


def belongs_to_class(annotation: object) -> bool:
    """Tell whether an annotation, resolved or not, is of something that its objects do not hold: ClassVar, InitVar."""
    if annotation is dataclasses.KW_ONLY:
        return True
    text = annotation if isinstance(annotation, str) else str(annotation)
    named = re.match(r"(?:\w+\.)*(\w+)", text)
    return named is not None and named[1] in ("ClassVar", "InitVar", "KW_ONLY")


def says_no_places(annotation: object) -> bool:
    """Tell whether an annotation is the bare typing.Tuple: tuple[()] has no arguments either, and is empty."""
    return annotation is typing.Tuple  # noqa: UP006 - it is what somebody wrote


def type_parameters(cls: type) -> tuple[object, ...]:
    """Return the type variables of a class; those of types.GenericAlias are of its objects, and not its own."""
    found = getattr(cls, "__parameters__", ())
    return found if isinstance(found, tuple) else ()


def has_default(variable: object) -> bool:
    """Tell whether a type variable says what it means where no argument is given."""
    asked = getattr(variable, "has_default", None)
    return callable(asked) and bool(asked())


def what_is_unpacked(annotation: object) -> object | None:
    """Return what is unpacked in `*tuple[X, ...]`, Unpack[tuple[X, ...]] or `*Ts`; nothing for what is not."""
    if getattr(annotation, "__unpacked__", False):
        return annotation
    if typing.get_origin(annotation) is typing.Unpack:
        return typing.get_args(annotation)[0]  # type: ignore[no-any-return]
    return None


def written_name(annotation: object) -> str:
    """Return an annotation as one would write it, without module names and metadata."""
    if annotation is None or annotation is type(None):
        return "None"
    if isinstance(annotation, str | typing.ForwardRef):
        return getattr(annotation, "__forward_arg__", str(annotation))
    if isinstance(annotation, Described):
        return str(getattr(annotation, "name", annotation))
    origin, args = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is typing.Annotated:
        return written_name(args[0])
    if origin is typing.Literal:
        return f"Literal[{', '.join(map(repr, args))}]"
    if origin in (typing.Union, types.UnionType):
        return " | ".join(map(written_name, args))
    named = origin or annotation
    name = class_name(named) if isinstance(named, type) else getattr(named, "__name__", None) or repr(annotation)
    if not args:
        return str(name)
    return f"{name}[{', '.join('...' if each is ... else written_name(each) for each in args)}]"
