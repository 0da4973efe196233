"""What the source of code mentions, as values for parts of inputs."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any

from unlike.behaviour.changes import MentionedValues
from unlike.errors import UnlikeError
from unlike.observe.mentions import Mentions, mentions_of
from unlike.regex.automaton import Undecided
from unlike.regex.cover import Cover
from unlike.regex.order import OrderedTexts

MATCHES = 6  # texts of a pattern that the source has
MOST_PATTERNS = 20  # of which texts are made
BESIDE = (0, -1, 1)  # a number itself, and those that lie beside it
LONGEST = 80  # letters of a length that is tried


def known_values(functions: Sequence[Callable[..., Any]], within: Sequence[str] | None) -> MentionedValues:
    """Return the numbers, lengths and texts that the source of functions mentions, and those beside them."""
    found = mentions_of(functions, within)
    numbers = _in_order(number + step for number in found.numbers for step in BESIDE)
    lengths = _in_order(length + step for length in found.lengths for step in BESIDE if 0 <= length + step <= LONGEST)
    texts = _in_order([*found.texts, *_matches(found)])
    usual = MentionedValues()
    return MentionedValues(
        numbers or usual.numbers, texts or usual.texts, lengths or usual.lengths, usual.letters, _by_name(found)
    )


def _in_order(values: Any) -> tuple[Any, ...]:
    return tuple(dict.fromkeys(values))


def _matches(found: Mentions) -> list[str]:
    """Return a few texts of each pattern."""
    texts: list[str] = []
    for pattern in itertools.islice(found.patterns, MOST_PATTERNS):
        try:
            order = OrderedTexts(Cover(pattern))
            texts += [each.text for each in itertools.islice(order.of_choices(), MATCHES)]
        except (UnlikeError, Undecided):  # a pattern that cannot be read, or not in time
            continue
    return texts


def _by_name(found: Mentions) -> tuple[tuple[str, tuple[object, ...]], ...]:
    """Return the numbers and texts by the names that they were seen with."""
    named: dict[str, list[object]] = {}
    for number, names in found.numbers.items():
        for name in names:
            named.setdefault(name, []).extend(number + step for step in BESIDE)
    for text, names in found.texts.items():
        for name in names:
            named.setdefault(name, []).append(text)
    return tuple((name, tuple(values)) for name, values in named.items())
