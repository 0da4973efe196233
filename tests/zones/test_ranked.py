"""Strings and floats left open: the same objects, errors and lengths as with chosen values."""

from __future__ import annotations

import enum
import math
import random

import pytest

from unlike.classes.open.choose_values import differences
from unlike.classes.open.result import OpenResult
from unlike.errors import UnlikeError
from unlike.explore import explore
from unlike.zones.open_values import Scale, choose_value, find_scales
from unlike.zones.paths import PathTrie
from unlike.zones.points import Points
from unlike.zones.zone import Zone


class Node:
    def __init__(self, key: str) -> None:
        self.key = key
        self.left: Node | None = None
        self.right: Node | None = None


class Words:
    """A search tree of words."""

    def __init__(self) -> None:
        self.root: Node | None = None

    def add(self, word: str) -> bool:
        if self.root is None:
            self.root = Node(word)
            return True
        node = self.root
        while node.key != word:
            if word < node.key:
                if node.left is None:
                    node.left = Node(word)
                    return True
                node = node.left
            else:
                if node.right is None:
                    node.right = Node(word)
                    return True
                node = node.right
        return False


class Thermometer:
    """Remembers the highest and the last of some temperatures."""

    def __init__(self) -> None:
        self.highest: float | None = None
        self.last = 0.0

    def measure(self, degrees: float) -> None:
        if degrees >= 2:
            raise ValueError(degrees)
        if self.highest is None or degrees > self.highest:
            self.highest = degrees
        self.last = degrees


class Mixed:
    """Numbers and words in one list of pairs; words are looked at closely."""

    def __init__(self) -> None:
        self.pairs: list[tuple[str, int]] = []
        self.title = "none"

    def put(self, word: str, number: int) -> None:
        if len(self.pairs) < 2:
            self.pairs.append((word, number))

    def name(self, word: str) -> None:
        if word == "b":
            self.title = word
        elif len(word) > 5:
            self.title = word.upper()

    def drop(self, word: str) -> None:
        self.pairs = [pair for pair in self.pairs if pair[0] != word]


class Joiner:
    """Gives its words to compiled code, which cannot read a word that is open."""

    def __init__(self) -> None:
        self.text = ""

    def add(self, word: str) -> None:
        if len(self.text) < 2:
            self.text = "".join([self.text, word])


@pytest.mark.parametrize(
    ("cls", "bounds"),
    [
        (Words, {"scope": 4}),
        (Words, {"scope": 3, "literals": {"str": ["", "a", "b", "c", "d"]}}),
        (Thermometer, {"scope": 5}),
        (Thermometer, {"scope": 3, "literals": {"float": [-1.5, -0.0, 0.0, 1.25, math.inf]}}),
        (Mixed, {"scope": 3}),
        (Mixed, {"scope": 2, "literals": {"name.word": ["b", "longer word"], "str": ["a", "b", "c"]}}),
    ],
)
def test_both_ways_find_the_same(cls, bounds):
    chosen_values, opened = (
        explore(cls, **bounds, values=values, in_process=True) for values in ("concrete", "symbolic")
    )

    assert isinstance(opened, OpenResult)
    assert differences(chosen_values, opened) == []
    assert set(opened.all_states()) == set(chosen_values.all_states())
    assert opened.states == chosen_values.states
    assert opened.suite.status == chosen_values.suite.status  # every recipe was replayed


def test_words_are_compared_and_not_chosen():
    result = explore(Words, scope=3, literals={"str": list("abcdefgh")}, values="symbolic")

    # trees of at most three nodes over eight words: 1 + 8 + 2 * 28 + 5 * 56
    assert result.states == 345
    assert result.abstract_states == 9
    assert "abstract state: Words(root=Node(key=a, left=Node(key=b))) where b < a" in result.explanation


def test_constants_on_a_scale_are_shown_as_values():
    result = explore(Mixed, scope=2, literals={"str": ["a", "b", "c"]}, methods="put|name", values="symbolic")

    assert any("title='b'" in str(shape.describe(zone)) for shape in result.shapes for zone in shape.zones)


def test_states_streamed_are_those_of_the_objects():
    result = explore(Mixed, scope=2, values="symbolic")

    for shape in result.shapes:
        states = list(shape.states())
        walker, frontier = result.search.code.walker, result.search.frontier
        assert states == [walker.walk(*frontier.objects_at(shape.number, point)) for point in shape.points]


def test_auto_falls_back_where_compiled_code_reads_words():
    result = explore(Joiner, scope=3)

    assert result.values == "concrete"
    assert "open" in result.why
    with pytest.raises(UnlikeError, match="values cannot be left open"):
        explore(Joiner, scope=3, values="symbolic")


# -- what else may be passed --------------------------------------------------------------------------


class Bag:
    """Things of any kind, each once: only equality is asked."""

    def __init__(self) -> None:
        self.things: list[object] = []

    def add(self, thing: object) -> None:
        if thing not in self.things:
            self.things.append(thing)


class Suit(enum.Enum):
    HEARTS = 1
    SPADES = 2


class Hand:
    """Booleans and enum members beside numbers."""

    def __init__(self) -> None:
        self.cards: list[object] = []

    def take(self, suit: Suit, rank: int, hidden: bool) -> None:
        if not hidden and len(self.cards) < 2:
            self.cards.append((suit, rank))


def test_things_of_any_kind_are_told_apart_by_equality_alone():
    opened = explore(Bag, scope=6, values="symbolic", in_process=True)

    assert opened.states == sum(math.perm(6, n) for n in range(7))
    assert opened.abstract_states == 7
    shape = opened.shapes[4]
    assert str(shape.describe(shape.zones[0])) == "Bag(things=[a, b, c, d]) where a, b, c, d all different"


def test_booleans_and_enum_members_are_passed_one_after_the_other():
    concrete, opened = (explore(Hand, scope=3, values=values, in_process=True) for values in ("concrete", "symbolic"))

    assert differences(concrete, opened) == []
    assert opened.states == 1 + 6 + 36
    assert opened.abstract_states == 1 + 2 + 4


# -- tokens against values ----------------------------------------------------------------------------

OPERATIONS = [
    lambda x, y: x == y,
    lambda x, y: x != y,
    lambda x, y: x < y,
    lambda x, y: x <= y,
    lambda x, y: x > y,
    lambda x, y: x >= y,
    lambda x, y: y < x,
    lambda x, y: bool(x),
    lambda x, y: hash(x) == hash(y),
    lambda x, y: repr(x),
    lambda x, y: f"{x}",
    lambda x, y: {x: 1}.get(y),
    lambda x, y: x in (y, None),
    lambda x, y: x == None,  # noqa: E711
    lambda x, y: x == [1],
    lambda x, y: isinstance(x, type(y)),
    lambda x, y: max(x, y),
    lambda x, y: sorted([y, x]),
]
TEXT = [
    lambda x, y: x + y,
    lambda x, y: "z" + x,
    lambda x, y: x * 2,
    lambda x, y: len(x),
    lambda x, y: x[:1],
    lambda x, y: list(x),
    lambda x, y: "a" in x,
    lambda x, y: x.upper(),
    lambda x, y: "%s!" % x,  # noqa: UP031
    lambda x, y: x.startswith("a"),
]
NUMERIC = [
    lambda x, y: x + y,
    lambda x, y: 1 + x,
    lambda x, y: x / 2,
    lambda x, y: -x,
    lambda x, y: abs(x),
    lambda x, y: int(x),
    lambda x, y: round(x),
    lambda x, y: math.floor(x),
    lambda x, y: x.is_integer(),
    lambda x, y: x == 1,
    lambda x, y: x < 1,
    lambda x, y: x > 0,
    lambda x, y: math.sqrt(abs(x)),
]
POOLS = [
    (["", "a", "ab", "b"], [*OPERATIONS, *TEXT], ["a", "aa", ""]),
    ([-1.5, 0.0, 1.0, 2.5], [*OPERATIONS, *NUMERIC], [1.0, 0.5, 2]),
    ([b"", b"a", b"b"], OPERATIONS, [b"a", b"c"]),
]


def outcome(function, *arguments):
    try:
        result = function(*arguments)
        return [choose_value(each) for each in result] if isinstance(result, list) else choose_value(result)
    except Exception as error:  # the kind of error is the outcome
        return type(error)


@pytest.mark.parametrize(("pool", "operations", "constants"), POOLS, ids=["str", "float", "bytes"])
def test_a_token_does_what_its_value_does(pool, operations, constants):
    scale = find_scales(pool)[type(pool[0])]
    for operation in operations:
        for constant in [None, *constants]:
            x = scale.token(1, scale)
            y = scale.token(2, scale) if constant is None else constant
            zone = Zone.box((0, len(pool) - 1), (0, len(pool) - 1))

            for path in PathTrie(lambda: outcome(operation, x, y)).paths(zone):  # noqa: B023
                for point in _points(path.zone):
                    left, right = (scale.values[rank] for rank in point)
                    expected = outcome(operation, left, right if constant is None else constant)
                    assert path.result == expected
                    assert type(path.result) is type(expected)


def _points(zone):
    return list(Points([zone]))


def test_comparing_does_not_choose():
    scale = Scale(str, "abcdefgh")
    x, y = scale.token(1, scale), scale.token(2, scale)
    zone = Zone.box((0, 7), (0, 7))

    assert len(list(PathTrie(lambda: x < y).paths(zone))) == 2
    assert len(list(PathTrie(lambda: x == y).paths(zone))) == 2
    assert len(list(PathTrie(lambda: x >= "cc").paths(zone))) == 2
    assert len(list(PathTrie(lambda: x == "zz").paths(zone))) == 1
    assert len(list(PathTrie(lambda: x is None or x == 3).paths(zone))) == 1
    assert len(list(PathTrie(lambda: len(x)).paths(zone))) == 8


def test_a_scale_tells_zero_from_negative_zero_and_leaves_out_what_has_no_order():
    scale = find_scales([0.0, 1.0, -0.0, math.nan])[float]

    assert scale.place(-0.0) is None or scale.place(0.0) is None
    assert scale.rank(-0.0) == scale.rank(0.0)
    assert not any(map(math.isnan, scale.values))
    assert find_scales(["a"]) == {}


def test_random_orders_of_words_agree_with_sorting():
    chance = random.Random(3)
    words = sorted(chance.sample("abcdefghij", 5))
    scale = Scale(str, words)
    tokens = [scale.token(slot, scale) for slot in (1, 2, 3)]

    for path in PathTrie(lambda: [token.slot for token in sorted(tokens)]).paths(Zone.box(*[(0, 4)] * 3)):
        for point in _points(path.zone):
            values = [point[slot - 1] for slot in path.result]
            assert values == sorted(values)
