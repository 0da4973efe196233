"""Every object a class can build: from classes and a scope to all states their own methods reach.

`explore` gives a Result: the states counted at once, and a Suite of cases (recipes, each replayed and compared with the
state it claims) when somebody asks for it.
"""

from __future__ import annotations

import collections
import contextlib
import io
import itertools
import sys
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Unpack

from unlike import heap
from unlike.core import (
    FOREVER,
    Bounds,
    CutShort,
    Deadline,
    Exploration,
    ExploreKeywords,
    Exploring,
    Isolation,
    StateMatching,
    TimeLimit,
    takes,
)
from unlike.errors import TargetError, UnlikeError
from unlike.explore.api import Api, Operation, api_of
from unlike.explore.bench import plain_data
from unlike.explore.elsewhere import CannotTravelError, Isolated, Keeper, Spec
from unlike.explore.outcomes import (
    DEADLY,
    ENDED,
    Failure,
    FoundClass,
    Options,
    Outcome,
    Revealed,
    nothing_built,
)
from unlike.explore.search import Search
from unlike.explore.surroundings import HangError
from unlike.explore.tracing import Invocation, sequence_text
from unlike.heap import Extensions
from unlike.indexed import Listed
from unlike.isolation import Answer, Death, Verdict, can_fork, each_in_copies, is_in_copy, list_unenforced_limits
from unlike.progress import Progress, report, teller
from unlike.recipe import Recipe, run
from unlike.scope import Limits, Scope, scope_of
from unlike.suite import Case, Ending, Status, Suite

Make = Callable[[Api, Scope, Limits, Options], Search]

__all__ = [
    "Api",
    "Failure",
    "Options",
    "Outcome",
    "Progress",
    "Result",
    "Revealed",
    "api_of",
    "explore",
    "explored",
    "scope_of",
]


@takes(Bounds, StateMatching, TimeLimit, Isolation, Exploring, without=("fields",))
def explore(
    *targets: Any,
    on_progress: Callable[[Progress], None] | None = None,
    search: Make = Search,
    **keywords: Unpack[ExploreKeywords],
) -> Result:
    """Return every object the classes among the targets can build within the scope.

    Targets are classes, and functions that take or return their objects. `scope` is a number (that many objects per
    class, the first so many ints, containers of at most so many elements) or a Scope; the other bounds refine it.
    Calls are made in a copy of this process, which may take `seconds_per_call` and so many `megabytes`; in so many
    `workers`, or by an executor of yours (or executors that a function of yours makes); or `in_process`, without
    isolation. `search` makes the search: one that goes another way, or sees a smaller Api.
    With `values` "symbolic" integers are left open, and objects that differ in them alone are found together; "auto"
    does so where it pays.
    """
    return explored(targets, Exploration.of(keywords), search, on_progress)


def explored(
    targets: Sequence[Any],
    question: Exploration,
    make: Make = Search,
    on_progress: Callable[[Progress], None] | None = None,
) -> Result:
    """Return what an exploration asks for: with values open or concrete, as asked or as it pays."""
    from unlike.explore.open_values import Setting, explored, what_forbids  # it builds upon this module

    spec = spec_of(targets, question, on_progress or teller())

    def make_api(scope: Scope, extra: Sequence[type]) -> Api:
        return _api(replace(spec, scope=scope, extra=tuple(extra)))

    def concrete(scope: Scope, limits: Limits, options: Options) -> Result:
        own = replace(spec, scope=scope, limits=limits, options=options)
        return _result(_searched(own, make))

    against = what_forbids(spec.limits, spec.options, search=make)
    return explored(Setting(make_api, spec.scope, spec.limits, spec.options, concrete), against)


def spec_of(
    targets: Sequence[Any], question: Exploration, on_progress: Callable[[Progress], None] | None = None
) -> Spec:
    """Return one exploration as its parts."""
    bounds, states = question.bounds.to_scope(), question.states
    options = Options(states, question.exploring, question.isolation, question.deadline, on_progress)
    limits = Limits(
        bounds.objects,
        bounds.objects_of,
        bounds.most_elements,
        states.omit_fields,
        states.dict_order,
        states.keys or {},
    )
    leave_out = () if states.invariant is None else (states.invariant,)
    return Spec(tuple(targets), bounds, limits, options, states.methods, leave_out)


def _api(spec: Spec) -> Api:
    """Return what can be called on the targets; refuse an invariant that none of them has."""
    api = spec.api()
    invariant = spec.options.invariant
    if invariant is not None and not any(hasattr(cls, invariant) for cls in api.classes):
        raise TargetError(f"no class explored has a method {invariant!r} that could be the invariant")
    return api


def _searched(spec: Spec, make: Make) -> Search:
    """Return a search that is over; one that meets objects with operations of their own begins again with them."""
    while True:
        try:
            return _run(_api(spec), spec, make)
        except FoundClass as found:  # its objects take part from the start
            spec = replace(spec, extra=(*spec.extra, found.cls))


def _run(api: Api, spec: Spec, make: Make) -> Search:
    """Search in this process, in a copy of it, or in several workers."""
    attempt = make(api, spec.scope, spec.limits, spec.options)
    isolation, workers = spec.options.isolation, spec.options.isolation.workers
    if isolation.is_here or is_in_copy():
        attempt.run()
        return attempt
    splits = make is Search and spec.options.matching  # other searches choose each call by what they found before
    hands = workers if isinstance(workers, int) else 1
    if splits and (not can_fork() or not (workers is None or isinstance(workers, int))):
        attempt = Isolated(api, spec)
        attempt.run()
        return attempt
    attempt.isolated = can_fork()
    if not attempt.isolated:
        attempt.run()
        return attempt
    try:
        Keeper(attempt, hands if splits else 1).run()
    except CannotTravelError as error:
        if attempt.faults:
            fault = next(iter(attempt.faults.values()))
            raise UnlikeError(
                f"what was found cannot be sent from one process to another ({error}), and a call ended its process "
                f"({fault.cause}); omit the field that holds it (--omit-fields), or leave the call out (--methods)"
            ) from None
        attempt = make(api, spec.scope, spec.limits, spec.options)
        attempt.remark = f"explored in this process, because what was found cannot be sent to another one ({error})"
        attempt.run()
    return attempt


@dataclass(slots=True)
class Result:
    """What an exploration found. Counting costs nothing more; `suite` replays every recipe it hands out."""

    api: Api
    scope: Scope
    status: Status
    states: int  # objects of the classes explored
    others: Mapping[str, int]  # objects of other classes that were found on the way, by class
    calls: int
    outcomes: Mapping[Outcome, int]
    by_operation: Mapping[Operation, Mapping[Outcome, int]]
    errors: tuple[Revealed, ...]
    outside: Mapping[str, int]  # why objects were outside the scope, and how often
    unsteady: tuple[str, ...]  # operations that did not do the same when called again
    leaks: Mapping[str, str]  # state outside the objects that was changed, and by which operation
    observers: tuple[Operation, ...]  # operations that never changed an object
    invariant: str | None
    seconds: float
    _search: Search = field(repr=False)
    _numbers: Sequence[int] = field(repr=False)
    _suite: Suite | None = field(default=None, repr=False)
    values: str = "concrete"  # or "symbolic": how the values of arguments were chosen
    why: str = ""
    selected: bool = False  # the suite is not all that was found
    opened: Result | None = field(default=None, repr=False)  # the same with values left open, where both were explored

    _promise: str = field(default="", repr=False)  # what some of the states were chosen for
    deadline: Deadline = field(default=FOREVER, repr=False)  # of what is made from the result

    @property
    def abstract(self) -> bool:
        """Whether this result is one of abstract states: what is counted by outcome are paths, not calls."""
        return False

    @property
    def numbers(self) -> Sequence[int]:
        """The states counted, by the numbers the search gave them."""
        return self._numbers

    @property
    def by_size(self) -> dict[int, int]:
        """How many states have how many objects in them (containers count as objects)."""
        counts = collections.Counter(self._size(number) for number in self._numbers)
        return dict(sorted(counts.items()))

    @property
    def by_length(self) -> dict[int, int]:
        """How many states need how many calls."""
        counts = collections.Counter(self._search.lengths[number] for number in self._numbers)
        return dict(sorted(counts.items()))

    def _size(self, number: int) -> int:
        return heap.size_of(self._search.store.state(number))

    def extensions(self) -> Extensions:
        """Return the field extensions: which values each field takes over all states."""
        return heap.extensions(self.heaps())

    def first_with(self, nodes: int) -> int:
        """Return how many of the first states have at most so many objects in them, all together."""
        sizes = itertools.accumulate(self._size(number) for number in self._numbers)
        return sum(1 for _ in itertools.takewhile(lambda total: total <= nodes, sizes))

    def heaps(self) -> Iterator[heap.Heap]:
        """Yield every state as plain data."""
        for number in self._numbers:
            yield plain_data(self._search, number)

    def only(self, places: Sequence[int], promise: str) -> Result:
        """Return the result with only the states at these places, chosen to keep the promise."""
        numbers = [self._numbers[place] for place in places]
        return replace(self, states=len(numbers), _numbers=numbers, _suite=None, _promise=promise)

    @property
    def suite(self) -> Suite:
        """All objects as cases. Each recipe was replayed; one that gave another state is left out, and said so."""
        if self._suite is None:
            self._suite = self._checked_suite()
        return self._suite

    @property
    def counting(self) -> str:
        """How objects were counted, where that is worth a word."""
        return ""

    def headings(self) -> dict[int, str]:
        """Return what to say before the object at an index: where another abstract state begins."""
        return {}

    def one_per_shape(self, *, boundary: bool = False) -> Suite:
        """Return one object for each abstract state, and with `boundary` those with extreme values, too."""
        if self.opened is None:
            raise UnlikeError(
                f"there is one object per shape only where values are left open, and here they are concrete: "
                f"{self.why or 'as asked'}; values='symbolic' (--values symbolic) insists"
            )
        return self.opened.one_per_shape(boundary=boundary)

    def deliver(self, suite: Suite) -> None:
        """Hand out this suite, chosen from the objects found, instead of all of them."""
        self._suite, self.selected = suite, True

    def _checked_suite(self) -> Suite:
        made = [self._case(position, number) for position, number in enumerate(self._numbers)]
        kept: list[Verdict] = []
        status = self.status
        replayed = self.each_in_copies(lambda position: self._replays(self._numbers[position], made[position].recipe))
        try:
            kept.extend(replayed)  # what came before a cut stays
        except CutShort as cut:
            status = Status(cut.status.ending, f"{len(kept):,} of {len(made):,} sequences were run again in time")
            made = made[: len(kept)]
        cases = [case for case, verdict in zip(made, kept, strict=True) if is_true(verdict)]
        if len(cases) < len(made):
            lost, verdict = next(pair for pair in zip(made, kept, strict=True) if not is_true(pair[1]))
            death = f" ({verdict.cause})" if isinstance(verdict, Death) else ""
            status = Status(
                Ending.FAILED,
                f"{len(made) - len(cases)} of {len(made)} sequences gave another state when run again, "
                f"such as {lost.label}{death}; "
                "the class is not deterministic, or keeps state outside its objects",
            )
        return Suite(self.name, Listed(cases), status, self.guarantee, self.explanation)

    def each_in_copies(self, work: Callable[[int], object], count: int | None = None) -> Iterator[Verdict]:
        """Yield what became of work on each position: in a copy of this process, unless all is done in this one."""
        most = len(self._numbers) if count is None else count
        limits = self._search.options.isolation
        verdicts = each_in_copies(
            work, most, limits if self._search.isolated else limits.in_this_process(), self.deadline
        )
        for done in itertools.count():
            if most > 1:
                report("running calls again", done, of=most)
            # silent only while the work is done: whoever takes the verdict may speak
            with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
                verdict = next(verdicts, None)
            if verdict is None:
                return
            yield verdict

    def _case(self, position: int, number: int) -> Case:
        recipe = self._search.trace.recipe(number)
        return Case(recipe, sequence_text(recipe), f"{self._search.classes[number].__name__}-{position}")

    def _replays(self, number: int, recipe: Recipe) -> bool:
        """Tell whether the recipe, run on its own, gives the state it claims."""
        try:
            made = self._search.replay(number)
            walk = self._search.walker.walk
            states = walk(*made), walk(made[0])
            self._search.restore_fixtures()
            main = walk(run(recipe))
        except Exception:  # the code under test may do something else this time
            return False
        finally:
            self._search.restore_fixtures()
        return states == (self._search.key(number), main)

    def all_states(self) -> list[object]:
        """Return a value per state that equals another exactly for equal states, whatever walker found them."""
        search = self._search
        return [heap.compared_heap(search.walker, search.key(number)) for number in self._numbers]

    def lengths(self) -> dict[object, int]:
        """Return for every state, as in `all_states`, how many calls it needs."""
        needed = (self._search.lengths[number] for number in self._numbers)
        return dict(zip(self.all_states(), needed, strict=True))

    @property
    def delivered(self) -> Status:
        """The status of what was handed out: that of the suite if it was asked for, else that of the search."""
        return self.status if self._suite is None else self._suite.status

    def reproduces(self, error: Revealed) -> bool:
        """Tell whether the sequence of an error shows it again when it is run on its own."""
        deadly = error.failure.reason == ENDED or error.failure.exception.startswith(DEADLY)
        hung = error.exception_class is not None and issubclass(error.exception_class, HangError)
        here = not self._search.isolated and not deadly and not hung
        limits = self._search.options.isolation
        limits = limits.in_this_process() if here else replace(limits, in_process=False, workers=None)
        (verdict,) = each_in_copies(lambda _: self._shows(error), 1, limits)
        if isinstance(verdict, Death):
            return hung or (deadly and verdict.cause == error.failure.exception)
        return not deadly and is_true(verdict)

    def _shows(self, error: Revealed) -> bool:
        """Run the sequence of an error, and tell whether it does the same."""
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            try:
                made: Any = run(error.recipe)
                if error.failure.reason == ENDED:
                    return False
                return error.exception_class is None and not getattr(made, str(self.invariant))()
            except KeyboardInterrupt:
                raise
            except BaseException as raised:  # the code under test may raise anything
                return error.exception_class is None or type(raised).__qualname__ == error.failure.exception

    def sequences(self, error: Revealed) -> list[Recipe]:
        """Return a sequence for each time the error was met, the shortest first; for the first thousand times."""
        trace = self._search.trace
        return [
            trace.failing(numbers[0] if numbers else -1, Invocation(call, tuple(numbers[1:]), ()))
            for numbers, call in error.met
        ]

    @property
    def name(self) -> str:
        """The classes explored, by name."""
        return ", ".join(cls.__name__ for cls in self.api.classes)

    @property
    def steady(self) -> bool:
        """Whether nothing was seen that makes the count depend on more than the objects."""
        return not self.unsteady and not self.leaks

    @property
    def guarantee(self) -> str:
        """What the suite promises."""
        if self.status.cut_short:
            return f"some of the objects within {self.scope}; the search was cut short"
        if self._promise:
            return f"{self._promise}: {self.status.detail}" if self.status.detail else self._promise
        if self.status.ending is Ending.FOUND:
            return f"some of the objects within {self.scope}, each once; they were looked for at random"
        every = f"every object that the operations build within {self.scope}, each once, by a shortest sequence"
        return f"{every}: {self.status.detail}" if self.status.detail else every

    @property
    def isolation(self) -> str:
        """Where the calls were made, under which limits, and what is not enforced here."""
        search = self._search
        if not search.isolated:
            return search.remark or "the calls were made in this process"
        gaps = f"; not enforced here: {'; '.join(list_unenforced_limits())}" if list_unenforced_limits() else ""
        return f"the calls were made in processes of their own, with {search.options.isolation.limits}{gaps}"

    @property
    def explanation(self) -> str:
        """What was called, what was not and why, and what was noticed."""
        lines = [self.api.listing()]
        lines += [f"values {self.values}: {self.why}"] if self.why else []
        lines += [f"outside the scope: {reason} ({times} times)" for reason, times in self.outside.items()]
        lines += [f"not deterministic: {title} did something else when it was called again" for title in self.unsteady]
        lines += [f"state outside the objects: {title} changes {place}" for place, title in self.leaks.items()]
        lines.append(self.isolation)
        return "\n".join(lines)


def is_true(verdict: Verdict) -> bool:
    """Tell whether the work was done, and said yes."""
    return isinstance(verdict, Answer) and verdict.result is True


def _result(search: Search) -> Result:
    numbers = _numbers_of(search)
    others = collections.Counter(cls.__name__ for cls in search.classes if not issubclass(cls, search.api.classes))
    return Result(**result_fields(search, len(numbers), others), _numbers=numbers)


def result_fields(search: Search, states: int, others: Mapping[str, int]) -> dict[str, Any]:
    """Return what every kind of result says of a search that found so many states."""
    api = search.api
    if not states and not search.errors and not search.status.cut_short:
        raise nothing_built(api, search.outside)
    total: collections.Counter[Outcome] = collections.Counter()
    for tally in search.tallies.values():
        total.update(tally.outcomes)
    return {
        "api": api,
        "scope": search.scope,
        "status": search.status,
        "states": states,
        "others": dict(others),
        "calls": search.calls,
        "outcomes": {outcome: total[outcome] for outcome in Outcome},
        "by_operation": {operation: dict(+tally.outcomes) for operation, tally in search.tallies.items()},
        "errors": tuple(search.errors.values()),
        "outside": dict(search.outside),
        "unsteady": tuple(sorted(search.unsteady)),
        "leaks": dict(search.leaks),
        "observers": tuple(operation for operation, tally in search.tallies.items() if _observes(operation, tally)),
        "invariant": search.options.invariant,
        "seconds": search.seconds,
        "_search": search,
    }


def _numbers_of(search: Search) -> list[int]:
    """Return the states of the classes explored, each once, in the order in which they were found."""
    explored = {cls: issubclass(cls, search.api.classes) for cls in dict.fromkeys(search.classes)}
    numbers = [number for number, cls in enumerate(search.classes) if explored[cls] and search.roots[number] == 1]
    if search.options.matching:
        return numbers  # no state was kept twice
    found: dict[object, int] = {}
    for number in numbers:
        found.setdefault(search.key(number), number)
    return list(found.values())


def _observes(operation: Operation, tally: Any) -> bool:
    return operation.has_receiver and tally.answers and not tally.changes


class _Verb(types.ModuleType):
    """Calling this module explores: `unlike.explore` is the module once anything has imported it."""

    def __call__(self, *targets: Any, **options: Unpack[ExploreKeywords]) -> Result:
        return explore(*targets, **options)


sys.modules[__name__].__class__ = _Verb
