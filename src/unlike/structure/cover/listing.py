"""What can be listed: all inputs of a tree, where they are few, and all items that show a target."""

from __future__ import annotations

import itertools

from unlike.structure.building import RefusedError
from unlike.structure.cover.targets import Goal, Target, Targets, View, recognise
from unlike.structure.cover.tree import ItemsNode, Tree, count, is_whole, members

EXHAUST = 20_000  # so many inputs are all tried to prove that none is there


def can_list(tree: Tree, goal: Goal) -> bool:
    """Tell whether all inputs that reach a goal can be tried, and there are no others."""
    decided = (goal.decisions, goal.samples)
    return count(tree.root, *decided) <= EXHAUST and is_whole(tree.root, *decided)


def shows_itself(targets: Targets, target: Target, goal: Goal) -> bool:
    """Tell whether each item that is made to show a target of its list is seen to show it, read from its value."""
    node = targets.tree.levels[goal.level].node
    if count(node, goal.decisions, goal.samples) > EXHAUST:
        return False
    for item in members(node, goal.decisions, goal.samples):
        views: list[View] = []
        recognise(node, item, goal.level, views)
        if not any(target in targets.shown_by(view) for view in views):
            return False
    return True


def add_any_items(node: ItemsNode, size: int, made: list[object], keys: set[object]) -> tuple[object, ...]:
    """Return the items with any others that differ from them, from all there are."""
    for item in itertools.islice(members(node.item), EXHAUST):
        if len(made) == size:
            break
        if node.shape.item_key(item) not in keys:
            keys.add(node.shape.item_key(item))
            made.append(item)
    if len(made) < size:
        raise RefusedError(f"no {size} different items were found")
    return tuple(made)
