"""`unlike.explore`, as a verb and as a module: what is public of exploring classes, and calls chosen by code."""

from __future__ import annotations

import sys
import types
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Unpack

from unlike.classes.api import Api, api_of
from unlike.classes.evidence import Failure, Options, Outcome, Revealed
from unlike.classes.policy import SearchPolicy
from unlike.classes.result import Result, is_true
from unlike.classes.verb import EVERYTHING, explore_question
from unlike.core import Bounds, Exploration, ExploreKeywords, Exploring, Isolation, StateMatching, TimeLimit, takes
from unlike.errors import ScopeError, SpecError
from unlike.progress import Progress
from unlike.scope import scope_of

__all__ = [
    "Api",
    "Failure",
    "Options",
    "Outcome",
    "Progress",
    "Result",
    "Revealed",
    "SearchPolicy",
    "api_of",
    "explore",
    "is_true",
    "scope_of",
]


class CodeExploreKeywords(ExploreKeywords, total=False):
    """Every keyword of `explore`, for type checkers."""

    code: object
    within: Sequence[str] | None
    by: str | Sequence[str] | None


@takes(Bounds, StateMatching, TimeLimit, Isolation, Exploring, without=("fields",))
def explore(
    *targets: Any,
    on_progress: Callable[[Progress], None] | None = None,
    search: SearchPolicy = EVERYTHING,
    code: object = None,
    within: Sequence[str] | None = None,
    by: str | Sequence[str] | None = None,
    **keywords: Unpack[ExploreKeywords],
) -> Result:
    """Return every object the classes among the targets can build within the scope.

    Targets are classes, and functions that take or return their objects. `scope` is a number (that many objects per
    class, the first so many ints, containers of at most so many elements) or a Scope; the other bounds refine it.
    Calls are made in a copy of this process, which may take `seconds_per_call` and so many `megabytes`; in so many
    `workers`, or by an executor of yours (or executors that a function of yours makes); or `in_process`, without
    isolation. `search` is its policy: one that goes another way, or calls fewer operations.
    With `values` "symbolic" integers are left open, and objects that differ in them alone are found together; "auto"
    does so where it pays. `then_random` sequences are drawn beyond an exhausted scope.

    With `code` (a module, a class, or several) the suite holds the fewest sequences whose last calls show every
    behaviour of every method: its branches, counts of rounds and boundaries (`by`), in the modules of that code's
    package (`within`); `case.why` says what each is the first to show, `case.legal` whether its last call returns.
    """
    if code is None and (within, by) != (None, None):
        raise SpecError(f"within={within!r}, by={by!r} say how code is looked at; give code=…, or leave them out")
    question = Exploration.of(keywords)
    if code is None:
        return explore_question(targets, question, search, on_progress)
    result = explore_question(targets, question_for_code(question), search, on_progress)
    choose_by_code(result, code, within=within, by=by, deadline=question.deadline)
    return result


def question_for_code(question: Exploration) -> Exploration:
    """Return the question for an exploration of which calls are chosen: with every value."""
    if question.exploring.values == "symbolic":
        raise ScopeError("code=… (--code) looks at calls with their values; leave out values='symbolic' (--values)")
    return replace(question, exploring=replace(question.exploring, values="concrete"))


def choose_by_code(result: Result, code: object, *, within: object, by: object, deadline: Any) -> None:
    """Let the result hand out the fewest sequences whose last calls show everything in this code."""
    from unlike.behaviour.of_calls import choose_calls  # only where there is code

    result.deliver(choose_calls(result, code, within, by, deadline))


class _Verb(types.ModuleType):
    """Calling this module explores: `unlike.explore` is the module once anything has imported it."""

    def __call__(self, *targets: Any, **options: Unpack[CodeExploreKeywords]) -> Result:
        return explore(*targets, **options)


sys.modules[__name__].__class__ = _Verb
