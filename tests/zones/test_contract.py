"""Leaving values open changes nothing but the time: states, errors, outcomes and the lengths of sequences are equal."""

import importlib
import random
import sys
import types
from collections.abc import Iterator
from typing import Any

import pytest
from tests.corpora import few_of

from unlike.classes.open.choose_values import count_outcomes, differences
from unlike.classes.open.result import OpenResult
from unlike.core import Implementation
from unlike.explore import Result, explore
from unlike.heap.walkers import native_is_built
from unlike.zones.points import Points

STRUCTURES = {
    "avl_tree": "AVLTree",
    "binary_search_tree": "BinarySearchTree",
    "binary_tree": "BinaryTree",
    "binomial_heap": "BinomialHeap",
    "doubly_linked_ring": "DoublyLinkedRing",
    "fibonacci_heap": "FibonacciHeap",
    "hash_map": "HashMap",
    "lru_cache": "LRUCache",
    "node_caching_linked_list": "NodeCachingLinkedList",
    "red_black_tree": "RedBlackTree",
    "scheduler": "Scheduler",
    "singly_linked_list": "SinglyLinkedList",
    "sorted_chain": "SortedChain",
    "sorted_ring": "SortedRing",
    "union_find": "UnionFind",
    "variable_store": "VariableStore",
}
SLOW = {"node_caching_linked_list": 2, "variable_store": 2}  # iterators, sublists, objects passed to objects
LEAST = {"scheduler": 3}  # it begins with a list of three
IMPLEMENTATIONS: list[Implementation] = ["python", *(["native"] if native_is_built() else [])]  # type: ignore[list-item]


def both(*targets: Any, implementation: Implementation = "auto", **options: Any) -> tuple[Result, OpenResult]:
    concrete = explore(*targets, values="concrete", **options)
    opened = explore(*targets, values="symbolic", implementation=implementation, **options)
    assert isinstance(opened, OpenResult)
    return concrete, opened


def field_values(result: Result) -> dict[str, set[object]]:
    return {field: set(pairs) for field, pairs in result.extensions().pairs.items()}


@pytest.mark.few(2)
@pytest.mark.parametrize("implementation", IMPLEMENTATIONS)
@pytest.mark.parametrize("buggy", [False, True], ids=["sound", "buggy"])
@pytest.mark.parametrize("module", few_of(STRUCTURES, 3))
def test_every_example_class_is_the_same_both_ways(module: str, buggy: bool, implementation: Implementation) -> None:
    found = importlib.import_module(f"examples.structures.{module}")
    cls = getattr(found, f"{'Buggy' if buggy else ''}{STRUCTURES[module]}")

    scope = LEAST.get(module, 2) if implementation == "python" else SLOW.get(module, 3)
    here = implementation == "python"  # the other one in copies of the process
    concrete, opened = both(cls, scope=scope, invariant="rep_ok", implementation=implementation, in_process=here)

    assert differences(concrete, opened) == []
    assert concrete.by_length == opened.by_length
    assert concrete.by_size == opened.by_size
    assert field_values(concrete) == field_values(opened)


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("module", "methods", "scope"),
    [
        ("node_caching_linked_list", "add_last|remove_index", 4),
        ("binary_search_tree", "insert|remove", 4),
        ("red_black_tree", "add|remove", 6),
        ("sorted_ring", "add", 6),
        ("binomial_heap", "insert|extract_min", 4),
        ("lru_cache", "get|put", 3),
    ],
)
def test_larger_scopes_are_the_same_both_ways(module: str, methods: str, scope: int) -> None:
    cls = getattr(importlib.import_module(f"examples.structures.{module}"), STRUCTURES[module])

    concrete, opened = both(cls, scope=scope, methods=methods)

    assert differences(concrete, opened) == []
    assert opened.abstract_states < concrete.states


@pytest.mark.few(2)
@pytest.mark.parametrize("module", STRUCTURES)
def test_auto_leaves_the_values_of_every_example_class_open(module: str) -> None:
    cls = getattr(importlib.import_module(f"examples.structures.{module}"), STRUCTURES[module])

    result = explore(cls, scope=SLOW.get(module, 4), in_process=True)

    assert result.values == "symbolic", result.why


@pytest.mark.few(3)
@pytest.mark.parametrize("module", STRUCTURES)
def test_as_many_calls_of_every_example_class_come_to_the_same(module: str) -> None:
    cls = getattr(importlib.import_module(f"examples.structures.{module}"), STRUCTURES[module])

    concrete, opened = both(cls, scope=LEAST.get(module, 2), invariant="rep_ok", in_process=True)

    assert count_outcomes(opened.calls_by_outcome()) == count_outcomes(concrete.by_operation)


def test_calls_on_states_whose_zones_overlap_count_once() -> None:
    from examples.structures.red_black_tree import RedBlackTree

    concrete, opened = both(RedBlackTree, scope=6, methods="add|remove", in_process=True)

    in_zones = sum(Points([zone]).count() for shape in opened.shapes for zone in shape.zones)
    assert in_zones > opened.states
    assert count_outcomes(opened.calls_by_outcome()) == count_outcomes(concrete.by_operation)


def test_every_case_of_a_suite_replays_to_another_object() -> None:
    from examples.structures.red_black_tree import RedBlackTree

    concrete, opened = both(RedBlackTree, scope=5, methods="add|remove")

    assert not opened.suite.status.cut_short  # every recipe was run, and gave the state it claims
    assert len(opened.suite) == concrete.states
    assert len({case.label for case in opened.suite}) == concrete.states
    assert sorted(len(case.recipe.steps) for case in opened.suite) == sorted(
        len(case.recipe.steps) for case in concrete.suite
    )


# -- random classes -----------------------------------------------------------------------------------

FIELDS = ("a", "b", "c")
NODE = (
    "class N:\n    __slots__ = ('v', 'next')\n    def __init__(self, v, next):\n        self.v, self.next = v, next\n"
)


class Writer:
    """Writes a random class that compares, copies and shifts its values; and hashes them (1), or gives them away (2)."""

    def __init__(self, rng: random.Random, kind: int) -> None:
        self.rng = rng
        self.kind = kind
        self.args: list[str] = []

    def term(self) -> str:
        return self.rng.choice([*self.args * 3, *(f"self.{name}" for name in FIELDS), str(self.rng.randint(0, 2))])

    def condition(self) -> str:
        one, other = self.term(), self.term()
        present = " and ".join(f"{each} is not None" for each in (one, other) if each.startswith("self"))
        test = f"{one} {self.rng.choice(['<', '<=', '==', '!=', '!=', '>', '>='])} {other}"
        return f"{present} and {test}" if present else test

    def action(self) -> str:
        value = self.rng.choice([*self.args, *self.args, *(f"self.{name}" for name in FIELDS)])
        field = f"self.{self.rng.choice(FIELDS)}"
        actions = [
            f"{field} = {value}",
            f"{field} = {value}",
            f"{field} = None",
            f"{field} = {self.rng.randint(0, 2)}",
            f"len(self.l) < 2 and self.l.append({value})",
            f"{field} = self.l.pop() if self.l else None",
            f"self.l.sort() if None not in self.l else None; {field} = None",
            f"self.t = ({value}, self.a)",
            f"self.n = N({value}, None)",
            f"{field} = self.n.v if self.n else 1",
            f"{field} = {self.args[0]} + 1 if self.args_small({self.args[0]}) else None",
            "raise ValueError",
            f"raise RuntimeError({value})",
            "return self.a",
        ]
        hashing = [
            f"self.d[{self.args[0]}] = {value}",
            f"self.d.pop({value}, None)",
            f"self.s.add({self.args[0]})",
            f"self.s.discard({value})",
            f"{field} = {self.args[0]} % 2",
            f"{field} = len(range({self.args[0]}))",
            f"{field} = 'abc'[{self.args[0]}]",
        ]
        library = [
            f"{field} = min({value}, {self.args[0]}, key=lambda each: each if each is not None else 1)",
            f"self.l = sorted([*self.l, {self.args[0]}], key=lambda each: each or 0, reverse=True)[:2]",
            f"{field} = max([each for each in self.l if each is not None], default={self.args[0]})",
            f"{field} = bisect.bisect([0, 1], {self.args[0]})",
            f"self.l = heapq.nsmallest(2, [each for each in self.l if each is not None] + [{self.args[0]}])",
            f"{field} = {value} if {value} in self.l else None",
            f"{field} = self.l.index({value})",
            f"{field} = {self.args[0]} // 2",
            f"{field} = abs({self.args[0]} - 1)",
            f"{field} = -{self.args[0]} & 1",
            f"{field} = f'{{{value}}}'",
            f"{field} = str({value})[:1]",
            f"{field} = float({self.args[0]})",
            f"{field} = int({self.args[0]} > 0)",
            f"{field} = {value} if isinstance({value}, bool) else {self.args[0]}",
            f"{field} = {value} or {self.args[0]}",
            f"self.l = [{value}] * min({self.args[0]}, 2)",
            f"self.l = self.l[{self.args[0]}:]",
            f"self.t = tuple(range({self.args[0]}))[:2]",
            f"{field} = [{value}, {self.args[0]}] < [1, 1] if {value} is not None else None",
            f"{field} = next((each for each in self.l if each == {value}), 0)",
            f"{field} = ({value}, {self.args[0]}) == self.t",
            f"raise KeyError(f'{{{value}}} is missing')",
        ]
        more: list[list[str]] = [[], hashing, library]
        return self.rng.choice(actions + more[self.kind])

    def block(self, indent: int, depth: int) -> list[str]:
        lines = []
        for _ in range(self.rng.randint(1, 2)):
            if depth < 3 and self.rng.random() < 0.5:
                lines += [" " * indent + f"if {self.condition()}:", *self.block(indent + 4, depth + 1)]
                if self.rng.random() < 0.5:
                    lines += [" " * indent + "else:", *self.block(indent + 4, depth + 1)]
            else:
                lines.append(" " * indent + self.action())
        return lines

    def write(self) -> str:
        first = [f"self.{name} = {self.rng.choice(['None', '0', '1'])}" for name in FIELDS]
        lines = ["class C:", "    def __init__(self):", *(f"        {line}" for line in first)]
        lines += ["        self.l, self.d, self.s, self.t, self.n = [], {}, set(), None, None"]
        lines += ["    def _small(self, v):", "        return v < 2"]
        for number in range(self.rng.randint(1, 3)):
            self.args = ["v", "w"][: self.rng.randint(1, 2)]
            signature = ", ".join(f"{name}: int" for name in self.args)
            lines += [f"    def m{number}(self, {signature}):", *self.block(8, 0)]
        return NODE + "\n".join(lines).replace("self.args_small", "self._small") + "\n"


@pytest.fixture
def module() -> Iterator[types.ModuleType]:
    made = types.ModuleType("random_open_classes")
    sys.modules["random_open_classes"] = made
    yield made
    del sys.modules["random_open_classes"]


def random_class(seed: int, module: types.ModuleType) -> Any:
    source = "import bisect, heapq\n" + Writer(random.Random(seed), kind=seed % 3).write()
    exec(compile(source, "random_open_classes.py", "exec"), vars(module))
    for name in ("N", "C"):
        vars(module)[name].__module__ = module.__name__
    return vars(module)["C"]


@pytest.mark.few(1)
@pytest.mark.parametrize("seed", few_of(range(120), 25))
def test_random_classes_are_the_same_both_ways(seed: int, module: types.ModuleType) -> None:
    cls = random_class(seed, module)
    implementation = IMPLEMENTATIONS[seed // 3 % len(IMPLEMENTATIONS)]

    concrete, opened = both(cls, scope=2 + seed // 3 % 3 // 2, most_states=3_000, implementation=implementation)

    if concrete.status.cut_short:
        pytest.skip("too many states")
    assert differences(concrete, opened) == []


@pytest.mark.few(2)
@pytest.mark.parametrize("seed", range(1000, 1020))
def test_both_implementations_find_the_same_abstract_states(seed: int, module: types.ModuleType) -> None:
    if not native_is_built():
        pytest.skip("the compiled module is not built here")
    cls = random_class(seed, module)

    python, native = (
        explore(cls, values="symbolic", scope=2, most_states=500, implementation=which) for which in IMPLEMENTATIONS
    )

    assert isinstance(python, OpenResult)
    assert isinstance(native, OpenResult)
    assert [shape.zones for shape in python.shapes] == [shape.zones for shape in native.shapes]
    assert python.outcomes == native.outcomes
    assert python.calls == native.calls
