"""Containers over given elements: lists, tuples, sets and dicts, as long as a scope and the rules allow."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

from unlike.errors import SpecError
from unlike.foreign import foreign
from unlike.structure.shapes import Check, Checked, ItemsShape
from unlike.types.choices import is_hashable
from unlike.types.rules import Rule, under
from unlike.types.tree import ItemsType, MappingType, PlacesType, RecordType, TypeNode, type_name
from unlike.types.within import FirstValues, NoValuesError, container_shape

MOST_CONTAINERS = 400  # of varying length, passed for one parameter; beyond it they get shorter, and it is said
MOST_TUPLES = 10_000  # of a fixed length; a method with more ways to call it is refused anyway
ABSENT = object()
MADE: dict[str, Callable[[Iterable[object]], Collection[object]]] = {
    "list": list,
    "tuple": tuple,
    "set": set,
    "frozenset": frozenset,
}


def lengths_of(node: TypeNode, rules: Iterable[Rule], elements: int) -> tuple[int, int, tuple[Check, ...]]:
    """Return the least and the greatest length that the rules and a scope leave, and the predicates among the rules.

    Any other rule does not apply to a container, and is refused by its name.
    """
    try:
        shape = under(container_shape(node), rules, ())
    except SpecError as error:
        raise NoValuesError(str(error).removeprefix("value: ").rpartition(";")[0]) from None
    shape, checks = (shape.inner, shape.checks) if isinstance(shape, Checked) else (shape, ())
    least, most = (shape.least, min(shape.most, elements)) if isinstance(shape, ItemsShape) else (0, elements)
    if least > most:
        raise NoValuesError(
            f"{type_name(node)} must be at least {least} long, and containers have at most {most} elements here "
            f"(--elements {least} allows it)"
        )
    return least, most, checks


def check_hashable(node: TypeNode) -> None:
    """Refuse a set, or a dict, of what cannot be in one."""
    match node:
        case ItemsType(inner, "set" | "frozenset") | MappingType(inner) if not is_hashable(inner):
            raise NoValuesError(f"{type_name(inner)} is not hashable and cannot be in a {type_name(node)}")


def containers_of(
    node: ItemsType | PlacesType | MappingType, parts: Sequence[Sequence[object]], least: int, most: int
) -> FirstValues:
    """Return every container over the elements, shortest first; where they are too many, the shorter ones alone.

    `parts` are the elements; for a dict its keys and its values, for a tuple with places those of each place.
    """
    check_hashable(node)
    match node:
        case ItemsType(kind="list" | "tuple" as kind):
            return _up_to_length(kind, MADE[kind], least, most, lambda n: _repeated(parts[0], n))
        case ItemsType(kind=kind):
            return _up_to_length(kind, MADE[kind], least, most, lambda n: _chosen(parts[0], n))
        case MappingType():
            return _up_to_length("dict", _dict_of, least, most, lambda n: _entries(parts[0], parts[1], n))
        case PlacesType():
            return _placed(node, parts, most)


def _dict_of(entries: Iterable[object]) -> Collection[object]:
    return dict(entries)  # type: ignore[arg-type]


Ways = tuple[int, Iterator[tuple[object, ...]]]  # how many there are, and all of them


def _repeated(elements: Sequence[object], length: int) -> Ways:
    return len(elements) ** length, itertools.product(elements, repeat=length)


def _chosen(elements: Sequence[object], length: int) -> Ways:
    return math.comb(len(elements), length), itertools.combinations(elements, length)


def _entries(keys: Sequence[object], values: Sequence[object], length: int) -> Ways:
    """Return the entries of all dicts of so many keys."""
    rows = (
        tuple(zip(some, chosen, strict=True))
        for some in itertools.combinations(keys, length)
        for chosen in itertools.product(values, repeat=length)
    )
    return math.comb(len(keys), length) * len(values) ** length, rows


def _up_to_length(
    kind: str,
    make: Callable[[Iterable[object]], Collection[object]],
    least: int,
    most: int,
    ways: Callable[[int], Ways],
) -> FirstValues:
    found: list[object] = []
    for length in range(least, most + 1):
        count, rows = ways(length)
        if len(found) + count > MOST_CONTAINERS:
            longest = f"{kind}s of at most {length - 1} elements" if length > least else f"no {kind}s"
            return FirstValues(tuple(found), f"{longest} instead of {most}, as there are more than {MOST_CONTAINERS}")
        made = [make(map(_fresh, row)) for row in rows]
        found += [each for each in made if len(each) == length]  # 1 and True are one element of a set
    if not found:
        raise NoValuesError(f"there are not enough elements for a {kind} at least {least} long")
    return FirstValues(tuple(found))


def _fresh(value: object) -> object:
    """Return a container of its own, so that no two places of another share one; anything else as it is."""
    match value:
        case list() | tuple() if type(value) in (list, tuple):
            return type(value)(map(_fresh, value))
        case set() if type(value) is set:
            return set(value)
        case dict() if type(value) is dict:
            return {key: _fresh(each) for key, each in value.items()}
    return value


def records_of(record: RecordType, parts: Sequence[Sequence[object]], most: int) -> FirstValues:
    """Return the dicts or named tuples of all combinations of fields; one that need not be there is also left out.

    `parts` are the values of each field, and where other keys may be there, too, the dicts of such entries.
    """
    names = [each.key or each.name for each in record.fields]
    if len([each for each in record.fields if each.required]) > most:
        raise NoValuesError(f"it has {len(names)} fields, and containers have at most {most} elements here")
    choices = [part if each.required else [ABSENT, *part] for each, part in zip(record.fields, parts, strict=False)]
    extras = [{}] if record.extra is None else [each for each in parts[-1] if not each.keys() & {*names}]  # type: ignore[attr-defined]
    rows = itertools.product(extras, *choices)
    found: list[object] = []
    refusal = ""
    for extra, *row in itertools.islice(rows, MOST_TUPLES):
        given = {name: _fresh(value) for name, value in zip(names, row, strict=True) if value is not ABSENT}
        given |= _fresh(extra)  # type: ignore[call-overload]
        if len(given) <= most:
            try:
                found.append(given if record.build.kind == "dict" else foreign(record.build.target, **given))  # type: ignore[arg-type]
            except Exception as error:  # a class may refuse some of them
                refusal = f"{type(error).__name__}: {error}"
    if refusal and not found:
        raise NoValuesError(f"its class refuses every combination of fields: {refusal}")
    cut = f"{MOST_TUPLES:,} combinations of fields, as there are more" if next(rows, None) is not None else ""
    return FirstValues(tuple(found), cut)


def _placed(node: PlacesType, parts: Sequence[Sequence[object]], most: int) -> FirstValues:
    """Return the tuples with places; what may be repeated in the middle fills them up to the greatest length."""
    before, after = parts[: len(node.before)], parts[len(parts) - len(node.after) :] if node.after else []
    rest = [] if node.rest is None else [parts[len(node.before)]]
    fixed = len(before) + len(after)
    if fixed > most:
        raise NoValuesError(
            f"{type_name(node)} is {fixed} long, and containers have at most {most} elements here "
            f"(--elements {fixed} allows it)"
        )
    longest = most - fixed if rest else 0
    found: list[object] = []
    for middle in range(longest + 1):
        rows = itertools.product(*before, *(rest * middle), *after)
        found += [tuple(map(_fresh, row)) for row in itertools.islice(rows, MOST_TUPLES - len(found))]
        if next(rows, None) is not None:
            return FirstValues(tuple(found), f"{MOST_TUPLES:,} tuples, as there are more")
    return FirstValues(tuple(found))
