"""The search inside a worker: objects in, what the calls on them came to out."""

from __future__ import annotations

import collections
import threading
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from unlike.errors import UnlikeError
from unlike.explore.api import api_of
from unlike.explore.bench import Bench, Prepared, Roles, Tally
from unlike.explore.elsewhere.luggage import portable
from unlike.explore.outcomes import Failure, FoundClass, Outcome
from unlike.explore.search import Options, Search
from unlike.explore.surroundings import Here
from unlike.explore.tracing import Invocation
from unlike.heap import Heap
from unlike.recipe import Recipe, run
from unlike.scope import Limits, Scope
from unlike.workers import heard

ADOPTED = Invocation(-1, (), ())  # the parent knows how the state came about


@dataclass(frozen=True, slots=True)
class Spec:
    """Everything that defines a search, fit to travel."""

    targets: tuple[Any, ...]
    scope: Scope
    limits: Limits
    options: Options
    methods: str | None = None
    leave_out: tuple[str, ...] = ()
    extra: tuple[type, ...] = ()


@dataclass(frozen=True, slots=True)
class Job:
    """Objects (as plain data, or as the sequence that makes them), and the calls to make on them, by number."""

    numbers: tuple[int, ...]
    objects: tuple[Heap | Recipe, ...]
    calls: tuple[int, ...]
    twice: bool = False  # make each call twice, to see whether it does the same again


@dataclass(slots=True)
class Report:
    """What one call came to."""

    call: int
    outcome: Outcome = Outcome.KNOWN
    answers: bool = False
    changes: bool = False
    states: list[tuple[Heap, Roles]] = field(default_factory=list)  # not seen yet by this worker
    errors: list[tuple[Failure, type[BaseException] | None, str]] = field(default_factory=list)  # with the output
    outside: dict[str, int] = field(default_factory=dict)
    found: type | None = None  # a class that has to take part from the start
    unsteady: bool | None = None  # it did something else the second time: whether it led to another state, too
    leaks: dict[str, str] = field(default_factory=dict)  # what it changed outside the objects
    ties: bool = False  # it made several objects share parts


REPLICAS: dict[tuple[str, int], Replica] = {}  # by search and thread; in a process of an executor there may be several


@dataclass(frozen=True, slots=True)
class Expander:
    """The work of a worker: from a job to its reports. The search is made when the first job comes."""

    spec: Spec
    token: str = field(default_factory=lambda: uuid.uuid4().hex)  # tells one search from another

    def __call__(self, job: Job) -> list[Report]:
        """Make the calls of the job."""
        key = (self.token, threading.get_ident())
        if key not in REPLICAS:
            for other in [other for other in REPLICAS if other[1] == key[1]]:
                del REPLICAS[other]  # of a search that is over
            REPLICAS[key] = Replica(self.spec)
        return REPLICAS[key].reports(job)


class Within(Here):
    """The guard of a search in a worker, whose output the worker catches."""

    def printed(self) -> str:
        """Return what was printed since the last time."""
        return heard()


class Replica(Search):
    """A search that tells of every state and error instead of going on with them."""

    def __init__(self, spec: Spec) -> None:
        api = api_of(spec.targets, spec.scope, methods=spec.methods, leave_out=spec.leave_out, extra=list(spec.extra))
        super().__init__(api, spec.scope, spec.limits, spec.options)
        self.guard = Within()
        self.sequences: dict[int, Recipe] = {}
        self.report = Report(-1)

    def reports(self, job: Job) -> list[Report]:
        """Make the calls on the objects, each from the same state."""
        bench = Bench(self, [self.adopt(each) for each in job.objects])
        calls = [self.prepared[number] for number in job.calls]
        seen: list[object] = []
        reports = [self.reported(bench, each, seen) for each in calls]
        try:
            if job.twice and len(seen) == len(calls):
                bench = bench.tried_again(self, calls, seen)
            self.watch_surroundings(bench, calls)
        except FoundClass as news:  # a call may give an object of a new class only when it is made again
            reports[-1].found = news.cls
        for report, each in zip(reports, calls, strict=True):
            report.unsteady = self.unsteady.get(each.template.operation.title) if job.twice else None
        reports[-1].leaks, self.leaks = self.leaks, {}
        return reports

    def adopt(self, thing: Heap | Recipe) -> int:
        """Return the number under which this search knows the objects."""
        if isinstance(thing, Heap):
            roots = self.walker.rebuild(self.walker.absorb(thing))
        else:
            made = run(thing)
            assert isinstance(made, list)
            roots = made
        key = self.walker.walk(*roots)
        if not isinstance(key, bytes):
            raise UnlikeError(f"an object came back in another state: {key}")
        number = self.store.find(key)
        if number < 0:
            number = super().keep(key, [], ADOPTED, roots)
        if isinstance(thing, Recipe):
            self.sequences[number] = thing
        return number

    def reported(self, bench: Bench, prepared: Prepared, seen: list[object]) -> Report:
        """Make one call and tell what it came to; add what can be compared with a second attempt."""
        operation = prepared.template.operation
        self.report = report = Report(prepared.number)
        self.tallies[operation] = tally = Tally()
        self.outside, self.ties = collections.Counter(), {}
        try:
            seen.append(self.attempt(bench, prepared))
        except FoundClass as news:
            report.found = news.cls
        bench.reset()
        report.ties = bool(self.ties)
        report.outcome = next(iter(tally.outcomes), Outcome.KNOWN)
        report.answers, report.changes, report.outside = tally.answers, tally.changes, dict(self.outside)
        return report

    def keep(self, key: bytes, numbers: Sequence[int], invocation: Invocation, roots: Sequence[object]) -> int:
        """Tell of a new state."""
        self.report.states.append((self.walker.heap(self.walker.capture(*roots)), invocation.roles))
        return super().keep(key, numbers, invocation, roots)

    def reveal(
        self,
        prepared: Prepared,
        numbers: Sequence[int],
        failure: Failure,
        cls: type[BaseException] | None,
        output: str | None = None,
    ) -> None:
        """Tell of an error."""
        del prepared, numbers, output
        told = None if cls is None else portable(cls.__mro__)
        self.report.errors.append((failure, told, self.guard.printed()))

    def replay(self, number: int) -> list[Any]:
        """Return fresh objects in the state, made by the sequence that came with them."""
        self.restore_fixtures()
        made = run(self.sequences[number])
        assert isinstance(made, list)
        return made
