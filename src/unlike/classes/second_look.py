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
from unlike.classes.own_arguments import passed_values, puts_into_itself, quotes, texts_of
from unlike.classes.refusals import guessed_values, is_announced, is_refusal, leaves_none
from unlike.classes.result import Result
from unlike.classes.sight import Sight, chosen_templates
from unlike.classes.workbench import is_immutable
from unlike.core import CutShort
from unlike.foreign import package_of
from unlike.heap.differences import different_fields
from unlike.isolation import Answer
from unlike.recipe import Method, Recipe, run, run_failing

LOOKED_AT = 20  # sequences of one error
MOST_FIELDS = 3  # that are named
UNSEEN = "what cannot be seen"
NO_LOOP = re.compile(r"no (running|current) event loop")
LATER = (ValueError, LookupError, OSError)  # raised for texts, sometimes by a later call


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
    dropped, looked_at = set[int](), set[int]()
    if changed:
        look = _SecondLook(result)
        try:
            verdicts = result.each_in_copies(lambda place: look.at(changed[place]), len(changed), soon=True)
            for error, verdict in zip(changed, verdicts, strict=False):
                looked_at.add(id(error))
                if isinstance(verdict, Answer) and not _settle(result, error, Looked(*verdict.result)):
                    dropped.add(id(error))
        except (CutShort, KeyboardInterrupt):
            pass  # the others stay as they were seen
    kept = [each for each in result.errors if id(each) not in dropped]
    for error in kept:
        error.doubt = doubt_of(result, error, is_settled=id(error) in looked_at)
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
        places = self.find_fields(self.sight.fresh(lambda: run(before)), thing)
        template = self.search.code.calls[met[1]].template if met else None
        if not places and (template is None or _takes_objects(template)):  # it is an argument that changed
            return "an argument", False
        again = self.sight.fresh(lambda: run_failing(recipe))[0]
        of_chance = self.find_fields(thing, again)  # a clock, a counter outside: another time they hold something else
        places = [each for each in places if each not in of_chance or each == UNSEEN]
        if places and self.sight.first_difference(lambda: run(before), lambda: run_failing(recipe)[0]) is not None:
            more = f" and {len(places) - MOST_FIELDS} more" if len(places) > MOST_FIELDS else ""
            return ", ".join(places[:MOST_FIELDS]) + more, False
        return None, template is not None and is_refusal(error, template, thing, self.states)

    def find_fields(self, before: object, after: object) -> list[str]:
        """Return the fields in which two objects differ."""
        walker = self.sight.walker
        try:
            one, other = (walker.heap(walker.capture(each)) for each in (before, after))
        except Exception:  # foreign: nothing of it can be seen
            return [UNSEEN]
        return different_fields(one, other)


# -- what is likely false ------------------------------------------------------------------------------


def doubt_of(result: Result, error: Revealed, *, is_settled: bool) -> str:
    """Return why an error is likely none; nothing where it is worth reading first.

    `is_settled` tells whether it was looked at once more, if it left an object changed.
    """
    kind: Any = error.exception_class
    if kind is None or error.is_deadly:
        return ""
    if issubclass(kind, RecursionError) and puts_into_itself(error.recipe):
        return "the object was put into itself"
    if issubclass(kind, RuntimeError) and NO_LOOP.search(error.failure.message):
        return "it needs a running event loop"
    if _is_met_on_the_way(result, error):
        return "it is an object of another package that was met on the way"
    if issubclass(kind, (TypeError, AttributeError)) and _names_guess(error, chosen_templates(result.search)):
        return "a value that was passed without a word on its type may be the cause"
    message = error.failure.message
    template = result.search.code.calls[error.met[0][1]].template if error.met else None
    if template and issubclass(kind, KeyError) and message in map(repr, passed_values(template)):
        return "a key that was passed is not there"
    is_later = issubclass(kind, LATER) and not issubclass(kind, (KeyError, IndexError))
    if is_later and quotes(message, texts_of(chosen_templates(result.search))):
        return "a value that was passed is not what is meant there"
    if error.failure.reason != LEFT_CHANGED:
        return "it never does anything else" if _always_fails(result, error) else ""
    is_refused = issubclass(kind, result.search.options.states.refusals)
    if template is not None and is_refused and _takes_several(template):
        return "it was refused half way through several values"
    announced = template is not None and is_announced(kind, template.operation, template.operation.owner or object)
    if not is_settled and (is_refused or announced):
        return "there was no time to see whether anybody can notice it"
    return ""


def _always_fails(result: Result, error: Revealed) -> bool:
    """Tell whether every call of the method itself raised this: it says that it is not for such objects."""
    tallies = result.search.evidence.tallies
    tally = next((each for operation, each in tallies.items() if operation.title == error.operation), None)
    named = error.operation.rpartition(".")[2]
    own = f":{named}:" in error.failure.place
    others = [each for each in result.errors if each.operation == error.operation and each is not error]
    return tally is not None and not tally.answers and own and not others and error.times > 1


def _is_met_on_the_way(result: Result, error: Revealed) -> bool:
    """Tell whether the method belongs to a class that nobody asked for, of another package."""
    api = result.search.api
    homes = {package_of(each) for each in api.classes}
    owner = next((each.owner for each in api.operations if each.title == error.operation), None)
    return owner is not None and owner not in api.classes and package_of(owner) not in homes


def _names_guess(error: Revealed, templates: Sequence[Template]) -> bool:
    """Tell whether the message speaks of a type that was passed somewhere without a word on what to pass."""
    words = {type(value).__name__ for each in templates for value in guessed_values(each)}
    if any(leaves_none(each.operation) for each in templates):
        words.add("NoneType")
    return any(re.search(rf"(?<!\w){re.escape(word)}(?!\w)", error.failure.message) for word in sorted(words))


def _takes_objects(template: Template) -> bool:
    """Tell whether something is passed that can change."""
    values = (*template.args, *(value for _, value in template.kwargs))
    return len(template.wanted) > 1 or not all(map(is_immutable, values))


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
        key: object = (failure.exception, failure.place) if same_cause else id(error)
        if not failure.place and failure.fields:  # raised in C: alike where the same is left behind
            key = failure.exception, failure.reason, failure.fields
        if error.doubt and same_cause:  # wherever it was raised: the likely false ones take little room
            key = failure.exception, failure.message, error.doubt
        groups.setdefault(key, []).append(error)
    return list(groups.values())
