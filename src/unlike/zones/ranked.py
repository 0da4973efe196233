"""Strings, floats and bytes left open: a token that stands for one of the sorted values of a pool, by its rank.

All strings that an exploration may pass form one scale, sorted. A token knows its slot, and the slot's value is a rank
on the scale, so comparing two strings is comparing two ranks, and comparing one with a constant is comparing its rank
with the place where the constant would stand. Zones, counting and recipes see integers only. Whatever else is done with
the value makes it choose.
"""

from __future__ import annotations

import bisect
from collections.abc import Callable, Iterable
from typing import Any

from unlike.zones.tokens import KINDS, answerer, choose_number

CODES: dict[type, int] = {str: 0x0B, float: 0x0C, bytes: 0x0D}  # how an open value is written in a shape
COMPARABLE: dict[type, tuple[type, ...]] = {str: (str,), float: (float, int), bytes: (bytes,)}
NOT_PASSED_ON = frozenset(
    {
        "__class__", "__new__", "__init__", "__init_subclass__", "__subclasshook__", "__getattribute__", "__getattr__",
        "__setattr__", "__delattr__", "__dict__", "__doc__", "__slots__", "__weakref__", "__module__", "__hash__",
        "__bool__", "__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__", "__reduce__", "__reduce_ex__",
        "__getnewargs__", "__getstate__", "__sizeof__", "__dir__", "__getformat__", "__copy__", "__deepcopy__",
    }
)  # fmt: skip


class Scale:
    """Sorted values of one type, each known by its rank."""

    def __init__(self, cls: type, values: Iterable[Any]) -> None:
        self.cls = cls
        self.values = sorted(set(values))
        self.code = CODES[cls]
        self.token = TOKENS[cls]

    def rank(self, value: Any) -> int | None:
        """Return the rank of an equal value, or nothing."""
        place = bisect.bisect_left(self.values, value)
        return place if place < len(self.values) and self.values[place] == value else None

    def place(self, value: Any) -> int | None:
        """Return the rank of the very same value, or nothing: -0.0 is equal to 0.0, but another value."""
        rank = self.rank(value)
        return rank if rank is not None and repr(self.values[rank]) == repr(value) else None

    def of(self, given: Any) -> Any:
        """Return what stands on the scale for a token or a rank; anything else as it is."""
        if type(given) is int:
            return self.values[given]
        return self.token(given.slot, self) if type(given) in KINDS else given


def find_scales(values: Iterable[object]) -> dict[type, Scale]:
    """Return a scale for each type that can be left open and has two values or more; NaN cannot be sorted."""
    found: dict[type, set[Any]] = {}
    for value in values:
        if type(value) in CODES and value == value:  # NaN is not equal to itself
            found.setdefault(type(value), set()).add(value)
    return {cls: Scale(cls, each) for cls, each in found.items() if len(each) > 1}


def choose_value(value: Any) -> Any:
    """Return the value that any token stands for, choosing it; anything else as it is."""
    return value._value() if isinstance(type(value), _Kind) else choose_number(value)


class _Kind(type):
    """The class of token classes: `type(value)` tells a token from what it stands for."""


class RankedToken(metaclass=_Kind):
    """A value of a scale, whose rank is that of a slot."""

    __slots__ = ("scale", "slot")
    offset = 0

    def __init__(self, slot: int, scale: Scale) -> None:
        self.slot = slot
        self.scale = scale

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return self.scale.cls

    def _value(self) -> Any:
        return self.scale.values[answerer().value(self.slot)]

    # -- comparisons: questions about ranks ---------------------------------------------------------------

    def __eq__(self, other: object) -> Any:
        if type(other) is type(self):
            return self.slot == other.slot or answerer().equal(self.slot, other.slot, 0)
        if type(other) in COMPARABLE[self.scale.cls]:
            rank = self.scale.rank(other)
            return rank is not None and answerer().equal(self.slot, 0, rank)
        return self._by_value("__eq__", other)

    def __ne__(self, other: object) -> Any:
        same = self.__eq__(other)
        return same if same is NotImplemented else not same

    def __lt__(self, other: object) -> Any:
        return self._below(other, "__lt__", bisect.bisect_left, -1)

    def __le__(self, other: object) -> Any:
        return self._below(other, "__le__", bisect.bisect_right, 0)

    def __gt__(self, other: object) -> Any:
        below = self._below(other, "__gt__", bisect.bisect_right, 0, decided=False)
        return below if below is NotImplemented else not below

    def __ge__(self, other: object) -> Any:
        below = self._below(other, "__ge__", bisect.bisect_left, -1, decided=False)
        return below if below is NotImplemented else not below

    def _below(
        self, other: Any, name: str, place: Callable[[list[Any], Any], int], most: int, *, decided: bool = True
    ) -> Any:
        """Answer whether the rank is before that of another token, or before the place of a constant."""
        if type(other) is type(self):
            return answerer().at_most(self.slot, other.slot, most)
        if type(other) in COMPARABLE[self.scale.cls] and other == other:  # not NaN
            return answerer().at_most(self.slot, 0, place(self.scale.values, other) - 1)
        answer = self._by_value(name, other)
        return answer if answer is NotImplemented or decided else not answer

    def _by_value(self, name: str, *others: Any) -> Any:
        """Do with the value what was to be done with the token; what has nothing to do with it never needs it."""
        others = tuple(map(choose_value, others))
        if getattr(self.scale.values[0], name)(*others) is NotImplemented:
            return NotImplemented
        return getattr(self._value(), name)(*others)

    def __hash__(self) -> int:
        return hash(self._value())

    def __bool__(self) -> bool:
        empty = self.scale.rank(self.scale.cls())
        return empty is None or not answerer().equal(self.slot, 0, empty)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._value(), name)  # upper, startswith, is_integer, …

    def __reduce_ex__(self, protocol: Any) -> Any:
        return self.scale.cls, (self._value(),)

    def __copy__(self) -> RankedToken:
        return self

    def __deepcopy__(self, _: object) -> RankedToken:
        return self


def _passing_on(name: str) -> Callable[..., Any]:
    def method(self: RankedToken, *others: Any) -> Any:
        return getattr(self._value(), name)(*map(choose_value, others))

    return method


def _reflect(name: str) -> Callable[..., Any]:
    def method(self: RankedToken, other: Any) -> Any:
        return getattr(choose_value(other), name)(self._value())

    return method


def _token_class(cls: type) -> type[RankedToken]:
    """Return the class of tokens for values of a class: every special method asks for the value."""
    passed = {
        name: _passing_on(name)
        for name in dir(cls)
        if name.startswith("__") and name not in NOT_PASSED_ON and callable(getattr(cls, name))
    }
    if cls is not float:  # `"a" + x`: text has no reflected addition of its own
        passed["__radd__"] = _reflect("__add__")
    made: Any = _Kind(cls.__name__, (RankedToken,), {**passed, "__slots__": ()})
    return made  # type: ignore[no-any-return]


TOKENS: dict[type, type[RankedToken]] = {cls: _token_class(cls) for cls in CODES}
