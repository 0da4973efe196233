"""What the probes write while observed code runs, and what is read of it after each run.

Recording has to be cheap, so a probe does one of these, and no more:

    counts[12] += 1            in a statement: a branch was taken
    events.append(13)          in an expression: the same there
    less_than(cell, a, b)      a comparison: done here, and the cell keeps the values that came closest to its boundary
    entered.add(3)             a function was called: only what it counts is read afterwards

Comparisons, and reading the counts, have compiled twins (`unlike._native`) that work on the same lists; which of the
two is used changes no answer. Everything here gives back what the code would have seen without it, and asks no code of
the user's anything that the code itself did not ask.
"""

from __future__ import annotations

import array
import itertools
import operator
import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from unlike.core.question import Implementation
from unlike.heap.walkers import native_module
from unlike.observe.distance import Nearest, distance_of, distance_to_any, distance_to_part

FAR = 1 << 200  # no comparison is further from its boundary: what is, has no distance
NEVER = -1  # in the count of a loop's rounds: not entered
LOW, HIGH, TRIES, FOUND, TOUCHED, SPOT = range(6)  # of a cell
Cell = list[Any]
ProbeFunctions = Mapping[str, Callable[..., Any]]
TakeCounts = Callable[[set[int], list[tuple[int, int]], list[int], list[int], list[int]], bytes]
MOST_TRIES = 2  # to find the nearest of many, in one run at one place: it takes longer than all else
Near = tuple[int, int, int | float]  # spot, side, distance
SPOT_AND_SIDE = operator.itemgetter(0, 1)
UNTOUCHED = (-FAR, FAR, MOST_TRIES, None)  # how a cell begins
TRUTHFUL = frozenset({bool, type(None), int, float, str, bytes, list, tuple, dict, set, frozenset, re.Match})
MOST_PAIRS = 20  # of compared values a run keeps: more than a search tries


@dataclass(slots=True)
class Seen:
    """What was recorded of one run, by numbers of slots and spots: small, to be sent."""

    counts: bytes  # slots and how often, the least slot first; each number has eight bytes
    loops: list[tuple[int, int]]  # slot, rounds, of the loops that were entered again
    near: list[Near]  # by spot and side, each once
    compared: list[Any]  # two by two
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
    implementation: Implementation = "auto"
    probes: ProbeFunctions = field(init=False)
    take_counts: TakeCounts = field(init=False)
    take_cells: Callable[..., None] = field(init=False)

    def __post_init__(self) -> None:
        native = None if self.implementation == "python" else native_module()
        twins = PYTHON_PROBES if native is None else {name: getattr(native, name) for name in PYTHON_PROBES}
        self.probes = twins
        self.take_counts = take_counts if native is None else native.take_counts
        self.take_cells = take_cells if native is None else native.take_cells
        if native is not None:
            native.use_twin(look_at, find_nearest)

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
        counts = self.take_counts(self.entered, self.spans, self.counts, self.starts, self.events)
        seen = Seen(counts, sorted(self.loops) if self.loops else [], *self._take_nearest(), [])
        if self.left:
            times: dict[tuple[int, int, str], int] = {}
            for each in self.left:
                times[each] = times.get(each, 0) + 1
            seen.left += [(*each, count) for each, count in times.items()]
            self.left.clear()
        self.events.clear()
        self.entered.clear()
        self.loops.clear()
        return seen

    def forget(self) -> None:
        """Forget what was recorded; every record begins with a function that is entered."""
        if self.entered:
            self.take()

    def _take_nearest(self) -> tuple[list[Near], list[Any]]:
        """Return how near comparisons came, by spot and side, each once; and values that were compared, two by two."""
        near: list[Near] = []
        compared: list[Any] = []
        if self.touched:
            self.take_cells(self.touched, UNTOUCHED, near, compared)
            near.sort(key=SPOT_AND_SIDE)
            if any(one[:2] == two[:2] for one, two in itertools.pairwise(near)):  # several literals of one `match`
                alike = itertools.groupby(near, SPOT_AND_SIDE)
                near = [min(rows, key=lambda row: abs(row[2])) for _, rows in alike]
        return near, compared


def take_cells(touched: list[Cell], fresh: tuple[Any, ...], near: list[Near], compared: list[Any]) -> None:
    """Add what came nearest to rows, and the compared values; put the cells back to how they begin."""
    for cell in touched:
        for side, (away, a, b) in cell[FOUND].items():
            near.append((cell[SPOT], side, away))
            if side and len(compared) < 2 * MOST_PAIRS and is_short(a) and is_short(b):
                compared += (a, b)
        cell[:TOUCHED] = fresh
    touched.clear()


def take_counts(
    entered: set[int], spans: list[tuple[int, int]], counts: list[int], starts: list[int], events: list[int]
) -> bytes:
    """Return the slots that were counted, and how often, as bytes; put them back to where they began."""
    found: dict[int, int] = {}
    for function in entered:
        start, end = spans[function]
        now, fresh = counts[start:end], starts[start:end]
        if now != fresh:
            for slot in itertools.compress(range(start, end), map(operator.ne, now, fresh)):
                found[slot] = now[slot - start]
            counts[start:end] = fresh
    for slot in events:
        found[slot] = found.get(slot, 0) + 1
    return array.array("q", itertools.chain.from_iterable(sorted(found.items()))).tobytes()


def read_counts(counts: bytes) -> list[tuple[int, int]]:
    """Return slots and how often from the bytes of a record."""
    numbers = array.array("q", counts)
    return [*zip(numbers[::2], numbers[1::2], strict=True)]


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
        find_nearest(cell, a, b)
    return result


def is_not_in(cell: Cell, a: Any, b: Any) -> Any:
    """Return `a not in b`."""
    result = a not in b
    if not result:
        be_member(cell)
    elif cell[HIGH] > 1 and cell[TRIES]:
        find_nearest(cell, a, b)
    return result


def be_member(cell: Cell) -> None:
    """Note that a value was found where it was looked for: on the boundary."""
    if cell[FOUND] is None or 0 not in cell[FOUND]:
        come_closer(cell, 0, None, None)


def find_nearest(cell: Cell, value: Any, container: Any) -> None:
    """Note how far a value is from the nearest of those in a container, where it was not found."""
    be_outside(cell, value, distance_to_any(value, container))


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


PYTHON_PROBES: ProbeFunctions = {  # those that are compiled, too
    each.__name__: each for each in (less_than, at_most, more_than, at_least, equals, differs, is_in, is_not_in)
}
