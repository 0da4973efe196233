"""Patterns of `match`: whether a value matches, and the names that are bound then."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from unlike.invariants.compile.comparing import class_of, describe_value, equal
from unlike.invariants.compile.containers import contains, item_of
from unlike.invariants.compile.formula import FALSE, TRUE, Literal
from unlike.invariants.compile.names import attributes_of
from unlike.invariants.compile.run import Run, Site
from unlike.invariants.compile.sequences import count_items, dense_entries, entry_at, new_list
from unlike.invariants.compile.values import (
    Alternatives,
    DictValue,
    LazyValues,
    ListValue,
    RangeValue,
    Thing,
    TupleValue,
    Value,
    list_value,
    made_plain,
)

Matched: TypeAlias = tuple[Literal, dict[str, Value]]
NO_MATCH: Matched = FALSE, {}
# a class of these takes one pattern by position, which is for the whole value
WHOLE = (bool, bytes, dict, float, frozenset, int, list, set, str, tuple)


def match_pattern(run: Run, value: Value, site: Site) -> Matched:
    """Return whether a value matches the pattern that the site is at, and what it binds."""
    match site.node:
        case ast.MatchValue(value=expression):
            return equal(run, value, run.evaluate(site.at(expression)), site), {}
        case ast.MatchSingleton(value=constant):
            return equal(run, value, constant, site, same=True), {}
        case ast.MatchAs(pattern=None, name=None):
            return TRUE, {}
        case ast.MatchAs(pattern=None, name=str() as name):
            return TRUE, {name: value}
        case ast.MatchAs(pattern=ast.pattern() as inner, name=str() as name):
            literal, names = match_pattern(run, value, site.at(inner))
            return literal, {**names, name: value}
        case ast.MatchOr(patterns=patterns):
            return _match_one(run, ((TRUE, value, site.at(each)) for each in patterns), match_pattern, site)
        case ast.MatchSequence():
            sequences = [each for each in _atoms(run, value, site) if _is_sequence(each[1])]
            return _match_one(run, ((*each, site) for each in sequences), _match_sequence, site)
        case ast.MatchMapping():
            dicts = [each for each in _atoms(run, value, site) if isinstance(each[1], DictValue)]
            return _match_one(run, ((*each, site) for each in dicts), _match_mapping, site)
        case ast.MatchClass():
            return _match_class(run, value, site)
    return run.refuse(site, f"the pattern {type(site.node).__name__}")


def _is_sequence(value: Any) -> bool:
    return isinstance(value, tuple) or (isinstance(value, ListValue) and value.view_of is None)


def _match_one(
    run: Run, ways: Iterable[tuple[Literal, Value, Site]], match_way: Callable[[Run, Value, Site], Matched], site: Site
) -> Matched:
    """Return whether one of several ways matches, and the names that the first such way binds.

    A way is when it can be, the value that is looked at then, and the pattern.
    """
    both, here = run.formula.both, site.guard
    found: list[tuple[Literal, dict[str, Value]]] = []
    rest = TRUE
    for under, value, pattern in ways:
        literal, names = match_way(run, value, pattern.under(both(here, under)))
        literal = both(under, literal)
        if literal == FALSE:
            continue
        found.append((both(rest, literal), names))
        rest = both(rest, -literal)
        here = run.prover.possible(both(here, -literal))
        if here == FALSE:
            break
    if not found:
        return NO_MATCH
    bound = {name: run.algebra.merge([(literal, names[name]) for literal, names in found]) for name in found[0][1]}
    return run.formula.either(*(literal for literal, _ in found)), bound


def _match_parts(
    run: Run, parts: Iterable[tuple[Any, ast.pattern]], get: Callable[[Any, Site], Value], found: Literal, site: Site
) -> Matched:
    """Return whether every part matches its pattern where `found` holds; each is got if those before it match."""
    names: dict[str, Value] = {}
    for key, pattern in parts:
        at = Site(site.frame, pattern, run.prover.possible(run.formula.both(site.guard, found)))
        if at.guard == FALSE:
            return NO_MATCH
        literal, more = match_pattern(run, get(key, at), at)
        found = run.formula.both(found, literal)
        names |= more
    return found, names


def _match_sequence(run: Run, source: Any, site: Site) -> Matched:
    """Match the entries of a tuple or list; `*rest` takes those in the middle."""
    node = site.node
    assert isinstance(node, ast.MatchSequence)
    star = next((each for each in node.patterns if isinstance(each, ast.MatchStar)), None)
    fixed = [each for each in node.patterns if each is not star]
    front = len(fixed) if star is None else node.patterns.index(star)
    places = [place if place < front else place - len(fixed) for place in range(len(fixed))]
    whole = source if isinstance(source, ListValue) else list_value(source)
    length = count_items(run, whole)
    fits = run.algebra.is_exactly(length, len(fixed)) if star is None else length.at_least(len(fixed))
    found, names = _match_parts(
        run,
        zip(places, fixed, strict=True),
        lambda place, at: entry_at(run, whole, place, at.guard) if whole is source else source[place],
        fits,
        site,
    )
    if star is not None and star.name is not None and found != FALSE:
        after = len(fixed) - front
        middle = [
            (run.formula.both(present, length.at_least(place + after + 1)), value)
            for place, (present, value) in enumerate(dense_entries(run, whole))
        ]
        names[star.name] = new_list(run, middle[front:], dense=True)
    return found, names


def _match_mapping(run: Run, source: DictValue, site: Site) -> Matched:
    """Match the values of some keys of a dict."""
    node = site.node
    assert isinstance(node, ast.MatchMapping)
    keys = [run.evaluate(site.at(each)) for each in node.keys]
    found = run.formula.both(*(contains(run, source, key, site) for key in keys))
    parts = zip(keys, node.patterns, strict=True)
    found, names = _match_parts(run, parts, lambda key, at: item_of(run, source, key, at), found, site)
    if node.rest is not None and found != FALSE:
        kept = {key: item for key, item in source.entries.items() if key not in keys}
        names[node.rest] = DictValue(entries=kept, log=[each for each in source.log if each[1] in kept])
    return found, names


def _match_class(run: Run, value: Value, site: Site) -> Matched:
    """Match objects of a class, and their attributes."""
    node = site.node
    assert isinstance(node, ast.MatchClass)
    cls = run.evaluate(site.at(node.cls))
    if not isinstance(cls, type):
        run.refuse(site, "a pattern with something that is no class")
    found, instance = _instances(run, value, cls)
    attributes = ("",) if cls in WHOLE else getattr(cls, "__match_args__", ())
    if len(node.patterns) > len(attributes):  # a TypeError
        run.reject(site.guard, found)
        return NO_MATCH
    names = (*attributes[: len(node.patterns)], *node.kwd_attrs)
    return _match_parts(
        run,
        zip(names, (*node.patterns, *node.kwd_patterns), strict=True),
        lambda name, at: run.algebra.merge(attributes_of(run, instance, name, at)) if name else instance,
        found,
        site,
    )


def _instances(run: Run, value: Value, cls: type) -> tuple[Literal, Value]:
    """Return whether a value is an object of the class, and what it is then."""
    if isinstance(value, tuple):
        return (TRUE if issubclass(tuple, cls) else FALSE), value
    whole = run.algebra.alternatives(value)
    atoms = {atom: literal for atom, literal in whole.atoms.items() if issubclass(class_of(atom), cls)}
    number = whole.number if issubclass(int, cls) else None
    ways = [*atoms.values(), *([whole.is_number] if number is not None else [])]
    if len(atoms) == len(whole.atoms) and number is whole.number:
        return TRUE, value
    return run.formula.either(*ways), Alternatives(atoms, number, whole.is_number)


def _atoms(run: Run, value: Value, site: Site) -> list[tuple[Literal, Any]]:
    """Return what a value can be that is no number, each with its literal; sequences of unusual kinds are refused."""
    value = made_plain(value)
    match value:
        case tuple() | list():
            return [(TRUE, tuple(value))]
        case Alternatives(atoms=atoms):
            found = [(literal, atom.parts if isinstance(atom, TupleValue) else atom) for atom, literal in atoms.items()]
        case _:
            found = [(TRUE, value)]
    for _, atom in found:
        unusual = isinstance(atom, Thing) and issubclass(atom.cls, Sequence | Mapping)
        if unusual or isinstance(atom, dict | range | RangeValue | LazyValues):
            run.refuse(site, f"a pattern for {describe_value(atom)}")
    return found
