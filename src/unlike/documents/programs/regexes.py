"""Forms that make a regex of regexes, and forms that name a type."""

from __future__ import annotations

import datetime
import decimal
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction

from unlike.documents import ready_made
from unlike.documents.programs.sexpr import Form, Hole, ProgramError, Rx, SexprLiteral, Symbol, Tree, error_at, flat
from unlike.errors import SpecError, nearest
from unlike.language.values import (
    Bool,
    Date,
    DateTime,
    Decimal,
    Int,
    List,
    OneOf,
    Option,
    Real,
    Record,
    Str,
    Time,
    Timedelta,
    Value,
)
from unlike.regex.quiet import compile_quietly

LONGEST = 20_000  # characters of a pattern put together from others
DECIMAL = re.compile(r"-?[0-9]{1,40}(\.[0-9]{1,40})?")
SECONDS = 10**13  # of a timedelta: as many as Python's has room for
SHOWN = 60  # characters of an offending form in a message


@dataclass(frozen=True, slots=True)
class ProgramRegex:
    """A regex, as Python writes it."""

    pattern: str
    flags: int = 0


def refuse(tree: Tree, said: str) -> ProgramError:
    """Return the error about a form: where it stands, what it is, and what is wrong with it."""
    shown = flat(tree)
    shown = shown if len(shown) <= SHOWN else shown[: SHOWN - 1] + "…"
    return error_at(tree.place, f"{shown}: {said}")


@contextmanager
def refuse_at(tree: Tree) -> Iterator[None]:
    """Give what is refused inside the place of a form, unless it has one already."""
    try:
        yield
    except ProgramError:
        raise
    except SpecError as error:
        raise refuse(tree, str(error)) from None
    except RecursionError:
        raise refuse(tree, "is nested too deeply") from None


# -- regexes -----------------------------------------------------------------------------------------------

REGEX_FORMS = ("re-union", "re-?", "re-+", "re-*", "concat", "flags")
Lookup = Callable[[Symbol], object]


def regex(tree: Tree, find: Lookup) -> ProgramRegex:
    """Return the regex that a form stands for: a literal, a declared one, or one made of others."""
    match tree:
        case Rx(pattern) | SexprLiteral(str() as pattern):
            return _check_regex(tree, ProgramRegex(pattern))
        case Symbol():
            found = find(tree)
            if isinstance(found, str):
                return _check_regex(tree, ProgramRegex(found))
            if isinstance(found, ProgramRegex):
                return found
            raise refuse(tree, 'is no regex; expected a string, #rx"…" or the name of a declared one')
        case Form() if tree.head in REGEX_FORMS:
            made = _combine(tree, find)
            if len(made.pattern) > LONGEST:
                raise refuse(tree, f"makes a pattern of {len(made.pattern)} characters; expected at most {LONGEST}")
            return _check_regex(tree, made)
        case Form() if tree.head:
            raise refuse(tree, f"makes no regex; {nearest(tree.head, REGEX_FORMS)}")
    raise refuse(tree, 'expected a regex: a string, #rx"…", a declared name, (re-union …), (concat …)')


def _combine(tree: Form, find: Lookup) -> ProgramRegex:
    head, *written = tree.parts
    del head
    if tree.head == "flags":
        match written:
            case [SexprLiteral(int() as flags), inner] if type(flags) is int and 0 <= flags < 512:
                return ProgramRegex(regex(inner, find).pattern, flags)
        raise refuse(tree, "expected (flags NUMBER regex), with the flags of Python's re as a number below 512")
    separator = ""
    if tree.head == "concat" and written and isinstance(first := written[0], SexprLiteral):
        separator, written = re.escape(str(first.value)), written[1:]
    parts = [regex(each, find) for each in written]
    if any(part.flags for part in parts):
        raise refuse(tree, "a regex with flags cannot be part of another; put the flags outside")
    grouped = [f"(?:{part.pattern})" for part in parts]
    match tree.head, grouped:
        case _, []:
            raise refuse(tree, "expected at least one regex" + (" after the separator" if separator else ""))
        case "re-union", _:
            return ProgramRegex("|".join(grouped))
        case "concat", _:
            return ProgramRegex(separator.join(grouped))
        case _, [only]:
            return ProgramRegex(only + str(tree.head)[3:])
    raise refuse(tree, f"takes one regex, not {len(grouped)}")


def _check_regex(tree: Tree, made: ProgramRegex) -> ProgramRegex:
    try:
        compile_quietly(made.pattern, made.flags)
    except (re.error, RecursionError, OverflowError, ValueError) as error:
        raise refuse(tree, f"is not a regex: {error}") from None
    return made


# -- types -------------------------------------------------------------------------------------------------

PLAIN: Mapping[str, Callable[[], Value]] = {
    "Integer": Int,
    "Boolean": Bool,
    "Real": Real,
    "String": Str,
    "Date": Date,
    "Time": Time,
    "DateTime": DateTime,
    "Timedelta": Timedelta,
    "Decimal": Decimal,
    "Location": ready_made.Place,
    "TimeZone": ready_made.TimeZone,
    "Email": ready_made.email,
    "Url": ready_made.url,
    "Slug": ready_made.slug,
    "AccountNumber": ready_made.account_number,
    "Uuid": ready_made.uuid,
    "IpAddress": ready_made.ip_address,
    "IsoDate": ready_made.iso_date,
    "Iban": ready_made.iban,
}
MADE = (
    *("Option", "List", "OneOf", "Record", "Integer", "Real", "Decimal", "String"),
    *("Date", "Time", "DateTime", "Timedelta", "Location", "TimeZone"),
)


class Types:
    """Reads types; names that are not built in are looked up."""

    NAMES = (*PLAIN, "Object", "Option", "List", "OneOf", "Record")

    def __init__(self, named: Callable[[Symbol], Value], find: Lookup) -> None:
        self.named, self.find = named, find

    def read(self, tree: Tree) -> Value:
        """Return the value that a type stands for."""
        match tree:
            case Hole(inner):
                return self.read(inner)
            case Symbol(name) if name in PLAIN:
                return PLAIN[name]()
            case Symbol(name) if name in MADE:
                raise refuse(tree, f"expected {_USAGE[name]}")
            case Symbol("Object") | Form(items=(Symbol("Object"), *_)):
                raise refuse(tree, f"expected (declare NAME ?Object) by itself, or {_USAGE['Record']}")
            case Symbol():
                return self.named(tree)
            case Form() if tree.head in MADE:
                with refuse_at(tree):
                    return self.build_type(tree)
            case Form() if tree.head:
                known = f"expected {tree.head}, without brackets" if tree.head in PLAIN else nearest(tree.head, MADE)
                raise refuse(tree, f"makes no type; {known}")
        raise refuse(tree, "expected a type, like Integer, (Option Date) or a declared name")

    def build_type(self, tree: Form) -> Value:
        """Return the value of a type with parameters."""
        _, *written = tree.parts
        match tree.head, written:
            case "Option", [inner]:
                return Option(self.read(inner))
            case "List", [inner]:
                return List(self.read(inner))
            case "List", [inner, SexprLiteral(int() as low), SexprLiteral(int() as high)]:
                return List(self.read(inner), low, high)
            case "OneOf", _:
                return OneOf(*(as_member(constant(each)) for each in written))
            case "Record", [_, *_]:
                return self.record(tree, written)
            case "Integer", [SexprLiteral(int() as low), SexprLiteral(int() as high)]:
                return Int(low, high)
            case (("Real" | "Decimal") as name, [low, high, SexprLiteral(int() as places)]):
                made = Real if name == "Real" else Decimal
                return made(as_member(constant(low)), as_member(constant(high)), places)  # type: ignore[arg-type]
            case "String", _:
                return self.string(tree, written)
            case "Date", [low, high]:
                return Date(constant(low), constant(high))  # type: ignore[arg-type]
            case "Time", [low, high, SexprLiteral(int() as step)]:
                return Time(constant(low), constant(high), step)  # type: ignore[arg-type]
            case (("DateTime" | "Timedelta") as name, [low, high, step]):
                of_time = DateTime if name == "DateTime" else Timedelta
                return of_time(constant(low), constant(high), constant(step))  # type: ignore[arg-type]
            case (("Location" | "TimeZone"), _) if all(isinstance(each, SexprLiteral) for each in written):
                names = [str(each.value) for each in written if isinstance(each, SexprLiteral)]
                return ready_made.Place(*names) if tree.head == "Location" else ready_made.TimeZone(*names)
        raise refuse(tree, f"expected {_USAGE[str(tree.head)]}")

    def record(self, tree: Form, written: list[Tree]) -> Record:
        """Return the value of (Record (NAME TYPE) …)."""
        fields: dict[str, Value] = {}
        for each in written:
            if not isinstance(each, Form) or not each.head or len(each.parts) != 2:
                raise refuse(tree, f"expected {_USAGE['Record']}")
            if each.head in fields:
                raise refuse(each, f"there is a field {each.head!r} already; expected another name")
            fields[each.head] = self.read(each.parts[1])
        return Record(tuple(fields.items()))

    def string(self, tree: Form, written: list[Tree]) -> Str:
        """Return the value of (String regex (length LOW HIGH)), both parts optional."""
        made: ProgramRegex | None = None
        low: int = 0
        high: int | None = None
        for each in written:
            match each:
                case Form(items=(Symbol("length"), SexprLiteral(int() as low), SexprLiteral(int() as high))):
                    pass
                case Form(items=(Symbol("length"), *_)):
                    raise refuse(each, f"expected {_USAGE['String']}")
                case _ if made is None:
                    made = regex(each, self.find)
                case _:
                    raise refuse(tree, f"expected {_USAGE['String']}")
        return Str(None, low, high) if made is None else Str(made.pattern, low, high, made.flags)


_USAGE = {
    "Option": "(Option TYPE)",
    "List": "(List TYPE) or (List TYPE LEAST MOST)",
    "OneOf": "(OneOf VALUE …)",
    "Record": "(Record (NAME TYPE) …)",
    "Integer": "Integer or (Integer LOW HIGH)",
    "Real": "Real or (Real LOW HIGH PLACES)",
    "String": "String or (String REGEX (length LEAST MOST))",
    "Date": 'Date or (Date (date "2024-01-01") (date "2024-12-31"))',
    "Time": 'Time or (Time (time "09:00:00") (time "17:00:00") STEP)',
    "Decimal": "Decimal or (Decimal LOW HIGH PLACES)",
    "DateTime": 'DateTime or (DateTime (datetime "2024-01-01T00:00") (datetime "2024-12-31T23:59") STEP)',
    "Timedelta": "Timedelta or (Timedelta (timedelta 0) (timedelta 3600) STEP)",
    "Location": 'Location or (Location "Tokyo" …)',
    "TimeZone": 'TimeZone or (TimeZone "Asia/Tokyo" …)',
}


def constant(tree: Tree) -> object:
    """Return the value of a literal, of none, or of a form like (date "2024-01-01") or (list 1 2)."""
    match tree:
        case SexprLiteral(value):
            return value
        case Symbol("none"):
            return None
        case Form(items=(Symbol("date"), SexprLiteral(str() as written))):
            return _parse_iso(tree, datetime.date.fromisoformat, written)
        case Form(items=(Symbol("time"), SexprLiteral(str() as written))):
            return _parse_iso(tree, datetime.time.fromisoformat, written)
        case Form(items=(Symbol("datetime"), SexprLiteral(str() as written))):
            return _parse_iso(tree, datetime.datetime.fromisoformat, written)
        case Form(items=(Symbol("timedelta"), SexprLiteral(int() | Fraction() as seconds))):
            if -SECONDS < seconds < SECONDS:
                return datetime.timedelta(microseconds=int(seconds * 10**6))
        case Form(items=(Symbol("decimal"), SexprLiteral(str() as written))) if DECIMAL.fullmatch(written):
            return decimal.Decimal(written)
        case Form(items=(Symbol("location"), SexprLiteral(str() as name))):
            return _only(tree, ready_made.Place, name)
        case Form(items=(Symbol("time-zone"), SexprLiteral(str() as name))):
            return _only(tree, ready_made.TimeZone, name)
        case Form(items=(Symbol("list"), *written)):
            return [constant(each) for each in written]
        case Form(items=(Symbol("record"), *written)):
            return dict(_pair(each, tree) for each in written)
    raise refuse(tree, 'expected a value: a number, a string, #t, none, (date "2024-01-01") or the like')


def as_member(value: object) -> object:
    """Return a constant as Python writes members of an enumeration and bounds: 1.5 is a float, and none of the ints."""
    match value:
        case Fraction():
            return float(value)
        case list():
            return [as_member(each) for each in value]
        case dict():
            return {name: as_member(each) for name, each in value.items()}
    return value


def _pair(tree: Tree, around: Form) -> tuple[str, object]:
    match tree:
        case Form(items=(Symbol(name), inner)):
            return name, constant(inner)
    raise refuse(around, "expected (record (NAME VALUE) …)")


def _parse_iso(tree: Tree, read: Callable[[str], object], written: str) -> object:
    try:
        return read(written)
    except ValueError as error:
        raise refuse(tree, f'{error}; expected (date "2024-01-31"), (time "23:59:00") or the like') from None


def _only(tree: Tree, make: Callable[[str], OneOf], name: str) -> object:
    with refuse_at(tree):
        return make(name).members[0]
