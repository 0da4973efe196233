"""Snapshots: nothing changed, or exactly what changed is put back."""

import collections
import copy
import random
from typing import Any

import pytest

from unlike.core import Implementation
from unlike.heap.walkers import Walker, make_walker
from unlike.scope import Limits


class Box:
    def __init__(self, **fields: Any) -> None:
        self.__dict__.update(fields)

    def __eq__(self, other: object) -> bool:
        raise AssertionError("a snapshot never compares")

    __hash__ = None  # type: ignore[assignment]


class Slotted:
    __slots__ = ("a", "b")


class Keyed:
    """Hashed by a field: it must be put back before the dict that holds it."""

    def __init__(self, key: int) -> None:
        self.key = key

    def __hash__(self) -> int:
        return hash(self.key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Keyed) and other.key == self.key


class Bag(list):  # type: ignore[type-arg]
    pass


@pytest.fixture
def walker(implementation: Implementation) -> Walker:
    return make_walker(Limits(), implementation=implementation)


def everything() -> Box:
    slotted = Slotted()
    slotted.a = [1]
    bag = Bag([1, 2])
    bag.extra = {1: [2]}
    thing = Box(
        items=[1, 2],
        index={"a": 1, "b": [2]},
        tags={1, 2},
        queue=collections.deque([1, 2], 5),
        raw=bytearray(b"ab"),
        slotted=slotted,
        bag=bag,
        defaults=collections.defaultdict(list, {1: [1]}),
        ordered=collections.OrderedDict(a=1, b=2),
        pair=(1, [2]),
        keyed={Keyed(1): 1, Keyed(2): 2},
        inner=Box(x=1),
    )
    thing.me = thing
    return thing


CHANGES = {
    "a new attribute": lambda it: setattr(it, "new", 1),
    "an attribute gone": lambda it: delattr(it, "items"),
    "an attribute replaced by an equal one": lambda it: setattr(it, "items", [1, 2]),
    "an item more": lambda it: it.items.append(3),
    "an item less": lambda it: it.items.pop(0),
    "items reversed": lambda it: it.items.reverse(),
    "a key more": lambda it: it.index.update(c=3),
    "a key moved to the end": lambda it: it.index.update(a=it.index.pop("a")),
    "a key of a field changed": lambda it: setattr(next(iter(it.keyed)), "key", 9),
    "keys dropped and a key's field changed": lambda it: (setattr(next(iter(it.keyed)), "key", 9), it.keyed.clear()),
    "a member more": lambda it: it.tags.add(3),
    "a member less": lambda it: it.tags.discard(1),
    "the deque turned": lambda it: it.queue.rotate(1),
    "a byte changed": lambda it: it.raw.append(1),
    "a slot filled": lambda it: setattr(it.slotted, "b", 1),
    "a slot emptied": lambda it: delattr(it.slotted, "a"),
    "a field of a list": lambda it: setattr(it.bag, "extra", None),
    "the content of a list with fields": lambda it: it.bag.clear(),
    "a default made": lambda it: it.defaults[7].append(1),
    "a factory replaced": lambda it: setattr(it.defaults, "default_factory", None),
    "an ordered dict turned": lambda it: it.ordered.move_to_end("a"),
    "deep inside a tuple": lambda it: it.pair[1].append(3),
    "the class": lambda it: setattr(it.inner, "__class__", Keyed),
    "the whole dictionary": lambda it: setattr(it.inner, "__dict__", {"x": 2}),
    "attributes in another order": lambda it: setattr(it.inner, "x", vars(it.inner).pop("x") + 1),
    "a value equal but not the same": lambda it: setattr(it.inner, "x", 1.0),
}


def test_an_untouched_graph_has_not_changed(walker: Walker) -> None:
    thing = everything()
    snapshot = walker.snapshot(thing)

    str(thing.items), thing.index.get("a"), list(thing.tags)

    assert not snapshot.changed()
    assert snapshot.restore()


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_is_seen_and_put_back_in_place(walker: Walker, change: str) -> None:
    thing = everything()
    parts = dict(vars(thing))
    before = walker.walk(thing)
    snapshot = walker.snapshot(thing)

    CHANGES[change](thing)

    assert snapshot.changed()
    assert (walker.walk(thing) == before) == (change == "an attribute replaced by an equal one")
    assert snapshot.restore()
    assert walker.walk(thing) == before
    assert all(vars(thing)[name] is part for name, part in parts.items())
    assert not snapshot.changed()


class Fickle:
    """Equal to all of its kind, as long as it is told so."""

    alike = False

    def __hash__(self) -> int:
        return 1

    def __eq__(self, other: object) -> bool:
        return self is other or Fickle.alike


def test_a_set_that_does_not_take_back_what_it_held_is_not_put_back(
    walker: Walker, monkeypatch: pytest.MonkeyPatch
) -> None:
    thing = Tagged()
    thing.tags = {Fickle(), Fickle()}  # type: ignore[arg-type]
    snapshot = walker.snapshot(thing)

    thing.tags.clear()
    monkeypatch.setattr(Fickle, "alike", True)

    assert snapshot.changed()
    assert not snapshot.restore()


class Words(set[int]):
    """A set with a field."""


class Tagged:
    tags: set[int]


@pytest.mark.parametrize("cls", [set, Words])
def test_a_set_that_was_put_back_has_not_changed_whatever_the_order_of_its_members(
    walker: Walker, cls: type[set[int]]
) -> None:
    thing = Tagged()
    thing.tags = cls((0, 1, 8))
    thing.tags.discard(0)
    assert [*thing.tags] == [1, 8]
    assert [*cls(thing.tags)] == [8, 1]  # as it is filled again
    snapshot = walker.snapshot(thing)

    for _ in range(3):
        thing.tags.add(5)
        assert snapshot.changed()
        assert snapshot.restore()

        assert not snapshot.changed()
        assert thing.tags == {1, 8}


def test_many_changes_at_once_are_put_back_without_asking_first(walker: Walker) -> None:
    rng = random.Random(2)
    thing = everything()
    before = walker.walk(thing)
    snapshot = walker.snapshot(thing)
    harmful = (
        "an attribute gone",
        "a slot emptied",
        "the class",
        "a factory replaced",
        "keys dropped and a key's field changed",
    )
    harmless = [change for name, change in CHANGES.items() if name not in harmful]
    for _ in range(200):
        for change in rng.sample(harmless, 3):
            change(thing)
        if rng.random() < 0.5:
            snapshot.changed()

        assert snapshot.restore()
        assert walker.walk(thing) == before


def test_a_graph_with_a_moved_iterator_must_be_made_again(walker: Walker) -> None:
    thing = Box(place=iter([1, 2, 3]))
    snapshot = walker.snapshot(thing)

    next(thing.place)

    assert snapshot.changed()
    assert not snapshot.restore()


def test_a_rebuilt_graph_behaves_like_the_original(walker: Walker) -> None:
    thing = everything()

    (again,) = walker.rebuild(walker.capture(thing))

    assert again.me is again
    assert again.keyed[Keyed(2)] == 2
    assert again.queue.maxlen == 5
    assert again.defaults["new"] == []
    again.ordered.move_to_end("a")
    assert list(again.ordered) == ["b", "a"]
    assert walker.walk(thing) == walker.walk(everything())


class Walk:
    """A random program over a few fields, for the agreement of undo, rebuild and deepcopy."""

    def __init__(self) -> None:
        self.items: list[Any] = []
        self.index: dict[Any, Any] = {}
        self.tags: set[int] = set()

    def step(self, rng: random.Random) -> None:
        value = rng.randrange(4)
        actions = [
            lambda: self.items.append(value),
            lambda: self.items.append(self.items),
            lambda: self.items and self.items.pop(),
            lambda: self.index.__setitem__(value, [self, self.tags]),
            lambda: self.index.pop(value, None),
            lambda: self.tags.add(value),
            lambda: setattr(self, f"field{value}", self.index),
            lambda: vars(self).pop(f"field{value}", None),
        ]
        rng.choice(actions)()


def test_undo_rebuild_and_deepcopy_agree_on_random_programs(walker: Walker) -> None:
    rng = random.Random(3)
    for _ in range(150):
        thing = Walk()
        for _ in range(rng.randrange(12)):
            thing.step(rng)
        copied = copy.deepcopy(thing)
        state = walker.walk(thing)
        assert walker.walk(copied) == state

        snapshot = walker.snapshot(thing)
        for _ in range(rng.randrange(4)):
            thing.step(rng)
        changed = snapshot.changed()

        assert changed or walker.walk(thing) == state
        assert snapshot.restore()
        assert walker.walk(thing) == state
        (again,) = walker.rebuild(walker.capture(thing))
        assert walker.walk(again) == state
