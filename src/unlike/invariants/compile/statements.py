"""Statements, each under its guard: what is left of the guard afterwards says for which structures the run goes on."""

from __future__ import annotations

import ast
import importlib
import sys
from collections.abc import Sequence

from unlike.invariants.compile.containers import delete_item, go_over
from unlike.invariants.compile.displays import function_value
from unlike.invariants.compile.formula import FALSE, Literal
from unlike.invariants.compile.methods import change_in_place
from unlike.invariants.compile.names import assign_target, store
from unlike.invariants.compile.operators import combine
from unlike.invariants.compile.patterns import match_pattern
from unlike.invariants.compile.program import is_return_false
from unlike.invariants.compile.run import Loop, PossibleError, Run, Site
from unlike.invariants.compile.sequences import delete_entry
from unlike.invariants.compile.values import (
    DictValue,
    ListValue,
    Unread,
    UnsupportedError,
    Value,
    made_plain,
)

OUTSIDE: dict[type[ast.AST], str] = {
    ast.With: "with",
    ast.ClassDef: "a class inside a function",
    ast.Global: "global",
    ast.TryStar: "except*",
    ast.AsyncFunctionDef: "an async function",
}


def execute(run: Run, statements: Sequence[ast.stmt], site: Site) -> Literal:
    """Run statements one after the other and return the guard that is left."""
    guard = site.guard
    for statement in statements:
        if guard == FALSE:
            break
        run.step()
        at = Site(site.frame, statement, guard)
        try:
            guard = run.alive(_run_statement(run, at))
        except UnsupportedError as error:
            if error.line is None:
                function = site.frame.function
                error.where, error.line = error.where or function.name, function.line(statement)
            raise
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
        case ast.Try() as statement:
            return _try(run, statement, site)
        case ast.Expr(value=ast.Yield(value=expression)):
            value = None if expression is None else run.evaluate(site.at(expression))
            return _hand_on(run, value, site.under(run.alive(site.guard)))
        case ast.Expr(value=ast.YieldFrom(value=expression)):
            source = run.evaluate(site.at(expression))
            return go_over(run, source, site, lambda here, value: _hand_on(run, value, site.under(here)))
        case ast.Raise() as statement:
            _raise(run, statement, site)
            return FALSE
        case ast.Break():
            loop = site.frame.loops[-1]
            loop.broken = run.formula.either(loop.broken, site.guard)
            return FALSE
        case ast.Continue():
            loop = site.frame.loops[-1]
            loop.continued = run.formula.either(loop.continued, site.guard)
            return FALSE
        case _:
            _run_simple(run, site)
    return site.guard


def _run_simple(run: Run, site: Site) -> None:
    """Run a statement after which the run always goes on, unless it raises something."""
    match site.node:
        case ast.Assign(targets=targets, value=expression):
            value = run.evaluate(site.at(expression))
            for target in targets:
                assign_target(run, value, site.at(target))
        case ast.AnnAssign(target=target, value=expression):
            if expression is not None:
                assign_target(run, run.evaluate(site.at(expression)), site.at(target))
        case ast.AugAssign() as statement:
            _change(run, statement, site)
        case ast.Expr(value=expression):
            if not isinstance(expression, ast.Constant):
                run.evaluate(site.at(expression))
        case ast.Assert(test=test, msg=message):
            fails = run.prover.possible(run.formula.both(site.guard, -run.truth(site.at(test))))
            if message is not None and run.raised is not None and fails != FALSE:
                run.evaluate(Site(site.frame, message, fails))
            run.reject(fails, kind=AssertionError)
        case ast.Pass() | ast.Nonlocal():
            pass
        case ast.FunctionDef() as statement:
            run.assign(site, statement.name, function_value(run, statement, site))
        case ast.Delete(targets=targets):
            for target in targets:
                _delete(run, site.at(target))
        case ast.Import() | ast.ImportFrom() as statement:
            _import(run, statement, site)
        case _:
            run.refuse(site, OUTSIDE.get(type(site.node), type(site.node).__name__))


def _leave(run: Run, value: ast.expr | None, site: Site) -> Literal:
    """Run a return."""
    returned = site.at(value if value is not None else ast.copy_location(ast.Constant(None), site.node))
    if not site.frame.assume:
        result = run.evaluate(returned)
        site.frame.returns.append((run.alive(site.guard), result))
    elif run.raised is None:
        run.hold(returned, wanted=True)
    else:
        literal = run.truth(returned)
        run.formula.add(-run.alive(site.guard), literal)
    return FALSE


def _branch(run: Run, statement: ast.If, site: Site) -> Literal:
    """Run an if."""
    if site.frame.assume and run.raised is None and not statement.orelse and is_return_false(statement.body):
        run.hold(site.at(statement.test), wanted=False)
        return site.guard
    test = run.truth(site.at(statement.test))
    guard = run.alive(site.guard)
    yes, no = run.branch(guard, test)
    if no == FALSE:
        yes = guard
    elif yes == FALSE:
        no = guard
    after_yes = execute(run, statement.body, site.under(yes))
    after_no = execute(run, statement.orelse, site.under(no))
    if after_yes == yes and after_no == no:
        return guard
    if site.frame.assume and _leaves_only_by_false(statement):
        return guard
    return run.formula.either(after_yes, after_no)


def _choose_case(run: Run, statement: ast.Match, site: Site) -> Literal:
    """Run a match: the first case that fits."""
    either, frame = run.formula.either, site.frame
    subject = run.evaluate(site.at(statement.subject))
    guard = run.alive(site.guard)
    rest, after, goes_on = guard, list[Literal](), True
    for case in statement.cases:
        fits, names = match_pattern(run, subject, Site(frame, case.pattern, rest))
        yes, no = run.branch(run.alive(rest), fits)
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
        return guard
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
        running = run.alive(running)
        done = either(done, both(running, -test))
        running = run.prover.feasible(run.canonical(both(running, test), ask=True))
        if running == FALSE:
            break
        if count == run.bound:
            line = frame.function.line(statement)
            run.note_exceeded(running, f"the loop in {frame.function.name}, line {line}")
            break
        run.settle_members(frame, running)
        running = _run_round(run, statement, loop, site.under(running))
        if running == FALSE:
            break
    return run.prover.possible(done) if statement.orelse else done


def _go_over(run: Run, statement: ast.For, loop: Loop, site: Site, *, keeps: bool) -> Literal:
    """Run a for loop, value by value; return the guard under which it comes to its end."""
    source = run.evaluate(site.at(statement.iter))

    def one(here: Literal, value: Value) -> Literal:
        assign_target(run, value, Site(site.frame, statement.target, here))
        after = _run_round(run, statement, loop, site.under(run.alive(here)))
        return here if keeps and loop.broken == FALSE else after

    return go_over(run, source, site.under(run.alive(site.guard)), one)


def _run_round(run: Run, statement: ast.While | ast.For, loop: Loop, site: Site) -> Literal:
    """Run the body of a loop once, and return the guard under which the next round comes."""
    loop.continued = FALSE
    after = execute(run, statement.body, site)
    return run.formula.either(after, loop.continued) if loop.continued != FALSE else after


def _leaves_only_by_false(statement: ast.stmt, *, inside: bool = False) -> bool:
    """Tell whether a statement is left early by `return False` only, which rejects, and by nothing else."""
    others = ast.Raise if inside else ast.Raise | ast.Break | ast.Continue
    ways = [node for node in ast.walk(statement) if isinstance(node, ast.Return | others)]
    if any(isinstance(node, ast.Yield | ast.YieldFrom) for node in ast.walk(statement)):
        return False
    return all(isinstance(node, ast.Return) and is_return_false([node]) for node in ways)


# -- functions and generators --------------------------------------------------------------------------------


def _hand_on(run: Run, value: Value, site: Site) -> Literal:
    """Hand on what a generator yields; return the guard under which it is asked to go on."""
    hand_on = site.frame.body.hand_on
    if hand_on is None or site.frame.is_comprehension:
        run.refuse(site, "yield here")
    return hand_on(site.guard, value)


# -- exceptions ----------------------------------------------------------------------------------------------


def _raise(run: Run, statement: ast.Raise, site: Site) -> None:
    """Raise an exception."""
    if statement.exc is None:
        if not site.frame.caught:
            run.refuse(site, "raise without an exception to raise again")
        for each in site.frame.caught[-1]:
            run.reject(site.guard, each.literal, each.kind)
        return
    if run.raised is None:  # nobody asks which one
        run.reject(site.guard)
        return
    value = made_plain(run.evaluate(site.at(statement.exc)))
    kind = value.kind if isinstance(value, Unread) else value
    if not isinstance(kind, type) or not issubclass(kind, BaseException):
        run.refuse(site, "raise with something that is no exception")
    run.reject(site.guard, kind=kind)


def _try(run: Run, statement: ast.Try, site: Site) -> Literal:
    """Run try, its handlers, else and finally."""
    frame = site.frame
    if frame.assume and run.raised is None and not statement.finalbody and _handlers_say_no(statement):
        after = execute(run, statement.body, site)  # caught or not, an exception is a no
        return execute(run, statement.orelse, site.under(after))
    if any(isinstance(each, ast.Yield | ast.YieldFrom) for each in ast.walk(statement)):
        run.refuse(site, "yield inside try")
    ways_out = ast.Return | ast.Break | ast.Continue
    if any(isinstance(each, ways_out) for final in statement.finalbody for each in ast.walk(final)):
        run.refuse(site, "a finally that leaves")
    outer = run.raised, run.dead
    run.raised, run.dead = [], FALSE
    after = execute(run, statement.body, site)
    raised, (run.raised, run.dead) = run.raised, outer
    inner: list[PossibleError] | None = None
    if statement.finalbody:  # what goes on after it waits for it
        run.raised, run.dead = [], FALSE
    ends = [execute(run, statement.orelse, site.under(after))]
    for handler in statement.handlers:
        caught, raised = _catch(run, handler, raised, site)
        if caught:
            ends.append(_handle(run, handler, caught, site))
    for each in raised:
        run.reject(site.guard, each.literal, each.kind)
    if statement.finalbody:
        inner, (run.raised, run.dead) = run.raised, outer
        execute(run, statement.finalbody, site)
        for each in inner or ():
            run.reject(site.guard, each.literal, each.kind)
    return run.formula.either(*ends)


def _handlers_say_no(statement: ast.Try) -> bool:
    """Tell whether every handler returns False and does nothing else that matters."""
    return all(
        is_return_false(handler.body[-1:])
        and all(isinstance(each, ast.Pass) or _reports(each) for each in handler.body[:-1])
        for handler in statement.handlers
    )


def _reports(statement: ast.stmt) -> bool:
    match statement:
        case ast.Expr(value=ast.Constant()):
            return True
        case ast.Expr(value=ast.Call(func=ast.Name(id="print"))):
            return True
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name)))):
            return "log" in name.lower()
    return False


def _catch(
    run: Run, handler: ast.ExceptHandler, raised: list[PossibleError], site: Site
) -> tuple[list[PossibleError], list[PossibleError]]:
    """Return the exceptions that a handler catches, and the others."""
    kinds: Value = BaseException if handler.type is None else run.evaluate(site.at(handler.type))
    wanted = kinds if isinstance(kinds, tuple) else (kinds,)
    if not all(isinstance(each, type) and issubclass(each, BaseException) for each in wanted):
        run.refuse(site.at(handler), "except with something that is no exception")
    caught = [each for each in raised if issubclass(each.kind, wanted)]
    return caught, [each for each in raised if not issubclass(each.kind, wanted)]


def _handle(run: Run, handler: ast.ExceptHandler, caught: list[PossibleError], site: Site) -> Literal:
    """Run a handler where an exception was caught."""
    guard = run.prover.possible(run.formula.either(*(each.literal for each in caught)))
    if guard == FALSE:
        return FALSE
    here = site.under(guard)
    if handler.name is not None:
        run.assign(here, handler.name, Unread(BaseException, is_true=True))
    site.frame.caught.append(caught)
    try:
        return execute(run, handler.body, here)
    finally:
        site.frame.caught.pop()


# -- other statements ----------------------------------------------------------------------------------------


def _change(run: Run, statement: ast.AugAssign, site: Site) -> None:
    """Run an assignment with an operator, like +=."""
    target, op = statement.target, statement.op
    if isinstance(target, ast.Attribute):
        run.refuse(site, "an assignment to a field: an invariant must not change anything")
    owner = key = None
    if isinstance(target, ast.Subscript):
        owner, key = run.evaluate(site.at(target.value)), run.evaluate(site.at(target.slice))
        left = run.item(owner, key, site)
    else:
        left = run.evaluate(site.at(ast.copy_location(ast.Name(target.id, ast.Load()), target)))
    left = made_plain(left)
    right = run.evaluate(site.at(statement.value))
    here = site.under(run.alive(site.guard))
    if change_in_place(run, op, left, right, here):
        return
    value = combine(run, op, left, right, here)
    here = site.under(run.alive(site.guard))
    if isinstance(target, ast.Name):
        run.assign(here, target.id, value)
    else:
        store(run, owner, key, value, here)


def _delete(run: Run, site: Site) -> None:
    """Run del of an item."""
    if not isinstance(site.node, ast.Subscript) or isinstance(site.node.slice, ast.Slice):
        run.refuse(site, "del of something that is no item")
    owner = made_plain(run.evaluate(site.at(site.node.value)))
    key = run.evaluate(site.at(site.node.slice))
    if not isinstance(owner, DictValue | ListValue) or owner.fixed:
        run.refuse(site, "del of an item of something that is no list or dict of its own")
    run.changes(owner, site)
    here = site.under(run.alive(site.guard))
    if isinstance(owner, DictValue):
        delete_item(run, owner, key, here, must=True)
    else:
        delete_entry(run, owner, key, here)


def _import(run: Run, statement: ast.Import | ast.ImportFrom, site: Site) -> None:
    """Run an import of what is loaded already, or comes with Python."""
    for each in statement.names:
        name = each.name if isinstance(statement, ast.Import) else statement.module or ""
        top = name.partition(".")[0]
        if getattr(statement, "level", 0) or (name not in sys.modules and top not in sys.stdlib_module_names):
            run.refuse(site, "an import inside a function of a module that is not loaded")
        module = importlib.import_module(name)
        if isinstance(statement, ast.Import):
            run.assign(site, each.asname or top, module if each.asname else sys.modules[top])
        elif hasattr(module, each.name):
            run.assign(site, each.asname or each.name, run.lift(getattr(module, each.name), site))
        else:
            run.reject(site.guard, kind=ImportError)
