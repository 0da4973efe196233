"""As many different texts of a pattern as asked for: the representatives first, then any others."""

from __future__ import annotations

from unlike.regex.automaton import Automaton, Undecided
from unlike.regex.cover.construct import candidates
from unlike.regex.cover.cover import Cover
from unlike.regex.cover.settle import Representative
from unlike.suite import Ending, Status

TRIES = 2_000


def strings(cover: Cover, n: int) -> tuple[list[Representative], Status]:
    """Return n different texts, or all there are, or as many as could be found, and which of these it is."""
    found = list(cover.first(n))
    if len(found) >= n:
        return found, Status(Ending.FOUND)
    seen = {each.text for each in found}
    try:
        automaton = Automaton.of(cover.pattern)
    except Undecided as error:
        return _tried(cover, n, found, str(error))
    for text in automaton.texts():
        if len(found) >= n:
            return found, Status(Ending.FOUND)
        if text not in seen and cover.pattern.matches(text):
            seen.add(text)
            found.append(_other(text))
    if not found:
        return found, Status(Ending.UNSATISFIABLE, "no text matches (proved)")
    return found, Status(Ending.FOUND if len(found) >= n else Ending.COMPLETE)


def _tried(cover: Cover, n: int, found: list[Representative], why: str) -> tuple[list[Representative], Status]:
    """Return texts made at random and checked; their end proves nothing."""
    seen = {each.text for each in found}
    for text in candidates(cover.pattern.root, TRIES):
        if len(found) >= n:
            break
        if text not in seen and cover.pattern.matches(text):
            seen.add(text)
            found.append(_other(text))
    return found, Status(Ending.FOUND) if len(found) >= n else Status(Ending.UNKNOWN, why)


def _other(text: str) -> Representative:
    return Representative(text, "another text", -1)
