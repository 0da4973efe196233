"""The few operations of a class that build everything: from classes and a scope to Builders.

All states are explored once with the whole API, and where each call leads is written down. From then on a question
about a set of operations is graph search. The set found is explored once more, by itself, and must reach the same.
"""

from __future__ import annotations

import hashlib
import inspect
import sys
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from unlike.building.exact import Budget, BudgetError, completed, is_minimal, smallest
from unlike.building.genetic import ByTrying, Fitness, Genetic, Measure, OnGraph, evolve
from unlike.building.graph import Reach
from unlike.building.random_search import AtRandom
from unlike.building.recording import REFERENCE, Recording, complexity, name_of, only
from unlike.building.result import Builder, Builders, Failing, Observer, Reached, Replaced, Saved, saved_of
from unlike.errors import ScopeError, TargetError, nearest
from unlike.explore import Outcome, Result, explore, scope_of
from unlike.explore.api import Api, Operation
from unlike.explore.outcomes import PRECONDITIONS
from unlike.explore.search import Options, Search
from unlike.scope import Limits, Scope
from unlike.suite import Ending, Status

__all__ = ["AtRandom", "Builders", "Genetic", "Saved", "builders", "explore_with", "saved_of"]

MOST_CALLS = 500_000  # with the whole API; beyond it sufficiency is estimated
MOST_STEPS = 200_000  # of the exact search
SEARCHES = ("exact", "genetic")


def builders(
    *targets: Any,
    scope: int | Scope = 3,
    search: Literal["exact", "genetic"] = "exact",
    seed: int = 0,
    genetic: Genetic | None = None,
    budget: int = MOST_CALLS,
    steps: int = MOST_STEPS,
    **settings: Any,
) -> Builders:
    """Return the few operations that build every object which the whole API builds within the scope.

    The exact search gives the smallest such set, ties broken by simpler parameters, then by the order of the API. The
    genetic search is used if it is asked for, or where `budget` calls do not explore the whole API, or `steps` do not
    find the smallest set; the answer says so. Settings are those of `explore`, except `calls`.
    """
    if search not in SEARCHES:
        raise ScopeError(f"search={search!r} must be one of {', '.join(SEARCHES)}")
    if settings.get("calls") is not None or not settings.get("state_matching", True):
        raise ScopeError("builders are about all states: --calls and --no-state-matching cannot be combined with them")
    if budget < 1 or steps < 1:
        raise ScopeError(f"budget={budget!r} and steps={steps!r} must be at least 1")
    settings = {**settings, "scope": scope}
    return _Finding(targets, settings, genetic or Genetic(), budget, steps, seed).answer(search)


def explore_with(saved: Saved, *targets: Any, **settings: Any) -> Result:
    """Explore with the builders alone; complete only if they were proved sufficient for this code at this scope.

    Settings are those of `explore`. With `search=AtRandom(…)` the builders are called at random.
    """
    make = only(saved.names, settings.get("search", Search))
    result = explore(*targets, **{**settings, "search": make})
    for name in saved.names:
        known = [name_of(each) for each in result.api.operations]
        if name not in known:
            raise TargetError(f"builder {name!r} is no operation of {result.name}; {nearest(name, known)}")
    doubt = _doubt(saved, targets, settings)
    if doubt and result.status.ending is Ending.COMPLETE:
        result.status = Status(Ending.UNKNOWN, f"{doubt}; other operations may build more objects")
    return result


def _doubt(saved: Saved, targets: Sequence[Any], settings: Mapping[str, Any]) -> str:
    """Return why the builders may not be sufficient, or nothing."""
    if not saved.proved:
        return "the builders are estimated, not proved sufficient"
    if dict(saved.bounds) != bounds_of(settings):
        return "the builders were proved sufficient within other bounds"
    if saved.code != code_of(targets):
        return "the builders were proved sufficient for other source code"
    return ""


def bounds_of(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return everything that decides which states there are, as JSON data."""
    refining = {name: settings.get(name) for name in ("objects", "literals", "elements")}
    scope = scope_of(settings.get("scope", 3), **refining)
    return {
        "objects": scope.objects,
        "objects_of": dict(sorted(scope.objects_of.items())),
        "elements": scope.most_elements,
        "ints": scope.most_ints,
        "calls": settings.get("calls") or scope.calls,
        "literals": {name: _texts(values) for name, values in sorted(scope.literals.items())},
        "methods": settings.get("methods"),
        "omit_fields": settings.get("omit_fields"),
        "invariant": settings.get("invariant"),
        "dict_order": settings.get("dict_order", True),
        "keys": sorted(f"{cls.__module__}:{cls.__qualname__}" for cls in settings.get("keys") or {}),
        "preconditions": sorted(cls.__qualname__ for cls in settings.get("preconditions") or PRECONDITIONS),
    }


def _texts(values: object) -> list[str] | str:
    return [repr(value) for value in values] if isinstance(values, (list, tuple, range)) else str(values)


def code_of(targets: Sequence[Any]) -> str:
    """Return a text that changes when the source of the targets does."""
    modules = {
        base.__module__ for target in targets for base in (target.__mro__ if isinstance(target, type) else [target])
    }
    digest = hashlib.sha256(f"Python {sys.version_info[0]}.{sys.version_info[1]}".encode())
    for name in sorted(modules):
        digest.update(name.encode())
        try:
            digest.update(inspect.getsource(sys.modules[name]).encode())
        except (OSError, TypeError, KeyError):  # written in C: goes with the version of Python
            continue
    return digest.hexdigest()[:16]


@dataclass(slots=True)
class _Finding:
    """One search for builders."""

    targets: tuple[Any, ...]
    settings: Mapping[str, Any]
    genetic: Genetic
    budget: int
    steps: int
    seed: int

    def answer(self, search: str) -> Builders:
        """Explore, choose, explore again, and say what came out."""
        result, recording = self.record(None)
        if not result.states:
            raise _nothing(result)
        whole = not result.status.cut_short
        graph = recording.graph(result)
        reach = Reach(graph)
        notes = _notes(result)
        chosen: tuple[int, ...] | None = None
        if search == "exact" and whole:
            try:
                chosen = smallest(reach, graph.candidates, graph.goals, Budget(self.steps))
            except BudgetError:
                notes.append(f"{self.steps:,} steps did not find the smallest set: genetic search instead, completed")
        elif search == "exact":
            notes.append(f"the whole API could not be explored ({result.status.detail}): genetic search instead")
        used = "exact" if chosen is not None else "genetic"
        if chosen is None:
            chosen = evolve(self.fitness(recording, OnGraph(graph) if whole else None), self.seed)
            if search == "exact" and whole:  # what evolution missed is known here
                chosen = completed(reach, chosen, graph.candidates, graph.goals)
        names = {name_of(recording.api.operations[index]) for index in chosen}
        again, searched = self.explored(names) if whole else self.record(names)
        reason = _reason(result, again) or _difference(recording, result, searched, again)
        proved = not reason
        return Builders(
            target=result.name,
            cut_short=not whole,
            bounds=bounds_of(self.settings),
            code=code_of(self.targets),
            search=used,
            seed=self.seed,
            proved=proved,
            minimal=proved and is_minimal(reach, chosen, graph.goals, graph.candidates),
            reason=reason,
            builders=_kept(recording, reach, chosen, whole=whole),
            observers=_observers(recording),
            replaced=_replaced(recording, reach, chosen),
            failing=_failing(recording, result),
            refused=tuple(map(str, result.api.refusals)),
            states=Reached(result.states, again.states),
            field_values=Reached(result.extensions().count(), again.extensions().count()),
            calls=result.calls,
            notes=tuple(notes),
            errors=tuple(f"{each} {each.sequence}" for each in result.errors),
        )

    def record(self, names: Collection[str] | None) -> tuple[Result, Recording]:
        """Explore within the budget, with these operations only if some are named, and keep every transition."""
        made: list[Recording] = []

        def make(api: Api, scope: Scope, limits: Limits, options: Options) -> Search:
            made.append(Recording(api, scope, limits, options, budget=self.budget))
            return made[-1]

        result = explore(*self.targets, **self.settings, search=make if names is None else only(names, make))
        return result, made[-1]

    def explored(self, names: Collection[str]) -> tuple[Result, Search]:
        """Explore with these operations only."""
        made: list[Search] = []

        def make(api: Api, scope: Scope, limits: Limits, options: Options) -> Search:
            made.append(Search(api, scope, limits, options))
            return made[-1]

        return explore(*self.targets, **self.settings, search=only(names, make)), made[-1]

    def fitness(self, recording: Recording, measure: Measure | None) -> Fitness:
        """Return the fitness over all operations that are no observers."""
        operations = recording.api.operations
        candidates = tuple(
            index
            for index, each in enumerate(operations)
            if not _is_observer(recording, each) and _answers(recording, each)
        )
        names = tuple(map(name_of, operations))
        trying = ByTrying(self.targets, self.settings, names, self.genetic.attempts, self.seed)
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


RETURNED = (Outcome.NEW, Outcome.KNOWN, Outcome.OUTSIDE)


def _reason(result: Result, again: Result) -> str:
    """Return why sufficiency is not proved, or nothing if it is."""
    if result.status.cut_short:
        return f"the whole API could not be explored ({result.status.detail})"
    if not result.steady:
        return "the class is not deterministic, or keeps state outside its objects"
    if again.status.cut_short or not again.steady:
        return f"exploring with the builders alone ended otherwise ({again.status})"
    return ""


def _difference(recording: Recording, result: Result, searched: Search, again: Result) -> str:
    """Return how the states that the builders reach differ from all states, or nothing if they are the same."""
    wanted = {recording.key(number) for number in result.numbers}
    built = {recording.walker.walk(*searched.obtain(number)) for number in again.numbers}
    missing = len(wanted - built)
    if missing:
        return f"the builders do not reach {missing:,} of {result.states:,} states"
    return "the builders reach other states" if built - wanted else ""


def _is_observer(recording: Recording, operation: Operation) -> bool:
    return _answers(recording, operation) and recording.evidence[operation].observes


def _answers(recording: Recording, operation: Operation) -> bool:
    return recording.tallies[operation].answers


def _kept(recording: Recording, reach: Reach, chosen: Sequence[int], *, whole: bool) -> tuple[Builder, ...]:
    found = []
    for index in chosen:
        operation = recording.api.operations[index]
        reached = reach.states(each for each in chosen if each != index)
        lost = [goal for goal in reach.graph.goals if not reached[goal]] if whole else []
        such_as = recording.sequence(lost[0]) if lost else ""
        found.append(
            Builder(name_of(operation), str(operation), complexity(operation), len(lost) if whole else None, such_as)
        )
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
        found.append(Failing(name_of(operation), words if calls else "there was no object to call it on"))
    return tuple(found)
