"""What is written out: lists, sets, dicts, tuples, comprehensions, formatted strings, functions inside functions."""

from __future__ import annotations

import ast

from unlike.invariants.compile.comparing import describe_value, is_numeric
from unlike.invariants.compile.containers import Visit, as_list, go_over, put, store_item
from unlike.invariants.compile.formula import Literal
from unlike.invariants.compile.names import rounds_of
from unlike.invariants.compile.run import Run, Site
from unlike.invariants.compile.sequences import is_known
from unlike.invariants.compile.values import (
    DictValue,
    FunctionValue,
    LazyValues,
    ListValue,
    SetValue,
    Thing,
    Unread,
    Value,
    made_plain,
)

OUTSIDE: dict[type[ast.AST], str] = {
    ast.Dict: "a dict inside a dict display",
    ast.Starred: "a starred expression",
    ast.Await: "await",
    ast.Yield: "the value of yield",
    ast.YieldFrom: "the value of yield from",
}


def make_container(run: Run, site: Site) -> Value:
    """Return a new container or text, written out or made by a comprehension."""
    match site.node:
        case ast.Tuple(elts=elements):
            return _tuple(run, elements, site)
        case ast.Set(elts=elements) | ast.List(elts=elements):
            made = _empty(run, site.node)
            for each in elements:
                _put_element(run, made, site.at(each))
            return made
        case ast.Dict(keys=keys, values=values) if None not in keys:
            items = DictValue(born=run.steps)
            for key, value in zip(keys, values, strict=True):
                assert key is not None
                index = run.evaluate(site.at(key))
                store_item(run, items, index, run.evaluate(site.at(value)), site)
            return items
        case ast.GeneratorExp():
            return _generator(run, site)
        case ast.SetComp() | ast.ListComp():
            made = _empty(run, site.node)

            def keep(element: Site) -> Literal:
                put(run, made, run.evaluate(element), element)
                return element.guard

            rounds_of(run, site, keep)
            return made
        case ast.DictComp(value=value):
            return _dict_of_rounds(run, value, site)
        case ast.JoinedStr(values=parts):
            return _format_text(run, parts, site)
    return run.refuse(site, OUTSIDE.get(type(site.node), type(site.node).__name__))


def _empty(run: Run, node: ast.AST) -> SetValue | ListValue:
    return SetValue(born=run.steps) if isinstance(node, ast.Set | ast.SetComp) else ListValue(born=run.steps)


def _dict_of_rounds(run: Run, value: ast.expr, site: Site) -> DictValue:
    items = DictValue(born=run.steps)

    def keep(element: Site) -> Literal:
        index = run.evaluate(element)
        store_item(run, items, index, run.evaluate(element.at(value)), element)
        return element.guard

    rounds_of(run, site, keep)
    return items


def _put_element(run: Run, made: SetValue | ListValue, site: Site) -> None:
    """Put one element of a display, or several behind a star, into a new container."""
    if not isinstance(site.node, ast.Starred):
        put(run, made, run.evaluate(site), site)
        return

    def take(here: Literal, value: Value) -> Literal:
        put(run, made, value, site.under(here))
        return here

    go_over(run, run.evaluate(site.at(site.node.value)), site, take)


def _tuple(run: Run, elements: list[ast.expr], site: Site) -> Value:
    """Return a tuple as it is written."""
    if not any(isinstance(each, ast.Starred) for each in elements):
        return tuple(run.evaluate(site.at(each)) for each in elements)
    values: list[tuple[bool, Value]] = []  # whether it stands behind a star
    for each in elements:
        star = isinstance(each, ast.Starred)
        values.append((star, made_plain(run.evaluate(site.at(each.value if isinstance(each, ast.Starred) else each)))))
    made = ListValue(queue=None, kind="tuple", born=run.steps)
    for star, value in values:
        inside = as_list(run, value, site).list_entries() if star else [(site.guard, value)]
        made.entries.extend(inside)
        made.dense = len(made.entries) == len(inside) or made.dense
    if is_known(run, [each for each in made.entries if each[0] != site.guard]):
        return tuple(value for _, value in made.entries)
    made.fixed, made.dense = True, False
    return made


def _generator(run: Run, site: Site) -> LazyValues:
    """Return a generator expression: its first source is evaluated now, all else when it is gone over."""
    node = site.node
    assert isinstance(node, ast.GeneratorExp)
    first = run.evaluate(site.at(node.generators[0].iter))

    def each(guard: Literal, visit: Visit) -> Literal:
        def hand_on(element: Site) -> Literal:
            value = run.evaluate(element)
            return visit(run.alive(element.guard), value)

        return rounds_of(run, site.under(guard), hand_on, first)

    return LazyValues(each)


def _format_text(run: Run, parts: list[ast.expr], site: Site) -> Unread:
    """Return a formatted string, which is not looked at; its parts are evaluated, because they may raise something."""
    known = False
    for part in parts:
        if isinstance(part, ast.Constant):
            known = known or bool(part.value)
            continue
        assert isinstance(part, ast.FormattedValue)
        whole = run.algebra.alternatives(run.evaluate(site.at(part.value)))
        for atom in whole.atoms:
            if isinstance(atom, Thing) and run.raised is not None and _has_own_text(atom.cls):
                run.refuse(site, f"the text of {describe_value(atom)}")
        if part.format_spec is not None and not (is_numeric(whole) and None not in whole.atoms):
            run.refuse(site, "a format for something that is no number")
    return Unread(str, is_true=True if known else None)


def _has_own_text(cls: type) -> bool:
    """Tell whether a class says how its objects are shown, in code that may raise something."""
    for name in ("__format__", "__str__", "__repr__"):
        method = getattr(cls, name)
        if hasattr(method, "__code__") and not hasattr(method, "__wrapped__"):  # wrapped as dataclasses do
            return True
    return False


def function_value(run: Run, tree: ast.FunctionDef | ast.Lambda, site: Site) -> FunctionValue:
    """Return a function that is made inside another one, with its defaults as they are now."""
    function = run.program.nested_function(tree, site.frame.function)
    arguments = tree.args
    named = [*arguments.posonlyargs, *arguments.args]
    usual = {
        each.arg: run.evaluate(site.at(value))
        for each, value in zip(named[len(named) - len(arguments.defaults) :], arguments.defaults, strict=True)
    }
    for each, value in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        if value is not None:
            usual[each.arg] = run.evaluate(site.at(value))
    return FunctionValue(function, site.frame, usual)
