"""The verb `builders`, and exploring with builders that were saved."""

from __future__ import annotations

import hashlib
import inspect
import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal, Unpack

from unlike.classes.builders.finding import BuilderSearch, Finding
from unlike.classes.builders.genetic import Genetic
from unlike.classes.builders.result import Builders, Saved
from unlike.classes.policy import SearchPolicy, name_of
from unlike.classes.result import Result
from unlike.classes.verb import explore_question
from unlike.core import (
    Bounds,
    BuilderKeywords,
    Exploration,
    Exploring,
    Isolation,
    StateMatching,
    TimeLimit,
    record_of,
    takes,
)
from unlike.errors import ScopeError, TargetError, nearest
from unlike.scope import Scope
from unlike.suite import Ending, Status


class BuildersKeywords(BuilderKeywords, total=False):
    """What `builders` takes besides its scope and the settings of its genetic search."""

    search: Literal["exact", "genetic"]
    budget: int
    steps: int


@takes(BuilderSearch, Bounds, StateMatching, TimeLimit, Isolation, Exploring, without=("scope", "fields"))
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
    return find_builders(Finding(targets, question, how, genetic or Genetic(), seed))


def find_builders(finding: Finding) -> Builders:
    """Return the builders that a search finds."""
    question = finding.question
    if question.bounds.calls is not None or not question.states.state_matching:
        raise ScopeError("builders are about all states: --calls and --no-state-matching cannot be combined with them")
    return finding.answer(bounds_of(question), code_of(finding.targets))


def explore_with(
    saved: Saved,
    targets: Sequence[Any],
    question: Exploration,
    policy: SearchPolicy | None = None,
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
    doubt = _doubt(saved, targets, question)
    if doubt and result.status.ending is Ending.COMPLETE:
        result.status = Status(Ending.UNKNOWN, f"{doubt}; other operations may build more objects")
    return result


def _doubt(saved: Saved, targets: Sequence[Any], question: Exploration) -> str:
    """Return why the builders may not be sufficient, or nothing."""
    if not saved.proved:
        return "the builders are estimated, not proved sufficient"
    if dict(saved.bounds) != bounds_of(question):
        return "the builders were proved sufficient within other bounds"
    if saved.code != code_of(targets):
        return "the builders were proved sufficient for other source code"
    return ""


def bounds_of(question: Exploration) -> dict[str, Any]:
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
        "invariant": states.invariant,
        "dict_order": states.dict_order,
        "keys": sorted(f"{cls.__module__}:{cls.__qualname__}" for cls in states.keys or {}),
        "preconditions": sorted(cls.__qualname__ for cls in states.preconditions),
    }


def _texts(values: object) -> list[str] | str:
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
