"""The compiled walk and the Python walk: the same bytes for the same graphs, met in the same order."""

import collections
import random
import weakref
from typing import Any

import pytest

from unlike.heap.walkers import make_walker, native_is_built
from unlike.scope import Limits, Outside

pytestmark = pytest.mark.skipif(not native_is_built(), reason="the compiled walk is not built")


class Plain:
    def __init__(self, **fields: Any) -> None:
        vars(self).update(fields)


class Slots:
    __slots__ = ("a", "b")


class Mixed(Slots):
    pass


class Other(Mixed):
    __slots__ = ("c",)


class Guarded:
    """Every way to ask it is booby-trapped."""

    def __getattribute__(self, name: str) -> object:
        raise AssertionError(name)

    def __eq__(self, other: object) -> bool:
        raise AssertionError

    def __hash__(self) -> int:
        return 7

    @property
    def secret(self) -> object:
        raise RuntimeError


class Shadowed:
    """A property of the same name as an entry of the instance dictionary."""

    @property
    def a(self) -> object:
        raise RuntimeError


def grown(rng: random.Random, size: int) -> Any:
    """Return a random graph of about so many nodes: all kinds, shared and cyclic, some fields gone again."""
    pool: list[Any] = [None, True, 5, -3, 100, 2**70, 1.5, "a", b"b", int, len]
    makers = [Plain, Slots, Mixed, Other, Guarded, Shadowed, list, dict, set, collections.deque, dict]
    for _ in range(size):
        made = rng.choice(makers)()
        parts = [rng.choice(pool) for _ in range(rng.randrange(4))]
        kind = type(made)  # never isinstance: it asks the object
        if kind in (list, collections.deque):
            made.extend(parts)
        elif kind is dict:
            made.update((rng.choice(["k", 1, (1, "x")]), part) for part in parts)
        elif kind is set:
            made.update(part for part in parts if type(part) in (int, str, float))
        else:
            fill(rng, made, parts)
        pool += [made, (made, rng.choice(pool)), weakref.ref(made)] if kind is Plain else [made]
    return pool[-1]


def fill(rng: random.Random, made: Any, parts: list[Any]) -> None:
    if type(made) is Slots:
        for name, part in zip("ab", parts, strict=False):
            setattr(made, name, part)
        return
    fields = object.__getattribute__(made, "__dict__")
    for part in parts:
        fields[rng.choice("abcd")] = part
    if fields and rng.random() < 0.3:
        del fields[next(iter(fields))]


@pytest.mark.parametrize(
    "limits",
    [Limits(), Limits(objects=3, elements=2), Limits(omit="b|c"), Limits(dict_order=False)],
    ids=["none", "small", "omitting", "unordered"],
)
def test_random_graphs_have_the_same_bytes(limits: Limits) -> None:
    rng = random.Random(5)
    python, native = (make_walker(limits, implementation=name) for name in ("python", "native"))  # type: ignore[arg-type]
    answers = collections.Counter[type]()
    for _ in range(400):
        graph = grown(rng, rng.randrange(1, 12))

        walked, captured = python.walk(graph), python.capture(graph)

        assert native.walk(graph) == walked
        assert native.capture(graph) == captured
        assert native.walk(*native.rebuild(captured)) == walked
        assert python.capture(*native.rebuild(captured)) == captured
        answers[type(walked)] += 1
    assert answers[bytes] > 20
    assert answers[Outside] > 20 or limits.objects is None


def test_random_changes_are_seen_alike_and_put_back_alike() -> None:
    rng = random.Random(6)
    python, native = (make_walker(Limits(), implementation=name) for name in ("python", "native"))  # type: ignore[arg-type]
    for _ in range(200):
        graph = Plain(inner=grown(rng, rng.randrange(1, 12)), mixed=Mixed(), items=[1])
        before = python.capture(graph), native.capture(graph)  # each numbers new names when it first reads them
        snapshots = [walker.snapshot(graph) for walker in (python, native)]
        for _ in range(rng.randrange(3)):
            change(rng, graph)

        assert snapshots[0].changed() == snapshots[1].changed()
        assert rng.choice(snapshots).restore()
        assert not any(snapshot.changed() for snapshot in snapshots)
        assert (python.capture(graph), native.capture(graph)) == before


def change(rng: random.Random, graph: Any) -> None:
    actions = [
        lambda: setattr(graph, rng.choice("abc"), rng.choice([1, [], graph])),
        lambda: graph.items.append(graph),
        lambda: vars(graph).pop("mixed", None),
        lambda: setattr(graph, "mixed", vars(graph).pop("mixed", None)),
        lambda: setattr(graph, "__dict__", dict(vars(graph))),
        lambda: setattr(graph, "__class__", Child),
    ]
    rng.choice(actions)()


class Child(Plain):
    pass


def test_attributes_past_a_property_are_state_and_come_back() -> None:
    native = make_walker(Limits(), implementation="native")
    thing = Shadowed()
    vars(thing)["a"] = 1
    state = native.capture(thing)
    assert native.capture(thing) == state  # the second time by the compiled walk

    (again,) = native.rebuild(state)
    snapshot = native.snapshot(again)
    vars(again)["a"] = 2

    assert snapshot.changed()
    assert snapshot.restore()
    assert vars(again) == {"a": 1}


@pytest.mark.parametrize("bad", [b"", b"\xff", b"\x01", b"\x01\x00", b"\x01\x00\x01\x85", bytes(range(256))])
def test_bytes_that_are_no_state_are_refused_and_harm_nobody(bad: bytes) -> None:
    native = make_walker(Limits(), implementation="native")
    native.capture(Plain(a=1))

    with pytest.raises((ValueError, IndexError, KeyError, TypeError, AssertionError)):
        native.rebuild(bad)
    with pytest.raises(TypeError, match="bytes"):
        native.rebuild("text")  # type: ignore[arg-type]


def test_a_walk_within_a_walk_is_answered_by_the_twin() -> None:
    answers: list[object] = []

    class Nosy(collections.deque):  # type: ignore[type-arg]
        @property
        def maxlen(self) -> None:  # type: ignore[override]
            answers.append(native.walk([1, 2]))

    native = make_walker(Limits(), implementation="native")
    expected = native.walk([1, 2])
    for _ in range(3):
        native.walk([Nosy([1])])

    assert answers
    assert set(answers) == {expected}
