"""One search for builders: explore and record, choose, explore with the chosen alone, describe."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import Any

from unlike.building.exact import Budget, BudgetError, completed, is_minimal, smallest, variations
from unlike.building.genetic import ByTrying, Fitness, Genetic, Measure, OnGraph, evolve
from unlike.building.graph import Reach
from unlike.building.recording import REFERENCE, Recording, complexity, name_of, only, uninterrupted
from unlike.building.result import LACKING, Builder, Builders, Failing, Observer, Reached, Replaced
from unlike.core import CutShort, Deadline, Exploration
from unlike.errors import TargetError
from unlike.explore import Outcome, Result, explored
from unlike.explore.api import Api, Operation
from unlike.explore.outcomes import Options
from unlike.explore.search import Search
from unlike.explore.tracing import sequence_text
from unlike.scope import Limits, Scope

HALF = 0.5  # of the time that is left: for exploring with the whole API, and for choosing
MOST_CALLS = 500_000  # with the whole API; beyond it sufficiency is estimated
MOST_STEPS = 200_000  # of the exact search
RETURNED = (Outcome.NEW, Outcome.KNOWN, Outcome.OUTSIDE)


@dataclass(frozen=True, slots=True)
class _ExploredApi:
    """What exploring with the whole API showed."""

    result: Result
    recording: Recording
    reach: Reach

    @property
    def whole(self) -> bool:
        """Whether all states are known."""
        return not self.result.status.cut_short

    @property
    def operations(self) -> tuple[Operation, ...]:
        """The operations, in the order of the API."""
        return self.recording.api.operations

    def keys_of(self, numbers: Iterable[int]) -> set[object]:
        """Return the states of these numbers."""
        return {self.recording.key(number) for number in numbers}


@dataclass(slots=True)
class Finding:
    """One search for builders."""

    targets: tuple[Any, ...]
    question: Exploration
    genetic: Genetic = field(default_factory=Genetic)
    budget: int = MOST_CALLS
    steps: int = MOST_STEPS
    seed: int = 0

    @property
    def deadline(self) -> Deadline:
        """When all of it has to end."""
        return self.question.deadline

    def answer(self, search: str, bounds: Mapping[str, Any], code: str) -> Builders:
        """Explore, choose, explore again, and say what came out."""
        known = self.known()
        chosen, used, note = self.choose(search, known)
        names = {name_of(known.operations[index]) for index in chosen}
        again, searched = self.explored(names) if known.whole else self.record(names)
        built = _states_of(known.recording, searched, again.numbers)
        reason = _doubt(known.result, again) or _difference(known, chosen, set(built))
        result, reach = known.result, known.reach
        return Builders(
            target=result.name,
            bounds=bounds,
            code=code,
            search=used,
            seed=self.seed,
            proved=not reason,
            minimal=not reason and self.is_minimal(known, chosen),
            cut_short=not known.whole,
            reason=reason,
            builders=_kept(known, chosen, searched, built),
            observers=_observers(known.recording),
            replaced=_replaced(known.recording, reach, chosen),
            failing=_failing(known.recording, result),
            refused=tuple(map(str, result.api.refusals)),
            states=Reached(result.states, again.states),
            field_values=Reached(result.extensions().count(), again.extensions().count()),
            calls=result.calls,
            notes=(*_notes(result), *([note] if note else []), *(f"passed: {each}" for each in result.api.remarks)),
            errors=tuple(f"{each} {each.sequence}" for each in result.errors),
        )

    def known(self) -> _ExploredApi:
        """Explore with the whole API."""
        result, recording = self.record(None)
        if not result.states:
            raise _nothing(result)
        return _ExploredApi(result, recording, Reach(recording.graph(result)))

    def choose(self, search: str, known: _ExploredApi) -> tuple[tuple[int, ...], str, str]:
        """Return the chosen operations, the search that found them, and why that is not the one asked for."""
        graph = known.reach.graph
        if search == "genetic":
            return self.evolved(known), "genetic", ""
        if not known.whole:
            detail = known.result.status.detail
            note = f"the whole API could not be explored ({detail}): genetic search instead"
            return self.evolved(known), "genetic", note
        try:
            return smallest(known.reach, graph.candidates, graph.goals, Budget(self.steps, self.deadline)), "exact", ""
        except (BudgetError, CutShort) as end:
            spent = "the time" if isinstance(end, CutShort) else f"{self.steps:,} steps"
            note = f"{spent} did not find the smallest set: genetic search instead, completed"
            chosen = completed(known.reach, self.evolved(known), graph.candidates, graph.goals)
            return chosen, "genetic", note

    def evolved(self, known: _ExploredApi) -> tuple[int, ...]:
        """Return the operations that the genetic search chooses."""
        measure = OnGraph(known.reach.graph) if known.whole else None
        deadline = self.deadline.part(HALF)
        return evolve(self.fitness(known.recording, measure, deadline), self.seed, deadline)

    def is_minimal(self, known: _ExploredApi, chosen: Sequence[int]) -> bool:
        """Tell whether no operation of a sufficient set can be dropped or replaced by a simpler one."""
        graph = known.reach.graph
        if not is_minimal(known.reach, chosen, graph.goals, graph.candidates):
            return False
        # where fields are left out, another object may stand for the same state and do something else: try it
        return known.recording.faithful or not any(
            self.suffices(known, each) for each in variations(graph, chosen, graph.candidates)
        )

    def suffices(self, known: _ExploredApi, chosen: Sequence[int]) -> bool:
        """Tell whether exploring with these operations alone gives all states."""
        if self.deadline.is_over():
            return True  # nobody knows: nothing is claimed
        try:
            again, searched = self.explored({name_of(known.operations[index]) for index in chosen})
        except TargetError:  # they make no object at all
            return False
        return set(_states_of(known.recording, searched, again.numbers)) == known.keys_of(known.result.numbers)

    def record(self, names: Collection[str] | None) -> tuple[Result, Recording]:
        """Explore within the budget, with these operations only if some are named, and keep every transition."""
        made: list[Recording] = []

        def make(api: Api, scope: Scope, limits: Limits, options: Options) -> Search:
            made.append(Recording(api, scope, limits, options, budget=self.budget))
            return made[-1]

        deadline = self.deadline.part(HALF) if names is None else self.deadline
        wanted = make if names is None else only(names, make)
        result = explored(self.targets, replace(self.question, deadline=deadline), wanted)
        return uninterrupted(result), made[-1]

    def explored(self, names: Collection[str]) -> tuple[Result, Search]:
        """Explore with these operations only."""
        made: list[Search] = []

        def make(api: Api, scope: Scope, limits: Limits, options: Options) -> Search:
            made.append(Search(api, scope, limits, options))
            return made[-1]

        result = explored(self.targets, self.question, only(names, make))
        return uninterrupted(result), made[-1]

    def fitness(self, recording: Recording, measure: Measure | None, deadline: Deadline) -> Fitness:
        """Return the fitness over all operations that are no observers."""
        operations = recording.api.operations
        candidates = tuple(
            index
            for index, each in enumerate(operations)
            if not _is_observer(recording, each) and _answers(recording, each)
        )
        names = tuple(map(name_of, operations))
        trying = ByTrying(
            self.targets, replace(self.question, deadline=deadline), names, self.genetic.attempts, self.seed
        )
        return Fitness(measure or trying, candidates, tuple(_counted(operations[i]) for i in candidates), self.genetic)


def _counted(operation: Operation) -> tuple[int, int]:
    """Return how many parameters are plain values, and how many are not."""
    others = complexity(operation) - len(operation.parameters)  # each costs one more
    assert REFERENCE == 2
    return len(operation.parameters) - others, others


def _nothing(result: Result) -> TargetError:
    failures = "; ".join(str(each) for each in result.errors[:3]) or str(result.status)
    return TargetError(f"no {result.name} could be built, so there is nothing to choose builders for: {failures}")


def _notes(result: Result) -> list[str]:
    notes = [f"not deterministic: {title} did something else when it was called again" for title in result.unsteady]
    notes += [f"state outside the objects: {title} changes {place}" for place, title in result.leaks.items()]
    methods = [tally for operation, tally in result.by_operation.items() if operation.has_receiver]
    if methods and not any(tally.get(outcome) for tally in methods for outcome in RETURNED):
        notes.append("every method fails on every object: only constructors build anything; see what they raised below")
    return notes


def _doubt(result: Result, again: Result) -> str:
    """Return why sufficiency is not proved, or nothing if it is."""
    if not result.steady:
        return "the class is not deterministic, or keeps state outside its objects"
    if result.status.cut_short:
        return f"the whole API could not be explored ({result.status.detail})"
    if again.status.cut_short or not again.steady:
        return f"exploring with the builders alone ended otherwise ({again.status})"
    return ""


def _states_of(recording: Recording, searched: Search, numbers: Iterable[int]) -> dict[object, int]:
    """Return the states that another search found, as the recording knows them, with their numbers there."""
    with contextlib.redirect_stdout(io.StringIO()):  # making an object again may run code under test
        return {recording.walker.walk(*searched.obtain(number)): number for number in numbers}


def _difference(known: _ExploredApi, chosen: Sequence[int], built: Set[object]) -> str:
    """Return how the states that the builders reach differ from all states, or nothing if they are the same."""
    wanted = known.keys_of(known.result.numbers)
    if built == wanted:
        return ""
    if built != known.keys_of(known.reach.reached_goals(chosen)):
        return (
            "exploring again gave other states than the recorded calls: the class is not deterministic, keeps state "
            "outside its objects, or depends on a field that is left out of the comparison"
        )
    return f"{LACKING} {len(wanted - built):,} of {len(wanted):,} states"


def _is_observer(recording: Recording, operation: Operation) -> bool:
    return _answers(recording, operation) and recording.evidence[operation].observes


def _answers(recording: Recording, operation: Operation) -> bool:
    return recording.evidence[operation].answers


def _kept(
    known: _ExploredApi, chosen: Sequence[int], searched: Search, built: Mapping[object, int]
) -> tuple[Builder, ...]:
    """Return the builders, with what is lost without each where all states are known."""

    def sequence(state: int) -> str:
        number = built.get(known.recording.key(state))  # by the builders alone, if they reach it
        trace = known.recording.trace if number is None else searched.trace
        return sequence_text(trace.recipe(state if number is None else number))

    found = []
    for index in chosen:
        operation = known.operations[index]
        builder = Builder(name_of(operation), str(operation), complexity(operation))
        if known.whole:
            reached = known.reach.states(each for each in chosen if each != index)
            lost = [goal for goal in known.reach.reached_goals(chosen) if not reached[goal]]
            builder = replace(builder, lost=len(lost), such_as=sequence(lost[0]) if lost else "")
        found.append(builder)
    return tuple(found)


def _observers(recording: Recording) -> tuple[Observer, ...]:
    found = []
    for operation, tally in recording.tallies.items():
        if _is_observer(recording, operation):
            calls = sum(tally.outcomes.values())
            failed = tally.outcomes[Outcome.PRECONDITION] + tally.outcomes[Outcome.ERROR]
            found.append(Observer(name_of(operation), calls, calls - failed))
    return tuple(found)


def _replaced(recording: Recording, reach: Reach, chosen: Sequence[int]) -> tuple[Replaced, ...]:
    found = []
    operations = recording.api.operations
    goals, reached = set(reach.graph.goals), reach.states(chosen)
    for index, operation in enumerate(operations):
        evidence = recording.evidence[operation]
        if index in chosen or evidence.observes or not _answers(recording, operation):
            continue
        wanted = sorted(goals & recording.leads[operation])
        missing = sum(not reached[state] for state in wanted)
        by = () if missing or not wanted else _enough(reach, chosen, wanted)
        names = tuple(name_of(operations[each]) for each in by)
        found.append(Replaced(name_of(operation), names, evidence.changes or evidence.returns, missing))
    return tuple(found)


def _enough(reach: Reach, chosen: Sequence[int], wanted: Sequence[int]) -> tuple[int, ...]:
    """Return the smallest set of builders that reaches the states, or all builders if finding it takes too long."""
    try:
        return smallest(reach, chosen, wanted, Budget(10_000))
    except BudgetError:
        return tuple(chosen)


def _failing(recording: Recording, result: Result) -> tuple[Failing, ...]:
    found = []
    for operation in recording.api.operations:
        if _answers(recording, operation):
            continue
        calls = sum(recording.tallies[operation].outcomes.values())
        own = [str(each.failure) for each in result.errors if each.operation == operation.title]
        refused = recording.tallies[operation].outcomes[Outcome.PRECONDITION]
        words = f"refused its arguments in all of {calls:,} calls" if refused == calls else "; ".join(own)
        words = words or "returned NotImplemented"
        found.append(Failing(name_of(operation), words if calls else "there was no object to call it on"))
    return tuple(found)
