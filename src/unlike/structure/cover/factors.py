"""Factors: the columns of a covering array, with the condition under which each is there at all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from unlike.structure.cover.tree import CheckedNode, ChoiceNode, Decisions, FieldsNode, ItemsNode, LeafNode, Node


@dataclass(frozen=True, slots=True)
class Value:
    """One value of a factor: the decisions it stands for, and whether it enters pairs."""

    decisions: Decisions
    pairs: bool = True


@dataclass(frozen=True, slots=True)
class Factor:
    """Values of which an input takes one, whenever it takes the decisions of the condition."""

    condition: Decisions
    values: tuple[Value, ...]
    optional: bool = False

    def whole(self, value: int) -> dict[int, int]:
        """Return all decisions that the value needs."""
        return {**self.condition, **self.values[value].decisions}


def factors_of(node: Node, condition: Decisions | None = None) -> list[Factor]:
    """Return the factors below a node, on its own level, in the order of the fields.

    An alternative that offers one factor only takes its values as its own: of "absent, or one of two branches"
    three values come out, not two with two below one of them.
    """
    given = condition or {}
    match node:
        case LeafNode(number):
            values = tuple(Value({number: index}, option.pairs) for index, option in enumerate(node.options))
            return [Factor(given, values)] if len(values) > 1 else []
        case ItemsNode(number):
            values = tuple(Value({number: index}, size.pairs) for index, size in enumerate(node.sizes))
            return [Factor(given, values)] if len(values) > 1 else []
        case CheckedNode(inner):
            return factors_of(inner, given)
        case FieldsNode():
            return [each for _, child in node.children for each in factors_of(child, given)]
        case ChoiceNode():
            return _choice(node, given)


def _choice(node: ChoiceNode, condition: Decisions) -> list[Factor]:
    values: list[Value] = []
    below: list[Factor] = []
    for index, way in enumerate(node.ways):
        inside = {**condition, node.number: index}
        factors = factors_of(way.node, inside) if way.node is not None else []
        if len(factors) == 1:
            own = {number: option for number, option in factors[0].condition.items() if number not in condition}
            values += [Value({**own, **each.decisions}, each.pairs) for each in factors[0].values]
        else:
            values.append(Value({node.number: index}))
            below += factors
    optional = any(way.node is None for way in node.ways)
    return [Factor(condition, tuple(values), optional), *below] if len(values) > 1 else below


def merged(first: Decisions, second: Decisions) -> dict[int, int] | None:
    """Return both decisions together, or nothing if they contradict each other."""
    if any(first.get(number, option) != option for number, option in second.items()):
        return None
    return {**first, **second}


def pairs_of(factors: list[Factor]) -> Iterator[dict[int, int]]:
    """Yield the decisions of every pair of values of two factors that can stand together."""
    for second, factor in enumerate(factors):
        for first in range(second):
            yield from pairs_between(factors[first], factor)


def pairs_between(one: Factor, two: Factor) -> Iterator[dict[int, int]]:
    """Yield the decisions of every pair of their values; none where one is a condition of the other."""
    if is_above(one, two) or is_above(two, one):
        return
    for first, value in enumerate(one.values):
        for second, other in enumerate(two.values):
            if value.pairs and other.pairs:
                together = merged(one.whole(first), two.whole(second))
                if together is not None:
                    yield together


def is_above(one: Factor, two: Factor) -> bool:
    """Tell whether the second factor is there only under a value of the first."""
    own: Mapping[int, int] = one.values[0].decisions
    (number, *_) = own
    return number in two.condition
