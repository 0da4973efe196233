"""Objects out of abstract states: all by index, some at random, one per shape, with extreme values."""

from __future__ import annotations

import ast
import json
import random
import sys

import pytest
from examples.structures.binary_search_tree import BinarySearchTree
from examples.structures.node_caching_linked_list import NodeCachingLinkedList
from examples.structures.red_black_tree import RedBlackTree

from unlike.classes.open.result import OpenResult
from unlike.classes.open.shape_objects import extremes, representative
from unlike.cli import main as command_line
from unlike.errors import RecipeError, ScopeError, UnlikeError
from unlike.explore import Result, explore
from unlike.indexed import Listed
from unlike.suite import Case, Ending, Status, Suite
from unlike.zones.points import Points
from unlike.zones.zone import Zone

LIST = "examples.structures.node_caching_linked_list:NodeCachingLinkedList"
TREE = "examples.structures.binary_search_tree:BinarySearchTree"


def opened(cls: type, scope: int, methods: str) -> OpenResult:
    result = explore(cls, scope=scope, methods=methods, values="symbolic", in_process=True)
    assert isinstance(result, OpenResult)
    return result


@pytest.fixture(scope="module")
def lists() -> OpenResult:
    return opened(NodeCachingLinkedList, 12, "add_last|remove_index")


def state(result: Result, thing: object) -> object:
    walker = result.search.code.walker
    return walker.heap(walker.capture(thing))


# -- all of them --------------------------------------------------------------------------------------


def test_a_suite_of_a_trillion_objects_is_counted_and_indexed_without_being_stored(lists):
    # the law of the list: sum over s < k of (k - s) k^s
    assert lists.suite.count() == lists.states == sum((12 - s) * 12**s for s in range(12)) == 884_241_366_768

    indices = [0, 884_241_366_767, *random.Random(1).sample(range(884_241_366_768), 5)]
    cases = [lists.suite[index] for index in indices]

    assert len({case.id for case in cases}) == len(cases)
    for index, case in zip(indices, cases, strict=True):
        assert case.id == f"NodeCachingLinkedList-{index}"
        assert case.value.rep_ok()


def test_samples_are_drawn_by_index_and_repeat_with_their_seed(lists):
    one, again, other = (lists.suite.sample(4, seed=seed) for seed in (1, 1, 2))

    assert [case.id for case in one] == [case.id for case in again] != [case.id for case in other]
    assert one.status == Status(Ending.FOUND, "drawn from 884241366768")
    assert "4 drawn at random (seed 1) from every object" in one.guarantee
    assert lists.suite.sample(0).count() == 0


def test_a_sample_of_more_than_there_are_is_all():
    suite = Suite("x", Listed([]), Status(Ending.COMPLETE))

    assert suite.sample(3) is suite


def test_objects_of_a_shape_are_those_that_its_cases_build():
    result = opened(RedBlackTree, 5, "add|remove")

    for shape in result.shapes:
        made = [state(result, each) for each in shape.objects()]

        assert made == [state(result, shape.at(index).value) for index in range(shape.count())]
        assert len(set(shape.states())) == shape.count()


def test_values_of_arguments_that_left_the_object_are_in_the_recipe():
    # a removed element is in no slot of the object, but the sequence must still name it
    result = opened(BinarySearchTree, 4, "insert|remove")

    for case in result.suite:
        assert all(isinstance(value, int) for step in case.recipe.steps[1:] for value in step.args)
        assert case.value.rep_ok()


def test_a_case_of_a_large_suite_that_gives_another_state_is_refused(lists, monkeypatch):
    shape = lists.shapes[5]
    monkeypatch.setattr(type(shape), "replays", lambda self, point: False)

    with pytest.raises(RecipeError, match="gave another state"):
        lists.suite[shape.first]


def test_a_shape_that_can_be_neither_counted_nor_listed_cuts_the_suite_short(monkeypatch):
    def refuse_pairs(zones):
        if len(zones[0].bounds) == 3:
            raise ScopeError("too much")
        return Points(zones)

    monkeypatch.setattr(sys.modules["unlike.classes.open.result"], "Points", refuse_pairs)

    result = opened(NodeCachingLinkedList, 4, "add_last|remove_index")

    assert result.status.ending is Ending.UNKNOWN
    assert "2 of 10 shapes are not counted" in result.status.detail
    assert result.states == 112 - 2 * 4**2


def test_a_large_suite_is_streamed_in_order(lists):
    start = lists.shapes[4].first

    streamed = [case.id for case in (lists.suite[start + step] for step in range(20))]

    assert streamed == [f"NodeCachingLinkedList-{start + step}" for step in range(20)]


# -- one per shape ------------------------------------------------------------------------------------


def test_one_per_shape_has_an_object_in_every_abstract_state(lists):
    suite = lists.one_per_shape()

    assert suite.count() == lists.abstract_states == 78
    assert "78 stand for the 884,241,366,768 objects" in suite.guarantee
    assert suite.status.ending is Ending.COMPLETE
    assert all(case.value.rep_ok() for case in suite)


def test_zones_of_one_shape_each_have_an_object():
    result = opened(RedBlackTree, 8, "add|remove")
    several = [shape for shape in result.shapes if len(shape.zones) > 1]
    assert several

    suite = result.one_per_shape()

    found = [state(result, case.value) for case in suite]
    for shape in several:
        for zone in shape.zones:
            stand_ins = [result.search.frontier.objects_at(shape.number, point)[0] for point in Points([zone])]
            assert any(state(result, each) in found for each in stand_ins)


def test_boundary_adds_the_smallest_and_largest_of_every_value():
    result = opened(NodeCachingLinkedList, 4, "add_last|remove_index")
    plain, wide = result.one_per_shape(), result.one_per_shape(boundary=True)

    assert {case.label for case in plain} <= {case.label for case in wide}
    for shape in result.shapes:
        points = [each.point for each in wide.cases.space.members if each.shape is shape]  # type: ignore[attr-defined]
        assert all({0, 3} <= set(column) for column in zip(*points, strict=True))


def test_a_representative_has_different_values_where_it_may():
    assert representative(Zone.box((0, 5), (0, 5), (0, 5))) == (0, 1, 2)
    assert representative(Zone.box((0, 1), (0, 1), (0, 1))) == (0, 1, 0)
    tied = Zone.box((0, 5), (0, 5)).equal(1, 2, 0)
    assert tied is not None
    assert representative(tied) == (0, 0)


def test_extremes_are_points_even_where_a_bound_is_taken():
    holed = Zone.box((0, 3), (0, 3)).not_equal(1, 2, 0)
    assert holed is not None

    found = list(extremes(holed))

    assert all(point in holed for point in found)
    assert [min(column) for column in zip(*found, strict=True)] == [0, 0]
    assert [max(column) for column in zip(*found, strict=True)] == [3, 3]


def test_abstract_states_are_shown_with_named_unknowns(lists):
    tree = opened(BinarySearchTree, 4, "insert")

    labels = [case.label for case in tree.one_per_shape()]

    assert labels[3] == (
        "BinarySearchTree(); insert(0); insert(1)\n"
        "Stands for 6 objects: BinarySearchTree(root=Node(key=a, right=Node(key=b)), size=2) where a < b"
    )
    assert "abstract state: BinarySearchTree(root=Node(key=a), size=1) where a any" in tree.explanation
    assert "and 58 more abstract states" in lists.explanation


def test_where_both_ways_were_gone_one_per_shape_is_there_too():
    result = explore(BinarySearchTree, scope=3, methods="insert")

    assert not isinstance(result, OpenResult)
    assert result.one_per_shape().count() == 9  # of 15 objects


def test_concrete_values_have_no_shapes():
    result = explore(BinarySearchTree, scope=3, methods="insert", values="concrete")

    with pytest.raises(UnlikeError, match=r"only where values are left open.*as asked.*--values symbolic"):
        result.one_per_shape()


# -- on the command line ------------------------------------------------------------------------------


@pytest.fixture
def run(capsys):
    def run(*words: str, code: int = 0) -> str:
        with pytest.raises(SystemExit) as ended:
            command_line(["explore", *words])
        assert ended.value.code == code
        captured = capsys.readouterr()
        return captured.out if code == 0 else captured.err

    return run


def test_one_per_shape_is_written_as_tests_that_say_for_what_they_stand(run):
    text = run(TREE, "--methods", "insert", "--scope", "4", "--one-per-shape", "--format", "pytest")

    ast.parse(text)
    assert text.count("def test_") == 31  # and 8 longer sequences
    assert "an object for each abstract state: 23 stand for" in text.replace("\n", " ")
    assert "Stands for 6 objects: BinarySearchTree(root=Node(key=a, right=Node(key=b)), size=2) where a < b." in text


def test_tests_of_every_object_say_where_another_shape_begins(run):
    text = run(TREE, "--methods", "insert", "--scope", "4", "--format", "pytest")

    ast.parse(text)
    assert text.count("def test_") == 59  # and 8 longer sequences
    before = "# 6 objects: BinarySearchTree(root=Node(key=a, right=Node(key=b)), size=2) where a < b\ndef test_"
    assert text.count(before) == 1


def test_shapes_that_were_listed_are_mentioned(monkeypatch):
    monkeypatch.setattr("unlike.zones.points.Points.listed", True)

    result = opened(BinarySearchTree, 4, "insert")

    assert result.counting == "values of 23 of 23 shapes had to be listed to be counted"
    assert result.counting in result.explanation


def test_some_of_very_many_objects_can_be_had(run):
    text = run(LIST, "--methods", "add_last|remove_index", "--scope", "9", "--sample", "3", "--format", "jsonl")
    lines = [json.loads(line) for line in text.splitlines() if line.startswith("{")]

    index = lines[1]["id"].rpartition("-")[2]
    alone = run(LIST, "--methods", "add_last|remove_index", "--scope", "9", "--at", index, "--format", "jsonl")

    assert len(lines) == 3
    assert json.loads(alone.splitlines()[0]) == lines[1]


def test_text_lists_what_was_selected(run):
    text = run(TREE, "--methods", "insert", "--boundary")

    assert "Stands for 3 objects: BinarySearchTree(root=Node(key=a), size=1) where a any" in text


def test_more_than_a_file_holds_is_refused(run):
    words = [LIST, "--methods", "add_last|remove_index", "--scope", "12", "--format", "json"]

    assert "884241366768 objects are more than a file holds; take one per shape" in run(*words, code=2)


def test_an_index_that_is_not_there_is_refused(run):
    assert "--at 99999 must be at least 0 and below the number of objects, 15" in run(
        TREE, "--methods", "insert", "--at", "99999", code=2
    )


def test_what_is_handed_out_may_stand_in_a_file(run, tmp_path):
    config = tmp_path / "explore.toml"
    config.write_text('methods = "insert"\nscope = 4\nboundary = true\n')

    text = run(TREE, "--config", str(config))

    assert "Stands for 4 objects: BinarySearchTree(root=Node(key=a), size=1) where a any" in text
    config.write_text('methods = "insert"\nsample = "many"\n')
    assert "sample='many' must be a whole number" in run(TREE, "--config", str(config), code=2)


@pytest.mark.corpus
def test_a_test_runs_on_one_object_per_shape(pytester):
    pytester.makepyfile(
        test_it="""
        import unlike
        from examples.structures.binary_search_tree import BinarySearchTree

        @unlike.objects(BinarySearchTree, scope=4, methods="insert", one_per_shape=True)
        def test_shapes(tree):
            assert tree.rep_ok()

        @unlike.objects(BinarySearchTree, scope=30, objects={"Node": 9}, methods="insert")
        def test_all(tree): ...
        """
    )

    ran = pytester.runpytest("-p", "no:cacheprovider", "-p", "no:hypothesispytest")

    ran.assert_outcomes(passed=23, errors=1)
    ran.stdout.fnmatch_lines(["*objects are more than a test can run on; take one_per_shape=True*"])


def test_a_label_without_a_second_line_stays_as_it_was():
    from unlike.writers.pytest_file.drafts import docs

    assert docs(Case(None, "Cart()").label) == ['    """Cart()."""']  # type: ignore[arg-type]
