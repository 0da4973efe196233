r"""What a reference to a group means in JavaScript, said with what it means in Python.

There a group that has not taken part yet is repeated as the empty text, and each round of a repetition forgets what
the groups inside it captured; Python fails on the one and keeps the other. So a reference becomes nothing where its
group cannot have taken part, `(?(1)\1|)` where it may, and stays where it must. What has no such words is refused.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from unlike.regex.tree import (
    Alternation,
    BackReference,
    Concatenation,
    Conditional,
    Empty,
    Group,
    Look,
    Node,
    PatternError,
    Repeat,
    every,
    join_parts,
)


class UntoldError(PatternError):
    """A pattern that means something, but nothing that Python's `re` can be told."""


@dataclass(frozen=True, slots=True)
class _Captured:
    """Groups at a place: which took part for sure, which perhaps, and of which Python may keep an older text."""

    sure: frozenset[int] = frozenset()
    perhaps: frozenset[int] = frozenset()
    older: frozenset[int] = frozenset()


def resolve_references(root: Node, pattern: str) -> Node:
    """Return the tree with each reference said as Python means it."""
    if not any(isinstance(each, BackReference) for each in every(root)):
        return root
    return _Resolving(pattern).node(root, _Captured())[0]


@dataclass(slots=True)
class _Resolving:
    pattern: str
    behind: bool = field(default=False)

    def node(self, node: Node, before: _Captured) -> tuple[Node, _Captured]:
        """Return the node, and what is captured after it."""
        match node:
            case BackReference(index):
                return self.reference(node, index, before), before
            case Concatenation(parts):
                found: list[Node] = []
                for part in parts:
                    each, before = self.node(part, before)
                    found.append(each)
                return join_parts(found), before
            case Alternation(branches):
                ways = [self.node(branch, before) for branch in branches]
                return Alternation(tuple(way for way, _ in ways)), _either([after for _, after in ways])
            case Group(index, _, body):
                inside, after = self.node(body, before)
                took = _Captured(after.sure | {index}, after.perhaps | {index}, after.older - {index})
                return replace(node, body=inside), took
            case Look():
                return self.look(node, before)
            case Repeat():
                return self.rounds(node, before)
            case _:
                return node, before

    def reference(self, node: BackReference, index: int, before: _Captured) -> Node:
        if self.behind:
            self.refuse("a reference inside (?<=…) or (?<!…)")
        if index in before.sure:
            return node
        if index not in before.perhaps:
            return Empty()
        if index in before.older:
            self.refuse(f"the reference \\{index} to a group that only some rounds of a repetition capture")
        return Conditional(index, node, Empty())

    def look(self, node: Look, before: _Captured) -> tuple[Node, _Captured]:
        was, self.behind = self.behind, self.behind or not node.ahead
        inside, after = self.node(node.body, before)
        self.behind = was
        return replace(node, body=inside), before if node.negative else after

    def rounds(self, node: Repeat, before: _Captured) -> tuple[Node, _Captured]:
        own = frozenset(each.index for each in every(node.body) if isinstance(each, Group))
        once = node.high == 1
        fresh = _Captured(before.sure - own, before.perhaps - own, before.older if once else before.older | own)
        inside, after = self.node(node.body, fresh)
        sure = after.sure if node.low else before.sure & after.sure
        older = after.older if once else after.older | (own - after.sure)
        return replace(node, body=inside), _Captured(sure, before.perhaps | after.perhaps, older - sure)

    def refuse(self, what: str) -> None:
        raise UntoldError(f"pattern {self.pattern!r}: {what} cannot be told in Python's words; write it otherwise")


def _either(ways: list[_Captured]) -> _Captured:
    return _Captured(
        frozenset.intersection(*(way.sure for way in ways)),
        frozenset.union(*(way.perhaps for way in ways)),
        frozenset.union(*(way.older for way in ways)),
    )
