"""Expanding a known state: every call from the same state, what each came to, and the graph as it was."""

import gc
import sys
import weakref
from typing import Any

import pytest
from examples.structures.binary_search_tree import BinarySearchTree
from examples.structures.node_caching_linked_list import NodeCachingLinkedList
from examples.structures.red_black_tree import RedBlackTree

from unlike.core import Implementation
from unlike.heap.store import KNOWN, OUTSIDE, RAISED, REFUSED, UNCHANGED, WalkerCall
from unlike.heap.walkers import make_store, make_walker
from unlike.scope import Limits


class Pile:
    """Does a little of everything that a class can do to itself."""

    def __init__(self) -> None:
        self.items: list[Any] = []

    def push(self, item: object, *, twice: bool = False) -> int:
        self.items.extend([item] * (1 + twice))
        return len(self.items)

    def look(self) -> int:
        return len(self.items)

    def view(self) -> "View":
        return View(self)

    def replace_by_equal(self) -> None:
        self.items = list(self.items)

    def push_and_fail(self, item: object) -> None:
        self.items.append(item)
        raise ValueError(item)

    def leave(self) -> None:
        raise SystemExit(1)

    def interrupt(self) -> None:
        self.items.append(1)
        raise KeyboardInterrupt


class View:
    def __init__(self, pile: Pile) -> None:
        self.pile = pile


class Workshop:
    """A walker, a store and the first state."""

    def __init__(self, thing: object, implementation: Implementation, **limits: Any) -> None:
        self.walker = make_walker(Limits(**limits), implementation=implementation)
        self.states = make_store(implementation)
        first = self.walker.walk(thing)
        assert isinstance(first, bytes)
        self.states.add(first)

    def expand(self, *calls: WalkerCall, parent: int = 0, **watchers: Any) -> list[int] | None:
        return self.walker.expand(self.states, parent, None, calls, **watchers)

    def explore(self, *calls: WalkerCall) -> list[list[int] | None]:
        outcomes = []
        while len(outcomes) < len(self.states):
            outcomes.append(self.walker.expand(self.states, len(outcomes), None, calls))
        return outcomes


def calls_of(cls: type, scope: int) -> tuple[WalkerCall, ...]:
    methods = {
        NodeCachingLinkedList: ("add_last", "remove_index"),
        BinarySearchTree: ("insert",),
        RedBlackTree: ("add", "remove"),
    }
    return tuple(WalkerCall(name, (value,)) for name in methods[cls] for value in range(scope))


def test_each_outcome_has_its_code(implementation: Implementation) -> None:
    shop = Workshop(Pile(), implementation, elements=1)

    outcomes = shop.expand(
        WalkerCall("push", (1,)),
        WalkerCall("push", (1,)),
        WalkerCall("look"),
        WalkerCall("replace_by_equal"),
        WalkerCall("push_and_fail", (1,)),
        WalkerCall("leave"),
        WalkerCall("push", (1,), (("twice", True),)),
        WalkerCall(lambda pile, item: pile.items.append(item), (2,)),
    )

    assert outcomes == [1, KNOWN, UNCHANGED, KNOWN, RAISED, RAISED, OUTSIDE, 2]
    assert shop.walker.reason(OUTSIDE) == "a list of 2 elements, of at most 1"
    assert [shop.states.origin(number) for number in (1, 2)] == [(0, 0), (0, 7)]


def test_looking_at_a_set_that_was_put_back_is_no_change(implementation: Implementation) -> None:
    pile = Pile()
    pile.items = {3, 11}  # type: ignore[assignment]  # which changes its order each time it is filled in its order
    shop = Workshop(pile, implementation)
    add, look = WalkerCall(lambda pile: pile.items.add(4)), WalkerCall("look")

    outcomes = shop.expand(look, add, look, add, look)

    assert outcomes == [UNCHANGED, 1, UNCHANGED, KNOWN, UNCHANGED]


def test_watchers_see_the_graph_as_the_call_left_it(implementation: Implementation) -> None:
    shop = Workshop(Pile(), implementation)
    seen: list[Any] = []

    def found(call: int, state: bytes, roots: list[Any]) -> int:
        seen.append(("found", call, list(roots[0].items)))
        return shop.states.add(state, 0, call) if roots[0].items == [1] else REFUSED

    def raised(call: int, error: BaseException, changed: bool, roots: list[Any]) -> None:
        seen.append(("raised", call, type(error), changed, list(roots[0].items), error.__traceback__ is not None))

    def returned(call: int, result: Any, roots: list[Any]) -> None:
        seen.append(("returned", call, type(result), result.pile is roots[0]))

    outcomes = shop.expand(
        WalkerCall("push", (1,)),
        WalkerCall("push", (2,)),
        WalkerCall("push_and_fail", (3,)),
        WalkerCall("leave"),
        WalkerCall("view"),
        found=found,
        raised=raised,
        returned=returned,
    )

    assert outcomes == [1, REFUSED, RAISED, RAISED, UNCHANGED]
    assert seen == [
        ("found", 0, [1]),
        ("found", 1, [2]),
        ("raised", 2, ValueError, True, [3], True),
        ("raised", 3, SystemExit, False, [], True),
        ("returned", 4, View, True),
    ]
    assert len(shop.states) == 2


def test_what_a_watcher_changes_is_put_back_too(implementation: Implementation) -> None:
    shop = Workshop(Pile(), implementation)

    outcomes = shop.expand(
        WalkerCall("look"),
        WalkerCall("view"),
        WalkerCall("push", (1,)),
        returned=lambda _call, _result, roots: roots[0].items.append(9),
    )

    assert outcomes == [UNCHANGED, UNCHANGED, 1]


def test_an_interrupt_is_never_swallowed(implementation: Implementation) -> None:
    shop = Workshop(Pile(), implementation)

    with pytest.raises(KeyboardInterrupt):
        shop.expand(WalkerCall("push", (1,)), WalkerCall("interrupt"), WalkerCall("push", (2,)))

    assert shop.expand(WalkerCall("push", (2,))) == [2]  # and the walker is as good as before


def test_an_exception_of_a_watcher_comes_through(implementation: Implementation) -> None:
    shop = Workshop(Pile(), implementation)

    def refuse(*_: object) -> int:
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        shop.expand(WalkerCall("push", (1,)), found=refuse)
    assert shop.expand(WalkerCall("look")) == [UNCHANGED]


class Mood:
    """An element that can be made to refuse its hash."""

    willing = True

    def __init__(self, number: int) -> None:
        self.number = number

    def __hash__(self) -> int:
        if not self.willing:
            raise RuntimeError("not now")
        return 1

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Mood) and other.number == self.number


class Registry:
    def __init__(self) -> None:
        self.known = {Mood(1): 1}

    def forget(self) -> None:
        self.known.clear()


def test_a_state_that_cannot_be_made_from_its_bytes_is_none_and_no_error(
    implementation: Implementation, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop = Workshop(Registry(), implementation)
    assert shop.expand(WalkerCall("forget")) == [1]

    monkeypatch.setattr(Mood, "willing", False)

    assert shop.expand(WalkerCall("forget")) is None


@pytest.mark.parametrize(
    ("cls", "scope", "count"),
    # as published for two other tools
    [(NodeCachingLinkedList, 4, 112), (BinarySearchTree, 6, 731), (RedBlackTree, 6, 197)],
)
def test_both_walks_find_the_same_states_in_the_same_order(cls: type, scope: int, count: int) -> None:
    shops = [Workshop(cls(), name, objects=scope) for name in ("python", "auto")]  # type: ignore[arg-type]

    outcomes = [shop.explore(*calls_of(cls, scope)) for shop in shops]

    assert len(shops[0].states) == count
    assert outcomes[0] == outcomes[1]
    for number in range(count):
        assert shops[0].states.state(number) == shops[1].states.state(number)
        assert shops[0].states.origin(number) == shops[1].states.origin(number)


def test_a_graph_that_others_hold_is_left_whole(implementation: Implementation) -> None:
    shop = Workshop(BinarySearchTree(), implementation)
    kept: list[Any] = []
    shop.expand(WalkerCall("insert", (1,)))

    shop.expand(WalkerCall(kept.append), parent=1)

    assert kept[0].to_list() == [1]


class Closing:
    """Its finalizer needs its fields."""

    closed: list[object] = []  # noqa: RUF012

    def __init__(self) -> None:
        self.me = self
        self.name = "x"

    def rename(self, name: str) -> None:
        self.name = name

    def __del__(self) -> None:
        self.closed.append((self.name, self.me is self))


def test_a_finalizer_finds_its_object_whole(implementation: Implementation) -> None:
    shop = Workshop(Closing(), implementation)
    gc.collect()
    Closing.closed.clear()

    shop.expand(WalkerCall("rename", ("y",)), WalkerCall("rename", ("x",)))
    gc.collect()

    assert Closing.closed == [("x", True)]


def test_nothing_is_held_after_the_loop(implementation: Implementation) -> None:
    alive: list[weakref.ref[Any]] = []
    shop = Workshop(RedBlackTree(), implementation)
    calls = (*calls_of(RedBlackTree, 4), WalkerCall(lambda tree: alive.append(weakref.ref(tree))))

    for parent in range(20):
        shop.expand(*calls, parent=parent)
    del calls
    gc.collect()

    assert len(alive) == 20
    assert [each() for each in alive] == [None] * 20


def test_a_loop_over_many_states_leaks_neither_objects_nor_references(implementation: Implementation) -> None:
    shared, failing = object(), WalkerCall("push_and_fail", (1000,))
    shop = Workshop(Pile(), implementation, elements=2)
    calls = (
        WalkerCall("push", (type(shared),)),
        WalkerCall("push", ("text",)),
        WalkerCall("look"),
        WalkerCall("view"),
        failing,
        WalkerCall("leave"),
    )

    def loop(times: int) -> None:
        for _ in range(times):
            shop.walker.expand(shop.states, 0, None, calls)
            pile = shop.walker.rebuild(shop.states.state(0))[0]
            snapshot = shop.walker.snapshot(pile)
            pile.push("text")
            shop.walker.walk(pile)
            shop.walker.walk([Pile()] * 3)
            snapshot.restore()

    loop(20)
    gc.collect()
    before = [sys.getrefcount(each) for each in (None, True, Pile, "text", calls, calls[0])], len(gc.get_objects())
    loop(300)
    gc.collect()
    after = [sys.getrefcount(each) for each in (None, True, Pile, "text", calls, calls[0])], len(gc.get_objects())

    assert max(abs(a - b) for a, b in zip(before[0], after[0], strict=True)) < 50
    assert abs(after[1] - before[1]) < 50
