"""The search of the parent: it holds the states and hands out the calls."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from dataclasses import replace

from unlike.errors import UnlikeError
from unlike.explore.api import Api
from unlike.explore.bench import Prepared, Roles
from unlike.explore.elsewhere.replica import Expander, Findings, Job, Report, Spec
from unlike.explore.outcomes import ENDED, Failure, FoundClass, Outcome
from unlike.explore.search import Search
from unlike.explore.tracing import Invocation
from unlike.isolation import Answer, Death, ExecutorPool, Verdict, WorkerPool, piece_sizes
from unlike.recipe import Items, Recipe


class Isolated(Search):
    """A search that makes every call in worker processes."""

    def __init__(self, api: Api, spec: Spec) -> None:
        super().__init__(api, spec.scope, spec.limits, spec.options)
        self.isolated = True
        workers = spec.options.isolation.workers or 1
        limits = replace(spec.options.isolation, workers=None)  # an executor does not travel
        spec = replace(spec, options=replace(spec.options, on_progress=None, isolation=limits))
        self.hands = workers if isinstance(workers, int) else 4  # how many an executor has is not known
        self.pool: WorkerPool | ExecutorPool = (
            WorkerPool(Expander(spec), count=workers, isolation=limits)
            if isinstance(workers, int)
            else ExecutorPool(workers, Expander(spec))
        )
        self.travelled: dict[int, bytes] = {}  # states as they came, until they go to a worker
        self.told: tuple[set[bytes], set[bytes]] = (
            set(),
            set(),
        )  # the same, of the last level and of this one
        self.waiting: list[tuple[list[int], list[int], bool]] = []  # objects and calls of this level; make them twice

    def search_levels(self) -> None:
        """Go through the levels until none is left."""
        with self.pool:
            super().search_levels()

    def expand(self, number: int) -> None:
        """Make every call that needs this object alone, later."""
        calls = self.calls_on(number)
        if calls:
            self.expand_with([number], calls)

    def expand_with(self, numbers: list[int], calls: Sequence[Prepared]) -> None:
        """Make the calls on the objects, later; at once where no object is needed."""
        self.waiting.append((numbers, [each.number for each in calls], self.checks_twice()))
        if not numbers:
            self.hand_out()

    def end_level(self, first: int) -> None:
        """Make the calls of the level."""
        self.hand_out()
        self.told = (self.told[1], set())
        super().end_level(first)

    def hand_out(self) -> None:
        """Make all waiting calls: first many at once, then those of jobs that died, one by one."""
        waiting, self.waiting = self.waiting, []
        dead: list[Job] = []
        for verdict in self.pool.run(map(self.job, waiting), piece_sizes(len(waiting), self.hands), self.check_time):
            if not isinstance(verdict, Answer) and len(verdict.item.calls) > 1:
                dead.append(verdict.item)
            else:
                self.take(verdict)
        single = (Job(job.numbers, job.objects, (call,), job.twice) for job in dead for call in job.calls)
        for verdict in self.pool.run(single, 1, self.check_time):
            self.take(verdict)

    def job(self, waiting: tuple[list[int], list[int], bool]) -> Job:
        """Return a job that can travel."""
        numbers, calls, twice = waiting
        return Job(tuple(numbers), tuple(map(self.packed, numbers)), tuple(calls), twice)

    def packed(self, number: int) -> bytes | Recipe:
        """Return the objects of a state as plain data, or as the sequence that makes them."""
        if number in self.travelled:
            return self.travelled.pop(number)
        captured = self.store.state(number) if self.faithful else self.captured[number]
        if captured is not None:
            return pickle.dumps(self.walker.heap(captured), -1)
        steps, roots = self.trace.steps(number)
        return Recipe(tuple(steps), Items("list", tuple(roots)))

    def take(self, verdict: Verdict) -> None:
        """Enter what became of a job."""
        job: Job = verdict.item
        self.count_calls(len(job.calls), self.check_time())
        match verdict:
            case Answer():
                self.enter(job, verdict.result)
            case Death():
                self.blame(job, Failure(ENDED, verdict.cause, "", verdict.place), verdict.output)
            case _ if verdict.error.startswith("MemoryError"):
                self.blame(job, Failure(ENDED, "MemoryError"), verdict.output)
            case _:
                raise UnlikeError(
                    f"an object cannot travel to a worker ({verdict.error}); explore it without workers (--workers)"
                )

    def blame(self, job: Job, failure: Failure, output: str) -> None:
        """Enter the one call of a job that did not come to its end."""
        prepared = self.prepared[job.calls[0]]
        self.tallies[prepared.template.operation].outcomes[Outcome.ERROR] += 1
        self.reveal(prepared, job.numbers, failure, None, output)

    def enter(self, job: Job, findings: Findings) -> None:
        """Enter what the calls of a job came to."""
        if findings.found is not None:
            raise FoundClass(findings.found)
        for number, told in findings.tallies.items():
            tally, (outcomes, answers, changes) = self.tallies[self.api.operations[number]], told
            for outcome, times in zip(Outcome, outcomes, strict=True):
                if times:
                    tally.outcomes[outcome] += times
            tally.answers |= answers
            tally.changes |= changes
        for report in findings.reports:
            self.enter_report(job, report)
        self.outside.update(findings.outside)
        self.ties.update(dict.fromkeys(findings.ties))
        for title, states_differ in findings.unsteady.items():
            self.unsteady[title] = self.unsteady.get(title, False) or states_differ
        self.leaks = {**findings.leaks, **self.leaks}

    def enter_report(self, job: Job, report: Report) -> None:
        """Enter what one call found."""
        prepared = self.prepared[report.call]
        new = [self.met(job, report.call, packed, roles) for packed, roles, _ in report.states]
        counted = [is_new for is_new, (_, _, counts) in zip(new, report.states, strict=True) if counts]
        if not report.errors and counted and not any(counted):  # another worker was first
            outcomes = self.tallies[prepared.template.operation].outcomes
            outcomes[Outcome.NEW] -= 1
            outcomes[Outcome.KNOWN] += 1
        for error in report.errors:
            self.reveal(prepared, job.numbers, error.failure, error.exception_class, error.output)

    def met(self, job: Job, call: int, packed: bytes, roles: Roles) -> bool:
        """Keep a state unless it is known."""
        before, now = self.told
        if packed in now or packed in before:
            return False  # another worker was first
        now.add(packed)
        roots = self.walker.made_of(pickle.loads(packed))
        key = self.walker.walk(*roots)
        if not isinstance(key, bytes) or self.store.find(key) >= 0:
            return False
        number = self.keep(key, job.numbers, Invocation(call, job.numbers[1:], roles), roots)
        if self.faithful or self.captured[number] is not None:
            self.travelled[number] = packed
        return True
