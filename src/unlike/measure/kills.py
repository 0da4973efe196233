"""Which mutants suites kill: every mutant in a process of its own, with only the tries that reach the changed lines.

What the original did is recorded first, twice and in opposite orders; a try that does not come to the same both times
is left out. A mutant is killed by the first try that comes to something else, makes many more rounds in its loops, or
ends its process. Where several suites hold the same try it is made once.
"""

from __future__ import annotations

import contextlib
import gc
import mmap
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from unlike.core import Exploration
from unlike.errors import UnlikeError
from unlike.isolation import Answer, Death, each_in_copies
from unlike.isolation.copy import Copy, mark, send
from unlike.isolation.forks import run_in_fork
from unlike.measure.mutants.switch import Mutant
from unlike.measure.subject import MeasuredCode
from unlike.measure.suites.made import MadeSuite
from unlike.measure.trials import CodeTrial, TrialRecord, Tries, digest_of
from unlike.progress import report

NOT_RUN, SAME, DIFFERS, RUNNING = range(4)  # of a try
MOST_DEATHS = 50  # of one mutant, after which no further try of it is made
AT_ONCE = 64  # records of tries in one message


@dataclass(slots=True)
class OriginalRecord:
    """The tries of all suites, each once, and what the original came to in those that can be relied on."""

    trials: list[CodeTrial]
    came_to: list[TrialRecord | None]  # None: it is left out
    left_out: int = 0
    plans: dict[str, list[int]] = field(default_factory=dict)  # the tries of each suite, in order

    def reaching(self, mutant: Mutant) -> set[int]:
        """Return the tries that run a line of the statement that a mutant changes; all if it stands outside."""
        lines = range(mutant.line, mutant.last_line + 1)
        return {
            place
            for place, each in enumerate(self.came_to)
            if each is not None and (mutant.is_outside or any(line in lines for line in each.lines))
        }


@dataclass(slots=True)
class Kills:
    """What became of one mutant: for each suite the first try that kills it, or all of them; and how it did."""

    mutant: Mutant
    by: dict[str, list[int]] = field(default_factory=dict)  # suites that kill it; -1 where it does not even import
    why: str = ""

    @property
    def is_killed(self) -> bool:
        """Whether any suite kills it."""
        return bool(self.by)


def record_original(
    subject: MeasuredCode, suites: Sequence[MadeSuite], question: Exploration, *, messages: bool
) -> OriginalRecord:
    """Try the original with all suites, in copies of this process."""
    number: dict[str, int] = {}
    trials: list[CodeTrial] = []
    plans: dict[str, list[int]] = {}
    for suite in suites:
        plan = plans[suite.name] = []
        for trial in suite.trials:
            key = f"{trial.target} {trial.looks} {trial.recipe!r}"
            if key not in number:
                number[key] = len(trials)
                trials.append(trial)
            plan.append(number[key])
    tries = Tries(subject, messages)
    once = _record_all(trials, lambda each: tries.record(each, trace=True), question)
    again = _record_all(trials[::-1], lambda each: tries.record(each, trace=False), question)[::-1]
    kept = [
        one if one is not None and two is not None and one.digest == two.digest and one.rounds == two.rounds else None
        for one, two in zip(once, again, strict=True)
    ]
    return OriginalRecord(trials, kept, kept.count(None), plans)


def _record_all(
    trials: Sequence[CodeTrial], record: Callable[[CodeTrial], TrialRecord], question: Exploration
) -> list[TrialRecord | None]:
    found: list[TrialRecord | None] = []

    def work(number: int) -> tuple[Any, ...]:
        made = record(trials[number])
        return made.digest, made.by_value, made.rounds, made.lines

    verdicts = each_in_copies(
        work, len(trials), question.isolation, question.deadline, in_scratch=True, at_once=AT_ONCE
    )
    for number, verdict in enumerate(verdicts):
        report("trying the original", number, of=len(trials))
        found.append(TrialRecord(*verdict.result) if isinstance(verdict, Answer) else None)
    return found


# -- mutants ---------------------------------------------------------------------------------------------


@dataclass(slots=True)
class MutantRun:
    """Runs mutants on the tries, inside a copy of this process."""

    subject: MeasuredCode
    recorded: OriginalRecord
    seconds: float | None  # for one call
    matrix: bool = False  # every try, not only up to the first that kills
    messages: bool = False
    seen: mmap.mmap = field(init=False)  # what came of each try of the mutant that is run now
    reached: set[int] = field(init=False)
    why: str = field(init=False, default="")

    def __post_init__(self) -> None:
        self.seen = mmap.mmap(-1, len(self.recorded.trials) + 2)  # shared; the last tells that it did not import

    def kills_of(self, mutant: Mutant) -> Kills:
        """Return which suites kill a mutant."""
        self.seen[:] = bytes(len(self.seen))
        self.reached = self.recorded.reaching(mutant)
        kills = Kills(mutant)
        deaths = 0
        while self.is_open() and deaths < MOST_DEATHS:
            ended = run_in_fork(lambda: self.run_here(mutant), self.seconds)
            if self.seen[-1]:
                kills.by = {name: [-1] for name, plan in self.recorded.plans.items() if plan}
                kills.why = "the module does not import"
                return kills
            if not ended:
                break
            deaths += 1
            kills.why = kills.why or f"the process {ended}"
            if not self.blame():
                break  # it died before its first try
        for name, plan in self.recorded.plans.items():
            found = [place for place in plan if self.seen[place] == DIFFERS]
            if found:
                kills.by[name] = found if self.matrix else found[:1]
        return kills

    def blame(self) -> bool:
        """Note the try during which a process ended; tell whether there was one."""
        place = self.seen.find(bytes([RUNNING]))
        if place < 0:
            return False
        self.seen[place] = DIFFERS
        return True

    def is_open(self) -> bool:
        """Tell whether there is a try to be made."""
        return any(next(self.waiting(plan), None) is not None for plan in self.recorded.plans.values())

    def waiting(self, plan: Sequence[int]) -> Iterator[int]:
        """Yield the tries of a suite that are to be made, until one has killed."""
        for place in plan:
            if self.seen[place] == DIFFERS and not self.matrix:
                return
            if self.seen[place] == NOT_RUN and place in self.reached:
                yield place

    def run_here(self, mutant: Mutant) -> None:
        """Be the mutant in this process, and make the tries."""
        mark(0)
        tries = Tries(self.subject, self.messages)
        if mutant.is_outside:
            try:
                self.subject.execute_again(mutant.number)
                for name in self.subject.names:
                    self.subject.target(name)
            except KeyboardInterrupt:
                raise
            except BaseException:  # whatever its code raises now
                self.seen[-1] = 1
                return
        else:
            self.subject.switch_to(mutant.number)
        for plan in self.recorded.plans.values():
            for place in self.waiting(plan):
                mark(place)
                self.seen[place] = RUNNING
                self.seen[place] = self.try_one(tries, mutant, place)

    def try_one(self, tries: Tries, mutant: Mutant, place: int) -> int:
        """Return what comes of one try."""
        trial, expected = self.recorded.trials[place], self.recorded.came_to[place]
        assert expected is not None
        seen = tries.run_limited(trial, expected.rounds)
        if seen is None:
            return DIFFERS
        digest, _ = digest_of(seen)
        if digest == expected.digest and not expected.by_value:
            return SAME
        if mutant.is_outside:  # the original is gone
            return SAME if digest == expected.digest else DIFFERS
        if digest != expected.digest and not expected.by_value:
            return DIFFERS
        self.subject.switch_to(0)
        try:
            was = tries.run_limited(trial, expected.rounds)
        finally:
            self.subject.switch_to(mutant.number)
        return SAME if was == seen else DIFFERS


def run_mutants(
    subject: MeasuredCode,
    recorded: OriginalRecord,
    question: Exploration,
    *,
    matrix: bool,
    messages: bool,
    each: Callable[[Kills], object] = lambda _: None,
) -> tuple[list[Kills], float]:
    """Return what became of every mutant, and the processor seconds that took; at the deadline it is cut short."""
    run = MutantRun(subject, recorded, question.isolation.seconds_per_call, matrix, messages)
    by_number = {mutant.number: mutant for mutant in subject.mutants}
    found: list[Kills] = []

    def work() -> float:
        gc.freeze()  # nothing that is there by now is looked at again in the copies
        began = time.monotonic()
        for mutant in subject.mutants:
            kills = run.kills_of(mutant)
            send((mutant.number, list(kills.by.items()), kills.why))
        return time.monotonic() - began

    isolation = replace(question.isolation, seconds_per_call=None)
    with Copy(work, isolation, in_scratch=True) as copy:
        for number, by, why in copy.listen(question.deadline.check):
            report("trying mutants", len(found), of=len(subject.mutants))
            found.append(Kills(by_number[number], {name: list(places) for name, places in by}, why))
            each(found[-1])
        ending = copy.verdict
    if not isinstance(ending, Answer):
        cause = ending.cause if isinstance(ending, Death) else str(ending)
        raise UnlikeError(f"the mutants could not be run to their end: {cause}")
    return found, float(ending.result)


def seconds_to_run(
    subject: MeasuredCode, recorded: OriginalRecord, plan: Sequence[int], question: Exploration
) -> float:
    """Return how long the original takes for the tries of a suite, without anybody looking at lines."""
    tries = Tries(subject)

    def work(_: int) -> float:
        began = time.monotonic()
        for place in plan:
            mark(0)
            if recorded.came_to[place] is not None:
                with contextlib.suppress(Exception):
                    tries.views(recorded.trials[place])
        return time.monotonic() - began

    (verdict,) = each_in_copies(work, 1, question.isolation, question.deadline, in_scratch=True)
    return float(verdict.result) if isinstance(verdict, Answer) else 0.0


def killed_by_nobody_else(kills: Sequence[Kills], names: Sequence[str]) -> Mapping[str, int]:
    """Return for each suite how many mutants it alone kills."""
    return {name: sum(list(each.by) == [name] for each in kills) for name in names}
