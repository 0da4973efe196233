"""What the numbers in probed code stand for: spots of the source, slots of the recorder, constants."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass, field
from types import CodeType
from typing import Any

from unlike.observe.recorder import NEVER, Cell, Recorder, Seen, read_counts
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
        return self.recorder.cell(spot)

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
        near: dict[Key, int | float] = {(spot, side): away for spot, side, away in seen.near}
        compared = tuple(zip(seen.compared[::2], seen.compared[1::2], strict=True))
        return Behaviour(turns, near, rounds, compared, tuple(results))

    def _read(self, counts: bytes, left: tuple[Left, ...], loops: tuple[tuple[int, int], ...]) -> Read:
        """Return turns and rounds by what was counted, and remember them: many runs count the same."""
        turns: dict[Turn, int] = {}
        rounds = {(self.loops[slot], min(count, MANY)) for slot, count in loops if count != NEVER}
        found = dict(read_counts(counts))
        for slot, count in found.items():
            for turn in self.turns.get(slot, ()):
                turns[turn] = turns.get(turn, 0) + count
            if slot in self.loops:
                rounds.add((self.loops[slot], min(count, MANY)))
            elif slot in self.rounds:
                loop, inner = self.rounds[slot]
                rounds.add((loop, min(found.get(inner, 0), MANY)))
        for function, line, name, count in left:
            known = self.lines[function]
            spot = known[max((each for each in known if each <= line), default=min(known))]
            turns[spot, name] = turns.get((spot, name), 0) + count
        ordered = dict(sorted(turns.items(), key=lambda each: (each[0][0], str(each[0][1]))))
        self.known[counts, left, loops] = read = ordered, frozenset(rounds)
        return read
