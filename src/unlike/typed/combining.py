"""What is said about combinations (`cover=3`, `strength=`, `rows=`, `negative=`, `ignore=`, `smallest=`), checked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypedDict

from unlike.errors import ScopeError, SpecError
from unlike.language.differences import CoverStructure
from unlike.structure.cover.tuples import Combining

USUAL = 2  # pairs, where only the rest is said


class CombiningKeywords(TypedDict, total=False):
    """What is said beside the strength of all places."""

    strength: Mapping[str, int] | None
    rows: Iterable[object]
    negative: Mapping[str, object] | None
    ignore: Iterable[Mapping[str, object]]
    smallest: bool


def read_cover(cover: object) -> object:
    """Return the strength as it is said, a number that is written as one.

    >>> read_cover("3"), read_cover("pairs")
    (3, 'pairs')
    """
    return int(cover) if isinstance(cover, str) and cover.isdecimal() else cover


def combining_of(
    cover: object,
    strength: Mapping[str, int] | None = None,
    rows: Iterable[object] = (),
    negative: Mapping[str, object] | None = None,
    ignore: Iterable[Mapping[str, object]] = (),
    smallest: bool = False,
) -> Combining | None:
    """Return how choices are combined; nothing where only words are said that need no array of their own."""
    cover = read_cover(cover.strength if isinstance(cover, CoverStructure) else cover)
    said = {"strength": strength, "rows": rows, "negative": negative, "ignore": ignore, "smallest": smallest}
    given = [name for name, value in said.items() if value not in (None, (), [], {}, False)]
    if isinstance(cover, bool) or not isinstance(cover, int):
        if not given:
            return None
        if cover not in (None, "pairs"):
            raise SpecError(f"cover={cover!r} and {given[0]} contradict each other; say how many are combined: cover=2")
        cover = USUAL
    if cover < 1:
        raise ScopeError(f"cover={cover!r} must be at least 1: how many choices are combined")
    if type(smallest) is not bool:
        raise ScopeError(f"smallest={smallest!r} must be True or False")
    return Combining(
        cover,
        _read_mixed(strength or {}),
        _read_list("rows", rows),
        _read_negative(negative or {}),
        _read_list("ignore", ignore),  # type: ignore[arg-type]
        smallest,
    )


def _read_mixed(strength: object) -> tuple[tuple[tuple[str, ...], int], ...]:
    if not isinstance(strength, Mapping):
        raise SpecError(f"strength={strength!r} must be a dict: {{'kind,country,tax': 3}}")
    found = []
    for names, t in strength.items():
        parts = tuple(each.strip() for each in names.split(",")) if isinstance(names, str) else tuple(names)
        if not all(isinstance(each, str) and each for each in parts) or not parts:
            raise SpecError(f"strength: {names!r} names no places; write 'kind,country,tax'")
        if type(t) is not int or t < 1:
            raise ScopeError(f"strength: {','.join(parts)}={t!r} must be a whole number of at least 1")
        found.append((parts, t))
    return tuple(found)


def _read_negative(negative: object) -> tuple[tuple[str, object], ...]:
    if not isinstance(negative, Mapping):
        raise SpecError(f"negative={negative!r} must be a dict: {{'age': [-1, 200]}}")
    values = {
        name: [each] if isinstance(each, str) or not isinstance(each, Iterable) else list(each)
        for name, each in negative.items()
    }
    return tuple((name, value) for name, listed in values.items() for value in listed)


def _read_list(name: str, given: object) -> tuple[object, ...]:
    if isinstance(given, str | bytes | Mapping) or not isinstance(given, Iterable):
        raise SpecError(f"{name}={given!r} must be a list")
    return tuple(given)
