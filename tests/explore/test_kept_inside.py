"""Two bounds: what is put in, and what a class keeps inside. And locks, queues and caches among what it keeps."""

import functools
import hashlib
import logging
import queue
import random
import struct
import threading
from collections.abc import Callable, Iterable
from typing import Any

import pytest
import specimens

import unlike
from unlike.classes.evidence import Outcome
from unlike.classes.executors import transfer


class Links:
    """Values in a ring of lists that are used as records: previous, next, key, value."""

    def __init__(self) -> None:
        anchor: list[Any] = []
        anchor[:] = [anchor, anchor, None, None]
        self.anchor = anchor
        self.count = 0

    def add(self, value: int) -> None:
        last = self.anchor[0]
        last[1] = self.anchor[0] = [last, self.anchor, self.count, value]
        self.count += 1

    def drop(self) -> int:
        if not self.count:
            raise IndexError
        last = self.anchor[0]
        self.anchor[0] = last[0]
        last[0][1] = self.anchor
        self.count -= 1
        value: int = last[3]
        return value

    def values(self) -> list[int]:
        found, cell = [], self.anchor[1]
        while cell is not self.anchor:
            found.append(cell[3])
            cell = cell[1]
        return found


class Slots:
    """A table of five places that becomes one of ten when it is full."""

    def __init__(self) -> None:
        self.places: list[int | None] = [None] * 5

    def put(self, value: int) -> None:
        if None not in self.places:
            self.places = self.places + [None] * 5
        self.places[self.places.index(None)] = value

    def shown(self) -> list[int | None]:
        return self.places


class Stack:
    """A tuple that grows."""

    def __init__(self) -> None:
        self.items: tuple[int, ...] = ()

    def push(self, value: int) -> None:
        self.items = (*self.items, value)

    def shown(self) -> tuple[int, ...]:
        return self.items


class Boxes:
    """Records of five, and no fewer, in a list that grows."""

    def __init__(self) -> None:
        self.boxes: list[tuple[int, int, int, int, int]] = []

    def add(self, left: int) -> None:
        self.boxes.append((left, 0, 0, 0, 0))

    def shown(self) -> list[tuple[int, ...]]:
        return list(self.boxes)


def behaviours(
    make: Callable[[], Any], moves: dict[str, Iterable[tuple[int, ...]]], show: Callable[[Any], object], length: int
) -> set[str]:
    """Return what can be seen after any sequence of at most so many calls: by running all of them from the start."""
    seen, level = set(), [()]
    for _ in range(length + 1):
        following = []
        for calls in level:
            thing = make()
            try:
                for name, args in calls:
                    getattr(thing, name)(*args)
            except (IndexError, queue.Empty, queue.Full):
                continue
            if (shown := repr(show(thing))) not in seen:
                seen.add(shown)
                following += [(*calls, (name, args)) for name, ways in moves.items() for args in ways]
        level = following
    return seen


ONES = [(0,), (1,), (2,)]


@pytest.mark.parametrize(
    ("cls", "moves", "show", "length"),
    [
        # within scope 3 three objects beside the anchor
        (Links, {"add": ONES, "drop": [()]}, Links.values, 3),
        # five places, in which any values stand; a table of ten is one that grew
        (Slots, {"put": ONES}, Slots.shown, 5),
        (Stack, {"push": ONES}, Stack.shown, 3),
        (Boxes, {"add": ONES}, Boxes.shown, 3),
    ],
    ids=lambda it: it.__name__ if isinstance(it, type) else "",
)
def test_containers_of_fixed_size_are_not_what_is_bounded(cls: type, moves: Any, show: Any, length: int) -> None:
    result = unlike.explore(cls, scope=3, in_process=True, values="concrete")

    seen = [repr(show(case.value)) for case in result.suite]

    assert not result.status.cut_short
    assert sorted(set(seen)) == sorted(behaviours(cls, moves, show, length))
    assert len(seen) == len(set(seen)) == result.states


def test_the_guarantee_says_what_is_kept_inside() -> None:
    links, stack = (unlike.explore(cls, scope=3, values="concrete") for cls in (Links, Stack))

    assert "3 elements, beside what is kept inside (list of 4)" in links.suite.guarantee
    assert "kept inside" not in stack.suite.guarantee
    assert stack.outside == {"a tuple of 4 elements, of at most 3": 81}


class Table:
    """Four parts from the start, of one class, and more when it grows."""

    def __init__(self) -> None:
        self.parts = [Part(), Part(), Part(), Part()]

    def grow(self) -> None:
        self.parts[-1].next = Part()

    def mark(self, number: int) -> None:
        self.parts[0].mark = number


class Part:
    mark = 0
    next: "Part | None" = None


def test_objects_that_every_constructor_makes_are_kept_inside() -> None:
    result = unlike.explore(Table, scope=3)

    assert result.states == 8  # the first part unmarked or 0, 1, 2; the last with another, or without
    assert "beside what is kept inside (list of 4, 4 Part)" in str(result.scope)


def test_a_list_that_the_constructor_lays_out_is_kept_inside() -> None:
    assert unlike.explore(specimens.Wide, scope=3).states == 1


class Ring:
    """As long as it is asked to be: nothing of it is kept."""

    def __init__(self, size: int) -> None:
        self.places = [None] * (2 * size)


def test_a_length_that_the_constructor_chooses_grows() -> None:
    assert unlike.explore(Ring, scope=3).states == 2  # of 0 and 2 places; 4 are too many


# -- locks, and what else waits ----------------------------------------------------------------------


def test_an_event_is_set_or_not() -> None:
    result = unlike.explore(threading.Event, scope=3, methods="set|clear|is_set")

    assert result.states == 2
    assert not result.errors


def test_a_queue_holds_what_was_put_in() -> None:
    moves: Any = {"put_nowait": ONES, "get_nowait": [()]}
    result = unlike.explore(
        queue.LifoQueue, scope=3, methods="put_nowait|get_nowait", in_process=True,
        literals={"LifoQueue.maxsize": [0], "item": [0, 1, 2]}, preconditions=[queue.Empty, queue.Full],
        omit_fields="unfinished_tasks",
    )  # fmt: skip

    seen = {repr(case.value.queue) for case in result.suite}

    assert seen == behaviours(queue.LifoQueue, moves, lambda it: it.queue, 3)
    assert result.states == len(seen) == 40


class Gate:
    """Waits for itself."""

    def __init__(self) -> None:
        self.lock = threading.Lock()

    def enter_twice(self) -> None:
        with self.lock, self.lock:
            pass


def test_a_call_that_waits_for_ever_is_known_at_once() -> None:
    result = unlike.explore(Gate, scope=3, timeout=60)

    assert [(each.failure.exception, each.sequence) for each in result.errors] == [
        ("waits for ever for a lock", "Gate(); enter_twice()")
    ]
    assert result.seconds < 20  # it may take 5 s on other systems, where nobody says what a process waits for


class Signed:
    """Holds what can be compared, and not be made again."""

    def __init__(self) -> None:
        self.digest = hashlib.sha256()
        self.length = 0

    def add(self, number: int) -> None:
        if self.length > 1:
            raise ValueError(number)
        self.digest.update(bytes([number]))
        self.length += 1


def test_what_cannot_be_made_again_is_reached_by_its_calls() -> None:
    result = unlike.explore(Signed, scope=3)

    assert result.states == 1 + 3 + 9
    assert str(result.status).endswith("HASH is compared by its digest")


def test_an_object_in_c_that_shows_nothing_else_is_compared_by_its_attributes() -> None:
    result = unlike.explore(struct.Struct, scope=2, methods="iter_unpack", literals={"fmt": ["b", ">b", "h"]})

    assert result.states == 3
    assert "Struct is compared by the attributes that it shows" in str(result.status)


class Careless:
    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.total = 0

    def add(self, number: int) -> None:
        self.lock.acquire()
        if self.total + number > 2:
            raise ValueError(number)
        self.total += number
        self.lock.release()


def test_a_lock_that_a_call_leaves_held_is_noticed() -> None:
    result = unlike.explore(Careless, scope=3)

    assert [each.failure.reason for each in result.errors] == ["raised and left the object changed"]
    assert result.states == 3
    assert result.outcomes[Outcome.PRECONDITION] == 0


class Guess:
    """Draws, remembers, and tells a logger."""

    def __init__(self) -> None:
        self.chance = random.Random()
        self.log = logging.getLogger("guess")
        self.double = functools.lru_cache(lambda number: 2 * number)
        self.last = 0

    def draw(self) -> int:
        self.log.debug("draws")
        self.last = self.chance.randrange(3)
        return self.last

    def twice(self) -> int:
        return self.double(self.last)


def test_what_is_not_compared_is_said_where_it_is_proved() -> None:
    result = unlike.explore(Guess, scope=3, values="concrete")

    assert 1 <= result.states <= 3  # what was drawn last
    assert not result.unsteady
    for words in ("random generators", "caches of functools", "loggers"):
        assert f"{words} are not compared" in str(result.status)


@unlike.objects(Links, scope=2)
def test_objects_with_more_inside_come_back_from_a_file(it: Any) -> None:
    assert len(it.values()) <= 2


def test_what_is_kept_inside_is_seen_however_often_a_process_reports(monkeypatch: pytest.MonkeyPatch) -> None:
    at_once = unlike.explore(Links, scope=3, values="concrete")
    monkeypatch.setattr(transfer, "EVERY", 0.0)  # as on a slow machine: several reports before a level is over

    often = unlike.explore(Links, scope=3, values="concrete")

    assert often.scope.kept == at_once.scope.kept != {}
    assert often.states == at_once.states


class Shelf:
    """Holds what it is given; explored beside a class that begins with a full one."""

    def __init__(self, items: list[int] | None = None) -> None:
        self.items = [] if items is None else items


class Shop:
    """Begins with five things on a shelf, though shelves may hold any number."""

    def __init__(self) -> None:
        self.shelf = Shelf([0, 1, 2, 0, 1])
        self.open = False

    def turn(self) -> bool:
        self.open = not self.open
        return self.open

    def take(self, shelf: Shelf) -> None:
        self.shelf = shelf


def test_objects_that_begin_with_more_than_the_bound_are_explored_though_it_may_grow_elsewhere() -> None:
    found = unlike.explore(Shop, scope=2, values="concrete", elements=2)

    # a full shelf, or one of the first four that are found; each open or not
    assert found.states == 2 * (1 + 4)
    assert ("list", 5) in found.scope.kept
