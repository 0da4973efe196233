"""What annotations mean, read by brute force: candidate values in order, of which a predicate keeps some.

A *reading* is a function from a scope k to the values that a parameter may have within that scope. Nothing here asks
the tool: the order of candidates, the bounds of containers and the products of fields are written out once more.
"""

import collections
import decimal
import enum
import itertools
import string
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

Keep = Callable[[object], bool]
Reading = Callable[[int], list[object]]
MANY = 3000  # candidates on either side of zero that are looked at


class NothingWithin(Exception):  # noqa: N818
    """No container within the scope is as long as the rules want."""


@dataclass(frozen=True)
class Other:
    """Stands for some text (or bytes) of this length; which one is left to the tool."""

    length: int


def anything(value: object) -> bool:
    return True


def ints(keep: Keep = anything) -> Reading:
    """Read 0, 1, 2, … then -1, -2, …: the first k that are kept."""

    def read(k: int) -> list[object]:
        candidates = itertools.chain(range(MANY), range(-1, -MANY, -1))
        return list(itertools.islice(filter(keep, candidates), k))

    return read


def floats(keep: Keep = anything, places: int = 2) -> Reading:
    """Read those of fewest decimal places first, from 0 up, then below 0 downwards."""
    return lambda k: list(itertools.islice(filter(keep, _decimals(places)), k))


def _decimals(places: int) -> Iterator[float]:
    for place in range(places + 1):
        unit = decimal.Decimal(1).scaleb(-place)
        for sign in (1, -1):
            for count in range(0 if sign == 1 else 1, 100 * 10**place):
                if place == 0 or count % 10:
                    yield float(sign * count * unit)


def complexes(k: int) -> list[object]:
    return [complex(number) for number in range(k)]


def texts(keep: Keep = anything, alphabet: str = string.printable[:95], longest: int = 2) -> Reading:
    """Read the first k letters, as far as they are kept, then shortest others; the alphabet is that of the others."""

    def read(k: int) -> list[object]:
        letters = [letter for letter in string.ascii_lowercase[:k] if keep(letter)]
        others = (
            text
            for length in range(longest + 1)
            for text in map("".join, itertools.product(alphabet, repeat=length))
            if text not in letters and keep(text)
        )
        return [*letters, *(Other(len(text)) for text in itertools.islice(others, k - len(letters)))]

    return read


def octets(keep: Keep = anything, longest: int = 2) -> Reading:
    """Read bytes as texts are read."""

    def read(k: int) -> list[object]:
        read_texts = texts(lambda text: keep(str(text).encode()), longest=longest)
        return [text.encode() if isinstance(text, str) else text for text in read_texts(k)]

    return read


def constants(*values: object) -> Reading:
    return lambda k: list(values)


def members(cls: type[enum.Enum]) -> Reading:
    return lambda k: list(cls)


def combinations(cls: type[enum.Flag]) -> Reading:
    """Read every combination of flags, none of them and all of them included."""

    def read(k: int) -> list[object]:
        found = [cls(0)]
        for flag in cls:
            found += [one | flag for one in found]
        return list(found)

    return read


def either(*readings: Reading) -> Reading:
    return lambda k: [value for reading in readings for value in reading(k)]


def tuples_of(*readings: Reading) -> Reading:
    return lambda k: list(itertools.product(*(reading(k) for reading in readings)))


def lists(item: Reading, least: int = 0, most: int | None = None) -> Reading:
    return lambda k: [
        list(items) for length in _lengths(k, least, most) for items in itertools.product(item(k), repeat=length)
    ]


def tuples(item: Reading, least: int = 0, most: int | None = None, first: Reading | None = None) -> Reading:
    """Read tuples of any length within the scope; with `first` there is one more item, at the front."""

    def read(k: int) -> list[object]:
        if first is None:
            return [tuple(items) for items in lists(item, least, most)(k)]  # type: ignore[call-overload]
        rests = [tuple(items) for items in lists(item)(k) if len(items) < k]  # type: ignore[arg-type, call-overload]
        return [(front, *rest) for front in first(k) for rest in rests]

    return read


def sets(
    item: Reading, least: int = 0, most: int | None = None, make: Callable[[Iterable[object]], object] = set
) -> Reading:
    return lambda k: [
        make(items) for length in _lengths(k, least, most) for items in itertools.combinations(item(k), length)
    ]


def dicts(key: Reading, item: Reading, least: int = 0, most: int | None = None) -> Reading:
    return lambda k: [
        dict(zip(keys, items, strict=True))
        for length in _lengths(k, least, most)
        for keys in itertools.combinations(key(k), length)
        for items in itertools.product(item(k), repeat=length)
    ]


def each_as(make: Callable[[Any], object], reading: Reading) -> Reading:
    """Read containers of another class, with the same items."""
    return lambda k: [make(value) for value in reading(k)]


def in_every_order(reading: Reading) -> Reading:
    """Read an OrderedDict for every order of the items of each dict."""
    return lambda k: [
        collections.OrderedDict(items)
        for value in reading(k)
        for items in itertools.permutations(value.items())  # type: ignore[attr-defined]
    ]


def _lengths(k: int, least: int, most: int | None) -> range:
    lengths = range(least, min(k, k if most is None else most) + 1)
    if not lengths:
        raise NothingWithin
    return lengths


def objects(make: Callable[..., object], **fields: Reading) -> Reading:
    """Read one object for every combination of the values of its fields."""
    return lambda k: [
        make(**dict(zip(fields, values, strict=True)))
        for values in itertools.product(*(reading(k) for reading in fields.values()))
    ]


def form(value: object, above: tuple[int, ...] = ()) -> str:
    """Write a value with its exact type and all that is in it: 1, True and 1.0 differ, equal objects do not."""
    if id(value) in above:
        return f"^{len(above) - above.index(id(value))}"  # a cycle: so many steps up
    inside = (*above, id(value))
    kind = type(value).__name__
    match value:
        case None | bool() | float() | complex() if type(value).__module__ == "builtins":
            return repr(value)
        case Other(length=length):
            return f"<{length} characters>"
        case enum.Enum():
            return f"{kind}.{value.name or value.value}"
        case int() | str() | bytes():
            return repr(value) if type(value).__module__ == "builtins" else f"{kind}({value!r})"
        case list() | tuple() | collections.deque():
            return f"{kind}[{', '.join(form(item, inside) for item in value)}]"
        case set() | frozenset():
            return f"{kind}{{{', '.join(sorted(form(item, inside) for item in value))}}}"
        case collections.OrderedDict():
            return f"{kind}[{', '.join(f'{form(k, inside)}: {form(v, inside)}' for k, v in value.items())}]"
        case collections.defaultdict():
            return f"{kind} of {getattr(value.default_factory, '__name__', None)}: {form(dict(value), above)}"
        case dict():
            return f"{kind}{{{', '.join(sorted(f'{form(k, inside)}: {form(v, inside)}' for k, v in value.items()))}}}"
        case type():
            return f"<class {value.__qualname__}>"
    held = fields_of(value)
    if held is None:
        return f"{kind}<{value!r}>"
    return f"{kind}({', '.join(f'{name}={form(item, inside)}' for name, item in held.items())})"


def fields_of(value: object) -> Mapping[str, object] | None:
    """Return what an object of a class of the table holds; None for objects of other modules."""
    if not type(value).__module__.startswith(("tests.", "annotation_door", "test_")):
        return None
    slots = [name for cls in type(value).__mro__ for name in getattr(cls, "__slots__", ()) if not name.startswith("__")]
    held = {name: getattr(value, name) for name in slots if hasattr(value, name)}
    return held | dict(sorted(getattr(value, "__dict__", {}).items()))


def shown(value: object, path: str = "", depth: int = 6) -> set[str]:
    """Return the field values that a value shows: each place of a list, each member of a set, each key of a dict."""
    if depth == 0:
        return set()
    if isinstance(value, list | tuple | collections.deque):
        items = (shown(item, f"{path}[{place}]", depth - 1) for place, item in enumerate(value))
        return {f"len({path})={len(value)}"}.union(*items)
    if isinstance(value, set | frozenset):
        if any(fields_of(item) for item in value):  # objects are shown by their fields
            return set().union(*(shown(item, f"{path}{{}}", depth - 1) for item in value))
        return {f"{form(item)} in {path}" for item in value}
    if isinstance(value, dict):
        return set().union(*(shown(item, f"{path}[{form(key)}]", depth - 1) for key, item in value.items()))
    held = fields_of(value) if not isinstance(value, enum.Enum | type) else None
    if held is None:
        return {f"{path}={form(value)}"}
    return set().union(*(shown(item, f"{path}.{name}", depth - 1) for name, item in held.items()))
