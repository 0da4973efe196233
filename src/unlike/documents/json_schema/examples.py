"""Examples and defaults of a description: each is put where it belongs, into an instance that has such a place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from unlike.documents.json_schema.keywords import EXAMPLES, identity
from unlike.documents.json_schema.validator import SEEKING, complaints

MOST_EXAMPLES = 200  # of one description


@dataclass(frozen=True, slots=True)
class GivenExample:
    """An instance with a value that the description gives: where, by which word, and the value itself."""

    place: tuple[str | int, ...]
    word: str
    value: object
    whole: object


def examples_in(validator: Any, values: Iterable[object]) -> Iterator[GivenExample]:
    """Yield instances with each example that none of the values has at its place; whether they are legal is not known.

    An example that several values have a place for comes once for each, so that one of them may be accepted.
    """
    seeking = validator.evolve(format_checker=SEEKING)
    places = [
        (value, blamed.about, blamed.schema)
        for value in values
        for blamed, part in complaints(seeking, value, EXAMPLES)
        if _is_at(value, blamed.about, part)
    ]
    shown = {(id(schema), identity(_part_at(value, place))) for value, place, schema in places}
    for value, place, schema in places:
        for word, given in schema[EXAMPLES][:MOST_EXAMPLES]:  # type: ignore[index]
            if (id(schema), identity(given)) not in shown:
                yield GivenExample(place, word, given, _put(value, place, given))


def _part_at(value: Any, place: tuple[str | int, ...]) -> object:
    for step in place:
        value = value[step]
    return value


def _is_at(value: object, place: tuple[str | int, ...], part: object) -> bool:
    """Tell whether a schema speaks of a part of a value, not of a name."""
    return _part_at(value, place) is part


def _put(value: Any, place: tuple[str | int, ...], given: object) -> object:
    if not place:
        return given
    inner = _put(value[place[0]], place[1:], given)
    if isinstance(value, dict):
        return {**value, place[0]: inner}
    return [inner if at == place[0] else each for at, each in enumerate(value)]
