"""Tests written for an example class pass on it, and some of them fails when a line of it is broken."""

import ast
import contextlib
import copy
import importlib
import io
import signal
import sys
import types
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.corpora import few_of
from tests.writers.files import write_tests

from unlike.explore import explore

STRUCTURES = Path(importlib.import_module("examples.structures").__path__[0])
INVARIANTS = ("rep_ok", "rep_ok_original", "rep_ok_black_root")
MOST = 25  # mutants of a class

SUBJECTS = [
    ("avl_tree", "AVLTree", 3, {}),
    ("binary_search_tree", "BinarySearchTree", 3, {}),
    ("binomial_heap", "BinomialHeap", 4, {}),
    ("doubly_linked_ring", "DoublyLinkedRing", 2, {}),
    ("fibonacci_heap", "FibonacciHeap", 4, {"calls": 6}),
    ("hash_map", "HashMap", 3, {}),
    ("lru_cache", "LRUCache", 3, {}),
    ("node_caching_linked_list", "NodeCachingLinkedList", 3, {}),
    ("red_black_tree", "RedBlackTree", 4, {}),
    ("scheduler", "Scheduler", 3, {}),
    ("singly_linked_list", "SinglyLinkedList", 3, {}),
    ("sorted_ring", "SortedRing", 3, {}),
    ("union_find", "UnionFind", 3, {}),
]


# What no test of that scope can tell, and why.
UNSEEN = {
    "FibonacciHeap": "145 148 152 154",  # cuts that cascade need more than six calls
    "UnionFind": "37 49 92",  # what the check refuses, the lookup after it refuses in the same way
}


@dataclass
class Mutant:
    line: int
    what: str
    source: str


class TooLongError(BaseException):
    """A mutant that never ends; no code under test catches it."""


def mutants(source: str, class_name: str) -> Iterator[Mutant]:
    """Yield the module with one line of the class broken: a condition turned round, a number changed, a call left out."""
    tree = ast.parse(source)
    cls = next(node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == class_name)
    for place, node in enumerate(ast.walk(cls)):
        for what in broken_ways(node):
            twin = copy.deepcopy(tree)
            twin_cls = next(each for each in twin.body if isinstance(each, ast.ClassDef) and each.name == class_name)
            if in_invariant(cls, node):
                continue
            break_it(list(ast.walk(twin_cls))[place], what)
            yield Mutant(node.lineno, what, ast.unparse(ast.fix_missing_locations(twin)))  # type: ignore[attr-defined]


def broken_ways(node: ast.AST) -> list[str]:
    match node:
        case ast.If() | ast.While():
            return ["the condition turned round"]
        case ast.AugAssign():
            return ["the sign changed"]
        case ast.Return(value=ast.Constant(value=bool())) | ast.Return(value=ast.Compare()):
            return ["the answer turned round"]
        case ast.Expr(value=ast.Call()):
            return ["the call left out"]
    return []


def break_it(node: ast.AST, what: str) -> None:
    match node:
        case ast.If() | ast.While():
            node.test = ast.UnaryOp(ast.Not(), node.test)
        case ast.AugAssign():
            node.op = ast.Sub() if isinstance(node.op, ast.Add) else ast.Add()
        case ast.Return():
            assert node.value is not None
            node.value = ast.UnaryOp(ast.Not(), node.value)
        case ast.Expr():
            node.value = ast.Constant(None)


def in_invariant(cls: ast.ClassDef, node: ast.AST) -> bool:
    """Tell whether the line belongs to the invariant, which never meets an unsound object, or to something private to it."""
    functions = [each for each in cls.body if isinstance(each, ast.FunctionDef)]
    around = [each for each in functions if each.lineno <= node.lineno <= (each.end_lineno or 0)]  # type: ignore[attr-defined]
    called = reached(cls, [each.name for each in functions if not each.name.startswith("_")] + DUNDERS)
    return not around or around[0].name in INVARIANTS or around[0].name not in called


DUNDERS = ["__init__", "__len__", "__contains__", "__iter__", "__getitem__", "__setitem__", "__delitem__"]


def reached(cls: ast.ClassDef, names: list[str]) -> set[str]:
    """Return the methods that those of these names call, invariants left out."""
    functions = {each.name: each for each in cls.body if isinstance(each, ast.FunctionDef)}
    found: set[str] = set()
    todo = [name for name in names if name not in INVARIANTS]
    while todo:
        name = todo.pop()
        if name in found or name not in functions:
            continue
        found.add(name)
        todo += [each.attr for each in ast.walk(functions[name]) if isinstance(each, ast.Attribute)]
    return found


def fails(tests: types.CodeType, name: str, class_source: str) -> bool:
    """Tell whether some test of the file fails on the class, run in this process; one that does not end fails."""
    before = signal.signal(signal.SIGALRM, too_long)
    try:
        return fails_in_time(tests, name, class_source)
    except TooLongError:  # the clock struck again on the way out
        signal.setitimer(signal.ITIMER_REAL, 0)
        return True
    finally:
        signal.signal(signal.SIGALRM, before)


def fails_in_time(tests: types.CodeType, name: str, class_source: str) -> bool:
    """Run the tests until one fails or the time is up."""
    module = types.ModuleType(name)
    sys.modules[name] = module
    signal.setitimer(signal.ITIMER_REAL, 1, 0.2)  # again, lest it was caught on the way
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            exec(compile(class_source, f"{name}.py", "exec"), vars(module))
            names: dict[str, object] = {}
            exec(tests, names)
            for each, test in names.items():
                if each.startswith("test_"):
                    test()  # type: ignore[operator]
    except (Exception, TooLongError, pytest.fail.Exception):
        return True
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    return False


def too_long(_signal: int, _frame: object) -> None:
    raise TooLongError


@pytest.mark.corpus
@pytest.mark.parametrize(
    ("module", "class_name", "scope", "options"), few_of(SUBJECTS, 1, ids=[each[1] for each in SUBJECTS])
)
def test_breaking_a_line_makes_some_test_fail(module, class_name, scope, options, tmp_path, monkeypatch):
    name = f"copied_{module}"
    source = (STRUCTURES / f"{module}.py").read_text()
    (tmp_path / f"{name}.py").write_text(source)
    monkeypatch.syspath_prepend(str(tmp_path))
    cls = getattr(importlib.import_module(name), class_name)
    write_tests(explore(cls, scope=scope, **options), tmp_path)
    written = compile(next(tmp_path.glob("test_*.py")).read_text(), "test_it.py", "exec")

    assert not fails(written, name, source)
    everything = list(mutants(source, class_name))
    chosen = everything[:: -(-len(everything) // MOST)]
    survivors = [f"{each.line}" for each in chosen if not fails(written, name, each.source)]

    sys.modules.pop(name, None)
    assert len(chosen) >= 5
    assert survivors == UNSEEN.get(class_name, "").split()
