"""Canonical bytes: equal exactly for graphs that are equal up to identity."""

import array
import collections
import copy
import dataclasses
import datetime
import decimal
import enum
import functools
import itertools
import random
import re
import threading
import types
import weakref
import zlib
from typing import Any, NamedTuple

import attrs
import pytest

from unlike.core import Implementation
from unlike.errors import ScopeError, UnlikeError, with_article
from unlike.heap.walkers import Walker, make_store, make_walker, native_is_built
from unlike.scope import Limits, Outside


class Box:
    """An object with whatever fields it is given."""

    def __init__(self, **fields: Any) -> None:
        self.__dict__.update(fields)


class Slotted:
    __slots__ = ("a", "b")


class Both(Slotted):
    """Slots from the base, a dictionary of its own."""


class Colour(enum.Enum):
    RED = 1
    GREEN = 2


class Point(NamedTuple):
    x: Any
    y: Any


@dataclasses.dataclass(frozen=True, slots=True)
class Frozen:
    value: object


@attrs.define
class Attrs:
    value: object
    other: object = None


class Bag(list):  # type: ignore[type-arg]
    pass


class Length(int):
    """A number with fields."""


class PlainLength(int):
    __slots__ = ()


class Equal:
    """Equal to everything of its class; the walk must not care."""

    def __init__(self, inner: object = None) -> None:
        self.inner = inner

    def __eq__(self, other: object) -> bool:
        raise AssertionError("a walk never compares")

    def __hash__(self) -> int:
        return 1


class Touchy:
    """Attribute access, properties and length are booby-trapped."""

    def __init__(self) -> None:
        object.__setattr__(self, "inner", [1])

    def __getattribute__(self, name: str) -> object:
        raise AssertionError("a walk never asks the object")

    def __len__(self) -> int:
        raise AssertionError("nor for its length")

    @property
    def broken(self) -> object:
        raise RuntimeError


@pytest.fixture
def walker(implementation: Implementation) -> Walker:
    return make_walker(Limits(), implementation=implementation)


def slotted(a: object = None, **fields: object) -> Slotted:
    made = Slotted()
    made.a = a
    for name, value in fields.items():
        setattr(made, name, value)
    return made


def shared_pair() -> list[Any]:
    inner = [1]
    return [inner, inner]


def ring() -> Box:
    first, second = Box(), Box()
    first.next, second.next = second, first
    return first


def long_ring() -> Box:
    first, second, third, fourth = Box(), Box(), Box(), Box()
    first.next, second.next, third.next, fourth.next = second, third, fourth, first
    return first


# every two of these differ in state
DIFFERENT: list[Any] = [
    None,
    True,
    False,
    0,
    1,
    -17,
    79,
    80,
    2**62,
    2**63,
    -(2**63),
    10**30,
    0.0,
    -0.0,
    1.0,
    float("inf"),
    1j,
    "",
    "1",
    "a",
    b"",
    b"a",
    (),
    (1,),
    (1, (2,)),
    ((1, 2),),
    [],
    [1],
    [1, 2],
    [2, 1],
    [[1], [1]],
    shared_pair(),
    [[[]]],
    {},
    {1: 2},
    {1: 2, 3: 4},
    {3: 4, 1: 2},
    {True: 2},
    {1.0: 2},
    set(),
    {1},
    {1, 2},
    {"a"},
    frozenset(),
    frozenset({1}),
    {frozenset({1})},
    collections.deque(),
    collections.deque([1]),
    collections.deque([1], 3),
    collections.deque([1], 4),
    bytearray(),
    bytearray(b"a"),
    array.array("i"),
    array.array("i", [1]),
    array.array("q", [1]),
    collections.OrderedDict([(1, 2)]),
    collections.defaultdict(list),
    collections.defaultdict(int),
    collections.Counter("aab"),
    Colour.RED,
    Colour.GREEN,
    int,
    str,
    len,
    Box(),
    Box(a=None),
    Box(a=1),
    Box(b=1),
    Box(a=1, b=2),
    Box(a=Box()),
    Slotted(),
    slotted(),
    slotted(1),
    slotted(b=1),
    Both(),
    Point(1, 2),
    Point(2, 1),
    (1, 2),
    Frozen(1),
    Frozen(True),
    Attrs(1),
    Attrs(1, 2),
    Bag(),
    Bag([1]),
    Length(1),
    PlainLength(1),
    PlainLength(2),
    ring(),
    long_ring(),
    Equal(),
    Equal(1),
    {Equal(): 1},
    {Equal(1): 1},
    {Equal(1): 2},
    Box,
    object(),
    datetime.date(2024, 1, 1),
    datetime.datetime(2024, 1, 1),
    datetime.datetime(2024, 1, 1, fold=1),
    decimal.Decimal("1.0"),
    decimal.Decimal("1.00"),
    range(3),
    range(4),
    iter([1, 2]),
    functools.partial(int, 1),
    functools.partial(int, 2),
    types.SimpleNamespace(a=1),
    ValueError(1),
    ValueError(2),
]


def test_different_states_have_different_bytes(walker: Walker) -> None:
    states = [walker.walk(thing) for thing in DIFFERENT]

    clashes = [(a, b) for a, b in itertools.combinations(range(len(states)), 2) if states[a] == states[b]]

    assert [(DIFFERENT[a], DIFFERENT[b]) for a, b in clashes] == []


@pytest.mark.parametrize("thing", DIFFERENT, ids=lambda thing: f"{type(thing).__name__}")
def test_a_rebuilt_graph_has_the_same_bytes_and_new_nodes(walker: Walker, thing: object) -> None:
    state = walker.walk(thing)
    assert isinstance(state, bytes)

    (again,) = walker.rebuild(state)

    assert walker.walk(again) == state
    assert type(again) is type(thing)
    if isinstance(thing, (Box, Slotted, list, dict, set)):
        assert again is not thing


@pytest.mark.parametrize("thing", DIFFERENT, ids=lambda thing: f"{type(thing).__name__}")
def test_a_deep_copy_has_the_same_bytes(walker: Walker, thing: object) -> None:
    assert walker.walk(copy.deepcopy(thing)) == walker.walk(thing)


@pytest.mark.parametrize("thing", DIFFERENT, ids=lambda thing: f"{type(thing).__name__}")
def test_a_state_travels_as_plain_data_to_another_walker(
    walker: Walker, thing: object, implementation: Implementation
) -> None:
    other = make_walker(Limits(), implementation=implementation)
    other.walk([Both(), Box(z=1, a=2), "other things come first here"])
    state = walker.capture(thing)

    travelled = other.capture(*other.made_of(walker.heap(state)))

    assert walker.capture(*walker.made_of(other.heap(travelled))) == state


def test_the_order_of_attributes_does_not_count_but_that_of_a_dict_does(walker: Walker) -> None:
    one, two = Box(a=1, b=2), Box(b=2, a=1)

    assert walker.walk(one) == walker.walk(two)
    assert walker.walk({"a": 1, "b": 2}) != walker.walk({"b": 2, "a": 1})


def test_the_order_of_a_dict_does_not_count_if_told_so(implementation: Implementation) -> None:
    walker = make_walker(Limits(dict_order=False), implementation=implementation)
    forth, back = {"a": [1], "b": [2]}, {"b": [2], "a": [1]}

    assert walker.walk(forth) == walker.walk(back)
    assert walker.walk(forth) != walker.walk({"a": [2], "b": [1]})
    assert [list(each) for each in walker.rebuild(walker.capture(back))] == [["b", "a"]]


def test_several_roots_show_what_they_share(walker: Walker) -> None:
    inner = [1]

    assert walker.walk([inner], [inner]) != walker.walk([[1]], [[1]])
    assert walker.walk([1], 2) == walker.walk([1], 2) != walker.walk([1])


def test_a_deleted_attribute_is_another_state(walker: Walker) -> None:
    thing = Box(a=1, b=2)
    before = walker.walk(thing)

    del thing.a

    assert walker.walk(thing) != before
    assert vars(walker.rebuild(walker.capture(thing))[0]) == {"b": 2}


def test_no_code_of_the_class_runs_during_a_walk(walker: Walker) -> None:
    state = walker.walk(Touchy())

    assert state == walker.walk(Touchy())
    assert walker.capture(*walker.rebuild(walker.capture(Touchy()))) == state


def test_a_change_of_class_is_another_state(walker: Walker) -> None:
    class Other(Box):
        pass

    thing = Box(a=1)
    before = walker.walk(thing)
    thing.__class__ = Other

    assert walker.walk(thing) != before


def test_closures_are_compared_by_what_they_closed_over(walker: Walker) -> None:
    def counter(start: int) -> Any:
        def step() -> int:
            nonlocal start
            start += 1
            return start

        return step

    one, two = counter(0), counter(0)

    assert walker.walk(one) == walker.walk(two) != walker.walk(counter(1))
    two()
    assert walker.walk(one) != walker.walk(two)
    (again,) = walker.rebuild(walker.capture(two))
    assert (again(), two()) == (2, 2)


def test_lambdas_made_again_and_again_are_one_function(walker: Walker) -> None:
    def make() -> Any:
        return Box(key=lambda value: -value)

    assert walker.walk(make()) == walker.walk(make())


def test_bound_methods_and_weak_references_lead_to_their_object(walker: Walker) -> None:
    thing = Box()
    thing.append, thing.me, thing.gone = thing.__dict__.get, weakref.ref(thing), weakref.ref(Box())

    (again,) = walker.rebuild(walker.capture(thing))

    assert again.me() is again
    assert again.gone() is None
    assert again.append.__self__["me"] is again.me


def test_an_iterator_keeps_its_list_and_its_place(walker: Walker) -> None:
    items = [1, 2, 3]
    iterator = iter(items)
    next(iterator)

    again, again_items = walker.rebuild(walker.capture(iterator, items))

    again_items.append(4)
    assert list(again) == [2, 3, 4]


@pytest.mark.parametrize("thing", [(i for i in ()), zlib.compressobj()], ids=lambda it: type(it).__name__)
def test_an_object_that_shows_nothing_is_outside_with_its_class_and_the_remedy(walker: Walker, thing: object) -> None:
    found = walker.walk(Box(inner=thing))

    assert isinstance(found, Outside)
    assert re.search(rf"{type(thing).__name__}.*--omit-fields.*keys=", found.reason)


def test_an_object_that_shows_nothing_is_compared_by_a_given_key(implementation: Implementation) -> None:
    lock = type(threading.Lock())
    walker = make_walker(Limits(keys={lock: lambda it: it.locked()}), implementation=implementation)
    one, two = threading.Lock(), threading.Lock()

    same = walker.walk(Box(lock=one)) == walker.walk(Box(lock=two))
    two.acquire()

    assert same
    assert walker.walk(Box(lock=one)) != walker.walk(Box(lock=two))
    two.release()


# -- sets of objects -------------------------------------------------------------------------------


class Tagged:
    """Hashed by address, as most objects are."""

    def __init__(self, tag: object = None) -> None:
        self.tag = tag
        self.links: set[Tagged] = set()


def graph(size: int, edges: list[tuple[int, int]], order: list[int]) -> set[Tagged]:
    """A set of objects with links, made in the given order, so that addresses differ."""
    nodes = {number: Tagged() for number in order}
    for start, end in edges:
        nodes[start].links.add(nodes[end])
    assert len(nodes) == size
    return set(nodes.values())


def test_a_set_of_objects_has_one_form_whatever_the_addresses(walker: Walker) -> None:
    rng = random.Random(1)
    for _ in range(60):
        size = rng.randrange(1, 5)
        edges = [(a, b) for a in range(size) for b in range(size) if rng.random() < 0.4]
        order = list(range(size))
        forms = set()
        for _ in range(6):
            rng.shuffle(order)
            ballast = [Tagged() for _ in range(rng.randrange(5))]
            forms.add(walker.walk(graph(size, edges, order)))
            del ballast
        assert len(forms) == 1


def test_sets_of_objects_have_equal_bytes_exactly_if_they_are_isomorphic(walker: Walker) -> None:
    size = 3
    pairs = [(a, b) for a in range(size) for b in range(size)]
    forms: dict[object, object] = {}
    for bits in range(2 ** len(pairs)):
        edges = [pair for index, pair in enumerate(pairs) if bits >> index & 1]
        isomorphic = min(tuple(sorted((by[a], by[b]) for a, b in edges)) for by in itertools.permutations(range(size)))
        state = walker.walk(graph(size, edges, list(range(size))))
        assert forms.setdefault(isomorphic, state) == state

    # directed graphs with loops on three nodes, up to isomorphism: 104
    assert len(set(forms.values())) == len(forms) == 104


def test_look_alikes_told_apart_by_another_member_only_have_one_form(walker: Walker) -> None:
    def made(swap: bool) -> Box:
        one, two = Tagged(), Tagged()
        return Box(both={one, two}, first=Box(inner=two if swap else one))

    assert walker.walk(made(False)) == walker.walk(made(True))


def test_many_equal_objects_in_a_set_take_no_factorial_time(walker: Walker) -> None:
    owner = Box()
    owner.parts = {Box(owner=owner) for _ in range(30)}

    assert walker.walk(owner) == walker.walk(copy.deepcopy(owner))


# -- limits ----------------------------------------------------------------------------------------


def chain(length: int) -> Box:
    thing = Box(next=None)
    for _ in range(length - 1):
        thing = Box(next=thing)
    return thing


def test_the_walk_stops_at_the_first_object_too_many(implementation: Implementation) -> None:
    walker = make_walker(Limits(objects=3), implementation=implementation)

    assert isinstance(walker.walk(chain(3)), bytes)
    assert walker.walk(chain(4)) == Outside("4 objects of class Box, of at most 3")
    assert isinstance(walker.capture(chain(4)), bytes)


def test_a_class_may_have_a_limit_of_its_own_by_name(implementation: Implementation) -> None:
    by_name = make_walker(Limits(objects=3, objects_of={"Box": 4}), implementation=implementation)
    by_module = make_walker(Limits(objects_of={f"{__name__}:Box": 2}), implementation=implementation)

    assert isinstance(by_name.walk(chain(4)), bytes)
    assert isinstance(by_name.walk(chain(5)), Outside)
    assert isinstance(by_module.walk(chain(3)), Outside)


@pytest.mark.parametrize(
    "thing",
    [
        [1, 2, 3],
        (1, 2, 3),
        {1, 2, 3},
        {1: 1, 2: 2, 3: 3},
        collections.deque([1, 2, 3]),
        bytearray(3),
        frozenset({1, 2, 3}),
        array.array("b", [1, 2, 3]),
        Bag([1, 2, 3]),
        collections.defaultdict(int, {1: 1, 2: 2, 3: 3}),
    ],
    ids=lambda thing: type(thing).__name__,
)
def test_a_container_may_hold_so_many_elements(thing: Any, implementation: Implementation) -> None:
    enough = make_walker(Limits(elements=3), implementation=implementation)
    too_few = make_walker(Limits(elements=2), implementation=implementation)

    assert isinstance(enough.walk(Box(inner=thing)), bytes)
    assert too_few.walk(Box(inner=thing)) == Outside(
        f"{with_article(type(thing).__name__)} of 3 elements, of at most 2"
    )


def test_omitted_fields_do_not_tell_states_apart_but_are_made_again(implementation: Implementation) -> None:
    walker = make_walker(Limits(omit="version|Slotted.b"), implementation=implementation)

    assert walker.walk(Box(a=1, version=1)) == walker.walk(Box(version=2, a=1)) == walker.walk(Box(a=1))
    assert walker.walk(slotted(1, b=2)) == walker.walk(slotted(1, b=3)) != walker.walk(slotted(2, b=3))
    assert walker.walk(Box(b=1)) != walker.walk(Box(b=2))
    (again,) = walker.rebuild(walker.capture(Box(a=1, version=7)))
    assert vars(again) == {"a": 1, "version": 7}


@pytest.mark.parametrize("bad", [{"objects": 0}, {"elements": -1}, {"objects_of": {"Box": 0}}, {"omit": "("}])
def test_limits_that_mean_nothing_are_refused(bad: dict[str, Any]) -> None:
    with pytest.raises(ScopeError, match=r"must be at least|regular"):
        Limits(**bad)


def test_tuples_within_tuples_without_end_are_outside(walker: Walker) -> None:
    nested: object = ()
    for _ in range(500):
        nested = (nested,)

    assert isinstance(walker.walk(nested), Outside)


# -- pinned objects --------------------------------------------------------------------------------

NIL = Box(parent=None)


def test_a_pinned_object_stays_itself_and_its_content_is_state(implementation: Implementation) -> None:
    walker = make_walker(Limits(objects=1), pinned=[NIL], implementation=implementation)
    tree = Box(left=NIL, right=NIL)
    NIL.parent = None
    plain = walker.walk(tree)
    NIL.parent = tree

    state = walker.capture(tree)
    NIL.parent = None
    (again,) = walker.rebuild(state)

    assert plain != state
    assert again.left is NIL
    assert NIL.parent is again
    NIL.parent = None


def test_asking_for_the_compiled_walker_where_there_is_none_is_one_clear_message(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("unlike.heap.walkers._native", lambda: None)

    assert not native_is_built()
    with pytest.raises(UnlikeError, match="not built"):
        make_walker(Limits(), implementation="native")
    with pytest.raises(UnlikeError, match="not built"):
        make_store("native")
