"""Do two objects agree? From what a call on each came to, and what they hold, to the first difference.

Compared are answers, exceptions, lengths, items and equality. Objects of the two classes count by what they hold; what
shows nothing of itself is not compared. The items of a set have no order.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Set
from typing import Any

from unlike.errors import with_article

MOST_ITEMS = 100  # of one object that are compared
PLAIN = (type(None), bool, int, float, complex, str, bytes)
LONGEST = 60  # characters of an answer that is shown
OPAQUE = object()
SET_ITERATOR: Any = type(iter(set[int]()))
CameTo = tuple[object, Exception | None]


class Disagreement(Exception):  # noqa: N818  # news, not an error
    """What two objects do not agree in."""

    def __init__(self, kind: str, detail: str = "") -> None:
        super().__init__(kind, detail)
        self.kind, self.detail = kind, detail


class UncomparableError(Exception):
    """The reference cannot be called in this way."""


def compare_answers(
    ours: CameTo, reference: CameTo, *, own: tuple[type, type], receivers: tuple[object, object] | None
) -> tuple[object, object] | None:
    """Raise where two calls came to something else; return both answers if they are objects of the classes."""
    (answer, error), (expected, expected_error) = ours, reference
    if error is None and expected_error is not None:
        if isinstance(expected_error, TypeError) and "argument" in str(expected_error):
            raise UncomparableError
        raise Disagreement("returns", f"where the reference raises {type(expected_error).__name__}")
    if error is not None and expected_error is None:
        raise Disagreement(f"raises {type(error).__name__}", "where the reference returns")
    if error is not None and expected_error is not None:
        if not _are_alike(error, expected_error):
            raise Disagreement(
                f"raises {type(error).__name__}", f"where the reference raises {type(expected_error).__name__}"
            )
        return None
    if receivers is not None and (answer is receivers[0] or expected is receivers[1]):
        return None  # handed back for the next call, or changed in silence: a matter of style
    if receivers is None or (isinstance(answer, own[0]) and isinstance(expected, own[1])):
        return answer, expected
    one, other = see(answer), see(expected)
    if one is not OPAQUE and other is not OPAQUE and not agree(one, other):
        raise Disagreement("answers otherwise", f"{_shorten(answer)}, and the reference {_shorten(expected)}")
    return None


def _are_alike(one: Exception, other: Exception) -> bool:
    return isinstance(one, type(other)) or isinstance(other, type(one))


def compare_contents(ours: Any, reference: Any) -> None:
    """Raise where two objects do not hold the same."""
    lengths = [_length(each) for each in (ours, reference)]
    if None not in lengths and lengths[0] != lengths[1]:
        raise Disagreement("has another length", f"{lengths[0]}, and the reference {lengths[1]}")
    if not (hasattr(type(ours), "__iter__") and hasattr(type(reference), "__iter__")):
        return
    if hasattr(type(ours), "__next__") or hasattr(type(reference), "__next__"):
        return  # to look is to use it up
    try:
        one = see(ours)
    except Exception as error:
        raise Disagreement("iteration raises", type(error).__name__) from None
    if not agree(one, see(reference)):
        raise Disagreement("holds other items", f"{_shorten(ours)}, and the reference {_shorten(reference)}")


def _length(thing: Any) -> object:
    if not hasattr(type(thing), "__len__"):
        return None
    try:
        return len(thing)
    except Exception as error:
        return type(error).__name__


def is_equal(ours: Any, reference: Any) -> bool:
    """Tell whether an object says that it equals its reference."""
    try:
        return bool(ours == reference)
    except Exception:
        return False


# -- values as they look ---------------------------------------------------------------------------------


class Unordered(list[Any]):
    """Items in no order."""


def see(value: Any) -> Any:
    """Return a value as plain data; OPAQUE where it shows nothing."""
    if isinstance(value, PLAIN):
        return value
    if isinstance(value, (Set, set, frozenset)) or type(value) is SET_ITERATOR:
        return Unordered(map(see, _take(value)))
    if isinstance(value, Mapping) or (hasattr(type(value), "keys") and hasattr(type(value), "__getitem__")):
        return [[see(key), see(value[key])] for key in _take(value)]
    if isinstance(value, Iterable):
        return [see(item) for item in _take(value)]
    return OPAQUE


def _take(items: Iterable[Any]) -> Iterator[Any]:
    return itertools.islice(items, MOST_ITEMS)


def agree(one: Any, other: Any) -> bool:
    """Tell whether two values look the same; where one has no order, the order of the other does not count."""
    if one is OPAQUE or other is OPAQUE:
        return True
    if isinstance(one, list) and isinstance(other, list):
        if isinstance(one, Unordered) or isinstance(other, Unordered):
            one, other = sorted(one, key=repr), sorted(other, key=repr)
        return len(one) == len(other) and all(map(agree, one, other))
    if isinstance(one, bool) is not isinstance(other, bool) or isinstance(one, list) or isinstance(other, list):
        return False
    return bool(one == other) or (one != one and other != other)  # not a number


def _shorten(value: object) -> str:
    try:
        text = repr(value)
    except Exception:
        return with_article(type(value).__name__)
    return text if len(text) <= LONGEST and " at 0x" not in text else with_article(type(value).__name__)
