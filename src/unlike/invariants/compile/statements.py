"""Statements, each under its guard: what is left of the guard afterwards says for which structures the run goes on."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from unlike.invariants.compile.assignments import assign_target
from unlike.invariants.compile.containers import items_of
from unlike.invariants.compile.formula import FALSE, Literal
from unlike.invariants.compile.operators import combine
from unlike.invariants.compile.patterns import match_pattern
from unlike.invariants.compile.program import is_return_false
from unlike.invariants.compile.run import Loop, Run, Site

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
        case ast.While() as statement:
            return _repeat(run, statement, site)
        case ast.For() as statement:
            return _go_over(run, statement, site)
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
        fits, names = match_pattern(run, subject, Site(frame, case.pattern, rest))
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


def _repeat(run: Run, statement: ast.While, site: Site) -> Literal:
    """Run a while loop, round by round."""
    either, both, frame = run.formula.either, run.formula.both, site.frame
    keeps = frame.assume and not statement.orelse and _leaves_only_by_false(statement, inside=True)
    loop = Loop()
    frame.loops.append(loop)
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
    frame.loops.pop()
    if keeps:
        return site.guard
    if statement.orelse:
        done = execute(run, statement.orelse, site.under(run.prover.possible(done)))
    return either(done, loop.broken)


def _go_over(run: Run, statement: ast.For, site: Site) -> Literal:
    """Run a for loop, value by value."""
    both, either, frame = run.formula.both, run.formula.either, site.frame
    keeps = frame.assume and not statement.orelse and _leaves_only_by_false(statement, inside=True)
    loop = Loop()
    frame.loops.append(loop)
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
    frame.loops.pop()
    if keeps:
        return site.guard
    if statement.orelse:
        running = execute(run, statement.orelse, site.under(running))
    return either(running, loop.broken)


def _run_round(run: Run, statement: ast.While | ast.For, loop: Loop, site: Site) -> Literal:
    """Run the body of a loop once, and return the guard under which the next round comes."""
    loop.continued = FALSE
    after = execute(run, statement.body, site)
    return run.formula.either(after, loop.continued) if loop.continued != FALSE else after


def _leaves_only_by_false(statement: ast.stmt, *, inside: bool = False) -> bool:
    """Tell whether a statement is left early by `return False` only, which rejects, and by nothing else."""
    for node in ast.walk(statement):
        if isinstance(node, ast.Return) and not is_return_false([node]):
            return False
        if not inside and isinstance(node, ast.Break | ast.Continue):
            return False
        if isinstance(node, ast.Raise):
            return False
    return True
