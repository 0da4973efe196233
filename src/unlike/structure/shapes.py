"""What data look like, as frozen data: leaves, alternatives, fields, items.

A *plain* value is what a generator chooses: a leaf's value itself, `Picked` for an alternative, a dict of the
fields that are present, a tuple of items. It says nothing about how the Python object is built.
"""

from __future__ import annotations

import abc
import datetime
import decimal
import enum
import functools
import ipaddress
import math
import uuid
import zoneinfo
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Literal, NamedTuple, TypeAlias

from unlike.core import FOREVER, Deadline
from unlike.foreign import EndedError, foreign
from unlike.structure.limits import SIDES, Limit, first_code
from unlike.structure.mentioned import Mentioned

IF_SET = {"told": "if set"}  # what fingerprints of saved inputs leave out where it is as usual: they are older
LineKind: TypeAlias = Literal[
    "int", "float", "decimal", "date", "time", "datetime", "timedelta", "uuid", "ipv4", "ipv6"
]
EPOCH, SECOND = datetime.datetime(1970, 1, 1), datetime.timedelta(seconds=1)
EXACT = 10**15  # below it, a number is written with 15 digits, and floats keep so many


@dataclass(frozen=True, slots=True)
class CodeLine:
    """Values that stand on a line of whole codes: numbers with fixed decimal places, dates, addresses.

    A line that is `written` has each value as JSON writes it: `2024-02-29`.
    """

    kind: LineKind
    places: int = 0
    zone: str | None = None
    written: bool = False
    version: int | None = field(default=None, metadata=IF_SET)  # of a UUID; any fits where none is, and 4 is made

    def value(self, code: int) -> object:
        """Return the value of a code."""
        return _text(self._value(code)) if self.written else self._value(code)

    def _value(self, code: int) -> object:
        match self.kind:
            case "int":
                return code
            case "float":
                return float(Fraction(code, self.unit))
            case "decimal":
                # from its digits: arithmetic would round to the precision of the context
                return decimal.Decimal((int(code < 0), tuple(map(int, str(abs(code)))), -self.places))
            case "date":
                return datetime.date.fromordinal(code)
            case "time":
                time = (datetime.datetime.min + code * self._tick).time()
                return time.replace(tzinfo=self._zone)
            case "datetime":
                return (EPOCH + code * self._tick).replace(tzinfo=self._zone)
            case "timedelta":
                return code * self._tick
            case "uuid":
                return uuid.UUID(int=code | 1 << 63 | (self.version or 4) << 76)  # beside its variant and version
            case "ipv4":
                return ipaddress.IPv4Address(code)
            case "ipv6":
                return ipaddress.IPv6Address(code)

    @property
    def unit(self) -> int:
        """How many codes lie between 0 and 1."""
        return int(10**self.places)

    @property
    def _tick(self) -> datetime.timedelta:
        """Of a line of time: a second, or with decimal places a part of it."""
        return SECOND // self.unit

    @property
    def _zone(self) -> datetime.tzinfo | None:
        return None if self.zone is None else zoneinfo.ZoneInfo(self.zone)

    def code(self, value: object) -> Fraction | None:
        """Return where a value stands on the line, perhaps between two codes; nothing for another type."""
        if self.written:
            value = _read(TYPES[self.kind], value)
        if type(value) is not TYPES[self.kind]:
            return None
        match value:
            case int():
                return Fraction(value)
            case float():
                return Fraction(repr(value)) * self.unit if value - value == 0 else None
            case decimal.Decimal():
                return Fraction(value) * self.unit if value.is_finite() else None
            case datetime.datetime():
                if (value.tzinfo is None) != (self.zone is None):
                    return None
                naive = value if self._zone is None else value.astimezone(self._zone).replace(tzinfo=None)
                return Fraction((naive - EPOCH) // datetime.timedelta.resolution, 10**6) * self.unit
            case datetime.date():
                return Fraction(value.toordinal())
            case datetime.time():
                if (value.tzinfo is None) != (self.zone is None):
                    return None
                seconds = value.hour * 3600 + value.minute * 60 + value.second
                return (seconds + Fraction(value.microsecond, 10**6)) * self.unit
            case datetime.timedelta():
                return Fraction(value // datetime.timedelta.resolution, 10**6) * self.unit
            case uuid.UUID():  # what is left beside version and variant
                return Fraction(value.int % 2**62) if self.version in (None, value.version) else None
            case ipaddress.IPv4Address() | ipaddress.IPv6Address():
                return Fraction(int(value))
        return None


TYPES: dict[str, type] = {
    "int": int,
    "float": float,
    "decimal": decimal.Decimal,
    "date": datetime.date,
    "time": datetime.time,
    "datetime": datetime.datetime,
    "timedelta": datetime.timedelta,
    "uuid": uuid.UUID,
    "ipv4": ipaddress.IPv4Address,
    "ipv6": ipaddress.IPv6Address,
}

PLAIN = {*TYPES.values(), bool, str, bytes, type(None)}  # whose values are equal where they look the same


def _text(value: object) -> str:
    return value.isoformat() if isinstance(value, datetime.date | datetime.time) else str(value)


def _read(kind: type, text: object) -> object:
    """Return the value that a text writes, or nothing."""
    try:
        return kind.fromisoformat(text) if hasattr(kind, "fromisoformat") else kind(text)
    except (ValueError, TypeError, AttributeError):
        return None


@dataclass(frozen=True, slots=True)
class Constants:
    """One of the given values, each a choice of its own; `word` says what they are.

    Values that are not `paired` appear once each and enter no pairs: samples of what is not described further.
    With `single` only so many of the first are choices of their own; the others are one choice together, called
    `others`. With `unlisted` so many more exist that are not given.
    """

    values: tuple[object, ...]
    word: str = "constant"
    paired: bool = True
    single: int | None = None
    others: str = "others"
    unlisted: int = 0


@dataclass(frozen=True, slots=True)
class Numbers:
    """Values on a line from low to high, both multiples of the step; `stated` names the bounds the user wrote.

    Floats and decimals between two codes are values, too, unless `stated` has "multiple" or "places": the codes come
    first, as they are readable. Their `limits` are the bounds, which may lie between two codes.
    """

    line: CodeLine
    low: int
    high: int
    step: int = 1
    stated: tuple[str, ...] = ()
    limits: tuple[Limit, ...] = field(default=(), metadata=IF_SET)
    digits: int | None = field(default=None, metadata=IF_SET)  # of a decimal, at most
    of: Fraction | None = field(default=None, metadata=IF_SET)  # the number whose multiples they are

    @property
    def is_listed(self) -> bool:
        """Whether every value has a code."""
        multiples = "multiple" in self.stated and self.digits is None
        return multiples or self.line.kind not in ("float", "decimal") or "places" in self.stated

    def at_places(self, places: int) -> Numbers:
        """Return the numbers that have codes with so many decimal places."""
        line = replace(self.line, places=places)
        ratio = Fraction(10) ** (places - self.line.places)
        # whole codes that are multiples of 3/2 are multiples of 3
        of = self.step * ratio if self.of is None else self.of * line.unit
        step = of.numerator if "multiple" in self.stated else 1
        ends = {side: [first_code(each, line.unit) for each in self.limits if each.side == side] for side in SIDES}
        low = max(ends["least"], default=math.ceil(self.low * ratio))
        high = min(ends["most"], default=math.floor(self.high * ratio))
        if self.digits is not None:
            most = 10**self.digits - 1 if places <= self.digits else -1  # zeros after the point count, too
            low, high = max(low, -most), min(high, most)
        return replace(self, line=line, low=-(-low // step) * step, high=high // step * step, step=step)

    def count(self) -> int:
        """Return how many values there are."""
        return max(0, (self.high - self.low) // self.step + 1)

    def has_value(self, code: int) -> bool:
        """Tell whether the value of a code is one of these: far from 0, floats lie further apart than their codes."""
        if self.line.kind != "float" or abs(code) < EXACT:
            return True
        found = self.line.code(self.line.value(code))
        return found is not None and self.low <= found <= self.high and found % self.step == 0


@dataclass(frozen=True, slots=True)
class Texts:
    """Strings of bounded length that match a pattern as a whole, or printable ones; delivered as `made` says."""

    pattern: str | None
    least: int
    most: int
    flags: int = 0
    made: Literal["str", "bytes", "path"] = "str"
    stated: tuple[str, ...] = ()
    unicode: bool = field(default=False, metadata=IF_SET)


@dataclass(frozen=True, slots=True)
class Build:
    """How fields become an object: a dict, a tuple, a key with its value, a call by keyword, in order or by data.

    An "object" is a dict, and an "array" a list, in which a field whose key is SPREAD stands for its own entries.
    """

    kind: Literal["dict", "tuple", "pair", "call", "in order", "validate", "object", "array"] = "dict"
    target: object = None


@dataclass(frozen=True, slots=True)
class Field:
    """A field: its name, the key it is given by, whether it must be there, and what its validators mention."""

    name: str
    shape: Shape
    required: bool = True
    key: str = ""
    mentioned: Mentioned | None = field(default=None, metadata={"told": False})

    @property
    def given_by(self) -> str:
        """The key or keyword that the field is given by."""
        return self.key or self.name


@dataclass(frozen=True, slots=True)
class EntryCount:
    """How many entries some fields have together: one for each that is there, and all of those that are spread."""

    names: tuple[str, ...]
    least: int
    most: int | None = None

    def __str__(self) -> str:
        many = f"at least {self.least}" if self.most is None else f"{self.least} to {self.most}"
        return f"{many} of {', '.join(self.names)}"


@dataclass(frozen=True, slots=True)
class NamedFields:
    """Named fields; `closed` refuses others.

    `counted` says what a check around the fields says again: so that only such sets of fields are chosen.
    """

    fields: tuple[Field, ...]
    build: Build = field(default_factory=Build)
    closed: bool = False
    counted: tuple[EntryCount, ...] = ()
    whole: bool = field(default=True, metadata={"told": False})  # no field was left out that leads too deep


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several shapes, each with a word for it."""

    alternatives: tuple[tuple[str, Shape], ...]
    whole: bool = field(default=True, metadata={"told": False})  # nothing was left out that leads too deep


@dataclass(frozen=True, slots=True)
class ItemsShape:
    """So many items of one shape; in sets and dicts no two are the same (for a dict: no two keys)."""

    item: Shape
    least: int
    most: int
    kind: Literal["list", "tuple", "set", "frozenset", "dict"] = "list"
    unique: bool = False
    stated: tuple[str, ...] = ()

    def item_key(self, plain: object) -> object:
        """Return what must differ between items: the key of a dict's item, else the item itself."""
        if self.kind == "dict":
            assert isinstance(self.item, NamedFields)
            assert isinstance(plain, dict)
            return freeze_plain(self.item.fields[0].shape, plain["key"], loose=True)
        return freeze_plain(self.item, plain, loose=self.kind in ("set", "frozenset"))


@dataclass(frozen=True, slots=True)
class Check:
    """A condition on the built value, with a name for messages; it may only say again what the shape says.

    `examples` are values that may break it, where the shape has none that do.
    """

    name: str
    function: Callable[[object], object]
    again: bool = False
    examples: tuple[object, ...] = ()

    def __str__(self) -> str:
        return self.name


def _passes(check: Check, value: object) -> bool:
    if type(value) in (list, set, dict):
        value = value.copy()  # type: ignore[attr-defined]  # a check may sort or empty what it looks at
    return bool(check.function(value))  # what a check returns is foreign, too


def first_failed(checks: tuple[Check, ...], value: object) -> str | None:
    """Return the name of the first check that the value fails; a check that raises refuses the value."""
    bare = value.value if isinstance(value, Bare) else value
    for check in checks:
        try:
            passed = foreign(_passes, check, bare)
        except EndedError as ended:
            raise type(ended)(f"{check.name}: {ended}") from None
        except (Exception, SystemExit):  # foreign code: a check that cannot decide does not let the value pass
            passed = False
        if not passed:
            return check.name
    return None


@dataclass(frozen=True, slots=True)
class Checked:
    """A shape whose built values must also pass checks."""

    inner: Shape
    checks: tuple[Check, ...]


@dataclass(frozen=True, slots=True)
class Judged(Checked):
    """Bare data described elsewhere: the checks alone say what is legal, the inner shape only what to make of it.

    `by` knows when two values are the same, and perhaps all there are.
    """

    by: Described = field(metadata={"told": False})


@dataclass(frozen=True, slots=True, eq=False)
class Bare:
    """A plain value that no choice of the shape gives: the data themselves."""

    value: object

    def __repr__(self) -> str:
        return repr(self.value)


@dataclass(frozen=True, slots=True)
class Whole:
    """All values there are, if they are few; if not, the places at which there is no end, and why; none: too many."""

    values: tuple[object, ...] | None
    open: tuple[tuple[Path, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Anything:
    """Any data at all; only what is left of a shape when its rule about the type is dropped."""


@dataclass(frozen=True, slots=True)
class Reference:
    """A shape defined elsewhere by name; `unroll` replaces it."""

    name: str


Leaf: TypeAlias = Constants | Numbers | Texts
Shape: TypeAlias = Constants | Numbers | Texts | NamedFields | Choice | ItemsShape | Checked | Reference | Anything


class Described(abc.ABC):
    """What has a shape of its own, and can stand wherever a type can: a schema of a document."""

    @abc.abstractmethod
    def shape(self, depth: int) -> Shape:
        """Return the finite shape; references to itself are entered again so many times."""

    @abc.abstractmethod
    def same(self, shape: Shape, plain: object) -> object:
        """Return what is equal exactly for plain values of a shape of it that stand for the same data."""

    @abc.abstractmethod
    def whole(self, most: int, deadline: Deadline = FOREVER) -> Whole:
        """Return every value there is, if there are no more than the most; out of time it is cut short."""


class Picked(NamedTuple):
    """A plain value of the alternative with this number."""

    which: int
    plain: object


Path: TypeAlias = tuple[str, ...]
EACH = "[]"  # the step of a path that leads into items
SPREAD = "\0spread"  # the key of a field whose entries stand beside the other fields


@functools.lru_cache(maxsize=4096)
def shown_path(path: Path) -> str:
    """Return a path as one would write it: `order.lines[].price`; the whole value is `value`."""
    text = ""
    for step in path:
        text += step if step == EACH or not text else f".{step}"
    return text or "value"


def under(words: str, alternatives: Iterable[str]) -> str:
    """Return words about a choice with the alternatives that lead to it: `a: absent, under value: person`."""
    above = " and ".join(alternatives)
    return f"{words}, under {above}" if above else words


def every(shape: Shape) -> Iterator[Shape]:
    """Yield the shape and all shapes in it."""
    yield shape
    match shape:
        case NamedFields(fields):
            for each in fields:
                yield from every(each.shape)
        case Choice(alternatives):
            for _, inner in alternatives:
                yield from every(inner)
        case ItemsShape(inner) | Checked(inner):
            yield from every(inner)


def freeze_plain(shape: Shape, plain: object, *, loose: bool = False) -> object:
    """Return a hashable form of a plain value; two are equal exactly if they stand for the same value, however chosen.

    A `loose` form is of items that a set holds once. When data that are described elsewhere are the same, that says.
    """
    match shape, plain:
        case Judged(inner, by=by), _:
            return by.same(inner, plain)
        case Checked(inner), _:
            return freeze_plain(inner, plain, loose=loose)
        case NamedFields(fields, made), dict():
            return _frozen_fields([each for each in fields if each.name in plain], made, plain, loose=loose)
        case Choice(alternatives), Picked(which, inside):  # which does not count: alternatives may share values
            return freeze_plain(alternatives[which][1], inside, loose=loose)
        case ItemsShape(item, kind=kind), tuple():
            found = [freeze_plain(item, each, loose=loose) for each in plain]
            return kind, tuple(sorted(found, key=repr) if kind in ("set", "frozenset", "dict") else found)
        case Constants() | Numbers() | Texts(), _ if loose and isinstance(plain, Hashable):
            return plain  # 0, False and 0.0 are one item of a set, and one key of a dict
        case Constants(), enum.Enum():
            return type(plain).__name__, plain.name
        case Constants(), _ if type(plain) not in PLAIN:
            return type(plain).__name__, repr(plain)
        case _:
            return type(plain), plain


def _frozen_fields(fields: list[Field], made: Build, plain: dict[str, object], *, loose: bool) -> object:
    parts = [freeze_plain(each.shape, plain[each.name], loose=loose) for each in fields]
    match made.kind:
        case "dict":  # whether a dict has fields or items
            keys = [(str, each.given_by) for each in fields]
            return "dict", tuple(sorted(zip(keys, parts, strict=True), key=repr))
        case "tuple":
            return "tuple", tuple(parts)
        case "pair":
            return tuple(parts)
    return made.kind, id(made.target), tuple((each.name, each.key) for each in fields), tuple(parts)
