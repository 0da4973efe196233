"""From a choice back to a tree: the texts that a choice derives, with everything else free."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

from unlike.regex import chars, tree
from unlike.regex.cover.builder import Heuristics, Length
from unlike.regex.cover.choices import Key


class Combination(NamedTuple):
    """One choice at every union, optional and class; repetitions are at their shortest where that is possible."""

    key: Key


class Longer(NamedTuple):
    """One repetition at a further length, with a choice of its own body; everything else is plain where possible."""

    repeat: int
    length: Length
    low: int
    high: int | None
    key: Key


Derivation: TypeAlias = Combination | Longer


def restrict_tree(root: tree.Node, choice: Derivation, heuristics: Heuristics) -> tree.Node:
    """Return the tree of exactly the texts that the choice derives."""
    match choice:
        case Combination(key):
            return _take_choice(root, key, heuristics)
        case Longer():
            return _lengthen(root, repeats_of(root)[choice.repeat], choice, heuristics=heuristics)


def repeats_of(root: tree.Node) -> list[tree.Repeat]:
    """Return the repetitions that a cover lengthens, inner ones before outer ones."""
    if isinstance(root, tree.Look):
        return []
    found = [each for part in tree.inner(root) for each in repeats_of(part)]
    if isinstance(root, tree.Repeat) and (root.low, root.high) != (0, 1):
        found.append(root)
    return found


def lengths_of(node: tree.Repeat, heuristics: Heuristics) -> list[tuple[Length, int, int | None, int]]:
    """Return the further lengths of a repetition: name, least, most, and the number of rounds to show."""
    low, high = node.low, node.high
    found: list[tuple[Length, int, int | None, int]] = []
    least = max(low + 1, 2)
    top = None if high is None else high - 1 if "upper" in heuristics.lengths else high
    if "one more" in heuristics.lengths and (top is None or low + 1 <= top):
        found.append(("one more", low + 1, low + 1, low + 1))
        least = low + 2
    if "several" in heuristics.lengths and (top is None or least <= top):
        shown = max(low + 3, least)
        found.append(("several", least, top, shown if top is None else min(shown, top)))
    if "upper" in heuristics.lengths and high is not None and high > low:
        found.append(("upper", high, high, high))
    return found


def _take_choice(node: tree.Node, key: Key, heuristics: Heuristics) -> tree.Node:
    match node, key:
        case tree.Chars(_, _, _, None), int(index):
            return _piece(node, index, heuristics.classes)
        case tree.Atomic(body), _:  # a round that is chosen is no longer one of many
            return tree.Atomic(_take_choice(body, key, heuristics))
        case tree.Alternation(branches), (int(which), within):
            return _take_choice(branches[which], within, heuristics)
        case tree.Conditional(group, yes, _), (0, within):
            return tree.Conditional(group, _take_choice(yes, within, heuristics), tree.NEVER)
        case tree.Conditional(group, _, no), (1, within):
            return tree.Conditional(group, tree.NEVER, _take_choice(no, within, heuristics))
        case tree.Concatenation(parts), tuple(keys):
            return tree.join_parts(
                [_take_choice(part, each, heuristics) for part, each in zip(parts, keys, strict=True)]
            )
        case tree.Repeat(body, 0, 1, kind), ():
            return tree.Look(True, True, body) if kind == "possessive" else tree.Empty()
        case tree.Repeat(body, 0, 1), (within,):
            return _take_choice(body, within, heuristics)
        case tree.Repeat(_, _, high), (int(rounds), tuple(keys)) if heuristics.concatenation:
            return _rounds(node, keys, rounds, rounds if high is None or high > rounds else high, heuristics)
        case tree.Repeat(_, low, high), tuple(keys):
            return _rounds(node, keys, low, high, heuristics) if keys else node
        case tree.Look() | tree.Concatenation() | tree.Alternation() | tree.Conditional() | tree.Repeat(), _:
            return node
        case _:
            return tree.with_inner(node, lambda body: _take_choice(body, key, heuristics))


def _piece(node: tree.Chars, index: int, classes: Literal["one", "pieces", "characters"]) -> tree.Chars:
    match classes:
        case "one":
            return node
        case "pieces":
            return tree.Chars(node.pieces[index].ranges, (node.pieces[index],), node.pieces[index].written)
        case "characters":
            char = chars.nth(node.ranges, index)
            return tree.Chars(chars.single(char), (), char, char)


def _rounds(node: tree.Node, keys: tuple[Key, ...], low: int, high: int | None, heuristics: Heuristics) -> tree.Node:
    """Return low to high rounds of the repetition, the first ones as chosen and the rest free."""
    assert isinstance(node, tree.Repeat)
    first = [_take_choice(node.body, key, heuristics) for key in keys]
    rest = tree.repeat(node.body, max(0, low - len(keys)), None if high is None else high - len(keys), kind=node.kind)
    whole = [*first, rest]
    if node.kind == "possessive" and high is not None and (node.high is None or high < node.high):
        whole.append(tree.Look(True, True, node.body))  # it stops only where no more fits
    return tree.join_parts(whole)


def _lengthen(node: tree.Node, target: tree.Repeat, choice: Longer, *, heuristics: Heuristics) -> tree.Node:
    if node is target:
        keys = choice.key
        assert isinstance(keys, tuple)
        return _rounds(node, keys, choice.low, choice.high, heuristics)
    if not _holds(node, target):
        return node

    def below(each: tree.Node) -> tree.Node:
        return _lengthen(each, target, choice, heuristics=heuristics)

    match node:
        case tree.Atomic(body):
            return tree.Atomic(below(body))
        case tree.Concatenation(parts):
            return tree.join_parts([below(part) for part in parts])
        case tree.Alternation(branches):
            return next(below(branch) for branch in branches if _holds(branch, target))
        case tree.Conditional(group, yes, no):
            held = _holds(yes, target)
            return tree.Conditional(group, below(yes) if held else tree.NEVER, tree.NEVER if held else below(no))
        case tree.Repeat(body, low, high, kind):
            more = tree.repeat(body, max(low, 1) - 1, None if high is None else high - 1, kind=kind)
            return tree.join_parts([below(body), more])
        case _:
            return tree.with_inner(node, below)


def _holds(node: tree.Node, target: tree.Repeat) -> bool:
    return any(each is target for each in tree.every(node))
