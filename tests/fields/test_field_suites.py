"""Field-exhaustive suites: every feasible pair is shown, every other refuted, and the suite is small."""

import importlib
import json
import os
import subprocess
import sys
import time

import pytest
from tests.corpora import but_slow
from tests.fields import subjects

import unlike
from unlike.core import Deadline
from unlike.covering_arrays import choose_few, count_needed
from unlike.errors import InvariantError, ScopeError, SolverError, TargetError
from unlike.field_exhaustive import fields
from unlike.field_exhaustive.pairs import pairs_of
from unlike.invariants.compile import formula
from unlike.suite import Ending


def example(place):
    module, _, name = place.partition(":")
    return getattr(importlib.import_module(f"examples.structures.{module}"), name)


TREE = example("binary_search_tree:BinarySearchTree")
RED_BLACK = example("red_black_tree:RedBlackTree")
CHAIN = example("sorted_chain:SortedChain")
HEAP = example("binomial_heap:BinomialHeap")

# (object, value) pairs to cover, by scope: hand-written encodings, a relational one and this compiler agree
PAIRS = [
    (TREE, {4: 40, 5: 57, 6: 77, 10: 187, 15: 392}),
    (RED_BLACK, {3: 31, 4: 48, 5: 66, 10: 222}),
    (CHAIN, {3: 16, 4: 25, 10: 121, 20: 441}),
    (HEAP, {10: 201}),
]


@pytest.mark.corpus
@pytest.mark.parametrize(("cls", "pairs"), PAIRS, ids=lambda each: getattr(each, "__name__", ""))
def test_as_many_pairs_are_feasible_as_independent_encodings_found(cls, pairs):
    for scope, count in pairs.items():
        result = fields(cls, scope, check=False)

        assert (len(result.shown), result.proved) == (count, True)


def test_the_extension_of_a_field_is_the_published_one():
    result = fields(TREE, 4)

    # section 4 of the paper: the extension of `left` at scope 4
    pairs = [(str(thing), str(value)) for thing, value in result.extensions.pairs["Node.left"]]
    assert pairs == [
        ("Node0", "None"), ("Node0", "Node1"),
        ("Node1", "None"), ("Node1", "Node2"), ("Node1", "Node3"),
        ("Node2", "None"), ("Node2", "Node3"),
        ("Node3", "None"),
    ]  # fmt: skip


@pytest.mark.few(4)
@pytest.mark.parametrize("cls", but_slow([TREE, RED_BLACK, CHAIN, HEAP, *subjects.FEATURES], subjects.SLOW))
@pytest.mark.parametrize("numbering", ["breadth-first", pytest.param("depth-first", marks=pytest.mark.corpus)])
def test_clauses_and_search_show_and_refute_the_same_pairs(cls, numbering):
    scope = 2 if cls in (*subjects.LARGE, HEAP) else 3

    clauses = fields(cls, scope, numbering=numbering, engine="clauses", check=False)
    search = fields(cls, scope, numbering=numbering, engine="search")

    assert clauses.shown == search.shown
    assert set(clauses.infeasible) == set(search.infeasible)
    assert clauses.proved
    assert search.proved


def test_every_pair_is_shown_by_some_structure_and_none_is_left_over():
    result = fields(RED_BLACK, 6)

    assert unlike.field_coverage(RED_BLACK, result.suite, 6).percentage == 100.0
    assert not result.undecided
    assert not result.shown & set(result.infeasible)


def test_no_structure_of_a_suite_is_needless():
    result = fields(TREE, 7, check=False)
    shown = [set(pairs_of(each, result.numbering, lambda _: True)) for each in result.structures]

    for place, pairs in enumerate(shown):
        assert not pairs <= set().union(*shown[:place], *shown[place + 1 :])


@pytest.mark.parametrize("scope", [3, 5, 6])
def test_the_smallest_suite_of_search_trees_has_two_structures_for_each_node(scope):
    result = fields(TREE, scope, smallest=True, check=False)

    # the exact minimum is 2k, found by set cover over all structures
    assert (result.count, result.bound, result.smallest) == (2 * scope, 2 * scope, True)


def test_a_suite_of_sorted_chains_is_as_small_as_can_be_proved():
    result = fields(CHAIN, 10, check=False)

    assert (result.count, result.bound, result.smallest) == (19, 19, True)


# structures in the published suites; ours are to have at most 40 % of that from scope 10 on
@pytest.mark.parametrize(("cls", "published"), [(TREE, 86), (RED_BLACK, 105), (CHAIN, 75), (HEAP, 98)])
def test_suites_have_at_most_two_fifths_of_the_published_structures(cls, published):
    assert fields(cls, 10, check=False).count <= 0.4 * published


def test_only_some_fields_make_a_suite_of_shapes():
    result = fields(TREE, 5, only=["left", "Node.right"])

    assert set(result.extensions.pairs) == {"Node.left", "Node.right"}
    assert result.count < fields(TREE, 5).count
    assert "left, Node.right" in result.guarantee


def test_list_valued_fields_booleans_and_enums_have_pairs_of_their_own():
    result = fields(subjects.Register, 2, elements=1)
    names = set(result.extensions.pairs)

    assert {"Register.others[0]", "len(Register.others)", "Company.public", "Employee.colour"} <= names
    assert "Employee1.colour = Colour.GREEN" in map(str, result.shown)


def test_bounds_written_out_are_the_extensions():
    result = fields(CHAIN, 3)
    data = json.loads(result.bounds_text())

    assert data["tight"] is True
    assert data["bounds"]["Node.next"] == {
        "Node0": ["None", "Node1"],
        "Node1": ["None", "Node2"],
        "Node2": ["None"],
    }


# -- what is said ----------------------------------------------------------------------------------------------


def test_a_construct_outside_the_subset_hands_over_to_the_search_and_is_named():
    result = fields(subjects.WithContext, 2)

    assert result.engine == "search"
    assert "WithContext.rep_ok, line" in result.reason
    assert "with" in result.reason
    assert result.proved, "the search came to its end"
    assert "found by search" in result.summary()


def test_a_search_that_is_cut_short_leaves_pairs_undecided(monkeypatch):
    monkeypatch.setattr("unlike.field_exhaustive.verbs.MOST_RUNS", 10)

    result = fields(TREE, 5, engine="search")

    assert result.status.ending is Ending.UNKNOWN
    assert result.undecided
    assert not result.infeasible
    assert not result.proved
    assert "NOT proved" in result.summary()


def test_a_timeout_leaves_pairs_undecided():
    result = fields(RED_BLACK, 12, timeout=0.02, check=False)

    assert result.status.ending is Ending.TIMEOUT
    assert not result.proved
    assert result.undecided


def test_no_structure_at_all_is_said():
    result = fields(Never, 2)

    assert result.status.ending is Ending.UNSATISFIABLE
    assert result.count == 0


class Never:
    root: subjects.Small | None

    def rep_ok(self):
        return self.root is not None and self.root.key < 0


# -- mutual checks ---------------------------------------------------------------------------------------------


def test_a_wrong_compilation_is_caught_and_not_believed(monkeypatch):
    true_pairs = fields(TREE, 4).shown
    # the mistake: a comparison of keys asserts nothing
    monkeypatch.setattr("unlike.invariants.compile.holding._hold_order", lambda *_: None)

    result = fields(TREE, 4)

    assert result.engine == "search"
    assert "the clauses are not trusted: at scope 2 the clauses accept" in result.reason
    assert result.shown == true_pairs


def test_a_wrong_compilation_is_caught_by_the_invariant_itself_where_nothing_was_compared(monkeypatch):
    monkeypatch.setattr("unlike.invariants.compile.holding._hold_order", lambda *_: None)

    result = fields(TREE, 4, check=False)

    assert result.engine == "search"
    assert "rep_ok rejects" in result.reason


def test_a_compilation_that_loses_structures_is_caught(monkeypatch):
    def nothing_is_equal(run, one, other, site, *_, **__):
        run.formula.add(-site.guard)

    monkeypatch.setattr("unlike.invariants.compile.holding._hold_equality", nothing_is_equal)

    result = fields(TREE, 3)

    assert result.engine == "search"
    assert "at scope 1 the invariant accepts BinarySearchTree(root=None, size=0), the clauses do not" in result.reason
    with pytest.raises(InvariantError, match="does not become clauses"):
        fields(TREE, 3, engine="clauses")


# -- plain records ---------------------------------------------------------------------------------------------


def test_a_dataclass_without_an_invariant_is_covered_field_by_field():
    result = fields(subjects.Equal, 4)

    # four keys, and one object has one key
    assert (result.count, len(result.shown), result.bound) == (4, 4, 4)


def test_a_spec_gives_the_fewest_inputs_that_show_every_value():
    spec = unlike.Spec({"x": unlike.Int(0, 3), "flag": unlike.Bool()}, where=lambda x, flag: (x > 0) | flag)

    few = unlike.fields(spec)

    assert len(few.suite) == few.bound == 4
    assert (few.shown, few.proved) == (6, True)
    assert {case.value["x"] for case in few.suite} == {0, 1, 2, 3}
    assert {case.value["flag"] for case in few.suite} == {False, True}


def test_the_fewest_of_a_suite_of_records_show_all_its_values():
    suite = unlike.generate(subjects.Switches, "all", cover="all")

    few = unlike.fewest(suite)

    assert (len(suite), len(few.suite), few.shown, few.bound) == (8, 2, 6, 2)


def test_choosing_few_is_right_and_its_bound_is_a_bound():
    shown = [{1, 2}, {3}, {1, 3}, {4}, set()]

    places = choose_few(shown)

    assert set().union(*(shown[place] for place in places)) == {1, 2, 3, 4}
    assert count_needed(shown) <= len(places) == 3


# -- bad input -------------------------------------------------------------------------------------------------


def test_bad_input_is_one_message_with_its_value():
    with pytest.raises(TargetError, match="has no method 'rep_okay'"):
        fields(TREE, 3, invariant="rep_okay")
    with pytest.raises(TargetError, match="give a class"):
        fields(3)
    with pytest.raises(ScopeError, match=r"--only 'lefft': there is no such field; there are: BinarySearchTree.root"):
        fields(TREE, 3, only=["lefft"])
    with pytest.raises(ScopeError, match="numbering='upwards'"):
        fields(TREE, 3, numbering="upwards")
    with pytest.raises(ScopeError, match="engine='z3'"):
        fields(TREE, 3, engine="z3")
    with pytest.raises(ScopeError, match="timeout=0"):
        fields(TREE, 3, timeout=0)


def test_without_python_sat_the_search_answers_and_says_so(monkeypatch):
    def missing(*_):
        raise SolverError("python-sat is not installed; pip install 'unlike[sat]'")

    monkeypatch.setattr(formula, "new_solver", missing)
    result = fields(TREE, 3)

    assert result.engine == "search"
    assert "unlike[sat]" in result.reason
    assert len(result.shown) == 26
    with pytest.raises(SolverError, match="not installed"):
        fields(TREE, 3, engine="clauses")


@pytest.mark.corpus
def test_the_same_suite_comes_out_whatever_the_hash_seed():
    code = "import unlike; from examples.structures.red_black_tree import RedBlackTree as R; print(*unlike.fields(R, 6, smallest=True).structures)"
    texts = [
        subprocess.run(
            [sys.executable, "-c", code], env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("1", "2")
    ]

    assert texts[0] == texts[1]


# -- compiling that takes too long -----------------------------------------------------------------------------


def _out_of_time(*_, **__):
    deadline = Deadline.of(1e-9)
    time.sleep(0.001)
    deadline.check()


def test_the_search_answers_where_an_invariant_is_not_compiled_in_time(monkeypatch):
    tree = example("binary_search_tree:BinarySearchTree")
    every = fields(tree, 2, engine="search")
    monkeypatch.setattr("unlike.field_exhaustive.by_clauses.compile_invariant", _out_of_time)

    found = fields(tree, 2, timeout=60, check=False)

    assert (found.engine, found.reason) == ("search", "the invariant was not compiled in time")
    assert found.shown == every.shown
    assert found.proved


def test_the_search_finds_all_structures_where_shapes_are_not_compiled_in_time(monkeypatch):
    tree = example("binary_search_tree:BinarySearchTree")
    monkeypatch.setattr("unlike.invariants.verbs.FEW_RUNS", 1)
    monkeypatch.setattr("unlike.invariants.verbs._compile_for_hybrid", _out_of_time)

    found = unlike.structures(tree, 3, timeout=60)

    assert (found.engine, found.count) == ("search", 15)
    assert found.status.ending is Ending.COMPLETE
