"""Calls: which function is meant, and with which arguments."""

from __future__ import annotations

import ast
import logging
import types
from typing import Any

from unlike.invariants.compile.comparing import describe_value, truth_of
from unlike.invariants.compile.containers import as_list
from unlike.invariants.compile.formula import FALSE, Literal
from unlike.invariants.compile.functions import FUNCTIONS, Arguments, call_builtin
from unlike.invariants.compile.methods import call_container_method
from unlike.invariants.compile.names import attributes_of, bind, named_value, rounds_of
from unlike.invariants.compile.program import UNKNOWN, global_of, member_of
from unlike.invariants.compile.run import Run, Site
from unlike.invariants.compile.sequences import is_known
from unlike.invariants.compile.values import (
    Alternatives,
    BuiltinMethod,
    ContainerValue,
    FunctionValue,
    LazyValues,
    Thing,
    Truth,
    TupleValue,
    Unread,
    Value,
    is_constant,
    made_plain,
)


def call(run: Run, site: Site, *, assume: bool = False) -> Value:
    """Return what a call gives; with `assume`, assert instead that it gives something true."""
    node = site.node
    assert isinstance(node, ast.Call)
    match node.func:
        case ast.Attribute(value=ast.Call(func=ast.Name(id="super"), args=[]), attr=name):
            return _call_super(run, name, site, assume=assume)
        case ast.Attribute(value=owner, attr=name):
            if _only_reports(site, owner):
                arguments_of(run, site)
                return _conclude(run, None, site, assume=assume)
            return _call_method(run, run.evaluate(site.at(owner)), name, site, assume=assume)
        case ast.Name(id=name):
            callee = named_value(run, name, site)
        case _:
            callee = run.evaluate(site.at(node.func))
    if callee in (any, all) and len(node.args) == 1 and isinstance(node.args[0], ast.GeneratorExp):
        return _conclude(run, _any_or_all_rounds(run, callee, site), site, assume=assume)
    return _call_each(run, callee, arguments_of(run, site), site, assume=assume)


def _only_reports(site: Site, owner: ast.expr) -> bool:
    """Tell whether a method is one of a log, which changes nothing that an invariant sees."""
    if not isinstance(owner, ast.Name) or site.frame.has_own(owner.id):
        return False
    found = global_of(site.frame.function, owner.id)
    return found is logging or isinstance(found, logging.Logger)


def arguments_of(run: Run, site: Site) -> Arguments:
    """Evaluate the arguments of a call."""
    node = site.node
    assert isinstance(node, ast.Call)
    places: list[Value] = []
    for each in node.args:
        if isinstance(each, ast.Starred):
            places.extend(values_behind_star(run, run.evaluate(site.at(each.value)), site))
        else:
            places.append(run.evaluate(site.at(each)))
    keywords: dict[str, Value] = {}
    for keyword in node.keywords:
        if keyword.arg is None:
            run.refuse(site, "** in a call")
        keywords[keyword.arg] = run.evaluate(site.at(keyword.value))
    return places, keywords


def values_behind_star(run: Run, value: Value, site: Site) -> list[Value]:
    """Return what stands behind a star: values whose number is known."""
    value = made_plain(value)
    if isinstance(value, tuple):
        return list(value)
    entries = as_list(run, value, site).list_entries()
    if not is_known(run, entries):
        run.refuse(site, "a starred argument with an open number of values")
    return [each for _, each in entries]


def call_value(run: Run, callee: Value, arguments: list[Value], site: Site) -> Value:
    """Call whatever a value stands for."""
    return _call_each(run, callee, (arguments, {}), site, assume=False)


def _call_each(run: Run, callee: Value, arguments: Arguments, site: Site, *, assume: bool) -> Value:
    """Call each function that a value can be."""
    site = site.under(run.alive(site.guard))
    callee = made_plain(callee)
    if not isinstance(callee, Alternatives):
        return _call_one(run, callee, arguments, site, assume=assume)
    cases: list[tuple[Literal, Value]] = []
    for atom, literal in callee.atoms.items():
        here = site.under(run.prover.possible(run.formula.both(site.guard, literal)))
        if here.guard != FALSE:
            cases.append((literal, _call_one(run, atom, arguments, here, assume=assume)))
    if callee.number is not None:
        run.reject(site.guard, callee.is_number)
    return None if assume else run.algebra.merge(cases)


def _call_one(run: Run, callee: Any, arguments: Arguments, site: Site, *, assume: bool) -> Value:
    """Call one function: the user's, or one of Python's own."""
    places, keywords = arguments
    if site.guard == FALSE:
        return None
    if isinstance(callee, types.MethodType):
        callee, places = callee.__func__, [callee.__self__, *places]
    if isinstance(callee, types.FunctionType) and callee not in FUNCTIONS:
        callee = FunctionValue(run.program.function(callee), None)
    if isinstance(callee, Thing):
        return _call_method_of(run, run.algebra.alternatives(callee), "__call__", arguments, site, assume=assume)
    if isinstance(callee, FunctionValue):
        values = bind(run, callee.function, [*callee.receiver, *places], keywords, site, callee.defaults)
        holds = assume and run.raised is None and not callee.function.is_generator
        result = run.invoke(callee.function, values, site.guard, assume=holds, outer=callee.outer)
        return result if holds else _conclude(run, result, site, assume=assume)
    if isinstance(callee, BuiltinMethod):
        result = call_container_method(run, callee.owner, callee.name, arguments, site)
    elif (
        callee is None
        or is_constant(callee)
        or isinstance(callee, ContainerValue | TupleValue | LazyValues | int | tuple)
    ):
        run.reject(site.guard)
        return None
    else:
        result = call_builtin(run, callee, arguments, site)
    return _conclude(run, result, site, assume=assume)


def _conclude(run: Run, result: Value, site: Site, *, assume: bool) -> Value:
    """Return a result, or assert that it is true."""
    if not assume:
        return result
    literal = truth_of(run, result, site)
    run.formula.add(-run.alive(site.guard), literal)
    return None


# -- methods -----------------------------------------------------------------------------------------------


def _call_method(run: Run, owner: Value, name: str, site: Site, *, assume: bool) -> Value:
    """Call a method of whatever the owner can be."""
    owner = made_plain(owner)
    if isinstance(owner, types.ModuleType | type):
        callee = run.algebra.merge(attributes_of(run, owner, name, site))
        return _call_each(run, callee, arguments_of(run, site), site, assume=assume)
    if isinstance(owner, Unread):
        arguments_of(run, site)
        run.refuse(site, f"the method {name} of {describe_value(owner)}")
    whole = run.algebra.alternatives(owner)
    if whole.number is not None:
        run.refuse(site, f"the method {name} of a number")
    return _call_method_of(run, whole, name, arguments_of(run, site), site, assume=assume)


def _call_method_of(
    run: Run, whole: Alternatives, name: str, arguments: Arguments, site: Site, *, assume: bool
) -> Value:
    """Call a method of each object; objects whose class has the same function share the call."""
    site = site.under(run.alive(site.guard))
    groups: dict[Any, dict[Any, Literal]] = {}
    for atom, literal in whole.atoms.items():
        if -literal in run.formula.units:
            continue
        if atom is None:
            run.reject(site.guard, literal, AttributeError)
        elif (found := _function_of(run, atom, name)) is not None:
            groups.setdefault(found, {})[atom] = literal
        else:
            groups[atom] = {atom: literal}
    cases: list[tuple[Literal, Value]] = []
    for callee, receivers in groups.items():
        literal = run.formula.either(*receivers.values())
        here = site.under(run.prover.possible(run.formula.both(site.guard, literal)))
        if here.guard == FALSE:
            continue
        receiver = next(iter(receivers)) if len(receivers) == 1 else Alternatives(receivers)
        if isinstance(callee, types.FunctionType):
            function: Value = FunctionValue(run.program.function(callee), None, receiver=(receiver,))
        else:
            function = run.algebra.merge(attributes_of(run, receiver, name, here))
        cases.append((literal, _call_each(run, function, arguments, here, assume=assume)))
    return None if assume else run.algebra.merge(cases)


def _function_of(run: Run, atom: Any, name: str) -> types.FunctionType | None:
    """Return the function that an object's class has under that name, unless the object has a field of that name."""
    if not isinstance(atom, Thing) or (atom, name) in run.heap.fields:
        return None
    found = member_of(atom.cls, name)
    return found if isinstance(found, types.FunctionType) else None


def _call_super(run: Run, name: str, site: Site, *, assume: bool) -> Value:
    """Call a method of the class above the one in which the call stands."""
    function = site.frame.function
    defined_in = global_of(function, "__class__")
    body = site.frame.body
    if defined_in is UNKNOWN or body.outer is not None or not function.parameters:
        run.refuse(site, "super() here")
    whole = run.algebra.alternatives(named_value(run, function.parameters[0], site))
    arguments = arguments_of(run, site)
    cases: list[tuple[Literal, Value]] = []
    for atom, literal in whole.atoms.items():
        if not isinstance(atom, Thing):
            run.refuse(site, "super() of something that is no object of a class")
        above = atom.cls.__mro__[atom.cls.__mro__.index(defined_in) + 1 :]
        found = next((vars(cls)[name] for cls in above if name in vars(cls)), None)
        here = site.under(run.prover.possible(run.formula.both(site.guard, literal)))
        if not isinstance(found, types.FunctionType):
            run.refuse(site, f"super().{name}")
        if here.guard != FALSE:
            callee = FunctionValue(run.program.function(found), None, receiver=(atom,))
            cases.append((literal, _call_one(run, callee, arguments, here, assume=assume)))
    return None if assume else run.algebra.merge(cases)


# -- any and all over a generator expression -----------------------------------------------------------------


def _any_or_all_rounds(run: Run, function: Any, site: Site) -> Value:
    """Return whether any (or all) elements are true; elements after one that decides are not looked at."""
    node = site.node
    assert isinstance(node, ast.Call)
    decided = FALSE

    def look(element: Site) -> Literal:
        nonlocal decided
        true = run.truth(element)
        hit = run.formula.both(element.guard, true if function is any else -true)
        decided = run.formula.either(decided, hit)
        return run.prover.possible(run.formula.both(element.guard, -hit))

    rounds_of(run, site.at(node.args[0]), look)
    return Truth(decided if function is any else -decided)
