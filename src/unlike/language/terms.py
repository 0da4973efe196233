"""Terms as frozen data: what assertions and differences are made of.

A node knows its kind (bool, int, str, …). Blanks carry a side: 0 in an assertion about one input, 1 and 2 in a
relation between two. Every operator is total, with the same meaning in Python and in a solver: an absent option
has its kind's default value, so has an element beyond the end of a list, a character beyond the end of a string
is the empty string, and dividing by zero gives zero.
"""

from __future__ import annotations

import abc
import datetime
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TypeAlias

from unlike.recipe import Argument, Step


@dataclass(frozen=True, slots=True)
class Plain:
    """A kind without parts: bool, int, real, str, date, time, datetime, timedelta."""

    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class AtomKind:
    """The kind of an enumeration whose members are neither all numbers nor all strings."""

    members: tuple[object, ...]

    def __str__(self) -> str:
        return "enumeration"

    def __hash__(self) -> int:
        return hash(len(self.members))


@dataclass(frozen=True, slots=True)
class OptionKind:
    """A value or nothing."""

    inner: Kind

    def __str__(self) -> str:
        return f"optional {self.inner}"


@dataclass(frozen=True, slots=True)
class ListKind:
    """A list of one kind."""

    inner: Kind

    def __str__(self) -> str:
        return f"list of {self.inner}"


@dataclass(frozen=True, slots=True)
class RecordKind:
    """Named fields, and what they are made into; nothing stands for a dict."""

    fields: tuple[tuple[str, Kind], ...]
    made: Callable[..., object] | None = field(default=None, compare=False, repr=False)

    def __str__(self) -> str:
        return "record"

    def kind_of(self, name: str) -> Kind | None:
        """Return the kind of a field, or nothing if there is no such field."""
        return dict(self.fields).get(name)


class Held(abc.ABC):
    """Builds values that the language has no kind for, from their numbers; each says itself how it is written down."""

    __slots__ = ()

    @abc.abstractmethod
    def __call__(self, number: int) -> object:
        """Return the value of a number, a fresh one every time."""

    @abc.abstractmethod
    def quote(self, number: int, steps: list[Step]) -> Argument:
        """Return the recipe of the value of a number."""


def is_held(kind: Kind) -> bool:
    """Tell whether no term can speak of values of a kind, nor of any part of them."""
    return isinstance(kind, RecordKind) and isinstance(kind.made, Held)


def holds_unspoken(kind: Kind) -> bool:
    """Tell whether values of a kind have parts that no term can speak of."""
    match kind:
        case OptionKind(inner) | ListKind(inner):
            return holds_unspoken(inner)
        case RecordKind(fields):
            return is_held(kind) or any(holds_unspoken(inner) for _, inner in fields)
    return False


Kind: TypeAlias = Plain | AtomKind | OptionKind | ListKind | RecordKind

BOOL = Plain("bool")
INT = Plain("int")
REAL = Plain("real")
STR = Plain("str")
DATE = Plain("date")
TIME = Plain("time")
DATETIME = Plain("datetime")
TIMEDELTA = Plain("timedelta")  # held as whole microseconds
NOTHING = Plain("None")


@dataclass(frozen=True, slots=True)
class Blank:
    """A blank of the spec; side 1 or 2 in a relation between two inputs."""

    name: str
    kind: Kind
    side: int = 0


@dataclass(frozen=True, slots=True)
class Const:
    """A value written down."""

    value: object
    kind: Kind


@dataclass(frozen=True, slots=True)
class Op:
    """An operator applied to terms; `extra` holds a field name, a pattern, or the like."""

    name: str
    args: tuple[Node, ...]
    kind: Kind
    extra: object = None


@dataclass(frozen=True, slots=True)
class Variable:
    """The element that a for-all or exists speaks of."""

    name: str
    kind: Kind


@dataclass(frozen=True, slots=True)
class Quantified:
    """For all / for some elements of a list."""

    every: bool
    variable: Variable
    items: Node
    body: Node
    kind: Kind = BOOL


@dataclass(frozen=True, slots=True)
class Aggregate:
    """What the elements of a list come to: their sum, how many are so, whether all differ, or are in order.

    `name` is "sum", "count", "distinct", "sorted" or "descending"; the body is what is summed, asked or compared.
    """

    name: str
    variable: Variable
    items: Node
    body: Node
    kind: Kind


@dataclass(frozen=True, slots=True)
class ChosenAssertion:
    """Which of its assertions a combinator has chosen, by number."""

    number: int
    side: int = 0
    kind: Kind = INT


@dataclass(frozen=True, slots=True)
class Opaque:
    """A plain Python predicate over the built values of some blanks; no solver can see inside."""

    function: Callable[..., object]
    names: tuple[str, ...]
    kind: Kind = BOOL


Node: TypeAlias = Blank | Const | Op | Variable | Quantified | Aggregate | ChosenAssertion | Opaque

TRUE = Const(True, BOOL)
FALSE = Const(False, BOOL)


def conjunction(nodes: Iterable[Node]) -> Node:
    """Return the conjunction of the nodes."""
    return _junction("and", nodes, TRUE)


def disjunction(nodes: Iterable[Node]) -> Node:
    """Return the disjunction of the nodes."""
    return _junction("or", nodes, FALSE)


def _junction(name: str, nodes: Iterable[Node], neutral: Node) -> Node:
    parts = (node.args if isinstance(node, Op) and node.name == name else (node,) for node in nodes)
    kept = [each for part in parts for each in part if each != neutral]
    if len(kept) == 1:
        return kept[0]
    return Op(name, tuple(kept), BOOL) if kept else neutral


def depth(node: Node) -> int:
    """Return how many terms are inside one another, found without recursion."""
    deepest, waiting = 0, [(node, 1)]
    while waiting:
        inner, level = waiting.pop()
        deepest = max(deepest, level)
        waiting += [(child, level + 1) for child in children(inner)]
    return deepest


def negation(node: Node) -> Node:
    """Return the negation of the node."""
    if isinstance(node, Op) and node.name == "not":
        return node.args[0]
    return Op("not", (node,), BOOL)


def equal(left: Node, right: Node) -> Node:
    """Return the node that says both are the same."""
    return Op("==", (left, right), BOOL)


def children(node: Node) -> tuple[Node, ...]:
    """Return the nodes directly inside."""
    match node:
        case Op(_, args):
            return args
        case Quantified(_, _, items, body) | Aggregate(_, _, items, body):
            return (items, body)
    return ()


def walk(node: Node) -> Iterator[Node]:
    """Yield the node and every node inside it."""
    yield node
    for child in children(node):
        yield from walk(child)


def blank_names(node: Node) -> set[str]:
    """Return the names of the blanks that the node mentions."""
    names: set[str] = set()
    for inner in walk(node):
        match inner:
            case Blank(name):
                names.add(name)
            case Opaque(_, opaque_names):
                names.update(opaque_names)
    return names


def on_side(node: Node, side: int) -> Node:
    """Return the node with all its blanks and choices on the given side."""
    return _change_sides(node, lambda _: side)


def other_way(node: Node) -> Node:
    """Return a relation with its two sides exchanged."""
    return _change_sides(node, lambda side: 3 - side if side else 0)


def _change_sides(node: Node, change: Callable[[int], int]) -> Node:
    def change_one(inner: Node) -> Node | None:
        return replace(inner, side=change(inner.side)) if isinstance(inner, Blank | ChosenAssertion) else None

    return rebuild(node, change_one)


def rebuild(node: Node, change: Callable[[Node], Node | None]) -> Node:
    """Return the node with what a function puts in the place of parts, the outermost first; nothing keeps a part."""
    changed = change(node)
    if changed is not None:
        return changed
    match node:
        case Op(name, args, kind, extra):
            return Op(name, tuple(rebuild(arg, change) for arg in args), kind, extra)
        case Quantified(every, variable, items, body):
            return Quantified(every, variable, rebuild(items, change), rebuild(body, change))
        case Aggregate(name, variable, items, body, kind):
            return Aggregate(name, variable, rebuild(items, change), rebuild(body, change), kind)
    return node


def default_of(kind: Kind) -> object:
    """Return the value that stands where there is none: in an absent option, beyond the end of a list."""
    match kind:
        case OptionKind():
            return None
        case ListKind():
            return ()
        case RecordKind(fields):
            return {name: default_of(inner) for name, inner in fields}
        case AtomKind(members):
            return members[0]
    return _DEFAULTS[kind]


def same_member(first: object, second: object) -> bool:
    """Tell whether two members of enumerations are the same value: 1, 1.0 and True are three."""
    if first is second:
        return True
    try:
        return type(first) is type(second) and bool(first == second)
    except Exception:  # such as an array, which compares item by item
        return False


class _ByEquality:
    """A value that cannot be hashed, held so that it can be looked up all the same."""

    __slots__ = ("value",)

    def __init__(self, value: object) -> None:
        self.value = value

    def __hash__(self) -> int:
        return hash(type(self.value))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _ByEquality) and same_member(self.value, other.value)


def freeze(value: object) -> object:
    """Return a hashable stand-in for a plain value: the same values, and only they, have equal stand-ins."""
    if type(value) in (int, str, Fraction):
        return value
    match value:
        case dict() if type(value) is dict:
            return frozenset((key, freeze(each)) for key, each in value.items())
        case tuple() if type(value) is tuple:
            return tuple(freeze(each) for each in value)
    try:
        hash(value)
    except TypeError:
        return _ByEquality(value)
    return (type(value), value)


def has_atoms(kind: Kind) -> bool:
    """Tell whether values of the kind hold members of enumerations, which Python may find equal though they differ."""
    match kind:
        case AtomKind():
            return True
        case OptionKind(inner) | ListKind(inner):
            return has_atoms(inner)
        case RecordKind(fields):
            return any(has_atoms(inner) for _, inner in fields)
    return False


_DEFAULTS: dict[Kind, object] = {
    BOOL: False,
    INT: 0,
    REAL: Fraction(0),
    STR: "",
    DATE: datetime.date.min,
    TIME: datetime.time(0),
    DATETIME: datetime.datetime.min,
    TIMEDELTA: 0,
    NOTHING: None,
}

_INFIX = {"+", "-", "*", "//", "%", "==", "!=", "<", "<=", ">", ">=", "and", "or"}
_METHODS = {"contains", "startswith", "endswith", "matches", "is_in"}
_PROPERTIES = {"length", "present", "value", "field", "attribute"}
_PROPERTIES |= {"year", "month", "day", "weekday", "hour", "minute", "second", "days"}
_WRITTEN = {"and": "&", "or": "|"}


def decimal(number: Fraction) -> str:
    """Return an exact number as it was written: 3/20 was 0.15."""
    written = repr(float(number))
    return written if number.denominator > 1 and Fraction(written) == number else str(number)


def as_written(value: object, kind: Kind) -> object:
    """Return a constant as it was written: a span of time is held as a number."""
    match kind:
        case OptionKind(inner) if value is not None:
            return as_written(value, inner)
        case ListKind(inner):
            return tuple(as_written(each, inner) for each in value)  # type: ignore[attr-defined]
        case RecordKind(fields):
            return {name: as_written(value[name], inner) for name, inner in fields}  # type: ignore[index]
    return datetime.timedelta(microseconds=value) if kind == TIMEDELTA else value  # type: ignore[arg-type]


def text(node: Node, *, inside: bool = False) -> str:
    """Return the node as the user would write it."""
    match node:
        case Blank(name, _, side):
            return name if not side else f"{'ab'[side - 1]}.{name}"
        case Const(Fraction() as number):
            return decimal(number)
        case Const(value, kind):
            return repr(as_written(value, kind))
        case Variable(name):
            return name
        case ChosenAssertion(number):
            return f"choice {number}"
        case Opaque(function):
            return f"predicate {getattr(function, '__qualname__', repr(function))}"
        case Quantified(every, variable, items, body):
            return f"{text(items)}.{'each' if every else 'some'}(lambda {variable.name}: {text(body)})"
        case Aggregate():
            return _aggregate_text(node)
        case Op("not", (inner,)):
            return f"~{text(inner, inside=True)}"
        case Op("neg", (inner,)):
            return f"-{text(inner, inside=True)}"
        case Op(name, args) if name in _INFIX:
            written = f" {_WRITTEN.get(name, name)} ".join(text(arg, inside=True) for arg in args)
            return f"({written})" if inside else written
        case Op("accepted", (inner,), _, extra):
            return f"{text(inner)} takes {getattr(extra, 'label', extra)}"
        case Op("concat", (first, second)):
            return f"({text(first)} + {text(second)})" if inside else f"{text(first)} + {text(second)}"
        case Op("days_between" | "time_between", (first, second)):
            return f"({text(first)} - {text(second)})"
        case Op("add_days" | "add_time", (first, second)):
            return f"({text(first)} + {text(second)})"
        case Op("some", (inner,)):
            return text(inner, inside=inside)
        case Op("at", (items, index)):
            return f"{text(items)}[{text(index)}]"
        case Op(name, (first, *rest), _, extra) if name in _METHODS:
            shown = [repr(extra)] if extra is not None else [text(arg) for arg in rest]
            return f"{text(first, inside=True)}.{name}({', '.join(shown)})"
        case Op(name, (first,), _, extra) if name in _PROPERTIES:
            return f"{text(first, inside=True)}.{extra if name in ('field', 'attribute') else name}"
        case Op(name, args):
            return f"{name}({', '.join(text(arg) for arg in args)})"


def _aggregate_text(node: Aggregate) -> str:
    said = [] if node.body == node.variable else [f"lambda {node.variable.name}: {text(node.body)}"]
    said += ["descending=True"] * (node.name == "descending")
    return f"{text(node.items)}.{'sorted' if node.name == 'descending' else node.name}({', '.join(said)})"
