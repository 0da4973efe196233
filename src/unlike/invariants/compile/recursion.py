"""Functions of the user's: run in place, or, where they call themselves, by one body for each object.

Calls are collected first. Those that are proved to exclude each other share a body, whose parameters are tied to the
arguments of each call; others get bodies of their own, because a tie between two calls of one structure would exclude
that structure. A function of an object alone needs no ties: its result is remembered.
"""

from __future__ import annotations

import ast
import enum
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from unlike.invariants.compile.formula import FALSE, LONG, TRUE, Literal
from unlike.invariants.compile.names_outside import has_container, outer_state, stay_as_they_are
from unlike.invariants.compile.program import Function
from unlike.invariants.compile.run import Body, Frame, KnownResult, PendingCall, Run, Site
from unlike.invariants.compile.values import (
    Alternatives,
    Boxed,
    ContainerValue,
    LazyValues,
    Number,
    SetValue,
    Thing,
    Truth,
    UnsupportedError,
    Value,
)


class UnsharedError(Exception):
    """What a recursion gives cannot be told before its body has run, so its calls cannot share one."""


class ComesBackError(Exception):
    """A function of an object alone may be called again with the same object while its result is being found."""


CYCLE = 20_000  # conflicts for the question whether a recursion can come back to its object


def invoke(
    run: Run,
    function: Function,
    arguments: list[Value],
    guard: Literal,
    *,
    assume: bool,
    outer: Frame | None = None,
) -> Value:
    """Call a function: in place, or on each object that its argument can be; a generator waits to be gone over."""
    if function.is_generator:
        return _generator(run, function, arguments, outer)
    if not function.is_recursive:
        return run_in_place(run, function, arguments, guard, assume=assume, outer=outer)
    pivot = _descends_on(function, arguments)
    seen_outside: list[SetValue] = []
    state = outer_state(function, outer, seen_outside)
    others = [each for place, each in enumerate(arguments) if place != pivot]
    containers = tuple(id(each) for each in (*others, *seen_outside) if has_container(each))
    constants = all(_is_constant(each) for each in others) and not seen_outside
    recalls = constants and not assume and function.place not in run.pending.coming_back
    waits = recalls or state == () or stay_as_they_are(function, outer)  # what is read outside is read later
    waits = waits and (recalls or function.place not in run.pending.unshared)
    if containers:
        waits = waits and assume and run.raised is None and _only_once(run, function, arguments, seen_outside)
    if constants and pivot is not None and state is not None and function.place in run.pending.coming_back:
        return _nest_alone(run, _Calls(function, pivot, assume, outer, (tuple(others), state)), arguments, guard)
    if pivot is None or state is None or not waits or not (recalls or run.raised is None):
        return _nest(run, function, arguments, guard, assume=assume, outer=outer, pivot=pivot)
    calls = _Calls(function, pivot, assume, outer, (containers, state))
    cases: list[tuple[Literal, Value]] = []
    for atom, literal in run.algebra.alternatives(arguments[pivot]).atoms.items():
        here = run.prover.possible(run.formula.both(guard, literal))
        if here == FALSE:
            continue
        bound = [*arguments[:pivot], atom, *arguments[pivot + 1 :]]
        if atom is None:
            cases.append((literal, run_in_place(run, function, bound, here, assume=assume, outer=outer)))
        elif recalls:
            found = _recall(run, calls, bound, here)
            if found is not None:
                cases.append((literal, found.value))
        else:
            result = _wait(run, calls, bound, here)
            if not assume and result is not None:
                cases.append((literal, result))
    return None if assume else run.algebra.merge(cases)


@dataclass(frozen=True, slots=True)
class _Calls:
    """Calls of a recursive function that belong together."""

    function: Function
    pivot: int
    assume: bool
    outer: Frame | None
    state: tuple[Any, ...]  # the containers that are handed on, and the variables outside that are read


def run_in_place(
    run: Run,
    function: Function,
    arguments: Sequence[Value],
    guard: Literal,
    *,
    assume: bool,
    outer: Frame | None = None,
) -> Value:
    """Run a function in place; with `assume`, assert that it returns something true."""
    frame = _frame(run, function, arguments, guard, outer)
    frame.assume = assume
    left = run.execute(function.tree.body, Site(frame, function.tree, guard))
    if assume:
        left = run.alive(left)
        if left != FALSE:
            run.formula.add(-left)  # it ends without a return: None is not true
        return None
    if left != FALSE:
        frame.returns.append((left, None))
    return run.algebra.merge(frame.returns)


def _frame(run: Run, function: Function, arguments: Sequence[Value], guard: Literal, outer: Frame | None) -> Frame:
    names = [*function.parameters, *([function.rest] if function.rest is not None else [])]
    run.pending.disciplined |= function.checks
    variables = {name: [(TRUE, each)] for name, each in zip(names, arguments, strict=True)}
    return Frame(function, variables, assume=False, entry=guard, outer=outer)


def _generator(run: Run, function: Function, arguments: list[Value], outer: Frame | None) -> LazyValues:
    """Return a generator: its body runs while it is gone over, and hands on what it yields."""

    def each(guard: Literal, visit: Callable[[Literal, Value], Literal]) -> Literal:
        values = arguments
        if function.is_recursive:
            guard = run.prover.feasible(guard)
            if guard == FALSE:
                return FALSE
            if run.pending.depth > run.bound:
                run.note_exceeded(guard, f"the recursion of {function.place}")
                return FALSE
            pivot = _descends_on(function, arguments)
            if pivot is not None:
                narrowed = run.narrow(arguments[pivot], guard, ask=True)
                values = [*arguments[:pivot], narrowed, *arguments[pivot + 1 :]]
        frame = _frame(run, function, values, guard, outer)
        frame.hand_on = visit
        run.pending.depth += 1
        try:
            left = run.execute(function.tree.body, Site(frame, function.tree, guard))
        finally:
            run.pending.depth -= 1
        return run.formula.either(left, *(under for under, _ in frame.returns))

    return LazyValues(each)


def _descends_on(function: Function, arguments: Sequence[Value]) -> int | None:
    """Return which argument a recursion descends on: objects, or None; nothing if there is no such argument."""
    places = [function.pivot, *range(len(arguments))]
    return next((place for place in places if place < len(arguments) and _is_objects(arguments[place])), None)


def _is_objects(value: Value) -> bool:
    if value is None or isinstance(value, Thing):
        return True
    if not isinstance(value, Alternatives) or value.number is not None:
        return False
    return all(atom is None or isinstance(atom, Thing) for atom in value.atoms)


# -- functions of an object alone ------------------------------------------------------------------------


def _recall(run: Run, calls: _Calls, arguments: list[Value], guard: Literal) -> KnownResult | None:
    """Return the result for one object, found once; None if the call cannot happen."""
    function = calls.function
    key = (function, calls.state, *arguments)
    known = run.pending.results.get(key)
    if known is None:
        known = run.pending.results[key] = KnownResult()
        outer = run.raised, run.dead
        run.raised, run.dead = known.raised, FALSE
        active = arguments[calls.pivot].active
        value = run_in_place(run, function, arguments, active, assume=False, outer=calls.outer)
        run.raised, run.dead = outer
        _share(value)
        known.value, known.is_known = _clamp(run, value), True
    if not known.is_known:  # the call is inside the very run that finds the result
        if run.prover.feasible(guard, CYCLE) != FALSE:
            if run.pending.waiting and not run.pending.running:  # they may say that there is no way back
                run_all_bodies(run)
            if run.prover.feasible(guard, CYCLE) != FALSE:
                raise ComesBackError(function.place)
        return None
    for each in known.raised:
        run.reject(guard, each.literal, each.kind)
    return known


def _share(value: Value) -> None:
    """Note that a result is handed to several callers, none of whom may change it."""
    for part in value if isinstance(value, tuple) else value.atoms if isinstance(value, Alternatives) else (value,):
        if isinstance(part, LazyValues):
            raise UnsupportedError("a recursion that returns a generator")
        if isinstance(part, ContainerValue):
            part.fixed = True


def _clamp(run: Run, value: Value) -> Value:
    """Return the value with the range of its number cut to what is possible."""
    if isinstance(value, tuple):
        return tuple(_clamp(run, each) for each in value)
    number = value.number if isinstance(value, Alternatives) else value
    if not isinstance(number, Number):
        return value
    low, high = number.low, number.high
    while high > low and run.prover.feasible(number.at_least(high)) == FALSE:
        high -= 1
    while low < high and run.prover.feasible(-number.at_least(low + 1)) == FALSE:
        low += 1
    cut = Number(low, high, [number.at_least(bound) for bound in range(low + 1, high + 1)])
    return Alternatives(value.atoms, cut, value.is_number) if isinstance(value, Alternatives) else cut


# -- functions with containers ---------------------------------------------------------------------------


def _only_once(run: Run, function: Function, arguments: Sequence[Value], seen_outside: Sequence[SetValue]) -> bool:
    """Tell whether all containers passed are sets that only say "at most once", as those outside do."""
    for name, value in zip(function.parameters, arguments, strict=False):
        if not has_container(value):
            continue
        if not isinstance(value, SetValue) or value.fixed or not function.uses_once(name):
            return False
    for value in (*arguments, *seen_outside):
        if isinstance(value, SetValue):
            run.pending.shared[id(value)] = value
    run.pending.disciplined |= function.checks
    return True


def _nest(
    run: Run,
    function: Function,
    arguments: list[Value],
    guard: Literal,
    *,
    assume: bool,
    outer: Frame | None,
    pivot: int | None,
) -> Value:
    """Run a call with effects where it stands, call by call, as deep as calls can be nested."""
    guard = run.prover.feasible(run.alive(guard))
    if guard == FALSE:
        return None
    if run.pending.depth > run.bound:
        run.note_exceeded(guard, f"the recursion of {function.place}")
        return None
    run.pending.depth += 1
    try:
        if pivot is not None:
            narrowed = run.narrow(arguments[pivot], guard, ask=True)
            arguments = [*arguments[:pivot], narrowed, *arguments[pivot + 1 :]]
        return run_in_place(run, function, arguments, guard, assume=assume, outer=outer)
    finally:
        run.pending.depth -= 1


def _nest_alone(run: Run, calls: _Calls, arguments: list[Value], guard: Literal) -> Value:
    """Run a call of a function of an object alone where it stands; one that comes back to its object never ends."""
    nested, key = run.pending.nested, (calls.function, calls.assume, calls.state)
    count = nested.get(key, 0)
    if count > len(run.heap.all_things) + 1:  # some object is there twice
        run.reject(guard, kind=RecursionError)
        return None
    nested[key] = count + 1
    try:
        return _nest(run, calls.function, arguments, guard, assume=calls.assume, outer=calls.outer, pivot=calls.pivot)
    finally:
        nested[key] = count


# -- functions with other arguments ----------------------------------------------------------------------


def _wait(run: Run, calls: _Calls, arguments: list[Value], guard: Literal) -> Value:
    """Put the call to the other calls of the function on this object, and return where its result will be."""
    function, assume, pending = calls.function, calls.assume, run.pending
    thing, containers = arguments[calls.pivot], bool(calls.state[0])
    once = containers and function.checked_first == function.parameters[calls.pivot]
    generation = 0
    while (body := pending.bodies.get((function, thing, assume, generation, calls.state))) is not None and body.is_done:
        if once:
            for each in body.calls:
                run.formula.add(-guard, -each.guard)
        generation += 1
    if generation and run.prover.feasible(guard, LONG) == FALSE:
        return None
    if body is None:
        if generation > run.bound:
            run.note_exceeded(guard, f"the recursion of {function.place}")
            return None
        body = Body(function, thing, assume, calls.outer, generation, once, containers)
        pending.bodies[function, thing, assume, generation, calls.state] = body
        pending.waiting.append(body)
    result = None if assume else _open_result(run, function)
    body.calls.append(PendingCall(guard, arguments, result))
    return result


def _open_result(run: Run, function: Function) -> Truth | Number:
    """Return a fresh result: a number if the function returns arithmetic, else a bool; the body must agree."""
    if function.returns_numbers:
        return run.algebra.fresh_number(-run.bound, run.bound)
    return Truth(run.formula.new())


def run_waiting_bodies(run: Run, value: Value, node: ast.AST) -> None:
    """Before a set is read that waiting bodies add to, run those bodies."""
    pending = run.pending
    if id(value) in pending.shared and pending.waiting and node not in pending.disciplined:
        if pending.running:
            raise UnsupportedError("a set that is read while the recursion that fills it is still running")
        run_all_bodies(run)


def run_all_bodies(run: Run) -> None:
    """Run the bodies that wait, first those of the first objects."""
    outer = run.raised, run.dead
    run.raised, run.dead = None, FALSE
    waiting = run.pending.waiting
    while waiting:
        waiting.sort(key=lambda body: (body.generation, body.thing.number, body.thing.cls.__name__))
        body = waiting.pop(0)
        body.is_done = True
        calls = [each for each in body.calls if run.prover.possible(each.guard) != FALSE]
        if body.at_most_once:
            for place, one in enumerate(calls):
                for other in calls[:place]:
                    run.formula.add(-one.guard, -other.guard)
        same = all(all(map(_is_same, each.arguments, calls[0].arguments)) for each in calls)
        # calls with equal arguments do the same; but a set that says "at most once" counts each of them
        shares = same and (body.at_most_once or not body.has_effects)
        for group in [calls] if shares else group_exclusive(run, calls):
            if group:
                _run_body(run, body, group, same=same)
    run.raised, run.dead = outer


def group_exclusive(run: Run, calls: list[PendingCall]) -> list[list[PendingCall]]:
    """Return the calls in groups inside which no two can both happen, shown before any tie exists."""
    groups: list[list[PendingCall]] = []
    for each in calls:
        fits, implied = run.prover.propagate([each.guard])
        excluded = set(implied) if fits else None
        for group in groups:
            if all(_excludes(run, each.guard, other.guard, excluded) for other in group):
                group.append(each)
                break
        else:
            groups.append([each])
    return groups


def _excludes(run: Run, one: Literal, other: Literal, implied: set[Literal] | None) -> bool:
    if implied is None or -other in implied or -other in run.formula.units:
        return True
    if run.prover.satisfiable([one, other], LONG) is not False:
        return False
    run.formula.add(-one, -other)
    return True


def _run_body(run: Run, body: Body, calls: list[PendingCall], *, same: bool) -> None:
    """Run a function once for all calls, its parameters tied to their arguments."""
    guard = run.canonical(run.formula.either(*(each.guard for each in calls)))
    if len(calls) == 1 or same:
        arguments = calls[0].arguments
    else:
        columns = zip(*(each.arguments for each in calls), strict=True)
        arguments = [_tie(run, list(column), calls, body.function) for column in columns]
    if body.assume:
        run.pending.running += 1
        run_in_place(run, body.function, arguments, guard, assume=True, outer=body.outer)
        run.pending.running -= 1
        return
    value = run_in_place(run, body.function, arguments, guard, assume=False, outer=body.outer)
    for each in calls:
        _deliver(run, value, each, body.function)


def _tie(run: Run, values: list[Value], calls: list[PendingCall], function: Function) -> Value:
    """Return a parameter that equals the argument of each call where that call is made."""
    if all(_is_same(value, values[0]) for value in values):
        return values[0]
    if all(isinstance(value, tuple) and len(value) == len(values[0]) for value in values):
        return tuple(_tie(run, list(column), calls, function) for column in zip(*values, strict=True))
    formula, wholes = run.formula, [run.algebra.alternatives(value) for value in values]
    atoms = {atom: formula.new() for atom in dict.fromkeys(atom for each in wholes for atom in each.atoms)}
    numbers = [each.number for each in wholes if each.number is not None]
    number, is_number = None, FALSE
    if numbers:
        number = run.algebra.fresh_number(min(each.low for each in numbers), max(each.high for each in numbers))
        is_number = formula.new() if atoms else TRUE
    for each, whole in zip(calls, wholes, strict=True):
        for atom, literal in atoms.items():
            formula.equate(literal, whole.atoms.get(atom, FALSE), -each.guard)
        if number is not None:
            formula.equate(is_number, whole.is_number, -each.guard)
            if whole.number is not None:
                run.algebra.tie_numbers(number, whole.number, -each.guard)
    return Alternatives(atoms, number, is_number)


def _deliver(run: Run, value: Value, to: PendingCall, function: Function) -> None:
    """Tie the result that a call expects to what the body gives."""
    if isinstance(to.result, Truth):
        if not isinstance(value, Truth | bool):
            raise UnsharedError(function.place)
        run.formula.equate(to.result.literal, run.algebra.plain_truth(value), -to.guard)
        return
    assert isinstance(to.result, Number)
    whole = run.algebra.alternatives(value)
    if whole.atoms or whole.number is None:
        raise UnsharedError(function.place)
    for literal in (whole.number.at_least(run.bound + 1), -whole.number.at_least(-run.bound)):
        beyond = run.prover.possible(run.formula.both(to.guard, literal))
        if beyond != FALSE:
            run.note_exceeded(beyond, f"the results of {function.place}")
    run.algebra.tie_numbers(to.result, whole.number, -to.guard)


def _is_constant(value: Value) -> bool:
    """Tell whether a value is the same for all structures, so that a result can be remembered with it."""
    if isinstance(value, tuple):
        return all(map(_is_constant, value))
    return value is None or isinstance(value, bool | int | str | float | enum.Enum | Boxed | Thing | type)


def _is_same(one: Value, other: Value) -> bool:
    return one is other or (_is_constant(one) and type(one) is type(other) and bool(one == other))
