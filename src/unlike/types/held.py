"""Parts of a type that the term language has no value for: some of their values, by number.

They are those that show the choices of the part, as a type of its own would be covered. No term speaks of what is
inside; what is proved of all inputs holds only where nothing speaks of the part.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from unlike.errors import SpecError
from unlike.language.terms import Aggregate, Held, Node, Op, Opaque, Quantified, holds_unspoken, is_held
from unlike.language.values import List, OneOf, Option, Record, Value
from unlike.recipe import Argument, Step
from unlike.structure.building import build_object, quote_plain
from unlike.structure.cover.execute import execute
from unlike.structure.cover.tree import compile_shape
from unlike.structure.shapes import Shape

HELD = 16  # values of a part: enough to show the choices of most


class HeldPart(Held):
    """Some values of a shape, made when the first of them is asked for."""

    __slots__ = ("plains", "shape")

    def __init__(self, shape: Shape, plains: list[object] | None = None) -> None:
        self.shape, self.plains = shape, plains

    def plain(self, number: int) -> object:
        """Return the plain value of a number."""
        if self.plains is None:
            self.plains = covering_plains(self.shape)
        return self.plains[number % len(self.plains)]

    def __call__(self, number: int) -> object:
        """Return the value of a number, a fresh one every time."""
        return build_object(self.shape, self.plain(number))

    def quote(self, number: int, steps: list[Step]) -> Argument:
        """Return the recipe of the value of a number."""
        return quote_plain(self.shape, self.plain(number), steps)


class SeenPart(Held):
    """The values of a part that finished inputs have, numbered as they are met; equal ones have one number."""

    __slots__ = ("made",)

    def __init__(self) -> None:
        self.made: list[object] = []

    def number_of(self, made: object) -> int:
        """Return the number of a value."""
        for number, each in enumerate(self.made):
            if type(each) is type(made) and each == made:
                return number
        self.made.append(made)
        return len(self.made) - 1

    def __call__(self, number: int) -> object:
        """Return the value of a number."""
        return self.made[number]

    def quote(self, number: int, steps: list[Step]) -> Argument:  # noqa: ARG002  # as every Held has it
        """Refuse: what was seen is compared, and never written down."""
        raise SpecError(f"{self.made[number]!r} was seen in an input, and is not written down from here")


def covering_plains(shape: Shape) -> list[object]:
    """Return some plain values of a shape that show its choices."""
    outcome = execute(compile_shape(shape, "each"), "each", HELD)
    return [row.plain for row in outcome.rows]


def hold(shape: Shape, plains: list[object] | None = None) -> Record:
    """Return a value that stands for a shape which the language has no value for."""
    count = HELD if plains is None else len(plains)
    return Record((("number", OneOf(*range(count))),), HeldPart(shape, plains))


def held_parts(value: Value, place: str) -> Iterator[str]:
    """Yield the places at which a value holds parts that no term speaks of."""
    match value:
        case Option(inner):
            yield from held_parts(inner, place)
        case List(inner):
            yield from held_parts(inner, f"{place}[]")
        case Record(fields):
            if is_held(value.kind):
                yield place
                return
            for name, inner in fields:
                yield from held_parts(inner, f"{place}.{name}")


def held_shapes(value: Value) -> Iterator[Shape]:
    """Yield the shapes of the parts that a value holds."""
    match value:
        case Option(inner) | List(inner):
            yield from held_shapes(inner)
        case Record(build=HeldPart() as part):
            yield part.shape
        case Record(fields):
            for _, inner in fields:
                yield from held_shapes(inner)


def looks_at_held(node: Node, *, within: bool = False) -> bool:
    """Tell whether a term looks at a part that is held, or compares a whole that has one; fields beside it do not.

    `within` says that only a part of the node is looked at.
    """
    match node:
        case Opaque():
            return True
        case Quantified(_, _, items, body) | Aggregate(_, _, items, body):
            return looks_at_held(items, within=True) or looks_at_held(body)
        case Op("field" | "value" | "present" | "length" | "at", (first, *rest)):
            is_whole = not within and holds_unspoken(node.kind)
            return is_whole or looks_at_held(first, within=True) or any(looks_at_held(each) for each in rest)
        case Op(args=args):
            return any(looks_at_held(each) for each in args)
    return not within and holds_unspoken(node.kind)


Hold = Callable[[Shape], Value]
