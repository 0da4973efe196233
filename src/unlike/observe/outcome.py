"""A result, coarsely: what two calls gave is alike if its shape is, without asking any code of the user's.

"2.0-rc1"  ->  "'0.0-aa0'"        [12, None]  ->  "[00, None]"        Point(x=3)  ->  "Point(x=0)"
"""

from __future__ import annotations

import datetime
import decimal
import enum
import fractions
import functools
import re
import uuid

WRITTEN = frozenset({float, complex, decimal.Decimal, fractions.Fraction, uuid.UUID, range})
WRITTEN |= {datetime.date, datetime.datetime, datetime.time, datetime.timedelta}
BRACKETS: dict[type, str] = {list: "[]", tuple: "()", set: "{}", frozenset: "{}", dict: "{}"}
LONG = 80  # characters of a value that its shape looks at: the rest is more of the same
SEVERAL = 4  # items of a container that its shape looks at
DEEP = 3  # containers within each other that its shape looks at
HUGE = 1 << 200  # numbers from here on are not written out: it takes the square of their length


def shape_of(value: object, depth: int = DEEP) -> str:
    """Return a coarse text of a value: letters and digits made equal, repetitions cut, objects by their attributes."""
    kind = type(value)
    if kind is str or kind is bytes or kind is bytearray:
        return _flatten(repr(value[:LONG]))  # type: ignore[index]
    if kind is int:
        return _flatten(str(value)) if -HUGE < value < HUGE else "0 many times"  # type: ignore[operator]
    if value is None or kind is bool:
        return str(value)
    if kind in BRACKETS:
        return _shape_of_container(value, BRACKETS[kind], depth) if depth else kind.__name__
    if kind in WRITTEN:
        return _flatten(str(value))
    if isinstance(value, enum.Enum):
        return f"{kind.__name__}.{value._name_}"
    if isinstance(value, re.Match):
        return f"match{[group is not None for group in value.groups()]}"
    return kind.__name__ + _shape_of_attributes(value, depth) if depth else kind.__name__


ALIKE = dict.fromkeys(range(ord("0"), ord("9") + 1), "0") | dict.fromkeys(range(ord("a"), ord("z") + 1), "a")
ALIKE |= dict.fromkeys(range(ord("A"), ord("Z") + 1), "A")
REPEATED = re.compile(r"(.)\1+")


@functools.lru_cache(maxsize=4096)  # what code gives comes again and again
def _flatten(text: str) -> str:
    return REPEATED.sub(r"\1\1", text.translate(ALIKE))


def _shape_of_container(value: object, brackets: str, depth: int) -> str:
    if isinstance(value, dict):
        items = [f"{shape_of(key, depth - 1)}: {shape_of(each, depth - 1)}" for key, each in [*value.items()][:SEVERAL]]
    else:
        items = [shape_of(each, depth - 1) for each in [*value][:SEVERAL]]  # type: ignore[misc]
    size = len(value)  # type: ignore[arg-type]
    if isinstance(value, set | frozenset):
        items = sorted({shape_of(each, depth - 1) for each in value})[:SEVERAL]
    return brackets[0] + ", ".join(items) + (", …" if size > SEVERAL else "") + brackets[1]


def _shape_of_attributes(value: object, depth: int) -> str:
    try:
        kept = object.__getattribute__(value, "__dict__")
    except AttributeError:  # slots, or a class written in C
        kept = {}
        for cls in type(value).__mro__:
            slots = cls.__dict__.get("__slots__", ())
            for name in (slots,) if isinstance(slots, str) else tuple(slots):
                try:
                    kept[name] = object.__getattribute__(value, name)
                except AttributeError:
                    continue
    items = [f"{name}={shape_of(each, depth - 1)}" for name, each in [*kept.items()][: 2 * SEVERAL]]
    return f"({', '.join(items)})" if items else ""
