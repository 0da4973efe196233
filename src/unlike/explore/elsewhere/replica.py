"""The search inside a worker: objects in, what the calls on them came to out."""

from __future__ import annotations

import collections
import os
import pickle
import threading
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from unlike.errors import UnlikeError
from unlike.explore.api import Api, api_of
from unlike.explore.bench import Bench, Prepared, Roles, Tally
from unlike.explore.elsewhere.luggage import portable
from unlike.explore.outcomes import Failure, FoundClass, Options, Outcome
from unlike.explore.search import Search
from unlike.explore.surroundings import Here
from unlike.explore.tracing import Invocation
from unlike.isolation import count_forks, take_output
from unlike.recipe import Recipe, run
from unlike.scope import Limits, Scope

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

    def api(self) -> Api:
        """Return what can be called on the targets."""
        return api_of(
            self.targets,
            self.scope,
            methods=self.methods,
            leave_out=self.leave_out,
            extra=list(self.extra),
            isolation=self.options.isolation,
            deadline=self.options.deadline,
        )


class Job(NamedTuple):
    """Objects (as plain data, or as the sequence that makes them), and the calls to make on them, by number."""

    numbers: tuple[int, ...]
    objects: tuple[bytes | Recipe, ...]  # bytes are a pickled Heap
    calls: tuple[int, ...]
    twice: bool = False  # make each call twice, to see whether it does the same again


@dataclass(slots=True)
class Met:
    """An error that a call revealed."""

    failure: Failure
    exception_class: type[BaseException] | None
    output: str = ""  # what the call printed


class Report(NamedTuple):
    """What one call found. A call that revealed no error came to a new state if any of these is one."""

    call: int
    states: list[tuple[bytes, Roles, bool]]  # not seen yet by this worker; each a pickled Heap; whether it counts
    errors: list[Met]


class Findings(NamedTuple):
    """What the calls of a job came to: all of them counted, and a report of those that found something."""

    tallies: dict[int, tuple[list[int], bool, bool]]  # by number of the operation: how many calls came to what
    reports: list[Report]
    outside: dict[str, int]
    ties: tuple[str, ...]  # operations that made several objects share parts
    unsteady: dict[str, bool]
    leaks: dict[str, str]  # what they changed outside the objects
    found: type | None  # a class that has to take part from the start


REPLICAS: dict[tuple[str, int], Replica] = {}  # by search and thread; in a process of an executor there may be several


@dataclass(frozen=True, slots=True)
class Expander:
    """The work of a worker: from a job to its findings. The search is made when the first job comes."""

    spec: Spec
    token: str = field(default_factory=lambda: uuid.uuid4().hex)  # tells one search from another

    def __call__(self, job: Job) -> Findings:
        """Make the calls of the job."""
        key = (self.token, threading.get_ident())
        if key not in REPLICAS:
            for other in [other for other in REPLICAS if other[1] == key[1]]:
                del REPLICAS[other]  # of a search that is over
            REPLICAS[key] = Replica(self.spec)
        try:
            return REPLICAS[key].findings(job)
        except BaseException:  # what it found is lost: the next one is to find it again
            del REPLICAS[key]
            raise


class Within(Here):
    """The guard of a search in a worker, whose output the worker catches."""

    def __init__(self) -> None:
        super().__init__()
        self.own, self.forks = os.getpid(), count_forks()

    def is_careful(self, search: object) -> bool:
        """Tell whether calls are to be made one by one: since one made a copy of this process, which ends after it."""
        del search
        return count_forks() != self.forks

    def end_copies(self) -> None:
        """End this process if it is a copy that the code under test made of the worker."""
        if os.getpid() != self.own:
            os._exit(0)

    def printed(self) -> str:
        """Return what was printed since the last time."""
        return take_output()


class Replica(Search):
    """A search that tells of every state and error instead of going on with them."""

    def __init__(self, spec: Spec) -> None:
        api = spec.api()
        super().__init__(api, spec.scope, spec.limits, spec.options)
        self.guard: Within = Within()
        self.operations = {operation: number for number, operation in enumerate(api.operations)}
        self.sequences: dict[int, Recipe] = {}
        self.reports: dict[int, Report] = {}  # of the calls of this job, by number of the call
        self.heard: set[tuple[str, ...]] = set()  # kinds of errors of this job
        self.job = Job((), (), ())

    def findings(self, job: Job) -> Findings:
        """Make the calls on the objects, each from the same state."""
        self.job, self.reports, self.heard = job, {}, set()
        self.ties, self.unsteady, self.leaks = {}, {}, {}
        self.tallies, self.outside = collections.defaultdict(Tally), collections.Counter()
        found = None
        try:
            self.make_calls([self.adopt(each) for each in job.objects], [self.prepared[each] for each in job.calls])
        except FoundClass as news:
            found = news.cls
        self.guard.end_copies()
        self.sum_up()
        return Findings(
            {
                self.operations[operation]: ([tally.outcomes[each] for each in Outcome], tally.answers, tally.changes)
                for operation, tally in self.tallies.items()
            },
            list(self.reports.values()),
            dict(self.outside),
            tuple(self.ties),
            self.unsteady,
            self.leaks,
            found,
        )

    def make_calls(self, numbers: list[int], calls: list[Prepared]) -> None:
        """Make the calls, many at once where these are all that the one object allows."""
        if len(numbers) == 1 and calls == self.calls_on(numbers[0]):
            self.expand(numbers[0])
        else:
            self.expand_with(numbers, calls)

    def checks_twice(self) -> bool:
        """Tell whether each call is made twice: the parent knows how many states there are."""
        return self.job.twice

    def check_time(self) -> float:
        """Do nothing: the parent looks at the clock."""
        return 0.0

    def attempt(self, bench: Bench, prepared: Prepared, *, silent: bool = False) -> object:
        """Make one call and judge it; a copy that it made of this process ends here."""
        seen = super().attempt(bench, prepared, silent=silent)
        self.guard.end_copies()
        return seen

    def adopt(self, thing: bytes | Recipe) -> int:
        """Return the number under which this search knows the objects."""
        if isinstance(thing, bytes):
            roots = self.walker.made_of(pickle.loads(thing))
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
        elif not self.faithful:
            self.captured[number] = self.capture(roots)  # with the omitted fields as the parent has them
        if isinstance(thing, Recipe):
            self.sequences[number] = thing
        return number

    def report(self, call: int) -> Report:
        """Return the report of a call of this job."""
        if call not in self.reports:
            self.reports[call] = Report(call, [], [])
        return self.reports[call]

    def keep(self, key: bytes, numbers: Sequence[int], invocation: Invocation, roots: Sequence[object]) -> int:
        """Tell of a new state."""
        heap = self.walker.heap(self.walker.capture(*roots))
        if self.walker.walk(*self.walker.made_of(heap)) != key:
            raise UnlikeError(f"{type(roots[0]).__name__} is in another state when it is made again from its fields")
        self.report(invocation.template).states.append(
            (pickle.dumps(heap, -1), invocation.roles, self.counts(type(roots[0]), len(roots)))
        )
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
        error = Met(failure, None if cls is None else portable(cls.__mro__), output or "")
        self.report(prepared.number).errors.append(error)
        if self.batching:
            alike = (prepared.template.operation.title, *failure.kind)
            if alike not in self.heard:  # the parent shows what the first of them printed
                self.heard.add(alike)
                self.unheard.append((error, prepared, list(numbers)))
        elif output is None:
            error.output = self.guard.printed()

    def replay(self, number: int) -> list[Any]:
        """Return fresh objects in the state, made by the sequence that came with them."""
        self.restore_fixtures()
        made = run(self.sequences[number])
        assert isinstance(made, list)
        return made
