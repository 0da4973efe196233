"""Everything that unlike raises on purpose.

    UnlikeError
    ├── SpecError        a spec that makes no sense: unknown blank, wrong type, empty domain
    │   └── EarlyError       Python asks a term for what only a finished value has: its truth, its length, its text
    │       └── NeedsValueError  and no term says it: real methods, `hash`, an order that only the objects know
    ├── ScopeError       a bound that makes no sense: n < 1, objects=0
    ├── TargetError      MODULE:NAME that cannot be found, imported or used
    ├── InvariantError   an invariant that cannot be used: it writes, is not deterministic, always raises
    ├── RecipeError      a recipe that cannot be run, written or read
    ├── SavedFileError   a saved file that is damaged, of another version, or names what it may not
    └── SolverError      a solver that is missing or refuses the question

"No such input" is an answer, not an error: it is a `Status` of the suite.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class UnlikeError(Exception):
    """The base of all errors raised on purpose; the message shows the value and the remedy."""


class SpecError(UnlikeError):
    """A spec that cannot mean anything."""


class EarlyError(SpecError):
    """Python asks a term for what only a finished value has; the message says what to write instead."""

    raised = 0  # how often, so that it is noticed where a function of the user's catches it

    def __init__(self, message: str) -> None:
        super().__init__(message)
        EarlyError.raised += 1


class NeedsValueError(EarlyError, TypeError):
    """Python asks a term for something that no term can say: a function that does so is for finished values."""


class ScopeError(UnlikeError):
    """A bound that cannot mean anything."""


class TargetError(UnlikeError):
    """A MODULE:NAME that cannot be found, imported or used."""


class InvariantError(UnlikeError):
    """An invariant that cannot be used."""


class RecipeError(UnlikeError):
    """A recipe that cannot be run, written or read."""


class SavedFileError(UnlikeError):
    """A saved file that cannot be trusted or understood."""


class SolverError(UnlikeError):
    """A solver that is missing or refuses the question."""


ASK_FOR_SOME = "ask for a number of them: n=1000, or unlike generate -n 1000"


def how_many(number: int, noun: str) -> str:
    """Return so many of something in words.

    >>> [how_many(1, "object"), how_many(1204, "object")]
    ['1 object', '1,204 objects']
    """
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def with_article(noun: object) -> str:
    """Return a noun with its article: an Item, a Cart, a UUID."""
    spoken = str(noun).lower()
    vowel = spoken.startswith(tuple("aeiou")) and not spoken.startswith(("uu", "uni", "use", "eu", "one"))
    return f"{'an' if vowel else 'a'} {noun}"


def nearest(name: str, known: Iterable[str]) -> str:
    """Return a hint for a misspelt name: the nearest known one, or all of them.

    >>> nearest("prise", ["price", "category"])
    "did you mean 'price'?"
    """
    names = list(known)
    close = difflib.get_close_matches(name, names, n=1)
    if close:
        return f"did you mean {close[0]!r}?"
    return f"there are: {', '.join(names)}" if names else "there are none"
