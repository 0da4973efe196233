"""What a document may be at most, and a walk over it that says so before anything else relies on it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from unlike.errors import SpecError

Data: TypeAlias = bool | int | float | str | list["Data"] | dict[str, "Data"] | None

MOST_BYTES = 20_000_000  # ten times the largest descriptions of services that are published
MOST_VALUES = 2_000_000  # some hundred megabytes as Python objects; aliases of YAML could ask for any number
MOST_DEPTH = 200  # what reads documents later goes down by calling itself


def check_size(size: int, source: str) -> None:
    """Refuse a document of too many bytes before it is read."""
    if size > MOST_BYTES:
        raise SpecError(
            f"{source} has {size:,} bytes; documents of up to {MOST_BYTES:,} are read: split it, or keep what is needed"
        )


def check_data(data: Data, source: str) -> None:
    """Refuse data that are too many, nested too deep, or hold a number that no JSON has."""
    level: list[Data] = [data]
    seen = depth = 0
    while level:
        seen += len(level)
        depth += 1
        if seen > MOST_VALUES:
            raise too_many(source)
        if depth > MOST_DEPTH:
            raise too_deep(source)
        if any(isinstance(each, float) and each - each != 0 for each in level):
            raise SpecError(f"{source} holds a number too large for JSON readers; write a smaller one")
        level = [inner for each in level if isinstance(each, dict | list) for inner in _inside(each)]


def _inside(data: dict[str, Data] | list[Data]) -> Iterable[Data]:
    return data.values() if isinstance(data, dict) else data


def too_deep(source: str) -> SpecError:
    """Return the error for a document that is nested too deep."""
    return SpecError(f"{source} is nested more than {MOST_DEPTH} levels deep; move inner parts out and refer to them")


def too_many(source: str) -> SpecError:
    """Return the error for a document of too many values."""
    return SpecError(f"{source} holds more than {MOST_VALUES:,} values; keep what is needed")
