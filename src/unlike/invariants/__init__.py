"""From an executable invariant to every structure it accepts; and a few words to write invariants with."""

from __future__ import annotations

from unlike.invariants.predicates import acyclic, all_of, ordered, reachable, tree

__all__ = ["acyclic", "all_of", "ordered", "reachable", "tree"]
