"""Objects that hide their state in C: what tells them apart, and that they are made again, and put back."""

import functools
import hashlib
import io
import logging
import queue
import random
import tempfile
import threading
import types
import weakref
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from unlike.heap.numbered_names import remarks_of
from unlike.heap.walkers import make_walker
from unlike.scope import Limits, Outside


class Holder:
    def __init__(self, held: object) -> None:
        self.held = held


class Kept:
    def __init__(self, number: int) -> None:
        self.number = number


FIRST, SECOND = Kept(1), Kept(2)  # living: weak containers hold them no longer than that


def locked(lock: Any, times: int) -> Any:
    for _ in range(times):
        lock.acquire()
    return lock


def filled(made: Any, add: str, *values: Any) -> Any:
    for value in values:
        getattr(made, add)(*value)
    return made


def cached() -> Any:
    return functools.lru_cache(maxsize=3)(lambda number: number + 1)


# pairs in different states, and how to tell them apart by public behaviour
DIFFERENT: dict[str, tuple[Callable[[], Any], Callable[[], Any], Callable[[Any], object]]] = {
    "lock": (threading.Lock, lambda: locked(threading.Lock(), 1), lambda it: it.locked()),
    "rlock": (
        lambda: locked(threading.RLock(), 1),
        lambda: locked(threading.RLock(), 2),
        lambda it: repr(it).split(" at ")[0],
    ),
    "event": (threading.Event, lambda: filled(threading.Event(), "set", ()), lambda it: it.is_set()),
    "semaphore": (lambda: threading.Semaphore(1), lambda: threading.Semaphore(2), lambda it: it._value),
    "queue": (queue.Queue, lambda: filled(queue.Queue(), "put", (1,)), lambda it: it.qsize()),
    "simple queue": (
        lambda: filled(queue.SimpleQueue(), "put", (1,), (2,)),
        lambda: filled(queue.SimpleQueue(), "put", (2,), (1,)),
        lambda it: [it.get() for _ in range(it.qsize())],
    ),
    "local": (threading.local, lambda: filled(threading.local(), "__setattr__", ("a", 1)), lambda it: dict(vars(it))),
    "bytes": (lambda: io.BytesIO(b"ab"), lambda: filled(io.BytesIO(b"ab"), "read", (1,)), lambda it: it.read()),
    "closed": (io.BytesIO, lambda: filled(io.BytesIO(), "close", ()), lambda it: it.closed),
    "view": (lambda: {1: 2}.keys(), lambda: {1: 2}.values(), list),
    "proxy": (lambda: types.MappingProxyType({1: 2}), lambda: types.MappingProxyType({1: 3}), dict),
}


@pytest.mark.parametrize("name", DIFFERENT)
def test_what_a_hidden_state_tells_apart_and_gives_back(implementation: Any, name: str) -> None:
    one, other, ask = DIFFERENT[name]
    walker = make_walker(Limits(), implementation=implementation)

    assert walker.walk(Holder(one())) == walker.walk(Holder(one()))
    assert walker.walk(Holder(one())) != walker.walk(Holder(other()))
    for make in (one, other):
        (made,) = walker.rebuild(walker.capture(Holder(make())))
        assert made.held is not make()
        assert ask(made.held) == ask(make())


@pytest.mark.parametrize(
    ("make", "change"),
    [
        (threading.Lock, lambda it: it.acquire()),
        (lambda: locked(threading.Lock(), 1), lambda it: it.release()),
        (threading.RLock, lambda it: it.acquire()),
        (lambda: locked(threading.RLock(), 2), lambda it: it.release()),
        (lambda: filled(queue.SimpleQueue(), "put", (1,)), lambda it: it.get()),
        (lambda: random.Random(7), lambda it: it.random()),
        (lambda: filled(threading.local(), "__setattr__", ("a", 1)), lambda it: vars(it).clear()),
    ],
)
def test_what_is_hidden_is_put_back(
    implementation: Any, make: Callable[[], Any], change: Callable[[Any], object]
) -> None:
    walker, thing = make_walker(Limits(), implementation=implementation), Holder(make())
    before, snapshot = walker.walk(thing), walker.snapshot(thing)
    assert not snapshot.changed()

    change(thing.held)

    assert snapshot.changed()
    assert snapshot.restore()
    assert walker.walk(thing) == before
    assert not snapshot.changed()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (weakref.WeakValueDictionary({1: FIRST}), weakref.WeakValueDictionary({1: SECOND})),
        (weakref.WeakKeyDictionary({FIRST: 1}), weakref.WeakKeyDictionary({FIRST: 2})),
        (weakref.WeakSet([FIRST]), weakref.WeakSet([FIRST, SECOND])),
        (weakref.ref(FIRST), weakref.ref(FIRST, id)),
    ],
    ids=lambda it: type(it).__name__,
)
def test_weak_containers_are_what_lives_in_them(implementation: Any, one: Any, other: Any) -> None:
    walker = make_walker(Limits(), implementation=implementation)
    roots = FIRST, SECOND

    first, second = (walker.capture(*roots, Holder(each)) for each in (one, other))

    assert first != second
    for captured in (first, second):
        made = walker.rebuild(captured)
        assert walker.capture(*made) == captured
        assert made[0] is not FIRST


def test_a_weak_container_forgets_who_dies(implementation: Any) -> None:
    walker = make_walker(Limits(), implementation=implementation)
    living = Kept(1)
    held = weakref.WeakValueDictionary({1: living})
    full = walker.walk(living, held)

    del living

    assert walker.walk(held) == walker.walk(weakref.WeakValueDictionary())
    assert full != walker.walk(held)


def test_random_generators_are_not_compared_and_give_the_same_numbers_again(implementation: Any) -> None:
    walker = make_walker(Limits(), implementation=implementation)
    thing = Holder(random.Random(3))
    state, numbers = walker.walk(thing), random.Random(3)

    assert walker.walk(Holder(random.Random(4))) == state
    expected = [numbers.random() for _ in range(3)]
    for _ in range(2):
        (made,) = walker.rebuild(state)
        assert [made.held.random() for _ in range(3)] == expected
    assert remarks_of(walker, [state]) == [
        "random generators are not compared: each gives the numbers that it gave at first"
    ]


def test_a_random_generator_that_is_explored_is_compared(implementation: Any) -> None:
    walker = make_walker(Limits(explored=(random.Random,)), implementation=implementation)

    assert walker.walk(random.Random(3)) == walker.walk(random.Random(3))
    assert walker.walk(random.Random(3)) != walker.walk(random.Random(4))
    (made,) = walker.rebuild(walker.capture(random.Random(3)))
    assert made.random() == random.Random(3).random()


def test_a_cache_of_functools_is_emptied_and_not_compared(implementation: Any) -> None:
    walker, thing = make_walker(Limits(), implementation=implementation), Holder(cached())
    state, snapshot = walker.walk(thing), walker.snapshot(thing)

    thing.held(1)

    assert walker.walk(thing) == state
    assert snapshot.changed()
    assert snapshot.restore()
    assert thing.held.cache_info().currsize == 0
    (made,) = walker.rebuild(state)
    assert made.held(1) == 2
    assert made.held.cache_parameters() == {"maxsize": 3, "typed": False}


@functools.cache
def known_by_name(number: int) -> int:
    return number


def test_a_cached_function_of_a_module_stays_itself(implementation: Any) -> None:
    walker = make_walker(Limits(), implementation=implementation)

    (made,) = walker.rebuild(walker.capture(Holder(known_by_name)))

    assert made.held is known_by_name


def test_a_logger_stays_itself_whatever_it_is_set_to(implementation: Any) -> None:
    walker = make_walker(Limits(objects=1), implementation=implementation)
    logger = logging.getLogger("tests.heap.test_special")
    state = walker.walk(Holder(logger))

    logger.setLevel("ERROR")

    assert walker.walk(Holder(logger)) == state
    assert walker.rebuild(state)[0].held is logger
    assert walker.walk(Holder(logging.getLogger())) != state


def test_a_file_is_told_apart_by_mode_place_and_content(implementation: Any) -> None:
    walker = make_walker(Limits(), implementation=implementation)
    with tempfile.TemporaryFile() as one, tempfile.TemporaryFile() as other:
        empty = walker.walk(Holder(one))
        assert walker.walk(Holder(other)) == empty
        one.write(b"a")
        written = walker.walk(Holder(one))
        one.seek(0)
        assert len({empty, written, walker.walk(Holder(one))}) == 3
        other.write(b"a")
        assert walker.walk(Holder(other)) == written
    assert walker.walk(Holder(one)) == walker.walk(Holder(other))


def test_a_hash_is_told_apart_by_its_digest(implementation: Any) -> None:
    walker = make_walker(Limits(), implementation=implementation)

    states = [walker.walk(Holder(hashlib.sha256(text))) for text in (b"a", b"a", b"b")]

    assert states[0] == states[1] != states[2]
    assert remarks_of(walker, states[:1]) == ["HASH is compared by its digest"]


# -- what is kept inside ---------------------------------------------------------------------------


def test_a_length_that_is_kept_counts_like_an_object(implementation: Any) -> None:
    limits = Limits(objects=2, elements=2, kept={("list", 4): 1, ("tuple", 3): 1})
    walker = make_walker(limits, implementation=implementation)
    cell = [1, 2, 3, 4]

    assert isinstance(walker.walk(Holder([cell, (1, 2, 3)])), bytes)
    assert walker.walk(Holder([[0] * 3])) == Outside("a list of 3 elements, of at most 2")
    assert walker.walk((1, 2, 3, 4)) == Outside("a tuple of 4 elements, of at most 2")
    assert isinstance(walker.walk([cell, [cell, list(cell)]], list(cell)), bytes)
    # one that was there from the start, and two beside it
    assert walker.walk([cell, [list(cell), list(cell)]], list(cell)) == Outside("4 objects of class list, of at most 3")


class Point(NamedTuple):
    a: int
    b: int
    c: int


class Noted(Point):
    """One with an instance dictionary."""


@pytest.mark.parametrize("cls", [Point, Noted])
def test_a_named_tuple_is_never_too_long(implementation: Any, cls: type[Point]) -> None:
    walker = make_walker(Limits(elements=1), implementation=implementation)

    (made,) = walker.rebuild(walker.capture(cls(1, 2, 3)))

    assert isinstance(walker.walk(cls(1, 2, 3)), bytes)
    assert (type(made), made) == (cls, cls(1, 2, 3))
    assert walker.walk((1, 2, 3)) == Outside("a tuple of 3 elements, of at most 1")


def test_objects_that_are_kept_come_beside_the_bound(implementation: Any) -> None:
    name = f"{Kept.__module__}:{Kept.__qualname__}"
    walker = make_walker(Limits(objects=1, kept={(name, 0): 2}), implementation=implementation)

    assert isinstance(walker.walk([Kept(0), Kept(1), Kept(2)]), bytes)
    assert walker.walk([Kept(0), Kept(1), Kept(2), Kept(3)]) == Outside("4 objects of class Kept, of at most 3")
