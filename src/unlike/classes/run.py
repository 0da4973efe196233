"""One search: a frontier, who makes its calls, a policy, and what they come to."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from unlike.classes.api import Api, api_of
from unlike.classes.caller import ObjectCaller
from unlike.classes.evidence import Evidence, Options
from unlike.classes.frontier import StateFrontier
from unlike.classes.guessing.guesses import NO_GUESSES, Guesses
from unlike.classes.kept_inside import LOOKED_AT, Judge, KeptMore
from unlike.classes.policy import SearchPolicy, conclude
from unlike.classes.public import makes_sets
from unlike.classes.set_order import SETS, passes_texts
from unlike.classes.soundness import methods_left_out
from unlike.classes.under_test import CodeUnderTest
from unlike.core import CutShort
from unlike.isolation.scratch import in_scratch
from unlike.scope import Limits, Scope
from unlike.suite import Ending, Status

MOST_KEPT = 40  # lengths that are taken to be kept inside; after so many a search begins no more again


@dataclass(frozen=True, slots=True)
class SearchSpec:
    """Everything that defines a search, fit to travel."""

    targets: tuple[Any, ...]
    scope: Scope
    options: Options
    extra: tuple[type, ...] = ()  # classes that were met on the way
    set_order: bool = False  # the order in which sets go is part of a state
    guesses: Guesses = NO_GUESSES  # values for what nothing is said about

    @property
    def limits(self) -> Limits:
        """How large objects may be, and what tells them apart."""
        scope, states = self.scope, self.options.states
        objects = scope.objects, scope.objects_of, scope.most_elements
        keys, kept = states.keys or {}, scope.kept
        return Limits(*objects, states.omit_fields, states.dict_order, keys, self.set_order, kept)

    def api(self) -> Api:
        """Return what can be called on the targets."""
        states, options = self.options.states, self.options
        return api_of(
            self.targets,
            self.scope,
            methods=states.methods,
            leave_out=methods_left_out(states.invariant),
            extra=list(self.extra),
            isolation=options.isolation,
            deadline=options.deadline,
            guesses=self.guesses,
        )


class SearchRun:
    """One search in this process; whoever has the calls made elsewhere lets it take reports instead."""

    def __init__(self, api: Api, spec: SearchSpec, policy: SearchPolicy) -> None:
        options = spec.options
        self.policy = policy.begin(options)
        self.code = CodeUnderTest(policy.restrict_api(api), spec.limits, options.exploring.implementation)
        self.scope, self.options = spec.scope, options
        self.frontier = StateFrontier(self.code, spec.scope, options)
        self.caller = ObjectCaller(self.code, self.frontier, options, self.policy)
        self.begin()

    def begin(self) -> None:
        """Begin with nothing."""
        self.evidence: Evidence = self.caller.new_evidence()  # of all calls that are over
        self.status = Status(Ending.COMPLETE)
        self.seconds = 0.0
        self.judge = Judge()
        self.isolated = False  # the calls are made in another process

    @property
    def api(self) -> Api:
        """What is called."""
        return self.code.api

    def run(self) -> None:
        """Search to the end, or until time, Ctrl-C or a bound ends it; what was found stays."""
        with in_scratch():
            self.search()
        self.evidence.merge(self.caller.hand_on())
        self.end()

    def search(self, levels: Callable[[], None] | None = None) -> None:
        """Go through the levels until none is left, from wherever the search stands, and note how it ended."""
        try:
            with self.caller.marks.around(self.caller):
                (levels or self.search_levels)()
        except CutShort as cut:
            self.status = cut.status
        except KeyboardInterrupt:
            self.status = Status(Ending.INTERRUPTED, self.frontier.growth.hint())

    def search_levels(self) -> None:
        """Go through the levels until none is left."""
        frontier, caller, policy = self.frontier, self.caller, self.policy
        while policy.has_level(frontier):
            caller.marks.begin_level()
            for unit in policy.units(frontier):
                caller.do_unit(unit)
            self.look_inside()
            policy.end_level(frontier)
            frontier.begin_level()

    def look_inside(self) -> None:
        """Begin again where the classes keep more inside than was known: it is not what was put in."""
        seen = {key: graph for key, graph in self.caller.larger.items() if graph is not None}
        larger = {**seen, **self.evidence.larger}
        if larger and self.frontier.matching and len(self.scope.kept) < MOST_KEPT:
            states = [self.frontier.key(number) for number in range(min(len(self.frontier), LOOKED_AT))]
            table = self.code.walker.twin.tables[0]
            is_any = any(issubclass(cls, self.api.classes) for cls in self.frontier.by_class)
            if kept := self.judge.find_kept(list(larger.values()), table, states, self.scope.kept, is_any=is_any):
                raise KeptMore({**self.scope.kept, **kept})

    def end(self) -> None:
        """Say how the search ended, and leave everything as it was."""
        self.seconds = time.monotonic() - self.caller.began
        self.code.fixtures.restore()
        untried = not self.caller.tries_orders and any(issubclass(each, SETS) for each in self.code.classes_met())
        if untried or (passes_texts(self.api.templates) and any(map(makes_sets, self.api.classes))):
            self.evidence.untried_sets = True
        self.status = conclude(self.status, self.api, self.evidence, set_order=self.code.limits.set_order)
        for error in self.evidence.errors.values():
            error.recipe = self.frontier.failing(*error.met[0])
