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
from unlike.language.values import Str
from unlike.specs import core_difference as cores, members as spaces
from unlike.specs.members import Component
from unlike.specs.moves import Moves
from unlike.specs.problem import Fragment, Path

Doubt: TypeAlias = Callable[[Fragment, Sequence[dict[str, object]]], bool]
DRAWN_FROM = 256  # of the first members of a unit
MISSES = 200  # in a row, after which only the solver is asked
MORE_MISSES = 1_000  # where it is asked about strings or products, and one question may take it seconds
COMPARED = 500  # beyond so many found inputs, comparing costs more than asking


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
        self.moves = Moves(part, deadline, seed)

    def stream(self, found: list[dict[str, object]], *, linear: bool) -> Iterator[Fragment]:
        """Yield members that are different from all found, until too many in a row are not."""
        missed, most = 0, MISSES if linear else MORE_MISSES
        readable = not any(isinstance(unit.value, Str) for unit in self.part.units.values())
        while self.apply and readable and missed < most and len(found) < COMPARED:
            fragment = self.moves.define({path: self._draw(path) for path in self.part.units})
            if self.breaks(fragment, found):
                missed += 1
                continue
            missed = 0
            found.append(spaces.assignment_of(fragment))
            yield fragment

    def move(self, fragment: Fragment, good: Callable[[Fragment], bool]) -> Fragment:
        """Return the fragment with other values, where they are as good."""
        return self.moves.move(fragment, good) if self.apply else fragment

    def _draw(self, path: Path) -> object:
        source = self.sources[path]
        return source.at(self.chance.randrange(source.size(DRAWN_FROM)))
