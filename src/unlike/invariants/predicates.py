"""A few words for invariants: plain functions that read well, and that any search can run.

def rep_ok(self):
nodes = reachable(self.first, "next")
return acyclic(self.first, "next") and self.size == len(nodes) and ordered(node.key for node in nodes)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

T = TypeVar("T")


def reachable(start: T | None, *fields: str) -> list[T]:
    """Return the objects that the fields lead to from a start, the start first, each once, nearest first.

    A field may hold an object, None, or a list, tuple, set or dict (its values) of them.
    """
    if start is None:
        return []
    found, seen = [start], {id(start)}
    for thing in found:  # grows while we walk
        for other in _neighbours(thing, fields):
            if id(other) not in seen:
                seen.add(id(other))
                found.append(other)
    return found


def acyclic(start: object, *fields: str) -> bool:
    """Tell whether no way along the fields leads back to an object it has been at."""
    done: set[int] = set()
    if start is None:
        return True
    way, on_way = [(start, _neighbours(start, fields))], {id(start)}
    while way:
        thing, others = way[-1]
        if not others:
            way.pop()
            on_way.discard(id(thing))
            done.add(id(thing))
            continue
        other = others.pop(0)
        if id(other) in on_way:
            return False
        if id(other) not in done:
            way.append((other, _neighbours(other, fields)))
            on_way.add(id(other))
    return True


def tree(start: object, *fields: str) -> bool:
    """Tell whether every object that the fields lead to from a start is led to in one way only."""
    if start is None:
        return True
    found, seen = [start], {id(start)}
    for thing in found:  # grows while we walk
        for other in _neighbours(thing, fields):
            if id(other) in seen:
                return False
            seen.add(id(other))
            found.append(other)
    return True


def ordered(values: Iterable[Any], *, strictly: bool = False) -> bool:
    """Tell whether no value is larger than the next one; strictly: each is smaller than the next one."""
    last, is_first = None, True  # written out, so that it becomes clauses as well
    for value in values:
        if not is_first and not (last < value if strictly else last <= value):
            return False
        last, is_first = value, False
    return True


def all_of(things: Iterable[T], condition: Callable[[T], object]) -> bool:
    """Tell whether the condition holds for every one of the things."""
    return all(condition(thing) for thing in things)


def _neighbours(thing: Any, fields: Iterable[str]) -> list[Any]:
    found: list[Any] = []
    for name in fields:
        value = getattr(thing, name)
        if isinstance(value, dict):
            value = list(value.values())
        if isinstance(value, list | tuple | set | frozenset):
            found.extend(each for each in value if each is not None)
        elif value is not None:
            found.append(value)
    return found
