"""From a shape to a tree of decisions.

Every place where something is chosen is a node with a number; a decision is the number of a node and the option
taken there. The items of a list form a level of their own: what is chosen in one item says nothing about the
next, so decisions of one level belong to one item (or to the whole input, at the top).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TypeAlias

from unlike.core import FOREVER, Deadline
from unlike.covering_arrays import Decisions
from unlike.errors import SpecError
from unlike.structure import shapes
from unlike.structure.cover.leaves import LeafChoices, LeafOption, Strength, choices_of
from unlike.structure.mentioned import Mentioned

LONG = 20  # a list of more items appears once, and enters no pairs
MOST_ITEMS = 1_000  # in one list: a longer one shows no more, and is no small input
FEW_ITEMS = 100  # of so many it is asked which are equal
MOST_COMBINED = 1_000  # members of a list that are combined: two of them in more ways than are ever listed
ABSENT = object()


@dataclass(frozen=True, slots=True)
class LeafNode:
    """A leaf with its options."""

    number: int
    path: shapes.Path
    shape: shapes.Shape
    options: tuple[LeafOption, ...]
    checked: bool = False
    checks: tuple[shapes.Check, ...] = ()
    mentioned: Mentioned | None = None  # by validators of the field around it


@dataclass(frozen=True, slots=True)
class Way:
    """One way of a choice: its word, what is chosen below, and how the plain value is wrapped."""

    word: str
    node: Node | None
    picked: int | None = None


@dataclass(frozen=True, slots=True)
class ChoiceNode:
    """An alternative to take, or a field to leave out."""

    number: int
    path: shapes.Path
    ways: tuple[Way, ...]
    checked: bool = False
    whole: bool = True


@dataclass(frozen=True, slots=True)
class FieldsNode:
    """Choices, one for each field; independent, except that fields which are counted are so many together."""

    path: shapes.Path
    children: tuple[tuple[str, Node], ...]
    tallies: tuple[EntryTally, ...] = ()
    checked: bool = False
    whole: bool = True


@dataclass(frozen=True, slots=True)
class EntryTally:
    """How many entries there are together: those that are always there, and the children of which it depends."""

    counted: shapes.EntryCount
    fixed: int
    parts: tuple[ChoiceNode | ItemsNode, ...]


def entries(part: ChoiceNode | ItemsNode, option: int) -> tuple[int, int, int]:
    """Return how many entries an option of a counted child brings: as it is shown, at least and at most."""
    if isinstance(part, ItemsNode):
        size = part.sizes[option]
        return size.shown, size.least, size.most
    there = int(part.ways[option].node is not None)
    return there, there, there


@dataclass(frozen=True, slots=True)
class LengthClass:
    """How many items: a class of lengths, and the one that shows it."""

    word: str
    shown: int
    least: int
    most: int
    pairs: bool = True


@dataclass(frozen=True, slots=True)
class ItemsNode:
    """How many items there are; the items themselves are chosen on a level of their own."""

    number: int
    path: shapes.Path
    shape: shapes.ItemsShape
    sizes: tuple[LengthClass, ...]
    item: Node
    level: int
    checked: bool = False


# A node that is `checked` stands for a part whose built value must pass checks; a leaf has those of its own behind it.
Node: TypeAlias = LeafNode | ChoiceNode | FieldsNode | ItemsNode


@dataclass(frozen=True, slots=True)
class Level:
    """The choices of the whole input, or of one item of a list: where the list is, and when it has items."""

    node: Node
    parent: int | None = None
    items: int | None = None
    condition: Mapping[int, int] = field(default_factory=dict)
    lengths: tuple[int, ...] = ()  # the options of the list that have items


@dataclass(slots=True)
class Tree:
    """A compiled shape: its levels (the first is the top), and what was found impossible on the way."""

    shape: shapes.Shape
    levels: list[Level]
    impossible: list[tuple[str, str]]
    undecided: list[tuple[str, str]]
    left_out: list[tuple[str, str]]
    words: dict[tuple[int, int], str]
    paths: dict[int, shapes.Path]
    sample_words: dict[tuple[int, int, int], str] = field(default_factory=dict)
    choices: set[int] = field(default_factory=set)  # the numbers of alternatives

    @property
    def root(self) -> Node:
        """The node of the whole input."""
        return self.levels[0].node

    def describe(self, number: int, option: int) -> str:
        """Return a decision in words: `contact: absent`."""
        return f"{shapes.shown_path(self.paths[number])}: {self.words[number, option]}"


class EmptyShapeError(Exception):
    """A shape without any value: where, and why; or one of which none was found, where that is not proved."""

    def __init__(self, path: shapes.Path, reason: str, *, proved: bool = True) -> None:
        super().__init__(f"{shapes.shown_path(path)}: {reason}")
        self.path = path
        self.reason = reason
        self.proved = proved


def compile_shape(shape: shapes.Shape, strength: Strength, deadline: Deadline = FOREVER) -> Tree:
    """Return the tree of decisions of a finite shape; a shape without any value raises EmptyShapeError."""
    tree = Tree(shape, [], [], [], [], {}, {})
    compiler = _Compiler(tree, strength, deadline)
    tree.levels.append(Level(FieldsNode((), ())))  # a place for the top, whose parts come first
    tree.levels[0] = Level(compiler.node(shape, (), 0, {}))
    return tree


class _Compiler:
    def __init__(self, tree: Tree, strength: Strength, deadline: Deadline) -> None:
        self.tree = tree
        self.deadline = deadline
        self.strength = strength
        self.numbers = itertools.count()
        self.leaves: dict[tuple[int, tuple[tuple[str, int], ...]], LeafChoices] = {}
        self.within: list[str] = []  # the alternatives that are being looked at
        self.mentioned: Mentioned | None = None  # by validators of the field that is being looked at

    def node(self, shape: shapes.Shape, path: shapes.Path, level: int, condition: Decisions) -> Node:
        self.deadline.check()
        match shape:
            case shapes.Constants() | shapes.Numbers() | shapes.Texts():
                return self.leaf(shape, path, ())
            case shapes.Checked(shapes.Constants() | shapes.Numbers() | shapes.Texts() as leaf, checks):
                return self.leaf(leaf, path, checks)
            case shapes.Checked(inner):
                return replace(self.node(inner, path, level, condition), checked=True)
            case shapes.Choice():
                return self.choice(shape, path, level, condition)
            case shapes.NamedFields():
                return self.fields(shape, path, level, condition)
            case shapes.ItemsShape():
                return self.items(shape, path, level, condition)
            case shapes.Reference() | shapes.Anything():
                raise AssertionError(f"{shape!r} cannot be compiled; unroll the shape first")

    def leaf(
        self,
        shape: shapes.Constants | shapes.Numbers | shapes.Texts,
        path: shapes.Path,
        checks: tuple[shapes.Check, ...],
    ) -> Node:
        # the same leaf may stand in many places of an unrolled shape; functions need not be hashable
        key = (id(shape), tuple((check.name, id(check.function)) for check in checks))
        if key not in self.leaves:
            self.leaves[key] = choices_of(shape, self.strength, checks, self.deadline)
        found = self.leaves[key]
        if not found.options:
            reasons = [*found.impossible, *found.undecided, *found.left_out]
            words, proved = "; ".join(f"{word}: {why}" for word, why in reasons), len(reasons) == len(found.impossible)
            raise EmptyShapeError(path, words, proved=proved)
        self.tree.impossible += [(self.name_place(path, word), why) for word, why in found.impossible]
        self.tree.undecided += [(self.name_place(path, word), why) for word, why in found.undecided]
        self.tree.left_out += [(self.name_place(path, word), why) for word, why in found.left_out]
        number = self.number(path, [option.word for option in found.options])
        for option, each in enumerate(found.options):
            for index, sample in enumerate(each.samples):
                self.tree.sample_words[number, option, index] = sample.word
        return LeafNode(number, path, shape, tuple(found.options), checks=checks, mentioned=self.mentioned)

    def name_place(self, path: shapes.Path, word: str) -> str:
        """Return a choice in words: its place, and the alternatives that lead there."""
        return shapes.under(f"{shapes.shown_path(path)}: {word}", self.within)

    def note_empty(self, words: str, empty: EmptyShapeError) -> None:
        """Note a choice without any value, as impossible where that is proved."""
        (self.tree.impossible if empty.proved else self.tree.undecided).append((words, empty.reason))

    def number(self, path: shapes.Path, words: list[str]) -> int:
        number = next(self.numbers)
        self.tree.paths[number] = path
        self.tree.words.update({(number, option): word for option, word in enumerate(words)})
        return number

    def fields(self, shape: shapes.NamedFields, path: shapes.Path, level: int, condition: Decisions) -> Node:
        around, children = self.mentioned, dict[str, Node]()
        for each in shape.fields:
            self.mentioned = each.mentioned or (None if shape.build.kind in ("call", "validate") else around)
            children[each.name] = self.field(each.shape, (*path, each.name), level, condition, required=each.required)
        self.mentioned = around
        spread = {each.name for each in shape.fields if each.key == shapes.SPREAD}
        tallies = tuple(_tally(each, children, spread) for each in shape.counted)
        for tally in tallies:
            most = tally.fixed + sum(max(entries(part, each)[2] for each in open_options(part)) for part in tally.parts)
            if most < tally.counted.least:
                proved = not self.tree.undecided and not self.tree.left_out
                raise EmptyShapeError(path, f"{tally.counted}: at most {most} can be there", proved=proved)
        return FieldsNode(path, tuple(children.items()), tallies, whole=shape.whole)

    def field(
        self, shape: shapes.Shape, path: shapes.Path, level: int, condition: Decisions, *, required: bool
    ) -> Node:
        if required:
            return self.node(shape, path, level, condition)
        if isinstance(shape, shapes.Choice):
            return self.choice(shape, path, level, condition, optional=True)
        number = self.number(path, ["absent", "present"])
        try:
            inner = self.node(shape, path, level, {**condition, number: 1})
        except EmptyShapeError as empty:
            self.note_empty(self.name_place(path, "present"), empty)
            return ChoiceNode(number, path, (Way("absent", None),), whole=empty.proved)
        return ChoiceNode(number, path, (Way("absent", None), Way("present", inner)))

    def choice(
        self, shape: shapes.Choice, path: shapes.Path, level: int, condition: Decisions, *, optional: bool = False
    ) -> Node:
        number = self.number(path, [])
        self.tree.choices.add(number)
        ways, proved = [Way("absent", None)] if optional else [], True
        for which, (word, inner) in enumerate(shape.alternatives):
            self.within.append(f"{shapes.shown_path(path)}: {word}")
            node = self.alternative(inner, path, level, {**condition, number: len(ways)})
            self.within.pop()
            if isinstance(node, EmptyShapeError):
                self.note_empty(self.name_place(path, word), node)
                proved &= node.proved
                continue
            ways.append(Way(word, node, which))
        if not ways:
            raise EmptyShapeError(path, "no alternative has a value", proved=proved)
        self.tree.words.update({(number, option): way.word for option, way in enumerate(ways)})
        return ChoiceNode(number, path, tuple(ways), whole=shape.whole and proved)

    def alternative(
        self, shape: shapes.Shape, path: shapes.Path, level: int, condition: Decisions
    ) -> Node | EmptyShapeError:
        """Return the node of an alternative; of one without any value why, and nothing else about it."""
        known = len(self.tree.impossible)
        try:
            return self.node(shape, path, level, condition)
        except EmptyShapeError as empty:
            del self.tree.impossible[known:]
            return empty

    def items(self, shape: shapes.ItemsShape, path: shapes.Path, level: int, condition: Decisions) -> Node:
        number = self.number(path, [])
        inner_level = len(self.tree.levels)
        self.tree.levels.append(Level(FieldsNode(path, ())))
        known = len(self.tree.impossible)
        try:
            item = self.node(shape.item, (*path, shapes.EACH), inner_level, {})
        except EmptyShapeError as empty:
            if shape.least:
                raise
            del self.tree.impossible[known:]
            self.note_empty(self.name_place(path, "any item"), empty)
            item, most = FieldsNode(path, ()), 0
        else:
            most = self.limit_length(shape, self.reachable(shape, item, path), path)
        sizes = sizes_of(shape.least, most)
        self.tree.words.update({(number, option): size.word for option, size in enumerate(sizes)})
        longest = max(range(len(sizes)), key=lambda option: sizes[option].shown)
        filled = {**condition, number: longest}
        lengths = tuple(option for option, size in enumerate(sizes) if size.shown)
        self.tree.levels[inner_level] = Level(item, level, number, filled, lengths)
        return ItemsNode(number, path, shape, sizes, item, inner_level)

    def limit_length(self, shape: shapes.ItemsShape, most: int, path: shapes.Path) -> int:
        """Return the greatest length that is made; longer ones are left out, and reported."""
        if most <= MOST_ITEMS:
            return most
        why = f"the most that is made is {MOST_ITEMS:,}"
        if shape.least > MOST_ITEMS:
            raise SpecError(f"{shapes.shown_path(path)}: at least {shape.least:,} items are asked for, but {why}")
        self.tree.left_out.append((self.name_place(path, f"{most:,} items"), why))
        return MOST_ITEMS

    def reachable(self, shape: shapes.ItemsShape, item: Node, path: shapes.Path) -> int:
        """Return the greatest length; a set cannot have more items than there are different ones."""
        if not shape.unique or not shape.most:
            return shape.most
        node = item.children[0][1] if shape.kind == "dict" and isinstance(item, FieldsNode) else item
        different = count(node)
        if different <= FEW_ITEMS:  # of 1 and True only one can be in a set, or be the key of a dict
            keys = ({"key": each} if shape.kind == "dict" else each for each in members(node))
            different = len({shape.item_key(each) for each in keys})
        if different >= shape.most:
            return shape.most
        why = f"there are only {different} different items"
        if different < shape.least:
            proved = not self.tree.undecided and not self.tree.left_out  # which might hold more of them
            raise EmptyShapeError(path, f"{shape.least} items are the least, but {why}", proved=proved)
        if "most items" in shape.stated:
            self.tree.impossible.append((self.name_place(path, f"{shape.most} items"), why))
        return different


def sizes_of(least: int, most: int) -> tuple[LengthClass, ...]:
    """Return the classes of lengths: empty, one, several, most; from the least length on."""
    found = [LengthClass("empty", 0, 0, 0)] if least == 0 else []
    if least <= 1 <= most:
        found.append(LengthClass("one item", 1, 1, 1, pairs=True))
    first = max(2, least)
    if first < most:
        found.append(LengthClass("several items", first, first, most - 1, pairs=first <= LONG))
    if most >= 2 and most >= first:
        word = "most items" if found else f"{most} items"
        found.append(LengthClass(word, most, most, most, pairs=most <= LONG))
    return tuple(found)


def _tally(counted: shapes.EntryCount, children: Mapping[str, Node], spread: set[str]) -> EntryTally:
    """Return what decides how many of the counted fields there are."""
    fixed, parts = 0, list[ChoiceNode | ItemsNode]()
    for name in counted.names:
        match children[name]:
            case ItemsNode(checked=False) as part if name in spread:
                parts.append(part)
            case ChoiceNode(ways=ways) as part if any(way.node is None for way in ways):
                parts.append(part)
            case _:
                fixed += 1
    return EntryTally(counted, fixed, tuple(parts))


# -- counting and listing ----------------------------------------------------------------------------------------


def count(node: Node, fixed: Decisions = MappingProxyType({}), samples: Decisions = MappingProxyType({})) -> int:
    """Return an upper bound for the number of plain values: exact where no two options share a value."""
    match node:
        case LeafNode(number):
            options = [node.options[each] for each in open_options(node, fixed)]
            shown = samples.get(number)
            return sum(each.count if shown is None else each.samples[shown].count_values() for each in options)
        case ChoiceNode():
            inner = [node.ways[each].node for each in open_options(node, fixed)]
            return sum(1 if each is None else count(each, fixed, samples) for each in inner)
        case FieldsNode():
            return math.prod(count(child, fixed, samples) for _, child in node.children)
        case ItemsNode():
            sizes = [node.sizes[each] for each in open_options(node, fixed)]
            return sum(_lists(node, size) for each in sizes for size in range(each.least, each.most + 1))


def is_whole(node: Node, fixed: Decisions = MappingProxyType({}), samples: Decisions = MappingProxyType({})) -> bool:
    """Tell whether `members` are all plain values there are: no list is longer, no text stranger, no value deeper.

    Of a leaf whose sample is fixed it need not be told: their number says so.
    """
    match node:
        case LeafNode(number):
            return number in samples or all(node.options[each].whole for each in open_options(node, fixed))
        case ChoiceNode():
            inner = [node.ways[each].node for each in open_options(node, fixed)]
            there = all(each is None or is_whole(each, fixed, samples) for each in inner)
            return there and (node.whole or node.number in fixed)
        case FieldsNode():
            return node.whole and all(is_whole(child, fixed, samples) for _, child in node.children)
        case ItemsNode():
            bounded = node.number in fixed or "most items" in node.shape.stated
            filled = any(node.sizes[each].most for each in open_options(node, fixed))
            return bounded and (not filled or is_whole(node.item))


def open_options(node: LeafNode | ChoiceNode | ItemsNode, fixed: Decisions = MappingProxyType({})) -> Sequence[int]:
    """Return the options of a node that are left once these are fixed."""
    if node.number in fixed:
        return (fixed[node.number],)
    match node:
        case LeafNode():
            return range(len(node.options))
        case ChoiceNode():
            return range(len(node.ways))
        case ItemsNode():
            return range(len(node.sizes))


def _lists(node: ItemsNode, size: int) -> int:
    if not size:
        return 1  # where no item is possible, there is nothing to count
    if node.shape.kind == "dict":
        assert isinstance(node.item, FieldsNode)
        key, value = (count(child) for _, child in node.item.children)
        return math.comb(key, size) * int(value**size)
    if node.shape.kind in ("set", "frozenset"):
        return math.comb(count(node.item), size)
    return math.perm(count(node.item), size) if node.shape.unique else int(count(node.item) ** size)


def members(
    node: Node, fixed: Decisions = MappingProxyType({}), samples: Decisions = MappingProxyType({})
) -> Iterator[object]:
    """Yield every plain value that takes the fixed decisions and samples where it comes to them."""
    match node:
        case LeafNode(number):
            for each in open_options(node, fixed):
                option = node.options[each]
                sample = option.samples[samples[number]] if number in samples else None
                if sample is None:
                    yield from option.values.all()
                elif sample.others is None:
                    yield sample.value
                else:
                    yield from sample.others.all()
        case ChoiceNode():
            for each in open_options(node, fixed):
                way = node.ways[each]
                for plain in [ABSENT] if way.node is None else members(way.node, fixed, samples):
                    yield plain if way.picked is None else shapes.Picked(way.picked, plain)
        case FieldsNode():
            yield from _products(list(node.children), fixed, samples)
        case ItemsNode():
            for each in open_options(node, fixed):
                for size in range(node.sizes[each].least, node.sizes[each].most + 1):
                    yield from _tuples(node, size)


def _products(children: list[tuple[str, Node]], fixed: Decisions, samples: Decisions) -> Iterator[dict[str, object]]:
    if not children:
        yield {}
        return
    (name, node), *rest = children
    for plain in members(node, fixed, samples):
        for others in _products(rest, fixed, samples):
            yield others if plain is ABSENT else {name: plain, **others}


def _tuples(node: ItemsNode, size: int) -> Iterator[tuple[object, ...]]:
    if size < 2:
        yield from ((member,) for member in members(node.item)) if size else ((),)
        return
    # combinations need all members at once: where there are more, nobody lists their combinations to the end
    pool = list(itertools.islice(members(node.item), MOST_COMBINED))
    candidates: Iterator[tuple[object, ...]] = (
        itertools.combinations(pool, size)
        if node.shape.kind in ("set", "frozenset", "dict")
        else itertools.product(pool, repeat=size)
    )
    for plain in candidates:
        if not node.shape.unique or len(set(map(node.shape.item_key, plain))) == len(plain):
            yield plain
