"""Statements, each under its guard: what is left of the guard afterwards says for which structures the run goes on."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from unlike.invariants.compile.calls import class_of
from unlike.invariants.compile.containers import contains, count_items, entry_at, item_of, items_of
from unlike.invariants.compile.formula import FALSE, TRUE, Literal
from unlike.invariants.compile.names import assign_target, attributes_of
from unlike.invariants.compile.operators import combine, describe_value, equal
from unlike.invariants.compile.program import is_return_false
from unlike.invariants.compile.run import Loop, Run, Site
from unlike.invariants.compile.values import Alternatives, DictValue, ListValue, RangeValue, Thing, Value, list_value

OUTSIDE: dict[type[ast.AST], str] = {
    ast.Try: "try",
    ast.With: "with",
    ast.FunctionDef: "a function inside a function",
    ast.ClassDef: "a class inside a function",
    ast.Delete: "del",
    ast.Global: "global",
    ast.Nonlocal: "nonlocal",
    ast.Import: "an import inside a function",
    ast.ImportFrom: "an import inside a function",
}

Matched: TypeAlias = tuple[Literal, dict[str, Value]]
NO_MATCH: Matched = FALSE, {}
# a class of these takes one pattern by position, which is for the whole value
WHOLE = (bool, dict, frozenset, int, list, set, str, tuple)


def execute(run: Run, statements: Sequence[ast.stmt], site: Site) -> Literal:
    """Run statements one after the other and return the guard that is left."""
    guard = site.guard
    for statement in statements:
        if guard == FALSE:
            break
        run.step()
        guard = _run_statement(run, Site(site.frame, statement, guard))
    return guard


def _run_statement(run: Run, site: Site) -> Literal:
    """Run one statement and return the guard that is left."""
    match site.node:
        case ast.Return(value=value):
            return _leave(run, value, site)
        case ast.If() as statement:
            return _branch(run, statement, site)
        case ast.While() | ast.For() as statement:
            return _run_loop(run, statement, site)
        case ast.Match() as statement:
            return _choose_case(run, statement, site)
        case ast.Assign(targets=targets, value=expression):
            value = run.evaluate(site.at(expression))
            for target in targets:
                assign_target(run, value, site.at(target))
        case ast.AnnAssign(target=target, value=expression):
            if expression is not None:
                assign_target(run, run.evaluate(site.at(expression)), site.at(target))
        case ast.AugAssign(target=target, op=operator, value=expression):
            if not isinstance(target, ast.Name):
                run.refuse(site, "an assignment to a field or an item")
            if target.id not in site.frame.variables:
                run.reject(site.guard)
                return FALSE
            left = run.read(site, target.id)
            right = run.evaluate(site.at(expression))
            run.assign(site, target.id, combine(run, operator, left, right, site))
        case ast.Expr(value=expression):
            if not isinstance(expression, ast.Constant):
                run.evaluate(site.at(expression))
        case ast.Assert(test=test):
            run.reject(site.guard, -run.truth(site.at(test)))
        case ast.Raise():
            run.reject(site.guard)
            return FALSE
        case ast.Break():
            loop = site.frame.loops[-1]
            loop.broken = run.formula.either(loop.broken, site.guard)
            return FALSE
        case ast.Continue():
            loop = site.frame.loops[-1]
            loop.continued = run.formula.either(loop.continued, site.guard)
            return FALSE
        case ast.Pass():
            pass
        case _:
            run.refuse(site, OUTSIDE.get(type(site.node), type(site.node).__name__))
    return site.guard


def _leave(run: Run, value: ast.expr | None, site: Site) -> Literal:
    """Run a return."""
    returned = site.at(value if value is not None else ast.Constant(None))
    if site.frame.assume:
        run.hold(returned, wanted=True)
    else:
        site.frame.returns.append((site.guard, run.evaluate(returned)))
    return FALSE


def _branch(run: Run, statement: ast.If, site: Site) -> Literal:
    """Run an if."""
    if site.frame.assume and not statement.orelse and is_return_false(statement.body):
        run.hold(site.at(statement.test), wanted=False)
        return site.guard
    yes, no = run.branch(site.guard, run.truth(site.at(statement.test)))
    if no == FALSE:
        yes = site.guard
    elif yes == FALSE:
        no = site.guard
    after_yes = execute(run, statement.body, site.under(yes))
    after_no = execute(run, statement.orelse, site.under(no))
    if after_yes == yes and after_no == no:
        return site.guard
    if site.frame.assume and _leaves_only_by_false(statement):
        return site.guard
    return run.formula.either(after_yes, after_no)


def _choose_case(run: Run, statement: ast.Match, site: Site) -> Literal:
    """Run a match: the first case that fits."""
    either, frame = run.formula.either, site.frame
    subject = run.evaluate(site.at(statement.subject))
    rest, after, goes_on = site.guard, list[Literal](), True
    for case in statement.cases:
        fits, names = _match_pattern(run, subject, Site(frame, case.pattern, rest))
        yes, no = run.branch(rest, fits)
        if yes == FALSE:
            continue
        if no == FALSE:
            yes = rest
        for name, value in names.items():
            run.assign(site.under(yes), name, value)
        if case.guard is not None:
            yes, unfit = run.branch(yes, run.truth(Site(frame, case.guard, yes)))
            no = either(no, unfit)
        after.append(execute(run, case.body, site.under(yes)))
        goes_on = goes_on and after[-1] == yes
        rest = run.prover.possible(no)
        if rest == FALSE:
            break
    if goes_on or (frame.assume and _leaves_only_by_false(statement)):
        return site.guard
    return either(*after, rest)


def _run_loop(run: Run, statement: ast.While | ast.For, site: Site) -> Literal:
    """Run a loop, and then its else."""
    frame, loop = site.frame, Loop()
    keeps = frame.assume and not statement.orelse and _leaves_only_by_false(statement, inside=True)
    frame.loops.append(loop)
    if isinstance(statement, ast.While):
        done = _repeat(run, statement, loop, site)
    else:
        done = _go_over(run, statement, loop, site, keeps=keeps)
    frame.loops.pop()
    if keeps:
        return site.guard
    if statement.orelse:
        done = execute(run, statement.orelse, site.under(done))
    return run.formula.either(done, loop.broken)


def _repeat(run: Run, statement: ast.While, loop: Loop, site: Site) -> Literal:
    """Run a while loop, round by round; return the guard under which its test fails at last."""
    either, both, frame = run.formula.either, run.formula.both, site.frame
    running, done = site.guard, FALSE
    for count in range(run.bound + 1):
        test = run.truth(Site(frame, statement.test, running))
        done = either(done, both(running, -test))
        running = run.prover.feasible(run.canonical(both(running, test), ask=True))
        if running == FALSE:
            break
        if count == run.bound:
            line = frame.function.line(statement)
            run.exceeded.append((running, f"the loop in {frame.function.name}, line {line}"))
            break
        run.settle_members(frame, running)
        running = _run_round(run, statement, loop, site.under(running))
        if running == FALSE:
            break
    return run.prover.possible(done) if statement.orelse else done


def _go_over(run: Run, statement: ast.For, loop: Loop, site: Site, *, keeps: bool) -> Literal:
    """Run a for loop, value by value; return the guard under which it comes to its end."""
    both, either, frame = run.formula.both, run.formula.either, site.frame
    running = site.guard
    source = run.evaluate(site.at(statement.iter))
    for present, value in items_of(run, source, site):
        here = run.prover.possible(both(running, present))
        if here == FALSE:
            continue
        assign_target(run, value, Site(frame, statement.target, here))
        after = _run_round(run, statement, loop, site.under(here))
        if after != here and not (keeps and loop.broken == FALSE):
            running = run.prover.possible(either(after, both(running, -present)))
        if running == FALSE:
            break
    return running


def _run_round(run: Run, statement: ast.While | ast.For, loop: Loop, site: Site) -> Literal:
    """Run the body of a loop once, and return the guard under which the next round comes."""
    loop.continued = FALSE
    after = execute(run, statement.body, site)
    return run.formula.either(after, loop.continued) if loop.continued != FALSE else after


def _leaves_only_by_false(statement: ast.stmt, *, inside: bool = False) -> bool:
    """Tell whether a statement is left early by `return False` only, which rejects, and by nothing else."""
    others = ast.Raise if inside else ast.Raise | ast.Break | ast.Continue
    ways = [node for node in ast.walk(statement) if isinstance(node, ast.Return | others)]
    return all(isinstance(node, ast.Return) and is_return_false([node]) for node in ways)


# -- patterns of `match`: whether a value matches, and the names that are bound then ------------------------


def _match_pattern(run: Run, value: Value, site: Site) -> Matched:
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
            literal, names = _match_pattern(run, value, site.at(inner))
            return literal, {**names, name: value}
        case ast.MatchOr(patterns=patterns):
            return _match_one(run, ((TRUE, value, site.at(each)) for each in patterns), _match_pattern, site)
        case ast.MatchSequence():
            sequences = [each for each in _atoms(run, value, site) if isinstance(each[1], tuple | ListValue)]
            return _match_one(run, ((*each, site) for each in sequences), _match_sequence, site)
        case ast.MatchMapping(rest=None):
            dicts = [each for each in _atoms(run, value, site) if isinstance(each[1], DictValue)]
            return _match_one(run, ((*each, site) for each in dicts), _match_mapping, site)
        case ast.MatchClass():
            return _match_class(run, value, site)
    return run.refuse(site, "a pattern that collects the rest of a dict")


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
        literal, more = _match_pattern(run, get(key, at), at)
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
        if whole is source:
            run.refuse(site, "a starred name in a pattern for a list")
        names[star.name] = list_value(source[front : len(source) - len(fixed) + front])
    return found, names


def _match_mapping(run: Run, source: DictValue, site: Site) -> Matched:
    """Match the values of some keys of a dict."""
    node = site.node
    assert isinstance(node, ast.MatchMapping)
    keys = [run.evaluate(site.at(each)) for each in node.keys]
    found = run.formula.both(*(contains(run, source, key, site) for key in keys))
    parts = zip(keys, node.patterns, strict=True)
    return _match_parts(run, parts, lambda key, at: item_of(run, source, key, at), found, site)


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
    match value:
        case tuple() | list():
            return [(TRUE, tuple(value))]
        case Alternatives(atoms=atoms):
            found = [(literal, atom) for atom, literal in atoms.items()]
        case _:
            found = [(TRUE, value)]
    for _, atom in found:
        unusual = isinstance(atom, Thing) and issubclass(atom.cls, Sequence | Mapping)
        if unusual or isinstance(atom, dict | range | RangeValue):
            run.refuse(site, f"a pattern for {describe_value(atom)}")
    return found
