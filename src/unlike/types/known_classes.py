"""Classes that stand for others: known subclasses, what matches a Protocol; how a class without fields is made.

Which classes are known must not depend on what else a process has loaded: only those count that stand in the module of
the base itself, in a module whose classes are being read, or in one that such a module imports by itself.
"""

from __future__ import annotations

import inspect
import sys
import types
import typing
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from unlike.errors import SpecError
from unlike.foreign import package_of
from unlike.structure.shapes import Build
from unlike.types import tree
from unlike.types.as_annotated import NO_VALUES
from unlike.types.read import read_annotation, read_parameters
from unlike.types.records import declared_class
from unlike.types.resolve import names_of_function, resolve, signature_of, written_annotations

if TYPE_CHECKING:
    from collections.abc import Iterator

MADE_BY = (types.FunctionType, types.MethodType)
FROM_TEXT = ("from_string", "from_str", "from_text", "fromstring", "parse")
BY_PLACE = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
BY_NAME = (inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
VARIADIC = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
# functions that typing puts into every Protocol
NO_MEMBERS = ("__init__", "__subclasshook__", "__annotate__", "__annotate_func__")


def is_abstract(cls: type) -> bool:
    """Tell whether only subclasses of a class have objects."""
    return inspect.isabstract(cls) or bool(vars(cls).get("_is_protocol", False))


def concrete_subclasses(cls: type, near: Iterable[str]) -> list[type]:
    """Return the known subclasses that have objects: those that need the fewest arguments first, then by name."""
    modules = {cls.__module__, *(each for module in near for each in (module, *_imported_by(module)))}
    found: dict[type, tuple[bool, int, str, str]] = {}
    todo = [cls]
    for each in todo:  # grows while we walk
        below: list[type] = type.__subclasses__(each)
        for inner in below:
            if inner in found or inner in todo:
                continue
            todo.append(inner)
            if inner.__module__ in modules and not is_abstract(inner) and _is_importable(inner):
                private = inner.__name__.startswith("_")
                found[inner] = private, _count_needed(inner), inner.__module__, inner.__qualname__
    return sorted(found, key=found.__getitem__)


def matching_classes(protocol: type, near: Iterable[str]) -> list[type]:
    """Return the known classes that have all that a Protocol asks for, whatever they are derived from."""
    members = _protocol_members(protocol)
    if not members:
        return []
    modules = {protocol.__module__, *near}
    modules |= {each for module in tuple(modules) for each in _imported_by(module)}
    found: dict[type, tuple[bool, int, str, str]] = {}
    for module in sorted(each for each in modules if each in sys.modules):
        for each in list(vars(sys.modules[module]).values()):
            if not isinstance(each, type) or each in found or is_abstract(each) or each.__module__ not in modules:
                continue
            if _is_importable(each) and all(_has_member(each, *member) for member in members.items()):
                found[each] = each.__name__.startswith("_"), _count_needed(each), each.__module__, each.__qualname__
    return sorted(found, key=found.__getitem__)


def _protocol_members(cls: type) -> dict[str, object]:
    """Return what a Protocol asks for: methods with the function that describes each, others without."""
    if not vars(cls).get("_is_protocol"):
        return {}
    found: dict[str, object] = {}
    for each in cls.__mro__:
        if vars(each).get("_is_protocol") and each.__module__ not in ("typing", "typing_extensions"):
            found |= dict.fromkeys(written_annotations(each))
            for name, value in vars(each).items():
                if not name.startswith("_") or (isinstance(value, types.FunctionType) and name not in NO_MEMBERS):
                    found[name] = value
    return found


def _has_member(cls: type, name: str, described: object) -> bool:
    """Tell whether a class has a member of a Protocol: a method that can be called like it, or any attribute."""
    there = inspect.getattr_static(cls, name, None)
    if not isinstance(described, types.FunctionType):
        return there is not None or any(name in written_annotations(each) for each in cls.__mro__[:-1])
    if not isinstance(there, types.FunctionType):
        return False
    if inspect.iscoroutinefunction(there) != inspect.iscoroutinefunction(described):
        return False
    asked, offered = (list(signature_of(each).parameters.values()) for each in (described, there))
    if any(each.kind in VARIADIC for each in (*asked, *offered)):
        return True
    needed = [each for each in offered if each.default is each.empty]
    return len(needed) <= len(asked) <= len(offered)


def text_maker(cls: type) -> Callable[[str], object] | None:
    """Return the classmethod that makes an object of a text, as `from_string` and `parse` do; None if there is none."""
    for name in dict.fromkeys((*FROM_TEXT, *vars(cls))):
        if name.startswith("_") or not isinstance(inspect.getattr_static(cls, name, None), classmethod | staticmethod):
            continue
        method: Callable[[str], object] = getattr(cls, name)
        try:
            said = resolve(signature_of(method).return_annotation, names_of_function(method, cls))
            parameters = read_parameters(method, cls)
        except (TypeError, ValueError, SpecError):  # foreign: a signature that cannot be read
            continue
        first = parameters[0] if parameters else None
        if first is None or first.kind not in BY_PLACE or not all(each.is_optional for each in parameters[1:]):
            continue
        is_text = first.type == tree.PlainType(str) or (first.type == tree.AnyType() and name in FROM_TEXT)
        if is_text and (said in (cls, typing.Self) or (name in FROM_TEXT and said is inspect.Signature.empty)):
            return method
    return None


def called_type(cls: type) -> tree.UnreadableType | None:
    """Return the type of functions that a Protocol describes which has nothing but `__call__`; None for others."""
    call = vars(cls).get("__call__")
    others = [name for name in vars(cls) if not name.startswith("_")]
    if not vars(cls).get("_is_protocol") or not isinstance(call, types.FunctionType) or others:
        return None
    annotation = signature_of(call).return_annotation
    said = tree.AnyType("Any") if annotation is inspect.Signature.empty else annotation
    result = read_annotation(said, names_of_function(call, cls), cls)
    return tree.UnreadableType(cls.__name__, *NO_VALUES, "function", result)


def known_classes(node: tree.TypeNode, near: Iterable[str]) -> list[type]:
    """Return the class that a type names and its known subclasses; of anything, a few classes that all know."""
    match tree.bare_type(node):
        case tree.ClassType(cls) | tree.PlainType(cls) | tree.FlagType(cls) | tree.ListedType(cls=type() as cls):
            return [cls, *(concrete_subclasses(cls, near) if cls.__flags__ & HEAP_TYPE else ())]
        case tree.EitherType(alternatives):
            return list(dict.fromkeys(each for _, inner in alternatives for each in known_classes(inner, near)))
        case tree.VariableType(_, bound, among) if bound is not None or among:
            inside = [each for each in (*among, bound) if each is not None]
            return list(dict.fromkeys(each for inner in inside for each in known_classes(inner, near)))
        case tree.ListedType(word="bool"):
            return [bool]
    return [object, int, str]


def _imported_by(name: str) -> Iterator[str]:
    """Yield the modules that a module imports, or imports something from; not the parts of a package."""
    for each in list(vars(sys.modules.get(name, types)).values()) if name in sys.modules else ():
        if isinstance(each, types.ModuleType):
            if not each.__name__.startswith(f"{name}."):
                yield each.__name__
        elif isinstance(each, type | types.FunctionType):
            yield str(each.__module__)


def _is_importable(cls: type) -> bool:
    """Tell whether a class is found under its name: those made inside functions come and go."""
    found: object = sys.modules.get(cls.__module__)
    for part in cls.__qualname__.split("."):
        found = getattr(found, part, None)
    return found is cls


def _count_needed(cls: type) -> int:
    try:
        parameters = signature_of(cls).parameters.values()
    except (TypeError, ValueError):
        return 0
    named = [each for each in parameters if each.kind not in (each.VAR_POSITIONAL, each.VAR_KEYWORD)]
    return sum(each.default is each.empty for each in named)


def is_ordinary(cls: type) -> bool:
    """Tell whether code of its own makes the objects of a class, and no library that declares fields."""
    return bool(cls.__flags__ & HEAP_TYPE) and declared_class(cls) is None


def constructed_record(cls: type) -> tree.RecordType | None:
    """Return the parameters of a class's own constructor as its fields; nothing where they are not all annotated."""
    foreign_rules = package_of(cls) in ("pydantic", "pydantic_core", "pydantic_extra_types")
    if foreign_rules or not cls.__flags__ & HEAP_TYPE or not _has_own_constructor(cls):
        return None
    try:
        parameters = read_parameters(cls)
    except (TypeError, ValueError, SpecError):  # foreign: a signature that cannot be read
        return None
    fields, unread = [], []
    for each in parameters:
        optional = each.is_optional or each.kind in VARIADIC
        if each.kind in BY_NAME and each.type != tree.AnyType():
            fields.append(tree.FieldType(each.name, each.type, not optional))
        elif optional:
            unread.append(each.name)
        else:
            return None
    if not fields and unread and text_maker(cls) is not None:
        return None  # it says more of what it takes
    return tree.RecordType(tuple(fields), Build("call", cls), closed=True, unread=tuple(unread))


HEAP_TYPE = 1 << 9  # the flag of classes that were not written in C as a part of Python


def _has_own_constructor(cls: type) -> bool:
    """Tell whether code in Python makes the objects of a class; or nothing but `object`, and Python code is in it."""
    makers: tuple[object, object] = (cls.__init__, cls.__new__)  # type: ignore[misc]
    if any(isinstance(each, MADE_BY) for each in makers):
        return True
    plain = makers[0] is object.__init__ and makers[1] is object.__new__
    return plain and any(isinstance(each, types.FunctionType | property) for each in vars(cls).values())


def untaken_field(cls: type, record: tree.RecordType) -> str:
    """Return the field of a dataclass that the constructor, which somebody else wrote, does not take; usually none."""
    if "__dataclass_params__" not in vars(cls) or record.validates:
        return ""
    try:
        taken = signature_of(cls).parameters
    except (TypeError, ValueError):
        return ""
    if any(each.kind is each.VAR_KEYWORD for each in taken.values()):
        return ""
    return next((each.name for each in record.fields if (each.key or each.name) not in taken), "")
