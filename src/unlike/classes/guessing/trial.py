"""Which of the candidates a class takes: calls made for trial, in a copy of this process.

Each way to call an operation is tried on an empty object and on a filled one, and gets a score. What was taken and
breaks a later call (an int kept as a callback) is tried with everything that is called afterwards, and marked down.
Trials are counted, so the same class gives the same answer; only a call that does not return is recognised by time.
"""

from __future__ import annotations

import contextlib
import enum
import itertools
import os
import tempfile
import types
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from unlike.classes.api import Kind, Template, Wanted, template_of
from unlike.classes.guessing.candidates import Subject, has_telling_names
from unlike.classes.guessing.patience import PATIENCE, NoReturnError, alarm, in_time
from unlike.classes.parameters import OMITTED, Parameter, parameter_of
from unlike.classes.pools import Pool
from unlike.classes.ways import likeliest_rows
from unlike.classes.workbench import ReadyCall
from unlike.core import FOREVER, Deadline, Isolation
from unlike.foreign import silence
from unlike.heap.walkers import Walker, make_walker
from unlike.isolation import Answer, Death, call_in_copy
from unlike.isolation.copy import mark
from unlike.scope import Limits

MOST_TRIALS = 4_000  # of one class in one flavour
MOST_DEATHS = 8  # copies that operations may end before nothing more is learned
MOST_HANGS = 6  # calls that do not return before their operations are given up
LONGEST = 4  # calls of such a way
MOST_COMBINED = 60  # ways to pass what is required
DEPTH = {0: 1, 1: 26, 2: 9, 3: 5, 4: 4}  # kinds tried for each of so many required parameters
OPTIONAL_KINDS = 6  # tried for a parameter that may be left out
MOST_TOGETHER = 4  # parameters that are passed together where fewer are refused
ENOUGH = 2  # ways with the same parameters that were taken
SHOWN = 3  # items of a generator that are asked for
Way = tuple[int, ...]  # for each parameter the place of its kind, or LEFT_OUT
LEFT_OUT = -1  # a parameter that is not passed
WRONG = (TypeError, AttributeError, NotImplementedError, RecursionError, MemoryError, AssertionError, SystemExit)


class Score(enum.IntEnum):
    """What a call for trial came to."""

    HANGS = -1  # it did not return
    WRONG = 0  # an error of type: this is not what the parameter means
    BREAKS = 1  # it returned, and calls that worked before fail afterwards
    REFUSED = 2  # it decided against the value
    RETURNED = 3
    CHANGED = 4  # the object is another one now, or an object was made


@dataclass(slots=True)
class Learned:
    """What trials showed of one operation: ways with their scores, in the order in which they were tried."""

    ways: list[tuple[int, Way]] = field(default_factory=list)
    hangs: list[Way] = field(default_factory=list)
    reason: str = ""  # what the first call raised that was refused
    is_deadly: bool = False  # it ended its process


class UnmadeError(TypeError):
    """An argument could not be made, so the call was not."""


Step = tuple[int, Way, int]  # number of the operation, way, which value of each kind


class CallTrial:
    """Trial calls on one class and its companions; `deadly` are operations that ended a process before."""

    def __init__(
        self, cls: type, subjects: Sequence[Subject], deadly: frozenset[int], deadline: Deadline = FOREVER
    ) -> None:
        self.cls, self.subjects, self.deadly, self.deadline = cls, subjects, deadly, deadline
        self.parameters = [_parameters_of(each) for each in subjects]
        self.learned = [Learned() for _ in subjects]
        self.best: dict[int, tuple[Way, int]] = {}  # a way that was taken, and which values of its kinds
        self.picks: dict[tuple[int, Way], int] = {}  # which values of its kinds made a way succeed
        self.taken: dict[str, dict[str, None]] = {}  # kinds by the names of parameters
        self.made: dict[type, list[tuple[Step, ...]]] = {}
        self.fullest: tuple[Step, ...] = ()  # steps that make the largest object so far
        self.latest: tuple[Step, ...] = ()  # and those that end with the latest change
        self.size = -1
        self.states: dict[tuple[Step, ...], object] = {}  # what objects hold that steps make
        self.count = self.late = 0
        self.walker: Walker = make_walker(Limits(objects=500, elements=5_000), (), "auto")

    def learn(self) -> list[Learned]:
        """Try all operations, those that made nothing out of an empty object once more on filled ones."""
        with alarm():
            for turn, number in itertools.product((0, 1), range(len(self.subjects))):
                if turn and (self.best_score(number) >= Score.CHANGED or not self.has_receiver(number)):
                    continue
                if len(self.learned[number].hangs) >= ENOUGH:
                    continue
                if number not in self.deadly and (not self.has_receiver(number) or self.made.get(self.cls)):
                    self.try_operation(number)
            if self.made.get(self.cls):
                self.look_afterwards()
        return self.learned

    def has_receiver(self, number: int) -> bool:
        """Tell whether an operation is called on an object."""
        return self.subjects[number].operation.has_receiver

    def best_score(self, number: int) -> int:
        """Return the best that any way to call an operation came to."""
        return max((score for score, _ in self.learned[number].ways), default=Score.WRONG)

    def try_operation(self, number: int) -> None:
        """Try the ways to call an operation until enough of each form were taken."""
        learned, taken = self.learned[number], dict[tuple[bool, ...], int]()
        known = {way for _, way in learned.ways}
        for way in self.ways(number):
            form = tuple(place == LEFT_OUT for place in way)
            if way in known or way in learned.hangs or taken.get(form, 0) >= ENOUGH + (not self.has_receiver(number)):
                continue
            if self.count > MOST_TRIALS or self.late > MOST_HANGS or self.deadline.is_over():
                return
            score, pick = self.score(number, way)
            self.picks[number, way] = pick
            if score is Score.HANGS:
                learned.hangs.append(way)
                if len(learned.hangs) >= ENOUGH:
                    return
                continue
            learned.ways.append((score, way))
            known.add(way)
            if score >= Score.RETURNED:
                taken[form] = taken.get(form, 0) + 1
                self.best.setdefault(number, (way, pick))
                self.note_kinds(number, way)
            if score is Score.CHANGED:
                self.remember(number, way, pick)

    def note_kinds(self, number: int, way: Way) -> None:
        """Note which kinds were taken under the names of parameters: under the same name they are tried first."""
        subject = self.subjects[number]
        for place, kind in enumerate(way if has_telling_names(subject) else ()):
            if kind != LEFT_OUT:
                names = self.taken.setdefault(subject.read[place].name, {})
                names[subject.kinds[place][kind].name] = None

    def order(self, number: int, place: int) -> list[int]:
        """Return the kinds of a parameter, those first that another operation took under its name."""
        subject = self.subjects[number]
        name = subject.read[place].name
        taken = self.taken.get(name, ()) if has_telling_names(subject) else ()
        kinds = subject.kinds[place]
        return sorted(range(len(kinds)), key=lambda kind: (kind > 0 and kinds[kind].name not in taken, kind))

    def score(self, number: int, way: Way) -> tuple[Score, int]:
        """Return the best that a way to call comes to, and whether with the first or the second values of its kinds.

        It is tried on the fullest object, on the emptiest one, and on one that was changed last.
        """
        if not self.has_receiver(number):
            first = self.attempt(number, way, (), 0)
            second = self.attempt(number, way, (), 1) if first < Score.RETURNED else first
            return (second, 1) if second > first else (first, 0)
        objects = dict.fromkeys((self.fullest, self.made[self.cls][0], self.latest or self.fullest))
        best = Score.WRONG
        for steps in objects:
            score = self.attempt(number, way, steps, 0)
            if score is Score.HANGS:
                return score, 0
            best = max(best, score)
        if best in (Score.REFUSED, Score.RETURNED) and any(kind != LEFT_OUT for kind in way):
            second = self.attempt(number, way, self.fullest, 1)
            if second > best:
                return second, 1
        return best, 0

    def remember(self, number: int, way: Way, pick: int) -> None:
        """Keep a way to make an object, the one with the fewest arguments first; and the fullest object."""
        subject = self.subjects[number]
        if not subject.operation.has_receiver:
            owner = subject.operation.owner
            assert owner is not None
            known = self.made.setdefault(owner, [])
            if len(known) < ENOUGH + 1:
                known.insert(0 if all(place == LEFT_OUT for place in way) else len(known), ((number, way, pick),))
                self.note_size(known[0] if owner is self.cls and not self.fullest else ())
        elif len(self.fullest) < LONGEST and not self.passes_own_object(number, way):
            self.latest = (*self.fullest, (number, way, pick))
            self.note_size((*self.fullest, (number, way, pick or len(self.fullest) % ENOUGH)))

    def passes_own_object(self, number: int, way: Way) -> bool:
        """Tell whether an object of the class is passed: what makes such an object must not need one."""
        kinds = [self.subjects[number].kinds[place][kind] for place, kind in enumerate(way) if kind != LEFT_OUT]
        return any(isinstance(value, Wanted) and value.cls is self.cls for each in kinds for value in each.values)

    def note_size(self, steps: tuple[Step, ...]) -> None:
        """Keep the steps that make the largest object so far: calls that take something out find something there."""
        with contextlib.suppress(BaseException):  # the code under test may raise anything
            if steps and (size := _size_of(self.look(self.build(steps)))) > self.size:
                self.fullest, self.size = steps, size

    # -- ways ------------------------------------------------------------------------------------------

    def ways(self, number: int) -> Iterator[Way]:
        """Yield ways to call: with what is required alone, then each other parameter beside that."""
        subject = self.subjects[number]
        always = dict.fromkeys(subject.always, 0)
        needed = [place for place, each in enumerate(subject.read) if not each.is_optional]
        orders = [self.order(number, place)[: DEPTH.get(len(needed), 3)] for place in needed]
        places = likeliest_rows(
            [len(each) for each in orders],
            lambda row: (sum(row), self.variety(number, needed, [o[i] for o, i in zip(orders, row, strict=True)])),
        )
        for row in places[: MOST_COMBINED if len(needed) > 1 else None]:
            kinds = {place: order[index] for place, order, index in zip(needed, orders, row, strict=True)}
            yield self.way(number, {**always, **kinds})
        best = self.best.get(number)
        if needed and best is None:
            yield from self.ways_with_all(number)
            return
        others = [place for place in range(len(subject.read)) if place not in needed and place not in always]
        for place in (*others, *others):  # the second time beside what was taken the first time
            best = self.best.get(number)
            base = {at: kind for at, kind in enumerate(best[0]) if kind != LEFT_OUT} if best else {}
            before = self.placed_before(number, place)
            some = OPTIONAL_KINDS if needed or before else DEPTH[1]
            for kind in self.order(number, place)[:some]:
                yield self.way(number, {**always, **before, **base, place: kind})
        if number not in self.best:
            yield from self.ways_with_all(number)

    def ways_with_all(self, number: int) -> Iterator[Way]:
        """Yield ways to pass the first few parameters all together: two may be optional, and needed with each other."""
        subject = self.subjects[number]
        places = [place for place, kinds in enumerate(subject.kinds) if kinds][:MOST_TOGETHER]
        for count in range(2, len(places) + 1):
            orders = [self.order(number, place)[: DEPTH[count]] for place in places[:count]]
            for row in likeliest_rows([len(each) for each in orders])[:MOST_COMBINED]:
                kinds = {place: order[index] for place, order, index in zip(places, orders, row, strict=False)}
                yield self.way(number, kinds)

    def way(self, number: int, kinds: dict[int, int]) -> Way:
        """Return the kinds by place as a way to call."""
        return tuple(kinds.get(place, LEFT_OUT) for place in range(len(self.subjects[number].read)))

    def placed_before(self, number: int, place: int) -> dict[int, int]:
        """Return what has to be passed before a parameter that has no name: what was taken there."""
        parameters, passed = self.parameters[number], dict[int, int]()
        if parameters[place].positional:
            for earlier in range(place):
                if parameters[earlier].optional and parameters[earlier].positional:
                    ways = [way for score, way in self.learned[number].ways if score >= Score.RETURNED]
                    passed[earlier] = next((way[earlier] for way in ways if way[earlier] != LEFT_OUT), 0)
        return passed

    def variety(self, number: int, needed: Sequence[int], kinds: Sequence[int]) -> int:
        """Return how many different kinds are passed: alike ones are likelier."""
        listed = self.subjects[number].kinds
        return len({listed[place][kind].name for place, kind in zip(needed, kinds, strict=True)})

    # -- one call --------------------------------------------------------------------------------------

    def attempt(self, number: int, way: Way, steps: Sequence[Step], pick: int) -> Score:
        """Make one call on an object that the steps make, and judge it."""
        self.count += 1
        mark(number)
        try:
            receiver = self.build(steps) if steps else None
            before = self.look_before(steps, receiver)
        except BaseException:  # the code under test may raise anything; what was made before cannot be made again
            return Score.WRONG
        try:
            result = self.call(number, way, receiver, pick)
            if isinstance(result, types.GeneratorType):
                list(itertools.islice(result, SHOWN))
        except NoReturnError:
            self.late += 1
            return Score.HANGS
        except BaseException as error:  # the code under test may raise anything
            learned = self.learned[number]
            learned.reason = learned.reason or _words_of(error)
            return Score.WRONG if _is_wrong(error) else Score.REFUSED
        if result is NotImplemented:
            return Score.WRONG
        operation = self.subjects[number].operation
        if not operation.has_receiver:
            assert operation.owner is not None
            return Score.CHANGED if isinstance(result, operation.owner) else Score.RETURNED
        return Score.CHANGED if self.look(receiver) != before else Score.RETURNED

    def build(self, steps: Sequence[Step]) -> Any:
        """Return an object that the steps make."""
        made: Any = None
        for number, way, pick in steps:
            result = self.call(number, way, made, pick)
            made = made if self.has_receiver(number) else result
        return made

    def call(self, number: int, way: Way, receiver: Any, pick: int) -> Any:
        """Make a call with so-many-th values of the kinds, and give it little time."""
        subject, row = self.subjects[number], list[Any]()
        for place, kind in enumerate(way):
            values = () if kind == LEFT_OUT else subject.kinds[place][kind].values
            first = _first_tried(subject, values)
            value = values[(first + pick) % len(values)] if values else OMITTED
            star = self.parameters[number][place].star
            row.append((() if value is OMITTED else (value,)) if star else value)
        template: Template | None = template_of(subject.operation, self.parameters[number], row)
        if template is None:
            raise TypeError("an argument has no place")
        inner = [
            each for each in (*template.args, *(value for _, value in template.kwargs)) if isinstance(each, Wanted)
        ]
        objects = [*([receiver] if self.has_receiver(number) else []), *(self.make(each.cls) for each in inner)]
        with in_time(self.deadline.seconds_left()):
            return ReadyCall(0, template, fresh=True).run(objects)

    def make(self, cls: type) -> Any:
        """Return an object of a class that was made before."""
        if not self.made.get(cls):
            raise UnmadeError(f"no {cls.__name__} could be made{self.why_unmade(cls)}")
        return self.build(self.fullest if cls is self.cls else self.made[cls][0])

    def why_unmade(self, cls: type) -> str:
        """Return what the calls raised that should have made an object of a class."""
        makers = [number for number, each in enumerate(self.subjects) if each.operation.owner is cls]
        reasons = [self.learned[number].reason for number in makers if not self.has_receiver(number)]
        return "".join(f": {each}" for each in reasons[:1] if each)

    def look_before(self, steps: Sequence[Step], receiver: Any) -> object:
        """Return the state that steps lead to: the same each time, and looking at a large object takes long."""
        key = tuple(steps)
        if key not in self.states:
            self.states[key] = self.look(receiver)
        return self.states[key]

    def look(self, thing: Any) -> object:
        """Return what tells the state of an object from others."""
        if thing is None:
            return None
        with contextlib.suppress(Exception):
            return self.walker.walk(thing)
        try:
            return repr(thing), repr(getattr(thing, "__dict__", None))
        except BaseException:  # the code under test may raise anything
            return None

    # -- what a call leads to --------------------------------------------------------------------------

    def look_afterwards(self) -> None:
        """Mark down what is taken and makes calls fail that worked before; where nothing else is left, try further."""
        base = self.made[self.cls][0]
        after = [number for number in self.best if self.has_receiver(number)]
        after = [number for number in after if self.repeat(number, base) > Score.BREAKS]
        for number, learned in enumerate(self.learned):
            if self.subjects[number].operation.owner is not self.cls:
                continue
            for place, (score, way) in enumerate(learned.ways):
                if score is Score.CHANGED and self.breaks(number, way, after):
                    learned.ways[place] = Score.BREAKS, way
            if learned.ways and self.best_score(number) == Score.BREAKS:
                self.try_further(number, after)

    def breaks(self, number: int, way: Way, after: list[int]) -> bool:
        """Tell whether calls fail after a call which worked before it; those that hang then are given up."""
        if self.count > MOST_TRIALS + MOST_TRIALS // 2 or self.deadline.is_over():
            return False
        steps = (*(self.made[self.cls][0] if self.has_receiver(number) else ()), (number, way, self.picks[number, way]))
        came_to = {each: self.repeat(each, steps) for each in after if each in self.best}
        for each in [each for each, result in came_to.items() if result is Score.HANGS]:
            self.learned[each].hangs.append(self.best[each][0])
            after.remove(each)
        return Score.WRONG in came_to.values()

    def try_further(self, number: int, after: list[int]) -> None:
        """Try the ways that were not tried yet, until one is taken and breaks nothing."""
        learned = self.learned[number]
        known = {way for _, way in learned.ways}
        self.best.pop(number, None)
        after = [each for each in after if each != number]
        for way in [each for each in self.ways(number) if each not in known]:
            if self.deadline.is_over():
                return
            score, pick = self.score(number, way)
            self.picks[number, way] = pick
            if score >= Score.RETURNED and not self.breaks(number, way, after):
                learned.ways.append((score, way))
                self.best[number] = way, pick
                return

    def repeat(self, number: int, steps: Sequence[Step]) -> Score:
        """Make a call that was taken before on another object."""
        way, pick = self.best[number]
        return self.attempt(number, way, steps, pick)


def _parameters_of(subject: Subject) -> list[Parameter]:
    return [replace(parameter_of(each, Pool()), whole=subject.whole) for each in subject.read]


def _first_tried(subject: Subject, values: Sequence[Any]) -> int:
    """Return which value of a kind is tried first: what is made with 0 (a capacity, a size) hides what comes later."""
    return int(subject.operation.kind is Kind.NEW and len(values) > 1 and values[0] == 0 and type(values[0]) is int)


def _is_wrong(error: BaseException) -> bool:
    """Tell whether a value is not what is meant, rather than refused: also the name of a codec that nobody knows."""
    return isinstance(error, WRONG) or not isinstance(error, Exception) or type(error) is LookupError


def _size_of(state: object) -> int:
    return len(state) if isinstance(state, bytes) else len(repr(state))


def _words_of(error: BaseException) -> str:
    try:
        said = str(error).splitlines()[:1]
    except Exception:  # an exception whose own text cannot be made
        said = []
    if isinstance(error, UnmadeError):  # its name says nothing to those who wrote the class
        return said[0][:120]
    return f"{type(error).__name__}: {said[0]}"[:120] if said and said[0] else type(error).__name__


def run_trial(
    cls: type, subjects: Sequence[Subject], isolation: Isolation, deadline: Deadline = FOREVER
) -> list[Learned] | None:
    """Return what trials in a copy of this process show; nothing where calls end it again and again."""
    deadly: set[int] = set()
    limits = Isolation(seconds_per_call=PATIENCE * 3, megabytes=isolation.megabytes)
    for _ in deadline.within_time(range(MOST_DEATHS)):
        with tempfile.TemporaryDirectory() as scratch:
            verdict = call_in_copy(
                lambda: _try_in(scratch, CallTrial(cls, subjects, frozenset(deadly), deadline)), limits
            )
        if isinstance(verdict, Answer):
            return [
                Learned(
                    [(Score(score), tuple(way)) for score, way in ways], list(map(tuple, hangs)), reason, n in deadly
                )
                for n, (ways, hangs, reason) in enumerate(verdict.result)
            ]
        if not isinstance(verdict, Death) or verdict.at[0] < 0 or verdict.at[0] in deadly:
            return None
        deadly.add(verdict.at[0])
    return None


def _try_in(scratch: str, trial: CallTrial) -> list[tuple[list[tuple[int, Way]], list[Way], str]]:
    """Learn in an empty directory, and return it as plain data."""
    before = Path.cwd()
    os.chdir(scratch)
    try:
        with silence():
            learned = trial.learn()
    finally:
        os.chdir(before)
    return [([(int(score), way) for score, way in each.ways], each.hangs, each.reason) for each in learned]
