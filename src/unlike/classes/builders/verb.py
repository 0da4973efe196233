"""The verb `builders`: explore and record, choose, explore with the chosen alone, describe; and exploring with them."""

from __future__ import annotations

import contextlib
import hashlib
import inspect
import io
import sys
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from typing import Any, Literal, Unpack

from unlike.classes.api import Operation
from unlike.classes.builders.genetic import ByTrying, Fitness, Genetic, evolve
from unlike.classes.builders.graph import Budget, BudgetError, Reach, complete_set, is_minimal, smallest, variations
from unlike.classes.builders.policies import (
    REFERENCE,
    Recorded,
    Transitions,
    complexity,
    graph_of,
    raise_if_interrupted,
)
from unlike.classes.builders.result import LACKING, Builder, Builders, Failing, Observer, Reached, Replaced, Saved
from unlike.classes.evidence import Outcome
from unlike.classes.policy import SearchPolicy, name_of
from unlike.classes.recipes import sequence_text
from unlike.classes.result import Result
from unlike.classes.run import SearchRun
from unlike.classes.verb import explore_question
from unlike.core import (
    Bounds,
    BuilderKeywords,
    CutShort,
    Exploration,
    Exploring,
    Isolation,
    Settings,
    StateMatching,
    TimeLimit,
    record_of,
    setting,
    takes,
)
from unlike.core.question import NEEDED
from unlike.errors import ScopeError, TargetError, how_many, nearest
from unlike.saved import Json, JsonObject
from unlike.scope import Scope
from unlike.suite import Ending, Status

HALF = 0.5  # of the time that is left: for exploring with the whole API, and for choosing
RETURNED = (Outcome.NEW, Outcome.KNOWN, Outcome.OUTSIDE)


@dataclass(frozen=True, slots=True)
class _ExploredApi:
    """What exploring with the whole API showed."""

    result: Result
    reach: Reach

    @property
    def whole(self) -> bool:
        """Whether all states are known."""
        return not self.result.status.cut_short

    @property
    def operations(self) -> tuple[Operation, ...]:
        """The operations, in the order of the API."""
        return self.search.api.operations

    @property
    def search(self) -> SearchRun:
        """The search, which wrote down where every call leads."""
        return self.result.search

    @property
    def transitions(self) -> Transitions:
        """Where the calls led."""
        notes: Transitions = self.search.evidence.notes
        return notes

    def keys_of(self, numbers: Iterable[int]) -> set[object]:
        """Return the states of these numbers."""
        return {self.search.frontier.key(number) for number in numbers}


@dataclass(frozen=True, slots=True)
class BuilderSearch(Settings):
    """How builders are chosen, and with how much work; beyond the budget of calls sufficiency is estimated."""

    search: Literal["exact", "genetic"] = setting(
        "exact", "--search", "How to choose (exact).", kind=("exact", "genetic")
    )
    budget: int = setting(500_000, "--budget", "Calls to explore the whole API with.", check=NEEDED)
    steps: int = setting(200_000, "--steps", "Steps of the exact search.", check=NEEDED)


@dataclass(slots=True)
class Finding:
    """One search for builders."""

    targets: tuple[Any, ...]
    question: Exploration
    how: BuilderSearch = BuilderSearch()
    genetic: Genetic = Genetic()
    seed: int = 0

    def answer(self) -> Builders:
        """Explore, choose, explore again, and say what came out."""
        if self.question.bounds.calls is not None or not self.question.states.state_matching:
            raise ScopeError(
                "builders are about all states: --calls and --no-state-matching cannot be combined with them"
            )
        known = self.explore_all()
        chosen, used, note = self.choose(known)
        names = {name_of(known.operations[index]) for index in chosen}
        again = self.explore_only(names) if known.whole else self.record_calls(names)
        built = _states_of(known, again)
        reason = _doubt(known.result, again) or _difference(known, chosen, set(built))
        result = known.result
        return Builders(
            target=result.name,
            bounds=bounds_of(self.question),
            code=code_of(self.targets),
            search=used,
            seed=self.seed,
            proved=not reason,
            minimal=not reason and self.is_minimal(known, chosen),
            cut_short=not known.whole,
            reason=reason,
            builders=_list_builders(known, chosen, again, built),
            observers=_list_observers(known),
            replaced=_list_replaced(known, chosen),
            failing=_list_failing(known),
            refused=tuple(map(str, result.api.refusals)),
            states=Reached(result.states, again.states),
            field_values=Reached(result.extensions().count(), again.extensions().count()),
            calls=result.calls,
            notes=(*_notes(result), *([note] if note else []), *(f"passed: {each}" for each in result.api.remarks)),
            errors=tuple(f"{each} {each.sequence}" for each in result.errors),
        )

    def explore_all(self) -> _ExploredApi:
        """Explore with the whole API."""
        result = self.record_calls(None)
        if not result.states:
            failures = "; ".join(str(each) for each in result.errors[:3]) or str(result.status)
            words = f"no {result.name} could be built, so there is nothing to choose builders for: {failures}"
            raise TargetError(words)
        return _ExploredApi(result, Reach(graph_of(result)))

    def choose(self, known: _ExploredApi) -> tuple[tuple[int, ...], str, str]:
        """Return the chosen operations, the search that found them, and why that is not the one asked for."""
        graph = known.reach.graph
        if self.how.search == "genetic":
            return self.choose_by_evolution(known), "genetic", ""
        if not known.whole:
            detail = known.result.status.detail
            note = f"the whole API could not be explored ({detail}): genetic search instead"
            return self.choose_by_evolution(known), "genetic", note
        try:
            budget = Budget(self.how.steps, self.question.deadline)
            return smallest(known.reach, graph.candidates, graph.goals, budget), "exact", ""
        except (BudgetError, CutShort) as end:
            spent = "the time" if isinstance(end, CutShort) else f"{self.how.steps:,} steps"
            note = f"{spent} did not find the smallest set: genetic search instead, completed"
            chosen = complete_set(known.reach, self.choose_by_evolution(known), graph.candidates, graph.goals)
            return chosen, "genetic", note

    def choose_by_evolution(self, known: _ExploredApi) -> tuple[int, ...]:
        """Return the operations that the genetic search chooses among all that are no observers."""
        operations, deadline = known.operations, self.question.deadline.part(HALF)
        candidates = tuple(
            index for index, each in enumerate(operations) if not _is_observer(known, each) and _answers(known, each)
        )
        measure: Reach | ByTrying = Reach(known.reach.graph)
        if not known.whole:
            names, question = tuple(map(name_of, operations)), replace(self.question, deadline=deadline)
            measure = ByTrying(self.targets, question, names, self.genetic.attempts, self.seed)
        parameters = tuple(_count_parameters(operations[index]) for index in candidates)
        return evolve(Fitness(measure, candidates, parameters, self.genetic), self.seed, deadline)

    def is_minimal(self, known: _ExploredApi, chosen: Sequence[int]) -> bool:
        """Tell whether no operation of a sufficient set can be dropped or replaced by a simpler one."""
        graph = known.reach.graph
        if not is_minimal(known.reach, chosen, graph.goals, graph.candidates):
            return False
        # where fields are left out, another object may stand for the same state and do something else: try it
        return known.search.frontier.faithful or not any(
            self.suffices(known, each) for each in variations(graph, chosen, graph.candidates)
        )

    def suffices(self, known: _ExploredApi, chosen: Sequence[int]) -> bool:
        """Tell whether exploring with these operations alone gives all states."""
        if self.question.deadline.is_over():
            return True  # nobody knows: nothing is claimed
        try:
            again = self.explore_only({name_of(known.operations[index]) for index in chosen})
        except TargetError:  # they make no object at all
            return False
        return set(_states_of(known, again)) == known.keys_of(known.result.numbers)

    def record_calls(self, names: Collection[str] | None) -> Result:
        """Explore within the budget, with these operations only if some are named, and keep every transition."""
        deadline = self.question.deadline.part(HALF) if names is None else self.question.deadline
        policy = Recorded(names=None if names is None else frozenset(names), most_calls=self.how.budget)
        return raise_if_interrupted(explore_question(self.targets, replace(self.question, deadline=deadline), policy))

    def explore_only(self, names: Collection[str]) -> Result:
        """Explore with these operations only."""
        return raise_if_interrupted(explore_question(self.targets, self.question, SearchPolicy(names=frozenset(names))))


def _count_parameters(operation: Operation) -> tuple[int, int]:
    """Return how many parameters are plain values, and how many are not."""
    others = complexity(operation) - len(operation.parameters)  # each costs one more
    assert REFERENCE == 2
    return len(operation.parameters) - others, others


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


def _states_of(known: _ExploredApi, again: Result) -> dict[object, int]:
    """Return the states that another search found, as the recording knows them, with their numbers there."""
    walker, make_objects = known.search.code.walker, again.search.caller.make_objects
    with contextlib.redirect_stdout(io.StringIO()):  # making an object again may run code under test
        return {walker.walk(*make_objects(number)): number for number in again.numbers}


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


def _is_observer(known: _ExploredApi, operation: Operation) -> bool:
    return _answers(known, operation) and known.transitions.uses[operation].observes


def _answers(known: _ExploredApi, operation: Operation) -> bool:
    return known.transitions.uses[operation].answers


def _list_builders(
    known: _ExploredApi, chosen: Sequence[int], again: Result, built: Mapping[object, int]
) -> tuple[Builder, ...]:
    """Return the builders, with what is lost without each where all states are known."""

    def sequence(state: int) -> str:
        recorded = known.search.frontier
        number = built.get(recorded.key(state))  # by the builders alone, if they reach it
        if number is None:
            return sequence_text(recorded.trace.recipe(state))
        return sequence_text(again.search.frontier.trace.recipe(number))

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


def _list_observers(known: _ExploredApi) -> tuple[Observer, ...]:
    found = []
    for operation, tally in known.search.evidence.tallies.items():
        if _is_observer(known, operation):
            calls = sum(tally.outcomes.values())
            failed = tally.outcomes[Outcome.PRECONDITION] + tally.outcomes[Outcome.ERROR]
            found.append(Observer(name_of(operation), calls, calls - failed))
    return tuple(found)


def _list_replaced(known: _ExploredApi, chosen: Sequence[int]) -> tuple[Replaced, ...]:
    found = []
    operations, reach = known.operations, known.reach
    goals, reached = set(reach.graph.goals), reach.states(chosen)
    for index, operation in enumerate(operations):
        use = known.transitions.uses[operation]
        if index in chosen or use.observes or not _answers(known, operation):
            continue
        wanted = sorted(goals & known.transitions.leads[operation])
        missing = sum(not reached[state] for state in wanted)
        by = () if missing or not wanted else _enough(reach, chosen, wanted)
        names = tuple(name_of(operations[each]) for each in by)
        found.append(Replaced(name_of(operation), names, missing, use.changes or use.returns))
    return tuple(found)


def _enough(reach: Reach, chosen: Sequence[int], wanted: Sequence[int]) -> tuple[int, ...]:
    """Return the smallest set of builders that reaches the states, or all builders if finding it takes too long."""
    try:
        return smallest(reach, chosen, wanted, Budget(10_000))
    except BudgetError:
        return tuple(chosen)


def _list_failing(known: _ExploredApi) -> tuple[Failing, ...]:
    found = []
    for operation in known.operations:
        if _answers(known, operation):
            continue
        calls = sum(known.search.evidence.tallies[operation].outcomes.values())
        own = [str(each.failure) for each in known.result.errors if each.operation == operation.title]
        refused = known.search.evidence.tallies[operation].outcomes[Outcome.PRECONDITION]
        words = f"refused its arguments in all of {how_many(calls, 'call')}" if refused == calls else "; ".join(own)
        words = words or "returned NotImplemented"
        found.append(Failing(name_of(operation), words if calls else "there was no object to call it on"))
    return tuple(found)


class BuildersKeywords(BuilderKeywords, total=False):
    """What `builders` takes besides its scope and the settings of its genetic search."""

    search: Literal["exact", "genetic"]
    budget: int
    steps: int


@takes(
    BuilderSearch,
    Bounds,
    StateMatching,
    TimeLimit,
    Isolation,
    Exploring,
    without=("scope", "fields", "then_random", "reference", "protocols"),
)
def builders(
    *targets: Any,
    scope: int | Scope = 3,
    seed: int = 0,
    genetic: Genetic | None = None,
    **keywords: Unpack[BuildersKeywords],
) -> Builders:
    """Return the few operations that build every object which the whole API builds within the scope.

    The exact search gives the smallest such set, ties broken by simpler parameters, then by the order of the API. The
    genetic search is used if it is asked for, or where `budget` calls do not explore the whole API, or `steps` do not
    find the smallest set; the answer says so. The other keywords are those of `explore`.
    """
    how = record_of(BuilderSearch, keywords)
    question = Exploration.of({**keywords, "scope": scope})
    return Finding(targets, question, how, genetic or Genetic(), seed).answer()


def explore_with(
    saved: Saved, targets: Sequence[Any], question: Exploration, policy: SearchPolicy | None = None
) -> Result:
    """Explore with the builders alone; complete only if they were proved sufficient for this code at this scope.

    With the policy `AtRandom(…)` the builders are called at random.
    """
    asked = ", ".join(target.__name__ for target in targets if isinstance(target, type))
    if saved.target != asked:
        raise TargetError(f"these are builders of {saved.target}, not of {asked}; find those: unlike builders …")
    policy = replace(policy or SearchPolicy(), names=frozenset(saved.names))
    result = explore_question(targets, question, policy)
    for name in saved.names:
        known = [name_of(each) for each in result.api.operations]
        if name not in known:
            raise TargetError(f"builder {name!r} is no operation of {result.name}; {nearest(name, known)}")
    doubt = _doubt_saved(saved, targets, question)
    if doubt and result.status.ending is Ending.COMPLETE:
        result.status = Status(Ending.UNKNOWN, f"{doubt}; other operations may build more objects")
    return result


def _doubt_saved(saved: Saved, targets: Sequence[Any], question: Exploration) -> str:
    """Return why the builders may not be sufficient, or nothing."""
    if not saved.proved:
        return "the builders are estimated, not proved sufficient"
    if saved.bounds != bounds_of(question):
        return "the builders were proved sufficient within other bounds"
    if saved.code != code_of(targets):
        return "the builders were proved sufficient for other source code"
    return ""


def bounds_of(question: Exploration) -> JsonObject:
    """Return everything that decides which states there are, as JSON data."""
    scope, states = question.bounds.to_scope(), question.states
    return {
        "objects": scope.objects,
        "objects_of": dict(sorted(scope.objects_of.items())),
        "elements": scope.most_elements,
        "ints": scope.most_ints,
        "calls": scope.calls,
        "literals": {name: _texts(values) for name, values in sorted(scope.literals.items())},
        "methods": states.methods,
        "omit_fields": states.omit_fields,
        "invariant": None if states.invariant is None else _name_invariant(states.invariant),
        "dict_order": states.dict_order,
        "keys": [*sorted(f"{cls.__module__}:{cls.__qualname__}" for cls in states.keys or {})],
        "preconditions": [
            *sorted(cls.__qualname__ for cls in states.refusals),
            *["none"] * (not states.hears_announced),
        ],
    }


def _name_invariant(invariant: str | Callable[[Any], object]) -> str:
    return invariant if isinstance(invariant, str) else getattr(invariant, "__qualname__", "the invariant")


def _texts(values: object) -> Json:
    """Return values as texts; a spec or suite by its whole text, so that another one is never taken for it."""
    return [repr(value) for value in values] if isinstance(values, (list, tuple, range)) else repr(values)


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
