"""Inputs with which code hangs cost the whole limit of a call: others that look like them are not run.

All of it is counted, so the same inputs are skipped on every machine: from the fifth input that hangs on, a candidate
is not run that looks more like one of those that hang than like any that did not; after sixty no other is.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field

from unlike.behaviour.pool import leaves_in, look_of
from unlike.errors import how_many
from unlike.observe.run import Behaviour
from unlike.recipe import Recipe

LEARNT = 5  # inputs that hang from which on others are compared with them
MOST = 60  # inputs that hang, after which none is run any more
NOT_RUN = Behaviour()  # of an input that was not run
REMEMBERED = 150  # inputs of each kind that a candidate is compared with


@dataclass(slots=True)
class HangingInputs:
    """What inputs look like with which the code hangs, and those with which it does not."""

    hangs: int = 0
    skipped: int = 0
    hanging: deque[frozenset[Hashable]] = field(default_factory=lambda: deque(maxlen=REMEMBERED))
    ending: deque[frozenset[Hashable]] = field(default_factory=lambda: deque(maxlen=REMEMBERED))

    def note(self, recipe: Recipe, run: Behaviour) -> None:
        """Remember an input that was run."""
        if hangs(run):
            self.hangs += 1
            self.hanging.append(_traits(recipe))
        elif self.hangs or len(self.ending) < REMEMBERED:
            self.ending.append(_traits(recipe))

    def is_near(self, recipe: Recipe) -> bool:
        """Tell whether a candidate is not worth the time: it looks like those that hang. It is counted."""
        if self.hangs < LEARNT:
            return False
        if self.hangs < MOST:
            mine = _traits(recipe)
            if _likeness(mine, self.hanging) <= _likeness(mine, self.ending):
                return False
        self.skipped += 1
        return True

    def in_words(self) -> Iterator[str]:
        """Yield what is to be said of it."""
        if self.skipped:
            yield f"{how_many(self.skipped, 'candidate')} not run, like {self.hangs} that hang"


def hangs(run: Behaviour) -> bool:
    """Tell whether the code hung."""
    return any(each[0] == "hangs" for each in run.results)


def _likeness(mine: frozenset[Hashable], others: deque[frozenset[Hashable]]) -> tuple[int, int]:
    """Return how much the most similar one has in common, and how little else there is."""
    return max(((len(mine & each), -len(mine ^ each)) for each in others), default=(0, 0))


def _traits(recipe: Recipe) -> frozenset[Hashable]:
    """Return what an input looks like: its letters and values, and roughly how large they are."""
    found: set[Hashable] = set(look_of(recipe))
    for number, leaf in enumerate(leaves_in(recipe)):
        if isinstance(leaf, bool) or leaf is None:
            continue
        if isinstance(leaf, int | float) and leaf == leaf and abs(leaf) != float("inf"):
            found.add(("size", number, leaf < 0, int(abs(leaf)).bit_length()))
        elif isinstance(leaf, str | bytes):
            found.add(("long", number, len(leaf).bit_length()))
            found.update(("has", each) for each in leaf)
    return frozenset(found)
