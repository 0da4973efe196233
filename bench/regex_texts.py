"""As many different texts of a pattern as asked for: the representatives first, then any others."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from unlike.regex import chars
from unlike.regex.atomic import loosen
from unlike.regex.automaton import Automaton, Undecided
from unlike.regex.cover.cover import Cover
from unlike.regex.cover.distinct_texts import Representative
from unlike.regex.texts.backtracking_bound import harmless
from unlike.regex.texts.construct import candidates
from unlike.regex.tree import Chars, Concatenation, Group, Node, Repeat, every
from unlike.suite import Ending, Status

TRIES = 2_000  # texts that are made or guessed where no automaton lists them
MAX_HARD = 100_000  # what all texts may cost together that Python might not judge, and the independent matcher slowly
HARDEST = 3_000  # what one of them costs at most: its matcher gives up in time
_UNKNOWN: Iterator[str] = iter(())


def strings(cover: Cover, n: int) -> tuple[list[Representative], Status]:
    """Return n different texts, or all there are, or as many as could be found, and which of these it is."""
    found = list(cover.first(n))
    if len(found) >= n:
        return found, Status(Ending.FOUND)
    if found and _is_one_text(cover.pattern.root):
        return found, Status(Ending.COMPLETE)
    seen = {each.text for each in found}
    try:
        automaton = Automaton.of(cover.pattern)
    except Undecided as error:
        return _try_texts(cover, n, found, why=str(error))
    for text in automaton.texts():
        if len(found) >= n:
            return found, Status(Ending.FOUND)
        if text not in seen and cover.accepts(text):
            seen.add(text)
            found.append(_other(text))
    if len(found) >= n:
        return found, Status(Ending.FOUND)
    return found, _all_of(cover, found)


def _all_of(cover: Cover, found: list[Representative]) -> Status:
    """Return the status of all the texts there are, unless one of them could not be checked."""
    if cover.unchecked:
        return Status(Ending.UNKNOWN, f"no matcher comes to an answer on {next(iter(cover.unchecked))[:40]!r}")
    return Status(Ending.COMPLETE) if found else Status(Ending.UNSATISFIABLE, "no text matches (proved)")


def _try_texts(cover: Cover, n: int, found: list[Representative], *, why: str) -> tuple[list[Representative], Status]:
    """Return texts that were made or guessed and checked; they are all only if a larger language was seen whole."""
    seen = {each.text for each in found}
    larger = _larger(cover)
    hard = 0
    for text in itertools.chain(itertools.islice(larger, TRIES), candidates(cover.pattern.root, TRIES)):
        if len(found) >= n:
            return found, Status(Ending.FOUND)
        if text in seen:
            continue
        if len(text) > harmless(cover.pattern):  # counted by length: who judges it in the end hangs on the clock
            hard += min(len(text) ** 2, HARDEST)
            if hard > MAX_HARD:
                return found, Status(Ending.UNKNOWN, f"{why}, and its texts may take Python for ever")
        if cover.accepts(text):
            seen.add(text)
            found.append(_other(text))
    if larger is _UNKNOWN or next(larger, None) is not None:
        return found, Status(Ending.UNKNOWN, why)
    return found, _all_of(cover, found)


def _larger(cover: Cover) -> Iterator[str]:
    try:
        return Automaton.of(loosen(cover.pattern.root)).texts()
    except Undecided:
        return _UNKNOWN


def _is_one_text(root: Node) -> bool:
    """Say whether the pattern is a text written out, be it a long one."""
    return all(
        isinstance(node, Group | Concatenation)
        or (isinstance(node, Chars) and chars.size(node.ranges) == 1)
        or (isinstance(node, Repeat) and node.low == node.high)
        for node in every(root)
    )


def _other(text: str) -> Representative:
    return Representative(text, "another text", -1)
