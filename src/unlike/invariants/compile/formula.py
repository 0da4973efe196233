"""Propositional formulas: literals, gates that are made once, and what a solver can say about them on the way.

A literal is an int, its negation the negative int. `Formula` collects clauses; `Prover` answers short questions about
the clauses so far (by unit propagation, or by a solver with a counted budget) and keeps what it proved as clauses.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, cast

from unlike.core import FOREVER, Deadline
from unlike.errors import SolverError

if TYPE_CHECKING:
    from pysat.solvers import Solver

Literal = int
TRUE: Literal = 1  # the first variable is true in every model, so that constants are literals, too
FALSE: Literal = -1  # its contrary

SLICE = 5_000  # conflicts between two looks at the clock
SHORT = 300  # conflicts for a question whose answer only makes the formula smaller
LONG = 5_000  # conflicts for a question whose answer decides how the formula is built


class TooLargeError(Exception):
    """The formula grows beyond what is worth solving."""


def new_solver(name: str, clauses: Iterable[Sequence[Literal]]) -> Solver:
    """Return an incremental solver with the clauses, or say how to get one."""
    try:
        from pysat.solvers import Solver
    except ImportError:
        raise SolverError(
            "python-sat is not installed, without which only small scopes are proved; "
            "pip install 'unlike[sat]', or pass engine='search' (--engine search)"
        ) from None
    return Solver(name=name, bootstrap_with=clauses)


def solve_within(solver: Solver, assumptions: list[Literal], budget: int, deadline: Deadline) -> bool | None:
    """Return whether there is a model; None if so many conflicts do not tell. Cut short when the time is over."""
    answer: bool | None = None
    while answer is None and budget > 0:
        deadline.check()
        solver.conf_budget(min(budget, SLICE))
        answer = _solve_limited(solver, assumptions, deadline if budget > SHORT else FOREVER)
        budget -= SLICE
    return answer


def _solve_limited(solver: Solver, assumptions: list[Literal], deadline: Deadline) -> bool | None:
    """Ask within the budget that is set; a solver that can be interrupted is, when the time is over."""
    left = deadline.seconds_left()
    if left is None or not isinstance(solver.solver, _interruptible()):
        return cast("bool | None", solver.solve_limited(assumptions=assumptions))
    alarm = threading.Timer(left, solver.interrupt)
    alarm.daemon = True
    alarm.start()
    try:
        answer = cast("bool | None", solver.solve_limited(assumptions=assumptions, expect_interrupt=True))
    finally:
        alarm.cancel()
        alarm.join()  # so that it does not interrupt the next question
        solver.clear_interrupt()
    if answer is None:
        deadline.check()
    return answer


def _interruptible() -> type:
    from pysat.solvers import Minisat22

    return cast("type", Minisat22)


class Formula:
    """Clauses over numbered variables; the variable 1 is true. Equal gates are one literal."""

    def __init__(self, most_clauses: int = 12_000_000) -> None:
        self.variables = 1
        self.clauses: list[list[Literal]] = [[TRUE]]
        self.units: set[Literal] = {TRUE}
        self.asserted = 0  # clauses that are not gates: whether more may be implied than before
        self.gates: dict[Literal, tuple[Literal, ...]] = {}
        self._known: dict[tuple[Literal, ...], Literal] = {}
        self._most = most_clauses

    def new(self) -> Literal:
        """Return a fresh variable."""
        self.variables += 1
        return self.variables

    def add(self, *literals: Literal) -> None:
        """Assert that one of the literals is true."""
        units = self.units
        kept = []
        for literal in literals:
            if literal in units:
                return
            if -literal not in units:
                kept.append(literal)
        self.clauses.append(kept or [FALSE])
        self.asserted += 1
        if len(kept) == 1:
            units.add(kept[0])
        if len(self.clauses) > self._most:
            raise TooLargeError(f"more than {self._most:,} clauses")

    def both(self, *literals: Literal) -> Literal:
        """Return the literal that is true if all of these are."""
        units = self.units
        distinct: dict[Literal, None] = {}
        for literal in literals:
            if literal in units:
                continue
            if -literal in units or -literal in distinct:
                return FALSE
            distinct[literal] = None
        if len(distinct) < 2:
            return next(iter(distinct), TRUE)
        key = tuple(sorted(distinct))
        gate = self._known.get(key)
        if gate is None:
            gate = self._known[key] = self.new()
            self.gates[gate] = key
            self.clauses.extend([-gate, literal] for literal in key)
            self.clauses.append([gate, *(-literal for literal in key)])
        return gate

    def either(self, *literals: Literal) -> Literal:
        """Return the literal that is true if one of these is."""
        return -self.both(*[-literal for literal in literals])

    def equate(self, left: Literal, right: Literal, *unless: Literal) -> None:
        """Assert that both are equal, unless one of the others holds."""
        self.add(*unless, -left, right)
        self.add(*unless, left, -right)


class Prover:
    """Short questions about a growing formula. Whatever was proved becomes a clause of it."""

    def __init__(self, formula: Formula, deadline: Deadline = FOREVER) -> None:
        self.formula = formula
        self.deadline = deadline
        self._solver = new_solver("minisat22", [])
        self._loaded = 0
        self._implications: dict[tuple[Literal, Literal], int] = {}  # -1: implied; else how much was asserted then

    def close(self) -> None:
        """Free the solver."""
        self._solver.delete()

    def propagate(self, literals: Sequence[Literal]) -> tuple[bool, list[Literal]]:
        """Return whether unit propagation finds no conflict, and what it implies."""
        self._load()
        result: tuple[bool, list[Literal]] = self._solver.propagate(literals)
        return result

    def satisfiable(self, literals: Iterable[Literal], budget: int) -> bool | None:
        """Return whether the literals can hold together; None if so many conflicts do not tell."""
        self._load()
        return solve_within(self._solver, [each for each in literals if each != TRUE], budget, self.deadline)

    def models_true(self, literals: Iterable[Literal]) -> list[Literal]:
        """Return which of the literals the last model makes true, or leaves open."""
        model = self._solver.get_model()
        return [each for each in literals if abs(each) > len(model) or model[abs(each) - 1] == each]

    def one_of(self, literals: Sequence[Literal], under: Literal, budget: int) -> bool | None:
        """Return whether one of the literals can hold under the guard."""
        self._load()
        switch = self.formula.new()
        self._solver.add_clause([-switch, *literals])
        answer = self.satisfiable([switch, under], budget)
        self._solver.add_clause([-switch])
        return answer

    def possible(self, guard: Literal) -> Literal:
        """Return the guard, or FALSE if unit propagation refutes it."""
        formula = self.formula
        if guard in formula.units:
            return TRUE
        if -guard in formula.units:
            return FALSE
        if not self.propagate([guard])[0]:
            formula.add(-guard)
            return FALSE
        return guard

    def feasible(self, guard: Literal, budget: int = SHORT) -> Literal:
        """Return the guard, or FALSE if the solver refutes it within its budget."""
        guard = self.possible(guard)
        if guard in (TRUE, FALSE):
            return guard
        if self.satisfiable([guard], budget) is False:
            self.formula.add(-guard)
            return FALSE
        return guard

    def implies(self, guard: Literal, literal: Literal) -> bool:
        """Tell whether unit propagation shows that the guard implies the literal."""
        formula = self.formula
        if guard == literal or literal in formula.units or -guard in formula.units:
            return True
        if -literal in formula.units:
            return False
        if literal in formula.gates.get(guard, ()):
            return True
        seen = self._implications.get((guard, literal))
        if seen is not None and (seen == -1 or seen == formula.asserted):
            return seen == -1
        open_, _ = self.propagate([-literal] if guard in formula.units else [guard, -literal])
        self._implications[guard, literal] = formula.asserted if open_ else -1
        return not open_

    def _load(self) -> None:
        clauses = self.formula.clauses
        for position in range(self._loaded, len(clauses)):
            self._solver.add_clause(clauses[position])
        self._loaded = len(clauses)
