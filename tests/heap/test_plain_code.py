"""Code made for a class gives the answers of the general walk, on usual objects and on odd ones."""

import gc
import random
from collections.abc import Callable
from typing import Any

import pytest

from unlike.core import Implementation
from unlike.heap.fields import Fields
from unlike.heap.plain import code_of
from unlike.heap.walkers import make_walker, native_is_built
from unlike.scope import Limits, Outside


class Plain:
    def __init__(self, **fields: Any) -> None:
        vars(self).update(fields)


class Slots:
    __slots__ = ("left", "right", "value")

    def __init__(self, left: object = None, right: object = None, value: object = 0) -> None:
        self.left, self.right, self.value = left, right, value


class Other(Slots):
    __slots__ = ()


class Worded:
    __slots__ = ("class", "lambda")


class Watchful:
    """Every write runs code."""

    def __setattr__(self, name: str, value: object) -> None:
        raise AssertionError("nobody writes by name")


class Hiding:
    """Its dictionary is not what it says."""

    @property
    def __dict__(self) -> dict[str, object]:  # type: ignore[override]
        raise AssertionError("nobody asks")


class Dying:
    """Looks at its fields when it goes."""

    incomplete = 0

    def __init__(self, number: int, text: str) -> None:
        self.number, self.text = number, text

    def __del__(self) -> None:
        Dying.incomplete += vars(self).keys() != {"number", "text"}


class Equal:
    """Is equal to everything, and says so loudly."""

    def __eq__(self, other: object) -> bool:
        raise AssertionError("nobody compares")

    def __hash__(self) -> int:
        raise AssertionError("nobody hashes")


def code(cls: type, *names: str) -> object:
    fields = Fields(cls, Limits(), [])
    if names:
        fields.learn(names)
    return code_of(fields)


def test_code_is_made_where_no_code_of_the_class_can_interfere() -> None:
    assert code(Plain, "a")
    assert code(Slots)
    assert code(Plain, "a b", "\"'{}", "\0", "\udc80")
    assert not code(Plain)  # no fields were seen yet
    assert not code(Worded)  # names that cannot stand in code
    assert not code(Watchful, "a")
    assert not code(Hiding, "a")
    assert not code(Dying, "number", "text")


def test_code_is_in_use_from_the_third_object_on() -> None:
    walker = make_walker(Limits(), implementation="python")

    for cls in (Plain, Slots):
        for number in range(3):
            walker.walk(cls(left=number, right=None))

    assert all(layout.code is not None for layout in walker._whole.layouts if layout.cls in (Plain, Slots))  # type: ignore[attr-defined]


@pytest.mark.parametrize("text", ["", "hello"])
def test_no_object_is_dropped_before_it_has_its_fields(text: str, implementation: Implementation) -> None:
    walker = make_walker(Limits(), implementation=implementation)
    for number in range(4):
        walker.walk(Dying(number, text))
    state = walker.capture(Dying(1, text))  # a text takes more than one byte
    Dying.incomplete = 0

    made = [vars(walker.rebuild(state)[0]) for _ in range(3)]

    gc.collect()
    assert made == [{"number": 1, "text": text}] * 3
    assert Dying.incomplete == 0


CHANGES: dict[str, Callable[[Any], object]] = {
    "a value": lambda it: setattr(it, "a", 2),
    "an equal value of another type": lambda it: setattr(it, "a", True),
    "a field gone": lambda it: delattr(it, "b"),
    "a field renamed, its value kept": lambda it: vars(it).update(z=vars(it).pop("b")),
    "a field more": lambda it: setattr(it, "z", 1),
    "another dictionary": lambda it: setattr(it, "__dict__", {"a": 2, "b": 1}),
    "another class": lambda it: setattr(it, "__class__", Watchful),
    "an object that answers every comparison": lambda it: vars(it).update(a=Equal()),
    "a string": lambda it: setattr(it, "b", "text"),
    "itself": lambda it: setattr(it, "b", it),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_is_seen_written_down_and_put_back(change: str, implementation: Implementation) -> None:
    walker, general = (make_walker(Limits(), implementation=implementation) for _ in range(2))
    things = [Plain(a=1, b=number) for number in range(4)]
    root = Plain(a=things, b=None)
    for _ in range(3):
        before = walker.walk(things[0], root)
    snapshot = walker.snapshot(things[0], root)

    CHANGES[change](things[2])

    assert snapshot.changed()
    after = walker.walk(things[0], root)
    assert after != before
    assert len(after) == len(general.walk(things[0], root))  # type: ignore[arg-type]  # numbered by itself
    assert snapshot.restore()
    assert not snapshot.changed()
    assert walker.walk(things[0], root) == before
    assert vars(things[2]) == {"a": 1, "b": 2}


def test_a_value_that_moves_to_a_neighbour_is_a_change(implementation: Implementation) -> None:
    walker = make_walker(Limits(), implementation=implementation)
    one, two = Plain(a=1, b=2), Plain(c=3)
    for _ in range(3):
        before = walker.walk(one, two)
    snapshot = walker.snapshot(one, two)

    vars(two).update({"b": vars(one).pop("b"), "c": vars(two).pop("c")})

    assert snapshot.changed()
    assert walker.walk(one, two) != before
    assert snapshot.restore()
    assert walker.walk(one, two) == before


def test_a_slot_emptied_and_a_class_changed_come_back(implementation: Implementation) -> None:
    walker = make_walker(Limits(), implementation=implementation)
    thing = Slots(Slots(), Slots(value=2))
    for _ in range(3):
        before = walker.walk(thing)
    snapshot = walker.snapshot(thing)

    del thing.left.value  # type: ignore[attr-defined]
    thing.right.__class__ = Other  # type: ignore[union-attr]

    assert snapshot.changed()
    assert walker.walk(thing) != before
    assert snapshot.restore()
    assert walker.walk(thing) == before
    assert type(thing.right) is Slots


def chain(length: int, kind: type = Slots) -> Any:
    first = last = kind() if kind is Slots else kind(left=None, value=0)
    for number in range(1, length):
        last.left = kind(None, None, number % 100) if kind is Slots else kind(left=None, value=number % 100)
        last = last.left
    return first


@pytest.mark.skipif(not native_is_built(), reason="the compiled walk is not built")
@pytest.mark.parametrize("kind", [Slots, Plain])
def test_many_objects_have_the_bytes_of_the_compiled_walk(kind: type) -> None:
    python, native = (make_walker(Limits(), implementation=name) for name in ("python", "native"))  # type: ignore[arg-type]
    for length in (1, 5, 125, 126, 127, 128, 129, 130, 300):
        roots = [chain(length, kind), kind(), chain(2, kind)]

        state = python.capture(*roots)

        assert native.capture(*roots) == state
        assert python.walk(*python.rebuild(state)) == state
        assert python.capture(*native.rebuild(state)) == state
    many = [kind() for _ in range(130)]
    assert python.capture(*many[:127]) == native.capture(*many[:127])
    assert python.capture(*many) == native.capture(*many)
    assert python.capture(*[1] * 200) == native.capture(*[1] * 200)


def test_one_object_too_many_is_outside_whatever_else_is_there(implementation: Implementation) -> None:
    walker = make_walker(Limits(objects=3), implementation=implementation)
    for _ in range(4):
        assert isinstance(walker.walk(chain(3)), bytes)
        assert isinstance(walker.walk(Plain(a=chain(3), b=Plain(a=1, b=2))), bytes)
        assert walker.walk(chain(4)) == Outside("4 objects of class Slots, of at most 3")
        assert walker.walk(Plain(a=chain(4), b=1)) == Outside("4 objects of class Slots, of at most 3")


def test_random_plain_graphs_come_back_from_their_bytes(implementation: Implementation) -> None:
    rng = random.Random(8)
    walker = make_walker(Limits(), implementation=implementation)
    general = make_walker(Limits(), pinned=[Plain()], implementation="python")  # never takes the short way
    for _ in range(150):
        things: list[Any] = [rng.choice([Slots, Other])() for _ in range(rng.randrange(1, 9))]
        things += [Plain(**dict.fromkeys("abc"[: rng.randrange(4)])) for _ in range(3)]
        for thing in things:
            for name in ("left", "right", "value") if isinstance(thing, Slots) else vars(thing):
                setattr(thing, name, rng.choice([None, True, 7, -9, 300, *things]))
        state, expected = walker.capture(*things), general.capture(*things)

        again = walker.rebuild(state)

        assert walker.capture(*again) == state
        assert general.capture(*again) == expected
