"""From classes and a scope to all states their own methods reach: the verb, and the question it asks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Unpack

from unlike.classes.judging import Options
from unlike.classes.policy import SearchPolicy
from unlike.classes.result import Result
from unlike.classes.run import SearchSpec
from unlike.classes.search import KnownApis, explore_concrete
from unlike.core import Bounds, Exploration, ExploreKeywords, Exploring, Isolation, StateMatching, TimeLimit, takes
from unlike.progress import Progress, teller
from unlike.scope import Limits

EVERYTHING = SearchPolicy()


@takes(Bounds, StateMatching, TimeLimit, Isolation, Exploring, without=("fields",))
def explore(
    *targets: Any,
    on_progress: Callable[[Progress], None] | None = None,
    search: SearchPolicy = EVERYTHING,
    **keywords: Unpack[ExploreKeywords],
) -> Result:
    """Return every object the classes among the targets can build within the scope.

    Targets are classes, and functions that take or return their objects. `scope` is a number (that many objects per
    class, the first so many ints, containers of at most so many elements) or a Scope; the other bounds refine it.
    Calls are made in a copy of this process, which may take `seconds_per_call` and so many `megabytes`; in so many
    `workers`, or by an executor of yours (or executors that a function of yours makes); or `in_process`, without
    isolation. `search` is its policy: one that goes another way, or calls fewer operations.
    With `values` "symbolic" integers are left open, and objects that differ in them alone are found together; "auto"
    does so where it pays.
    """
    return explore_question(targets, Exploration.of(keywords), search, on_progress)


def explore_question(
    targets: Sequence[Any],
    question: Exploration,
    policy: SearchPolicy = EVERYTHING,
    on_progress: Callable[[Progress], None] | None = None,
) -> Result:
    """Return what an exploration asks for: with values open or concrete, as asked or as it pays."""
    spec = spec_of(targets, question, on_progress or teller())
    apis = KnownApis()
    if question.exploring.values == "concrete":
        return explore_concrete(spec, policy, apis).because("concrete", "as asked")
    from unlike.classes.open import explore_as_asked  # most of it is needed for open values alone

    return explore_as_asked(spec, policy, apis)


def spec_of(
    targets: Sequence[Any], question: Exploration, on_progress: Callable[[Progress], None] | None = None
) -> SearchSpec:
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
    return SearchSpec(tuple(targets), bounds, limits, options, states.methods, leave_out)
