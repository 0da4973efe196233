"""Trees without atomic groups and back-references: the same language where possible, else a larger one.

An atomic group keeps its first match, whatever follows. Where a body has at most one match at each place,
that can be said with lookaheads: take a branch only if no earlier one matches, repeat until no more fits.
"""

from __future__ import annotations

from unlike.regex import chars
from unlike.regex.tree import (
    NEVER,
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
    repeat,
    with_inner,
)


def replace_atoms(node: Node) -> Node:
    """Return the tree with atomic groups replaced where that is possible; the others stay."""
    match node:
        case Atomic(body):
            inside = replace_atoms(body)
            return first_match(inside) or Atomic(inside)
        case Repeat(body, low, high, "possessive"):
            inside = replace_atoms(body)
            possessive = Repeat(inside, low, high, "possessive")
            # a round without a character ends a possessive loop in ways of its own
            simple = _unique(inside) and (_width(inside) or 0) > 0
            return possessive if simple else Atomic(Repeat(inside, low, high), by_rounds=True)
        case _:
            return with_inner(node, replace_atoms)


def first_match(node: Node) -> Node | None:
    """Return a tree without backtracking that matches what an atomic group around the node keeps, if there is one."""
    match node:
        case _ if _unique(node):
            return node
        case Repeat(body, low, high, kind) if _unique(body) and (_width(body) or 0) > 0:
            return repeat(body, low, low) if kind == "lazy" else Repeat(body, low, high, "possessive")
        case Alternation(branches):
            firsts = [first_match(branch) for branch in branches]
            missed = [Look(True, True, branch, implied=True) for branch in branches]
            kept = [Concatenation((*missed[:index], first)) for index, first in enumerate(firsts) if first is not None]
            return Alternation(tuple(kept)) if len(kept) == len(firsts) else None
        case Concatenation(parts) if all(_unique(part) for part in parts[:-1]):
            last = first_match(parts[-1])
            return None if last is None else Concatenation((*parts[:-1], last))
        case Group(index, name, body):
            inside = first_match(body)
            return None if inside is None else Group(index, name, inside)
        case _:
            return None


def loosen(root: Node) -> Node:
    """Return a tree that automata can decide and that matches at least what the given one matches.

    A back-reference becomes anything its group can hold; what cannot be weighed is left out.
    """
    groups = {node.index: node.body for node in every(root) if isinstance(node, Group)}
    return _loosen(root, groups)


def _loosen(node: Node, groups: dict[int, Node]) -> Node:
    def inside(below: Node) -> Node:
        return _loosen(below, groups)

    match node:
        case BackReference(index, ignore_case):
            if index not in groups:
                return NEVER
            if any(isinstance(each, BackReference) for each in every(groups[index])):
                return Repeat(Chars(chars.EVERYTHING, (), "any"), 0, None)
            return _without_places(groups[index], ignore_case)
        case Atomic(body):
            return inside(body)
        case Look() if any(isinstance(each, BackReference | Atomic | Conditional) for each in every(node)):
            return Empty()
        case Look(ahead, negative):
            return Empty() if negative and not ahead else node
        case Repeat(body, low, high):
            return Repeat(inside(body), low, high)
        case Conditional(_, yes, no):
            return Alternation((inside(yes), inside(no)))
        case _:
            return with_inner(node, inside)


def _without_places(node: Node, ignore_case: bool) -> Node:
    """Return the tree without conditions on its surroundings, which differ where its text is repeated."""

    def inside(below: Node) -> Node:
        return _without_places(below, ignore_case)

    match node:
        case Anchor() | Look():
            return Empty()
        case Chars(ranges) if ignore_case:
            return Chars(chars.fold_case(ranges, ascii_only=False), (), "folded")
        case Repeat(body, low, high):
            return Repeat(inside(body), low, high)
        case Group(_, _, body) | Atomic(body):
            return inside(body)
        case Conditional(_, yes, no):
            return Alternation((inside(yes), inside(no)))
        case _:
            return with_inner(node, inside)


def longest(possessive: Repeat) -> Node:
    """Return the body, which has one match at each place, as often as it fits."""
    body, low, high = possessive.body, possessive.low, possessive.high
    no_more = Look(True, True, body)
    if high is None:
        return Concatenation((Repeat(body, low, None), no_more))
    if high == low:
        return Repeat(body, low, low)
    fewer = Concatenation((Repeat(body, low, high - 1), no_more))
    return Alternation((Repeat(body, high, high), fewer))


def _unique(node: Node) -> bool:
    """Say whether no place has two matches of the node of different length."""
    match node:
        case Chars() | Empty() | Anchor() | Look():
            return True
        case Concatenation(parts):
            return all(_unique(part) for part in parts)
        case Group(_, _, body):
            return _unique(body)
        case Repeat(body, low, high, kind):
            return (low == high or kind == "possessive") and _unique(body) and (_width(body) or 0) > 0
        case Alternation(branches):
            return all(_unique(branch) for branch in branches) and _width(node) is not None
        case _:
            return False


def _width(node: Node) -> int | None:
    """Return the length of every match, or None if it is not plain to see."""
    match node:
        case Chars():
            return 1
        case Empty() | Anchor() | Look():
            return 0
        case Concatenation(parts):
            widths = [_width(part) for part in parts]
            return None if None in widths else sum(width or 0 for width in widths)
        case Group(_, _, body):
            return _width(body)
        case Repeat(body, low, high) if low == high:
            inner = _width(body)
            return None if inner is None else inner * low
        case Alternation(branches):
            found = {_width(branch) for branch in branches}
            return found.pop() if len(found) == 1 else None
        case _:
            return None


# -- what automata decide ------------------------------------------------------------------------------------


def why_not_exact(root: Node) -> str:
    """Return what of a tree is beyond automata, in words; nothing if all is decided."""
    asked = {each.group for each in _conditionals(root)}
    for node in every(root):
        match node:
            case BackReference(index):
                return f"the back-reference to group {index} is not regular"
            case Atomic():
                return "an atomic group or possessive quantifier over a body with several matches is not decided"
            case Look(False, True, body) if any(_looks_right(below) for below in every(body)):
                return "a negative lookbehind that looks ahead is not decided"
            case Look() if asked & _groups_in(node):
                return (
                    f"the conditional asks for group {min(asked & _groups_in(node))}, which stands inside a lookaround"
                )
            case Repeat(_, _, high) if high != 1 and asked & _groups_in(node):
                return f"the conditional asks for group {min(asked & _groups_in(node))}, which may match several times"
            case Group(index, _, body) if any(each.group == index for each in _conditionals(body)):
                return f"a conditional inside group {index} asks for that very group"
    return ""


def _looks_right(node: Node) -> bool:
    match node:
        case Anchor(kind):
            return kind not in ("start", "line start")
        case Look(ahead):
            return ahead
        case _:
            return False


def _conditionals(root: Node) -> list[Conditional]:
    return [node for node in every(root) if isinstance(node, Conditional)]


def _groups_in(root: Node) -> set[int]:
    return {node.index for node in every(root) if isinstance(node, Group)}
