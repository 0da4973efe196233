"""Field-exhaustive suites: Table 1 of the paper beside ours, and Algorithm 1 as published in the same run.

The paper's seconds are its own, from its own machine, and its sizes are inputs (structures × 3 routines × parameters);
structures are derived from them. The binding promise is a ratio in one run: Algorithm 1 asks for one clause "some pair
not seen yet" and takes the first model; ours are to be three times smaller at no more than twice its time.
"""

from __future__ import annotations

import functools
import importlib
import time
from collections.abc import Iterator
from dataclasses import dataclass

from bench.rows import Row, show
from unlike.field_exhaustive.by_clauses import Coverer
from unlike.field_exhaustive.pairs import Pair, open_pairs
from unlike.invariants.compile.compiling import Compiled, Numbering, compile_invariant, is_true_in
from unlike.invariants.compile.formula import new_solver
from unlike.invariants.fields.table import fields_of
from unlike.invariants.structure import Structure
from unlike.scope import Scope


@dataclass(frozen=True, slots=True)
class Subject:
    """A class of Table 1: scope to (seconds, structures) as published, None for a time-out; and our aims in seconds."""

    name: str
    place: str
    published: dict[int, tuple[float | None, int | None]]
    aims: dict[int, float]

    @property
    def cls(self) -> type:
        """The class itself."""
        module, _, name = self.place.partition(":")
        found = getattr(importlib.import_module(f"examples.structures.{module}"), name)
        assert isinstance(found, type)
        return found


SUBJECTS = [
    Subject(
        "sorted chain",
        "sorted_chain:SortedChain",
        {10: (1.60, 75), 20: (8.87, 350), 30: (60.76, 798), 64: (3078.10, 3697)},
        {64: 4},
    ),
    Subject(
        "binary search tree",
        "binary_search_tree:BinarySearchTree",
        {10: (2.06, 86), 15: (17.55, 201), 20: (982.50, 368), 30: (None, None), 40: (None, None)},
        {20: 1.5, 30: 5, 40: 20},
    ),
    Subject(
        "red-black tree",
        "red_black_tree:RedBlackTree",
        {10: (4.12, 105), 15: (21.24, 213), 20: (197.29, 407), 30: (2894.94, 797), 40: (None, None)},
        {20: 3, 30: 12, 40: 40},
    ),
    Subject(
        "binomial heap",
        "binomial_heap:BinomialHeap",
        {10: (5.13, 98), 15: (27.42, 223), 20: (325.55, 393), 25: (1174.16, 623)},
        {15: 1, 20: 3, 25: 8},
    ),
]
AGAINST_ALGORITHM_1 = (15, 20, 30)
DEPTH_FIRST = [("sorted_ring:SortedRing", 20), ("node_caching_linked_list:NodeCachingLinkedList", 12)]


def run() -> list[Row]:
    return [*against_algorithm_1(), *table_1(), *depth_first()]


@dataclass(frozen=True, slots=True)
class Made:
    """A suite, and how long it took."""

    compiling: float
    covering: float
    size: int
    pairs: int
    bound: int


def made(cls: type, scope: int, numbering: Numbering = "breadth-first") -> Made:
    began = time.process_time()
    compiled, pairs = compiled_pairs(cls, scope, numbering)
    between = time.process_time()
    coverer = Coverer(compiled, pairs)
    cover = coverer.run()
    ended = time.process_time()
    coverer.find_bound()
    coverer.close()
    return Made(between - began, ended - between, len(cover.shown), len(cover.covered), len(cover.bound))


def compiled_pairs(cls: type, scope: int, numbering: Numbering = "breadth-first") -> tuple[Compiled, dict[Pair, int]]:
    table = fields_of(cls, Scope(objects=scope))
    compiled = compile_invariant(table, cls.rep_ok, numbering=numbering)  # type: ignore[attr-defined]
    return compiled, open_pairs(compiled, lambda _: True)[0]


def algorithm_1(compiled: Compiled, pairs: dict[Pair, int], solver_name: str = "minisat22") -> list[Structure]:
    """Return the suite of the paper's algorithm, with the solver that the paper used."""
    solver = new_solver(solver_name, compiled.formula.clauses)
    open_ = dict(pairs)
    suite = []
    while open_:
        solver.add_clause(list(open_.values()))
        if not solver.solve():
            break
        model = solver.get_model()
        suite.append(compiled.structure(functools.partial(is_true_in, model)))
        open_ = {pair: literal for pair, literal in open_.items() if not is_true_in(model, literal)}
    solver.delete()
    return suite


def against_algorithm_1() -> Iterator[Row]:
    """Compare sizes and times of suites from the same clauses, in the same run."""
    cls = SUBJECTS[1].cls
    for scope in AGAINST_ALGORITHM_1:
        compiled, pairs = compiled_pairs(cls, scope)
        began = time.process_time()
        theirs = algorithm_1(compiled, pairs)
        between = time.process_time()
        coverer = Coverer(compiled, pairs)
        ours = coverer.run()
        ended = time.process_time()
        coverer.close()
        smaller, slower = len(theirs) / len(ours.shown), (ended - between) / (between - began)
        yield Row(
            f"binary search tree {scope}, suite",
            f"{len(ours.shown)} structures, {ended - between:.2f} s",
            f"Algorithm 1: {len(theirs)} structures, {between - began:.2f} s",
            f"{smaller:.1f} × smaller (3), {slower:.1f} × its time (2)",
            smaller >= 3 and slower <= 2,
        )


def table_1() -> Iterator[Row]:
    """Table 1: structures and seconds as published, and ours; suites at most 40 % as large from scope 10 on."""
    for subject in SUBJECTS:
        for scope, (seconds, structures) in subject.published.items():
            mine = made(subject.cls, scope)
            total = mine.compiling + mine.covering
            published = "time-out" if seconds is None else f"{structures} structures, {seconds:,.2f} s published"
            aim = f"; aim {subject.aims[scope]:g} s" if scope in subject.aims else ""
            yield Row(
                f"{subject.name} {scope}",
                f"{mine.size} structures (≥ {mine.bound}), {mine.pairs:,} pairs, "
                f"{mine.compiling:.2f} + {mine.covering:.2f} = {total:.2f} s",
                published,
                f"at most 40 % of the structures{aim}" if structures is not None else aim.removeprefix("; "),
                None if structures is None else mine.size <= 0.4 * structures,
            )


def depth_first() -> Iterator[Row]:
    """Compare both numberings on lists and rings, whose invariants walk depth-first."""
    for place, scope in DEPTH_FIRST:
        subject = Subject("", place, {}, {})
        mine = made(subject.cls, scope, "depth-first")
        small = 6
        broad, deep = made(subject.cls, small), made(subject.cls, small, "depth-first")
        yield Row(
            f"{subject.cls.__name__} {scope}, depth-first",
            f"{mine.size} structures, {mine.pairs} pairs, {mine.compiling + mine.covering:.2f} s",
            f"at scope {small}: breadth-first {broad.compiling + broad.covering:.2f} s, "
            f"depth-first {deep.compiling + deep.covering:.2f} s",
        )


if __name__ == "__main__":
    show("fields", run())
