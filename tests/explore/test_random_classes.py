"""Random classes, explored, against a plain explorer that copies the object for every call."""

import copy
import random
import sys
import types
from collections.abc import Iterator
from typing import Any

import pytest
from tests.corpora import few_of

from unlike.core import Implementation
from unlike.explore import explore

SCOPE = 2
MOST = 1500  # states; a class with more is left out
STATEMENTS = [
    "self.a = v",
    "self.a = None",
    "self.b = self.a",
    "vars(self).pop('b', None)",
    "self.items.append(v)",
    "self.items and self.items.pop()",
    "self.items = list(self.items)",
    "len(self.items) < 2 and self.items.append(self.items)",
    "self.d[v] = self.items",
    "self.d.pop(v, None)",
    "self.d = {}",
    "self.s.add(v)",
    "self.s.discard(v)",
    "self.t = (v, self.items)",
    "self.n = N(v, getattr(self, 'n', None))",
    "self.n = getattr(getattr(self, 'n', None), 'next', None)",
    "self.n = N(self.items, self)",
]
NODE = (
    "class N:\n    __slots__ = ('v', 'next')\n    def __init__(self, v, next):\n        self.v, self.next = v, next\n"
)


@pytest.fixture
def module() -> Iterator[types.ModuleType]:
    made = types.ModuleType("random_classes")
    sys.modules["random_classes"] = made
    yield made
    del sys.modules["random_classes"]


def random_class(rng: random.Random, module: types.ModuleType) -> Any:
    source = NODE + "class C:\n    def __init__(self):\n        self.a, self.items, self.d, self.s = 0, [], {}, set()\n"
    for number in range(rng.randrange(2, 5)):
        body = rng.sample(STATEMENTS, rng.randrange(1, 3))
        source += f"    def m{number}(self, v: int):\n" + "".join(f"        {line}\n" for line in body)
        source += "        if v == 1: raise ValueError\n" if rng.random() < 0.3 else ""
    exec(compile(source, "random_classes.py", "exec"), vars(module))
    for name in ("N", "C"):
        vars(module)[name].__module__ = module.__name__
    return vars(module)["C"]


def parts(thing: Any) -> list[tuple[str, Any]]:
    """The named parts of an object that is no plain value."""
    if isinstance(thing, dict):
        return [
            (f"{kind}{index}", part)
            for index, pair in enumerate(thing.items())
            for kind, part in zip("kv", pair, strict=True)
        ]
    if isinstance(thing, (list, tuple, set)):
        return [(str(index), part) for index, part in enumerate(thing)]
    names = sorted([*getattr(thing, "__dict__", {}), *getattr(type(thing), "__slots__", ())])
    return [(name, getattr(thing, name)) for name in names if hasattr(thing, name)]


def form(root: Any) -> object:
    """A breadth-first form written anew, without the heap room."""
    order, numbers = [root], {id(root): 0}
    rows = []

    def shown(value: Any) -> object:
        if value is None or type(value) in (bool, int):
            return repr(value)
        if type(value) is tuple:
            return ("tuple", *map(shown, value))
        if id(value) not in numbers:
            numbers[id(value)] = len(order)
            order.append(value)
        return numbers[id(value)]

    for thing in order:  # grows while we walk
        row = [(name, shown(part)) for name, part in parts(thing)]
        rows.append((type(thing).__name__, tuple(sorted(p for _, p in row) if isinstance(thing, set) else row)))
    return tuple(rows)


def fits(root: Any) -> bool:
    """Tell whether no class has more than SCOPE objects, and no container more than SCOPE elements."""
    seen: dict[int, Any] = {}
    stack = [root]
    while stack:
        thing = stack.pop()
        if id(thing) in seen or thing is None or type(thing) in (bool, int):
            continue
        seen[id(thing)] = thing
        if isinstance(thing, (list, dict, set, tuple)) and len(thing) > SCOPE:
            return False
        stack.extend(part for _, part in parts(thing))
    counts = [type(thing) for thing in seen.values() if type(thing).__module__ == "random_classes"]
    return all(counts.count(cls) <= SCOPE for cls in set(counts))


def plain_exploration(cls: Any) -> set[object] | None:
    frontier = [cls()]
    known = {form(frontier[0])}
    for thing in frontier:  # grows while we walk
        for name in [name for name in vars(cls) if name.startswith("m")]:
            for value in range(SCOPE):
                other = copy.deepcopy(thing)
                try:
                    getattr(other, name)(value)
                except Exception:
                    continue
                if fits(other) and form(other) not in known:
                    known.add(form(other))
                    frontier.append(other)
        if len(known) > MOST:
            return None
    return known


@pytest.mark.few(1)
@pytest.mark.parametrize("seed", few_of(range(5, 10), 1))
def test_exploration_agrees_with_copying_on_random_classes(
    seed: int, module: types.ModuleType, implementation: Implementation
) -> None:
    rng = random.Random(seed)
    compared = 0
    while compared < 5:
        cls = random_class(rng, module)
        expected = plain_exploration(cls)
        if expected is None:
            continue

        result = explore(cls, scope=SCOPE, implementation=implementation, in_process=implementation == "python")

        assert {form(case.value) for case in result.suite} == expected
        assert len(result.suite) == result.states == len(expected)
        compared += 1
