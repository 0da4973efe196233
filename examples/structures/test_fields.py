"""Tests on a few structures that show every value a field can have at all: 26 search trees instead of 223,191."""

from __future__ import annotations

import unlike
from examples.structures.binary_search_tree import BinarySearchTree, BuggyBinarySearchTree


def empty(tree: BinarySearchTree) -> None:
    """Remove the root again and again, and look at what is left each time."""
    while tree.root is not None:
        tree.remove(tree.root.key)

        assert tree.rep_ok()


@unlike.fields(BinarySearchTree, scope=10)
def test_removing_roots_leaves_a_sound_tree(tree: BinarySearchTree) -> None:
    empty(tree)


@unlike.fields(BuggyBinarySearchTree, scope=10, only=["left", "right"])
def test_a_few_shapes_find_the_planted_bug(tree: BuggyBinarySearchTree) -> None:
    empty(tree)
