"""`@unlike.fields` in a scratch project with real pytest processes."""

import re
from pathlib import Path

import examples.structures
import pytest

TREE = """
class Node:
    left: "Node | None"
    right: "Node | None"
    key: int


class Tree:
    root: Node | None
    size: int

    def __init__(self):
        self.root = None
        self.size = 0

    def rep_ok(self):
        if self.root is None:
            return self.size == 0
        visited, work = {self.root}, [self.root]
        while work:
            node = work.pop(0)
            for child in (node.left, node.right):
                if child is not None:
                    if child in visited:
                        return False
                    visited.add(child)
                    work.append(child)
        return self.size == len(visited)
"""

TEST = """
import unlike
from tree import Tree

@unlike.fields(Tree, scope=3, only=["left", "right"])
def test_shapes(tree: Tree):
    assert tree.rep_ok()
    assert tree.size <= 3

@unlike.fields(Tree, scope=2)
def test_sizes(tree: Tree):
    assert tree.size < 2
"""


@pytest.mark.corpus
def test_each_structure_of_a_field_exhaustive_suite_is_one_item_and_is_replayed(project):
    project.write(tree=TREE, test_it=TEST)

    first = project.run("-v", "-p", "no:cacheprovider")
    again = project.run("-v", "-p", "no:cacheprovider", "--unlike-frozen")

    assert first.text.count("test_shapes") >= 3
    assert "failed" in first.text  # the trees of two nodes
    assert first.text.count(" PASSED") == again.text.count(" PASSED") > 3
    assert first.text.count(" FAILED") == again.text.count(" FAILED") > 0


def test_looking_at_a_suite_makes_it_and_decorating_does_not(project):
    project.write(
        tree=TREE,
        test_it="""
import unlike
from tree import Tree

suite = unlike.fields(Tree, scope=2)
decorate = unlike.fields(Tree, scope=2, timeout=-1)  # a bound that makes no sense is told when the suite is made

def test_it():
    assert suite.proved
    assert len(suite.suite) == suite.count
""",
    )

    assert project.run().passed(1)


@pytest.mark.corpus
def test_the_example_finds_the_planted_bug_with_a_few_shapes(pytester):
    example = Path(examples.structures.__file__).with_name("test_fields.py")
    pytester.makepyfile(test_fields=example.read_text())
    root = str(Path(examples.__file__).parent.parent)

    result = pytester.runpytest_subprocess("-q", "-p", "no:hypothesispytest", "-o", f"pythonpath={root}")

    outcomes = result.parseoutcomes()
    assert outcomes["passed"] >= 26, "all trees without the bug, and some shapes with it"
    assert outcomes["failed"] > 0
    assert "FAILED test_fields.py::test_a_few_shapes_find_the_planted_bug" in result.stdout.str()
    assert "FAILED test_fields.py::test_removing_roots" not in result.stdout.str()


CLAIMS = """
from typing import Any
import unlike
from unlike import Int

class Pile:
    items: list[int]
    def __init__(self) -> None:
        self.items = []
    def push(self, item: int) -> None:
        self.items.append(item)
    def rep_ok(self) -> bool:
        return True

@unlike.fields(Pile, scope=2)
def test_fields(pile: Pile):
    pass

@unlike.inputs("all", invalid=True)
def test_broken(number: Int(1, 3)):
    pass

@unlike.objects(Pile, scope=2)
def test_beside(pile: Pile, loud: bool):
    pass

@unlike.inputs("all")
def test_anything(thing: Any):
    pass

@unlike.objects(Pile, scope=2)
def test_beside_one(pile: Pile, one: Int(1, 1)):
    pass
"""


@pytest.mark.corpus
def test_the_summary_claims_no_more_than_was_proved(pytester):
    pytester.makepyfile(test_claims=CLAIMS)
    said = pytester.runpytest_subprocess("-q", "-p", "no:hypothesispytest").stdout.str()

    assert "test_fields: generated and saved 4 inputs: every feasible field value is shown (proved) (" in said
    assert "test_broken: generated and saved 3 inputs: one for every rule that can be broken alone (proved) (" in said
    assert "test_beside: generated and saved 7 inputs (" in said  # of 14 pairs
    assert re.search(r"test_anything: .*; thing: Any is read as small JSON values \(", said)
    assert "test_beside_one: generated and saved 7 inputs: no more exist (proved) (" in said
