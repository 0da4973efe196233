"""From a function that looks at tokens to all its paths, each with the zone of the values that take it.

The function runs once per path. What it asked, and what it was answered, is kept in a trie: the same function on
another zone walks the trie first, and runs only where the trie ends. This needs a function that asks the same when
it is answered the same; one that does not is found out and refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Generic, NamedTuple, NoReturn, TypeVar

from unlike.zones.open_values import set_answerer
from unlike.zones.zone import Zone

T = TypeVar("T")
MOST_QUESTIONS = 100_000  # on one path: a loop that compares tokens without end


AT_MOST, EQUAL, VALUE = 1, 2, 3  # kinds of questions, as in native/open.h


class TokenQuestion(NamedTuple):
    """Whether x_i - x_j is at most c, or equal to it; or which value slot i has."""

    kind: int
    i: int
    j: int = 0
    c: int = 0

    def __str__(self) -> str:
        if self.kind == VALUE:
            return f"for x{self.i}"
        return f"whether x{self.i} - x{self.j} {'<=' if self.kind == AT_MOST else '=='} {self.c}"


def find_answers(zone: Zone, question: TokenQuestion) -> list[tuple[int, Zone]]:
    """Return the possible answers (True before False, values in order), each with the part of the zone it leaves."""
    kind, i, j, c = question
    parts: list[tuple[int, Zone | None]]
    if kind == AT_MOST:
        parts = [(True, zone.at_most(i, j, c)), (False, zone.at_most(j, i, -c - 1))]
    elif kind == EQUAL:
        parts = [(True, zone.equal(i, j, c)), (False, zone.not_equal(i, j, c))]
    else:
        parts = [(value, zone.equal(i, 0, value)) for value in range(zone.low(i), zone.high(i) + 1)]
    return [(answer, part) for answer, part in parts if part is not None]


class UnsteadyError(BaseException):  # not an Exception: code under test must not catch it by the way
    """The function asked something else when it was answered the same."""


class TooManyPathsError(BaseException):  # as above
    """One path asked too many questions."""


@dataclass(frozen=True, slots=True)
class Path(Generic[T]):
    """One way through the function: which values take it, and what it came to."""

    zone: Zone
    result: T


@dataclass(slots=True, eq=False)
class _Fork(Generic[T]):
    """A question, and what follows each answer."""

    question: TokenQuestion
    after: dict[int, _Fork[T] | _Leaf[T]] = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class _Leaf(Generic[T]):
    result: T


@dataclass(slots=True, eq=False)
class _Pending(Generic[T]):
    """A zone that has come down to an answer of a fork; without a fork, to the beginning."""

    zone: Zone
    fork: _Fork[T] | None = None
    answer: int = 0
    given: tuple[tuple[TokenQuestion, int], ...] = ()


class PathTrie(Generic[T]):
    """The paths of one function, known so far.

    The function takes nothing and returns whatever a path comes to (an exception included, if it catches them); the
    tokens it looks at are its own. It must start from the same state every time.
    """

    def __init__(self, function: Callable[[], T]) -> None:
        self.function = function
        self.runs = 0
        self._first: _Fork[T] | _Leaf[T] | None = None

    def paths(self, zone: Zone) -> Iterator[Path[T]]:
        """Yield every path that some values in the zone take; their zones have no point in common."""
        pending = [_Pending[T](zone)]
        while pending:
            here = pending.pop()
            leaf, end = self._descend(here, pending)
            yield Path(end, leaf.result)

    def _descend(self, here: _Pending[T], pending: list[_Pending[T]]) -> tuple[_Leaf[T], Zone]:
        """Follow the trie to its end, leaving aside the other answers; run the function where the trie ends."""
        known = self._after(here.fork, here.answer)
        while isinstance(known, _Fork):
            here = self._choose(here, known, pending)
            known = self._after(here.fork, here.answer)
        if known is not None:
            return known, here.zone
        return self._run(here, pending)

    def _choose(self, here: _Pending[T], fork: _Fork[T], pending: list[_Pending[T]]) -> _Pending[T]:
        ways = [
            _Pending(part, fork, answer, (*here.given, (fork.question, answer)))
            for answer, part in find_answers(here.zone, fork.question)
        ]
        pending.extend(reversed(ways[1:]))
        return ways[0]

    def _run(self, here: _Pending[T], pending: list[_Pending[T]]) -> tuple[_Leaf[T], Zone]:
        self.runs += 1
        run = _PathRun(self, here, pending)
        before = set_answerer(run)
        try:
            leaf = _Leaf(self.function())
        finally:
            set_answerer(before)
        if run.trouble is not None:  # the code under test caught what it must not catch
            raise run.trouble
        if run.replayed < len(run.here.given):
            raise UnsteadyError("it asked less than the time before")
        self._put(run.here, leaf)
        return leaf, run.here.zone

    def _after(self, fork: _Fork[T] | None, answer: int) -> _Fork[T] | _Leaf[T] | None:
        return self._first if fork is None else fork.after.get(answer)

    def _put(self, here: _Pending[T], node: _Fork[T] | _Leaf[T]) -> None:
        if here.fork is None:
            self._first = node
        else:
            here.fork.after[here.answer] = node


class _PathRun(Generic[T]):
    """One run of the function: answers what was asked before as before, then takes the first possible answer."""

    def __init__(self, trie: PathTrie[T], here: _Pending[T], pending: list[_Pending[T]]) -> None:
        self.trie = trie
        self.here = here
        self.pending = pending
        self.replayed = 0
        self.trouble: BaseException | None = None

    def at_most(self, i: int, j: int, c: int) -> bool:
        return bool(self._ask(TokenQuestion(AT_MOST, i, j, c)))

    def equal(self, i: int, j: int, c: int) -> bool:
        return bool(self._ask(TokenQuestion(EQUAL, i, j, c)))

    def value(self, slot: int) -> int:
        return self._ask(TokenQuestion(VALUE, slot)) if slot else 0

    def _ask(self, question: TokenQuestion) -> int:
        given = self.here.given
        if self.replayed < len(given):
            before, answer = given[self.replayed]
            if before != question:
                self._refuse(UnsteadyError(f"it asked {question}, and {before} the time before"))
            self.replayed += 1
            return answer
        if self.replayed >= MOST_QUESTIONS:
            self._refuse(TooManyPathsError(f"one path asked more than {MOST_QUESTIONS:,} questions"))
        fork = _Fork[T](question)
        self.trie._put(self.here, fork)
        self.here = self.trie._choose(self.here, fork, self.pending)
        self.replayed += 1
        return self.here.answer

    def _refuse(self, trouble: BaseException) -> NoReturn:
        self.trouble = trouble
        raise trouble
