"""The values a blank may take: each says its kind, its bounds, and how to build the Python object.

All spaces are bounded. Where the user gives no bound there is a stated default, so that "nothing missed" means
something.
"""

from __future__ import annotations

import datetime
import decimal
import enum
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import ClassVar, TypeAlias

from unlike.errors import SpecError, with_article
from unlike.foreign import foreign
from unlike.language import terms
from unlike.language.moments import (
    Date as Date,
    DateTime as DateTime,
    Time as Time,
    Timedelta as Timedelta,
    check_order,
    moment_ticks,
    seconds_of,
    span_of,
    span_ticks,
)
from unlike.recipe import Argument, Call, Items, Ref, Step, name_or_given, quote
from unlike.regex.texts.fullmatch import careful
from unlike.regex.widths import usual_most

INT_LOW, INT_HIGH = -(2**31), 2**31 - 1  # what most interfaces take
REAL_LOW, REAL_HIGH = -1_000_000, 1_000_000  # as far as a float has ten places behind the point
REAL_PLACES = 12  # with more, the numbers of usual size would be finer than floats
STR_MOST, LIST_MOST = 20, 3  # lengths, unless told: inputs stay small
HASHED = (bool, int, float, str, bytes, type(None), Fraction, datetime.date, datetime.time, datetime.datetime)
COLLECTIONS: tuple[type, ...] = (list, tuple, set, frozenset, range, type({}.keys()), type({}.values()))
SHOWN = 60  # characters of a value in a message


@dataclass(frozen=True, slots=True)
class Bool:
    """True or False."""

    kind: ClassVar[terms.Kind] = terms.BOOL


@dataclass(frozen=True, slots=True)
class Int:
    """An integer from low to high (by default 32 bits)."""

    kind: ClassVar[terms.Kind] = terms.INT
    low: int = INT_LOW
    high: int = INT_HIGH

    def __post_init__(self) -> None:
        for bound in (self.low, self.high):
            if type(bound) is not int:
                raise SpecError(f"Int({self.low!r}, {self.high!r}): a bound is an int, not {bound!r}")
        check_order("Int", self.low, self.high)


@dataclass(frozen=True, slots=True)
class Real:
    """A real number from low to high with so many decimal places; delivered as a float."""

    kind: ClassVar[terms.Kind] = terms.REAL
    low: Number = REAL_LOW
    high: Number = REAL_HIGH
    places: int = 2

    def __post_init__(self) -> None:
        what = type(self).__name__
        if type(self.places) is not int or not 0 <= self.places <= REAL_PLACES:
            raise SpecError(
                f"{what}(places={self.places!r}): the number of decimal places is an int from 0 to {REAL_PLACES}"
            )
        for bound in (self.low, self.high):
            number = isinstance(bound, int | float | Fraction | decimal.Decimal) and not isinstance(bound, bool)
            if not number or not math.isfinite(bound):
                raise SpecError(
                    f"{what}({self.low!r}, {self.high!r}): a bound is a number, and a finite one, not {bound!r}"
                )
        check_order(what, exact(self.low), exact(self.high))

    @property
    def steps(self) -> tuple[int, int]:
        """The bounds as whole numbers of the smallest step."""
        scale = 10**self.places
        low, high = exact(self.low) * scale, exact(self.high) * scale
        return -(-low.numerator // low.denominator), high.numerator // high.denominator


@dataclass(frozen=True, slots=True)
class Decimal(Real):
    """A decimal number from low to high with so many places, as a Real is; delivered as a decimal.Decimal."""

    def __post_init__(self) -> None:
        Real.__post_init__(self)
        for name in ("low", "high"):  # floats as they are written: 0.1 is one tenth
            if isinstance(bound := getattr(self, name), float):
                object.__setattr__(self, name, decimal.Decimal(repr(bound)))


@dataclass(frozen=True, slots=True)
class Str:
    """A string: matching a regex if one is given, otherwise of printable ASCII characters.

    Length is at most 20, or 64 with a pattern, unless said otherwise; a pattern for longer texts says so itself.
    Strings of ASCII come first, and `[^@]` means letters then; with `unicode` all characters are as good.
    """

    kind: ClassVar[terms.Kind] = terms.STR
    matching: str | None = None
    min_length: int = 0
    max_length: int | None = None
    flags: int = 0
    unicode: bool = field(default=False, metadata={"told": "if set"})

    def __post_init__(self) -> None:
        if self.matching is not None and not isinstance(self.matching, str):
            raise SpecError(f"Str(matching={self.matching!r}): a pattern is a string")
        _check_lengths("Str", self.min_length, self.most)

    @property
    def most(self) -> int:
        """The greatest length."""
        if self.max_length is not None:
            return self.max_length
        usual = STR_MOST if self.matching is None else usual_most(self.matching, self.flags)
        return max(self.min_length, usual)


class OneOf:
    """One of the given values: any Python objects, or the members of an Enum class.

    Floats and decimals are numbers like those of a Real: held exactly as they are written, delivered as they are given.
    """

    __slots__ = ("_known", "given", "kind", "members")

    def __init__(self, *members: object) -> None:
        if len(members) == 1 and isinstance(members[0], type) and issubclass(members[0], enum.Enum):
            members = tuple(members[0])
        if not members:
            raise SpecError("OneOf() has no values to choose from; give at least one")
        if len(members) == 1 and (type(members[0]) in COLLECTIONS or isinstance(members[0], Iterator)):
            raise SpecError(
                f"OneOf({_shorten(members[0])}) would choose from one value, which holds others; write OneOf(*values), "
                "or give the value twice if it is meant as one"
            )
        told_apart = MemberSet(members).members
        self.kind: terms.Kind = kind_of_members(told_apart)
        self.members = tuple(plain_of(self.kind, each) for each in told_apart)
        held_otherwise = self.kind in (terms.REAL, terms.TIMEDELTA)
        self.given = dict(zip(self.members, told_apart, strict=True)) if held_otherwise else {}
        self._known = MemberSet(self.members)

    def __contains__(self, plain: object) -> bool:
        return plain in self._known

    def __repr__(self) -> str:
        return f"OneOf({', '.join(repr(build(self, member)) for member in self.members)})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, OneOf) and self.kind == other.kind and self.members == other.members

    def __hash__(self) -> int:
        return hash(len(self.members))


@dataclass(frozen=True, slots=True)
class Option:
    """A value, or None."""

    inner: Value

    def __post_init__(self) -> None:
        check_value(self.inner, "Option")
        if isinstance(self.inner, Option) or (isinstance(self.inner, OneOf) and None in self.inner):
            raise SpecError(f"Option({self.inner!r}): None is among its values already; leave out one of the two")

    @property
    def kind(self) -> terms.Kind:
        """The kind of terms over this value."""
        return terms.OptionKind(self.inner.kind)


@dataclass(frozen=True, slots=True)
class List:
    """A list of bounded length (at most 3 unless said otherwise)."""

    inner: Value
    min_length: int = 0
    max_length: int | None = None

    def __post_init__(self) -> None:
        check_value(self.inner, "List")
        _check_lengths("List", self.min_length, self.most)

    @property
    def most(self) -> int:
        """The greatest length."""
        return self.max_length if self.max_length is not None else max(self.min_length, LIST_MOST)

    @property
    def kind(self) -> terms.Kind:
        """The kind of terms over this value."""
        return terms.ListKind(self.inner.kind)


@dataclass(frozen=True, slots=True)
class Record:
    """Named fields; built into a dict, or by a function that takes the fields as keyword arguments."""

    fields: tuple[tuple[str, Value], ...]
    build: Callable[..., object] | None = None

    @property
    def kind(self) -> terms.Kind:
        """The kind of terms over this value."""
        return terms.RecordKind(tuple((name, value.kind) for name, value in self.fields), self.build)


def record(build: Callable[..., object] | None = None, /, **fields: Value) -> Record:
    """Return a record of the given fields: `record(name=Str(), price=Int(1, 100))`.

    With a first argument (a class or function) the fields are its keyword arguments and the value is what it returns.
    """
    if not fields:
        raise SpecError("record() has no fields; give at least one, like record(price=Int(1, 100))")
    if build is not None and not callable(build):
        raise SpecError(f"record({build!r}, …): the first argument is a function that builds the object")
    for name, value in fields.items():
        check_value(value, f"field {name!r}")
    return Record(tuple(fields.items()), build)


Number: TypeAlias = int | float | Fraction | decimal.Decimal
Value: TypeAlias = Bool | Int | Real | Str | OneOf | Option | List | Record | Date | Time | DateTime | Timedelta
VALUES = (Bool, Int, Real, Str, OneOf, Option, List, Record, Date, Time, DateTime, Timedelta)  # to ask isinstance


def check_value(value: object, where: str) -> None:
    """Refuse what is not a value, and say how to write one."""
    if isinstance(value, type) and issubclass(value, Bool | Int | Real | Str | Date | Time | DateTime | Timedelta):
        raise SpecError(f"{where}: {value.__name__} is the class; write {value.__name__}()")
    if not isinstance(value, VALUES):
        raise SpecError(f"{where}: {value!r} is not a value; write Int(0, 9), Str(), OneOf('a', 'b') or the like")


def exact(number: Number) -> Fraction:
    """Return the number as it is written in decimal: 0.1 is one tenth."""
    return Fraction(repr(number)) if isinstance(number, float) else Fraction(number)


def plain_of(kind: terms.Kind, made: object) -> object:
    """Return a finished value of a plain kind as terms hold it: a number exactly, a span of time in microseconds."""
    if kind == terms.REAL:
        return exact(made)  # type: ignore[arg-type]
    return span_ticks(made) if kind == terms.TIMEDELTA else made  # type: ignore[arg-type]


def decimal_of(number: Fraction, places: int) -> decimal.Decimal:
    """Return an exact number with so many decimal places: from its digits, as arithmetic would round."""
    code = int(number * 10**places)
    return decimal.Decimal((int(code < 0), tuple(map(int, str(abs(code)))), -places))


def kind_of_members(members: tuple[object, ...]) -> terms.Kind:
    """Return the kind that all members share, or that of an enumeration."""
    kinds = {type(member) for member in members}
    if kinds in ({float}, {decimal.Decimal}) and all(math.isfinite(member) for member in members):  # type: ignore[arg-type]
        return terms.REAL
    if kinds == {datetime.datetime} and any(member.tzinfo for member in members):  # type: ignore[attr-defined]
        return terms.AtomKind(members)
    if len(kinds) == 1:
        plain = _PLAIN_KINDS.get(kinds.pop())
        if plain is not None:
            return plain
    return terms.AtomKind(members)


_PLAIN_KINDS: Mapping[type, terms.Kind] = {
    bool: terms.BOOL,
    int: terms.INT,
    str: terms.STR,
    datetime.date: terms.DATE,
    datetime.datetime: terms.DATETIME,
    datetime.timedelta: terms.TIMEDELTA,
}


def bounds_in_words(name: str, value: Value) -> str:
    """Return what the declaration of a blank says, for a message: "price is an Int from 1 to 10"."""
    match value:
        case Int(low, high):
            return f"{name} is an Int from {low} to {high}"
        case Real(low, high, places):
            return f"{name} is {with_article(type(value).__name__)} from {low} to {high} with {places} decimal places"
        case Date(low, high):
            return f"{name} is a Date from {low} to {high}"
        case Time(low, high, step):
            return f"{name} is a Time from {low} to {high} in steps of {step} s"
        case DateTime(low, high) | Timedelta(low, high):
            return f"{name} is a {type(value).__name__} from {low} to {high} in steps of {span_of(value.ticks)}"
        case Str(None, low, _):
            return f"{name} is a Str of {low} to {value.most} printable characters"
        case Str(pattern, low, _):
            return f"{name} is a Str of {low} to {value.most} characters matching {pattern!r}"
        case OneOf():
            shown = ", ".join(repr(build(value, each)) for each in value.members[:6])
            shown += ", …" if len(value.members) > 6 else ""
            return f"{name} is one of {shown}"
        case Option(inner):
            return f"{bounds_in_words(name, inner)}, or None"
        case List(inner, low, _):
            return f"{name} is a List of {low} to {value.most} items; {bounds_in_words('each', inner)}"
        case Record(fields):
            return "; ".join(bounds_in_words(f"{name}.{field}", inner) for field, inner in fields)
        case Bool():
            return f"{name} is a Bool"


# -- from plain values to Python objects ---------------------------------------------------------------------


def build(value: Value, plain: object) -> object:
    """Return the Python object that a plain value stands for: a fresh one every time."""
    match value:
        case Real() | Timedelta() | OneOf():
            return _deliver(value, plain)
        case Option(inner):
            return None if plain is None else build(inner, plain)
        case List(inner):
            return [build(inner, each) for each in plain]  # type: ignore[attr-defined]
        case Record(fields, made):
            parts = {name: build(inner, plain[name]) for name, inner in fields}  # type: ignore[index]
            return parts if made is None else foreign(made, **parts)
    return plain


def _deliver(value: Real | Timedelta | OneOf, plain: object) -> object:
    """Return the Python object of a value that terms hold in another form."""
    match value:
        case Decimal(places=places):
            return decimal_of(plain, places)  # type: ignore[arg-type]
        case Real():
            return float(plain)  # type: ignore[arg-type]
        case Timedelta():
            return span_of(plain)  # type: ignore[arg-type]
    return value.given[plain] if value.given else plain


def has_builder(value: Value) -> bool:
    """Tell whether a function of the user's builds the object or a part of it."""
    match value:
        case Option(inner) | List(inner):
            return has_builder(inner)
        case Record(fields, made):
            return made is not None or any(has_builder(inner) for _, inner in fields)
    return False


def is_fresh(value: Value) -> bool:
    """Tell whether building the value twice gives two objects, of which one may be changed without the other."""
    return isinstance(value, List | Record) or (isinstance(value, Option) and is_fresh(value.inner))


def belongs(value: Value, plain: object) -> bool:
    """Tell whether a plain value lies within the declared bounds."""
    match value:
        case Bool():
            return type(plain) is bool
        case Int(low, high):
            return type(plain) is int and low <= plain <= high
        case Real(low, high, places):
            if not isinstance(plain, Fraction):
                return False
            return exact(low) <= plain <= exact(high) and (plain * 10**places).denominator == 1
        case Str():
            return isinstance(plain, str) and is_legal(value, plain)
        case OneOf():
            return plain in value
        case Option(inner):
            return plain is None or belongs(inner, plain)
        case List(inner, low, _):
            return (
                isinstance(plain, tuple) and low <= len(plain) <= value.most and all(belongs(inner, x) for x in plain)
            )
        case Record(fields):
            return isinstance(plain, dict) and all(belongs(inner, plain[name]) for name, inner in fields)
        case Date(first, last):
            return type(plain) is datetime.date and first <= plain <= last
        case Time(low, high, step):
            return type(plain) is datetime.time and low <= plain <= high and seconds_of(plain) % step == 0
        case DateTime(low, high):
            if type(plain) is not datetime.datetime or plain.tzinfo:
                return False
            return low <= plain <= high and moment_ticks(plain) % value.ticks == 0
        case Timedelta(low, high):
            return type(plain) is int and span_ticks(low) <= plain <= span_ticks(high) and plain % value.ticks == 0


def is_legal(value: Str, string: str) -> bool:
    """Tell whether a string has a length and matches the pattern of its declaration."""
    if not value.min_length <= len(string) <= value.most:
        return False
    return careful(r"[ -~]*" if value.matching is None else value.matching, value.flags)(string) is not None


def quote_value(value: Value, plain: object, steps: list[Step]) -> Argument:
    """Return the recipe argument that stands for a plain value, adding the steps that build it."""
    match value:
        case Real() | Timedelta() | OneOf():
            return quote(_deliver(value, plain), steps)
        case Option(inner):
            return None if plain is None else quote_value(inner, plain, steps)
        case List(inner):
            return Items("list", tuple(quote_value(inner, each, steps) for each in plain))  # type: ignore[attr-defined]
        case Record(_, terms.Held() as held):
            return held.quote(plain["number"], steps)  # type: ignore[index]
        case Record(fields, made) if _is_ours(made):
            return quote(build(value, plain), steps)  # `"DE89…"` reads better than a call of what makes it
        case Record(fields, made):
            parts = [(name, quote_value(inner, plain[name], steps)) for name, inner in fields]  # type: ignore[index]
            if made is None:
                return Items("dict", tuple(part for pair in parts for part in pair))
            steps.append(Call(name_or_given(made), (), tuple(parts)))
            return Ref(len(steps) - 1)
    return quote(plain, steps)


def _is_ours(made: Callable[..., object] | None) -> bool:
    return getattr(made, "__module__", "").startswith("unlike.")


def _check_lengths(what: str, low: object, high: object) -> None:
    for length in (low, high):
        if type(length) is not int or length < 0:
            raise SpecError(f"{what}: a length is an int of at least 0, not {length!r}")
    if low > high:  # type: ignore[operator]
        raise SpecError(f"{what}(min_length={low}, max_length={high}) is empty: the least length is above the greatest")


def _shorten(value: object) -> str:
    shown = repr(value)
    return shown if len(shown) <= SHOWN else f"{shown[:SHOWN]}…"


class MemberSet:
    """Members told apart by type and equality; whether one is among them is found at once, for plain values."""

    __slots__ = ("members", "others", "plain")

    def __init__(self, members: Iterable[object]) -> None:
        self.plain: set[tuple[type, object]] = set()
        self.others: list[object] = []  # how these compare and hash is their own affair: they are looked at in turn
        found = []
        for each in members:
            if each in self:
                continue
            found.append(each)
            if type(each) in HASHED:
                self.plain.add((type(each), each))
            else:
                self.others.append(each)
        self.members: tuple[object, ...] = tuple(found)

    def __contains__(self, member: object) -> bool:
        if type(member) in HASHED:
            return (type(member), member) in self.plain
        return any(terms.same_member(member, other) for other in self.others)
