"""From an exploration to the fewest calls that show every behaviour of every method.

A candidate is a state that was found, and a call on it: the objects are made, then the call alone is observed. All
calls that the exploration made are candidates, the shortest sequences first, up to a number. What nobody reached is
named, with what the scope keeps out.
"""

from __future__ import annotations

import copy
import functools
import itertools
import sys
import types
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from unlike.behaviour.by_code import USUAL_BY, families_of, modules_of
from unlike.behaviour.choose import choose_fewest
from unlike.behaviour.out_of_scope import ScopeRemedies
from unlike.behaviour.result import ChosenCases, branches_in_words, count_branches, dark_branches, reasons_of
from unlike.classes.recipes import sequence_text
from unlike.classes.result import Result
from unlike.classes.workbench import ReadyCall
from unlike.core import CutShort, Deadline
from unlike.errors import ScopeError, SpecError, how_many
from unlike.heap.walkers import Walker
from unlike.observe.needs import NeedsReader
from unlike.observe.run import Behaviour, By, CodeCall, Feature, closest_of, features_of
from unlike.observe.watched import Watched
from unlike.progress import report
from unlike.suite import Case, Ending, Status, Suite, proof_of

MOST_CALLS = 20_000  # that are observed: some seconds of work
A_CALL = 10  # letters that a call of a sequence counts as
GONE = ("hangs", "dies")


@dataclass(frozen=True, slots=True)
class ObservedCall:
    """A call on objects in some states, the receiver first."""

    numbers: tuple[int, ...]
    call: ReadyCall

    def ready(self, result: Result) -> list[CodeCall]:
        """Return the call on objects that are made now, with registries as they were at first."""
        caller = result.search.caller
        caller.code.fixtures.restore()
        objects = [caller.make_objects(number)[0] for number in self.numbers]
        made = [CodeCall(self.call.run, (objects,))]
        if objects:
            before = _state_of(caller.walker, objects[0])
            made.append(CodeCall(_is_changed, (caller.walker, objects[0], before)))
        return made


def _is_changed(walker: Walker, receiver: object, before: object) -> bool:
    """Tell whether the receiver of a call is in another state than before."""
    return _state_of(walker, receiver) != before


def _state_of(walker: Walker, receiver: object) -> object:
    """Return what tells states apart; nothing for what cannot be looked into."""
    try:
        return walker.walk(receiver)
    except Exception:  # code of the user's may be asked for a hash
        return None


def choose_calls(result: Result, code: object, within: object, by: object, deadline: Deadline) -> Suite:
    """Return the fewest calls of an exploration that show everything its calls show in some code."""
    if result.abstract or result.values == "symbolic":
        raise ScopeError("code=… (--code) looks at calls with their values; leave out values='symbolic'")
    given: list[Any] = list(code) if isinstance(code, Sequence) and not isinstance(code, str) else [code]
    for each in given:
        if not isinstance(each, types.ModuleType) and not callable(each):
            raise SpecError(
                f"code={each!r} is neither a module nor a class or function; give what is to be looked into"
            )
    watched = Watched(given, modules_of(within), result.search.options.isolation)
    left_out = {
        (tuple(numbers), number)
        for error in result.errors
        if error.is_deadly or error.hung
        for numbers, number in error.met
    }
    every = (each for each in list_calls(result) if (each.numbers, each.call.number) not in left_out)
    calls = list(itertools.islice(every, MOST_CALLS + 1))
    chosen = _CallChoice(result, watched, calls[:MOST_CALLS], families_of(by) or USUAL_BY, deadline)
    chosen.is_cut = len(calls) > MOST_CALLS
    chosen.is_all = not chosen.is_cut and not left_out and result.status.ending is Ending.COMPLETE
    chosen.is_all = chosen.is_all and result.steady and result.search.policy.is_usual
    return chosen.suite()


def list_calls(result: Result) -> Iterator[ObservedCall]:
    """Yield the calls that an exploration makes, level by level."""
    levels = copy.copy(result.search.frontier)  # the one of the search stays where it is
    levels.level, most = 0, result.scope.calls
    while levels.has_more() and (most is None or levels.level < most):
        for unit in levels.units():
            calls = levels.calls_on(unit.numbers[0]) if unit.calls is None else unit.calls
            yield from (ObservedCall(tuple(unit.numbers), each) for each in calls)
        levels.level += 1


@dataclass(slots=True)
class _CallChoice:
    """Calls with what they did, and which of them are taken."""

    result: Result
    watched: Watched
    calls: list[ObservedCall]
    families: Sequence[By]
    deadline: Deadline
    is_all: bool = False  # no call within the scope is missing, and every one does what it did before
    is_cut: bool = False  # there are more calls than are looked at
    runs: list[Behaviour] = field(default_factory=list)
    cut: Status | None = None

    def suite(self) -> Suite:
        """Return the chosen calls."""
        try:
            for run in self.see(self.calls):
                self.runs.append(run)
                report("running", len(self.runs))
        except CutShort as cut:  # what came before it stays
            self.cut = cut.status
            self.calls = self.calls[: len(self.runs)]
        sizes = [A_CALL * self.result.search.frontier.length_after(each.numbers) for each in self.calls]
        shown = self.features()
        chosen = sorted(choose_fewest(shown, sizes), key=lambda at: (sizes[at], at))
        unsteady = self.find_unsteady(chosen)
        reached, mine = count_branches(shown, chosen)
        spots = self.watched.spots
        modules = [module for name in self.watched.modules if (module := sys.modules.get(name)) is not None]
        remedies = ScopeRemedies(NeedsReader(modules), self.result.api, self.result.scope)
        dark = tuple(dark_branches(self.runs, spots, self.words, sizes, remedy=remedies.remedy))
        again = [f"does something else the second time: {self.words(each)}" for each in unsteady]
        cases = tuple(
            self.case(number, index, why)
            for number, (index, why) in enumerate(zip(chosen, reasons_of(chosen, shown, self.runs, spots), strict=True))
        )
        results = tuple(self.runs[index].results[:1] for index in chosen)
        made = ChosenCases(cases, (), reached, mine, len(self.runs), dark, (*self.watched.blind, *again), results)
        is_proved = self.is_all and self.cut is None and not made.remarks and not self.has_lost_calls()
        status = self.status(is_proved=is_proved)
        return Suite(self.result.name, made, status, self.guarantee(made, is_proved=is_proved), self.explanation(made))

    def see(self, calls: Sequence[ObservedCall]) -> Iterator[Behaviour]:
        """Yield what each call does, on objects of its own."""
        made = [functools.partial(each.ready, self.result) for each in calls]
        return self.watched.see_all(made, self.deadline)

    def features(self) -> list[list[Feature]]:
        """Return what each call shows; of whole paths there would be too many."""
        closest, found = closest_of(self.runs), []
        for each, run in zip(self.calls, self.runs, strict=True):
            mine = [feature for by in self.families for feature in features_of(run, by, closest)]
            came_to = run.results[0] if run.results else ("returns",)
            how = came_to[:1] if came_to[0] == "returns" else came_to
            title = each.call.template.operation.title
            mine.append(("values", "call", title, *how))
            if ("returns", "True") in run.results[1:]:  # what changes nothing may stand for very little
                mine.append(("values", "call", title, "changes its object"))
            found.append([feature for feature in mine if feature[:2] != ("paths", "whole")])
        return found

    def find_unsteady(self, chosen: Sequence[int]) -> list[int]:
        """Return the calls that do something else the second time, in the opposite order: of all, if all are there."""
        again = list(range(len(self.runs))) if self.is_all and self.cut is None else list(chosen)
        try:
            runs = [*self.see([self.calls[at] for at in reversed(again)])][::-1]
        except CutShort as cut:
            self.cut = cut.status
            return []
        return [at for at, run in zip(again, runs, strict=True) if steady_part(run) != steady_part(self.runs[at])]

    def case(self, number: int, index: int, why: str) -> Case[Any]:
        """Return a chosen call as a sequence that ends with it."""
        each = self.calls[index]
        recipe = self.result.search.frontier.failing(each.numbers, each.call.number)
        name = self.result.api.classes[0].__name__
        came_to = self.runs[index].results[:1]
        legal = all(kind == "returns" for kind, *_ in came_to)
        return Case(recipe, sequence_text(recipe), f"{name}-{number}", legal, why)

    def words(self, index: int) -> str:
        """Return the sequence that ends with a call."""
        each = self.calls[index]
        return sequence_text(self.result.search.frontier.failing(each.numbers, each.call.number))

    def has_lost_calls(self) -> bool:
        """Tell whether a call took its process with it, and what it had shown."""
        return any(kind in GONE for run in self.runs for kind, *_ in run.results)

    def status(self, *, is_proved: bool) -> Status:
        """Return how the choice ended."""
        if self.cut is not None or self.result.status.cut_short:
            return self.cut or self.result.status
        if not is_proved:
            return Status(Ending.FOUND, f"everything that {len(self.runs):,} calls showed is shown")
        detail = self.result.status.detail
        return proof_of("every outcome of a condition that any call has is shown" + (f"; {detail}" if detail else ""))

    def guarantee(self, made: ChosenCases, *, is_proved: bool) -> str:
        """Return in words what is promised."""
        scope, branches = self.result.scope, branches_in_words(made.branches)
        said = [f"{how_many(made.count(), 'call')} of {made.candidates:,} within {scope}"]
        claim = "every behaviour that any call has is shown (proved)" if is_proved else "every behaviour seen is shown"
        said.append(f"{claim}: {branches}")
        if made.dark:
            dark = branches_in_words(len(made.dark))
            said.append(f"{dark} that no call within the scope takes (proved)" if is_proved else f"{dark} not reached")
        if self.is_cut:
            said.append(f"only the first {MOST_CALLS:,} calls were looked at")
        return "; ".join(said)

    def explanation(self, made: ChosenCases) -> str:
        """Return line by line what was not reached and could not be looked into, after what an exploration says."""
        lines = [*map(str, made.dark), *(f"note: {each}" for each in made.remarks)]
        return "\n".join([self.result.explanation, *lines])


def steady_part(run: Behaviour) -> object:
    """Return what a second run of the same call has to be equal in."""
    return run.turns, run.near, run.results, run.steps
