"""Other values for the parts of an input, where it stays as good: what no difference sees is free to move.

A difference sees some terms of an input and nothing else. Whatever leaves these terms as they are may be changed, and
any two inputs are as different as before: here each part in its turn gets the next of its own values, bounds first.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import TypeAlias

from unlike.chance import deal, key_of
from unlike.core import Deadline
from unlike.language.evaluate import compile_term
from unlike.language.terms import Node, Op, freeze
from unlike.language.values import List, Option, Record, Value, belongs
from unlike.specs import core_difference as cores, members as spaces
from unlike.specs.members import Component
from unlike.specs.numbers import line_of, number_of
from unlike.specs.problem import Fragment, Path, path_of, units_of
from unlike.specs.sources import Source, map_source

Steps: TypeAlias = tuple[str | int, ...]  # the way to a part of a unit: fields and positions
VARIED = 1_000  # inputs are moved: so many are looked at by nobody, and each takes a millisecond or two
FIRST = 256  # of the members of a part are its values here
TRIES = 4  # values of a part that are tried for one input
BESIDE = 2  # more of them, near the value it has
REACH = 13  # so far at most: the days of two weeks
STUCK = 8  # inputs in a row in which a part did not move, after which it stays


def vary(
    source: Source[Fragment], core: cores.Core, parts: Sequence[Component], *, deadline: Deadline, seed: int
) -> Source[Fragment]:
    """Return the inputs with what the difference does not see moved: in each of them to other values.

    Where it cannot be told what the difference sees, they stay as they are.
    """
    seen: list[Node] = []
    fixed: set[Path] = set()
    units = [path for part in parts for path in part.units]
    for inner in cores.parts_of(core):
        match inner:
            case cores.Key(term) | cores.MinimumDistance(term) | cores.Edits(term):
                seen.append(term)
            case cores.Branch(term=term):  # several choices may be of one string: what is beside it tells them apart
                about = units_of(term, units)
                fixed.update(*(part.units for part in parts if about & set(part.units)))
            case cores.Select(assertions=assertions):
                fixed.update(*(units_of(each, units) for each in assertions))
            case cores.Some() | cores.Every() | cores.Nothing():
                pass
            case _:
                return source
    whole = {path for term in seen if (path := path_of(term)) is not None}
    movable = [part for part in parts if not any(each.opaque for each in part.assertions)]
    moves = [Moves(part, deadline, seed, fixed=fixed | whole) for part in movable]
    tests = [(each, same_to(each.part, seen)) for each in moves if each.free]
    turns = itertools.count()

    def move(fragment: Fragment) -> Fragment:
        if next(turns) >= VARIED:
            return fragment
        for each, test_for in tests:
            fragment = each.move(fragment, test_for(fragment))
        return fragment

    return map_source(source, move) if tests else source


class Moves:
    """Gives the parts of one component other values: the next ones of each, for every input."""

    def __init__(self, part: Component, deadline: Deadline, seed: int, *, fixed: Collection[Path] = ()) -> None:
        self.part = part
        self.deadline = deadline
        self.seed = seed
        self.defined = dict(definitions(part))
        self.free = [path for path in part.units if path not in fixed and path not in self.defined]
        self.sources: dict[Value, Source[object]] = {}
        self.turns: dict[tuple[Path, Steps], int] = {}
        self.stuck: dict[tuple[Path, Steps], int] = {}

    def move(self, fragment: Fragment, good: Callable[[Fragment], bool]) -> Fragment:
        """Return the fragment with other values wherever it is as good."""
        for path in self.free:
            for steps, value in list(leaves(self.part.units[path].value, fragment[path])):
                if self.stuck.get((path, steps), 0) < STUCK and is_there(fragment[path], steps):
                    found = self._try(fragment, path, steps, value, good)
                    self.stuck[path, steps] = self.stuck.get((path, steps), 0) + 1 if found is None else 0
                    fragment = fragment if found is None else found
        return fragment

    def _try(
        self, fragment: Fragment, path: Path, steps: Steps, value: Value, good: Callable[[Fragment], bool]
    ) -> Fragment | None:
        """Return the fragment with the next value of one part that is as good."""
        old = part_at(fragment[path], steps)
        if not belongs(value, old):
            return fragment  # the option around it was moved, and is absent now
        for new in self._next(path, steps, value, old):
            if new == old and type(new) is type(old):
                return fragment  # its turn has come where it is
            changed = self.define(fragment | {path: replace_part(fragment[path], steps, new)})
            moved = [changed] if steps else [changed, self._shift(fragment, path, new)]
            found = next((each for each in moved if each != fragment and good(each)), None)
            if found is not None:
                return found
        return None

    def _next(self, path: Path, steps: Steps, value: Value, old: object) -> Iterator[object]:
        """Yield values to try for a part; none is tried again before the others were."""
        if value not in self.sources:
            self.sources[value] = spaces.members_of(value, self.deadline, self.seed)
        source, turn = self.sources[value], self.turns.get((path, steps), 0)
        if isinstance(value, Option) and turn % 2:  # there and not there in turn, not once among many values
            self.turns[path, steps] = turn + 1
            yield None
        for _ in range(min(TRIES, source.size(TRIES))):
            index = self._index(path, steps, turn, source)
            turn += 1
            self.turns[path, steps] = turn
            yield source.at(index)
        line = line_of(value)
        if line is not None:
            code = int(number_of(old) / line.scale)
            for away in range(BESIDE):
                near = code + (1 + turn % REACH) * (-1) ** (turn + away)
                if line.low <= near <= line.high:
                    yield line.plain(near)

    def _index(self, path: Path, steps: Steps, turn: int, source: Source[object]) -> int:
        """Return which value comes in this turn: the first ones in order, then each once in every round."""
        if turn < TRIES and source.size(turn + 1) > turn:
            return turn
        return deal(key_of(path, steps, self.seed), turn, source.size(FIRST))

    def _shift(self, fragment: Fragment, path: Path, value: object) -> Fragment:
        """Return the fragment with a number moved to a value, and all others of its kind moved as far."""
        kind, moved = self.part.units[path].value.kind, dict(fragment)
        for other, unit in self.part.units.items():
            line = line_of(unit.value)
            if line is None or unit.value.kind != kind or line_of(self.part.units[path].value) is None:
                continue
            code = (number_of(fragment[other]) + number_of(value) - number_of(fragment[path])) / line.scale
            if code.denominator != 1 or not line.low <= code <= line.high:
                return fragment
            moved[other] = line.plain(int(code))
        return moved

    def define(self, fragment: Fragment) -> Fragment:
        """Return the fragment with the units that an assertion defines by others computed anew."""
        for path, value in self.defined.items():
            fragment = fragment | {path: value(spaces.assignment_of(fragment))}
        return fragment


def definitions(part: Component) -> Iterator[tuple[Path, Callable[[dict[str, object]], object]]]:
    """Yield the units that an assertion defines by others (`total == price * count`), and how."""
    for assertion in part.assertions:
        match assertion.node:
            case Op("==", (left, right)):
                for unit, other in ((left, right), (right, left)):
                    path = path_of(unit) if unit.kind == other.kind else None
                    if path in part.units and path not in units_of(other, part.units):
                        assert path is not None
                        yield path, compile_term(other)
                        break


def same_to(part: Component, seen: Sequence[Node]) -> Callable[[Fragment], Callable[[Fragment], bool]]:
    """Return what makes of a fragment a test: whether another one is legal, and the same to those who see the terms."""
    holds = spaces.checker([each.node for each in part.assertions], "an assertion")
    views = [compile_term(term) for term in seen]

    def view(assignment: dict[str, object]) -> list[object]:
        return [freeze(view(assignment)) for view in views]

    def test_for(fragment: Fragment) -> Callable[[Fragment], bool]:
        before = view(spaces.assignment_of(fragment))

        def is_same(tried: Fragment) -> bool:
            if not all(belongs(unit.value, tried[path]) for path, unit in part.units.items()):
                return False
            assignment = spaces.assignment_of(tried)
            return holds(assignment) and view(assignment) == before

        return is_same

    return test_for


# -- the parts of a value -------------------------------------------------------------------------------------


def leaves(value: Value, plain: object, steps: Steps = ()) -> Iterator[tuple[Steps, Value]]:
    """Yield the parts of a plain value that have values of their own, the larger ones first."""
    match value:
        case Record(fields):
            for name, inner in fields:
                yield from leaves(inner, plain[name], (*steps, name))  # type: ignore[index]
        case List(inner):
            yield steps, value
            assert isinstance(plain, tuple)
            for position, item in enumerate(plain):
                yield from leaves(inner, item, (*steps, position))
        case Option(inner):
            yield steps, value
            if plain is not None:
                yield from leaves(inner, plain, steps)
        case _:
            yield steps, value


def is_there(plain: object, steps: Steps) -> bool:
    """Tell whether a value has such a part."""
    for step in steps:
        match plain:
            case dict():
                plain = plain[step]
            case tuple() if isinstance(step, int) and step < len(plain):
                plain = plain[step]
            case _:
                return False
    return True


def part_at(plain: object, steps: Steps) -> object:
    """Return a part of a value."""
    for step in steps:
        plain = plain[step]  # type: ignore[index]
    return plain


def replace_part(plain: object, steps: Steps, new: object) -> object:
    """Return the value with another part in its place."""
    if not steps:
        return new
    first, *rest = steps
    match plain:
        case dict():
            return plain | {first: replace_part(plain[first], tuple(rest), new)}
        case tuple() if isinstance(first, int):
            return (*plain[:first], replace_part(plain[first], tuple(rest), new), *plain[first + 1 :])
    raise TypeError(f"{plain!r} has no part {first!r}")
