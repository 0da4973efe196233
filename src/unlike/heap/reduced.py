"""The layout of an object in C that nobody knows: how it would be made again, what it yields, its bytes or its text."""

from __future__ import annotations

import contextlib
import io
import re
import sys
import types
import warnings
from typing import Any

from unlike.foreign import module_of, package_of
from unlike.heap.fields import Values
from unlike.heap.layout import CANNOT_BE_SEEN, Node, OpaqueError

PLAIN = frozenset({type(None), bool, int, str, bytes})
WARNS = sys.version_info[:2] > (3, 11)  # iterators that will lose `__reduce__`
MOST_KNOWN = 1_000  # values that are handed out again
ADDRESS = re.compile(r"\b0x[0-9a-fA-F]{6,}")


def opaque(cls: type, why: str) -> OpaqueError:
    """Return the refusal of an object whose state cannot be seen."""
    name = f"{module_of(cls)}:{cls.__qualname__}".removeprefix(":")
    return OpaqueError(
        f"the state of {name} {CANNOT_BE_SEEN} ({why}); omit the field that holds it (--omit-fields), "
        f"or say what makes two of them different: keys={{{cls.__name__}: function}}"
    )


class Packed(tuple[Any, ...]):
    """A tuple that an object in C hands out to be made again: its length is the object's own affair."""

    __slots__ = ()
    _fields = ()  # as of a named tuple: its length is not bounded


def _pack(value: Any) -> Any:
    return Packed(map(_pack, value)) if type(value) is tuple else value


def _unpack(value: Any) -> Any:
    return tuple(map(_unpack, value)) if type(value) is Packed else value


CLOSED, REDUCED, YIELDED, BYTES, DIGEST, TEXT, ATTRIBUTES = range(7)  # how an object in C shows its state
SHOWN = {
    REDUCED: "what its __reduce__ tells",
    YIELDED: "what it yields",
    BYTES: "its bytes",
    DIGEST: "its digest",
    TEXT: "its text",
    ATTRIBUTES: "the attributes that it shows",
}


class ReducedNode(Node):
    """An object in C that tells through `__reduce_ex__` how it would be made again, or shows what it holds.

    Values: how it shows its state; then the maker, its arguments, the state, the items and pairs to add, and how many
    elements there are. Or what it yields, from which it is made again; or its bytes, digest or text, to compare only.
    """

    needs_parts = True
    restorable = False
    is_container = True

    def __init__(self, cls: type) -> None:
        super().__init__(cls)
        self.is_mapping = hasattr(cls, "keys") and hasattr(cls, "items")
        self.yields = hasattr(cls, "__len__") and hasattr(cls, "__iter__")
        self.quiet = self.made_early = _is_of_python(cls)
        self.attributes = () if hasattr(cls, "__next__") or hasattr(cls, "__await__") else _shown_attributes(cls)
        self.known: dict[Any, Packed] = {}  # so that what is the same again is seen to be

    def content_start(self, values: Values) -> int:
        """Return where elements would start if they stood at the end: so many are counted."""
        match values[0]:
            case form if form == REDUCED:
                return len(values) - int(values[-1])
            case form if form == YIELDED:
                return len(values) - (len(values) - 1) // (2 if self.is_mapping else 1)
        return len(values)

    def read(self, thing: Any) -> Values:
        if isinstance(thing, io.IOBase) and thing.closed:
            return [CLOSED]
        try:
            reduced = _reduce(thing)
        except Exception as error:  # whatever a foreign `__reduce__` raises
            return self._look_at(thing, f"it cannot be reduced: {error}")
        if isinstance(reduced, str):
            return self._look_at(thing, f"it reduces to the global name {reduced!r}")
        maker, args, state, items, pairs = (*reduced, None, None, None)[:5]
        if args == (self.cls,) and state is None and not items and not pairs and not _tells_state(self.cls):
            return self._look_at(thing, "nothing of it can be seen")
        self._say(REDUCED)
        added = [None if each is None else Packed(map(_pack, each)) for each in (items, pairs)]
        values = map(self._same, (_pack(tuple(args)), _pack(state), *added))
        return [REDUCED, maker, *values, _length_of(thing, added)]

    def _same(self, value: Any) -> Any:
        """Return the value, or an equal one that was handed out before."""
        key = _tag_value(value) if self.quiet and type(value) is Packed else None
        if key is None:
            return value
        if len(self.known) > MOST_KNOWN:
            self.known.clear()
        return self.known.setdefault(key, value)

    def _look_at(self, thing: Any, why: str) -> Values:
        """Return what the object holds, its bytes, digest or text, or refuse one that shows none of them."""
        if self.yields:
            self._say(YIELDED)
            return [YIELDED, *([part for pair in thing.items() for part in pair] if self.is_mapping else thing)]
        with contextlib.suppress(TypeError), memoryview(thing) as view:
            self._say(BYTES)
            return [BYTES, view.format, view.tobytes()]
        if callable(getattr(self.cls, "digest", None)):  # of a hash that goes on
            self._say(DIGEST)
            return [DIGEST, thing.digest()]
        shown: object = self.cls.__repr__
        if shown is object.__repr__ or ADDRESS.search(text := repr(thing)):
            values = [getattr(thing, name, None) for name in self.attributes]
            if not values or any(type(each) not in PLAIN for each in values):
                raise opaque(self.cls, why)
            self._say(ATTRIBUTES)
            return [ATTRIBUTES, *values]
        self._say(TEXT)
        return [TEXT, text]

    def _say(self, form: int) -> None:
        if not self.remark and module_of(self.cls) != "builtins":
            self.remark = f"{self.cls.__qualname__} is compared by {SHOWN[form]}"

    def blank(self, values: Values) -> object:
        form, *rest = values
        made: Any
        if form == CLOSED:
            made = self.cls()
            made.close()
            return made
        if form == YIELDED:
            pairs = list(zip(rest[::2], rest[1::2], strict=True)) if self.is_mapping else rest
            make: Any = self.cls
            return make(pairs)
        if form != REDUCED:
            raise OpaqueError(f"{self.cls.__name__} is compared by {SHOWN[form]}, and cannot be made again from it")
        maker, args, state, items, pairs = map(_unpack, rest[:5])
        made = maker(*args)
        _set_state(made, state)
        if items is not None:
            made.extend(items)
        for key, value in pairs or ():
            made[key] = value
        return made

    def write(self, thing: Any, values: Values) -> None:
        """Do nothing: the object was made with its state."""


def _reduce(thing: Any) -> Any:
    if not WARNS:
        return thing.__reduce_ex__(2)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        return thing.__reduce_ex__(2)


def _is_of_python(cls: type) -> bool:
    """Tell whether a class comes with Python and is written in C: asking it how it is made runs no other code."""
    asked = (getattr(cls, name, None) for name in ("__reduce_ex__", "__reduce__", "__getstate__", "__len__"))
    home = package_of(cls)
    return home in sys.stdlib_module_names and not any(isinstance(each, types.FunctionType) for each in asked)


def _shown_attributes(cls: type) -> tuple[str, ...]:
    """Return the names of the data that a class in C shows, as `struct.Struct` shows its format and size."""
    data = types.GetSetDescriptorType | types.MemberDescriptorType
    found = {name for base in cls.__mro__ for name, member in vars(base).items() if isinstance(member, data)}
    return tuple(sorted(name for name in found if not name.startswith("_")))


def _tag_value(value: Any) -> Any:
    """Return what is equal for values of equal types alone, or nothing where objects are among them."""
    if type(value) is Packed:
        parts = tuple(map(_tag_value, value))
        return None if None in parts else parts
    if type(value) is float:
        return float, repr(value)
    return (type(value), value) if type(value) in PLAIN else None


def _tells_state(cls: type) -> bool:
    """Tell whether a class says by itself what its state is: then none is a state, too."""
    return any("__getstate__" in vars(each) for each in cls.__mro__ if each is not object)


def _length_of(thing: Any, added: list[Any]) -> int:
    if hasattr(type(thing), "__len__"):
        return len(thing)
    return sum(len(each) for each in added if each is not None)


def _set_state(made: Any, state: Any) -> None:
    if state is None:
        return
    if hasattr(made, "__setstate__"):
        made.__setstate__(state)
        return
    fields, slots = state if isinstance(state, tuple) and len(state) == 2 else (state, None)
    vars(made).update(fields or {})
    for name, value in (slots or {}).items():
        setattr(made, name, value)
