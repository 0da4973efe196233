"""New containers, written out or made by a comprehension; and the rounds that a comprehension makes."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from unlike.invariants.compile.assignments import assign_target
from unlike.invariants.compile.containers import add_member, append_entry, items_of, put, store_item
from unlike.invariants.compile.formula import FALSE, TRUE, Literal
from unlike.invariants.compile.run import Frame, Run, Site
from unlike.invariants.compile.values import DictValue, ListValue, SetValue, Value

OUTSIDE: dict[type[ast.AST], str] = {
    ast.Lambda: "lambda",
    ast.JoinedStr: "a formatted string",
    ast.Starred: "a starred expression",
    ast.List: "a starred expression",
    ast.Set: "a starred expression",
    ast.Dict: "a dict inside a dict display",
}


def make_container(run: Run, site: Site) -> Value:
    """Return a new container, written out or made by a comprehension."""
    match site.node:
        case ast.Set(elts=elements) if not _has_star(elements):
            members = SetValue()
            for each in elements:
                add_member(run, members, run.evaluate(site.at(each)), site)
            return members
        case ast.List(elts=elements) if not _has_star(elements):
            entries = ListValue()
            for each in elements:
                append_entry(run, entries, run.evaluate(site.at(each)), site.guard)
            return entries
        case ast.Dict(keys=keys, values=values) if None not in keys:
            items = DictValue()
            for key, value in zip(keys, values, strict=True):
                assert key is not None
                index = run.evaluate(site.at(key))
                store_item(run, items, index, run.evaluate(site.at(value)), site)
            return items
        case ast.SetComp() | ast.ListComp() | ast.GeneratorExp() as node:
            made: SetValue | ListValue = SetValue() if isinstance(node, ast.SetComp) else ListValue()
            for each_round in rounds_of(run, site):
                put(run, made, run.evaluate(each_round), site.under(each_round.guard))
            return made
        case ast.DictComp(value=value):
            items = DictValue()
            for each_round in rounds_of(run, site):
                index = run.evaluate(each_round)
                stored = run.evaluate(each_round.at(value))
                store_item(run, items, index, stored, site.under(each_round.guard))
            return items
    return run.refuse(site, OUTSIDE.get(type(site.node), type(site.node).__name__))


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


def _has_star(elements: list[ast.expr]) -> bool:
    return any(isinstance(each, ast.Starred) for each in elements)
