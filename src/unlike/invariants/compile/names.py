"""What names, attributes and parameters stand for, and how variables get their values."""

from __future__ import annotations

import ast
import enum
import types
from collections.abc import Callable, Iterator

from unlike.errors import with_article
from unlike.invariants.compile.containers import count_items, entry_at, items_of, store_item
from unlike.invariants.compile.formula import FALSE, TRUE, Literal
from unlike.invariants.compile.operators import describe_value
from unlike.invariants.compile.program import UNKNOWN, Function, global_of, member_of
from unlike.invariants.compile.run import Frame, Run, Site
from unlike.invariants.compile.values import DictValue, ListValue, Number, Thing, Truth, Value


def constant(run: Run, value: object, site: Site) -> Value:
    """Return a constant of the source, or of a module or class."""
    if value is None or isinstance(value, bool | int | str | type | range | tuple | frozenset | enum.Enum):
        return value
    return run.refuse(site, f"{with_article(type(value).__name__)}")


def named_value(run: Run, name: str, site: Site) -> Value:
    """Return the value of a variable, or what the name stands for in the module."""
    function = site.frame.function
    if name in site.frame.variables:
        return run.read(site, name)
    is_local = name in function.source.__code__.co_varnames  # a variable that has no value yet
    if is_local or (value := global_of(function, name)) is UNKNOWN:
        run.reject(site.guard)
        return None
    return value if isinstance(value, list | set | dict) else constant(run, value, site)


def attributes_of(run: Run, owner: Value, name: str, site: Site) -> list[tuple[Literal, Value]]:
    """Return an attribute for each object that the owner can be; None has none, which is an exception."""
    if isinstance(owner, type):
        return [(TRUE, _class_attribute(run, owner, name, site))]
    whole = run.algebra.alternatives(run.narrow(owner, site.guard))
    if whole.number is not None:
        run.refuse(site, f"the attribute {name!r} of a number")
    alone = len(whole.atoms) == 1
    cases: list[tuple[Literal, Value]] = []
    for atom, literal in whole.atoms.items():
        if -literal in run.formula.units:
            continue
        if atom is None:
            run.reject(site.guard, literal)
        elif isinstance(atom, Thing):
            here = site.under(run.formula.both(site.guard, literal))
            cases.append((literal, _attribute(run, atom, name, here, alone=alone)))
        elif isinstance(atom, enum.Enum) and name in ("value", "name"):
            cases.append((literal, constant(run, getattr(atom, name), site)))
        else:
            run.refuse(site, f"the attribute {name!r} of {describe_value(atom)}")
    return cases


def _attribute(run: Run, thing: Thing, name: str, site: Site, *, alone: bool) -> Value:
    """Return an attribute of one object: a field, a property, or a constant of its class."""
    if (thing, name) in run.heap.fields:
        return run.field(thing, name, alone=alone)
    found = member_of(thing.cls, name)
    if isinstance(found, property) and isinstance(found.fget, types.FunctionType):
        function = run.program.function(found.fget)
        return run.invoke(function, bind(run, function, [thing], {}, site), site.guard, assume=False)
    return thing.cls if name == "__class__" else _class_attribute(run, thing.cls, name, site)


def _class_attribute(run: Run, cls: type, name: str, site: Site) -> Value:
    """Return a constant of a class, or a member of an enum."""
    found = member_of(cls, name)
    if isinstance(cls, enum.EnumType) and name in cls.__members__:
        return cls.__members__[name]
    if name == "__name__":
        return cls.__name__
    if found is None and not hasattr(cls, name):
        run.refuse(site, f"the attribute {name!r} of {cls.__name__}, which is no field of the scope")
    return constant(run, found, site)


def bind(run: Run, function: Function, arguments: list[Value], keywords: dict[str, Value], site: Site) -> list[Value]:
    """Return a value for each parameter."""
    count = len(function.parameters)
    named = dict(zip(function.parameters, arguments, strict=False)) | keywords
    extra = arguments[count:]
    if (extra and function.rest is None) or set(named) - set(function.parameters):
        run.refuse(site, f"a call of {function.name} with other arguments than it takes")
    values: list[Value] = []
    for name in function.parameters:
        if name in named:
            values.append(named[name])
        elif name in function.defaults:
            values.append(constant(run, function.defaults[name], site))
        else:
            run.refuse(site, f"a call of {function.name} without its parameter {name!r}")
    return [*values, tuple(extra)] if function.rest is not None else values


def assign_target(run: Run, value: Value, site: Site) -> None:
    """Assign a value to the target that the site is at."""
    match site.node:
        case ast.Name(id=name):
            run.assign(site, name, value)
        case ast.Tuple(elts=targets) | ast.List(elts=targets):
            if any(isinstance(each, ast.Starred) for each in targets):
                run.refuse(site, "a starred target")
            for each, part in zip(targets, unpack(run, value, len(targets), site), strict=True):
                assign_target(run, part, site.at(each))
        case ast.Subscript(value=owner, slice=key):
            container = run.evaluate(site.at(owner))
            if not isinstance(container, DictValue) or container.fixed:
                run.refuse(site, "an assignment to an item of something that is no dict of its own")
            store_item(run, container, run.evaluate(site.at(key)), value, site)
        case _:
            run.refuse(site, "an assignment to a field: an invariant must not change anything")


def unpack(run: Run, value: Value, count: int, site: Site) -> tuple[Value, ...]:
    """Return the parts of a tuple or list; another number of them is an exception."""
    if isinstance(value, tuple) and len(value) == count:
        return value
    if value is None or isinstance(value, tuple | Number | Truth | int):  # a ValueError, or a TypeError
        run.reject(site.guard)
        return (None,) * count
    if not isinstance(value, ListValue):
        run.refuse(site, "unpacking something that is neither a tuple nor a list")
    run.reject(site.guard, -run.algebra.is_exactly(count_items(run, value), count))
    return tuple(entry_at(run, value, place, site.guard) for place in range(count))


def rounds_of(run: Run, site: Site, *, still: Callable[[], Literal] = lambda: TRUE) -> Iterator[Site]:
    """Yield each round of a comprehension: its element (the key, of a dict), with its variables and its guard.

    `still` says whether more rounds are asked for.
    """
    node = site.node
    assert isinstance(node, ast.GeneratorExp | ast.ListComp | ast.SetComp | ast.DictComp)
    element = node.key if isinstance(node, ast.DictComp) else node.elt
    if any(isinstance(each, ast.NamedExpr) for each in ast.walk(node)):
        run.refuse(site, ":= inside a comprehension")
    both, possible = run.formula.both, run.prover.possible

    def rounds(depth: int, outer: Site) -> Iterator[Site]:
        if depth == len(node.generators):
            yield outer.at(element)
            return
        generator = node.generators[depth]
        source = run.evaluate(outer.at(generator.iter))
        for present, value in items_of(run, source, site.under(outer.guard)):
            under = possible(both(outer.guard, present, still()))
            if under == FALSE:
                continue
            inner = Frame(site.frame.function, dict(outer.frame.variables), assume=False, entry=under)
            assign_target(run, value, Site(inner, generator.target, under))
            for condition in generator.ifs:
                if under != FALSE:
                    under = possible(both(under, run.truth(Site(inner, condition, under))))
            if under != FALSE:
                yield from rounds(depth + 1, Site(inner, node, under))

    yield from rounds(0, site)
