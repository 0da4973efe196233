"""Every structure keeps its invariant whatever is called; its twin breaks, and just as its docstring says."""

import importlib
import pickle
import pkgutil
import re

import examples.structures
import pytest
from examples.structures.node_caching_linked_list import BuggyNodeCachingLinkedList
from examples.structures.union_find import UnionFind
from small_explorer import calls, canonical, explore, outcome

SCOPES = {"BinarySearchTree": 4, "AVLTree": 4, "FibonacciHeap": 4}
BUILDERS = {
    "AVLTree": "insert remove",
    "BinarySearchTree": "insert remove",
    "BinaryTree": "add prune mirror",
    "BinomialHeap": "insert extract_min decrease_key delete",
    "DoublyLinkedRing": "add add_first rotate remove pop",
    "FibonacciHeap": "insert remove_min decrease_key",
    "HashMap": "__setitem__ __delitem__ pop clear",
    "LRUCache": "put get discard",
    "NodeCachingLinkedList": "add_first add_last insert set remove remove_index remove_first remove_last clear",
    "RedBlackTree": "add remove",
    "Scheduler": "add_process finish_process finish_all block_process unblock_process quantum_expire upgrade_process",
    "SinglyLinkedList": "add add_first insert remove_index remove reverse clear",
    "SortedChain": "add remove pop_smallest",
    "SortedRing": "add remove pop_smallest pop_largest",
    "UnionFind": "add_element find union in_same_set reset",
    "VariableStore": (
        "get_from_pool ensure_pool forget reset_pool satisfy falsify unassign "
        "set_level set_reason backtrack watch unwatch"
    ),
}


def twins():
    for module_info in pkgutil.iter_modules(examples.structures.__path__):
        if module_info.name.startswith("test_"):
            continue  # it imports the twins that it tests
        module = importlib.import_module(f"examples.structures.{module_info.name}")
        for name, cls in vars(module).items():
            if name.startswith("Buggy"):
                yield pytest.param(cls.__base__, cls, id=cls.__base__.__name__)


def documented_steps(twin):
    """Return the steps of the sequence in a twin's docstring: `Twin(); add(0)` gives `Twin()` and `x.add(0)`."""
    [sequence] = re.findall(rf"`({twin.__name__}\(.*)`", twin.__doc__)
    constructor, *steps = sequence.split("; ")
    return constructor, [step if step.startswith("x[") else f"x.{step}" for step in steps]


def first_failure(cls, constructor, steps):
    """Return the number of the first step that goes wrong, or None."""
    x = eval(constructor.replace(constructor.split("(")[0], "cls"), {"cls": cls})
    for number, step in enumerate(steps, start=1):
        before = pickle.dumps(x)
        try:
            exec(step, {"x": x})
        except (ValueError, IndexError, KeyError):
            if canonical(x) != canonical(pickle.loads(before)):
                return number
        if not x.rep_ok():
            return number
    return None


def start_of(cls):
    return (lambda: cls(2)) if cls.__name__.endswith("LRUCache") else cls


def test_every_structure_has_a_twin():
    assert sorted(param.id for param in twins()) == sorted(BUILDERS)


@pytest.mark.parametrize(("parent", "twin"), list(twins()))
def test_the_documented_sequence_breaks_the_twin_at_its_last_call_and_not_the_parent(parent, twin):
    constructor, steps = documented_steps(twin)

    assert len(steps) <= 6
    assert first_failure(twin, constructor, steps) == len(steps)
    assert first_failure(parent, constructor, steps) is None


@pytest.mark.corpus
@pytest.mark.parametrize(("parent", "twin"), list(twins()))
def test_no_shorter_sequence_breaks_the_twin_and_none_the_parent(parent, twin):
    name = parent.__name__
    scope, builders = SCOPES.get(name, 3), BUILDERS[name]
    constructor, steps = documented_steps(twin)
    start = (lambda cls: lambda: cls(1)) if "(1)" in constructor else start_of

    broken = explore(twin, builders=builders, scope=scope, start=start(twin))
    healthy = explore(parent, builders=builders, scope=scope, start=start(parent))

    assert min(len(path) for path, _ in broken.failures) == len(steps)
    assert healthy.failures == []
    assert all(thing.rep_ok() for thing in healthy.objects)


@pytest.mark.corpus
@pytest.mark.parametrize("parent", [param.values[0] for param in twins()])
def test_every_mutator_changes_something_in_the_exploration(parent):
    """Guard against a builder that is misspelt or always refused."""
    name = parent.__name__
    changed = set()

    for thing in explore(parent, builders=BUILDERS[name], scope=3, start=start_of(parent)).objects[:200]:
        before = pickle.dumps(thing)
        for call in calls(parent, BUILDERS[name], 3):
            copy = pickle.loads(before)
            outcome(copy, call, before)
            if canonical(copy) != canonical(thing):
                changed.add(call.method)

    # a way of three steps, which finding shortens, takes four elements
    needs_more = {"find", "in_same_set"} if name == "UnionFind" else set()
    assert changed == set(BUILDERS[name].split()) - needs_more


def test_asking_a_union_find_shortens_a_way_of_three_steps():
    sets = UnionFind()
    for element in range(4):
        sets.add_element(element)
    sets.union(0, 1)
    sets.union(2, 3)
    sets.union(0, 2)
    before = canonical(sets)

    assert sets.in_same_set(3, 1)
    assert canonical(sets) != before
    assert sets.parent == {0: 0, 1: 0, 2: 0, 3: 0}


def test_the_original_invariant_of_the_node_caching_list_does_not_see_the_value_left_in_the_cache():
    values = BuggyNodeCachingLinkedList()
    values.add_last(0)
    values.remove_index(0)

    assert values.rep_ok_original()
    assert not values.rep_ok()
