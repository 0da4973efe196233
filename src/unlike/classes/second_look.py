"""Errors looked at once more when a search is over: which of them anybody can notice, and which matter most.

A call that raised and left the object changed is run again, in a copy of this process. If all that users can ask of the
object is answered as before (a cache was filled, an index was built, a tree was balanced), it changed nothing, and its
exception is judged as one that left the object alone. Else the fields that differ are named.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from unlike.classes.api import Template
from unlike.classes.evidence import ENDED, LEFT_CHANGED, Outcome, Revealed
from unlike.classes.refusals import guessed_values, is_refusal
from unlike.classes.result import Result
from unlike.classes.sight import Sight, chosen_templates
from unlike.core import CutShort
from unlike.heap.differences import different_fields
from unlike.isolation import Answer
from unlike.recipe import Method, Recipe, run, run_failing

LOOKED_AT = 20  # sequences of one error
MOST_FIELDS = 3  # that are named


class Rank(enum.IntEnum):
    """How much an error matters; the first most."""

    CORRUPTED = 0  # what is left is neither the old object nor the new one
    UNSOUND = 1  # the invariant is broken
    WRONG = 2  # another answer than the reference gives
    CRASH = 3  # the process ended, or had to be ended
    ODD = 4  # an exception that nobody announced


def rank_of(error: Revealed) -> Rank:
    """Return how much an error matters."""
    reason = error.failure.reason
    if error.is_deadly:
        return Rank.CRASH
    if reason == LEFT_CHANGED:
        return Rank.CORRUPTED
    if reason.startswith("invariant "):
        return Rank.UNSOUND
    return Rank.ODD if reason == "raised" else Rank.WRONG


@dataclass(frozen=True, slots=True)
class Looked:
    """What a second look at the sequences of an error gave."""

    first: int = 0  # the first of them whose effect can be noticed; -1 for none
    fields: str = ""
    refused: bool = False  # where none can: whether the exception is one with which the method says no


def look_again(result: Result) -> None:
    """Settle the errors of a result that left an object changed, and put those that matter most first."""
    changed = [each for each in result.errors if each.failure.reason == LEFT_CHANGED and not each.is_deadly]
    dropped: set[int] = set()
    if changed:
        look = _SecondLook(result)
        try:
            for error, verdict in zip(
                changed, result.each_in_copies(lambda place: look.at(changed[place]), len(changed)), strict=False
            ):
                if isinstance(verdict, Answer) and not _settle(result, error, Looked(*verdict.result)):
                    dropped.add(id(error))
        except CutShort:
            pass  # the others stay as they were seen
    kept = [each for each in result.errors if id(each) not in dropped]
    for error in kept:
        error.doubt = doubt_of(result, error)
    result.errors = tuple(sorted(kept, key=lambda each: (bool(each.doubt), rank_of(each), each.calls)))


def _settle(result: Result, error: Revealed, looked: Looked) -> bool:
    """Take in what was seen; tell whether it is still an error."""
    if looked.first >= 0:
        error.failure = replace(error.failure, fields=looked.fields)
        if looked.first:  # the sequence that shows it best comes first
            error.met.insert(0, error.met.pop(looked.first))
            error.recipe = result.search.frontier.failing(*error.met[0])
        return True
    if not looked.refused:
        error.failure = replace(error.failure, reason="raised")
        return True
    by_operation = {operation: dict(counts) for operation, counts in result.by_operation.items()}
    operation = next(each for each in by_operation if each.title == error.operation)
    for counts in (by_operation[operation], outcomes := dict(result.outcomes)):
        counts[Outcome.ERROR] = counts.get(Outcome.ERROR, 0) - error.times
        counts[Outcome.PRECONDITION] = counts.get(Outcome.PRECONDITION, 0) + error.times
    by_operation[operation] = {outcome: times for outcome, times in by_operation[operation].items() if times}
    result.outcomes, result.by_operation = outcomes, by_operation
    return False


class _SecondLook:
    """Runs the sequences of an error again, in a copy of this process."""

    def __init__(self, result: Result) -> None:
        self.search = result.search
        self.sight = Sight(result.search)
        self.states = result.search.options.states

    def at(self, error: Revealed) -> tuple[int, str, bool]:
        """Return what is seen of the first sequences of an error."""
        refused = True
        sequences = [(self.search.frontier.failing(*met), met) for met in error.met[:LOOKED_AT]]
        for place, (recipe, met) in enumerate(sequences or [(error.recipe, ())]):
            fields, is_refused = self.of_sequence(recipe, met)
            if fields is not None:
                return place, fields, False
            refused = refused and is_refused
        return -1, "", refused

    def of_sequence(self, recipe: Recipe, met: Sequence[Any]) -> tuple[str | None, bool]:
        """Return the fields in which a call left its object changed, if that can be noticed; and if it was refused."""
        if not isinstance(recipe.steps[-1], Method):
            return "", False
        before = Recipe(recipe.steps[:-1], recipe.result)
        thing, error = self.sight.fresh(lambda: run_failing(recipe))
        if error is None:
            return "", False
        names = self.name_fields(self.sight.fresh(lambda: run(before)), thing)
        if not names:  # it is an argument that changed
            return "an argument", False
        noticed = self.sight.first_difference(lambda: run(before), lambda: run_failing(recipe)[0])
        if noticed is not None:
            return names, False
        template = self.search.code.calls[met[1]].template if met else None
        return None, template is not None and is_refusal(error, template, thing, self.states)

    def name_fields(self, before: object, after: object) -> str:
        walker = self.sight.walker
        try:
            one, other = (walker.heap(walker.capture(each)) for each in (before, after))
        except Exception:  # foreign: nothing of it can be seen
            return "what cannot be seen"
        places = different_fields(one, other)
        more = f" and {len(places) - MOST_FIELDS} more" if len(places) > MOST_FIELDS else ""
        return ", ".join(places[:MOST_FIELDS]) + more


# -- what is likely false ------------------------------------------------------------------------------


def doubt_of(result: Result, error: Revealed) -> str:
    """Return why an error is likely none; nothing where it is worth reading first."""
    kind = error.exception_class
    if kind is None or error.is_deadly:
        return ""
    if issubclass(kind, (TypeError, AttributeError)) and _names_guess(error, chosen_templates(result.search)):
        return "a value that was passed without a word on its type may be the cause"
    if error.failure.reason == LEFT_CHANGED and issubclass(kind, result.search.options.states.refusals):
        template = result.search.code.calls[error.met[0][1]].template if error.met else None
        if template is not None and _takes_several(template):
            return "it was refused half way through several values"
    return ""


def _names_guess(error: Revealed, templates: Iterable[Template]) -> bool:
    """Tell whether the message speaks of a type that was passed somewhere without a word on what to pass."""
    words = {type(value).__name__ for each in templates for value in guessed_values(each)}
    return any(re.search(rf"(?<!\w){re.escape(word)}(?!\w)", error.failure.message) for word in sorted(words))


def _takes_several(template: Template) -> bool:
    values = (*template.args, *(value for _, value in template.kwargs))
    return len(template.wanted) > 1 or any(type(each) in (list, tuple, dict, set, frozenset) for each in values)


# -- alike ones ----------------------------------------------------------------------------------------


def group_alike(errors: Iterable[Revealed]) -> list[list[Revealed]]:
    """Return the errors in groups: what was raised at one place is one error, whoever led there; the first leads."""
    groups: dict[object, list[Revealed]] = {}
    for error in errors:
        failure = error.failure
        same_cause = failure.place and failure.exception and failure.reason != ENDED
        groups.setdefault((failure.exception, failure.place) if same_cause else id(error), []).append(error)
    return list(groups.values())
