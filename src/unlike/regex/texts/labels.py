"""A tree written out again, short enough for a label.

It reads as the pattern does: signs with a meaning of their own are escaped, and a space that could not be seen is `␠`.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from unlike.regex import chars, tree

WIDEST = 32  # characters of a part in a label, so that a row of labels stays readable

_SIGNS = frozenset("\\.^$*+?{}[]|()")
# between two words a space can be seen
_HIDDEN = re.compile(r"(?<![^\W_]) | (?![^\W_])")

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
    return _cut(show_spaces(_full(node, WIDEST * 2, _literal)))


def name_of_draws(node: tree.Node) -> str:
    """Return a name by which texts of the node are drawn: it stays when labels are written in another way."""
    return _cut(_full(node, WIDEST * 2, chars.shown_character))


def _cut(text: str) -> str:
    return text if len(text) <= WIDEST else f"{text[: WIDEST - 9]}…{text[-8:]}"


def show_spaces(text: str) -> str:
    """Return a text of which every space can be seen."""
    return _HIDDEN.sub("␠", text)


def _full(node: tree.Node, room: int, write: Callable[[str], str]) -> str:
    if room <= 0:
        return "…"
    match node:
        case tree.Empty():
            return ""
        case tree.Chars(_, _, text, literal):
            return text if literal is None else write(literal)
        case tree.Concatenation(parts):
            return _sequence(parts, room, write)
        case tree.Alternation(branches):
            return f"({'|'.join(_full(branch, room // 2, write) for branch in branches[:9])})"
        case tree.Repeat(body, low, high, kind):
            mark = {"greedy": "", "lazy": "?", "possessive": "+"}[kind]
            inside = _full(body, room, write)
            simple = isinstance(body, tree.Chars | tree.Group | tree.Alternation)
            return f"{inside if simple else f'({inside})'}{_times(low, high)}{mark}"
        case tree.Group(_, _, tree.Alternation() as body):
            return _full(body, room, write)
        case tree.Group(_, _, body):
            return f"({_full(body, room, write)})"
        case tree.BackReference(index):
            return f"\\{index}"
        case tree.Anchor(kind):
            return _PLACES[kind]
        case tree.Look(implied=True):
            return ""
        case tree.Look(ahead, negative, body):
            return f"(?{'' if ahead else '<'}{'!' if negative else '='}{_full(body, room, write)})"
        case tree.Conditional(group, yes, no):
            return f"(?({group}){_full(yes, room // 2, write)}|{_full(no, room // 2, write)})"
        case tree.Atomic(body):
            return f"(?>{_full(body, room, write)})"


def _literal(character: str) -> str:
    return f"\\{character}" if character in _SIGNS else chars.shown_character(character)


def _sequence(parts: tuple[tree.Node, ...], room: int, write: Callable[[str], str]) -> str:
    texts: list[str] = []
    for part in parts:
        texts.append(_full(part, room, write))
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
