"""From what runs came close to, to further candidates: towards branches that stay dark and boundaries that are unmet.

What was compared and differed is put in place of what it was compared with, a number in the input is moved by the
distance to the boundary, and what came closest, or has the rarest features, is changed at random. It goes in rounds:
each is run as a whole, what shows anything new stays, and the budget counts runs.
"""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from unlike.behaviour.changes import MentionedValues, numbers_in, places_in
from unlike.behaviour.hanging import NOT_RUN, hangs
from unlike.behaviour.pool import Candidate, CandidatePool, change_input
from unlike.observe.run import Behaviour, Spot

BUDGET = 600  # runs
ROUND = 120  # of them at once: what one round finds, the next one starts from
ROUNDS = 12  # at most: where hardly a changed input is legal, the budget lasts longer than it pays
AIMED = 80  # of a round go to what was compared, the others to what is changed at random
SIDES = (0, -1, 1)  # of a boundary: on it, below, above
SMALL = 12  # candidates among which the rarest is looked for
PER_GOAL = 6  # changes for one boundary or branch in one round

See = Callable[[Sequence[Candidate]], list[Behaviour]]


@dataclass(slots=True)
class BehaviourSearch:
    """What was reached so far, by how many, and who came closest to what was not."""

    pool: CandidatePool
    runs: list[Behaviour]
    sites: Sequence[Spot]
    known: MentionedValues
    pick: random.Random
    seen: Counter[Hashable] = field(default_factory=Counter)
    best: dict[tuple[int, int | None], tuple[float, int]] = field(default_factory=dict)  # (spot, side) -> how near, who
    pairs: dict[tuple[Any, Any], Any] = field(default_factory=dict)  # compared, not yet exchanged -> in which input
    tried: set[Hashable] = field(default_factory=set)

    def note(self, index: int) -> bool:
        """Take note of a run; tell whether it shows anything new, or came closer to a boundary."""
        run, fresh = self.runs[index], False
        for key, count in run.turns.items():
            each = (*key, min(count, 2))
            fresh |= not self.seen[each]
            self.seen[each] += 1
        for spot_side in run.rounds:
            fresh |= not self.seen["rounds", spot_side]
            self.seen["rounds", spot_side] += 1
        for (spot, side), away in run.near.items():
            for at in ((spot, side), (spot, None)):
                if at not in self.best or abs(away) < abs(self.best[at][0]):
                    fresh |= at[1] is not None
                    self.best[at] = float(away), index
        for pair in run.compared:
            if _is_plain(pair) and pair not in self.tried:
                self.tried.add(pair)
                self.pairs[pair] = self.pool.candidates[index].plain
        return fresh

    def propose(self) -> list[Any]:
        """Return changed inputs for the next round."""
        aimed = itertools.chain(self.by_compared(), self.by_distance(), self.by_branch())
        wanted = list(itertools.islice(aimed, AIMED))
        return [*wanted, *itertools.islice(self.by_chance(), ROUND - len(wanted))]

    def by_compared(self) -> Iterator[Any]:
        """Yield inputs in which a value that was compared is replaced by what it was compared with."""
        for pair in self.pick.sample(list(self.pairs), min(len(self.pairs), AIMED // 2)):
            plain = self.pairs.pop(pair)
            yield from _exchange(plain, *pair)
            yield from _exchange(plain, *pair[::-1])

    def by_distance(self) -> Iterator[Any]:
        """Yield inputs with a number moved so that a comparison should be on its boundary, or one beside it."""
        unmet = [
            (spot, side)
            for spot in sorted({spot for spot, _ in self.best})
            for side in SIDES
            if self.best.get((spot, side), (9, 0))[0] != side
        ]
        for spot, side in self.pick.sample(unmet, len(unmet)):
            away, index = self.best[spot, None]
            if ("move", spot, side, away, index) in self.tried or away != away or abs(away) == float("inf"):
                continue
            self.tried.add(("move", spot, side, away, index))
            step = Fraction(away) - side
            plain = self.pool.candidates[index].plain
            yield from _move_all(plain, int(step))
            numbers = list(numbers_in(plain))
            for was, put in self.pick.sample(numbers, min(len(numbers), PER_GOAL)):
                for new in (was - step, was + step) if isinstance(was, int | Fraction) else (was - float(step),):
                    yield put(int(new) if isinstance(was, int) else new)

    def by_branch(self) -> Iterator[Any]:
        """Yield changes of the inputs that came to a condition of which one outcome is dark."""
        for spot, outcome in dark_outcomes(self.sites, self.seen):
            reached = [index for index, run in enumerate(self.runs) if (spot, not outcome) in run.turns]
            for index in self.pick.sample(reached, min(len(reached), PER_GOAL)):
                yield change_input(self.pool.candidates[index].plain, self.known, self.pick)

    def by_chance(self) -> Iterator[Any]:
        """Yield changes of the inputs with the rarest features, and crossings of two."""
        ended = [index for index, run in enumerate(self.runs) if not hangs(run)]  # changed, others would hang, too
        if not ended:
            return
        while True:
            some = [self.pick.choice(ended) for _ in range(SMALL)]
            index = min(some, key=lambda at: min((self.seen[(*key, 1)] for key in self.runs[at].turns), default=0))
            plain = self.pool.candidates[index].plain
            if self.pick.random() < 0.2:
                yield _cross(plain, self.pool.candidates[self.pick.choice(some)].plain, self.pick)
            else:
                yield change_input(plain, self.known, self.pick)


def search(
    pool: CandidatePool,
    runs: list[Behaviour],
    see: See,
    *,
    sites: Sequence[Spot],
    known: MentionedValues,
    seed: int,
) -> int:
    """Add candidates that show anything new to the pool, and their runs; return how many were run."""
    found = BehaviourSearch(pool, runs, sites, known, random.Random(f"search {seed}"))
    for index in range(len(runs)):
        found.note(index)
    spent = 0
    for _ in range(ROUNDS):
        if spent >= BUDGET:
            return spent
        made = pool.judge(found.propose())[: min(ROUND, BUDGET - spent)]
        if not made:
            return spent
        spent += len(made)
        for candidate, run in zip(made, see(made), strict=True):
            if run is NOT_RUN or not pool.add(candidate):
                continue
            runs.append(run)
            if not found.note(len(runs) - 1):  # it is known, and need not be looked at again
                pool.candidates.pop()
                runs.pop()
    return spent


def dark_outcomes(sites: Sequence[Spot], seen: Counter[Hashable] | dict[Hashable, int]) -> list[tuple[int, bool]]:
    """Return the outcomes of conditions that no run had, where another one was reached."""
    dark = []
    for number, site in enumerate(sites):
        if site.kind in ("condition", "operand"):
            had = [
                outcome for outcome in (True, False) if seen.get((number, outcome, 1)) or seen.get((number, outcome, 2))
            ]
            dark += [(number, not outcome) for outcome in had if len(had) == 1]
    return dark


def _is_plain(pair: tuple[object, object]) -> bool:
    return all(isinstance(each, str | int | float | bytes) and not isinstance(each, bool) for each in pair)


def _exchange(plain: Any, have: object, want: object) -> Iterator[Any]:
    """Yield inputs in which one occurrence of a value is another."""
    for place in places_in(plain):
        value = place.value
        if isinstance(value, str) and isinstance(have, str) and isinstance(want, str):
            if have and have in value:
                yield place.put(value.replace(have, want, 1))
            elif have and (at := value.lower().find(have.lower())) >= 0:
                yield place.put(value[:at] + want + value[at + len(have) :])
        elif type(value) is type(have) and value == have and type(want) is type(have):
            yield place.put(want)


def _move_all(plain: Any, step: int) -> Iterator[Any]:
    """Yield inputs in which all numbers that are equal are moved together: a comparison of them stays what it was."""
    values = [place.value for place in places_in(plain) if type(place.value) is int]
    for value in {each: None for each in values if values.count(each) > 1}:
        moved = plain
        for number in range(len(list(places_in(plain)))):
            place = list(places_in(moved))[number]
            if type(place.value) is int and place.value == value:
                moved = place.put(value - step)
        yield moved


def _cross(one: Any, two: Any, pick: random.Random) -> Any:
    """Return an input with a part of another."""
    if isinstance(one, str) and isinstance(two, str):
        return one[: pick.randrange(len(one) + 1)] + two[pick.randrange(len(two) + 1) :]
    theirs = list(places_in(two))
    mine = [each for each in places_in(one) for other in theirs if each.name == other.name]
    if not mine:
        return one
    place = pick.choice(mine)
    values = [each.value for each in theirs if each.name == place.name and type(each.value) is type(place.value)]
    return place.put(pick.choice(values)) if values else one
