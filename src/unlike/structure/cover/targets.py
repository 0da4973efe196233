"""What a suite has to show, counted: every option, every sample, every pair or every combination."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, Protocol, TypeAlias

from unlike.core import FOREVER, Deadline
from unlike.covering_arrays import Decisions, Factor, is_above, merge_decisions
from unlike.structure.cover.factors import factors_of
from unlike.structure.cover.leaves import Strength
from unlike.structure.cover.plan import Planned, combination, combinations
from unlike.structure.cover.tree import ABSENT, ChoiceNode, FieldsNode, ItemsNode, LeafNode, Node, Tree
from unlike.structure.shapes import Constants, Picked, shown_path, under


class View(NamedTuple):
    """What one input, or one item in it, shows: its level, its decisions and its samples."""

    level: int
    decisions: dict[int, int]
    samples: dict[int, int]


Target: TypeAlias = tuple[object, ...]


class Goal(NamedTuple):
    """How to reach a target: its level, the decisions and the samples it needs, and its name."""

    level: int
    decisions: Decisions
    samples: Decisions
    word: str


ANY = Goal(0, {}, {}, "any input")


class Ask(Protocol):
    """Somebody who knows more of the constraints than that they refuse what they refuse."""

    def __call__(self, goal: Goal, /) -> tuple[Literal["found"], object] | tuple[Literal["impossible"], str] | None:
        """Return an input that shows the goal (or some of its fields), a proof that there is none, or nothing."""

    def further(self, most: int, /) -> tuple[Iterator[object], bool]:
        """Return inputs (or some of their fields), at most so many, and whether there are no others."""


@dataclass(slots=True)
class Targets:
    """All targets of a tree in order, with what shows them."""

    tree: Tree
    strength: Strength
    plans: list[list[Planned]]
    deadline: Deadline = FOREVER  # of listing them
    goals: dict[Target, Goal] = field(default_factory=dict)
    factors: list[list[Factor]] = field(default_factory=list)
    by_option: list[list[tuple[int, dict[int, list[tuple[int, dict[int, int]]]]]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        for level, each in enumerate(self.tree.levels):
            self.factors.append(factors_of(each.node) if self.strength == "pairs" else [])
            self.by_option.append([_by_first_decision(factor) for factor in self.factors[-1]])
            self._options(each.node, level, {})
        for level in range(len(self.tree.levels)):
            if self.strength == "pairs":
                self._pairs(level)
            elif self.strength == "all":
                self._combinations(level)
        self._tell_apart()

    def _tell_apart(self) -> None:
        """Say of targets that are called the same under which alternatives they are."""
        times: dict[str, int] = {}
        for goal in self.goals.values():
            times[goal.word] = times.get(goal.word, 0) + 1
        for target, goal in self.goals.items():
            if times[goal.word] > 1:
                chosen = [each for each in goal.decisions.items() if each[0] in self.tree.choices]
                told = [self.tree.describe(*each) for each in chosen if self.tree.words[each] != "present"]
                word = under(goal.word, [each for each in told if not goal.word.startswith(each)])
                self.goals[target] = goal._replace(word=word)

    def _options(self, node: Node, level: int, condition: Decisions) -> None:
        match node:
            case LeafNode(number):
                for option, each in enumerate(node.options):
                    inside = {**condition, number: option}
                    if len(node.options) > 1:
                        self._add(("option", number, option), level, inside)
                    for sample, shown in enumerate(each.samples):
                        if shown.word:
                            word = f"{self.tree.describe(number, option)} {shown.word}".replace(":  ", ": ")
                            goal = Goal(level, inside, {number: sample}, word)
                            self.goals["sample", number, option, sample] = goal
            case ChoiceNode(number):
                for option, way in enumerate(node.ways):
                    inside = {**condition, number: option}
                    if len(node.ways) > 1:
                        self._add(("option", number, option), level, inside)
                    if way.node is not None:
                        self._options(way.node, level, inside)
            case FieldsNode():
                for _, child in node.children:
                    self._options(child, level, condition)
            case ItemsNode(number):
                for option in range(len(node.sizes)):
                    if len(node.sizes) > 1:
                        self._add(("option", number, option), level, {**condition, number: option})

    def _add(self, target: Target, level: int, decisions: Decisions) -> None:
        *_, (number, option) = decisions.items()
        self.goals[target] = Goal(level, decisions, {}, self.tree.describe(number, option))

    def _pairs(self, level: int) -> None:
        factors = self.factors[level]
        for second, factor in enumerate(factors):
            for first in self.deadline.each(range(second)):
                if is_above(factors[first], factor) or is_above(factor, factors[first]):
                    continue
                for one, value in enumerate(factors[first].values):
                    for two, other in enumerate(factor.values):
                        both = merge_decisions(factors[first].whole(one), factor.whole(two))
                        if value.pairs and other.pairs and both is not None:
                            word = f"{self.describe(value.decisions)} with {self.describe(other.decisions)}"
                            self.goals["pair", level, first, one, second, two] = Goal(level, both, {}, word)

    def describe(self, decisions: Decisions) -> str:
        """Return decisions in words: the place, and what is chosen there and below."""
        (number, *_) = decisions
        words = [self.tree.words[each] for each in decisions.items() if self.tree.words[each] != "present"]
        return f"{shown_path(self.tree.paths[number])}: {' '.join(words) or 'present'}"

    def _combinations(self, level: int) -> None:
        node = self.tree.levels[level].node
        count = combinations(node)
        if count == 1:
            return
        rows = [row.decisions for row in self.plans[level]]
        for decisions in rows if count > len(rows) else (combination(node, index) for index in range(count)):
            words = "; ".join(self.tree.describe(*each) for each in decisions.items() if self.tree.words[each])
            self.goals["all", level, frozenset(decisions.items())] = Goal(level, decisions, {}, words)

    def shown_by(self, view: View) -> Iterator[Target]:
        """Yield the targets that a view shows."""
        for number, option in view.decisions.items():
            yield ("option", number, option)
            if number in view.samples:
                yield ("sample", number, option, view.samples[number])
        if self.strength == "all":
            yield ("all", view.level, frozenset(view.decisions.items()))
        taken = list(self._find_taken(view))
        for place, (second, two) in enumerate(taken):
            for first, one in taken[:place]:
                yield ("pair", view.level, first, one, second, two)

    def _find_taken(self, view: View) -> Iterator[tuple[int, int]]:
        for index, (number, by_option) in enumerate(self.by_option[view.level]):
            for value, whole in by_option.get(view.decisions.get(number, -1), ()):
                if all(view.decisions.get(each) == option for each, option in whole.items()):
                    yield index, value
                    break


def _by_first_decision(factor: Factor) -> tuple[int, dict[int, list[tuple[int, dict[int, int]]]]]:
    """Return the number that every value of a factor decides first, and the values by that decision."""
    (number, *_) = factor.values[0].decisions
    found: dict[int, list[tuple[int, dict[int, int]]]] = {}
    for value, each in enumerate(factor.values):
        found.setdefault(each.decisions[number], []).append((value, factor.whole(value)))
    return number, found


def recognise(node: Node, plain: object, level: int, views: list[View]) -> None:
    """Note what a plain value shows, read from the value alone; what cannot be told for certain is left out."""
    view = View(level, {}, {})
    views.append(view)
    _recognise(node, plain, view, views)


def _recognise(node: Node, plain: object, view: View, views: list[View]) -> None:
    match node:
        case LeafNode():
            _recognise_leaf(node, plain, view)
        case ChoiceNode(number):
            for option, way in enumerate(node.ways):
                if way.node is None and plain is ABSENT:
                    view.decisions[number] = option
                elif way.node is not None and plain is not ABSENT:
                    inside = plain.plain if isinstance(plain, Picked) and way.picked is not None else plain
                    if way.picked is None or (isinstance(plain, Picked) and plain.which == way.picked):
                        view.decisions[number] = option
                        _recognise(way.node, inside, view, views)
        case FieldsNode():
            assert isinstance(plain, dict)
            for name, child in node.children:
                _recognise(child, plain.get(name, ABSENT), view, views)
        case ItemsNode(number):
            assert isinstance(plain, tuple)
            for option, size in enumerate(node.sizes):
                if size.least <= len(plain) <= size.most:
                    view.decisions[number] = option
            for each in plain:
                recognise(node.item, each, node.level, views)


def _recognise_leaf(node: LeafNode, plain: object, view: View) -> None:
    for option, each in enumerate(node.options):
        for index, sample in enumerate(each.samples):
            if type(sample.value) is type(plain) and sample.value == plain:
                view.decisions[node.number] = option
                view.samples[node.number] = index
                return
        for index, sample in enumerate(each.samples):
            if len(node.options) == 1 and sample.holds is not None and sample.holds(plain):
                view.samples[node.number] = index
    if len(node.options) == 1 or (isinstance(node.shape, Constants) and node.shape.single is not None):
        view.decisions[node.number] = len(node.options) - 1  # the one that holds whatever is no sample


def describe_input(tree: Tree, views: list[View]) -> str:
    """Return the choices of an input in words: each place once, with everything that it shows."""
    found: dict[str, list[str]] = {}
    for view in views:
        for number, option in view.decisions.items():
            words = [tree.words[number, option]]
            if number in view.samples:
                words.append(tree.sample_words.get((number, option, view.samples[number]), ""))
            known = found.setdefault(shown_path(tree.paths[number]), [])
            known += [word for word in words if word and word not in known]
    return "; ".join(f"{place}: {', '.join(words)}" for place, words in found.items() if words)
