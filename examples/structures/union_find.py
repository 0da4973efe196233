"""Disjoint sets of ints, with union by rank and path compression.

`find` shortens the way it has walked, so a question about the sets changes their representation.
"""

from __future__ import annotations


class UnionFind:
    """A partition of the elements added so far; every element is at first a set by itself."""

    parent: dict[int, int]
    rank: dict[int, int]
    count: int

    def __init__(self) -> None:
        self.parent = {}
        self.rank = {}
        self.count = 0

    def add_element(self, element: int) -> None:
        if element in self.parent:
            raise ValueError(f"{element!r} is already there")
        self.parent[element] = element
        self.rank[element] = 0
        self.count += 1

    def find(self, element: int) -> int:
        """Return the element that stands for the set, and make the way to it short."""
        root = self._root(element)
        while self.parent[element] != root:
            self.parent[element], element = root, self.parent[element]
        return root

    def union(self, first: int, second: int) -> None:
        """Make one set of the sets of two elements."""
        self._check(first, second)
        first_root, second_root = self.find(first), self.find(second)
        if first_root == second_root:
            return
        if self.rank[first_root] < self.rank[second_root]:
            first_root, second_root = second_root, first_root
        if self.rank[first_root] == self.rank[second_root]:
            self.rank[first_root] += 1
        self.parent[second_root] = first_root
        self.count -= 1

    def in_same_set(self, first: int, second: int) -> bool:
        self._check(first, second)
        return self.find(first) == self.find(second)

    def number_of_sets(self) -> int:
        return self.count

    def reset(self) -> None:
        """Make every element a set by itself again."""
        for element in self.parent:
            self.parent[element] = element
            self.rank[element] = 0
        self.count = len(self.parent)

    def __len__(self) -> int:
        """Return the number of elements."""
        return len(self.parent)

    def __str__(self) -> str:
        sets: dict[int, list[int]] = {}
        for element in sorted(self.parent):
            sets.setdefault(self._root(element), []).append(element)
        return " ".join("{" + ", ".join(map(str, members)) + "}" for members in sets.values())

    def rep_ok(self) -> bool:
        """Check that every way up ends, ranks rise on it, and `count` counts the elements that have no way up."""
        if len(self.parent) != len(self.rank):
            return False
        roots = 0
        for element, parent in self.parent.items():
            if parent not in self.parent or element not in self.rank:
                return False
            if parent == element:
                roots += 1
            elif self.rank[parent] <= self.rank[element]:  # so no way up can be a circle
                return False
        return self.count == roots

    def _check(self, *elements: int) -> None:
        for element in elements:
            if element not in self.parent:
                raise KeyError(element)

    def _root(self, element: int) -> int:
        self._check(element)
        while self.parent[element] != element:
            element = self.parent[element]
        return element


class BuggyUnionFind(UnionFind):
    """Hangs the second element itself, not its root, below the other set.

    The rest of the second set stays behind while `count` goes down, so `rep_ok` fails:
    `BuggyUnionFind(); add_element(0); add_element(1); add_element(2); union(0, 1); union(2, 1)`.
    """

    def union(self, first: int, second: int) -> None:
        self._check(first, second)
        first_root = self.find(first)
        if first_root == self.find(second):
            return
        if self.rank[first_root] <= self.rank[second]:
            self.rank[first_root] = self.rank[second] + 1
        self.parent[second] = first_root
        self.count -= 1
