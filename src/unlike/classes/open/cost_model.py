"""Whether leaving values open pays: what it took so far, against the calls that chosen values would have taken.

Both are counted, never timed, in units of about one call with chosen values. A call on an abstract state stands for as
many calls as there are objects in the state and arguments for them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from unlike.classes.api import Template
from unlike.classes.open.states import ZoneStates
from unlike.classes.open.templates import open_arguments
from unlike.errors import ScopeError
from unlike.zones.points import Points

COMPILED_RUN = 2  # a run that the compiled module makes
JUDGED = 10  # what it takes Python to judge such a run
FREE = 50_000  # what is done before anything is decided
BEGINNING = 1_000  # what it takes to begin a search
COUNTED = 16  # states that are counted to estimate how many objects many states stand for
UNCOUNTED = 10**12  # objects of a state that has too many to be counted


class TooCloseError(BaseException):  # not an Exception: code under test must not catch it by the way
    """The code looks at so many values that leaving them open does not pay."""


# what the Python engine takes, in calls with chosen values: a run made, watched and judged; a path followed and entered
BESIDE_COMPILED = 60, 20
BESIDE_PYTHON = 6, 2  # the calls with chosen values would be made in Python, too


@dataclass(slots=True)
class Cost:
    """What was done with values open, and the calls with chosen values that it stood for."""

    must_pay: bool = False  # give up where it takes more than chosen values would
    most: int | None = None  # give up where it takes more than this
    costs: tuple[int, int] = BESIDE_COMPILED  # of a run and of a path
    calls: int = 0  # that chosen values would have taken
    paths: int = 0  # followed in Python
    judged: int = 0  # runs of the compiled module that are judged in Python
    spent: int = 0  # on searches before this one, which had to begin again
    known: dict[int, int] = field(default_factory=dict)  # objects, by the number of the state

    def begin(self, states: ZoneStates, groups: Iterable[Sequence[int]], templates: Sequence[Template]) -> None:
        """Note that calls are about to be made on these groups of states, with as many objects each as a call takes."""
        if not self.must_pay:
            return
        ways = sum(math.prod(each.high - each.low + 1 for each in open_arguments(one)) for one in templates)
        self.calls += ways * sum(math.prod(self.objects(states, each) for each in group) for group in groups)

    def begin_many(self, states: ZoneStates, numbers: Sequence[int], templates: Sequence[Template]) -> None:
        """Note the same for calls on one object each, counting only some of the states."""
        if not self.must_pay or not numbers:
            return
        step = max(1, len(numbers) // COUNTED)
        some = numbers[::step]
        before = self.calls
        self.begin(states, [[each] for each in some], templates)
        self.calls = before + (self.calls - before) * len(numbers) // len(some)

    def objects(self, states: ZoneStates, number: int) -> int:
        """Return how many objects a state stands for."""
        if number not in self.known:
            try:
                self.known[number] = Points([states.zone(number)]).count()
            except ScopeError:
                self.known[number] = UNCOUNTED
        return self.known[number]

    def begin_again(self, runs: int, compiled_runs: int) -> None:
        """Note that the search begins again, after so many runs: they are done once more, and stand for no calls."""
        self.spent += self.work_of(runs, compiled_runs) + BEGINNING
        self.calls = self.paths = self.judged = 0
        self.known.clear()

    def work_of(self, runs: int, compiled_runs: int) -> int:
        """Return what so many runs and the paths take, in calls with chosen values."""
        run, path = self.costs
        return run * runs + path * self.paths + COMPILED_RUN * compiled_runs + JUDGED * self.judged

    def check(self, runs: int, compiled_runs: int) -> None:
        """Give up where it does not pay, given how often code under test ran here and in the compiled module."""
        work = self.spent + self.work_of(runs, compiled_runs)
        if self.must_pay and work > FREE + self.calls:
            raise TooCloseError(
                f"the code looks at too many values: {runs + compiled_runs:,} runs stand for only {self.calls:,} calls"
            )
        if self.most is not None and work > self.most:
            raise TooCloseError("the code looks at too many values: it takes longer than choosing them")
