"""A small breadth-first explorer, independent of the product: every object that some methods of a class can build."""

import itertools
import pickle
from collections.abc import Callable, Iterator
from inspect import signature
from typing import NamedTuple

SMALL_LISTS = ([], [0], [1, 0], [2, 2])
PRECONDITIONS = (ValueError, IndexError, KeyError)


class Call(NamedTuple):
    method: str
    arguments: tuple[int | list[int], ...]


class Exploration(NamedTuple):
    objects: list[object]
    failures: list[tuple[list[Call], str]]


def explore(cls: type, *, builders: str, scope: int, start: Callable[[], object] | None = None) -> Exploration:
    """Build every object of at most `scope` nodes of a class with ints below `scope`, each once.

    A call that raises anything but a precondition, raises and changes its object, or breaks `rep_ok` is a failure.
    """
    first = start() if start else cls()
    seen = {canonical(first)}
    frontier: list[tuple[bytes, list[Call]]] = [(pickle.dumps(first), [])]
    failures = []
    for before, path in frontier:  # grows while we walk
        for call in calls(cls, builders, scope):
            thing = pickle.loads(before)
            failure = outcome(thing, call, before)
            state = canonical(thing)
            if failure:
                failures.append(([*path, call], failure))
            elif state not in seen and objects_per_class(state) <= scope:
                seen.add(state)
                frontier.append((pickle.dumps(thing), [*path, call]))
    return Exploration([pickle.loads(data) for data, _ in frontier], failures)


def calls(cls: type, builders: str, scope: int) -> Iterator[Call]:
    for name in builders.split():
        _, *parameters = signature(getattr(cls, name)).parameters.values()
        pools = [SMALL_LISTS if each.annotation == "list[int]" else range(scope) for each in parameters]
        for arguments in itertools.product(*pools):
            yield Call(name, arguments)


def outcome(thing: object, call: Call, before: bytes) -> str:
    """Run a call and say what is wrong with it, or nothing."""
    try:
        getattr(thing, call.method)(*call.arguments)
    except PRECONDITIONS as error:
        changed = canonical(thing) != canonical(pickle.loads(before))
        return f"{type(error).__name__} left it changed" if changed else ""
    except Exception as error:
        return type(error).__name__
    return "" if thing.rep_ok() else "rep_ok"


def canonical(thing: object) -> tuple[object, ...]:
    """Name objects by the order in which a breadth-first walk meets them; equal results mean equal object graphs."""
    numbers = {id(thing): 0}
    order = [thing]
    rows: list[object] = []
    for each in order:  # grows while we walk
        cells: list[object] = [type(each).__name__]
        for part in parts(each):
            if part is None or isinstance(part, int | str):
                cells.append(part)
                continue
            if id(part) not in numbers:
                numbers[id(part)] = len(order)
                order.append(part)
            cells.append(("#", numbers[id(part)]))
        rows.append(tuple(cells))
    return tuple(rows)


def parts(thing: object) -> list[object]:
    if isinstance(thing, list | tuple):
        return [len(thing), *thing]
    if isinstance(thing, dict):
        return [len(thing), *itertools.chain.from_iterable(thing.items())]
    return [getattr(thing, name, None) for name in field_names(type(thing), thing)]


def field_names(cls: type, thing: object) -> list[str]:
    slots = [name for base in cls.__mro__ for name in getattr(base, "__slots__", ())]
    return sorted([*slots, *getattr(thing, "__dict__", ())])


def objects_per_class(state: tuple[object, ...]) -> int:
    """Count the most objects of any one class, the containers of Python aside."""
    names = [row[0] for row in state]
    return max(names.count(name) for name in set(names) - {"list", "tuple", "dict"})
