"""Numbers and lengths as choices: their stated ends as alternatives, or every number of a short range.

Otherwise each end appears once, beside whatever else an input holds; here it meets every other choice.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from unlike.structure.shapes import Checked, Choice, Constants, ItemsShape, NamedFields, Numbers, Shape, Texts

BETWEEN = "between"
FEW = 10  # whole numbers that are listed


def pair_bounds(shape: Shape) -> Shape:
    """Return the same values, with every stated bound as an alternative of its own."""
    return _with_leaves(shape, _ends)


def list_short_ranges(shape: Shape) -> Shape:
    """Return the same values, with every whole number of a short range as a choice of its own."""
    return _with_leaves(shape, _list_range)


def _with_leaves(shape: Shape, change: Callable[[Shape], Shape]) -> Shape:
    match shape:
        case NamedFields(fields):
            return replace(
                shape, fields=tuple(replace(each, shape=_with_leaves(each.shape, change)) for each in fields)
            )
        case Choice(alternatives):
            return replace(
                shape, alternatives=tuple((word, _with_leaves(inner, change)) for word, inner in alternatives)
            )
        case ItemsShape(item):
            return replace(shape, item=_with_leaves(item, change))
        case Checked(inner):
            return replace(shape, inner=_with_leaves(inner, change))
    return change(shape)


def _list_range(leaf: Shape) -> Shape:
    if isinstance(leaf, Numbers) and leaf.line.kind == "int" and 1 < leaf.count() <= FEW:
        return Constants(tuple(map(leaf.line.value, range(leaf.low, leaf.high + 1, leaf.step))))
    return leaf


def _ends(leaf: Shape) -> Shape:
    match leaf:
        case Numbers():
            return _ends_of_numbers(leaf)
        case Texts(None):
            return _ends_of_lengths(leaf)
    return leaf


def _ends_of_numbers(leaf: Numbers) -> Shape:
    codes = {"least": leaf.low, "most": leaf.high}
    ends = {word: code for word, code in codes.items() if word in leaf.stated and leaf.has_value(code)}
    if not ends or leaf.count() <= len(ends):
        return leaf
    found = [(word, Constants((leaf.line.value(code),), word)) for word, code in ends.items()]
    return Choice((*found, (BETWEEN, leaf)))


def _ends_of_lengths(leaf: Texts) -> Shape:
    lengths = {"shortest": leaf.least, "longest": leaf.most}
    ends = {word: length for word, length in lengths.items() if word in leaf.stated}
    if not ends or leaf.least == leaf.most:
        return leaf
    found = [(word, replace(leaf, least=length, most=length)) for word, length in ends.items()]
    return Choice((*found, (BETWEEN, leaf)))
