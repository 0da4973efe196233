"""What inputs that are there already cover of a space: how many combinations, which are missing, what to add.

Impossible combinations count neither way. A row that leaves places open shows only what it says; one that is no input
shows nothing, and is named.
"""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from unlike.core import Deadline, Isolation
from unlike.covering.arrays import BUDGET, SAMPLES, Cells, make_engine
from unlike.documents.json_schema.document import JsonSchema
from unlike.documents.pict import PictModel
from unlike.errors import ScopeError, SpecError
from unlike.language.spec import Spec
from unlike.structure.cover.columns import FieldRule, MismatchError, read_data
from unlike.structure.cover.tree import EmptyShapeError, Tree, compile_shape
from unlike.structure.cover.tuples import Combining, TupleRun
from unlike.structure.paired_bounds import list_short_ranges
from unlike.structure.shapes import Shape
from unlike.suite import Suite
from unlike.typed.conditions import conditions_of
from unlike.typed.generate import coverage_of
from unlike.typed.verbs import generate
from unlike.types.choices import read_type

NAMED = 200  # missing combinations that are named; the others are counted
MOST_MISSING = 100_000  # that are looked through


@dataclass(frozen=True, slots=True)
class StrengthCount:
    """How many combinations of one strength can be, and how many are there."""

    strength: str
    needed: int
    shown: int

    @property
    def percent(self) -> float:
        """The share that is there, in percent; all of nothing is all."""
        return 100 * self.shown / self.needed if self.needed else 100.0


@dataclass(frozen=True, slots=True)
class SuiteCoverage:
    """What rows cover: by strength, the missing combinations in words, and inputs that would show them."""

    rows: int
    counts: tuple[StrengthCount, ...]
    missing: tuple[str, ...]
    lacking: int  # how many are missing, named or not
    refused: tuple[str, ...]  # rows that are no inputs, and why
    to_add: Suite


def measure(
    space: object,
    rows: Sequence[object],
    asked: Combining,
    *,
    seed: int = 0,
    deadline: Deadline,
    isolation: Isolation,
) -> SuiteCoverage:
    """Return what rows cover of a space, and the fewest inputs found that show the rest."""
    shape, rules, negative = _shape_of(space, deadline)
    try:
        tree = compile_shape(shape, "pairs")
    except EmptyShapeError as empty:
        raise SpecError(f"{space!r} has no input at all: {empty}") from None
    asked = replace(asked, negative=(*negative, *asked.negative))
    read, refused = _read_rows(tree, rows)
    run = _run_of(tree, asked, rules, deadline, seed)
    whole = [rows[number] for number, decisions in read if run.columns.row_of(decisions) is not None]
    kept, suite = _with_rest(space, whole, refused, asked, seed, deadline, isolation)
    read = [each for each in read if rows[each[0]] in kept or run.columns.row_of(each[1]) is None]
    impossible = {word for word, _ in coverage_of(suite).impossible}
    counts, missing, lacking = [], list[str](), 0
    for t, layers in _strengths(run, asked):
        needed, gone = _count(run, layers, [decisions for _, decisions in read], impossible)
        counts.append(StrengthCount(t, needed, needed - len(gone)))
        missing, lacking = gone[:NAMED], len(gone)  # of the last one, which is asked for
    partial = [decisions for _, decisions in read if run.columns.row_of(decisions) is None]
    to_add = replace(suite, cases=_Some(suite, tuple(_find_new(run, suite, len(kept), partial))))
    return SuiteCoverage(len(rows), tuple(counts), tuple(missing), lacking, tuple(refused), to_add)


@dataclass(frozen=True, slots=True)
class _Some:
    """Some cases of a suite."""

    suite: Suite
    numbers: tuple[int, ...]

    def count(self) -> int:
        """Return how many cases there are."""
        return len(self.numbers)

    def at(self, index: int) -> Any:
        """Return the case at the index."""
        return self.suite[self.numbers[index]]


def _find_new(run: TupleRun, suite: Suite, first: int, partial: Sequence[dict[int, int]]) -> Iterator[int]:
    """Yield the cases after the first so many that show a combination which nothing before shows."""
    if not run.columns.factors:
        return
    engine = make_engine(run.columns.model(run.layers, run.rules), 0)
    engine.decide(SAMPLES, BUDGET)
    engine.forbid(sorted({cells for decisions in partial for cells in _cells_of(run, run.layers, decisions)}))
    rows: list[list[int]] = []
    before = engine.missing([], 0)[0]
    for number, case in enumerate(suite):
        decisions: dict[int, int] = {}
        with contextlib.suppress(MismatchError):
            read_data(run.tree.root, case.value, decisions)
        row = run.columns.row_of(decisions)
        if row is None:
            continue
        now = engine.missing([*rows, row], 0)[0]
        if number < first or now < before:
            rows.append(row)
            before = now
            if number >= first:
                yield number


def _shape_of(space: object, deadline: Deadline) -> tuple[Shape, list[FieldRule], tuple[tuple[str, object], ...]]:
    if isinstance(space, PictModel):
        return space.shape(), space.rules(), space.negative
    if isinstance(space, JsonSchema):
        return list_short_ranges(space.judge(space.read(deadline=deadline))), [], ()
    if isinstance(space, Spec):
        said = space.as_choices().typed
        assert said is not None
        shape = list_short_ranges(read_type(said.blanks).shape)
        return shape, list(conditions_of(said.where, shape).rules()), ()
    return list_short_ranges(read_type(space).shape), [], ()


def _run_of(tree: Tree, asked: Combining, rules: Sequence[FieldRule], deadline: Deadline, seed: int) -> TupleRun:
    return TupleRun(
        tree, asked, None, rules=rules, decide=lambda _: lambda _: "unknown", ask=None, deadline=deadline, seed=seed
    )


def _read_rows(tree: Tree, rows: Sequence[object]) -> tuple[list[tuple[int, dict[int, int]]], list[str]]:
    """Return the rows that are inputs, with the decisions they take, and why the others are none."""
    read: list[tuple[int, dict[int, int]]] = []
    refused: list[str] = []
    for number, row in enumerate(rows):
        decisions: dict[int, int] = {}
        try:
            read_data(tree.root, row, decisions)
        except MismatchError as mismatch:
            refused.append(f"row {number + 1}: {mismatch}")
        else:
            read.append((number, decisions))
    return read, refused


def _with_rest(
    space: object,
    rows: list[object],
    refused: list[str],
    asked: Combining,
    seed: int,
    deadline: Deadline,
    isolation: Isolation,
) -> tuple[list[object], Suite]:
    """Return the rows that are legal, and a suite that begins with them; rows that are refused are named."""
    kept: list[object] = []
    for row in rows:
        if row not in kept:
            kept.append(row)
    limits = {} if isinstance(space, JsonSchema | PictModel) else isolation.of_one_process()
    own = dict.fromkeys(name for name, _ in asked.negative)
    negative = {each: [value for name, value in asked.negative if name == each] for each in own}
    while True:
        try:
            suite = generate(
                space,
                cover=asked.t,
                strength={",".join(names): t for names, t in asked.mixed},
                rows=kept,
                negative=None if isinstance(space, PictModel) else negative,  # its own are in it
                smallest=asked.smallest,
                timeout=deadline,
                seed=seed,
                **limits,
            )
        except ScopeError as error:
            words = str(error)
            if not words.startswith("rows: row ") or not kept:
                raise
            number = int(words.removeprefix("rows: row ").partition(" ")[0]) - 1
            refused.append(f"{kept[number]!r:.200}: {words.partition(': ')[2].partition(': ')[2].rpartition(';')[0]}")
            del kept[number]
            continue
        return kept, suite


def _strengths(run: TupleRun, asked: Combining) -> list[tuple[str, tuple[tuple[int, tuple[int, ...]], ...]]]:
    """Return the strengths up to the one that is asked for, and what is asked for if that is more."""
    every = tuple(range(len(run.columns.factors)))
    found: list[tuple[str, tuple[tuple[int, tuple[int, ...]], ...]]]
    found = [(str(t), ((t, every),)) for t in range(1, min(asked.t, len(every)) + 1)]
    return [*found, (str(asked), run.layers)] if asked.mixed else found


def _count(
    run: TupleRun,
    layers: tuple[tuple[int, tuple[int, ...]], ...],
    read: Sequence[dict[int, int]],
    impossible: set[str],
) -> tuple[int, list[str]]:
    """Return how many combinations can be, and which of them no row shows."""
    engine = make_engine(run.columns.model(layers, run.rules), 0)
    engine.decide(SAMPLES, BUDGET)
    needed = sum(engine.count())
    whole = [row for row in (run.columns.row_of(decisions) for decisions in read) if row is not None]
    partial = [decisions for decisions in read if run.columns.row_of(decisions) is None]
    engine.forbid(sorted({cells for decisions in partial for cells in _cells_of(run, layers, decisions)}))
    _, missing = engine.missing(whole, MOST_MISSING)
    words = [run.columns.describe(cells) for cells in missing]
    left = [word for word in words if word not in impossible]
    return needed - (len(words) - len(left)), left


def _cells_of(run: TupleRun, layers: Sequence[tuple[int, tuple[int, ...]]], decisions: dict[int, int]) -> list[Cells]:
    """Return the combinations that a row shows which leaves places open."""
    known: dict[int, int] = {}
    for p, wholes in enumerate(run.columns.wholes):
        value = next((v for v, each in enumerate(wholes) if each.items() <= decisions.items()), None)
        if value is not None:
            known[p] = value
    return [
        tuple((p, known[p]) for p in some)
        for t, params in layers
        for some in itertools.combinations([p for p in params if p in known], t)
    ]
