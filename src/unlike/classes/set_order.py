"""Does a call depend on the order in which sets are gone through? That order is visible, and no part of a state.

The call is made twice on objects whose sets go forwards and backwards. Where it leads to other states, order counts.
"""

from __future__ import annotations

import contextlib
import functools
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from unlike.classes.evidence import HangError
from unlike.classes.public import may_copy_sets
from unlike.heap.numbered_names import share_functions
from unlike.heap.rebuild import Heap, HeapNode, RecordValue
from unlike.heap.walkers import Walker, make_walker
from unlike.scope import Limits

if TYPE_CHECKING:
    from unlike.classes.api import Template
    from unlike.classes.caller import ObjectCaller
    from unlike.classes.under_test import CodeUnderTest
    from unlike.classes.workbench import ReadyCall, Workbench

MOST_PROBED = 40  # groups of objects on which calls are made both ways
MOST_LOOKED_AT = 2_000  # states that are looked at for sets
SETS = (set, frozenset)
# with the same hash in every run, so that a set of them goes the same way in every run
STEADY = (int, float, bool, complex, *([type(None)] if sys.version_info >= (3, 12) else []))
SORTED = (int, float, str, bytes)
MAKERS = (
    *("copy", "union", "intersection", "difference", "symmetric_difference"),
    *("__or__", "__and__", "__sub__", "__xor__", "__ror__", "__rand__", "__rsub__", "__rxor__"),
)


class _Way:
    """Which way sets go now, and whether one of several members was gone through."""

    backwards = False
    was_asked = False


def _members(members: Iterator[Any]) -> Iterator[Any]:
    found = list(members)
    if len(found) > 1:
        _Way.was_asked = True
        if len({*map(type, found)}) == 1 and type(found[0]) in SORTED:
            found.sort()
    return reversed(found) if _Way.backwards else iter(found)


class ProbedSet(set[Any]):
    """A set that goes the way it is told."""

    __slots__ = ()

    def __iter__(self) -> Iterator[Any]:
        return _members(set.__iter__(self))

    def pop(self) -> Any:
        """Remove the first, whichever that is now."""
        for each in self:
            set.remove(self, each)
            return each
        raise KeyError("pop from an empty set")

    def __repr__(self) -> str:
        return f"{{{', '.join(map(repr, self))}}}" if self else "set()"


class ProbedFrozenset(frozenset[Any]):
    """A frozenset that goes the way it is told."""

    __slots__ = ()

    def __iter__(self) -> Iterator[Any]:
        return _members(frozenset.__iter__(self))

    def __repr__(self) -> str:
        return f"frozenset({{{', '.join(map(repr, self))}}})" if self else "frozenset()"


def _stay_probed(kind: type[Any], base: type[Any], name: str) -> None:
    """Let what is made of such a set go the way it is told, too: Python would make a plain set."""
    plain = getattr(base, name)

    @functools.wraps(plain)
    def make(self: Any, *others: Any) -> Any:
        made = plain(self, *others)
        return kind(made) if isinstance(made, SETS) else made

    setattr(kind, name, make)


for _name in MAKERS:
    _stay_probed(ProbedSet, set, _name)
    _stay_probed(ProbedFrozenset, frozenset, _name)


def has_sets(value: Any) -> bool:
    """Tell whether a state, or an argument, holds a set of several members."""
    match value:
        case Heap():
            return any(map(has_sets, (*value.roots, *value.nodes)))
        case HeapNode(cls=cls, content=content):
            is_set = issubclass(cls, SETS) and len(content) > 1
            return is_set or any(map(has_sets, (*(each for _, each in value.fields), *content)))
        case RecordValue(cls=cls, parts=parts):
            return (issubclass(cls, SETS) and len(parts) > 1) or any(map(has_sets, parts))
        case set() | frozenset():
            return len(value) > 1
        case list() | tuple():
            return any(map(has_sets, value))
        case dict():
            return any(map(has_sets, value.values()))
    return False


def passes_texts(templates: Iterable[Template]) -> bool:
    """Tell whether texts are passed in any call."""
    return any(_has_text(each) for call in templates for each in (*call.args, *(value for _, value in call.kwargs)))


def _has_text(value: Any) -> bool:
    if type(value) is dict:
        return any(map(_has_text, (*value, *value.values())))
    return any(map(_has_text, value)) if type(value) in (list, tuple, *SETS) else isinstance(value, str | bytes)


def is_steady(value: Any) -> bool:
    """Tell whether the sets in a state, or in an argument, go the same way in every run."""
    match value:
        case Heap():
            return all(map(is_steady, value.nodes))
        case HeapNode(cls=cls, content=content):
            members = all(map(_has_steady_hash, content)) if issubclass(cls, SETS) else True
            return members and all(map(is_steady, (*(each for _, each in value.fields), *content)))
        case RecordValue(cls=cls, parts=parts):
            members = all(map(_has_steady_hash, parts)) if issubclass(cls, SETS) else True
            return members and all(map(is_steady, parts))
        case set() | frozenset():
            return all(map(_has_steady_hash, value))
    return True


def _has_steady_hash(member: Any) -> bool:
    match member:
        case tuple():
            return all(map(_has_steady_hash, member))
        case RecordValue(cls=cls, parts=parts):
            return issubclass(cls, (tuple, frozenset, complex, float, bool)) and all(map(_has_steady_hash, parts))
    return type(member) in STEADY


class OrderProbe:
    """Makes calls both ways, with a walker of its own."""

    def __init__(self, code: CodeUnderTest) -> None:
        self.code, self.left, self.looks = code, MOST_PROBED, MOST_LOOKED_AT
        self.takes_sets = any(has_sets(_arguments(each)) for each in code.calls)
        self.copies_sets = any(map(may_copy_sets, code.api.classes))
        self.walker: Walker | None = None

    @property
    def is_needed(self) -> bool:
        """Whether any set was met so far, and there is anything left to try."""
        if not self.left or self.takes_sets:
            return bool(self.left)
        return any(issubclass(cls, SETS) for cls in self.code.classes_met())

    def awaits(self, caller: ObjectCaller, number: int) -> bool:
        """Tell whether calls on a state are still to be tried, which the walker cannot do by itself."""
        if not self.is_needed:
            return False
        if not self.looks:
            caller.evidence.untried_sets = True
            return False
        self.looks -= 1
        captured = caller.frontier.whole(number)
        return self.takes_sets or captured is None or has_sets(self.code.walker.heap(captured))

    def try_calls(self, caller: ObjectCaller, bench: Workbench, calls: Sequence[ReadyCall]) -> None:
        """Note the calls that lead to other states where sets go another way."""
        evidence, marks = caller.evidence, caller.marks
        if not self.is_needed:
            return
        heaps = self.heaps_of(bench.roots, calls)
        evidence.untried_sets |= heaps is None
        if not heaps:
            return
        self.left -= 1
        # a set copied from another has an order that no probe is asked for, and two ways are not all
        evidence.untried_sets |= not self.left or self.copies_sets
        held = any(map(has_sets, heaps))
        for call in calls:
            title = call.template.operation.title
            if title in evidence.unsteady or not (held or has_sets(_arguments(call))):
                continue
            caller.check_time()
            if marks.begin_call(call.number) is not None:
                continue
            try:
                tried = self.try_both(caller, heaps, call)
            finally:
                marks.end_call()
            evidence.untried_sets |= tried is None
            differs, was_asked = tried or (False, False)
            if was_asked:
                evidence.through_sets.setdefault(title)
            if differs:
                noted = evidence.by_order if held else evidence.by_passed
                noted[title] = noted.get(title, True) and self.is_steady(heaps, call)

    def heaps_of(self, roots: Sequence[Sequence[Any]], calls: Sequence[ReadyCall]) -> list[Heap] | None:
        """Return the states as plain data, if it matters for them or for the calls how sets go; None if unknown."""
        walker = self.code.walker
        try:
            found = [walker.heap(walker.capture(*each)) for each in roots]
        except Exception:  # what cannot be seen is not looked at
            return None
        return found if any(map(has_sets, found)) or any(has_sets(_arguments(each)) for each in calls) else []

    def make_probed(self, heaps: Sequence[Heap]) -> list[list[Any]] | None:
        """Return new objects in these states with sets that go the way they are told; None if they cannot be made."""
        if self.walker is None:
            pinned = self.code.walker.twin.tables[-1].pinned.values()  # the states know them by their numbers
            self.walker = make_walker(Limits(), [each.thing for each in pinned], "python")
        share_functions(self.code.walker, self.walker)
        try:
            return [self.walker.made_of(_with_probes(each)) for each in heaps]
        except Exception:  # making them again runs their own code, which may refuse a set that is not quite one
            return None

    def try_both(self, caller: ObjectCaller, heaps: Sequence[Heap], call: ReadyCall) -> tuple[bool, bool] | None:
        """Tell whether a call leads to other states where sets go the other way, and whether it goes through any.

        None if that cannot be tried.
        """
        template = call.template
        _Way.was_asked, seen = False, []
        try:
            for _Way.backwards in (False, True):
                made = self.make_probed(heaps)
                if made is None:
                    return None
                self.code.fixtures.restore()
                args = tuple(map(_with_probes, template.args))
                kwargs = tuple((name, _with_probes(each)) for name, each in template.kwargs)
                ready = replace(call, template=replace(template, args=args, kwargs=kwargs))
                seen.append(self.states_after(caller, ready, made))
        finally:
            _Way.backwards = False
            self.code.fixtures.restore()
        if seen == [None, None]:
            return None
        return seen[0] != seen[1], _Way.was_asked or any(map(_has_own_sets, heaps))

    def is_steady(self, heaps: Sequence[Heap], call: ReadyCall) -> bool:
        """Tell whether the sets that a call sees go the same way in every run."""
        return all(map(is_steady, heaps)) and all(map(is_steady, _arguments(call)))

    def states_after(self, caller: ObjectCaller, call: ReadyCall, made: list[list[Any]]) -> list[Any] | None:
        """Make the call, and return the states of its objects afterwards, and of its result if that is one.

        None if they cannot be seen.
        """
        assert self.walker is not None
        caller.probed += 1
        caller.running = True
        try:
            result = call.run([each[0] for each in made])
            if isinstance(result, tuple(self.code.api.classes)):
                made = [*made, [result]]
        except HangError:
            return None
        except Exception:  # the code under test may raise anything
            result = None
        finally:
            caller.running = False
        way, _Way.backwards = _Way.backwards, False
        asked, found = _Way.was_asked, None
        with contextlib.suppress(Exception):  # what cannot be seen is not compared
            found = [self.walker.walk(*each) for each in made]
        _Way.backwards, _Way.was_asked = way, asked
        return found


def _has_own_sets(heap: Heap) -> bool:
    """Tell whether a state holds a set of a class of its own: it cannot be told which way to go."""
    return any(issubclass(each.cls, SETS) and each.cls not in SETS and len(each.content) > 1 for each in heap.nodes)


def _arguments(call: ReadyCall) -> list[Any]:
    return [*call.template.args, *(each for _, each in call.template.kwargs)]


def _with_probes(value: Any) -> Any:
    """Return a state, or an argument, with sets that go the way they are told."""
    match value:
        case Heap():
            return replace(
                value, roots=tuple(map(_with_probes, value.roots)), nodes=tuple(map(_with_probes, value.nodes))
            )
        case HeapNode(cls=cls, pin=pin):
            fields = tuple((name, _with_probes(each)) for name, each in value.fields)
            kind = ProbedSet if cls is set and pin is None else cls
            content = _as_it_goes(value.content) if kind is ProbedSet else value.content
            return replace(value, cls=kind, fields=fields, content=tuple(map(_with_probes, content)))
        case RecordValue(cls=cls):
            kind = ProbedFrozenset if cls is frozenset else cls
            parts = _as_it_goes(value.parts) if kind is ProbedFrozenset else value.parts
            return replace(value, cls=kind, parts=tuple(map(_with_probes, parts)))
    if type(value) in (list, tuple):
        return type(value)(map(_with_probes, value))
    if type(value) not in SETS:
        return value
    return (ProbedSet if type(value) is set else ProbedFrozenset)(_as_it_goes(value))


def _as_it_goes(members: Iterable[Any]) -> list[Any]:
    """Return members in the order in which to put them in: `set(other)` copies the table, and asks nobody for an order.

    Members that cannot be sorted stay as they are, for backwards through a table made backwards is forwards.
    """
    found = list(members)
    if len({*map(type, found)}) == 1 and type(found[0]) in SORTED:
        found.sort(reverse=_Way.backwards)
    return found
