"""A tree written out again, short enough for a label."""

from __future__ import annotations

from unlike.regex import chars, tree

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


def write_node(node: tree.Node) -> str:
    """Return the node as one would write it, cut in the middle when it is long."""
    text = _full(node, WIDEST * 2)
    return text if len(text) <= WIDEST else f"{text[: WIDEST - 9]}…{text[-8:]}"


def _full(node: tree.Node, room: int) -> str:
    if room <= 0:
        return "…"
    match node:
        case tree.Empty():
            return ""
        case tree.Chars(_, _, text, literal):
            return text if literal is None else chars.shown_character(literal)
        case tree.Concatenation(parts):
            return _sequence(parts, room)
        case tree.Alternation(branches):
            return f"({'|'.join(_full(branch, room // 2) for branch in branches[:9])})"
        case tree.Repeat(body, low, high, kind):
            mark = {"greedy": "", "lazy": "?", "possessive": "+"}[kind]
            inside = _full(body, room)
            simple = isinstance(body, tree.Chars | tree.Group | tree.Alternation)
            return f"{inside if simple else f'({inside})'}{_times(low, high)}{mark}"
        case tree.Group(_, _, tree.Alternation() as body):
            return _full(body, room)
        case tree.Group(_, _, body):
            return f"({_full(body, room)})"
        case tree.BackReference(index):
            return f"\\{index}"
        case tree.Anchor(kind):
            return _PLACES[kind]
        case tree.Look(implied=True):
            return ""
        case tree.Look(ahead, negative, body):
            return f"(?{'' if ahead else '<'}{'!' if negative else '='}{_full(body, room)})"
        case tree.Conditional(group, yes, no):
            return f"(?({group}){_full(yes, room // 2)}|{_full(no, room // 2)})"
        case tree.Atomic(body):
            return f"(?>{_full(body, room)})"


def _sequence(parts: tuple[tree.Node, ...], room: int) -> str:
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
