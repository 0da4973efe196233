from __future__ import annotations

from collections import defaultdict, deque
from typing import Hashable, Iterable


class UnionFind:
    """Disjoint sets of 0..n-1, with union by size.

    Hence an element k hops below its root lies in a set of at least 2**k elements.
    """

    def __init__(self, n: int = 0) -> None:
        self.parent: list[int] = list(range(n))
        self.size: list[int] = [1] * n
        self.groups: int = n

    def make_set(self) -> int:
        fresh = len(self.parent)
        self.parent.append(fresh)
        self.size.append(1)
        self.groups += 1
        return fresh

    def find(self, x: int) -> int:
        while self.parent[x] != x:
            self.parent[x] = self.parent[self.parent[x]]
            x = self.parent[x]
        return x

    def union(self, a: int, b: int) -> bool:
        a, b = self.find(a), self.find(b)
        if a == b:
            return False
        if self.size[a] < self.size[b]:
            a, b = b, a
        self.parent[b] = a
        self.size[a] += self.size[b]
        self.groups -= 1
        return True

    @property
    def roots(self) -> list[int]:
        return [i for i, p in enumerate(self.parent) if i == p]

    def rep_ok(self) -> bool:
        n = len(self.parent)
        if len(self.size) != n or not all(0 <= p < n for p in self.parent):
            return False
        if self.groups != len(self.roots):
            return False
        members: dict[int, int] = dict.fromkeys(self.roots, 0)
        for x in range(n):
            hops = 0
            while self.parent[x] != x:
                x = self.parent[x]
                hops += 1
                if hops >= n:
                    return False
            if self.size[x] < 2**hops:
                return False
            members[x] += 1
        return all(self.size[root] == count for root, count in members.items())


class Graph:
    """Simple undirected graph as a dict of adjacency sets."""

    def __init__(self, edges: Iterable[tuple[str, str]] = ()) -> None:
        self.adjacency: dict[str, set[str]] = {}
        self.edge_count: int = 0
        for edge in edges:
            self.connect(*edge)

    def add_vertex(self, v: str) -> None:
        self.adjacency.setdefault(v, set())

    def connect(self, u: str, v: str) -> None:
        if u == v:
            raise ValueError("self-loops are not allowed")
        self.add_vertex(u)
        self.add_vertex(v)
        if v not in self.adjacency[u]:
            self.adjacency[u].add(v)
            self.adjacency[v].add(u)
            self.edge_count += 1

    def disconnect(self, u: str, v: str) -> None:
        self.adjacency[u].remove(v)
        self.adjacency[v].remove(u)
        self.edge_count -= 1

    def remove_vertex(self, v: str) -> None:
        neighbours = self.adjacency.pop(v)
        for u in neighbours:
            self.adjacency[u].discard(v)
        self.edge_count -= len(neighbours)

    def rep_ok(self) -> bool:
        symmetric = all(
            v in self.adjacency and u in self.adjacency[v]
            for u, neighbours in self.adjacency.items()
            for v in neighbours
        )
        if not symmetric:
            return False
        if any(v in neighbours for v, neighbours in self.adjacency.items()):
            return False
        return sum(map(len, self.adjacency.values())) == 2 * self.edge_count


class TaskGraph:
    """Tasks and their prerequisites; acyclic, with a maintained topological order."""

    def __init__(self) -> None:
        self.successors: defaultdict[Hashable, set[Hashable]] = defaultdict(set)
        self.order: list[Hashable] = []

    def add_task(self, task: Hashable, *after: Hashable) -> None:
        for other in (*after, task):
            if other not in self.order:
                self.order.append(other)
        for prerequisite in after:
            self.add_dependency(prerequisite, task)

    def add_dependency(self, before: Hashable, after: Hashable) -> None:
        if not {before, after}.issubset(self.order):
            raise KeyError(f"unknown task in {before} -> {after}")
        if self._reaches(after, before):
            raise ValueError(f"{before} -> {after} would close a cycle")
        self.successors[before].add(after)
        self.order = self._sorted_topologically()

    def finish(self, task: Hashable) -> None:
        if any(task in nexts for nexts in self.successors.values()):
            raise ValueError(f"{task} still has prerequisites")
        self.order.remove(task)
        self.successors.pop(task, None)

    def _reaches(self, start: Hashable, goal: Hashable) -> bool:
        stack, seen = [start], set()
        while stack:
            if (task := stack.pop()) == goal:
                return True
            if task not in seen:
                seen.add(task)
                stack += self.successors.get(task, ())
        return False

    def _sorted_topologically(self) -> list[Hashable]:
        """Kahn's algorithm; shorter than ``order`` if there is a cycle."""
        indegree = dict.fromkeys(self.order, 0)
        for nexts in self.successors.values():
            for task in nexts:
                indegree[task] += 1
        ready = deque(task for task, degree in indegree.items() if degree == 0)
        result: list[Hashable] = []
        while ready:
            result.append(task := ready.popleft())
            for following in self.successors.get(task, ()):
                indegree[following] -= 1
                if not indegree[following]:
                    ready.append(following)
        return result

    def rep_ok(self) -> bool:
        position = {task: i for i, task in enumerate(self.order)}
        if len(position) < len(self.order):
            return False
        try:
            return all(
                position[before] < position[after]
                for before, nexts in self.successors.items()
                for after in nexts
            ) and self.successors.keys() <= position.keys()
        except KeyError:
            return False
