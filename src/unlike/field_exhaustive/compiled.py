"""A suite from the compiled invariant; every structure is accepted by the invariant itself before it leaves."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from unlike.field_exhaustive.covering import Cover, Coverer
from unlike.field_exhaustive.pairs import Pair, open_pairs, pairs_of
from unlike.invariants.clauses.compiling import Compiled, Numbering, compile_invariant
from unlike.invariants.fields.domains import FieldTable
from unlike.invariants.structure import Structure, recipe_of_structure
from unlike.recipe import run


class MiscompiledError(Exception):
    """The clauses and the invariant disagree: nothing that follows from the clauses can be trusted."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What a suite is to be."""

    table: FieldTable
    invariant: str
    numbering: Numbering
    wanted: Callable[[str], bool]
    smallest: bool = False
    questions: int = 20_000
    timeout: float | None = None


def covered_by_clauses(wish: Wish) -> tuple[Cover, list[Pair]]:
    """Return the cover of all pairs, and those that were refuted while the invariant was compiled."""
    deadline = None if wish.timeout is None else time.monotonic() + wish.timeout
    compiled = compile_invariant(wish.table, wish.invariant, numbering=wish.numbering)
    pairs, refuted = open_pairs(compiled, wish.wanted)
    coverer = Coverer(compiled, pairs, deadline=deadline)
    try:
        cover = coverer.run()
        if not cover.undecided:
            coverer.find_bound()
            if wish.smallest:
                coverer.shrink(wish.questions)
    finally:
        coverer.close()
    check_shown(cover, compiled, wish)
    return cover, refuted


def check_shown(cover: Cover, compiled: Compiled, wish: Wish) -> None:
    """Run the invariant itself on every structure, and read its pairs off it."""
    shown: set[Pair] = set()
    for each in cover.shown:
        if not accepts(wish, each.structure):
            raise MiscompiledError(f"{wish.invariant} rejects {each.structure}, which the clauses accept")
        pairs = set(pairs_of(each.structure, wish.numbering, wish.wanted))
        if pairs != each.pairs:
            raise MiscompiledError(f"{each.structure} has other pairs than its model")
        shown |= pairs
    if shown != cover.covered and not cover.undecided:
        raise MiscompiledError("the suite does not show the pairs that it claims")
    del compiled


def accepts(wish: Wish, structure: Structure) -> bool:
    """Tell whether the invariant, unchanged, accepts the structure, made anew."""
    made: Any = run(recipe_of_structure(structure))
    try:
        return bool(getattr(made, wish.invariant)())
    except Exception:  # an exception rejects
        return False
