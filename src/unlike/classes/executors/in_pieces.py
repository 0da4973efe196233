"""A search whose calls are made on an executor of somebody else's, and where a process cannot be copied.

A piece is some objects as plain data and the calls to make on them. A worker keeps a search of its own, makes the calls
there, and tells of the states it had not seen yet. A piece that ends its process is made again call by call, until the
one call is known.
"""

from __future__ import annotations

import os
import threading
import uuid
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from unlike.classes.evidence import ENDED, Evidence, Failure, FoundClass, Outcome
from unlike.classes.executors.transfer import FoundState, name_exceptions, take_found
from unlike.classes.frontier import WorkUnit
from unlike.classes.policy import SearchPolicy
from unlike.classes.recipes import Invocation
from unlike.classes.run import SearchRun, SearchSpec
from unlike.classes.workbench import Marks, Roles
from unlike.core import FOREVER
from unlike.errors import UnlikeError
from unlike.heap.rebuild import Heap
from unlike.isolation import Answer, Death, Verdict
from unlike.isolation.output import take_output
from unlike.isolation.pool import ExecutorPool, WorkerPool, piece_sizes
from unlike.isolation.scratch import in_scratch
from unlike.isolation.state import count_forks
from unlike.isolation.wire import CannotPackError, pack, unpack
from unlike.recipe import Recipe, run
from unlike.scope import MOST_NUMBER

ADOPTED = Invocation(-1, (), ())  # the parent knows how the state came about
HANDS = 4  # of an executor, for nobody knows how many it has


class CallPiece(NamedTuple):
    """Objects, as plain data or as the sequence that makes them, and the calls to make on them, by number."""

    numbers: tuple[int, ...]
    objects: tuple[bytes | Recipe, ...]
    calls: tuple[int, ...]
    twice: bool = False  # make each call twice, to see whether it does the same again


@dataclass(frozen=True, slots=True)
class Told:
    """What the calls of a piece came to."""

    states: list[tuple[int, Roles, Heap]]  # call and roles; a state that this worker had not seen yet
    uncounted: set[int]  # calls that led to a new state, and to an error
    evidence: Evidence
    met_class: type | None  # that has to take part from the start


# -- in the worker ---------------------------------------------------------------------------------


class PieceMarks(Marks):
    """The marks of a search in a worker, whose output the worker catches."""

    def __init__(self) -> None:
        super().__init__()
        self.own, self.forks = os.getpid(), count_forks()

    def is_careful(self) -> bool:
        """Tell whether calls are to be made one by one: since one made a copy of this process, which ends after it."""
        return count_forks() != self.forks

    def end_call(self) -> None:
        """End this process if it is a copy that the code under test made of the worker."""
        if os.getpid() != self.own:
            os._exit(0)

    def take_printed(self) -> str:
        """Return what was printed since the last time."""
        return take_output()


_worker = threading.local()  # in a process of an executor there may be several


@dataclass(frozen=True, slots=True)
class PieceWork:
    """The work of a worker: from a piece to what is told of it. Its search is made when the first piece comes."""

    spec: SearchSpec
    token: str = field(default_factory=lambda: uuid.uuid4().hex)  # tells one search from another

    def __call__(self, piece: CallPiece) -> bytes:
        """Make the calls of the piece."""
        if getattr(_worker, "token", None) != self.token:
            _worker.token, _worker.search = self.token, PieceWorker(self.spec)
        try:
            with in_scratch():
                told: bytes = _worker.search.tell(piece)
        except BaseException:  # what it found is lost: the next one is to find it again
            del _worker.token
            raise
        return told


class PieceWorker:
    """A search that tells of every state instead of going on with it."""

    def __init__(self, spec: SearchSpec) -> None:
        self.search = SearchRun(spec.api(), spec, SearchPolicy())
        self.frontier, self.caller, self.walker = self.search.frontier, self.search.caller, self.search.code.walker
        self.caller.marks = PieceMarks()

    def tell(self, piece: CallPiece) -> bytes:
        """Make the calls on the objects, each from the same state, and tell what came of them."""
        frontier, caller = self.frontier, self.caller
        caller.twice, met_class = piece.twice, None
        numbers = [self.adopt(each) for each in piece.objects]
        calls = [self.search.code.calls[each] for each in piece.calls]
        all_at_once = len(numbers) == 1 and calls == frontier.calls_on(numbers[0])
        known = len(frontier)
        try:
            caller.call(WorkUnit(numbers, None if all_at_once else calls))
        except FoundClass as news:
            met_class = news.cls
        caller.marks.end_call()
        evidence = caller.hand_on()
        for error in evidence.errors.values():
            error.met = [(piece.numbers, call) for _, call in error.met]
        name_exceptions(evidence)
        for tally in evidence.tallies.values():  # in one order, whoever made the first calls
            tally.outcomes = Counter({outcome: times for outcome in Outcome if (times := tally.outcomes[outcome])})
        caller.heard.clear()  # of two workers the one whose piece comes first is to know what was printed
        uncounted = {call for _, call in caller.uncounted}
        caller.uncounted.clear()
        states = [self.plain(number) for number in range(known, len(frontier))]
        return pack(Told(states, uncounted, evidence, met_class), self.search.api.operations)

    def plain(self, number: int) -> tuple[int, Roles, Heap]:
        """Return a new state as plain data, with the call that led there."""
        whole = self.frontier.whole(number)
        plain = None if whole is None else self.walker.heap(whole)
        if plain is None or self.walker.walk(*self.walker.made_of(plain)) != self.frontier.key(number):
            name = self.frontier.classes[number].__name__
            raise UnlikeError(f"{name} is in another state when it is made again from its fields")
        invocation = self.frontier.trace.invocations[self.frontier.store.origin(number)[1]]
        return invocation.template, invocation.roles, plain

    def adopt(self, thing: bytes | Recipe) -> int:
        """Return the number under which this search knows the objects."""
        recipe = thing if isinstance(thing, Recipe) else None
        roots: Any = self.walker.made_of(unpack(thing)) if isinstance(thing, bytes) else run(thing)
        key = self.walker.walk(*roots)
        if not isinstance(key, bytes):
            raise UnlikeError(f"an object came back in another state: {key}")
        number = self.frontier.store.find(key)
        if number < 0:
            number = self.frontier.add(key, [], ADOPTED, roots)
        elif not self.frontier.faithful:
            # with the omitted fields as the parent has them
            self.frontier.captured[number] = self.frontier.capture(roots)
        self.frontier.trace.given[number] = recipe
        return number


# -- in the process that holds the states ----------------------------------------------------------


def cannot_travel(why: str) -> UnlikeError:
    """Return the refusal of objects that no other process can make again."""
    return UnlikeError(f"an object cannot travel to a worker ({why}); explore it without workers (--workers)")


class InPieces:
    """Has workers make the calls of a search, level by level."""

    def __init__(self, search: SearchRun, spec: SearchSpec) -> None:
        self.search, self.frontier, self.walker = search, search.frontier, search.code.walker
        workers = spec.options.isolation.workers or 1
        limits = replace(spec.options.isolation, workers=None)  # an executor does not travel
        exploring = replace(spec.options.exploring, most_states=MOST_NUMBER)  # time and states are counted here
        options = replace(spec.options, on_progress=None, isolation=limits, deadline=FOREVER, exploring=exploring)
        work = PieceWork(replace(spec, options=options))
        self.hands = workers if isinstance(workers, int) else HANDS
        self.pool: WorkerPool | ExecutorPool = (
            WorkerPool(work, count=workers, isolation=limits)
            if isinstance(workers, int)
            else ExecutorPool(workers, work)
        )
        search.isolated = True

    def run(self) -> None:
        """Search to the end; what was found stays."""
        self.search.search(self.search_levels)
        self.search.end()

    def search_levels(self) -> None:
        """Go through the levels until none is left."""
        frontier, policy = self.frontier, self.search.policy
        with self.pool:
            while policy.has_level(frontier):
                units = [(unit, calls) for unit in frontier.units() if (calls := self.calls_of(unit))]
                self.make_calls(units)
                self.search.look_inside()
                policy.end_level(frontier)
                frontier.begin_level()

    def calls_of(self, unit: WorkUnit) -> tuple[int, ...]:
        """Return the calls of a unit, by number."""
        calls = self.frontier.calls_on(unit.numbers[0]) if unit.calls is None else unit.calls
        return tuple(each.number for each in calls)

    def make_calls(self, units: list[tuple[WorkUnit, tuple[int, ...]]]) -> None:
        """Make the calls of a level: first many at once, then those of pieces that died, one by one."""
        caller = self.search.caller
        twice, dead = caller.checks_twice(), []
        pieces = (
            CallPiece(tuple(unit.numbers), tuple(map(self.pack_objects, unit.numbers)), calls, twice)
            for unit, calls in units
        )
        for verdict in self.pool.run(pieces, piece_sizes(len(units), self.hands), caller.check_time):
            if not isinstance(verdict, Answer) and len(verdict.item.calls) > 1:
                dead.append(verdict.item)
            else:
                self.take(verdict)
        single = (piece._replace(calls=(call,)) for piece in dead for call in piece.calls)
        for verdict in self.pool.run(single, 1, caller.check_time):
            self.take(verdict)

    def pack_objects(self, number: int) -> bytes | Recipe:
        """Return the objects of a state as plain data, or as the sequence that makes them."""
        whole = self.frontier.whole(number)
        if whole is not None:
            try:
                return pack(self.walker.heap(whole))
            except CannotPackError as error:
                raise cannot_travel(str(error)) from None
        return self.frontier.trace.recipe(number, of_all=True)

    def take(self, verdict: Verdict) -> None:
        """Enter what became of a piece."""
        piece: CallPiece = verdict.item
        self.search.caller.check_time()
        match verdict:
            case Answer():
                self.enter(piece, unpack(verdict.result, self.search.api.operations))
            case Death():
                self.blame(piece, Failure(ENDED, verdict.cause, "", verdict.place), verdict.output)
            case _ if verdict.error.startswith("MemoryError"):
                self.blame(piece, Failure(ENDED, "MemoryError"), verdict.output)
            case _:
                raise cannot_travel(verdict.error)

    def blame(self, piece: CallPiece, failure: Failure, output: str) -> None:
        """Enter the one call of a piece that did not come to its end."""
        caller = self.search.caller
        call = self.search.code.calls[piece.calls[0]]
        caller.evidence.tallies[call.template.operation].outcomes[Outcome.ERROR] += 1
        caller.note_error(call, piece.numbers, failure, None, output)
        caller.count_calls(1, caller.check_time())
        self.search.evidence.merge(caller.hand_on())

    def enter(self, piece: CallPiece, told: Told) -> None:
        """Enter what the calls of a piece came to."""
        if told.met_class is not None:
            raise FoundClass(told.met_class)
        caller, evidence = self.search.caller, told.evidence
        for error in evidence.errors.values():
            error.calls = self.frontier.length_after(piece.numbers)
        uncounted = {(piece.numbers, call) for call in told.uncounted}
        take_found(self.search, self.states_in(piece, told), uncounted, evidence)
        caller.report_progress(caller.check_time())

    def states_in(self, piece: CallPiece, told: Told) -> Iterator[FoundState]:
        """Yield the states that were told of, as this walker writes them."""
        for call, roles, plain in told.states:
            try:
                roots = self.walker.made_of(plain)
            except Exception as error:  # a function that this process has not met, a `__setstate__` that refuses
                raise cannot_travel(type(error).__name__) from None
            key = self.walker.walk(*roots)
            whole = None if self.frontier.faithful else self.frontier.capture(roots)
            invocation = Invocation(call, piece.numbers[1:], roles)
            if isinstance(key, bytes):
                yield FoundState(key, piece.numbers, invocation, type(roots[0]), len(roots), whole)
