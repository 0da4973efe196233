"""From a tree of decisions to planned rows: which options each input takes, and which samples it shows.

Each choice once takes as many rows as the choices of any one place need. Pairs come from a covering array; samples
(bounds, lengths) and the items of lists ride along, and rows are added only for what found no place.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from unlike.chance import Turn, deal, key_of
from unlike.core import FOREVER, Deadline
from unlike.covering_arrays import Decisions, Forbidden, merge_decisions, pair_rows
from unlike.errors import ASK_FOR_SOME, ScopeError
from unlike.indexed import spread_indices
from unlike.structure.cover.factors import Tallies, counted_out, factors_of
from unlike.structure.cover.leaves import Strength
from unlike.structure.cover.tree import ChoiceNode, FieldsNode, ItemsNode, LeafNode, Node, Tree
from unlike.structure.shapes import Path, shown_path

MOST_COMBINATIONS = 100_000  # that are listed unless a number is asked for
MORE = "more"  # the word of turns in which nothing is to be shown any more
FILLINGS = 40  # ways to fill open places that are tried where something is forbidden
MOST_IN_ITEMS = 1_000  # an item with more combinations than this shows its pairs


@dataclass(slots=True)
class Planned:
    """One row: the option at every place that is reached, and the samples that leaves must show."""

    decisions: dict[int, int]
    samples: dict[int, int] = field(default_factory=dict)


def plans(
    tree: Tree,
    strength: Strength,
    n: int | None = None,
    *,
    seed: int = 0,
    forbidden: Sequence[Decisions] = (),
    top: list[dict[int, int]] | None = None,
    deadline: Deadline = FOREVER,
) -> list[list[Planned]]:
    """Return the planned rows of every level: of the whole input first, then of the items of each list.

    No row of the whole input holds decisions that are forbidden together. Its rows may be planned already (`top`).
    """
    count = combinations(tree.root)
    if strength == "all" and n is None and count > MOST_COMBINATIONS:
        raise ScopeError(f"there are {count:,} combinations; {ASK_FOR_SOME}")
    most = count if n is None else min(n, count)
    found: list[list[Planned]] = [[] for _ in tree.levels]
    for level in reversed(range(len(tree.levels))):  # lists inside come after the list around them
        found[level] = _Planner(tree, found, strength, most, seed, forbidden, deadline, top).rows(
            tree.levels[level].node
        )
    return found


@dataclass(slots=True)
class _Planner:
    tree: Tree
    found: list[list[Planned]]
    strength: Strength
    most: int
    seed: int
    forbidden: Sequence[Decisions] = ()
    deadline: Deadline = FOREVER
    top: list[dict[int, int]] | None = None
    widths: dict[int, int] = field(default_factory=dict)
    orders: dict[int, list[tuple[int, int]]] = field(default_factory=dict)

    def rows(self, node: Node) -> list[Planned]:
        if self.top is not None and node is self.tree.root:
            return self.complete_rows(node, self.top)
        tallies = Tallies(node)
        if self.strength == "each":
            if tallies.by_number:  # no field goes through its choices by itself
                return self.complete_rows(node, [])
            return [self.nth(node, index) for index in self.deadline.each(range(self.width(node)))]
        if self.strength == "all" and (node is self.tree.root or combinations(node) <= MOST_IN_ITEMS):
            return self.complete_rows(node, self.combinations(node))
        forbidden = self.forbidden if node is self.tree.root else ()
        impossible = Forbidden(forbidden, tallies.find_broken)
        return self.complete_rows(node, pair_rows(factors_of(node), impossible, deadline=self.deadline))

    # -- each choice once ------------------------------------------------------------------------------------------

    def width(self, node: Node) -> int:
        """Return how many rows it takes to show every choice below the node once: no fewer can do it."""
        if id(node) not in self.widths:  # nodes live as long as the tree
            self.widths[id(node)] = self.count_rows(node)
        return self.widths[id(node)]

    def count_rows(self, node: Node) -> int:
        match node:
            case LeafNode():
                return sum(len(option.samples) for option in node.options)
            case ChoiceNode():
                return sum(1 if way.node is None else self.width(way.node) for way in node.ways)
            case FieldsNode():
                return max((self.width(child) for _, child in node.children), default=1)
            case ItemsNode():
                return len(node.sizes) + self.more_lists(node, sum(size.shown for size in node.sizes))

    def more_lists(self, node: ItemsNode, places: int) -> int:
        """Return how many more lists are needed to show all rows of the items."""
        longest = max(size.shown for size in node.sizes)
        return math.ceil(max(0, len(self.found[node.level]) - places) / longest) if longest else 0

    def order_of(self, node: LeafNode | ChoiceNode) -> list[tuple[int, int]]:
        """Return what a node shows at each index, what is below an option and the option: every option in turn."""
        if id(node) not in self.orders:
            if isinstance(node, LeafNode):
                sizes = [len(option.samples) for option in node.options]
            else:
                sizes = [1 if way.node is None else self.width(way.node) for way in node.ways]
            self.orders[id(node)] = sorted((at, option) for option, size in enumerate(sizes) for at in range(size))
        return self.orders[id(node)]

    def nth(self, node: Node, index: int) -> Planned:
        row = Planned({})
        self.choose(node, index, row)
        return row

    def choose(self, node: Node, index: int, row: Planned, *, again: bool = False) -> None:
        """Note the choices of the row with this index; once all were shown, leaves go on to further values."""
        again = again or index >= self.width(node)
        index %= self.width(node)
        match node:
            case LeafNode(number):
                at, option = self.order_of(node)[index]
                row.decisions[number] = option
                if not again:
                    row.samples[number] = turn_sample(node.path, at, len(node.options[option].samples))
            case ChoiceNode(number):
                at, option = self.order_of(node)[index]
                row.decisions[number] = option
                below = node.ways[option].node
                if below is not None:
                    at += _count_alike(node, option)
                    self.choose(below, at % self.width(below), row, again=again)
            case FieldsNode():
                for _, child in node.children:
                    self.choose(child, index, row, again=again)
            case ItemsNode(number):
                row.decisions[number] = index if index < len(node.sizes) else _longest(node)

    # -- all combinations ------------------------------------------------------------------------------------------

    def combinations(self, node: Node) -> list[dict[int, int]]:
        """Return the first combinations, spread so that a short beginning shows much."""
        count = combinations(node)
        most = self.most if node is self.tree.root else min(count, MOST_COMBINATIONS)
        return [combination(node, index) for index in itertools.islice(spread_indices(count), most)]

    # -- rows with open places -------------------------------------------------------------------------------------

    def complete_rows(self, node: Node, rows: list[dict[int, int]]) -> list[Planned]:
        """Fill the open places, and add rows for options, samples and items that found no place."""
        made = [Planned(self.fill_row(node, row, index)) for index, row in enumerate(self.deadline.each(rows or [{}]))]
        shown: dict[tuple[int, int], int] = {}
        for row in made:
            for decision in row.decisions.items():
                shown[decision] = shown.get(decision, 0) + 1
        extra: list[dict[int, int]] = []
        tallies = Tallies(node)
        for wanted, times, decision in self.deadline.each(_list_wanted(self, node, {})):
            lacking = times - shown.get(decision, 0)
            for spare in [*extra, *({} for _ in range(lacking))]:
                if lacking <= 0:
                    break
                both = merge_decisions(spare, wanted)
                if both is None or decision[0] in spare or tallies.find_broken(both):
                    continue
                if not spare:
                    extra.append(both)
                else:
                    spare.update(both)
                lacking -= 1
        for index, wanted in enumerate(self.deadline.each(extra), len(made)):
            made.append(Planned(self.fill_row(node, wanted, index)))
        return made

    def fill_row(self, node: Node, row: Decisions, index: int) -> dict[int, int]:
        allowed = Forbidden(self.forbidden if node is self.tree.root else ())
        found: dict[int, int] = {}
        for again in range(FILLINGS):
            found = {}
            fill(node, row, Turn(f"row again {again}" if again else "row", index, self.seed), found)
            if allowed.allow(found):
                break
        return found


def _count_alike(node: ChoiceNode, option: int) -> int:
    """Return how many ways before this one have fields of the same names.

    By so many rows its fields are ahead, or the branches of one choice would show the same values again and again.
    """
    names = _list_names(node.ways[option].node)
    return sum(not names.isdisjoint(_list_names(way.node)) for way in node.ways[:option]) if names else 0


def _list_names(node: Node | None) -> set[str]:
    return {name for name, _ in node.children} if isinstance(node, FieldsNode) else set()


def _longest(node: ItemsNode) -> int:
    return max(range(len(node.sizes)), key=lambda option: node.sizes[option].shown)


def turn_sample(path: Path, index: int, samples: int) -> int:
    """Return which sample comes at the index: the first one first, then in an order that the place decides.

    Two fields of the same type would otherwise show the same values in every input.
    """
    return 1 + deal(key_of(shown_path(path)), index - 1, samples - 1) if index and samples > 1 else 0


def fill(node: Node, row: Decisions, turn: Turn, found: dict[int, int]) -> None:
    """Note an option for every place that is reached: the decided one, or one that place and turn choose."""
    match node:
        case LeafNode(number):
            found[number] = _option(row, number, len(node.options), node, turn)
        case ChoiceNode(number):
            found[number] = _option(row, number, len(node.ways), node, turn)
            below = node.ways[found[number]].node
            if below is not None:
                fill(below, row, turn.under(found[number]), found)
        case FieldsNode():
            whole = counted_out(node, row, _wish, turn) if node.tallies else row
            for _, child in node.children:
                fill(child, whole, turn, found)
        case ItemsNode(number):
            found[number] = _option(row, number, _short(node), node, turn)
            if turn.word.startswith(MORE) and number not in row:
                found[number] = _further_size(node, turn)


def _further_size(node: ItemsNode, turn: Turn) -> int:
    """Return a size for an input that shows nothing new: the empty one half as often as each other."""
    sizes = list(range(_short(node)))
    often = [*sizes, *(each for each in sizes if node.sizes[each].most)]
    return often[deal(key_of(shown_path(node.path), turn.word, turn.seed), turn.number, len(often))]


def _short(node: ItemsNode) -> int:
    """Return how many sizes are taken unasked: very long lists only come where they are asked for."""
    return sum(size.pairs for size in node.sizes) or len(node.sizes)


def _wish(part: ChoiceNode | ItemsNode, turn: Turn) -> int:
    """Return the option that place and turn choose."""
    return _option({}, part.number, _short(part) if isinstance(part, ItemsNode) else len(part.ways), part, turn)


def _option(row: Decisions, number: int, options: int, node: LeafNode | ChoiceNode | ItemsNode, turn: Turn) -> int:
    decided = row.get(number)
    if decided is not None:
        return decided
    # depends on this place alone, so that fields added elsewhere do not change it
    return deal(key_of(shown_path(node.path), turn.word, turn.seed), turn.number, options)


def _list_wanted(
    planner: _Planner, node: Node, condition: Decisions
) -> Iterator[tuple[dict[int, int], int, tuple[int, int]]]:
    """Yield what must be reached how often: decisions, times, and the last decision by which it is counted."""
    match node:
        case LeafNode(number):
            for option, each in enumerate(node.options):
                yield {**condition, number: option}, len(each.samples), (number, option)
        case ChoiceNode(number):
            for option, way in enumerate(node.ways):
                inside = {**condition, number: option}
                yield inside, 1, (number, option)
                if way.node is not None:
                    yield from _list_wanted(planner, way.node, inside)
        case FieldsNode():
            for _, child in node.children:
                yield from _list_wanted(planner, child, condition)
        case ItemsNode(number):
            for option in range(len(node.sizes)):
                yield {**condition, number: option}, 1, (number, option)
            places = sum(size.shown for size in node.sizes)
            more = planner.more_lists(node, places)
            if more:
                yield {**condition, number: _longest(node)}, 1 + more, (number, _longest(node))


def combination(node: Node, index: int) -> dict[int, int]:
    """Return the decisions of the combination at the index."""
    found: dict[int, int] = {}
    _combine(node, index, found)
    return found


def _combine(node: Node, index: int, found: dict[int, int]) -> None:
    match node:
        case LeafNode(number):
            found[number] = _paired_options([option.pairs for option in node.options])[index]
        case ItemsNode(number):
            found[number] = _paired_options([size.pairs for size in node.sizes])[index]
        case ChoiceNode(number):
            for option, way in enumerate(node.ways):
                width = 1 if way.node is None else combinations(way.node)
                if index < width:
                    found[number] = option
                    if way.node is not None:
                        _combine(way.node, index, found)
                    return
                index -= width
        case FieldsNode():
            for _, child in reversed(node.children):
                index, inner_index = divmod(index, combinations(child))
                _combine(child, inner_index, found)


def _paired_options(pairs: list[bool]) -> list[int]:
    """Return the options that enter combinations: those that enter pairs, or the only ones there are."""
    return [option for option, enters in enumerate(pairs) if enters] or [0]


def combinations(node: Node) -> int:
    """Return how many combinations of options there are."""
    match node:
        case LeafNode():
            return max(1, sum(option.pairs for option in node.options))
        case ItemsNode():
            return max(1, sum(size.pairs for size in node.sizes))
        case ChoiceNode():
            return sum(1 if way.node is None else combinations(way.node) for way in node.ways)
        case FieldsNode():
            return math.prod(combinations(child) for _, child in node.children)
