"""From a plain value to the Python object, to the recipe that makes it, and to bare data."""

from __future__ import annotations

import dataclasses
import inspect
import itertools
import sys
import types
from typing import Any

from unlike.errors import with_article
from unlike.foreign import EndedError, describe_error, foreign
from unlike.recipe import CONTAINERS, Argument, Call, Given, Items as Display, Name, Ref, Step, name_or_given, quote
from unlike.structure import shapes

CALLED = ("call", "in order", "validate")  # how objects are built where the code of a class runs


class RefusedError(Exception):
    """A value that a check or a constructor does not accept, and who refused it.

    Where the class says which of its fields are wrong, they are `blamed`; the object stands at `place` in the whole.
    """

    def __init__(self, words: str, blamed: frozenset[str] = frozenset(), *, by_class: bool = False) -> None:
        super().__init__(words)
        self.blamed = blamed
        self.by_class = by_class
        self.place: shapes.Path = ()


def build_object(shape: shapes.Shape, plain: object) -> object:
    """Return a fresh object; what a check or constructor does not accept raises RefusedError."""
    return _build(shape, plain, bare=False)


def data(shape: shapes.Shape, plain: object) -> object:
    """Return bare data: dicts for objects, lists for items, leaves as they are."""
    return _build(shape, plain, bare=True)


def _build(shape: shapes.Shape, plain: object, *, bare: bool) -> object:
    match shape:
        case shapes.Checked(inner, checks):
            value = _build(inner, plain, bare=bare)
            if not bare and (reason := shapes.first_failed(checks, value)) is not None:
                raise RefusedError(reason)
            return value
        case _ if isinstance(plain, shapes.Bare):
            return plain.value
        case shapes.Choice(alternatives):
            assert isinstance(plain, shapes.Picked)
            return _build(alternatives[plain.which][1], plain.plain, bare=bare)
        case shapes.ItemsShape(item, kind=kind):
            try:
                items = [_build(item, each, bare=bare) for each in plain]  # type: ignore[attr-defined]
            except RefusedError as refused:
                refused.place = (shapes.EACH, *refused.place)
                raise
            try:
                return CONTAINERS[kind](items)
            except TypeError as error:  # what is not hashable
                if bare:
                    return items
                raise RefusedError(f"{with_article(kind)} cannot hold them: {error}") from None
        case shapes.NamedFields(fields, made):
            assert isinstance(plain, dict)
            parts = [(each, _build_field(each, plain, bare=bare)) for each in fields if each.name in plain]
            if made.kind in ("object", "array"):
                return spread_fields(made.kind, parts)
            return assemble(made, parts, bare=bare)
    return plain


def _build_field(field: shapes.Field, plain: dict[str, object], *, bare: bool) -> object:
    try:
        return _build(field.shape, plain[field.name], bare=bare)
    except RefusedError as refused:
        refused.place = (field.name, *refused.place)
        raise


def spread_fields(kind: str, parts: list[tuple[shapes.Field, object]]) -> object:
    """Return an object or an array of fields, with the entries of those that are spread in their place."""
    if kind == "array":
        items: list[object] = []
        for field, value in parts:
            items += value if field.key == shapes.SPREAD and isinstance(value, list) else [value]
        return items
    found: dict[object, object] = {}
    for field, value in parts:
        found |= value if field.key == shapes.SPREAD and isinstance(value, dict) else {field.given_by: value}
    return found


def assemble(made: shapes.Build, fields: list[tuple[shapes.Field, object]], *, bare: bool = False) -> object:
    """Return the object of its fields; what its constructor does not accept raises RefusedError."""
    parts = {each.given_by: part for each, part in fields}
    if made.kind in ("tuple", "pair"):
        return tuple(parts.values())
    if bare or made.kind == "dict":
        return parts
    try:
        if made.kind == "call":
            return foreign(made.target, **parts)  # type: ignore[arg-type]
        if made.kind == "in order":
            return foreign(made.target, *parts.values())  # type: ignore[arg-type]
        return foreign(made.target.model_validate, parts)  # type: ignore[attr-defined]
    except EndedError as ended:
        raise type(ended)(f"{_name_of(made.target)}: {ended}") from None
    except (KeyboardInterrupt, GeneratorExit):
        raise
    except BaseException as error:  # foreign code: a constructor may refuse in any way
        wrong = _find_wrong(error)
        blamed = frozenset(each.name for each, _ in fields if each.given_by in wrong)
        words = f"{_name_of(made.target)} refuses: {describe_error(error)}"
        raise RefusedError(words, blamed, by_class=True) from None


def _find_wrong(error: BaseException) -> set[object]:
    """Return which arguments a pydantic class says are wrong; nothing if it says that of none, or of the whole."""
    if type(error).__module__ != "pydantic_core._pydantic_core" or type(error).__name__ != "ValidationError":
        return set()
    places = [each["loc"] for each in error.errors(include_url=False, include_context=False, include_input=False)]  # type: ignore[attr-defined]
    return {place[0] for place in places} if all(places) else set()


def _name_of(target: object) -> str:
    if isinstance(target, types.MethodType):
        return f"{_name_of(target.__self__)}.{target.__name__}"
    return str(getattr(target, "__name__", repr(target)))


def quote_plain(shape: shapes.Shape, plain: object, steps: list[Step]) -> Argument:
    """Return the recipe argument that stands for a plain value, adding the steps that build it."""
    match shape:
        case shapes.Checked(inner):
            return quote_plain(inner, plain, steps)
        case _ if isinstance(plain, shapes.Bare):
            return quote(plain.value, steps)
        case shapes.Choice(alternatives):
            assert isinstance(plain, shapes.Picked)
            return quote_plain(alternatives[plain.which][1], plain.plain, steps)
        case shapes.ItemsShape(item, kind="dict"):
            pairs = [quote_plain(item, each, steps) for each in plain]  # type: ignore[attr-defined]
            return Display("dict", tuple(part for pair in pairs if isinstance(pair, Display) for part in pair.items))
        case shapes.ItemsShape(item, kind=kind):
            return Display(kind, tuple(quote_plain(item, each, steps) for each in plain))  # type: ignore[attr-defined]
        case shapes.NamedFields(fields, shapes.Build("object" | "array" as kind)):
            assert isinstance(plain, dict)
            items: list[Argument] = []
            for each in (each for each in fields if each.name in plain):
                part = quote_plain(each.shape, plain[each.name], steps)
                if each.key == shapes.SPREAD and isinstance(part, Display):
                    items += part.items
                else:
                    items += [each.given_by, part] if kind == "object" else [part]
            return Display("dict" if kind == "object" else "list", tuple(items))
        case shapes.NamedFields(fields, made):
            assert isinstance(plain, dict)
            parts = [
                (each.given_by, quote_plain(each.shape, plain[each.name], steps))
                for each in fields
                if each.name in plain
            ]
            return _quoted_parts(made, parts, steps)
    return quote(plain, steps)


def _quoted_parts(made: shapes.Build, parts: list[tuple[str, Argument]], steps: list[Step]) -> Argument:
    if made.kind in ("tuple", "pair"):
        return Display("tuple", tuple([part for _, part in parts]))
    if made.kind == "call":
        steps.append(Call(importable(made.target), (), tuple(parts)))
        return Ref(len(steps) - 1)
    if made.kind == "in order":
        steps.append(Call(importable(made.target), tuple(part for _, part in parts)))
        return Ref(len(steps) - 1)
    flat = Display("dict", tuple(itertools.chain.from_iterable(parts)))
    if made.kind == "dict":
        return flat
    steps.append(Call(importable(made.target.model_validate), (flat,)))  # type: ignore[attr-defined]
    return Ref(len(steps) - 1)


def importable(cls: object) -> Name | Given:
    """Return the name of a class or function if it leads back to it; one made at run time can only be handed on."""
    if isinstance(cls, types.MethodType) and isinstance(cls.__self__, type):  # a classmethod, perhaps inherited
        owner = importable(cls.__self__)
        return Name(owner.module, f"{owner.qualname}.{cls.__name__}") if isinstance(owner, Name) else Given(cls)
    name = name_or_given(cls)
    if isinstance(name, Given):
        return name
    found: object = sys.modules.get(name.module)
    for part in name.qualname.split("."):
        found = getattr(found, part, None)
    return name if found is cls else Given(cls)


def runs_foreign_code(shape: shapes.Shape) -> bool:
    """Tell whether building values of the shape may run code of the user's: constructors, validators, checks."""
    return any(
        isinstance(each, shapes.Checked)
        or (isinstance(each, shapes.NamedFields) and each.build.kind in CALLED and not _is_mere_data(each.build.target))
        for each in shapes.every(shape)
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


def known_in(shape: shapes.Shape) -> list[object]:
    """Return the objects in a shape that stay themselves in another process: constants, functions, classes."""
    found: list[object] = []
    for each in shapes.every(shape):
        match each:
            case shapes.Constants(values):
                found += values
            case shapes.Checked(_, checks):
                found += [check.function for check in checks]
            case shapes.NamedFields(_, made):
                found.append(made.target)
    return found
