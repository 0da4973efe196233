"""What the numbers in probed code stand for: spots of the source, slots of the recorder, constants."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass, field
from types import CodeType
from typing import Any

from unlike.observe.recorder import NEVER, Cell, Recorder, Seen, read_counts, read_near
from unlike.observe.run import MANY, Behaviour, Key, Kind, Outcome, Spot

LONG = 100  # characters of the source that a spot shows
SEVERAL = 5  # lines of it
MARK = "a constant of probed code: "
Turn = tuple[int, Outcome]
Left = tuple[int, int, str, int]  # function, line, exception, how often
Read = tuple[dict[Turn, int], frozenset[tuple[int, int]]]  # turns and rounds


class SourceText:
    """The text of a file, from which spots are cut."""

    def __init__(self, file: str, text: str) -> None:
        self.file, self.lines = file, [line.encode() for line in text.splitlines(keepends=True)]

    def spot(self, node: Any, end: Any, kind: Kind, function: str) -> Spot:
        """Return the spot from the start of a node to the end of another one."""
        last = end.end_lineno
        if kind == "exception" or last - node.lineno > SEVERAL:
            text = self.lines[node.lineno - 1]
        else:
            lines = self.lines[node.lineno - 1 : last]
            lines[-1] = lines[-1][: end.end_col_offset]
            text = b" ".join([lines[0][node.col_offset :], *lines[1:]])
        shown = " ".join(text.decode(errors="replace").split())
        shown = shown if len(shown) <= LONG else shown[: LONG - 1] + "…"
        return Spot(self.file, node.lineno, node.col_offset, kind, shown, function)


@dataclass(slots=True)
class Tables:
    """Filled while sources are given probes, read when runs are told."""

    recorder: Recorder = field(default_factory=Recorder)
    spots: list[Spot] = field(default_factory=list)
    turns: dict[int, tuple[Turn, ...]] = field(default_factory=dict)  # slot -> what it says
    loops: dict[int, int] = field(default_factory=dict)  # slot -> loop, for statements
    rounds: dict[int, tuple[int, int]] = field(default_factory=dict)  # slot of the entry -> loop, slot of its rounds
    lines: list[dict[int, int]] = field(default_factory=list)  # of each function: line -> spot
    constants: dict[object, object] = field(default_factory=dict)  # stand-in -> what it stands for
    numbers: dict[int, int] = field(default_factory=dict)  # identity of that -> its number
    ordered: list[Turn] = field(default_factory=list)  # all turns
    places: list[list[int]] = field(default_factory=list)  # of each slot: where its turns stand there
    keys: list[Key] = field(default_factory=list)
    known: dict[object, Read] = field(default_factory=dict)  # what was read before, by what was counted

    def spot(self, spot: Spot) -> int:
        """Return the number of a new spot."""
        self.spots.append(spot)
        return len(self.spots) - 1

    def slot(self, *turns: Turn, start: int = 0) -> int:
        """Return the number of a new slot that says these turns."""
        number = self.recorder.slot(start)
        if turns:
            self.turns[number] = turns
        return number

    def cell(self, spot: int) -> Cell:
        """Return a new cell of a comparison."""
        return self.recorder.record.cell(spot)

    def constant(self, value: object) -> ast.expr:
        """Return an expression that will be this very object: a stand-in that the compiler leaves alone."""
        number = self.numbers.setdefault(id(value), len(self.numbers))
        stand_in = frozenset({f"{MARK}{number}"})  # no source has it; it has no items, so nothing can be folded
        self.constants[stand_in] = value
        return ast.Constant(stand_in)  # type: ignore[arg-type]  # compilers take it

    def with_constants(self, code: CodeType) -> CodeType:
        """Return code in which the stand-ins are replaced by what they stand for, also in the code inside it."""
        return code.replace(co_consts=tuple([self._replace(each) for each in code.co_consts]))

    def _replace(self, constant: object) -> object:
        if isinstance(constant, CodeType):
            return self.with_constants(constant)
        return self.constants.get(constant, constant) if type(constant) is frozenset else constant

    def behaviour_of(self, seen: Seen, results: Iterable[tuple[str, ...]]) -> Behaviour:
        """Return what was recorded in terms of spots."""
        left = tuple([(function, line, name, count) for function, line, name, count in seen.left])
        loops = tuple([(slot, count) for slot, count in seen.loops])
        turns, rounds = self.known.get((seen.counts, left, loops)) or self._read(seen.counts, left, loops)
        near = read_near(seen.near, self._keys())
        compared = tuple(zip(seen.compared[::2], seen.compared[1::2], strict=True))
        return Behaviour(turns, near, rounds, compared, tuple(results), seen.steps)

    def _keys(self) -> list[Key]:
        """Return spots and sides, each two times, as records number them."""
        if len(self.keys) != 6 * len(self.spots):
            self.keys = [(spot, side) for spot in range(len(self.spots)) for side in (-1, 0, 1) for _ in range(2)]
        return self.keys

    def _read(self, counts: bytes, left: tuple[Left, ...], loops: tuple[tuple[int, int], ...]) -> Read:
        """Return turns and rounds by what was counted, and remember them: many runs count the same."""
        found = dict(read_counts(counts))
        rounds = {(self.loops[slot], min(count, MANY)) for slot, count in loops if count != NEVER}
        rounds |= {(self.loops[slot], min(found[slot], MANY)) for slot in found.keys() & self.loops.keys()}
        for slot in found.keys() & self.rounds.keys():
            loop, inner = self.rounds[slot]
            rounds.add((loop, min(found.get(inner, 0), MANY)))
        times: dict[int, int] = {}
        places, ordered = self._places()
        for slot, count in found.items():
            for place in places[slot]:
                times[place] = times.get(place, 0) + count
        turns = {ordered[place]: min(times[place], MANY) for place in sorted(times)}
        if left:
            turns = dict(sorted([*turns.items(), *self._exceptions(left).items()], key=order_of))
        self.known[counts, left, loops] = read = turns, frozenset(rounds)
        return read

    def _exceptions(self, left: tuple[Left, ...]) -> dict[Turn, int]:
        """Return which exceptions left functions, and from which lines."""
        found: dict[Turn, int] = {}
        for function, line, name, count in left:
            known = self.lines[function]
            spot = known[max((each for each in known if each <= line), default=min(known))]
            found[spot, name] = min(found.get((spot, name), 0) + count, MANY)
        return found

    def _places(self) -> tuple[list[list[int]], list[Turn]]:
        """Return for each slot the places of its turns, and all turns in their order."""
        if len(self.places) != len(self.recorder.starts):
            every = {turn: 0 for turns in self.turns.values() for turn in turns}
            self.ordered = sorted(every, key=lambda turn: order_of((turn, 0)))
            place_of = {turn: place for place, turn in enumerate(self.ordered)}
            slots = range(len(self.recorder.starts))
            self.places = [[place_of[turn] for turn in self.turns.get(slot, ())] for slot in slots]
        return self.places, self.ordered


def order_of(counted: tuple[Turn, int]) -> tuple[int, str]:
    """Return where a turn stands among others."""
    (spot, outcome), _ = counted
    return spot, str(outcome)
