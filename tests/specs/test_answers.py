"""What a suite says of itself: complete, cut short and unknown are told apart, and what was found is delivered."""

import datetime
import gc
import subprocess
import sys

import pytest

import unlike
from unlike import (
    Bool,
    Date,
    Ending,
    Int,
    List,
    OneOf,
    Option,
    Real,
    Spec,
    Status,
    Str,
    Time,
    cover,
    differs_by,
    distance,
    generate,
    predicate,
    python_difference,
    record,
)
from unlike.indexed import Integers
from unlike.specs.generate import count

SPECS = {
    "numbers": Spec({"x": Int()}),
    "pairs": Spec({"x": Int(), "y": Int(0, 5)}),
    "apart": Spec({"x": Int()}, different=distance("x", 10)),
    "strings": Spec({"s": Str()}),
    "pattern": Spec({"s": Str("[a-z]+[0-9]*"), "b": Bool()}),
    "tied": Spec({"x": Int(0, 10**6), "y": Int(0, 10**6)}, where=lambda x, y: x + 2 * y == 1000),
    "tied strings": Spec({"s": Str(), "t": Str("[a-z]+")}, where=lambda s, t: (s.length == t.length) & (s != t)),
    "structure": Spec(
        {"r": record(d=Date(), t=Time(), o=Option(Real(0, 1))), "l": List(OneOf("a", "b"))},
        where=lambda r: r.d.month == 2,
    ),
}


@pytest.mark.parametrize("name", SPECS)
def test_a_larger_n_keeps_the_smaller_suite_as_its_beginning(name):
    longest = generate(SPECS[name], 70).values

    for n in (1, 2, 7, 33):
        assert generate(SPECS[name], n).values == longest[:n]


@pytest.mark.parametrize("name", SPECS)
def test_the_same_seed_gives_the_same_inputs_and_another_seed_others(name):
    one, again = (generate(SPECS[name], 20, seed=3).values for _ in range(2))
    other = generate(SPECS[name], 20, seed=4).values

    assert one == again
    assert one != other or name.startswith("tied")  # a solver may well find the same first models


@pytest.mark.corpus
def test_every_run_writes_the_same_bytes():
    command = [
        sys.executable,
        "-c",
        "from tests.specs.test_answers import *; print([generate(s, 25).values for s in SPECS.values()])",
    ]
    outputs = {
        subprocess.run(command, capture_output=True, check=True, env={"PYTHONHASHSEED": seed, "PATH": ""}).stdout
        for seed in ("1", "2", "77")
    }

    assert len(outputs) == 1


def test_plain_values_come_first():
    assert [value["x"] for value in generate(Spec({"x": Int()}), 5).values] == [0, 1, -1, 2, -2]
    assert [value["x"] for value in generate(Spec({"x": Int(50, 10**6)}), 3).values] == [50, 10**6, 51]
    assert [value["r"] for value in generate(Spec({"r": Real()}), 3).values] == [0.0, 1.0, -1.0]


def test_strings_are_printable_and_short_ones_come_first():
    strings = [value["s"] for value in generate(Spec({"s": Str()}), 100).values]

    assert all(string.isprintable() for string in strings)
    assert strings[0] == ""
    assert max(map(len, strings)) <= 20
    assert sum(map(len, strings[:10])) < sum(map(len, strings[-10:]))


def test_strings_from_the_solver_are_readable():
    spec = Spec({"s": Str(), "t": Str()}, where=lambda s, t: (s[0] == t[1]) & (s.length > 2) & (t.length > 2))

    suite = generate(spec, 10)
    values = suite.values
    assert "asked of z3" in suite.explanation

    letters = "".join(value["s"] + value["t"] for value in values)
    assert letters.isprintable()
    assert sum(char.isalnum() for char in letters) > 0.9 * len(letters)


def test_found_complete_maximal_and_unsatisfiable_are_told_apart():
    assert generate(Spec({"x": Int(0, 9)}), 3).status.ending is Ending.FOUND
    assert generate(Spec({"x": Int(0, 9)}), 30).status.ending is Ending.COMPLETE
    assert (
        generate(Spec({"x": Int(0, 9)}, different=python_difference(lambda a, b: a.x != b.x))).status.ending
        is Ending.MAXIMAL
    )
    assert generate(Spec({"x": Int(0, 9)}, where=lambda x: x > 9)).status.ending is Ending.UNSATISFIABLE


def test_so_many_as_there_are_is_complete_where_they_are_counted():
    less, all_, more = (generate(Spec({"x": Int(0, 9)}), n).status.ending for n in (9, 10, 11))

    assert (less, all_, more) == (Ending.FOUND, Ending.COMPLETE, Ending.COMPLETE)
    assert generate(Spec({"x": Int(0, 9)}, different=distance("x", 7)), 2).status.ending is Ending.COMPLETE


def test_lists_may_be_long_and_nested():
    nested = Int(0, 5)
    for _ in range(40):
        nested = List(nested)

    assert count(Spec({"x": List(Bool(), 1, 500)})) == (2**501 - 2, Status(Ending.COMPLETE))
    for value in (List(Int(), 0, 10**6), List(Str("aaa", max_length=2), 0, 10**6), nested):
        suite = generate(Spec({"x": value}), 5)

        assert suite.values[0] == {"x": []}
        assert suite.status.ending in (Ending.FOUND, Ending.COMPLETE)


def test_a_clash_is_minimal_and_in_the_users_words():
    spec = Spec(
        {"x": Int(0, 10**7), "y": Int(0, 10**7)},
        where=[lambda x, y: x > y, lambda x: x != 3, lambda x, y: y > x, lambda y: y < 500],
    )

    status = generate(spec).status

    assert status.clash == ("x > y", "y > x")


def test_bounds_that_matter_are_part_of_the_clash():
    status = generate(
        Spec({"x": Int(0, 10), "y": Int(0, 99)}, where=[lambda x, y: x + y > 200, lambda y: y > 3])
    ).status

    assert status.clash[0] == "(x + y) > 200"
    assert {"x is an Int from 0 to 10", "y is an Int from 0 to 99"} <= set(status.clash)


def test_an_empty_choice_is_reported_with_the_choice():
    spec = Spec({"x": Int(0, 5)}, different=unlike.enumerate_linear([lambda x: x > 9, lambda x: x < 0]))

    status = generate(spec).status

    assert status.ending is Ending.UNSATISFIABLE
    assert any("x > 9" in words for words in status.clash)


def test_a_predicate_that_raises_cuts_the_run_short_and_what_was_found_is_delivered():
    def moody(x):
        if x == 7:
            raise RuntimeError("no sevens")
        return True

    suite = generate(Spec({"x": Int(0, 7)}, where=predicate(moody)))

    assert suite.status.ending is Ending.FAILED
    assert "RuntimeError: no sevens" in suite.status.detail
    assert len(suite) == 7


def test_a_difference_that_raises_cuts_the_run_short_and_what_was_found_is_delivered():
    def moody(a, b):
        if 5 in (a.x, b.x):
            raise ValueError("five")
        return True

    suite = generate(Spec({"x": Int(0, 7)}, different=python_difference(moody)))

    assert suite.status.ending is Ending.FAILED
    assert [value["x"] for value in suite.values] == [0, 1, 2, 3, 4]


def test_a_solver_that_dies_cuts_the_run_short_and_what_was_found_is_delivered(monkeypatch):
    import z3

    from unlike.solvers import z3 as ours

    real, calls = z3.Solver.check, []

    def dies(self, *assumptions):
        calls.append(1)
        if len(calls) > 12:
            raise z3.Z3Exception("out of memory")
        return real(self, *assumptions)

    monkeypatch.setattr(ours.z3.Solver, "check", dies)
    monkeypatch.setattr("unlike.specs.asking.solvers_in_turn.is_installed", lambda name: name == "z3")

    suite = generate(SPECS["tied"], 200)

    assert suite.status.ending is Ending.UNKNOWN
    assert "out of memory" in suite.status.detail
    assert 0 < len(suite) < 200


def test_time_cuts_short_and_says_so():
    suite = generate(Spec({"x": Int(), "y": Int()}, where=lambda x, y: x * y == 600_851_475_143), timeout=0.3)

    assert suite.status.ending is Ending.TIMEOUT
    assert "0.3 s" in suite.status.detail


def test_an_interruption_delivers_what_was_found():
    def interrupt(found):
        if found >= 256:
            raise KeyboardInterrupt

    suite = generate(Spec({"x": Int()}), 1000, progress=interrupt)

    assert suite.status.ending is Ending.INTERRUPTED
    assert len(suite) == 256


def test_nothing_of_a_solver_outlives_its_answers():
    from unlike.solvers.z3 import Conversation

    spec = Spec({"x": Int(0, 50), "y": Int(0, 50)}, where=lambda x, y: x * y == 24)
    gc.collect()
    gc.disable()
    try:
        suite = generate(spec, encoding="loop")

        assert "z3" in str(suite.status)
        assert not [each for each in gc.get_objects() if isinstance(each, Conversation)]
    finally:
        gc.enable()


def test_exit_codes_follow_the_status():
    codes = {ending: unlike.Status(ending).exit_code for ending in Ending}

    assert codes[Ending.FOUND] == codes[Ending.COMPLETE] == codes[Ending.MAXIMAL] == 0
    assert codes[Ending.UNSATISFIABLE] == 1
    assert codes[Ending.UNKNOWN] == codes[Ending.TIMEOUT] == codes[Ending.FAILED] == codes[Ending.INTERRUPTED] == 3


def test_all_of_a_space_that_is_too_large_is_refused_with_its_size():
    with pytest.raises(unlike.ScopeError, match="4294967296 inputs"):
        generate(Spec({"x": Int()}))


def test_the_explanation_says_what_is_counted_and_what_is_asked_of_the_solver():
    spec = Spec(
        {"a": Int(), "x": Int(0, 10**6), "y": Int(0, 10**6)},
        where=lambda x, y: x + y == 9,
        different=unlike.some_of(differs_by("a"), differs_by("x")),
    )

    said = generate(spec, 5).explanation

    assert "a: enumerated directly (4294967296 numbers)" in said
    assert "x, y: another x: asked of z3, tied by (x + y) == 9" in said


def test_what_breaks_the_spec_never_leaves(monkeypatch):
    from unlike.specs import numbers

    monkeypatch.setattr(numbers, "_compare_codes", lambda line, *_: numbers.Intervals(((line.low, line.high),)))

    with pytest.raises(unlike.UnlikeError, match="breaks the spec"):
        generate(Spec({"x": Int(0, 9)}, where=lambda x: x > 5))


def test_what_is_alike_never_leaves(monkeypatch):
    from unlike.specs import plan

    monkeypatch.setattr(plan, "far_apart", lambda codes, least: [Integers(0, 8, 2)])

    with pytest.raises(unlike.UnlikeError, match="are alike"):
        generate(Spec({"x": Int(0, 9)}, different=distance("x", 3)))


def test_every_case_is_a_recipe_that_builds_a_fresh_input():
    case = generate(Spec({"l": List(Int(0, 1), min_length=1)}), 1)[0]

    first, second = case.value, case.value

    assert first == second
    assert first["l"] is not second["l"]


def test_a_record_builds_the_users_own_object():
    suite = generate(Spec({"d": record(dict, low=Int(0, 1), high=Int(5, 6))}))

    assert {"low": 0, "high": 6} in [value["d"] for value in suite.values]
    assert len(suite) == 4


def flights(where):
    cities = OneOf("Rome", "Oslo", "Bonn", "Lyon", "Faro", "Cork", "Nice", "Bern", "Graz", "Brno", "Ulm", "Kiel")
    day = Date(datetime.date(2024, 1, 1), datetime.date(2026, 12, 31))
    return Spec(
        {"start": cities, "end": cities, "depart": day, "arrive": day},
        where=[lambda start, end: start != end, where],
        different=differs_by(["start", "end"]),
    )


@pytest.mark.parametrize(
    "where",
    [lambda depart, arrive: arrive >= depart, lambda depart, arrive: (arrive >= depart) & (arrive - depart <= 2)],
)
def test_tied_dates_move_from_input_to_input_and_with_the_seed(where):
    days = [[value["depart"] for value in generate(flights(where), 120, seed=seed).values] for seed in (0, 0, 1)]

    assert days[0] == days[1] != days[2]
    assert days[0][:40] == [value["depart"] for value in generate(flights(where), 40).values]
    for each in days:
        assert len(set(each)) >= 20
        assert {day.year for day in each} == {2024, 2025, 2026}


def test_a_cover_of_which_some_are_shown_is_spread_over_its_branches():
    phone = r"(\+\d{1,3}[ -])?(\(\d{2,4}\)|\d{2,4})[ -]?\d{3,4}[ -]?\d{4}"
    spec = Spec({"phone": Str(phone)}, different=cover.regex("phone", phone))

    shown = [[value["phone"] for value in generate(spec, 20, seed=seed).values] for seed in (0, 1)]

    for phones in shown:
        assert {"digit" if each[0].isdigit() else each[0] for each in phones} == {"+", "(", "digit"}
        assert all(each.isascii() for each in phones)
    assert set(shown[0]) != set(shown[1])


def test_the_first_dates_are_the_ends_and_odd_days_of_the_calendar():
    spec = Spec({"day": Date(datetime.date(2023, 5, 3), datetime.date(2025, 3, 1))})

    first = [value["day"].isoformat() for value in generate(spec, 5).values]

    assert first == ["2023-05-03", "2025-03-01", "2024-02-29", "2023-12-31", "2023-10-29"]


def test_open_classes_show_ascii_letters_and_digits_first():
    names = [value["s"] for value in generate(Spec({"s": Str(r"[^@]+")}), 200).values]
    numbers = [value["s"] for value in generate(Spec({"s": Str(r"\d\d?")}), 100, seed=3).values]

    assert all(name.isascii() and name.isalpha() for name in names)
    assert all(number.isascii() for number in numbers)
