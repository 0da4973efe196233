r"""The sets of characters that Rust's patterns have names for: `\w`, `\p{Greek}`, `[[:alpha:]]`, and both cases.

Names of properties are read loosely, as Unicode allows: case, blanks, `_`, `-` and a leading `is` do not count.
"""

from __future__ import annotations

import functools
import re
import sys

from unlike.regex import chars
from unlike.regex.chars import Ranges
from unlike.regex.dialects.unicode_properties import property_names, property_ranges

SURROGATES: Ranges = ((0xD800, 0xDFFF),)  # no text of Rust holds one


def _find_properties(*names: str) -> Ranges:
    return chars.union(property_ranges(name) or () for name in names)


_SHORTHANDS = {"d": ("Nd",), "s": ("White_Space",), "w": ("Alphabetic", "M", "Nd", "Pc", "Join_Control")}
POSIX: dict[str, Ranges] = {
    name: chars.normal(ranges)
    for name, ranges in {
        "alnum": [(48, 57), (65, 90), (97, 122)], "alpha": [(65, 90), (97, 122)], "ascii": [(0, 127)],
        "blank": [(9, 9), (32, 32)], "cntrl": [(0, 31), (127, 127)], "digit": [(48, 57)], "graph": [(33, 126)],
        "lower": [(97, 122)], "print": [(32, 126)], "punct": [(33, 47), (58, 64), (91, 96), (123, 126)],
        "space": [(9, 13), (32, 32)], "upper": [(65, 90)], "word": [(48, 57), (65, 90), (95, 95), (97, 122)],
        "xdigit": [(48, 57), (65, 70), (97, 102)],
    }.items()
}  # fmt: skip


@functools.cache
def shorthand(letter: str, *, unicode: bool) -> Ranges:
    r"""Return what \d, \s or \w holds, with the u flag or without."""
    if unicode:
        return _find_properties(*_SHORTHANDS[letter])
    return POSIX[{"d": "digit", "s": "space", "w": "word"}[letter]]


def _loose(name: str) -> str:
    bare = re.sub(r"[\s_-]", "", name).lower()
    return bare[2:] if bare.startswith("is") and len(bare) > 2 else bare


@functools.cache
def _names() -> dict[tuple[str, str], str]:
    """Return how each property is called for `property_ranges`, by its kind and its loose name."""
    found: dict[tuple[str, str], str] = {}
    for kind, name in property_names():
        found.setdefault((kind, _loose(name)), name if kind in ("gc", "binary") else f"{kind}={name}")
    return found


KINDS = {"generalcategory": "gc", "gc": "gc", "script": "sc", "sc": "sc", "scriptextensions": "scx", "scx": "scx"}


@functools.lru_cache(maxsize=256)
def named_property(said: str) -> Ranges | None:
    """Return the characters of a property, or nothing where there is none of that name."""
    kind, equals, name = said.partition("=")
    if equals:
        known = _names().get((KINDS.get(_loose(kind), ""), _loose(name)))
    else:
        special = {"any": chars.WRITABLE, "ascii": POSIX["ascii"]}.get(_loose(said))
        if special is not None:
            return special
        if _loose(said) == "assigned":
            return chars.difference(chars.WRITABLE, _find_properties("Cn"))
        known = next((found for kind in ("gc", "binary", "sc") if (found := _names().get((kind, _loose(said))))), None)
    if known in (None, "Cs", "Surrogate"):
        return None
    return chars.difference(property_ranges(known) or (), SURROGATES)


# -- upper and lower case ------------------------------------------------------------------------------------------


def _simple_fold(char: str) -> str:
    """Return the one character that stands for all cases of a character."""
    return next((each for each in (char.casefold(), char.lower()) if len(each) == 1), char)


@functools.cache
def _cases() -> dict[int, tuple[int, ...]]:
    """Return, of every character with several cases, all of them."""
    by_fold: dict[str, list[int]] = {}
    for point in range(sys.maxunicode + 1):
        char = chr(point)
        if char.isalpha() or char.lower() != char or char.upper() != char:
            by_fold.setdefault(_simple_fold(char), []).append(point)
    return {point: tuple(alike) for alike in by_fold.values() if len(alike) > 1 for point in alike}


@functools.lru_cache(maxsize=1024)
def fold_simply(ranges: Ranges, *, ascii_only: bool) -> Ranges:
    """Return the set with every other case of what it holds."""
    if ascii_only:
        letters = chars.intersection(ranges, POSIX["alpha"])
        return chars.normal([*ranges, *((low ^ 32, high ^ 32) for low, high in letters)])
    cases = _cases()
    if chars.size(ranges) < len(cases):
        more = (other for low, high in ranges for point in range(low, high + 1) for other in cases.get(point, ()))
    else:
        more = (other for point, alike in cases.items() if chars.holds(ranges, point) for other in alike)
    return chars.normal([*ranges, *((point, point) for point in more)])
