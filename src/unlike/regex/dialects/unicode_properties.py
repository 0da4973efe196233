r"""The characters that a Unicode property holds, by the names that `\p{…}` takes: `Lu`, `Script=Greek`, `Emoji`.

The table was written by node (`tests/regex/node/properties.mjs`), so that its version of Unicode and its names hold.
"""

from __future__ import annotations

import functools
import json
from importlib import resources
from itertools import pairwise
from typing import TypedDict

from unlike.regex.chars import Ranges

KINDS = {"General_Category": "gc", "gc": "gc", "Script": "sc", "sc": "sc", "Script_Extensions": "scx", "scx": "scx"}


class _Property(TypedDict):
    names: list[str]
    steps: str  # to the next run of characters, and how many it has: "1t a" is 0-9 after 65 others


@functools.cache
def _table() -> dict[tuple[str, str], str]:
    """Return the steps of each property by its kind and by each of its names."""
    text = resources.files("unlike.regex.dialects").joinpath("properties.json").read_text("ascii")
    read: dict[str, dict[str, _Property]] = json.loads(text)
    return {
        (kind, name): each["steps"]
        for kind in ("binary", "gc", "sc", "scx")
        for each in read[kind].values()
        for name in each["names"]
    }


def property_names() -> list[tuple[str, str]]:
    """Return the kind (`gc`, `sc`, `scx`, `binary`) and the name of all that is known, each name a property has."""
    return list(_table())


@functools.lru_cache(maxsize=256)
def property_ranges(said: str) -> Ranges | None:
    r"""Return the characters of what stands between the braces of `\p{…}`, or nothing where it has no such name.

    >>> property_ranges("ASCII_Hex_Digit")
    ((48, 57), (65, 70), (97, 102))
    """
    kind, equals, name = said.partition("=")
    if equals:
        steps = _table().get((KINDS.get(kind, ""), name))
    else:
        steps = _table().get(("gc", said), _table().get(("binary", said)))
    return None if steps is None else _runs(steps)


def _runs(steps: str) -> Ranges:
    numbers = [int(each, 36) for each in steps.split()]
    ends = [0]
    for each in numbers:
        ends.append(ends[-1] + each)
    return tuple((start, end - 1) for start, end in list(pairwise(ends))[1::2])
