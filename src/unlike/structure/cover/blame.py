"""What is learned when a class says which of its fields are wrong: the values of the others are good.

A model whose fields are each picky is met by no guess at all of them; field by field it is.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from unlike.structure.building import RefusedError
from unlike.structure.cover.tree import LeafNode

GOOD = 50  # values of a field that are remembered
FRESH = 4  # one in so many values of such a field is another one


@dataclass(slots=True)
class GoodValues:
    """The values of leaves in the row that is tried, and those of picky ones that were not blamed."""

    tried: dict[int, tuple[LeafNode, int, object]] = field(default_factory=dict)  # by number: with option and value
    picky: set[int] = field(default_factory=set)  # leaves that were blamed at least once
    good: dict[tuple[int, int], list[object]] = field(default_factory=dict)  # by number and option

    def note(self, node: LeafNode, option: int, value: object) -> None:
        """Remember a value of the row that is tried."""
        self.tried[node.number] = node, option, value

    def learn(self, refused: RefusedError) -> None:
        """Tell the values that were blamed from those that were not; where nothing was, nothing is known."""
        if not refused.blamed:
            return
        for number, (node, option, value) in self.tried.items():
            if node.path[:-1] != refused.place:
                continue
            if node.path[-1] in refused.blamed:
                self.picky.add(number)
            elif number in self.picky:
                good = self.good.setdefault((number, option), [])
                if len(good) < GOOD and not any(each is value for each in good):
                    good.append(value)

    def choose(self, place: tuple[int, int], turn: int) -> list[object]:
        """Return a good value for this turn, if there is one; now and then none, so that others are tried."""
        good = self.good.get(place)
        return [good[turn % len(good)]] if good and turn % FRESH else []
