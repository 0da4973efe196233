"""Recursion: one body for each object that a function is called with.

Call sites are collected first. Those that are proved to exclude each other share a body, whose parameters are tied to
the arguments of each site; others get bodies of their own, because a tie between two calls of one structure would
exclude that structure. A function of an object alone needs no ties: its result is remembered.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from unlike.invariants.clauses.formula import FALSE, LONG, TRUE, Literal
from unlike.invariants.clauses.program import Function
from unlike.invariants.clauses.running.machine import Machine
from unlike.invariants.clauses.values import (
    Choice,
    Container,
    Number,
    SetValue,
    Thing,
    Truth,
    UnsupportedError,
    Value,
)

if TYPE_CHECKING:
    from unlike.invariants.clauses.calling.calls import Calls

CYCLE = 20_000  # conflicts for the question whether a recursion can come back to its object


@dataclass(slots=True, eq=False)
class Site:
    """A call that waits for its body: its guard, its arguments, and where its result is expected."""

    guard: Literal
    arguments: list[Value]
    result: Truth | Number | None


@dataclass(slots=True, eq=False)
class Body:
    """A function called with one object, and the sites that call it."""

    function: Function
    thing: Thing
    assume: bool
    generation: int  # sites that come after a body was run get another one
    at_most_once: bool  # two calls on this object would be rejected
    has_effects: bool  # it adds to a set
    sites: list[Site] = field(default_factory=list)
    is_done: bool = False


@dataclass(slots=True, eq=False)
class Remembered:
    """What a function of an object alone gives, and when it raises; not yet known while it is being found."""

    is_known: bool = False
    value: Value = None
    raised: list[Literal] = field(default_factory=list)


class Recursion:
    """Calls of functions that can call themselves."""

    def __init__(self, machine: Machine, calls: Calls) -> None:
        self.machine = machine
        self.formula = machine.formula
        self.prover = machine.prover
        self.algebra = machine.algebra
        self.calls = calls
        self.remembered: dict[tuple[Any, ...], Remembered] = {}
        self.bodies: dict[tuple[Any, ...], Body] = {}
        self.waiting: list[Body] = []
        self.shared: dict[int, SetValue] = {}  # sets that only say "at most once" to bodies that wait
        self.disciplined: set[ast.AST] = set()  # where they are used so
        self.running = 0
        self.depth = 0

    def invoke(self, function: Function, arguments: list[Value], guard: Literal, *, assume: bool) -> Value:
        """Call a recursive function on each object that its argument can be."""
        pivot = function.pivot
        if pivot >= len(arguments) or isinstance(arguments[pivot], tuple | Container):
            raise UnsupportedError("recursion without an object to descend on", function.name, function.first_line)
        receiver = self.algebra.choice(arguments[pivot])
        if receiver.number is not None or not all(atom is None or isinstance(atom, Thing) for atom in receiver.atoms):
            raise UnsupportedError("recursion on something that is no object", function.name, function.first_line)
        others = [each for place, each in enumerate(arguments) if place != pivot]
        containers = tuple(id(each) for each in others if _has_container(each))
        if containers and not (assume and self.only_once(function, arguments)):
            return self.in_place(function, arguments, guard, assume=assume)
        constants = all(_is_constant(each) for each in others)
        cases: list[tuple[Literal, Value]] = []
        for atom, literal in receiver.atoms.items():
            here = self.prover.possible(self.formula.both(guard, literal))
            if here == FALSE:
                continue
            bound = [*arguments[:pivot], atom, *arguments[pivot + 1 :]]
            if atom is None:
                cases.append((literal, self.calls.run(function, bound, here, assume=assume)))
            elif constants and not assume:
                found = self.recall(function, bound, here)
                cases += [(literal, each.value) for each in (found,) if each is not None]
            else:
                result = self.wait(function, bound, here, assume=assume, containers=containers)
                if not assume and result is not None:
                    cases.append((literal, result))
        return None if assume else self.algebra.merge(cases)

    # -- functions of an object alone ----------------------------------------------------------------

    def recall(self, function: Function, arguments: list[Value], guard: Literal) -> Remembered | None:
        """Return the result for one object, found once; None if the call cannot happen."""
        key = (function, *arguments)
        known = self.remembered.get(key)
        if known is None:
            known = self.remembered[key] = Remembered()
            thing = arguments[function.pivot]
            outer, self.machine.raised = self.machine.raised, []
            value = self.calls.run(function, arguments, thing.active, assume=False)
            known.raised, self.machine.raised = self.machine.raised, outer
            known.value, known.is_known = self.clamped(value), True
        if not known.is_known:  # the call is inside the very run that finds the result
            if self.prover.feasible(guard, CYCLE) != FALSE:
                raise UnsupportedError(
                    "recursion that may come back to the object it started from", function.name, function.first_line
                )
            return None
        for literal in known.raised:
            self.machine.reject(guard, literal)
        return known

    def clamped(self, value: Value) -> Value:
        """Return the value with the range of its number cut to what is possible."""
        if isinstance(value, tuple):
            return tuple(map(self.clamped, value))
        number = value.number if isinstance(value, Choice) else value
        if not isinstance(number, Number):
            return value
        low, high = number.low, number.high
        while high > low and self.prover.feasible(number.at_least(high)) == FALSE:
            high -= 1
        while low < high and self.prover.feasible(-number.at_least(low + 1)) == FALSE:
            low += 1
        cut = Number(low, high, [number.at_least(bound) for bound in range(low + 1, high + 1)])
        return Choice(value.atoms, cut, value.is_number) if isinstance(value, Choice) else cut

    # -- functions with containers -------------------------------------------------------------------

    def only_once(self, function: Function, arguments: Sequence[Value]) -> bool:
        """Tell whether all containers passed are sets that only say "at most once"."""
        for name, value in zip(function.parameters, arguments, strict=False):
            if not _has_container(value):
                continue
            if not isinstance(value, SetValue) or value.fixed or not self._uses_once(function, name):
                return False
        for value in arguments:
            if isinstance(value, SetValue):
                self.shared[id(value)] = value
        self.disciplined |= function.checks
        return True

    def _uses_once(self, function: Function, name: str) -> bool:
        good: set[ast.AST] = set()
        for node in ast.walk(function.tree):
            if isinstance(node, ast.Compare) and node in function.checks:
                good.add(node.comparators[0])
            elif isinstance(node, ast.Call):
                if node in function.checks and isinstance(node.func, ast.Attribute):
                    good.add(node.func.value)
                elif _passes_on(node, function):
                    good.update(node.args)
        uses = [node for node in ast.walk(function.tree) if isinstance(node, ast.Name) and node.id == name]
        return all(node in good for node in uses)

    def in_place(self, function: Function, arguments: list[Value], guard: Literal, *, assume: bool) -> Value:
        """Run a call with effects where it stands, call by call, as deep as calls can be nested."""
        guard = self.prover.feasible(guard)
        if guard == FALSE:
            return None
        if self.depth > self.machine.rounds:
            self.machine.exceeded.append((guard, f"the recursion of {function.name}, line {function.first_line}"))
            return None
        self.depth += 1
        try:
            narrowed = self.machine.narrowed(arguments[function.pivot], guard, ask=True)
            arguments = [*arguments[: function.pivot], narrowed, *arguments[function.pivot + 1 :]]
            return self.calls.run(function, arguments, guard, assume=assume)
        finally:
            self.depth -= 1

    # -- functions with other arguments --------------------------------------------------------------

    def wait(
        self, function: Function, arguments: list[Value], guard: Literal, *, assume: bool, containers: tuple[int, ...]
    ) -> Value:
        """Put the call to the other calls of the function on this object, and return where its result will be."""
        thing = arguments[function.pivot]
        if self.machine.raised is not None:  # the body would run when nobody collects its exceptions any more
            raise UnsupportedError(
                "recursion with arguments inside recursion on an object alone", function.name, function.first_line
            )
        once = bool(containers) and function.checked_first == function.parameters[function.pivot]
        generation = 0
        while (function, thing, assume, generation, containers) in self.bodies:
            body = self.bodies[function, thing, assume, generation, containers]
            if not body.is_done:
                break
            if once:
                for site in body.sites:
                    self.formula.add(-guard, -site.guard)
            generation += 1
        if generation and self.prover.feasible(guard, LONG) == FALSE:
            return None
        key = (function, thing, assume, generation, containers)
        if key not in self.bodies:
            if generation > self.machine.rounds:
                self.machine.exceeded.append((guard, f"the recursion of {function.name}, line {function.first_line}"))
                return None
            self.bodies[key] = Body(function, thing, assume, generation, once, bool(containers))
            self.waiting.append(self.bodies[key])
        result = None if assume else self.open_result(function)
        self.bodies[key].sites.append(Site(guard, arguments, result))
        return result

    def open_result(self, function: Function) -> Truth | Number:
        """Return a fresh result: a number if the function returns arithmetic, else a bool; the body must agree."""
        if _returns_numbers(function):
            return self.algebra.fresh_number(-self.machine.widest, self.machine.widest)
        return Truth(self.formula.new())

    def settle(self, value: Value, node: ast.AST) -> None:
        """Before a set is read that waiting bodies add to, run those bodies."""
        if id(value) in self.shared and self.waiting and node not in self.disciplined:
            if self.running:
                raise UnsupportedError("a set that is read while the recursion that fills it is still running")
            self.flush()

    def flush(self) -> None:
        """Run the bodies that wait, first those of the first objects."""
        outer, self.machine.raised = self.machine.raised, None
        while self.waiting:
            self.waiting.sort(key=lambda body: (body.generation, body.thing.number, body.thing.cls.__name__))
            body = self.waiting.pop(0)
            body.is_done = True
            sites = [site for site in body.sites if self.prover.possible(site.guard) != FALSE]
            if body.at_most_once:
                for place, one in enumerate(sites):
                    for other in sites[:place]:
                        self.formula.add(-one.guard, -other.guard)
            same = all(_are_same(site.arguments, sites[0].arguments) for site in sites)
            # calls with equal arguments do the same; but a set that says "at most once" counts each of them
            shares = same and (body.at_most_once or not body.has_effects)
            for group in [sites] if shares else self.exclusive(sites):
                if group:
                    self.run_body(body, group, same=same)
        self.machine.raised = outer

    def exclusive(self, sites: list[Site]) -> list[list[Site]]:
        """Return the sites in groups inside which no two can both happen, shown before any tie exists."""
        groups: list[list[Site]] = []
        for site in sites:
            fits, implied = self.prover.propagate([site.guard])
            excluded = set(implied) if fits else None
            for group in groups:
                if all(self._excludes(site.guard, other.guard, excluded) for other in group):
                    group.append(site)
                    break
            else:
                groups.append([site])
        return groups

    def _excludes(self, one: Literal, other: Literal, implied: set[Literal] | None) -> bool:
        if implied is None or -other in implied or -other in self.formula.units:
            return True
        if self.prover.satisfiable([one, other], LONG) is not False:
            return False
        self.formula.add(-one, -other)
        return True

    def run_body(self, body: Body, sites: list[Site], *, same: bool) -> None:
        """Run a function once for all sites, its parameters tied to their arguments."""
        guard = self.machine.canonical(self.formula.either(*(site.guard for site in sites)))
        if len(sites) == 1 or same:
            arguments = sites[0].arguments
        else:
            columns = zip(*(site.arguments for site in sites), strict=True)
            arguments = [self.tied(list(column), sites, body) for column in columns]
        if body.assume:
            self.running += 1
            self.calls.run(body.function, arguments, guard, assume=True)
            self.running -= 1
            return
        value = self.calls.run(body.function, arguments, guard, assume=False)
        for site in sites:
            self.deliver(value, site, body)

    def tied(self, values: list[Value], sites: list[Site], body: Body) -> Value:
        """Return a parameter that equals the argument of each site where that site is called."""
        if all(_is_same(value, values[0]) for value in values):
            return values[0]
        if any(isinstance(value, tuple) for value in values):
            raise UnsupportedError("a tuple as an argument of recursion", body.function.name, body.function.first_line)
        choices = [self.algebra.choice(value) for value in values]
        atoms = {atom: self.formula.new() for atom in dict.fromkeys(atom for each in choices for atom in each.atoms)}
        numbers = [each.number for each in choices if each.number is not None]
        number, is_number = None, FALSE
        if numbers:
            number = self.algebra.fresh_number(min(each.low for each in numbers), max(each.high for each in numbers))
            is_number = self.formula.new() if atoms else TRUE
        for site, choice in zip(sites, choices, strict=True):
            for atom, literal in atoms.items():
                self.formula.equate(literal, choice.atoms.get(atom, FALSE), -site.guard)
            if number is not None:
                self.formula.equate(is_number, choice.is_number, -site.guard)
                if choice.number is not None:
                    self.tie_numbers(number, choice.number, -site.guard)
        return Choice(atoms, number, is_number)

    def tie_numbers(self, one: Number, other: Number, unless: Literal) -> None:
        """Assert that both numbers are equal, unless the literal holds."""
        for bound in range(min(one.low, other.low) + 1, max(one.high, other.high) + 1):
            self.formula.equate(one.at_least(bound), other.at_least(bound), unless)

    def deliver(self, value: Value, site: Site, body: Body) -> None:
        """Tie the result that a site expects to what the body gives."""
        function = body.function
        if isinstance(site.result, Truth):
            if not isinstance(value, Truth | bool):
                raise UnsupportedError(
                    "recursion that gives neither a bool nor a number", function.name, function.first_line
                )
            self.formula.equate(site.result.literal, self.algebra.plain_truth(value), -site.guard)
            return
        assert isinstance(site.result, Number)
        whole = self.algebra.choice(value)
        if whole.atoms or whole.number is None:
            raise UnsupportedError("recursion that gives not only numbers", function.name, function.first_line)
        number, widest = whole.number, self.machine.widest
        for literal in (number.at_least(widest + 1), -number.at_least(-widest)):
            beyond = self.prover.possible(self.formula.both(site.guard, literal))
            if beyond != FALSE:
                self.machine.exceeded.append((beyond, f"the results of {function.name}, line {function.first_line}"))
        self.tie_numbers(site.result, number, -site.guard)


def _has_container(value: Value) -> bool:
    if isinstance(value, tuple):
        return any(map(_has_container, value))
    if isinstance(value, Choice):
        return any(isinstance(atom, Container) and not atom.fixed for atom in value.atoms)
    return isinstance(value, Container) and not value.fixed


def _is_constant(value: Value) -> bool:
    """Tell whether a value is the same for all structures, so that a result can be remembered with it."""
    if isinstance(value, tuple):
        return all(map(_is_constant, value))
    return value is None or isinstance(value, bool | int | str | Thing | type)


def _is_same(one: Value, other: Value) -> bool:
    return one is other or (_is_constant(one) and type(one) is type(other) and bool(one == other))


def _are_same(ours: list[Value], theirs: list[Value]) -> bool:
    return all(_is_same(one, other) for one, other in zip(ours, theirs, strict=True))


def _passes_on(node: ast.Call, function: Function) -> bool:
    """Tell whether a call hands its arguments to the same function, which uses them in the same way."""
    match node.func:
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name == function.tree.name
    return False


def _returns_numbers(function: Function) -> bool:
    for node in ast.walk(function.tree):
        if isinstance(node, ast.Return) and node.value is not None:
            match node.value:
                case ast.BinOp() | ast.UnaryOp(op=ast.USub()):
                    return True
                case ast.Constant(value=value) if type(value) is int:
                    return True
    return False
