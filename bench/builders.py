"""Builders: how long finding them takes, exact beside genetic, and what they are good for.

The published times are 72 s (7 methods) to 1,744 s (34 methods). Table 3 of the same paper is re-created with smaller
budgets: random exploration with the whole API and with the builders alone, the same seconds for each.
"""

from __future__ import annotations

import importlib
import time
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from bench.rows import Row, show
from unlike.classes.builders import AtRandom, builders
from unlike.explore import explore
from unlike.scope import Scope

BUDGETS = (1, 2, 3)  # seconds of random exploration; the paper has 60, 120, 180
LARGE = Scope(objects=60, ints=20, elements=60, literals={"values": [[], [0], [1, 2], [0, 1, 2]]})


@dataclass(frozen=True, slots=True)
class Subject:
    """A class of the published tables, with its published time, and the seconds promised here."""

    place: str
    scope: int
    published: int
    promised: int

    @property
    def cls(self) -> type:
        """The class itself."""
        module, _, name = self.place.partition(":")
        found = getattr(importlib.import_module(f"examples.structures.{module}"), name)
        assert isinstance(found, type)
        return found


SUBJECTS = [
    Subject("node_caching_linked_list:NodeCachingLinkedList", 3, 1744, 20),
    Subject("union_find:UnionFind", 3, 215, 10),
    Subject("fibonacci_heap:FibonacciHeap", 3, 72, 10),
    Subject("red_black_tree:RedBlackTree", 3, 73, 10),
    Subject("red_black_tree:RedBlackTree", 4, 73, 10),
    Subject("binary_tree:BinaryTree", 3, 73, 10),
    Subject("binomial_heap:BinomialHeap", 3, 121, 10),
    Subject("variable_store:VariableStore", 3, 1229, 10),
    Subject("scheduler:Scheduler", 3, 377, 10),
]
TABLE_3 = [subject for subject in SUBJECTS[:7] if subject.scope == 3]


def run() -> list[Row]:
    return [*times(), *table_3()]


def times() -> Iterator[Row]:
    """Exact and genetic search: seconds, builders, states, field values."""
    for subject in SUBJECTS:
        name = f"{subject.cls.__name__} {subject.scope}"
        seconds = {}
        for search in ("exact", "genetic"):
            began = time.process_time()
            found = builders(subject.cls, scope=subject.scope, search=search, in_process=True)  # type: ignore[arg-type]
            seconds[search] = time.process_time() - began
            figure = (
                f"{seconds[search]:.2f} s, {len(found.names)} builders, {found.states.builders} of {found.states.api} "
                f"states, {found.field_values.builders} of {found.field_values.api} field values"
            )
            if search == "exact":
                kept = found.proved and found.minimal and seconds[search] < subject.promised
                promise = f"proved, under {subject.promised} s"
                yield Row(f"{name}, exact", figure, f"{subject.published} s published", promise, kept)
            else:
                yield Row(f"{name}, genetic", figure, f"{seconds['genetic'] / seconds['exact']:.1f} × exact")


def table_3() -> Iterator[Row]:
    """Objects found at random, and the size of the largest: the whole API against the builders."""
    for subject in TABLE_3:
        names = builders(subject.cls, scope=subject.scope, in_process=True).names
        for budget in BUDGETS:
            whole, few = found_at_random(subject.cls, None, budget), found_at_random(subject.cls, names, budget)
            yield Row(
                f"{subject.cls.__name__}, {budget} s at random",
                f"{few.objects:,} objects, largest {few.largest}",
                f"whole API {whole.objects:,}, largest {whole.largest}",
                "more objects with builders",
                few.objects > whole.objects,
            )


@dataclass(frozen=True, slots=True)
class Found:
    """How many objects there are, and how many elements the largest has."""

    objects: int
    largest: int


def found_at_random(cls: type, names: Collection[str] | None, seconds: float) -> Found:
    policy = AtRandom(1, names=None if names is None else frozenset(names))
    result = explore(cls, scope=LARGE, timeout=seconds, in_process=True, search=policy)
    make_objects = result.search.caller.make_objects
    return Found(result.states, max(len(make_objects(number)[0]) for number in result.numbers))


if __name__ == "__main__":
    show("builders", run())
