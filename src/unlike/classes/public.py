"""Which members of a class its users call: methods, operators, attribute access; and those that nobody calls here."""

from __future__ import annotations

import builtins
import collections
import dis
import functools
import inspect
import itertools
import types
from collections.abc import Sequence

READING = ("__getitem__", "__contains__", "__len__", "__iter__", "__next__", "__reversed__", "__bool__", "__call__")
CHANGING = ("__setitem__", "__delitem__", "__enter__", "__exit__")
ARITHMETIC = tuple(
    f"__{sign}{name}__"
    for name in (
        *("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul"),
        *("and", "or", "xor", "lshift", "rshift"),
    )
    for sign in ("", "i")
)
ATTRIBUTES = ("__getattr__", "__getattribute__", "__setattr__", "__delattr__")
DUNDERS = frozenset((*READING, *CHANGING, *ARITHMETIC, "__neg__", "__pos__", "__invert__", *ATTRIBUTES))
# of the class or of making an object, not operations on one
OF_THE_CLASS = frozenset(
    f"__{name}__"
    for name in (
        *("init", "new", "post_init", "attrs_post_init", "attrs_pre_init", "attrs_init", "init_subclass", "del"),
        *("class_getitem", "subclasshook", "set_name", "prepare", "instancecheck", "subclasscheck", "annotate"),
    )
)
STORES = ("STORE_ATTR", "DELETE_ATTR", "STORE_SUBSCR", "DELETE_SUBSCR")
READERS = frozenset(  # methods that change nothing, of builtins and of whoever calls his the same
    name for kind in (str, bytes, int, float, tuple, frozenset) for name in dir(kind) if not name.startswith("_")
) | {"copy", "get", "items", "keys", "values"}
GENERATED = ("<string>", "<attrs generated", "<unknown>")  # where methods stand that dataclasses and attrs write


def members_of(cls: type) -> list[tuple[str, object]]:
    """Return the members of the class as they are defined, inherited ones last, without those of `object`."""
    return [(name, member) for name, (_, member) in _members(cls).items() if member is not None]


def _members(cls: type) -> dict[str, tuple[type, object]]:
    """Return by name where each member is defined, and the member."""
    found: dict[str, tuple[type, object]] = {}
    for each in cls.__mro__[:-1]:
        for name, member in vars(each).items():
            found.setdefault(name, (each, member))
    return found


def as_method(cls: type, name: str, member: object) -> object:
    """Return a member that is called on objects, or what one becomes that makes a method (as `partialmethod` does)."""
    kind = type(member)
    if isinstance(member, (classmethod, staticmethod, type)):
        return None
    if callable(member) or not hasattr(kind, "__get__") or hasattr(kind, "__set__"):
        return member if callable(member) else None
    try:
        found = getattr(cls, name, None)
    except Exception:  # a descriptor of the user's may do anything
        return None
    return found if found is not member and callable(found) else None


def is_public(name: str) -> bool:
    """Tell whether users of a class call a method of this name."""
    return name in DUNDERS or not name.startswith("_")


def is_called(cls: type, name: str) -> bool:
    """Tell whether a public member is called: attribute access where the class itself says what it means."""
    return name not in ATTRIBUTES or not _is_plain(*_members(cls)[name])


def list_uncalled(classes: Sequence[type]) -> tuple[str, ...]:
    """Return the operations of the classes that nobody calls here: `Money.__eq__`, `Money.__hash__`.

    Those of builtins, and those that dataclasses and attrs write, do nothing but read.
    """
    found = []
    for cls in classes:
        for name, (owner, member) in _members(cls).items():
            if name in OF_THE_CLASS or name in DUNDERS or member is None or _is_plain(owner, member):
                continue
            is_dunder = name.startswith("__") and name.endswith("__") and callable(member)
            # a member that makes a method when it is asked for: functools.partialmethod, singledispatchmethod
            makes_method = not name.startswith("_") and not callable(member) and _makes_method(cls, name, member)
            if (is_dunder and not isinstance(member, type)) or makes_method:
                found.append(f"{cls.__name__}.{name}")
    return tuple(dict.fromkeys(found))


def _is_plain(owner: type, member: object) -> bool:
    """Tell whether it is known that a member only reads or only refuses: of a builtin, or written by a library."""
    if owner.__module__ == "builtins":
        return True
    if not isinstance(member, types.FunctionType):
        return False
    file = inspect.unwrap(member).__code__.co_filename
    if "__dataclass_fields__" in vars(owner) or "__attrs_attrs__" in vars(owner):
        return file.startswith(GENERATED) or member.__module__ == "attr._make"
    is_named_tuple = issubclass(owner, tuple) and hasattr(owner, "_fields")
    return is_named_tuple and file in ("<string>", collections.__file__)


def _makes_method(cls: type, name: str, member: object) -> bool:
    known = property, classmethod, staticmethod
    if isinstance(member, known) or inspect.isdatadescriptor(member) or not hasattr(type(member), "__get__"):
        return False
    return not isinstance(member, functools.cached_property) and callable(getattr(cls, name, None))


def makes_sets(cls: type) -> bool:
    """Tell whether a method of the class makes a set: one of texts goes in another order in each run."""
    functions = [member for _, member in members_of(cls) if isinstance(member, types.FunctionType)]
    return any(_makes_set(inspect.unwrap(each).__code__) for each in functions)


def _makes_set(code: types.CodeType, *, but_empty: bool = False) -> bool:
    found = [each for each in dis.get_instructions(code) if each.opname not in ("CACHE", "PRECALL", "PUSH_NULL")]
    for each, after in itertools.zip_longest(found, found[1:]):
        is_empty = but_empty and after is not None and after.opname.startswith("CALL") and after.arg == 0
        is_made = each.opname == "LOAD_GLOBAL" and each.argval in ("set", "frozenset") and not is_empty
        if each.opname == "BUILD_SET" or is_made:
            return True
    return any(_makes_set(each, but_empty=but_empty) for each in code.co_consts if isinstance(each, types.CodeType))


def may_copy_sets(cls: type) -> bool:
    """Tell whether a method of the class may make a set of another: the constructor may begin with empty ones."""
    functions = [member for _, member in members_of(cls) if isinstance(member, types.FunctionType)]
    codes = [inspect.unwrap(each).__code__ for each in functions]
    return any(_makes_set(each, but_empty=each.co_name == "__init__") for each in codes)


def may_change(getter: object) -> bool:
    """Tell whether asking for a property may change the object: its code assigns, or calls what may do so."""
    code = getattr(inspect.unwrap(getter) if callable(getter) else getter, "__code__", None)
    return isinstance(code, types.CodeType) and _writes(code)


def _writes(code: types.CodeType) -> bool:
    for each in dis.get_instructions(code):
        called = each.opname == "LOAD_METHOD" or "NULL" in each.argrepr  # what is loaded so is called next
        known = READERS if each.opname in ("LOAD_METHOD", "LOAD_ATTR") else vars(builtins)
        if each.opname in STORES or (called and isinstance(each.argval, str) and each.argval not in known):
            return True
    return any(_writes(each) for each in code.co_consts if isinstance(each, types.CodeType))
