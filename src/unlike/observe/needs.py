"""What an outcome of a condition needs that nobody had: values and lengths that the source compares with, and of what.

    if role == "admin" and len(self.items) > 10: …     true needs  "admin" for role, 11 items in items

Attributes are known by the parameters they were made of, in any method: with `self.role = name`, also of name. These
are guesses about what may help: nothing is proved by them.
"""

from __future__ import annotations

import ast
import types
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from unlike.observe.mentions import FunctionReader, Mentions, Names
from unlike.observe.run import Spot
from unlike.observe.scopes import Function, own_nodes
from unlike.observe.sources import read_source
from unlike.observe.tables import SourceText

PAIRS: dict[type[ast.cmpop], type[ast.cmpop]] = {  # what holds where the other does not
    ast.Lt: ast.GtE,
    ast.LtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.In: ast.NotIn,
}
CONTRARY = PAIRS | {other: one for one, other in PAIRS.items()}
TURNED: dict[type[ast.cmpop], type[ast.cmpop]] = {ast.Lt: ast.Gt, ast.Gt: ast.Lt, ast.LtE: ast.GtE, ast.GtE: ast.LtE}
STEPS: dict[type[ast.cmpop], int] = {ast.Lt: -1, ast.LtE: 0, ast.Eq: 0, ast.NotEq: 1, ast.GtE: 0, ast.Gt: 1}
ENDS = ("startswith", "endswith")


@dataclass(frozen=True, slots=True)
class NeededValue:
    """A value, or how long something has to be; and the names by which that something may be known."""

    value: object
    names: Names
    is_length: bool = False


class NeedsReader:
    """Reads the conditions of some modules."""

    def __init__(self, modules: Sequence[types.ModuleType]) -> None:
        self.modules = {str(each.__file__): each for each in modules if getattr(each, "__file__", None)}
        self.functions: dict[str, list[Function]] = {}
        self.attributes: dict[str, dict[str, Names]] = {}  # of each file: the names that attributes were made of

    def needs_of(self, spot: Spot, outcome: bool) -> list[NeededValue]:
        """Return what a condition needs to have an outcome; nothing where its source does not say."""
        found = self._find(spot)
        if found is None:
            return []
        function, test = found
        reader = FunctionReader(Mentions(), vars(self.modules[spot.file]))
        reader.read(function)
        needs = _Needs(reader, self.attributes[spot.file])
        return list(dict.fromkeys(needs.of(test, outcome)))

    def _find(self, spot: Spot) -> tuple[Function, ast.expr] | None:
        """Return the expression of a spot, and the function it stands in."""
        if spot.file not in self.modules:
            return None
        if spot.file not in self.functions:
            self._read(spot.file)
        text = SourceText(spot.file, "".join(read_source(self.modules[spot.file])))
        for function in self.functions[spot.file]:
            for each, end in _list_expressions(function):
                is_there = (each.lineno, each.col_offset) == (spot.line, spot.column)
                if is_there and text.spot(each, end, spot.kind, spot.function).source == spot.source:
                    return function, each
        return None

    def _read(self, file: str) -> None:
        module = self.modules[file]
        try:
            tree = ast.parse("".join(read_source(module)))
        except (SyntaxError, ValueError, RecursionError):  # no source, or none of this Python
            tree = ast.Module([], [])
        self.functions[file] = [each for each in ast.walk(tree) if isinstance(each, Function)]
        made: dict[str, dict[str, None]] = {}
        for function in self.functions[file]:
            reader = FunctionReader(Mentions(), vars(module))
            reader.read(function)
            for name, value in _kept_attributes(function):
                made.setdefault(name, {}).update(dict.fromkeys(reader.names_beside(value)))
        self.attributes[file] = {name: tuple(names) for name, names in made.items()}


def _list_expressions(function: Function) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Yield expressions with their ends, the whole of a condition before its parts; of `a < b < c` also `a < b`."""
    for each in own_nodes(function):
        if isinstance(each, ast.Compare) and len(each.ops) > 1:
            yield each, each
            for one, op, other in zip([each.left, *each.comparators], each.ops, each.comparators, strict=False):
                yield ast.copy_location(ast.Compare(one, [op], [other]), one), other
        elif isinstance(each, ast.expr):
            yield each, each


def _kept_attributes(function: Function) -> Iterator[tuple[str, ast.expr]]:
    """Yield the attributes that a function assigns, or adds to, and of what."""
    for each in own_nodes(function):
        match each:
            case ast.Assign(targets, value):
                yield from ((target.attr, value) for target in targets if isinstance(target, ast.Attribute))
            case ast.AugAssign(ast.Attribute(_, name), _, value):
                yield name, value
            case ast.AnnAssign(ast.Attribute(_, name), _, ast.expr() as value):
                yield name, value
            case ast.Call(ast.Attribute(ast.Attribute(_, name), "append" | "add" | "insert" | "setdefault"), arguments):
                yield from ((name, value) for value in arguments)


@dataclass(frozen=True, slots=True)
class _Needs:
    """Reads one condition."""

    reader: FunctionReader
    attributes: Mapping[str, Names]

    def of(self, test: ast.expr, wanted: bool) -> Iterator[NeededValue]:
        match test:
            case ast.UnaryOp(ast.Not(), operand):
                yield from self.of(operand, not wanted)
            case ast.BoolOp(_, values):
                for each in values:
                    yield from self.of(each, wanted)
            case ast.Compare(left, ops, comparators):
                for one, op, other in zip([left, *comparators], ops, comparators, strict=False):
                    yield from self._compare(one, type(op), other, wanted)
            case ast.Call(ast.Attribute(text, name), [part]) if name in ENDS and wanted:
                yield from self._values(self.reader.values_of(part), text)

    def _compare(self, one: ast.expr, op: type[ast.cmpop], other: ast.expr, wanted: bool) -> Iterator[NeededValue]:
        """Yield what one comparison needs, where a side of it is known."""
        holds = op if wanted else CONTRARY.get(op)
        if holds in (ast.In, ast.NotIn):
            whole = self.reader.resolve(other)
            members = [] if isinstance(whole, str) else self.reader.values_of(other)
            members = [whole[0], whole[-1]] if isinstance(whole, range) and whole else members
            numbers = [each for each in members if type(each) is int]
            beyond = [max(numbers) + 1] if numbers else []
            yield from self._values(members if holds is ast.In else beyond, one)
            return
        if holds is None or holds not in STEPS:  # `is`
            return
        if known := self.reader.values_of(other):
            yield from self._at(known, one, STEPS[holds])
        elif known := self.reader.values_of(one):
            yield from self._at(known, other, STEPS[TURNED.get(holds, holds)])

    def _at(self, known: Sequence[Any], side: ast.expr, step: int) -> Iterator[NeededValue]:
        """Yield values beside known ones: as many above or below as the comparison says."""
        match side:
            case ast.Call(ast.Name("len"), [whole]):
                lengths = [each + step for each in known if type(each) is int and each + step >= 0]
                yield from (NeededValue(each, self._names(whole), is_length=True) for each in lengths)
            case _:
                moved = [each + step if type(each) in (int, float) else each for each in known]
                yield from self._values(moved, side)

    def _values(self, values: Sequence[Any], side: ast.expr) -> Iterator[NeededValue]:
        names = self._names(side)
        yield from (NeededValue(each, names) for each in values if names and type(each) in (int, float, str, bytes))

    def _names(self, side: ast.expr) -> Names:
        """Return the names in an expression, and those that its attributes were made of."""
        own = self.reader.names_beside(side)
        return tuple(dict.fromkeys([*own, *[name for each in own for name in self.attributes.get(each, ())]]))
