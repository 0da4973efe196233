"""Feedback-directed random exploration: for scopes that exhaustion cannot reach.

Pick an operation, its arguments and objects it can be called on, all at random among those found so far; keep what is
in a new state within the scope. Everything else (what a call comes to, recipes, errors) is as in the exhaustive search.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from unlike.errors import ScopeError
from unlike.explore.api import Api
from unlike.explore.bench import Prepared
from unlike.explore.outcomes import Options, Stop
from unlike.explore.search import Search
from unlike.explore.tracing import Invocation
from unlike.scope import Limits, Scope
from unlike.suite import Ending, Status


@dataclass(frozen=True, slots=True)
class AtRandom:
    """Makes random searches: the same calls for the same seed, until time or so many attempts are used up."""

    seed: int = 0
    attempts: int | None = None

    def __call__(self, api: Api, scope: Scope, limits: Limits, options: Options) -> RandomSearch:
        """Return the search."""
        if self.attempts is None and options.deadline.ends is None:
            raise ScopeError("a random exploration never ends by itself; give it --timeout S or --attempts N")
        if self.attempts is not None and self.attempts < 1:
            raise ScopeError(f"attempts={self.attempts!r} must be at least 1")
        return RandomSearch(api, scope, limits, options, how=self)


class RandomSearch(Search):
    """A search that makes calls at random."""

    carried = ("distinct", "random", "known")

    def __init__(self, api: Api, scope: Scope, limits: Limits, options: Options, *, how: AtRandom) -> None:
        super().__init__(api, scope, limits, options)
        self.how = how
        self.random = random.Random(how.seed)
        self.known: dict[type, list[int]] = {}

    def search_levels(self) -> None:
        """Make every object that needs no other, then call at random."""
        if self.level == 0:
            for unit in self.units():
                unit()
            self.level = 1
        ways: dict[object, list[Prepared]] = {}
        for each in self.prepared:
            if each.template.wanted:
                ways.setdefault(each.template.operation, []).append(each)
        operations = list(ways.values())
        while len(self.store) and operations:
            if self.done == self.how.attempts:
                raise Stop(self.used_up(f"{self.done:,} attempts"))
            prepared = self.random.choice(self.random.choice(operations))
            numbers = self.objects_for(prepared)
            if numbers:
                self.expand_with(numbers, [prepared])
            else:
                self.check_time()
            self.end_unit()

    def objects_for(self, prepared: Prepared) -> list[int]:
        """Return objects for a call, or none if one of them is still to be found."""
        numbers = []
        for wanted in prepared.template.wanted:
            pools = [pool for cls, pool in self.known.items() if issubclass(cls, wanted)]
            if not pools:
                return []
            position = self.random.randrange(sum(map(len, pools)))
            for pool in pools:
                if position < len(pool):
                    numbers.append(pool[position])
                    break
                position -= len(pool)
        return numbers

    def keep(self, key: bytes, numbers: Sequence[int], invocation: Invocation, roots: Sequence[object]) -> int:
        """Add a state, so that it can be picked from now on."""
        number = super().keep(key, numbers, invocation, roots)
        self.known.setdefault(type(roots[0]), []).append(number)
        return number

    def out_of_time(self) -> Status:
        """Return the status of a search whose time is used up: that is how it was meant to end."""
        return self.used_up(f"{self.options.deadline.seconds or 0:g} s")

    def used_up(self, what: str) -> Status:
        """Return the status of a search that did all it was asked to."""
        return Status(Ending.FOUND, f"{what} of random exploration, seed {self.how.seed}; more objects may exist")
