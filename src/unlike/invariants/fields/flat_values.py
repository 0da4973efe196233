"""The values of domains that lead to no object: counted and reached by index; and what may be in sets of them.

A container is its Content. The members of a set, and the keys of a dict, stand in one order everywhere (`in_order` of
`contents`), so that equal structures are equal data.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from unlike.indexed import Indexed, Integers, Listed, Mapped, Product, Sum, members
from unlike.invariants.fields.contents import Content, content_of, dict_content, in_order, make_container
from unlike.invariants.fields.domains import DictOf, Domain, Keyed, ListOf, Mixed, Part, SetOf, Values

MOST_MEMBERS = 50_000  # among which those of one set, or the keys of one dict, are chosen


def flat_values(domain: Domain) -> Indexed[Any]:
    """Return the values of a domain that leads to no object; no values for one that does."""
    return Sum([] if domain.classes else [_part_values(part) for part in domain.parts])


def _part_values(part: Part) -> Indexed[Any]:
    match part:
        case Integers():
            return part
        case Values(values):
            return Listed(values)
        case ListOf(element, least, most):
            each = flat_values(element)
            lists = [Product([each] * size) for size in range(least, most + 1)]
            return Mapped(Sum(lists), functools.partial(content_of, part))
        case Mixed(places) | Keyed(_, places):
            return Mapped(Product([flat_values(place) for place in places]), functools.partial(content_of, part))
        case SetOf(element, most):
            inside = Listed(list_members(element))
            sets = Sum([Subsets(inside, size) for size in range(most + 1)])
            return Mapped(sets, functools.partial(content_of, part))
        case DictOf(key, value, most):
            keys, each = Listed(list_members(key)), flat_values(value)
            items = [Product[Any]([keys_of(part, keys, size), Product([each] * size)]) for size in range(most + 1)]
            return Mapped(Sum(items), lambda pair: dict_content(pair[0], pair[1], part.maker))
    raise AssertionError(part)


@functools.lru_cache(maxsize=1_000)
def list_members(domain: Domain) -> Sequence[Any]:
    """Return what may be in a set, or a key, of a domain that leads to no object: each value once, in order."""
    match domain.parts:
        case (Integers(low, high),):
            return range(low, high + 1)
    found = members(flat_values(domain))
    return sorted(dict.fromkeys(found) if domain.overlaps else found, key=in_order)


def keys_of(part: DictOf, keys: Indexed[Any], size: int) -> Indexed[tuple[Any, ...]]:
    """Return the ways in which so many keys can be in a dict: which of them, and in which order if it has one."""
    return Arrangements(keys, size) if part.is_ordered else Subsets(keys, size)


def plain_value(value: Any) -> Any:
    """Return a flat value as Python has it: a Content as the container itself."""
    if not isinstance(value, Content):
        return value
    return make_container(value.kind, list(map(plain_value, value.items)), value.maker)


@dataclass(frozen=True, slots=True)
class Subsets:
    """The subsets of a space that have so many members, each in the order of the space."""

    space: Indexed[Any]
    size: int

    def count(self) -> int:
        """Return how many there are."""
        return math.comb(self.space.count(), self.size)

    def at(self, index: int) -> tuple[Any, ...]:
        """Return the one at the index."""
        found: list[Any] = []
        total = self.space.count()
        for number in range(total):
            if len(found) == self.size:
                break
            with_it = math.comb(total - number - 1, self.size - len(found) - 1)
            if index < with_it:
                found.append(self.space.at(number))
            else:
                index -= with_it
        return tuple(found)


@dataclass(frozen=True, slots=True)
class Arrangements:
    """The rows of so many different members of a space."""

    space: Indexed[Any]
    size: int

    def count(self) -> int:
        """Return how many there are."""
        return math.perm(self.space.count(), self.size)

    def at(self, index: int) -> tuple[Any, ...]:
        """Return the one at the index."""
        return tuple(self.space.at(place) for place in arrangement(self.space.count(), self.size, index))


def arrangement(total: int, size: int, index: int) -> list[int]:
    """Return the arrangement of that index among those of so many different numbers below total.

    >>> [arrangement(3, 2, index) for index in range(6)]
    [[0, 1], [0, 2], [1, 0], [1, 2], [2, 0], [2, 1]]
    """
    left, found = list(range(total)), []
    for place in range(size):
        digit, index = divmod(index, math.perm(total - place - 1, size - place - 1))
        found.append(left.pop(digit))
    return found
