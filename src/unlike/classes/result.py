"""What an exploration found: the states counted at once, and a Suite of cases when somebody asks for it.

Cases are recipes, each replayed and compared with the state it claims.
"""

from __future__ import annotations

import collections
import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, Self

from unlike.classes.api import Api, Operation
from unlike.classes.evidence import ENDED, Outcome, Revealed, nothing_built
from unlike.classes.recipes import sequence_text
from unlike.classes.run import SearchRun
from unlike.classes.soundness import Soundness
from unlike.core import FOREVER, CutShort, Deadline
from unlike.errors import UnlikeError
from unlike.foreign import silence
from unlike.heap.field_values import Extensions, extensions
from unlike.heap.layout import CANNOT_BE_SEEN
from unlike.heap.rebuild import Heap, compared_heap, size_of
from unlike.indexed import Indexed, Listed, Mapped
from unlike.isolation import Answer, Death, Verdict, each_in_copies, list_unenforced_limits
from unlike.progress import report
from unlike.recipe import Recipe, run
from unlike.scope import Scope
from unlike.suite import Case, Ending, LazyCase, Status, Suite

if TYPE_CHECKING:
    from unlike.classes.protocols import BrokenProtocol

AFTER_STOP = 5  # seconds for what is asked after a search that somebody stopped
AT_ONCE = 256  # verdicts about sequences that are run again, in one message


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
    soundness: Soundness | None
    seconds: float
    search: SearchRun = field(repr=False)
    _numbers: Sequence[int] = field(repr=False)
    _suite: Suite | None = field(default=None, repr=False)
    values: str = "concrete"  # or "symbolic": how the values of arguments were chosen
    why: str = ""
    selected: bool = False  # the suite is not all that was found
    opened: Result | None = field(default=None, repr=False)  # the same with values left open, where both were explored

    _protocols: tuple[BrokenProtocol, ...] | None = field(default=None, repr=False)
    further: tuple[Case, ...] = ()  # objects beyond the scope that sequences drawn after it led to
    _promise: str = field(default="", repr=False)  # what some of the states were chosen for
    deadline: Deadline = field(default=FOREVER, repr=False)  # of what is made from the result
    noun: ClassVar[str] = "object"  # what is counted
    abstract: ClassVar[bool] = False  # it is one of abstract states: what is counted by outcome are paths, not calls

    @property
    def invariant(self) -> str | None:
        """The name of the invariant, if there is one."""
        return None if self.soundness is None else self.soundness.name

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
        counts = collections.Counter(self.search.frontier.lengths[number] for number in self._numbers)
        return dict(sorted(counts.items()))

    def _size(self, number: int) -> int:
        return size_of(self.search.frontier.key(number))

    def extensions(self, most: float = math.inf) -> Extensions:
        """Return the field extensions: which values each field takes over all states, or in so many objects."""
        return extensions(self.heaps(), most)

    def heaps(self) -> Iterator[Heap]:
        """Yield every state as plain data."""
        for number in self._numbers:
            yield self.search.frontier.heap_of(number)

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
    def protocols(self) -> tuple[BrokenProtocol, ...]:
        """The protocols of Python that objects break, asked of the smallest ones; none if they are not to be asked."""
        if self._protocols is None:
            from unlike.classes.protocols import broken_protocols  # only where somebody wants to know

            self._protocols = broken_protocols(self) if self.search.options.exploring.protocols else ()
        return self._protocols

    def first_recipes(self, most: int) -> list[Recipe]:
        """Return the sequences of the first objects, which need the fewest calls."""
        return [self.search.frontier.trace.recipe(number) for number in self._numbers[:most]]

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

    def because(self, values: str, why: str) -> Self:
        """Say how the values of arguments were chosen, and why; return the result."""
        self.values, self.why = values, why
        return self

    def deliver(self, suite: Suite) -> None:
        """Hand out this suite, chosen from the objects found, instead of all of them."""
        self._suite, self.selected = suite, True

    def _checked_suite(self) -> Suite:
        made = [self._case(position, number) for position, number in enumerate(self._numbers)]
        suite = self.replay_suite(
            Listed(made), lambda place: self._replays(self._numbers[place], made[place].recipe), self.guarantee
        )
        return replace(suite, cases=Listed([*suite, *self.further])) if self.further else suite

    def replay_suite(self, cases: Indexed[Case], replays: Callable[[int], object], guarantee: str) -> Suite:
        """Return the suite of the cases that replay: one that gives another state is left out, and said so."""
        verdicts: list[Verdict] = []
        status, total = self.status, cases.count()
        try:
            verdicts.extend(self.each_in_copies(replays, total, at_once=AT_ONCE))
        except CutShort as cut:  # what came before it stays
            status = Status(cut.status.ending, f"{len(verdicts):,} of {total:,} sequences were run again in time")
        kept = [index for index, verdict in enumerate(verdicts) if is_true(verdict)]
        if len(kept) < len(verdicts):
            lost, verdict = next(each for each in enumerate(verdicts) if not is_true(each[1]))
            death = f" ({verdict.cause})" if isinstance(verdict, Death) else ""
            status = Status(
                Ending.FAILED,
                f"{len(verdicts) - len(kept)} of {len(verdicts)} sequences gave another state when run again, "
                f"such as {cases.at(lost).label}{death}; "
                "the class is not deterministic, or keeps state outside its objects",
            )
        some = cases if len(kept) == total else Mapped(Listed(kept), cases.at)
        return Suite(self.name, some, status, guarantee, self.explanation)

    def each_in_copies(
        self, work: Callable[[int], object], count: int, *, at_once: int = 1, soon: bool = False
    ) -> Iterator[Verdict]:
        """Yield what became of work on each position: in a copy of this process, unless all is done in this one.

        With `at_once` verdicts are told so many together. What has to end `soon` takes little time where somebody has
        stopped the search: they wait for the answer.
        """
        stopped = soon and self.status.ending is Ending.INTERRUPTED
        deadline = self.deadline.within(AFTER_STOP) if stopped else self.deadline
        limits = self.search.options.isolation
        limits = limits if self.search.isolated else limits.in_this_process()
        verdicts = each_in_copies(work, count, limits, deadline, in_scratch=True, at_once=at_once)
        for done in itertools.count():
            if count > 1:
                report("running calls again", done, of=count)
            # silent only while the work is done: whoever takes the verdict may speak
            with silence():
                verdict = next(verdicts, None)
            if verdict is None:
                return
            yield verdict

    def _case(self, position: int, number: int) -> Case:
        frontier = self.search.frontier
        recipe = frontier.trace.recipe(number)
        name = f"{frontier.classes[number].__name__}-{position}"
        return LazyCase(recipe, id=name, make=lambda: (recipe, sequence_text(recipe)))

    def _replays(self, number: int, recipe: Recipe) -> bool:
        """Tell whether the recipe, run on its own, gives the state it claims."""
        search, walk = self.search, self.search.code.walker.walk
        try:
            made = search.caller.rerun_calls(number)
            if len(made) == 1 and number not in search.frontier.trace.given:  # by the same steps as the recipe
                return bool(walk(*made) == search.frontier.key(number))
            states = walk(*made), walk(made[0])
            search.code.fixtures.restore()
            main = walk(run(recipe))
        except Exception:  # the code under test may do something else this time
            return False
        finally:
            search.code.fixtures.restore()
        return states == (search.frontier.key(number), main)

    def all_states(self) -> list[object]:
        """Return a value per state that equals another exactly for equal states, whatever walker found them."""
        frontier = self.search.frontier
        return [compared_heap(frontier.walker, frontier.key(number)) for number in self._numbers]

    def lengths(self) -> dict[object, int]:
        """Return for every state, as in `all_states`, how many calls it needs."""
        needed = (self.search.frontier.lengths[number] for number in self._numbers)
        return dict(zip(self.all_states(), needed, strict=True))

    @property
    def delivered(self) -> Status:
        """The status of what was handed out: that of the suite if it was asked for, else that of the search."""
        return self.status if self._suite is None else self._suite.status

    def reproduces(self, error: Revealed) -> bool:
        """Tell whether the sequence of an error shows it again when it is run on its own."""
        deadly, hung = error.is_deadly, error.hung
        here = not self.search.isolated and not deadly and not hung
        limits = self.search.options.isolation
        limits = limits.in_this_process() if here else replace(limits, in_process=False, workers=None)
        (verdict,) = each_in_copies(lambda _: self._shows(error), 1, limits, in_scratch=True)
        if isinstance(verdict, Death):
            return hung or (deadly and verdict.cause == error.failure.exception)
        return not deadly and is_true(verdict)

    def _shows(self, error: Revealed) -> bool:
        """Run the sequence of an error, and tell whether it does the same."""
        with silence():
            try:
                made: Any = run(error.recipe)
                if error.failure.reason == ENDED:
                    return False
                return (
                    error.exception_class is None and self.soundness is not None and not self.soundness.is_kept_by(made)
                )
            except KeyboardInterrupt:
                raise
            except BaseException as raised:  # the code under test may raise anything
                return error.exception_class is None or type(raised).__qualname__ == error.failure.exception

    def sequences(self, error: Revealed) -> list[Recipe]:
        """Return a sequence for each time the error was met, the shortest first; for the first thousand times."""
        return [self.search.frontier.failing(*each) for each in error.met] or [error.recipe]

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
        search = self.search
        if not search.isolated:
            return "the calls were made in this process"
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


def result_of(search: SearchRun) -> Result:
    """Return what a search with concrete values found, counted."""
    numbers = _numbers_of(search)
    classes = search.api.classes
    others = collections.Counter(cls.__name__ for cls in search.frontier.classes if not issubclass(cls, classes))
    return Result(**result_fields(search, len(numbers), others), _numbers=numbers)


def result_fields(search: SearchRun, states: int, others: Mapping[str, int]) -> dict[str, Any]:
    """Return what every kind of result says of a search that found so many states."""
    api, evidence = search.api, search.evidence
    is_hidden = any(CANNOT_BE_SEEN in reason for reason in evidence.outside)
    if not states and not evidence.errors and (is_hidden or not search.status.cut_short):
        raise nothing_built(api, [*evidence.outside])
    if not states and search.status.ending is Ending.COMPLETE:  # nothing else was called: that is no proof
        name = ", ".join(cls.__name__ for cls in api.classes)
        search.status = Status(
            Ending.UNKNOWN, f"no {name} could be made: {next(iter(evidence.errors.values())).failure}"
        )
    total: collections.Counter[Outcome] = collections.Counter()
    for tally in evidence.tallies.values():
        total.update(tally.outcomes)
    return {
        "api": api,
        "scope": search.scope,
        "status": search.status,
        "states": states,
        "others": dict(others),
        "calls": search.caller.calls,
        "outcomes": {outcome: total[outcome] for outcome in Outcome},
        "by_operation": {operation: dict(+tally.outcomes) for operation, tally in evidence.tallies.items()},
        "errors": tuple(evidence.errors.values()),
        "outside": dict(evidence.outside),
        "unsteady": tuple(sorted(evidence.unsteady)),
        "leaks": dict(evidence.leaks),
        "observers": tuple(
            operation
            for operation, tally in evidence.tallies.items()
            if operation.has_receiver and tally.answers and not tally.changes
        ),
        "soundness": search.caller.sound,
        "seconds": search.seconds,
        "search": search,
    }


def _numbers_of(search: SearchRun) -> list[int]:
    """Return the states of the classes explored, each once, in the order in which they were found."""
    frontier = search.frontier
    explored = {cls: issubclass(cls, search.api.classes) for cls in dict.fromkeys(frontier.classes)}
    numbers = [number for number, cls in enumerate(frontier.classes) if explored[cls] and frontier.roots[number] == 1]
    if frontier.matching:
        return numbers  # no state was kept twice
    found: dict[object, int] = {}
    for number in numbers:
        found.setdefault(frontier.key(number), number)
    return list(found.values())
