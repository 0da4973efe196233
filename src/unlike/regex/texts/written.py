"""A tree written out again, short enough for a label."""

from __future__ import annotations

from unlike.regex import chars
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
)

WIDEST = 32  # characters of a part in a label, so that a row of labels stays readable

_PLACES = {
    "start": "^",
    "line start": "^",
    "end": "\\Z",
    "final end": "$",
    "line end": "$",
    "boundary": "\\b",
    "not boundary": "\\B",
}


def write_node(node: Node) -> str:
    """Return the node as one would write it, cut in the middle when it is long."""
    text = _full(node, WIDEST * 2)
    return text if len(text) <= WIDEST else f"{text[: WIDEST - 9]}…{text[-8:]}"


def _full(node: Node, room: int) -> str:
    if room <= 0:
        return "…"
    match node:
        case Empty():
            return ""
        case Chars(_, _, text, literal):
            return text if literal is None else chars.shown_character(literal)
        case Concatenation(parts):
            return _sequence(parts, room)
        case Alternation(branches):
            return f"({'|'.join(_full(branch, room // 2) for branch in branches[:9])})"
        case Repeat(body, low, high, kind):
            mark = {"greedy": "", "lazy": "?", "possessive": "+"}[kind]
            inside = _full(body, room)
            simple = isinstance(body, Chars | Group | Alternation)
            return f"{inside if simple else f'({inside})'}{_times(low, high)}{mark}"
        case Group(_, _, Alternation() as body):
            return _full(body, room)
        case Group(_, _, body):
            return f"({_full(body, room)})"
        case BackReference(index):
            return f"\\{index}"
        case Anchor(kind):
            return _PLACES[kind]
        case Look(implied=True):
            return ""
        case Look(ahead, negative, body):
            return f"(?{'' if ahead else '<'}{'!' if negative else '='}{_full(body, room)})"
        case Conditional(group, yes, no):
            return f"(?({group}){_full(yes, room // 2)}|{_full(no, room // 2)})"
        case Atomic(body):
            return f"(?>{_full(body, room)})"


def _sequence(parts: tuple[Node, ...], room: int) -> str:
    texts: list[str] = []
    for part in parts:
        texts.append(_full(part, room))
        room -= len(texts[-1])
        if room <= 0:
            texts.append("…")
            break
    return "".join(texts)


def _times(low: int, high: int | None) -> str:
    match low, high:
        case 0, None:
            return "*"
        case 1, None:
            return "+"
        case 0, 1:
            return "?"
        case _, None:
            return f"{{{low},}}"
    return f"{{{low}}}" if low == high else f"{{{low},{high}}}"
