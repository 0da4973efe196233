"""Trees with fewer rounds and the same texts: rounds that add nothing are left out, counts are added and multiplied.

`(?:a?){1000}` matches what `a{0,1000}` does, and `((?=a)){4294967294}` what `((?=a))` does. What is written tells
which choices there are, so a tree that is read stays nearly as it is; automata are made of the merged one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import NamedTuple

from unlike.regex.tree import (
    Alternation,
    Anchor,
    Atomic,
    BackReference,
    Chars,
    Concatenation,
    Conditional,
    Empty,
    Group,
    Look,
    Node,
    Repeat,
    every,
    inner,
    join_parts,
    repeat,
    with_inner,
)

MANY = 100  # rounds of something that may be empty: of more than these only the first has to be there


def least_steps(node: Node, branch: Callable[[Iterable[int]], int] = min, *, copies: bool = False) -> int:
    r"""Return how many characters and places the shortest way through a tree has, places being of no length.

    With `max` of the ways with the fewest rounds the one through the longest branches. A reference to a group is one
    place, or what the group has: a copy of it.

    >>> least_steps(parse(r"(?:ab|c){3}").root), least_steps(parse(r"(?:\b|x){1000}").root)
    (3, 1000)
    >>> least_steps(parse(r"(?:ab|c){3}").root, max)
    6
    >>> least_steps(parse(r"(a{7})\1{10}").root), least_steps(parse(r"(a{7})\1{10}").root, copies=True)
    (17, 77)
    """
    groups: dict[int, int] = {}  # the steps of those that were passed

    def steps(node: Node) -> int:
        match node:
            case BackReference(index) if copies:
                return max(1, groups.get(index, 1))
            case Chars() | Anchor() | Look() | BackReference() | Empty():
                return 1
            case Alternation() | Conditional():
                return branch([steps(each) for each in inner(node)])
            case Repeat(body, low):
                return low * steps(body)
            case Group(index, _, body):
                groups[index] = steps(body)
                return groups[index]
            case _:
                return sum(map(steps, inner(node)))

    return steps(node)


def empty_bits(node: Node) -> float:
    """Return the binary logarithm of the steps that `re` may take through a tree, as written, without a character."""
    return max(_empty_ways(node), math.log2(empty_rounds(node)))


def _empty_ways(node: Node) -> float:
    """Return the binary logarithm of the ways through a tree that match no character; what is within may have more."""
    within = [_empty_ways(below) for below in inner(node)]
    most = max(within, default=0.0)
    match node:
        case Repeat(body, low, high) if _is_ever_empty(body):
            return max(1, low) * most + (low != high)
        case Alternation(branches):
            return most + math.log2(max(1, sum(map(_is_ever_empty, branches))))
        case Concatenation(parts) if all(map(_is_ever_empty, parts)):
            return sum(within)
        case _:
            return most


def empty_rounds(node: Node) -> int:
    r"""Return among how many rounds, as written, that are needed and may be empty the same text can be shared.

    >>> empty_rounds(parse("(?:a*){3}").root), empty_rounds(parse(r"(?:(?:a?){20}b?){5}\d{4}").root)
    (3, 100)
    """
    within = [empty_rounds(below) for below in inner(node)]
    match node:
        case Repeat(body, low) if low and _is_ever_empty(body):
            return low * max(within, default=1)
        case Concatenation():
            return 1 + sum(each - 1 for each in within)
        case _:
            return max(within, default=1)


def _is_ever_empty(node: Node) -> bool:
    match node:
        case Chars():
            return False
        case BackReference() | Anchor() | Look() | Empty():
            return True
        case Alternation() | Conditional():
            return any(map(_is_ever_empty, inner(node)))
        case Repeat(body, low):
            return low == 0 or _is_ever_empty(body)
        case _:
            return all(map(_is_ever_empty, inner(node)))


# -- rounds that add nothing ---------------------------------------------------------------------------


def leave_out_rounds(root: Node) -> Node:
    """Return the tree without rounds of something that is always empty, and with few where it may be empty.

    What is captured and referred to stays as it is, and so does what may be empty inside an atomic group.
    """
    asked = {each.index for each in every(root) if isinstance(each, BackReference)}
    asked |= {each.group for each in every(root) if isinstance(each, Conditional)}
    return _leave_out(root, asked, is_atomic=False)


def _leave_out(node: Node, asked: set[int], *, is_atomic: bool) -> Node:
    inside = is_atomic or isinstance(node, Atomic) or (isinstance(node, Repeat) and node.kind == "possessive")
    node = with_inner(node, lambda below: _leave_out(below, asked, is_atomic=inside))
    if not isinstance(node, Repeat) or node.high == 1 or _remembers(node.body, asked):
        return node
    if is_idle(node.body):
        once = repeat(node.body, min(node.low, 1), 1, kind=node.kind)
        return Atomic(node.body) if node.low and node.kind == "possessive" else once
    if node.low > MANY and not inside and may_be_empty(node.body):
        return replace(node, low=1)
    return node


def _remembers(node: Node, asked: set[int]) -> bool:
    """Say whether a round may depend on those before it."""
    return any(
        isinstance(each, BackReference | Conditional) or (isinstance(each, Group) and each.index in asked)
        for each in every(node)
    )


def is_idle(node: Node) -> bool:
    """Say whether a tree matches no character, whatever the text: a place, or several."""
    match node:
        case Empty() | Anchor() | Look():
            return True
        case Chars() | BackReference():
            return False
        case _:
            return all(map(is_idle, inner(node)))


def may_be_empty(node: Node) -> bool:
    """Say whether a tree matches the empty text wherever it stands."""
    match node:
        case Empty():
            return True
        case Chars() | BackReference() | Anchor() | Look() | Conditional() | Atomic():
            return False
        case Repeat(_, _, _, "possessive"):  # it is empty only where it finds nothing
            return False
        case Alternation(branches):
            return any(map(may_be_empty, branches))
        case Repeat(body, low):
            return low == 0 or may_be_empty(body)
        case _:
            return all(map(may_be_empty, inner(node)))


# -- counts --------------------------------------------------------------------------------------------


class _Run(NamedTuple):
    """A character out of a set, low to high times."""

    chars: Chars
    low: int
    high: int | None


def merge_counts(node: Node) -> Node:
    r"""Return a tree of the same texts with repetitions of repetitions, and those in a row, as one.

    >>> merge_counts(parse("(?:a?){1000}a{1000}").root)
    Repeat(body=Chars(... literal='a'), low=1000, high=2000, kind='greedy')
    """
    asked = {each.group for each in every(node) if isinstance(each, Conditional)}
    return _merge(node, asked)


def _merge(node: Node, asked: set[int]) -> Node:
    if isinstance(node, Atomic) or (isinstance(node, Repeat) and node.kind == "possessive"):
        return node  # which match comes first counts there
    node = with_inner(node, lambda below: _merge(below, asked))
    match node:
        case Group(index, _, body) if index not in asked:
            return body  # whoever asks for texts alone needs no groups
        case Concatenation(parts):
            return _join_runs(parts)
        case Repeat(body, low, high):
            return _multiply(body, low, high)
        case _:
            return node


def _multiply(body: Node, low: int, high: int | None) -> Node:
    if is_idle(body):
        return repeat(body, min(low, 1), 1)
    if may_be_empty(body):
        low = 0
    match body:
        case Repeat(inside, least, most, kind) if kind != "possessive":
            if low != high and (0 if most is None and low else _gap(low, least, most)) > 0:
                return Repeat(body, low, high)
            top = None if most is None or high is None else most * high
            return repeat(inside, least * low, top)
    return repeat(body, low, high)


def _gap(rounds: int, least: int, most: int | None) -> int:
    """Return how many numbers lie between the most of so many rounds and the least of one more."""
    return least * (rounds + 1) - (most or 0) * rounds - 1


def _join_runs(parts: tuple[Node, ...]) -> Node:
    joined: list[Node] = []
    for part in parts:
        last, this = _run_of(joined[-1]) if joined else None, _run_of(part)
        if last is None or this is None or last.chars.ranges != this.chars.ranges:
            joined.append(part)
        elif isinstance(part, Repeat) or isinstance(joined[-1], Repeat):
            high = None if last.high is None or this.high is None else last.high + this.high
            joined[-1] = Repeat(last.chars, last.low + this.low, high)
        else:
            joined.append(part)
    return join_parts(joined)


def _run_of(node: Node) -> _Run | None:
    match node:
        case Chars():
            return _Run(node, 1, 1)
        case Repeat(Chars() as body, low, high, kind) if kind != "possessive":
            return _Run(body, low, high)
        case _:
            return None
