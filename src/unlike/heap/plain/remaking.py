"""From canonical bytes straight to the objects, for graphs of plain objects whose values take one byte each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from unlike.heap.layout import Layout
from unlike.heap.plain.code import Code, Entry

FIRST_NODE = 0x80  # the byte of node 0
LARGER = 0x80  # a number from here on takes more than one byte

Groups = list[tuple[Code, list[Entry]]]


def remade(layouts: Sequence[Layout], singles: Mapping[int, object], state: bytes) -> tuple[list[Any], Groups] | None:
    """Return fresh roots with the state, and all objects with their values; None for a graph that is not plain.

    `singles` are the values that one byte stands for. Nothing of the user's runs, so the graph certainly has the state.
    """
    count = state[0]
    numbers = state[1 : count + 1]
    if count >= LARGER - 1 or max(numbers, default=LARGER) >= LARGER:
        return None
    chosen: list[Any] = [layouts[number] for number in numbers]
    groups: dict[int, tuple[Code, list[Entry]]] = {}
    for number in set(numbers):
        code = getattr(layouts[number], "code", None)
        if code is None:
            return None
        groups[number] = (code, [])
    made = [layout.maker(layout.cls) for layout in chosen]
    values = {**singles, **dict(zip(range(FIRST_NODE, 255), made, strict=False))}
    try:
        return _filled(values, state, numbers, groups, made)
    except KeyError:  # a value of more than one byte
        return None


def _filled(
    values: dict[int, object],
    state: bytes,
    numbers: bytes,
    groups: dict[int, tuple[Code, list[Entry]]],
    made: list[Any],
) -> tuple[list[Any], Groups] | None:
    """Give the objects their values and return the roots and the groups, unless some object has other fields."""
    value_of = values.__getitem__
    begin = len(numbers) + 2
    position = begin + state[begin - 1]
    roots = [*map(value_of, state[begin:position])]
    for number, thing in zip(numbers, made, strict=True):
        code, entries = groups[number]
        size = len(code.names)
        if code.counted:
            if state[position] != size:
                return None
            position += 1
        held = [*map(value_of, state[position : position + size])]
        position += size
        code.fill(thing, held)
        entries.append((thing, *held))
    return (roots, [*groups.values()]) if position == len(state) else None
