"""Calls: which function is meant, and with which arguments."""

from __future__ import annotations

import ast
import types
from typing import Any

from unlike.invariants.compile.builtin_calls import call_builtin, call_container_method
from unlike.invariants.compile.formula import FALSE, Literal
from unlike.invariants.compile.names import bind
from unlike.invariants.compile.operators import truth_of
from unlike.invariants.compile.program import Function, global_of, member_of
from unlike.invariants.compile.run import Run, Site
from unlike.invariants.compile.values import Alternatives, ContainerValue, Thing, Value


def call(run: Run, site: Site, *, assume: bool = False) -> Value:
    """Return what a call gives; with `assume`, assert instead that it gives something true."""
    node = site.node
    assert isinstance(node, ast.Call)
    match node.func:
        case ast.Name(id=name) if name not in site.frame.variables:
            try:
                found = global_of(site.frame.function, name)
            except (KeyError, ValueError):
                run.reject(site.guard)
                return None
            return _call_function(run, found, node, site, assume=assume)
        case ast.Attribute(value=owner, attr=name):
            found = _module_function(owner, name, site)
            if found is not None:
                return _call_function(run, found, node, site, assume=assume)
            return _call_method(run, run.evaluate(site.at(owner)), name, node, site, assume=assume)
    return run.refuse(site, f"a call of {ast.unparse(node.func)}")


def _module_function(owner: ast.expr, name: str, site: Site) -> Any:
    """Return what `module.name` stands for, if the left side is a module."""
    if not isinstance(owner, ast.Name) or owner.id in site.frame.variables:
        return None
    try:
        module = global_of(site.frame.function, owner.id)
    except (KeyError, ValueError):
        return None
    return getattr(module, name, None) if isinstance(module, types.ModuleType) else None


def _call_function(run: Run, found: Any, node: ast.Call, site: Site, *, assume: bool) -> Value:
    """Call a function: the user's, or one of Python's own."""
    if isinstance(found, types.FunctionType):
        return _invoke(run, run.program.function(found), [], node, site, assume=assume)
    if getattr(found, "__module__", None) not in ("builtins", "collections"):
        run.refuse(site, f"a call of {ast.unparse(node.func)}")
    return _conclude(run, call_builtin(run, found, node, site), site, assume=assume)


def _call_method(run: Run, owner: Value, name: str, node: ast.Call, site: Site, *, assume: bool) -> Value:
    """Call a method of each object that the owner can be."""
    if isinstance(owner, ContainerValue):
        return _conclude(run, call_container_method(run, owner, name, node, site), site, assume=assume)
    if isinstance(owner, type):
        return _call_function(run, member_of(owner, name), node, site, assume=assume)
    whole = run.algebra.alternatives(owner)
    if whole.number is not None:
        run.refuse(site, f"the method {name} of a number")
    cases: list[tuple[Literal, Value]] = []
    for function, receivers in _dispatch(run, whole, name, site).items():
        literal = run.formula.either(*receivers.values())
        here = site.under(run.prover.possible(run.formula.both(site.guard, literal)))
        if here.guard == FALSE:
            continue
        if isinstance(function, ContainerValue):
            result = _conclude(run, call_container_method(run, function, name, node, here), here, assume=assume)
        else:
            receiver = next(iter(receivers)) if len(receivers) == 1 else Alternatives(receivers)
            result = _invoke(run, function, [receiver], node, here, assume=assume)
        cases.append((literal, result))
    return None if assume else run.algebra.merge(cases)


def _dispatch(run: Run, whole: Alternatives, name: str, site: Site) -> dict[Any, dict[Any, Literal]]:
    """Return for each function (or container) that a method call can mean the receivers it is for."""
    found: dict[Any, dict[Any, Literal]] = {}
    for atom, literal in whole.atoms.items():
        if -literal in run.formula.units:
            continue
        if atom is None:
            run.reject(site.guard, literal)
        elif isinstance(atom, ContainerValue):
            found[atom] = {atom: literal}
        elif isinstance(atom, Thing) and isinstance(source := member_of(atom.cls, name), types.FunctionType):
            found.setdefault(run.program.function(source), {})[atom] = literal
        else:
            run.refuse(site, f"the method {name}")
    return found


def _invoke(run: Run, function: Function, first: list[Value], node: ast.Call, site: Site, *, assume: bool) -> Value:
    """Evaluate the arguments of a call, and make it."""
    arguments: list[Value] = first
    for each in node.args:
        if isinstance(each, ast.Starred):
            value = run.evaluate(site.at(each.value))
            if not isinstance(value, tuple):
                run.refuse(site, "a starred argument that is no tuple")
            arguments.extend(value)
        else:
            arguments.append(run.evaluate(site.at(each)))
    keywords: dict[str, Value] = {}
    for keyword in node.keywords:
        if keyword.arg is None:
            run.refuse(site, "** in a call")
        keywords[keyword.arg] = run.evaluate(site.at(keyword.value))
    return run.invoke(function, bind(run, function, arguments, keywords, site), site.guard, assume=assume)


def _conclude(run: Run, result: Value, site: Site, *, assume: bool) -> Value:
    """Return a result, or assert that it is true."""
    if not assume:
        return result
    run.formula.add(-site.guard, truth_of(run, result, site))
    return None
