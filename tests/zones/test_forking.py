"""All paths of a function together are the function: on every point, the one path that has it says what it does."""

import itertools
import math
import operator
import random
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

from unlike.zones.open_values import NoRunError, PythonToken, Token
from unlike.zones.paths import PathTrie, UnsteadyError
from unlike.zones.zone import Zone, iterate_points


def outcome(function: Callable[..., object], args: tuple[Any, ...]) -> object:
    """Return what a call comes to, as something that can be compared."""
    try:
        return function(*args)
    except Exception as error:
        return type(error), str(error)


def shown(result: object, point: tuple[int, ...]) -> object:
    """Return the result with the point's values for its tokens."""
    if type(result) in (PythonToken, Token):
        return (0, *point)[result.slot] + result.offset
    if isinstance(result, (list, tuple)):
        return type(result)(shown(each, point) for each in result)
    return result


def agree(function: Callable[..., object], slots: int, top: int) -> int:
    """Compare the paths with the function itself on every point, and return how many paths there are."""
    counts = {_agree(function, slots, top, token) for token in (PythonToken, Token)}
    assert len(counts) == 1, "both kinds of tokens ask the same"
    return counts.pop()


def _agree(function: Callable[..., object], slots: int, top: int, token: type[PythonToken]) -> int:
    tokens = tuple(token(slot) for slot in range(1, slots + 1))
    forks = PathTrie(lambda: outcome(function, tokens))
    found: dict[tuple[int, ...], object] = {}
    count = 0
    for path in forks.paths(Zone.box(*[(0, top)] * slots)):
        count += 1
        for point in iterate_points(path.zone.bounds, path.zone.unequal):
            assert point not in found, "two paths for one point"
            found[point] = shown(path.result, point)
    expected = {point: outcome(function, point) for point in itertools.product(range(top + 1), repeat=slots)}
    assert repr(found) == repr({point: expected[point] for point in found})  # not a number is like itself, too
    assert found.keys() == expected.keys()
    assert all(type(found[point]) is type(expected[point]) for point in expected)
    return count


def least(a: int, b: int, c: int) -> int:
    return min(a, b, c)


def test_three_values_have_four_paths_to_their_least() -> None:
    assert agree(least, 3, 4) == 4


def test_sorting_has_as_many_paths_as_it_tells_orders_apart() -> None:
    count = agree(lambda *values: sorted(values), 3, 3)

    assert count == math.factorial(3)


def test_a_value_nobody_looks_at_has_one_path() -> None:
    assert agree(lambda a, b: [b, a, None], 2, 5) == 1


def test_a_disequality_is_not_split() -> None:
    # all equal, one of three pairs, all different
    assert agree(lambda a, b, c: [a == b, b == c, a == c], 3, 4) == 5


UNARY: list[Callable[[Any], object]] = [
    bool,
    operator.neg,
    operator.pos,
    operator.invert,
    abs,
    int,
    float,
    complex,
    str,
    repr,
    hash,
    round,
    math.floor,
    math.sqrt,
    range,
    list,
    chr,
    hex,
    lambda v: f"{v:03d}",
    lambda v: f"{v}",
    lambda v: "%d" % v,  # noqa: UP031
    lambda v: "abcdef"[v],
    lambda v: [1, 2, 3][v:],
    lambda v: v.bit_length(),
    lambda v: {0: "a", 1: "b"}.get(v),
    lambda v: v in {1, 2},
    lambda v: v in [1, 2],
    lambda v: v in range(1, 3),
    lambda v: isinstance(v, int),
    lambda v: isinstance(v, str),
    lambda v: v is None,
    lambda v: v == None,  # noqa: E711
    lambda v: sorted([v, None]),
    lambda v: v < "a",
    lambda v: v == "a",
    lambda v: v + "a",
    lambda v: v * "a",
    lambda v: [0] * v,
    lambda v: v - v,
    lambda v: (v + 1) - (v - 1),
    lambda v: v.to_bytes(1, "big"),
    lambda v: pow(v, 2, 3),
    lambda v: divmod(7, v),
    lambda v: sum([v, v]),
    lambda v: bytes(v),
    lambda v: {v: v}[v],
    lambda v: v.nothing,
    lambda v: len(v),
]


@pytest.mark.parametrize("number", range(len(UNARY)))
def test_whatever_reaches_the_number_is_what_the_number_does(number: int) -> None:
    agree(UNARY[number], 1, 3)


BINARY = [
    *(operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne),
    *(operator.add, operator.sub, operator.mul, operator.floordiv, operator.truediv, operator.mod),
    *(divmod, pow, operator.lshift, operator.rshift, operator.and_, operator.or_, operator.xor),
]


@pytest.mark.parametrize("function", BINARY, ids=lambda each: each.__name__)
@pytest.mark.parametrize("constant", [0, 2, -1, 9, True, 1.5, 2.0, math.inf, Fraction(1, 2), Decimal(1), 1j], ids=repr)
def test_operators_agree_with_constants_on_either_side(function: Callable[..., object], constant: object) -> None:
    agree(lambda v: function(v, constant), 1, 3)
    agree(lambda v: function(constant, v), 1, 3)


@pytest.mark.parametrize("function", BINARY, ids=lambda each: each.__name__)
def test_operators_agree_on_two_values(function: Callable[..., object]) -> None:
    agree(function, 2, 3)
    agree(lambda a, b: function(a + 1, b - 1), 2, 3)


def test_what_only_compares_or_shifts_does_not_choose() -> None:
    assert agree(lambda v: v + 3, 1, 9) == 1
    assert agree(lambda v: 3 + v - 5, 1, 9) == 1
    assert agree(lambda v: v == None or v == "a", 1, 9) == 1  # noqa: E711
    assert agree(lambda a, b: a + 1 < b, 2, 9) == 2


def program(rng: random.Random) -> str:
    """Return a random function of three values that compares, shifts and copies."""

    def term() -> str:
        return rng.choice(["a", "b", "c", "x", "a + 1", "b - 1", str(rng.randint(0, 3))])

    def block(depth: int) -> list[str]:
        if depth == 3 or rng.random() < 0.2:
            return [f"x = {term()}", rng.choice(["return x", "return [a, x]", "x = x", "raise ValueError(3)"])]
        test = f"if {term()} {rng.choice(['<', '<=', '==', '!=', '!=', '>', '>='])} {term()}:"
        body, other = block(depth + 1), block(depth + 1)
        return [test, *("    " + line for line in body), "else:", *("    " + line for line in other)]

    lines = ["x = a", *block(0), *block(0), "return [x, c]"]
    return "def f(a, b, c):\n" + "".join(f"    {line}\n" for line in lines)


@pytest.mark.parametrize("seed", range(150))
def test_random_functions_agree_on_every_point(seed: int) -> None:
    source = program(random.Random(seed))
    names: dict[str, Any] = {}
    exec(source, names)

    agree(names["f"], 3, 3)


def test_a_second_zone_runs_only_what_the_first_did_not_reach() -> None:
    a, b = Token(1), Token(2)
    forks = PathTrie(lambda: a < b)
    below = Zone.box((0, 1), (2, 3))
    list(forks.paths(below))
    assert forks.runs == 1

    again = [path.result for path in forks.paths(below)]
    all_paths = [path.result for path in forks.paths(Zone.box((0, 3), (0, 3)))]

    assert again == [True]
    assert all_paths == [True, False]
    assert forks.runs == 2


def test_a_function_that_asks_something_else_the_second_time_is_refused() -> None:
    calls = itertools.count()
    a, b, c = Token(1), Token(2), Token(3)
    forks = PathTrie(lambda: (a < b) if next(calls) == 0 else (b < c))

    with pytest.raises(UnsteadyError):
        list(forks.paths(Zone.box(*[(0, 3)] * 3)))


def test_a_token_that_was_kept_is_found_out() -> None:
    with pytest.raises(NoRunError):
        bool(Token(1) < Token(2))
