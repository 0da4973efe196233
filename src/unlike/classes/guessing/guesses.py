"""What a trial taught of the parameters of which nothing is said: data that an Api is made with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from unlike.classes.pools import Pool
from unlike.classes.soundness import methods_left_out
from unlike.core import Exploration
from unlike.scope import Scope
from unlike.suite import Status

MOST_REMEMBERED = 8  # classes whose guesses are kept: builders are sought by many explorations of the same ones


@dataclass(frozen=True, slots=True)
class Guesses:
    """Pools by place ("Cart.add.item"), and what follows from calls that hung or were refused."""

    pools: Mapping[str, Pool] = field(default_factory=dict)
    always_passed: frozenset[str] = frozenset()  # places of parameters without which a call does not return
    refused: Mapping[str, str] = field(default_factory=dict)  # operations that are not called, and why
    companions: tuple[type, ...] = ()  # classes whose objects are made to be passed, and not explored themselves
    texts: bool = False  # elements are texts rather than ints
    never: tuple[str, ...] = ()  # what was refused in every trial call: "Cart.add.item: lists, dicts"
    makers: Mapping[type, str] = field(default_factory=dict)  # what makes a companion, if not its constructor
    active: bool = False  # values are guessed at all
    cut: Status | None = None  # where there was no time to try them all: what is found with some proves nothing


NO_GUESSES = Guesses()
_remembered: list[tuple[tuple[object, ...], str, Guesses]] = []


def guesses_for(targets: Sequence[object], scope: Scope, question: Exploration) -> Guesses:
    """Return values for the parameters of which nothing is said, unless nobody wants them guessed."""
    if question.exploring.guess == "none":
        return NO_GUESSES
    from unlike.classes.guessing.verb import guess_values  # loaded only when used

    states = question.states
    leave_out = methods_left_out(states.invariant)
    asked = repr((scope, states.methods, leave_out))
    for known, words, found in _remembered:
        if words == asked and len(known) == len(targets) and all(map(_is_same, known, targets)):
            return found
    isolation, deadline = question.isolation, question.deadline
    found = guess_values(
        targets, scope, methods=states.methods, leave_out=leave_out, isolation=isolation, deadline=deadline
    )
    if found.cut is None:
        _remembered[:] = [*_remembered[1 - MOST_REMEMBERED :], (tuple(targets), asked, found)]
    return found


def _is_same(one: object, other: object) -> bool:
    return one is other
