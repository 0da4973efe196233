"""Strings, enumerations, numbers, dates and options tied by conditions: the same inputs as brute force finds."""

import datetime
import itertools
from collections import Counter
from random import Random

import pytest
from tests.corpora import few_of

import unlike
from unlike import Bool, Date, Ending, Int, OneOf, Option, Spec, Str, cover, differs_by, edit_distance, generate
from unlike.regex.texts.fullmatch import careful
from unlike.specs import members
from unlike.specs.branches import cover_of

SPECS = 400
BATCHES = 20
DAY = datetime.date(2024, 2, 27)
PATTERNS = ["[ab]{0,2}", "a?b{1,2}", "(a|bb)a?", "(ab|a)?b?", "(?=.*a)[ab]{1,2}", "a+|ab?|b"]
NAMES = ("country", "code")
SIZES = {"DE": (5,), "US": (5, 10)}  # lengths of codes that the pattern of the United States takes, too
COVERS = ["a+|b+|ab", "(a|ab?)b?", "[ab]|a", "[ab]{0,2}", "a?b{1,2}"]
VALUES = {
    "s": lambda random: texts(random.choice(PATTERNS)),
    "t": lambda random: texts(random.choice(PATTERNS)),
    "kind": lambda random: (OneOf("a", "b", "ab"), ["a", "b", "ab"]),
    "odd": lambda random: (OneOf(True, 1, "x"), [True, 1, "x"]),
    "flag": lambda random: (Bool(), [False, True]),
    "n": lambda random: (Int(0, 3), range(4)),
    "uses": lambda random: (Option(Int(1, 3)), [None, 1, 2, 3]),
    "line": lambda random: (Option(Str("[ab]{1,2}")), [None, "a", "b", "aa", "ab", "ba", "bb"]),
    "day": lambda random: (Date(DAY, DAY + datetime.timedelta(2)), [DAY + datetime.timedelta(i) for i in range(3)]),
}
# each with what it means; an option that is absent has the value 0, or the empty string
CONDITIONS = {
    "s": [
        (lambda s: s.startswith("a"), lambda s: s.startswith("a")),
        (lambda s: s.matches("a+b?"), lambda s: s in ("a", "aa", "aaa", "ab", "aab")),
        (lambda s: s.length > 1, lambda s: len(s) > 1),
        (lambda s: s == "ab", lambda s: s == "ab"),
        (lambda s: s[-1] == "b", lambda s: s[-1:] == "b"),
    ],
    "kind": [
        (lambda kind: kind == "a", lambda kind: kind == "a"),
        (lambda kind: kind.is_in(["b", "ab"]), lambda kind: kind in ("b", "ab")),
        (lambda kind: kind.contains("b"), lambda kind: "b" in kind),
    ],
    "odd": [
        (lambda odd: odd == 1, lambda odd: odd is not True and odd == 1),
        (lambda odd: odd == True, lambda odd: odd is True),  # noqa: E712
    ],
    "flag": [(lambda flag: flag, lambda flag: flag)],
    "n": [(lambda n: n > 1, lambda n: n > 1), (lambda n: n == 2, lambda n: n == 2)],
    "uses": [
        (lambda uses: uses.present, lambda uses: uses is not None),
        (lambda uses: uses.value < 2, lambda uses: (uses or 0) < 2),
        (lambda uses: uses == 2, lambda uses: uses == 2),
    ],
    "line": [
        (lambda line: line.present, lambda line: line is not None),
        (lambda line: line.value.startswith("a"), lambda line: (line or "").startswith("a")),
        (lambda line: line.value.length < 2, lambda line: len(line or "") < 2),
    ],
    "day": [(lambda day: day > DAY, lambda day: day > DAY), (lambda day: day.day == 29, lambda day: day.day == 29)],
    "s t": [
        (lambda s, t: s == t, lambda s, t: s == t),
        (lambda s, t: t.contains(s), lambda s, t: s in t),
        (lambda s, t: t.startswith(s), lambda s, t: t.startswith(s)),
        (lambda s, t: s.length < t.length, lambda s, t: len(s) < len(t)),
    ],
    "s n": [(lambda s, n: s.length == n, lambda s, n: len(s) == n)],
    "s kind": [(lambda s, kind: s == kind, lambda s, kind: s == kind)],
    "s line": [(lambda s, line: line.value == s, lambda s, line: (line or "") == s)],
    "n uses": [(lambda n, uses: n <= uses.value, lambda n, uses: n <= (uses or 0))],
}
JOINTS = {
    "implies": (unlike.implies, lambda a, b: not a or b),
    "or": (lambda a, b: a | b, lambda a, b: a or b),
    "and not": (lambda a, b: a & ~b, lambda a, b: a and not b),
    "equal": (lambda a, b: a == b, lambda a, b: bool(a) == bool(b)),
    "not equal": (lambda a, b: a != b, lambda a, b: bool(a) != bool(b)),
    "ite": (lambda a, b: unlike.ite(a, b, ~b), lambda a, b: b if a else not b),
}
KEYS = {
    "s": [(lambda s: s, lambda s: s), (lambda s: s.length, len), (lambda s: s.startswith("a"), lambda s: s[:1] == "a")],
    "t": [(lambda t: t.length, len)],
    "kind": [(lambda kind: kind, lambda kind: kind)],
    "odd": [(lambda odd: odd, lambda odd: (type(odd), odd))],
    "flag": [(lambda flag: flag, lambda flag: flag)],
    "n": [(lambda n: n, lambda n: n), (lambda n: n > 1, lambda n: n > 1)],
    "uses": [(lambda uses: uses.present, lambda uses: uses is None), (lambda uses: uses.value, lambda uses: uses or 0)],
    "line": [(lambda line: line.present, lambda line: line is None), (lambda line: line, lambda line: line)],
    "day": [(lambda day: day, lambda day: day)],
}


def texts(pattern):
    every = ("".join(p) for size in range(4) for p in itertools.product("ab", repeat=size))
    return Str(pattern, max_length=3), [text for text in every if careful(pattern, 0)(text)]


def renamed(function, names):
    """Return the function with these parameters, whatever it calls them."""
    return eval(f"lambda {', '.join(names)}: function({', '.join(names)})", {"function": function})


class Condition:
    """Conditions about some blanks, joined at random: as a term, and as plain Python."""

    def __init__(self, random, names, depth):
        if depth and random.random() < 0.8:
            joint, self.joint = JOINTS[random.choice(sorted(JOINTS))]
            self.inner = [Condition(random, names, depth - 1 if random.random() < 0.3 else 0) for _ in range(2)]
            self.names = tuple(dict.fromkeys(name for each in self.inner for name in each.names))
            one, two = self.inner
            self.said = lambda **blanks: joint(one.say(blanks), two.say(blanks))
            return
        fitting = [key for key in CONDITIONS if set(key.split()) <= set(names)]
        self.names = tuple(random.choice(fitting).split())
        self.inner, (said, self.meant) = (), random.choice(CONDITIONS[" ".join(self.names)])
        self.said = lambda **blanks: said(**blanks)

    def say(self, blanks):
        return self.said(**{name: blanks[name] for name in self.names})

    def holds(self, value):
        if self.inner:
            return self.joint(*(each.holds(value) for each in self.inner))
        return self.meant(**{name: value[name] for name in self.names})

    @property
    def where(self):
        return renamed(lambda *blanks: self.say(dict(zip(self.names, blanks, strict=True))), self.names)


class Subject:
    """A random spec, and what plain Python makes of it."""

    def __init__(self, seed):
        random = Random(seed)
        names = ["s", *random.sample(sorted(VALUES.keys() - {"s"}), random.randint(1, 3))]
        pairs = {name: VALUES[name](random) for name in names}
        conditions = [Condition(random, names, 2) for _ in range(random.randint(1, 3))]
        self.keys, self.covers, different = [], [], []
        for name in random.sample(names, random.choice([0, 1, 1, 2])):
            said, key = random.choice(KEYS[name])
            self.keys.append((name, key))
            different.append(differs_by(renamed(said, [name])))
        if random.random() < 0.5:
            name = random.choice([name for name in names if name in "st"])
            pattern = random.choice(COVERS)
            self.covers.append((name, cover_of(pattern, 0, "default")))
            different.append(cover.regex(name, pattern))
        self.spec = Spec(
            {name: value for name, (value, _) in pairs.items()},
            where=[each.where for each in conditions],
            different=different,
        )
        every = (
            dict(zip(names, row, strict=True)) for row in itertools.product(*(listed for _, listed in pairs.values()))
        )
        self.legal = [value for value in every if all(each.holds(value) for each in conditions)]

    def classes(self, value):
        """Yield the classes of alike inputs that an input can stand for."""
        keys = tuple(key(value[name]) for name, key in self.keys)
        taken = [
            [choice for choice in range(each.choices) if each.derives(choice, value[name])]
            for name, each in self.covers
        ]
        if not self.keys and not self.covers:
            keys = tuple((type(each), each) for each in value.values())
        for choices in itertools.product(*taken):
            yield keys, choices

    def largest(self):
        """Return how many inputs there can be: classes matched with inputs, none twice, by augmenting paths."""
        members = {}
        for number, value in enumerate(self.legal):
            for each in self.classes(value):
                members.setdefault(each, []).append(number)
        owner = {}

        def place(each, tried):
            for number in members[each]:
                if number not in tried:
                    tried.add(number)
                    if number not in owner or place(owner[number], tried):
                        owner[number] = each
                        return True
            return False

        return sum(place(each, set()) for each in members)


def check(seed):
    subject = Subject(seed)

    suite = generate(subject.spec, "all", seed=seed % 3)

    values = [freeze(value) for value in suite.values]
    legal = {freeze(value) for value in subject.legal if any(True for _ in subject.classes(value))}
    assert len(set(values)) == len(values)
    assert set(values) <= legal, "every input is legal"
    stands = [set(subject.classes(value)) for value in suite.values]
    assert matched(stands), "every two are different"
    match suite.status.ending:
        case Ending.COMPLETE | Ending.UNSATISFIABLE:
            assert len(values) == subject.largest()
        case Ending.MAXIMAL:
            taken = set().union(*stands)
            assert not [value for value in subject.legal if not set(subject.classes(value)) <= taken]
    return suite


def matched(stands):
    """Tell whether each input can stand for a class of its own."""
    owner = {}

    def place(number, tried):
        for each in stands[number] - tried:
            tried.add(each)
            if each not in owner or place(owner[each], tried):
                owner[each] = number
                return True
        return False

    return all(place(number, set()) for number in range(len(stands)))


def freeze(value):
    return tuple((name, type(each), each) for name, each in value.items())


@pytest.mark.few(1)
@pytest.mark.parametrize("listed", [12, 100_000])  # of more combinations than these the rest is split into cases
@pytest.mark.parametrize("batch", few_of(range(BATCHES), 1))
def test_conditions_between_strings_and_other_values_mean_what_brute_force_finds(batch, listed, monkeypatch):
    monkeypatch.setattr(members, "LISTED", listed)
    endings, split = Counter(), 0
    for seed in range(batch * SPECS // BATCHES, (batch + 1) * SPECS // BATCHES):
        suite = check(seed)
        endings[suite.status.ending] += 1
        split += "each by itself" in suite.explanation

    assert split >= 5 or listed > 12
    assert not endings[Ending.UNKNOWN]


def test_addresses_of_countries_come_without_a_solver():
    codes = {"DE": r"\d{5}", "NL": r"[1-9]\d{3} [A-Z]{2}", "US": r"\d{5}(-\d{4})?"}
    spec = Spec(
        {
            "country": OneOf(*codes),
            "code": Str("|".join(f"({each})" for each in codes.values())),
            "line": Option(Str()),
        },
        where=[
            renamed(
                lambda country, code, name=name, each=each: unlike.implies(country == name, code.matches(each)), NAMES
            )
            for name, each in codes.items()
        ],
        different=[differs_by("country"), differs_by(lambda line: line.present), cover.regex("code", codes["US"])],
    )

    suite = generate(spec)

    shown = {(each["country"], each["line"] is None, len(each["code"])) for each in suite.values}
    assert shown == {
        (name, absent, size) for name, sizes in SIZES.items() for size in sizes for absent in (False, True)
    }
    assert suite.status.ending is Ending.COMPLETE
    assert "asked of" not in suite.explanation


@pytest.mark.parametrize("other", [[], [edit_distance("s", 2)]])
def test_that_nothing_can_be_added_is_not_said_where_another_blank_is_free_to_make_it_different(other):
    spec = Spec(
        {"s": Str("ab?"), "kind": OneOf("a", "b"), "n": Int(0, 1_000_000)},
        where=lambda s, kind: unlike.implies(kind == "a", s == "a"),
        different=[cover.regex("s", "(a|ab?)b?"), *other],
    )
    branches = cover_of("(a|ab?)b?", 0, "default")
    there = sum(any(branches.derives(choice, text) for text in ("a", "ab")) for choice in range(branches.choices))

    suite = generate(spec)

    assert len(suite) == there or suite.status.ending is Ending.UNKNOWN


@pytest.mark.parametrize("least", [0, 1])
def test_choices_that_another_blank_makes_are_planned_one_by_one(least):
    codes = {"DE": r"\d{5}", "FR": r"\d{5}", "US": r"\d{5}(-\d{4})?"}
    spec = Spec(
        {"country": OneOf(*codes), "code": Str("|".join(codes.values())), "line": Option(Str(max_length=9))},
        where=[
            *(
                renamed(
                    lambda country, code, name=name, each=each: unlike.implies(country == name, code.matches(each)),
                    NAMES,
                )
                for name, each in codes.items()
            ),
            lambda line, country: unlike.implies(country == "FR", line.value.length >= least),
        ],
        different=unlike.enumerate_(
            [renamed(lambda country, name=name: country == name, ["country"]) for name in codes],
            [
                unlike.some_of(differs_by(lambda line: line.present), cover.regex("code", each))
                for each in codes.values()
            ],
        ),
    )

    suite = generate(spec)

    shown = Counter((each["country"], each["line"] is None, len(each["code"])) for each in suite.values)
    assert suite.status.ending is Ending.COMPLETE
    assert set(shown.values()) == {1}
    assert shown.keys() == {
        (name, absent, size)
        for name, each in codes.items()
        for size in ((5,) if each == codes["DE"] else (5, 10))
        for absent in (False, True)
        if not (least and name == "FR" and absent)
    }
