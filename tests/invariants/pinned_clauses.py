"""What compiling gives today: for random invariants, features and examples how many clauses, and which structures.

`python -m tests.invariants.pinned_clauses --write` pins anew what a meant change of the compiler gives; without it,
what differs is shown. One line of the file is one invariant in one scope:

    random 17, depth-first: 1402 variables, 5120 clauses 3f2a9c01, 12 structures 77b0c3d2
    random 27, depth-first: refused: Subject.rep_ok: an item of None
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import itertools
import sys
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from types import ModuleType

from tests.fields import subjects
from tests.fields.random_invariants import written

from unlike.invariants.compile.compiling import Numbering, compile_invariant
from unlike.invariants.compile.values import UnsupportedError
from unlike.invariants.fields.domains import FieldTable
from unlike.invariants.fields.table import fields_of
from unlike.scope import Scope

FILE = Path(__file__).with_name("pinned_clauses.txt")
NUMBERINGS: tuple[Numbering, ...] = ("breadth-first", "depth-first")
SEEDS = range(200)
EXAMPLES = (
    "avl_tree:AVLTree",
    "binary_search_tree:BinarySearchTree",
    "binary_tree:BinaryTree",
    "binomial_heap:BinomialHeap",
    "doubly_linked_ring:DoublyLinkedRing",
    "fibonacci_heap:FibonacciHeap",
    "hash_map:HashMap",
    "lru_cache:LRUCache",
    "node_caching_linked_list:NodeCachingLinkedList",
    "red_black_tree:RedBlackTree",
    "scheduler:Scheduler",
    "singly_linked_list:SinglyLinkedList",
    "sorted_chain:SortedChain",
    "sorted_ring:SortedRing",
    "union_find:UnionFind",
    "variable_store:VariableStore",
)
SUBJECTS = (*subjects.FEATURES, *subjects.OUTSIDE)
MOST_STRUCTURES = 3_000  # of one invariant; clauses alone are pinned beyond it


def lines_of_seed(seed: int, folder: Path) -> list[str]:
    """Return the line of one random invariant."""
    cls = load_module(written(seed), folder, f"pinned_invariant_{seed}").Subject
    table = fields_of(cls, Scope(objects=2, ints=2, elements=1), given={"Subject.size": range(2)})
    numbering = NUMBERINGS[seed % 2]
    return [f"random {seed}, {numbering}: {compiled_in_words(table, cls.rep_ok, numbering)}"]


def lines_of_example(place: str) -> list[str]:
    """Return the lines of one example, in both numberings."""
    module, _, name = place.partition(":")
    cls = getattr(importlib.import_module(f"examples.structures.{module}"), name)
    table = fields_of(cls, Scope(objects=3))
    return [f"{name} 3, {each}: {compiled_in_words(table, cls.rep_ok, each)}" for each in NUMBERINGS]


def lines_of_subject(cls: type) -> list[str]:
    """Return the line of a class whose invariant uses one feature, or is outside the subset."""
    table = fields_of(cls, Scope(objects=2, elements=2))
    return [f"{cls.__name__} 2: {compiled_in_words(table, cls.rep_ok, 'breadth-first')}"]  # type: ignore[attr-defined]


def compiled_in_words(table: FieldTable, invariant: Callable[..., object], numbering: Numbering) -> str:
    """Say what compiling an invariant gives."""
    try:
        compiled = compile_invariant(table, invariant, numbering=numbering)
    except UnsupportedError as error:
        return f"refused: {error.where}: {error.what}"
    formula = compiled.formula
    words = f"{formula.variables} variables, {len(formula.clauses)} clauses {_digest(map(str, formula.clauses))}"
    found = [str(each) for each in itertools.islice(compiled.models(), MOST_STRUCTURES + 1)]
    if len(found) > MOST_STRUCTURES:
        return f"{words}, more than {MOST_STRUCTURES} structures"
    return f"{words}, {len(found)} structures {_digest(sorted(found))}"


def load_module(source: str, folder: Path, name: str) -> ModuleType:
    """Return a module made of a source, in a file that the compiler can read again."""
    path = folder / f"{name}.py"
    path.write_text(source)
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def _digest(lines: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:8]


def main() -> int:
    """Compare with the file, or write it."""
    with tempfile.TemporaryDirectory() as folder:
        now = [line for seed in SEEDS for line in lines_of_seed(seed, Path(folder))]
    now += [line for place in EXAMPLES for line in lines_of_example(place)]
    now += [line for cls in SUBJECTS for line in lines_of_subject(cls)]
    if "--write" in sys.argv:
        FILE.write_text("".join(f"{line}\n" for line in now))
        return 0
    before = FILE.read_text().splitlines()
    differing = sorted(set(now) ^ set(before))
    print("\n".join(differing) or "nothing differs")
    return bool(differing)


if __name__ == "__main__":
    sys.exit(main())
