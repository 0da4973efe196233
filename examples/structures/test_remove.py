"""Tests on every tree that the invariant accepts: whatever `remove` gets, it must leave a sound tree.

Nothing but `rep_ok` makes the trees, so a tree that `insert` would never build is tried, too.
"""

from __future__ import annotations

import unlike
from examples.structures.binary_search_tree import BinarySearchTree, BuggyBinarySearchTree


@unlike.objects(BinarySearchTree, scope=4, source="invariant")
def test_remove_leaves_a_sound_tree(tree: BinarySearchTree) -> None:
    tree.remove(1)

    assert tree.rep_ok()


@unlike.objects(BuggyBinarySearchTree, scope=4, source="invariant")
def test_remove_leaves_a_sound_tree_but_for_the_planted_bug(tree: BuggyBinarySearchTree) -> None:
    tree.remove(1)

    assert tree.rep_ok()
