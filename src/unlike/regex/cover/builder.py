"""From the tree of a pattern to its choices, under the heuristics: what makes two derivations different."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from unlike.errors import SpecError, nearest
from unlike.regex import chars
from unlike.regex.cover import choices
from unlike.regex.rounds import least_steps
from unlike.regex.tree import Alternation, Chars, Concatenation, Conditional, Group, Look, Node, Repeat, inner

Combine: TypeAlias = Literal["each", "pairs", "all"]
Length: TypeAlias = Literal["one more", "several", "upper"]
IN_WORDS: dict[Length, str] = {"one more": "one more", "several": "more than the least", "upper": "longest"}


@dataclass(frozen=True, slots=True)
class Heuristics:
    """Which differences count.

    classes        a class is one choice, one per separately written piece, or one per character
    positions      only the first round of a repetition varies, or each of them
    lengths        beside its shortest length, the lengths at which a repetition appears once more
    combine        every choice at least once, every pair of choices, or all combinations
    concatenation  every number of rounds is a choice of its own, and each round varies (Table 4)
    most           the largest number of rounds that `concatenation` goes to
    longest        an upper bound that makes a text longer than this is left out, and reported
    start          which characters stand for a class: others for another number; the choices are the same
    unicode        they are of all scripts, not of ASCII where there is a choice
    """

    classes: Literal["one", "pieces", "characters"] = "pieces"
    positions: Literal["first", "each"] = "first"
    lengths: tuple[Length, ...] = ("several", "upper")
    combine: Combine = "all"
    concatenation: bool = False
    most: int = 8
    longest: int = 10_000
    start: int = 0
    unicode: bool = False


DEFAULT = Heuristics()

PRESETS = {
    "default": DEFAULT,
    "class-as-one": replace(DEFAULT, classes="one"),
    "every-character": replace(DEFAULT, classes="characters"),
    "each-position": replace(DEFAULT, positions="each"),
    "shortest": replace(DEFAULT, lengths=()),
    "more-lengths": replace(DEFAULT, lengths=("one more", "several", "upper")),
    "concatenation": replace(DEFAULT, concatenation=True),
}


def find_heuristics(name: str, *, combine: Combine = "all", start: int = 0, unicode: bool = False) -> Heuristics:
    """Return the setting of the name, combining choices and showing classes as asked."""
    if name not in PRESETS:
        raise SpecError(f"no heuristic is called {name!r}; {nearest(name, PRESETS)}")
    return replace(PRESETS[name], combine=combine, start=start, unicode=unicode)


FURTHER = 7  # characters to the next start: it shares no factor with 10 digits and 26 letters


class ChoiceBuilder:
    """Turns a tree into its choices under the heuristics, and remembers the repetitions on the way."""

    def __init__(self, heuristics: Heuristics, longest: int) -> None:
        self.heuristics = heuristics
        self.longest = longest  # characters of one text: a repetition that takes more is no choice
        self.too_long: list[choices.Repeated] = []
        self.repeats: list[choices.Repeated] = []
        self.groups: dict[int, list[int]] = {}  # by the id of a space: the groups that capture its text
        self.ordinals: dict[str, int] = {}

    def build(self, node: Node) -> choices.Choices:
        """Return the choices of the node."""
        match node:
            case Chars(_, _, _, literal):
                return self.characters(node) if literal is None else choices.WrittenText(node, literal)
            case Alternation(branches):
                return choices.Either(node, [self.build(branch) for branch in branches])
            case Conditional(_, yes, no):
                return choices.Either(node, [self.build(yes), self.build(no)])
            case Concatenation(parts):
                return self.together(node, [self.build(part) for part in parts])
            case Repeat(body, 0, 1):
                return choices.Optional(node, self.build(body))
            case Repeat(body):
                return self.repeat(node, self.build(body))
            case Look():
                return choices.WrittenText(node, "")
            case Group(index, name, body):
                made = self.build(body)
                if name is not None:
                    made.call(name)
                self.groups.setdefault(id(made), []).append(index)
                return made
            case _:  # a node around another one offers what that offers
                bodies = inner(node)
                return self.build(bodies[0]) if bodies else choices.WrittenText(node, "")

    def characters(self, node: Chars) -> choices.Choices:
        """Return the choices of a class."""
        if self.heuristics.classes == "characters":
            return choices.Characters(node)
        sets = [(piece.written, piece.ranges) for piece in node.pieces]
        if self.heuristics.classes == "one":
            sets = [(node.written, node.ranges)] if node.ranges else []
        # every further class of letters shows the next letter, so that a name reads Aa Bb Cc
        kind = chars.samples(sets[0][1])[0] if sets else ""
        ordinal = self.ordinals[kind] = self.ordinals.get(kind, -1) + 1
        return choices.Class(node, sets, ordinal + self.heuristics.start * FURTHER, unicode=self.heuristics.unicode)

    def together(self, node: Node, parts: list[choices.Choices]) -> choices.Choices:
        """Return the choices of parts in a row."""
        if self.heuristics.combine == "all":
            return choices.All(node, parts)
        return choices.Rows(node, parts, pairs=self.heuristics.combine == "pairs")

    def repeat(self, node: Repeat, body: choices.Choices) -> choices.Choices:
        """Return the choices of a repetition."""
        if least_steps(node) > self.longest:
            made = choices.Repeated(node, choices.Choices(node.body, 0), vary=False)
            self.too_long.append(made)
            self.repeats += [] if self.heuristics.concatenation else [made]
            return made
        if self.heuristics.concatenation:
            return choices.CountedRepeat(node, body, self.heuristics.most)
        made = choices.Repeated(node, body, vary=self.heuristics.positions == "each")
        self.repeats.append(made)
        return made
