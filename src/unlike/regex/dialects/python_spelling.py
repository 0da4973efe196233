r"""A tree as a pattern of Python's `re`: every set of characters spelt out, so that no flag and no dialect matters.

>>> from unlike.regex.tree import parse
>>> print(spell(parse(r"(?a:\w)[^x](?=\n)").root))
[A-Za-z0-9_][^x](?=\n)
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import product

from unlike.regex import chars
from unlike.regex.chars import Ranges
from unlike.regex.dialects.references import UntoldError
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
    join_parts,
    with_inner,
)

# in the order in which people write them: what comes first is shown first
USUAL: dict[Ranges, Ranges] = {
    ((48, 57), (65, 90), (95, 95), (97, 122)): ((65, 90), (97, 122), (48, 57), (95, 95)),
}
ANCHORS = {
    "start": "^",
    "line start": "(?m:^)",
    "end": r"\Z",
    "final end": "$",
    "line end": "(?m:$)",
}
MANY, FEW = 40, 4  # a set of so many ranges may be cut to so few
MOST_WIDTHS = 64  # alternatives that one lookbehind is taken apart into


def spell(root: Node, *, few: bool = False) -> str:
    """Return a pattern that `re` reads as this tree.

    With `few` a class of very many ranges stands for some of them: enough to make texts of, quick to go through.
    """
    return _Spelling(few=few).node(_fixed_lookbehinds(root))


class _Spelling:
    def __init__(self, *, few: bool) -> None:
        self.few = few
        self.numbers: dict[int, int] = {}  # of the groups: some are left out on the way

    def node(self, node: Node) -> str:
        match node:
            case Empty():
                return ""
            case Chars():
                return self.characters(node)
            case Concatenation(parts):
                return "".join(
                    f"(?:{self.node(part)})" if isinstance(part, Alternation) else self.node(part) for part in parts
                )
            case Alternation(branches):
                return "|".join(map(self.node, branches))
            case Repeat():
                return self.rounds(node)
            case Group(index, name, body):
                self.numbers[index] = len(self.numbers) + 1
                opening = f"(?P<{name}>" if name and name.isascii() and name.isidentifier() else "("
                return f"{opening}{self.node(body)})"
            case BackReference(index):
                return f"(?:\\{self.numbers[index]})"  # in brackets: a digit may follow
            case Conditional(group, yes, no):
                return f"(?({self.numbers[group]}){self.node(yes)}|{self.node(no)})"
            case Anchor(kind, word):
                return ANCHORS[kind] if kind in ANCHORS else _boundary(word, at=kind == "boundary")
            case Look(ahead, negative, body):
                return f"(?{'' if ahead else '<'}{'!' if negative else '='}{self.node(body)})"
            case Atomic(body):
                return f"(?>{self.node(body)})"

    def part(self, node: Node) -> str:
        return f"(?:{self.node(node)})" if isinstance(node, Alternation) else self.node(node)

    def rounds(self, node: Repeat) -> str:
        body = self.node(node.body)
        inside = body if isinstance(node.body, Chars | Group) else f"(?:{body})"
        match node.low, node.high:
            case 0, None:
                count = "*"
            case 1, None:
                count = "+"
            case 0, 1:
                count = "?"
            case low, high if low == high:
                count = f"{{{low}}}"
            case low, high:
                count = f"{{{low},{'' if high is None else high}}}"
        return inside + count + {"greedy": "", "lazy": "?", "possessive": "+"}[node.kind]

    def characters(self, node: Chars) -> str:
        if not node.ranges:
            return "(?!)"
        if node.ranges == chars.EVERYTHING:
            return "(?s:.)"
        if node.literal is not None:
            return _character(node.literal, "\\^$.|?*+()[]{}")
        if node.written.startswith("[^") or node.written == "." or re.fullmatch(r"\\[DWSP].*", node.written):
            outside = chars.complement(node.ranges)
            if len(outside) <= MANY or not self.few:
                return f"[^{_in_class(outside)}]"
        pieces = [self.some(USUAL.get(piece.ranges, piece.ranges)) for piece in node.pieces]
        return f"[{''.join(map(_in_class, pieces))}]"

    def some(self, ranges: Ranges) -> Ranges:
        return chars.readable(ranges)[:FEW] if self.few and len(ranges) > MANY else ranges


def _boundary(word: Ranges, *, at: bool) -> str:
    if word == chars.category("w", ascii_only=True):
        place = r"(?a:\b)"
    elif word == chars.category("w", ascii_only=False):
        place = r"\b"
    else:
        inside = f"[{_in_class(word)}]"
        place = f"(?:(?<={inside})(?!{inside})|(?<!{inside})(?={inside}))"
    return place if at else f"(?!{place})"  # Python's \B is no place of the empty text


def _in_class(ranges: Ranges) -> str:
    def spell_point(point: int) -> str:
        return _character(chr(point), "\\]^-[&|~")

    return "".join(spell_point(low) + (f"-{spell_point(high)}" if high > low else "") for low, high in ranges)


def _character(char: str, special: str) -> str:
    if char in special:
        return f"\\{char}"
    if char.isascii() and char.isprintable():
        return char
    point = ord(char)
    if char in "\n\r\t":
        return {"\n": "\\n", "\r": "\\r", "\t": "\\t"}[char]
    return f"\\x{point:02x}" if point < 256 else f"\\u{point:04x}" if point < 0x10000 else f"\\U{point:08x}"


# -- what stands before a place: Python wants each alternative of one width ------------------------------------------


def _fixed_lookbehinds(node: Node) -> Node:
    """Return the tree with lookbehinds of several widths taken apart into some of one width each."""
    node = with_inner(node, _fixed_lookbehinds)
    if not isinstance(node, Look) or node.ahead:
        return node
    by_width: dict[int, list[Node]] = {}
    for width, way in _ways(_fewest_first(node.body)):
        by_width.setdefault(width, []).append(way)
    looks: list[Node] = [
        replace(node, body=ways[0] if len(ways) == 1 else Alternation(tuple(ways))) for ways in by_width.values()
    ]
    if not looks:  # nothing can stand there
        return Empty() if node.negative else NEVER
    if len(looks) == 1:
        return looks[0]
    return join_parts(looks) if node.negative else Alternation(tuple(looks))


def _fewest_first(node: Node) -> Node:
    """Return what stands before a place with the fewest rounds at its left edge: more of them say nothing more."""
    match node:
        case Alternation(branches):
            return Alternation(tuple(map(_fewest_first, branches)))
        case Group(_, _, body):
            return _fewest_first(body)
        case Concatenation(parts):
            return join_parts([_fewest_first(parts[0]), *parts[1:]])
        case Repeat(body, low):
            return _times(body, low)
        case _:
            return node


def _ways(node: Node) -> list[tuple[int, Node]]:
    """Return the texts of a node as alternatives of one width each."""
    match node:
        case Chars(ranges):
            return [(1, node)] if ranges else []
        case Empty() | Anchor() | Look():
            return [(0, node)]
        case Group(_, _, body):
            return _ways(body)  # what is captured there, nobody refers to
        case Alternation(branches):
            return _few([way for branch in branches for way in _ways(branch)])
        case Concatenation(parts):
            return _in_turn([_ways(part) for part in parts])
        case Repeat(body, low, None) if not low and not _ways(body):
            return [(0, Empty())]
        case Repeat(body, low, high) if high is not None and high <= MOST_WIDTHS:
            each = _ways(body)
            if not each:
                return [] if low else [(0, Empty())]
            if len(each) == 1:
                return _few([(each[0][0] * count, _times(each[0][1], count)) for count in range(low, high + 1)])
            return _few([way for count in range(low, high + 1) for way in _in_turn([each] * count)])
    raise UntoldError(
        "a lookbehind (?<=…) of texts of any length cannot be told in Python's words; bound its repetitions"
    )


def _in_turn(parts: list[list[tuple[int, Node]]]) -> list[tuple[int, Node]]:
    count = 1
    for part in parts:
        count *= len(part)
    _check_few(count)
    return [(sum(width for width, _ in ways), join_parts([way for _, way in ways])) for ways in product(*parts)]


def _times(node: Node, count: int) -> Node:
    return Repeat(node, count, count) if count > 1 else node if count else Empty()


def _few(ways: list[tuple[int, Node]]) -> list[tuple[int, Node]]:
    _check_few(len(ways))
    return ways


def _check_few(count: int) -> None:
    if count > MOST_WIDTHS:
        raise UntoldError("a lookbehind (?<=…) of very many widths cannot be told in Python's words; simplify it")
