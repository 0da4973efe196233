"""Values that are not chosen: a token stands for the value of a slot, and asks a question only when somebody looks.

Whoever compares a token asks the run that is under way; whoever needs the number itself makes it choose. A token is
no subclass of int, so that no compiled code can read a number out of it unseen; `isinstance(token, int)` holds.
"""

from __future__ import annotations

import bisect
import operator
from collections.abc import Callable, Iterable
from numbers import Number
from typing import Any, Protocol

from unlike.heap.walkers import native_module

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


class NoRunError(BaseException):  # not an Exception: code under test must not catch it by the way
    """A token was looked at while no run was under way: something kept it."""


class Answerer(Protocol):
    """Who answers what tokens ask."""

    def at_most(self, i: int, j: int, c: int) -> bool:
        """Answer whether x_i - x_j <= c."""
        ...

    def equal(self, i: int, j: int, c: int) -> bool:
        """Answer whether x_i - x_j == c."""
        ...

    def value(self, slot: int) -> int:
        """Answer what the value of the slot is."""
        ...


class _Nobody:
    def _refuse(self, *_: int) -> Any:
        raise NoRunError("a value left open was looked at outside the run it belongs to")

    at_most = equal = value = _refuse


ORDERS = (operator.lt, operator.le, operator.gt, operator.ge)
REPEATED = (str, bytes, bytearray, list, tuple)  # what may be multiplied by a number

_native: Any = native_module()
_nobody = _Nobody()
_answerer: Answerer = _nobody


def set_answerer(new: Answerer | None) -> Answerer:
    """Let tokens ask this one from now on (nobody: nothing), and return whom they asked before."""
    global _answerer
    before, _answerer = _answerer, new or _nobody
    if _native is not None:
        _native.set_answerer(_answerer)
    return before


def answerer() -> Answerer:
    """Return whom tokens ask now."""
    return _answerer


class PythonToken:
    """An integer whose value is that of a slot, plus an offset."""

    __slots__ = ("offset", "slot")

    def __init__(self, slot: int, offset: int = 0) -> None:
        self.slot = slot
        self.offset = offset

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return int

    # -- comparisons: questions about a difference ------------------------------------------------------

    def __le__(self, other: object) -> Any:
        return self._at_most(other, 0, operator.le)

    def __lt__(self, other: object) -> Any:
        return self._at_most(other, -1, operator.lt)

    def _at_most(self, other: object, more: int, function: Callable[..., Any]) -> Any:
        if type(other) is PythonToken:
            return _answerer.at_most(self.slot, other.slot, other.offset - self.offset + more)
        if isinstance(other, int):
            return _answerer.at_most(self.slot, 0, int(other) - self.offset + more)
        return _by_value(function, self, other)

    def __gt__(self, other: object) -> Any:
        return not self.__le__(other) if _is_whole(other) else _by_value(operator.gt, self, other)

    def __ge__(self, other: object) -> Any:
        return not self.__lt__(other) if _is_whole(other) else _by_value(operator.ge, self, other)

    def __eq__(self, other: object) -> Any:
        if type(other) is PythonToken:
            if self.slot == other.slot:
                return self.offset == other.offset
            return _answerer.equal(self.slot, other.slot, other.offset - self.offset)
        if isinstance(other, int):
            return _answerer.equal(self.slot, 0, int(other) - self.offset)
        return _by_value(operator.eq, self, other)

    def __ne__(self, other: object) -> Any:
        return not self.__eq__(other) if _is_whole(other) else _by_value(operator.ne, self, other)

    def __bool__(self) -> bool:
        return not _answerer.equal(self.slot, 0, -self.offset)

    # -- what a zone can carry: a constant added ----------------------------------------------------------

    def __add__(self, other: object) -> Any:
        if type(other) is int:
            return PythonToken(self.slot, self.offset + other)
        return _by_value(operator.add, self, other)

    def __radd__(self, other: object) -> Any:
        return self + other if type(other) is int else _by_value(operator.add, other, self)

    def __sub__(self, other: object) -> Any:
        if type(other) is int:
            return PythonToken(self.slot, self.offset - other)
        if type(other) is PythonToken and other.slot == self.slot:
            return self.offset - other.offset
        return _by_value(operator.sub, self, other)

    def __rsub__(self, other: object) -> Any:
        return _by_value(operator.sub, other, self)

    def __pos__(self) -> PythonToken:
        return self

    def __neg__(self) -> int:
        return -self.__index__()

    def __abs__(self) -> int:
        return abs(self.__index__())

    def __invert__(self) -> int:
        return ~self.__index__()

    # -- everything else needs the number -----------------------------------------------------------------

    def __index__(self) -> int:
        return _answerer.value(self.slot) + self.offset

    __int__ = __trunc__ = __floor__ = __ceil__ = __index__

    def __hash__(self) -> int:
        return hash(self.__index__())

    def __getattr__(self, name: str) -> Any:
        return getattr(self.__index__(), name)  # bit_length, real, to_bytes, …

    def __repr__(self) -> str:
        return repr(self.__index__())

    def __format__(self, spec: str) -> str:
        return format(self.__index__(), spec)

    def __float__(self) -> float:
        return float(self.__index__())

    def __complex__(self) -> complex:
        return complex(self.__index__())

    def __round__(self, digits: int | None = None) -> int:
        return round(self.__index__(), digits) if digits is not None else self.__index__()

    def __pow__(self, other: object, modulus: object = None) -> Any:
        if modulus is None:
            return _by_value(pow, self, other)
        return pow(self.__index__(), choose_number(other), choose_number(modulus))

    def __rpow__(self, other: object) -> Any:
        return _by_value(pow, other, self)

    def __reduce_ex__(self, protocol: Any) -> Any:
        return int, (self.__index__(),)

    def __copy__(self) -> PythonToken:
        return self

    def __deepcopy__(self, _: object) -> PythonToken:
        return self


def choose_number(value: Any) -> Any:
    """Return the number that a token stands for, choosing it; any other value as it is."""
    return value.__index__() if type(value) in KINDS else value


def _is_whole(value: object) -> bool:
    return type(value) is PythonToken or isinstance(value, int)


def _by_value(function: Callable[..., Any], left: object, right: object) -> Any:
    """Do with the numbers what was to be done with the tokens; None, text and the like never need the number."""
    other = right if type(left) is PythonToken else left
    if isinstance(other, complex) and function in ORDERS:
        return NotImplemented
    if isinstance(other, Number) or (function is operator.mul and isinstance(other, REPEATED)):
        return function(choose_number(left), choose_number(right))
    return NotImplemented


def _needing_the_number(name: str) -> tuple[Callable[..., Any], Callable[..., Any]]:
    function = divmod if name == "divmod" else getattr(operator, f"{name}_" if name in ("and", "or") else name)

    def forward(self: PythonToken, other: object) -> Any:
        return _by_value(function, self, other)

    def backward(self: PythonToken, other: object) -> Any:
        return _by_value(function, other, self)

    return forward, backward


for _name in ("mul", "floordiv", "truediv", "mod", "divmod", "lshift", "rshift", "and", "or", "xor"):
    _forward, _backward = _needing_the_number(_name)
    setattr(PythonToken, f"__{_name}__", _forward)
    setattr(PythonToken, f"__r{_name}__", _backward)
PythonToken.__name__ = PythonToken.__qualname__ = "int"  # what error messages call it

Token: type[PythonToken] = PythonToken if _native is None else _native.Token  # the compiled twin, where it was built
KINDS = (PythonToken, Token)
set_answerer(None)


class Scale:
    """Sorted values of one type, each known by its rank.

    All strings that an exploration may pass form one scale. A token knows its slot, and the slot's value is a rank, so
    comparing two strings is comparing two ranks, and comparing one with a constant is comparing its rank with the place
    where the constant would stand. Zones, counting and recipes see integers only. Whatever else is done with the value
    makes it choose.
    """

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
