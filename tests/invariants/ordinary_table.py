"""Which of the thirty ordinary classes compile, and whether clauses, search and Korat agree on them.

`python -m tests.invariants.ordinary_table --write` writes the table anew; without it, what differs is shown. A row is one
class in one small scope: how many structures there are, or the construct and the line that stop it.

    trees:AVLTree: 11 structures, 42 field values
    text:UndoHistory: stopped: UndoHistory.rep_ok, line 222: a slice
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from unlike.errors import ScopeError
from unlike.field_exhaustive import fields
from unlike.field_exhaustive.pairs import pairs_of
from unlike.invariants.compile.compiling import compile_invariant
from unlike.invariants.compile.values import UnsupportedError
from unlike.invariants.fields.domains import FieldTable
from unlike.invariants.fields.table import fields_of
from unlike.invariants.search.engine import Order
from unlike.invariants.search_in_copy import find
from unlike.invariants.structure import Structure
from unlike.scope import Scope

FILE = Path(__file__).with_name("ordinary_table.txt")


@dataclass(frozen=True)
class Subject:
    """A class, and a scope in which its invariant has something to say."""

    place: str
    objects: int = 3
    elements: int | None = None
    literals: Mapping[Any, Any] = field(default_factory=dict)
    given: Mapping[str, Any] = field(default_factory=dict)  # values of fields; classes by their names

    @property
    def cls(self) -> Any:
        """The class."""
        module, _, name = self.place.partition(":")
        return getattr(importlib.import_module(f"tests.invariants.ordinary.{module}"), name)

    @property
    def values(self) -> dict[str, Any]:
        """What some fields may hold."""
        module = sys.modules[self.cls.__module__]
        return {
            name: [getattr(module, each[1:]) if str(each).startswith("@") else each for each in values]
            for name, values in self.given.items()
        }

    def table(self) -> FieldTable:
        """Return what the fields of its scope may hold."""
        return fields_of(self.cls, self.scope, given=self.values)

    @property
    def scope(self) -> Scope:
        """Its scope."""
        return Scope(objects=self.objects, elements=self.elements, literals=self.literals)


NODES = ["@Num", "@BinOp"]
SUBJECTS = (
    Subject("trees:BinarySearchTree"),
    Subject("trees:AVLTree"),
    Subject("trees:RedBlackTree"),
    Subject("heaps:Treap"),
    Subject("heaps:MinHeap"),
    Subject("heaps:LeftistHeap"),
    Subject("lists:SinglyLinkedList"),
    Subject("lists:DoublyLinkedList"),
    Subject("lists:CircularPlayerRing"),
    Subject("text:Trie", elements=2),
    Subject("text:WordIndex", given={"Entry.word": ["", "a", "b"]}),
    Subject("text:UndoHistory", 2, 1, literals={str: ["", "a", "ab"]}, given={"UndoHistory.limit": [1, 2]}),
    Subject("graphs:UnionFind"),
    Subject("graphs:Graph", 2, literals={str: ["a", "b", "c"]}),
    Subject("graphs:TaskGraph", 2),
    Subject("maps:LRUCache", 2, given={"LRUCache.capacity": [1, 2]}),
    Subject("maps:IntervalMap", 2),
    Subject("maps:BiMap", literals={int: [0, 1, 2]}),
    Subject("algebra:SparseMatrix", 2, literals={int: [0, 1, 2]}),
    Subject("algebra:Polynomial"),
    Subject("algebra:Formula", 2, given={
        "Formula.root": NODES, "BinOp.left": NODES, "BinOp.right": NODES, "BinOp.op": ["+", "-", "*"],
    }),
    Subject("queues:IndexedPriorityQueue", 2),
    Subject("queues:RingBuffer", 2, 5),
    Subject("queues:Bag", 2),
    Subject("money:BankAccount", 2, given={
        "LedgerEntry.cents": [0, 1, 150], "BankAccount.balance": range(-151, 152), "BankAccount.owner": ["", "a"],
    }),
    Subject("money:ShoppingCart", 2, 1),
    Subject("schedules:Timetable", 1, 5, given={
        "Lesson.start": [480, 481], "Lesson.end": [481, 482], "Lesson.subject": ["a"], "Lesson.room": ["a"],
    }, literals={int: [0, 1, 2]}),
    Subject("schedules:StateMachine", 2, 1),
    Subject("files:FileSystem", 2, given={
        "Directory.name": ["", "a"], "File.name": ["a"], "FileSystem.used": [0, 1, 2], "File.content": ["", "x"],
    }),
    Subject("games:TicTacToe", 1, 9),
)  # fmt: skip


def row_of(subject: Subject) -> str:
    """Return the row of one class."""
    try:
        table = subject.table()
        models = list(compile_invariant(table, subject.cls.rep_ok).models())
    except ScopeError as error:
        return f"{subject.place}: stopped: {str(error).splitlines()[0].partition(':')[0]}"
    except UnsupportedError as error:
        return f"{subject.place}: stopped: {error}"
    assert len(models) == len(set(models)), "a structure comes once"
    for engine in ("search", "korat"):
        others = structures_of(table, subject, engine)
        if others != set(models):
            return f"{subject.place}: {engine} finds {len(others)} structures, the clauses {len(models)}"
    pairs = {pair for each in models for pair in pairs_of(each, "breadth-first", lambda _: True)}
    bounds = {"elements": subject.elements, "literals": subject.literals, "fields": subject.values}
    result = fields(subject.cls, subject.objects, engine="clauses", check=False, **bounds)
    if result.undecided or result.shown != pairs:
        return f"{subject.place}: {len(result.shown)} field values by the clauses, {len(pairs)} by the structures"
    return f"{subject.place}: {len(models)} structures, {len(pairs)} field values"


def structures_of(table: FieldTable, subject: Subject, engine: Any) -> set[Structure]:
    """Return what an engine finds."""
    found = find(Order(table, subject.cls.rep_ok, engine))
    assert found.ended == "complete", f"{subject.place}: {found.ended}"
    return {block.at(index) for block in found.blocks for index in range(block.count())}


def main() -> int:
    """Compare with the file, or write it."""
    now = [row_of(subject) for subject in SUBJECTS]
    if "--write" in sys.argv:
        FILE.write_text("".join(f"{row}\n" for row in now))
    differing = sorted(set(now) ^ set(FILE.read_text().splitlines()))
    print("\n".join(differing) or "nothing differs")
    stopped = sum("stopped" in row for row in now)
    print(f"{len(now) - stopped} of {len(now)} compile")
    return bool(differing)


if __name__ == "__main__":
    sys.exit(main())
