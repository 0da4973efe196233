"""Lists, dicts and sets whose content is chosen when it is looked at.

An open list has its length, an open dict its keys' domain; each element is chosen when it is first read. Whatever is
about the content as a whole (comparing, adding, copying) has it all chosen first. A set is complete from the start,
because compiled code reads sets without asking. Writing is refused: an invariant only looks.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NoReturn, Protocol

from unlike.invariants.fields import Domain
from unlike.invariants.search.hooks import WroteError


class LeakedError(BaseException):  # not an Exception: code under test must not catch it by the way
    """Compiled code read an element that was not chosen yet."""


class _Open:
    """What stands in the place of an element that is not chosen."""

    def _leak(self, *_: object) -> NoReturn:
        raise LeakedError

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __hash__ = __bool__ = __call__ = _leak
    __len__ = __iter__ = __getitem__ = __contains__ = __index__ = __int__ = __float__ = _leak
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _leak

    def __getattr__(self, name: str) -> NoReturn:
        raise LeakedError

    def __repr__(self) -> str:
        return "OPEN"


OPEN: Any = _Open()


class Chooser(Protocol):
    """Who chooses elements; each choice is stored in the container, and taken back when another one is tried."""

    def choose_element(self, container: Any, key: Any, domain: Domain) -> Any:
        """Choose and store the element under the key, and return it."""
        ...

    def choose_presence(self, container: OpenDict, key: Any) -> bool:
        """Choose whether the key is there, and note it."""
        ...


def _refuse(name: str) -> Any:
    def write(self: Any, *_: Any, **__: Any) -> NoReturn:
        kind = type(self).__mro__[1].__name__
        raise WroteError(f"a {kind} (by {name.strip('_')})")

    return write


class OpenList(list[Any]):
    """A list of known length."""

    __slots__ = ("chooser", "element")

    def __init__(self, length: int, element: Domain, chooser: Chooser) -> None:
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

    def settled(self) -> list[Any]:
        """Return the content as a plain list, all of it chosen."""
        return list(iter(self))

    def index(self, *args: Any) -> int:
        """Return where a value stands."""
        return self.settled().index(*args)

    def count(self, value: object) -> int:
        """Return how often a value stands in the list."""
        return self.settled().count(value)

    def copy(self) -> list[Any]:
        """Return a plain copy."""
        return self.settled()

    def __eq__(self, other: object) -> bool:
        if isinstance(other, list) and len(other) != len(self):
            return False
        return self.settled() == (other.settled() if isinstance(other, OpenList) else other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __lt__(self, other: Any) -> bool:
        return bool(self.settled() < other)

    def __le__(self, other: Any) -> bool:
        return bool(self.settled() <= other)

    def __gt__(self, other: Any) -> bool:
        return bool(self.settled() > other)

    def __ge__(self, other: Any) -> bool:
        return bool(self.settled() >= other)

    def __add__(self, other: Any) -> Any:
        return self.settled() + (other.settled() if isinstance(other, OpenList) else other)

    def __radd__(self, other: Any) -> Any:
        return other + self.settled()

    def __mul__(self, times: Any) -> Any:
        return self.settled() * times

    __rmul__ = __mul__
    __hash__ = None

    def __repr__(self) -> str:
        return repr(self.settled())

    def __reduce_ex__(self, protocol: Any) -> Any:
        return list, (self.settled(),)


class OpenDict(dict[Any, Any]):
    """A dict whose keys are there or not, each decided when it is asked for; items stand in the order of the keys."""

    __slots__ = ("chooser", "decided", "keys_known", "most", "value")

    def __init__(self, keys: Sequence[Any], value: Domain, most: int, chooser: Chooser) -> None:
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

    def settled(self) -> dict[Any, Any]:
        """Return the content as a plain dict, all of it chosen."""
        return {key: self[key] for key in self}

    def keys(self) -> Any:
        """Return the keys that are there."""
        return dict.fromkeys(self).keys()

    def values(self) -> Any:
        """Return the values, all of them chosen."""
        return self.settled().values()

    def items(self) -> Any:
        """Return the items, all of them chosen."""
        return self.settled().items()

    def copy(self) -> dict[Any, Any]:
        """Return a plain copy."""
        return self.settled()

    def __eq__(self, other: object) -> bool:
        return self.settled() == (other.settled() if isinstance(other, OpenDict) else other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __or__(self, other: Any) -> Any:
        return self.settled() | other

    def __ror__(self, other: Any) -> Any:
        return other | self.settled()

    __hash__ = None

    def __repr__(self) -> str:
        return repr(self.settled())

    def __reduce_ex__(self, protocol: Any) -> Any:
        return dict, (self.settled(),)


class ClosedSet(set[Any]):
    """A set that is complete, and cannot be written to."""

    __slots__ = ()


for _name in ("append", "extend", "insert", "remove", "pop", "clear", "sort", "reverse",
              "__setitem__", "__delitem__", "__iadd__", "__imul__"):  # fmt: skip
    setattr(OpenList, _name, _refuse(_name))
for _name in ("pop", "popitem", "clear", "update", "setdefault", "__setitem__", "__delitem__", "__ior__"):
    setattr(OpenDict, _name, _refuse(_name))
for _name in ("add", "remove", "discard", "pop", "clear", "update", "intersection_update", "difference_update",
              "symmetric_difference_update", "__ior__", "__iand__", "__isub__", "__ixor__"):  # fmt: skip
    setattr(ClosedSet, _name, _refuse(_name))
