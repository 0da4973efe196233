"""What the probes write while observed code runs, and what is read of it after each run.

Recording has to be cheap, so a probe does one of these, and no more:

    counts[12] += 1            in a statement: a branch was taken
    mark(13)                   in an expression: the same there
    less_than(cell, a, b)      a comparison: done here, and the cell keeps the values that came closest to its boundary
    entered.add(3)             a function was called: only what it counts is read afterwards

The record and its probes have compiled twins (`unlike._native`); which of the two is used changes no answer. Everything
here gives back what the code would have seen without it, and asks no code of the user's anything that the code itself
did not ask.
"""

from __future__ import annotations

import array
import itertools
import operator
import re
import struct
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from unlike.core.question import Implementation
from unlike.heap.walkers import native_module
from unlike.observe.distance import MEASURED, Nearest, distance_of, distance_to_any, distance_to_part
from unlike.observe.run import MANY, Key

FAR = 1 << 200  # no comparison is further from its boundary: what is, has no distance
MOST_NUMBER = 1 << 61  # distances up to here are exact; what is further away is a float
NEVER = -1  # in the count of a loop's rounds: not entered
LOW, HIGH, TRIES, FOUND, TOUCHED, SPOT = range(6)  # of a cell
Cell = Any  # a list, or an object of the compiled part
ProbeFunctions = Mapping[str, Callable[..., Any]]
MOST_TRIES = 2  # to find the nearest of many, in one run at one place: it takes longer than all else
UNTOUCHED = (-FAR, FAR, MOST_TRIES, None)  # how a cell begins
TRUTHFUL = frozenset({bool, type(None), int, float, str, bytes, list, tuple, dict, set, frozenset, re.Match})
MOST_PAIRS = 20  # of compared values a run keeps: more than a search tries
Taken = tuple[bytes, bytes, list[Any], int]  # counts, distances, compared values, and all counts together
AS_BITS, AS_FLOAT = struct.Struct("=q"), struct.Struct("=d")


@dataclass(slots=True)
class Seen:
    """What was recorded of one run, by numbers of slots and spots: small, to be sent."""

    counts: bytes  # slots and how often, MANY for many, the least slot first; each number has eight bytes
    near: bytes  # how near comparisons came: see `near_as_bytes`
    loops: list[tuple[int, int]]  # slot, rounds, of the loops that were entered again
    compared: list[Any]  # two by two, those that no earlier run had
    left: list[tuple[int, int, str, int]]  # function, line, exception, how often
    steps: int = 0  # all counts together


class ProbeRecord(Protocol):
    """What probes write to: slots that are counted, and cells of comparisons."""

    def cell(self, spot: int, /) -> Cell:
        """Return a new cell for a comparison."""

    def mark(self, slot: int, /) -> None:
        """Count a slot."""

    def take(self, entered: set[int], spans: list[tuple[int, int]], counts: list[int], starts: list[int], /) -> Taken:
        """Return what was recorded, and forget it."""

    def forget_pairs(self) -> None:
        """Let compared values be handed out again."""


class PlainRecord:
    """The twin of `unlike._native.Record`."""

    def __init__(self) -> None:
        self.events: list[int] = []
        self.mark = self.events.append
        self.touched: list[list[Any]] = []
        self.pairs: set[tuple[Any, Any]] = set()

    def cell(self, spot: int, /) -> Cell:
        """Return a new cell for a comparison."""
        return [*UNTOUCHED, self.touched, spot]

    def take(self, entered: set[int], spans: list[tuple[int, int]], counts: list[int], starts: list[int], /) -> Taken:
        """Return what was recorded, and forget it."""
        counted, steps = take_counts(entered, spans, counts, starts, self.events)
        self.events.clear()
        return counted, *self._take_cells(), steps

    def forget_pairs(self) -> None:
        """Let compared values be handed out again."""
        self.pairs.clear()

    def _take_cells(self) -> tuple[bytes, list[Any]]:
        near: list[tuple[int, int | float]] = []
        compared: list[Any] = []
        pairs = 0
        for cell in self.touched:
            for side, (away, a, b) in cell[FOUND].items():
                near.append((3 * cell[SPOT] + side + 1, away))
                if side and pairs < MOST_PAIRS and is_short(a) and is_short(b):
                    pairs += 1
                    if (a, b) not in self.pairs:
                        self.pairs.add((a, b))
                        compared += (a, b)
            cell[:TOUCHED] = UNTOUCHED
        self.touched.clear()
        return near_as_bytes(near), compared


def near_as_bytes(near: list[tuple[int, int | float]]) -> bytes:
    """Return how near comparisons came, each spot and side once.

    Numbers of eight bytes: how many of the distances are floats, then each key (an odd one for a float) and distance.
    """
    if not near:
        return b""
    closest: dict[int, int | float] = {}
    for key, away in near:  # several literals of one `match` have one spot
        if key not in closest or abs(away) < abs(closest[key]):
            closest[key] = away
    numbers = [0]
    for key, away in sorted(closest.items()):
        if isinstance(away, float):
            numbers[0] += 1
            numbers += (2 * key + 1, AS_BITS.unpack(AS_FLOAT.pack(away))[0])
        else:
            numbers += (2 * key, away)
    return array.array("q", numbers).tobytes()


def read_near(near: bytes, keys: Sequence[Key]) -> dict[Key, int | float]:
    """Return how near comparisons came by spot and side; `keys` has each two times, in their order."""
    if not near:
        return {}
    numbers = array.array("q", near)
    found = dict[Key, int | float](zip(map(keys.__getitem__, numbers[1::2]), numbers[2::2], strict=True))
    if numbers[0]:
        for number, bits in zip(numbers[1::2], numbers[2::2], strict=True):
            if number % 2:
                found[keys[number]] = AS_FLOAT.unpack(AS_BITS.pack(bits))[0]
    return found


@dataclass(slots=True)
class Recorder:
    """The lists that probes write to; they are constants of the probed code."""

    starts: list[int] = field(default_factory=list)  # what each slot holds before a run
    spans: list[tuple[int, int]] = field(default_factory=list)  # of each function: its slots
    counts: list[int] = field(default_factory=list)
    entered: set[int] = field(default_factory=set)
    loops: set[tuple[int, int]] = field(default_factory=set)
    left: list[tuple[int, int, str]] = field(default_factory=list)
    implementation: Implementation = "auto"
    probes: ProbeFunctions = field(init=False)
    record: ProbeRecord = field(init=False)

    def __post_init__(self) -> None:
        native = None if self.implementation == "python" else native_module()
        self.probes = PYTHON_PROBES if native is None else {name: getattr(native, name) for name in PYTHON_PROBES}
        self.record = PlainRecord() if native is None else native.Record()
        if native is not None:
            native.use_twin(distance_of, distance_to_any, distance_to_part, re.Match, MEASURED)

    def slot(self, start: int = 0) -> int:
        """Return the number of a new slot."""
        self.starts.append(start)
        self.counts.append(start)
        return len(self.starts) - 1

    def leave(self, function: int) -> None:
        """Note that a function is left by an exception: from which line, and which."""
        error = sys.exc_info()[1]
        trace = error.__traceback__ if error is not None else None
        self.left.append((function, trace.tb_lineno if trace else 0, type(error).__name__))

    def take(self) -> Seen:
        """Return what was recorded, and forget it."""
        counts, near, compared, steps = self.record.take(self.entered, self.spans, self.counts, self.starts)
        seen = Seen(counts, near, [], compared, [], steps)
        if self.loops:
            seen.loops = sorted({(slot, min(rounds, MANY)) for slot, rounds in self.loops})
            self.loops.clear()
        if self.left:
            times: dict[tuple[int, int, str], int] = {}
            for each in self.left:
                times[each] = times.get(each, 0) + 1
            seen.left = [(*each, min(count, MANY)) for each, count in times.items()]
            self.left.clear()
        self.entered.clear()
        return seen

    def forget(self) -> None:
        """Forget what was recorded; every record begins with a function that is entered."""
        if self.entered:
            self.take()
            self.record.forget_pairs()


def take_counts(
    entered: set[int], spans: list[tuple[int, int]], counts: list[int], starts: list[int], events: list[int]
) -> tuple[bytes, int]:
    """Return the slots that were counted, and how often, as bytes, and the sum; put them back to where they began."""
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
    rows = [number for slot, count in sorted(found.items()) for number in (slot, min(count, MANY))]
    return array.array("q", rows).tobytes(), sum(found.values())


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
    if type(away) is int and not -MOST_NUMBER <= away <= MOST_NUMBER:
        away = float(away)  # nearer than FAR, so it is one
        if not cell[LOW] < away < cell[HIGH]:
            return
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
        be_outside(cell, text, distance_to_part(text, part, False))
    return result


def ends_with(cell: Cell, text: Any, part: Any) -> Any:
    """Return `text.endswith(part)`."""
    result = text.endswith(part)
    if result is True:
        be_member(cell)
    elif cell[HIGH] > 1 and cell[TRIES]:
        be_outside(cell, text, distance_to_part(text, part, True))
    return result


def meets_literals(cells: tuple[tuple[Cell, object], ...], subject: Any) -> Any:
    """Note how far the subject of `match` is from the literals of its cases."""
    for cell, literal in cells:
        look_at(cell, subject, literal)
    return subject


def is_true_or_false(record: ProbeRecord, if_true: int, if_false: int, result: Any) -> Any:
    """Note a comparison whose result is used as a value."""
    if result is True:
        record.mark(if_true)
    elif result is False:
        record.mark(if_false)
    return result


def has_known_truth(record: ProbeRecord, if_true: int, if_false: int, result: Any) -> Any:
    """Note the truth of a value that nobody asks for it, where no method of the user's would say it."""
    if type(result) in TRUTHFUL:
        record.mark(if_true if result else if_false)
    return result


def pass_on(record: ProbeRecord, slot: int, result: Any) -> Any:
    """Note that a value is returned from here."""
    record.mark(slot)
    return result


PYTHON_PROBES: ProbeFunctions = {  # all of them are compiled, too
    each.__name__: each
    for each in (
        *(less_than, at_most, more_than, at_least, equals, differs, is_in, is_not_in, starts_with, ends_with),
        *(meets_literals, is_true_or_false, has_known_truth, pass_on),
    )
}
