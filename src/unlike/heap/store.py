"""The states known so far, a graph remembered so that it can be put back, and how one state leads to the next.

A state is its exact bytes, numbered in order of arrival, with the state and call it came from. A snapshot compares by
identity, so no `__eq__` of the user's runs: an unchanged graph needs no walk, and only what was touched is put back.
`expand` makes calls on one known state, each from that state, and says what each came to.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from unlike.heap.fields import ABSENT, Values
from unlike.heap.layout import Node, RecordLayout
from unlike.heap.numbered_names import Table
from unlike.heap.plain import Code, Entry, Groups, has_all
from unlike.scope import Outside
from unlike.shared_names import get_trace, put_names_back, set_trace

if TYPE_CHECKING:
    from unlike.heap.walkers import PythonWalker

UNCHANGED, KNOWN, RAISED, REFUSED, OUTSIDE = -1, -2, -3, -4, -5  # what a call came to, unless it is a new state
NEW = 0  # one that was added, where nobody asks for its number

Found = Callable[[int, bytes, list[Any]], int]
Raised = Callable[[int, BaseException, bool, list[Any]], object]
Returned = Callable[[int, object, list[Any]], object]

PLAIN = frozenset({type(None), bool, int, float, str, bytes})


class StateStore:
    """The known states, numbered in order of arrival, each with the state and call it came from.

    A state without a parent has parent -1.
    """

    __slots__ = ("_calls", "_numbers", "_parents", "_states")

    def __init__(self) -> None:
        self._numbers: dict[bytes, int] = {}
        self._states: list[bytes] = []
        self._parents = array("q")
        self._calls = array("q")

    def add(self, state: bytes, parent: int = -1, call: int = -1) -> int:
        """Return the number of a state that is new, or -1 if it is known."""
        number = len(self._states)
        if self._numbers.setdefault(state, number) != number:
            return -1
        self._states.append(state)
        self._parents.append(parent)
        self._calls.append(call)
        return number

    def find(self, state: bytes) -> int:
        """Return the number of a known state, or -1."""
        return self._numbers.get(state, -1)

    def state(self, number: int) -> bytes:
        """Return the bytes of a state."""
        return self._states[number]

    def origin(self, number: int) -> tuple[int, int]:
        """Return the parent and the call that first led to the state."""
        return self._parents[number], self._calls[number]

    def __len__(self) -> int:
        return len(self._states)


States: TypeAlias = StateStore  # this one, or the compiled one, which has the same methods


class Snapshot:
    """What every object that the roots reach held when it was taken; the compiled one has the same methods."""

    __slots__ = ("_groups", "_others", "_table", "_touched")

    def __init__(self, table: Table, roots: Sequence[object], groups: Groups | None = None) -> None:
        """Look at the graph, unless its objects are given with their values, in groups that have code of their own."""
        self._table = table
        self._touched: tuple[Groups, list[_Other]] | None = None
        self._others: list[_Other] = []
        self._groups = self._looked_at(roots) if groups is None else groups

    def _looked_at(self, roots: Sequence[object]) -> Groups:
        groups: dict[type, tuple[Code, list[Entry]]] = {}
        queue: list[Any] = []
        seen: set[int] = set()
        for root in roots:
            self._reach(root, queue, seen)
        for thing in queue:  # grows while we walk
            layout = self._table.pinned.get(id(thing)) or self._table.layout(type(thing))
            assert isinstance(layout, Node)
            values, code = layout.read(thing), layout.code
            if code is not None and has_all(code, values):
                groups.setdefault(layout.cls, (code, []))[1].append((thing, *values))
            else:
                self._others.append(_Other(thing, layout, values))
            for value in values:
                self._reach(value, queue, seen)
        return [*groups.values()]

    def _reach(self, value: object, queue: list[Any], seen: set[int]) -> None:
        cls = type(value)
        if cls is int or cls is bool or value is None or value is ABSENT:
            return
        layout = self._table.by_class.get(cls) or self._table.layout(cls)
        if layout.is_node:
            if id(value) not in seen:
                seen.add(id(value))
                queue.append(value)
        elif isinstance(layout, RecordLayout):
            for part in layout.parts(value):
                self._reach(part, queue, seen)

    def things(self) -> list[Any]:
        """Return all objects of the graph."""
        return [*(entry[0] for _, entries in self._groups for entry in entries), *(each.thing for each in self._others)]

    def changed(self) -> bool:
        """Tell whether any object holds something else than before."""
        touched: Groups = []
        for code, entries in self._groups:
            if found := code.touched(entries):
                touched.append((code, found))
        others = [other for other in self._others if other.differs()] if self._others else []
        self._touched = touched, others
        return bool(touched or others)

    def restore(self) -> bool:
        """Put back what was touched; False if some object cannot be put back and the graph must be made again.

        Looks only at what the last `changed` found, if that was asked since the last `restore`.
        """
        if self._touched is None:
            self.changed()
        touched, others = self._touched or ([], [])
        self._touched = None
        if others and not all(other.layout.restorable for other in others):
            return False
        for code, entries in touched:
            for entry in entries:
                code.put_back(entry)
        if others:
            late = [other for other in reversed(others) if other.layout.hashes]  # a key's hash may need its fields
            early = [other for other in others if not other.layout.hashes]
            return all(other.put_back() for other in (*early, *late))
        return True


class _Other:
    """One object that is read and written in the general way, and what it held."""

    __slots__ = ("cls", "ids", "layout", "thing", "values")

    def __init__(self, thing: Any, layout: Node, values: Values) -> None:
        self.thing, self.cls, self.layout, self.values = thing, type(thing), layout, values
        self.ids = [*map(id, values)]

    def differs(self) -> bool:
        """Tell whether it holds something else now."""
        return type(self.thing) is not self.cls or [*map(id, self.layout.read(self.thing))] != self.ids

    def put_back(self) -> bool:
        """Give it its class and its values; tell whether it holds them: a set may refuse some."""
        if type(self.thing) is not self.cls:
            object.__setattr__(self.thing, "__class__", self.cls)
        self.layout.write(self.thing, self.values)
        if not self.layout.unordered:
            return True
        values = self.layout.read(self.thing)  # filled again, it may be iterated in another order: that is no change
        ids = [*map(id, values)]
        if sorted(ids) != sorted(self.ids):
            return False
        self.values, self.ids = values, ids
        return True


# -- from one state to the next --------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class WalkerCall:
    """A method of the first root, by name, or a function; called with the (other) roots, then these arguments."""

    target: str | Callable[..., object]
    args: tuple[Any, ...] = ()
    kwargs: tuple[tuple[str, Any], ...] = ()

    def run(self, roots: Sequence[Any]) -> object:
        """Make the call on the roots."""
        others, named, trace = roots[1:], dict(self.kwargs), get_trace()
        try:
            if type(self.target) is str:
                return getattr(roots[0], self.target)(*others, *self.args, **named)
            return self.target(*roots, *self.args, **named)  # type: ignore[operator]
        finally:
            if get_trace() is not trace:  # before any function of ours is called: it would be traced
                set_trace(trace)
            put_names_back()


def expand(
    walker: PythonWalker,
    states: States,
    parent: int,
    captured: bytes | None,
    calls: tuple[WalkerCall, ...],
    *,
    found: Found | None = None,
    raised: Raised | None = None,
    returned: Returned | None = None,
) -> list[int] | None:
    """Make the calls on a known state, each from that state, and return what each came to.

    That is the number of a new state, or UNCHANGED, KNOWN, RAISED, REFUSED, or OUTSIDE - n, where the walker's `reason`
    of that code says why; or None for all, if the state cannot be made again from its bytes.

    `captured` are the bytes to make the state from, if they are not those of the state. A new state is added with
    parent and call; with `found(call, state, roots)`, that function adds it and returns NEW or its number, or REFUSED.
    `raised(call, error, changed, roots)` sees every exception, `returned(call, result, roots)` every result that is
    no plain value; all before the graph is put back. KeyboardInterrupt is never caught.
    """
    bench = _fill_bench(walker, states.state(parent), captured)
    if bench is None:
        return None

    def attempt(number: int, call: WalkerCall) -> int:
        try:
            result = call.run(bench.roots)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # the code under test may raise anything
            changed = bench.compare()
            if raised is not None:
                raised(number, error, changed, bench.roots)
            return RAISED
        outcome = _look_up(bench, states, (parent, number), found) if bench.compare() else UNCHANGED
        if returned is not None and type(result) not in PLAIN:
            returned(number, result, bench.roots)
        return outcome

    outcomes = []
    for number, call in enumerate(calls):
        outcomes.append(attempt(number, call))
        if found or raised or returned:
            bench.compare()  # a callback had the graph in hands
        if bench.dirty:
            bench.reset()
    return outcomes


def _fill_bench(walker: PythonWalker, state: bytes, captured: bytes | None) -> _Bench | None:
    """Return a bench with the state on it, if it can be made again from its bytes."""
    bench = _Bench(walker, state if captured is None else captured)
    try:
        return bench if bench.fill() or walker.walk(*bench.roots) == state else None
    except Exception:  # a `__hash__` or `__setstate__` of the user's may refuse
        return None


def _look_up(bench: _Bench, states: States, origin: tuple[int, int], found: Found | None) -> int:
    """Return what the graph has become: a state that is new, known or outside; `origin` is its parent and call."""
    state = bench.walker.walk(*bench.roots)
    if isinstance(state, Outside):
        return OUTSIDE - bench.walker.reason_number(state.reason)
    if found is not None:
        return KNOWN if states.find(state) >= 0 else found(origin[1], state, bench.roots)
    new = states.add(state, *origin)
    return KNOWN if new < 0 else new


class _Bench:
    """The graph that calls are made on, put back after each."""

    roots: list[Any]
    snapshot: Snapshot

    def __init__(self, walker: PythonWalker, captured: bytes) -> None:
        self.walker = walker
        self.captured = captured
        self.dirty = False

    def fill(self) -> bool:
        """Make the graph anew and remember it; tell whether it certainly has its state."""
        self.roots, self.snapshot, exact = self.walker.remake(self.captured)
        return exact

    def compare(self) -> bool:
        """Tell whether the graph differs from what is remembered."""
        self.dirty = self.snapshot.changed()
        return self.dirty

    def reset(self) -> None:
        """Put the graph back, or make it again where that is not possible."""
        try:
            restored = self.snapshot.restore()
        except Exception:  # a `__hash__` of the user's refused
            restored = False
        if not restored:
            self.fill()
        self.dirty = False
