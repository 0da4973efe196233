"""Factors: the columns of a covering array, with the condition under which each is there at all.

Fields that are counted are no independent columns: of them only so many can be there together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

from unlike.chance import Turn, key_of
from unlike.covering_arrays import Decisions, Factor, FactorValue
from unlike.structure.cover import tree

ORDERS = 5  # in which counted fields are decided on, if an earlier one leads nowhere
Wish: TypeAlias = Callable[[tree.ChoiceNode | tree.ItemsNode, Turn], int]


def factors_of(node: tree.Node, condition: Decisions | None = None) -> list[Factor]:
    """Return the factors below a node, on its own level, in the order of the fields.

    An alternative that offers one factor only takes its values as its own: of "absent, or one of two branches"
    three values come out, not two with two below one of them.
    """
    given = condition or {}
    match node:
        case tree.LeafNode(number):
            values = tuple(FactorValue({number: index}, option.pairs) for index, option in enumerate(node.options))
            return [Factor(given, values)] if len(values) > 1 else []
        case tree.ItemsNode(number):
            values = tuple(FactorValue({number: index}, size.pairs) for index, size in enumerate(node.sizes))
            return [Factor(given, values)] if len(values) > 1 else []
        case tree.FieldsNode():
            return [each for _, child in node.children for each in factors_of(child, given)]
        case tree.ChoiceNode():
            return _choice(node, given)


def _choice(node: tree.ChoiceNode, condition: Decisions) -> list[Factor]:
    values: list[FactorValue] = []
    below: list[Factor] = []
    for index, way in enumerate(node.ways):
        inside = {**condition, node.number: index}
        factors = factors_of(way.node, inside) if way.node is not None else []
        if len(factors) == 1:
            own = {number: option for number, option in factors[0].condition.items() if number not in condition}
            values += [FactorValue({**own, **each.decisions}, each.pairs) for each in factors[0].values]
        else:
            values.append(FactorValue({node.number: index}))
            below += factors
    optional = any(way.node is None for way in node.ways)
    return [Factor(condition, tuple(values), optional), *below] if len(values) > 1 else below


# -- how many there may be together --------------------------------------------------------------------------------


class Tallies:
    """The counted fields on the level of a node, by what decides on them."""

    def __init__(self, node: tree.Node) -> None:
        self.by_number: dict[int, list[tree.EntryTally]] = {}
        for tally in _tallies(node):
            for part in tally.parts:
                self.by_number.setdefault(part.number, []).append(tally)

    def find_broken(self, decisions: Decisions, numbers: Iterable[int] | None = None) -> str:
        """Return in words which number the decisions cannot keep, however they go on; nothing if there is none."""
        if not self.by_number:
            return ""
        for number in decisions if numbers is None else numbers:
            for tally in self.by_number.get(number, ()):
                least, most = _range(tally, decisions, shown=False)
                counted = tally.counted
                if most < counted.least or (counted.most is not None and least > counted.most):
                    return str(counted)
        return ""


def _tallies(node: tree.Node) -> Iterator[tree.EntryTally]:
    match node:
        case tree.FieldsNode(_, children, tallies):
            yield from tallies
            for _, child in children:
                yield from _tallies(child)
        case tree.ChoiceNode(ways=ways):
            for way in ways:
                yield from () if way.node is None else _tallies(way.node)


def _range(tally: tree.EntryTally, decisions: Decisions, *, shown: bool) -> tuple[int, int]:
    """Return how many entries there are at least and at most, once the decisions are taken."""
    least = most = tally.fixed
    for part in tally.parts:
        counts = [tree.entries(part, option) for option in tree.open_options(part, decisions)]
        least += min(each[0 if shown else 1] for each in counts)
        most += max(each[0 if shown else 2] for each in counts)
    return least, most


def counted_out(node: tree.FieldsNode, row: Decisions, wish: Wish, turn: Turn) -> Decisions:
    """Return the row with a decision for every counted field: what is wished for where the numbers allow it."""
    found: dict[int, int] = dict(row)
    for again in range(ORDERS):
        found = dict(row)
        if all(
            _count_out(tally, found, wish, turn._replace(word=f"{turn.word} {again}") if again else turn)
            for tally in node.tallies
        ):
            break
    return found


def _count_out(tally: tree.EntryTally, found: dict[int, int], wish: Wish, turn: Turn) -> bool:
    """Decide on the fields one by one, so that those still open can make up for them; tell whether that went well."""
    least, most = _range(tally, found, shown=True)
    low, high = tally.counted.least, tally.counted.most
    ordered = sorted(tally.parts, key=lambda part: key_of(part.number, *turn))
    for part in ordered:
        if part.number in found:
            continue
        counts = [tree.entries(part, option)[0] for option in tree.open_options(part)]
        least, most = least - min(counts), most - max(counts)
        first = wish(part, turn)
        allowed = [
            option
            for option in (first, *tree.open_options(part))
            if most + counts[option] >= low and (high is None or least + counts[option] <= high)
        ]
        found[part.number] = option = allowed[0] if allowed else first
        least, most = least + counts[option], most + counts[option]
    return least >= low and (high is None or least <= high)
