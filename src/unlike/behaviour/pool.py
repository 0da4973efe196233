"""Candidates of a space: its first inputs in order, inputs that just fail, and others around what the source mentions.

A small space is there as a whole. Of another one some thousand inputs are, and what they are does not depend on how
many are chosen of them.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from unlike.behaviour.changes import MentionedValues, change_value, places_in, with_small_numbers
from unlike.behaviour.spaces import InputSpace
from unlike.recipe import Argument, Items, Recipe, Step, arguments_of, leaves_of
from unlike.suite import Status

MOST = 2_400  # candidates: more of them showed little more in a study
OF_SPACE, OF_SPACE_MIXED = 1_440, 960  # of them in the order of the space: alone, and where others may fail
MISSES = 400  # that just fail, made by the space
SMALL_NUMBERS = 120  # inputs with small numbers everywhere: there are as many as shapes of a text
ATTEMPTS = 4  # changes that are made for one that is wanted: some are not legal, some are there already
TWICE = 3  # every third changed input is changed twice
LOOKED_AT = 16  # letters of a text by which it looks unlike others: what is longer is not read
ODD = 3  # more letters than one that an unusual character counts as


@dataclass(frozen=True, slots=True)
class Candidate:
    """An input that may be chosen: what it is made of, how it is built, and whether it is legal."""

    plain: Any
    recipe: Recipe
    label: str = ""
    legal: bool = True


@dataclass(slots=True)
class CandidatePool:
    """The candidates in the order in which they were made, each once."""

    space: InputSpace
    may_fail: bool = False  # whether inputs that are not legal are wanted, too
    candidates: list[Candidate] = field(default_factory=list)
    is_whole: bool = False  # every input of the space is here
    status: Status | None = None  # of the first inputs of the space
    keys: set[str] = field(default_factory=set)

    def add(self, candidate: Candidate) -> bool:
        """Add a candidate, if it is not there yet."""
        key = repr(candidate.recipe)
        if key in self.keys:
            return False
        self.keys.add(key)
        self.candidates.append(candidate)
        return True

    def judge(self, plains: list[Any]) -> list[Candidate]:
        """Return those of changed inputs that are new, and legal or labelled."""
        fresh: dict[str, tuple[Any, Recipe]] = {}
        for plain in plains:
            try:
                recipe = self.space.recipe(plain)
            except Exception:  # a changed part may be none that its declaration could write
                continue
            key = repr(recipe)
            if key not in self.keys:
                fresh.setdefault(key, (plain, recipe))
        made: list[Candidate] = []
        verdicts = self.space.judge([plain for plain, _ in fresh.values()])
        for (plain, recipe), legal in zip(fresh.values(), verdicts, strict=True):
            if legal:
                made.append(Candidate(plain, recipe))
            elif legal is False and self.may_fail and self.space.fails_by:
                made.append(Candidate(plain, recipe, self.space.fails_by, legal=False))
        return made


def gather(
    space: InputSpace, known: MentionedValues, *, may_fail: bool, seed: int, kept: Sequence[Any] = ()
) -> CandidatePool:
    """Return the candidates of a space, after those that are to be kept."""
    pool = CandidatePool(space, may_fail)
    for plain in kept:
        pool.add(Candidate(plain, space.recipe(plain)))
    first = space.first(MOST)
    pool.status, pool.is_whole = first.status, first.is_whole
    share = MOST if first.is_whole or not space.may_change else OF_SPACE_MIXED if may_fail else OF_SPACE
    for plain, label in list(zip(first.plains, first.labels, strict=True))[:share]:
        pool.add(Candidate(plain, space.recipe(plain), label))
    if may_fail:
        for each in space.misses(MISSES):
            pool.add(Candidate(each.plain, each.recipe, each.rule, legal=False))
    if space.may_change and first.plains and (may_fail or not first.is_whole):
        _add_changed(pool, [each.plain for each in pool.candidates if each.legal], known, seed)
    if space.may_change:  # what is left of the first inputs makes up the number
        for plain, label in list(zip(first.plains, first.labels, strict=True))[share:]:
            if len(pool.candidates) >= MOST:
                break
            pool.add(Candidate(plain, space.recipe(plain), label))
    return pool


def _add_changed(pool: CandidatePool, plains: list[Any], known: MentionedValues, seed: int) -> None:
    """Add inputs with small numbers, then with one or two parts changed, until there are enough or hardly new ones."""
    small = {repr(each): each for each in map(with_small_numbers, plains)}
    for candidate in pool.judge(list(small.values()))[:SMALL_NUMBERS]:
        pool.add(candidate)
    pick = random.Random(f"changed {seed}")
    for _ in range(ATTEMPTS):
        wanted = MOST - len(pool.candidates)
        if wanted <= 0:
            return
        changed = [change_input(pick.choice(plains), known, pick, times=1 + (at % TWICE == 0)) for at in range(wanted)]
        for candidate in pool.judge(changed):
            pool.add(candidate)


def change_input(plain: Any, known: MentionedValues, pick: random.Random, *, times: int = 1) -> Any:
    """Return an input with some of its parts changed."""
    for _ in range(times):
        places = list(places_in(plain))
        if not places:
            return plain
        place = pick.choice(places)
        plain = place.put(change_value(place.value, known, pick, place.name))
    return plain


def size_of(recipe: Recipe) -> int:
    """Return how much there is to read in an input; unusual characters count more."""
    return len(recipe.steps) + sum(_letters(each) for each in leaves_in(recipe))


def leaves_in(recipe: Recipe) -> Iterator[Argument]:
    """Yield the plain values that a recipe is made of."""
    for arguments in (*map(_given_to, recipe.steps), (recipe.result,)):
        yield from leaves_of(arguments)


def _given_to(step: Step) -> tuple[Argument, ...]:
    return arguments_of(step)[1:]


def _letters(leaf: Argument) -> int:
    if isinstance(leaf, str):
        return 1 + sum(1 if each.isascii() and each.isprintable() else 1 + ODD for each in leaf)
    return len(repr(leaf)) if isinstance(leaf, int | float | bytes) else 1


def look_of(recipe: Recipe) -> Iterator[tuple[object, ...]]:
    """Yield what an input looks like: its length and letters, or the values in it and how many there are."""
    if isinstance(recipe.result, str) and not recipe.steps:
        text = recipe.result
        yield "length", len(text)
        yield from dict.fromkeys(zip(range(LOOKED_AT), text, strict=False))
        return
    for number, each in enumerate(itertools.islice(leaves_in(recipe), LOOKED_AT)):
        if isinstance(each, bool | int | float | str | bytes | None):
            yield number, repr(each)
    for step in (*recipe.steps, recipe.result):
        if isinstance(step, Items):
            yield "items", len(step.items)
