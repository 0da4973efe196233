"""Whoever makes the calls: from states and calls to what each came to, as evidence and new states of a frontier.

A state is made once per parent; each call runs on it, and is undone in place. An object that did not change needs no
walk. Where nothing speaks against it the walker makes the calls on a state by itself (module `batch`).
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Sequence
from typing import Any, ClassVar

from unlike.classes.batch import Batch
from unlike.classes.evidence import (
    LEFT_CHANGED,
    TOLD_EVERY,
    Evidence,
    Failure,
    Fault,
    HangError,
    Options,
    Outcome,
    Revealed,
    Tally,
    describe_broken,
    failure_of,
    progress_of,
)
from unlike.classes.frontier import StateFrontier, WorkUnit
from unlike.classes.kept_inside import Larger, measure
from unlike.classes.policy import SearchPolicy
from unlike.classes.recipes import Invocation
from unlike.classes.refusals import is_refusal
from unlike.classes.set_order import OrderProbe
from unlike.classes.soundness import soundness_of
from unlike.classes.under_test import CodeUnderTest
from unlike.classes.workbench import (
    MAKING,
    PLAIN,
    Marks,
    QuickCalls,
    ReadyCall,
    ReadyObjects,
    Roles,
    Workbench,
    strongest_outcome,
)
from unlike.core import CutShort
from unlike.errors import UnlikeError
from unlike.foreign import is_of, name_of_class
from unlike.heap.numbered_names import remarks_of
from unlike.progress import Progress
from unlike.scope import Outside
from unlike.suite import Ending, Status

MOST_ERRATIC = 500  # states that are found after a call was seen to lead elsewhere when it is made again
CHECKED_TWICE = 40  # parents on which every call is run twice, to see whether it does the same again


class ObjectCaller:
    """Makes calls on real objects, in this process."""

    tries_orders: ClassVar[bool] = True  # of sets

    def __init__(self, code: CodeUnderTest, frontier: StateFrontier, options: Options, policy: SearchPolicy) -> None:
        self.code, self.frontier, self.options, self.policy = code, frontier, options, policy
        self.walker = code.walker
        self.sound = soundness_of(options.states.invariant, code.api.classes)
        self.evidence = self.new_evidence()  # of the calls since it was last handed on
        self.calls = self.handed_on = 0  # calls that were made, and those of them whose evidence was handed on
        self.probed = 0  # calls beside these, with sets that go another way
        self.parents = 0  # states, or groups of them, whose calls were made one by one
        self.heard: set[tuple[str, ...]] = set()  # errors of which it is known what the first call printed
        self.unheard: list[tuple[Revealed, ReadyCall, list[int]]] = []  # and those of which it is not known yet
        self.uncounted: set[tuple[tuple[int, ...], int]] = set()  # calls that led to a new state, and to an error
        self.looked_through = 0  # states
        # the first graph outside for a reason, after an operation: kept when evidence is handed on, which time decides
        self.larger: dict[tuple[str, str], Larger | None] = {}
        self.plans: dict[type, QuickCalls] = {}
        self.marks = Marks()
        self.batching = self.batched = False  # the walker makes the calls by itself; it made those of this unit
        self.running = False  # code under test is running
        self.erratic: tuple[str, int] | None = None  # a call that leads elsewhere when made again; states to stop at
        self.twice: bool | None = None  # whether each call is made twice, once that is decided
        # where the order of sets counts an object is made anew after every call: a set goes as it was filled
        self.in_place = options.states.state_matching and not code.limits.set_order
        self.at_once = self.in_place and not policy.sees_calls  # the walker may make calls by itself
        self.probe = OrderProbe(code) if self.in_place and self.tries_orders else None
        self.ready = ReadyObjects(self)
        self.told = 0, 0.0  # thousands of calls, and seconds, when progress was reported
        self.began = time.monotonic()

    def new_evidence(self) -> Evidence:
        """Return the evidence of no call."""
        api = self.code.api
        return Evidence({each: Tally() for each in api.operations}, notes=self.policy.new_notes(api))

    def hand_on(self) -> Evidence:
        """Return the evidence of all calls since the last time."""
        for plan in self.plans.values():
            plan.add_to(self.evidence, self.walker.reason)
        evidence, self.evidence = self.evidence, self.new_evidence()
        evidence.compared = dict.fromkeys(remarks_of(self.walker, self.frontier.keys_since(self.looked_through)))
        self.looked_through = len(self.frontier)
        evidence.calls, self.handed_on = self.calls - self.handed_on, self.calls
        return evidence

    # -- the calls on a state -------------------------------------------------------------------------

    def do_unit(self, unit: WorkUnit) -> None:
        """Make the calls of the next unit of a level, and note that it is done."""
        try:
            self.call(unit)
        except NotMadeAgainError as error:
            self.evidence.lost.append(Fault(str(error)))
        self.frontier.done += 1
        self.marks.end_unit(at_once=self.batched)
        self.batched = False

    def call(self, unit: WorkUnit) -> None:
        """Make the calls of a unit."""
        if unit.calls is None:
            self.expand(unit.numbers[0])
        elif unit.calls:
            self.call_each(list(unit.numbers), unit.calls)
        else:
            self.check_time()

    def expand(self, number: int) -> None:
        """Make every call that needs this object alone."""
        frontier = self.frontier
        plain = self.at_once and frontier.roots[number] == 1 and (self.twice is False or not self.checks_twice())
        if plain and not self.marks.is_careful() and not (self.probe and self.probe.awaits(self, number)):
            cls = frontier.classes[number]
            plan = self.plans.get(cls) or self.plans.setdefault(cls, QuickCalls(self.code.unary_calls(cls)))
            if plan.calls and Batch(self, number, plan).run():
                if plan.rest:
                    self.call_each([number], plan.rest)
                return
        if calls := frontier.calls_on(number):
            self.call_each([number], calls)

    def call_each(self, numbers: list[int], calls: Sequence[ReadyCall]) -> None:
        """Make the calls on the objects, each from the same state."""
        if numbers:
            self.check_time()
        fault = self.marks.begin_call(MAKING)
        if fault is not None:
            self.evidence.lost.append(fault)
            return
        bench = Workbench(self, numbers)
        seen = []
        for call in calls:
            self.count_call()
            seen.append(self.attempt(bench, call))
            bench.reset()
        if self.checks_twice() and self.options.states.state_matching:
            bench = self.try_again(bench, calls, seen)
        if self.probe is not None:
            self.probe.try_calls(self, bench, calls)
        self.watch_globals(bench, calls)

    def checks_twice(self) -> bool:
        """Tell whether each call is made twice, to see whether it does the same again."""
        if self.twice is None and len(self.frontier) > CHECKED_TWICE:
            self.twice = False  # from now on
        return self.twice is not False

    def try_again(self, bench: Workbench, calls: Sequence[ReadyCall], seen: Sequence[object]) -> Workbench:
        """Make the calls once more, note those that do something else, and return the bench this was done on."""
        again = Workbench(self, bench.numbers, apart=True)  # other objects in the same state, at other addresses
        unsteady = self.evidence.unsteady
        for call, before in zip(calls, seen, strict=True):
            if (now := self.attempt(again, call, silent=True)) != before:
                title = call.template.operation.title
                is_erratic = _states_in(now) != _states_in(before)
                unsteady[title] = unsteady.get(title, False) or is_erratic
                if is_erratic and self.erratic is None:
                    self.erratic = title, len(self.frontier) + MOST_ERRATIC
            again.reset()
        return again

    def watch_globals(self, bench: Workbench, calls: Sequence[ReadyCall]) -> None:
        """Find out which call changed something outside the objects, if any did; done only once, it may be any call."""
        self.parents += 1
        watch, leaks = self.code.watch, self.evidence.leaks
        if not (self.parents <= 100 or not self.parents % 50) or not (changes := watch.changes()):
            return
        for call in calls:
            self.attempt(bench, call, silent=True)
            bench.reset()
            for place in watch.changes():
                leaks.setdefault(place, call.template.operation.title)
        titles = dict.fromkeys(call.template.operation.title for call in calls)
        for place in (*watch.changes(), *changes):
            leaks.setdefault(place, " or ".join(titles))

    # -- how far --------------------------------------------------------------------------------------

    def count_call(self) -> None:
        """Count a call that is about to be made; end the search where its calls, time or states are used up."""
        if self.calls % 64 == 63:  # look at the clock now and then
            self.count_calls(1, self.check_time())
        else:
            self.calls += 1
        if self.calls > self.policy.most_calls:
            raise CutShort(Status(Ending.UNKNOWN, f"{self.policy.most_calls:,} calls were made and states are left"))

    def count_calls(self, calls: int, seconds: float) -> None:
        """Count calls, and report where the search stands now and then."""
        self.calls += calls
        self.report_progress(seconds)

    def report_progress(self, seconds: float) -> None:
        """Report where the search stands: every thousand calls, and where they take long every now and then."""
        thousands, before = self.told
        tell = self.options.on_progress
        if tell is not None and (self.calls // 1024 != thousands or seconds >= before + TOLD_EVERY):
            self.told = self.calls // 1024, seconds
            tell(self.progress(seconds))

    def check_time(self) -> float:
        """End the search where its time or its number of states is used up; return the seconds it took so far."""
        frontier, now, ends = self.frontier, time.monotonic(), self.options.deadline.ends
        if ends is not None and now >= ends:
            raise CutShort(self.policy.out_of_time(frontier, self.options))
        if self.erratic is not None and len(frontier) > self.erratic[1]:
            words = f"{self.erratic[0]} led to another state each time it was called; {len(frontier):,} were found"
            raise CutShort(Status(Ending.UNKNOWN, words))
        if len(frontier) > self.options.exploring.most_states:
            words = f"{len(frontier):,} {frontier.counts}; {frontier.growth.hint()}"
            raise CutShort(Status(Ending.UNKNOWN, words.rstrip("; ")))
        return now - self.began

    def progress(self, seconds: float) -> Progress:
        """Return where the search stands."""
        frontier = self.frontier
        return progress_of(len(frontier), frontier.level, frontier.width(), self.calls, len(self.heard), seconds)

    # -- one call -------------------------------------------------------------------------------------

    def attempt(self, bench: Workbench, call: ReadyCall, *, silent: bool = False) -> object:
        """Make one call and judge it; return what can be compared with a second attempt."""
        tally = Tally() if silent else self.evidence.tallies[call.template.operation]
        fault = self.marks.begin_call(call.number)
        if fault is not None:
            tally.outcomes[Outcome.ERROR] += 1
            if not silent:
                self.note_error(call, bench.numbers, fault.failure(self.sound), None, fault.output)
            return fault
        known = len(self.frontier)
        bench.begin(call, silent=silent)
        self.running = True
        try:
            result = call.run(bench.objects)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # the code under test may raise anything
            self.running = False
            if is_of(error, HangError):
                self.check_time()
            outcome = self.judge_failure(bench, error)
        else:
            self.running = False
            outcome = self.judge_success(bench, result, tally)
        tally.outcomes[outcome] += 1
        if outcome is not Outcome.NEW and len(self.frontier) > known:
            self.uncounted.add((tuple(bench.numbers), call.number))
        self.marks.end_call()
        return bench.seen

    def judge_failure(self, bench: Workbench, error: BaseException) -> Outcome:
        """Tell a precondition that was not met from an error."""
        changed = bench.was_changed() and bench.keys() != bench.keys_before()
        receiver, bench.seen = bench.objects[0] if bench.objects else None, (type(error), changed)
        outcome = self.judge_exception(bench.call, bench.numbers, receiver, error, changed, bench.silent)
        if self.policy.sees_calls:
            self.policy.note(self, bench, "raised", error, changed)
        return outcome

    def judge_exception(
        self, call: ReadyCall, numbers: Sequence[int], on: object, error: BaseException, changed: bool, silent: bool
    ) -> Outcome:
        """Judge an exception of a call on an object, given whether the objects are in another state."""
        if not changed and is_refusal(error, call.template, on, self.options.states):
            return Outcome.PRECONDITION
        reason = LEFT_CHANGED if changed else "raised"
        if not silent:
            self.note_error(call, numbers, failure_of(error, reason), type(error))
        return Outcome.ERROR

    def judge_success(self, bench: Workbench, result: object, tally: Tally) -> Outcome:
        """Look at receiver, arguments and result, and keep every one that is in a new state."""
        changed = bench.was_changed()
        cls = type(result)
        tally.answers = True
        tally.changes |= changed
        bench.seen = [result if cls in PLAIN else cls]
        outcomes = []
        if changed:
            self.note_ties(bench.call, bench.are_tied())
            outcomes += [self.discover_with(bench, roots, roles) for roots, roles in bench.list_changed()]
        if cls not in PLAIN and self.code.is_found_object(cls) and not any(result is each for each in bench.objects):
            roots, roles = bench.with_result(result)
            self.note_ties(bench.call, len(roots) > 1)
            outcomes.append(self.discover_with(bench, roots, roles))
        if self.policy.sees_calls:
            self.policy.note(self, bench, "returned", result)
        return strongest_outcome(outcomes)

    def note_ties(self, call: ReadyCall, tied: bool) -> None:
        """Note a call that makes several objects share parts: from then on only one of them is called."""
        if tied:
            self.evidence.ties.setdefault(call.template.operation.title)

    def discover_with(self, bench: Workbench, roots: list[Any], roles: Roles) -> Outcome:
        """Look at an object and those it shares parts with; one of a class explored is found alone, first of all."""
        if self.code.is_found_alone(type(roots[0]), len(roots)):
            return self.discover(bench, roots, roles)
        outcome = self.discover(bench, roots[:1], roles[:1])
        roots, roles = bench.still_tied(roots, roles)
        if outcome in (Outcome.NEW, Outcome.KNOWN) and len(roots) > 1:
            self.discover(bench, roots, roles)  # the object itself is known already
        return outcome

    def discover(self, bench: Workbench, roots: Sequence[object], roles: Roles) -> Outcome:
        """Walk an object and keep its state if it is new and its invariant holds."""
        key, kept = bench.walk(roots)
        bench.seen.append(key)
        if isinstance(key, Outside):
            self.note_larger(key.reason, bench.call.template.operation.title, roots)
        if bench.silent:
            return Outcome.OUTSIDE if isinstance(key, Outside) else Outcome.KNOWN
        outcome = self.keep_state(bench, key, kept, roots, roles)
        if self.policy.sees_calls and outcome is not Outcome.ERROR:
            self.policy.note(self, bench, "found", roots, roles, key)
        return outcome

    def keep_state(
        self, bench: Workbench, key: bytes | Outside, kept: Sequence[object], roots: Sequence[object], roles: Roles
    ) -> Outcome:
        """Keep a state that a call led to, if it is new and the invariant holds."""
        call, numbers = bench.call, bench.numbers
        if isinstance(key, Outside):
            self.evidence.outside[key.reason] += 1
            return Outcome.OUTSIDE
        known = self.frontier.knows(key)
        if known and self.options.states.state_matching:
            return Outcome.KNOWN
        if not known and not self.holds(call, numbers, roots[0]):
            return Outcome.ERROR
        self.frontier.add(key, numbers, Invocation(call.number, tuple(numbers[1:]), roles), kept)
        return Outcome.KNOWN if known else Outcome.NEW

    def note_larger(self, reason: str, title: str, roots: Sequence[object]) -> None:
        """Look at the first graph outside for this reason that an operation leads to: what in it is so large."""
        if (reason, title) not in self.larger:
            larger = self.larger[reason, title] = measure(self.walker, roots)
            if larger is not None:
                self.evidence.larger[reason, title] = larger

    def holds(self, call: ReadyCall, numbers: Sequence[int], thing: object) -> bool:
        """Tell whether the object's invariant holds; an invariant that raises is broken."""
        sound = self.sound
        if sound is None or not sound.applies_to(thing):
            return True
        self.marks.begin_invariant()
        try:
            if sound.holds_for(thing):
                return True
            failure = Failure(describe_broken(sound.name))
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # an invariant is code under test, too
            failure = failure_of(error, describe_broken(sound.name))
        self.note_error(call, numbers, failure)
        return False

    def note_error(
        self,
        call: ReadyCall,
        numbers: Sequence[int],
        failure: Failure,
        cls: type[BaseException] | None = None,
        output: str | None = None,
        *point: object,
    ) -> None:
        """Note an error that a call on these states revealed; the first sequence for each is kept: a shortest one."""
        title = call.template.operation.title
        key = (title, *failure.kind)
        error = self.evidence.errors.get(key)
        if error is None:
            error = self.evidence.errors[key] = Revealed(title, failure, self.frontier.length_after(numbers), cls)
            if key not in self.heard and output is None and self.batching:
                self.unheard.append((error, call, list(numbers)))
            elif key not in self.heard:
                error.output = self.marks.take_printed() if output is None else output
            self.heard.add(key)
        error.meet(tuple(numbers), call.number, *point)

    # -- making objects again -------------------------------------------------------------------------

    def make_objects(self, number: int) -> list[Any]:
        """Return fresh objects in the state, by its bytes where they say all, else by its calls."""
        if self.in_place:
            key = self.frontier.key(number)
            whole = key if self.frontier.faithful else self.frontier.captured[number]
            if whole is not None:
                with contextlib.suppress(Exception):  # a `__hash__` or `__setstate__` of the user's may refuse
                    made = self.walker.rebuild(whole)
                    if self.walker.walk(*made) == key:
                        return made
        return self.rerun_calls(number)

    def rerun_calls(self, number: int) -> list[Any]:
        """Return fresh objects in the state, made by its calls, with sentinels and registries as they were at first."""
        self.code.fixtures.restore()
        try:
            return self.frontier.trace.replay(number)
        except UnlikeError:
            raise
        except Exception as error:  # foreign: what was there the first time is used up, or gone
            raise NotMadeAgainError(f"its calls raised {name_of_class(type(error))} the second time") from None


class NotMadeAgainError(Exception):
    """The calls that lead to an object raised something when they were made again."""


def _states_in(seen: object) -> object:
    """Return the states among what was seen of a call: after an answer, or whether an exception left another."""
    if isinstance(seen, list):
        return seen[1:]
    return ["another"] if isinstance(seen, tuple) and seen[1] else []
