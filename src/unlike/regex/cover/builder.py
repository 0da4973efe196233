"""From the tree of a pattern to its choices, under the heuristics."""

from __future__ import annotations

from unlike.regex import chars
from unlike.regex.cover.choices import (
    All,
    Characters,
    Choices,
    Class,
    CountedRepeat,
    Either,
    Fixed,
    Optional,
    Repeated,
    Rows,
    WrittenText,
)
from unlike.regex.cover.heuristics import Heuristics
from unlike.regex.tree import Alternation, Chars, Concatenation, Conditional, Look, Node, Repeat, inner


class ChoiceBuilder:
    """Turns a tree into its choices under the heuristics, and remembers the repetitions on the way."""

    def __init__(self, heuristics: Heuristics) -> None:
        self.heuristics = heuristics
        self.repeats: list[Repeated] = []
        self.ordinals: dict[str, int] = {}

    def build(self, node: Node) -> Choices:
        """Return the choices of the node."""
        match node:
            case Chars(_, _, _, literal):
                return self.characters(node) if literal is None else WrittenText(node, literal)
            case Alternation(branches):
                return Either(node, [self.build(branch) for branch in branches])
            case Conditional(_, yes, no):
                return Either(node, [self.build(yes), self.build(no)])
            case Concatenation(parts):
                return self.together(node, [self.build(part) for part in parts])
            case Repeat(body, 0, 1):
                return Optional(node, self.build(body))
            case Repeat(body):
                return self.repeat(node, self.build(body))
            case Look():
                return Fixed(node)
            case _:  # a node around another one offers what that offers
                bodies = inner(node)
                return self.build(bodies[0]) if bodies else Fixed(node)

    def characters(self, node: Chars) -> Choices:
        """Return the choices of a class."""
        if self.heuristics.classes == "characters":
            return Characters(node)
        sets = [(piece.written, piece.ranges) for piece in node.pieces]
        if self.heuristics.classes == "one":
            sets = [(node.written, node.ranges)] if node.ranges else []
        # every further class of letters shows the next letter, so that a name reads Aa Bb Cc
        kind = chars.samples(sets[0][1])[0] if sets else ""
        ordinal = self.ordinals[kind] = self.ordinals.get(kind, -1) + 1
        return Class(node, sets, ordinal)

    def together(self, node: Node, parts: list[Choices]) -> Choices:
        """Return the choices of parts in a row."""
        match self.heuristics.combine:
            case "all":
                return All(node, parts)
            case "each" | "pairs" as strength:
                return Rows(node, parts, pairs=strength == "pairs")

    def repeat(self, node: Repeat, body: Choices) -> Choices:
        """Return the choices of a repetition."""
        if self.heuristics.concatenation:
            return CountedRepeat(node, body, self.heuristics.most)
        made = Repeated(node, body, vary=self.heuristics.positions == "each")
        self.repeats.append(made)
        return made
