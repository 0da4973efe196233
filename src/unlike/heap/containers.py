"""The layouts of mutable containers and of objects whose state is asked for, and the table of all layouts."""

from __future__ import annotations

import abc
import array
import collections
import sys
import types
from collections.abc import Callable
from typing import Any, ClassVar

from unlike.heap.fields import HEAP_TYPE, Fields, Values
from unlike.heap.layout import PLAIN_BASES, Layout, Node, OpaqueError, goes_as, is_named, plain_layout, ways_to_fill
from unlike.heap.reduced import Packed, ReducedNode, opaque
from unlike.heap.special import special_layout
from unlike.scope import Key, Limits


class Container(Node):
    """A mutable container, or a subclass of one with fields of its own.

    Values: the number of fields and the fields (if the class may have any), then `head` values that belong to the
    container as a whole, then the content.
    """

    is_container = True
    made_alone = True
    head: ClassVar[int] = 0

    def __init__(self, cls: type, limits: Limits, base: type) -> None:
        super().__init__(cls)
        self.base: Any = base
        self.counted = cls is not base and bool(cls.__flags__ & HEAP_TYPE)
        fields = Fields(cls, limits, self.names) if self.counted or base is collections.OrderedDict else None
        self.fields = fields or None
        if self.fields is None:
            self.read = self.content  # type: ignore[method-assign]  # one call less in the hot loop

    def read(self, thing: Any) -> Values:
        assert self.fields is not None
        fields = self.fields.read(thing)
        return [len(fields), *fields, *self.content(thing)]

    def write(self, thing: Any, values: Values) -> None:
        start = self._fields_end(values)
        if self.fields is not None:
            self.fields.write(thing, values[1:start])
        self.refill(thing, values[start:])

    def content_start(self, values: Values) -> int:
        return self._fields_end(values) + self.head

    def split(self, values: Values) -> tuple[dict[str, object], Values]:
        end = self._fields_end(values)
        return ({} if self.fields is None else self.fields.by_name(values[1:end])), values[end:]

    def join(self, fields: dict[str, object], rest: Values) -> Values:
        if self.fields is None:
            return rest
        placed = self.fields.list_values(fields)
        return [len(placed), *placed, *rest]

    def _fields_end(self, values: Values) -> int:
        return 0 if self.fields is None else 1 + int(values[0])

    def blank(self, values: Values) -> object:
        del values
        made: object = self.base.__new__(self.cls)
        return made

    @abc.abstractmethod
    def content(self, thing: Any) -> Values:
        """Return the values that belong to the whole, then what the container holds."""

    @abc.abstractmethod
    def refill(self, thing: Any, content: Values) -> None:
        """Replace the values that belong to the whole and what the container holds."""


class ListNode(Container):
    """A list."""

    def content(self, thing: Any) -> Values:
        plain: list[Any] = list.__getitem__(thing, slice(None))
        return plain

    def refill(self, thing: Any, content: Values) -> None:
        list.__setitem__(thing, slice(None), content)


class DictNode(Container):
    """A dict: keys and values in turn."""

    stride = 2
    hashes = True

    def __init__(self, cls: type, limits: Limits, base: type) -> None:
        super().__init__(cls, limits, base)
        self.unordered = not limits.dict_order and base is not collections.OrderedDict

    def content(self, thing: Any) -> Values:
        return [part for pair in self.base.items(thing) for part in pair]

    def refill(self, thing: Any, content: Values) -> None:
        self.base.clear(thing)
        for index in range(0, len(content), 2):
            self.base.__setitem__(thing, content[index], content[index + 1])


class DefaultDictNode(DictNode):
    """A defaultdict: its factory is state too."""

    head = 1

    def content(self, thing: Any) -> Values:
        return [thing.default_factory, *super().content(thing)]

    def refill(self, thing: Any, content: Values) -> None:
        thing.default_factory = content[0]
        super().refill(thing, content[1:])


class SetNode(Container):
    """A set."""

    hashes = True

    def __init__(self, cls: type, limits: Limits, base: type) -> None:
        super().__init__(cls, limits, base)
        self.unordered = not limits.set_order

    def content(self, thing: Any) -> Values:
        return list(set.__iter__(thing))

    def refill(self, thing: Any, content: Values) -> None:
        for members in (content,) if self.unordered else ways_to_fill(content):
            set.clear(thing)
            set.update(thing, members)
            if self.unordered or goes_as(set.__iter__(thing), content):
                return


class DequeNode(Container):
    """A deque: its greatest length is fixed when it is made."""

    head = 1
    made_alone, made_early = False, True

    def content(self, thing: Any) -> Values:
        return [thing.maxlen, *collections.deque.__iter__(thing)]

    def refill(self, thing: Any, content: Values) -> None:
        collections.deque.clear(thing)
        collections.deque.extend(thing, content[1:])

    def blank(self, values: Values) -> object:
        made: Any = self.base.__new__(self.cls)
        collections.deque.__init__(made, (), values[self._fields_end(values)])
        return made


class BytearrayNode(Container):
    """A bytearray."""

    def content(self, thing: Any) -> Values:
        return list(bytearray.__iter__(thing))

    def refill(self, thing: Any, content: Values) -> None:
        bytearray.__setitem__(thing, slice(None), bytes(content))


class ArrayNode(Container):
    """An array of numbers: its type code is fixed when it is made."""

    head = 1
    made_alone, made_early = False, True

    def content(self, thing: Any) -> Values:
        return [thing.typecode, *array.array.tolist(thing)]

    def refill(self, thing: Any, content: Values) -> None:
        array.array.__setitem__(thing, slice(None), array.array(thing.typecode, list(content[1:])))

    def blank(self, values: Values) -> object:
        made: object = self.base.__new__(self.cls, values[self._fields_end(values)])
        return made


CONTAINERS: tuple[tuple[type, type[Container]], ...] = (
    (list, ListNode),
    (collections.OrderedDict, DictNode),  # before dict: it keeps an order of its own
    (collections.defaultdict, DefaultDictNode),
    (dict, DictNode),
    (set, SetNode),
    (collections.deque, DequeNode),
    (bytearray, BytearrayNode),
    (array.array, ArrayNode),
)


# -- objects that are more than their fields -------------------------------------------------------


class DerivedNode(Node):
    """An instance of a class derived from an immutable builtin, with fields: the plain value, then the fields."""

    counted = True
    needs_parts = True

    def __init__(self, cls: type, limits: Limits, base: type, plain: Callable[[Any], object]) -> None:
        super().__init__(cls)
        self.base: Any = base
        self.plain = plain
        self.fields = Fields(cls, limits, self.names)

    def read(self, thing: Any) -> Values:
        return [self.plain(thing), *self.fields.read(thing)]

    def write(self, thing: Any, values: Values) -> None:
        """Give the object its fields; the plain value never changes."""
        self.fields.write(thing, values[1:])

    def blank(self, values: Values) -> object:
        made: object = self.base.__new__(self.cls, values[0])
        return made

    def split(self, values: Values) -> tuple[dict[str, object], Values]:
        return self.fields.by_name(values[1:]), values[:1]

    def join(self, fields: dict[str, object], rest: Values) -> Values:
        return [*rest, *self.fields.list_values(fields)]


DERIVED: tuple[tuple[type, Callable[[Any], object]], ...] = (
    (int, int.__pos__),
    (float, float.__pos__),
    *((base, plain) for base, plain in PLAIN_BASES if base in (str, bytes)),
    (tuple, lambda value: tuple.__getitem__(value, slice(None))),
    (frozenset, lambda value: frozenset().union(frozenset.__iter__(value))),
)


def _named_parts(value: Any) -> Packed:
    return Packed(tuple.__getitem__(value, slice(None)))


class CellNode(Node):
    """A variable that functions closed over."""

    made_alone = True

    def read(self, thing: Any) -> Values:
        try:
            return [thing.cell_contents]
        except ValueError:
            return []

    def write(self, thing: Any, values: Values) -> None:
        if values:
            thing.cell_contents = values[0]
        else:
            del thing.cell_contents

    def blank(self, values: Values) -> object:
        del values
        return types.CellType()


class KeyedNode(Node):
    """An object compared by a key that the user gave; it can be compared, not made again."""

    counted = True
    restorable = False

    def __init__(self, cls: type, key: Key) -> None:
        super().__init__(cls)
        self.key = key

    def read(self, thing: Any) -> Values:
        return [self.key(thing)]

    def write(self, thing: Any, values: Values) -> None:
        """Refuse: a key does not say what to put back."""
        del thing
        self.blank(values)

    def blank(self, values: Values) -> object:
        """Refuse: a key does not say how to make the object."""
        del values
        raise OpaqueError(f"{self.cls.__name__} is compared by a key and cannot be made again from it")


class PinnedNode(Node):
    """One object that stays itself: a sentinel or a registry that the code under test knows by identity.

    Its content is state like any other, but making the graph again writes into the object itself.
    """

    def __init__(self, thing: object, inner: Node) -> None:
        super().__init__(inner.cls)
        self.thing = thing
        self.inner = inner
        self.names = inner.names
        self.stride, self.unordered = inner.stride, inner.unordered
        self.hashes, self.is_container = inner.hashes, inner.is_container
        self.fixed_size, self.lengths = inner.fixed_size, inner.lengths
        self.read = inner.read  # type: ignore[method-assign]
        self.write = inner.write  # type: ignore[method-assign]
        self.content_start = inner.content_start  # type: ignore[method-assign]
        self.split = inner.split  # type: ignore[method-assign]
        self.join = inner.join  # type: ignore[method-assign]

    def read(self, thing: Any) -> Values:
        return self.inner.read(thing)

    def write(self, thing: Any, values: Values) -> None:
        self.inner.write(thing, values)

    def blank(self, values: Values) -> object:
        del values
        return self.thing


def layout_of(cls: type, limits: Limits) -> Layout:
    """Return what is state in instances of the class, or refuse a class that hides it."""
    for known, key in limits.keys.items():
        if issubclass(cls, known):
            return KeyedNode(cls, key)
    found = special_layout(cls, limits) or plain_layout(cls, limits) or _other_layout(cls, limits)
    if limits.kept:
        found.lengths = limits.kept_lengths(cls)
    if isinstance(found, Node) and found.counted:
        found.limit = limits.most_objects(cls)
        found.most = sys.maxsize if found.limit is None else found.limit
    return found


def _other_layout(cls: type, limits: Limits) -> Layout:
    for base, kind in CONTAINERS:
        if issubclass(cls, base):
            return kind(cls, limits, base)
    for base, plain in DERIVED:
        if issubclass(cls, base):
            named = base is tuple and is_named(cls)
            return DerivedNode(cls, limits, base, _named_parts if named else plain)
    if cls is types.CellType:
        return CellNode(cls)
    if issubclass(cls, (types.GeneratorType, types.CoroutineType, types.FrameType, types.TracebackType)):
        raise opaque(cls, "it is a computation half done")
    return ReducedNode(cls)
