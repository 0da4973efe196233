"""Lists, dicts and sets whose content is chosen when it is looked at.

An open list has its length, an open dict its keys' domain; each element is chosen when it is first read. Whatever is
about the content as a whole (comparing, adding, copying) has it all chosen first. A set is complete from the start,
because compiled code reads sets without asking. Writing is refused: an invariant only looks.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

from unlike.invariants.fields.domains import Domain
from unlike.invariants.search.guards import SearchEndError

if TYPE_CHECKING:
    from unlike.invariants.search.engine import Search


class _OpenElement:
    """What stands in the place of an element that is not chosen."""

    def _leak(self, *_: object) -> NoReturn:
        raise SearchEndError("leaked")

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __hash__ = __bool__ = __call__ = _leak
    __len__ = __iter__ = __getitem__ = __contains__ = __index__ = __int__ = __float__ = _leak
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _leak

    def __getattr__(self, name: str) -> NoReturn:
        raise SearchEndError("leaked")

    def __repr__(self) -> str:
        return "OPEN"


OPEN: Any = _OpenElement()


def _settle_first(name: str) -> Any:
    """Return a method about the content as a whole: it is all chosen first, and then a plain container is asked."""

    def ask(self: Any, *others: Any) -> Any:
        plain = [each.settle() if isinstance(each, OpenList | OpenDict) else each for each in others]
        return getattr(self.settle(), name)(*plain)

    return ask


def _refuse(name: str) -> Any:
    def write(self: Any, *_: Any, **__: Any) -> NoReturn:
        kind = type(self).__mro__[1].__name__
        raise SearchEndError("wrote", f"a {kind} (by {name.strip('_')})")

    return write


class OpenList(list[Any]):
    """A list of known length."""

    __slots__ = ("chooser", "element")

    def __init__(self, length: int, element: Domain, chooser: Search) -> None:
        super().__init__([OPEN] * length)
        self.element = element
        self.chooser = chooser

    def __getitem__(self, index: Any) -> Any:
        value = list.__getitem__(self, index)
        if value is OPEN:
            position = index.__index__()
            return self.chooser.choose_element(self, position if position >= 0 else position + len(self), self.element)
        if isinstance(index, slice):
            return [self[position] for position in range(len(self))[index]]
        return value

    def __iter__(self) -> Iterator[Any]:
        return map(self.__getitem__, range(len(self)))

    def __reversed__(self) -> Iterator[Any]:
        return map(self.__getitem__, range(len(self) - 1, -1, -1))

    def __contains__(self, value: object) -> bool:
        return any(each is value or each == value for each in self)

    def settle(self) -> list[Any]:
        """Return the content as a plain list, all of it chosen."""
        return list(iter(self))

    def __eq__(self, other: object) -> bool:
        if isinstance(other, list) and len(other) != len(self):
            return False
        return self.settle() == (other.settle() if isinstance(other, OpenList) else other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __radd__(self, other: Any) -> Any:
        return other + self.settle()

    def __reduce_ex__(self, protocol: Any) -> Any:
        return list, (self.settle(),)


class OpenDict(dict[Any, Any]):
    """A dict whose keys are there or not, each decided when it is asked for; items stand in the order of the keys."""

    __slots__ = ("chooser", "decided", "keys_known", "most", "value")

    def __init__(self, keys: Sequence[Any], value: Domain, most: int, chooser: Search) -> None:
        super().__init__()
        self.keys_known = {key: key for key in keys}
        self.value = value
        self.most = most
        self.decided: dict[Any, bool] = {}
        self.chooser = chooser

    def __contains__(self, key: object) -> bool:
        return key in self.keys_known and self._has(self.keys_known[key])

    def _has(self, key: Any) -> bool:
        there = self.decided.get(key)
        return self.chooser.choose_presence(self, key) if there is None else there

    def __getitem__(self, key: Any) -> Any:
        if key not in self:
            raise KeyError(key)
        key = self.keys_known[key]
        value = dict.get(self, key, OPEN)
        return self.chooser.choose_element(self, key, self.value) if value is OPEN else value

    def get(self, key: Any, default: Any = None) -> Any:
        """Return the value of a key, or the default."""
        return self[key] if key in self else default  # noqa: SIM401  # this is `get`

    def __iter__(self) -> Iterator[Any]:
        return (key for key in self.keys_known if self._has(key))

    def __reversed__(self) -> Iterator[Any]:
        return iter(list(self)[::-1])

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __bool__(self) -> bool:
        return any(True for _ in self)

    def settle(self) -> dict[Any, Any]:
        """Return the content as a plain dict, all of it chosen."""
        return {key: self[key] for key in self}

    def keys(self) -> Any:
        """Return the keys that are there."""
        return dict.fromkeys(self).keys()

    def __reduce_ex__(self, protocol: Any) -> Any:
        return dict, (self.settle(),)


class ClosedSet(set[Any]):
    """A set that is complete, and cannot be written to."""

    __slots__ = ()


for _name in ("index", "count", "copy", "__lt__", "__le__", "__gt__", "__ge__", "__add__", "__mul__", "__rmul__",
              "__repr__"):  # fmt: skip
    setattr(OpenList, _name, _settle_first(_name))
for _name in ("values", "items", "copy", "__eq__", "__ne__", "__or__", "__ror__", "__repr__"):
    setattr(OpenDict, _name, _settle_first(_name))
for _name in ("append", "extend", "insert", "remove", "pop", "clear", "sort", "reverse",
              "__setitem__", "__delitem__", "__iadd__", "__imul__"):  # fmt: skip
    setattr(OpenList, _name, _refuse(_name))
for _name in ("pop", "popitem", "clear", "update", "setdefault", "__setitem__", "__delitem__", "__ior__"):
    setattr(OpenDict, _name, _refuse(_name))
for _name in ("add", "remove", "discard", "pop", "clear", "update", "intersection_update", "difference_update",
              "symmetric_difference_update", "__ior__", "__iand__", "__isub__", "__ixor__"):  # fmt: skip
    setattr(ClosedSet, _name, _refuse(_name))
