"""The first inputs are spread over what there is, a seed moves what is free, and the same seed gives the same bytes."""

import datetime
import json
import os
import random
import re
import subprocess
import sys
from fractions import Fraction

import pytest
from tests.corpora import few_of
from tests.specs import reference
from tests.specs.random_specs import random_spec, values

import unlike as u
from unlike.language.values import Record, build

SPECS = 40  # random ones, of each kind
MANY = 6  # members from which on two seeds must not begin alike
FIRST = 10  # inputs, the first impression
DAY = datetime.date(2024, 1, 1)


def units(name, value):
    """Yield what is chosen by itself: a blank, or a field of a record, with how to find it in an input."""
    if isinstance(value, Record):
        for field, inner in value.fields:
            for key, found in units(field, inner):
                yield (name, *key), found
    else:
        yield (name,), value


def find(key, found):
    for part in key:
        found = found[part]
    return repr(found)


def free_spec(seed):
    chance = random.Random(seed)
    return u.Spec({f"x{i}": values(chance) for i in range(chance.randint(2, 4))})


@pytest.mark.parametrize("seed", [0, 1, 5])
def test_a_free_blank_shows_its_first_values_one_after_the_other(seed):
    for number in range(SPECS):
        spec = free_spec(number)
        inputs = u.generate(spec, 64, seed=seed).values
        for name, value in spec.blanks.items():
            for key, unit in units(name, value):
                there = {repr(build(unit, plain)) for plain in reference.domain(unit)}
                first = {find(key, each) for each in inputs[: len(there)]}
                assert len(first) == min(len(there), len(inputs)), (number, key)


def test_two_seeds_do_not_begin_alike_in_any_free_blank():
    for number in range(SPECS):
        spec = free_spec(number)
        suites = {seed: u.generate(spec, FIRST, seed=seed).values for seed in (0, 1, 2, 7)}
        for name, value in spec.blanks.items():
            for key, unit in units(name, value):
                if len(reference.domain(unit)) >= MANY:
                    shown = {tuple(find(key, each) for each in inputs) for inputs in suites.values()}
                    assert len(shown) > 1, (number, key)


def tied_spec(seed):
    """Return a spec of tied blanks of which a difference sees a few values only, or none."""
    chance = random.Random(seed)
    days, most, reach = chance.randint(40, 400), chance.randint(50, 5_000), chance.randint(2, 30)
    last = DAY + datetime.timedelta(days)
    blanks = {
        "kind": u.OneOf("a", "b", "c", "d", "e"),
        "first": u.Date(DAY, last),
        "last": u.Date(DAY, last),
        "price": u.Int(1, most),
        "count": u.Int(1, 9),
        "total": u.Int(1, 9 * most),
        "note": u.Option(u.Str("[A-Z]{2}[0-9]{2,4}")),
    }
    differences = [
        [u.differs_by("kind")],
        [u.differs_by("kind"), u.differs_by(lambda first, last: first == last)],
        [u.differs_by("kind"), u.differs_by(lambda total, price: total > 3 * price)],
        [u.differs_by(lambda first: first.month), u.differs_by("count")],
        [u.distance("total", most // 4 + 1), u.differs_by("kind")],
    ]
    return u.Spec(
        blanks,
        where=[
            lambda first, last: (first <= last) & (last - first <= reach),
            lambda price, count, total: total == price * count,
        ],
        different=chance.choice(differences),
        name=f"tied {seed}",
    )


def moved(inputs, name):
    return len({repr(each[name]) for each in inputs})


@pytest.mark.few(1)
@pytest.mark.parametrize("number", few_of(range(12), 4))
def test_tied_blanks_that_no_difference_fixes_move_with_every_input(number):
    spec = tied_spec(number)

    inputs, others = u.generate(spec, FIRST).values, u.generate(spec, FIRST, seed=1).values

    enough = len(inputs) // 2
    for name in ("first", "last", "price", "total", "note"):
        assert moved(inputs, name) >= enough, name
        assert [each[name] for each in inputs] != [each[name] for each in others], name
    for each in inputs + others:
        assert each["first"] <= each["last"]
        assert each["total"] == each["price"] * each["count"]


@pytest.mark.parametrize("number", range(4))
def test_fewer_tied_inputs_are_the_beginning_of_more(number):
    spec = tied_spec(number)

    assert u.generate(spec, 15).values[:5] == u.generate(spec, 5).values


def test_random_specs_are_legal_and_different_at_any_seed():
    for number in range(SPECS):
        suite = u.generate(random_spec(number), 12, seed=number % 5 + 1, in_process=True)  # checks every input and pair
        assert suite.status.ending is not u.Ending.FAILED


def test_a_term_that_a_difference_sees_stays_as_it_was_counted():
    # 12 months, and whatever else moves no month is lost or comes twice
    spec = u.Spec(
        {"first": u.Date(DAY, datetime.date(2024, 12, 31)), "last": u.Date(DAY, datetime.date(2024, 12, 31))},
        where=lambda first, last: (first < last) & (last - first <= 5),
        different=u.differs_by(lambda first: first.month),
    )

    for seed in (0, 1, 2):
        assert sorted(each["first"].month for each in u.generate(spec, "all", seed=seed).values) == list(range(1, 13))


SCRIPT = """
import json, sys
from tests.specs.test_spread import free_spec, tied_spec
import unlike as u
specs = [*map(free_spec, range(6)), *map(tied_spec, range(3))]
print(json.dumps([[repr(u.generate(s, 8, seed=seed).values) for s in specs] for seed in (0, 3)]))
"""


def test_the_same_seed_gives_the_same_inputs_however_python_hashes():
    told = [
        subprocess.run(
            [sys.executable, "-c", SCRIPT],
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]

    assert json.loads(told[0])
    assert re.sub(r" at 0x[0-9a-f]+", "", told[0]) == re.sub(r" at 0x[0-9a-f]+", "", told[1])


@pytest.mark.parametrize(
    ("value", "first"),
    [
        (u.Int(1, 5), [1, 2, 3, 4]),
        (u.Int(1, 20), [1, 20, 2, 19]),
        (u.Int(100, 99_900), [100, 99_900, 101, 99_899]),
        (u.Int(-50, 50), [0, -50, 50, 1]),
        (u.Real(0, 10), [0.0, 10.0, 0.01, 9.99]),
        (u.Real(-1, 1), [0.0, -1.0, 1.0]),
    ],
)
def test_ends_and_round_numbers_come_first(value, first):
    assert [each["x"] for each in u.generate(u.Spec({"x": value}), len(first)).values] == first


def test_the_odd_days_of_a_year_come_first():
    year = u.Date(DAY, datetime.date(2024, 12, 31))

    days = [each["x"] for each in u.generate(u.Spec({"x": year}), 6).values]

    # the first, the last, the leap day, the end of a month, and the days on which clocks change
    odd = [(1, 1), (12, 31), (2, 29), (4, 30), (3, 31), (10, 27)]
    assert [(day.month, day.day) for day in days] == odd


def strings(seed=0, **said):
    return [each["x"] for each in u.generate(u.Spec({"x": u.Str(r"[^@]{1,8}@\d{3}", **said)}), 40, seed=seed).values]


def test_strings_are_read_without_effort_unless_others_are_asked_for():
    for text in strings():
        assert re.fullmatch(r"[A-Za-z0-9]+@[0-9]{3}", text)
        assert not re.search(r"(.)\1{5}", text)
    assert any(not text.isascii() for text in strings(unicode=True))
    assert strings(1) != strings(2) != strings()


def test_a_cover_spells_its_branches_by_other_characters_for_another_seed():
    pattern = r"(\+49|0)[1-9]\d{2,4}( \d{2})?"

    def cover(seed, **said):
        spec = u.Spec({"x": u.Str(pattern)}, different=u.cover.regex("x", pattern, **said))
        return [each["x"] for each in u.generate(spec, "all", seed=seed).values]

    assert len({tuple(sorted(cover(seed))) for seed in range(4)}) == 4
    assert all(re.fullmatch(pattern, text, re.ASCII) for seed in range(4) for text in cover(seed))
    assert any(not text.isascii() for text in cover(0, unicode=True))
    assert len(cover(0, unicode=True)) == len(cover(0)) == len(cover(3))


def test_a_cover_under_further_conditions_is_spread_over_each_branch_and_moved_by_a_seed():
    spec = u.Spec(
        {"s": u.Str(r"[0-9]\d{3}-[a-z]{2,4}(x|y|z)", max_length=12)},
        where=lambda s: ~s.startswith("000") & ~s.contains("aa"),
        different=u.cover.regex("s", r"\d{4}-[a-z]*(x|y|z)"),
    )

    one, two = (u.generate(spec, seed=seed).values for seed in (0, 3))

    assert len({each["s"][:4] for each in one}) == len(one) > 2
    assert (
        len({each["s"][:4] for each in one} & {each["s"][:4] for each in two}) <= 1
    )  # of 10,000 one may be drawn twice
    assert all(each["s"].isascii() for each in one)


def test_prices_that_must_be_far_apart_lie_all_over_their_range():
    spec = u.Spec(
        {"price": u.Int(100, 99_900), "half": u.Int(1, 99_900)},
        where=lambda price, half: 2 * half <= price,
        different=u.distance("price", 10_000),
    )

    prices = [Fraction(each["price"], 99_900) for each in u.generate(spec, 5).values]

    assert len({int(5 * price) for price in prices}) >= 4
    assert len(u.generate(spec, "all")) == 10


def test_a_value_that_is_rarely_drawn_comes_early_all_the_same():
    def in_order(steps):
        holds = steps.length >= 1
        for place in range(3):
            holds &= u.implies(steps.length > place + 1, steps[place] < steps[place + 1])
        return holds

    spec = u.Spec(
        {"steps": u.List(u.Int(0, 59), 1, 4)},
        where=in_order,
        different=[u.different_lengths("steps"), u.differs_by(lambda steps: steps[0] // 5)],
    )

    first = u.generate(spec, FIRST).values

    assert {len(each["steps"]) for each in first} == {1, 2, 3, 4}


@pytest.mark.parametrize("seed", range(4))
def test_branches_that_cannot_be_do_not_take_the_place_of_others(seed):
    """Fifteen of sixteen combinations of signs are refused; each other part is shown by the first twelve all the same."""
    read_apart = r"[-#+*]{2}(!|\?)?(a|b|c|d)(x|y)?[0-9]?"
    legal = r"\+\+(!|\?)?(a|b|c|d)(x|y)?[0-9]?"
    spec = u.Spec({"text": u.Str(legal)}, different=u.cover.regex("text", read_apart))

    texts = [each["text"] for each in u.generate(spec, 12, seed=seed).values]

    assert {re.search("[!?]?[abcd]", text)[0][:-1] for text in texts} == {"", "!", "?"}
    often = [sum(letter in text for text in texts) for letter in "abcd"]
    assert min(often) >= 2 - (seed == 1), often
    assert {re.search("[abcd]([xy]?)", text)[1] for text in texts} == {"", "x", "y"}
