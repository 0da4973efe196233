"""Two strings tied to each other: automata find exactly the pairs that brute force finds."""

import itertools
import re
from random import Random

import pytest
from tests.corpora import few_of

from unlike import Ending, Int, Spec, Str, cover, differs_by, generate

PATTERNS = ["[ab]{0,2}", "a?b{1,2}", "(a|bb)a?", "b*", "(ab|a)?b?", "[ab][ab]?"]
TIES = {
    "equal": (lambda s, t: s == t, lambda s, t: s == t),
    "different": (lambda s, t: s != t, lambda s, t: s != t),
    "prefix": (lambda s, t: t.startswith(s), lambda s, t: t.startswith(s)),
    "suffix": (lambda s, t: t.endswith(s), lambda s, t: t.endswith(s)),
    "part": (lambda s, t: t.contains(s), lambda s, t: s in t),
    "not part": (lambda s, t: ~t.contains(s), lambda s, t: s not in t),
    "prefix the other way": (lambda s, t: s.startswith(t), lambda s, t: s.startswith(t)),
    "longer": (lambda s, t: t.length > s.length + 1, lambda s, t: len(t) > len(s) + 1),
    "as long": (lambda s, t: s.length == t.length, lambda s, t: len(s) == len(t)),
    "not shorter": (lambda s, t: ~(t.length < s.length), lambda s, t: len(t) >= len(s)),
    "not longer": (lambda s, t: s.length - t.length >= 0, lambda s, t: len(s) >= len(t)),
}
EVERY = ["".join(p) for size in range(4) for p in itertools.product("ab", repeat=size)]


@pytest.mark.parametrize("seed", few_of(range(60), 20))
def test_tied_strings_are_exactly_those_of_brute_force(seed):
    random = Random(seed)
    one, two = random.choice(PATTERNS), random.choice(PATTERNS)
    names = random.sample(sorted(TIES), random.randint(1, 3))
    spec = Spec({"s": Str(one, max_length=3), "t": Str(two, max_length=3)}, where=[TIES[name][0] for name in names])

    suite = generate(spec)

    expected = {
        (s, t)
        for s, t in itertools.product(EVERY, repeat=2)
        if re.fullmatch(one, s) and re.fullmatch(two, t) and all(TIES[name][1](s, t) for name in names)
    }
    found = [(value["s"], value["t"]) for value in suite.values]
    assert sorted(found) == sorted(expected)
    assert suite.status.ending is (Ending.COMPLETE if expected else Ending.UNSATISFIABLE)


def test_a_thousand_users_and_passwords_come_without_a_solver():
    user, password = r"[a-z][a-z0-9_]{2,11}", r"[A-Za-z0-9!#$%]{8,16}"
    spec = Spec(
        {"user": Str(user), "password": Str(password)},
        where=lambda user, password: (user != password) & ~password.contains(user) & (password.length > user.length),
    )

    suite = generate(spec, 1000)

    assert len(suite) == 1000
    assert "by automata" in suite.explanation


def test_every_combination_of_branches_of_two_tied_strings_is_shown_or_proved_impossible():
    spec = Spec(
        {"host": Str("[a-z]+|[0-9]+"), "path": Str("[a-z]+/x|[0-9]+/y")},
        where=lambda host, path: path.startswith(host),
        different=[cover.regex("host", "[a-z]+|[0-9]+"), cover.regex("path", "[a-z]+/x|[0-9]+/y")],
    )

    suite = generate(spec)

    assert suite.status.ending is Ending.COMPLETE
    assert all(value["path"].startswith(value["host"]) for value in suite.values)
    assert {(value["host"][0].isdigit(), value["path"][0].isdigit()) for value in suite.values} == {
        (True, True),
        (False, False),
    }


def test_covers_of_billions_of_choices_are_combined_with_what_ties_the_strings():
    user, password = r"[a-z][a-z0-9_]{2,7}", r"(?=.*\d)[A-Za-z0-9!@#]{6,12}"
    spec = Spec(
        {"user": Str(user), "password": Str(password)},
        where=lambda user, password: (user != password) & ~password.contains(user),
        different=[
            cover.regex("user", user, heuristic="each-position"),
            cover.regex("password", password, heuristic="each-position"),
        ],
    )

    suite = generate(spec, 30)

    assert len(suite) == 30
    assert all(value["user"] not in value["password"] for value in suite.values)
    assert len({len(value["user"]) for value in suite.values}) > 2  # spread, not the first branches alone


@pytest.mark.parametrize("seed", range(12))
def test_lengths_of_tied_strings_are_within_their_bounds(seed):
    random = Random(100 + seed)
    one, two = random.choice(PATTERNS), random.choice(PATTERNS)
    bounds = [sorted(random.choices(range(4), k=2)) for _ in range(2)]
    name = random.choice(["equal", "prefix", "suffix", "part", "prefix the other way", "not part"])
    values = {
        blank: Str(pattern, min_length=low, max_length=max(high, 1))
        for blank, pattern, (low, high) in zip("st", (one, two), bounds, strict=True)
    }

    suite = generate(Spec(values, where=TIES[name][0]))

    expected = {
        (s, t)
        for s, t in itertools.product(EVERY, repeat=2)
        if re.fullmatch(one, s) and re.fullmatch(two, t) and TIES[name][1](s, t)
        if bounds[0][0] <= len(s) <= max(bounds[0][1], 1) and bounds[1][0] <= len(t) <= max(bounds[1][1], 1)
    }
    assert {(value["s"], value["t"]) for value in suite.values} == expected


def test_a_cover_of_tied_strings_combines_with_a_key_of_another_blank():
    from unlike import OneOf

    spec = Spec(
        {"s": Str("[ab]{1,2}"), "t": Str("[ab]{1,3}"), "color": OneOf("red", "green")},
        where=lambda s, t: t.startswith(s),
        different=[cover.regex("s", "a+|b+"), differs_by("color")],
    )

    suite = generate(spec)

    assert suite.status.ending is Ending.COMPLETE
    assert len(suite) == 2 * 4  # a, b, aa, bb


def test_a_cover_of_a_tied_string_combines_with_what_other_blanks_have():
    spec = Spec(
        {"user": Str("[a-z][a-z0-9_]{2,15}"), "password": Str(r"(?=.*\d)[a-z0-9]{8,20}"), "age": Int(13, 120)},
        where=lambda user, password: ~password.contains(user),
        different=[cover.regex("user", "[a-z][a-z0-9_]{2,15}"), differs_by(lambda age: age >= 18)],
    )

    suite = generate(spec)

    assert suite.status.ending is Ending.COMPLETE
    assert len(suite) == 2 * 9  # a letter, a digit or an underscore, of the least length, of some, or of the greatest
    assert "asked of" not in suite.explanation


LOOKED_AT = [
    "(?=.*a)[ab]{0,2}",
    "(?!.*bb)[ab]{1,3}",
    "(?=.*b)(?=.*a)[ab]{2,3}",
    "[ab]?c?",
    "(?=a)[abc]*b?",
    "[abc]{1,2}",
]
BETWEEN = {
    **TIES,
    "not prefix": (lambda s, t: ~t.startswith(s), lambda s, t: not t.startswith(s)),
    "not suffix the other way": (lambda s, t: ~s.endswith(t), lambda s, t: not s.endswith(t)),
    "part the other way": (lambda s, t: s.contains(t), lambda s, t: t in s),
}
SHORT = ["".join(p) for size in range(4) for p in itertools.product("abc", repeat=size)]


def renamed(function, names):
    return eval(f"lambda {', '.join(names)}: function({', '.join(names)})", {"function": function})


def random_signup(random):
    """Return three or four strings with patterns, some said to be equal, tied at random; and what brute force finds."""
    names = "stuv"[: random.randint(3, 4)]
    patterns = {name: random.choice(LOOKED_AT) for name in names}
    where, tests = [], []
    for _ in range(random.randint(2, 4)):
        one, two = random.sample(names, 2)
        said, holds = BETWEEN[random.choice([*sorted(BETWEEN), "equal", "equal", "not part"])]
        where.append(renamed(said, (one, two)))
        tests.append((one, two, holds))
    texts = [[text for text in SHORT if re.fullmatch(patterns[name], text)] for name in names]
    expected = set()
    for combination in itertools.product(*texts):
        value = dict(zip(names, combination, strict=True))
        if all(holds(value[one], value[two]) for one, two, holds in tests):
            expected.add(combination)
    return {name: Str(pattern, max_length=3) for name, pattern in patterns.items()}, where, expected


@pytest.mark.parametrize("seed", few_of(range(40), 15))
def test_several_strings_equal_or_tied_are_exactly_those_of_brute_force(seed, monkeypatch):
    from unlike.specs import members

    monkeypatch.setattr(members, "LISTED", 0)  # nothing is listed and filtered: automata, or a solver
    blanks, where, expected = random_signup(Random(seed))
    key = Random(seed).choice([None, None, "s", "t"])

    suite = generate(Spec(blanks, where=where, different=[] if key is None else differs_by(key)), seed=seed % 3)

    found = [tuple(value[name] for name in blanks) for value in suite.values]
    assert set(found) <= expected
    if key is None:
        assert sorted(found) == sorted(expected)
    else:
        shown = [value[key] for value in suite.values]
        assert sorted(shown) == sorted({each["stuv".index(key)] for each in expected})
    assert suite.status.ending is (Ending.COMPLETE if expected else Ending.UNSATISFIABLE)
    assert "asked of" not in suite.explanation
