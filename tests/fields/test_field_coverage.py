"""How many of the feasible field values a suite shows, whoever made it."""

import pytest
from examples.structures.binary_search_tree import BinarySearchTree, Node

import unlike
from unlike.errors import TargetError


def tree(*keys):
    made = BinarySearchTree()
    for key in keys:
        made.insert(key)
    return made


def test_objects_made_by_hand_are_measured_pair_by_pair():
    coverage = unlike.field_coverage(BinarySearchTree, [tree(), tree(0)], 2)

    # of 15 pairs: root None and Node0, size 0 and 1, key 0, left None, right None
    assert (coverage.shown, coverage.feasible) == (7, 15)
    assert coverage.percentage == pytest.approx(46.7, abs=0.05)
    assert str(coverage.missing[0]) == "BinarySearchTree0.size = 2"
    assert "Node0.left = Node1" in map(str, coverage.missing)
    assert coverage.exit_code == 1


def test_all_explored_objects_show_everything_and_are_more_than_enough():
    explored = unlike.explore(BinarySearchTree, scope=3, methods="insert").suite

    coverage = unlike.field_coverage(BinarySearchTree, explored, 3)

    assert (coverage.percentage, coverage.missing, coverage.exit_code) == (100.0, (), 0)
    assert coverage.objects == 15
    assert coverage.needed < 15


def test_objects_that_the_invariant_rejects_show_nothing():
    broken = tree(1, 0)
    broken.size = 5

    coverage = unlike.field_coverage(BinarySearchTree, [broken], 2)

    assert (coverage.shown, coverage.invalid) == (0, 1)
    assert "1 objects do not count" in coverage.summary()


def test_values_outside_the_scope_are_counted_apart():
    coverage = unlike.field_coverage(BinarySearchTree, [tree(7)], 2)

    assert coverage.outside == 1  # the key
    assert coverage.shown == 4  # root, size, left and right


def test_never_quite_all_is_never_called_a_hundred():
    coverage = unlike.field_coverage(BinarySearchTree, [], 3)
    almost = type(coverage)(9999, 10000, coverage.missing[:1], 1, 0, 0, 1, coverage.status)

    assert almost.percentage < 100


def test_objects_of_another_class_are_refused():
    with pytest.raises(TargetError, match="a Node is in the suite, and BinarySearchTree is measured"):
        unlike.field_coverage(BinarySearchTree, [Node(1)], 2)


def test_only_some_fields_can_be_measured():
    coverage = unlike.field_coverage(BinarySearchTree, [tree(0, 1)], 2, only=["left"])

    assert {str(pair) for pair in coverage.missing} == {"Node0.left = Node1"}
    assert coverage.feasible == 3
