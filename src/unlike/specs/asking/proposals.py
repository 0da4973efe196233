"""Inputs that are drawn instead of asked for, so that every blank of a solved component varies, and a seed moves it.

A solver gives the next model as near to the last one as it can: of two tied dates one never moves. Here units are
drawn at random and those that an assertion defines (`total == price * count`) are computed; what breaks the spec is
thrown away. Once too many are, the solver is asked, and what it says is moved unit by unit.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from unlike.core import Deadline
from unlike.language.evaluate import compile_term
from unlike.language.terms import Op
from unlike.language.values import Str
from unlike.specs import core_difference as cores, members as spaces
from unlike.specs.members import Component
from unlike.specs.numbers import line_of, number_of
from unlike.specs.problem import Fragment, Path, path_of, units_of

Doubt: TypeAlias = Callable[[Fragment, Sequence[dict[str, object]]], bool]
DRAWN_FROM = 256  # of the first members of a unit
MISSES = 200  # in a row, after which only the solver is asked
MORE_MISSES = 1_000  # where it is asked about strings or products, and one question may take it seconds
COMPARED = 500  # beyond so many found inputs, comparing costs more than asking
MOVES = 4  # values of a unit that are tried in the place of what the solver said


class Proposals:
    """Draws members of a component; the same ones for the same seed."""

    def __init__(
        self, part: Component, core: cores.Core, seed: int, breaks: Doubt, deadline: Deadline, *, asked: bool
    ) -> None:
        self.part = part
        self.breaks = breaks
        self.chance = random.Random(seed)
        said = core.parts if isinstance(core, cores.Some) else (core,)
        # elsewhere a lucky draw may leave no room for others, where a solver fills up every gap
        self.apply = not asked and all(isinstance(each, cores.Everything | cores.Key) for each in said)
        self.sources = {path: spaces.members_of(unit.value, deadline, seed) for path, unit in part.units.items()}
        self.apply = self.apply and all(source.size(1) for source in self.sources.values())
        self.defined = dict(self._definitions())

    def _definitions(self) -> Iterator[tuple[Path, Callable[[dict[str, object]], object]]]:
        """Yield the units that an assertion defines by others, and how."""
        for assertion in self.part.assertions:
            match assertion.node:
                case Op("==", (left, right)):
                    for unit, other in ((left, right), (right, left)):
                        path = path_of(unit) if unit.kind == other.kind else None
                        if path in self.part.units and path not in units_of(other, self.part.units):
                            assert path is not None
                            yield path, compile_term(other)
                            break

    def stream(self, found: list[dict[str, object]], *, linear: bool) -> Iterator[Fragment]:
        """Yield members that are different from all found, until too many in a row are not."""
        missed, most = 0, MISSES if linear else MORE_MISSES
        readable = not any(isinstance(unit.value, Str) for unit in self.part.units.values())
        while self.apply and readable and missed < most and len(found) < COMPARED:
            fragment = self._define({path: self._draw(path) for path in self.part.units})
            if self.breaks(fragment, found):
                missed += 1
                continue
            missed = 0
            found.append(spaces.assignment_of(fragment))
            yield fragment

    def move(self, fragment: Fragment, good: Callable[[Fragment], bool]) -> Fragment:
        """Return the fragment with other values of its units, where they are as good; strings stay as they are."""
        for path, unit in self.part.units.items() if self.apply else ():
            if isinstance(unit.value, Str):
                continue
            for _ in range(MOVES):
                value = self._draw(path)
                moves = (self._define(fragment | {path: value}), self._shift(fragment, path, value))
                found = next((moved for moved in moves if moved != fragment and good(moved)), None)
                if found is not None:
                    fragment = found
                    break
        return fragment

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

    def _draw(self, path: Path) -> object:
        source = self.sources[path]
        return source.at(self.chance.randrange(source.size(DRAWN_FROM)))

    def _define(self, fragment: Fragment) -> Fragment:
        for path, value in self.defined.items():
            fragment = fragment | {path: value(spaces.assignment_of(fragment))}
        return fragment
