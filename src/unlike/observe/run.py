"""What code did with one input, as plain data, and the features by which two runs are unlike.

It speaks of spots of the source by their number in `Watched.spots`.

    def grade(points):
        if points > 50 and points != 99:        # 0 the condition, 1 and 2 its operands, 3 and 4 its comparisons
            return "passed"
        return "failed"

    grade(50) ->  turns     {(0, False): 1, (1, False): 1, (0, "operand 1 decides"): 1, (3, False): 1}
                  near      {(3, 0): 0}           # on the boundary of `points > 50`
                  results   (("returns", "'a'"),)
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

Kind = Literal["condition", "operand", "comparison", "case", "handler", "exception", "loop"]
By = Literal["branches", "paths", "boundaries", "results"]
BY: tuple[By, ...] = ("branches", "paths", "boundaries", "results")
Outcome = bool | str  # taken or not; "operand 2 decides"; name of an exception
Key = tuple[int, int]  # a comparison's spot, and the side of its boundary: -1 below, 0 on it, 1 above
Feature = tuple[Hashable, ...]  # its family first: ("branches", 3, True)
MANY = 2  # rounds of a loop, or turns, from which on all counts are alike


# what becomes of a call: ("returns", coarse shape) ("raises", name) ("hangs",) ("dies", how)
RESULTS = ("returns", "raises", "hangs", "dies")


class CodeCall(NamedTuple):
    """One call of the code."""

    function: Callable[..., Any]
    args: tuple[Any, ...] = ()
    kwargs: Mapping[str, Any] = {}


@dataclass(frozen=True, slots=True)
class Spot:
    """A place of the source that a run can speak of."""

    file: str
    line: int
    column: int
    kind: Kind
    source: str  # its text
    function: str = ""  # where it stands: "Version.__lt__"

    def __str__(self) -> str:
        return f"{self.file.replace(chr(92), '/').rpartition('/')[2]}:{self.line}"


@dataclass(frozen=True, slots=True)
class Behaviour:
    """What one input did: all that it was passed to, one call after the other."""

    turns: dict[tuple[int, Outcome], int] = field(
        default_factory=dict
    )  # branches, deciding operands, exceptions: how often, up to MANY
    near: dict[Key, int | float] = field(default_factory=dict)  # smallest distance from the boundary on each side
    rounds: frozenset[tuple[int, int]] = frozenset()  # (loop, rounds), from MANY on alike
    compared: tuple[tuple[Any, Any], ...] = ()  # a few plain values that were compared and differed
    results: tuple[tuple[str, ...], ...] = ()  # of each call: see RESULTS
    steps: int = 0  # how often anything was counted: what takes another number is not the same


def closest_of(runs: Iterable[Behaviour]) -> dict[Key, int | float]:
    """Return for every comparison and side how near any of the runs came to its boundary."""
    best: dict[Key, int | float] = {}
    for run in runs:
        for key, distance in run.near.items():
            if key not in best or abs(distance) < abs(best[key]):
                best[key] = distance
    return best


def features_of(run: Behaviour, by: By, closest: Mapping[Key, int | float] | None = None) -> list[Feature]:
    """Return what a run shows, without repetition.

    A boundary counts for the runs that come closest to it among some (`closest_of` them); alone, for a run that is on
    it or one beside it.
    """
    if by == "branches":
        return [("branches", *key) for key in run.turns]
    if by == "paths":
        counted = frozenset((*key, min(count, MANY)) for key, count in run.turns.items())
        found: list[Feature] = [("paths", "again", *key) for key, count in run.turns.items() if count >= MANY]
        found += [("paths", "rounds", *each) for each in sorted(run.rounds)]
        return [*found, ("paths", "whole", counted, run.rounds)]
    if by == "boundaries":
        return [
            ("boundaries", *key)
            for key, away in run.near.items()
            if (abs(away) <= 1 if closest is None else away == closest.get(key))
        ]
    return [("results", *each) for each in run.results]
