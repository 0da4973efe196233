"""Handing out cases: what `suite.stream()` costs beside building each object by its recipe and running its invariant.

Both sides are processor time of this process and of its copies, in the same run. What is streamed was counted before,
so that the search itself is not part of it; checking each case, running its calls again and building its object for
whoever asked are.
"""

from __future__ import annotations

import resource
from collections.abc import Callable, Iterator
from typing import Any

from examples.structures.binary_search_tree import BinarySearchTree
from examples.structures.node_caching_linked_list import NodeCachingLinkedList
from examples.structures.red_black_tree import RedBlackTree

from bench.rows import Row
from unlike.classes.verb import explore
from unlike.field_exhaustive import fields
from unlike.invariants.verbs import structures
from unlike.recipe import run as run_recipe
from unlike.suite import Suite

MOST = 2.0  # times what building and asking cost


def run() -> Iterator[Row]:
    """Yield a row for each generator and class."""
    for cls, scope, methods in (
        (NodeCachingLinkedList, 6, "add_last|remove_index"),
        (BinarySearchTree, 7, "insert"),
        (RedBlackTree, 8, "add|remove"),
    ):
        yield delivered(f"structures {cls.__name__} {scope}", structures(cls, scope).suite, cls.rep_ok)
        yield delivered(f"fields {cls.__name__} {scope}", fields(cls, scope).suite, cls.rep_ok)
        for values in ("symbolic", "concrete"):
            found = explore(cls, scope=scope, methods=methods, values=values)  # type: ignore[call-overload]
            yield delivered(f"explore --values {values} {cls.__name__} {scope}", lambda f=found: f.suite, cls.rep_ok)


def delivered(name: str, suite: Suite | Callable[[], Suite], invariant: Callable[[Any], object]) -> Row:
    """Stream a suite, then build every object and ask about it."""
    began = seconds()
    cases = []
    for case in (suite if isinstance(suite, Suite) else suite()).stream():
        assert case.value is not None
        cases.append(case)
    spent = seconds() - began
    recipes = [case.recipe for case in cases]
    began = seconds()
    for recipe in recipes:
        assert invariant(run_recipe(recipe))
    needed = seconds() - began
    each = 1_000_000 / max(1, len(cases))
    return Row(
        f"{name}, {len(cases):,} cases",
        f"{spent * each:.0f} µs a case",
        f"building and asking {needed * each:.0f} µs: {spent / needed:.1f} ×",
        f"at most {MOST:.0f} times",
        spent <= MOST * needed,
    )


def seconds() -> float:
    """Return the processor's seconds so far, of copies that have ended, too."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)
