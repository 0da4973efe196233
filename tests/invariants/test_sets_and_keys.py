"""Containers of whatever they can hold: the search, plain Korat and brute force find the same structures.

The grid has every type below under every predicate below. Brute force is in this file: it lists the values of an
annotation over a labelled pool of objects, asks the predicate, and tells what is left apart up to the names of objects.
"""

from __future__ import annotations

import enum
import functools
import itertools
import types
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterator
from typing import Any, Literal, NamedTuple, NotRequired, TypedDict, Union, get_args, get_origin, get_type_hints

import pytest
from tests.corpora import few_of

import unlike
from unlike.errors import InvariantError
from unlike.suite import Ending

SCOPE = 2
MOST_VALUES = 6_000  # of a field, with objects: every one of them meets every tag


class Colour(enum.Enum):
    RED = "r"
    BLUE = "b"


class Node:
    tag: bool

    def __init__(self, tag: bool) -> None:
        self.tag = tag


class Span(NamedTuple):
    low: int
    high: int


class Holding(NamedTuple):
    node: Node
    count: int


class Line(TypedDict):
    size: int
    kept: NotRequired[bool]


class Owner(TypedDict):
    node: Node | None


Pair = tuple[int, int]
LEAVES: list[Any] = [int, bool, str, Literal["y", "x"], Colour, int | None, Node]
HASHED: list[Any] = [
    *LEAVES,
    *(tuple[leaf, leaf] for leaf in LEAVES),  # type: ignore[valid-type]
    *(frozenset[leaf] for leaf in LEAVES),  # type: ignore[valid-type]
    *(tuple[leaf, ...] for leaf in (int, bool, Colour, Node)),  # type: ignore[valid-type]
    tuple[int],
    tuple[()],
    tuple[int, str],
    tuple[Node, int],
    tuple[int, Node],
    tuple[Node | None, bool],
    int | Pair,
    Pair | None,
    Node | tuple[Node, bool],
    str | frozenset[int],
    tuple[int, frozenset[bool]],
    tuple[Pair, bool],
    frozenset[Pair],
    frozenset[frozenset[int]],
    frozenset[Node | None],
    tuple[frozenset[int], ...],
]
TYPES: list[Any] = [
    *(set[each] for each in HASHED),
    *(dict[each, bool] for each in HASHED),  # type: ignore[valid-type]
    *(frozenset[each] for each in (Pair, frozenset[int], tuple[int, ...], tuple[Node, int], int | Pair)),
    *(dict[Pair, value] for value in (int, int | None, list[bool], set[bool], Pair, Node)),  # type: ignore[valid-type]
    *(list[each] for each in (set[Pair], frozenset[Pair], frozenset[frozenset[int]])),
    tuple[set[Pair], int],
    tuple[frozenset[Pair], ...],
    set[Pair] | None,
    set[Pair] | list[Pair],
    dict[Pair, int] | set[Pair],
    dict[Node, frozenset[Node]],
    dict[frozenset[int], set[tuple[bool, bool]]],
]
STANDARD: list[Any] = [
    *(deque[each] for each in (int, bool, int | None, Pair, Node, Span, Line, list[bool], set[bool])),  # type: ignore[valid-type]
    *(OrderedDict[each, bool] for each in (int, str, Colour, Pair, Node, Span)),  # type: ignore[valid-type]
    *(OrderedDict[str, each] for each in (int, Node, list[bool], Span)),  # type: ignore[valid-type]
    *(defaultdict[str, each] for each in (int, list[bool], set[bool], Node, Span)),  # type: ignore[valid-type]
    defaultdict[Node, bool],
    *(Counter[each] for each in (str, int, Pair, Node, Span)),  # type: ignore[valid-type]
    Span, Holding, Line, Owner, Span | None, Line | None, Holding | Node, Line | dict[str, int],
    *(list[each] for each in (Span, Holding, Line, Owner, deque[bool], Counter[str])),  # type: ignore[valid-type]
    *(set[each] for each in (Span, Holding)),  # type: ignore[valid-type]
    *(frozenset[each] for each in (Span, tuple[Span, bool])),  # type: ignore[valid-type]
    *(dict[each, bool] for each in (Span, Holding)),  # type: ignore[valid-type]
    *(dict[str, each] for each in (Span, Line, deque[bool], OrderedDict[str, bool])),  # type: ignore[valid-type]
    tuple[Span, bool],
    tuple[Counter[str], bool],
]  # fmt: skip
TYPES += STANDARD


def _first(box: Any) -> Any:
    return next(iter(box))


def _flat(value: Any) -> Iterator[Any]:
    """Yield what stands in a value, however deep, keys before values."""
    if isinstance(value, dict):
        yield from (each for pair in value.items() for part in pair for each in _flat(part))
    elif isinstance(value, list | tuple | set | frozenset | deque):
        yield from (each for part in value for each in _flat(part))
    else:
        yield value


ORDERED = (list, tuple, deque, OrderedDict)  # of sets and plain dicts the order is no content
PREDICATES: dict[str, Callable[[Any], object]] = {
    "anything": lambda self: True,
    "is not empty": lambda self: bool(self.box),
    "two": lambda self: len(self.box) == 2,
    "count": lambda self: len(self.box) == self.count,
    "no false value": lambda self: all(self.box.values()),
    "no false member": lambda self: all(self.box),
    "no zero value": lambda self: all(value != 0 for value in self.box.values()),
    "members of two": lambda self: all(len(each) == 2 for each in self.box),
    "ordered members": lambda self: all(each[0] < each[1] for each in self.box),
    "members that differ": lambda self: all(each[0] != each[1] for each in self.box),
    "has a pair": lambda self: (0, 1) in self.box,
    "has no pair": lambda self: (self.count, 1) not in self.box,
    "looked up": lambda self: self.box[0, 1] == self.box.get((1, 0), 1),
    "symmetric": lambda self: all((b, a) in self.box for a, b in self.box),
    "subset": lambda self: frozenset({0}) in self.box or not self.box,
    "closed": lambda self: all(one & other in self.box for one in self.box for other in self.box),
    "sum": lambda self: sum(each for each in _flat(self.box) if type(each) is int) == self.count,
    "tagged": lambda self: all(each.tag for each in _flat(self.box) if isinstance(each, Node)),
    "sizes": lambda self: len({len(each) for each in self.box}) <= 1,
    "in order": lambda self: isinstance(self.box, ORDERED) and list(self.box) == sorted(self.box),
    "first is least": lambda self: isinstance(self.box, ORDERED) and next(iter(self.box)) == min(self.box),
    "attributes": lambda self: self.box.low < self.box.high,
    "attributes of members": lambda self: all(each.low <= each.high for each in self.box),
    "attribute of an object": lambda self: self.box.node.tag and self.box.count == self.count,
    "items": lambda self: self.box["size"] > 0 or self.box["kept"],
    "items of members": lambda self: all(each["size"] == self.count for each in self.box),
    "item that may be missing": lambda self: self.box.get("kept", True),
    "counted": lambda self: self.box["a"] == self.box.total() - self.box["b"] > 0,
    "ends": lambda self: self.box[0] != self.box[-1] or len(self.box) == self.count,
    "as a list": lambda self: [*self.box][self.count :] == [*reversed(self.box)][: len(self.box) - self.count],
    "same": lambda self: len(list(_flat(self.box))) == 2 * len({id(each) for each in _flat(self.box)}),
}  # fmt: skip


def holder(annotation: Any) -> type:
    """Return a class with a field of that type, and a counter."""
    annotations = {"box": annotation, "count": int}
    return type(
        "Holder", (), {"__module__": __name__, "__qualname__": "<locals>.Holder", "__annotations__": annotations}
    )


# -- brute force -------------------------------------------------------------------------------------------------


def values_of(annotation: Any, pool: list[Node]) -> list[Any]:
    """Return every value of a type in scope 2; no two are equal and of the same types."""
    origin, arguments = get_origin(annotation), get_args(annotation)
    inner = [values_of(each, pool) for each in arguments if each is not Ellipsis] if origin is not Literal else []
    if annotation in (int, bool, str):
        return {int: [0, 1], bool: [False, True], str: ["a", "b"]}[annotation]
    if annotation in (None, types.NoneType):
        return [None]
    if annotation is Colour:
        return list(Colour)
    if annotation is Node:
        return list(pool)
    if annotation in (Span, Holding):
        return [annotation(*row) for row in itertools.product(*places_of(annotation, pool))]
    if annotation is Line:
        both = [{"kept": kept, "size": size} for size in range(SCOPE) for kept in (False, True)]
        return [*both, *({"size": size} for size in range(SCOPE))]
    if annotation is Owner:
        return [{"node": each} for each in (None, *pool)]
    if origin is Literal:
        return list(arguments)
    if origin in (Union, types.UnionType):
        return [value for each in inner for value in each]
    if origin is tuple and (len(arguments) < 2 or arguments[1] is not Ellipsis):
        return [tuple(row) for row in itertools.product(*inner)]
    if origin in (list, tuple, deque):
        rows = [row for size in range(SCOPE + 1) for row in itertools.product(inner[0], repeat=size)]
        return [origin(row) for row in rows]
    keys = [row for size in range(SCOPE + 1) for row in itertools.combinations(inner[0], size)]
    if origin in (set, frozenset):
        return [origin(row) for row in keys]
    if origin is OrderedDict:
        keys = [row for size in range(SCOPE + 1) for row in itertools.permutations(inner[0], size)]
    if origin is Counter:
        inner.append([*range(SCOPE + 1)])
    assert issubclass(origin, dict)
    made = functools.partial(defaultdict, FACTORIES.get(arguments[-1])) if origin is defaultdict else origin
    return [
        made(dict(zip(row, chosen, strict=True)))
        for row in keys
        for chosen in itertools.product(inner[1], repeat=len(row))
    ]


FACTORIES: dict[Any, Any] = {int: int, list[bool]: list, set[bool]: set, bool: bool}


def places_of(annotation: Any, pool: list[Node]) -> list[list[Any]]:
    """Return the values of each place of a named tuple."""
    return [values_of(each, pool) for each in get_type_hints(annotation).values()]


def look_of(value: Any, names: dict[int, int]) -> Any:
    """Return what tells a value from others, objects by their names."""
    match value:
        case OrderedDict():
            return "OrderedDict", tuple((look_of(key, names), look_of(each, names)) for key, each in value.items())
        case dict():
            kind = type(value).__name__, getattr(value, "default_factory", None)
            return kind, frozenset((look_of(key, names), look_of(each, names)) for key, each in value.items())
        case set() | frozenset():
            return type(value).__name__, frozenset(look_of(each, names) for each in value)
        case list() | tuple() | deque():
            return type(value).__name__, tuple(look_of(each, names) for each in value)
        case Node():
            return "Node", names[id(value)], value.tag
    return type(value).__name__, repr(value)


def whole_look(thing: Any) -> Any:
    """Return what tells a structure from others, whatever its objects are called."""
    nodes = list({id(each): each for each in _flat(thing.box) if isinstance(each, Node)}.values())
    looks = []
    for order in itertools.permutations(range(len(nodes))):
        names = {id(node): name for node, name in zip(nodes, order, strict=True)}
        looks.append((look_of(thing.box, names), thing.count))
    return frozenset(looks)  # of all names: equal if some names make two structures equal


def holds(predicate: Callable[[Any], object], thing: Any) -> bool:
    if isinstance(thing.box, defaultdict):
        thing = types.SimpleNamespace(box=thing.box.copy(), count=thing.count)
    try:
        return bool(predicate(thing))
    except Exception:
        return False


def writes(predicate: Callable[[Any], object], thing: Any) -> bool:
    """Tell whether a predicate puts something into a defaultdict, by reading what is not there."""
    if not isinstance(thing.box, defaultdict):
        return False
    copied = types.SimpleNamespace(box=thing.box.copy(), count=thing.count)
    holds(lambda _: predicate(copied), types.SimpleNamespace(box=None))
    return bool(copied.box != thing.box)


def every_thing(annotation: Any) -> list[Any]:
    """Return every structure of the class with a field of that type, some of them several times."""
    found = []
    for tags in itertools.product([False, True], repeat=SCOPE):
        pool = [Node(tag) for tag in tags]
        values = values_of(annotation, pool)
        assert len(values) <= MOST_VALUES
        found += [types.SimpleNamespace(box=value, count=count) for value in values for count in range(SCOPE)]
        if not any(isinstance(each, Node) for value in values for each in _flat(value)):
            break
    return found


def spelled(annotation: Any) -> str:
    return str(annotation).replace(f"{__name__}.", "").replace("typing.", "").replace("<class '", "").replace("'>", "")


@pytest.mark.few(1)
@pytest.mark.parametrize("annotation", few_of(TYPES, 4, ids=map(spelled, TYPES)))
def test_search_korat_and_brute_force_find_the_same_structures(annotation: Any) -> None:
    things = every_thing(annotation)
    looks = [whole_look(thing) for thing in things]
    cls = holder(annotation)

    for name, predicate in PREDICATES.items():
        expected = {look for thing, look in zip(things, looks, strict=True) if holds(predicate, thing)}
        refused = any(writes(predicate, thing) for thing in things)
        for engine in ("search", "korat"):
            if refused:
                with pytest.raises(InvariantError, match="writes to a defaultdict"):
                    found_by(engine, cls, predicate)
                continue
            met = [whole_look(thing) for thing in found_by(engine, cls, predicate)]

            assert len(met) == len(set(met)), (name, engine)
            assert set(met) == expected, (name, engine)


def found_by(engine: Literal["search", "korat"], cls: type, predicate: Callable[[Any], object]) -> list[Any]:
    """Return what is found; a predicate that raises on everything is refused, and accepts nothing."""
    fields = {"Holder.count": range(SCOPE)}
    try:
        found = unlike.structures(cls, SCOPE, invariant=predicate, engine=engine, in_process=True, fields=fields)
    except InvariantError as error:
        if "raised on every structure" not in str(error):
            raise
        return []
    assert found.status.ending in (Ending.COMPLETE, Ending.UNSATISFIABLE)
    return [case.value for case in found.suite]
