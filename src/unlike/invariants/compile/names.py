"""What names, attributes and parameters stand for, and how variables get their values."""

from __future__ import annotations

import ast
import enum
import types
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any

from unlike.invariants.compile.comparing import class_of, describe_value
from unlike.invariants.compile.containers import as_list, go_over, store_item
from unlike.invariants.compile.formula import FALSE, TRUE, Literal
from unlike.invariants.compile.operators import lift_constant
from unlike.invariants.compile.program import UNKNOWN, Function, global_of, member_of
from unlike.invariants.compile.run import Frame, Run, Site
from unlike.invariants.compile.sequences import count_items, dense_entries, entry_at, new_list, store_entry
from unlike.invariants.compile.values import (
    NAMED,
    Alternatives,
    BuiltinMethod,
    ContainerValue,
    DictValue,
    FunctionValue,
    ListValue,
    Number,
    Thing,
    Truth,
    TupleValue,
    Value,
    is_constant,
    made_plain,
    unbox,
)


def constant(run: Run, value: object, site: Site) -> Value:
    """Return a constant of the source, or of a module or class."""
    if isinstance(value, NAMED | types.ModuleType):
        return value
    if isinstance(value, list | set | dict | frozenset):
        if id(value) not in run.lifted:
            run.lifted[id(value)] = value, lift_constant(run, value, site)
        return run.lifted[id(value)][1]
    return lift_constant(run, value, site)


def named_value(run: Run, name: str, site: Site) -> Value:
    """Return the value of a variable, or what the name stands for in the module."""
    frame = site.frame
    if frame.owner_of(name) is not None:
        return run.read(site, name)
    if frame.has_own(name):  # a variable that has no value yet
        run.reject(site.guard, kind=UnboundLocalError)
        return None
    if (value := global_of(frame.function, name)) is UNKNOWN:
        run.reject(site.guard, kind=NameError)
        return None
    return constant(run, value, site)


def attributes_of(run: Run, owner: Value, name: str, site: Site) -> list[tuple[Literal, Value]]:
    """Return an attribute for each object that the owner can be; None has none, which is an exception."""
    if isinstance(owner, types.ModuleType):
        return [(TRUE, constant(run, getattr(owner, name), site))]
    whole = run.algebra.alternatives(run.narrow(owner, site.guard))
    if whole.number is not None:
        run.refuse(site, f"the attribute {name!r} of a number")
    alone = len(whole.atoms) == 1
    cases: list[tuple[Literal, Value]] = []
    for atom, literal in whole.atoms.items():
        if -literal in run.formula.units:
            continue
        here = site.under(run.formula.both(site.guard, literal))
        match atom:
            case None:
                run.reject(site.guard, literal, AttributeError)
            case Thing():
                cases.append((literal, _attribute(run, atom, name, here, alone=alone)))
            case type():
                cases.append((literal, _class_attribute(run, atom, name, here)))
            case _ if is_constant(atom) and isinstance(unbox(atom), enum.Enum):
                cases.append((literal, _enum_attribute(run, unbox(atom), name, here)))
            case _:
                cases.append((literal, _builtin_attribute(run, atom, name, here)))
    return cases


def _builtin_attribute(run: Run, atom: Any, name: str, site: Site) -> Value:
    """Return an attribute of a container or a text: its methods, or a place of a named tuple."""
    cls = class_of(atom)
    if not isinstance(atom, ContainerValue | TupleValue | str | bytes):
        run.refuse(site, f"the attribute {name!r} of {describe_value(atom)}")
    places = getattr(cls, "_fields", ())
    if name in places and isinstance(atom, ListValue):
        return entry_at(run, atom, places.index(name), site.guard)
    own = member_of(cls, name)
    if places and isinstance(own, types.FunctionType | property) and not name.startswith("_"):
        return _member(run, cls, name, atom, site)
    if name == "maxlen" and cls is deque and isinstance(atom, ListValue):
        return atom.maker.argument if atom.maker is not None else None
    if not hasattr(cls, name):
        run.reject(site.guard, kind=AttributeError)
        return None
    if (name.startswith("_") and name != "__contains__" and name != "__getitem__") or not callable(own):
        run.refuse(site, f"the attribute {name!r} of {describe_value(atom)}")
    return BuiltinMethod(atom, name)


def _attribute(run: Run, thing: Thing, name: str, site: Site, *, alone: bool) -> Value:
    """Return an attribute of one object: a field, a property, a method, or a constant of its class."""
    if (thing, name) in run.heap.fields:
        return run.field(thing, name, alone=alone)
    if name == "__class__":
        return thing.cls
    return _member(run, thing.cls, name, thing, site)


def _enum_attribute(run: Run, member: enum.Enum, name: str, site: Site) -> Value:
    """Return an attribute of a member of an enum."""
    if name in ("value", "name", "_value_", "_name_"):
        return constant(run, getattr(member, name), site)
    return _member(run, type(member), name, member, site)


def _member(run: Run, cls: type, name: str, owner: Value, site: Site) -> Value:
    """Return what a class gives its objects under a name: a property, a method, or a constant."""
    found = member_of(cls, name)
    if isinstance(found, property) and isinstance(found.fget, types.FunctionType):
        function = run.program.function(found.fget)
        return run.invoke(function, bind(run, function, [owner], {}, site), site.guard, assume=False)
    if isinstance(found, types.FunctionType):
        return FunctionValue(run.program.function(found), None, receiver=(owner,))
    return _class_attribute(run, cls, name, site)


def _class_attribute(run: Run, cls: type, name: str, site: Site) -> Value:
    """Return a constant of a class, one of its functions, or a member of an enum."""
    found = member_of(cls, name)
    if isinstance(cls, enum.EnumType) and name in cls.__members__:
        return cls.__members__[name]
    if name in ("__name__", "__qualname__"):
        return getattr(cls, name)
    if isinstance(found, classmethod) and isinstance(found.__func__, types.FunctionType):
        return FunctionValue(run.program.function(found.__func__), None, receiver=(cls,))
    if isinstance(found, staticmethod):
        return found.__func__
    if found is None and not hasattr(cls, name):
        run.refuse(site, f"the attribute {name!r} of {cls.__name__}, which is no field of the scope")
    if isinstance(found, classmethod | types.ClassMethodDescriptorType):
        return getattr(cls, name)
    if isinstance(found, types.WrapperDescriptorType | types.MethodDescriptorType | types.GetSetDescriptorType):
        return found
    return constant(run, found, site)


def bind(
    run: Run,
    function: Function,
    arguments: list[Value],
    keywords: dict[str, Value],
    site: Site,
    usual: Mapping[str, Value] = types.MappingProxyType({}),
) -> list[Value]:
    """Return a value for each parameter; `usual` has the defaults of a function inside another one."""
    count = len(function.parameters)
    named = dict(zip(function.parameters, arguments, strict=False)) | keywords
    extra = arguments[count:]
    doubled = set(function.parameters[: len(arguments)]) & set(keywords)
    if (extra and function.rest is None) or doubled or set(named) - set(function.parameters):
        run.refuse(site, f"a call of {function.name} with other arguments than it takes")
    values: list[Value] = []
    for name in function.parameters:
        if name in named:
            values.append(named[name])
        elif name in usual:
            values.append(usual[name])
        elif name in function.defaults:
            if isinstance(function.defaults[name], list | set | dict):
                run.refuse(site, f"the default of {name!r} in {function.name}, which all calls share")
            values.append(constant(run, function.defaults[name], site))
        else:
            run.refuse(site, f"a call of {function.name} without its parameter {name!r}")
    return [*values, tuple(extra)] if function.rest is not None else values


def assign_target(run: Run, value: Value, site: Site) -> None:
    """Assign a value to the target that the site is at."""
    site = site.under(run.alive(site.guard))
    match site.node:
        case ast.Name(id=name):
            run.assign(site, name, value)
        case ast.Tuple(elts=targets) | ast.List(elts=targets):
            star = next((place for place, each in enumerate(targets) if isinstance(each, ast.Starred)), None)
            parts = unpack(run, value, len(targets), star, site)
            for each, part in zip(targets, parts, strict=True):
                assign_target(run, part, site.at(each.value if isinstance(each, ast.Starred) else each))
        case ast.Subscript(value=owner, slice=key):
            if isinstance(key, ast.Slice):
                run.refuse(site, "an assignment to a slice")
            store(run, run.evaluate(site.at(owner)), run.evaluate(site.at(key)), value, site)
        case _:
            run.refuse(site, "an assignment to a field: an invariant must not change anything")


def store(run: Run, container: Value, key: Value, value: Value, site: Site) -> None:
    """Store an item of a list or dict that the invariant made itself."""
    container = made_plain(container)
    if not isinstance(container, DictValue | ListValue) or container.fixed:
        run.refuse(site, "an assignment to an item of something that is no list or dict of its own")
    run.changes(container, site)
    if isinstance(container, DictValue):
        store_item(run, container, key, value, site)
    else:
        store_entry(run, container, key, value, site)


def unpack(run: Run, value: Value, count: int, star: int | None, site: Site) -> tuple[Value, ...]:
    """Return the parts of a tuple or list, at the star a list of those left; too few or many are an exception."""
    value = made_plain(value)
    if isinstance(value, tuple):
        if star is None and len(value) == count:
            return value
        value = new_list(run, [(TRUE, each) for each in value], dense=True)
    if isinstance(value, Alternatives):
        rows = []
        if value.number is not None:
            run.reject(site.guard, value.is_number)
        for atom, literal in value.atoms.items():
            under = run.prover.possible(run.formula.both(site.guard, literal))
            if under != FALSE:
                rows.append((literal, unpack(run, atom, count, star, site.under(under))))
        return tuple(run.algebra.merge([(literal, row[place]) for literal, row in rows]) for place in range(count))
    if value is None or isinstance(value, Number | Truth | int | float):  # a TypeError
        run.reject(site.guard)
        return (None,) * count
    entries = dense_entries(run, as_list(run, value, site))
    whole = new_list(run, entries, dense=True)
    length = count_items(run, whole)
    least = count - 1 if star is not None else count
    fits = length.at_least(least) if star is not None else run.algebra.is_exactly(length, count)
    run.reject(site.guard, -fits, ValueError)
    guard = run.formula.both(site.guard, fits)
    if star is None:
        return tuple(entries[place][1] if place < len(entries) else None for place in range(count))
    after = count - star - 1
    middle = [
        (run.formula.both(present, length.at_least(place + after + 1)), each)
        for place, (present, each) in enumerate(entries)
    ][star:]
    ends = [entry_at(run, whole, place - after, guard) for place in range(after)]
    return (
        *(entries[place][1] if place < len(entries) else None for place in range(star)),
        new_list(run, middle, dense=True),
        *ends,
    )


def rounds_of(run: Run, site: Site, visit: Callable[[Site], Literal], first: Value = UNKNOWN) -> Literal:
    """Go over each round of a comprehension: its element (the key, of a dict), with its variables and its guard.

    `visit` returns the guard under which more rounds are asked for; returned is the guard under which all were made.
    `first` is what it goes over, if that is known.
    """
    node = site.node
    assert isinstance(node, ast.GeneratorExp | ast.ListComp | ast.SetComp | ast.DictComp)
    element = node.key if isinstance(node, ast.DictComp) else node.elt
    both, either, possible = run.formula.both, run.formula.either, run.prover.possible

    def descend(depth: int, outer: Site) -> Literal:
        if depth == len(node.generators):
            return visit(outer.at(element))
        generator = node.generators[depth]

        def one(here: Literal, value: Value) -> Literal:
            inner = Frame(site.frame.function, {}, assume=False, entry=here, outer=outer.frame, is_comprehension=True)
            assign_target(run, value, Site(inner, generator.target, here))
            under = here
            for condition in generator.ifs:
                if under != FALSE:
                    under = possible(both(under, run.truth(Site(inner, condition, under))))
            if under == FALSE:
                return here
            after = descend(depth + 1, Site(inner, node, under))
            return here if after == under else possible(either(after, both(here, -under)))

        known = depth == 0 and first is not UNKNOWN
        return go_over(run, first if known else run.evaluate(outer.at(generator.iter)), outer, one)

    return descend(0, site)
