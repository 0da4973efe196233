"""Calls made ready, the objects they are tried on, put back into their state after each, and what stands around."""

from __future__ import annotations

import collections
import contextlib
import copy
import io
import itertools
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from unlike.classes.api import Kind, Operation, Template
from unlike.classes.evidence import Evidence, Fault, HangError, Outcome
from unlike.classes.recipes import Invocation
from unlike.errors import UnlikeError
from unlike.heap.numbered_names import classes_in, knows_weak
from unlike.heap.rebuild import holds_only_weakly, size_of
from unlike.heap.store import KNOWN, NEW, OUTSIDE, RAISED, REFUSED, UNCHANGED, Snapshot, WalkerCall
from unlike.scope import Outside
from unlike.shared_names import get_trace, put_names_back, set_trace

if TYPE_CHECKING:
    from unlike.classes.caller import ObjectCaller

PLAIN = frozenset({type(None), bool, int, float, str, bytes})
FLAT = frozenset({list, dict, set})  # containers that are copied at once where they hold plain values
Roles = tuple[tuple[int, int], ...]
CameTo = int | tuple[int, Outcome]  # what a call came to: as the walker says it, and what it cannot know
MANY, MAKING = -1, -2  # instead of a call: many at once, the making of its objects
MOST_READY = 400  # states whose objects are kept ready
MOST_OUTPUT = 64 * 1024  # bytes of what one call prints: more than anybody reads, and little to keep


class Watchdog:
    """Interrupts a call that does not return, where signals allow it: in the main thread, on Unix.

    It ticks once a second and looks whether the same call is still running; calls themselves cost nothing more.
    """

    def __init__(self, caller: ObjectCaller) -> None:
        self.caller = caller
        self.last = -1
        self.ticks = 0
        usable = hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()
        self.usable = usable and signal.getsignal(signal.SIGALRM) is signal.SIG_DFL

    def __enter__(self) -> None:
        if self.usable:
            signal.signal(signal.SIGALRM, self.tick)
            signal.setitimer(signal.ITIMER_REAL, 1, 1)

    def __exit__(self, *_: object) -> None:
        if self.usable:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, signal.SIG_DFL)

    def tick(self, *_: object) -> None:
        """Count how long the call has been running, and end it when that is too long."""
        caller = self.caller
        made = caller.calls + caller.probed
        self.ticks = self.ticks + 1 if made == self.last else 0
        self.last = made
        most = caller.options.isolation.seconds_per_call
        late = (most is not None and self.ticks >= most) or (self.ticks and caller.options.deadline.is_over())
        if caller.running and late:
            self.ticks = 0
            raise HangError("did not return in time" if most is None else f"did not return within {most:g} s")


class Marks:
    """What is noted around the calls of a search: in this process what is printed, elsewhere also where it is."""

    def __init__(self) -> None:
        self.sink = io.StringIO()

    @contextlib.contextmanager
    def around(self, caller: ObjectCaller) -> Iterator[None]:
        """Catch what is printed while the search goes on, and interrupt calls that do not return."""
        with contextlib.redirect_stdout(self.sink), contextlib.redirect_stderr(self.sink), Watchdog(caller):
            yield

    def begin_level(self) -> None:
        """Note that a level begins, or goes on."""

    def is_careful(self) -> bool:
        """Tell whether the calls of this unit are to be made one by one."""
        return False

    def begin_call(self, call: int) -> Fault | None:
        """Note a call, or MANY, or MAKING; return a fault if it is known that no process survives it."""
        del call
        self.take_printed()  # before it
        return None

    def begin_invariant(self) -> None:
        """Note that the invariant is asked."""

    def end_call(self) -> None:
        """Note that a call is over, and judged."""

    def end_unit(self, *, at_once: bool) -> None:
        """Note that a unit of work is done; whether the walker made its calls by itself."""

    def take_printed(self) -> str:
        """Return what was printed since the last time."""
        if not self.sink.tell():
            return ""
        text = self.sink.getvalue()
        self.sink.seek(0)
        self.sink.truncate()
        return text[:MOST_OUTPUT]


@dataclass(slots=True)
class ReadyCall:
    """A template made ready to run."""

    number: int
    template: Template
    fresh: bool  # some argument is mutable: pass a new copy each time

    @property
    def is_quick(self) -> bool:
        """Whether a walker can make the call by itself: a method, with arguments that cannot change."""
        template = self.template
        return template.operation.kind is Kind.METHOD and len(template.places) == 1 and not self.fresh

    @property
    def needs_one(self) -> bool:
        """Whether it is called on one object and takes no other."""
        return self.template.operation.has_receiver and len(self.template.wanted) == 1

    @property
    def call(self) -> WalkerCall:
        """The call as a walker makes it: by itself, or by running it here."""
        if not self.is_quick:
            return WalkerCall(_plain_call(self.template) or self.run_on)
        return WalkerCall(self.template.operation.name, self.template.args, self.template.kwargs)

    def run_on(self, thing: object) -> object:
        """Run the call on one object."""
        return self.run((thing,))

    def run(self, objects: Sequence[Any]) -> object:
        """Run the call on the objects, receiver first."""
        template = self.template
        operation = template.operation
        args, kwargs = template.args, template.kwargs
        receiver = objects[0] if operation.has_receiver else None
        if len(template.places) > operation.has_receiver:
            receiver, args, kwargs = template.fill(objects, lambda value: value)
        if self.fresh:
            args = tuple(value if isinstance(value, type) else _fresh(value, objects) for value in args)
            kwargs = tuple((name, _fresh(value, objects)) for name, value in kwargs)
        named, trace = dict(kwargs), get_trace()
        try:
            if operation.kind is Kind.METHOD and not kwargs:  # the usual case
                return getattr(receiver, operation.name)(*args)
            return operation.perform(receiver, args, named)
        finally:
            if get_trace() is not trace:  # before any function of ours is called: it would be traced
                set_trace(trace)
            put_names_back()


def _plain_call(template: Template) -> Callable[[Any], object] | None:
    """Return a method call on one object with fresh copies of its arguments, made ready; None where it is not so plain.

    Most calls with lists and dicts are: what can be settled before is not settled in each of millions of calls.
    """
    operation = template.operation
    if operation.kind is not Kind.METHOD or len(template.places) != 1 or template.kwargs:
        return None
    name, makers = operation.name, [_maker(each) for each in template.args]
    if len(makers) == 1:
        (make,) = makers
        return lambda thing: getattr(thing, name)(make())
    return lambda thing: getattr(thing, name)(*[make() for make in makers])


def _maker(value: Any) -> Callable[[], Any]:
    """Return what gives the value, or a fresh copy of one that can change."""
    if isinstance(value, type) or is_immutable(value):
        return lambda: value
    if _is_flat(value):
        return value.copy  # type: ignore[no-any-return]
    return lambda: copy.deepcopy(value)


def _is_flat(value: Any) -> bool:
    """Tell whether a value is a container of plain values, which is copied at once."""
    kind = type(value)
    return (
        kind in FLAT and all(map(is_immutable, value)) and (kind is not dict or all(map(is_immutable, value.values())))
    )


def _fresh(value: Any, objects: Sequence[Any]) -> Any:
    kind = type(value)
    if kind in PLAIN or any(value is each for each in objects):
        return value
    if _is_flat(value):
        return value.copy()
    return copy.deepcopy(value)


def is_immutable(value: object) -> bool:
    """Tell whether a value can be passed to several calls."""
    if type(value) in (tuple, frozenset):
        return all(map(is_immutable, value))  # type: ignore[call-overload]
    return type(value) in PLAIN or hasattr(type(value), "_member_map_") or isinstance(value, type)


class Workbench:
    """The objects that calls are tried on, put back into their state after each."""

    snapshot: Snapshot | Snapshots | None  # what they held, where it can be put back
    call: ReadyCall  # which is tried now, and what is seen of it: its answer and the states, or what it raised
    seen: Any

    def __init__(self, caller: ObjectCaller, numbers: list[int], *, apart: bool = False) -> None:
        self.caller = caller
        self.numbers = numbers
        self.apart = apart  # objects of its own, at other addresses than any before
        self.dirty = False
        self.fill()

    @classmethod
    def around(cls, caller: ObjectCaller, number: int, roots: list[Any]) -> Self:
        """Return a bench for objects that are there already, and that somebody else puts back."""
        bench = cls.__new__(cls)
        bench.caller, bench.numbers, bench.roots = caller, [number], [roots]
        bench.objects, bench.snapshot, bench.dirty = [roots[0]], None, False
        return bench

    def fill(self) -> None:
        """Make the objects anew and remember what they hold; of several, take those that are ready."""
        if len(self.numbers) > 1 and not self.apart and (ready := self.caller.ready.take(self.numbers)) is not None:
            self.roots, snapshots = ready
            self.objects = [roots[0] for roots in self.roots]
            self.snapshot, self.dirty = snapshots, False
            return
        self.roots = self.make_roots()
        self.objects = [roots[0] for roots in self.roots]
        self.snapshot = None
        self.dirty = False
        if self.numbers and self.caller.in_place:
            with contextlib.suppress(UnlikeError):  # an object that cannot be seen is made again after every call
                self.snapshot = self.caller.walker.snapshot(*(root for roots in self.roots for root in roots))

    def make_roots(self) -> list[list[Any]]:
        """Return fresh objects in each of the states."""
        return [self.caller.make_objects(number) for number in self.numbers]

    def begin(self, call: ReadyCall, *, silent: bool = False) -> None:
        """Begin with a call; one that is silent is only compared with the same call before."""
        self.call, self.silent, self.seen = call, silent, []

    def was_changed(self) -> bool:
        """Tell whether any object holds something else than before the call."""
        if not self.numbers:
            return False
        self.dirty = True if self.snapshot is None else self.snapshot.changed()
        return self.dirty

    def reset(self) -> None:
        """Put the objects back into the state they had."""
        if self.dirty and (self.snapshot is None or not self.snapshot.restore()):
            self.caller.ready.drop(self.numbers)
            self.fill()
        self.dirty = False

    def keys(self) -> list[bytes | Outside]:
        """Return the states the objects are in now."""
        return [self.caller.walker.walk(*roots) for roots in self.roots]

    def keys_before(self) -> list[bytes | Outside]:
        """Return the states the objects were in before the call."""
        return [self.caller.frontier.key(number) for number in self.numbers]

    def list_changed(self) -> Iterator[tuple[list[Any], Roles]]:
        """Yield the objects that a call may have changed, each with the roles that name it in a recipe."""
        for index, roots in enumerate(self.roots):
            yield roots, tuple((index, position) for position in range(len(roots)))
            for position, companion in enumerate(roots[1:], start=1):
                yield [companion], ((index, position),)

    def with_result(self, result: object) -> tuple[list[Any], Roles]:
        """Return the result, together with the objects it shares parts with: a view and what it looks into."""
        roots, roles = [result], [(-1, 0)]
        for index, objects in enumerate(self.roots):
            for position, other in enumerate(objects):
                if self.shares(result, other):
                    roots.append(other)
                    roles.append((index, position))
        return roots, tuple(roles)

    def walk(self, roots: Sequence[object]) -> tuple[bytes | Outside, Sequence[object]]:
        """Return the state of the objects, and objects in it: who keeps these alone sees weak references die."""
        walker = self.caller.walker
        key = walker.walk(*roots)
        if not knows_weak(walker):
            return key, roots
        with contextlib.suppress(Exception):  # a `__hash__` or `__setstate__` of the user's may refuse
            captured = walker.capture(*roots)
            if holds_only_weakly(walker.heap(captured)):
                made = walker.rebuild(captured)
                return walker.walk(*made), made
        return key, roots

    def still_tied(self, roots: list[Any], roles: Roles) -> tuple[list[Any], Roles]:
        """Return the first object with those that still share parts with it: calls on it change no others."""
        tied = [0, *(place for place in range(1, len(roots)) if self.shares(roots[0], roots[place]))]
        return [roots[place] for place in tied], tuple(roles[place] for place in tied)

    def are_tied(self) -> bool:
        """Tell whether two of the objects have come to share a part."""
        pairs = itertools.combinations(self.objects, 2)
        return any(one is not other and self.shares(one, other) for one, other in pairs)

    def shares(self, one: object, other: object) -> bool:
        """Tell whether two objects have a part in common: then two walks apart see more nodes than one."""
        walker = self.caller.walker
        try:
            apart = size_of(walker.capture(one)) + size_of(walker.capture(other))
            return size_of(walker.capture(one, other)) < apart
        except UnlikeError:
            return True


@dataclass(frozen=True, slots=True)
class Snapshots:
    """What several objects held that were made apart from each other."""

    each: tuple[Snapshot, ...]

    def changed(self) -> bool:
        """Tell whether any of them holds something else now."""
        changed = [one.changed() for one in self.each]  # each is asked: it notes what to put back
        return any(changed)

    def restore(self) -> bool:
        """Put back what was touched; False if some object must be made again."""
        restored = [one.restore() for one in self.each]
        return all(restored)


class ReadyObjects:
    """Objects in known states, remembered, for calls that need several: each state comes again with many others."""

    def __init__(self, caller: ObjectCaller) -> None:
        self.caller = caller
        self.made: dict[int, tuple[list[Any], Snapshot]] = {}
        pinned = caller.walker.twin.tables[-1].pinned.values()
        self.pinned = {layout.number for layout in pinned}  # making one object writes into those of others

    def take(self, numbers: Sequence[int]) -> tuple[list[list[Any]], Snapshots] | None:
        """Return objects in the states, and what they hold, or nothing where they have to be made for each call."""
        if not self.caller.in_place or len({*numbers}) < len(numbers):
            return None
        if len(self.made) > MOST_READY:
            self.made.clear()
        found = []
        for number in numbers:
            made = self.made.get(number) or self.make(number)
            if made is None:
                return None
            found.append(made)
        return [roots for roots, _ in found], Snapshots(tuple([snapshot for _, snapshot in found]))

    def make(self, number: int) -> tuple[list[Any], Snapshot] | None:
        """Return new objects in a state, if they can be put back and share nothing with others."""
        caller = self.caller
        if self.pinned and not self.pinned.isdisjoint(classes_in(caller.frontier.key(number))):
            return None
        roots = caller.make_objects(number)
        try:
            self.made[number] = roots, caller.walker.snapshot(*roots)
        except UnlikeError:
            return None
        return self.made[number]

    def drop(self, numbers: Sequence[int]) -> None:
        """Forget objects that could not be put back."""
        for number in numbers:
            self.made.pop(number, None)


class QuickCalls:
    """The calls on one class that the walker makes by itself, what they came to, and the calls that remain."""

    def __init__(self, calls: Sequence[ReadyCall]) -> None:
        # in this order: first those that the walker lays out once
        self.quick = [each for each in calls if each.is_quick]
        self.quick += [each for each in calls if each.needs_one and not each.is_quick]
        self.rest = [each for each in calls if not each.needs_one]
        self.calls = tuple(each.call for each in self.quick)
        self.operations = [each.template.operation for each in self.quick]
        self.invocations = [Invocation(each.number, (), ((0, 0),)) for each in self.quick]
        # what all calls on a state came to, and on how many states: on most they come to the same
        self.rows: collections.Counter[tuple[CameTo, ...]] = collections.Counter()
        self.looked_at: set[tuple[int, int]] = set()  # why a call led outside: by code, and the number of the call

    def add_to(self, evidence: Evidence, reason: Callable[[int], str]) -> None:
        """Add what was counted to the evidence, once."""
        codes: collections.Counter[tuple[Operation, CameTo]] = collections.Counter()
        for row, times in self.rows.items():
            for each in zip(self.operations, row, strict=True):
                codes[each] += times
        self.rows.clear()
        for (operation, seen), times in codes.items():
            tally = evidence.tallies[operation]
            code, outcome = (seen, OUTCOMES.get(seen, Outcome.OUTSIDE)) if isinstance(seen, int) else seen
            tally.outcomes[outcome] += times
            tally.answers |= code != RAISED
            tally.changes |= code not in (RAISED, UNCHANGED)
            if code <= OUTSIDE:
                evidence.outside[reason(code)] += times


OUTCOMES = {
    NEW: Outcome.NEW,
    UNCHANGED: Outcome.KNOWN,
    KNOWN: Outcome.KNOWN,
    RAISED: Outcome.ERROR,
    REFUSED: Outcome.ERROR,
}


def strongest_outcome(outcomes: Sequence[Outcome]) -> Outcome:
    """Return what a call came to, given what its objects came to."""
    strongest_first = (Outcome.ERROR, Outcome.NEW, Outcome.KNOWN, Outcome.OUTSIDE)
    return next((each for each in strongest_first if each in outcomes), Outcome.KNOWN)
