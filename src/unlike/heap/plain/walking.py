"""From a graph of plain objects to its canonical bytes, in one pass without detours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from unlike.heap.layout import Layout, Node
from unlike.heap.plain.code import Encode
from unlike.scope import Outside

FIRST_NODE, LAST_NODE = 0x80, 0xFE  # the bytes of nodes
PATIENCE = 30  # graphs in a row that are not plain; after them no more are tried


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

    def __init__(self, small: Mapping[int, int]) -> None:
        self.small = dict(small)
        self.kinds: dict[type, ClassPlan] = {}
        self.misses = 0

    def walk(self, roots: Sequence[object], bounded: bool) -> bytes | Outside | None:
        """Return the bytes of the graph, or why it is outside the limits, or None if it is not plain."""
        if len(roots) >= FIRST_NODE:
            return None
        out, numbers = bytearray(), bytearray()
        codes, order, encoders = self.small.copy(), list[Any](), list[Encode]()
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
