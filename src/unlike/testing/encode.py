"""Plain values of a spec as JSON with tags, and back: decoded by the declaration, so no name is ever looked up.

Strings, integers and booleans stand for themselves; everything else is a list that begins with its tag. A member of an
enumeration is found by comparing what the file says with what its members would be saved as.
"""

from __future__ import annotations

import datetime
import decimal
import enum
import json
import re
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import TypeAlias

from unlike.errors import RecipeError, SavedFileError, SpecError, with_article
from unlike.language.values import (
    Date,
    DateTime,
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
from unlike.recipe import Call, Name, Recipe, Ref, Step, name_of, quote, recipe_of
from unlike.saved import Json, recipe_to_data, shorten_data

Encoders: TypeAlias = Mapping[type, Callable[..., Iterable[object]]]


class Codec:
    """Encodes and decodes the plain values of one declaration."""

    __slots__ = ("inner", "members", "value")

    def __init__(self, value: Value, encoders: Encoders) -> None:
        self.value = value
        self.inner: dict[str, Codec] = {}
        self.members: dict[str, object] = {}
        match value:
            case OneOf():
                self.members = _table(value, encoders)
            case Option(inner) | List(inner):
                self.inner = {"": Codec(inner, encoders)}
            case Record(fields):
                self.inner = {name: Codec(inner, encoders) for name, inner in fields}

    def encode(self, plain: object) -> Json:
        """Return the plain value as JSON data."""
        match self.value:
            case OneOf():
                same = (text for text, member in self.members.items() if _is_member(member, plain))
                data: Json = json.loads(next(same))
                return data
            case Option():
                return None if plain is None else self.inner[""].encode(plain)
            case List():
                return ["list", [self.inner[""].encode(each) for each in plain]]  # type: ignore[attr-defined]
            case Record():
                return ["record", {name: codec.encode(plain[name]) for name, codec in self.inner.items()}]  # type: ignore[index]
            case Real():
                return ["real", _decimal(plain, self.value.places)]  # type: ignore[arg-type]
            case Timedelta():
                return ["timedelta", plain]  # type: ignore[list-item]
            case Date() | Time() | DateTime():
                return [type(plain).__name__, plain.isoformat()]  # type: ignore[attr-defined]
        return plain  # type: ignore[return-value]

    def decode(self, data: Json) -> object:
        """Return the plain value that the data stand for; what the declaration cannot hold is refused."""
        match self.value, data:
            case (OneOf(), _):
                text = canonical(data)
                if text in self.members:
                    return self.members[text]
            case (Option(), None):
                return None
            case (Option(), _):
                return self.inner[""].decode(data)
            case (List(), ["list", list(items)]):
                return tuple(self.inner[""].decode(each) for each in items)
            case (Record(), ["record", dict(fields)]) if list(fields) == list(self.inner):
                return {name: codec.decode(fields[name]) for name, codec in self.inner.items()}
            case (Real(), ["real", str(text)]):
                return _number(text)
            case (Date(), ["date", str(text)]):
                return _moment(datetime.date, text)
            case (Time(), ["time", str(text)]):
                return _moment(datetime.time, text)
            case (DateTime(), ["datetime", str(text)]):
                return _moment(datetime.datetime, text)
            case (Timedelta(), ["timedelta", int(ticks)]) if type(ticks) is int:
                return ticks
            case (Str(), str()) | (Int(), int()) if not isinstance(data, bool):
                return data
            case (_, bool()):
                return data  # whether it belongs is checked with everything else
        raise SavedFileError(f"{shorten_data(data)} cannot be a value of {_in_words(self.value)}")


def canonical(data: Json) -> str:
    """Return the one way in which the data are written."""
    return json.dumps(data, ensure_ascii=False, separators=(", ", ": "))


def recipe_with(encoders: Encoders, value: object) -> Recipe:
    """Return the recipe of a value, with the user's encoders asked first: each gives its class's arguments."""
    encoder = encoders.get(type(value))
    if encoder is None:
        return recipe_of(value)
    steps: list[Step] = []
    arguments = tuple(quote(each, steps) for each in encoder(value))
    steps.append(Call(name_of(type(value)), arguments))
    return Recipe(tuple(steps), Ref(len(steps) - 1))


def _table(value: OneOf, encoders: Encoders) -> dict[str, object]:
    """Return the members by what they are saved as; two that look the same cannot be told apart."""
    table: dict[str, object] = {}
    for member in value.members:
        text = canonical(_member_data(value.given[member] if value.given else member, encoders))
        if text in table:
            raise SpecError(
                f"{member!r} and {table[text]!r} would be saved as the same {text}; give each a form of its own"
            )
        table[text] = member
    return table


def _member_data(member: object, encoders: Encoders) -> Json:
    if member is None or type(member) in (bool, int, str):
        return member  # type: ignore[return-value]
    if isinstance(member, enum.Enum):
        return ["enum", f"{type(member).__name__}.{member.name}"]
    if type(member) in (datetime.date, datetime.time):
        return [type(member).__name__, member.isoformat()]  # type: ignore[attr-defined]
    kind = type(member).__name__
    try:
        recipe = recipe_with(encoders, member)
        if not recipe.steps and isinstance(recipe.result, Name):
            return ["name", recipe.result.qualname]
        return ["made", recipe_to_data(recipe)]
    except RecipeError as error:
        raise SpecError(
            f"{member!r} cannot be saved: {kind} has no literal form. Register an encoder that gives the arguments of "
            f"its class: encoders={{{kind}: lambda x: (x.first, x.second)}} in the decorator, or a function "
            "pytest_unlike_encoders() in conftest.py that returns such a dict"
        ) from error


def _is_member(member: object, plain: object) -> bool:
    return member is plain or (type(member) is type(plain) and bool(member == plain))


def _decimal(number: Fraction, places: int) -> str:
    return format(decimal.Decimal(int(number * 10**places)).scaleb(-places), "f")


def _number(text: str) -> Fraction:
    if not re.fullmatch(r"-?[0-9]{1,40}(\.[0-9]{1,40})?", text):  # no exponents: 1e999999999 would never end
        raise SavedFileError(f"{shorten_data(text)} is not a decimal number")
    return Fraction(text)


def _moment(kind: type[datetime.date] | type[datetime.time], text: str) -> datetime.date | datetime.time:
    try:
        moment = kind.fromisoformat(text)
    except ValueError as error:
        raise SavedFileError(f"{shorten_data(text)} is not {with_article(kind.__name__)}: {error}") from None
    return moment


def _in_words(value: Value) -> str:
    text = repr(value)
    return text if len(text) <= 120 else f"{text[:117]}..."
