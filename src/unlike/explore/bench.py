"""One call on real objects: arguments filled in, objects put back into their state afterwards."""

from __future__ import annotations

import collections
import contextlib
import copy
import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from unlike import heap
from unlike.errors import UnlikeError
from unlike.explore.api import Kind, Operation, Template, Wanted
from unlike.explore.outcomes import Outcome
from unlike.explore.surroundings import HangError
from unlike.explore.tracing import Invocation
from unlike.heap import Outside, Walker

if TYPE_CHECKING:
    from unlike.explore.search import Search

PLAIN = frozenset({type(None), bool, int, float, str, bytes})
Roles = tuple[tuple[int, int], ...]


@dataclass(slots=True)
class Prepared:
    """A template made ready to run."""

    number: int
    template: Template
    fresh: bool  # some argument is mutable: pass a new copy each time

    @property
    def is_quick(self) -> bool:
        """Whether a walker can make the call by itself: a method, with arguments that cannot change."""
        template = self.template
        return template.operation.kind is Kind.METHOD and len(template.places) == 1 and not self.fresh

    def values(self) -> list[Any]:
        """Return the arguments, by position and by name."""
        return [*self.template.args, *(value for _, value in self.template.kwargs)]

    @property
    def call(self) -> heap.WalkerCall:
        """The call as a walker makes it."""
        return heap.WalkerCall(self.template.operation.name, self.template.args, self.template.kwargs)

    def run(self, objects: Sequence[Any]) -> object:
        """Run the call on the objects, receiver first."""
        template = self.template
        operation = template.operation
        args, kwargs = template.args, template.kwargs
        receiver = objects[0] if operation.has_receiver else None
        if len(template.places) > operation.has_receiver:
            receiver, args, kwargs = template.filled(objects, _itself)
        if self.fresh:
            args = tuple(value if isinstance(value, type) else _fresh(value, objects) for value in args)
            kwargs = tuple((name, _fresh(value, objects)) for name, value in kwargs)
        if operation.kind is Kind.METHOD and not kwargs:  # the usual case
            return getattr(receiver, operation.name)(*args)
        return operation.perform(receiver, args, dict(kwargs))


def _itself(value: Any) -> Any:
    return value


def _fresh(value: Any, objects: Sequence[Any]) -> Any:
    if type(value) in PLAIN or any(value is each for each in objects):
        return value
    return copy.deepcopy(value)


def needs_copies(template: Template) -> bool:
    """Tell whether some argument is mutable, so that each call needs one of its own."""
    values = [*template.args, *(value for _, value in template.kwargs)]
    return any(not _is_immutable(value) for value in values if not isinstance(value, Wanted))


def _is_immutable(value: object) -> bool:
    if type(value) in (tuple, frozenset):
        return all(map(_is_immutable, value))  # type: ignore[call-overload]
    return type(value) in PLAIN or hasattr(type(value), "_member_map_") or isinstance(value, type)


class Source(Protocol):
    """Where objects in a state come from."""

    walker: Walker
    in_place: bool  # objects may be put back by undoing what a call did

    def obtain(self, number: int) -> list[Any]:
        """Return fresh objects in the state."""
        ...

    def key(self, number: int) -> bytes:
        """Return the canonical bytes of the state."""
        ...


class Bench:
    """The objects that calls are tried on, put back into their state after each."""

    def __init__(self, source: Source, numbers: list[int]) -> None:
        self.source = source
        self.numbers = numbers
        self.before: list[bytes | Outside] | None = None
        self.dirty = False
        self.fill()

    @classmethod
    def around(cls, source: Source, number: int, roots: list[Any]) -> Bench:
        """Return a bench for objects that are there already, and that somebody else puts back."""
        bench = cls.__new__(cls)
        bench.source, bench.numbers, bench.roots = source, [number], [roots]
        bench.objects, bench.snapshot, bench.dirty = [roots[0]], None, False
        return bench

    def fill(self) -> None:
        """Make the objects anew and remember what they hold."""
        self.roots = [self.source.obtain(number) for number in self.numbers]
        self.objects = [roots[0] for roots in self.roots]
        self.snapshot: heap.GraphSnapshot | None = None
        self.dirty = False
        if self.numbers and self.source.in_place:
            with contextlib.suppress(UnlikeError):  # an object that cannot be seen is made again after every call
                self.snapshot = self.source.walker.snapshot(*(root for roots in self.roots for root in roots))

    def changed(self) -> bool:
        """Tell whether any object holds something else than before the call."""
        if not self.numbers:
            return False
        self.dirty = True if self.snapshot is None else self.snapshot.changed()
        return self.dirty

    def reset(self) -> None:
        """Put the objects back into the state they had."""
        if self.dirty and (self.snapshot is None or not self.snapshot.restore()):
            self.fill()
        self.dirty = False

    def keys(self) -> list[bytes | Outside]:
        """Return the states the objects are in now."""
        return [self.source.walker.walk(*roots) for roots in self.roots]

    def keys_before(self) -> list[bytes | Outside]:
        """Return the states the objects were in before the call."""
        return [self.source.key(number) for number in self.numbers]

    def found(self) -> Iterator[tuple[list[Any], Roles]]:
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

    def walked(self, roots: Sequence[object]) -> tuple[bytes | Outside, Sequence[object]]:
        """Return the state of the objects, and objects in it: who keeps these alone sees weak references die."""
        walker = self.source.walker
        key = walker.walk(*roots)
        if not heap.knows_weak(walker):
            return key, roots
        with contextlib.suppress(Exception):  # a `__hash__` or `__setstate__` of the user's may refuse
            captured = walker.capture(*roots)
            if heap.holds_only_weakly(walker.heap(captured)):
                made = walker.rebuild(captured)
                return walker.walk(*made), made
        return key, roots

    def still_tied(self, roots: list[Any], roles: Roles) -> tuple[list[Any], Roles]:
        """Return the first object with those that still share parts with it: calls on it change no others."""
        tied = [0, *(place for place in range(1, len(roots)) if self.shares(roots[0], roots[place]))]
        return [roots[place] for place in tied], tuple(roles[place] for place in tied)

    def tried_again(self, search: Search, calls: Sequence[Prepared], seen: Sequence[object]) -> Bench:
        """Make the calls once more, note those that do something else, and return the bench this was done on."""
        again = Bench(search, self.numbers)  # other objects in the same state, at other addresses
        for prepared, before in zip(calls, seen, strict=True):
            if (now := search.attempt(again, prepared, silent=True)) != before:
                title = prepared.template.operation.title
                search.unsteady[title] = search.unsteady.get(title, False) or _states_in(now) != _states_in(before)
            again.reset()
        return again

    def find_culprits(self, search: Search, calls: Sequence[Prepared], changes: Sequence[str]) -> None:
        """Find out which of the calls made the changes outside the objects; one made only once may be any call's."""
        for prepared in calls:
            search.attempt(self, prepared, silent=True)
            self.reset()
            for place in search.surroundings.changes():
                search.leaks.setdefault(place, prepared.template.operation.title)
        titles = dict.fromkeys(prepared.template.operation.title for prepared in calls)
        for place in (*search.surroundings.changes(), *changes):
            search.leaks.setdefault(place, " or ".join(titles))

    def are_tied(self) -> bool:
        """Tell whether two of the objects have come to share a part."""
        pairs = itertools.combinations(self.objects, 2)
        return any(one is not other and self.shares(one, other) for one, other in pairs)

    def shares(self, one: object, other: object) -> bool:
        """Tell whether two objects have a part in common: then two walks apart see more nodes than one."""
        walker = self.source.walker
        try:
            apart = [len(walker.heap(walker.capture(each)).nodes) for each in (one, other)]
            return len(walker.heap(walker.capture(one, other)).nodes) < sum(apart)
        except UnlikeError:
            return True


def _states_in(seen: object) -> object:
    """Return the states among what was seen of a call: after an answer, or whether an exception left another."""
    if isinstance(seen, list):
        return seen[1:]
    return ["another"] if isinstance(seen, tuple) and seen[1] else []


@dataclass(slots=True)
class Tally:
    """What is known of one operation after the search."""

    outcomes: collections.Counter[Outcome] = field(default_factory=collections.Counter)
    answers: bool = False  # it returned at least once
    changes: bool = False  # it changed an object at least once


class Plan:
    """The calls on one class that the walker makes by itself, what they came to, and the calls that remain."""

    def __init__(self, prepared: Sequence[Prepared]) -> None:
        self.quick = [each for each in prepared if each.is_quick]
        self.rest = [each for each in prepared if not each.is_quick]
        self.calls = tuple(each.call for each in self.quick)
        self.operations = [each.template.operation for each in self.quick]
        self.codes: collections.Counter[tuple[Operation, int]] = collections.Counter()
        self.judged: collections.Counter[tuple[Operation, int, Outcome]] = collections.Counter()

    def enter(self, codes: Sequence[int], judged: Mapping[int, Outcome]) -> None:
        """Count what each call came to; every new state has code 0."""
        self.codes.update(zip(self.operations, [code if code < 0 else 0 for code in codes], strict=True))
        for index, outcome in judged.items():
            self.judged[self.operations[index], min(codes[index], 0), outcome] += 1

    def report(
        self, tallies: Mapping[Operation, Tally], outside: collections.Counter[str], reason: Callable[[int], str]
    ) -> None:
        """Add what was counted to the tallies, once."""
        for (operation, code, outcome), times in self.judged.items():
            outcomes = tallies[operation].outcomes
            outcomes[OUTCOMES.get(code, Outcome.OUTSIDE)] -= times
            outcomes[outcome] += times
        for (operation, code), times in self.codes.items():
            tally = tallies[operation]
            tally.outcomes[OUTCOMES.get(code, Outcome.OUTSIDE)] += times
            tally.answers |= code != heap.RAISED
            tally.changes |= code not in (heap.RAISED, heap.UNCHANGED)
            if code <= heap.OUTSIDE:
                outside[reason(code)] += times
        self.codes.clear()
        self.judged.clear()


class Batch:
    """Calls on one state that the walker makes by itself; only what is new, raised or an object comes back here."""

    def __init__(self, search: Search, number: int, plan: Plan) -> None:
        self.search = search
        self.number = number
        self.plan = plan
        self.calls = plan.quick
        self.judged: dict[int, Outcome] = {}  # outcomes that the walker cannot know

    def run(self) -> bool:
        """Make the calls; False if the state cannot be made from its bytes, or a call did not return."""
        search = self.search
        seconds = search.check_time()
        captured = None if search.faithful else search.captured[self.number]
        if not search.faithful and captured is None:
            return False
        search.guard.begin_call(search, -1)
        search.running = search.batching = search.batched = True
        try:
            codes = search.walker.expand(
                search.store,
                self.number,
                captured,
                self.plan.calls,
                found=self.found,
                raised=self.raised,
                returned=self.returned,
            )
        except HangError:
            search.check_time()
            return False  # once more, call by call
        finally:
            search.running = search.batching = False
        self.hear()
        if codes is None:
            return False
        self.plan.enter(codes, self.judged)
        search.count_calls(len(codes), seconds)
        return True

    def hear(self) -> None:
        """Make calls again that failed among the others, if any printed: now each can be heard alone."""
        search = self.search
        unheard, search.unheard = search.unheard, []
        if not unheard or not search.guard.printed():
            return
        for error, prepared, numbers in unheard:
            search.attempt(Bench(search, numbers), prepared, silent=True)
            error.output = search.guard.printed()

    def found(self, index: int, key: bytes, roots: list[Any]) -> int:
        """Keep a new state if its invariant holds."""
        search, prepared = self.search, self.calls[index]
        if not search.holds(prepared, [self.number], roots[0]):
            self.judged[index] = Outcome.ERROR  # whatever the result is
            return heap.REFUSED
        return search.keep(key, [self.number], Invocation(prepared.number, (), ((0, 0),)), roots)

    def raised(self, index: int, error: BaseException, changed: bool, roots: list[Any]) -> None:
        """Judge an exception."""
        if isinstance(error, HangError):
            raise error
        search = self.search
        if changed:
            changed = search.walker.walk(*roots) != search.store.state(self.number)
        outcome, _ = search.judge_exception(self.calls[index], [self.number], roots[0], error, changed=changed)
        self.judged[index] = outcome

    def returned(self, index: int, result: object, roots: list[Any]) -> None:
        """Look at a result that is no plain value: it may be an object found."""
        search = self.search
        if not search.counts_as_object(type(result)) or result is roots[0]:
            return
        bench = Bench.around(search, self.number, roots)
        found, roles = bench.with_result(result)
        search.note_ties(self.calls[index], len(found) > 1)
        outcome = search.discover_with(bench, self.calls[index], found, roles, [], silent=False)
        if outcome in (Outcome.NEW, Outcome.ERROR):
            self.judged[index] = best([outcome, self.judged.get(index, outcome)])


OUTCOMES = {
    0: Outcome.NEW,
    heap.UNCHANGED: Outcome.KNOWN,
    heap.KNOWN: Outcome.KNOWN,
    heap.RAISED: Outcome.ERROR,
    heap.REFUSED: Outcome.ERROR,
}


def joint_numbers(search: Search, template: Template, total: int) -> Iterator[list[int]]:
    """Yield the states for a call that needs several objects, which took so many calls together.

    What is passed is passed alone, where it counts alone; the receiver may come with objects it shares parts with, so
    that what the call does to them is seen.
    """
    wanted = template.wanted
    for lengths in compositions(total, len(wanted)):
        pools = [search.states_of(cls, length) for cls, length in zip(wanted, lengths, strict=True)]
        for place in range(template.operation.has_receiver, len(pools)):
            pools[place] = [each for each in pools[place] if search.counts(search.classes[each], search.roots[each])]
        yield from map(list, itertools.product(*pools))


def plain_data(search: Search, number: int) -> heap.Heap:
    """Return a state as plain data: all that it holds, or all that is compared where the rest cannot be seen."""
    captured = search.key(number) if search.faithful else search.captured[number]
    if captured is not None:
        return search.walker.heap(captured)
    return heap.compared_heap(search.walker, search.key(number))


def compositions(total: int, parts: int) -> Iterator[tuple[int, ...]]:
    """Yield the ways to write the total as so many numbers of at least 1."""
    if parts == 1:
        if total >= 1:
            yield (total,)
        return
    for first in range(1, total - parts + 2):
        for rest in compositions(total - first, parts - 1):
            yield (first, *rest)


def best(outcomes: Sequence[Outcome]) -> Outcome:
    """Return what a call came to, given what its objects came to."""
    for outcome in (Outcome.ERROR, Outcome.NEW, Outcome.KNOWN, Outcome.OUTSIDE):
        if outcome in outcomes:
            return outcome
    return Outcome.KNOWN
