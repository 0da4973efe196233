"""From a plain value to the Python object, to the recipe that makes it, and to bare data."""

from __future__ import annotations

import dataclasses
import inspect
import sys
import types
from collections.abc import Callable
from typing import Any

from unlike.foreign import EndedError, foreign
from unlike.recipe import Argument, Call, Given, Name, Ref, Step, name_or_given, quote
from unlike.recipe import Items as Display
from unlike.structure.shapes import (
    SPREAD,
    Bare,
    Build,
    Checked,
    Choice,
    Constants,
    Field,
    ItemsShape,
    NamedFields,
    Picked,
    Shape,
    every,
    first_failed,
)

CONTAINERS: dict[str, Callable[..., object]] = {
    "list": list,
    "tuple": tuple,
    "set": set,
    "frozenset": frozenset,
    "dict": dict,
}


class RefusedError(Exception):
    """A value that a check or a constructor does not accept, and who refused it."""


def built(shape: Shape, plain: object) -> object:
    """Return a fresh object; what a check or constructor does not accept raises RefusedError."""
    match shape:
        case Checked(inner, checks):
            value = built(inner, plain)
            reason = first_failed(checks, value)
            if reason is not None:
                raise RefusedError(reason)
            return value
        case _ if isinstance(plain, Bare):
            return plain.value
        case Choice(alternatives):
            assert isinstance(plain, Picked)
            return built(alternatives[plain.which][1], plain.plain)
        case ItemsShape(item, kind=kind):
            items = [built(item, each) for each in plain]  # type: ignore[attr-defined]
            try:
                return CONTAINERS[kind](items)
            except TypeError as error:  # what is not hashable
                raise RefusedError(f"a {kind} cannot hold them: {error}") from None
        case NamedFields(fields, Build("object" | "array" as kind)):
            assert isinstance(plain, dict)
            return spread(kind, [(each, built(each.shape, plain[each.name])) for each in fields if each.name in plain])
        case NamedFields(fields, made):
            assert isinstance(plain, dict)
            parts = {each.given_by: built(each.shape, plain[each.name]) for each in fields if each.name in plain}
            return _assembled(made, parts)
    return plain


def spread(kind: str, parts: list[tuple[Field, object]]) -> object:
    """Return an object or an array of fields, with the entries of those that are spread in their place."""
    if kind == "array":
        items: list[object] = []
        for field, value in parts:
            items += value if field.key == SPREAD and isinstance(value, list) else [value]
        return items
    found: dict[object, object] = {}
    for field, value in parts:
        found |= value if field.key == SPREAD and isinstance(value, dict) else {field.given_by: value}
    return found


def _assembled(made: Build, parts: dict[str, object]) -> object:
    match made.kind:
        case "dict":
            return parts
        case "tuple" | "pair":
            return tuple(parts.values())
    try:
        if made.kind == "call":
            return foreign(made.target, **parts)  # type: ignore[arg-type]
        return foreign(made.target.model_validate, parts)  # type: ignore[attr-defined]
    except EndedError as ended:
        raise type(ended)(f"{_named(made.target)}: {ended}") from None
    except (KeyboardInterrupt, GeneratorExit):
        raise
    except BaseException as error:  # foreign code: a constructor may refuse in any way
        raise RefusedError(f"{_named(made.target)} refuses: {_short(error)}") from None


def _named(target: object) -> str:
    return str(getattr(target, "__name__", repr(target)))


def _short(error: BaseException) -> str:
    said = error.args[0] if error.args and isinstance(error.args[0], str) else str(error)
    if callable(report := getattr(error, "errors", None)):  # pydantic: a report of several errors
        said = next((str(each.get("msg")) for each in report() if isinstance(each, dict)), said)
    text = next(iter(said.splitlines()), "")
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def quoted(shape: Shape, plain: object, steps: list[Step]) -> Argument:
    """Return the recipe argument that stands for a plain value, adding the steps that build it."""
    match shape:
        case Checked(inner):
            return quoted(inner, plain, steps)
        case _ if isinstance(plain, Bare):
            return quote(plain.value, steps)
        case Choice(alternatives):
            assert isinstance(plain, Picked)
            return quoted(alternatives[plain.which][1], plain.plain, steps)
        case ItemsShape(item, kind="dict"):
            pairs = [quoted(item, each, steps) for each in plain]  # type: ignore[attr-defined]
            return Display("dict", tuple(part for pair in pairs if isinstance(pair, Display) for part in pair.items))
        case ItemsShape(item, kind=kind):
            return Display(kind, tuple(quoted(item, each, steps) for each in plain))  # type: ignore[attr-defined]
        case NamedFields(fields, Build("object" | "array" as kind)):
            assert isinstance(plain, dict)
            items: list[Argument] = []
            for each in (each for each in fields if each.name in plain):
                part = quoted(each.shape, plain[each.name], steps)
                if each.key == SPREAD and isinstance(part, Display):
                    items += part.items
                else:
                    items += [each.given_by, part] if kind == "object" else [part]
            return Display("dict" if kind == "object" else "list", tuple(items))
        case NamedFields(fields, made):
            assert isinstance(plain, dict)
            parts = [
                (each.given_by, quoted(each.shape, plain[each.name], steps)) for each in fields if each.name in plain
            ]
            return _quoted_parts(made, parts, steps)
    return quote(plain, steps)


def _quoted_parts(made: Build, parts: list[tuple[str, Argument]], steps: list[Step]) -> Argument:
    flat = Display("dict", tuple(part for pair in parts for part in pair))
    match made.kind:
        case "dict":
            return flat
        case "tuple" | "pair":
            return Display("tuple", tuple(part for _, part in parts))
        case "call":
            steps.append(Call(_importable(made.target), (), tuple(parts)))
        case "validate":
            steps.append(Call(_validator(made.target), (flat,)))
    return Ref(len(steps) - 1)


def _importable(cls: object) -> Name | Given:
    """Return the name of a class if it leads back to the class; one made at run time can only be handed on."""
    name = name_or_given(cls)
    if isinstance(name, Given):
        return name
    found: object = sys.modules.get(name.module)
    for part in name.qualname.split("."):
        found = getattr(found, part, None)
    return name if found is cls else Given(cls)


def collected(kind: str, items: list[object]) -> object:
    """Return items in their container; where objects have become dicts, which a set cannot hold, as a list."""
    try:
        return CONTAINERS[kind](items)
    except TypeError:
        return items


def _validator(model: object) -> Name | Given:
    name = _importable(model)
    if isinstance(name, Name):
        return Name(name.module, f"{name.qualname}.model_validate")
    return Given(model.model_validate)  # type: ignore[attr-defined]


def data(shape: Shape, plain: object) -> object:
    """Return bare data: dicts for objects, lists for items, leaves as they are."""
    match shape:
        case Checked(inner):
            return data(inner, plain)
        case _ if isinstance(plain, Bare):
            return plain.value
        case Choice(alternatives):
            assert isinstance(plain, Picked)
            return data(alternatives[plain.which][1], plain.plain)
        case ItemsShape(item, kind=kind):
            return collected(kind, [data(item, each) for each in plain])  # type: ignore[attr-defined]
        case NamedFields(fields, Build("object" | "array" as made_kind)):
            assert isinstance(plain, dict)
            given = [(each, data(each.shape, plain[each.name])) for each in fields if each.name in plain]
            return spread(made_kind, given)
        case NamedFields(fields, made):
            assert isinstance(plain, dict)
            parts = {each.given_by: data(each.shape, plain[each.name]) for each in fields if each.name in plain}
            return tuple(parts.values()) if made.kind in ("tuple", "pair") else parts
    return plain


def runs_foreign_code(shape: Shape) -> bool:
    """Tell whether building values of the shape may run code of the user's: constructors, validators, checks."""
    return any(
        isinstance(each, Checked)
        or (
            isinstance(each, NamedFields)
            and each.build.kind in ("call", "validate")
            and not _is_mere_data(each.build.target)
        )
        for each in every(shape)
    )


def _is_mere_data(cls: Any) -> bool:
    """Tell whether making an instance only stores its fields: a dataclass that defines nothing of its own."""
    params: Any = vars(cls).get("__dataclass_params__") if isinstance(cls, type) else None
    code = getattr(vars(cls).get("__init__"), "__code__", None) if params is not None else None
    if code is None or code.co_filename != "<string>":  # where `dataclass` writes constructors, unless there is one
        return False
    if hasattr(cls, "__post_init__") or hasattr(cls, "__del__") or cls.__new__ is not object.__new__:
        return False
    if type(cls).__call__ is not type.__call__ or not (params.frozen or cls.__setattr__ is object.__setattr__):
        return False
    return all(_is_merely_stored(cls, field) for field in dataclasses.fields(cls))


def _is_merely_stored(cls: type, field: dataclasses.Field[Any]) -> bool:
    """Tell whether no code of the user's makes the field's default, or runs when it is set."""
    factory, there = field.default_factory, inspect.getattr_static(cls, field.name, None)
    if factory is not dataclasses.MISSING and getattr(factory, "__module__", None) != "builtins":
        return False
    return isinstance(there, types.MemberDescriptorType) or not hasattr(type(there), "__set__")


def known_in(shape: Shape) -> list[object]:
    """Return the objects in a shape that stay themselves in another process: constants, functions, classes."""
    found: list[object] = []
    for each in every(shape):
        match each:
            case Constants(values):
                found += values
            case Checked(_, checks):
                found += [check.function for check in checks]
            case NamedFields(_, made):
                found.append(made.target)
    return found
