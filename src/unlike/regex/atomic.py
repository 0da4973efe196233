"""Trees without atomic groups and back-references: the same language where possible, else a larger one.

An atomic group keeps its first match, whatever follows. Where a body has at most one match at each place,
that can be said with lookaheads: take a branch only if no earlier one matches, repeat until no more fits.
"""

from __future__ import annotations

import functools
from collections.abc import Callable

from unlike.regex import chars, tree


def replace_atoms(node: tree.Node) -> tree.Node:
    """Return the tree with atomic groups replaced where that is possible; the others stay."""
    match node:
        case tree.Atomic(body):
            inside = replace_atoms(body)
            return first_match(inside) or tree.Atomic(inside)
        case tree.Repeat(body, low, high, "possessive"):
            inside = replace_atoms(body)
            possessive = tree.Repeat(inside, low, high, "possessive")
            # a round without a character ends a possessive loop in ways of its own
            simple = _unique(inside) and (_width(inside) or 0) > 0
            return possessive if simple else tree.Atomic(tree.Repeat(inside, low, high), by_rounds=True)
        case _:
            return tree.with_inner(node, replace_atoms)


def first_match(node: tree.Node) -> tree.Node | None:
    """Return a tree without backtracking that matches what an atomic group around the node keeps, if there is one."""
    match node:
        case _ if _unique(node):
            return node
        case tree.Repeat(body, low, high, kind) if _unique(body) and (_width(body) or 0) > 0:
            return tree.repeat(body, low, low) if kind == "lazy" else tree.Repeat(body, low, high, "possessive")
        case tree.Alternation(branches):
            firsts = [first_match(branch) for branch in branches]
            missed = [tree.Look(True, True, branch, implied=True) for branch in branches]
            kept = [
                tree.Concatenation((*missed[:index], first)) for index, first in enumerate(firsts) if first is not None
            ]
            return tree.Alternation(tuple(kept)) if len(kept) == len(firsts) else None
        case tree.Concatenation(parts) if all(_unique(part) for part in parts[:-1]):
            last = first_match(parts[-1])
            return None if last is None else tree.Concatenation((*parts[:-1], last))
        case tree.Group(index, name, body):
            inside = first_match(body)
            return None if inside is None else tree.Group(index, name, inside)
        case _:
            return None


def loosen(root: tree.Node) -> tree.Node:
    """Return a tree that automata can decide and that matches at least what the given one matches.

    A back-reference becomes anything its group can hold; what cannot be weighed is left out.
    """
    groups = {node.index: node.body for node in tree.every(root) if isinstance(node, tree.Group)}
    return _loosen(root, functools.cache(lambda index, ignore_case: _anything_held(groups.get(index), ignore_case)))


def _anything_held(body: tree.Node | None, ignore_case: bool) -> tree.Node:
    """Return a tree of whatever the body of a group can hold."""
    if body is None:
        return tree.NEVER
    if any(isinstance(each, tree.BackReference) for each in tree.every(body)):
        return tree.Repeat(tree.Chars(chars.EVERYTHING, (), "any"), 0, None)
    return _without_places(body, ignore_case)


def _loosen(node: tree.Node, held: Callable[[int, bool], tree.Node]) -> tree.Node:
    def inside(below: tree.Node) -> tree.Node:
        return _loosen(below, held)

    match node:
        case tree.BackReference(index, ignore_case):
            return held(index, ignore_case)
        case tree.Atomic(body):
            return inside(body)
        case tree.Look() if any(
            isinstance(each, tree.BackReference | tree.Atomic | tree.Conditional) for each in tree.every(node)
        ):
            return tree.Empty()
        case tree.Look(ahead, negative):
            return tree.Empty() if negative and not ahead else node
        case tree.Repeat(body, low, high):
            return tree.Repeat(inside(body), low, high)
        case tree.Conditional(_, yes, no):
            return tree.Alternation((inside(yes), inside(no)))
        case _:
            return tree.with_inner(node, inside)


def _without_places(node: tree.Node, ignore_case: bool) -> tree.Node:
    """Return the tree without conditions on its surroundings, which differ where its text is repeated."""

    def inside(below: tree.Node) -> tree.Node:
        return _without_places(below, ignore_case)

    match node:
        case tree.Anchor() | tree.Look():
            return tree.Empty()
        case tree.Chars(ranges) if ignore_case:
            return tree.Chars(chars.fold_case(ranges, ascii_only=False), (), "folded")
        case tree.Repeat(body, low, high):
            return tree.Repeat(inside(body), low, high)
        case tree.Group(_, _, body) | tree.Atomic(body):
            return inside(body)
        case tree.Conditional(_, yes, no):
            return tree.Alternation((inside(yes), inside(no)))
        case _:
            return tree.with_inner(node, inside)


def longest(possessive: tree.Repeat) -> tree.Node:
    """Return the body, which has one match at each place, as often as it fits."""
    body, low, high = possessive.body, possessive.low, possessive.high
    no_more = tree.Look(True, True, body)
    if high is None:
        return tree.Concatenation((tree.Repeat(body, low, None), no_more))
    if high == low:
        return tree.Repeat(body, low, low)
    fewer = tree.Concatenation((tree.Repeat(body, low, high - 1), no_more))
    return tree.Alternation((tree.Repeat(body, high, high), fewer))


def _unique(node: tree.Node) -> bool:
    """Say whether no place has two matches of the node of different length."""
    match node:
        case tree.Chars() | tree.Empty() | tree.Anchor() | tree.Look():
            return True
        case tree.Concatenation(parts):
            return all(_unique(part) for part in parts)
        case tree.Group(_, _, body):
            return _unique(body)
        case tree.Repeat(body, low, high, kind):
            return (low == high or kind == "possessive") and _unique(body) and (_width(body) or 0) > 0
        case tree.Alternation(branches):
            return all(_unique(branch) for branch in branches) and _width(node) is not None
        case _:
            return False


def _width(node: tree.Node) -> int | None:
    """Return the length of every match, or None if it is not plain to see."""
    match node:
        case tree.Chars():
            return 1
        case tree.Empty() | tree.Anchor() | tree.Look():
            return 0
        case tree.Concatenation(parts):
            widths = [_width(part) for part in parts]
            return None if None in widths else sum(width or 0 for width in widths)
        case tree.Group(_, _, body):
            return _width(body)
        case tree.Repeat(body, low, high) if low == high:
            inner = _width(body)
            return None if inner is None else inner * low
        case tree.Alternation(branches):
            found = {_width(branch) for branch in branches}
            return found.pop() if len(found) == 1 else None
        case _:
            return None


# -- what automata decide ------------------------------------------------------------------------------------


def why_not_exact(root: tree.Node) -> str:
    """Return what of a tree is beyond automata, in words; nothing if all is decided."""
    asked = {each.group for each in _conditionals(root)}
    for node in tree.every(root):
        match node:
            case tree.BackReference(index):
                return f"the back-reference to group {index} is not regular"
            case tree.Atomic():
                return "an atomic group or possessive quantifier over a body with several matches is not decided"
            case tree.Look(False, True, body) if any(_looks_right(below) for below in tree.every(body)):
                return "a negative lookbehind that looks ahead is not decided"
            case tree.Look() if asked & _groups_in(node):
                return (
                    f"the conditional asks for group {min(asked & _groups_in(node))}, which stands inside a lookaround"
                )
            case tree.Repeat(_, _, high) if high != 1 and asked & _groups_in(node):
                return f"the conditional asks for group {min(asked & _groups_in(node))}, which may match several times"
            case tree.Group(index, _, body) if any(each.group == index for each in _conditionals(body)):
                return f"a conditional inside group {index} asks for that very group"
    return ""


def _looks_right(node: tree.Node) -> bool:
    match node:
        case tree.Anchor(kind):
            return kind not in ("start", "line start")
        case tree.Look(ahead):
            return ahead
        case _:
            return False


def _conditionals(root: tree.Node) -> list[tree.Conditional]:
    return [node for node in tree.every(root) if isinstance(node, tree.Conditional)]


def _groups_in(root: tree.Node) -> set[int]:
    return {node.index for node in tree.every(root) if isinstance(node, tree.Group)}
