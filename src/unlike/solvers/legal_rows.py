"""Whether a legal row of an array has some values: asked of z3 where a budget of changes was not enough."""

from __future__ import annotations

from typing import Literal

from unlike.core import Deadline
from unlike.covering.arrays import ArrayModel, Cells, Row

MOST_SECONDS = 20.0  # for one question


def decide_row(model: ArrayModel, cells: Cells, deadline: Deadline) -> Row | Literal["unknown"] | None:
    """Return a legal row with these cells; nothing where it is proved that there is none."""
    import z3  # heavy, and rarely asked

    context = z3.Context()
    numbers = [z3.Int(f"x{p}", context) for p in range(len(model.enters))]
    solver = z3.Solver(ctx=context)
    left = deadline.seconds_left()
    solver.set("timeout", int(1000 * min(MOST_SECONDS, MOST_SECONDS if left is None else max(0.01, left))))
    for number, levels in zip(numbers, model.levels, strict=True):
        solver.add(number >= 0, number < levels)
    for rule in model.rules:
        parts = [numbers[p] == v for p, allowed in rule for v, each in enumerate(allowed) if each]
        solver.add(z3.Or(parts) if parts else z3.BoolVal(False, context))
    answer = solver.check([numbers[p] == v for p, v in cells])
    if answer == z3.unsat:
        return None
    if answer != z3.sat:
        return "unknown"
    found = solver.model()
    return [found.eval(number, model_completion=True).as_long() for number in numbers]
