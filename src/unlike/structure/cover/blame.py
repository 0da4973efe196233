"""What is learned when a class says which of its fields are wrong: the values of the others are good.

A model whose fields are each picky is met by no guess at all of them; field by field it is. What validators mention is
tried in turn with the usual values once the class refused some.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field

from unlike.structure.building import RefusedError
from unlike.structure.cover.leaves import Sample
from unlike.structure.cover.streams import Stream
from unlike.structure.cover.tree import LeafNode

GOOD = 50  # values of a field that are remembered
FRESH = 4  # one in so many values of such a field is another one


@dataclass(slots=True)
class GoodValues:
    """The values of leaves in the row that is tried, and those of picky ones that were not blamed."""

    tried: dict[int, tuple[LeafNode, int, object]] = field(default_factory=dict)  # by number: with option and value
    picky: set[int] = field(default_factory=set)  # leaves that were blamed at least once
    good: dict[tuple[int, int], list[object]] = field(default_factory=dict)  # by number and option
    refused: set[int] = field(default_factory=set)  # leaves that were blamed, or may be: try what validators mention
    narrowed: dict[tuple[int, int], Stream | None] = field(
        default_factory=dict
    )  # by leaf and stream: what they mention
    turns: dict[int, int] = field(default_factory=dict)  # how often a sample was asked for, by its identity

    def note(self, node: LeafNode, option: int, value: object) -> None:
        """Remember a value of the row that is tried."""
        self.tried[node.number] = node, option, value

    def learn(self, refused: RefusedError) -> None:
        """Tell the values that were blamed from those that were not; where nothing was, all may be to blame."""
        depth = len(refused.place)
        for number, (node, _, _) in self.tried.items():
            below = node.path[depth : depth + 1] if node.path[:depth] == refused.place else ()
            if node.mentioned and below and (not refused.blamed or below[0] in refused.blamed):
                self.refused.add(number)
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

    def next_of_sample(self, node: LeafNode, sample: Sample) -> object:
        """Return the value that shows a sample best; when it is asked for again, another one that shows it."""
        turn = self.turns[id(sample)] = self.turns.get(id(sample), -1) + 1
        if not turn or sample.others is None or sample.others.is_empty():
            return sample.value
        for value in self.choose_mentioned(node, sample.others, turn):
            return value
        return sample.others.at(turn - 1)

    def choose_mentioned(self, node: LeafNode, stream: Stream, turn: int) -> list[object]:
        """Return a value that validators mention, every other turn of a leaf that was refused; else none."""
        if node.number not in self.refused or not turn % 2:
            return []
        mentioned = self.mentioned_in(node, stream)
        return [] if mentioned is None else [mentioned.at(turn // 2)]

    def mentioned_in(self, node: LeafNode, stream: Stream) -> Stream | None:
        """Return what validators mention of the values in a stream, if they do."""
        key = (node.number, id(stream))
        if key not in self.narrowed:
            self.narrowed[key] = None
            if stream.narrow is not None and node.mentioned is not None:
                found = Stream(itertools.islice(stream.narrow(node.mentioned), GOOD))
                self.narrowed[key] = found if any(True for _ in found.all()) else None
        return self.narrowed[key]
