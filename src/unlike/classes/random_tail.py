"""After a scope is exhausted: so many sequences drawn at random that begin with a known object and go on from there.

What is drawn depends on the seed alone, not on what calls do, so that a sequence that ended its process is known, too.
The object where a sequence ends is kept if no known object is in its state; every error that is new is shortened.
"""

from __future__ import annotations

import copy
import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from unlike.classes.api import Operation, Template
from unlike.classes.beside_scope import calls_beside, draw_call
from unlike.classes.evidence import LATE, LEFT_CHANGED, Failure, Fault, Revealed, describe_broken, failure_of
from unlike.classes.policy import name_of
from unlike.classes.recipes import append_steps, sequence_text, step_of
from unlike.classes.refusals import is_refusal
from unlike.classes.result import Result, is_true
from unlike.core import CutShort
from unlike.errors import UnlikeError, how_many
from unlike.heap.walkers import Walker, make_walker
from unlike.isolation import Answer, Death, Verdict
from unlike.isolation.copy import mark
from unlike.recipe import Recipe, Ref, run
from unlike.scope import Outside
from unlike.suite import Case, Ending, Status

CALLS = 10  # of one sequence: some two or three times as many as lead to most objects of a small scope
SIMPLER = 20  # known objects that a failing sequence is tried on instead of its own: the first ones need few calls


class DrawnCall(NamedTuple):
    """A call, by its place among those that are drawn, and the known objects that it needs besides the first."""

    template: int
    others: tuple[int, ...]
    moves: bool = False  # the sequence goes on with the object that it returned


class DrawnSequence(NamedTuple):
    """A known object, by its number, and the calls that go on from there."""

    start: int
    calls: tuple[DrawnCall, ...]


class CameTo(NamedTuple):
    """What a sequence came to: its calls that did something, and the error that the last of them revealed, if any."""

    calls: tuple[DrawnCall, ...]
    operation: str = ""
    failure: tuple[str, ...] = ()
    classes: tuple[tuple[str, str], ...] = ()  # of the exception: module and name, then those of its bases

    @property
    def error(self) -> tuple[str, ...]:
        """What two sequences that show the same error have in common."""
        return (self.operation, *Failure(*self.failure).kind) if self.failure else ()

    def plain(self) -> tuple[object, ...]:
        """Return it as plain tuples, which can be sent from one process to another."""
        return (tuple(map(tuple, self.calls)), *self[1:])


def draw_beyond(result: Result, count: int, seed: int) -> None:
    """Draw sequences beyond an exhausted scope; the result has what they came to, and its status says so."""
    status = result.status
    if status.ending is not Ending.COMPLETE:
        reason = "nothing was drawn beyond the scope, which is not exhausted"
        result.status = replace(status, detail="; ".join(filter(None, [status.detail, reason])))
        return
    tail = _Tail(result, seed)
    try:
        found, errors, done = tail.draw_all(count)
    except KeyboardInterrupt:  # what the scope came to is kept
        reason = "no more exist within the scope (proved); sequences beyond it were being drawn"
        result.status = Status(Ending.INTERRUPTED, reason)
        return
    result.further, result.errors = found, (*result.errors, *errors)
    proviso = f": {status.detail.replace('; ', ', ')}" if status.detail else ""
    number = how_many(count, "sequence") if done == count else f"{done:,} of {how_many(count, 'sequence')}"
    came_to = f"{how_many(len(found), 'further object')}, {how_many(len(errors), 'further error')}"
    drawn = f"{number} beyond it {'was' if count == 1 else 'were'} drawn (seed {seed}): {came_to}"
    result.status = Status(Ending.SHOWN, f"no more exist within the scope{proviso}; {drawn}")


@dataclass(slots=True)
class _Tail:
    result: Result
    seed: int
    templates: list[Template] = field(init=False)
    by_operation: list[list[Template]] = field(init=False)
    places: dict[int, int] = field(init=False)  # of the templates, by identity
    walker: Walker = field(init=False)  # without bounds: it sees what is larger than the scope
    seen: set[bytes] = field(init=False, default_factory=set)  # further states, in the process that looks for them

    def __post_init__(self) -> None:
        search = self.result.search
        deadly = {each.operation for each in self.result.errors if each.is_deadly or each.hung}
        inside = [each for each in search.api.templates if each.wanted and each.operation.title not in deadly]
        operations = {id(each.operation): each.operation for each in inside}
        beside = [each for operation in operations.values() for each in calls_beside(_typed_alone(operation))]
        self.templates = [each for each in (*inside, *beside) if each.wanted and _can_be_written(each)]
        self.places = {id(each): place for place, each in enumerate(self.templates)}
        groups: dict[str, list[Template]] = {}
        for each in self.templates:
            groups.setdefault(name_of(each.operation), []).append(each)
        self.by_operation = list(groups.values())
        limits = replace(search.code.limits, objects=None, objects_of={}, elements=None)
        pinned = search.code.watch.find_pinned()
        self.walker = make_walker(limits, pinned, search.options.exploring.implementation)

    # -- all of them ------------------------------------------------------------------------------------

    def draw_all(self, count: int) -> tuple[tuple[Case, ...], list[Revealed], int]:
        """Return the further objects, the further errors, and how many sequences there was time for."""
        drawn = [self.draw(number) for number in range(count)] if self.by_operation and self.result.numbers else []
        ended: list[DrawnSequence] = []
        errors: dict[tuple[str, ...], Revealed] = {}
        known = {(each.operation, *each.failure.kind) for each in self.result.errors}
        done = 0
        try:
            for sequence, verdict in zip(drawn, self.attempt(drawn), strict=True):
                done += 1
                came_to = self.read(sequence, verdict)
                if came_to is None:
                    continue
                last = len(came_to.calls) - bool(came_to.failure)  # what was there before an error is an object, too
                ended.append(DrawnSequence(sequence.start, came_to.calls[:last]))
                if came_to.error in errors:
                    errors[came_to.error].times += 1
                elif came_to.failure and came_to.error not in known:
                    short = self.shorten(DrawnSequence(sequence.start, came_to.calls), came_to)
                    errors[came_to.error] = self.describe_error(short, came_to)
            return tuple(self.keep_new(ended)), list(errors.values()), count
        except CutShort:
            return (), list(errors.values()), done

    def draw(self, number: int) -> DrawnSequence:
        """Return the sequence of this number."""
        drawing = random.Random(f"{self.seed} {number}")
        known, classes = self.result.numbers, self.result.search.frontier.classes
        calls = []
        for _ in range(CALLS):
            template = draw_call(drawing.choice(self.by_operation), drawing)
            fitting = [[each for each in known if issubclass(classes[each], cls)] for cls in template.wanted[1:]]
            if all(fitting):
                calls.append(DrawnCall(self.places[id(template)], tuple(map(drawing.choice, fitting))))
        return DrawnSequence(drawing.choice(known), tuple(calls))

    def attempt(self, sequences: Sequence[DrawnSequence]) -> Iterator[Verdict]:
        """Yield what became of each sequence, run where the calls of the search were made."""
        return self.result.each_in_copies(lambda number: self.run(number, sequences[number]).plain(), len(sequences))

    def read(self, sequence: DrawnSequence, verdict: Verdict) -> CameTo | None:
        """Return what a sequence came to; nothing if its first object could not be made."""
        if isinstance(verdict, Answer):
            calls, *rest = verdict.result
            return CameTo(tuple(DrawnCall(*each) for each in calls), *rest)
        if not isinstance(verdict, Death):
            return None
        _, step, *_ = (*verdict.at, 0, 0)
        if not 0 < step <= len(sequence.calls):
            return None
        (before,) = self.attempt([sequence._replace(calls=sequence.calls[: step - 1])])
        came_to = self.read(sequence, before) if isinstance(before, Answer) else None
        if came_to is None or came_to.failure:
            return None  # it does not do the same again
        last = sequence.calls[step - 1]
        failure = Fault(verdict.cause, verdict.output, verdict.place).failure(None)
        told = failure.reason, failure.exception, failure.message, failure.place
        return CameTo((*came_to.calls, last), self.templates[last.template].operation.title, told)

    def keep_new(self, ended: Sequence[DrawnSequence]) -> Iterator[Case]:
        """Yield an object for every new state, each made again by its sequence in one process that compares them."""
        verdicts = self.result.each_in_copies(lambda number: self.is_new(ended[number]), len(ended))
        found = 0
        for sequence, verdict in zip(ended, verdicts, strict=True):
            if isinstance(verdict, Death):
                return  # what it knew is gone, and it did not die the first time
            if is_true(verdict):
                recipe = self.recipe(sequence)
                yield Case(recipe, sequence_text(recipe), f"{self.result.api.classes[0].__name__}-further-{found}")
                found += 1

    # -- in the process that makes the calls ------------------------------------------------------------

    def run(self, number: int, sequence: DrawnSequence) -> CameTo:
        """Run a sequence, leaving out calls that are refused or change nothing, until one reveals an error."""
        search = self.result.search
        mark(number, 0)
        thing: Any = search.caller.rerun_calls(sequence.start)[0]
        kept: list[DrawnCall] = []
        for step, call in enumerate(sequence.calls, start=1):
            template = self.templates[call.template]
            if not isinstance(thing, template.wanted[0]):
                continue
            objects = [thing, *(search.frontier.trace.replay(each)[0] for each in call.others)]
            before = self.look(thing)
            mark(number, step)
            receiver, args, kwargs = template.fill(objects, copy.deepcopy)
            try:
                answer = template.operation.perform(receiver, args, dict(kwargs))
            except KeyboardInterrupt:
                raise
            except BaseException as error:  # the code under test may raise anything
                changed = self.look(thing) != before
                if not changed and is_refusal(error, template, thing, search.options.states):
                    continue
                reason = LEFT_CHANGED if changed else "raised"
                return _end_with_error((*kept, call), template.operation, failure_of(error, reason), error)
            moved = answer is not thing and isinstance(answer, search.api.classes)
            thing = answer if moved else thing
            if moved or before is None or self.look(thing) != before:
                kept.append(call._replace(moves=moved))
            if (broken := self.broken(thing)) is not None:
                return _end_with_error((*kept[:-1], call._replace(moves=moved)), template.operation, broken)
        return CameTo(tuple(kept))

    def look(self, thing: object) -> bytes | None:
        """Return the state of an object, or nothing if it cannot be seen."""
        try:
            key = self.walker.walk(thing)
        except Exception:  # opaque, or its own code refuses
            return None
        return None if isinstance(key, Outside) else key

    def broken(self, thing: object) -> Failure | None:
        """Return how the invariant is broken; nothing if it holds."""
        sound = self.result.soundness
        if sound is None or not sound.applies_to(thing):
            return None
        try:
            return None if sound.holds_for(thing) else Failure(describe_broken(sound.name))
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # an invariant is code under test, too
            return failure_of(error, describe_broken(sound.name))

    def is_new(self, sequence: DrawnSequence) -> bool:
        """Tell whether the sequence, run by itself, leads to an object in a state that was not met before."""
        search = self.result.search
        search.code.fixtures.restore()
        try:
            thing = run(self.recipe(sequence))
        finally:
            search.code.fixtures.restore()
        inside = search.code.walker.walk(thing)
        if not isinstance(inside, Outside) and search.frontier.knows(inside):
            return False
        key = self.look(thing)
        if key is None or key in self.seen or not isinstance(thing, search.api.classes):
            return False
        self.seen.add(key)
        return True

    # -- what is told -----------------------------------------------------------------------------------

    def shorten(self, sequence: DrawnSequence, came_to: CameTo) -> DrawnSequence:
        """Return a sequence with fewer calls that shows the same error: on a simpler object, without needless calls."""
        if came_to.failure[1].startswith(LATE):
            return sequence  # each attempt would take as long
        known = list(self.result.numbers[:SIMPLER])
        lengths = self.result.search.frontier.lengths
        for start in known:
            simpler = sequence._replace(start=start)
            if lengths[start] < lengths[sequence.start] and self.shows(simpler, came_to):
                sequence = simpler
                break
        for place in reversed(range(len(sequence.calls) - 1)):
            fewer = sequence._replace(calls=(*sequence.calls[:place], *sequence.calls[place + 1 :]))
            if self.shows(fewer, came_to):
                sequence = fewer
        return sequence

    def shows(self, sequence: DrawnSequence, came_to: CameTo) -> bool:
        """Tell whether the sequence shows the error by its last call."""
        (verdict,) = self.attempt([sequence])
        again = self.read(sequence, verdict)
        return again is not None and again.error == came_to.error and again.calls[-1:] == sequence.calls[-1:]

    def describe_error(self, sequence: DrawnSequence, came_to: CameTo) -> Revealed:
        """Return the error with its sequence."""
        lengths = self.result.search.frontier.lengths
        used = (sequence.start, *(each for call in sequence.calls for each in call.others))
        calls = sum(lengths[each] for each in used) + len(sequence.calls)
        failure = Failure(*came_to.failure)
        error = Revealed(came_to.operation, failure, calls, _class_of(came_to.classes), times=1)
        error.recipe = self.recipe(sequence)
        return error

    def recipe(self, sequence: DrawnSequence) -> Recipe:
        """Return the sequence as a recipe; its result is the object that the last call leaves."""
        trace = self.result.search.frontier.trace
        steps, roots = trace.steps(sequence.start)
        thing = roots[0]
        for call in sequence.calls:
            template = self.templates[call.template]
            objects = [thing, *(append_steps(steps, *trace.steps(each))[0] for each in call.others)]
            steps.append(step_of(template, objects, steps))
            thing = Ref(len(steps) - 1) if call.moves else thing
        return Recipe(tuple(steps), thing)


def _typed_alone(operation: Operation) -> Operation:
    """Return the operation with those arguments beside the scope that are of the same types as arguments within it."""
    narrowed = []
    for each in operation.parameters:
        kinds = set(map(type, each.pool.literals))
        beside = tuple(value for value in each.pool.beside if type(value) in kinds)
        narrowed.append(replace(each, pool=replace(each.pool, beside=beside)))
    return replace(operation, written=tuple(narrowed))


def _can_be_written(template: Template) -> bool:
    try:
        step_of(template, [Ref(0)] * len(template.wanted), [])
    except UnlikeError:  # an argument without a literal form
        return False
    return True


def _end_with_error(
    calls: tuple[DrawnCall, ...], operation: Operation, failure: Failure, error: BaseException | None = None
) -> CameTo:
    classes = () if error is None else type(error).__mro__
    names = tuple((each.__module__, each.__qualname__) for each in classes)
    return CameTo(calls, operation.title, (failure.reason, failure.exception, failure.message, failure.place), names)


def _class_of(names: Sequence[Sequence[str]]) -> type[BaseException] | None:
    """Return the first of the exceptions that can be named; nothing where nothing was raised."""
    for module, name in names:
        found = getattr(sys.modules.get(module), name, None)
        if isinstance(found, type) and issubclass(found, BaseException):
            return found
    return None
