"""Plain values as they are: every field of a record, however deep, with what it holds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


def _key(item: tuple[Any, Any]) -> tuple[int, int, str]:
    """Order the items of a dict as the domains of keys do: ints by size, the rest by what they look like."""
    return _member(item[0])


def _member(value: Any) -> tuple[int, int, str]:
    if isinstance(value, int):
        return 0, value, ""
    return 1, 0, repr(value)


def parts_of(value: Any, place: str = "") -> Iterator[tuple[str, Any]]:
    """Yield every field of a plain value, however deep, with what it holds: dataclasses, dicts, tuples, lists."""
    fields = _fields(value)
    if fields is None:
        yield place, value
        return
    if isinstance(value, list | tuple | set | frozenset) and not hasattr(value, "_fields"):
        yield f"len({place})", len(value)
    for name, inner in fields:
        yield from parts_of(inner, f"{place}{name}" if place else name.lstrip("."))


def _fields(value: Any) -> list[tuple[str, Any]] | None:
    cls = type(value)
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return [(f".{name}", getattr(value, name)) for name in getattr(value, "_fields", ())]
    if isinstance(value, list | tuple):
        return [(f"[{index}]", each) for index, each in enumerate(value)]
    if isinstance(value, set | frozenset):
        return [(" has", each) for each in sorted(value, key=_member)]
    if isinstance(value, dict):
        keyed = sorted(value.items(), key=_key)
        return [
            (f".{key}" if isinstance(key, str) and key.isidentifier() else f"[{key!r}]", each) for key, each in keyed
        ]
    names = getattr(cls, "__dataclass_fields__", None) or getattr(cls, "model_fields", None)
    if names is None and hasattr(cls, "__attrs_attrs__"):
        names = [each.name for each in cls.__attrs_attrs__]
    if names is not None:
        return [(f".{name}", getattr(value, name)) for name in names]
    return None
