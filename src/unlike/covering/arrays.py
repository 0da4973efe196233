"""From parameters, rules and strengths to few rows in which every tuple of values stands that a legal row can have.

A parameter has values; of some values no tuple is asked for. A rule is a clause: at least one of its parameters has one
of the values that it allows there. A layer says how many of some parameters are combined. Rows come in an order in
which each shows as much that is new as it can. A compiled twin (`unlike._native`) gives the same rows as the plain one.
"""

from __future__ import annotations

import contextlib
import importlib
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from unlike.core import FOREVER, CutShort, Deadline
from unlike.errors import ScopeError
from unlike.progress import report

Row: TypeAlias = list[int]
Cells: TypeAlias = tuple[tuple[int, int], ...]  # parameters with a value of each
Rule: TypeAlias = tuple[tuple[int, bytes], ...]
# a legal row with the cells; None if there is none; "unknown"
Decide: TypeAlias = Callable[[Cells], Row | Literal["unknown"] | None]
Implementation: TypeAlias = Literal["auto", "python"]  # auto: the compiled twin, where it was built

MOST_TUPLES = 40_000_000  # more are refused: memory and work grow with them
MOST_BITS = 4_000_000_000  # of the sets of three: about a gigabyte and a half
SAMPLES = 300  # legal rows that show what is possible before anything is asked
BUDGET = 20_000  # changes to make a row legal, before a solver is asked
CANDIDATES = {1: 4, 2: 10}  # rows of which the best is taken; for greater strengths 2
FREE_CANDIDATES, FREE_STEPS = 4, 300  # of pairs where nothing is forbidden: more of them gain little there
AHEAD = 4  # rows to come for each that is certain: how much tuples weigh that luck does not show
STEPS = {2: 3_000}  # to make rows fewer by default; for greater strengths as many as the work below allows
STEP_WORK = 40_000_000  # pairs of cells looked at, by default
SMALLEST_WORK = 60_000_000_000  # cells looked at for the smallest array
SMALLEST_STEPS = 4_000_000  # at most
SLICE = 500  # steps between two looks at the clock
REPORTED = "covering"  # the stage of progress


@dataclass(frozen=True, slots=True)
class ArrayModel:
    """What an array is asked for: which values of each parameter enter tuples, rules, and strengths of parameters."""

    enters: tuple[bytes, ...]
    rules: tuple[Rule, ...] = ()
    layers: tuple[tuple[int, tuple[int, ...]], ...] = ()

    @property
    def levels(self) -> list[int]:
        """How many values each parameter has."""
        return [len(each) for each in self.enters]


@dataclass(slots=True)
class Array:
    """Rows, the given ones first, and what is known of the tuples that they do not show."""

    rows: list[Row]
    given: int = 0
    tuples: int = 0  # that are needed: impossible and ignored ones are not
    impossible: list[Cells] = field(default_factory=list)  # proved, as small as they were found
    undecided: list[Cells] = field(default_factory=list)
    bound: int = 0  # no array has fewer rows
    possible: bool | None = True  # whether there is a legal row
    missing: int = 0  # tuples that were not shown when it ended early
    cut: CutShort | None = None
    interrupted: bool = False
    steps: int = 0  # that were made to have fewer rows
    engine: Any = None

    @property
    def is_smallest(self) -> bool:
        """Whether no array with these given rows has fewer."""
        return len(self.rows) <= max(self.bound, self.given)


def count_tuples(levels: Sequence[int], t: int) -> int:
    """Return how many tuples of t values of different parameters there are.

    >>> count_tuples([2, 3, 4], 2)
    26
    """
    sums = [1, *[0] * t]
    for each in levels:
        for size in range(t, 0, -1):
            sums[size] += sums[size - 1] * each
    return sums[t]


def check_size(model: ArrayModel) -> None:
    """Refuse what has more tuples than can be kept."""
    for t, params in model.layers:
        levels = [len(model.enters[p]) for p in params]
        tuples = count_tuples(levels, t)
        if tuples > MOST_TUPLES or (t == 3 and sum(levels) ** 3 > MOST_BITS):
            raise ScopeError(
                f"about {tuples:,} combinations of {t} choices are more than {MOST_TUPLES:,}; use a smaller strength, "
                "or a greater one for some fields only: strength={'field,field,field': 3} (--strength FIELDS=3)"
            )


def make_engine(model: ArrayModel, seed: int, implementation: Implementation = "auto") -> Any:
    """Return what makes the rows: compiled where that was built, or plain Python."""
    found: Any = None
    if implementation == "auto":
        with contextlib.suppress(ImportError):
            found = getattr(importlib.import_module("unlike._native"), "Covering", None)
    if found is None:
        from unlike.covering.plain import PlainCovering  # only where nothing was compiled

        found = PlainCovering
    layers = [(t, list(params)) for t, params in model.layers]
    rules = [list(rule) for rule in model.rules]
    return found(list(model.enters), rules, layers, (seed + 1) * 0x9E3779B97F4A7C15 & 0xFFFFFFFFFFFFFFFF)


def cover(
    model: ArrayModel,
    *,
    given: Sequence[Row] = (),
    ignored: Iterable[Cells] = (),
    smallest: bool = False,
    seed: int = 0,
    deadline: Deadline = FOREVER,
    decide: Decide | None = None,
    implementation: Implementation = "auto",
) -> Array:
    """Return few legal rows that show every tuple of the layers that a legal row can have.

    Given rows come first, whatever they are; what they show is not shown again. With `smallest` many more steps are
    made. What a budget of changes leaves undecided is asked of `decide`.
    """
    check_size(model)
    engine = make_engine(model, seed, implementation)
    array = Array([list(row) for row in given], len(given), engine=engine)
    try:
        legal, array.impossible, undecided = engine.decide(SAMPLES, BUDGET, deadline.check)
        if legal < 1:
            array.possible = _ask_for_any(decide) if legal < 0 else False
            array.undecided = undecided
            return array
        witnesses = _ask_undecided(array, deadline.each(undecided), decide)
    except CutShort as cut:  # before it was known what is needed
        return Array(array.rows, array.given, possible=None, cut=cut)
    engine.forbid(list(ignored))
    array.tuples, array.bound = sum(engine.count()), engine.count_least()
    try:
        _grow(engine, array, model, smallest=smallest, deadline=deadline)
        array.rows += [row for row in witnesses if row not in array.rows]
        if len(array.rows) > array.given:
            _make_fewer(engine, array, model, smallest=smallest, deadline=deadline)
    except CutShort as cut:
        array.cut = cut
    except KeyboardInterrupt:
        array.interrupted = True
    order = engine.arrange(array.rows, array.given)
    array.rows = [array.rows[number] for number in order]
    array.missing = engine.missing(array.rows, 0)[0]
    return array


def _ask_for_any(decide: Decide | None) -> bool | None:
    match None if decide is None else decide(()):
        case "unknown":
            return None
        case None:
            return None if decide is None else False
    return True


def _ask_undecided(array: Array, undecided: Iterable[Cells], decide: Decide | None) -> list[Row]:
    """Return rows for what is possible after all; sort the rest into what is proved and what is not."""
    witnesses: list[Row] = []
    for cells in undecided:
        match "unknown" if decide is None else decide(cells):
            case "unknown":
                array.undecided.append(cells)
            case None:
                array.impossible.append(cells)
            case list(row):
                witnesses.append(row)
    return witnesses


def _grow(engine: Any, array: Array, model: ArrayModel, *, smallest: bool, deadline: Deadline) -> None:
    """Add rows until no tuple is open."""
    is_open = engine.begin(array.rows)
    widest = max((t for t, _ in model.layers), default=1)
    free = widest == 2 and not model.rules and not smallest
    candidates = FREE_CANDIDATES if free else CANDIDATES.get(widest, 2)
    while True:
        deadline.check()
        report(REPORTED, array.tuples - is_open, len(array.rows), of=array.tuples)
        grown = engine.grow(candidates, AHEAD)
        if grown is None:
            return
        row, news, cells = grown
        if row is None:  # a legal row is known to exist, but was not found again
            array.undecided.append(cells)
            engine.forbid([cells])
            is_open = engine.begin(array.rows)
            continue
        array.rows.append(row)
        is_open -= news


def steps_of(model: ArrayModel, rows: int, *, smallest: bool) -> int:
    """Return how many steps are made to have fewer rows: what a step costs decides, not the time it takes."""
    widest = max((t for t, _ in model.layers), default=1)
    cells = len(model.enters) * max(1, rows)
    work = cells if widest < 3 else cells * math.isqrt(len(model.enters) ** (widest - 2) * 16)
    if smallest:
        return min(SMALLEST_STEPS, SMALLEST_WORK // max(1, work))
    if widest == 2 and not model.rules:
        return FREE_STEPS
    return STEPS.get(widest, 0) or min(3_000, STEP_WORK // max(1, work))


def _make_fewer(engine: Any, array: Array, model: ArrayModel, *, smallest: bool, deadline: Deadline) -> None:
    low, left = max(array.bound, array.given), steps_of(model, len(array.rows), smallest=smallest)
    if len(array.rows) <= low:
        return
    engine.begin_search(array.rows, array.given)
    try:
        while left:
            deadline.check()
            rows, made = engine.search(min(SLICE, left), low)
            array.steps += made
            report("looking for fewer rows", array.steps, rows, of=array.steps + left - made)
            if made < min(SLICE, left):
                break
            left -= made
    finally:
        array.rows = engine.best()
