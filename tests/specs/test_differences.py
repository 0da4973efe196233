"""The combinators have the paper's meaning."""

import itertools
import re
from random import Random

import pytest

import unlike
from unlike import (
    Bool,
    Ending,
    Int,
    List,
    OneOf,
    Place,
    Spec,
    Str,
    all_of,
    always,
    cover,
    different_lengths,
    differs_by,
    distance,
    edit_distance,
    enumerate_,
    enumerate_linear,
    generate,
    ite,
    never,
    not_different,
    predicate,
    python_difference,
    relation,
    some_of,
)

X = {"x": Int(0, 9)}


def xs(**said):
    return [value["x"] for value in generate(Spec(X, **said)).values]


def test_without_a_difference_every_input_appears_once():
    assert sorted(xs()) == list(range(10))


def test_never_and_always_mean_not_equal_when_nothing_else_is_said():
    assert len(xs(different=never)) == len(xs(different=always)) == 10


def test_differences_given_as_a_list_are_alternatives():
    spec = Spec({"x": Int(0, 9), "y": Bool()}, different=[distance("x", 5), differs_by("y")])

    suite = generate(spec)

    assert len(suite) == 4  # two numbers five apart, for each of two truths
    assert suite.status.ending is Ending.COMPLETE


def test_all_of_needs_both_and_the_scarcer_one_bounds_the_suite():
    suite = generate(Spec({"x": Int(0, 9), "y": Bool()}, different=all_of(differs_by("x"), differs_by("y"))))

    assert len(suite) == 2
    assert suite.status.ending is Ending.COMPLETE


def test_some_of_never_is_the_other_part_and_all_of_always_too():
    assert xs(different=some_of(never, distance("x", 3))) == xs(different=distance("x", 3))
    assert xs(different=all_of(always, distance("x", 3))) == xs(different=distance("x", 3))


def test_not_different_keeps_only_inputs_that_are_alike():
    spec = Spec({"x": Int(0, 9), "y": Bool()}, different=not_different(differs_by("y")))

    values = generate(spec).values

    assert len(values) == 10
    assert len({value["y"] for value in values}) == 1


def test_ite_tells_apart_what_the_condition_tells_apart():
    found = xs(different=ite(lambda x: x < 4, differs_by("x"), never))

    assert sorted(x for x in found if x < 4) == [0, 1, 2, 3]
    assert len([x for x in found if x >= 4]) == 1


def test_prefer_small_numbers():
    small = enumerate_([lambda x: x < 100, lambda x: x >= 100], [differs_by("x"), distance("x", 50)])

    found = [value["x"] for value in generate(Spec({"x": Int(0, 999)}, different=small)).values]

    assert sorted(found) == [*range(100), *range(100, 1000, 50)]


def test_a_relation_holds_both_ways():
    found = xs(different=relation(lambda a, b: (a.x + b.x) % 2 == 1))

    assert {x % 2 for x in found} == {0, 1}
    assert len(found) == 2


def test_a_relation_that_cannot_hold_both_ways_leaves_one_input():
    assert len(xs(different=relation(lambda a, b: a.x < b.x))) == 1


def test_a_python_difference_sees_built_values_and_claims_no_proof():
    spec = Spec({"x": Int(0, 9)}, different=python_difference(lambda a, b: a.x // 5 != b["x"] // 5))

    suite = generate(spec)

    assert len(suite) == 2
    assert suite.status.ending is Ending.MAXIMAL


def test_a_python_difference_may_change_what_it_is_given():
    def changing(a, b):
        answer = a.x != b.x
        a.x.clear()
        return answer

    suite = generate(Spec({"x": List(Int(0, 1), 0, 2)}, different=python_difference(changing)))

    assert len(suite) == 1 + 2 + 4


def test_edit_distance_counts_edits():
    suite = generate(Spec({"s": Str("[ab]{0,3}")}, different=edit_distance("s", 3)))

    strings = [value["s"] for value in suite.values]
    assert len(strings) >= 2
    assert {len(s) for s in strings} & {0, 3}


def test_different_lengths_of_a_regex_are_all_the_lengths_it_has():
    suite = generate(Spec({"s": Str("(ab)*", max_length=9)}, different=different_lengths("s")))

    assert sorted(len(value["s"]) for value in suite.values) == [0, 2, 4, 6, 8]
    assert suite.status.ending is Ending.COMPLETE


def test_covering_a_regex_takes_every_branch_once():
    suite = generate(Spec({"s": Str()}, different=cover.regex("s", "[a-zA-Z0-9_]+")))

    # the four pieces of the class, each alone and each as the first of several
    assert len(suite) == 8
    assert suite.status.ending is Ending.COMPLETE
    assert all(case.label for case in suite)


def test_covering_a_regex_under_another_constraint_proves_which_branches_have_no_string():
    suite = generate(Spec({"s": Str()}, where=lambda s: s.contains("x"), different=cover.regex("s", "[a-z]+|[0-9]+|_")))

    assert all("x" in value["s"] for value in suite.values)
    assert len(suite) == 2  # [a-z] alone and several
    assert suite.status.ending is Ending.COMPLETE


def test_covering_a_regex_in_a_string_tied_to_another_is_exact():
    spec = Spec(
        {"s": Str(), "t": Str("[ab]+")},
        where=lambda s, t: s.length == t.length + 1,
        different=cover.regex("s", "[a-z]+|[0-9]+x|_"),
    )

    suite = generate(spec)

    for value in suite.values:
        assert re.fullmatch("[a-z]+|[0-9]+x|_", value["s"])
        assert len(value["s"]) == len(value["t"]) + 1
    assert len(suite) == 4  # "_" has length 1, and then t would be empty
    assert suite.status.ending is Ending.COMPLETE


def test_the_calendar_pairs_times_and_zones():
    times = r"(1[0-2]|[1-9]):[0-5]\d(\s)?(AM|PM)|(([0-1]?\d)|2[0-3]):[0-5]\d"
    spec = Spec(
        {"where": Place("Tokyo", "Seoul", "London"), "time": Str(f"({times})?")},
        different=[cover.regex("time", times), differs_by("where.zone")],
    )

    suite = generate(spec)

    assert len(suite) == 33  # eleven branches, three zones
    assert suite.status.ending is Ending.COMPLETE


# -- theorem 4.1 ------------------------------------------------------------------------------------------


def interval(random):
    low = random.randint(0, 11)
    high = random.randint(low, 11)
    return lambda x: (x >= low) & (x <= high), set(range(low, high + 1))


@pytest.mark.parametrize("seed", range(60))
def test_each_assertion_of_a_list_is_visited_at_most_once_and_by_another_input(seed):
    random = Random(seed)
    made = [interval(random) for _ in range(random.randint(1, 6))]
    spec = Spec({"x": Int(0, 11)}, different=enumerate_linear([written for written, _ in made]))

    suite = generate(spec, engine=random.choice(["auto", "solver"]))

    found = [value["x"] for value in suite.values]
    assert len(found) == len(set(found)) <= len(made)
    # some order of choices explains the inputs: each input by a different assertion
    sets = [members for _, members in made]
    assert any(
        all(x in sets[i] for x, i in zip(found, order, strict=True))
        for order in itertools.permutations(range(len(sets)), len(found))
    )


@pytest.mark.parametrize("seed", range(60))
def test_assertions_that_exclude_each_other_are_each_visited_exactly_once_also_when_nested(seed):
    random = Random(seed)
    cuts = sorted(random.sample(range(1, 30), random.randint(1, 6)))
    bounds = list(itertools.pairwise([0, *cuts, 30]))
    random.shuffle(bounds)
    impossible = [(40, 50)] if random.random() < 0.5 else []
    written = [lambda x, low=low, high=high: (x >= low) & (x < high) for low, high in [*bounds, *impossible]]
    middle = random.randint(0, len(written))
    nested = enumerate_([lambda x: x >= 0], [enumerate_linear(written)])
    if 0 < middle < len(written):
        halves = [written[:middle], written[middle:]]
        nested = enumerate_([lambda x: x >= 0, lambda x: x >= 0], [enumerate_linear(half) for half in halves])

    suite = generate(Spec({"x": Int(0, 29)}, different=nested), engine=random.choice(["auto", "solver"]))

    found = [value["x"] for value in suite.values]
    assert sorted(sum(low <= x < high for x in found) for low, high in bounds) == [1] * len(bounds)
    assert suite.status.ending is Ending.COMPLETE


def test_a_choice_does_not_count_as_a_difference_of_the_input():
    suite = generate(Spec({"x": Int(0, 0)}, different=enumerate_linear([lambda x: x < 5, lambda x: x < 3])))

    assert len(suite) == 1


def test_overlapping_choices_are_matched_as_well_as_possible():
    suite = generate(
        Spec({"x": Int(0, 3)}, different=enumerate_linear([lambda x: x < 2, lambda x: x < 1, lambda x: x > 0]))
    )

    assert len(suite) == 3
    assert suite.status.ending is Ending.COMPLETE


def test_choices_that_overlap_are_told_apart_by_other_blanks():
    spec = Spec({"x": Int(0, 0), "y": Bool()}, different=enumerate_linear([lambda x: x < 2, lambda x: x < 1]))

    assert len(generate(spec)) == 2


def test_opaque_predicates_filter_and_are_reported_when_they_cannot_be_exhausted():
    small = generate(Spec({"x": Int(0, 50)}, where=predicate(lambda x: x % 7 == 0)))
    large = generate(Spec({"x": Int()}, where=predicate(lambda x: x % 7 == 0)), 5)
    never_true = generate(Spec({"x": Int()}, where=predicate(lambda x: False)), 5)

    assert sorted(value["x"] for value in small.values) == list(range(0, 51, 7))
    assert small.status.ending is Ending.COMPLETE
    assert len(large) == 5
    assert never_true.status.ending is Ending.UNKNOWN
    assert "20000 candidates" in never_true.status.detail


def test_an_enumeration_of_over_thirty_values_is_enumerated():
    codes = [f"C{i:02}" for i in range(35)]

    assert [value["code"] for value in generate(Spec({"code": OneOf(*codes)})).values] == codes


def test_nothing_of_unlike_is_loaded_that_is_not_used():
    assert unlike.generate is generate


def test_a_cover_of_a_string_that_plain_python_must_accept_still_combines_with_other_blanks():
    pattern = "[a-z]+|[0-9]+|_x?"
    spec = Spec(
        {"count": Int(), "name": Str(pattern)},
        where=predicate(lambda name: len(name) != 1),
        different=[cover.regex("name", pattern), distance("count", 10)],
    )

    suite = generate(spec, 12)

    assert suite.status.ending is Ending.FOUND
    assert "one for each branch" not in suite.status.detail
    assert {value["name"][0].isalpha() for value in suite.values} == {True, False}
    assert "asked of z3" not in suite.explanation
