"""Two strings tied to each other: every pair, and only those, against brute force."""

import itertools
import random

import pytest
from tests.regex.random_patterns import random_pattern

from unlike.regex.automaton import Automaton, TooLarge
from unlike.regex.couple import HOLDS, Lengths, Tie, pairs
from unlike.regex.cover import Cover
from unlike.regex.tree import parse

SHORT = ["".join(text) for length in range(4) for text in itertools.product("ab", repeat=length)]
TIES: list[tuple[Tie, ...]] = [
    ("equal",),
    ("different",),
    ("prefix",),
    ("suffix",),
    ("part", "different"),
    ("not part",),
    ("prefix", "not suffix"),
    ("not prefix", "not suffix"),
    ("prefix", "suffix", "different"),
]


@pytest.mark.parametrize("ties", TIES, ids=" and ".join)
def test_pairs_are_exactly_those_that_hold(ties: tuple[Tie, ...]) -> None:
    rng = random.Random(sum(map(len, ties)))
    bound = Automaton.of(parse("[ab]{0,3}"))
    for _ in range(12):
        patterns = [parse(random_pattern(rng, depth=1)) for _ in range(2)]
        if not all(pattern.exact for pattern in patterns):
            continue
        first, second = (Automaton.of(pattern).intersect(bound) for pattern in patterns)
        lengths = rng.choice([Lengths(), Lengths(0, 1), Lengths(most=-1)])

        least, most = rng.choice([(0, None), (0, None), (1, 2), (2, None), (4, 9)])

        found = list(pairs(first, second, ties, lengths=lengths, sizes=(least, most)))

        expected = {
            (x, y)
            for x in SHORT
            for y in SHORT
            if least <= len(y) <= (9 if most is None else most)
            and patterns[0].matches(x)
            and patterns[1].matches(y)
            and lengths.hold(x, y)
            and all(HOLDS[tie](x, y) for tie in ties)
        }
        assert len(found) == len(set(found))
        assert set(found) == expected


def test_no_pair_is_a_proof() -> None:
    first, second = Automaton.of(parse("a+b")), Automaton.of(parse("(ba)*"))

    assert list(pairs(first, second, ["prefix"])) == []
    assert next(pairs(second, first, ["suffix", "different"])) == ("", "ab")


def test_what_cannot_be_proved_in_time_says_so() -> None:
    letters = Automaton.of(parse("a*"))

    with pytest.raises(TooLarge, match="pairs in a row"):
        next(pairs(letters, letters, ["not prefix", "not suffix", "different"], lengths=Lengths(0), limit=500))


def test_every_feasible_combination_of_two_covers_gets_its_pair() -> None:
    user, password = Cover("[a-z][a-z0-9]{2,7}"), Cover(r"(?=.*\d)(?=.*[A-Z])[\w!-]{6,10}", flags=0)

    found = {
        (one, two): next(pairs(user.within(one), password.within(two), ["different", "not part"]), None)
        for one in range(user.choices)
        for two in range(password.choices)
    }

    feasible = {key: pair for key, pair in found.items() if pair is not None}
    assert feasible
    for (one, two), (name, secret) in feasible.items():
        assert user.derives(one, name)
        assert password.derives(two, secret)
        assert name not in secret
