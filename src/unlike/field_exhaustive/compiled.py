"""A suite from the compiled invariant; every structure is accepted by the invariant itself before it leaves."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from unlike.core import FOREVER, USUAL, Deadline, Isolation
from unlike.field_exhaustive.covering import Coverer, CoverProgress
from unlike.field_exhaustive.pairs import Pair, open_pairs, pairs_of
from unlike.invariants.compile.compiling import Numbering, compile_invariant
from unlike.invariants.fields.domains import FieldTable
from unlike.invariants.search.guards import within_lines
from unlike.invariants.structure import Structure, recipe_of_structure
from unlike.recipe import run


class MiscompiledError(Exception):
    """The clauses and the invariant disagree: nothing that follows from the clauses can be trusted."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What a suite is to be."""

    table: FieldTable
    invariant: Callable[[Any], object]
    name: str  # of the invariant
    numbering: Numbering
    wanted: Callable[[str], bool]
    smallest: bool = False
    questions: int = 20_000
    deadline: Deadline = FOREVER
    isolation: Isolation = USUAL


def covered_by_clauses(wish: Wish) -> tuple[CoverProgress, list[Pair]]:
    """Return the cover of all pairs, and those that were refuted while the invariant was compiled."""
    compiled = compile_invariant(wish.table, wish.invariant, numbering=wish.numbering, deadline=wish.deadline)
    pairs, refuted = open_pairs(compiled, wish.wanted)
    coverer = Coverer(compiled, pairs, deadline=wish.deadline)
    try:
        cover = coverer.run()
        if not cover.undecided:
            coverer.find_bound()
            if wish.smallest:
                coverer.shrink(wish.questions)
    finally:
        coverer.close()
    check_shown(cover, wish)
    return cover, refuted


def check_shown(cover: CoverProgress, wish: Wish) -> None:
    """Run the invariant itself on every structure, and read its pairs off it."""
    shown: set[Pair] = set()
    for each in cover.shown:
        if not accepts(wish, each.structure):
            raise MiscompiledError(f"{wish.name} rejects {each.structure}, which the clauses accept")
        pairs = set(pairs_of(each.structure, wish.numbering, wish.wanted))
        if pairs != each.pairs:
            raise MiscompiledError(f"{each.structure} has other pairs than its model")
        shown |= pairs
    if shown != cover.covered and not cover.undecided:
        raise MiscompiledError("the suite does not show the pairs that it claims")


def accepts(wish: Wish, structure: Structure) -> bool:
    """Tell whether the invariant, unchanged, accepts the structure, made anew."""
    return holds(wish.invariant, run(recipe_of_structure(structure)))


def holds(invariant: Callable[[Any], object], thing: object) -> bool:
    """Tell whether the invariant holds for an object; an exception or an endless run is a no."""
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            return bool(within_lines(lambda: invariant(thing)))
    except KeyboardInterrupt:
        raise
    except BaseException:  # the invariant is foreign code and may raise anything
        return False
