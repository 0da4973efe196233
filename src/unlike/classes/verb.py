"""From classes and a scope to all states their methods reach: the verb, and a search wherever its calls are made."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Unpack

from unlike.classes.api import Api
from unlike.classes.evidence import FoundClass, Options
from unlike.classes.executors.in_copy import InCopy
from unlike.classes.executors.in_pieces import InPieces
from unlike.classes.guessing.guesses import guesses_for
from unlike.classes.kept_inside import KeptMore
from unlike.classes.policy import SearchPolicy
from unlike.classes.result import Result, result_of
from unlike.classes.run import SearchRun, SearchSpec
from unlike.classes.soundness import soundness_of
from unlike.core import Bounds, Exploration, ExploreKeywords, Exploring, Isolation, StateMatching, TimeLimit, takes
from unlike.errors import ScopeError
from unlike.isolation.copy import can_fork, is_in_copy
from unlike.progress import Progress, teller
from unlike.scope import Scope
from unlike.suite import Ending

if TYPE_CHECKING:
    from unlike.classes.pairs import References

EVERYTHING = SearchPolicy()
SEARCHED = 0.9  # of the time that is given; the rest is for a second look at errors


@dataclass(frozen=True, slots=True)
class KnownApis:
    """What can be called, read once for each scope and classes met on the way."""

    known: list[tuple[Scope, tuple[type, ...], Api]] = field(default_factory=list)

    def api(self, spec: SearchSpec) -> Api:
        """Return what can be called on the targets; refuse an invariant that none of them has."""
        for scope, extra, api in self.known:
            if scope is spec.scope and extra == spec.extra:
                return api
        api = spec.api()
        soundness_of(spec.options.states.invariant, api.classes)
        self.known.append((spec.scope, spec.extra, api))
        return api


def explore_concrete(spec: SearchSpec, policy: SearchPolicy, apis: KnownApis) -> Result:
    """Search to the end; a search that meets objects with operations of their own begins again with them."""
    while True:
        try:
            result = result_of(_run(apis.api(spec), spec, policy))
            orders, passed = result.search.evidence.by_order, result.search.evidence.by_passed
            if not orders or not all((*orders.values(), *passed.values())) or not policy.is_usual:
                return result
            if result.status.ending in (Ending.TIMEOUT, Ending.INTERRUPTED):  # a new search would find less
                return result
            spec = replace(spec, set_order=True)  # once more, and now it is part of a state
        except FoundClass as found:  # its objects take part from the start
            spec = replace(spec, extra=(*spec.extra, found.cls))
        except KeptMore as found:
            spec = replace(spec, scope=replace(spec.scope, kept=found.kept))


def _run(api: Api, spec: SearchSpec, policy: SearchPolicy) -> SearchRun:
    """Search in this process, in a copy of it, or in several workers."""
    search = SearchRun(api, spec, policy)
    isolation, workers = spec.options.isolation, spec.options.isolation.workers
    # other searches choose each call by what they found before
    splits = policy.is_usual and spec.options.states.state_matching and not spec.set_order
    if isolation.is_here or is_in_copy():
        search.run()
    elif splits and (not can_fork() or not (workers is None or isinstance(workers, int))):
        InPieces(search, spec).run()
    elif not can_fork():
        search.run()
    else:
        search.isolated = True
        InCopy(search, workers if splits and isinstance(workers, int) else 1).run()
    return search


@takes(Bounds, StateMatching, TimeLimit, Isolation, Exploring, without=("fields",))
def explore(
    *targets: Any,
    on_progress: Callable[[Progress], None] | None = None,
    search: SearchPolicy = EVERYTHING,
    **keywords: Unpack[ExploreKeywords],
) -> Result:
    """Return every object the classes among the targets can build within the scope: `unlike.explore`, without code."""
    return explore_question(targets, Exploration.of(keywords), search, on_progress)


def explore_question(
    targets: Sequence[Any],
    question: Exploration,
    policy: SearchPolicy = EVERYTHING,
    on_progress: Callable[[Progress], None] | None = None,
    seed: int = 0,
) -> Result:
    """Return what an exploration asks for: with values open or concrete, as asked or as it pays; a seed for draws."""
    searched = replace(question, deadline=question.deadline.part(SEARCHED))
    result = _explore_question(targets, searched, policy, on_progress, seed)
    later, result.deadline = result.deadline, question.deadline
    if result.errors:
        from unlike.classes.second_look import look_again  # loaded only when used

        look_again(result)
    result.deadline = later
    return result


def _explore_question(
    targets: Sequence[Any],
    question: Exploration,
    policy: SearchPolicy,
    on_progress: Callable[[Progress], None] | None,
    seed: int,
) -> Result:
    drawn = question.exploring.then_random
    if drawn is not None and (question.exploring.values == "symbolic" or not policy.is_usual):
        raise ScopeError(
            f"then_random={drawn!r} (--then-random) goes on from all objects of a scope, with their values; leave it "
            "out, or --values symbolic, --random and --builders"
        )
    options = Options(
        question.states, question.exploring, question.isolation, question.deadline, on_progress or teller()
    )
    spec = SearchSpec(tuple(targets), question.bounds.to_scope(), options)
    spec = replace(spec, guesses=guesses_for(spec.targets, spec.scope, question))
    apis = KnownApis()
    if question.exploring.reference is not None:
        from unlike.classes.pairs import check_question, explore_pairs  # loaded only when used

        check_question(options, policy)
        return explore_pairs(spec, apis.api)
    if drawn is not None:
        from unlike.classes.random_tail import draw_beyond  # loaded only when used

        result = explore_concrete(spec, policy, apis).because("concrete", "sequences go on from each object")
        result.deadline = question.deadline
        draw_beyond(result, drawn, seed)
        return result
    if question.exploring.values == "concrete":
        return explore_concrete(spec, policy, apis).because("concrete", "as asked")
    from unlike.classes.open.choose_values import explore_as_asked

    return explore_as_asked(spec, policy, apis)


def explore_versions(cls: type, question: Exploration, versions: References) -> Result:
    """Return what pairs of two versions of a class can be built, until the first difference is met."""
    options = Options(question.states, question.exploring, question.isolation, question.deadline, teller())
    spec = SearchSpec((cls,), question.bounds.to_scope(), options)
    spec = replace(spec, guesses=guesses_for(spec.targets, spec.scope, question))
    from unlike.classes.pairs import explore_pairs  # loaded only when used

    return explore_pairs(spec, KnownApis().api, versions)
