"""A spec taken apart: units that can be chosen one by one, assertions with the units they tie together, choices.

A unit is a blank, or a field of a record reached through records only. Assertions that share a unit tie their units
into one component; components are independent of each other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TypeAlias

from unlike.foreign import foreign
from unlike.language.differences import Difference
from unlike.language.spec import Spec
from unlike.language.terms import Blank, Node, Op, Opaque, text, walk
from unlike.language.values import Record, Value, bounds_in_words, build
from unlike.specs.core_difference import Core, core_of, in_words, parts_of

Path: TypeAlias = tuple[str, ...]
Fragment: TypeAlias = dict[object, object]  # from a unit's path, or a choice's number, to its plain value


@dataclass(frozen=True, slots=True)
class Unit:
    """A part of the input that is chosen as a whole, and the term that stands for it."""

    path: Path
    value: Value
    term: Node


@dataclass(frozen=True, slots=True)
class Assertion:
    """Something every input satisfies, in terms and in words, and the units it speaks of."""

    node: Node
    words: str
    units: frozenset[Path]

    @property
    def opaque(self) -> bool:
        """Whether plain Python hides what it says."""
        return any(isinstance(inner, Opaque) for inner in walk(self.node))


@dataclass(frozen=True, slots=True)
class Problem:
    """A spec taken apart."""

    blanks: Mapping[str, Value]
    units: Mapping[Path, Unit]
    assertions: tuple[Assertion, ...]
    difference: Core
    places: Mapping[str, str] = field(default_factory=dict)  # words of a message: who says so
    refused: list[tuple[str, object]] = field(default_factory=list)  # blanks that could not be built, as they are noted

    def build(self, name: str, plain: object) -> object:
        """Return the object of a blank; what its builder refuses is noted."""
        return _build_noting(self.refused, name, self.blanks[name], plain)

    def words(self, path: Path) -> str:
        """Return what the declaration of a unit says."""
        return bounds_in_words(".".join(path), self.units[path].value)


def take_apart(spec: Spec) -> Problem:
    """Return the spec as units, assertions and a numbered difference.

    >>> spec = Spec({"low": Int(0, 9), "high": Int(0, 9), "name": Str()}, where=lambda low, high, name: low < high)
    >>> list(take_apart(spec).units), [(each.words, sorted(each.units)) for each in take_apart(spec).assertions]
    ([('low',), ('high',), ('name',)], [('low < high', [('high',), ('low',)])])
    """
    units = {unit.path: unit for name, value in spec.blanks.items() for unit in _units(Blank(name, value.kind), value)}
    assertions = []
    refused: list[tuple[str, object]] = []
    for node in spec.assertions:
        for part in conjuncts(node):
            built = _with_built_arguments(part, spec.blanks, refused)
            assertions.append(Assertion(built, text(part), units_of(part, units)))
    core, places = core_of(spec.difference), MappingProxyType(_places(spec, units))
    return Problem(MappingProxyType(spec.blanks), MappingProxyType(units), tuple(assertions), core, places, refused)


def _places(spec: Spec, units: Mapping[Path, Unit]) -> dict[str, str]:
    """Return for what a message may say (an assertion, bounds, a choice) the statement of the text that says it."""
    places: dict[str, str] = {}
    for what, statement in spec.places:
        match what:
            case str():
                for path, unit in units.items():
                    if path[0] == what:
                        places[bounds_in_words(".".join(path), unit.value)] = statement
            case _ if isinstance(what, Difference):
                for part in parts_of(core_of(what)):
                    places[in_words(part)] = statement
            case _:
                for node in conjuncts(what):  # type: ignore[arg-type]
                    places[text(node)] = statement
    return places


def conjuncts(node: Node) -> Iterator[Node]:
    """Yield the conditions that must all hold for the node to hold."""
    if isinstance(node, Op) and node.name == "and":
        for arg in node.args:
            yield from conjuncts(arg)
    else:
        yield node


def _units(term: Node, value: Value, path: Path = ()) -> Iterator[Unit]:
    here = path or (term.name,) if isinstance(term, Blank) else path
    match value:
        case Record(fields):
            for name, inner in fields:
                yield from _units(Op("field", (term,), inner.kind, name), inner, (*here, name))
        case _:
            yield Unit(here, value, term)


def units_of(node: Node, units: Iterable[Path]) -> frozenset[Path]:
    """Return the paths of the units that the node speaks of."""
    known = tuple(units)
    found: set[Path] = set()

    def below(path: Path) -> None:
        found.update(unit for unit in known if unit[: len(path)] == path)

    def visit(inner: Node) -> None:
        path = path_of(inner)
        match inner:
            case _ if path is not None:
                shortest = next((path[:end] for end in range(1, len(path) + 1) if path[:end] in known), path)
                below(shortest)
            case Opaque(_, names):
                for name in names:
                    below((name,))
            case Op(_, args):
                for arg in args:
                    visit(arg)
            case _:
                for child in walk(inner):
                    if child is not inner and (isinstance(child, Blank) or path_of(child) is not None):
                        visit(child)

    visit(node)
    return frozenset(found)


def path_of(node: Node) -> Path | None:
    """Return the path of a blank or of a field of a field … of a blank."""
    match node:
        case Blank(name):
            return (name,)
        case Op("field", (inner,), _, str(name)):
            before = path_of(inner)
            return None if before is None else (*before, name)
    return None


def _with_built_arguments(node: Node, blanks: Mapping[str, Value], refused: list[tuple[str, object]]) -> Node:
    """Return the node with plain Python predicates wrapped, so that they are given built objects."""
    match node:
        case Opaque(function, names):
            return Opaque(_on_built(function, {name: blanks[name] for name in names}, refused), names)
        case Op(name, args, kind, extra):
            return Op(name, tuple(_with_built_arguments(arg, blanks, refused) for arg in args), kind, extra)
    return node


def _on_built(
    function: Callable[..., object], values: Mapping[str, Value], refused: list[tuple[str, object]]
) -> Callable[..., object]:
    def on_plain(*plains: object) -> object:
        parts = zip(values.items(), plains, strict=True)
        return foreign(function, *(_build_noting(refused, name, value, plain) for (name, value), plain in parts))

    return on_plain


def _build_noting(refused: list[tuple[str, object]], name: str, value: Value, plain: object) -> object:
    try:
        return build(value, plain)
    except (Exception, SystemExit):
        refused.append((name, plain))
        raise
