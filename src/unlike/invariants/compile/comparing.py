"""Equality and order of values, as Python has them: by contents, by constants, by what a class says."""

from __future__ import annotations

import dataclasses
import enum
import types
from collections import Counter, OrderedDict, defaultdict, deque
from typing import Any

from unlike.errors import with_article
from unlike.invariants.compile.formula import FALSE, TRUE, Literal
from unlike.invariants.compile.program import member_of
from unlike.invariants.compile.recursion import run_waiting_bodies
from unlike.invariants.compile.run import Run, Site
from unlike.invariants.compile.sequences import Entries, dense_entries
from unlike.invariants.compile.values import (
    Alternatives,
    Boxed,
    BuiltinMethod,
    ContainerValue,
    DictValue,
    FunctionValue,
    Identity,
    LazyValues,
    ListValue,
    Number,
    RangeValue,
    SetValue,
    Thing,
    Truth,
    TupleValue,
    Unread,
    UnsupportedError,
    Value,
    is_constant,
    list_value,
    made_plain,
    unbox,
)
from unlike.invariants.fields.domains import Maker
from unlike.recipe import CONTAINERS

KINDS: dict[str, Any] = {
    **CONTAINERS,
    "deque": deque,
    "Counter": Counter,
    "OrderedDict": OrderedDict,
    "defaultdict": defaultdict,
    "dict_keys": type({}.keys()),
    "dict_values": type({}.values()),
    "dict_items": type({}.items()),
}


def class_of(atom: Any) -> type:
    """Return the class of one value."""
    match atom:
        case Thing(cls):
            return cls
        case Identity() | Number():
            return int
        case Truth():
            return bool
        case TupleValue():
            return tuple
        case Unread(kind):
            return kind
        case FunctionValue():
            return types.MethodType if atom.receiver else types.FunctionType
        case BuiltinMethod():
            return types.BuiltinMethodType
        case RangeValue():
            return range
        case LazyValues():
            return types.GeneratorType
        case ListValue(kind="tuple", maker=Maker(cls)):
            return cls
        case ContainerValue():
            usual = {SetValue: set, ListValue: list, DictValue: dict}[type(atom)]
            found: type = KINDS.get(atom.kind, usual)
            return found
    return type(unbox(atom))


def describe_value(value: Value) -> str:
    """Return what a value is called in a message."""
    match value:
        case Alternatives():
            return "one of several things"
        case Number():
            return "a number"
        case Identity():
            return "an id"
        case Unread(kind) if issubclass(kind, str):
            return "a text that is not looked at"
        case LazyValues():
            return "a generator"
    if is_constant(value):
        return repr(unbox(value))
    return with_article(class_of(value).__name__)


# -- equality ----------------------------------------------------------------------------------------------


def equal(run: Run, left: Value, right: Value, site: Site, *, same: bool = False) -> Literal:
    """Return whether both are equal; with `same`, whether both are one object (`is`)."""
    left, right = made_plain(left), made_plain(right)
    if isinstance(left, tuple) and isinstance(right, tuple):
        if same:
            run.refuse(site, "whether two tuples are one object")
        if len(left) != len(right):
            return FALSE
        return run.formula.both(*(equal(run, one, other, site) for one, other in zip(left, right, strict=True)))
    one, other = run.algebra.alternatives(left), run.algebra.alternatives(right)
    both = run.formula.both
    if not same:
        deep_one = {atom for atom in one.atoms if _is_deep(atom)}
        deep_other = {atom for atom in other.atoms if _is_deep(atom)}
    else:
        deep_one, deep_other = set(), set()
    ways = [
        both(literal, other.atoms[atom])
        for atom, literal in one.atoms.items()
        if atom in other.atoms and atom not in deep_one
    ]
    if deep_one or deep_other:
        for atom, literal in one.atoms.items():
            for another, its in other.atoms.items():
                if atom in deep_one or another in deep_other:
                    under = run.prover.possible(both(site.guard, literal, its))
                    if under != FALSE:
                        ways.append(both(literal, its, _equal_atoms(run, atom, another, site.under(under))))
    if one.number is not None and other.number is not None:
        ways.append(both(one.is_number, other.is_number, run.algebra.equal_numbers(one.number, other.number)))
    if not same:
        ways += _constants_as_numbers(run, one, other)
        ways += _constants_as_numbers(run, other, one)
    return run.formula.either(*ways)


def _constants_as_numbers(run: Run, one: Alternatives, other: Alternatives) -> list[Literal]:
    """Return the ways in which a bool or another constant equals a number: True == 1."""
    if other.number is None:
        return []
    found = []
    for atom, literal in one.atoms.items():
        plain = unbox(atom)
        if isinstance(plain, int) or (isinstance(plain, float) and plain.is_integer()):
            found.append(run.formula.both(literal, other.is_number, run.algebra.is_exactly(other.number, int(plain))))
    return found


def _is_deep(atom: Any) -> bool:
    """Tell whether an atom equals more than itself."""
    if isinstance(atom, Thing):
        return defines(atom.cls, "__eq__")
    return isinstance(atom, ContainerValue | TupleValue | RangeValue | Unread) or atom is not unbox(atom)


def _equal_atoms(run: Run, one: Any, other: Any, site: Site) -> Literal:
    """Return whether two atoms are equal, one of which equals more than itself."""
    if one is other and not isinstance(one, Thing | Boxed):
        return TRUE
    one, other = as_set(one), as_set(other)
    for each in (one, other):
        run_waiting_bodies(run, each, site.node)
    match one, other:
        case ((TupleValue() | ListValue()), (TupleValue() | ListValue())):
            return _equal_sequences(run, one, other, site)
        case SetValue(), SetValue():
            return _equal_members(run, one.members, other.members)
        case DictValue(), DictValue():
            return _equal_dicts(run, one, other, site)
        case Thing(), _:
            return _equal_by_class(run, one, other, site)
        case _, Thing():
            return _equal_by_class(run, other, one, site)
        case (RangeValue(), RangeValue()) | (Unread(), Unread()):
            run.refuse(site, f"whether {describe_value(one)} equals {describe_value(other)}")
        case (Unread(kind), each) | (each, Unread(kind)):
            if isinstance(unbox(each), kind):
                run.refuse(site, f"whether {describe_value(one)} equals {describe_value(other)}")
            return FALSE
    if is_constant(one) and is_constant(other):
        return TRUE if unbox(one) == unbox(other) else FALSE
    return FALSE


def entries_of(run: Run, sequence: TupleValue | ListValue) -> Entries:
    """Return the entries of a list or a tuple, one after the other."""
    return dense_entries(run, sequence if isinstance(sequence, ListValue) else list_value(sequence.parts))


def _equal_sequences(run: Run, one: TupleValue | ListValue, other: TupleValue | ListValue, site: Site) -> Literal:
    if sequence_kind(one) is not sequence_kind(other):
        return FALSE
    both, possible = run.formula.both, run.prover.possible
    first, second = entries_of(run, one), entries_of(run, other)
    alike = TRUE
    for place in range(max(len(first), len(second))):
        (here, value), (there, another) = (
            entries[place] if place < len(entries) else (FALSE, None) for entries in (first, second)
        )
        shared = both(here, there)
        same = FALSE
        under = possible(both(site.guard, alike, shared))
        if under != FALSE:
            same = both(shared, equal(run, value, another, site.under(under)))
        alike = both(alike, run.formula.either(same, both(-here, -there)))
        if alike == FALSE:
            break
    return alike


def as_set(value: Any) -> Any:
    """Return the keys of a dict as a set, anything else as it is."""
    if not isinstance(value, ListValue) or value.kind != "dict_keys":
        return value
    members: dict[Any, Literal] = {}
    assert isinstance(value.view_of, tuple)
    for key, (present, _) in value.view_of[0].entries.items():
        members[key] = present
    return SetValue(True, members=members)


def sequence_kind(sequence: TupleValue | ListValue) -> type:
    """Return which sequences it can equal: lists, tuples (named or not), deques."""
    if isinstance(sequence, ListValue) and sequence.view_of is not None:
        raise UnsupportedError("comparing what a dict holds")
    kind = class_of(sequence)
    return next(base for base in (tuple, list, kind) if issubclass(kind, base))


def _equal_members(run: Run, one: dict[Any, Literal], other: dict[Any, Literal]) -> Literal:
    both, either = run.formula.both, run.formula.either
    alike = []
    for key in dict.fromkeys([*one, *other]):
        here, there = one.get(key, FALSE), other.get(key, FALSE)
        alike.append(either(both(here, there), both(-here, -there)))
    return both(*alike)


def _equal_dicts(run: Run, one: DictValue, other: DictValue, site: Site) -> Literal:
    kinds = {class_of(one).__name__, class_of(other).__name__}
    if "Counter" in kinds or kinds == {"OrderedDict"}:
        run.refuse(site, "comparing dicts of this kind")
    both = run.formula.both
    presents = [{key: present for key, (present, _) in each.entries.items()} for each in (one, other)]
    alike = _equal_members(run, *presents)
    for key, (present, value) in one.entries.items():
        if key not in other.entries:
            continue
        there, another = other.entries[key]
        under = run.prover.possible(both(site.guard, alike, present, there))
        if under != FALSE:
            same = equal(run, value, another, site.under(under))
            alike = both(alike, run.formula.either(-present, same))
    return alike


def _equal_by_class(run: Run, one: Thing, other: Any, site: Site) -> Literal:
    """Return whether objects are equal whose class says what that means."""
    found = member_of(one.cls, "__eq__")
    if is_generated(one.cls, found):
        if not isinstance(other, Thing) or one.cls is not other.cls:
            return TRUE if one is other else FALSE
        if one is other:
            return TRUE
        return _equal_fields(run, one, other, site)
    if not isinstance(found, types.FunctionType) or (isinstance(other, Thing) and other.cls is not one.cls):
        run.refuse(site, f"comparing objects of {one.cls.__name__}, which defines __eq__")
    return truth_of(run, run.invoke(run.program.function(found), [one, other], site.guard, assume=False), site)


def _equal_fields(run: Run, one: Thing, other: Thing, site: Site) -> Literal:
    """Return whether two objects of a dataclass are equal, field by field."""
    guard = run.prover.feasible(site.guard)
    if guard == FALSE:
        return FALSE
    if run.pending.depth > run.bound:
        run.note_exceeded(guard, f"comparing objects of {one.cls.__name__}")
        return FALSE
    run.pending.depth += 1
    try:
        alike = TRUE
        for name in compared_fields(one.cls):
            under = run.prover.possible(run.formula.both(guard, alike))
            if under == FALSE:
                break
            value, another = (run.heap.fields[each, name] for each in (one, other))
            alike = run.formula.both(alike, equal(run, value, another, site.under(under)))
        return alike
    finally:
        run.pending.depth -= 1


def is_generated(cls: type, method: object) -> bool:
    """Tell whether a method was written by `dataclass`."""
    code = getattr(method, "__code__", None)
    return dataclasses.is_dataclass(cls) and code is not None and code.co_filename == "<string>"


def compared_fields(cls: Any) -> list[str]:
    """Return the fields that decide about equality and order of a dataclass."""
    return [each.name for each in dataclasses.fields(cls) if each.compare]


def defines(cls: type, name: str) -> bool:
    """Tell whether a class has a method of its own where `object` has a usual one, or none."""
    return getattr(cls, name, None) is not getattr(object, name, None)


# -- truth -------------------------------------------------------------------------------------------------


def truth_of(run: Run, value: Value, site: Site) -> Literal:
    """Return whether Python takes the value for true."""
    either = run.formula.either
    match value:
        case Truth(literal):
            return literal
        case ListValue():
            return either(*(literal for literal, _ in value.list_entries()))
        case SetValue():
            run_waiting_bodies(run, value, site.node)
            return either(*value.members.values())
        case DictValue(entries=entries):
            return either(*(literal for literal, _ in entries.values()))
        case Number() | Alternatives():
            whole, both = run.algebra.alternatives(value), run.formula.both
            ways = []
            for atom, literal in whole.atoms.items():
                under = both(site.guard, literal)
                ways.append(both(literal, truth_of(run, atom, site.under(under))) if under != FALSE else FALSE)
            if whole.number is not None:
                ways.append(both(whole.is_number, -run.algebra.is_exactly(whole.number, 0)))
            return either(*ways)
        case Thing():
            return _truth_of_object(run, value, site)
        case RangeValue(start, stop, 1):
            return run.algebra.less(run.numeric(start, site.guard), run.numeric(stop, site.guard))
        case Unread(_, bool() as known):
            return TRUE if known else FALSE
        case TupleValue(parts):
            return TRUE if parts else FALSE
        case (
            type()
            | types.FunctionType()
            | types.BuiltinFunctionType()
            | FunctionValue()
            | BuiltinMethod()
            | LazyValues()
        ):
            return TRUE
        case None | bool() | int() | str() | tuple() | float() | bytes() | frozenset() | enum.Enum():
            return TRUE if value else FALSE
        case _ if is_constant(value):
            return TRUE if unbox(value) else FALSE
    return run.refuse(site, f"the truth of {describe_value(value)}")


def _truth_of_object(run: Run, thing: Thing, site: Site) -> Literal:
    """Return whether an object is true: by `__bool__`, or by `__len__`, or because it is there."""
    for name in ("__bool__", "__len__"):
        found = member_of(thing.cls, name)
        if isinstance(found, types.FunctionType):
            value = run.invoke(run.program.function(found), [thing], site.guard, assume=False)
            return truth_of(run, value, site)
        if found is not None:
            run.refuse(site, f"the truth of {with_article(thing.cls.__name__)}, which defines {name}")
    return TRUE


def is_numeric(value: Value) -> bool:
    """Tell whether arithmetic on the value is arithmetic on ints, or an exception."""
    if value is None or isinstance(value, Number | Truth) or type(value) in (int, bool):
        return True
    return isinstance(value, Alternatives) and all(atom is None or isinstance(atom, bool) for atom in value.atoms)
