"""Feedback-directed random exploration: for scopes that exhaustion cannot reach.

Pick an operation, its arguments and objects it can be called on, all at random among those found so far; keep what is
in a new state within the scope. Everything else (what a call comes to, recipes, errors) is as in the exhaustive search.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Self

from unlike.classes.frontier import Levels, StateFrontier, WorkUnit
from unlike.classes.judging import Options
from unlike.classes.policy import SearchPolicy
from unlike.classes.workbench import ReadyCall
from unlike.core import CutShort
from unlike.errors import ScopeError
from unlike.suite import Ending, Status


@dataclass(slots=True)
class AtRandom(SearchPolicy):
    """Calls at random: the same calls for the same seed, until time or so many attempts are used up."""

    seed: int = 0
    attempts: int | None = None
    _random: random.Random = field(init=False, repr=False)
    _known: dict[type, list[int]] = field(init=False, repr=False)  # states, by the class of their first object

    def __post_init__(self) -> None:
        self._random = random.Random(self.seed)
        self._known = {}

    def begin(self, options: Options) -> Self:
        """Return the policy of one search, which has to end."""
        if self.attempts is None and options.deadline.ends is None:
            raise ScopeError("a random exploration never ends by itself; give it --timeout S or --attempts N")
        if self.attempts is not None and self.attempts < 1:
            raise ScopeError(f"attempts={self.attempts!r} must be at least 1")
        return super(AtRandom, self).begin(options)

    def has_level(self, frontier: Levels) -> bool:
        """Tell whether there is work: objects that need no other come first, then calls at random."""
        return frontier.level < 2

    def units(self, frontier: StateFrontier) -> Iterator[WorkUnit]:
        """Yield calls at random, each on objects that were found before."""
        if frontier.level == 0:
            yield from super(AtRandom, self).units(frontier)
            return
        ways: dict[object, list[ReadyCall]] = {}
        for each in frontier.code.calls:
            if each.template.wanted:
                ways.setdefault(each.template.operation, []).append(each)
        operations = list(ways.values())
        while len(frontier) and operations:
            if frontier.done == self.attempts:
                raise CutShort(self.used_up(f"{frontier.done:,} attempts"))
            call = self._random.choice(self._random.choice(operations))
            numbers = self.objects_for(call, frontier)
            yield WorkUnit(numbers, [call] if numbers else [])

    def objects_for(self, call: ReadyCall, frontier: StateFrontier) -> list[int]:
        """Return objects for a call, or none if one of them is still to be found."""
        for number in range(sum(map(len, self._known.values())), len(frontier)):
            self._known.setdefault(frontier.classes[number], []).append(number)
        numbers = []
        for wanted in call.template.wanted:
            pools = [pool for cls, pool in self._known.items() if issubclass(cls, wanted)]
            if not pools:
                return []
            position = self._random.randrange(sum(map(len, pools)))
            for pool in pools:
                if position < len(pool):
                    numbers.append(pool[position])
                    break
                position -= len(pool)
        return numbers

    def end_level(self, frontier: StateFrontier) -> None:
        """Do nothing: what grows without end is not gone through level by level."""

    @property
    def position(self) -> Any:
        """Where the draws stand."""
        return self._random.getstate()

    @position.setter
    def position(self, position: Any) -> None:
        self._random.setstate(position)

    def out_of_time(self, frontier: Levels, options: Options) -> Status:
        """Return the status of a search whose time is used up: that is how it was meant to end."""
        del frontier
        return self.used_up(f"{options.deadline.seconds or 0:g} s")

    def used_up(self, what: str) -> Status:
        """Return the status of a search that did all it was asked to."""
        return Status(Ending.FOUND, f"{what} of random exploration, seed {self.seed}; more objects may exist")
