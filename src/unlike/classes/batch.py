"""Calls on one state that the walker makes by itself, as fast as they go."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from unlike.classes.evidence import HangError, Outcome
from unlike.classes.workbench import MANY, QuickCalls, Workbench, strongest_outcome
from unlike.foreign import is_of
from unlike.heap.store import NEW, OUTSIDE, REFUSED

if TYPE_CHECKING:
    from unlike.classes.caller import ObjectCaller

MOST_ROWS = 1_000  # of what all calls on a state came to, counted apart: usually few, and never much memory


class Batch:
    """Calls on one state that the walker makes by itself; only what is new, raised or an object comes back here."""

    def __init__(self, caller: ObjectCaller, number: int, plan: QuickCalls) -> None:
        self.caller, self.number, self.plan, self.calls = caller, number, plan, plan.quick
        self.judged: dict[int, Outcome] = {}  # outcomes that the walker cannot know

    def run(self) -> bool:
        """Make the calls; False if the state cannot be made from its bytes, or a call did not return."""
        caller, frontier = self.caller, self.caller.frontier
        seconds = caller.check_time()
        captured = None if frontier.faithful else frontier.captured[self.number]
        if not frontier.faithful and captured is None:
            return False
        caller.marks.begin_call(MANY)
        caller.running = caller.batching = caller.batched = True
        try:
            codes: list[Any] | None = caller.walker.expand(
                frontier.store,
                self.number,
                captured,
                self.plan.calls,
                found=self.keep_new,
                raised=self.judge_raised,
                returned=self.look_at_result,
            )
        except HangError:
            caller.check_time()
            return False  # once more, call by call
        finally:
            caller.running = caller.batching = False
        if caller.unheard:
            self.hear()
        if codes is None:
            return False
        self.look_outside(codes)
        for index, outcome in self.judged.items():
            if codes[index] == NEW and outcome is not Outcome.NEW:
                caller.uncounted.add(((self.number,), self.calls[index].number))
            codes[index] = codes[index], outcome
        self.plan.rows[tuple(codes)] += 1
        if len(self.plan.rows) > MOST_ROWS:
            self.plan.add_to(caller.evidence, caller.walker.reason)
        caller.calls += len(codes)
        if caller.options.on_progress is not None:
            caller.report_progress(seconds)
        return True

    def look_outside(self, codes: Sequence[int]) -> None:
        """Make a call again that led outside for a reason that is new, to see what is so large."""
        caller = self.caller
        for call, code in zip(self.calls, codes, strict=True):
            if code <= OUTSIDE and (code, call.number) not in self.plan.looked_at:
                self.plan.looked_at.add((code, call.number))
                reason, title = caller.walker.reason(code), call.template.operation.title
                if (reason, title) not in caller.larger:
                    caller.attempt(Workbench(caller, [self.number]), call, silent=True)

    def hear(self) -> None:
        """Make calls again that failed among the others, if any printed: now each can be heard alone."""
        caller = self.caller
        unheard, caller.unheard = caller.unheard, []
        if not unheard or not caller.marks.take_printed():
            return
        for error, call, numbers in unheard:
            caller.attempt(Workbench(caller, numbers), call, silent=True)
            error.output = caller.marks.take_printed()

    def keep_new(self, index: int, key: bytes, roots: list[Any]) -> int:
        """Keep a new state if its invariant holds."""
        caller, frontier, number = self.caller, self.caller.frontier, self.number
        if caller.sound is not None and not caller.holds(self.calls[index], [number], roots[0]):
            self.judged[index] = Outcome.ERROR  # whatever the result is
            return REFUSED
        call = frontier.trace.call_number(self.plan.invocations[index])
        whole = None if frontier.faithful else frontier.capture(roots)
        frontier.enter(key, number, call, frontier.lengths[number] + 1, type(roots[0]), 1, whole)
        return NEW

    def judge_raised(self, index: int, error: BaseException, changed: bool, roots: list[Any]) -> None:
        """Judge an exception."""
        if is_of(error, HangError):
            raise error
        caller = self.caller
        if changed:
            changed = caller.walker.walk(*roots) != caller.frontier.key(self.number)
        self.judged[index] = caller.judge_exception(self.calls[index], [self.number], roots[0], error, changed, False)

    def look_at_result(self, index: int, result: object, roots: list[Any]) -> None:
        """Look at a result that is no plain value: it may be an object found."""
        caller, call = self.caller, self.calls[index]
        if not caller.code.is_found_object(type(result)) or result is roots[0]:
            return
        bench = Workbench.around(caller, self.number, roots)
        bench.begin(call)
        found, roles = bench.with_result(result)
        caller.note_ties(call, len(found) > 1)
        outcome = caller.discover_with(bench, found, roles)
        if outcome in (Outcome.NEW, Outcome.ERROR):
            self.judged[index] = strongest_outcome([outcome, self.judged.get(index, outcome)])
