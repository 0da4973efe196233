"""The usual case, from objects to canonical bytes and back: objects that have their fields, values of one byte.

What is not so (a field gone or added, a string, a list, a hundred and more objects) is left to the general code, with
the same answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from unlike.heap.fields import ABSENT
from unlike.heap.layout import Layout, Node
from unlike.heap.plain_code import Code, Encode, Entry
from unlike.scope import Outside

FIRST_NODE, LAST_NODE = 0x80, 0xFE  # the bytes of nodes
SINGLES = (None, ABSENT, False, True, *range(-16, 80))  # kept, so that their ids stay theirs
SMALL = dict(zip(map(id, SINGLES), (0, 1, 2, 3, *range(0x20, FIRST_NODE)), strict=True))  # their bytes
LARGER = 0x80  # a number from here on takes more than one byte
PATIENCE = 30  # graphs in a row that are not plain; after them no more are tried

Groups = list[tuple[Code, list[Entry]]]


class ClassPlan(NamedTuple):
    """What the pass needs to know about a class."""

    encode: Encode
    number: int
    most: int  # the byte of the first node that could be one too many
    beyond: Outside  # what is said of one object too many


class NotPlainError(Exception):
    """Something in the graph is left to the general walk; with an argument, the graph is outside the limits."""


class PlainWalk:
    """The pass for one table, as long as its graphs are plain."""

    def __init__(self) -> None:
        self.kinds: dict[type, ClassPlan] = {}
        self.misses = 0

    def walk(self, roots: Sequence[object], bounded: bool) -> bytes | Outside | None:
        """Return the bytes of the graph, or why it is outside the limits, or None if it is not plain."""
        if len(roots) >= FIRST_NODE:
            return None
        out, numbers = bytearray(), bytearray()
        codes, order, encoders = SMALL.copy(), list[Any](), list[Encode]()
        write, code_of, kind_of = out.append, codes.get, self.kinds.get
        join, join_encoder, join_number = order.append, encoders.append, numbers.append

        def meet(value: Any) -> None:
            # numbers and writes an object that is met for the first time
            kind = kind_of(type(value))
            code = len(order) + FIRST_NODE
            if kind is None or code > LAST_NODE:
                raise NotPlainError
            encode, number, most, outside = kind
            if code >= most and bounded and numbers.count(number) >= most - FIRST_NODE:
                raise NotPlainError(outside)
            join(value)
            join_encoder(encode)
            join_number(number)
            codes[id(value)] = code
            write(code)

        try:
            for root in roots:
                code = code_of(id(root))
                meet(root) if code is None else write(code)
            for thing, encode in zip(order, encoders, strict=True):  # both grow while we walk
                if not encode(thing, code_of, write, meet):
                    return None
        except NotPlainError as stop:
            return stop.args[0] if stop.args else None
        return bytes((len(order), *numbers, len(roots))) + out  # each of them takes one byte

    def learn(self, layouts: Mapping[type, Node]) -> None:
        """Take in the classes that have code by now; called after a graph that was not plain."""
        self.misses += 1
        for cls, layout in layouts.items():
            if cls not in self.kinds and layout.code is not None and layout.number < FIRST_NODE:
                self.kinds[cls] = ClassPlan(layout.code.encode, layout.number, layout.most + FIRST_NODE, beyond(layout))


def beyond(layout: Layout) -> Outside:
    """Return what is said of an object beyond the limit of its class."""
    assert isinstance(layout, Node)
    return Outside(f"{layout.most + 1} objects of class {layout.cls.__name__}, of at most {layout.most}")


def remake(layouts: Sequence[Layout], singles: Mapping[int, object], state: bytes) -> tuple[list[Any], Groups] | None:
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
        return _fill_objects(values, state, numbers, groups, made)
    except KeyError:  # a value of more than one byte
        return None


def _fill_objects(
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
