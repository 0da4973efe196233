"""Sets of characters as sorted ranges of code points.

A set is a sorted tuple of (low, high) pairs that neither touch nor overlap. What the categories and the
case-insensitive matches of `re` contain is asked of `re` itself, so both always mean the same.
"""

from __future__ import annotations

import bisect
import functools
import itertools
import re
from collections.abc import Iterable, Iterator
from typing import TypeAlias

from unlike.indexed import spread_indices

Ranges: TypeAlias = tuple[tuple[int, int], ...]

HIGHEST = 0x10FFFF  # the last character of Unicode
ASCII_END = 128  # the first code point beyond ASCII
NOTHING: Ranges = ()
EVERYTHING: Ranges = ((0, HIGHEST),)
NEWLINE: Ranges = ((10, 10),)
WRITABLE: Ranges = ((0, 0xD7FF), (0xE000, HIGHEST))  # all but halves of characters, which no file holds
PRINTABLE: Ranges = ((32, 126),)

# What a reader likes to see first; a character belongs to the first tier that holds it.
_TIERS: tuple[Ranges, ...] = (
    ((97, 122),),  # a-z
    ((65, 90),),  # A-Z
    ((48, 57),),  # 0-9
    ((45, 46), (95, 95)),  # - . _
    ((33, 126),),
    ((32, 32),),
    ((0xC0, 0xD6), (0xD8, 0xF6), (0xF8, 0x17F)),  # Latin letters with accents
    ((0x391, 0x3A1), (0x3A3, 0x3C9), (0x410, 0x44F)),  # Greek and Cyrillic letters
    ((0xA1, 0xAC), (0xAE, 0x2FF)),
    ((9, 10),),
    ((0x370, 0x1FFF), (0x2010, 0x2027), (0x2030, 0x205E), (0x2070, 0xD7FF), (0xF900, 0xFDCF), (0x10000, 0x1FFFD)),
    ((1, 31), (127, 0xD7FF), (0xE000, HIGHEST)),
    EVERYTHING,  # NUL and surrogates come last
)


def normal(ranges: Iterable[tuple[int, int]]) -> Ranges:
    """Return the same set with its ranges sorted and joined."""
    joined: list[tuple[int, int]] = []
    for low, high in sorted(ranges):
        if joined and low <= joined[-1][1] + 1:
            joined[-1] = (joined[-1][0], max(high, joined[-1][1]))
        else:
            joined.append((low, high))
    return tuple(joined)


def union(sets: Iterable[Ranges]) -> Ranges:
    """Return what any of the sets holds."""
    return normal(pair for ranges in sets for pair in ranges)


def intersection(first: Ranges, second: Ranges) -> Ranges:
    """Return what both sets hold."""
    common: list[tuple[int, int]] = []
    i = j = 0
    while i < len(first) and j < len(second):
        low = max(first[i][0], second[j][0])
        high = min(first[i][1], second[j][1])
        if low <= high:
            common.append((low, high))
        if first[i][1] < second[j][1]:
            i += 1
        else:
            j += 1
    return tuple(common)


def complement(ranges: Ranges) -> Ranges:
    """Return every character the set does not hold."""
    rest: list[tuple[int, int]] = []
    after = 0
    for low, high in ranges:
        if after < low:
            rest.append((after, low - 1))
        after = high + 1
    if after <= HIGHEST:
        rest.append((after, HIGHEST))
    return tuple(rest)


def difference(first: Ranges, second: Ranges) -> Ranges:
    """Return what the first set holds and the second does not."""
    return intersection(first, complement(second))


def size(ranges: Ranges) -> int:
    """Return how many characters the set holds."""
    return sum(high - low + 1 for low, high in ranges)


def holds(ranges: Ranges, point: int) -> bool:
    """Say whether the set holds the code point."""
    where = bisect.bisect_right(ranges, (point, HIGHEST)) - 1
    return where >= 0 and ranges[where][1] >= point


def single(text: str) -> Ranges:
    """Return the set of the characters of a text."""
    return normal((ord(char), ord(char)) for char in text)


@functools.lru_cache(maxsize=4096)
def readable(ranges: Ranges) -> Ranges:
    """Return the ranges of the set in the order of reading pleasure: letters, digits, punctuation, the rest.

    >>> readable(((0, 127),))[0]
    (97, 122)
    """
    ordered: list[tuple[int, int]] = []
    for tier in _TIERS:
        common = intersection(ranges, tier)
        if common:
            ordered += common
            ranges = difference(ranges, tier)
            if not ranges:
                break
    return tuple(ordered)


def nth(ranges: Ranges, index: int) -> str:
    """Return the character at the index, counting in the order of reading pleasure."""
    for low, high in readable(ranges):
        width = high - low + 1
        if index < width:
            return chr(low + index)
        index -= width
    raise IndexError(index)


@functools.lru_cache(maxsize=4096)
def samples(ranges: Ranges, *, unicode: bool = False) -> tuple[str, ...]:
    """Return up to 26 characters that stand for the set in texts: of one kind, the most readable.

    With `unicode` they are spread over all of it, but for what cannot be written.
    """
    if unicode and (written := intersection(ranges, WRITABLE)):
        count = size(written)
        return tuple(nth(written, index) for index in itertools.islice(spread_indices(count), 26))
    first = readable(ranges)[:1]
    return tuple(chr(point) for low, high in first for point in range(low, min(high, low + 25) + 1))


@functools.lru_cache(maxsize=4096)
def plain_part(ranges: Ranges) -> Ranges:
    r"""Return what stands for a set in readable texts: all of it within ASCII, else its letters, digits or signs.

    >>> plain_part(category("d", ascii_only=False))
    ((48, 57),)
    """
    if not ranges or ranges[-1][1] < ASCII_END:
        return ranges
    letters = intersection(ranges, union(_TIERS[:2]))
    return letters or next(common for tier in _TIERS[2:] if (common := intersection(ranges, tier)))


def rank(ranges: Ranges) -> int:
    """Return the tier of the most readable character of the set: smaller reads better."""
    for tier, members in enumerate(_TIERS):
        if intersection(ranges, members):
            return tier
    return len(_TIERS)


@functools.lru_cache(maxsize=1)
def _every_character() -> str:
    coded = bytearray(4 * (HIGHEST + 1))  # four bytes each, the lowest first: 00 00 00 00, 01 00 00 00, …
    coded[0::4] = bytes(range(256)) * 0x1100
    coded[1::4] = b"".join(bytes([byte]) * 0x100 for byte in range(256)) * 0x11
    coded[2::4] = b"".join(bytes([plane]) * 0x10000 for plane in range(0x11))
    return coded.decode("utf-32-le", "surrogatepass")


@functools.lru_cache(maxsize=256)
def _find_matching(source: str, flags: int) -> Ranges:
    """Return the characters that the pattern of one character matches."""
    if flags & re.ASCII and not flags & re.IGNORECASE:
        spans: Iterator[re.Match[str]] = re.finditer(f"{source}+", _every_character()[:128], flags)
    else:
        spans = re.finditer(f"{source}+", _every_character(), flags)
    return tuple((span.start(), span.end() - 1) for span in spans)


def category(letter: str, *, ascii_only: bool) -> Ranges:
    r"""Return the set that \d, \D, \w, \W, \s or \S stands for."""
    positive = _find_matching(f"\\{letter.lower()}", re.ASCII if ascii_only else 0)
    return complement(positive) if letter.isupper() else positive


@functools.lru_cache(maxsize=1)
def _list_cased() -> str:
    """Return every character that has another case, or shares one with another character."""
    letters = "".join(re.findall(r"[^\W\d]+", _every_character())) + "\u0345"
    return "".join(char for char in letters if char.lower() != char or char.upper() != char)


@functools.lru_cache(maxsize=4096)
def fold_case(ranges: Ranges, *, ascii_only: bool) -> Ranges:
    """Return the set with everything that matches it when case is ignored."""
    if not ranges:
        return ranges
    inside = "".join(f"\\U{low:08x}-\\U{high:08x}" for low, high in ranges)
    flags = re.IGNORECASE | (re.ASCII if ascii_only else 0)
    more = re.findall(f"[{inside}]", _list_cased(), flags)
    return union([ranges, single("".join(more))])


def shown_character(char: str) -> str:
    """Return the character, escaped where it could not be seen."""
    return char if char.isprintable() and char != "\\" else ascii(char)[1:-1]
