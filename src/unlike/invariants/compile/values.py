"""Values of a program that runs on all structures at once.

A value is a guarded union: None, objects, constants and containers each with the literal under which they are the
value, and a number (order-encoded: one literal "at least n" for each n) with the literal under which it is one. What is
known needs no literals: Python's own None, bool, int, str and tuple stand for themselves.
"""

from __future__ import annotations

import enum
import itertools
import types
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from unlike.errors import with_article
from unlike.invariants.compile.formula import FALSE, TRUE, Formula, Literal

MOST_ROWS = 2_000  # tuples that a tuple of open values can be


@dataclass(frozen=True, slots=True, eq=False)
class Thing:
    """One object of the heap: the number-th of its class."""

    cls: type
    number: int
    active: Literal  # whether it is in the structure

    def __repr__(self) -> str:
        return f"{self.cls.__name__}{self.number}"


@dataclass(frozen=True, slots=True)
class Identity:
    """What `id()` gives for an object: equal for the same object only."""

    thing: Thing


@dataclass(frozen=True, slots=True, eq=False)
class Number:
    """An int between low and high; steps[i] says that it is at least low + 1 + i."""

    low: int
    high: int
    steps: Sequence[Literal]

    def at_least(self, bound: int) -> Literal:
        """Return the literal that says so."""
        if bound <= self.low:
            return TRUE
        return FALSE if bound > self.high else self.steps[bound - self.low - 1]

    def plus(self, distance: int) -> Number:
        """Return the number moved by a known distance."""
        return Number(self.low + distance, self.high + distance, self.steps)

    def negate(self) -> Number:
        """Return minus the number."""
        bounds = range(-self.high + 1, -self.low + 1)
        return Number(-self.high, -self.low, [-self.at_least(1 - bound) for bound in bounds])


@dataclass(frozen=True, slots=True, eq=False)
class Truth:
    """A bool."""

    literal: Literal


@dataclass(frozen=True, slots=True, eq=False)
class Alternatives:
    """One of several values, each under its literal; a number under `is_number`. Exactly one holds where it is read."""

    atoms: dict[Any, Literal]
    number: Number | None = None
    is_number: Literal = FALSE


@dataclass(frozen=True, slots=True, eq=False)
class TupleValue:
    """A tuple that stands among other values: its parts, each a value."""

    parts: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Boxed:
    """A constant that equals others of another type: a float, a member of an enum of ints or strings."""

    kind: type
    value: Any


@dataclass(frozen=True, slots=True, eq=False)
class Unread:
    """A string or an exception that is made and not looked at: only its type and its truth are known."""

    kind: type
    is_true: bool | None = None


@dataclass(frozen=True, slots=True, eq=False)
class FunctionValue:
    """A function as a value: what it is, where its outer names live, its defaults, and whom it is bound to."""

    function: Any  # a Function of the program
    outer: Any  # the Frame in which it was made
    defaults: dict[str, Any] = field(default_factory=dict)
    receiver: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class BuiltinMethod:
    """A method of a container as a value, like `heap.append`."""

    owner: Any
    name: str


@dataclass(slots=True, eq=False)
class LazyValues:
    """What gives its values one after the other, and only once: a generator, `map`, `filter`.

    `each` goes over it under a guard: it hands on every value with the guard under which it comes, goes on where the
    guard that it gets back says so, and returns the guard under which it came to its end.
    """

    each: Callable[[Literal, Callable[[Literal, Any], Literal]], Literal]
    begun: Literal = FALSE
    ended: Literal = FALSE


@dataclass(slots=True, eq=False)
class ContainerValue:
    """What lists, sets and dicts have in common: whether they belong to the structure, and how often they changed."""

    fixed: bool = False  # part of the structure: the invariant may read it and nothing more
    kind: str = ""  # which type it has, where that is not the usual one
    maker: Any = None  # a Maker, of a container of the structure that is no plain list, tuple or dict
    shrunk: int = 0
    grown: int = 0
    born: int = 0  # when it was made, in steps of the run


@dataclass(slots=True, eq=False)
class SetValue(ContainerValue):
    """Members, each with the literal under which it is in."""

    members: dict[Any, Literal] = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class DictValue(ContainerValue):
    """Keys, each with the literal under which it is in, and its value there; and how keys came in, in order."""

    entries: dict[Any, tuple[Literal, Any]] = field(default_factory=dict)
    log: list[tuple[Literal, Any]] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class ListValue(ContainerValue):
    """Entries in order, each with the literal under which it is there.

    While objects of one class come in by rising number, `queue` holds them instead: object to literal. Then taking the
    first one needs no search through entries.
    """

    entries: list[tuple[Literal, Any]] = field(default_factory=list)
    queue: dict[Thing, Literal] | None = field(default_factory=dict)
    dense: bool = False  # an entry is there only if all before it are, so its place is its position
    view_of: tuple[DictValue, int] | None = None  # the dict whose keys, values or items these are, and its changes then

    def leave_queue(self) -> list[tuple[Literal, Any]]:
        """Return the entries, from now on as a plain list."""
        if self.queue is not None:
            self.entries = self.list_entries()
            self.queue = None
        return self.entries

    def list_entries(self) -> list[tuple[Literal, Any]]:
        """Return the entries as they are now."""
        if self.view_of is not None and self.view_of[1] != self.view_of[0].shrunk + self.view_of[0].grown:
            raise UnsupportedError("keys, values or items of a dict that has changed since")
        if self.queue is None:
            return list(self.entries)
        return [(self.queue[thing], thing) for thing in sorted(self.queue, key=lambda each: each.number)]


def list_value(values: Iterable[Value]) -> ListValue:
    """Return a list in which all these values are."""
    return ListValue(entries=[(TRUE, each) for each in values], queue=None, dense=True)


@dataclass(frozen=True, slots=True)
class RangeValue:
    """What `range` gives."""

    start: Any
    stop: Any
    step: int = 1


Value: TypeAlias = Any


class UnsupportedError(Exception):
    """Something outside the subset; `line` is where."""

    def __init__(self, what: str, where: str = "", line: int | None = None) -> None:
        super().__init__(what)
        self.what = what
        self.where = where
        self.line = line

    def __str__(self) -> str:
        place = self.where if self.line is None else f"{self.where}, line {self.line}"
        return f"{place}: {self.what}" if place else self.what


HIDDEN = TupleValue | Boxed | Unread | FunctionValue | BuiltinMethod | LazyValues | RangeValue
NAMED = types.FunctionType | types.BuiltinFunctionType | types.MethodDescriptorType | types.MethodType
ATOMS = bool | str | bytes | type | Thing | Identity | ContainerValue | HIDDEN | NAMED


def is_atom(value: Value) -> bool:
    """Tell whether a value can stand in a union as it is, compared by identity or as a constant."""
    return value is None or isinstance(value, ATOMS) or (isinstance(value, enum.Enum) and box_constant(value) is value)


def box_constant(value: Any) -> Any:
    """Return a constant as it stands in a union: what equals constants of other types is put into a box."""
    if isinstance(value, float) or (isinstance(value, enum.Enum) and isinstance(value, int | str | bytes)):
        return Boxed(type(value), value)
    return value


def unbox(atom: Any) -> Any:
    """Return what an atom of a union is for Python."""
    return atom.value if isinstance(atom, Boxed) else atom


def is_constant(atom: Any) -> bool:
    """Tell whether an atom of a union is a plain value of Python's."""
    return atom is None or isinstance(atom, bool | str | bytes | enum.Enum | Boxed)


def made_plain(value: Value) -> Value:
    """Return a union of one as that one value, and a tuple among others as a tuple."""
    if isinstance(value, Alternatives):
        if value.number is None and len(value.atoms) == 1:
            value = next(iter(value.atoms))
        elif value.number is not None and not value.atoms:
            return value.number
    return value.parts if isinstance(value, TupleValue) else value


class Algebra:
    """Operations on values, as gates of one formula."""

    def __init__(self, formula: Formula) -> None:
        self.formula = formula

    # -- views ---------------------------------------------------------------------------------------

    def alternatives(self, value: Value) -> Alternatives:
        """Return any plain value as a union."""
        match value:
            case Alternatives():
                return value
            case Truth(literal):
                return Alternatives({True: literal, False: -literal})
            case Number():
                return Alternatives({}, value, TRUE)
            case int() if not isinstance(value, bool | enum.Enum):
                return Alternatives({}, Number(value, value, ()), TRUE)
            case tuple():
                return Alternatives({TupleValue(value): TRUE})
            case _ if is_atom(value):
                return Alternatives({value: TRUE})
            case float() | enum.Enum():
                return Alternatives({box_constant(value): TRUE})
        raise UnsupportedError(f"{with_article(type(value).__name__)} among other values")

    def keys(self, value: Value) -> list[tuple[Any, Literal]]:
        """Return every single value that the value can be, with its literal; numbers and tuples of atoms included."""
        if isinstance(value, tuple):
            rows: list[tuple[tuple[Any, ...], Literal]] = [((), TRUE)]
            for part in value:
                options = self.keys(part)
                rows = [((*row, key), self.formula.both(have, more)) for row, have in rows for key, more in options]
                if len(rows) > MOST_ROWS:
                    raise UnsupportedError("tuples that can be very many")
            return [(row, literal) for row, literal in rows if literal != FALSE]
        whole = self.alternatives(value)
        found: list[tuple[Any, Literal]] = []
        for atom, literal in whole.atoms.items():
            if isinstance(atom, ListValue) and atom.kind == "tuple":
                found += [(key, self.formula.both(literal, more)) for key, more in self._tuple_keys(atom)]
            elif isinstance(atom, TupleValue):
                found += [(key, self.formula.both(literal, more)) for key, more in self.keys(atom.parts)]
            else:
                found.append((as_key(atom), literal))
        if whole.number is not None:
            number = whole.number
            found += [
                (each, self.formula.both(whole.is_number, self.is_exactly(number, each)))
                for each in range(number.low, number.high + 1)
            ]
        merged: dict[Any, Literal] = {}
        for key, literal in found:
            if literal == FALSE:
                continue
            if key in merged and isinstance(key, float | enum.Enum):  # 1.0 beside 1: which of them it is matters
                raise UnsupportedError("equal keys of different types")
            merged[key] = self.formula.either(merged[key], literal) if key in merged else literal
        return list(merged.items())

    def _tuple_keys(self, held: ListValue) -> list[tuple[Any, Literal]]:
        """Return every tuple that a tuple of the structure can be: one of each length."""
        found = []
        for length in range(len(held.entries) + 1):
            there = [under for under, _ in held.entries[:length]]
            beyond = [-under for under, _ in held.entries[length : length + 1]]
            under = self.formula.both(*there, *beyond)
            if under != FALSE:
                parts = tuple(value for _, value in held.entries[:length])
                found += [(key, self.formula.both(under, more)) for key, more in self.keys(parts)]
        return found

    # -- numbers -------------------------------------------------------------------------------------

    def fresh_number(self, low: int, high: int) -> Number:
        """Return a number that may be anything between the bounds."""
        steps = [self.formula.new() for _ in range(high - low)]
        for lower, higher in itertools.pairwise(steps):
            self.formula.add(-higher, lower)
        return Number(low, high, steps)

    def is_exactly(self, number: Number, value: int) -> Literal:
        """Return the literal that says that the number is this one."""
        return self.formula.both(number.at_least(value), -number.at_least(value + 1))

    def less(self, left: Number, right: Number) -> Literal:
        """Return whether left < right."""
        bounds = range(min(left.low, right.low) + 1, max(left.high, right.high) + 1)
        ways = [self.formula.both(right.at_least(bound), -left.at_least(bound)) for bound in bounds]
        return self.formula.either(*ways)

    def equal_numbers(self, left: Number, right: Number) -> Literal:
        """Return whether both are equal."""
        if left.low == left.high:
            return self.is_exactly(right, left.low)
        if right.low == right.high:
            return self.is_exactly(left, right.low)
        return self.formula.both(-self.less(left, right), -self.less(right, left))

    def merge_numbers(self, parts: Sequence[tuple[Literal, Number]]) -> Number:
        """Return the number that is each of these under its literal; anything where none of them is."""
        if not parts:
            return Number(0, 0, ())
        if len(parts) == 1:
            return parts[0][1]
        low = min(number.low for _, number in parts)
        high = max(number.high for _, number in parts)
        both, either = self.formula.both, self.formula.either
        steps = [
            either(*(both(literal, number.at_least(bound)) for literal, number in parts))
            for bound in range(low + 1, high + 1)
        ]
        return Number(low, high, steps)

    def sum_of(self, left: Number, right: Number) -> Number:
        """Return left + right."""
        if right.low == right.high:
            return left.plus(right.low)
        if left.low == left.high:
            return right.plus(left.low)
        low, high = left.low + right.low, left.high + right.high
        both, either = self.formula.both, self.formula.either
        steps = [
            either(
                *(both(left.at_least(part), right.at_least(bound - part)) for part in range(left.low, left.high + 1))
            )
            for bound in range(low + 1, high + 1)
        ]
        return Number(low, high, steps)

    def extreme(self, numbers: Sequence[Number], *, largest: bool) -> Number:
        """Return the least or the largest of the numbers."""
        low, high = min(each.low for each in numbers), max(each.high for each in numbers)
        gate = self.formula.either if largest else self.formula.both
        return Number(
            low, high, [gate(*(each.at_least(bound) for each in numbers)) for bound in range(low + 1, high + 1)]
        )

    def count(self, literals: Sequence[Literal]) -> Number:
        """Return how many of the literals are true."""
        units = self.formula.units
        certain = sum(each in units for each in literals)
        steps: list[Literal] = []
        for literal in literals:
            if literal in units or -literal in units:
                continue
            below = [TRUE, *steps]
            above = [*steps, FALSE]
            steps = [
                self.formula.either(above[place], self.formula.both(literal, below[place]))
                for place in range(len(above))
            ]
        return Number(certain, certain + len(steps), steps)

    def tie_numbers(self, one: Number, other: Number, unless: Literal) -> None:
        """Assert that both numbers are equal, unless the literal holds."""
        for bound in range(min(one.low, other.low) + 1, max(one.high, other.high) + 1):
            self.formula.equate(one.at_least(bound), other.at_least(bound), unless)

    # -- any values ----------------------------------------------------------------------------------

    def merge(self, cases: Sequence[tuple[Literal, Value]]) -> Value:
        """Return the value that is each of these under its literal; exactly one literal holds where it is read."""
        cases = [(literal, value) for literal, value in cases if literal != FALSE]
        if not cases:
            return None
        first = cases[0][1]
        if len(cases) == 1 or all(value is first for _, value in cases):
            return first
        if isinstance(first, tuple) and all(
            isinstance(value, tuple) and len(value) == len(first) for _, value in cases
        ):
            return tuple(
                self.merge([(literal, value[place]) for literal, value in cases]) for place in range(len(first))
            )
        if all(isinstance(value, Truth | bool) for _, value in cases):
            ways = [self.formula.both(literal, self.plain_truth(value)) for literal, value in cases]
            return Truth(self.formula.either(*ways))
        return self._union([(literal, self.alternatives(value)) for literal, value in cases])

    def _union(self, cases: Sequence[tuple[Literal, Alternatives]]) -> Alternatives:
        both, either = self.formula.both, self.formula.either
        ways: dict[Any, list[Literal]] = {}
        numbers: list[tuple[Literal, Number]] = []
        tuples: dict[int, list[tuple[Literal, Value]]] = {}
        for literal, value in cases:
            for atom, under in value.atoms.items():
                if (way := both(literal, under)) == FALSE:
                    continue
                if isinstance(atom, TupleValue):
                    tuples.setdefault(len(atom.parts), []).append((way, atom.parts))
                else:
                    ways.setdefault(atom, []).append(way)
            if value.number is not None and (way := both(literal, value.is_number)) != FALSE:
                numbers.append((way, value.number))
        atoms = {atom: either(*literals) for atom, literals in ways.items()}
        for alike in tuples.values():
            atoms[TupleValue(self.merge(alike))] = either(*(way for way, _ in alike))
        if not numbers:
            return Alternatives(atoms)
        is_number = either(*(literal for literal, _ in numbers)) if atoms else TRUE
        return Alternatives(atoms, self.merge_numbers(numbers), is_number)

    def plain_truth(self, value: Truth | bool) -> Literal:
        """Return a bool as a literal."""
        return value.literal if isinstance(value, Truth) else TRUE if value else FALSE


def as_key(atom: Any) -> Any:
    """Return the atom as sets and dicts see it: True is 1."""
    return int(atom) if isinstance(atom, bool) else unbox(atom)
