"""Classes whose objects keep what they were given: no code of the user's runs when one is built, or a field is read.

Such an object is known to nobody but who it is passed to, and its fields hold what its constructor was given.
"""

from __future__ import annotations

import dataclasses
import inspect
import types
from abc import ABCMeta
from collections import namedtuple
from typing import Any, Literal, get_origin

from unlike.foreign import package_of

GENERATED = ("<string>", "<attrs generated")  # files of constructors that nobody wrote
METHODS = ("__getattribute__", "__getattr__", "__setattr__", "__init__", "__new__", "__post_init__")
OWN_OF_MODELS = ("model_post_init", "__get_pydantic_core_schema__", "model_validate", "__get_validators__")
NONE, UNKNOWN = object(), object()  # defaults: there is none; the field may hold what its annotation does not say


def kept_fields(target: type) -> dict[str, object] | None:
    """Return the fields of such a class, each with its default, NONE or UNKNOWN; nothing of another class."""
    if type(target) not in (type, ABCMeta) and not _is_model(target):
        return None
    for name in METHODS:
        if any(_is_written(vars(each).get(name)) for each in target.__mro__ if not _is_of_library(each)):
            return None
    own = _defaults_of(target)
    if own is None:
        return None
    return {name: value for name, value in own.items() if not _is_computed(inspect.getattr_static(target, name, 0))}


def _defaults_of(target: type) -> dict[str, object] | None:
    """Return the fields of a class with their defaults; nothing of classes that are not read."""
    if _is_model(target):
        return _fields_of_model(target)
    if dataclasses.is_dataclass(target):
        return {each.name: _default_of(each) for each in dataclasses.fields(target)}
    if issubclass(target, tuple) and hasattr(target, "_fields"):
        defaults = getattr(target, "_field_defaults", {})
        return {name: defaults.get(name, NONE) for name in target._fields}
    return None


def _default_of(each: dataclasses.Field[Any]) -> object:
    if each.default_factory is not dataclasses.MISSING or not each.init:
        return UNKNOWN
    return NONE if each.default is dataclasses.MISSING else each.default


def _is_model(target: type) -> bool:
    return hasattr(target, "__pydantic_decorators__") and hasattr(target, "model_fields")


def _fields_of_model(target: Any) -> dict[str, object] | None:
    """Return the fields of a pydantic model that takes values as they are; nothing if functions of its own see them."""
    decorators = target.__pydantic_decorators__
    functions = ("validators", "field_validators", "root_validators", "model_validators", "computed_fields")
    config = target.model_config
    changes = any(config.get(name) for name in ("str_strip_whitespace", "str_to_lower", "str_to_upper"))
    if changes or any(getattr(decorators, name, ()) for name in functions) or target.__pydantic_custom_init__:
        return None
    if any(name in vars(each) for each in target.__mro__ if not _is_of_library(each) for name in OWN_OF_MODELS):
        return None
    found: dict[str, object] = {}
    for name, info in target.model_fields.items():
        bounded = all(type(each).__module__ == "annotated_types" for each in info.metadata)
        plain = info.annotation in (int, str, bool) or get_origin(info.annotation) is Literal
        known = plain or (isinstance(info.annotation, type) and _is_model(info.annotation))
        is_kept = bounded and known and info.default_factory is None
        found[name] = UNKNOWN if not is_kept else NONE if info.is_required() else info.default
    return found


def _is_of_library(cls: type) -> bool:
    return cls in (object, tuple) or package_of(cls) in ("pydantic", "typing", "abc")


def _is_written(found: object) -> bool:
    """Tell whether somebody wrote a method: others are of C, or generated for the class."""
    return isinstance(found, types.FunctionType) and not found.__code__.co_filename.startswith(GENERATED)


def _is_computed(found: object) -> bool:
    """Tell whether what a class has under the name of a field is asked instead of what the object keeps."""
    return hasattr(type(found), "__get__") and not isinstance(found, KEEPING)


# what reads a slot of an object, or a place of a named tuple
KEEPING = (types.MemberDescriptorType, type(inspect.getattr_static(namedtuple("Single", "only"), "only")))
