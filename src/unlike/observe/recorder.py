"""What the probes write while observed code runs, and what is read of it after each run.

Recording has to be cheap, so a probe does one of these, and no more:

    counts[12] += 1            in a statement: a branch was taken
    events.append(13)          in an expression: the same there
    less_than(cell, a, b)      a comparison: done here, and the cell keeps the values that came closest to its boundary
    entered.add(3)             a function was called: only what it counts is read afterwards

Everything here gives back what the code would have seen without it, and asks no code of the user's anything that the
code itself did not ask.
"""

from __future__ import annotations

import itertools
import operator
import re
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from unlike.observe.distance import Nearest, distance_of, distance_to_any, distance_to_part

FAR = 1 << 200  # no comparison is further from its boundary: what is, has no distance
NEVER = -1  # in the count of a loop's rounds: not entered
LOW, HIGH, TRIES, FOUND, TOUCHED, SPOT = range(6)  # of a cell
Cell = list[Any]
MOST_TRIES = 2  # to find the nearest of many, in one run at one place: it takes longer than all else
Near = tuple[int, int, int | float]  # spot, side, distance
UNTOUCHED = (-FAR, FAR, MOST_TRIES, None)  # how a cell begins
TRUTHFUL = frozenset({bool, type(None), int, float, str, bytes, list, tuple, dict, set, frozenset, re.Match})
MOST_PAIRS = 20  # of compared values a run keeps: more than a search tries


@dataclass(slots=True)
class Seen:
    """What was recorded of one run, by numbers of slots and spots: small, to be sent."""

    counts: dict[int, int]
    loops: list[tuple[int, int]]  # slot, rounds, of the loops that were entered again
    near: list[Near]
    compared: list[tuple[Any, Any]]
    left: list[tuple[int, int, str, int]]  # function, line, exception, how often


@dataclass(slots=True)
class Recorder:
    """The lists that probes write to; they are constants of the probed code."""

    starts: list[int] = field(default_factory=list)  # what each slot holds before a run
    spans: list[tuple[int, int]] = field(default_factory=list)  # of each function: its slots
    counts: list[int] = field(default_factory=list)
    events: list[int] = field(default_factory=list)
    entered: set[int] = field(default_factory=set)
    loops: set[tuple[int, int]] = field(default_factory=set)
    touched: list[Cell] = field(default_factory=list)
    left: list[tuple[int, int, str]] = field(default_factory=list)

    def slot(self, start: int = 0) -> int:
        """Return the number of a new slot."""
        self.starts.append(start)
        self.counts.append(start)
        return len(self.starts) - 1

    def cell(self, spot: int) -> Cell:
        """Return a new cell for a comparison."""
        return [*UNTOUCHED, self.touched, spot]

    def leave(self, function: int) -> None:
        """Note that a function is left by an exception: from which line, and which."""
        error = sys.exc_info()[1]
        trace = error.__traceback__ if error is not None else None
        self.left.append((function, trace.tb_lineno if trace else 0, type(error).__name__))

    def take(self) -> Seen:
        """Return what was recorded, and forget it."""
        counts: dict[int, int] = {}
        for function in sorted(self.entered):
            start, end = self.spans[function]
            now, fresh = self.counts[start:end], self.starts[start:end]
            if now != fresh:
                for slot in itertools.compress(range(start, end), map(operator.ne, now, fresh)):
                    counts[slot] = now[slot - start]
                self.counts[start:end] = fresh
        for slot in self.events:
            counts[slot] = counts.get(slot, 0) + 1
        seen = Seen(counts, sorted(self.loops), *self._take_cells(), [])
        if self.left:
            seen.left += [(*each, count) for each, count in Counter(self.left).items()]
        for each in (self.events, self.entered, self.loops, self.left):
            each.clear()
        return seen

    def _take_cells(self) -> tuple[list[Near], list[tuple[Any, Any]]]:
        near: list[Near] = []
        compared: list[tuple[Any, Any]] = []
        for cell in self.touched:
            for side, (away, a, b) in cell[FOUND].items():
                near.append((cell[SPOT], side, away))
                if side and len(compared) < MOST_PAIRS and is_short(a) and is_short(b):
                    compared.append((a, b))
            cell[:TOUCHED] = UNTOUCHED
        self.touched.clear()
        return near, compared


def is_short(value: object) -> bool:
    """Tell whether a compared value is worth sending: a plain one, and no essay."""
    kind = type(value)
    if kind is str or kind is bytes:
        return len(value) <= 200  # type: ignore[arg-type]
    return kind is float or (kind is int and -FAR < value < FAR)  # type: ignore[operator]


def come_closer(cell: Cell, away: int | float, a: object, b: object) -> None:
    """Keep the distance of a comparison that is closer to its boundary than all before, on this side."""
    found = cell[FOUND]
    if found is None:
        found = cell[FOUND] = {}
        cell[TOUCHED].append(cell)
    if away < 0:
        cell[LOW] = away
        found[-1] = (away, a, b)
    elif away:
        cell[HIGH] = away
        found[1] = (away, a, b)
    elif 0 not in found:
        found[0] = (0, None, None)


def look_at(cell: Cell, a: object, b: object) -> None:
    """Note the distance of two values that were compared, if they have one."""
    if type(a) is str is type(b) and len(a) == 1 == len(b):
        away: int | float | None = ord(a) - ord(b)
    else:
        away = distance_of(a, b)
    if away is not None and cell[LOW] < away < cell[HIGH]:
        come_closer(cell, away, a, b)


# -- comparisons: whole numbers first, they are the most frequent -----------------------------------


def less_than(cell: Cell, a: Any, b: Any) -> Any:
    """Return `a < b`."""
    if type(a) is int is type(b):
        if cell[LOW] < (away := a - b) < cell[HIGH]:
            come_closer(cell, away, a, b)
        return away < 0
    result = a < b
    look_at(cell, a, b)
    return result


def at_most(cell: Cell, a: Any, b: Any) -> Any:
    """Return `a <= b`."""
    if type(a) is int is type(b):
        if cell[LOW] < (away := a - b) < cell[HIGH]:
            come_closer(cell, away, a, b)
        return away <= 0
    result = a <= b
    look_at(cell, a, b)
    return result


def more_than(cell: Cell, a: Any, b: Any) -> Any:
    """Return `a > b`."""
    if type(a) is int is type(b):
        if cell[LOW] < (away := a - b) < cell[HIGH]:
            come_closer(cell, away, a, b)
        return away > 0
    result = a > b
    look_at(cell, a, b)
    return result


def at_least(cell: Cell, a: Any, b: Any) -> Any:
    """Return `a >= b`."""
    if type(a) is int is type(b):
        if cell[LOW] < (away := a - b) < cell[HIGH]:
            come_closer(cell, away, a, b)
        return away >= 0
    result = a >= b
    look_at(cell, a, b)
    return result


def equals(cell: Cell, a: Any, b: Any) -> Any:
    """Return `a == b`."""
    if type(a) is int is type(b):
        if cell[LOW] < (away := a - b) < cell[HIGH]:
            come_closer(cell, away, a, b)
        return away == 0
    result = a == b
    look_at(cell, a, b)
    return result


def differs(cell: Cell, a: Any, b: Any) -> Any:
    """Return `a != b`."""
    if type(a) is int is type(b):
        if cell[LOW] < (away := a - b) < cell[HIGH]:
            come_closer(cell, away, a, b)
        return away != 0
    result = a != b
    look_at(cell, a, b)
    return result


def is_in(cell: Cell, a: Any, b: Any) -> Any:
    """Return `a in b`."""
    result = a in b
    if result:
        be_member(cell)
    elif cell[HIGH] > 1 and cell[TRIES]:
        be_outside(cell, a, distance_to_any(a, b))
    return result


def is_not_in(cell: Cell, a: Any, b: Any) -> Any:
    """Return `a not in b`."""
    result = a not in b
    if not result:
        be_member(cell)
    elif cell[HIGH] > 1 and cell[TRIES]:
        be_outside(cell, a, distance_to_any(a, b))
    return result


def be_member(cell: Cell) -> None:
    """Note that a value was found where it was looked for: on the boundary."""
    if cell[FOUND] is None or 0 not in cell[FOUND]:
        come_closer(cell, 0, None, None)


def be_outside(cell: Cell, value: object, nearest: Nearest | None) -> None:
    """Note how far a value is from the nearest of those it was looked for in: above the boundary."""
    if cell[FOUND] is None:
        cell[FOUND] = {}
        cell[TOUCHED].append(cell)
    cell[TRIES] -= 1
    if nearest is not None and 0 < nearest[0] < cell[HIGH]:
        come_closer(cell, nearest[0], value, nearest[1])


def starts_with(cell: Cell, text: Any, part: Any) -> Any:
    """Return `text.startswith(part)`."""
    result = text.startswith(part)
    if result is True:
        be_member(cell)
    elif cell[HIGH] > 1 and cell[TRIES]:
        be_outside(cell, text, distance_to_part(text, part, at_end=False))
    return result


def ends_with(cell: Cell, text: Any, part: Any) -> Any:
    """Return `text.endswith(part)`."""
    result = text.endswith(part)
    if result is True:
        be_member(cell)
    elif cell[HIGH] > 1 and cell[TRIES]:
        be_outside(cell, text, distance_to_part(text, part, at_end=True))
    return result


def meets_literals(cells: tuple[tuple[Cell, object], ...], subject: Any) -> Any:
    """Note how far the subject of `match` is from the literals of its cases."""
    for cell, literal in cells:
        look_at(cell, subject, literal)
    return subject


def is_true_or_false(append: Callable[[int], None], if_true: int, if_false: int, result: Any) -> Any:
    """Note a comparison whose result is used as a value."""
    if result is True:
        append(if_true)
    elif result is False:
        append(if_false)
    return result


def has_known_truth(append: Callable[[int], None], if_true: int, if_false: int, result: Any) -> Any:
    """Note the truth of a value that nobody asks for it, where no method of the user's would say it."""
    if type(result) in TRUTHFUL:
        append(if_true if result else if_false)
    return result


def pass_on(append: Callable[[int], None], slot: int, result: Any) -> Any:
    """Note that a value is returned from here."""
    append(slot)
    return result
